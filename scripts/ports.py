#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the port list of gmmu_axi from its source and writes what follows from it: rtl/gmmu_native.sv (the top without AXI data ports)
and the lists of ports and parameters in docs/gmmu_axi.md.

usage: ports.py [--check]     --check: writes nothing; exits with 1 and names the files that are stale
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
# Parameters of gmmu_axi that only its AXI data ports use. gmmu_native does not have them.
AXI_ONLY = {"NumPorts", "AxiAddrW", "AxiDataW", "AxiIdW", "AxiUserW", "SignExtend", "Outstanding", "WBeats", "RwOrder"}
# What gmmu_native gives to its gmmu_axi. The ID of a fault record is the low bits of the warp.
INNER = {"Axis": "1", "AxiAddrW": "32", "AxiDataW": "32", "AxiIdW": "WarpW", "AxiUserW": "1"}
AXI_PORT = re.compile(r"[sm]_")


def read(path):
    with open(os.path.join(ROOT, path)) as f:
        return f.read()


class Module:
    """Header of a module. params, localparams: [(name, expression, comment)]; ports: [(direction, width expression, name, comment,
    group)], where the group is the comment above a port that has one."""

    def __init__(self, path):
        text = read(path)
        self.name = re.search(r"^module (\w+)", text, re.M)[1]
        head = text[text.index("module " + self.name):text.index(");\n")]
        self.params, self.localparams, self.ports = [], [], []
        group = ""
        for line in head.splitlines()[1:]:
            code, _, comment = (p.strip() for p in line.partition("//"))
            code = code.rstrip(",")
            if m := re.fullmatch(r"(parameter|localparam) int (\w+)\s*= (.+)", code):
                (self.params if m[1] == "parameter" else self.localparams).append((m[2], m[3], comment))
            elif m := re.fullmatch(r"(input|output)\s+logic\s*(?:\[(.+):0\])?\s*(\w+)", code):
                self.ports.append((m[1], width(m[2]), m[3], comment, group))
            elif code not in ("", ") ("):
                sys.exit(f"ports: {path}: not understood: {line.strip()}")
            elif comment and self.ports:   # a comment that goes on keeps its first line
                group = comment if group == self.ports[-1][4] else f"{group} {comment}"
        if not self.params or not self.ports:
            sys.exit(f"ports: {path}: no parameters or no ports found")

    def values(self, given):
        """Values of all parameters, with `given` in place of defaults."""
        known = {}
        for name, expression, _ in self.params + self.localparams:
            known[name] = given[name] if name in given else evaluate(expression, known)
        return known


def width(msb):
    if msb is None:
        return "1"
    if re.fullmatch(r"\d+", msb):
        return str(int(msb) + 1)
    return msb[:-2] if msb.endswith("-1") else f"{msb}+1"


def msb(bits):
    """The other way round."""
    if bits.isdigit():
        return str(int(bits) - 1)
    return bits[:-2] if bits.endswith("+1") else f"{bits}-1"


def evaluate(expression, known):
    """A constant expression of a port list: names, + - * / comparisons, one c ? a : b, $clog2, gmmu_pkg::idx_w."""
    if m := re.fullmatch(r"(.+?) \? (.+) : (.+)", expression):
        return evaluate(m[2] if evaluate(m[1], known) else m[3], known)
    code = expression.replace("$clog2", "clog2").replace("gmmu_pkg::", "").replace("/", "//")
    clog2 = lambda n: max(n - 1, 0).bit_length()  # noqa: E731
    try:
        return int(eval(code, {"__builtins__": {}, "clog2": clog2, "idx_w": lambda n: max(clog2(n), 1)}, known))
    except Exception as e:  # the port list has a form that this does not know
        sys.exit(f"ports: '{expression}' is not understood: {e}")


def zeros(bits):
    """As many zeros as an input of the inner gmmu_axi has."""
    left = "*".join(x for x in (INNER.get(f, f) for f in bits.split("*")) if x != "1") or "1"
    left = left.replace("(AxiDataW/8)", str(int(INNER["AxiDataW"]) // 8))
    return f"{left}'d0" if left.isdigit() else f"{{{left}{{1'b0}}}}"


def native(axi):
    """Source of gmmu_native: gmmu_axi with its AXI data ports tied off and left open."""
    params = [p for p in axi.params if p[0] not in AXI_ONLY]
    ports = [p for p in axi.ports if not AXI_PORT.match(p[2])]
    out = [SPDX + "// gmmu_native: gmmu_axi without AXI data ports, for cores that ask for translations only. Written by scripts/ports.py from\n"
           "// rtl/gmmu_axi.sv. Native port n has the registers of port n. docs/gmmu_axi.md, docs/native_port.md\n`default_nettype none\n"
           "module gmmu_native #(\n"]
    for name, expression, comment in params:
        if name == "NumNative":
            expression, comment = "1", "1..32"
        line = f"  parameter int {name} = {expression},"
        out.append(f"{line:<40}// {comment}\n" if comment else line + "\n")
    shown = [(n, e) for n, e, _ in axi.localparams if n != "Axis"]
    out += [f"  localparam int {n} = {e}{',' if i + 1 < len(shown) else ''}\n" for i, (n, e) in enumerate(shown)]
    out.append(") (\n")
    group = ""
    for i, (direction, bits, name, comment, g) in enumerate(ports):
        g = g.replace("port NumPorts + n", "port n").replace(" (NumNative = 0: tie the inputs to 0)", "")
        if g != group and g:
            out += [f"  // {x}\n" for x in wrap(g, 96)]
        group = g
        kind = f"{direction + ' ':<7}logic" + ("" if bits == "1" else f" [{msb(bits)}:0]")
        line = f"  {kind} {name}{',' if i + 1 < len(ports) else ''}"
        out.append(f"{line:<60}// {comment}\n" if comment else line + "\n")
    out.append(");\n  gmmu_axi #(\n    .NumPorts(0), " + ", ".join(f".{n}({v})" for n, v in INNER.items() if n != "Axis") + ",\n")
    out += [f"    {x}\n" for x in wrap(", ".join(f".{n}({n})" for n, _, _ in params), 96)]
    out.append("  ) u_gmmu (\n")
    out += [f"    {x}\n" for x in wrap(", ".join("." + p[2] for p in ports) + ",", 96)]
    tied = [f".{n}({zeros(bits) if d == 'input' else ''})" for d, bits, n, _, _ in axi.ports if AXI_PORT.match(n)]
    out += [f"    {x}\n" for x in wrap(", ".join(tied), 96)]
    out.append("  );\nendmodule\n`default_nettype wire\n")
    return "".join(out)


def wrap(text, columns):
    lines = [""]
    for word in text.split(" "):
        if len(lines[-1]) + len(word) > columns:
            lines.append("")
        lines[-1] += word + " "
    return [x.rstrip() for x in lines]


def shown_width(bits):
    return bits.replace("Axis", "NumPorts").replace("Natives", "NumNative").replace("*", " x ")


def port_table(axi):
    known, group = axi.values({"NumNative": 1}), None
    out = ["| port | | width | bits | |\n|---|---|---|---|---|\n"]
    for direction, bits, name, comment, g in axi.ports:
        if g != group and g:
            out.append(f"| **{g}** | | | | |\n")
        group = g
        out.append(f"| `{name}` | {direction[:-3]} | {shown_width(bits)} | {evaluate(bits, known)} | {comment} |\n")
    return "".join(out)


def param_table(axi, top):
    other = {n: e for n, e, _ in top.params}
    out = ["| parameter | gmmu_axi | gmmu_top |\n|---|---|---|\n"]
    for name, expression, _ in axi.params:
        if name in other:
            out.append(f"| {name} | {expression} | {other[name] if other[name] != expression else 'the same'} |\n")
    return "".join(out)


def between(text, mark, content):
    a, b = f"<!-- {mark} -->\n", f"<!-- end of {mark} -->"
    if text.count(a) != 1 or text.count(b) != 1:
        sys.exit(f"ports: docs/gmmu_axi.md: '{a.strip()}' and '{b}' must be there once")
    return text[:text.index(a) + len(a)] + content + text[text.index(b):]


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    axi, top = Module("rtl/gmmu_axi.sv"), Module("rtl/gmmu_top.sv")
    page = between(read("docs/gmmu_axi.md"), "ports", port_table(axi))
    page = between(page, "defaults", param_table(axi, top))
    stale = []
    for path, text in {"rtl/gmmu_native.sv": native(axi), "docs/gmmu_axi.md": page}.items():
        full = os.path.join(ROOT, path)
        if os.path.exists(full) and read(path) == text:
            continue
        stale.append(path)
        if not check:
            with open(full, "w") as f:
                f.write(text)
    if check and stale:
        print(f"ports: stale, run scripts/ports.py: {', '.join(stale)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
