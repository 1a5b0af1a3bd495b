#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Vectors of the golden model through Icarus Verilog, four-state: run.sh rtl|netlist random|KERNEL
# [SEED] [KEY=VALUE...]
#   PRESET: of sim/presets, or a file [tb/icarus/bench.ini]. rtl: the sources; netlist: what Yosys
# makes of them (generic cells), synthesised once per configuration.
set -euo pipefail
cd "$(dirname "$0")/../.."
preset=${PRESET:-tb/icarus/bench.ini}
design=$1 what=$2 seed=${3:-1}
shift $(($# < 3 ? $# : 3))
sets=()
for s in "$@"; do sets+=(--set "$s"); done
files=$(grep '^rtl/' sim/gmmu.f)
key=$(build/bin/gmmu preset "$preset" "${sets[@]}" --rtl-key)
dir=build/icarus/$design-$what-$key
mkdir -p "$dir"

if [ "$what" = random ]; then
  build/bin/gmmu vectors --preset "$preset" "${sets[@]}" --random --count 3000 --seed "$seed" \
    -o "$dir"
else
  build/bin/gmmu gen "$what" -o "$dir/trace"
  build/bin/gmmu vectors --preset "$preset" "${sets[@]}" --trace "$dir/trace" --count 6000 \
    --seed "$seed" -o "$dir"
fi

define=()
if [ "$design" = netlist ]; then
  netlist=build/icarus/netlist-$key.v
  if [ ! -e "$netlist" ] || [ -n "$(find rtl -newer "$netlist" -print -quit)" ]; then
    read -ra flags <<<"$(build/bin/gmmu preset "$preset" "${sets[@]}" --rtl-flags)"
    params=
    for f in "${flags[@]}"; do f=${f#-G}; params="$params -set ${f%=*} ${f#*=}"; done
    # splitnets: Icarus is many times slower where a gate drives a bit of a wide net
    scripts/yosys.sh -q -l "$dir/yosys.log" -p "
      read_verilog -sv -Irtl -Irtl/common $(echo $files);
      chparam $params -set Obs 0 gmmu_top;
      synth -flatten -top gmmu_top; rename -top gmmu_top;
      splitnets;
      write_verilog -noattr $netlist.new" >/dev/null
    mv "$netlist.new" "$netlist"
  fi
  if grep -qE '\$_?(DLATCH|dlatch)' "$netlist"; then echo "FAIL latch in the netlist"; exit 1; fi
  define=(-DNETLIST)
  files=$netlist
fi
scripts/icarus.sh -g2012 "${define[@]}" -o "$dir/sim.vvp" \
  -I"$dir" -Irtl -Irtl/common $files tb/icarus/gmmu_vectors_tb.sv -s gmmu_vectors_tb
vvp -n "$dir/sim.vvp" "+dir=$dir" "+seed=$seed" | grep -v '\$finish called' | tee "$dir/out"
echo "again: PRESET=$preset tb/icarus/run.sh $design $what $seed $*"
grep -q '^PASS' "$dir/out"
