#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Demand paging in runs (docs/paging.md): RTL and timed model end in the same cycle with the same
# figures; every access ends; memory that is too small, fragmented memory, three policies; the same
# kernel answers as many accesses as with everything mapped. LONG=1 (make regress): all of them on
# the RTL, also those that differ little from another one for it.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=build/paging
mkdir -p $dir
for k in BFS:small HISTO:small MVT:768; do
  [ -e $dir/${k%:*} ] || build/bin/gmmu gen ${k%:*} --size ${k#*:} -o $dir/${k%:*}
done
run() { # NAME OPTION...
  local name=$1 backends="rtl model"
  shift
  [ -n "${LONG:-}" ] ||
    case $name in
      resident|scan*|full*|large|launch-*) backends=model ;;
      cac-off|cac-ideal|cac-bulk|cac-copy|cac-copy-stall) backends=model ;;
    esac
  for b in $backends; do
    build/bin/gmmu run --set NumSms=4 --backend $b --json $dir/$name.$b.json "$@" | tail -n 1 |
      grep -qx 'mismatches: 0' ||
      { echo "$name, $b: mismatches"; exit 1; }
  done
  python3 - "$name" $dir/$name.model.json "$dir/$name.${backends%% *}.json" <<'PY'
import json, math, sys
name, model, rtl = sys.argv[1], *[json.load(open(p)) for p in sys.argv[2:]]
for k in (
    "cycles", "applications", "l1", "l2", "walks", "structure_accesses", "paging", "accesses"
):
    assert rtl[k] == model[k], f"{name}: {k} of RTL and model differ"
p = rtl["paging"]
touched = rtl["walks"]["pages_touched"]
if name == "resident":
    assert p["faults"] == 0 and p["coalesced"] > 0 and rtl["l1"]["hit_rate_large"] > 0.5, p
elif name.startswith("launch"):
    # All is touched, so the last byte has come; accesses wait for it, transfers for nobody.
    assert p["faults"] > 0 and p["pages_out"] == 0 and touched <= p["resident"] == p["pages"], p
    assert p["bytes_in"] == 4096 * p["pages"], p
    assert rtl["cycles"] > (p["bytes_in"] / 7.96 + 54500) * 1.02 and 0 < p["bus_busy"] < 1, p
    coalesced = name == "launch"
    assert (p["coalesced"] > 0) == (p["transfers"] < p["pages"]) == coalesced, p
    assert (rtl["l1"]["hit_rate_large"] > 0) == coalesced, rtl["l1"]
elif name.startswith("scan"):
    assert p["faults"] == p["invalidations"] == 0 and p["coalesced"] == 0, p
    found = rtl["contiguous_share"], rtl["l2"]["hits_sub"]
    assert found == (0, 0) if name == "scan-off" else min(found) > 0.9, f"{name}: {found}"
else:
    assert p["faults"] > 0 and p["cycles_per_fault"] > 55000, p
if name == "mosaic":
    assert p["transfers"] == touched == p["resident"] and p["pages_out"] == 0, p
    assert p["coalesced"] > 0 and rtl["l1"]["hit_rate_large"] > 0, p
if name == "base":
    assert p["transfers"] == touched and p["coalesced"] == 0, p
if name.startswith("full"):
    assert p["pages_out"] > 0 and p["transfers"] == p["pages_out"] + p["resident"], p
if name == "large":
    assert p["bytes_in"] == 2 * 2**20 * p["transfers"] and rtl["l1"]["hit_rate_base"] == 0, p
if name.startswith("cac"):
    ns = {"off": 0, "ideal": 0, "bulk": 80, "copy": 1024 / 1.674}[name.split("-")[1]]
    assert (p["moved"] == 0) == (p["compacted"] == 0) == (name == "cac-off"), p
    assert p["copy_cycles"] == p["moved"] * math.ceil(ns * 1.02) and p["copy_cycles_before"] == 0, p
print(f"{name}: {rtl['cycles']} cycles, {rtl['accesses']} accesses, {p['faults']} faults, "
      f"{p['transfers']} transfers, {p['coalesced']} frames coalesced, "
      f"{p['pages_out']} pages out; "
      + ("on the model" if sys.argv[2] == sys.argv[3] else "RTL and model equal"))
PY
}
run mosaic --preset mosaic --trace $dir/MVT --paging demand
run no-wait --preset mosaic --trace $dir/MVT --paging demand --bus-wait 0
run slow --preset mosaic --trace $dir/MVT --paging demand --bus-wait 0 --bus-rate 0.4
run resident --preset mosaic --trace $dir/MVT --paging resident
run launch --preset mosaic --trace $dir/MVT --paging launch
# Arrays of 1 MiB, no whole frame: the manager tells MESC what is contiguous, where nothing moves.
build/bin/gmmu gen BLK --size 65536 -o $dir/BLK
run scan --preset all --trace $dir/BLK --paging resident
run scan-off --preset all --trace $dir/BLK --paging resident --no-scan
run base --preset gpu-mmu --trace $dir/MVT,$dir/BFS --paging demand
run launch-base --preset gpu-mmu --trace $dir/MVT,$dir/BFS --paging launch
run full --preset mosaic --trace $dir/HISTO,$dir/BFS --paging demand --memory 2 --foreign 1,0.75
run full-base --preset gpu-mmu --trace $dir/HISTO,$dir/BFS --paging demand --memory 2 \
  --foreign 1,0.75
fragmented=(--preset mosaic --trace $dir/MVT --paging demand --memory 16 --foreign 1,0.1)
for c in off ideal bulk copy; do run cac-$c "${fragmented[@]}" --cac $c; done
# One application faults while the other runs: standing still costs the other one something.
two=(--preset mosaic --trace $dir/MVT,$dir/HISTO --paging demand --memory 16 --foreign 1,0.25
  --cac copy)
run cac-copy-two "${two[@]}"
run cac-copy-stall "${two[@]}" --cac-stall
run large --preset mosaic --trace $dir/MVT,$dir/HISTO --paging demand --manager large
python3 - $dir <<'PY'
import json, sys
names = ["mosaic", "no-wait", "slow", "resident", "launch", "base", "launch-base", "cac-ideal"]
names += ["cac-bulk", "cac-copy", "cac-copy-two", "cac-copy-stall"]
r = {n: json.load(open(f"{sys.argv[1]}/{n}.model.json")) for n in names}
a, b = r["mosaic"], r["resident"]
right = a["accesses"] == b["accesses"] and a["translations"] - a["faults"] == b["translations"]
assert right, "accesses were lost or done twice"
quick, slow = r["no-wait"], r["slow"]
assert quick["cycles"] < a["cycles"] and quick["cycles"] < slow["cycles"], "the bus's figures"
least = slow["paging"]["bytes_in"] / 0.4 * 1.02  # cycles of the bus alone
assert least < slow["cycles"] < 1.2 * least and slow["paging"]["bus_busy"] > 0.8, slow["paging"]
d = r["launch"]
assert d["translations"] - d["faults"] == b["translations"], "accesses were lost or done twice"
c = [x["cycles"] for x in (b, d, a, r["launch-base"], r["base"])]
assert c[0] < c[1] < c[2] and c[3] < c[4], (
    f"cycles resident, from the launch on, on demand; the last two with base pages: {c}"
)
c = [r[f"cac-{n}"]["cycles"] for n in ("ideal", "bulk", "copy")]
c += [r[f"cac-{n}"]["applications"][0]["cycles"] for n in ("copy-two", "copy-stall")]
assert c[0] < c[1] < c[2] and c[3] < c[4], (
    f"cycles with ideal, bulk, plain copies, and of the first of two without and with a stall: {c}"
)
PY
