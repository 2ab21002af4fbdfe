#!/usr/bin/env bash
# Installs what is missing, builds, makes a trace from real games, measures every method, and writes a report.
set -euo pipefail
here="$(cd "$(dirname "$0")/.." && pwd)"

usage() {
  cat <<TXT
usage: scripts/run_bench.sh [--quick] [--profile NAME] [--engine] [--out DIR] [--pgn FILE...] [--method ID...]

Without options: a race of all methods in the situations that the answer shows, the well-known ones and the leaders inside
a small search; about five minutes with packages and build on two cores, intervals of about one per cent.

  --quick          throughput and latency alone, in about two minutes
  --profile NAME   all situations: quick (two minutes), standard (half an hour in three sessions, intervals of
                   about one per cent), or publication (hours, in four sessions)
  --engine         all methods inside the engine: nodes per second with three evaluations, and perft; takes several times longer
  --out DIR        where the report goes (default: reports/<date>-<time>)
  --pgn FILE...    games to trace, .pgn, .pgn.gz or .pgn.zst; searched from 64 of their positions (default: datasets/sample.pgn)
  --method ID...   replay these methods only (with the empty loop and the reference); with --engine they are searched with too

example: scripts/run_bench.sh --quick --method pext hyperbola
TXT
}

fail() {
  echo "run_bench.sh: $1" >&2
  exit 2
}

profile=
workloads=()
engines=()
small_engine=yes
out="$here/reports/$(date +%Y%m%d-%H%M%S)"
games=() methods=()
while [ $# -gt 0 ]; do
  case "$1" in
    --quick) profile=quick; small_engine=; workloads=(--workload throughput --workload latency); shift ;;
    --engine) small_engine=; engines=(-DSLIDEBENCH_ENGINES=all); workloads=(--workload usual --workload engine --workload perft); shift ;;
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
# Without options all time goes to what the answer shows, and most of it to those between which one has to choose.
kinds=(search game random)
measure=(--profile "${profile:-quick}")
if [ -z "$profile" ] && [ ${#workloads[@]} -eq 0 ]; then
  kinds=(search) workloads=(--workload answer) measure=(--profile 6x4 --time 108s)
fi
out="$(realpath -m "$out")"
cd "$here"
# What can be refused is refused before the build.
[[ "${profile:-quick}" =~ ^(quick|standard|publication)$ ]] || fail "unknown profile '$profile'; use quick, standard or publication"
for id in "${methods[@]}"; do
  case "$id" in
    --method | known | core | extra | all | family:*) ;;
    *) compgen -G "methods/*/$id.hpp" >/dev/null || fail "unknown method '$id'; methods/README.md lists them" ;;
  esac
done
[ ! -d "$out" ] || [ -z "$(ls -A "$out")" ] || fail "$out: holds files, of a run or others; choose a new or an empty folder"
# Games have a tag or a first move near their beginning. What packs them may come with the packages only.
begin_as_games() {
  local unpack=cat begin
  case "$1" in *.gz) unpack="gzip -dc" ;; *.zst) unpack="zstd -dc" ;; esac
  command -v "${unpack%% *}" >/dev/null || return 0
  begin="$($unpack "$1" 2>/dev/null | head -c 4096 | tr -d '\0' || true)"
  [[ "$begin" =~ (^|$'\n'|$'\r')[[:space:]]*\[[A-Za-z0-9_]+[[:space:]]+\" || "$begin" =~ (^|[[:space:]])1\.[[:space:]]*[a-hKQRBNO] ]]
}
for game in "${games[@]}"; do
  [ -f "$game" ] && [ -r "$game" ] || fail "$game: no such file, or it cannot be read"
  begin_as_games "$game" || fail "$game: holds no games in PGN"
done
mkdir -p "$out" 2>/dev/null && [ -w "$out" ] || fail "$out: cannot be written; choose another folder"
rmdir --ignore-fail-on-non-empty "$out"
# The search trace: of the sample 8 positions, of other games 64 that are searched for as many nodes together, where they have them.
wide=()
if [ ${#games[@]} -gt 0 ]; then wide=(--positions 64 --nodes 3000); else games=("$here/datasets/sample.pgn"); fi
# CI takes the tests' build, whose times nobody reads, and its tree
preset="${SLIDEBENCH_PRESET:-bench}" source="${SLIDEBENCH_BUILD_IN:-$here}"

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

# Runs a command whose output is of interest only if it fails.
quietly() {
  local status=0
  "$@" >"$work/log" 2>&1 || status=$?
  [ "$status" -eq 0 ] || { cat "$work/log" >&2; exit "$status"; }
}

in_source() { (cd "$source" && "$@"); }

# Compiles; on a terminal ninja says how far it is. A compiler that was killed for want of memory gets a second chance.
build() {
  local words=(in_source cmake --build --preset "$preset" --parallel "$(nproc)")
  if [ -t 2 ]; then "${words[@]}" >&2; else "${words[@]}" >"$work/log" 2>&1; fi || quietly "${words[@]}"
}

echo "Build the program and the traces"
scripts/install_deps.sh --build
scripts/install_deps.sh &  # what the page needs too, while the compiler works
packages=$!
quietly in_source cmake --preset "$preset" "${engines[@]}"
build
wait "$packages"
program="$here/build/$preset/slidebench"

# They stay, so that a run can be measured on (--resume); games of other content have a trace of their own.
kept="$here/build/$preset/traces/$(cat "${games[@]}" | cksum | cut -d ' ' -f 1)"
mkdir -p "$kept"
traces=()
for kind in "${kinds[@]}"; do
  trace() { "$program" trace build --kind "$kind" --out "$kept/$kind.trace" "$@" "${games[@]}"; }
  [ "$kind" != random ] || trace() { "$program" trace random --out "$kept/random.trace"; }
  [ "$kind" = search ] && [ ${#wide[@]} -gt 0 ] && trace "${wide[@]}" >/dev/null 2>&1 || quietly trace
  traces+=(--trace "$kept/$kind.trace")
done

last="$(ls -td reports/2*/summary.csv 2>/dev/null | head -1 || true)"
[ ${#methods[@]} -eq 0 ] || small_engine=
measure() { "$program" run "${traces[@]}" "${measure[@]}" --out "$out" "${workloads[@]}" "${methods[@]}"; }
# Where searches follow, the answer comes with them.
if [ -n "$small_engine" ]; then measure | sed -u '/^$/,$d'; else measure; fi
python3=/usr/bin/python3
[ -x "$python3" ] || python3=python3

# What leads any situation of the run, by the ids of its answer.
leaders() {
  "$program" show "$out" --json |
    "$python3" -c 'import json, sys; print(*sorted({s["least"] for s in json.load(sys.stdin)["situations"] if s["least"]}))'
}

# Builds the engine into methods. The run's own modules are kept, because a run is measured on with the same ones only.
build_engines() {
  local id module targets=() ids
  for id in "$@"; do
    for module in "$plugins/$id".v?.so "$plugins/$id".a64.so "$plugins/$id".sve*.so; do
      [ ! -e "$module" ] || targets+=("$(basename "$module" .so)")
    done
  done
  ids="$(IFS=';'; echo "$*")"
  rm -rf "$plugins.run"
  cp -a "$plugins" "$plugins.run"
  quietly in_source cmake --preset "$preset" "-DSLIDEBENCH_ENGINES=known;$ids"
  quietly in_source cmake --build --preset "$preset" --parallel "$(nproc)" --target "${targets[@]}"
}

restore_modules() {
  [ -d "$plugins.run" ] || return 0
  rm -rf "$plugins"
  mv "$plugins.run" "$plugins"
  quietly in_source cmake --preset "$preset" -DSLIDEBENCH_ENGINES=known
}

# A few searches with the well-known methods and with those that lead the run, which gets their rows.
if [ -n "$small_engine" ]; then
  plugins="$here/build/$preset/plugins"
  read -ra leading <<<"$(leaders)"
  echo "Measure the well-known methods inside a small engine, and what leads: ${leading[*]}"
  trap 'restore_modules; rm -rf "$work"' EXIT
  [ ${#leading[@]} -eq 0 ] || build_engines "${leading[@]}"
  "$program" run --profile 16x3 --nodes 5000 --workload perft --workload engine --net 1024 --method known \
    "${leading[@]/#/--method=}" --out "$out" >"$work/log"
  restore_modules
fi

echo "Count what a query executes, and write the page"
# What a query executes. Where a process may not trace its child there is none, and the page goes without.
kernels=("${methods[@]}")
[ ${#methods[@]} -eq 0 ] || kernels+=(--method magic_fancy)
if "$program" kernel --trace "$kept/search.trace" --queries 100 --format csv "${kernels[@]}" >"$work/kernel.csv" 2>/dev/null; then
  cp "$work/kernel.csv" "$out/"
fi
earlier=()
[ -z "$last" ] || earlier=(--before "$(dirname "$last")")
"$python3" scripts/slidebench.py report "$out" "${earlier[@]}" >/dev/null
[ -z "$small_engine" ] || "$program" show "$out"
echo "Report: file://$out/index.html"
