# SPDX-License-Identifier: MIT
"""slidebench_record.h as an engine's author meets it: compiled as C99 and C++11, recorded by threads, imported.

Usage: test_record.py SLIDEBENCH BUILD_FOLDER
"""

import gzip
import itertools
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest

PROGRAM, BUILD = sys.argv[1], sys.argv[2]
HERE = pathlib.Path(__file__).resolve().parents[1] / "record"
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
LANGUAGES = {"gcc": ["-std=c99", "-xc"], "clang": ["-std=c99", "-xc"], "g++": ["-std=c++11", "-xc++"],
             "clang++": ["-std=c++11", "-xc++"]}
COMPILERS = {name: flags for name, flags in LANGUAGES.items() if shutil.which(name)}


def slidebench(*arguments, **options):
    """Runs the program; returns the finished process."""
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, check=False, **options)


def nodes_of(path, has_pieces=False):
    """The nodes of a raw trace (harness/trace/format.hpp): list of (event and flags, occupancy, [(kind, square)]). Nothing is
    said of the pieces, but whether they are told is checked."""
    data = path.read_bytes()
    payload = struct.unpack_from("<Q", data, 24)[0]
    nodes, at = [], 128
    while at < 128 + payload:
        count, _, size = struct.unpack_from("<IIQ", data, at)
        columns = ((length + 63) // 64 * 64 for length in (8 * count, 32 * count, count, 2 * count))
        occupied, sliders, tags, runs, squares = itertools.accumulate((at + 64, *columns))
        assert any(data[sliders:sliders + 32 * count]) == has_pieces
        assert bool(struct.unpack_from("<I", data, at + 16)[0]) == has_pieces
        for i in range(count):
            length = struct.unpack_from("<H", data, runs + 2 * i)[0]
            asked = []
            for kind in range(4):
                many = length >> 4 * kind & 15
                asked += [(kind, square) for square in data[squares:squares + many]]
                squares += many
            if data[tags + i] & 16:
                nodes[-1][2].extend(asked)
            else:
                nodes.append((data[tags + i] & ~32, struct.unpack_from("<Q", data, occupied + 8 * i)[0], asked))
        at += size
    return nodes


def merged(nodes):
    """The same nodes with neighbouring bishop and rook queries of a square as one `both`: what an import does."""
    result = []
    for tag, occupied, asked in nodes:
        kept = []
        for kind, square in asked:
            # Only what was asked right before counts as a neighbour, and only if it is not yet a `both` itself.
            if kept and kept[-1][1] == square and {kept[-1][0], kind} == {0, 1} and not kept[-1][2]:
                kept[-1] = (3, square, True)
            else:
                kept.append((kind, square, False))
        result.append((tag, occupied, [(kind, square) for kind, square, _ in kept]))
    return result


def expected_nodes(text):
    """What the text form says, grouped by the rules of extras/engines/README.md, without merging. The log begins with a
    root."""
    nodes, home, is_known, stack = [], None, True, []
    for line in text.splitlines():
        word, *rest = line.split()
        if word in ("board", "move"):
            continue
        given = int(rest[-1], 16) if rest else None
        if word == "root":
            nodes.append([0, given, []])
            home, is_known, stack = given, True, [False]
        elif word in ("null", "make", "unmake"):
            is_null = word == "null" or (word == "unmake" and stack[-1])
            if word != "unmake":
                stack = stack[-1023:] + [is_null]
            elif len(stack) > 1:
                stack.pop()
            home = home if is_null else given
            nodes.append([3 if is_null else 1 if word == "make" else 2, nodes[-1][1] if home is None else home, []])
            is_known = home is not None
        elif word in ("eval", "probe"):
            bit = 4 if word == "eval" else 8
            if nodes[-1][0] & bit:
                nodes.append([3, nodes[-1][1], []])
            nodes[-1][0] |= bit
        else:
            if not is_known:
                nodes[-1][1] = home = given
                is_known = True
            elif given != nodes[-1][1]:
                nodes.append([2 if given == home else 1, given, []])
            nodes[-1][2].append(("brqx".index(word), ord(rest[0][0]) - 97 + 8 * (int(rest[0][1]) - 1)))
    return [tuple(node) for node in nodes]


def record_lengths(text):
    """Bytes of each event of a text in the binary form: an occupancy that is the last one's is left out."""
    last, lengths = 0, []
    for line in text.splitlines():
        word, *rest = line.split()
        if word in ("board", "move"):
            lengths.append(34 if word == "board" else 4)
            continue
        given = int(rest[-1], 16) if rest else 0
        is_short = word in ("null", "eval", "probe") or given == last
        last = last if is_short else given
        lengths.append(2 if is_short else 10)
    return lengths


class Record(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.programs = {name: cls.compile_program(name) for name in COMPILERS}
        cls.program = next(iter(cls.programs.values()))

    @classmethod
    def compile_program(cls, compiler, *more):
        program = cls.folder / f"program_{compiler}{''.join(more)}".replace("=", "_").replace(",", "_")
        subprocess.run([compiler, *COMPILERS[compiler], *STRICT, "-O2", "-DSLIDEBENCH_RECORD", *more, "-pthread",
                        HERE / "test_program.c", "-o", program], check=True)
        return program

    def setUp(self):
        self.here = self.folder / self.id().rsplit(".", 1)[1]
        self.here.mkdir()
        self.log = self.here / "log"

    def run_program(self, mode, *more, program=None, path=None):
        done = subprocess.run([program or self.program, mode, path or self.log, *map(str, more)], capture_output=True,
                              text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def names(self):
        return sorted(p.name for p in self.here.iterdir())

    def imported(self, *logs, merge=0, options=(), has_pieces=False):
        """The nodes of the trace that logs become."""
        out = self.here / "imported.trace"
        done = slidebench("trace", "import", "--merge-both", merge, *options, "--out", out, *logs)
        self.assertEqual(done.returncode, 0, done.stderr)
        nodes = nodes_of(out, has_pieces)
        out.unlink()
        return nodes

    def assert_same(self, log, text):
        """A log and the text of the same events become the same trace, and the one that the rules say."""
        written = self.here / "text"
        written.write_text(text)
        expected = expected_nodes(text)
        self.assertEqual(self.imported(written), expected)
        self.assertEqual(self.imported(log), expected)
        self.assertEqual(self.imported(log, merge=1), merged(expected))
        written.unlink()

    def recorded(self, mode, events):
        """What every compiler's program prints; all print and record the same."""
        done = [self.run_program(mode, events, program=program, path=self.here / name) for name, program in self.programs.items()]
        self.assertEqual({process.stderr for process in done}, {""})
        logs = {(self.here / name).read_bytes() for name in self.programs}
        self.assertEqual((len(logs), len({process.stdout for process in done})), (1, 1))
        self.assertEqual(len(logs.pop()), 16 + sum(record_lengths(done[0].stdout)))
        return done[0].stdout

    def test_every_compiler_records_the_same(self):
        self.assert_same(self.here / next(iter(self.programs)), self.recorded("once", 50_000))

    def test_boards_and_moves(self):
        text = self.recorded("pieces", 30_000)
        self.assertGreater(text.count("\nboard"), 3)
        self.assertGreater(text.count("q\nmake"), 3)
        self.log.write_text(text)
        traces = []
        for log in (self.log, self.here / next(iter(self.programs))):
            self.assertEqual(self.imported(log, options=["--no-pieces"]), expected_nodes(text))
            traces.append(self.imported(log, has_pieces=True))
            payload = self.here / "payload"
            slidebench("trace", "import", "--name", "a", "--out", payload, log)
            data = payload.read_bytes()
            traces.append(data[128:128 + struct.unpack_from("<Q", data, 24)[0]])
        self.assertEqual(traces[:2], traces[2:])

    def test_boards_and_moves_that_do_not_fit(self):
        self.run_program("pieces", 100)
        good = self.log.read_bytes()
        self.log.write_bytes(good[:18] + b"\xcd" + good[19:])
        self.assert_one_line(": a board has a piece 13")
        self.log.write_bytes(good[:18] + b"\xc5" + good[19:])
        self.assert_one_line("log, record 1: a side has two kings; record it again, or import it with --no-pieces")
        self.assertNotEqual(self.imported(self.log, options=["--no-pieces"]), [])

    def assert_one_line(self, words):
        done = slidebench("trace", "import", "--out", self.here / "never", self.log, text=True)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
        self.assertIn(words, done.stderr)
        self.assertEqual(self.names(), ["log"])

    def test_without_the_macro_there_is_nothing(self):
        calls = re.findall(r"#define (sb_record_\w+)\((.*?)\) \(\(void\)0\)", (HERE / "slidebench_record.h").read_text())
        self.assertEqual(len(calls), 14)
        statements = "\n".join(f"  {name}({', '.join('work()' for argument in arguments.split(',') if argument)});"
                               for name, arguments in calls)
        code = "int work(void);\nint engine(void);\nint engine(void) {\n%s\n  return work();\n}\n"
        for compiler, flags in COMPILERS.items():
            assembly = []
            for body in (statements, ""):
                source = '#include "slidebench_record.h"\n' + code % body
                assembly.append(subprocess.run([compiler, *flags, *STRICT, "-O0", "-S", "-I", HERE, "-", "-o", "-"],
                                               input=source, capture_output=True, text=True, check=True).stdout)
            self.assertEqual(assembly[0], assembly[1], compiler)
        program = self.folder / "without"
        subprocess.run([next(iter(COMPILERS)), "-O2", "-pthread", HERE / "test_program.c", "-o", program], check=True)
        self.run_program("once", program=program)
        self.assertEqual(self.names(), [])

    def test_a_second_recording_takes_a_second_file(self):
        text = self.run_program("twice", 1000).stdout
        self.assertEqual(self.names(), ["log", "log.2"])
        self.assert_same(self.log, text[:text.index("root", 1)])
        self.assertEqual(self.imported(self.log, self.here / "log.2"), expected_nodes(text))

    def test_threads_record_into_files_of_their_own(self):
        self.run_program("threads", 20_000)
        self.assertEqual(self.names(), ["log", "log.2", "log.3", "log.4"])
        logs = [self.imported(self.here / name) for name in self.names()]
        for text in self.run_program("twice", 20_000, path=self.here / "spare").stdout.split("root")[1:]:
            self.assertEqual(logs.count(expected_nodes("root" + text)), 1)

    def test_exit_while_another_thread_records(self):
        text = self.run_program("running", 20_000).stdout
        self.assertEqual(self.names(), ["log", "log.2"])
        logs, expected = [self.imported(self.here / name) for name in self.names()], expected_nodes(text)
        self.assertEqual(logs.count(expected), 1)
        endless = next(log for log in logs if log != expected)
        self.assertEqual(set(endless[0][2]), {(0, 28)})

    def test_a_full_disk_ends_the_recording_and_not_the_engine(self):
        done = self.run_program("full", 20_000)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 2, done.stderr)
        self.assertRegex(lines[0], r"^slidebench_record: cannot write .*/log: .*; recording stops$")
        self.assertEqual(lines[1], "the engine goes on")
        self.assertEqual(self.log.stat().st_size, 50_000)
        ends = [16 + end for end in itertools.accumulate(record_lengths(done.stdout))]
        whole = sum(end <= 50_000 for end in ends)
        text = "".join(done.stdout.splitlines(keepends=True)[:whole])
        self.assert_same(self.log, text)
        report = slidebench("trace", "import", "--out", self.here / "t", self.log).stderr.decode()
        self.assertIn(f"log is cut off in its last record; left out {50_000 - ends[whole - 1]} bytes", report)

    def test_an_unwritable_file_ends_the_recording_and_not_the_engine(self):
        for path in (self.here / "no" / "where", pathlib.Path("/proc/log")):
            done = self.run_program("once", path=path)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(f"cannot write {path}", done.stderr)

    def test_under_the_sanitizers(self):
        for mode in ("once", "pieces", "threads", "full", "running"):
            for sanitizer in ("address,undefined", "thread"):
                program = self.compile_program("gcc", f"-fsanitize={sanitizer}")
                done = self.run_program(mode, 20_000, program=program, path=self.here / f"{mode}.{sanitizer}")
                self.assertNotIn("Sanitizer", done.stderr)

    def test_what_it_prints_is_taken_by_everything(self):
        text = self.run_program("pieces", 20_000).stdout
        plain, packed, trace = self.here / "text", self.here / "text.gz", self.here / "game.trace"
        plain.write_text(text)
        packed.write_bytes(gzip.compress(text.encode()))
        for log in (plain, packed, "-"):
            done = slidebench("trace", "import", "--no-pieces", "--merge-both", 0, "--out", trace, log, input=text.encode())
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(nodes_of(trace), expected_nodes(text))
        slidebench("trace", "import", "--out", trace, plain)
        run = ("run", "--trace", trace, "--no-random", "--method", "hyperbola", "--profile", "2x1", "--out")
        done = slidebench(*run, self.here / "run", text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        samples = (self.here / "run" / "samples.csv").read_text()
        self.assertTrue(all(words in samples for words in ("throughput,all,game", "setwise", "update")))
        done = slidebench("simulate", "--trace", trace, "--no-random", "--method", "hyperbola", "--cache", "nehalem-i5", "--draws", 1,
                          "--out", self.here / "simulated", text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        slidebench("trace", "import", "--no-pieces", "--out", trace, plain)
        done = slidebench(*run, self.here / "without", text=True)
        self.assertIn("no setwise on trace game", done.stderr)
        self.assertNotIn("setwise", (self.here / "without" / "samples.csv").read_text())
        for command in (("run", "--workload", "setwise", "--no-random", "--out", self.here / "never"), ("kernel", "--workload", "setwise")):
            done = slidebench(*command, "--trace", trace, "--method", "hyperbola", text=True)
            self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1), done.stderr)
            self.assertIn("sliders", done.stderr)

    def test_the_header_is_installed(self):
        done = subprocess.run(["cmake", "--install", BUILD, "--component", "record", "--prefix", self.here / "usr"],
                              capture_output=True, text=True, check=False)
        installed = self.here / "usr" / "include" / "slidebench_record.h"
        self.assertTrue(installed.exists(), done.stdout + done.stderr)
        self.assertEqual(installed.read_bytes(), (HERE / "slidebench_record.h").read_bytes())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
