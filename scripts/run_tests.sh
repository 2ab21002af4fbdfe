#!/usr/bin/env bash
# Installs what is missing, builds, and runs every test.
#
#   scripts/run_tests.sh [--preset dev|asan] [ctest arguments, such as -L unit or -R trace]
set -euo pipefail
cd "$(dirname "$0")/.."

preset=dev
if [ "${1:-}" = "--preset" ]; then
  preset="${2:?--preset needs a name: dev or asan}"
  shift 2
fi

scripts/install_deps.sh
cmake --preset "$preset" >/dev/null
cmake --build --preset "$preset"
ctest --preset "$preset" --parallel "$(nproc)" "$@"
