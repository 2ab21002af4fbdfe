# SPDX-License-Identifier: MIT
"""Hostile trials from a seed: numbers, texts and damaged files for every command of the program, and its death at any moment.

Whatever a trial asks for, the program must end in time and by itself, with status 0, 1 or 2; a refusal is one line; nothing
that a terminal obeys is printed; and no half-written file is left. A killed one leaves no process and no scratch file behind.
Prints a table of areas: tried, failed.

Usage: hostile_trials.py SLIDEBENCH [--trials N] [--seed N] [--jobs N]      exit status 1 if a trial failed
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import unicodedata

import faults

LIMIT = 20  # seconds; a trial takes some hundredths of one

# Numbers that wrap, that are none, or that no option means. None is a small one that a command would take its time for.
NUMBERS = """-1 -0 -0.5 nan -nan inf 1e308 1e-300 1e-310 2147483648 4294967296 4294967297 9223372036854775808
18446744073709551615 18446744073709551616 1e30 0x 0x1G 1,5 1.5.2 1e ++3 3- ٣ ½ true null""".split()
NUMBERS += ["", " ", "1 ", "\t2", "9" * 400, "0." + "0" * 400 + "1"]
TEXTS = ["\x1b[31mred", "\x1b]0;title\x07", "\u009b31m", "a\u202egnp.trace", "\u2066x\u2069", "line\nline", "tab\ttab",
         "\r\x08\x08", "\x7f", "x" * 100_000, "\udc9b\udcff", "'; rm -rf /; '", "$(id)", "%s%n%n", "../../../etc/passwd", "{}",
         "[" * 1000, "\U0001f600", "-", "--"]  # fmt: skip

# Where a number goes: a command that ends at once whatever the number is, because what it works on is not there.
NUMBER_PLACES = [(words.split(), option.split()) for words, option in (
    ("verify --method ray_walk --time-limit 1s", "--boards --seed --joint-every --time-limit"),
    ("run --trace missing.trace --out out",
     "--process-runs --rounds --sample-ms --warm-up-ms --margin --seed --methods-per-round "
     "--segment-queries --nodes --sliders --max-time --race --sittings --pause "
     "--process-run-limit --steps-before --hash --corunner"),
    ("simulate --trace missing.trace --out out", "--draws --seed --jobs --segment-queries"),
    ("trace random --out out.trace", "--nodes --seed"),
    ("trace build --kind search --out out.trace missing.pgn",
     "--positions --games --seed --depth --nodes --net"),
    ("trace positions --out out.fen missing.pgn", "--count --seed"),
    ("magics find --variant none --out out.hpp", "--seconds --seed --jobs --save-every --shard"),
    ("perft --fen none", "--depth"),
    ("engine --fen none", "--depth --nodes --hash"),
    ("kernel --trace missing.trace", "--queries"),
    ("predict --trace missing.trace --ladder missing.csv", "--reads-in-flight --window-instructions --misprediction-ns --seed --segments"),
    ("duel --out out no-such-engine no-such-engine",
     "--depth --nodes --hash --threads --rounds --process-runs --margin --seed --max-time --start-limit --turn-limit"),
    ("ladder --out /nonexistent/ladder.csv", "--seed --max-bytes --between --seconds"),
)]  # fmt: skip
TEXT_PLACES = [words.split() for words in (
    "{}", "list --method {}", "list --plugin {}", "list {}", "show {}", "show run --cell {}", "show run --reference {}", "help {}",
    "completion {}", "attacks --method {}", "verify --method {}", "verify --trace {}", "trace info {}", "trace build --out out.trace {}",
    "trace build --out {}/x.trace opera.pgn", "trace import --name {} --out out.trace engine.log", "trace import --out out.trace {}",
    "run --trace {} --out out", "run --trace missing.trace --workload {} --out out", "run --trace missing.trace --pressure {} --out out",
    "run --trace missing.trace --profile {} --out out", "run --resume {}", "simulate --trace missing.trace --cache {} --out out",
    "kernel --trace {}", "perft --fen {}", "engine --fen {}", "export {}", "new-method {}", "magics check {}",
    "magics find --variant {}", "duel --out out {} {}", "predict --trace {} --ladder {}", "uci --method {}", "dose {}",
)]  # fmt: skip
# What reads a file: the command, and the file that is damaged.
FILE_PLACES = [(words.split(), name) for words, name in (
    ("trace info opera.trace", "opera.trace"), ("kernel --trace opera.trace --method hyperbola", "opera.trace"),
    ("simulate --trace opera.trace --no-random --method hyperbola --draws 1 --cache L1=4K/4 --out out", "opera.trace"),
    ("verify --method ray_walk --boards 10 --joint-every 1000 --trace opera.trace", "opera.trace"),
    ("trace build --out out.trace opera.pgn", "opera.pgn"), ("trace positions --count 2 --out out.fen opera.pgn", "opera.pgn"),
    ("trace import --out out.trace engine.log", "engine.log"), ("magics check factors.hpp", "factors.hpp"),
    ("show run", "run/run.json"), ("show run --all", "run/summary.csv"), ("show run --json", "run/process_runs.csv"),
    ("show run", "run/answer.json"), ("run --resume run --until-decided --max-time 1s", "run/finished.jsonl"),
    ("run --resume run --until-decided --max-time 1s", "run/samples.csv"),
)]  # fmt: skip
INPUT_PLACES = [(words.split(), lines) for words, lines in (
    ("attacks --method hyperbola", ["rook a1 0xff", "bishop e4 0", "queen h8 ffffffffffffffff"]),
    ("uci --method hyperbola", ["uci", "isready", "position startpos moves e2e4", "setoption name Hash value 1", "go nodes 10", "quit"]),
    ("trace import --out out.trace -", faults.LOG.splitlines()[:12]),
    ("trace build --out out.trace -", faults.GAME.splitlines()),
)]  # fmt: skip

# What is killed: commands at work, most of them for longer than LATEST.
KILLED_PLACES = [[words] for words in (
    "verify --method ray_walk --method kogge_stone", "perft --depth 6", "trace random --nodes 4000000 --out out.trace",
    "trace build --kind search --depth 9 --nodes 1000000 --out out.trace.zst --positions 2 opera.pgn",
    "magics find --variant dense --seconds 60 --out out.hpp",
    "run --trace opera.trace --no-random --method hyperbola --workload latency --process-runs 9 --out out", "ladder --seconds 9",
    "simulate --trace opera.trace --no-random --jobs 2 --out out", "engine --depth 12 --positions startpos.fen --method hyperbola",
    "run --resume run --until-decided --max-time 30s", "uci --method hyperbola",
    "duel --nodes 100000 --out out '{program} uci --method pext' '{program} uci --method hyperbola'",
    "duel --nodes 9000000 --out out \"sh -c '{program} uci --method pext; true'\" '{program} uci --method hyperbola'",
)]  # fmt: skip
LATEST = 0.6  # seconds after which a command is killed at the latest


@dataclasses.dataclass
class Trial:
    """A command in a folder of its own."""

    area: str
    words: list
    damaged: tuple = ()  # a file's name, and its bytes
    given: bytes = b""  # on standard input
    killed_after: float | None = None  # seconds


def damage(data, draw):
    """Bytes with one to three faults: flipped, overwritten, doubled, left out, cut off."""
    data = bytearray(data)
    for _ in range(draw.randint(1, 3)):
        at = draw.randrange(len(data) + 1)
        kind = draw.choice(("flip", "text", "number", "double", "leave", "cut", "zero"))
        if kind == "flip" and at < len(data):
            data[at] ^= 1 << draw.randrange(8)
        elif kind in ("text", "number"):
            word = draw.choice(TEXTS if kind == "text" else NUMBERS).encode("utf-8", "surrogateescape")
            data[at : at + draw.choice((0, len(word)))] = word
        elif kind == "double":
            data[at:at] = data[at : at + draw.randint(1, 300)]
        elif kind == "leave":
            del data[at : at + draw.randint(1, 300)]
        elif kind == "zero":
            data[at : at + 8] = bytes(8)
        elif kind == "cut":
            del data[at:]
    return bytes(data)


def trials(seed, folder):
    """Yields trials without end; the same for the same seed."""
    draw = random.Random(seed)
    while True:
        words, options = draw.choice(NUMBER_PLACES)
        yield Trial("numbers", [*words, draw.choice(options), draw.choice(NUMBERS)])
        text = draw.choice(TEXTS)
        yield Trial("texts", [word.replace("{}", text) for word in draw.choice(TEXT_PLACES)])
        words, name = draw.choice(FILE_PLACES)
        yield Trial("files", words, (name, damage((folder / name).read_bytes(), draw)))
        words, lines = draw.choice(INPUT_PLACES)
        yield Trial("standard input", words, given=damage(("\n".join(lines) + "\n").encode(), draw))
        yield Trial("killed", draw.choice(KILLED_PLACES), killed_after=draw.uniform(0, LATEST))


def prepare(bench):
    """The files that trials damage: a trace, games, a log, factors, a run."""
    folder = bench.folder / "sound"
    folder.mkdir()
    for path in (bench.pgn, bench.log, bench.trace):
        shutil.copy(path, folder)
    shutil.copy(faults.ROOT / "methods/magic/black_factors.hpp", folder / "factors.hpp")
    (folder / "startpos.fen").write_text("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n")
    (folder / "scratch").mkdir()
    done = bench.run("run", "--trace", bench.trace, "--no-random", "--workload", "throughput", "--pressure", "isolated", "--method",
                     "hyperbola", "--process-runs", "2", "--rounds", "2", "--sample-ms", "0.1", "--warm-up-ms", "0", "--out", folder / "run")
    assert done.returncode == 0, done.stderr
    return folder


def obeyed(text):
    """What of a text a terminal obeys, or turns round."""
    return {f"U+{ord(c):04X}" for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cs")}


def fault_of(done, left):
    """What is wrong with how a trial ended; empty if nothing."""
    if done.returncode not in (0, 1, 2):
        return f"status {done.returncode}"
    out, err = (stream.decode("utf-8", "surrogateescape") for stream in (done.stdout, done.stderr))
    if obeyed(out) or obeyed(err):
        return f"prints {sorted(obeyed(out) | obeyed(err))}"
    if done.returncode == 2 and not re.fullmatch(r"slidebench: [^\n]{1,5000}\n", err):
        return f"a refusal of {err.count(chr(10))} lines and {len(err)} characters"
    return f"left {left}" if left else ""


def processes_in(folder):
    """The processes that work in a folder."""
    found = []
    for process in pathlib.Path("/proc").iterdir():
        try:
            if process.name.isdigit() and os.readlink(process / "cwd") == str(folder):
                found.append(process.name)
        except OSError:
            continue
    return found


def killed(words, folder, after):
    """Kills a command after so many seconds; returns what it has left behind that it should not."""
    environment = {**os.environ, "TMPDIR": str(folder / "scratch")}
    with subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL) as process:
        time.sleep(after)
        process.kill()
    deadline = time.monotonic() + LIMIT
    while processes_in(folder) and time.monotonic() < deadline:  # the kernel ends them soon, not at once
        time.sleep(0.02)
    left = processes_in(folder) + os.listdir(folder / "scratch")
    return f"left {left}" if left else ""


def tried(bench, sound, number, trial):
    """Runs a trial; returns what went wrong, empty if nothing."""
    folder = bench.folder / str(number)
    shutil.copytree(sound, folder)
    if trial.killed_after is not None:
        words = shlex.split(" ".join([bench.program, *trial.words]).replace("{program}", bench.program))
        left = killed(words, folder, trial.killed_after)
        shutil.rmtree(folder, ignore_errors=True)
        return left
    if trial.damaged:
        name, data = trial.damaged
        (folder / name).write_bytes(data)
    words = [word.replace("\0", "").encode("utf-8", "surrogateescape") for word in (bench.program, *trial.words)]
    try:
        done = subprocess.run(words, cwd=folder, input=trial.given, capture_output=True, timeout=LIMIT, check=False)
    except subprocess.TimeoutExpired:
        return "hangs"
    else:
        return fault_of(done, sorted(name for name in faults.files_in(folder) if re.search(r"\.(partial|lock)$", name)))
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main():
    """The command; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--trials", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        bench = faults.Bench(options.program.resolve(), name)
        sound = prepare(bench)
        chosen = [trial for _, trial in zip(range(options.trials), trials(options.seed, sound))]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
            wrong = list(workers.map(lambda entry: tried(bench, sound, *entry), enumerate(chosen)))
    for number, (trial, fault) in enumerate(zip(chosen, wrong)):
        if fault:
            print(f"trial {number}: {ascii(trial.words)[:300]} {trial.damaged[:1]}: {fault}", file=sys.stderr)
    counts = collections.Counter(trial.area for trial in chosen)
    failed = collections.Counter(trial.area for trial, fault in zip(chosen, wrong) if fault)
    print("| area | tried | failed |\n|---|---:|---:|")
    for area in counts:
        print(f"| {area} | {counts[area]} | {failed[area]} |")
    return 1 if any(wrong) else 0


if __name__ == "__main__":
    sys.exit(main())
