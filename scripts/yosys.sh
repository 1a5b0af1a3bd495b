#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Yosys as the RTL is read: what it only warns of, and then gives any value, is an error: a name or
# a range that it did not understand (docs/rtl-subset.md).
exec yosys -e 'to undef|implicitly declared' "$@"
