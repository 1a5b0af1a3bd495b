// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_div: DIV, DIVU, REM, REMU of all lanes of a warp at once, one bit of the quotient a cycle
// (33 cycles and the wait for a write slot). go_i only while ready_o. The result waits with
// wb_valid_o until wb_taken_i; then done_o frees the register.
`default_nettype none
module gmmu_sm_div #(
  parameter int Lanes = 32,
  parameter int WarpW = 5
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                go_i,
  input  logic [WarpW-1:0]    warp_i,
  input  logic [4:0]          rd_i,
  input  logic [1:0]          op_i,     // funct3[1:0]: bit 0 unsigned, bit 1 remainder
  input  logic [Lanes-1:0]    mask_i,
  input  logic [Lanes*32-1:0] a_i,
  input  logic [Lanes*32-1:0] b_i,
  output logic                ready_o,
  output logic                wb_valid_o,
  input  logic                wb_taken_i,
  output logic [WarpW-1:0]    warp_o,
  output logic [4:0]          rd_o,
  output logic [Lanes-1:0]    mask_o,
  output logic [Lanes*32-1:0] data_o
);
  logic                busy_q;
  logic [5:0]          left_q;
  logic [1:0]          div_op_q;
  logic [Lanes-1:0]    negq_q, negr_q;
  logic [Lanes*32-1:0] rem_q, quo_q, den_q, rem_d, quo_d;

  always_comb begin : step
    logic [32:0] t;
    t     = '0;
    rem_d = rem_q;
    quo_d = quo_q;
    if (busy_q && left_q != 6'd0) begin
      for (int l = 0; l < Lanes; l++) begin
        t = {rem_q[l*32 +: 32], quo_q[l*32+31]};
        if (t >= {1'b0, den_q[l*32 +: 32]}) begin
          rem_d[l*32 +: 32] = 32'(t - {1'b0, den_q[l*32 +: 32]});
          quo_d[l*32 +: 32] = {quo_q[l*32 +: 31], 1'b1};
        end else begin
          rem_d[l*32 +: 32] = t[31:0];
          quo_d[l*32 +: 32] = {quo_q[l*32 +: 31], 1'b0};
        end
      end
    end
  end

  assign ready_o    = !busy_q;
  assign wb_valid_o = busy_q && left_q == 6'd0;
  always_comb begin : result
    data_o = '0;
    if (wb_valid_o) begin
      for (int l = 0; l < Lanes; l++) begin
        if (div_op_q[1]) data_o[l*32 +: 32] = negr_q[l] ? -rem_q[l*32 +: 32] : rem_q[l*32 +: 32];
        else data_o[l*32 +: 32] = negq_q[l] ? -quo_q[l*32 +: 32] : quo_q[l*32 +: 32];
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
    end else if (go_i) begin
      busy_q <= 1'b1;
    end else if (wb_taken_i) begin
      busy_q <= 1'b0;
    end
    if (go_i) begin
      left_q   <= 6'd32;
      div_op_q <= op_i;
      warp_o   <= warp_i;
      rd_o     <= rd_i;
      mask_o   <= mask_i;
      rem_q    <= '0;
      for (int l = 0; l < Lanes; l++) begin
        quo_q[l*32 +: 32] <= !op_i[0] && a_i[l*32+31] ? -a_i[l*32 +: 32] : a_i[l*32 +: 32];
        den_q[l*32 +: 32] <= !op_i[0] && b_i[l*32+31] ? -b_i[l*32 +: 32] : b_i[l*32 +: 32];
        // A division by 0 gives all ones, whatever the signs; its remainder is the dividend.
        negq_q[l] <= !op_i[0] && (a_i[l*32+31] ^ b_i[l*32+31]) && b_i[l*32 +: 32] != 32'd0;
        negr_q[l] <= !op_i[0] && a_i[l*32+31];
      end
    end else if (busy_q && left_q != 6'd0) begin
      left_q <= left_q - 6'd1;
      rem_q  <= rem_d;
      quo_q  <= quo_d;
    end
  end
endmodule
`default_nettype wire
