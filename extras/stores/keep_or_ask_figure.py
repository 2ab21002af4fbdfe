# SPDX-License-Identifier: MIT
"""What a made move takes, over the questions between two moves: a line for each store, and for asking anew."""

import math

import matplotlib.pyplot as plt

from report.figures.axes import spread
from report.figures.style import GRID, INK, MUTED, PAPER, label_colour, method_colour, shorten

MOST_COLUMNS = 3
WIDTH, NAMES, LEFT = 3.1, 1.55, 0.65  # inches: of a panel, of the names at its right, and left of it
LEAST_HEIGHT, ROW, ABOVE, BELOW = 2.9, 0.165, 0.45, 0.55  # inches: of a panel, a name, above it, below it
FOOT = 0.35  # inches
WORDS = "Dotted: the trace's own questions. Circle: where a store meets the reference, with the 95 % interval."
WORDS += " Dashed: copied stores."


def asked_anew(costs):
    """The reference, and of the other methods asked anew the one with the least time on the trace."""
    others = [name for name in costs.questions if name not in (costs.reference, *costs.stores)]
    times = (costs.moves + costs.per_move * costs.questions).mean()
    return [costs.reference, *([times[others].idxmin()] if others else [])]


def most_questions(costs, crossings):
    """How far an axis goes: beyond the trace's own questions, and beyond crossings that are not far."""
    near = [found[0] for found in crossings.values() if found[0] <= 3 * costs.per_move]
    return 1.2 * max([1.4 * costs.per_move, *near])


def draw(all_costs, crossings):
    """A panel for each of the Costs of studies.keep_or_ask; `crossings` has a dict store -> (value, low, high) for each."""
    columns = min(MOST_COLUMNS, len(all_costs))
    rows = math.ceil(len(all_costs) / columns)
    tall = max([LEAST_HEIGHT, *(ROW * (len(costs.stores) + 2) for costs in all_costs)])
    each = (LEFT + WIDTH + NAMES, ABOVE + tall + BELOW)
    size = (columns * each[0], rows * each[1] + FOOT)
    figure = plt.figure(figsize=size)
    for i, (costs, found) in enumerate(zip(all_costs, crossings)):
        left, bottom = (i % columns) * each[0] + LEFT, (rows - 1 - i // columns) * each[1] + BELOW + FOOT
        axes = figure.add_axes([left / size[0], bottom / size[1], WIDTH / size[0], tall / size[1]])
        draw_panel(axes, costs, found, ROW / tall)
    words = WORDS if columns > 1 else WORDS.replace("reference, ", "reference,\n")
    figure.text(0.15 / size[0], 0.12 / size[1], words, color=MUTED, fontsize=7.5)
    return figure


def draw_panel(axes, costs, crossings, step):
    """One panel; `step` is the height of a name, as a share of the panel's."""
    names, most = asked_anew(costs) + costs.stores, most_questions(costs, crossings)
    moves, questions = costs.moves.mean(), costs.questions.mean()
    ends = {name: moves[name] + most * questions[name] for name in names}
    for name in names:
        is_reference, is_copied = name == costs.reference, name.endswith("_copy")
        style = {"linewidth": 2.2 if is_reference else 1.3, "linestyle": "--" if is_copied else "-"}
        axes.plot([0, most], [moves[name], ends[name]], color=method_colour(name), **style, zorder=3 if is_reference else 2)
    axes.axvline(costs.per_move, color=MUTED, linewidth=1, linestyle=":", zorder=1)
    for name, found in crossings.items():
        mark_crossing(axes, name, found, moves[costs.reference], questions[costs.reference], most)
    axes.set_xlim(0, most)
    axes.set_ylim(0, 1.05 * max(*ends.values(), *moves[names]))
    axes.grid(color=GRID, linewidth=0.5)
    axes.set_title(costs.cell.name.removeprefix(f"{costs.cell.workload} on "), loc="left")
    axes.set_xlabel("questions a made move")
    axes.set_ylabel("ns a made move")
    write_names(axes, ends, step)


def mark_crossing(axes, name, found, move, question, most):
    """A circle where a store's line meets the reference's, whose move and question are given, if that lies in the panel."""
    value, low, high = found
    if not 0 < value <= most:
        return
    colour, height = method_colour(name), move + value * question
    if math.isfinite(low):
        along = [low, min(high, most)]
        axes.plot(along, [move + q * question for q in along], color=colour, linewidth=5, alpha=0.35, solid_capstyle="butt", zorder=4)
    axes.plot([value], [height], marker="o", markersize=6, markeredgecolor=colour, markerfacecolor=PAPER, zorder=5)


def write_names(axes, ends, step):
    """The names at the right ends of the lines, apart from each other, each with a thin line to its end."""
    order = sorted(ends, key=ends.get)
    top = axes.get_ylim()[1]
    places = spread([ends[name] / top for name in order], step)
    lowered = min(0.0, 1 - step / 2 - places[-1])
    for name, place in zip(order, places):
        axes.annotate(
            shorten(name, 25), (1, ends[name] / top), (1.06, place + lowered), "axes fraction", "axes fraction",
            color=label_colour(name), fontsize=7.5, va="center", annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": GRID, "linewidth": 0.6, "shrinkA": 0, "shrinkB": 0},
        )  # fmt: skip
    axes.tick_params(colors=MUTED, labelcolor=INK)
