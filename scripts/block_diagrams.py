#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws a block diagram of each block from its elaborated RTL: docs/img/block-NAME.dot, which
scripts/pictures.py renders.

A box is an instance (grey: parts of rtl/common), a rounded box groups of ports of the block (white:
in, green: out), the dashed box the block's own logic: what it does between its instances in assigns
and always blocks. An arrow is a group of signals, those that begin alike, from what drives them to
what reads them; a signal that is only renamed, selected or concatenated on its way is followed. A
ready goes with its valid and has no arrow; clock, reset, settings (contexts, windows) and
observation are left out. Modules are found by sim/gmmu.f and their names, so code may move between
files.

usage: scripts/slang.sh --program scripts/block_diagrams.py [--check] [NAME...] (pyslang comes from
                        scripts/slang.sh)
  --check: writes nothing; names what the RTL of today draws otherwise, and exits with 1
"""

import argparse
import os
import re
import sys

import pyslang
from pyslang import ast
from pyslang.driver import Driver

import outfile
from slang import HARNESSES, ROOT, exceptions, lines

# name: module and the parameters it is drawn with.
BLOCKS = {
    "simt": ("gmmu_sm", ""),
    "top": ("gmmu_top", "NumSms=2 L2Ports=1 FillTokens=1"),
    "l1_tlb": ("gmmu_l1_tlb", "WarpCounters=1"),
    "l2_tlb": ("gmmu_l2_tlb", "FillTokens=1 BypassEntries=8 NumSms=2 Ports=1"),
    "l2tlb_lookup": ("gmmu_l2tlb_lookup", "Ports=1 BypassEntries=8"),
    "l2tlb_lookup-unified": ("gmmu_l2tlb_lookup", "Ports=1 L2Unified=1 LargeEntries=0"),
    "walker": ("gmmu_walker", "L2Unified=1 PwcEntries=64"),
    "bypass_cache": ("gmmu_bypass_cache", ""),
    "cache_bank": ("gmmu_cache_bank", ""),
    "mem_channel": ("gmmu_mem_channel", ""),
    "dram": ("gmmu_dram", ""),
    "memory": ("gmmu_memory", ""),
    "fill_tokens": ("gmmu_fill_tokens", "NumSms=2"),
    "gmmu_axi": ("gmmu_axi_core", "NumPorts=1 NumNative=1"),
    "axi_port": ("gmmu_axi_port", ""),
    "regs": ("gmmu_regs", ""),
    "l2_cache": ("gmmu_l2_cache", ""),
    "dram_sched": ("gmmu_dram_sched", ""),
    "walk_cache": ("gmmu_walk_cache", ""),
    "walk_run": ("gmmu_walk_run", ""),
    "engine": ("gmmu_engine_axi", ""),
    "coalescer": ("gmmu_coalescer", ""),
    "page_copy": ("gmmu_page_copy", ""),
    "native_port": ("gmmu_native_port", ""),
    "l2tlb_mshr": ("gmmu_l2tlb_mshr", ""),
    "axi_read": ("gmmu_axi_read", ""),
    "axi_write": ("gmmu_axi_write", ""),
}
# Not drawn: clock and reset, settings, observation, ties.
HIDDEN = re.compile(
    r"(clk|rst|ctx|win|obs|unused|sum|mxr|ext|mode)(_|$|\d)|^(ctx|win)|_on$|^cycles_i$|^ev_"
)
# Instances of a block that are not drawn, for they lead everywhere; its page names them.
LEFT_OUT = {"gmmu_sm": ("u_cfg", "u_errors")}
MOST = 4  # groups named on one arrow
# Groups of ports whose names are too short to say whose they are.
PEERS = {
    "gmmu_axi_core": {
        "s": "s: core, AXI4",
        "m": "m: memory, AXI4",
        "w": "w: PTE reads, AXI4",
        "p": "p: PTE writes, page copies, AXI4",
        "n": "n: native ports",
        "c": "c: registers, AXI4-Lite",
    },
    "gmmu_axi_port": {
        "s": "s: core, AXI4",
        "m": "m: memory, AXI4",
        "f": "f: faults",
        "req": "req: L1 TLB",
        "rsp": "rsp: L1 TLB",
    },
    "gmmu_cache_bank": {
        "t": "t: PTE reads",
        "d": "d: data",
        "tm": "tm: PTE reads to DRAM",
        "dm": "dm: data to DRAM",
        "back": "back: from DRAM",
    },
    "gmmu_mem_channel": {"t": "t: PTE reads", "d": "d: data"},
    "gmmu_dram": {"t": "t: PTE reads", "d": "d: data"},
    "gmmu_dram_sched": {"t": "t: PTE reads", "d": "d: data"},
    "gmmu_l2_cache": {
        "t": "t: PTE reads",
        "d": "d: data",
        "tm": "tm: PTE reads to DRAM",
        "dm": "dm: data to DRAM",
        "back": "back: from DRAM",
    },
    "gmmu_axi_read": {
        "s": "s: core, AXI4",
        "m": "m: memory, AXI4",
        "f": "f: faults",
        "rsp": "rsp: L1 TLB",
        "t": "t: lookups",
        "o": "o: order",
    },
    "gmmu_axi_write": {
        "s": "s: core, AXI4",
        "m": "m: memory, AXI4",
        "f": "f: faults",
        "rsp": "rsp: L1 TLB",
        "t": "t: lookups",
        "o": "o: order",
    },
    "gmmu_native_port": {"s": "s: core", "m": "m: answers", "f": "f: faults"},
    "gmmu_memory": {"t": "t: PTE reads", "d": "d: data"},
}


def compile_top(top, parameters):
    d = Driver()
    d.addStandardArgs()
    sources = [text for _, text in lines("sim/gmmu.f") if text.startswith("rtl/")] + HARNESSES.get(
        top, []
    )
    args = [
        "slang",
        "-I.",
        "-Irtl",
        "-Irtl/common",
        "-Itb/simt",
        *exceptions(),
        *sources,
        "--top",
        top,
    ]
    args += [x for p in parameters.split() for x in ("-G", p)]
    if not (d.parseCommandLine(" ".join(args)) and d.processOptions() and d.parseAllSources()):
        sys.exit(f"block_diagrams: slang does not take {top} {parameters}")
    c = d.createCompilation()
    if c.hasFatalErrors or not c.getRoot().topInstances:
        sys.exit(f"block_diagrams: no {top} {parameters}")
    return c, c.getRoot().topInstances[0]


def key(symbol, top):
    """Name of a signal of the block, the same for each element of a generate loop."""
    return re.sub(r"\[\d+\]", "", symbol.hierarchicalPath)[len(top) :].lstrip(".")


def values(expression, top):
    """Signals named in an expression."""
    found = []

    def visit(n):
        if isinstance(
            n, (ast.NamedValueExpression, ast.HierarchicalValueExpression)
        ) and n.symbol.kind in (ast.SymbolKind.Variable, ast.SymbolKind.Net):
            found.append(key(n.symbol, top))

    expression.visit(visit)
    return list(dict.fromkeys(found))


def renames(e):
    """Whether an expression only selects, concatenates or passes on."""
    bad = []

    def visit(n):
        if isinstance(
            n,
            (
                ast.BinaryExpression,
                ast.UnaryExpression,
                ast.ConditionalExpression,
                ast.CallExpression,
            ),
        ):
            if not (isinstance(n, ast.BinaryExpression) and n.constant):
                bad.append(n)

    e.visit(visit)
    return not bad


class Block:
    def __init__(self, module, parameters):
        self.module = module
        self.compilation, self.top = compile_top(module, parameters)
        self.boxes = {}  # node: (instance, module, how many)
        self.drivers, self.readers = {}, {}  # signal: nodes
        self.alias = {}  # signal: signals it is made of
        self.ports = {}  # port: direction
        for p in self.top.body.portList:
            self.ports[p.name] = "in" if p.direction == ast.ArgumentDirection.In else "out"
        self.scope(self.top.body, 1)

    def add(self, table, signal, node):
        table.setdefault(signal, [])
        if node not in table[signal]:
            table[signal].append(node)

    def scope(self, scope, times):
        for m in scope:
            kind = m.kind
            if kind == ast.SymbolKind.Instance:
                self.instance(m, times)
            elif kind == ast.SymbolKind.GenerateBlock and not m.isUninstantiated:
                self.scope(m, times)
            elif kind == ast.SymbolKind.GenerateBlockArray:
                entries = [
                    e
                    for e in m
                    if e.kind == ast.SymbolKind.GenerateBlock and not e.isUninstantiated
                ]
                for e in entries:
                    self.scope(e, times * len(entries))
            elif kind == ast.SymbolKind.ContinuousAssign:
                self.assign(m.assignment.left, m.assignment.right)
            elif kind == ast.SymbolKind.ProceduralBlock:
                self.process(m.body)

    def instance(self, m, times):
        name = key(m, self.top.hierarchicalPath)
        if name in LEFT_OUT.get(self.module, ()) or name.split(".")[-1] == "u_obs":
            return
        node = "i_" + re.sub(r"\W", "_", name)
        self.boxes[node] = (name.split(".")[-1], m.definition.name, times)
        for c in m.portConnections:
            if c.expression is None or HIDDEN.search(c.port.name):
                continue
            e = c.expression
            out = c.port.direction != ast.ArgumentDirection.In
            if out and isinstance(e, ast.AssignmentExpression):
                e = e.left
            for s in values(e, self.top.hierarchicalPath):
                self.add(self.drivers if out else self.readers, s, node)

    def assign(self, left, right):
        into, of = values(left, self.top.hierarchicalPath), values(right, self.top.hierarchicalPath)
        if renames(right) and of:
            for s in into:
                self.alias.setdefault(s, []).extend(of)
            return
        for s in into:
            self.add(self.drivers, s, "own")
        for s in of:
            self.add(self.readers, s, "own")

    def process(self, body):
        def visit(n):
            if isinstance(n, ast.AssignmentExpression):
                for s in values(n.left, self.top.hierarchicalPath):
                    self.add(self.drivers, s, "own")
                for s in values(n.right, self.top.hierarchicalPath):
                    self.add(self.readers, s, "own")
            elif isinstance(n, ast.ConditionalStatement):
                for c in n.conditions:
                    for s in values(c.expr, self.top.hierarchicalPath):
                        self.add(self.readers, s, "own")

        body.visit(visit)

    def sources(self, signal, seen=()):
        """(node, signal as its driver calls it)"""
        out = [(n, signal) for n in self.drivers.get(signal, [])]
        if self.ports.get(signal) == "in":
            out.append(("port", signal))
        for s in self.alias.get(signal, []):
            if s not in seen:
                out += self.sources(s, (*seen, signal))
        return out

    def arrows(self):
        """{(from, to): {group: signals}}"""
        found = {}
        for signal in dict.fromkeys(
            [*self.readers, *(p for p, d in self.ports.items() if d == "out")]
        ):
            ends = list(self.readers.get(signal, []))
            if self.ports.get(signal) == "out":
                ends.append("port")
            for source, name in self.sources(signal):
                for end in ends:
                    if source != end:
                        label = (signal if end == "port" else name).split(".")[-1]
                        if not HIDDEN.search(label):
                            found.setdefault((source, end), []).append(label)
        return {k: dict.fromkeys(v) for k, v in found.items()}


def group(signal):
    """Signals that begin alike belong together: req of req_valid_i."""
    s = re.sub(r"(_i|_o|_d|_q|_n)$", "", signal)
    parts = s.split("_")
    return parts[0] if len(parts) > 1 else s


def is_ready(signal):
    return re.search(r"(ready|_take)(_[io])?$", signal) is not None


def text(names):
    shown = list(names)
    return "\\n".join(
        shown[:MOST] + ([f"and {len(shown) - MOST} more"] if len(shown) > MOST else [])
    )


def dot(name, module, parameters):
    b = Block(module, parameters)
    common = {
        m
        for m in (
            os.path.basename(t)[:-3] for _, t in lines("sim/gmmu.f") if t.startswith("rtl/common/")
        )
    }
    out = [
        f"// Generated by scripts/block_diagrams.py from {module}"
        + (f" ({parameters})" if parameters else "")
        + ".",
        "// SPDX-License-Identifier: Apache-2.0",
        f'digraph "{name}" {{',
        '  rankdir=LR; nodesep=0.25; ranksep=0.7; fontname="Helvetica"; fontsize=12; '
        "bgcolor=white; pad=0.2;",
        '  node [fontname="Helvetica", fontsize=11, shape=box, style=filled, '
        'fillcolor="#dce9f7", color="#28527a", margin="0.12,0.07"];',
        '  edge [fontname="Helvetica", fontsize=9, color="#555555", fontcolor="#333333", '
        "arrowsize=0.7];",
    ]
    used, edges, outside = set(), [], {}
    for (a, z), signals in b.arrows().items():
        groups = dict.fromkeys(group(s) for s in signals if not is_ready(s))
        if not groups:
            continue
        if "port" in (a, z):
            for g in groups:
                end = z if a == "port" else a
                outside.setdefault((a == "port", end), []).append(g)
            used.add(z if a == "port" else a)
            continue
        used |= {a, z}
        edges.append(f'  {a} -> {z} [label="{text(groups)}"];')
    for node, (instance, mod, times) in b.boxes.items():
        if node in used:
            colour = ', fillcolor="#eeeeee", color="#888888"' if mod in common else ""
            count = f" x {times}" if times > 1 else ""
            out.append(f'  {node} [label="{instance}{count}\\n{mod}"{colour}];')
    if "own" in used:
        out.append(
            f'  own [label="logic of\\n{module}", style="filled,dashed", '
            f'fillcolor="#fff6dd", color="#a07000"];'
        )
    ends = {}
    for (into, end), groups in outside.items():
        if end != "port":
            ends.setdefault((into, tuple(groups)), []).append(end)
    for n, ((into, groups), nodes) in enumerate(ends.items()):
        p = f"p{n}"
        named = [PEERS.get(module, {}).get(g, g) for g in groups]
        out.append(
            f"  {p} [label=\"{text(named)}\", style=\"filled,rounded\", "
            f"fillcolor={'white' if into else chr(34) + '#e4f3e4' + chr(34)}, "
            "color=\"#2f7d4f\", fontsize=10, margin=\"0.08,0.04\"];"
        )
        for end in nodes:
            edges.append(f"  {p} -> {end};" if into else f"  {end} -> {p};")
    return "\n".join(out + edges) + "\n}\n"


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--check", action="store_true")
    ap.add_argument("names", nargs="*", choices=[*BLOCKS, []])
    a = ap.parse_args()
    os.chdir(ROOT)
    stale = []
    for name in a.names or BLOCKS:
        path, content = f"docs/img/block-{name}.dot", dot(name, *BLOCKS[name])
        if not os.path.exists(path) or open(path).read() != content:
            stale.append(path)
            if not a.check:
                outfile.write(os.path.join(ROOT, path), content)
    for path in stale:
        print(f"block_diagrams: {path} " + ("is older than the RTL" if a.check else "written"))
    return 1 if a.check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
