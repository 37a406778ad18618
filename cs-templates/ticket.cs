<?cs # One ticket. Reads Ticket.*, TicketFailed.*, Window.*, Comments.N.*, CommentCount, InternalCount,
CommentsFailed.*, CommentsCut, History.N.* (view_inv_row, view_issue_state), HistoryFailed, HistoryMore. ?>
<div class="head"><h1><?cs var:Ticket.Subject ?></h1><span class="quiet"><?cs if:Ticket.Organisation ?><?cs var:Ticket.Organisation ?>, <?cs /if ?><?cs if:Ticket.Created.Iso ?>created <?cs call:time(Ticket.Created) ?> UTC<?cs /if ?></span></div>
<?cs if:TicketFailed.Title ?><?cs call:failure(TicketFailed) ?><?cs /if ?>
<?cs if:Ticket.IsClosed ?><?cs call:message("warn", "This ticket is closed.") ?>Zendesk takes no note on a closed ticket. A finding is still made and kept here.<?cs call:message_end() ?><?cs /if ?>
<?cs if:Ticket.IsSuspended ?><?cs call:message("quiet", "The requester is suspended in Zendesk.") ?>The conversation is shown as it is.<?cs call:message_end() ?><?cs /if ?>
<div class="ticket">
<div class="side">
<?cs if:Window.Action ?><section aria-labelledby="window">
<h2 id="window">When did it break?</h2>
<p class="second">The sandbox search and all charts use this window. <?cs call:help("window-words", "How it is proposed") ?></p>
<form action="<?cs var:url_validate(Window.Action) ?>" method="get">
<?cs if:Window.Error ?><p class="error" id="window-error" role="alert"><?cs var:Window.Error ?></p><?cs /if ?>
<div class="two"><div><label for="from">From (UTC)</label><input id="from" name="from" type="text" value="<?cs var:Window.From ?>" placeholder="2026-11-24 13:55" autocomplete="off"<?cs if:Window.Error ?> aria-invalid="true" aria-describedby="window-error"<?cs /if ?>></div>
<div><label for="to">To (UTC)</label><input id="to" name="to" type="text" value="<?cs var:Window.To ?>" placeholder="2026-11-24 14:10" autocomplete="off"<?cs if:Window.Error ?> aria-invalid="true" aria-describedby="window-error"<?cs /if ?>></div></div>
<?cs if:Window.Proposals.0.From.Iso ?><h3 class="label">Proposed from the ticket</h3>
<ul class="proposals"><?cs each:p = Window.Proposals ?><li<?cs if:p.IsChosen ?> class="chosen"<?cs /if ?>><a href="<?cs var:url_validate(p.Href) ?>"<?cs if:p.IsChosen ?> aria-current="true"<?cs /if ?>><?cs call:span(p) ?></a><span class="second"><?cs var:p.Reason ?></span></li><?cs /each ?></ul><?cs /if ?>
<div class="fields"><button class="pri">Find sandboxes</button><?cs if:Window.IsSet ?><a href="<?cs var:url_validate(Window.Self) ?>">Clear window</a><?cs /if ?></div>
<p class="second">Or click the time of a message.</p>
</form></section><?cs /if ?>
<section aria-labelledby="investigated">
<h2 id="investigated">Investigated for this ticket</h2>
<?cs if:HistoryFailed ?><?cs call:message("warn", "Casebook's own database does not answer.") ?>What was investigated before cannot be shown.<?cs call:message_end() ?>
<?cs elif:History.0.Id ?><ul class="history"><?cs each:h = History ?><li>
<div class="h-head"><?cs if:h.Class ?><?cs call:verdict(h.Class, h.ClassWord) ?><?cs else ?><b><?cs var:h.State ?></b><?cs /if ?> <a class="mono" href="<?cs var:url_validate(h.SandboxHref) ?>"><?cs var:h.SandboxShort ?></a></div>
<?cs if:h.Headline ?><div><a href="<?cs var:url_validate(h.Href) ?>"><?cs var:h.Headline ?></a></div><?cs /if ?><?cs if:h.Reason ?><div class="quiet">Reason: <?cs var:h.Reason ?></div><?cs /if ?>
<?cs if:h.Failure ?><div class="quiet"><?cs var:h.Failure ?></div><?cs /if ?>
<div><?cs if:h.Issue ?><a class="mono" href="<?cs var:url_validate(h.IssueHref) ?>" rel="noreferrer"><?cs var:h.Issue ?></a> <?cs if:h.IssueState ?><?cs call:linear_state(h.IssueStateType, h.IssueState) ?> <?cs /if ?><?cs /if ?><?cs var:h.Linear ?><?cs if:h.Linear && h.Note ?>. <?cs /if ?><?cs var:h.Note ?></div>
<div class="quiet"><?cs var:h.By ?>, <?cs call:time(h.When) ?> UTC</div>
</li><?cs /each ?></ul><?cs if:HistoryMore ?><p class="second">Only the newest are shown.</p><?cs /if ?>
<?cs else ?><p class="quiet">Nothing yet. Find the customer's sandboxes and investigate one.</p><?cs /if ?>
</section>
</div>
<section class="talk" aria-labelledby="talk">
<div class="count"><h2 id="talk">Conversation</h2><span class="quiet"><?cs if:CommentCount ?><?cs var:CommentCount ?> <?cs if:CommentCount == "1" ?>message<?cs else ?>messages<?cs /if ?>, oldest first.<?cs if:InternalCount ?> <?cs var:InternalCount ?> <?cs if:InternalCount == "1" ?>is an internal note<?cs else ?>are internal notes<?cs /if ?>.<?cs /if ?><?cs elif:CommentsFailed.Title || TicketFailed.Title ?>not read<?cs else ?>no message<?cs /if ?></span></div>
<?cs if:CommentsFailed.Title ?><?cs call:failure(CommentsFailed) ?><?cs /if ?>
<?cs if:CommentCount ?><ol>
<?cs each:c = Comments ?><li class="say<?cs if:c.Kind == "internal" ?> internal<?cs /if ?>"><article>
<div class="say-head"><b><?cs var:c.Author ?></b> <?cs if:c.Kind == "internal" ?><span class="kind"><?cs call:glyph_lock() ?> Internal note: the customer cannot see this</span><?cs else ?><span class="kind"><?cs var:c.Role ?>, public</span><?cs /if ?><?cs if:c.IsDeleted ?> <span class="kind">deleted user</span><?cs /if ?><?cs if:c.IsSuspended ?> <span class="kind">suspended</span><?cs /if ?>
<span class="say-time"><a href="<?cs var:url_validate(c.UseHref) ?>" title="Use the half hour around this time as the complaint window"><time datetime="<?cs var:c.At.Iso ?>"><?cs var:c.At.Text ?></time></a><?cs if:c.Later ?> <span class="quiet"><?cs var:c.Later ?></span><?cs /if ?></span></div>
<?cs if:c.IsFlagged ?><p class="kind">Zendesk doubts who sent this.</p><?cs /if ?><?cs if:c.IsVoice ?><p class="kind">A phone call.</p><?cs /if ?>
<?cs if:c.Lead ?><div class="body"><?cs var:c.Lead ?></div><details><summary>Whole note</summary><?cs /if ?><div class="body"><?cs each:r = c.Runs ?><?cs if:r.Kind == "phrase" ?><span class="phrase"><?cs var:r.Text ?><sup class="m"><?cs var:r.Mark ?></sup></span><?cs elif:r.Kind == "time" ?><span class="when"><?cs var:r.Text ?><sup class="m"><?cs var:r.Mark ?></sup></span><?cs elif:r.Kind == "sandbox" ?><a class="mono" href="<?cs var:url_validate(r.Href) ?>"><?cs var:r.Text ?></a><sup class="m"><?cs var:r.Mark ?></sup><?cs else ?><?cs var:r.Text ?><?cs /if ?><?cs /each ?></div><?cs if:c.Lead ?></details><?cs /if ?>
<?cs if:c.Attachments.0.Name ?><p class="second">Attached: <?cs each:f = c.Attachments ?><?cs var:f.Name ?><?cs if:!last(f) ?>, <?cs /if ?><?cs /each ?></p><?cs /if ?>
</article>
<?cs if:c.Notes.0.Mark ?><div class="notes" role="note" aria-label="What this message proves">
<?cs each:n = c.Notes ?><p<?cs if:n.IsTime ?> class="n-time"<?cs /if ?>><i><?cs var:n.Mark ?></i><span><?cs if:n.Proves ?><b>Proves</b> <?cs var:n.Proves ?> <b>Does not prove</b> <?cs var:n.NotProves ?><?cs else ?><?cs var:n.Text ?> <a href="<?cs var:url_validate(n.Href) ?>"><?cs if:n.IsTime ?>Use <?cs call:span(n) ?><?cs else ?><?cs var:n.HrefText ?><?cs /if ?></a><?cs /if ?></span></p>
<?cs /each ?></div><?cs /if ?>
</li>
<?cs /each ?>
</ol><?cs /if ?>
<?cs if:CommentsCut ?><p class="quiet">There are more messages in Zendesk than are shown here.</p><?cs /if ?>
</section>
</div>
