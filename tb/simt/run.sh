#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Bench of the SIMT core: run.sh [PROGRAMS [SEED [BUILD]]]; BUILD: small (8 warps, little memory),
# tiny (1 warp, 2 bursts), full (defaults)
set -euo pipefail
cd "$(dirname "$0")/../.."
programs=${1:-20} seed=${2:-1} build=${3:-small}
case $build in
  small) warps=8 local=128 scratch=2048 mshrs=16 ;;
  tiny) warps=1 local=128 scratch=256 mshrs=2 ;;
  full) warps=32 local=1024 scratch=16384 mshrs=64 ;;
  *) echo "run.sh: no build '$build'; there are: small tiny full" >&2; exit 2 ;;
esac
rtl=${RTL:-tb/simt}
out=build/tb/simt${RTL:+-$(basename "$RTL")}
scripts/build_bench.sh "$out/$build" gmmu_sm "$rtl" tb/simt \
  "-DGMMU_TB_WARPS=$warps -DGMMU_TB_LOCAL=$local -DGMMU_TB_SCRATCH=$scratch" \
  -GWarps="$warps" -GLocalBytes="$local" -GScratchBytes="$scratch" -GMshrs="$mshrs" \
  "$rtl"/gmmu_sm*.sv "$PWD/tb/simt/sm_bench.cpp"
rc=0
"$out/$build" "$programs" "$seed" || rc=1
echo "again: tb/simt/run.sh $programs $seed $build"
exit $rc
