#!/usr/bin/env python3
"""What the pages of docs/ show of a terminal is what the programs print.

    examples_test.py ANALYZER PAGE...

A block with a title is a file of the page's project; a `console` block is run there, in the page's order:
lines after `$ ` are commands, the others what they print. The project's folder is called /project.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

import pages

_ANALYZER = os.path.abspath(sys.argv[1])
_PAGES = [os.path.abspath(page) for page in sys.argv[2:]]


class Terminal:
    """A shell in an empty project, with placecheck installed."""

    def __init__(self, scratch):
        self._project = os.path.join(scratch, "project")
        programs = os.path.join(scratch, "bin")
        for folder in (self._project, programs):
            os.mkdir(folder)
        os.symlink(_ANALYZER, os.path.join(programs, "placecheck"))
        self._environment = {"PATH": programs + ":/usr/bin:/bin", "HOME": scratch, "LC_ALL": "C"}

    def write(self, name, text):
        with open(os.path.join(self._project, name), "w", encoding="utf-8") as file:
            file.write(text)

    def output_of(self, command):
        done = subprocess.run(["sh", "-c", command], cwd=self._project, env=self._environment,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              check=False)
        return done.stdout.replace(self._project, "/project")


class ExamplesTest(unittest.TestCase):

    def setUp(self):
        self.maxDiff = None

    def test_pages(self):
        shown = 0
        for page in _PAGES:
            with open(page, encoding="utf-8") as file:
                text = file.read()
            with self.subTest(os.path.basename(page)), tempfile.TemporaryDirectory() as scratch:
                terminal = Terminal(os.path.realpath(scratch))
                for block in pages.blocks(text):
                    title = re.search(r'title="([^"]+)"', block.info)
                    if title:
                        terminal.write(title.group(1), block.text)
                    elif block.info == "console":
                        shown += 1
                        self.assertEqual(self.replayed(terminal, block.text), block.text)
        self.assertGreater(shown, 4)

    def replayed(self, terminal, text):
        result = ""
        for command in re.findall(r"^\$ (.*)$", text, re.M):
            output = terminal.output_of(command)
            result += f"$ {command}\n" + output
            if output and not output.endswith("\n"):
                result += "\n"
        return result


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
