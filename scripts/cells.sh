#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# cells.sh: prints the folder of the OSU 0.18 um cell library (qflow-tech-osu018), or exits with 77,
# which the test runner counts as a skip. cells.sh fetch: on a Debian without that package, takes it
# from Debian 12's archive into build/cells/: apt checks the archive's signature; nothing is
# installed. Where the archive cannot be reached it says so and exits with 0.
set -eu
cd "$(dirname "$0")/.."
package=qflow-tech-osu018
kept=build/cells
for d in /usr/share/qflow/tech/osu018 $kept/usr/share/qflow/tech/osu018; do
  [ ! -s "$d/osu018_stdcells.lib" ] || [ ! -s "$d/osu018_stdcells.v" ] || { echo "$d"; exit 0; }
done
if [ "${1:-}" != fetch ]; then
  echo "skipped: no cell library; $package is in Debian 12," \
    "elsewhere scripts/setup.sh synth fetches it"
  exit 77
fi

echo "setup: fetching the cell library from the archive of Debian 12" >&2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/etc"
mirror=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI)' | sed -n 's/^Debian //p' |
  grep -v security | head -n 1)
keys=/usr/share/keyrings/debian-archive-keyring.gpg
[ -e $keys ] || keys=/usr/share/keyrings/debian-archive-keyring.pgp
echo "deb [signed-by=$keys] ${mirror:-http://deb.debian.org/debian} bookworm main" >"$work/etc/list"
chmod -R a+rX "$work"   # apt reads and fetches as its own user
[ "$(id -u)" != 0 ] ||
  chown -R _apt "$work/lists/partial" "$work/cache/archives/partial" 2>/dev/null || true
apt() {
  apt-get -q -o Dir::Etc::SourceList="$work/etc/list" -o Dir::Etc::SourceParts=- \
    -o Dir::State::Lists="$work/lists" -o Dir::Cache="$work/cache" -o Acquire::Languages=none \
    -o APT::Sandbox::User=root -o Acquire::Retries=2 "$@"
}
fetch() { apt update -o APT::Update::Error-Mode=any && cd "$work" && apt download $package; }
if ! fetch >"$work/log" 2>&1; then
  grep -E '^(E|W):' "$work/log" | head -n 3 >&2 || true
  echo "setup: no cell library: tests that need one are skipped" >&2
  exit 0
fi
cd "$OLDPWD"
mkdir -p build
dpkg-deb -x "$work"/${package}_*.deb "$work/tree"
rm -rf $kept
cp -r "$work/tree" $kept
