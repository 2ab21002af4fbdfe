# SPDX-License-Identifier: MIT
"""From how many questions a move is it quicker to keep attacks than to ask anew?

A contender's move takes U, as in the workload `moves`, and each question P, so that a move with q questions takes U + q P. P is
what `keep` takes beyond its moves: (T - U x moves) / questions. The loop and the pressure are in both, for all contenders alike.
At the trace's own questions a move, U + q P is what was measured. A store is quicker than the reference from
(U_store - U_reference) / (P_reference - P_store) questions a move.
"""

import math
import os
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import pandas as pd

from report.data.cells import COMPARED_ROLES, Cell
from report.data.files import RUN
from report.data.process_runs import t_quantile
from report.data.run import load
from report.errors import ReportError
from report.output import write_all

MOVES, QUESTIONS = "moves", "keep"
STORE = "store"  # the family
REFERENCE = "ask_magic_fancy"


@dataclass(frozen=True)
class Costs:
    """What moves and questions take on one trace under one pressure, in ns: tables of a column a contender, a row a process run."""

    cell: Cell  # of `keep`
    moves: pd.DataFrame
    questions: pd.DataFrame
    stores: list  # contenders
    reference: str  # contender
    per_move: float  # questions a made move, of the trace


def with_nodes(run):
    """The run, whose samples have their numbers of nodes. ReportError: it has no samples."""
    if run.samples.empty:
        raise ReportError(f"{run.folder / 'samples.csv'}: missing; give the folder of a run with its samples")
    return replace(run, samples=run.samples.assign(nodes=pd.to_numeric(run.samples["nodes"])))


def compared_samples(run, cell):
    """The compared contenders' samples of a cell. ReportError where there are none."""
    samples = run.samples_of(cell, *COMPARED_ROLES)
    if samples.empty:
        raise ReportError(f"{run.folder / 'samples.csv'}: has no samples of {cell.name}; run it again")
    return samples


def moves_a_node(moves, keep):
    """The moves of each sample of `keep` for each of its nodes: its segment's, which both workloads cut alike, or those of the
    whole trace where no sample of `moves` is of it."""
    sums = moves.groupby("segment")[["queries", "nodes"]].sum()
    usual = moves["queries"].sum() / moves["nodes"].sum()
    return keep["segment"].map(sums["queries"] / sums["nodes"]).astype(float).fillna(usual)


def a_node(samples, **columns):
    """Means over the samples of each process run (row) and contender: `ns` and `asked` for each node, and the given columns."""
    rows = samples.assign(ns=samples["time_ns"] / samples["nodes"], asked=samples["queries"] / samples["nodes"], **columns)
    return rows.groupby(["process_run", "contender"])[["ns", "asked", *columns]].mean()


def costs_of(run, cell):
    """The Costs of a cell of `keep`. ReportError where the samples do not have them, or no store has both workloads."""
    alone, keep = compared_samples(run, replace(cell, workload=MOVES)), compared_samples(run, cell)
    reference = next(iter(keep.loc[keep["role"] == "reference", "contender"]), None)
    made, asked = a_node(alone), a_node(keep, made=moves_a_node(alone, keep))
    moves, times = (made["ns"] / made["asked"]).unstack(), asked.unstack()
    if reference not in moves:
        raise ReportError(f"{run.folder}: has no reference in {MOVES} and {QUESTIONS}; run it again")
    names = [name for name in times["ns"].columns if name in moves]
    moves = moves[names].reindex(times.index)
    family = run.rows(cell).drop_duplicates("contender").set_index("contender")["family"]
    stores = [name for name in names if family.get(name) == STORE]
    if not stores:
        raise ReportError(f"{run.folder}: has no stores in {cell.name}; run it with --method family:{STORE} too")
    questions = (times["ns"][names] - moves * times["made"][names]) / times["asked"][names]
    per_move = asked["asked"].mean() / asked["made"].mean()
    return Costs(cell, moves, questions, stores, reference, float(per_move))


def all_costs(run):
    """The Costs of every trace and pressure that has both workloads, a list. ReportError where there is none."""
    cells = [cell for cell in run.cells if cell.workload == QUESTIONS and replace(cell, workload=MOVES) in run.cells]
    if not cells:
        words = f"has no cells {MOVES} and {QUESTIONS} of one trace and pressure"
        raise ReportError(f"{run.folder}: {words}; run it with --workload {MOVES} --workload {QUESTIONS}")
    run = with_nodes(run)
    return [costs_of(run, cell) for cell in cells]


def interval(values):
    """(mean, low, high) over process runs; ends that are not known are NaN."""
    values = values.dropna()
    half = t_quantile(len(values)) * values.sem()
    return values.mean(), values.mean() - half, values.mean() + half


def crossing(extra, saved):
    """From how many questions `saved` exceeds `extra`, by process run: (value, low, high), where infinity is never. The ends are
    Fieller's: where the mean of extra - questions x saved differs from 0 by less than t standard errors."""
    both = pd.DataFrame({"extra": extra, "saved": saved}).dropna()
    e, s = both["extra"].mean(), both["saved"].mean()
    value = 0.0 if e <= 0 else math.inf if s <= 0 else e / s
    if len(both) < 2:
        return value, math.nan, math.nan
    spread = both.cov().to_numpy() * t_quantile(len(both)) ** 2 / len(both)
    square, middle, rest = s * s - spread[1, 1], spread[0, 1] - e * s, e * e - spread[0, 0]
    roots = roots_of(square, middle, rest)
    low = 0.0 if e <= 0 or rest <= 0 else min([root for root in roots if root > 0], default=math.inf)
    high = max(0.0, *roots) if s > 0 and square > 0 and roots else math.inf
    return value, low, high


def roots_of(square, middle, rest):
    """Where square x^2 + 2 middle x + rest is 0; none where it is nowhere, or everywhere."""
    if square == 0:
        return [-rest / (2 * middle)] if middle else []
    below = middle * middle - square * rest
    return [(-middle + sign * math.sqrt(below)) / square for sign in (-1, 1)] if below >= 0 else []


def crossing_of(costs, contender):
    """The `crossing` of a store with the reference; None of what is asked anew."""
    if contender not in costs.stores:
        return None
    extra = costs.moves[contender] - costs.moves[costs.reference]
    return crossing(extra, costs.questions[costs.reference] - costs.questions[contender])


def crossing_texts(costs, contender):
    """A crossing's value and ends as the table has them."""
    found = crossing_of(costs, contender)
    if found is None:
        return ["", "", ""]
    moves, questions = (table.mean()[contender] - table.mean()[costs.reference] for table in (costs.moves, costs.questions))
    if moves <= 0 < questions:  # its moves are quicker, its questions slower
        return [f"up to {short(-moves / questions)}", "", ""]
    return ["" if math.isnan(end) else "always" if end == 0 else "never" if end == math.inf else short(end) for end in found]


def short(value):
    """A number as the table has it; empty where it is not known."""
    return "" if math.isnan(value) else f"{value:.4f}".rstrip("0").rstrip(".")


def rows_of(costs):
    """The rows of the table, the least time at the trace's own questions a move first."""
    at_trace = (costs.moves + costs.per_move * costs.questions).mean().sort_values(kind="stable")
    place = [getattr(costs.cell, name) for name in ("trace", "pressure", "kinds", "pages", "corunners")]
    for contender in at_trace.index:
        times = [short(end) for table in (costs.moves, costs.questions) for end in interval(table[contender])]
        count = costs.questions[contender].count()
        yield [contender, *place, *times, *crossing_texts(costs, contender), short(costs.per_move), count]


COLUMNS = ["contender", "trace", "pressure", "kinds", "pages", "corunners", "move_ns", "move_low", "move_high"]
COLUMNS += ["question_ns", "question_low", "question_high", "crossing", "crossing_low", "crossing_high"]
COLUMNS += ["questions_per_move", "process_runs"]


def said_of(costs):
    """What to do at the trace's own questions a move, a line."""
    at_trace = (costs.moves + costs.per_move * costs.questions).mean()
    kept, asked = at_trace[costs.stores].idxmin(), at_trace.drop(costs.stores).idxmin()
    found = [crossing_of(costs, name) for name in costs.stores]
    word = "not decided"
    if any(high < costs.per_move for _, _, high in found):
        word = "keep"
    elif all(low > costs.per_move for _, low, _ in found):
        word = "ask"
    names = " and ".join(f"{name} {at_trace[name]:.3g} ns" for name in (kept, asked))
    return f"{costs.cell.trace}, {costs.cell.pressure}: {word}. A move with its {costs.per_move:.2g} questions takes {names}."


def measure(run, trace):
    """Measures all stores, and methods asked anew, on a trace that tells the pieces. ReportError where that fails."""
    program = os.environ.get("SLIDEBENCH_PROGRAM", "build/bench/slidebench")
    command = [program, "run", "--trace", trace, "--method", "extension", "--reference", REFERENCE, "--out", run]
    command += [word for workload in (MOVES, QUESTIONS) for word in ("--workload", workload)]
    command += [word for pressure in ("isolated", "net1024") for word in ("--pressure", pressure)]
    try:
        status = subprocess.run(command, stdout=subprocess.DEVNULL, check=False).returncode
    except OSError as error:
        raise ReportError(f"cannot start {program}: {error.strerror}; name it by SLIDEBENCH_PROGRAM") from error
    if status != 0:
        raise ReportError(f"{program} run ended with status {status}")


def work(options):
    """Says what to do, writes the table, and returns its path."""
    if options.trace:
        measure(options.run, options.trace)
    found = all_costs(load(options.run))
    for costs in found:
        print(said_of(costs))
    table = pd.DataFrame([row for costs in found for row in rows_of(costs)], columns=COLUMNS)
    text = table.to_csv(index=False, lineterminator="\n")
    return write_all(options.out or options.run, {"keep_or_ask.csv": text.encode()})


def add_arguments(parser):
    """What the command takes."""
    parser.add_argument("run", **RUN)
    parser.add_argument("--trace", type=Path, metavar="FILE", help="measure this trace first, into the new folder RUN")
    parser.add_argument("--out", type=Path, metavar="DIR", help="for the table (default: RUN)")
