# SPDX-License-Identifier: Apache-2.0
"""The RTL that scripts/regs.py writes from rtl/ctrl/regs.txt: gmmu_reg_file.sv (decode, storage,
reading) and the ports that gmmu_regs.sv has because of it. What a line may say stands at the head
of the table."""

import re

from generated import head, read

KINDS = ("=", "in", "out", "pulse", "sticky")
WORDS = KINDS + (
    "inner",
    "control",
    "of",
    "if",
    "width",
    "word",
    "reset",
    "legal",
    "unless",
    "otherwise",
)
SOURCE = "rtl/ctrl/regs.txt"
HOLDER = "rtl/ctrl/gmmu_regs.sv"


class Rtl:
    """What the RTL column of a line says; ValueError if it is wrong."""

    def __init__(self, text, bits):
        parts = re.split(
            r"(?<!\S)(" + "|".join(re.escape(w) for w in WORDS) + r")(?!\S)", text.strip()
        )
        if parts[0].strip():
            raise ValueError(f"not understood: {parts[0].strip()}")
        said = {}
        for word, value in zip(parts[1::2], parts[2::2]):
            if word in said:
                raise ValueError(f"'{word}' stands twice")
            said[word] = value.strip()
        kinds = [k for k in KINDS if k in said]
        if len(kinds) > 1:
            raise ValueError(f"'{kinds[0]}' and '{kinds[1]}' exclude each other")
        for word, value in said.items():
            if (value == "") != (word in ("inner", "control")):
                raise ValueError(f"'{word}' {'takes nothing' if value else 'says nothing'}")
        self.kind = kinds[0] if kinds else None
        self.name = said[self.kind] if kinds else None
        if kinds and self.kind != "=" and not re.fullmatch(r"[a-z]\w*", self.name):
            raise ValueError(f"'{self.name}' is no name")
        self.width, self.bits = said.get("width", str(bits)), bits
        self.inner, self.of, self.built = "inner" in said, said.get("of"), said.get("if")
        self.control = "control" in said
        self.word = int(said["word"]) if "word" in said else None
        self.reset, self.legal = said.get("reset", "'0"), said.get("legal")
        self.unless, self.otherwise = (
            said.get("unless"),
            said.get("otherwise", said.get("reset", "'0")),
        )


class Part:
    """Bits hi:lo of a register, with their RTL."""

    def __init__(self, reg, hi, lo, rtl, where):
        self.reg, self.hi, self.lo, self.rtl, self.where = reg, hi, lo, rtl, where
        self.bits = hi - lo + 1


def parts(regs):
    """Lists what is built, by register; ValueError with the line of what does not fit."""
    out, names, words = {}, set(), set()
    for r in regs:
        if r["rtl"].kind:
            if any(f["rtl"] for f in r["fields"]):
                raise ValueError(
                    (r["line"], f"{r['name']}: the register and its fields both have RTL")
                )
            out[r["name"]] = [Part(r, 31, 0, r["rtl"], r["name"])]
        else:
            out[r["name"]] = [
                Part(r, f["hi"], f["lo"], f["rtl"], f"{r['name']}.{f['name']}")
                for f in r["fields"]
                if f["rtl"]
            ]
        if not out[r["name"]]:
            raise ValueError((r["line"], f"{r['name']} has no RTL"))
        if (r["count"] > 1) != (r["rtl"].of is not None):
            raise ValueError((r["line"], f"{r['name']}: 'of' goes with count and stride"))
        fits = {"ro": ("=", "in"), "rw": ("out",), "wo": ("pulse",), "w1c": ("sticky",)}[
            r["access"]
        ]
        for a, b in (
            (a, b)
            for a in r["fields"]
            for b in r["fields"]
            if a is not b and a["lo"] <= b["lo"] <= a["hi"]
        ):
            raise ValueError(
                (r["line"], f"{r['name']}.{b['name']} lies on {r['name']}.{a['name']}")
            )
        for p in out[r["name"]]:
            if p.rtl.kind != "=" and (
                p.rtl.name in names and p.rtl.word is None or (p.rtl.name, p.rtl.word) in words
            ):
                raise ValueError((r["line"], f"{p.where}: {p.rtl.name} stands twice"))
            names.add(p.rtl.name)
            words.add((p.rtl.name, p.rtl.word))
            if p.rtl.kind not in fits:
                raise ValueError(
                    (r["line"], f"{p.where}: {r['access']} goes with {' or '.join(fits)}")
                )
    return out


def times(count, width):
    return width if count is None else f"{count}*{cast(width)}" if width != "1" else count


def cast(width):
    """A width as the size of a cast, which ends at an operator."""
    return width if re.fullmatch(r"\w+", width) else f"({width})"


def vector(width):
    if width == "1":
        return ""
    return (
        f"[{int(width) - 1}:0] "
        if width.isdigit()
        else f"[{width[:-2] if width.endswith('+1') else width + '-1'}:0] "
    )


def ports(built):
    """[(direction, vector, name, whose, where)]: a name that several words share stands once.
    whose: "inner", "control" (modules inside which it ends) or empty."""
    out, seen = [], set()
    for group in built.values():
        for p in group:
            x, of = p.rtl, p.reg["rtl"].of
            if x.kind == "=" or x.name in seen:
                continue
            seen.add(x.name)
            bits = vector(times(of, x.width))
            whose = "inner" if x.inner else "control" if x.control else ""
            if x.kind in ("in", "sticky"):
                out.append(("input", bits, x.name + "_i", whose, p.where))
            if x.kind in ("out", "pulse", "sticky"):
                out.append(("output", bits, x.name + "_o", whose, p.where))
            if x.kind == "pulse" and x.width != "1":
                out.append(("output", "", x.name + "_valid_o", whose, p.where))
    return out


def listed(found):
    pad = max(len(v) for _, v, *_ in found)
    names = max(len(n) for _, _, n, *_ in found) + 1
    return "".join(
        f"  {d:<6} logic {v:<{pad}}{n + ',':<{names}}  // {where}\n" for d, v, n, _, where in found
    )


def constants(text):
    """Parameters and localparams of gmmu_regs that the text names: [(kind, name, value,
    comment)]."""
    at = read(HOLDER)
    at = at[at.index("module gmmu_regs") : at.index(") (")]
    known = re.findall(r"^  (parameter|localparam) int (\w+) *= (.+?),? *(?://(.*))?$", at, re.M)
    used, out = set(re.findall(r"\b[A-Z]\w*[a-z]\w*\b", text)), []
    for kind, name, value, comment in reversed(known):
        if name in used:
            used |= set(re.findall(r"\w+", value))
            out.insert(0, (kind, name, value.strip(), comment.strip()))
    return out


def index(reg):
    """Bits of the address that number the registers of an array."""
    lo = reg["stride"].bit_length() - 1
    return lo + (reg["count"] - 1).bit_length() - 1, lo


def region(reg, at):
    """Condition: the address is in the array of `reg`."""
    hi = index(reg)[0] + 1
    return (
        f"{at}[12:{hi}] == REG_{reg['name']}[12:{hi}]"
        if hi < 12
        else f"{at}[12] == REG_{reg['name']}[12]"
    )


def selected(reg, at, element=None):
    """Condition: the address is that of `reg`; element: of this one of an array."""
    if reg["count"] == 1:
        return f"{at} == REG_{reg['name']}[12:2]"
    hi, lo = index(reg)
    which = (
        f"{at}[{hi}:{lo}] == {hi - lo + 1}'({element})"
        if element
        else f"32'({at}[{hi}:{lo}]) < {reg['rtl'].of}"
    )
    low = f" & {at}[{lo - 1}:2] == REG_{reg['name']}[{lo - 1}:2]" if lo > 2 else ""
    return f"{region(reg, at)} & {which}{low}"


def element(x, of, i):
    """The signal of a name, or element i of its vector."""
    name = x.name + ("_i" if x.kind == "in" else "_o")
    if of is None:
        return name
    return f"{name}[{i}]" if x.width == "1" else f"{name}[{i}*{cast(x.width)} +: {x.width}]"


def sized(bits, expression, width):
    return expression if width == str(bits) else f"{bits}'({expression})"


def word(group, i):
    """What is read."""
    out, below = [], 32
    for p in sorted(group, key=lambda p: -p.lo):
        x, of = p.rtl, p.reg["rtl"].of
        if below > p.hi + 1:
            out.append(f"{below - p.hi - 1}'d0")
        if x.kind == "=":
            out.append(x.name)
        elif x.word is not None:
            out.append(f"wide_{x.name}[{32 * x.word + 31}:{32 * x.word}]")
        else:
            out.append(sized(p.bits, element(x, of, i), x.width))
        below = p.lo
    if below:
        out.append(f"{below}'d0")
    return out[0] if len(out) == 1 else "{" + ", ".join(out) + "}"


def wrapped(text, columns=100):
    """A statement broken at spaces, later lines further right."""
    indent = len(text) - len(text.lstrip())
    lines = [" " * indent]
    for w in text.split():
        if len(lines[-1]) + len(w) + 1 > columns and lines[-1].strip():
            lines.append(" " * (indent + 4))
        lines[-1] += (" " if lines[-1].strip() else "") + w
    return "\n".join(lines) + "\n"


def decode(regs):
    single = [r for r in regs if r["count"] == 1]
    out = [
        "  // Is there such a register?\n  function automatic logic exists(input logic [12:2] "
        "addr);\n    begin\n      case (addr)\n"
    ]
    always = [f"REG_{r['name']}[12:2]" for r in single if not r["rtl"].built]
    text = ", ".join(always) + ":"
    out.append(wrapped("        " + text))
    out.append("          exists = 1'b1;\n")
    for r in single:
        if r["rtl"].built:
            out.append(wrapped(f"        REG_{r['name']}[12:2]: exists = {r['rtl'].built};"))
    arrays = [selected(r, "addr") for r in regs if r["count"] > 1] + [
        "addr[12:8] == REG_PARAMS[12:8] & 32'(addr[7:2]) < Params"
    ]
    terms = [f"({a})" + (";" if a == arrays[-1] else " |") for a in arrays]
    out.append(
        "        default:\n          exists =\n"
        + "".join(wrapped("            " + x) for x in terms)
    )
    out.append(
        "      endcase\n    end\n  endfunction\n  assign werr_o = !exists(waddr_i);\n  "
        "assign rerr_o = !exists(raddr_i);\n\n"
    )
    return "".join(out)


def store(name, owners):
    """The flip-flops of one name; owners: the registers that write it, a PFN's two words."""
    p, x = owners[0], owners[0].rtl
    of, built = p.reg["rtl"].of, p.reg["rtl"].built
    pad, out = "  ", []
    if of:
        out.append(f"  for (genvar i = 0; i < {of}; i++) begin : gen_{name}\n")
        pad = "    "
    elif built:
        out.append(f"  if ({built}) begin : gen_{name}\n")
        pad = "    "
    q = f"{name}_q" if of else f"{name}_o"
    if of:
        out.append(f"{pad}logic {vector(x.width)}{q};\n")
    if x.legal:
        out.append(f"{pad}logic {vector(str(p.bits))}x;\n")
    written = []
    for o in owners:
        bits = f"[{o.hi}:{o.lo}]" if o.bits > 1 else f"[{o.lo}]"
        now = sized(o.bits, q, x.width)
        if x.word is not None:
            put = "put_high" if o.rtl.word else "put_low"
            value = f"{cast(x.width)}'({put}(64'({q}), wdata_i, wmask_i))"
        else:
            value = f"({now} & ~wmask_i{bits}) | (wdata_i{bits} & wmask_i{bits})"
            if x.legal:
                out.append(wrapped(f"{pad}assign x = {value};"))
                value = x.legal
            elif x.width != str(o.bits):
                value = f"{cast(x.width)}'({value})"
        when = f"we_i & {selected(o.reg, 'waddr_i', 'i')}" + (f" & !{x.unless}" if x.unless else "")
        written.append((when, value))
    out.append(f"{pad}always_ff @(posedge clk_i) begin\n{pad}  if (!rst_ni) {q} <= {x.reset};\n")
    for when, value in written:
        out.append(wrapped(f"{pad}  else if ({when})"))
        out.append(wrapped(f"{pad}    {q} <= {value};"))
    out.append(f"{pad}end\n")
    if of:
        out.append(f"{pad}assign {element(x, of, 'i')} = {q};\n  end\n")
    elif built:
        out.append(f"  end else begin : gen_no_{name}\n    assign {q} = {x.otherwise};\n  end\n")
    return "".join(out)


def storage(built):
    out, owners = [], {}
    for group in built.values():
        for p in group:
            if p.rtl.kind == "out":
                owners.setdefault(p.rtl.name, []).append(p)
            elif p.rtl.kind == "pulse":
                hit = f"we_i & {selected(p.reg, 'waddr_i')}"
                bits = f"[{p.hi}:{p.lo}]" if p.bits > 1 else f"[{p.lo}]"
                if p.bits > 1:
                    out.append(
                        f"  assign {p.rtl.name}_valid_o = {hit};\n  assign {p.rtl.name}_o = "
                        f"wdata_i{bits} & wmask_i{bits};\n"
                    )
                else:
                    out.append(
                        wrapped(f"  assign {p.rtl.name}_o = {hit} & wdata_i{bits} & wmask_i{bits};")
                    )
            elif p.rtl.kind == "sticky":
                n, b = p.rtl.name, vector(p.rtl.width).strip()
                out.append(
                    f"  logic {vector(p.rtl.width)}clear_{n};\n"
                    + wrapped(
                        f"  assign clear_{n} = we_i & {selected(p.reg, 'waddr_i')} ? "
                        f"wdata_i{b} & wmask_i{b} : '0;"
                    )
                    + f"  always_ff @(posedge clk_i) begin\n    if (!rst_ni) {n}_o <= '0;\n"
                    f"    else {n}_o <= ({n}_o & ~clear_{n}) | {n}_i;\n  end\n"
                )
    return "".join(out + [store(n, o) for n, o in owners.items()]) + "\n"


def arrays(regs):
    """Registers by the array that they are words of: [[register, ...]]."""
    out = []
    for r in regs:
        if r["count"] > 1:
            base = (r["at"] & ~(r["stride"] - 1), r["stride"])
            group = next(
                (g for g in out if (g[0]["at"] & ~(g[0]["stride"] - 1), g[0]["stride"]) == base),
                None,
            )
            if group:
                group.append(r)
            else:
                out.append([r])
    return out


def reading(regs, built):
    out, body = [], []
    for group in arrays(regs):
        r = group[0]
        i, (hi, lo) = f"n_{r['name'].lower()}", index(r)
        wide = "".join(x.capitalize() for x in i.split("_")) + "W"
        out.append(
            f"  localparam int {wide} = gmmu_pkg::idx_w({r['rtl'].of});\n  logic "
            f"[{wide}-1:0] {i};\n"
            f"  assign {i} = {wide}'(raddr_i[{hi}:{lo}]);\n"
        )
        body.append(f"    end else if ({region(r, 'raddr_i')}) begin\n")
        body.append(f"      case (raddr_i[{lo - 1}:2])\n")
        for n, x in enumerate(group):
            label = f"REG_{x['name']}[{lo - 1}:2]" if n + 1 < len(group) else "default"
            body.append(wrapped(f"        {label}: rdata_o = {word(built[x['name']], i)};"))
        body.append("      endcase\n")
    wide = {}
    for group in built.values():
        for p in group:
            if p.rtl.word is not None and p.rtl.name not in wide:
                wide[p.rtl.name] = element(
                    p.rtl, p.reg["rtl"].of, f"n_{array_of(p.reg, regs).lower()}"
                )
    for n, e in wide.items():
        out.append(f"  logic [63:0] wide_{n};\n  assign wide_{n} = 64'({e});\n")
    out.append(
        "  always_comb begin\n    rdata_o = '0;\n    if (rerr_o) begin\n      rdata_o = '0;\n"
    )
    out += body
    out.append(
        "    end else if (raddr_i[12:8] == REG_PARAMS[12:8]) begin\n      rdata_o = "
        "params_i[raddr_i[7:2]*32 +: 32];\n"
    )
    out.append("    end else begin\n      case (raddr_i)\n")
    for r in regs:
        if r["count"] == 1 and r["access"] != "wo":
            group = [p for p in built[r["name"]]]
            if r["access"] == "w1c":
                w = group[0].rtl.width
                value = f"32'({group[0].rtl.name}_o)" if w != "32" else f"{group[0].rtl.name}_o"
            else:
                value = word(group, None)
            out.append(wrapped(f"        REG_{r['name']}[12:2]: rdata_o = {value};"))
    out.append("        default: rdata_o = '0;\n      endcase\n    end\n  end\n")
    return "".join(out)


def array_of(reg, regs):
    return next(g[0]["name"] for g in arrays(regs) + [[reg]] if reg in g)


PUT = """  // The low or the high word of a value of up to 64 bits is written.
  function automatic logic [63:0] put_low(input logic [63:0] old, input logic [31:0] data,
      input logic [31:0] mask);
    begin
      put_low = {old[63:32], (old[31:0] & ~mask) | (data & mask)};
    end
  endfunction
  function automatic logic [63:0] put_high(input logic [63:0] old, input logic [31:0] data,
      input logic [31:0] mask);
    begin
      put_high = {(old[63:32] & ~mask) | (data & mask), old[31:0]};
    end
  endfunction

"""


def reg_file(regs, built):
    """Source of gmmu_reg_file."""
    body = decode(regs) + PUT + storage(built) + reading(regs, built)
    found = ports(built)
    declared = constants(body + " ".join(v for _, v, *_ in found) + " Params")
    out = [
        head("regs", SOURCE, "//") + "// gmmu_reg_file: decode, storage and reading of the "
        "registers of gmmu_regs. A comment names what a\n"
        "// port is of. docs/regs.md\n`default_nettype none\nmodule gmmu_reg_file #(\n"
    ]
    lines = [f"  {k} int {n} = {v}" for k, n, v, _ in declared]
    out.append(",\n".join(lines) + "\n) (\n")
    out.append(
        "  input  logic clk_i,\n  input  logic rst_ni,\n  input  logic we_i,\n  input  "
        "logic [12:2] waddr_i,\n  input  logic [31:0] wdata_i,\n"
        "  input  logic [31:0] wmask_i,\n  output logic werr_o,\n  input  logic [12:2] "
        "raddr_i,\n  output logic [31:0] rdata_o,\n"
        "  output logic rerr_o,\n"
    )
    out.append(
        listed(found) + "  input  logic [Params*32-1:0] params_i\n);\n  `include "
        '"gmmu_regs_map.svh"\n\n'
    )
    return "".join(out) + body + "endmodule\n`default_nettype wire\n"


def holder(built):
    """{path: text} of what gmmu_regs.sv includes: its ports, and how it hands parameters and ports
    on; of what gmmu_axi_control.sv does: those that go on to gmmu_axi_core, where AXI and native
    ports together are NumSms."""
    found = [p for p in ports(built) if p[3] != "inner"]
    outer = [(d, v.replace("NumPorts", "NumSms"), *p) for d, v, *p in found if not p[1]]
    first = head("regs", SOURCE, "//")
    own = re.search(r"module gmmu_reg_file #\(\n(.*?)\n\) \(", reg_file_cache[0], re.S)[1]
    names = re.findall(r"parameter int (\w+)", own)
    # noqa: E731
    line = lambda items: wrapped("    " + ", ".join(items) + ",").replace("\n        ", "\n    ")
    return {
        "rtl/common/gmmu_regs_ports.svh": first + listed(found),
        "rtl/common/gmmu_regs_pass.svh": first
        + line([f".{n}({n})" for n in names if n != "Params"]),
        "rtl/common/gmmu_regs_connect.svh": first + line(["." + p[2] for p in found]),
        "rtl/common/gmmu_control_ports.svh": first + listed(outer),
        "rtl/common/gmmu_control_connect.svh": first + line(["." + p[2] for p in outer]),
    }


reg_file_cache = []


def files(regs):
    built = parts(regs)
    reg_file_cache[:] = [reg_file(regs, built)]
    return {"rtl/ctrl/gmmu_reg_file.sv": reg_file_cache[0], **holder(built)}
