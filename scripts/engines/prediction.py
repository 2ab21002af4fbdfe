# SPDX-License-Identifier: MIT
"""What a method would bring in an engine, predicted from a dose, or from a replay of its queries; functions of numbers alone.

An engine's difference between two methods is taken to be `slope` times the replay's, query by query. The interval holds what the
replay's own noise, the slope's error and the error of such a prediction leave open. The doses' prediction adds up what more cycles,
instructions and lines were seen to cost in the engine.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

NORMAL = 1.959964  # standard errors in half a 95 % interval


class Interval(NamedTuple):
    """A figure with the ends of its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ReplayModel:
    """How differences in a replay become those of an engine."""

    slope: float  # ns of the engine's query for a ns of the replay's
    slope_error: float  # its standard error, from engine to engine
    rms_ns_per_query: float  # by which a method's difference misses that, noise left out


# Of Stockfish 15.1, by four builds of each method on a Zen 4: its differences were 1.6 of the replay's beside a network of
# 1,024, with 0.6 ns left. Glaurung, which has no network, is not predicted by this replay, so that the error is wide.
MODEL = ReplayModel(slope=1.6, slope_error=0.5, rms_ns_per_query=0.6)


@dataclass(frozen=True)
class DoseModel:
    """How the doses of an engine become its differences."""

    lines_share: float  # of a line that is read besides, what one costs in the place of another method's work
    rms_ns_per_query: float  # by which a method's difference misses what its dose says


# The share is of Glaurung 2.2 and Stockfish 15.1 on a Zen 4, four builds of each of six methods, dosed with ray_masks_avx2: with
# 0.7 they are missed by 0.14 and 0.33 ns. Fairy-Stockfish 11.1 was looked at afterwards: 0.63 ns.
DOSE_MODEL = DoseModel(lines_share=0.7, rms_ns_per_query=0.5)


class Measured(NamedTuple):
    """What a replay says of a method."""

    method: str
    saved: Interval  # ns a query less than the reference takes


class Prediction(NamedTuple):
    """What a method would bring in the engine; the last three are None where its time a node is not known."""

    method: str
    saved: Interval  # ns a node less
    ns_per_node: Interval | None
    nodes_per_second: Interval | None
    more: Interval | None  # nodes a second more, as a fraction


def around(value, error):
    """The interval of a figure with a standard error."""
    return Interval(value, value - NORMAL * error, value + NORMAL * error)


def error_of(figure):
    """The standard error that an interval stands for."""
    return (figure.high - figure.low) / (2 * NORMAL)


def scaled(figure, factor):
    """An interval times a factor above 0."""
    return Interval(*(factor * end for end in figure))


def saved_of(ns, ratio):
    """ns a query that a method saves, of the reference's ns and the paired ratio to it."""
    return Interval(ns * (1 - ratio.value), ns * (1 - ratio.high), ns * (1 - ratio.low))


def saved_per_node(saved, queries_per_node, model=MODEL):
    """ns a node that the engine saves, of what a query saves in the replay."""
    noise, difference = error_of(saved), saved.value
    error = math.hypot(model.slope * noise, model.slope_error * difference, model.rms_ns_per_query)
    return scaled(around(model.slope * difference, error), queries_per_node)


def node_without(saved, ns_per_node):
    """ns a node that are left; an end that would be none at all is 0."""
    return Interval(*(max(0.0, ns_per_node - end) for end in (saved.value, saved.high, saved.low)))


def rate_of(node):
    """Nodes a second, of ns a node."""
    return Interval(*(1e9 / ns if ns > 0 else math.inf for ns in (node.value, node.high, node.low)))


def more_nodes(saved, ns_per_node):
    """Nodes a second more, as a fraction of the engine's now."""
    rate = rate_of(node_without(saved, ns_per_node))
    return Interval(*(end * ns_per_node / 1e9 - 1 for end in rate))


def prediction_of(method, saved, ns_per_node=None):
    """The Prediction of a method that saves so many ns a node."""
    if ns_per_node is None:
        return Prediction(method, saved, None, None, None)
    node = node_without(saved, ns_per_node)
    return Prediction(method, saved, node, rate_of(node), more_nodes(saved, ns_per_node))


def predicted(measured, queries_per_node, ns_per_node=None, model=MODEL):
    """The Prediction of a Measured."""
    return prediction_of(measured.method, saved_per_node(measured.saved, queries_per_node, model), ns_per_node)


def predictions(rows, queries_per_node, ns_per_node=None, model=MODEL):
    """The Predictions of many, list, those that save most first."""
    return best_first(predicted(row, queries_per_node, ns_per_node, model) for row in rows)


def best_first(found):
    """Predictions, list, those that save most first."""
    return sorted(found, key=lambda prediction: (-prediction.saved.value, prediction.method))
