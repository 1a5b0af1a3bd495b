#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The throughput goals in cycles (exact, so fit for a test); `make bench` reports the figures.
set -euo pipefail
cd "$(dirname "$0")/.."
check() { # what, key, at least, arguments...; PRESET: another one than mosaic
  local what=$1 key=$2 least=$3; shift 3
  build/bin/gmmu throughput --preset "${PRESET:-mosaic}" --set NumSms=8 "$@" |
    python3 -c "import json,sys; v=json.load(sys.stdin)['$key']; print('$what:', v, 'at least', $least); sys.exit(v < $least)"
}
check "hits per cycle per SM" answers_per_cycle_per_sm 0.98 --stream hit
check "large hits per cycle per SM" answers_per_cycle_per_sm 0.98 --stream hit --coalesced
check "L2 lookups per cycle" l2_lookups_per_cycle 1.99 --stream l2
PRESET=mesc check "unified L2 lookups per cycle, pages" l2_lookups_per_cycle 1.99 --stream l2
PRESET=mesc check "unified L2 lookups per cycle, 2 MiB" l2_lookups_per_cycle 1.99 --stream l2 --coalesced
PRESET=mask-tlb check "L2 lookups per cycle with tokens" l2_lookups_per_cycle 1.99 --stream l2
for l in 20 100 400; do
  goal=$(python3 -c "print(min(0.9*64/(4*($l+2)), 0.9/4))")
  check "walks per cycle, latency $l" walks_per_cycle "$goal" --stream walk --latency $l
done
