#!/usr/bin/env python3
"""The skeleton of a rule: its lists stay sorted, its predicate compiles into the catalogue."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

_ROOT = os.getcwd()
_LISTS = ("rules/BUILD", "rules/catalog.cc", "analyzer/checks/all_checks.cc", "docs/rules.md")


class NewRuleTest(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.root = scratch.name
        shutil.copytree(os.path.join(_ROOT, "rules"), os.path.join(self.root, "rules"))
        for path in ("analyzer/checks/all_checks.cc", "docs/rules.md"):
            os.makedirs(os.path.join(self.root, os.path.dirname(path)))
            shutil.copy(os.path.join(_ROOT, path), os.path.join(self.root, path))
        subprocess.run(["chmod", "-R", "u+w", self.root], check=True)

    def new_rule(self, *arguments):
        return subprocess.run([sys.executable, "rules/new_rule.py", f"--root={self.root}",
                               *arguments], capture_output=True, text=True, check=False)

    def text_of(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    def test_a_rule_is_listed_in_order_everywhere(self):
        made = self.new_rule("lost-stream", "work goes to a stream that nobody waits for")
        self.assertEqual(made.returncode, 0, made.stderr)
        for path in ("rules/lost_stream.h", "rules/docs/lost-stream.md",
                     "analyzer/checks/lost_stream.cc", "testdata/lost-stream/first.cc"):
            self.assertIn("lost-stream", self.text_of(path))
        catalog = self.text_of("rules/catalog.cc")
        rules = re.findall(r"^    (\w+)::kRule,", catalog, re.M)
        self.assertIn("lost_stream", rules)
        self.assertEqual(rules, sorted(rules))
        checks = re.findall(r"^      k(\w+),", self.text_of("analyzer/checks/all_checks.cc"), re.M)
        self.assertEqual(len(checks), len(rules))
        listed = re.findall(r"^\| \[([a-z-]+)\]", self.text_of("docs/rules.md"), re.M)
        self.assertEqual(listed, [rule.replace("_", "-") for rule in rules])
        compiled = subprocess.run(
            ["g++", "-std=c++20", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I.",
             "rules/catalog.cc"], cwd=self.root, capture_output=True, text=True, check=False)
        self.assertEqual(compiled.returncode, 0, compiled.stderr)

    def test_nothing_is_overwritten_and_no_bad_name_taken(self):
        before = [self.text_of(path) for path in _LISTS]
        self.assertNotEqual(self.new_rule("device-mismatch", "again").returncode, 0)
        self.assertNotEqual(self.new_rule("Lost_Stream", "a bad name").returncode, 0)
        self.assertEqual([self.text_of(path) for path in _LISTS], before)


if __name__ == "__main__":
    unittest.main()
