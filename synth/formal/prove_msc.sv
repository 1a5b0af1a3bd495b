// SPDX-License-Identifier: Apache-2.0
// One symbolic frame: a lookup hits exactly when its bitmap was put in last, and neither another
// has its way nor an invalidation that covers it has come by, which visits every set once. See
// proofs.txt and docs/formal.md.
`default_nettype none
module prove_msc #(
  parameter int Ways   = 2,
  parameter int Covers = 0,
  localparam int Sets  = 2,
  localparam int AsidW = 1,
  localparam int LfnW  = 3,
  localparam int KeyW  = AsidW + LfnW,
  localparam int WayW  = $clog2(Ways),
  localparam int CmdW  = gmmu_pkg::CMD_FIXED_W + AsidW
) (
  input  logic            clk_i,
  input  logic            look_i,
  input  logic [KeyW-1:0] key_i,
  input  logic            hold_i,      // the lookup is made again in the next cycle
  input  logic            touch_i,
  input  logic            insert_i,
  input  logic            bit_i,
  input  logic            clear_i,
  input  logic [1:0]      kind_i,
  input  logic            cmd_asid_i,
  input  logic [LfnW:0]   lo_i,
  input  logic [LfnW:0]   hi_i,
  input  logic [KeyW-1:0] any_key
);
  `include "prove.svh"

  logic            early, read_q, result_q, hit, overwrite, evict, busy, visit, clear, insert;
  logic [KeyW-1:0] now_q;
  logic [6:0]      bitmap;
  logic [WayW-1:0] way, put_way;
  logic            visit_set;
  logic [Ways-1:0] cleared;
  logic [CmdW-1:0] cmd;
  // One lookup at a time, none while sets are visited; a command comes when none is made.
  assign early  = look_i & !read_q & !result_q & !busy & !clear;
  assign clear  = clear_i & !read_q & !busy;
  assign insert = insert_i & result_q & !read_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {read_q, result_q} <= '0;
    else {read_q, result_q} <= {early | (read_q & hold_i), read_q};
    if (early) now_q <= key_i;
  end
  logic [1:0]    kind;
  logic          cmd_asid;
  logic [LfnW:0] lo, hi;
  always_ff @(posedge clk_i) if (!busy & !clear) {kind, cmd_asid, lo, hi} <=
      {kind_i, cmd_asid_i, lo_i, hi_i};
  assign cmd = {kind, cmd_asid, {(27-LfnW){lo[LfnW]}}, lo[LfnW-1:0], 9'd0,
      {(27-LfnW){hi[LfnW]}}, hi[LfnW-1:0], 9'h1ff};

  gmmu_msc #(.Sets(Sets), .Ways(Ways), .AsidW(AsidW), .LfnW(LfnW)) u_dut (
    .clk_i, .rst_ni, .early_i(early & rst_ni), .early_lfn_i(key_i[LfnW-1:0]), .read_i(read_q),
    .asid_i(now_q[LfnW]), .lfn_i(now_q[LfnW-1:0]), .hit_o(hit), .bitmap_o(bitmap), .way_o(way),
    .touch_i(touch_i & result_q & hit), .insert_i(insert), .bitmap_i({7{bit_i}}),
    .insert_way_o(put_way), .overwrite_o(overwrite), .evict_o(evict), .clear_i(clear & rst_ni),
    .cmd_i(cmd), .busy_o(busy), .sweep_visit_o(visit), .sweep_set_o(visit_set),
    .sweep_cleared_o(cleared)
  );

  // ---- the symbolic frame
  logic [KeyW-1:0] key;
  logic            in_q, data_q, is_key, of_set, covers, put, takes, goes;
  logic [WayW-1:0] way_q;
  logic [35:0]     wide;
  always_ff @(posedge clk_i) if (!rst_ni) key <= any_key;
  assign wide   = {{(36-LfnW){key[LfnW-1]}}, key[LfnW-1:0]};
  assign is_key = now_q == key;
  assign of_set = now_q[0] == key[0];
  assign covers = kind == gmmu_pkg::INV_ALL | (cmd_asid == key[LfnW] &
      (kind == gmmu_pkg::INV_ASID | (wide >= {{(36-LfnW){lo[LfnW]}}, lo[LfnW-1:0]} &
                                     wide <= {{(36-LfnW){hi[LfnW]}}, hi[LfnW-1:0]})));
  assign put    = insert & is_key;
  assign takes  = insert & of_set & put_way == way_q;
  assign goes   = visit & visit_set == key[0] & covers;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) in_q <= 1'b0;
    else if (put) in_q <= 1'b1;
    else if (takes | goes) in_q <= 1'b0;
    if (put) {way_q, data_q} <= {put_way, bit_i};
  end

  // ---- an invalidation: each set once, ended in time
  logic [1:0] visited_q;
  logic [2:0] steps_q;
  logic       after_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni | clear) visited_q <= '0;
    else if (visit) visited_q <= visited_q | (visit_set ? 2'b10 : 2'b01);
    after_q <= rst_ni & (clear | busy);
    if (!rst_ni | !busy) steps_q <= '0;
    else steps_q <= steps_q + 1'b1;
  end

  always_comb if (!rst_ni) assume (!look_i & !clear_i & !insert_i);

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        if (result_q & is_key) hit_is_what_was_put_in: assert (hit == in_q);
        if (result_q & is_key & in_q) its_bitmap: assert (bitmap == {7{data_q}} & way == way_q);
        if (put) overwrites_itself: assert (overwrite == in_q & (!in_q | put_way == way_q));
        if (takes & in_q & !put) takes_it_only_when_full: assert (evict);
        if (visit & visit_set == key[0] & in_q) clears_it: assert (cleared[way_q] == covers);
        if (visit) once: assert (!visited_q[visit_set]);
        if (after_q & !busy) all_were_visited: assert (visited_q == 2'b11);
        in_time: assert (32'(steps_q) <= Sets + 2);
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(result_q & is_key & hit));
        c1: assert (!(put & overwrite));
        c2: assert (!(takes & in_q & evict));
        c3: assert (!(goes & in_q & kind == gmmu_pkg::INV_RANGE));
        c4: assert (!(visit & visit_set == key[0] & in_q & !covers));
        c5: assert (!(insert & clear));
        c6: assert (!(result_q & read_q & is_key & hit));
      end
    end
  end
endmodule
`default_nettype wire
