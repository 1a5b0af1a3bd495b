#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yosys as the RTL is read: what it only warns of, and then gives any value, is an error: a name or
# a range that it did not understand (docs/rtl-subset.md). GMMU_BEYOND=1: a range beyond a signal is
# none, as planted bugs read there.
ranges='|to undef'
[ -z "${GMMU_BEYOND:-}" ] || ranges=
exec yosys -e "implicitly declared$ranges" "$@"
