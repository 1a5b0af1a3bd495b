#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What three applications at once give one memory channel of a run in preset mask (docs/memsys.md, "Recording"), through the RTL of the
# channel in lockstep with its model.
set -euo pipefail
cd "$(dirname "$0")/.."
dir=build/channel
mkdir -p $dir
for k in BFS:small HISTO:small GUP:65536; do
  [ -e $dir/${k%:*} ] || build/bin/gmmu gen ${k%:*} --size ${k#*:} -o $dir/${k%:*}
done
build/bin/gmmu run --preset mask --set NumSms=6 --set WarpW=6 --set EpochCycles=20000 --set MemChannels=4 --set L2Entries=32 \
  --set L1BaseEntries=8 --no-policy --trace $dir/BFS,$dir/HISTO,$dir/GUP --restart --backend model --record $dir/mask.txt |
  tail -n 1 | grep -qx 'mismatches: 0'
tb/l2_cache/run.sh 2000000 1 full $dir/mask.txt | tee $dir/out
# All of it, with levels that bypass, epochs and write-backs.
n=$(grep -c '^[td] ' $dir/mask.txt)
grep -q "^PASS.* 0 mismatches" $dir/out
python3 - "$n" $dir/out <<'PY'
import re, sys
t = open(sys.argv[2]).read()
reads, writes = map(int, re.search(r"(\d+) reads answered, (\d+) writes", t).groups())
assert reads + writes == int(sys.argv[1]), f"{reads} + {writes} of {sys.argv[1]} requests"
for what in (r"bypasses (\d+)", r"write-backs (\d+)", r"(\d+) epochs", r"waits (\d+)"):
    assert int(re.search(what, t)[1]) > 0, what
PY
