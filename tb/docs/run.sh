#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# make docs: each page of docs/ is in the site under its heading and can be found by the search; a
# dead link stops it.
set -euo pipefail
cd "$(dirname "$0")/../.."
scripts/docs.sh
python3 - <<'P'
import glob, html, json, os, re, sys
bad = []
with open("build/site/search/search_index.json") as f:
    found = {d["location"].split("#")[0] for d in json.load(f)["docs"]}
pages = glob.glob("docs/*.md")
for page in pages:
    name = os.path.basename(page)[:-3].replace("README", "index") + ".html"
    with open(page) as f:
        words = re.findall(r"\w+", next(x for x in f if x.startswith("# ")))
    try:
        with open("build/site/" + name) as f:
            heading = re.search(r"<h1[^>]*>(.*?)</h1>", f.read(), re.S)
    except OSError:
        heading = None
    plain = html.unescape(re.sub("<[^>]*>", "", heading[1])) if heading else None
    shown = re.findall(r"\w+", plain) if heading else None
    if shown != words or name not in found:
        bad.append(f"{page}: heading {shown}, in the search: {name in found}")
if bad or len(pages) < 40:
    sys.exit("FAIL " + "\n".join(bad))
print(f"PASS {len(pages)} pages")
P
rm -rf build/docs-dead
cp -r docs build/docs-dead
printf '# Dead link\n\n[gone](no-such-page.md)\n' >build/docs-dead/dead.md
if scripts/docs.sh build/docs-dead dead-site >build/docs-dead.out 2>&1; then
  echo "FAIL a dead link passes"
  exit 1
fi
grep -q no-such-page build/docs-dead.out || {
  echo "FAIL another error than the dead link"
  cat build/docs-dead.out
  exit 1
}
