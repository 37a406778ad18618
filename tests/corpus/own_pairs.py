"""Pairs of our own: is it the same failure for two customers? Each says why an expert decides so.

PAIRS is a list of {a, b, same, why} as in dedupe.json.
"""
PAIRS = []


def same(why, a, b):
    PAIRS.append({"a": a, "b": b, "same": True, "why": why})


def differ(why, a, b):
    PAIRS.append({"a": a, "b": b, "same": False, "why": why})


def py(path, fn, error, line=5, main=9):
    return ('Traceback (most recent call last):\n  File "%s", line %d, in <module>\n    main()\n  File "%s", line %d, in %s\n    x()\n%s'
            % (path, main, path, line, fn, error))


# ---- chained errors: the original cause counts ----

CHAIN = ('Traceback (most recent call last):\n  File "/app/%s/rates.py", line %d, in read_rate\n    return table[code]\nKeyError: \'%s\'\n\n'
         '%s\n\nTraceback (most recent call last):\n  File "/app/%s/job.py", line 20, in run\n    raise %s\n%s')
DIRECT = 'The above exception was the direct cause of the following exception:'
DURING = 'During handling of the above exception, another exception occurred:'
same('the same cause behind wrappers of other wording', CHAIN % ('a1', 5, 'CHF', DIRECT, 'a1', 'JobFailed("job 7 failed")', 'JobFailed: job 7 failed'),
     CHAIN % ('b2', 9, 'CHF', DURING, 'b2', 'ImportFailed("cannot import")', 'ImportFailed: cannot import'))
differ('another missing key behind the same wrapper', CHAIN % ('a1', 5, 'CHF', DIRECT, 'a1', 'JobFailed("job failed")', 'JobFailed: job failed'),
       CHAIN % ('a1', 5, 'SEK', DIRECT, 'a1', 'JobFailed("job failed")', 'JobFailed: job failed'))
JAVA = 'java.lang.RuntimeException: %s\n\tat com.acme.Job.run(Job.java:%d)\nCaused by: java.sql.SQLException: %s\n\tat com.acme.Store.%s(Store.java:%d)\n\t... %d more'
same('the same SQL error behind wrappers', JAVA % ('run 17 failed', 10, 'no such table: orders', 'load', 44, 1), JAVA % ('run 18 failed', 12, 'no such table: orders', 'load', 47, 3))
differ('another missing table', JAVA % ('run failed', 10, 'no such table: orders', 'load', 44, 1), JAVA % ('run failed', 10, 'no such table: items', 'load', 44, 1))
differ('the same SQL error in another method', JAVA % ('run failed', 10, 'no such table: orders', 'load', 44, 1), JAVA % ('run failed', 10, 'no such table: orders', 'save', 61, 1))
NET = 'Unhandled exception. System.InvalidOperationException: %s\n ---> System.Net.Sockets.SocketException (111): Connection refused\n   at Shop.Cache.Open() in %s/Cache.cs:line %d\n   --- End of inner exception stack trace ---\n   at Program.<Main>$(String[] args)'
same('the same refused connection behind wrappers', NET % ('step 4 failed', '/src', 18), NET % ('step 9 failed', '/build/x77', 21))
NODE_CAUSE = "TypeError: fetch failed\n    at node:internal/deps/undici/undici:%d:13\n    at async %s (/srv/%s/feed.mjs:9:15) {\n  [cause]: Error: %s\n      at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26)\n}"
same('the same failed name resolution behind fetch', NODE_CAUSE % (13502, 'pull', 'a', 'getaddrinfo ENOTFOUND feed.example.com'), NODE_CAUSE % (12345, 'pull', 'b', 'getaddrinfo ENOTFOUND feed.example.com'))
differ('a refused connection instead of a failed name resolution behind fetch', NODE_CAUSE % (13502, 'pull', 'a', 'getaddrinfo ENOTFOUND feed.example.com'), NODE_CAUSE % (13502, 'pull', 'a', 'connect ECONNREFUSED 127.0.0.1:8080'))
ANYHOW = 'Error: %s\n\nCaused by:\n    0: cannot open the rates\n    1: %s'
same('the same innermost cause of a Rust error', ANYHOW % ('load failed', 'No such file or directory (os error 2)'), ANYHOW % ('start failed', 'No such file or directory (os error 2)'))
differ('another innermost cause of a Rust error', ANYHOW % ('load failed', 'No such file or directory (os error 2)'), ANYHOW % ('load failed', 'Permission denied (os error 13)'))
RUBY = "app/%s.rb:15:in `rescue in run': report failed (ReportFailed)\n\tfrom app/%s.rb:12:in `run'\napp/store.rb:%d:in `amount': key not found: \"%s\" (KeyError)\n\tfrom app/store.rb:30:in `each'"
same('the same cause below a Ruby wrapper', RUBY % ('report', 'report', 8, 'amount'), RUBY % ('report', 'report', 11, 'amount'))
differ('another missing key below a Ruby wrapper', RUBY % ('report', 'report', 8, 'amount'), RUBY % ('report', 'report', 8, 'currency'))

# ---- minified frames, hashes of builds, temp folders ----

same('a bundle of another build: the hash of the file and the short names are made anew', "TypeError: Cannot read properties of undefined (reading 'total')\n    at t (/app/dist/assets/index-DfG3k2a9.js:1:48211)",
     "TypeError: Cannot read properties of undefined (reading 'total')\n    at e (/app/dist/assets/index-Qx81Lm0p.js:1:50012)")
differ('another property is read in the bundle', "TypeError: Cannot read properties of undefined (reading 'total')\n    at t (/app/dist/index-DfG3k2a9.js:1:48211)",
       "TypeError: Cannot read properties of undefined (reading 'amount')\n    at t (/app/dist/index-DfG3k2a9.js:1:48211)")
same('temp folders of each run', py('/tmp/tmpab3k9x1q/pkg/a.py', 'load', 'ValueError: bad header'), py('/tmp/tmpz91qpl0c/pkg/a.py', 'load', 'ValueError: bad header'))
same('temp files that were read', py('/app/a.py', 'load', "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/tmpab3k9x1q/in.csv'"), py('/app/a.py', 'load', "FileNotFoundError: [Errno 2] No such file or directory: '/tmp/tmpz91qpl0c/in.csv'"))
same('a generated script, run by nobody\'s name', 'Traceback (most recent call last):\n  File "/tmp/tmpab3k9x1q.py", line 3, in <module>\n    import cv2\nModuleNotFoundError: No module named \'cv2\'', 'Traceback (most recent call last):\n  File "/tmp/tmpz91qpl0c.py", line 8, in <module>\n    import cv2\nModuleNotFoundError: No module named \'cv2\'')
same('generated cell names of notebooks', "---------------------------------------------------------------------------\nKeyError                                  Traceback (most recent call last)\nCell In[3], line 2\n----> 2 total(df)\n\nCell In[2], line 4, in total(df)\n----> 4     return df['x']\n\nKeyError: 'x'",
     "---------------------------------------------------------------------------\nKeyError                                  Traceback (most recent call last)\nCell In[14], line 7\n----> 7 total(df)\n\nCell In[9], line 4, in total(df)\n----> 4     return df['x']\n\nKeyError: 'x'")
same('hashes in the names of functions of Rust', "thread 'main' panicked at src/a.rs:2:3:\nboom\nstack backtrace:\n   0: shop::load::h0123456789abcdef\n", "thread 'main' panicked at src/a.rs:4:3:\nboom\nstack backtrace:\n   0: shop::load::hfedcba9876543210\n")
same('anonymous functions of Go are numbered', 'panic: boom\n\ngoroutine 1 [running]:\nmain.serve.func1()\n\t/app/a.go:7 +0x34', 'panic: boom\n\ngoroutine 8 [running]:\nmain.serve.func2()\n\t/app/a.go:9 +0x34')
same('lambdas of Java are numbered', 'java.lang.IllegalStateException: boom\n\tat com.acme.Job.lambda$run$0(Job.java:9)', 'java.lang.IllegalStateException: boom\n\tat com.acme.Job.lambda$run$3(Job.java:12)')

# ---- numbers, dates, localized numbers, units ----

same('amounts in other notation', py('/a.py', 'load', "ValueError: could not convert string to float: '1.234,56'"), py('/a.py', 'load', "ValueError: could not convert string to float: '9.876,00'"))
same('durations in other units', 'TimeoutError: page.goto: Timeout 30000ms exceeded.\n    at shoot (/a.js:9:14)', 'TimeoutError: page.goto: Timeout 45000ms exceeded.\n    at shoot (/a.js:9:14)')
same('dates in the message', py('/a.py', 'load', 'ValueError: no rate for 2026-03-04'), py('/b/a.py', 'load', 'ValueError: no rate for 2026-04-11'))
same('a time in the message', py('/a.py', 'load', 'ValueError: lease expired at 2026-03-04T09:12:07Z'), py('/a.py', 'load', 'ValueError: lease expired at 2026-04-01T23:59:01Z'))
same('memory addresses', py('/a.py', 'load', "TypeError: <Order object at 0x7f1c2d0a3b10> is not iterable"), py('/a.py', 'load', "TypeError: <Order object at 0x7fe00a4c91f0> is not iterable"))
same('e-mail addresses', py('/a.py', 'send', 'MailError: mailbox anna@example.com is full'), py('/a.py', 'send', 'MailError: mailbox bert.k@example.org is full'))
same('UUIDs', py('/a.py', 'load', 'LookupError: order 4f0e8a52-1c3b-4d2e-9f00-aa11bb22cc33 is gone'), py('/a.py', 'load', 'LookupError: order 0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9 is gone'))
same('thread and task numbers', 'Exception in thread "pool-1-thread-7" java.lang.IllegalStateException: task 812 failed\n\tat com.acme.Job.run(Job.java:9)', 'Exception in thread "pool-3-thread-2" java.lang.IllegalStateException: task 9 failed\n\tat com.acme.Job.run(Job.java:9)')
same('sizes of what was refused', 'pyarrow.lib.ArrowMemoryError: malloc of size 4294967296 failed', 'pyarrow.lib.ArrowMemoryError: malloc of size 1073741824 failed')
differ('an impossible size is another cause than a refused one', py('/a.py', 'make', 'numpy._core._exceptions._ArrayMemoryError: Unable to allocate 3.73 GiB for an array with shape (5,) and data type float64'), py('/a.py', 'make', 'numpy._core._exceptions._ArrayMemoryError: Unable to allocate 7.28 EiB for an array with shape (5,) and data type float64'))
same('colours', '\x1b[31mError: boom\x1b[39m\n    at load (/a.js:1:2)', 'Error: boom\n    at load (/a.js:7:2)')

# ---- ports, states, versions, limits, disks, certificates: what names the cause ----

differ('another service on another well-known port', 'redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.', 'redis.exceptions.ConnectionError: Error 111 connecting to localhost:6380. Connection refused.')
same('another address of the same service', 'Error: connect ECONNREFUSED 10.0.0.7:5432\n    at db (/a.js:1:2)', 'Error: connect ECONNREFUSED 172.16.3.9:5432\n    at db (/a.js:1:2)')
differ('another SQL state', py('/a.py', 'q', 'PDOException: SQLSTATE[42S02]: Base table or view not found'), py('/a.py', 'q', 'PDOException: SQLSTATE[42S22]: Base table or view not found'))
differ('another error number of the database', py('/a.py', 'q', 'pymysql.err.OperationalError: (1045, "Access denied for user")'), py('/a.py', 'q', 'pymysql.err.OperationalError: (2003, "Can\'t connect to MySQL server")'))
differ('another HTTP status', py('/a.py', 'q', 'httpx.HTTPStatusError: Client error \'404 Not Found\' for url \'https://api.example.com/a\''), py('/a.py', 'q', 'httpx.HTTPStatusError: Client error \'403 Forbidden\' for url \'https://api.example.com/a\''))
differ('another status code in an API error', 'openai.APIStatusError: Error code: 402 - {}', 'openai.APIStatusError: Error code: 429 - {}')
differ('another exit code without a word', 'Command exited with code 2', 'Command exited with code 3')
differ('another signal', 'run.sh: line 2:   512 Bus error               (core dumped) ./a', 'run.sh: line 2:   512 Floating point exception(core dumped) ./a')
differ('the other side of a version conflict', 'ERROR: Cannot install a and b because these package versions have conflicting dependencies.\n\nThe conflict is caused by:\n    The user requested urlkit==2.9.1\n    asyncfetch 0.14.0 depends on urlkit<2.8\nERROR: ResolutionImpossible',
       'ERROR: Cannot install a and b because these package versions have conflicting dependencies.\n\nThe conflict is caused by:\n    The user requested urlkit==2.9.1\n    dataframes 3.1 depends on urlkit<2.5\nERROR: ResolutionImpossible')
differ('another package that does not exist', 'ERROR: No matching distribution found for fastgeo', 'ERROR: No matching distribution found for slowgeo')
differ('another version that does not exist', 'npm error code ETARGET\nnpm error notarget No matching version found for left-pad@9.9.9.', 'npm error code ETARGET\nnpm error notarget No matching version found for right-pad@9.9.9.')
differ('another peer', 'npm error code ERESOLVE\nnpm error peer react@"^16" from grid@2.1.4', 'npm error code ERESOLVE\nnpm error peer vue@"^2" from grid@2.1.4')
differ('an expired certificate is not a self-signed one', 'ssl.SSLCertVerificationError: certificate verify failed: certificate has expired', 'ssl.SSLCertVerificationError: certificate verify failed: self-signed certificate')
differ('a full shared-memory file system is not a full disk', "OSError: [Errno 28] No space left on device: '/dev/shm/psm_ab12'", "OSError: [Errno 28] No space left on device: '/home/user/out.csv'")
differ('a limit on watches is not a limit on open files', "Error: ENOSPC: System limit for number of file watchers reached, watch '/a'", "Error: EMFILE: too many open files, watch '/a'")
differ('a limit on threads is not a heap limit', 'Exception in thread "main" java.lang.OutOfMemoryError: unable to create native thread\n\tat com.acme.Pool.grow(Pool.java:1)', 'Exception in thread "main" java.lang.OutOfMemoryError: Java heap space\n\tat com.acme.Pool.grow(Pool.java:1)')
differ('another limit of the Java runtime', 'java.lang.OutOfMemoryError: Metaspace\n\tat com.acme.L.load(L.java:1)', 'java.lang.OutOfMemoryError: Java heap space\n\tat com.acme.L.load(L.java:1)')
differ('the heap limit of Node is not refused memory', 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory', 'Error: spawn ENOMEM')
differ('another library is missing', 'ImportError: libGL.so.1: cannot open shared object file: No such file or directory', 'ImportError: libpq.so.5: cannot open shared object file: No such file or directory')
differ('another program is missing', 'bash: line 1: ffmpeg: command not found', 'bash: line 1: pdftotext: command not found')
same('the same program is missing, told by another shell', 'bash: line 1: ffmpeg: command not found', '/bin/bash: line 14: ffmpeg: command not found')
differ('another module of the customer is missing', "Error: Cannot find module './lib/prices'\nRequire stack:\n- /a/api.js", "Error: Cannot find module './lib/rates'\nRequire stack:\n- /a/api.js")
differ('another column of the database', 'psycopg2.errors.UndefinedColumn: column "amount" does not exist', 'psycopg2.errors.UndefinedColumn: column "price" does not exist')
same('the same column, on another line of another query', 'psycopg2.errors.UndefinedColumn: column "amount" does not exist\nLINE 1: SELECT amount FROM orders\n               ^', 'psycopg2.errors.UndefinedColumn: column "amount" does not exist\nLINE 4: WHERE amount > 3\n              ^')
differ('reading is not writing', py('/a.py', 'f', "PermissionError: [Errno 13] Permission denied: '/opt/x'"), py('/a.py', 'f', "OSError: [Errno 30] Read-only file system: '/opt/x'"))
differ('another environment variable', py('/a.py', 'cfg', "KeyError: 'API_TOKEN'"), py('/a.py', 'cfg', "KeyError: 'DB_URL'"))

# ---- programs without words of their own ----

differ('two scripts of one template, each killed', 'run.sh: line 6:   992 Killed                  python3 train.py', 'run.sh: line 6:   992 Killed                  python3 export.py')
same('the same script, killed at another line, with other arguments', 'run.sh: line 6:   992 Killed                  python3 train.py --rows 9', 'nightly.sh: line 12:  1207 Killed                  python3 /srv/a/train.py --rows 100')
differ('the kernel killed another program', '[   75.12] Memory cgroup out of memory: Killed process 962 (node) total-vm:1kB', '[   75.12] Memory cgroup out of memory: Killed process 962 (java) total-vm:1kB')
same('the kernel killed the same program, in the words of another kernel', '[   75.12] Memory cgroup out of memory: Killed process 962 (node) total-vm:1kB', '[  902.4] Out of memory: Killed process 14 (node) total-vm:991762kB, anon-rss:430533kB')
differ('a compiler killed is not a linker killed', 'c++: fatal error: Killed signal terminated program cc1plus', 'collect2: fatal error: ld terminated with signal 9 [Killed]')
same('the same broken library, other addresses', 'double free or corruption (out)\nAborted (core dumped)', 'double free or corruption (out)\nAborted (core dumped)\n')
differ('another way to damage memory', '*** buffer overflow detected ***: terminated\nAborted (core dumped)', '*** stack smashing detected ***: terminated\nAborted (core dumped)')
differ('another assertion', 'solve: grid.c:40: step: Assertion `n > 0\' failed.\nAborted (core dumped)', 'solve: grid.c:52: sweep: Assertion `m > 0\' failed.\nAborted (core dumped)')

# ---- collectors ----

TB = py('/app/etl.py', 'load', "KeyError: 'unit_price'")
for name, wrap in (('kubelet', '2026-05-02T10:00:44.812345678Z stderr F %s'), ('journald', 'May 02 10:00:44 host python3[512]: %s'), ('compose', 'etl-2  | %s'),
                   ('torchrun', '[rank0]: %s'), ('mpirun', '[1,0]<stderr>:%s'), ('heroku', '2026-05-02T10:00:44+00:00 app[worker.1]: %s'),
                   ('a logger with brackets', '[2026-05-02 10:00:44,310] %s'), ('turbo', 'shop:etl: %s'), ('foreman', '10:00:44 etl.1   | %s')):
    same('lines as %s passes them on' % name, TB, '\n'.join(wrap % line for line in TB.split('\n')))
same('lines that Docker keeps as JSON', TB, '\n'.join('{"log":"%s\\n","stream":"stderr","time":"2026-05-02T10:00:44Z"}' % line.replace('"', '\\"') for line in TB.split('\n')))
same('a JSON logger with another process number and time', '{"level":60,"time":1777716044812,"pid":512,"msg":"connect ECONNREFUSED 127.0.0.1:5432"}', '{"level":60,"time":1777719999999,"pid":7,"msg":"connect ECONNREFUSED 10.1.1.1:5432"}')
differ('a JSON logger with another message', '{"level":60,"time":1777716044812,"pid":512,"msg":"connect ECONNREFUSED 127.0.0.1:5432"}', '{"level":60,"time":1777716044812,"pid":512,"msg":"migration 12 is missing"}')
same('klog with another time and process number', 'F0502 10:00:44.812345     512 main.go:41] cannot load rates: unexpected end of JSON input', 'F1130 23:01:07.118000    7120 main.go:44] cannot load rates: unexpected end of JSON input')
same('progress of a download before the same error', 'Downloading 10%\nDownloading 60%\nDownloading 100%\n' + TB, 'Downloading 3%\n' + TB)
same('a program that goes on printing after its error', TB + '\nclosing connections\nbye', TB)
differ('the last error counts, not one that was retried', 'WARNING retry 1: connection refused\n' + TB, 'WARNING retry 1: connection refused\n' + py('/app/etl.py', 'save', 'ValueError: bad row'))

# ---- versions of runtimes, and what varies in messages ----

same('frames with the names of jars', 'java.lang.IllegalStateException: no rate\n\tat com.acme.Rates.find(Rates.java:9) ~[app-1.2.jar:?]\n\tat com.acme.Main.main(Main.java:4) [app-1.2.jar:?]', 'java.lang.IllegalStateException: no rate\n\tat com.acme.Rates.find(Rates.java:11)\n\tat com.acme.Main.main(Main.java:4)')
same('modules and files in frames of Node', "Error: boom\n    at load (file:///srv/a/b.mjs:4:9)\n    at async main (file:///srv/a/b.mjs:9:3)", "Error: boom\n    at load (/home/user/b.js:4:9)\n    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)")
same('Ruby changed its quotes and names', "app/price.rb:12:in `total': undefined method `amount' for nil:NilClass (NoMethodError)\n\tfrom app/price.rb:31:in `each'", "app/price.rb:14:in 'Cart#total': undefined method 'amount' for nil (NoMethodError)\n\tfrom app/price.rb:33:in 'Array#each'")
same('Rust changed the form of its panics', "thread 'main' panicked at 'index out of bounds: the len is 3 but the index is 7', src/layout.rs:214:17", "thread 'tokio-runtime-worker' panicked at src/layout.rs:219:17:\nindex out of bounds: the len is 9 but the index is 9")
same('Go panics that were recovered and panicked again', 'panic: boom\n\ngoroutine 1 [running]:\nmain.load(0x1)\n\t/app/a.go:3 +0x1', 'panic: boom [recovered]\n\tpanic: boom\n\ngoroutine 19 [running]:\nmain.load(0x2)\n\t/app/a.go:3 +0x1')
same('npm changed its prefix; the log file is the user\'s', 'npm ERR! code E404\nnpm ERR! 404 Not Found - GET https://registry.example.test/left-pax - Not found\nnpm ERR! A complete log of this run can be found in: /root/.npm/_logs/2026-05-02T10_00_44_812Z-debug-0.log', 'npm error code E404\nnpm error 404 Not Found - GET https://registry.example.test/left-pax - Not found\nnpm error A complete log of this run can be found in: /home/user/.npm/_logs/2026-11-30T23_01_07_001Z-debug-0.log')
for why, a, b in (
        ('dates in words', 'no data for May 4, 2026', 'no data for June 17, 2026'), ('dates with dots', 'no data for 04.05.2026', 'no data for 17.06.2026'),
        ('durations with units glued on', 'gave up after 1m23s', 'gave up after 2m07s'), ('sizes with units glued on', 'chunk of 512KiB is too large', 'chunk of 4MiB is too large'),
        ('counts with thousands', 'read 1,204 of 9,000 rows', 'read 77 of 12,345 rows'), ('git hashes', 'commit 9fceb02d0ae598e95dc970b74767f19372d61af8 is gone', 'commit 4b825dc642cb6eb9a060e54bf8d69288fbee4904 is gone'),
        ('generated names of pods', 'pod web-7d4b9c6f5-x2x9z is gone', 'pod web-5c8f7b9d44-q8w7k is gone'), ('IPv6 addresses', 'no answer from 2001:db8::8a2e:370:7334', 'no answer from 2001:db8:85a3::42:1'),
        ('run numbers', 'run-4471 failed its check', 'run-90233 failed its check'), ('percentages', 'stopped at 37.5%', 'stopped at 99%'),
        ('hexadecimal numbers', 'bad magic 0xdeadbeef', 'bad magic 0x1f8b0800'), ('coordinates', 'point (3.5, -2.25) is outside', 'point (17, 4.125) is outside'),
        ('versions of the machine in paths', "cannot read '/srv/app-1.4.2/conf/main.yaml'", "cannot read '/srv/app-1.5.0/conf/main.yaml'"), ('user names in paths', 'cannot open /home/anna/in.csv', 'cannot open /home/bert/in.csv'),
        ('base64 tokens', 'token eyJhbGciOiJIUzI1NiJ9x1 expired', 'token eyJ0eXAiOiJKV1QiLCJ4Q2 expired'), ('ids with a prefix', 'customer cus_9s6XKzkNRiz8i3 has no card', 'customer cus_NffrFeUfNV2Hib1 has no card'),
        ('numbers of rows and batches', 'row 812 in batch 9 is empty', 'row 3 in batch 177 is empty')):
    same(why, py('/app/a.py', 'load', 'ValueError: ' + a), py('/srv/b7/a.py', 'load', 'ValueError: ' + b))
differ('another word in the message', py('/a.py', 'load', 'ValueError: row 3 is empty'), py('/a.py', 'load', 'ValueError: row 3 is too long'))
differ('another kind of error', py('/a.py', 'load', "KeyError: 'a'"), py('/a.py', 'load', "AttributeError: 'a'"))
differ('another attribute', py('/a.py', 'load', "AttributeError: 'NoneType' object has no attribute 'text'"), py('/a.py', 'load', "AttributeError: 'NoneType' object has no attribute 'json'"))
differ('500 is not 502', 'requests.exceptions.HTTPError: 500 Server Error: Internal Server Error for url: https://a.example/', 'requests.exceptions.HTTPError: 502 Server Error: Bad Gateway for url: https://a.example/')
differ('another gem', "Could not find gem 'rails (~> 7)' in locally installed gems.", "Could not find gem 'rack (~> 3)' in locally installed gems.")
differ('another header', 'ext.c:4:10: fatal error: Python.h: No such file or directory', 'ext.c:4:10: fatal error: libpq-fe.h: No such file or directory')
differ('another undefined symbol', 'src/a.c:4:1: error: \'rows\' undeclared', 'src/a.c:4:1: error: \'cols\' undeclared')
differ('refused is not reset', 'Error: connect ECONNREFUSED 127.0.0.1:5432', 'Error: read ECONNRESET')
differ('no graphics card is not a full one', 'RuntimeError: No CUDA GPUs are available', 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.')
differ('a bad address in another function', 'Fatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n  File "/a/b.py", line 8 in render', 'Fatal Python error: Segmentation fault\n\nCurrent thread 0x1 (most recent call first):\n  File "/a/b.py", line 99 in decode')
differ('a bad address of another program', 'run.sh: line 4:   512 Segmentation fault      (core dumped) ./index', 'run.sh: line 4:   512 Segmentation fault      (core dumped) ./render')
differ('another task of make', "make: *** No rule to make target 'docs'.  Stop.", "make: *** No rule to make target 'site'.  Stop.")
differ('another option', 'train.py: error: the following arguments are required: --data', 'train.py: error: the following arguments are required: --model')
differ('a syntax error in another place of the language', '  File "/a/b.py", line 3\n    if x\n        ^\nSyntaxError: expected \':\'', '  File "/a/b.py", line 3\n    x = (1\n        ^\nSyntaxError: \'(\' was never closed')
differ('another failing test', "FAIL  src/price.test.ts\nTypeError: x is not a function\n    at total (src/price.ts:12:21)", "FAIL  src/cart.test.ts\nTypeError: y is not a function\n    at sum (src/cart.ts:4:2)")
differ('another host that cannot be looked up is the same cause only behind the same code', py('/a.py', 'pull', "socket.gaierror: [Errno -2] Name or service not known"), py('/a.py', 'push', "socket.gaierror: [Errno -2] Name or service not known"))
differ('another port in use', 'Error: listen EADDRINUSE: address already in use :::3000', 'Error: listen EADDRINUSE: address already in use :::8080')
differ('another tool without words', 'Command exited with code 1\nerror: script "build" exited with code 1', 'Command exited with code 1\nerror: script "deploy" exited with code 1')
