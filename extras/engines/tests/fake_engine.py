#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A UCI engine that behaves as it is told, well or badly: for test_duel.py.

Usage: fake_engine.py BEHAVIOUR TOKEN     (the token only marks the process)

It plays e2e4 or e7e5, which the test's positions allow, and says of its CPU time what slidebench_fake_engine_times believes.
"""

import os
import signal
import sys
import threading
import time

BEHAVIOUR = sys.argv[1]
PACE = 10 + os.getpid() % 7 / 10  # ns a node: process runs differ a little
OPTIONS = (
    "option name Hash type spin default 16 min 1 max 1024",
    "option name Threads type spin default 1 min 1 max 8",
    "option name Style type combo default Solid var Solid var Wild Attack",
    "option name Clear Hash type button",
)
USED, LOCK = [0], threading.Lock()
sys.stdout.reconfigure(encoding="latin-1")  # a character is a byte


def use(nanoseconds):
    """Uses so much CPU time more, as far as the program knows (fake_engine_times.cpp)."""
    with LOCK, open("/proc/self/comm", "w") as name:
        USED[0] += int(nanoseconds)
        name.write(str(USED[0]))


def say(text):
    """Writes a line at once."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def introduce():
    """What comes after "uci"."""
    if BEHAVIOUR == "silent":
        return
    if BEHAVIOUR == "dies at start":
        print("loading", "cannot find the net", sep="\n", file=sys.stderr)
        os._exit(3)
    if BEHAVIOUR == "binary":
        return say("".join(map(chr, range(256))) * 50)
    if BEHAVIOUR == "late":
        time.sleep(3)
    if BEHAVIOUR == "nameless":
        return say("uciok")
    say("id name Fake, the \"first\"")
    say("id author nobody")
    for option in OPTIONS:
        say(option)
    say("uciok")


def search(limit, side, number):
    """What comes after "go": the number-th search of this process."""
    move = "e2e4" if side == "w" else "e7e5"
    if BEHAVIOUR == "never ends":
        return
    if BEHAVIOUR == "dies in the middle" and number == 2:
        os.kill(os.getpid(), signal.SIGSEGV)
    if BEHAVIOUR == "ignores nodes":
        limit *= 100
    while BEHAVIOUR.startswith("floods"):
        sys.stdout.write("again and again " if BEHAVIOUR == "floods a line" else "info string again and again\n")
    if BEHAVIOUR == "leaves the work to others":
        say(f"info depth 3 score cp 10 nodes {limit}")
        return say(f"bestmove {move}")
    if BEHAVIOUR == "noisy":
        say("\xff\xfe\x00 garbage\n\n\ninfo nodes x score y\ninfo\ninfo string nodes 1")
        print("a complaint", file=sys.stderr, flush=True)
    if not (BEHAVIOUR == "takes no time" and number == 2):  # as it seems where the host took the core before
        use(limit * PACE * (3 if BEHAVIOUR == "slow" else 1))
    nodes = limit + (1 + time.time_ns() % 997 if BEHAVIOUR == "other tree" else 0)
    if BEHAVIOUR == "other scores":
        say(f"info depth 3 score cp 99 nodes {nodes}")
    if BEHAVIOUR == "no nodes":
        say("info depth 3 score cp 10 time 5")
    else:
        say(f"info depth 3 score cp 10 nodes {nodes // 20 if BEHAVIOUR == 'short' else nodes} time 5 pv {move}")
    if BEHAVIOUR == "illegal" and number > 1:
        move = "e2e5"
    move = {"no move": "(none)", "binary move": "\xff\xfe\x07"}.get(BEHAVIOUR, move)
    say(f"bestmove {move} ponder e7e6")


def be_restless():
    """Uses CPU time all the time."""
    while True:
        use(10_000_000)
        time.sleep(0.001)


def main():
    """Answers line by line."""
    if BEHAVIOUR == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    side, searches, seen = "w", 0, threading.Event()
    for line in sys.stdin:
        words = line.split()
        command = words[0] if words else ""
        if command == "quit" and BEHAVIOUR != "stubborn":
            return
        if command == "uci":
            introduce()
        elif command == "setoption" and BEHAVIOUR == "refuses an option":
            say("No such option: " + words[2])
        elif command == "isready":
            say("readyok")
        elif command == "position":
            side = words[words.index("fen") + 2]
            if BEHAVIOUR == "ends threads":
                seen.clear()
                waiting = threading.Thread(target=seen.wait)
                waiting.start()
        elif command == "go":
            searches += 1
            limit = int(words[words.index("nodes") + 1]) if "nodes" in words else 2000
            if BEHAVIOUR == "ends threads":
                time.sleep(0.1)
                seen.set()
                waiting.join()
            search(limit, side, searches)
            if BEHAVIOUR == "restless" and searches == 1:
                threading.Thread(target=be_restless, daemon=True).start()
    while BEHAVIOUR == "stubborn":
        time.sleep(1)


if __name__ == "__main__":
    main()
