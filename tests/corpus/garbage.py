"""Broken input: a finding that says what was unusable, or exit status 2 with one line that says why. Never a crash, never silence.

ENTRIES: (name, bytes of the file, words of which the finding's "missing" must hold each, or None for exit status 2).
"""
import copy
import json

from own_cases import C, CASES, T, case, traceback

case('garbage-base', C, 'a plain crash, to be broken in many ways', procs=[(500, 'python3 a.py', 5, 45)], end=60,
     out=[(44.8, 'e', traceback('f()', 'KeyError: 7')), (45.4, 'e', 'Command exited with code 1')])
BASE = CASES['garbage-base']
ENTRIES = []


def broken(name, change, said=()):
    doc = copy.deepcopy(BASE)
    doc = change(doc) or doc
    ENTRIES.append((name, json.dumps(doc).encode("utf-8", "surrogatepass"), said))


def raw(name, text, said=None):
    ENTRIES.append((name, text, said))


def put(*path):
    """A change that puts the last of path at the place that the others name."""
    def change(doc):
        at = doc
        for key in path[:-2]:
            at = at[key]
        at[path[-2]] = path[-1]
    return change


WHOLE = json.dumps(BASE).encode()
for cut in (0, 1, 10, len(WHOLE) // 3, len(WHOLE) - 1):
    raw("a case cut after %d bytes" % cut, WHOLE[:cut])
raw("not JSON at all", b"hello\n")
raw("a list", b"[]")
raw("a number", b"42")
raw("null", b"null")
raw("an object without parts", b'{"a": 1}')
raw("NUL bytes", b"\0" * 1000)
raw("invalid UTF-8 in a string", WHOLE.replace(b"KeyError", b"Key\xff\xfeError", 1), ())
raw("NaN", WHOLE.replace(b'"memTotal": ', b'"memTotal": NaN, "was": ', 1))
raw("Infinity", WHOLE.replace(b'"cpuUsedPct": ', b'"cpuUsedPct": Infinity, "was": ', 1))
raw("a hundred thousand brackets", b"[" * 100000)
raw("an object in an object, very deep", b'{"a":' * 50000 + b"1" + b"}" * 50000)
raw("two documents", WHOLE + WHOLE)
raw("rubbish after the case", WHOLE + b"x")
broken("events is a string", put("events", "none"), None)
broken("logs is an object", put("logs", {}), None)
broken("metrics is a number", put("metrics", 7), None)
broken("output is a word", put("output", "KeyError"), None)
broken("sandbox is a list", put("sandbox", []), None)
broken("now is no time", put("now", "yesterday"), None)
broken("now is a number", put("now", 12345), None)
broken("one event is a string", put("events", 0, "killed"), ("events", "1 of 2"))
broken("one event without a time", put("events", 0, "timestamp", None), ("events",))
broken("one log line is null", put("logs", 0, None), ("log",))
broken("one log line has a number for a message", put("logs", 1, "message", 5), ("Ends of processes",))
broken("fields are a list", put("logs", 1, "fields", ["a"]))
broken("one sample is a word", put("metrics", 0, "high"), ("metrics",))
broken("one sample without a time", put("metrics", 0, "timestamp", None), ())
broken("a sample has a word for memory", put("metrics", 0, "memUsed", "much"), ("impossible",))
broken("a sample with more used than there is", put("metrics", 3, "memUsed", 2 ** 60), ("impossible",))
broken("a sample with negative memory", put("metrics", 3, "memUsed", -5), ("impossible",))
broken("a sample with a total of zero", put("metrics", 3, "memTotal", 0))
broken("a sample with a huge number", put("metrics", 3, "memTotal", 10 ** 18), ())
broken("a CPU of 10^300", put("metrics", 3, "cpuUsedPct", 1e300), ("impossible",))
broken("a number too large for anything", lambda doc: None)
ENTRIES[-1] = ("a number too large for anything", WHOLE.replace(b'"memTotal": ', b'"memTotal": 1' + b"0" * 400 + b', "was": ', 1), None)
broken("one output line is a number", put("output", 0, 7), ("output",))
broken("an output line without text", put("output", 0, "line", None))
broken("an output line without a time", put("output", 0, "timestamp", "soon"))
broken("a line of 5 MB", put("output", 0, "line", "x" * 5 * 1024 * 1024))
broken("a line with NUL and controls", put("output", 0, "line", "a\0b\x1b[2Jc\x07\x08"))
broken("half a surrogate in a line", lambda doc: None)
ENTRIES[-1] = ("half a surrogate in a line", WHOLE.replace(b"KeyError", b"Key\\ud800Error", 1), ())
broken("times of output out of order", lambda doc: doc["output"].reverse())
broken("logs newest first", lambda doc: doc["logs"].reverse())
broken("events newest first", lambda doc: doc["events"].reverse())
broken("samples newest first", lambda doc: doc["metrics"].reverse())
broken("killed before it was created", put("events", 1, "timestamp", "2026-05-02T09:00:00Z"), ("contradict",))
broken("now is before everything", put("now", "2020-01-01T00:00:00Z"))
broken("a process that ended before it started", lambda doc: [line.update(timestamp="2026-05-02T09:59:00Z") for line in doc["logs"] if "ended" in line["message"]] and None, ("Ends of processes",))
broken("an execution time below zero", put("events", 1, "eventData", {"execution": {"execution_time": -5}, "kill_reason": "request"}))
broken("a limit below zero", lambda doc: [line["fields"].update(request_timeout_ms="-1E+09") for line in doc["logs"] if "started" in line["message"]] and None)
broken("a limit of NaN", lambda doc: [line["fields"].update(request_timeout_ms="NaN") for line in doc["logs"] if "started" in line["message"]] and None)
broken("a pid that is too large", lambda doc: [line.update(message="Process with pid 99999999999999999999999 started") for line in doc["logs"] if "started" in line["message"]] and None)
broken("a year of 9999", put("events", 1, "timestamp", "9999-12-31T23:59:59Z"))
broken("a kill reason that is a list", put("events", 1, "eventData", {"kill_reason": ["request"]}))
broken("everything empty", lambda doc: dict(events=[], metrics=[], logs=[], output=[], sandbox=None, sandbox_status=404, now="2026-05-02T10:00:00Z"), ("No lifecycle events", "No metrics", "No log lines"))
broken("every sample unreadable", put("metrics", [7, "x", None]), None)


def complaints(said, found, problem, status):
    if said is None:
        if status != 2 or not problem or "\n" in problem:
            yield "exit status %s, and not 2 with one line that says why: %r" % (status, problem)
    elif found is None:
        yield "no finding, but exit status %s: %s" % (status, problem)
    else:
        for word in said:
            if word not in found["missing"]:
                yield "missing does not say %r: %r" % (word, found["missing"])
