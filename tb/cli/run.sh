#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bad input to the gmmu program: one clear error line, a non-zero exit, no partial output. Good
# input: the documented files. Uses the timed model, so that no RTL has to be built.
set -uo pipefail
cd "$(dirname "$0")/../.."
d=build/cli-test
rm -rf $d; mkdir -p $d
g=build/bin/gmmu
bad=0 n=0
set4="--preset mosaic --set NumSms=4 --backend model"

no() { echo "FAIL $1"; bad=1; }
# refuses PATTERN OUTPUT-FILE COMMAND...: exit not 0, one line on stderr that matches, no output
# file
refuses() {
  local pattern=$1 out=$2; shift 2
  n=$((n + 1))
  rm -f "$out"
  "$@" >$d/out 2>$d/err && { no "accepted: $*"; return; }
  [ "$(wc -l <$d/err)" = 1 ] || { no "not one error line: $*"; cat $d/err; }
  grep -qE "$pattern" $d/err || { no "wrong message for: $*"; cat $d/err; }
  compgen -G "$out*" >/dev/null && no "left $out behind: $*"
  return 0
}
works() { n=$((n + 1)); "$@" >$d/out 2>$d/err || { no "refused: $*"; cat $d/err; }; }

works $g gen ATAX --size 64 -o $d/a.trace
works $g gen RED -o $d/b.trace --text
cat >$d/a.map <<'X'
# asid va pa bytes perms kind
0 0x10000000 0x20000000 0x400000 rwu 2m
0 0x10400000 0x21000000 0x800000 rwu 4k
0 0x10c00000 0x22000000 0x4000000 rwu coalesced
X

# traces
head -c 100 $d/a.trace >$d/short.trace
refuses 'short.trace: (truncated|corrupt)' $d/x.csv $g run $set4 --trace $d/short.trace \
  --dump $d/x.csv
cp $d/a.trace $d/flip.trace
printf '\xff' | dd of=$d/flip.trace bs=1 seek=60 conv=notrunc 2>/dev/null
refuses 'flip.trace: ' $d/x.csv $g run $set4 --trace $d/flip.trace --dump $d/x.csv
(cat $d/a.trace; echo more) >$d/long.trace
refuses 'long.trace: ' $d/x.csv $g run $set4 --trace $d/long.trace --dump $d/x.csv
printf 'gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 0 warp 0\nr 4 0x10zz\n' >$d/t.txt
refuses 't.txt:5: ' $d/x.csv $g run $set4 --trace $d/t.txt --dump $d/x.csv
printf 'gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 1 warp 0\n' >$d/t2.txt
refuses 't2.txt:4: ' $d/x.csv $g run $set4 --trace $d/t2.txt --dump $d/x.csv
refuses 'nowhere' $d/x.csv $g run $set4 --trace $d/nowhere --dump $d/x.csv
refuses 'unknown kernel' $d/x.trace $g gen NOPE -o $d/x.trace
refuses '' $d/x.trace $g gen ATAX --size 7 -o $d/x.trace
refuses '' $d/x.trace $g gen ATAX --size 12x -o $d/x.trace
refuses '' $d/none/x.trace $g gen ATAX -o $d/none/x.trace
refuses 'MemChannels above 0' $d/x.txt $g run $set4 --trace $d/a.trace --record $d/x.txt
refuses 'MemChannels = 0' $d/x.csv $g run $set4 --set Svadu=1 --set MemChannels=4 \
  --trace $d/a.trace --dump $d/x.csv
# the memory manager
refuses 'instead of --map' $d/x.csv $g run $set4 --trace $d/a.trace --paging demand --pages 4k \
  --dump $d/x.csv
refuses 'are for --paging' $d/x.csv $g run $set4 --trace $d/a.trace --memory 64 --dump $d/x.csv
refuses 'even number' $d/x.csv $g run $set4 --trace $d/a.trace --paging demand --memory 3 \
  --dump $d/x.csv
refuses 'two shares' $d/x.csv $g run $set4 --trace $d/a.trace --paging demand --foreign 1.5,0 \
  --dump $d/x.csv
refuses 'two shares' $d/x.csv $g run $set4 --trace $d/a.trace --paging demand --foreign 0.5 \
  --dump $d/x.csv
refuses 'not one of its values' $d/x.csv $g run $set4 --trace $d/a.trace --paging demand \
  --cac slow --dump $d/x.csv
refuses 'are for --paging' $d/x.csv $g run $set4 --trace $d/a.trace --cac-stall --dump $d/x.csv
refuses 'are for --paging' $d/x.csv $g run $set4 --trace $d/a.trace --bus-wait 1 --dump $d/x.csv
refuses 'not a number from 0.001' $d/x.csv $g run $set4 --trace $d/a.trace --paging demand \
  --bus-rate 0 --dump $d/x.csv
refuses 'not one of its values' $d/x.csv $g run $set4 --trace $d/a.trace --paging lazy \
  --dump $d/x.csv
refuses 'do not fit into PaW' $d/x.csv $g run $set4 --set PaW=30 --trace $d/a.trace \
  --paging demand --dump $d/x.csv
refuses 'no memory' $d/x.csv $g run $set4 --trace $d/a.trace --paging demand --memory 2 \
  --foreign 1,1 --dump $d/x.csv
refuses 'no memory' $d/x.csv $g run $set4 --trace $d/a.trace --paging launch --memory 2 \
  --foreign 1,1 --dump $d/x.csv
works $g run $set4 --trace $d/a.trace --paging demand --memory 2 --foreign 1,0.5
# mappings
m() { printf '%b' "$2" >$d/$1.map; }
m over '0 0x10000000 0x20000000 0x10000 rwu\n0 0x10008000 0x30000000 0x10000 rwu\n'
refuses 'over.map:2: ' $d/x.csv $g run $set4 --trace $d/a.trace --map $d/over.map --dump $d/x.csv
m mis '0 0x10001000 0x20000000 0x200000 rwu 2m\n'
refuses 'mis.map:1: ' $d/x.csv $g run $set4 --trace $d/a.trace --map $d/mis.map --dump $d/x.csv
m word '0 0x10000000 0x20000000 0x10000 rwq\n'
refuses 'word.map:1: ' $d/x.csv $g run $set4 --trace $d/a.trace --map $d/word.map --dump $d/x.csv
m few '0 0x10000000 0x20000000\n'
refuses 'few.map:1: ' $d/x.csv $g run $set4 --trace $d/a.trace --map $d/few.map --dump $d/x.csv
m asid '3 0x10000000 0x20000000 0x10000 rwu\n'
refuses 'ASID 0' $d/x.csv $g run $set4 --trace $d/a.trace --map $d/asid.map --dump $d/x.csv
m high '0 0x10000000 0xfffff00000000 0x10000 rwu\n'
refuses 'high.map:1: ' $d/x.csv $g run $set4 --trace $d/a.trace --map $d/high.map --dump $d/x.csv
# events
e() { printf '%b' "$2" >$d/$1.events; }
ev() {
  refuses "$2" $d/x.csv $g run $set4 --trace $d/a.trace --map $d/a.map --events $d/$1.events \
    --dump $d/x.csv
}
e when '# c\nat 5 unmap 0 0x10000000 0x1000\n'
ev when 'when.events:2: expected: cycle'
e op 'cycle 5 remap 0 0x10000000 0x1000\n'
ev op "op.events:1: 'remap'"
e back 'cycle 9 invalidate all\nseq 3 invalidate all\ncycle 8 invalidate all\n'
ev back 'back.events:3: cycle 8 comes after 9'
e noasid 'cycle 9 invalidate asid 7\n'
ev noasid 'noasid.events:1: asid 7 has no page table'
e align 'cycle 9 unmap 0 0x10000800 0x1000\n'
ev align 'align.events:1: va and bytes'
e more 'cycle 9 coalesce 0 0x10000000 0x200000\n'
ev more "more.events:1: '0x200000' is one word too many"
e dem 'cycle 9 map 0 0x90000000 0x1000 0x1000 r demand\n'
ev dem 'dem.events:1: demand is for'
e twice 'cycle 9 map 0 0x10000000 0x20000000 0x1000 r\n'
ev twice 'twice.events:1: in cycle .* mapped already'
e spl 'cycle 9 splinter 0 0x10400000\n'
ev spl 'spl.events:1: in cycle .* not coalesced'
refuses 'none.events' $d/x.csv $g run $set4 --trace $d/a.trace --events $d/none.events \
  --dump $d/x.csv
refuses 'instead of --map' $d/x.csv $g run $set4 --trace $d/a.trace --paging demand \
  --events $d/spl.events --dump $d/x.csv
# configurations
refuses 'nopreset' $d/x.csv $g run --preset nopreset --backend model --trace $d/a.trace \
  --dump $d/x.csv
printf '[gmmu]\nNumSms = 4\nNoSuchKey = 1\n' >$d/key.ini
refuses 'key.ini:3: .*NoSuchKey' $d/x.csv $g run --preset $d/key.ini --backend model \
  --trace $d/a.trace --dump $d/x.csv
printf '[gmmu]\nNumSms = 4000\n' >$d/range.ini
refuses 'range.ini:2: .*NumSms' $d/x.csv $g run --preset $d/range.ini --backend model \
  --trace $d/a.trace --dump $d/x.csv
refuses 'L2Entries' $d/x.csv $g run $set4 --set L2Entries=96 --trace $d/a.trace --dump $d/x.csv
refuses 'Ideal' $d/x.csv $g run --preset ideal --backend rtl --trace $d/a.trace --dump $d/x.csv
refuses '' $d/x.csv $g run $set4 --trace $d/a.trace --dump $d/none/x.csv
refuses 'unknown command' $d/x.csv $g nonsense

# good input
works $g run $set4 --trace $d/a.trace --map $d/a.map --dump $d/d.csv --json $d/j.json
[ "$(tail -1 $d/out)" = "mismatches: 0" ] || no "last line of a run"
[ "$(head -1 $d/d.csv)" = "seq,sm,warp,asid,va,access,result,pa,page_bytes" ] ||
  no "header of a dump"
awk -F, 'NR > 1 && (NF != 9 || ($7 == "ok" && $9 != 4096 && $9 != 2097152)) {
  print "FAIL dump line " NR
  exit 1
}' $d/d.csv || bad=1
python3 - $d/d.csv $d/a.map <<'X' || bad=1
import csv, sys
maps = [l.split() for l in open(sys.argv[2]) if not l.startswith("#")]
seen = 0
for r in csv.DictReader(open(sys.argv[1])):
    va = int(r["va"], 0)
    for m in maps:
        lo, pa, n = int(m[1], 0), int(m[2], 0), int(m[3], 0)
        if lo <= va < lo + n:
            assert r["result"] == "ok" and int(r["pa"], 0) == pa + va - lo, r
            seen += 1
assert seen > 100, seen
X
works $g run $set4 --trace $d/b.trace --pages 4k --frames scattered
works $g run $set4 --trace $d/a.trace,$d/b.trace
works $g info $d/a.trace
# the scan of contiguous subregions does not mix address spaces, and counts a frame once
printf 'gmmu-trace 1\napp T\nlaunch k blocks 1 warps 1\nblock 0 warp 0\nw 4 0x40000000\n' \
  >$d/st.trace
m spaces '1 0x40000000 0x40000000 0x200000 rwu\n0 0x40000000 0x80000000 0x200000 rwu!d\n'
tac $d/spaces.map >$d/secaps.map
for k in spaces secaps; do
  works $g run --preset mesc --backend model --trace $d/st.trace --map $d/$k.map --dump $d/d.csv
  [ "$(tail -1 $d/d.csv)" = "0,0,0,0,0x40000000,w,ok,0x80000000,4096" ] ||
    no "a store beside another address space, $k"
done
{
  echo "0 0x40000000 0x80000000 0x40000 rwu"
  for i in $(seq 0 64); do
    printf '0 0x%x 0x%x 0x1000 rwu\n' $((0x40040000 + i % 2 * 0x1c0000 + i * 4096)) \
      $((0x90000000 + i * 8192))
  done
} >$d/unsorted.map
works $g run --preset mesc --backend model --trace $d/st.trace --map $d/unsorted.map \
  --json $d/j.json
python3 -c '
import json, sys
x = json.load(open(sys.argv[1]))["contiguous_share"]
sys.exit(f"contiguous_share {x}" if abs(x - 64 / 129) > 1e-9 else 0)' $d/j.json ||
  no "share of contiguous subregions"
# ActivePointers
export TMPDIR=$d/tmp     # of this test alone
rm -rf "$TMPDIR"
mkdir "$TMPDIR"
works $g apointer --warps 2 --blocks 2 --warp-pages 2 --images 200 --image-blocks 20 \
  --json $d/ap.json
[ "$(tail -1 $d/out)" = "mismatches: 0" ] || no "last line of apointer"
python3 -c '
import json, sys
r = json.load(open(sys.argv[1]))["runs"]
right = len(r) == 20 and all(x["values"] and not x["wrong"] for x in r)
sys.exit(0 if right else "apointer JSON")' $d/ap.json || no "JSON of apointer"
for o in '--tlb 3' '--tlb 2048' '--bytes 5' '--cache-pages 0' '--warps 33' '--workload nothing' \
  '--workload read,read2' '--workload copy,all' '--form wide' '--images -1' '--dir /nonexistent'; do
  refuses "^gmmu apointer: (${o%% *}|/nonexistent)" $d/ap2.json $g apointer $o --json $d/ap2.json
done
refuses '^gmmu apointer: --dir' $d/ap2.json $g apointer --dir '' --json $d/ap2.json
refuses 'apointer' $d/ap2.json $g apointer file
$g apointer --workload add --through apointers --cache-pages 1 --blocks 1 \
  --warps 2 >$d/out 2>$d/err && no "a page cache that is too small is no error"
grep -q 'page cache full of referenced pages' $d/err || no "a page cache that is too small says so"
n=$((n + 1))
[ -z "$(ls "$TMPDIR")" ] || no "apointer leaves its files"
works $g --version
sed -nE 's/^## \[([0-9.]+)\] - .*/gmmu \1/p; s/^## \[Unreleased\] ([0-9.]+)$/gmmu \1-dev/p' \
  CHANGELOG.md | head -n 1 | cmp -s - $d/out ||
  no "gmmu --version does not say what CHANGELOG.md says: $(cat $d/out)"
echo "$n cases"
[ $bad = 0 ] && echo PASS
exit $bad
