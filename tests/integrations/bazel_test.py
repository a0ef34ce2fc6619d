#!/usr/bin/env python3
"""The aspect and the test rule in a workspace of somebody else's: what they find, and which of their
actions run again after an edit."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

_ANALYZER = os.path.abspath(sys.argv.pop(1))
_CLANG_HEADERS = os.path.abspath("../llvm/resource/include")
_BAZEL = "/usr/bin/bazel"

_FILES = {
    "WORKSPACE": """\
workspace(name = "demo")

local_repository(name = "placecheck", path = "../placecheck")

load("@placecheck//bazel:offline.bzl", "coverage_tools_stub", "rules_cc_shim")

rules_cc_shim(name = "rules_cc")

coverage_tools_stub(name = "remote_coverage_tools")

local_repository(name = "platforms", path = "/usr/share/bazel/platforms")

local_repository(name = "rules_java", path = "/usr/share/bazel/rules/java")

local_repository(name = "rules_proto", path = "/usr/share/bazel/rules/proto")
""",
    ".bazelrc": """\
build --@placecheck//bazel:analyzer=//tools:placecheck
build --@placecheck//bazel:clang_headers=//tools:clang_headers
build --@placecheck//bazel:config=//:.placecheck.yaml
build:placecheck --aspects=@placecheck//bazel:placecheck.bzl%placecheck
build:placecheck --output_groups=placecheck
build --incompatible_strict_action_env --keep_going --spawn_strategy=processwrapper-sandbox
""",
    ".placecheck.yaml": "severity: {device-mismatch: error}\n",
    "known.json": '{"version": 1, "findings": []}\n',
    "BUILD": """\
load("@placecheck//bazel:placecheck.bzl", "placecheck_test")

exports_files([".placecheck.yaml"])

placecheck_test(
    name = "gate",
    deps = ["//app:train"],
)

placecheck_test(
    name = "gate_with_baseline",
    baseline = "known.json",
    deps = ["//app:train"],
)

placecheck_test(
    name = "gate_of_python",
    args = ["--fail-on=never"],
    deps = ["//scripts:train"],
)
""",
    "tools/BUILD": """\
exports_files(["placecheck"])

filegroup(
    name = "clang_headers",
    srcs = glob(["clang/include/**"]),
    visibility = ["//visibility:public"],
)
""",
    "lib/BUILD": """\
cc_library(
    name = "place",
    srcs = ["allocate.cc", "allocate.h", "place.cc"],
    hdrs = ["place.h"],
    copts = ["-std=c++17"],
    defines = ["BYTES=64"],
    visibility = ["//visibility:public"],
    deps = ["//api"],
)
""",
    "lib/allocate.h": "#pragma once\nvoid* allocate(unsigned long bytes);\n",
    "lib/allocate.cc": """\
#include "lib/allocate.h"
#include "api.h"
void* allocate(unsigned long bytes) { return malloc(bytes); }
""",
    "lib/place.h": "#pragma once\nvoid* place();\n",
    "lib/place.cc": """\
#include "lib/place.h"
#include <string>
#include "lib/allocate.h"
void* place() { return allocate(BYTES + std::string().size()); }
""",
    "api/BUILD": """\
cc_library(
    name = "api",
    hdrs = ["include/api.h"],
    includes = ["include"],
    visibility = ["//visibility:public"],
)
""",
    "api/include/api.h": """\
extern "C" {
int cublasCreate_v2(void** handle);
int cublasSscal_v2(void* handle, int count, const float* alpha, void* values, int step);
void* malloc(unsigned long bytes);
}
""",
    "app/BUILD": """\
cc_binary(
    name = "train",
    srcs = ["train.cc"],
    visibility = ["//visibility:public"],
    deps = ["//api", "//lib:place"],
)
""",
    "app/train.cc": """\
#include <api.h>
#include "lib/place.h"
int main() {
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  const float alpha = 0.5f;
  cublasSscal_v2(handle, 16, &alpha, place(), 1);
}
""",
    # As rules_cuda does: rules of their own, which are part of C++ builds.
    "kernels/cuda.bzl": """\
def _cuda_library_impl(ctx):
    own = CcInfo(compilation_context = cc_common.create_compilation_context(
        headers = depset(ctx.files.hdrs),
        quote_includes = depset(["."]),
    ))
    return [cc_common.merge_cc_infos(cc_infos = [own] + [dep[CcInfo] for dep in ctx.attr.deps])]

cuda_library = rule(
    implementation = _cuda_library_impl,
    attrs = {
        "srcs": attr.label_list(allow_files = [".cu"]),
        "hdrs": attr.label_list(allow_files = True),
        "deps": attr.label_list(providers = [CcInfo]),
    },
)
""",
    "kernels/BUILD": """\
load(":cuda.bzl", "cuda_library")

cuda_library(
    name = "scale",
    srcs = ["scale.cu"],
    hdrs = ["scale.h"],
    deps = ["//api"],
)

cc_binary(
    name = "launch",
    srcs = ["launch.cc"],
    deps = [":scale", "//api"],
)
""",
    "kernels/scale.h": "#pragma once\nvoid scale(float* values);\n",
    "kernels/scale.cu": """\
#include "kernels/scale.h"
__global__ void scale_kernel(float* values) { values[threadIdx.x] *= 2.0f; }
void scale(float* values) { scale_kernel<<<1, 32>>>(values); }
""",
    "kernels/launch.cc": """\
#include <api.h>
#include "kernels/scale.h"
int main() { scale(static_cast<float*>(malloc(128))); }
""",
    "scripts/BUILD": """\
py_library(
    name = "data",
    srcs = ["data.py"],
)

py_binary(
    name = "train",
    srcs = ["train.py"],
    visibility = ["//visibility:public"],
    deps = [":data"],
)
""",
    "scripts/data.py": "import torch\n\n\ndef batch():\n    return torch.rand(4, 8)\n",
    "scripts/train.py": """\
import torch
from scripts.data import batch

net = torch.nn.Linear(8, 2).cuda()
net(batch())
""",
}


_SOURCES = sorted(name for name in _FILES if name.endswith((".cc", ".cu", ".py")))


@unittest.skipUnless(os.access(_BAZEL, os.X_OK), "no bazel")
class BazelTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.scratch = os.path.realpath(tempfile.mkdtemp(dir=os.environ.get("TEST_TMPDIR")))
        shutil.copytree("bazel", os.path.join(cls.scratch, "placecheck", "bazel"))
        cls.write("placecheck/WORKSPACE", 'workspace(name = "placecheck")\n')
        cls.make_workspace("demo")

    @classmethod
    def tearDownClass(cls):
        for workspace in ("demo", "other"):
            if os.path.isdir(os.path.join(cls.scratch, workspace)):
                cls.run_bazel(workspace, "shutdown")
        # The outputs are read-only.
        subprocess.run(["chmod", "-R", "u+w", cls.scratch], check=False)
        shutil.rmtree(cls.scratch, ignore_errors=True)

    def setUp(self):
        for name, text in _FILES.items():
            self.write("demo/" + name, text)

    @classmethod
    def write(cls, name, text):
        path = os.path.join(cls.scratch, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if os.path.exists(path) and cls.read(name) == text:
            return
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    @classmethod
    def read(cls, name):
        with open(os.path.join(cls.scratch, name), encoding="utf-8") as file:
            return file.read()

    @classmethod
    def make_workspace(cls, name):
        for file, text in _FILES.items():
            cls.write(f"{name}/{file}", text)
        tools = os.path.join(cls.scratch, name, "tools")
        shutil.copy(_ANALYZER, os.path.join(tools, "placecheck"))
        shutil.copytree(_CLANG_HEADERS, os.path.join(tools, "clang", "include"))

    @classmethod
    def run_bazel(cls, workspace, *arguments):
        return subprocess.run(
            [_BAZEL, "--nohome_rc", "--host_jvm_args=-Xmx512m", "--max_idle_secs=60",
             "--output_user_root=" + os.path.join(cls.scratch, "out"), *arguments],
            cwd=os.path.join(cls.scratch, workspace), capture_output=True, text=True, check=False,
            env={"PATH": "/usr/bin:/bin", "HOME": cls.scratch})

    def bazel(self, workspace, command, *arguments, code):
        """What it says, and the actions that it ran."""
        log = os.path.join(self.scratch, "log.json")
        done = self.run_bazel(
            workspace, command, "--execution_log_json_file=" + log, "--color=no",
            "--noshow_progress", "--disk_cache=" + os.path.join(self.scratch, "cache"), *arguments)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr, spawns(log)

    def test_an_edit_lowers_one_file(self):
        said, ran = self.bazel("demo", "build", "--config=placecheck", "//...", code=1)
        self.assertIn("app/train.cc:7:", said)
        self.assertIn("[cuda-pointer-placement]", said)
        self.assertIn("scripts/train.py:5:1: error: ", said)
        self.assertIn("kernels/scale.cu:3:", said)
        self.assertEqual(lowered(ran), _SOURCES)

        # One file is edited: it is lowered again, and its program solved; nothing else.
        self.write("demo/lib/allocate.cc", "// A comment.\n" + _FILES["lib/allocate.cc"])
        said, ran = self.bazel("demo", "build", "--config=placecheck", "//...", code=1)
        self.assertEqual(lowered(ran), ["lib/allocate.cc"])
        self.assertEqual(lowered(ran, from_cache=True), [])
        self.assertIn("lib/allocate.cc:4:", said)

        # What a Python file means is said by those that it imports.
        self.write("demo/scripts/data.py", "# A comment.\n" + _FILES["scripts/data.py"])
        _, ran = self.bazel("demo", "build", "--config=placecheck", "//scripts/...", code=1)
        self.assertEqual(lowered(ran), ["scripts/data.py", "scripts/train.py"])

        # In another folder the same sources come from the cache.
        self.make_workspace("other")
        said, ran = self.bazel("other", "build", "--config=placecheck", "//...", code=1)
        self.assertEqual(lowered(ran), [])
        self.assertEqual(lowered(ran, from_cache=True), _SOURCES)
        self.assertIn("[cuda-pointer-placement]", said)

        # Mended, it builds.
        self.write("demo/lib/allocate.cc", _FILES["lib/allocate.cc"].replace(
            "return malloc(bytes)", "return nullptr"))
        self.bazel("demo", "build", "--config=placecheck", "//app:train", code=0)
        self.assertIn("no findings in 3 files", self.read("demo/bazel-bin/app/train.placecheck.txt"))

    def test_sarif_is_no_gate(self):
        self.bazel("demo", "build", "--aspects=@placecheck//bazel:placecheck.bzl%placecheck",
                   "--output_groups=placecheck_sarif", "//app:train", code=0)
        (run,) = json.loads(self.read("demo/bazel-bin/app/train.placecheck.sarif"))["runs"]
        self.assertEqual([each["ruleId"] for each in run["results"]], ["cuda-pointer-placement"])

    def test_the_gate(self):
        said, _ = self.bazel("demo", "test", "--test_output=errors", "//:all", code=3)
        self.assertIn("[cuda-pointer-placement]", said)
        passed = set(re.findall(r"^(//:\S+) +(?:\(cached\) )?PASSED", said, re.M))
        self.assertEqual(passed, {"//:gate_of_python"})
        known = os.path.join(self.scratch, "demo/known.json")
        # Not its output: what a test prints under `bazel run` may be lost when the machine is busy.
        self.run_bazel("demo", "run", "//:gate", "--", "--write-baseline=" + known)
        self.assertIn("cuda-pointer-placement", self.read("demo/known.json"))
        self.bazel("demo", "test", "//:gate_with_baseline", code=0)


def spawns(log):
    """The entries of an execution log, which stand behind one another."""
    if not os.path.exists(log):
        return []
    decoder = json.JSONDecoder()
    with open(log, encoding="utf-8") as file:
        text = file.read()
    entries, at = [], 0
    while at < len(text):
        entry, end = decoder.raw_decode(text, at)
        entries.append(entry)
        at = end
        while at < len(text) and text[at].isspace():
            at += 1
    return entries


def lowered(ran, from_cache=False):
    """The sources of the lowering actions that ran, or were taken from the cache."""
    return sorted(entry["commandArgs"][entry["commandArgs"].index("--") - 1] for entry in ran
                  if entry.get("mnemonic") == "PlacecheckLower"
                  and entry.get("remoteCacheHit", False) == from_cache)


if __name__ == "__main__":
    unittest.main()
