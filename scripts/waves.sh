#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A short run with waves: build/waves/gmmu.fst, the view sim/waves/gmmu.gtkw for GTKWave, and
# build/waves/gmmu.png, the same view printed by GTKWave on a virtual display, for people without
# one.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/waves
mkdir -p $out
cat >$out/short.trace.txt <<'X'
gmmu-trace 1
app WAVES
array A 0x10000000 0x400000 rw
launch hit_and_miss blocks 2 warps 2
block 0 warp 0
r 4 0x10000000+4*32
r 4 0x10000000+4096*8
w 4 0x10001000+4*32
block 0 warp 1
r 4 0x10200000+4*32
block 1 warp 0
r 4 0x10000000+4*32
block 1 warp 1
r 4 0x10300000+65536*4
X
build/bin/gmmu run --preset mosaic --set NumSms=2 --set WalkLatency=20 --set WalkJitter=8 \
  --set DataLatency=20 --pages 4k --trace $out/short.trace.txt --waves $out/gmmu.fst
echo "waves: $out/gmmu.fst; view them with: gtkwave $out/gmmu.fst sim/waves/gmmu.gtkw"
for tool in Xvfb pdftoppm ps2pdf gtkwave; do
  command -v $tool >/dev/null || {
    echo "no picture: $tool is not installed (scripts/setup.sh waves)"
    exit 0
  }
done
cat >$out/print.tcl <<X
gtkwave::/Time/Zoom/Zoom_Full
gtkwave::/File/Print_To_File PDF {Letter (8.5" x 11")} Full $out/gmmu.pdf
gtkwave::/File/Quit
X
timeout 60 xvfb-run -a -s '-screen 0 1600x1500x24' gtkwave \
  -S $out/print.tcl $out/gmmu.fst sim/waves/gmmu.gtkw >$out/gtkwave.log 2>&1 || true
[ -s $out/gmmu.pdf ] || { echo "GTKWave printed nothing; see $out/gtkwave.log" >&2; exit 1; }
pdftoppm -r 110 -png -singlefile $out/gmmu.pdf $out/gmmu
echo "picture: $out/gmmu.png"
