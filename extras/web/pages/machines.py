# SPDX-License-Identifier: MIT
"""What was measured on the machines of reports/machines: the verdicts, a machine's table, a method's places."""

from report.data.cells import COMPARED_ROLES
from report.data.files import dig, one_line
from report.data.words import human_change, human_interval, human_ratio
from report.figures.style import VERDICT_SIGNS, method_colour
from studies.browsers import PRESSURES, judged, results_in
from studies.machines import CELLS, MACHINES, collected

# What is timed in the situations of CELLS, by workload and pressure, of a search by its network.
SITUATIONS = {
    ("throughput", "isolated"): "in a loop",
    ("latency", "isolated"): "in a loop, each query waits for the last",
    ("throughput", "net0"): "replayed with an engine without a network",
    ("throughput", "net1024"): "replayed with a network of 1,024",
    ("perft", "isolated"): "in perft",
    ("engine", "net0"): "in a search without a network", ("engine", "net1024"): "in a search with a network of 1,024",
}  # fmt: skip
UNDECIDED = "no method is significantly faster than magic_fancy"


def situation(cell):
    """A cell in a reader's words."""
    return SITUATIONS[cell.workload, cell.trace if cell.workload == "engine" else cell.pressure]


class Machine:
    """A machine of the collection.

    Attributes:
        name: of its folder, and of its page; title: CPU and hypervisor; facts: list of (what, text).
        rows: dict cell -> its methods with the reference, fastest first, one a method, DataFrame.
    """

    def __init__(self, run):
        info = run.info
        self.name, self.run = run.folder.name, run
        self.title = one_line(", ".join(str(dig(info, "machine", key) or "no hypervisor") for key in ("cpu", "hypervisor")))
        caches = [(f"{level.upper()} cache", dig(info, "machine", f"{level}_bytes")) for level in ("l1d", "l2", "l3")]
        self.facts = [("CPU", dig(info, "machine", "cpu")), ("Family, model", _pair(info, "family", "model")),
                      ("Hypervisor", dig(info, "machine", "hypervisor")), ("Microcode", dig(info, "machine", "microcode")),
                      *((what, f"{size:,} bytes") for what, size in caches if size),
                      ("Compiler", dig(info, "build", "compiler")), ("Commit", info.get("commit")), ("Profile", info.get("profile")),
                      ("Measured", str(info.get("started"))[:10]),
                      ("Clock", f"{dig(info, 'effective_ghz', 'median') or 0:.2f} GHz"),
                      ("Identical code differed by at most", f"{100 * run.summary['aa_bound'].max():.1f} %")]  # fmt: skip
        self.facts = [(what, one_line(str(text))) for what, text in self.facts if text]
        found = {cell: run.rows(cell, *COMPARED_ROLES).sort_values("ratio").drop_duplicates("method") for cell in CELLS}
        self.rows = {cell: rows for cell, rows in found.items() if not rows.empty}

    def verdict(self, cell):
        """The fastest of the methods that are significantly faster than the reference: (id, change with its interval); id None where
        there is none; None where it was not measured."""
        rows = self.rows.get(cell)
        if rows is None:
            return None
        faster = rows[rows["verdict"] == "faster"]
        return (None, UNDECIDED) if faster.empty else (faster.iloc[0]["method"], changed(faster.iloc[0]))


def _pair(info, *names):
    values = [dig(info, "machine", name) for name in names]
    return None if None in values else ", ".join(map(str, values))


def changed(row):
    """A row's change of time with its interval."""
    low, high = (human_change(row[name]).removesuffix(" %") for name in ("ratio_low", "ratio_high"))
    return f"{human_change(row['ratio'])} [{low}, {high}]"


def ratio_text(row):
    """A row's ratio with its interval and the sign of its verdict."""
    shown = human_interval(row["ratio"], row["ratio_low"], row["ratio_high"], human_ratio)
    return f"{shown} {VERDICT_SIGNS.get(row['verdict'], '')}".strip()


def machines():
    """The collection, the latest first: list of Machine."""
    runs = sorted(collected(MACHINES), key=lambda run: str(run.info.get("started")), reverse=True)
    return [Machine(run) for run in runs]


def cells_of(found):
    """The cells that some machine has, nearest to an engine first."""
    return [cell for cell in reversed(CELLS) if any(cell in machine.rows for machine in found)]


def standings(found):
    """All situations on all machines: list of dict of `machine` (name), `situation` and `places`, dict method -> dict of `place` (1 is
    the fastest), `of` (how many methods), `ratio`, `text` (with interval and sign)."""
    return [
        {"machine": machine.name, "situation": situation(cell), "places": {
            row["method"]: {"place": number, "of": len(rows), "ratio": round(row["ratio"], 4), "text": ratio_text(row)}
            for number, (_, row) in enumerate(rows.iterrows(), 1)}}
        for machine in found for cell, rows in machine.rows.items()
    ]  # fmt: skip


def machine_table(machine):
    """(heads, rows) of a machine's table: of each method, by the first situation, (text, ratio) for each; None where not measured."""
    heads = [situation(cell) for cell in machine.rows]
    by_method = {}
    for column, rows in enumerate(machine.rows.values()):
        for _, row in rows.iterrows():
            by_method.setdefault(row["method"], [None] * len(heads))[column] = (ratio_text(row), round(row["ratio"], 4))
    return heads, list(by_method.items())


def measured_here(found, methods):
    """What the page that measures shows of the collection: dict of `signs`, `colours`, `machines` (list of {name, ratios: pressure
    -> method -> [ratio, low, high, verdict]}, browsers last)."""
    listed = []
    for machine in found:
        cells = {cell.pressure: rows.set_index("method") for cell, rows in machine.rows.items() if cell.workload == "throughput"}
        listed.append({"name": f"{machine.title}: native code", "ratios": {name: _numbers(cells.get(name), methods) for name in PRESSURES}})
    for result in results_in(MACHINES):
        cells = {pressure: judged(result, pressure)[0] for pressure in PRESSURES}
        shown = {name: _numbers(rows[rows["verdict"] != ""], methods) for name, rows in cells.items()}
        listed.append({"name": result.name, "ratios": shown})
    colours = {name: method_colour(name) for name in methods if name != "empty"}
    return {"signs": VERDICT_SIGNS, "colours": colours, "machines": listed}


def _numbers(rows, methods):
    if rows is None:
        return {}
    numbers = rows[["ratio", "ratio_low", "ratio_high"]].round(4).values.tolist()
    return {name: [*row, said] for name, row, said in zip(rows.index, numbers, rows["verdict"]) if name in methods}
