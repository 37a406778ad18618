"""Cases of our own: uncaught failures and refused memory in the runtimes and their disguises.

Each entry says why an expert decides so. Imported by tests/corpus/run for what it adds to own_cases.CASES.
"""
from own_cases import C, GROW, O, T, U, K, case, failing, kernel, traceback

FULL = [(0, 10), (42, 95)]  # memory in percent over seconds

# ---- Deno, Bun, Swift, Kotlin, Elixir, Erlang, Haskell, Lua, Perl, Julia, R, Fortran, COBOL-free ----

failing('run-deno-uncaught', C, 'Deno says "error: Uncaught" and names the function',
        "error: Uncaught (in promise) TypeError: Cannot read properties of undefined (reading 'sku')\n"
        "    return item.sku.trim();\n                ^\n    at priceOf (file:///home/user/shop/price.ts:14:17)\n"
        "    at file:///home/user/shop/main.ts:31:9", 1, 'deno run -A main.ts',
        expect={'factors': ['exit_code:1'], 'signature_contains': ['TypeError', 'sku', 'priceOf']})
failing('run-deno-permission', C, 'Deno refuses to read without a flag: the program had no permission',
        'error: Uncaught (in promise) NotCapable: Requires read access to "/etc/shop.json", run again with the --allow-read flag\n'
        '    at readConfig (file:///home/user/cfg.ts:4:20)', 1, 'deno run main.ts',
        expect={'factors': ['permission_denied'], 'signature_contains': ['readConfig']})
failing('run-deno-module', C, 'A module is missing in Deno',
        'error: Module not found "file:///home/user/lib/rates.ts".\n    at file:///home/user/main.ts:1:22', 1, 'deno run main.ts',
        expect={'signature_contains': ['Module not found']})
failing('run-bun-uncaught', C, 'Bun prints a code frame first and the error after it',
        '12 |   const rows = parse(text);\n13 |   return rows.map((r) => r.total.toFixed(2));\n                                 ^\n'
        "TypeError: undefined is not an object (evaluating 'r.total.toFixed')\n      at summarise (/home/user/a/report.ts:13:31)\n"
        '      at /home/user/a/report.ts:20:1\n\nBun v1.2.4 (Linux x64)', 1, 'bun run report.ts',
        expect={'signature_contains': ['TypeError', 'summarise']})
failing('run-bun-missing', C, 'Bun cannot find a package',
        "error: Cannot find package 'zod' from '/home/user/a/schema.ts'\n\nBun v1.2.4 (Linux x64)", 1, 'bun run schema.ts',
        expect={'factors': ['missing_package'], 'signature_contains': ['zod']})
failing('run-bun-segfault', C, 'Bun itself broke by a bad address; its exit code says signal 11',
        'panic(main thread): Segmentation fault at address 0x0\noh no: Bun has crashed. This indicates a bug in Bun, not your code.',
        139, 'bun run report.ts', expect={'factors': ['segfault', 'signal:11', 'exit_code:139']})
failing('run-swift-trap', C, 'A Swift trap: an array index out of range ends the program by signal',
        'Swift/ContiguousArrayBuffer.swift:600: Fatal error: Index out of range\n\n'
        '\U0001f4a3 Program crashed: System trap at 0x00007f3c\n\nThread 0 crashed:\n\n'
        '0 0x00007f3c specialized _assertionFailure(_:_:file:line:flags:) in libswiftCore.so\n'
        '1 0x00005581 totalPrice(of:) at /home/user/Sources/shop/Cart.swift:22:18', 133, './shop',
        expect={'factors': ['exit_code:133', 'signal:5'], 'signature_contains': ['Index out of range']})
failing('run-kotlin-null', C, 'A Kotlin null pointer named with its own frame, below library frames',
        'Exception in thread "main" kotlin.KotlinNullPointerException\n\tat kotlin.jvm.internal.Intrinsics.throwNpe(Intrinsics.java:80)\n'
        '\tat shop.CartKt.total(Cart.kt:17)\n\tat shop.MainKt.main(Main.kt:5)', 1, 'java -jar shop.jar',
        expect={'signature_contains': ['KotlinNullPointerException', 'total']})
failing('run-erlang-badmatch', C, 'An Erlang runtime error with the module and function',
        "escript: exception error: no match of right hand side value {error,enoent}\n  in function  loader:read/1 (loader.erl, line 12)\n"
        "  in call from escript:run/2 (escript.erl, line 750)", 127, 'escript loader.erl',
        expect={'signature_contains': ['no match of right hand side', 'enoent']})
failing('run-elixir-task', C, 'An Elixir task ended with a match error; the log line in front is the collector\'s',
        '10:00:44.310 [error] Task #PID<0.145.0> started from #PID<0.94.0> terminating\n'
        '** (MatchError) no match of right hand side value: {:error, :enoent}\n    (shop 0.1.0) lib/shop/feed.ex:21: Shop.Feed.load/1\n'
        '    (elixir 1.16.2) lib/task/supervised.ex:101: Task.Supervised.invoke_mfa/2', 1, 'mix run feed.exs',
        expect={'signature_contains': ['MatchError', 'Feed.load']})
failing('run-lua-nil', C, 'A Lua error names the script, as Lua does',
        "lua5.4: price.lua:12: attempt to index a nil value (field 'total')\nstack traceback:\n\tprice.lua:12: in function 'sum'\n"
        "\tprice.lua:30: in main chunk\n\t[C]: in ?", 1, 'lua5.4 price.lua',
        expect={'signature_contains': ['attempt to index a nil value', 'total']})
failing('run-perl-undefined', C, 'Perl died of a call on an undefined value',
        'Can\'t call method "execute" on an undefined value at /home/user/lib/Shop/Store.pm line 44.', 255, 'perl import.pl',
        expect={'signature_contains': ['execute', 'undefined value']})
failing('run-perl-module', C, 'A Perl module is missing',
        "Can't locate JSON/XS.pm in @INC (you may need to install the JSON::XS module) (@INC entries checked: /etc/perl) at import.pl line 3.\n"
        'BEGIN failed--compilation aborted at import.pl line 3.', 2, 'perl import.pl',
        expect={'factors': ['missing_package'], 'signature_contains': ['JSON/XS.pm']})
failing('run-julia-bounds', C, 'A Julia bounds error with its innermost own function',
        'ERROR: LoadError: BoundsError: attempt to access 3-element Vector{Float64} at index [7]\nStacktrace:\n'
        ' [1] getindex\n   @ ./essentials.jl:13 [inlined]\n [2] price_at(v::Vector{Float64}, i::Int64)\n   @ Main ~/price.jl:9', 1, 'julia price.jl',
        expect={'signature_contains': ['BoundsError', 'price_at']})
failing('run-r-object', C, 'An R error in a function of the script',
        "Error in scale_rows(m, w) : object 'weights' not found\nCalls: main -> scale_rows\nExecution halted", 1, 'Rscript fit.R',
        expect={'signature_contains': ["object 'weights' not found", 'scale_rows']})
failing('run-fortran', C, 'A Fortran runtime error',
        "At line 41 of file solve.f90\nFortran runtime error: Index '12' of dimension 1 of array 'a' above upper bound of 10\n\nError termination. Backtrace:\n"
        '#0  0x55d1 in grid_step_\n\tat solve.f90:41', 2, './solve',
        expect={'signature_contains': ['Fortran runtime error']})
failing('run-haskell-exception', C, 'An uncaught Haskell exception',
        'shop: data/rates.csv: openFile: does not exist (No such file or directory)', 1, './shop',
        expect={'signature_contains': ['openFile', 'does not exist']})
failing('run-ocaml-failure', C, 'An uncaught OCaml exception',
        'Fatal error: exception Failure("int_of_string")\nCalled from Dune__exe__Main.parse in file "bin/main.ml", line 12, characters 9-27', 2, './main.exe',
        expect={'signature_contains': ['int_of_string']})
failing('run-nim', C, 'An unhandled Nim exception',
        "/home/user/price.nim(12) price\n/home/user/price.nim(8) total\nError: unhandled exception: index 7 not in 0 .. 2 [IndexDefect]", 1, './price',
        expect={'signature_contains': ['IndexDefect']})
failing('run-crystal', C, 'An unhandled Crystal exception',
        "Unhandled exception: Missing hash key: \"CHF\" (KeyError)\n  from src/rates.cr:9:5 in 'rate'\n  from src/main.cr:3:1 in '__crystal_main'", 1, './rates',
        expect={'signature_contains': ['Missing hash key', 'CHF']})
failing('run-powershell', C, 'PowerShell stopped at an error that it told',
        "Get-Content: /home/user/job.ps1:4\nLine |\n   4 |  $x = Get-Content './in.csv'\n     |       ~~~~~~~~~~~~~~~~~~~~~~\n     | Cannot find path '/home/user/in.csv' because it does not exist.", 1, 'pwsh job.ps1',
        expect={'signature_contains': ['Cannot find path']})
failing('run-dart-null', C, 'A Dart null error',
        'Unhandled exception:\nNull check operator used on a null value\n#0      priceOf (package:shop/price.dart:12:18)\n#1      main (file:///home/user/bin/main.dart:4:3)', 255, 'dart run',
        expect={'signature_contains': ['Null check operator', 'priceOf']})
failing('run-php-exception', C, 'An uncaught PHP exception of the customer, caused by another one',
        "PHP Fatal error:  Uncaught PDOException: SQLSTATE[42S02]: Base table or view not found: 1146 Table 'shop.orders' doesn't exist in /srv/app/src/Store.php:31\n"
        'Stack trace:\n#0 /srv/app/src/Store.php(31): PDO->query()\n#1 /srv/app/src/Report.php(12): App\\Store->orders()\n#2 {main}\n\n'
        'Next App\\ReportFailed: report failed in /srv/app/src/Report.php:15\nStack trace:\n#0 /srv/app/run.php(4): App\\Report->run()\n#1 {main}\n  thrown in /srv/app/src/Report.php on line 15',
        255, 'php run.php', expect={'signature_contains': ['PDOException', '42S02', 'orders']})
failing('run-ruby-cause', C, 'Ruby tells the cause after the error; the cause counts',
        "app/report.rb:15:in `rescue in run': report failed (ReportFailed)\n\tfrom app/report.rb:12:in `run'\n\tfrom app/report.rb:30:in `<main>'\n"
        "app/store.rb:8:in `fetch': key not found: \"amount\" (KeyError)\n\tfrom app/store.rb:8:in `amount'\n\tfrom app/report.rb:13:in `run'", 1, 'ruby app/report.rb',
        expect={'signature_contains': ['KeyError', 'amount']})
failing('run-go-fatal-map', C, 'Go stops at concurrent writes to a map: a mistake in the code',
        'fatal error: concurrent map writes\n\ngoroutine 22 [running]:\nmain.(*Cache).put(...)\n\t/app/cache.go:19\nmain.worker(0xc0000140a0)\n\t/app/worker.go:40 +0x58', 2, './svc',
        expect={'factors': ['exit_code:2'], 'signature_contains': ['concurrent map writes', 'put']})
failing('run-go-deadlock', C, 'Go finds that nothing can go on',
        'fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.wait(...)\n\t/app/main.go:12\nmain.main()\n\t/app/main.go:30 +0x1d', 2, 'go run .',
        expect={'signature_contains': ['deadlock']})
failing('run-go-log-fatal', C, 'log.Fatal of a Go program, with the time that its logger writes',
        '2026/05/02 10:00:44 open /data/in.csv: no such file or directory', 1, './svc',
        expect={'signature_contains': ['no such file or directory']})
failing('run-rust-unwrap', C, 'A Rust unwrap on an error of the operating system',
        "thread 'tokio-runtime-worker' panicked at src/feed.rs:88:14:\ncalled `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: \"No such file or directory\" }\n"
        'stack backtrace:\n   0: rust_begin_unwind\n   1: core::panicking::panic_fmt\n   2: core::result::unwrap_failed\n   3: shop::feed::load_feed\n   4: tokio::runtime::task::raw::poll', 101, './shop',
        expect={'signature_contains': ['NotFound', 'load_feed']})
failing('run-rust-main-err', C, 'A Rust main that returns an error',
        'Error: ParseIntError { kind: InvalidDigit }', 1, './shop', expect={'signature_contains': ['InvalidDigit']})
failing('run-cpp-range', C, 'An uncaught C++ exception that is no memory matter',
        "terminate called after throwing an instance of 'std::out_of_range'\n  what():  vector::_M_range_check: __n (which is 7) >= this->size() (which is 3)\nAborted (core dumped)", 134, './grid',
        mem_pts=FULL, expect={'factors': ['exit_code:134', 'signal:6'], 'signature_contains': ['std::out_of_range']})
failing('run-c-buffer', C, 'glibc stops a program that writes past a buffer',
        '*** buffer overflow detected ***: terminated\nAborted (core dumped)', 134, './pack',
        expect={'factors': ['signal:6'], 'signature_contains': ['buffer overflow detected']})
failing('run-c-fpe', C, 'A division by zero ends a C program by signal 8',
        'bash: line 1:   512 Floating point exception(core dumped) ./rate', 136, 'bash run.sh',
        expect={'factors': ['exit_code:136', 'signal:8']})
failing('run-c-illegal', C, 'An instruction that the processor does not know',
        'run.sh: line 2:   512 Illegal instruction     (core dumped) ./simd', 132, 'bash run.sh',
        expect={'factors': ['exit_code:132', 'signal:4']})
failing('run-dotnet-aggregate', C, 'A .NET wrapper around a refused connection; the inner exception counts',
        'Unhandled exception. System.AggregateException: One or more errors occurred. (Connection refused (127.0.0.1:6379))\n'
        ' ---> System.Net.Sockets.SocketException (111): Connection refused\n   at Shop.Cache.Open() in /src/Cache.cs:line 18\n   --- End of inner exception stack trace ---\n'
        '   at System.Threading.Tasks.Task.Wait()\n   at Program.<Main>$(String[] args) in /src/Program.cs:line 3', 134, 'dotnet run',
        expect={'signature_contains': ['SocketException', 'Connection refused', 'Cache.Open'], 'factors_excludes': ['network_blocked']})
failing('run-dotnet-stack', C, 'A .NET stack overflow: no exception, an abort',
        'Stack overflow.\nRepeat 24071 times:\n--------------------------------\n   at Shop.Tree.Walk(Shop.Node)\n--------------------------------\n   at Program.Main(System.String[])', 134, 'dotnet run',
        expect={'factors': ['exit_code:134', 'signal:6'], 'signature_contains': ['Stack overflow']})
failing('run-java-stack', C, 'A Java stack overflow is no shortage of memory',
        'Exception in thread "main" java.lang.StackOverflowError\n\tat com.acme.Tree.walk(Tree.java:12)\n\tat com.acme.Tree.walk(Tree.java:12)', 1, 'java -jar a.jar',
        expect={'signature_contains': ['StackOverflowError', 'Tree.walk']})
failing('run-node-stack', C, 'A Node stack overflow is no shortage of memory',
        'RangeError: Maximum call stack size exceeded\n    at walk (/home/user/tree.js:4:9)\n    at walk (/home/user/tree.js:5:12)', 1, 'node tree.js',
        expect={'signature_contains': ['Maximum call stack size exceeded', 'walk']})
failing('run-node-rejection', C, 'A rejected promise without a handler, with a string as its reason',
        'node:internal/process/promises:394\n      triggerUncaughtException(err, true /* fromPromise */);\n      ^\n\n'
        '[UnhandledPromiseRejection: This error originated either by throwing inside of an async function without a catch block, or by rejecting a promise which was not handled with .catch(). The promise rejected with the reason "no rate for CHF".] {\n'
        "  code: 'ERR_UNHANDLED_REJECTION'\n}\n\nNode.js v22.11.0", 1, 'node rates.js',
        expect={'signature_contains': ['no rate for CHF']})
failing('run-node-cause', C, 'fetch hides the cause of its failure behind "fetch failed"',
        "TypeError: fetch failed\n    at node:internal/deps/undici/undici:13502:13\n    at async pull (/home/user/feed.mjs:9:15) {\n"
        "  [cause]: Error: getaddrinfo ENOTFOUND feed.example.com\n      at GetAddrInfoReqWrap.onlookupall [as oncomplete] (node:dns:122:26) {\n    errno: -3008,\n    code: 'ENOTFOUND',\n    syscall: 'getaddrinfo',\n    hostname: 'feed.example.com'\n  }\n}", 1, 'node feed.mjs',
        expect={'factors': ['network_blocked'], 'signature_contains': ['ENOTFOUND', 'pull']})
failing('run-esm-require', C, 'require of an ES module: a Node error code names it',
        "Error [ERR_REQUIRE_ESM]: require() of ES Module /home/user/node_modules/chalk/source/index.js from /home/user/a.js not supported.\n    at Object.<anonymous> (/home/user/a.js:2:15)", 1, 'node a.js',
        expect={'signature_contains': ['ERR_REQUIRE_ESM']})
failing('run-ts-node', C, 'ts-node refuses code that does not compile',
        "TSError: \u2a2f Unable to compile TypeScript:\nsrc/cart.ts:3:5 - error TS2345: Argument of type 'string' is not assignable to parameter of type 'number'.", 1, 'npx ts-node src/cart.ts',
        expect={'signature_contains': ['TS2345']})
failing('run-shell-unbound', C, 'A shell script stopped at a variable that is not set',
        'deploy.sh: line 12: API_TOKEN: unbound variable', 1, 'bash deploy.sh', expect={'signature_contains': ['API_TOKEN', 'unbound variable']})
failing('run-make-stderr', C, 'make reports a failed recipe; the compiler said why',
        "src/grid.c: In function 'step':\nsrc/grid.c:40:12: error: 'rows' undeclared (first use in this function)\nmake: *** [Makefile:12: grid.o] Error 1", 2, 'make',
        expect={'signature_contains': ['undeclared']})
failing('run-python-exit-message', C, 'sys.exit with a message: the program stopped itself and said why',
        'config.yaml: key "region" is required', 1, 'python3 deploy.py', expect={'signature_contains': ['region']})
failing('run-python-argparse', C, 'The program was called in a way it does not know: exit code 2',
        'usage: train.py [-h] --data DATA\ntrain.py: error: the following arguments are required: --data', 2, 'python3 train.py',
        expect={'factors': ['exit_code:2'], 'signature_contains': ['arguments are required']})
failing('run-python-localized', C, 'An error in a module of the customer, raised below a library that called it back',
        'Traceback (most recent call last):\n  File "/home/user/etl/main.py", line 20, in <module>\n    df.apply(clean)\n'
        '  File "/usr/local/lib/python3.12/site-packages/pandas/core/frame.py", line 10374, in apply\n    return op.apply()\n'
        '  File "/home/user/etl/rules.py", line 7, in clean\n    return Decimal(row.amount)\ndecimal.InvalidOperation: [<class \'decimal.ConversionSyntax\'>]', 1,
        expect={'signature_contains': ['InvalidOperation', 'clean']})
failing('run-python-asyncio', C, 'An error of asyncio that ended the program',
        'Traceback (most recent call last):\n  File "/home/user/bot.py", line 40, in <module>\n    asyncio.run(main())\n  File "/usr/lib/python3.12/asyncio/runners.py", line 194, in run\n    return runner.run(main)\n'
        '  File "/home/user/bot.py", line 31, in main\n    await serve()\n  File "/home/user/bot.py", line 12, in serve\n    raise ValueError("no token")\nValueError: no token', 1,
        expect={'signature_contains': ['ValueError', 'no token', 'serve']})
failing('run-python-pydantic', C, 'A validation error of several lines',
        traceback('Settings()', "pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\napi_key\n  Field required [type=missing, input_value={}, input_type=dict]"), 1,
        expect={'signature_contains': ['ValidationError', 'Settings', 'run']})
failing('run-jvm-crash', C, 'The Java runtime itself broke down in native code',
        '#\n# A fatal error has been detected by the Java Runtime Environment:\n#\n#  SIGSEGV (0xb) at pc=0x00007f1c2d0a, pid=512, tid=519\n#\n# Problematic frame:\n# C  [libfastzip.so+0x1a2b]  unzip_block+0x44\n#\nAborted (core dumped)', 134, 'java -jar a.jar',
        mem_pts=FULL, expect={'factors': ['exit_code:134']})
failing('run-spark-failed', C, 'A Spark job failed by an error in its function; the Java wrapper comes first',
        'py4j.protocol.Py4JJavaError: An error occurred while calling o61.collect.\n: org.apache.spark.SparkException: Job aborted due to stage failure: Task 3 in stage 1.0 failed 1 times\n'
        "Caused by: org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n  File \"/home/user/job.py\", line 14, in to_cents\n    return int(row['price'] * 100)\nTypeError: unsupported operand type(s) for *: 'NoneType' and 'int'", 1, 'spark-submit job.py',
        expect={'signature_contains': ['TypeError', 'to_cents']})

# ---- refused memory and ceilings in other words ----

failing('mem-python-pandas', O, 'pandas could not get main memory for an array, and ended',
        traceback('pd.concat(parts)', 'numpy._core._exceptions._ArrayMemoryError: Unable to allocate 1.86 GiB for an array with shape (250000000,) and data type float64'), 1,
        mem_pts=[(0, 10), (42, 60)], expect={'confidence_at_least': 'high', 'factors': ['exit_code:1'], 'signature_contains': ['_ArrayMemoryError', 'run'], 'evidence_must_mention': ['1.86']})
failing('mem-python-bare', O, 'A bare MemoryError without a size',
        traceback('b.extend(chunk)', 'MemoryError'), 1, mem_pts=FULL, expect={'confidence_at_least': 'high', 'signature_contains': ['MemoryError', 'run']})
failing('mem-python-ulimit', O, 'A MemoryError at calm metrics: a limit set with ulimit refused the memory; the metrics show room',
        traceback('load()', 'MemoryError'), 1, 'bash -c "ulimit -v 400000; python3 a.py"', expect={'confidence_at_least': 'high'})
failing('mem-node-old-space', O, 'Node at its own heap limit, in the wording of older releases',
        '<--- Last few GCs --->\n\n[512:0x55]   8123 ms: Mark-sweep 502.1 (515.0) -> 501.9 (515.2) MB, 201.1 / 0.0 ms  allocation failure\n\n'
        'FATAL ERROR: CALL_AND_RETRY_LAST Allocation failed - JavaScript heap out of memory\n 1: 0xa18150 node::Abort() [node]\nAborted (core dumped)', 134, 'node --max-old-space-size=512 build.js',
        expect={'confidence_at_least': 'high', 'factors': ['exit_code:134', 'signal:6'], 'signature_contains': ['JavaScript heap out of memory'], 'evidence_must_mention': ['heap']})
failing('mem-node-ineffective', O, 'Node at its own heap limit, in the third wording',
        'FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory', 134, 'npm run build',
        expect={'confidence_at_least': 'high', 'signature_contains': ['heap limit']})
failing('mem-deno-heap', O, 'Deno has the heap limit of V8, too',
        '#\n# Fatal JavaScript out of memory: Reached heap limit\n#', 133, 'deno run -A main.ts', expect={'confidence_at_least': 'high'})
failing('mem-bun', O, 'Bun could not get memory', 'RangeError: Out of memory\n      at repeat (native)\n      at grow (/home/user/a.ts:4:9)', 1, 'bun run a.ts', mem_pts=FULL,
        expect={'signature_contains': ['Out of memory']})
failing('mem-java-direct', O, 'A limit of the Java runtime on memory outside its heap',
        'Exception in thread "main" java.lang.OutOfMemoryError: Cannot reserve 1048576 bytes of direct buffer memory (allocated: 134217728, limit: 134217728)\n\tat com.acme.Ring.open(Ring.java:31)', 1, 'java -jar a.jar',
        expect={'confidence_at_least': 'high', 'signature_contains': ['direct buffer memory', 'Ring.open']})
failing('mem-java-exit-on-oom', O, 'A Java program that stops at its heap limit by option',
        'Terminating due to java.lang.OutOfMemoryError: Java heap space', 3, 'java -XX:+ExitOnOutOfMemoryError -jar a.jar', expect={'confidence_at_least': 'high', 'factors': ['exit_code:3']})
failing('mem-java-errno12', O, 'The Java runtime could not get its heap from the system',
        "OpenJDK 64-Bit Server VM warning: INFO: os::commit_memory(0x00000000a0000000, 1610612736, 0) failed; error='Not enough space' (errno=12)\n#\n# There is insufficient memory for the Java Runtime Environment to continue.\n# Native memory allocation (mmap) failed to map 1610612736 bytes for committing reserved memory.", 1, 'java -Xmx4g -jar a.jar',
        expect={'confidence_at_least': 'high'})
failing('mem-scala-sbt', O, 'The Scala build tool says that its heap is too small', 'java.lang.OutOfMemoryError: GC overhead limit exceeded\n[error] Error during sbt execution: java.lang.OutOfMemoryError', 1, 'sbt compile', expect={'confidence_at_least': 'high'})
failing('mem-go-mmap', O, 'The Go runtime could not map memory',
        'runtime: VirtualAlloc of 8192 bytes failed with errno=1455\nfatal error: runtime: out of memory', 2, './svc', mem_pts=FULL, expect={'confidence_at_least': 'high', 'factors': ['exit_code:2']})
failing('mem-rust-vec', O, 'Rust could not get a believable amount of memory',
        'memory allocation of 3221225472 bytes failed\nstack backtrace:\n   0: rust_oom', 134, './pack', mem_pts=[(0, 10), (42, 50)], expect={'confidence_at_least': 'high', 'factors': ['signal:6']})
failing('mem-php-allocated', O, 'PHP could not get memory from the system, below its own limit',
        'PHP Fatal error:  Out of memory (allocated 402653184 bytes) (tried to allocate 134217736 bytes) in /srv/app/src/Matrix.php on line 18', 255, 'php matrix.php', mem_pts=FULL,
        expect={'confidence_at_least': 'high', 'signature_contains': ['Out of memory', 'Matrix.php']})
failing('mem-ruby', O, 'Ruby could not get memory', '[FATAL] failed to allocate memory', 1, 'ruby expand.rb', mem_pts=FULL, expect={'confidence_at_least': 'high'})
failing('mem-r-ceiling', O, 'R at its own limit for vectors', 'Error: vector memory limit of 16.0 Gb reached, see mem.maxVSize()\nExecution halted', 1, 'Rscript fit.R', expect={'confidence_at_least': 'high'})
failing('mem-r-cons', O, 'R could not get memory, in its other wording', 'Error: memory exhausted (limit reached?)\nExecution halted', 1, 'Rscript fit.R', mem_pts=FULL)
failing('mem-julia', O, 'Julia could not get memory', 'ERROR: LoadError: OutOfMemoryError()\nStacktrace:\n [1] Array\n   @ ./boot.jl:479\n [2] make_grid(n::Int64)\n   @ Main ~/grid.jl:4', 1, 'julia grid.jl', expect={'confidence_at_least': 'high', 'signature_contains': ['OutOfMemoryError', 'make_grid']})
failing('mem-matlab-octave', O, 'Octave could not get memory', "error: out of memory or dimension too large for Octave's index type", 1, 'octave solve.m', mem_pts=FULL)
failing('mem-erlang-super', O, 'The Erlang runtime could not extend its heap', 'eheap_alloc: Cannot allocate 2545816512 bytes of memory (of type "old_heap").\n\nCrash dump is being written to: erl_crash.dump...done', 1, 'mix run', mem_pts=FULL, expect={'confidence_at_least': 'high'})
failing('mem-git-index-pack', O, 'git could not get memory', 'fatal: Out of memory, calloc failed\nfatal: index-pack failed', 128, 'git clone https://git.example.com/big.git', mem_pts=FULL, expect={'confidence_at_least': 'high'})
failing('mem-ffmpeg', O, 'ffmpeg could not get memory', '[libx264 @ 0x55d0] malloc of size 31104000 failed\nError initializing output stream 0:0 -- Error while opening encoder for output stream #0:0\nConversion failed!', 1, 'ffmpeg -i a.mov b.mp4', mem_pts=FULL)
failing('mem-sort', O, 'sort could not get memory', 'sort: memory exhausted', 2, 'sort -k2 big.tsv -o out.tsv', mem_pts=FULL, expect={'confidence_at_least': 'high', 'signature_contains': ['memory exhausted']})
failing('mem-ld', O, 'The linker could not get memory', "/usr/bin/ld: final link failed: memory exhausted\ncollect2: error: ld returned 1 exit status\nmake: *** [Makefile:4: app] Error 1", 2, 'make', mem_pts=FULL, expect={'confidence_at_least': 'high', 'signature_contains': ['memory exhausted']})
failing('mem-cc1plus', O, 'The compiler could not get memory', 'cc1plus: out of memory allocating 65536 bytes after a total of 1006895104 bytes\nmake: *** [Makefile:9: a.o] Error 1', 2, 'make', mem_pts=FULL, expect={'confidence_at_least': 'high', 'signature_contains': ['out of memory', 'cc1plus']})
failing('mem-rustc-llvm', O, 'LLVM inside rustc could not get memory', 'rustc-LLVM ERROR: out of memory\nAllocation failed\nerror: could not compile `shop` (bin "shop")', 101, 'cargo build', mem_pts=FULL, expect={'confidence_at_least': 'high'})
failing('mem-postgres', O, 'The database server could not get memory for a query, and the script ended with that', traceback('cur.execute(q)', 'psycopg2.errors.OutOfMemory: out of memory\nDETAIL:  Failed on request of size 1073741823 in memory context "ExecutorState".'), 1, mem_pts=FULL, expect={'signature_contains': ['OutOfMemory']})
failing('mem-sqlite', O, 'SQLite could not get memory', traceback('con.execute(q)', 'sqlite3.OperationalError: out of memory'), 1, mem_pts=FULL, expect={'signature_contains': ['out of memory', 'run']})
failing('mem-polars', O, 'polars could not get memory: Rust ends the whole process', 'memory allocation of 5368709120 bytes failed\nAborted (core dumped)', 134, mem_pts=[(0, 10), (42, 70)], expect={'confidence_at_least': 'high'})
failing('mem-xgboost', O, 'A C++ library inside Python could not get memory', traceback('bst.fit(X)', 'xgboost.core.XGBoostError: bad_malloc: Failed to allocate 4294967296 bytes.'), 1, mem_pts=FULL)
failing('mem-onnx', O, 'ONNX Runtime could not get main memory', traceback('ort.InferenceSession(p)', 'onnxruntime.capi.onnxruntime_pybind11_state.RuntimeException: [ONNXRuntimeError] : 6 : RUNTIME_EXCEPTION : Exception during initialization: std::bad_alloc'), 1, mem_pts=FULL, expect={'signature_contains': ['bad_alloc']})
failing('mem-llama', O, 'llama.cpp could not get main memory for a model', "ggml_aligned_malloc: insufficient memory (attempted to allocate 4096.00 MB)\nllama_model_load: error loading model: unable to allocate CPU buffer", 1, './llama-cli -m m.gguf', mem_pts=FULL)
failing('mem-fork', O, 'A shell could not get memory to start a process', 'bash: fork: Cannot allocate memory', 254, 'bash run.sh', mem_pts=FULL, expect={'confidence_at_least': 'high', 'signature_contains': ['Cannot allocate memory']})
failing('mem-mmap-node', O, 'node could not reserve its memory at the start', 'node: ../deps/v8/src/heap/heap.cc: Fatal process out of memory: SemiSpace::EnsureCurrentCapacity\nAborted (core dumped)', 134, 'node a.js', mem_pts=FULL)
failing('mem-wasm', O, 'WebAssembly could not get memory', 'RangeError: WebAssembly.Memory(): could not allocate memory\n    at load (/home/user/a.js:4:9)', 1, 'node a.js', mem_pts=FULL, expect={'signature_contains': ['could not allocate memory', 'load']})
failing('mem-esbuild-go', O, 'esbuild is a Go program; npm wraps its death', 'fatal error: runtime: out of memory\n\nruntime stack:\nruntime.throw({0x5, 0x1})\n\t/usr/local/go/src/runtime/panic.go:1067 +0x48\nnpm error code 2\nnpm error command sh -c vite build', 2, 'npm run build', mem_pts=FULL, expect={'confidence_at_least': 'high'})

# ---- killed by the kernel, in other kernel and shell words ----

case('kill-kernel-old-kernel', O, 'An older kernel\'s wording with score; it names the process of this sandbox.',
     procs=[(3021, 'node render.js', 5, 42)], mem_pts=GROW, state='running', now=120,
     out=[(42.2, 'e', 'Command exited with code -1 and error:\nsignal: killed'),
          (43, 'o', '[  102.331] Out of memory: Kill process 3021 (node) score 903 or sacrifice child\n[  102.332] Killed process 3021 (node) total-vm:1840220kB, anon-rss:871002kB, file-rss:0kB, shmem-rss:0kB')],
     expect={'confidence_at_least': 'high', 'factors': ['signal:9'], 'signature_contains': ['node']})
case('kill-kernel-syslog', O, 'The kernel\'s line arrives with the prefix of a log collector and names the compiler that the build had started.',
     procs=[(700, 'cargo build --release', 5, 43)], mem_pts=GROW, state='running', now=120,
     out=[(42.9, 'e', 'error: could not compile `polars` (lib)\n\nCaused by:\n  process didn\'t exit successfully: `rustc --crate-name polars` (signal: 9, SIGKILL: kill)'), (43.2, 'e', 'Command exited with code 101'),
          (44, 'o', 'May  2 10:00:43 sandbox kernel: [   43.1] Memory cgroup out of memory: Killed process 733 (rustc) total-vm:1840220kB, anon-rss:871002kB, file-rss:0kB, shmem-rss:0kB, UID:1000')],
     expect={'confidence_at_least': 'high', 'factors': ['exit_code:101', 'signal:9'], 'signature_contains': ['rustc']})
case('kill-kernel-calm-metrics', O, 'The kernel\'s line outranks calm metrics: the jump fitted between two samples.',
     procs=[(810, 'python3 burst.py', 5, 42)], state='running', now=120, mem=512,
     out=[(42.2, 'e', 'Command exited with code 137'), (42.5, 'o', kernel(810, 'python3'))],
     expect={'confidence_at_least': 'high', 'factors': ['signal:9', 'exit_code:137'], 'evidence_must_mention': ['512 MB', 'python3']})
case('kill-other-process-line', U, 'The kernel line names a process that never was here: it was in a log that the job read. The signal has no known sender, memory was calm.',
     procs=[(810, 'python3 read_logs.py', 5, 42)], state='running', now=120,
     out=[(10, 'o', 'line 1 of node-7/kern.log'), (11, 'o', '[ 9917.002210] Out of memory: Killed process 88213 (postgres) total-vm:3380104kB, anon-rss:1604002kB'), (12, 'o', 'line 3 of node-7/kern.log'), (20, 'o', 'line 4'), (30, 'o', 'line 5'), (42.2, 'e', 'Command exited with code 137')],
     expect={'factors': ['signal:9']})
failing('kill-make-child', O, 'make tells that a child was killed, at full memory', 'make[2]: *** [src/CMakeFiles/app.dir/build.make:76: src/a.o] Killed\nmake: *** [Makefile:84: all] Error 2', 2, 'make -j8', mem_pts=FULL, expect={'factors': ['exit_code:2'], 'signature_contains': ['killed']})
failing('kill-ninja', O, 'The compiler under ninja was killed, at full memory', 'FAILED: src/a.o\nc++: fatal error: Killed signal terminated program cc1plus\ncompilation terminated.\nninja: build stopped: subcommand failed.', 1, 'ninja', mem_pts=FULL, expect={'signature_contains': ['cc1plus']})
failing('kill-go-compile', O, 'The Go compiler was killed, at full memory', 'github.com/acme/big: /usr/local/go/pkg/tool/linux_amd64/compile: signal: killed', 1, 'go build ./...', mem_pts=FULL, expect={'factors': ['signal:9'], 'signature_contains': ['compile']})
failing('kill-python-subprocess', O, 'A Python program tells that its child died of signal 9, at full memory', traceback('subprocess.run(cmd, check=True)', "subprocess.CalledProcessError: Command '['ffmpeg', '-i', 'a.mov', 'b.mp4']' died with <Signals.SIGKILL: 9>."), 1, mem_pts=FULL, expect={'factors': ['signal:9'], 'signature_contains': ['ffmpeg|SIGKILL']})
failing('kill-node-exec', O, 'A Node program tells that its child was killed, at full memory', "Error: Command failed: tsc -p .\n    at genericNodeError (node:internal/errors:984:15)\n    at build (/home/user/build.js:12:3) {\n  killed: false,\n  code: null,\n  signal: 'SIGKILL'\n}", 1, 'node build.js', mem_pts=FULL, expect={'factors': ['signal:9']})
failing('kill-pm2', O, 'A process manager tells the signal, at full memory', 'PM2      | App [api:0] exited with code [0] via signal [SIGKILL]', 1, 'pm2-runtime start api.js', mem_pts=FULL, expect={'factors': ['signal:9']})
failing('kill-gunicorn', O, 'gunicorn tells that a worker got SIGKILL and guesses at memory; the metrics agree', "[2026-05-02 10:00:44 +0000] [512] [ERROR] Worker (pid:519) was sent SIGKILL! Perhaps out of memory?", 1, 'gunicorn app:app', mem_pts=FULL, expect={'factors': ['signal:9']})
failing('kill-gunicorn-calm', U, 'gunicorn guesses at memory, but memory was calm: signal 9 alone does not name its sender', "[2026-05-02 10:00:44 +0000] [512] [ERROR] Worker (pid:519) was sent SIGKILL! Perhaps out of memory?", 1, 'gunicorn app:app', expect={'factors': ['signal:9']})
failing('kill-ray-worker', O, 'Ray tells that the system killed a worker, at full memory', "ray.exceptions.WorkerCrashedError: The worker died unexpectedly while executing this task. Check python-core-worker-*.log files for more information.", 1, mem_pts=FULL)
failing('kill-spark-executor', O, 'Spark lost an executor with code 137, at full memory', "26/05/02 10:00:44 ERROR TaskSchedulerImpl: Lost executor 1 on 127.0.0.1: Command exited with code 137\norg.apache.spark.SparkException: Job aborted due to stage failure: ExecutorLostFailure (executor 1 exited caused by one of the running tasks) Reason: Command exited with code 137", 1, 'spark-submit job.py', mem_pts=FULL)
failing('kill-yarn-137', O, 'yarn tells that the build ended with 137, at full memory', "/bin/sh: line 1: 612 Killed  webpack --mode production\nerror Command failed with exit code 137.\ninfo Visit https://yarnpkg.com/en/docs/cli/run for documentation about this command.", 137, 'yarn build', mem_pts=FULL, expect={'factors': ['exit_code:137', 'signal:9'], 'signature_contains': ['webpack']})
failing('kill-android-gradle', O, 'The Kotlin daemon was lost at full memory', "* What went wrong:\nExecution failed for task ':app:compileKotlin'.\n> Could not connect to kotlin daemon. Daemon has terminated unexpectedly on startup attempt #1", 1, './gradlew assemble', mem_pts=FULL)
case('kill-jupyter-at-full', O, 'The notebook kernel was restarted without anyone asking, with memory full just before.',
     mem_pts=[(0, 20), (40, 96), (45, 12)], state='running', now=120, mem=2048,
     out=[(10, 'o', 'loading part 1'), (42, 'e', 'KernelRestarter: restarting kernel (1/5), keep random ports')],
     expect={'confidence_at_least': 'medium', 'factors': ['kernel_restarted'], 'evidence_must_mention': ['2048 MB|2 GB', 'restart']})
case('kill-jupyter-calm', U, 'The notebook kernel died with calm memory, and nothing tells why.',
     state='running', now=120, out=[(10, 'o', 'loading part 1'), (42, 'e', 'The kernel appears to have died. It will restart automatically.')],
     metrics=False, expect={'factors_excludes': ['signal:9']})
