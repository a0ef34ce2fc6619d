"""Refuses an include whose target is not named in `deps`: the layers hold.

Usage: bazel query --output=xml TARGETS | check_includes.py, from the root of the checkout. Prints each
wrong include, and exits with 1 if there is one. `--config=clang` compiles everything to say the same.
"""

import collections
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
COMPILED = ("cc_binary", "cc_library", "cc_test")


def labels(rule, attribute):
    """The labels in a list attribute of a rule."""
    found = rule.find(f"list[@name='{attribute}']")
    return [] if found is None else [label.get("value") for label in found.findall("label")]


def path_of(label):
    """Where a source file's label lies in the checkout; None for what is not a file of it."""
    path = label[2:].replace(":", "/").lstrip("/") if label.startswith("//") else ""
    return path if os.path.isfile(path) else None


class Targets:
    """What is compiled: the files and the direct dependencies of each target."""

    def __init__(self, query):
        self.groups = {}
        self.files = {}
        self.deps = {}
        self.headers = collections.defaultdict(set)
        rules = ElementTree.parse(query).getroot().findall("rule")
        for rule in rules:
            if rule.get("class") == "filegroup":
                self.groups[rule.get("name")] = labels(rule, "srcs")
        for rule in rules:
            if rule.get("class") in COMPILED:
                self.add(rule)

    def paths(self, rule, attribute):
        """The files in an attribute, with those of file groups."""
        found = set()
        for label in labels(rule, attribute):
            found.update(filter(None, map(path_of, self.groups.get(label, [label]))))
        return found

    def add(self, rule):
        name = rule.get("name")
        public = self.paths(rule, "hdrs") | self.paths(rule, "textual_hdrs")
        self.files[name] = public | self.paths(rule, "srcs")
        self.deps[name] = labels(rule, "deps") + labels(rule, "implementation_deps")
        for path in public:
            self.headers[path].add(name)

    def wrong_includes(self):
        """(target, file, header, its owners) for each include that no dependency provides."""
        for target, files in sorted(self.files.items()):
            for path in sorted(files):
                with open(path, encoding="utf-8") as file:
                    text = file.read()
                for header in INCLUDE.findall(text):
                    owners = self.headers.get(header, set())
                    is_own = header in files or not os.path.isfile(header)
                    if not is_own and not owners.intersection(self.deps[target]):
                        yield target, path, header, sorted(owners)


def main():
    wrong = list(Targets(sys.stdin).wrong_includes())
    for target, path, header, owners in wrong:
        print(f"{path}: includes {header}; add {' or '.join(owners) or 'its target'} to {target}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
