#!/usr/bin/env python3
"""The pages hang together: links lead somewhere, and everything that there is has a place in the site.

    pages_test.py ANALYZER

Links to other sites are not followed. Reads the source tree itself, like //tests/style.
"""

import fnmatch
import os
import re
import subprocess
import sys
import unittest

import pages

_ANALYZER = os.path.abspath(sys.argv.pop(1))


def navigation():
    """What mkdocs.yml lists: paths, and patterns that stand for several."""
    listed = pages.read("mkdocs.yml").split("\nnav:\n", 1)[1]
    entries = re.findall(r"^ *- (?:.*: )?(\S+\.md)$", listed, re.M)
    return [entry.strip("\"'") for entry in entries]


def is_listed(page):
    return any(fnmatch.fnmatchcase(page, entry) and page.count("/") == entry.count("/")
               for entry in navigation())


class PagesTest(unittest.TestCase):

    def setUp(self):
        self.maxDiff = None
        self.pages = pages.all_pages()

    def test_links_lead_somewhere(self):
        broken = []
        for page in self.pages:
            for line, target, anchor in pages.links(page):
                full = os.path.join(pages.ROOT, target)
                if os.path.isdir(full):
                    target = os.path.join(target, "README.md")
                    full = os.path.join(pages.ROOT, target)
                if target.startswith("..") or not os.path.exists(full):
                    broken.append(f"{page}:{line}: there is no {target}")
                elif anchor and target.endswith(".md") and anchor not in pages.anchors(target):
                    broken.append(f"{page}:{line}: {target} has no heading #{anchor}")
        self.assertEqual(broken, [])

    def test_every_page_is_reached(self):
        reached, next_pages = set(), ["README.md"] + [p for p in self.pages if is_listed(p)]
        while next_pages:
            page = next_pages.pop()
            if page in reached or page not in self.pages:
                continue
            reached.add(page)
            next_pages += [target for _, target, _ in pages.links(page)]
        self.assertEqual(sorted(set(self.pages) - reached), [],
                         "not in the nav of mkdocs.yml, and no page links to them")

    def test_the_navigation_names_pages(self):
        missing = [entry for entry in navigation() if not fnmatch.filter(self.pages, entry)]
        self.assertEqual(missing, [], "mkdocs.yml lists what is not there")

    def test_every_rule_has_a_page_in_the_navigation(self):
        rules = [line.split(None, 2) for line in subprocess.run(
            [_ANALYZER, "--list-rules"], capture_output=True, text=True,
            check=True).stdout.splitlines()]
        self.assertGreater(len(rules), 20)
        self.assertEqual([rule for rule, _, _ in rules if not is_listed(f"rules/docs/{rule}.md")
                          or f"rules/docs/{rule}.md" not in self.pages], [])
        rows = re.findall(r"^\| \[.*$", pages.read("docs/rules.md"), re.M)
        self.assertEqual(rows, [f"| [{rule}](../rules/docs/{rule}.md) | {level} | {summary} |"
                                for rule, level, summary in rules])

    def test_every_option_is_on_a_page(self):
        told = "\n".join(pages.read(page) for page in self.pages
                         if page == "README.md" or is_listed(page))
        commands = {
            "placecheck": [_ANALYZER, "--help"],
            "placecheck-run": [sys.executable, "-m", "placecheck.run", "--help"],
        }
        missing = []
        for program, command in commands.items():
            text = subprocess.run(
                command, cwd=pages.ROOT, capture_output=True, text=True, check=True,
                env={**os.environ, "PYTHONPATH": "runtime/python", "PYTHONDONTWRITEBYTECODE": "1"}
            ).stdout
            options = re.findall(r"^  (?:-\w, )?(--?[a-z][a-z-]*)", text, re.M)
            self.assertGreater(len(options), 5, text)
            missing += [f"{program} {option}" for option in options
                        if not re.search(rf"(?<![\w-]){option}(?![\w-])", told)]
        self.assertEqual(missing, [], "no page mentions them")

    def test_lists_are_lists_in_every_renderer(self):
        # GitHub begins a list in the middle of a paragraph; the site's renderer does not.
        for page in self.pages:
            lines = pages.prose(pages.read(page)).splitlines()
            for number, (before, line) in enumerate(zip(lines, lines[1:]), 2):
                begins = re.match(r"([-*]|\d+\.) ", line)
                follows = re.match(r"\s*([-*]|\d+\.) |#|  |$", before)
                self.assertTrue(not begins or follows,
                                f"{page}:{number}: a blank line is missing before the list")


if __name__ == "__main__":
    unittest.main()
