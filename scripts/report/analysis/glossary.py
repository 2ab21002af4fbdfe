# SPDX-License-Identifier: MIT
"""The words that a programmer from elsewhere may not know, as `slidebench help glossary` explains them."""

import json

from report.data.headers import ROOT

LINES = json.loads((ROOT / "harness" / "answer" / "glossary.json").read_text())
GLOSSARY = {word: meaning for words, meaning in LINES.items() for word in words.split(", ")}
# Those that no English reader takes for plain words: a tooltip each.
JARGON = """throughput latency setwise perft isolated net0 net256 net1024 lukewarm nnue nnue-xl ratio A/A margin
    equivalent inconclusive unresolved""".split()
