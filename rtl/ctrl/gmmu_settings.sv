// SPDX-License-Identifier: Apache-2.0
// gmmu_settings: registers for epochs, fill tokens and DRAM scheduler, a part of gmmu_regs.
// Behaviour: docs/settings.md.
//
// A register that is not built keeps its value after reset. What is written is brought into range:
// it reads back as it counts.
`default_nettype none
module gmmu_settings #(
  parameter int NumAsids    = 8,
  parameter int FillTokens  = 0,       // token settings are built
  parameter int SchedRegs   = 0,       // scheduler settings are built; the epoch's: with either
  parameter int EpochCycles = 100000,
  parameter int LeastEpoch  = 2,
  localparam int AppW       = gmmu_pkg::idx_w(NumAsids)
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          we_i,          // a word of these is written
  input  logic [2:0]    word_i,        // from REG_EPOCH_CYCLES on
  input  logic [31:0]   wdata_i,
  input  logic [31:0]   wmask_i,
  input  logic [2:0]    rword_i,
  output logic [31:0]   rdata_o,
  output logic [5:0]    built_o,       // by word
  output logic [31:0]   epoch_cycles_o,
  output logic          token_free_o,
  output logic [6:0]    token_start_o,
  output logic [2:0]    token_step_o,
  output logic [6:0]    token_points_o,
  output logic [AppW:0] sched_apps_o,
  output logic [9:0]    sched_quota_o,
  output logic [15:0]   sched_timeout_o,
  output logic [15:0]   sched_age_cap_o
);
  localparam logic [5:0] Built = {{4{SchedRegs != 0}}, FillTokens != 0,
      FillTokens != 0 || SchedRegs != 0};
  assign built_o = Built;

  logic [31:0] words [0:7];
  assign words[0] = epoch_cycles_o;
  assign words[1] = {1'b0, token_points_o, 1'b0, token_start_o, 5'd0, token_step_o, 7'd0,
      token_free_o};
  assign words[2] = 32'(sched_apps_o);
  assign words[3] = {22'd0, sched_quota_o};
  assign words[4] = {16'd0, sched_timeout_o};
  assign words[5] = {16'd0, sched_age_cap_o};
  assign words[6] = '0;
  assign words[7] = '0;
  assign rdata_o  = words[rword_i];

  function automatic logic [6:0] percent(input logic [6:0] x);
    begin
      percent = x > 7'd100 ? 7'd100 : x;
    end
  endfunction
  logic [31:0] next;
  assign next = (words[word_i] & ~wmask_i) | (wdata_i & wmask_i);

  if (Built[0]) begin : gen_epoch
    always_ff @(posedge clk_i) begin
      if (!rst_ni) epoch_cycles_o <= 32'(EpochCycles);
      else if (we_i && word_i == 3'd0) epoch_cycles_o <= next < 32'(LeastEpoch) ? 32'(LeastEpoch) : next;
    end
  end else begin : gen_no_epoch
    assign epoch_cycles_o = '0;
  end
  if (Built[1]) begin : gen_tokens
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        token_free_o   <= 1'b0;
        token_start_o  <= gmmu_pkg::TOKEN_START;
        token_step_o   <= gmmu_pkg::TOKEN_STEP;
        token_points_o <= gmmu_pkg::TOKEN_POINTS;
      end else if (we_i && word_i == 3'd1) begin
        token_free_o   <= next[0];
        token_step_o   <= next[10:8];
        token_start_o  <= percent(next[22:16]);
        token_points_o <= percent(next[30:24]);
      end
    end
  end else begin : gen_no_tokens
    assign token_free_o   = 1'b0;
    assign token_start_o  = gmmu_pkg::TOKEN_START;
    assign token_step_o   = gmmu_pkg::TOKEN_STEP;
    assign token_points_o = gmmu_pkg::TOKEN_POINTS;
  end
  if (Built[2]) begin : gen_sched
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        sched_apps_o    <= (AppW+1)'(NumAsids);
        sched_quota_o   <= gmmu_pkg::QUOTA_MAX;
        sched_timeout_o <= gmmu_pkg::TURN_TIMEOUT;
        sched_age_cap_o <= 16'd0;
      end else if (we_i) begin
        case (word_i)
          3'd2: sched_apps_o    <= next[7:0] == '0 ? (AppW+1)'(1) : next[7:0] > 8'(NumAsids)
              ? (AppW+1)'(NumAsids) : next[AppW:0];
          3'd3: sched_quota_o   <= next[9:0] == '0 ? 10'd1 : next[9:0];
          3'd4: sched_timeout_o <= next[15:0] == '0 ? 16'd1 : next[15:0];
          3'd5: sched_age_cap_o <= {next[15:2], 2'b00};
          default: ;
        endcase
      end
    end
  end else begin : gen_no_sched
    assign sched_apps_o    = (AppW+1)'(NumAsids);
    assign sched_quota_o   = gmmu_pkg::QUOTA_MAX;
    assign sched_timeout_o = gmmu_pkg::TURN_TIMEOUT;
    assign sched_age_cap_o = 16'd0;
  end
endmodule
`default_nettype wire
