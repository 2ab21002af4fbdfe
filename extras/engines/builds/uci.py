# SPDX-License-Identifier: MIT
"""A UCI engine as a child process, asked a line at a time."""

import os
import select
import subprocess
import time

START_S = 60  # for the answer to uci and isready
END_S = 5  # for the end after quit


class EngineError(Exception):
    """The engine ended, or did not answer. Its text is one line without the engine's name."""


class Engine:
    """A running engine. Used as a context, so that no child stays."""

    def __init__(self, program, folder):
        try:
            self.child = subprocess.Popen([os.path.abspath(program)], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                          stderr=subprocess.DEVNULL)
        except OSError as error:
            raise EngineError(f"cannot be started ({error.strerror})") from None
        self.rest = b""

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.say("quit")
            self.child.wait(END_S)
        except (EngineError, subprocess.TimeoutExpired):
            self.child.kill()
        self.child.wait()
        self.child.stdout.close()

    def say(self, *lines):
        """Sends lines."""
        try:
            self.child.stdin.write("".join(line + "\n" for line in lines).encode())
            self.child.stdin.flush()
        except OSError:
            raise self._ended() from None

    def _ended(self):
        try:
            status = self.child.wait(END_S)
        except subprocess.TimeoutExpired:
            return EngineError("closed its output")
        return EngineError(f"was ended by signal {-status}" if status < 0 else f"ended with status {status}")

    def line(self, until):
        """The next line, without its end; None where the time `until` (of time.monotonic()) passes first."""
        while b"\n" not in self.rest:
            if not select.select([self.child.stdout], [], [], max(0.0, until - time.monotonic()))[0]:
                return None
            data = os.read(self.child.stdout.fileno(), 65536)
            if not data:
                raise self._ended()
            self.rest += data
        line, _, self.rest = self.rest.partition(b"\n")
        return line.decode(errors="replace").rstrip()

    def ask(self, question, answer, seconds):
        """Sends a line and returns those that come up to one whose first word is `answer`. EngineError if none comes."""
        self.say(question)
        lines, until = [], time.monotonic() + seconds
        while (line := self.line(until)) is not None:
            lines.append(line)
            if line.split(" ")[0] == answer:
                return lines
        raise EngineError(f"does not answer '{question}' within {seconds} s")


def prepare(engine, wishes):
    """The handshake; sets those of the options (name -> value) that the engine has."""
    said = "\n".join(engine.ask("uci", "uciok", START_S))
    for name, value in wishes.items():
        if f"option name {name} type" in said:
            engine.say(f"setoption name {name} value {value}")
    engine.ask("isready", "readyok", START_S)
