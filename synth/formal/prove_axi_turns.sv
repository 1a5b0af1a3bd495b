// SPDX-License-Identifier: Apache-2.0
// Reads and writes of a port take turns at the lookup and at the fault queue: what is offered is
// one side's, unchanged until it is taken; whoever is taken was offered; neither waits for more
// than one of the other.
`default_nettype none
module prove_axi_turns #(
  parameter int SignExtend = 0,
  parameter int Covers     = 0
) (
  input  logic        clk_i,
  input  logic [1:0]  valid_i,
  input  logic [25:0] va_i,
  input  logic [1:0]  slot_i,
  input  logic [1:0]  id_i,
  input  logic        req_ready_i,
  input  logic [1:0]  fault_i,
  input  logic        f_taken_i
);
  `include "prove.svh"
  localparam int HalfW = 13 + 1 + 2 + 1 + 1 + 5;

  logic [1:0]  ready, fault_taken, tag;
  logic        req_valid, req_user, req_asid, req_warp, f_valid;
  logic [63:0] req_va;
  logic [1:0]  req_access;
  logic [64+10:0] f_rec;
  gmmu_axi_turns #(.AxiAddrW(13), .SignExtend(SignExtend), .AsidW(1), .WarpW(1), .IdW(1),
      .SlotW(1)) u_dut (
    .clk_i, .rst_ni, .valid_i, .ready_o(ready), .va_i, .access_i(4'b1001), .user_i(2'b10),
    .asid_i(2'b01), .id_i, .slot_i,
    .fault_i, .fault_rec_i({{HalfW{1'b1}}, {HalfW{1'b0}}}), .fault_taken_o(fault_taken),
    .req_valid_o(req_valid), .req_ready_i, .req_va_o(req_va), .req_access_o(req_access),
    .req_user_o(req_user),
    .req_asid_o(req_asid), .req_warp_o(req_warp), .req_tag_o(tag), .f_valid_o(f_valid),
    .f_rec_o(f_rec), .f_taken_i
  );

  // A side holds what it asks until it is taken (a fault it may take back); the queue takes what is
  // offered.
  logic        before_q, waited_q, waiting_tag_q;
  logic [1:0]  was_q, taken_q, late_q, f_late_q;
  logic [25:0] va_q;
  logic [1:0]  slot_q, id_q, offered_q;
  logic [1:0]  take, f_take;
  assign take   = valid_i & ready;
  assign f_take = fault_i & fault_taken;
  always_ff @(posedge clk_i) begin
    before_q  <= rst_ni;
    was_q     <= valid_i & ~ready;
    va_q      <= va_i;
    slot_q    <= slot_i;
    id_q      <= id_i;
    waited_q  <= rst_ni & req_valid & !req_ready_i;
    offered_q <= tag;
    // a side was passed over once
    late_q    <= rst_ni && |take ? valid_i & ~take : late_q & valid_i & {2{rst_ni}};
    f_late_q  <= rst_ni && |f_take ? fault_i & ~f_take : f_late_q & fault_i & {2{rst_ni}};
  end
  always_comb begin
    if (!rst_ni) assume (valid_i == '0 && fault_i == '0);
    if (before_q) begin
      assume ((was_q & ~valid_i) == '0);
      if (was_q[0])
        assume (va_i[12:0] == va_q[12:0] && slot_i[0] == slot_q[0] && id_i[0] == id_q[0]);
      if (was_q[1])
        assume (va_i[25:13] == va_q[25:13] && slot_i[1] == slot_q[1] && id_i[1] == id_q[1]);
    end
    assume (!f_taken_i || f_valid);
  end

  logic [12:0] side_va;
  assign side_va = tag[1] ? va_i[25:13] : va_i[12:0];
  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        offered_when_asked: assert (req_valid == |valid_i);
        taken_is_one: assert (take == (req_valid & req_ready_i ? {tag[1], !tag[1]} : 2'b00));
        offered_side_asks: assert (!req_valid || valid_i[tag[1]]);
        address: assert (!req_valid || req_va ==
            (SignExtend != 0 ? 64'($signed(side_va)) : 64'(side_va)));
        rest_is_of_that_side: assert (!req_valid ||
            {req_access, req_user, req_asid, req_warp, tag[0]} ==
            (tag[1] ? {2'b10, 1'b1, 1'b0, id_i[1], slot_i[1]} :
                {2'b01, 1'b0, 1'b1, id_i[0], slot_i[0]}));
        stays: assert (!waited_q || (req_valid && tag == offered_q));
        no_side_waits_for_two: assert (!(|take && late_q != '0) || (late_q & take) != '0);
        fault_offered: assert (f_valid == |fault_i);
        fault_taken_is_one: assert (f_take == (f_taken_i ? {f_rec[74], !f_rec[74]} : 2'b00));
        fault_of_that_side: assert (!f_valid || f_rec[9:0] == {10{f_rec[74]}});
        no_fault_waits_for_two: assert (!(|f_take && (f_late_q & fault_i) != '0) ||
            (f_late_q & f_take) != '0);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(late_q == 2'b01 && take == 2'b01));
    always_comb if (rst_ni) assert (!(late_q == 2'b10 && take == 2'b10));
    always_comb if (rst_ni) assert (!(f_late_q == 2'b10 && f_take == 2'b10));
    always_comb if (rst_ni) assert (!(waited_q && &valid_i));
  end
endmodule
`default_nettype wire
