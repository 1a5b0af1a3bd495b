#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# slang.sh [--program FILE] ...: scripts/slang.py (or FILE) with what scripts/requirements-lint.txt
# names (scripts/venv.sh).
program=scripts/slang.py
[ "${1:-}" != --program ] || { program=$2; shift 2; }
exec "$(dirname "$0")/venv.sh" slang requirements-lint.txt pyslang.driver "$program" "$@"
