#!/usr/bin/env python3
"""Runs that die, that cannot write, and that share a cache with others: the next run, and each of the
others, says what one without a cache says.

usage: broken_runs_test.py ANALYZER
"""
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../driver"))
from scratch import ANALYZER, PATIENCE, Scratch  # noqa: E402

FILES = 6


class BrokenRuns(Scratch):

    def setUp(self):
        super().setUp()
        self.cache = self.path("cache")
        self.generation = 0
        self.edit()

    def edit(self):
        """Other texts, so that a run has something to lower and to keep."""
        self.generation += 1
        devices = ["torch::kCUDA", "torch::kCPU"]
        self.write("helper.h", "#pragma once\n#include <tiny_torch.h>\n"
                   "inline torch::Tensor make() { return torch::ones({%d}, %s); }\n" %
                   (self.generation, devices[self.generation % 2]))
        for number in range(FILES):
            self.write("a%d.cpp" % number, '#include "helper.h"\nint main() {\n'
                       "  auto x = make();\n  auto y = torch::ones({%d}, torch::kCUDA);\n"
                       "  auto z = x + y;\n}\n" % number)
        self.write("b.py", "import torch\nx = torch.ones(%d, device='cuda') + torch.ones(2)\n" %
                   self.generation)

    def report(self, *arguments: str, **more):
        with self.start("--format=json", "-j", "2", *arguments, ".", **more) as process:
            out, err = process.communicate(timeout=PATIENCE)
        return process.returncode, out, err

    def plain(self):
        code, out, err = self.report("--no-cache")
        self.assertEqual(code, 1, err)
        self.assertGreater(len(out), 1000)
        return code, out

    def assert_as_without_cache(self, *arguments: str):
        self.assertEqual(self.report("--cache-dir=" + self.cache, *arguments)[:2], self.plain())

    def test_a_run_that_is_killed(self):
        dice = random.Random(1)
        began = time.monotonic()
        self.report("--cache-dir=" + self.cache)
        whole = time.monotonic() - began
        killed = 0
        for _ in range(12):
            self.edit()
            process = self.start("--cache-dir=" + self.cache, "-j", "2", ".")
            time.sleep(whole * dice.random())
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
            self.assert_as_without_cache()
            self.assert_as_without_cache()
        self.assertGreater(killed, 0)

    def test_files_that_may_not_grow(self):
        """What a full disk does to a write, at each size: one that ends in the middle of it, too."""
        kept = 0
        for size in [0, 1, 500, 2000, 5000, 20000, 100000]:
            for handler in [signal.SIG_DFL, signal.SIG_IGN]:
                with self.subTest(size=size, handler=handler):
                    self.edit()
                    expected = self.plain()
                    process = self.start(
                        "--format=json", "--cache-dir=" + self.cache, ".", restore_signals=False,
                        preexec_fn=lambda: (signal.signal(signal.SIGXFSZ, handler),
                                            resource.setrlimit(resource.RLIMIT_FSIZE, [size] * 2)))
                    out, err = process.communicate(timeout=PATIENCE)
                    self.assertEqual((process.returncode, out), expected, err)
                    kept += sum(len(names) for _, _, names in os.walk(self.cache))
                    self.assertEqual(self.report("--cache-dir=" + self.cache)[:2], expected)
                    shutil.rmtree(self.cache)
        self.assertGreater(kept, 0)

    def test_a_report_that_may_not_grow(self):
        report = self.write("report.json", "the one before")
        for size in [0, 1, 1000]:
            process = self.start(
                "--format=json", "--no-cache", "--output=" + report, ".",
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, [size] * 2))
            _, err = process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 2, err)
            self.assertIn("cannot write", err)
            with open(report, encoding="utf-8") as opened:
                self.assertEqual(opened.read(), "the one before")
            self.assertEqual([each for each in os.listdir(self.project) if "report" in each],
                             ["report.json"])

    def test_a_full_disk(self):
        """A file system of its own, where this user may make one."""
        disk = self.path("disk")
        os.makedirs(disk)
        script = ('mount -t tmpfs -o size="$1",mode=700 none "$2" || exit 99\nshift 2\n'
                  '"$@"\ncode=$?\n"$@"; test $? = $code || exit 98\nexit $code\n')
        for size in ["4k", "16k", "64k", "1m"]:
            with self.subTest(size=size):
                expected = self.plain()
                process = subprocess.run(
                    ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", size,
                     disk, ANALYZER, "--format=json", "--cache-dir=" + disk + "/cache", "."],
                    cwd=self.project, env=self.environment, text=True, timeout=PATIENCE,
                    stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                if process.returncode == 99 or "unshare" in process.stderr:
                    self.skipTest("no file system can be mounted: " + process.stderr)
                self.assertEqual((process.returncode, process.stdout),
                                 (expected[0], 2 * expected[1]), process.stderr)

    def test_two_dozen_at_once(self):
        for _ in range(2):
            self.edit()
            code, out = self.plain()
            processes = [self.start("--format=json", "--cache-dir=" + self.cache, ".")
                         for _ in range(24)]
            for process in processes:
                answer, err = process.communicate(timeout=PATIENCE)
                self.assertEqual((process.returncode, answer), (code, out), err)
            self.assert_as_without_cache()


if __name__ == "__main__":
    unittest.main()
