#!/usr/bin/env python3
"""Edits a small project at random; after each step a run with a cache must say what one without says.

usage: random_edits_test.py ANALYZER [STEPS [SEED]]
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../driver"))
import fake_torch  # noqa: E402

# Where a tensor is made decides what is found; both spellings have the same length.
DEVICES = ["torch::kCUDA", "torch::kCPU "]


# The same in Python.
PLACES = ["'cuda'", "'cpu' "]
PYTHON = """\
import torch
from helper import make, place
a = torch.ones(2, device=place)
b = make()
c = a + b
d = torch.ones(2, device='cuda:1') + torch.ones(2, device='cuda:2')
"""

# One program of a folder writes the checkpoint that another one reads.
SAVED = ["net", "torch.nn.DataParallel(net)"]
SAVE = """\
import torch
net = torch.nn.Linear(2, 2)
torch.save(%s.state_dict(), 'net.pt')
"""
LOAD = """\
import torch
net = torch.nn.Linear(2, 2)
net.load_state_dict(torch.load('net.pt'))
"""


def notebook(text: str) -> str:
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "source": text,
            "execution_count": None}
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


class Project:
    """Projects beside each other, one with a vendored folder, one in Python, and a library."""

    FOLDERS = ["one", "one/third_party/lib", "two"]
    # The paths that a run may be given.
    NAMED = [["one"], ["two"], ["one", "two"], ["one/main.cpp"], ["one/main.cpp", "two"],
             ["one/main.cpp", "one/third_party/lib"], ["one/third_party/lib"], ["."],
             ["three"], ["three/train.py"], ["three/notes.ipynb"], ["three/train.py", "one"]]

    def __init__(self, root: str, dice: random.Random):
        self.root = root
        self.dice = dice
        self.flags = []
        self.options = []
        self.working_folder = root
        for folder in self.FOLDERS:
            os.makedirs(os.path.join(root, folder))
            self.write(folder + "/helper.h", self.helper())
        for top in ["one", "two"]:
            self.write(top + "/WORKSPACE", "")
        self.write("one/main.cpp", self.main())
        self.write("one/extra.cpp", "int extra() { return 1; }\n")
        self.write("two/main.cpp", '#include "helper.h"\nint main() { helper(); }\n')
        self.write("one/third_party/lib/lib.cpp", "int lib() { return 1; }\n")
        os.makedirs(self.path("three"))
        self.write("three/WORKSPACE", "")
        self.write("three/helper.py", self.python_helper())
        self.write("three/train.py", PYTHON)
        self.write("three/notes.ipynb", notebook(PYTHON))
        self.write("three/save.py", SAVE % "net")
        self.write("three/load.py", LOAD)

    def path(self, name: str) -> str:
        return os.path.join(self.root, name)

    def write(self, name: str, text: str):
        with open(self.path(name), "w", encoding="utf-8") as out:
            out.write(text)

    def helper(self) -> str:
        return ("#pragma once\n#include <torch/torch.h>\ninline torch::Tensor helper() {\n"
                "  auto x = torch::ones({2}, %s);\n  auto y = torch::ones({2}, %s);\n"
                "  return x + y;\n}\n" % (self.dice.choice(DEVICES), self.dice.choice(DEVICES)))

    def main(self) -> str:
        header = self.dice.choice(["helper.h", "third_party/lib/helper.h", "../two/helper.h"])
        return ('#include "%s"\nint main() {\n  auto x = torch::ones({2}, %s);\n'
                "  auto y = torch::ones({2}, %s);\n  auto z = x + y;\n  auto w = x + helper();\n}\n" %
                (header, self.dice.choice(DEVICES), self.dice.choice(DEVICES)))

    def python_helper(self) -> str:
        return ("import torch\nplace = %s\ndef make():\n  return torch.ones(2, device=%s)\n" %
                (self.dice.choice(PLACES), self.dice.choice(PLACES)))

    def sources(self):
        python = [each for each in ["three/helper.py", "three/helper/__init__.py"]
                  if os.path.exists(self.path(each))]
        return ([folder + "/helper.h" for folder in self.FOLDERS] + ["one/main.cpp"] +
                python)

    def text_for(self, name: str) -> str:
        if name.endswith(".py"):
            return self.python_helper()
        return self.main() if name.endswith("main.cpp") else self.helper()

    # Each step is a way in which a file changes between two runs, or a run differs from another.
    def step_rewrite(self):
        name = self.dice.choice(self.sources())
        self.write(name, self.text_for(name))

    def step_rewrite_with_old_times(self):
        file = self.path(self.dice.choice(self.sources()))
        before = os.stat(file)
        self.step_in_place(file)
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    def step_in_place(self, file=None):
        """The same file, size and inode; other bytes."""
        file = file or self.path(self.dice.choice(self.sources()))
        with open(file, "r+", encoding="utf-8") as opened:
            text = opened.read()
            spellings = PLACES if file.endswith(".py") else DEVICES
            at = text.find(self.dice.choice(spellings))
            if at < 0:
                return
            opened.seek(at)
            opened.write(self.dice.choice(spellings))

    def step_library_in_place(self):
        """A header outside of the project, edited, its times set back."""
        header = self.path("libtorch/include/torch/csrc/api/include/torch/torch.h")
        before = os.stat(header)
        with open(header, "r+", encoding="utf-8") as opened:
            text = opened.read()
            old, new = self.dice.sample(["{ CPU = 0, CUDA = 1 }", "{ CUDA = 0, CPU = 1 }"], 2)
            opened.seek(0)
            opened.write(text.replace(old, new))
        os.utime(header, ns=(before.st_atime_ns, before.st_mtime_ns))

    def step_clock_set_back(self):
        file = self.path(self.dice.choice(self.sources()))
        long_ago = time.time() - self.dice.randrange(1, 10**8)
        os.utime(file, (long_ago, long_ago))

    def step_shadow_a_header(self):
        """A folder of the project answers an include of the library, or no longer does."""
        shadow = self.path("one/torch/torch.h")
        if os.path.exists(shadow):
            shutil.rmtree(os.path.dirname(shadow))
            return
        os.makedirs(os.path.dirname(shadow))
        self.write("one/torch/torch.h", "#pragma once\n" + fake_torch.HEADER.replace(
            "CUDA = 1", "CUDA = 2"))

    def step_remove_or_restore(self):
        file = self.path("one/extra.cpp")
        if os.path.exists(file):
            os.remove(file)
        else:
            self.write("one/extra.cpp", "int extra() { return 2; }\n")

    def step_database(self):
        file = self.path("one/compile_commands.json")
        if os.path.exists(file):
            os.remove(file)
            return
        name = self.dice.choice(["-DA", "-DB", "-std=c++20", "-I."])
        self.write("one/compile_commands.json",
                   '[{"directory": "%s", "file": "main.cpp", "command": "c++ %s -c main.cpp"}]'
                   % (self.path("one"), name))

    def step_move_the_library(self):
        """Swaps a file for another of the same name by renaming."""
        file = self.path(self.dice.choice(self.sources()))
        with open(file, encoding="utf-8") as opened:
            text = opened.read()
        old, new = self.dice.sample(PLACES if file.endswith(".py") else DEVICES, 2)
        with open(file + ".new", "w", encoding="utf-8") as out:
            out.write(text.replace(old, new, 1))
        os.rename(file + ".new", file)

    def step_other_flags(self):
        self.flags = self.dice.choice([[], ["--", "-DX"], ["--", "-std=c++20"]])

    def step_other_working_folder(self):
        self.working_folder = self.path(self.dice.choice(["", "one", "two"]))

    def step_link(self):
        link = self.path("two/linked.h")
        if os.path.lexists(link):
            os.remove(link)
        else:
            os.symlink(self.path("one/helper.h"), link)

    def step_package_instead_of_module(self):
        """What an import means changes although no file does that was read."""
        package = self.path("three/helper")
        if os.path.exists(package):
            shutil.rmtree(package)
            return
        os.makedirs(package)
        self.write("three/helper/__init__.py", self.python_helper())

    def step_remove_or_restore_a_module(self):
        file = self.path("three/helper.py")
        if os.path.exists(file):
            os.remove(file)
        else:
            self.write("three/helper.py", self.python_helper())

    def step_other_checkpoint(self):
        """What a program finds changes although none of its files does."""
        self.write("three/save.py", SAVE % self.dice.choice(SAVED))

    def step_edit_the_notebook(self):
        self.write("three/notes.ipynb", notebook(self.dice.choice([PYTHON, self.python_helper()])))

    def step_launch_script(self):
        """Which devices a program sees."""
        self.write("three/run.sh", self.dice.choice(
            ["", "CUDA_VISIBLE_DEVICES=0 python train.py\n", "python train.py\n",
             "CUDA_VISIBLE_DEVICES=0,1 python train.py\n"]))

    def step_settings(self):
        folder = self.dice.choice(["one", "three"])
        self.write(folder + "/.placecheck.yaml", self.dice.choice(
            ["", "rules: [-device-mismatch]\n", "severity: {device-mismatch: error}\n",
             "devices: 1\n", "exclude: [\"helper*\"]\n"]))

    def step_models(self):
        """What a call of the library's means."""
        self.write("models.yaml", "calls:\n  - name: helper\n    returns: %s\n" %
                   self.dice.choice(["cpu", "cuda"]))
        self.options = ["--models=" + self.path("models.yaml")]

    def step_other_options(self):
        self.options = self.dice.choice(
            [[], ["--devices=1"], ["--devices=4"], ["--assume=peers"], ["--no-context"],
             ["--rules=-device-mismatch"], ["--rules=+hardcoded-device"]])

    def step_nothing(self):
        pass

    def take_a_step(self) -> str:
        steps = [name for name in dir(self) if name.startswith("step_")]
        name = self.dice.choice(steps)
        getattr(self, name)()
        return name


def run(analyzer: str, project: Project, environment, named, more):
    paths = [os.path.relpath(project.path(each), project.working_folder) for each in named]
    command = [analyzer, "--format=json", "-j", "2", *more, *project.options, *paths, *project.flags]
    done = subprocess.run(command, cwd=project.working_folder, env=environment, timeout=600,
                          capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def main() -> int:
    analyzer = os.path.abspath(sys.argv[1])
    steps = int(sys.argv[2]) if len(sys.argv) > 2 else 24
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    dice = random.Random(seed)
    root = os.path.realpath(tempfile.mkdtemp())
    codes = set()
    try:
        libtorch = fake_torch.install(os.path.join(root, "libtorch"))
        environment = {"PATH": "/usr/bin:/bin", "HOME": root, "LIBTORCH": libtorch}
        project = Project(root, dice)
        cache = "--cache-dir=" + os.path.join(root, "cache")
        for step in range(steps):
            name = project.take_a_step()
            named = dice.choice(Project.NAMED)
            plain = run(analyzer, project, environment, named, ["--no-cache"])
            cached = run(analyzer, project, environment, named, [cache])
            codes.add(plain[0])
            if plain != cached:
                print("seed %d, step %d (%s), named %s: the cache says something else" %
                      (seed, step, name, named))
                for title, result in [("without", plain), ("with", cached)]:
                    print("---", title, "exit", result[0])
                    print(result[1].decode(), result[2].decode())
                return 1
        if not {0, 1} <= codes:
            print("the steps never changed what is found:", codes)
            return 1
    finally:
        shutil.rmtree(root, ignore_errors=True)
    print("%d steps, seed %d: the same with the cache and without" % (steps, seed))
    return 0


if __name__ == "__main__":
    sys.exit(main())
