# SPDX-License-Identifier: MIT
"""The page of an advice: the sentence, the figure, the table, and what to type next."""

from engines.advise_figure import KIND
from engines.advise_words import cells, heads, not_ruled_out, sentence
from report.data.words import true_minus
from report.page.html import render_page, shown_figures, table


def page_cell(text, value):
    """A cell as the page's tables take it."""
    return true_minus(text) if value is None else (true_minus(text), value)


def advice_page(advice, figures, following):
    """The page, an HTML document, with the figures that `write_figures` returned and the commands to go on with."""
    rows = [[page_cell(*cell) for cell in line] for line in cells(advice)]
    return render_page(
        "advice.html.j2",
        title=f"slidebench: advice for an engine with {advice.reference}",
        advice=advice,
        sentence=true_minus(sentence(advice)),
        others=not_ruled_out(advice),
        figures=shown_figures(figures)[KIND],
        methods=table("advice-table", heads(advice), rows),
        following=following,
        known={
            "stream": advice.stream.said,
            "queries": f"{advice.stream.queries:,}",
            "queries a node": f"{advice.queries_per_node:.2f}",
            "ns a node now": f"{advice.ns_per_node:.0f}" if advice.ns_per_node else None,
            "replayed on": advice.cpu,
        },
    )
