<?cs # The sandbox search. Reads Form.*, Chips.N.*, NoValue, Failed.*, LedgerFailed, Rows.N.*
(view_search_row), RowCount, OverCount, ListedCount, KeptCount, FirstRow, LastRow, AllShown, Newer, Older,
Axis.*, IsEmpty, Tried.N.Key, Next.N.{Text,Href}, RetainDays, WatchedSince, WatchedLast. ?>
<?cs def:minibar(r) ?><svg class="mini" viewBox="0 0 1000 18" width="100%" height="18" preserveAspectRatio="none" aria-hidden="true"><rect x="0" y="8.5" width="1000" height="1" class="mini-base"/><rect x="<?cs var:Axis.WinX ?>" y="0" width="<?cs var:Axis.WinW ?>" height="18" class="mini-win"/><?cs each:b = r.Bars ?><?cs if:b.Kind == "running" ?><rect x="<?cs var:b.X ?>" y="5" width="<?cs var:b.W ?>" height="8" class="mini-run"/><?cs elif:b.Kind == "silent" ?><rect x="<?cs var:b.X ?>" y="6" width="<?cs var:b.W ?>" height="6" class="mini-silent"/><?cs else ?><rect x="<?cs var:b.X ?>" y="8" width="<?cs var:b.W ?>" height="2" class="mini-paused"/><?cs /if ?><?cs /each ?><?cs if:r.Outside == "before" ?><path d="M22 3 4 9l18 6" class="mini-out"/><?cs elif:r.Outside == "after" ?><path d="M978 3l18 6-18 6" class="mini-out"/><?cs /if ?></svg><?cs /def ?>
<search><form class="sbx-form" action="<?cs var:url_validate(Form.Action) ?>" method="get" role="search">
<div class="fields">
<div class="f-value"><label for="value">Customer identifier (a tag value)</label><input id="value" name="value" type="text" value="<?cs var:Form.Value ?>" maxlength="500" autocomplete="off"></div>
<div><label for="key">Tag</label><select id="key" name="key"><option value="">all: <?cs var:Form.AllKeys ?></option><?cs each:k = Form.Keys ?><option<?cs if:k.Name == Form.Key ?> selected<?cs /if ?>><?cs var:k.Name ?></option><?cs /each ?></select></div>
<div><label for="state">State</label><select id="state" name="state"><option value="">any</option><option<?cs if:Form.State == "running" ?> selected<?cs /if ?>>running</option><option<?cs if:Form.State == "paused" ?> selected<?cs /if ?>>paused</option><option<?cs if:Form.State == "ended" ?> selected<?cs /if ?>>ended</option></select></div>
<div><label for="started_from">Started from (UTC)</label><input id="started_from" name="started_from" type="text" value="<?cs var:Form.StartedFrom ?>" placeholder="any time" autocomplete="off"></div>
<div><label for="started_to">to</label><input id="started_to" name="started_to" type="text" value="<?cs var:Form.StartedTo ?>" placeholder="any time" autocomplete="off"></div>
<?cs if:Form.From ?><input type="hidden" name="from" value="<?cs var:Form.From ?>"><input type="hidden" name="to" value="<?cs var:Form.To ?>"><?cs /if ?>
<button class="pri">Search</button>
</div>
<?cs if:Form.FilterError ?><p class="error" role="alert">A filter was not taken: <?cs var:Form.FilterError ?></p><?cs /if ?>
<?cs if:Form.WindowError ?><p class="error" role="alert">The complaint window was not taken: <?cs var:Form.WindowError ?></p><?cs /if ?>
<?cs if:Chips.0.Text ?><p class="chips">From the ticket: <?cs each:c = Chips ?><a class="chip" href="<?cs var:url_validate(c.Href) ?>"<?cs if:c.IsChosen ?> aria-current="true"<?cs /if ?>><?cs var:c.Text ?></a><?cs /each ?></p><?cs /if ?>
</form></search>
<?cs if:NoValue ?>
<div class="count"><h1>Find a customer's sandboxes</h1></div>
<p>Give the value that the customer's sandboxes carry in one of their tags (<?cs var:Form.AllKeys ?>): an email address, a customer number, an organisation. A sandbox id opens that sandbox.</p>
<?cs else ?>
<?cs if:RowCount || IsEmpty ?><?cs else ?><h1 class="hidden">Sandboxes</h1><?cs /if ?>
<?cs if:Failed.Title ?><?cs call:failure(Failed) ?><?cs /if ?>
<?cs if:LedgerFailed ?><?cs call:message("warn", "Casebook's own record could not be read.") ?><?cs if:RowCount ?>Ended sandboxes are missing below; running and paused ones are complete.<?cs else ?>E2B lists no running or paused sandbox with this value. Whether there are ended ones cannot be told just now.<?cs /if ?><?cs call:message_end() ?><?cs /if ?>
<?cs if:IsEmpty ?>
<div class="empty">
<h1>No sandbox found for this customer in the retained window</h1>
<p>Searched for <mark><?cs var:Form.Value ?></mark>. Both places answered; this is an empty result, not an error.</p>
<?cs if:Next.0.Text ?><h2>Try next</h2><ul class="next"><?cs each:n = Next ?><li><a href="<?cs var:url_validate(n.Href) ?>"><?cs var:n.Text ?></a></li><?cs /each ?></ul><?cs else ?><h2>Try next</h2><p>Ask the customer, or your developers, which value their sandboxes carry; or search by another tag above.</p><?cs /if ?>
<h2>What was searched</h2><p>E2B's list of running and paused sandboxes, and Casebook's record of ended ones, each for the exact value <code><?cs var:Form.Value ?></code> in the <?cs if:subcount(Tried) == #1 ?>tag<?cs else ?>tags<?cs /if ?> <?cs each:t = Tried ?><code><?cs var:t.Key ?></code><?cs if:!last(t) ?>, <?cs /if ?><?cs /each ?><?cs if:Form.State ?>, in the state <?cs var:Form.State ?> only<?cs /if ?><?cs if:Form.StartedFrom ?>, started from <?cs var:Form.StartedFrom ?><?cs /if ?><?cs if:Form.StartedTo ?>, started until <?cs var:Form.StartedTo ?><?cs /if ?>. Capitals count.</p>
<h2>The retained window</h2><p><?cs if:WatchedSince ?>Casebook has watched every sandbox since <?cs var:WatchedSince ?> UTC (last look <?cs var:WatchedLast ?>) and keeps an ended one for <?cs var:RetainDays ?> days.<?cs else ?>Casebook has not recorded any sandbox yet, so ended ones cannot be found.<?cs /if ?> E2B itself lists only running and paused ones.</p>
<h2>Perhaps none was ever started</h2><p>A refused start (a full plan, a timeout that is too long, a wrong key) leaves no sandbox behind. The ticket's error text may say so.</p>
</div>
<?cs elif:RowCount ?>
<div class="count"><h1><?cs var:RowCount ?> <?cs if:RowCount == "1" ?>sandbox<?cs else ?>sandboxes<?cs /if ?><?cs if:Axis.IsSet ?>, <span class="over"><?cs var:OverCount ?> <?cs if:OverCount == "1" ?>overlaps<?cs else ?>overlap<?cs /if ?> the complaint window</span><?cs /if ?></h1><span class="right"><?cs var:ListedCount ?> from E2B's list now, <?cs var:KeptCount ?> from Casebook's own record of ended ones</span></div>
<div class="scroll"><table class="rows sbx" role="table" aria-label="Sandboxes of this customer">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Sandbox</th><th role="columnheader" scope="col">State</th><th role="columnheader" scope="col">Template</th><th role="columnheader" scope="col" aria-sort="descending">Started (UTC) &darr;</th><th role="columnheader" scope="col">Ran for</th><?cs if:Axis.IsSet ?><th role="columnheader" scope="col">Against the window<span class="second"><?cs var:Axis.From ?> to <?cs var:Axis.To ?></span></th><?cs /if ?><th role="columnheader" scope="col">Matched on</th><th role="columnheader" scope="col">Finding</th></tr></thead>
<tbody role="rowgroup">
<?cs each:r = Rows ?><tr role="row"<?cs if:r.Overlap ?> class="over"<?cs /if ?>>
<td role="cell" class="id" data-l="Sandbox"><a href="<?cs var:url_validate(r.Href) ?>"><?cs var:r.Id ?></a></td>
<td role="cell" data-l="State"><span><?cs call:state(r.State.Kind, r.State.Word) ?><?cs if:r.Source ?><span class="second"><?cs var:r.Source ?></span><?cs /if ?></span></td>
<td role="cell" data-l="Template"><span><?cs if:r.Template ?><?cs var:r.Template ?><span class="second mono"><?cs var:r.TemplateId ?></span><?cs else ?><span class="mono"><?cs var:r.TemplateId ?></span><?cs /if ?></span></td>
<td role="cell" data-l="Started"><span class="mono"><?cs if:r.Started.Iso ?><?cs call:time(r.Started) ?><span class="second"><?cs var:r.StartedDay ?></span><?cs else ?>not known<?cs /if ?></span></td>
<td role="cell" data-l="Ran for"><span><?cs var:r.RanFor ?><?cs if:r.Second ?><span class="second"><?cs var:r.Second ?></span><?cs /if ?></span></td>
<?cs if:Axis.IsSet ?><td role="cell" class="bar-cell" data-l="Window"><span><?cs call:minibar(r) ?><span class="against second"><?cs if:r.Overlap ?><span class="hidden">ran during the complaint window: </span><?cs /if ?><?cs var:r.Against ?></span></span></td><?cs /if ?>
<td role="cell" data-l="Matched on"><span><?cs var:r.Matched ?></span></td>
<td role="cell" data-l="Finding"><span><?cs if:r.Verdict.Class ?><?cs call:verdict(r.Verdict.Class, r.Verdict.ClassWord) ?><span class="second"><?cs var:r.Verdict.By ?>, <?cs call:time(r.Verdict.When) ?></span><?cs elif:r.Verdict.State ?><span class="quiet"><?cs var:r.Verdict.State ?></span><?cs else ?><span class="quiet">not yet</span><?cs /if ?></span></td>
</tr>
<?cs /each ?></tbody></table></div>
<p class="tail"><span><?cs if:AllShown ?>All <?cs var:RowCount ?> shown.<?cs else ?>Showing <?cs var:FirstRow ?> &ndash; <?cs var:LastRow ?> of <?cs var:RowCount ?>.<?cs /if ?> One row per sandbox, however often it was paused.</span><?cs if:Newer ?><a href="<?cs var:url_validate(Newer) ?>">Newer</a><?cs /if ?><?cs if:Older ?><a href="<?cs var:url_validate(Older) ?>">Older</a><?cs /if ?><?cs if:Axis.IsSet ?><span class="legend"><svg width="22" height="8" aria-hidden="true"><rect width="22" height="8" class="mini-run"/></svg> running <svg width="22" height="8" aria-hidden="true"><path d="M0 4h22" class="mini-dots"/></svg> paused <svg width="22" height="8" aria-hidden="true"><rect x=".5" y=".5" width="21" height="7" class="mini-silent"/></svg> silent</span><?cs /if ?></p>
<?cs /if ?>
<?cs /if ?>
