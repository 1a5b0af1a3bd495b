#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Fill tokens and bypass cache on kernels: 2, 3 and 5 applications over at least 20 epochs, RTL and
# timed model with the same cycles and the same results per application. Then one application that
# misses now and then beside one that floods the MMU: its worst translation stays below the bound of
# docs/results-mask.md.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=build/mask
mkdir -p $dir
for k in BFS NW ATAX HISTO FFT; do
  [ -e $dir/$k ] || build/bin/gmmu gen $k --size small -o $dir/$k
done
set_args=(--set NumSms=10 --set WarpW=6 --set EpochCycles=2000)
for apps in BFS,NW NW,ATAX,HISTO BFS,NW,ATAX,HISTO,FFT; do
  traces=$dir/${apps//,/,$dir/}
  for b in rtl model; do
    build/bin/gmmu run --preset mask-tlb "${set_args[@]}" --backend $b --trace "$traces" \
      --restart --json $dir/$b.json |
      tail -n 1 | grep -qx 'mismatches: 0' || { echo "$apps $b: mismatches"; exit 1; }
  done
  python3 - "$apps" $dir/rtl.json $dir/model.json <<'PY'
import json, sys
apps, rtl, model = sys.argv[1], *[json.load(open(p)) for p in sys.argv[2:]]
for k in ("cycles", "applications", "l1", "l2", "walks", "structure_accesses"):
    assert rtl[k] == model[k], f"{apps}: {k} of RTL and model differ"
assert rtl["l2"]["epochs"] >= 20, f"{apps}: {rtl['l2']['epochs']} epochs"
assert rtl["l2"]["bypass_fills"] > 0 and rtl["l2"]["fills"] > 0, f"{apps}: no fills"
print(f"{apps}: {rtl['l2']['epochs']} epochs, {rtl['l2']['fills']} fills of the L2 TLB, "
      f"{rtl['l2']['bypass_fills']} of the bypass cache, "
      f"{rtl['l2']['hits_bypass']} hits in it; RTL and model equal")
PY
done
# Page tables with one PTE in each 128-byte line, walked by the RTL; with the L2 cache its leaf
# level hits less often then.
for spread in 0 1; do
  for b in rtl model; do
    build/bin/gmmu run --preset mask-tlb "${set_args[@]}" --set MemChannels=4 \
      --set SpreadTables=$spread --backend $b --trace $dir/NW,$dir/HISTO \
      --json $dir/$b.json | tail -n 1 | grep -qx 'mismatches: 0' || {
        echo "SpreadTables=$spread $b: mismatches"
        exit 1
      }
  done
  cp $dir/model.json $dir/spread-$spread.json
  cmp <(grep -v '"backend"' $dir/rtl.json | grep '"cycles"') <(grep '"cycles"' $dir/model.json)
done
python3 - $dir/spread-0.json $dir/spread-1.json <<'PY'
import json, sys
rates = []
for p in sys.argv[1:]:
    leaf = json.load(open(p))["memory"]["depths"][4]
    rates.append(leaf["hits"] / leaf["accesses"])
print(f"leaf PTEs that hit the L2 cache: dense {rates[0]:.3f}, spread {rates[1]:.3f}")
assert rates[1] < rates[0] - 0.2
PY
# Thirty applications, one SM each.
build/bin/gmmu run --preset mask-tlb --set EpochCycles=20000 --backend model --restart \
  --trace "$(for _ in $(seq 30); do printf '%s,' $dir/NW; done | sed 's/,$//')" | tail -n 1 |
  grep -qx 'mismatches: 0'
# One warp, one page at a time, each in a frame of its own; the others: random atomics from 29 SMs.
python3 - > $dir/victim.txt <<'PY'
print("gmmu-trace 1\napp VICTIM\narray A 0x10000000 0x20000000 rw\n"
      "launch k blocks 1 warps 1\nblock 0 warp 0")
for i in range(250):
    print(f"r 4 {0x10000000 + 0x200000 * i:#x}\ngap 50")
PY
[ -e $dir/GUP ] || build/bin/gmmu gen GUP --size 262144 -o $dir/GUP
for p in sharedtlb mask-tlb; do
  build/bin/gmmu run --preset $p --set WalkJitter=0 --backend model \
    --trace $dir/victim.txt,$dir/GUP --sms 1,29 --restart --json $dir/flood.json >/dev/null
  python3 - $p $dir/flood.json <<'PY'
import json, sys
preset, r = sys.argv[1], json.load(open(sys.argv[2]))
c, v = r["config"], r["applications"][0]
# docs/results-mask.md, "Isolation"
read = c["WalkLatency"] + c["Walks"] + 2
bound = 4 * read + c["NumSms"] + 2 * (c["Walks"] + c["L2Mshrs"]) + 40
print(f"{preset}: flood of {r['applications'][1]['walks']} walks; "
      f"the victim's translations take {v['latency_mean']:.0f} cycles, "
      f"at most {v['latency_max']} (bound {bound})")
assert v["walks"] >= 250 and r["mismatches"] == 0 and v["latency_max"] <= bound
PY
done
