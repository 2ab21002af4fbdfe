#!/usr/bin/env bash
# clang-tidy over every source file. Any finding is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
# Compile commands as Clang would give them: it cannot read the precompiled headers or know all the options of GCC. The
# sources of a library are one unit, so that the headers they share are read once.
rm -rf build/tidy
cmake --preset dev -B build/tidy -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
  -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 >/dev/null
mapfile -t units < <(find build/tidy -path '*/Unity/*.cxx')
grep -ho '#include "[^"]*"' "${units[@]}" | cut -d '"' -f 2 | sed "s#^$PWD/##" | sort >build/tidy/in_units
# What is compiled for AArch64 or WebAssembly alone, or with what is exported, has no compile command here.
mapfile -t files < <(git ls-files 'harness/*.cpp' 'methods/*.cpp' 'reports/*.cpp' ':!*_AArch64.cpp' ':!harness/wasm/*' ':!harness/atlas/*' ':!harness/export/rust/twin/*' | sort | comm -23 - build/tidy/in_units)

# One at a time, the units and the largest files first, so that no processor is left with many when the others are done.
# A unit includes sources, which is what it is for.
{
  printf '%s\n' "${units[@]}"
  ls -S "${files[@]}"
} | xargs -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet --warnings-as-errors='*' \
  --checks=-bugprone-suspicious-include 2>/dev/null

# What is compiled for WebAssembly alone, where its compiler is there. Constants of templates are none that a start initialises.
if [ -d /usr/include/wasm32-wasi/c++ ]; then
  cmake --preset wasm >/dev/null
  clang-tidy -p build/wasm --quiet --warnings-as-errors='*' \
    --checks=-bugprone-suspicious-include,-bugprone-dynamic-static-initializers harness/wasm/*.cpp harness/atlas/*.cpp 2>/dev/null
fi
