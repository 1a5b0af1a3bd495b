// SPDX-License-Identifier: Apache-2.0
// gmmu_scenes_tb: short scenes of gmmu_top for the timing diagrams (scripts/timing_diagrams.py):
// `scene` counts them. Directed, no random stalls, so that a picture shows one thing; every answer
// is checked. Icarus; +vcd=FILE records. Ends with PASS or FAIL.
//   1 miss, 2 two hits, 3 hit in the L2, 4 merges, 5 stall, 6 invalidation of a page that is being
//   walked, 7 fault; with L2Unified=1 instead 8 early answer, 9 a hit in its run.
`timescale 1ns/1ps
`default_nettype none
module gmmu_scenes_tb #(parameter int L2Unified = 0);
  localparam int Sms = 2, TagW = 3, PaW = 32, AsidW = 2;
  logic clk = 0, rst_n = 0;
  always #5 clk = !clk;

  integer              scene = 0, errors = 0, waiting = 0;
  logic [Sms-1:0]      req_valid = '0, rsp_ready = '1;
  wire  [Sms-1:0]      req_ready, rsp_valid;
  logic [Sms*64-1:0]   req_va = '0;
  logic [Sms*2-1:0]    req_warp = '0;
  logic [Sms*TagW-1:0] req_tag = '0;
  wire  [Sms*TagW-1:0] rsp_tag;
  wire  [Sms*PaW-1:0]  rsp_pa;
  wire  [Sms*5-1:0]    rsp_cause;
  wire                 mem_req_valid, inv_ready, inv_done;
  wire  [PaW-1:0]      mem_req_addr;
  wire  [1:0]          mem_req_id;
  logic                mem_rsp_valid = 0, inv_valid = 0;
  logic [1:0]          mem_rsp_id = 0;
  logic [63:0]         mem_rsp_data = 0;
  logic [35:0]         inv_page = 0;

  gmmu_top #(
    .NumSms(Sms), .NumAsids(2), .AsidW(AsidW), .VaW(39), .PaW(PaW), .TagW(TagW), .WarpW(2),
    .L1BaseEntries(4), .L1LargeEntries(2),
    .L1Mshrs(4), .L2Entries(16), .L2Ways(4), .L2LargeEntries(L2Unified != 0 ? 0 : 2),
    .L2Unified(L2Unified), .L2Ports(1), .L2Latency(6),
    .L2Mshrs(4), .WarpCounters(0), .Walks(4), .MscSets(2), .MscWays(2), .NumWindows(2), .Obs(0)
  ) dut (
    .clk_i(clk), .rst_ni(rst_n),
    .req_valid_i(req_valid), .req_ready_o(req_ready), .req_va_i(req_va), .req_access_i(4'd0),
    .req_user_i(2'b11), .req_asid_i(4'd0),
    .req_warp_i(req_warp), .req_tag_i(req_tag), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_tag_o(rsp_tag),
    .rsp_pa_o(rsp_pa), .rsp_cause_o(rsp_cause), .rsp_large_o(),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(1'b1), .mem_req_addr_o(mem_req_addr),
    .mem_req_id_o(mem_req_id),
    .mem_req_depth_o(), .mem_req_upd_o(), .mem_req_old_o(), .mem_req_new_o(),
    .mem_rsp_valid_i(mem_rsp_valid), .mem_rsp_id_i(mem_rsp_id), .mem_rsp_data_i(mem_rsp_data),
    .mem_rsp_err_i(1'b0),
    .inv_valid_i(inv_valid), .inv_ready_o(inv_ready), .inv_kind_i(2'd2), .inv_asid_i(2'd0),
    .inv_lo_i(inv_page), .inv_hi_i(inv_page),
    .inv_done_o(inv_done),
    .ctx_root_i({20'd0, 20'd1}), .ctx_mode_i(4'b0001), .ctx_ext_i(2'b01), .ctx_sum_i(2'b00),
    .ctx_mxr_i(2'b00),
    .win_lo_i({20'h400, 20'h1}), .win_hi_i({20'h7ff, 20'h4}), .win_walk_i(2'b01),
    .win_data_i(2'b10),
    .epoch_cycles_i(32'd0), .epoch_o(), .token_free_i(1'b0), .token_start_i(7'd80),
    .token_step_i(3'd4), .token_points_i(7'd2),
    .app_misses_o(), .count_l1_look_o(), .count_l1_hit_o(), .count_l2_look_o(),
    .count_l2_hit_o(), .count_walk_o(), .count_l1_parity_o(), .count_l2_parity_o(), .obs_l1_o(),
    .obs_l2_o(), .obs_walk_o(), .obs_token_o()
  );

  // Memory: page 1 the root, 2 the frame table, 3 and 4 leaf tables; each read is answered three
  // cycles after its handshake.
  logic [63:0] mem [0:4095];
  logic [2:0]  due = '0;
  logic [1:0]  due_id [0:2];
  logic [31:0] due_at [0:2];
  always @(posedge clk) begin
    mem_rsp_valid <= due[1];
    mem_rsp_id    <= due_id[1];
    mem_rsp_data  <= mem[due_at[1][14:3]];
    due <= {due[1:0], mem_req_valid & rst_n};
    due_id[0] <= mem_req_id;
    due_at[0] <= mem_req_addr;
    due_id[1] <= due_id[0];
    due_at[1] <= due_at[0];
  end

  // Answers
  logic [31:0] want_pa    [0:Sms*8-1];
  logic [4:0]  want_cause [0:Sms*8-1];
  integer s, at;
  always @(posedge clk) begin
    for (s = 0; s < Sms; s = s + 1) begin
      if (rsp_valid[s] & rsp_ready[s]) begin
        at = s * 8 + rsp_tag[s*TagW +: TagW];
        if (rsp_cause[s*5 +: 5] !== want_cause[at] ||
            want_cause[at] == 0 && rsp_pa[s*PaW +: PaW] !== want_pa[at]) begin
          errors = errors + 1;
          $display("scene %0d, SM %0d, tag %0d: PA %h cause %0d instead of PA %h cause %0d",
                   scene, s, rsp_tag[s*TagW +: TagW],
                   rsp_pa[s*PaW +: PaW], rsp_cause[s*5 +: 5], want_pa[at], want_cause[at]);
        end
        waiting = waiting - 1;
      end
    end
  end

  function [63:0] leaf(input [19:0] pfn);
    leaf = {34'd0, pfn, 10'h0d7};      // V R W U A D
  endfunction
  // One request from the next falling edge on; returns at the falling edge after its handshake.
  integer tag = 0;
  task ask(input integer sm, input [26:0] vfn, input [11:0] offset, input [1:0] warp,
           input [4:0] cause, input [19:0] pfn);
    begin
      tag = (tag + 1) % 8;
      req_valid[sm] = 1'b1;
      req_va[sm*64 +: 64] = {25'd0, vfn, offset};
      req_warp[sm*2 +: 2] = warp;
      req_tag[sm*TagW +: TagW] = tag;
      want_cause[sm*8 + tag] = cause;
      want_pa[sm*8 + tag] = {pfn, offset};
      waiting = waiting + 1;
      #4;
      while (!req_ready[sm]) begin
        @(negedge clk);
        #4;
      end
      @(negedge clk) req_valid[sm] = 1'b0;
    end
  endtask
  integer quiet;
  task settle;
    begin
      quiet = 0;
      while (waiting != 0) begin
        @(negedge clk) quiet = quiet + 1;
        if (quiet > 500) begin
          $display("FAIL scene %0d: %0d requests wait", scene, waiting);
          $finish(0);
          quiet = 0;
          waiting = 0;
        end
      end
      repeat (90) @(negedge clk);
    end
  endtask

  integer i;
  string  vcd;
  initial begin
    if ($value$plusargs("vcd=%s", vcd)) begin
      $dumpfile(vcd);
      $dumpvars(0, gmmu_scenes_tb);
    end
    for (i = 0; i < 4096; i = i + 1) mem[i] = 64'd0;
    mem[1*512 + 0] = 64'h801;                              // root: pointer to page 2
    mem[2*512 + 0] = 64'hc01;                              // frame 0: pointer to page 3
    // frame 1: pointer to page 4, its eight subregions contiguous
    mem[2*512 + 1] = 64'h1001 | (64'hff << 54);
    for (i = 0; i < 512; i = i + 1) begin
      mem[3*512 + i] = i == 20 ? 64'd0 : leaf(20'h400 + (i ^ 5));
      mem[4*512 + i] = leaf(20'h600 + i);
    end
    repeat (4) @(negedge clk);
    rst_n = 1;
    repeat (40) @(negedge clk);                            // arrays that clear themselves
    if (L2Unified == 0) begin
      scene = 1;
      ask(0, 5, 12'h040, 0, 0, 20'h400);
      settle;
      scene = 2;
      ask(0, 5, 12'h080, 1, 0, 20'h400);
      ask(0, 5, 12'h0c0, 2, 0, 20'h400);
      settle;
      scene = 3;
      ask(1, 5, 12'h100, 0, 0, 20'h400);
      settle;
      scene = 4;
      ask(0, 9, 12'h000, 0, 0, 20'h40c);
      ask(0, 9, 12'h020, 1, 0, 20'h40c);
      ask(1, 9, 12'h040, 0, 0, 20'h40c);
      settle;
      scene = 5;
      rsp_ready[0] = 0;
      fork
        begin
          ask(0, 5, 12'h140, 0, 0, 20'h400);
          ask(0, 9, 12'h180, 1, 0, 20'h40c);
        end
        begin
          repeat (4) @(negedge clk);
          rsp_ready[0] = 1;
        end
      join
      settle;
      scene = 6;
      ask(0, 12, 12'h000, 0, 0, 20'h555);
      repeat (12) @(negedge clk);
      mem[3*512 + 12] = leaf(20'h555);                     // page 12 moves
      inv_page  = 36'd12;
      inv_valid = 1;
      #4;
      while (!inv_ready) @(negedge clk) #4;
      @(negedge clk) inv_valid = 0;
      while (!inv_done) @(negedge clk);
      settle;
      scene = 7;
      ask(1, 20, 12'h000, 0, gmmu_pkg::CAUSE_PF_INVALID, 20'h0);
      settle;
    end else begin
      scene = 8;
      ask(0, 512 + 130, 12'h000, 0, 0, 20'h600 + 130);
      settle;
      scene = 9;
      ask(1, 512 + 300, 12'h000, 0, 0, 20'h600 + 300);
      settle;
    end
    scene = 0;
    repeat (4) @(negedge clk);
    if (errors == 0)
      $display("PASS scenes of the %0s L2 TLB", L2Unified != 0 ? "unified" : "split");
    else $display("FAIL %0d errors", errors);
    $finish(0);
  end
endmodule
`default_nettype wire
