<?cs # What the words and numbers mean. Reads Page.Base; each entry has an id, so that pages can point at it. A test
compares the factors with those of src/diag. ?>
<div class="head"><h1>Help</h1><span class="quiet">what the words, marks and numbers of Casebook mean</span></div>
<nav class="chips" aria-label="On this page"><a class="chip" href="#classes">Findings</a><a class="chip" href="#confidence">Confidence</a><a class="chip" href="#reasons">Undetermined</a><a class="chip" href="#factors">Beside it</a><a class="chip" href="#states">States</a><a class="chip" href="#marks">Marks</a><a class="chip" href="#timeline-words">Timeline</a><a class="chip" href="#numbers">Numbers</a><a class="chip" href="#window-words">Complaint window</a><a class="chip" href="#linear">Linear and the note</a><a class="chip" href="#patterns">Patterns</a><a class="chip" href="#kept">What is kept</a><a class="chip" href="#times">Times</a></nav>
<section class="sec help" id="classes"><div class="margin"><h2>Findings</h2>what broke: one of five</div><dl>
<div id="class-out_of_memory"><dt><?cs call:verdict("out_of_memory", "Out of memory") ?></dt><dd>Main memory was refused to the work or taken from it: a process was killed at the memory limit, the whole machine was lost there, or a program stopped at a memory limit of its own. The finding says which limit it was.</dd></div>
<div id="class-timeout"><dt><?cs call:verdict("timeout", "Hit its timeout") ?></dt><dd>A time limit that was set beforehand ended the work: the sandbox's timeout, or the limit of one command. If only one command was stopped, the finding says that the sandbox lived on.</dd></div>
<div id="class-killed_early"><dt><?cs call:verdict("killed_early", "Killed early") ?></dt><dd>Someone or something outside ended the work before its time: a request to remove the sandbox, E2B's staff, E2B's own clean-up, or a signal that was sent through the API.</dd></div>
<div id="class-crashed"><dt><?cs call:verdict("crashed", "Crashed") ?></dt><dd>The work ended abnormally for any other reason: a mistake in the code, a missing package, a full disk, a damaged module, no network, or a machine that stopped by itself.</dd></div>
<div id="class-undetermined"><dt><?cs call:verdict("undetermined", "Undetermined") ?></dt><dd>Nothing broke, or the evidence proves no cause. The reason always stands beside it. Casebook never forces a cause, and files nothing in Linear for it.</dd></div>
<div id="first-failure"><dt>What counts</dt><dd>A failure is classified, not an ending: when the memory ran out at 14:02 and the sandbox hit its timeout at 14:30, the finding is Out of memory, and the timeout is told too. A failure that was caught, or repeated with success, does not count.</dd></div>
</dl></section>
<section class="sec help" id="confidence"><div class="margin"><h2>Confidence</h2>never a percentage</div><dl>
<div><dt><?cs call:confidence("high") ?></dt><dd>The evidence names the cause itself: a recorded reason, or a program's own statement with its end.</dd></div>
<div><dt><?cs call:confidence("medium") ?></dt><dd>Several facts fit together and nothing speaks against it, but the last proof is missing. &ldquo;What would make it certain&rdquo; says which.</dd></div>
<div><dt><?cs call:confidence("low") ?></dt><dd>The most likely cause of those that remain. Read the evidence before you tell the customer.</dd></div>
</dl></section>
<section class="sec help" id="reasons"><div class="margin"><h2>Undetermined</h2>its reasons</div><dl>
<div id="reason-still_running"><dt>still running</dt><dd>Nothing has failed so far.</dd></div>
<div id="reason-running_silent"><dt>running but silent</dt><dd>E2B says it is running, but no sample and no log line came for a while. The machine may have died; E2B says &ldquo;running&rdquo; until the timeout.</dd></div>
<div id="reason-paused"><dt>paused and resumable</dt><dd>It is asleep with its memory and files. Nothing is lost.</dd></div>
<div id="reason-ended_normally"><dt>ended normally</dt><dd>The work was finished when the sandbox ended.</dd></div>
<div id="reason-never_started"><dt>never started</dt><dd>E2B refused to start it, or it never became ready.</dd></div>
<div id="reason-not_enough_evidence"><dt>not enough evidence</dt><dd>Something may have broken, but what is left of it proves no cause. &ldquo;What would settle it&rdquo; says what is missing.</dd></div>
</dl></section>
<section class="sec help" id="factors"><div class="margin"><h2>Beside it</h2>circumstances that a finding names; they are not the cause by themselves</div><dl>
<div id="factor-disk_full"><dt><code>disk_full</code></dt><dd>The disk of the sandbox was full.</dd></div>
<div id="factor-cpu_pegged"><dt><code>cpu_pegged</code></dt><dd>The processor was 95 % busy or more for at least the last minute.</dd></div>
<div id="factor-network_blocked"><dt><code>network_blocked</code></dt><dd>An address could not be reached, or its name could not be found. A refused login is not meant.</dd></div>
<div id="factor-missing_package"><dt><code>missing_package</code></dt><dd>A package or module that the program wants is not installed.</dd></div>
<div id="factor-install_failed"><dt><code>install_failed</code></dt><dd>Installing packages failed.</dd></div>
<div id="factor-permission_denied"><dt><code>permission_denied</code></dt><dd>The program may not read or write a file, or the file system takes no writes.</dd></div>
<div id="factor-orphaned_processes"><dt><code>orphaned_processes</code></dt><dd>Programs from before a resume were still there and in the way.</dd></div>
<div id="factor-too_many_open_files"><dt><code>too_many_open_files</code></dt><dd>The program had more files or connections open than it may.</dd></div>
<div id="factor-segfault"><dt><code>segfault</code></dt><dd>The program touched memory that is not its own and was stopped: mostly a damaged or unfitting native module.</dd></div>
<div id="factor-gpu_unavailable"><dt><code>gpu_unavailable</code></dt><dd>The program wanted a graphics card. Sandboxes have none.</dd></div>
<div id="factor-kernel_restarted"><dt><code>kernel_restarted</code></dt><dd>The notebook kernel was restarted; its variables are gone.</dd></div>
<div id="factor-syntax_error"><dt><code>syntax_error</code></dt><dd>The code could not be read: a mistake in its spelling.</dd></div>
<div id="factor-timeout_shortened"><dt><code>timeout_shortened</code></dt><dd>A request set the end of the sandbox earlier than it was. A reconnect without a timeout does that.</dd></div>
<div id="factor-timeout_extended"><dt><code>timeout_extended</code></dt><dd>A request set the end of the sandbox later than it was.</dd></div>
<div id="factor-started_by_resume"><dt><code>started_by_resume</code></dt><dd>The run that failed began with a resume, not with a fresh start.</dd></div>
<div id="factor-port_in_use"><dt><code>port_in_use</code></dt><dd>Another program already listened on the port.</dd></div>
<div id="factor-exit_code"><dt><code>exit_code:N</code></dt><dd>The number a process ended with. 0 is success; 137 mostly means killed by signal 9, 139 by signal 11, 143 asked to stop.</dd></div>
<div id="factor-signal"><dt><code>signal:N</code></dt><dd>The signal that ended a process: 9 killed, 11 touched foreign memory, 15 asked to stop, 6 gave up by itself. A signal does not say who sent it.</dd></div>
</dl></section>
<section class="sec help" id="states"><div class="margin"><h2>States</h2>of a sandbox</div><dl>
<div id="state-running"><dt><?cs call:state("running", "running") ?></dt><dd>E2B says so, and a sample or a log line came in the last 60 s.</dd></div>
<div id="state-silent"><dt><?cs call:state("silent", "says running, silent") ?></dt><dd>E2B says running, but nothing was heard for more than 60 s. The last sign of life stands beside it.</dd></div>
<div id="state-paused"><dt><?cs call:state("paused", "paused") ?></dt><dd>Asleep. It can be resumed by the application; Casebook never does.</dd></div>
<div id="state-ended"><dt><?cs call:state("ended", "ended") ?></dt><dd>Gone. An ending is no alarm: the timeline says who ended it.</dd></div>
<div id="state-other"><dt><?cs call:state("other", "another word") ?></dt><dd>A word of E2B that Casebook does not know, shown as it is.</dd></div>
<div id="state-investigation"><dt>Waiting, Running, Failed, Cancelled</dt><dd>Of an investigation without a finding: it waits for the agent, is at work, stopped with the reason that is told, or was cancelled by a person.</dd></div>
<div id="steps"><dt>The five steps</dt><dd>Read E2B (events, samples, logs) &middot; decide what happened &middot; look in Linear for the same failure &middot; link the issue, or file one &middot; post the internal note. Each is kept when it is done: after an interruption the work goes on from there.</dd></div>
</dl></section>
<section class="sec help" id="marks"><div class="margin"><h2>Marks</h2>the same mark is the same thing everywhere</div><dl>
<div><dt><span class="letter">A</span></dt><dd>An event in the sandbox's life, in timeline and charts.</dd></div>
<div><dt><span class="num-mark">1</span></dt><dd>A piece of evidence of the finding, strongest first, in text, charts and tables.</dd></div>
<div><dt><i class="m">a</i></dt><dd>A phrase, time or sandbox id in the ticket; the margin says what it proves and what it does not.</dd></div>
<div id="rebuilt"><dt>&dagger;</dt><dd>E2B forgets a sandbox when it ends. This value was rebuilt from its events or from Casebook's record.</dd></div>
<div><dt><span class="win-word"><?cs call:glyph_window() ?> violet</span></dt><dd>The complaint window, and nothing else.</dd></div>
</dl></section>
<section class="sec help" id="timeline-words"><div class="margin"><h2>Timeline</h2>words of the events</div><dl>
<div id="by-request"><dt>by a request</dt><dd>A call that was made with our E2B key: our application, a script, a tool or the dashboard. It does not say which person, and never that the customer did it.</dd></div>
<div id="by-timeout"><dt>by its timeout</dt><dd>The end that was set had come. A request may have moved it: see &ldquo;Expected end&rdquo; in each line.</dd></div>
<div id="by-staff"><dt>by E2B's staff, by E2B</dt><dd>E2B ended it: by hand, as clean-up of a sandbox it had lost track of, or because its template or an earlier snapshot was not usable.</dd></div>
<div id="no-reason"><dt>no reason recorded</dt><dd>Older events do not say. If the time fits the timeout, that is said as likely, not as proven.</dd></div>
<div id="since-start"><dt>Since start</dt><dd>Time since the sandbox's first event.</dd></div>
<div id="expected-end"><dt>Expected end</dt><dd>When the timeout would have ended the sandbox, as far as was set at that moment.</dd></div>
</dl></section>
<section class="sec help" id="numbers"><div class="margin"><h2>Numbers</h2>and units</div><dl>
<div id="cpu"><dt>CPU, %</dt><dd>Of all cores together: 100 % is all of them busy.</dd></div>
<div id="memory"><dt>Memory, MiB</dt><dd>What programs hold, without the cache of files, which is given back when memory is wanted. 1 GiB = 1,024 MiB.</dd></div>
<div id="memory-limit"><dt>limit</dt><dd>The memory that the sandbox was given.</dd></div>
<div id="kill-line"><dt>processes are killed from about &hellip;</dt><dd>The kernel keeps a reserve of one eighth, at most 128 MiB: a process is killed before the limit itself is reached.</dd></div>
<div id="disk"><dt>Disk, GiB</dt><dd>What is used of the sandbox's disk.</dd></div>
<div id="samples"><dt>a sample every 5 s</dt><dd>E2B measures every 5 s, every 30 s in runs of an hour or more, every 60 s from six hours on; each sample is the largest value of its interval. A jump can fit between two.</dd></div>
<div id="gap"><dt>no samples for &hellip;</dt><dd>E2B has none for this time although the sandbox ran. A gap is never drawn as zero.</dd></div>
<div id="output"><dt>Output (out / err)</dt><dd>How many bytes a process printed, to its normal and its error output. E2B counts them and does not keep the text.</dd></div>
<div id="exit-code"><dt>exit code</dt><dd>See <a href="#factor-exit_code">exit_code</a>.</dd></div>
<div id="ran-for"><dt>Ran for</dt><dd>Time awake: pauses are not counted, they stand beside it.</dd></div>
<div id="timeout-setting"><dt>Timeout setting</dt><dd>How long the sandbox may run from the moment it was set; each change that is on record is told.</dd></div>
</dl></section>
<section class="sec help" id="window-words"><div class="margin"><h2>Complaint window</h2>when it broke for the customer</div><dl>
<div id="window-proposed"><dt>Proposed</dt><dd>From times in the text, read in the zone that is named (UTC when none is), and from the hour before the ticket came.</dd></div>
<div id="overlap"><dt>overlaps</dt><dd>The sandbox was running in the window, or may have been. The small bars show the window and the life of each sandbox on one axis.</dd></div>
<div id="decoder"><dt>Proves, Does not prove</dt><dd>What an error text in the ticket shows by itself. Most say only that the connection was lost.</dd></div>
<div id="matched-on"><dt>Matched on</dt><dd>The tag of the sandbox that holds the customer's identifier.</dd></div>
</dl></section>
<section class="sec help" id="linear"><div class="margin"><h2>Linear and the note</h2>what leaves Casebook</div><dl>
<div id="known-issue"><dt>known issue</dt><dd>An issue of the same failure was found: it is linked, nothing is filed.</dd></div>
<div id="new-issue"><dt>new issue</dt><dd>Nothing that was compared was the same failure, so one was filed.</dd></div>
<div id="nothing-filed"><dt>nothing filed</dt><dd>An undetermined finding is never filed; nor are classes or confidences that your administrator left out.</dd></div>
<div id="mark"><dt>Mark</dt><dd>Letters and digits made from signature and template. An issue that holds it is about this failure; that is the only sure match.</dd></div>
<div id="signature"><dt>Signature</dt><dd>Kind of error, its message without names, numbers and paths, and the innermost place in the customer's own code. Two customers with the same failure have the same one.</dd></div>
<div id="score"><dt>Score</dt><dd>From 0.00 to 1.00: how alike a candidate's text is to this failure. From 0.50 on it is worth a look; only the mark makes 1.00.</dd></div>
<div id="issue-state"><dt>State of an issue</dt><dd>Linear's own word. An empty ring: to do. Half: started. A tick: done. A cross: cancelled.</dd></div>
<div id="note"><dt>Internal note</dt><dd>What the agent writes on the ticket for colleagues. The customer cannot see it. It is posted once; after an unknown outcome Casebook looks before it posts again.</dd></div>
<div id="reply-words"><dt>What to tell the customer</dt><dd>A draft for you to copy. Casebook never sends it.</dd></div>
<div id="feedback"><dt>Right, Wrong</dt><dd>What people say of a finding. It is kept with it and changes nothing that was posted.</dd></div>
</dl></section>
<section class="sec help" id="patterns"><div class="margin"><h2>Patterns</h2>how they are counted</div><dl>
<div><dt>findings, sandboxes</dt><dd>A pattern is one signature with two findings or more in the days shown. A sandbox that was investigated twice counts as two findings and one sandbox.</dd></div>
<div><dt>customers</dt><dd>Organisations of the tickets. A finding without ticket or organisation adds none.</dd></div>
<div><dt>First, last seen</dt><dd>When its first finding of all was asked for, and its newest: not when the failures happened.</dd></div>
<div><dt>The bars</dt><dd>Findings of each day (UTC). All bars have one scale; undetermined findings are drawn, but have no pattern.</dd></div>
</dl></section>
<section class="sec help" id="kept"><div class="margin"><h2>What is kept</h2>and for how long</div><dl>
<div id="kept-e2b"><dt>at E2B</dt><dd>Events, samples and log lines for 7 days, unless your plan says more. An ended sandbox is no longer listed.</dd></div>
<div id="kept-here"><dt>in Casebook</dt><dd>Each sandbox that was seen, for the days your administrator set; each finding with the evidence it was decided on.</dd></div>
<div id="retained"><dt>the retained window</dt><dd>The time for which a search can find ended sandboxes: from the day Casebook began to watch.</dd></div>
<div id="masked"><dt>masked</dt><dd>Keys, passwords, email and network addresses are taken out of lines before they are quoted in Linear or Zendesk.</dd></div>
</dl></section>
<section class="sec help" id="times"><div class="margin"><h2>Times</h2>and zones</div><dl>
<div><dt>UTC</dt><dd>Everything is UTC until another choice is made under &ldquo;Times in&rdquo;. Then lists and tables follow it; times inside sentences and charts stay UTC, and say so.</dd></div>
<div><dt>Customer</dt><dd>The zone that Zendesk has for the requester, on pages of a ticket.</dd></div>
<div><dt>Copying</dt><dd>A time that is copied is ISO 8601 in UTC, like 2026-11-24T14:02:58Z.</dd></div>
<div><dt>&ldquo;from its own clock&rdquo;</dt><dd>A sandbox's clock can be a few seconds off, most of all after a resume. Order within two seconds proves nothing.</dd></div>
</dl></section>
