# SPDX-License-Identifier: MIT
"""Writes the two tables of the README that come from elsewhere, or checks that they are up to date.

The methods table comes from `slidebench list --format csv`, the figures from the committed example report.

Usage: update_readme.py SLIDEBENCH [--check]     exit status 1 if --check finds a stale table
"""

import csv
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
EXAMPLE = ROOT / "reports" / "example"


def readable_bytes(count):
    """865280 as "845 KiB"; 0 as "0"."""
    if count < 1024:
        return str(count)
    return f"{count / 1024:.1f} KiB".replace(".0 ", " ") if count < 1024 * 1024 else f"{count / 1024 / 1024:.2f} MiB"


def methods_table(program):
    """The methods as a Markdown table; where each header stands is looked up, not typed."""
    listed = subprocess.run([program, "list", "--format", "csv"], check=True, capture_output=True, text=True).stdout
    lines = ["| id | method | inventor, year | needs | tables |", "|---|---|---|---|---:|"]
    for row in csv.DictReader(listed.splitlines()):
        header = next((ROOT / "methods").rglob(f"{row['id']}.hpp")).relative_to(ROOT)
        lines.append(f"| [`{row['id']}`]({header}) | {row['title']} | {row['inventor']}, {row['year']} | "
                     f"{row['isa'] or '-'} | {readable_bytes(int(row['table_bytes']))} |")
    return "\n".join(lines)


def figures_table():
    """Times and ratios of the example report, and the machine and command that gave them."""
    record = json.loads((EXAMPLE / "run.json").read_text())
    with (EXAMPLE / "summary.csv").open(newline="") as file:
        rows = [r for r in csv.DictReader(file) if r["trace"] == "game" and r["role"] in ("method", "reference", "null")]
    cells = {(r["method"], r["workload"]): r for r in rows}
    order = [r["method"] for r in rows if r["workload"] == "throughput"]
    lines = ["| method | throughput, ns | ratio | latency, ns | ratio |", "|---|---:|---|---:|---|"]
    for method in order:
        parts = [f"`{method}`"]
        for workload in ("throughput", "latency"):
            r = cells[method, workload]
            interval = f"{float(r['ratio']):.2f} [{float(r['ratio_low']):.2f}, {float(r['ratio_high']):.2f}]" if r["ratio"] else ""
            parts += [f"{float(r['ns_per_query']):.2f}", interval]
        lines.append("| " + " | ".join(parts) + " |")
    machine = record["machine"]
    lines += ["", f"Nanoseconds a query on the game trace, ratios to `magic_fancy`; {machine['cpu']} (family "
                  f"{machine['family']}, model {machine['model']}, {machine['hypervisor'] or 'no hypervisor'}), "
                  f"{record['build']['compiler']}, profile {record['profile']}. Files: "
                  "[`reports/example/`](reports/example); made by `slidebench trace build --out game.trace datasets/sample.pgn` and "
                  f"`{' '.join(['slidebench', *record['command'][1:]])}`. Figures differ by machine."]
    return "\n".join(lines)


def replace_block(text, name, content):
    """Replaces what stands between the markers <!-- name --> and <!-- end name -->."""
    pattern = re.compile(rf"<!-- {name} -->.*?<!-- end {name} -->", re.DOTALL)
    if not pattern.search(text):
        sys.exit(f"update_readme.py: README.md has no block {name}")
    return pattern.sub(lambda _: f"<!-- {name} -->\n{content}\n<!-- end {name} -->", text)


def main():
    program, check = sys.argv[1], "--check" in sys.argv[2:]
    before = README.read_text()
    after = replace_block(replace_block(before, "methods", methods_table(program)), "figures", figures_table())
    if check and after != before:
        sys.exit("update_readme.py: README.md is stale; run scripts/update_readme.py build/dev/slidebench")
    if not check:
        README.write_text(after)


if __name__ == "__main__":
    main()
