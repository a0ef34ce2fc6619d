#!/usr/bin/env python3
"""What is told of the way to a finding: the conditions that it needs, and the path in SARIF.

usage: witness_test.py ANALYZER
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fake_torch  # noqa: E402

ANALYZER = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "placecheck"

PROGRAM = """\
#include <tiny_torch.h>
struct Args { bool use_cuda; bool verbose; int n; };
Args parse(int argc);
void print(int);
int train(Args args) {
  if (args.n < 0) return 1;
  auto x = torch::ones({2});
  auto y = torch::ones({2});
  if (args.verbose) print(1);
  if (!args.use_cuda) {
    print(2);
  } else {
    x = x.to(torch::kCUDA);
  }
  auto z = x + y;
  return 0;
}
int main(int argc, char**) { return train(parse(argc)); }
"""


class Witness(unittest.TestCase):
    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": self.root,
                            "LIBTORCH": fake_torch.install(os.path.join(self.root, "libtorch"))}
        project = os.path.join(self.root, "project")
        os.makedirs(project)
        with open(os.path.join(project, "a.cpp"), "w", encoding="utf-8") as out:
            out.write(PROGRAM)
        self.project = project

    def report(self, form: str):
        done = subprocess.run([ANALYZER, "--no-cache", "--format=" + form, "a.cpp"],
                              cwd=self.project, env=self.environment, capture_output=True,
                              text=True, timeout=60)
        self.assertEqual(done.returncode, 1, done.stderr)
        return json.loads(done.stdout)

    def test_only_the_condition_that_is_needed_is_told(self):
        findings = self.report("json")["findings"]
        self.assertEqual([(each["rule"], each["line"]) for each in findings],
                         [("device-mismatch", 15)])
        told = [(note["line"], note["message"]) for note in findings[0]["notes"]
                if note["message"].startswith("when ")]
        self.assertEqual(told, [(10, "when '!args.use_cuda' is false")])

    def test_the_path_is_a_code_flow(self):
        result = self.report("sarif")["runs"][0]["results"][0]
        steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
        lines = [step["location"]["physicalLocation"]["region"]["startLine"] for step in steps]
        self.assertEqual(lines[0], 10)
        self.assertIn(13, lines)
        self.assertEqual(lines[-1], 15)


if __name__ == "__main__":
    unittest.main()
