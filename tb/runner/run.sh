#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# scripts/test.py counts passes, failures, time-outs and skips, and takes no skip from a test that
# must not skip; .ci/run's last line is that count and its status that of make test, also when make
# says something behind it or the build breaks.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
fail() { echo "FAIL $*"; bad=1; }

mkdir -p "$work/scripts" "$work/tb" "$work/.ci" "$work/c_model/test" "$work/build/test" \
  "$work/build/test-asan"
cp scripts/test.py scripts/treefiles.py "$work/scripts/"
cp .ci/run "$work/.ci/"
list() { printf '%s\n' "$@" >"$work/tb/tests.list"; }
one() { # expected last line, expected status; $work/tb/tests.list
  local status=0
  (cd "$work" && scripts/test.py --jobs 2 tb/tests.list) >"$work/out" 2>&1 || status=$?
  [ "$(tail -n 1 "$work/out")" = "$1" ] && [ "$status" = "$2" ] ||
    { fail "expected '$1' and status $2, got status $status and:"; cat "$work/out"; }
}
list 'a | true | x' 'b (9s) | true | x'
one "2 passed, 0 failed" 0
list 'a | true | x' 'b | false | x'
one "1 passed, 1 failed" 1
list 'a | true | x' 'b (may skip) | echo "skipped: no cells"; exit 77 | x'
one "1 passed, 0 failed, 1 skipped" 0
grep -qx 'skipped: b: no cells' "$work/out" || fail "the list of skips does not say why"
list 'a | true | x' 'b (9s, may skip) | echo gone; exit 77 | x' 'c | false | x'
one "1 passed, 1 failed, 1 skipped" 1
list 'a | true | x' 'b | exit 77 | x'
one "1 passed, 1 failed" 1
list 'a | true | x' 'b (may skip) | exit 1 | x' 'c (1s, may skip) | sleep 60 | x'
one "1 passed, 2 failed" 1
list 'b (may skip) | exit 77 | x'
one "0 passed, 0 failed, 1 skipped" 1
list 'a | true'
one "tb/tests.list:1: expected: name | command | what it proves" 1
list 'a | sleep 2 | x' 'b | true | x'
(cd "$work" && scripts/test.py --slow 3 --times times.csv tb/tests.list) >"$work/out" 2>&1 ||
  fail "--slow, --times"
[ "$(cut -d, -f3 "$work/times.csv" | sort | tr '\n' ' ')" = "a b test " ] || {
  fail "--times"
  cat "$work/times.csv"
}
# Shares: each test in one of them, the long ones apart, the same every time.
list 'a | true | x' 'b (8000s) | true | x' 'c (7000s) | true | x' 'd (may skip) | true | x' \
  'e | true | x'
for i in 1 2 3; do
  (cd "$work" && scripts/test.py --shard $i/3 tb/tests.list) | awk -v i=$i '/^pass/ { print $2, i }'
done |
  sort >"$work/out"
[ "$(cut -d' ' -f1 "$work/out" | tr '\n' ' ')" = "a b c d e " ] &&
  [ "$(awk '/^[bc]/ { print $2 }' "$work/out" | sort -u | wc -l)" = 2 ] ||
  { fail "--shard"; cat "$work/out"; }
for bad_share in 0/3 4/3 2 x/3; do
  (cd "$work" && scripts/test.py --shard $bad_share tb/tests.list) >"$work/out" 2>&1 &&
    fail "--shard $bad_share is taken"
  tail -n 1 "$work/out" | grep -q "expected I/N with I from 1 to N, not '$bad_share'" ||
    fail "--shard $bad_share: $(tail -n 1 "$work/out")"
done
# What passed is kept while no file of the tree changes, what failed or skipped runs again, and a
# line cut short does no harm.
list 'a | echo ran >>runs-of-a; true | x' 'b | [ -e mended ] | x' 'c (may skip) | exit 77 | x'
(cd "$work" && mkdir -p build && scripts/test.py --resume build/state tb/tests.list) \
  >"$work/build/out" 2>&1 && fail "--resume: b failed"
rm "$work/runs-of-a"
printf '{"test": "b", "tr' >>"$work/build/state"
(cd "$work" && scripts/test.py --resume build/state tb/tests.list) >"$work/build/out" 2>&1 || true
grep -q '^kept  a ' "$work/build/out" && [ ! -e "$work/runs-of-a" ] &&
  grep -qx '1 passed, 1 failed, 1 skipped' "$work/build/out" ||
  { fail "--resume runs what passed again, or not what failed"; cat "$work/build/out"; }
touch "$work/mended"
(cd "$work" && scripts/test.py --resume build/state tb/tests.list) >"$work/build/out" 2>&1 || true
grep -q '^pass  a ' "$work/build/out" &&
  grep -qx '2 passed, 0 failed, 1 skipped' "$work/build/out" ||
  { fail "--resume keeps what passed on other files"; cat "$work/build/out"; }
rm -f "$work/mended" "$work/runs-of-a"
# JUnit XML: counts, the reason of a skip, the last lines of a failure, no character that XML does
# not know.
list 'a | true | x' 'b | printf "one\\ntwo <\\001&>\\n"; exit 3 | x' \
  'c (may skip) | echo "skipped: no cells"; exit 77 | x'
(cd "$work" && scripts/test.py --junit build/junit.xml tb/tests.list) >"$work/build/out" 2>&1 &&
  fail "--junit: b failed"
python3 - "$work/build/junit.xml" <<'END' || fail "--junit"
import sys, xml.etree.ElementTree as ET
s = ET.parse(sys.argv[1]).getroot()
cases = {c.get("name"): c for c in s}
assert (s.get("tests"), s.get("failures"), s.get("skipped")) == ("3", "1", "1")
assert len(cases["a"]) == 0
assert cases["b"][0].get("message").startswith("exit 3; again: printf")
assert cases["b"][0].text == "one\ntwo <?&>"
assert cases["c"][0].tag == "skipped" and cases["c"][0].get("message") == "no cells"
END
list 'a (1s) | sleep 2 | x'
(cd "$work" && scripts/test.py --slow 9 tb/tests.list) >"$work/out" 2>&1 ||
  fail "--slow does not lengthen a time limit"
list 'a (soon) | true | x'
one "tb/tests.list:1: bad test name 'a (soon)'" 1
# A run whose caller ignores signals: the tests see them all the same.
list 'a | sh -c '"'kill -INT \$\$; kill -HUP \$\$'"'; [ $? = 130 ] | x'
(trap '' INT HUP; one "1 passed, 0 failed" 0; exit $bad) || bad=1
echo >"$work/c_model/test/test_u.c"
printf '#!/bin/sh\n' >"$work/build/test/test_u"
printf '#!/bin/sh\nexit 1\n' >"$work/build/test-asan/test_u"
chmod +x "$work"/build/test*/test_u
list '@unit-tests'
one "1 passed, 1 failed" 1

ci() { # what `make test` prints, its status, expected last line
  printf 'test:\n\t@printf '"'$1'"'; exit %s\n' "$2" >"$work/Makefile"
  local status=0
  (cd "$work" && .ci/run) >"$work/out" 2>&1 || status=$?
  # make's own status for a recipe that failed is 2
  [ "$(tail -n 1 "$work/out")" = "$3" ] && [ "$status" = $(($2 ? 2 : 0)) ] ||
    { fail ".ci/run: expected '$3', got status $status and:"; cat "$work/out"; }
}
ci '5 passed, 0 failed\\n' 0 "5 passed, 0 failed"
ci 'skipped: synth: no cells\\n5 passed, 0 failed, 1 skipped\\n' 0 "5 passed, 0 failed, 1 skipped"
ci '3 passed, 2 failed\\n' 1 "3 passed, 2 failed"
ci '3 passed, 2 failed, 1 skipped\\n' 1 "3 passed, 2 failed, 1 skipped"
ci '3 passed, 0 failed\\nlast words\\n' 0 "3 passed, 0 failed"
ci 'cc: error\\n' 1 "0 passed, 1 failed"
ci '3 passed, 0 failed, x skipped\\n' 1 "0 passed, 1 failed"

# Without a network and without pyslang, slang is a skip that says so.
cp scripts/slang.sh scripts/venv.sh scripts/requirements-lint.txt "$work/scripts/"
status=0
PIP_CONFIG_FILE=/dev/null PIP_FIND_LINKS= PIP_INDEX_URL=http://127.0.0.1:9/ \
  "$work/scripts/slang.sh" >"$work/out" 2>&1 || status=$?
[ $status = 77 ] &&
  tail -n 1 "$work/out" | grep -q '^skipped: slang: pyslang .* could not be fetched' ||
  { fail "slang.sh without a network: status $status and:"; cat "$work/out"; }
[ $bad = 0 ] && echo "PASS test runner, .ci/run, slang without a network"
exit $bad
