#!/usr/bin/env bash
# clang-tidy over every source file. Any finding is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
# Compile commands as Clang would give them, one a file: it cannot read the precompiled headers or know all the options of
# GCC.
cmake --preset dev -B build/tidy -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
  -DCMAKE_UNITY_BUILD=OFF >/dev/null
# What is compiled for AArch64 alone has no compile command here. One file at a time, the largest first, so that no
# processor is left with many when the others are done.
git ls-files -z 'harness/*.cpp' 'methods/*.cpp' ':!*_AArch64.cpp' | xargs -0 ls -S |
  xargs -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet --warnings-as-errors='*' 2>/dev/null
