#!/usr/bin/env python3
"""`placecheck --lsp`, as an editor meets it: over pipes, on C++ and on Python.

usage: server_test.py ANALYZER
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../driver"))
import client  # noqa: E402
import fake_torch  # noqa: E402
from client import applied, position, span, uri_of  # noqa: E402

ANALYZER = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "placecheck"

_HEADER = """\
namespace at {
struct Tensor { Tensor to(int device) const; };
}
extern "C" {
int cudaMalloc(void** memory, unsigned long bytes);
int cublasCreate_v2(void** handle);
int cublasSscal_v2(void* handle, int count, const float* alpha, void* values, int step);
void* malloc(unsigned long bytes);
}
"""
# Where the memory is decides whether main.cc is wrong.
_GOOD_PLACE = """\
#include "api.h"
inline void* place() {
  void* memory = nullptr;
  cudaMalloc(&memory, 64);
  return memory;
}
"""
_BAD_PLACE = """\
#include "api.h"
inline void* place() { return malloc(64); }
"""
_MAIN = """\
#include "place.h"
int main() {
  void* handle = nullptr;
  cublasCreate_v2(&handle);
  const float alpha = 0.5f;
  cublasSscal_v2(handle, 16, &alpha, place(), 1);
}
"""
_CALL = "  cublasSscal_v2(handle, 16, &alpha, place(), 1);"
_DROPPED = """\
#include "api.h"
void move(at::Tensor batch, at::Tensor labels) {
  batch.to(1);
  labels.to(1);
}
"""
_PYTHON = """\
import torch

net = torch.nn.Linear(8, 2).to("cuda")
batch = torch.ones(4, 8)
out = net(batch)
"""
_PLACES_MODULE = """\
import torch

def make():
    return torch.ones(4, 8)
"""
_PYTHON_IMPORT = """\
import torch
from places import make

net = torch.nn.Linear(8, 2).to("cuda")
out = net(make())
"""


def rules(diagnostics):
    return [each["code"] for each in diagnostics]


def titles(actions):
    return [each["title"] for each in actions]


def edits_for(action, path):
    return action["edit"]["changes"][uri_of(path)]


class ServerTest(unittest.TestCase):

    def setUp(self):
        self.root = os.path.realpath(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root, ignore_errors=True)
        self.project = os.path.join(self.root, "project")
        for folder in (self.project, os.path.join(self.root, "home")):
            os.makedirs(folder)
        self.write("WORKSPACE", "")
        self.write("api.h", _HEADER)

    def path(self, name):
        return os.path.join(self.project, name)

    def write(self, name, text):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def launch(self, *arguments):
        environment = {"PATH": "/usr/bin:/bin", "HOME": os.path.join(self.root, "home")}
        server = client.Client([ANALYZER, "--lsp", *arguments], self.project, environment)
        self.addCleanup(server.stop)
        return server

    def start(self, *arguments, **capabilities):
        server = self.launch(*arguments)
        server.initialize(self.project, **capabilities)
        return server


class Diagnostics(ServerTest):

    def test_of_the_text_in_the_editor(self):
        self.write("place.h", _BAD_PLACE)
        path = self.write("main.cc", "int main() {}\n")
        server = self.start()
        server.open(path, _MAIN, version=7)
        found = server.diagnostics(path, version=7)
        self.assertEqual(rules(found), ["cuda-pointer-placement"])
        only = found[0]
        self.assertEqual(only["source"], "placecheck")
        self.assertEqual(only["range"]["start"]["line"], 5)
        self.assertIn(only["severity"], (1, 2))
        self.assertIn("at run time: ", only["message"])
        related = only["relatedInformation"][0]
        self.assertEqual(related["location"]["uri"], uri_of(self.path("place.h")))
        self.assertEqual(related["location"]["range"]["start"]["line"], 1)
        # One line edited: mended.
        server.change(path, 8, {"range": span(5, 0, 5, len(_CALL)), "text": "  return 0;"})
        self.assertEqual(server.diagnostics(path, version=8), [])
        # And broken again, as a whole.
        server.change(path, 9, _MAIN)
        self.assertEqual(rules(server.diagnostics(path, version=9)), ["cuda-pointer-placement"])
        # What was never saved is gone with the document.
        server.close(path)
        self.assertEqual(server.diagnostics(path), [])
        self.assertEqual(server.leave(), 0)

    def test_fast_typing_is_answered_for_its_end(self):
        self.write("place.h", _BAD_PLACE)
        path = self.write("main.cc", _MAIN)
        server = self.start()
        server.open(path, _MAIN)
        for version in range(2, 30):
            server.change(path, version, {"range": span(0, 0, 0, 0), "text": "\n"})
        found = server.diagnostics(path, version=29)
        self.assertEqual(found[0]["range"]["start"]["line"], 5 + 28)
        self.assertEqual(server.leave(), 0)
        # Of the texts in between few were worth an analysis.
        self.assertLess(len(server.kept), 10)

    def test_unsaved_headers_count_for_the_files_that_read_them(self):
        header = self.write("place.h", _GOOD_PLACE)
        path = self.write("main.cc", _MAIN)
        server = self.start()
        server.open(path, _MAIN)
        server.open(header, _GOOD_PLACE)
        self.assertEqual(server.diagnostics(path), [])
        server.change(header, 2, _BAD_PLACE)
        self.assertEqual(rules(server.diagnostics(path)), ["cuda-pointer-placement"])
        # Closed without being saved, it is what is on disk.
        server.close(header)
        self.assertEqual(server.diagnostics(path), [])
        self.assertEqual(server.leave(), 0)

    def test_of_files_that_are_not_open(self):
        text = '#include "place.h"\nvoid* place() { return malloc(64); }\n'
        place = self.write("place.cc", text)
        self.write("place.h", '#include "api.h"\nvoid* place();\n')
        main = self.write("main.cc", _MAIN)
        server = self.start()
        server.open(place, text)
        # What place.cc returns goes wrong in its caller.
        self.assertEqual(rules(server.diagnostics(main)), ["cuda-pointer-placement"])
        server.close(place)
        self.assertEqual(server.diagnostics(main), [])
        self.assertEqual(server.leave(), 0)

    def test_of_a_file_that_is_not_on_disk_yet(self):
        self.write("place.h", _BAD_PLACE)
        server = self.start()
        server.open(self.path("new.cc"), _MAIN)
        self.assertEqual(rules(server.diagnostics(self.path("new.cc"))), ["cuda-pointer-placement"])
        self.assertEqual(server.leave(), 0)

    def test_python_with_its_imports(self):
        alone = self.write("train.py", "")
        server = self.start()
        server.open(alone, _PYTHON)
        found = server.diagnostics(alone)
        self.assertEqual(rules(found), ["device-mismatch"])
        self.assertEqual(found[0]["range"]["start"]["line"], 4)
        server.change(alone, 2, _PYTHON.replace("ones(4, 8)", "ones(4, 8, device='cuda')"))
        self.assertEqual(server.diagnostics(alone, version=2), [])
        # The function of another file that is open, too, and not saved.
        places = self.write("places.py", "def make(): pass\n")
        importer = self.write("importer.py", _PYTHON_IMPORT)
        server.open(places, _PLACES_MODULE)
        server.open(importer, _PYTHON_IMPORT)
        self.assertEqual(rules(server.diagnostics(importer)), ["device-mismatch"])
        server.change(places, 2, _PLACES_MODULE.replace("(4, 8)", "(4, 8).cuda()"))
        self.assertEqual(server.diagnostics(importer), [])
        self.assertEqual(server.leave(), 0)

    def test_columns_are_counted_as_agreed(self):
        text = '#include "api.h"\nvoid f(at::Tensor x) { const char* s = "€😀"; x.to(1); }\n'
        path = self.write("wide.cc", text)
        line = text.split("\n")[1]
        for offered, encoding in ((None, "utf-16"), (["utf-32", "utf-8", "utf-16"], "utf-8")):
            with self.subTest(encoding):
                server = self.launch()
                general = {"general": {"positionEncodings": offered}} if offered else {}
                result = server.initialize(self.project, **general)
                self.assertEqual(result["capabilities"]["positionEncoding"], encoding)
                server.open(path, text)
                found = server.diagnostics(path)
                self.assertEqual(rules(found), ["discarded-transfer"])
                begin = client.offset_of(text, found[0]["range"]["start"], encoding)
                self.assertTrue(text[begin:].startswith("x.to(1)"), text[begin:])
                # An edit behind the wide characters, in the same units.
                units = len(line[:line.index("x.to")].encode("utf-8")) if encoding == "utf-8" else \
                    len(line[:line.index("x.to")].encode("utf-16-le")) // 2
                server.change(path, 2, {"range": span(1, units, 1, units), "text": "x = "})
                self.assertEqual(server.diagnostics(path, version=2), [])
                self.assertEqual(server.leave(), 0)

    def test_notes_are_in_the_message_where_a_client_shows_no_others(self):
        self.write("place.h", _BAD_PLACE)
        path = self.write("main.cc", _MAIN)
        server = self.start(textDocument={})
        server.open(path, _MAIN)
        only = server.diagnostics(path)[0]
        self.assertNotIn("relatedInformation", only)
        self.assertIn(self.path("place.h") + ":2: ", only["message"])
        self.assertEqual(server.leave(), 0)


class Settings(ServerTest):

    def test_of_the_project_hold(self):
        path = self.write("old.cc", _DROPPED)
        settings = self.write(".placecheck.yaml", "severity: {discarded-transfer: advice}\n")
        server = self.start(workspace={"didChangeWatchedFiles": {"dynamicRegistration": True}})
        watched = server.notification("client/registerCapability")["registrations"][0]
        self.assertIn({"globPattern": "**/.placecheck.yaml"},
                      watched["registerOptions"]["watchers"])
        server.open(path, _DROPPED)
        self.assertEqual([each["severity"] for each in server.diagnostics(path)], [3, 3])

        def rewrite(text):
            self.write(".placecheck.yaml", text)
            server.notify("workspace/didChangeWatchedFiles",
                          {"changes": [{"uri": uri_of(settings), "type": 2}]})

        rewrite("severity: {discarded-transfer: 'off'}\n")
        self.assertEqual(server.diagnostics(path), [])
        rewrite("severity: {discarded-transfer: error}\n")
        self.assertEqual([each["severity"] for each in server.diagnostics(path)], [1, 1])
        # Settings that cannot be read are said, and what was found before stays.
        rewrite("severitty: {}\n")
        shown = server.notification("window/showMessage")
        self.assertIn(".placecheck.yaml:1: unknown key 'severitty'", shown["message"])
        rewrite("exclude: [old.cc]\n")
        self.assertEqual(server.diagnostics(path), [])
        self.assertEqual(server.leave(), 0)

    def test_of_the_command_line_hold(self):
        path = self.write("old.cc", _DROPPED)
        environment = {"PATH": "/usr/bin:/bin", "HOME": os.path.join(self.root, "home")}
        subprocess.run([ANALYZER, "--write-baseline=known.json", "--fail-on=never", "old.cc"],
                       cwd=self.project, env=environment, check=True, capture_output=True)
        for option in ("--rules=-discarded-transfer", "--baseline=known.json"):
            with self.subTest(option):
                server = self.start(option)
                server.open(path, _DROPPED)
                self.assertEqual(server.diagnostics(path), [])
                self.assertEqual(server.leave(), 0)

    def test_suppressions_hold(self):
        text = _DROPPED.replace("batch.to(1);", "batch.to(1);  // NOLINT(discarded-transfer)")
        path = self.write("old.cc", text)
        server = self.start()
        server.open(path, text)
        self.assertEqual(len(server.diagnostics(path)), 1)
        self.assertEqual(server.leave(), 0)

    def test_a_library_that_is_looked_into_is_not_checked(self):
        outside = os.path.join(self.root, "library.cc")
        inside = self.write("old.cc", _DROPPED)
        server = self.start()
        server.open(outside, _DROPPED.replace("api.h", "project/api.h"))
        server.open(inside, _DROPPED)
        self.assertEqual(len(server.diagnostics(inside)), 2)
        self.assertEqual(server.actions(outside, span(2, 0, 2, 5)), [])
        self.assertEqual(server.leave(), 0)
        self.assertFalse([each for each in server.kept
                          if (each.get("params") or {}).get("uri") == uri_of(outside)])

    def test_options_that_make_no_sense(self):
        self.write("a.cc", "")
        for arguments, said in ((["a.cc"], "takes no file or folder"),
                                (["--fix"], "'--fix' cannot be used with '--lsp'"),
                                (["--rules=no-such-rule"], "no rule 'no-such-rule'")):
            done = subprocess.run([ANALYZER, "--lsp", *arguments], cwd=self.project, check=False,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)
            self.assertIn(said, done.stderr)


class Actions(ServerTest):

    def test_a_safe_fix_mends_the_file(self):
        path = self.write("old.cc", _DROPPED)
        server = self.start()
        server.open(path, _DROPPED)
        found = server.diagnostics(path)
        actions = server.actions(path, span(2, 4, 2, 4), diagnostics=found)
        fixes = [each for each in actions if each.get("isPreferred")]
        self.assertEqual(len(fixes), 1, titles(actions))
        self.assertEqual(fixes[0]["kind"], "quickfix")
        self.assertEqual(fixes[0]["diagnostics"], [found[0]])
        mended = applied(_DROPPED, edits_for(fixes[0], path))
        self.assertIn("batch = batch.to(1);", mended)
        server.change(path, 2, mended)
        self.assertEqual([each["range"]["start"]["line"]
                          for each in server.diagnostics(path, version=2)], [3])
        self.assertEqual(server.leave(), 0)

    def test_fix_all(self):
        path = self.write("old.cc", _DROPPED)
        server = self.start()
        server.open(path, _DROPPED)
        for only in (["source.fixAll"], ["source.fixAll.placecheck"], ["source"]):
            # Asked for right after the change: the answer is of the text as it is now.
            actions = server.actions(path, span(0, 0, 5, 0), only=only)
            self.assertEqual([each["kind"] for each in actions], ["source.fixAll.placecheck"])
        mended = applied(_DROPPED, edits_for(actions[0], path))
        server.change(path, 2, mended)
        self.assertEqual(server.diagnostics(path, version=2), [])
        self.assertEqual(server.actions(path, span(0, 0, 5, 0), only=["source.fixAll"]), [])
        self.assertEqual(server.actions(path, span(0, 0, 5, 0), only=["refactor"]), [])
        self.assertEqual(server.leave(), 0)

    def test_silence_in_cpp(self):
        text = _DROPPED.replace("labels.to(1);", "labels.to(1);  // NOLINT(other-tool)")
        path = self.write("old.cc", text)
        server = self.start()
        server.open(path, text)
        server.diagnostics(path)
        for version, line, comment in ((2, 2, "batch.to(1);  // NOLINT(discarded-transfer)"),
                                       (3, 3, "// NOLINT(other-tool, discarded-transfer)")):
            actions = server.actions(path, span(line, 2, line, 2), only=["quickfix"])
            silence = [each for each in actions if each["title"].startswith("Silence")]
            self.assertEqual(len(silence), 1, titles(actions))
            text = applied(text, edits_for(silence[0], path))
            self.assertIn(comment, text)
            server.change(path, version, text)
            left = server.diagnostics(path, version=version)
        self.assertEqual(left, [])
        self.assertEqual(server.leave(), 0)

    def test_silence_and_unsafe_fixes_in_python(self):
        path = self.write("train.py", _PYTHON)
        server = self.start()
        server.open(path, _PYTHON)
        server.diagnostics(path)
        actions = server.actions(path, span(4, 8, 4, 8))
        unsafe = [each for each in actions if "may change" in each["title"]]
        self.assertFalse(any(each.get("isPreferred") for each in unsafe))
        for each in unsafe + [each for each in actions if each["title"].startswith("Silence")]:
            mended = applied(_PYTHON, edits_for(each, path))
            version = 10 + actions.index(each)
            server.change(path, version, mended)
            self.assertEqual(server.diagnostics(path, version=version), [], each["title"])
        self.assertIn("# noqa: device-mismatch", mended)
        self.assertEqual(server.leave(), 0)

    def test_no_comment_where_it_would_be_none(self):
        text = _DROPPED.replace("  batch.to(1);", "#define MOVE(x) \\\n  x.to(1);\n  MOVE(batch)")
        text = text.replace("  labels.to(1);", '  labels.to(1); const char* s = R"(\n)";')
        path = self.write("old.cc", text)
        server = self.start()
        server.open(path, text)
        for each in server.diagnostics(path):
            line = each["range"]["start"]["line"]
            for action in server.actions(path, each["range"], only=["quickfix"]):
                if not action["title"].startswith("Silence"):
                    continue
                silenced = applied(text, edits_for(action, path))
                self.assertNotIn("\\  //", silenced)
                self.assertNotIn('R"(  //', silenced, line)
        self.assertEqual(server.leave(), 0)


_MOVES = """\
#include <tiny_torch.h>
torch::Tensor moved(torch::Tensor x) { return x.to(torch::Device(torch::kCUDA)); }
int main() {
  auto first = torch::ones({2});
  auto second = moved(first);
  return 0;
}
"""


class Hover(ServerTest):

    def hover(self, server, path, text, word, skip=0):
        offset = text.index(word, skip)
        line = text.count("\n", 0, offset)
        column = offset - (text.rfind("\n", 0, offset) + 1)
        return server.ask("textDocument/hover", {"textDocument": {"uri": uri_of(path)},
                                                 "position": position(line, column)})

    def start_hovering(self, **hover):
        libtorch = fake_torch.install(os.path.join(self.root, "libtorch"))
        return self.start("--", "-I" + os.path.join(libtorch, "include"),
                          textDocument={"hover": hover})

    def test_in_cpp(self):
        path = self.write("moves.cc", "")
        server = self.start_hovering(contentFormat=["markdown", "plaintext"])
        server.open(path, _MOVES)
        # Asked for at once: the answer waits for the analysis.
        first = self.hover(server, path, _MOVES, "first")
        self.assertEqual(first["range"], span(3, 7, 3, 12))
        self.assertEqual(first["contents"]["kind"], "markdown")
        self.assertIn("**cpu**", first["contents"]["value"])
        self.assertIn("[moves.cc:4](%s#L4)" % uri_of(path), first["contents"]["value"])
        second = self.hover(server, path, _MOVES, "second")["contents"]["value"]
        self.assertIn("**cuda", second)
        self.assertIn("moves.cc:2", second)
        self.assertIsNone(self.hover(server, path, _MOVES, "return 0"))
        # Where the text has changed, so has the answer.
        changed = _MOVES.replace("ones({2})", "ones({2}, torch::kCUDA)")
        server.change(path, 2, changed)
        self.assertIn("**cuda", self.hover(server, path, changed, "first")["contents"]["value"])
        self.assertEqual(server.leave(), 0)

    def test_in_python_and_in_plain_text(self):
        path = self.write("train.py", _PYTHON)
        server = self.start(textDocument={})
        server.open(path, _PYTHON)
        batch = self.hover(server, path, _PYTHON, "batch", _PYTHON.index("out"))
        self.assertEqual(batch["contents"]["kind"], "plaintext")
        self.assertIn("tensor on cpu\n", batch["contents"]["value"])
        self.assertIn("train.py:4", batch["contents"]["value"])
        net = self.hover(server, path, _PYTHON, "net", _PYTHON.index("out"))["contents"]["value"]
        self.assertIn("cuda", net)
        self.assertIn("train.py:3", net)
        self.assertIsNone(self.hover(server, path, _PYTHON, "import"))
        self.assertEqual(server.leave(), 0)


class Protocol(ServerTest):

    def test_exit_codes(self):
        server = self.start()
        self.assertEqual(server.leave(), 0)
        server = self.start()
        server.notify("exit")
        self.assertEqual(server.end(), 1)
        server = self.start()
        server.process.stdin.close()
        self.assertEqual(server.end(), 1)
        server = self.start()
        server.ask("shutdown")
        server.process.stdin.close()
        self.assertEqual(server.end(), 0)

    def test_order_of_a_session(self):
        server = self.launch()
        early = server.answer(server.request("textDocument/codeAction"))
        self.assertEqual(early["error"]["code"], -32002)
        result = server.initialize(self.project)
        self.assertEqual(result["serverInfo"]["name"], "placecheck")
        self.assertEqual(set(result["capabilities"]), {
            "codeActionProvider", "hoverProvider", "positionEncoding", "textDocumentSync",
            "workspace"})
        again = server.answer(server.request("initialize", {"capabilities": {}}))
        self.assertEqual(again["error"]["code"], -32600)
        server.ask("shutdown")
        late = server.answer(server.request("textDocument/codeAction"))
        self.assertEqual(late["error"]["code"], -32600)
        server.notify("exit")
        self.assertEqual(server.end(), 0)

    def test_what_is_not_understood(self):
        server = self.start()
        unknown = server.answer(server.request("textDocument/makeCoffee"))
        self.assertEqual(unknown["error"]["code"], -32601)
        wrong = server.answer(server.request("textDocument/codeAction", {"range": 1}))
        self.assertEqual(wrong["error"]["code"], -32602)
        server.notify("$/whatever", {"x": 1})
        server.notify("textDocument/didChange", {"textDocument": 3})
        for bad, code in ((b"Content-Length: 4\r\n\r\n{]}!", -32700),
                          (b"Content-Length: 9\r\n\r\n\"\xff\xff\xff\xff\xff\xff\xff\"", -32700),
                          (b"Content-Length: 2\r\n\r\n[]", -32600),
                          (b"Content-Length: 16\r\n\r\n{\"jsonrpc\":\"1\" }", -32600),
                          (b"Content-Length: none\r\n\r\n{}", -32700),
                          (b"GET / HTTP/1.1\r\n\r\n", -32700)):
            server.write(bad)
            answer = server.wait(lambda message: "error" in message)
            self.assertIsNone(answer["id"])
            self.assertEqual(answer["error"]["code"], code, bad)
            # What follows is understood.
            unknown = server.answer(server.request("textDocument/makeCoffee"))
            self.assertEqual(unknown["error"]["code"], -32601)
        path = self.write("old.cc", _DROPPED)
        server.open(path, _DROPPED)
        self.assertEqual(len(server.diagnostics(path)), 2)
        self.assertEqual(server.leave(), 0)

    def test_cancel(self):
        path = self.write("endless.cc", fake_torch.ENDLESS)
        server = self.start()
        server.open(path, fake_torch.ENDLESS)
        request = server.request("textDocument/codeAction", {
            "textDocument": {"uri": uri_of(path)}, "range": span(0, 0, 0, 0),
            "context": {"diagnostics": []}})
        server.notify("$/cancelRequest", {"id": request})
        self.assertEqual(server.answer(request)["error"]["code"], -32800)
        # An edit ends the analysis of what was there before, and what was asked about it.
        request = server.request("textDocument/codeAction", {
            "textDocument": {"uri": uri_of(path)}, "range": span(0, 0, 0, 0),
            "context": {"diagnostics": []}})
        server.change(path, 2, _DROPPED)
        self.assertEqual(server.answer(request)["error"]["code"], -32801)
        self.assertEqual(len(server.diagnostics(path, version=2)), 2)
        self.assertEqual(server.leave(), 0)

    def test_nothing_is_written_but_the_cache(self):
        path = self.write("old.cc", _DROPPED)
        python = self.write("train.py", _PYTHON)
        self.write("compile_commands.json", json.dumps([{
            "directory": self.project, "file": "old.cc",
            "command": "c++ -c old.cc -o WRITTEN -MD -MF WRITTEN2 -save-temps"}]))
        before = self.files()
        server = self.start()
        for file, text in ((path, _DROPPED), (python, _PYTHON)):
            server.open(file, text)
            found = server.diagnostics(file)
            self.assertGreater(len(found), 0)
            self.assertTrue(server.actions(file, found[0]["range"], diagnostics=found))
            server.actions(file, span(0, 0, 5, 0), only=["source.fixAll"])
            server.ask("textDocument/hover", {"textDocument": {"uri": uri_of(file)},
                                              "position": position(3, 3)})
            server.change(file, 2, text + "\n")
            server.diagnostics(file, version=2)
            server.save(file)
            server.close(file)
        self.assertEqual(server.leave(), 0)
        cache = os.path.join(self.root, "home/.cache/placecheck") + os.sep
        after = self.files()
        kept = {name for name in after if name.startswith(cache)}
        self.assertTrue(kept)
        self.assertEqual({name: after[name] for name in after if name not in kept}, before)

    def files(self):
        """All of this test's, with what is in them."""
        found = {}
        for folder, _, names in os.walk(self.root):
            for name in names:
                with open(os.path.join(folder, name), "rb") as opened:
                    found[opened.name] = opened.read()
        return found

    def test_nothing_is_left_running(self):
        path = self.write("endless.cc", fake_torch.ENDLESS)
        for end in (lambda server: server.process.stdin.close(),
                    lambda server: server.process.send_signal(signal.SIGTERM),
                    lambda server: server.process.kill()):
            server = self.start()
            server.open(path, fake_torch.ENDLESS)
            self.wait_until(lambda: len(self.processes()) > 1)
            end(server)
            server.end()
            self.wait_until(lambda: not self.processes())

    def processes(self):
        """Of this test: they stand in its folder."""
        found = []
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open("/proc/%s/stat" % number, encoding="utf-8") as status:
                    is_gone = status.read().rsplit(")", 1)[1].split()[0] == "Z"
                if os.readlink("/proc/%s/cwd" % number) == self.project and not is_gone:
                    found.append(number)
            except OSError:
                pass
        return found

    def wait_until(self, holds):
        end = time.monotonic() + client.PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def test_a_crash_of_the_analysis_is_survived(self):
        # More memory than the parse may have: the process that parses is given up.
        path = self.write("old.cc", _DROPPED)
        server = self.start("--file-memory=1")
        server.open(path, _DROPPED)
        self.assertEqual(server.diagnostics(path), [])
        self.assertIn("old.cc: not understood: ",
                      server.notification("window/logMessage")["message"])
        self.assertEqual(server.leave(), 0)


if __name__ == "__main__":
    unittest.main()
