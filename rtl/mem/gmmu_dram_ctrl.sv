// SPDX-License-Identifier: Apache-2.0
// gmmu_dram_ctrl: bank states, timing and refresh of one GDDR5 channel, 8 banks in 4 groups. Rules:
// docs/dram_ctrl.md.
// Timing: the counts of the MASK authors' configuration at a 924 MHz command clock; tFAW, tRFC,
// tREFI are our choice.
//
// Times are ticks of the command clock, of which each cycle of clk_i has 0, 1 or 2, on average
// TickRatio / 16384. The scheduler's commands of cycle t are on the pins in t+1, with the ticks of
// t in ticks_o: cmd_o stands on the first of them, also_o on the second. Write data goes with its
// command; read data is sampled in the first cycle CL + 2 ticks of the pins later, and leaves in
// it. The times (gmmu_dram_bank, gmmu_dram_bus) see a command where the pins have it: what may go
// in t+1 is counted ahead without the commands of t, which then forbid what they do.
// Legal: TickRatio 1..32768; each time 2..4093, tRCD, tRP and tRRD at least 3, tRAS and tRC above
// the others of a bank.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_dram_ctrl #(
  parameter int RowW     = 16,
  parameter int ColW     = 6,
  parameter int IdW      = 8,
  parameter int DataW    = 512,
  parameter int Rcd      = 12,
  parameter int Ras      = 28,
  parameter int Rc       = 40,
  parameter int Rp       = 12,
  parameter int Rrd      = 6,
  parameter int Faw      = 22,
  parameter int Ccds     = 2,
  parameter int Ccdl     = 3,
  parameter int Rtw      = 12,
  parameter int Wtr      = 11,
  parameter int Rtp      = 2,
  parameter int Wtp      = 18,
  parameter int Cl       = 12,
  parameter int Rfc      = 61,
  parameter int Refi     = 1755,
  parameter int TickRatio = 16384  // command clock over clk_i, in 1/16384
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  // scheduler
  output logic [7:0]         act_ok_o,
  output logic [7:0]         pre_ok_o,
  output logic [7:0]         rd_ok_o,
  output logic [7:0]         wr_ok_o,
  output logic               two_o,      // this cycle has two ticks: room for also_i
  output logic [7:0]         pre_soon_o, // a PRE may come within four ticks
  output logic [7:0]         rcd_soon_o, // tRCD is over within ten
  output logic               due_o,      // a refresh is due: nothing more is chosen
  input  logic               idle_i,     // nothing that was chosen stands ready
  output logic               prea_o,     // in the cycle before all banks were closed
  input  logic [2:0]         cmd_i,      // 0 none, 1 ACT, 2 PRE, 3 read, 4 write
  input  logic [2:0]         bank_i,
  input  logic [ColW-1:0]    col_i,
  input  logic               ap_i,
  input  logic [1:0]         also_i,     // beside a column: 0 none, 1 ACT, 2 PRE
  input  logic [2:0]         also_bank_i,
  input  logic [7:0]         act_at_i,   // the same, a bit per bank
  input  logic [7:0]         pre_at_i,
  input  logic [7:0]         rd_at_i,
  input  logic [7:0]         wr_at_i,
  input  logic [RowW-1:0]    row_i,      // of an ACT
  input  logic [IdW-1:0]     id_i,       // one cycle after its command
  // pins, registered but for the payload
  output logic [2:0]         cmd_o,      // as cmd_i; 5 PREA, 6 REF
  output logic [2:0]         bank_o,
  output logic [ColW-1:0]    col_o,
  output logic               ap_o,
  output logic [1:0]         also_o,
  output logic [2:0]         also_bank_o,
  output logic [RowW-1:0]    row_o,
  output logic [1:0]         ticks_o,
  input  logic [DataW-1:0]   rdata_i,
  // answers to reads
  output logic               rsp_valid_o,
  output logic [IdW-1:0]     rsp_id_o,
  output logic [DataW-1:0]   rsp_data_o
);
  localparam int Depth = Cl + 2; // ticks from the pins to the data
  localparam int RefW  = $clog2(Refi + 2);

  if (TickRatio < 1 || TickRatio > 32768) begin : gen_bad
    gmmu_dram_ctrl_TickRatio_must_be_1_to_32768 u_bad();
  end
  if (Rcd < 3 || Rp < 3 || Rrd < 3) begin : gen_bad_times
    gmmu_dram_ctrl_Rcd_Rp_and_Rrd_must_be_at_least_3 u_bad();
  end

  // Ticks of this cycle.
  logic [1:0] ticks;
  logic       tick;
  if (TickRatio == 16384) begin : gen_same
    assign ticks = 2'd1;
  end else begin : gen_ratio
    logic [13:0] rest_q;  // with this cycle's
    logic [1:0]  ticks_q;
    assign ticks = ticks_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {ticks_q, rest_q} <= 16'(TickRatio);
      else {ticks_q, rest_q} <= 16'(rest_q) + 16'(TickRatio);
    end
  end
  assign tick  = ticks != 2'd0;
  assign two_o = TickRatio > 16384 && ticks[1];

  // What went in the cycle before: the pins, a bit per bank.
  logic [7:0] act_q, pre_q, reads_q, writes_q, open, may_act, may_pre, may_col;
  logic [3:0] may_rd, may_wr;
  logic       any_act_q, any_rd_q, any_wr_q, prea_q, refresh_q, bus_act, prea, refresh;
  logic [1:0] row_ticks;   // from its row command to its end
  assign row_ticks = also_o != '0 ? 2'd1 : ticks_o;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      {act_q, pre_q, reads_q, writes_q} <= '0;
      {any_act_q, any_rd_q, any_wr_q}   <= '0;
      {prea_q, refresh_q}               <= '0;
    end else begin
      {act_q, pre_q, reads_q, writes_q} <= {act_at_i, pre_at_i, rd_at_i, wr_at_i};
      {any_act_q, any_rd_q, any_wr_q}   <= {|act_at_i, |rd_at_i, |wr_at_i};
      {prea_q, refresh_q}               <= {prea, refresh};
    end
  end

  for (genvar b = 0; b < 8; b++) begin : gen_bank
    gmmu_dram_bank #(.Rcd(Rcd), .Ras(Ras), .Rc(Rc), .Rp(Rp), .Rtp(Rtp), .Wtp(Wtp), .Rfc(Rfc)
    ) u_bank (
      .clk_i, .rst_ni, .act_i(act_q[b]), .pre_i(pre_q[b]), .read_i(reads_q[b]),
      .write_i(writes_q[b]), .ap_i((reads_q[b] || writes_q[b]) && ap_o), .prea_i(prea_q),
      .refresh_i(refresh_q), .prea_now_i(prea), .refresh_now_i(refresh), .before_i(ticks_o),
      .row_ticks_i(row_ticks), .ticks_i(ticks), .open_o(open[b]), .act_o(may_act[b]),
      .pre_o(may_pre[b]), .col_o(may_col[b]), .pre_soon_o(pre_soon_o[b]), .rcd_soon_o(rcd_soon_o[b])
    );
  end
  gmmu_dram_bus #(.Rrd(Rrd), .Faw(Faw), .Ccds(Ccds), .Ccdl(Ccdl), .Rtw(Rtw), .Wtr(Wtr)) u_bus (
    .clk_i, .rst_ni, .act_i(any_act_q), .read_i(any_rd_q), .write_i(any_wr_q),
    .reads_i(reads_q[7:4] | reads_q[3:0]), .writes_i(writes_q[7:4] | writes_q[3:0]),
    .before_i(ticks_o), .row_ticks_i(row_ticks), .ticks_i(ticks), .act_o(bus_act), .rd_o(may_rd),
    .wr_o(may_wr)
  );
  assign act_ok_o = may_act & {8{bus_act && tick}};
  assign pre_ok_o = may_pre & {8{tick}};
  assign rd_ok_o  = may_col & {2{may_rd}} & {8{tick}};
  assign wr_ok_o  = may_col & {2{may_wr}} & {8{tick}};

  // A due refresh: once what was chosen before is given, close all banks, then refresh.
  logic [RefW-1:0] ref_q, ref_sum;
  logic [2:0]      due_for_q;  // thermometer: cycles since a refresh is due
  logic            due_q, quiet;
  assign quiet   = due_q && due_for_q[2] && idle_i && tick;
  assign prea    = quiet && open != '0 && (~open | may_pre) == '1;
  assign refresh = quiet && may_act == '1;
  assign prea_o  = prea_q;
  assign due_o   = due_q;
  assign ref_sum = ref_q + RefW'(ticks);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ref_q     <= '0;
      due_q     <= 1'b0;
      due_for_q <= '0;
    end else begin
      ref_q <= ref_sum >= RefW'(Refi) ? ref_sum - RefW'(Refi) : ref_sum;
      if (ref_sum >= RefW'(Refi)) due_q <= 1'b1;
      else if (refresh) due_q <= 1'b0;
      due_for_q <= due_q && !refresh ? {due_for_q[1:0], 1'b1} : '0;
    end
  end

  // Pins.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cmd_o  <= '0;
      also_o <= '0;
    end else begin
      cmd_o  <= prea ? 3'd5 : refresh ? 3'd6 : cmd_i;
      also_o <= also_i;
    end
  end
  always_ff @(posedge clk_i) begin
    bank_o      <= bank_i;
    col_o       <= col_i;
    ap_o        <= ap_i;
    also_bank_o <= also_bank_i;
    row_o       <= row_i;
    ticks_o     <= ticks;
  end

  // The reads on their way: at [k] one whose command was k + 1 ticks ago, with its id. Two ticks
  // lie between two reads, so at most one comes to the end in a cycle.
  logic [Depth:0]           way_q, way_now, way_d;
  logic [(Depth+1)*IdW-1:0] rsp_ids_q, rsp_ids_d;
  logic                     put;
  assign put     = cmd_o == 3'd3;
  assign way_now = {2'b00, way_q[Depth-2:0]};   // those that do not leave
  always_comb begin
    way_d     = way_now;
    rsp_ids_d = rsp_ids_q;
    if (ticks_o == 2'd1) begin
      way_d     = {way_now[Depth-1:0], put};
      rsp_ids_d = {rsp_ids_q[Depth*IdW-1:0], id_i};
    end else if (ticks_o == 2'd2) begin
      way_d     = {way_now[Depth-2:0], put, 1'b0};
      rsp_ids_d = {rsp_ids_q[(Depth-1)*IdW-1:0], id_i, {IdW{1'b0}}};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) way_q <= '0;
    else way_q <= way_d;
  end
  always_ff @(posedge clk_i) rsp_ids_q <= rsp_ids_d;
  assign rsp_valid_o = way_q[Depth] | way_q[Depth-1];
  assign rsp_id_o    = way_q[Depth] ? rsp_ids_q[Depth*IdW +: IdW] : rsp_ids_q[(Depth-1)*IdW +: IdW];
  assign rsp_data_o  = rdata_i;

  logic [7:0] at_also;
  assign at_also = 8'd1 << also_bank_i;
  `GMMU_ASSERT(dram_ctrl_may, ((act_at_i & ~act_ok_o) | (pre_at_i & ~pre_ok_o) |
      (rd_at_i & ~rd_ok_o) | (wr_at_i & ~wr_ok_o)) == '0)
  `GMMU_ASSERT(dram_ctrl_two, also_i == '0 ||
      (two_o && (cmd_i == 3'd3 || cmd_i == 3'd4) && also_bank_i != bank_i))
  `GMMU_ASSERT(dram_ctrl_act, act_at_i == ((8'd1 << bank_i) & {8{cmd_i == 3'd1}} |
      at_also & {8{also_i[0]}}))
  `GMMU_ASSERT(dram_ctrl_pre, pre_at_i == ((8'd1 << bank_i) & {8{cmd_i == 3'd2}} |
      at_also & {8{also_i[1]}}))
  `GMMU_ASSERT(dram_ctrl_rd, rd_at_i == ((8'd1 << bank_i) & {8{cmd_i == 3'd3}}))
  `GMMU_ASSERT(dram_ctrl_wr, wr_at_i == ((8'd1 << bank_i) & {8{cmd_i == 3'd4}}))
  `GMMU_ASSERT(dram_ctrl_one_back, way_q[Depth:Depth-1] != 2'b11)
endmodule
`default_nettype wire
