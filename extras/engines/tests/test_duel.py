# SPDX-License-Identifier: MIT
"""Duels of UCI engines, and the engine here as one. Fake engines do all that a bad one can do.

Usage: test_duel.py SLIDEBENCH SOURCE_FOLDER
"""

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

sys.path.insert(0, str(pathlib.Path(sys.argv[2], "harness", "cli")))

from test_program import PROGRAM, SOURCE, ProgramTest, rows_of, run_tests, slidebench  # noqa: E402

ENGINES = os.environ["SLIDEBENCH_ENGINES"]  # duels whose times are those that fake engines say
FAKE = pathlib.Path(__file__).resolve().parent / "fake_engine.py"
POSITIONS = """# where e2e4 or e7e5 can be played
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
4k3/4p3/8/8/8/8/4P3/4K3 w - - bm e4; id "an EPD";
"""


def lines_in(path):
    """How many lines a file has, which may not be there yet."""
    return len(path.read_text().splitlines()) if path.exists() else 0


class DuelTest(ProgramTest):
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

    def succeed(self, *arguments, **more):
        """A duel that ends well."""
        done = self.duel(*arguments, **more)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def assert_refused(self, result, *words, status=2):
        result.stderr = "\n".join(line for line in result.stderr.splitlines() if " processes (" not in line)
        super().assert_refused(result, *words, status=status)

    def begun(self, *arguments, until):
        """A duel that goes on, once something is so."""
        command = [ENGINES, "duel", *arguments, "--positions", str(self.positions), "--out", str(self.out)]
        duel = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        deadline, is_so = time.time() + 60, False
        while time.time() < deadline and not is_so:
            time.sleep(0.01)
            is_so = until()
        self.assertTrue(is_so, "it never came so far")
        return duel

    def record(self):
        return json.loads((self.out / "run.json").read_text())


class Results(DuelTest):
    def test_is_complete_and_pairs_every_round(self):
        done = self.succeed("old=" + self.fake(), "new=" + self.fake("slow"))
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
        self.assertEqual(slidebench("show", self.out).stdout.rstrip(), told.rstrip())
        self.assertIn("against new", slidebench("show", self.out, "--reference", "new").stdout)
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
        done = self.succeed(self.fake(), self.fake("other tree"))
        self.assertIn("other numbers of nodes in 6 of 6 searches", done.stdout)
        trees = {tree["contender"]: tree for tree in self.record()["duel"]["trees"]}
        self.assertTrue(trees["Fake  the  first .twin"]["same_tree"])
        self.assertFalse(trees["Fake  the  first  (2)"]["same_tree"])
        self.assertFalse(trees["Fake  the  first  (2)"]["repeats"])
        self.assertTrue([warning for warning in self.record()["warnings"] if "says nothing of strength" in warning])

    def test_equal_counts_alone_are_no_equal_tree(self):
        done = self.succeed(self.fake(), self.fake("other scores"))
        self.assertIn("as many nodes, but their scores or moves differ in 6 of 6", done.stdout)

    def test_several_engines_and_a_depth(self):
        done = self.succeed(self.fake(), self.fake("slow"), self.fake("nameless"), "--depth", 3, nodes=None)
        self.assertIn("has no option Hash", done.stderr)
        contenders = {row["contender"] for row in rows_of(self.out / "samples.csv")}
        self.assertEqual(len(contenders), 4)
        self.assertIn(pathlib.Path(sys.executable).name, contenders)
        self.assertEqual({row["trace"] for row in rows_of(self.out / "summary.csv")}, {"depth3"})

    def test_options_reach_all_engines_or_one(self):
        self.succeed(self.fake(), self.fake(), "--option", "style=wild attack", "--option", "2:Threads=2")
        self.assertEqual([engine["options"] for engine in self.record()["methods"]],
                         [{"style": "wild attack"}, {"style": "wild attack", "Threads": "2"}])

    def test_until_decided(self):
        self.succeed(self.fake(), self.fake("slow"), "--time", "20s", "--margin", "20%")
        record = self.record()
        self.assertEqual(record["inference"]["interval"], "confidence-sequence")
        self.assertEqual(len(record["decisions"]), 1)

    def test_what_disturbs_is_noted_and_what_is_no_fault_is_taken(self):
        for behaviour, words in (("restless", "does not wait quietly"), ("ends threads", "threads end after a search"),
                                 ("short", "nine tenths"), ("late", None), ("noisy", None), ("stubborn", None)):
            self.out = self.folder / behaviour.replace(" ", "_")
            self.succeed(self.fake(), self.fake(behaviour))
            if words:
                self.assertRegex("\n".join(w for w in self.record()["warnings"] if words in w),
                                 r"^Fake  the  first  \(2\)(:| used| told).*$")


# What the second engine does, options, and words of the one line that refuses it before the first measurement.
REFUSED = [
    ("silent", ["--start-limit", "1s"], ["'uciok' after 1 s", "--start-limit"]),
    ("never ends", ["--turn-limit", "1s"], ["go nodes 2000", "--depth"]),
    ("dies at start", [], ["status 3", "cannot find the net"]),
    ("binary", ["--start-limit", "1s"], ["UCI engine"]),
    ("binary move", [], ["no legal move"]),
    ("no move", [], ["'(none)'", "no legal move"]),
    ("floods", [], ["floods"]),
    ("floods a line", [], ["floods"]),
    ("refuses an option", [], ["refuses an option", "No such option"]),
    ("no nodes", [], ["reports no nodes"]),
    ("ignores nodes", [], ["200000 nodes where 2000", "--depth"]),
    ("leaves the work to others", [], ["CPU time", "exec"]),
    ("good", ["--option", "Contempt=1"], ["'Contempt'", "Hash, Threads"]),
    ("good", ["--option", "Style=Drunk"], ["Wild Attack"]),
    ("good", ["--hash", 4096], ["at most 1024"]),
    ("good", ["--option", "3:Style=Solid"], ["engines 1 to 2"]),
    ("good", ["--option", "=x"], ["NAME=VALUE"]),
    ("good", ["--depth", 5], ["one of them"]),
    ("good", ["--margin", "50%"], ["--margin"]),
    ("good", ["--time", "soon"], ["--time"]),
]


class Refusals(DuelTest):
    """One line, exit status 2, and nothing left behind; before the first measurement nothing is written either."""

    def assert_never_began(self, engines, *words):
        self.assert_refused(self.duel(*engines), *words)
        self.assertFalse(self.out.exists())

    def test_before_the_first_measurement(self):
        for behaviour, options, words in REFUSED:
            with self.subTest(behaviour, options=options):
                self.assert_never_began([self.fake(), self.fake(behaviour), *options], *words)

    def test_in_the_middle(self):
        self.assert_refused(self.duel(self.fake(), self.fake("dies in the middle")), "signal 11", "incomplete")
        self.assertFalse(self.record()["complete"])
        self.assertTrue([warning for warning in self.record()["warnings"] if "the duel was ended" in warning])
        self.assertEqual(len(rows_of(self.out / "samples.csv")), 3)
        self.out = self.folder / "illegal"
        self.assert_refused(self.duel(self.fake(), self.fake("illegal")), "'e2e5'", "no legal move")

    def test_programs(self):
        for engines, *words in ((["/nonexistent/engine"], "/nonexistent/engine", "No such file"), ([], "two engines"),
                                (["/etc/passwd"], "/etc/passwd", "Permission denied"), (["engine 'open"], "not closed"),
                                ([""], "no program")):
            self.assert_never_began([self.fake(), *engines], *words)

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


class Interruptions(DuelTest):
    def test_interrupted_duels_keep_what_they_have(self):
        samples = self.out / "samples.csv"
        with self.begun(self.fake(), self.fake(), "--nodes", "2000", "--process-runs", "100000",
                        until=lambda: lines_in(samples) > 10) as duel:
            duel.send_signal(signal.SIGINT)
            _, complaint = duel.communicate(timeout=60)
        self.assertEqual(duel.returncode, 2)
        self.assertIn("interrupted", complaint)
        self.assertFalse(self.record()["complete"])
        self.assertEqual(self.left_behind(), [])

    def test_a_killed_duel_leaves_nobody_behind(self):
        with self.begun(self.fake("never ends"), self.fake(), until=self.left_behind) as duel:
            duel.kill()
        # A process in the middle of exec() shows no command line, so one look that finds nobody proves nothing.
        looks_without, deadline = 0, time.time() + 60
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
        done = self.succeed(*sides, "--process-runs", 6, "--rounds", 1)
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
        done = self.succeed(self.fake(), self.fake("takes no time"))
        samples = rows_of(self.out / "samples.csv")
        self.assertEqual(len(samples), 2 * 3 * 3)
        self.assertTrue(all(float(row["time_ns"]) >= 10 * 2000 for row in samples), samples)
        self.assertIn("2 of Fake  the  first  (2)'s searches were done again", done.stdout)

    def test_builds_that_differ_widen_the_interval(self):
        widths = []
        for name, behaviours in (("mixed", ["good", "slow"]), ("equal", ["slow", "slow"])):
            self.out = self.folder / f"out_{name}"
            self.succeed("old=" + self.fake(), self.builds(name, behaviours), "--process-runs", 6)
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
        self.assertFalse(self.out.exists())


class Resume(DuelTest):
    def resume(self, *arguments):
        return subprocess.run([ENGINES, "duel", "--resume", str(self.out), *arguments], capture_output=True, text=True,
                              check=False, timeout=300)

    def test_an_interrupted_duel_goes_on_to_its_end(self):
        journal = self.out / "unfinished.jsonl"
        with self.begun(self.fake(), self.fake("slow"), "--nodes", "2000", "--process-runs", "12", "--rounds", "2",
                        until=lambda: lines_in(journal) > 2) as duel:
            duel.kill()
        done = self.resume()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(self.record()["complete"])
        rows = rows_of(self.out / "samples.csv")
        self.assertEqual(len(rows), 12 * 2 * 3)
        self.assertEqual(len({(row["process_run"], row["round"], row["contender"]) for row in rows}), len(rows))
        self.assert_refused(self.resume(), "finished", "--time")

    def test_a_finished_duel_is_measured_on(self):
        self.succeed(self.fake(), self.fake())
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
        self.succeed(engine, self.fake())
        self.assert_refused(self.resume("--nodes", "5"), "as it was begun")
        for more in ([], ["--time", "5s"]):
            done = slidebench("run", "--resume", self.out, *more)
            self.assert_refused(done, "not begun by slidebench run, but by slidebench duel")
        with copy.open("ab") as program:
            program.write(b"another")
        self.assert_refused(self.resume("--time", "5s"), "another program")


class Uci(ProgramTest):
    """The engine here, talked with."""

    def talk(self, text, *arguments, method="pext"):
        if "ready" not in slidebench("list", "--method", method).stdout:
            method = "magic_fancy"
        return self.succeed("uci", "--method", method, *arguments, stdin=text).stdout.splitlines()

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

    def test_every_search_ends_with_a_move(self):
        four_fields = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - moves e1g1 e8g8\n"
        for talk in ("go nodes 1\n", "go movetime 50\n", "go wtime 1000 btime 1000\n", four_fields + "go depth 2\n"):
            self.assertRegex(self.talk(talk)[-1], "^bestmove [a-h][1-8][a-h][1-8]$", talk)

    def test_what_has_no_end_can_be_stopped(self):
        lines = self.talk("go infinite\nisready\nstop\nposition startpos\ngo depth 2\n")
        self.assertEqual(len([line for line in lines if line.startswith("bestmove")]), 2)
        self.assertIn("readyok", lines)

    def test_quit_ends_a_search_that_nothing_stops(self):
        self.talk("go depth 60\nquit\n")

    def test_bad_commands_change_nothing(self):
        lines = self.talk("position fen 8/8/8/8/8/8/8/8 w - - 0 1\nposition startpos moves e2e5\nposition\nhello\n"
                          "setoption name Foo value 1\nsetoption\nsetoption name Hash value 3\n\ngo depth 2\n")
        for words in ("bad FEN", "illegal move e2e5", "unknown command hello"):
            self.assertTrue(any(words in line for line in lines), words)
        self.assertIn("No such option: Foo", lines)
        self.assertRegex(lines[-1], "^bestmove [a-h][1-3]")

    def test_bad_arguments(self):
        for arguments, word in ((["--method", "magick"], "magick"), (["--method", "empty"], "no attack sets"),
                                (["--net", "100"], "net100"), (["--hash", "5"], "--hash"),
                                (["--method", "core"], "name one method, not a group")):
            self.assert_refused(slidebench("uci", *arguments), word)

    def test_duels_with_itself(self):
        engines = [f"{shlex.quote(PROGRAM)} uci --method {method}" for method in ("magic_fancy", "magic_plain")]
        done = self.succeed("duel", *engines, "--nodes", 3000, "--process-runs", 2, "--rounds", 2, "--out", self.path("out"))
        self.assertEqual(done.stdout.count("Same tree in 4 of 4 searches."), 1)


class Distribution(DuelTest):
    def test_engines_of_the_distribution(self):
        for other, nodes, words in (("stockfish", 5_000, "Same tree in 6 of 6 searches."), ("glaurung", 20_000, "another tree: ")):
            engines = [shutil.which(name, path=os.environ["PATH"] + ":/usr/games") for name in ("stockfish", other)]
            with self.subTest(other):
                if None in engines:
                    self.skipTest(f"stockfish or {other} is not installed")
                self.out = self.folder / other
                self.assertIn(words, self.succeed(*engines, nodes=nodes, program=PROGRAM).stdout)


if __name__ == "__main__":
    run_tests()
