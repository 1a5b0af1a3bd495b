// SPDX-License-Identifier: Apache-2.0
// One AXI master for PTE writes and page copies: AR, AW and W stay until they are taken, with
// length, lock and last, also where the bus changes hands; no PTE is read or written while a copy
// has the bus or memory owes it an answer, nor the other way; a command that is done either ends
// or asks for its invalidation, once, and that stays until it is taken. gmmu_pte_write is the one
// of rtl/; the other two masters are what their own proofs and rules leave of them, below: any
// page copy that keeps what it offers and ends when all is acknowledged (proof page_copy), any
// coalescer that holds what it asks for until the answer. Assumed: commands come one at a time, the
// walker holds its update, memory answers what it was asked.
`default_nettype none

// Any page copy: it keeps what it offers, and ends when nothing of it is on its way to memory.
module gmmu_page_copy;  // parameters and ports of rtl/
  (* anyseq *) logic [2:0] any;
  (* anyseq *) logic       any_last, any_end, any_write_over;
  (* anyseq *) logic [2:0] any_addr;
  logic       busy_q, write_q, ar_q, aw_q, w_q, ends;
  logic [2:0] addr_q;
  logic       last_q;
  assign ready_o   = !busy_q;
  assign ends      = any_end && !ar_q && !aw_q && !w_q && !write_q && any == 3'd0;
  assign done_o    = busy_q && ends;
  assign result_o  = 3'd0;
  assign arvalid_o = busy_q && (any[0] || ar_q);
  assign awvalid_o = busy_q && (any[1] || aw_q);
  assign wvalid_o  = busy_q && (any[2] || w_q);
  assign araddr_o  = PaW'(ar_q ? addr_q[0] : any_addr[0]);
  assign awaddr_o  = PaW'(aw_q ? addr_q[1] : any_addr[1]);
  assign wdata_o   = 64'(w_q ? addr_q[2] : any_addr[2]);
  assign wlast_o   = w_q ? last_q : any_last;
  assign bready_o  = 1'b1;
  assign rready_o  = 1'b1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {busy_q, write_q, ar_q, aw_q, w_q} <= '0;
    end else begin
      busy_q  <= (valid_i && !busy_q) || (busy_q && !ends);
      write_q <= (awvalid_o || wvalid_o || write_q) && !(bvalid_i && any_write_over);
      ar_q    <= arvalid_o && !arready_i;
      aw_q    <= awvalid_o && !awready_i;
      w_q     <= wvalid_o && !wready_i;
    end
    addr_q <= {wdata_o[0], awaddr_o[0], araddr_o[0]};
    last_q <= wlast_o;
  end
endmodule

// Any coalescer: command, request, answer.
module gmmu_coalescer;  // parameters and ports of rtl/
  (* anyseq *) logic       any_valid, any_end, any_result;
  (* anyseq *) logic [3:0] any_req;
  logic       busy_q, held_q, wait_q;
  logic [3:0] req, req_q;
  assign ready_o     = !busy_q;
  assign req_valid_o = busy_q && !wait_q && (any_valid || held_q);
  assign done_o      = busy_q && !wait_q && !req_valid_o && any_end;
  assign result_o    = {2'd0, any_result};
  assign req         = held_q || wait_q ? req_q : any_req;
  assign {req_update_o, req_co_o, req_one_o} = req[3:1];
  assign req_addr_o  = PaW'(req[0]);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {busy_q, held_q, wait_q} <= '0;
    end else begin
      busy_q <= (valid_i && !busy_q) || (busy_q && !done_o);
      held_q <= req_valid_o && !req_ready_i;
      wait_q <= (req_valid_o && req_ready_i) || (wait_q && !rsp_valid_i);
    end
    req_q <= req;
  end
endmodule

module prove_engine_axi #(
  parameter int PteExclusive = 0,
  parameter int PwcEntries   = 0,
  parameter int Covers       = 0
) (
  input  logic       clk_i,
  input  logic       valid_i,
  input  logic       copy_i,
  input  logic       splinter_i,
  input  logic       inv_ready_i,
  input  logic       up_valid_i,
  input  logic [2:0] up_i,           // address, old, new
  input  logic       awready_i,
  input  logic       wready_i,
  input  logic       bvalid_i,
  input  logic [1:0] bresp_i,
  input  logic       arready_i,
  input  logic       rvalid_i,
  input  logic       rlast_i,
  input  logic       rdata_i,
  input  logic [1:0] rresp_i
);
  `include "prove.svh"
  localparam int PaW = 14, PfnW = PaW - 12, NumAsids = 2, NumWindows = 2;
  logic           ready, done, ends, inv_valid, inv_empty, up_done, up_err, awvalid, awlock, wvalid;
  logic           wlast, bready, arvalid, arlock, rready;
  logic [2:0]     result;
  logic [7:0]     awlen, arlen;
  logic [PaW-1:0] awaddr, araddr;
  logic [63:0]    wdata;
  gmmu_engine_axi #(.PaW(PaW), .NumAsids(NumAsids), .NumWindows(NumWindows), .Coalescer(1),
      .PageCopy(1), .Svadu(1), .PteExclusive(PteExclusive), .PwcEntries(PwcEntries)) u_dut (
    .clk_i, .rst_ni, .valid_i, .ready_o(ready), .copy_i, .splinter_i, .asid_i('0), .first_i('0),
    .last_i('0), .done_o(done), .result_o(result), .ends_o(ends), .inv_valid_o(inv_valid),
    .inv_ready_i, .inv_empty_o(inv_empty), .up_valid_i, .up_addr_i(PaW'(up_i[0])),
    .up_old_i(64'(up_i[1])), .up_new_i(64'(up_i[2])), .up_done_o(up_done), .up_err_o(up_err),
    .ctx_root_i('0), .ctx_mode_i('0), .ctx_ext_i('0), .win_lo_i('0), .win_hi_i('0),
    .win_walk_i('0), .win_data_i('0), .awvalid_o(awvalid), .awready_i, .awaddr_o(awaddr),
    .awlen_o(awlen), .awlock_o(awlock), .wvalid_o(wvalid), .wready_i, .wdata_o(wdata),
    .wlast_o(wlast), .bvalid_i, .bready_o(bready), .bresp_i, .arvalid_o(arvalid), .arready_i,
    .araddr_o(araddr), .arlen_o(arlen), .arlock_o(arlock), .rvalid_i, .rready_o(rready),
    .rdata_i(64'(rdata_i)), .rresp_i
  );

  // What memory owes: reads and writes of one beat (PTEs), and of a copy.
  logic       ar_waits_q, aw_waits_q, w_waits_q, one_read_q, one_aw_q, one_w_q, running_q, was_q;
  logic       up_held_q, inv_held_q, copy_q, asks_q;
  logic [1:0] reads_q, writes_q;
  logic [2:0] up_was_q;
  logic [PaW+8:0] ar_q, aw_q;
  logic [64:0] w_q;
  logic       one_ar, one_aw, many_ar, many_aw;
  assign one_ar  = arvalid && arlen == 8'd0;
  assign one_aw  = awvalid && awlen == 8'd0;
  assign many_ar = arvalid && arlen != 8'd0;
  assign many_aw = awvalid && awlen != 8'd0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {ar_waits_q, aw_waits_q, w_waits_q, one_read_q, one_aw_q, one_w_q, running_q} <= '0;
      {reads_q, writes_q, up_held_q, inv_held_q, was_q, asks_q} <= '0;
    end else begin
      ar_waits_q <= arvalid && !arready_i;
      aw_waits_q <= awvalid && !awready_i;
      w_waits_q  <= wvalid && !wready_i;
      one_read_q <= (one_ar && arready_i) || (one_read_q && !rvalid_i);
      one_aw_q   <= (one_aw && awready_i) || (one_aw_q && !bvalid_i);
      one_w_q    <= (wvalid && wready_i && !(running_q && copy_q)) || (one_w_q && !bvalid_i);
      reads_q    <= reads_q + 2'(many_ar && arready_i) - 2'(rvalid_i && reads_q != '0 && rlast_i);
      writes_q   <= writes_q + 2'(many_aw && awready_i) - 2'(bvalid_i && writes_q != '0);
      up_held_q  <= up_valid_i && !up_done;
      inv_held_q <= inv_valid && !inv_ready_i;
      running_q  <= (valid_i && ready) || (running_q && !done);
      was_q      <= valid_i && !ready;
      asks_q     <= done && !ends;
    end
    if (valid_i) copy_q <= copy_i;
    up_was_q <= up_i;
    ar_q     <= {arlock, arlen, araddr};
    aw_q     <= {awlock, awlen, awaddr};
    w_q      <= {wlast, wdata};
  end
  always_comb begin
    if (!rst_ni) assume (!valid_i && !up_valid_i && !rvalid_i && !bvalid_i);
    // One command at a time, held until it is taken; what it is stays until its end.
    if (running_q || inv_valid) assume (!valid_i);
    if (was_q) assume (valid_i);
    if (was_q || running_q) assume (copy_i == copy_q);
    if (up_held_q) assume (up_valid_i && up_i == up_was_q);
    assume (!rvalid_i || one_read_q || reads_q != '0);
    assume (!bvalid_i || (one_aw_q && one_w_q) || writes_q != '0);
    // A copy has two bursts at most on their way, and ends when memory owes it nothing.
    assume (!(many_ar && reads_q == 2'd2) && !(many_aw && writes_q == 2'd2));
    if (done && copy_i) assume (reads_q == '0 && writes_q == '0);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        ar_stays: assert (!ar_waits_q || (arvalid && {arlock, arlen, araddr} == ar_q));
        aw_stays: assert (!aw_waits_q || (awvalid && {awlock, awlen, awaddr} == aw_q));
        w_stays:  assert (!w_waits_q || (wvalid && {wlast, wdata} == w_q));
        taken:    assert (bready && rready);
        alone:    assert (!(one_ar || one_aw || one_read_q || one_aw_q) ||
                          (!many_ar && !many_aw && reads_q == '0 && writes_q == '0));
        copies:   assert (!(many_ar || many_aw) || (running_q && copy_q));
        // By its own access: the copy's answers are not for it.
        answered: assert (!up_done || (rvalid_i && one_read_q) ||
                          (bvalid_i && one_aw_q && one_w_q));
        one_beat: assert (!(wvalid && !(running_q && copy_q)) || (wlast && !one_w_q));
        no_lock:  assert (!(many_ar && arlock) && !(many_aw && awlock));
        inv_stays: assert (!inv_held_q || inv_valid);
        inv_asked: assert (!asks_q || inv_valid);
        inv_once: assert (!inv_valid || asks_q || inv_held_q);
        no_copy_inv: assert (!(done && copy_i) || ends);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(done && copy_q && up_valid_i && !asks_q));
    always_comb if (rst_ni) assert (!(was_q && copy_q && aw_waits_q));
    always_comb if (rst_ni) assert (!(many_ar && many_aw && ar_waits_q && w_waits_q));
    always_comb if (rst_ni) assert (!(up_done && running_q && !copy_q));
    always_comb if (rst_ni) assert (!(inv_held_q && up_done));
  end
endmodule
`default_nettype wire
