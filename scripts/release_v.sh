#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gmmu_axi, and gmmu_top in it, as one Verilog-2001 file with parameters fixed: release_v.sh FILE [PARAM=VALUE ...] (gmmu_axi's).
set -euo pipefail
cd "$(dirname "$0")/.."
out=$1
shift
for p in "$@"; do
  [[ $p =~ ^[A-Za-z0-9]+=[0-9]+$ ]] || { echo "release_v: '$p' is not PARAM=VALUE" >&2; exit 2; }
done
mkdir -p "$(dirname "$out")" build/release
tmp=$(mktemp -d build/release/tmp.XXXXXX)
trap 'rm -rf "$tmp"' EXIT
set_params=""
for p in "$@"; do set_params+=" -set ${p%=*} ${p#*=}"; done
# ROM-like functions and processes become plain logic, memories stay arrays, module hierarchy stays.
yosys -q -p "read_verilog -sv -DSYNTHESIS -Irtl -Irtl/common $(grep '^rtl/' synth/axi.f | tr '\n' ' '); \
  ${set_params:+chparam$set_params gmmu_axi;} hierarchy -check -top gmmu_axi; proc; opt_clean; memory_collect; setundef -init -zero; opt_clean; \
  write_verilog -noattr $tmp/raw.v" >"$tmp/log" 2>&1 ||
  { grep -iE 'error' "$tmp/log" | head -3 >&2; exit 1; }
python3 - "$tmp/raw.v" "$tmp/gmmu.v" "$*" <<'P'
"""Plain module names: the first variant of a module keeps its name, others get a number."""
import re
import sys
text = open(sys.argv[1]).read()
names, count = {}, {}
for m in re.finditer(r"^module (\\\S+|\w+)", text, re.M):
    full = m[1]
    base = re.search(r"gmmu_[a-z0-9_]+", full)[0]
    count[base] = count.get(base, 0) + 1
    names[full] = base if count[base] == 1 else f"{base}_v{count[base]}"
for full in sorted(names, key=len, reverse=True):
    if full.startswith("\\"):
        text = text.replace(full + " ", names[full] + " ")
# Memories start as 0, as the flip-flops do: no X in four-state simulation, and FPGA tools take it as initial content.
memory = re.compile(r"^  reg (\[\d+:\d+\] )?(\\?\S+) \[(\d+):0\];$", re.M)
text = memory.sub(lambda m: m[0] + f"\n  integer init_{m.start()};\n  initial for (init_{m.start()} = 0; init_{m.start()} <= {m[3]}; init_{m.start()} = init_{m.start()} + 1) {m[2]} [init_{m.start()}] = 0;", text)
params = sys.argv[3] or "as in rtl/gmmu_axi.sv"
head = ("// SPDX-License-Identifier: Apache-2.0\n// gmmu as one Verilog-2001 file, written by make release-v. Top: gmmu_axi; the MMU alone: gmmu_top.\n"
        f"// Parameters are fixed: {params}.\n")
open(sys.argv[2], "w").write(head + text)
P
grep -q '\\\$paramod' "$tmp/gmmu.v" && { echo "release_v: a module kept a generated name" >&2; exit 1; }
python3 -c 'import sys; sys.path.insert(0, "scripts"); import outfile; outfile.write(sys.argv[1], open(sys.argv[2]).read())' "$out" "$tmp/gmmu.v"
echo "$out: $(grep -c '^module' "$tmp/gmmu.v") modules, $(wc -l <"$tmp/gmmu.v") lines"
