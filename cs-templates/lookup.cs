<?cs # Ticket lookup. Reads Query, IsRecent, NoStore, IsNumber, NoSuchNumber, SearchFailed.*, TicketFailed.*,
Total, PageNo, Newer, Older, RowCount, Exact.N.* and Rows.N.* (view_ticket_row, view_recent_row). ?>
<?cs def:ticket_rows(rows) ?><?cs each:r = rows ?><tr role="row">
<td role="cell" class="id" data-l="Ticket"><a href="<?cs var:url_validate(r.Href) ?>">#<?cs var:r.Id ?></a></td>
<td role="cell" data-l="Subject"><span><b><?cs var:r.Subject ?></b><?cs if:r.Excerpt ?><span class="second excerpt"><?cs var:r.Excerpt ?></span><?cs /if ?></span></td>
<td role="cell" data-l="Requester"><span><?cs var:r.Requester ?><?cs if:r.Email ?><span class="second"><?cs var:r.Email ?></span><?cs /if ?></span></td>
<td role="cell" data-l="Organisation"><span><?cs if:r.Organisation ?><?cs var:r.Organisation ?><?cs else ?><span class="quiet">none</span><?cs /if ?></span></td>
<td role="cell" data-l="Status"><span class="nowrap"><?cs call:status_tile(r.Tile) ?> <?cs var:r.Status ?></span></td>
<td role="cell" data-l="Created"><span><?cs call:time(r.Created) ?><span class="second"><?cs var:r.Age ?></span></span></td>
<td role="cell" data-l="In Casebook"><span><?cs if:r.Verdict.Class ?><?cs call:verdict(r.Verdict.Class, r.Verdict.ClassWord) ?><span class="second"><?cs var:r.Verdict.By ?>, <?cs call:time(r.Verdict.When) ?></span><?cs elif:r.Verdict.State ?><span class="quiet"><?cs var:r.Verdict.State ?></span><?cs else ?><span class="quiet">not yet</span><?cs /if ?></span></td>
</tr>
<?cs /each ?><?cs /def ?>
<?cs def:ticket_table(rows, label) ?><div class="scroll"><table class="rows" role="table" aria-label="<?cs var:label ?>">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Ticket</th><th role="columnheader" scope="col">Subject</th><th role="columnheader" scope="col">Requester</th><th role="columnheader" scope="col">Organisation</th><th role="columnheader" scope="col">Status</th><th role="columnheader" scope="col">Created (UTC)</th><th role="columnheader" scope="col">In Casebook</th></tr></thead>
<tbody role="rowgroup"><?cs call:ticket_rows(rows) ?></tbody></table></div><?cs /def ?>
<h1 class="hidden">Find a ticket</h1>
<search><form class="lookup" action="<?cs var:Page.Base ?>/" method="get" role="search">
<label for="q">Ticket number, customer email, words, or a sandbox id</label>
<div class="fields"><input id="q" name="q" type="search" value="<?cs var:Query ?>" maxlength="200" autocomplete="off"><button class="pri">Find</button></div>
</form></search>
<?cs if:TicketFailed.Title ?><?cs call:failure(TicketFailed) ?><?cs /if ?>
<?cs if:SearchFailed.Title ?><?cs call:failure(SearchFailed) ?><?cs /if ?>
<?cs if:IsRecent ?>
<div class="count"><h2>Your recent tickets</h2></div>
<?cs if:NoStore ?><?cs call:message("warn", "Casebook's own database does not answer.") ?>Your recent tickets cannot be shown. Finding a ticket works.<?cs call:message_end() ?>
<?cs elif:RowCount ?><?cs call:ticket_table(Rows, "Your recent tickets") ?>
<?cs else ?><p class="quiet">None yet. Look up a ticket by its number, or by the customer's email.</p><?cs /if ?>
<?cs else ?>
<?cs if:NoSuchNumber ?><?cs call:message("quiet", "No ticket has this number.") ?>A number is looked up as a ticket first: #<?cs var:Query ?> does not exist, was deleted, or Casebook may not see it.<?cs call:message_end() ?><?cs /if ?>
<?cs if:Exact.0.Id ?><div class="count"><h2>Ticket #<?cs var:Exact.0.Id ?></h2></div><?cs call:ticket_table(Exact, "The ticket with this number") ?><?cs /if ?>
<?cs if:RowCount ?>
<div class="count"><h2><?cs if:IsNumber ?><?cs var:RowCount ?> other tickets contain this number<?cs elif:RowCount == "1" ?>1 ticket for &ldquo;<?cs var:Query ?>&rdquo;<?cs else ?><?cs var:RowCount ?> tickets for &ldquo;<?cs var:Query ?>&rdquo;<?cs /if ?></h2><span class="right">Zendesk's index can be a few minutes behind. A brand-new ticket is found by its number.</span></div>
<?cs call:ticket_table(Rows, "Tickets found") ?>
<p class="tail"><?cs if:Newer ?><a href="<?cs var:url_validate(Newer) ?>">Newer</a><?cs /if ?><?cs if:Older ?><a href="<?cs var:url_validate(Older) ?>">Older</a><?cs /if ?><span><?cs if:Newer || Older ?>Page <?cs var:PageNo ?>.<?cs else ?>All <?cs var:RowCount ?> shown.<?cs /if ?><?cs if:Total ?> Zendesk counts <?cs var:Total ?> matches in all.<?cs /if ?></span></p>
<?cs elif:Exact.0.Id || SearchFailed.Title ?>
<?cs else ?>
<div class="count"><h2>No ticket matches &ldquo;<?cs var:Query ?>&rdquo;.</h2></div>
<p>A number is looked up as a ticket first. Zendesk's index can be a few minutes behind. Words match whole words or their beginnings, never their middle.</p>
<?cs /if ?>
<?cs /if ?>
