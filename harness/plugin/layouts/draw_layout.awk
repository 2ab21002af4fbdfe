# Draws a layout of the branches inside functions: reads a compiler's assembly, writes the same instructions with other
# distances between them.
#
#   awk -v seed=3 -f draw_layout.awk kernel.s | as -o kernel.o -
#
# The compiler's alignment inside functions goes. Before each label that a later jump goes to, the head of a loop, come 0 to
# 31 bytes of no-ops, which are executed when the loop is entered and not at each turn; before each label behind a jump or a
# return, 0 to 63 bytes, which are never executed. `-v word=4`: instructions are of 4 bytes (AArch64), else of any length.

# A whole number from 0 to below `n`: Park and Miller's generator (Communications of the ACM 31, 1988).
function drawn(n) {
  state = (state * 16807) % 2147483647
  return state % n
}

# The label that a line defines; empty if it defines none of a function.
function label_of(line) { return match(line, /^\.L[A-Za-z0-9_$]+:/) ? substr(line, 1, RLENGTH - 1) : "" }

function pad(bytes) {
  if (word) for (; bytes >= word; bytes -= word) print "\tnop"
  else if (bytes > 0) print "\t.nops " bytes
}

BEGIN {
  state = seed * 7919 % 2147483646 + 1
  for (i = 0; i < 20; ++i) drawn(1)  # seeds that lie near each other begin alike
}

{
  lines[NR] = $0
  # The last line that jumps to a label: its only operand, or the last one.
  if ($0 ~ /^\t[a-z]/ && $NF ~ /^\.L[A-Za-z0-9_$]+$/) last_jump[$NF] = NR
}

END {
  for (i = 1; i <= NR; ++i) {
    line = lines[i]
    if (line ~ /^\t\.(section|text|data|pushsection|popsection|previous)/) is_code = line ~ /text/ || line ~ /previous|popsection/
    else if (line ~ /\.cfi_startproc/) is_inside = is_code = 1
    else if (line ~ /\.cfi_endproc/) is_inside = 0
    if (is_inside && is_code) {
      if (line ~ /^\t\.(p2)?align/) continue
      label = label_of(line)
      if (label != "" && is_behind_jump) pad(drawn(64))
      else if (label in last_jump && last_jump[label] > i) pad(drawn(32))
      if (line ~ /^\t[a-z]/) is_behind_jump = line ~ /^\t(jmp|(rep )?ret|retq|b|br)(\t|$| )/
    }
    print line
  }
}
