"""A project in a folder of its own, and the analyzer run on it: for tests of what surrounds it.

The analyzer is the first argument of the test that imports this.
"""
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

import fake_torch

ANALYZER = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "placecheck"
GOOD = "int main() { return 0; }\n"

# Seconds. What hangs does so for ever; what does not may be slow on a machine with other work.
PATIENCE = 240


class Scratch(unittest.TestCase):
    """A folder with a project, and an environment that knows nothing of this machine's user."""

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.project = self.path("project")
        os.makedirs(self.project)
        os.makedirs(self.path("home"))
        self.write("WORKSPACE", "")
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": self.path("home"),
            "LIBTORCH": fake_torch.install(self.path("libtorch")),
        }

    def path(self, name: str) -> str:
        return os.path.join(self.root, name)

    def write(self, name: str, text: str) -> str:
        file = os.path.join(self.project, name)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        return file

    def start(self, *arguments: str, **more):
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([ANALYZER, *arguments], cwd=self.project, env=self.environment,
                                stdin=subprocess.DEVNULL, text=True, **more)

    def check(self, *arguments: str):
        """Runs to the end; the exit code, standard output and standard error."""
        with self.start(*arguments) as process:
            try:
                out, err = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                self.fail("still running after %d s: %s" % (PATIENCE, " ".join(arguments)))
        self.assertGreaterEqual(process.returncode, 0, "killed by a signal: " + err)
        return process.returncode, out, err

    def content(self):
        """All files of the project, by path."""
        found = {}
        for folder, _, names in os.walk(self.project):
            for name in names:
                file = os.path.join(folder, name)
                if os.path.isfile(file):
                    with open(file, "rb") as opened:
                        found[file] = opened.read()
        return found
