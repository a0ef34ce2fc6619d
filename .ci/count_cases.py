"""Counts test cases: reads `bazel test`'s output, and the test.xml of each target it names.

Usage: count_cases.py BAZEL_OUTPUT TESTLOGS FAILED_STAGES. The last line printed is
`N passed, N failed`. A target without results, such as one that did not build, counts as one
failed case, and so does each of FAILED_STAGES, what failed before these tests.
"""

import glob
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

RESULT = re.compile(
    r"^(//\S+)\s+(?:\(cached\) )?(PASSED|FLAKY|FAILED TO BUILD|FAILED|TIMEOUT|NO STATUS|INCOMPLETE)"
)


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


def main():
    output, testlogs, failed_stages = sys.argv[1:]
    passed, failed = 0, int(failed_stages)
    if failed:
        print(f"{failed} of the stages before the tests failed: see above")
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
