#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make synth gives true numbers: the flip-flops of gmmu_invalidate are those of its state, an area
# grows with its parameter, an unknown block is refused with one line.
set -euo pipefail
cd "$(dirname "$0")/.."
field() {
  python3 -c "import json; b = json.load(open('build/reports/synth.json'))['blocks'][0]; print($1)"
}
scripts/synth.py --block invalidate >/dev/null
ff=$(field "b['flip_flops']") area=$(field "b['area_um2']") fmax=$(field "b['timing']['fmax_mhz']")
# 3 state bits, swept, stale, and the command: kind 2, ASID 1 (two contexts), two VFNs of 36
[ "$ff" = $((3 + 1 + 1 + 2 + 1 + 72)) ] || {
  echo "gmmu_invalidate: $ff flip-flops, expected 80"
  exit 1
}
scripts/synth.py --block invalidate --set AsidW=8 --set NumAsids=4 --set NumSms=4 >/dev/null
[ "$(field "b['flip_flops']")" = $((ff + 1)) ] || {
  echo "four contexts are a flip-flop more, bits of ASIDs that none needs are none"
  exit 1
}
python3 -c "import sys; sys.exit(not ($(field "b['area_um2']") > $area > 80 * 96 and $fmax > 50))" \
  ||
  { echo "area $area um2 or Fmax $fmax MHz cannot be"; exit 1; }
if scripts/synth.py --block nosuch >build/synth/out 2>&1; then
  echo "an unknown block passes"
  exit 1
fi
[ "$(wc -l <build/synth/out)" = 1 ] || { echo "not one error line"; cat build/synth/out; exit 1; }
scripts/synth.py --top gmmu_invalidate --param NumSms=4 --param NumAsids=4 --param AsidW=8 \
  --no-sta >/dev/null
[ "$(field "b['flip_flops']")" = $((ff + 1)) ] || {
  echo "TOP and PARAM give other flip-flops than the block"
  exit 1
}
if scripts/synth.py --top nosuch >build/synth/out 2>&1; then
  echo "an unknown top passes"
  exit 1
fi
# Two runs at once: each has its own numbers.
for depth in 8 32; do
  scripts/synth.py --top gmmu_fault_queue --param Depth=$depth --no-sta --fresh \
    >build/synth/two.$depth 2>&1 &
done
wait
for depth in 8 32; do
  grep '^gmmu_fault_queue ' build/synth/two.$depth | grep -q " $((depth * 97)) " || {
    echo "two runs at once: not those of Depth=$depth"
    cat build/synth/two.$depth
    exit 1
  }
done
for wrong in "--lib /etc/passwd" "--bit-um2=-5"; do
  if scripts/synth.py --block invalidate $wrong >build/synth/out 2>&1; then
    echo "$wrong passes"
    exit 1
  fi
  [ "$(wc -l <build/synth/out)" = 1 ] || {
    echo "$wrong: not one line"
    cat build/synth/out
    exit 1
  }
done
scripts/test_flow.py
# The file lists work without the Makefile.
files=$(grep ^rtl/ synth/walker.f | tr '\n' ' ')
yosys -q -p "read_verilog -sv -Irtl -Irtl/common $files; \
  hierarchy -check -top gmmu_walker" >/dev/null
echo "gmmu_invalidate: $ff flip-flops, $area um2, $fmax MHz"
