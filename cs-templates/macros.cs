<?cs # Macros that every template may call. Each glyph is 14 px, in the colour of its words, and hidden from
screen readers because the word always stands beside it (ux.md section 4). ?>
<?cs def:glyph_mark() ?><svg class="mark" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><rect x="5.5" y="1" width="5" height="14" fill="#7d52b8" rx="1"/><path d="M0.5 9h3.2l1.8-5.2 3.2 9.4 2-6.2 1 2h3.8" fill="none" stroke="#fff" stroke-width="1.6" stroke-linejoin="round" stroke-linecap="round"/></svg><?cs /def ?>
<?cs def:glyph_window() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M1.5 1v12M12.5 1v12" stroke="currentColor" stroke-width="1.6"/><path d="M2 12 12 2M2 7l5-5M7 12l5-5" stroke="currentColor" stroke-width="1" opacity=".7"/></svg><?cs /def ?>
<?cs def:glyph_running() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="5" fill="currentColor"/></svg><?cs /def ?>
<?cs def:glyph_silent() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="4.8" fill="none" stroke="currentColor" stroke-width="2.2" stroke-dasharray="3 2.03"/></svg><?cs /def ?>
<?cs def:glyph_paused() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M3 2h3v10H3zM8 2h3v10H8z" fill="currentColor"/></svg><?cs /def ?>
<?cs def:glyph_ended() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M2.5 2.5h9v9h-9z" fill="currentColor"/></svg><?cs /def ?>
<?cs def:glyph_info() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="5.6" fill="none" stroke="currentColor" stroke-width="1.4"/><path d="M7 6.2v4M7 3.6v1.2" stroke="currentColor" stroke-width="1.5"/></svg><?cs /def ?>
<?cs def:glyph_warn() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M7 1.4 13.2 12.6H.8z" fill="none" stroke="currentColor" stroke-width="1.4" stroke-linejoin="round"/><path d="M7 5v4M7 10.2v1.2" stroke="currentColor" stroke-width="1.4"/></svg><?cs /def ?>
<?cs def:glyph_cross() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M3 3l8 8M11 3l-8 8" stroke="currentColor" stroke-width="2"/></svg><?cs /def ?>
<?cs def:glyph_tick() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M2 7.5l3.4 3.4L12 3.6" fill="none" stroke="currentColor" stroke-width="2"/></svg><?cs /def ?>
<?cs def:glyph_dash() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M3 7h8" stroke="currentColor" stroke-width="2"/></svg><?cs /def ?>
<?cs def:glyph_ring() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="5" fill="none" stroke="currentColor" stroke-width="1.6"/></svg><?cs /def ?>
<?cs def:glyph_half() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="5" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M7 3.6a3.4 3.4 0 0 1 0 6.8z" fill="currentColor"/></svg><?cs /def ?>
<?cs def:glyph_done() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="6" fill="currentColor"/><path d="M4.2 7.2l2 2 3.6-4" fill="none" stroke="var(--ground)" stroke-width="1.5"/></svg><?cs /def ?>
<?cs def:glyph_turning() ?><svg class="g turning" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="5" fill="none" stroke="currentColor" stroke-width="1.6" opacity=".3"/><path d="M7 2a5 5 0 0 1 5 5" fill="none" stroke="currentColor" stroke-width="1.8"/></svg><?cs /def ?>
<?cs def:glyph_out() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M6 2.5H2.5v9h9V8M8 1.8h4.2V6M12 2 6.5 7.5" fill="none" stroke="currentColor" stroke-width="1.5"/></svg><?cs /def ?>
<?cs def:glyph_lock() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M2.5 6h9v6.5h-9z" fill="currentColor"/><path d="M4.5 6V4a2.5 2.5 0 0 1 5 0v2" fill="none" stroke="currentColor" stroke-width="1.5"/></svg><?cs /def ?>
<?cs def:glyph_memory() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M1.5 2h11" stroke="currentColor" stroke-width="1.8"/><path d="M7 4 11.4 12H2.6z" fill="currentColor"/></svg><?cs /def ?>
<?cs def:glyph_crash() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M8.6.8 2.8 8h3.4L5.2 13.2 11.2 6H7.6z" fill="currentColor"/></svg><?cs /def ?>
<?cs def:glyph_clock() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="5.4" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M7 3.8V7l2.4 1.6" fill="none" stroke="currentColor" stroke-width="1.5"/></svg><?cs /def ?>
<?cs def:glyph_killed() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><path d="M4.5.9h5l3.6 3.6v5l-3.6 3.6h-5L.9 9.5v-5z" fill="currentColor"/><path d="M5 5l4 4M9 5l-4 4" stroke="var(--ground)" stroke-width="1.5"/></svg><?cs /def ?>
<?cs def:glyph_unknown() ?><svg class="g" viewBox="0 0 14 14" width="14" height="14" aria-hidden="true"><circle cx="7" cy="7" r="5.8" fill="none" stroke="currentColor" stroke-width="1.3" stroke-dasharray="2.4 1.6"/><path d="M5.2 5.6a1.8 1.8 0 1 1 2.6 1.6c-.6.3-.8.6-.8 1.2M7 9.6v1.2" fill="none" stroke="currentColor" stroke-width="1.3"/></svg><?cs /def ?>
<?cs # Sandbox state. kind: running, silent, paused, ended, other. word: what stands beside it. ?>
<?cs def:state(kind, word) ?><span class="st st-<?cs var:kind ?>"><?cs if:kind == "running" ?><?cs call:glyph_running() ?><?cs elif:kind == "silent" ?><?cs call:glyph_silent() ?><?cs elif:kind == "paused" ?><?cs call:glyph_paused() ?><?cs elif:kind == "ended" ?><?cs call:glyph_ended() ?><?cs else ?><?cs call:glyph_info() ?><?cs /if ?> <?cs var:word ?></span><?cs /def ?>
<?cs # Class of a finding. cls: its machine name. ?>
<?cs def:verdict(cls, word) ?><span class="cl cl-<?cs var:cls ?>"><?cs if:cls == "out_of_memory" ?><?cs call:glyph_memory() ?><?cs elif:cls == "crashed" ?><?cs call:glyph_crash() ?><?cs elif:cls == "timeout" ?><?cs call:glyph_clock() ?><?cs elif:cls == "killed_early" ?><?cs call:glyph_killed() ?><?cs else ?><?cs call:glyph_unknown() ?><?cs /if ?> <?cs var:word ?></span><?cs /def ?>
<?cs # Confidence: level high, medium, low. ?>
<?cs def:confidence(level) ?><span class="conf"><svg class="bars" viewBox="0 0 34 6" width="34" height="6" aria-hidden="true"><rect x="0.5" y="0.5" width="9" height="5" fill="currentColor" stroke="currentColor"/><rect x="12.5" y="0.5" width="9" height="5" fill="<?cs if:level == "low" ?>none<?cs else ?>currentColor<?cs /if ?>" stroke="currentColor"/><rect x="24.5" y="0.5" width="9" height="5" fill="<?cs if:level == "high" ?>currentColor<?cs else ?>none<?cs /if ?>" stroke="currentColor"/></svg> <?cs if:level == "high" ?>High confidence<?cs elif:level == "medium" ?>Medium confidence<?cs else ?>Low confidence<?cs /if ?></span><?cs /def ?>
<?cs # Zendesk status tile: one letter, N O P H S C; another letter is drawn like C. ?>
<?cs def:status_tile(letter) ?><span class="tile tile-<?cs var:letter ?>" aria-hidden="true"><?cs var:letter ?></span><?cs /def ?>
<?cs # Linear state ring. type: Linear's state type. ?>
<?cs def:linear_state(type, word) ?><span class="lst"><?cs if:type == "completed" ?><?cs call:glyph_done() ?><?cs elif:type == "canceled" ?><?cs call:glyph_cross() ?><?cs elif:type == "started" ?><?cs call:glyph_half() ?><?cs else ?><?cs call:glyph_ring() ?><?cs /if ?> <?cs var:word ?></span><?cs /def ?>
<?cs # Open and close of a message. tone: warn, bad, quiet. Between title and end: one line of text. ?>
<?cs def:message(tone, title) ?><div class="msg msg-<?cs var:tone ?>"><?cs if:tone == "bad" ?><?cs call:glyph_cross() ?><?cs elif:tone == "warn" ?><?cs call:glyph_warn() ?><?cs else ?><?cs call:glyph_info() ?><?cs /if ?><div class="msg-text"><b><?cs var:title ?></b><?cs /def ?>
<?cs def:message_end() ?></div></div><?cs /def ?>
<?cs # A failed panel or read: F.Title, F.Text, F.Retry (href) and F.RetryWord. ?>
<?cs def:failure(f) ?><div class="msg msg-bad"><?cs call:glyph_cross() ?><div class="msg-text"><b><?cs var:f.Title ?></b> <?cs var:f.Text ?></div><?cs if:f.Retry ?><a class="btn" href="<?cs var:url_validate(f.Retry) ?>"><?cs if:f.RetryWord ?><?cs var:f.RetryWord ?><?cs else ?>Try again<?cs /if ?></a><?cs /if ?></div><?cs /def ?>
<?cs # A time with both forms: t.Iso, t.Text. ?>
<?cs def:time(t) ?><?cs if:t.Iso ?><time datetime="<?cs var:t.Iso ?>"><?cs var:t.Text ?></time><?cs /if ?><?cs /def ?>
<?cs # A complaint window: s.From.* and s.To.*, with its zone behind it. ?>
<?cs def:span(s) ?><?cs if:s.From.Iso ?><?cs call:time(s.From) ?> &ndash; <?cs call:time(s.To) ?> UTC<?cs /if ?><?cs /def ?>
<?cs # A link to the help page's entry, beside what it explains. ?>
<?cs def:help(anchor, word) ?><a class="explain" href="<?cs var:Page.Base ?>/help#<?cs var:anchor ?>"><?cs var:word ?></a><?cs /def ?>
<?cs include!"macros_sandbox.cs" ?>
