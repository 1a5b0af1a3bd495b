// SPDX-License-Identifier: Apache-2.0
// gmmu_fault_queue: fault records of all ports, in order, for software. docs/fault_queue.md
//
// One record a cycle, ports in turns; a port always gets rid of its record (taken_o). A record that
// meets a full queue is lost: lost_o goes with taken_o, and the access faults again when it is
// retried. The head is shown until it is popped. Legal: Depth 1..64.
`default_nettype none
module gmmu_fault_queue #(
  parameter int NumPorts = 2,
  parameter int Depth    = 8,
  parameter int RecW     = 96,
  localparam int PortW   = gmmu_pkg::idx_w(NumPorts),
  localparam int CntW    = $clog2(Depth + 1)
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic [NumPorts-1:0]      valid_i,
  input  logic [NumPorts*RecW-1:0] rec_i,
  output logic [NumPorts-1:0]      taken_o,
  output logic                     lost_o,
  output logic                     head_valid_o,
  output logic [RecW+PortW-1:0]    head_o,       // {port, record}
  input  logic                     pop_i,        // no effect when empty
  output logic [CntW-1:0]          count_o,
  output logic                     recorded_o,   // pulse: a record was made
  output logic                     overflow_o    // pulse: one was lost
);
  if (Depth < 1 || Depth > 64) begin : gen_bad_depth
    gmmu_fault_queue_Depth_must_be_1_to_64 u_bad();
  end

  logic             any, full;
  logic [PortW-1:0] port;
  gmmu_rr_arb #(.N(NumPorts)) u_arb (
    .clk_i, .rst_ni, .req_i(valid_i), .take_i(1'b1), .valid_o(any), .idx_o(port)
  );
  assign full       = count_o == CntW'(Depth);
  assign lost_o     = full;
  assign recorded_o = any & !full;
  assign overflow_o = any & full;
  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    assign taken_o[p] = any & port == PortW'(p);
  end
  gmmu_fifo #(.Width(RecW + PortW), .Depth(Depth)) u_fifo (
    .clk_i, .rst_ni, .push_i(recorded_o), .data_i({port, rec_i[port*RecW +: RecW]}),
    .pop_i(pop_i & head_valid_o), .valid_o(head_valid_o), .data_o(head_o),
    .count_o
  );
endmodule
`default_nettype wire
