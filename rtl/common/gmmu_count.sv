// SPDX-License-Identifier: Apache-2.0
// gmmu_count: how many bits of a vector are set, by a tree of adders ($countones becomes a chain of
// N adders in Yosys).
// Combinational. Legal: N 1..4096.
`default_nettype none
module gmmu_count #(
  parameter int N      = 64,
  localparam int W     = $clog2(N + 1)
) (
  input  logic [N-1:0] v_i,
  output logic [W-1:0] n_o
);
  if (N < 1 || N > 4096) begin : gen_bad
    gmmu_count_N_must_be_1_to_4096 u_bad();
  end

`ifdef VERILATOR
  assign n_o = W'($countones(v_i));
`else
  localparam int P = 1 << $clog2(N);

  // The upper half of the sums is added to the lower until one is left.
  function automatic logic [W-1:0] count(input logic [N-1:0] v);
    logic [W*P-1:0] s;
    begin
      s = '0;
      for (int i = 0; i < N; i++) s[W*i +: W] = W'(v[i]);
      for (int h = P / 2; h > 0; h = h / 2)
        for (int i = 0; i < h; i++) s[W*i +: W] = s[W*i +: W] + s[W*(i+h) +: W];
      count = s[0 +: W];
    end
  endfunction

  assign n_o = count(v_i);
`endif
endmodule
`default_nettype wire
