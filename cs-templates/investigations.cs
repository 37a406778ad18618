<?cs # All findings. Reads Counts.N.{Class,Word,Count,Href,IsChosen}, Filter.*, NoStore, Rows.N.* (view_inv_row),
RowCount, Older, Filtered, Repeat.* (one failure of several customers). ?>
<div class="head"><h1>Investigations</h1></div>
<p class="chips"><?cs each:c = Counts ?><a class="chip" href="<?cs var:url_validate(c.Href) ?>"<?cs if:c.IsChosen ?> aria-current="true"<?cs /if ?>><?cs var:c.Word ?> <?cs var:c.Count ?></a><?cs /each ?></p>
<form class="filters" action="<?cs var:Page.Base ?>/investigations" method="get">
<div class="fields">
<?cs if:Filter.Class ?><input type="hidden" name="class" value="<?cs var:Filter.Class ?>"><?cs /if ?>
<div><label for="template">Template id</label><input id="template" name="template" type="text" value="<?cs var:Filter.Template ?>" maxlength="64" autocomplete="off"></div>
<div><label for="by">Started by</label><input id="by" name="by" type="text" value="<?cs var:Filter.By ?>" maxlength="100" autocomplete="off"></div>
<div><label for="signature">Signature hash</label><input id="signature" name="signature" type="text" value="<?cs var:Filter.Signature ?>" maxlength="64" autocomplete="off"></div>
<button>Filter</button><?cs if:Filtered ?> <a href="<?cs var:Page.Base ?>/investigations">Clear</a><?cs /if ?>
</div></form>
<?cs if:NoStore ?><?cs call:message("bad", "Casebook's own database does not answer.") ?>The investigations cannot be shown. Nothing is lost.<?cs call:message_end() ?>
<?cs elif:RowCount ?>
<?cs if:Repeat.Count ?><?cs call:message("warn", Repeat.Title) ?><a href="<?cs var:url_validate(Repeat.Href) ?>"><?cs var:Repeat.Signature ?></a><?cs call:message_end() ?><?cs /if ?>
<div class="scroll"><table class="rows" role="table" aria-label="Investigations, newest first">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Finding</th><th role="columnheader" scope="col">What broke</th><th role="columnheader" scope="col">Sandbox</th><th role="columnheader" scope="col">Template</th><th role="columnheader" scope="col">Ticket</th><th role="columnheader" scope="col">Linear</th><th role="columnheader" scope="col">Note</th><th role="columnheader" scope="col" aria-sort="descending">When (UTC) &darr;</th></tr></thead>
<tbody role="rowgroup">
<?cs each:r = Rows ?><tr role="row">
<td role="cell" data-l="Finding"><span><a href="<?cs var:url_validate(r.Href) ?>"><?cs if:r.Class ?><?cs call:verdict(r.Class, r.ClassWord) ?><?cs else ?><?cs var:r.State ?><?cs /if ?></a><span class="second"><?cs if:r.Reason ?><?cs var:r.Reason ?><?cs elif:r.Confidence ?><?cs var:r.Confidence ?> confidence<?cs /if ?></span></span></td>
<td role="cell" data-l="What broke"><span><?cs var:r.Headline ?><?cs var:r.Failure ?><?cs if:r.Signature ?><span class="second"><?cs var:r.Signature ?></span><?cs /if ?></span></td>
<td role="cell" data-l="Sandbox"><a class="mono" href="<?cs var:url_validate(r.SandboxHref) ?>"><?cs var:r.SandboxShort ?></a></td>
<td role="cell" data-l="Template"><span><?cs var:r.Template ?></span></td>
<td role="cell" data-l="Ticket"><span><?cs if:r.Ticket ?><a href="<?cs var:url_validate(r.TicketHref) ?>">#<?cs var:r.Ticket ?></a><?cs if:r.Organisation ?><span class="second"><?cs var:r.Organisation ?></span><?cs /if ?><?cs else ?><span class="quiet">none</span><?cs /if ?></span></td>
<td role="cell" data-l="Linear"><span><?cs if:r.Issue ?><a class="mono" href="<?cs var:url_validate(r.IssueHref) ?>" rel="noreferrer"><?cs var:r.Issue ?></a><span class="second"><?cs var:r.Linear ?></span><?cs else ?><span class="quiet"><?cs var:r.Linear ?></span><?cs /if ?></span></td>
<td role="cell" data-l="Note"><span class="quiet"><?cs var:r.Note ?></span></td>
<td role="cell" data-l="When"><span><?cs call:time(r.When) ?><span class="second"><?cs var:r.By ?></span></span></td>
</tr>
<?cs /each ?></tbody></table></div>
<p class="tail"><span><?cs if:Older ?>The newest <?cs var:RowCount ?> are shown.<?cs else ?>All <?cs var:RowCount ?> shown.<?cs /if ?></span><?cs if:Older ?><a href="<?cs var:url_validate(Older) ?>">Older</a><?cs /if ?></p>
<?cs elif:Filtered ?><p class="empty">No investigation fits this filter. <a href="<?cs var:Page.Base ?>/investigations">Show all</a></p>
<?cs else ?><p class="empty">Nothing was investigated yet. Find a ticket, open one of the customer's sandboxes, and press Investigate.</p>
<?cs /if ?>
