#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# pictures.sh ...: scripts/pictures.py with the libraries of scripts/requirements-docs.txt
# (scripts/venv.sh).
exec "$(dirname "$0")/venv.sh" pictures requirements-docs.txt wavedrom,matplotlib \
  scripts/pictures.py "$@"
