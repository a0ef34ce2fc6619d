"""A client of the Language Server Protocol, as small as tests need it: the standard library only."""

import json
import pathlib
import queue
import subprocess
import threading

# Seconds. What hangs does so for ever; what does not may be slow on a machine with other work.
PATIENCE = 120


def uri_of(path):
    return pathlib.Path(path).as_uri()


def position(line, character):
    return {"line": line, "character": character}


def span(line, begin, end_line, end):
    return {"start": position(line, begin), "end": position(end_line, end)}


def offset_of(text, place, encoding="utf-16"):
    """The index into `text` of a position."""
    lines = text.split("\n")
    before = sum(len(line) + 1 for line in lines[:place["line"]])
    line = lines[place["line"]].encode("utf-16-le" if encoding == "utf-16" else "utf-8")
    units = place["character"] * (2 if encoding == "utf-16" else 1)
    return before + len(line[:units].decode("utf-16-le" if encoding == "utf-16" else "utf-8"))


def applied(text, edits, encoding="utf-16"):
    """`text` after edits that all speak of it as it was."""
    places = sorted(((offset_of(text, edit["range"]["start"], encoding),
                      offset_of(text, edit["range"]["end"], encoding), edit["newText"])
                     for edit in edits), reverse=True)
    for begin, end, new in places:
        text = text[:begin] + new + text[end:]
    return text


class Client:
    """One server process, and what it has said. Messages are taken in the order of their arrival."""

    def __init__(self, command, cwd, environment):
        self.process = subprocess.Popen(command, cwd=cwd, env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.arrived = queue.Queue()
        self.kept = []  # that nobody has waited for yet
        self.last_id = 0
        self.errors = ""
        self.threads = [threading.Thread(target=each, daemon=True)
                        for each in (self._read, self._read_errors)]
        for each in self.threads:
            each.start()

    def _read(self):
        out = self.process.stdout
        while True:
            length = None
            while True:
                line = out.readline()
                if not line:
                    self.arrived.put(None)
                    return
                if line.strip() == b"":
                    break
                name, value = line.split(b":")
                if name == b"Content-Length":
                    length = int(value)
            self.arrived.put(json.loads(out.read(length)))

    def _read_errors(self):
        self.errors = self.process.stderr.read().decode("utf-8", "replace")

    def write(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method, params=None):
        self.send({"method": method, "params": params if params is not None else {}})

    def request(self, method, params=None):
        """Sends a request; returns its id."""
        self.last_id += 1
        self.send({"id": self.last_id, "method": method,
                   "params": params if params is not None else {}})
        return self.last_id

    def wait(self, is_wanted, patience=PATIENCE):
        """The first message that fits; None where the server ends without one."""
        for each in self.kept:
            if is_wanted(each):
                self.kept.remove(each)
                return each
        while True:
            try:
                message = self.arrived.get(timeout=patience)
            except queue.Empty:
                raise AssertionError("the server does not answer; it said %s" % self.kept) from None
            if message is None:
                self.arrived.put(None)
                return None
            if is_wanted(message):
                return message
            self.kept.append(message)

    def answer(self, request):
        return self.wait(lambda message: message.get("id") == request and "method" not in message)

    def ask(self, method, params=None):
        """The result of a request that has to succeed."""
        message = self.answer(self.request(method, params))
        assert "result" in message, message
        return message["result"]

    def notification(self, method):
        return self.wait(lambda message: message.get("method") == method)["params"]

    def initialize(self, folder=None, **capabilities):
        capabilities.setdefault(
            "textDocument", {"publishDiagnostics": {"relatedInformation": True}})
        folders = [{"uri": uri_of(folder), "name": "project"}] if folder else None
        result = self.ask("initialize", {"processId": None, "rootUri": None,
                                         "workspaceFolders": folders,
                                         "capabilities": capabilities})
        self.notify("initialized")
        return result

    def open(self, path, text, version=1):
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri_of(path), "languageId": "cpp", "version": version, "text": text}})

    def change(self, path, version, *changes):
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri_of(path), "version": version},
            "contentChanges": [{"text": each} if isinstance(each, str) else each
                               for each in changes]})

    def close(self, path):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri_of(path)}})

    def save(self, path):
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri_of(path)}})

    def diagnostics(self, path, version=None):
        """What is next said of a file, of this version of it if one is given."""
        def fits(message):
            params = message.get("params") or {}
            return (message.get("method") == "textDocument/publishDiagnostics" and
                    params["uri"] == uri_of(path) and
                    (version is None or params.get("version") == version))
        return self.wait(fits)["params"]["diagnostics"]

    def actions(self, path, place, only=None, diagnostics=()):
        context = {"diagnostics": list(diagnostics)}
        if only:
            context["only"] = only
        return self.ask("textDocument/codeAction", {
            "textDocument": {"uri": uri_of(path)}, "range": place, "context": context})

    def leave(self):
        """Says goodbye as a client should; the exit code."""
        self.ask("shutdown")
        self.notify("exit")
        return self.end()

    def end(self):
        """Waits for the server to end by itself; the exit code."""
        code = self.process.wait(timeout=PATIENCE)
        self.stop()
        return code

    def stop(self):
        self.process.kill()
        self.process.wait()
        for each in self.threads:
            each.join(timeout=PATIENCE)
        for each in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                each.close()
            except BrokenPipeError:
                pass
