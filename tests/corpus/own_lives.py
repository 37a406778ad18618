"""Cases of our own: lives of sandboxes. Endings, limits, pauses, samples that are coarse, clocks that differ.

Each entry says why an expert decides so. Imported by tests/corpus/run for what it adds to own_cases.CASES.
"""
from own_cases import C, GROW, K, O, T, U, case, kernel, log, traceback

KILLED = 'Command exited with code -1 and error:\nsignal: killed'

# ---- signal 9 and the samples before it ----

case('mem-30s-samples', O, 'Samples come every 30 s; the last before the death is 20 s old, within one interval, and at 93 %.', limit=7200, step=30, end=4000,
     mem_pts=[(0, 10), (3900, 93), (3960, 93), (3990, 14)], procs=[(500, 'python3 embed.py', 5, 3980)], out=[(3980.3, 'e', KILLED)], expect={'confidence_at_least': 'medium', 'factors': ['signal:9']})
case('mem-60s-samples', O, 'Samples come every 60 s; the last before the death is 50 s old, within one interval, and at 95 %.', limit=86400, step=60, end=30000,
     mem_pts=[(0, 10), (28000, 95), (29100, 95), (29160, 12)], procs=[(500, './solver', 5, 29150)], out=[(29150.4, 'e', 'Command exited with code 137')], expect={'confidence_at_least': 'medium', 'factors': ['signal:9', 'exit_code:137']})
case('mem-60s-calm', U, 'Samples come every 60 s and were calm in the minute of the death: nothing shows memory, nothing another sender.', limit=86400, step=60, end=30000,
     mem_pts=[(0, 10), (20000, 61)], procs=[(500, './solver', 5, 29150)], out=[(29150.4, 'e', 'Command exited with code 137')], expect={'factors': ['signal:9']})
case('mem-89', U, 'Memory was at 88 % in the last sample: below the line, and no kernel record.', state='running', now=120, mem_pts=[(0, 10), (40, 88), (45, 12)],
     procs=[(500, 'python3 a.py', 5, 43)], out=[(43.3, 'e', 'Command exited with code 137')], expect={'factors': ['signal:9', 'exit_code:137']})
case('mem-silence', O, 'The samples stop at 94 % and the silence lasts until the death, 80 s later.', state='gone', end=240, metrics_until=101, mem_pts=[(0, 10), (95, 94)],
     procs=[(500, 'node index.js', 5, 180)], out=[(180.2, 'e', KILLED)], reason='request', expect={'confidence_at_least': 'medium', 'factors': ['signal:9']})
case('mem-big-machine', O, 'A large sandbox at 98 %: size does not matter, only the share.', mem=16384, state='running', now=200, mem_pts=[(0, 10), (110, 98), (115, 8)],
     procs=[(500, 'Rscript model.R', 5, 113)], out=[(113.2, 'e', KILLED)], expect={'confidence_at_least': 'medium', 'factors': ['signal:9'], 'evidence_must_mention': ['16384 MB|16 GB', '98%|97%']})
case('mem-small-machine', O, 'A small sandbox at 91 %, with a script around the program: 137.', mem=256, state='running', now=120, mem_pts=[(0, 30), (20, 91), (25, 30)],
     procs=[(500, 'bash nightly.sh', 5, 22)], out=[(21.8, 'e', 'nightly.sh: line 4:   533 Killed                  ruby import.rb'), (22.2, 'e', 'Command exited with code 137')],
     expect={'factors': ['exit_code:137', 'signal:9'], 'signature_contains': ['import.rb|ruby'], 'evidence_must_mention': ['256 MB', '91%|90%']})
case('mem-cache-full', U, 'The page cache was full and used memory low: no memory pressure; signal 9 has no known sender.', state='running', now=120, mem_pts=[(0, 20)],
     procs=[(500, 'tar czf /tmp/all.tgz /data', 5, 60)], out=[(60.2, 'e', KILLED)], expect={'factors': ['signal:9']})
case('mem-skewed-sample', O, 'The sample stamped 1.5 s after the death shows 96 %: the clocks differ by up to 2 s, and the one before was at 84 %.', state='running', now=120, step=5,
     mem_pts=[(0, 10), (40, 84), (45, 96), (50, 12)], procs=[(500, 'python3 a.py', 5, 43.6)], out=[(43.8, 'e', KILLED)], expect={'factors': ['signal:9']})
case('mem-first-kill-counts', O, 'The first killed command ended the work; the second failed because its input was missing.', end=120, mem_pts=[(0, 10), (40, 96), (45, 10)],
     procs=[(500, 'python3 make_index.py', 5, 42), (501, 'python3 use_index.py', 50, 52)],
     out=[(42.2, 'e', 'Command exited with code 137'), (51.8, 'e', traceback('open(p)', "FileNotFoundError: [Errno 2] No such file or directory: 'index.bin'")), (52.2, 'e', 'Command exited with code 1')],
     expect={'factors': ['exit_code:137', 'signal:9']})
case('mem-retried-smaller', U, 'The command was killed at full memory, was run again with less, and finished.', end=200, mem_pts=[(0, 10), (40, 96), (45, 10), (80, 55)],
     procs=[(500, 'python3 fit.py --batch 512', 5, 42), (501, 'python3 fit.py --batch 64', 50, 150)], out=[(42.2, 'e', 'Command exited with code 137'), (149, 'o', 'model saved')])
case('mem-then-request', O, 'Killed by the kernel, removed by a request a second later: the first decides.', end=43.2, mem_pts=GROW,
     procs=[(500, 'python3 a.py', 5, 42.4)], out=[(42.5, 'e', KILLED), (43, 'o', kernel(500, 'python3'))], expect={'confidence_at_least': 'high', 'factors': ['signal:9']})
case('mem-vm-gone-coarse', O, 'The machine ended by itself with the last coarse sample at 97 %.', limit=7200, step=30, end=4000, killed=False, mem_pts=[(0, 10), (3900, 97)], procs=[(500, 'python3 a.py', 5, None)], now=4100,
     expect={'confidence_at_least': 'medium'})
case('mem-vm-gone-88', C, 'The machine ended by itself at 88 %: not at the ceiling.', end=200, killed=False, limit=3600, mem_pts=[(0, 10), (190, 88)], procs=[(500, 'python3 a.py', 5, None)], now=300)
case('mem-resumed-old-peak', U, 'Memory was full before the pause; after the resume it was calm when signal 9 came.', state='running', now=3720, mem_pts=[(0, 10), (50, 97), (60, 20)], pause=(60, 3600),
     procs=[(500, 'python3 a.py', 3605, 3640)], out=[(3640.3, 'e', KILLED)], expect={'factors': ['signal:9']})
case('mem-after-resume', O, 'After the resume a command was killed at full memory.', state='running', now=3720, mem_pts=[(0, 10), (3630, 20), (3640, 95), (3645, 15)], pause=(60, 3600),
     procs=[(500, 'ffmpeg -i a.mov b.mp4', 3605, 3642)], out=[(3642.3, 'e', KILLED)], expect={'factors': ['signal:9'], 'signature_contains': ['ffmpeg']})

# ---- who sent the signal ----

case('sig-api-term', K, 'A signal call through the API came just before the end with signal 15.', state='running', now=120, procs=[(500, 'python3 a.py', 5, 60)],
     logs=[(59.6, 'Process sendSignal', {'method': 'POST /process.Process/SendSignal', 'operation_id': '9'})], out=[(60.2, 'e', 'Command exited with code -1 and error:\nsignal: terminated')], expect={'factors': ['signal:15']})
case('sig-api-full-memory', K, 'A signal call through the API came just before; that sender stands before memory, though memory was full.', state='running', now=120, mem_pts=[(0, 10), (50, 96)], procs=[(500, 'python3 a.py', 5, 60)],
     logs=[(59.5, 'Process sendSignal', {'method': 'POST /process.Process/SendSignal'})], out=[(60.2, 'e', KILLED)], expect={'factors': ['signal:9']})
case('sig-api-long-before', U, 'A signal call came 40 s before the end, to another command: it is not the sender.', state='running', now=120, procs=[(499, 'sleep 500', 4, 20), (500, 'python3 a.py', 5, 60)],
     logs=[(20, 'Process sendSignal', {'method': 'POST /process.Process/SendSignal'})], out=[(60.2, 'e', KILLED)], expect={'factors': ['signal:9']})
case('sig-inner-pkill', C, 'pkill was run in the sandbox half a second before.', state='running', now=120, procs=[(500, 'node bot.js', 5, 60), (520, 'pkill -f bot.js', 59.4, 59.6)], out=[(60.2, 'e', 'Command exited with code -1 and error:\nsignal: terminated')], expect={'factors': ['signal:15']})
case('sig-inner-watchdog', C, 'A watchdog script run in the sandbox killed it; memory was full, but the sender is known.', state='running', now=120, mem_pts=[(0, 10), (50, 95)], procs=[(500, 'node bot.js', 5, 60), (520, 'kill -9 500', 59.4, 59.6)], out=[(60.2, 'e', KILLED)], expect={'factors': ['signal:9']})
case('sig-command-limit-full', T, "The command's own limit of 120 s had just run out, with memory full: the limit comes first.", state='running', limit=900, now=300, mem_pts=[(0, 10), (100, 96)], procs=[(500, 'python3 a.py', 5, 125.1, {'limit': 120000})], out=[(125.3, 'e', KILLED)],
     expect={'evidence_must_mention': ['120 s|2 min']})
case('sig-command-limit-result', T, "The log keeps the result of the command: signal killed, just when its limit ran out.", state='running', limit=900, now=300, procs=[(500, 'npm run build', 5, 65.02, {'limit': 60000, 'result': {'exit_code': -1, 'status': 'signal: killed', 'error': 'signal: killed'}})], expect={'evidence_must_mention': ['60 s|1 min', 'command']})
case('sig-limit-set-not-hit', O, "The command had a limit of 600 s, far away; it was killed at full memory after 40 s.", state='running', limit=900, now=300, mem_pts=GROW, procs=[(500, 'python3 a.py', 5, 42, {'limit': 600000})], out=[(42.3, 'e', KILLED)], expect={'factors': ['signal:9']})
case('sig-hangup', U, 'A hangup ended the command, and nothing shows who sent it.', state='running', now=120, procs=[(500, './daemon.sh', 5, 60)], out=[(60.2, 'e', 'Command exited with code 129')], expect={'factors': ['signal:1', 'exit_code:129']})
case('sig-interrupt', U, 'An interrupt ended the command, and nothing shows who sent it.', state='running', now=120, procs=[(500, 'python3 a.py', 5, 60)], out=[(59.9, 'e', 'KeyboardInterrupt'), (60.2, 'e', 'Command exited with code 130')], expect={'factors': ['signal:2', 'exit_code:130']})
case('sig-abort-calm', C, 'The program gave up by itself (abort); nothing says memory.', state='running', now=120, mem_pts=[(0, 10), (50, 95)], procs=[(500, './engine', 5, 60)], out=[(60.2, 'e', 'Command exited with code -1 and error:\nsignal: aborted (core dumped)')], expect={'factors': ['signal:6']})
case('sig-segv-full', C, 'A bad address with memory full is still a bad address: signal 11 comes from inside.', state='running', now=120, mem_pts=[(0, 10), (50, 96)], procs=[(500, './engine', 5, 60)], out=[(60.2, 'e', 'Command exited with code -1 and error:\nsignal: segmentation fault (core dumped)')], expect={'factors': ['segfault', 'signal:11']})

# ---- timeouts ----

case('end-timeout-24h', T, 'A day long sandbox reached its limit while the job ran; samples every 60 s.', limit=86400, end=86401, step=60, reason=T, procs=[(500, './train', 5, None)], expect={'confidence_at_least': 'high', 'evidence_must_mention': ['86400 s|24 h', 'timeout']})
case('end-timeout-15s', T, 'A very short limit: ended while the install ran.', limit=15, end=15.3, reason=T, procs=[(500, 'npm ci', 3, None)], expect={'confidence_at_least': 'high', 'evidence_must_mention': ['15 s', 'timeout']})
case('end-timeout-idle', T, 'The work was done long before; the timeout removed an idle sandbox.', end=300.5, reason=T, procs=[(500, 'python3 a.py', 5, 40)], out=[(39, 'o', 'done')], expect={'confidence_at_least': 'high', 'evidence_must_mention': ['timeout', 'idle|finished|no process']})
case('end-timeout-crash-before', C, 'The command had crashed; the timeout only removed the sandbox.', end=300.5, reason=T, procs=[(500, 'python3 a.py', 5, 40)], out=[(39.9, 'e', traceback('f()', 'KeyError: 7')), (40.2, 'e', 'Command exited with code 1')], expect={'factors': ['exit_code:1']})
case('end-timeout-never-used', T, 'Nothing was ever run; the timeout ended it.', end=300.5, reason=T, expect={'confidence_at_least': 'high', 'evidence_must_mention': ['300 s|5 min']})
case('end-unknown-99', T, 'No reason, at 99.3 % of the life time, with a command running.', end=298, reason='unknown', procs=[(500, 'python3 a.py', 5, None)])
case('end-unknown-96', K, 'No reason, at 96 % of the life time, with a command running.', end=288, reason='unknown', procs=[(500, 'python3 a.py', 5, None)])
case('end-v1-early', K, 'An old event without any data, at half the life time, with a command running.', end=150, reason=None, version='v1', procs=[(500, 'python3 a.py', 5, None)])
case('end-v1-late', T, 'An old event without any data, just after the limit, with a command running.', end=300.8, reason=None, version='v1', procs=[(500, 'python3 a.py', 5, None)])
case('end-v1-done', U, 'An old event without any data after completed work.', end=150, reason=None, version='v1', procs=[(500, 'python3 a.py', 5, 60)], out=[(59, 'o', 'finished')])
case('end-lost-event', T, 'No end event and gone; samples and output go on until the limit.', state='gone', limit=600, now=800, procs=[(500, 'python3 a.py', 5, None)], out=[(590, 'o', 'tick 59')])

# ---- requests and platform ----

case('end-request-done', U, 'The command ended with code 0, then the sandbox was removed: the normal way.', end=61, procs=[(500, 'python3 a.py', 5, 60, {'result': {'exited': True, 'status': 'exit status 0'}})])
case('end-request-running', K, 'The request came while the command ran, early.', end=61, limit=3600, procs=[(500, 'python3 a.py', 5, None)], expect={'confidence_at_least': 'high', 'evidence_must_mention': ['request', '61 s|1 min', '3600 s|60 min|1 h']})
case('end-request-99', K, 'The request came at 99 % while the command ran: still a request.', end=297, procs=[(500, 'python3 a.py', 5, None)], expect={'confidence_at_least': 'high', 'evidence_must_mention': ['request']})
case('end-request-consequence', K, 'The command ended by signal 15 because the request took the machine down: a consequence.', end=100, limit=3600, procs=[(500, 'python3 a.py', 5, 100.4)], out=[(100.5, 'e', 'Command exited with code -1 and error:\nsignal: terminated')], expect={'evidence_must_mention': ['request']})
case('end-request-crash-same-second', C, 'The program told its error and ended 0.8 s before the request: the host clears up after a failure.', end=60, procs=[(500, 'python3 a.py', 5, 59.2)], out=[(59.1, 'e', traceback('f()', 'ValueError: bad row')), (59.4, 'e', 'Command exited with code 1')], expect={'factors': ['exit_code:1']})
case('end-request-server-after-job', U, 'A preview server was still up, the job was done: the request is the normal end.', end=200, procs=[(500, 'npm run dev', 5, None), (501, 'node seed.js', 10, 60)], out=[(59, 'o', 'seeded 12 rows')])
case('end-request-in-flight', K, 'A request of the client was in flight when it was removed.', end=100, limit=3600, out=[(100.2, 'e', 'e2b.exceptions.TimeoutException: peer closed connection: The sandbox was killed or reached its end of life while the request was in flight.')], expect={'evidence_must_mention': ['request']})
case('end-admin-idle', K, 'Staff ended it, though it was idle.', end=100, reason='admin', procs=[(500, 'python3 a.py', 5, 60)], out=[(59, 'o', 'done')], expect={'confidence_at_least': 'high', 'evidence_must_mention': ['admin']})
case('end-orphaned', K, 'The platform cleaned it up.', end=100, reason='orphaned', procs=[(500, 'python3 a.py', 5, None)], expect={'confidence_at_least': 'high', 'evidence_must_mention': ['orphaned']})
case('end-base-template', K, 'The platform ended it because its base was gone.', end=100, reason='base_template_missing', expect={'confidence_at_least': 'high', 'evidence_must_mention': ['base_template_missing|base template']})
case('end-admin-after-oom', O, 'Memory ran out first, staff ended it afterwards.', end=100, reason='admin', mem_pts=GROW, procs=[(500, 'python3 a.py', 5, 42)], out=[(42.2, 'e', KILLED)], expect={'factors': ['signal:9']})
case('end-new-reason', K, 'A reason that is new: whatever it means, something outside ended it.', end=100, reason='node_drained', procs=[(500, 'python3 a.py', 5, None)], expect={'evidence_must_mention': ['node_drained']})

# ---- pauses ----

case('pause-limit-busy', T, 'The automatic pause came at the limit while a command ran.', end=302, reason='pause', state='paused', procs=[(500, 'python3 a.py', 5, None)], expect={'evidence_must_mention': ['300 s|5 min', 'paused']})
case('pause-limit-notebook', T, 'The automatic pause came at the limit while output of notebook code went on.', end=302, reason='pause', state='paused', out=[(t, 'o', 'epoch %d/90' % (t // 10)) for t in range(10, 300, 10)], expect={'evidence_must_mention': ['paused']})
case('pause-limit-big', T, 'The automatic pause of a large machine takes longer: 40 s after the limit, with 8 GiB.', mem=8192, end=340, reason='pause', state='paused', procs=[(500, 'python3 a.py', 5, None)])
case('pause-request-busy', U, 'A pause on request far before the limit, with a command running: nothing broke.', end=100, limit=3600, reason='pause', state='paused', procs=[(500, 'python3 a.py', 5, None)], expect={'evidence_must_mention': ['paused']})
case('pause-deleted', U, 'Paused on request with nothing running and deleted later: no event exists for that.', end=100, limit=3600, reason='pause', procs=[(500, 'python3 a.py', 5, 60)], out=[(59, 'o', 'done')], now=9000)
case('pause-crash-before', C, 'The program had crashed before the pause at the limit.', end=302, reason='pause', state='paused', procs=[(500, 'python3 a.py', 5, 60)], out=[(59.9, 'e', traceback('f()', 'KeyError: 7')), (60.2, 'e', 'Command exited with code 1')], expect={'factors': ['exit_code:1']})
case('pause-resumed-fine', U, 'Paused and resumed, running and healthy.', state='running', now=3650, pause=(60, 3600), procs=[(500, 'python3 a.py', 5, 40), (501, 'python3 b.py', 3605, None)], out=[(39, 'o', 'done'), (3640, 'o', 'tick')], expect={'evidence_must_mention': ['running']})
case('pause-orphan-port', C, 'A server from before the pause still holds the port after the resume.', state='running', now=3650, pause=(60, 3600), procs=[(500, 'python3 app.py', 5, None), (501, 'python3 app.py', 3605, 3606)],
     out=[(3605.8, 'e', traceback('serve()', 'OSError: [Errno 98] Address already in use')), (3606.2, 'e', 'Command exited with code 1')], expect={'factors': ['orphaned_processes', 'exit_code:1']})

# ---- machines, running, nothing known ----

case('vm-health-recovered', U, 'The check failed and recovered; the sandbox runs and prints.', state='running', now=200, health=50, logs=[(60, 'Sandbox healthcheck recovered', {})], procs=[(500, 'python3 a.py', 5, None)], out=[(190, 'o', 'tick')], metrics_until=198)
case('vm-stopped-calm', C, 'The machine stopped without a kill or pause, with calm memory.', end=120, killed=False, limit=3600, procs=[(500, 'python3 a.py', 5, None)], now=300, expect={'confidence_at_least': 'medium', 'evidence_must_mention': ['no kill|without a kill|not killed|no killed event|stopped by itself|stopped on its own']})
case('vm-stopped-no-metrics', C, 'The machine stopped without a kill or pause, and no samples exist.', end=120, killed=False, limit=3600, metrics=False, procs=[(500, 'python3 a.py', 5, None)], now=300)
case('vm-shutdown-inside', C, 'The sandbox was shut down from inside: the machine stopped by itself.', end=120, killed=False, limit=3600, procs=[(500, 'sudo poweroff', 118, None)], now=300)
case('run-healthy-server', U, 'A server runs and answers.', state='running', limit=3600, now=200, metrics_until=198, procs=[(500, 'uvicorn app:app', 5, None)], out=[(190, 'o', 'INFO: GET /health 200 OK')], expect={'evidence_must_mention': ['running']})
case('run-healthy-errors', U, 'A server answers some requests with errors, which it logs, and goes on.', state='running', limit=3600, now=200, metrics_until=198, procs=[(500, 'uvicorn app:app', 5, None)],
     out=[(50, 'e', 'ERROR:    Exception in ASGI application\n' + traceback('f()', 'KeyError: 7')), (120, 'o', 'INFO: GET /health 200 OK'), (190, 'o', 'INFO: GET /items 200 OK')])
case('run-no-logs', U, 'Only events: created, and still running by what E2B says.', state='running', limit=3600, now=200, metrics=False, no_logs=True)
case('none-but-404', U, 'Gone, and nothing at all is kept.', state='gone', events=False, metrics=False, no_logs=True, end=None, now=9000)
case('none-metrics-only', U, 'Only samples, calm; what happened is not on record.', state='gone', events=False, no_logs=True, end=None, metrics_until=100, limit=3600, now=9000)

# ---- notebooks ----

TB = "---------------------------------------------------------------------------\nZeroDivisionError                         Traceback (most recent call last)\nCell In[4], line 2\n      1 rate = 0\n----> 2 price(10, rate)\n\nCell In[2], line 3, in price(a, r)\n      1 def price(a, r):\n      2     # per unit\n----> 3     return a / r\n\nZeroDivisionError: division by zero"
case('nb-error', C, 'A cell ended with an error that nobody caught, and nothing followed.', end=120, out=[(20, 'o', 'loaded'), (60, 'e', TB)], expect={'signature_contains': ['ZeroDivisionError', 'price']})
case('nb-error-fixed', U, 'A cell failed, was corrected and run again; results came.', end=200, out=[(60, 'e', TB), (90, 'o', 'price: 5.0'), (95, 'o', 'total: 50.0'), (100, 'o', 'saved prices.csv')])
case('nb-memory', O, 'A cell could not get memory; nothing followed.', end=120, mem=512, out=[(60, 'e', "---------------------------------------------------------------------------\nMemoryError                               Traceback (most recent call last)\nCell In[4], line 2\n----> 2 big(10)\n\nCell In[2], line 3, in big(n)\n----> 3     return [0] * n ** 10\n\nMemoryError: ")], expect={'signature_contains': ['MemoryError', 'big']})
case('nb-limit', T, "A cell ran into the limit of one execution.", state='running', limit=3600, now=200, out=[(10, 'o', 'fold 1'), (130, 'e', "TimeoutError: Execution timed out \u2014 the 'timeoutMs' option can be used to increase this timeout")], expect={'evidence_must_mention': ['command|limit']})
case('nb-js', C, 'A cell of a JavaScript notebook failed.', end=120, out=[(60, 'e', "ReferenceError: rates is not defined\n    at evalmachine.<anonymous>:3:1\n    at Script.runInThisContext (node:vm:137:12)")], expect={'signature_contains': ['ReferenceError', 'rates']})
case('nb-r', C, 'A cell of an R notebook failed.', end=120, out=[(60, 'e', "Error in fit_curve(d): object 'knots' not found\nTraceback:\n\n1. fit_curve(d)")], expect={'signature_contains': ["object 'knots' not found", 'fit_curve']})

# ---- disk, CPU, several causes at once ----

case('disk-full-metrics', C, 'The disk was full in the samples and the program said so.', end=120, disk=100, procs=[(500, 'tar xf big.tar', 5, 60)], out=[(59.9, 'e', 'tar: data/part-77: Cannot write: No space left on device\ntar: Exiting with failure status due to previous errors'), (60.2, 'e', 'Command exited with code 2')], expect={'factors': ['disk_full', 'exit_code:2'], 'evidence_must_mention': ['100%|full']})
case('disk-full-postgres', C, 'The disk was full and the database said so.', end=120, disk=100, procs=[(500, 'psql -f load.sql', 5, 60)], out=[(59.9, 'e', 'psql:load.sql:4: ERROR:  could not extend file "base/16384/16385": No space left on device\nHINT:  Check free disk space.'), (60.2, 'e', 'Command exited with code 3')], expect={'factors': ['disk_full', 'exit_code:3']})
case('disk-high-but-timeout', T, 'The disk was nearly full, which ended nothing; the timeout did.', end=300.4, reason=T, disk=97, procs=[(500, 'python3 a.py', 5, None)], expect={'factors_excludes': ['disk_full']})
case('cpu-pegged-request', K, 'The CPU was fully busy when the request came.', end=200, limit=3600, cpu=99.4, procs=[(500, './mine', 5, None)], expect={'factors': ['cpu_pegged'], 'evidence_must_mention': ['request']})
case('cpu-brief-burst', T, 'The CPU was at 60 %: busy, not pegged.', end=300.4, reason=T, cpu=60, procs=[(500, './mine', 5, None)], expect={'factors_excludes': ['cpu_pegged']})
case('mix-oom-in-child-handled', C, 'A child was killed and restarted; later the program failed by its own error, which ended the work.', end=200, mem_pts=[(0, 10), (40, 96), (45, 20)], procs=[(500, 'python3 pool.py', 5, 120)],
     out=[(42, 'e', 'WARNING worker 3 was killed by signal 9, restarting it'), (60, 'o', 'worker 3 ok'), (119.8, 'e', traceback('f()', "KeyError: 'unit_price'")), (120.2, 'e', 'Command exited with code 1')], expect={'factors': ['exit_code:1'], 'signature_contains': ['KeyError', 'unit_price']})
case('mix-two-jobs', C, 'Two jobs ran at once; one crashed and the host removed the sandbox while the other still ran.', end=60, procs=[(500, 'python3 a.py', 5, 55), (501, 'python3 b.py', 6, None)], out=[(54.9, 'e', traceback('f()', 'ValueError: bad')), (55.2, 'e', 'Command exited with code 1')], expect={'factors': ['exit_code:1']})
case('mix-crash-then-other-work', U, 'A first attempt crashed, then other work of the same session finished over a minute.', end=300, limit=3600, procs=[(500, 'python3 draft.py', 5, 15), (501, 'python3 final.py', 30, 200)], out=[(14.9, 'e', traceback('f()', 'ValueError: bad')), (15.2, 'e', 'Command exited with code 1'), (199, 'o', 'report written')])

# ---- contradictions ----

case('life-killed-yet-running', U, 'A kill is on record, and E2B says that it runs, long after: the records contradict each other, and nothing may be forced.', end=60, state='running', limit=3600, now=600, metrics_until=590,
     procs=[(500, 'python3 a.py', 5, None)], expect={'evidence_must_mention': ['contradict']})
case('life-crash-then-contradiction', C, 'The program crashed, which is on record whatever the end was.', end=60, state='running', limit=3600, now=600,
     procs=[(500, 'python3 a.py', 5, 45)], out=[(44.9, 'e', traceback('f()', 'KeyError: 7')), (45.2, 'e', 'Command exited with code 1')], expect={'factors': ['exit_code:1']})
case('life-kernel-but-exit-0', U, 'A kernel line names the process, but the process ended with code 0 and said that it was done.', end=80, procs=[(500, 'python3 a.py', 5, 60, {'result': {'exited': True, 'status': 'exit status 0'}})],
     out=[(42, 'o', kernel(501, 'node')), (59, 'o', 'all parts done')], expect={'factors_excludes': ['signal:9']})

# ---- sessions of many commands ----

case('many-server-restarted', U, 'The dev server failed at its first start, was started again and stayed up; the last job was done when the request came.', end=300, limit=3600,
     procs=[(500, 'npm run dev', 5, 8), (501, 'npm install', 10, 30), (502, 'npm run dev', 32, None), (503, 'node seed.js', 40, 50)], out=[(7.8, 'e', "Error: Cannot find module 'express'\nRequire stack:\n- /home/user/app.js"), (8.2, 'e', 'exit status 1'), (29, 'o', 'added 61 packages'), (33, 'o', 'ready on :3000')])
case('many-retry-running', K, 'The first run failed; the second had been running for four minutes when the request came: the request ended the work.', end=300, limit=3600, procs=[(500, 'python3 train.py', 5, 20), (501, 'python3 train.py', 60, None)],
     out=[(19.8, 'e', traceback('f()', 'KeyError: 7')), (20.2, 'e', 'Command exited with code 1'), (290, 'o', 'epoch 9')], expect={'evidence_must_mention': ['request']})
case('many-restart-by-pkill', U, 'An agent ended its server with pkill and started it again, which is its way of restarting; all jobs were done at the request.', end=300, limit=3600,
     procs=[(500, 'node server.js', 5, 60.2), (501, 'pkill -f server.js', 60, 60.1), (502, 'node server.js', 62, None), (503, 'node check.js', 70, 80)], out=[(60.5, 'e', 'Command exited with code -1 and error:\nsignal: terminated'), (79, 'o', 'all good')])
case('many-probe-fails', U, 'Looking for a file that is not there is no failure of work; the script finished.', end=100, procs=[(500, 'ls /data/in.csv', 5, 5.1), (501, 'grep -q total report.txt', 6, 6.1), (502, 'diff a.txt b.txt', 7, 7.1), (503, 'python3 ok.py', 10, 60)],
     out=[(5.05, 'e', "ls: cannot access '/data/in.csv': No such file or directory"), (5.3, 'e', 'Command exited with code 2'), (6.3, 'e', 'Command exited with code 1'), (7.3, 'e', 'Command exited with code 1'), (59, 'o', 'done')])
case('many-only-probes', U, 'Somebody looked around, every command ended, and the sandbox was removed: nothing was under way.', end=60, procs=[(500, 'ls -la', 5, 5.1), (501, 'cat /etc/os-release', 10, 10.1)], out=[(5.05, 'o', 'total 8'), (10.05, 'o', 'NAME="Debian GNU/Linux"')])
case('many-diff-last', U, 'The last command compared two files, which differ: its exit code 1 is an answer, not a failure.', end=60, procs=[(500, 'python3 make.py', 5, 20), (501, 'diff want.txt got.txt', 25, 25.1)], out=[(19, 'o', 'done'), (25.05, 'o', '3c3'), (25.3, 'e', 'Command exited with code 1')])
case('many-keep-alive', K, 'A command that only waits was still running when the request came, early; what it waited for cannot be seen.', end=100, limit=3600, procs=[(500, 'sleep 3600', 5, None)], expect={'evidence_must_mention': ['request']})
case('many-limit-then-longer', U, 'The install ran into its limit, was run again with a longer one and worked; then the request came.', end=300, limit=3600, procs=[(500, 'npm install', 5, 65.02, {'limit': 60000}), (501, 'npm install', 70, 160, {'limit': 300000}), (502, 'node build.js', 161, 200)],
     out=[(65.3, 'e', "TimeoutError: context deadline exceeded: This error is likely due to exceeding 'timeoutMs'"), (159, 'o', 'added 812 packages in 88s'), (199, 'o', 'build done')])
case('many-parallel-one-killed', O, 'Two jobs ran side by side; one was killed at full memory, the other finished. The killed one is the failure.', end=120, mem_pts=[(0, 10), (40, 96), (45, 30)], procs=[(500, 'python3 big.py', 5, 42), (501, 'python3 small.py', 6, 60)],
     out=[(42.2, 'e', KILLED), (59, 'o', 'small done')], expect={'factors': ['signal:9']})
case('many-red-test-then-green', U, 'A red test, a change, a green test: the ordinary way of working.', end=200, procs=[(500, 'pytest -q', 5, 15), (501, "sed -i 's/a/b/' cart.py", 20, 20.1), (502, 'pytest -q', 25, 35)],
     out=[(14, 'o', 'FAILED test_cart.py::test_total - AssertionError: assert 3 == 4'), (14.5, 'o', '1 failed, 8 passed in 2.1s'), (15.2, 'e', 'Command exited with code 1'), (34, 'o', '9 passed in 2.0s')])
case('many-crash-after-success', C, 'Several steps worked, the last one crashed; then the sandbox was removed.', end=100, procs=[(500, 'pip install -r r.txt', 5, 20), (501, 'python3 prepare.py', 21, 40), (502, 'python3 publish.py', 41, 50)],
     out=[(19, 'o', 'Successfully installed zod-1.0'), (39, 'o', 'prepared 12 files'), (49.8, 'e', traceback('f()', 'PublishError: rejected')), (50.2, 'e', 'Command exited with code 1')], expect={'factors': ['exit_code:1'], 'factors_excludes': ['install_failed'], 'signature_contains': ['PublishError']})
case('many-two-executions-two-failures', O, 'A crash before the pause was followed by other work; after the resume a job was killed at full memory.', state='running', now=3750, mem_pts=[(0, 10), (3640, 20), (3650, 95), (3655, 15)], pause=(60, 3600),
     procs=[(500, 'python3 a.py', 5, 15), (501, 'python3 b.py', 20, 50), (502, 'python3 c.py', 3605, 3652)], out=[(14.8, 'e', traceback('f()', 'KeyError: 1')), (15.2, 'e', 'Command exited with code 1'), (49, 'o', 'b done'), (3652.3, 'e', KILLED)], expect={'factors': ['signal:9']})
case('many-uploads-only', K, 'Files were being written every few seconds until the request: something was at work, though no command ran.', end=200, limit=3600, logs=[(t, 'File write', {'path': '/x%d' % t}) for t in range(5, 200, 7)], expect={'evidence_must_mention': ['request']})
case('many-results-fetched', U, 'Notebook work; the results were fetched at the end, and then the sandbox was removed.', end=200, limit=3600, out=[(20, 'o', 'fold 1'), (60, 'o', 'fold 5'), (100, 'o', 'saved result.csv')], logs=[(110, 'File read', {'path': '/home/user/result.csv'})])
