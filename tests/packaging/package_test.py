#!/usr/bin/env python3
"""The wheel as it is installed: what is in it, and that it runs where nothing else is."""

import os
import re
import subprocess
import sys
import tempfile
import unittest
import zipfile

_WHEELS = os.path.abspath(sys.argv.pop(1))
_HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.dirname(_HERE)), "packaging"))
import help_pages  # noqa: E402  pylint: disable=wrong-import-position

# The C library's own; a program that needs more does not start everywhere.
_ALLOWED_LIBRARIES = {"libc.so.6", "libm.so.6", "libgcc_s.so.1", "ld-linux-x86-64.so.2"}

_BUG = """\
#include <float.h>
extern "C" {
int cudaMalloc(void** memory, unsigned long bytes);
int cublasCreate_v2(void** handle);
int cublasSscal_v2(void* handle, int count, const float* alpha, void* values, int step);
void* malloc(unsigned long bytes);
}
int main() {
  void* on_host = malloc(64);
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  const float alpha = FLT_EPSILON;
  cublasSscal_v2(handle, 16, &alpha, on_host, 1);
}
"""


def install(folder):
    """Unpacks the wheel as pip does; the prefix."""
    (name,) = [name for name in os.listdir(_WHEELS) if name.endswith(".whl")]
    prefix = os.path.join(folder, "prefix")
    with zipfile.ZipFile(os.path.join(_WHEELS, name)) as wheel:
        for entry in wheel.infolist():
            match = re.match(r"placecheck-[^/]*\.data/(scripts|data)/(.*)", entry.filename)
            where = {"scripts": "bin", "data": ""}[match.group(1)] if match else "site"
            path = os.path.join(prefix, where, match.group(2) if match else entry.filename)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as file:
                file.write(wheel.read(entry))
            os.chmod(path, entry.external_attr >> 16 & 0o777)
    return name, prefix


class PackageTest(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.wheel, cls.prefix = install(cls.scratch.name)
        cls.program = os.path.join(cls.prefix, "bin/placecheck")
        cls.work = os.path.join(cls.scratch.name, "work")
        os.mkdir(cls.work)
        with open(os.path.join(cls.work, "bug.cc"), "w", encoding="utf-8") as file:
            file.write(_BUG)

    def run_program(self, *arguments):
        """In a folder with one file, with no environment."""
        return subprocess.run([self.program, *arguments], cwd=self.work, env={"PATH": ""},
                              capture_output=True, text=True, check=False)

    def test_needs_the_c_library_alone_and_no_newer_one_than_the_wheel_says(self):
        listed = subprocess.run(["objdump", "-p", self.program], capture_output=True, text=True,
                                check=True).stdout
        self.assertLessEqual(set(re.findall(r"NEEDED +(\S+)", listed)), _ALLOWED_LIBRARIES)
        needed = max(tuple(map(int, each.split(".")))
                     for each in re.findall(r"GLIBC_([0-9.]+)", listed))
        tag = re.search(r"manylinux_(\d+)_(\d+)_x86_64", self.wheel)
        self.assertEqual(needed, tuple(map(int, tag.groups())))

    def test_finds_a_bug_with_the_headers_that_it_brings(self):
        found = self.run_program("bug.cc")
        self.assertEqual(found.returncode, 1, found.stdout + found.stderr)
        self.assertIn("[cuda-pointer-placement]", found.stdout)
        self.assertNotIn("partly understood", found.stdout)
        why = self.run_program("--why=bug.cc")
        self.assertIn(os.path.join(self.prefix, "lib/placecheck/clang"), why.stdout)

    def test_explains_rules(self):
        for rule in (line.split()[0] for line in self.run_program("--list-rules").stdout.splitlines()):
            self.assertIn(rule, self.run_program(f"--explain={rule}").stdout)

    def test_version_is_that_of_the_python_package(self):
        version = self.run_program("--version").stdout.split()[1]
        self.assertIn(f"placecheck-{version}-", self.wheel)
        with open(os.path.join(self.prefix, "site/placecheck/__init__.py"), encoding="utf-8") as file:
            self.assertIn(f'__version__ = "{version}"', file.read())

    def test_virtual_gpus_come_along(self):
        environment = {**os.environ, "PYTHONPATH": os.path.join(self.prefix, "site")}
        program = ("from placecheck import build, torch_install\n"
                   "torch = torch_install.TorchInstall('/torch', '2.15.0', None)\n"
                   "print(len(build.sources(torch, build.source_root())))")
        counted = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                                 check=True, env=environment)
        self.assertGreater(int(counted.stdout), 20)

    def test_sources_include_nothing_that_was_left_behind(self):
        source = os.path.join(self.prefix, "site/placecheck/source")
        lost = []
        for folder, _, names in os.walk(source):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    included = re.findall(r'^#include "((?:runtime|rules)/[^"]+)"', file.read(), re.M)
                lost += [(name, each) for each in included
                         if not os.path.exists(os.path.join(source, each))]
        self.assertEqual(lost, [])

    def test_pages_name_every_option(self):
        help_text = help_pages.parse(self.run_program("--help").stdout)
        self.assertGreater(len(help_text.options), 20)
        page = help_pages.man_page(help_text, "1", "")
        for option in help_text.options:
            self.assertIn("\\fB" + option.name.replace("-", "\\-"), page)
        formats = {option.name: option.choices for option in help_text.options}["--format"]
        self.assertLessEqual({"text", "json", "sarif", "github"}, set(formats))

    def complete(self, *words):
        """What bash offers for the last word."""
        script = os.path.join(self.prefix, "share/bash-completion/completions/placecheck")
        program = (f"compopt() {{ :; }}; . {script}; COMP_WORDS=(placecheck \"$@\"); "
                   "COMP_CWORD=$#; _placecheck; printf '%s\\n' \"${COMPREPLY[@]}\"")
        return subprocess.run(["bash", "-c", program, "bash", *words], capture_output=True,
                              text=True, check=True, cwd=self.work).stdout.split()

    def test_bash_completes_options_values_and_files(self):
        self.assertEqual(self.complete("--li"), ["--list-rules"])
        self.assertEqual(self.complete("--format", "=", "sa"), ["sarif"])
        self.assertEqual(self.complete("--explain", "=", "device-m"), ["device-mismatch"])
        self.assertEqual(self.complete("bu"), ["bug.cc"])


if __name__ == "__main__":
    unittest.main()
