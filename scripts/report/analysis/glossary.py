# SPDX-License-Identifier: MIT
"""The words that a programmer from elsewhere may not know: tooltips of the page, and its glossary."""


# Words that are also plain English: explained in the glossary alone.
COMMON = {"update", "batch", "engine", "duel", "both", "light", "void", "interval"}
GLOSSARY = {
    "throughput": "queries that do not wait for each other: as many as the CPU can keep in flight",
    "latency": "each query waits for the answer of the last",
    "setwise": "the attacks of all sliders of a side at once",
    "batch": "all sliders of a position at once, each with an answer of its own; a time is that of a slider",
    "update": "what methods pay that keep state, at each move made and taken back",
    "perft": "the method inside a move generator that counts leaves; a time is that of a leaf",
    "engine": "the method inside a small searching engine; a time is that of a searched node",
    "duel": "UCI engines against each other; a time is CPU time per node",
    "both": "the bishop's and the rook's set of one square, asked together",
    "isolated": "nothing is done between two queries: the usual micro-benchmark",
    "net0": "does between two queries what the engine here does without a network",
    "net256": "does between two queries what the engine here does with a network of 256",
    "net1024": "does between two queries what the engine here does with a network of 1,024",
    "lukewarm": "the methods take turns and cool each other's tables",
    "light": "touches 64 cache lines per node: hash table and histories",
    "nnue": "touches 768 cache lines at each evaluation, in rows of 8 MiB, as a large network does",
    "nnue-xl": "touches 1,536 cache lines at each evaluation, in rows of 96 MiB",
    "ratio": "a method's time over the reference's in the same round; below 1 is faster",
    "ceiling": "what a method that costs nothing would save: all that can be won",
    "A/A": "the reference against a second copy of its own code: how far identical code differs here",
    "margin": "fixed before the run: differences up to it count as equal",
    "equivalent": "the whole interval lies within the margin",
    "inconclusive": "the interval lies neither inside nor outside the margin",
    "unresolved": "identical code differed by more than the margin, so that no equality is shown",
    "void": "the empty loop was slower than a method, so that the verdicts are withheld",
    "interval": "95 %: over many such runs, 95 of 100 intervals contain the true value",
}
