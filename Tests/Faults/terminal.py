"""A pseudo terminal with a program, for the drivers in this folder."""

import fcntl
import json
import os
import pty
import re
import resource
import select
import shutil
import signal
import struct
import tempfile
import termios
import time
from pathlib import Path


class Terminal:
    """carillon in its own terminal and folder."""

    def __init__(self, program, arguments, folder=None, limits=None, size=(36, 120)):
        self.folder = Path(folder or tempfile.mkdtemp(prefix="carillon-"))
        self.owns_folder = folder is None
        self.program = program
        self.output = bytearray()
        self.written = 0
        self.status = None
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            try:
                # Python ignores these signals, which the program would inherit.
                for number in (signal.SIGPIPE, signal.SIGXFSZ):
                    signal.signal(number, signal.SIG_DFL)
                for what, most in (limits or {}).items():
                    resource.setrlimit(what, (most, most))
                os.execve(program, [program, *arguments], self.environment())
            finally:
                os._exit(127)
        self.resize(*size)
        os.set_blocking(self.master, False)

    def environment(self):
        return {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(self.folder),
            "XDG_STATE_HOME": str(self.folder / "state"),
            "XDG_CONFIG_HOME": str(self.folder / "config"),
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
            "TZ": "UTC",
            "SWIFT_BACKTRACE": "enable=no",
        }

    @property
    def session(self):
        return self.folder / "state/carillon/sessions/main.json"

    def resize(self, rows, columns):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, keys):
        try:
            os.write(self.master, keys.encode())
        except (BlockingIOError, OSError):
            pass

    def read(self, seconds=0.0, block=65536):
        """Reads for a duration, or the available output; keeps the newest part."""
        end = time.monotonic() + seconds
        while True:
            ready, _, _ = select.select([self.master], [], [], max(0, end - time.monotonic()))
            if not ready:
                return
            try:
                found = os.read(self.master, block)
            except OSError:
                return
            if not found:
                return
            self.written += len(found)
            self.output += found
            if len(self.output) > 4_000_000:
                del self.output[:2_000_000]
            if time.monotonic() >= end and seconds:
                return

    def see(self, text, seconds=30):
        """Waits until the output contains a text."""
        end = time.monotonic() + seconds
        while text.encode() not in self.output:
            if time.monotonic() > end or self.ending() is not None:
                raise Fault(f"“{text}” did not appear in {self.output[-200:]!r}, {self.status}")
            self.read(0.05)

    def ending(self):
        """Returns the exit status, a negative signal number, or None while the program runs."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status

    def wait(self, seconds=10):
        end = time.monotonic() + seconds
        while self.ending() is None:
            if time.monotonic() > end:
                raise Fault(f"the program has not ended after {seconds} s")
            if self.master >= 0:
                self.read(0.02)
            else:
                time.sleep(0.01)
        if self.master >= 0:
            self.read()
        return self.status

    def hang_up(self):
        os.close(self.master)
        self.master = -1

    def end(self):
        if self.ending() is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            self.status = -signal.SIGKILL
        if self.master >= 0:
            self.hang_up()
        if self.owns_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()

    # Resource usage.

    def rss(self):
        """Returns the resident size in KiB."""
        return self.number("VmRSS")

    def threads(self):
        return self.number("Threads")

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def number(self, name):
        found = re.search(rf"{name}:\s+(\d+)", self.proc("status"))
        if not found:
            raise Fault(f"the program has ended: {self.ending()}")
        return int(found.group(1))

    def proc(self, name):
        return Path(f"/proc/{self.pid}/{name}").read_text()

    def children(self):
        return [int(child) for child in self.proc(f"task/{self.pid}/children").split()]

    # The session.

    def timers(self):
        return json.loads(self.session.read_text())["timers"]


class Fault(Exception):
    pass


def expect(is_so, what):
    if not is_so:
        raise Fault(what)
