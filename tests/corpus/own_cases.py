"""Cases of our own: the rules of README.md on other runtimes, and lives of sandboxes that the given cases lack.

Each is built from few facts, so that the fact that decides can be seen. The third argument says why an expert
decides so. write_cases(FOLDER) makes case files of them; tests/corpus/run calls it.
"""
import datetime
import json
import os

T0 = datetime.datetime(2026, 5, 2, 10, 0, 0, tzinfo=datetime.timezone.utc)
O, T, K, C, U = "out_of_memory", "timeout", "killed_early", "crashed", "undetermined"
GROW = [(0, 10), (40, 97), (45, 15)]  # memory in percent over seconds: full just before 45 s
CASES = {}
BECAUSE = {
    C: "the program told this and ended with it; nothing outside ended the work, and it was not the sandbox's memory",
    O: "a runtime or tool says that it got no memory, or vanished at full memory, and that ended the work",
}


def ts(second):
    return (T0 + datetime.timedelta(seconds=second)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def log(second, message, **fields):
    return {"timestamp": ts(second), "level": "info", "message": message, "fields": fields}


def process_lines(procs):
    """procs: (pid, command, start, end or None, options: limit in ms, stderr bytes, result)."""
    for n, (pid, command, start, end, *rest) in enumerate(procs):
        o = rest[0] if rest else {}
        yield log(start, "Process with pid %d started" % pid, operation_id=str(n + 2), event_type="process_start",
                  pid=str(pid), command="/bin/bash -l -c " + command, request_timeout_ms=str(o.get("limit", 0)))
        if end is not None:
            fields = {"operation_id": str(n + 2), "event_type": "process_end", "stdout_bytes": "10",
                      "stderr_bytes": str(o.get("stderr", 0)), "pty_bytes": "0"}
            if "result" in o:
                fields["process_result"] = json.dumps(o["result"])
            yield log(end, "Process with pid %d ended" % pid, **fields)


def memory_at(points, t):
    for (t0, v0), (t1, v1) in zip(points, points[1:]):
        if t0 <= t <= t1:
            return v0 + (v1 - v0) * (t - t0) / max(1, t1 - t0)
    return points[-1][1] if t > points[-1][0] else points[0][1]


def samples(last, step, mem, points, cpu, disk):
    total = (mem - 30) * 1024 * 1024
    for t in range(0, max(0, int(last + 0.999)), step):
        yield {"timestamp": ts(t), "timestampUnix": int(T0.timestamp()) + t, "cpuCount": 2, "cpuUsedPct": cpu,
               "memUsed": int(total * memory_at(points, t) / 100), "memTotal": total, "memCache": int(total * 0.05),
               "diskUsed": int(1e8 * disk), "diskTotal": int(1e10)}


def output_lines(out):
    """out: (second, "o" or "e", text of one or more lines)."""
    n = 0
    for second, stream, text in out:
        for line in text.split("\n"):
            yield {"timestamp": ts(second + n * 1e-3), "stream": "stderr" if stream == "e" else "stdout", "line": line}
            n += 1


def event(n, second, kind, run="run-1", data=None, version="v2"):
    return {"id": "event-%d" % n, "version": version, "type": "sandbox.lifecycle." + kind, "timestamp": ts(second),
            "eventData": data, "sandboxId": "iown0000sandbox00001", "sandboxExecutionId": run,
            "sandboxTemplateId": "template", "sandboxTeamId": "team"}


def ending(end, reason, mem, version):
    """The event and the log lines of a kill or pause."""
    data = {"execution": {"started_at": ts(0), "vcpu_count": 2, "memory_mb": mem, "execution_time": int(end * 1000)}}
    if reason == "pause":
        return event(9, end, "paused", data=data), [log(end - 0.1, "Pausing sandbox"), log(end + 0.6, "Sandbox stopped")]
    if reason is not None:
        data["kill_reason"] = reason
    fields = {"kill_reason": reason} if reason else {}
    return (event(9, end, "killed", data=data if version == "v2" else None, version=version),
            [log(end - 0.1, "Killing sandbox", **fields), log(end + 0.6, "Sandbox stopped")])


def add_pause(doc, pause, resume):
    """Cuts the life in two: paused, and resumed with a limit of 300 s."""
    for e in doc["events"][1:]:
        e["sandboxExecutionId"] = "run-2"
    doc["events"][1:1] = [event(5, pause, "paused"), event(6, resume, "resumed", "run-2")]
    doc["logs"] += [log(pause - 0.2, "Pausing sandbox"), log(pause + 0.5, "Sandbox stopped"),
                    log(resume + 0.1, "Sandbox created", end_time=ts(resume + 300)[:19].replace("T", " ") + " +00:00")]
    doc["metrics"] = [m for m in doc["metrics"] if not ts(pause) < m["timestamp"] < ts(resume)]
    if doc["sandbox"]:
        doc["sandbox"].update(startedAt=ts(resume), endAt=ts(resume + 300))


def case(name, label, why, mem=1024, limit=300, end=None, reason="request", procs=(), out=(), mem_pts=((0, 30),),
         metrics=True, state=None, logs=(), events=True, disk=14, cpu=40, now=None, expect=None, step=5, health=None,
         killed=True, stopped=True, version="v2", pause=None, metrics_until=None, no_logs=False,
         created=True):
    """state: running or paused (Get answers), gone (404); an end without state is 404, too."""
    evs = [event(1, 0.3, "created")]
    lines = [log(0.4, "Sandbox created", end_time=ts(limit)[:19].replace("T", " ") + " +00:00")] if created else []
    lines += list(process_lines(procs)) + [log(t, message, **fields) for t, message, fields in logs]
    if end is not None and killed:
        last, more = ending(end, reason, mem, version)
        evs.append(last)
        lines += more
    elif end is not None and stopped:
        lines.append(log(end, "Sandbox stopped"))
    if health:
        lines.append(log(health, "Sandbox healthcheck started failing"))
    until = metrics_until or end or (now or limit) - 60
    state = state or ("gone" if end is not None else "running")
    doc = {"id": name, "title": why, "source": "", "sandbox": None, "events": evs if events else [],
           "metrics": list(samples(until, step, mem, list(mem_pts), cpu, disk)) if metrics else [],
           "logs": [] if no_logs else lines, "output": list(output_lines(out)),
           "now": ts(now or ((end or limit) + 60)), "why": why,
           "expect": {"class": label, "factors": [], "signature_contains": [],
                      "signature_excludes": ["iown0000sandbox00001", "/home/user"], "evidence_must_mention": []}}
    if state != "gone":
        doc["sandbox"] = {"templateID": "template", "sandboxID": "iown0000sandbox00001", "alias": "own", "startedAt": ts(0.3),
                          "endAt": ts(limit), "cpuCount": 2, "memoryMB": mem, "diskSizeMB": 10240, "state": state,
                          "lifecycle": {"onTimeout": "kill", "autoResume": False}, "envdVersion": "0.6.9"}
    if pause:
        add_pause(doc, *pause)
    doc["sandbox_status"] = 200 if doc["sandbox"] else 404
    doc["logs"].sort(key=lambda line: line["timestamp"])
    doc["expect"].update(expect or {})
    CASES[name] = doc


def failing(name, label, why, text, code, command="python3 a.py", **more):
    """One command that tells something on standard error and ends with a code; then the host clears up."""
    case(name, label, "%s: %s" % (why, BECAUSE.get(label, 'nothing that is on record proves a sender')), procs=[(500, command, 5, 45)], end=60,
         out=[(44.8, "e", text), (45.4, "e", "Command exited with code %s" % code)], **more)


def kernel(pid, name):
    return "[   75.120139] Memory cgroup out of memory: Killed process %d (%s) total-vm:991762kB, anon-rss:430533kB" % (pid, name)


def traceback(call, error):
    return ('Traceback (most recent call last):\n  File "/home/user/app.py", line 9, in <module>\n    run()\n'
            '  File "/home/user/app.py", line 5, in run\n    %s\n%s' % (call, error))


def write_cases(folder):
    for name, doc in CASES.items():
        with open(os.path.join(folder, name + ".json"), "w", encoding="utf-8") as f:
            json.dump(doc, f)


case('own-001', K, 'The log holds a signal call through the API half a second before the end; memory was calm. Somebody outside ended the command.',
     procs=[(500, 'python3 train.py', 5, 42)],
     logs=[(41.5, 'Process sendSignal', {'method': 'POST /process.Process/SendSignal'})],
     out=[(42.2, 'e', 'Command exited with code -1 and error:\nsignal: killed')],
     expect={'factors': ['signal:9']})
case('own-002', C, 'A kill command was run inside the sandbox just before; so the work was ended from inside, not by memory.',
     procs=[(500, 'python3 train.py', 5, 42), (510, 'pkill -9 -f train.py', 41, 42.1)],
     out=[(42.2, 'e', 'Command exited with code -1 and error:\nsignal: killed')],
     expect={'factors': ['signal:9']})
case('own-003', C, 'The memory that ran out is that of a graphics card, which is not the memory of the sandbox.',
     procs=[(500, 'python3 gen.py', 5, 42)],
     out=[(41.8, 'e', traceback('decode(z)', 'torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 11.52 GiB. GPU 0 has a total capacity of 22.06 GiB')), (42.2, 'e', 'Command exited with code 1 and error:')],
     expect={'factors': ['exit_code:1'], 'signature_contains': ['CUDA out of memory', 'run']})
case('own-004', T, 'The command was started with a time limit of its own and ended with the code that such a limit gives.',
     procs=[(500, 'timeout 30 python3 solve.py', 5, 35.1)],
     out=[(35.5, 'e', 'Command exited with code 124')],
     expect={'factors': ['exit_code:124']})
case('own-005', U, 'A worker vanished and there are no samples: memory can be neither shown nor excluded.',
     metrics=False,
     procs=[(500, 'python3 pool.py', 5, 35)],
     out=[(34.8, 'e', traceback('ex.map(f)', 'concurrent.futures.process.BrokenProcessPool: A process in the process pool was terminated abruptly while the future was running or pending.')), (35.3, 'e', 'Command exited with code 1')])
case('own-006', C, 'Only the exit code is known, and it means failure; nothing outside ended the command.',
     procs=[(500, './tool --x', 5, 35)],
     out=[(35.3, 'e', 'Command exited with code 3')],
     expect={'factors': ['exit_code:3']})
case('own-007', K, 'A delete request far before the limit, and nothing that shows whether work was in progress: early, with low confidence.',
     end=40,
     expect={'evidence_must_mention': ['request', '40 s', '300 s|5 min']})
case('own-008', T, 'No end is on record, but the samples go on until the limit and the sandbox is gone: the event was lost.',
     end=None,
     state='gone',
     procs=[(500, 'python3 w.py', 5, None)],
     now=400,
     expect={})
case('own-009', U, 'E2B says running, nothing was heard for over a minute, and no second sign says why',
     state='running',
     limit=3600,
     metrics_until=50,
     now=400,
     procs=[(500, 'python3 a.py', 5, None)])
case('own-010', U, 'The sandbox was asked for and never came up: nothing ran that could have failed.',
     metrics=False,
     events=False,
     logs=[(0.1, 'Started creating sandbox', {})],
     created=False,
     state='gone',
     end=None)
case('own-011', O, 'java OOM with unable to create thread? no: metaspace',
     procs=[(500, 'java -jar a.jar', 5, 35)],
     out=[(34.9, 'e', 'Exception in thread "main" java.lang.OutOfMemoryError: Metaspace\n\tat java.base/java.lang.ClassLoader.defineClass1(Native Method)\n\tat com.acme.Loader.load(Loader.java:12)'), (35.3, 'e', 'exit status 1')],
     expect={'confidence_at_least': 'high', 'signature_contains': ['Metaspace', 'Loader.load']})
case('own-012', C, 'native thread',
     procs=[(500, 'java -jar a.jar', 5, 35)],
     out=[(34.9, 'e', 'Exception in thread "main" java.lang.OutOfMemoryError: unable to create native thread: possibly out of memory or process/resource limits reached\n\tat java.base/java.lang.Thread.start0(Native Method)\n\tat com.acme.Pool.grow(Pool.java:12)'), (35.3, 'e', 'exit status 1')],
     expect={'signature_contains': ['native thread', 'Pool.grow']})
case('own-013', C, 'impossible rust size',
     procs=[(500, './pack', 5, 35)],
     out=[(34.9, 'e', 'memory allocation of 18446744073709551615 bytes failed'), (35.3, 'e', 'Command exited with code 134')],
     expect={'signature_contains': ['memory allocation of']})
case('own-014', C, 'numpy impossible size',
     procs=[(500, 'python3 a.py', 5, 35)],
     out=[(34.9, 'e', traceback('np.ones(n)', 'numpy.core._exceptions._ArrayMemoryError: Unable to allocate 7.28 EiB for an array with shape (1000000000000000000,) and data type float64')), (35.3, 'e', 'Command exited with code 1')])
case('own-015', U, 'The kernel line is text in a file that was shown; its process never was in this sandbox, and the work finished.',
     mem=1024,
     end=60,
     procs=[(500, 'cat notes.txt', 5, 6), (501, 'python3 ok.py', 7, 50)],
     out=[(5.5, 'o', '[ 9917.002210] Memory cgroup out of memory: Killed process 604 (postgres) total-vm:3380104kB, anon-rss:1604002kB'), (49, 'o', 'done')])
case('own-016', T, 'The kernel line is of another machine, printed by a job that went on until the recorded timeout.',
     end=300.4,
     reason='timeout',
     procs=[(500, 'node summarise.js ticket.log', 5, None)],
     out=[(20, 'o', '[ 9917.002210] Out of memory: Killed process 604 (mysqld) total-vm:3380104kB'), (100, 'o', 'summary part 2 written'), (200, 'o', 'summary part 3')],
     expect={'factors_excludes': ['signal:9']})
case('own-017', C, 'The first command that failed ended the work; the second failed because of what the first had not made.',
     end=60,
     procs=[(500, 'python3 preprocess.py', 5, 20), (501, 'python3 train.py', 21, 22)],
     out=[(19.9, 'e', traceback('x[1]', 'IndexError: list index out of range')), (20.2, 'e', 'Command exited with code 1'), (21.9, 'e', traceback('open(p)', "FileNotFoundError: [Errno 2] No such file or directory: 'data/x.npy'")), (22.2, 'e', 'Command exited with code 1')],
     expect={'signature_contains': ['IndexError', 'run']})
case('own-018', U, 'The failed install was repeated with success and the work was done: the request is the normal end.',
     end=100,
     procs=[(500, 'pip install foo', 5, 10), (501, 'pip install foo', 15, 25), (502, 'python3 a.py', 30, 80)],
     out=[(9.9, 'e', 'ERROR: Could not find a version that satisfies the requirement foo (from versions: none)\nERROR: No matching distribution found for foo'), (10.2, 'e', 'Command exited with code 1'), (79, 'o', 'all done')])
case('own-019', O, 'The job was killed at full memory; the repetition was killed, too. The timeout removed an idle sandbox.',
     end=300.2,
     reason='timeout',
     mem_pts=[(0, 10), (40, 97), (45, 15), (60, 15), (90, 96), (95, 12)],
     procs=[(500, 'python3 a.py', 5, 42), (501, 'python3 a.py', 60, 92)],
     out=[(42.2, 'e', 'Command exited with code 137'), (92.2, 'e', 'Command exited with code 137')],
     expect={'factors': ['exit_code:137', 'signal:9']})
case('own-020', T, 'The limit of the command had just run out when signal 9 came; that sender comes before memory.',
     limit=900,
     mem_pts=[(0, 10), (30, 95)],
     procs=[(500, 'python3 a.py', 5, 65.05, {'limit': 60000})],
     out=[(65.4, 'e', 'Command exited with code -1 and error:\nsignal: killed')],
     state='running',
     now=200,
     end=None)
case('own-021', K, 'Code of a notebook leaves no process lines; output went on until the request came.',
     end=120,
     out=[(20, 'o', 'step 1'), (40, 'o', 'step 2'), (60, 'o', 'step 3'), (80, 'o', 'step 4'), (100, 'o', 'step 5'), (120.4, 'e', 'httpx.RemoteProtocolError: peer closed connection without sending complete message body (incomplete chunked read)')],
     expect={'evidence_must_mention': ['request']})
case('own-022', U, 'The last line of output says that the work was done, then the sandbox was removed.',
     end=120,
     out=[(20, 'o', 'step 1'), (40, 'o', 'step 2'), (60, 'o', 'model saved to model.pkl')])
case('own-023', C, 'A cell ended with an error that nobody caught, and nothing followed.',
     end=120,
     out=[(20, 'e', '---------------------------------------------------------------------------\nKeyError                                  Traceback (most recent call last)\nCell In[3], line 5\n      3 df = load()\n----> 5 total(df)\n\nCell In[2], line 4, in total(df)\n      3 def total(df):\n----> 4     return df["amount"].sum()\n\nFile /usr/local/lib/python3.11/site-packages/pandas/core/frame.py:4102, in DataFrame.__getitem__(self, key)\n   4101 indexer = self.columns.get_loc(key)\n\nKeyError: \'amount\'')],
     expect={'signature_contains': ['KeyError', 'amount', 'total']})
case('own-024', T, 'Time-outs of a web request were retried and the job went on; the sandbox reached its timeout.',
     end=300.3,
     reason='timeout',
     procs=[(500, 'python3 poll.py', 5, None)],
     out=[(50, 'e', "requests.exceptions.ReadTimeout: HTTPSConnectionPool(host='a.example.com', port=443): Read timed out."), (100, 'o', 'retrying'), (200, 'o', 'ok')])
case('own-025', C, 'playwright timeout ended',
     procs=[(500, 'node e2e.js', 5, 45)],
     out=[(44.9, 'e', "page.waitForSelector: Timeout 30000ms exceeded.\nCall log:\n  - waiting for locator('#cart') to be visible\n\n    at checkout (/home/user/e2e.js:14:9) {\n  name: 'TimeoutError'\n}"), (45.3, 'e', 'Command exited with code 1')],
     expect={'factors': ['exit_code:1'], 'signature_contains': ['Timeout']})
case('own-026', C, 'bus error',
     procs=[(500, 'python3 loader.py', 5, 45)],
     mem_pts=[(0, 10), (40, 95)],
     out=[(44.9, 'e', "RuntimeError: DataLoader worker (pid 771) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit."), (45.3, 'e', 'Command exited with code 1')])
case('own-027', C, 'file watchers',
     procs=[(500, 'npm run dev', 5, 45)],
     out=[(44.9, 'e', "Error: ENOSPC: System limit for number of file watchers reached, watch '/home/user/shop/src'\n    at FSWatcher.<computed> (node:internal/fs/watchers:247:19)"), (45.3, 'e', 'exit status 1')],
     expect={'factors_excludes': ['disk_full'], 'signature_contains': ['file watchers']})
case('own-028', C, 'elixir',
     procs=[(500, 'mix run', 5, 45)],
     out=[(44.9, 'e', '** (KeyError) key :amount not found in: %{id: 1}\n    (shop 0.1.0) lib/shop/cart.ex:12: Shop.Cart.total/1\n    (elixir 1.15.7) lib/enum.ex:1693: Enum."-map/2-lists^map/1-1-"/2'), (45.3, 'e', 'exit status 1')],
     expect={'signature_contains': ['KeyError', ':amount', 'total']})
case('own-029', O, 'erlang',
     procs=[(500, 'mix run', 5, 45)],
     mem_pts=[(0, 10), (40, 85)],
     out=[(44.9, 'e', 'eheap_alloc: Cannot allocate 762886488 bytes of memory (of type "heap").\n\nCrash dump is being written to: erl_crash.dump...done'), (45.3, 'e', 'Command exited with code 134')],
     expect={'confidence_at_least': 'high'})
case('own-030', O, 'dotnet',
     procs=[(500, 'dotnet run', 5, 45)],
     mem_pts=[(0, 10), (40, 85)],
     out=[(44.9, 'e', "Unhandled exception. System.OutOfMemoryException: Exception of type 'System.OutOfMemoryException' was thrown.\n   at System.Collections.Generic.List`1.set_Capacity(Int32 value)\n   at Shop.Report.Build(Int32 n) in /src/Report.cs:line 40\n   at Program.<Main>$(String[] args) in /src/Program.cs:line 4"), (45.3, 'e', 'Command exited with code 134')],
     expect={'confidence_at_least': 'high', 'signature_contains': ['OutOfMemoryException', 'Report.Build']})
case('own-031', O, 'ruby',
     procs=[(500, 'ruby app.rb', 5, 45)],
     mem_pts=[(0, 10), (40, 85)],
     out=[(44.9, 'e', "app.rb:14:in `*': failed to allocate memory (NoMemoryError)\n\tfrom app.rb:14:in `expand'\n\tfrom app.rb:20:in `<main>'"), (45.3, 'e', 'Command exited with code 1')],
     expect={'confidence_at_least': 'high', 'signature_contains': ['NoMemoryError']})
case('own-032', C, 'c# chained',
     procs=[(500, 'dotnet run', 5, 45)],
     out=[(44.9, 'e', "Unhandled exception. System.InvalidOperationException: Import failed\n ---> System.IO.FileNotFoundException: Could not find file '/data/in.csv'.\n   at System.IO.File.OpenRead(String path)\n   at Shop.Importer.Read(String p) in /src/Importer.cs:line 9\n   --- End of inner exception stack trace ---\n   at Shop.Importer.Run() in /src/Importer.cs:line 21"), (45.3, 'e', 'exit status 134')],
     expect={'signature_contains': ['FileNotFoundException', 'Importer.Read']})
case('own-033', C, 'python chained',
     procs=[(500, 'python3 a.py', 5, 45)],
     out=[(44.9, 'e', 'Traceback (most recent call last):\n  File "/home/user/a.py", line 5, in read_rate\n    return rates[code]\nKeyError: \'CHF\'\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File "/home/user/a.py", line 20, in <module>\n    main()\n  File "/home/user/a.py", line 15, in main\n    raise ImportFailed(\'could not import\') from e\nImportFailed: could not import'), (45.3, 'e', 'exit status 1')],
     expect={'signature_contains': ['KeyError', 'CHF', 'read_rate']})
case('own-034', C, 'java chained',
     procs=[(500, 'java -jar a.jar', 5, 45)],
     out=[(44.9, 'e', 'Exception in thread "main" java.lang.RuntimeException: job failed\n\tat com.acme.Job.run(Job.java:10)\n\tat com.acme.Main.main(Main.java:5)\nCaused by: java.sql.SQLException: [SQLITE_ERROR] no such table: orders\n\tat org.sqlite.core.DB.newSQLException(DB.java:1010)\n\tat com.acme.Store.load(Store.java:44)\n\t... 1 more'), (45.3, 'e', 'exit status 1')],
     expect={'signature_contains': ['SQLException', 'no such table: orders', 'Store.load']})
case('own-035', C, 'docker prefix',
     procs=[(500, 'bash run.sh', 5, 45)],
     out=[(44.9, 'e', '\n'.join(('worker-1  | ' + l for l in traceback('f()', 'ZeroDivisionError: division by zero').split('\n')))), (45.3, 'e', 'exit status 1')],
     expect={'signature_contains': ['ZeroDivisionError', 'run']})
case('own-036', U, 'paused at limit idle',
     end=301,
     reason='pause',
     state='paused',
     procs=[(500, 'python3 a.py', 5, 45)],
     out=[(44, 'o', 'done')])
case('own-037', T, 'paused at limit then deleted',
     end=301,
     reason='pause',
     procs=[(500, 'python3 a.py', 5, None)])
case('own-038', U, 'pause on request with running',
     end=100,
     reason='pause',
     state='paused',
     procs=[(500, 'python3 a.py', 5, None)])
case('own-040', O, 'vm died pressure',
     end=120,
     killed=False,
     limit=3600,
     health=110,
     mem_pts=[(0, 10), (100, 97)],
     procs=[(500, 'python3 a.py', 5, None)],
     now=200)
case('own-041', K, 'seal_failed idle',
     end=120,
     reason='seal_failed',
     procs=[(500, 'python3 a.py', 5, 45)],
     out=[(44, 'o', 'done')],
     expect={'evidence_must_mention': ['seal_failed|earlier pause']})
case('own-042', U, 'unknown reason after completed work',
     end=120,
     reason='unknown',
     procs=[(500, 'python3 a.py', 5, 45)],
     out=[(44, 'o', 'done')])
case('own-043', U, 'sigterm unknown sender',
     state='running',
     procs=[(500, 'python3 a.py', 5, 45)],
     out=[(45.2, 'e', 'Command exited with code 143')],
     expect={'factors': ['exit_code:143', 'signal:15']},
     now=100)
case('own-044', U, 'SIGKILL calm metrics',
     state='running',
     procs=[(500, './run.sh', 5, 45)],
     out=[(45.2, 'e', 'Command exited with code 137')],
     expect={'factors': ['exit_code:137', 'signal:9']},
     now=100)
case('own-045', C, 'process_result JSON segfault',
     state='running',
     procs=[(500, './a.out', 5, 45, {'result': {'exit_code': -1, 'status': 'signal: segmentation fault (core dumped)', 'error': 'signal: segmentation fault (core dumped)'}})],
     expect={'factors': ['segfault', 'signal:11']},
     now=100)
case('own-046', U, 'process_result exit 0 despite stderr traceback',
     end=80,
     procs=[(500, 'python3 a.py', 5, 45, {'result': {'exited': True, 'status': 'exit status 0'}})],
     out=[(20, 'e', traceback('f()', 'ValueError: bad row')), (44, 'o', 'imported 99 of 100 rows')])
case('own-047', C, 'test fails as last thing',
     end=80,
     procs=[(500, 'npm test', 5, 45)],
     out=[(44.5, 'e', "FAIL  src/price.test.ts\nTypeError: Cannot read properties of undefined (reading 'amount')\n    at total (src/price.ts:12:21)\nnpm error Test failed.  See above for more details."), (45.2, 'e', 'exit status 1')],
     expect={'factors': ['exit_code:1'], 'signature_contains': ['total']})
case('own-048', C, 'cargo build killed? no: compile error',
     end=80,
     procs=[(500, 'cargo build', 5, 45)],
     out=[(44.5, 'e', 'error[E0382]: borrow of moved value: `cart`\n  --> src/main.rs:9:5\nerror: could not compile `shop` (bin "shop") due to 1 previous error'), (45.2, 'e', 'exit status 101')],
     expect={'signature_contains': ['E0382']})
case('own-049', O, 'rustc SIGKILL',
     end=80,
     mem_pts=GROW,
     procs=[(500, 'cargo build --release', 5, 44)],
     out=[(43.5, 'e', "error: could not compile `polars-core` (lib)\n\nCaused by:\n  process didn't exit successfully: `/usr/local/bin/rustc --crate-name polars_core` (signal: 9, SIGKILL: kill)"), (44.2, 'e', 'exit status 101')],
     expect={'factors': ['signal:9', 'exit_code:101']})
case('own-050', C, 'kill -9 in run script? killed by watchdog killall',
     end=80,
     mem_pts=[(0, 10), (40, 95)],
     procs=[(500, 'node worker.js', 5, 44), (501, 'bash -c "sleep 1; kill -9 500"', 42, 44.1)],
     out=[(44.2, 'e', 'Command exited with code -1 and error:\nsignal: killed')],
     expect={'factors': ['signal:9']})
case('own-051', O, 'samples stop at 93 then death later',
     end=120,
     mem_pts=[(0, 10), (50, 93)],
     procs=[(500, 'python3 a.py', 5, 90)],
     out=[(90.3, 'e', 'Command exited with code 137')],
     metrics_until=56)
case('own-052', U, 'high flat memory finished',
     end=120,
     mem_pts=[(0, 10), (20, 92), (100, 92), (110, 20)],
     procs=[(500, 'python3 a.py', 5, 108)],
     out=[(107, 'o', 'finished')])
case('own-053', K, 'request with high memory running',
     end=120,
     mem_pts=[(0, 10), (20, 94)],
     procs=[(500, 'python3 a.py', 5, None)],
     out=[(115, 'o', 'epoch 5/9')])
case('own-054', T, 'go program context deadline is own: still timeout of sandbox',
     end=300.4,
     reason='timeout',
     procs=[(500, './crawler', 5, None)],
     out=[(100, 'e', 'fetch: context deadline exceeded'), (200, 'o', 'page 7')])
case('own-055', C, 'go ctx deadline ended',
     end=80,
     procs=[(500, './crawler', 5, 40)],
     out=[(39.9, 'e', '2026/05/02 10:00:39 fatal: Get "https://a.example.com/x": context deadline exceeded (Client.Timeout exceeded while awaiting headers)'), (40.2, 'e', 'exit status 1')],
     expect={'factors': ['exit_code:1']})
case('own-056', C, 'bash command not found',
     end=60,
     procs=[(500, 'ffmpeg -i a b', 5, 5.2)],
     out=[(5.1, 'e', '/bin/bash: line 1: ffmpeg: command not found'), (5.4, 'e', 'Command exited with code 127')],
     expect={'factors': ['exit_code:127', 'missing_package'], 'signature_contains': ['ffmpeg', 'command not found']})
case('own-057', C, 'postgres refused',
     end=60,
     procs=[(500, 'node api.js', 5, 9)],
     out=[(8.9, 'e', "node:internal/process/promises:394\n      triggerUncaughtException(err, true /* fromPromise */);\n      ^\n\nError: connect ECONNREFUSED 127.0.0.1:5432\n    at TCPConnectWrap.afterConnect [as oncomplete] (node:net:1611:16)\n    at async connect (/home/user/db.js:7:3) {\n  errno: -111,\n  code: 'ECONNREFUSED',\n  syscall: 'connect',\n  address: '127.0.0.1',\n  port: 5432\n}"), (9.4, 'e', 'exit status 1')],
     expect={'factors': ['exit_code:1'], 'factors_excludes': ['network_blocked'], 'signature_contains': ['ECONNREFUSED', '5432']})
case('own-058', C, 'python syntax wrapped chain network',
     end=60,
     procs=[(500, 'pip install torch', 5, 30)],
     out=[(29.9, 'e', "WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError(...): Failed to establish a new connection: [Errno -3] Temporary failure in name resolution'\nERROR: Could not find a version that satisfies the requirement torch (from versions: none)\nERROR: No matching distribution found for torch"), (30.4, 'e', 'exit status 1')],
     expect={'factors': ['install_failed', 'network_blocked', 'exit_code:1']})
case('own-059', U, 'kernel restart on request',
     state='running',
     out=[(20, 'o', 'x'), (40, 'o', '[I 2026-05-02 10:00:40.000 ServerApp] POST /api/kernels/ab12/restart'), (40.5, 'e', 'ContextRestarting: Context was restarted')],
     now=100)
case('own-060', O, 'kernel lines after, job restarts worker... kernel kills child, script ends 1',
     end=90,
     mem_pts=GROW,
     procs=[(500, 'bash build.sh', 5, 44)],
     out=[(43.9, 'e', 'build.sh: line 3:   512 Killed                  node bundle.js'), (44.3, 'e', 'Command exited with code 137'), (46, 'o', kernel(512, 'node'))],
     expect={'confidence_at_least': 'high', 'signature_contains': ['node']})
case('own-101', T, 'kill late by 4 s after limit w/ reason timeout',
     end=304,
     reason=T,
     procs=[(5, 'python3 a.py', 5, None)],
     expect={'confidence_at_least': 'high', 'evidence_must_mention': ['300 s|5 min']})
case('own-102', K, 'kill unknown at 97%',
     end=291,
     reason='unknown',
     procs=[(5, 'python3 a.py', 5, None)])
case('own-103', T, 'kill missing reason at 99 %',
     end=298,
     reason=None,
     version='v1',
     procs=[(5, 'python3 a.py', 5, None)])
case('own-104', K, 'resume_failed',
     end=50,
     reason='resume_failed',
     procs=[(5, 'python3 a.py', 5, 20)])
case('own-105', K, 'request: server only + job open',
     end=100,
     procs=[(5, 'npm run dev', 5, None), (6, 'python3 crawl.py', 10, None)])
case('own-106', U, 'request: job done, server up; test logs red earlier',
     end=100,
     procs=[(5, 'npm run dev', 5, None), (6, 'npm test', 10, 20), (7, 'npm test', 40, 60)],
     out=[(19, 'e', 'FAIL a.test.ts\nTypeError: x is not a function'), (20.2, 'e', 'exit status 1'), (59, 'o', 'Tests: 4 passed, 4 total')])
case('own-107', K, 'request: only file writes in log',
     end=100,
     logs=[(t, 'File write', {'path': '/x%d' % t}) for t in range(5, 100, 8)])
case('own-108', C, 'crash, then request; then client error',
     end=60,
     procs=[(5, 'node a.js', 5, 45)],
     out=[(44.8, 'e', "TypeError: Cannot read properties of undefined (reading 'x')\n    at f (/home/user/a.js:1:2)"), (45.3, 'e', 'exit status 1'), (60.5, 'e', 'e2b.exceptions.TimeoutException: The sandbox was not found: This error is likely due to sandbox timeout.')])
case('own-109', T, 'output dated before the sandbox existed is no evidence',
     end=300.5,
     reason=T,
     procs=[(5, 'python3 a.py', 5, None)],
     out=[(-3600, 'e', traceback('x', 'KeyError: 1')), (-3599, 'e', 'Command exited with code 1'), (100, 'o', 'epoch 2')],
     expect={'factors_excludes': ['exit_code:1']})
case('own-110', U, 'paused on request though earlier error handled',
     end=100,
     reason='pause',
     state='paused',
     procs=[(5, 'python3 a.py', 5, 40)],
     out=[(20, 'e', 'WARNING retry 1: MemoryError: Unable to allocate 3 GiB'), (39, 'o', 'done')])
case('own-111', U, 'running with busy high memory flat 92',
     state='running',
     mem_pts=[(0, 10), (30, 92)],
     procs=[(5, 'python3 a.py', 5, None)],
     now=200)
case('own-112', O, 'kernel OOM child, parent goes on printing nothing & sandbox times out',
     end=300.5,
     reason=T,
     mem_pts=GROW,
     procs=[(5, 'python3 agent.py', 5, None)],
     out=[(10, 'o', 'start'), (43, 'o', kernel(77, 'node'))],
     expect={'confidence_at_least': 'high'})
case('own-113', T, 'kernel OOM child of agent, but agent goes on fine and then times out',
     end=300.5,
     reason=T,
     mem_pts=GROW,
     procs=[(5, 'python3 agent.py', 5, None)],
     out=[(10, 'o', 'start'), (43, 'o', kernel(77, 'node')), (60, 'o', 'worker restarted with half the batch'), (100, 'o', 'batch 2 ok'), (150, 'o', 'batch 3 ok'), (200, 'o', 'batch 4 ok'), (280, 'o', 'batch 5 ok')])
case('own-114', T, 'command limit stream error no code; lim 60',
     limit=900,
     state='running',
     procs=[(5, 'npm install', 5, 65.0, {'limit': 60000})],
     now=200,
     logs=[(65.1, 'Process start (server stream end)', {'operation_id': '2', 'error': 'context deadline exceeded', 'error_code': '2'})])
case('own-115', U, 'command limit not reached: finished just before',
     limit=900,
     state='running',
     procs=[(5, 'npm install', 5, 64.0, {'limit': 60000})],
     out=[(63.9, 'o', 'added 12 packages')],
     now=200)
case('own-116', T, 'run_code timeout in notebook',
     limit=900,
     state='running',
     out=[(10, 'o', 'training'), (70, 'e', "e2b_code_interpreter.exceptions.TimeoutException: Execution timed out — the 'timeout' option can be used to increase this timeout")],
     now=200)
case('own-117', U, 'lost connection on client side, process goes on',
     state='running',
     procs=[(5, 'python3 a.py', 5, None)],
     out=[(50, 'e', 'httpx.RemoteProtocolError: peer closed connection without sending complete message body (incomplete chunked read)')],
     now=200)
case('own-118', C, 'crash in first segment, resumed idle',
     limit=4000,
     state='running',
     now=3700,
     procs=[(5, 'python3 a.py', 5, 20)],
     out=[(19.8, 'e', traceback('x', 'ValueError: bad')), (20.3, 'e', 'Command exited with code 1')],
     pause=(60, 3600))
case('own-119', U, 'crash in first segment, second segment did the work',
     state='running',
     now=3700,
     procs=[(5, 'python3 a.py', 5, 20), (9, 'python3 a.py', 3610, 3640)],
     out=[(19.8, 'e', traceback('x', 'ValueError: bad')), (20.3, 'e', 'Command exited with code 1'), (3639, 'o', 'done')],
     pause=(60, 3600))
case('own-120', T, 'second segment hits its own limit',
     end=3900.5,
     reason=T,
     procs=[(5, 'python3 a.py', 5, 20), (9, 'python3 b.py', 3610, None)],
     out=[(19, 'o', 'done')],
     expect={'evidence_must_mention': ['300 s|5 min']},
     pause=(60, 3600))
case('own-121', K, 'second segment killed on request at 40 s; job from the first still open',
     end=3640,
     reason='request',
     procs=[(5, 'python3 a.py', 5, None)],
     expect={'evidence_must_mention': ['request', '40 s']},
     pause=(60, 3600))
case('own-122', C, 'sqlite locked by process left over',
     state='running',
     now=3700,
     procs=[(5, 'node queue.js', 5, None), (9, 'node queue.js', 3610, 3612)],
     out=[(3611.9, 'e', 'Error: SQLITE_BUSY: database is locked\n    at open (/home/user/queue.js:9:3)'), (3612.3, 'e', 'exit status 1')],
     expect={'factors': ['orphaned_processes', 'exit_code:1']},
     pause=(60, 3600))
case('own-123', O, 'hour long run with 30s samples',
     limit=7200,
     end=4000,
     step=30,
     mem_pts=[(0, 10), (3900, 93), (3960, 94), (3990, 15)],
     procs=[(5, 'python3 a.py', 5, 3975)],
     out=[(3975.4, 'e', 'Command exited with code 137')])
case('own-124', U, 'memory was 95 but 10 samples before death calm',
     mem_pts=[(0, 10), (20, 95), (25, 20), (60, 20)],
     state='running',
     now=120,
     procs=[(5, 'python3 a.py', 5, 60)],
     out=[(60.4, 'e', 'Command exited with code 137')],
     expect={'factors': ['signal:9']})
case('own-125', C, 'exit code 1 from process_result and told',
     state='running',
     now=120,
     procs=[(5, 'python3 a.py', 5, 60, {'result': {'exit_code': 1, 'exited': True, 'status': 'exit status 1', 'error': 'exit status 1'}})],
     out=[(59.9, 'e', traceback('x', 'KeyError: 1'))],
     expect={'factors': ['exit_code:1']})
case('own-126', O, 'jupyter kernel died with kernel line',
     state='running',
     now=120,
     mem_pts=GROW,
     out=[(42, 'e', 'The kernel appears to have died. It will restart automatically.'), (44, 'o', kernel(812, 'python3'))],
     expect={'factors': ['kernel_restarted'], 'confidence_at_least': 'high'})
case('own-127', C, 'port in use without resume',
     state='running',
     now=60,
     procs=[(5, 'node a.js', 5, 6)],
     out=[(5.9, 'e', 'Error: listen EADDRINUSE: address already in use :::8080\n    at Server.setupListenHandle [as _listen2] (node:net:1908:16)'), (6.3, 'e', 'exit status 1')],
     expect={'factors_excludes': ['orphaned_processes'], 'signature_contains': ['EADDRINUSE']})
case('own-128', U, 'contradictory: no process, kill none, 404 before the deadline',
     end=None,
     state='gone',
     limit=3600,
     now=200,
     procs=[(5, 'python3 a.py', 5, None)])
case('own-129', K, 'request in notebook with file reads afterwards? steady progress counter',
     end=120,
     out=[(t, 'o', 'case %d/90 ok' % t) for t in range(5, 119, 6)])
case('own-130', U, 'notebook finished; server bg; request',
     end=120,
     out=[(t, 'o', 'case %d/90 ok' % t) for t in range(5, 90, 5)] + [(92, 'o', 'all 90 cases finished in 88 s')])
case('own-131', C, 'OOM text inside test name but failing assertion',
     end=60,
     procs=[(5, 'pytest -q', 5, 40)],
     out=[(39, 'o', 'tests/test_limits.py::test_out_of_memory_is_reported FAILED'), (39.2, 'e', 'E       AssertionError: assert 3 == 4'), (39.3, 'o', '1 failed, 8 passed in 3.1s'), (40.3, 'e', 'exit status 1')],
     expect={'factors': ['exit_code:1']})
case('own-132', U, 'tool output of grep over docs then ok',
     end=60,
     procs=[(5, 'grep -rn "out of memory" docs', 5, 6), (6, 'python3 ok.py', 7, 40)],
     out=[(5.9, 'o', 'docs/a.md:12: fatal error: out of memory\ndocs/a.md:13: Killed'), (39.5, 'o', 'report written')])
case('own-133', T, 'cpu pegged but killed by timeout with GC saw teeth',
     end=300.4,
     reason=T,
     cpu=99.7,
     mem_pts=[(0, 10), (20, 85), (25, 40), (50, 88), (55, 40), (90, 88), (95, 40), (200, 80)],
     procs=[(5, 'java -jar a.jar', 5, None)],
     expect={'factors': ['cpu_pegged']})
case('own-134', C, 'segfault 139 by script',
     state='running',
     now=120,
     procs=[(5, 'bash run.sh', 5, 60)],
     out=[(59.9, 'e', 'run.sh: line 4:   512 Segmentation fault      (core dumped) ./native --x'), (60.4, 'e', 'Command exited with code 139')],
     expect={'factors': ['segfault', 'signal:11', 'exit_code:139']})
case('own-135', O, 'abort 134 go oom w/ tmp',
     state='running',
     now=120,
     mem_pts=GROW,
     procs=[(5, './idx', 5, 42)],
     out=[(41.9, 'e', 'fatal error: runtime: cannot allocate memory\n\nruntime stack:\nruntime.throw({0x5, 0x1})\n\t/usr/local/go/src/runtime/panic.go:1067 +0x48\n\ngoroutine 1 [running]:\nmain.load(0x1)\n\t/app/a.go:3 +0x1'), (42.3, 'e', 'exit status 2')],
     expect={'signature_contains': ['load']})
case('own-136', C, 'health failing & running says; metrics stop',
     state='running',
     limit=3600,
     health=100,
     killed=False,
     stopped=False,
     now=400,
     procs=[(500, 'python3 a.py', 5, None)],
     metrics_until=99)
case('own-137', U, 'request in last second after output done marker no procs',
     end=60,
     out=[(5, 'o', 'loading'), (50, 'o', '✔ Export complete')])
case('own-138', K, 'admin while paused? admin idle',
     end=60,
     reason='admin',
     procs=[(5, 'python3 a.py', 5, 20)],
     out=[(19, 'o', 'done')])
case('own-139', T, 'old v1 event, idle? process running',
     end=301,
     reason=None,
     version='v1',
     metrics=False,
     procs=[(5, 'python3 a.py', 5, None)])
case('own-140', U, 'output only, no events no logs no metrics',
     events=False,
     metrics=False,
     state='gone',
     end=None,
     out=[(5, 'o', 'hello')],
     no_logs=True)
failing('own-201', C, 'no such table sqlstate',
        'psycopg2.errors.UndefinedTable: relation "orders" does not exist\nLINE 1: SELECT * FROM orders',
        1,
        expect={'signature_contains': ['UndefinedTable', 'orders']})
failing('own-202', C, 'disk quota sqlite',
        'Traceback (most recent call last):\n  File "/home/user/db.py", line 9, in store\n    cur.execute(q)\nsqlite3.OperationalError: database or disk is full',
        1,
        disk=100,
        expect={'factors': ['disk_full']})
failing('own-203', C, 'ro fs',
        "cp: cannot create regular file '/usr/share/x': Read-only file system",
        1,
        'bash setup.sh',
        expect={'factors': ['permission_denied']})
failing('own-204', C, 'tsc',
        "src/cart.ts(3,5): error TS2322: Type 'string' is not assignable to type 'number'.",
        2,
        'npx tsc',
        expect={'signature_contains': ['TS2322']})
failing('own-205', O, 'lua',
        'lua5.4: not enough memory',
        1,
        'lua5.4 a.lua',
        mem_pts=[(0, 10), (42, 92)],
        expect={'confidence_at_least': 'high'})
failing('own-206', O, 'perl',
        'Out of memory!',
        1,
        'perl a.pl',
        mem_pts=[(0, 10), (42, 92)],
        expect={'confidence_at_least': 'high', 'signature_contains': ['out of memory']})
failing('own-207', O, 'php',
        'PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in /app/src/Import.php on line 88',
        255,
        'php artisan import',
        expect={'confidence_at_least': 'high', 'signature_contains': ['Allowed memory size', 'Import.php']})
failing('own-208', O, 'git',
        'remote: Enumerating objects: 91234, done.\nfatal: Out of memory, malloc failed (tried to allocate 104857600 bytes)',
        128,
        'git repack -a',
        mem_pts=[(0, 10), (42, 94)],
        expect={'confidence_at_least': 'high'})
failing('own-209', C, 'git auth',
        "fatal: Authentication failed for 'https://git.example.com/x.git/'",
        128,
        'git clone https://git.example.com/x.git',
        expect={'factors_excludes': ['network_blocked'], 'signature_contains': ['Authentication failed']})
failing('own-210', C, 'git dns',
        "fatal: unable to access 'https://git.example.com/x.git/': Could not resolve host: git.example.com",
        128,
        'git clone https://git.example.com/x.git',
        expect={'factors': ['network_blocked']})
failing('own-211', C, 'apt',
        'E: Unable to locate package libfoo-dev',
        100,
        'apt-get install -y libfoo-dev',
        expect={'factors': ['install_failed'], 'signature_contains': ['libfoo-dev']})
failing('own-212', C, 'gcc missing header',
        "src/ext.c:4:10: fatal error: Python.h: No such file or directory\n    4 | #include <Python.h>\ncompilation terminated.\nerror: command '/usr/bin/gcc' failed with exit code 1\nERROR: Failed building wheel for fastgeom",
        1,
        'pip install fastgeom',
        expect={'factors': ['install_failed', 'missing_package'], 'signature_contains': ['Python.h']})
failing('own-213', C, 'swift',
        'Fatal error: Index out of range: file Swift/ContiguousArrayBuffer.swift, line 600\nCurrent stack trace:',
        132,
        './app',
        expect={'signature_contains': ['Index out of range']})
failing('own-214', C, 'go deadlock',
        'fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.collect(...)\n\t/app/main.go:14\nmain.main()\n\t/app/main.go:9 +0x1d',
        2,
        './app',
        expect={'signature_contains': ['deadlock', 'collect']})
failing('own-215', C, 'rust unwrap',
        'thread \'tokio-runtime-worker\' panicked at src/feed.rs:88:14:\ncalled `Result::unwrap()` on an `Err` value: Os { code: 2, kind: NotFound, message: "No such file or directory" }\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace',
        101,
        './feed',
        expect={'signature_contains': ['unwrap', 'feed.rs']})
failing('own-216', C, 'deno',
        "error: Uncaught (in promise) TypeError: Cannot read properties of undefined (reading 'price')\n    at total (file:///home/user/cart.ts:12:9)\n    at file:///home/user/main.ts:3:1",
        1,
        'deno run main.ts',
        expect={'signature_contains': ['TypeError', 'total']})
failing('own-217', C, 'julia',
        'ERROR: LoadError: UndefVarError: `rate` not defined\nStacktrace:\n [1] total(x::Float64)\n   @ Main /home/user/a.jl:4\n [2] top-level scope\n   @ /home/user/a.jl:9',
        1,
        'julia a.jl',
        expect={'signature_contains': ['UndefVarError', 'rate', 'total']})
failing('own-218', O, 'julia oom',
        'ERROR: LoadError: OutOfMemoryError()\nStacktrace:\n [1] Array\n   @ ./boot.jl:479 [inlined]\n [2] expand(n::Int64)\n   @ Main /home/user/a.jl:4',
        1,
        'julia a.jl',
        mem_pts=[(0, 10), (42, 60)],
        expect={'confidence_at_least': 'high', 'signature_contains': ['OutOfMemoryError']})
failing('own-219', C, 'kotlin',
        'Exception in thread "main" kotlin.UninitializedPropertyAccessException: lateinit property rates has not been initialized\n\tat shop.Cart.total(Cart.kt:12)\n\tat shop.MainKt.main(Main.kt:3)',
        1,
        'java -jar a.jar',
        expect={'signature_contains': ['UninitializedPropertyAccessException', 'Cart.total']})
failing('own-220', C, 'bash syntax',
        "run.sh: line 12: syntax error near unexpected token `done'\nrun.sh: line 12: `done'",
        2,
        'bash run.sh',
        expect={'factors': ['syntax_error']})
failing('own-221', C, 'json parse not syntax',
        'SyntaxError: Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON\n    at JSON.parse (<anonymous>)\n    at parseReply (/home/user/a.js:3:5)',
        1,
        'node a.js',
        expect={'factors_excludes': ['syntax_error'], 'signature_contains': ['parseReply']})
failing('own-222', C, 'esm',
        'file:///home/user/a.mjs:1\nimport { x } from "lodash-es";\n         ^\nSyntaxError: The requested module \'lodash-es\' does not provide an export named \'x\'\n    at ModuleJob._instantiate (node:internal/modules/esm/module_job:123:21)',
        1,
        'node a.mjs',
        expect={'signature_contains': ['lodash-es']})
failing('own-223', C, 'tls',
        "requests.exceptions.SSLError: HTTPSConnectionPool(host='a.example.com', port=443): Max retries exceeded with url: / (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1006)')))",
        1,
        expect={'factors_excludes': ['network_blocked'], 'signature_contains': ['certificate has expired']})
failing('own-224', C, 'emfile python',
        "OSError: [Errno 24] Too many open files: 'parts/0193.csv'",
        1,
        expect={'factors': ['too_many_open_files'], 'signature_excludes': ['0193']})
failing('own-225', C, 'gpu jax',
        'RuntimeError: No CUDA GPUs are available',
        1,
        expect={'factors': ['gpu_unavailable']})
failing('own-226', C, 'stack overflow java',
        'Exception in thread "main" java.lang.StackOverflowError\n\tat com.acme.Tree.walk(Tree.java:9)\n\tat com.acme.Tree.walk(Tree.java:9)',
        1,
        'java -jar a.jar',
        expect={'signature_contains': ['StackOverflowError', 'walk']})
failing('own-227', C, 'tf gpu',
        'tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with shape[64,1024,1024] and type float on /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc',
        1)
failing('own-228', O, 'tf cpu',
        'tensorflow.python.framework.errors_impl.ResourceExhaustedError: OOM when allocating tensor with shape[64,1024,1024] and type float on /job:localhost/replica:0/task:0/device:CPU:0 by allocator mklcpu',
        1,
        mem_pts=[(0, 10), (42, 80)])
failing('own-229', O, 'fork ENOMEM',
        'Error: spawn ENOMEM\n    at ChildProcess.spawn (node:internal/child_process:421:11)\n    at convert (/home/user/c.js:9:3)',
        1,
        'node c.js',
        mem_pts=[(0, 10), (42, 93)],
        expect={'signature_contains': ['ENOMEM', 'convert']})
failing('own-230', C, 'EAGAIN',
        'Error: spawn /usr/bin/git EAGAIN\n    at ChildProcess.spawn (node:internal/child_process:421:11)',
        1,
        'node c.js')
failing('own-231', C, 'static TLS',
        'ImportError: /usr/local/lib/python3.11/site-packages/sklearn/libgomp.so.1: cannot allocate memory in static TLS block',
        1)
failing('own-232', C, 'pg shared memory',
        'psycopg2.errors.OutOfMemory: out of shared memory\nHINT:  You might need to increase max_locks_per_transaction.',
        1)
failing('own-233', C, 'tex',
        '! TeX capacity exceeded, sorry [main memory size=5000000].',
        1,
        'pdflatex a.tex')
failing('own-234', C, 'invalid array length',
        'RangeError: Invalid array length\n    at grow (/home/user/a.js:4:7)',
        1,
        'node a.js',
        expect={'signature_contains': ['Invalid array length', 'grow']})
failing('own-235', O, 'duckdb',
        'duckdb.duckdb.OutOfMemoryException: Out of Memory Error: failed to allocate data of size 1.2 GiB (780.0 MiB/800.0 MiB used)',
        1)
failing('own-236', O, 'node worker',
        'node:internal/event_target:1100\n  process.nextTick(() => { throw err; });\n                           ^\nError [ERR_WORKER_OUT_OF_MEMORY]: Worker terminated due to reaching memory limit: JS heap out of memory\n    at [kOnExit] (node:internal/worker:315:26)',
        1,
        'node a.js',
        expect={'confidence_at_least': 'high'})
failing('own-237', O, 'gc overhead',
        'Exception in thread "main" java.lang.OutOfMemoryError: GC overhead limit exceeded\n\tat com.acme.A.b(A.java:1)',
        1,
        'java -jar a.jar')
failing('own-238', O, 'jvm native',
        '# There is insufficient memory for the Java Runtime Environment to continue.\n# Native memory allocation (mmap) failed to map 268435456 bytes for committing reserved memory.',
        1,
        'java -jar a.jar')
failing('own-239', O, 'gradle daemon',
        'FAILURE: Build failed with an exception.\n\n* What went wrong:\nGradle build daemon disappeared unexpectedly (it may have been killed or may have crashed)',
        1,
        './gradlew build',
        mem_pts=[(0, 10), (42, 95)])
failing('own-240', C, 'gradle daemon calm',
        'FAILURE: Build failed with an exception.\n\n* What went wrong:\nGradle build daemon disappeared unexpectedly (it may have been killed or may have crashed)',
        1,
        './gradlew build')
failing('own-241', O, 'page crashed',
        'playwright._impl._errors.Error: Page.goto: Page crashed\nCall log:\n  - navigating to "https://a.example/"',
        1,
        mem_pts=[(0, 10), (42, 95)])
failing('own-242', O, 'celery',
        'billiard.exceptions.WorkerLostError: Worker exited prematurely: signal 9 (SIGKILL) Job: 0.',
        1,
        mem_pts=[(0, 10), (42, 95)],
        expect={'factors': ['signal:9']})
failing('own-243', O, 'CRA',
        'The build failed because the process exited too early. This probably means the system ran out of memory or someone called `kill -9` on the process.',
        1,
        'npm run build',
        mem_pts=[(0, 10), (42, 95)])
failing('own-244', O, 'vercel ELIFECYCLE',
        '/bin/sh: line 1:    67 Killed                  vite build\n ELIFECYCLE  Command failed with exit code 137.',
        137,
        'pnpm build',
        mem_pts=[(0, 10), (42, 95)],
        expect={'factors': ['exit_code:137', 'signal:9']})
failing('own-245', C, 'segv worker joblib',
        'Traceback (most recent call last):\n  File "/srv/prep.py", line 71, in run_all\n    out = Parallel()(x)\njoblib.externals.loky.process_executor.TerminatedWorkerError: A worker process managed by the executor was unexpectedly terminated.\n\nThe exit codes of the workers are {SIGSEGV(-11)}',
        1,
        mem_pts=[(0, 10), (42, 95)],
        expect={'factors': ['segfault'], 'signature_contains': ['TerminatedWorkerError']})
failing('own-246', C, 'missing binary lib',
        'Traceback (most recent call last):\n  File "/home/user/a.py", line 1, in <module>\n    import cv2\nImportError: libGL.so.1: cannot open shared object file: No such file or directory',
        1,
        expect={'factors': ['missing_package'], 'signature_contains': ['libGL.so.1']})
failing('own-247', C, 'node missing',
        "node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module 'express'\nRequire stack:\n- /home/user/api.js\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)\n    at Object.<anonymous> (/home/user/api.js:1:17) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: [ '/home/user/api.js' ]\n}",
        1,
        'node api.js',
        expect={'factors': ['missing_package'], 'signature_contains': ['express']})
failing('own-248', C, 'ruby gem',
        "/usr/lib/ruby/3.1.0/rubygems/core_ext/kernel_require.rb:85:in `require': cannot load such file -- nokogiri (LoadError)\n\tfrom /usr/lib/ruby/3.1.0/rubygems/core_ext/kernel_require.rb:85:in `require'\n\tfrom scrape.rb:2:in `<main>'",
        1,
        'ruby scrape.rb',
        expect={'factors': ['missing_package'], 'signature_contains': ['nokogiri']})
failing('own-249', C, 'cargo crate',
        'error: failed to select a version for the requirement `serde = "^9"`\ncandidate versions found which didn\'t match: 1.0.219\nlocation searched: crates.io index',
        101,
        'cargo build',
        expect={'factors': ['install_failed'], 'signature_contains': ['serde']})
failing('own-250', C, 'npm EACCES',
        "npm error code EACCES\nnpm error syscall mkdir\nnpm error path /usr/lib/node_modules/x\nnpm error errno -13\nnpm error Error: EACCES: permission denied, mkdir '/usr/lib/node_modules/x'",
        243,
        'npm install -g x',
        expect={'factors': ['install_failed', 'permission_denied']})
failing('own-251', C, 'npm ENOSPC',
        'npm error code ENOSPC\nnpm error syscall write\nnpm error errno -28\nnpm error nospc ENOSPC: no space left on device, write',
        228,
        'npm install',
        disk=100,
        expect={'factors': ['install_failed', 'disk_full']})
failing('own-252', C, 'HTTP 401',
        'requests.exceptions.HTTPError: 401 Client Error: Unauthorized for url: https://api.example.com/v1/items?k=1',
        1,
        expect={'signature_contains': ['401']})
failing('own-253', C, 'openai rate',
        "openai.RateLimitError: Error code: 429 - {'error': {'message': 'Rate limit reached'}}",
        1,
        expect={'signature_contains': ['RateLimitError', '429']})
failing('own-254', C, 'assert c',
        "solve: grid.c:40: step: Assertion `n > 0' failed.\nAborted (core dumped)",
        134,
        './solve',
        expect={'factors': ['signal:6'], 'signature_contains': ['Assertion', 'step']})
failing('own-255', C, 'double free',
        'double free or corruption (out)\nAborted (core dumped)',
        134,
        './solve',
        mem_pts=[(0, 10), (42, 95)],
        expect={'factors': ['signal:6']})
failing('own-256', C, 'asan',
        '=================================================================\n==512==ERROR: AddressSanitizer: heap-use-after-free on address 0x602000000010 at pc 0x4f1 bp 0x7ff sp 0x7fe\nREAD of size 4 at 0x602000000010 thread T0\n    #0 0x4f1a2b in fill_row /app/grid.c:40:3\n    #1 0x4f1c2b in main /app/grid.c:90:3',
        1,
        './solve',
        expect={'signature_contains': ['heap-use-after-free', 'fill_row']})
failing('own-257', C, 'excgroup',
        '  + Exception Group Traceback (most recent call last):\n  |   File "/home/user/a.py", line 9, in main\n  |     async with asyncio.TaskGroup() as tg:\n  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)\n  +-+---------------- 1 ----------------\n    | Traceback (most recent call last):\n    |   File "/home/user/a.py", line 4, in fetch_rate\n    |     return rates[code]\n    | KeyError: \'CHF\'\n    +------------------------------------',
        1,
        expect={'signature_contains': ['KeyError', 'CHF', 'fetch_rate']})
failing('own-258', C, 'mp remote',
        'multiprocessing.pool.RemoteTraceback: \n"""\nTraceback (most recent call last):\n  File "/usr/lib/python3.11/multiprocessing/pool.py", line 125, in worker\n    result = (True, func(*args, **kwds))\n  File "/home/user/a.py", line 5, in parse\n    return int(x)\nValueError: invalid literal for int() with base 10: \'12a\'\n"""\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File "/home/user/a.py", line 9, in <module>\n    pool.map(parse, xs)\nValueError: invalid literal for int() with base 10: \'12a\'',
        1,
        expect={'signature_contains': ['ValueError', 'invalid literal', 'parse']})
failing('own-259', C, 'KeyboardInterrupt? no: recursion',
        'Traceback (most recent call last):\n  File "/home/user/a.py", line 9, in <module>\n    f(1)\n  File "/home/user/a.py", line 5, in f\n    return f(x)\n  File "/home/user/a.py", line 5, in f\n    return f(x)\n  [Previous line repeated 996 more times]\nRecursionError: maximum recursion depth exceeded',
        1,
        expect={'signature_contains': ['RecursionError', 'f']})
failing('own-260', C, 'php uncaught',
        'PHP Fatal error:  Uncaught Error: Call to undefined function mb_strlen() in /app/src/Text.php:12\nStack trace:\n#0 /app/src/Main.php(3): App\\Text->length()\n#1 {main}\n  thrown in /app/src/Text.php on line 12',
        255,
        'php main.php',
        expect={'signature_contains': ['mb_strlen', 'length']})
failing('own-261', C, 'unknown stderr',
        "convert: no decode delegate for this image format `HEIC' @ error/constitute.c/ReadImage/746.",
        1,
        'convert a.heic a.png',
        expect={'signature_contains': ['no decode delegate']})
failing('own-262', O, 'OOM of compiler: virtual memory exhausted',
        'virtual memory exhausted: Cannot allocate memory',
        1,
        'make -j4',
        mem_pts=[(0, 10), (42, 96)])
failing('own-263', C, 'connection reset to service',
        'redis.exceptions.ConnectionError: Error 111 connecting to localhost:6379. Connection refused.',
        1,
        expect={'signature_contains': ['6379'], 'factors_excludes': ['network_blocked']})
failing('own-264', O, 'redis maxmem',
        "redis.exceptions.OutOfMemoryError: OOM command not allowed when used memory > 'maxmemory'.",
        1)
failing('own-265', C, 'ulimit threads py',
        'Traceback (most recent call last):\n  File "/home/user/a.py", line 9, in start_all\n    t.start()\n  File "/usr/lib/python3.11/threading.py", line 957, in start\n    _start_new_thread(self._bootstrap, ())\nRuntimeError: can\'t start new thread',
        1,
        mem_pts=[(0, 10), (42, 95)],
        expect={'signature_contains': ["can't start new thread", 'start_all']})
failing('own-266', C, 'haskell',
        'app: Prelude.head: empty list\nCallStack (from HasCallStack):\n  error, called at libraries/base/GHC/List.hs:1646:3 in base:GHC.List\n  firstRate, called at src/Rates.hs:12:9 in main:Rates',
        1,
        './app',
        expect={'signature_contains': ['empty list']})
failing('own-267', C, 'ocaml',
        'Fatal error: exception Not_found\nRaised at Stdlib__Map.Make.find in file "map.ml", line 137, characters 10-25\nCalled from Dune__exe__Main.total in file "bin/main.ml", line 4, characters 9-27',
        2,
        './app',
        expect={'signature_contains': ['Not_found']})
failing('own-268', C, 'scala',
        'Exception in thread "main" scala.MatchError: 7 (of class java.lang.Integer)\n\tat shop.Rates$.find(Rates.scala:9)\n\tat shop.Main$.main(Main.scala:4)',
        1,
        'scala a.jar',
        expect={'signature_contains': ['MatchError', 'find']})
failing('own-269', C, 'clojure',
        'Execution error (NullPointerException) at shop.core/total (core.clj:12).\nCannot invoke "Object.doubleValue()" because "x" is null',
        1,
        'clojure -M -m shop.core',
        expect={'signature_contains': ['NullPointerException']})
failing('own-270', C, 'dart',
        'Unhandled exception:\nRangeError (index): Invalid value: Valid value range is empty: 0\n#0      List.[] (dart:core-patch/growable_array.dart:264:36)\n#1      total (file:///home/user/a.dart:4:11)',
        255,
        'dart run a.dart',
        expect={'signature_contains': ['RangeError', 'total']})
failing('own-271', C, 'perl die',
        'rate missing at cart.pl line 12.',
        255,
        'perl cart.pl',
        expect={'signature_contains': ['rate missing']})
failing('own-272', C, 'zig',
        'thread 512 panic: index out of bounds: index 7, len 3\n/home/user/src/main.zig:12:20: 0x103 in total (main)',
        134,
        './app',
        expect={'signature_contains': ['index out of bounds']})
failing('own-273', O, 'sbcl',
        'Heap exhausted during garbage collection: 0 bytes available, 16 requested.\nfatal error encountered in SBCL pid 512:\nHeap exhausted, game over.',
        1,
        'sbcl --script a.lisp',
        expect={'confidence_at_least': 'high'})
failing('own-274', O, 'haskell heap',
        "app: Heap exhausted;\napp: Current maximum heap size is 268435456 bytes (256 MB).\napp: Use `+RTS -M<size>' to increase it.",
        251,
        './app',
        expect={'confidence_at_least': 'high'})
failing('own-275', O, 'ocaml oom',
        'Fatal error: exception Out_of_memory',
        2,
        './app',
        mem_pts=[(0, 10), (42, 80)])
failing('own-276', O, 'dart oom',
        'Exhausted heap space, trying to allocate 33554448 bytes.\nUnhandled exception:\nOut of Memory',
        255,
        'dart run a.dart')
failing('own-277', O, 'polars rust',
        'memory allocation of 2147483648 bytes failed',
        -1,
        'python3 a.py',
        mem_pts=[(0, 10), (42, 70)])
failing('own-278', O, 'arrow',
        'pyarrow.lib.ArrowMemoryError: malloc of size 4294967296 failed',
        1,
        mem_pts=[(0, 10), (42, 70)])
failing('own-279', O, 'torch cpu new',
        "RuntimeError: [enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 13292797952 bytes. Error code 12 (Cannot allocate memory)",
        1)
failing('own-280', O, 'mmap py',
        'OSError: [Errno 12] Cannot allocate memory',
        1,
        mem_pts=[(0, 10), (42, 93)])
