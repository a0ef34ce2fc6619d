#!/usr/bin/env python3
"""What other tools read to start placecheck: the commands in it run, and end as they should."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

_ANALYZER = os.path.abspath(sys.argv.pop(1))
_BUG = """\
extern "C" {
int cublasCreate_v2(void** handle);
int cublasSscal_v2(void* handle, int count, const float* alpha, void* values, int step);
void* malloc(unsigned long bytes);
}
int main() {
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  const float alpha = 0.5f;
  cublasSscal_v2(handle, 16, &alpha, malloc(64), 1);
}
"""
_CLEAN = "int main() {}\n"


def text_of(name):
    with open(name, encoding="utf-8") as file:
        return file.read()


def block_after(text, key):
    """The lines of the literal block `key: |`, without their indentation."""
    match = re.search(rf"^( *){key}: \|\n((?:\1 +.*\n|\n)+)", text, re.M)
    lines = match.group(2).splitlines()
    indent = len(lines[0]) - len(lines[0].lstrip())
    return "\n".join(line[indent:] for line in lines)


class IntegrationsTest(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        programs = os.path.join(self.folder, "programs")
        os.mkdir(programs)
        os.symlink(_ANALYZER, os.path.join(programs, "placecheck"))
        self.environment = {"PATH": programs + ":/usr/bin:/bin", "HOME": self.folder}
        self.project = os.path.join(self.folder, "project")
        os.mkdir(self.project)
        for name, text in (("bug.cc", _BUG), ("clean.cc", _CLEAN)):
            with open(os.path.join(self.project, name), "w", encoding="utf-8") as file:
                file.write(text)

    def run_in_project(self, command, **environment):
        return subprocess.run(command, cwd=self.project, capture_output=True, text=True, check=False,
                              env={**self.environment, **environment})

    def test_the_definitions_are_yaml(self):
        try:
            import yaml  # pylint: disable=import-outside-toplevel
        except ImportError:
            self.skipTest("no yaml module")
        for name in (".pre-commit-hooks.yaml", "action.yml", "integrations/github.yml",
                     "integrations/gitlab.yml", "integrations/site_github.yml",
                     "integrations/site_gitlab.yml"):
            self.assertTrue(yaml.safe_load(text_of(name)), name)

    def test_pre_commit(self):
        hook = text_of(".pre-commit-hooks.yaml")
        entry = re.search(r"entry: (.*)", hook).group(1).split()
        self.assertEqual(self.run_in_project([*entry, "bug.cc", "clean.cc"]).returncode, 1)
        self.assertEqual(self.run_in_project([*entry, "clean.cc"]).returncode, 0)
        # pre-commit's names for what is read: a file of a type that is not there is never passed.
        types = re.search(r"types_or: \[(.*)\]", hook).group(1).split(", ")
        self.assertEqual(set(types), {"c++", "cuda", "python", "jupyter"})

    def test_github_action(self):
        script = block_after(text_of("action.yml"), "run")
        for paths, code in (("bug.cc clean.cc", 1), ("clean.cc", 0)):
            done = self.run_in_project(
                ["bash", "-eo", "pipefail", "-c", script], PLACECHECK_PATHS=paths,
                PLACECHECK_ARGUMENTS="--rules=cuda-pointer-placement",
                PLACECHECK_SARIF="out.sarif")
            self.assertEqual(done.returncode, code, done.stdout + done.stderr)
            report = json.loads(text_of(os.path.join(self.project, "out.sarif")))
            self.assertEqual(len(report["runs"][0]["results"]), code)
        self.assertIn("inputs.sarif", text_of("action.yml"))
        self.assertIn("sarif_file: placecheck.sarif", text_of("integrations/github.yml"))

    def test_gitlab(self):
        template = text_of("integrations/gitlab.yml")
        command = re.search(r"  script:\n    - (.*)", template).group(1)
        report = re.search(r"codequality: (\S+)", template).group(1)
        done = self.run_in_project(["sh", "-ec", command], PLACECHECK_PATHS=".",
                                   PLACECHECK_ARGUMENTS="")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        (finding,) = json.loads(text_of(os.path.join(self.project, report)))
        self.assertEqual(finding["location"], {"path": "bug.cc", "lines": {"begin": 10}})
        self.assertEqual(finding["check_name"], "cuda-pointer-placement")
        self.assertRegex(finding["fingerprint"], "^[0-9a-f]{16}$")

    def test_cmake(self):
        if not shutil.which("cmake", path="/usr/bin:/bin"):
            self.skipTest("no cmake")
        module = os.path.abspath("integrations")
        with open(os.path.join(self.project, "CMakeLists.txt"), "w", encoding="utf-8") as file:
            file.write("cmake_minimum_required(VERSION 3.16)\nproject(p CXX)\n"
                       f"list(APPEND CMAKE_MODULE_PATH {module})\ninclude(Placecheck)\n"
                       "add_executable(p clean.cc)\nadd_executable(q bug.cc)\n"
                       "placecheck_target(ARGUMENTS --no-cache)\n")
        configured = self.run_in_project(["cmake", "-B", "build", "."])
        self.assertEqual(configured.returncode, 0, configured.stderr)
        built = self.run_in_project(["cmake", "--build", "build", "--target", "placecheck"])
        self.assertNotEqual(built.returncode, 0)
        self.assertIn("[cuda-pointer-placement]", built.stdout)


if __name__ == "__main__":
    unittest.main()
