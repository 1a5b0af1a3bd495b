#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of gmmu_axi with the C driver: run.sh [BURSTS [SEED [BUILD]]]. BUILD: plain (64 bits),
# small (32 bits, 2 slots, 1 kept W beat, 2 bursts on their way, 1 fault record), deep (16 slots,
# 64 kept beats, fill tokens, scheduler settings, page walk cache), wide (6 ports of 512 bits, 128
# bits for the walker), widest (1024 bits, 512 for the walker with whole lines, groups of pages in
# L1 and L2 (CoLT) and no large ones, addresses of 32 bits that are sign-extended), svadu (plain;
# hardware sets A and D), far (svadu with four ports of 64 address bits, and pages and tables
# anywhere in 56 bits of physical address), unified (subregion-aware unified L2 TLB: C and AC are
# followed, MSC, page walk cache, CoLT in the L1s), off (plain, RwOrder 0), manager (plain, with the
# memory manager as software); order, order-small, order-deep, order-page, order-off:
# order_bench.cpp, masters that read before B; the last two with RwOrder 2 and 0; native,
# native-parts: native_bench.cpp, clients of native ports and page merge (Parts 0 and 1); control,
# control-least: control_bench.cpp, gmmu_axi_control alone, with everything and with the least.
# RTL=dir takes the design from another folder (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
bursts=${1:-20000} seed=${2:-1} build=${3:-plain} rtl=${RTL:-rtl}
what= svadu= sign= least= slots=4 bench=axi_bench top=gmmu_axi_harness order=1 native=0
ports=2 addr=40 pa=32 bytes=8 walk=64 faults=4 epoch=100000 params=()
case $build in
  plain|-) build=plain ;;
  off) order=0 params=(-GRwOrder=0) ;;
  manager) build=plain what=manager ;;
  svadu) svadu=1 params=(-GSvadu=1) ;;
  far) ports=4 addr=64 pa=56 svadu=1 params=(-GNumPorts=4 -GAxiAddrW=64 -GPaW=56 -GSvadu=1) ;;
  gdm) bench=gdm_bench svadu=1 params=(-GSvadu=1) ;;
  unified)
    walk=512
    params=(-GL2Unified=1 -GL2LargeEntries=0 -GMscSets=4 -GMscWays=2 -GPwcEntries=16 -GPwcWays=4
      -GPwcLatency=5 -GColt=1 -GLineAnswers=1 -GWalkDataW=512)
    ;;
  order) bench=order_bench ;;
  order-page) bench=order_bench order=2 params=(-GRwOrder=2) ;;
  order-small)
    bench=order_bench bytes=4 walk=32 faults=1
    params=(-GAxiDataW=32 -GWalkDataW=32 -GSlots=2 -GOutstanding=2 -GWBeats=3 -GFaultEntries=1)
    ;;
  order-deep) bench=order_bench params=(-GSlots=16 -GOutstanding=64 -GWBeats=64) ;;
  order-off) bench=order_bench order=0 params=(-GRwOrder=0) ;;
  native) bench=native_bench top=gmmu_native_harness ;;
  native-parts) bench=native_bench top=gmmu_native_harness native=1 params=(-GParts=1) ;;
  control)
    bench=control_bench top=gmmu_axi_control
    params=(-GNumPorts=2 -GNumNative=1 -GNumAsids=5 -GAsidW=9 -GPaW=56 -GNumWindows=5
      -GFaultEntries=5 -GAxiIdW=6 -GWarpW=4 -GFillTokens=1 -GSchedRegs=1 -GEpochCycles=3000)
    ;;
  control-least)
    bench=control_bench top=gmmu_axi_control least=1
    params=(-GNumPorts=1 -GNumAsids=2 -GAsidW=1 -GPaW=30 -GVaW=39 -GNumWindows=1 -GFaultEntries=1
      -GAxiIdW=1 -GWarpW=1 -GEpochCycles=3000 -GResetMode=2 -GCoalescer=0 -GPageCopy=0 -GPerf=0)
    ;;
  small)
    slots=2 bytes=4 walk=32 faults=1
    params=(-GAxiDataW=32 -GWalkDataW=32 -GSlots=2 -GOutstanding=2 -GWBeats=1 -GFaultEntries=1)
    ;;
  deep)
    slots=16 epoch=500
    params=(-GSlots=16 -GOutstanding=64 -GWBeats=64 -GFillTokens=1 -GSchedRegs=1 -GEpochCycles=500
      -GPwcEntries=16 -GPwcWays=4 -GPwcLatency=5)
    ;;
  wide) ports=6 bytes=64 walk=128 params=(-GNumPorts=6 -GAxiDataW=512 -GWalkDataW=128) ;;
  widest)
    addr=32 bytes=128 walk=512 sign=1
    params=(-GAxiAddrW=32 -GSignExtend=1 -GAxiDataW=1024 -GWalkDataW=512 -GLineAnswers=1
      -GColt=2 -GL1LargeEntries=0 -GL2LargeEntries=0)
    ;;
  *) echo "tb/axi/run.sh: no build $build" >&2; exit 2 ;;
esac
case $bench in
  native_bench)
    harness=("$rtl/axi/gmmu_page_merge.sv" tb/axi/gmmu_native_harness.sv)
    native="$native -DGMMU_TB_NATIVE_ONLY"
    ;;
  control_bench) harness=() ;;
  *) harness=(tb/axi/gmmu_axi_checker.sv tb/axi/gmmu_axi_harness.sv) ;;
esac
[ $bench != axi_bench ] || params+=(-GAnyBurst=1)
out=build/tb/axi${RTL:+-$(basename "$RTL")}
defines="-DGMMU_TB_PORTS=$ports -DGMMU_TB_SLOTS=$slots -DGMMU_TB_ADDR_W=$addr \
  -DGMMU_TB_PA_W=$pa \
  -DGMMU_TB_BYTES=$bytes -DGMMU_TB_WALK_W=$walk -DGMMU_TB_FAULTS=$faults -DGMMU_TB_EPOCH=$epoch \
  -DGMMU_TB_ORDER=$order -DGMMU_TB_PARTS=$native \
  ${sign:+-DGMMU_TB_SIGN_EXTEND} ${svadu:+-DGMMU_TB_SVADU} ${least:+-DGMMU_TB_LEAST}"
scripts/build_bench.sh $out/$build $top "$rtl" tb/axi "$defines" \
  $(grep '^rtl/' synth/axi.f | grep -v page_merge | sed "s|^rtl|$rtl|") "${harness[@]}" \
  "$PWD/tb/axi/$bench.cpp" "${params[@]}"
rc=0
$out/$build "$bursts" "$seed" $what || rc=1
echo "again: tb/axi/run.sh $bursts $seed ${what:-$build}"
exit $rc
