#!/usr/bin/env python3
"""Several machines in one run: a finding says on which of them it holds."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

_ANALYZER = os.path.abspath(sys.argv.pop(1))

_PROGRAM = """\
import torch

net = torch.nn.Linear(8, 2)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
net.to(device)
second = torch.rand(4, 8, device="cuda:1")
first = torch.rand(4, 8)
first.to(device)
if torch.cuda.device_count() > 2:
    net(first)
"""
_SETTINGS = """\
scenarios:
  visible: ["2,3", ""]
  devices: [1, 2, 8]
"""


class ScenariosTest(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.project = scratch.name
        self.write("train.py", _PROGRAM)
        self.write(".placecheck.yaml", _SETTINGS)

    def write(self, name, text):
        with open(os.path.join(self.project, name), "w", encoding="utf-8") as file:
            file.write(text)

    def run_analyzer(self, *arguments, code):
        done = subprocess.run([_ANALYZER, "--no-cache", *arguments], cwd=self.project, check=False,
                              capture_output=True, text=True,
                              env={"PATH": "/usr/bin:/bin", "HOME": self.project})
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout

    def found(self, *arguments):
        """The scenarios of each finding, by line and rule; none: it holds in all."""
        report = json.loads(self.run_analyzer("--format=json", *arguments, "train.py", code=1))
        return {(each["line"], each["rule"]): each.get("scenarios")
                for each in report["findings"]}

    def test_a_finding_says_in_which_it_holds(self):
        self.assertEqual(self.found(), {
            (6, "visible-devices"): ['visible=""'],
            (6, "invalid-device"): ["devices=1"],
            (8, "discarded-transfer"): None,
            (10, "device-mismatch"): ["devices=8"],
        })

    def test_in_each_form_of_the_report(self):
        text = self.run_analyzer("train.py", code=1)
        self.assertIn('  only with: visible=""\n', text)
        self.assertIn("  only with: devices=1\n", text)
        self.assertEqual(text.count("only with: "), 3)
        sarif = json.loads(self.run_analyzer("--format=sarif", "train.py", code=1))
        by_rule = {each["ruleId"]: each for each in sarif["runs"][0]["results"]}
        self.assertEqual(by_rule["invalid-device"]["properties"]["scenarios"], ["devices=1"])
        self.assertNotIn("scenarios", by_rule["discarded-transfer"]["properties"])
        for form in ("github", "gitlab", "junit"):
            self.assertEqual(self.run_analyzer("--format=" + form, "train.py",
                                               code=1).count("only with: "), 3, form)

    def test_the_other_settings_hold_in_each(self):
        self.write(".placecheck.yaml", 'devices: 8\nscenarios: {visible: ["0", "0,1,2"]}\n')
        self.assertEqual(self.found(), {
            (6, "invalid-device"): ['visible="0"'],
            (8, "discarded-transfer"): None,
            (10, "device-mismatch"): ['visible="0,1,2"'],
        })
        # Two devices have no third one: what follows it in the list is not seen either.
        self.write(".placecheck.yaml", 'devices: 2\nscenarios: {visible: ["2,0", "0,1"]}\n')
        self.assertEqual(self.found(), {
            (6, "visible-devices"): ['visible="2,0"'],
            (8, "discarded-transfer"): None,
        })

    def test_the_command_line_wins(self):
        self.write(".placecheck.yaml", "scenarios: {devices: [1, 8]}\n")
        # What such a number says of machines is no answer to a program that asks.
        self.assertEqual(self.found("--devices=2"), {(8, "discarded-transfer"): None,
                                                     (10, "device-mismatch"): None})
        dumped = self.run_analyzer("--dump-config", code=0)
        self.assertRegex(dumped, r"scenarios:\n +devices: +\[ 1, 8 \]")

    def test_each_is_traced(self):
        trace = self.run_analyzer("--trace=<module>", "train.py", code=0)
        self.assertEqual(re.findall(r'^(?:visible|devices)=.*$', trace, re.M),
                         ['visible="2,3"', 'visible=""', "devices=1", "devices=2", "devices=8"])


if __name__ == "__main__":
    unittest.main()
