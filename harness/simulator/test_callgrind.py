# SPDX-License-Identifier: MIT
"""Our cache simulator against an independent one: Valgrind's callgrind.

Both look at the second of two replays of the same trace. callgrind executes the timed module's kernel and counts for
each instruction; the simulator listens to what the traced module reports. Which instruction reads the tables, the trace
or the stack is told by slidebench_replay_once, which executes a part of the kernel step by step.

What the simulator leaves out on purpose is added here, so that the rest must agree ("kernel" in the output):
  - the kernel's own stack frame: one or two lines that stay warm and take places from the tables. In 4 KiB that is up
    to 14 % more misses (classical_rays), in 32 KiB nothing;
  - the tags of the nodes, which a kernel reads to keep a board: one byte a node;
  - where the linker put small tables within their page, and where the trace lies: 1.6 % for pext in 32 KiB of 8 ways,
    6 % for kindergarten in 8 KiB.
The second figure of the simulator ("simulator") is without these, as `slidebench simulate` counts.

Bytes are compared rather than reads: a compiler reads a record of 32 bytes in four pieces, which changes no miss.

Usage: test_callgrind.py SLIDEBENCH REPLAY_ONCE PLUGIN_FOLDER SOURCE_FOLDER plain|sanitized
"""

import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM, REPLAY_ONCE = sys.argv[1], sys.argv[2]
FOLDER, SOURCE = pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
SANITIZED = sys.argv[5] == "sanitized"

METHODS = ("magic_fancy", "magic_plain", "pext", "kindergarten", "classical_rays", "rotated_hyatt")
KEEPS_A_BOARD = {"rotated_hyatt"}
READS_PARTS_OF_RECORDS = {"kindergarten"}  # the compiler leaves out the members that a query does not use
QUERIES = 60_000

# Ours and callgrind's names. Ways no larger than a page: callgrind looks at virtual addresses, ours at
# physical ones. With one set, places do not matter at all.
ONE_SET = "32K/512"
L1_CACHES = {"32K/8": "32768,8,64", ONE_SET: "32768,512,64", "8K/8": "8192,8,64", "4K/64": "4096,64,64"}
LAST_LEVEL = ("256K/64", "262144,64,64")

TOLERANCE = 0.02
CANNOT_RUN_HERE = 77  # slidebench_replay_once: the CPU lacks an instruction set, or the system forbids ptrace
FEW_LINES = 40  # where hardly anything misses, a relative difference means nothing


def agree(ours, theirs):
    """Whether two counts are the same but for what is not simulated."""
    return abs(ours - theirs) <= max(TOLERANCE * theirs, FEW_LINES)


def parse_callgrind(text, load_address):
    """{instruction address: [reads, L1 read misses, last-level read misses]}: the self costs of a module's kernels, replay<...>
    wherever it was inlined into ModuleOf<...>; callgrind leaves out zeros at the end of a line.

    Addresses are those of the module's file. Valgrind does not read the symbols of a module whose large tables are
    segments of their own ("ob=???"): its instructions then have no name and stand at the addresses of the process.
    """
    events = re.search(r"^events: (.*)$", text, re.MULTILINE).group(1).split()
    columns = [events.index(name) for name in ("Dr", "D1mr", "DLmr")]
    counts = collections.defaultdict(lambda: [0, 0, 0])
    unnamed = in_kernel = call_follows = False
    for line in text.splitlines():
        if line.startswith("ob="):
            unnamed = line == "ob=???"
        elif line.startswith("fn="):
            in_kernel = unnamed or "slidebench::replay<" in line or "slidebench::ModuleOf<" in line
        elif line.startswith("calls="):
            call_follows = True
        elif line.startswith("0x"):
            address, *cost = line.split()
            if in_kernel and not call_follows:
                in_file = int(address, 16) - (load_address if unnamed else 0)
                for i, column in enumerate(columns):
                    counts[in_file][i] += int(cost[column]) if column < len(cost) else 0
            call_follows = False
    return counts


def by_owner(counts, readers):
    """What callgrind counted for the tables, the trace, the stack; "unseen" owns what was not stepped through."""
    seen = collections.defaultdict(collections.Counter)
    for address, (reads, l1_misses, last_misses) in counts.items():
        reader = readers.get(str(address), {"owner": "unseen", "bytes": 0})
        if reads:
            seen[reader["owner"]].update(l1_misses=l1_misses, last_misses=last_misses, bytes=reads * reader["bytes"])
    return seen


@unittest.skipIf(SANITIZED, "sanitizers and valgrind exclude each other")
@unittest.skipUnless(shutil.which("valgrind"), "valgrind is not installed (scripts/install_deps.sh --ci)")
class Callgrind(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.trace = cls.folder / "game.trace"
        subprocess.run([PROGRAM, "trace", "build", "--kind", "game", "--out", cls.trace, SOURCE / "datasets/sample.pgn"],
                       check=True, capture_output=True)

    def test_the_simulator_counts_what_callgrind_counts(self):
        modules = [module for method in METHODS for module in sorted(FOLDER.glob(f"{method}.v[23].traced.so"))]
        self.assertGreaterEqual(len(modules), 4, "valgrind runs modules up to level v3; is this a build of v4 alone?")
        for traced in modules:
            with self.subTest(module=traced.name):
                ours = self.simulate(traced, L1_CACHES)
                for l1, geometry in L1_CACHES.items():
                    with self.subTest(l1=l1):
                        self.compare(ours, l1, self.callgrind(traced, geometry, ours["readers"]))

    def test_wrong_caches_are_noticed(self):
        """The same comparison tells a cache from one of half the size, ways or line, and of another replacement."""
        traced = min(FOLDER.glob("kindergarten.v[23].traced.so"))
        wrong = ("4K/8", "8K/4", "8K/8/32", "8K/8:plru")
        ours = self.simulate(traced, wrong)
        table = self.callgrind(traced, L1_CACHES["8K/8"], ours["readers"])["table"]
        for l1 in wrong:
            with self.subTest(l1=l1):
                misses = ours["caches"][self.system(l1)]["kernel"]["table_l1_misses"]
                print(f"kindergarten: callgrind L1=8K/8 {table['l1_misses']}, simulator L1={l1} {misses}")
                self.assertFalse(agree(misses, table["l1_misses"]))

    @staticmethod
    def system(l1):
        return f"L1={l1},L2={LAST_LEVEL[0]}"

    def replay_command(self, traced):
        return [REPLAY_ONCE, traced.with_name(traced.name.replace(".traced", "")), self.trace, str(QUERIES)]

    def simulate(self, traced, l1_caches):
        command = [*self.replay_command(traced), traced, *map(self.system, l1_caches)]
        result = subprocess.run(command, check=False, capture_output=True, text=True)
        if result.returncode == CANNOT_RUN_HERE:
            self.skipTest(result.stderr.strip())
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def callgrind(self, traced, geometry, readers):
        """What it counts of the measured pass."""
        out = self.folder / "callgrind.out"
        result = subprocess.run(["valgrind", "--tool=callgrind", "--cache-sim=yes", f"--D1={geometry}", "--I1=32768,8,64",
                                 f"--LL={LAST_LEVEL[1]}", "--dump-instr=yes", "--dump-line=no", "--compress-pos=no",
                                 "--compress-strings=no", "--toggle-collect=replay_measured_pass", f"--callgrind-out-file={out}",
                                 *self.replay_command(traced)], check=True, capture_output=True, text=True)
        return by_owner(parse_callgrind(out.read_text(), int(result.stdout)), readers)

    def compare(self, ours, l1, seen):
        method, table = ours["method"], seen["table"]
        kernel, simulator = (ours["caches"][self.system(l1)][of] for of in ("kernel", "simulator"))
        print(f"{method:14} L1={l1:7} callgrind: tables {dict(table)}, trace {dict(seen['trace'])}; kernel {kernel}, "
              f"simulator {simulator}; bytes {ours['table_bytes_read']}")
        self.assertLessEqual(set(seen), {"table", "trace", "stack"}, "reads that nobody accounts for")
        for name, misses in (("table_l1_misses", table["l1_misses"]), ("table_l2_misses", table["last_misses"]),
                             ("trace_l1_misses", seen["trace"]["l1_misses"])):
            self.assertTrue(agree(kernel[name], misses), f"{name}: callgrind {misses}, simulator {kernel[name]}")
        if l1 == ONE_SET and method not in KEEPS_A_BOARD:
            self.assertTrue(agree(simulator["table_l1_misses"], table["l1_misses"]))
        if method in READS_PARTS_OF_RECORDS:
            self.assertLess(table["bytes"], ours["table_bytes_read"])
        else:
            self.assertAlmostEqual(table["bytes"] / ours["table_bytes_read"], 1, delta=0.001)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=2)
