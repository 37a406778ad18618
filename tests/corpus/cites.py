"""Nothing is cited that is not in the input: each number and each quote of a finding against the case it is about.

misses(case, found) yields what no fact gives. A number may stand in the input as it is, or be derived in one of these ways:

  time of day     of a moment in the input, cut to seconds
  duration        between two moments of the input, or a duration that the input tells; limits are told in whole seconds,
                  so within 1.6 s
  percentage      used of total memory or disk, or the CPU, of one sample; rounded
  size            memory in MiB: as told, or the next usual size above what a sample shows
  signal          an exit code less 128, and the code of a signal
  count           of samples
  constants       numbers of the product itself, which say nothing about the case (CONSTANTS)
"""
import datetime
import json
import re

CONSTANTS = {"7", "2", "3", "4"}  # retention of 7 days; words such as "E2B", "137" come from the input
DURATION = re.compile(r"(?:\b(\d+) d\b ?)?(?:\b(\d+) h\b ?)?(?:\b(\d+) min\b ?)?(?:\b(\d+(?:\.\d+)?) s\b)?(?:\b(\d+) ms\b)?")
SIGNALS = {"hangup": 1, "interrupt": 2, "killed": 9, "terminated": 15, "aborted": 6, "segmentation fault": 11, "bus error": 7,
           "illegal instruction": 4, "floating point exception": 8, "quit": 3, "trace/breakpoint trap": 5, "broken pipe": 13}


def moment(text):
    m = re.match(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?", text)
    if not m:
        return None
    whole = datetime.datetime.fromisoformat(m[1] + "T" + m[2]).replace(tzinfo=datetime.timezone.utc)
    return whole.timestamp() + float("0." + (m[3] or "0"))


def moments(case):
    """Every moment that the input tells, but not those of the samples."""
    text = json.dumps({k: v for k, v in case.items() if k not in ("metrics", "expect", "why", "title", "source")})
    return sorted({t for t in map(moment, re.findall(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?", text)) if t})


def shares(case):
    for m in case["metrics"]:
        for used, total in (("memUsed", "memTotal"), ("memCache", "memTotal"), ("diskUsed", "diskTotal")):
            if m.get(total) and m.get(used) is not None:
                yield 100.0 * m[used] / m[total]
        if m.get("cpuUsedPct") is not None:
            yield m["cpuUsedPct"]


def words(text):
    return " ".join(re.sub(r"[^\x21-\x7e]+", " ", re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text)).split())


def sources(case):
    """Texts that may be quoted, in one spelling of blanks."""
    yield from (line["line"] for line in case["output"])
    for line in case["logs"]:
        yield line["message"]
        yield from ((line.get("fields") or {}).values())
    for event in case["events"]:
        yield json.dumps(event.get("eventData") or {})


class Facts:
    def __init__(self, case):
        self.text = " ".join(words(str(s)) for s in sources(case))
        self.numbers = set(re.findall(r"\d+(?:\.\d+)?", self.text)) | CONSTANTS
        self.moments = moments(case)
        self.samples = [moment(m["timestamp"]) for m in case["metrics"] if m.get("timestamp")]
        self.percents = {round(s) for s in shares(case)} | {int(s) for s in shares(case)}
        self.clocks = {datetime.datetime.fromtimestamp(int(t), datetime.timezone.utc).strftime("%H:%M:%S") for t in self.moments + self.samples}
        self.minutes = {c[:5] for c in self.clocks}
        self.told = self.told_durations(case)
        sizes = {int(m["memTotal"]) // 2**20 for m in case["metrics"] if m.get("memTotal")}
        self.sizes = {int(s) for s in re.findall(r'"(?:memoryMB|memory_mb)": (\d+)', json.dumps([case["sandbox"], case["events"]]))} | {
            -(-s // step) * step for s in sizes for step in (128, 512, 1024)} | sizes | {
            int(n) // 2**20 for o in case.get("output") or [] for n in re.findall(r"size of (\d+) bytes", str(o.get("line")))}
        self.counts = set(range(0, 4)) | {len(case["metrics"])}
        codes = {int(n) for n in self.numbers if n.isdigit() and len(n) < 4}
        self.signals = {c - 128 for c in codes if 128 < c < 160} | {n for name, n in SIGNALS.items() if name in self.text.lower()} | {
            {"SIGKILL": 9, "SIGTERM": 15, "SIGSEGV": 11, "SIGABRT": 6, "SIGBUS": 7}.get(n, 0) for n in re.findall(r"SIG[A-Z]+", self.text)}

    def told_durations(self, case):
        """Durations in the input: the limits of commands, and what moments of events add up to."""
        found = {int(float((line.get("fields") or {}).get("request_timeout_ms", 0) or 0)) / 1000 for line in case["logs"]}
        return found | {float(n) * k for command in (str((line.get("fields") or {}).get("command", "")) for line in case["logs"])
                        for n, unit in re.findall(r"timeout (?:-\S+ (?:[A-Z]+ )?)*(\d+)([smh]?)", command) for k in ({"": 1, "s": 1, "m": 60, "h": 3600}[unit],)}

    def is_duration(self, seconds, slack):
        if any(abs(seconds - t) <= slack for t in self.told):
            return True
        times = self.moments + self.samples
        # the start of a life is told in whole seconds, too
        return any(abs((b - a) - seconds) <= slack for a in self.moments for b in times if b >= a - 2) or \
            any(abs((a - b) - seconds) <= slack for a in self.moments for b in self.samples)


def check(facts, text):
    """Takes what is accounted for out of the text and yields the rest."""
    def quoted(m):
        inner = words(m[1].rstrip("\u2026."))
        bad.extend([] if not inner or inner in facts.text else ["the quote %s" % m[0]])
        return " "

    def clock(m):
        bad.extend([] if m[0] in facts.clocks or m[0] in facts.minutes else ["the time %s" % m[0]])
        return " "

    def duration(m):
        if not m[0].strip():
            return m[0]
        parts = [float(p or 0) for p in m.groups()]
        seconds = parts[0] * 86400 + parts[1] * 3600 + parts[2] * 60 + parts[3] + parts[4] / 1000
        slack = 1.6 if m[4] or m[5] else 60 if m[3] else 3600
        bad.extend([] if facts.is_duration(seconds, slack) else ["the duration %s" % m[0]])
        return " "

    def percent(m):
        bad.extend([] if int(m[1]) in facts.percents or m[1] in ("90", "95") else ["the percentage %s" % m[0]])
        return " "

    def size(m):
        bad.extend([] if int(m[1]) in facts.sizes else ["the size %s" % m[0]])
        return " "

    bad = []
    text = re.sub(r'"(.*)"', quoted, text)
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(r"\b\d\d:\d\d(?::\d\d)?\b", clock, text)
    text = re.sub(r"(\d+) %", percent, text)
    text = re.sub(r"(\d+) MiB", size, text)
    text = re.sub(r"\bsignal (\d+)", lambda m: bad.extend([] if int(m[1]) in facts.signals | {9} else ["signal " + m[1]]) or " ", text)
    text = DURATION.sub(duration, text)
    text = re.sub(r"(\d+) samples?", lambda m: " " if int(m[1]) in facts.counts else m[0], text)
    for number in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?![\w])", text):
        if number not in facts.numbers:
            bad.append("the number " + number)
    return bad


def misses(case, found):
    facts = Facts(case)
    texts = [found["headline"], found["brief"], found["missing"]] + [e["text"] for e in found["evidence"]] + [r["text"] for r in found["ruled_out"] + found.get("could_be", [])]
    for text in texts:
        for complaint in check(facts, text):
            yield "no fact gives %s in: %s" % (complaint, text)


def blind_spots(case, found):
    """Changes that must be noticed, and are not: the check checks itself."""
    first = next(e["text"] for e in found["evidence"] if '"' in e["text"])
    for what, changed in (("a quote", first.replace('"', '"never printed, ', 1)), ("a number", "There were 98765 rows."), ("a percentage", "It was 61.5 % and 83 % full."),
                          ("a time", "It ended at 23:59:58."), ("a duration", "It took 3 h 7 min 11 s."), ("a size", "It had 98304 MiB.")):
        if not check(Facts(case), changed):
            yield what
