"""seeds.py FOLDER: writes the seeds of the fuzzers, small ones first: own cases and what was printed in all cases."""
import glob
import json
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../corpus"))
import garbage
import own_cases
import own_lives
import own_pairs
import own_runtimes
import own_tools

CASE_MAX = 20000  # bytes: larger ones slow the fuzzer down
folder = sys.argv[1]


def write(kind, name, data):
    with open(os.path.join(folder, "seeds-" + kind, name), "wb") as f:
        f.write(data)


for name, doc in own_cases.CASES.items():
    slim = dict(doc, metrics=doc["metrics"][:6])
    data = json.dumps(slim).encode("utf-8", "surrogatepass")
    if len(data) <= CASE_MAX:
        write("case", name, data)
    text = "\n".join(line["line"] for line in doc["output"])
    if text:
        write("console", name, text.encode("utf-8", "surrogatepass")[:CASE_MAX])
for i, (name, data, said) in enumerate(garbage.ENTRIES):
    if len(data) <= CASE_MAX:
        write("case", "garbage-%d" % i, data)
for i, pair in enumerate(own_pairs.PAIRS):
    write("console", "pair-%d" % i, (pair["a"] + "\n" + pair["b"]).encode("utf-8", "surrogatepass"))
for path in glob.glob(os.path.join(HERE, "../corpus/cases/*.json")):
    with open(path, encoding="utf-8") as f:
        case = json.load(f)
    write("console", os.path.basename(path), "\n".join(line["line"] for line in case["output"]).encode()[:CASE_MAX])
