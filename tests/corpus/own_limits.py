"""Cases of our own: near misses. Limits that sound like memory, words that prove nothing, failures that were handled.

Each entry says why an expert decides so. Imported by tests/corpus/run for what it adds to own_cases.CASES.
"""
from own_cases import C, GROW, O, T, U, K, case, failing, kernel, traceback

FULL = [(0, 10), (42, 95)]  # memory in percent over seconds

# ---- not the sandbox's memory ----

failing('not-cuda-alloc', C, 'the memory of a graphics card', traceback('model.to("cuda")', 'RuntimeError: CUDA error: out of memory\nCUDA kernel errors might be asynchronously reported at some other API call'), 1, mem_pts=FULL, expect={'signature_contains': ['CUDA error: out of memory']})
failing('not-hip', C, 'the memory of a graphics card', traceback('model.to(d)', 'torch.OutOfMemoryError: HIP out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 15.98 GiB'), 1, mem_pts=FULL)
failing('not-mps', C, 'the memory of a graphics card', traceback('model(x)', 'RuntimeError: MPS backend out of memory (MPS allocated: 8.00 GB, other allocations: 384.00 KB, max allowed: 9.07 GB)'), 1)
failing('not-jax-gpu', C, 'the memory of a graphics card', traceback('f(x)', 'jaxlib.xla_extension.XlaRuntimeError: RESOURCE_EXHAUSTED: Out of memory while trying to allocate 8589934592 bytes on GPU device 0.'), 1)
failing('not-vllm', C, 'the memory of a graphics card, in the words of an inference server', 'ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.', 1)
failing('not-webgpu', C, 'the memory of a graphics card', 'Error: GPUOutOfMemoryError: Failed to create buffer of size 1073741824', 1, 'node infer.js')
failing('not-opencl', C, 'the memory of a graphics card', traceback('cl.Buffer(ctx)', 'pyopencl._cl.MemoryError: create_buffer failed: MEM_OBJECT_ALLOCATION_FAILURE'), 1)
failing('not-shm-mp', C, 'shared memory is not the sandbox\'s memory', traceback('SharedMemory(create=True, size=n)', "OSError: [Errno 28] No space left on device: '/psm_4f1a2b'"), 1, expect={'factors': ['exit_code:1']})
failing('not-shm-torch', C, 'shared memory is not the sandbox\'s memory', traceback('next(it)', 'RuntimeError: unable to allocate shared memory(shm) for file </torch_512_771_0>: No space left on device (28)'), 1, mem_pts=FULL, expect={'factors_excludes': ['disk_full']})
failing('not-shm-resize', C, 'shared memory of a database', 'psycopg2.errors.DiskFull: could not resize shared memory segment "/PostgreSQL.123" to 8388608 bytes: No space left on device', 1, expect={'factors_excludes': ['disk_full']})
failing('not-sysv-shm', C, 'a limit on shared memory segments', 'FATAL:  could not create shared memory segment: Cannot allocate memory\nDETAIL:  Failed system call was shmget(key=5432001, size=56, 03600).', 1, 'postgres -D data', expect={'signature_contains': ['shared memory segment']})
failing('not-bus-error', C, 'a bus error is no shortage of memory', 'bash: line 1:   512 Bus error               (core dumped) ./index', 135, './run.sh', mem_pts=FULL, expect={'factors': ['exit_code:135', 'signal:7']})
failing('not-threads-java', C, 'a limit on threads', 'Exception in thread "main" java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached\n\tat com.acme.Pool.grow(Pool.java:12)', 1, 'java -jar a.jar', mem_pts=FULL, expect={'signature_contains': ['native thread', 'Pool.grow']})
failing('not-threads-cpp', C, 'a limit on threads', "terminate called after throwing an instance of 'std::system_error'\n  what():  Resource temporarily unavailable\nAborted (core dumped)", 134, './svc', mem_pts=FULL, expect={'factors': ['signal:6']})
failing('not-threads-openblas', C, 'a limit on threads', 'OpenBLAS blas_thread_init: pthread_create failed for thread 3 of 64: Resource temporarily unavailable\nOpenBLAS blas_thread_init: RLIMIT_NPROC 64 current, 64 max', 1, mem_pts=FULL)
failing('not-threads-rust', C, 'a limit on threads', "thread 'main' panicked at library/std/src/thread/mod.rs:712:29:\nfailed to spawn thread: Os { code: 11, kind: WouldBlock, message: \"Resource temporarily unavailable\" }", 101, './svc', mem_pts=FULL)
failing('not-threads-node', C, 'a limit on threads', 'node[512]: ../src/node_platform.cc:68:std::unique_ptr<long unsigned int> node::WorkerThreadsTaskRunner::DelayedTaskScheduler::Start(): Assertion `(0) == (uv_thread_create(t.get(), start_thread, this))\' failed.\nAborted (core dumped)', 134, 'node a.js', mem_pts=FULL)
failing('not-pids', C, 'a limit on processes', 'bash: fork: retry: Resource temporarily unavailable\nbash: fork: Resource temporarily unavailable', 254, './spawn.sh', mem_pts=FULL, expect={'factors': ['exit_code:254']})
failing('not-pids-python', C, 'a limit on processes', traceback('Pool(400)', 'BlockingIOError: [Errno 11] Resource temporarily unavailable'), 1, mem_pts=FULL)
failing('not-pids-ruby', C, 'a limit on processes', "spawn.rb:9:in `fork': Resource temporarily unavailable - fork(2) (Errno::EAGAIN)\n\tfrom spawn.rb:9:in `start_all'", 1, 'ruby spawn.rb', mem_pts=FULL, expect={'signature_contains': ['EAGAIN', 'start_all']})
failing('not-pids-go', C, 'a limit on processes', 'fork/exec /usr/bin/git: resource temporarily unavailable', 1, './svc', mem_pts=FULL)
failing('not-ulimit-files', C, 'a limit on open files', 'java.io.IOException: Too many open files\n\tat java.base/sun.nio.ch.ServerSocketChannelImpl.accept0(Native Method)\n\tat com.acme.Hub.accept(Hub.java:40)', 1, 'java -jar a.jar', mem_pts=FULL, expect={'factors': ['too_many_open_files'], 'signature_contains': ['Hub.accept']})
failing('not-ulimit-files-go', C, 'a limit on open files', 'panic: open /data/part-0512: too many open files\n\ngoroutine 1 [running]:\nmain.merge({0xc000, 0x9})\n\t/app/merge.go:31 +0x34', 2, './merge', expect={'factors': ['too_many_open_files', 'exit_code:2'], 'signature_contains': ['merge']})
failing('not-ulimit-fsize', C, 'a limit on the size of files: a signal of its own', 'run.sh: line 3:   512 File size limit exceeded(core dumped) ./dump', 153, 'bash run.sh', expect={'factors': ['exit_code:153', 'signal:25']})
failing('not-ulimit-cpu', C, 'a limit on processor time set in the sandbox: a signal of its own', 'run.sh: line 3:   512 CPU time limit exceeded (core dumped) ./dump', 152, 'bash run.sh', expect={'factors': ['exit_code:152', 'signal:24']})
failing('not-inotify', C, 'a limit on file watches, not a full disk', "OSError: [Errno 28] inotify watch limit reached", 1, 'python3 -m watchfiles app', expect={'factors_excludes': ['disk_full']})
failing('not-inotify-instances', C, 'a limit on file watches', 'Error: EMFILE: too many open files, watch \'/home/user/shop\'\n    at FSWatcher.<computed> (node:internal/fs/watchers:247:19)', 1, 'npm run dev', expect={'factors_excludes': ['disk_full']})
failing('not-string-length', C, 'a size that the language cannot express', 'Error: Cannot create a string longer than 0x1fffffe8 characters\n    at Object.slice (node:buffer:610:37)\n    at load (/home/user/a.js:4:9)', 1, 'node a.js', mem_pts=FULL, expect={'signature_contains': ['Cannot create a string longer than', 'load']})
failing('not-buffer-size', C, 'a size that the language cannot express', 'RangeError [ERR_FS_FILE_TOO_LARGE]: File size (5368709120) is greater than 2 GiB\n    at load (/home/user/a.js:4:9)', 1, 'node a.js', expect={'signature_contains': ['ERR_FS_FILE_TOO_LARGE', 'load']})
failing('not-java-array', C, 'a size that the language cannot express', 'Exception in thread "main" java.lang.OutOfMemoryError: Requested array size exceeds VM limit\n\tat com.acme.Grid.make(Grid.java:9)', 1, 'java -jar a.jar', expect={'signature_contains': ['Grid.make']})
failing('not-python-overflow', C, 'a size that the language cannot express', traceback('b"x" * n', 'OverflowError: cannot fit \'int\' into an index-sized integer'), 1, expect={'signature_contains': ['OverflowError']})
failing('not-numpy-pib', C, 'a request over a pebibyte is an arithmetic bug', traceback('np.zeros(n)', 'numpy._core._exceptions._ArrayMemoryError: Unable to allocate 1.42 PiB for an array with shape (200000000000000,) and data type float64'), 1, mem_pts=FULL, expect={'signature_contains': ['impossible']})
failing('not-go-makeslice', C, 'a size that the language cannot express', 'panic: runtime error: makeslice: len out of range\n\ngoroutine 1 [running]:\nmain.alloc(...)\n\t/app/a.go:9', 2, './svc', mem_pts=FULL, expect={'signature_contains': ['makeslice', 'alloc']})
failing('not-cpp-length', C, 'a size that the language cannot express', "terminate called after throwing an instance of 'std::length_error'\n  what():  vector::reserve", 134, './svc', mem_pts=FULL, expect={'signature_contains': ['std::length_error']})
failing('not-cpp-bad-array', C, 'a size that the language cannot express', "terminate called after throwing an instance of 'std::bad_array_new_length'\n  what():  std::bad_array_new_length", 134, './svc', mem_pts=FULL)
failing('not-net-array', C, 'a size that the language cannot express', 'Unhandled exception. System.OutOfMemoryException: Array dimensions exceeded supported range.\n   at Shop.Grid.Make(Int32 n) in /src/Grid.cs:line 9', 134, 'dotnet run', mem_pts=FULL, expect={'signature_contains': ['Grid.Make']})
failing('not-julia-dims', C, 'a size that the language cannot express', 'ERROR: LoadError: ArgumentError: invalid Array dimensions\nStacktrace:\n [1] Array\n [2] make_grid(n::Int64)\n   @ Main ~/grid.jl:4', 1, 'julia grid.jl', expect={'signature_contains': ['invalid Array dimensions']})
failing('not-static-tls', C, 'a fixed table of the C library', 'ImportError: /usr/lib/libgomp.so.1: cannot allocate memory in static TLS block', 1, mem_pts=FULL)
failing('not-tex', C, 'a fixed table of TeX', '! TeX capacity exceeded, sorry [pool size=5938710].', 1, 'pdflatex a.tex', mem_pts=FULL)
failing('not-mlock', C, 'a limit on locked memory, not a shortage', 'mlock: Cannot allocate memory\nfatal: RLIMIT_MEMLOCK is too small', 1, './svc')
failing('not-jit-mmap', C, 'a protection refused to make memory executable', 'runtime: mmap: operation not permitted\nfatal error: runtime: cannot map pages in arena address space', 2, './svc')
failing('not-token-limit', C, 'a limit of a language model, not of memory', "openai.BadRequestError: Error code: 400 - {'error': {'message': \"This model's maximum context length is 8192 tokens.\", 'code': 'context_length_exceeded'}}", 1, expect={'signature_contains': ['400']})
failing('not-quota', C, 'a quota of another service', "google.api_core.exceptions.ResourceExhausted: 429 Resource has been exhausted (e.g. check quota).", 1, mem_pts=FULL, expect={'signature_contains': ['429']})
failing('not-lambda-text', C, 'a failing assertion about the words of a message', "AssertionError: expected 'JavaScript heap out of memory' but got ''\n    at check (/home/user/t.js:4:9)", 1, 'node t.js', expect={'signature_contains': ['AssertionError', 'check']})

# ---- words that prove nothing ----

case('word-docs', T, 'An agent writes documentation about failures; the sandbox reached its timeout while it wrote.', end=300.3, reason=T, procs=[(500, 'node writer.js', 5, None)],
     out=[(20, 'o', 'Chapter 4: exit code 137'), (40, 'o', 'MemoryError is raised when Python cannot get memory.'), (60, 'o', 'java.lang.OutOfMemoryError: Java heap space'), (80, 'o', 'The kernel prints: Out of memory: Killed process 1 (init)'), (280, 'o', 'Chapter 5: segmentation fault')],
     expect={'confidence_at_least': 'high', 'factors_excludes': ['signal:9', 'exit_code:137', 'segfault']})
case('word-test-names', U, 'Names of tests sound like failures; all passed and the sandbox was removed.', end=60, procs=[(500, 'pytest -q', 5, 40)],
     out=[(30, 'o', 'tests/test_mem.py::test_out_of_memory PASSED'), (31, 'o', 'tests/test_mem.py::test_sigkill_is_reported PASSED'), (32, 'o', 'tests/test_net.py::test_timeout PASSED'), (39, 'o', '3 passed in 2.10s')])
case('word-app-message', K, 'An application says "killed" of its own tasks; the request came while it worked.', end=120, procs=[(500, 'python3 game.py', 5, None)],
     out=[(20, 'o', 'orc killed'), (60, 'o', 'player killed'), (110, 'o', 'wave 7')], expect={'factors_excludes': ['signal:9'], 'evidence_must_mention': ['request']})
case('word-grep-own-log', U, 'A probe prints an old log with a stack trace; the work itself finished.', end=60, procs=[(500, 'python3 ok.py', 5, 30), (501, 'cat old.log', 35, 35.1)],
     out=[(29, 'o', 'done'), (35, 'o', traceback('f()', 'KeyError: 1'))])
case('word-old-output', K, 'Output from before the sandbox existed is of another sandbox; the request came while a command ran.', end=120, procs=[(500, 'python3 a.py', 5, None)],
     out=[(-600, 'e', traceback('f()', 'MemoryError')), (-599, 'e', 'Command exited with code 1'), (50, 'o', 'epoch 3')], expect={'factors_excludes': ['exit_code:1']})
case('word-probably-oom', U, 'A tool guesses at memory after signal 9, with calm samples: nothing proves the sender.', state='running', now=120, procs=[(500, 'npm run build', 5, 45)],
     out=[(44.8, 'e', 'Build process was terminated (exit code 137). This is probably due to the process running out of memory.'), (45.3, 'e', 'Command exited with code 137')], expect={'factors': ['exit_code:137', 'signal:9']})
case('word-warn-memory', U, 'Warnings about memory, then the work finished and the sandbox was removed.', end=100, mem_pts=[(0, 10), (40, 93), (80, 93), (85, 20)], procs=[(500, 'python3 fit.py', 5, 84)],
     out=[(50, 'e', 'WARNING: system memory usage is at 93%; out of memory may follow'), (83, 'o', 'model saved')])
case('word-redis-warning', T, 'Redis warns about overcommit at its start, as always; the sandbox reached its timeout.', end=300.4, reason=T, procs=[(500, 'redis-server', 5, None), (501, 'python3 q.py', 6, None)],
     out=[(5.2, 'o', "# WARNING Memory overcommit must be enabled! Without it, a background save or replication may fail under low memory condition."), (200, 'o', 'job 44')])
case('word-flat-high', K, 'A flat 92 % is no failure; the request came while the command worked.', end=120, mem_pts=[(0, 10), (10, 92)], procs=[(500, 'python3 serve_model.py', 5, None)], out=[(110, 'o', 'batch 44')])
case('word-saw-teeth', U, 'Saw-teeth of a garbage collector near the top; the program ended well.', end=120, mem_pts=[(0, 10), (20, 91), (22, 40), (40, 92), (42, 40), (60, 91), (62, 40)], procs=[(500, 'java -jar a.jar', 5, 100)], out=[(99, 'o', 'completed 64 partitions')])
case('word-timeout-retried', U, 'Time-outs of a web service were retried with success, the work finished.', end=100, procs=[(500, 'python3 sync.py', 5, 80)],
     out=[(20, 'e', 'httpx.ReadTimeout: The read operation timed out'), (25, 'e', 'attempt 2 of 5'), (79, 'o', 'synced 812 records')])
case('word-caught-traceback', U, 'A traceback was logged by the handler that caught it; the job ended with code 0.', end=100, procs=[(500, 'python3 etl.py', 5, 80, {'result': {'exited': True, 'status': 'exit status 0'}})],
     out=[(20, 'e', traceback('f()', 'KeyError: 1')), (21, 'o', 'row 17 skipped'), (79, 'o', '99 of 100 rows written')])
case('word-agent-loop', U, 'An agent ran a script that failed, changed it and ran it with success.', end=200, procs=[(500, 'python3 fix.py', 5, 20), (501, 'python3 fix.py', 60, 90)],
     out=[(19.8, 'e', traceback('f()', 'NameError: name \'x\' is not defined')), (20.2, 'e', 'Command exited with code 1'), (89.5, 'o', 'all tests passed')])
case('word-agent-gives-up', C, 'An agent ran a script that failed, changed it, and it failed again; then it was removed.', end=200, procs=[(500, 'python3 fix.py', 5, 20), (501, 'python3 fix.py', 60, 90)],
     out=[(19.8, 'e', traceback('f()', 'NameError: name \'x\' is not defined')), (20.2, 'e', 'Command exited with code 1'), (89.8, 'e', traceback('f()', 'TypeError: f() takes 0 positional arguments but 1 was given')), (90.2, 'e', 'Command exited with code 1')], expect={'factors': ['exit_code:1']})
case('word-exit-0-killed-child', U, 'A child was killed, the script went on without it and ended with code 0.', end=100, procs=[(500, 'bash run.sh', 5, 80, {'result': {'exited': True, 'status': 'exit status 0'}})],
     out=[(40, 'e', 'run.sh: line 6:   512 Killed                  python3 preview.py'), (79, 'o', 'report written without preview')])
case('word-lost-client', U, 'The client lost its connection and came back; the process lives and prints.', state='running', now=200, procs=[(500, 'python3 a.py', 5, None)],
     out=[(50, 'e', 'httpx.ReadError: Connection reset by peer'), (90, 'o', 'step 4'), (130, 'o', 'step 5')])
case('word-sdk-timeout-text', K, 'The client library says "likely due to sandbox timeout" though a request ended the sandbox.', end=90, limit=3600, procs=[(500, 'python3 a.py', 5, None)],
     out=[(90.4, 'e', 'e2b.exceptions.TimeoutException: The sandbox was not found: This error is likely due to sandbox timeout. You can modify the sandbox timeout by passing timeout')],
     expect={'confidence_at_least': 'high', 'evidence_must_mention': ['request', '90 s|1 min', '3600 s|60 min|1 h']})
case('word-inner-sandbox', T, "A program prints 'sandbox timeout' of its own test bed; the command's own limit ended it.", limit=900, state='running', now=200, procs=[(500, 'npm test', 5, 65.02, {'limit': 60000})],
     out=[(30, 'o', 'sandbox timeout is 5 s'), (65.3, 'e', "e2b.exceptions.TimeoutException: context deadline exceeded: This error is likely due to exceeding 'timeout'")], expect={'evidence_must_mention': ['60 s|1 min']})
