#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# docs.sh [FOLDER [NAME]]: the pages of FOLDER (docs) as a static site with search, by MkDocs:
# build/NAME/index.html (site). The search needs a server: python3 -m http.server -d build/site. A
# link between pages that leads nowhere is an error.
set -euo pipefail
cd "$(dirname "$0")/.."
command -v mkdocs >/dev/null || { echo "docs: no mkdocs (scripts/setup.sh docs)" >&2; exit 1; }
from=${1:-docs} name=${2:-site}
src=build/$name-src
rm -rf "$src" "build/$name"
mkdir -p build
cp -r "$from" $src
cp CONTRIBUTING.md CHANGELOG.md $src/
cp README.md $src/about.md
# Links out of docs/ : the three pages of the root are beside the others here; files of the tree are
# named, not linked.
for f in $src/*.md; do
  sed -i -E -e 's,\]\(\.\./README\.md,](about.md,g' \
    -e 's,\]\(\.\./(CONTRIBUTING|CHANGELOG)\.md,](\1.md,g' \
    -e 's,\]\(docs/([^)]*)\),](\1),g' -e 's,\]\(docs/\),](README.md),g' \
    -e 's,\[([^]]*)\]\(\.\./([^)]*)\),\1 (`\2`),g' "$f"
done
cat >"build/$name.yml" <<X2
site_name: gmmu
docs_dir: $name-src
site_dir: $name
use_directory_urls: false
theme: readthedocs
plugins: [search]
X2
mkdocs build --strict --config-file "build/$name.yml" 2>&1 |
  { grep -E 'WARNING|ERROR|Aborted' >&2 || true; }
echo "docs: $(find "build/$name" -name '*.html' | wc -l) pages, build/$name/index.html"
