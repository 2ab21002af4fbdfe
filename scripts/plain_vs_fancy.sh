#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Plain against fancy magic in one command: builds, measures, simulates, and writes the report.
set -euo pipefail
here="$(cd "$(dirname "$0")/.." && pwd)"

usage() {
  cat <<TXT
usage: scripts/plain_vs_fancy.sh [--quick] [--out DIR]

Without options: everything, in some 55 minutes on two cores.

  --quick    fewer settings and rounds, in some 5 minutes; wider intervals, into another folder
  --out DIR  where the report goes (default: reports/plain_vs_fancy, with --quick reports/plain_vs_fancy_quick);
             an earlier report there is replaced at the end

The runs themselves, with every sample and simulated count, stay in build/plain_vs_fancy.

example: scripts/plain_vs_fancy.sh --quick
TXT
}

fail() {
  echo "plain_vs_fancy.sh: $1" >&2
  exit 2
}

quick=
out=
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) quick=1; shift ;;
    --out) out="${2:-}"; [ -n "$out" ] || fail "--out needs a folder"; shift 2 ;;
    --help | -h) usage; exit 0 ;;
    *) fail "unknown option '$1'; see --help" ;;
  esac
done
out="$(realpath -m "${out:-$here/reports/plain_vs_fancy${quick:+_quick}}")"
if [ -n "$(ls -A "$out" 2>/dev/null)" ] && ! zgrep -qs '"kind": "plain_vs_fancy"' "$out/run.json.gz" 2>/dev/null; then
  fail "$out: holds something else than such a report; choose another folder"
fi
step() { echo "== $SECONDS s: $*" >&2; }

# Everything is named relative to the project, so that what is recorded names no path of this machine.
cd "$here"
kinds=(search)
pressed=(--pressure isolated --pressure nnue)
modelled=(--pressure isolated --pressure nnue --cache host)
minutes=5
profile=(--profile quick)
if [ -z "$quick" ]; then
  # Each run has three sessions, with pauses that are short, and as many process runs as a module has layouts.
  profile=(--profile 32x6/3x1m)
  kinds+=(game)
  pressed+=(--pressure light --pressure nnue-xl)
  modelled+=(--pressure light --cache core2 --cache nehalem-i5 --cache nehalem-i5-3m --cache skylake --cache zen5)
  minutes=55
fi
step "plain against fancy magic, in about $minutes minutes if two cores are idle"
pages=(--pages 4k --pages 2m)
if ! grep -qsE '\[(always|madvise)\]' /sys/kernel/mm/transparent_hugepage/enabled; then
  pages=(--pages 4k)
  step "this system gives no 2 MiB pages: measuring on 4 KiB ones alone"
fi

step "build"
scripts/install_deps.sh
cmake --preset bench "-DSLIDEBENCH_ENGINES=known;magic_plain_arrays" >/dev/null
cmake --build --preset bench >/dev/null || cmake --build --preset bench
program=build/bench/slidebench
work="build/plain_vs_fancy/$(date +%Y%m%d-%H%M%S)"
mkdir -p "$work/measured" "$work/simulated"

step "traces"
traces=()
for kind in "${kinds[@]}"; do
  "$program" trace build --kind "$kind" datasets/sample.pgn --out "$work/$kind.trace" >&2
  traces+=(--trace "$work/$kind.trace")
done
replays=("${traces[@]}")
loops=(--workload throughput --workload latency)
searches=(--trace "$work/search.trace")
pair=(--method magic_plain --method magic_fancy)
all=("${pair[@]}" --method magic_plain_arrays --method magic_fixed_shift --method magic_black --method pext)

measure() {
  local name="$1"
  shift
  step "measuring: $name"
  "$program" run --margin 2% "$@" "${all[@]}" --out "$work/measured/$name" >"$work/measured/$name.txt"
}

# All pressures of a workload belong to one run, because they are compared too.
if [ -n "$quick" ]; then
  measure replay "${profile[@]}" "${replays[@]}" "${loops[@]}" "${pressed[@]}" "${pages[@]}"
  measure engine "${profile[@]}" "${searches[@]}" --workload perft --workload perft_cold --workload engine --net 1024 "${pages[@]}"
else
  measure replay "${profile[@]}" "${replays[@]}" "${loops[@]}" "${pressed[@]}" --pressure lukewarm "${pages[@]}"
  measure random "${profile[@]}" "${loops[@]}" --pressure isolated "${pages[@]}"
  measure setwise "${profile[@]}" "${replays[@]}" --workload setwise --pressure isolated --pressure nnue "${pages[@]}"
  busy=(--workload throughput --workload perft --pressure isolated --corunner 1)
  measure busy "${profile[@]}" "${searches[@]}" "${busy[@]}"
  measure cold "${profile[@]}" "${searches[@]}" --workload perft_cold "${pages[@]}"
  blocks=(--pressure isolated)
  for size in 256K 512K 1M 2M 4M 8M 16M; do blocks+=(--pressure "64@$size/node/random"); done
  measure curve "${profile[@]}" "${searches[@]}" "${loops[@]}" "${blocks[@]}" "${pages[@]}"
  measure engine "${profile[@]}" "${searches[@]}" --workload perft --workload engine --net 0 --net 256 --net 1024 "${pages[@]}"
fi

cmake --preset bench -DSLIDEBENCH_ENGINES=known >/dev/null # as it was, for the next run in this folder
step "simulating"
"$program" simulate "${replays[@]}" --pages 4k --pages 2m "${pair[@]}" "${modelled[@]}" \
  --draws 1 --reuse --squares --out "$work/simulated/pair" >"$work/simulated/pair.txt"

step "report"
python3=/usr/bin/python3
[ -x "$python3" ] || python3=python3
"$python3" scripts/slidebench.py plain-vs-fancy "$work" --out "$out" >/dev/null
step "done; every sample is in $work"
echo "Report: $out/README.md"
