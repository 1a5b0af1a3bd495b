#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Runs a command on a clone of this tree's last commit in a bare Debian: bare.sh SUITE COMMAND...,
# `bare.sh trixie make test`. The Debian is made for it (debootstrap, minbase and make) in
# build/bare/SUITE, and removed at the end, also when it fails (KEEP=1: not). It shares the network
# and /dev with this machine, and its environment. Needs root and debootstrap: without them it ends
# with 77, a skip. Its status is that of the command.
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# -ge 2 ] || { echo "usage: bare.sh SUITE COMMAND..." >&2; exit 2; }
suite=$1
shift
skip() { echo "skipped: bare.sh $suite: $1"; exit 77; }
[ "$(id -u)" = 0 ] || skip "not root"
command -v debootstrap >/dev/null || skip "no debootstrap (apt install debootstrap)"
case $suite in *[!a-z]*) echo "bare.sh: no name of a Debian: $suite" >&2; exit 2 ;; esac
dir=$PWD/build/bare/$suite log=$PWD/build/bare/$suite.log
remove() {
  local m p
  # what a broken-off run left in the tree would go on there
  for p in /proc/[0-9]*; do
    [ "$(readlink "$p/root" 2>/dev/null)" != "$dir" ] || kill -9 "${p#/proc/}" 2>/dev/null || true
  done
  for m in dev/pts dev proc; do ! mountpoint -q "$dir/$m" || umount -l "$dir/$m"; done
  rm -rf --one-file-system "$dir"
}
remove
[ -n "${KEEP:-}" ] || trap remove EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
mkdir -p "$dir"
echo "a bare Debian $suite"
debootstrap --variant=minbase --include=make "$suite" "$dir" >"$log" 2>&1 ||
  { tail -3 "$log" >&2; echo "bare.sh: debootstrap failed, see $log" >&2; exit 1; }
mount -t proc proc "$dir/proc"
mount --bind /dev "$dir/dev"
mount --bind /dev/pts "$dir/dev/pts"
cp /etc/resolv.conf "$dir/etc/resolv.conf"
git clone -q -c advice.detachedHead=false . "$dir/gmmu"
status=0
# beside it, so that a signal is not put off until it ends
chroot "$dir" /bin/bash -c 'cd /gmmu && "$@"' bare "$@" </dev/null &
wait $! || status=$?
echo "$suite: $* ended with $status"
exit $status
