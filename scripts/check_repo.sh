#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Checks of the tree itself; one line per problem, exit 1 if there is one.
set -uo pipefail
cd "$(dirname "$0")/.."
bad=0
problem() { echo "check_repo: $1"; bad=1; }
# Files of the tree that match the patterns, new ones included; also where there is no git, as in an
# archive.
files() {
  if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    git ls-files --cached --others --exclude-standard -- "$@"
  else
    local p
    for p in "$@"; do
      find . -path ./build -prune -o -type f \( -name "$p" -o -path "./$p" \) -print |
        sed 's,^\./,,'
    done
  fi
}

# Every RTL file is in the list of files, and the list has only files that exist.
list=$(grep '^rtl/' sim/gmmu.f)
for f in $list; do [ -e "$f" ] || problem "$f is listed but missing"; done
for f in rtl/*.sv rtl/*/*.sv; do grep -qx "$f" sim/gmmu.f || problem "$f is not in sim/gmmu.f"; done

# Every bench is run by some list of tests.
for f in tb/*/run.sh tb/*/run.py; do
  [ ! -e "$f" ] || grep -qE "^[^#].* ${f//./\\.} " tb/tests.list sim/regress.list sim/seeds.list ||
    problem "$f is in no list of tests"
done

# SPDX lines; what is run by its name is executable; every block (not the common parts) is named in
# the docs.
files '*.sv' '*.svh' '*.c' '*.h' '*.cpp' '*.py' '*.sh' '*.def' '*.vlt' '*.core' Makefile .ci/run \
  '*.md' | python3 -c '
import glob, os, re, sys
bad = []
names = [n for n in sys.stdin.read().split("\n") if os.path.exists(n) and n]
text = {}
for n in names:
    with open(n, encoding="utf-8", errors="replace") as f:
        text[n] = f.read()
for n, t in text.items():
    if n.endswith(".md"):
        continue
    if "SPDX-License-Identifier: Apache-2.0" not in "\n".join(t.split("\n")[:5]):
        bad.append(f"{n} has no SPDX line")
    if n.endswith((".sh", ".py", ".ci/run")) and t.startswith("#!") and not os.access(n, os.X_OK):
        bad.append(f"{n} is not executable")
docs = set(re.findall(r"\w+", "".join(t for n, t in text.items() if n.startswith("docs/"))))
for f in sorted(glob.glob("rtl/*/*.sv")):
    if not f.startswith("rtl/common/") and os.path.basename(f)[:-3] not in docs:
        bad.append(f"{f} is on no page of docs/")
for b in bad:
    print("check_repo:", b)
sys.exit(bool(bad))' || bad=1

# RTL outside the common subset of the tools (docs/rtl-subset.md).
outside='^\s*import\s+[a-z_]+::|\binterface\b|\bunion\s+packed|\breturn\b|\bbreak\b|\bcontinue\b'
outside+="|\\binside\\b|\\bint unsigned\\b|parameter type|'\\{"
hits=$(grep -nE "$outside" rtl/*.sv rtl/*/*.sv rtl/*.svh | grep -vE ':[0-9]+:\s*//' || true)
[ -z "$hits" ] || problem "outside the SystemVerilog subset: $hits"
hits=$(grep -nE '\[[^]$]*\b[a-z_]+\([^]]*\] *<= ' rtl/*.sv rtl/*/*.sv || true)
[ -z "$hits" ] || problem "Verilator 5.032 takes no function in the index of what is written: $hits"
scripts/params.py --check || problem "what scripts/params.py writes is stale"
scripts/version.py --check || problem "what says the version is not what CHANGELOG.md says"
scripts/obs.py --check || problem "what scripts/obs.py writes is stale"
scripts/regs.py --check || problem "what scripts/regs.py writes is stale"
scripts/filelists.py --check || problem "a list of files is stale"
scripts/ports.py --check || problem "what scripts/ports.py writes is stale"
scripts/workflow_pages.py --check ||
  problem "docs/results-mask.md, -mosaic.md, -mesc.md or docs/results.md is not what its data gives"
scripts/run_apointers.py --check || problem "docs/results-apointers.md is not what its data gives"
scripts/run_gdm.py page || problem "docs/results-gdm.md is not what its data gives"
scripts/area.py --check || problem "docs/area.md is not what its data gives"
scripts/links.py || problem "links that lead nowhere"
scripts/blocks.py --check ||
  problem "docs/blocks.md is stale, or a block has a hole without a reason"
# With its libraries each picture is rendered again; without them (77) the hashes in it say whether
# it is what it was made of.
scripts/pictures.sh --check >build/pictures.check
status=$?
if [ $status = 77 ]; then
  scripts/pictures.py --check >build/pictures.check
  status=$?
fi
[ $status = 0 ] || { cat build/pictures.check; problem "pictures"; }
# `make test SLOW=4` gives SLOW to every script and make below it.
! git grep -nE '\$[{(]?(SLOW|SHARD|JUNIT|FRESH)\b' -- scripts tb ||
  problem "a script reads a variable that belongs to the Makefile"
[ "$(wc -l <README.md)" -lt 100 ] || problem "README.md has 100 lines or more"
scripts/page_age.py | sed 's/^page_age:/warning:/'
scripts/house.py --check || problem "files or lines longer than scripts/house.py allows"
scripts/layers.py ||
  problem "an arrow between folders of c_model/ that c_model/layers.txt does not allow"
scripts/mutants.py --check || problem "planted bugs whose text is gone"
scripts/formal.py --check || problem "planted bugs of the proofs whose text is gone"
exit $bad
