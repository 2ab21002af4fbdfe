#!/usr/bin/env bash
# clang-tidy over the sources that changed since a commit, and over those that include a header that changed. Any finding is
# an error.
#
#   scripts/run_tidy.sh                 since the commit in .ci/tidied, when all had been checked
#   scripts/run_tidy.sh --since COMMIT  since another
#   scripts/run_tidy.sh --all           every source; what is found clean may be the next .ci/tidied
set -euo pipefail
cd "$(dirname "$0")/.."

fail() {
  echo "run_tidy.sh: $1" >&2
  exit 2
}

since="$(cat .ci/tidied)"
case "${1:-}" in
  "") git cat-file -e "$since^{commit}" 2>/dev/null || since="" ;; # a shallow clone: all
  --all) since="" ;;
  --since)
    since="${2:-}"
    git cat-file -e "$since^{commit}" 2>/dev/null || fail "--since needs a commit, and '$since' is none"
    ;;
  *) fail "unknown option '$1'; use --since COMMIT or --all" ;;
esac

# Compile commands as Clang would give them: it cannot read the precompiled headers or know all the options of GCC. The
# sources of a library are one unit, so that the headers they share are read once.
rm -rf build/tidy
cmake --preset dev -B build/tidy -DSLIDEBENCH_EXTRAS=all -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON \
  -DCMAKE_UNITY_BUILD_BATCH_SIZE=16 >/dev/null

# One line a unit, the unit first: all files that it reads. Sources that the build makes are left out.
scan="$(command -v clang-scan-deps || command -v clang-scan-deps-14)" || fail "no clang-scan-deps; run scripts/install_deps.sh --ci"
"$scan" -compilation-database build/tidy/compile_commands.json 2>build/tidy/errors >build/tidy/dependencies || true
! grep '^Error while' build/tidy/errors | grep -v " $PWD/build/" || fail "clang-scan-deps cannot read what is named above"
sed -e ':a' -e '/\\$/N; s/ *\\\n */ /; ta' -e 's/^[^:]*: *//' build/tidy/dependencies | grep -v '/build/tidy/[^ ]*/modules/[^ /]*\.cpp' >build/tidy/units

if [ -n "$since" ]; then
  git diff --name-only --diff-filter=d "$since" | sed "s#^#$PWD/#" >build/tidy/changed
  grep -qF .clang-tidy build/tidy/changed || { grep -wFf build/tidy/changed build/tidy/units || true; } >build/tidy/chosen
fi
[ -e build/tidy/chosen ] || cp build/tidy/units build/tidy/chosen
echo "run_tidy.sh: $(wc -l <build/tidy/chosen) of $(wc -l <build/tidy/units) units"

# One at a time, the units that read most first, so that no processor is left with many when the others are done. A unit
# includes sources, which is what it is for.
awk '{ print NF, $1 }' build/tidy/chosen | sort -rn | cut -d ' ' -f 2 | xargs -r -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet \
  --warnings-as-errors='*' --checks=-bugprone-suspicious-include 2>/dev/null
