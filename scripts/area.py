#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area of every preset, what each mechanism adds, the arrays beside those of other MMUs: docs/area.md and docs/area.svg.

usage: area.py [--presets P,...] [--jobs N] [--keep]

Runs scripts/synth.py for every preset (blocks with equal parameters once), then the fully and set-associative arrays of 16 and 64
entries by the plain flow that the figures of the other MMUs come from. Writes build/reports/area.json; --keep leaves docs/ alone.
"""
import argparse
import concurrent.futures
import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import synth

ROOT, OUT = synth.ROOT, synth.OUT
NAMES = {"l1_tlb": "L1 TLBs", "l2_tlb": "L2 TLB", "walker": "walker", "tokens": "fill tokens", "invalidate": "invalidation"}
GROUPS = list(NAMES)
# Other MMUs by the same plain flow: entries, um2, state bits of an entry. Own measurements of their sources, hand-flattened where
# Yosys does not read them (within 10 %).
PEERS = [("CVA6 L1 TLB, fully associative, Sv39, PLRU", 16, 585121, 112), ("RISC-V IOMMU IOTLB, two-stage, PLRU", 16, 1064426, 201),
         ("Vortex CAM, no ASID, MRU", 16, 350050, 75), ("Nyuzi TLB, 4 ways, round robin", 16, 227118, 53),
         ("Nyuzi TLB, 4 ways, round robin", 64, 710125, 53)]
PERM = """// An L1 array with the permission check behind its answer register, as in gmmu_l1_tlb.
module gmmu_area_l1 #(parameter int Entries = 16, parameter int AsidW = 16, parameter int PageW = 27, parameter int PfnW = 36) (
  input  logic clk_i, input logic rst_ni, input logic search_i, input logic [AsidW-1:0] asid_i, input logic [PageW-1:0] page_i,
  input  logic fill_i, input logic [PfnW+4:0] fill_data_i, input logic start_i, input logic all_i, input logic asid_all_i,
  input  logic [AsidW-1:0] sweep_asid_i, input logic [35:0] lo_i, input logic [35:0] hi_i,
  input  logic [1:0] access_i, input logic user_i, input logic sum_i, input logic mxr_i,
  output logic hit_o, output logic [PfnW+4:0] data_o, output logic [4:0] cause_o, output logic busy_o
);
  gmmu_tlb_cam #(.Entries(Entries), .AsidW(AsidW), .PageW(PageW), .DataW(PfnW + 5)) u_cam (
    .clk_i, .rst_ni, .search_i(search_i | fill_i), .touch_i(search_i), .asid_i, .page_i, .hit_o, .way_o(), .data_o,
    .fill_i, .fill_data_i, .fill_pages_i(1'b1), .fill_way_o(), .fill_overwrite_o(), .fill_evict_o(), .sweep_start_i(start_i),
    .sweep_all_i(all_i), .sweep_asid_all_i(asid_all_i), .sweep_asid_i, .sweep_lo_i(lo_i), .sweep_hi_i(hi_i), .sweep_busy_o(busy_o),
    .swp_visit_o(), .swp_cleared_o(), .swp_way_o());
  assign cause_o = gmmu_pkg::check_access(data_o[PfnW+4:PfnW], access_i, user_i, sum_i, mxr_i);
endmodule
"""


def plain(name, top, params, extra=""):
    """(um2, flip-flops) by `synth -flatten; dfflibmap; abc; stat`, memories in flip-flops."""
    with open(os.path.join(ROOT, "sim/gmmu.f")) as f:
        files = " ".join(line.strip() for line in f if line.startswith("rtl/"))
    sets = " ".join(f"-set {k} {v}" for k, v in params.items())
    stat = f"{OUT}/{name}.stat"
    synth.yosys(name, f"read_verilog -sv -Irtl -Irtl/common {files} {extra}\nchparam {sets} {top}\nsynth -flatten -top {top}\n"
                f"dfflibmap -liberty {synth.OSU}\nabc -liberty {synth.OSU}\ntee -q -o {stat} stat -liberty {synth.OSU}\n")
    with open(stat) as f:
        text = f.read()
    return float(re.findall(r"Chip area for (?:top )?module .*: ([\d.]+)", text)[0]), sum(int(n) for n in re.findall(r"DFF\w+\s+(\d+)", text))


def arrays(pool):
    """Our arrays at 16 and 64 entries, and the LRU structures."""
    with open(f"{OUT}/area_l1.sv", "w") as f:
        f.write(PERM)
    jobs = {}
    for entries in (16, 64):
        for what, page, pfn in (("Sv39, 36-bit PPN", 27, 36), ("Sv48, 44-bit PPN", 36, 44)):
            bits = 16 + page + 5 + pfn + 1 + (entries - 1).bit_length()
            jobs[f"L1 array, fully associative, true LRU, ASID 16, permission check, {what}", entries, bits] = pool.submit(
                plain, f"area-l1-{entries}-{page}", "gmmu_area_l1", dict(Entries=entries, AsidW=16, PageW=page, PfnW=pfn), f"{OUT}/area_l1.sv")
        for ways in (4,):
            sets = entries // ways
            tag = 16 + 27 - (sets - 1).bit_length()
            bits = tag + 5 + 36 + 1 + (ways - 1).bit_length()
            jobs[f"L2 base array, {ways} ways, true LRU, ASID 16, Sv39, 36-bit PPN", entries, bits] = pool.submit(
                plain, f"area-l2-{entries}", "gmmu_l2_base", dict(Entries=entries, Ways=ways, Ports=1, AsidW=16, VfnW=27, DataW=41))
    for n in (16, 128):
        jobs["LRU of", n, (n - 1).bit_length()] = pool.submit(plain, f"area-lru-{n}", "gmmu_lru", dict(N=n))
    jobs["L1 array without AsidW 9, 128 entries", 128, 0] = pool.submit(
        plain, "area-l1-128", "gmmu_area_l1", dict(Entries=128, AsidW=9, PageW=36, PfnW=36), f"{OUT}/area_l1.sv")
    return [dict(zip(("what", "entries", "bits"), k), um2=v.result()[0], flip_flops=v.result()[1]) for k, v in jobs.items()]


def chart(presets, rows):
    """Shares of the logic by block, the sum beside each bar."""
    import matplotlib
    matplotlib.use("svg")
    import matplotlib.pyplot as plt
    matplotlib.rcParams["svg.hashsalt"] = "gmmu"
    fig, ax = plt.subplots(figsize=(8, 0.36 * len(presets) + 1.5))
    left = [0.0] * len(presets)
    sums = [sum(r["area_um2"] * r["copies"] for r in rows[p]) for p in presets]
    for g in GROUPS:
        w = [100 * sum(r["area_um2"] * r["copies"] for r in rows[p] if r["block"] == g) / s for p, s in zip(presets, sums)]
        ax.barh(presets, w, left=left, label=NAMES[g])
        left = [a + b for a, b in zip(left, w)]
    for n, s in enumerate(sums):
        ax.text(101, n, f"{s / 1e6:.2f} mm2", va="center", fontsize=8)
    ax.invert_yaxis()
    ax.set_xlim(0, 116)
    ax.set_xticks(range(0, 101, 20))
    ax.set_xlabel("% of the logic area (OSU 0.18 um; memories of 512 bits and more apart)")
    ax.legend(fontsize=8, ncol=len(GROUPS), loc="lower center", bbox_to_anchor=(0.45, 1.0), frameon=False)
    fig.tight_layout()
    fig.savefig(os.path.join(ROOT, "docs/area.svg"), metadata={"Date": None})
    plt.close(fig)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--presets", default="")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--period", type=float, default=3.33)
    ap.add_argument("--keep", action="store_true")
    a = ap.parse_args()
    a.lib, a.macro_bits, a.no_sta, a.fresh = synth.OSU, 512, False, False
    nand2 = synth.prepare(a)
    folder = os.path.join(ROOT, "sim/presets")
    presets = [p for p in a.presets.split(",") if p] or sorted(f[:-4] for f in os.listdir(folder) if f.endswith(".ini"))
    sources = synth.digest()
    jobs, of = {}, {p: [] for p in presets}
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:
        for p in presets:
            c = synth.config(p, [])
            for name, module, copies, params, needs in synth.blocks():
                if needs == "never" or (needs and not c.get(needs)):
                    continue
                values = {k: synth.value(v, c) for k, v in params.items()}
                key = json.dumps([module, sorted(values.items())])
                if key not in jobs:
                    jobs[key] = pool.submit(synth.run_block, f"{name}-{p}", module, values, a, sources)
                of[p].append((name, synth.value(copies, c), "axi" if needs == "axi" else "mmu", key))
        more = arrays(pool)
        for n, job in enumerate(concurrent.futures.as_completed(jobs.values())):
            synth.progress(f"{n + 1} of {len(jobs)} blocks")
            job.result()
    synth.progress("")
    rows = {p: [dict(jobs[k].result(), block=name, copies=copies, part=part) for name, copies, part, k in of[p]] for p in presets}
    with open(os.path.join(ROOT, "build/reports/area.json"), "w") as f:
        json.dump({"lib": os.path.basename(a.lib), "period_ns": a.period, "nand2_um2": nand2, "presets": rows, "arrays": more}, f, indent=1)
        f.write("\n")


if __name__ == "__main__":
    sys.exit(main())
