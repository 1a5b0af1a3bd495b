// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_addr: one address channel (AR or AW) of a port: takes bursts, asks for their
// translation, issues them. Rules and timing: docs/axi_port.md.
//
// Slots bursts are held at a time. A burst whose translation is known is issued when no older burst
// of its ID waits; bursts of other IDs may pass it. A fault is reported once and then waits for a
// retry, or (error mode, or a burst that breaks an AXI rule) is handed to the channel that ends it.
// s_ready_o depends on state only. A burst of an idle channel that hits is issued in the cycle
// after its handshake. Legal: Slots 2..16.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_axi_addr #(
  parameter int Slots = 4,
  parameter int IdW   = 4,
  parameter int VaW   = 64,    // address bits that are kept
  parameter int PaW   = 48,
  parameter int MetaW = 32,
  parameter int AsidW = 9,
  parameter int Keep  = 0,     // 1 (AW): an issued burst keeps its slot until free_i
  localparam int PfnW  = PaW - 12,
  localparam int SlotW = $clog2(Slots),
  localparam int KeyW  = 1 + AsidW + VaW - 12,
  localparam int RecW  = VaW + AsidW + 2 + 1 + IdW + 5
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // from the master
  input  logic               s_valid_i,
  output logic               s_ready_o,
  input  logic [IdW-1:0]     s_id_i,
  input  logic [VaW-1:0]     s_va_i,
  input  logic [MetaW-1:0]   s_meta_i,
  input  logic [AsidW-1:0]   s_asid_i,
  input  logic [1:0]         s_access_i,
  input  logic               s_user_i,
  input  logic               s_illegal_i,   // crosses a 4 KiB boundary
  output logic [SlotW-1:0]   s_slot_o,      // that the burst gets
  // settings of the port: it takes bursts; they pass untranslated; faults end bursts
  input  logic               open_i,
  input  logic               pass_i,
  input  logic               error_mode_i,
  // translation
  output logic               t_valid_o,
  input  logic               t_ready_i,
  output logic [VaW-1:0]     t_va_o,
  output logic [1:0]         t_access_o,
  output logic               t_user_o,
  output logic [AsidW-1:0]   t_asid_o,
  output logic [IdW-1:0]     t_id_o,
  output logic [SlotW-1:0]   t_slot_o,
  input  logic               a_valid_i,     // answer, always taken
  input  logic [SlotW-1:0]   a_slot_i,
  input  logic [PfnW-1:0]    a_pfn_i,
  input  logic [4:0]         a_cause_i,
  // to memory
  output logic               m_valid_o,
  input  logic               m_ready_i,
  output logic [IdW-1:0]     m_id_o,
  output logic [PaW-1:0]     m_addr_o,
  output logic [MetaW-1:0]   m_meta_o,
  output logic [SlotW-1:0]   m_slot_o,
  input  logic [Slots-1:0]   may_issue_i,   // does not fall while the slot waits
  // nothing new is issued; does not rise while m_valid_o waits
  input  logic               hold_issue_i,
  output logic [Slots-1:0]   issued_o,      // Keep=1
  // for the order between the channels
  // of the burst that is taken: {untranslated, ASID, page}
  output logic [KeyW-1:0]    s_key_o,
  output logic [Slots*KeyW-1:0] key_o,
  // memory has not taken it after this cycle, and it does not end here
  output logic [Slots-1:0]   wait_o,
  // faults: {VA, ASID, access, user, ID, cause}; taken_i: lost_i tells that no record was made
  output logic               f_valid_o,
  output logic [RecW-1:0]    f_rec_o,
  input  logic               f_taken_i,
  input  logic               f_lost_i,
  // pulse: all faulted bursts ask again, and are reported again
  input  logic               retry_i,
  input  logic               tick_i,        // pulse: they ask again
  // bursts that end here
  output logic [Slots-1:0]   dead_o,        // decided: will never be issued
  input  logic [Slots-1:0]   may_end_i,     // AW: all its W beats have come; does not fall
  // the next one to end; all older ones of its ID were issued
  output logic               e_valid_o,
  output logic [SlotW-1:0]   e_slot_o,
  output logic [IdW-1:0]     e_id_o,
  output logic [MetaW-1:0]   e_meta_o,
  output logic [4:0]         e_cause_o,
  input  logic [Slots-1:0]   free_i,        // the slot is free
  // invalidation: translations that are not yet issued are asked for again
  input  logic               drop_i,
  output logic               m_old_o,       // the burst at m_valid_o was there at the last drop
  output logic [SlotW:0]     stalled_o      // faulted bursts
);
  localparam int N = Slots;
  `include "gmmu_first.svh"

  if (Slots < 2 || Slots > 16) begin : gen_bad_slots
    gmmu_axi_addr_Slots_must_be_2_to_16 u_bad();
  end

  // ---------------------------------------------------------------- slots
  logic [Slots-1:0]       valid_q;    // taken
  logic [Slots-1:0]       ask_q;      // to be looked up
  logic [Slots-1:0]       done_q;     // translated
  logic [Slots-1:0]       fault_q;    // faulted
  logic [Slots-1:0]       report_q;   // to be reported
  logic [Slots-1:0]       known_q;    // a record was made
  logic [Slots-1:0]       dead_q;     // ends with an error
  logic [Slots-1:0]       gone_q;     // Keep=1: issued
  logic [Slots-1:0]       pass_q, illegal_q;
  // [s*Slots +: Slots]: older ones of the same ID that are not issued
  logic [Slots*Slots-1:0] before_q;
  logic [IdW-1:0]         id     [0:Slots-1];
  logic [VaW-1:0]         va     [0:Slots-1];
  logic [MetaW-1:0]       meta   [0:Slots-1];
  logic [AsidW+2:0]       who    [0:Slots-1];   // ASID, access, user
  logic [PfnW-1:0]        pfn    [0:Slots-1];
  logic [4:0]             cause  [0:Slots-1];

  logic [Slots-1:0] put, put1, asked, answered, ready, leave, waits, same_id, answer_ok, taken,
      lock_q, sel;
  logic [Slots-1:0] first_of_id, report_first;
  logic             take, locked;
  assign s_ready_o = open_i & !(&valid_q);
  assign take      = s_valid_i & s_ready_o;
  assign put       = first(~valid_q);
  assign put1      = {Slots{take}} & put;
  assign s_slot_o  = index(put);

  // ------------------------------------------------ lookups: round robin, or the new burst at once
  logic [SlotW-1:0] ask_slot;
  logic             ask_any, fresh;
  gmmu_rr_arb #(.N(Slots)) u_ask (
    .clk_i, .rst_ni, .req_i(ask_q), .take_i(t_ready_i), .valid_o(ask_any), .idx_o(ask_slot)
  );
  // A lookup that is offered stays the same until it is taken.
  logic             kept_q;
  logic [SlotW-1:0] kept_slot_q, ask_now;
  assign ask_now = kept_q ? kept_slot_q : ask_slot;
  always_ff @(posedge clk_i) begin
    kept_q      <= rst_ni & t_valid_o & !t_ready_i;
    kept_slot_q <= t_slot_o;
  end
  assign fresh      = !ask_any & take & !pass_i & !s_illegal_i;
  assign t_valid_o  = ask_any | fresh;
  assign t_slot_o   = ask_any ? ask_now : s_slot_o;
  assign t_va_o     = ask_any ? va[ask_now] : s_va_i;
  assign t_id_o     = ask_any ? id[ask_now] : s_id_i;
  assign {t_asid_o, t_access_o, t_user_o} =
      ask_any ? who[ask_now] : {s_asid_i, s_access_i, s_user_i};

  // ---------------------------------------------------------------- issue
  for (genvar s = 0; s < Slots; s++) begin : gen_slot
    assign asked[s]       = t_valid_o & t_ready_i & t_slot_o == SlotW'(s);
    assign answered[s]    = a_valid_i & a_slot_i == SlotW'(s);
    assign same_id[s]     = valid_q[s] & !gone_q[s] & id[s] == s_id_i;
    assign first_of_id[s] = before_q[s*Slots +: Slots] == '0;
    assign taken[s]       = f_taken_i & f_valid_o & report_first[s];
    always_ff @(posedge clk_i) begin
      if (put1[s]) begin
        id[s]   <= s_id_i;
        va[s]   <= s_va_i;
        meta[s] <= s_meta_i;
        who[s]  <= {s_asid_i, s_access_i, s_user_i};
      end
      if (put1[s]) pfn[s] <= PfnW'(s_va_i[VaW-1:12]);
      else if (answered[s]) pfn[s] <= a_pfn_i;
      if (put1[s]) cause[s] <= gmmu_pkg::CAUSE_BURST;
      else if (answered[s]) cause[s] <= a_cause_i;
      if (!rst_ni) before_q[s*Slots +: Slots] <= '0;
      else if (put1[s]) before_q[s*Slots +: Slots] <= same_id & ~leave & ~free_i;
      else before_q[s*Slots +: Slots] <= before_q[s*Slots +: Slots] & ~leave & ~free_i;
    end
  end
  assign answer_ok = a_cause_i == gmmu_pkg::CAUSE_OK ? answered : '0;
  assign ready     = valid_q & ~gone_q & (done_q | answer_ok) & first_of_id & may_issue_i;

  logic [Slots-1:0] offers;    // of those that are ready
  logic [SlotW-1:0] ready_slot;
  logic             ready_any;
  gmmu_rr_arb #(.N(Slots)) u_issue (
    .clk_i, .rst_ni, .req_i(offers), .take_i(!hold_issue_i & !locked),
    .valid_o(ready_any),
    .idx_o(ready_slot)
  );
  assign locked    = lock_q != '0;
  assign m_slot_o  = locked ? index(lock_q) : ready_slot;
  assign m_valid_o = locked | (ready_any & !hold_issue_i);
  assign m_id_o    = id[m_slot_o];
  assign m_meta_o  = meta[m_slot_o];
  assign m_addr_o  = {done_q[m_slot_o] ? pfn[m_slot_o] : a_pfn_i, va[m_slot_o][11:0]};
  for (genvar s = 0; s < Slots; s++) begin : gen_sel
    assign sel[s] = m_valid_o & m_slot_o == SlotW'(s);
  end
  assign leave     = m_ready_i ? sel : '0;
  assign issued_o  = gone_q;
  assign wait_o    = valid_q & ~dead_q & ~gone_q & ~leave & ~free_i;
  assign s_key_o   = {pass_i, pass_i ? '0 : s_asid_i, s_va_i[VaW-1:12]};
  for (genvar s = 0; s < Slots; s++) begin : gen_key
    assign key_o[s*KeyW +: KeyW] = {pass_q[s], pass_q[s] ? '0 : who[s][AsidW+2:3], va[s][VaW-1:12]};
  end

  // ---------------------------------------------------------------- faults
  logic [SlotW-1:0] report_slot;
  assign report_first = first(report_q);
  assign report_slot  = index(report_first);
  assign f_valid_o    = |report_q;
  assign f_rec_o      = {va[report_slot], who[report_slot], id[report_slot], cause[report_slot]};
  assign waits        = fault_q & ~report_q & ~dead_q;
  assign dead_o       = dead_q;

  gmmu_axi_end #(.Slots(Slots)) u_end (
    .clk_i, .rst_ni, .ending_i(dead_q & first_of_id & may_end_i), .valid_o(e_valid_o),
    .slot_o(e_slot_o), .free_i
  );
  assign e_id_o    = id[e_slot_o];
  assign e_meta_o  = meta[e_slot_o];
  assign e_cause_o = cause[e_slot_o];

  // ---------------------------------------------------------------- state
  logic [Slots-1:0] free, dropped, passing, again, failed;
  assign free    = (Keep != 0 ? '0 : leave) | free_i;
  assign dropped = drop_i ? valid_q & done_q & ~gone_q & ~pass_q & ~sel : '0;
  assign passing = drop_i ? valid_q & done_q & ~gone_q & pass_q & ~sel : '0;
  assign again   = (retry_i | tick_i) & !error_mode_i ? waits : '0;
  assign failed  = answered & ~answer_ok;

  logic [Slots-1:0] lost;
  gmmu_axi_elder #(.Slots(Slots)) u_elder (
    .clk_i, .rst_ni, .ready_i(ready), .offers_o(offers),
    .lose_i((dropped | passing) & first_of_id & may_issue_i), .staying_i(~leave & ~failed & ~put1),
    .lost_o(lost)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q  <= '0;
      ask_q    <= '0;
      done_q   <= '0;
      fault_q  <= '0;
      report_q <= '0;
      dead_q   <= '0;
      gone_q   <= '0;
      lock_q   <= '0;
    end else begin
      valid_q  <= (valid_q & ~free) | put1;
      ask_q    <= (ask_q | (s_illegal_i | pass_i ? '0 : put1) | dropped | again) & ~asked;
      done_q   <= (done_q & ~put1 & ~dropped) | answer_ok | (pass_i & !s_illegal_i ? put1 : '0);
      fault_q  <= (fault_q & ~put1 & ~again & ~free) | failed | (s_illegal_i ? put1 : '0);
      report_q <= (report_q & ~taken) | (failed & ~known_q) | (s_illegal_i ? put1 : '0);
      dead_q   <= (dead_q & ~free) | (taken & (illegal_q | {Slots{error_mode_i}})) |
          ({Slots{error_mode_i}} & waits);
      gone_q   <= Keep != 0 ? (gone_q & ~free) | leave : '0;
      lock_q   <= m_ready_i ? '0 : sel;
    end
  end
  always_ff @(posedge clk_i) begin
    pass_q    <= pass_i & !s_illegal_i ? pass_q | put1 : pass_q & ~put1;
    illegal_q <= s_illegal_i ? illegal_q | put1 : illegal_q & ~put1;
    // Also of one that is asking by itself when the retry comes: its answer may still be the old
    // one.
    known_q   <= ((retry_i ? '0 : known_q) | (f_lost_i ? '0 : taken)) & ~put1;
  end
  // A burst that waits at m_valid_o when translations are dropped stays, and counts as issued
  // before.
  logic held_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) held_q <= 1'b0;
    else held_q <= (drop_i | held_q) & m_valid_o & !m_ready_i;
  end
  assign m_old_o = held_q;

  logic [Slots-1:0] faulted;
  assign faulted = fault_q & valid_q;
  always_comb begin
    stalled_o = '0;
    for (int i = 0; i < Slots; i++) stalled_o = stalled_o + (SlotW+1)'(faulted[i]);
  end

  `GMMU_ASSERT(axi_addr_answer_asked, !a_valid_i || (valid_q[a_slot_i] && !done_q[a_slot_i]))
  `GMMU_ASSERT(axi_addr_free_taken, (free_i & ~valid_q) == '0)
  `GMMU_ASSERT(axi_addr_lost_wait_for_nothing_else,
               (lost & ~(valid_q & ~gone_q & first_of_id & may_issue_i)) == '0)
endmodule
`default_nettype wire
