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


def nodes_of(path):
    """The nodes of a raw trace (harness/trace/format.hpp): list of (event and flags, occupancy, [(kind, square)])."""
    data = path.read_bytes()
    payload = struct.unpack_from("<Q", data, 24)[0]
    nodes, at = [], 128
    while at < 128 + payload:
        count, _, size = struct.unpack_from("<IIQ", data, at)
        columns = ((length + 63) // 64 * 64 for length in (8 * count, 32 * count, count, 2 * count))
        occupied, _, tags, runs, squares = itertools.accumulate((at + 64, *columns))
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
    """What a log that begins with a root says, grouped by the rules of extras/engines/README.md, without merging or pieces."""
    nodes, home, is_known, stack = [], None, True, []
    for line in text.splitlines():
        word, *rest = line.split()
        if word in ("board", "move"):
            continue
        given = int(rest[-1], 16) if rest else None
        if word in ("make", "unmake"):
            given = given or None
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

    def logs(self):
        return [(self.here / name).read_text() for name in self.names()]

    def test_every_compiler_records_what_it_prints_and_that_is_imported_by_the_rules(self):
        trace, packed = self.here / "trace", self.here / "packed"
        for mode, events in (("once", 50_000), ("pieces", 1000)):
            for name, program in self.programs.items():
                log = self.here / f"{mode}.{name}"
                done = self.run_program(mode, events, program=program, path=log)
                self.assertTrue(log.read_text() == done.stdout and done.stderr == "", name)
            packed.write_bytes(gzip.compress(log.read_bytes()))
            nodes = expected_nodes(done.stdout)
            for source, merge, expected in ((log, 1, merged(nodes)), (packed, 0, nodes), ("-", 0, nodes)):
                done = slidebench("trace", "import", "--no-pieces", "--merge-both", merge, "--out", trace, source,
                                  input=log.read_bytes())
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertTrue(nodes_of(trace) == expected, (mode, source))

    def test_what_is_no_piece_square_or_move_is_recorded_and_refused(self):
        self.run_program("wrong")
        lines = self.log.read_text().splitlines(keepends=True)
        for line, words in zip(lines, ("no board: '8/8", "no square: 'a9'", "no square: 'h0'", "no move", "no move"), strict=True):
            self.log.write_text(line)
            done = slidebench("trace", "import", "--out", self.here / "never", self.log, text=True)
            self.assertEqual((done.returncode, done.stderr.count("\n"), self.names()), (2, 1, ["log"]), done.stderr)
            self.assertIn(words, done.stderr)

    def test_without_the_macro_there_is_nothing(self):
        calls = re.findall(r"#define (sb_record_\w+)\((.*?)\) SB_RECORD", (HERE / "slidebench_record.h").read_text())
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
        self.assertTrue("".join(self.logs()) == text)

    def test_threads_record_into_files_of_their_own(self):
        self.run_program("threads", 20_000)
        self.assertEqual(self.names(), ["log", "log.2", "log.3", "log.4"])
        logs = self.logs()
        for text in self.run_program("twice", 20_000, path=self.here / "spare").stdout.split("root")[1:]:
            self.assertEqual(logs.count("root" + text), 1)

    def test_exit_while_another_thread_records(self):
        text = self.run_program("running", 20_000).stdout
        self.assertEqual(self.names(), ["log", "log.2"])
        logs = self.logs()
        self.assertEqual(logs.count(text), 1)
        endless = next(log for log in logs if log != text)
        self.assertEqual(set(endless.splitlines()), {"b e4 ffff00000000ffff"})

    def test_a_full_disk_ends_the_recording_and_not_the_engine(self):
        done = self.run_program("full", 20_000)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 2, done.stderr)
        self.assertRegex(lines[0], r"^slidebench_record: cannot write .*/log: .*; recording stops$")
        self.assertEqual(lines[1], "the engine goes on")
        text = done.stdout[:50_000]
        self.assertTrue(self.log.read_text() == text)
        report = slidebench("trace", "import", "--out", self.here / "t", self.log, text=True).stderr
        self.assertIn(f"log is cut off in its last line; left out {len(text.rpartition(chr(10))[2])} bytes", report)

    def test_an_unwritable_file_ends_the_recording_and_not_the_engine(self):
        for path in (self.here / "no" / "where", pathlib.Path("/proc/log")):
            done = self.run_program("once", path=path)
            self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)
            self.assertIn(f"cannot write {path}", done.stderr)

    def test_under_the_sanitizers(self):
        for sanitizer in ("address,undefined", "thread"):
            program = self.compile_program("gcc", f"-fsanitize={sanitizer}")
            for mode in ("once", "pieces", "threads", "full", "running"):
                done = self.run_program(mode, 20_000, program=program, path=self.here / f"{mode}.{sanitizer}")
                self.assertNotIn("Sanitizer", done.stderr)

    def test_a_trace_with_pieces_is_taken_by_everything(self):
        self.run_program("pieces", 1000)
        trace = self.here / "game.trace"
        slidebench("trace", "import", "--out", trace, self.log)
        run = ("run", "--trace", trace, "--method", "hyperbola", "--profile", "2x1", "--out")
        done = slidebench(*run, self.here / "run", text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        samples = (self.here / "run" / "samples.csv").read_text()
        self.assertTrue(all(words in samples for words in ("throughput,all,game", "setwise", "update")))
        done = slidebench("simulate", "--trace", trace, "--method", "hyperbola", "--cache", "nehalem-i5", "--draws", 1,
                          "--out", self.here / "simulated", text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        slidebench("trace", "import", "--no-pieces", "--out", trace, self.log)
        done = slidebench(*run, self.here / "without", text=True)
        self.assertIn("no setwise on trace game", done.stderr)
        self.assertNotIn("setwise", (self.here / "without" / "samples.csv").read_text())
        for command in (("run", "--workload", "setwise", "--out", self.here / "never"), ("kernel", "--workload", "setwise")):
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
