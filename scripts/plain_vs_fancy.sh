#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Plain against fancy magic in one command: builds, measures, predicts, simulates, and writes the report.
set -euo pipefail
start=$SECONDS
here="$(cd "$(dirname "$0")/.." && pwd)"

usage() {
  cat <<TXT
usage: scripts/plain_vs_fancy.sh [--quick] [--out DIR] [--pgn FILE...]

Without options: everything, in some 75 minutes on two cores.

  --quick        fewer settings and rounds, in some 8 minutes; wider intervals, into another folder
  --out DIR      where the report goes (default: reports/plain_vs_fancy, with --quick reports/plain_vs_fancy_quick);
                 what is there of an earlier report's figures is replaced at the end
  --pgn FILE...  games to trace, .pgn, .pgn.gz or .pgn.zst (default: datasets/sample.pgn)

The runs themselves, with every timed slice and simulated count, stay in build/plain_vs_fancy.

example: scripts/plain_vs_fancy.sh --quick
TXT
}

fail() {
  echo "plain_vs_fancy.sh: $1" >&2
  exit 2
}

quick=
out=
games=()
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) quick=1; shift ;;
    --out) out="${2:-}"; [ -n "$out" ] || fail "--out needs a folder"; shift 2 ;;
    --pgn)
      shift
      while [ $# -gt 0 ] && [[ "$1" != --* ]]; do games+=("$(realpath -m "$1")"); shift; done
      [ ${#games[@]} -gt 0 ] || fail "--pgn needs a file"
      ;;
    --help | -h) usage; exit 0 ;;
    *) fail "unknown option '$1'; see --help" ;;
  esac
done
for game in "${games[@]}"; do [ -r "$game" ] || fail "$game: no such file, or it cannot be read"; done
[ ${#games[@]} -gt 0 ] || games=(datasets/sample.pgn)
out="$(realpath -m "${out:-$here/reports/plain_vs_fancy${quick:+_quick}}")"
if [ -e "$out" ] && [ ! -d "$out" ]; then fail "$out: is not a folder"; fi
if [ -d "$out" ] && [ -n "$(ls -A "$out")" ] && ! grep -qs '"kind": "plain_vs_fancy"' "$out/run.json"; then
  fail "$out: holds something else than such a report; choose another folder"
fi
step() { echo "== $((SECONDS - start)) s: $*" >&2; }

# Everything is named relative to the project, so that what is recorded names no path of this machine.
cd "$here"
minutes=75
[ -z "$quick" ] || minutes=8
step "plain against fancy magic, in about $minutes minutes if two cores are idle"

pages=(--pages 4k --pages 2m)
if ! grep -qsE '\[(always|madvise)\]' /sys/kernel/mm/transparent_hugepage/enabled; then
  pages=(--pages 4k)
  echo "plain_vs_fancy.sh: this system gives no 2 MiB pages: measuring on 4 KiB ones alone" >&2
fi
pair=(--method magic_plain --method magic_fancy)
all=("${pair[@]}" --method magic_fixed_shift --method magic_black --method magic_byte --method magic_shared)
all+=(--method hyperbola_avx2 --method pext)

step "dependencies"
scripts/install_deps.sh
step "build"
cmake --preset bench >/dev/null
cmake --build --preset bench >/dev/null || cmake --build --preset bench
program=build/bench/slidebench
work="build/plain_vs_fancy/$(date +%Y%m%d-%H%M%S)"
mkdir -p "$work/measured" "$work/simulated"

step "traces"
"$program" trace build --kind search --out "$work/search.trace" "${games[@]}" >&2
"$program" trace build --kind game --out "$work/game.trace" "${games[@]}" >&2
search=(--trace "$work/search.trace")
real=("${search[@]}" --trace "$work/game.trace")

measure() {
  local name="$1"
  shift
  step "measuring: $name"
  "$program" run --margin 2% "$@" "${pages[@]}" "${all[@]}" --out "$work/measured/$name" >"$work/measured/$name.txt"
}

# What the time model starts from, measured in the same hour as what it is compared with: reads at known distances, and
# what the two compute with everything in the first level.
predict() {
  step "measuring: what the prediction starts from"
  "$program" ladder "${pages[@]}" --between touches --seconds 30 --format csv --out "$work/touches.csv"
  "$program" run --no-random "${traces[@]}" --window-queries 256 --workload throughput --workload latency \
    --pressure isolated --slice-ms 1 --warm-up-ms 0.3 --launches 16 --rounds 32 --method magic_plain \
    --out "$work/computed" >"$work/computed.txt"
  step "predicting"
  "$program" predict "${traces[@]}" --ladder "$work/touches.csv" --computed "$work/computed" \
    --loops "$work/measured/replay" "${pages[@]}" "$@" "${pair[@]}" --out "$work/predicted" >&2
}

simulate() {
  step "simulating"
  "$program" simulate --no-random "${traces[@]}" --pages 4k --pages 2m --pressure isolated "$@" "${pair[@]}" \
    --cache host --cache core2 --cache nehalem-i5 --cache nehalem-i5-3m --cache skylake --cache zen5 \
    --draws 1 --reuse --out "$work/simulated/pair" >"$work/simulated/pair.txt"
}

# All pressures of a workload belong to one run, because differences between them are compared too.
both=(--workload throughput --workload latency)
step "measuring: the latency ladder"
if [ -n "$quick" ]; then
  traces=("${search[@]}")
  "$program" ladder "${pages[@]}" --seconds 10 --format csv --out "$work/ladder.csv"
  measure replay --profile quick "${search[@]}" --no-random "${both[@]}" --pressure isolated --pressure nnue
  measure engine --profile quick "${search[@]}" --no-random --workload perft
  predict --windows 2 --pressure isolated --pressure nnue
  simulate --pressure nnue
else
  traces=("${real[@]}")
  "$program" ladder "${pages[@]}" --seconds 60 --format csv --out "$work/ladder.csv"
  measure replay --profile standard "${real[@]}" --no-random "${both[@]}" --pressure isolated --pressure lukewarm --pressure light \
    --pressure nnue --pressure nnue-xl
  measure random --profile standard "${both[@]}" --pressure isolated
  measure setwise --profile standard "${real[@]}" --no-random --workload setwise --pressure isolated --pressure nnue
  measure engine --profile standard "${search[@]}" --no-random --workload perft --workload engine --net 0 --net 256 --net 1024
  predict --windows 3 --pressure isolated --pressure light --pressure nnue --pressure nnue-xl
  simulate --pressure light --pressure nnue
fi

step "report"
python3=/usr/bin/python3
[ -x "$python3" ] || python3=python3
"$python3" scripts/plain_vs_fancy_report.py "$work" --out "$work/report" >/dev/null
mkdir -p "$out"
rm -rf "$out/measured" "$out/simulated" "$out/plots"
cp -r "$work/report/." "$out/"
step "done; every slice is in $work"
echo "Report: $out/README.md"
