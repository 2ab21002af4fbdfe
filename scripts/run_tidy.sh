#!/usr/bin/env bash
# clang-tidy over every source file, with the compile commands of the preset dev. Any finding is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f build/dev/compile_commands.json ] || cmake --preset dev >/dev/null
cmake --build --preset dev --target slidebench_version >/dev/null
git ls-files 'harness/*.cpp' 'methods/*.cpp' | grep -v '/example/' |
  xargs -P "$(nproc)" -n 4 clang-tidy -p build/dev --quiet --warnings-as-errors='*' 2>/dev/null
