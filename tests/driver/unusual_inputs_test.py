#!/usr/bin/env python3
"""A sample of what Clang's and GCC's test suites, generated monsters and mutated programs do to a run.

The suites themselves are run by hand. Here each file is small, but of a kind that once ended a run or
took minutes: nothing may crash, run into a limit, or be left out.

usage: unusual_inputs_test.py ANALYZER
"""
import glob
import json
import os
import random
import sys
import unittest
import zlib

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from scratch import Scratch  # noqa: E402

TESTDATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../testdata")


def times(count, text):
    """`text` for each number; "%d" is the number, "%p" the one before."""
    return "".join(text.replace("%d", str(i)).replace("%p", str(i - 1)) for i in range(1, count + 1))


# What is long, deep or wide: by extension, so that all of it can lie in one folder.
MONSTERS = {
    "parentheses.cpp": "int x = " + "(" * 200 + "1" + ")" * 200 + ";\n",
    "unary.cpp": "int x = " + "-~!" * 400 + "1;\n",
    "sum.cpp": "int f(int x) { return x" + " + x" * 2000 + "; }\n",
    "commas.cpp": "int f(int x) { return " + "x, " * 2000 + "x; }\n",
    "conditional.cpp": "int f(int x) { return " + "x ? 1 : " * 700 + "2; }\n",
    "conditional_left.cpp": "int f(int x) { return " + "(x ? " * 150 + "x" + " : 1)" * 150 + "; }\n",
    "and.cpp": "int f(int x) { return " + "x && " * 1000 + "x; }\n",
    "blocks.cpp": "void f() " + "{" * 200 + "}" * 200 + "\n",
    "ifs.cpp": "int f(int x) {" + "if (x) {" * 200 + "x++;" + "}" * 200 + " return x; }\n",
    "loops.cpp": "int f(int x) {" + "while (x) {" * 80 + "x--;" + "}" * 80 + " return x; }\n",
    "else_if.cpp": "int f(int x) {" + times(700, "if (x == %d) x = %d; else\n") + "x = 0; return x; }\n",
    "switch.cpp": "int f(int x) { switch (x) {" + times(2000, "case %d: x += %d;\n") + "} return x; }\n",
    "gotos.cpp": "int x; void f() {" + times(500, "l%d: if (x) goto l%d;\n") +
                 times(499, "if (x) goto l%d;\n") + "}\n",
    "labels_as_values.cpp": "void f(int i) { void* p[] = {&&a, &&b}; goto *p[i]; a: i++; b: i--; }\n",
    "statement.cpp": "int f(int x) { return " + "({ " * 60 + "x;" + " });" * 59 + " }); }\n",
    "lambdas.cpp": "int f(int y) {" + "[&]() {" * 80 + "y++;" + "}();" * 80 + "return y; }\n",
    "generic_lambdas.cpp": "auto f = " + "[](auto x) { return " * 30 + "1" + "; }" * 30 + ";\n",
    "captures.cpp": "int f(int x) { return [x, y = x, &z = x, w = [x] { return x; }] mutable {"
                    " y = z; return x + y + w(); }(); }\n",
    "pointers.cpp": "int " + "*" * 2000 + "p;\n",
    "arrays.cpp": "int a" + "[2]" * 20 + "; int f() { return a" + "[1]" * 20 + "; }\n",
    "functions.cpp": times(1500, "int f%d(int x) { return x + %d; }\n"),
    "calls.cpp": "int f0(int x) { return x; }\n" + times(40, "int f%d(int x) { return f%p(f%p(x)); }\n"),
    "arguments.cpp": "void g(...); void f(int x) { g(x" + ", x" * 3000 + "); }\n",
    "parameters.cpp": "void f(int x0" + times(1000, ", int x%d") + ") { x0 = x1000; }\n",
    "classes.cpp": "struct C0 { int x; };\n" + times(300, "struct C%d : C%p { int y%d = x; };\n") +
                   "int f() { return C300().y7; }\n",
    "diamonds.cpp": "struct C0 { int x; };\n" +
                    times(12, "struct L%d : virtual C%p {}; struct R%d : virtual C%p {};\n"
                              "struct C%d : L%d, R%d {};\n") + "int f(C12& c) { return c.x; }\n",
    "members.cpp": "struct S {" + times(2000, "int x%d = %d;\n") + "}; S s; S f() { return s; }\n",
    "nested_classes.cpp": times(150, "struct C%d {\n") + "int x;" + "};" * 150 + "\n",
    "namespaces.cpp": times(150, "namespace n%d {\n") + "int x;" + "}" * 150 + "\n",
    "templates.cpp": "template <int N> struct F { static int f() { return F<N - 1>::f(); } };\n"
                     "template <> struct F<0> { static int f() { return 0; } };\n"
                     "int x = F<300>::f();\n",
    "doubling.cpp": "template <class A, class B> struct P { A a; B b; };\nusing T0 = int;\n" +
                    times(25, "using T%d = P<T%p*, T%p*>;\n") + "T25* p; T25* f() { return p; }\n",
    "packs.cpp": "template <class... A> int f(A... a) { return (0 + ... + a); }\n"
                 "int x = f(1" + ", 1" * 500 + ");\n",
    "constexpr.cpp": "constexpr int f(int n) { return n < 2 ? n : f(n - 1) + f(n - 2); }\n"
                     "static_assert(f(15) == 610); int x[f(10)];\n",
    "macros.cpp": "#define M0(x) x + x\n" + times(12, "#define M%d(x) M%p(M%p(x))\n") +
                  "int f(int y) { return M3(y); }\n#if M4(1)\n#endif\n",
    "enumerators.cpp": "enum E {" + times(3000, "e%d = %d,\n") + "}; E f() { return e7; }\n",
    "initializers.cpp": "int a[] = {" + "1, " * 20000 + "};\n",
    "nested_initializers.cpp": "int a" + "[1]" * 60 + " = " + "{" * 60 + "1" + "}" * 60 + ";\n",
    "designators.cpp": "struct S { int x, y; struct { int z; } s; };\n"
                       "S a{.x = 1, .s = {.z = 2}}; int b[] = {[3] = 1, [1 ... 2] = 4};\n",
    "string.cpp": 'const char* s = "' + "x" * 100000 + '";\n',
    "strings.cpp": "const char* s = " + '"x" ' * 5000 + ";\n",
    "identifier.cpp": "int " + "x" * 50000 + ";\n",
    "comments.cpp": "/* " * 5000 + "*/ int x;\n" + "//\\\n" * 5000 + "\nint y;\n",
    "raw.cpp": 'const char* s = R"d(' + ")d " * 500 + ')d";\n',
    "bytes.cpp": "int x; // \\xff\\xfe\\x00\nint y\\x01;\n",
    "bit_fields.cpp": "struct S { int : 0; int x : 3; unsigned y : 33; }; int f(S s) { return s.x; }\n",
    "coroutine.cpp": "struct T { struct promise_type; }; T f() { co_await 1; co_return; co_yield 2; }\n",
    "concepts.cpp": "template <class T> concept C = requires(T t) { t.x; requires sizeof(T) == 4; };\n"
                    "struct S { int x; }; template <C T> int f(T t) { return t.x; } int y = f(S{});\n",
    "bindings.cpp": "struct S { int x, y; }; int f(S s) { auto [a, b] = s; return a + b; }\n",
    "exceptions.cpp": "int f(int x) {" + "try {" * 80 + "throw x;" + "} catch (int) { x++; }" * 80 +
                      " return x; }\n",
    "function_try.cpp": "struct S { S() try : x(1) {} catch (...) {} int x; }; S s;\n",
    "vla.cpp": "int f(int n) { int a[n][n]; return sizeof(a) + a[0][1]; }\n",
    "variable_template.cpp": "template <class T> T v = T(1); int x = v<int> + v<char>;\n",
    "operators.cpp": "struct S { S& operator[](int); S& operator()(int); S* operator->(); int x;\n"
                     "operator int(); }; int f(S s) { return s[1](2)->x + s; }\n",
    "member_pointers.cpp": "struct S { int x; int f(); }; int g(S* s, int S::*p, int (S::*q)()) {"
                           " return s->*p + (s->*q)(); }\n",
    "this.cpp": "struct S { int x; S* p = this; int f(this S& s) { return s.p->p->x; } };\n",
    "unfinished.cpp": "template <class T struct S { int f( { return [=](; } namespace\n",
    "errors.cpp": "void f() {" + times(1500, "g%d(x%d);\n") + "}\n",
    "braces.cpp": "}" * 3000 + "{" * 100 + "\n",
    "kernel.cu": "__global__ void k(int* x) { *x = 1; } int f(int* x) { k<<<1, 2>>>(x); return 0; }\n",
    "parentheses.py": "x = " + "(" * 150 + "1" + ")" * 150 + "\n",
    "lists.py": "x = " + "[" * 300 + "]" * 300 + "\n",
    "not.py": "x = " + "not " * 3000 + "y\n",
    "sum.py": "x = 1" + " + 1" * 5000 + "\n",
    "chain.py": "import torch\nx = torch.ones(2)" + ".to('cuda').cpu()" * 500 + "\n",
    "ifs.py": "".join("  " * i + "if x:\n" for i in range(95)) + "  " * 95 + "pass\n",
    "elifs.py": "if x == 0: pass\n" + times(1500, "elif x == %d: y = %d\n"),
    "lambdas.py": "f = " + "lambda x: " * 150 + "x\n",
    "comprehension.py": "x = [a " + "for a in a " * 100 + "]\n",
    "functions.py": times(1500, "def f%d(x):\n    return f%p(x)\n"),
    "classes.py": "class C0: pass\n" + times(300, "class C%d(C%p):\n    x = C%p\n"),
    "cycle.py": "class A(B): pass\nclass B(A): pass\nx = A()\ny = y\nimport cycle\nfrom cycle import *\n",
    "f_string.py": "x = f'" + "{1}" * 2000 + "'\n",
    "arguments.py": "f(*a, **b" + times(1000, ", x%d=%d") + ")\n",
    "literals.py": "x = {" + times(5000, "%d: [%d],") + "}\n",
    "decorators.py": times(300, "@d%d\n") + "def f(): pass\n",
    "match.py": "match x:\n" + times(500, "    case [%d, *y]: z = y\n"),
    "walrus.py": "x = " + "(y := " * 80 + "1" + ")" * 80 + "\n",
    "bytes.py": "x = '\x01\x0b\x0c'\ny = \x7f\x1b\n",
    "tabs.py": "if x:\n\ty = 1\n        z = 2\n  w = 3\n",
    "unfinished.py": "def f(x, (y:\n    return [x for\nclass\n  '''",
    "notebook.ipynb": '{"cells": [{"cell_type": "code", "source": ["%time x = (", "\\n", "!ls"]}]}',
    "nested.ipynb": '{"cells": ' + "[" * 5000,
}

# What a mutation puts in: what opens, closes or ends something, and bytes that no program has.
PARTS = [b"{", b"}", b"(", b")", b"[", b"]", b"<", b">", b'"', b"'", b"\\", b"\n", b"\n    ", b"#", b"/*",
         b":", b";", b",", b"=", b"*", b"&", b"...", b"\xff\xfe", b"\xe2\x80\xa8", b"template<",
         b"operator", b"lambda ", b"def f(", b"class ", b"return ", b"self.", b"async ", b'"""']


def mutated(text: bytes, dice: random.Random) -> bytes:
    at, other = sorted(dice.randrange(len(text) + 1) for _ in range(2))
    lines = text.split(b"\n")
    kind = dice.randrange(6)
    if kind == 0:
        return text[:at]
    if kind == 1:
        return text[:at] + text[min(other, at + 200):]
    if kind == 2:
        return text[:at] + dice.choice(PARTS) * dice.choice([1, 1, 2, 50]) + text[at:]
    if kind == 3:
        return text[:at] + bytes([dice.randrange(256)]) + text[at + 1:]
    first, second = (dice.randrange(len(lines)) for _ in range(2))
    if kind == 4:
        lines[first], lines[second] = lines[second], lines[first]
    else:
        lines[first:first] = lines[min(first, second):max(first, second)]
    return b"\n".join(lines)


class UnusualInputs(Scratch):

    def assert_nothing_is_lost(self, files, *arguments: str):
        code, out, err = self.check("--no-cache", "--no-context", "--format=json", "-j", "2", *arguments)
        self.assertIn(code, (0, 1, 2))
        # Notes apart, nothing is to be said: no crash, no limit, no function left out.
        self.assertEqual([line for line in err.splitlines()
                          if not line.startswith("placecheck: note: ")], [])
        report = json.loads(out)
        self.assertEqual(sorted(each["path"] for each in report["files"]), sorted(files))
        return report

    def test_monsters(self):
        for name, text in MONSTERS.items():
            self.write("m/" + name, text)
        report = self.assert_nothing_is_lost(["m/" + name for name in MONSTERS], "m")
        understood = {each["path"]: each["status"] for each in report["files"]}
        # Most of it is lawful, and understood.
        self.assertGreater(sum(each == "understood" for each in understood.values()),
                           len(MONSTERS) * 3 / 4, understood)

    def test_mutants(self):
        # By their names alone: another fixture leaves the mutants of these as they are.
        fixtures = sorted((each for kind in ("py", "cc", "cu")
                           for each in glob.glob("%s/*/*.%s" % (TESTDATA, kind))),
                          key=lambda path: zlib.crc32(os.path.basename(path).encode()))
        self.assertGreater(len(fixtures), 100)
        names = []
        for number, fixture in enumerate(fixtures[:100]):
            dice = random.Random(os.path.basename(fixture))
            with open(fixture, "rb") as opened:
                # With all of a library each would take seconds.
                text = opened.read().replace(b"<torch/torch.h>", b"<tiny_torch.h>")
            for turn in range(2):
                # With a zero byte it would be no text.
                text = mutated(text, dice).replace(b"\0", b" ")
                names.append("m/%d_%d%s" % (number, turn, os.path.splitext(fixture)[1]))
                file = os.path.join(self.project, names[-1])
                os.makedirs(os.path.dirname(file), exist_ok=True)
                with open(file, "wb") as out:
                    out.write(text)
        self.assert_nothing_is_lost(names, "m")

    def test_notebooks(self):
        """A program that is a cell of a notebook has the findings that it has as a file."""
        fixtures = sorted(glob.glob("%s/*/*.py" % TESTDATA))
        self.assertGreater(len(fixtures), 100)
        for fixture in fixtures:
            with open(fixture, encoding="utf-8") as opened:
                # A notebook shows the value of a cell's last line, which uses it.
                text = opened.read() + "\nprint()\n"
            name = os.path.splitext(os.path.relpath(fixture, TESTDATA))[0]
            cell = {"cell_type": "code", "source": text.splitlines(keepends=True)}
            self.write("n/" + name + ".py", text)
            self.write("n/" + name + ".ipynb", json.dumps({"cells": [cell]}, indent=1))
        found = {".py": [], ".ipynb": []}
        for kind, findings in found.items():
            files = sorted(os.path.join(folder, each) for folder, _, names in os.walk(self.path("project/n"))
                           for each in names if each.endswith(kind))
            for each in self.assert_nothing_is_lost(
                    [os.path.relpath(file, self.project) for file in files], *files)["findings"]:
                # The source begins in the fifth line of the notebook.
                line = each["line"] - (0 if kind == ".py" else 5)
                findings.append((os.path.splitext(each["file"])[0], line, each["rule"]))
        self.assertGreater(len(found[".py"]), 100)
        self.assertEqual(sorted(set(found[".py"]) ^ set(found[".ipynb"])), [])


if __name__ == "__main__":
    unittest.main()
