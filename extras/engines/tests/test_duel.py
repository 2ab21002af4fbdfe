# SPDX-License-Identifier: MIT
"""Duels of UCI engines, and the engine here as one. Fake engines do all that a bad one can do.

Usage: test_duel.py SLIDEBENCH SOURCE_FOLDER
"""

import csv
import json
import os
import pathlib
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
ENGINES = os.environ["SLIDEBENCH_ENGINES"]  # duels whose times are those that fake engines say
FAKE = pathlib.Path(__file__).resolve().parent / "fake_engine.py"
POSITIONS = """# where e2e4 or e7e5 can be played
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
4k3/4p3/8/8/8/8/4P3/4K3 w - - bm e4; id "an EPD";
"""


def rows_of(path):
    """The rows of a CSV file as dictionaries."""
    return list(csv.DictReader(path.read_text().splitlines()))


def distribution_engine(name):
    """Where an engine of the distribution is, or None."""
    return shutil.which(name) or shutil.which(name, path="/usr/games")


class DuelTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        self.out = self.folder / "duel"
        self.positions = self.folder / "positions.epd"
        self.positions.write_text(POSITIONS)

    def fake(self, behaviour="good"):
        """The command of a fake engine, marked with this test's folder."""
        return shlex.join([sys.executable, str(FAKE), behaviour, str(self.folder)])

    def left_behind(self):
        """Processes that this test's engines are."""
        mark = str(self.folder).encode()
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                command = path.read_bytes()
            except OSError:
                continue
            if mark in command and command.startswith(sys.executable.encode()):
                found.append(command)
        return found

    def duel(self, *arguments, nodes=2000, program=ENGINES):
        command = [program, "duel", *map(str, arguments), "--positions", str(self.positions), "--out", str(self.out)]
        for option, value in (("--process-runs", "2"), ("--rounds", "3")):
            if option not in arguments:
                command += [option, value]
        if nodes:
            command += ["--nodes", str(nodes)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(self.left_behind(), [])
        return done

    def assert_refused(self, result, *words):
        self.assertEqual(result.returncode, 2, (result.stdout, result.stderr))
        lines = [line for line in result.stderr.splitlines() if line and " processes (" not in line]
        self.assertEqual(len(lines), 1, result.stderr)
        self.assertTrue(lines[0].startswith("slidebench: "), lines[0])
        for word in words:
            self.assertIn(word, lines[0])

    def assert_never_began(self):
        self.assertFalse(self.out.exists())

    def record(self):
        return json.loads((self.out / "run.json").read_text())


class Results(DuelTest):
    def test_is_complete_and_pairs_every_round(self):
        done = self.duel("old=" + self.fake(), "new=" + self.fake("slow"))
        self.assertEqual(done.returncode, 0, done.stderr)
        rounds = {}
        for row in rows_of(self.out / "samples.csv"):
            rounds.setdefault((row["process_run"], row["round"]), []).append(row)
            self.assertEqual((row["workload"], row["trace"], row["nodes"]), ("duel", "nodes2000", "2000"))
            self.assertGreater(float(row["time_ns"]), 0)
        self.assertEqual(len(rounds), 6)
        for rows in rounds.values():
            self.assertEqual({row["contender"] for row in rows}, {"old", "old.twin", "new"})
            self.assertEqual({row["position"] for row in rows}, {"0", "1", "2"})
            self.assertEqual(len({row["segment"] for row in rows}), 1)
        segments = {rows[0]["segment"] for rows in rounds.values()}
        self.assertEqual(segments, {"0", "1", "2"})
        roles = {row["contender"]: row["role"] for row in rows_of(self.out / "summary.csv")}
        self.assertEqual(roles, {"old": "reference", "old.twin": "twin", "new": "method"})
        record = self.record()
        self.assertTrue(record["complete"])
        self.assertEqual(record["duel"]["go"], "nodes 2000")
        self.assertEqual(len(record["engine"]["positions"]), 3)
        self.assertEqual(len(record["checks"]["twin"]), 1)
        self.assertTrue(all(len(engine["sha256"]) == 64 for engine in record["methods"]))
        self.assertIn("against old", done.stdout)
        told = done.stdout.split("  note: ")[0].split("\nResults: ")[0]
        self.assertIn("nodes a second", told)
        again = subprocess.run([PROGRAM, "show", str(self.out)], capture_output=True, text=True, check=True).stdout
        self.assertEqual(again.rstrip(), told.rstrip())
        seen = subprocess.run([PROGRAM, "show", str(self.out), "--reference", "new"], capture_output=True, text=True, check=True)
        self.assertIn("against new", seen.stdout)
        self.assertTrue(done.stdout.startswith("This holds for these binaries"), done.stdout)
        self.assertEqual(done.stdout.count("Same tree in 6 of 6 searches."), 1)
        for word in ("A/A control 0", "positive control", "context switch", "tables"):
            self.assertNotIn(word, done.stdout)
        self.assertTrue(all(tree["same_tree"] and tree["repeats"] for tree in record["duel"]["trees"]))
        made = subprocess.run([sys.executable, str(SOURCE / "scripts" / "slidebench.py"), "report", str(self.out)],
                              capture_output=True, text=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        page = (self.out / "index.html").read_text()
        self.assertIn("duel on nodes2000", page)
        self.assertNotIn("ns per query, ", page.split("<script", 1)[0])
        self.assertIn("id=\"panels\"", page)
        self.assertTrue((self.out / "plots" / "rounds.svg").is_file())

    def test_other_trees_are_warned_of(self):
        done = self.duel(self.fake(), self.fake("other tree"))
        self.assertIn("other numbers of nodes in 6 of 6 searches", done.stdout)
        trees = {tree["contender"]: tree for tree in self.record()["duel"]["trees"]}
        self.assertTrue(trees["Fake  the  first .twin"]["same_tree"])
        self.assertFalse(trees["Fake  the  first  (2)"]["same_tree"])
        self.assertFalse(trees["Fake  the  first  (2)"]["repeats"])
        self.assertTrue([warning for warning in self.record()["warnings"] if "says nothing of strength" in warning])

    def test_equal_counts_alone_are_no_equal_tree(self):
        done = self.duel(self.fake(), self.fake("other scores"))
        self.assertIn("as many nodes, but their scores or moves differ in 6 of 6", done.stdout)

    def test_several_engines_and_a_depth(self):
        done = self.duel(self.fake(), self.fake("slow"), self.fake("nameless"), "--depth", 3, nodes=None)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("has no option Hash", done.stderr)
        contenders = {row["contender"] for row in rows_of(self.out / "samples.csv")}
        self.assertEqual(len(contenders), 4)
        self.assertIn(pathlib.Path(sys.executable).name, contenders)
        self.assertEqual({row["trace"] for row in rows_of(self.out / "summary.csv")}, {"depth3"})

    def test_options_reach_all_engines_or_one(self):
        done = self.duel(self.fake(), self.fake(), "--option", "style=wild attack", "--option", "2:Threads=2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([engine["options"] for engine in self.record()["methods"]],
                         [{"style": "wild attack"}, {"style": "wild attack", "Threads": "2"}])

    def test_until_decided(self):
        done = self.duel(self.fake(), self.fake("slow"), "--time", "20s", "--margin", "20%")
        self.assertEqual(done.returncode, 0, done.stderr)
        record = self.record()
        self.assertEqual(record["inference"]["interval"], "confidence-sequence")
        self.assertEqual(len(record["decisions"]), 1)

    def test_what_disturbs_is_noted(self):
        for behaviour, words in (("restless", "does not wait quietly"), ("ends threads", "threads end after a search")):
            self.out = self.folder / behaviour.replace(" ", "_")
            done = self.duel(self.fake(), self.fake(behaviour))
            self.assertEqual(done.returncode, 0, done.stderr)
            warnings = [w for w in self.record()["warnings"] if words in w]
            self.assertEqual([w.split(" used ")[0].split(": ")[0] for w in warnings], ["Fake  the  first  (2)"])

    def test_old_counts_are_noted(self):
        done = self.duel(self.fake(), self.fake("short"))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue([w for w in self.record()["warnings"] if "nine tenths" in w])


class BadEngines(DuelTest):
    """One line, exit status 2, and nothing left behind; before the first measurement nothing is written either."""

    def test_never_answers(self):
        self.assert_refused(self.duel(self.fake(), self.fake("silent"), "--start-limit", "1s"), "'uciok' after 1 s",
                            "--start-limit")
        self.assert_never_began()

    def test_never_ends_a_search(self):
        self.assert_refused(self.duel(self.fake(), self.fake("never ends"), "--turn-limit", "1s"), "go nodes 2000",
                            "--depth")
        self.assert_never_began()

    def test_takes_long_to_start(self):
        self.assert_refused(self.duel(self.fake(), self.fake("late"), "--start-limit", "1s"), "--start-limit")
        self.assertEqual(self.duel(self.fake(), self.fake("late")).returncode, 0)

    def test_dies(self):
        self.assert_refused(self.duel(self.fake(), self.fake("dies at start")), "status 3", "cannot find the net")
        self.assert_never_began()
        self.assert_refused(self.duel(self.fake(), self.fake("dies in the middle")), "signal 11", "incomplete")
        self.assertFalse(self.record()["complete"])
        self.assertTrue([warning for warning in self.record()["warnings"] if "the duel was ended" in warning])
        self.assertEqual(len(rows_of(self.out / "samples.csv")), 3)

    def test_prints_binary(self):
        self.assert_refused(self.duel(self.fake(), self.fake("binary"), "--start-limit", "1s"), "UCI engine")
        self.assert_refused(self.duel(self.fake(), self.fake("binary move")), "no legal move")

    def test_noise_is_no_fault(self):
        done = self.duel(self.fake(), self.fake("noisy"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_illegal_moves(self):
        self.assert_refused(self.duel(self.fake(), self.fake("no move")), "'(none)'", "no legal move")
        self.assert_never_began()
        self.assert_refused(self.duel(self.fake(), self.fake("illegal")), "'e2e5'", "no legal move")

    def test_floods(self):
        self.assert_refused(self.duel(self.fake(), self.fake("floods")), "floods")
        self.assert_refused(self.duel(self.fake(), self.fake("floods a line")), "floods")

    def test_options(self):
        self.assert_refused(self.duel(self.fake(), self.fake("refuses an option")), "refuses an option", "No such option")
        self.assert_refused(self.duel(self.fake(), self.fake(), "--option", "Contempt=1"), "'Contempt'", "Hash, Threads")
        self.assert_refused(self.duel(self.fake(), self.fake(), "--option", "Style=Drunk"), "Wild Attack")
        self.assert_refused(self.duel(self.fake(), self.fake(), "--hash", 4096), "at most 1024")
        self.assert_refused(self.duel(self.fake(), self.fake(), "--option", "3:Style=Solid"), "engines 1 to 2")
        self.assert_refused(self.duel(self.fake(), self.fake(), "--option", "=x"), "NAME=VALUE")
        self.assert_never_began()

    def test_nodes(self):
        self.assert_refused(self.duel(self.fake(), self.fake("no nodes")), "reports no nodes")
        self.assert_refused(self.duel(self.fake(), self.fake("ignores nodes")), "200000 nodes where 2000", "--depth")
        self.assert_refused(self.duel(self.fake("leaves the work to others"), self.fake()), "CPU time", "exec")

    def test_programs(self):
        self.assert_refused(self.duel(self.fake(), "/nonexistent/engine"), "/nonexistent/engine", "No such file")
        self.assert_refused(self.duel(self.fake(), "/etc/passwd"), "/etc/passwd", "Permission denied")
        self.assert_refused(self.duel("engine 'open", self.fake()), "not closed")
        self.assert_refused(self.duel("", self.fake()), "no program")
        self.assert_refused(self.duel(self.fake()), "two engines")
        self.assert_never_began()

    def test_a_stubborn_engine_is_ended(self):
        done = self.duel(self.fake(), self.fake("stubborn"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_interrupted_duels_keep_what_they_have(self):
        command = [ENGINES, "duel", self.fake(), self.fake(), "--positions", str(self.positions), "--nodes", "2000",
                   "--process-runs", "100000", "--out", str(self.out)]
        duel = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        samples = self.out / "samples.csv"
        deadline = time.time() + 60
        while time.time() < deadline and not (samples.exists() and len(samples.read_text().splitlines()) > 10):
            time.sleep(0.05)
        duel.send_signal(signal.SIGINT)
        _, complaint = duel.communicate(timeout=60)
        self.assertEqual(duel.returncode, 2)
        self.assertIn("interrupted", complaint)
        self.assertFalse(self.record()["complete"])
        self.assertEqual(self.left_behind(), [])

    def test_a_killed_duel_leaves_nobody_behind(self):
        """Kills a duel once an engine is there; waits until nobody is."""
        command = [ENGINES, "duel", self.fake("never ends"), self.fake(), "--positions", str(self.positions), "--out",
                   str(self.out)]
        duel = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.time() + 60
        while time.time() < deadline and not self.left_behind():
            time.sleep(0.05)
        self.assertTrue(self.left_behind(), "no engine ever started")
        duel.kill()
        duel.wait()
        # A process in the middle of exec() shows no command line, so one look that finds nobody proves nothing.
        looks_without = 0
        while time.time() < deadline and looks_without < 5:
            time.sleep(0.05)
            looks_without = 0 if self.left_behind() else looks_without + 1
        self.assertEqual(looks_without, 5, self.left_behind())


class Builds(DuelTest):
    """A side that is one source in several binaries."""

    def builds(self, name, behaviours):
        """Programs that are fake engines and differ as files; the pattern that matches them."""
        folder = self.folder / name
        folder.mkdir()
        for i, behaviour in enumerate(behaviours):
            path = folder / f"build{i}"
            path.write_text(f"#!/bin/sh\nexec {self.fake(behaviour)} # {name} {i}\n")
            path.chmod(0o755)
        return f"{name}={folder}/*"

    def test_each_process_run_draws_one_and_the_control_is_another(self):
        sides = self.builds("old", ["good"] * 3), self.builds("new", ["slow"] * 2)
        done = self.duel(*sides, "--process-runs", 6, "--rounds", 1)
        self.assertEqual(done.returncode, 0, done.stderr)
        drawn = {}
        for row in rows_of(self.out / "samples.csv"):
            drawn.setdefault(row["contender"], {})[int(row["process_run"])] = int(row["placement"])
        self.assertEqual(sorted(drawn["old"].values()), [0, 0, 1, 1, 2, 2])
        self.assertEqual(sorted(drawn["old.twin"].values()), [0, 0, 1, 1, 2, 2])
        self.assertEqual(sorted(drawn["new"].values()), [0, 0, 0, 1, 1, 1])
        self.assertTrue(all(drawn["old"][i] != drawn["old.twin"][i] for i in range(6)))
        for block in ([0, 1, 2], [3, 4, 5]):
            self.assertEqual(sorted(drawn["old"][i] for i in block), [0, 1, 2])
        self.assertTrue(self.record()["duel"]["draws_builds"])
        self.assertEqual([len(engine["builds"]) for engine in self.record()["methods"]], [3, 2])
        first = done.stdout.splitlines()[0]
        self.assertIn("new: 2 builds", first)
        self.assertIn("old: 3 builds", first)
        self.assertIn("A/A control: another build", done.stdout)

    def test_a_search_without_a_time_is_done_again(self):
        done = self.duel(self.fake(), self.fake("takes no time"))
        self.assertEqual(done.returncode, 0, done.stderr)
        samples = rows_of(self.out / "samples.csv")
        self.assertEqual(len(samples), 2 * 3 * 3)
        self.assertTrue(all(float(row["time_ns"]) >= 10 * 2000 for row in samples), samples)
        self.assertIn("2 of Fake  the  first  (2)'s searches were done again", done.stdout)

    def test_builds_that_differ_widen_the_interval(self):
        widths = []
        for name, behaviours in (("mixed", ["good", "slow"]), ("equal", ["slow", "slow"])):
            self.out = self.folder / f"out_{name}"
            done = self.duel("old=" + self.fake(), self.builds(name, behaviours), "--process-runs", 6)
            self.assertEqual(done.returncode, 0, done.stderr)
            row = [row for row in rows_of(self.out / "summary.csv") if row["contender"] == name][0]
            widths.append(float(row["ratio_high"]) / float(row["ratio_low"]))
        self.assertGreater(widths[0], 10, "two builds that differ threefold say next to nothing of a third")
        self.assertLess(widths[1], widths[0] / 3)

    def test_bad_builds(self):
        good = self.builds("old", ["good"] * 2)
        self.assert_refused(self.duel(good, f"new={self.folder}/new/*"), "matches no file")
        (self.folder / "old" / "notes.txt").write_text("no program")
        self.assert_refused(self.duel(good, self.fake()), "notes.txt is no program")
        (self.folder / "old" / "notes.txt").unlink()
        shutil.copy(self.folder / "old" / "build0", self.folder / "old" / "build2")
        self.assert_refused(self.duel(good, self.fake()), "build0", "build2", "same binary")
        self.assert_refused(self.duel(self.builds("other", ["good", "other scores"]), self.fake()), "another tree")
        self.assert_never_began()


class Resume(DuelTest):
    def resume(self, *arguments):
        return subprocess.run([ENGINES, "duel", "--resume", str(self.out), *arguments], capture_output=True, text=True,
                              check=False, timeout=300)

    def test_an_interrupted_duel_goes_on_to_its_end(self):
        command = [ENGINES, "duel", self.fake(), self.fake("slow"), "--positions", str(self.positions), "--nodes", "2000",
                   "--process-runs", "12", "--rounds", "2", "--out", str(self.out)]
        duel = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        journal = self.out / "unfinished.jsonl"
        deadline = time.time() + 60
        while time.time() < deadline and not (journal.exists() and len(journal.read_text().splitlines()) > 2):
            time.sleep(0.01)
        duel.kill()
        duel.wait()
        done = self.resume()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(self.record()["complete"])
        rows = rows_of(self.out / "samples.csv")
        self.assertEqual(len(rows), 12 * 2 * 3)
        self.assertEqual(len({(row["process_run"], row["round"], row["contender"]) for row in rows}), len(rows))
        self.assert_refused(self.resume(), "finished", "--time")

    def test_a_finished_duel_is_measured_on(self):
        self.assertEqual(self.duel(self.fake(), self.fake()).returncode, 0)
        before = rows_of(self.out / "samples.csv")
        done = self.resume("--time", "2s")
        self.assertEqual(done.returncode, 0, done.stderr)
        after = rows_of(self.out / "samples.csv")
        self.assertEqual(after[:len(before)], before)
        self.assertGreater(len(after), len(before))
        self.assertEqual(self.record()["inference"]["interval"], "confidence-sequence")

    def test_bad_resumes(self):
        self.assert_refused(self.resume(), "no such folder")
        copy = self.folder / "python"
        shutil.copy(pathlib.Path(sys.executable).resolve(), copy)
        engine = shlex.join([str(copy), str(FAKE), "good", str(self.folder)])
        self.assertEqual(self.duel(engine, self.fake()).returncode, 0)
        self.assert_refused(self.resume("--nodes", "5"), "as it was begun")
        for more in ([], ["--time", "5s"]):
            done = subprocess.run([PROGRAM, "run", "--resume", str(self.out), *more], capture_output=True, text=True, check=False)
            self.assert_refused(done, "not begun by slidebench run, but by slidebench duel")
        with copy.open("ab") as program:
            program.write(b"another")
        self.assert_refused(self.resume("--time", "5s"), "another program")


class BadInput(DuelTest):
    def test_settings(self):
        engines = self.fake(), self.fake()
        self.assert_refused(self.duel(*engines, "--depth", 5), "one of them")
        self.assert_refused(self.duel(*engines, "--margin", "50%"), "--margin")
        self.assert_refused(self.duel(*engines, "--time", "soon"), "--time")

    def test_positions(self):
        for text, word in (("", "holds no position"), ("not a position\n", "line 1"), (POSITIONS + "x" * 5000, "line 5"),
                           ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n", "no legal move")):
            self.positions.write_text(text)
            self.assert_refused(self.duel(self.fake(), self.fake()), word)

    def test_outputs(self):
        self.out.mkdir()
        (self.out / "samples.csv").write_text("")
        self.assert_refused(self.duel(self.fake(), self.fake()), "holds a run already")
        self.out = pathlib.Path("/proc/nowhere")
        self.assert_refused(self.duel(self.fake(), self.fake()), "/proc/nowhere")


class Uci(unittest.TestCase):
    """The engine here, talked with."""

    def talk(self, text, *arguments, method="pext"):
        methods = subprocess.run([PROGRAM, "list", "--method", method], capture_output=True, text=True, check=False)
        if "ready" not in methods.stdout:
            method = "magic_fancy"
        done = subprocess.run([PROGRAM, "uci", "--method", method, *map(str, arguments)], input=text, capture_output=True,
                              text=True, check=False, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.splitlines()

    def searched(self, lines):
        """Nodes and best move of the last search."""
        nodes = [line.split() for line in lines if line.startswith("info") and " nodes " in line][-1]
        return int(nodes[nodes.index("nodes") + 1]), lines[-1]

    def test_introduces_itself(self):
        lines = self.talk("uci\nisready\nquit\n", "--net", 256)
        self.assertIn("net256", lines[0])
        self.assertIn("option name Hash type spin default 16 min 1 max 65536", lines)
        self.assertEqual(lines[-2:], ["uciok", "readyok"])

    def test_searches_so_many_nodes_and_the_same_for_every_method(self):
        talk = "position startpos moves e2e4 e7e5\ngo nodes 3000\n"
        nodes, move = self.searched(self.talk(talk))
        self.assertEqual(nodes, 3000)
        self.assertEqual(self.searched(self.talk(talk, method="kogge_stone")), (nodes, move))
        deep = "position startpos\ngo depth 5\n"
        self.assertEqual(self.searched(self.talk(deep)), self.searched(self.talk(deep, method="magic_plain")))

    def test_a_new_game_forgets(self):
        search = "position startpos\ngo depth 6\n"
        once = self.searched(self.talk(search))
        self.assertEqual(self.searched(self.talk(search + "ucinewgame\n" + search)), once)
        self.assertEqual(self.searched(self.talk(search + "setoption name Clear Hash\n" + search)), once)
        self.assertLess(self.searched(self.talk(search + search))[0], once[0])

    def test_finds_a_mate_and_knows_the_end(self):
        mate = self.talk("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\ngo depth 4\n")
        self.assertIn("score mate 1 ", mate[0])
        self.assertEqual(mate[-1], "bestmove a1a8")
        over = self.talk("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo depth 4\ngo movetime 10\n")
        self.assertEqual(over[-1], "bestmove 0000")

    def test_even_one_node_gives_a_legal_move(self):
        self.assertRegex(self.talk("go nodes 1\n")[-1], "^bestmove [a-h][1-8][a-h][1-8]$")

    def test_times_and_stop(self):
        self.assertRegex(self.talk("go movetime 50\n")[-1], "^bestmove [a-h]")
        self.assertRegex(self.talk("go wtime 1000 btime 1000\n")[-1], "^bestmove [a-h]")
        lines = self.talk("go infinite\nisready\nstop\nposition startpos\ngo depth 2\n")
        self.assertEqual(len([line for line in lines if line.startswith("bestmove")]), 2)
        self.assertIn("readyok", lines)

    def test_a_fen_of_four_fields(self):
        lines = self.talk("position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - moves e1g1 e8g8\ngo depth 2\n")
        self.assertRegex(lines[-1], r"^bestmove [a-h][1-8]")

    def test_quit_ends_a_search_that_nothing_stops(self):
        self.talk("go depth 60\nquit\n")

    def test_bad_commands_change_nothing(self):
        lines = self.talk("position fen 8/8/8/8/8/8/8/8 w - - 0 1\nposition startpos moves e2e5\nposition\nhello\n"
                          "setoption name Foo value 1\nsetoption\nsetoption name Hash value 3\n\ngo depth 2\n")
        self.assertTrue(any("bad FEN" in line for line in lines))
        self.assertTrue(any("illegal move e2e5" in line for line in lines))
        self.assertTrue(any("unknown command hello" in line for line in lines))
        self.assertIn("No such option: Foo", lines)
        self.assertRegex(lines[-1], "^bestmove [a-h][1-3]")

    def test_bad_arguments(self):
        for arguments, word in ((["--method", "magick"], "magick"), (["--method", "empty"], "no attack sets"),
                                (["--net", "100"], "net100"), (["--hash", "5"], "--hash"),
                                (["--method", "core"], "name one method, not a group")):
            done = subprocess.run([PROGRAM, "uci", *arguments], capture_output=True, text=True, check=False, input="")
            self.assertEqual(done.returncode, 2)
            self.assertIn(word, done.stderr)
            self.assertEqual(len(done.stderr.splitlines()), 1)

    def test_duels_with_itself(self):
        folder = pathlib.Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        engines = [f"{shlex.quote(PROGRAM)} uci --method {method}" for method in ("magic_fancy", "magic_plain")]
        done = subprocess.run([PROGRAM, "duel", *engines, "--nodes", "3000", "--process-runs", "2", "--rounds", "2", "--out",
                               folder / "out"], capture_output=True, text=True, check=False, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("Same tree in 4 of 4 searches."), 1)


class Distribution(DuelTest):
    """Engines of the distribution, where they are installed."""

    def setUp(self):
        super().setUp()
        self.stockfish = distribution_engine("stockfish")
        if self.stockfish is None:
            self.skipTest("stockfish is not installed")

    def test_stockfish_against_itself(self):
        done = self.duel(self.stockfish, self.stockfish, nodes=5000, program=PROGRAM)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("Same tree in 6 of 6 searches."), 1)

    def test_stockfish_against_glaurung(self):
        glaurung = distribution_engine("glaurung")
        if glaurung is None:
            self.skipTest("glaurung is not installed")
        done = self.duel(self.stockfish, glaurung, nodes=20_000, program=PROGRAM)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("another tree: ", done.stdout)

    def test_its_options_are_checked(self):
        self.assert_refused(self.duel(self.stockfish, self.stockfish, "--option", "Skill Level=21", program=PROGRAM), "at most 20")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
