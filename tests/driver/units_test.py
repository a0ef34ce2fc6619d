#!/usr/bin/env python3
"""Lowering and checking in two steps, as build systems run them, says what one run says."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

_ANALYZER = os.path.abspath(sys.argv.pop(1))

_FILES = {
    "include/api.h": """\
extern "C" {
int cublasCreate_v2(void** handle);
int cublasSscal_v2(void* handle, int count, const float* alpha, void* values, int step);
void* malloc(unsigned long bytes);
}
""",
    "lib/place.h": """\
#pragma once
inline int step() { return 1; }
void* place();
""",
    "lib/place.cc": """\
#include "lib/place.h"
#include "api.h"
namespace { void* allocate() { return malloc(64); } }
void* place() { return allocate(); }  // NOLINT(device-mismatch)
""",
    "app/main.cc": """\
#include "api.h"
#include "lib/place.h"
int main() {
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  const float alpha = 0.5f;
  auto scale = [&](void* values) { cublasSscal_v2(handle, 16, &alpha, values, step()); };
  scale(place());
}
""",
    "broken.cc": "int broken() { return nonsense(); }\n",
    "package/data.py": """\
import torch

def batch():
    return torch.rand(4, 8)
""",
    "package/train.py": """\
import torch
from package.data import batch

net = torch.nn.Linear(8, 2).cuda()
net(batch())
""",
}
_SOURCES = [name for name in _FILES if not name.endswith(".h")]
_FLAGS = ["-std=c++17", "-iquote", ".", "-Iinclude"]


class UnitsTest(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = os.path.realpath(scratch.name)
        self.project = self.make_project("project")

    def make_project(self, name, links_to=None):
        """The files, or links to those of another folder, as a build system's sandbox has them."""
        project = os.path.join(self.scratch, name)
        for file, text in _FILES.items():
            path = os.path.join(project, file)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if links_to:
                os.symlink(os.path.join(links_to, file), path)
            else:
                with open(path, "w", encoding="utf-8") as out:
                    out.write(text)
        return project

    def run_in(self, folder, *arguments, code):
        home = os.path.join(self.scratch, "home")
        done = subprocess.run([_ANALYZER, *arguments], cwd=folder, check=False, capture_output=True,
                              text=True, env={"PATH": "/usr/bin:/bin", "HOME": home})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done

    def emit(self, folder, name):
        unit = name.replace("/", "_") + ".unit"
        self.run_in(folder, "--emit-unit", unit, "--no-guess", name, "--", *_FLAGS, code=0)
        return unit

    def write(self, name, text):
        with open(os.path.join(self.project, name), "w", encoding="utf-8") as file:
            file.write(text)

    def test_findings_are_those_of_a_direct_run(self):
        units = [self.emit(self.project, name) for name in _SOURCES]
        for form in ("text", "json", "sarif"):
            direct = self.run_in(self.project, "--no-cache", "--no-guess", f"--format={form}",
                                 *_SOURCES, "--", *_FLAGS, code=1)
            solved = self.run_in(self.project, "--units", f"--format={form}", *units, code=1)
            self.assertEqual(solved.stdout, direct.stdout)
            self.assertEqual(solved.stderr, direct.stderr)
        report = json.loads(self.run_in(self.project, "--units", "--format=json", *units,
                                        code=1).stdout)
        self.assertEqual({(each["rule"], each["file"]) for each in report["findings"]},
                         {("cuda-pointer-placement", "app/main.cc"),
                          ("device-mismatch", "package/train.py"),
                          ("unused-suppression", "lib/place.cc")})

    def test_a_unit_is_the_same_wherever_it_is_made(self):
        other = self.make_project("sandbox/7/execroot", links_to=self.project)
        for name in _SOURCES:
            with open(os.path.join(self.project, self.emit(self.project, name)), "rb") as file:
                here = file.read()
            with open(os.path.join(other, self.emit(other, name)), "rb") as file:
                there = file.read()
            self.assertNotIn(self.scratch.encode(), here)
            self.assertEqual(here, there, name)

    def test_several_files_in_one(self):
        self.run_in(self.project, "--emit-unit=all.unit", "--no-guess", *_SOURCES, "--", *_FLAGS,
                    code=0)
        self.write("list.txt", "all.unit\n")
        found = self.run_in(self.project, "--units", "@list.txt", code=1)
        self.assertIn("[cuda-pointer-placement]", found.stdout)

    def test_a_configuration_holds_where_it_is_named(self):
        units = [self.emit(self.project, name) for name in _SOURCES]
        self.write(".placecheck.yaml", "exclude: [app]\n"
                                       "severity: {device-mismatch: advice}\nfail_on: error\n")
        self.run_in(self.project, "--units", *units, code=1)
        found = self.run_in(self.project, "--units", "--config=.placecheck.yaml", *units, code=0)
        self.assertNotIn("app/main.cc", found.stdout)
        self.run_in(self.project, "--units", "--write-baseline=known.json", *units, code=1)
        found = self.run_in(self.project, "--units", "--baseline=known.json", *units, code=0)
        self.assertIn("no findings", found.stdout)

    def test_what_cannot_be_done_is_said(self):
        unit = self.emit(self.project, "app/main.cc")
        done = self.run_in(self.project, "--units", "app/main.cc", code=2)
        self.assertIn("'app/main.cc' was not written by --emit-unit", done.stderr)
        done = self.run_in(self.project, "--units", "none.unit", code=2)
        self.assertIn("'none.unit' cannot be read", done.stderr)
        done = self.run_in(self.project, "--units", "--fix", unit, code=2)
        self.assertIn("option '--units' cannot be used with '--fix'", done.stderr)
        self.run_in(self.project, "--emit-unit=out.unit", "none.cc", code=2)
        self.assertFalse(os.path.exists(os.path.join(self.project, "out.unit")))
        self.run_in(self.project, "--emit-unit=no/such/folder.unit", "app/main.cc", code=2)

    def test_given_flags_alone(self):
        # Without --no-guess the folder of api.h is found all the same.
        self.run_in(self.project, "--no-cache", "--require-understanding", "app/main.cc", "--",
                    "-iquote", ".", code=0)
        done = self.run_in(self.project, "--no-cache", "--no-guess", "--require-understanding",
                           "app/main.cc", "--", "-iquote", ".", code=2)
        self.assertIn("only partly understood", done.stdout)


if __name__ == "__main__":
    unittest.main()
