// SPDX-License-Identifier: Apache-2.0
// gmmu_l2tlb_pages: of each miss register of the L2 TLB the page, and who asked for it first: what
// lookups look for, invalidations mark and ends of walks read. Part of gmmu_l2tlb_mshr.
//
// Searches are in stage A, for stage B in the next cycle: found_o, of registers that were taken
// before; new_o: that which is taken in A's cycle has the page, and no command marks it then. So
// are marks (gmmu_l2tlb_marks). Stage B says which register it may take (write_i, one-hot, or none)
// and which port does (take_i, at most one), late; the word is written from registers a cycle after
// that, and counts for who searches then. Ends read long after. Rules: docs/l2_tlb.md.
// Legal: Ports 1 or 2.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_l2tlb_pages #(
  parameter int Mshrs      = 64,
  parameter int Ports      = 2,
  parameter int AsidW      = 9,
  parameter int VfnW       = 36,
  parameter int KeyW       = 36,
  parameter int SmW        = 5,
  parameter int OwnW       = 1,
  parameter int Early      = 0,
  parameter int MarkByAsid = 0,
  localparam int IdxW      = gmmu_pkg::idx_w(Mshrs),
  localparam int CmdW      = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  // stage A
  input  logic [Ports-1:0]       read_i,
  input  logic [Ports*AsidW-1:0] read_asid_i,
  input  logic [Ports*KeyW-1:0]  read_walk_key_i,
  input  logic [Mshrs-1:0]       valid_i,
  // stage B: who has the page, its subregion (Early=1); both ports look for one page
  output logic [Ports*Mshrs-1:0] found_o,
  output logic [Ports-1:0]       new_o,
  output logic [Ports*Mshrs-1:0] same_run_o,
  output logic                   pair_o,
  // ... what is taken
  input  logic [Ports*SmW-1:0]   sm_i,
  input  logic [Ports*OwnW-1:0]  warp_i,
  input  logic [Mshrs-1:0]       write_i,
  input  logic [Ports-1:0]       take_i,
  output logic [Mshrs-1:0]       write_q_o,    // in the cycle before
  // ends of walks: read in stage 0 or R; in stage B, for checks
  input  logic [IdxW-1:0]        fin_idx_i,
  output logic [AsidW-1:0]       fin_asid_o,
  output logic [KeyW-1:0]        fin_walk_key_o,
  output logic [SmW-1:0]         owner_sm_o,
  output logic [OwnW-1:0]        owner_warp_o,
  input  logic                   done_i,
  input  logic [IdxW-1:0]        done_idx_i,
  // invalidation: what the command hits: registers, that of write_q_o, the end in stage B
  input  logic                   mark_next_i,
  input  logic                   mark_i,
  input  logic [CmdW-1:0]        cmd_i,
  output logic [Mshrs-1:0]       marked_o,
  output logic                   new_marked_o,
  output logic                   done_marked_o
);
  localparam int N = Mshrs;
  `include "gmmu_first.svh"
  localparam int PageKeyW = AsidW + KeyW;
  localparam int WordW    = PageKeyW + SmW + OwnW;    // {SM, warp, ASID, walk key}

  (* mem2reg *) logic [WordW-1:0] words [0:Mshrs-1];  // behind clock gates, as in gmmu_tlb_cam
  logic [Mshrs*PageKeyW-1:0] keys;                    // of them, while marks are looked for
  logic [Ports*WordW-1:0]    word, word_q;       // of stage B, and a cycle later
  logic [WordW-1:0]          late, fin_word;
  logic [Mshrs-1:0]          write_q;
  logic                      first_q;
  // Keys: registers beside those of stage B, on which the arrays hang.
  logic [Ports*PageKeyW-1:0] read_keys, b_keys;
  for (genvar p = 0; p < Ports; p++) begin : gen_word
    assign read_keys[p*PageKeyW +: PageKeyW] =
        {read_asid_i[p*AsidW +: AsidW], read_walk_key_i[p*KeyW +: KeyW]};
    assign word[p*WordW +: WordW] = {sm_i[p*SmW +: SmW], warp_i[p*OwnW +: OwnW],
        b_keys[p*PageKeyW +: PageKeyW]};
  end
  always_ff @(posedge clk_i) begin
    b_keys  <= read_keys;
    word_q  <= word;
    write_q <= write_i;
    first_q <= take_i[0];
  end
  assign late      = first_q ? word_q[WordW-1:0] : word_q[Ports*WordW-1 -: WordW];
  assign write_q_o = write_q;
`ifdef VERILATOR
  logic [IdxW-1:0] write_at;
  assign write_at = index(write_q);
  always_ff @(posedge clk_i) if (|write_q) words[write_at] <= late;   // in one write
`else
  for (genvar i = 0; i < Mshrs; i++) begin : gen_each
    logic [WordW-1:0] q;
    gmmu_clkgate #(.Width(WordW)) u_word (.clk_i, .en_i(write_q[i]), .d_i(late), .q_o(q));
    assign words[i] = q;
  end
`endif
  always_comb begin
    keys = '0;     // where more than 64 are assigned one by one Verilator sees a latch
    if (`GMMU_ANY(mark_next_i)) begin
      for (int i = 0; i < Mshrs; i++) keys[i*PageKeyW +: PageKeyW] = words[i][PageKeyW-1:0];
    end
  end
  assign fin_word = words[fin_idx_i];
  assign {owner_sm_o, owner_warp_o, fin_asid_o, fin_walk_key_o} = fin_word;

  // ---- searches: with the key that is being written, and those that stage B may take
  logic [PageKeyW-1:0] key0, key1, late0, late1;
  logic [1:0]          new_match;     // key0, key1 are what is marked in the next cycle
  assign key0  = word[PageKeyW-1:0];
  assign key1  = word[(Ports-1)*WordW +: PageKeyW];
  assign late0 = word_q[PageKeyW-1:0];
  assign late1 = word_q[(Ports-1)*WordW +: PageKeyW];
  for (genvar p = 0; p < Ports; p++) begin : gen_read
    logic [PageKeyW-1:0] key, sought;    // sought: a variable, as in gmmu_tlb_cam
    logic [Mshrs-1:0]    found, found_q;
    logic                late_same, new_q;
    assign key       = read_keys[p*PageKeyW +: PageKeyW];
    assign late_same = first_q ? key == late0 : key == late1;
    always_comb begin
      found  = '0;
      sought = key;
      if (read_i[p]) begin
        for (int i = 0; i < Mshrs; i++)
          if (words[i][PageKeyW-1:0] == sought) if (valid_i[i] & !write_q[i]) found[i] = 1'b1;
      end
    end
    always_ff @(posedge clk_i) begin
      found_q <= found | (read_i[p] & late_same ? valid_i & write_q : '0);
      new_q   <= rst_ni & ((take_i[0] & key == key0 & !new_match[0]) |
          (take_i[Ports-1] & key == key1 & !new_match[1]));
    end
    assign found_o[p*Mshrs +: Mshrs] = found_q;
    assign new_o[p]                  = new_q;
  end
  if (Ports == 2) begin : gen_pair
    logic pair_q;
    always_ff @(posedge clk_i)
      pair_q <= read_keys[2*PageKeyW-1 -: PageKeyW] == read_keys[PageKeyW-1:0];
    assign pair_o = pair_q;
  end else begin : gen_no_pair
    assign pair_o = 1'b0;
  end
  if (Early != 0) begin : gen_early
    localparam int RunW = AsidW + VfnW - 6;      // ASID and subregion
    logic [Mshrs*RunW-1:0] runs;
    logic [Ports*RunW-1:0] read_runs;
    for (genvar i = 0; i < Mshrs; i++) begin : gen_run_key
      assign runs[i*RunW +: RunW] = {words[i][KeyW +: AsidW], words[i][6 +: VfnW-6]};
    end
    for (genvar p = 0; p < Ports; p++) begin : gen_read_run
      assign read_runs[p*RunW +: RunW] =
          {read_asid_i[p*AsidW +: AsidW], read_walk_key_i[p*KeyW + 6 +: VfnW - 6]};
    end
    gmmu_match_ahead #(.N(Mshrs), .KeyW(RunW), .Ports(Ports)) u_match (
      .clk_i, .look_i(read_i), .key_i(read_runs), .keys_i(runs), .open_i(valid_i),
      // what is taken now, or was just now, was not answered early
      .write_i({Mshrs{1'b0}}), .new_same_i({Ports{1'b0}}), .same_o(same_run_o),
      .old_o(), .new_o()
    );
  end else begin : gen_no_early
    assign same_run_o = '0;
  end

  // ---- marks
  gmmu_l2tlb_marks #(.Mshrs(Mshrs), .AsidW(AsidW), .VfnW(VfnW), .KeyW(KeyW),
      .MarkByAsid(MarkByAsid)) u_marks (
    .clk_i, .rst_ni, .keys_i(keys), .late_i(write_q), .late_first_i(first_q), .late0_i(late0),
    .late1_i(late1), .write_i, .first_i(take_i[0]), .key0_i(key0), .key1_i(key1),
    .fin_key_i(read_keys[PageKeyW-1:0]), .next_i(mark_next_i), .mark_i, .cmd_i, .marked_o,
    .new_match_o(new_match), .new_marked_o, .fin_marked_o(done_marked_o)
  );

  // What an end brought from its register is still there: it was written before it was read.
  // In a register: Verilator 5.006 cannot sample a vector of over 40 words for an assertion.
  logic                done_right_q;
  logic [PageKeyW-1:0] fin_done;
  assign fin_done = words[done_idx_i][PageKeyW-1:0];
  always_ff @(posedge clk_i)
    done_right_q <= !rst_ni | !done_i | fin_done == key0;
  `GMMU_ASSERT(l2tlb_pages_end_has_its_page, done_right_q)
endmodule
`default_nettype wire
