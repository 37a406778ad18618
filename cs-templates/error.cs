<?cs # What went wrong, in words. Reads Error.Status .Title .Text .CanRetry .Back .BackText, Page.RequestId,
Page.Base. ?>
<div class="empty">
<h1><?cs var:Error.Title ?></h1>
<p><?cs var:Error.Text ?></p>
<p class="fields"><?cs if:Error.CanRetry ?><a class="btn" href="">Try again</a> <?cs /if ?><?cs if:Error.Back ?><a class="btn" href="<?cs var:url_validate(Error.Back) ?>"><?cs var:Error.BackText ?></a> <?cs /if ?><a href="<?cs var:Page.Base ?>/">Look up a ticket</a></p>
<p class="quiet">Status <?cs var:Error.Status ?>, request <code><?cs var:Page.RequestId ?></code></p>
</div>
