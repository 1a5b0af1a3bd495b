#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Area and timing of each block: Yosys with a liberty library, OpenSTA for the critical path
(docs/synthesis.md).

usage: synth.py [--preset P] [--set KEY=VALUE] [--block B,...] [--lib FILE] [--period NS]
                [--macro-bits N] [--bit-um2 A] [--ram-access NS] [--ram-setup NS] [--in-ns NS]
                [--out-ns NS] [--ff-ns NS] [--abc closing|short|balanced|...] [--no-gates]
                [--no-sta] [--flat] [--top MODULE [--param KEY=VALUE]... [--source FILE]...]
                [--jobs N] [--fresh]

Blocks: synth/blocks.txt. Memories of at least --macro-bits bits (default 512) with at most two read
and two write ports are RAMs: left out of the logic, listed apart, their pins timed; 0: all of at
most 64 Kibit are mapped to flip-flops. --bit-um2: their area per bit, added to the table. --flat:
gmmu_top as a whole, as a row more. --top: this module alone, with the parameters given; --source:
files that it needs beside rtl/. Results are kept in build/synth/kept/ and used again while RTL,
library and options are the same (--fresh: not). Writes build/reports/synth.json and prints the
tables. Exits with 1 if a block fails.
"""

import argparse
import collections
import concurrent.futures
import fcntl
import hashlib
import inspect
import json
import os
import re
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import paths
import params as table

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
CELLS = subprocess.run([os.path.join(ROOT, "scripts/cells.sh")], capture_output=True, text=True)
OSU = os.path.join(CELLS.stdout.strip(), "osu018_stdcells.lib") if CELLS.returncode == 0 else None
OUT = os.path.join(ROOT, "build/synth")
# abc's steps. long: its own; short: these without SAT sweeping and structural choices.
QUICK = "-script +strash;dc2;&get,-n;&nf,{D};&put;buffer;upsize,{D};dnsize,{D};stime,-p"
STEPS = {
    "short": QUICK,
    # with delays restructured by cuts of six inputs, and structural choices
    "balanced": QUICK.replace("&nf", "&st;&if,-g,-K,6;&dch,-f;&nf", 1),
    # restructured twice; and with choices after each
    "twice": QUICK.replace("&nf", "&st;&if,-g,-K,6;&st;&if,-g,-K,6;&dch,-f;&nf", 1),
    "choices": QUICK.replace("&nf", "&st;&if,-g,-K,6;&dch,-f;&if,-g,-K,6;&dch,-f;&nf", 1),
    # by cuts of eight inputs first; and twice before the choices
    "wide": QUICK.replace("&nf", "&st;&if,-g,-K,8;&dch,-f;&if,-g,-K,6;&dch,-f;&nf", 1),
    "thrice": QUICK.replace(
        "&nf", "&st;&if,-g,-K,6;&if,-g,-K,6;&dch,-f;&st;&if,-g,-K,6;&dch,-f;&nf", 1
    ),
    "long": "",
}
# The same for all blocks: tried in this order up to the first whose paths keep to the period; where
# none does, the fastest counts.
ABC = {
    **{k: (k,) for k in STEPS},
    "closing": ("balanced", "twice", "choices", "wide", "thrice"),
}
RAM_PORTS = 2  # more read or write ports than an SRAM macro has: registers and multiplexers
# ns; docs/synthesis.md has the reasons
DEFAULTS = {"ram_access": 1.5, "ram_setup": 0.3, "in_ns": 1.0, "out_ns": 1.0, "ff_ns": 0.35}


def need_cells(lib):
    """Without a library, where Debian's is missing too: says so and exits as a skip."""
    if lib is None:
        print(CELLS.stdout.strip())
        sys.exit(CELLS.returncode)


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\033[K{text}", end="", file=sys.stderr, flush=True)


def sources():
    """The RTL, package first, as one line."""
    with open(os.path.join(ROOT, "sim/gmmu.f")) as f:
        return " ".join(line.strip() for line in f if line.startswith("rtl/"))


HELD = []  # the lock of alone(), until the program ends

YOSYS = os.path.join(ROOT, "scripts/yosys.sh")


def yosys(name, script):
    """Runs it; what it and abc took."""
    path = os.path.join(OUT, f"{name}.ys")
    with open(path, "w") as f:
        f.write(script)
    with open(os.path.join(OUT, f"{name}.err"), "w+") as err:
        p = subprocess.Popen(
            [YOSYS, "-q", "-l", os.path.join(OUT, f"{name}.log"), "-s", path],
            cwd=ROOT,
            stdout=err,
            stderr=err,
        )
        _, status, use = os.wait4(p.pid, 0)
        p.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        text = err.read()
    if p.returncode:
        raise RuntimeError((text.strip().splitlines() or [f"status {p.returncode}"])[-1])
    return use


def keys(preset, sets, form, pattern):
    """{key: value} of what `gmmu preset` prints in this form."""
    program = os.path.join(ROOT, "build/bin/gmmu")
    if not os.path.exists(program):
        sys.exit("synth: no build/bin/gmmu, which knows the presets: make all")
    args = [
        program,
        "preset",
        preset,
        *sum((["--set", s] for s in sets), []),
    ]
    r = subprocess.run(args + [form], cwd=ROOT, capture_output=True, text=True)
    if r.returncode:
        sys.exit(r.stderr.strip())
    return {k: int(v) for k, v in re.findall(pattern, r.stdout)}


def parameters(preset, sets, bare=False):
    """Those of gmmu_top; bare: as it is synthesised."""
    found = keys(preset, sets, "--rtl-flags", r"-G(\w+)=(\d+)")
    return found | table.bare(table.load()[0]) if bare else found


def config(preset, sets):
    """Parameters of gmmu_top, keys of the memory system, and what follows from them for single
    blocks."""
    c = dict(
        parameters(preset, sets),
        **keys(preset, sets, "--json", r'"((?:Mem|Cache|Dram)\w+)": (\d+)'),
    )
    c["PfnW"] = c["PaW"] - 12
    # as in gmmu_top: what can be in use
    used = c["L2Mshrs"] if c["L2Unified"] else min(c["L2Mshrs"], c["NumSms"] * c["L1Mshrs"])
    c["MshrsBuilt"] = used
    c["WalksBuilt"] = min(c["Walks"], used)
    c["CtxW"] = max(1, (c["NumAsids"] - 1).bit_length())
    c["MshrW"] = max(1, (used - 1).bit_length())
    c["PortW"] = max(1, (c["NumSms"] - 1).bit_length())
    c["RecW"] = 1 + 64 + c["AsidW"] + 2 + 1 + 4 + 5  # of a fault, with IDs of 4 bits
    c["axi"] = int(c["NumSms"] <= 4)
    if c["MemChannels"]:  # as in gmmu_memory
        c["Banks"] = c["MemChannels"] * c["CacheBanks"]
        c["LineW"] = c["PaW"] - 7 - (c["Banks"] - 1).bit_length()
        c["RowW"] = c["PaW"] - (c["MemChannels"] - 1).bit_length() - 15
        c["WalkIdW"] = max(1, (c["Walks"] - 1).bit_length())
        c["MemIdW"] = (
            max(1, (c["CacheBanks"] - 1).bit_length())
            + max(c["WalkIdW"], (c["CacheMshrs"] - 1).bit_length())
            + 2
        )
    else:
        c["CacheBypass"] = 0
    return c


def blocks():
    """name, module, copies, {parameter: expression}, key that must not be 0"""
    taken = table.load()[3]
    options = {p.name: p.name for p in taken} | table.bare(taken)
    options = " ".join(f"{name}={value}" for name, value in options.items())
    with open(os.path.join(ROOT, "synth/blocks.txt")) as f:
        for n, line in enumerate(f, 1):
            if not line.strip() or line.startswith("#"):
                continue
            parts = [p.strip() for p in line.split("|")]
            parts += [""] * (5 - len(parts))
            if len(parts) > 5 or not parts[2]:
                sys.exit(
                    f"synth/blocks.txt:{n}: expected: name | module | copies | parameters [| key]"
                )
            yield (
                parts[0],
                parts[1],
                parts[2],
                dict(p.split("=") for p in parts[3].replace("@options", options).split()),
                parts[4],
            )


def part(needs):
    return {"axi": "axi", "MemChannels": "memory", "CacheBypass": "memory"}.get(needs, "mmu")


def value(expr, c):
    """A number, the value of a name, or any(NAME,...): 1 if one of these is not 0."""
    if expr.startswith("any("):
        return int(any(c[name] for name in expr[4:-1].split(",")))
    return int(expr) if re.fullmatch(r"\d+", expr) else c[expr]


def memory(cell, d):
    """Of a $mem cell: what the tables say about it and what a RAM in its place needs."""
    p = {k: int(v, 2) for k, v in d["parameters"].items() if re.fullmatch("[01]+", v)}
    c = d["connections"]
    words, width = p["SIZE"], p["WIDTH"]
    # Write enables: bits of one net belong together, when all groups are of one size.
    we = c["WR_EN"][:width]
    groups = 1 + sum(x != y for x, y in zip(we, we[1:]))
    even = width % groups == 0 and all(
        len(set(we[i : i + width // groups])) == 1 for i in range(0, width, width // groups)
    )
    return {
        "cell": cell,
        "words": words,
        "width": width,
        "bits": words * width,
        "reads": p["RD_PORTS"],
        "writes": p["WR_PORTS"],
        "clocked": [p["RD_CLK_ENABLE"] >> i & 1 for i in range(p["RD_PORTS"])],
        "enables": groups if even else width,
        "abits": p["ABITS"],
        "plain": not p.get("RD_TRANSPARENCY_MASK", 0)
        and all(x in ("0", "x") for n in ("RD_ARST", "RD_SRST") for x in c[n]),
    }


def memories(name):
    """[(cell, what memory() says of it)]"""
    with open(os.path.join(OUT, name + ".mem.json")) as f:
        cells = json.load(f)["modules"]["top"]["cells"]
    return [(d, memory(c, d)) for c, d in cells.items() if d["type"].startswith("$mem")]


def is_macro(m, a):
    """A RAM: left out of the logic. A memory with more read or write ports than an SRAM has, or
    with none, is registers and multiplexers, however large; so is a small one."""
    return (
        1 <= m["reads"] <= RAM_PORTS
        and 1 <= m["writes"] <= RAM_PORTS
        and m["plain"]
        and (m["bits"] > 65536 or a.macro_bits and m["bits"] >= a.macro_bits)
    )


def logic_ps(a):
    """What of the period is left for the logic, which is all that abc times: ps."""
    ps = round((a.period - a.ff_ns) * 1000)
    if ps <= 0:
        sys.exit(f"synth: a period of {a.period} ns leaves no time beside --ff-ns {a.ff_ns}")
    return ps


def gate_cells(lib):
    """The techmap file of the library's clock gates, or None."""
    path = f"synth/gates/{os.path.splitext(os.path.basename(lib))[0]}.v"
    return path if os.path.exists(os.path.join(ROOT, path)) else None


def logic(name, module, params, a):
    """Up to abc: what of its memories is a RAM, what is not, and the logic that is left."""
    sets = " ".join(f"-set {k} {v}" for k, v in params.items())
    gates = None if a.no_gates else gate_cells(a.lib)
    # Words of RAMs that are not left out are behind clock gates too.
    defines = f"-DGMMU_GATE_CELLS -DGMMU_GATE_BITS={a.macro_bits or 65536} "
    read = (
        (f"read_verilog -lib {gates}\n" if gates else "")
        + f"read_verilog -sv {defines if gates else ''}-Irtl -Irtl/common "
        f"{' '.join(sources_of(module, a.source))}\n"
        + (f"chparam {sets} {module}\n" if sets else "")
        + f"hierarchy -check -top {module}\n"
    )
    # First pass: what memories are there?
    stem = f"build/synth/{name}"
    yosys(
        name + ".mem",
        read + "proc\nflatten\nopt -full\nmemory -nomap\nopt_clean\n"
        f"rename -top top\nwrite_json {stem}.mem.json\nwrite_rtlil {stem}.il\n",
    )
    mems = memories(name)
    # Where Yosys took a register into a memory that must then pass on what is being written (that
    # of the address) or be reset, the register is put back: no RAM does that.
    back = [m["cell"] for _, m in mems if not m["plain"]]
    if back:
        yosys(
            name + ".mem",
            f"read_rtlil {stem}.il\n"
            + "".join(f"memory_nordff top/c:{c}\n" for c in back)
            + f"opt_clean\nwrite_json {stem}.mem.json\nwrite_rtlil {stem}.il\n",
        )
        mems = memories(name)
    macros = [m for _, m in mems if is_macro(m, a)]
    mapped = [m for _, m in mems if not is_macro(m, a)]
    # Second pass: macros become cells of the RAM library, the rest is mapped.
    boxes, rules, apart = {}, {}, ""
    for d, m in mems:
        if is_macro(m, a):
            ram = paths.ram_name(m)
            boxes[ram], rules[ram] = paths.ram_verilog(m)
            unset = " ".join(f"-unset {p}" for p in d["parameters"])
            apart += f"chtype -set {ram}_mem top/c:{m['cell']}\n"
            apart += f"setparam {unset} top/c:{m['cell']}\n"
    if macros:
        for what, of in (("box", boxes), ("rule", rules)):
            with open(os.path.join(OUT, f"{name}.{what}.v"), "w") as f:
                f.write("".join(of.values()))
        apart = f"read_verilog -lib {stem}.box.v\n{apart}techmap -map {stem}.rule.v\n"
    yosys(
        name,
        f"read_rtlil {stem}.il\n{apart}hierarchy -top top\nmemory_map\n"
        "opt -full\ntechmap\nopt\n"
        f"dfflibmap -liberty {a.lib}\n"
        + (f"techmap -map {gates}\nopt_clean\n" if gates else "")
        + f"write_rtlil {stem}.il\nwrite_json {stem}.gates.json\n"
        f"tee -q -o {stem}.stat stat\n",
    )
    with open(os.path.join(OUT, name + ".stat")) as f:
        count = int(re.findall(r"Number of cells:\s+(\d+)", f.read())[-1])
    return {
        "macros": macros,
        "mapped": mapped,
        "mapped_memory_bits": sum(m["bits"] for m in mapped),
        "gates": count,
    }


def mapped_cells(name, steps, a):
    """The logic in cells of the library, by these steps of abc."""
    stem = f"build/synth/{name}"
    # Names for all cells, the same in the netlist for the tables and in the one for OpenSTA, which
    # reads no concatenation on the left of an assignment: its ports are single bits.
    use = yosys(
        name,
        f"read_rtlil {stem}.il\nabc {STEPS[steps]} -D {logic_ps(a)} "
        f"-constr build/synth/abc.constr -liberty {a.lib}\nopt_clean -purge\n"
        "rename -enumerate c:*\n"
        f"tee -q -o {stem}.stat stat -liberty {a.lib} -top top\n"
        f"write_json {stem}.json\nwrite_verilog -noattr {stem}.v\n"
        f"splitnets -ports\nwrite_verilog -noattr {stem}.sta.v\n",
    )
    paths.single_bits(f"{OUT}/{name}.sta.v")
    with open(os.path.join(OUT, name + ".stat")) as f:
        stat = f.read()
    with open(os.path.join(OUT, name + ".json")) as f:
        types = {c: d["type"] for c, d in json.load(f)["modules"]["top"]["cells"].items()}
    kinds = collections.Counter(types.values())
    if any(t.startswith("$") for t in kinds):
        raise RuntimeError(
            "cells that the library does not have: "
            + ", ".join(t for t in kinds if t.startswith("$"))
        )
    area = re.findall(r"Chip area for (?:top )?module '\\top': ([\d.]+)", stat)
    clock_gates = sum(paths.of_gate(c) for c, t in types.items() if t.startswith("LATCH"))
    latches = sum(n for t, n in kinds.items() if t.startswith("LATCH")) - clock_gates
    if not area or latches:
        raise RuntimeError("no area reported" if not area else f"{latches} latches")
    return {
        "area_um2": float(area[0]) + clock_gates * latch_um2(a.lib),
        "cells": sum(n for t, n in kinds.items() if not t.startswith("gmmu_ram_")),
        "flip_flops": sum(n for t, n in kinds.items() if t.startswith("DFF")),
        "clock_gates": clock_gates,
        "steps": steps,
        "abc_s": round(use.ru_utime + use.ru_stime, 1),
        "abc_mib": use.ru_maxrss // 1024,
    }


def synthesize(name, module, params, a):
    """Cells and timing by the steps of --abc, and the netlist that they are of."""
    made, best, took = logic(name, module, params, a), None, 0.0
    files = [f"{OUT}/{name}.{end}" for end in ("v", "json", "sta.v", "stat", "timing")]
    for steps in ABC[a.abc]:
        r = {**made, **mapped_cells(name, steps, a)}
        r["timing"] = None if a.no_sta else timing(name, a, r)
        took += r["abc_s"]
        ns = r["timing"]["path_ns"] if r["timing"] else 0.0
        if best is None or ns < best[0]:
            best = ns, r
            for f in filter(os.path.exists, files):
                shutil.copy(f, f + ".best")
        if closes(r, a):
            break
    for f in files:
        if os.path.exists(f + ".best"):
            os.replace(f + ".best", f)
    return {**best[1], "abc_s": round(took, 1)}


def commit():
    """The last commit that changed what is synthesised, with + if that was changed since."""
    what = "rtl", "synth", "scripts/synth.py", "scripts/paths.py"
    git = [
        subprocess.run(["git", *c, "--", *what], cwd=ROOT, capture_output=True, text=True)
        for c in (("log", "-1", "--format=%h"), ("status", "--porcelain"))
    ]
    said = [r.stdout.strip() for r in git]
    return said[0] + ("+" if said[1] else "")


def latch_um2(lib):
    """What a latch adds to the area that Yosys counts: that of a flip-flop, where the library
    says 0."""
    with open(lib) as f:
        text = f.read()
    area = {
        c: float(m[1])
        for c in ("LATCH", "DFFPOSX1")
        for m in re.finditer(rf"cell\s*\(\s*{c}\s*\)\s*\{{.*?area\s*:\s*([\d.]+)", text, re.S)
    }
    return area.get("DFFPOSX1", 0.0) if area.get("LATCH") == 0 else 0.0


def timing(name, a, r):
    """Longest paths (scripts/paths.py). None: there is none."""
    t = paths.analyse(name, OUT, a, r["macros"], r["clock_gates"])
    if t and t["inner"]:
        t["path_ns"] = t["inner"]["ns"]
        t["fmax_mhz"] = round(1000 / t["path_ns"], 1)
    elif t:
        t["path_ns"], t["fmax_mhz"] = 0.0, float("inf")
    return t


def sources_of(module, extra=()):
    """Files that this module is made of, package first, and files beside rtl/."""
    files = sources().split()
    known = {os.path.basename(f)[:-3]: f for f in files}  # one module a file, of its name
    todo, used = [module], set()
    if extra:
        todo += re.findall(r"\bgmmu_\w+", "".join(text_of(f) for f in extra))
    while todo:
        m = todo.pop()
        if m in known and m not in used:
            used.add(m)
            todo += re.findall(r"\bgmmu_\w+", text_of(known[m]))
    used.add("gmmu_pkg")
    return [f for f in files if os.path.basename(f)[:-3] in used] + list(extra)


COMMENT = r"//[^\n]*|/\*.*?\*/"


def text_of(path):
    with open(os.path.join(ROOT, path)) as f:
        return f.read()


def code_of(path):
    """A source without its comments."""
    return re.sub(COMMENT, "", text_of(path), flags=re.S)


def digest(module, extra=()):
    """Of what Yosys reads of the sources that this module is made of: macros and conditions are
    resolved, comments left out."""
    files = {os.path.basename(f)[:-3]: f for f in sources().split()}
    used, todo = set(), [files["gmmu_pkg"], *([files[module]] if module in files else []), *extra]
    while todo:
        path = todo.pop()
        if path not in used:
            used.add(path)
            todo += [files[m] for m in re.findall(r"\bgmmu_\w+", code_of(path)) if m in files]
    h = hashlib.sha256()
    for gates in ((), ("-DGMMU_GATE_CELLS", "-DGMMU_GATE_BITS=1")):
        words = ("iverilog", "-E", "-g2012", "-DYOSYS", "-DSYNTHESIS", *gates, "-Irtl")
        words += ("-Irtl/common", "-o", "-", *sorted(used))
        read = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=True).stdout
        h.update(" ".join(re.sub(COMMENT, "", read, flags=re.S).split()).encode())
    return h.hexdigest()


def flow(a):
    """Of what is done with the sources."""
    h = hashlib.sha256()
    for path in [paths.__file__, gate_cells(a.lib) or "", a.lib]:
        if path:
            with open(os.path.join(ROOT, path), "rb") as f:
                h.update(f.read())
    steps = (
        sources_of,
        synthesize,
        logic,
        mapped_cells,
        logic_ps,
        memory,
        memories,
        is_macro,
        timing,
        prepare,
    )
    for f in (*steps, latch_um2):
        h.update(inspect.getsource(f).encode())
    options = [getattr(a, k) for k in ("period", "macro_bits", "no_sta", "no_gates", *DEFAULTS)]
    h.update(json.dumps([RAM_PORTS, *options]).encode())
    return h.hexdigest()


def changes(r, before):
    """What a block's numbers were in the last kept run that had others, in one line."""
    out = []
    if before["flow"] != r["flow"]:
        out.append("(another flow or other options)")
    for what, key in (("um2", "area_um2"), ("flip-flops", "flip_flops"), ("ns", "path_ns")):
        x, y = ((q["timing"] or {}).get(key) if key == "path_ns" else q[key] for q in (before, r))
        if x and y and x != y:
            out.append(f"{x:,.4g} -> {y:,.4g} {what} ({100 * (y / x - 1):+.1f} %)")
    return ", ".join(out) or "nothing"


class NotRun(Exception):
    """Only what is kept was asked for, and this is not."""


def closes(r, a):
    """Its paths keep to the period: no further script of abc is tried."""
    return not r["timing"] or r["timing"]["path_ns"] <= a.period


def keys_of(module, params, a):
    """What a block's results hang on, by how many of abc's scripts were tried, so that one more at
    the end of the list leaves those that close as they are; and what is done with its sources."""
    doing = flow(a)
    what = [digest(module, a.source), doing, module, sorted(params.items())]
    scripts = [STEPS[s] for s in ABC[a.abc]]
    texts = [json.dumps([*what, scripts[: n + 1]]) for n in range(len(scripts))]
    return [hashlib.sha256(x.encode()).hexdigest() for x in texts], doing


def run_block(stem, module, params, a):
    """Synthesis and timing, or what is kept of them. Raises RuntimeError."""
    what = [module, sorted(params.items())]
    keys, doing = keys_of(module, params, a)
    r = None
    for key in keys if not a.fresh else ():
        kept = os.path.join(OUT, "kept", f"{key[:24]}.json")
        if os.path.exists(kept):
            with open(kept) as f:
                r = json.load(f)
            if closes(r, a) or key == keys[-1]:
                break
            r = None
    if r is None and a.kept:
        raise NotRun
    if r is None:
        r = synthesize(stem, module, params, a)
        r["flow"], r["abc_ns"], r["commit"] = doing, logic_ps(a) / 1000, commit()
        key = keys[ABC[a.abc].index(r["steps"]) if closes(r, a) else -1]
        keep(os.path.join(OUT, "kept", f"{key[:24]}.json"), r)
    # The last results of this block with these parameters: the newest, and the one before it.
    name = hashlib.sha256(json.dumps(what).encode()).hexdigest()[:24]
    last = os.path.join(OUT, "kept", f"last-{name}.json")
    line = []
    if os.path.exists(last):
        with open(last) as f:
            line = json.load(f)
    if not line or line[-1] != f"{key[:24]}.json":
        line = [*line[-1:], f"{key[:24]}.json"]
        keep(last, line)
    if len(line) == 2 and os.path.exists(os.path.join(OUT, "kept", line[0])):
        with open(os.path.join(OUT, "kept", line[0])) as f:
            r["changes"] = changes(r, json.load(f))
    return r


def keep(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".new", "w") as f:
        json.dump(data, f)
    os.replace(path + ".new", path)


def alone(folder=OUT):
    """Files in there have the names of blocks: one run at a time, to its end."""
    lock = open(os.path.join(folder, "lock"), "w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        where = os.path.relpath(folder, ROOT)
        print(f"waits for another run in {where}", file=sys.stderr, flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
    HELD.append(lock)


def prepare(a):
    """Folders, and the constraints of abc: with a driving cell and a load it buffers and sizes.
    Area of a NAND2."""
    need_cells(a.lib)
    if not os.path.exists(a.lib):
        sys.exit(f"synth: no liberty file {a.lib}")
    with open(a.lib, errors="replace") as f:
        nand2 = re.search(r"cell\s*\(\s*NAND2X1\s*\)\s*\{.*?area\s*:\s*([\d.]+)", f.read(), re.S)
    if not nand2:
        sys.exit(f"synth: {a.lib}: no liberty file with a cell NAND2X1")
    if not a.no_sta and not shutil.which("sta"):
        sys.exit("synth: no sta (OpenSTA) for timing: scripts/setup.sh synth, or --no-sta")
    logic_ps(a)
    os.makedirs(OUT, exist_ok=True)
    alone()
    os.makedirs(os.path.join(ROOT, "build/reports"), exist_ok=True)
    with open(os.path.join(OUT, "abc.constr"), "w") as f:
        f.write("set_driving_cell BUFX4\nset_load 50.0 [all_outputs]\n")
    return float(nand2[1])


def groups(memories):
    """{(cell with [] for indices, words, width, reads, writes, clocked): how many}"""
    return collections.Counter(
        (
            re.sub(r"\[\d+\]", "[]", m["cell"]),
            m["words"],
            m["width"],
            m["reads"],
            m["writes"],
            all(m["clocked"]),
        )
        for m in memories
    )


def way(p):
    """A path in the names of the source."""
    via = p["via"] if len(p["via"]) < 9 else [*p["via"][:4], "...", *p["via"][-4:]]
    return (
        f"{p['from']} ({p['from_src']}) -> {' -> '.join([*via, ''])}{p['to']} ({p['to_src']}), "
        f"{p['gates']} gates"
    )


def limits(r, a):
    """What limits a block, and what changed."""
    t = r["timing"]
    if t and t["inner"]:
        print(f"\n{r['block']}: longest path {t['inner']['ns']:.2f} ns: {way(t['inner'])}")
    if t and t["all"] and t["all"] != t["inner"]:
        print(
            f"{r['block']}: through ports, {a.in_ns} ns before an input and {a.out_ns} ns after an "
            f"output: {t['all']['ns']:.2f} ns: {way(t['all'])}"
        )
    if t and t.get("gating"):
        g = t["gating"]
        print(f"{r['block']}: slack at clock gates: {g['setup_ns']} ns set-up, {g['hold_ns']} hold")
    if t:
        print(f"{r['block']}: slack of {t['slack']['ends']} end points")
        print("\n".join(paths.histogram(t["slack"])))
    if "changes" in r:
        print(f"{r['block']}: since the last kept run: {r['changes']}")


def options(ap):
    """Those of the flow, the same in scripts/area.py."""
    ap.add_argument("--no-sta", action="store_true")
    ap.add_argument("--no-gates", action="store_true", help="enables instead of clock gates")
    ap.add_argument("--abc", choices=tuple(ABC), default="closing")
    for k, v in DEFAULTS.items():
        ap.add_argument("--" + k.replace("_", "-"), type=float, default=v)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--preset", default="fpga-small")
    ap.add_argument("--set", action="append", default=[])
    ap.add_argument("--block", default="")
    ap.add_argument("--lib", default=OSU)
    ap.add_argument("--period", type=float, default=5.0, help="ns; abc -D: it without --ff-ns")
    ap.add_argument("--macro-bits", type=int, default=512)
    options(ap)
    ap.add_argument("--flat", action="store_true", help="gmmu_top as a whole as well")
    ap.add_argument(
        "--bit-um2", type=float, default=0, help="area of a bit of the memories that are left out"
    )
    ap.add_argument("--top", default="")
    ap.add_argument("--param", action="append", default=[])
    ap.add_argument("--source", action="append", default=[], help="files beside rtl/, for --top")
    ap.add_argument("--jobs", type=int, default=2)
    ap.add_argument("--fresh", action="store_true")
    a = ap.parse_args()
    if a.bit_um2 < 0:
        sys.exit(f"synth: --bit-um2 {a.bit_um2}: an area is not negative")
    a.kept = False
    nand2 = prepare(a)
    c = config(a.preset, a.set)
    wanted = [b for b in a.block.split(",") if b]
    known = list(blocks())
    if a.top:
        if not re.fullmatch(r"gmmu_\w+", a.top) or not all(
            re.fullmatch(r"\w+=\d+", p) for p in a.param
        ):
            sys.exit("synth: --top is a module of rtl/, --param a KEY=VALUE")
        known = [(a.top, a.top, "1", dict(p.split("=") for p in a.param), "")]
    elif a.param or a.source:
        sys.exit("synth: --param and --source need --top")
    for b in wanted:
        if b not in [k[0] for k in known]:
            sys.exit(f"synth: no block '{b}'; there are: {', '.join(k[0] for k in known)}")
    rows, bad, todo = [], 0, []
    pool = concurrent.futures.ThreadPoolExecutor(a.jobs)
    if a.flat:
        known.append(("flat", "gmmu_top", "1", parameters(a.preset, a.set, bare=True), ""))
        wanted += ["flat"] if wanted else []
    for name, module, copies, params, needs in known:
        if (wanted and name not in wanted) or (needs and not c.get(needs)):
            continue
        values = {k: value(str(v), c) for k, v in params.items()}
        todo.append(
            (
                name,
                module,
                copies,
                needs,
                values,
                pool.submit(run_block, name, module, values, a),
            )
        )
    for n, (name, module, copies, needs, values, job) in enumerate(todo):
        progress(f"{name}, preset {a.preset}, {n + 1} of {len(todo)}")
        try:
            r = job.result()
        except RuntimeError as e:
            progress("")
            print(f"synth: {name}: {e}", file=sys.stderr)
            bad += 1
            continue
        rows.append(
            dict(
                block=name,
                module=module,
                part="flat" if name == "flat" else part(needs),
                copies=value(copies, c),
                parameters=values,
                nand2=round(r["area_um2"] / nand2),
                **r,
            )
        )
    progress("")
    print(
        f"preset {a.preset}, {os.path.basename(a.lib)}, clock {a.period} ns; memories of "
        f"{a.macro_bits} bits and more apart"
        if a.macro_bits
        else f"preset {a.preset}, {os.path.basename(a.lib)}, clock {a.period} "
        f"ns; memories in flip-flops"
    )
    print(
        f"{'block':12} {'copies':>6} {'area um2':>10} {'NAND2':>8} {'cells':>8} {'FFs':>7} "
        f"{'gates':>6} {'RAM bits':>9} {'path ns':>8} {'Fmax MHz':>8} {'ports ns':>8}"
    )
    if not wanted and not bad:
        rows.sort(key=lambda r: ("mmu", "memory", "axi", "flat").index(r["part"]))
    for r in rows:
        t = r["timing"] or {"path_ns": float("nan"), "fmax_mhz": float("nan"), "all": None}
        print(
            f"{r['block']:12} {r['copies']:6} {r['area_um2']:10.0f} {r['nand2']:8} "
            f"{r['cells']:8} {r['flip_flops']:7} "
            f"{r['clock_gates']:6} {sum(m['bits'] for m in r['macros']):9} {t['path_ns']:8.2f} "
            f"{t['fmax_mhz']:8.1f} {t['all']['ns'] if t['all'] else float('nan'):8.2f}"
        )
    sums = (
        {} if wanted or bad or a.top else {"sum, gmmu_top": [r for r in rows if r["part"] == "mmu"]}
    )
    if sums and any(r["part"] == "axi" for r in rows):
        sums["gmmu_axi"] = [r for r in rows if r["part"] in ("mmu", "axi")]
    if sums and any(r["part"] == "memory" for r in rows):
        sums["gmmu_memory"] = [r for r in rows if r["part"] == "memory"]
    for what, of in sums.items():
        print(
            f"{what:19} {sum(r['area_um2'] * r['copies'] for r in of):10.0f} "
            f"{sum(r['nand2'] * r['copies'] for r in of):8} "
            f"{sum(r['cells'] * r['copies'] for r in of):8} "
            f"{sum(r['flip_flops'] * r['copies'] for r in of):7} "
            f"{sum(r['clock_gates'] * r['copies'] for r in of):6} "
            f"{sum(m['bits'] * r['copies'] for r in of for m in r['macros']):9}"
        )
    if a.bit_um2:
        for r in rows:
            bits = sum(m["bits"] for m in r["macros"])
            r["macro_um2"] = bits * a.bit_um2
            print(
                f"  {r['block']}: with {bits} memory bits of {a.bit_um2} um2: "
                f"{r['area_um2'] + r['macro_um2']:.0f} um2"
            )
    for r in rows:
        for kind in ("macros", "mapped"):
            for (cell, words, width, rd, wr, clocked), n in sorted(groups(r[kind]).items()):
                if kind == "macros" or words * width >= max(1, a.macro_bits):
                    print(
                        f"  {r['block']}: {n} x {words} x {width} bits, {rd} read {wr} write"
                        f"{'' if clocked else ', read without clock'}"
                        f"{', in flip-flops' if kind == 'mapped' else ''}  {cell}"
                    )
    for r in rows:
        limits(r, a)
    out = os.path.join(ROOT, "build/reports/synth.json")
    with open(out + ".new", "w") as f:
        json.dump(
            {
                "preset": a.preset,
                "lib": os.path.basename(a.lib),
                "period_ns": a.period,
                "macro_bits": a.macro_bits,
                "abc": a.abc,
                **{k: getattr(a, k) for k in DEFAULTS},
                "nand2_um2": nand2,
                "blocks": rows,
            },
            f,
            indent=1,
        )
        f.write("\n")
    os.replace(out + ".new", out)
    return bad != 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        print("synth: interrupted; what ended is kept", file=sys.stderr)
        os._exit(130)  # what runs in threads is not waited for
