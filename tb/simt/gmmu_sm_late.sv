// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_late: what comes late to the registers: what memory brought (ret_*) and what the core's
// own memories did (own_*) take turns. Lines become words of lanes (gmmu_sm_extract).
//
// own_o: data_o is of the core's own memories. All in the same cycle but for the turn.
`default_nettype none
module gmmu_sm_late #(
  parameter int Lanes = 32
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                own_valid_i,
  output logic                own_taken_o,
  input  logic                own_words_i,   // words_i holds them, else own_line_i
  input  logic [511:0]        own_line_i,
  input  logic [Lanes*32-1:0] words_i,
  input  logic [Lanes*6-1:0]  own_off_i,
  input  logic [1:0]          own_word_i,
  input  logic [2:0]          own_size_i,
  input  logic                own_unsigned_i,
  input  logic                ret_valid_i,
  output logic                ret_taken_o,
  input  logic [511:0]        ret_line_i,
  input  logic [Lanes*6-1:0]  ret_off_i,
  input  logic [1:0]          ret_word_i,
  input  logic [2:0]          ret_size_i,
  input  logic                ret_unsigned_i,
  output logic                valid_o,
  input  logic                taken_i,
  output logic                own_o,
  output logic [Lanes*32-1:0] data_o
);
  logic own_last_q;
  assign own_o       = own_valid_i && !(ret_valid_i && own_last_q);
  assign valid_o     = own_valid_i || ret_valid_i;
  assign own_taken_o = own_o && taken_i;
  assign ret_taken_o = !own_o && taken_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) own_last_q <= 1'b0;
    else if (taken_i) own_last_q <= own_o;
  end
  gmmu_sm_extract #(.Lanes(Lanes)) u_extract (
    .en_i(valid_o), .own_i(own_o && own_words_i), .line_i(own_o ? own_line_i : ret_line_i),
    .words_i, .off_i(own_o ? own_off_i : ret_off_i), .word_i(own_o ? own_word_i : ret_word_i),
    .size_i(own_o ? own_size_i : ret_size_i),
    .unsigned_i(own_o ? own_unsigned_i : ret_unsigned_i), .data_o
  );
endmodule
`default_nettype wire
