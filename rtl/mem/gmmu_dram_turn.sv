// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_turn: which application has the silver turn of one DRAM channel, and its quota. Rules:
// docs/dram_sched.md.
// Source: MASK section 5.4, equation 1.
//
// One application has the turn in every cycle (none with quota_max_i 0). The next one and its quota
// are computed beside it, again and again: apps_i cycles for the sum of the weights and 22 for the
// division. After reset application 0 has a turn that is spent. Legal: NumApps 1..64; apps_i
// 1..NumApps.
`default_nettype none
module gmmu_dram_turn #(
  parameter int NumApps     = 8,
  localparam int AppW       = gmmu_pkg::idx_w(NumApps)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [AppW:0]        apps_i,     // applications in use; from the next computation on
  input  logic [9:0]           quota_max_i,    // largest quota, the same; 0: no turns
  input  logic [15:0]          turn_timeout_i, // 1..65535
  input  logic                 epoch_i,    // pulse
  input  logic [NumApps*6-1:0] con_i,      // outstanding misses of each application, saturated
  input  logic [NumApps*6-1:0] warps_i,    // most warps that wait on one of its misses, saturated
  input  logic                 entered_i,  // a request entered silver
  output logic                 turn_o,     // app_o has the turn
  output logic                 turn_soon_o, // in the next cycle one has it
  output logic [AppW-1:0]      app_o,
  output logic                 passes_o,   // from the next cycle on next_o has it
  output logic [AppW-1:0]      next_o,
  // observation: who gets the next turn, and its quota, was found
  output logic                 obs_found_o,
  output logic [AppW-1:0]      obs_app_o,
  output logic [9:0]           obs_quota_o
);
  localparam int DivW = 22; // 1023 x 63 x 63 < 2^22
  localparam int RemW = 19; // sums of weights are below 2^18

  if (NumApps < 1 || NumApps > 64) begin : gen_bad
    gmmu_dram_turn_NumApps_must_be_1_to_64 u_bad();
  end

  // The turn.
  logic [AppW-1:0] app_q;
  logic [9:0]      rest_q;           // of its quota
  logic [15:0]     idle_q;
  logic            last_q;           // rest_q is 1: entered_i comes late
  logic            spent_q, done, passed;
  // The next one.
  logic [AppW-1:0] next_q;
  logic [9:0]      next_quota_q;
  logic            found_q, found;
  // The computation for candidate cand_q.
  logic [NumApps*6-1:0] con_q, warps_q;
  logic                 div_q, first_bit, last_bit, quot_bit, zero_q;
  logic [AppW-1:0]      cand_q, cand_here, start;
  logic [AppW:0]        apps_q, apps_here, at_app_q;
  logic [4:0]           bit_q;
  logic [17:0]          sum_q, divisor_q;
  logic [11:0]          mine_q;
  logic [12:0]          high;
  logic [RemW-1:0]      rem_q, rem_in, rem_out;
  logic [9:0]           quota, max_q, low_q, left_q;
  logic [8:0]           quot_q;

  // The application after this one, the last one's is 0.
  function automatic logic [AppW-1:0] after(input logic [AppW-1:0] app, input logic [AppW:0] apps);
    begin
      after = {1'b0, app} + 1'b1 >= apps ? '0 : app + 1'b1;
    end
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      con_q   <= '0;
      warps_q <= '0;
    end else begin
      for (int i = 0; i < NumApps; i++) begin
        if (epoch_i || con_i[i*6 +: 6] > con_q[i*6 +: 6]) con_q[i*6 +: 6] <= con_i[i*6 +: 6];
        if (epoch_i || warps_i[i*6 +: 6] > warps_q[i*6 +: 6])
            warps_q[i*6 +: 6] <= warps_i[i*6 +: 6];
      end
    end
  end

  // Sum: one application a cycle. In its first cycle apps_i counts from now on. The weight of the
  // application of a cycle is the product a cycle later, in the sum after another.
  logic [5:0]  con1_q, warps1_q;
  logic [11:0] weight2_q;
  logic [1:0]  first_q, mine_at_q, sums_q;
  assign first_bit = at_app_q == '0;
  assign apps_here = first_bit ? apps_i : apps_q;
  assign cand_here = first_bit && {1'b0, cand_q} >= apps_i ? '0 : cand_q;
  always_ff @(posedge clk_i) begin
    con1_q    <= con_q[at_app_q[AppW-1:0]*6 +: 6];
    warps1_q  <= warps_q[at_app_q[AppW-1:0]*6 +: 6];
    weight2_q <= 12'(con1_q) * 12'(warps1_q);
    first_q   <= {first_q[0], first_bit};
    mine_at_q <= {mine_at_q[0], at_app_q[AppW-1:0] == cand_here};
    sums_q    <= {sums_q[0], !div_q};
    if (sums_q[1]) sum_q <= (first_q[1] ? 18'd0 : sum_q) + 18'(weight2_q);
    if (sums_q[1] && mine_at_q[1]) mine_q <= weight2_q;
  end

  // Division of max_q x mine_q by the sum, restoring, one bit a cycle. The weight is at most the
  // sum, and the first 12 of the 22 bits are 0: meanwhile the product is added up, with the sum in
  // its place from the third on, a bit of max_q a cycle, the lowest first; {rem_q, low_q} has it.
  // All weights 0: largest quota / applications.
  assign high      = {1'b0, rem_q[11:0]} + (left_q[0] ? 13'(mine_q) : 13'd0);
  assign rem_in    = {rem_q[RemW-2:0], low_q[9]};
  assign quot_bit  = rem_in >= RemW'(divisor_q);
  assign rem_out   = quot_bit ? rem_in - RemW'(divisor_q) : rem_in;
  assign last_bit  = bit_q == 5'(DivW - 1);
  assign quota     = {quot_q, quot_bit};

  // The turn is spent, and passes once the next one is known.
  assign turn_soon_o = quota_max_i != '0;
  always_ff @(posedge clk_i) turn_o <= turn_soon_o;
  assign app_o  = app_q;
  assign passes_o = passed;
  assign next_o   = next_q;
  assign done   = entered_i ? last_q : idle_q + 16'd1 >= turn_timeout_i;
  assign passed = (spent_q || done) && found_q;
  assign found  = div_q && last_bit && quota != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      app_q   <= '0;
      spent_q <= 1'b1;
      found_q <= 1'b0;
      idle_q  <= '0;
    end else if (passed) begin
      app_q   <= next_q;
      spent_q <= 1'b0;
      found_q <= 1'b0;
      idle_q  <= '0;
    end else begin
      spent_q <= spent_q || done;
      found_q <= found_q || found;
      if (!spent_q) idle_q <= entered_i ? '0 : idle_q + 16'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (passed) begin
      rest_q <= next_quota_q;
      last_q <= next_quota_q == 10'd1;
    end else if (entered_i) begin
      rest_q <= rest_q - 10'd1;
      last_q <= rest_q == 10'd2;
    end
  end
  always_ff @(posedge clk_i) begin
    if (found) begin
      next_q       <= cand_q;
      next_quota_q <= quota;
    end
  end

  // Where the computation goes on: behind the new turn's application, behind the present one's when
  // a quota was found, else behind the candidate that has none.
  assign start = passed ? after(next_q, apps_here) :
      found ? after(app_q, apps_here) : after(cand_q, apps_here);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      div_q    <= 1'b0;
      cand_q   <= '0;
      at_app_q <= '0;
      bit_q    <= '0;
    end else if (passed || (div_q && last_bit)) begin
      div_q    <= 1'b0;
      cand_q   <= start;
      at_app_q <= '0;
      bit_q    <= '0;
    end else if (div_q) begin
      bit_q <= bit_q + 5'd1;
    end else begin
      cand_q   <= cand_here;
      at_app_q <= at_app_q + 1'b1;
      div_q    <= at_app_q + 1'b1 == apps_here;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!div_q) begin
      apps_q <= apps_here;
      if (first_bit) max_q <= quota_max_i;
    end
    if (bit_q == 5'd2) divisor_q <= sum_q == '0 ? 18'(apps_q) : sum_q;
    if (bit_q == 5'd2) zero_q <= sum_q == '0;
    if (bit_q < 5'd2) begin
      rem_q  <= '0;
      left_q <= max_q;
    end else if (bit_q < 5'(DivW - 10)) begin
      rem_q  <= RemW'(high[12:1]);
      low_q  <= zero_q && bit_q == 5'(DivW - 11) ? max_q : {high[0], low_q[9:1]};
      left_q <= left_q >> 1;
    end else begin
      rem_q  <= rem_out;
      low_q  <= low_q << 1;
      quot_q <= {quot_q[7:0], quot_bit};
    end
  end
  assign obs_found_o  = found;
  assign obs_app_o    = cand_q;
  assign obs_quota_o  = quota;
endmodule
`default_nettype wire
