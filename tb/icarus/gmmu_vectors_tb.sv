// SPDX-License-Identifier: Apache-2.0
// gmmu_vectors_tb: plain SystemVerilog bench (Icarus Verilog, Verilator --binary) that drives
// gmmu_top, or a netlist of it (NETLIST defined), with vectors that `gmmu vectors` exported from
// the golden model, four-state.
//
// Checks every answer (PA, cause, page size), that no request is lost or answered twice, that after
// reset no valid, ready or status output is ever X or Z, and no payload whose valid is 1. Random
// stalls on every handshake; memory answers out of order; invalidations of all kinds, of pages that
// are asked for and of others, which change no answer, as no page table changes.
//
// +dir=D: vectors (params.vh is included at compile time). +seed=N. Ends with "PASS ..." or "FAIL
// ...".
`timescale 1ns/1ps
`default_nettype none
module gmmu_vectors_tb;
  `include "params.vh"
  localparam int SMS    = NumSms, ASIDS = NumAsids, ASID_W = AsidW, PA_W = PaW, TAG_W = TagW;
  localparam int WARP_W = WarpW, WINDOWS = NumWindows;
  localparam int PFN_W  = PA_W - 12;
  localparam int SLOT_W = (Walks > 1) ? $clog2(Walks) : 1;
  localparam int TAGS   = 1 << TAG_W;
  localparam int MEM_W  = LineAnswers != 0 ? 512 : 64;
  // One request: {may be 2 MiB, may be 4 KiB, cause, PA, user, access, ASID, VA}, all in 4-bit
  // multiples.
  localparam int VEC_W  = 4 + 8 + 64 + 4 + 4 + 16 + 64;

  reg                   clk = 1'b0;
  reg                   rst_n = 1'b0;
  reg  [SMS-1:0]        req_valid = '0;
  wire [SMS-1:0]        req_ready;
  reg  [SMS*64-1:0]     req_va = '0;
  reg  [SMS*2-1:0]      req_access = '0;
  reg  [SMS-1:0]        req_user = '0;
  reg  [SMS*ASID_W-1:0] req_asid = '0;
  reg  [SMS*WARP_W-1:0] req_warp = '0;
  reg  [SMS*TAG_W-1:0]  req_tag = '0;
  wire [SMS-1:0]        rsp_valid;
  reg  [SMS-1:0]        rsp_ready = '0;
  wire [SMS*TAG_W-1:0]  rsp_tag;
  wire [SMS*PA_W-1:0]   rsp_pa;
  wire [SMS*5-1:0]      rsp_cause;
  wire [SMS-1:0]        rsp_large;
  wire                  mem_req_valid;
  reg                   mem_req_ready = 1'b0;
  wire [PA_W-1:0]       mem_req_addr;
  wire [SLOT_W-1:0]     mem_req_id;
  wire [2:0]            mem_req_depth;
  wire                  mem_req_upd;
  wire [63:0]           mem_req_old, mem_req_new;
  reg                   mem_rsp_valid = 1'b0;
  reg  [SLOT_W-1:0]     mem_rsp_id = '0;
  reg  [MEM_W-1:0]      mem_rsp_data = '0;
  reg                   mem_rsp_err = 1'b0;
  reg                   inv_valid = 1'b0;
  reg  [1:0]            inv_kind = '0;
  reg  [ASID_W-1:0]     inv_asid = '0;
  reg  [35:0]           inv_lo = '0, inv_hi = '0;
  wire                  inv_ready, inv_done;
  reg  [ASIDS*PFN_W-1:0]   ctx_root = '0;
  reg  [ASIDS*2-1:0]       ctx_mode = '0;
  reg  [ASIDS-1:0]         ctx_ext = '0, ctx_sum = '0, ctx_mxr = '0;
  reg  [WINDOWS*PFN_W-1:0] win_lo = '0, win_hi = '0;
  reg  [WINDOWS-1:0]       win_walk = '0, win_data = '0;

  gmmu_top
`ifndef NETLIST
  #(
`include "gmmu_top_pass.svh"
    .Obs(0)
  )
`endif
  dut (
    .clk_i(clk), .rst_ni(rst_n), .req_valid_i(req_valid), .req_ready_o(req_ready),
    .req_va_i(req_va), .req_access_i(req_access), .req_user_i(req_user), .req_asid_i(req_asid),
    .req_warp_i(req_warp), .req_tag_i(req_tag), .rsp_valid_o(rsp_valid), .rsp_ready_i(rsp_ready),
    .rsp_tag_o(rsp_tag), .rsp_pa_o(rsp_pa), .rsp_cause_o(rsp_cause), .rsp_large_o(rsp_large),
    .mem_req_valid_o(mem_req_valid), .mem_req_ready_i(mem_req_ready), .mem_req_addr_o(mem_req_addr),
    .mem_req_id_o(mem_req_id), .mem_req_depth_o(mem_req_depth), .mem_req_upd_o(mem_req_upd),
    .mem_req_old_o(mem_req_old), .mem_req_new_o(mem_req_new), .mem_rsp_valid_i(mem_rsp_valid),
    .mem_rsp_id_i(mem_rsp_id), .mem_rsp_data_i(mem_rsp_data), .mem_rsp_err_i(mem_rsp_err),
    .inv_valid_i(inv_valid), .inv_ready_o(inv_ready), .inv_kind_i(inv_kind), .inv_asid_i(inv_asid),
    .inv_lo_i(inv_lo), .inv_hi_i(inv_hi), .inv_done_o(inv_done), .ctx_root_i(ctx_root),
    .ctx_mode_i(ctx_mode), .ctx_ext_i(ctx_ext), .ctx_sum_i(ctx_sum), .ctx_mxr_i(ctx_mxr),
    .win_lo_i(win_lo), .win_hi_i(win_hi), .win_walk_i(win_walk), .win_data_i(win_data),
    .epoch_cycles_i(32'd0), .epoch_o(), .token_free_i(1'b0), .token_start_i(7'd80),
    .token_step_i(3'd4), .token_points_i(7'd2), .app_misses_o(),
    .count_l1_look_o(), .count_l1_hit_o(), .count_l2_look_o(),
    .count_l2_hit_o(), .count_walk_o(), .count_l1_parity_o(), .count_l2_parity_o(), .obs_l1_o(),
    .obs_l2_o(),
    .obs_walk_o(), .obs_token_o()
  );

  reg [VEC_W-1:0] vec [0:SMS*PER_SM-1];      // SM s: PER_SM words from s*PER_SM on
  // {0, error, PTE}; word 0 is at physical address MEM_BASE
  reg [67:0]      mem [0:MEM_WORDS-1];
  reg [127:0]     ctx [0:ASIDS-1];           // {.., mxr, sum, ext, mode, root}
  reg [131:0]     win [0:WINDOWS-1];         // {data, walk, hi, lo}

  integer next_req [0:SMS-1];                // next request of each SM
  integer owner [0:SMS*TAGS-1];              // request in flight under a tag, -1: none
  reg [SMS-1:0] accepted;
  integer answers, updates, commands, errors, cycles, last_answer, offered, seed, seed0;
  reg     commanding, inv_taken;             // a command is under way; one was taken
  string path;

  // Pending PTE reads, one per walk slot.
  reg             rd_busy  [0:Walks-1];
  reg [PA_W-1:0]  rd_addr  [0:Walks-1];
  integer         rd_ready [0:Walks-1];      // earliest cycle of the answer
  reg             rd_upd   [0:Walks-1];      // an update: old becomes new
  reg [63:0]      rd_old   [0:Walks-1];
  reg [63:0]      rd_new   [0:Walks-1];

  always #5 clk = !clk;

  function [31:0] rnd(input [31:0] n);
    rnd = {$random(seed)} % n;
  endfunction

  integer s, t, i, b, pick, req;
  reg [PA_W-1:0]  line_addr;
  reg [VEC_W-1:0] v;
  reg [67:0]      w;
  reg [127:0]     c;
  reg [131:0]     x;
  reg [4:0]       cause;
  reg [63:0]      pa;

  initial begin
    seed = 1;
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    seed0 = seed;      // $random changes seed
    accepted = '0;
    if (!$value$plusargs("dir=%s", path)) path = ".";
    $readmemh({path, "/vec.hex"}, vec);
    $readmemh({path, "/mem.hex"}, mem);
    $readmemh({path, "/ctx.hex"}, ctx);
    $readmemh({path, "/win.hex"}, win);
    for (i = 0; i < ASIDS; i = i + 1) begin
      c = ctx[i];
      ctx_root[i*PFN_W +: PFN_W] = c[PFN_W-1:0];
      ctx_mode[i*2 +: 2] = c[65:64];
      ctx_ext[i] = c[68];
      ctx_sum[i] = c[69];
      ctx_mxr[i] = c[70];
    end
    for (i = 0; i < WINDOWS; i = i + 1) begin
      x = win[i];
      win_lo[i*PFN_W +: PFN_W] = x[PFN_W-1:0];
      win_hi[i*PFN_W +: PFN_W] = x[64 +: PFN_W];
      win_walk[i] = x[128];
      win_data[i] = x[129];
    end
    for (s = 0; s < SMS; s = s + 1) next_req[s] = 0;
    for (i = 0; i < SMS*TAGS; i = i + 1) owner[i] = -1;
    for (i = 0; i < Walks; i = i + 1) rd_busy[i] = 1'b0;
    answers = 0; updates = 0; commands = 0; errors = 0; cycles = 0; last_answer = 0; offered = 0;
    commanding = 1'b0; inv_taken = 1'b0;
    repeat (4) @(negedge clk);
    rst_n = 1'b1;
    @(negedge clk);
    while (answers < SMS*PER_SM && errors == 0) begin
      cycle;
      if (cycles - last_answer > 20000) begin
        errors = errors + 1;
        $display("FAIL no answer for 20000 cycles: %0d of %0d answered, seed %0d", answers,
            SMS*PER_SM, seed0);
        for (s = 0; s < SMS; s = s + 1)
          $display("  SM %0d: %0d requests given, valid %b ready %b", s, next_req[s], req_valid[s],
              req_ready[s]);
      end
    end
    if (Svadu != 0 && updates == 0) fail("no PTE was updated");
    if (commands < 3) fail("hardly any command was acknowledged");
    if (errors == 0) $display(
        "PASS %0d answers, %0d updates of PTEs, %0d invalidations, %0d cycles, seed %0d",
        answers, updates, commands, cycles, seed0);
    else $display("FAIL %0d errors, seed %0d", errors, seed0);
    $finish(0);
  end

  // One clock cycle: inputs were set at the last negedge; sample before the posedge, set new ones
  // after it.
  task cycle;
    begin
      #4;
      check_x;
      for (s = 0; s < SMS; s = s + 1) begin
        if (rsp_valid[s] && rsp_ready[s]) answer(s);
      end
      // PTE reads
      if (mem_req_valid && mem_req_ready) begin
        if (rd_busy[mem_req_id]) fail("a walk slot has two reads");
        rd_busy[mem_req_id]  = 1'b1;
        rd_addr[mem_req_id]  = mem_req_addr;
        rd_upd[mem_req_id]   = mem_req_upd;
        rd_old[mem_req_id]   = mem_req_old;
        rd_new[mem_req_id]   = mem_req_new;
        rd_ready[mem_req_id] = cycles + 1 + rnd(12);
      end
      if (mem_rsp_valid) rd_busy[mem_rsp_id] = 1'b0;
      if (inv_done) begin
        if (!commanding) fail("an acknowledgement without a command");
        commanding = 1'b0;
        commands   = commands + 1;
      end
      inv_taken = inv_valid && inv_ready;
      if (inv_taken) commanding = 1'b1;
      if ((inv_valid || commanding) && cycles - offered > 20000)
        fail("a command is not acknowledged for 20000 cycles");
      accepted = req_valid & req_ready;
      @(negedge clk);   // the posedge in between takes everything sampled above
      cycles = cycles + 1;
      drive;
    end
  endtask

  task drive;
    begin
      for (s = 0; s < SMS; s = s + 1) begin
        if (accepted[s]) begin
          next_req[s]  = next_req[s] + 1;
          req_valid[s] = 1'b0;
        end
        rsp_ready[s] = rnd(4) != 0;
        if (!req_valid[s] && next_req[s] < PER_SM && rnd(4) != 0) begin
          // any free tag
          pick = rnd(TAGS);
          for (t = 0; t < TAGS; t = t + 1) if (owner[s*TAGS + pick] != -1) pick = (pick + 1) % TAGS;
          if (owner[s*TAGS + pick] == -1) begin
            v = vec[s*PER_SM + next_req[s]];
            owner[s*TAGS + pick] = next_req[s];
            req_valid[s] = 1'b1;
            req_va[s*64 +: 64] = v[63:0];
            req_asid[s*ASID_W +: ASID_W] = v[64 +: ASID_W];
            req_access[s*2 +: 2] = v[81:80];
            req_user[s] = v[84];
            req_warp[s*WARP_W +: WARP_W] = rnd(1 << WARP_W);
            req_tag[s*TAG_W +: TAG_W] = pick;
          end
        end
      end
      if (inv_taken) inv_valid = 1'b0;
      else if (!inv_valid && !commanding && rnd(32) == 0) begin
        pick      = rnd(SMS);
        v         = vec[pick*PER_SM + (next_req[pick] + PER_SM - rnd(4)) % PER_SM];
        inv_valid = 1'b1;
        inv_kind  = rnd(4);
        inv_asid  = v[64 +: ASID_W];
        inv_lo    = v[47:12] - 36'(rnd(4));
        inv_hi    = v[47:12] + (rnd(4) == 0 ? 36'(rnd(2000)) : 36'(rnd(2)));
        offered   = cycles;
      end
      mem_req_ready = rnd(4) != 0;
      // answer a random pending read that is due
      mem_rsp_valid = 1'b0;
      mem_rsp_data  = {MEM_W{1'bx}};
      pick = rnd(Walks);
      for (t = 0; t < Walks; t = t + 1) begin
        if (!mem_rsp_valid && rd_busy[pick] && rd_ready[pick] <= cycles) begin
          mem_rsp_valid = 1'b1;
          mem_rsp_id    = pick;
          i = (rd_addr[pick] - MEM_BASE) >> 3;
          if (rd_upd[pick]) begin
            w = mem[i];
            if (w[63:0] === rd_old[pick]) mem[i] = {w[67:64], rd_new[pick]};
            else fail("an update of a PTE that nobody else changes finds another one");
            updates = updates + 1;
          end
          for (b = 0; b < MEM_W / 64; b = b + 1) begin
            line_addr = LineAnswers != 0 ? (rd_addr[pick] & ~63) + 8 * b : rd_addr[pick];
            i = (line_addr - MEM_BASE) >> 3;
            w = (line_addr >= MEM_BASE && i < MEM_WORDS) ? mem[i] : 68'd0;
            mem_rsp_data[b*64 +: 64] = w[63:0];
            if (line_addr == rd_addr[pick]) mem_rsp_err = w[64];
          end
        end
        pick = (pick + 1) % Walks;
      end
    end
  endtask

  task answer(input integer sm);
    begin
      t   = rsp_tag[sm*TAG_W +: TAG_W];
      req = owner[sm*TAGS + t];
      if (req < 0) fail("answer for a tag that is not outstanding");
      else begin
        owner[sm*TAGS + t] = -1;
        v     = vec[sm*PER_SM + req];
        cause = v[88 + 64 +: 5];
        pa    = v[88 +: 64];
        if (rsp_cause[sm*5 +: 5] !== cause || rsp_pa[sm*PA_W +: PA_W] !== pa[PA_W-1:0] ||
            (cause == 0 && (rsp_large[sm] ? !v[161] : !v[160]))) begin
          errors = errors + 1;
          begin
            $write("FAIL cycle %0d SM %0d request %0d va %h asid %0d: ", cycles, sm, req, v[63:0],
                v[79:64]);
            $display("expected cause %0d pa %h, got cause %0d pa %h large %b", cause, pa,
                rsp_cause[sm*5 +: 5], rsp_pa[sm*PA_W +: PA_W], rsp_large[sm]);
          end
        end
        answers = answers + 1;
        last_answer = cycles;
      end
    end
  endtask

  task check_x;
    begin
      if (^{req_ready, rsp_valid, mem_req_valid, inv_ready, inv_done} === 1'bx)
        fail("X on a valid, ready or status output");
      for (s = 0; s < SMS; s = s + 1) begin
        if (rsp_valid[s] &&
            ^{rsp_tag[s*TAG_W +: TAG_W], rsp_pa[s*PA_W +: PA_W], rsp_cause[s*5 +: 5],
                rsp_large[s]} === 1'bx)
          fail("X in an answer");
      end
      if (mem_req_valid && ^{mem_req_addr, mem_req_id, mem_req_depth, mem_req_upd} ===
          1'bx) fail("X in a PTE read");
      if (mem_req_valid && mem_req_upd && ^{mem_req_old, mem_req_new} ===
          1'bx) fail("X in a PTE update");
    end
  endtask

  task fail(input [8*48-1:0] what);
    begin
      errors = errors + 1;
      $display("FAIL cycle %0d: %0s", cycles, what);
    end
  endtask
endmodule
`default_nettype wire
