#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Verilates and compiles: verilate.sh DIR TOP WHAT ARGUMENTS... (of Verilator; FAST, GLOBAL: g++
# options of what runs in each cycle, of Verilator's runtime). WHAT: what make makes in DIR. The C++
# sources among the arguments are compiled as one file, at -O1 what Verilator wrote eight by eight:
# half of the time of single ones goes into Verilator's headers. No variable of the Makefile is read
# here: `make test SLOW=4` gives them to all that it starts.
set -euo pipefail
dir=$1 top=$2 what=$3
shift 3
. scripts/cache.sh
arguments=() sources=()
for a in "$@"; do
  case $a in *.cpp) sources+=("$a") ;; *) arguments+=("$a") ;; esac
done
mkdir -p "$dir"
one() { # NAME FILE...: NAME.cpp, left as it is if it says the same; the file is named in full
  local name=$1 text
  shift
  text=$(printf '#include "%s"\n' "$@")
  [ "$text" = "$(cat "$dir/$name.cpp" 2>/dev/null)" ] || echo "$text" >"$dir/$name.cpp"
}
all=()
if [ ${#sources[@]} != 0 ]; then
  one all_sources "${sources[@]}"
  all=("$(realpath "$dir")/all_sources.cpp")
fi
anew=
[ -z "${GMMU_COVERAGE_REACHED:-}" ] || anew=--no-skip-identical # what was taken out comes back
verilator --cc --Mdir "$dir" --top-module "$top" $anew "${arguments[@]}" "${all[@]}"
[ -z "$anew" ] || scripts/coverage_less.py "$dir" "$GMMU_COVERAGE_REACHED"
joined=() less=
if [ "${FAST:=-O2}" = -O1 ]; then # a large design at -O3 is made sooner in parts
  # a quarter of g++'s time for a tenth of the run's
  less="-fno-tree-fre -fno-tree-dse -fno-tree-dominator-opts -fno-tree-ccp -fno-tree-sra"
  classes() { # FAST or SLOW: those that Verilator wrote
    make -s --no-print-directory -C "$dir" -f - <<<"include V${top}_classes.mk
all: ; @echo \$(VM_CLASSES_$1:%=%.cpp) \$(VM_SUPPORT_$1:%=%.cpp)"
  }
  for kind in FAST SLOW; do
    names= i=0
    read -ra files <<<"$(classes $kind)"
    while [ $((8 * i)) -lt ${#files[@]} ]; do
      one "all_$kind$i" "${files[@]:8*i:8}"
      names+=" all_$kind$i" i=$((i + 1))
    done
    joined+=("VM_CLASSES_$kind=$names" "VM_SUPPORT_$kind=")
  done
fi
make -C "$dir" -f "V$top.mk" -j 2 "${joined[@]}" OPT_FAST="$FAST $less" OPT_SLOW=-O0 \
  ${GLOBAL:+OPT_GLOBAL="$GLOBAL"} "$what"
