#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# synth.sh [gates] [LANES [WARPS]]: the SIMT core through Yosys's own front end, hierarchy kept,
# memories as cells of their own ($mem_v2): a netlist of word-level cells,
# build/synth/simt-LANESxWARPS.v, and how many cells each module has.
# Fails on a latch, a combinational loop, a signal with two drivers, or a module that is not there.
# gates: that netlist mapped to a library by scripts/synth.py, each block of the core alone and then
# the whole core flat: area, flip-flops, bits of the RAMs that are left out, longest path.
set -euo pipefail
cd "$(dirname "$0")/../.."
gates=
[ "${1:-}" != gates ] || { gates=1 && shift; }
lanes=${1:-4} warps=${2:-4}
[ $# -gt 0 ] || [ -z "$gates" ] || lanes=2 warps=2
command -v yosys >/dev/null || scripts/setup.sh only synth
[ -z "$gates" ] || [ -x build/bin/gmmu ] || make -s build/bin/gmmu
name=simt-${lanes}x$warps
mkdir -p build/synth
# opt -full before the memories: a store to the scratchpad is 64 writes of a byte each, whose other
# enables must be seen to be 0 before they are put together in one port.
{
  echo "read_verilog -defer -sv -Itb/simt" tb/simt/gmmu_sm*.sv
  echo "chparam -set Lanes $lanes -set Warps $warps -set LocalBytes 128 -set ScratchBytes 256 \
    -set Mshrs 8 gmmu_sm"
  echo "hierarchy -check -top gmmu_sm"
  printf '%s\n' proc "check -assert" "opt -full" "memory -nomap" opt_clean "check -assert" \
    "select -assert-none t:\$dlatch t:\$_DLATCH_*" "tee -q -o build/synth/$name.stat stat" \
    "write_verilog build/synth/$name.v"
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
[ -n "$gates" ] || exit 0

# Modules by their plain names (the second of a name with other parameters is NAME_2), and Yosys's
# own names so that it does not make the same ones again.
sed -E 's/\b_([0-9]+)_\b/_n\1_/g' build/synth/$name.v | awk '
  { out = ""
    while (match($0, /\\\$paramod(\$[0-9a-f]+)?\\gmmu_sm_[a-z]+[^ ]* /)) {
      full = substr($0, RSTART, RLENGTH); base = full
      sub(/^\\\$paramod(\$[0-9a-f]+)?\\/, "", base); sub(/[\\ ].*/, "", base)
      if (!(full in named)) { n = ++count[base]; named[full] = base (n > 1 ? "_" n : "") }
      out = out substr($0, 1, RSTART - 1) named[full] " "; $0 = substr($0, RSTART + RLENGTH)
    }
    print out $0 }' >build/synth/$name-named.v
blocks=$(awk '/^module /{top = $2 ~ /^gmmu_sm\(/} top && $1 ~ /^gmmu_sm_[a-z]+$/{print $1}' \
  build/synth/$name-named.v | sort)
[ "$(wc -w <<<"$blocks")" -ge 13 ]
for block in $blocks gmmu_sm; do
  scripts/synth.py --top "$block" --source build/synth/$name-named.v --jobs 1 \
    >build/synth/$name-$block.txt
  [ -n "${head:-}" ] || { sed -n 1,2p build/synth/$name-$block.txt && head=shown; }
  grep -E "^$block |^$block: (longest path|through ports)" build/synth/$name-$block.txt
done
