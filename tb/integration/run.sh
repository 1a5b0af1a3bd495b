#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The integration bench: run.sh [BURSTS [SEED [BUILD [SCENARIO[/HABIT]]]]]. BUILD: plain,
# svadu (hardware sets A and D), simt (the same; two cores of tb/softcore in the masters' place).
# RTL=dir takes the design from another folder (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
bursts=${1:-20000} seed=${2:-1} build=${3:-plain} only=${4:-} rtl=${RTL:-rtl}
out=build/tb/integration${RTL:+-$(basename "$RTL")}
bench=integration_bench core=merge ports=2 natives=2 defines= params=()
case $build in
  plain) ;;
  svadu) defines=-DGMMU_TB_SVADU params=(-GSvadu=1) ;;
  simt) bench=simt_bench core=simt ports=4 natives=0 params=(-GNumPorts=4 -GSvadu=1) ;;
  *) echo "tb/integration/run.sh: no build $build" >&2; exit 2 ;;
esac
case $core in   # what is Verilated by itself and hung into the bench
  merge) top=gmmu_page_merge
    files=($(scripts/filelists.py --of gmmu_page_merge "$rtl") -GLanes=4 -GPaW=32
      -GAsidW=4 -GWarpW=4 -GTagW=4) ;;
  simt) top=gmmu_simt files=(tb/softcore/gmmu_simt.sv) ;;
esac
tb/integration/core.sh "$out/core-$core" $top "$rtl" "${files[@]}"
scripts/build_bench.sh $out/$build gmmu_axi_harness "$rtl" tb "-DGMMU_TB_PORTS=$ports \
  -DGMMU_TB_NATIVES=$natives -DGMMU_TB_ADDR_W=40 -DGMMU_TB_BYTES=8 -DGMMU_TB_WALK_W=64 \
  -I$PWD/$out/core-$core $defines" \
  $(grep '^rtl/' synth/axi.f | sed "s|^rtl|$rtl|") \
  tb/axi/gmmu_axi_checker.sv tb/axi/gmmu_axi_harness.sv \
  "$PWD/tb/integration/$bench.cpp" "$PWD/$out/core-$core/V${top}__ALL.a" \
  -GNumNative=$natives "${params[@]}"
rc=0
$out/$build "$bursts" "$seed" $only || rc=1
echo "again: tb/integration/run.sh $bursts $seed $build $only"
exit $rc
