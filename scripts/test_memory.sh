#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Kernels with the memory system (docs/memsys.md): the RTL of the MMU and its timed model behind the
# same L2 cache and DRAM end in the same cycle with the same figures, in presets mask and all and
# small TLBs.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=build/memory
. scripts/memory_kernels.sh
for p in ${LONG:+mask} all; do
  for b in rtl model; do
    build/bin/gmmu run --preset $p "${run_options[@]}" --backend $b --json $dir/$b.json |
      tail -n 1 | grep -qx 'mismatches: 0' || { echo "$p $b: mismatches"; exit 1; }
  done
  python3 - $p $dir/rtl.json $dir/model.json <<'PY'
import json, sys
preset, rtl, model = sys.argv[1], *[json.load(open(p)) for p in sys.argv[2:]]
for k in ("cycles", "applications", "l1", "l2", "walks", "structure_accesses", "memory"):
    assert rtl[k] == model[k], f"{preset}: {k} of RTL and model differ"
m = rtl["memory"]
around = sum(d["bypassed"] for d in m["depths"])
# In mask PTE reads of this run hit more often (99.9 %) than data (94 %): none need go round.
assert around > 0 or preset == "mask", m
assert m["queue_mean"]["golden"] > 0 and m["queue_mean"]["silver"] > 0, m
print(f"{preset}: {rtl['cycles']} cycles, {m['translations']['reads']} PTE reads "
      f"({around} bypass the L2 cache), {m['data']['reads']} lines; "
      "RTL and model equal")
PY
done
# One access that reads a line through two pages of the same frame: the warp waits for it once.
cat >$dir/alias.txt <<'END'
gmmu-trace 1
app ALIAS
array A 0x10000000 0x2000 rw
launch k blocks 1 warps 1
block 0 warp 0
r 4 0x10000040 0x10001040
w 4 0x10000040 0x10001040
a 4 0x10000040 0x10001040
END
printf '0 0x10000000 0x400000 0x1000 rwu\n0 0x10001000 0x400000 0x1000 rwu\n' > $dir/alias.map
build/bin/gmmu run --preset mask --set NumSms=1 --trace $dir/alias.txt --map $dir/alias.map \
  --backend model --max-cycles 100000 | tail -n 1
