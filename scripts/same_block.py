#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves that a block of the RTL is what it was in an older commit, after its files were cut anew.

usage: same_block.py OLD[..NEW] BLOCK[=NAME] [NAME[:NEW]=VALUE ...] [--map OLD=NEW ...] [--more]
                     [--keep]

NEW: another commit than the files as they are. BLOCK=NAME: what it is called there, and NAME:NEW
what a parameter is. Blocks are those of rtl/ and of the SIMT core (tb/simt/gmmu_sm*.sv). Both
versions of BLOCK, with these parameters, are flattened to gates (Yosys); every memory becomes
flip-flops. Each flip-flop of the old one is paired with one of the new by its name: the last part
of its path with the indices on the way; where several have the same, in the order of their paths
read from the end. --map: a regular expression of old paths, and of names of ports, and its
replacement, applied first. --more: outputs that only the new one has are not compared. Then each
flip-flop is cut, its input made an output and its output an input, and berkeley-abc's `cec` proves
every output and every flip-flop's next state equal. There is no initial state (reset is
synchronous, thus in the next state), so a pairing for which this holds is a proof whatever it was
guessed from: the two give the same outputs in every cycle from every state. Exits with 1 on a
difference, or when the flip-flops cannot be paired: a wrong pairing shows as a difference."""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

import formal
import synth

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(args, log, **kw):
    with open(log, "w") as f:
        if subprocess.run(args, stdout=f, stderr=subprocess.STDOUT, **kw).returncode:
            with open(log) as g:
                sys.exit(f"same_block: {args[0]} fails:\n" + "".join(g.readlines()[-15:]))


def blif(tree, block, params, out):
    """The gates of `block` in the files of `tree`, as BLIF."""
    with open(f"{tree}/sim/gmmu.f") as f:
        files = [line.strip() for line in f if line.startswith("rtl/")]
    if block.startswith("gmmu_sm"):
        files = sorted(os.path.relpath(x, tree) for x in glob.glob(f"{tree}/tb/simt/gmmu_sm*.sv"))
    chparam = "".join(f" -set {n} {v}" for n, v in (p.split("=") for p in params))
    script = (
        f"read_verilog -sv -defer -DSYNTHESIS -I rtl -I rtl/common -I tb/simt {' '.join(files)}\n"
        f"{f'chparam{chparam} {block}' if chparam else ''}\nhierarchy -check -top "
        f"{block}\nproc\nopt_expr\nopt_clean\nmemory_collect\nmemory_map\n"
        f"simplemap\nflatten\nopt_expr\nopt_clean\nrename -top same_block\n"
        f"techmap\nsimplemap\nopt_clean\nwrite_blif {out}\n"
    )
    with open(out + ".ys", "w") as f:
        f.write(script)
    run([synth.YOSYS, "-s", out + ".ys"], out + ".log", cwd=tree)


def path_of(net):
    """Path of a flip-flop from the name of its output."""
    return re.sub(r"\$\d+(?=$|\[)", "", re.sub(r"\$memory|\$flatten|\\", "", net))


def read(path):
    """(lines but those of flip-flops, [(input, output, path of a flip-flop)])"""
    with open(path) as f:
        text = f.read().replace("\\\n", "")
    latches, rest = [], []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == [".latch"]:
            latches.append((words[1], words[2], path_of(words[2])))
        else:
            rest.append(line)
    return rest, latches


def short(path):
    """Last part of a path, with the indices of the parts before."""
    # An index behind the last dot (memories, vectors) stays; dots inside brackets do not occur.
    parts = path.split(".")
    return ".".join([i for p in parts[:-1] for i in re.findall(r"\[\d+\]", p)] + parts[-1:])


def pair(old, new, maps):
    """Names for the flip-flops: {output of the old: name}, {output of the new: name}."""
    groups = []
    for latches, use in ((old, maps), (new, [])):
        g = {}
        for _, q, p in latches:
            for a, b in use:
                p = re.sub(a, b, p)
            g.setdefault(short(p), []).append((p, q))
        groups.append(g)
    a, b = groups
    bad = [
        f"  {k}: {len(a.get(k, []))} old, {len(b.get(k, []))} new "
        f"({(a.get(k) or b.get(k))[0][0]})"
        for k in sorted(set(a) | set(b))
        if len(a.get(k, [])) != len(b.get(k, []))
    ]
    if bad:
        sys.exit(
            "same_block: flip-flops without a pair:\n"
            + "\n".join(bad[:40])
            + (f"\n  ... {len(bad)} names" if len(bad) > 40 else "")
        )
    names = ({}, {})
    for i, k in enumerate(sorted(a)):
        for g, n in zip((a, b), names):
            for j, (_, q) in enumerate(sorted(g[k], key=lambda x: x[0].split(".")[::-1])):
                n[q] = f"ff{i}_{j}"
    return names


def port_names(rest, latches, use):
    """The old block with the new one's names of ports, by the same expressions."""
    new = {}
    for line in rest:
        if line.startswith((".inputs", ".outputs")):
            for port in line.split()[1:]:
                name = port
                for a, b in use:
                    name = re.sub(a, b, name)
                if name != port:
                    new[port] = name
    if not new:
        return rest, latches
    rest = [re.sub(r"[^ =]+", lambda m: new.get(m[0], m[0]), x) for x in rest]
    return rest, [(new.get(d, d), new.get(q, q), path) for d, q, path in latches]


def cut(rest, latches, names, path):
    """Writes the logic between flip-flops."""
    with open(path, "w") as f:
        for line in rest:
            if line.startswith(".inputs"):
                line = ".inputs " + " ".join(
                    sorted(line.split()[1:]) + sorted(f"q_{names[q]}" for _, q, _ in latches)
                )
            elif line.startswith(".outputs"):
                line = ".outputs " + " ".join(
                    sorted(line.split()[1:]) + sorted(f"d_{names[q]}" for _, q, _ in latches)
                )
            elif line.startswith(".end"):
                for d, q, _ in latches:
                    f.write(f".names q_{names[q]} {q}\n1 1\n.names {d} d_{names[q]}\n1 1\n")
            f.write(line + "\n")


def main():
    a = argparse.ArgumentParser(usage=__doc__)
    a.add_argument("rev")
    a.add_argument("block", metavar="BLOCK[=NAME]")
    a.add_argument("params", nargs="*")
    a.add_argument("--map", nargs="+", default=[], metavar="OLD=NEW")
    a.add_argument("--more", action="store_true")
    a.add_argument("--keep", action="store_true")
    o = a.parse_args()
    work = tempfile.mkdtemp(prefix="same_block_")
    try:
        old, _, new = o.rev.partition("..")
        both = []
        for name, rev in (("old", old), ("new", new)):
            tree = f"{work}/{name}"
            os.makedirs(tree)
            what = ["git", "archive", rev] if rev else ["tar", "c"]
            tar = subprocess.run(
                what + ["rtl", "tb/simt", "sim/gmmu.f"], cwd=ROOT, capture_output=True
            )
            if tar.returncode:
                sys.exit(f"same_block.py: {rev}: {tar.stderr.decode().strip()}")
            subprocess.run(["tar", "x", "-C", tree], input=tar.stdout, check=True)
        before, _, after = o.block.partition("=")
        for name, block in (("old", before), ("new", after or before)):
            tree = f"{work}/{name}"
            is_called = r"\1=" if name == "old" else r"\2="
            params = [re.sub(r"^(\w+):(\w+)=", is_called, p) for p in o.params]
            blif(tree, block, params, f"{work}/{name}.blif")
            both.append(read(f"{work}/{name}.blif"))
        (rest_a, ff_a), (rest_b, ff_b) = both
        use = [m.split("=", 1) for m in o.map]
        names_a, names_b = pair(ff_a, ff_b, use)
        ports_a, ff_a = port_names(rest_a, ff_a, use)
        names_a = {new[1]: names_a[old[1]] for old, new in zip(both[0][1], ff_a)}
        cut(ports_a, ff_a, names_a, f"{work}/a.blif")
        if o.more:
            known = {x for line in ports_a if line.startswith(".outputs") for x in line.split()}
            rest_b = [
                " ".join(x for x in line.split() if x in known)
                if line.startswith(".outputs")
                else line
                for line in rest_b
            ]
        cut(rest_b, ff_b, names_b, f"{work}/b.blif")
        run([formal.ABC, "-c", f"cec {work}/a.blif {work}/b.blif"], f"{work}/cec.log")
        with open(f"{work}/cec.log") as f:
            log = f.read()
        if "Networks are equivalent" not in log:
            where = {names_b[q]: p for _, q, p in ff_b}
            log = re.sub(r"ff\d+_\d+", lambda m: where.get(m[0], m[0]), log)
            found = [
                line for line in log.splitlines() if re.match(r"Verification failed|Output ", line)
            ]
            found = found or log.strip().splitlines()[-3:]
            sys.exit(f"same_block: {o.block} {' '.join(o.params)} differs\n" + "\n".join(found))
        print(
            f"same_block: {o.block} {' '.join(o.params)}: as in {old}: {len(ff_a)} flip-flops' "
            f"next states and "
            f"{sum(len(x.split()) - 1 for x in rest_a if x.startswith('.outputs'))} outputs "
            f"proved equal"
        )
    finally:
        if not o.keep:
            shutil.rmtree(work)
        else:
            print(work)


if __name__ == "__main__":
    main()
