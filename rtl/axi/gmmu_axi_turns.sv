// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_turns: reads and writes of an AXI port before the MMU: one lookup a cycle and one fault
// record at a time, in turns. A lookup that is offered stays the same until it is taken.
//
// Combinational from valid to valid and from ready to ready; reads are in the low half of the
// vectors. VAs leave with 64 bits, extended by the sign with SignExtend.
`default_nettype none
module gmmu_axi_turns #(
  parameter int AxiAddrW   = 48,
  parameter int SignExtend = 0,
  parameter int AsidW      = 9,
  parameter int WarpW      = 8,
  parameter int IdW        = 4,
  parameter int SlotW      = 2,
  localparam int HalfRecW  = AxiAddrW + AsidW + 2 + 1 + IdW + 5,
  localparam int RecW      = 64 + AsidW + 2 + 1 + IdW + 5
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // lookups of reads and writes
  input  logic [1:0]            valid_i,
  output logic [1:0]            ready_o,
  input  logic [2*AxiAddrW-1:0] va_i,
  input  logic [3:0]            access_i,
  input  logic [1:0]            user_i,
  input  logic [2*AsidW-1:0]    asid_i,
  input  logic [2*IdW-1:0]      id_i,
  input  logic [2*SlotW-1:0]    slot_i,
  // their faults
  input  logic [1:0]            fault_i,
  input  logic [2*HalfRecW-1:0] fault_rec_i,
  output logic [1:0]            fault_taken_o,
  // the MMU
  output logic                  req_valid_o,
  input  logic                  req_ready_i,
  output logic [63:0]           req_va_o,
  output logic [1:0]            req_access_o,
  output logic                  req_user_o,
  output logic [AsidW-1:0]      req_asid_o,
  output logic [WarpW-1:0]      req_warp_o,
  output logic [SlotW:0]        req_tag_o,   // {write, slot}
  // records: {write, VA, ASID, access, user, ID, cause}
  output logic                  f_valid_o,
  output logic [RecW:0]         f_rec_o,
  input  logic                  f_taken_i
);
  function automatic logic [63:0] extend(input logic [AxiAddrW-1:0] addr);
    begin
      extend = SignExtend != 0 ? 64'($signed(addr)) : 64'(addr);
    end
  endfunction
  logic           look_q, look_w, fault_q, wait_q;
  logic [IdW-1:0] look_id;
  logic [AxiAddrW-1:0] look_va;
  assign look_w = wait_q ? look_q : valid_i[1] & (!valid_i[0] | look_q);
  assign req_valid_o = |valid_i;
  assign look_va     = look_w ? va_i[AxiAddrW +: AxiAddrW] : va_i[AxiAddrW-1:0];
  assign req_va_o    = extend(look_va);
  assign req_access_o = look_w ? access_i[3:2] : access_i[1:0];
  assign req_user_o  = look_w ? user_i[1] : user_i[0];
  assign req_asid_o  = look_w ? asid_i[AsidW +: AsidW] : asid_i[AsidW-1:0];
  assign look_id     = look_w ? id_i[IdW +: IdW] : id_i[IdW-1:0];
  assign req_warp_o  = WarpW'(64'(look_id));
  assign req_tag_o   = {look_w, look_w ? slot_i[SlotW +: SlotW] : slot_i[SlotW-1:0]};
  assign ready_o     = {look_w & req_ready_i, !look_w & req_ready_i};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      look_q <= 1'b0;
      wait_q <= 1'b0;
    end else begin
      wait_q <= req_valid_o & !req_ready_i;
      if (req_valid_o) look_q <= req_ready_i ? !look_w : look_w;
    end
  end
  logic fault_w;
  logic [HalfRecW-1:0] fault_rec;
  assign fault_w   = fault_i[1] & (!fault_i[0] | fault_q);
  assign f_valid_o = |fault_i;
  assign fault_rec = fault_w ? fault_rec_i[HalfRecW +: HalfRecW] : fault_rec_i[HalfRecW-1:0];
  assign f_rec_o   = {fault_w, extend(fault_rec[HalfRecW-1 -: AxiAddrW]),
      fault_rec[HalfRecW-AxiAddrW-1:0]};
  assign fault_taken_o   = {f_taken_i & fault_w, f_taken_i & !fault_w};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) fault_q <= 1'b0;
    else if (f_taken_i) fault_q <= !fault_w;
  end
endmodule
`default_nettype wire
