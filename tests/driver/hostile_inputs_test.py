#!/usr/bin/env python3
"""Projects that mean harm, and runs that are cut short: each promise of SECURITY.md has a test.

usage: hostile_inputs_test.py ANALYZER
"""
import json
import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fake_torch  # noqa: E402

ANALYZER = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "placecheck"
GOOD = "int main() { return 0; }\n"

# Seconds. What hangs does so for ever; what does not may be slow on a machine with other work.
PATIENCE = 240


class Scratch(unittest.TestCase):
    """A folder with a project, and an environment that knows nothing of this machine's user."""

    def setUp(self):
        self.root = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.project = self.path("project")
        os.makedirs(self.project)
        os.makedirs(self.path("home"))
        self.write("WORKSPACE", "")
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": self.path("home"),
            "LIBTORCH": fake_torch.install(self.path("libtorch")),
        }

    def path(self, name: str) -> str:
        return os.path.join(self.root, name)

    def write(self, name: str, text: str) -> str:
        file = os.path.join(self.project, name)
        os.makedirs(os.path.dirname(file), exist_ok=True)
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        return file

    def start(self, *arguments: str, **more):
        more.setdefault("stdout", subprocess.PIPE)
        more.setdefault("stderr", subprocess.PIPE)
        return subprocess.Popen([ANALYZER, *arguments], cwd=self.project, env=self.environment,
                                stdin=subprocess.DEVNULL, text=True, **more)

    def check(self, *arguments: str):
        """Runs to the end; the exit code, standard output and standard error."""
        with self.start(*arguments) as process:
            try:
                out, err = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                self.fail("still running after %d s: %s" % (PATIENCE, " ".join(arguments)))
        self.assertGreaterEqual(process.returncode, 0, "killed by a signal: " + err)
        return process.returncode, out, err

    def content(self):
        """All files of the project, by path."""
        found = {}
        for folder, _, names in os.walk(self.project):
            for name in names:
                file = os.path.join(folder, name)
                if os.path.isfile(file):
                    with open(file, "rb") as opened:
                        found[file] = opened.read()
        return found


class SpecialFiles(Scratch):
    """A FIFO or a device is never opened, whatever it stands for."""

    def place(self, file: str, kind: str):
        if os.path.lexists(file):
            os.remove(file)
        if kind == "fifo":
            os.mkfifo(file)
        elif kind == "device":
            os.symlink("/dev/zero", file)
        else:
            folder = os.open(os.path.dirname(file), os.O_RDONLY)
            bound = socket.socket(socket.AF_UNIX)
            self.addCleanup(bound.close)
            bound.bind("/proc/self/fd/%d/%s" % (folder, os.path.basename(file)))
            os.close(folder)

    def test_instead_of_the_files_of_a_project(self):
        self.write("a.cpp", '#include "x.h"\n' + GOOD)
        for name in ["CMakeLists.txt", "setup.py", "Makefile", "compile_commands.json",
                     ".placecheck.yaml", "x.h", "other.cpp"]:
            for kind in ["fifo", "device", "socket"]:
                with self.subTest(name=name, kind=kind):
                    self.write("x.h", "")
                    file = os.path.join(self.project, name)
                    self.place(file, kind)
                    code, _, err = self.check("--no-cache", ".")
                    if name == ".placecheck.yaml":
                        self.assertEqual(code, 2)
                        self.assertIn("not a regular file", err)
                    os.remove(file)

    def test_as_a_response_file(self):
        self.write("a.cpp", GOOD)
        os.mkfifo(os.path.join(self.project, "options"))
        for file in ["/dev/zero", os.path.join(self.project, "options")]:
            command = {"directory": self.project, "file": "a.cpp", "command": "c++ @%s a.cpp" % file}
            self.write("compile_commands.json", json.dumps([command]))
            code, out, _ = self.check("--no-cache", "a.cpp")
            self.assertEqual((code, "no findings in 1 file" in out), (0, True), out)

    def test_in_the_cache(self):
        self.write("a.cpp", fake_torch.BROKEN)
        cache = self.path("cache")
        plain = self.check("--cache-dir=" + cache, "a.cpp")
        self.assertEqual(plain[0], 1)
        for folder, _, names in os.walk(cache):
            for name in names:
                os.remove(os.path.join(folder, name))
                os.mkfifo(os.path.join(folder, name))
        self.assertEqual(self.check("--cache-dir=" + cache, "a.cpp"), plain)


class NothingRuns(Scratch):
    """No program is started, no plugin loaded, no file of the project written."""

    PROGRAMS = ["python3", "python", "c++", "g++", "clang++", "gcc", "cc", "ld", "nvcc", "ccache",
                "sh", "env", "nvptx-arch", "amdgpu-arch", "offload-arch", "pkg-config", "git"]

    def test_of_a_project_that_tries(self):
        tools = self.path("tools")
        mark = self.path("EXECUTED")
        os.makedirs(tools)
        for folder in [tools, self.project]:
            for name in self.PROGRAMS:
                program = os.path.join(folder, name)
                with open(program, "w", encoding="utf-8") as out:
                    out.write("#!/bin/sh\necho %s >>%s\n" % (name, mark))
                os.chmod(program, 0o755)
        self.environment["PATH"] = tools + ":/usr/bin:/bin"
        del self.environment["LIBTORCH"]
        modules = ["importlib.py", "os.py", "setup.py", "sitecustomize.py", "torch/__init__.py"]
        for name in modules:
            self.write(name, "open(%r, 'w').write('python')\n" % mark)
        self.write("evil.cfg", "-fplugin=evil.so\n")
        written = self.path("WRITTEN")
        flags = [
            "-fplugin=./evil.so", "-Xclang -load -Xclang ./evil.so", "-fpass-plugin=./evil.so",
            "-mllvm -load=./evil.so", "-specs=evil.specs", "-wrapper sh,-c", "-B.",
            "--gcc-toolchain=.", "-fuse-ld=./ld", "--config=evil.cfg", "--offload-arch=native",
            "-march=native", "-o %s" % written, "-MD -MF %s" % written, "-save-temps",
            "-ftime-trace=%s" % written, "-fproc-stat-report=%s" % written,
            "-fmodules -fmodules-cache-path=%s" % written, "-fcrash-diagnostics-dir=%s" % written,
            "-fsave-optimization-record=yaml -foptimization-record-file=%s" % written,
            "-serialize-diagnostics %s" % written, "-fdump-record-layouts", "-c -emit-llvm",
            "--analyze", "-fintegrated-cc1 -no-integrated-as", "-fno-integrated-cc1",
        ]
        compilers = ["./c++", "c++", "env CPATH=. ./c++", "ccache ./c++", "./nvcc", "sh -c c++"]
        commands = []
        for number, flag in enumerate(flags + compilers):
            name = "file%d.cpp" % number
            self.write(name, "int f%d() { return 0; }\n" % number)
            compiler = flag if flag in compilers else "./c++"
            rest = "" if flag in compilers else flag
            commands.append({"directory": self.project, "file": name,
                             "command": "%s %s -c %s" % (compiler, rest, name)})
        self.write("compile_commands.json", json.dumps(commands))
        before = self.content()
        code, out, err = self.check("--no-cache", "-j", "2", ".")
        self.assertEqual(code, 0, out + err)
        self.assertIn("no findings in %d files" % (len(commands) + len(modules)), out)
        self.assertFalse(os.path.exists(mark), "the project was executed")
        self.assertFalse(os.path.exists(written), "a file was written")
        self.assertEqual(self.content(), before)


class OneFileEndsAlone(Scratch):
    """What one file does to the parser ends the work on that file."""

    def setUp(self):
        super().setUp()
        self.write("good.cpp", fake_torch.BROKEN)

    def assert_good_is_reported(self, result, reason: str):
        code, out, err = result
        self.assertEqual(code, 2, out + err)
        self.assertIn("good.cpp:5:", out)
        self.assertIn("1 finding in 2 files", out)
        self.assertIn("placecheck: bad.cpp: ", err)
        self.assertIn(reason, err)

    def test_a_stack_that_overflows(self):
        self.write("bad.cpp", "int x = " + "-~" * 200000 + "1;\n")
        code, out, err = self.check("--no-cache", ".")
        self.assertIn("good.cpp:5:", out)
        self.assertIn(code, (1, 2), err)

    def test_a_parse_without_end(self):
        self.write("bad.cpp", fake_torch.ENDLESS)
        # Whichever is reached first, the time or the memory, depends on the machine.
        self.assert_good_is_reported(
            self.check("--no-cache", "--file-time-limit=2", "--file-memory=0", "."),
            "--file-time-limit")

    def test_memory(self):
        self.write("bad.cpp", fake_torch.ENDLESS)
        self.assert_good_is_reported(
            self.check("--no-cache", "--file-memory=400", "--file-time-limit=0", "."),
            "--file-memory")

    def test_why_says_it_too(self):
        self.write("bad.cpp", fake_torch.ENDLESS)
        code, out, _ = self.check("--file-time-limit=2", "--file-memory=0", "--why=bad.cpp")
        self.assertEqual(code, 2)
        self.assertIn("--file-time-limit", out)

    def test_the_file_is_looked_at_again(self):
        self.write("bad.cpp", fake_torch.ENDLESS)
        cache = "--cache-dir=" + self.path("cache")
        self.check(cache, "--file-time-limit=5", ".")
        self.write("bad.cpp", "int x;\n")
        self.assertEqual(self.check(cache, ".")[0], 1)

    def test_nested_settings(self):
        for name, text in [("compile_commands.json", "[" * 40000),
                           (".placecheck.yaml", "rules: " + "[" * 100000),
                           (".placecheck.yaml", "- " * 100000)]:
            with self.subTest(name=name):
                file = self.write(name, text)
                code, _, err = self.check("--no-cache", "good.cpp")
                self.assertEqual(code, 2 if name.endswith("yaml") else 1, err)
                self.assertIn(name, err)
                os.remove(file)
        baseline = self.write("baseline.json", "[" * 100000)
        self.assertEqual(self.check("--no-cache", "--baseline=" + baseline, "good.cpp")[0], 2)


class EveryFileIsLowered(Scratch):
    """What Clang gives for unusual code is not what the lowering crashes on."""

    def test_a_definition_in_an_included_part_of_a_module(self):
        self.write("orders.h", """
            namespace std {
            struct partial_ordering {
              int value;
              static const partial_ordering less, equivalent, greater, unordered;
            };
            inline constexpr partial_ordering partial_ordering::less = {-1};
            inline constexpr partial_ordering partial_ordering::equivalent = {0};
            inline constexpr partial_ordering partial_ordering::greater = {1};
            inline constexpr partial_ordering partial_ordering::unordered = {2};
            }
            """)
        self.write("a.cpp", """
            #pragma clang module build orders
            module orders {}
            #pragma clang module contents
            #pragma clang module begin orders
            #include "orders.h"
            #pragma clang module end
            #pragma clang module endbuild
            #pragma clang module import orders
            bool f() { auto x = 0.0 <=> 1.0; return x.value == 0; }
            """)
        code, out, err = self.check("--no-cache", "a.cpp", "--", "-std=c++20")
        self.assertEqual(code, 0, out + err)

    def test_a_parameter_whose_default_did_not_parse(self):
        self.write("a.cpp", """
            struct S { constexpr ~S(); };
            void f(const S& a) { [a](auto b) { ^{ (void)a; }(); }(12); }
            """)
        code, out, err = self.check("--no-cache", "a.cpp")
        self.assertEqual(code, 0, out + err)


class GrowsWithItsInput(Scratch):
    """What is four times as long takes four times as long, not sixteen times."""

    def seconds_for(self, text: str, name: str = "a.cpp") -> float:
        """Of processor time, which other work on the machine counts little in."""
        self.write(name, text)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        code, out, err = self.check("--no-cache", "--file-time-limit=0", name)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.assertEqual(code, 0, out + err)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def assert_grows_with_size(self, make, small: int = 800, name: str = "a.cpp"):
        base = self.seconds_for(GOOD)
        one = max(0.0, self.seconds_for(make(small), name) - base)
        four = self.seconds_for(make(4 * small), name) - base
        self.assertLess(four, 8 * one + 3)

    def test_lambdas_within_each_other(self):
        self.assert_grows_with_size(
            lambda n: "int main() { int y = 0;" + "[&]() {" * n + "y++;" + "}();" * n + "}\n", 200)

    def test_loops_by_goto_that_overlap(self):
        self.assert_grows_with_size(
            lambda n: "int x;\nint main() {\n" +
            "".join("l%d: if (x) goto l%d;\n" % (i, i * 3919 % n) for i in range(n)) + "}\n")

    def test_loops_within_each_other(self):
        self.assert_grows_with_size(lambda n: "x = [a " + "for a in a " * n + "]\n", 250, "a.py")

    def test_branches_of_one_chain(self):
        self.assert_grows_with_size(
            lambda n: "int x;\nint main() {\n" +
            "".join("if (x == %d) x = %d; else\n" % (i, i) for i in range(n)) + "x = 1; }\n", 500)

    def test_memory_of_variables_that_few_blocks_use(self):
        """One state of each block, with all variables in each, were two gigabytes."""
        self.write("a.cpp", "int x;\nint main() { x = " + "x ? 1 : " * 4000 + "2; }\n")
        megabytes = 512
        limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, [megabytes << 20] * 2)
        with self.start("--no-cache", "a.cpp", preexec_fn=limit) as process:
            _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 0, err)

    def test_names_that_double(self):
        """2^40 parts long, if all were written."""
        types = "".join("using T%d = P<T%d*[2], T%d*[2]>;\n" % (i, i - 1, i - 1)
                        for i in range(1, 40))
        self.seconds_for("template <class A, class B> struct P { A a; B b; };\nusing T0 = int;\n" +
                         types +
                         "int main() { return [](T39* x) { return x != nullptr; }(nullptr); }\n")

    def test_types_of_many_levels(self):
        self.seconds_for("template <int N> struct P { typedef typename P<N - 1>::type* type; };\n"
                         "template <> struct P<0> { typedef int type; };\nP<900>::type p;\n" + GOOD)
        self.seconds_for("int %sp;\n" % ("*" * 50000) + GOOD)

    def test_errors(self):
        self.assert_grows_with_size(
            lambda n: "int x;\nvoid f() {\n" + "".join("g%d(x);\n" % i for i in range(n)) +
            "}\n" + GOOD)


class CutShort(Scratch):
    """A run that is stopped reports what is known, and leaves nothing behind."""

    def setUp(self):
        super().setUp()
        self.write("a_good.cpp", fake_torch.BROKEN)
        self.write("bad.cpp", fake_torch.ENDLESS)

    def assert_no_process_is_left(self):
        """Of this test: one that works in its folder."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            left = []
            for process in filter(str.isdigit, os.listdir("/proc")):
                try:
                    if os.readlink("/proc/%s/cwd" % process) == os.path.realpath(self.project):
                        left.append(process)
                except OSError:
                    pass
            if not left:
                return
            time.sleep(0.1)
        self.fail("processes are left: " + " ".join(left))

    def wait_for_a_child(self, process):
        """Until the files that the cache knows are done, and the others are being parsed."""
        children = "/proc/%d/task/%d/children" % (process.pid, process.pid)
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            with open(children, encoding="utf-8") as opened:
                if opened.read().strip():
                    return
            time.sleep(0.05)
        self.fail("no file is being parsed")

    def test_by_a_signal(self):
        cache = "--cache-dir=" + self.path("cache")
        self.assertEqual(self.check(cache, "--no-context", "a_good.cpp")[0], 1)
        for number in [signal.SIGINT, signal.SIGTERM]:
            with self.subTest(signal=number):
                report = self.path("report.json")
                process = self.start(cache, "--file-time-limit=0", "-j", "2",
                                     "--format=json", "--output=" + report, ".")
                self.wait_for_a_child(process)
                process.send_signal(number)
                _, err = process.communicate(timeout=PATIENCE)
                self.assertEqual(process.returncode, 2, err)
                self.assertIn("stopped by a signal", err)
                with open(report, encoding="utf-8") as opened:
                    known = json.load(opened)
                self.assertEqual([each["status"] for each in known["files"]],
                                 ["understood", "not"])
                self.assertEqual(len(known["findings"]), 1)
                self.assert_no_process_is_left()

    def test_by_a_kill_that_cannot_be_handled(self):
        process = self.start("--no-cache", "--file-time-limit=0", ".")
        time.sleep(1)
        process.kill()
        process.communicate()
        self.assert_no_process_is_left()

    def test_by_its_time_limit(self):
        code, out, err = self.check("--no-cache", "--file-time-limit=0", "--time-limit=3", ".")
        self.assertEqual(code, 2)
        self.assertIn("time limit of 3 s", err)
        self.assertIn("bad.cpp: not understood: not looked at", out)

    def test_by_a_reader_that_goes_away(self):
        reading, writing = os.pipe()
        os.close(reading)
        process = self.start("--no-cache", "a_good.cpp", stdout=writing)
        os.close(writing)
        _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(process.returncode, 2)
        self.assertIn("cannot write to standard output", err)

    def test_by_a_full_disk(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        for name in ["stdout", "stderr"]:
            with open("/dev/full", "w", encoding="utf-8") as full:
                process = self.start("--no-cache", "-p", "nowhere", "a_good.cpp", **{name: full})
                process.communicate(timeout=PATIENCE)
            self.assertEqual(process.returncode, 2, name)


class Caches(Scratch):
    """A cache that others could write to is not used, and no home is made for one."""

    def setUp(self):
        super().setUp()
        self.write("a.cpp", fake_torch.BROKEN)

    def test_that_others_may_write_to(self):
        cache = self.path("cache")
        os.makedirs(cache)
        os.chmod(cache, 0o777)
        code, _, err = self.check("--cache-dir=" + cache, "a.cpp")
        self.assertEqual(code, 1)
        self.assertIn("other users may write to it", err)
        self.assertEqual(os.listdir(cache), [])

    def test_of_another_user(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a folder away")
        cache = self.path("cache")
        os.makedirs(cache, 0o700)
        try:
            os.chown(cache, 12345, 12345)
        except OSError:
            self.skipTest("no other user is known here")
        _, _, err = self.check("--cache-dir=" + cache, "a.cpp")
        self.assertIn("belongs to another user", err)
        self.assertEqual(os.listdir(cache), [])

    def test_is_private(self):
        cache = self.path("cache")
        self.check("--cache-dir=" + cache, "a.cpp")
        entries = 0
        for folder, _, names in os.walk(cache):
            for each in [folder] + [os.path.join(folder, name) for name in names]:
                self.assertEqual(os.stat(each).st_mode & 0o077, 0, each)
                entries += 1
        self.assertGreater(entries, 2)

    def test_in_a_home_that_does_not_exist(self):
        self.environment["HOME"] = self.path("nobody")
        self.assertEqual(self.check("a.cpp")[0], 1)
        self.assertFalse(os.path.exists(self.path("nobody")))


class NothingIsHidden(Scratch):
    """What was not looked at is counted, named, and no success."""

    def test_what_is_too_large(self):
        body = "".join("auto x%d = torch::ones({2});\n" % i for i in range(3000))
        self.write("a.cpp", "#include <torch/torch.h>\ntorch::Tensor f(int n) {\n" + body +
                   "".join("if (n == %d) x%d = x0 + x1;\n" % (i, i) for i in range(1000)) +
                   "return x0; }\nint main() { f(1); }\n")
        _, out, err = self.check("--no-cache", "--quiet", "a.cpp")
        _, report, _ = self.check("--no-cache", "--format=json", "a.cpp")
        report = json.loads(report)
        if report["summary"]["programs_too_large"] == 0:
            self.skipTest("it is not too large any more")
        self.assertIn("too large to follow every path", err)
        self.assertEqual(report["too_large"], ["a.cpp"])
        self.assertEqual(self.check("--no-cache", "--require-understanding", "a.cpp")[0], 2)


if __name__ == "__main__":
    unittest.main()
