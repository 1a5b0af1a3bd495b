#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What three applications at once give one memory channel of a run in preset all (docs/memsys.md,
# "Recording"), through the RTL of the channel in lockstep with its model.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=build/channel
mkdir -p $dir
. scripts/memory_kernels.sh
# Longer epochs than the options have: with words of 32 bytes one channel sees too little in a short
# one to decide.
build/bin/gmmu run --preset all "${run_options[@]}" --set EpochCycles=30000 \
  --no-policy --backend model --record $dir/all.txt | tail -n 1 | grep -qx 'mismatches: 0'
tb/l2_cache/run.sh 2000000 1 full $dir/all.txt | tee $dir/out
# All of it, with levels that bypass, epochs and write-backs.
n=$(grep -c '^[td] ' $dir/all.txt)
grep -q "^PASS.* 0 mismatches" $dir/out
python3 - "$n" $dir/out <<'PY'
import re, sys
t = open(sys.argv[2]).read()
reads, writes = map(int, re.search(r"(\d+) reads answered, (\d+) writes", t).groups())
assert reads + writes == int(sys.argv[1]), f"{reads} + {writes} of {sys.argv[1]} requests"
for what in (r"bypasses (\d+)", r"write-backs (\d+)", r"(\d+) epochs", r"waits (\d+)"):
    assert int(re.search(what, t)[1]) > 0, what
PY
# A recording that is cut in a record, or has a record of no kind: refused.
head -n 200 $dir/all.txt > $dir/cut.txt
printf t >> $dir/cut.txt
head -n 200 $dir/all.txt > $dir/kind.txt
echo "x 99999999 0 1 0 0 0 0" >> $dir/kind.txt
for f in cut kind; do
  if tb/l2_cache/run.sh 2000000 1 full $dir/$f.txt > $dir/$f.out; then
    echo "$dir/$f.txt: accepted"
    exit 1
  fi
  grep -qx "$dir/$f.txt: not a recording of a channel with 2 banks" $dir/$f.out
done
