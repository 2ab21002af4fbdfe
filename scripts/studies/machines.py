# SPDX-License-Identifier: MIT
"""The collection of measured CPUs: one folder each, small enough to be kept for good, and the matrix made of them.

A contributed run is checked and cut down: of summary.csv and process_runs.csv the situations below, of run.json what tells the
machine, the build and the protocol. What remains is a run folder that
`slidebench show` shows. Browsers, which a page (extras/web) measures, stand apart: one file each, and tables of their own.
"""

import json
import re
import shutil
from pathlib import Path

import pandas as pd

from report.analysis.compare import check_names, check_pair, letter, side_by_side
from report.analysis.findings import has_failed
from report.data.cells import COMPARED_ROLES, Cell, cell_of
from report.data.files import RUN, dig, file_of, items, one_line, parse_csv
from report.data.process_runs import NAME
from report.data.run import load_summary
from report.data.schema import KEY
from report.data.words import human_percent
from report.errors import ReportError
from report.figures.style import VERDICT_SIGNS, VERDICT_WORDS
from report.output import compressed, write, write_all
from report.page.markdown import table
from studies import browsers
from studies.kept import csv_of, faults_of_age, faults_of_kept, process_runs_of
from studies.run_check import check_summary

MACHINES = Path(__file__).resolve().parents[2] / "reports" / "machines"
CELLS = [
    Cell("throughput", "search", "isolated"),
    Cell("latency", "search", "isolated"),
    Cell("throughput", "search", "net0"),
    Cell("throughput", "search", "net1024"),
    Cell("perft", "positions", "isolated"),
    Cell("engine", "net0", "isolated"),
    Cell("engine", "net1024", "isolated"),
]
ROLES = (*COMPARED_ROLES, "twin")
INFO = "schema slidebench commit dirty complete profile protocol inference seed started finished build machine "
INFO += "effective_ghz warnings skipped traces pressures checks counters methods"


def folder_name(info):
    """A folder's name for a machine: the CPU, and what tells it from others of the same name."""
    machine = info["machine"]
    parts = [machine["cpu"], *(f"{key}{machine[key]}" for key in ("family", "model") if machine.get(key) is not None)]
    parts += [machine.get("hypervisor") or ""]
    return re.sub(r"[^a-z0-9]+", "-", " ".join(map(str, parts)).lower()).removesuffix("-none").strip("-") or "unnamed"


def kept_rows(rows):
    """The rows of a table that are kept, DataFrame of text."""
    there = [Cell(*key) in CELLS for key in rows[KEY].astype({"corunners": int}).itertuples(index=False)]
    return rows[rows["role"].isin(ROLES) & there]


def said_of(run, *keys):
    """What run.json says of the cells that are kept: list of dict."""
    return [entry for entry in items(run.info, *keys) if cell_of(entry.get("cell")) in CELLS]


def refuse_unfit(run):
    """Raises ReportError for a run that is not to be believed, or could not be told apart later."""
    info, cpu = run.info, dig(run.info, "machine", "cpu")
    unfit = {
        f"is incomplete; finish it with slidebench run --resume {run.folder}": info.get("complete") is not True,
        "comes from a program of no known commit; build from a clean checkout and run it again":
            info.get("dirty") is not False or not info.get("commit"),
        "failed its own checks; run it again on a quieter machine": has_failed(run),
        "does not say which CPU it ran on; run it again": not cpu,
    }  # fmt: skip
    said = [words for words, found in unfit.items() if found]
    said += [f"{fault}; run it again" for fault in (*check_summary(run), *faults_of_kept(run.folder), *faults_of_age(info))]
    if said:
        raise ReportError(f"{run.folder}: {said[0]}")


def collected(home):
    """The machines of the collection: list of Run, by name. ReportError: one is unfit or does not fit the others."""
    runs = [load_summary(path.parent) for path in sorted(home.glob("*/run.json.gz"))]
    for run in runs:
        refuse_unfit(run)
        check_pair(runs[0], run)
    check_names(runs)
    return runs


def add(folder, name, home):
    """Adds a run, the folder that `slidebench run` or run_bench.sh wrote, to the collection `home`, by its CPU's name
    where `name` is None; returns the new folder. ReportError: the run is unfit, or there is such a machine already."""
    run = load_summary(folder)
    refuse_unfit(run)
    summary = kept_rows(parse_csv(file_of(folder, "summary.csv")))
    if summary.empty:
        raise ReportError(f"{folder}: has none of the situations of the matrix; use scripts/run_bench.sh --profile standard")
    target = home / (name or folder_name(run.info))
    if target.exists():
        raise ReportError(f"{target}: is there already; remove it, or give another --name")
    kept = {name: value for name, value in run.info.items() if name in INFO.split()}
    checks = {name: said_of(run, "checks", name) for name in ("twin", "control")}
    checks["valid"] = all(check.get("result") == "passed" for check in checks["twin"] + checks["control"])
    kept |= {"checks": checks, **{name: said_of(run, name) for name in ("bests", "session_widenings")}}
    info = json.dumps(kept, indent=1, sort_keys=True) + "\n"
    files = {"summary.csv": csv_of(summary), NAME: csv_of(kept_rows(process_runs_of(folder))), "run.json": info.encode()}
    write_all(target, {f"{name}.gz": compressed(data) for name, data in files.items()})
    try:
        collected(home)
    except ReportError:
        shutil.rmtree(target)  # what does not go together with the others is taken back
        raise
    return target


def add_browser(path, name, home):
    """Adds what the page "Measure in this browser" saved to the collection `home`, by its processor and browser where `name`
    is None; returns the new file. ReportError: it is not to be believed, does not fit the others, or is there already."""
    result = browsers.read_result(path)
    target = home / browsers.FOLDER / f"{name or browsers.file_name(result)}.json"
    if target.exists():
        raise ReportError(f"{target}: is there already; remove it, or give another --name")
    write_all(target.parent, {target.name: browsers.kept(path)})
    try:
        browsers.results_in(home)
    except ReportError:
        target.unlink()  # what does not go together with the others is taken back
        raise
    return target


def page(home):
    """The page of a collection, in Markdown."""
    return matrix(collected(home)) + browser_tables(browsers.results_in(home))


def browser_tables(results):
    """What the page says of browsers, from `results_in`."""
    parts = [BROWSERS.format(words=VERDICT_WORDS)]
    if not results:
        return parts[0] + "\n\nNone has been added yet.\n"
    names = [f"browser {number}" for number in range(1, len(results) + 1)]
    parts.append(table(BROWSER_HEADS, [_browser(name, result) for name, result in zip(names, results)]))
    for pressure, title in browsers.PRESSURES.items():
        found = [browsers.judged(result, pressure)[0] for result in results]
        shown = [rows[rows["role"].isin(COMPARED_ROLES)] for rows in found]
        methods = pd.concat(shown).groupby(level=0)["ratio"].median().sort_values().index
        lines = [[f"`{name}`", *(judged(rows.loc[name]) if name in rows.index else "" for rows in shown)] for name in methods]
        parts += [f"### {title}", table(["method", *(f">{name}" for name in names)], lines)]
    return "\n\n".join(parts) + "\n"


def _browser(name, result):
    info, file = result.info, result.path
    bound = max(browsers.judged(result, pressure)[1] for pressure in browsers.PRESSURES)
    facts = [info["cpu"], result.browser, *(dig(info, "browser", key) for key in ("engine", "system"))]
    facts.append(str(info.get("started"))[:10])
    step = f"{1000 * info['clock']['step_ms']:.3g} \N{MICRO SIGN}s"
    link = f"[{file.stem}]({browsers.FOLDER}/{file.name})"
    return [f"**{name}**", link, *map(_text, facts), info["module"][:12], step, human_percent(bound)]


def matrix(runs):
    """The page's part of all machines, runs from `collected`, in Markdown."""
    names = [letter(i) for i in range(len(runs))]
    parts = [
        INTRODUCTION.format(words=VERDICT_WORDS),
        table(MACHINE_HEADS, [_machine(n, r) for n, r in zip(names, runs)]),
    ]
    for cell in CELLS:
        having = [(name, run) for name, run in zip(names, runs) if not run.rows(cell, *COMPARED_ROLES).empty]
        if having:
            parts += [f"## {cell.name[0].upper()}{cell.name[1:]}", _cell_table(cell, having)]
    return "\n\n".join(parts) + "\n"


def _machine(name, run):
    info = run.info
    facts = [dig(info, *path) for path in (("machine", "cpu"), ("machine", "hypervisor"), ("build", "compiler"))]
    facts += [info.get("profile"), info.get("commit"), str(info.get("started"))[:10]]
    ghz = dig(info, "effective_ghz", "median")
    clock = "" if ghz is None else f"{ghz:.2f} GHz"
    samples = f"{dig(info, 'protocol', 'sessions') or 1} / {dig(info, 'protocol', 'layouts') or 1}"
    folder = f"[{run.folder.name}]({run.folder.name})"
    return [f"**{name}**", folder, *map(_text, facts), samples, clock, human_percent(run.summary["aa_bound"].max())]


def _text(value):
    """Text that a cell of a table can hold, whatever a contributed file says."""
    return re.sub(r"([\\`*_\[\]>&])", r"\\\1", one_line("" if value is None else value))


def _cell_table(cell, having):
    rows, contenders = side_by_side([run for _, run in having], cell)
    found = [[judged(part.loc[contender]) if contender in part.index else "" for part in rows] for contender in contenders]
    heads = ["method", *(f">{name}" for name, _ in having)]
    return table(heads, [[f"`{contender}`", *line] for contender, line in zip(contenders, found)])


def judged(row):
    """A row's ratio and the sign of its verdict."""
    return f"{row['ratio']:.2f} {VERDICT_SIGNS.get(row['verdict'], '')}".strip()


def work(options):
    """Adds the run and writes the page, or checks both; prints what was written."""
    home, readme = options.home, options.home / "README.md"
    if options.check:
        if not readme.exists() or readme.read_text() != page(home):
            raise ReportError(f"{readme}: is not what its folders say; make it with slidebench.py add-machine")
        return
    if options.folder is not None:
        adds = add_browser if options.folder.is_file() else add
        print(adds(options.folder, options.name, home))
    write(readme, page(home).encode())
    print(readme)


def add_arguments(parser):
    """What the command takes."""
    help_folder = RUN["help"] + ", or the file that the page that measures in a browser saved; none to make the page alone"
    parser.add_argument("folder", nargs="?", **{**RUN, "help": help_folder})
    parser.add_argument(
        "--name", type=_name, metavar="NAME", help="of the machine's folder (default: from the CPU's name)"
    )
    parser.add_argument(
        "--home", type=Path, metavar="DIR", default=MACHINES, help="the collection (default: reports/machines)"
    )
    parser.add_argument(
        "--check",
        action="store_true",
        help="write nothing; exit status 2 if a machine or the page is not as it must be",
    )


def _name(text):
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}", text):
        raise ValueError(text)
    return text


MACHINE_HEADS = [
    "", "folder", "CPU", "hypervisor", "compiler", "profile", "commit", "date", ">sessions / layouts of a module",
    ">clock", ">identical code differed by at most",
]  # fmt: skip
INTRODUCTION = """# Methods and CPUs

For whoever wants to know whether a result holds on other CPUs. A row per method, a column per CPU. A number is the time over `magic_fancy`'s on
the same CPU, and the sign is that machine's verdict: {words}. An empty cell was not measured.

Ratios may be compared between CPUs, nanoseconds may not. Intervals are in each folder's `summary.csv.gz`, and hold for other sessions and layouts
as far as the machine's run had several. A bare loop does not rank methods that lie within five per cent
([why](../methodology.md#known-biases-and-limits)).

Older runs are in the [archive](../archive/README.md). To add your machine: [`CONTRIBUTING.md`](../../CONTRIBUTING.md#a-machine)."""
BROWSER_HEADS = [
    "", "file", "processor, as typed", "browser", "engine", "system", "date", "module", ">step of the clock",
    ">identical code differed by at most",
]  # fmt: skip
BROWSERS = """
## In browsers

WebAssembly, not native code, [measured by a page](../../extras/web/README.md) on a shorter trace. A number is the time over `magic_fancy`'s in the same
browser; the sign is the verdict: {words}. Compare these columns with each other, and with the tables above only in their order.

To add yours, open the page, press its button, save the file, and give it to `scripts/slidebench.py add-machine FILE`."""
