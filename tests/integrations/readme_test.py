#!/usr/bin/env python3
"""What the README shows of the tour is what the analyzer prints."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

_ANALYZER = os.path.abspath(sys.argv.pop(1))


class ReadmeTest(unittest.TestCase):

    def test_the_tour(self):
        with open("README.md", encoding="utf-8") as file:
            shown = re.search(r"^\$ \./bazelw run //analyzer -- (\S+)\n(.*?)^```$", file.read(),
                              re.M | re.S)
        with tempfile.TemporaryDirectory() as home:
            done = subprocess.run([_ANALYZER, "--no-cache", shown.group(1)], capture_output=True,
                                  text=True, check=False,
                                  env={**os.environ, "HOME": home, "BUILD_WORKING_DIRECTORY": ""})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout, shown.group(2))


if __name__ == "__main__":
    unittest.main()
