#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# build.sh OUT.elf PROGRAM.c [-DNAME=VALUE ...]: a program of the SIMT core with the ActivePointers
# library, by Debian's riscv64-unknown-elf-gcc. No optimisation may copy a vote or shuffle into both
# ways of a branch: its lanes would part.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
lib=${LIB:-$here/lib}
out=$1 program=$2
shift 2
command -v riscv64-unknown-elf-gcc >/dev/null || "$here/../../scripts/setup.sh" only simt
flags=(-march=rv32ima_zicsr -mabi=ilp32 -ffreestanding -nostdlib -O2 -std=gnu11
  -Wall -Wextra -Werror -fno-jump-tables -mno-relax -msmall-data-limit=0 -fno-thread-jumps
  -fno-split-paths -fno-tree-dominator-opts -fno-tree-loop-distribute-patterns
  -fno-reorder-blocks -fno-crossjumping
  -I"$lib" -I"$here/../../c_model/simt" "$@")
obj=$(mktemp -d)
trap 'rm -rf "$obj"' EXIT
mkdir -p "$(dirname "$out")"
for f in "$lib"/*.S "$lib"/*.c "$program"; do
  riscv64-unknown-elf-gcc "${flags[@]}" -c "$f" -o "$obj/$(basename "${f%.*}").o"
done
# gread is of those that call it only
riscv64-unknown-elf-ar rcs "$obj/libgread.a" "$obj/ap_gread.o"
rm "$obj/ap_gread.o"
riscv64-unknown-elf-gcc "${flags[@]}" -T "$lib/simt.ld" "$obj"/*.o "$obj/libgread.a" -lgcc \
  -o "$out.$$"
mv "$out.$$" "$out"
