# SPDX-License-Identifier: MIT
"""What the tests of the program share: the program, a trace of a game, and what every refusal looks like."""

import csv
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])

GAME = """[Event "Opera"]
[White "Morphy"]
[Black "Allies"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 17. Rd8# 1-0

"""


def slidebench(*arguments, stdin="", environment=None):
    """Runs the program; returns the finished process."""
    return subprocess.run([PROGRAM, *map(str, arguments)], input=stdin, capture_output=True, text=True, check=False,
                          env={**os.environ, **(environment or {})})


def on_terminal(*arguments, **environment):
    """What the program prints to a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    subprocess.run(["stty", "cols", "100"], stdin=theirs, check=True)
    variables = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
    process = subprocess.Popen([PROGRAM, *map(str, arguments)], stdout=theirs, stderr=theirs, stdin=theirs,
                               env={**variables, "TERM": "xterm", **environment})
    os.close(theirs)
    printed = b""
    while True:
        try:
            more = os.read(ours, 65536)
        except OSError:  # what Linux says at the end of a terminal
            break
        if not more:
            break
        printed += more
    os.close(ours)
    assert process.wait() == 0, printed
    return printed.decode()


def rows_of(path):
    """The rows of a CSV file as dictionaries."""
    return list(csv.DictReader(path.read_text().splitlines()))


class ProgramTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.pgn = cls.folder / "opera.pgn"
        cls.pgn.write_text(GAME)
        cls.trace = cls.folder / "opera.trace"
        built = slidebench("trace", "build", "--kind", "game", "--out", cls.trace, cls.pgn)
        assert built.returncode == 0, built.stderr

    def path(self, name):
        return self.folder / f"{self.id().rsplit('.', 1)[1]}.{name}"

    def succeed(self, *arguments, **options):
        """Runs the program, which must end well; returns the finished process."""
        done = slidebench(*arguments, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def assert_refused(self, result, *words, status=2):
        self.assertEqual(result.returncode, status, (result.stdout, result.stderr))
        lines = [line for line in result.stderr.splitlines() if line]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].startswith("slidebench: "), lines[0])
        for word in words:
            self.assertIn(word, lines[0])


def run_tests():
    """Runs the tests of the file that was started."""
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
