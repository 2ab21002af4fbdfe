#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the inputs that fuzzing begins with, real ones of every kind, from this project's own data.
#
#   make_seeds.sh SLIDEBENCH FOLDER    FOLDER has a folder a target
set -euo pipefail
slidebench="$(realpath "$1")"
folder="$(realpath "$2")"
cd "$(dirname "$0")/../.."

head -20 datasets/positions.fen | grep -v '^#' | split -l 1 - "$folder/fen/position-"
printf 'r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1' >"$folder/fen/kiwipete"
printf 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3' >"$folder/fen/four_fields"

printf '\ne2e4 e7e5 g1f3 b8c6 f1b5 a7a6 e1g1\n' >"$folder/uci/opening"
printf 'r3k2r/P6p/8/3pP3/8/8/p6P/R3K2R w KQkq d6 0 1\ne5d6 e8c8 a7a8q\n' >"$folder/uci/rare_moves"
printf '\n\nid name X 1\noption name Hash type spin default 16 min 1 max 33554432\noption name Style type combo default a var a var b\nuciok\ninfo depth 3 seldepth 4 score cp 31 nodes 1234 pv e2e4\ninfo depth 4 score mate -2 lowerbound nodes 99\nbestmove e2e4 ponder e7e5\n' >"$folder/uci/engine"

# What pgn-extract makes of the first games, as the program asks it to; the games themselves, plain and packed.
games="$folder/pgn_pipe/games.pgn"
awk '/^\[Event /{n++} n>2{exit} {print}' datasets/sample.pgn >"$games"
pgn_extract="$(command -v pgn-extract || echo /usr/games/pgn-extract)"
"$pgn_extract" -Wuci -7 -C -V -N -w1000000 -l"$folder/pgn_pipe/complaints" <"$games" >"$folder/pgn_pipe/printed" || true
gzip -nc "$games" >"$folder/pgn_pipe/games.gz"
zstd -qc "$games" >"$folder/pgn_pipe/games.zst"

printf '1@16M/probe+768@8M/eval/rows+192/query' >"$folder/specifications/pressure"
printf '16@256K/probe+96/query' >"$folder/specifications/net0"
printf 'L1=32K/8/64,L2=1M/16,L3=32M/16:victim,DTLB=96,STLB=4096/16' >"$folder/specifications/cache"
printf 'skylake,L2=1M/16,L3=none' >"$folder/specifications/preset"

"$slidebench" trace random --nodes 8 --out "$folder/trace_file/random.trace"
"$slidebench" trace random --nodes 8 --out "$folder/trace_file/packed.trace.zst"
"$slidebench" trace build --out "$folder/trace_file/game.trace" "$games" 2>/dev/null
pieces="$folder/query_log/pieces"
printf 'board r3k2r/P7/8/3pP3/8/8/8/R3K2R\nroot 9101001800000091\nb e4 9101001800000091\nmove e5d6\nmake\nr e4 ff\neval\nmove e8c8\nmake\nnull\nunmake\nunmake 9101080000000091\nmove a7a8q\nmake 9100080000000091\nunmake\n' >"$pieces"
"$slidebench" trace import --out "$folder/trace_file/pieces.trace" "$pieces" 2>/dev/null

for file in methods/magic/*_factors.hpp; do cp "$file" "$folder/factor_file/"; done

log="$folder/query_log/text"
printf 'root ffff00000000ffff\nmake\nprobe\nb e4 0xff\nr e4 ff # both\neval\nunmake 7\nnull\nq a1 7\nx h8 7\n' >"$log"
gzip -nc "$log" >"$folder/query_log/text.gz"
zstd -qc "$log" >"$folder/query_log/text.zst"

# Committed runs, cut down to some rows and entries.
/usr/bin/python3 - reports "$folder/run_folder" <<'PYTHON'
import gzip
import json
import pathlib
import sys

reports, out = map(pathlib.Path, sys.argv[1:])
for name, folder in (("replay", reports / "example"), ("engine", reports / "search")):
    unpacked = {name: gzip.decompress((folder / f"{name}.gz").read_bytes()).decode() for name in ("run.json", "summary.csv", "process_runs.csv")}
    record = json.loads(unpacked["run.json"])
    small = {key: value[:2] if isinstance(value, list) else value for key, value in record.items()}
    small["checks"] = {key: value[:1] if isinstance(value, list) else value for key, value in record["checks"].items()}
    header, *rows = unpacked["summary.csv"].splitlines()
    text = json.dumps(small) + "\n=== summary.csv\n" + "\n".join([header, *rows[:8]]) + "\n"
    contenders = [row.split(",")[0] for row in rows[:8]]
    head, *lines = unpacked["process_runs.csv"].splitlines()
    cell = ",".join(lines[0].split(",")[:6])
    lines = [line for line in lines if line.startswith(cell) and line.split(",")[6] in contenders][:40]
    (out / name).write_text(text + "\n=== process_runs.csv\n" + "\n".join([head, *lines]) + "\n")
PYTHON
