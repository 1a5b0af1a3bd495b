#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What make inst prints, for several parameter sets: Verilog-2001, every port connected with its
# exact width (Verilator -Wall; Icarus for the form); wrong parameters are refused by name.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=build/tb/inst bad=0
mkdir -p $out
problem() { echo "inst: $1"; bad=1; }
n=0
while read -r top params; do
  n=$((n + 1))
  { echo "module user_top;"; scripts/inst.py --top "$top" $params; echo endmodule; } >$out/$n.v
  # Nobody drives or reads the wires here.
  verilator --lint-only -Wall -Wno-UNUSEDSIGNAL -Wno-UNDRIVEN -Wno-DECLFILENAME sim/gmmu.vlt \
    -f sim/gmmu.f $out/$n.v --top-module user_top >$out/log 2>&1 ||
    { problem "$top $params: Verilator"; head -5 $out/log; }
  iverilog -g2001 -t null -i -s user_top $out/$n.v >$out/log 2>&1 || {
    problem "$top $params: not Verilog-2001"
    head -5 $out/log
  }
  # A wire of another width must be found by this test.
  sed -E '0,/^wire \[([0-9]+):0\] (gmmu_[a-z_]*(va|araddr));/s//wire [\1+1:0] \2;/' \
    $out/$n.v >$out/$n-wrong.v
  ! cmp -s $out/$n.v $out/$n-wrong.v || problem "$top $params: no wire to change"
  ! verilator --lint-only -Wall -Wno-UNUSEDSIGNAL -Wno-UNDRIVEN -Wno-DECLFILENAME sim/gmmu.vlt \
    -f sim/gmmu.f $out/$n-wrong.v --top-module user_top \
    >$out/log 2>&1 || problem "$top $params: a wrong width is not seen"
done <<SETS
gmmu_axi
gmmu_axi NumPorts=3 NumNative=2 AxiAddrW=40 AxiDataW=256 AxiIdW=7 AxiUserW=9 AsidW=5 \
  NumAsids=9 Walks=9 WalkDataW=128 L2Mshrs=20 PaW=40
gmmu_native NumNative=5 NativeTagW=6 WarpW=3 NumAsids=1 Walks=8
gmmu_page_merge Lanes=16 PaW=40 AsidW=4
SETS
for wrong in "NumPort=2" "NumPorts" "NumPorts=two" "--top=gmmu_top NumSms=2" "NumPorts=0" \
  "NumPorts=30 NumNative=3" "AxiDataW=48" "AxiIdW=33" "--top=gmmu_native NumNative=0" \
  "--top=gmmu_native L2Entries=0" "ResetMode=1" "NumAsids=9 Walks=8"; do
  ! scripts/inst.py $wrong >$out/log 2>&1 || problem "'$wrong' is accepted"
  { [ "$(wc -l <$out/log)" = 1 ] && grep -q ^inst: $out/log; } || case $wrong in
    --top=gmmu_top*) ;;
    *) problem "'$wrong': not one line"; cat $out/log ;;
  esac
done
{ scripts/inst.py NumPort=2 2>&1 || true; } | grep -q "did you mean NumPorts?" ||
  problem "no hint for a name that is nearly right"
[ $bad = 0 ] && echo "PASS inst: $n instantiations"
exit $bad
