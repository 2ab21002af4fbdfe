#!/usr/bin/env bash
# The tests of the core ten times, of which none may fail: five times as they are, and five times next to two busy processes on a
# machine that looks like another. What it looks like is mounted over /proc and /sys for these tests alone (as root).
#
#   scripts/tests/ten_times.sh [ctest arguments, such as -L unit or -j2]
set -euo pipefail
cd "$(dirname "$0")/../.."
cpu=/sys/devices/system/cpu

# Mounts what a machine looks like, in a namespace of its own, and runs the tests in it.
disguised() {
  local made
  made="$(mktemp -d)"
  case "$1" in
    "an L3 of 508 MiB") echo 520192K >"$made/size" && mount --bind "$made/size" "$cpu/cpu0/cache/index3/size" ;;
    "an unknown vendor") sed 's/^vendor_id.*/vendor_id\t: SomebodyElse/' /proc/cpuinfo >"$made/cpuinfo" && mount --bind "$made/cpuinfo" /proc/cpuinfo ;;
    "no caches told") mkdir "$made/none" && mount --bind "$made/none" "$cpu/cpu0/cache" ;;
    "one CPU") taskset -p -c 0 $$ >/dev/null ;;
    "64 CPUs") echo 0-63 >"$made/online" && for name in online present possible; do mount --bind "$made/online" "$cpu/$name"; done ;;
  esac
  rm -r "$made" # what is mounted stays
  "${@:2}"
}
[ "${1:-}" != --disguised ] || { disguised "${@:2}"; exit; }

failed=0
once() {
  local name="$1" start=$SECONDS
  shift
  if "$@" >build/dev/once.log 2>&1; then echo "$name: passed, $((SECONDS - start)) s"; else
    echo "$name: failed, $((SECONDS - start)) s"
    grep -A 20 'tests FAILED' build/dev/once.log || tail -5 build/dev/once.log
    failed=1
  fi
}
tests=(ctest --preset dev "$@")
for number in 1 2 3 4 5; do once "as it is, $number" "${tests[@]}"; done
for _ in 1 2; do while :; do :; done & done
trap 'kill $(jobs -p)' EXIT
for look in "an L3 of 508 MiB" "an unknown vendor" "no caches told" "one CPU" "64 CPUs"; do once "$look, next to load" unshare --mount scripts/tests/ten_times.sh --disguised "$look" "${tests[@]}"; done
exit "$failed"
