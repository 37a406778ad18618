<?cs # All findings. Reads Counts.N.{Class,Word,Count,Href,IsChosen}, Filter.*, NoStore, Rows.N.* (view_inv_row),
RowCount, StatesFailed (why Linear did not tell), Older, Filtered, Repeat.* (one failure of several customers, view_repeat). ?>
<div class="head"><h1>Investigations</h1><a class="right" href="<?cs var:Page.Base ?>/investigations/patterns">Patterns: the same failure again</a></div>
<p class="chips"><?cs each:c = Counts ?><a class="chip" href="<?cs var:url_validate(c.Href) ?>"<?cs if:c.IsChosen ?> aria-current="true"<?cs /if ?>><?cs var:c.Word ?> <?cs var:c.Count ?></a><?cs /each ?> <?cs call:help("classes", "What these mean") ?></p>
<search><form class="filters" action="<?cs var:Page.Base ?>/investigations" method="get" role="search" aria-label="Investigations">
<div class="fields">
<div><label for="class">Finding</label><select id="class" name="class"><option value="">any</option><?cs each:c = Counts ?><?cs if:c.Class ?><option value="<?cs var:c.Class ?>"<?cs if:c.IsChosen ?> selected<?cs /if ?>><?cs var:c.Word ?></option><?cs /if ?><?cs /each ?></select></div>
<div><label for="template">Template id</label><input id="template" name="template" type="text" value="<?cs var:Filter.Template ?>" placeholder="any" maxlength="64" autocomplete="off"></div>
<div><label for="signature">Same failure (signature hash)</label><input id="signature" name="signature" type="text" size="26" value="<?cs var:Filter.Signature ?>" placeholder="any" maxlength="64" autocomplete="off"></div>
<div><label for="by">Started by</label><input id="by" name="by" type="text" value="<?cs var:Filter.By ?>" placeholder="anyone" maxlength="100" autocomplete="off"></div>
<button>Filter</button><?cs if:Filtered ?> <a href="<?cs var:Page.Base ?>/investigations">Clear</a><?cs /if ?>
</div></form></search>
<?cs if:NoStore ?><?cs call:message("bad", "Casebook's own database does not answer.") ?>The investigations cannot be shown. Nothing is lost.<?cs call:message_end() ?>
<?cs elif:RowCount ?>
<?cs if:Repeat.Title ?><div class="msg"><?cs call:glyph_info() ?><div class="msg-text"><b><?cs var:Repeat.Title ?></b><?cs var:Repeat.Text ?><?cs if:Repeat.Issue ?> The newest is linked to <a class="mono" href="<?cs var:url_validate(Repeat.IssueHref) ?>" rel="noreferrer"><?cs var:Repeat.Issue ?></a>.<?cs /if ?></div><a class="btn" href="<?cs var:url_validate(Repeat.Href) ?>"><?cs var:Repeat.HrefText ?></a></div><?cs /if ?>
<?cs if:StatesFailed ?><p class="second">The present states of the issues could not be read. <?cs var:StatesFailed ?></p><?cs /if ?>
<div class="scroll"><table class="rows" role="table" aria-label="Investigations, newest first">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col" aria-sort="descending">When (UTC) &darr;</th><th role="columnheader" scope="col">Finding</th><th role="columnheader" scope="col">What happened</th><th role="columnheader" scope="col">Template</th><th role="columnheader" scope="col">Ticket</th><th role="columnheader" scope="col">Linear</th><th role="columnheader" scope="col">Internal note</th><th role="columnheader" scope="col">By</th></tr></thead>
<tbody role="rowgroup">
<?cs each:r = Rows ?><tr role="row">
<td role="cell" data-l="When"><span class="mono"><?cs call:time(r.When) ?><span class="second"><?cs var:r.Ago ?></span></span></td>
<td role="cell" data-l="Finding"><span><?cs if:r.Class ?><?cs call:verdict(r.Class, r.ClassWord) ?><?cs else ?><b class="quiet"><?cs var:r.State ?></b><?cs /if ?><span class="second"><?cs if:r.Reason ?><?cs var:r.Reason ?><?cs elif:r.Confidence ?><?cs var:r.Confidence ?> confidence<?cs /if ?></span></span></td>
<td role="cell" data-l="What happened"><span class="pair"><a href="<?cs var:url_validate(r.Href) ?>"><?cs if:r.Headline ?><?cs var:r.Headline ?><?cs else ?>Investigation <?cs var:r.Id ?><?cs /if ?></a><?cs if:r.Failure ?><span class="second"><?cs var:r.Failure ?></span><?cs /if ?><span class="second"><a class="mono" href="<?cs var:url_validate(r.SandboxHref) ?>"><?cs var:r.Sandbox ?></a></span></span></td>
<td role="cell" data-l="Template"><span><?cs var:r.Template ?></span></td>
<td role="cell" data-l="Ticket"><span><?cs if:r.Ticket ?><a class="mono" href="<?cs var:url_validate(r.TicketHref) ?>">#<?cs var:r.Ticket ?></a><?cs if:r.Organisation ?><span class="second"><?cs var:r.Organisation ?></span><?cs /if ?><?cs else ?><span class="quiet">none</span><?cs /if ?></span></td>
<td role="cell" data-l="Linear"><span><?cs if:r.Issue ?><a class="mono" href="<?cs var:url_validate(r.IssueHref) ?>" rel="noreferrer"><?cs var:r.Issue ?></a><?cs if:r.IssueState ?> <?cs call:linear_state(r.IssueStateType, r.IssueState) ?><?cs /if ?><span class="second"><?cs var:r.Linear ?></span><?cs else ?><span class="quiet"><?cs var:r.Linear ?></span><?cs /if ?></span></td>
<td role="cell" data-l="Internal note"><span class="quiet"><?cs if:r.Note ?><?cs var:r.Note ?><?cs elif:r.Class ?>none<?cs /if ?></span></td>
<td role="cell" data-l="By"><span><?cs var:r.By ?></span></td>
</tr>
<?cs /each ?></tbody></table></div>
<p class="tail"><span><?cs if:Older ?>The newest <?cs var:RowCount ?> are shown.<?cs else ?>All <?cs var:RowCount ?> shown.<?cs /if ?></span><?cs if:Older ?><a href="<?cs var:url_validate(Older) ?>">Older</a><?cs /if ?></p>
<?cs elif:Filtered ?><p class="empty">No investigation fits this filter. <a href="<?cs var:Page.Base ?>/investigations">Show all</a></p>
<?cs else ?><p class="empty">Nothing was investigated yet. Find a ticket, open one of the customer's sandboxes, and press Investigate.</p>
<?cs /if ?>
