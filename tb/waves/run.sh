#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make waves: its picture shows every signal of sim/waves/gmmu.gtkw by name (GTKWave leaves out
# those that are gone from the RTL), and beside the names waves, not an empty page. A file for waves
# that cannot be made, has no room or is not ended is an error, of which nothing is left.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=build/waves
rm -f $out/gmmu.fst $out/gmmu.pdf $out/gmmu.png
scripts/waves.sh
for f in fst pdf png; do [ -s $out/gmmu.$f ] || { echo "FAIL no $out/gmmu.$f"; exit 1; }; done

d=$out/errors n=0
rm -rf $d; mkdir -p $d
run() { # SETTINGS...: of the build above, with waves in $d/w.fst
  build/bin/gmmu random --preset mosaic --set NumSms=2 --set WalkLatency=20 --set WalkJitter=8 \
    --set DataLatency=20 --backend rtl --seed 2 "$@" >$d/out 2>$d/err
}
left() { # WHAT
  n=$((n + 1))
  [ "$(ls -A $d)" = "$(printf 'err\nout')" ] || { echo "FAIL $1: left: $(ls -A $d)"; exit 1; }
}
refuses() { # PATTERN SETTINGS...
  local pattern=$1
  shift
  if run "$@"; then echo "FAIL accepted: $*"; exit 1; fi
  [ "$(wc -l <$d/err)" = 1 ] && grep -q "$pattern" $d/err ||
    { echo "FAIL $*: not one line with '$pattern'"; cat $d/err; exit 1; }
  left "$*"
}
refuses 'No such file or directory' --ops 300 --waves $d/none/w.fst
refuses 'Not a directory' --ops 300 --waves $d/out/w.fst
refuses 'needs a regular file' --ops 300 --waves /dev/null
# kilobytes: too few for what is mapped, for what is written
for k in 8 40 300; do
  (ulimit -f $k; trap '' XFSZ; refuses "$d/w.fst: no room for it" --ops 300 --waves $d/w.fst)
done
if timeout -s TERM 1 build/bin/gmmu random --preset mosaic --set NumSms=2 --set WalkLatency=20 \
  --set WalkJitter=8 --set DataLatency=20 --backend rtl --ops 1000000 --waves $d/w.fst \
  >$d/out 2>$d/err; then
  echo "FAIL a run of a million requests ended in a second"
  exit 1
fi
left "TERM"
# those of a run that is given up are there
if build/bin/gmmu run --preset mosaic --set NumSms=2 --set WalkLatency=20 --set WalkJitter=8 \
  --set DataLatency=20 --pages 4k --trace $out/short.trace.txt --max-cycles 60 --waves $d/w.fst \
  >$d/out 2>$d/err; then
  echo "FAIL --max-cycles 60: not given up"
  exit 1
fi
[ "$(ls -A $d)" = "$(printf 'err\nout\nw.fst')" ] && grep -q 'after 60 cycles' $d/err ||
  { echo "FAIL waves of a run that is given up: $(ls -A $d)"; cat $d/err; exit 1; }

pdftotext -raw $out/gmmu.pdf $out/gmmu.txt
pdftoppm -gray -r 60 -singlefile $out/gmmu.pdf $out/gmmu
exec python3 - <<'P'
import re, sys
with open("sim/waves/gmmu.gtkw") as f:
    names = [x.strip() for x in f if re.match(r"gmmu\.", x)]
    wanted = [re.sub(r"\[\d+:\d+\]$", "", x).split(".")[-1] for x in names]
with open("build/waves/gmmu.txt") as f:
    shown = {re.sub(r"\[\d+:\d+\]$", "", x.strip()) for x in f}
gone = [w for w in wanted if w not in shown]
if gone or len(wanted) < 20:
    sys.exit(f"FAIL {len(wanted)} signals in the view, not in the picture: {gone}")
with open("build/waves/gmmu.pgm", "rb") as f:
    picture = re.fullmatch(rb"(P5)\s+(\d+)\s+(\d+)\s+(\d+)\s(.*)", f.read(), re.S)
    magic, width, height, depth, pixels = picture.groups()
width, height = int(width), int(height)
# Right of the names: rows with something drawn, and how different those rows are.
right = [pixels[y * width + width // 4:(y + 1) * width] for y in range(height)]
rows = {r for r in right if min(r) < 128}
if len(rows) < 100:
    sys.exit(f"FAIL beside the names only {len(rows)} different rows are drawn")
print(f"PASS {len(wanted)} signals, {len(rows)} different rows of {height}")
P
