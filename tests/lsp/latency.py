#!/usr/bin/env python3
"""How long an edit takes to become diagnostics, by hand: latency.py ANALYZER FILE [EDITS]

Opens the file as it is on disk, then edits it again and again, with the pauses of a person between.
"""
import os
import statistics
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import client  # noqa: E402


def main():
    analyzer, path = (os.path.abspath(each) for each in sys.argv[1:3])
    edits = int(sys.argv[3]) if len(sys.argv) > 3 else 20
    with open(path, encoding="utf-8") as file:
        text = file.read()
    folder = os.path.dirname(path)
    server = client.Client([analyzer, "--lsp"], folder, dict(os.environ))
    server.initialize(folder)
    begin = time.monotonic()
    server.open(path, text)
    found = server.diagnostics(path, version=1)
    print("opened: %d ms, %d findings" % (1000 * (time.monotonic() - begin), len(found)))
    times = []
    last = text.count("\n")
    for version in range(2, 2 + edits):
        begin = time.monotonic()
        server.change(path, version, {"range": client.span(last, 0, last, 0),
                                      "text": "// %d\n" % version})
        server.diagnostics(path, version=version)
        times.append(1000 * (time.monotonic() - begin))
        time.sleep(0.3)
    times.sort()
    print("edits: median %d ms, fastest %d ms, slowest %d ms (of %d)" %
          (statistics.median(times), times[0], times[-1], edits))
    server.leave()


if __name__ == "__main__":
    main()
