"""A headless Chromium that is controlled over the DevTools protocol through a pipe."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Chromium:
    """A browser with one page; use it in a `with` statement."""

    def __init__(self):
        self.directory = tempfile.mkdtemp(prefix="apitest-chromium-")
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        # The browser reads commands from descriptor 3 and writes responses to descriptor 4.
        command = (
            f"exec 3<&{to_browser} 4>&{from_browser}; exec chromium --headless --no-sandbox --disable-gpu"
            " --no-first-run --disable-dev-shm-usage --disable-background-networking"
            f" --user-data-dir='{self.directory}' --remote-debugging-pipe about:blank"
        )
        self.process = subprocess.Popen(
            ["/bin/bash", "-c", command], pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.events = []
        self.answers = {}
        self.number = 0
        self.session = None
        targets = self.call("Target.getTargets")["targetInfos"]
        page = next(target for target in targets if target["type"] == "page")
        attached = self.call("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.session = None
            self.call("Browser.close", within=5)
        except Exception:
            pass
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, 9)
            self.process.wait(5)
        shutil.rmtree(self.directory, ignore_errors=True)

    def call(self, method, within=60, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        number = self.number
        self.wait(lambda: number in self.answers, method, within)
        answer = self.answers.pop(number)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def wait(self, condition, what, within=60):
        """Reads messages until a condition is true."""
        end = time.monotonic() + within
        while not condition():
            left = end - time.monotonic()
            if left <= 0 or not select.select([self.input], [], [], min(left, 0.1))[0]:
                if left <= 0:
                    raise RuntimeError(f"{what} took more than {within} s")
                continue
            data = os.read(self.input, 1 << 20)
            if not data:
                raise RuntimeError(f"the browser ended during {what}")
            *messages, self.buffer = (self.buffer + data).split(b"\0")
            for text in messages:
                message = json.loads(text)
                if "id" in message:
                    self.answers[message["id"]] = message
                else:
                    self.events.append(message)

    def open(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        self.wait(lambda: any(event["method"] == "Page.loadEventFired" for event in self.events), url)

    def reload(self):
        self.events.clear()
        self.call("Page.reload")
        self.wait(lambda: any(event["method"] == "Page.loadEventFired" for event in self.events), "reload")

    def pdf(self):
        """Returns the page as a PDF."""
        return base64.b64decode(self.call("Page.printToPDF", printBackground=True)["data"])

    def js(self, expression):
        """Returns the value of an expression; awaits a promise."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(f"{expression}: {details.get('exception', {}).get('description', details['text'])}")
        return result["result"].get("value")

    def until(self, expression, within=15):
        """Waits until an expression is true."""
        end = time.monotonic() + within
        while not self.js(expression):
            if time.monotonic() > end:
                raise RuntimeError(f"never true: {expression}")
            time.sleep(0.02)

    def key(self, key, text=None):
        codes = {"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "End": 35, "Home": 36, "Tab": 9}
        parameters = {"key": key, "windowsVirtualKeyCode": codes.get(key, ord(key[0]))}
        if len(key) == 1:
            parameters["text"] = text or key
        self.call("Input.dispatchKeyEvent", type="keyDown", **parameters)
        self.call("Input.dispatchKeyEvent", type="keyUp", **parameters)

    def size(self, width, height):
        self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
            mobile=width < 600)

    def scheme(self, name):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    @property
    def problems(self):
        """Returns the messages of the console and the network requests of the page."""
        found = []
        for event in self.events:
            method, parameters = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
            elif method == "Log.entryAdded":
                found.append(parameters["entry"]["text"])
            elif method == "Runtime.consoleAPICalled":
                found.append(f"console.{parameters['type']}")
            elif method == "Network.requestWillBeSent" and parameters["type"] != "Document":
                found.append("request of " + parameters["request"]["url"])
        return found
