<?cs # The sandbox search. Reads Form.*, Chips.N.*, WindowChips.N.*, NoValue, Failed.*, LedgerFailed, Warn.N.*, Rows.N.*
(view_search_row), HasRows, RowCount, AllCount, OverCount, ListedCount, KeptCount, FirstRow, LastRow, IsOne, OverIsOne,
OverIsRough, IsNarrowed, IsPartial, AllShown (view_search_counts), Newest, Newer, Older, Oldest, PageNumber, PageCount, ClearHref,
Axis.*, IsEmpty, Tried.N.*, TriedGuesses (view_search_tried), Next.N.{Text,Href}, RetainDays, WatchedSince, WatchedLast. ?>
<?cs # What was asked: one line for each tag and spelling, with what both places answered. ?>
<?cs def:tried() ?><?cs if:Tried.0.Key ?><table class="searched"><thead><tr><th scope="col">Tag</th><th scope="col">Value</th><th scope="col">E2B's list<span class="second">running and paused</span></th><th scope="col">Casebook's record<span class="second">ended ones too</span></th></tr></thead><tbody><?cs each:t = Tried ?><tr><td><code><?cs var:t.Key ?></code></td><td><code><?cs var:t.Value ?></code><?cs if:t.IsVariant ?> (another spelling)<?cs /if ?></td><td><?cs var:t.Listed ?></td><td><?cs var:t.Kept ?></td></tr><?cs /each ?></tbody></table><?cs /if ?><?cs if:TriedGuesses ?><p class="second">Other spellings, in both places none: <code><?cs var:TriedGuesses ?></code></p><?cs /if ?><?cs /def ?>
<?cs def:only() ?><?cs if:Form.State ?>, in the state <?cs var:Form.State ?> only<?cs /if ?><?cs if:Form.Template ?>, of the template <?cs var:Form.Template ?><?cs /if ?><?cs if:Form.StartedFrom ?>, started from <?cs var:Form.StartedFrom ?><?cs /if ?><?cs if:Form.StartedTo ?>, started until <?cs var:Form.StartedTo ?><?cs /if ?><?cs if:Form.OnlyOverlap ?>, overlapping the complaint window<?cs /if ?><?cs /def ?>
<?cs def:minibar(r) ?><svg class="mini" viewBox="0 0 1000 18" width="100%" height="18" preserveAspectRatio="none" aria-hidden="true"><rect x="0" y="8.5" width="1000" height="1" class="mini-base"/><rect x="<?cs var:Axis.WinX ?>" y="0" width="<?cs var:Axis.WinW ?>" height="18" class="mini-win"/><?cs each:b = r.Bars ?><?cs if:b.Kind == "running" ?><rect x="<?cs var:b.X ?>" y="5" width="<?cs var:b.W ?>" height="8" class="mini-run"/><?cs elif:b.Kind == "silent" ?><rect x="<?cs var:b.X ?>" y="6" width="<?cs var:b.W ?>" height="6" class="mini-silent"/><?cs else ?><rect x="<?cs var:b.X ?>" y="8" width="<?cs var:b.W ?>" height="2" class="mini-paused"/><?cs /if ?><?cs /each ?><?cs if:r.Outside == "before" ?><path d="M22 3 4 9l18 6" class="mini-out"/><?cs elif:r.Outside == "after" ?><path d="M978 3l18 6-18 6" class="mini-out"/><?cs /if ?></svg><?cs /def ?>
<search><form class="sbx-form" action="<?cs var:url_validate(Form.Action) ?>" method="get" role="search">
<div class="fields">
<div class="f-value"><label for="value">Customer identifier (a tag value)</label><input id="value" name="value" type="text" value="<?cs var:Form.Value ?>" maxlength="500" autocomplete="off"></div>
<div><label for="key">Tag</label><select id="key" name="key"><option value="">all: <?cs var:Form.AllKeys ?></option><?cs each:k = Form.Keys ?><option<?cs if:k.Name == Form.Key ?> selected<?cs /if ?>><?cs var:k.Name ?></option><?cs /each ?></select></div>
<div><label for="state">State</label><select id="state" name="state"><option value="">any</option><option<?cs if:Form.State == "running" ?> selected<?cs /if ?>>running</option><option<?cs if:Form.State == "paused" ?> selected<?cs /if ?>>paused</option><option<?cs if:Form.State == "ended" ?> selected<?cs /if ?>>ended</option></select></div>
<div><label for="template">Template</label><input id="template" name="template" type="text" size="8" value="<?cs var:Form.Template ?>" placeholder="id or name" maxlength="300" autocomplete="off"></div>
<div><label for="started_from">Started from (UTC)</label><input id="started_from" name="started_from" type="text" value="<?cs var:Form.StartedFrom ?>" placeholder="any time" autocomplete="off"></div>
<div><label for="started_to">to</label><input id="started_to" name="started_to" type="text" value="<?cs var:Form.StartedTo ?>" placeholder="any time" autocomplete="off"></div>
<?cs if:Form.From ?><input type="hidden" name="from" value="<?cs var:Form.From ?>"><input type="hidden" name="to" value="<?cs var:Form.To ?>"><?cs /if ?>
<?cs if:Form.OnlyOverlap ?><input type="hidden" name="overlap" value="1"><?cs /if ?>
<button class="pri">Search</button>
</div>
<?cs if:Form.FilterError ?><p class="error" role="alert">A filter was not taken: <?cs var:Form.FilterError ?></p><?cs /if ?>
<?cs if:Form.WindowError ?><p class="error" role="alert">The complaint window was not taken: <?cs var:Form.WindowError ?></p><?cs /if ?>
<?cs if:Chips.0.Text ?><p class="chips">From the ticket: <?cs each:c = Chips ?><a class="chip" href="<?cs var:url_validate(c.Href) ?>"<?cs if:c.IsChosen ?> aria-current="true"<?cs /if ?>><?cs var:c.Text ?></a><?cs /each ?></p><?cs /if ?>
<?cs if:WindowChips.0.Text ?><p class="chips">Complaint window: <?cs each:c = WindowChips ?><a class="chip" href="<?cs var:url_validate(c.Href) ?>"<?cs if:c.IsChosen ?> aria-current="true"<?cs /if ?>><?cs var:c.Text ?></a><?cs /each ?></p><?cs /if ?>
</form></search>
<?cs if:NoValue ?>
<div class="count"><h1>Find a customer's sandboxes</h1></div>
<p>Give the value that the customer's sandboxes carry in one of their tags (<?cs var:Form.AllKeys ?>): an email address, a customer number, an organisation. A sandbox id opens that sandbox.</p>
<?cs else ?>
<?cs if:HasRows || IsEmpty ?><?cs else ?><h1 class="hidden">Sandboxes</h1><?cs /if ?>
<?cs if:Failed.Title ?><?cs call:failure(Failed) ?><?cs /if ?>
<?cs if:LedgerFailed ?><?cs call:message("warn", "Casebook's own record could not be read.") ?><?cs if:HasRows ?>Ended sandboxes are missing below; what E2B lists now is there.<?cs else ?>E2B lists no running or paused sandbox with this value. Whether there are ended ones cannot be told just now.<?cs /if ?><?cs call:message_end() ?><?cs /if ?>
<?cs each:w = Warn ?><?cs call:message(w.Tone, w.Title) ?><?cs var:w.Text ?><?cs call:message_end() ?><?cs /each ?>
<?cs if:IsEmpty ?>
<div class="empty">
<h1><?cs if:IsPartial ?>No sandbox found in what was read so far<?cs else ?>No sandbox found for this customer in the retained window<?cs /if ?></h1>
<?cs if:IsNarrowed ?><p>Searched for <mark><?cs var:Form.Value ?></mark><?cs call:only() ?>. Without these filters there <?cs if:AllCount == "1" ?>is 1 sandbox<?cs else ?>are <?cs var:AllCount ?> sandboxes<?cs /if ?> of this customer. <a href="<?cs var:url_validate(ClearHref) ?>">Show <?cs if:AllCount == "1" ?>it<?cs else ?>all <?cs var:AllCount ?><?cs /if ?></a></p>
<?cs else ?><p>Searched for <mark><?cs var:Form.Value ?></mark>. <?cs if:IsPartial ?>Not all of it could be read: see above.<?cs else ?>Both places answered; this is an empty result, not an error.<?cs /if ?></p>
<?cs /if ?>
<h2>Try next</h2><?cs if:Next.0.Text ?><ul class="next"><?cs each:n = Next ?><li><a href="<?cs var:url_validate(n.Href) ?>"><?cs var:n.Text ?></a></li><?cs /each ?></ul><?cs else ?><p>Ask the customer, or your developers, which value their sandboxes carry; or search by another tag above.</p><?cs /if ?>
<h2>What was searched</h2><p>E2B's list of running and paused sandboxes, and Casebook's record of ended ones, for <code><?cs var:Form.Value ?></code> in the <?cs if:Form.OneTag ?>tag<?cs else ?>tags<?cs /if ?> <?cs var:Form.Tags ?><?cs call:only() ?>. Spellings that differ only in capitals or in blanks around them count, too.</p>
<?cs call:tried() ?>
<h2>The retained window</h2><p><?cs if:WatchedSince ?>Casebook has watched every sandbox since <?cs var:WatchedSince ?> UTC (last look <?cs var:WatchedLast ?>) and keeps an ended one for <?cs var:RetainDays ?> days.<?cs else ?>Casebook has not recorded any sandbox yet, so ended ones cannot be found.<?cs /if ?> E2B itself lists only running and paused ones.</p>
<h2>Perhaps none was ever started</h2><p>If the error in the ticket says &ldquo;maximum number of concurrent E2B sandboxes&rdquo; or &ldquo;Timeout cannot be greater than&rdquo;, E2B refused to start one and there is nothing to find. A wrong key leaves none behind either.</p>
</div>
<?cs elif:HasRows ?>
<div class="count"><h1><?cs if:IsPartial ?>at least <?cs /if ?><?cs var:RowCount ?><?cs if:IsNarrowed ?> of <?cs var:AllCount ?> sandboxes<?cs elif:IsOne ?> sandbox<?cs else ?> sandboxes<?cs /if ?><?cs if:Axis.IsSet ?>, <span class="over"><?cs if:OverIsRough ?>up to <?cs /if ?><?cs var:OverCount ?> <?cs if:OverIsOne ?>overlaps<?cs else ?>overlap<?cs /if ?> the complaint window</span><?cs /if ?></h1><span class="right"><?cs var:ListedCount ?> from E2B's list now, <?cs var:KeptCount ?> from Casebook's own record<?cs if:IsNarrowed ?>. <a href="<?cs var:url_validate(ClearHref) ?>">Show all <?cs var:AllCount ?></a><?cs /if ?></span></div>
<div class="scroll"><table class="rows sbx" role="table" aria-label="Sandboxes of this customer">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Sandbox</th><th role="columnheader" scope="col">State</th><th role="columnheader" scope="col">Template</th><th role="columnheader" scope="col" aria-sort="descending">Started (UTC) &darr;</th><th role="columnheader" scope="col">Ran for</th><?cs if:Axis.IsSet ?><th role="columnheader" scope="col">Against the window<span class="second"><?cs call:time(Axis.From) ?> to <?cs call:time(Axis.To) ?></span></th><?cs /if ?><th role="columnheader" scope="col">Matched on</th><th role="columnheader" scope="col">Finding</th></tr></thead>
<tbody role="rowgroup">
<?cs each:r = Rows ?><tr role="row"<?cs if:r.Overlap ?> class="over"<?cs /if ?>>
<td role="cell" class="id" data-l="Sandbox"><a href="<?cs var:url_validate(r.Href) ?>"><?cs var:r.Id ?></a></td>
<td role="cell" data-l="State"><span><?cs call:state(r.State.Kind, r.State.Word) ?><span class="second"><?cs var:r.Source ?></span></span></td>
<td role="cell" data-l="Template"><span><?cs if:r.Template ?><?cs var:r.Template ?><span class="second mono"><?cs var:r.TemplateId ?></span><?cs elif:r.TemplateId ?><span class="mono"><?cs var:r.TemplateId ?></span><?cs else ?>not known<?cs /if ?></span></td>
<td role="cell" data-l="Started"><span class="mono"><?cs if:r.Started.Iso ?><?cs call:time(r.Started) ?><span class="second"><?cs var:r.StartedDay ?></span><?cs else ?>not known<?cs /if ?></span></td>
<td role="cell" data-l="Ran for"><span><?cs var:r.RanFor ?><?cs if:r.Second ?><span class="second"><?cs var:r.Second ?></span><?cs /if ?></span></td>
<?cs if:Axis.IsSet ?><td role="cell" class="bar-cell" data-l="Window"><span><?cs call:minibar(r) ?><span class="against second"><?cs if:r.Overlap ?><span class="hidden"><?cs var:r.OverlapWord ?>: </span><?cs /if ?><?cs var:r.Against ?></span></span></td><?cs /if ?>
<td role="cell" data-l="Matched on"><span><?cs var:r.Matched ?><?cs if:r.Fork ?><span class="second">a fork, or older than E2B keeps: its first event is a resume</span><?cs /if ?></span></td>
<td role="cell" data-l="Finding"><span><?cs if:r.Verdict.Class ?><?cs call:verdict(r.Verdict.Class, r.Verdict.ClassWord) ?><span class="second"><?cs var:r.Verdict.By ?>, <?cs call:time(r.Verdict.When) ?></span><?cs elif:r.Verdict.State ?><span class="quiet"><?cs var:r.Verdict.State ?></span><?cs else ?><span class="quiet">not yet</span><?cs /if ?></span></td>
</tr>
<?cs /each ?></tbody></table></div>
<p class="tail"><span><?cs if:AllShown ?>All <?cs var:RowCount ?> shown.<?cs else ?>Showing <?cs var:FirstRow ?> &ndash; <?cs var:LastRow ?> of <?cs var:RowCount ?>, page <?cs var:PageNumber ?> of <?cs var:PageCount ?>.<?cs /if ?> One row per sandbox, however often it was paused.</span><?cs if:Newer ?><a class="chip" href="<?cs var:url_validate(Newest) ?>">Newest</a><a class="chip" href="<?cs var:url_validate(Newer) ?>">Newer</a><?cs /if ?><?cs if:Older ?><a class="chip" href="<?cs var:url_validate(Older) ?>">Older</a><a class="chip" href="<?cs var:url_validate(Oldest) ?>">Oldest</a><?cs /if ?><?cs if:Axis.IsSet ?><span class="legend"><svg width="22" height="8" aria-hidden="true"><rect width="22" height="8" class="mini-run"/></svg> running <svg width="22" height="8" aria-hidden="true"><path d="M0 4h22" class="mini-dots"/></svg> paused <svg width="22" height="8" aria-hidden="true"><rect x=".5" y=".5" width="21" height="7" class="mini-silent"/></svg> silent</span><?cs /if ?> <?cs call:help("states", "What the states mean") ?></p>
<details class="quiet"><summary>What was searched</summary><p>E2B's list of running and paused sandboxes, and Casebook's record of ended ones. Spellings that differ only in capitals or in blanks around them count, too.</p>
<?cs call:tried() ?></details>
<?cs /if ?>
<?cs /if ?>
