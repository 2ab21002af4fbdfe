# SPDX-License-Identifier: MIT
"""The text of the comparison of plain and fancy magic, without a number of its own (a test checks it).

What others reported stands in HISTORY, with its source.
"""

# Source of the first three: the Chessprogramming wiki's page on magic bitboards, after TalkChess thread 35858 of August
# 2010 (R. Purves). The percentages: a public note of 2026 that sums the thread up; second-hand, hints and not targets.
HISTORY = {
    "year": "2010",
    "old_plain": "2 MiB + 256 KiB",
    "old_fancy": "about 800 KiB + 38 KiB",
    "old_core_percent": "2.6",
    "new_core_percent": "1.6",
}

TEMPLATE = """# Plain or fancy magic: does it matter?

<!-- Made by scripts/plain_vs_fancy_report.py from the CSV files beside it. Do not edit: run it again. -->

{answer}

Brackets are {confidence} % intervals, in per cent; sentences are about {small_pages} where the table has both. *Different*:
surely more than {margin} apart; *equivalent*: surely less; *undecided*: neither; *unresolved*: identical code, measured
twice, differed by more than the margin.

![Plain against fancy where the question was asked, measured](plots/answer.svg)

{answer_table}

{other_text}<details><summary>The question, and how it was measured</summary>

Magic bitboards look a finished attack set up by a hash of the relevant occupancy. *Plain* gives every square an array
of the same size, so that neither a shift nor an address must be loaded; *fancy* gives every square what it needs, in
a table {table_factor} times smaller. In {year}, plain ({old_plain}) and fancy ({old_fancy}) were reported "nearly
indistinguishable" in perft on an Intel i5 with a large shared cache. Second-hand, the same thread has fancy ahead by
about {old_core_percent} % on a Core 2 Duo, and by about {new_core_percent} % on an i5. "Nearly indistinguishable" is
a claim of equality, and a difference that was not found is none: so it is judged here by an equivalence test with a
margin of {margin}, fixed before anything was measured.

- Machine: {machine}; {cache_text}. Compiler: {compiler}; commit `{commit}`{dirty}.
- `{plain}` has {plain_bytes} bytes of tables here, `{fancy}` {fancy_bytes}. **Both use the same masks and the same
  magic factors**: a factor whose top n bits tell all attacks apart does so with more bits too. Only addressing and
  shift differ.
- Further points of the same trade-off: {others}.
- Times are ratios to `{fancy}` inside the same round, all arms in a fresh random order; {launches} launches and
  {rounds} rounds a setting. Intervals are {confidence} %: {interval}. The workload `update` is left out: neither
  keeps a state.
- {large_pages}
- Hardware counters: {counters}. **Every count of misses below is simulated**, on the method's own reads of the same
  traces; every time is measured.
- *Equivalent*: the interval, adjusted for the number of methods, lies within [{margin_low}, {margin_high}].
  *Different*: wholly outside. *Unresolved*: identical code (the A/A control) differed by more than the margin, so that
  no equality is shown. *Undecided*: none of these.

</details>

<details><summary>All {tests} settings: verdicts, measured</summary>

![Ratio of plain to fancy in every setting](plots/ratios.svg)

{verdict_counts}

{verdict_table}

Times are of a query; of perft and the engine, of a node; of set-wise, of one side's sliders. The last column is the
interval of the A/A control, which compares fancy with itself from a second module. {aa_text}

</details>

<details><summary>The same trade-off, other points</summary>

{trade_off_figures}

{trade_off_table}

</details>

<details><summary>What explains it: estimate and simulated misses</summary>

{explanation}

![The latency ladder](plots/ladder.svg)

{ladder_text}

{estimate_figure}{estimate_text}

**Misses, simulated**

{simulated_figures}

{misses_table}

{causes_text}

The simulated machines (replacement and page placement are assumptions where the vendor is silent):

{caches_table}

</details>

<details><summary>What we expected beforehand</summary>

{predictions}

</details>

<details><summary>Threats to validity</summary>

- One machine, {virtual}. {ghz} Ratios inside a round survive a neighbour's noise, absolute times do not.
- One binary is one code layout. Alignment alone can move a method by about as much as the margin; the A/A control
  shows some of that, not all. The intervals hold for this layout, and for the positions of these traces.
- A replay is not an engine. The pressures are estimates of what an engine touches in between; the perft and engine
  rows are real move generators, but small ones.
- The historic machines are simulated: their misses, not their time. The model of the i5 was not recorded in {year}:
  both candidates are here. Nothing of the old code is used, only the two layouts.
- The estimate knows no overlap: an out-of-order core hides misses behind each other in throughput, and so the
  estimate is an upper bound there. It is made from a replay of the whole trace, where the timed slices repeat parts
  of it. The latency of a shared cache is that of its near part; on a shared machine, neighbours use the rest, while
  the simulated host has all of it: where the ladder climbs long before the end of the last cache, estimates under
  pressure are too low. Part of that climb is the ladder's own: read slowly, a line is thrown out by the neighbours
  before it comes round again. The time model (`harness/timemodel/README.md`) measures it otherwise, and
  predicts all methods better than this estimate does.
- {tests} settings were judged, each at {confidence} %: some of the verdicts may be wrong by chance. Within a setting
  they are corrected for the number of methods (Holm); over the settings they are not, because a statement about a
  single setting wants none.

</details>

<details><summary>How to repeat it</summary>

```
scripts/plain_vs_fancy.sh            # everything; says beforehand how long it takes
scripts/plain_vs_fancy.sh --quick    # some minutes, wider intervals
scripts/plain_vs_fancy_report.py reports/plain_vs_fancy{repeat_other}    # figures and this page again
```

Measured: [`measured/`](measured), [`ladder.csv`](ladder.csv). Simulated: [`simulated/`](simulated). Derived:
[`verdicts.csv`](verdicts.csv), [`estimates.csv`](estimates.csv). Traces by digest: {traces}.

</details>
"""
