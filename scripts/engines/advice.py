# SPDX-License-Identifier: MIT
"""The advice: what each method would bring in the engine whose stream was replayed, put together from what is known."""

from dataclasses import dataclass

from engines.advise_amounts import NOTHING, amounts_of
from engines.advise_dose import saved_by_dose
from engines.prediction import (
    DOSE_MODEL,
    MODEL,
    Interval,
    Measured,
    Prediction,
    best_first,
    more_nodes,
    prediction_of,
    predictions,
)
from report.analysis.findings import has_failed
from report.data.files import dig, items, number, one_line
from report.errors import ReportError

KIND_WORDS = {
    "cycles": "latency (--replayed RUN, with --workload throughput --workload latency --pressure isolated --pressure net1024)",
    "instructions": "instructions (`slidebench kernel --trace TRACE --format csv > REPLAY/kernel.csv`)",
    "lines": "tables (`slidebench simulate --no-random --trace TRACE --out REPLAY/simulation`)",
}


@dataclass(frozen=True)
class Row:
    """A method in the advice."""

    prediction: Prediction  # by the advice's basis
    by: dict  # basis ("dose", "replay") -> Interval, ns a node saved by it
    ratio: Interval  # of the replay
    table_bytes: float
    needs: str  # of the CPU, "" for nothing

    @property
    def method(self):
        """str: its id."""
        return self.prediction.method

    @property
    def is_shown(self):
        """bool: whether it is shown to be faster than the reference."""
        return bool(self.prediction.saved.low > 0)


@dataclass(frozen=True)
class Advice:
    """All that is said."""

    reference: str
    basis: str  # of the predictions: "dose", "replay"
    rows: tuple  # of Row, those that save most first; without the reference
    bound: Prediction  # of an answer for nothing
    reference_bytes: float
    reference_needs: str
    stream: object  # Stream
    queries_per_node: float
    ns_per_node: float | None  # of the engine now
    cpu: str
    notes: tuple  # of str

    @property
    def best(self):
        """Row: the first that is shown to be faster, None where none is."""
        return next((row for row in self.rows if row.is_shown), None)

    @property
    def named(self):
        """Row: the best, or the best guess."""
        return self.best or self.rows[0]


def ns_of(options, dose):
    """ns a node of the engine now, None where neither the user nor a dose says."""
    if options.nodes_per_second is not None:
        return 1e9 / options.nodes_per_second
    return dose.ns_per_node if dose else None


def check_plausible(bound, ns_per_node):
    """ReportError where an answer for nothing would leave no time at all."""
    if ns_per_node is not None and bound.saved.value >= ns_per_node:
        words = f"a node takes {ns_per_node:.0f} ns, its queries {bound.saved.value:.0f} ns by the replay"
        raise ReportError(f"{words}: are the nodes a second of one thread, and of the stream's engine?")


def dose_estimates(run, trace, methods, reference, dose, stream):
    """(method -> ns a node saved by the dose, the kinds of which the folder says nothing)."""
    amounts = amounts_of(run, trace, reference, dose.cycle_ns)
    missing = [kind for kind, known in amounts.items() if not set(methods) & set(known)]
    if missing:
        return {}, missing
    share = stream.queries_per_node / stream.recorded_per_node
    whole = [method for method in [*methods, NOTHING] if all(method in known for known in amounts.values())]
    return {m: saved_by_dose({kind: known[m] for kind, known in amounts.items()}, dose, share) for m in whole}, []


def notes_of(run, stream, ns_per_node, dose, missing, basis):
    """What to know besides: yields sentences."""
    if ns_per_node is None:
        yield "No percentages: give --nodes-per-second N, of one thread of your engine, or --dose DIR."
    if dose and missing:
        lacking = "; ".join(KIND_WORDS[kind] for kind in missing)
        yield f"No estimate by the dose, for which the replay lacks: {lacking}."
    if stream.cut_off:
        yield "A log ends within a record; it was taken up to there."
    if has_failed(run):
        yield "The replay failed its own checks: do not rely on it (`slidebench check-run` of its folder says why)."
    by, missed = f"{MODEL.slope:g} (±{MODEL.slope_error:g}) times the replay's difference", MODEL.rms_ns_per_query
    if basis == "dose":
        by, missed = "what its doses cost, for each method's cycles, instructions and lines", DOSE_MODEL.rms_ns_per_query
    yield f"Predicted, not measured in your engine: {by}, missed by {missed:g} ns a query. A duel of two builds tells."


def facts_of(run):
    """method -> (bytes of its tables, what the CPU must have)."""
    methods = items(run.info, "methods")
    return {entry.get("id"): (number(entry.get("table_bytes")) or 0, one_line(entry.get("isa") or "")) for entry in methods}


def advice_of(run, trace, found, net, rows, stream, dose, options):
    """The Advice, of what `advise_replay.measured` gave."""
    reference, ns = options.reference, ns_of(options, dose)
    queries = stream.queries_per_node
    if dose:
        queries = dose.queries_per_node * stream.queries_per_node / stream.recorded_per_node
    by = {"replay": predictions([*found, Measured(NOTHING, net)], queries, ns)}
    missing = []
    if dose:
        saved, missing = dose_estimates(run, trace, [m.method for m in found], reference, dose, stream)
        by["dose"] = best_first(prediction_of(method, less, ns) for method, less in saved.items())
    basis = "dose" if len(by.get("dose", ())) == len(by["replay"]) else "replay"
    bound = next(prediction for prediction in by[basis] if prediction.method == NOTHING)
    check_plausible(bound, ns)
    saved_by = {name: {p.method: p.saved for p in told} for name, told in by.items()}
    facts = facts_of(run)
    ratios = {row.Index: Interval(row.ratio, row.ratio_low, row.ratio_high) for row in rows.itertuples()}
    told = [
        Row(p, {name: known[p.method] for name, known in saved_by.items() if p.method in known}, ratios[p.method],
            *facts.get(p.method, (rows["table_bytes"][p.method], "")))
        for p in by[basis]
        if p is not bound
    ]  # fmt: skip
    return Advice(
        reference,
        basis,
        tuple(told),
        bound,
        *facts.get(reference, (rows["table_bytes"][reference], "")),
        stream,
        queries,
        ns,
        one_line(dig(run.info, "machine", "cpu") or "an unknown CPU"),
        tuple(notes_of(run, stream, ns, dose, missing, basis)),
    )


def more_by(row, advice, basis):
    """Nodes a second more by a basis, as a fraction; None where that is not known."""
    known = advice.ns_per_node is not None and basis in row.by
    return more_nodes(row.by[basis], advice.ns_per_node) if known else None
