# SPDX-License-Identifier: MIT
"""Cost against pressure: the sweeps of a run, and where the lines of two methods cross.

A crossing is the number of touched cache lines at which two methods cost the same. Its interval comes from the rounds:
launches are drawn again, then rounds inside them, and each draw has its own crossing.
"""

import math
from dataclasses import dataclass

import matplotlib.pyplot as plt
import numpy as np

import report_data
from report_axes import nice_ticks, plain, times
from report_data import COMPARED_ROLES, ROUND, Cell, touched
from report_style import BAND, INK, MUTED, method_colour, shorten

DRAWS = 400
NAMED = 9


@dataclass(frozen=True)
class Sweep:
    """Cells that differ in nothing but the lines touched.

    Attributes:
        what: the pressure without its lines, such as `8M/eval/rows`.
        cells: Cells by rising lines; the first may be the isolated one, with 0 lines.
        lines: how many lines each touches at an event.
    """

    what: str
    cells: tuple
    lines: tuple

    @property
    def name(self):
        """str: the sweep as a heading has it."""
        first = self.cells[-1]
        rest = Cell(first.workload, first.trace, "", first.kinds, first.pages, first.corunners).name
        return f"{rest}: lines of {self.what}"

    def place(self, lines):
        """Where a number of lines is on the axis: logarithmic, and yet with a place for none."""
        return math.log2(1 + lines / min(n for n in self.lines if n > 0))

    def lines_at(self, place):
        """The number of lines at a place on the axis."""
        return (2**place - 1) * min(n for n in self.lines if n > 0)


@dataclass(frozen=True)
class Crossing:
    """Where two arms cost the same.

    Attributes:
        a, b: arms; `a` is the cheaper one below the crossing.
        lines: touched at each event.
        low, high: ends of the 95 % interval; None where it reaches beyond the sweep or no samples were there.
    """

    a: str
    b: str
    lines: float
    low: float | None
    high: float | None

    @property
    def is_clear(self):
        """bool: the whole interval lies within the sweep."""
        return self.low is not None and self.high is not None


def sweeps(run):
    """The sweeps of a run.

    Args:
        run: Run.

    Returns:
        list of Sweep with at least three cells.
    """
    groups = {}
    for cell in run.cells:
        found = touched(cell.pressure)
        if found is not None and found.lines > 0:
            key = (cell.workload, cell.trace, cell.kinds, cell.pages, cell.corunners, found.sweep)
            groups.setdefault(key, {}).setdefault(found.lines, cell)
    result = []
    for (workload, trace, *rest, what), cells in groups.items():
        isolated = Cell(workload, trace, "isolated", *rest)
        if isolated in run.cells:
            cells[0] = isolated
        if len(cells) >= 3:
            lines = sorted(cells)
            result.append(Sweep(what, tuple(cells[n] for n in lines), tuple(lines)))
    return result


def ratios(run, sweep):
    """Ratios to the reference along a sweep.

    Args:
        run: Run.
        sweep: Sweep.

    Returns:
        DataFrame by arm, a column a cell (its place in the sweep); arms without a ratio in every cell are left out.
    """
    columns = []
    for i, cell in enumerate(sweep.cells):
        rows = run.rows(cell, *COMPARED_ROLES).drop_duplicates("arm")
        columns.append(rows.set_index("arm")["ratio"].rename(i))
    return columns[0].to_frame().join(columns[1:], how="inner").dropna()


def leaders(wide):
    """The arms that are the cheapest somewhere along a sweep, in the order in which they lead."""
    return list(dict.fromkeys(wide[column].idxmin() for column in wide.columns)) if len(wide) else []


def crossings(run, sweep, seed=1):
    """Where methods cross the reference, and the leaders each other.

    Args:
        run: Run.
        sweep: Sweep.
        seed: of the draws.

    Returns:
        list of Crossing, by lines.
    """
    wide = ratios(run, sweep)
    reference = run.one(sweep.cells[0], "reference")
    if reference is None or wide.empty:
        return []
    first = leaders(wide)
    pairs = [(arm, reference["arm"]) for arm in wide.index if arm != reference["arm"]]
    pairs += [(a, b) for i, a in enumerate(first) for b in first[i + 1 :] if reference["arm"] not in (a, b)]
    places = np.array([sweep.place(n) for n in sweep.lines])
    logs = np.log(wide)
    slices = None
    found = []
    for a, b in pairs:
        curve = (logs.loc[a] - (logs.loc[b] if b != reference["arm"] else 0)).to_numpy()
        where = _roots(places, curve)
        if len(where) != 1:  # several crossings are two lines that cannot be told apart
            continue
        if slices is None:
            slices = [_by_round(run, cell) for cell in sweep.cells]
        low, high = _interval(places, curve, slices, (a, b), np.random.default_rng(seed))
        cheap, dear = (a, b) if curve[0] < 0 else (b, a)
        ends = [None if end is None else sweep.lines_at(end) for end in (low, high)]
        found.append(Crossing(cheap, dear, sweep.lines_at(where[0]), *ends))
    return sorted(found, key=lambda c: (c.lines, c.a, c.b))


def _roots(places, curve):
    """Where a curve of straight pieces is 0; a piece that only touches 0 does not count."""
    roots = []
    for x0, x1, y0, y1 in zip(places, places[1:], curve, curve[1:]):
        if (y0 < 0) != (y1 < 0):
            roots.append(x0 + (x1 - x0) * y0 / (y0 - y1))
    return roots


def _by_round(run, cell):
    """Logarithms of the time of every arm in every round: a table by round, a column an arm."""
    slices = run.slices(cell)
    if slices.empty:
        return None
    return np.log(slices.drop_duplicates([*ROUND, "arm"]).pivot(index=ROUND, columns="arm", values="ns_per_query"))


def _interval(places, curve, slices, pair, random):
    """The 95 % interval of a crossing's place; an end is None where it lies beyond the sweep or is not known."""
    drawn = []
    for wide in slices:
        if wide is None or not set(pair) <= set(wide.columns):
            return None, None
        difference = (wide[pair[0]] - wide[pair[1]]).dropna()
        launches = [rounds.to_numpy() for _, rounds in difference.groupby(level=[0, 1])]
        if not launches:
            return None, None
        drawn.append(_medians(launches, random))
    ends = [_crossing_of(places, np.array(values), curve[0] < 0) for values in zip(*drawn)]
    low, high = np.quantile(ends, [0.025, 0.975], method="nearest")
    return (low if math.isfinite(low) else None), (high if math.isfinite(high) else None)


def _medians(launches, random):
    """Medians over rounds, of launches and of rounds inside them drawn again; (DRAWS,)."""
    shortest = min(len(rounds) for rounds in launches)
    table = np.stack([rounds[:shortest] for rounds in launches])
    which = random.integers(len(table), size=(DRAWS, len(table), 1))
    rounds = random.integers(shortest, size=(DRAWS, len(table), shortest))
    return np.median(table[which, rounds].reshape(DRAWS, -1), axis=1)


def _crossing_of(places, values, starts_below):
    """The crossing of one draw; infinite on the side where it must lie if the draw has none."""
    roots = _roots(places, values)
    if roots:
        return float(np.median(roots))
    return math.inf if (values[0] < 0) == starts_below else -math.inf


def named_arms(run, sweep, most=NAMED):
    """The arms that a figure of a sweep names: leaders, the reference, then the best of each family at the end."""
    wide = ratios(run, sweep)
    rows = run.rows(sweep.cells[0], *COMPARED_ROLES).drop_duplicates("arm").set_index("arm").loc[wide.index]
    last = wide[wide.columns[-1]]
    best = last.groupby(rows["family"]).idxmin() if len(wide) else []
    order = leaders(wide) + list(rows.index[rows["role"] == "reference"]) + sorted(best, key=lambda arm: last[arm])
    return list(dict.fromkeys(order))[:most]


def figure_of(run, sweep):
    """Cost against lines touched, a line a method; crossings between the named ones with their interval.

    Args:
        run: Run.
        sweep: Sweep.

    Returns:
        Figure; None where no arm has a ratio in every cell.
    """
    wide = ratios(run, sweep)
    if wide.empty:
        return None
    named = named_arms(run, sweep)
    rows = run.rows(sweep.cells[0], *COMPARED_ROLES).drop_duplicates("arm").set_index("arm")
    places = [sweep.place(n) for n in sweep.lines]
    figure = plt.figure(figsize=(12, 6.2))
    axes = figure.add_axes([0.07, 0.12, 0.73, 0.74])
    for arm in wide.index:
        is_named = arm in named
        colour = method_colour(rows.loc[arm, "method"]) if is_named else BAND
        axes.plot(places, wide.loc[arm], color=colour, linewidth=1.8 if is_named else 0.8, zorder=3 if is_named else 1)
        if is_named:
            _draw_interval(axes, run, sweep, arm, colour)
    _mark_crossings(axes, sweep, wide, [c for c in crossings(run, sweep) if c.is_clear and {c.a, c.b} <= set(named)])
    axes.set_yscale("log")
    low, high = wide.loc[named].min().min() / 1.06, wide.loc[named].max().max() * 1.06
    axes.set_ylim(low, high)
    axes.set_yticks(nice_ticks(low, high), [times(t) for t in nice_ticks(low, high)])
    axes.minorticks_off()
    axes.set_xlim(places[0] - 0.1, places[-1])
    axes.set_xticks(places, [plain(n) for n in sweep.lines])
    axes.axhline(1, color=INK, linewidth=0.8, zorder=2)
    axes.grid(linewidth=0.5)
    axes.set(xlabel="cache lines touched at each event", ylabel="time / time of the reference, logarithmic")
    _end_labels(axes, [(wide.loc[arm].iloc[-1], shorten(rows.loc[arm, "label"], 26)) for arm in named])
    figure.text(0.012, 0.965, sweep.name, fontsize=12, fontweight="bold", va="top")
    words = "bars: 95 % intervals; diamonds: crossings of named methods with the 95 % interval; grey: the other methods"
    figure.text(0.012, 0.92, words, fontsize=9, color=MUTED, va="top")
    return figure


def _draw_interval(axes, run, sweep, arm, colour):
    for cell, lines in zip(sweep.cells, sweep.lines):
        row = run.rows(cell, *COMPARED_ROLES).drop_duplicates("arm").set_index("arm").loc[arm]
        if math.isfinite(row["ratio_low"]) and math.isfinite(row["ratio_high"]):
            axes.plot([sweep.place(lines)] * 2, [row["ratio_low"], row["ratio_high"]], color=colour, linewidth=3)


def _mark_crossings(axes, sweep, wide, found):
    for crossing in found:
        x = sweep.place(crossing.lines)
        y = math.exp(np.interp(x, [sweep.place(n) for n in sweep.lines], np.log(wide.loc[crossing.a])))
        ends = [sweep.place(crossing.low), sweep.place(crossing.high)]
        axes.plot(ends, [y, y], color=INK, linewidth=1.2, marker="|", zorder=4)
        axes.plot([x], [y], marker="D", markersize=5, color=INK, zorder=5)


def _end_labels(axes, ends):
    """Names at the right end of the lines, moved apart where they would touch."""
    low, high = (math.log(limit) for limit in axes.get_ylim())
    ends = sorted(ends)
    true = [(math.log(value) - low) / (high - low) for value, _ in ends]
    places, step = list(true), 0.04
    for _ in range(200):  # neighbours push each other apart, equally far
        for i in range(len(places) - 1):
            push = max(0.0, step - (places[i + 1] - places[i])) / 2
            places[i], places[i + 1] = places[i] - push, places[i + 1] + push
    for at, y, (_, label) in zip(true, places, ends):
        axes.annotate(
            label,
            (1, at),
            xycoords="axes fraction",
            xytext=(1.03, y),
            textcoords="axes fraction",
            va="center",
            fontsize=8,
            arrowprops={"arrowstyle": "-", "color": MUTED, "linewidth": 0.5},
            annotation_clip=False,
        )


def draw_all(run):
    """The figures of a run's sweeps.

    Args:
        run: Run.

    Yields:
        (stem, cells, Figure).
    """
    for sweep in sweeps(run):
        figure = figure_of(run, sweep)
        if figure is not None:
            last = sweep.cells[-1]
            bare = Cell(last.workload, last.trace, "", last.kinds, last.pages, last.corunners)
            yield f"crossover_{report_data.slug(bare.slug, sweep.what, '')}", list(sweep.cells), figure
