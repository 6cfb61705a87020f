"""The frame of a foreign judge: an emulated service to work on, the checks, and the account of them.

A judge is a script whose functions are marked with `@check("NAME")`; they run in the order in which they are written,
each on what the ones before have left. `run()` prints `ok NAME` or `FAILED NAME: why` for each, and a count at the end.
"""

import argparse
import base64
import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import selectors
import shutil
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.error
import urllib.request

checks = []


def check(name):
    """Adds a function to the checks; the name is the rule that it proves."""

    def add(function):
        checks.append((name, function))
        return function

    return add


def equal(actual, expected, about=""):
    """Fails if two values differ, and shows both."""
    assert actual == expected, f"{about}{': ' if about else ''}{actual!r} is not {expected!r}"


def pattern(count, step=1):
    """Returns bytes that differ from place to place, the same in each run."""
    return bytes((index * step) % 251 for index in range(count))


class Lab:
    """The program `ferry-cloudlab`, with a proxy in front of it for clients whose hosts are fixed."""

    def __init__(self, program, folder, arguments=()):
        self.folder = folder
        self.certificate = folder / "authority.pem"
        self.journal_file = folder / "journal.jsonl"
        self.errors_file = folder / "lab-errors"
        command = [program, "--page-size", "3", "--proxy-certificate", str(self.certificate)]
        command += ["--journal", str(self.journal_file), *arguments]
        with open(self.errors_file, "wb") as errors:
            self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)
        try:
            # One line that is printed when everything listens, or nothing if the program has ended.
            with selectors.DefaultSelector() as selector:
                selector.register(self.process.stdout, selectors.EVENT_READ)
                line = self.process.stdout.readline() if selector.select(timeout=300) else ""
            if not line:
                raise RuntimeError("the lab does not start: " + self.errors_file.read_text(errors="replace")[:500])
        except BaseException:
            self.stop()
            raise
        self.ready = json.loads(line)
        self.proxy = self.ready["proxy"]
        self.context = ssl.create_default_context(cafile=self.certificate)
        handler = urllib.request.ProxyHandler({"http": self.proxy, "https": self.proxy})
        self.opener = urllib.request.build_opener(
            handler, urllib.request.HTTPSHandler(context=self.context), NoRedirects()
        )

    def stop(self):
        """Ends the program, which keeps nothing that could be lost."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def environment(self):
        """Returns the variables that lead a client to the lab, and nowhere else."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL", "TMPDIR") if name in os.environ}
        proxies = {name: self.proxy for name in ("HTTPS_PROXY", "HTTP_PROXY", "https_proxy", "http_proxy")}
        authorities = {name: str(self.certificate) for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE")}
        return kept | proxies | authorities | {"NO_PROXY": "", "no_proxy": "", "HOME": str(self.folder)}

    def exchanges(self, service=None):
        """Returns the journal: what was asked, and how it was answered."""
        lines = self.journal_file.read_text(errors="replace").splitlines()
        entries = [json.loads(line) for line in lines if line.endswith("}")]
        return [entry for entry in entries if service in (None, entry["service"])]

    def wait_for(self, route, after):
        """Returns when the journal has the operation, behind a number of exchanges; fails after two minutes."""
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline:
            if any(entry["route"] == route for entry in self.exchanges()[after:]):
                return
            time.sleep(0.02)
        raise AssertionError(f"nobody asked for {route}")

    def findings(self):
        """Returns what the checker has found in the answers, if it was switched on.

        What it has to say about requests is about the client, which is a stranger here.
        """
        found = []
        for line in self.errors_file.read_text(errors="replace").splitlines():
            with contextlib.suppress(ValueError):
                finding = json.loads(line)
                if not isinstance(finding, dict):
                    continue
                if finding.get("side") == "answer" and not finding.get("isErratum"):
                    found.append(finding)
        return found

    def request(self, method, url, body=None, headers=None):
        """Makes a request by way of the proxy; returns the status, the fields and the body, whatever the status."""
        request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
        try:
            with self.opener.open(request, timeout=120) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.headers, error.read()


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect is an answer, too."""

    def redirect_request(self, *arguments):
        return None


class Rclone:
    """The program `rclone` with a configuration of its own."""

    def __init__(self, lab, folder, options=()):
        self.program = str(pathlib.Path(sys.executable).parent / "rclone")
        self.configuration = folder / "rclone.conf"
        self.options = ["--config", str(self.configuration), "--retries", "1", "--low-level-retries", "3", *options]
        self.environment = lab.environment()
        self.folder = folder

    def configure(self, **remotes):
        """Writes the configuration: of each remote its keys and values."""
        lines = []
        for name, values in remotes.items():
            lines.append(f"[{name}]")
            lines += [f"{key} = {value}" for key, value in values.items()]
        self.configuration.write_text("\n".join(lines) + "\n")

    def start(self, *arguments):
        """Starts a command that runs beside others; its errors are read with its output."""
        return subprocess.Popen(
            [self.program, *self.options, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=self.folder,
            env=self.environment,
        )

    def run(self, *arguments, code=0, data=None):
        """Runs a command to its end; fails if it ends with another code. Returns its output."""
        outcome = subprocess.run(
            [self.program, *self.options, *arguments],
            input=data,
            stdin=subprocess.DEVNULL if data is None else None,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.folder,
            env=self.environment,
            timeout=300,
        )
        errors = outcome.stderr.decode(errors="replace").strip()
        assert outcome.returncode == code, f"rclone {arguments[0]} ended with {outcome.returncode}: {errors[-400:]}"
        return outcome.stdout

    def text(self, *arguments):
        """Runs a command, and returns its output as text."""
        return self.run(*arguments).decode()

    def entries(self, path, *arguments):
        """Lists a folder; returns the entries by their paths."""
        return {entry["Path"]: entry for entry in json.loads(self.run("lsjson", path, *arguments))}


def wait_for_line(process, text, seconds=120):
    """Reads what a process writes until it has a text; fails after some seconds, or when the process ends."""
    deadline = time.monotonic() + seconds
    written = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while text.encode() not in written:
            ready = selector.select(timeout=max(0, deadline - time.monotonic()))
            piece = os.read(process.stdout.fileno(), 65536) if ready else b""
            written += piece
            assert piece, f"{text!r} is not in what it wrote: {written[-300:]!r}"


def content_hash(data):
    """Computes Dropbox's content hash: SHA-256 of the SHA-256 of each block of 4 MiB."""
    blocks = (data[start : start + (4 << 20)] for start in range(0, len(data), 4 << 20))
    return hashlib.sha256(b"".join(hashlib.sha256(block).digest() for block in blocks)).hexdigest()


def quick_xor_hash(data):
    """Computes Microsoft's QuickXorHash: each byte 11 bits further in a ring of 160, then the length."""
    ring = (1 << 160) - 1
    state = 0
    # Bytes that are 160 apart share a place.
    for place in range(min(160, len(data))):
        folded = 0
        for byte in data[place::160]:
            folded ^= byte
        shift = 11 * place % 160
        wide = folded << shift
        state ^= (wide & ring) | (wide >> 160)
    state ^= len(data) << 96
    return base64.b64encode(state.to_bytes(20, "little")).decode()


def bring_up_loopback():
    """Switches the loopback interface of a new network namespace on."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        name = struct.pack("16sh14x", b"lo", 0)
        flags = struct.unpack("16sh14x", fcntl.ioctl(any_socket, 0x8913, name))[1]
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh14x", b"lo", flags | 1))


@contextlib.contextmanager
def scratch_folder():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="ferry-judge-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def run(judge, make_judge, lab_arguments=(), limit=900):
    """Runs the checks; ends the process with 1 if one fails, or a host was asked for that is not emulated.

    - judge: the judge's name.
    - make_judge: makes what the checks work with, of the lab and a folder of its own.
    - limit: the seconds after which the judge gives up.
    """
    parser = argparse.ArgumentParser(description=f"Judges the emulated service by {judge}.")
    parser.add_argument("--lab", required=True, help="the program ferry-cloudlab")
    parser.add_argument("--mutant", help="the deliberate mistake of the service, which a check should notice")
    parser.add_argument("--specs", help="the folder of the vendors' descriptions, against which answers are checked")
    parser.add_argument("--first", action="store_true", help="end at the first check that fails")
    parser.add_argument("--isolated", action="store_true", help="switch loopback on first, in a new network namespace")
    options = parser.parse_args()
    if options.isolated:
        bring_up_loopback()
    arguments = list(lab_arguments)
    arguments += ["--mutant", options.mutant] if options.mutant else []
    arguments += ["--specs", options.specs] if options.specs else []
    signal.signal(signal.SIGALRM, give_up)
    # So that the service is ended, and the folder removed.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.alarm(limit)
    start = time.monotonic()
    failed = passed = 0

    def report(name, why=None):
        nonlocal failed, passed
        failed, passed = failed + (why is not None), passed + (why is None)
        print(f"ok {judge}: {name}" if why is None else f"FAILED {judge}: {name}: {why}", flush=True)

    with scratch_folder() as folder:
        lab = Lab(options.lab, folder, arguments)
        try:
            # The client may be in this process.
            os.environ.clear()
            os.environ.update(lab.environment())
            name = "start"
            subject = make_judge(lab, folder)
            for name, function in checks:
                why = outcome(function, subject)
                report(name, why)
                if why is not None and options.first:
                    break
            name = "no other host is asked for"
            refused = sorted({entry["target"] for entry in lab.exchanges("proxy")})
            report(name, f"{', '.join(refused)}" if refused else None)
            if options.specs:
                found = [f"{entry.get('route')}: {entry.get('sentence')}" for entry in lab.findings()]
                report("the checker finds nothing in the answers", "; ".join(found[:5]) or None)
        except TimeLimit:
            report(name, f"it is not over after {limit} seconds")
        except Exception:
            report(name, last_line())
        finally:
            signal.alarm(0)
            lab.stop()
    print(f"{judge}: {passed} passed, {failed} failed, {time.monotonic() - start:.1f} seconds", flush=True)
    sys.exit(1 if failed or not passed else 0)


class TimeLimit(BaseException):
    """The judge has had its time."""


def give_up(*_):
    raise TimeLimit


def outcome(function, subject):
    """Runs a check; returns why it failed, on one line, or `None`."""
    try:
        function(subject)
        return None
    except Exception:
        return last_line()


def last_line():
    """Returns the error that is being handled, with the line of the check that met it, on one line."""
    kind, error, trace = sys.exc_info()
    script = os.path.abspath(sys.argv[0])
    lines = [frame.lineno for frame in traceback.extract_tb(trace) if os.path.abspath(frame.filename) == script]
    place = f" (line {lines[-1]})" if lines else ""
    return " ".join(f"{kind.__name__ if not str(error) else error}".split())[:600] + place
