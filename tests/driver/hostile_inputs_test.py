#!/usr/bin/env python3
"""Projects that mean harm, and runs that are cut short: each promise of SECURITY.md has a test.

usage: hostile_inputs_test.py ANALYZER
"""
import json
import os
import resource
import signal
import socket
import sys
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import fake_torch  # noqa: E402
from scratch import GOOD, PATIENCE, Scratch  # noqa: E402


# What would load, start or write something, WRITTEN for instance, were it obeyed.
HARMFUL_FLAGS = [
    "-fplugin=./evil.so", "-Xclang -load -Xclang ./evil.so", "-fpass-plugin=./evil.so",
    "-mllvm -load=./evil.so", "-specs=evil.specs", "-wrapper sh,-c", "-B.",
    "--gcc-toolchain=.", "-fuse-ld=./ld", "--config=evil.cfg", "--offload-arch=native",
    "-march=native", "-o WRITTEN", "-MD -MF WRITTEN", "-save-temps",
    "-ftime-trace=WRITTEN", "-fproc-stat-report=WRITTEN",
    "-fmodules -fmodules-cache-path=WRITTEN", "-fcrash-diagnostics-dir=WRITTEN",
    "-fsave-optimization-record=yaml -foptimization-record-file=WRITTEN",
    "-serialize-diagnostics WRITTEN", "-fdump-record-layouts", "-c -emit-llvm",
    "--analyze", "-fintegrated-cc1 -no-integrated-as", "-fno-integrated-cc1",
]

MB = 1 << 20


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


class Sizes(Scratch):
    """What is larger than the page says is not read, and named; what is as large is read."""

    SOURCE = 64 * MB
    SETTINGS = 4 * MB
    DATABASE = 1024 * MB

    def fill(self, name: str, size: int, text: str = "", line: str = "") -> str:
        """`text`, and then lines, or nothing that takes room on the disk."""
        file = self.write(name, text)
        with open(file, "a", encoding="utf-8") as out:
            if line:
                count, rest = divmod(size - len(text), len(line))
                for _ in range(count // 1000):
                    out.write(line * 1000)
                out.write(line * (count % 1000) + "\n" * rest)
            out.truncate(size)
        self.assertEqual(os.path.getsize(file), size)
        return file

    def test_of_sources(self):
        for name, comment in [("a.cpp", "//"), ("a.py", "# ")]:
            line = comment + "x" * 997 + "\n"
            file = self.fill(name, self.SOURCE, "int x;\n" if name == "a.cpp" else "x = 1\n", line)
            with self.subTest(name=name):
                code, out, err = self.check("--no-cache", name)
                self.assertEqual((code, out), (0, "placecheck: no findings in 1 file\n"), err)
                os.truncate(file, self.SOURCE + 1)
                code, out, err = self.check("--no-cache", name)
                self.assertEqual(code, 2, out + err)
                self.assertIn(name + ": not understood: ", out)
                self.assertRegex(out, "File too large|larger than 64 MB")
            os.remove(file)

    def test_of_headers(self):
        self.fill("large.h", self.SOURCE + 1)
        self.write("a.cpp", '#include "large.h"\n' + GOOD)
        code, out, err = self.check("--no-cache", "--require-understanding", "a.cpp")
        self.assertEqual(code, 2, err)
        self.assertIn("large.h': File too large", out)

    def test_of_settings(self):
        self.write("a.cpp", GOOD)
        for name, arguments in [(".placecheck.yaml", []), ("models.yaml", ["--models=models.yaml"])]:
            file = self.fill(name, self.SETTINGS, "{}\n", "# comment\n")
            with self.subTest(name=name):
                _, _, err = self.check("--no-cache", *arguments, "a.cpp")
                self.assertNotIn("larger", err)
                os.truncate(file, self.SETTINGS + 1)
                code, _, err = self.check("--no-cache", *arguments, "a.cpp")
                self.assertEqual(code, 2)
                self.assertIn("larger than 4 MB", err)
            os.remove(file)

    def test_of_compile_databases_and_baselines(self):
        self.write("a.cpp", GOOD)
        database = self.fill("compile_commands.json", self.DATABASE + 1)
        code, _, err = self.check("--no-cache", "a.cpp")
        self.assertEqual(code, 0, err)
        self.assertIn("larger than 1024 MB; flags are guessed instead", err)
        os.rename(database, os.path.join(self.project, "baseline.json"))
        code, _, err = self.check("--no-cache", "--baseline=baseline.json", "a.cpp")
        self.assertEqual(code, 2)
        self.assertIn("larger than 1024 MB", err)


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
        compilers = ["./c++", "c++", "env CPATH=. ./c++", "ccache ./c++", "./nvcc", "sh -c c++"]
        commands = []
        for number, flag in enumerate(HARMFUL_FLAGS + compilers):
            name = "file%d.cpp" % number
            self.write(name, "int f%d() { return 0; }\n" % number)
            compiler = flag if flag in compilers else "./c++"
            rest = "" if flag in compilers else flag.replace("WRITTEN", written)
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


class Settings(Scratch):
    """What `.placecheck.yaml` of a project may not say."""

    def test_have_no_outputs_and_name_no_other_file(self):
        self.write("a.cpp", GOOD)
        self.write("other.yaml", "rules: [device-mismatch]\n")
        before = self.content()
        for key in ["output", "write_baseline", "update_baseline", "baseline", "emit_unit", "cache_dir",
                    "cache-dir", "fix", "config", "models", "units", "plugins", "format"]:
            with self.subTest(key=key):
                file = self.write(".placecheck.yaml", "%s: other.yaml\n" % key)
                code, _, err = self.check("a.cpp")
                self.assertEqual(code, 2)
                self.assertIn("unknown key '%s'" % key, err)
                os.remove(file)
                self.assertEqual(self.content(), before)
        self.write(".placecheck.yaml", "inherit: other.yaml\n")
        self.assertEqual(self.check("a.cpp")[0], 2)

    def test_flags_start_and_write_nothing(self):
        written = self.path("WRITTEN")
        mark = self.path("EXECUTED")
        for name in ["ld", "c++", "clang++", "nvptx-arch"]:
            file = self.write(name, "#!/bin/sh\necho >>%s\n" % mark)
            os.chmod(file, 0o755)
        self.environment["PATH"] = self.project + ":/usr/bin:/bin"
        self.write("a.cpp", GOOD)
        flags = [each for flag in HARMFUL_FLAGS for each in flag.replace("WRITTEN", written).split()]
        self.write(".placecheck.yaml", "flags: %s\n" % json.dumps(flags))
        before = self.content()
        code, out, err = self.check("--no-cache", "a.cpp")
        self.assertEqual((code, out), (0, "placecheck: no findings in 1 file\n"), err)
        self.assertFalse(os.path.exists(written))
        self.assertFalse(os.path.exists(mark))
        self.assertEqual(self.content(), before)

    def test_flags_come_from_no_other_file(self):
        self.write("a.cpp", "#ifdef WRONG\n" + fake_torch.BROKEN + "#endif\n")
        self.write("flags", "-DWRONG\n")
        for flags, found in [(["-DWRONG"], 1), (["@flags"], 0), (["--config=flags"], 0),
                             (["--config", "flags"], 0), (["--options-file", "flags"], 0),
                             (["-Xclang", "@flags"], 0), (["-Wp,@flags"], 0)]:
            with self.subTest(flags=flags):
                self.write(".placecheck.yaml", "flags: %s\n" % json.dumps(flags))
                code, out, err = self.check("--no-cache", "a.cpp")
                self.assertEqual(code, found, out + err)

    def test_flags_for_code_that_is_never_made_do_no_harm(self):
        """Clang's driver ends the process on these."""
        self.write("a.cpp", GOOD)
        for flag in ["-ftrivial-auto-var-init-max-size=x", "-ftrivial-auto-var-init-stop-after=x"]:
            with self.subTest(flag=flag):
                self.write(".placecheck.yaml", "flags: [%s]\n" % flag)
                code, out, err = self.check("--no-cache", "a.cpp")
                self.assertEqual(code, 0, out + err)


class Fixes(Scratch):
    """--fix changes what the user named and the project's headers that this includes, nothing else."""

    DROPPED = """\
#include <tiny_torch.h>
inline void %s(torch::Tensor batch) {
  batch.to(c10::Device(torch::kCUDA));
}
"""

    def setUp(self):
        super().setUp()
        self.outside = self.path("outside")
        os.makedirs(self.outside)
        for name in ["header.h", "linked.cpp", "linked.h", "presumed.cpp", "helper.py"]:
            text = self.DROPPED % name[:-2].replace(".", "_")
            if name.endswith(".py"):
                text = "def move(batch):\n    batch.to('cuda')\n"
            with open(os.path.join(self.outside, name), "w", encoding="utf-8") as out:
                out.write(text)
        self.write("own.h", self.DROPPED % "own")
        self.write("other.cpp", self.DROPPED % "other")
        self.write("a.cpp", '#include "own.h"\n#include "../outside/header.h"\n#include "linked.h"\n' +
                   (self.DROPPED % "a") + '#line 2 "%s/presumed.cpp"\n' % self.outside +
                   (self.DROPPED % "line").partition("\n")[2])
        for name in ["linked.cpp", "linked.h"]:
            os.symlink("../outside/" + name, os.path.join(self.project, name))
        self.write("helper.py", "def move(batch):\n    batch.to('cuda')\n")
        self.write("main.py", "import torch\nfrom helper import move\nx = torch.ones(2)\n"
                   "x.to('cuda')\nmove(x)\n")

    def changed_by(self, *arguments: str):
        before = self.everything()
        code, out, err = self.check("--no-cache", "--fix", *arguments)
        self.assertIn(code, (0, 1), out + err)
        after = self.everything()
        self.assertEqual(before.keys(), after.keys())
        return sorted(os.path.relpath(each, self.root) for each in before
                      if before[each] != after[each])

    def everything(self):
        """By real path."""
        found = {os.path.realpath(file): text for file, text in self.content().items()}
        for name in os.listdir(self.outside):
            with open(os.path.join(self.outside, name), "rb") as opened:
                found[os.path.realpath(opened.name)] = opened.read()
        return found

    def test_of_a_file(self):
        self.assertEqual(self.changed_by("a.cpp"), ["project/a.cpp", "project/own.h"])

    def test_of_a_python_file_leave_what_it_imports(self):
        self.assertEqual(self.changed_by("main.py"), ["project/main.py"])

    def test_of_a_folder_do_not_follow_links_out_of_it(self):
        self.assertEqual(self.changed_by("."), [
            "project/" + name for name in ["a.cpp", "helper.py", "main.py", "other.cpp", "own.h"]])

    def test_of_a_link_that_was_named(self):
        self.assertEqual(self.changed_by("linked.cpp"), ["outside/linked.cpp"])

    def test_of_a_folder_named_through_a_link(self):
        os.symlink("project", self.path("alias"))
        changed = self.changed_by("../alias")
        self.assertIn("project/a.cpp", changed)
        self.assertEqual([each for each in changed if not each.startswith("project/")], [])


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

    def test_what_ended_at_a_limit_is_kept_until_a_header_changes(self):
        self.write("slow.h", fake_torch.ENDLESS)
        self.write("bad.cpp", '#include "slow.h"\n')
        given = ["--cache-dir=" + self.path("cache"), "--file-time-limit=2", "--file-memory=0", "."]
        first = self.check(*given)
        self.assert_good_is_reported(first, "--file-time-limit")
        self.assertEqual(self.check(*given), first)
        self.write("slow.h", "int x;\n")
        self.assertEqual(self.check(*given)[0], 1)

    def test_a_python_file_is_looked_at_again(self):
        self.write("bad.py", "x = " + "+".join("f(%d)" % i for i in range(3000000)) + "\n")
        given = ["--cache-dir=" + self.path("cache"), "--file-time-limit=1", "--file-memory=0", "."]
        self.assertIn("placecheck: bad.py: not done after 1 s", self.check(*given)[2])
        self.write("bad.py", "x = 1\n")
        code, out, err = self.check(*given)
        self.assertEqual(code, 1, out + err)

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
        self.assertEqual(self.code_with_memory(512), 0)

    def test_memory_of_branches_of_many_conditions(self):
        """States to which nothing comes back were kept: 700 MB of them."""
        def condition(depth, number):
            if depth == 0:
                return "(x[%d] ? %d : %d)" % (number % 7, number, number + 1)
            one, other = (condition(depth - 1, 2 * number + i) for i in (1, 2))
            return "(x[%d] && %s || (y(%d) ? %s : %s))" % (number % 7, one, number, one, other)
        self.write("a.cpp", "int x[7]; int y(int);\nint main() {\n  int r = 0;\n" +
                   "".join("  r += %s;\n" % condition(4, i) for i in range(60)) + "  return r;\n}\n")
        self.assertEqual(self.code_with_memory(512), 0)

    def code_with_memory(self, megabytes: int) -> int:
        limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, [megabytes << 20] * 2)
        with self.start("--no-cache", "a.cpp", preexec_fn=limit) as process:
            _, err = process.communicate(timeout=PATIENCE)
        self.assertEqual(err, "")
        return process.returncode

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
        """Calls are followed 48 deep."""
        self.write("a.cpp", "#include <tiny_torch.h>\nusing torch::Tensor;\n"
                   "Tensor f0(Tensor x) { return x + x; }\n" +
                   "".join("Tensor f%d(Tensor x) { return f%d(x); }\n" % (i, i - 1)
                           for i in range(1, 60)) +
                   "int main() { f59(torch::ones({2})); }\n")
        code, out, err = self.check("--no-cache", "--quiet", "a.cpp")
        self.assertEqual((code, out), (0, ""))
        self.assertIn("a.cpp: too large to follow every path", err)
        _, out, _ = self.check("--no-cache", "a.cpp")
        self.assertIn("1 program too large to follow every path in f12", out)
        _, report, _ = self.check("--no-cache", "--format=json", "a.cpp")
        report = json.loads(report)
        self.assertEqual(report["summary"]["programs_too_large"], 1)
        self.assertEqual(report["too_large"], ["a.cpp"])
        self.assertEqual(report["functions_too_large"],
                         [{"name": "f12", "file": "a.cpp", "line": 15}])
        self.assertEqual(self.check("--no-cache", "--require-understanding", "a.cpp")[0], 2)


if __name__ == "__main__":
    unittest.main()
