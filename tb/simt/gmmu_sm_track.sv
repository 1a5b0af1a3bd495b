// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_track: the memory instructions on their way, from issue until the last of their bursts is
// answered. An entry counts its bursts (an atomic in memory counts twice: R and B); when it is
// closed (all bursts are out) and the count is 0, it is retired: its registers are free for the
// scoreboard. busy_o[w]: warp w has entries.
`default_nettype none
module gmmu_sm_track #(
  parameter int Ops    = 64,
  parameter int Warps  = 32,
  localparam int OpW   = $clog2(Ops),
  localparam int WarpW = Warps > 1 ? $clog2(Warps) : 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  output logic             free_o,        // an entry is free: op_o
  output logic [OpW-1:0]   op_o,
  input  logic             go_i,          // it is taken
  input  logic [WarpW-1:0] warp_i,
  input  logic [31:0]      rds_i,
  input  logic             more_i,        // a burst goes out
  input  logic             twice_i,
  input  logic [OpW-1:0]   more_op_i,
  input  logic             r_i,           // a read is answered, a write
  input  logic [OpW-1:0]   r_op_i,
  input  logic             b_i,
  input  logic [OpW-1:0]   b_op_i,
  input  logic             close_i,
  input  logic [OpW-1:0]   close_op_i,
  output logic             ret_valid_o,
  output logic [WarpW-1:0] ret_warp_o,
  output logic [31:0]      ret_rds_o,
  output logic [Warps-1:0] busy_o
);
  localparam int CntW = 7;                // 32 lanes, two answers each
  logic [Ops-1:0]      used_q, closed_q, done;
  logic [Ops*CntW-1:0] cnt_q, cnt_d;
  logic [WarpW+31:0]   info_q [0:Ops-1];
  logic [OpW:0]        entries_q [0:Warps-1];  // entries of a warp
  logic [OpW-1:0]      ret_op;
  logic                same;

  gmmu_sm_pick #(.N(Ops)) u_free (.req_i(~used_q), .from_i(OpW'(0)), .valid_o(free_o),
      .idx_o(op_o));
  gmmu_sm_pick #(.N(Ops)) u_done (.req_i(done), .from_i(OpW'(0)), .valid_o(ret_valid_o),
      .idx_o(ret_op));
  assign {ret_warp_o, ret_rds_o} = info_q[ret_op];
  always_comb begin
    done = '0;
    if (|closed_q) for (int e = 0; e < Ops; e++) done[e] = closed_q[e] && cnt_q[e*CntW +: CntW] ==
        '0;
  end
  always_comb begin
    cnt_d = cnt_q;
    if (more_i) cnt_d[more_op_i*CntW +: CntW] = cnt_d[more_op_i*CntW +: CntW] +
        (twice_i ? CntW'(2) : CntW'(1));
    if (r_i) cnt_d[r_op_i*CntW +: CntW] = cnt_d[r_op_i*CntW +: CntW] - CntW'(1);
    if (b_i) cnt_d[b_op_i*CntW +: CntW] = cnt_d[b_op_i*CntW +: CntW] - CntW'(1);
  end
  assign same = go_i && ret_valid_o && warp_i == ret_warp_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q   <= '0;
      closed_q <= '0;
      cnt_q    <= '0;
      busy_o   <= '0;
      for (int w = 0; w < Warps; w++) entries_q[w] <= '0;
    end else begin
      if (more_i || r_i || b_i) cnt_q <= cnt_d;
      if (ret_valid_o) begin
        used_q[ret_op]   <= 1'b0;
        closed_q[ret_op] <= 1'b0;
        if (!same) begin
          entries_q[ret_warp_o] <= entries_q[ret_warp_o] - (OpW+1)'(1);
          busy_o[ret_warp_o]    <= entries_q[ret_warp_o] != (OpW+1)'(1);
        end
      end
      if (go_i) begin
        used_q[op_o] <= 1'b1;
        info_q[op_o] <= {warp_i, rds_i};
        if (!same) begin
          entries_q[warp_i] <= entries_q[warp_i] + (OpW+1)'(1);
          busy_o[warp_i]    <= 1'b1;
        end
      end
      if (close_i) closed_q[close_op_i] <= 1'b1;
    end
  end
endmodule
`default_nettype wire
