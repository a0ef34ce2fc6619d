"""placecheck-run's options, environment and choice of libraries; no PyTorch is needed."""

import json
import os
import subprocess
import sys
import tempfile
import textwrap
import unittest

_ROOT = os.path.dirname(os.path.abspath(__file__)).rpartition("/tests/runtime/python")[0]
_PACKAGE = os.path.join(_ROOT, "runtime/python")
sys.path.insert(0, _PACKAGE)

from placecheck import programs, provenance, report, run, stubs, torch_install  # pylint: disable=wrong-import-position


def launch(*arguments, **environment):
    """placecheck-run in a process of its own."""
    return subprocess.run(
        [sys.executable, os.path.join(_PACKAGE, "placecheck_run.py"), *arguments],
        capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, **environment})


class LauncherTest(unittest.TestCase):

    def test_program_inherits_the_gpus(self):
        program = "import os; print(os.environ['PLACECHECK_VIRTUAL_DEVICES'], " \
                  "os.environ['PLACECHECK_VIRTUAL_MEMORY'])"
        result = launch("--gpus=3", "--memory=1.5GiB", "--", sys.executable, "-c", program)
        self.assertEqual((result.stdout, result.returncode), ("3 1610612736\n", 0), result.stderr)

    def test_exit_code_is_the_programs(self):
        self.assertEqual(launch("--", sys.executable, "-c", "raise SystemExit(7)").returncode, 7)

    def test_missing_command_is_an_error_that_says_what_to_write(self):
        result = launch("--gpus=2")
        self.assertEqual(result.returncode, 2)
        self.assertIn("placecheck-run -- python train.py", result.stderr)

    def test_unknown_program(self):
        result = launch("--", "no-such-program")
        self.assertEqual(result.returncode, 127)
        self.assertIn("'no-such-program' is not a program that can be run", result.stderr)

    def test_bad_values_are_refused(self):
        for option in ("--gpus=two", "--gpus=-1", "--gpus=65", "--memory=big", "--memory=4Gigs"):
            with self.subTest(option):
                result = launch(option, "--", "true")
                self.assertEqual(result.returncode, 2)
                self.assertIn(option.partition("=")[2], result.stderr)

    def test_sitecustomize_of_the_user_still_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            with open(os.path.join(folder, "sitecustomize.py"), "w", encoding="utf-8") as site:
                site.write("import os; os.environ['USERS_OWN'] = 'ran'\n")
            result = launch("--", sys.executable, "-c", "import os; print(os.environ['USERS_OWN'])",
                            PYTHONPATH=folder)
        self.assertEqual(result.stdout, "ran\n", result.stderr)

    def test_programs_without_torch_run_as_ever(self):
        result = launch("--", sys.executable, "-S", "-c", "print('hello')")
        self.assertEqual((result.stdout, result.returncode), ("hello\n", 0), result.stderr)

    def test_environment_is_the_same_when_launchers_are_nested(self):
        once = run.virtual_environment({"PYTHONPATH": "/mine"}, 2, None, None)
        self.assertEqual(run.virtual_environment(once, 2, None, None), once)
        self.assertTrue(once["PYTHONPATH"].endswith(":/mine"))


class RealTest(unittest.TestCase):
    """--real: the environment that programs on the GPUs of the machine get."""

    def launch(self, *arguments, **environment):
        """With a file in place of the library, which needs no compiler; the loader complains of it."""
        with tempfile.TemporaryDirectory() as folder:
            open(os.path.join(folder, "libplacecheck_real.so"), "wb").close()
            return launch("--real", *arguments, PLACECHECK_LIBRARIES=folder, **environment)

    def test_program_inherits_the_library_and_the_report(self):
        program = "import os; print(os.path.basename(os.environ['LD_PRELOAD']), " \
                  "os.environ['PLACECHECK_REAL_REPORT'], 'PLACECHECK_VIRTUAL_GPUS' in os.environ)"
        result = self.launch("--report=/tmp/mistakes", "--", sys.executable, "-c", program)
        self.assertEqual(result.stdout, "libplacecheck_real.so /tmp/mistakes False\n", result.stderr)

    def test_what_is_of_virtual_gpus_is_refused(self):
        for option in ("--gpus=2", "--memory=1GiB", "--cpu-random"):
            result = launch("--real", option, "--", "true")
            self.assertEqual(result.returncode, 2)
            self.assertIn("is for virtual GPUs", result.stderr)

    def test_a_cuda_runtime_of_the_programs_own_is_named(self):
        """An ELF file with nvcc's section and without libcudart among its libraries."""
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            for section, is_warned in ((".nv_fatbin", True), (".other", False)):
                source = f'__asm__(".section {section},\\"a\\"\\n.byte 0\\n.previous"); ' \
                         "int main(void) { return 0; }"
                subprocess.run(["gcc", "-x", "c", "-", "-o", program], input=source, text=True,
                               check=True)
                self.assertEqual(programs.links_cuda_statically(program), is_warned)
                result = launch("--", program)
                self.assertEqual("-cudart shared" in result.stderr, is_warned, result.stderr)


class ProvenanceTest(unittest.TestCase):
    """The lines that made tensors, without PyTorch."""

    class Tensor:
        def __init__(self, address, device):
            self.address, self.device, self.shape = address, device, (8, 4)

        def untyped_storage(self):
            return self

        def data_ptr(self):
            return self.address

    def test_operands_have_the_lines_that_made_their_memory(self):
        origins = provenance.Origins(self.Tensor, "/nonexistent")
        batch = self.Tensor(64, "cpu")
        origins.record([batch], [])
        made = sys._getframe().f_lineno - 1
        origins.record(self.Tensor(64, "cpu"), [batch])  # a view keeps the line
        first, second, meeting = origins.explain([batch, self.Tensor(128, "cuda:0")])
        self.assertRegex(first, rf"operand 0 \[8, 4\] is on cpu since .*launcher_test.py:{made}: "
                                r"origins.record\(\[batch\], \[\]\)")
        self.assertEqual(second, "placecheck: operand 1 [8, 4] is on cuda:0")
        self.assertIn(f"they meet at {os.path.relpath(__file__)}", meeting)


class TorchInstallTest(unittest.TestCase):

    def find_in(self, version_file):
        with tempfile.TemporaryDirectory() as folder:
            os.mkdir(os.path.join(folder, "torch"))
            for name, text in (("__init__.py", "raise AssertionError('imported')"),
                               ("version.py", version_file)):
                with open(os.path.join(folder, "torch", name), "w", encoding="utf-8") as file:
                    file.write(textwrap.dedent(text))
            sys.path.insert(0, folder)
            try:
                return torch_install.find()
            finally:
                sys.path.remove(folder)

    def test_version_is_read_without_an_import(self):
        torch = self.find_in("""\
            from typing import Optional
            __all__ = ['__version__']
            __version__ = '2.15.0+cu132'
            cuda: Optional[str] = '13.2'
            """)
        self.assertEqual((torch.version, torch.cuda, torch.release),
                         ("2.15.0+cu132", "13.2", (2, 15)))

    def test_cpu_build(self):
        torch = self.find_in("__version__ = '1.13.0a0'\ncuda = None\n")
        self.assertEqual((torch.cuda, torch.is_cuda_build, torch.release), (None, False, (1, 13)))


_REPORT = """\
device-mismatch: Expected all tensors to be on the same device, but got mat1 is on cpu
  note: 'mat1' [8, 4] is on cpu since train.py:41: batch = next(batches)
  note: they meet at train.py:43: output = model(batch)
  note: called from train.py:60: main()
  /usr/lib/libtorch_cpu.so+0x1c3a9
invalid-device: CUDA error: invalid device ordinal
  ./train+0x10
"""


class LibraryTest(unittest.TestCase):
    """The PyTorch that a library of libtorch belongs to."""

    def test_unpacked_libtorch_says_its_cuda_release(self):
        with tempfile.TemporaryDirectory() as folder:
            os.makedirs(os.path.join(folder, "include", "ATen"))
            os.mkdir(os.path.join(folder, "lib"))
            library = os.path.join(folder, "lib", "libtorch_cpu.so")
            open(library, "wb").close()
            for version, cuda in (("2.7.1+cu126", "12.6"), ("2.15.0+cu132", "13.2"),
                                  ("2.7.1+cpu", None)):
                with open(os.path.join(folder, "build-version"), "w", encoding="utf-8") as file:
                    file.write(version + "\n")
                torch = torch_install.of_library(library)
                self.assertEqual((torch.version, torch.cuda, torch.is_cuda_build),
                                 (version, cuda, cuda is not None))


class ReportTest(unittest.TestCase):

    def test_entries_are_read(self):
        first, second = report.parse(_REPORT)
        self.assertEqual((first.rule, first.stack[0], first.stack[1].line),
                         ("device-mismatch", report.Place("train.py", 43, "output = model(batch)"),
                          60))
        self.assertEqual(first.notes, ["'mat1' [8, 4] is on cpu since train.py:41: "
                                       "batch = next(batches)"])
        self.assertEqual((second.stack, second.native_stack), ([], ["./train+0x10"]))

    def test_sarif_has_the_place_and_where_operands_came_from(self):
        run_of_tool = report.as_sarif(report.parse(_REPORT))["runs"][0]
        result = run_of_tool["results"][0]
        self.assertEqual(result["locations"][0]["physicalLocation"]["region"]["startLine"], 43)
        self.assertEqual(result["relatedLocations"][0]["message"]["text"], "'mat1' [8, 4] is on cpu")
        self.assertEqual([rule["id"] for rule in run_of_tool["tool"]["driver"]["rules"]],
                         ["device-mismatch", "invalid-device"])

    def test_a_program_in_cpp_has_its_lines(self):
        entry = (f"cuda-memcpy-kind: cudaMemcpy: invalid argument\n"
                 f"  in cudaMemcpy (/usr/lib/libplacecheck_cuda.so+0x27aa7)\n"
                 f"  in main(int, char**) at {__file__}:3 (./train+0x11f5)\n"
                 f"  in start at ../csu/libc-start.c:360 (/lib/libc.so.6+0x27304)\n")
        mistakes = report.parse(entry)
        self.assertEqual(mistakes[0].places, [report.Place(__file__, 3, "main(int, char**)")])
        result = report.as_sarif(mistakes)["runs"][0]["results"][0]
        self.assertEqual(result["locations"][0]["physicalLocation"]["region"]["startLine"], 3)

    def test_a_run_without_mistakes_gives_an_empty_report(self):
        with tempfile.TemporaryDirectory() as folder:
            target = os.path.join(folder, "report.json")
            self.assertEqual(launch(f"--report={target}", "--", "true").returncode, 0)
            with open(target, encoding="utf-8") as file:
                self.assertEqual(json.load(file), {"mistakes": []})

    def test_exit_code_of_a_killed_program(self):
        with tempfile.TemporaryDirectory() as folder:
            result = launch(f"--report={folder}/report.json", "--", "sh", "-c", "kill -TERM $$")
        self.assertEqual(result.returncode, 128 + 15)


class StubsTest(unittest.TestCase):

    def test_the_cpp_librarys_own_names_are_not_stubs(self):
        for name in ("_Znwm", "_ZdlPvm", "_ZNSdD2Ev", "_ZNSt6thread4joinEv", "_ZTISt9exception",
                     "_ZTTNSt7__cxx1118basic_stringstreamIcSt11char_traitsIcESaIcEEE", "PyTuple_New"):
            self.assertTrue(stubs.is_standard(name), name)
        for name in ("_ZN2at4cuda5sleepEl", "_ZTIN4c10d16ProcessGroupNCCLE", "_ZN3sdp5checkEv"):
            self.assertFalse(stubs.is_standard(name), name)

    def compile(self, folder, source):
        path = os.path.join(folder, "stub.S")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        target = path[:-2] + ".o"
        subprocess.run(["gcc", "-c", path, "-o", target], check=True)
        return target

    def test_cpp_stubs_assemble_and_define_their_symbols(self):
        symbols = ["_ZN2at4cuda5sleepEl", "_ZTIN4c10d16ProcessGroupNCCLE",
                   "_ZTVN5torch3jit11tensorexpr11CudaCodeGenE"]
        with tempfile.TemporaryDirectory() as folder:
            target = self.compile(folder, stubs.cpp_stubs(symbols))
            defined = subprocess.run(["nm", "--defined-only", target], capture_output=True,
                                     text=True, check=True).stdout
        for symbol in symbols:
            self.assertIn(symbol, defined)

    def test_stub_names_what_was_asked_for(self):
        self.assertIn('"at::cuda::sleep"', stubs.cpp_stubs(["_ZN2at4cuda5sleepEl"]))

    def test_c_stub_answers_with_its_librarys_code(self):
        self.assertIn("int cudaGraphLaunch(void) { return 801; }",
                      stubs.c_stubs("libcudart.so.13", ["cudaGraphLaunch"]))


if __name__ == "__main__":
    unittest.main()
