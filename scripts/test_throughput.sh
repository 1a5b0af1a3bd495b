#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The throughput goals in cycles (exact, so fit for a test); `make bench` reports the figures.
set -euo pipefail
cd "$(dirname "$0")/.."
# Builds that other tests have as well (random-mosaic, random-mesc, mask-kernels).
mosaic=(--preset mosaic --set NumSms=4)
mesc=(--preset mesc --set NumSms=4)
mask=(--preset mask-tlb --set NumSms=10 --set WarpW=6 --set EpochCycles=2000)
check() { # what, key, at least, arguments...
  local what=$1 key=$2 least=$3; shift 3
  build/bin/gmmu throughput "$@" |
    python3 -c "
import json, sys
v = json.load(sys.stdin)['$key']
print('$what:', v, 'at least', $least)
sys.exit(v < $least)"
}
check "hits per cycle per SM" answers_per_cycle_per_sm 0.98 "${mosaic[@]}" --stream hit
check "large hits per cycle per SM" answers_per_cycle_per_sm 0.98 "${mosaic[@]}" --stream hit \
  --coalesced
check "L2 lookups per cycle" l2_lookups_per_cycle 1.99 "${mosaic[@]}" --stream l2
check "unified L2 lookups per cycle, pages" l2_lookups_per_cycle 1.99 "${mesc[@]}" --stream l2
check "unified L2 lookups per cycle, 2 MiB" l2_lookups_per_cycle 1.99 "${mesc[@]}" --stream l2 \
  --coalesced
check "L2 lookups per cycle with tokens" l2_lookups_per_cycle 1.99 "${mask[@]}" --stream l2
for l in 20 100 400; do
  goal=$(python3 -c "print(min(0.9*64/(4*($l+2)), 0.9/4))")
  check "walks per cycle, latency $l" walks_per_cycle "$goal" "${mosaic[@]}" --stream walk \
    --latency $l
done
