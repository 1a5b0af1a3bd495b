// SPDX-License-Identifier: Apache-2.0
// Fault records: a port that has one gets rid of it within NumPorts cycles; a record is kept unless
// the queue was full, and then the port is told; what software reads is what a port gave, in the
// order in which they were taken.
`default_nettype none
module prove_fault_queue #(
  parameter int NumPorts = 3,
  parameter int Depth    = 2,
  parameter int RecW     = 2,
  parameter int Covers   = 0,
  localparam int PortW   = $clog2(NumPorts),
  localparam int CntW    = $clog2(Depth + 1)
) (
  input  logic                     clk_i,
  input  logic [NumPorts-1:0]      valid_i,
  input  logic [NumPorts*RecW-1:0] rec_i,
  input  logic                     pop_i,
  input  logic                     follow_i,
  input  logic [PortW-1:0]         any_port
);
  `include "prove.svh"

  logic [NumPorts-1:0]   taken;
  logic                  lost, head_valid, recorded, overflow;
  logic [RecW+PortW-1:0] head;
  logic [CntW-1:0]       count;
  gmmu_fault_queue #(.NumPorts(NumPorts), .Depth(Depth), .RecW(RecW)) u_dut (
    .clk_i, .rst_ni, .valid_i, .rec_i, .taken_o(taken), .lost_o(lost), .head_valid_o(head_valid),
    .head_o(head), .pop_i,
    .count_o(count), .recorded_o(recorded), .overflow_o(overflow)
  );

  logic [PortW-1:0] port_q;            // any port, the same for ever
  always_ff @(posedge clk_i) if (!rst_ni) port_q <= any_port;
  always_comb begin
    if (!rst_ni) assume (32'(any_port) < NumPorts & valid_i == '0 & !pop_i);
  end

  // Cycles that the port's record waited; software's view of the queue.
  logic [PortW:0]        waits_q;
  logic [CntW-1:0]       held_q, ahead_q, left;
  logic                  in_q, kept;
  logic [RecW-1:0]       rec_q;
  assign left = held_q - CntW'(pop_i & head_valid);
  assign kept = taken[port_q] & !lost;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      held_q  <= '0;
      in_q    <= 1'b0;
      waits_q <= '0;
    end else begin
      waits_q <= valid_i[port_q] & !taken[port_q] ? waits_q + 1'b1 : '0;
      held_q  <= left + CntW'(|taken & !lost);
      if (in_q) begin
        if (pop_i & head_valid) begin
          in_q    <= ahead_q != '0;
          ahead_q <= ahead_q - 1'b1;
        end
      end else if (follow_i & kept) begin
        in_q    <= 1'b1;
        ahead_q <= left;
        rec_q   <= rec_i[port_q*RecW +: RecW];
      end
    end
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        takes_what_is_there: assert ((taken & ~valid_i) == '0 & (taken & (taken - 1'b1)) == '0 &
            |taken == |valid_i);
        nobody_waits_longer: assert (waits_q < (PortW+1)'(NumPorts));
        lost_only_when_full: assert (lost == (held_q == CntW'(Depth)));
        each_is_recorded_or_overflows: assert (recorded == (|taken & !lost) &
            overflow == (|taken & lost));
        count_is_right: assert (count == held_q & head_valid == (held_q != '0));
        if (in_q & ahead_q == '0) record_and_port_as_given: assert (head == {port_q, rec_q});
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c_lost: assert (!(taken[port_q] & lost));
        c_read: assert (!(in_q & ahead_q == '0 & pop_i & rec_q == '1));
        c_waits: assert (waits_q != (PortW+1)'(NumPorts - 1));
      end
    end
  end
endmodule
`default_nettype wire
