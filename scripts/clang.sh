#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# clang.sh FILE ...: a Python program with the libclang of scripts/requirements-mutate.txt
# (scripts/venv.sh).
exec "$(dirname "$0")/venv.sh" libclang requirements-mutate.txt clang.cindex "$@"
