#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# synth.sh [LANES [WARPS]]: the SIMT core through Yosys's own front end, hierarchy kept, memories as
# cells of their own ($mem_v2): a netlist of word-level cells, build/synth/simt-LANESxWARPS.v, and
# how many cells each module has. Not mapped to gates: too long for a test.
# Fails on a latch, a combinational loop, a signal with two drivers, or a module that is not there.
set -euo pipefail
cd "$(dirname "$0")/../.."
lanes=${1:-4} warps=${2:-4}
command -v yosys >/dev/null || scripts/setup.sh only synth
name=simt-${lanes}x$warps
mkdir -p build/synth
{
  echo "read_verilog -defer -sv -Itb/simt" tb/simt/gmmu_sm*.sv
  echo "chparam -set Lanes $lanes -set Warps $warps -set LocalBytes 128 -set ScratchBytes 256 \
    -set Mshrs 8 gmmu_sm"
  echo "hierarchy -check -top gmmu_sm"
  printf '%s\n' proc "check -assert" opt_clean "memory -nomap" "opt -fast" "check -assert" \
    "select -assert-none t:\$dlatch t:\$_DLATCH_*" "tee -q -o build/synth/$name.stat stat" \
    "write_verilog -noattr build/synth/$name.v"
} >build/synth/$name.ys
yosys -q -l build/synth/$name.log -s build/synth/$name.ys
awk '/^=== /{m = $2; sub(/^\$paramod(\$[0-9a-f]+)?\\/, "", m); sub(/\\.*/, "", m)}
  m != "design" && /Number of cells:/{printf "%-20s %7d cells\n", m, $NF; n++}
  m == "design" && /Number of cells:/{total = $NF} m == "design" && /\$mem_v2/{memories = $NF}
  END{if (!total || n < 15) exit 1
    printf "%d lanes, %d warps: %d cells, %d memories among them\n", L, W, total, memories}' \
  L="$lanes" W="$warps" build/synth/$name.stat
[ "$(grep -c '^module' build/synth/$name.v)" -ge 15 ]
echo "PASS $name: netlist build/synth/$name.v"
