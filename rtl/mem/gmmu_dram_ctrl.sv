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
// it. Legal: TickRatio 1..32768; each time 2..4093, tRAS and tRC above the others of a bank.
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
  output logic               prea_o,
  input  logic [2:0]         cmd_i,      // 0 none, 1 ACT, 2 PRE, 3 read, 4 write
  input  logic [2:0]         bank_i,
  input  logic [ColW-1:0]    col_i,
  input  logic               ap_i,
  input  logic [1:0]         also_i,     // beside a column: 0 none, 1 ACT, 2 PRE
  input  logic [2:0]         also_bank_i,
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
  localparam int CntW  = 12;
  localparam logic [CntW-1:0] PreSoon = 4, RcdSoon = 10;

  if (TickRatio < 1 || TickRatio > 32768) begin : gen_bad
    gmmu_dram_ctrl_TickRatio_must_be_1_to_32768 u_bad();
  end

  // Ticks of this cycle.
  logic [1:0] ticks;
  logic       tick;
  if (TickRatio == 16384) begin : gen_same
    assign ticks = 2'd1;
  end else begin : gen_ratio
    logic [13:0] rest_q;
    logic [15:0] sum;
    assign sum   = 16'(rest_q) + 16'(TickRatio);
    assign ticks = sum[15:14];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) rest_q <= '0;
      else rest_q <= sum[13:0];
    end
  end
  assign tick  = ticks != 2'd0;
  assign two_o = TickRatio > 16384 && ticks[1];

  // One counter per rule, 0: the command may come. A command loads what it delays.
  logic [8*CntW-1:0] act_q, pre_q, rcd_q;
  logic [4*CntW-1:0] rd_wait_q, wr_wait_q, faw_q;
  logic [CntW-1:0]   rd_any_q, wr_any_q, act_any_q, ref_q, ref_sum, pre_new;
  logic [1:0]        faw_at_q;
  logic [7:0]        open_q, act_z, pre_z, rcd_z;
  logic [3:0]        rd_z, wr_z, faw_z;
  logic [2:0]        due_for_q;  // thermometer: cycles since a refresh is due
  logic              due_q, quiet, act, pre, rd, wr, prea, refresh;
  logic [1:0]        group, row_ticks; // row_ticks: from the row command to the end of the cycle
  logic [2:0]        row_bank;

  // n: ticks of this cycle. What is left of v after them; and the larger of that and of what a
  // command loads. Loaded on a tick, it is 0 again `time` ticks later.
  function automatic logic [CntW-1:0] down(input logic [CntW-1:0] v, input logic [1:0] n);
    begin
      down = v <= CntW'(n) ? '0 : v - CntW'(n);
    end
  endfunction

  function automatic logic [CntW-1:0] later(input logic [CntW-1:0] v, input logic [CntW-1:0] w);
    begin
      later = v > w ? v : w;
    end
  endfunction

  function automatic logic [CntW-1:0] load(input logic [CntW-1:0] v,
      input logic [CntW-1:0] ticks_to, input logic [1:0] n);
    begin
      load = later(down(v, n), ticks_to - CntW'(n));
    end
  endfunction

  always_comb begin
    for (int b = 0; b < 8; b++) begin
      act_z[b] = act_q[b*CntW +: CntW] == '0;
      pre_z[b] = pre_q[b*CntW +: CntW] == '0;
      rcd_z[b] = rcd_q[b*CntW +: CntW] == '0;
      pre_soon_o[b] = pre_q[b*CntW +: CntW] <= PreSoon;
      rcd_soon_o[b] = rcd_q[b*CntW +: CntW] <= RcdSoon;
    end
    for (int g = 0; g < 4; g++) begin
      rd_z[g]  = rd_wait_q[g*CntW +: CntW] == '0;
      wr_z[g]  = wr_wait_q[g*CntW +: CntW] == '0;
      faw_z[g] = faw_q[g*CntW +: CntW] == '0;
    end
  end
  assign act_ok_o   = ~open_q & act_z & {8{act_any_q == '0 && faw_z[faw_at_q] && tick}};
  assign pre_ok_o   = open_q & pre_z & {8{tick}};
  assign rd_ok_o    = open_q & rcd_z & {2{rd_z}} & {8{rd_any_q == '0 && tick}};
  assign wr_ok_o    = open_q & rcd_z & {2{wr_z}} & {8{wr_any_q == '0 && tick}};

  // A due refresh: once what was chosen before is given, close all banks, then refresh.
  assign quiet   = due_q && due_for_q[2] && idle_i && tick;
  assign prea    = quiet && open_q != '0 && (~open_q | pre_z) == '1;
  assign refresh = quiet && open_q == '0 && act_z == '1;
  assign prea_o  = prea;
  assign due_o   = due_q;

  assign act   = cmd_i == 3'd1 || also_i[0];
  assign pre   = cmd_i == 3'd2 || also_i[1];
  assign rd    = cmd_i == 3'd3;
  assign wr    = cmd_i == 3'd4;
  assign row_bank  = also_i != '0 ? also_bank_i : bank_i;
  assign row_ticks = also_i != '0 ? 2'd1 : ticks;
  assign group = bank_i[1:0];
  assign ref_sum = ref_q + CntW'(ticks);
  assign pre_new = load(pre_q[bank_i*CntW +: CntW], rd ? CntW'(Rtp) : CntW'(Wtp), ticks);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      open_q    <= '0;
      act_q     <= '0;
      pre_q     <= '0;
      rcd_q     <= '0;
      rd_wait_q <= '0;
      wr_wait_q <= '0;
      faw_q     <= '0;
      rd_any_q  <= '0;
      wr_any_q  <= '0;
      act_any_q <= '0;
      faw_at_q  <= '0;
      ref_q     <= '0;
      due_q     <= 1'b0;
      due_for_q <= '0;
    end else begin
      // All waits run on; what a command of this cycle delays is written over below.
      for (int b = 0; b < 8; b++) begin
        act_q[b*CntW +: CntW] <= down(act_q[b*CntW +: CntW], ticks);
        pre_q[b*CntW +: CntW] <= down(pre_q[b*CntW +: CntW], ticks);
        rcd_q[b*CntW +: CntW] <= down(rcd_q[b*CntW +: CntW], ticks);
        if (prea && open_q[b]) act_q[b*CntW +: CntW] <= load(act_q[b*CntW +: CntW], CntW'(Rp),
            ticks);
        if (refresh) act_q[b*CntW +: CntW] <= CntW'(Rfc) - CntW'(ticks);
      end
      for (int g = 0; g < 4; g++) begin
        rd_wait_q[g*CntW +: CntW] <= down(rd_wait_q[g*CntW +: CntW], ticks);
        wr_wait_q[g*CntW +: CntW] <= down(wr_wait_q[g*CntW +: CntW], ticks);
        faw_q[g*CntW +: CntW]     <= down(faw_q[g*CntW +: CntW], ticks);
      end
      rd_any_q  <= down(rd_any_q, ticks);
      wr_any_q  <= down(wr_any_q, ticks);
      act_any_q <= down(act_any_q, ticks);
      if (act) begin
        open_q[row_bank]             <= 1'b1;
        rcd_q[row_bank*CntW +: CntW] <= CntW'(Rcd) - CntW'(row_ticks);
        pre_q[row_bank*CntW +: CntW] <= CntW'(Ras) - CntW'(row_ticks);
        act_q[row_bank*CntW +: CntW] <= CntW'(Rc) - CntW'(row_ticks);
        act_any_q                    <= CntW'(Rrd) - CntW'(row_ticks);
        faw_q[faw_at_q*CntW +: CntW] <= CntW'(Faw) - CntW'(row_ticks);
        faw_at_q                     <= faw_at_q + 2'd1;   // of four ACTs, the oldest is next
      end
      if (pre) begin
        open_q[row_bank]             <= 1'b0;
        act_q[row_bank*CntW +: CntW] <= later(down(act_q[row_bank*CntW +: CntW], ticks),
            CntW'(Rp) - CntW'(row_ticks));
      end
      // Columns of the group wait longer (tCCDL); the other direction until the bus has turned.
      if (rd) begin
        rd_wait_q[group*CntW +: CntW] <= CntW'(Ccdl) - CntW'(ticks);
        rd_any_q                      <= CntW'(Ccds) - CntW'(ticks);
        wr_any_q                      <= load(wr_any_q, CntW'(Rtw), ticks);
      end
      if (wr) begin
        wr_wait_q[group*CntW +: CntW] <= CntW'(Ccdl) - CntW'(ticks);
        wr_any_q                      <= CntW'(Ccds) - CntW'(ticks);
        rd_any_q                      <= load(rd_any_q, CntW'(Wtr), ticks);
      end
      if (rd || wr) begin
        pre_q[bank_i*CntW +: CntW] <= pre_new;
        if (ap_i) begin
          // the precharge comes as soon as it may: pre_new ticks after those of this cycle
          open_q[bank_i] <= 1'b0;
          act_q[bank_i*CntW +: CntW] <= load(act_q[bank_i*CntW +: CntW],
              pre_new + CntW'(Rp) + CntW'(ticks), ticks);
        end
      end
      if (prea) open_q <= '0;
      ref_q <= ref_sum >= CntW'(Refi) ? ref_sum - CntW'(Refi) : ref_sum;
      if (ref_sum >= CntW'(Refi)) due_q <= 1'b1;
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

  `GMMU_ASSERT(dram_ctrl_act, !act || act_ok_o[row_bank])
  `GMMU_ASSERT(dram_ctrl_pre, !pre || pre_ok_o[row_bank])
  `GMMU_ASSERT(dram_ctrl_two, also_i == '0 || (two_o && (rd || wr) && also_bank_i != bank_i))
  `GMMU_ASSERT(dram_ctrl_rd, !rd || rd_ok_o[bank_i])
  `GMMU_ASSERT(dram_ctrl_wr, !wr || wr_ok_o[bank_i])
  `GMMU_ASSERT(dram_ctrl_one_back, way_q[Depth:Depth-1] != 2'b11)
endmodule
`default_nettype wire
