// SPDX-License-Identifier: Apache-2.0
// A DRAM channel's controller around its banks and buses: what stands on the pins is what they are
// told, in the same cycle and on the same tick, and nothing goes that they do not allow, refreshes
// too; so what the proofs dram_bank and dram_bus show of one bank and of the buses holds at the
// pins. Data of a read is answered once, with its name, in the first cycle CL + 2 ticks later. A
// refresh closes all banks that are open, comes when it is due, and at no other time. Banks and
// buses are any that answer anything, below, but that an ACT is for a closed bank, PRE and columns
// for an open one, and two reads are two ticks apart; they assert what their proofs assume.
// Assumed: the scheduler's rules, which gmmu_dram_ctrl asserts (the benches have them run). See
// proofs.txt and docs/formal.md.
`default_nettype none

// Any bank: what it allows, and that nothing else is told.
module gmmu_dram_bank;  // parameters and ports of rtl/
  (* anyseq *) logic [5:0] any;
  logic       act_q, pre_q, col_q, open_q, prea_q, refresh_q;
  logic [1:0] ticks_q;
  assign {open_o, pre_soon_o, rcd_soon_o} = any[5:3];
  assign {act_o, pre_o, col_o} = any[2:0] & {!open_o, open_o, open_o};
  always_ff @(posedge clk_i) begin
    {act_q, pre_q, col_q, open_q} <= {act_o, pre_o, col_o, open_o};
    {prea_q, refresh_q, ticks_q}  <= {prea_now_i, refresh_now_i, ticks_i};
  end
`ifndef COVERS
  always_comb begin
    if (rst_ni) begin
      assert (!(act_i | refresh_i) | act_q);
      assert (!pre_i | pre_q);
      assert (!(read_i | write_i) | col_q);
      assert (!(prea_i & open_q) | pre_q);
      assert (!ap_i | read_i | write_i);
      assert (32'(act_i) + 32'(pre_i) + 32'(read_i) + 32'(write_i) + 32'(prea_i) +
          32'(refresh_i) <= 1);
      assert (!(act_i | pre_i | read_i | write_i | prea_i | refresh_i) | ticks_q != '0);
      assert (!(act_i | pre_i | read_i | write_i | prea_i | refresh_i) | before_i == ticks_q);
      assert (!(act_i | pre_i) | row_ticks_i == before_i |
          (row_ticks_i == 2'd1 & before_i == 2'd2));
      assert (!(prea_i | refresh_i) | {prea_i, refresh_i} == {prea_q, refresh_q});
    end
  end
`endif
endmodule

// Any buses, but two reads are two ticks apart.
module gmmu_dram_bus;  // parameters and ports of rtl/
  (* anyseq *) logic [8:0] any;
  logic       act_q, one_q, one;     // a read was one tick before this cycle
  logic [3:0] rd_q, wr_q;
  logic [1:0] ticks_q;
  assign one          = read_i ? before_i == 2'd1 : one_q;
  assign {act_o, wr_o} = any[8:4];
  assign rd_o         = one ? '0 : any[3:0];
  always_ff @(posedge clk_i) begin
    {act_q, rd_q, wr_q, ticks_q} <= {act_o, rd_o, wr_o, ticks_i};
    one_q <= rst_ni & one & ticks_i == '0;
  end
`ifndef COVERS
  always_comb begin
    if (rst_ni) begin
      assert (!act_i | act_q);
      assert ((reads_i & ~rd_q) == '0 & (writes_i & ~wr_q) == '0);
      assert (read_i == (reads_i != '0) & write_i == (writes_i != '0));
      assert ((reads_i & (reads_i - 4'd1)) == '0 & (writes_i & (writes_i - 4'd1)) == '0);
      assert (!(read_i & write_i));
      assert (!(act_i | read_i | write_i) | (ticks_q != '0 & before_i == ticks_q));
      assert (!(act_i & (read_i | write_i)) | (before_i == 2'd2 & row_ticks_i == 2'd1));
      assert (!act_i | read_i | write_i | row_ticks_i == before_i);
    end
  end
`endif
endmodule

module prove_dram_ctrl #(
  parameter int TickRatio = 24576,
  parameter int Refi      = 24,
  parameter int Covers    = 0,
  localparam int Cl = 3
) (
  input  logic       clk_i,
  input  logic       idle_i,
  input  logic [2:0] cmd_i,
  input  logic [2:0] bank_i,
  input  logic       col_i,
  input  logic       ap_i,
  input  logic [1:0] also_i,
  input  logic [2:0] also_bank_i,
  input  logic       row_i,
  input  logic       id_i,
  input  logic       rdata_i,
  input  logic       follow_i
);
  `include "prove.svh"
  logic [7:0] act_ok, pre_ok, rd_ok, wr_ok, pre_soon, rcd_soon, at, at_also, act_at, pre_at, rd_at,
      wr_at;
  logic       two, due, prea, col, ap, row, rsp_valid, rsp_id, rsp_data;
  logic [2:0] cmd, bank, also_bank;
  logic [1:0] also, ticks;
  assign at      = 8'd1 << bank_i;
  assign at_also = 8'd1 << also_bank_i;
  assign act_at  = at & {8{cmd_i == 3'd1}} | at_also & {8{also_i[0]}};
  assign pre_at  = at & {8{cmd_i == 3'd2}} | at_also & {8{also_i[1]}};
  assign rd_at   = at & {8{cmd_i == 3'd3}};
  assign wr_at   = at & {8{cmd_i == 3'd4}};
  gmmu_dram_ctrl #(.RowW(1), .ColW(1), .IdW(1), .DataW(1), .Cl(Cl), .Refi(Refi),
      .TickRatio(TickRatio)) u_dut (
    .clk_i, .rst_ni, .act_ok_o(act_ok), .pre_ok_o(pre_ok), .rd_ok_o(rd_ok), .wr_ok_o(wr_ok),
    .two_o(two), .pre_soon_o(pre_soon), .rcd_soon_o(rcd_soon), .due_o(due), .idle_i, .prea_o(prea),
    .cmd_i, .bank_i, .col_i, .ap_i, .also_i, .also_bank_i, .act_at_i(act_at), .pre_at_i(pre_at),
    .rd_at_i(rd_at), .wr_at_i(wr_at), .row_i, .id_i, .cmd_o(cmd), .bank_o(bank), .col_o(col),
    .ap_o(ap), .also_o(also), .also_bank_o(also_bank), .row_o(row), .ticks_o(ticks), .rdata_i,
    .rsp_valid_o(rsp_valid), .rsp_id_o(rsp_id), .rsp_data_o(rsp_data)
  );

  // What the scheduler gave in the cycle before; the ticks since the last refresh was due; of one
  // read, the ticks since its command was on the pins.
  logic [2:0] cmd_q, bank_q, also_bank_q, due_for_q;
  logic [1:0] also_q;
  logic       col_q, ap_q, row_q, on_way_q, id_q, prea_q, counts_q, due_q, wraps;
  logic [5:0] since_q;
  logic [2:0] left_q;       // ticks to the data
  logic [3:0] reads_q;      // on their way
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {cmd_q, also_q, on_way_q, since_q, due_for_q, prea_q, counts_q, due_q, reads_q} <= '0;
    end else begin
      cmd_q     <= cmd_i;
      also_q    <= also_i;
      prea_q    <= cmd == 3'd5;
      due_for_q <= !due || cmd == 3'd6 ? '0 : due_for_q == 3'd7 ? 3'd7 : due_for_q + 1'b1;
      since_q   <= wraps ? since_q + 6'(ticks) - 6'(Refi) : counts_q ? since_q + 6'(ticks) : '0;
      counts_q  <= 1'b1;
      due_q     <= due;
      reads_q   <= reads_q + 4'(cmd == 3'd3) - 4'(rsp_valid);
      if (cmd == 3'd3 && follow_i && !on_way_q) begin
        on_way_q <= 1'b1;
        id_q     <= id_i;
        left_q   <= 3'(Cl + 2) - 3'(ticks);
      end else begin
        left_q   <= left_q < 3'(ticks) ? '0 : left_q - 3'(ticks);
        if (on_way_q && left_q == '0) on_way_q <= 1'b0;
      end
    end
    {bank_q, also_bank_q, col_q, ap_q, row_q} <= {bank_i, also_bank_i, col_i, ap_i, row_i};
  end
  // Ticks are on the pins a cycle late: none of the reset's cycle counts.
  assign wraps = counts_q && since_q + 6'(ticks) >= 6'(Refi);
  always_comb begin
    assume (cmd_i <= 3'd4);
    assume ((act_at & ~act_ok) == '0 && (pre_at & ~pre_ok) == '0 && (rd_at & ~rd_ok) == '0 &&
        (wr_at & ~wr_ok) == '0);
    assume (also_i == '0 || (two && also_i != 2'd3 && (cmd_i == 3'd3 || cmd_i == 3'd4) &&
        also_bank_i != bank_i));
    if (idle_i || !rst_ni) assume (cmd_i == '0 && also_i == '0);
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        pins: assert (cmd == 3'd5 || cmd == 3'd6 ||
            ({cmd, also} == {cmd_q, also_q} && (cmd == '0 || {bank, ap, col, row} ==
            {bank_q, ap_q, col_q, row_q}) && (also == '0 || also_bank == also_bank_q)));
        none_lost: assert (!(cmd == 3'd5 || cmd == 3'd6) ||
            (cmd_q == '0 && also_q == '0 && also == '0));
        with_ticks: assert (cmd == '0 || ticks != '0);
        two_apart: assert (also == '0 || (ticks == 2'd2 && also_bank != bank));
        due_when: assert (wraps ? due : !due || due_q);
        when_due: assert (!(cmd == 3'd5 || cmd == 3'd6) || due_for_q >= 3'd3);
        closed:   assert (prea == (cmd == 3'd5));
        answer:   assert (!(on_way_q && left_q == '0) || (rsp_valid && rsp_id == id_q &&
                                                         rsp_data == rdata_i));
        answers:  assert (!rsp_valid || reads_q != '0);
      end
    end
  end else begin : gen_cover
    always_comb begin
      if (rst_ni) begin
        c0: assert (!(cmd == 3'd5 && due_for_q == 3'd4));
        if (TickRatio >= 16384) c1: assert (!(cmd == 3'd6 && prea_q));
        c2: assert (!(on_way_q && left_q == '0 && id_q && reads_q == 4'd2));
        if (TickRatio > 16384) c3: assert (!(also == 2'd1 && cmd == 3'd3));
        if (TickRatio > 16384) c4: assert (!(also == 2'd2 && cmd == 3'd4));
      end
    end
  end
endmodule
`default_nettype wire
