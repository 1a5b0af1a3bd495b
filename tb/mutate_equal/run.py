#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/mutate_equal.py on a small design with bugs whose verdict is known: what another term or
a register that is never set implies is proved, real bugs are not, nor what needs too long; what is
wrong in a guard or a netlist is an error and proves nothing."""

import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../common"))
from tree import ROOT, Tree  # noqa: E402

sys.path.insert(0, os.path.join(ROOT, "scripts"))
import mutate_equal as me  # noqa: E402

tree = Tree("mutate_equal")
expect = tree.expect


def guard(number, old, new):
    return f"(gmmu_mut_pkg::m == 32'd{number} ? ({new}) : ({old}))"


def statement(number, old, new=";"):
    return f"begin if (gmmu_mut_pkg::m == 32'd{number}) begin {new} end else begin {old} end end"


PACKAGE = f"""package gmmu_pkg;
  function automatic logic both(input logic a, input logic b);
    both = {guard(20, "a & b", "a | b")} | {guard(21, "a & b", "(a & b)")};
  endfunction
  function automatic logic again(input logic a, input logic b);
    again = both(b, a);
  endfunction
endpackage
"""
# In `gmmu_inner` a_i and b_i are never both 1 only because of who is around it; one_q and two_q are
# never both 1 because of what it does itself.
INNER = f"""module gmmu_inner #(
  parameter int Wide = 0
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       a_i,
  input  logic       b_i,
  input  logic [3:0] word_i,
  output logic       comb_o,
  output logic [3:0] word_o,
  output logic       seq_o,
  output logic       valid_o,
  output logic [3:0] data_o,
  output logic       turned_o,
  output logic       sim_o
);
  logic one_q, two_q, spare_q, late_q;
  logic [3:0] ones;
  logic [1:0] dead;
  logic [23:0] count_q;
  assign ones = {guard(9, "'1", "'0")};
  assign dead = {guard(10, "2'd0", "2'd1")};
  assign comb_o = {guard(1, "a_i & (a_i | b_i)", "(a_i)")} ^ {guard(2, "a_i & b_i", "a_i | b_i")};
  assign word_o = ones ^ {guard(3, "word_i[3:0]", "word_i[4:1]")};
  assign seq_o = {guard(4, "one_q & !two_q", "(one_q)")} ^ {guard(5, "a_i & !b_i", "(a_i)")}
      ^ {guard(6, "&count_q", "1'b0")} ^ {guard(7, "one_q | two_q", "(one_q)")};
  assign valid_o = late_q;
  assign turned_o = {guard(16, "1'b0", "1'b1")};
  assign data_o = {guard(8, "late_q ? word_i : '0", "(word_i)")};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      one_q   <= 1'b0;
      two_q   <= 1'b0;
      late_q  <= {guard(11, "1'b0", "1'b1")};
      count_q <= '0;
    end else begin
      one_q   <= a_i & !two_q;
      two_q   <= b_i & !a_i & !one_q;
      late_q  <= a_i;
      {statement(12, "count_q <= count_q + 24'(a_i);")}
    end
    {statement(13, "spare_q <= a_i;")}
  end
`ifdef VERILATOR    // what is synthesised has another text
  assign sim_o = {guard(15, "a_i | b_i", "a_i ^ b_i | b_i")} & {guard(17, "a_i", "b_i")};
`else
  assign sim_o = a_i;
`endif
`ifdef ELSEWHERE
  logic never;
  assign never = {guard(18, "a_i", "b_i")};
`endif
  if (Wide != 0) begin : gen_wide
    logic unused;
    assign unused = {guard(14, "1'b0", "1'b1")};
  end
endmodule
"""
WORDS = f"""module gmmu_words (
  input  logic        clk_i,
  input  logic        we_i,
  input  logic [5:0]  at_i,
  input  logic [31:0] data_i,
  output logic [31:0] data_o
);
  logic [31:0] words [0:63];
  always_ff @(posedge clk_i) if (we_i) words[at_i] <= {guard(22, "data_i", "we_i ? data_i : '0")};
  assign data_o = words[{guard(23, "at_i", "at_i + 6'd1")}];
endmodule
"""
STORE = """module gmmu_store (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        we_i,
  input  logic [5:0]  at_i,
  input  logic [31:0] data_i,
  output logic        valid_o,
  output logic [31:0] data_o
);
  for (genvar i = 0; i < 1; i++) begin : gen_part
    gmmu_words u_words (.clk_i, .we_i, .at_i, .data_i, .data_o);
  end
  assign valid_o = rst_ni & we_i;
endmodule
"""
OUTER = f"""module gmmu_outer (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       pick_i,
  input  logic       go_i,
  input  logic [3:0] word_i,
  output logic       comb_o,
  output logic       seq_o,
  output logic [3:0] word_o,
  output logic       valid_o,
  output logic [3:0] data_o,
  output logic       both_o,
  output logic       turned_o,
  output logic       sim_o
);
  gmmu_inner u_inner (
    .clk_i, .rst_ni, .a_i(go_i & pick_i), .b_i(go_i & !pick_i), .word_i, .comb_o, .word_o, .seq_o,
    .valid_o, .data_o, .turned_o, .sim_o
  );
  assign both_o = gmmu_pkg::again(pick_i, go_i);
endmodule
"""
EXPECTED = {
    1: "equivalent",  # absorption
    2: "open",
    3: "open",  # reads beyond the vector: any value
    4: "equivalent",  # never both, as the registers are
    5: "equivalent",  # never both, as gmmu_outer drives them
    6: "undecided",  # 16 million cycles away
    7: "open",
    8: "unseen",  # payload without valid
    9: "open",  # '1 of four bits in an arm
    10: "equivalent",  # nothing reads it
    11: "open",
    12: "undecided",  # as 6
    13: "equivalent",  # nothing reads it
    14: "equivalent",  # dead for the parameters
    15: "equivalent",  # only simulators read it
    16: "open",  # the output is the choice itself
    17: "open",  # as 15
    18: "undecided",  # nobody reads it
    20: "open",
    21: "equivalent",
    22: "equivalent",  # a memory, which is cut
    23: "open",  # as 22
}


class Few(me.Prover):
    """Without builds of Verilator: one instance of each module."""

    def __init__(self, directory, limit):
        self.o = me.options(["--results", directory, "--limit", str(limit)])
        self.end = float("inf")
        self.dir, self.path = directory, os.path.join(directory, "equal.jsonl")
        self.work, self.known = os.path.join(directory, "equal"), {}
        self.sources = me.Sources(os.path.join(directory, "copy"))
        self.bugs = {n: {"id": f"bug{n}"} for n in EXPECTED}

    def plan(self):
        outer, inner = ("gmmu_outer", ()), ("gmmu_inner", (("Wide", "0"),))
        places = {"gmmu_outer": [(outer,)], "gmmu_inner": [(inner, outer)]}
        places["gmmu_words"] = [(("gmmu_store", ()),)]
        return {
            n: [c for m in sorted(self.sources.modules_with(n)) for c in places[m]]
            for n in self.bugs
        }

    def verdicts(self):
        places = self.plan()
        self.ask_all(places)
        return {n: self.verdict(n, places[n])[0] for n in self.bugs}


def fails(what, function, *args):
    try:
        function(*args)
    except me.NetlistError:
        expect(what, True)
    else:
        expect(what, False, "no error")


def wrong_guards():
    for what, text in {
        "a guard that does not end": "(gmmu_mut_pkg::m == 32'd5 ? (a) : (b)",
        "a guard without an original": "(gmmu_mut_pkg::m == 32'd5 ? (a))",
        "more behind the original": "(gmmu_mut_pkg::m == 32'd5 ? (a) : (b) | c)",
        "a guard that is no arm": "x = gmmu_mut_pkg::m == 32'd5 ? a : b;",
    }.items():
        fails(what, me.resolve, text, {5})
    text = guard(1, guard(2, "a", "b") + " | c", "d")
    expect("nested guards", me.resolve(text, {2}) == "(gmmu_mut_2 ? (b) : (a)) | c")
    expect("no guard is left", me.resolve(text, set()) == "a | c")


def wrong_netlists(path):
    with open(path) as f:
        good = f.read()
    gates = [i for i, line in enumerate(good.split("\n")) if line == "11 1"]

    def changed(lines):
        with open(path + ".wrong", "w") as f:
            f.write("\n".join(lines))
        me.Model(path + ".wrong", os.path.dirname(path), 1)

    def edit(at, to):
        lines = good.split("\n")
        lines[at : at + 1] = to
        return lines

    middle = gates[len(gates) // 2]
    changed(good.split("\n"))
    fails("a gate with another table", changed, edit(middle, ["10 1"]))
    fails("a gate without a table", changed, edit(middle, []))
    fails(
        "a gate is gone",
        changed,
        [*good.split("\n")[: middle - 1], *good.split("\n")[middle + 1 :]],
    )
    fails("a cell that is none", changed, edit(middle, ["11 1", ".subckt x A=a"]))
    fails(
        "two drivers", changed, edit(middle, ["11 1", *good.split("\n")[middle - 1 : middle + 1]])
    )
    fails("its end is gone", changed, good.split("\n")[:middle])
    latch = next(i for i, line in enumerate(good.split("\n")) if line.startswith(".latch"))
    line = good.split("\n")[latch]
    fails("another clock", changed, edit(latch, [line.replace(" re clk_i ", " re rst_ni ")]))
    fails("another edge", changed, edit(latch, [line.replace(" re ", " fe ")]))


def main():
    directory = os.path.join(tree.path, "results")
    os.makedirs(directory, exist_ok=True)
    shutil.rmtree(os.path.join(directory, "equal"), ignore_errors=True)
    for name in ("equal.jsonl", "equal.json"):
        if os.path.exists(os.path.join(directory, name)):
            os.remove(os.path.join(directory, name))
    texts = {"pkg": PACKAGE, "inner": INNER, "outer": OUTER, "words": WORDS, "store": STORE}
    for name, text in texts.items():
        tree.write(f"results/copy/gmmu_{name}.sv", text)
    rules = {"gmmu_outer": {"data_o": "valid_o"}, "gmmu_store": {"data_o": "valid_o"}}
    me.payload = lambda: rules
    few = Few(directory, 1)
    got = few.verdicts()
    with open(few.path) as f:
        expect("a memory was cut", any("memories cut" in x and "bug22" in x for x in f))
    for n, v in EXPECTED.items():
        expect(f"bug {n}: {got[n]}, expected {v}", got[n] == v)
    rules.clear()
    again = Few(directory, 1)
    again.bugs = {8: {"id": "bug8"}}
    expect("without a rule for payload: not equal", again.verdicts() == {8: "open"})
    wrong_guards()
    work = os.path.join(tree.path, "netlist")
    me.to_blif(few.sources, work, "gmmu_outer", (), {1}, me.SYNTHESIZED, 60)
    wrong_netlists(work + "/net.blif")
    return tree.end()


if __name__ == "__main__":
    sys.exit(main())
