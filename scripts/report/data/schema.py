# SPDX-License-Identifier: MIT
"""The columns of every CSV file of a result folder: the one place that names them and says what they mean;
reports/columns.md is made of it (scripts/slidebench.py update-readme)."""

from dataclasses import dataclass

SCHEMA = 4  # of the run folders that this version reads


@dataclass(frozen=True)
class Column:
    """One column."""

    name: str  # as the file's first line has it; numbers carry their unit
    meaning: str  # for a reader, in a few words
    kind: str = "text"  # `text`, or of numbers `any`, `positive` (a logarithm is taken), `count` (not below 0)
    needed: bool = True  # whether a report is refused without it


@dataclass(frozen=True)
class Table:
    """One file."""

    name: str  # of the file
    row: str  # what a row is
    columns: tuple  # of Column

    @property
    def text(self):
        """list of str: names of the needed columns that hold text."""
        return [c.name for c in self.columns if c.needed and c.kind == "text"]

    @property
    def numbers(self):
        """list of str: names of the needed columns that hold numbers."""
        return [c.name for c in self.columns if c.needed and c.kind != "text"]


def _columns(text):
    """Columns from lines `name | kind | meaning`; a name in brackets is not needed by the report."""
    found = []
    for line in text.strip().splitlines():
        name, kind, meaning = (part.strip() for part in line.split("|"))
        found.append(Column(name.strip("()"), meaning, kind, not name.startswith("(")))
    return tuple(found)


def _table(name, row, *texts):
    return Table(name, row, tuple(column for text in texts for column in _columns(text)))


CONTENDER = """
    contender       | text | what was timed: a method's id (`method@level` at several levels), its `.twin`, `empty`, `clock`
    method    | text | the method's id; empty for the clock
    level     | text | the instruction set that its module was compiled for
    """
CELL = """
    workload  | text  | how queries are asked: throughput, latency, setwise, batch, update, perft, engine, duel
    trace     | text  | which queries, or which positions of an engine
    pressure  | text  | what is done between two queries; `isolated` is nothing
    kinds     | text  | of the queries: all, bishop, rook, queen, both; of a batch all, or a number such as 6-sliders
    pages     | text  | under the large tables: 4k or 2m
    corunners | count | processes that kept the shared cache busy
    """
PLACED = """
    method   | text | the method's id
    trace    | text | which queries
    pressure | text | what is done between two queries
    cache    | text | whose caches were simulated: `host` or a name of `slidebench simulate --help`
    pages    | text | simulated under the tables: 4k or 2m
    """
ROLE = "role | text | method, reference, twin (the A/A control), empty (the loop without a method) or clock"

SUMMARY = _table("summary.csv", "a contender in a cell: what its process runs came to", CONTENDER, f"""
    title         | text     | the method's name
    family        | text     | folder of its header
    {ROLE}
    {CELL.strip()}
    table_bytes   | count    | of its tables
    process_runs      | count    | process runs
    rounds        | count    | of all process runs; in a round every contender has one sample
    ns_per_query  | positive | time per query, or a node in perft and engines
    ns_low        | count    | end of the 95 % interval
    ns_high       | positive | end of the 95 % interval
    net_ns_per_query | any   | the same less the empty loop
    net_low       | any      | end of the 95 % interval; below 0 where the loop is as slow
    net_high      | any      | end of the 95 % interval
    ratio         | positive | time over the reference's, within rounds
    ratio_low     | count    | end of the 95 % interval
    ratio_high    | positive | end of the 95 % interval
    margin        | count    | fixed before the run: differences up to it count as equal
    aa_bound      | count    | how far identical code may have differed in this cell
    verdict       | text     | faster, slower, equivalent, inconclusive, unresolved, void; else the role
    holm_low      | any      | end of the interval adjusted for the number of methods (Holm), which verdicts use
    holm_high     | any      | end of the same
    best          | text     | fastest, among (may be the fastest) or behind: multiple comparisons with the best (Hsu 1984)
    ratio_unflagged      | any | the ratio without rounds that something disturbed
    ratio_unflagged_low  | any | end of its interval
    ratio_unflagged_high | any | end of its interval
    flagged_rounds | any     | rounds that something disturbed
    ns_per_node    | any     | time per node, where the replayed trace has nodes
    """)

SAMPLES = _table("samples.csv", "a sample: a timed stretch of a contender", f"""
    process_run     | any      | the process run
    round      | any      | within it
    (position) | any      | of the sample in its round; the order is drawn
    {CONTENDER.strip()}
    {ROLE}
    placement     | any      | which build of the modules, by their addresses
    {CELL.strip()}
    (segment)   | any      | part of the trace
    queries    | positive | answered in the sample
    (nodes)    | any      | passed in the sample
    time_ns    | positive | wall time of the sample
    (checksum) | text     | of the answers: equal for all contenders of a segment
    (involuntary_switches) | any | of the process during the sample, from the kernel
    (minor_faults)         | any | page faults during the sample
    (major_faults)         | any | page faults that read a disk
    (steal_ticks)          | any | hundredths of a second that the hypervisor took
    """)

COUNTERS = _table("counters.csv", "an event of a contender, counted or simulated", f"""
    (process_run)      | any  | the process run
    {CONTENDER.strip()}
    workload      | text | as in summary.csv; `replay` for simulated counts, which belong to every workload on the trace
    trace         | text | which queries
    pressure      | text | what is done between two queries
    metric        | text | what was counted, such as l1d_misses
    source        | text | papi (the hardware) or simulated
    event         | text | the source's own name of it
    value         | any  | the count
    (value_empty) | any  | that of the empty loop, which is taken off
    queries       | positive | in which it was counted
    per_query     | any  | (value - value_empty) / queries
    cache         | text | whose caches were simulated
    pages         | text | simulated under the tables
    draw          | any  | which draw of physical pages
    """)

MRC = _table("mrc.csv", "a point of a miss-ratio curve, from exact reuse distances", """
    method               | text     | the method's id
    trace                | text     | which queries
    granularity_bytes    | positive | 64 for cache lines, 4096 for pages
    cache_lines          | positive | size of the fully associative cache, in units of the granularity
    lines_per_evaluation | count    | lines that the pressure touches at each evaluation
    (block_lines)        | any      | size of the block that it touches
    (accesses)           | count    | reads of tables
    queries              | positive | in the trace
    misses               | count    | of the method's reads
    """)

SQUARES = _table("squares.csv", "a square and kind of query of a method", PLACED, """
    kind           | text     | bishop, rook, queen or both
    square         | text     | a1 to h8
    queries        | positive | that asked for it
    distinct_lines | count    | different cache lines that they read
    l1d_misses     | count    | simulated
    (l2d_misses)   | count    | simulated
    """)

TABLES = _table("tables.csv", "a table of a method at a level of a cache", PLACED, """
    draw           | any      | which draw of physical pages
    table          | text     | its name; `all` for the method as a whole
    table_bytes    | count    | its size
    queries        | positive | in the trace
    distinct_lines | count    | different cache lines read
    level          | text     | L1D, L2, L3, DTLB, STLB
    accesses       | count    | reads that reached the level
    misses         | count    | of these
    compulsory     | any      | misses that read a line for the first time
    capacity       | any      | further ones that a fully associative cache of the size has too
    conflict       | any      | the rest; below 0 where the sets did better than that
    """)

KERNEL = _table("kernel.csv", "what a query of a method executes, counted one instruction at a time", """
    method                 | text  | the method's id
    level                  | text  | the instruction set that it was compiled for
    instructions_per_query | any   | less those of the empty loop
    loads_per_query        | any   | less those of the empty loop
    branches_per_query     | any   | conditional ones, less those of the empty loop
    code_bytes             | any   | of the instructions executed
    """)

CORRELATIONS = _table("correlations.csv", "a rank correlation between the orders of two cells", """
    (workload_a ... corunners_b) | text | the two cells, each by the six columns of summary.csv
    (methods)   | count | that both have
    (statistic) | text  | spearman, or split_half for the halves of one cell's process runs
    (value)     | any   | from -1 to 1
    (low)       | any   | end of the 95 % interval
    (high)      | any   | end of the 95 % interval
    (bound)     | any   | what noise lets any order reach
    """)

CROSSINGS = _table("crossings.csv", "a place in a sweep at which two methods cost the same", """
    (workload ... corunners) | text | the cell, as in summary.csv, with the sweep in place of the pressure
    (contender)          | text  | one method
    (against)      | text  | the other
    (faster_below) | text  | whether `contender` is the faster one below the crossing
    (lines)        | any   | cache lines touched at each event
    (lines_low)    | any   | end of the 95 % interval; empty where it lies beyond the sweep
    (lines_high)   | any   | end of the 95 % interval
    """)

LADDER = _table("ladder.csv", "a size and kind of page, of `slidebench ladder --format csv`", """
    bytes             | positive | read between two reads of a line
    pages             | text     | 4k or 2m
    large_page_share  | count    | of the memory that lay on 2 MiB pages, as the kernel says
    (chases)          | any      | passes that were timed
    (loads_per_chase) | any      | loads of a pass
    (lines_between)   | any      | lines read between two reads of one
    (pages_between)   | any      | pages read between two reads of one
    ns_per_load       | positive | median over passes
    ns_per_load_q1    | positive | first quartile
    ns_per_load_q3    | positive | third quartile
    """)

PREDICTED = _table("predicted.csv", "a method in a cell: what the time model says, of `slidebench predict`", """
    method    | text  | the method's id
    trace     | text  | which queries
    workload  | text  | throughput or latency
    (kinds)   | text  | of the queries
    pressure  | text  | what is done between two queries
    pages     | text  | under the large tables: 4k or 2m
    (corunners) | any | none
    predicted_ns   | any | time per query
    predicted_low  | any | the same with the ladder's first quartiles
    predicted_high | any | the same with its third quartiles
    (ahead_ns)     | any | reads that do not wait for the occupancy
    (chain_ns)     | any | reads that do
    (missing_reads) | any | a query, beyond the first level
    computed_ns    | any | time per query with everything in the first level, measured
    (instructions_per_query) | any | executed
    (reads_in_flight)        | any | at once beyond the first level
    (window_instructions)    | any | in flight
    """)

RESIDUALS = _table("residuals.csv", "a difference, measured and predicted, of scripts/slidebench.py explain-times", """
    (method ... pages) | text | as in predicted.csv
    (comparison)       | text | method - reference; pressure - isolated is of one method, each less its empty loop
    (measured_ns ... measured_high)   | any | the difference with its 95 % interval; empty where there is none
    (predicted_ns ... predicted_high) | any | the same predicted, and its range between the ladder's quartiles
    (computed_ns)        | any  | of the prediction: computation
    (residual_ns)        | any  | measured less predicted
    (far_off)            | text | by more than 2 ns and 15 % of the method's time
    (branches_per_query) | any  | conditional ones, from kernel.csv
    """)

OF_A_RUN = (SUMMARY, SAMPLES, COUNTERS, KERNEL, CORRELATIONS, CROSSINGS)
FILES = (*OF_A_RUN, MRC, SQUARES, TABLES, LADDER, PREDICTED, RESIDUALS)

KEY = [column.name for column in _columns(CELL)]
ROUND = ["process_run", "round"]
PLACE = ["trace", "pressure", "cache", "pages"]
CAUSES = ["compulsory", "capacity", "conflict"]

COLUMN_KINDS = {column.name: column.kind for table in FILES for column in table.columns}
POSITIVE = {name for name, kind in COLUMN_KINDS.items() if kind == "positive"}
NOT_NEGATIVE = {name for name, kind in COLUMN_KINDS.items() if kind == "count"}
