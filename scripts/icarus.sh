#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# icarus.sh ARGUMENT...: iverilog with its exit status, without its notes on constant selects. What
# it makes (-o) is new or not there, so that no older one runs in its place.
set -uo pipefail
args=("$@")
for ((i = 0; i + 1 < $#; i++)); do [ "${args[i]}" != -o ] || rm -f "${args[i + 1]}"; done
iverilog "$@" 2>&1 | grep -v 'constant selects in always_'
exit "${PIPESTATUS[0]}"
