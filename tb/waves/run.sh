#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make waves: its picture shows every signal of sim/waves/gmmu.gtkw by name (GTKWave leaves out
# those that are gone from the RTL), and beside the names waves, not an empty page.
set -euo pipefail
cd "$(dirname "$0")/../.."
out=build/waves
rm -f $out/gmmu.fst $out/gmmu.pdf $out/gmmu.png
scripts/waves.sh
for f in fst pdf png; do [ -s $out/gmmu.$f ] || { echo "FAIL no $out/gmmu.$f"; exit 1; }; done
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
