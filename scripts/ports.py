#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads the port lists of gmmu_axi and gmmu_top from their sources and writes what follows from
them: rtl/gmmu_native.sv (the top without AXI data ports), tb/system/gmmu_harness.sv (gmmu_top for
fast simulation), port and connection lists of the harnesses of gmmu_axi (tb/axi/*.svh), the vectors
of the AXI channels inside gmmu_axi
(rtl/common/gmmu_axi_*.svh), and the list of ports in docs/gmmu_axi.md.

usage: ports.py [--check] --check: writes nothing; exits with 1 and names the files that are stale
"""

import os
import re
import sys

import params
from generated import ROOT, between, finish, head, read

# What gmmu_native gives to its gmmu_axi. The ID of a fault record is the low bits of the warp.
INNER = {"Axis": "1", "AxiAddrW": "32", "AxiDataW": "32", "AxiIdW": "WarpW", "AxiUserW": "1"}
AXI_PORT = re.compile(r"[sm]_")


def expanded(path):
    """Text of a source with its lists of parameters in place of the lines that include them."""

    def include(m):
        return (
            read(f"rtl/common/{m[1]}")
            if os.path.exists(os.path.join(ROOT, "rtl/common", m[1]))
            else m[0]
        )

    return re.sub(r'^ *`include "(\w+_params\.svh)"\n', include, read(path), flags=re.M)


class Module:
    """Header of a module. params, localparams: [(name, expression, comment)]; ports: [(direction,
    width expression, name, comment, group)], where the group is the comment above a port that has
    one."""

    def __init__(self, path):
        text = expanded(path)
        self.name = re.search(r"^module (\w+)", text, re.M)[1]
        begin = text.index("module " + self.name)
        self.params, self.localparams, self.ports = [], [], []
        group = ""
        for line in text[begin : text.index("\n);\n", begin)].splitlines()[1:]:
            code, _, comment = (p.strip() for p in line.partition("//"))
            code = code.rstrip(",")
            if m := re.fullmatch(r"(parameter|localparam) int (\w+)\s*= (.+)", code):
                (self.params if m[1] == "parameter" else self.localparams).append(
                    (m[2], m[3], comment)
                )
            elif m := re.fullmatch(r"(input|output)\s+logic\s*(?:\[(.+):0\])?\s*(\w+)", code):
                self.ports.append((m[1], width(m[2]), m[3], comment, group))
            elif code not in ("", ") ("):
                sys.exit(f"ports: {path}: not understood: {line.strip()}")
            elif comment and self.ports:  # a comment that goes on keeps its first line
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
    """A constant expression of a port list: names, + - * / comparisons, one c ? a : b, $clog2,
    gmmu_pkg::idx_w."""
    if m := re.fullmatch(r"(.+?) \? (.+) : (.+)", expression):
        return evaluate(m[2] if evaluate(m[1], known) else m[3], known)
    code = expression.replace("$clog2", "clog2").replace("gmmu_pkg::", "").replace("/", "//")
    clog2 = lambda n: max(n - 1, 0).bit_length()  # noqa: E731
    try:
        return int(
            eval(
                code,
                {"__builtins__": {}, "clog2": clog2, "idx_w": lambda n: max(clog2(n), 1)},
                known,
            )
        )
    except Exception as e:  # the port list has a form that this does not know
        sys.exit(f"ports: '{expression}' is not understood: {e}")


def zeros(bits):
    """As many zeros as an input of the inner gmmu_axi has."""
    left = "*".join(x for x in (INNER.get(f, f) for f in bits.split("*")) if x != "1") or "1"
    left = left.replace("(AxiDataW/8)", str(int(INNER["AxiDataW"]) // 8))
    return f"{left}'d0" if left.isdigit() else f"{{{left}{{1'b0}}}}"


def native(axi, table):
    """Source of gmmu_native: gmmu_axi with its AXI data ports tied off and left open."""
    ports = [p for p in axi.ports if not AXI_PORT.match(p[2])]
    out = [
        head("ports", "rtl/gmmu_axi.sv and rtl/params.txt", "//")
        + "// gmmu_native: gmmu_axi without AXI data ports, for cores that ask for translations "
        "only.\n"
        "// Native port n has the registers of port n. docs/gmmu_axi.md, "
        "docs/native_port.md\n`default_nettype none\n"
        "module gmmu_native #(\n"
    ]
    out.append(params.declare(params.of(table, "gmmu_native"), "gmmu_native", {"NumNative": "1"}))
    shown = [(n, e) for n, e, _ in axi.localparams if n != "Axis"]
    out += [
        f"  localparam int {n} = {e}{',' if i + 1 < len(shown) else ''}\n"
        for i, (n, e) in enumerate(shown)
    ]
    out.append(") (\n")
    group = ""
    for i, (direction, bits, name, comment, g) in enumerate(ports):
        g = g.replace("port NumPorts + n", "port n").replace(
            " (NumNative = 0: tie the inputs to 0)", ""
        )
        if g != group and g:
            out += [f"  // {x}\n" for x in wrap(g, 94)]
        group = g
        kind = f"{direction + ' ':<7}logic" + ("" if bits == "1" else f" [{msb(bits)}:0]")
        line = f"  {kind} {name}{',' if i + 1 < len(ports) else ''}"
        if comment and max(len(line), 60) + len(comment) > 97:
            out += [f"  // {x}\n" for x in wrap(comment, 94)] + [line + "\n"]
        else:
            out.append(f"{line:<60}// {comment}\n" if comment else line + "\n")
    out.append(
        ");\n  gmmu_axi #(\n    .NumPorts(0), "
        + ", ".join(f".{n}({v})" for n, v in INNER.items() if n != "Axis")
        + ",\n"
    )
    out += [
        f"    {x}\n"
        for x in wrap(
            ", ".join(f".{p.name}({p.name})" for p in params.of(table, "gmmu_native")), 96
        )
    ]
    out.append("  ) u_gmmu (\n")
    out += [f"    {x}\n" for x in wrap(", ".join("." + p[2] for p in ports) + ",", 96)]
    tied = [
        f".{n}({zeros(bits) if d == 'input' else ''})"
        for d, bits, n, _, _ in axi.ports
        if AXI_PORT.match(n)
    ]
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
        out.append(
            f"| `{name}` | {direction[:-3]} | {shown_width(bits)} | {evaluate(bits, known)} "
            f"| {comment} |\n"
        )
    return "".join(out)


HARNESS = """// gmmu_harness: gmmu_top for the Verilator bench, with two changes that only make
// simulation faster.
//
// - tick_i: every change of it is one clock cycle, so one eval() is one cycle (the clock goes back
//   by itself).
// - Inputs are registered here: what the bench sets before an eval() is what gmmu_top sees in the
//   cycle that begins with it, and all outputs read after that eval() belong to the same cycle.
//   Combinational logic is so evaluated once a cycle instead of three times.
`default_nettype none
module gmmu_harness #(
`include "gmmu_top_params.svh"
"""
# Inputs and outputs of gmmu_top that the harness does not have: settings of epoch and tokens as
# after reset.
HARNESS_TIED = {
    "epoch_cycles_i": "32'd0",
    "epoch_o": "",
    "token_free_i": "1'b0",
    "token_start_i": "gmmu_pkg::TOKEN_START",
    "token_step_i": "gmmu_pkg::TOKEN_STEP",
    "token_points_i": "gmmu_pkg::TOKEN_POINTS",
}


def vector(bits):
    return "" if bits == "1" else f"[{msb(bits)}:0] "


def harness(top, table):
    """Source of gmmu_harness: gmmu_top behind one register for each input."""
    ports = [p for p in top.ports if p[2] != "clk_i" and p[2] not in HARNESS_TIED]
    inputs = [
        (bits, name, re.sub("n?i$", "q", name)) for d, bits, name, _, _ in ports if d == "input"
    ]
    held = {name: q for _, name, q in inputs}
    out = [head("ports", "rtl/gmmu_top.sv", "//") + HARNESS]
    out.append(
        ",\n".join(f"  localparam int {n} = {e}" for n, e, _ in top.localparams)
        + "\n) (\n  input  logic tick_i,\n"
    )
    out.append(
        ",\n".join(f"  {d:<6} logic {vector(bits)}{name}" for d, bits, name, _, _ in ports)
        + "\n);\n"
    )
    out.append(
        "  // A change of tick_i raises clk; the first flip-flop to see it lets it fall "
        "again.\n"
        "  logic clk;\n  logic phase_q = 1'b0;\n  assign clk = tick_i ^ phase_q;\n"
        "  always_ff @(posedge clk) phase_q <= !phase_q;\n\n"
    )
    start = {"rst_q": " = 1'b0;  // in reset from the start, also before the first edge"}
    out += [f"  logic {vector(bits)}{q}{start.get(q, ';')}\n" for bits, _, q in inputs]
    out.append(
        "  always_ff @(posedge clk) begin\n"
        + "".join(f"    {q} <= {name};\n" for _, name, q in inputs)
        + "  end\n\n"
    )
    connected = ["    .clk_i(clk)"] + [f"    .{n}({held.get(n, n)})" for _, _, n, _, _ in ports]
    connected += [f"    .{n}({v})" for n, v in HARNESS_TIED.items()]
    out.append(
        '  gmmu_top #(\n`include "gmmu_top_pass.svh"\n'
        + params.passed([p for p in table if p.scope == "build"], last="")
        + "  ) u_top (\n"
        + ",\n".join(connected)
        + "\n  );\nendmodule\n`default_nettype wire\n"
    )
    return "".join(out)


def declared(ports):
    """Ports of a harness, each ending in a comma; a harness has clock and reset of its own."""
    return "".join(f"  {d:<6} logic {vector(bits)}{name},\n" for d, bits, name, _, _ in ports)


def connected(ports):
    return "".join(f"    {x}\n" for x in wrap(", ".join("." + p[2] for p in ports) + ",", 94))


def idle(ports):
    """Inputs at 0, outputs open."""
    return "".join(
        f"    {x}\n"
        for x in wrap(
            ", ".join(f".{n}({chr(39) + '0' if d == 'input' else ''})" for d, _, n, _, _ in ports)
            + ",",
            94,
        )
    )


def lists(axi):
    """Files that harnesses of gmmu_axi include in their port lists (*_ports) and where they connect
    an instance."""
    ports = [p for p in axi.ports if p[2] not in ("clk_i", "rst_ni")]
    group = lambda prefixes: [p for p in ports if p[2].startswith(prefixes)]  # noqa: E731
    memory = group(("m_", "w_", "p_", "c_"))
    files = {
        "ports": declared(ports),
        "connect": connected(ports),
        "memory_ports": declared(memory),
        "memory_connect": connected(memory),
        "control_ports": declared(group(("w_", "c_"))),
        "control_connect": connected(group(("w_", "c_"))),
        "idle": idle(group(("s_", "m_", "p_"))),
        "native_idle": idle(group("n_")),
        "sched_idle": idle(group(("epoch_", "sched_", "app_"))),
    }
    return {
        f"tb/axi/gmmu_axi_{n}.svh": head("ports", "rtl/gmmu_axi.sv", "//") + t
        for n, t in files.items()
    }


CHANNEL = re.compile(r"([smwpc])_(aw|ar|w|b|r)(\w+)_[io]$")
# Sides whose channels stand in one file.
BITS = {"data": ("s", "m"), "w": ("w",), "p": ("p",), "c": ("c",)}


def channels(axi):
    """{side: {channel: (direction of its content, [(field, width of one port, name)])}} of the
    flat AXI ports of gmmu_axi."""
    out = {}
    for direction, bits, name, _, _ in axi.ports:
        if not (m := CHANNEL.match(name)):
            continue
        fields = out.setdefault(m[1], {}).setdefault(m[2], ["", []])
        if m[3] == "valid":
            fields[0] = direction
        elif m[3] != "ready":
            one = "1" if bits == "Axis" else bits.removeprefix("Axis*").strip("()")
            fields[1].append((m[3], one, name))
    return out


def bits_of(side, channel):
    return f"{side.upper()}{channel.title()}Bits"


def of_ports(side, bits):
    """Width of a signal that the data sides have once for each port."""
    if side not in BITS["data"]:
        return bits
    return "Axis" if bits == "1" else f"Axis*{bits}"


def of_port(name, width):
    """Bits of port p; \\0 for a space at which no line ends."""
    if width == "1":
        return f"{name}[p]"
    times = width if re.fullmatch(r"\w+", width) else f"({width})"
    return f"{name}[p*{times}\0+:\0{width}]"


def packed(axi):
    """Files of rtl/common/ for gmmu_axi and what is inside it: each channel there is valid, ready
    and one vector. The flat names stand in gmmu_axi alone."""
    all_channels, files = channels(axi), {}
    for group, sides in BITS.items():
        bits, types, ports, connect = [], [], [], []
        for side in sides:
            for channel, (direction, fields) in all_channels[side].items():
                there, back = ("input ", "output") if direction == "input" else ("output", "input ")
                a, b = ("i", "o") if direction == "input" else ("o", "i")
                name = f"{side}_{channel}"
                terms = [w if re.fullmatch(r"\w+", w) else f"({w})" for _, w, _ in fields]
                terms = wrap(" + ".join(terms), 90)
                bits.append(
                    f"  localparam int {bits_of(side, channel)} =\n"
                    + "\n".join(f"      {x}" for x in terms)
                    + ",\n"
                )
                types.append(
                    "  typedef struct packed {\n"
                    + "".join(f"    logic {vector(w)}{n};\n" for n, w, _ in reversed(fields))
                    + f"  }} {name}_t;\n"
                )
                ports.append(
                    f"  {there} logic {vector(of_ports(side, '1'))}{name}_valid_{a},\n"
                    f"  {back} logic {vector(of_ports(side, '1'))}{name}_ready_{b},\n"
                    f"  {there} logic "
                    f"{vector(of_ports(side, bits_of(side, channel)))}{name}_{a},\n"
                )
                connect.append(f".{name}_valid_{a}, .{name}_ready_{b}, .{name}_{a},")
        files[f"{group}_bits"] = bits
        files[f"{group}_types"] = types
        files[f"{group}_ports"] = ports
        files[f"{group}_connect"] = [f"    {x}\n" for x in wrap(" ".join(connect), 94)]
    natives = [p for p in axi.ports if p[2].startswith("n_")]
    files["n_ports"], files["n_connect"] = [declared(natives)], [connected(natives)]

    bits = [re.sub(r",\n$", ";\n", x) for g in BITS for x in files[f"{g}_bits"]]
    wires, joins, inner = [], [], []
    for side, of_side in all_channels.items():
        lines = []
        for channel, (direction, fields) in of_side.items():
            name, a, b = f"{side}_{channel}", *(("i", "o") if direction == "input" else ("o", "i"))
            wires.append(f"  logic {vector(of_ports(side, bits_of(side, channel)))}{name};\n")
            inner.append(
                f".{name}_valid_{a}({side}_{channel}valid_{a}), "
                f".{name}_ready_{b}({side}_{channel}ready_{b}), .{name}_{a}({name}),"
            )
            width = bits_of(side, channel)
            at = of_port if side in BITS["data"] else (lambda n, w: n)
            flat = ["{" + ", ".join(at(n, w) for _, w, n in reversed(fields)) + "}"]
            vec = f"{name}[p*{width}\0+:\0{width}]" if side in BITS["data"] else name
            sink, source = (vec, flat[0]) if direction == "input" else (flat[0], vec)
            text = f"assign {sink} = {source};"
            lines += [
                ("    " if i == 0 else "        ") + x.replace("\0", " ") + "\n"
                for i, x in enumerate(wrap(text, 88))
            ]
        if side in BITS["data"]:
            joins += [
                f"  for (genvar p = 0; p < Axis; p++) begin : gen_{side}\n",
                *lines,
                "  end\n",
            ]
        else:
            joins += [x[2:] for x in lines]
    files["pack"] = bits + wires + joins
    rest = [
        p for p in axi.ports if not CHANNEL.match(p[2]) and p[2] not in ("clk_i", "rst_ni", "irq_o")
    ]
    inner += [f".{p[2]}," for p in rest]
    files["core_connect"] = [f"    {x}\n" for x in wrap(" ".join(inner), 94)]
    top = head("ports", "rtl/gmmu_axi.sv", "//")
    return {f"rtl/common/gmmu_axi_{n}.svh": top + "".join(t) for n, t in files.items()}


def named(module, path):
    """Problems of a port table that is written by hand, whose first column names every port of the
    module and nothing else; PREFIX_*_o stands for all that begin and end so."""
    section = re.search(r"^## Ports\n(.*?)^## ", read(path), re.M | re.S)
    said = set()
    for line in section[1].splitlines() if section else ():
        if line.startswith("| `"):
            said |= set(re.findall(r"`(\w[\w*]*)`", line.split("|")[1]))
    ports = {p[2] for p in module.ports}
    for word in sorted(said):
        found = {p for p in ports if re.fullmatch(word.replace("*", r"\w+"), p)}
        if not found:
            yield f"{path}: {module.name} has no port {word}"
        ports -= found
    for port in sorted(ports):
        yield f"{path}: port {port} of {module.name} is missing"


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit(__doc__)
    axi, top = Module("rtl/gmmu_axi.sv"), Module("rtl/gmmu_top.sv")
    files = {
        "rtl/gmmu_native.sv": native(axi, params.load()[0]),
        "tb/system/gmmu_harness.sv": harness(top, params.load()[0]),
        **lists(axi),
        **packed(axi),
    }
    files["docs/gmmu_axi.md"] = between(
        "docs/gmmu_axi.md", read("docs/gmmu_axi.md"), "ports", port_table(axi)
    )
    bad = list(named(top, "docs/top.md"))
    for problem in bad:
        print(f"ports: {problem}")
    return finish("ports", files, check) or bool(bad)


if __name__ == "__main__":
    sys.exit(main())
