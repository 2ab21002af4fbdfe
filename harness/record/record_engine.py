# SPDX-License-Identifier: MIT
"""Records a foreign engine: Glaurung 2.2 (T. Romstad, 2008), from the distribution's source package.

Fetches the source into a scratch folder, puts the recorder's calls into it by a recipe's substitutions, builds it without and
with them, searches with both, imports what was recorded, and prints its `trace info`:

    record_engine.py --slidebench build/bench/slidebench --work /tmp/glaurung --depth 14

Nothing of the engine is part of this project, and nothing of the system is changed. Exit status 77: its source cannot be
had here.
"""

import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True  # of the modules below, in the source tree
sys.path.insert(0, str(HERE.parents[1] / "scripts"))

from engines.recipe import load, substitute  # noqa: E402
from engines.source import NotHere, fetch  # noqa: E402
from report.errors import ReportError  # noqa: E402

PACKAGE = "glaurung"
NOT_HERE = 77
POSITIONS = ("startpos", "fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
             "fen r1bq1rk1/ppp1nppp/4n3/3p3Q/3P4/1BP1B3/PP1N2PP/R4RK1 w - - 1 16",
             "fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1")


def patch(folder):
    """Puts the recorder's calls into a copy of the source."""
    shutil.copy(HERE / "slidebench_record.h", folder)
    try:
        substitute(load(PACKAGE), "record", folder)
    except ReportError as error:
        sys.exit(f"record_engine.py: {error}")


def build(work, name, source, flags):
    """Builds the engine in a folder of its own; returns that folder."""
    folder = work / name
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(source / "src", folder)
    if flags is not None:
        patch(folder)
    sources = [path.name for path in sorted(folder.glob("*.cpp")) if path.name != "timeoday.cpp"]  # of Windows
    subprocess.run(["g++", "-O2", "-DNDEBUG", "-w", *(flags or []), *sources, "-o", "engine", "-pthread"], cwd=folder,
                   check=True)
    return folder


def search(folder, depth):
    """Searches the positions to a depth. Returns (nodes, seconds of CPU time, best moves)."""
    for old in folder.glob("queries*"):
        old.unlink()
    engine = subprocess.Popen(["./engine"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    nodes, moves = 0, []

    def say(*lines):
        for line in lines:
            engine.stdin.write(line + "\n")
        engine.stdin.flush()

    say("uci", "setoption name OwnBook value false", "setoption name Threads value 1", "setoption name Hash value 32")
    for position in POSITIONS:
        say("ucinewgame", f"position {position}", f"go depth {depth}")
        last = ""
        for line in engine.stdout:
            if " nodes " in line:
                last = line
            if line.startswith("bestmove"):
                moves.append(line.split()[1])
                break
        nodes += int(re.search(r" nodes (\d+)", last)[1])
    say("quit")
    usage = os.wait4(engine.pid, 0)[2]
    return nodes, usage.ru_utime + usage.ru_stime, moves


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--slidebench", required=True, type=pathlib.Path, help="the program")
    parser.add_argument("--work", required=True, type=pathlib.Path, help="scratch folder; the source stays there")
    parser.add_argument("--depth", type=int, default=8, help="plies of each search")
    parser.add_argument("--repeat", type=int, default=1, help="searches of each build, in turns; the fastest counts")
    options = parser.parse_args()
    work = options.work.absolute()
    work.mkdir(parents=True, exist_ok=True)
    try:
        source = fetch(work, PACKAGE)
    except NotHere as reason:
        print(f"record_engine.py: skipped: {reason}")
        return NOT_HERE
    builds = {"as it is": build(work, "plain", source, None), "calls compiled away": build(work, "off", source, []),
              "recording": build(work, "on", source, ["-DSLIDEBENCH_RECORD"])}
    results = {name: [] for name in builds}
    for _ in range(options.repeat):
        for name, folder in builds.items():
            results[name].append(search(folder, options.depth))
    for name, found in results.items():
        nodes, seconds, moves = min(found, key=lambda result: result[1])
        print(f"{name:20} {nodes:12,} nodes  {seconds:8.2f} s of CPU time  {nodes / seconds:12,.0f} nodes/s  {' '.join(moves)}")
    trees = {(nodes, *moves) for found in results.values() for nodes, _, moves in found}
    if len(trees) != 1:
        sys.exit("record_engine.py: the searches differ: recording changed the engine")
    logs = sorted(builds["recording"].glob("queries*"), key=lambda path: int(path.suffix[1:] or 1))
    trace = work / f"{PACKAGE}.trace"
    for command in (["import", *logs, "--out", trace], ["info", trace]):
        subprocess.run([options.slidebench.absolute(), "trace", *command], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
