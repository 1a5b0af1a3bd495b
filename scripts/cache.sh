# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts that build with Verilator, in the root of the tree: what differs between
# builds by its folder only (Verilator's runtime, the parts of a design that a planted bug does not
# touch) is compiled once. An OBJCACHE of the caller is respected.
if [ -z "${OBJCACHE+set}" ] && command -v ccache >/dev/null; then
  export OBJCACHE=ccache CCACHE_DIR="${CCACHE_DIR:-$PWD/build/ccache}" CCACHE_NOHASHDIR=1 \
    CCACHE_MAXSIZE=2G
fi
