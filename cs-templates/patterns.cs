<?cs # The same failure again. Reads Spans.N.{Days,Href,IsChosen}, NoStore, Days, Total, Width, From, To,
Charts.N.{Class,Word,Href,Total,Sentence,Bars.N.{X,Y,W,H,Text}}, Numbers.N.{Day,Total,Cells.N.Count}, Patterns.N.*,
PatternCount, PatternsCut, LiveFailed (view_patterns). ?>
<div class="head"><h1>Patterns</h1><span class="quiet">the same failure across customers and templates</span><a class="right" href="<?cs var:Page.Base ?>/investigations">All investigations</a></div>
<p class="chips">Found in the last <?cs each:s = Spans ?><a class="chip" href="<?cs var:url_validate(s.Href) ?>"<?cs if:s.IsChosen ?> aria-current="true"<?cs /if ?>><?cs var:s.Days ?> days</a><?cs /each ?> <?cs call:help("patterns", "How this is counted") ?></p>
<?cs if:NoStore ?><?cs call:message("bad", "Casebook's own database does not answer.") ?>The patterns cannot be shown. Nothing is lost.<?cs call:message_end() ?>
<?cs elif:Total ?>
<section class="sec" aria-labelledby="by-day"><div class="margin"><h2 id="by-day">By day</h2>findings a day by class, days of UTC; one scale</div><div>
<div class="days"><?cs each:c = Charts ?><div class="day-row"><a class="day-word" href="<?cs var:url_validate(c.Href) ?>"><?cs call:verdict(c.Class, c.Word) ?></a><b class="day-total"><?cs var:c.Total ?></b>
<svg class="day-plot bar-<?cs var:c.Class ?>" viewBox="0 0 <?cs var:Width ?> 40" width="100%" height="40" preserveAspectRatio="none" role="img" aria-label="<?cs var:c.Word ?>: <?cs var:c.Total ?> in <?cs var:Days ?> days, <?cs var:c.Sentence ?>"><rect class="day-base" x="0" y="39" width="<?cs var:Width ?>" height="1"/><?cs each:b = c.Bars ?><rect x="<?cs var:b.X ?>" y="<?cs var:b.Y ?>" width="<?cs var:b.W ?>" height="<?cs var:b.H ?>"><title><?cs var:b.Text ?></title></rect><?cs /each ?></svg><span class="second"><?cs var:c.Sentence ?></span></div>
<?cs /each ?><div class="day-row day-ends" aria-hidden="true"><span><?cs var:From ?></span><span><?cs var:To ?></span></div></div>
<details><summary>Numbers</summary><div class="scroll" tabindex="0" role="region" aria-label="Numbers by day"><table class="numbers-day"><thead><tr><th scope="col">Day (UTC)</th><?cs each:c = Charts ?><th scope="col" class="num"><?cs var:c.Word ?></th><?cs /each ?><th scope="col" class="num">All</th></tr></thead><tbody><?cs each:n = Numbers ?><tr><td><?cs var:n.Day ?></td><?cs each:c = n.Cells ?><td class="num"><?cs var:c.Count ?></td><?cs /each ?><td class="num"><?cs var:n.Total ?></td></tr>
<?cs /each ?></tbody></table></div></details></div></section>
<section class="sec wide" aria-labelledby="same"><div class="margin"><h2 id="same">Same failure</h2>two findings or more, most first</div><div>
<?cs if:LiveFailed ?><?cs call:message("warn", "The states of the issues are not shown.") ?><?cs var:LiveFailed ?><?cs call:message_end() ?><?cs /if ?>
<?cs if:PatternCount ?><div class="scroll"><table class="rows" role="table" aria-label="Failures found more than once">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Failure</th><th role="columnheader" scope="col">Finding</th><th role="columnheader" scope="col" aria-sort="descending">Found &darr;</th><th role="columnheader" scope="col">Where</th><th role="columnheader" scope="col">First seen (UTC)</th><th role="columnheader" scope="col">Last seen (UTC)</th><th role="columnheader" scope="col">Linear</th></tr></thead>
<tbody role="rowgroup">
<?cs each:p = Patterns ?><tr role="row">
<td role="cell" data-l="Failure"><span class="pair"><a href="<?cs var:url_validate(p.ListHref) ?>"><?cs var:p.Headline ?></a><details class="second"><summary>Signature</summary><span class="sig"><?cs var:p.Signature ?></span></details></span></td>
<td role="cell" data-l="Finding"><span><?cs call:verdict(p.Class, p.ClassWord) ?></span></td>
<td role="cell" data-l="Found"><span><b><?cs var:p.Findings ?></b><span class="second"><?cs var:p.Sandboxes ?></span></span></td>
<td role="cell" data-l="Where"><span><?cs if:p.Customers ?><?cs var:p.Customers ?><?cs else ?><span class="quiet">no customer known</span><?cs /if ?><span class="second"><?cs var:p.Templates ?></span></span></td>
<td role="cell" data-l="First seen"><span class="mono"><?cs call:time(p.First) ?><span class="second"><?cs var:p.FirstAgo ?></span></span></td>
<td role="cell" data-l="Last seen"><span class="mono"><?cs call:time(p.Last) ?><span class="second"><?cs var:p.LastAgo ?></span></span></td>
<td role="cell" data-l="Linear"><span><?cs if:p.Issue ?><a class="mono" href="<?cs var:url_validate(p.IssueHref) ?>" rel="noreferrer"><?cs var:p.Issue ?></a><span class="second"><?cs if:p.StateWord ?><?cs call:linear_state(p.StateType, p.StateWord) ?><?cs else ?><?cs var:p.Linear ?><?cs /if ?></span><?cs else ?><span class="quiet"><?cs var:p.Linear ?></span><?cs /if ?></span></td>
</tr>
<?cs /each ?></tbody></table></div>
<p class="tail"><?cs if:PatternsCut ?>The <?cs var:PatternCount ?> most frequent are shown.<?cs else ?>All <?cs var:PatternCount ?> shown.<?cs /if ?></p>
<?cs else ?><p class="quiet">No failure was found twice in these <?cs var:Days ?> days.</p><?cs /if ?>
</div></section>
<?cs else ?><p class="empty">Nothing was found in the last <?cs var:Days ?> days.</p>
<?cs /if ?>
