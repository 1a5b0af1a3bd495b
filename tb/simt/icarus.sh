#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The SIMT core under Icarus, four-state: icarus.sh [PROGRAMS [SEED]]. Random programs with the
# memory that the simulator leaves. RTL=DIR: another copy of the core.
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=${1:-3} seed=${2:-1} rtl=${RTL:-tb/simt}
make -s build/lib/libgmmu.a
dir=build/tb/simt-icarus
mkdir -p "$dir"
exec 9>"$dir/lock"
flock 9
flags=(-O1 -DSIMT_BUILD_LANES=4 -DGMMU_TB_WARPS=2 -DGMMU_TB_LOCAL=128 -DGMMU_TB_SCRATCH=256
  -Ic_model/include -Ic_model)
for f in core exec access; do
  gcc -std=c11 -D_GNU_SOURCE "${flags[@]}" -c "c_model/simt/$f.c" -o "$dir/$f.o"
done
g++ -std=c++17 "${flags[@]}" tb/simt/sm_{dump,program}.cpp "$dir"/{core,exec,access}.o \
  build/lib/libgmmu.a \
  -o "$dir/dump"
# Icarus 11 runs some of the core's always_comb again and again though no input changes; with @* it
# does not.
rm -rf "$dir/rtl"
mkdir "$dir/rtl"
cp "$rtl"/gmmu_sm*.sv* "$dir/rtl"
sed -i 's/always_comb/always @*/' "$dir"/rtl/*.sv
scripts/icarus.sh -g2012 -o "$dir/sim.vvp" "-I$dir/rtl" "$dir"/rtl/gmmu_sm*.sv \
  tb/simt/icarus/gmmu_sm_tb.sv -s gmmu_sm_tb
rc=0
for ((s = seed; s < seed + programs; s++)); do
  "$dir/dump" "$s" "$dir"
  vvp -n "$dir/sim.vvp" "+dir=$dir" "+seed=$s" | grep -v '\$finish called' | tee "$dir/out"
  grep -q '^PASS' "$dir/out" || { echo "again: tb/simt/icarus.sh 1 $s"; rc=1; }
done
exit $rc
