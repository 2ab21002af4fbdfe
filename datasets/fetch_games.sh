#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Fetches the whole game collection: Debian's source package gnuchess-book 1.02, through apt.
#
# The script names no server. It reads this machine's own apt sources, turns every `deb` entry into a `deb-src`
# entry, and gives the result to apt as a private configuration whose indexes and caches live in one folder of ours.
# The system's own apt settings and indexes are read, never written, and no root is needed. What arrives is trusted only after
# its sha256 has been compared with the one written below.
set -Eeuo pipefail
export LC_ALL=C

readonly package=gnuchess-book
readonly upstream=1.02
readonly tarball=gnuchess-book_1.02.orig.tar.gz
readonly tarball_bytes=26265494
readonly tarball_sha256=d673ffa6986a3beca27cc23ef126ea0a73f1098762e3ccd00f791c096f2bfb48
readonly member=gnuchess-book-1.02/book_1.02.pgn
readonly pgn_sha256=33f5d31528f3c93c18adffa7a222b9b9d6097c2ae231147de2048acff5e06583

me=$(basename -- "$0")
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
out=$here/games/book_1.02.pgn
cache=$here/.cache
apt_etc=
temporary=

usage() {
  cat <<'USAGE'
usage: fetch_games.sh [--out FILE] [--cache DIR] [--apt-etc DIR]

Fetches 145,716 public-domain master games (85.7 MB of PGN) from Debian's source package
gnuchess-book 1.02, through the apt sources of this machine. Needs no root. Downloads
about 36 MB: 10 MB of source indexes and the 26 MB package. Does nothing if the file is already there.

  --out FILE      where to put the games        (default: games/book_1.02.pgn beside this script)
  --cache DIR     where to keep the download    (default: .cache beside this script)
  --apt-etc DIR   read sources.list and sources.list.d in DIR instead of the system's
  -h, --help      print this text

Example:
  ./datasets/fetch_games.sh --out games.pgn

Exit status: 0 the file is there and its sha256 is right; 2 anything else, with one line on standard error.
USAGE
}

die() {
  printf '%s: %s\n' "$me" "$*" >&2
  exit 2
}

say() { printf '%s: %s\n' "$me" "$*"; }

cleanup() { if [[ -n $temporary ]]; then rm -f -- "$temporary"; fi; }
trap cleanup EXIT
trap 'die "stopped by a signal; run it again to go on"' INT TERM HUP
trap 'die "line $LINENO: a command failed unexpectedly; look at $cache/apt.log, then run it again"' ERR

sha256_is() {  # FILE SHA256
  local sum
  sum=$(sha256sum 2>/dev/null < "$1") || return 1
  [[ ${sum%% *} == "$2" ]]
}

parse_arguments() {
  while (($# > 0)); do
    case $1 in
      -h | --help) usage; exit 0 ;;
      --out=* | --cache=* | --apt-etc=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" ;;
      --out | --cache | --apt-etc)
        [[ $# -ge 2 && -n $2 ]] || die "option $1 needs a value; see $me --help"
        case $1 in
          --out) out=$2 ;;
          --cache) cache=$2 ;;
          --apt-etc) apt_etc=$2 ;;
        esac
        shift 2 ;;
      *) die "unknown argument '$1'; see $me --help" ;;
    esac
  done
}

# Opens the temporary output beside the final one, before anything is downloaded, so that a bad --out costs no time.
open_output() {
  local folder
  if [[ -e $out && ! -f $out ]]; then
    die "cannot write '$out': it exists and is not a regular file; give another --out"
  fi
  folder=$(dirname -- "$out")
  mkdir -p -- "$folder" 2>/dev/null || die "cannot create the folder '$folder' for the output; give another --out"
  temporary=$(mktemp -- "$folder/.fetch_games.XXXXXX" 2>/dev/null) ||
    die "cannot write in the folder '$folder'; make it writable or give another --out"
}

open_cache() {
  mkdir -p -- "$cache/download" "$cache/lists/partial" "$cache/archives/partial" "$cache/sources.list.d" 2>/dev/null ||
    die "cannot create the cache folder '$cache'; give another --cache"
  cache=$(cd -- "$cache" && pwd)
  case $cache in
    *[\"\\]*) die "the cache folder '$cache' has a quote or a backslash in its name, which apt cannot read; give another --cache" ;;
  esac
  { : > "$cache/lock" && : > "$cache/apt.log"; } 2>/dev/null ||
    die "cannot write in the cache folder '$cache'; give another --cache"
  if command -v flock > /dev/null; then
    exec 9> "$cache/lock"
    flock 9
  fi
}

# One-line style: `deb [options] uri suite component...`. A CD-ROM cannot serve as a source here.
one_line_to_source() {
  awk '/^[ \t]*deb(-src)?[ \t]/ && !/[ \t]cdrom:/ {
         sub(/^[ \t]*deb(-src)?/, "deb-src")
         if (!seen[$0]++) print
       }' "$1"
}

# deb822 style: stanzas of `Field: value`. Only the field Types changes; a value may go on in indented lines.
deb822_to_source() {
  awk '/^#/                       { print; next }
       tolower($0) ~ /^types[ \t]*:/ { print "Types: deb-src"; in_types = 1; next }
       in_types && /^[ \t]/       { next }
                                  { in_types = 0; print }' "$1"
}

derive_sources() {
  local list='' parts='' file target found=0
  if [[ -n $apt_etc ]]; then
    [[ -d $apt_etc ]] || die "--apt-etc '$apt_etc' is not a folder; give one with a sources.list or a sources.list.d"
    list=$apt_etc/sources.list
    parts=$apt_etc/sources.list.d
  else
    eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
  fi
  rm -f -- "$cache/sources.list.d/"*
  for file in "$list" "${parts%/}"/*.list "${parts%/}"/*.sources; do
    [[ -f $file && -r $file ]] || continue
    target=$cache/sources.list.d/$(basename -- "$file")
    case $file in
      *.sources) deb822_to_source "$file" > "$target" ;;
      *) # sources.list itself must not collide with a sources.list.d/sources.list
        [[ $file != "$list" ]] || target=$cache/sources.list.d/00-main.list
        one_line_to_source "$file" > "$target" ;;
    esac
    if grep -Eq '^(deb-src|Types: deb-src)' "$target"; then found=1; else rm -f -- "$target"; fi
  done
  ((found)) || die "no deb entry in '$list' or '$parts' to derive a deb-src entry from; add your archive to the apt sources"
}

# The #clear lines keep hooks of other packages (software centres, container clean-up) from running for our private indexes.
configure_apt() {
  cat > "$cache/apt.conf" << CONF
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
Dir::Etc::sourcelist "$cache/no-sources.list";
Dir::Etc::sourceparts "$cache/sources.list.d";
Dir::State::lists "$cache/lists";
Dir::Cache "$cache";
Dir::Cache::archives "$cache/archives";
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
Acquire::Languages "none";
Acquire::Retries "2";
Acquire::http::Timeout "30";
Acquire::https::Timeout "30";
CONF
}

apt_private() { "$1" -c "$cache/apt.conf" "${@:2}" 2>> "$cache/apt.log" < /dev/null; }

download() {
  local version
  for tool in apt-get apt-cache apt-config; do
    command -v "$tool" > /dev/null ||
      die "$tool not found: the games come through apt; on another system fetch Debian's $tarball by hand into '$cache/download' and run this again"
  done
  derive_sources
  configure_apt
  say "reading the source indexes (about 10 MB)"
  # One unreachable archive among several need not matter: what counts is whether the package is found.
  apt_private apt-get -qq update >> "$cache/apt.log" || true
  version=$(apt_private apt-cache showsrc --only-source "$package" |
    awk -v want="$upstream-" '$1 == "Version:" && index($2, want) == 1 { found = $2 } END { print found }') || true
  if [[ -z $version ]]; then
    if grep -Eq '^([EW]:.*(Failed to fetch|Could not|Temporary failure)|E:.*does not have a Release file)' "$cache/apt.log"; then
      die "cannot read the package archives of the apt sources; check the network and the sources, then run this again (apt's words: $cache/apt.log)"
    fi
    die "the apt sources offer no source package $package $upstream; add an archive of Debian 12 or another that has it (apt's words: $cache/apt.log)"
  fi
  say "downloading $package $version (26 MB)"
  (cd -- "$cache/download" &&
    apt_private apt-get -qq source --download-only --tar-only --only-source "$package=$version" >> "$cache/apt.log") || true
  [[ -s $cache/download/$tarball ]] ||
    die "apt could not download $tarball; check the network and run this again (apt's words: $cache/apt.log)"
}

get_tarball() {
  local file=$cache/download/$tarball bytes
  if [[ -e $file ]]; then
    if sha256_is "$file" "$tarball_sha256"; then
      say "using the download kept in '$cache'"
      return
    fi
    bytes=$(wc -c < "$file")
    if ((bytes >= tarball_bytes)); then
      say "the download kept in '$cache' has a wrong sha256; fetching it again"
      rm -f -- "$file"
    else
      say "going on with a partial download ($bytes of $tarball_bytes bytes)"
    fi
  fi
  download
  if ! sha256_is "$file" "$tarball_sha256"; then
    bytes=$(wc -c < "$file")
    # Shorter than the real one: kept, apt can go on with it. Anything else is of no use.
    if ((bytes >= tarball_bytes)); then rm -f -- "$file"; fi
    die "$tarball is incomplete or has a wrong sha256 ($bytes of $tarball_bytes bytes, wanted sha256 $tarball_sha256); run this again, or use another archive"
  fi
}

extract() {
  say "extracting book_1.02.pgn (86 MB)"
  tar -xzOf "$cache/download/$tarball" "$member" 2>> "$cache/apt.log" > "$temporary" ||
    die "cannot extract to '$(dirname -- "$out")'; is the disk full? (86 MB are needed; tar's words: $cache/apt.log)"
  sha256_is "$temporary" "$pgn_sha256" ||
    die "the extracted games have a wrong sha256 (wanted $pgn_sha256); delete '$cache' and run this again"
  chmod 644 -- "$temporary"
  mv -f -- "$temporary" "$out" 2>> "$cache/apt.log" || die "cannot put the games at '$out'; give another --out"
  temporary=
}

main() {
  parse_arguments "$@"
  for tool in awk grep mktemp sha256sum tar gzip; do
    command -v "$tool" > /dev/null || die "$tool not found; install it and run this again"
  done
  if [[ -f $out ]] && sha256_is "$out" "$pgn_sha256"; then
    say "'$out' is already there and its sha256 is right; nothing to do"
    return
  fi
  open_output
  open_cache
  get_tarball
  extract
  # The tarball stays, so that the games can be extracted again without a network; the indexes are of no further use.
  rm -rf -- "$cache/lists" "$cache/archives"
  say "'$out': 145,716 games, sha256 $pgn_sha256"
}

main "$@"
