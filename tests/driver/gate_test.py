#!/usr/bin/env python3
"""What a gate is made of: exit codes, severities, changes since a commit, baselines, fixes, reports."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

_ANALYZER = os.path.abspath(sys.argv.pop(1))

# What the calls of libtorch and CUDA need to be told apart; the models know them by name.
_HEADER = """\
namespace at {
struct Tensor { Tensor to(int device) const; };
}
extern "C" {
int cudaSetDevice(int device);
int cudaMalloc(void** memory, unsigned long bytes);
int cublasCreate_v2(void** handle);
int cublasSscal_v2(void* handle, int count, const float* alpha, void* values, int step);
void* malloc(unsigned long bytes);
}
"""
_PLACE = """\
inline void* place() {
  void* memory = nullptr;
  cudaMalloc(&memory, 64);
  return memory;
}
"""
_MAIN = """\
#include "place.h"
int main() {
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  const float alpha = 0.5f;
  cublasSscal_v2(handle, 16, &alpha, place(), 1);
}
"""
_OLD_BUG = """\
#include "api.h"
int old_bug() {
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  const float alpha = 0.5f;
  return cublasSscal_v2(handle, 16, &alpha, malloc(64), 1);
}
"""
_EXTENSION = """\
namespace at {
struct Tensor { template <class T> T* data_ptr() const; };
}
namespace pybind11 {
struct module_ { template <class F> module_& def(const char* name, F function); };
}
extern "C" int cudaMemsetAsync(void* memory, int value, unsigned long bytes, void* stream);
void clear(at::Tensor x, unsigned long bytes, void* stream) {
  cudaMemsetAsync(x.data_ptr<float>(), 0, bytes, stream);
}
void register_functions(pybind11::module_& m) { m.def("clear_memory", &clear); }
"""
_GUARDED_CALL = """\
import torch
import extension

def clear(x):
    with torch.cuda.device(x.device):
        extension.clear_memory(x, x.numel() * 4, 0)
"""
_DROPPED = """\
#include "api.h"
void move(at::Tensor batch, at::Tensor labels) {
  batch.to(1);
  labels.to(1);
}
"""


class GateTest(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.project = os.path.join(scratch.name, "project")
        self.home = os.path.join(scratch.name, "home")
        for folder in (self.project, self.home):
            os.mkdir(folder)
        self.write("api.h", _HEADER)

    def write(self, name, text):
        path = os.path.join(self.project, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def read(self, name):
        with open(os.path.join(self.project, name), encoding="utf-8") as file:
            return file.read()

    def run_analyzer(self, *arguments, code):
        done = subprocess.run([_ANALYZER, "--no-cache", *arguments], cwd=self.project, check=False,
                              capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": self.home})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def found(self, *arguments, code):
        """The rules and lines that are reported."""
        report = json.loads(self.run_analyzer("--format=json", *arguments, code=code).stdout)
        return [(each["file"], each["line"], each["rule"]) for each in report["findings"]]

    def git(self, *arguments):
        return subprocess.run(["git", "-c", "user.name=n", "-c", "user.email=n@localhost",
                               *arguments], cwd=self.project, check=True, capture_output=True,
                              text=True, env={"PATH": "/usr/bin:/bin", "HOME": self.home}).stdout

    def test_severities_decide_what_fails(self):
        self.write("old_bug.cc", _OLD_BUG)
        self.run_analyzer("old_bug.cc", code=1)
        self.run_analyzer("--fail-on=never", "old_bug.cc", code=0)
        self.run_analyzer("--fail-on=sometimes", "old_bug.cc", code=2)
        self.write(".placecheck.yaml", "severity: {cuda-pointer-placement: advice}\n")
        self.run_analyzer("--fail-on=warning", "old_bug.cc", code=0)
        self.write(".placecheck.yaml", "fail_on: warning\noverrides:\n  - paths: [old_*]\n"
                                       "    severity: {cuda-pointer-placement: error}\n")
        self.assertIn(": error: ", self.run_analyzer("old_bug.cc", code=1).stdout)
        self.write(".placecheck.yaml", "severity: {cuda-pointer-placement: 'off'}\n")
        self.run_analyzer("old_bug.cc", code=0)
        self.write(".placecheck.yaml", "severitty: {}\n")
        self.assertIn(".placecheck.yaml:1: unknown key 'severitty'; did you mean 'severity'?",
                      self.run_analyzer("old_bug.cc", code=2).stderr)

    def test_a_device_that_python_selects_makes_it_advice(self):
        self.write("extension.cc", _EXTENSION)
        self.write("calls.py", _GUARDED_CALL)
        self.run_analyzer("--fail-on=warning", "extension.cc", code=1)
        done = self.run_analyzer("--fail-on=warning", ".", code=0)
        self.assertIn("extension.cc:9:3: advice: ", done.stdout)
        self.assertIn("calls.py:6:9: note: Python selects a device around this call", done.stdout)
        self.write("others.py", "import extension\nimport torch\n\n"
                                "def wrapped(x):\n    extension.clear_memory(x, 4, 0)\n\n"
                                "def outer(x):\n    torch.cuda.set_device(x.device)\n"
                                "    wrapped(x)\n")
        self.run_analyzer("--fail-on=warning", ".", code=0)
        self.write("others.py", "import extension\n\ndef other(x):\n"
                                "    extension.clear_memory(x, 4, 0)\n")
        self.assertIn(": warning: ", self.run_analyzer("--fail-on=warning", ".", code=1).stdout)

    def test_a_configuration_inherits_where_it_says_so(self):
        self.write("sub/old_bug.cc", _OLD_BUG.replace("api.h", "../api.h"))
        self.write(".placecheck.yaml", "fail_on: never\n")
        self.write("sub/.placecheck.yaml", "inherit: true\ndevices: 3\n")
        dumped = self.run_analyzer("--config=sub/.placecheck.yaml", "--dump-config", code=0).stdout
        self.assertRegex(dumped, r"fail_on: +never")
        self.assertRegex(dumped, r"devices: +3")

    def test_required_understanding_in_percent(self):
        self.write("broken.cc", "int main() { nonsense(); }\n")
        self.run_analyzer("broken.cc", code=0)
        self.run_analyzer("--require-understanding", "broken.cc", code=2)
        self.run_analyzer("--require-understanding=50", "broken.cc", code=0)
        self.run_analyzer("--require-understanding=101", "broken.cc", code=2)

    def commit_project(self):
        self.write("place.h", '#include "api.h"\n' + _PLACE)
        self.write("main.cc", _MAIN)
        self.write("old_bug.cc", _OLD_BUG)
        self.git("init", "-q")
        self.git("add", ".")
        self.git("commit", "-qm", "first")

    @unittest.skipUnless(shutil.which("git", path="/usr/bin:/bin"), "no git")
    def test_changed_since(self):
        self.commit_project()
        self.assertEqual(self.found("--changed-since=HEAD", ".", code=0), [])
        self.assertEqual(len(self.found(".", code=1)), 1)
        # Lines above move what is old.
        self.write("old_bug.cc", "// one more line\n" + _OLD_BUG)
        self.assertEqual(self.found("--changed-since=HEAD", ".", code=0), [])
        # A change of a header breaks the unchanged file that includes it.
        self.write("place.h", '#include "api.h"\ninline void* place() { return malloc(64); }\n')
        self.assertEqual(self.found("--changed-since=HEAD", ".", code=1),
                         [("main.cc", 6, "cuda-pointer-placement")])
        # A new file is new as a whole.
        self.write("new.cc", _OLD_BUG.replace("old_bug", "new_bug"))
        self.assertIn(("new.cc", 6, "cuda-pointer-placement"),
                      self.found("--changed-since=HEAD", ".", code=1))
        self.assertIn("'nowhere' is no commit",
                      self.run_analyzer("--changed-since=nowhere", ".", code=2).stderr)

    @unittest.skipUnless(shutil.which("git", path="/usr/bin:/bin"), "no git")
    def test_a_removed_line_causes_a_finding_elsewhere(self):
        setting = "  cudaSetDevice(1);\n"
        body = "inline void* place() {\n" + setting + "  void* memory = nullptr;\n" \
               "  cudaMalloc(&memory, 64);\n  cudaSetDevice(0);\n  return memory;\n}\n"
        self.commit_project()
        self.write("place.h", '#include "api.h"\n' + body.replace(setting, ""))
        self.git("commit", "-qam", "second")
        self.write("place.h", '#include "api.h"\n' + body)
        self.assertEqual(self.found("--changed-since=HEAD", "main.cc", code=1),
                         [("main.cc", 6, "cuda-current-device")])

    @unittest.skipUnless(shutil.which("git", path="/usr/bin:/bin"), "no git")
    def test_a_repository_runs_nothing(self):
        self.commit_project()
        mark = os.path.join(self.home, "mark")
        tool = os.path.join(self.project, "tool.sh")
        self.write("tool.sh", f"#!/bin/sh\necho ran >>{mark}\ncat\n")
        os.chmod(tool, 0o755)
        for name in ("post-index-change", "post-checkout", "pre-commit"):
            self.write(f".git/hooks/{name}", f"#!/bin/sh\necho hook >>{mark}\n")
            os.chmod(os.path.join(self.project, ".git/hooks", name), 0o755)
        for key in ("core.fsmonitor", "diff.external", "diff.d.command", "diff.d.textconv",
                    "filter.d.clean", "filter.d.smudge", "filter.d.process", "core.pager",
                    "pager.ls-tree", "alias.ls-tree", "alias.cat-file", "core.sshCommand"):
            self.git("config", key, tool)
        self.write(".gitattributes", "* diff=d filter=d\n")
        self.write("old_bug.cc", "// changed\n" + _OLD_BUG)
        # As a folder of the project on $PATH would.
        self.write("git", f"#!/bin/sh\necho git >>{mark}\n")
        os.chmod(os.path.join(self.project, "git"), 0o755)
        done = subprocess.run([_ANALYZER, "--no-cache", "--changed-since=HEAD", "."],
                              cwd=self.project, capture_output=True, text=True, check=False,
                              env={"PATH": ".:/usr/bin:/bin", "HOME": self.home})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertFalse(os.path.exists(mark))

    def test_a_baseline_only_shrinks(self):
        self.write("old_bug.cc", _OLD_BUG)
        self.write("other.cc", _OLD_BUG.replace("old_bug", "other"))
        self.run_analyzer("--write-baseline=known.json", "--quiet", ".", code=1)
        self.run_analyzer("--baseline=known.json", ".", code=0)
        self.write("old_bug.cc", _OLD_BUG.replace("malloc(64)", "nullptr"))
        self.write("new.cc", _OLD_BUG.replace("old_bug", "new_bug"))
        # Of files that were not looked at nothing is known.
        self.run_analyzer("--baseline=known.json", "--update-baseline", "new.cc", code=1)
        self.assertEqual(len(json.loads(self.read("known.json"))["findings"]), 2)
        self.run_analyzer("--baseline=known.json", "--update-baseline", ".", code=1)
        left = json.loads(self.read("known.json"))["findings"]
        self.assertEqual([each["file"] for each in left], ["other.cc"])
        self.run_analyzer("--update-baseline", ".", code=2)

    def test_fixes(self):
        self.write("drop.cc", _DROPPED)
        os.chmod(os.path.join(self.project, "drop.cc"), 0o750)
        self.assertEqual(len(self.found("drop.cc", code=1)), 2)
        diff = self.run_analyzer("--fix-dry-run", "drop.cc", code=1).stdout
        self.assertEqual(self.read("drop.cc"), _DROPPED)
        self.run_analyzer("--fix", "drop.cc", code=0)
        fixed = self.read("drop.cc")
        self.assertIn("  batch = batch.to(1);\n  labels = labels.to(1);\n", fixed)
        self.assertEqual(os.stat(os.path.join(self.project, "drop.cc")).st_mode & 0o777, 0o750)
        self.assertEqual(os.listdir(self.project).count("drop.cc"), 1)
        self.assertFalse([name for name in os.listdir(self.project) if name.endswith(".tmp")])
        # What is fixed parses, and is not found again.
        self.run_analyzer("--require-understanding", "drop.cc", code=0)
        self.write("drop.cc", _DROPPED)
        if shutil.which("patch"):
            subprocess.run(["patch", "-p1", "-s"], input=diff, text=True, check=True,
                           cwd=self.project)
            self.assertEqual(self.read("drop.cc"), fixed)

    def test_a_misspelled_suppression_is_fixed(self):
        self.write("old_bug.cc", _OLD_BUG.replace(
            "1);\n}", "1);  // NOLINT(cuda-pointer-placment)\n}"))
        self.run_analyzer("--fix", "old_bug.cc", code=1)
        self.assertIn("NOLINT(cuda-pointer-placement)", self.read("old_bug.cc"))
        self.run_analyzer("old_bug.cc", code=0)

    def test_a_project_can_ask_for_the_reasons_of_suppressions(self):
        silenced = "1);  // NOLINT(cuda-pointer-placement)%s\n}"
        self.write("old_bug.cc", _OLD_BUG.replace("1);\n}", silenced % ""))
        self.run_analyzer("old_bug.cc", code=0)
        self.write(".placecheck.yaml", "require_reason: true\n")
        self.assertEqual(self.found("old_bug.cc", code=1),
                         [("old_bug.cc", 6, "unexplained-suppression")])
        self.write("old_bug.cc", _OLD_BUG.replace("1);\n}", silenced % ": shared memory"))
        self.run_analyzer("old_bug.cc", code=0)
        self.assertIn("require_reason:  true", self.run_analyzer("--dump-config", code=0).stdout)

    def test_reports_for_ci(self):
        self.write("old_bug.cc", _OLD_BUG)
        self.write("clean.cc", "int clean() { return 0; }\n")
        (entry,) = json.loads(self.run_analyzer("--format=gitlab", ".", code=1).stdout)
        self.assertEqual(entry["location"], {"path": "old_bug.cc", "lines": {"begin": 6}})
        self.assertIn(entry["severity"], ("info", "minor", "major", "critical", "blocker"))
        self.assertTrue(re.fullmatch("[0-9a-f]{16}", entry["fingerprint"]))
        text = self.run_analyzer("--format=junit", ".", code=1).stdout
        suite = xml.etree.ElementTree.fromstring(text).find("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")),
                         ("2", "1", "0"))
        failed = {case.get("name"): case.find("failure") is not None for case in suite}
        self.assertEqual(failed, {"clean.cc": False, "old_bug.cc": True})


if __name__ == "__main__":
    unittest.main()
