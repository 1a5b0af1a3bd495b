#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilates a core, or a part of one, by itself, to be hung into the integration bench:
# core.sh DIR TOP RTL_DIR FILES... makes DIR/VTOP.h and DIR/VTOP__ALL.a. FILES: sources,
# -G parameters, options. Nothing is done when what it makes is newer than all sources.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$1 top=$2 rtl=$3
shift 3
lib=$dir/V${top}__ALL.a
if [ -e "$lib" ]; then
  new=no
  for f in "$@" "$rtl/common"; do
    [ ! -e "$f" ] || [ -z "$(find "$f" -newer "$lib" -print -quit)" ] || new=yes
  done
  [ $new = yes ] || exit 0
fi
mkdir -p "$dir"
FAST=${OPT:--O2} scripts/verilate.sh "$dir" "$top" "V${top}__ALL.a" -O3 --assert --x-assign fast \
  --x-initial fast -Wno-fatal "-I$rtl" "-I$rtl/common" "$@" >"$dir.log" 2>&1 ||
  { grep -E '%Error|error:' "$dir.log" | head -5 >&2; echo "see $dir.log" >&2; exit 1; }
