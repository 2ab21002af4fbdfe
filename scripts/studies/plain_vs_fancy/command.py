# SPDX-License-Identifier: MIT
"""Makes the page of plain against fancy magic: README.md, plots/*.svg, tables of what is in them, run.json.gz."""

import json
import re
from pathlib import Path

import pandas as pd
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from report.data.files import cache_bytes, items, matching, one_line
from report.data.process_runs import KEPT_NAME
from report.data.words import human_bytes, human_interval, human_number, human_percent, human_ratio
from report.figures.style import VERDICTS, render, set_defaults
from report.output import compressed, write_all
from report.page.markdown import cell, table
from studies.plain_vs_fancy import data
from studies.plain_vs_fancy.figures import draw_all

TEMPLATE = Path(__file__).parent / "page.md.j2"
# Of a run.json, what says under what circumstances was measured; results are in summary.csv.gz.
KEPT = "schema slidebench commit dirty command started finished machine build versions protocol inference pinned seed"
KEPT += " effective_ghz counters warnings traces caches pressures draws"


SAID = {verdict: words for verdict, (_, _, words) in VERDICTS.items()}
CONTROL = re.compile(r"the positive control .* took ([\d.]+ \[.*?\]) times the reference's time in (.*?): (.*)")


def positive_controls(study):
    """Those that did not pass: list of (run, cell, what was found) of the failed ones, and how many were imprecise."""
    found = [(name, CONTROL.match(warning)) for name, info in study.runs.items() for warning in info.get("warnings", [])]
    failed = [(name, match[2], match[1]) for name, match in found if match and "uncertain" not in match[3]]
    return failed, sum(match is not None for _, match in found) - len(failed)


def markdown(frame):
    """A DataFrame as a table of the page: numbers to the right, times with two figures after the point."""
    numbers = list(frame.select_dtypes("number"))
    shown = frame.copy()
    for name in frame.select_dtypes("float"):
        shown[name] = frame[name].map("{:.2f}".format, na_action="ignore").fillna("")
    return table([f">{name}" if name in numbers else name for name in frame], shown.itertuples(index=False))


def intervals(rows, prefix=""):
    """The ratios of rows of `judged` with their intervals, list of str."""
    columns = [prefix + name for name in ("ratio", "ratio_low", "ratio_high")]
    return [human_interval(*ends, human_ratio) for ends in rows[columns].itertuples(index=False)]


def settings(rows):
    """Rows of `judged` as a table of the page."""
    columns = {"setting": rows["name"]} | rows[["pages", "run"]].fillna("").to_dict("series")
    columns |= {"fancy, ns": rows["fancy_ns"], "plain / fancy": intervals(rows)}
    columns["verdict"] = rows["verdict"].fillna("not measured").replace(SAID)
    columns |= {"in arrays": intervals(rows, "arrays_"), "its verdict": rows["arrays_verdict"].fillna("").replace(SAID)}
    columns["margin"] = rows["margin"].map(human_percent)
    columns["identical code, at most"] = rows["aa_bound"].map(human_percent)
    return markdown(pd.DataFrame(columns))


def answer(answers):
    """The question of 2010 answered in a sentence, from the rows of small pages; without what was not measured."""
    said = []
    places = {data.PERFT: "in perft", data.NETWORK: "in a search with a network of 1,024", data.LOOP: "in a loop"}
    for name, where in places.items():
        for row in matching(answers, name=name, pages="4k").head(1).itertuples():
            low, high = map(human_percent, sorted(abs(end - 1) for end in (row.ratio_low, row.ratio_high)))
            change = f"{human_percent(abs(row.ratio - 1))} {'slower' if row.ratio > 1 else 'faster'} [{low}, {high}]"
            if row.ratio_low < 1 < row.ratio_high:
                change = f"between {human_percent(1 - row.ratio_low)} faster and {human_percent(row.ratio_high - 1)} slower"
            said.append(f"{where} {change}")
    return "; ".join(said)


def on_large_pages(study):
    """The share of bytes that lay on 2 MiB pages, of those that were to; None where none were."""
    asked = [row for info in study.runs.values() for row in items(info, "pages") if row.get("pages") == "2m"]
    total = sum(row.get("bytes", 0) for row in asked)
    return sum(row.get("large_page_bytes", 0) for row in asked) / total if total else None


def page(study, verdicts, answers):
    """The page, Markdown."""
    loader = FileSystemLoader(TEMPLATE.parent)
    environment = Environment(loader=loader, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"ns": human_number, "signed": "{:+.2f}".format, "line": one_line, "cell": cell}
    environment.filters |= {"percent": human_percent, "bytes": human_bytes, "table": markdown, "settings": settings}
    misses = data.misses(study.simulation)
    counts = verdicts["verdict"].replace(SAID).value_counts()
    failed, imprecise = positive_controls(study)
    loops = answers[answers["workload"].isin(["throughput", "latency"])]
    text = environment.get_template(TEMPLATE.name).render(
        study=study,
        info=study.info,
        caches={level: size for level in (1, 2, 3) if (size := cache_bytes(study.info, level))},
        plain=study.table_bytes(data.PLAIN),
        fancy=study.table_bytes(data.FANCY),
        on_large_pages=on_large_pages(study),
        more_lines=data.more_lines(study.simulation),
        more_ns=loops["plain_ns"] - loops["fancy_ns"],
        answers=answers,
        answer=answer(answers),
        verdicts=verdicts,
        counts=counts.reindex(sorted({*counts.index, "faster"}), fill_value=0),
        failed=failed,
        imprecise=imprecise,
        misses=misses,
        curve=data.curve(study, verdicts),
        here=matching(misses, cache=data.HERE.cache, pressure=data.HERE.pressure).iloc[0],
    )
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def record(study):
    """run.json of the whole: where everything came from; of a command the program's name, not where it lay."""
    infos = study.runs | {"simulated": study.simulation.info}
    runs = {name: {key: info[key] for key in KEPT.split() if key in info} for name, info in infos.items()}
    for run in runs.values():
        if run.get("command"):
            run["command"] = [Path(run["command"][0]).name, *run["command"][1:]]
    return {"kind": "plain_vs_fancy", "runs": runs}


def work(options):
    """Makes the report; returns the files written."""
    study = data.load(options.folder)
    verdicts = data.judged(study.summary)
    answers = data.answers(verdicts)
    set_defaults()
    figures = draw_all(study, verdicts, answers)
    files = {f"plots/{stem}.svg": render(figure, ["svg"])["svg"] for stem, figure in figures.items()}
    tables = {"summary": study.summary.drop(columns="label"), "verdicts": verdicts}
    for name, frame in tables.items():
        files[f"{name}.csv"] = frame.round(5).to_csv(index=False, lineterminator="\n").encode()
    files["summary.csv.gz"] = compressed(files.pop("summary.csv"))
    raw = study.process_runs.astype({"process_run": int}).to_csv(index=False, lineterminator="\n")
    files[KEPT_NAME] = compressed(raw.encode())
    files["run.json.gz"] = compressed((json.dumps(record(study), indent=1, sort_keys=True) + "\n").encode())
    files["README.md"] = page(study, verdicts, answers).encode()
    return write_all(options.out or options.folder, files)


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("folder", type=Path, metavar="DIR", help="what scripts/plain_vs_fancy.sh left of a run")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where the report goes (default: DIR)")
