# SPDX-License-Identifier: MIT
"""The advice: what each method would bring in the engine whose stream was replayed, put together from what is known."""

from dataclasses import dataclass

from engines.advise_amounts import amounts_of
from engines.advise_dose import saved_by_dose
from engines.prediction import MODEL, Interval, Measured, Prediction, more_nodes, predicted, predictions
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

    prediction: Prediction
    by_dose: Interval | None  # ns a node saved by the dose's slopes
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
        return self.prediction.saved.low > 0


@dataclass(frozen=True)
class Advice:
    """All that is said."""

    reference: str
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
    whole = [method for method in methods if all(method in known for known in amounts.values())]
    return {m: saved_by_dose({kind: known[m] for kind, known in amounts.items()}, dose, share) for m in whole}, []


def notes_of(run, stream, ns_per_node, dose, missing):
    """What to know besides: yields sentences."""
    if ns_per_node is None:
        yield "No percentages: give --nodes-per-second N, of one thread of your engine, or --dose DIR."
    if dose and missing:
        lacking = "; ".join(KIND_WORDS[kind] for kind in missing)
        yield f"No second estimate by the dose, for which the replay lacks: {lacking}."
    elif dose:
        yield "By the dose: its slopes times cycles, instructions and lines. That interval holds the noise of these alone."
    if stream.cut_off:
        yield "A log ends within a record; it was taken up to there."
    if has_failed(run):
        yield "The replay failed its own checks: do not rely on it (`slidebench check-run` of its folder says why)."
    yield (f"Predicted, not measured in your engine: {MODEL.slope:g} (±{MODEL.slope_error:g}) times the replay's difference, "
           f"missed by {MODEL.rms_ns_per_query:g} ns a query. A duel of two builds tells.")  # fmt: skip


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
    bound = predicted(Measured("", net), queries, ns)
    check_plausible(bound, ns)
    by_dose, missing = dose_estimates(run, trace, [m.method for m in found], reference, dose, stream) if dose else ({}, [])
    facts = facts_of(run)
    ratios = {row.Index: Interval(row.ratio, row.ratio_low, row.ratio_high) for row in rows.itertuples()}
    told = [
        Row(p, by_dose.get(p.method), ratios[p.method], *facts.get(p.method, (rows["table_bytes"][p.method], "")))
        for p in predictions(found, queries, ns)
    ]
    return Advice(
        reference,
        tuple(told),
        bound,
        *facts.get(reference, (rows["table_bytes"][reference], "")),
        stream,
        queries,
        ns,
        one_line(dig(run.info, "machine", "cpu") or "an unknown CPU"),
        tuple(notes_of(run, stream, ns, dose, missing)),
    )


def more_by_dose(row, advice):
    """Nodes a second more by the dose, as a fraction; None where that is not known."""
    return None if row.by_dose is None or advice.ns_per_node is None else more_nodes(row.by_dose, advice.ns_per_node)
