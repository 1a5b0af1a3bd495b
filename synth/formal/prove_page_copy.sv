// SPDX-License-Identifier: Apache-2.0
// Page copy: AR, AW and W stay until they are taken; only pages that lie in windows for data are
// read and written, each burst once, in order, and what is written is what was read; the buffer
// never overflows; a copy waits for nothing but memory, and ends when all is acknowledged, with an
// error if one came. The harness counts bursts and beats by the handshakes; how the counts are
// related is asserted with the rest, which needs it. Assumed: memory answers what it was asked, a
// write when its address and last beat are there.
`default_nettype none
module prove_page_copy #(
  parameter int BurstBeats = 2,
  parameter int Covers     = 0,
  localparam int PfnW   = 2,
  localparam int CmdW   = gmmu_pkg::cmd_w(PfnW),
  localparam int BeatW  = $clog2(BurstBeats),
  localparam int Bursts = 512 / BurstBeats,
  localparam int Room   = 2 * BurstBeats,
  localparam int RoomW  = $clog2(Room)
) (
  input  logic              clk_i,
  input  logic [8:0]        which_i,       // the beat that is followed
  input  logic              valid_i,
  input  logic [PfnW:0]     from_i,
  input  logic [PfnW:0]     to_i,
  input  logic [2*PfnW-1:0] win_lo_i,
  input  logic [2*PfnW-1:0] win_hi_i,
  input  logic [1:0]        win_data_i,
  input  logic              awready_i,
  input  logic              wready_i,
  input  logic              bvalid_i,
  input  logic [1:0]        bresp_i,
  input  logic              arready_i,
  input  logic              rvalid_i,
  input  logic              rdata_i,
  input  logic [1:0]        rresp_i
);
  `include "prove.svh"
  localparam logic [1:0] IDLE = 2'd0, CHECK = 2'd1, COPY = 2'd2, END = 2'd3;
  logic             ready, done, awvalid, wvalid, wlast, bready, arvalid, rready;
  logic [2:0]       result;
  logic [PfnW+11:0] awaddr, araddr;
  logic [63:0]      wdata;
  gmmu_page_copy #(.PfnW(PfnW), .NumWindows(2), .BurstBeats(BurstBeats)) u_dut (
    .clk_i, .rst_ni, .valid_i, .ready_o(ready), .from_i(CmdW'(from_i)), .to_i(CmdW'(to_i)),
    .done_o(done), .result_o(result), .win_lo_i, .win_hi_i, .win_data_i, .awvalid_o(awvalid),
    .awready_i, .awaddr_o(awaddr), .wvalid_o(wvalid), .wready_i, .wdata_o(wdata), .wlast_o(wlast),
    .bvalid_i, .bready_o(bready), .bresp_i, .arvalid_o(arvalid), .arready_i, .araddr_o(araddr),
    .rvalid_i, .rready_o(rready), .rdata_i({63'd0, rdata_i}), .rresp_i
  );

  // The command, and what of it has been done, by the handshakes alone.
  logic [1:0]       state_q;
  logic [PfnW:0]    from_q, to_q;
  logic [9:0]       read_q, written_q, asked, announced, acked, owed, bursts_read, bursts_written;
  logic [9-BeatW:0] asked_q, announced_q, acked_q;
  logic [2:0]       result_q;
  logic             allowed;
  // The buffer: words in its RAM, one at its head, where the next ones go and come from.
  logic [RoomW:0]   count_q;
  logic [RoomW-1:0] to_ptr_q, from_ptr_q;
  logic [Room-1:0]  ram_q;
  logic             word_q;
  logic             head_q, load, push, pop, late_q;
  // One beat: what was read, whether it is in the buffer. What was offered in the cycle before.
  logic [8:0]       which_q;
  logic             data_q, held_q, out_q, ar_waits_q, aw_waits_q, w_waits_q, wdata_q;
  logic [PfnW+11:0] araddr_q, awaddr_q;

  function automatic logic inside(input logic [PfnW:0] pfn);
    begin
      inside = 1'b0;
      for (int w = 0; w < 2; w++) begin
        if (win_data_i[w] && !pfn[PfnW] && pfn[PfnW-1:0] >= win_lo_i[w*PfnW +: PfnW] &&
            pfn[PfnW-1:0] <= win_hi_i[w*PfnW +: PfnW]) inside = 1'b1;
      end
    end
  endfunction
  assign allowed        = inside(from_q) && inside(to_q);
  assign bursts_read    = read_q >> BeatW;
  assign bursts_written = written_q >> BeatW;
  assign {asked, announced, acked} = {10'(asked_q), 10'(announced_q), 10'(acked_q)};
  assign owed           = (asked << BeatW) - read_q;
  assign push           = rvalid_i && state_q == COPY;
  assign pop            = wvalid && wready_i;
  assign load           = (!head_q || pop) && count_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
      {count_q, to_ptr_q, from_ptr_q, head_q, late_q} <= '0;
      {held_q, out_q, ar_waits_q, aw_waits_q, w_waits_q} <= '0;
    end else begin
      case (state_q)
        IDLE:    if (valid_i) state_q <= CHECK;
        CHECK:   state_q <= allowed ? COPY : END;
        COPY:    if (acked == 10'(Bursts)) state_q <= END;
        default: state_q <= IDLE;
      endcase
      count_q <= count_q + (RoomW + 1)'(push) - (RoomW + 1)'(load);
      head_q  <= load || (head_q && !pop);
      if (push) to_ptr_q <= to_ptr_q + 1'b1;
      if (load) from_ptr_q <= from_ptr_q + 1'b1;
      late_q     <= push || (load && !head_q);
      held_q     <= (push && read_q[8:0] == which_q) ||
                    (held_q && !(pop && written_q[8:0] == which_q));
      out_q      <= (load && held_q && !out_q && from_ptr_q == which_q[RoomW-1:0]) ||
                    (out_q && !pop);
      ar_waits_q <= arvalid && !arready_i;
      aw_waits_q <= awvalid && !awready_i;
      w_waits_q  <= wvalid && !wready_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (state_q == IDLE && valid_i) begin
      {from_q, to_q} <= {from_i, to_i};
      {read_q, written_q, asked_q, announced_q, acked_q} <= '0;
    end else if (state_q == CHECK) begin
      result_q <= allowed ? 3'd0 : 3'd3;
    end else if (state_q == COPY) begin
      read_q      <= read_q + 10'(rvalid_i);
      written_q   <= written_q + 10'(pop);
      asked_q     <= asked_q + (10 - BeatW)'(arvalid && arready_i);
      announced_q <= announced_q + (10 - BeatW)'(awvalid && awready_i);
      acked_q     <= acked_q + (10 - BeatW)'(bvalid_i);
      if ((rvalid_i && rresp_i != 2'b00) || (bvalid_i && bresp_i != 2'b00)) result_q <= 3'd4;
    end
    if (push && read_q[8:0] == which_q) data_q <= rdata_i;
    if (push) ram_q[to_ptr_q] <= rdata_i;
    if (load) word_q <= ram_q[from_ptr_q];
    {araddr_q, awaddr_q, wdata_q} <= {araddr, awaddr, wdata[0]};
    which_q <= rst_ni ? which_q : which_i;
  end
  always_comb begin
    if (!rst_ni) assume (!valid_i && !rvalid_i && !bvalid_i);
    assume (!rvalid_i || owed != '0);
    assume (!bvalid_i || (acked < announced && acked < bursts_written));
  end

  // How all of it is related: asserted with the rest, so that the next cycle follows from this one.
  logic order, buffer, beat, ends, related;
  assign order  = written_q <= read_q && read_q <= asked << BeatW && asked <= 10'(Bursts) &&
      asked - bursts_written <= 10'd2 && announced <= bursts_read &&
      bursts_written <= announced + 10'd1 && acked <= announced && acked <= bursts_written;
  assign buffer = 10'(count_q) + 10'(head_q) == read_q - written_q &&
      to_ptr_q == read_q[RoomW-1:0] && from_ptr_q == written_q[RoomW-1:0] + RoomW'(head_q) &&
      (!head_q || wdata == {63'd0, word_q}) &&
      (state_q != COPY || head_q || count_q == '0 || late_q);
  assign beat   = held_q == ({1'b0, which_q} < read_q && {1'b0, which_q} >= written_q) &&
      out_q == (held_q && head_q && written_q[8:0] == which_q) &&
      (!held_q || data_q == (out_q ? word_q : ram_q[which_q[RoomW-1:0]]));
  assign ends   = state_q == COPY ? result_q != 3'd3 :
      read_q == asked << BeatW && written_q == read_q && asked == announced && asked == acked &&
      (asked == '0 || (asked == 10'(Bursts) && state_q != CHECK));
  assign related = order && buffer && beat && ends;

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (!rst_ni) begin
        from_zero: assert ({state_q, result_q, read_q, written_q, asked_q, announced_q, acked_q,
            count_q, head_q, to_ptr_q, from_ptr_q, late_q, held_q, out_q} == '0);
      end else begin
        ar_stays: assert (!ar_waits_q || (arvalid && araddr == araddr_q));
        aw_stays: assert (!aw_waits_q || (awvalid && awaddr == awaddr_q));
        w_stays:  assert (!w_waits_q || (wvalid && wdata[0] == wdata_q));
        taken:    assert (bready && rready && ready == (state_q == IDLE));
        ended:    assert (done == (state_q == END));
        // Wanted with done_o only; it is there as it comes, which shows a lost one at once.
        outcome:  assert (!(done || state_q == COPY) || result == result_q);
        allowed_only: assert (!(arvalid || awvalid || wvalid) ||
                              (state_q == COPY && result_q != 3'd3));
        ar_of: assert (!arvalid || (asked < 10'(Bursts) &&
            araddr == {from_q[PfnW-1:0], 12'({asked, 3'd0} << BeatW)}));
        aw_of: assert (!awvalid || (announced < bursts_read &&
            awaddr == {to_q[PfnW-1:0], 12'({announced, 3'd0} << BeatW)}));
        w_of: assert (!wvalid || bursts_written < bursts_read);
        w_what: assert (!wvalid || written_q[8:0] != which_q ||
                        (held_q && wdata == {63'd0, data_q}));
        w_last: assert (!wvalid || wlast == (written_q[BeatW-1:0] == '1));
        // Something is offered, or memory owes an answer, or a beat is on its way to the head.
        goes_on: assert (state_q != COPY || arvalid || awvalid || wvalid || owed != '0 || late_q ||
            acked < announced || acked == 10'(Bursts));
        counts: assert (related);
      end
    end
  end else begin : gen_cover
    always_comb if (rst_ni) assert (!(ar_waits_q && aw_waits_q && w_waits_q));
    always_comb if (rst_ni) assert (!(wvalid && announced == bursts_written && w_waits_q));
    always_comb if (rst_ni) assert (!(done && result_q == 3'd3));
    always_comb if (rst_ni) begin
      assert (!(wvalid && written_q[8:0] == which_q && data_q && result_q == 3'd4));
    end
  end
endmodule
`default_nettype wire
