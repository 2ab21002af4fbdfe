#!/bin/sh
# Links a module again for each further placement, each from a layout of its own (draw_layout.awk).
#
#   sh draw.sh ASSEMBLER WORD LAST FOLDER NAME EXPORTS OBJECT...
#
# Writes FOLDER/placement1/NAME to FOLDER/placementLAST/NAME. WORD: of draw_layout.awk. Beside an object lies its assembly
# (compile.sh); an object without one is linked as it is.
set -e
assembler=$1 word=$2 last=$3 folder=$4 name=$5 exports=$6
shift 6
parts=$(mktemp -d)
trap 'rm -rf "$parts"' EXIT
objects=
for object in "$@"; do
  [ -e "$object.s" ] && objects="$objects $parts/$(basename "$object")" || objects="$objects $object"
done
placement=1
while [ "$placement" -le "$last" ]; do
  for object in "$@"; do
    [ -e "$object.s" ] || continue
    awk -v seed="$placement" -v word="$word" -f "$(dirname "$0")/draw_layout.awk" "$object.s" |
      $assembler -o "$parts/$(basename "$object")" -
  done
  mkdir -p "$folder/placement$placement"
  # shellcheck disable=SC2086 # a list
  ld -shared -s --version-script="$exports" -o "$folder/placement$placement/$name" $objects
  placement=$((placement + 1))
done
