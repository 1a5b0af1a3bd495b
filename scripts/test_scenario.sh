#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gmmu scenario (docs/scenario.md): allocations, runs, frees and compaction between them; RTL and
# timed model agree on every step; bad files give one error line with file and line.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=build/scenario
rm -rf $dir; mkdir -p $dir
for k in BFS:small HISTO:small MVT:768; do
  build/bin/gmmu gen ${k%:*} --size ${k#*:} -o $dir/${k%:*}
done
cat >$dir/a.scn <<'X'
memory 16
foreign 0.25 0.4
load A 0 MVT resident
load B 1 HISTO            # on demand
alloc small 0 0x90000000 0x3000 rwu resident
alloc buf 0 0x80000000 0x400000 rwu resident
run A
run A:2 B:2
free buf 0x0 0x100000     # 256 pages are left: still coalesced
free buf 0x100000 0x1000  # 255: splintered, moved
run A
free A
load C 0 BFS
run C B
free B
free C
free buf 0x101000 0x2ff000
free small
X
for b in rtl model; do
  build/bin/gmmu scenario $dir/a.scn --preset mosaic --set NumSms=4 --backend $b \
    --json $dir/$b.json >$dir/$b.out
  tail -n 1 $dir/$b.out | grep -qx 'mismatches: 0' || { cat $dir/$b.out; exit 1; }
done
python3 - $dir <<'PY'
import json, sys
rtl, model = (json.load(open(f"{sys.argv[1]}/{b}.json")) for b in ("rtl", "model"))
assert rtl["cycles"] == model["cycles"], (rtl["cycles"], model["cycles"])
for a, b in zip(rtl["steps"], model["steps"], strict=True):
    assert a == b, f"line {a['line']}: RTL and model differ: {a} {b}"
s = {x["line"]: x for x in rtl["steps"]}
assert s[6]["coalesced"] == 2 and s[6]["cycles"] == 0, s[6]
assert s[9]["splintered"] == 0 and s[10]["splintered"] == 1, (s[9], s[10])
assert s[10]["moved"] == 255 and s[10]["compacted"] == 1, s[10]
assert s[7]["faults"] == 0 and s[8]["faults"] > 0, s[8]
assert s[8]["transfers"] > 0 and s[14]["faults"] > 0, s[8]
last = rtl["steps"][-1]
assert last["pages"] == last["resident"] == last["held"] == 0 and last["free_frames"] == 6, last
print(f"{len(s)} steps, {rtl['cycles']} cycles, {rtl['comparisons']} comparisons; "
      "RTL and model equal")
PY
n=0
refuses() { # PATTERN, then lines of a file
  local pattern=$1; shift
  printf '%s\n' "$@" >$dir/bad.scn
  n=$((n + 1))
  if build/bin/gmmu scenario $dir/bad.scn --backend model --set NumSms=4 --json $dir/x.json \
    >$dir/out 2>$dir/err; then
    echo "accepted: $*"
    exit 1
  fi
  [ "$(wc -l <$dir/err)" = 1 ] && grep -qE "$pattern" $dir/err || {
    echo "wrong message for: $*"
    cat $dir/err
    exit 1
  }
  [ ! -e $dir/x.json ] || { echo "left a file behind: $*"; exit 1; }
}
refuses 'bad.scn: nothing is run' 'load A 0 MVT'
refuses "bad.scn:1: unknown step: 'lode'" 'lode A 0 MVT'
refuses "bad.scn:1: not an ASID" 'load A 99 MVT'
refuses 'bad.scn:1: .*nowhere' 'load A 0 nowhere'
refuses "bad.scn:2: the name is in use: 'A'" 'load A 0 MVT' 'load A 1 BFS'
refuses "bad.scn:3: no trace of that name is loaded: 'A'" 'load A 0 MVT' 'free A' 'run A'
refuses "bad.scn:2: not a number of SMs: '9'" 'load A 0 MVT' 'run A:9'
refuses 'bad.scn:3: its ASID runs twice' 'load A 0 MVT' 'alloc B 0 0x90000000 4096 rwu' 'run A A'
refuses 'bad.scn:2: memory comes before' 'load A 0 MVT' 'memory 16' 'run A'
refuses "bad.scn:1: not permissions" 'alloc B 0 0x90000000 4096 wu'
refuses "bad.scn:1: not a number of whole pages: '100'" 'alloc B 0 0x90000000 100 rwu'
refuses 'bad.scn:3: not whole pages of the range' 'load A 0 MVT' 'alloc B 0 0x90000000 4096 rwu' \
  'free B 0 8192' 'run A'
refuses 'bad.scn:3: allocating .*allocated already' 'load A 0 MVT' 'alloc B 0 0x90000000 8192 rwu' \
  'alloc C 0 0x90001000 4096 rwu' 'run A'
refuses 'bad.scn:4: freeing .*not allocated' 'load A 0 MVT' 'alloc B 0 0x90000000 8192 rwu' \
  'free B 0 4096' 'free B' 'run A'
refuses 'bad.scn:3: .*no memory' 'memory 2' 'foreign 1 1' 'load A 0 MVT resident' 'run A'
echo "$n bad files refused"
