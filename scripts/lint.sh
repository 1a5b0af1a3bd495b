#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Lints rtl/ with Verilator -Wall, Icarus -Wall and Yosys: the whole design in each preset, and
# every block alone as top, so that nothing is hidden by its parent. Then the repository checks, the
# pictures that are made of the RTL, and slang (scripts/slang.sh; not with --without-slang). Prints
# one line per problem. Without slang and without a network to fetch it from it says so and counts a
# skip.
set -uo pipefail
cd "$(dirname "$0")/.."
mkdir -p build/lint
bad=0
problem() { echo "lint: $1"; bad=1; }
say() { [ -t 2 ] && printf '\r\033[K%s' "$1" >&2; return 0; }

incs=(-Irtl -Irtl/common)
files=$(grep '^rtl/' sim/gmmu.f)
libs=()     # Verilator reads what a top needs, not all of rtl/ each time
for d in rtl rtl/*/; do libs+=(-y "${d%/}"); done
declare -A seen     # presets that differ in what is not the RTL's
for preset in sim/presets/*.ini; do
  name=$(basename "$preset" .ini)
  flags=$(build/bin/gmmu preset "$name" --set NumSms=2 --rtl-flags) ||    # its SMs are alike
    problem "no parameters of preset $name"
  [ -z "${seen[$flags]:-}" ] || continue
  seen[$flags]=1
  say "verilator: gmmu_top in preset $name"
  read -ra params <<<"$flags"
  verilator --lint-only -Wall sim/gmmu.vlt "${incs[@]}" "${libs[@]}" rtl/gmmu_pkg.sv \
    rtl/gmmu_top.sv --top-module gmmu_top "${params[@]}" \
    >build/lint/out 2>&1 || { problem "verilator, gmmu_top, preset $name"; head -5 build/lint/out; }
done
for params in "-GL2Mshrs=65" "-GL2Mshrs=128 -GWalks=128"; do   # more than presets have
  say "verilator: gmmu_top $params"
  verilator --lint-only -Wall sim/gmmu.vlt "${incs[@]}" "${libs[@]}" rtl/gmmu_pkg.sv \
    rtl/gmmu_top.sv --top-module gmmu_top -GNumSms=2 $params \
    >build/lint/out 2>&1 || { problem "verilator, gmmu_top $params"; head -5 build/lint/out; }
done
for f in $files; do
  m=$(basename "$f" .sv)
  [ "$m" = gmmu_pkg ] || [ "$m" = gmmu_top ] && continue    # gmmu_top: above, in each preset
  few=()
  [ "$m" != gmmu_memory ] || few=(-GChannelBits=1)    # its channels are alike, too
  say "verilator: $m alone"
  verilator --lint-only -Wall sim/gmmu.vlt "${incs[@]}" "${libs[@]}" rtl/gmmu_pkg.sv "$f" \
    --top-module "$m" "${few[@]}" >build/lint/out 2>&1 ||
    { problem "verilator, $m alone"; head -5 build/lint/out; }
done
for params in "" "-GWarps=1 -GMshrs=2 -GLocalBytes=128" "-GLanes=4 -GWarps=4 -GScratchBytes=64"; do
  say "verilator: gmmu_sm $params"
  verilator --lint-only -Wall sim/gmmu.vlt -Itb/simt --top-module gmmu_sm $params \
    tb/simt/gmmu_sm*.sv >build/lint/out 2>&1 ||
    { problem "verilator, gmmu_sm $params"; head -5 build/lint/out; }
done
say "icarus"
iverilog -g2012 -Wall -o build/lint/icarus.vvp "${incs[@]}" $files -s gmmu_top \
  -Pgmmu_top.NumSms=2 -s gmmu_axi >build/lint/out 2>&1 ||
  { problem "icarus"; head -5 build/lint/out; }
grep -vE 'constant selects in always_|timescale' build/lint/out | head -5 | grep . &&
  problem "icarus -Wall has something to say"
say "yosys"
scripts/yosys.sh -q -p "read_verilog -sv -Irtl -Irtl/common $(echo $files); chparam -set NumSms 2 \
  -set L1BaseEntries 8 -set L1LargeEntries 4 -set L2LargeEntries 4 -set L2Entries 64 gmmu_top; \
  hierarchy -check -top gmmu_top; proc; check -assert" \
  >build/lint/out 2>&1 || { problem "yosys"; tail -5 build/lint/out; }
scripts/yosys.sh -q -p "read_verilog -defer -sv -Irtl -Irtl/common $(echo $files); \
  chparam -set NumPorts 2 -set NumNative 1 -set L2Entries 64 gmmu_axi; \
  hierarchy -check -top gmmu_axi; proc; check -assert" >build/lint/out 2>&1 ||
  { problem "yosys, gmmu_axi"; tail -5 build/lint/out; }
say "driver alone"
gcc -std=c11 -ffreestanding -Wall -Wextra -Werror -Ic_model/include -Ic_model \
  -fsyntax-only c_model/driver/*.c >build/lint/out 2>&1 ||
  { problem "the driver, freestanding"; head -5 build/lint/out; }
say "repository"
[ -x scripts/check_repo.sh ] && { scripts/check_repo.sh || problem "repository checks"; }
skipped=
scripts/cli_page.py --check || problem "docs/cli.md is not what the program says"
scripts/calibration_page.py --check ||
  problem "docs/calibration.md is not what docs/calibration.csv says"
say "who writes whose state"
scripts/clang.sh scripts/owners.py >build/lint/owners
case $? in
  0) ;;
  77) tail -n 1 build/lint/owners; skipped=", 1 skipped" ;;
  *) cat build/lint/owners; problem "a module writes another module's state (c_model/owners.txt)" ;;
esac
say "pictures: timing diagrams recorded again, drawings of blocks and state machines made again"
scripts/timing_diagrams.py --check >build/lint/pictures || {
  cat build/lint/pictures
  problem "timing diagrams are not what the RTL does today"
}
for p in state_machines block_diagrams; do
  scripts/slang.sh --program scripts/$p.py --check >build/lint/pictures
  case $? in
    0) ;;
    77) tail -n 1 build/lint/pictures; skipped=", 1 skipped" ;;
    *) cat build/lint/pictures; problem "$p: older than the RTL (make pictures)" ;;
  esac
done
if [ "${1:-}" != --without-slang ]; then
  say "slang"
  scripts/slang.sh >build/lint/slang
  status=$?
  say ""
  case $status in
    0) ;;
    77) tail -n 1 build/lint/slang; skipped=", 1 skipped" ;;
    *) cat build/lint/slang; problem "slang" ;;
  esac
  [ $status = 77 ] || scripts/slang.sh --program scripts/format.py >build/lint/format || {
    cat build/lint/format
    problem "format"
  }
fi
say ""
[ $bad = 0 ] && echo "lint: clean$skipped"
exit $bad
