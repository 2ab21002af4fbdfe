# SPDX-License-Identifier: MIT
"""Load: a whole collection of games, traces beyond 4 GiB, a thousand process runs. Prints a table in Markdown.

Every command gets a small input and a large one. It may take so much memory of its own and no more (RLIMIT_DATA, of each
of its processes), and with the large input hardly more than with the small one. Memory of its own is what is written:
heaps, stacks, shared memory. Pages of a mapped trace come on top, as many as the system has to spare; it takes them back
when it needs them, so they are listed and not limited.

Takes a quarter of an hour and 8 GB of disk.

Usage: load_test.py SLIDEBENCH GAMES [--work FOLDER] [--repeat 8] [--process-runs 1000] [--only WORD]

GAMES is the collection that datasets/fetch_games.sh fetches; so many times over it makes the large trace. Exit status 1 if
a command failed or took too much, 2 if there is nothing to test with.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile
import time

MIB = 1 << 20
ALLOWED = 512 * MIB  # of each process, as the kernel counts it: also what is reserved and not used
GROWTH = 24 * MIB    # more than with the small input
CACHE = "L1=32K/8,L2=512K/8"


@dataclasses.dataclass
class Usage:
    """What a command took: seconds, and bytes at the most of all its processes together."""
    status: int
    stderr: str
    seconds: float
    own: int       # written memory, sampled
    resident: int  # of the largest process, with the mapped pages; as the kernel counts it


def family_of(pid):
    """A process and all its descendants."""
    pids = [pid]
    for parent in pids:
        try:
            for task in pathlib.Path(f"/proc/{parent}/task").iterdir():
                pids += map(int, (task / "children").read_text().split())
        except OSError:
            pass
    return pids


def own_memory(pid):
    """Bytes that a process has written: anonymous and shared, not those of mapped files. 0 if it has ended."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    fields = dict(line.split(":", 1) for line in status.splitlines() if ":" in line)
    return sum(int(fields[name].split()[0]) * 1024 for name in ("RssAnon", "RssShmem") if name in fields)


def run(words, allowed, environment=None, each=None):
    """Runs a command under the limit; calls each(pid) now and then. Returns its Usage."""
    def limit():
        resource.setrlimit(resource.RLIMIT_DATA, (allowed, allowed))

    with tempfile.TemporaryFile("w+") as errors:
        begin = time.monotonic()
        process = subprocess.Popen(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=errors, preexec_fn=limit, env={**os.environ, **(environment or {})})
        own = 0
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid != 0:
                break
            own = max(own, sum(map(own_memory, family_of(process.pid))))
            if each:
                each(process.pid)
            time.sleep(0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        return Usage(process.returncode, errors.read(), time.monotonic() - begin, own, usage.ru_maxrss * 1024)


class Load:
    """The program, its inputs, and the table."""

    def __init__(self, options):
        self.program, self.work = options.program.resolve(), options.work
        self.only, self.repeat = options.only, options.repeat
        self.games, self.failed = options.games.resolve(), 0
        self.some_games = self.work / "some.pgn"
        self.write_some_games(8)
        print("| command | input | seconds | own memory, MiB | resident, MiB | result |\n|---|---|---:|---:|---:|---|",
              flush=True)

    def write_some_games(self, share):
        """The first games, a share of them all."""
        whole = self.games.read_bytes()
        end = whole.find(b"\n[Event ", len(whole) // share)
        self.some_games.write_bytes(whole[:end + 1 if end >= 0 else len(whole)])

    def row(self, name, source, usage, wrong):
        self.failed += wrong is not None
        print(f"| `{name}` | {source} | {usage.seconds:.1f} | {usage.own / MIB:.0f} | {usage.resident / MIB:.0f} | "
              f"{wrong or 'as it should be'} |", flush=True)

    def both(self, name, words_for, sources, needed=0):
        """A command with two inputs.

        Args:
            words_for: of an input's path and an output's, the command's words after the program.
            sources: ((what it is, path, output), the same of the large one).
            needed: bytes of memory a byte of the input that the command is known to take.
        """
        first = None
        for source, path, out in sources:
            if self.only not in name:
                continue
            shutil.rmtree(out, ignore_errors=True)
            expected = int(needed * path.stat().st_size) if needed else 0
            usage = run([self.program, *words_for(path, out)], ALLOWED + expected)
            own = usage.own - expected
            wrong = None
            if usage.status != 0:
                wrong = f"status {usage.status}: {(usage.stderr.splitlines() or ['no word'])[-1]}"
            elif first is not None and own > first + GROWTH:
                wrong = "its memory grows with the input"
            self.row(name, source, usage, wrong)
            first = own if first is None else first

    def inputs(self, some, large, ending):
        """Games as the sources of both()."""
        return [(f"{self.some_games.stat().st_size / 1e6:.0f} MB of games", self.some_games, self.work / f"{some}{ending}"),
                (f"{self.games.stat().st_size / 1e6:.0f} MB of games", self.games, self.work / f"{large}{ending}")]

    def build(self):
        """Commands that read games and logs."""
        self.both("trace build", lambda games, out: ["trace", "build", "--out", out, games],
                  self.inputs("some", "all", ".trace"))
        self.both("trace build --queries all, .zst",
                  lambda games, out: ["trace", "build", "--queries", "all", "--out", out, games],
                  self.inputs("some", "all", ".trace.zst"))
        self.both("trace build --kind search",
                  lambda games, out: ["trace", "build", "--kind", "search", "--positions", "16", "--out", out, games],
                  self.inputs("some", "all", ".search.trace"))
        self.both("trace positions", lambda games, out: ["trace", "positions", "--count", "64", "--out", out, games],
                  self.inputs("some", "all", ".fen"))
        logs = []
        for megabytes in (4, 256):
            log = self.work / f"{megabytes}.log"
            node = "make ffff00000000ffff\nb e4 ffff00000000ffff\nr a1 ffff00000000ffff\neval\n"
            part = "root ffff00000000ffff\n" + node * 9999
            with log.open("w") as file:
                while file.tell() < megabytes * 1_000_000:
                    file.write(part)
            logs.append((f"a log of {megabytes} MB", log, self.work / f"{megabytes}.log.trace"))
        self.both("trace import", lambda log, out: ["trace", "import", "--out", out, log], logs)
        counts = [(f"{nodes:,} nodes", self.work, self.work / f"{nodes}.trace") for nodes in (1_000_000, 16_000_000)]
        self.both("trace random", lambda _, out: ["trace", "random", "--nodes", out.stem, "--out", out], counts)

    def large_trace(self):
        """A trace of more than 2^32 bytes; built only once."""
        trace = self.work / "large.trace"
        if trace.exists():
            return trace
        usage = run([self.program, "trace", "build", "--queries", "all", "--out", trace, *[self.games] * self.repeat],
                    ALLOWED)
        wrong = None
        if usage.status != 0:
            wrong = usage.stderr.splitlines()[-1]
        elif trace.stat().st_size <= 1 << 32:
            wrong = f"no more than {trace.stat().st_size} bytes; --repeat {self.repeat + 1}"
        elif usage.own > ALLOWED / 2:
            wrong = "its memory grows with the input"
        self.row("trace build --queries all", f"{self.repeat} times {self.games.stat().st_size / 1e6:.0f} MB of games", usage,
                 wrong)
        if wrong:
            sys.exit(1)
        return trace

    def read(self):
        """Commands that read traces: one of the collection, and one beyond 4 GiB."""
        traces = [(f"a trace of {path.stat().st_size / 1e9:.2f} GB", path, self.work / f"{name}.out")
                  for name, path in (("all", self.work / "all.trace"), ("large", self.large_trace()))]
        self.both("trace info", lambda trace, _: ["trace", "info", trace], traces)
        self.both("kernel", lambda trace, _: ["kernel", "--trace", trace, "--method", "hyperbola"], traces)
        simulate = ["simulate", "--no-random", "--method", "hyperbola", "--draws", "1", "--cache", CACHE]
        self.both("simulate --reuse",
                  lambda trace, out: [*simulate, "--cold", "--reuse", "--trace", trace, "--out", out], traces)
        measure = ["run", "--no-random", "--pressure", "isolated", "--method", "hyperbola", "--process-runs", "2", "--rounds",
                   "2", "--sample-ms", "1", "--warm-up-ms", "0"]
        for what in (["--workload", "throughput"], ["--workload", "setwise"], ["--workload", "batch"],
                     ["--workload", "batch", "--sliders", "6"], ["--workload", "latency", "--kinds", "bishop"]):
            self.both(" ".join(["run", *what]),
                      lambda trace, out, w=what: [*measure, *w, "--trace", trace, "--out", out], traces)
        searches = [(f"a search trace of {path.stat().st_size / 1e6:.0f} MB", path, self.work / f"{path.name}.out")
                    for path in self.search_traces()]
        self.both("run --workload update", lambda trace, out: [*measure, "--workload", "update", "--method", "rotated_hyatt",
                                                               "--trace", trace, "--out", out], searches)
        for path in (self.work / "some.trace.zst", self.work / "all.trace.zst"):
            if self.only in "trace info, .zst":
                self.unpacked(path)

    def search_traces(self):
        """Two traces of searches, the second many times as large."""
        paths = []
        for positions in (8, 128):
            paths.append(self.work / f"search-{positions}.trace")
            if not paths[-1].exists():
                subprocess.run([self.program, "trace", "build", "--kind", "search", "--positions", str(positions), "--out",
                                paths[-1], self.some_games], check=True, capture_output=True)
        return paths

    def unpacked(self, path):
        """A packed trace is unpacked into memory: as much as it promises, and no more."""
        described = subprocess.run([self.program, "trace", "info", "--format", "json", path], capture_output=True,
                                   text=True, check=True)
        whole = json.loads(described.stdout)["trace_bytes"]
        usage = run([self.program, "trace", "info", path], ALLOWED + whole)
        fits = usage.status == 0 and usage.own < whole + GROWTH
        self.row("trace info, .zst", f"{path.stat().st_size / 1e6:.0f} MB, unpacked {whole / 1e6:.0f} MB", usage,
                 None if fits else f"takes more than it unpacks to: status {usage.status}")
        usage = run([self.program, "trace", "info", path], whole // 2)
        words = usage.stderr.splitlines()
        refused = usage.status == 2 and len(words) == 1 and "cannot load trace" in words[0]
        self.row("trace info, .zst", "with memory for half of it", usage,
                 None if refused else f"not refused in one line: status {usage.status}: {words}")

    def many_process_runs(self, process_runs):
        """A run of so many process runs: what its own process holds must not become more, and nothing may be left."""
        if self.only not in "run --process-runs":
            return
        trace, out, temporary = self.work / "short.trace", self.work / "process_runs.out", self.work / "tmp"
        subprocess.run([self.program, "trace", "random", "--nodes", "4096", "--out", trace], check=True)
        shutil.rmtree(out, ignore_errors=True)
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir()
        shared = set(os.listdir("/dev/shm"))
        seen = []  # (process runs done, descriptors, own memory)

        def look(pid):
            try:
                done = (out / "unfinished.jsonl").read_bytes().count(b"\n") - 1
                seen.append((done, len(os.listdir(f"/proc/{pid}/fd")), own_memory(pid)))
            except OSError:
                pass
            time.sleep(0.1)

        usage = run([self.program, "run", "--no-random", "--workload", "throughput", "--pressure", "isolated", "--trace",
                     trace, "--method", "hyperbola", "--process-runs", process_runs, "--rounds", "1", "--sample-ms", "0.1",
                     "--warm-up-ms", "0", "--out", out], ALLOWED, {"TMPDIR": str(temporary)}, look)
        wrong, found = [], ""
        early = [row for row in seen if 0 < row[0] <= process_runs / 10]
        late = [row for row in seen if process_runs * 9 / 10 < row[0] < process_runs]  # then the report takes memory
        if usage.status != 0 or not early or not late:
            wrong.append(f"status {usage.status}: {usage.stderr.splitlines()[-1:]}")
        else:
            descriptors = [max(row[1] for row in rows) for rows in (early, late)]
            grown = (max(row[2] for row in late) - max(row[2] for row in early)) / (process_runs * 0.8)
            found = f"{descriptors[0]} descriptors at first, {descriptors[1]} at last; {grown:.0f} bytes more a process run"
            if descriptors[1] > descriptors[0]:
                wrong.append("descriptors leak")
            if grown > 8192:
                wrong.append("memory leaks")
        if os.listdir(temporary):
            wrong.append(f"left in TMPDIR: {os.listdir(temporary)}")
        left = {name for name in set(os.listdir("/dev/shm")) - shared if "slidebench" in name}
        if left:
            wrong.append(f"left in /dev/shm: {left}")
        self.row(f"run --process-runs {process_runs}", f"a short trace; {found}", usage, "; ".join(wrong) or None)


def main():
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("games", type=pathlib.Path)
    parser.add_argument("--work", type=pathlib.Path, help="folder for the inputs, which stay (default: a temporary one)")
    parser.add_argument("--repeat", type=int, default=8)
    parser.add_argument("--process-runs", type=int, default=1000)
    parser.add_argument("--only", default="", help="only commands with this in their name")
    options = parser.parse_args()
    if not options.games.is_file():
        print(f"load_test.py: no games at {options.games}; datasets/fetch_games.sh --out {options.games} fetches them",
              file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        options.work = (options.work or pathlib.Path(folder)).resolve()
        options.work.mkdir(parents=True, exist_ok=True)
        if shutil.disk_usage(options.work).free < 8e9:
            print(f"load_test.py: less than 8 GB are free in {options.work}; give another folder with --work",
                  file=sys.stderr)
            return 2
        load = Load(options)
        load.build()
        load.read()
        load.many_process_runs(options.process_runs)
        return 1 if load.failed else 0


if __name__ == "__main__":
    sys.exit(main())
