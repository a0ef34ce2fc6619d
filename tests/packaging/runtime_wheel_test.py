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
sys.path.insert(0, os.path.join(_ROOT, "runtime/python"))

from placecheck import native  # pylint: disable=wrong-import-position


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

    def add_native(self, name, digest):
        release = os.path.join(self.folder, "native", f"{name}-{digest}")
        os.makedirs(release)
        with open(os.path.join(release, "libraries.json"), "w", encoding="utf-8") as file:
            file.write("[]")
        with open(os.path.join(release, "library.so"), "wb") as file:
            file.write(b"\x7fELF\0GLIBC_2.2.5\0GLIBC_2.34\0GLIBC_2.9\0")

    def test_compiled_libraries_make_it_a_wheel_of_the_platform(self):
        self.add_native("torch-2.15.0+cu132-0123abcd", native.source_digest(_ROOT))
        self.add_native("torch-2.7.1+cu126-0123abcd", "0" * 16)
        path = make_wheel(self.folder, f"--native={self.folder}/native")
        self.assertRegex(path, r"py3-none-manylinux_2_34_\w+\.whl$")
        with zipfile.ZipFile(path) as wheel:
            shipped = [name for name in wheel.namelist() if name.startswith("placecheck/native/")]
        self.assertEqual(shipped, [f"placecheck/native/torch-2.15.0+cu132-0123abcd/{name}"
                                   for name in ("libraries.json", "library.so")])

    def test_libraries_of_other_sources_are_refused(self):
        self.add_native("torch-2.7.1+cu126-0123abcd", "0" * 16)
        with self.assertRaises(subprocess.CalledProcessError):
            make_wheel(self.folder, f"--native={self.folder}/native")


if __name__ == "__main__":
    unittest.main()
