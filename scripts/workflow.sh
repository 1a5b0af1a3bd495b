#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# workflow.sh PLAN [OUT [SNAKEMAKE'S OPTION...]]: the results of a plan (scripts/workflow_plan.py)
# by sim/results/Snakefile, into OUT (build/reports/workflow): PLAN.csv, PLAN.html, and runs/, which
# are not done again. Snakemake and matplotlib from PyPI as scripts/requirements-results.txt says;
# where they cannot be had: exit 77. SLURM=N: traces and runs are jobs of a Slurm cluster that
# shares this folder, at most N of them at a time; Snakemake itself stays here.
set -euo pipefail
cd "$(dirname "$0")/.."
plan=${1:?usage: workflow.sh PLAN [OUT [OPTION...]]}
out=$(realpath -m "${2:-build/reports/workflow}")
shift $(($# < 2 ? $# : 2))
mkdir -p "$out"
# No lock: files appear whole, so that a second workflow does no harm and a killed one leaves none.
where=(--cores "${JOBS:-2}")
[ -z "${SLURM:-}" ] || where=(--executor slurm --jobs "$SLURM" --slurm-status-command squeue
  --slurm-init-seconds-before-status-checks 10
  --default-resources mem_mb=1000 runtime=120 --latency-wait 60)
exec scripts/venv.sh workflow requirements-results.txt snakemake,matplotlib -m snakemake \
  --snakefile sim/results/Snakefile --directory "$out" "${where[@]}" \
  --config plan="$plan" out="$out" --rerun-triggers mtime --rerun-incomplete --nolock \
  --quiet host reason rules --keep-going "$@"
