#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Netlists of single blocks on recorded vectors, four-state, under Icarus (docs/synthesis.md).

usage: run.py generic|osu [--block NAME,...] [--skip NAME,...] [--seed N] [--count N] [--jobs N]
              [--corrupt]

A bench that checks the RTL (against the golden model, or for itself) runs with a recorder at the
ports of each block of tb/netlist/blocks.txt: what goes in and what comes out, in every cycle. Then
the block's netlist gets the same inputs and must answer the same: every output bit that the RTL
knows, in every cycle, apart from payload whose valid output is 0. generic: Yosys's own cells; osu:
the cells of the OSU 0.18 um library with their Verilog models. Cells make more of unknown state
than the RTL does: an OSU netlist that differs in unknown bits only must answer right from random
states. Exits with 1 if a block differs."""

import argparse
import concurrent.futures
import json
import os
import random
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import ports
import synth

OSU = os.path.splitext(synth.OSU or "")[0]
VECTORS = "tb/icarus/gmmu_vectors_tb.sv"
AXI = [f"tb/axi/gmmu_axi_{x}.sv" for x in "checker harness tb tb_memory tb_master".split()]
# bench: (top of the bench, design in it, its module, sources, configuration of the vectors)
BENCHES = {
    "mmu": ("gmmu_vectors_tb", "dut", "gmmu_top", [VECTORS], []),
    "unified": (
        "gmmu_vectors_tb",
        "dut",
        "gmmu_top",
        [VECTORS],
        "L2Unified=1 L2LargeEntries=0 PwcEntries=32 PwcWays=4 MscSets=4 MscWays=2 "
        "L2Entries=32 WarpCounters=1 TlbParity=1".split(),
    ),
    "tokens": (
        "gmmu_vectors_tb",
        "dut",
        "gmmu_top",
        [VECTORS],
        "FillTokens=1 WarpW=2 WarpsPerSm=4 BypassEntries=4 EpochCycles=100 Colt=2 "
        "LineAnswers=1 L2Entries=32 TlbParity=1".split(),
    ),
    "axi": ("gmmu_axi_tb", "u_dut.u_dut", "gmmu_axi", AXI, []),
    "dram": ("gmmu_dram_stage_tb", "dut", "gmmu_dram_stage", ["tb/dram/gmmu_dram_stage_tb.sv"], []),
    "bypass": (
        "gmmu_l2_bypass_tb",
        "dut",
        "gmmu_l2_bypass",
        ["tb/l2_cache/gmmu_l2_bypass_tb.sv"],
        [],
    ),
    # Under Verilator, build `small` of tb/l2_cache/run.sh with these parameters beside the
    # harness's own.
    "memory": (
        "gmmu_mem_harness",
        ".",
        "gmmu_mem_harness",
        ["tb/l2_cache/gmmu_mem_harness.sv"],
        "GoldenEntries=2 SilverEntries=4 NormalEntries=8".split(),
    ),
    "page_merge": (
        "gmmu_page_merge_tb",
        "u_dut",
        "gmmu_page_merge",
        ["tb/page_merge/gmmu_page_merge_tb.sv"],
        [],
    ),
}
GATES = "synth/gates/osu018_stdcells.v"
STARTS = 5  # random states, where an unknown one gives unknown outputs
ARGS = {"dram": ["+requests=1000"], "bypass": ["+depths=2"]}
# A flip-flop that takes what was there before the edge, though its clock comes through a gate: the
# library's model, without delays, would race with those that feed it.
DFF = """module gmmu_dff(input CLK, input D, output reg Q);
  parameter I = 1'bx;
  initial Q = I;
  always @(posedge CLK) Q <= D;
endmodule
"""
ZERO, KNOWN = str.maketrans("xz", "00"), str.maketrans("01xz", "1100")


def run(args, **kw):
    r = subprocess.run(args, cwd=ROOT, capture_output=True, text=True, **kw)
    if r.returncode:
        lines = [x for x in (r.stdout + r.stderr).splitlines() if "rror" in x or "FAIL" in x] or (
            r.stdout + r.stderr
        ).splitlines()
        raise RuntimeError(f"{os.path.basename(args[0])}: {lines[0] if lines else 'failed'}")
    return r.stdout


def sources():
    return synth.sources().split()


def parameters(bench, d):
    """Of the design, as the bench sets them: read by Icarus at run time, so that they stand in one
    place only."""
    top, dut, module, files, _ = BENCHES[bench]
    text = ports.expanded(next(s for s in sources() if s.endswith(f"/{module}.sv")))
    names = re.findall(r"^\s*parameter\s+(?:int|logic)?\s*(?:\[[^\]]*\])?\s*(\w+)\s*=", text, re.M)
    with open(os.path.join(d, "ask.sv"), "w") as f:
        f.write(
            "module ask; initial begin\n"
            + "".join(f'$display("PARAM {n} %0d", ' f"{top}.{dut}.{n});\n" for n in names)
            + "$finish; end endmodule\n"
        )
    run(
        [
            "iverilog",
            "-g2012",
            "-o",
            f"{d}/ask.vvp",
            f"-I{d}",
            "-Irtl",
            "-Irtl/common",
            *sources(),
            *files,
            f"{d}/ask.sv",
            "-s",
            top,
            "-s",
            "ask",
        ]
    )
    return dict(re.findall(r"PARAM (\w+) (-?\d+)", run(["vvp", "-n", f"{d}/ask.vvp", f"+dir={d}"])))


def hierarchy(bench, d, params, kind):
    """Yosys's modules of the design with these parameters; also written to hier.il. For a library's
    cells with its clock gates."""
    module, files = BENCHES[bench][2:4]
    # the harness is the design
    own = " ".join(files) if module not in " ".join(sources()) else ""
    # Not `hierarchy -chparam`: Yosys 0.23 then derives some modules of gmmu_axi twice and stops.
    sets = (
        "chparam" + "".join(f" -set {k} {v}" for k, v in params.items()) + f" {module}\n"
        if params
        else ""
    )
    gates = kind == "osu"
    defines = "-DGMMU_GATE_CELLS -DGMMU_GATE_BITS=512 " if gates else ""
    read = (f"read_verilog -lib {GATES}\n" if gates else "") + (
        f"read_verilog -defer -sv {defines}-Irtl -Irtl/common "
        f"{' '.join(sources())} {own}\n{sets}hierarchy -check -top {module}\n"
    )
    with open(f"{d}/hier.ys", "w") as f:
        f.write(read + f"proc\nwrite_json {d}/hier.json\nwrite_rtlil {d}/hier.il\n")
    run([synth.YOSYS, "-q", f"{d}/hier.ys"])
    with open(f"{d}/hier.json") as f:
        return json.load(f)["modules"]


def find(modules, path):
    """The module of the instance at `path` below the top."""
    at = next(n for n, m in modules.items() if int(m["attributes"].get("top", "0"), 2))
    rest = "" if path == "." else path
    while rest:
        cell = max(
            (c for c in modules[at]["cells"] if rest == c or rest.startswith(c + ".")),
            key=len,
            default=None,
        )
        if cell is None:
            raise RuntimeError(f"no instance {path}: there is no {rest} in {at}")
        at, rest = modules[at]["cells"][cell]["type"], rest[len(cell) + 1 :]
    return at


def ports_of(module):
    """[(name, width)] of inputs without the clock, and of outputs."""
    p = module["ports"].items()
    return (
        [(n, len(x["bits"])) for n, x in p if x["direction"] == "input" and n != "clk_i"],
        [
            (n, len(x["bits"]))
            for n, x in p
            if x["direction"] == "output" and not n.startswith("obs_")
        ],
    )


def qualifier(name, outs):
    """The valid output that a payload output belongs to: the one of the longest common prefix."""
    names = [n for n, _ in outs]
    parts = name.split("_")
    for n in range(len(parts) - 1, 0, -1):
        for valid in ("_valid_o", "valid_o"):
            q = "_".join(parts[:n]) + valid
            if q in names and q != name and not name.endswith(("ready_o", "valid_o")):
                return q
    # AXI: s_arvalid_o for s_araddr_o
    m = re.match(r"([ms]_)?(aw|ar|w|r|b)(?!valid|ready)\w+_o$", name)
    if m and f"{m[1] or ''}{m[2]}valid_o" in names:
        return f"{m[1] or ''}{m[2]}valid_o"
    return None


def record_verilated(blocks, d):
    """Recorders bound to the modules of a Verilator bench; runs it."""
    text = []
    for b in blocks:
        n, module = b["n"], re.search(r"gmmu_\w+", b["module"])[0]
        text += [
            f"module gmmu_record_{n} (input clk_i, input "
            f"[{sum(w for _, w in b['ins']) - 1}:0] in, "
            f"input [{sum(w for _, w in b['outs']) - 1}:0] out);",
            "  integer f;",
            f"  initial f = $fopen(\"{b['dir']}/vectors\", \"w\");",
            '  always @(posedge clk_i) $fwrite(f, "%b %b\\n", in, out);',
            "endmodule",
            f"bind {module} gmmu_record_{n} u_record (.clk_i, .in({{"
            + ", ".join(n for n, _ in b["ins"])
            + "}), .out({"
            + ", ".join(n for n, _ in b["outs"])
            + "}));",
        ]
    with open(f"{d}/record.sv", "w") as f:
        f.write("\n".join(text) + "\n")
    run(
        ["tb/l2_cache/run.sh", "200", "1", "small"],
        env=dict(os.environ, RECORD=os.path.join(ROOT, d, "record.sv")),
        timeout=600,
    )


def record(bench, blocks, d):
    top, dut, _, files, _ = BENCHES[bench]
    text = ["`timescale 1ns/1ps", "module gmmu_record;"]
    for b in blocks:
        at = f"{top}.{dut}" + ("" if b["path"] == "." else "." + b["path"])
        text += [
            f"  integer f{b['n']};",
            f"  initial f{b['n']} = $fopen(\"{b['dir']}/vectors\", \"w\");",
            f"  always @(negedge {at}.clk_i) #0.01 $fwrite(f{b['n']}, \"%b %b\\n\", {{"
            + ", ".join(f"{at}.{n}" for n, _ in b["ins"])
            + "}, {"
            + ", ".join(f"{at}.{n}" for n, _ in b["outs"])
            + "});",
        ]
    with open(f"{d}/record.sv", "w") as f:
        f.write("\n".join(text + ["endmodule", ""]))
    run(
        [
            "iverilog",
            "-g2012",
            "-o",
            f"{d}/record.vvp",
            f"-I{d}",
            "-Irtl",
            "-Irtl/common",
            *sources(),
            *files,
            f"{d}/record.sv",
            "-s",
            top,
            "-s",
            "gmmu_record",
        ]
    )


def bench_tb(b):
    """A bench that gives the netlist the recorded inputs and compares its outputs."""
    n_in, n_out = sum(w for _, w in b["ins"]), sum(w for _, w in b["outs"])
    outs = b["outs"]
    widths = dict(outs)
    # Verilator knows no X: what it recorded as 0 may be unknown, except valid and ready.
    lenient = 0
    if b["lenient"]:
        for name, w in outs:
            lenient = lenient << w | (0 if re.search(r"valid|ready|cmd", name) else (1 << w) - 1)
    below = n_in  # outputs are compared after the first clock in reset
    reset = "1'b0"
    for name, w in b["ins"]:
        below -= w
        if name == "rst_ni":
            reset = f"in[{below}]"
    text = [
        "`timescale 1ns/1ps",
        "module gmmu_replay;",
        f"  reg [{n_in - 1}:0] in;",
        f"  reg [{n_out - 1}:0] want, known;",
        f"  wire [{n_out - 1}:0] got, care;",
        "  reg clk = 1'b0, started = 1'b0;",
        "  integer f, n, i, cycles = 0, errors = 0, unknown = 0;",
        "  blk dut (.clk_i(clk)",
    ]
    for group, bus in ((b["ins"], "in"), (outs, "got")):
        at = sum(w for _, w in group)
        for name, w in group:
            at -= w
            text[-1] += ","
            text.append(f"    .{name}({bus}[{at + w - 1}:{at}])")
    text[-1] += ");"
    at, place = n_out, {}
    for name, w in outs:
        at -= w
        place[name] = at
    for name, w in outs:
        q = qualifier(name, outs)
        if q is None:
            care = f"{{{w}{{1'b1}}}}"
        else:
            n = widths[q]  # a vector of valids: each has its part of the payload
            share = w // n
            care = (
                "{"
                + ", ".join(f"{{{share}{{want[{place[q] + k}]}}}}" for k in range(n - 1, -1, -1))
                + "}"
            )
        text.append(f"  assign care[{place[name] + w - 1}:{place[name]}] = {care};")
    text += ["  function [8*40-1:0] where(input integer i);", "    begin", '      where = "?";']
    text += [
        f'      if (i >= {place[n]} && i < {place[n] + w}) where = "{n}";' for n, w in outs
    ] + ["    end", "  endfunction"]
    text += [
        "  initial begin",
        f"    f = $fopen(\"{b['dir']}/vectors\", \"r\");",
        '    n = $fscanf(f, "%b %b %b\\n", in, want, known);',
        "    while (n == 3) begin",
        f"      #4; if (started && ((got ^ want) & care & known) !== {n_out}'d0) begin",
        f"        for (i = 0; i < {n_out}; i = i + 1)",
        f"          if (care[i] && known[i] && got[i] !== want[i] && !({n_out}'h{lenient:x} "
        f">> i & 1 && got[i] === 1'bx)) begin",
        "            errors = errors + 1;",
        "            if (got[i] === 1'bx) unknown = unknown + 1;",
        '            if (errors < 30) $display("cycle %0d: %0s is %b, expected %b", cycles, '
        "where(i), got[i], want[i]);",
        "          end",
        "      end",
        "      cycles = cycles + 1;",
        f"      if ({reset} === 1'b0) started = 1'b1;",
        "      #1 clk = 1'b1; #5 clk = 1'b0;",
        '      n = $fscanf(f, "%b %b %b\\n", in, want, known);',
        "    end",
        '    $display("%0s %0d cycles, %0d bits differ", errors == 0 && cycles > 100 ? '
        '"PASS" : "FAIL", cycles, errors);',
        '    if (errors > 0 && unknown == errors) $display("UNKNOWN");',
        "    $finish;",
        "  end",
        "endmodule",
        "",
    ]
    with open(f"{b['dir']}/replay.sv", "w") as f:
        f.write("\n".join(text))


def netlist(b, d, kind):
    # The derived module's name may hold characters that a script line does not take as a name: it
    # is renamed in the text.
    with open(f"{d}/hier.il") as f:
        il = f.read()
    il = re.sub(
        re.escape("\\" + b["module"] if not b["module"].startswith("$") else b["module"])
        + r"(?=\s)",
        lambda _: "\\blk",
        il,
    )
    with open(f"{b['dir']}/blk.il", "w") as f:
        f.write(il)
    # Only the function counts here, so abc takes its short steps.
    lib = (
        f"techmap -map {GATES}\nopt_clean\ndfflibmap -liberty {OSU}.lib\n"
        f"abc {synth.QUICK} -D 5000 -liberty "
        f"{OSU}.lib\nopt_clean\n"
        if kind == "osu"
        else ""
    )
    with open(f"{b['dir']}/synth.ys", "w") as f:
        # splitnets: a gate that drives one bit of a wide net has Icarus join the whole net again,
        # bits with strengths, at each change (the cache bank: seconds a cycle).
        # RAM: words of memories stay memories, as macros would be.
        cells = (
            "synth -flatten -top blk -run begin:fine\nopt -fast -full\nopt -undriven "
            "-fine\ntechmap\nopt -fast\nabc -fast\nopt -fast\n"
            if b["ram"]
            else "synth -flatten -top blk\n"
        )
        f.write(
            f"read_rtlil {b['dir']}/blk.il\nhierarchy -top blk\n{cells}{lib}splitnets\n"
            f"write_verilog -noattr {b['dir']}/{kind}.v\n"
            f"tee -q -o {b['dir']}/{kind}.stat stat\n"
        )
    run(["yosys", "-q", f"{b['dir']}/synth.ys"])
    os.remove(f"{b['dir']}/blk.il")


def mark_known(b):
    """A third column: which output bits the RTL knew. Unknown ones are 0 in the second."""
    with open(f"{b['dir']}/vectors") as f, open(f"{b['dir']}/vectors.new", "w") as out:
        for line in f:
            ins, outs = line.split()
            out.write(f"{ins} {outs.translate(ZERO)} {outs.translate(KNOWN)}\n")
    os.replace(f"{b['dir']}/vectors.new", f"{b['dir']}/vectors")


def replay(b, name, models):
    run(
        [
            "iverilog",
            "-g2012",
            "-o",
            f"{b['dir']}/{name}.vvp",
            f"{b['dir']}/{name}.v",
            f"{b['dir']}/replay.sv",
            *models,
            "-s",
            "gmmu_replay",
        ]
    )
    out = run(["vvp", "-n", f"{b['dir']}/{name}.vvp"], timeout=1200)
    with open(f"{b['dir']}/{name}.out", "w") as f:
        f.write(out)
    return out


def check(b, d, kind, corrupt):
    netlist(b, d, kind)
    with open(f"{b['dir']}/{kind}.v") as f:
        text = f.read()
    if re.search(r"DLATCH|dlatch|^\s+LATCH (?!\S*gmmu_gate_latch )", text, re.M):
        return "FAIL latch"
    if corrupt:  # one flip-flop's input of the netlist is wrong
        text, n = re.subn(
            r"(DFFPOSX1 \w+ \(\s*\.CLK\([^)]*\),\s*\.D\()[^)]*(\))", r"\g<1>1'b0\2", text, count=1
        )
        if not n:
            return "FAIL no flip-flop to corrupt"
        with open(f"{b['dir']}/{kind}.v", "w") as f:
            f.write(text)
    with open(f"{b['dir']}/dff.v", "w") as f:
        f.write(DFF)
    gated = "gmmu_gate_latch" in text
    if gated:  # the RTL has no clock gates: here they run on what it did
        text = re.sub(r"\bDFFPOSX1\b", "gmmu_dff", text)
        with open(f"{b['dir']}/{kind}.v", "w") as f:
            f.write(text)
    b["lenient"] = b["bench"] == "memory"
    models = [OSU + ".v", f"{b['dir']}/dff.v"] if kind == "osu" else []
    bench_tb(b)
    out = replay(b, kind, models)
    result = next((x for x in out.splitlines() if x.startswith(("PASS", "FAIL"))), "FAIL no result")
    if kind != "osu" or "UNKNOWN" not in out:
        return result
    # Only unknown bits, which cells may make of unknown state that does not matter (x | ~x): then
    # it must not matter what it is.
    for seed in range(1, STARTS + 1):
        rng = random.Random(seed)
        started, n = re.subn(
            r"\b(DFFPOSX1|gmmu_dff)\b", lambda _: f"gmmu_dff #({rng.getrandbits(1)})", text
        )
        with open(f"{b['dir']}/{kind}-start.v", "w") as f:
            f.write(started)
        out = replay(b, f"{kind}-start", models)
        again = next(
            (x for x in out.splitlines() if x.startswith(("PASS", "FAIL"))), "FAIL no result"
        )
        if not n or not again.startswith("PASS"):
            return f"{again} from random state {seed}"
    return f"{again} from {STARTS} random states (from unknown state: {result.split(', ')[1]})"


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("kind", choices=("generic", "osu"))
    ap.add_argument(
        "--block",
        default="",
        help="bench:instance of tb/netlist/blocks.txt, several with commas",
    )
    ap.add_argument("--skip", default="", help="blocks that are left out, with commas")
    ap.add_argument("--seed", default="1")
    ap.add_argument("--count", default="500", help="requests of the golden model's vectors")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument(
        "--corrupt",
        action="store_true",
        help="ties one flip-flop of each netlist to 0 (osu): exits with 0 if all differ",
    )
    a = ap.parse_args()
    if a.kind == "osu":
        synth.need_cells(synth.OSU)
    blocks = []
    with open(os.path.join(ROOT, "tb/netlist/blocks.txt")) as f:
        for line in f:
            if line.strip() and not line.startswith("#"):
                bench, path, what, *ram = [x.strip() for x in line.split("|")]
                if ram not in ([], ["RAM"], ["RAM generic"]):
                    sys.exit(
                        f"tb/netlist/blocks.txt: {bench}:{path}: '{ram[0]}' is not RAM or RAM "
                        f"generic"
                    )
                blocks.append(
                    {
                        "bench": bench,
                        "path": path,
                        "what": what,
                        "name": f"{bench}:{path}",
                        "ram": ram == ["RAM"] or ram == ["RAM generic"] and a.kind == "generic",
                    }
                )
    wanted = [x for x in a.block.split(",") if x]
    skipped = [x for x in a.skip.split(",") if x]
    for w in [*wanted, *skipped]:
        if w not in [b["name"] for b in blocks]:
            sys.exit(f"netlist: no block '{w}'; there are: {', '.join(b['name'] for b in blocks)}")
    blocks = [b for b in blocks if (not wanted or b["name"] in wanted) and b["name"] not in skipped]
    bad, todo = 0, []
    for bench in dict.fromkeys(b["bench"] for b in blocks):
        # its own for each kind: both may run at once
        d = f"build/netlist/{a.kind}-{bench}-{a.seed}"
        os.makedirs(os.path.join(ROOT, d), exist_ok=True)
        os.chdir(ROOT)
        mine = [b for b in blocks if b["bench"] == bench]
        sets = sum((["--set", s] for s in BENCHES[bench][4]), [])
        if VECTORS in BENCHES[bench][3]:
            preset = "fpga-small" if bench == "mmu" else "tb/icarus/bench.ini"
            run(
                [
                    "build/bin/gmmu",
                    "vectors",
                    "--preset",
                    preset,
                    *sets,
                    "--random",
                    "--count",
                    a.count,
                    "--seed",
                    a.seed,
                    "-o",
                    d,
                ]
            )
        verilated = bench == "memory"
        modules = hierarchy(
            bench,
            d,
            dict(s.split("=") for s in BENCHES[bench][4]) if verilated else parameters(bench, d),
            a.kind,
        )
        for n, b in enumerate(mine):
            b["n"], b["dir"] = n, f"{d}/{n}"
            os.makedirs(b["dir"], exist_ok=True)
            b["module"] = find(modules, b["path"])
            b["ins"], b["outs"] = ports_of(modules[b["module"]])
        if verilated:
            record_verilated(mine, d)
        else:
            record(bench, mine, d)
            out = run(
                ["vvp", "-n", f"{d}/record.vvp", f"+dir={d}", f"+seed={a.seed}"]
                + ARGS.get(bench, []),
                timeout=600,
            )
            if not re.search(r"^PASS", out, re.M):
                sys.exit(f"netlist: the bench of {bench} fails with the RTL")
        for b in mine:
            mark_known(b)
        todo += [(b, d) for b in mine]
    with concurrent.futures.ThreadPoolExecutor(a.jobs) as pool:

        def one(t):
            try:
                return check(*t, a.kind, a.corrupt)
            except (RuntimeError, subprocess.TimeoutExpired) as e:
                return f"FAIL {e}"

        for (b, _), result in zip(todo, pool.map(one, todo)):
            print(f"{result}  {a.kind}  {b['name']}  {b['what']}", flush=True)
            found = result.startswith("FAIL") and result.endswith("differ")
            bad += not (found if a.corrupt else result.startswith("PASS"))
    print(
        f"again: tb/netlist/run.py {a.kind} --seed {a.seed}"
        + (f" --block {a.block}" if a.block else "")
    )
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
