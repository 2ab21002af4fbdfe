# SPDX-License-Identifier: MIT
"""The atlas as a folder of static files: the pages, and one style sheet, script and data file for all of them."""

import base64
import gzip
import json
import re

from markupsafe import Markup

from pages.described import described
from pages.kernels import kernel_of, kernels
from pages.module import POSITIONS, QUERIES
from pages.prose import changed_by, lecture, relatives, users, with_code
from pages.sources import ATLAS, ROOT, families, header_of, opening_comment, read
from report.analysis.glossary import LINES
from report.data.cells import NETWORKS
from report.data.words import human_bytes
from report.errors import ReportError
from report.figures.style import VERDICT_WORDS
from report.page.html import part, render_page

MOST_BYTES = 3_000_000
SCRIPTS = """atlas.mjs site/squares.mjs site/address.mjs site/elements.mjs site/board.mjs site/desk.mjs site/lines.mjs
    site/strip.mjs site/reads.mjs site/drawings.mjs site/steps.mjs site/sharing.mjs site/opening.mjs site/query_page.mjs
    site/method_page.mjs site/compare_page.mjs site/lecture_page.mjs site/index_page.mjs site/start.mjs""".split()
# The first year of each column of the map.
PERIODS = (None, 2000, 2006, 2008, 2012, 2020)
# The instructions that the levels of the x86-64 psABI have, of those that methods ask for.
LEVELS = {"any x86-64 (v1)": "", "x86-64-v2": "ssse3 popcnt", "x86-64-v3 (AVX2, BMI2)": "ssse3 popcnt lzcnt bmi1 bmi2 avx2 fma"}
LEVELS["x86-64-v4 (AVX-512)"] = f"{LEVELS['x86-64-v3 (AVX2, BMI2)']} avx512f avx512bw avx512dq avx512vl avx512cd"


def joined():
    """The scripts of all pages as one: a page of a disk may load no modules."""
    text = "\n".join(read(ATLAS / name) for name in SCRIPTS)
    return part("base.js") + re.sub(r"^export (?=const|class|function|async function)", "", text, flags=re.M)


def packed(text):
    """Text or bytes as they travel in a page: gzip, in base64; the same give the same."""
    data = text.encode() if isinstance(text, str) else text
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def as_json(value):
    """JSON as it can stand in an element of a page."""
    return Markup(json.dumps(value, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c"))


LANGUAGES = {"c": "C11 and C++17", "rust": "Rust"}


def code_to_copy(method):
    """dict language -> text of a method's files in headers/; empty where it has none."""
    paths = {"c": ROOT / "headers" / f"{method}.h", "rust": ROOT / "headers" / "rust" / f"{method}.rs"}
    return {language: path.read_text(encoding="utf-8") for language, path in paths.items() if path.is_file()}


class Site:
    """The files of the site, made of what was read.

    Attributes:
        methods: of `catalogue`, without the module's own numbers; standings: of `standings`.
    """

    def __init__(self, methods, standings):
        self.methods = sorted(methods, key=lambda method: method["id"])
        self.ids = {method["id"] for method in methods}
        self.standings, self.kernels = standings, kernels()
        self.users, self.relatives = users(), relatives()
        self.changed_by = changed_by(self.relatives)
        for method in self.methods:
            method["bytes"] = sum(table["bytes"] for table in method["tables"])
            method["size"] = human_bytes(method["bytes"])

    def files(self, module, places, known):
        """All files: dict name -> bytes. `module` is the module, bytes; `places` of places.json; `known` are the ids to start
        with. ReportError: together they are larger than a site may be."""
        data = f'const atlasData = {{"module": "{packed(module)}", "described": "{packed(as_json(described(places)))}"}};\n'
        found = {"data.js": data, "atlas.js": joined(), "atlas.css": part("page.css") + read(ATLAS / "site" / "site.css")}
        found |= {"index.html": self.index(known), "compare.html": self.compare(), "glossary.html": self.glossary()}
        found["lecture.html"] = self.lecture()
        found |= {f"methods/{method['id']}.html": self.page(method) for method in self.methods}
        files = {name: text.encode() for name, text in found.items()}
        size = sum(map(len, files.values()))
        if size > MOST_BYTES:
            raise ReportError(f"the site has {size} bytes, more than {MOST_BYTES}; build the module with fewer methods")
        return files

    def index(self, known):
        """The map, what to start with, and the table of all methods."""
        return render_page(
            "atlas/index.html.j2", title="Atlas of sliding attacks", root="", page="index", methods=self.methods,
            known=[name for name in known if name in self.ids], stations=len(lecture(self.ids)[1]), periods=period_names(),
            map=self.map(), levels=list(LEVELS.items()), queries=QUERIES, verdict_words=VERDICT_WORDS,
            situations=[f"{entry['cell']}, {entry['machine']}" for entry in self.standings], standings=as_json(self.standings),
        )  # fmt: skip

    def map(self):
        """The map of families by year: list of (family, idea, list of the methods of each period)."""
        return [
            (family, with_code(idea), [[m for m in self.methods if m["family"] == family and period_of(m["year"]) == i]
                                       for i in range(len(PERIODS))])
            for family, idea in families().items()
        ]  # fmt: skip

    def compare(self):
        """Methods side by side."""
        return render_page("atlas/compare.html.j2", title="Compare methods", root="", page="compare")

    def glossary(self):
        """The words of the measurements."""
        return render_page("atlas/glossary.html.j2", title="Glossary", root="", page="glossary", glossary=list(LINES.items()))

    def lecture(self):
        """The stations."""
        lead, stations = lecture(self.ids)
        return render_page("atlas/lecture.html.j2", title="Ten stations" if len(stations) == 10 else "Lecture", root="",
                           page="lecture", lead=lead, stations=stations)  # fmt: skip

    def page(self, method):
        """The page of a method."""
        header, text = header_of(method["id"], method["family"])
        comment = opening_comment(text)
        texts = code_to_copy(method["id"])
        kernel = kernel_of(self.kernels, method["id"])
        code = texts | ({"kernel": kernel["disassembly"]} if kernel else {})
        return render_page(
            "atlas/method.html.j2", title=method["title"], root="../", page="method", method=method, ids=self.ids,
            lead=comment[0][1], comment=comment, raw=Markup.escape, header=header, bytes=_size(method),
            users=self.users.get(method["id"], []), relatives=self.relatives.get(method["id"], []),
            changed_by=self.changed_by.get(method["id"], []), queries=QUERIES, positions=len(read(POSITIONS).splitlines()),
            kernel=kernel, standings=self.places_of(method["id"]), verdict_words=VERDICT_WORDS,
            to_copy=[(language, LANGUAGES[language], text.count("\n")) for language, text in texts.items()],
            pressures=as_json(pressures()), packed_code=packed(as_json(code)),
        )  # fmt: skip

    def places_of(self, method):
        """A method's rows of the table of machines."""
        having = [(entry, entry["places"][method]) for entry in self.standings if method in entry["places"]]
        return [(entry["machine"], entry["cell"], f"{at['place']} of {at['of']}", at["text"]) for entry, at in having]


def _size(method):
    size, exact = method["size"], f"{method['bytes']:,} bytes"
    return "none" if method["bytes"] == 0 else exact if method["bytes"] < 1024 else f"{size} ({exact})"


def period_of(year):
    """The column of the map that a year belongs to."""
    return sum(first is not None and year >= first for first in PERIODS)


def period_names():
    """The columns of the map."""
    ends = [*(first - 1 for first in PERIODS[1:]), None]
    names = [f"until {ends[0]}"] + [f"{first} to {last}" for first, last in zip(PERIODS[1:], ends[1:])]
    return [*names[:-1], f"since {PERIODS[-1]}"]


def pressures():
    """What may touch lines between two queries: list of [lines, words], nothing first."""
    return [[0, "nothing"], *([lines, f"an engine with a {name}: {lines:,} lines"] for name, lines in NETWORKS.items())]


def parts_of(files):
    """Bytes of a site by kind: dict kind -> bytes."""
    kinds = {"pages of methods": "methods/", "other pages": ".html", "data.js": "data.js", "atlas.js": "atlas.js"}
    found = dict.fromkeys([*kinds, "atlas.css"], 0)
    for name, data in files.items():
        kind = next((kind for kind, mark in kinds.items() if mark in name), "atlas.css")
        found[kind] += len(data)
    return found


