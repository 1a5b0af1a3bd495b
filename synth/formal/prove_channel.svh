// SPDX-License-Identifier: Apache-2.0
// prove_channel.svh: any address channel of a port: what axi_issue proves of gmmu_axi_addr, which
// axi_write and axi_read have in its place. A burst that is taken has a slot of its own; it is
// issued once, as it is, when it may be, or dies and ends. Bits 10:0 of addresses are left out.
// Included in a module with the parameters and ports of gmmu_axi_addr.

  localparam int N = Slots;
  `include "gmmu_first.svh"
  (* anyseq *) logic             any_ready, any_go, any_end, any_cause;
  (* anyseq *) logic [SlotW-1:0] any_slot, any_go_slot, any_end_slot;
  (* anyseq *) logic [Slots-1:0] any_dies;
  logic [Slots-1:0] valid_q, gone_q, dead_q, cause_q, top_q, put, leave, at_memory;
  logic [IdW-1:0]   id   [0:Slots-1];
  logic [MetaW-1:0] meta [0:Slots-1];
  logic             take, go, locked_q, ends_q;
  logic [SlotW-1:0] locked_slot_q, ends_slot_q;
  assign s_ready_o = any_ready & !(&valid_q);
  assign s_slot_o  = 32'(any_slot) >= Slots || valid_q[any_slot] ? index(first(~valid_q))
                                                                 : any_slot;
  assign take      = s_valid_i & s_ready_o;
  // offered to memory: any that may be, not of an ID of which one ends here meanwhile
  assign go        = any_go & 32'(any_go_slot) < Slots & valid_q[any_go_slot] &
      !gone_q[any_go_slot] & !dead_q[any_go_slot] & may_issue_i[any_go_slot] & !hold_issue_i &
      !(ends_q & id[any_go_slot] == id[ends_slot_q]);
  assign m_valid_o = locked_q | go;
  assign m_slot_o  = locked_q ? locked_slot_q : any_go_slot;
  assign m_id_o    = id[m_slot_o];
  assign m_meta_o  = meta[m_slot_o];
  assign m_addr_o  = PaW'({top_q[m_slot_o], 11'd0});
  assign issued_o  = gone_q;
  assign dead_o    = dead_q;
  assign wait_o    = valid_q & ~dead_q & ~gone_q & ~leave & ~free_i;
  assign e_valid_o = ends_q;
  assign e_slot_o  = ends_slot_q;
  assign e_id_o    = id[ends_slot_q];
  assign e_meta_o  = meta[ends_slot_q];
  assign e_cause_o = cause_q[ends_slot_q] ? gmmu_pkg::CAUSE_AF_MEM : gmmu_pkg::CAUSE_BURST;
  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    assign put[s]       = take & s_slot_o == SlotW'(s);
    assign at_memory[s] = m_valid_o & m_slot_o == SlotW'(s);
    assign leave[s]     = at_memory[s] & m_ready_i;
    always_ff @(posedge clk_i) begin
      if (put[s]) {id[s], meta[s], top_q[s], cause_q[s]} <=
          {s_id_i, s_meta_i, s_va_i[11], any_cause};
    end
  end
  always_ff @(posedge clk_i) begin
    valid_q       <= !rst_ni ? '0 : (valid_q & ~free_i & ~(Keep != 0 ? '0 : leave)) | put;
    gone_q        <= !rst_ni | Keep == 0 ? '0 : (gone_q | leave) & ~free_i;
    dead_q        <= !rst_ni ? '0 : (dead_q | (valid_q & ~gone_q & ~at_memory & any_dies)) &
        ~free_i;
    locked_q      <= rst_ni & m_valid_o & !m_ready_i;
    locked_slot_q <= m_slot_o;
    ends_q        <= rst_ni & (ends_q ? !free_i[ends_slot_q] : any_end & 32'(any_end_slot) < Slots &
        valid_q[any_end_slot] & dead_q[any_end_slot] & may_end_i[any_end_slot] &
        !(m_valid_o & m_id_o == id[any_end_slot]));
    if (!ends_q) ends_slot_q <= any_end_slot;
  end
  // of no matter here
  assign {t_valid_o, t_va_o, t_access_o, t_user_o, t_asid_o, t_id_o, t_slot_o, s_key_o, key_o,
          f_valid_o, f_rec_o, m_old_o, stalled_o} = '0;
`ifndef COVERS
  logic [Slots-1:0] may_q, may_end_q, held_q;
  always_ff @(posedge clk_i) begin
    {may_q, may_end_q} <= {may_issue_i, may_end_i};
    held_q             <= rst_ni ? valid_q & ~gone_q & ~leave & ~free_i : '0;
  end
  always_comb if (rst_ni) assert ((free_i & ~gone_q &
      ~(ends_q ? Slots'(1) << ends_slot_q : '0)) == '0);
  always_comb if (rst_ni) assert (!(hold_issue_i & locked_q));
  always_comb if (rst_ni) assert ((held_q & may_q & ~may_issue_i) == '0);
  always_comb if (rst_ni) assert ((held_q & may_end_q & ~may_end_i) == '0);
`endif
