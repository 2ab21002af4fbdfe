#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the committed games and of the two programs that fetch and select games. None of them needs a network."""

import collections
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import select_games  # noqa: E402

SAMPLE = os.path.join(HERE, "sample.pgn")
README = os.path.join(HERE, "README.md")
FETCH = os.path.join(HERE, "fetch_games.sh")
SELECT = os.path.join(HERE, "select_games.py")
FULL = os.path.join(HERE, "games", "book_1.02.pgn")
CACHED_TARBALL = os.path.join(HERE, ".cache", "download", "gnuchess-book_1.02.orig.tar.gz")
TARBALL = "gnuchess-book_1.02.orig.tar.gz"
TARBALL_BYTES = 26265494
FULL_GAMES = 145716
PGN_EXTRACT = shutil.which("pgn-extract", path=os.environ.get("PATH", "") + os.pathsep + "/usr/games")

SHORT_GAME = (b'[Event "Test"]\n[Site "?"]\n[Date "1901.01.01"]\n[Round "1"]\n[White "A"]\n[Black "B"]\n'
              b'[Result "1-0"]\n[ECO "C20"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 1-0\n\n')


def read(path):
    with open(path, "rb") as file:
        return file.read()


def sha256(path):
    return hashlib.sha256(read(path)).hexdigest()


def run(*command, environment=None):
    """Runs a command from another folder, without standard input; returns (status, output, error), both as text."""
    done = subprocess.run(command, cwd=tempfile.gettempdir(), stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                          check=False, env=environment)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def games_of(path):
    """The games of a PGN file as (text as bytes, Game or None)."""
    with open(path, "rb") as stream:
        texts = list(select_games.read_texts(stream, path))
    return [(text.block(), select_games.examine(text)[0]) for text in texts]


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, data):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(data)
        return path

    def assert_refused(self, result, *words):
        status, _, error = result
        self.assertEqual(status, 2, error)
        self.assertEqual(len(error.splitlines()), 1, error)
        for word in words:
            self.assertIn(word, error)


class SampleTest(Case):
    """What is committed."""

    @classmethod
    def setUpClass(cls):
        cls.games = games_of(SAMPLE)

    def test_is_the_file_the_readme_names(self):
        readme = read(README).decode()
        self.assertIn(sha256(SAMPLE), readme)
        self.assertLess(os.path.getsize(SAMPLE), 1 << 20)

    def test_readme_has_the_composition_that_the_command_prints(self):
        status, output, error = run(sys.executable, SELECT, "--describe", SAMPLE)
        self.assertEqual((status, error), (0, ""))
        self.assertIn(output, read(README).decode())

    def test_readme_and_script_pin_the_same_sums(self):
        readme, script = read(README).decode(), read(FETCH).decode()
        pinned = re.findall(r"[0-9a-f]{64}", script)
        self.assertEqual(len(pinned), 2)
        for sum_ in pinned:
            self.assertIn(sum_, readme)

    def test_text_is_ascii_with_lf_line_ends(self):
        text = read(SAMPLE)
        self.assertTrue(text.isascii())
        self.assertNotIn(b"\r", text)
        self.assertNotIn(b"\0", text)
        self.assertTrue(text.endswith(b"\n"))

    def test_every_game_is_usable_and_no_two_are_the_same(self):
        self.assertGreaterEqual(len(self.games), 400)
        self.assertNotIn(None, [game for _, game in self.games])
        self.assertEqual(len({game.same_moves for _, game in self.games}), len(self.games))

    def test_spread_over_years(self):
        decades = collections.Counter(game.year // 10 for _, game in self.games)
        self.assertGreaterEqual(sum(n >= 30 for n in decades.values()), 12)
        self.assertLess(max(decades.values()), len(self.games) / 5)

    def test_spread_over_openings(self):
        letters = collections.Counter(game.eco[0] for _, game in self.games)
        self.assertEqual(sorted(letters), list("ABCDE"))
        self.assertGreaterEqual(min(letters.values()), len(self.games) / 10)
        self.assertGreaterEqual(len({game.eco[:2] for _, game in self.games}), 45)
        self.assertGreaterEqual(len({game.eco for _, game in self.games}), 250)

    def test_spread_over_lengths(self):
        lengths = collections.Counter(select_games.length_class(game.plies) for _, game in self.games)
        self.assertEqual(len(lengths), len(select_games.LENGTHS))
        self.assertGreaterEqual(min(lengths.values()), len(self.games) / 10)
        plies = [game.plies for _, game in self.games]
        self.assertLess(min(plies), 20)
        self.assertGreater(max(plies), 240)

    def test_spread_over_results(self):
        results = collections.Counter(game.result for _, game in self.games)
        for result in ("1-0", "0-1", "1/2-1/2"):
            self.assertGreaterEqual(results[result], len(self.games) / 5)

    def test_has_the_special_moves(self):
        features = collections.Counter(feature for _, game in self.games for feature in game.features)
        for feature in select_games.RARE + ("castling short by white", "castling short by black", "checkmate"):
            self.assertGreaterEqual(features[feature], 5, feature)

    @unittest.skipUnless(PGN_EXTRACT, "pgn-extract is not installed")
    def test_pgn_extract_reads_every_game_without_complaint(self):
        status, output, error = run(PGN_EXTRACT, "-s", "-Wuci", SAMPLE)
        self.assertEqual(status, 0)
        self.assertNotRegex(error.lower(), r"error|warning|line|unknown|fail|missing")
        lines = [line for line in output.splitlines() if line and not line.startswith("[")]
        self.assertEqual(len(lines), len(self.games))
        for line, (text, game) in zip(lines, self.games):
            moves = line.split()[:-1]
            self.assertEqual(len(moves), game.plies, text)
            self.assertEqual(specials_by_playing(moves), tuple(f for f in game.features if f != "checkmate"), text)


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
        path = self.path(name)
        return run(sys.executable, SELECT, source, "--out", path, *more), path

    def test_same_input_gives_the_same_bytes(self):
        for name in ("first.pgn", "second.pgn"):
            (status, _, error), _ = self.select(SAMPLE, name, "--count", "400")
            self.assertEqual((status, error), (0, ""))
        self.assertEqual(read(self.path("first.pgn")), read(self.path("second.pgn")))
        self.assertEqual(len(games_of(self.path("first.pgn"))), 400)

    def test_order_of_games_does_not_matter(self):
        games = [text for text, _ in games_of(SAMPLE)]
        random.Random(1).shuffle(games)
        shuffled = self.write("shuffled.pgn", b"\n".join(games))
        _, one = self.select(SAMPLE, "one.pgn", "--count", "450")
        _, other = self.select(shuffled, "other.pgn", "--count", "450")
        self.assertEqual(read(one), read(other))

    def test_games_are_copied_verbatim(self):
        _, out = self.select(SAMPLE, "out.pgn", "--count", "100")
        whole = read(SAMPLE)
        for text, _ in games_of(out):
            self.assertIn(text, whole)

    def test_selecting_everything_reproduces_the_sample(self):
        (status, _, _), out = self.select(SAMPLE, "out.pgn", "--count", str(len(games_of(SAMPLE))))
        self.assertEqual(status, 0)
        self.assertEqual(read(out), read(SAMPLE))

    def test_order_of_tags_and_line_ends_do_no_harm(self):
        lines = SHORT_GAME.splitlines()
        tags = [line for line in lines if line.startswith(b"[")]
        odd = b"\r\n".join([b"\xef\xbb\xbf" + tags[-1]] + tags[-2::-1] + [b"", b"", lines[-2], b"", b"% stray line", b""])
        source = self.write("odd.pgn", odd.replace(b"% stray line", b"") + b"\r\n" + SHORT_GAME.replace(b"a6 4.Ba4", b"d6 4.d4"))
        (status, output, error), out = self.select(source, "out.pgn", "--count", "2")
        self.assertEqual((status, error), (0, ""), output)
        self.assertNotIn(b"\r", read(out))

    def test_without_eco_tag_the_first_moves_count(self):
        source = self.write("plain.pgn", SHORT_GAME.replace(b'[ECO "C20"]\n', b""))
        [(_, game)] = games_of(source)
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
        (status, output, _), out = self.select(source, "out.pgn", "--count", "1")
        self.assertEqual(status, 0)
        self.assertEqual(output.count("not usable: 1 "), len(bad), output)
        self.assertEqual(len(games_of(out)), 1)

    def test_en_passant_is_told_from_an_ordinary_capture(self):
        def features(movetext):
            return select_games.features_of(select_games.sans(movetext)[0])
        self.assertEqual(features(b"1.e4 a6 2.e5 d5 3.exd6 cxd6 *"), ("en passant",))
        self.assertEqual(features(b"1.e4 a6 2.e5 d6 3.exd6 cxd6 *"), ())
        self.assertEqual(features(b"1.a3 d5 2.a4 d4 3.e4 dxe3+ *"), ("en passant",))

    def test_bad_input_is_refused_in_one_line(self):
        self.assert_refused(self.select(self.path("absent.pgn"), "o")[0], "absent.pgn", "does not exist")
        self.assert_refused(self.select(self.folder, "o")[0], "not a regular file")
        self.assert_refused(self.select(self.write("empty.pgn", b""), "o")[0], "empty.pgn", "no PGN game")
        self.assert_refused(self.select(self.write("prose.pgn", b"no games\n" * 9), "o")[0], "no PGN game")
        self.assert_refused(self.select(self.write("long.pgn", b"no games\n" * 300000), "o")[0], "not a PGN file")
        self.assert_refused(self.select(self.write("bin.pgn", bytes(range(256)) * 99), "o")[0], "binary")
        self.assert_refused(self.select(self.write("odd.pgn", b'[Event "?"]\n\nnonsense\n'), "o")[0], "no usable game")
        self.assertFalse(os.path.exists(self.path("o")))

    def test_bad_options_are_refused_in_one_line(self):
        self.assert_refused(run(sys.executable, SELECT), "required")
        self.assert_refused(run(sys.executable, SELECT, SAMPLE), "--out")
        self.assert_refused(run(sys.executable, SELECT, SAMPLE, "--out", self.path("o"), "--wrong"), "--wrong")
        self.assert_refused(self.select(SAMPLE, "o", "--count", "0")[0], "--count")
        self.assert_refused(self.select(SAMPLE, "o", "--count", "many")[0], "many")
        self.assert_refused(self.select(SAMPLE, "o", "--count", "99999")[0], "fewer than --count")

    def test_bad_output_is_refused_in_one_line(self):
        self.write("file", b"")
        self.assert_refused(self.select(SAMPLE, "file/o.pgn")[0], "file")
        self.assert_refused(self.select(SAMPLE, "absent/o.pgn")[0], "absent")
        self.assert_refused(run(sys.executable, SELECT, SAMPLE, "--out", self.folder), "not a regular file")
        self.assert_refused(run(sys.executable, SELECT, SAMPLE, "--out", "/dev/full"), "not a regular file")

    def test_full_standard_output_is_refused_in_one_line(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([sys.executable, SELECT, "--describe", SAMPLE], stdout=full, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    @unittest.skipUnless(os.path.exists(FULL), "the full collection is not here; fetch_games.sh fetches it")
    @unittest.skipUnless(os.environ.get("SLIDEBENCH_SLOW_TESTS"), "takes half a minute; set SLIDEBENCH_SLOW_TESTS=1 to run it")
    def test_the_full_collection_reproduces_the_sample(self):
        (status, output, _), out = self.select(FULL, "out.pgn")
        self.assertEqual(status, 0)
        self.assertEqual(sha256(out), sha256(SAMPLE))
        left_out = sum(int(n) for n in re.findall(r"not usable: (\d+)", output))
        self.assertEqual(left_out + int(re.search(r"of (\d+) usable", output).group(1)), FULL_GAMES)


class FetchCase(Case):
    """What the tests of fetch_games.sh share: apt sources that are local folders."""

    def fetch(self, *arguments, environment=None):
        return run(FETCH, "--out", self.path("out.pgn"), "--cache", self.path("cache"), *arguments, environment=environment)

    def apt_sources(self, name, text):
        """An apt configuration folder with one file of sources; a local folder is its only archive."""
        self.write("etc/" + name, text.encode())
        return "--apt-etc=" + self.path("etc")

    def archive(self, tarball):
        """A local archive with one source package, described as an archive would."""
        repository = self.path("archive")
        os.makedirs(repository, exist_ok=True)
        os.symlink(tarball, os.path.join(repository, TARBALL))
        dsc = self.write("archive/gnuchess-book_1.02-9.dsc", b"Format: 1.0\n")
        entries = ["%s %d %s" % (sha256(path), os.path.getsize(path), os.path.basename(name))
                   for path, name in ((tarball, TARBALL), (dsc, dsc))]
        self.write("archive/Sources", ("Package: gnuchess-book\nBinary: gnuchess-book\nVersion: 1.02-9\nFormat: 1.0\n"
                                       "Directory: .\nChecksums-Sha256:\n %s\n\n" % "\n ".join(entries)).encode())
        return repository

    def assert_nothing_left(self):
        self.assertEqual([name for name in os.listdir(self.folder) if name == "out.pgn" or name.startswith(".fetch")], [])


@unittest.skipUnless(shutil.which("bash"), "bash is not installed")
class FetchTest(FetchCase):
    """fetch_games.sh."""

    def test_help_has_an_example(self):
        status, output, error = run(FETCH, "--help")
        self.assertEqual((status, error), (0, ""))
        self.assertIn("Example:", output)

    def test_names_no_host(self):
        self.assertNotRegex(read(FETCH).decode(), r"[a-z]+://|\b[a-z0-9-]+\.(org|com|net)\b")

    def test_bad_options(self):
        self.assert_refused(self.fetch("--wrong"), "--wrong", "--help")
        self.assert_refused(self.fetch("stray"), "stray")
        self.assert_refused(run(FETCH, "--out"), "--out")
        self.assert_refused(self.fetch("--apt-etc", self.path("absent")), "absent")

    def test_unwritable_output_is_found_before_anything_is_fetched(self):
        self.write("file", b"")
        self.assert_refused(run(FETCH, "--cache", self.path("cache"), "--out", self.path("file", "o.pgn")), "file")
        self.assert_refused(run(FETCH, "--cache", self.path("cache"), "--out", self.folder), "not a regular file")
        self.assert_refused(run(FETCH, "--cache", self.path("cache"), "--out", "/dev/full"), "not a regular file")
        self.assertFalse(os.path.exists(self.path("cache")))
        self.assert_refused(run(FETCH, "--out", self.path("o.pgn"), "--cache", self.path("file", "c")), "cache")

    def test_without_apt(self):
        tools = self.path("tools")
        os.mkdir(tools)
        for tool in ("bash", "basename", "dirname", "awk", "cat", "grep", "mkdir", "mktemp", "rm", "sha256sum", "tar", "gzip", "wc"):
            os.symlink(shutil.which(tool), os.path.join(tools, tool))
        environment = dict(os.environ, PATH=tools)
        done = subprocess.run([shutil.which("bash"), FETCH, "--out", self.path("out.pgn"), "--cache", self.path("cache")],
                              capture_output=True, env=environment, check=False)
        self.assert_refused((done.returncode, "", done.stderr.decode()), "apt-get not found")
        self.assert_nothing_left()


@unittest.skipUnless(shutil.which("apt-get"), "apt is not installed")
class FetchThroughAptTest(FetchCase):
    """The same through apt itself."""

    def test_no_sources(self):
        os.mkdir(self.path("etc"))
        self.assert_refused(self.fetch("--apt-etc", self.path("etc")), "no deb entry")
        self.assert_refused(self.fetch(self.apt_sources("sources.list", "# deb nothing\ndeb cdrom:[Disc]/ stable main\n")),
                            "no deb entry")
        self.assert_nothing_left()

    def test_archive_out_of_reach(self):
        self.assert_refused(self.fetch(self.apt_sources("sources.list", "deb file:%s stable main\n" % self.path("gone"))),
                            "cannot read the package archives")
        self.assert_nothing_left()

    def test_archive_without_the_package(self):
        self.write("archive/Sources", b"Package: other\nBinary: other\nVersion: 1.02-1\nFormat: 1.0\nDirectory: .\n\n")
        self.assert_refused(self.fetch(self.apt_sources("sources.list", "deb [trusted=yes] file:%s ./\n" % self.path("archive"))),
                            "no source package gnuchess-book 1.02")

    def test_wrong_tarball_from_one_line_sources(self):
        repository = self.archive(self.write("wrong", b"not the games"))
        sources = self.apt_sources("sources.list.d/local.list", "# local\ndeb [trusted=yes] file:%s ./\n" % repository)
        self.assert_refused(self.fetch(sources), "wrong sha256")
        self.assert_nothing_left()

    def test_wrong_tarball_from_deb822_sources(self):
        repository = self.archive(self.write("wrong", b"not the games"))
        sources = self.apt_sources("sources.list.d/local.sources",
                                   "# local\nTypes:\n deb\nURIs: file:%s\nSuites: ./\nTrusted: yes\n" % repository)
        self.assert_refused(self.fetch(sources), "wrong sha256")
        self.assertRegex(read(self.path("cache", "sources.list.d", "local.sources")).decode(), r"Types: deb-src\nURIs")

    def test_corrupt_download_is_thrown_away(self):
        kept = self.write("cache/download/" + TARBALL, b"")
        os.truncate(kept, TARBALL_BYTES)
        status, output, error = self.fetch(self.apt_sources("sources.list", "deb file:%s stable main\n" % self.path("gone")))
        self.assert_refused((status, output, error), "cannot read the package archives")
        self.assertIn("wrong sha256; fetching it again", output)
        self.assertFalse(os.path.exists(kept))

    @unittest.skipUnless(os.path.exists(CACHED_TARBALL), "the package is not here; fetch_games.sh fetches it")
    def test_good_tarball(self):
        sources = self.apt_sources("sources.list", "deb [trusted=yes] file:%s ./\n" % self.archive(CACHED_TARBALL))
        self.assertEqual(self.fetch(sources)[::2], (0, ""))
        status, output, _ = self.fetch(sources)
        self.assertEqual(status, 0)
        self.assertIn("nothing to do", output)
        with open(self.path("out.pgn"), "ab") as file:  # a changed file is replaced, from the kept download
            file.write(b"\n")
        status, output, _ = self.fetch("--apt-etc", self.path("absent"))
        self.assertEqual(status, 0)
        self.assertIn("using the download kept", output)


if __name__ == "__main__":
    unittest.main()
