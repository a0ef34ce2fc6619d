#!/usr/bin/python3
"""Reports are valid by the schemas of their forms, and mean what the schemas cannot say.

    report_schemas_test.py ANALYZER SARIF-SCHEMA JUNIT-SCHEMA

The schemas are copies in testdata/schemas. The reports are those of real runs: the tour and fixtures in C++
and Python, and a project with what is rare: odd names, broken files, suppressed findings, none at all.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

import jsonschema

_ANALYZER, _SARIF_SCHEMA, _JUNIT_SCHEMA = map(os.path.abspath, sys.argv[1:4])
_ROOT = os.getcwd()

# What the calls of libtorch and CUDA need to be told apart; the models know them by name.
_HEADER = """\
namespace at {
struct Tensor { Tensor to(int device) const; };
}
extern "C" {
int cublasCreate_v2(void** handle);
int cublasSscal_v2(void* handle, int count, const float* alpha, void* values, int step);
void* malloc(unsigned long bytes);
}
"""
_POINTER = """\
#include "api.h"
int scaled() {
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  const float alpha = 0.5f;
  return cublasSscal_v2(handle, 16, &alpha, malloc(64), 1);%s
}
"""
_DROPPED = '#include "api.h"\nvoid move(at::Tensor batch) {\n  /* \u00e4\U0001d11e */ batch.to(1);\n}\n'
_PYTHON = """\
import torch

net = torch.nn.Linear(4, 2).cuda()
batch = torch.rand(8, 4)
net(batch)
batch.cuda()
"""
_SILENCED = "  // NOLINT(cuda-pointer-placement): shared memory"
_FILES = {
    "api.h": _HEADER,
    "pointer.cc": _POINTER % "",
    "silenced.cc": _POINTER.replace("scaled", "silenced") % _SILENCED,
    "useless.cc": "int useless();  // NOLINT(device-mismatch)\n",
    "clean.cc": "int clean() { return 0; }\n",
    "partly.cc": '#include "missing.h"\n' + _POINTER.replace("scaled", "partly") % "",
    "a b%20c/drop\u00e4 #1.cc": _DROPPED.replace("api.h", "../api.h"),
    "train.py": _PYTHON,
    "broken.py": "def f(:\n  <<<\x01&>\n" + _PYTHON,
}

# RFC 3986, as far as a misplaced character shows.
_URI_REFERENCE = re.compile(r"([A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=-]|%[0-9A-F]{2})*")
_FORMATS = jsonschema.FormatChecker()


@_FORMATS.checks("uri-reference")
def is_uri_reference(value):
    return not isinstance(value, str) or _URI_REFERENCE.fullmatch(value) is not None


@_FORMATS.checks("uri")
def is_uri(value):
    return is_uri_reference(value) and (not isinstance(value, str) or
                                        bool(urllib.parse.urlsplit(value).scheme))


def found_below(value, key):
    """All values of `key` at any depth."""
    if isinstance(value, dict):
        for name, below in value.items():
            if name == key:
                yield below
            yield from found_below(below, key)
    elif isinstance(value, list):
        for below in value:
            yield from found_below(below, key)


class ReportSchemasTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        with open(_SARIF_SCHEMA, encoding="utf-8") as file:
            schema = json.load(file)
        jsonschema.Draft7Validator.check_schema(schema)
        cls.validator = jsonschema.Draft7Validator(schema, format_checker=_FORMATS)

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = os.path.realpath(scratch.name)
        self.project = os.path.join(self.scratch, "project")
        for name, text in _FILES.items():
            path = os.path.join(self.project, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        with open(os.path.join(self.project, "not_utf8.cc"), "wb") as file:
            file.write((_POINTER.replace("scaled", "not_utf8") % "  // \xfc").encode("latin-1"))

    def report(self, form, *paths, folder=None):
        """The text of the report of a run, and its exit code."""
        done = subprocess.run([_ANALYZER, f"--format={form}", "--no-context", *paths],
                              cwd=folder or self.project, capture_output=True, check=False,
                              env={"PATH": "/usr/bin:/bin", "HOME": self.scratch})
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return done.stdout.decode("utf-8"), done.returncode

    def valid_run(self, *paths, folder=None):
        text, _ = self.report("sarif", *paths, folder=folder)
        log = json.loads(text)
        errors = [f"{'/'.join(map(str, error.absolute_path))}: {error.message[:200]}"
                  for error in self.validator.iter_errors(log)]
        self.assertEqual(errors, [])
        (run,) = log["runs"]
        self.check_references(run, folder or self.project)
        return run

    def check_references(self, run, root):
        """What the schema leaves open: indices, base names, and regions that lie in their files."""
        rules = run["tool"]["driver"]["rules"]
        self.assertEqual(len({rule["id"] for rule in rules}), len(rules))
        base = urllib.parse.unquote(run["originalUriBaseIds"]["SRCROOT"]["uri"])
        self.assertEqual(base, f"file://{root}/")
        prints = [tuple(result["partialFingerprints"].items()) for result in run["results"]]
        self.assertEqual(len(set(prints)), len(prints))
        for result in run["results"]:
            self.assertEqual(rules[result["ruleIndex"]]["id"], result["ruleId"])
            for location in [*found_below(result, "physicalLocation"),
                             *found_below(result, "artifactChanges")]:
                for each in location if isinstance(location, list) else [location]:
                    self.check_place(each, root)

    def check_place(self, place, root):
        artifact = place["artifactLocation"]
        self.assertEqual(artifact["uriBaseId"], "SRCROOT")
        path = os.path.join(root, urllib.parse.unquote(artifact["uri"]))
        with open(path, encoding="utf-8", errors="replace") as file:
            lines = file.read().split("\n")
        regions = [place["region"]] if "region" in place else \
            [each["deletedRegion"] for each in place["replacements"]]
        for region in regions:
            for line, column in (("startLine", "startColumn"), ("endLine", "endColumn")):
                if line not in region:
                    continue
                self.assertLessEqual(region[line], len(lines), path)
                units = len(lines[region[line] - 1].encode("utf-16-le")) // 2
                self.assertLessEqual(region[column], units + 1, f"{path}:{region}")

    def test_a_project_with_what_is_rare(self):
        run = self.valid_run(".")
        results = {}
        for result in run["results"]:
            uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            results.setdefault(uri, []).append(result)
        self.assertEqual([each["ruleId"] for each in results["pointer.cc"]],
                         ["cuda-pointer-placement"])
        self.assertNotIn("silenced.cc", results)
        self.assertNotIn("clean.cc", results)
        self.assertEqual([each["ruleId"] for each in results["useless.cc"]], ["unused-suppression"])
        self.assertIn("not_utf8.cc", results)
        (dropped,) = results["a%20b%2520c/drop%C3%A4%20%231.cc"]
        # Columns are counted in units of UTF-16.
        self.assertEqual(dropped["locations"][0]["physicalLocation"]["region"]["startColumn"], 13)
        (fix,) = dropped["fixes"]
        self.assertEqual(fix["artifactChanges"][0]["replacements"][0]["insertedContent"]["text"],
                         "batch = ")
        mismatch = next(each for each in results["train.py"] if each["ruleId"] == "device-mismatch")
        (flow,) = mismatch["codeFlows"]
        self.assertGreater(len(flow["threadFlows"][0]["locations"]), 2)
        notes = run["invocations"][0]["toolExecutionNotifications"]
        told = [note["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for note in notes]
        self.assertEqual(told, ["broken.py", "partly.cc"])

    def test_nothing_found(self):
        run = self.valid_run("clean.cc")
        self.assertEqual(run["results"], [])
        self.assertEqual(run["invocations"][0]["toolExecutionNotifications"], [])

    def test_the_tour_and_fixtures(self):
        fixtures = glob.glob("testdata/*/*.py") + glob.glob("testdata/cuda-memcpy-kind/*.cu")
        self.assertGreater(len(fixtures), 100)
        folder = os.path.join(self.scratch, "fixtures")
        for path in ["testdata/tour/train.cc", *fixtures]:
            target = os.path.join(folder, path)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(path, "rb") as source, open(target, "wb") as copy:
                copy.write(source.read())
        run = self.valid_run(".", folder=folder)
        self.assertGreater(len(run["results"]), 100)
        for key in ("codeFlows", "relatedLocations", "fixes"):
            self.assertTrue(any(key in result for result in run["results"]), key)
        tour = [result["ruleId"] for result in run["results"] if "tour" in json.dumps(result)]
        self.assertEqual(len(tour), 4)

    def test_junit(self):
        text, code = self.report("junit", ".")
        self.assertEqual(code, 1)
        # `file` is what GitLab and CircleCI read; the schema is Jenkins', which ignores it.
        text, added = re.subn(r' file="[^"]*">', ">", text)
        self.assertGreaterEqual(added, len(_FILES) - 1)
        path = os.path.join(self.scratch, "report.xml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run(["xmllint", "--noout", "--schema", _JUNIT_SCHEMA, path],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_the_report_of_a_run_on_virtual_gpus(self):
        sys.path.insert(0, os.path.join(_ROOT, "runtime/python"))
        from placecheck import report  # pylint: disable=import-error,import-outside-toplevel
        text = ("device-mismatch: Expected all tensors to be on the same device\n"
                "  note: 'mat1' [8, 4] is on cpu since my project/train.py:41: batch = next(batches)\n"
                "  note: they meet at my project/tr\u00e4in.py:43: output = model(batch)\n"
                "  note: called from /home/me/100%.py:60: main()\n"
                "cuda-memcpy-kind: invalid argument\n"
                "  /usr/lib/libtorch_cpu.so+0x1c3a9\n")
        log = report.as_sarif(report.parse(text))
        self.assertEqual([error.message for error in self.validator.iter_errors(log)], [])
        self.assertEqual(len(log["runs"][0]["results"]), 2)
        self.assertEqual(
            [each["uri"] for each in found_below(log, "artifactLocation")][0],
            "my%20project/tr%C3%A4in.py")
        self.assertEqual(self.validator.is_valid(report.as_sarif([])), True)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
