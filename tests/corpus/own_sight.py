"""Cases of our own that the program had never seen when they were written: each was labelled by the README alone, and
only then run. Those that it got wrong at first are kept with the rest.

Each says why an expert decides so. Imported by tests/corpus/run for what it adds to own_cases.CASES.
"""
import own_cases
from scene import case


def c(*args, **more):
    doc = case(*args, **more)
    own_cases.CASES[doc["id"]] = doc


CEIL=lambda t,top=96,after=12:((0,14),(t*.4,40),(t-1,top),(t+4,after))
R=lambda code:'{"exit_code":%d,"exited":true,"status":"exit status %d","error":"exit status %d"}'%(code,code,code)
SIG=lambda n:'{"exit_code":-1,"status":"signal: %s","error":"signal: %s"}'%(n,n)
SIG9=SIG('killed')
OK='{"exited":true,"status":"exit status 0"}'

# ---- out_of_memory
c('first-001-julia-oom','Julia OutOfMemoryError','out_of_memory','Julia itself says it could not get main memory and that ended the script.',
  out=[(3,'Building mesh n=42000','stdout'),(28,'ERROR: LoadError: OutOfMemoryError()\nStacktrace:\n [1] Array\n   @ ./boot.jl:479 [inlined]\n [2] zeros(dims::Tuple{Int64, Int64})\n   @ Base ./array.jl:582\n [3] assemble_stiffness(n::Int64)\n   @ Main /home/user/fem/solve.jl:31\n [4] top-level scope\n   @ /home/user/fem/solve.jl:77\nin expression starting at /home/user/fem/solve.jl:77')],
  procs=[(2,'julia --project solve.jl',28.3,0,R(1))],rise=((0,20),(25,60)),factors=['exit_code:1'],sig=['OutOfMemoryError','assemble_stiffness'],nosig=['42000','/home/user'],conf='high')
c('first-002-php-limit','PHP composer memory_limit','out_of_memory','PHP stopped at its own memory_limit while the sandbox had room: the brief must name that ceiling.',
  out=[(5,'Loading composer repositories with package information\nUpdating dependencies','stdout'),(40,'PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in phar:///usr/local/bin/composer/src/Composer/DependencyResolver/RuleSet.php on line 84\n\nFatal error: Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in phar:///usr/local/bin/composer/src/Composer/DependencyResolver/RuleSet.php on line 84')],
  procs=[(3,'composer update',40.4,0,R(255))],rise=((0,12),(40,32)),factors=['exit_code:255'],sig=['memory size'],nosig=['20480'],ev=['128 MB'],conf='high')
c('first-003-dotnet-oom','.NET OutOfMemoryException','out_of_memory','An unhandled OutOfMemoryException is the runtime saying it got no memory, and the process aborted (134).',
  out=[(31,"Unhandled exception. System.OutOfMemoryException: Exception of type 'System.OutOfMemoryException' was thrown.\n   at System.Collections.Generic.List`1.set_Capacity(Int32 value)\n   at System.Collections.Generic.List`1.AddWithResize(T item)\n   at Ledger.Import.RowBuffer.Append(Row row) in /src/Ledger/Import/RowBuffer.cs:line 58\n   at Ledger.Program.Main(String[] args) in /src/Ledger/Program.cs:line 14\nAborted (core dumped)")],
  procs=[(3,'dotnet run -c Release',31.3,0,R(134))],rise=CEIL(31,93),factors=['exit_code:134'],sig=['OutOfMemoryException','Append'],nosig=['line 58'],conf='high')
c('first-004-ruby-nomem','Ruby NoMemoryError','out_of_memory','Ruby: failed to allocate memory, uncaught.',
  out=[(22,'/app/lib/report/pivot.rb:44:in `*\': failed to allocate memory (NoMemoryError)\n\tfrom /app/lib/report/pivot.rb:44:in `pad_cells\'\n\tfrom /app/bin/report:9:in `<main>\'')],
  procs=[(2,'ruby bin/report 2026-Q1',22.4,0,R(1))],rise=((0,10),(22,70)),factors=['exit_code:1'],sig=['NoMemoryError','pad_cells'],conf='high')
c('first-005-perl-oom','Perl Out of memory!','out_of_memory','Perl prints this when malloc fails, then exits 1.',
  out=[(18,'Out of memory in perl:repeat:IO... \nOut of memory!')],procs=[(2,'perl expand.pl --depth 40',18.2,0,R(1))],rise=CEIL(18,95),factors=['exit_code:1'],sig=['out of memory'],conf='high')
c('first-006-deno-v8','Deno V8 heap fatal','out_of_memory','V8 gave up at its own heap limit inside Deno; sandbox at 45 %.',
  out=[(33,'<--- Last few GCs --->\n\n[812:0x7f32b8000000]    31021 ms: Mark-Compact (reduce) 1398.7 (1412.3) -> 1398.2 (1412.8) MB, pooled: 0 MB, 611.44 / 0.00 ms  (average mu = 0.112, current mu = 0.010) allocation failure; scavenge might not succeed\n\n<--- JS stacktrace --->\n\n\n#\n# Fatal JavaScript out of memory: Reached heap limit\n#')],
  procs=[(2,'deno run -A index.ts',33.5,0,'{"exit_code":-1,"status":"signal: trace/breakpoint trap (core dumped)","error":"signal: trace/breakpoint trap (core dumped)"}')],mem=4096,rise=((0,8),(33,45)),sig=['heap'],conf='high')
c('first-007-jvm-metaspace','JVM metaspace','out_of_memory','A runtime limit on memory (metaspace) ended the work: own ceiling.',
  out=[(61,'Exception in thread "main" java.lang.OutOfMemoryError: Metaspace\n\tat java.base/java.lang.ClassLoader.defineClass1(Native Method)\n\tat java.base/java.lang.ClassLoader.defineClass(ClassLoader.java:1017)\n\tat com.harbor.rules.ScriptHost.compileRule(ScriptHost.java:88)\n\tat com.harbor.rules.Main.main(Main.java:31)')],
  procs=[(2,'java -XX:MaxMetaspaceSize=64m -jar rules.jar',61.5,0,R(1))],rise=((0,12),(60,35)),factors=['exit_code:1'],sig=['Metaspace','compileRule'],conf='high')
c('first-008-native-thread','JVM unable to create native thread','crashed','Threads are not memory: rule 5.',
  out=[(44,'[12.331s][warning][os,thread] Failed to start thread "Unknown thread" with pthread_create failed (EAGAIN) for attributes: stacksize: 1024k, guardsize: 0k, detached.\nException in thread "main" java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached\n\tat java.base/java.lang.Thread.start0(Native Method)\n\tat java.base/java.lang.Thread.start(Thread.java:1526)\n\tat com.wharf.crawl.Fan.launch(Fan.java:52)\n\tat com.wharf.crawl.Main.main(Main.java:12)')],
  procs=[(2,'java -jar crawl.jar',44.4,0,R(1))],rise=((0,12),(44,38)),factors=['exit_code:1'],sig=['native thread','launch'])
c('first-009-cargo-rustc-killed','cargo: rustc signal 9 at ceiling','out_of_memory','The compiler was killed by signal 9 at 97 % and nobody else sent it.',
  out=[(80,'   Compiling polars-core v0.41.3','stdout'),(121,'error: could not compile `polars-core` (lib)\n\nCaused by:\n  process didn\'t exit successfully: `/home/user/.rustup/toolchains/stable-x86_64-unknown-linux-gnu/bin/rustc --crate-name polars_core --edition=2021 -C opt-level=3` (signal: 9, SIGKILL: kill)\nwarning: build failed, waiting for other jobs to finish...')],
  procs=[(3,'cargo build --release',122,0,R(101))],mem=2048,life=3600,rise=((0,14),(70,50),(118,97),(123,15)),factors=['signal:9','exit_code:101'],sig=['rustc|polars'],ev=['97%|98%|96%'],conf='medium')
c('first-010-rustc-killed-calm','cargo: rustc signal 9, calm memory','undetermined','Signal 9 with 40 % memory and nobody known to have sent it: the weapon, not the sender.',
  out=[(121,'error: could not compile `sqlx-core` (lib)\n\nCaused by:\n  process didn\'t exit successfully: `/home/user/.rustup/toolchains/stable-x86_64-unknown-linux-gnu/bin/rustc --crate-name sqlx_core` (signal: 9, SIGKILL: kill)')],
  procs=[(3,'cargo build --release',122,0,R(101))],mem=4096,life=3600,rise=((0,14),(110,41)),factors=['signal:9'])
c('first-011-dmesg-other','Kernel line of another machine in a doc being printed','undetermined','The kernel line is inside a file the command prints; names no process here; the command ended well and the sandbox was removed on request.',
  out=[(5,'$ cat runbook.md\nIf you see this in dmesg:\n[112233.44] Out of memory: Killed process 4242 (postgres) total-vm:81230kB, anon-rss:70112kB, file-rss:0kB, shmem-rss:0kB\nthen raise the limit.\nlint: 0 problems','stdout')],
  procs=[(4,'markdownlint runbook.md && cat runbook.md',6,0,OK)],end='request',at=12,life=300,nofactors=['signal:9'])
c('first-012-oom-then-retry-ok','Worker killed by kernel, retried with a smaller batch, done','undetermined','The kill was handled and the retry succeeded; the sandbox was removed after completed work.',
  out=[(20,'[   44.120031] Out of memory: Killed process 731 (python3) total-vm:1520112kB, anon-rss:890021kB, file-rss:1024kB, shmem-rss:0kB, UID:1000 pgtables:2100kB oom_score_adj:0'),(20.6,'WARNING batch of 512 was killed, retrying with batch size 64'),(70,'all 40 batches done\nreport written to out/report.parquet','stdout')],
  procs=[(3,'python3 supervise.py',71,0,OK)],rise=((0,15),(19,95),(22,20),(60,40)),end='request',at=75,life=600)
c('first-013-earlyoom-swap','systemd-oomd/earlyoom style','out_of_memory','An out-of-memory daemon inside the guest chose this process: memory taken from the work, and it says so.',
  out=[(40,'earlyoom[210]: mem avail:    41 of   991 MiB ( 4.19%), swap free:    0 of    0 MiB ( 0.00%)\nearlyoom[210]: low memory! at or below SIGTERM limits: mem 10.00%, swap 10.00%\nearlyoom[210]: sending SIGKILL to process 880 uid 1000 "node": oom_score 912, VmRSS 801 MiB\n./dev.sh: line 9:   880 Killed                  node server.js')],
  procs=[(2,'./dev.sh',40.6,0,R(137))],rise=CEIL(40,96),factors=['exit_code:137','signal:9'],conf='medium')
c('first-014-vm-lost-gap','Whole VM lost at 97 %, silence until death','out_of_memory','Samples stop at 97 % and the silence lasts until the VM stops; no request.',
  out=[(100,'step 41/200 loss=0.183','stdout')],procs=[(4,'python train.py',None,0)],rise=((0,20),(60,60),(100,97)),gaps=((106,200),),
  end='vm',at=140,life=3600,logs=[(118,'error','Sandbox healthcheck started failing','orchestrator',{'healthcheck':'false'})],ev=['97%|98%'],conf='medium')
c('first-015-duckdb-limit','DuckDB memory limit','out_of_memory','A tool\'s own memory limit was reached (its statement) and ended the script.',
  out=[(26,'Traceback (most recent call last):\n  File "/home/user/etl/join.py", line 40, in <module>\n    build_wide(con)\n  File "/home/user/etl/join.py", line 22, in build_wide\n    con.execute(SQL)\nduckdb.duckdb.OutOfMemoryException: Out of Memory Error: failed to allocate data of size 16.0 MiB (764.8 MiB/764.8 MiB used)')],
  procs=[(2,'python etl/join.py',26.4,0,R(1))],rise=((0,20),(26,80)),factors=['exit_code:1'],sig=['OutOfMemory','build_wide'],nosig=['764.8'],conf='high')
c('first-016-mmap-go','Go: cannot allocate, fork/exec ENOMEM','out_of_memory','fork/exec refused with "cannot allocate memory" = main memory refused, ended the run.',
  out=[(50,'2026/05/03 11:20:01 starting renderer\n2026/05/03 11:20:41 fork/exec /usr/bin/convert: cannot allocate memory\nexit status 1')],
  procs=[(2,'go run ./cmd/thumbs',50.4,0,R(1))],rise=((0,20),(49,93),(60,20)),factors=['exit_code:1'],sig=['cannot allocate memory'],conf='high')
# not memory
c('first-020-cuda','CUDA OOM','crashed','Graphics memory is not main memory.',
  out=[(30,'Traceback (most recent call last):\n  File "/workspace/infer.py", line 90, in <module>\n    run(args)\n  File "/workspace/infer.py", line 61, in run\n    y = model.generate(**x)\n  File "/usr/local/lib/python3.11/site-packages/transformers/generation/utils.py", line 2215, in generate\n    result = self._sample(\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 1.25 GiB. GPU 0 has a total capacity of 14.58 GiB of which 832.00 MiB is free. Process 3121 has 13.76 GiB memory in use.')],
  procs=[(2,'python infer.py',30.5,0,R(1))],rise=((0,20),(30,92)),mem=8192,factors=['exit_code:1'],sig=['CUDA','run'],nosig=['1.25'],conf='high')
c('first-021-shm-bus','DataLoader bus error','crashed','Shared memory full is not main memory.',
  out=[(30,'ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).\nTraceback (most recent call last):\n  File "/home/user/train.py", line 77, in <module>\n    fit(loader)\n  File "/home/user/train.py", line 41, in fit\n    for batch in loader:\nRuntimeError: DataLoader worker (pid 1093) is killed by signal: Bus error. It is possible that dataloader\'s workers are out of shared memory. Please try to raise your shared memory limit.')],
  procs=[(2,'python train.py',30.5,0,R(1))],rise=((0,20),(30,60)),factors=['exit_code:1'],sig=['shared memory|shm|bus error'])
c('first-022-array-len','JS invalid array length','crashed','A size the language cannot express.',
  out=[(6,'/app/src/grid.js:14\n  const cells = new Array(w * h);\n                ^\n\nRangeError: Invalid array length\n    at makeGrid (/app/src/grid.js:14:17)\n    at Object.<anonymous> (/app/src/index.js:5:1)\n    at Module._compile (node:internal/modules/cjs/loader:1554:14)\n\nNode.js v22.14.0')],
  procs=[(2,'node src/index.js',6.2,0,R(1))],factors=['exit_code:1'],sig=['Invalid array length','makeGrid'],conf='high')
c('first-023-pebibyte','numpy absurd request','crashed','7 EiB is an arithmetic bug.',
  out=[(6,'Traceback (most recent call last):\n  File "/w/x.py", line 9, in <module>\n    k = kernel_matrix(pts)\n  File "/w/x.py", line 5, in kernel_matrix\n    return np.zeros((n*n, n*n))\nnumpy._core._exceptions._ArrayMemoryError: Unable to allocate 7.11 EiB for an array with shape (1000000000, 1000000000) and data type float64')],
  procs=[(2,'python x.py',6.2,0,R(1))],factors=['exit_code:1'],sig=['kernel_matrix'])
c('first-024-inotify','ENOSPC watchers','crashed','A limit on file watches, neither disk nor memory.',
  out=[(9,"node:internal/fs/watchers:254\n    throw error;\n    ^\n\nError: ENOSPC: System limit for number of file watchers reached, watch '/home/user/site/content'\n    at FSWatcher.<computed> (node:internal/fs/watchers:247:19)\n    at Object.watch (node:fs:2473:36)\n    at startWatch (/home/user/site/tools/watch.mjs:18:6)\n\nNode.js v20.19.0")],
  procs=[(2,'npm run watch',9.3,0,R(1))],factors=['exit_code:1'],nofactors=['disk_full'],sig=['watch'])
# ---- timeout
c('first-030-plain-timeout','R job at its limit','timeout','kill_reason=timeout with a command running.',
  out=[(40,'iteration 11 of 400','stdout'),(280,'iteration 71 of 400','stdout')],procs=[(5,'Rscript mcmc.R',None,0)],end='timeout',at=300.8,life=300,ev=['300 s|5 min'],conf='high')
c('first-031-timeout-after-crash','Crash at 20 s, then idle until timeout','crashed','First thing that ended the work decides.',
  out=[(20,'Traceback (most recent call last):\n  File "/home/user/agent.py", line 12, in <module>\n    main()\n  File "/home/user/agent.py", line 8, in main\n    cfg["model"]\nKeyError: \'model\'')],
  procs=[(5,'python agent.py',20.3,0,R(1))],end='timeout',at=300.6,life=300,factors=['exit_code:1'],sig=['KeyError','model'],conf='high')
c('first-032-cmd-limit-sig9','Command limit 120 s with signal 9','timeout','The command had a limit of 120 s that had just run out; that is who sent signal 9, though memory is high.',
  out=[(125.4,'Command exited with code -1 and error:\nsignal: killed')],procs=[(5,'npm run build',125.1,120000,SIG9)],rise=((0,20),(100,91)),life=3600,factors=['signal:9'],ev=['120 s|2 min','command'],conf='medium')
c('first-033-self-timeout-tool','timeout(1) 30 in a script','timeout','A limit of one command that the caller set with timeout(1), exit 124.',
  out=[(36,'+ timeout 30 ./integration.sh\nexit status 124')],procs=[(5,'timeout 30 ./integration.sh',35.2,0,R(124))],life=3600,factors=['exit_code:124'],ev=['30 s'])
c('first-034-pw-timeout','Playwright test timeout','crashed','Time-outs inside the program are its own errors.',
  out=[(50,"  1) [chromium] › tests/checkout.spec.ts:22:5 › pays with card ────────────\n\n    Test timeout of 30000ms exceeded.\n\n    Error: locator.click: Test timeout of 30000ms exceeded.\n    Call log:\n      - waiting for getByRole('button', { name: 'Pay now' })\n\n      > 31 |   await page.getByRole('button', { name: 'Pay now' }).click();\n        at /home/user/shop/tests/checkout.spec.ts:31:55\n\n  1 failed\n    [chromium] › tests/checkout.spec.ts:22:5 › pays with card")],
  procs=[(5,'npx playwright test',50.5,0,R(1))],life=3600,factors=['exit_code:1'],sig=['timeout'],nosig=[':31'])
c('first-035-autopause-busy','Auto-pause at limit while job runs, deleted later','timeout','Automatic pause at the limit with a running command; the paused sandbox was deleted after.',
  out=[(580,'page 812','stdout')],procs=[(5,'node crawl.js',None,0)],pause=[600.9],onto='pause',life=600,run=640,sandbox=None,now=4000,ev=['600 s|10 min','paused'],conf='medium')
c('first-036-autopause-idle','Auto-pause at limit, nothing running','undetermined','Paused automatically with nothing running: nothing broke.',
  out=[(30,'done','stdout')],procs=[(5,'python prep.py',30.2,0,OK)],pause=[300.7],onto='pause',life=300,run=340,ev=['paused'])
c('first-037-shortened','Deadline shortened by set_timeout','timeout','set_timeout moved the limit to 90 s; kill at 90 s with reason timeout.',
  out=[(80,'frame 120','stdout')],procs=[(5,'ffmpeg -i in.mp4 out.webm',None,0)],life=3600,setto=[(60,90)],end='timeout',at=91.2,ev=['90 s|1 min 30 s|30 s'],conf='high')
c('first-038-unknown-late','Unknown reason at 99 %','timeout','unknown reason at ≥ 98 %.',
  out=[(590,'tick','stdout')],procs=[(5,'node bot.js',None,0)],life=600,end='unknown',at=597,conf='low')
c('first-039-timeout-idle','Timeout when work long done','timeout','kill_reason=timeout also when idle, say so.',
  out=[(30,'tests passed: 12','stdout')],procs=[(5,'pytest -q',30.2,0,OK)],life=300,end='timeout',at=300.5,ev=['idle|finished|completed'],conf='medium')
# ---- killed early
c('first-040-request-mid','Request kill mid build','killed_early','A command was still running.',
  out=[(70,'[ 61%] Building CXX object src/CMakeFiles/core.dir/solver.cpp.o','stdout')],procs=[(5,'cmake --build build -j2',None,0)],life=1800,end='request',at=75,ev=['request','75 s|1 min'],conf='high')
c('first-041-signal-api','Signal call through the API','killed_early','SendSignal through the API right before the process died.',
  out=[(62,'Command exited with code -1 and error:\nsignal: killed')],procs=[(5,'python server_sim.py',61.9,0,SIG9)],rise=((0,20),(61,94)),life=1800,
  logs=[(61.8,'debug','Process send signal (unary)','envd',{'method':'POST /process.Process/SendSignal','operation_id':'9'})],factors=['signal:9'],ev=['signal'])
c('first-042-admin-idle','Admin kill','killed_early','admin is recorded.',out=[],procs=[(5,'sleep 4',9,0,OK)],life=3600,end='admin',at=1000,ev=['admin'],conf='high')
c('first-043-blind-request','Request kill, nothing visible','killed_early','No process lines and no output; well before the limit: killed_early low/medium.',
  out=[],procs=[],life=3600,end='request',at=400,platform=False,conf='low')
c('first-044-request-after-fail','Killed on request right after failure','crashed','The failure came first.',
  out=[(30,"thread 'main' panicked at src/ingest.rs:88:30:\ncalled `Result::unwrap()` on an `Err` value: ParseIntError { kind: InvalidDigit }\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace")],
  procs=[(5,'./target/release/ingest data.csv',30.2,0,R(101))],life=3600,end='request',at=30.9,factors=['exit_code:101'],sig=['ParseIntError','ingest.rs'],nosig=['88'],conf='high')
c('first-045-resume-failed','resume_failed','killed_early','Recorded reason of the platform.',out=[],procs=[(5,'sleep 600',None)],life=600,pause=[100],resume=[(4000,600)],end='resume_failed',at=4002,ev=['resume'],conf='high')
c('first-046-request-99-server','Only a server is up and all jobs are done','undetermined','A background server that is up is not unfinished work.',
  out=[(4,'Listening on http://0.0.0.0:5173/','stdout'),(60,'Tests: 31 passed, 31 total','stdout')],procs=[(2,'npx vite --host',None,0),(30,'npm test',60.3,0,OK)],life=3600,end='request',at=80)
c('first-047-unknown-mid-busy','none data event midway','killed_early','Old event without a reason far before the limit, busy.',
  out=[(200,'epoch 3','stdout')],procs=[(5,'python train.py',None)],life=3600,end='none',at=240,v1=True,conf='low')
c('first-048-sigterm-inside','pkill inside the sandbox','crashed','A kill command run inside the sandbox sent it.',
  out=[(30,'Command exited with code -1 and error:\nsignal: killed')],procs=[(5,'node app.js',30.1,0,SIG9),(30,'pkill -9 -f node',30.15,0,OK)],rise=((0,20),(30,40)),life=1800,factors=['signal:9'])
# ---- crashed various
c('first-050-ruby-gem','Ruby LoadError','crashed','Missing gem.',
  out=[(5,"<internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:136:in `require': cannot load such file -- nokogiri (LoadError)\n\tfrom <internal:/usr/lib/ruby/vendor_ruby/rubygems/core_ext/kernel_require.rb>:136:in `require'\n\tfrom scrape.rb:3:in `<main>'")],
  procs=[(3,'ruby scrape.rb',5.2,0,R(1))],factors=['missing_package','exit_code:1'],sig=['nokogiri'],conf='high')
c('first-051-go-missing','Go missing module','crashed','go build cannot find the module.',
  out=[(8,'main.go:9:2: no required module provides package github.com/gorilla/mux; to add it:\n\tgo get github.com/gorilla/mux')],
  procs=[(3,'go build ./...',8.2,0,R(1))],factors=['missing_package','exit_code:1'],sig=['gorilla/mux'],conf='medium')
c('first-052-julia-pkg','Julia package missing','crashed','ArgumentError: package not found.',
  out=[(8,'ERROR: LoadError: ArgumentError: Package DataFrames not found in current path.\n- Run `import Pkg; Pkg.add("DataFrames")` to install the DataFrames package.\nStacktrace:\n [1] macro expansion\n   @ ./loading.jl:1766 [inlined]\n [2] require(into::Module, mod::Symbol)\n   @ Base ./loading.jl:1730\nin expression starting at /home/user/a.jl:1')],
  procs=[(3,'julia a.jl',8.2,0,R(1))],factors=['missing_package','exit_code:1'],sig=['DataFrames'],conf='high')
c('first-053-perl-mod','Perl module missing','crashed','Can\'t locate JSON/XS.pm.',
  out=[(5,"Can't locate JSON/XS.pm in @INC (you may need to install the JSON::XS module) (@INC entries checked: /etc/perl /usr/local/lib/x86_64-linux-gnu/perl/5.38.2) at feed.pl line 4.\nBEGIN failed--compilation aborted at feed.pl line 4.")],
  procs=[(3,'perl feed.pl',5.2,0,R(2))],factors=['missing_package','exit_code:2'],sig=['JSON'],nosig=['line 4'],conf='high')
c('first-054-r-error','R uncaught error','crashed','Rscript halted.',
  out=[(9,"Error in fit_curve(d) : object 'dose' not found\nCalls: main -> fit_curve\nExecution halted")],procs=[(3,'Rscript dose.R',9.3,0,R(1))],factors=['exit_code:1'],sig=['dose','fit_curve'],conf='high')
c('first-055-php-uncaught','PHP uncaught TypeError','crashed','Uncaught TypeError.',
  out=[(9,'PHP Fatal error:  Uncaught TypeError: Cart\\Totals::add(): Argument #1 ($price) must be of type float, null given, called in /var/www/html/src/Cart/Checkout.php on line 51 and defined in /var/www/html/src/Cart/Totals.php:19\nStack trace:\n#0 /var/www/html/src/Cart/Checkout.php(51): Cart\\Totals->add()\n#1 /var/www/html/bin/run.php(8): Cart\\Checkout->run()\n#2 {main}\n  thrown in /var/www/html/src/Cart/Totals.php on line 19')],
  procs=[(3,'php bin/run.php',9.3,0,R(255))],factors=['exit_code:255'],sig=['TypeError','Totals'],nosig=['/var/www'],conf='high')
c('first-056-dotnet-nullref','.NET NullReference','crashed','Unhandled exception.',
  out=[(9,'Unhandled exception. System.NullReferenceException: Object reference not set to an instance of an object.\n   at Billing.Invoices.Renderer.DrawFooter(Page page) in C:\\build\\Billing\\Renderer.cs:line 201\n   at Billing.Program.<Main>$(String[] args) in C:\\build\\Billing\\Program.cs:line 7\n   at Billing.Program.<Main>(String[] args)')],
  procs=[(3,'dotnet Billing.dll',9.3,0,R(134))],factors=['exit_code:134'],sig=['NullReference','DrawFooter'],conf='high')
c('first-057-pnpm','pnpm 404','crashed','Failed install.',
  out=[(9,' ERR_PNPM_FETCH_404  GET https://registry.example.test/left-padd: Not Found - 404\n\nThis error happened while installing a direct dependency of /home/user/web\n\nleft-padd is not in the npm registry, or you have no permission to fetch it.')],
  procs=[(3,'pnpm install',9.3,0,R(1))],factors=['install_failed','exit_code:1'],sig=['left-padd','404'],conf='medium')
c('first-058-apt','apt unable to locate','crashed','Failed install by apt, exit 100.',
  out=[(9,'Reading package lists...\nBuilding dependency tree...\nReading state information...','stdout'),(9.5,'E: Unable to locate package libfoobar-dev')],
  procs=[(3,'sudo apt-get install -y libfoobar-dev',9.7,0,R(100))],factors=['install_failed','exit_code:100'],sig=['libfoobar'],conf='medium')
c('first-059-disk-sqlite','SQLite disk full','crashed','Disk at 100 % and sqlite says so.',
  out=[(60,'Traceback (most recent call last):\n  File "/home/user/idx.py", line 31, in <module>\n    flush(db)\n  File "/home/user/idx.py", line 17, in flush\n    db.commit()\nsqlite3.OperationalError: database or disk is full')],
  procs=[(3,'python idx.py',60.3,0,R(1))],disk=((0,20),(58,99.9)),factors=['disk_full','exit_code:1'],sig=['disk is full','flush'],conf='high')
c('first-060-chromium-crash','Playwright page crash by missing libs','crashed','Browser cannot start: shared library missing.',
  out=[(9,"browserType.launch: Target page, context or browser has been closed\nBrowser logs:\n\n<launching> /home/user/.cache/ms-playwright/chromium-1148/chrome-linux/chrome --headless --no-sandbox\n[pid=1010][err] /home/user/.cache/ms-playwright/chromium-1148/chrome-linux/chrome: error while loading shared libraries: libnss3.so: cannot open shared object file: No such file or directory\n    at openTab (/home/user/bot/nav.js:7:34) {\n  name: 'Error'\n}\n\nNode.js v20.19.0")],
  procs=[(3,'node bot/nav.js',9.3,0,R(1))],factors=['exit_code:1'],sig=['libnss3'],conf='medium')
c('first-061-bash-cmdnotfound','command not found 127','crashed','The program is not installed.',
  out=[(5,'./deploy.sh: line 7: jq: command not found')],procs=[(3,'./deploy.sh',5.2,0,R(127))],factors=['exit_code:127'],sig=['jq'],conf='medium')
c('first-062-ts-syntax','Deno/TS syntax','crashed','Parse error.',
  out=[(5,"error: The module's source code could not be parsed: Expected ',', got 'const' at file:///home/user/fn/main.ts:18:3\n\n    const total = 4;\n    ~~~~~")],procs=[(3,'deno run main.ts',5.2,0,R(1))],factors=['syntax_error','exit_code:1'],sig=['could not be parsed|Expected'],nosig=['18:3'],conf='medium')
c('first-063-mysql-refused','ECONNREFUSED 3306','crashed','Service not reachable on 3306.',
  out=[(5,"node:internal/process/promises:394\n      triggerUncaughtException(err, true /* fromPromise */);\n      ^\n\nError: connect ECONNREFUSED 127.0.0.1:3306\n    at createConnection (/app/node_modules/mysql2/promise.js:253:31)\n    at openPool (/app/src/db.js:21:16) {\n  code: 'ECONNREFUSED',\n  errno: -111,\n  sqlState: undefined\n}\n\nNode.js v22.14.0")],procs=[(3,'node src/db.js',5.2,0,R(1))],factors=['exit_code:1'],sig=['ECONNREFUSED','3306'],conf='high')
c('first-064-emfile','Too many open files in Go','crashed','Descriptor limit.',
  out=[(25,'2026/05/02 10:00:11 open /data/in/part-00931.csv: too many open files\nexit status 1')],procs=[(3,'go run .',25.2,0,R(1))],factors=['too_many_open_files','exit_code:1'],sig=['too many open files'],nosig=['00931'],conf='medium')
c('first-065-erofs','Read-only fs','crashed','Read-only file system.',
  out=[(25,"Traceback (most recent call last):\n  File \"/app/cache.py\", line 12, in warm\n    open(p, 'w')\nOSError: [Errno 30] Read-only file system: '/usr/share/model/cache.bin'")],procs=[(3,'python cache.py',25.2,0,R(1))],factors=['permission_denied','exit_code:1'],sig=['read-only','warm'],nosig=['cache.bin'],conf='high')
c('first-066-cpp-abort','C++ uncaught exception','crashed','terminate called, 134.',
  out=[(12,"terminate called after throwing an instance of 'std::out_of_range'\n  what():  map::at\n./run.sh: line 4:   611 Aborted                 (core dumped) ./solver in.dat")],procs=[(3,'./run.sh',12.3,0,R(134))],factors=['exit_code:134','signal:6'],sig=['out_of_range'],conf='high')
c('first-067-java-chained','Chained Java causes','crashed','Original cause counts.',
  out=[(12,'Exception in thread "main" com.acme.LoadException: could not load catalog\n\tat com.acme.Catalog.load(Catalog.java:40)\n\tat com.acme.Main.main(Main.java:9)\nCaused by: java.sql.SQLException: Access denied for user \'app\'@\'localhost\' (using password: YES)\n\tat com.mysql.cj.jdbc.exceptions.SQLError.createSQLException(SQLError.java:129)\n\tat com.acme.Db.open(Db.java:33)\n\tat com.acme.Catalog.load(Catalog.java:37)\n\t... 1 more')],procs=[(3,'java -jar app.jar',12.3,0,R(1))],factors=['exit_code:1'],nofactors=['network_blocked'],sig=['SQLException','Access denied','open'],conf='high')
c('first-068-vm-calm','VM stops by itself, calm','crashed','VM died without memory pressure.',
  out=[(100,'compaction 12 done','stdout')],procs=[(4,'./db --serve',None,0)],rise=((0,20),(100,41)),end='vm',at=140,life=3600,logs=[(128,'error','Sandbox healthcheck started failing','orchestrator',{'healthcheck':'false'})])
c('first-069-vm-healed','Health check failed and healed, running','undetermined','Recovered health check; running.',
  out=[(100,'compaction 12 done','stdout')],procs=[(4,'./db --serve',None,0)],rise=((0,20),(100,84)),life=3600,run=200,logs=[(98,'error','Sandbox healthcheck started failing','orchestrator',{'healthcheck':'false'}),(118,'info','Sandbox healthcheck recovered','orchestrator',{'healthcheck':'true'})])
c('first-070-dead-kernel-restart-asked','Kernel restart asked for','undetermined','The user restarted the kernel (KernelRestarter not involved), low memory, goes on.',
  out=[(50,'[I 2026-05-03 10:00:50.120 ServerApp] Kernel restarted: 7d1e2c11-2bd0-44f2-b1a9-5f4f4a9a3f11','stderr'),(60,'epoch 1 done','stdout')],procs=[],rise=((0,20),(60,40)),life=600,run=90)
c('first-071-lost-conn','Client lost connection, sandbox lives','undetermined','Rule 14.',
  out=[(50,'httpcore.RemoteProtocolError: peer closed connection without sending complete message body (incomplete chunked read)')],procs=[(5,'python long.py',None)],life=3600,run=100)
c('first-072-handled-traceback','Handled traceback, then ok','undetermined','Logged exception, continued and finished OK.',
  out=[(20,'ERROR:root:item 14 failed\nTraceback (most recent call last):\n  File "/app/w.py", line 20, in one\n    parse(x)\nValueError: bad date: 2026-13-01\nINFO:root:skipped item 14'),(40,'done 200 items, 1 skipped','stdout')],procs=[(5,'python w.py',40.3,0,OK)],end='request',at=45,life=600)
c('first-073-selfhosted-vm','Self hosted: no events, killing line in log with reason','killed_early','Events API missing; the log carries kill_reason=request mid command.',
  out=[(40,'37%','stdout')],procs=[(5,'./bench',None)],end='request',at=50,life=600,events=False)
c('first-074-old-server-nokillreason','Self hosted: no events, Killing without a reason at the limit','timeout','No events; Killing line at the deadline from Sandbox created end_time.',
  out=[(590,'91%','stdout')],procs=[(5,'./bench',None)],end='request',at=600.7,life=600,events=False,reason_in_log=False,conf='low')
c('first-075-segv-node','Node native addon segfault','crashed','Signal 11.',
  out=[(14,'Segmentation fault (core dumped)\nnpm ERR! code ELIFECYCLE\nnpm ERR! errno 139\nnpm ERR! render@1.2.0 start: `node render.js`\nnpm ERR! Exit status 139')],procs=[(5,'npm start',14.3,0,R(139))],factors=['segfault','exit_code:139','signal:11'],sig=['segmentation|139'],conf='high')
c('first-076-german-locale','German shell message','crashed','Localised "Keine Berechtigung" = permission denied.',
  out=[(14,'./start.sh: Zeile 3: /opt/tool/bin/run: Keine Berechtigung')],procs=[(5,'./start.sh',14.3,0,R(126))],factors=['exit_code:126','permission_denied'])
c('first-077-collector-prefix','Kubernetes-like prefix + ANSI','crashed','Prefixes and colours are dropped.',
  out=[(14,'2026-05-04T10:00:14.003Z stderr F \x1b[31mTraceback (most recent call last):\x1b[0m\n2026-05-04T10:00:14.003Z stderr F   File "/app/pay.py", line 7, in <module>\n2026-05-04T10:00:14.003Z stderr F     charge(None)\n2026-05-04T10:00:14.004Z stderr F   File "/app/pay.py", line 3, in charge\n2026-05-04T10:00:14.004Z stderr F     return a.total\n2026-05-04T10:00:14.004Z stderr F \x1b[1;31mAttributeError\x1b[0m: \'NoneType\' object has no attribute \'total\'')],procs=[(5,'python pay.py',14.3,0,R(1))],factors=['exit_code:1'],sig=['AttributeError','total','charge'],nosig=['\x1b','2026-05-04'],conf='high')
c('first-078-many-commands-last-fails','Six commands, the last one fails, removed by host','crashed','Earlier greps with exit 1 are part of the work; the last command failed with an uncaught error.',
  out=[(6,'README.md\nsrc\n','stdout'),(20,'2 passed in 0.11s','stdout'),(50,'error[E0425]: cannot find value `cfg` in this scope\n  --> src/main.rs:12:9\n   |\n12 |         cfg.port\n   |         ^^^ not found in this scope\n\nFor more information about this error, try `rustc --explain E0425`.\nerror: could not compile `edge` (bin "edge") due to 1 previous error')],
  procs=[(5,'ls',6,0,OK),(8,'grep -rn legacy src',8.2,0,R(1)),(10,'pytest -q',20.2,0,OK),(25,'cat src/main.rs',25.1,0,OK),(40,'cargo build',50.2,0,R(101))],end='request',at=58,life=600,factors=['exit_code:101'],sig=['E0425','cfg'])
c('first-079-many-commands-grep-1','Last command is grep with exit 1','undetermined','grep 1 means no match, not a failure; the work was done.',
  out=[(20,'2 passed in 0.11s','stdout')],procs=[(5,'ls',6,0,OK),(10,'pytest -q',20.2,0,OK),(25,'grep -rn obsolete src',25.2,0,R(1))],end='request',at=40,life=600)
c('first-080-agent-test-fails-then-more','Tests fail, agent edits, tests pass, then lint warnings','undetermined','Only the state at the end counts.',
  out=[(20,'FAILED tests/test_a.py::test_sum - AssertionError: assert 3 == 4\n1 failed, 4 passed in 0.20s','stdout'),(40,'5 passed in 0.19s','stdout'),(50,'src/a.py:3:1: W291 trailing whitespace','stdout')],
  procs=[(10,'pytest -q',20.2,0,R(1)),(35,'pytest -q',40.2,0,OK),(49,'flake8 --exit-zero src',50.2,0,OK)],end='request',at=60,life=600)
c('first-081-skewed-clock','Guest clock 1.8 s ahead: process end after the kill event','crashed','The process end is stamped after the kill by clock skew, but its traceback and exit code show the crash; order within two seconds proves nothing... the error stands.',
  out=[(28.5,'Traceback (most recent call last):\n  File "/app/j.py", line 3, in load\n    json.loads(s)\n  File "/usr/lib/python3.12/json/decoder.py", line 355, in raw_decode\n    raise JSONDecodeError("Expecting value", s, err.value) from None\njson.decoder.JSONDecodeError: Expecting value: line 1 column 1 (char 0)')],procs=[(5,'python j.py',28.8,0,R(1))],skew=1.5,end='request',at=29.6,life=600,factors=['exit_code:1'],sig=['JSONDecodeError','load'])
c('first-082-prose-timeout','A chat bot that talks about timeouts, out of memory, killed','undetermined','Harmless words; running and healthy.',
  out=[(20,'user: why does my pod say OOMKilled exit code 137?\nbot: The container was killed because it ran out of memory. Segmentation fault is different.\nuser: and "Timeout 30000ms exceeded"?\nbot: that is a Playwright timeout.','stdout')],procs=[(5,'node bot.js',None)],life=3600,run=90,nofactors=['exit_code:137','segfault'])
c('first-083-java-killed-at-ceiling-no-exit','JVM vanishes at 98 %, nothing printed','out_of_memory','Signal 9 in process_result at 98 % and no other sender.',
  out=[(40,'INFO  warmup done','stdout')],procs=[(5,'java -Xmx4g -jar big.jar',60.2,0,SIG9)],rise=CEIL(60,97),mem=2048,factors=['signal:9'],ev=['95%|96%|97%'],conf='medium',life=3600)
c('first-084-137-old-sample','Exit 137, last sample 60 s old at 95 %','undetermined','The sample is older than 15 s and samples went on... a gap with no death in silence: process died at 100 s, samples stop at 40 s and begin again at 90 s with 30 %.',
  out=[(100,'./go.sh: line 2:   712 Killed                  ./sim')],procs=[(5,'./go.sh',100.2,0,R(137))],rise=((0,20),(38,95),(85,30),(110,30)),gaps=((42,85),),life=3600,factors=['signal:9','exit_code:137'])
c('first-085-dns-curl','curl could not resolve','crashed','Name resolution failed in a script.',
  out=[(9,'curl: (6) Could not resolve host: files.example.com')],procs=[(5,'bash fetch.sh',9.2,0,R(6))],factors=['network_blocked','exit_code:6'],sig=['files.example.com|resolve'])
c('first-086-git-clone-auth','git clone refused login','crashed','Refused login is not network_blocked.',
  out=[(9,"Cloning into 'infra'...\nremote: Invalid username or token. Password authentication is not supported for Git operations.\nfatal: Authentication failed for 'https://git.example.com/acme/infra.git/'")],procs=[(5,'git clone https://git.example.com/acme/infra.git',9.2,0,R(128))],factors=['exit_code:128'],nofactors=['network_blocked'],sig=['authentication failed'])
c('first-087-bun-segv','Bun panic','crashed','Bun crashed.',
  out=[(9,'============================================================\nBun v1.1.38 (bf2f153f) Linux x64 (baseline)\nLinux Kernel v6.1.102 | glibc v2.36\nCPU: sse42 popcnt avx avx2\nArgs: "bun" "run" "index.ts"\npanic(main thread): Segmentation fault at address 0x18\noh no: Bun has crashed. This indicates a bug in Bun, not your code.')],procs=[(5,'bun run index.ts',9.2,0,'{"exit_code":-1,"status":"signal: illegal instruction (core dumped)","error":"signal: illegal instruction (core dumped)"}')],factors=['segfault'],sig=['segmentation fault'],nosig=['0x18'])
c('first-088-gpu-missing','No CUDA device','crashed','GPU missing.',
  out=[(9,'Traceback (most recent call last):\n  File "/app/t.py", line 4, in to_gpu\n    x.cuda()\nRuntimeError: No CUDA GPUs are available')],procs=[(5,'python t.py',9.2,0,R(1))],factors=['gpu_unavailable','exit_code:1'],sig=['CUDA','to_gpu'])

# sessions of many commands
c('second-001','Agent session: OOM in the third of five commands, later ones fine, removed','undetermined','The kill was in the middle; the agent used a smaller sample and completed.',
  out=[(6,'rows: 120','stdout'),(30,'Killed\nCommand exited with code 137'),(45,'using a 10% sample','stdout'),(58,'saved model.pkl\naccuracy 0.91','stdout')],
  procs=[(5,'python head.py',6.1,0,OK),(10,'python train.py',30.1,0,R(137)),(34,'cat train.py',34.2,0,OK),(40,'python train.py --frac 0.1',58.4,0,OK),(59,'ls -la model.pkl',59.1,0,OK)],rise=CEIL(30,95),end='request',at=66,life=900)
c('second-002','Agent session: OOM in the last command, then removed','out_of_memory','The last command was killed at 96 % and nothing came after it.',
  out=[(6,'rows: 120','stdout'),(50,'Killed\nCommand exited with code 137')],
  procs=[(5,'python head.py',6.1,0,OK),(10,'pip install -q polars',18,0,OK),(20,'python train.py',50.1,0,R(137))],rise=CEIL(50,96),end='request',at=55,life=900,factors=['exit_code:137','signal:9'],conf='medium')
c('second-003','Session: failing test run is the last command and nobody fixed it','crashed','The last run of the tests failed and the session ended with that.',
  out=[(30,'============================= FAILURES ==============================\n___________ test_rounding ___________\n\n    def test_rounding():\n>       assert price(2.675) == 2.68\nE       assert 2.67 == 2.68\nE        +  where 2.67 = price(2.675)\n\ntests/test_price.py:9: AssertionError\n=========== short test summary info ===========\nFAILED tests/test_price.py::test_rounding - assert 2.67 == 2.68\n========= 1 failed, 40 passed in 1.22s =========','stdout')],
  procs=[(5,'git status --short',5.2,0,OK),(25,'pytest',30.4,0,R(1))],end='request',at=40,life=600,factors=['exit_code:1'],sig=['test_rounding|assert'])
c('second-004','Session: a probe fails (which), work continues and is done','undetermined','`which` with 1 is a question, not a failure.',
  out=[(6,'','stdout'),(40,'Successfully installed ripgrep-14\nDone.','stdout')],procs=[(5,'which rg',5.1,0,R(1)),(10,'cargo install ripgrep',40.2,0,OK),(41,'rg --version',41.1,0,OK)],end='request',at=50,life=600)
c('second-005','Session: background server crashed early, nobody noticed, later commands fail to connect','crashed','The server died first; the curl failures follow from it.',
  out=[(8,"Traceback (most recent call last):\n  File \"/home/user/app/server.py\", line 5, in <module>\n    from flask_caching import Cache\nModuleNotFoundError: No module named 'flask_caching'"),(30,'curl: (7) Failed to connect to localhost port 8000 after 0 ms: Couldn\'t connect to server')],
  procs=[(5,'python server.py &',8.1,0,R(1)),(30,'curl -s localhost:8000/health',30.2,0,R(7))],end='request',at=40,life=600,factors=['missing_package'],sig=['flask_caching'])
c('second-006','diff exit 1 as the last command','undetermined','diff with 1 means the files differ.',
  out=[(20,'3c3\n< a\n---\n> b','stdout')],procs=[(5,'python gen.py',12,0,OK),(20,'diff out.txt expected.txt',20.1,0,R(1))],end='request',at=30,life=600)
c('second-007','test -f exit 1 and running on','undetermined','A question to the shell; sandbox running.',procs=[(5,'test -f /home/user/.done',5.1,0,R(1))],run=60,life=3600)
c('second-008','Two attempts fail with the same error','crashed','Each attempt failed with the same error; the work never succeeded.',
  out=[(10,"node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module 'sharp'\nRequire stack:\n- /home/user/img/resize.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/home/user/img/resize.js' ]\n}\n\nNode.js v20.19.0"),(30,"node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module 'sharp'\nRequire stack:\n- /home/user/img/resize.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15) {\n  code: 'MODULE_NOT_FOUND'\n}")],
  procs=[(8,'node img/resize.js',10.2,0,R(1)),(28,'node img/resize.js --retry',30.2,0,R(1))],end='request',at=35,life=600,factors=['missing_package'],sig=['sharp'])
# notebook
c('second-010','Notebook: cell MemoryError caught by nobody, kernel lives','out_of_memory','A runtime statement ended the cell.',
  out=[(20,'---------------------------------------------------------------------------\nMemoryError                               Traceback (most recent call last)\nCell In[4], line 3\n      1 import numpy as np\n      2 \n----> 3 wide = explode(df)\n\nCell In[2], line 7, in explode(df)\n      5 def explode(df):\n      6     out = []\n----> 7     return np.outer(df.a, df.b)\n\nMemoryError: Unable to allocate 53.6 GiB for an array with shape (84800, 84800) and data type float64')],run=60,life=600,sig=['explode','MemoryError|allocate'],nosig=['53.6'])
c('second-011','Notebook: kernel died, calm memory, no metrics gap','undetermined','A kernel that vanished with memory at 35 %: nothing tells what ended it, and it was not at the ceiling.',
  out=[(20,'ContextRestarting: Context was restarted\n[W 2026-05-03 10:00:20.402 ServerApp] AsyncIOLoopKernelRestarter: restarting kernel (1/5), keep random ports')],rise=((0,20),(20,35)),run=60,life=600,factors=['kernel_restarted'])
c('second-012','Notebook error fixed in the next cell','undetermined','The next cell succeeded; a NameError in a notebook is part of the work, and the sandbox is running.',
  out=[(20,"---------------------------------------------------------------------------\nNameError                                 Traceback (most recent call last)\nCell In[4], line 1\n----> 1 dff.head()\n\nNameError: name 'dff' is not defined"),(40,'   a  b\n0  1  2\nsaved figure.png','stdout')],run=80,life=600)
# platform
c('second-020','seal_failed','killed_early','Platform reason.',procs=[(5,'sleep 900',None)],end='seal_failed',at=400,life=3600,conf='high')
c('second-021','unknown after completed work','undetermined','Unknown reason after completed work.',out=[(20,'all done','stdout')],procs=[(5,'python etl.py',20.2,0,OK)],end='unknown',at=60,life=3600)
c('second-022','Timeout refreshed: updated event without set_timeout does not move it','timeout','kill at original limit.',out=[(290,'tick','stdout')],procs=[(5,'node w.js',None)],end='timeout',at=300.4,life=300,conf='high',ev=['300 s|5 min'])
c('second-023','Resumed with short limit and killed by it','timeout','The resume gave 60 s; a job was running.',out=[(4040,'half way','stdout')],procs=[(4010,'make -j',None)],life=600,pause=[300],resume=[(4000,60)],end='timeout',at=4060.6,conf='high',ev=['60 s|1 min'])
c('second-024','Crash before pause, fixed after resume','undetermined','Latest execution first: it was rerun with success.',
  out=[(20,"Error: Cannot find module 'zod'\nRequire stack:\n- /a/i.js"),(4040,'server tests: 12 passed','stdout')],procs=[(5,'node i.js',20.2,0,R(1)),(4010,'npm i zod && npm test',4040.2,0,OK)],life=600,pause=[100],resume=[(4000,600)],end='request',at=4060)
c('second-025','Auto-pause while only a server runs','undetermined','A server is not unfinished work... paused by its setting with nothing else running',
  out=[(4,'Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)','stdout'),(30,'migration finished','stdout')],procs=[(2,'uvicorn app:app --host 0.0.0.0',None),(20,'python migrate.py',30.1,0,OK)],pause=[300.5],onto='pause',life=300,run=330)
c('second-026','Everything expired: only Get says paused','undetermined','Paused; no data.',events=False,metrics=False,platform=False,pause=[300.5],onto='pause',life=3600,run=330,now=900000)
c('second-027','Self-hosted: Sandbox stopped alone, no events, memory 98 %','out_of_memory','VM gone at the ceiling; no killing line.',out=[(50,'chunk 9','stdout')],procs=[(5,'./ingest',None)],rise=((0,20),(80,98)),events=False,end='vm',at=84,life=600,conf='medium')
c('second-028','Command limit in client words only','timeout','deadline_exceeded for one command after its limit.',out=[(35.3,"e2b_connect.client.ConnectException: (<Code.deadline_exceeded: 'deadline_exceeded'>, 'context deadline exceeded')")],procs=[(5,'python slow.py',35.02,30000)],run=70,life=3600,ev=['30 s','command'])
c('second-029','Request kill while a client request was in flight, no procs (notebook)','killed_early','The client lost a request in flight when the sandbox was deleted.',out=[(58,'epoch 4 loss 0.3','stdout'),(61,'httpcore.RemoteProtocolError: Server disconnected without sending a response.')],end='request',at=60.5,life=1800,conf='medium')
c('second-030','cpu pegged until timeout','timeout','busy loop; cpu factor.',procs=[(5,'python spin.py',None)],cpu=((0,99),(400,99)),life=300,end='timeout',at=300.6,factors=['cpu_pegged'])
# memory variants
c('second-040','Spark executor lost to container limit','out_of_memory','The tool states that its memory limit was exceeded and the job aborted.',
  out=[(90,'26/05/02 10:00:30 ERROR TaskSchedulerImpl: Lost executor 3 on 10.1.2.3: Container killed by YARN for exceeding memory limits. 5.5 GB of 5.5 GB physical memory used. Consider boosting spark.executor.memoryOverhead.\nException in thread "main" org.apache.spark.SparkException: Job aborted due to stage failure: Task 17 in stage 4.0 failed 4 times, most recent failure: Lost task 17.3 in stage 4.0 (TID 88) (10.1.2.3 executor 3): ExecutorLostFailure (executor 3 exited caused by one of the running tasks) Reason: Container killed by YARN for exceeding memory limits.')],
  procs=[(5,'spark-submit job.py',90.5,0,R(1))],mem=8192,rise=((0,20),(88,70)),factors=['exit_code:1'],sig=['memory'])
c('second-041','Ray OOM monitor','out_of_memory','Ray states that it killed the worker because memory was nearly full.',
  out=[(60,'ray.exceptions.OutOfMemoryError: Task was killed due to the node running low on memory.\nMemory on the node (IP: 10.0.0.2, ID: 8a11) where the task (task ID: 71ad, name=shard, pid=771, memory used=0.91GB) was running was 0.94GB / 0.99GB (0.951), which exceeds the memory usage threshold of 0.95.')],
  procs=[(5,'python ray_job.py',60.5,0,R(1))],rise=((0,20),(59,94),(64,20)),factors=['exit_code:1'],sig=['OutOfMemoryError'],conf='high')
c('second-042','V8 in Chromium: page crashed at full memory','out_of_memory','The renderer vanished at 96 % and nobody else sent it.',
  out=[(40,'Error: page.goto: Page crashed\n    at capture (/home/user/bot/shot.js:14:14)\n    at async main (/home/user/bot/shot.js:40:3)')],procs=[(5,'node bot/shot.js',40.3,0,R(1))],rise=((0,20),(39,96),(44,30)),factors=['exit_code:1'],conf='medium')
c('second-043','Page crashed at calm memory','crashed','Renderer crash w/o memory pressure.',
  out=[(40,'Error: page.goto: Page crashed\n    at capture (/home/user/bot/shot.js:14:14)')],procs=[(5,'node bot/shot.js',40.3,0,R(1))],rise=((0,20),(39,40)),factors=['exit_code:1'],sig=['Page crashed','capture'])
c('second-044','gunicorn: worker sent SIGKILL! Perhaps out of memory?','undetermined','gunicorn guesses; the worker was restarted after its own timeout and the server goes on at 30 %.',
  out=[(40,'[2026-05-02 10:00:40 +0000] [12] [CRITICAL] WORKER TIMEOUT (pid:33)\n[2026-05-02 10:00:41 +0000] [12] [ERROR] Worker (pid:33) was sent SIGKILL! Perhaps out of memory?\n[2026-05-02 10:00:41 +0000] [41] [INFO] Booting worker with pid: 41'),(60,'GET /health 200','stdout')],procs=[(2,'gunicorn app:app',None)],rise=((0,20),(60,31)),run=90,life=3600)
c('second-045','Postgres: out of shared memory (locks)','crashed','A table of locks is full: fixed table inside a program.',
  out=[(20,'psycopg2.errors.OutOfMemory: out of shared memory\nHINT:  You might need to increase "max_locks_per_transaction".')],procs=[(2,'python drop_all.py',20.2,0,R(1))],factors=['exit_code:1'],sig=['out of shared memory'])
c('second-046','wasm memory.grow / RangeError WebAssembly','out_of_memory','WebAssembly could not get memory: "WebAssembly.Memory(): could not allocate memory".',
  out=[(20,'RangeError: WebAssembly.Memory(): could not allocate memory\n    at loadCore (/app/src/wasm.js:8:10)\n    at main (/app/src/index.js:3:1)')],procs=[(2,'node src/index.js',20.2,0,R(1))],rise=CEIL(20,93),factors=['exit_code:1'],sig=['WebAssembly.Memory','loadCore'])
c('second-047','git: Out of memory, malloc failed','out_of_memory','git says it.',out=[(20,'fatal: Out of memory, malloc failed (tried to allocate 1073741825 bytes)\nfatal: index-pack failed')],procs=[(2,'git clone https://git.example.com/a/b.git',20.2,0,R(128))],rise=CEIL(20,92),factors=['exit_code:128'],sig=['git|malloc'],conf='high')
c('second-048','Redis MISCONF vm.overcommit warning in logs, fine','undetermined','A warning at the start of redis, nothing failed.',
  out=[(3,'1:C 02 May 2026 10:00:03.001 # WARNING Memory overcommit must be enabled! Without it, a background save or replication may fail under low memory condition.\n1:M 02 May 2026 10:00:03.002 * Ready to accept connections tcp','stdout')],procs=[(2,'redis-server',None)],run=60,life=3600)
c('second-049','redis OOM command not allowed','out_of_memory','maxmemory of the program itself: own ceiling, ended the script.',
  out=[(20,'Traceback (most recent call last):\n  File "/app/q.py", line 9, in push\n    r.lpush("q", x)\nredis.exceptions.OutOfMemoryError: command not allowed when used memory > \'maxmemory\'.')],procs=[(2,'python q.py',20.2,0,R(1))],factors=['exit_code:1'],sig=['OutOfMemoryError','push'])
# tools
c('second-060','Gradle build failed: test','crashed','gradle.',out=[(60,"> Task :app:compileKotlin FAILED\ne: file:///home/user/app/src/main/kotlin/Main.kt:12:9 Unresolved reference 'foo'.\n\nFAILURE: Build failed with an exception.\n\n* What went wrong:\nExecution failed for task ':app:compileKotlin'.\n> A failure occurred while executing org.jetbrains.kotlin.compilerRunner.GradleCompilerRunnerWithWorkers$GradleKotlinCompilerWorkAction\n   > Compilation error. See log for more details\n\nBUILD FAILED in 55s")],procs=[(2,'./gradlew build',60.4,0,R(1))],factors=['exit_code:1'],sig=['foo|Unresolved'])
c('second-061','esbuild/vite build error','crashed','vite.',out=[(20,'error during build:\n[vite]: Rollup failed to resolve import "dayjs" from "/home/user/web/src/main.ts".\nThis is most likely unintended because it can break your application at runtime.')],procs=[(2,'npx vite build',20.2,0,R(1))],factors=['missing_package','exit_code:1'],sig=['dayjs'])
c('second-062','dbt database error','crashed','dbt.',out=[(20,'10:00:18  Database Error in model dim_user (models/dim_user.sql)\n10:00:18    column "signup_at" does not exist\n10:00:18    LINE 8: select signup_at\n10:00:18  Done. PASS=3 WARN=0 ERROR=1 SKIP=2 TOTAL=6','stdout')],procs=[(2,'dbt run',20.2,0,R(1))],factors=['exit_code:1'],sig=['signup_at'])
c('second-063','terraform error','crashed','tf.',out=[(20,'╷\n│ Error: Invalid provider registry host\n│ \n│ The host "registry.example.test" given in provider source address does not offer a Terraform provider registry.\n╵')],procs=[(2,'terraform init',20.2,0,R(1))],factors=['exit_code:1'],sig=['provider registry'])
c('second-064','Elixir mix crash','crashed','elixir.',out=[(20,'** (Mix) The database for Shop.Repo couldn\'t be created: killed')],procs=[(2,'mix ecto.create',20.2,0,R(1))],factors=['exit_code:1'],nofactors=['signal:9'])
c('second-065','Haskell error','crashed','haskell.',out=[(20,"shop: Map.!: given key is not an element in the map\nCallStack (from HasCallStack):\n  error, called at libraries/containers/containers/src/Data/Map/Internal.hs:617:17 in containers-0.6.7:Data.Map.Internal\n  rateOf, called at src/Rates.hs:12:9 in main:Rates")],procs=[(2,'./shop',20.2,0,R(1))],factors=['exit_code:1'],sig=['given key is not an element','rateOf'])
c('second-066','OCaml uncaught','crashed','ocaml.',out=[(20,'Fatal error: exception Not_found\nRaised at Stdlib__Hashtbl.find in file "hashtbl.ml", line 539, characters 13-28\nCalled from Dune__exe__Main.rate in file "bin/main.ml", line 9, characters 2-20')],procs=[(2,'./main.exe',20.2,0,R(2))],factors=['exit_code:2'],sig=['Not_found'])
c('second-067','uv no solution','crashed','uv.',out=[(20,"  × No solution found when resolving dependencies:\n  ╰─▶ Because only pandas<=2.2.3 is available and you require pandas>=3, we can conclude that your requirements are unsatisfiable.")],procs=[(2,'uv pip install -r requirements.txt',20.2,0,R(1))],factors=['install_failed','exit_code:1'],sig=['pandas'])
c('second-068','conda','crashed','conda.',out=[(20,'PackagesNotFoundError: The following packages are not available from current channels:\n\n  - fastgeo\n\nCurrent channels:\n\n  - https://conda.example.test/conda-forge')],procs=[(2,'conda install -y fastgeo',20.2,0,R(1))],factors=['install_failed','exit_code:1'],sig=['fastgeo'])
c('second-069','ssh host key','crashed','ssh.',out=[(20,'Host key verification failed.\nfatal: Could not read from remote repository.\n\nPlease make sure you have the correct access rights\nand the repository exists.')],procs=[(2,'git pull',20.2,0,R(128))],factors=['exit_code:128'],sig=['Host key verification failed'])
c('second-070','pip SSL/proxy blocked','crashed','network blocked during pip.',out=[(60,"WARNING: Retrying (Retry(total=0, connect=None, read=None, redirect=None, status=None)) after connection broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f11>: Failed to establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/requests/\nERROR: Could not find a version that satisfies the requirement requests (from versions: none)\nERROR: No matching distribution found for requests")],procs=[(2,'pip install requests',60.2,0,R(1))],factors=['network_blocked','install_failed','exit_code:1'],sig=['name resolution'])
c('second-071','truncated log line JSON with level error','crashed','pino JSON fatal.',out=[(20,'{"level":60,"time":1777723220123,"pid":44,"hostname":"e2b","err":{"type":"TypeError","message":"Cannot read properties of undefined (reading \'rates\')","stack":"TypeError: Cannot read properties of undefined (reading \'rates\')\\n    at convert (/app/src/fx.js:9:14)"},"msg":"uncaught exception"}')],procs=[(2,'node src/fx.js',20.2,0,R(1))],factors=['exit_code:1'],sig=['rates'])
c('second-072','interleaved output of two processes','crashed','Two programs write at once; the traceback is torn by progress lines.',out=[(20,"Traceback (most recent call last):\n[worker-2] 41% |####      | 41/100\n  File \"/app/m.py\", line 9, in <module>\n[worker-2] 42% |####      | 42/100\n    go()\n  File \"/app/m.py\", line 4, in go\n[worker-2] 43% |####      | 43/100\n    return 1/n\nZeroDivisionError: division by zero")],procs=[(2,'python m.py',20.2,0,R(1)),(3,'python w.py',None)],run=60,life=900,factors=['exit_code:1'],sig=['ZeroDivisionError','go'])
c('second-073','SIGTERM trap exit 143 by docker stop style request inside','crashed','A kill command inside the sandbox (kill PID) ended it with 143.',out=[(20,'Terminated')],procs=[(2,'bash loop.sh',20.1,0,R(143)),(19.9,'kill 511',20,0,OK)],run=60,life=900,factors=['exit_code:143'])
c('second-074','SIGTERM nobody known','undetermined','Signal 15 ended it and nobody is known to have sent it; a wrong class would be worse than none.',out=[(20,'Terminated')],procs=[(2,'bash loop.sh',20.1,0,R(143))],run=60,life=900)
c('second-075','Program prints ERROR lines and exits 0, removed','undetermined','ERROR in logs, exit 0.',out=[(20,'2026-05-02 10:00:20 ERROR [db] connection lost, reconnecting\n2026-05-02 10:00:21 INFO [db] reconnected'),(30,'exported 12 files','stdout')],procs=[(2,'python exp.py',30.2,0,OK)],end='request',at=40,life=900)
c('second-076','Out of memory mention in a test name, all passed','undetermined','Test names.',out=[(20,'tests/test_oom.py::test_out_of_memory_is_reported PASSED\ntests/test_oom.py::test_killed_worker_segfault PASSED\n2 passed in 0.02s','stdout')],procs=[(2,'pytest -v',20.2,0,OK)],end='request',at=30,life=900)
c('second-077','Failed to allocate in a warning, then finished','undetermined','TF warning "Allocation of … exceeds 10% of free system memory".',out=[(10,'W tensorflow/tsl/framework/cpu_allocator_impl.cc:83] Allocation of 308281344 exceeds 10% of free system memory.'),(30,'Epoch 1/1 - accuracy: 0.9\nsaved model','stdout')],procs=[(2,'python tf.py',30.2,0,OK)],rise=((0,20),(20,82),(30,60)),end='request',at=40,life=900)
# other languages, orders of events, compilers
c('third-001','French bash tells that the program was killed at full memory','out_of_memory','"Processus arrêté" is what French bash prints for Killed; memory 96 %.',out=[(40,'./run.sh : ligne 4 :   712 Processus arrêté      python3 train.py')],procs=[(2,'./run.sh',40.2,0,R(137))],rise=CEIL(40,96),factors=['exit_code:137','signal:9'],conf='medium')
c('third-002','Chinese: no space left','crashed','The disk was full; the message is in Chinese.',out=[(40,"cp: 写入 'out.bin' 出错: 设备上没有空间")],procs=[(2,'cp big out.bin',40.2,0,R(1))],disk=((0,20),(39,99.9)),factors=['disk_full','exit_code:1'])
c('third-003','Old agent: stdout in log as Streaming process event, killed by kernel','out_of_memory','Kernel line names a process of this sandbox.',out=[(30,'[   44.120031] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task_memcg=/user,task=java,pid=733,uid=1000\n[   44.120040] Out of memory: Killed process 733 (java) total-vm:4520112kB, anon-rss:790021kB, file-rss:1024kB, shmem-rss:0kB, UID:1000 pgtables:2100kB oom_score_adj:0')],procs=[(2,'java -jar svc.jar',30.3,0,R(137))],rise=((0,20),(30,50)),factors=['exit_code:137','signal:9'],ev=['java'],conf='high')
c('third-004','Memory 92 % flat for ten minutes, request kill mid work','killed_early','High memory alone is not a failure; the request ended running work.',out=[(595,'batch 512 ok','stdout')],procs=[(5,'python serve_batch.py',None)],rise=((0,20),(60,92)),end='request',at=600,life=3600,conf='high',ev=['request'])
c('third-005','GC saw-tooth to 97 %, timeout','timeout','Saw-teeth explain nothing; kill_reason=timeout while running.',out=[(590,'GC 12 done','stdout')],procs=[(5,'java -jar stream.jar',None)],rise=((0,20),(100,97),(105,40),(200,97),(205,40),(300,97),(305,40),(590,95)),end='timeout',at=600.4,life=600,conf='high')
c('third-006','OOM 2 s before timeout','out_of_memory','The kernel kill came first, by the clock within two seconds, but it is a kernel line naming the process and the process ended with 137.',out=[(298,'Memory cgroup out of memory: Killed process 812 (python3) total-vm:920112kB, anon-rss:890021kB, file-rss:0kB, shmem-rss:0kB\nKilled')],procs=[(2,'bash job.sh',298.2,0,R(137))],rise=((0,20),(297,97),(299,20)),end='timeout',at=300.6,life=300,factors=['signal:9','exit_code:137'],conf='high')
c('third-007','Exit 137 then admin kill','out_of_memory','Command killed at 97 % and the agent was told; staff removed the sandbox later.',out=[(60,'Killed')],procs=[(2,'python3 big.py',60.1,0,R(137))],rise=CEIL(60,97),end='admin',at=1200,life=3600,factors=['exit_code:137','signal:9'])
c('third-008','Admin kill while healthy work done','killed_early','admin whatever.',out=[(20,'done','stdout')],procs=[(2,'python3 a.py',20.1,0,OK)],end='admin',at=1200,life=3600,ev=['admin'])
c('third-009','Exit 1 of grep in the middle, then timeout while a job ran','timeout','kill_reason timeout, running.',procs=[(2,'grep x y',2.1,0,R(1)),(5,'python long.py',None)],end='timeout',at=300.4,life=300,conf='high')
c('third-010','pytest killed itself by its own timeout plugin','crashed','pytest-timeout is inside the program.',out=[(70,'+++++++++++++++++++++++++++++++++++ Timeout +++++++++++++++++++++++++++++++++++\n~~~~~~~~~~~~~~~~~~~~~ Stack of MainThread (139) ~~~~~~~~~~~~~~~~~~~~~\n  File "/home/user/tests/test_api.py", line 14, in test_slow\n    client.get("/x")\nFailed: Timeout >60.0s')],procs=[(2,'pytest --timeout 60',70.2,0,R(1))],life=3600,factors=['exit_code:1'])
c('third-011','npm ci killed by signal at calm memory','undetermined','SIGKILL w/o sender.',out=[(70,'npm error signal SIGKILL\nnpm error command sh -c node scripts/postinstall.js')],procs=[(2,'npm ci',70.2,0,R(1))],rise=((0,20),(70,35)),life=3600,factors=['signal:9'])
c('third-012','Server binds, agent deletes sandbox while nothing else','undetermined','Only a server is up after the setup was done; not unfinished work.',out=[(14,'added 212 packages in 9s','stdout'),(20,'➜  Local:   http://localhost:5173/','stdout')],procs=[(2,'npm install',14.1,0,OK),(16,'npm run dev',None)],end='request',at=900,life=3600)
c('third-013','Healthcheck failing and no more metrics, Get says running, calm','crashed','VM lost: Get says running but samples stopped and the health line says failing.',out=[(60,'step 3','stdout')],procs=[(2,'./sim',None)],rise=((0,20),(60,30)),gaps=((82,4000),),run=600,now=640,life=3600,logs=[(90,'error','Sandbox healthcheck started failing','orchestrator',{'healthcheck':'false'})])
c('third-014','Selenium: chrome not reachable, exit 1','crashed','Program error.',out=[(30,'Traceback (most recent call last):\n  File "/app/b.py", line 9, in <module>\n    open_site()\n  File "/app/b.py", line 5, in open_site\n    d = webdriver.Chrome()\nselenium.common.exceptions.SessionNotCreatedException: Message: session not created: Chrome instance exited. Examine ChromeDriver verbose log to determine the cause.\nStacktrace:\n#0 0x5581 <unknown>')],procs=[(2,'python b.py',30.1,0,R(1))],factors=['exit_code:1'],sig=['SessionNotCreatedException','open_site'])
c('third-015','Disk quota of pip cache: OSError 28 inside pip, then deleted','crashed','Full disk during an install.',out=[(60,"ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device\n\n[notice] A new release of pip is available: 24.0 -> 25.1")],procs=[(2,'pip install torch',60.1,0,R(1))],disk=((0,40),(59,99.9)),end='request',at=70,life=900,factors=['disk_full','install_failed','exit_code:1'],sig=['No space left'])
c('third-016','Handled OOM of a subprocess in Python: except MemoryError, exit 0','undetermined','Caught.',out=[(20,'WARNING: MemoryError while building the index, falling back to disk index'),(40,'index ready (disk)','stdout')],procs=[(2,'python idx.py',40.1,0,OK)],rise=((0,20),(19,96),(24,30)),end='request',at=50,life=900)
c('third-017','Background process OOM-killed, main command goes on and is running','undetermined','The kernel killed a helper; the main work went on and is still running: nothing ended the work.',out=[(20,'Out of memory: Killed process 900 (chrome) total-vm:920112kB, anon-rss:390021kB, file-rss:0kB, shmem-rss:0kB\ncrawler: browser gone, starting another one'),(60,'crawled 41 pages','stdout'),(100,'crawled 61 pages','stdout')],procs=[(2,'node crawl.js',None)],rise=((0,20),(19,97),(24,30)),run=110,life=3600)
c('third-018','.NET stack overflow','crashed','Stack overflow is not memory.',out=[(20,'Stack overflow.\n   at Shop.Tree.Walk(Node)\n   at Shop.Tree.Walk(Node)\nAborted (core dumped)')],procs=[(2,'dotnet run',20.1,0,R(134))],factors=['exit_code:134'],sig=['Stack overflow','Walk'])
c('third-019','Node: max call stack','crashed','Stack.',out=[(20,'/app/t.js:3\n    return walk(n.left)\n    ^\n\nRangeError: Maximum call stack size exceeded\n    at walk (/app/t.js:3:5)\n    at walk (/app/t.js:3:12)\n\nNode.js v22.14.0')],procs=[(2,'node t.js',20.1,0,R(1))],factors=['exit_code:1'],sig=['Maximum call stack','walk'])
c('third-020','Rust stack overflow SIGABRT','crashed','Stack.',out=[(20,"\nthread 'main' has overflowed its stack\nfatal runtime error: stack overflow\nAborted (core dumped)")],procs=[(2,'./t',20.1,0,R(134))],factors=['exit_code:134'],sig=['stack'])
c('third-021','Go: too many threads','crashed','Threads limit.',out=[(20,'runtime: failed to create new OS thread (have 9 already; errno=11)\nruntime: may need to increase max user processes (ulimit -u)\nfatal error: newosproc')],procs=[(2,'./g',20.1,0,R(2))],factors=['exit_code:2'])
c('third-022','Text2vec: user prompt asks for killed, running','undetermined','Words in a prompt.',out=[(20,'{"role":"user","content":"my job says Killed and exit code 137, MemoryError: out of memory"}','stdout'),(25,'{"role":"assistant","content":"Traceback (most recent call last) means ..."}','stdout')],procs=[(2,'node agent.js',None)],run=60,life=3600)
c('third-024','Killed by cgroup process limit? fork: retry: Resource temporarily unavailable','crashed','Processes limit.',out=[(20,'bash: fork: retry: Resource temporarily unavailable\nbash: fork: Resource temporarily unavailable')],procs=[(2,'bash many.sh',20.1,0,R(254))],factors=['exit_code:254'])
# ---- beside the main command, servers by their flags, native frames, solvers, nothing but a line
c('fifth-001','A side command dies by its own limit beside an agent that works until the timeout','timeout','kill_reason timeout with the agent at work: the bounded check that died before was a side command, and the agent said that it went on.',
  out=[(240,'./stress.sh: line 7:   902 Killed                  timeout -s KILL 3 ./stress --all'),(250,'stress is bounded by design, next file','stdout'),(880,'editing codec.py (4 of 6)','stdout')],
  procs=[(5,'codeagent --yes "port the codec"',None),(236,'./stress.sh',240.2)],end='timeout',at=900.5,life=900,ev=['15 min|900 s'],conf='high')
c('fifth-002','A command is ended by the limit in the script that runs it','timeout','The shell names the time limit command as what was killed: timeout sends signal 9 to itself as well.',
  out=[(65,'./nightly.sh: line 3:   733 Killed                  timeout -s KILL 60 ./replay day.log')],procs=[(4,'./nightly.sh',65.2,0,R(137))],end='request',at=80,life=900,factors=['exit_code:137'])
c('fifth-003','Killed after two of sixty seconds under a time limit','undetermined','The limit was far from run out: the sender of signal 9 is not known.',
  out=[(6,'./nightly.sh: line 3:   733 Killed                  timeout -s KILL 60 ./replay day.log')],procs=[(4,'./nightly.sh',6.2,0,R(137))],rise=((0,15),(60,30)),end='request',at=80,life=900,factors=['signal:9'])
c('fifth-004','A failed job, another command still running at the timeout','crashed','The program told its error and ended; a command still ran at the timeout, so the sandbox was not idle.',
  out=[(20,'Traceback (most recent call last):\n  File "/app/load.py", line 9, in <module>\n    fill()\n  File "/app/load.py", line 4, in fill\n    rows["id"]\nKeyError: \'id\'')],procs=[(2,'node watch-jobs.js',None),(8,'python load.py',20.3,0,R(1))],end='timeout',at=300.4,life=300,factors=['exit_code:1'],sig=['KeyError','fill'],ev=['timeout removed the sandbox only later'])
for n,command in enumerate(('go run ./cmd/mock -addr :9191','./stub --port 9191','./gate --listen 0.0.0.0:9191')):
    c('fifth-01%d'%n,'Tests pass with a server left up: %s'%command,'undetermined','A listen flag marks a server: left up after completed work it is not unfinished work.',
      out=[(40,'ok  \texample.com/relay/codec\t3.114s','stdout')],procs=[(4,command,None),(12,'go test ./...',41,0,OK)],end='request',at=49,life=600,ev=['request','normal|completed|finished'])
c('fifth-013','A load client with a host and a port is at work','killed_early','--port of a named host is a client\'s: the command had not ended.',
  out=[(40,'pushed 4100 rows','stdout')],procs=[(4,'./pushrows --host db.example.com --port 5432',None)],end='request',at=49,life=600)
c('fifth-020','File watch limit, told as an error object','crashed','A limit on file watches prints ENOSPC as well; the code of the error object says nothing more.',
  out=[(9,"Error: ENOSPC: System limit for number of file watchers reached, watch '/home/user/larch/src'\n    at FSWatcher.<computed> (node:internal/fs/watchers:247:19)\nEmitted 'error' event on FSWatcher instance at:\n    at FSWatcher._handleError (file:///home/user/larch/node_modules/chokidar/index.js:90:10) {\n  errno: -28,\n  syscall: 'watch',\n  code: 'ENOSPC'\n}")],
  procs=[(3,'npx vite --host',9.3,0,R(1))],factors=['exit_code:1'],nofactors=['disk_full'],sig=['file watchers'],conf='high')
c('fifth-021','Full disk, told by the code of an error object alone','crashed','The error names no reason; its code is that of a full disk.',
  out=[(9,"Error: write failed\n    at saveTiles (/home/user/larch/save.js:40:9) {\n  errno: -28,\n  syscall: 'write',\n  code: 'ENOSPC'\n}")],
  procs=[(3,'node save.js',9.3,0,R(1))],factors=['exit_code:1','disk_full'],sig=['saveTiles'])
c('fifth-030','Fortran segfault with a backtrace','crashed','A signal from inside; the innermost own routine stands below the C library\'s unnamed frame.',
  out=[(27,'\nProgram received signal SIGSEGV: Segmentation fault - invalid memory reference.\n\nBacktrace for this error:\n#0  0x7f11aa in ???\n#1  0x55d0b0a1c4f3 in assemble_rows_\n\tat /home/user/plate/rows.f90:77\n#2  0x55d0b0a1d001 in MAIN__\n\tat /home/user/plate/main.f90:31\nrun.sh: line 2:   512 Segmentation fault      (core dumped) ./plate in.nml')],
  procs=[(4,'bash run.sh',27.4,0,R(139))],factors=['segfault','exit_code:139'],sig=['Segmentation fault','assemble_rows'],nosig=['0x55d0',':77','MAIN__'],conf='high')
c('fifth-031','Segfault under a debugger in batch mode','crashed','A signal from inside; the debugger\'s innermost own frame is below the C library\'s.',
  out=[(27,'Program received signal SIGSEGV, Segmentation fault.\n#0  0x00007ffff7e4 in __strlen_avx2 () from /usr/lib/x86_64-linux-gnu/libc.so.6\n#1  0x0000555555 in parse_label (s=0x0) at label.c:40\n#2  0x0000555556 in main () at main.c:9')],
  procs=[(4,'gdb -batch -ex run -ex bt ./label',27.4,0,R(1))],sig=['Segmentation fault','parse_label'],nosig=['label.c:40','0x0000'])
c('fifth-040','Gem versions do not fit','crashed','The solver names both sides of the conflict: an install that failed.',
  out=[(12,'Could not find compatible versions\n\nBecause every version of larch-rails depends on activesupport >= 6.1, < 7.1\n  and Gemfile depends on larch-rails >= 0,\n  activesupport >= 6.1, < 7.1 is required.\nSo, because Gemfile depends on activesupport ~> 8.0,\n  version solving has failed.')],
  procs=[(4,'bundle install',12.4,0,R(6))],factors=['install_failed','exit_code:6'],sig=['compatible versions|version solving','larch-rails','activesupport ~> 8.0'],ev=['do not fit together'],conf='high')
c('fifth-041','Dart packages do not fit','crashed','The solver names both sides of the conflict: an install that failed.',
  out=[(12,'Resolving dependencies...\nBecause every version of larch_ui depends on meta ^1.9.0 and larch depends on meta ^2.0.0, larch_ui is forbidden.\nSo, because larch depends on larch_ui any, version solving failed.')],
  procs=[(4,'dart pub get',12.4,0,R(1))],factors=['install_failed','exit_code:1'],sig=['larch_ui','meta ^2.0.0'],ev=['do not fit together'],conf='high')
c('fifth-050','Nothing but one line of the client','undetermined','The client prints it whatever the reason; nothing else is there, and the brief says so.',
  out=[(30,"e2b.exceptions.TimeoutException: The sandbox was not found: This error is likely due to sandbox timeout.")],events=False,metrics=False,platform=False,sandbox=None,ev=['no events','no metrics','no log lines'])

# ---- what a first sight of two other sets got wrong
c('sight-201-dotnet-report','The host reports the abort below the exception','out_of_memory','The report of the exit goes on with the shell\'s word for the signal; that is the same failure, and the runtime had said why.',
  out=[(30,"Unhandled exception. System.OutOfMemoryException: Exception of type 'System.OutOfMemoryException' was thrown.\n   at System.Text.StringBuilder.ExpandByABlock(Int32 n)\n   at Depot.Export.Sheet.Render(Row[] rows) in /src/Depot/Sheet.cs:line 61"),(31.2,'Command exited with code 134 and error:'),(31.2,'Aborted (core dumped)')],
  procs=[(3,'dotnet Depot.dll',32.3,0,R(134))],rise=CEIL(31,94),factors=['exit_code:134'],sig=['OutOfMemoryException','Render'],conf='high')
c('sight-202-python-report','The same with a Python program that native code aborts','crashed','What follows "and error:" is what the command printed last, not another failure.',
  out=[(30,'Fatal Python error: Aborted\n\nThread 0x00007f8 (most recent call first):\n  File "/home/user/mesh.py", line 40 in refine\n  File "/home/user/mesh.py", line 71 in <module>'),(31,'Command exited with code 134 and error:'),(31,'Aborted (core dumped)')],
  procs=[(3,'python mesh.py',31.5,0,R(134))],factors=['exit_code:134'],sig=['refine'],conf='medium')
c('sight-203-r-segfault','R catches a segmentation fault and prints its calls','crashed','R tells the calls innermost first; the first that is no call into native code is the customer\'s.',
  out=[(40,' *** caught segfault ***\naddress 0x7f18a4000020, cause \'memory not mapped\'\n\nTraceback:\n 1: .Call("c_fill", grid)\n 2: fill_grid(grid, by = 2)\n 3: lapply(grids, fill_grid)\n 4: prepare(grids)\nAn irrecoverable exception occurred. R is aborting now ...'),(40.2,'./all.sh: line 4:   812 Segmentation fault      (core dumped) Rscript prepare.R')],
  procs=[(3,'./all.sh',41,0,R(139))],factors=['segfault','exit_code:139','signal:11'],sig=['segfault','fill_grid'],nosig=['0x7f18a4000020'],conf='high')
c('sight-204-gunicorn-orphan','A server from before the pause still holds the port','crashed','The first server was started before the pause and never ended; the second cannot have its port.',
  out=[(8,'[2026-05-03 10:00:08 +0000] [700] [INFO] Listening at: http://0.0.0.0:9000 (700)'),(610,"[2026-05-03 10:10:10 +0000] [744] [ERROR] Connection in use: ('0.0.0.0', 9000)\n[2026-05-03 10:10:10 +0000] [744] [ERROR] Retrying in 1 second."),(615,"[2026-05-03 10:10:15 +0000] [744] [ERROR] Can't connect to ('0.0.0.0', 9000)"),(616,'Command exited with code 1 and error:')],
  procs=[(7,'gunicorn shop:app -b 0.0.0.0:9000',None,0),(608,'gunicorn shop:app -b 0.0.0.0:9000',616,0,R(1))],pause=(300,),resume=((600,1800),),life=1200,
  factors=['port_in_use','orphaned_processes','exit_code:1'],sig=['in use'],nosig=['744'],ev=['9000'],conf='high')
c('sight-205-too-many-files','The file that was one too many','crashed','Which file it was is chance; the limit is the cause.',
  out=[(20,"Traceback (most recent call last):\n  File \"/home/user/pack.py\", line 31, in <module>\n    pack(args)\n  File \"/home/user/pack.py\", line 14, in pack\n    parts.append(open(name))\nOSError: [Errno 24] Too many open files: 'parts/chunk-01019.bin'")],
  procs=[(3,'python pack.py',20.4,0,R(1))],factors=['too_many_open_files','exit_code:1'],sig=['Too many open files','pack'],nosig=['01019','chunk'],conf='high')
c('sight-206-kernel-segfault','The notebook kernel dies of a segmentation fault','crashed','The kernel told its fault before the restart was noticed.',
  out=[(40,'Fatal Python error: Segmentation fault\n\nThread 0x00007f10c1a0d640 (most recent call first):\n  File "/tmp/ipykernel_40/2204418837.py", line 9 in bend\n  File "/tmp/ipykernel_40/2204418837.py", line 21 in <module>'),(40.5,'ContextRestarting: Context was restarted')],
  factors=['kernel_restarted','segfault'],sig=['segmentation fault','bend'],nosig=['2204418837'],conf='medium')
c('sight-207-only-samples','Calm samples are all there is','undetermined','Nothing tells how it ended, and the brief says what is missing.',
  events=False,platform=False,state='gone',sandbox=None,rise=((0,20),(200,31)),run=200,now=4000,ev=['no events','no log lines'])
c('sight-208-go-client-timeout','A Go program gives up on a slow service','crashed','Its own request got no answer in time; this is no limit of the command or of the sandbox.',
  out=[(25,'2026/05/04 09:14:02 fetch orders/8812: Get "https://api.example.com/orders/8812": context deadline exceeded (Client.Timeout exceeded while awaiting headers)\nexit status 1')],
  procs=[(3,'go run ./cmd/sync',25.3,0,R(1))],factors=['exit_code:1'],sig=['Client.Timeout'],nosig=['8812'])
c('sight-209-npm-lock','The lock file lacks a dependency','crashed','npm ci says which package the lock file lacks: that is the cause.',
  out=[(12,'npm error code EUSAGE\nnpm error\nnpm error `npm ci` can only install packages when your package.json and package-lock.json are in sync. Please update your lock file with `npm install` before continuing.\nnpm error\nnpm error Missing: left-pad-ng@1.3.0 from lock file\nnpm error\nnpm error Clean install a project')],
  procs=[(3,'npm ci',12.4,0,R(1))],factors=['install_failed','exit_code:1'],sig=['EUSAGE','left-pad-ng'],ev=['left-pad-ng','lock'],conf='high')
c('sight-210-early-with-a-request','A request ends the sandbox while a client waits for a command','killed_early','The command that was still running is named beside the client that noticed.',
  out=[(20,'..........................              [ 24%]','stdout'),(60,'..........................              [ 48%]','stdout'),(101.4,'e2b.exceptions.TimeoutException: peer closed connection: The sandbox was killed or reached its end of life while the request was in flight.')],
  procs=[(3,'pytest -q tests',None,0)],end='request',at=100,life=600,ev=['request','pytest'],conf='high')
c('sight-211-heading','What failed stands below the heading','crashed','The first lines say that it failed, the third says why.',
  out=[(9,'BUILD FAILURE\n2 errors occurred:\n[WARNING] configuration has no owner element\nplatypus: renderer inkwell is not installed')],
  procs=[(3,'./publish.sh',9.4,0,R(3))],factors=['exit_code:3'],sig=['inkwell'],nosig=['owner','BUILD'])
