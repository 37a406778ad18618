<?cs # One investigation with the evidence that was kept for it. Reads Inv.*, NoEvidence, Run.*, Finding.* …, Facts*,
Timeline.*, Charts.*, Processes*. ?>
<div class="head"><h1>Investigation <?cs var:Inv.Id ?></h1><a class="mono" href="<?cs var:url_validate(Inv.SandboxHref) ?>"><?cs var:Inv.Sandbox ?></a><span class="quiet"><?cs if:Head.Template ?><?cs var:Head.Template ?>, <?cs /if ?><?cs var:Head.Ran ?></span></div>
<section class="sec" id="finding"><div class="margin"><h2>Finding</h2><?cs if:Finding.By ?>by <?cs var:Finding.By ?><?cs /if ?></div><div id="panel"><?cs include!"_investigation.cs" ?></div></section>
<?cs if:NoEvidence ?><section class="sec"><div class="margin"><h2>Evidence</h2></div><div><p class="quiet">No evidence was kept for this investigation<?cs if:Run.IsOpen ?> yet<?cs /if ?>.</p></div></section>
<?cs else ?>
<section class="sec" id="facts"><div class="margin"><h2>Facts</h2>as they were when it was investigated</div><div><?cs call:facts() ?></div></section>
<section class="sec" id="timeline"><div class="margin"><h2>Timeline</h2><?cs var:Timeline.Margin ?></div><div><?cs call:timeline() ?></div></section>
<section class="sec" id="charts"><div class="margin"><h2>Charts</h2><?cs if:Charts.Step ?>a sample every <?cs var:Charts.Step ?><?cs /if ?></div><div><?cs call:charts() ?></div></section>
<section class="sec" id="processes"><div class="margin"><h2>Processes</h2>started through E2B: <?cs var:ProcessCount ?></div><div><?cs call:processes() ?></div></section>
<?cs /if ?>
<?cs call:explains() ?>
