# SPDX-License-Identifier: MIT
"""Makes the page of plain against fancy magic: README.md, plots/*.svg, tables of what is in them, run.json."""

import json
from pathlib import Path

import pandas as pd

from report.data.files import items
from report.errors import ReportError
from report.figures.style import render, set_defaults
from report.needed import answered, parser_of
from report.output import write_all
from studies.plain_vs_fancy.data import MARGIN, headline, judged, load
from studies.plain_vs_fancy.figures import draw_all
from studies.plain_vs_fancy.page import page

# Of a run.json, what says under what circumstances was measured; results are in summary.csv.
KEPT = "schema slidebench commit dirty command started finished machine build versions protocol inference".split()
KEPT += "pinned seed effective_ghz counters warnings".split()


def text_of(frame):
    """A frame as CSV: times to four figures after the point, ratios to five; an empty cell is `not there`."""
    shown = frame.copy()
    for name in shown.select_dtypes("float").columns:
        digits = 5 if "ratio" in name or name.startswith("aa_") else 2 if name == "margin" else 4
        shown[name] = shown[name].map(lambda value, digits=digits: "" if value != value else f"{value:.{digits}f}")
    return shown.to_csv(index=False, lineterminator="\n").encode()


def kept(info):
    """What is kept of a run.json; of the command the program's name, not where it lay."""
    found = {key: info[key] for key in (*KEPT, "caches", "pressures", "draws") if key in info}
    if found.get("command"):
        found["command"] = [Path(found["command"][0]).name, *found["command"][1:]]
    return found


def record(study):
    """run.json of the whole: where everything came from."""
    return {
        "schema": study.info.get("schema"),
        "kind": "plain_vs_fancy",
        "margin": MARGIN,
        "measured": {name: kept(info) for name, info in study.runs.items()},
        "computed": kept(study.computed),
        "simulated": kept(study.simulation.info),
        "traces": list({t.get("name"): t for info in study.runs.values() for t in items(info, "traces")}.values()),
        "other": {"folder": study.other.place, "commit": study.other.info.get("commit")} if study.other else None,
    }


def report(folder, out, also=None):
    """Makes the report of a folder (see studies.plain_vs_fancy.data) in the folder `out`; `also` is another run's, for
    settings of the old question that this one lacks. Returns the files written; ReportError where the folder lacks what
    is needed."""
    if not folder.is_dir():
        raise ReportError(f"{folder}: no such folder; scripts/plain_vs_fancy.sh makes one")
    study = load(folder, also, out)
    verdicts = judged(study.summary)
    head = headline(study, verdicts)
    set_defaults()
    plots = {stem: render(figure, ["svg"])["svg"] for stem, figure in draw_all(study, verdicts, head)}
    files = {f"plots/{stem}.svg": data for stem, data in plots.items()}
    files |= {
        "summary.csv": text_of(study.summary.drop(columns="label")),
        "verdicts.csv": text_of(verdicts),
        "ladders.csv": text_of(pd.concat([rows.assign(ladder=name) for name, rows in study.ladders.items()])),
        "predicted.csv": text_of(study.predicted.drop(columns=["far_off", "branches_per_query"])),
        "run.json": (json.dumps(record(study), indent=1, sort_keys=True) + "\n").encode(),
        "README.md": page(study, verdicts, head, list(plots)).encode(),
    }
    return write_all(out, files)


def work(options):
    """Makes the report; returns the files written."""
    return report(options.folder, options.out or options.folder, options.also)


def main(arguments=None):
    """The command; returns the exit status."""
    parser = parser_of(__doc__, "plain_vs_fancy_report.py build/plain_vs_fancy/run1 --out reports/plain_vs_fancy")
    parser.add_argument("folder", type=Path, metavar="DIR", help="what scripts/plain_vs_fancy.sh left of a run")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the report goes (default: DIR)")
    help_also = "another run on the same machine: only for settings of the old question that DIR lacks, marked as such"
    parser.add_argument("--also", type=Path, metavar="RUN", help=help_also)
    return answered("plain_vs_fancy_report.py", work, parser.parse_args(arguments))
