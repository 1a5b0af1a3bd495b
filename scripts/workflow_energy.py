# SPDX-License-Identifier: Apache-2.0
"""Translation energy of runs (docs/energy.md): what sim/results/energy.txt says of an access of
each structure, times the accesses that a run counted; a range over what is assumed.

Counted as in MESC, section VI-D: lookups, fills and reads from memory, no leakage, no clock.
"""

import collections
import itertools
import math
import os
import re
import statistics

import workflow_plan

PATH = os.path.join(workflow_plan.ROOT, "sim/results/energy.txt")
# What is priced (docs/energy.md): event: (what its energy is the sum of, its count in a run).
EVENTS = {
    "per-CU TLB": [
        ("l1 lookup", lambda r: r["l1_lookups"]),
        ("l1 fill", lambda r: r["l1_fills"]),
        ("l1 large lookup", lambda r: r["l1_lookups"] if large(r) else 0),
    ],
    "shared TLB": [
        ("l2 lookup", lambda r: r["l2_lookups_regular"]),
        ("l2 fill", lambda r: r["l2_fills_regular"]),
        ("l2 large lookup", lambda r: r["l2_lookups_regular"] if large(r) else 0),
    ],
    "its subregion entries": [
        ("subregion lookup", lambda r: r["l2_lookups_subregion"]),
        ("subregion fill", lambda r: r["l2_fills_subregion"]),
    ],
    "MSC": [
        ("msc lookup", lambda r: r["msc_lookups"]),
        ("msc fill", lambda r: r["msc_insertions"]),
    ],
    "page walk cache": [
        ("pwc lookup", lambda r: r["pwc_probes"]),
        ("pwc fill", lambda r: r["pwc_insertions"]),
    ],
    "PTE reads, L2 cache": [("cache read", lambda r: r["pte_cache_reads"])],
    "PTE reads, DRAM": [("dram", lambda r: r["pte_columns"])],
}
COLUMN_BITS = 512  # 64 bytes a column of the DRAM (docs/dram_ctrl.md)
NAMES = [e for events in EVENTS.values() for e, _ in events if e != "dram"]
SCALE, PER_BIT = "scale", "dram bit"
KEYS = [f"{n} {part}" for n in NAMES for part in ("array", "logic")] + [SCALE, PER_BIT]


def large(r):
    """Arrays of large pages are looked up beside those of base pages."""
    return r["preset"] == "thp"


class Energies:
    """The table: {name: (low, high)}, names by what they depend on (all low or all high together),
    and its lines."""

    def __init__(self, path=PATH, text=None):
        self.of, self.groups, self.lines = {}, {}, []
        if text is None:
            with open(path) as f:
                text = f.read()
        for n, line in enumerate(text.splitlines(), 1):
            part = [p.strip() for p in line.partition("#")[0].split("|")]
            if part == [""]:
                continue
            if len(part) != 6 or not all(part):
                raise SystemExit(f"{path}:{n}: expected: name | unit | low | high | with | source")
            name, unit, *bounds, group, source = part
            if name not in KEYS:
                raise SystemExit(f"{path}:{n}: nothing is named '{name}'")
            if name in self.of:
                raise SystemExit(f"{path}:{n}: '{name}' is there twice")
            if not all(re.fullmatch(r"\d+(\.\d+)?", b) for b in bounds):
                raise SystemExit(f"{path}:{n}: low and high are numbers")
            low, high = map(float, bounds)
            if not low <= high:
                raise SystemExit(f"{path}:{n}: low is above high")
            self.of[name] = low, high
            self.groups.setdefault(group, []).append(name)
            self.lines.append((name, unit, bounds[0], bounds[1], group, source))
        for name in (SCALE, PER_BIT):
            if name not in self.of:
                raise SystemExit(f"{path}: '{name}' is missing")
        for n in NAMES:
            if not {f"{n} array", f"{n} logic"} & set(self.of):
                raise SystemExit(f"{path}: nothing says what '{n}' takes")

    def corners(self):
        """All choices: one of low and high for each group; {name: value} of each."""
        names = list(self.groups)
        for ends in itertools.product((0, 1), repeat=len(names)):
            end = {x: e for g, e in zip(names, ends) for x in self.groups[g]}
            yield {x: v[end[x]] for x, v in self.of.items()}

    def middle(self):
        """The geometric mean of each pair."""
        return {x: math.sqrt(a * b) for x, (a, b) in self.of.items()}

    def pj(self, values):
        """{event: pJ} for one choice."""
        out = {
            n: values.get(f"{n} array", 0) + values.get(f"{n} logic", 0) * values[SCALE]
            for n in NAMES
        }
        out["dram"] = COLUMN_BITS * values[PER_BIT]
        return out


def spent(r, pj, all_dram=False):
    """{structure: pJ} of a run; all_dram: every PTE read goes to the DRAM, none to the cache."""
    if all_dram:
        r = {**r, "pte_cache_reads": 0, "pte_columns": r["pte_cache_reads"]}
    return {s: sum(count(r) * pj[e] for e, count in events) for s, events in EVENTS.items()}


Share = collections.namedtuple("Share", "middle low high half")
# of the baseline's energy; low, high: over all choices; half: half of what the seeds' means at the
# middle lie apart, not a number with one seed


class Spent:
    """Energy of runs {(load, preset, seed): row}, of the baseline's with the same load and seed."""

    def __init__(self, rows, base, energies=None):
        self.rows, self.base = rows, base
        self.energies = energies or Energies()
        self.choices = [self.energies.pj(v) for v in self.energies.corners()]
        self.middle = self.energies.pj(self.energies.middle())

    def by_seed(self, preset, loads, pj, all_dram):
        """{seed: mean over loads}, of the seeds that all loads have with both presets."""
        seeds = [
            {s for x, p, s in self.rows if (x, p) == (load, preset)}
            & {s for x, p, s in self.rows if (x, p) == (load, self.base)}
            for load in loads
        ]

        def total(load, p, s):
            return sum(spent(self.rows[load, p, s], pj, all_dram).values())

        return {
            s: statistics.fmean(total(x, preset, s) / total(x, self.base, s) for x in loads)
            for s in sorted(set.intersection(*seeds) if seeds else ())
        }

    def share(self, preset, loads, all_dram=False):
        """Share of the mean over loads, or None where one was not run."""
        of = self.by_seed(preset, loads, self.middle, all_dram)
        if not of:
            return None
        all_of = [
            statistics.fmean(self.by_seed(preset, loads, pj, all_dram).values())
            for pj in self.choices
        ]
        half = (max(of.values()) - min(of.values())) / 2 if len(of) > 1 else float("nan")
        return Share(statistics.fmean(of.values()), min(all_of), max(all_of), half)

    def parts(self, preset, loads):
        """{structure: share of the baseline's energy at the middle}: mean over loads and seeds."""
        out = dict.fromkeys(EVENTS, 0.0)
        of = [(x, s) for x, p, s in self.rows if p == preset and x in loads]
        of = [(x, s) for x, s in of if (x, self.base, s) in self.rows]
        for x, s in of:
            whole = sum(spent(self.rows[x, self.base, s], self.middle).values())
            for name, pj in spent(self.rows[x, preset, s], self.middle).items():
                out[name] += pj / whole / len(of)
        return out


def assumptions(energies=None):
    """Head and rows of the table of docs/energy.md."""
    head = ["what", "unit", "low", "high", "together with", "from"]
    return head, [list(line) for line in (energies or Energies()).lines]
