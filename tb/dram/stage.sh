#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_dram_stage and gmmu_dram_map under Icarus: stage.sh [SEED [REQUESTS [rtl|netlist]]].
# netlist: the stage as Yosys synthesises it from the same parameters.
set -euo pipefail
cd "$(dirname "$0")/../.."
seed=${1:-1} requests=${2:-20000} what=${3:-rtl}
out=build/tb/dram
mkdir -p $out
stage=$(grep '^rtl/' synth/dram_stage.f) define=()
if [ "$what" = netlist ]; then
  scripts/yosys.sh -q -l $out/stage.ylog -p "read_verilog -sv -Irtl -Irtl/common $(echo $stage); \
    chparam -set GoldenEntries 4 -set SilverEntries 6 \
    -set NormalEntries 10 -set NumApps 4 -set RowW 8 -set ColW 4 -set PayloadW 8 gmmu_dram_stage; \
    synth -flatten -top gmmu_dram_stage; rename -top gmmu_dram_stage; check -assert; splitnets; \
    write_verilog -noattr $out/stage_netlist.v" >$out/stage.yout 2>&1 ||
    { tail -3 $out/stage.yout; exit 1; }
  if grep -q '\$_DLATCH' $out/stage_netlist.v; then echo "a latch"; exit 1; fi
  stage="rtl/gmmu_pkg.sv $out/stage_netlist.v" define=(-DNETLIST)
fi
scripts/icarus.sh -g2012 "${define[@]}" -Irtl -Irtl/common -o $out/stage.vvp $stage \
  $(scripts/filelists.py --of gmmu_mem_map,gmmu_dram_map | grep -v gmmu_pkg) \
  tb/dram/gmmu_dram_stage_tb.sv -s gmmu_dram_stage_tb
timeout 300 vvp -n $out/stage.vvp "+seed=$seed" "+requests=$requests" | grep -v '\$finish called' |
  tee $out/stage.out
echo "again: tb/dram/stage.sh $seed $requests $what"
grep -q '^PASS' $out/stage.out
