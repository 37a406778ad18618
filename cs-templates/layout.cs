<?cs # The frame of every page: bar, ticket strip, foot.
Reads Page.* (src/web/tpl.h), Page.Search (what stands in the bar's field), Page.Address and Page.Made (for paper),
Page.Script.* (names of script files for this page), Page.Refresh (seconds, where no script runs);
Strip.Ticket .Status .Tile .Subject .Requester .Organisation .Zone (the customer's, as browsers name it) .Window
.From.* .To.* .WindowHref .Zendesk .Tab
.TicketHref .SandboxesHref .SandboxCount .InvestigatedHref .InvestigatedCount .Sandbox .SandboxHref
.Failed (why the ticket could not be read). Nothing is drawn before #live was read (rel="expect"): nothing moves then. ?><!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title><?cs var:Page.Title ?> - Casebook</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" type="image/svg+xml" href="<?cs var:Page.Base ?>/static/mark.svg?v=<?cs var:Page.StaticVersion ?>">
<link rel="expect" href="#live" blocking="render">
<link rel="stylesheet" href="<?cs var:Page.Base ?>/static/casebook.css?v=<?cs var:Page.StaticVersion ?>">
<?cs if:Page.Refresh ?><noscript><meta http-equiv="refresh" content="<?cs var:Page.Refresh ?>"></noscript>
<?cs /if ?><script defer src="<?cs var:Page.Base ?>/static/times.js?v=<?cs var:Page.StaticVersion ?>"></script>
<script defer src="<?cs var:Page.Base ?>/static/keys.js?v=<?cs var:Page.StaticVersion ?>"></script>
<?cs each:script = Page.Script ?><script defer src="<?cs var:Page.Base ?>/static/<?cs var:script ?>?v=<?cs var:Page.StaticVersion ?>"></script>
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
<input id="bar-q" name="q" type="search" placeholder="Ticket, email or sandbox id" value="<?cs var:Page.Search ?>" maxlength="200" autocomplete="off"><kbd aria-hidden="true" hidden>/</kbd>
</form>
<span class="zone"><label for="zone">Times in</label> <select id="zone" data-zone="<?cs var:Strip.Zone ?>" autocomplete="off"><option value="utc">UTC</option><option value="mine">My time</option><?cs if:Strip.Zone ?><option value="customer">Customer</option><?cs /if ?></select></span>
<span class="who"><span class="hidden">Signed in as </span><?cs var:Page.User ?></span>
</header>
<?cs if:Strip.Ticket ?><section class="strip" aria-label="Ticket in hand">
<dl>
<div class="s-ticket"><dt>Ticket</dt><dd><b>#<?cs var:Strip.Ticket ?></b><?cs if:Strip.Status ?> <?cs call:status_tile(Strip.Tile) ?> <?cs var:Strip.Status ?><?cs /if ?></dd></div>
<div class="s-subject"><dt>Subject</dt><dd><?cs if:Strip.Failed ?><span class="failed"><?cs var:Strip.Failed ?></span><?cs else ?><?cs var:Strip.Subject ?><?cs /if ?></dd></div>
<div class="s-requester"><dt>Requester</dt><dd><?cs if:Strip.Requester ?><?cs var:Strip.Requester ?><?cs else ?>none known<?cs /if ?></dd></div>
<div class="s-org"><dt>Organisation</dt><dd><?cs if:Strip.Organisation ?><?cs var:Strip.Organisation ?><?cs else ?>none<?cs /if ?></dd></div>
<div class="s-window"><dt>Complaint window</dt><dd><?cs if:Strip.Window ?><?cs call:glyph_window() ?> <b><?cs call:span(Strip) ?></b> <a href="<?cs var:url_validate(Strip.WindowHref) ?>">Change</a><?cs else ?>not set <a href="<?cs var:url_validate(Strip.WindowHref) ?>">Set</a><?cs /if ?></dd></div>
<?cs if:Strip.Zendesk ?><div class="s-zendesk"><dt>Zendesk</dt><dd><a href="<?cs var:url_validate(Strip.Zendesk) ?>" rel="noreferrer">Open <?cs call:glyph_out() ?><span class="hidden"> ticket <?cs var:Strip.Ticket ?> in Zendesk</span></a></dd></div><?cs /if ?>
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
<footer class="foot"><p><a href="<?cs var:Page.Base ?>/help">Help</a> Casebook <?cs var:Page.Version ?>. <span id="zone-said">Times are UTC.</span> Request <code><?cs var:Page.RequestId ?></code> <button type="button" class="link" id="keys-open" popovertarget="keys" hidden>Keys</button></p>
<p class="paper"><?cs var:Page.Address ?>, printed by <?cs var:Page.User ?> from the page of <?cs var:Page.Made ?> UTC</p></footer>
<section id="keys" class="keys" popover hidden aria-labelledby="keys-head">
<h2 id="keys-head" tabindex="-1">Keys</h2>
<dl>
<div><dt><kbd>/</kbd></dt><dd>search field</dd></div>
<div><dt><kbd>j</kbd> <kbd>k</kbd></dt><dd>next, previous row</dd></div>
<div><dt><kbd>Enter</kbd></dt><dd>open</dd></div>
<div><dt><kbd>n</kbd> <kbd>p</kbd></dt><dd>next, previous sandbox that overlaps</dd></div>
<div><dt><kbd>l</kbd></dt><dd>show or hide raw logs</dd></div>
<div><dt><kbd>g</kbd></dt><dd>to the window fields</dd></div>
<div><dt><kbd>Esc</kbd></dt><dd>leave a field, close</dd></div>
<div><dt><kbd>?</kbd></dt><dd>this list</dd></div>
</dl>
<p class="second">No key investigates, posts, files or links anything.</p>
<p class="fields"><label class="tick"><input type="checkbox" id="keys-on" checked> Single keys on</label><button type="button" popovertarget="keys" popovertargetaction="hide">Close</button></p>
</section>
</body>
</html>
