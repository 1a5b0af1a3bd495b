#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every line of tb/elab/illegal.txt stops elaboration in all three tools; the legal defaults do not.
# A line of gmmu_top's parameters, or @module and its own, and behind # the trap that refuses it in
# slang (scripts/slang.py).
set -uo pipefail
cd "$(dirname "$0")/../.."
mkdir -p build/elab
files=$(grep '^rtl/' sim/gmmu.f) libs=()
for d in rtl rtl/*/; do libs+=(-y "${d%/}"); done     # what a top needs, not all of rtl/ each time
small="NumSms=2 L1BaseEntries=4 L1LargeEntries=4 L2LargeEntries=4 L2Entries=64 L1Mshrs=2 L2Mshrs=8"
small+=" Walks=8 TagW=2"
bad=0 top=gmmu_top

file() { grep "/$1\.sv$" sim/gmmu.f; }
elaborate() { # tool, parameters...: exit status of the tool
  local tool=$1; shift
  local args=()
  case $tool in
    verilator) for p in "$@"; do args+=("-G$p"); done
      verilator --lint-only -Wno-fatal -Wno-lint -Irtl -Irtl/common "${libs[@]}" rtl/gmmu_pkg.sv \
        $(file $top) --top-module $top "${args[@]}" ;;
    iverilog) for p in "$@"; do args+=("-P$top.$p"); done
      iverilog -g2012 -o build/elab/x.vvp -Irtl -Irtl/common "${libs[@]}" -Y .sv rtl/gmmu_pkg.sv \
        $(file $top) -s $top "${args[@]}" ;;
    yosys) for p in "$@"; do args+=(-chparam "${p%=*}" "${p#*=}"); done
      yosys -q -p "read_verilog -defer -sv -Irtl -Irtl/common $(echo $files); \
        hierarchy -check ${args[*]} -top $top" ;;
  esac >"build/elab/$tool.out" 2>&1 </dev/null
}

one() { # expected (ok|stops), parameters...
  local expected=$1; shift
  for tool in verilator iverilog yosys; do
    got=stops
    elaborate "$tool" "$@" && got=ok
    # A crash is not a refusal; only for a width of 0 does Verilator 5.006 sometimes stumble over it
    # before our check.
    grep -qiE 'assert|segmentation|internal error' "build/elab/$tool.out" &&
      ! grep -qE '_must_be_|_need_|out_of_range' "build/elab/$tool.out" &&
        [ "$tool:${*: -1}" != verilator:AsidW=0 ] &&
      [ "$tool:${*: -1}" != verilator:TagW=0 ] && got=crash
    [ "$got" = "$expected" ] || { echo "$tool, $*: expected $expected, got $got"; bad=1; }
  done
}

n=0
read -ra legal <<<"$small"
one ok "${legal[@]}"
while read -r line; do
  line=${line%%#*}
  case $line in *[!\ ]*) ;; *) continue ;; esac
  read -ra set <<<"$line"   # the last one is what is illegal
  all=() top=gmmu_top
  if [[ ${set[0]} = @* ]]; then
    top=${set[0]#@}
    one stops "${set[@]:1}"
    n=$((n + 1))
    continue
  fi
  for p in "${legal[@]}"; do
    case " ${set[*]%=*} " in *" ${p%=*} "*) ;; *) all+=("$p") ;; esac
  done
  one stops "${all[@]}" "${set[@]}"
  n=$((n + 1))
done < tb/elab/illegal.txt
echo "$n illegal settings in three tools: $([ $bad = 0 ] && echo all refused || echo see above)"
exit $bad
