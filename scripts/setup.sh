#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Installs what the build and the tests need, on Debian 12 and 13: `setup.sh`; for `make waves` also `setup.sh waves`,
# for `make synth` and the tests `setup.sh synth`; for `make area` `setup.sh area`; for `make fpga` `setup.sh fpga`.
# As root it installs only what is missing and is silent when nothing is. As another user it says what to install.
# The reason for each package: docs/dependencies.md.
set -eu
packages="gcc g++ ccache make git python3 verilator iverilog yosys gtkwave zlib1g-dev libzstd-dev libinih-dev libcjson-dev
  libcmocka-dev libxxhash-dev uthash-dev"
[ "${1:-}" = synth ] && packages="$packages opensta qflow-tech-osu018"
[ "${1:-}" = fpga ] && packages="$packages nextpnr-ice40 python3-pip"
[ "${1:-}" = area ] && packages="$packages opensta qflow-tech-osu018 python3-matplotlib"
[ "${1:-}" = waves ] && packages="$packages xvfb xauth poppler-utils"

missing=
for p in $packages; do
  dpkg-query -W -f='${Status}' "$p" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $p"
done
[ -z "$missing" ] && exit 0

if [ "$(id -u)" != 0 ]; then
  echo "setup: missing packages; as root: apt-get install$missing" >&2
  exit 1
fi
echo "setup: installing$missing" >&2
log=$(mktemp)
export DEBIAN_FRONTEND=noninteractive
if ! { apt-get update && apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
  tail -5 "$log" >&2
  echo "setup: installation failed; log: $log" >&2
  exit 1
fi
rm -f "$log"
