#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# gmmu run --memory-rtl (docs/memsys.md, "Channels in RTL"): two kernels on small TLBs and six
# channels, RTL of MMU and channels, end in the cycles of the timed model; bugs planted in copies of
# the RTL are noticed (LONG=1: another one); what cannot be run is refused.
set -euo pipefail
cd "$(dirname "$0")/../.."
export OPT=-O1 # made sooner; a channel of no other run
dir=build/channels
mkdir -p $dir
. scripts/memory_kernels.sh
two=${kernels%,*}
run_options=("${run_options[@]/$kernels/$two}")
run_options=(--preset all "${run_options[@]/MemChannels=4/MemChannels=6}")
run() { build/bin/gmmu run "${run_options[@]}" "$@"; }

run --backend model --no-policy --json $dir/model.json >$dir/out
run --backend rtl --memory-rtl --json $dir/rtl.json >$dir/out
python3 - $dir/rtl.json $dir/model.json <<'PY'
import json, sys
rtl, model = [json.load(open(p)) for p in sys.argv[1:]]
channels = rtl["memory"].pop("rtl")
for k in ("cycles", "applications", "l1", "l2", "walks", "structure_accesses", "memory"):
    assert rtl[k] == model[k], f"{k} of RTL and model differ"
assert rtl["mismatches"] == 0 and channels["cycles"] == rtl["cycles"], channels
m = rtl["memory"]
# Those of the last cycles may still be on their way.
reads = m["translations"]["reads"] + m["data"]["reads"]
assert reads <= channels["reads"] <= reads + 1000, (channels, reads)
columns = m["translations"]["dram_columns"] + m["data"]["dram_columns"]
assert channels["writes"] > 10000 and channels["commands"] > columns > 5000, channels
print(f"{rtl['cycles']} cycles, {channels['reads']} reads, {channels['writes']} writes, "
      f"{channels['commands']} DRAM commands: RTL and model equal")
PY

# NAME FILE TEXT REPLACEMENT WHAT: the run of a copy of the RTL with this bug says WHAT.
key=$(build/bin/gmmu preset all $(printf '%s\n' "${run_options[@]}" | grep = | sed 's/^/--set /') \
  --memory-key)
settings=$(printf '%s\n' "${run_options[@]}" | grep = | tr '\n' ' ')
notices() {
  local root=$dir/$1
  rm -rf "$root" "$dir/rtl-$1"
  cp -r rtl "$dir/rtl-$1"
  python3 - "$dir/rtl-$1/$2" "$3" "$4" <<'PY'
import sys
path, old, new = sys.argv[1:]
text = open(path).read()
assert text.count(old) == 1, f"{path}: {text.count(old)} times {old}"
open(path, "w").write(text.replace(old, new))
PY
  scripts/build_memory_rtl.sh all "$settings" "$PWD" "$dir/rtl-$1"
  # a tree without a Makefile, where nothing is built again
  mkdir -p "$root/build/memory-rtl"
  ln -s "$PWD/sim" "$root/sim"
  ln -s "$PWD/build/memory-rtl/$key-rtl-$1" "$root/build/memory-rtl/$key"
  if GMMU_ROOT=$PWD/$root run --backend model --no-policy --memory-rtl --max-cycles 20000 \
    >"$dir/out" 2>"$dir/err"; then
    echo "$1: not noticed"
    exit 1
  fi
  grep -qE "^mismatch: cycle [0-9]+, memory: $5: expected 0x[0-9a-f]+, got 0x" "$dir/err" ||
    { echo "$1: not '$5':"; head -3 "$dir/err"; exit 1; }
  echo "$1: $(grep -m 1 '^mismatch' "$dir/err")"
}
[ -z "${LONG:-}" ] || notices decision mem/gmmu_l2_bypass.sv "sum[15:0];" \
  "sum[15:0] + 16'(acc == 16'd40);" "hits and accesses of a depth"
notices words mem/gmmu_mem_channel.sv ".back_data_i(back_data)" \
  ".back_data_i({back_data[511:1], ~back_data[0]})" "channel [0-5], bank [01], words of .*"
refused() { # MESSAGE OPTION...
  local message=$1
  shift
  if build/bin/gmmu run --trace "$two" --backend model --memory-rtl "$@" >$dir/out 2>&1 ||
    ! grep -qF -e "$message" $dir/out; then
    echo "not '$message': $*"
    exit 1
  fi
}
refused "--memory-rtl needs a memory system" --set MemChannels=0
refused "--memory-rtl: ASIDs are below 8" --preset mask --set NumAsids=16 --asid 0,8
