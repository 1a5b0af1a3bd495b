#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The reader of recordings alone: good ones, and numbers that are none, negative, too large or
# missing.
set -uo pipefail
cd "$(dirname "$0")/../.."
d=build/tb/recording
mkdir -p $d
g++ -std=c++17 -Wall -Wextra -Werror -fsanitize=address,undefined -Ic_model/include -Ic_model \
  -o $d/test tb/l2_cache/recording{_test,}.cpp || exit 1
bad=0 n=0
check() { # 0 or 1, then lines
  local want=$1; shift
  printf '%s\n' "$@" >$d/file
  $d/test $d/file >$d/out 2>&1
  [ $? = "$want" ] || { echo "FAIL expected $want: $*"; cat $d/out; bad=1; }
  n=$((n + 1))
}
head="gmmu-channel 1 banks 2 apps 3" last=18446744073709551615
check 0 "$head" "d 5 1 8388607 3 0 1 2" "t 6 0 $last 3 4 0 65535" "load 7 1 2 3 4 5 6" \
  "epoch $last" "d 9 0 0 0 0 0 0"
check 1 "$head"
for x in -1 +1 18446744073709551616 99999999999999999999999999 1x 0x1 ''; do
  check 1 "$head" "d $x 1 5 3 0 1 2"
  check 1 "$head" "d 5 $x 5 3 0 1 2"
  check 1 "$head" "t 5 1 $x 3 0 1 2"
  check 1 "$head" "d 5 1 5 3 0 1 $x"
  check 1 "$head" "epoch $x" "d 5 1 5 3 0 1 2"
  check 1 "$head" "load 1 1 2 3 4 5 $x" "d 5 1 5 3 0 1 2"
  check 1 "gmmu-channel 1 banks 2 apps $x" "d 5 1 5 3 0 1 2"
done
check 1 "gmmu-channel 2 banks 2 apps 3" "d 5 1 5 3 0 1 2"
check 1 "gmmu-channel 1 banks 3 apps 3" "d 5 1 5 3 0 1 2"
check 1 "$head" "d 5 2 5 3 0 1 2"
check 1 "$head" "d 5 1 8388608 3 0 1 2"
check 1 "$head" "d 5 1 5 3 0 2 2"
check 1 "$head" "dd 5 1 5 3 0 1 2"
check 1 "$head" "d 5 1 5 3 0 1"
echo "$n files"
[ $bad = 0 ] && echo PASS
exit $bad
