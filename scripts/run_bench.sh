#!/usr/bin/env bash
# Installs what is missing, builds, makes a trace from real games, measures every method, and writes a report.
set -euo pipefail
start=$SECONDS
here="$(cd "$(dirname "$0")/.." && pwd)"

usage() {
  cat <<TXT
usage: scripts/run_bench.sh [--quick] [--profile NAME] [--out DIR] [--pgn FILE...] [--method ID...]

  --quick          the profile quick: less than a minute, wider intervals
  --profile NAME   quick, standard (default) or publication
  --out DIR        where the report goes (default: reports/<date>-<time>)
  --pgn FILE...    games to trace, .pgn, .pgn.gz or .pgn.zst (default: datasets/sample.pgn)
  --method ID...   measure these methods only (beside null and the reference)

example: scripts/run_bench.sh --quick --method pext hyperbola
TXT
}

fail() {
  echo "run_bench.sh: $1" >&2
  exit 2
}

profile=standard
out="$here/reports/$(date +%Y%m%d-%H%M%S)"
games=()
methods=()
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) profile=quick; shift ;;
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
cmake --preset bench >/dev/null
cmake --build --preset bench >/dev/null || cmake --build --preset bench
program="$here/build/bench/slidebench"

# The folder's name must be free, but only `slidebench run` decides whether it is; so the trace is built beside it.
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
step "trace"
"$program" trace build --kind game --out "$work/game.trace" "${games[@]}" >&2
step "measurement"
"$program" run --trace "$work/game.trace" --profile "$profile" --out "$out" "${methods[@]}"
step "figures and page"
python3=/usr/bin/python3
[ -x "$python3" ] || python3=python3
"$python3" scripts/report.py "$out" >&2
step "done"
echo "Report: $out/index.html"
