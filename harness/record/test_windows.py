# SPDX-License-Identifier: MIT
"""slidebench_record.h on Windows: what a program compiled by MinGW-w64 records under Wine, against the same program of Linux.

Usage: test_windows.py SLIDEBENCH
"""

import json
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "platform"))
import wine  # noqa: E402

PROGRAM = sys.argv[1]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror"]
LANGUAGES = {"c99": "c", "c11": "c", "c++11": "c++"}
CLANG = shutil.which("clang++")


def compile_program(compiler, standard, *options):
    """Compiles the test program, as one that records."""
    subprocess.run([compiler, f"-std={standard}", f"-x{LANGUAGES[standard]}", *STRICT, "-O2", "-DSLIDEBENCH_RECORD",
                    HERE / "test_program.c", *options], check=True)


def limit_files():
    """In the child: no file grows beyond 50,000 bytes, and no signal says so."""
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))


class Windows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.wine = wine.Wine()
        cls.addClassCleanup(cls.wine.close)
        cls.programs = {standard: cls.folder / f"{standard}.exe" for standard in LANGUAGES}
        for standard, program in cls.programs.items():
            compile_program(wine.COMPILERS[LANGUAGES[standard]], standard, *wine.OPTIONS, "-o", program)
        cls.program = cls.programs["c99"]
        cls.linux = cls.folder / "linux"
        compile_program("gcc", "c99", "-pthread", "-o", cls.linux)

    def setUp(self):
        self.here = self.folder / self.id().rsplit(".", 1)[1]
        self.here.mkdir()

    def record(self, mode, events, program=None, path="log", **options):
        """Records in a folder of this test; returns what was printed, and the files by their names."""
        done = self.wine.run(program or self.program, mode, path, events, cwd=self.here, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        logs = {log.name: log.read_bytes() for log in self.here.iterdir()}
        for log in self.here.iterdir():
            log.unlink()
        return done, logs

    def recorded_on_linux(self, mode, events):
        """The same of Linux."""
        done = subprocess.run([self.linux, mode, "log", str(events)], cwd=self.here, capture_output=True, text=True, check=True,
                              timeout=60)
        logs = {log.name: log.read_bytes() for log in self.here.iterdir()}
        for log in self.here.iterdir():
            log.unlink()
        return done, logs

    def trace_of(self, log):
        """What the trace tells that a log becomes."""
        (self.folder / "log").write_bytes(log)
        trace = self.folder / "log.trace"
        for command in (("import", "--out", trace, self.folder / "log"), ("info", "--format", "json", trace)):
            done = subprocess.run([PROGRAM, "trace", *command], capture_output=True, text=True, check=False, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def test_every_language_records_what_linux_records(self):
        """A byte 10 in a log becomes no line end of Windows."""
        for mode in ("once", "pieces", "twice"):
            expected, logs = self.recorded_on_linux(mode, 30_000)
            self.assertTrue(all(b"\n" in log[16:] for log in logs.values()))
            for standard, program in self.programs.items():
                done, got = self.record(mode, 30_000, program)
                self.assertEqual((done.stdout, done.stderr), (expected.stdout, ""))
                self.assertEqual(sorted(got), sorted(logs), (mode, standard))
                self.assertTrue(got == logs, (mode, standard))
            trace = self.trace_of(got["log"])
            self.assertEqual(trace["pieces"], mode == "pieces")

    def test_threads_record_into_files_of_their_own(self):
        """Which thread takes which name is not said; half of them leave the writing to exit()."""
        expected, got = self.recorded_on_linux("threads", 20_000)[1], self.record("threads", 20_000)[1]
        self.assertEqual(sorted(got), ["log", "log.2", "log.3", "log.4"])
        self.assertTrue(sorted(got.values()) == sorted(expected.values()))

    def test_exit_while_another_thread_records(self):
        alone = self.recorded_on_linux("once", 20_000)[1]["log"]
        logs = list(self.record("running", 20_000)[1].values())
        self.assertEqual(len(logs), 2)
        self.assertIn(alone, logs)
        logs.remove(alone)
        queries = logs[0][16:]
        first = bytes([7, 28]) + 0xFFFF00000000FFFF.to_bytes(8, "little")
        again = bytes([128 + 7, 28])  # of the same occupancy
        self.assertEqual(queries, first + again * ((len(queries) - len(first)) // len(again)))
        self.assertGreaterEqual(len(queries), 2 * 100_000)

    def test_a_full_disk_ends_the_recording_and_not_the_engine(self):
        """The limit is that of Wine's process on Linux; Windows has none."""
        whole = self.recorded_on_linux("once", 20_000)[1]["log"]
        done, logs = self.record("limited", 20_000, preexec_fn=limit_files, restore_signals=False)
        lines = done.stderr.splitlines()
        self.assertEqual(len(lines), 2, done.stderr)
        self.assertRegex(lines[0], r"^slidebench_record: cannot write log: .*; recording stops$")
        self.assertEqual(lines[1], "the engine goes on")
        self.assertEqual(logs["log"], whole[:50_000])

    def test_an_unwritable_file_ends_the_recording_and_not_the_engine(self):
        for path, why in (("no/where", "No such file or directory"), (r"C:\windows\system32\con<>", "Invalid argument"),
                          ("", "No such file or directory")):
            done, logs = self.record("once", 100, path=path)
            self.assertEqual(done.stderr, f"slidebench_record: cannot write {path}: {why}; recording stops\n")
            self.assertEqual(logs, {})


# What the header takes of Windows and of the C library, as far as it does: Microsoft's headers are not to be had here.
STAND_INS = {
    "windows.h": """
typedef struct { void* Ptr; } SRWLOCK;
#define SRWLOCK_INIT {0}
C_LINKAGE void AcquireSRWLockExclusive(SRWLOCK*);
C_LINKAGE void ReleaseSRWLockExclusive(SRWLOCK*);
""",
    "io.h": """
C_LINKAGE int _open(const char*, int, ...);
C_LINKAGE int _write(int, const void*, unsigned);
C_LINKAGE int _close(int);
""",
    "fcntl.h": """
#define _O_WRONLY 1
#define _O_NOINHERIT 128
#define _O_CREAT 256
#define _O_EXCL 1024
#define _O_BINARY 32768
""",
    "sys/stat.h": "#define _S_IREAD 256\n#define _S_IWRITE 128\n",
    "errno.h": "C_LINKAGE int* _errno(void);\n#define errno (*_errno())\n#define ENOMEM 12\n#define EINTR 4\n#define EEXIST 17\n",
    "string.h": """
#include <stddef.h>
C_LINKAGE void* memcpy(void*, const void*, size_t);
C_LINKAGE size_t strlen(const char*);
C_LINKAGE char* strcpy(char*, const char*);
C_LINKAGE char* strerror(int);
""",
    "stdio.h": """
#include <stddef.h>
typedef struct sb_file FILE;
C_LINKAGE FILE* __acrt_iob_func(unsigned);
#define stderr (__acrt_iob_func(2))
C_LINKAGE int fprintf(FILE*, const char*, ...);
C_LINKAGE int snprintf(char*, size_t, const char*, ...);
""",
    "stdlib.h": """
#include <stddef.h>
C_LINKAGE void* malloc(size_t);
C_LINKAGE void free(void*);
C_LINKAGE int atexit(void (*)(void));
""",
}
LINKAGE = '#ifdef __cplusplus\n#define C_LINKAGE extern "C"\n#else\n#define C_LINKAGE extern\n#endif\n'


@unittest.skipUnless(CLANG, "needs clang++, which knows the compiler of Microsoft")
class Msvc(unittest.TestCase):
    """As far as Clang goes when it plays that compiler. No MSVC has seen the header."""

    def clang(self, *arguments, target="x86_64"):
        """Clang as that compiler, about the header with its code."""
        with tempfile.TemporaryDirectory() as folder:
            for name, text in STAND_INS.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(exist_ok=True)
                path.write_text(LINKAGE + text)
            source = '#define SLIDEBENCH_RECORD_IMPLEMENTATION\n#include "slidebench_record.h"\n'
            return subprocess.run([CLANG, f"--target={target}-pc-windows-msvc", "-fms-compatibility-version=19.30", "-Wall",
                                   "-Wextra", "-Werror", "-isystem", folder, "-I", HERE, *arguments, "-"],
                                  input=source, capture_output=True, text=True, check=False)

    def test_it_compiles(self):
        for macros in (["-DSLIDEBENCH_RECORD"], []):
            for standard in ("-xc -std=c11", "-xc++ -std=c++14", "-xc++ -std=c++20"):
                self.assertEqual(self.clang(*standard.split(), *macros, "-fsyntax-only").stderr, "")

    def test_nothing_of_gnu_is_left(self):
        """Which Clang would know, and MSVC does not."""
        code = self.clang("-xc", "-E", "-P", "-DSLIDEBENCH_RECORD").stdout
        self.assertIn("__declspec(thread)", code)
        self.assertEqual(re.findall(r"__atomic\w*|__builtin\w*|__attribute__|__asm__|__thread|ssize_t|pthread\w*", code), [])

    def test_what_is_not_for_it_is_refused(self):
        for macro, target, words in (("-DSLIDEBENCH_RECORD", "aarch64", "MSVC orders volatile stores on x64 alone"),
                                     ("-DSLIDEBENCH_DOSE", "i686", "doses are for GCC and Clang")):
            self.assertIn(words, self.clang("-xc", macro, "-fsyntax-only", target=target).stderr)


if __name__ == "__main__":
    wine.skip_if_missing()
    unittest.main(argv=sys.argv[:1])
