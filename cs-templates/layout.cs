<?cs # The frame of every page: bar, ticket strip, foot.
Reads Page.* (src/web/tpl.h), Page.Search (what stands in the bar's field),
Page.Script.* (names of script files for this page), Page.Refresh (seconds, where no script runs);
Strip.Ticket .Status .Tile .Subject .Requester .Organisation .Window .WindowHref .Zendesk .Tab
.TicketHref .SandboxesHref .SandboxCount .InvestigatedHref .InvestigatedCount .Sandbox .SandboxHref
.Failed (why the ticket could not be read). ?><!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title><?cs var:Page.Title ?> - Casebook</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="<?cs var:Page.Base ?>/static/mark.svg?v=<?cs var:Page.StaticVersion ?>">
<link rel="stylesheet" href="<?cs var:Page.Base ?>/static/casebook.css?v=<?cs var:Page.StaticVersion ?>">
<?cs if:Page.Refresh ?><noscript><meta http-equiv="refresh" content="<?cs var:Page.Refresh ?>"></noscript>
<?cs /if ?><?cs each:script = Page.Script ?><script defer src="<?cs var:Page.Base ?>/static/<?cs var:script ?>?v=<?cs var:Page.StaticVersion ?>"></script>
<?cs /each ?></head>
<body>
<header class="bar">
<a class="skip" href="#main">Skip to the content</a>
<a class="brand" href="<?cs var:Page.Base ?>/"><?cs call:glyph_mark() ?><span>Casebook</span></a>
<nav aria-label="Casebook">
<a href="<?cs var:Page.Base ?>/"<?cs if:Page.Nav == "tickets" ?> aria-current="page"<?cs /if ?>>Tickets</a>
<a href="<?cs var:Page.Base ?>/sandboxes"<?cs if:Page.Nav == "sandboxes" ?> aria-current="page"<?cs /if ?>>Sandboxes</a>
<a href="<?cs var:Page.Base ?>/investigations"<?cs if:Page.Nav == "investigations" ?> aria-current="page"<?cs /if ?>>Investigations</a>
</nav>
<form class="find" action="<?cs var:Page.Base ?>/" method="get">
<label class="hidden" for="bar-q">Ticket, email or sandbox id</label>
<input id="bar-q" name="q" type="search" placeholder="Ticket, email or sandbox id" value="<?cs var:Page.Search ?>" maxlength="200" autocomplete="off">
</form>
<span class="who"><span class="hidden">Signed in as </span><?cs var:Page.User ?></span>
</header>
<?cs if:Strip.Ticket ?><section class="strip" aria-label="Ticket in hand">
<dl>
<div class="s-ticket"><dt>Ticket</dt><dd><b>#<?cs var:Strip.Ticket ?></b><?cs if:Strip.Status ?> <?cs call:status_tile(Strip.Tile) ?> <?cs var:Strip.Status ?><?cs /if ?></dd></div>
<div class="s-subject"><dt>Subject</dt><dd><?cs if:Strip.Failed ?><span class="failed"><?cs var:Strip.Failed ?></span><?cs else ?><?cs var:Strip.Subject ?><?cs /if ?></dd></div>
<div class="s-requester"><dt>Requester</dt><dd><?cs if:Strip.Requester ?><?cs var:Strip.Requester ?><?cs else ?>none known<?cs /if ?></dd></div>
<div class="s-org"><dt>Organisation</dt><dd><?cs if:Strip.Organisation ?><?cs var:Strip.Organisation ?><?cs else ?>none<?cs /if ?></dd></div>
<div class="s-window"><dt>Complaint window</dt><dd><?cs if:Strip.Window ?><?cs call:glyph_window() ?> <b><?cs var:Strip.Window ?></b> <a href="<?cs var:url_validate(Strip.WindowHref) ?>">Change</a><?cs else ?>not set <a href="<?cs var:url_validate(Strip.WindowHref) ?>">Set</a><?cs /if ?></dd></div>
<?cs if:Strip.Zendesk ?><div class="s-zendesk"><dt>Zendesk</dt><dd><a href="<?cs var:url_validate(Strip.Zendesk) ?>" rel="noreferrer">Open<span class="hidden"> ticket <?cs var:Strip.Ticket ?> in Zendesk</span></a></dd></div><?cs /if ?>
</dl>
</section>
<nav class="tabs" aria-label="Ticket #<?cs var:Strip.Ticket ?>">
<a href="<?cs var:url_validate(Strip.TicketHref) ?>"<?cs if:Strip.Tab == "ticket" ?> aria-current="page"<?cs /if ?>>Ticket</a>
<a href="<?cs var:url_validate(Strip.SandboxesHref) ?>"<?cs if:Strip.Tab == "sandboxes" ?> aria-current="page"<?cs /if ?>>Sandboxes<?cs if:?Strip.SandboxCount ?> (<?cs var:Strip.SandboxCount ?>)<?cs /if ?></a>
<a href="<?cs var:url_validate(Strip.InvestigatedHref) ?>">Investigated<?cs if:Strip.InvestigatedCount ?> (<?cs var:Strip.InvestigatedCount ?>)<?cs /if ?></a>
<?cs if:Strip.Sandbox ?><a class="t-sandbox" href="<?cs var:url_validate(Strip.SandboxHref) ?>"<?cs if:Strip.Tab == "sandbox" ?> aria-current="page"<?cs /if ?>>Sandbox <code><?cs var:Strip.Sandbox ?></code></a><?cs /if ?>
</nav>
<?cs /if ?><main id="main" tabindex="-1">
<?cs include!Page.Template ?>
</main>
<p id="live" class="hidden" role="status"></p>
<footer class="foot">Casebook <?cs var:Page.Version ?>. Times are UTC. Request <code><?cs var:Page.RequestId ?></code></footer>
</body>
</html>
