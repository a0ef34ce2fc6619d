"""Counts test cases: reads `bazel test`'s output, and the test.xml of each target it names.

Usage: count_cases.py BAZEL_OUTPUT TESTLOGS FAILED_STAGES RELEASE_OUTPUT. The last line printed is
`N passed, N failed`. A target without results, such as one that did not build, counts as one
failed case, and so does each of FAILED_STAGES, what failed before these tests. The last line of
RELEASE_OUTPUT is such a count, which is added.
"""

import glob
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

RESULT = re.compile(
    r"^(//\S+)\s+(?:\(cached\) )?(PASSED|FLAKY|FAILED TO BUILD|FAILED|TIMEOUT|NO STATUS|INCOMPLETE)"
)
COUNT = re.compile(r"(\d+) passed, (\d+) failed")


def cases_in(path):
    """The passed and failed cases of one test.xml; skipped ones are neither."""
    passed = failed = 0
    for case in ElementTree.parse(path).iter("testcase"):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.get("status") != "notrun" and case.find("skipped") is None:
            passed += 1
    return passed, failed


def cases_of(label, status, testlogs):
    """The cases of one target, over its shards."""
    folder = os.path.join(testlogs, label[2:].replace(":", "/"))
    passed = failed = 0
    if status in ("PASSED", "FLAKY", "FAILED", "TIMEOUT"):
        for path in glob.glob(os.path.join(folder, "**", "test.xml"), recursive=True):
            more_passed, more_failed = cases_in(path)
            passed += more_passed
            failed += more_failed
    if status not in ("PASSED", "FLAKY") and failed == 0:
        print(f"{label}: {status.lower()}, without the result of a case")
        failed = 1
    return passed, failed


def count_in(path):
    """The passed and failed cases of the last line; one failed where it is no count."""
    with open(path, encoding="utf-8", errors="replace") as text:
        last = (text.read().splitlines() or [""])[-1]
    count = COUNT.fullmatch(last)
    return (int(count.group(1)), int(count.group(2))) if count else (0, 1)


def main():
    output, testlogs, failed_stages, release_output = sys.argv[1:]
    failed = int(failed_stages)
    if failed:
        print(f"{failed} of the stages before the tests failed: see above")
    passed, more_failed = count_in(release_output)
    failed += more_failed
    with open(output, encoding="utf-8", errors="replace") as lines:
        results = dict(match.groups() for match in map(RESULT.match, lines) if match)
    for label, status in sorted(results.items()):
        more_passed, more_failed = cases_of(label, status, testlogs)
        passed += more_passed
        failed += more_failed
    if not results:
        print("no test ran")
        failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


sys.exit(main())
