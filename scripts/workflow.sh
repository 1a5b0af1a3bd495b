#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# workflow.sh PLAN [OUT [SNAKEMAKE'S OPTION...]]: the results of a plan (scripts/workflow_plan.py)
# by sim/results/Snakefile, into OUT (build/reports/workflow): PLAN.csv, PLAN.html, and runs/, which
# are not done again. Snakemake and matplotlib from PyPI as scripts/requirements-results.txt says;
# where they cannot be had: exit 77.
set -euo pipefail
cd "$(dirname "$0")/.."
plan=${1:?usage: workflow.sh PLAN [OUT [OPTION...]]}
out=$(realpath -m "${2:-build/reports/workflow}")
shift $(($# < 2 ? $# : 2))
mkdir -p "$out"
# No lock: files appear whole, so that a second workflow does no harm and a killed one leaves none.
exec scripts/venv.sh workflow requirements-results.txt snakemake,matplotlib -m snakemake \
  --snakefile sim/results/Snakefile --directory "$out" --cores "${JOBS:-2}" \
  --config plan="$plan" out="$out" --rerun-triggers mtime --rerun-incomplete --nolock \
  --keep-going --quiet host reason rules "$@"
