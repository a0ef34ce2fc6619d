#!/bin/sh
# Writes the golden findings.txt of each folder of fixtures as fixtures_test now finds them.
set -eu
TEST_TMPDIR="$(mktemp -d)"
trap 'rm -rf "$TEST_TMPDIR"' EXIT
export TEST_TMPDIR REFRESHED_TESTDATA="$BUILD_WORKSPACE_DIRECTORY/testdata"
tests/checks/fixtures_test --gtest_filter='*/GoldenFindingsTest.*' --gtest_brief=1
