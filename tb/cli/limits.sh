#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Input that once hung, took memory without bound, was taken in silence or for something else: each
# ends within 10 s of CPU time and 512 MiB, with what the documents say. Messages: file and line,
# right values, names that are meant.
set -uo pipefail
export LC_ALL=C
cd "$(dirname "$0")/../.."
d=build/cli-limits
rm -rf $d; mkdir -p $d
g=build/bin/gmmu
bad=0 n=0
no() { echo "FAIL $1"; bad=1; }
# The command with its limits: memory is what it touches, so it is measured.
bounded() {
  python3 - "$@" <<'X'
import os, resource, subprocess, sys
def limits():
    resource.setrlimit(resource.RLIMIT_CPU, (10, 11))
p = subprocess.Popen(sys.argv[1:], preexec_fn=limits)
_, status, use = os.wait4(p.pid, 0)
if use.ru_maxrss > 512 << 10:
    sys.exit(f"{use.ru_maxrss >> 10} MiB")
sys.exit(os.waitstatus_to_exitcode(status) & 255)
X
}
refuses() { # PATTERN COMMAND...
  local pattern=$1; shift
  n=$((n + 1))
  bounded "$@" >$d/out 2>$d/err && { no "accepted: $*"; return; }
  [ "$(wc -l <$d/err)" = 1 ] || { no "not one error line: $*"; cat $d/err; }
  grep -qE -e "$pattern" $d/err || { no "wrong message for: $*"; cat $d/err; }
}
works() { n=$((n + 1)); bounded "$@" >$d/out 2>$d/err || { no "refused: $*"; cat $d/err; }; }
run() { echo "$g run --preset ${P:-mosaic} --set NumSms=4 --backend model --trace ${T:-$d/t}"; }
t() {
  printf 'gmmu-trace 1\napp T\n%blaunch k blocks 1 warps 1\nblock 0 warp 0\n%b' "$2" "$3" >$d/$1
}
m() { printf '%b' "$2" >$d/$1; }
t t '' 'w 4 0x40000000\n'
m map '0 0x40000000 0x80000000 0x200000 rwu\n'

# hangs
m e1 'cycle 5 map 0 0x20000000 0x40000000 0xffff800000000000 rwu 2m\n'
P=mesc refuses 'e1:1: va .* is not sign-extended' $(P=mesc run) --map $d/map --events $d/e1
m e2 'cycle 5 unmap 0 0x0 0x7ffffffff000\ncycle 6 map 0 0x0 0x0 0x800000000 r\n'
works $(P=mesc run) --map $d/map --events $d/e2
m e3 'cycle 5 invalidate 0 0xfffffffffffff000 0x2000\n'
refuses 'e3:1: the range goes past the end' $(run) --map $d/map --events $d/e3
m e4 'cycle 5 map 0 0x20000000 0x1000000000000 0x1000 r\n'
refuses 'e4:1: pa .* is beyond' $(run) --map $d/map --events $d/e4
m s1 "load a 0 t\nalloc b 0 0x80000000 0x400000000000 rw resident\nrun a\n"
refuses 's1:2: more than 2097152 pages' $g scenario $d/s1 --backend model
alloc='alloc b 0 0x80000000 0x180000000 rw\n'
m s2 "load a 0 t\n${alloc}free b\n${alloc}free b\n${alloc}run a\n"
refuses 's2:6: .* one after the other' $g scenario $d/s2 --backend model
m s3 "load a 0 t\nrun a\nalloc b 0 0x80000000 0x40000000 rw resident\nrun a\n"
refuses 'not finished after 100000 cycles' $g scenario $d/s3 --backend model --max-cycles 100000
m s4 "memory 4096\nload a 0 t\nrun a\n"
refuses 's4:1: 4096 MiB .* do not fit into PaW' $g scenario $d/s4 --set PaW=32 --backend model
m s5 "load a 0 t\nrun a\n" # 3072 MiB
refuses 's5: 3072 MiB .* do not fit into PaW' $g scenario $d/s5 --set PaW=31 --backend model
# memory
t big 'array A 0x0 0x7fffffffffff rw\n' 'w 4 0x40000000\n'
refuses 'big:3: array A: .* more than 8388608 leaf PTEs' $(T=$d/big run)
refuses 'big:3: array A: more than 2097152 pages' $(T=$d/big run) --paging demand
python3 - $d <<'X'
import random
import sys
sys.path.insert(0, "tb/fuzz")
from mutations import varint, zstd
d = sys.argv[1]
array = b"\x01A" + varint(0x10000000) + varint(512 << 30) + b"\1"
def trace(launches, ops, arrays=b"", n=0, count=1):
    return b"GMMUTRC1\x01A" + varint(n) + arrays + varint(count) + launches + ops
open(f"{d}/512G", "wb").write(zstd(trace(b"\x01k\x01\x01\x04", b"\x21\x01\x80\x01", array, 1)))
open(f"{d}/broken", "wb").write(zstd(trace(b"\x01k\x01\x01\x02", b"\x21\x01")))
open(f"{d}/zeros", "wb").write(zstd(bytes(2 << 30)))
open(f"{d}/bomb", "wb").write(zstd(trace(b"\x01k\x01\x01" + varint(1 << 30), b"\0\1" * (1 << 29))))
warps = lambda n: b"\x01k" + varint(n) + b"\x01" + bytes(n)
open(f"{d}/warps", "wb").write(zstd(trace(warps(1 << 23), b"")))
open(f"{d}/warps1", "wb").write(zstd(trace(warps(1 << 23) + b"\x01k\1\1\0", b"", count=2)))
launches = b"\x01k\1\1\0" * (1 << 17)
open(f"{d}/launches1", "wb").write(zstd(trace(launches + b"\x01k\1\1\0", b"", count=(1 << 17) + 1)))
op = b"\x21\x40\x02" + varint(2 << 20)   # 64 lanes, 1 MiB apart, always further on
open(f"{d}/wide", "wb").write(zstd(trace(b"\x01k\x01\x01" + varint(len(op) * 500000), op * 500000)))
# As much as 64 KiB can ask for. The filler is what zstd makes no smaller: the limits follow the
# size of the file.
rng = random.Random(1)
zz = lambda x: varint(2 * x if x >= 0 else -2 * x - 1)
def access(addresses):
    o, p = bytes([2 << 4 | 3]) + varint(len(addresses)), 0
    for a in addresses:
        o, p = o + zz(a - p), a
    return o
def shuffled(lines):
    a = [0x10000000 + (i % lines) * 0x20000000 + 0xffe + 4 * (i // lines) for i in range(64)]
    rng.shuffle(a)
    return access(a)
# all lanes forth and back
swing = lambda n, step, times: ((b"\x22" + zz(step)) * n + b"\x22" + zz(-n * step)) * times
def worst(name, ops, size=60000, heads=b"", count=0):
    filler = b"".join(
        b"\x23\x40" + bytes(rng.getrandbits(7) for _ in range(64)) for _ in range(size // 60)
    )
    heads += b"".join(b"\x01k\x01\x01" + varint(len(o)) for o in (filler, ops))
    z = zstd(trace(heads, filler + ops, count=count + 2))
    assert len(z) <= 65536, (name, len(z))
    open(f"{d}/worst-{name}", "wb").write(z)
# 128 lines an access on pages far apart, in no order
worst("lines", shuffled(64) + swing(63000, 2 * 4096, 10))
worst("more-lines", shuffled(64) + swing(63000, 2 * 4096, 11), 45000)
# every lane on one of few lines
worst("lanes", shuffled(4) + swing(8000, 4096, 1240))
worst("accesses", access([0x10000000]) + swing(60000, 4096, 1250), 39000)
worst("pages", shuffled(64) + swing(65400, 2 * 4096, 1))
worst("more-pages", shuffled(64) + swing(65540, 2 * 4096, 1))
worst("operations", b"\0\1" * 145000000, 39000)
worst("memory", shuffled(64) + swing(65000, 2 * 4096, 1) + b"\0\1" * 130000000, 39000,
      warps((1 << 23) - 140000) + launches[5 * 3:],
      (1 << 17) - 2)
X
refuses '512G: .* more than 8388608 leaf PTEs' $(T=$d/512G run)
refuses 'zeros: not a gmmu trace' $g info $d/zeros
refuses 'bomb: more than .* bytes uncompressed' $g info $d/bomb
works $g info $d/warps
works $(T=$d/warps run) --max-cycles 1000
refuses 'warps1: corrupt trace' $g info $d/warps1
works $g info $d/wide
refuses 'launches1: corrupt trace' $g info $d/launches1
for w in lines lanes accesses pages operations memory; do works $g info $d/worst-$w; done
works $g info --json $d/worst-memory
refuses 'not finished after 1000 cycles' $(T=$d/worst-memory run) --max-cycles 1000
refuses 'worst-more-lines: touches more than [0-9]* lines' $g info $d/worst-more-lines
refuses 'worst-more-pages: touches more than 8388608 pages' $g info $d/worst-more-pages
rm -f $d/worst-*
m m128 '0 0x0 0x0 0x7ffffffff000 rwu\n'
refuses 'm128:1: more than 8388608 leaf PTEs' $(run) --map $d/m128
m m32 '0 0x0 0x0 0x800000000 rwu\n'
works $(run) --map $d/m32
m m32+ '0 0x0 0x0 0x800000000 rwu\n0 0x800000000 0x0 0x1000 rwu\n'
refuses 'm32\+:2: more than 8388608 leaf PTEs' $(run) --map $d/m32+
m m16t '0 0x0 0x0 0x100000000000 rwu 2m\n'
works $(run) --map $d/m16t
m dem '0 0x0 0x0 0x7ffffffff000 rwu demand\n'
works $(run) --map $d/dem
for kind in trace map events scenario preset; do
  {
    [ $kind = trace ] && printf 'gmmu-trace 1\napp X\n'
    head -c 300000000 /dev/zero | tr '\0' 'a'
  } >$d/line
  case $kind in
    trace) refuses 'line:3: the line is longer than 65535 bytes' $g info $d/line ;;
    map) refuses 'line:1: the line is longer' $(run) --map $d/line ;;
    events) refuses 'line:1: the line is longer' $(run) --map $d/map --events $d/line ;;
    scenario) refuses 'line:1: the line is longer' $g scenario $d/line --backend model ;;
    preset)
      mv $d/line $d/line.ini
      refuses 'line.ini:1: the line is longer' $g preset $d/line.ini
      rm $d/line.ini
      ;;
  esac
done
rm -f $d/line
refuses 'even number from 2 to 65536' $(run) --paging demand --memory 131072
# a broken last operation
refuses 'broken: corrupt operation in launch 0, block 0, warp 0' $g info $d/broken
# NUL bytes
nul() { printf '%b' "$2" >$d/nul$1; }
nul .t 'gmmu-trace 1\napp X\nlaunch k blocks 1 warps 1\nblock 0 warp 0\nr 4 0x1000\0 0x2000\n'
refuses 'nul.t:5: a NUL byte' $g info $d/nul.t
nul .map '0 0x40000000 0x80000000 0x200000 rwu\0 2m\n'
refuses 'nul.map:1: a NUL byte' $(run) --map $d/nul.map
nul .events 'cycle 5 invalidate all\ncycle 6 invalidate all\0x\n'
refuses 'nul.events:2: a NUL byte' $(run) --map $d/map --events $d/nul.events
nul .scn 'load a 0 t\nrun a\0 b\n'
refuses 'nul.scn:2: a NUL byte' $g scenario $d/nul.scn --backend model
nul .ini '[gmmu]\nNumSms = 4\0 5\n'
refuses 'nul.ini:2: a NUL byte' $g preset $d/nul.ini
# numbers: decimal with leading zeros everywhere
t oct '' 'gap 010\nr 4 010\n'
works $g info $d/oct
grep -q ' 10 cycles of computation' $d/out || no "gap 010 is not 10"
works $g preset mosaic --set NumSms=010 --json
grep -q '"NumSms": 10,' $d/out || no "NumSms=010 is not 10"
m moct '0 01073741824 02147483648 02097152 rwu\n'
works $(run) --map $d/moct --dump $d/d.csv --seed 010 --json $d/j.json
grep -q ',ok,0x80000000,' $d/d.csv && grep -q '"seed":.*10,' $d/j.json ||
  no "leading zeros in mappings or options"
m soct "memory 010\nload a 0 t\nalloc b 0 02147483648 08192 rw\nrun a\n"
works $g scenario $d/soct --backend model
refuses "oct2:5: '08' is not a number|'0x' is not|'-8' is negative" \
  $(t oct2 '' 'gap -8\n'; echo $g info $d/oct2)
# demand lines are checked as the others
m d1 '0 0x800000000000 0x80000000 0x1000 rwu demand\n'
refuses 'd1:1: va .* is not sign-extended' $(run) --map $d/d1
m d2 '0 0x40000000 0xffffffffff000 0x2000 rwu demand\n'
refuses 'd2:1: pa .* is beyond 48 bits' $(run) --map $d/d2
# JSON is UTF-8
for name in $'A\x01' $'\xe4' $'A\x7f'; do
  printf 'gmmu-trace 1\napp %s\n' "$name" >$d/name
  refuses 'name:2: name .* not printable ASCII' $g info $d/name
done
cp $d/t "$d/$(printf 't\xe4\xc3\xa4')"
works $(T="$d/$(printf 't\xe4\xc3\xa4')" run) --json $d/j.json --seed 18446744073709551615
python3 -c '
import json, sys
j = json.loads(open(sys.argv[1], "rb").read().decode("utf-8"))
right = j["seed"] == 2**64 - 1 and j["applications"][0]["trace"].endswith("t\ufffd\u00e4")
sys.exit(0 if right else 1)' $d/j.json || no "JSON is not UTF-8, or the seed is not exact"
cp sim/presets/fpga-small.ini "$d/$(printf 'p\xff"\\.ini')"
works $g preset "$d/$(printf 'p\xff"\\.ini')" --json
python3 -c 'import json,sys; json.loads(open(sys.argv[1], "rb").read().decode("utf-8"))' $d/out ||
  no "a preset's JSON is not UTF-8"
refuses 'not in 1\.\.1000000000000' $g throughput --stream hit --cycles 18446744073709551615 \
  --backend model
refuses 'not in 1\.\.100000:|not in 1\.\.100000$' $g throughput --stream hit --latency 0 \
  --backend model
refuses 'stream l2 needs L2 entries of single pages: L2Entries is 0' $g throughput --stream l2 \
  --backend model --preset pwcache
for s in hit l2 walk; do
  refuses 'Ideal = 1 has no TLBs' $g throughput --stream $s --backend model --preset ideal
done
# once taken in silence
refuses 'without --pages and --frames' $(run) --map $d/map --pages 4k
refuses 'without --pages and --frames' $(run) --map $d/map --frames contiguous
refuses 'trace is given twice .*--trace T1,T2' $(run) --trace $d/t
refuses 'seed is given twice' $(run) --seed 1 --seed 2
refuses "'.*,' has an empty entry" $(T=$d/t, run)
refuses 'has an empty entry' $(T=$d/t,,$d/t run)
refuses 'has an empty entry' $(run) --map $d/map,
refuses '--asid: .* empty entry' $(run) --asid ,
: >$d/empty.ini
refuses 'empty.ini: an empty preset' $g run --preset $d/empty.ini --backend model --trace $d/t
refuses 'ASID 19 needs 20 channels; MemChannels is 8' $g run --preset static --backend model \
  --trace $d/t,$d/t,$d/t --asid 0,5,19
works $g run --preset static --backend model --trace $d/t,$d/t,$d/t
# messages
refuses 'no --trace' $g run --preset mosaic --backend model
refuses "'-1' is negative" $(run) --seed -1
refuses "'18446744073709551616' is above 2\^64 - 1" $(run) --seed 18446744073709551616
refuses "'1x' is not a number" $(run) --seed 1x
refuses "did you mean 'NumSms'" $(run) --set NumSMs=4
refuses "did you mean '--preset'" $g run --perset mosaic
refuses "did you mean 'mosaic'" $g run --preset mosiac --trace $d/t
refuses "did you mean 'scenario'" $g scenaro
refuses "did you mean 'ATAX'" $g gen atex -o $d/x
refuses 'values: rtl, model, did you mean .model' $g run --trace $d/t --backend modell
refuses 'values: 4k, 2m, coalesced' $(run) --pages 1g
refuses 'values: hit, l2, walk' $g throughput --stream miss
refuses 'values: mosaic, base, large' $g scenario x --manager mesc
refuses 'an argument is missing after .--seed' $(run) --seed
refuses 'no argument belongs to .--restart=1' $(run) --restart=1
for c in gen info run scenario random throughput vectors preset; do
  for h in "$c -h" "$c --help" "help $c"; do
    works $g $h
    head -1 $d/out | grep -q "^usage: gmmu $c" || no "gmmu $h"
  done
done
m block "gmmu-trace 1\napp X\nlaunch k blocks 1 warps 65535\nblock 0 warp 0\nr 1 0x40000000\n"
refuses 'cli-limits/block: a block of kernel k has 65535 warps' $(T=$d/block run) --map $d/map
m sblock "load a 0 block\nrun a\n"
refuses 'sblock:2: .*block: a block of kernel k has 65535' $g scenario $d/sblock --backend model
m a63 '0 0x40000000 0x80000000 0x1000 rwu\n63 0x40000000 0x90000000 0x1000 rwu\n'
refuses 'a63:2: ASID 63 is not below NumAsids' $(run) --map $d/a63
m a1 '1 0x40000000 0x80000000 0x1000 rwu\n'
refuses 'a1: no line maps ASID 0' $(run) --map $d/a1
# accesses that no paging helps are faults, not mismatches
t outside 'array A 0x40000000 0x2000 ro\n' \
  'r 4 0x40000000\nw 4 0x40001000\nw 4 0x40000000\nr 4 0x50000000\nr 4 0x4000000000000000\n'
for p in demand resident launch; do
  works $(T=$d/outside run) --paging $p --dump $d/d.csv
  unmapped=$([ $p = demand ] && echo pf_invalid || echo perm)
  wanted="0x40000000,r,ok 0x40001000,w,$unmapped 0x40000000,w,perm 0x50000000,r,pf_invalid"
  wanted+=" 0x4000000000000000,r,non_canonical "
  [ "$(cut -d, -f5-7 $d/d.csv | tail -n +2 | tr '\n' ' ')" = "$wanted" ] ||
    { no "accesses outside the arrays, $p"; cat $d/d.csv; }
done
echo "$n cases"
[ $bad = 0 ] && echo PASS
exit $bad
