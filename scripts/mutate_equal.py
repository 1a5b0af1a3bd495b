#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Proves of planted bugs in RTL that no run of scripts/mutate.py found that they change nothing.

usage: mutate_equal.py [--results DIR...] [--limit S] [--minutes M] [--size GATES] [--jobs N]
                       [--only TEXT,...] [--markdown FILE]

DIR: results of mutate.py with their builds, also of another tree [the newest build/mutate/rtl-*];
results for C go to scripts/mutate_same_c.py.
Every module that holds a bug, with the parameters of every instance in the builds that were run, is
compared with and without it: in every state, from reset on, and at its outputs alone; where that
fails, the module around it, of at most GATES gates. docs/mutation.md, "Survivors", has steps,
verdicts and what they rest on. Answers go to DIR/equal.jsonl as they come, verdicts to
DIR/equal.json and the table that is printed (--markdown: that of this page). --limit: seconds of
one proof.
--minutes: asks nothing more after these; what is not known by then is undecided. --jobs: modules
that are asked at once [processors].
--only: bugs whose id has one of these texts."""

import argparse
import collections
import concurrent.futures
import glob
import hashlib
import json
import math
import multiprocessing
import os
import re
import shutil
import subprocess
import sys
import time

import aig
import formal
import mutate
import mutate_same_c
import obs
import synth
from aig import NetlistError

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
GUARD = re.compile(r"gmmu_mut_pkg::m == 32'd(\d+)")


# ---- builds and their instances
def command_line(objects):
    """What Verilator was called with."""
    for f in os.listdir(objects):
        if f.endswith("__verFiles.dat"):
            with open(os.path.join(objects, f)) as h:
                return re.search(r'^C "(.*)"$', h.read(), re.M)[1].split()
    raise NetlistError(f"{objects}: no build of Verilator")


class Build:
    """One Verilated build with bugs: its sources, its top, the bugs that it holds."""

    def __init__(self, tree, name, objects):
        self.tree, self.name = tree, name
        words = command_line(os.path.join(tree, objects))
        self.held = mutate.alive(os.path.join(tree, objects))
        self.top = words[words.index("--top-module") + 1]
        self.parameters = [w[2:] for w in words if w.startswith("-G")]
        # as Verilator, which looks in the folder where it was started as well
        self.include = [tree, *(w[2:] for w in words if w.startswith("-I"))]
        self.files = [w for w in words if w.endswith(".sv")]
        if "-f" in words:
            with open(os.path.join(tree, words[words.index("-f") + 1])) as f:
                for line in map(str.strip, f):
                    if line.startswith("+incdir+"):
                        self.include.append(line[len("+incdir+") :])
                    elif line and not line.startswith("//"):
                        self.files.append(line)

    def design(self):
        return {
            "top": self.top,
            "files": [os.path.join(self.tree, f) for f in self.files],
            "include": [os.path.join(self.tree, i) for i in self.include],
            "parameters": self.parameters,
        }


def instances(builds):
    """{build: [(path, parent, module, parameters)]}"""
    r = subprocess.run(
        [
            os.path.join(ROOT, "scripts/slang.sh"),
            "--program",
            os.path.join(ROOT, "scripts/instances.py"),
        ],
        input=json.dumps([b.design() for b in builds]),
        text=True,
        capture_output=True,
    )
    if r.returncode:
        print(r.stdout + r.stderr, end="")
        sys.exit(r.returncode)
    return dict(zip((b.name for b in builds), json.loads(r.stdout)))


def chains(found, module):
    """For each instance of `module`: itself and what is around it, as (module, parameters), from
    the inside; each chain once."""
    by_path = {path: (parent, m, p) for path, parent, m, p in found}
    out = set()
    for path, _, m, _ in found:
        if m == module:
            chain = []
            while path is not None:
                path, m, p = by_path[path]
                chain.append((m, tuple(sorted(p.items()))))
            out.add(tuple(chain))
    return out


# ---- netlists
def closing(text, at):
    """Place of the parenthesis that closes the one at `at`."""
    depth = 0
    for m in re.compile(r"[()]").finditer(text, at):
        depth += 1 if m[0] == "(" else -1
        if depth == 0:
            return m.start()
    raise NetlistError("a guard without end")


def ones(text):
    return re.sub(r"(?<![\w'])'1(?![\w'])", "(~'0)", text)


def resolve(text, free):
    """The text with guards of `free` on nets of their own, gmmu_mut_N, and without the others: an
    expression that had one is as it was written. Where a guard stays, '1 is ~'0, as Yosys takes '1
    in an arm for one bit."""
    out, at = [], 0
    while True:
        m = GUARD.search(text, at)
        if not m:
            return "".join(out) + text[at:]
        before = text[: m.start()]
        if before.endswith("if ("):  # a statement
            out.append(text[at : m.start()])
            out.append(f"gmmu_mut_{m[1]}" if int(m[1]) in free else "1'b0")
            at = m.end()
            continue
        start = m.start() - 1
        if text[start] != "(":
            raise NetlistError("a guard that is no expression")
        end = closing(text, start)
        kept, i = [], m.start()
        while True:
            g = GUARD.match(text, i)
            i = g.end() + 3 if g else i
            if g and text[g.end() : i] != " ? " or text[i] != "(":
                raise NetlistError("a guard that is no expression")
            stop = closing(text, i)
            arm = resolve(text[i + 1 : stop], free)
            if not g:
                break
            if int(g[1]) in free:
                kept.append(f"gmmu_mut_{g[1]} ? ({ones(arm)}) : ")
            if text[stop : stop + 4] != ") : ":
                raise NetlistError("a guard without an original")
            i = stop + 4
        if stop + 1 != end:
            raise NetlistError("a guard with more behind its original")
        out.append(text[at:start])
        if kept:
            out.append("(" + "".join(kept) + f"({ones(arm)}))")
        else:
            out.append(arm)
        at = end + 1


SYNTHESIZED = {"SYNTHESIS", "YOSYS"}
SIMULATED = SYNTHESIZED | {"VERILATOR"}  # without assertions
PROVED_TEXT = {"FORMAL", "YOSYS"}  # scripts/formal.py


def chosen(text, defined):
    """A source with the branches that are read where these are defined."""
    out, on = [], [True]
    for line in text.split("\n"):
        m = re.match(r"\s*`(ifdef|ifndef|elsif|else|endif)\b\s*(\w*)", line)
        if m is None:
            out.append(line if all(on) else "")
        elif m[1] in ("ifdef", "ifndef"):
            on.append((m[2] in defined) == (m[1] == "ifdef"))
        elif m[1] == "endif":
            on.pop()
        else:  # what `elsif asks for is not followed: on in no branch is not read
            on[-1] = m[1] == "else" and not on[-1]
    return "\n".join(out)


class Sources:
    """The copy of the RTL with its guards, in which some bugs are chosen by a net of their own
    (gmmu_mut_N, which nothing drives) and the others are not there."""

    def __init__(self, copy):
        self.copy, self.text, self.texts = copy, {}, {}
        for d, _, names in sorted(os.walk(copy)):
            for n in sorted(names):
                if n.endswith((".sv", ".svh")) and n != "gmmu_mut.svh":
                    path = os.path.join(d, n)
                    with open(path, encoding="latin-1") as f:
                        self.text[os.path.relpath(path, copy)] = f.read()
        self.modules = {os.path.basename(p)[:-3]: p for p in self.text if p.endswith(".sv")}
        self.packages = {
            m for m, p in self.modules.items() if re.search(r"^package ", self.text[p], re.M)
        }
        self.holders = collections.defaultdict(list)
        for p, t in self.text.items():
            for n in sorted({int(n) for n in GUARD.findall(t)}):
                self.holders[n].append(p)

    def is_read(self, number, defined):
        return all(
            str(number) in GUARD.findall(chosen(self.text[p], defined))
            for p in self.holders[number]
        )

    def is_module(self, path):
        return path.endswith(".sv") and os.path.basename(path)[:-3] not in self.packages

    def parts(self, module):
        """Paths of all that a module is made of, packages first."""
        need, todo = set(), [module, *self.packages]
        while todo:
            m = todo.pop()
            if m in self.modules and m not in need:
                need.add(m)
                todo += re.findall(r"\bgmmu_\w+", self.text[self.modules[m]])
        return [self.modules[m] for m in sorted(need, key=lambda m: (m not in self.packages, m))]

    def plain(self, module):
        """Text of all that a module is made of, without bugs."""
        if module not in self.texts:
            heads = sorted(p for p in self.text if p.endswith(".svh"))
            self.texts[module] = "".join(
                resolve(self.text[p], set()) for p in [*heads, *self.parts(module)]
            )
        return self.texts[module]

    def modules_with(self, number):
        """Modules in whose text a bug is: their own, that of a file that they include, or of a
        function of the package that they call."""
        todo, seen, out = list(self.holders[number]), set(), set()
        while todo:
            p = todo.pop()
            if p in seen:
                continue
            seen.add(p)
            name = os.path.basename(p)
            if name.endswith(".svh"):
                todo += [q for q, t in self.text.items() if f'`include "{name}"' in t]
            elif name[:-3] not in self.packages:
                out.add(name[:-3])
            else:
                for f in self.functions_with(p, number):
                    call = re.compile(rf"\b{name[:-3]}::{f}\b")
                    todo += [q for q, t in self.text.items() if call.search(t)]
        return out

    def functions_with(self, package, number):
        """Functions of a package in which a bug is, or that call such."""
        bodies = dict(
            re.findall(
                r"\bfunction automatic [^;(]*?(\w+)\s*\((.*?)\bendfunction\b",
                self.text[package],
                re.S,
            )
        )
        found = {f for f, b in bodies.items() if str(number) in GUARD.findall(b)}
        if not found:
            raise NetlistError(f"{package}: bug {number} is in no function")
        while more := {
            f
            for f, b in bodies.items()
            if f not in found and any(re.search(rf"\b{x}\s*\(", b) for x in found)
        }:
            found |= more
        return found

    def write(self, out, free, defined):
        """The sources with the bugs of `free` to be chosen; their files as they are read where
        `defined` are."""
        # A net of that name in the module is what a function of the package finds.
        shared = {n for n in free if any(not self.is_module(p) for p in self.holders[n])}
        for p, t in self.text.items():
            if any(p in self.holders[n] for n in free):
                t = chosen(t, defined)
            t = resolve(t, free)
            t = t.replace('`include "gmmu_mut.svh"', "", 1)
            if self.is_module(p):
                here = sorted(shared | {n for n in free if p in self.holders[n]})
                wires = "".join(f" wire gmmu_mut_{n};" for n in here)
                t, n = re.subn(r"^\);", lambda m: m[0] + wires, t, count=1, flags=re.M)
                if n != 1 and here:
                    raise NetlistError(f"{p}: where do its ports end?")
            path = os.path.join(out, p)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="latin-1") as f:
                f.write(t)


CUT = os.path.join(ROOT, "scripts/mutate_cut.v")


def to_blif(sources, work, module, parameters, free, defined, limit, cut=False):
    """Writes work/net.blif, the netlist of a module with these parameters, without its memories if
    they are to be cut; of the bugs in `free` those that are in it."""
    shutil.rmtree(work, ignore_errors=True)
    os.makedirs(work)
    sources.write(work + "/rtl", free, defined)
    sets = "".join(f" -set {k} {v}" for k, v in parameters)
    script = (
        f"read_verilog -sv -defer -DSYNTHESIS -I rtl -I rtl/common "
        f"{' '.join('rtl/' + p for p in sources.parts(module))}\n"
        f"{f'chparam{sets} {module}' if sets else ''}\n"
        f"hierarchy -check -top {module}\nwrite_rtlil net.il\n"
        "proc\nopt_expr\nopt_clean\nmemory_collect\n"
        f"{f'techmap -autoproc -map {CUT}' if cut else ''}\n"
        "memory_map\nopt_expr\nsimplemap\ntechmap\n"
        "opt_expr\ndffunmap\nsimplemap\naigmap\nopt_clean\nflatten\n"
        "opt_clean\nrename -top gmmu_equal\nwrite_blif net.blif\n"
    )
    with open(work + "/net.ys", "w") as f:
        f.write(script)
    with open(work + "/net.log", "w") as log:
        try:
            r = subprocess.run(
                [synth.YOSYS, "-s", "net.ys"],
                cwd=work,
                stdout=log,
                stderr=log,
                timeout=limit,
                env={**os.environ, "GMMU_BEYOND": "1"},
            )
        except subprocess.TimeoutExpired:
            raise NetlistError(f"Yosys: no end in {limit} s") from None
    if r.returncode:
        with open(work + "/net.log") as f:
            said = f.read().strip().splitlines()
        raise NetlistError("Yosys: " + (said or ["no word"])[-1])
    # What gets a choice as it is (a constant that a bug turns) is one net with it, whose name Yosys
    # takes for the driver of the choice.
    alias = re.compile(r"^\.names (\S+) ((?:\S+\.)?gmmu_mut_\d+)$", re.M)
    with open(work + "/net.blif") as f:
        text = alias.sub(r".names \2 \1", f.read())
    with open(work + "/net.blif", "w") as f:
        f.write(text)
    with open(work + "/net.il") as f:
        read = [line for line in f if "gmmu_mut_" in line and not line.lstrip().startswith("wire ")]
    return {int(n) for line in read for n in re.findall(r"\\gmmu_mut_(\d+)\b", line)}


# ---- proofs
def abc(script, limit):
    try:
        r = subprocess.run(
            [formal.ABC, "-q", script], capture_output=True, text=True, timeout=limit
        )
    except subprocess.TimeoutExpired as e:
        return (e.stdout or b"").decode(errors="replace")
    return r.stdout


def refuted(text):
    m = re.search(r"Output \d+ .*was asserted in frame (\d+)", text)
    return int(m[1]) + 1 if m else None


# Nets that nothing drives: choices of bugs, and what is undefined: Yosys's word for it, and words
# of a memory beyond its last, or that is cut.
FREE = re.compile(
    r"(?:^|\.)gmmu_mut_(\d+)$|^\$undef$|^(?:\$flatten.*\.)?\$memory.*\$rdmux\["
    r"|\bgmmu_cut(?:_too)?(?:\[|$)"
)
SEEN = re.compile(r"\bgmmu_seen_")
PROVED = re.compile(r"Property proved|^UNSATISFIABLE|^Networks are equivalent", re.M)


def payload():
    """{module: {output: what says that it means something}} of tb/mutants/payload.txt"""
    out = collections.defaultdict(dict)
    with open(os.path.join(ROOT, "tb/mutants/payload.txt")) as f:
        for n, line in enumerate(f, 1):
            if line.strip() and not line.startswith("#"):
                parts = [p.strip() for p in line.split("|")]
                if len(parts) != 3:
                    sys.exit(f"tb/mutants/payload.txt:{n}: expected: module | outputs | valid")
                out[parts[0]].update({p: parts[2] for p in parts[1].split()})
    return out


def conditions(port):
    """{bit of an observation port: [[bits of which one must be 1]...]}"""
    out = {}
    for f in port.fields():
        for i in range(f.group.count):
            needs, field = [], f
            while field.needs:
                field = port.field(field.needs)
                at = field.lsb + field.group.stride * i
                needs.append(range(at, at + field.width))
            for b in range(f.width):
                out[f.lsb + f.group.stride * i + b] = needs
    return out


class Model:
    """A netlist with its bugs as functions of inputs and registers."""

    def __init__(self, path, work, limit):
        self.limit = limit
        self.net = aig.Netlist(path, FREE.search)
        self.work = work
        self.aig = aig.Aig()
        n = self.net
        self.bugs = collections.defaultdict(list)
        for f in n.free:
            number = FREE.search(n.name[f])[1]
            if number:
                self.bugs[int(number)].append(f)
        self.first = self.aig.source()  # register: 0 in the first cycle
        self.values = {x: self.aig.source() for x in n.inputs}
        # What is undefined, a read beyond an array, is any value, and the same in both.
        chosen = {f for nets in self.bugs.values() for f in nets}
        for f in n.free:
            self.values[f] = 0 if f in chosen else self.aig.source()
        # What a memory that is cut is asked and given is an output.
        self.next = {q: d for d, q in n.latches if not SEEN.search(n.name[q])}
        seen = {q: d for d, q in n.latches if q not in self.next}
        self.values.update({q: self.aig.source() for q in seen})
        self.outputs = [*n.outputs, *seen.values()]
        self.is_cut = bool(seen)
        # The first cycle is the one after reset: what reset sets to a value has it, anything else
        # is any value, and the same with and without the bug.
        self.q = {q: self.aig.source() for q in self.next}
        self.reset = {}
        self.values.update(self.q)
        self.reset = self.constants(n.evaluate(self.aig, self.under_reset(self.values)))
        self.start = {q: self.aig.source() for q in self.next if q not in self.reset}
        for q in self.next:
            self.values[q] = self.shown(self.q[q], q, self.reset.get(q))
        self.plain = n.evaluate(self.aig, self.values)

    def under_reset(self, values):
        reset = self.net.id.get("rst_ni")
        return values if reset not in values else values | {reset: 0}

    def constants(self, values):
        """{register: 0 or 1} of those whose next value is a constant."""
        return {q: values[d] for q, d in self.next.items() if values[d] in (0, 1)}

    def shown(self, source, q, reset):
        """Value of a register of AIGER, which starts with 0, as register q."""
        if reset is None:
            return self.aig.mux(self.first, source, self.start[q])
        return source ^ reset

    def latches(self):
        """{register's source: next value} without a bug"""
        out = {self.q[q]: self.plain[d] ^ self.reset.get(q, 0) for q, d in self.next.items()}
        return out | {self.first: 1}

    def closure(self, bad, latches):
        """Those of the registers that `bad` depends on."""
        used, seen, todo = {}, set(), [bad >> 1]
        left, right = self.aig.left, self.aig.right
        while todo:
            n = todo.pop()
            if n in seen:
                continue
            seen.add(n)
            if left[n] >= 0:
                todo.append(left[n] >> 1)
                todo.append(right[n] >> 1)
            elif 2 * n in latches:
                used[2 * n] = latches[2 * n]
                todo.append(latches[2 * n] >> 1)
        return used

    # ---- one bug
    def resets(self, number):
        """{register: its value after reset, None: any} of those that the bug changes."""
        start = self.values | self.q
        values = self.net.evaluate(self.aig, self.under_reset(start))
        got = self.net.change(self.aig, values, {f: 1 for f in self.bugs[number]})
        out = {}
        for q, d in self.next.items():
            if d in got and (got[d] in (0, 1) or q in self.reset):
                with_bug = got[d] if got[d] in (0, 1) else None
                if with_bug != self.reset.get(q):
                    out[q] = with_bug
        return out

    def local(self, number):
        """Does it change an output or what a register becomes, in a state that is reached? As one
        copy of the module: as long as it changes nothing, both are in the same state."""
        got = self.net.change(self.aig, self.plain, {f: 1 for f in self.bugs[number]})
        pairs = {n: (self.plain[n], got[n]) for n in self.outputs if n in got}
        pairs |= {q: (self.plain[d], got[d]) for q, d in self.next.items() if d in got}
        names = [self.net.name[n] for n in pairs]
        if not pairs:
            return "equal", "same gates", []
        bad = self.aig.any(self.aig.xor(a, b) for a, b in pairs.values())
        # In every state, the one after reset is the next one of another: nothing else to compare.
        path = self.work + "/local.aig"
        aig.write_aiger(path, self.aig, [bad], {})
        if bad == 0 or PROVED.search(abc(f"read_aiger {path}; strash; sat -C 300000", 60)):
            return "equal", "in every state", names
        if self.resets(number):
            return "differs", "after reset", names
        return (*self.search(path, bad, self.latches()), names)

    def search(self, path, bad, latches, proof=True):
        """Is `bad` reached from reset?"""
        if bad == 0:
            return "equal", "in every state"
        used = self.closure(bad, latches)
        aig.write_aiger(path, self.aig, [bad], used)
        read = f"read_aiger {path}; strash"
        if not used:
            text = abc(f"{read}; sat -C 1000000", self.limit + 60)
            if PROVED.search(text):
                return "equal", "in every state"
            found = re.search("^SATISFIABLE", text, re.M)
            return ("differs", "in cycle 1") if found else ("undecided", "time")
        # What shows at once first; then by induction, which finds most of what is equal.
        n = refuted(abc(f"{read}; bmc3 -F 6 -T 3", 30))
        if n is None and proof:
            less = f"{read}; &get -n; &scorr; &put; dc2; print_stats"
            text = abc(f"{less}; pdr -T {self.limit}", 2 * self.limit + 90)
            if re.search(r"lat =\s*0\b", text):  # of no state pdr of Yosys 0.52 says nothing
                text = abc(f"{less}; sat -C 1000000", self.limit + 60)
                n = 1 if re.search("^SATISFIABLE", text, re.M) else None
            if PROVED.search(text):
                return "equal", f"in every state that is reached, by its {len(used) - 1} registers"
            n = refuted(text) if n is None else n
        if n is None:
            n = refuted(abc(f"{read}; bmc3 -F 40 -T {self.limit}", self.limit + 30))
        return ("differs", f"in cycle {n}") if n is not None else ("undecided", "time")

    def masked(self, module, pairs):
        """Those of the pairs of outputs that differ while they mean something, as literals; None if
        no rule is about any of them."""
        g, rules = self.aig, payload().get(module, {})
        ports = collections.defaultdict(dict)
        for n in self.net.outputs:
            name, _, index = self.net.name[n].rstrip("]").partition("[")
            ports[name][int(index or 0)] = n
        out, used = [], False
        for n, (a, b) in pairs.items():
            if n not in self.net.outputs:  # of a memory that is cut
                out.append(g.xor(a, b))
                continue
            name, _, index = self.net.name[n].rstrip("]").partition("[")
            index, says, differs = int(index or 0), rules.get(name), g.xor(a, b)
            if says is not None and says.startswith("obs "):
                port = next(p for p in obs.load() if p.name == says[4:])
                width = port.bits
                if len(ports[name]) % width:
                    raise NetlistError(f"{module}: {name} is no port of {says}")
                for needs in conditions(port).get(index % width, ()):
                    at = [ports[name][index - index % width + x] for x in needs]
                    differs = g.and_(differs, g.any(self.plain[x] for x in at))
                    used = True
            elif says is not None:
                parts = len(ports[says])
                if not parts or len(ports[name]) % parts:
                    raise NetlistError(f"{module}: {name} does not go with {says}")
                valid = ports[says][index // (len(ports[name]) // parts)]
                differs = g.and_(differs, self.plain[valid])
                used = True
            out.append(differs)
        return out if used else None

    def outside(self, number, proof, module):
        """Does it change an output, in two copies of which one has it? Without `proof`: only a
        search for a run in which it does."""
        g = self.aig
        changes = {f: 1 for f in self.bugs[number]}
        twin, start = {}, {}
        new = self.resets(number)
        while True:
            for q in new:
                twin[q] = g.source()
                start[q] = new[q] if q in new else None
                if start[q] is None and q not in self.start:
                    changes[q] = g.mux(self.first, twin[q], g.source())
                else:
                    changes[q] = self.shown(twin[q], q, start[q])
            got = self.net.change(g, self.plain, changes)
            new = {q: self.reset.get(q) for q, d in self.next.items() if d in got and q not in twin}
            if not new:
                break
        pairs = {n: (self.plain[n], got[n]) for n in self.outputs if n in got}
        names = [self.net.name[n] for n in pairs]
        bad = g.any(g.xor(a, b) for a, b in pairs.values())
        if bad == 0:
            return "equal", "no output depends on it", names
        latches = self.latches()
        for q, s in twin.items():
            d = self.next[q]
            latches[s] = got.get(d, self.plain[d]) ^ (start[q] or 0)
        path = self.work + "/outside.aig"
        verdict, how = self.search(path, bad, latches, proof)
        if verdict == "differs" and (means := self.masked(module, pairs)) is not None:
            unseen = self.search(path, g.any(means), latches)
            if unseen[0] == "equal":
                return "unseen", f"but for what means nothing equal {unseen[1]}", names
        return verdict, how, names


# ---- all of them
def rests():
    """What an answer rests on beside the design."""
    h = hashlib.sha256()
    names = "scripts/mutate_equal.py scripts/mutate_cut.v scripts/aig.py tb/mutants/payload.txt "
    names += "rtl/observation.txt"
    for name in names.split():
        with open(os.path.join(ROOT, name), "rb") as f:
            h.update(f.read())
    return h.digest()


RESTS = rests()


def started(prover):
    """In each process that answers."""
    global PROVER
    PROVER = prover


def answers(level, numbers):
    return PROVER.ask(level, numbers)


class Prover:
    def __init__(self, o, directory):
        self.o, self.dir = o, os.path.abspath(directory)
        self.end = time.time() + 60 * o.minutes
        self.tree = os.path.dirname(os.path.dirname(os.path.dirname(self.dir)))
        with open(os.path.join(self.dir, "result.json")) as f:
            self.result = json.load(f)
        name = os.path.basename(self.dir)
        self.sources = Sources(os.path.join(self.dir, "copy-" + name))
        self.bugs = {
            m["number"]: m
            for m in self.result["mutants"]
            if m["verdict"] in mutate.LATE
            and (not o.only or any(x in m["id"] for x in o.only.split(",")))
        }
        self.path = os.path.join(self.dir, "equal.jsonl")
        self.known = {}
        if os.path.exists(self.path):
            with open(self.path) as f:
                for x in map(json.loads, f):
                    self.known[x["key"]] = x
        # What took too long or was too large is asked again with more.
        again = {"undecided": ("limit", o.limit), "large": ("size", o.size)}
        for k, x in list(self.known.items()):
            field, now = again.get(x["verdict"], ("limit", 0))
            if x[field] < now:
                del self.known[k]
        self.work = os.path.join(self.dir, "equal")
        shutil.rmtree(self.work, ignore_errors=True)  # netlists with other bugs
        os.makedirs(self.work, exist_ok=True)

    def builds(self):
        """The builds that the bugs were run in."""
        names = {x["target"] for m in self.bugs.values() for x in m["runs"]}
        names = {x for x in names if not x.startswith("proof-")}
        root, mutate.ROOT = mutate.ROOT, self.tree
        try:
            out = []
            for t in mutate.targets():
                if t.name in names:
                    t.place(self.sources.copy)
                    out.append(Build(self.tree, t.name, t.objects))
        finally:
            mutate.ROOT = root
        if {b.name for b in out} != names:
            sys.exit(f"mutate_equal: builds that are not known: {names - {b.name for b in out}}")
        return out

    def plan(self):
        """{bug: [chain...]}: where its module stands in the builds that hold it."""
        builds = self.builds()
        found = instances(builds)
        out = {}
        for n in self.bugs:
            out[n] = set()
            for b in builds:
                if n in b.held:
                    for m in self.sources.modules_with(n):
                        for c in chains(found[b.name], m):
                            out[n].add(tuple(x for x in c if x[0] in self.sources.modules))
        return {n: sorted(c, key=lambda c: (len(c), c)) for n, c in out.items()}

    def key(self, number, level):
        """Name of a question: the bug, its module's text and parameters."""
        h = hashlib.sha256(json.dumps([self.bugs[number]["id"], level]).encode())
        h.update(self.sources.plain(level[0]).encode() + RESTS)
        return h.hexdigest()[:24]

    def ask(self, level, todo):
        """Answers for bugs in a module with parameters; kept as they come, and returned."""
        self.notes = []
        read = [n for n in todo if self.sources.is_read(n, SYNTHESIZED)]
        simulated = [n for n in todo if n not in read and self.sources.is_read(n, SIMULATED)]
        for numbers, defined in ((read, SYNTHESIZED), (simulated, SIMULATED)):
            if numbers:
                self.ask_netlist(level, numbers, defined)
        for n in set(todo).difference(read, simulated):
            self.note(n, level, "undecided", "no synthesis and no simulation reads it", [], 0)
        return self.notes

    def in_module(self, module, defined):
        """Bugs that are somewhere in a module, in text that is read where these are defined."""
        parts = {os.path.basename(p)[:-3] for p in self.sources.parts(module)}
        return {
            n
            for n in self.bugs
            if parts & self.sources.modules_with(n) and self.sources.is_read(n, defined)
        }

    def netlist(self, level, defined, cut):
        """(directory, bugs that it has, those that were asked for, or why there is none) of a
        module with all of its bugs; made once."""
        module, parameters = level
        name = hashlib.sha256(json.dumps([level, sorted(defined), cut]).encode()).hexdigest()[:24]
        kept = f"{self.work}/{name}"
        if os.path.exists(kept + "/there.json"):
            with open(kept + "/there.json") as f:
                return kept, *json.load(f)
        work, free = f"{self.work}/{os.getpid()}", self.in_module(module, defined)
        there, why = [], ""
        while not there and not why:
            try:
                limit = 20 * self.o.limit
                there = sorted(
                    to_blif(self.sources, work, module, parameters, free, defined, limit, cut)
                ) or [0]
            except NetlistError as e:
                bad = {int(n) for n in re.findall(r"gmmu_mut_(\d+)", str(e))} & free
                free -= bad
                why = "" if bad else str(e)[:200]
        shutil.rmtree(work + "/rtl", ignore_errors=True)
        shutil.rmtree(kept, ignore_errors=True)
        with open(work + "/there.json", "w") as f:
            json.dump([there, sorted(free), why], f)
        os.rename(work, kept)
        return kept, there, sorted(free), why

    def model(self, level, defined, cut, asked):
        """(model, bugs that it has, those that were asked for, why there is none)"""
        start, model = time.time(), None
        work, there, free, why = self.netlist(level, defined, cut)
        if not why:
            with open(work + "/net.blif", "rb") as f:
                size = f.read().count(b"\n.names")
            try:
                if size > self.o.size:
                    why = "large"
                else:
                    model = Model(work + "/net.blif", work, self.o.limit)
            except NetlistError as e:
                why = str(e)[:200]
        how = ", memories cut" if model and model.is_cut else ""
        print(
            f"{level[0]}{how}: {asked} bugs, "
            + (f"{len(model.net.gates)} gates, {len(model.next)} registers" if model else why)
            + f", {time.time() - start:.0f} s",
            flush=True,
        )
        return model, there, free, why

    def answer(self, model, level, number):
        got = model.local(number)
        if got[0] != "equal":
            got = model.outside(number, got[0] == "differs", level[0])
        if model.is_cut:
            return (got[0] if got[0] == "equal" else "cut", got[1] + ", memories cut", got[2])
        return got

    def ask_netlist(self, level, numbers, defined):
        first = {}  # answers with memories cut that are not the last word
        for cut in (True, False):
            model, there, free, why = self.model(level, defined, cut, len(numbers))
            if first and not model:  # with its memories it is too much: next with more around it
                break
            for n in sorted(numbers):
                start = time.time()
                if not model:
                    got = ("undecided" if why != "large" else "large", why, [])
                elif n not in free:
                    got = ("undecided", "Yosys does not take its guard", [])
                elif n not in there:
                    got = ("equal", "dead for these parameters", [])
                elif n not in model.bugs:
                    got = ("equal", "no gate depends on it", [])
                else:
                    got = self.answer(model, level, n)
                if got[0] == "cut":
                    first[n] = got
                else:
                    first.pop(n, None)
                    self.note(n, level, *got, time.time() - start)
            numbers = list(first)
            if not numbers:
                return
        for n, got in first.items():
            self.note(n, level, *got, 0)

    def note(self, number, level, verdict, how, names, seconds):
        x = {
            "key": self.key(number, level),
            "id": self.bugs[number]["id"],
            "module": level[0],
            "parameters": dict(level[1]),
            "verdict": verdict,
            "how": how,
            "where": names[:12],
            "limit": self.o.limit,
            "size": self.o.size,
            "seconds": round(seconds, 1),
        }
        self.notes.append(x)
        with open(self.path, "a") as f:
            f.write(json.dumps(x) + "\n")
        print(f"  {x['id']} in {level[0]}: {verdict}: {how}", flush=True)

    def chain(self, number, chain):
        """(verdict, answer, next level to ask or None) for one place of a bug."""
        last, sure = None, True
        for level in chain:
            x = self.known.get(self.key(number, level))
            if x is None:
                return None, last, level
            if x["verdict"] in ("equal", "unseen"):
                return {"equal": "equivalent"}.get(x["verdict"], "unseen"), x, None
            if x["verdict"] == "large":
                break
            last, sure = x, sure and x["verdict"] != "cut"
            if x["verdict"] == "undecided":  # no easier with more around it
                break
        verdict = "open" if sure and last and last["verdict"] == "differs" else "undecided"
        return verdict, last, None

    def verdict(self, number, places):
        """(verdict, answers, next level or None): equivalent only if it is in all places."""
        answers, worst = [], "equivalent"
        if not places:
            return "undecided", [], None
        for c in places:
            verdict, x, level = self.chain(number, c)
            if level is not None:
                return None, answers, level
            answers.append(x)
            if verdict not in ("equivalent", "unseen"):
                return verdict, [x], None
            worst = max(worst, verdict)
        return worst, answers, None

    def ask_all(self, places):
        """Every question that a verdict waits for, the smallest modules first."""
        depth = {}
        for p in places.values():
            for c in p:
                for i, level in enumerate(c):
                    depth[level] = max(i, depth.get(level, 0))
        waits = {}  # {answers to come: their module with parameters}
        pool = concurrent.futures.ProcessPoolExecutor(
            self.o.jobs, multiprocessing.get_context("fork"), started, (self,)
        )
        with pool:
            while True:
                asked = collections.defaultdict(list)
                for n, p in places.items():
                    level = self.verdict(n, p)[2]
                    if level is not None:
                        asked[level].append(n)
                left = sorted(asked.keys() - waits.values(), key=lambda x: (depth[x], x))
                if time.time() > self.end:
                    left = []
                for level in left[: self.o.jobs - len(waits)]:
                    waits[pool.submit(answers, level, asked[level])] = level
                if not waits:
                    break
                done, _ = concurrent.futures.wait(
                    waits, return_when=concurrent.futures.FIRST_COMPLETED
                )
                for d in done:
                    del waits[d]
                    self.known.update({x["key"]: x for x in d.result()})
        if asked:
            print(f"{sum(map(len, asked.values()))} bugs are left for another run")

    def run(self):
        places = self.plan()
        print(f"{len(self.bugs)} bugs that no run found", flush=True)
        self.ask_all(places)
        out = []
        for n, p in places.items():
            verdict, answers, _ = self.verdict(n, p)
            x = {k: self.bugs[n][k] for k in ("id", "file", "line", "operator", "old", "new")}
            x |= {"verdict": verdict or "undecided", "by": [y for y in answers if y]}
            out.append(x)
        with open(os.path.join(self.dir, "equal.json"), "w") as f:
            json.dump({"sources": self.result["sources"], "bugs": out}, f, indent=1)
        self.report(out)

    def report(self, out):
        for v in ("equivalent", "unseen", "undecided", "open"):
            mine = [x for x in out if x["verdict"] == v]
            print(f"{v}: {len(mine)}")
            for x in mine:
                old, new = (re.sub(r"\s+", " ", x[k])[:60] for k in ("old", "new"))
                by = x["by"][-1] if x["by"] else {"module": "", "how": "no answer", "where": []}
                print(
                    f"  {x['file']}:{x['line']} {x['operator']}: {old} -> {new}: {by['module']}: "
                    f"{by['how']} {' '.join(by['where'][:3])}"
                )
        lines = list(mutate.table(mutate.rows(self.result, mutate.proofs(self.dir, self.result))))
        print("\n".join(lines))
        if self.o.markdown:
            mutate.into_page(self.o.markdown, self.result, lines)


def newest():
    """The RTL results that were written last."""
    found = glob.glob(os.path.join(ROOT, "build/mutate/rtl-*/result.json"))
    return [os.path.dirname(p) for p in sorted(found, key=os.path.getmtime)[-1:]]


def options(argv):
    ap = argparse.ArgumentParser()
    ap.add_argument("--results", nargs="+", default=newest())
    ap.add_argument("--limit", type=int, default=10)
    ap.add_argument("--size", type=int, default=400000)
    ap.add_argument("--jobs", type=int, default=os.cpu_count())
    ap.add_argument("--minutes", type=float, default=math.inf)
    ap.add_argument("--only", default="")
    ap.add_argument("--markdown")
    return ap.parse_args(argv)


def main():
    o = options(sys.argv[1:])
    os.chdir(ROOT)
    if not o.results:
        sys.exit("mutate_equal: no results of scripts/mutate.py in build/mutate/")
    for d in o.results:
        if os.path.basename(os.path.normpath(d)).startswith("c-"):
            mutate_same_c.prove(os.path.relpath(d, ROOT), o.only, o.markdown)
        else:
            Prover(o, d).run()
    return 0


if __name__ == "__main__":
    sys.exit(main())
