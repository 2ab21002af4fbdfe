#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Fetches the whole game collection: Debian's source package gnuchess-book 1.02, through apt.
#
# The script names no server. It reads this machine's own apt sources, turns every `deb` entry into a `deb-src`
# entry, and gives the result to apt as a private configuration whose indexes and caches lie in one folder of ours.
# The system's own apt settings and indexes are read, never written, and no root is needed. What arrives is trusted only
# after its sha256 has been compared with the one written below.
set -Eeuo pipefail
export LC_ALL=C

package=gnuchess-book
upstream=1.02
tarball=gnuchess-book_1.02.orig.tar.gz
tarball_sha256=d673ffa6986a3beca27cc23ef126ea0a73f1098762e3ccd00f791c096f2bfb48
member=gnuchess-book-1.02/book_1.02.pgn
pgn_sha256=33f5d31528f3c93c18adffa7a222b9b9d6097c2ae231147de2048acff5e06583

here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
out=$here/games/book_1.02.pgn
cache=$here/.cache
apt_etc=

usage() {
  cat <<'USAGE'
usage: fetch_games.sh [--out FILE] [--cache DIR] [--apt-etc DIR]

Fetches 145,716 public-domain master games (85.7 MB of PGN) from Debian's source package
gnuchess-book 1.02, through the apt sources of this machine. Needs no root. Downloads
about 36 MB: 10 MB of source indexes and the 26 MB package. Does nothing if the file is already there.

  --out FILE      where to put the games        (default: games/book_1.02.pgn beside this script)
  --cache DIR     where to keep the download    (default: .cache beside this script)
  --apt-etc DIR   read sources.list and sources.list.d in DIR instead of the system's

Example:
  ./datasets/fetch_games.sh --out games.pgn
USAGE
}

die() {
  printf 'fetch_games.sh: %s\n' "$*" >&2
  exit 2
}

has_sha256() { [[ -f $1 ]] && sha256sum --status --check <<< "$2  $1"; }

# One line (`deb [options] uri suite component...`) and deb822 (stanzas of `Field: value`). A CD-ROM cannot serve here.
derive_sources() {
  local list=$apt_etc/sources.list parts=$apt_etc/sources.list.d file
  [[ -n $apt_etc ]] || eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
  rm -f -- "$cache/sources.list.d/"*
  for file in "$list" "${parts%/}"/*.list; do
    [[ ! -r $file ]] || sed -nE '/cdrom:/d; s/^[ \t]*deb(-src)?[ \t]/deb-src /p' "$file"
  done | sort -u > "$cache/sources.list.d/lines.list"
  for file in "${parts%/}"/*.sources; do
    [[ ! -r $file ]] || awk 'tolower($0) ~ /^types[ \t]*:/ { print "Types: deb-src"; in_types = 1; next }
                             in_types && /^[ \t]/ { next }
                             { in_types = 0; print }' "$file" > "$cache/sources.list.d/${file##*/}"
  done
  grep -Eqr '^(deb-src|Types: deb-src)' "$cache/sources.list.d" ||
    die "no deb entry in '$list' or '$parts' to derive a deb-src entry from; add your archive to the apt sources"
}

# The #clear lines keep hooks of other packages (software centres, container clean-up) from running for our indexes.
configure_apt() {
  cat > "$cache/apt.conf" << CONF
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
Dir::Etc::sourcelist "$cache/no-sources.list";
Dir::Etc::sourceparts "$cache/sources.list.d";
Dir::State::lists "$cache/lists";
Dir::Cache "$cache";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Acquire::Languages "none";
Acquire::Retries "2";
CONF
}

apt_private() { "$1" -c "$cache/apt.conf" "${@:2}" 2>> "$cache/apt.log" < /dev/null; }

download() {
  local version
  command -v apt-get > /dev/null ||
    die "apt-get not found; on another system put Debian's $tarball into '$cache/download' and run this again"
  derive_sources
  configure_apt
  : > "$cache/apt.log"
  # One unreachable archive among several need not matter: what counts is whether the package is found.
  apt_private apt-get -qq update >> "$cache/apt.log" || true
  version=$(apt_private apt-cache showsrc --only-source "$package" | sed -n "s/^Version: \($upstream-.*\)/\1/p" | tail -n 1) || true
  [[ -n $version ]] ||
    die "the apt sources offer no source package $package $upstream, or cannot be reached (apt's words: $cache/apt.log)"
  (cd -- "$cache/download" &&
    apt_private apt-get -qq source --download-only --tar-only --only-source "$package=$version" >> "$cache/apt.log") || true
}

while (($# > 0)); do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --out | --cache | --apt-etc)
      [[ -n ${2-} ]] || die "option $1 needs a value; see fetch_games.sh --help"
      name=${1#--}
      printf -v "${name//-/_}" %s "$2"
      shift 2 ;;
    *) die "unknown argument '$1'; see fetch_games.sh --help" ;;
  esac
done

if has_sha256 "$out" "$pgn_sha256"; then
  echo "'$out' is already there and its sha256 is right; nothing to do"
  exit
fi
# The output is opened before anything is downloaded, so that a bad --out costs no time.
[[ ! -e $out || -f $out ]] || die "cannot write '$out': it is not a regular file; give another --out"
{ mkdir -p -- "$(dirname -- "$out")" && temporary=$(mktemp -- "$out.XXXXXX"); } 2> /dev/null ||
  die "cannot write '$out'; give another --out"
trap 'rm -f -- "$temporary"' EXIT
mkdir -p -- "$cache"/{download,lists/partial,archives/partial,sources.list.d} 2> /dev/null ||
  die "cannot create the cache folder '$cache'; give another --cache"
cache=$(cd -- "$cache" && pwd)

kept=$cache/download/$tarball
if ! has_sha256 "$kept" "$tarball_sha256"; then
  rm -f -- "$kept"
  download
  has_sha256 "$kept" "$tarball_sha256" ||
    die "$tarball did not arrive whole, or has a wrong sha256; run this again, or use another archive (apt's words: $cache/apt.log)"
fi
tar -xzOf "$kept" "$member" > "$temporary" || die "cannot extract the games beside '$out'; is the disk full? (86 MB)"
has_sha256 "$temporary" "$pgn_sha256" || die "the extracted games have a wrong sha256; delete '$cache' and run this again"
chmod 644 -- "$temporary"
mv -f -- "$temporary" "$out"
echo "'$out': 145,716 games, sha256 $pgn_sha256"
