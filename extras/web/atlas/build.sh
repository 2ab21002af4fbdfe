#!/usr/bin/env bash
# Builds build/atlas/atlas.wasm and build/atlas/places.json. Exit status 77, with one line, where the tools are missing.
set -euo pipefail
cd "$(dirname "$0")/../../.."
missing=()
for tool in clang++ wasm-ld node; do command -v "$tool" >/dev/null || missing+=("$tool"); done
[ -d /usr/include/wasm32-wasi/c++ ] || missing+=("libc++ for wasm32-wasi")
/usr/bin/python3 -c "import clang.cindex" 2>/dev/null || missing+=("clang for Python")
if [ ${#missing[@]} -ne 0 ]; then
  (IFS=, && echo "build.sh: no ${missing[*]}; scripts/install_deps.sh --wasm installs what the atlas needs" >&2)
  exit 77
fi
cmake --preset atlas >/dev/null
cmake --build --preset atlas
