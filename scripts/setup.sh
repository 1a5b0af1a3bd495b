#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what the build and the tests need, on Debian 12 and 13: `setup.sh [GROUP...]`. Without a
# group what every target needs; `only release`: no more than `make release-v` needs; `synth`: area
# and timing, `formal`: proofs, `coverage`: its pages, `waves`: the picture of `make waves`, `area`,
# `fpga`, `docs`: `make area`, `make fpga`, `make docs`; `simt`: programs of the SIMT core.
# As root it installs only what is missing and is silent when nothing is. As another user it says
# what to install. Cell library: Debian 13 has none. There it is taken from Debian 12's archive (apt
# checks its signature) into build/cells/; where that cannot be reached setup says so, and the tests
# that need it are skipped (scripts/cells.sh). The reason for each package: docs/dependencies.md.
set -eu
cd "$(dirname "$0")/.."
packages="gcc g++ ccache make git python3 python3-venv verilator iverilog yosys gtkwave
  zlib1g-dev libzstd-dev libinih-dev libcjson-dev libcmocka-dev libxxhash-dev
  libopenblas-serial-dev uthash-dev libssl-dev libsigsegv-dev"
cells= only=
if [ "${1:-}" = only ]; then
  packages= only=1
  shift
fi
for group in "$@"; do
  case $group in
    release) packages="$packages python3 yosys" ;;
    synth) packages="$packages opensta" cells=qflow-tech-osu018 ;;
    area) packages="$packages opensta" cells=qflow-tech-osu018 ;;
    fpga) packages="$packages nextpnr-ice40 python3-pip" ;;
    docs) packages="$packages mkdocs graphviz" ;;
    formal) ;;   # ABC comes with Yosys
    coverage) packages="$packages lcov" ;;
    simt) packages="$packages gcc gcc-riscv64-unknown-elf libcmocka-dev make" ;;
    waves) packages="$packages xvfb xauth poppler-utils ghostscript" ;;
    *)
      echo "setup: no group '$group'; there are:" \
        "release synth area formal coverage fpga docs simt waves" >&2
      exit 2
      ;;
  esac
done

# With `only` a program of that name is as good, wherever it came from.
installed() {
  dpkg-query -W -f='${Status}' "$1" 2>/dev/null | grep -q 'install ok installed' ||
    { [ -n "$only" ] && command -v "$1" >/dev/null; }
}
missing=
for p in $packages; do installed "$p" || missing="$missing $p"; done
[ -z "$cells" ] || scripts/cells.sh >/dev/null 2>&1 || ! apt-cache show "$cells" >/dev/null 2>&1 ||
  missing="$missing $cells"

if [ -n "$missing" ]; then
  if [ "$(id -u)" != 0 ]; then
    echo "setup: missing packages; as root: apt-get install$missing" >&2
    exit 1
  fi
  echo "setup: installing$missing" >&2
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  install() {
    apt-get update || return
    # Only now a fresh machine knows whether its Debian has the cell library.
    [ -z "$cells" ] || scripts/cells.sh || ! apt-cache show "$cells" || missing="$missing $cells"
    apt-get install -y --no-install-recommends $missing
  }
  if [ -t 2 ]; then   # one line that moves: what apt does
    (
      while sleep 1; do
        printf '\r\033[K%.78s' "setup: $(tail -n 1 "$log" | tr -d '\r')" >&2
      done
    ) &
    teller=$!
  fi
  status=0
  install >"$log" 2>&1 || status=1
  [ ! -t 2 ] || { kill $teller; printf '\r\033[K' >&2; }
  if [ $status != 0 ]; then
    tail -5 "$log" >&2
    echo "setup: installation failed; log: $log" >&2
    exit 1
  fi
  rm -f "$log"
fi

[ -z "$cells" ] || scripts/cells.sh >/dev/null 2>&1 || scripts/cells.sh fetch
