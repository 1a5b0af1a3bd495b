#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes what follows from the table of observation events, rtl/observation.txt, which says what
that is.

usage: obs.py [--check]     --check: writes nothing; exits with 1 and names the files that are stale
"""

import collections
import itertools
import re
import sys

from generated import between, finish, head, read

SOURCE = "rtl/observation.txt"


class Field:
    """lsb: of the first element of its group, known when the port is laid out."""

    def __init__(self, name, width, needs, text, group):
        self.name, self.width, self.needs, self.text, self.group = name, width, needs, text, group
        self.lsb = 0


Alias = collections.namedtuple("Alias", "name place needs group")


class Group:
    def __init__(self, text, when, struct=None, name=None, count=1, late=False):
        self.late = late
        self.text, self.when, self.struct, self.name, self.count = text, when, struct, name, count
        self.stride = 0  # bits from one element to the next
        self.fields, self.aliases = [], []


class Port:
    def __init__(self, name, struct, page, text):
        self.name, self.struct, self.page, self.text = name, struct, page, text
        self.groups, self.bits = [], 0

    def fields(self):
        return [f for g in self.groups for f in g.fields]

    def field(self, name):
        return next(f for f in self.fields() if f.name == name)

    def lay_out(self):
        """Fields one behind the other, as they stand; the elements of an array whole, with the
        fields of all groups of its name, which stand together."""
        for name, groups in itertools.groupby(self.groups, key=lambda g: g.name):
            groups = list(groups)
            at = self.bits
            for f in (f for g in groups for f in g.fields):
                f.lsb = at
                at += f.width
            for g in groups:
                g.stride = at - self.bits if name else 0
            self.bits += (at - self.bits) * groups[0].count


def add(port, group, line):
    """One line of a group."""
    if m := re.fullmatch(r"as (\w+) (\w+) if (\w+)", line):
        names = [f.name for f in port.fields()]
        if m[2] not in names or m[3] not in names:
            raise ValueError(f"{m[2]} or {m[3]} does not stand above")
        group.aliases.append(Alias(m[1], m[2], m[3], group))
        return
    m = re.fullmatch(r"(\w+) (\d+)(?: if (\w+))? \| (.+)", line)
    if not m:
        raise ValueError("not understood")
    if not 1 <= int(m[2]) <= 64:
        raise ValueError(f"{m[1]}: {m[2]} bits")
    known = {f.name for f in port.fields()}
    if m[3] and m[3] not in known:
        raise ValueError(f"{m[1]}: {m[3]} does not stand above")
    if m[1] in known:
        raise ValueError(f"{m[1]} stands here twice")
    group.fields.append(Field(m[1], int(m[2]), m[3], m[4], group))


def parse(lines):
    ports, n = [], 0
    try:
        for n, line in enumerate(lines, 1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            if m := re.fullmatch(r"port (\w+) (\w+) (\S+) \| (.+)", text):
                ports.append(Port(*m.groups()))
            elif m := re.fullmatch(
                r"group(?: (\w+) (\w+) (\d+))?(?: when ([\w ]+?)| (late))? \| (.+)", text
            ):
                when = (m[4] or "").split()
                if wrong := set(when) - {f.name for f in ports[-1].fields()}:
                    raise ValueError(f"{', '.join(wrong)} does not stand above")
                ports[-1].groups.append(Group(m[6], when, m[1], m[2], int(m[3] or 1), bool(m[5])))
            elif ports and ports[-1].groups:
                add(ports[-1], ports[-1].groups[-1], text)
            else:
                raise ValueError("not understood")
    except (ValueError, IndexError) as e:
        sys.exit(f"obs: {SOURCE}:{n}: {e}")
    for p in ports:
        p.lay_out()
    return ports


def load():
    return parse(read(SOURCE).splitlines())


def vector(width):
    return f"[{width - 1}:0] " if width > 1 else ""


def part(f, i, suffix=""):
    """Field f of element i of its group."""
    name = f"ev_{f.name}{suffix}"
    return name if f.group.count == 1 else f"{name}[{i * f.width} +: {f.width}]"


def registers(port):
    """What a block includes where it observes: a signal ev_FIELD for each field, which the block
    drives with the cycle's event, the registers behind them, and the port obs_o; those of a group
    that is late it drives in the cycle in which they are seen."""
    out = f"    // {port.text}: the block drives ev_*;\n    // obs_o shows them one cycle later.\n"
    reset, clocked, held, declared, places = [], [], [], [], []
    for g in port.groups:
        for f in g.fields:
            held_too = "" if g.late else f", ev_{f.name}_q"
            declared.append(f"    logic {vector(f.width * g.count)}ev_{f.name}{held_too};\n")
            places += [
                (f.lsb + g.stride * i, part(f, i, "" if g.late else "_q")) for i in range(g.count)
            ]
            if not g.when and not g.late:
                reset.append(f"        ev_{f.name}_q <= '0;\n")
                clocked.append(f"        ev_{f.name}_q <= ev_{f.name};\n")
        if g.when:
            for i in range(g.count):
                on = " || ".join(f"{part(port.field(w), i)} != '0" for w in g.when)
                held.append(
                    f"      if ({on}) begin\n"
                    + "".join(f"        {part(f, i, '_q')} <= {part(f, i)};\n" for f in g.fields)
                    + "      end\n"
                )
    out += (
        "".join(declared)
        + "    always_ff @(posedge clk_i) begin\n      if (!rst_ni) begin\n"
        + "".join(reset)
    )
    out += "      end else begin\n" + "".join(clocked) + "      end\n" + "".join(held) + "    end\n"
    cells = ",\n".join(f"      {name}" for _, name in sorted(places, reverse=True))
    return f"{out}    assign obs_o = {{\n{cells}\n    }};\n"


def places(ports):
    out = ""
    for p in ports:
        for f in p.fields():
            name = f"OBS_{p.name.upper()}_{f.name.upper()}"
            out += f"  localparam int {name} = {f.lsb}, {name}_W = {f.width};\n"
        out += "".join(
            f"  localparam int OBS_{p.name.upper()}_{g.name.upper()}_STRIDE = {g.stride};\n"
            for g in {g.name: g for g in p.groups if g.name}.values()
        )
    return out


def c_type(width):
    return "bool" if width == 1 else next(f"uint{n}_t" for n in (8, 16, 32, 64) if width <= n)


def seen(port):
    """{name in C: (type, meaning, struct of an array or None)} in the table's order. A place that
    only has other names is not there."""
    out = {}
    for g in port.groups:
        renamed = {a.place for a in g.aliases}
        for f in g.fields:
            if f.name not in renamed:
                out[f.name] = (c_type(f.width), f.text, g)
        for a in g.aliases:
            if a.name not in out:
                f = port.field(a.place)
                out[a.name] = (c_type(f.width), f.text, g)
    return out


def structs(ports):
    out = head("obs", SOURCE, "/*", " */") + (
        "/** gmmu_events.h - what a cycle's observation "
        "events are; part of gmmu.h. */\n"
        "#ifndef GMMU_EVENTS_H\n#define "
        "GMMU_EVENTS_H\n#include <stdbool.h>\n#include "
        "<stdint.h>\n\n"
    )
    for p in ports:
        arrays = {}
        plain = []
        for name, (kind, text, g) in seen(p).items():
            (arrays.setdefault((g.struct, g.name, g.count), []) if g.name else plain).append(
                f"  {kind} {name}; /**< {text} */\n"
            )
        for (struct, _, _), lines in arrays.items():
            out += (
                f"/** {p.text}: one of the event's. */\nstruct {struct} "
                f"{{\n{''.join(lines)}}};\n"
            )
        out += f"/** {p.text} ({p.page}). */\nstruct {p.struct} {{\n"
        out += (
            "".join(f"  struct {struct} {name}[{count}];\n" for struct, name, count in arrays)
            + "".join(plain)
            + "};\n\n"
        )
    return out + "#endif\n"


def decoder(ports):
    out = (
        head("obs", SOURCE, "//")
        + """// gmmu_obs_decode.h - the bits of an observation port as the C model's events.
#ifndef GMMU_TB_OBS_DECODE_H
#define GMMU_TB_OBS_DECODE_H

#include <cstdint>

#include "bits.h"
#include "gmmu.h"

"""
        + "".join(f"constexpr unsigned OBS_{p.name.upper()}_BITS = {p.bits};\n" for p in ports)
        + """
/// Bits lsb to lsb + width - 1.
struct ObsField {
  unsigned lsb, width;
};
"""
    )
    for p in ports:
        out += (
            f"\n// Fields that are 0 in reset: events.\nconstexpr ObsField "
            f"OBS_{p.name.upper()}_QUIET[] = {{\n"
        )
        for f in p.fields():
            if not (f.group.when or f.group.late):
                for i in range(f.group.count):
                    out += f"    {{{f.lsb + f.group.stride * i}, {f.width}}},  // {f.name}\n"
        out += "};\n"
    for p in ports:
        names = seen(p)
        out += (
            f"\n/// From bit `at` of port w on.\ntemplate <class Port>\ninline void obs_decode("
            f"{p.struct}& e, const Port& w, unsigned at) {{\n"
        )
        for name in names:
            if not names[name][2].name and any(a.name == name for g in p.groups for a in g.aliases):
                out += f"  e.{name} = 0;\n"
        for g in p.groups:
            pad, to, more = "  ", "e.", ""
            if g.name:
                out += (
                    f"  for (unsigned i = 0; i < {g.count}; i++) {{\n    {g.struct}& q = "
                    f"e.{g.name}[i];\n"
                )
                pad, to, more = "    ", "q.", f" + {g.stride} * i"
            for f in g.fields:
                if f.name not in names:
                    continue
                get = f"static_cast<{c_type(f.width)}>(bits_get(w, at + {f.lsb}{more}, {f.width}))"
                out += f"{pad}{to}{f.name} = {f'{to}{f.needs} ? {get} : 0' if f.needs else get};\n"
            if g.name:
                out += "  }\n"
        for g in p.groups:
            for a in g.aliases:
                f = p.field(a.place)
                out += (
                    f"  if (e.{a.needs}) e.{a.name} = "
                    f"static_cast<{names[a.name][0]}>(bits_get(w, at + {f.lsb}, {f.width}));\n"
                )
        out += "}\n"
    return out + "\n#endif\n"


def page(port):
    out = "| bits | field |\n|---|---|\n"
    for f in port.fields():
        at = []
        for i in range(f.group.count):
            low = f.lsb + f.group.stride * i
            at.append(str(low) if f.width == 1 else f"{low + f.width - 1}:{low}")
        out += f"| {', '.join(at)} | `{f.name}` {f.text} |\n"
    return out


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    ports = load()
    for p in ports:
        if not re.search(rf"OBS_{p.name.upper()}_W +?= {p.bits};", read("rtl/gmmu_pkg.sv")):
            sys.exit(f"obs: rtl/gmmu_pkg.sv: OBS_{p.name.upper()}_W is not {p.bits}")
    files = {
        f"rtl/common/gmmu_obs_{p.name}.svh": head("obs", SOURCE, "//") + registers(p) for p in ports
    }
    files["rtl/common/gmmu_obs_places.svh"] = head("obs", SOURCE, "//") + places(ports)
    files["c_model/include/gmmu_events.h"] = structs(ports)
    files["tb/system/gmmu_obs_decode.h"] = decoder(ports)
    for p in ports:
        files[p.page] = between(p.page, files.get(p.page, read(p.page)), "observation", page(p))
    return finish("obs", files, sys.argv[1:] == ["--check"])


if __name__ == "__main__":
    sys.exit(main())
