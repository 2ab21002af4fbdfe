# SPDX-License-Identifier: MIT
"""Tests of update_readme.py, and of what the pages promise: links, test names, table sizes.

The environment variable SLIDEBENCH names the program.
"""

import contextlib
import io
import math
import os
import re
import stat
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path
from typing import NamedTuple

import update_readme

from report.errors import ReportError

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = [ROOT / "README.md", ROOT / "methods" / "README.md"]
PROGRAM = os.environ.get("SLIDEBENCH", "")


class Size(NamedTuple):
    """Table bytes of a method: as known from its description, and here if our header differs for a reason."""

    described: int
    here: int | None = None
    reason: str = ""


def slots(table):
    """The slots of a searched table, as its factor file says."""
    text = (ROOT / "methods" / "magic" / f"{table}_factors.hpp").read_text()
    return int(re.search(rf"{table}_slots = ([\d']+);", text)[1].replace("'", ""))


# Sets, masks and records in bytes, worked out from each method's description. Methods that are not listed are not
# checked, so that a new method needs no line here; methods that this machine does not build are skipped.
SIZES = {
    # No tables at all.
    **{method: Size(0) for method in (
        "empty", "ray_walk", "dumb7fill", "dumb7fill_sse2", "dumb7fill_avx2", "kogge_stone", "kogge_stone_sse2",
        "kogge_stone_avx2", "kogge_stone_avx512", "subtraction_fill", "opposite_rays", "batch8")},
    "switch_rays": Size(0, 2 * 64 * 8, "the addresses of the routines"),
    # Rays and lines: 512 bytes for one mask of every square.
    "classical_rays": Size(8 * 512, 18 * 512, "the rays with the sentinel, in both orders, and the empty-board sets"),
    "classical_rays_lzcnt": Size(2 * 64 * 65 + 512, 9_280, "the empty-board sets of both pieces, not the queen's"),
    "blockers_and_beyond": Size(2 * 6 * 512 + 64 * 512, 34_816, "sliders only, and a queen's records are unions"),
    "hyperbola": Size(3 * 512 + 512),
    "hyperbola_rank256": Size(3 * 512 + 2048),
    "hyperbola_bitreverse": Size(4 * 512, 8 * 512, "the masks of the reversed board too: a reversal a query saved"),
    "hyperbola_avx2": Size(64 * 64 + 512),
    "hyperbola_gfni": Size(64 * 32),
    "obstruction_difference": Size(12 * 512),
    "obstruction_difference_xor": Size(6 * 512),
    "blsmsk_lzcnt": Size(2 * 512),
    "slide_arithmetic": Size(4 * 512),
    "sbamg": Size(9 * 512, 8 * 512, "the squares below the slider are computed"),
    "exploding": Size(4 * 512 + 8 * 128 * 4, 64 * 64 + 512, "one record a square, without tables of exceptions"),
    "genetic_rays": Size(8 * 512, 8 * 512 + 512, "six rays padded to a cache line, and the first-rank table"),
    # One line at a time.
    "rotated_hyatt": Size(4 * 64 * 64 * 8, 27_168, "short diagonals have short arrays; ranks and files take the "
                                                   "first-rank table"),
    "rotated_heinz": Size(2 * 64 * 64 * 8 + 2 * 1_282 * 8, 89_632, "with the records, and the masks that toggle the boards"),
    "kindergarten": Size(512 + 8 * 64 * 8 + 8 * 64 * 8 + 2 * 512, 10_752, "the address of the row in each record"),
    "kindergarten_full": Size(4 * 64 * 64 * 8 + 4 * 512),
    "kindergarten_split": Size(4 * 64 * 64 * 8 + 2_304, 132_096, "two masks a square; the shifts are computed"),
    "congruent_modulo": Size((514 + 257 + 258) * 64 * 8 + 512, 531_456, "with the records"),
    "congruent_modulo_dense": Size((85 + 65 + 73) * 64 * 8 + 512, 118_784, "with the records"),
    "fold_hash": Size(5_956 * 8 + 4 * 64 * 16, 5_059 * 8 + 4 * 64 * 16, "our own search"),
    "pre_school": Size(2 * 64 * 4_096 * 8 + 2 * 512),
    "superset_sissy": Size(64 * 256 * 8 * 8, 1_049_600, "with the lines that cut bishop and rook out"),
    "product_hash": Size(70 * 70 * 8 + 512 + 1_024, 56_850, "with the bishops"),
    # Magic: slots and records.
    "magic_plain": Size((64 * 4_096 + 64 * 512) * 8 + 128 * 16),
    "magic_fancy": Size(107_648 * 8 + 128 * 32),
    "magic_overlapped": Size(88_772 * 8 + 128 * 24, slots("overlapped") * 8 + 64 * 64, "our own search; 64 bytes a square"),
    "magic_black": Size(87_988 * 8 + 128 * 24, slots("black") * 8 + 64 * 64, "our own search; 64 bytes a square"),
    "magic_fixed_shift": Size(0, slots("fixed_shift") * 8 + 64 * 64, "our own search; 64 bytes a square"),
    "magic_byte_fancy": Size(107_648 + 6_328 * 8 + 128 * 32),
    "magic_perfect": Size(107_648 * 2 + 6_328 * 8 + 128 * 32),
    "magic_split32": Size(107_648 * 8 + 128 * 32),
    "magic_shared": Size((65_536 + 1_792) * 8 + 128 * 40, 542_720, "records of 32 bytes"),
    "magic_correlation": Size((64 * 4_096 + 64 * 512) * 8 + 1_344),
    "magic_spectral": Size(2_198_184, 2_361_344, "plain arrays instead of interleaved ones, and six shifts instead of three"),
    # PEXT.
    "pext": Size(107_648 * 8 + 128 * 16),
    "pext_pdep": Size(107_648 * 2 + 64 * 48, 219_392, "records padded to 64 bytes a square"),
    "pext_split": Size(4 * 64 * 64 * 8 + 3 * 512 + 256, 133_120, "masks padded to 32 bytes a square"),
    "pext_split_dense": Size(512 + 4_096 + 2 * 10_256 + 64 * 32),
    "pext_line": Size(512 + 64 * 64),
    "hypercube": Size(107_648 * 8, 865_970, "with the starts, and the table that keeps the indices"),
    # Vector registers.
    "ray_masks_avx2": Size(64 * 64),
    "ray_masks_avx512": Size(64 * 64),
    "ray_major": Size(2 * 64 * 64 + 2 * 512, 2 * 64 * 64, "pieces are cut out by rays, without masks of their lines"),
    "binary_network": Size(46_816 + 3_072, 1_036 * 32 + 256 * 32, "one line at a time, and none for neighbours"),
}


class Pages(unittest.TestCase):
    """The pages as they are."""

    def test_every_relative_link_leads_somewhere(self):
        for page in PAGES:
            for target in re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", page.read_text()):
                self.assertTrue((page.parent / target).exists(), f"{page}: {target}")

    def test_every_test_that_is_named_exists(self):
        tests = "".join(file.read_text() for file in (ROOT / "methods").glob("*_test.cpp"))
        names = set(re.findall(r"`((?:SourceTables|GroupMagic)\w*(?:\.\w+)?)`", PAGES[1].read_text()))
        self.assertGreater(len(names), 10)
        for name in names:
            suite, _, test = name.partition(".")
            self.assertRegex(tests, rf"TEST(_F|_P)?\({suite}, {test}")

    def test_every_part_of_the_pages_is_written_by_the_script(self):
        for page in PAGES:
            starts = re.findall(r"<!-- (\w+) -->", page.read_text())
            self.assertEqual(starts, re.findall(r"<!-- end (\w+) -->", page.read_text()))


class TableSizes(unittest.TestCase):
    """The bytes that `slidebench list` reports."""

    def test_listed_methods_have_the_bytes_that_are_expected(self):
        for method in update_readme.listed_methods(PROGRAM):
            expected = SIZES.get(method["id"])
            if expected is not None:
                with self.subTest(method["id"]):
                    size = expected.described if expected.here is None else expected.here
                    self.assertEqual(int(method["table_bytes"]), size)

    def test_differences_have_a_reason(self):
        for method, size in SIZES.items():
            self.assertEqual(size.here is not None, bool(size.reason), method)


class Parts(unittest.TestCase):
    """The functions that make the parts."""

    def row(self, **changes):
        return {"id": "magic_fancy", "title": "Fancy | magic", "family": "magic", "group": "core", "inventor": "L. Hansen, P. Kannan",
                "year": "2006", "isa": "", "status": "ready", "table_bytes": "865280", "reference": "a paper", **changes}

    def test_readable_bytes(self):
        self.assertEqual([update_readme.readable_bytes(n) for n in (0, 512, 4096, 9728, 865_280, 2_361_344)],
                         ["0", "512", "4 KiB", "9.5 KiB", "845 KiB", "2.25 MiB"])

    def test_references(self):
        link = update_readme.reference_link
        folder = ROOT / "methods"
        self.assertEqual(link("R. Hyatt, ICCA Journal | 1999", folder), "R. Hyatt, ICCA Journal \\| 1999")
        self.assertEqual(link("https://www.chessprogramming.org/Magic_Bitboards", folder),
                         "[wiki: Magic Bitboards](https://www.chessprogramming.org/Magic_Bitboards)")
        self.assertEqual(link("https://example.org/a/b/", folder), "[example.org/a/b](https://example.org/a/b/)")
        self.assertEqual(link("methods/reference.hpp", folder), "[methods/reference.hpp](reference.hpp)")

    def test_methods_table_links_headers_and_prints_bytes(self):
        table = update_readme.methods_table([self.row(), self.row(id="pext", isa="bmi2", table_bytes="0")],
                                            ROOT / "methods").splitlines()
        self.assertIn("| [`magic_fancy`](magic/magic_fancy.hpp) | Fancy \\| magic | magic |", table[2])
        self.assertIn("| - | 865,280 | 845 KiB | a paper |", table[2])
        self.assertIn("| bmi2 | 0 |  | a paper |", table[3])
        columns = {len(re.findall(r"(?<!\\)\|", line)) for line in table}
        self.assertEqual(len(columns), 1)

    def test_families_keep_their_methods_together(self):
        rows = [self.row(), self.row(id="pext", family="pext"), self.row(id="magic_plain"),
                self.row(id="empty", family="someone's own"), self.row(id="magic_dense", group="extra"),
                self.row(id="magic_black", family="extras", group="extra")]
        table = update_readme.families_table(rows, ROOT).splitlines()[2:]
        self.assertEqual(len(table), 4)
        self.assertTrue(table[0].endswith("; extra: [`magic_dense`](methods/magic/magic_dense.hpp) |"))
        self.assertTrue(table[3].endswith("|  | extra: [`magic_black`](methods/magic/magic_black.hpp) |"))
        self.assertIn("(methods/magic/magic_fancy.hpp), [`magic_plain`](methods/magic/magic_plain.hpp)", table[0])
        self.assertTrue(table[2].startswith("| someone's own |  | [`empty`]"))

    def test_numbers_have_the_intervals_that_there_are(self):
        row = {"ns_per_query": 1.234, "ns_low": 1.1, "ns_high": 1.4, "ratio": math.nan}
        self.assertEqual(update_readme.figure_cell(row), "(1.23 [1.10, 1.40])")
        text = {"lines": "7.6", "lines_low": "", "lines_high": "9"}
        self.assertEqual(update_readme.with_interval(text, "lines", "lines", 0), "8")
        row |= {"ratio": 0.9, "ratio_low": 0.85, "ratio_high": 0.95, "net_ns_per_query": -0.1}
        row |= {"net_low": math.nan, "net_high": math.nan}
        self.assertEqual(update_readme.figure_cell(row), "-0.10 · 0.90 [0.85, 0.95]")
        self.assertEqual(update_readme.figure_cell(None), "")

    def test_a_method_without_a_header_is_an_error(self):
        with self.assertRaises(ReportError):
            update_readme.header_of("no_such_method")

    def test_source_blocks_get_links_and_bytes(self):
        with tempfile.TemporaryDirectory() as folder:
            program = Path(folder) / "program"
            program.write_text("#!/bin/sh\nprintf '<!-- a -->\\nx {magic_fancy} y {not_built}\\n<!-- end a -->\\n'"
                               "\nprintf '<!-- b -->\\n1\\n\\n2\\n<!-- end b -->\\n'\n")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
            blocks = update_readme.source_blocks(str(program), [self.row()], ROOT / "methods")
        self.assertEqual(blocks, {"a": "x [`magic_fancy`](magic/magic_fancy.hpp) 865,280 y -", "b": "1\n\n2"})

    def test_a_part_must_stand_once_in_its_page(self):
        page = "before\n<!-- a -->\nold\n<!-- end a -->\nafter"
        self.assertEqual(update_readme.replace_block(page, "a", r"new \1"),
                         "before\n<!-- a -->\nnew \\1\n<!-- end a -->\nafter")
        for text, name in ((page, "b"), (page + page, "a")):
            with self.assertRaises(ReportError):
                update_readme.replace_block(text, name, "new")


class Command(unittest.TestCase):
    """--check tells a stale page from a fresh one; without it the page is written."""

    def run_main(self, page, *arguments):
        blocks = {page: {"a": "new"}}
        with unittest.mock.patch.object(sys, "argv", ["update_readme.py", "one", "two", *arguments]), \
                unittest.mock.patch.object(update_readme, "blocks_of_pages", lambda *_: blocks), \
                unittest.mock.patch.object(update_readme, "ROOT", page.parent):
            try:
                update_readme.main()
            except SystemExit as error:
                return str(error)
        return ""

    def test_check_and_write(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder) / "README.md"
            page.write_text("<!-- a -->\nold\n<!-- end a -->\n")
            self.assertIn("README.md: stale", self.run_main(page, "--check"))
            self.assertIn("old", page.read_text())
            self.assertEqual(self.run_main(page), "")
            self.assertEqual(page.read_text(), "<!-- a -->\nnew\n<!-- end a -->\n")
            self.assertEqual(self.run_main(page, "--check"), "")
            page.write_text("no part")
            self.assertIn("has not one part a", self.run_main(page, "--check"))

    def test_too_few_arguments_show_the_usage(self):
        with unittest.mock.patch.object(sys, "argv", ["update_readme.py", "one"]), \
                contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as caught:
            update_readme.main()
        self.assertIn("Usage", str(caught.exception))
