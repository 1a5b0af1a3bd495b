// SPDX-License-Identifier: Apache-2.0
// Points of gmmu_axi_addr (docs/coverage.md), one address channel of a port: Keep tells AW from AR;
// a native port's requests have no burst (MetaW 1).
// Ports are signals of the block, by their names there.
`default_nettype none
module gmmu_axi_addr_points #(
  parameter int Slots = 4,
  parameter int MetaW = 32,
  parameter int Keep  = 0,
  localparam int SlotW = $clog2(Slots)
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             s_valid_i,
  input logic             s_ready_o,
  input logic [MetaW-1:0] s_meta_i,
  input logic [1:0]       s_access_i,
  input logic             s_user_i,
  input logic             s_illegal_i,
  input logic [SlotW-1:0] s_slot_o,
  input logic             open_i,
  input logic             pass_i,
  input logic             error_mode_i,
  input logic             t_valid_o,
  input logic             t_ready_i,
  input logic [SlotW-1:0] t_slot_o,
  input logic             a_valid_i,
  input logic [SlotW-1:0] a_slot_i,
  input logic [4:0]       a_cause_i,
  input logic             m_valid_o,
  input logic             m_ready_i,
  input logic [SlotW-1:0] m_slot_o,
  input logic             hold_issue_i,
  input logic             f_valid_o,
  input logic             f_taken_i,
  input logic             f_lost_i,
  input logic             retry_i,
  input logic             tick_i,
  input logic             e_valid_o,
  input logic [SlotW-1:0] e_slot_o,
  input logic [Slots-1:0] free_i,
  input logic             drop_i,
  input logic [Slots-1:0] valid_q,
  input logic [Slots-1:0] ask_q,
  input logic [Slots-1:0] done_q,
  input logic [Slots-1:0] fault_q,
  input logic [Slots-1:0] report_q,
  input logic [Slots-1:0] dead_q,
  input logic [Slots-1:0] gone_q,
  input logic [Slots-1:0] pass_q,
  input logic [Slots-1:0] lost,
  input logic [Slots-1:0] same_id,
  input logic [Slots-1:0] first_of_id
);
  localparam int Channel = MetaW < 14 ? 2 : Keep;
  logic [31:0] meta;
  assign meta = 32'(s_meta_i);
  // Of each burst: its type, access, lock, who; the class of its first fault: 0 none, 1 a page
  // fault, 2 permission, 3 an access fault, 4 it breaks an AXI rule, 5 an address or address space
  // that there is not.
  logic [1:0]       burst_q  [0:Slots-1];
  logic [1:0]       access_q [0:Slots-1];
  logic [2:0]       fault_class_q [0:Slots-1];
  logic [Slots-1:0] lock_q, user_q, mine;
  logic             take, issue, ends;
  logic [SlotW-1:0] at;
  logic [2:0]       fault_now, fault_of;
  assign take  = s_valid_i & s_ready_o;
  assign issue = m_valid_o & m_ready_i;
  assign ends  = e_valid_o & free_i[e_slot_o];
  assign at    = issue ? m_slot_o : e_slot_o;
  assign fault_now = a_cause_i == gmmu_pkg::CAUSE_OK ? 3'd0 :
      a_cause_i == gmmu_pkg::CAUSE_PERM ? 3'd2 :
      a_cause_i == gmmu_pkg::CAUSE_NON_CANONICAL |
      a_cause_i == gmmu_pkg::CAUSE_UNKNOWN_ASID ? 3'd5 :
      a_cause_i >= gmmu_pkg::CAUSE_AF_WALK_WINDOW ? 3'd3 : 3'd1;
  assign fault_of = fault_class_q[at];
  always_ff @(posedge clk_i) begin
    if (take) begin
      burst_q[s_slot_o]  <= meta[12:11];
      lock_q[s_slot_o]   <= meta[13];
      access_q[s_slot_o] <= s_access_i;
      user_q[s_slot_o]   <= s_user_i;
      fault_class_q[s_slot_o] <= s_illegal_i ? 3'd4 : 3'd0;
    end
    if (a_valid_i & a_cause_i != gmmu_pkg::CAUSE_OK & fault_class_q[a_slot_i] == 3'd0)
      fault_class_q[a_slot_i] <= fault_now;
  end
  assign mine = valid_q & ~gone_q;

  covergroup axi_burst @(posedge clk_i);
    channel: coverpoint Channel {
      bins read = {0};
      bins write = {1};
    }
    burst: coverpoint burst_q[at] {
      bins fixed = {0};
      bins incr = {1};
      bins wrap = {2};
    }
    any_burst: coverpoint burst_q[at] {
      bins fixed = {0};
      bins incr = {1};
      bins wrap = {2};
      bins type_3 = {3};
    }
    fault: coverpoint fault_of {
      bins page_fault = {1};
      bins permission = {2};
      bins access_fault = {3};
      bins no_such_address = {5};
    }
    ending: coverpoint issue iff (rst_ni & (issue | ends) & !pass_q[at]) {
      bins error = {0};
      bins issued = {1};
    }
    untranslated: coverpoint pass_q[at] iff (rst_ni & issue) {
      bins pass = {1};
    }
    whole: coverpoint fault_of iff (rst_ni & issue & !pass_q[at]) {
      bins no_fault = {0};
    }
    broken: coverpoint fault_of iff (rst_ni & ends & !issue) {
      bins breaks_a_rule = {4};
    }
    access: coverpoint {access_q[at], user_q[at]} {
      bins load = {0};
      bins user_load = {1};
      bins store = {2};
      bins user_store = {3};
      bins fetch = {4};
      bins user_fetch = {5};
      bins atomic = {6};
      bins user_atomic = {7};
    }
    lock: coverpoint lock_q[at] {
      bins exclusive = {1};
    }
    hits: cross channel, burst, whole;
    passes: cross channel, burst, untranslated;
    faults: cross channel, burst, fault, ending;
    illegal: cross channel, any_burst, broken {
      // The beats of a FIXED burst are all at one place.
      ignore_bins one_place = binsof(any_burst.fixed);
    }
    by_access: cross access, fault, ending;
    access_hits: cross access, whole;
    exclusive: cross channel, lock, ending;
    exclusive_fault: cross channel, lock, fault;
  endgroup
  axi_burst u_axi_burst = new;

  // Where bursts of this channel stand, one bit a place.
  logic [8:0] places;
  assign places = {
    |(mine & pass_q), |(mine & dead_q), |(mine & fault_q & ~report_q & ~dead_q),
    |(mine & report_q), m_valid_o & !pass_q[m_slot_o],
    |(mine & done_q & ~pass_q & ~(m_valid_o ? Slots'(1) << m_slot_o : '0)),
    |(mine & ~ask_q & ~done_q & ~fault_q & ~pass_q), |ask_q, |gone_q};
  covergroup axi_state @(posedge clk_i);
    channel: coverpoint Channel {
      bins read = {0};
      bins write = {1};
      bins native = {2};
    }
    event_now: coverpoint {drop_i, retry_i, tick_i & !retry_i} iff (rst_ni) {
      wildcard bins invalidation = {3'b1??};
      wildcard bins retry = {3'b?1?};
      wildcard bins tick = {3'b??1};
    }
    place: coverpoint places {
      wildcard bins untranslated = {9'b1????????};
      wildcard bins to_end = {9'b?1???????};
      wildcard bins faulted = {9'b??1??????};
      wildcard bins to_report = {9'b???1?????};
      wildcard bins offered = {9'b????1????};
      wildcard bins translated = {9'b?????1???};
      wildcard bins lookup_under_way = {9'b??????1??};
      wildcard bins to_look_up = {9'b???????1?};
      wildcard bins issued = {9'b????????1};
    }
    during: cross channel, event_now, place {
      // A slot is free when what it holds is issued, but a write's.
      ignore_bins kept = !binsof(channel.write) && binsof(place.issued);
    }
    record: coverpoint {f_lost_i, error_mode_i} iff (rst_ni & f_valid_o & f_taken_i) {
      bins made = {0};
      bins made_and_ends = {1};
      bins lost = {2};
      bins lost_and_ends = {3};
    }
    recorded: cross channel, record;
    offer: coverpoint t_ready_i iff (rst_ni & t_valid_o) {
      bins waits = {0};
      bins taken = {1};
    }
    lookup: cross channel, offer;
    memory: coverpoint m_ready_i iff (rst_ni & m_valid_o) {
      bins waits = {0};
      bins taken = {1};
    }
    issue: cross channel, memory;
    refused: coverpoint {open_i, valid_q == '1} iff (rst_ni & s_valid_i & !s_ready_o) {
      bins port_held = {0};
      bins slots_full = {3};
    }
    held: cross channel, refused;
    behind: coverpoint {same_id != '0, (mine & ~same_id) != '0} iff (rst_ni & take) {
      bins alone = {0};
      bins others = {1};
      bins same_id = {2};
      bins same_id_and_others = {3};
    }
    taken: cross channel, behind {
      // Names of native requests that wait differ.
      ignore_bins names = binsof(channel.native) &&
          (binsof(behind.same_id) || binsof(behind.same_id_and_others));
    }
    // A burst that waited for nothing else lost its translation: it goes first then.
    loses: coverpoint lost != '0 iff (rst_ni & drop_i) {
      bins none = {0};
      bins one = {1};
    }
    turned_back: cross channel, loses;
    stopped: coverpoint hold_issue_i iff (rst_ni & (mine & done_q & first_of_id) != '0) {
      bins may_issue = {0};
      bins held = {1};
    }
    pass_with: coverpoint {pass_i, (mine & ~pass_q) != '0} iff (rst_ni & take) {
      bins translated_alone = {0};
      bins translated_behind_translated = {1};
      bins untranslated_alone = {2};
      bins untranslated_behind_translated = {3};
    }
    mode_change: cross channel, pass_with;
  endgroup
  axi_state u_axi_state = new;
endmodule
bind gmmu_axi_addr gmmu_axi_addr_points #(.Slots(Slots), .MetaW(MetaW), .Keep(Keep))
  u_points (.*);
`default_nettype wire
