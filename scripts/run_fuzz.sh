#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Feeds every reader of outside input with mutated inputs, under the sanitizers, as many readers at a time as there are
# processors. Needs clang, and a built slidebench.
#
#   scripts/run_fuzz.sh                      60 seconds each
#   scripts/run_fuzz.sh --seconds 1800       as before a release
#   scripts/run_fuzz.sh --target fen --target uci --corpus DIR    two of them; what was found stays in DIR
#
# Ends with a table: executions, executions a second, edges covered. An input that breaks a reader is left in
# build/fuzz/crashes/, and the exit status is 1; made small (fuzz_TARGET -minimize_crash=1), it belongs into
# harness/fuzz/regressions/TARGET/, with which every later run begins.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "run_fuzz.sh: $1" >&2
  exit "${2:-2}"
}

all=(fen uci pgn_pipe specifications trace_file factor_file query_log run_folder)
seconds=60
corpus=""
targets=()
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || fail "unknown option '$1', or no value; use --seconds N, --target NAME, --corpus DIR"
  case "$1" in
    --seconds) seconds="$2" ;;
    --target) targets+=("$2") ;;
    --corpus) corpus="$2" ;;
    *) fail "unknown option '$1'; use --seconds N, --target NAME, --corpus DIR" ;;
  esac
  shift 2
done
[[ "$seconds" =~ ^[1-9][0-9]{0,6}$ ]] || fail "'$seconds' is no number of seconds"
[ ${#targets[@]} -gt 0 ] || targets=("${all[@]}")
for target in "${targets[@]}"; do
  [[ " ${all[*]} " == *" $target "* ]] || fail "unknown target '$target'; the targets are ${all[*]}"
done

slidebench=""
for folder in build/dev build/bench build/bench-clang build/asan; do
  [ -x "$folder/slidebench" ] && slidebench="$folder/slidebench" && break
done
[ -n "$slidebench" ] || fail "no slidebench to make seeds with; run scripts/run_tests.sh first"

cmake --preset asan -DSLIDEBENCH_EXTRAS=all >/dev/null
cmake --build build/asan --target "${targets[@]/#/fuzz_}"

if [ -z "$corpus" ]; then
  corpus="$(mktemp -d)"
  trap 'rm -rf "$corpus"' EXIT
fi
mkdir -p "${all[@]/#/$corpus/}" build/fuzz/crashes build/fuzz/logs
harness/fuzz/make_seeds.sh "$slidebench" "$corpus"

# Fuzzes one target; the log's last line is the exit status.
fuzz() {
  local target="$1" folders=("$corpus/$1") status=0
  local regressions="harness/fuzz/regressions/$target"
  [ -d "$regressions" ] && folders+=("$regressions")
  build/asan/fuzz/fuzz_"$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2560 -print_final_stats=1 \
    -dict="harness/fuzz/dictionaries/$target.dict" -artifact_prefix="build/fuzz/crashes/$target-" "${folders[@]}" \
    >"build/fuzz/logs/$target" 2>&1 || status=$?
  echo "exit status $status" >>"build/fuzz/logs/$target"
}

echo "== $seconds s each: ${targets[*]}"
for target in "${targets[@]}"; do
  while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n; done
  fuzz "$target" &
done
wait

failed=()
printf '%-16s %12s %8s %8s %10s  %s\n' target executions a_second edges inputs result
for target in "${targets[@]}"; do
  log="build/fuzz/logs/$target"
  figure() { sed -n "s/^stat::$1: *//p" "$log" | tail -1; }
  edges="$(grep -o ' cov: [0-9]*' "$log" | tail -1 | grep -o '[0-9]*' || true)"
  result=sound
  if [ "$(tail -1 "$log")" != "exit status 0" ]; then
    failed+=("$target")
    result="$(grep -m1 -E 'ERROR|SUMMARY' "$log" || echo failed)"
  fi
  printf '%-16s %12s %8s %8s %10s  %s\n' "$target" "$(figure number_of_executed_units)" "$(figure average_exec_per_sec)" \
    "$edges" "$(figure new_units_added)" "$result"
done
[ ${#failed[@]} -eq 0 ] || fail "broken: ${failed[*]}; see build/fuzz/logs and build/fuzz/crashes" 1
