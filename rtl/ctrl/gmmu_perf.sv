// SPDX-License-Identifier: Apache-2.0
// gmmu_perf: performance counters, from the events of gmmu_top (counted a cycle later) and those of
// gmmu_axi. What each counts: docs/regs-map.md (PERF_LO); docs/regs.md.
//
// A snapshot copies all counters at one edge; clear restarts them at that edge with what the cycle
// adds, so that successive snapshots with clear add up to the true count. Counters wrap. Legal:
// Width 33..64, NumSms and NumPorts at most 32.
`default_nettype none
module gmmu_perf #(
  parameter int NumSms   = 2,
  parameter int NumPorts = 1,
  parameter int Width    = 48,
  localparam int Counters = 12
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // lookups of new requests in the L1 TLBs and those that hit, in the L2 TLB by port; a walk
  // starts; lookups that found an entry with wrong parity
  input  logic [NumSms-1:0]         count_l1_look_i,
  input  logic [NumSms-1:0]         count_l1_hit_i,
  input  logic [1:0]                count_l2_look_i,
  input  logic [1:0]                count_l2_hit_i,
  input  logic                      count_walk_i,
  input  logic [NumSms-1:0]         count_l1_parity_i,
  input  logic [1:0]                count_l2_parity_i,
  input  logic                      pte_read_i,     // an event in this cycle, as all that follow
  input  logic                      recorded_i,     // faults
  input  logic                      lost_i,
  input  logic [NumPorts-1:0]       read_i,         // bursts issued
  input  logic [NumPorts-1:0]       write_i,
  input  logic                      stalled_i,      // a port has a faulted burst
  input  logic                      snap_i,
  input  logic                      clear_i,
  output logic [Counters*Width-1:0] value_o         // as of the last snapshot
);
  if (Width < 33 || Width > 64) begin : gen_bad_width
    gmmu_perf_Width_must_be_33_to_64 u_bad();
  end

  function automatic logic [7:0] ones(input logic [31:0] bits);
    begin
      ones = '0;
      for (int i = 0; i < 32; i++) ones = ones + 8'(bits[i]);
    end
  endfunction

  logic [NumSms-1:0] l1_look_q, l1_hit_q, l1_parity_q;
  logic [1:0]        l2_look_q, l2_hit_q, l2_parity_q;
  logic              walk_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {l1_look_q, l1_hit_q, l2_look_q, l2_hit_q, walk_q, l1_parity_q, l2_parity_q} <= '0;
    end else begin
      l1_look_q <= count_l1_look_i;
      l1_hit_q  <= count_l1_hit_i;
      l2_look_q <= count_l2_look_i;
      l2_hit_q  <= count_l2_hit_i;
      walk_q    <= count_walk_i;
      l1_parity_q <= count_l1_parity_i;
      l2_parity_q <= count_l2_parity_i;
    end
  end
  logic [Counters*8-1:0] add;
  assign add = {ones(32'(l1_parity_q)) + ones(32'(l2_parity_q)), 8'(stalled_i),
                ones(32'(write_i)), ones(32'(read_i)), 8'(recorded_i) + 8'(lost_i),
                8'(pte_read_i), 8'(walk_q), ones(32'(l2_hit_q)), ones(32'(l2_look_q)),
                ones(32'(l1_hit_q)), ones(32'(l1_look_q)), 8'd1};

  for (genvar c = 0; c < Counters; c++) begin : gen_counter
    logic [Width-1:0] now_q, shown_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        now_q   <= '0;
        shown_q <= '0;
      end else begin
        now_q <= (clear_i ? '0 : now_q) + Width'(add[c*8 +: 8]);
        if (snap_i) shown_q <= now_q;
      end
    end
    assign value_o[c*Width +: Width] = shown_q;
  end
endmodule
`default_nettype wire
