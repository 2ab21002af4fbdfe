# SPDX-License-Identifier: MIT
"""How pages and messages are written: short sentences, no private words, links that lead somewhere, pages that a page links to, and
budgets of pages, words and committed results."""

import re
import statistics
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMITTED = subprocess.run(["git", "-C", ROOT, "ls-files"], capture_output=True, text=True, check=True).stdout.split("\n")
FILES = [name for name in COMMITTED if (ROOT / name).is_file()]
# Content of the atlas's site, and no pages of the repository.
SITE = re.compile(r"extras/web/.*(lecture|relatives|users)\.md$")
PAGES = {name: (ROOT / name).read_text() for name in FILES if name.endswith(".md") and not SITE.match(name)}
LONGEST, MEDIAN, MOST_PAGES, MOST_WORDS = 35, 16, 18, 26_000
PRIVATE = ("surely", "(told|tells?) apart", "not ruled out", "(would not|shows?) (show|from)", "sittings?", "takes? home", "the house",
           "rooms", "beside", "withheld", "no difference shown")  # fmt: skip
PRIVATE = re.compile(rf"(?<!-)\b({'|'.join(PRIVATE)})\b", re.IGNORECASE)


def prose(text):
    """A page without code, tables, comments and addresses; a line each for what stands alone."""
    text = re.sub(r"```.*?```|<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(r"`[^`]*`", "CODE", re.sub(r"^(    |\|).*$", "", text, flags=re.MULTILINE))
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"(?<=\S)\n(?=[ \t]*(?![-*#\s]|\d+\.)\S)[ \t]*", " ", text)


def sentences(text):
    """The lengths of a page's sentences in words; what has less than three words is none."""
    lines = [line.strip().lstrip("-*# ") for line in prose(text).split("\n")]
    split = [sentence for line in lines for sentence in re.split(r"(?<=[.!?])\**\s+(?=[A-Z\"*(`])", line)]
    return {sentence: words for sentence in split if (words := len(re.findall(r"\S*\w\S*", sentence))) >= 3}


def faults(text):
    """What is wrong with a page's words."""
    found = sentences(text)
    long = [f"{words} words: {sentence}" for sentence, words in found.items() if words > LONGEST]
    middle = statistics.median(found.values())
    return long + [match[0] for match in PRIVATE.finditer(prose(text))] + [f"median {middle}"] * (middle > MEDIAN)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_is_written_plainly(page):
    assert faults(PAGES[page]) == []


def test_a_sentence_that_is_long_or_private_is_found():
    assert faults("# A page\n\nIt is " + "very " * 34 + "long. It is not.") and faults("It surely is one of them.")
    assert faults("A page of [two words](surely.md) `sittings`\nand a number, as 0.5 or 1. It is short.\n\n| surely |") == []


def targets(page):
    """The links of a page that lead to files: (path, anchor)."""
    found = re.findall(r"\]\((?!\w+:)([^)#\s]*)#?([^)\s]*)\)", re.sub(r"```.*?```", "", PAGES[page], flags=re.DOTALL))
    return [((ROOT / page).parent / path if path else ROOT / page, anchor) for path, anchor in found]


def anchors(path):
    """Those of a page's headings, as GitHub makes them."""
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in re.findall(r"^#+ (.*)$", path.read_text(), re.MULTILINE)}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_somewhere(page):
    assert [str(path) for path, anchor in targets(page) if not path.exists() or (anchor and anchor not in anchors(path))] == []


def test_a_page_links_to_every_page():
    linked = {path.resolve() for page in PAGES for path, _ in targets(page) if path.resolve() != (ROOT / page)}
    assert [page for page in PAGES if page != "README.md" and not {ROOT / page, (ROOT / page).parent} & linked] == []


FINDINGS = re.findall(r"^## \d+\. .*?(?=^## )", PAGES["reports/README.md"], re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("finding", FINDINGS, ids=[finding.split("\n")[0] for finding in FINDINGS])
def test_a_finding_says_where_its_figures_come_from(finding):
    """A command, the file and rows of the data, or the page that has the proof."""
    assert re.search(r"^- (Command|Data): .*`.*/|^- (Data: )?\[`[\w/]+", finding, re.MULTILINE)


def test_pages_and_words_keep_their_budgets():
    matrix = re.findall(r"^\|.*$", PAGES["reports/machines/README.md"], re.MULTILINE)  # grows with each machine that is sent
    assert len(PAGES) <= MOST_PAGES and sum(len(text.split()) for text in PAGES.values()) - len(" ".join(matrix).split()) <= MOST_WORDS


def test_what_is_committed_of_reports_stays_light():
    sizes = [(ROOT / name).stat().st_size for name in FILES if name.startswith("reports/")]
    assert sum(sizes) <= 2_000_000, "drop what a command makes again"


CODE = re.compile(r"^(?!.*(/tests?[/_]|_test\.))(harness|scripts|extras)/.*\.(cpp|hpp|py|sh|j2|js|mjs)$")
CODE = [name for name in FILES if CODE.search(name)]


@pytest.mark.parametrize("name", CODE)
def test_a_message_has_no_private_word(name):
    """Of a line's strings those that are sentences, of a template all, without what is put into them."""
    text = re.sub(r'""".*?"""|\{[{%#].*?[}%#]\}', "", (ROOT / name).read_text(), flags=re.DOTALL)
    lines = text.split("\n")
    strings = lines if name.endswith(".j2") else [string for line in lines for string in re.findall(r'"((?:[^"\\]|\\.)*)"', line)]
    assert [string for string in strings if " " in string and PRIVATE.search(re.sub(r"\{[^}]*\}", "", string))] == []
