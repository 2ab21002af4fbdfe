#!/bin/sh
# Compiles by way of assembly, which stays beside the object for draw.sh.
#
#   sh compile.sh ASSEMBLER COMPILER ... -o OBJECT -c SOURCE
#
# ASSEMBLER: its words, to which "-o OBJECT ASSEMBLY" is added.
set -e
assembler=$1
shift
case "$*" in
  *.s | *.S) exec "$@" ;; # is assembly already: draw.sh takes the object as it is
esac
count=$# last=
while [ "$count" -gt 0 ]; do
  word=$1
  shift
  if [ "$last" = -o ]; then
    object=$word
    set -- "$@" "$word.s"
  elif [ "$word" = -c ]; then
    set -- "$@" -S
  else
    set -- "$@" "$word"
  fi
  last=$word
  count=$((count - 1))
done
"$@"
$assembler -o "$object" "$object.s"
