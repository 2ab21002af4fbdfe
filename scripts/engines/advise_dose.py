# SPDX-License-Identifier: MIT
"""What an engine pays for, as `slidebench dose` found it, and what a method would bring by that."""

import math
from dataclasses import dataclass

from engines.prediction import DOSE_MODEL, Interval, around, error_of, scaled
from report.data.files import dig, interval_of, items, number, read_info
from report.errors import ReportError

KINDS = ("cycles", "instructions", "lines")
LOOKED_UP = 9  # instructions of a dose's line, which the dose of a line costs as well
FACTOR = 1.25  # by which queries a node of a stream and of a dose may differ, and be of one engine


@dataclass(frozen=True)
class Dose:
    """What a node costs, and what it costs more for a unit more in each query."""

    ns_per_node: float
    queries_per_node: float
    cycle_ns: float
    slopes: dict  # kind -> Interval, ns a node; of lines, what one costs in the place of other work


def missed(line, instruction):
    """What a line costs by being far away, of a dose of one line and of one instruction; Intervals."""
    error = math.hypot(error_of(line), LOOKED_UP * error_of(instruction))
    return scaled(around(line.value - LOOKED_UP * instruction.value, error), DOSE_MODEL.lines_share)


def first_point(kind):
    """What the least amount of a dose costs. A second line costs less than the first: most of what it misses is there."""
    return next((Interval(*interval_of(point.get("ns_per_node"))) for point in items(kind, "points")), Interval(None, None, None))


def slope_of(kind):
    """What a unit of a dose costs."""
    return first_point(kind) if kind.get("kind") == "lines" else Interval(*interval_of(kind.get("ns_per_node")))


def load_dose(folder):
    """The Dose of a folder. ReportError where it holds none, or none that is whole."""
    info = read_info(folder)
    dose = dig(info, "duel", "dose")
    if not isinstance(dose, dict):
        raise ReportError(f"{folder}: holds no dose; give --dose the folder of `slidebench dose --out`")
    numbers = [number(dose.get(name)) for name in ("ns_per_node", "queries_per_node", "cycle_ns")]
    slopes = {kind.get("kind"): slope_of(kind) for kind in items(dose, "kinds")}
    known = [slope for kind in KINDS for slope in slopes.get(kind, (None,))]
    if dig(info, "complete") is not True or None in known or not all(n is not None and n > 0 for n in numbers):
        raise ReportError(f"{folder}: the dose is incomplete; make it again with `slidebench dose`")
    slopes["lines"] = missed(slopes["lines"], slopes["instructions"])
    return Dose(*numbers, {kind: slopes[kind] for kind in KINDS})


def check_same_engine(stream, dose):
    """ReportError where a stream and a dose can hardly be of one engine."""
    found, told = stream.recorded_per_node, dose.queries_per_node
    if max(found, told) > FACTOR * min(found, told):
        words = f"the stream has {found:.1f} queries a node, the dose's engine {told:.1f}"
        raise ReportError(f"{words}: are they of one engine, and the stream of several positions?")


def saved_by_dose(amounts, dose, share, model=DOSE_MODEL):
    """ns a node that a method saves by the dose's slopes, Interval; `amounts` is kind -> (units a query less than the reference,
    their standard error), `share` the replay's queries of one that the engine asked."""
    value, variance = 0.0, (model.rms_ns_per_query * dose.queries_per_node / share) ** 2
    for kind, (less, error) in amounts.items():
        slope = dose.slopes[kind]
        value += slope.value * less
        variance += (error_of(slope) * less) ** 2 + (slope.value * error) ** 2
    return scaled(around(value, math.sqrt(variance)), share)
