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
placement=1
while [ "$placement" -le "$last" ]; do
  number=100 # in the order of the objects, which may have one name in several folders
  for object in "$@"; do
    number=$((number + 1))
    if [ -e "$object.s" ]; then
      awk -v seed="$placement" -v word="$word" -f "$(dirname "$0")/draw_layout.awk" "$object.s" |
        $assembler -o "$parts/$number.o" -
    else
      cp "$object" "$parts/$number.o"
    fi
  done
  mkdir -p "$folder/placement$placement"
  ld -shared -s --version-script="$exports" -o "$folder/placement$placement/$name" "$parts"/*.o
  placement=$((placement + 1))
done
