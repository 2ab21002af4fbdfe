# SPDX-License-Identifier: MIT
"""What would each method bring in MY engine? From the queries that the engine recorded.

They are replayed with each method. By a model of `prediction.py` nodes a second follow from what the engine pays for, its dose,
where all is counted that this needs; else from the differences of the replay beside a network.
"""

import math
from pathlib import Path

from engines.advice import advice_of
from engines.advise_dose import check_same_engine, load_dose
from engines.advise_figure import advice_figure
from engines.advise_page import advice_page
from engines.advise_replay import measured, methods_of, opened, replay
from engines.advise_stream import NAME, check_files, stream_of
from engines.advise_words import as_csv, as_json, next_commands, not_ruled_out, sentence, text_table
from engines.program import program_at
from report.errors import ReportError
from report.figures.files import write_figures
from report.figures.style import set_defaults
from report.output import write_all

OURS = {NAME, "replay", "plots", "advice.json", "advice.csv", "index.html"}
SCRIPTS = Path(__file__).resolve().parent.parent


def positive(option):
    """A reader of an option's number above 0."""

    def read(text):
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and value > 0):
            raise ReportError(f"{option} {text}: is no number above 0")
        return value

    return read


def check_out(out):
    """ReportError for a folder that holds something else."""
    if out.exists() and not out.is_dir():
        raise ReportError(f"{out}: is no folder; give --out another")
    foreign = sorted(path.name for path in out.iterdir() if path.name.removesuffix(".part") not in OURS) if out.exists() else []
    if foreign:
        raise ReportError(f"{out}: holds something else ({foreign[0]}); give --out a folder of its own")


def replayed(program, stream, options):
    """The folder of the replay: the one that was given, or one that is made."""
    if options.replayed:
        return options.replayed
    methods = methods_of(program, options.method, options.reference)
    return replay(program, stream, options.out, methods, options)


def advised(program, options):
    """The Advice; what it needs is made in the folder --out, which exists."""
    dose = load_dose(options.dose) if options.dose else None
    if not options.replayed:
        methods_of(program, options.method, options.reference)  # refused before a long log is imported
    stream = stream_of(program, options.streams, options.out)
    if dose:
        check_same_engine(stream, dose)
    run, trace = opened(replayed(program, stream, options), stream, options.reference)
    return advice_of(run, trace, *measured(run, trace, options.method), stream, dose, options)


def clear(out):
    """Takes away a folder in which nothing was replayed."""
    if not (out / "replay").exists():
        (out / NAME).unlink(missing_ok=True)
        out.rmdir()


def told(advice, following):
    """The advice for a terminal."""
    lines = [sentence(advice), *filter(None, [not_ruled_out(advice)]), "", text_table(advice), "", *advice.notes, "", "Next:"]
    return "\n".join([*lines, *(f"  {command}  # {what}" for what, command in following)])


def work(options):
    """Prints the advice, and writes it into a folder."""
    check_files(options.streams)
    program = program_at(options.slidebench)
    check_out(options.out)
    is_new = not options.out.exists()
    options.out.mkdir(parents=True, exist_ok=True)
    try:
        advice = advised(program, options)
    except ReportError:
        if is_new:
            clear(options.out)
        raise
    following = next_commands(advice, str(options.slidebench), SCRIPTS.name)
    set_defaults()
    figures, _ = write_figures(options.out / "plots", [advice_figure(advice)])
    page = advice_page(advice, figures, following)
    texts = {"advice.json": as_json(advice, following), "advice.csv": as_csv(advice), "index.html": page}
    write_all(options.out, {name: text.encode() for name, text in texts.items()})
    print(told(advice, following))
    print(f"Page: {options.out / 'index.html'}")


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("streams", nargs="*", type=Path, metavar="STREAM", help="logs of your engine, or a trace of them")
    parser.add_argument("--slidebench", type=Path, metavar="PROGRAM", default=Path("slidebench"), help="the program that replays")
    parser.add_argument("--out", type=Path, metavar="DIR", required=True, help="folder for the advice and its replay")
    parser.add_argument("--dose", type=Path, metavar="DIR", help="folder of `slidebench dose` of the same engine")
    parser.add_argument("--nodes-per-second", type=positive("--nodes-per-second"), metavar="N", help="of one thread now")
    parser.add_argument("--reference", metavar="ID", default="magic_fancy", help="the engine's method now (default: magic_fancy)")
    parser.add_argument("--method", action="append", metavar="ID", default=[], help="to be tried; may be repeated")
    parser.add_argument("--replayed", type=Path, metavar="RUN", help="a run that has replayed the stream already")
    parser.add_argument("--minutes", type=positive("--minutes"), metavar="M", default=6.0, help="of the replay (default: 6)")
