#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Instances of elaborated designs, by slang.

usage: instances.py < JSON       (under scripts/slang.sh --program)

JSON: a list of designs, {"top": module, "files": [...], "include": [folder...], "parameters":
["NAME=VALUE"...]}. Prints a list with, for each, its instances in pre-order: [path, path of the
parent or null, module, {parameter: value}]; parameters that can be set, not the local ones."""

import json
import sys

import pyslang.ast as ast
from pyslang.driver import Driver


def instances(design):
    d = Driver()
    d.addStandardArgs()
    args = ["slang", *(f"-I{i}" for i in design["include"]), *design["files"]]
    args += ["--top", design["top"], *(x for p in design["parameters"] for x in ("-G", p))]
    if not (d.parseCommandLine(" ".join(args)) and d.processOptions() and d.parseAllSources()):
        sys.exit("instances: slang refuses: " + " ".join(args))
    found = []

    def walk(scope, parent):
        for s in scope:
            if s.kind == ast.SymbolKind.Instance:
                values = {
                    p.name: str(p.value)
                    for p in s.body.parameters
                    if p.kind == ast.SymbolKind.Parameter and not p.isLocalParam
                }
                if "<unset>" in values.values():  # an include that is missing, say
                    sys.exit(f"instances: {s.hierarchicalPath}: parameters without a value")
                found.append((s.hierarchicalPath, parent, s.definition.name, values))
                walk(s.body, s.hierarchicalPath)
            elif s.kind in (ast.SymbolKind.GenerateBlock, ast.SymbolKind.GenerateBlockArray):
                if not getattr(s, "isUninstantiated", False):
                    walk(s, parent)
            elif s.kind == ast.SymbolKind.InstanceArray:
                walk(s, parent)

    compilation = d.createCompilation()
    walk(compilation.getRoot().topInstances, None)
    if not found:
        sys.exit(f"instances: no module {design['top']}")
    return found


def main():
    json.dump([instances(x) for x in json.load(sys.stdin)], sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main())
