#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the committed games and of the two programs that fetch and select games. None of them needs a network."""

import collections
import hashlib
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
import select_games  # noqa: E402

SAMPLE, FETCH, SELECT = HERE / "sample.pgn", HERE / "fetch_games.sh", HERE / "select_games.py"
FULL = HERE / "games" / "book_1.02.pgn"
README = (HERE / "README.md").read_text()
TARBALL = "gnuchess-book_1.02.orig.tar.gz"
CACHED_TARBALL = HERE / ".cache" / "download" / TARBALL
FULL_GAMES = 145716
PGN_EXTRACT = shutil.which("pgn-extract", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")

SHORT_GAME = (b'[Event "Test"]\n[Site "?"]\n[Date "1901.01.01"]\n[Round "1"]\n[White "A"]\n[Black "B"]\n'
              b'[Result "1-0"]\n[ECO "C20"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 1-0\n\n')


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def run(*command):
    """Runs a command from another folder, without standard input; returns (status, output, error), both as text."""
    done = subprocess.run(command, cwd=tempfile.gettempdir(), stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                          check=False, text=True)
    return done.returncode, done.stdout, done.stderr


def games_of(path):
    """The games of a PGN file, None for those that are not usable."""
    return [select_games.examine(*text)[0] for text in select_games.read_texts(path.read_bytes())]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, data):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        return path

    def assert_refused(self, result, *words):
        status, _, error = result
        self.assertEqual(status, 2, error)
        for word in words:
            self.assertIn(word, error.splitlines()[-1])


class SampleTest(Case):
    """What is committed."""

    @classmethod
    def setUpClass(cls):
        cls.games = games_of(SAMPLE)

    def test_the_readme_names_these_files_and_prints_what_the_command_does(self):
        self.assertIn(sha256(SAMPLE), README)
        status, output, error = run(SELECT, "--describe", SAMPLE)
        self.assertEqual((status, error), (0, ""))
        self.assertIn(output, README)
        pinned = re.findall(r"[0-9a-f]{64}", FETCH.read_text())
        self.assertEqual([sum_ in README for sum_ in pinned], [True, True])

    def test_every_game_is_usable_and_no_two_are_the_same(self):
        text = SAMPLE.read_bytes()
        self.assertTrue(text.isascii() and b"\r" not in text and b"\0" not in text and text.endswith(b"\n"))
        self.assertLess(len(text), 1 << 20)
        self.assertNotIn(None, self.games)
        self.assertEqual(len({game.moves for game in self.games}), len(self.games))

    def test_the_games_are_spread(self):
        def counted(key):
            return collections.Counter(map(key, self.games))
        decades, results, lengths = counted(lambda game: game.year // 10), counted(lambda game: game.result), counted(
            lambda game: select_games.length_class(game.plies))
        self.assertGreaterEqual(sum(n >= 30 for n in decades.values()), 12)
        self.assertLess(max(decades.values()), len(self.games) / 5)
        self.assertGreaterEqual(min(results[result] for result in ("1-0", "0-1", "1/2-1/2")), len(self.games) / 5)
        openings = {n: counted(lambda game, n=n: game.eco[:n]) for n in (1, 2, 3)}
        self.assertEqual(sorted(openings[1]), list("ABCDE"))
        self.assertTrue(len(openings[2]) >= 45 and len(openings[3]) >= 250)
        self.assertEqual(len(lengths), len(select_games.LENGTHS))
        for classes in (openings[1], lengths):
            self.assertGreaterEqual(min(classes.values()), len(self.games) / 10)
        plies = [game.plies for game in self.games]
        self.assertTrue(min(plies) < 20 and max(plies) > 240)
        features = collections.Counter(feature for game in self.games for feature in game.features)
        for feature in select_games.RARE + ("castling short by white", "castling short by black", "checkmate"):
            self.assertGreaterEqual(features[feature], 5, feature)

    @unittest.skipUnless(PGN_EXTRACT, "pgn-extract is not installed")
    def test_pgn_extract_reads_every_game_without_complaint(self):
        status, output, error = run(PGN_EXTRACT, "-s", "-Wuci", SAMPLE)
        self.assertEqual(status, 0)
        self.assertNotRegex(error.lower(), r"error|warning|line|unknown|fail|missing")
        lines = [line for line in output.splitlines() if line and not line.startswith("[")]
        self.assertEqual(len(lines), len(self.games))
        for line, game in zip(lines, self.games):
            moves = line.split()[:-1]
            self.assertEqual(len(moves), game.plies, game.text)
            self.assertEqual(specials_by_playing(moves), tuple(f for f in game.features if f != "checkmate"), game.text)


def specials_by_playing(moves):
    """The special moves of a game in UCI notation, found by playing it on a board: an independent second opinion."""
    board = {file + rank: piece for rank, pieces in (("1", "RNBQKBNR"), ("2", "P" * 8), ("7", "p" * 8), ("8", "rnbqkbnr"))
             for file, piece in zip("abcdefgh", pieces)}
    names = {"q": "queen", "r": "rook", "b": "bishop", "n": "knight"}
    found = set()
    for ply, move in enumerate(moves):
        side, start, end = ("black" if ply % 2 else "white"), move[:2], move[2:4]
        piece = board.pop(start)
        if piece.islower() != bool(ply % 2):
            raise AssertionError("%s moves a piece of the wrong side" % move)
        if piece in "Kk" and start[0] == "e" and end[0] in "cg":
            found.add("castling %s by %s" % ("long" if end[0] == "c" else "short", side))
            board[("d" if end[0] == "c" else "f") + end[1]] = board.pop(("a" if end[0] == "c" else "h") + end[1])
        if piece in "Pp" and start[0] != end[0] and end not in board:
            found.add("en passant")
            del board[end[0] + start[1]]
        if len(move) == 5:
            found.add("promotion to " + names[move[4].lower()])
            piece = move[4].upper() if piece == "P" else move[4].lower()
        board[end] = piece
    return tuple(sorted(found))


class SelectTest(Case):
    """select_games.py"""

    def select(self, source, name, *more):
        path = self.folder / name
        return run(SELECT, source, "--out", path, *more), path

    def test_the_order_of_games_does_not_matter_and_they_are_copied_verbatim(self):
        texts = [game.text for game in games_of(SAMPLE)]
        random.Random(1).shuffle(texts)
        _, one = self.select(SAMPLE, "one.pgn", "--count", "450")
        _, other = self.select(self.write("shuffled.pgn", b"\n".join(texts)), "other.pgn", "--count", "450")
        self.assertEqual(one.read_bytes(), other.read_bytes())
        self.assertEqual(len({game.text for game in games_of(one)} & set(texts)), 450)
        _, everything = self.select(SAMPLE, "all.pgn", "--count", str(len(texts)))
        self.assertEqual(everything.read_bytes(), SAMPLE.read_bytes())

    def test_order_of_tags_and_line_ends_do_no_harm(self):
        lines = SHORT_GAME.splitlines()
        tags = [line for line in lines if line.startswith(b"[")]
        odd = b"\r\n".join([b"\xef\xbb\xbf" + tags[-1], *tags[-2::-1], b"", b"", lines[-2], b"", b""])
        source = self.write("odd.pgn", odd + b"\r\n" + SHORT_GAME.replace(b"a6 4.Ba4", b"d6 4.d4"))
        (status, output, error), out = self.select(source, "out.pgn", "--count", "2")
        self.assertEqual((status, error), (0, ""), output)
        self.assertNotIn(b"\r", out.read_bytes())

    def test_without_eco_tag_the_first_moves_count(self):
        [game] = games_of(self.write("plain.pgn", SHORT_GAME.replace(b'[ECO "C20"]\n', b"")))
        self.assertEqual(game.eco, "e4 e5")

    def test_unusable_games_are_left_out_and_counted(self):
        bad = [SHORT_GAME.replace(b"1901", b"????"),
               SHORT_GAME.replace(b"Be7 1-0", b"Be7 {good} 1-0"),
               SHORT_GAME.replace(b"Be7 1-0", b"Be7 0-1"),
               SHORT_GAME.replace(b'"A"', b'"\xc4"'),
               SHORT_GAME.replace(b"Be7 1-0", b"Be7# 1-0"),
               SHORT_GAME.replace(b"\n\n1.", b'\n[FEN "8/8/8/8/8/8/8/8 w - -"]\n\n1.'),
               re.sub(rb"4\.Ba4.*Be7", b"", SHORT_GAME),
               SHORT_GAME.replace(b'"A"', b'"Another"')]
        source = self.write("mixed.pgn", SHORT_GAME + b"".join(bad))
        (_, output, _), out = self.select(source, "out.pgn", "--count", "1")
        self.assertEqual(output.count("not usable: 1 "), len(bad), output)
        self.assertEqual(len(games_of(out)), 1)

    def test_en_passant_is_told_from_an_ordinary_capture(self):
        def features(movetext):
            return select_games.features_of(select_games.sans(movetext)[0])
        self.assertEqual(features(b"1.e4 a6 2.e5 d5 3.exd6 cxd6 *"), ("en passant",))
        self.assertEqual(features(b"1.e4 a6 2.e5 d6 3.exd6 cxd6 *"), ())
        self.assertEqual(features(b"1.a3 d5 2.a4 d4 3.e4 dxe3+ *"), ("en passant",))

    def test_bad_input_options_and_output_are_refused(self):
        self.assert_refused(self.select(self.folder / "absent.pgn", "o")[0], "absent.pgn: No such file")
        for name, text in (("empty", b""), ("prose", b"no games\n" * 9), ("odd", b'[Event "?"]\n\nnonsense\n')):
            self.assert_refused(self.select(self.write(name, text), "o")[0], name, "no usable game")
        for option in (["--out", "o", "--wrong"], ["--out", "o", "--count", "0"], ["--out", "o", "--count", "many"],
                       ["--out", "o", "--count", "99999"], [], ["--out", "/dev/full"], ["--out", self.folder / "none" / "o"]):
            self.assert_refused(run(SELECT, SAMPLE, *option))
        self.assertFalse((self.folder / "o").exists())

    @unittest.skipUnless(FULL.exists(), "the full collection is not here; fetch_games.sh fetches it")
    @unittest.skipUnless(os.environ.get("SLIDEBENCH_SLOW_TESTS"), "takes half a minute; set SLIDEBENCH_SLOW_TESTS=1 to run it")
    def test_the_full_collection_reproduces_the_sample(self):
        (status, output, _), out = self.select(FULL, "out.pgn")
        self.assertEqual(status, 0)
        self.assertEqual(sha256(out), sha256(SAMPLE))
        left_out = sum(int(n) for n in re.findall(r"not usable: (\d+)", output))
        self.assertEqual(left_out + int(re.search(r"of (\d+) usable", output).group(1)), FULL_GAMES)


@unittest.skipUnless(shutil.which("apt-get"), "apt is not installed")
class FetchTest(Case):
    """fetch_games.sh, with apt sources that are local folders."""

    def fetch(self, *arguments):
        return run(FETCH, "--out", self.folder / "out.pgn", "--cache", self.folder / "cache", *arguments)

    def fetch_from(self, name, text):
        self.write("etc/" + name, text.encode())
        return self.fetch("--apt-etc", self.folder / "etc")

    def archive(self, tarball):
        """A local archive with one source package, described as an archive would."""
        dsc = self.write("archive/gnuchess-book_1.02-9.dsc", b"Format: 1.0\n")
        (self.folder / "archive" / TARBALL).symlink_to(tarball)
        entries = [f"{sha256(path)} {path.stat().st_size} {name}" for path, name in ((tarball, TARBALL), (dsc, dsc.name))]
        self.write("archive/Sources", ("Package: gnuchess-book\nBinary: gnuchess-book\nVersion: 1.02-9\nFormat: 1.0\n"
                                       "Directory: .\nChecksums-Sha256:\n %s\n\n" % "\n ".join(entries)).encode())
        return f"deb [trusted=yes] file:{self.folder}/archive ./\n"

    def test_names_no_host(self):
        self.assertNotRegex(FETCH.read_text(), r"[a-z]+://|\b[a-z0-9-]+\.(org|com|net)\b")
        self.assertIn("Example:", run(FETCH, "--help")[1])

    def test_bad_options_and_outputs_are_found_before_anything_is_fetched(self):
        self.assert_refused(self.fetch("--wrong"), "--wrong", "--help")
        self.assert_refused(run(FETCH, "--out"), "--out")
        for out in (self.write("file", b"") / "o.pgn", self.folder, "/dev/full"):
            self.assert_refused(run(FETCH, "--cache", self.folder / "cache", "--out", out), "cannot write")
        self.assertFalse((self.folder / "cache").exists())
        self.assert_refused(run(FETCH, "--out", self.folder / "o", "--cache", self.folder / "file" / "c"), "cache")

    def test_sources_without_the_package_and_a_corrupt_download(self):
        kept = self.write("cache/download/" + TARBALL, b"half")
        self.assert_refused(self.fetch("--apt-etc", self.folder), "no deb entry")
        self.assertFalse(kept.exists())
        self.write("archive/Sources", b"Package: other\nBinary: other\nVersion: 1.02-1\nFormat: 1.0\nDirectory: .\n\n")
        for lines, words in (("# deb nothing\ndeb cdrom:[Disc]/ stable main\n", "no deb entry"),
                             (f"deb file:{self.folder}/gone stable main\n", "no source package"),
                             (f"deb [trusted=yes] file:{self.folder}/archive ./\n", "no source package gnuchess-book 1.02")):
            self.assert_refused(self.fetch_from("sources.list", lines), words)
        self.assertEqual(list(self.folder.glob("out.pgn*")), [])

    def test_wrong_tarball(self):
        line = self.archive(self.write("wrong", b"not the games"))
        self.assert_refused(self.fetch_from("sources.list.d/local.list", "# local\n" + line), "wrong sha256")
        (self.folder / "etc/sources.list.d/local.list").unlink()
        self.assert_refused(self.fetch_from("sources.list.d/local.sources", "# local\nTypes:\n deb\nURIs: file:"
                                            f"{self.folder}/archive\nSuites: ./\nTrusted: yes\n"), "wrong sha256")
        self.assertEqual(list(self.folder.glob("out.pgn*")), [])

    @unittest.skipUnless(CACHED_TARBALL.exists(), "the package is not here; fetch_games.sh fetches it")
    def test_good_tarball(self):
        line = self.archive(CACHED_TARBALL)
        self.assertEqual(self.fetch_from("sources.list", line)[::2], (0, ""))
        self.assertIn("nothing to do", self.fetch_from("sources.list", line)[1])
        with open(self.folder / "out.pgn", "ab") as file:  # a changed file is replaced, from the kept download
            file.write(b"\n")
        self.assertEqual(self.fetch("--apt-etc", self.folder / "absent")[0], 0)


if __name__ == "__main__":
    unittest.main()
