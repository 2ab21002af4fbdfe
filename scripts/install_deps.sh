#!/usr/bin/env bash
# Installs what slidebench needs from the distribution's own packages (Debian 12 or newer, Ubuntu 24.04 or newer).
# Does nothing where everything is there already. Needs root, or sudo, only when something is missing.
#
#   scripts/install_deps.sh            what a build, its tests and a report need
#   scripts/install_deps.sh --build    what a build without tests needs, alone
#   scripts/install_deps.sh --sweeps   snakemake for extras/sweep too, and Slurm's client
#   scripts/install_deps.sh --aarch64  what a build for AArch64 on another machine needs too (preset aarch64-cross)
#   scripts/install_deps.sh --web      clang, lld, wasi-libc, node and Chromium, for slidebench.py site and extras/web
#   scripts/install_deps.sh --ci       what the tests of headers/ and of all extras need too: clang and its tools, rustc, MinGW, capstone,
#                                      valgrind, two engines, and the packages of --sweeps' snakemake and of --web
set -euo pipefail

packages=(
  g++ cmake ninja-build make pkg-config git python3-minimal
  libbenchmark-dev libcli11-dev nlohmann-json3-dev libfmt-dev
  libxxhash-dev libzstd-dev libarchive-dev nettle-dev libhwloc-dev libpapi-dev libzydis-dev libfccp-dev
  zstd gzip binutils
)
others=(
  libgtest-dev pgn-extract lld node-d3
  python3 python3-jinja2 python3-jsonschema python3-matplotlib python3-numpy python3-pandas python3-scipy
  python3-hypothesis python3-pytest
)

fail() {
  echo "install_deps.sh: $1" >&2
  exit 2
}

# Debian keeps the libraries of several architectures side by side; headers without code are there already.
foreign=
foreign_packages=(
  libstdc++6 libbenchmark-dev libgtest-dev libfmt-dev libxxhash-dev libzstd-dev libarchive-dev nettle-dev libhwloc-dev libcapstone-dev
)

web_packages=(clang lld llvm wasi-libc libclang-rt-14-dev-wasm32 libc++-14-dev-wasm32 libc++abi-14-dev-wasm32 nodejs chromium
               python3-clang-14)

[ "${1:-}" = --build ] || packages+=("${others[@]}")
case "${1:-}" in
  "" | --build) ;;
  --sweeps) packages+=(snakemake slurm-client) ;;
  --aarch64) foreign=arm64 ;;
  --web) packages+=("${web_packages[@]}") ;;
  --ci)
    packages+=(snakemake clang clang-format clang-tidy libcapstone-dev valgrind rustc gcc-mingw-w64-x86-64 stockfish glaurung)
    packages+=("${web_packages[@]}")
    ;;
  *) fail "unknown option '$1'; use --build, --sweeps, --aarch64, --web, --ci or nothing" ;;
esac

command -v dpkg-query >/dev/null && command -v apt-get >/dev/null ||
  fail "this is no Debian or Ubuntu; install by hand: ${packages[*]}"

if [ -n "$foreign" ] && [ "$(dpkg --print-architecture)" != "$foreign" ]; then
  packages+=(crossbuild-essential-"$foreign" qemu-user)
  for package in "${foreign_packages[@]}"; do packages+=("$package:$foreign"); done
fi

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || fail "needs root to install: ${missing[*]}"
  as_root=(sudo)
fi
echo "install_deps.sh: installing ${missing[*]}" >&2
export DEBIAN_FRONTEND=noninteractive
[ -z "$foreign" ] || "${as_root[@]}" dpkg --add-architecture "$foreign"
"${as_root[@]}" apt-get update -qq || fail "apt-get update failed; is there a network?"
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null ||
  fail "could not install: ${missing[*]}"
