#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Every line of tb/elab/illegal.txt stops elaboration in all three tools, by a trap of the RTL; the
# legal defaults do not. A line of gmmu_top's parameters, or @module and its own, and behind # the
# trap that refuses it: Icarus names this one, as slang does (scripts/slang.py); Verilator and Yosys
# end at the first of several, Verilator with 0 and Yosys with a range also before them.
# run.sh turns: each line in one of the three tools, in turn.
set -uo pipefail
cd "$(dirname "$0")/../.."
mkdir -p build/elab
files=$(grep '^rtl/' sim/gmmu.f) libs=()
turns=${1:-}
case $turns in "" | turns) ;; *) echo "run.sh: $turns: turns, or nothing" >&2; exit 2 ;; esac
for d in rtl rtl/*/; do libs+=(-y "${d%/}"); done     # what a top needs, not all of rtl/ each time
small="NumSms=2 L1BaseEntries=4 L1LargeEntries=4 L2LargeEntries=4 L2Entries=64 L1Mshrs=2 L2Mshrs=8"
small+=" Walks=8 TagW=2"
# What a tool says of a trap: an instance of a module that does not exist.
traps=$(grep -ohE 'gmmu_\w+ +u_bad' rtl/*.sv rtl/*/*.sv rtl/*/*.svh | sed 's/ .*//' | sort -u)
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
      # All of rtl/: Icarus 11 crashes where a file that it looks for itself includes a macro.
      iverilog -g2012 -o build/elab/x.vvp -Irtl -Irtl/common $files -s $top "${args[@]}" ;;
    yosys) # which reads no negative decimal
      for p in "$@"; do
        args+=(-chparam "${p%=*}")
        case $p in
          *=-*) args+=("$(printf "32'h%x" $((${p#*=} & 0xffffffff)))") ;;
          *) args+=("${p#*=}") ;;
        esac
      done
      scripts/yosys.sh -q -p "read_verilog -defer -sv -Irtl -Irtl/common $(echo $files); \
        hierarchy -check ${args[*]} -top $top" ;;
  esac >"build/elab/$tool.out" 2>&1 </dev/null
}

one() { # expected: the trap, or ok; parameters...
  local expected=$1 tools=(verilator iverilog yosys); shift
  [ -z "$turns" ] || [ "$expected" = ok ] || tools=("${tools[$((n % 3))]}")
  for tool in "${tools[@]}"; do
    elaborate "$tool" "$@" && got=ok ||
      got=$(grep -owF "$traps" "build/elab/$tool.out" | sort -u | paste -sd" ")
    # A width or a number of 0 Verilator 5.006 may stumble over before it comes to the trap.
    case $tool,${*: -1} in verilator,*=0) [ -n "$got" ] || continue ;; esac
    # Yosys may come first to a signal that is too narrow for what the trap refuses.
    [ "$tool,$got" != yosys, ] || ! grep -q "^ERROR: Range .* out of bounds" build/elab/yosys.out ||
      continue
    case " $got " in *" $expected "*) named[$tool]=$((${named[$tool]} + 1)); continue ;; esac
    case $tool,$expected,$got in
      iverilog,* | *,ok,* | *,*,ok | *,*,) ;;
      *) continue ;;
    esac
    echo "$tool, $*: expected $expected, got ${got:-an end without a trap}"
    bad=1
  done
}

n=0
declare -A named=([verilator]=0 [iverilog]=0 [yosys]=0)   # lines whose own trap the tool names
read -ra legal <<<"$small"
one ok "${legal[@]}"
named=([verilator]=0 [iverilog]=0 [yosys]=0)
while read -r line; do
  trap=${line##*# }
  line=${line%%#*}
  case $line in *[!\ ]*) ;; *) continue ;; esac
  read -ra set <<<"$line"   # the last one is what is illegal
  all=() top=gmmu_top
  if [[ ${set[0]} = @* ]]; then
    top=${set[0]#@}
    one "$trap" "${set[@]:1}"
    n=$((n + 1))
    continue
  fi
  for p in "${legal[@]}"; do
    case " ${set[*]%=*} " in *" ${p%=*} "*) ;; *) all+=("$p") ;; esac
  done
  one "$trap" "${all[@]}" "${set[@]}"
  n=$((n + 1))
done < tb/elab/illegal.txt
echo "$n illegal settings in ${turns:+one of }three tools:" \
  "$([ $bad = 0 ] && echo all refused || echo see above);" \
  "by the trap of the line: Icarus ${named[iverilog]}, Verilator ${named[verilator]}," \
  "Yosys ${named[yosys]}"
exit $bad
