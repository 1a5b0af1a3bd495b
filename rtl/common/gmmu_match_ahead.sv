// SPDX-License-Identifier: Apache-2.0
// gmmu_match_ahead: which of N registers hold a key, asked a cycle before the answer is used, so
// that the comparison is not on the path of what depends on it. As gmmu_match otherwise, for
// Ports keys at once.
//
// In cycle t the keys are given, and which register is written at its end (one, or none: write_i)
// with what each port looks for (new_same_i); same_o in t+1: the register as it is then. Whether it
// can be found then is for the caller to say; a register that is not open_i in t and not written
// gives 0. Not reset: the answers mean something in the cycle after a look_i. Also in parts: old_o
// without the register that was written, new_o whether that one has the key.
`default_nettype none
module gmmu_match_ahead #(
  parameter int N     = 8,
  parameter int KeyW  = 36,
  parameter int Ports = 1
) (
  input  logic                  clk_i,
  input  logic [Ports-1:0]      look_i,
  input  logic [Ports*KeyW-1:0] key_i,
  input  logic [N*KeyW-1:0]     keys_i,
  input  logic [N-1:0]          open_i,
  input  logic [N-1:0]          write_i,
  input  logic [Ports-1:0]      new_same_i,
  output logic [Ports*N-1:0]    same_o,
  output logic [Ports*N-1:0]    old_o,
  output logic [Ports-1:0]      new_o
);
  logic [N-1:0]     write_q;
  logic [Ports-1:0] new_same_q;
  always_ff @(posedge clk_i) begin
    write_q    <= write_i;
    new_same_q <= new_same_i;
  end
  for (genvar p = 0; p < Ports; p++) begin : gen_port
    logic [N-1:0] found, found_q;
    gmmu_match #(.N(N), .KeyW(KeyW)) u_match (
      .look_i(look_i[p]), .key_i(key_i[p*KeyW +: KeyW]), .keys_i, .open_i, .found_o(found)
    );
    always_ff @(posedge clk_i) found_q <= found;
    assign old_o[p*N +: N]  = found_q & ~write_q;
    assign new_o[p]         = new_same_q[p];
    assign same_o[p*N +: N] = old_o[p*N +: N] | (new_same_q[p] ? write_q : '0);
  end
endmodule
`default_nettype wire
