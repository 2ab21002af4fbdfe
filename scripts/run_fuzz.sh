#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Feeds every reader of outside input with mutated inputs, under the sanitizers: seconds each (default 60).
set -euo pipefail
cd "$(dirname "$0")/.."
seconds="${1:-60}"
[[ "$seconds" =~ ^[1-9][0-9]*$ ]] || { echo "run_fuzz.sh: '$seconds' is no number of seconds" >&2; exit 2; }

cmake --preset fuzz >/dev/null
cmake --build --preset fuzz
corpus="$(mktemp -d)"
trap 'rm -rf "$corpus"' EXIT
mkdir -p "$corpus"/{fen,specifications,trace_file,factor_file,query_log}

# Seeds: real inputs of every kind.
printf 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' >"$corpus/fen/kiwipete"
printf 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3' >"$corpus/fen/four_fields"
printf '1@16M/probe+768@8M/eval/rows+192/query' >"$corpus/specifications/pressure"
printf 'L1=32K/8,L2=1M/16,L3=32M/16' >"$corpus/specifications/cache"
cp methods/magic/*_factors.hpp "$corpus/factor_file/"
printf 'root ffff00000000ffff\nmake\nprobe\nb e4 0xff\nr e4 ff # both\neval\nunmake 7\nnull\nq a1 7\nx h8 7\n' >"$corpus/query_log/text"
gzip -c "$corpus/query_log/text" >"$corpus/query_log/packed"
printf 'SLQUERY\n\1\0\0\0\12\0\0\0\1\0\377\0\0\0\0\0\0\0\7\34\377\0\0\0\0\0\0\0' >"$corpus/query_log/binary"
for program in build/dev/slidebench build/bench/slidebench; do
  [ ! -x "$program" ] || { "$program" trace random --nodes 32 --out "$corpus/trace_file/random.trace"; break; }
done
[ -s "$corpus/trace_file/random.trace" ] || { echo "run_fuzz.sh: no seed trace; run scripts/run_tests.sh first" >&2; exit 2; }

for target in fen specifications trace_file factor_file query_log; do
  echo "== $target, $seconds s"
  build/fuzz/harness/fuzz/fuzz_"$target" -max_total_time="$seconds" -timeout=10 -print_final_stats=1 -verbosity=0 \
    -artifact_prefix=build/fuzz/ "$corpus/$target"
done
