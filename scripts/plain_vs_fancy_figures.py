# SPDX-License-Identifier: MIT
"""The figures of the comparison of plain and fancy magic. Each function returns a Figure; none writes a file.

Every figure of simulated counts says so in its title: copied elsewhere, it must still say what it is.
"""

import math

import matplotlib.pyplot as plt
import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from plain_vs_fancy_data import (
    CACHE_ORDER,
    DIFFERENT,
    EQUIVALENT,
    FANCY,
    MARGIN,
    PLAIN,
    TRACE_ORDER,
    UNDECIDED,
    UNRESOLVED,
    causes,
    headline,
    misses,
    rank,
)
from plain_vs_fancy_estimate import HOST, PARTS, cache_sizes
from report.data.cells import PRESSURE_ORDER
from report.data.simulation import board_of, LINE, sizes_of
from report.data.words import human_bytes
from report.figures.axes import guide_rows, log_axis, plain, times
from report.figures.style import BAND, INK, method_colour, MUTED, PAPER

WIDTH = 12
SIMULATED = "simulated, not measured"
PAGE_NAMES = {"4k": "4 KiB pages", "2m": "2 MiB pages"}
# verdict -> (marker, filled). Shape and filling carry the meaning, as in every report.
MARKERS = {EQUIVALENT: ("s", True), DIFFERENT: ("D", True), UNRESOLVED: ("s", False), UNDECIDED: ("o", False)}
DEPTHS = LinearSegmentedColormap.from_list("depths", ["#f4f6f9", "#b9d0e6", "#6c9fcc", "#2c6aa6", "#0b2550"])


def _head(figure, title, subtitle):
    height, width = figure.get_figheight(), figure.get_figwidth()
    figure.text(0.15 / width, 1 - 0.18 / height, title, fontsize=12, fontweight="bold", va="top")
    figure.text(0.15 / width, 1 - 0.43 / height, subtitle, fontsize=9, color=MUTED, va="top")


def _legend(figure, handles):
    figure.legend(
        handles=handles,
        loc="lower left",
        bbox_to_anchor=(0.005, 0.0),
        ncols=min(len(handles), 6),
        frameon=False,
        fontsize=8.5,
    )


def _panels(count, rows, left=2.9, top=0.95, bottom=0.95, row_inches=0.25):
    """A figure of `count` panels side by side that share their rows, names on the left."""
    body = max(rows, 3) * row_inches
    height = top + body + bottom
    figure = plt.figure(figsize=(WIDTH, height))
    gap = 0.25
    width = (WIDTH - left - 0.2 - gap * (count - 1)) / count
    boxes = [[(left + i * (width + gap)) / WIDTH, bottom / height, width / WIDTH, body / height] for i in range(count)]
    return figure, [figure.add_axes(box) for box in boxes]


def _rows(axes, names, show):
    axes.set_ylim(max(len(names), 3) - 0.5, -0.5)
    axes.set_yticks(range(len(names)) if show else [], names if show else [], fontsize=8.5)
    axes.tick_params(length=0, axis="y")
    axes.spines["left"].set_visible(False)
    guide_rows(axes, len(names))


def setting_name(row):
    """A setting without its pages, as a row of a figure or table has it."""
    more = [] if row.kinds == "all" else [f"{row.kinds} only"]
    more += [] if str(row.corunners) == "0" else [f"{row.corunners} co-runners"]
    return ", ".join([row.workload, row.trace, row.pressure, *more])


def ratios(verdicts, title="Plain magic against fancy magic in every setting, measured", names=None):
    """Plain over fancy, a panel a kind of page, with the band within which they count as equal.

    Args:
        verdicts: rows.
        title: plain text.
        names: of the settings, one a row; None for those of `setting_name`.
    """
    names_of_rows = [setting_name(row) for row in verdicts.itertuples()] if names is None else names
    verdicts = verdicts.assign(shown=names_of_rows)
    names = list(dict.fromkeys(names_of_rows))
    pages = [name for name in ("4k", "2m") if name in set(verdicts["pages"])]
    figure, panels = _panels(len(pages), len(names))
    low, high = min(verdicts["ratio_low"].min(), 1 / MARGIN**2), max(verdicts["ratio_high"].max(), MARGIN**2)
    air = (high / low) ** 0.05
    for axes, page in zip(panels, pages):
        log_axis(axes.xaxis, low / air, high * air, times, 6)
        _rows(axes, names, axes is panels[0])
        axes.axvspan(1 / MARGIN, MARGIN, color=BAND, linewidth=0, zorder=0)
        axes.axvline(1, color=INK, linewidth=0.8, zorder=1)
        axes.grid(axis="x", linewidth=0.6)
        axes.set_title(PAGE_NAMES[page], loc="left")
        axes.set_xlabel("time of plain / time of fancy, logarithmic")
        own = verdicts[verdicts["pages"] == page]
        for y in (y for y, name in enumerate(names) if name not in set(own["shown"])):
            axes.text(1.005 * MARGIN, y, "not measured", va="center", size=8, color=MUTED, backgroundcolor=PAPER)
        for row in own.itertuples():
            y, colour = names.index(row.shown), method_colour(PLAIN)
            shape, filled = MARKERS[row.verdict]
            axes.plot([row.ratio_low, row.ratio_high], [y, y], color=colour, linewidth=1.8, zorder=3)
            axes.plot(
                [row.ratio],
                [y],
                shape,
                color=colour,
                markerfacecolor=colour if filled else PAPER,
                markersize=6,
                zorder=4,
            )
    _head(
        figure,
        title,
        f"left of {times(1)}: plain is faster; grey: within {100 * (MARGIN - 1):g} % they count as equal; "
        "bars: 95 % intervals",
    )
    handles = [
        Line2D(
            [],
            [],
            color=method_colour(PLAIN),
            marker=shape,
            linestyle="none",
            label=verdict,
            markerfacecolor=method_colour(PLAIN) if filled else PAPER,
        )
        for verdict, (shape, filled) in MARKERS.items()
    ]
    _legend(figure, handles)
    return figure


def trade_off(study, workload, trace):
    """Every measured method under growing pressure, a panel a kind of page; None without two methods and pressures."""
    rows = study.summary[(study.summary["workload"] == workload) & (study.summary["trace"] == trace)]
    rows = rows[(rows["kinds"] == "all") & (rows["corunners"] == "0") & rows["role"].isin(["method", "reference"])]
    pressures = [name for name in PRESSURE_ORDER if name in set(rows["pressure"])]
    pages = [name for name in ("4k", "2m") if name in set(rows["pages"])]
    if len(pressures) < 2 or not pages:
        return None
    figure = plt.figure(figsize=(WIDTH, 5.4))
    values = rows[["ratio_low", "ratio_high"]].to_numpy(dtype="float64")
    low, high = np.nanmin(values) / 1.03, np.nanmax(values) * 1.03
    for i, page in enumerate(pages):
        width = (WIDTH - 0.85 - 0.65 * len(pages)) / len(pages)
        axes = figure.add_axes([(0.85 + i * (width + 0.75)) / WIDTH, 0.235, width / WIDTH, 0.6])
        log_axis(axes.yaxis, low, high, times, 7)
        axes.axhspan(1 / MARGIN, MARGIN, color=BAND, linewidth=0, zorder=0)
        for method in study.methods:
            line = rows[(rows["method"] == method) & (rows["pages"] == page)].set_index("pressure").reindex(pressures)
            xs, colour = np.arange(len(pressures)), method_colour(method)
            own = method in (PLAIN, FANCY)
            axes.fill_between(
                xs,
                line["ratio_low"].astype(float),
                line["ratio_high"].astype(float),
                color=colour,
                alpha=0.18,
                linewidth=0,
            )
            ratio = np.ones(len(xs)) if method == FANCY else line["ratio"].astype(float)
            axes.plot(
                xs,
                ratio,
                color=colour,
                linewidth=2.4 if own else 1.4,
                marker=MARKS[study.methods.index(method) % len(MARKS)],
                markersize=6,
                zorder=3,
            )
        axes.set_xticks(range(len(pressures)), pressures)
        axes.grid(linewidth=0.5)
        axes.set_title(PAGE_NAMES[page], loc="left")
        if i == 0:
            axes.set_ylabel(f"time / time of {FANCY}, logarithmic")
    _head(
        figure,
        f"The same trade-off, other points: {workload} on the {trace} trace, measured",
        f"grey: within {100 * (MARGIN - 1):g} % of fancy; bands: 95 % intervals; table bytes in brackets",
    )
    handles = [
        Line2D(
            [],
            [],
            color=method_colour(m),
            marker=MARKS[i % len(MARKS)],
            label=f"{m} ({human_bytes(study.table_bytes(m))})",
        )
        for i, m in enumerate(study.methods)
    ]
    figure.legend(handles=handles, loc="lower left", bbox_to_anchor=(0.005, 0.0), ncols=4, frameon=False, fontsize=8.5)
    return figure


MARKS = ("D", "o", "s", "^", "v", "<", ">", "P", "X")


def ladder(study):
    """Latency of a dependent load against the size it wanders in, on each kind of page, with this machine's caches."""
    rows = study.ladder
    figure = plt.figure(figsize=(WIDTH, 5.2))
    axes = figure.add_axes([0.065, 0.2, 0.915, 0.63])
    axes.set_xscale("log", base=2)
    low, high = rows["bytes"].min(), rows["bytes"].max()
    axes.set_xlim(low / 1.2, high * 1.2)
    ticks = [2.0**k for k in range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1, 2)]
    axes.set_xticks(ticks, [human_bytes(tick) for tick in ticks])
    axes.minorticks_off()
    log_axis(axes.yaxis, rows["ns_per_load_q1"].min() / 1.2, rows["ns_per_load_q3"].max() * 1.2, plain)
    styles = {"4k": ("-", "o", INK), "2m": ("--", "s", MUTED)}
    handles = []
    for page, line in rows.groupby("pages", sort=True):
        style, marker, colour = styles.get(page, (":", "^", MUTED))
        axes.fill_between(
            line["bytes"], line["ns_per_load_q1"], line["ns_per_load_q3"], color=BAND, alpha=0.6, linewidth=0
        )
        handles += axes.plot(
            line["bytes"],
            line["ns_per_load"],
            style,
            color=colour,
            marker=marker,
            markersize=4,
            label=PAGE_NAMES.get(page, page),
        )
    for level, size in cache_sizes(study.machine).items():
        _mark(axes, size, f"{level} {human_bytes(size)}", low, high)
    for method in (FANCY, PLAIN):
        axes.axvline(study.table_bytes(method), color=method_colour(method), linewidth=1.6, zorder=1)
        handles.append(Line2D([], [], color=method_colour(method), linewidth=1.6, label=f"all of {method}'s tables"))
    axes.grid(linewidth=0.5)
    axes.set_ylabel("ns a dependent load, logarithmic")
    _head(
        figure,
        "The latency ladder of this machine, measured",
        "a pointer chase along one random cycle through all lines; median over chases, shaded between the quartiles",
    )
    _legend(figure, handles)
    return figure


def _mark(axes, x, label, low, high):
    if low <= x <= high:
        axes.axvline(x, color=MUTED, linewidth=0.9, linestyle=(0, (2, 3)), zorder=1)
        axes.text(
            x, 1.01, label, transform=axes.get_xaxis_transform(), ha="center", va="bottom", fontsize=8, color=MUTED
        )


def curves(study, trace):
    """Simulated misses a query of both against the size of the cache and of the TLB; None without reuse distances."""
    rows = study.curves[(study.curves["trace"] == trace) & study.curves["method"].isin([PLAIN, FANCY])]
    grains = sorted(rows["granularity_bytes"].unique())
    if rows.empty:
        return None
    figure = plt.figure(figsize=(WIDTH, 4.9))
    marks = cache_sizes(study.machine)
    specification = next(
        (c["specification"] for i in study.simulations.values() for c in i.get("caches", []) if c.get("name") == HOST),
        "",
    )
    for i, grain in enumerate(grains):
        width = (WIDTH - 1.5) / len(grains)
        axes = figure.add_axes([(0.65 + i * (width + 0.55)) / WIDTH, 0.2, (width - 0.1) / WIDTH, 0.6])
        lines = grain == LINE
        unit = grain if lines else 1
        axes.set_xscale("log", base=2)
        own = rows[rows["granularity_bytes"] == grain]
        for method in (FANCY, PLAIN):
            line = own[own["method"] == method].sort_values("cache_lines")
            axes.plot(
                line["cache_lines"] * unit,
                line["per_query"],
                color=method_colour(method),
                linewidth=2,
                linestyle="-" if method == FANCY else "--",
            )
        low, high = 2048 if lines else 4, (8 << 20) if lines else 4096
        axes.set_xlim(low, high)
        ticks = [2.0**k for k in range(int(math.log2(low)), int(math.log2(high)) + 1, 2)]
        axes.set_xticks(ticks, [human_bytes(tick) if lines else plain(tick) for tick in ticks])
        axes.minorticks_off()
        shown = own[(own["cache_lines"] * unit).between(low, high)]
        axes.set_ylim(0, 1.05 * shown["per_query"].max() or 1)
        axes.grid(linewidth=0.5)
        axes.set_xlabel(
            "size of a cache (fully associative, LRU)" if lines else "entries of a TLB (fully associative, LRU)"
        )
        axes.set_ylabel("misses a query")
        sizes = marks if lines else {k: v for k, v in sizes_of(specification).items() if k in ("DTLB", "STLB")}
        for level, size in sizes.items():
            _mark(axes, size, f"{level} of the host", low, high)
    _head(
        figure,
        f"Misses of every cache size, {SIMULATED}",
        f"{trace} trace, nothing else in the cache; from exact reuse distances",
    )
    _legend(
        figure,
        [
            Line2D([], [], color=method_colour(m), linewidth=2, linestyle="-" if m == FANCY else "--", label=m)
            for m in (FANCY, PLAIN)
        ],
    )
    return figure


def level_misses(study, trace, pages):
    """Simulated misses of both on every cache and under every pressure, a panel a level; None where there are none."""
    rows = misses(study)
    rows = rows[(rows["trace"] == trace) & (rows["pages"] == pages)]
    if rows.empty:
        return None
    places = sorted(
        set(zip(rows["cache"], rows["pressure"])),
        key=lambda place: (rank(CACHE_ORDER, place[0]), rank(PRESSURE_ORDER, place[1])),
    )
    metrics = [metric for metric in PARTS if metric in set(rows["metric"])]
    figure, panels = _panels(len(metrics), len(places), left=2.0)
    for axes, metric in zip(panels, metrics):
        _rows(axes, [f"{cache}, {pressure}" for cache, pressure in places], axes is panels[0])
        own = rows[rows["metric"] == metric].set_index(["method", "cache", "pressure"])["per_query"]
        for y, place in enumerate(places):
            values = {method: own.get((method, *place), math.nan) for method in (FANCY, PLAIN)}
            axes.plot(list(values.values()), [y, y], color=MUTED, linewidth=1, zorder=2)
            for method, value in values.items():
                axes.plot(
                    [value],
                    [y],
                    "o" if method == FANCY else "D",
                    color=method_colour(method),
                    markersize=5.5,
                    zorder=3,
                    markerfacecolor=method_colour(method) if method == PLAIN else PAPER,
                )
        axes.set_xlim(left=-0.04 * (own.max() or 1), right=1.1 * own.max() if own.max() > 0 else 1)
        axes.locator_params(axis="x", nbins=4)
        axes.grid(axis="x", linewidth=0.6)
        axes.set_title(PARTS[metric], loc="left")
        axes.set_xlabel("misses a query")
    _head(
        figure,
        f"Misses a query at every level, {SIMULATED}",
        f"{trace} trace, {PAGE_NAMES[pages]}; median over draws of page placements",
    )
    _legend(
        figure,
        [
            Line2D(
                [],
                [],
                color=method_colour(m),
                marker="o" if m == FANCY else "D",
                linestyle="none",
                label=m,
                markerfacecolor=method_colour(m) if m == PLAIN else PAPER,
            )
            for m in (FANCY, PLAIN)
        ],
    )
    return figure


def why_missed(study, trace, pages):
    """Compulsory, capacity and conflict misses of the L1D, simulated; None where they were not told apart."""
    rows = causes(study)
    rows = rows[(rows["trace"] == trace) & (rows["pages"] == pages)]
    if rows.empty:
        return None
    keys = sorted(set(zip(rows["cache"], rows["method"])), key=lambda key: (rank(CACHE_ORDER, key[0]), key[1]))
    figure, (axes,) = _panels(1, len(keys), left=2.6)
    table = rows.set_index(["cache", "method"])
    _rows(axes, [f"{cache}, {method}" for cache, method in keys], True)
    patches = {"compulsory": ("", BAND), "capacity": ("///", PAPER), "conflict": ("", MUTED)}
    for y, key in enumerate(keys):
        right, left = 0.0, 0.0
        for cause, (hatch, colour) in patches.items():
            value = float(table.loc[key, cause])
            start = left if value < 0 else right  # conflicts can be less than none: a set can shield what LRU evicts
            axes.barh(
                [y],
                [value],
                left=[start],
                height=0.62,
                color=colour,
                edgecolor=method_colour(key[1]),
                hatch=hatch,
                linewidth=1,
            )
            left, right = (left + value, right) if value < 0 else (left, right + value)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.grid(axis="x", linewidth=0.6)
    axes.set_xlabel("L1D misses a query")
    _head(
        figure, f"Why the L1D is missed, {SIMULATED}", f"{trace} trace, nothing else in the cache, {PAGE_NAMES[pages]}"
    )
    _legend(
        figure,
        [
            Patch(facecolor=colour, hatch=hatch, edgecolor=MUTED, label=cause)
            for cause, (hatch, colour) in patches.items()
        ],
    )
    return figure


def boards(study, place):
    """Simulated L1D misses a query, square by square: fancy, plain, and plain less fancy, for bishop and rook.

    Args:
        study: Study.
        place: (trace, pressure, cache, pages).

    Returns:
        Figure, or None where there are no squares of the place.
    """
    rows = study.squares
    rows = rows[(rows[["trace", "pressure", "cache", "pages"]] == list(place)).all(axis=1)]
    if not {PLAIN, FANCY} <= set(rows["method"]):
        return None
    figure = plt.figure(figsize=(WIDTH, 8.2))
    for down, piece in enumerate(("bishop", "rook")):
        grids = [board_of(rows, method, piece, "l1d_misses") for method in (FANCY, PLAIN)]
        most = np.nanmax(grids) or 1
        apart = np.nanmax(np.abs(grids[1] - grids[0])) or 1
        for across, (name, grid) in enumerate(zip((FANCY, PLAIN, "plain less fancy"), [*grids, grids[1] - grids[0]])):
            axes = figure.add_axes(
                [(0.5 + 3.85 * across) / WIDTH, (0.45 + 3.65 * (1 - down)) / 8.2, 3.2 / WIDTH, 3.2 / 8.2]
            )
            signed = across == 2
            image = axes.imshow(
                grid,
                origin="lower",
                cmap="PuOr_r" if signed else DEPTHS,
                vmin=-apart if signed else 0,
                vmax=apart if signed else most,
            )
            for (y, x), value in np.ndenumerate(grid):
                if math.isfinite(value):
                    red, green, blue, _ = image.cmap(image.norm(value))
                    dark = 0.3 * red + 0.59 * green + 0.11 * blue < 0.5
                    axes.text(
                        x, y, f"{value:.2f}", ha="center", va="center", fontsize=6.5, color=PAPER if dark else INK
                    )
            axes.set_xticks(range(8), "abcdefgh")
            axes.set_yticks(range(8), "12345678")
            axes.tick_params(length=0)
            for spine in axes.spines.values():
                spine.set_visible(False)
            axes.set_title(f"{piece}: {name}", loc="left", fontsize=9)
    trace, pressure, cache, pages = place
    _head(
        figure,
        f"L1D misses a query by square, {SIMULATED}",
        f"{trace} trace, {pressure}, cache {cache}, {PAGE_NAMES[pages]}",
    )
    return figure


def estimate(rows):
    """Estimated against measured differences between plain and fancy, a panel a workload; None without any."""
    rows = rows[rows["comparison"] == "plain - fancy"]
    workloads = list(dict.fromkeys(rows["workload"]))
    if not workloads:
        return None
    figure = plt.figure(figsize=(WIDTH, 6.2))
    values = rows[["measured_ns", "measured_low", "measured_high", "estimated_ns"]].to_numpy(dtype="float64")
    low, high = min(np.nanmin(values), 0), max(np.nanmax(values), 0)
    air = 0.06 * (high - low or 1)
    pressures = [name for name in PRESSURE_ORDER if name in set(rows["pressure"])]
    for i, workload in enumerate(workloads):
        width = (WIDTH - 1.6) / max(len(workloads), 2)
        axes = figure.add_axes([(0.65 + i * (width + 0.6)) / WIDTH, 0.17, (width - 0.1) / WIDTH, 0.68])
        axes.set(xlim=(low - air, high + air), ylim=(low - air, high + air))
        axes.axline((0, 0), slope=1, color=MUTED, linewidth=0.9, linestyle=(0, (4, 3)))
        axes.axhline(0, color=BAND, linewidth=0.8, zorder=0)
        axes.axvline(0, color=BAND, linewidth=0.8, zorder=0)
        for row in rows[rows["workload"] == workload].itertuples():
            marker, colour = MARKS[pressures.index(row.pressure) % len(MARKS)], method_colour(PLAIN)
            axes.plot(
                [row.estimated_ns] * 2, [row.measured_low, row.measured_high], color=colour, linewidth=1, alpha=0.6
            )
            axes.plot(
                [row.estimated_ns],
                [row.measured_ns],
                marker,
                color=colour,
                markersize=6.5,
                markerfacecolor=colour if row.pages == "4k" else PAPER,
            )
        axes.set_title(workload, loc="left")
        axes.set_xlabel("estimated from simulated misses, ns a query")
        axes.set_ylabel("measured, ns a query")
        axes.grid(linewidth=0.5)
    _head(
        figure,
        "Plain less fancy: estimated from simulated misses, and measured",
        "on the dashed line the estimate holds; bars: 95 % intervals of what was measured",
    )
    handles = [
        Line2D([], [], color=MUTED, marker=MARKS[i % len(MARKS)], linestyle="none", label=name)
        for i, name in enumerate(pressures)
    ]
    handles.append(
        Line2D([], [], color=MUTED, marker="o", markerfacecolor=PAPER, linestyle="none", label="hollow: 2 MiB pages")
    )
    _legend(figure, handles)
    return figure


def draw_all(study, verdicts, estimated):
    """All figures.

    Args:
        study: Study.
        verdicts: of plain_vs_fancy_data.verdicts.
        estimated: of plain_vs_fancy_estimate.estimates.

    Yields:
        (stem, Figure).
    """
    head = headline(study, verdicts)
    if len(head):
        names = [name + (" (other run)" if place else "") for name, place in zip(head["name"], head["place"])]
        yield "answer", ratios(head, "Plain magic against fancy magic, measured", names)
    yield "ratios", ratios(verdicts)
    trace = main_trace(study)
    found = {f"trade_off_{workload}": trade_off(study, workload, trace) for workload in ("throughput", "latency")}
    yield from ((stem, figure) for stem, figure in found.items() if figure is not None)
    yield "ladder", ladder(study)
    simulated = main_trace(study, simulated=True)
    pressure = main_pressure(study)
    found = {
        "simulated_curves": curves(study, simulated),
        "simulated_misses_4k": level_misses(study, simulated, "4k"),
        "simulated_misses_2m": level_misses(study, simulated, "2m"),
        "simulated_causes": why_missed(study, simulated, "4k"),
        "simulated_boards": boards(study, (simulated, pressure, HOST, "4k")),
        "estimate": estimate(estimated),
    }
    yield from ((stem, figure) for stem, figure in found.items() if figure is not None)


def main_trace(study, simulated=False):
    """The trace that stands for all in figures of one: the most lifelike."""
    names = set((study.counts if simulated else study.summary[study.summary["ratio"].notna()])["trace"])
    return min(names, key=lambda name: rank(TRACE_ORDER, name))


def main_pressure(study):
    """The simulated pressure of the boards: a network's, or whatever there is."""
    names = set(study.squares["pressure"])
    return "nnue" if "nnue" in names else min(names, key=lambda name: rank(PRESSURE_ORDER, name))
