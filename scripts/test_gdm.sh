#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gmmu gdm: programs whose memories do not fit together end with right results under every policy
# that can, the same seed gives the same report, pictures are XML, and bad input gives one error
# line and leaves nothing behind. usage: test_gdm.sh [BINARY]
set -uo pipefail
cd "$(dirname "$0")/.."
g=${1:-build/bin/gmmu} d=build/test-gdm
rm -rf $d; mkdir -p $d
bad=0 n=0
no() { echo "FAIL $1"; bad=1; }
# ends STATUS PATTERN OPTION...: exit status, and a line of the table
ends() {
  local status=$1 pattern=$2; shift 2
  n=$((n + 1))
  $g gdm "$@" >$d/out 2>$d/err; local s=$?
  [ $s = "$status" ] || { no "exit status $s, not $status: gmmu gdm $*"; cat $d/out $d/err; }
  grep -qE "$pattern" $d/out || { no "no '$pattern': gmmu gdm $*"; cat $d/out; }
  [ -s $d/err ] && { no "something on stderr: gmmu gdm $*"; cat $d/err; }
  [ "$(tail -1 $d/out)" = "mismatches: 0" ] || { no "mismatches: gmmu gdm $*"; cat $d/out; }
}
refuses() {
  local pattern=$1; shift
  n=$((n + 1))
  $g gdm "$@" --json $d/x.json >$d/out 2>$d/err && no "accepted: gmmu gdm $*"
  [ "$(wc -l <$d/err)" = 1 ] || { no "not one error line: gmmu gdm $*"; cat $d/err; }
  [ -s $d/out ] && no "something on stdout: gmmu gdm $*"
  grep -qE "$pattern" $d/err || { no "wrong message: gmmu gdm $*"; cat $d/err; }
  compgen -G "$d/x.json*" >/dev/null && no "left a report behind: gmmu gdm $*"
}

for p in "gdm --dirty signature" "gdm --dirty hw" "gdm --faults on" "gdm --dirty hw --faults on" \
  "gdm --watch eager" base; do
  ends 0 "^nn .*results right" --run backprop+nn --reps 1 --policy $p
done
ends 1 "ended by GDM_ERROR_OUT_OF_MEMORY" --run backprop+nn --reps 1 --policy none
ends 0 "^kmeans .*results right" --run kmeans+mpe --reps 1 --policy none
ends 0 "^mpe .*results right" --run kmeans+mpe --reps 1 --policy gdev
# Gdev's rule where regions stay over repetitions: who comes first decides. hj frees in between and
# does not come back.
ends 0 "^backprop +2 .*results right" --run nn+backprop --reps 2 --policy gdev --keep
ends 0 "^kmeans .*results right" --run hotspot+kmeans --reps 1 --policy gdev --keep
ends 1 "^nn .*ended by GDM_ERROR_OUT_OF_MEMORY" --run backprop+nn --reps 1 --policy gdev --keep
ends 1 "^nn .*ended by GDM_ERROR_OUT_OF_MEMORY" --run nn+backprop --reps 1 --policy gdev
ends 1 "^hj .*ended by GDM_ERROR_OUT_OF_MEMORY" --run hj+backprop --reps 1 --policy gdev --keep
for p in "gdm --dirty signature" "gdm --dirty hw" base; do
  ends 0 "^hj .*results right" --run hj+mpe --reps 1 --policy $p --keep
done
ends 0 "^kmeans +2 .*results right" --run malicious+kmeans --reps 2 --keep
ends 1 "^theano .*ended by GDM_ERROR_OUT_OF_MEMORY" --run theano --reps 1 --policy none
ends 0 "^theano .*101 of 101 results right" --run theano --reps 1
ends 0 "^theano .*101 of 101 results right" --run theano --reps 1 --faults on
ends 0 "^malicious .*1 of 1 results right" --run kmeans+malicious --reps 1
ends 0 "^hj .*results right" --run hj+kmeans+mpe --reps 1 --set kernel_engines=2 \
  --set copy_engines=2

# Repeatable, and another seed is another run.
for f in a b c; do
  s=7; [ $f = c ] && s=8
  $g gdm --run backprop+mpe --reps 2 --seed $s --json $d/$f.json --timeline $d/$f.svg >$d/$f.out ||
    no "seed $s"
done
cmp -s $d/a.json $d/b.json && cmp -s $d/a.svg $d/b.svg && cmp -s $d/a.out $d/b.out ||
  no "two runs with one seed differ"
cmp -s $d/a.json $d/c.json && no "two seeds give one report"
python3 - $d <<'P' || no "report or picture"
import json, sys, xml.dom.minidom
d = sys.argv[1]
j = json.load(open(d + "/a.json"))
assert [a["name"] for a in j["apps"]] == ["backprop", "mpe"] and j["mismatches"] == 0
for a in j["apps"]:
    assert a["reps"] >= 2 and len(a["rep_ns"]) == a["reps"] and a["compared"] > 0
    assert a["stats"]["kernels"] >= 2 * a["reps"]
s = j["stats"]
assert s["peak_resident_bytes"] <= 1400 * 2**20 / j["scale"] and s["kernel_ns"] <= j["ns"]
svg = xml.dom.minidom.parse(d + "/a.svg")
assert len(svg.getElementsByTagName("rect")) > 20 and len(svg.getElementsByTagName("path")) == 2
P
n=$((n + 3))

# Progress on a terminal, wiped at the end.
python3 - $g <<'P' || no "progress on a terminal"
import os, pty, subprocess, sys
try:
    terminal, side = pty.openpty()
except OSError:
    sys.exit(print("no terminal can be made here (/dev/pts): progress is not looked at"))
env = {k: v for k, v in os.environ.items() if k != "CI"}
r = subprocess.run([sys.argv[1], "gdm", "--run", "nn", "--reps", "1"],
                   stdout=subprocess.DEVNULL, stderr=side, env=env)
out = os.read(terminal, 65536)
assert r.returncode == 0 and b"s simulated, nn 0 of 1" in out and out.endswith(b"\r\x1b[K"), out
P
n=$((n + 1))

refuses "no benchmark 'nothing'|no section \[nothing\]" --run nothing
refuses "no program" --run +
refuses "run is needed" --policy gdm
refuses "lru" --run nn --policy lru
refuses "both" --run nn --dirty both
refuses "maybe" --run nn --faults maybe
refuses "not a power of two" --run nn --scale 3
refuses "not a number from 1 to 64" --run nn --scale 128
refuses "not a number from 1 to 100" --run nn --reps 0
refuses "not a whole number" --run nn --reps 1.5
refuses "not a number" --run nn --seed x
refuses "not a number from 0.1 to 10" --run nn --dma-share nan
refuses "not KEY=VALUE" --run nn --set copy_engines
refuses "no such key" --run nn --set engines=2
refuses "not a number from 0 to 1" --run nn --set selection_factor=2
refuses "no application of the run ends" --run malicious
refuses "more than 8" --run nn+nn+nn+nn+nn+nn+nn+nn+nn
refuses "sedd" --run nn --sedd 1
refuses "mpe" --run nn mpe
refuses "cannot be read" --run nn --regions $d/none.ini
printf '[nn]\ntable1 = 5\nplaces = 1\n' >$d/bad.ini
refuses "bad.ini: \[nn\]: the regions' sum" --run nn --regions $d/bad.ini
printf '[nn]\ndma = 50\nkernel = 20\ncpu = 20\n' >$d/bad.ini
refuses "bad.ini: \[nn\]: dma, kernel and cpu" --run nn --shares $d/bad.ini
refuses "none/x.svg" --run nn --timeline $d/none/x.svg --reps 1

# A signal leaves nothing, a kill nothing under the reports' names.
for sig in TERM KILL; do
  n=$((n + 1))
  $g gdm --run hotspot+srad --reps 50 --json $d/k.json --timeline $d/k.svg >$d/out 2>&1 & p=$!
  sleep 1; kill -$sig $p; wait $p 2>/dev/null
  [ $sig = TERM ] && compgen -G "$d/k.*" >/dev/null && no "an ended run left something behind"
  [ -e $d/k.json ] || [ -e $d/k.svg ] && no "a killed run left a report"
done

echo "$n cases"
[ $bad = 0 ] && echo PASS
exit $bad
