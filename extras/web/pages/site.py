# SPDX-License-Identifier: MIT
"""The site as a folder of static files: its pages, and one style sheet, script and data file for all of them."""

import posixpath
import re

from markupsafe import Markup

from pages import machines as measured
from pages.markdown import page as markdown_page
from pages.measure import as_json, joined, measure_script, packed
from pages.module import POSITIONS, QUERIES
from pages.prose import changed_by, lecture, relatives, users
from pages.sources import ROOT, WEB, header_of, opening_comment, read
from pages.steps import described
from report.analysis.glossary import LINES
from report.data.words import human_bytes
from report.errors import ReportError
from report.figures.style import VERDICT_WORDS
from report.page.html import part, render_page

MOST_BYTES = 5_000_000
SCRIPTS = ("module", "atlas", "squares", "elements", "board", "reads", "steps", "factors", "ranking", "measure", "pages")
# The instructions that the levels of the x86-64 psABI have, of those that methods ask for.
LEVELS = {"any x86-64 (v1)": "", "x86-64-v2": "ssse3 popcnt", "x86-64-v3 (AVX2, BMI2)": "ssse3 popcnt lzcnt bmi1 bmi2 avx2 fma"}
LEVELS["x86-64-v4 (AVX-512)"] = f"{LEVELS['x86-64-v3 (AVX2, BMI2)']} avx512f avx512bw avx512dq avx512vl avx512cd"
# Pages of the repository that are pages of the site: path -> (file, what the navigation calls it).
DOCUMENTS = {
    "reports/README.md": "findings.html",
    "reports/plain_vs_fancy/README.md": "plain_vs_fancy.html",
    "reports/machines/README.md": "matrix.html",
    "reports/methodology.md": "methodology.html",
}
# The navigation: (file, words).
NAVIGATION = (
    ("index.html", "Results"), ("findings.html", "Findings"), ("plain_vs_fancy.html", "Plain or fancy"), ("matrix.html", "Matrix"),
    ("methods.html", "Methods"), ("compare.html", "Compare"), ("lecture.html", "Lecture"), ("headers.html", "Headers"),
    ("measure.html", "Measure here"), ("glossary.html", "Glossary"),
)  # fmt: skip


class Site:
    """The files of the site, made of what was read.

    Attributes:
        methods: of `catalogue`, without the module's own numbers; machines: list of Machine; known: ids to start with.
        copied: files of the repository that the pages show or offer, dict name in the site -> bytes.
    """

    def __init__(self, methods, machines, known):
        self.methods = sorted(methods, key=lambda method: method["id"])
        self.ids = {method["id"] for method in methods}
        self.known = [name for name in known if name in self.ids]
        self.machines, self.standings = machines, measured.standings(machines)
        self.users, self.relatives = users(), relatives()
        self.changed_by = changed_by(self.relatives)
        self.copied = {f"headers/{path.name}": path.read_bytes() for path in headers()}
        for method in self.methods:
            method["bytes"] = sum(table["bytes"] for table in method["tables"])
            method["size"] = human_bytes(method["bytes"])

    def files(self, module, places, wasm, trace):
        """All files: dict name -> bytes. `module` is the atlas's module, `wasm` that which measures, bytes; `places` of
        places.json. ReportError: together they are larger than a site may be."""
        names = as_json([[method["id"], method["title"]] for method in self.methods])
        scripts = part("base.js") + part("run_shapes.js") + part("run_words.js") + joined(SCRIPTS)
        found = {
            "data.js": f'const atlasData = {{"module": "{packed(module)}", "described": "{packed(as_json(described(places)))}"}};\n',
            "measure.js": measure_script(wasm, trace, self.machines),
            "site.js": f"const METHOD_NAMES = {names};\n{scripts}",
            "site.css": part("page.css") + read(WEB / "site.css"),
            "index.html": self.index(), "methods.html": self.all_methods(), "lecture.html": self.lecture(),
            "headers.html": self.headers(), "compare.html": self.page("compare", "Compare methods"),
            "measure.html": self.page("measure", "Measure in this browser", verdict_words=VERDICT_WORDS),
            "glossary.html": self.page("glossary", "Glossary", glossary=list(LINES.items())),
        }  # fmt: skip
        found |= {file: self.document(path, file) for path, file in DOCUMENTS.items()}
        found |= {f"methods/{method['id']}.html": self.method(method) for method in self.methods}
        found |= {f"machines/{machine.name}.html": self.machine(machine) for machine in self.machines}
        files = {name: text.encode() for name, text in found.items()} | self.copied
        size = sum(map(len, files.values()))
        if size > MOST_BYTES:
            raise ReportError(f"the site has {size} bytes, more than {MOST_BYTES}; take methods out of methods/CMakeLists.txt")
        return files

    def page(self, kind, title, file=None, **context):
        """A page of a kind, which is the name of its template; `file` is its own name in the site."""
        file = file or f"{kind}.html"
        return render_page(f"site/{kind}.html.j2", title=title, root="../" * file.count("/"), file=file, page=kind,
                           navigation=NAVIGATION, **context)  # fmt: skip

    def index(self):
        """What was found, a row a situation, a column a machine."""
        cells = measured.cells_of(self.machines)
        rows = [(measured.situation(cell), [machine.verdict(cell) for machine in self.machines]) for cell in cells]
        return self.page("index", "How should a chess engine generate sliding attacks?", machines=self.machines, rows=rows,
                         count=len(self.methods), known=self.known, stations=len(lecture().stations))  # fmt: skip

    def machine(self, machine):
        """The page of a machine."""
        heads, rows = measured.machine_table(machine)
        verdicts = [(measured.situation(cell), machine.verdict(cell)) for cell in measured.cells_of([machine])]
        return self.page("machine", machine.title, f"machines/{machine.name}.html", machine=machine, heads=heads, rows=rows,
                         verdicts=verdicts, verdict_words=VERDICT_WORDS, ids=self.ids)  # fmt: skip

    def all_methods(self):
        """What to start with, and the table of all methods."""
        return self.page(
            "methods", "All methods", methods=self.methods, known=self.known,
            levels=list(LEVELS.items()), queries=QUERIES, verdict_words=VERDICT_WORDS, standings=as_json(self.standings),
            situations=[f"{entry['situation']}, {entry['machine']}" for entry in self.standings],
        )  # fmt: skip

    def headers(self):
        """The files to take."""
        rows = [(method["id"], method["title"], self.offered(method["id"])) for method in self.methods]
        how = self.text_of("headers/README.md")[1]
        how = Markup(how[how.index("<h2") :] if "<h2" in how else "")  # behind its own table of them
        return self.page("headers", "Headers to take", rows=[row for row in rows if row[2]], size=human_bytes, how=how)

    def offered(self, method):
        """The files of headers/ that a method has: list of (name in the site, language, bytes)."""
        names = {f"headers/{method}.h": "C11 and C++17", f"headers/{method}.rs": "Rust"}
        return [(name, language, len(self.copied[name])) for name, language in names.items() if name in self.copied]

    def lecture(self):
        """The stations."""
        found = lecture()
        return self.page("lecture", found.title, lecture=found)

    def method(self, method):
        """The page of a method."""
        header, text = header_of(method["id"], method["family"])
        comment = opening_comment(text)
        return self.page(
            "method", method["title"], f"methods/{method['id']}.html", method=method, ids=self.ids, lead=comment[0][1],
            comment=comment, raw=Markup.escape, header=header, bytes=_size(method), users=self.users.get(method["id"], []),
            relatives=self.relatives.get(method["id"], []), changed_by=self.changed_by.get(method["id"], []), queries=QUERIES,
            positions=len(read(POSITIONS).splitlines()), standings=self.places_of(method["id"]), verdict_words=VERDICT_WORDS,
            offered=self.offered(method["id"]), human_bytes=human_bytes,
        )  # fmt: skip

    def places_of(self, method):
        """A method's rows of the table of machines."""
        having = [(entry, entry["places"][method]) for entry in self.standings if method in entry["places"]]
        return [(entry["machine"], entry["situation"], f"{at['place']} of {at['of']}", at["text"]) for entry, at in having]

    def document(self, path, file):
        """A page of the repository as one of the site."""
        title, body = self.text_of(path)
        return self.page("document", title, file, body=body, source=path)

    def text_of(self, path):
        """(title, markup) of a page of the repository; its pictures are copied."""

        def resolve(target):
            if re.match(r"https?:", target):
                return target
            name, _, anchor = target.partition("#")
            anchor = f"#{anchor}" if anchor else ""
            full = posixpath.normpath(posixpath.join(posixpath.dirname(path), name)) if name else path
            machine = re.fullmatch(r"reports/machines/([\w-]+)", full)
            if full.endswith(".svg") and (ROOT / full).is_file():
                picture = full.replace("/", "_").removeprefix("reports_")
                self.copied[f"pictures/{picture}"] = (ROOT / full).read_bytes()
                return f"pictures/{picture}"
            if machine and any(each.name == machine[1] for each in self.machines):
                return f"machines/{machine[1]}.html"
            if f"headers/{posixpath.basename(full)}" in self.copied and full.startswith("headers/"):
                return f"headers/{posixpath.basename(full)}"
            method = re.fullmatch(r"methods/\w+/(\w+)\.hpp", full)
            if method and method[1] in self.ids:
                return f"methods/{method[1]}.html"
            full = f"{full}/README.md" if f"{full}/README.md" in DOCUMENTS else full
            if full == path:
                return anchor or None
            others = {"headers/README.md": "headers.html", "methods/README.md": "methods.html", "extras/web/README.md": "index.html"}
            there = others | DOCUMENTS
            return there[full] + anchor if full in there else None

        def linked(match):
            return f'{match[1]}<a href="methods/{match[2]}.html">{match[0][len(match[1]) :]}</a>' if match[2] in self.ids else match[0]

        title, body = markdown_page(read(ROOT / path), resolve)
        return title, Markup(re.sub(r"(<td>)<code>(\w+)</code>", linked, body))


def headers():
    """The files of headers/ that an engine takes."""
    return sorted([*(ROOT / "headers").glob("*.h"), *(ROOT / "headers" / "rust").glob("*.rs")])


def _size(method):
    size, exact = method["size"], f"{method['bytes']:,} bytes"
    return "none" if method["bytes"] == 0 else exact if method["bytes"] < 1024 else f"{size} ({exact})"
