#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ap.sh [ROUNDS [SEED]]: ActivePointers as machine code of the SIMT core, on its simulator: rules by
# hand, GPUfs's gread, races and random lists, in four builds (form, prefetch), each without TLB and
# with two. LIB=DIR:
# another copy of tb/simt/lib (planted bugs).
set -euo pipefail
cd "$(dirname "$0")/../.."
export ROUNDS=${1:-9} SEED=${2:-1}
command -v riscv64-unknown-elf-gcc >/dev/null || scripts/setup.sh only simt
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
make -s build/lib/libgmmu.a
for t in script calls rules races; do
  gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror -O2 -g -Ic_model/include -Ic_model \
    "tb/simt/test/ap_$t.c" build/lib/libgmmu.a -lcmocka -o "$out/ap_$t"
done
for short in 0 1; do
  for prefetch in 0 1; do
    form=$([ $short = 1 ] && echo short || echo long)
    echo "form $form, prefetch $prefetch; again: tb/simt/ap.sh $ROUNDS $SEED"
    tb/simt/build.sh "$out/script.elf" tb/simt/prog/script.c \
      -DAP_VERIFY=1 -DAP_SHORT=$short -DAP_PREFETCH=$prefetch
    for t in races rules calls script; do
      SIMT_FORM=$form SIMT_PROGRAM=$out/script.elf "$out/ap_$t" 2>&1 | tee "$out/log" |
        grep -vE '^\[ (RUN|      OK)' || true
      # not as a list that ends in "! grep": set -e lets its failure pass
      if grep -q FAILED "$out/log" || ! grep -q '\[  PASSED  \] [1-9]' "$out/log"; then exit 1; fi
    done
  done
done
