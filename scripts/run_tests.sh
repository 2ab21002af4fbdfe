#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test.
#
#   scripts/run_tests.sh [--preset dev|asan|aarch64-cross] [--architecture] [ctest arguments, such as -L unit or -R trace]
#
# --architecture builds and runs only what is not the same for every processor: all methods, and the tests of such code.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=dev
if [ "${1:-}" = "--preset" ]; then
  preset="${2:?--preset needs a name: dev, asan or aarch64-cross}"
  shift 2
fi

scripts/install_deps.sh
[ "$preset" != aarch64-cross ] || scripts/install_deps.sh --aarch64
targets=()
if [ "${1:-}" = "--architecture" ]; then
  shift
  targets=(--target architecture_tests)
  set -- -L architecture "$@"
fi
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset" "${targets[@]}"
ctest --preset "$preset" --parallel "$(nproc)" "$@"
# The same on a processor without SVE2: modules that need it must not be loaded.
[ "$preset" != aarch64-cross ] || ctest --preset aarch64-cortex-a72 --parallel "$(nproc)" "$@"
