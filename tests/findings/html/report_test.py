#!/usr/bin/env python3
"""The HTML report as its readers have it: in a browser, by mouse and by keys, light and dark.

usage: report_test.py ANALYZER

Needs a Chromium (Debian: `apt-get install chromium`). Where there is none nothing is tested, which is said.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import browser  # noqa: E402

ANALYZER = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "placecheck"
CHROMIUM = browser.find_chromium()

TRAIN = """\
import torch
import torch.nn as nn
from net import Net


def train(device):
    net = Net().to(device)
    for step in range(3):
        batch = torch.rand(4, 8)
        target = torch.rand(4, 2, device=device)
        output = net(batch)
        loss = nn.functional.mse_loss(output, target)
        loss.backward()


if __name__ == "__main__":
    train(torch.device("cuda:1"))
"""

NET = """\
import torch
from unknown_library import scale


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(8, 2)

    def forward(self, x):
        y = self.body(x)
        z = torch.ones(2).to(scale(3))
        return y + z
"""

# What a reader's browser must not take for markup, in names and in text.
HOSTILE_NAME = "<img src=x onerror=alert(1)>.py"
HOSTILE = """\
import torch
# </script><script>alert("source")</script><!-- <b id=evil>
name = "</script><img src=x onerror=alert(2)>"
x = torch.ones(2) + torch.ones(2).to("cuda:0")
"""

# Fails where there are two GPUs, and not where there are three.
THIRD_GPU = """\
import torch
weight = torch.ones(2, device="cuda:2")
"""
SCENARIOS = "scenarios: {devices: [2, 3]}\n"

CONTRAST = """
(() => {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  const over = (colours) => {
    paint.clearRect(0, 0, 1, 1);
    for (const colour of colours) { paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1); }
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((each) => each / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const poor = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let seen = 0;
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !element.checkVisibility() || element.closest(".for-readers, script, noscript, .skip")) continue;
    const backs = [];
    for (let each = element; each; each = each.parentElement) backs.unshift(getComputedStyle(each).backgroundColor);
    const style = getComputedStyle(element);
    const back = light(over(["white", ...backs]));
    const text = light(over(["white", ...backs, style.color]));
    const ratio = (Math.max(back, text) + 0.05) / (Math.min(back, text) + 0.05);
    ++seen;
    if (ratio < 4.5) poor.add(ratio.toFixed(2) + " " + element.tagName + "." + element.className + ": " + walker.currentNode.textContent.trim().slice(0, 30));
  }
  return { seen, poor: [...poor] };
})()
"""


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def make_report(root, files):
    """The path of the report on a project of these files."""
    project = os.path.join(root, "project")
    for name, text in files.items():
        write(os.path.join(project, name), text)
    page = os.path.join(root, "report.html")
    done = subprocess.run([ANALYZER, "--no-cache", "--format=html", "--output=" + page, "."], cwd=project,
                          env={"PATH": "/usr/bin:/bin", "HOME": root}, capture_output=True, text=True, timeout=300,
                          check=False)
    if done.returncode != 1:
        raise AssertionError(f"exit code {done.returncode}: {done.stderr}")
    return page


class Report(unittest.TestCase):
    """One small project."""

    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp()
        cls.page = make_report(cls.root, {"train.py": TRAIN, "net.py": NET, "odd/" + HOSTILE_NAME: HOSTILE})
        cls.browser = browser.Browser(CHROMIUM)

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()
        shutil.rmtree(cls.root, ignore_errors=True)

    def setUp(self):
        self.browser.prefer("light")
        self.browser.open(self.page)

    def tearDown(self):
        self.assertEqual(self.browser.complaints(), [])
        self.browser.events.clear()

    def text(self, selector):
        return self.browser.run(f"document.querySelector({json.dumps(selector)})?.innerText")

    def is_in_sight(self, selector):
        return self.browser.run(f"""(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
            return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight; }})()""")

    def value(self, line, text):
        """A selector of the value with that text on a line; the first."""
        self.browser.run(f"""(() => {{ for (const each of document.querySelectorAll("#L{line} .x"))
            if (each.textContent === {json.dumps(text)}) {{ each.id = "wanted"; return; }} }})()""")
        self.assertIsNotNone(self.text("#wanted"), f"no value '{text}' on line {line}")
        return "#wanted"

    def open_finding(self, message):
        self.browser.run(f"""(() => {{ for (const each of document.querySelectorAll("#findings .item"))
            if (each.textContent.includes({json.dumps(message)})) {{ each.id = "finding"; return; }} }})()""")
        self.browser.click("#finding")

    def test_a_click_on_a_finding_shows_its_line(self):
        self.assertIn("finding", self.text("#headline"))
        self.open_finding("'batch' is on cpu")
        self.assertEqual(self.text(".here .no"), "11")
        self.assertEqual(self.browser.run("[...document.querySelectorAll('.here mark')].map(e => e.textContent).join('')"),
                         "net(batch)")
        self.assertTrue(self.is_in_sight(".here"))
        self.assertTrue(self.is_in_sight(".card.now"))
        card = self.text(".card.now")
        for part in ("'batch' was created on cpu here", "moved to cuda:1", "Expected all tensors", "device-mismatch"):
            self.assertIn(part, card)
        steps = self.browser.run("[...document.querySelectorAll('.step')].map(e => e.id)")
        self.assertEqual(steps, ["L7", "L9"])
        self.assertEqual(self.text('#findings [aria-current="true"] .where').split(" ")[0], "train.py:11")

    def test_a_note_leads_to_its_line(self):
        self.open_finding("'batch' is on cpu")
        self.browser.click(".card.now li a")
        self.assertEqual(self.text(".here .no"), "9")
        self.browser.run("history.back()")
        self.browser.settle()
        self.assertEqual(self.text(".here .no"), "11")

    def test_the_pages_of_rules_are_there(self):
        self.open_finding("'batch' is on cpu")
        self.browser.click('.card.now dd a[href^="#rule="]')
        self.assertIn("What it means", self.text("main"))

    def test_pointing_at_a_value_says_where_it_is_and_why(self):
        self.open_finding("'batch' is on cpu")
        self.browser.hover(self.value(11, "batch"))
        tip = self.text("#tip")
        self.assertIn("cpu: created on cpu", tip)
        self.assertIn("train.py:9", tip)
        self.assertEqual(self.browser.run("document.querySelector('#wanted').getAttribute('aria-describedby')"), "tip")
        self.browser.hover("header h1")
        self.assertTrue(self.browser.run("document.getElementById('tip').hidden"))

    def test_keys_go_from_value_to_value_and_to_the_decision(self):
        self.open_finding("'batch' is on cpu")
        self.browser.run("document.querySelector('.source').focus()")
        self.browser.press("ArrowDown")
        self.assertEqual(self.browser.run("document.activeElement.closest('.l').id"), "L11")
        self.browser.press("ArrowRight")
        seen = set()
        for _ in range(6):
            seen.add(self.browser.run("document.activeElement.textContent"))
            if self.browser.run("document.activeElement.textContent") == "batch":
                break
            self.browser.press("ArrowRight")
        self.assertIn("batch", seen)
        self.assertIn("created on cpu", self.text("#tip"))
        self.browser.press("Enter")
        self.assertEqual(self.text(".here .no"), "9")

    def test_values_differ_in_more_than_colour(self):
        self.open_finding("'batch' is on cpu")
        style = lambda selector: self.browser.run(
            f"getComputedStyle(document.querySelector({json.dumps(selector)})).textDecorationStyle")
        self.assertEqual(style(self.value(9, "batch")), "solid")
        self.browser.run("document.querySelector('#wanted').id = ''")
        self.assertEqual(style(self.value(7, "net")), "double")
        self.assertIn("C", self.text("#L9 .chips"))
        self.assertIn("1", self.text("#L7 .chips"))
        self.assertIn("cuda:1", self.text(".legend"))

    def test_what_is_not_known_is_shown_as_such(self):
        self.browser.run("location.hash = '#file=net.py:12'")
        self.browser.settle()
        self.browser.hover(self.value(12, "scale(3)"))
        self.assertIn("the call of 'unknown_library.scale' is not followed", self.text("#tip"))
        self.browser.press("u")
        self.assertEqual(self.text(".here .no"), "13")
        self.assertIn("open", self.browser.run("document.querySelector('.here .no').className"))

    def test_j_and_k_go_through_the_findings(self):
        lines = []
        for key in ("j", "j", "k"):
            self.browser.press(key)
            lines.append(self.text("main .top h2") + ":" + self.text(".here .no"))
        self.assertEqual(lines[0], lines[2])
        self.assertNotEqual(lines[0], lines[1])
        self.assertIn("Finding 1 of", self.text("#said"))

    def test_the_filter(self):
        self.browser.press("/")
        self.assertEqual(self.browser.run("document.activeElement.id"), "filter")
        for letter in "mismatch train":
            self.browser.press(letter)
        self.assertEqual(self.browser.run("document.querySelectorAll('#findings li').length"), 1)
        self.assertIn("1 of", self.text("#tab-findings"))
        self.browser.press("Enter")
        self.assertEqual(self.text("main .top h2"), "train.py")
        self.assertNotEqual(self.browser.run("document.activeElement.id"), "filter")
        self.browser.press("/")
        self.browser.press("Escape")
        self.assertNotEqual(self.browser.run("document.activeElement.id"), "filter")

    def test_the_tree_shows_what_is_known_of_each_file(self):
        self.browser.click("#tab-files")
        row = self.browser.run("""[...document.querySelectorAll("#files a.row")]
            .filter(e => e.innerText.includes("net.py"))[0].innerText""")
        self.assertIn("50 %", row.replace("\n", " "))
        self.browser.click("#files details a.row")
        self.assertIn("<img", self.text("main .top h2"))

    def test_nothing_of_the_source_becomes_markup(self):
        self.browser.click("#tab-files")
        self.browser.click("#files details a.row")
        self.assertEqual(self.text("#L2 code"), HOSTILE.split("\n")[1])
        self.assertEqual(self.browser.run("document.querySelectorAll('img, b, #evil').length"), 0)
        self.assertEqual(self.browser.run("[...document.scripts].filter(e => !e.type).length"), 1)

    def test_the_theme_follows_the_system_and_the_button(self):
        back = lambda: self.browser.run("getComputedStyle(document.body).backgroundColor")
        light = back()
        self.browser.prefer("dark")
        dark = back()
        self.assertNotEqual(light, dark)
        self.browser.click("#theme")
        self.assertEqual(back(), light)
        self.browser.click("#theme")
        self.assertEqual(back(), dark)
        self.browser.prefer("light")
        self.assertEqual(back(), dark, "what was chosen holds")
        self.browser.run("localStorage.clear()")

    def test_text_can_be_read_in_both_themes(self):
        for scheme in ("light", "dark"):
            self.browser.prefer(scheme)
            for address in ("#summary", "#finding=1", "#file=net.py", "#rule=device-mismatch"):
                self.browser.run(f"location.hash = '{address}'")
                self.browser.settle()
                found = self.browser.run(CONTRAST)
                self.assertGreater(found["seen"], 10)
                self.assertEqual(found["poor"], [], f"{scheme} {address}")

    def test_readers_of_screens_find_their_way(self):
        self.open_finding("'batch' is on cpu")
        nodes = self.browser.call("Accessibility.getFullAXTree")["nodes"]
        named = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes if not node["ignored"]]
        roles = {role for role, _ in named}
        self.assertLessEqual({"banner", "navigation", "main", "tablist", "heading"}, roles)
        for role, name in named:
            if role in ("button", "link", "searchbox", "tab", "navigation", "region"):
                self.assertTrue(name.strip(), f"a {role} without a name")

    def test_without_scripts_the_findings_are_listed(self):
        self.browser.call("Emulation.setScriptExecutionDisabled", value=True)
        try:
            self.browser.open(self.page)
            document = self.browser.call("DOM.getDocument", depth=-1)
            text = json.dumps(document)
            self.assertIn("'batch' is on cpu but 'net' is on cuda:1 [device-mismatch]", text)
        finally:
            self.browser.call("Emulation.setScriptExecutionDisabled", value=False)


class Scenarios(unittest.TestCase):
    """A program that fails on one of two machines."""

    def test_a_finding_names_its_scenario(self):
        with tempfile.TemporaryDirectory() as root, browser.Browser(CHROMIUM) as page:
            page.open(make_report(root, {"third.py": THIRD_GPU, ".placecheck.yaml": SCENARIOS}))
            page.run("location.hash = addressOf.finding(0)")
            page.settle()
            self.assertIn("Only with\ndevices=2", page.run("document.querySelector('.card.now').innerText"))


class ManyFiles(unittest.TestCase):
    """Five hundred files of 80 lines, and one of ten thousand."""

    FILES = 500

    @classmethod
    def setUpClass(cls):
        cls.root = tempfile.mkdtemp()
        body = "".join(f"    y{i} = x + {i}\n    z{i} = torch.relu(y{i}).to('cuda:0')\n" for i in range(38))
        files = {f"package{n % 20}/module{n}.py": f"import torch\n\n\ndef run(n):\n    x = torch.rand(n)\n{body}"
                 for n in range(cls.FILES)}
        files["package0/module0.py"] += "    return z1 + x\n"
        files["large.py"] = "import torch\nx = torch.rand(2)\n" + "y = x + x\n" * 10000
        cls.page = make_report(cls.root, files)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.root, ignore_errors=True)

    def test_they_stay_fast(self):
        with browser.Browser(CHROMIUM) as page:
            began = time.monotonic()
            page.open(self.page)
            page.settle()
            loaded = time.monotonic() - began
            self.assertEqual(page.run("report.files.length"), self.FILES + 1)
            go = """new Promise(done => {{ const began = performance.now(); location.hash = {};
                requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began))); }})"""
            opened = [page.run(go.format(f"addressOf.file({n})")) for n in range(1, 201, 10)]
            self.assertGreater(page.run("document.querySelectorAll('.x').length"), 100)
            large = page.run(go.format("addressOf.file(fileNamed('large.py'), 9000)"))
            self.assertEqual(page.run("document.querySelector('.here').id"), "L9000")
            filtered = page.run("""(() => { const began = performance.now(); const field = document.getElementById("filter");
                field.value = "module49"; field.dispatchEvent(new Event("input")); return performance.now() - began; })()""")
            self.assertEqual(page.complaints(), [])
        size = os.path.getsize(self.page) / 1e6
        print(f"{size:.1f} MB: loaded in {loaded:.2f} s, a file shown in {max(opened):.0f} ms at most, one of 10000 "
              f"lines in {large:.0f} ms, filtered in {filtered:.0f} ms")
        # Far from what was measured, for machines that are busy.
        self.assertLess(loaded, 15)
        self.assertLess(max(opened), 2000)
        self.assertLess(large, 8000)
        self.assertLess(filtered, 2000)


if __name__ == "__main__":
    if CHROMIUM is None:
        print("SKIPPED: there is no Chromium on this machine, so the HTML report was not looked at in one. "
              "On Debian: apt-get install chromium")
        sys.exit(0)
    unittest.main()
