#!/usr/bin/env bash
# Installs what is missing, builds, makes a trace from real games, measures every method, and writes a report.
set -euo pipefail
start=$SECONDS
here="$(cd "$(dirname "$0")/.." && pwd)"

usage() {
  cat <<TXT
usage: scripts/run_bench.sh [--quick] [--profile NAME] [--engine] [--out DIR] [--pgn FILE...] [--method ID...]

Without options: all methods, alone and under pressure, in some two minutes; intervals of a few per cent.

  --quick          throughput and latency alone
  --profile NAME   quick (default), standard (a quarter of an hour, intervals of about one per cent), or publication
                   (hours; builds every module four times at other addresses)
  --engine         also inside the engine: nodes per second with three evaluations, and perft; takes several times longer
  --out DIR        where the report goes (default: reports/<date>-<time>)
  --pgn FILE...    games to trace, .pgn, .pgn.gz or .pgn.zst (default: datasets/sample.pgn)
  --method ID...   measure these methods only (beside the empty loop and the reference)

example: scripts/run_bench.sh --quick --method pext hyperbola
TXT
}

fail() {
  echo "run_bench.sh: $1" >&2
  exit 2
}

profile=quick
preset=bench
workloads=()
out="$here/reports/$(date +%Y%m%d-%H%M%S)"
games=()
methods=()
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) profile=quick; workloads=(--workload throughput --workload latency); shift ;;
    --engine) workloads=(--workload usual --workload engine --workload perft); shift ;;
    --profile) profile="${2:-}"; [ -n "$profile" ] || fail "--profile needs a name"; shift 2 ;;
    --out) out="${2:-}"; [ -n "$out" ] || fail "--out needs a folder"; shift 2 ;;
    --pgn)
      shift
      while [ $# -gt 0 ] && [[ "$1" != --* ]]; do games+=("$(realpath -m "$1")"); shift; done
      [ ${#games[@]} -gt 0 ] || fail "--pgn needs a file"
      ;;
    --method)
      shift
      before=${#methods[@]}
      while [ $# -gt 0 ] && [[ "$1" != --* ]]; do methods+=(--method "$1"); shift; done
      [ ${#methods[@]} -gt "$before" ] || fail "--method needs an id; slidebench list shows them"
      ;;
    --help | -h) usage; exit 0 ;;
    *) fail "unknown option '$1'; see --help" ;;
  esac
done
[ ${#games[@]} -gt 0 ] || games=("$here/datasets/sample.pgn")
out="$(realpath -m "$out")"
step() { echo "== $((SECONDS - start)) s: $*" >&2; }

cd "$here"
step "dependencies"
scripts/install_deps.sh
step "build"
[ "$profile" != publication ] || preset=publication
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" >/dev/null || cmake --build --preset "$preset"
program="$here/build/$preset/slidebench"

# The folder's name must be free, but only `slidebench run` decides whether it is; so the trace is built beside it.
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
step "traces"
"$program" trace build --kind search --out "$work/search.trace" "${games[@]}" >&2
"$program" trace build --kind game --out "$work/game.trace" "${games[@]}" >&2
step "measurement"
"$program" run --trace "$work/search.trace" --trace "$work/game.trace" --profile "$profile" --out "$out" \
  "${workloads[@]}" "${methods[@]}"
step "instructions of a query"
# Where a process may not trace its child there are none, and the page goes without.
kernels=("${methods[@]}")
[ ${#methods[@]} -eq 0 ] || kernels+=(--method magic_fancy)
if "$program" kernel --trace "$work/search.trace" --queries 100 --format csv "${kernels[@]}" >"$work/kernel.csv"; then
  cp "$work/kernel.csv" "$out/"
fi
step "figures and page"
python3=/usr/bin/python3
[ -x "$python3" ] || python3=python3
"$python3" scripts/report.py "$out" >&2
step "done"
echo "Report: $out/index.html"
