#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns the results of scripts/plain_vs_fancy.sh into verdicts, estimates, figures and a page.

Reads measured/*/, simulated/*/ and ladder.csv of a folder; writes verdicts.csv, estimates.csv, run.json, plots/ and
README.md beside them, and prints the files written, one a line. The same folder gives the same bytes.
"""

import argparse
import json
import sys
from pathlib import Path
from report.errors import ReportError


NEEDED = ("matplotlib", "numpy", "pandas")


def text_of(frame):
    """A frame as CSV: times to four figures after the point, ratios to five; an empty cell is `not there`."""
    shown = frame.copy()
    for name in shown.select_dtypes("float").columns:
        digits = 5 if "ratio" in name or name.startswith("aa_") else 2 if name == "margin" else 4
        shown[name] = shown[name].map(lambda value, digits=digits: "" if value != value else f"{value:.{digits}f}")
    return shown.to_csv(index=False, lineterminator="\n")


def record(study, steps):
    """run.json of the whole: where everything came from, and what the ladder says."""
    from plain_vs_fancy_data import MARGIN

    return {
        "schema": 1,
        "kind": "plain_vs_fancy",
        "margin": MARGIN,
        "measured": study.runs,
        "simulated": study.simulations,
        "other": {"folder": study.other.place, "commit": study.other.info.get("commit")} if study.other else None,
        "ladder": {
            "pages": steps.pages,
            "levels_ns": _rounded(steps.levels),
            "penalties_ns": _rounded(steps.penalties),
        },
    }


def _rounded(values):
    return {name: round(value, 4) for name, value in values.items()}


def report(folder, also=None):
    """Makes the report of a folder.

    Args:
        folder: Path.
        also: Path of another run's folder, for settings of the old question that this one lacks; None for none.

    Returns:
        list of Path: the files written.

    Raises:
        ReportError: the folder does not hold what is needed.
        OSError: a file cannot be written.
    """
    import plain_vs_fancy_data
    import plain_vs_fancy_estimate
    import plain_vs_fancy_figures
    import plain_vs_fancy_readme
    from report.figures.style import render, set_defaults
    from report.output import write

    study = plain_vs_fancy_data.load(folder, also)
    verdicts = plain_vs_fancy_data.verdicts(study)
    steps = plain_vs_fancy_estimate.steps(study)
    estimated = plain_vs_fancy_estimate.estimates(study, steps)
    set_defaults()
    files = {
        "verdicts.csv": text_of(verdicts).encode(),
        "estimates.csv": text_of(estimated).encode(),
        "run.json": (json.dumps(record(study, steps), indent=2, sort_keys=True) + "\n").encode(),
    }
    drawn = []
    for stem, figure in plain_vs_fancy_figures.draw_all(study, verdicts, estimated):
        drawn.append(stem)
        files |= {f"plots/{stem}.{suffix}": data for suffix, data in render(figure).items()}
    files["README.md"] = plain_vs_fancy_readme.fill(study, verdicts, steps, estimated, drawn).encode()
    (folder / "plots").mkdir(exist_ok=True)
    for name, data in files.items():
        write(folder / name, data)
    return [folder / name for name in files]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="such as reports/plain_vs_fancy")
    parser.add_argument(
        "--also",
        metavar="DIR",
        type=Path,
        help="another run on the same machine, such as reports/example/engine: only for what the folder lacks of "
        "perft, the searches and the loops, and marked as such",
    )
    parser.epilog = "example: plain_vs_fancy_report.py reports/plain_vs_fancy --also reports/example/engine"
    arguments = parser.parse_args()
    folder = arguments.folder
    try:
        if not folder.is_dir():
            raise ReportError(f"{folder}: no such folder; scripts/plain_vs_fancy.sh makes one")
        for path in report(folder, arguments.also):
            print(path)
    except ReportError as error:
        sys.exit(_fail(error))
    except ModuleNotFoundError as error:
        if error.name not in NEEDED:
            raise
        sys.exit(_fail(f"Python's {error.name} is missing; install it with scripts/install_deps.sh"))
    except OSError as error:
        sys.exit(_fail(f"{error.filename or folder}: {error.strerror or error}; choose a folder that can be written"))


def _fail(message):
    print(f"plain_vs_fancy_report.py: {message}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    main()
