#!/usr/bin/env bash
# Installs what is missing, builds, and runs the tests of the core.
#
#   scripts/run_tests.sh [--all | --label EXTRA] [--preset dev|asan|aarch64-cross] [ctest arguments, such as -L unit or -R trace]
#
# --all adds the tests of all extras, --label those of one, by the name of its folder in extras/. With SLIDEBENCH_FULL=1 in the
# environment (.ci/full) the tests that take long run too.
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "run_tests.sh: $1" >&2
  exit 2
}

preset=dev
extras=none
only=()
while [ $# -gt 0 ]; do
  case "$1" in
    --all) extras=all; shift ;;
    --label)
      extras="${2:-}"
      [ -n "$extras" ] && [ -e "extras/$extras/CMakeLists.txt" ] || fail "--label needs one of $(cd extras && echo */ | tr -d /)"
      only=(-L "^$extras\$")
      shift 2
      ;;
    --preset) preset="${2:-}"; [[ "$preset" =~ ^(dev|asan|aarch64-cross)$ ]] || fail "--preset needs dev, asan or aarch64-cross"; shift 2 ;;
    *) break ;;
  esac
done

[ "$preset" != asan ] || extras=all # its list of methods has a module of one

everything=()
if [ -n "${SLIDEBENCH_FULL:-}" ]; then
  only+=(-C full)
  [ "$preset" = dev ] || everything=(-DSLIDEBENCH_METHODS=all -DSLIDEBENCH_ENGINES=all)
fi

scripts/install_deps.sh
[ "$preset" != aarch64-cross ] || scripts/install_deps.sh --aarch64
cmake --preset "$preset" -DSLIDEBENCH_EXTRAS="$extras" "${everything[@]}" >/dev/null
cmake --build --preset "$preset" --parallel "$(nproc)"
ctest --preset "$preset" --parallel "$(nproc)" "${only[@]}" "$@"
# The same on a processor without SVE2: modules that need it must not be loaded.
[ "$preset" != aarch64-cross ] || ctest --preset aarch64-cortex-a72 --parallel "$(nproc)" "$@"
