#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Translation energy of the results workflow (scripts/workflow_energy.py): sums, ranges and shares
of runs by hand, and the same with every PTE read from DRAM; the table of the tree; bad tables are
refused with file and line."""

import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import workflow_energy as energy  # noqa: E402


def expect(what, ok):
    if not ok:
        sys.exit(f"test_energy.py: not so: {what}")


def near(a, b):
    return math.isclose(a, b, rel_tol=1e-9)


# Every event 1 pJ, but: L1 lookups 10 to 40 in the library's process, a tenth of it in ours; L2
# lookups 2 to 8; DRAM 0.5 to 2 pJ a bit.
LINES = [f"{n} array | pJ | 1 | 1 | fixed | here" for n in energy.NAMES if "lookup" not in n[:9]]
LINES += [
    "l1 lookup logic | pJ | 10 | 40 | logic | here",
    "l2 lookup array | pJ | 2 | 8 | device | here # a comment",
    "",
    "dram bit | pJ | 0.5 | 2 | DRAM | here",
    "scale | share | 0.1 | 0.1 | fixed | here",
]
TABLE = "\n".join(LINES)
KEYS = "l1_lookups l1_fills l2_lookups_regular l2_lookups_subregion l2_fills_regular "
KEYS += "l2_fills_subregion msc_lookups msc_insertions pwc_probes pwc_insertions "
KEYS += "pte_cache_reads pte_columns"


def row(preset, *counts):
    return {"preset": preset, **dict(zip(KEYS.split(), counts))}


e = energy.Energies("here", TABLE)
expect("a line for each name", len(e.lines) == len(LINES) - 1)
expect("of one group: low together, high together", len(list(e.corners())) == 2**4)
mid = e.pj(e.middle())
expect("the middle is the geometric mean", near(mid["l1 lookup"], 2) and near(mid["l2 lookup"], 4))
expect("a column has 512 bits", near(mid["dram"], 512))

# 100 L1 lookups, 10 fills, 10 L2 lookups and fills of base pages, 5 probes and 4 insertions of the
# page walk cache, 20 PTE reads in the cache, 2 columns of the DRAM: 200 + 10 + 40 + 10 + 9 + 20 +
# 1,024 pJ.
base = row("mesc-baseline", 100, 10, 10, 0, 10, 0, 0, 0, 5, 4, 20, 2)
of = energy.spent(base, mid)
expect("L1 TLB by hand", near(of["per-CU TLB"], 210))
expect("L2 TLB by hand", near(of["shared TLB"], 50))
expect("the rest by hand", near(of["page walk cache"], 9) and near(of["PTE reads, DRAM"], 1024))
expect("the sum by hand", near(sum(of.values()), 1313))
of = energy.spent(base, mid, all_dram=True)
expect("every PTE read from DRAM: 20 columns", near(of["PTE reads, DRAM"], 20 * 512))
expect("and none in the cache", of["PTE reads, L2 cache"] == 0)
expect(
    "THP's large arrays are looked up too",
    near(energy.spent(dict(base, preset="thp"), mid)["per-CU TLB"], 210 + 100),
)

# MESC: as many in the L1, 10 lookups of 1 pJ in subregion entries, 2 fills of them, MSC 3 and 1, no
# DRAM: 210 + 40 + 12 + 4 + 1 pJ (a PTE read in the cache) = 267.
mesc = row("mesc", 100, 10, 10, 10, 0, 2, 3, 1, 0, 0, 1, 0)
expect("MESC by hand", near(sum(energy.spent(mesc, mid).values()), 267))
load = ("A:1",)
rows = {(load, "mesc-baseline", 1): base, (load, "mesc", 1): mesc}
share = energy.Spent(rows, "mesc-baseline", e).share("mesc", [load])
expect("its share of the baseline's", near(share.middle, 267 / 1313))
# Least: L1 low (110), L2 low (20), DRAM high (2,048): 147 over 110 + 30 + 9 + 20 + 2,048. Most: L1
# high (410), L2 high (80), DRAM low (512): 507 over 410 + 90 + 9 + 20 + 512.
expect("the least by hand", near(share.low, 147 / 2217))
expect("the most by hand", near(share.high, 507 / 1041))
expect("one seed has no spread", share.half != share.half)
rows[load, "mesc-baseline", 2], rows[load, "mesc", 2] = base, base
share = energy.Spent(rows, "mesc-baseline", e).share("mesc", [load])
expect("two seeds: the mean", near(share.middle, (267 / 1313 + 1) / 2))
expect("and half of what is between them", near(share.half, (1 - 267 / 1313) / 2))
expect("not run", energy.Spent(rows, "mesc-baseline", e).share("colt", [load]) is None)
rows.pop((load, "mesc", 2))
parts = energy.Spent(rows, "mesc-baseline", e).parts("mesc", [load])
expect("parts add up", near(sum(parts.values()), 267 / 1313))
expect("of the whole of the baseline's", near(parts["MSC"], 4 / 1313))

for what, text, said in (
    ("too few columns", TABLE.replace("| DRAM | here", "| DRAM"), "15: expected: name"),
    ("an unknown name", TABLE.replace("dram bit", "dram bits"), "15: nothing is named 'dram bits'"),
    ("twice", TABLE + "\ndram bit | pJ | 1 | 1 | x | y", "17: 'dram bit' is there twice"),
    ("no number", TABLE.replace("| 0.5 | 2 |", "| 0.5 | two |"), "15: low and high are numbers"),
    ("a negative one", TABLE.replace("| 0.5 | 2 |", "| -1 | 2 |"), "15: low and high are numbers"),
    ("upside down", TABLE.replace("| 0.5 | 2 |", "| 2 | 0.5 |"), "15: low is above high"),
    ("no scale", "\n".join(LINES[:-1]), " 'scale' is missing"),
    ("no event", "\n".join(LINES[1:]), f" nothing says what '{LINES[0].split(' array')[0]}' takes"),
):
    try:
        energy.Energies("here", text)
        found = "nothing"
    except SystemExit as x:
        found = str(x)
    expect(f"{what} is refused: {found}", found.startswith("here:") and found[5:].startswith(said))

tree = energy.Energies()
expect("the tree's table has bounds of every group", {"device", "DRAM"} <= set(tree.groups))
expect("a DRAM column costs more than a cache read", tree.pj(tree.middle())["dram"] > 1000)
print("PASS")
