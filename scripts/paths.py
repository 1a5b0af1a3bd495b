# SPDX-License-Identifier: Apache-2.0
"""Timing of a mapped block, for scripts/synth.py: a Liberty cell for every RAM shape, OpenSTA's
constraints, the longest path in the names of the source, slack of every end point
(docs/synthesis.md).

RAM cells have one write clock (CLK) and, by port: A, E, Q (read), WA, WD, WE (write). A port that
reads without a clock has an arc from its address instead of a set-up at it."""

import json
import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BIN_NS = 0.25  # of the slack histogram
RAM_PF = 0.01  # capacitance of a RAM's input pin: that of a NAND2X1 of the OSU library
RAM_NS_PER_PF = 0.6  # of a RAM's output: a driver like BUFX4


def ram_name(m):
    return (
        f"gmmu_ram_{m['words']}x{m['width']}_{m['reads']}r{m['writes']}w"
        + ("_async" if not all(m["clocked"]) else "")
        + (f"_{m['enables']}e" if m["enables"] != 1 else "")
    )


def ram_pins(m):
    """[(name, width, direction)]"""
    a = max(1, (m["words"] - 1).bit_length())
    pins = [("CLK", 1, "input")]
    for r in range(m["reads"]):
        pins += [(f"A{r}", a, "input"), (f"E{r}", 1, "input"), (f"Q{r}", m["width"], "output")]
    for w in range(m["writes"]):
        pins += [
            (f"WA{w}", a, "input"),
            (f"WD{w}", m["width"], "input"),
            (f"WE{w}", m["enables"], "input"),
        ]
    return pins


def ram_verilog(m):
    """The cell without contents, and the rule that puts it in the place of a memory."""
    name, pins = ram_name(m), ram_pins(m)
    a, width = max(1, (m["words"] - 1).bit_length()), m["width"]
    rd, wr, abits = m["reads"], m["writes"], m["abits"]
    part = width // m["enables"]  # bits that one write enable covers
    conn = [".CLK(WR_CLK[0])"]
    for r in range(rd):
        conn += [
            f".A{r}(RD_ADDR[{r * abits + a - 1}:{r * abits}])",
            f".E{r}(RD_EN[{r}])",
            f".Q{r}(RD_DATA[{(r + 1) * width - 1}:{r * width}])",
        ]
    for w in range(wr):
        enable = ",".join(f"WR_EN[{w * width + e * part}]" for e in reversed(range(m["enables"])))
        conn += [
            f".WA{w}(WR_ADDR[{w * abits + a - 1}:{w * abits}])",
            f".WD{w}(WR_DATA[{(w + 1) * width - 1}:{w * width}])",
            f".WE{w}({{{enable}}})",
        ]
    box = f"(* blackbox *)\nmodule {name} (" + ", ".join(f"{d} [{w - 1}:0] {n}" for n, w, d in pins)
    rule = (
        f'(* techmap_celltype = "{name}_mem" *)\nmodule {name}_rule (\n'
        f"  input [{rd - 1}:0] RD_CLK, RD_EN, RD_ARST, RD_SRST,\n"
        f"  input [{rd * abits - 1}:0] RD_ADDR, output [{rd * width - 1}:0] RD_DATA,\n"
        f"  input [{wr - 1}:0] WR_CLK, input [{wr * width - 1}:0] WR_EN, WR_DATA,\n"
        f"  input [{wr * abits - 1}:0] WR_ADDR);\n  {name} _TECHMAP_REPLACE_ ("
        + ", ".join(conn)
        + ");\nendmodule\n"
    )
    return box + ");\nendmodule\n", rule


def liberty(rams, access, setup, path):
    """One cell for every shape. Times in ns; an output's grows with its load."""
    t = [
        "library (gmmu_rams) {",
        "  delay_model : table_lookup;",
        '  time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1mA";',
        '  pulling_resistance_unit : "1kohm"; leakage_power_unit : "1nW";',
        "  capacitive_load_unit (1,pf);",
        "  slew_upper_threshold_pct_rise : 80; slew_lower_threshold_pct_rise : 20;",
        "  slew_upper_threshold_pct_fall : 80; slew_lower_threshold_pct_fall : 20;",
        "  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;",
        "  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;",
        "  nom_process : 1; nom_voltage : 1.8; nom_temperature : 25;",
        "  lu_table_template(load) { variable_1 : total_output_net_capacitance;",
        '    index_1 ("0, 1"); }',
    ]
    pins = {n for m in rams for n in ram_pins(m)}
    for w in sorted({w for _, w, _ in pins if w > 1}):
        t.append(
            f"  type (b{w}) {{ base_type : array; data_type : bit; bit_width : {w}; "
            f"bit_from : {w - 1}; bit_to : 0; downto : true; }}"
        )
    late = f'"{access:g}, {access + RAM_NS_PER_PF:g}"'

    def arc(related, kind):
        edge = "timing_type : rising_edge;" if kind == "clock" else "timing_sense : non_unate;"
        tables = "".join(f" {x}(load) {{ values ({late}); }}" for x in ("cell_rise", "cell_fall"))
        slope = f'"0.1, {0.1 + RAM_NS_PER_PF:g}"'
        tables += "".join(
            f" {x}(load) {{ values ({slope}); }}" for x in ("rise_transition", "fall_transition")
        )
        return f'      timing() {{ related_pin : "{related}"; {edge}{tables} }}'

    def need(kind, ns):
        return (
            f'      timing() {{ related_pin : "CLK"; timing_type : {kind};'
            f' rise_constraint(scalar) {{ values ("{ns:g}"); }}'
            f' fall_constraint(scalar) {{ values ("{ns:g}"); }} }}'
        )

    done = set()
    for m in rams:
        name = ram_name(m)
        if name in done:
            continue
        done.add(name)
        t.append(f"  cell ({name}) {{ area : 0; dont_touch : true; interface_timing : true;")
        for n, w, d in ram_pins(m):
            r = re.match(r"([AEQ])(\d+)$", n)
            free = r and not m["clocked"][int(r[2])]  # of a port without a clock
            bus = f"    bus({n}) {{ bus_type : b{w};" if w > 1 else f"    pin({n}) {{"
            t.append(f"{bus} direction : {d};")
            if n == "CLK":
                t.append(f"      clock : true; capacitance : {RAM_PF};")
            elif d == "input":
                t.append(f"      capacitance : {RAM_PF};")
                if not free:
                    t += [need("setup_rising", setup), need("hold_rising", 0)]
            elif free:
                address = max(1, (m["words"] - 1).bit_length())
                bits = [f"A{r[2]}[{i}]" for i in range(address)] if address > 1 else [f"A{r[2]}"]
                t += [arc("CLK", "clock")] + [arc(b, "address") for b in bits]
            else:
                t.append(arc("CLK", "clock"))
            t.append("    }")
        t.append("  }")
    t.append("}")
    with open(path, "w") as f:
        f.write("\n".join(t) + "\n")


def elements(text):
    """The bits of a concatenation of nets and constants, as single-bit expressions."""
    out = []
    for e in re.findall(r"\\\S+ |\d+'[bdh][0-9a-fx]+|\w+", text):
        m = re.match(r"(\d+)'([bdh])(\w+)$", e)
        if m:
            digits = {"b": 1, "d": 0, "h": 4}[m[2]]
            bits = (
                "".join("x" * digits if c == "x" else f"{int(c, 16):0{digits}b}" for c in m[3])
                if digits
                else f"{int(m[3]):b}"
            ).rjust(int(m[1]), "0")
            out += [f"1'b{b}" for b in bits[-int(m[1]) :]]
        else:
            out.append(e)
    return out


def single_bits(path):
    """Assignments to concatenations, which OpenSTA does not read, become one for each bit. Every
    net of the file is a single bit."""
    with open(path) as f, open(path + ".new", "w") as g:
        for line in f:
            m = re.match(r"  assign \{(.*)\} = (.*);$", line)
            if not m:
                g.write(line)
                continue
            left, right = elements(m[1]), elements(m[2])
            if len(left) != len(right):
                raise RuntimeError(f"{os.path.basename(path)}: cannot read: {line[:80]}")
            g.writelines(f"  assign {x} = {y};\n" for x, y in zip(left, right))
    os.replace(path + ".new", path)


TCL = """
proc walk {p} {
  set out {}
  foreach q [get_property $p points] { lappend out [get_full_name [get_property $q pin]] }
  return [join $out " "]
}
proc ends {what delay} {
  set worst {}
  foreach p [find_timing_paths -path_delay $delay -endpoint_count 1 -group_count 10000000] {
    set slack [get_property $p slack]
    puts "END $what $slack [get_full_name [get_property $p endpoint]]"
    # paths come by groups, those to clock gates in one of their own
    if {$worst == {} || $slack < $least} { set worst $p; set least $slack }
  }
  if {$worst != {}} { puts "PATH $what $least [walk $worst]" }
}
"""


def run_sta(stem, out, a, gated):
    """{what: (slack, [pins]) or None}, {what: [(slack, end point)]} for what: inner (between
    flip-flops and RAMs), all (ports too), hold (only with gates)"""
    lines = [
        f"read_liberty {a.lib}",
        f"read_liberty {out}/{stem}.rams.lib",
        f"read_verilog {out}/{stem}.sta.v",
        "link_design top",
        f"create_clock -name clk -period {a.period} [get_ports clk_i]",
        "set_driving_cell -lib_cell BUFX4 [all_inputs]",
        "set_load 0.05 [all_outputs]",
        # of clock gates: no margin beside the cells' own times
        "set_clock_gating_check -setup 0 -hold 0" if gated else "",
        TCL,
        "ends inner max",
        "ends hold min" if gated else "",
        "report_checks -path_delay max -format full",
        'foreach i [all_inputs] { if {[get_full_name $i] != "clk_i"} '
        f"{{ set_input_delay {a.in_ns} -clock clk $i }} }}",
        f"set_output_delay {a.out_ns} -clock clk [all_outputs]",
        "ends all max",
        "report_checks -path_delay max -format full",
        "exit",
    ]
    with open(f"{out}/{stem}.sta", "w") as f:
        f.write("\n".join(lines) + "\n")
    r = subprocess.run(
        ["sta", "-exit", "-no_splash", f"{out}/{stem}.sta"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    text = r.stdout + r.stderr
    with open(f"{out}/{stem}.timing", "w") as f:
        f.writelines(x + "\n" for x in text.splitlines() if not x.startswith("END "))
    if r.returncode or re.search(r"^Error", text, re.M):
        found = re.search(r"^Error.*", text, re.M)
        raise RuntimeError("OpenSTA: " + (found[0] if found else f"status {r.returncode}"))
    found, ends = {}, {"inner": [], "all": [], "hold": []}
    for m in re.finditer(r"^PATH (\w+) (\S+) (.*)$", text, re.M):
        found[m[1]] = (float(m[2]), m[3].replace("\\", "").split())
    for m in re.finditer(r"^END (\w+) (\S+) (.*)$", text, re.M):
        ends[m[1]].append((float(m[2]), m[3].replace("\\", "")))
    return found, ends


def place(d):
    """File and line of a cell or net."""
    return (re.findall(r"^[^:|]+:\d+", d["attributes"].get("src", "")) or [""])[0]


class Netlist:
    """What a netlist that Yosys wrote as JSON calls its bits."""

    def __init__(self, path):
        with open(path) as f:
            self.top = json.load(f)["modules"]["top"]
        self.names = {}  # bit: (rank, name, where it is declared)
        for name, d in self.top["netnames"].items():
            # registers of a memory: words, and what Yosys put back in front of a read port
            own = re.match(r"\$memory\\?([\w.\[\]]+)$|\$(.+\$rdreg\[\d+\])", name)
            if not own and (name.startswith("_") or "$" in name):
                continue
            shown = (own[1] or own[2].replace("$", ".")) if own else name
            last = shown.rsplit(".", 1)[-1]
            rank = (bool(own), not last.endswith("_q"), shown.count("."), len(shown), shown)
            src = place(d)
            for i, bit in enumerate(d["bits"]):
                if isinstance(bit, int) and (bit not in self.names or rank < self.names[bit][0]):
                    full = shown if len(d["bits"]) == 1 else f"{shown}[{i}]"
                    self.names[bit] = (rank, full, src)

    def name(self, bit):
        return self.names[bit][1] if bit in self.names else None

    def where(self, bit):
        return self.names[bit][2] if bit in self.names else ""

    def of_pin(self, pin):
        """(name of the register, RAM or port, where, bit that leaves it or None)"""
        cell, _, port = pin.rpartition("/")
        if not cell:
            m = re.match(r"(.*?)(?:\[(\d+)\])?$", port)
            bits = self.top["ports"].get(port, self.top["ports"].get(m[1], {})).get("bits", [])
            bit = bits[int(m[2] or 0)] if len(bits) > int(m[2] or 0) else None
            return port, self.where(bit), bit
        d = self.top["cells"].get(cell)
        if d is None:
            return pin, "", None
        if d["type"].startswith("gmmu_ram_"):
            m = re.match(r"(\w+?)(?:\[(\d+)\])?$", port)
            bit = d["connections"].get(m[1], [None])[int(m[2] or 0)] if port[0] == "Q" else None
            return f"{cell}/{m[1]} (RAM)", place(d), bit
        q = d["connections"].get("Q", [None])[0]
        if q is None:  # of a gate of the clock
            return pin, "", None
        return self.name(q) or pin, self.where(q), q


def base(name):
    return re.sub(r"(\[\d+\])+$", "", name)


def between(gates, start, end, ram_end):
    """Names of the signals on the deepest way from one to the other in the logic before abc."""
    top, first, last = gates.top, None, None
    drivers, bits = {}, {}
    for name, d in top["cells"].items():
        seq = d["type"].startswith(("DFF", "LATCH", "gmmu_ram_"))
        if of_gate(name):
            continue
        if not seq:
            ports = d["port_directions"]
            ins = [
                b
                for p, bs in d["connections"].items()
                for b in bs
                if ports[p] == "input" and isinstance(b, int)
            ]
            for p, bs in d["connections"].items():
                if ports[p] == "output":
                    drivers.update((b, ins) for b in bs)
        elif d["type"].startswith("DFF") and end == gates.name(d["connections"]["Q"][0]):
            last = d["connections"]["D"]
        elif d["type"].startswith("gmmu_ram_") and ram_end and ram_end[0] == name:
            last = [b for b in d["connections"][ram_end[1]] if isinstance(b, int)]
    for name, d in top["netnames"].items():
        for i, b in enumerate(d["bits"]):
            bits[name if len(d["bits"]) == 1 else f"{name}[{i}]"] = b
    first = bits.get(start) if isinstance(start, str) else start
    last = last or ([bits[end]] if end in bits else None)
    if first is None or not last:
        return []
    depth, after = {}, {}  # of the longest way from the start to a bit; None: no way
    for goal in last:
        stack = [goal]
        while stack:
            b = stack[-1]
            if b in depth:
                stack.pop()
            elif b == first:
                depth[b] = 0
            else:
                todo = [x for x in drivers.get(b, []) if x not in depth]
                if todo:
                    stack += todo
                    continue
                best = max(
                    (x for x in drivers.get(b, []) if depth[x] is not None),
                    key=lambda x: depth[x],
                    default=None,
                )
                depth[b] = None if best is None else depth[best] + 1
                after[b] = best
                stack.pop()
    goal = max((b for b in last if depth[b] is not None), key=lambda b: depth[b], default=None)
    way = []
    while goal is not None:
        n = gates.name(goal)
        if n and base(n) not in [base(w) for w in way]:
            way.append(n)
        goal = after.get(goal)
    return way[::-1]


def analyse(stem, out, a, rams, gate_cells):
    """Longest paths and slacks of build/synth/<stem>. None: no path at all."""
    liberty(rams, a.ram_access, a.ram_setup, f"{out}/{stem}.rams.lib")
    found, ends = run_sta(stem, out, a, gate_cells)
    if not found:
        return None
    mapped = Netlist(f"{out}/{stem}.json")
    gates = None
    result = {}
    for what in ("inner", "all"):
        if what not in found:
            result[what] = None
            continue
        slack, pins = found[what]
        start, from_src, _ = mapped.of_pin(pins[0])
        end, to_src, _ = mapped.of_pin(pins[-1])
        if gates is None:
            gates = Netlist(f"{out}/{stem}.gates.json")
        ram = re.match(r"(.*)/(\w+) \(RAM\)$", end)
        begin = start
        if start.endswith("(RAM)"):
            cell, port = pins[0].rpartition("/")[::2]
            m = re.match(r"(\w+?)(?:\[(\d+)\])?$", port)
            d = gates.top["cells"].get(cell)
            begin = d["connections"][m[1]][int(m[2] or 0)] if d else None
        via = between(gates, begin, end, ram.groups() if ram else None)
        via = [v for v in via if base(v) not in (base(start), base(end))]
        result[what] = {
            "ns": round(a.period - slack, 3),
            "from": start,
            "from_src": from_src,
            "to": end,
            "to_src": to_src,
            "via": via,
            "gates": (len(pins) - 2) // 2,
        }
    bins = {}
    for slack, _ in ends["all"]:
        low = round((slack // BIN_NS) * BIN_NS, 3)
        bins[low] = bins.get(low, 0) + 1
    result["slack"] = {"bin_ns": BIN_NS, "bins": sorted(bins.items()), "ends": len(ends["all"])}
    if gate_cells:
        ands = {c for c in mapped.top["cells"] if of_gate(c)}
        at = {
            w: [s for s, e in ends[k] if e.rpartition("/")[0] in ands]
            for w, k in (("setup_ns", "all"), ("hold_ns", "hold"))
        }
        result["gating"] = {w: round(min(s), 3) if s else None for w, s in at.items()}
    return result


def of_gate(cell):
    """A latch, AND or inverter of a clock gate (synth/gates/)."""
    return cell.rsplit(".", 1)[-1].startswith("gmmu_gate_")


def histogram(slack, width=50):
    """Lines of text: how many end points have which slack."""
    most = max((n for _, n in slack["bins"]), default=1)
    return [
        f"  {low:7.2f} ns {n:7} {'#' * max(1, round(width * n / most))}" for low, n in slack["bins"]
    ]
