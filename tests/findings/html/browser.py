"""A headless Chromium, driven over its DevTools protocol with the standard library alone.

The protocol runs over two pipes (--remote-debugging-pipe): messages of JSON that end in a zero byte.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find_chromium():
    """The path of a Chromium on this machine; None where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name) or shutil.which(name, path="/usr/bin:/usr/local/bin")
        if path:
            return path
    return None


class Browser:
    """One page in a browser of its own; use with `with`."""

    def __init__(self, path, width=1280, height=800):
        self.folder = tempfile.mkdtemp(prefix="browser.", dir=os.environ.get("TEST_TMPDIR"))
        to_child, self.out = os.pipe()
        self.into, from_child = os.pipe()

        def take_pipes():
            # The protocol's are 3 and 4; what is there now may be one of ours.
            reading, writing = os.dup(to_child), os.dup(from_child)
            os.dup2(reading, 3)
            os.dup2(writing, 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        command = [
            path, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
            "--hide-scrollbars", "--force-device-scale-factor=1", "--remote-debugging-pipe",
            "--user-data-dir=" + self.folder, f"--window-size={width},{height}", "about:blank",
        ]
        self.process = subprocess.Popen(
            command, close_fds=False, preexec_fn=take_pipes, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(os.environ, HOME=self.folder))
        os.close(to_child)
        os.close(from_child)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")
        self.size(width, height)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.session = None
        try:
            self.call("Browser.close", limit=10)
            self.process.wait(10)
        except (OSError, RuntimeError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        os.close(self.out)
        os.close(self.into)
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self, limit):
        """The next message."""
        end = time.monotonic() + limit
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.into], [], [], max(0, end - time.monotonic()))
            chunk = os.read(self.into, 1 << 20) if ready else b""
            if not chunk:
                raise RuntimeError("the browser does not answer" if not ready else "the browser has ended")
            self.buffer += chunk
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, limit=60, **parameters):
        """What a method of the protocol answers."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        while True:
            answer = self.read(limit)
            if answer.get("id") != self.number:
                self.events.append(answer)
                continue
            if "error" in answer:
                raise RuntimeError(method + ": " + answer["error"]["message"])
            return answer["result"]

    def wait_for_event(self, method, limit=60):
        while True:
            for event in self.events:
                if event.get("method") == method:
                    self.events.remove(event)
                    return event["params"]
            self.events.append(self.read(limit))

    def open(self, path):
        """Loads a file anew, whatever is shown; `path` may end in a fragment."""
        for url in ("about:blank", "file://" + path):
            self.events = [event for event in self.events if event.get("method") != "Page.loadEventFired"]
            self.call("Page.navigate", url=url)
            self.wait_for_event("Page.loadEventFired")

    def run(self, expression):
        """The value of an expression of JavaScript in the page, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return answer["result"].get("value")

    def settle(self):
        """Waits until what was asked for is laid out."""
        self.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))")

    def press(self, key):
        text = key if len(key) == 1 else ("\r" if key == "Enter" else "")
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "",
                      windowsVirtualKeyCode={"Enter": 13, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38,
                                             "ArrowRight": 39, "ArrowDown": 40}.get(key, 0))
        self.settle()

    def point(self, x, y, kind="mouseMoved"):
        clicks = {"button": "left", "clickCount": 1} if kind != "mouseMoved" else {}
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **clicks)

    def centre(self, selector):
        """Where an element, of which there is at least one, is on the screen."""
        return self.run(f"""(() => {{ const box = document.querySelector({json.dumps(selector)}).getBoundingClientRect();
                            return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")

    def hover(self, selector):
        self.point(*self.centre(selector))
        self.settle()

    def click(self, selector):
        x, y = self.centre(selector)
        for kind in ("mouseMoved", "mousePressed", "mouseReleased"):
            self.point(x, y, kind)
        self.settle()

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=False)

    def prefer(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.settle()

    def picture(self, path):
        self.settle()
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def complaints(self):
        """What the page logged as an error, threw, or asked the network for."""
        found = []
        for event in self.events:
            method, parameters = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(parameters["exceptionDetails"])[:400])
            elif method == "Log.entryAdded" and parameters["entry"]["level"] == "error":
                found.append(parameters["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if not url.startswith(("file:", "data:", "about:")):
                    found.append("asked for " + url)
        return found
