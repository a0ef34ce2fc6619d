"""The wheel of placecheck-run: its files, its record, and that what it holds can start and be compiled."""

import base64
import csv
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import unittest
import zipfile

_HERE = os.path.dirname(os.path.realpath(__file__))
_ROOT = os.path.dirname(os.path.dirname(_HERE))


def make_wheel(folder, *options):
    subprocess.run([sys.executable, os.path.join(_ROOT, "packaging/runtime_wheel.py"),
                    f"--root={_ROOT}", f"--out={folder}", *options], check=True,
                   stdout=subprocess.DEVNULL)
    names = [name for name in os.listdir(folder) if name.endswith(".whl")]
    return os.path.join(folder, names[0])


class WheelTest(unittest.TestCase):

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name

    def test_record_names_every_file_with_its_digest(self):
        with zipfile.ZipFile(make_wheel(self.folder)) as wheel:
            record = next(name for name in wheel.namelist() if name.endswith("RECORD"))
            rows = {row[0]: row[1] for row in csv.reader(io.StringIO(wheel.read(record).decode()))}
            self.assertEqual(set(rows), set(wheel.namelist()))
            for name, digest in rows.items():
                if name != record:
                    expected = hashlib.sha256(wheel.read(name)).digest()
                    self.assertEqual(digest, "sha256=" + base64.urlsafe_b64encode(expected)
                                     .rstrip(b"=").decode())

    def test_is_the_same_for_the_same_tree(self):
        with open(make_wheel(self.folder), "rb") as first:
            content = first.read()
        with open(make_wheel(self.folder), "rb") as second:
            self.assertEqual(second.read(), content)

    def test_unpacked_it_starts_and_finds_its_sources(self):
        with zipfile.ZipFile(make_wheel(self.folder)) as wheel:
            wheel.extractall(os.path.join(self.folder, "site"))
        environment = {**os.environ, "PYTHONPATH": os.path.join(self.folder, "site")}
        version = subprocess.run([sys.executable, "-m", "placecheck.run", "--version"],
                                 capture_output=True, text=True, check=True, env=environment)
        self.assertRegex(version.stdout, r"placecheck-run \d+\.\d+\.\d+")
        program = ("from placecheck import build, torch_install\n"
                   "torch = torch_install.TorchInstall('/torch', '2.15.0', None)\n"
                   "print(*build.sources(torch, build.source_root()))")
        listed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                                check=True, env=environment).stdout.split()
        self.assertIn("runtime/torch/virtual_cuda/install.cc", listed)
        self.assertIn("rules/catalog.cc", listed)

    def test_compiled_libraries_make_it_a_wheel_of_the_platform(self):
        release = os.path.join(self.folder, "native", f"torch-2.15.0+cu132-{'a' * 8}-{'b' * 16}")
        os.makedirs(release)
        for name in ("libraries.json", "libplacecheck_torch_cuda.so"):
            with open(os.path.join(release, name), "w", encoding="utf-8") as file:
                file.write("{}")
        path = make_wheel(self.folder, f"--native={self.folder}/native")
        self.assertTrue(path.endswith("py3-none-linux_x86_64.whl"))
        with zipfile.ZipFile(path) as wheel:
            self.assertIn("placecheck/native/2.15.0+cu132/libplacecheck_torch_cuda.so",
                          wheel.namelist())


if __name__ == "__main__":
    unittest.main()
