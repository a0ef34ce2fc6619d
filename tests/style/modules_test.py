#!/usr/bin/env python3
"""WORKSPACE, for Bazel 4, and MODULE.bazel, for Bazel 7, declare the same repositories."""

import re
import unittest


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class ModulesTest(unittest.TestCase):

    def test_both_have_the_same_repositories(self):
        pattern = r"^ *(\w+_repository)\(name = \"(\w+)\"\)"
        in_workspace = re.findall(pattern, read("WORKSPACE"), re.M)
        in_extension = re.findall(pattern, read("bazel/machine.bzl"), re.M)
        self.assertGreater(len(in_workspace), 6)
        self.assertEqual(sorted(in_workspace), sorted(in_extension))
        used = re.search(r"use_repo\(\s*machine,(.*?)\)", read("MODULE.bazel"), re.S).group(1)
        self.assertEqual(sorted(re.findall(r"\"(\w+)\"", used)),
                         sorted(name for _, name in in_extension))


if __name__ == "__main__":
    unittest.main()
