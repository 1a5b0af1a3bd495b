#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Storage of the TLB structures, counted from the RTL: Yosys elaborates each module; its memories
and flip-flops are added.

usage: storage.py [--preset P]

A module's memories that are copies of each other for more read ports count once here and are named
apart. Prints a table and writes build/reports/storage.json. Exits with 1 if a module is not what
this script expects."""

import argparse
import json
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
from params import bare, load  # noqa: E402
from synth import config, sources  # noqa: E402


def elaborate(module, params):
    """{name: (words, width)} of memories, and of registers with 1 word."""
    out = os.path.join(ROOT, "build/synth", f"storage-{module}.json")
    os.makedirs(os.path.dirname(out), exist_ok=True)
    sets = " ".join(f"-set {k} {v}" for k, v in params.items())
    script = (
        f"read_verilog -sv -Irtl -Irtl/common {sources()}; chparam {sets} {module}; "
        f"hierarchy -check -top {module}; proc; "
        f"flatten; opt_clean; memory_collect; rename -top top; write_json "
        f"{os.path.relpath(out, ROOT)}"
    )
    r = subprocess.run(["yosys", "-q", "-p", script], cwd=ROOT, capture_output=True, text=True)
    if r.returncode:
        sys.exit(f"storage: {module}: {(r.stderr or r.stdout).strip().splitlines()[-1]}")
    with open(out) as f:
        top = json.load(f)["modules"]["top"]
    names = {}
    for net, d in top["netnames"].items():
        for bit in d["bits"]:
            if isinstance(bit, int) and (
                bit not in names or names[bit].startswith("$") or d["hide_name"] == 0
            ):
                names[bit] = net
    found = {}
    for cell, d in top["cells"].items():
        if d["type"].startswith("$mem"):
            p = {k: int(v, 2) for k, v in d["parameters"].items() if k in ("WIDTH", "SIZE")}
            found[cell] = (p["SIZE"], p["WIDTH"])
        elif "dff" in d["type"]:
            q = d["connections"]["Q"]
            name = names.get(q[0], cell)  # two registers may show at one port
            found[name if name not in found else f"{name}#{cell}"] = (1, len(q))
    return found


def bits(found, pattern):
    hits = [(n, w * b) for n, (w, b) in found.items() if re.search(pattern, n)]
    if not hits:
        sys.exit(f"storage: nothing is called {pattern}; there are {', '.join(sorted(found))}")
    return sum(b for _, b in hits)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--preset", default="mesc")
    a = ap.parse_args()
    c = config(a.preset, [])
    vfn_w = c["VaW"] - 12
    data_w = 5 + c["PfnW"]
    rows = []

    def row(what, entries, total, note):
        rows.append(
            {
                "structure": what,
                "entries": entries,
                "bits": total,
                "bits_per_entry": total / entries,
                "note": note,
            }
        )

    # One array of each kind, one port: the read copies for a second port are not another entry.
    shape = {
        "Entries": c["L2Entries"],
        "Ways": c["L2Ways"],
        "Ports": 1,
        "AsidW": c["AsidW"],
        "VfnW": vfn_w,
        "DataW": data_w,
    }
    n = c["L2Entries"]
    base = elaborate("gmmu_l2tlb_base", shape)
    ram = r"gen_port\[0\]\.(u_\w+\.)*gen_way\[\d+\]\.(u_way\.)?u_(tag|data)\.gen_memory\.mem"
    order = r"^valid_q|^u_init\.init_q|u_policy\.order_q"
    row(
        "L2 base entry (split build)",
        n,
        bits(base, ram) + bits(base, order),
        "tag, data, valid, LRU order",
    )
    group = elaborate("gmmu_l2tlb_base", dict(shape, Pages=4))
    row(
        "L2 base entry, CoLT",
        n,
        bits(group, ram) + bits(group, order),
        "the same with a mask of 4 pages, 2 tag bits less",
    )
    uni = elaborate("gmmu_l2tlb_unified", shape)
    row(
        "L2 entry, regular or subregion (unified build)",
        n,
        bits(uni, ram) + bits(uni, order),
        "T bit; subregion: first, last, LG in the tag",
    )
    split, unified = bits(base, ram) + bits(base, order), bits(uni, ram) + bits(uni, order)
    row(
        "  of it more than the split build's",
        n,
        unified - split,
        "the T bit; first and last subregion lie in tag bits that a frame leaves free",
    )
    port = r"gen_port\[0\]\.u_port"
    copy = (
        rf"{port}\.gen_way\[\d+\]\.gen_sub\.u_data\.gen_memory\.mem"
        rf"|{port}\.u_tags\.gen_sub_way\[\d+\]\.u_tag\.gen_memory\.mem"
    )
    row(
        "  read copy of the upper ways, for the second set",
        n // 2,
        bits(uni, copy),
        "only where RAMs have one read port",
    )
    msc = elaborate("gmmu_msc", {"Sets": 64, "Ways": 8, "AsidW": c["AsidW"], "LfnW": vfn_w - 9})
    row(
        "MSC entry (64 sets, 8 ways)",
        512,
        bits(
            msc,
            r"u_array\.gen_port\[0\]\.(u_tags\.gen_way\[\d+\]\.u_tag\.gen_memory"
            r"|gen_one_data\.u_data)\.mem",
        )
        + bits(msc, r"^u_array\.(valid_q|u_init\.init_q|u_replace\..*order_q)"),
        "tag, bitmap, valid, LRU order",
    )
    row(
        "  of it the bitmap",
        512,
        bits(msc, r"u_array\.gen_port\[0\]\.gen_one_data\.u_data\.mem"),
        "7 bits: is i contiguous with i+1?",
    )
    k = c["L1BaseEntries"]
    cam = {"Entries": k, "AsidW": c["AsidW"], "PageW": vfn_w, "DataW": data_w}
    one = elaborate("gmmu_tlb_cam", cam)
    row(
        "L1 base entry",
        k,
        bits(one, r"^valid$|gen_words\[\d+\]\.u_words\.q_o"),
        "tag, data, valid; LRU order apart",
    )
    four = elaborate("gmmu_tlb_cam", dict(cam, Pages=4))
    row(
        "L1 base entry, CoLT",
        k,
        bits(four, r"^valid$|gen_words\[\d+\]\.u_words\.q_o"),
        "the same with a mask of 4 pages, 2 tag bits less",
    )
    # Mosaic's second arrays: frames instead of pages.
    mosaic = config("mosaic", [])
    for level in ("L1", "L2"):
        k = mosaic[level + "LargeEntries"]
        large = elaborate(
            "gmmu_tlb_cam",
            {"Entries": k, "AsidW": mosaic["AsidW"], "PageW": vfn_w - 9, "DataW": data_w - 9},
        )
        row(
            f"{level} large entry (Mosaic's second array)",
            k,
            bits(large, r"^valid$|gen_words\[\d+\]\.u_words\.q_o"),
            "9 bits less of page and of frame number; LRU order apart",
        )
    # MASK: per SM and in the L2 (paper: section 7.4).
    m = config("mask-tlb", [])
    sms, asids, warps = m["NumSms"], m["NumAsids"], 1 << m["WarpW"]
    tok = elaborate(
        "gmmu_fill_tokens",
        {"NumSms": sms, "NumAsids": asids, "AsidW": m["AsidW"], "WarpW": m["WarpW"]}
        | bare(load()[0]),
    )
    row(
        "fill tokens, per SM (bits of the active warps)",
        sms,
        bits(tok, r"^u_warps\.gen_sm\[\d+\]\.u_active\.mem") // 2,
        "the paper's 256-bit vector; in RAM",
    )
    row(
        "  those of the epoch that ended, marks in force and being made",
        sms,
        bits(tok, r"^u_warps\.gen_sm\[\d+\]\.u_active\.mem") // 2
        + bits(tok, r"^u_marks\.gen_memory\.mem"),
        "ours: new marks replace old ones at once; in RAM",
    )
    row(
        "  words that were written, and application",
        sms,
        bits(tok, r"^u_warps\.(gen_sm\[\d+\]\.u_ended|owners|u_ring)"),
        "instead of the paper's incrementer: W is counted from the bits",
    )
    row(
        "fill tokens, per application: hits and misses",
        asids,
        bits(tok, r"^u_counters\.(hits_q|misses_q|last|gen_app\[\d+\]\.u_last)")
        + asids * (16 + 17),
        "two 16-bit counters, now and last epoch; of the one before misses and sum, in RAM",
    )
    row(
        "  tokens, W, direction",
        asids,
        bits(tok, r"^(pools|gen_pool\[\d+\]\.u_pool)|^u_change\.(started_q|rising_q)")
        + bits(tok, r"^u_change\.u_old\.gen_memory\.mem")
        - asids * (16 + 17),
        "the paper: 15 + 1 bits for each of 30; tokens in RAM",
    )
    by = elaborate(
        "gmmu_bypass_cache",
        {"Entries": 32, "Ports": 1, "AsidW": m["AsidW"], "VfnW": 36, "DataW": 5 + m["PfnW"]},
    )
    row(
        "bypass cache entry",
        32,
        bits(by, r"^valid$|gen_words\[\d+\]\.u_words\.q_o"),
        "tag, data, valid; LRU order apart",
    )
    l2 = elaborate(
        "gmmu_l2tlb_base",
        {
            "Entries": 512,
            "Ways": 16,
            "Ports": 1,
            "AsidW": m["AsidW"],
            "VfnW": 36,
            "DataW": 5 + m["PfnW"],
        },
    )
    one_bit = elaborate(
        "gmmu_l2tlb_base",
        {"Entries": 512, "Ways": 16, "Ports": 1, "AsidW": 1, "VfnW": 36, "DataW": 5 + m["PfnW"]},
    )
    total = bits(l2, ram) + bits(l2, order)
    per_bit = (total - bits(one_bit, ram) - bits(one_bit, order)) // (m["AsidW"] - 1)
    row(
        "  ASID of an L2 base entry",
        512,
        per_bit * m["AsidW"],
        f"{per_bit * m['AsidW'] / total:.1%} of the entry; the paper: 7 % of the L2 TLB",
    )
    # MASK in the memory system (section 7.4): the request queues of one DRAM channel, payload (id,
    # data) apart.
    dram = elaborate("gmmu_dram_sched", {"NumApps": 8})
    plain_bits = (
        r"\.((valid|row|write|slot|waits)_q|fields|u_search\.(bank|hit)_i|u_taken\.taken_o)$"
    )
    plain = bits(dram, "^u_array" + plain_bits)
    row(
        "DRAM request queue, FR-FCFS (one channel)",
        256,
        plain,
        "line, write, payload slot, row hit, same-line order",
    )
    fields = bits(dram, r"^u_array\.((home|need)_q|u_search\.silver_i)$")
    row("  class, home, needed", 256, fields, f"{fields / plain:.1%} of it")
    row("  age", 256, bits(dram, r"^u_array\.age_q"), "only with AgeCap, which MASK has not")
    golden = bits(dram, "^u_golden" + plain_bits)
    row("  golden queue", 16, golden, f"{golden / plain:.1%} of it; the paper: 6 %")
    row(
        "  turns: weights, quota, counters (8 applications)",
        1,
        bits(dram, r"^gen_turn\.u_turn\."),
        "two 6-bit maxima per application, the divider",
    )
    by = elaborate("gmmu_l2_bypass", {"Banks": 16})
    row(
        "L2 cache bypass: counters and decisions",
        1,
        bits(by, r"."),
        "hits and accesses of 7 depths and data, 16 bits each",
    )
    print(f"preset {a.preset}: VA {c['VaW']}, PA {c['PaW']}, ASID {c['AsidW']} bits")
    print(f"{'structure':50} {'entries':>7} {'bits':>8} {'per entry':>10}  what")
    for r in rows:
        print(
            f"{r['structure']:50} {r['entries']:7} {r['bits']:8} {r['bits_per_entry']:10.2f}  "
            f"{r['note']}"
        )
    out = os.path.join(ROOT, "build/reports/storage.json")
    os.makedirs(os.path.dirname(out), exist_ok=True)
    with open(out + ".new", "w") as f:
        json.dump({"preset": a.preset, "rows": rows}, f, indent=1)
        f.write("\n")
    os.replace(out + ".new", out)


if __name__ == "__main__":
    main()
