// SPDX-License-Identifier: Apache-2.0
// gmmu_sm_cfg: the registers of the launch interface (docs/simt.md). Reads in the same cycle.
// start_o: for one cycle.
`default_nettype none
module gmmu_sm_cfg (
  input  logic         clk_i,
  input  logic         rst_ni,
  input  logic         cfg_we_i,
  input  logic [7:0]   cfg_addr_i,
  input  logic [31:0]  cfg_wdata_i,
  output logic [31:0]  cfg_rdata_o,
  input  logic         busy_i,
  output logic         start_o,
  output logic         clear_o,
  output logic         drop_o,
  output logic [31:0]  entry_o,
  output logic [127:0] args_o,
  output logic [31:0]  blocks_o,
  output logic [31:0]  warps_o,
  output logic [31:0]  scratch_o,
  input  logic         rec_valid_i,
  input  logic [109:0] rec_i,
  input  logic [7:0]   lost_i,
  input  logic [63:0]  instret_i
);
  assign start_o = cfg_we_i && cfg_addr_i == 8'h00 && cfg_wdata_i[0] && !busy_i;
  assign clear_o = cfg_we_i && cfg_addr_i == 8'h00 && cfg_wdata_i[1];
  assign drop_o  = cfg_we_i && cfg_addr_i == 8'h3c;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      entry_o   <= 32'd0;
      args_o    <= 128'd0;
      blocks_o  <= 32'd1;
      warps_o   <= 32'd1;
      scratch_o <= 32'd0;
    end else if (cfg_we_i && !busy_i) begin
      case (cfg_addr_i)
        8'h08: entry_o <= cfg_wdata_i;
        8'h10: args_o[31:0] <= cfg_wdata_i;
        8'h14: args_o[63:32] <= cfg_wdata_i;
        8'h18: args_o[95:64] <= cfg_wdata_i;
        8'h1c: args_o[127:96] <= cfg_wdata_i;
        8'h20: blocks_o <= cfg_wdata_i;
        8'h24: warps_o <= cfg_wdata_i;
        8'h28: scratch_o <= cfg_wdata_i;
        default: ;
      endcase
    end
  end
  always_comb begin
    case (cfg_addr_i)
      8'h04: cfg_rdata_o = {16'd0, lost_i, 6'd0, rec_valid_i, busy_i};
      8'h08: cfg_rdata_o = entry_o;
      8'h10: cfg_rdata_o = args_o[31:0];
      8'h14: cfg_rdata_o = args_o[63:32];
      8'h18: cfg_rdata_o = args_o[95:64];
      8'h1c: cfg_rdata_o = args_o[127:96];
      8'h20: cfg_rdata_o = blocks_o;
      8'h24: cfg_rdata_o = warps_o;
      8'h28: cfg_rdata_o = scratch_o;
      8'h30: cfg_rdata_o = rec_valid_i ? {1'b1, 10'd0, rec_i[100:96], 3'd0, rec_i[105:101], 4'd0,
          rec_i[109:106]} : 32'd0;
      8'h34: cfg_rdata_o = rec_valid_i ? rec_i[95:64] : 32'd0;
      8'h38: cfg_rdata_o = rec_valid_i ? rec_i[63:32] : 32'd0;
      8'h3c: cfg_rdata_o = rec_valid_i ? rec_i[31:0] : 32'd0;
      8'h40: cfg_rdata_o = instret_i[31:0];
      8'h44: cfg_rdata_o = instret_i[63:32];
      default: cfg_rdata_o = 32'd0;
    endcase
  end
endmodule
`default_nettype wire
