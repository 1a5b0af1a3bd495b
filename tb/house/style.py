#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts/style_sv.py must say about lines of SystemVerilog, and what it must leave alone; run
by scripts/slang.sh --program tb/house/style.py."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts"))
import style_sv

HEAD = "module m (\n  input  logic       a,\n  input  logic [3:0] b,\n  output logic       c\n);\n"
WRONG = {
    "  assign c = a& b[0];\n": "no blank before &",
    "  assign c = a &b[0];\n": "not one blank behind &",
    "  assign c = b ==4'd1;\n": "not one blank behind ==",
    "  assign c = b  + 4'd1 == 4'd2 &&  a;\n": "not one blank behind &&",
    "  assign c = b[3] +1'b1;\n": "+ with a blank on one side",
    "  assign c = a ?b[0] : b[1];\n": "not one blank behind ?",
    "  assign c =a;\n": "not one blank behind =",
    "  assign c = ~ a;\n": "a blank behind the unary ~",
    "  assign c = a\n      & b[0];\n": "a line begins with an operator",
    "  assign c = ( a);\n": "a blank behind (",
    "  assign c = {a }[0];\n": "a blank before }",
    "  assign c = b[0 ];\n": "a blank before ]",
    "  assign c = {a,b} == 5'd0;\n": "no blank behind ,",
    "  assign c = {a , b} == 5'd0;\n": "a blank before ,",
    "  assign c = a ;\n": "a blank before ;",
    "  always_comb begin\n    if(a) c = b[0];\n  end\n": "not one blank behind if",
    "  always_comb\n  begin\n    c = a;\n  end\n": "begin on a line of its own",
    "  always_comb begin\n    if (a) begin\n      c = a;\n    end\n    else c = 1'b0;\n  end\n": (
        "else does not follow its end"
    ),
    "  assign c = a;\t\n": "a tab",
    "  assign c = a; \n": "a blank at the end",
    "\n\n  assign c = a;\n": "empty lines",
}
RIGHT = """  localparam int W = $clog2(4*2) - 1;
  logic [W-1:0]   x [0:2**W-1];
  assign c      = a & ~b[0] && !(|b[W*1 +: 2]) ? -b[1] :
      (b - 4'd1) << 1 <= 4'd3 & b[3];   // a&b is a comment
  always_comb begin
    if (a) begin x[0] = '0; end
    else x[0] = {b[2:0]};
    case (b)
      4'd0:    x[1] = '0;
      default: ;
    endcase
  end
  function automatic logic f(input logic g);
    begin
      f = g;
    end
  endfunction
"""


def said(text, path="rtl/m.sv"):
    (f,) = style_sv.read([path], {path: text}.get)
    return f, style_sv.problems(f)


def main():
    bad = 0
    for lines, want in WRONG.items():
        f, found = said(HEAD + lines + "endmodule\n")
        if [x[1] for x in found] != [want]:
            print(f"FAIL: {[x[1] for x in found]} and not '{want}' about\n{lines}")
            bad += 1
        f, found = said(style_sv.better(f, found))
        if any(x[-1] is not None for x in found):
            print(f"FAIL: still {[x[1] for x in found]} in what was written for\n{lines}")
            bad += 1
    for name, text in (("ports", HEAD.replace("a,\n ", "a,")), ("end", HEAD + "endmodule")):
        if not said(text if name == "end" else text + "endmodule\n")[1]:
            print(f"FAIL: nothing about {name}")
            bad += 1
    for what in (HEAD + RIGHT + "endmodule\n",):
        for line, *words in said(what)[1]:
            print(f"FAIL: line {line} of what is right: {words[0]}")
            bad += 1
    print(f"{'FAIL' if bad else 'PASS'} style: {len(WRONG) + 3} checks, {bad} failed")
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
