#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# hang.sh: one launch with a low limit, for the test of the watchdogs (tb/common/hang.sh).
set -euo pipefail
cd "$(dirname "$0")/../../.."
tb/simt/system/build.sh
build/tb/simt/system/bench build/simt/bench-000.elf seed=1 kind=4 way=0 warps=4 limit=200000
