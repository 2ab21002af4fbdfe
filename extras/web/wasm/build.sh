#!/usr/bin/env bash
# Builds build/wasm/slidebench.wasm. Exit status 77, with one line, where the tools are missing.
set -euo pipefail
cd "$(dirname "$0")/../../.."
missing=()
for tool in clang++ wasm-ld llvm-objdump node; do command -v "$tool" >/dev/null || missing+=("$tool"); done
[ -d /usr/include/wasm32-wasi/c++ ] || missing+=("libc++ for wasm32-wasi")
if [ ${#missing[@]} -ne 0 ]; then
  (IFS=, && echo "build.sh: no ${missing[*]}; scripts/install_deps.sh --wasm installs what WebAssembly needs" >&2)
  exit 77
fi
cmake --preset wasm >/dev/null
cmake --build --preset wasm
