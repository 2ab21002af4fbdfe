# SPDX-License-Identifier: MIT
"""What the pages promise of table sizes; and that update-readme tells a stale page from a fresh
one. What it writes is compared with the committed pages by the test python.readme.

The environment variable SLIDEBENCH names the program.
"""

import csv
import os
import re
import subprocess

import pandas as pd
import pytest

from slidebench import main
from studies import readme
from studies.readme import METHODS

PROGRAM = os.environ.get("SLIDEBENCH", "")


def slots(table):
    """The slots of a searched table, as its factor file says."""
    text = (METHODS / "magic" / f"{table}_factors.hpp").read_text()
    return int(re.search(rf"{table}_slots = ([\d']+);", text)[1].replace("'", ""))


# Bytes of sets, masks and records, worked out from the methods' descriptions, and the methods that have as many. Those
# that are not here are only compared with the page, by python.readme.
SIZES = [
    (0, "empty ray_walk dumb7fill dumb7fill_sse2 dumb7fill_avx2 kogge_stone kogge_stone_sse2 kogge_stone_avx2"),
    (0, "kogge_stone_avx512 opposite_rays"),
    # Rays and lines: 512 bytes for one mask of every square.
    (2 * 64 * 8, "switch_rays"),
    (2 * 512, "blsmsk_lzcnt"),
    (3 * 512 + 512, "hyperbola hyperbola_gfni slide_arithmetic"),
    (3 * 512 + 2_048, "hyperbola_rank256"),
    (6 * 512, "obstruction_difference_xor"),
    (8 * 512, "hyperbola_bitreverse ray_masks_avx2 ray_masks_avx512 sbamg"),
    (8 * 512 + 512, "exploding genetic_rays hyperbola_avx2 pext_line"),
    (8 * 512 + 512, "hyperbola_avx2_extract hyperbola_avx2_permute hyperbola_avx2_pextrq"),
    (8 * 512 + 1_024, "hyperbola_avx2_bextr hyperbola_pair"),
    (12 * 512, "obstruction_difference"),
    (16 * 512, "ray_major"),
    (18 * 512, "classical_rays"),
    (1_036 * 32 + 256 * 32, "binary_network"),
    # One line at a time: sets, then masks and records.
    (512 + 2 * 64 * 64 + 4 * 512, "kindergarten"),
    (4 * 64 * 512 + 4 * 512, "kindergarten_full pext_split"),
    (4 * 64 * 512 + 2 * 512, "kindergarten_split"),
    ((514 + 257 + 258) * 512 + 9 * 512, "congruent_modulo"),
    ((85 + 65 + 73) * 512 + 9 * 512, "congruent_modulo_dense"),
    (5_059 * 8 + 4 * 64 * 16, "fold_hash"),
    (2 * 64 * 4_096 * 8 + 2 * 512, "pre_school"),
    (64 * 256 * 8 * 8 + 2 * 512, "superset_sissy"),
    (64 * 4 * 3**7 * 8 + 2**7 * 2 + 4 * 512, "titboards"),
    (512 + 4_096 + 2 * 10_256 + 64 * 32, "pext_split_dense"),
    # Both lines at once: slots and records.
    ((64 * 4_096 + 64 * 512) * 8 + 128 * 16, "magic_plain magic_spectral"),
    ((64 * 4_096 + 64 * 512) * 8 + 1_344, "magic_correlation"),
    (107_648 * 8 + 128 * 32, "magic_fancy magic_split32"),
    (slots("overlapped") * 8 + 64 * 64, "magic_overlapped"),
    (slots("black") * 8 + 64 * 64, "magic_black"),
    (slots("fixed_shift") * 8 + 64 * 64, "magic_fixed_shift"),
    (107_648 + 6_328 * 8 + 128 * 32, "magic_byte_fancy"),
    (107_648 * 2 + 6_328 * 8 + 128 * 32, "magic_perfect"),
    ((65_536 + 1_792) * 8 + 128 * 32, "magic_shared"),
    (107_648 * 8 + 128 * 16, "pext"),
    (107_648 * 2 + 64 * 64, "pext_pdep"),
    (102_400 * 2 + 5_248 * 8 + 64 * 64, "pext_pdep_rook"),
    ((64 * 4_096 + 64 * 512) * 8 + 128 * 8, "pext_plain"),
]


def test_listed_methods_have_the_bytes_that_are_expected():
    command = [PROGRAM, "list", "--method", "all", "--format", "csv"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = {method["id"]: int(method["table_bytes"]) for method in csv.DictReader(listed.splitlines())}
    expected = {method: size for size, methods in SIZES for method in methods.split() if method in found}
    assert len(expected) > 20
    assert {method: found[method] for method in expected} == expected


def test_a_method_that_was_just_added_makes_no_page_stale(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(readme, "METHODS", tmp_path)
    for name in ("old", "new"):
        (tmp_path / f"{name}.hpp").touch()
    (tmp_path / "README.md").write_text("| [`old`](old.hpp) |")
    assert list(readme.without_new(pd.DataFrame({"id": ["old", "new"]}))["id"]) == ["old"]
    assert capsys.readouterr().err.startswith("new: not on the pages yet")


PART = "before\n<!-- a -->\n{}\n<!-- end a -->\nafter"


@pytest.fixture
def update(tmp_path, monkeypatch):
    """Runs the command on one page with one part, `a`: (exit status, the page afterwards)."""
    page = tmp_path / "README.md"
    monkeypatch.setattr(readme, "PAGES", [page])
    monkeypatch.setattr(readme, "parts_of", lambda *_: {"a": r"new \1"})
    monkeypatch.setattr(readme, "data_files", lambda _: {})

    def run(text, *options):
        page.write_text(text)
        return main(["update-readme", "program", *options]), page.read_text()

    return run


def test_a_stale_page_is_written_or_named(update, capsys):
    assert update(PART.format("old")) == (0, PART.format(r"new \1"))
    assert update(PART.format(r"new \1"), "--check") == (0, PART.format(r"new \1"))
    assert update(PART.format("old"), "--check") == (2, PART.format("old"))
    assert "README.md: stale" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["<!-- b -->\n<!-- end b -->\n", "<!-- a -->\n", "no part"])
def test_a_page_whose_parts_are_not_known_is_refused(update, capsys, text):
    assert update(text) == (2, text)
    assert capsys.readouterr().err.count("\n") == 1


def test_the_advice_for_every_cpu_is_what_all_kept_machines_have():
    """The intersection over the folders of reports/machines, computed from their files alone."""
    folders = sorted((METHODS.parent / "reports" / "machines").glob("*/summary.csv.gz"))
    assert len(folders) >= 2
    part = re.search(r"<!-- everywhere -->\n(.*?)<!-- end", (METHODS.parent / "README.md").read_text(), re.DOTALL)[1]
    said = dict(re.findall(r"^\| ([^|]+) \| ([^|]+) \|", part, re.MULTILINE))
    for title, cell in readme.EVERYWHERE.items():
        found = []
        for path in folders:
            rows = pd.read_csv(path)
            place = [rows["workload"] == cell.workload, rows["trace"] == cell.trace, rows["pressure"] == cell.pressure]
            here = rows[place[0] & place[1] & place[2] & (rows["role"] == "method")]
            found += [set(here[(here["verdict"] == "faster") & (here["ratio"] < 1)]["contender"])] if len(here) else []
        wanted = set.intersection(*found) if len(found) > 1 else set()
        assert set(re.findall(r"`(\w+)`", said[title])) == wanted, title
        assert wanted or said[title].startswith(("none of ", "measured on one CPU")), title
