# SPDX-License-Identifier: MIT
"""Games and searches into traces, and every kind of bad input refused.

Usage: the program and the source folder, then what unittest takes.
"""

import gzip
import json
import subprocess

from program import GAME, ILLEGAL_GAME, PROGRAM, SOURCE, ProgramTest, run_tests, slidebench


class TraceBuild(ProgramTest):
    def build(self, *inputs, out=None, stdin=None):
        return subprocess.run([PROGRAM, "trace", "build", "--kind", "game", "--out", str(out or self.path("trace")),
                               *map(str, inputs)], input=stdin, capture_output=True, check=False)

    def text(self, done):
        return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())

    def test_a_game_becomes_one_node_a_position(self):
        info = json.loads(slidebench("trace", "info", self.trace, "--format", "json").stdout)
        self.assertEqual(info["nodes"], 34)  # 33 plies and the start

    def test_compressed_piped_and_many(self):
        packed = self.path("pgn.gz")
        packed.write_bytes(gzip.compress(GAME.encode()))
        one, two, three = self.path("1"), self.path("2"), self.path("3")
        self.assertEqual(self.build(packed, out=one).returncode, 0)
        self.assertEqual(self.build("-", out=two, stdin=GAME.encode()).returncode, 0)
        self.assertEqual(self.build(self.pgn, packed, out=three).returncode, 0)
        nodes = [json.loads(slidebench("trace", "info", t, "--format", "json").stdout)["nodes"] for t in (one, two, three)]
        self.assertEqual(nodes, [34, 34, 68])

    def build_search(self, *options, out=None):
        return slidebench("trace", "build", "--kind", "search", "--out", out or self.path("trace"), "--positions", 2,
                          "--nodes", 300, "--net", 0, *options, self.pgn)

    def test_a_search_is_recorded_with_who_asked(self):
        one, two, other = self.path("1"), self.path("2"), self.path("3")
        for out, seed in ((one, 1), (two, 1), (other, 2)):
            done = self.build_search("--seed", seed, out=out)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(one.read_bytes(), two.read_bytes())
        self.assertNotEqual(one.read_bytes(), other.read_bytes())
        info = json.loads(slidebench("trace", "info", one, "--format", "json").stdout)
        search = info["provenance"]["search"]
        self.assertEqual(search["nodes"], 600)
        self.assertEqual(sum(search["callers"].values()), info["queries"])
        self.assertEqual(search["evaluations"], info["evaluated_nodes"])
        self.assertEqual(info["provenance"]["recipe"], "slidebench trace build --kind search --positions 2 --seed 1 "
                                                       "--depth 64 --nodes 300 --net 0 opera.pgn")

    def test_a_search_with_a_network_and_its_threats(self):
        out = self.path("trace")
        done = slidebench("trace", "build", "--kind", "search", "--out", out, "--positions", 2, "--nodes", 200,
                          "--net", 128, self.pgn)
        self.assertEqual(done.returncode, 0, done.stderr)
        info = json.loads(slidebench("trace", "info", out, "--format", "json").stdout)
        self.assertTrue(info["provenance"]["threats"])
        self.assertGreater(info["provenance"]["search"]["callers"]["threats"], 0)

    def test_bad_searches(self):
        for options, word in ((("--depth", 0), "1..64"), (("--depth", 1000), "1..64"), (("--nodes", 0), "--nodes"),
                              (("--threats",), "threats"), (("--positions", 0), "--positions"),
                              (("--queries", "all"), "--queries")):
            with self.subTest(options=options):
                out = self.path("never")
                done = slidebench("trace", "build", "--kind", "search", "--out", out, "--net", 0, *options, self.pgn)
                self.assert_refused(done, word)
                self.assertFalse(out.exists())
        self.assert_refused(slidebench("trace", "build", "--kind", "search", "--net", 100, "--positions", 1, "--out",
                                       self.path("never"), self.pgn), "multiple of 128")
        self.assert_refused(slidebench("trace", "build", "--seed", 1, "--out", self.path("never"), self.pgn),
                            "--kind search")

    def test_positions(self):
        out = self.path("fen")
        done = slidebench("trace", "positions", "--count", 2, "--seed", 3, "--out", out, self.pgn)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = out.read_text().splitlines()
        self.assertEqual(len(set(lines)), 2)
        for line in lines:
            self.assertEqual(len(line.split()), 6)
        self.assert_refused(slidebench("trace", "positions", "--count", 200, "--out", self.path("never"), self.pgn),
                            "200", "more games")
        self.assert_refused(slidebench("trace", "positions", "--count", 1, "--out", "/nonexistent/p", self.pgn),
                            "/nonexistent/p")

    def test_the_committed_positions_are_sampled_again(self):
        out = self.path("fen")
        done = slidebench("trace", "positions", "--count", 64, "--seed", 1, "--out", out, SOURCE / "datasets/sample.pgn")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(out.read_bytes(), (SOURCE / "datasets/positions.fen").read_bytes())

    def test_illegal_games_are_counted_and_named(self):
        mixed = self.path("pgn")
        mixed.write_text(GAME + ILLEGAL_GAME + GAME)
        done = self.text(self.build(mixed))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 game", done.stderr)
        self.assertIn("Nobody", done.stderr)

    def test_bad_games(self):
        empty, binary, missing = self.path("empty"), self.path("binary"), self.path("missing")
        empty.write_bytes(b"")
        binary.write_bytes(bytes(range(256)) * 64)
        for path in (empty, binary, missing):
            with self.subTest(path=path.suffix):
                out = self.path("never")
                self.assert_refused(self.text(self.build(path, out=out)), path.name)
                self.assertFalse(out.exists())

    def test_bad_outputs(self):
        self.assert_refused(self.text(self.build(self.pgn, out="/dev/full")), "/dev/full")
        self.assert_refused(self.text(self.build(self.pgn, out="/nonexistent/t")), "/nonexistent/t")

    def test_without_pgn_extract(self):
        done = slidebench("trace", "build", "--kind", "game", "--out", self.path("t"), self.pgn,
                          environment={"SLIDEBENCH_PGN_EXTRACT": "/nonexistent/pgn-extract"})
        self.assert_refused(done, "pgn-extract", "install")

    def test_a_folder_of_path_that_has_another_file_of_that_name(self):
        """One that may not be run, or a folder that may not be read, hides nothing of what comes later."""
        folder = self.path("bin")
        folder.mkdir()
        (folder / "pgn-extract").write_text("none")
        words = ("trace", "build", "--out", self.path("t"), self.pgn)
        done = slidebench(*words, environment={"PATH": f"{folder}:/usr/bin:/bin"})
        self.assertEqual(done.returncode, 0, done.stderr)
        chosen = {"SLIDEBENCH_PGN_EXTRACT": str(folder / "pgn-extract")}
        self.assert_refused(slidebench(*words, environment=chosen), "Permission denied")


class TraceImport(ProgramTest):
    ROOT = "board 4k3/8/8/8/8/8/8/R3K3\nroot 1000000000000011\nr a1 1000000000000011\n"

    def imported(self, log, *options):
        path, out = self.path("queries"), self.path("trace")
        path.write_text(log)
        return slidebench("trace", "import", *options, "--out", out, path), out

    def test_a_log_with_pieces(self):
        log = self.ROOT + "move a1a8\nmake\nr a8 1100000000000010\nunmake\n"
        for options, is_told in (((), True), (("--no-pieces",), False)):
            done, out = self.imported(log, *options)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual("with their pieces" in done.stderr, is_told)
            info = json.loads(slidebench("trace", "info", out, "--format", "json").stdout)
            self.assertEqual((info["pieces"], info["provenance"]["pieces"]), (is_told, is_told))

    def test_pieces_that_do_not_fit(self):
        for more, words in (("move a1e1\nmake\n", "line 4: the move a1e1 does not fit the board"),
                            ("unmake\n", "line 4: an unmake, but there is no move to take back"),
                            ("root 11\n", "line 4: a position without a board"),
                            ("move a1a2\nmake ff\n", "line 5: the occupancy after the move was made is not that of the pieces"),
                            ("make\n", "line 4: a make without a move before it")):
            with self.subTest(words):
                done, out = self.imported(self.ROOT + more)
                self.assert_refused(done, words, "import it with --no-pieces")
                self.assertFalse(out.exists())
                self.assertEqual(self.imported(self.ROOT + more, "--no-pieces")[0].returncode, 0)
                out.unlink()


class TraceInfo(ProgramTest):
    def refused(self, change, *words):
        path = self.path("trace")
        path.write_bytes(change(bytearray(self.trace.read_bytes())))
        self.assert_refused(slidebench("trace", "info", path), *words)

    def test_bad_traces(self):
        self.refused(lambda b: b"")
        self.refused(lambda b: b[: len(b) // 2])
        self.refused(lambda b: b[:17])
        self.refused(lambda b: b"PK\x03\x04 something else entirely" * 20, "not a slidebench trace")

        def flip(b):
            b[len(b) // 2] ^= 0x10
            return b
        self.refused(flip)

        def other_version(b):
            b[12] += 1
            return b
        self.refused(other_version, "version")

        def version_1(b):
            b[12] = 1
            return b
        self.refused(version_1, "has format version 1, this program reads 2")

    def test_whether_the_pieces_are_told(self):
        random = self.path("random")
        self.assertEqual(slidebench("trace", "random", "--out", random).returncode, 0)
        for trace, is_told in ((self.trace, True), (random, False)):
            info = json.loads(slidebench("trace", "info", trace, "--format", "json").stdout)
            self.assertEqual(info["pieces"], is_told)
            last = slidebench("trace", "info", trace).stdout.splitlines()[-1]
            self.assertEqual(last, "It tells the pieces." if is_told else "It does not tell the pieces.")

    def test_it_is_counted(self):
        info = json.loads(slidebench("trace", "info", self.trace, "--format", "json").stdout)
        self.assertEqual(sum(info["queries_by_kind"].values()), info["queries"])
        self.assertAlmostEqual(info["queries_per_node"]["mean"], info["queries"] / info["nodes"])
        self.assertEqual(info["games"], 1)

    def test_missing(self):
        self.assert_refused(slidebench("trace", "info", "/nonexistent.trace"), "/nonexistent.trace")

    def test_random_is_deterministic(self):
        one, two, other = self.path("1"), self.path("2"), self.path("3")
        for path, seed in ((one, 5), (two, 5), (other, 6)):
            self.assertEqual(slidebench("trace", "random", "--seed", seed, "--out", path).returncode, 0)
        self.assertEqual(one.read_bytes(), two.read_bytes())
        self.assertNotEqual(one.read_bytes(), other.read_bytes())


if __name__ == "__main__":
    run_tests()
