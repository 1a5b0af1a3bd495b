#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/results.py: a step is done, not done again, done again when what it depends on has
# changed; bad names.
set -uo pipefail
cd "$(dirname "$0")/.."
bad=0
no() { echo "FAIL $1"; bad=1; }
r=scripts/results.py d=build/results
says() { local out; out=$($r --short mesc) && grep -q "^mesc-short: $1" <<<"$out"; }
rm -f $d/mesc-short.*
[ "$($r --list | wc -l)" -ge 10 ] && [ "$($r --list --short | wc -l)" -ge 4 ] ||
  no "steps are missing"
says ended || no "the step does not end"
[ "$(tail -1 $d/mesc-short.txt)" = "mismatches: 0" ] || no "its output is not there"
says "done before" || no "done twice"
echo other >$d/mesc-short.done
says ended || no "not done again although it had changed"
n=$($r nothing 2>&1 >/dev/null | wc -l)
[ "$n" = 1 ] || no "not one error line for a bad name"
$r nothing >/dev/null 2>&1 && no "a bad name is accepted"
[ $bad = 0 ] && echo PASS
exit $bad
