// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_harness: gmmu_axi with a protocol checker on every AXI port, both sides, and on those of
// walker and engine, for the benches of tb/axi, tb/integration and tb/softcore. Its ports are those
// of gmmu_axi (the lists are generated from its source); errors_o counts broken rules.
`default_nettype none
module gmmu_axi_harness #(
`include "tb/axi/gmmu_axi_harness_params.svh"
  parameter int AnyBurst = 0,   // 1: the bench asks for bursts that AXI does not know
  localparam int WalkIdW = gmmu_pkg::idx_w(Walks),
  localparam int AppW    = gmmu_pkg::idx_w(NumAsids),
  localparam int Axis    = NumPorts > 0 ? NumPorts : 1,
  localparam int Natives = NumNative > 0 ? NumNative : 1
) (
  input  logic clk_i,
  input  logic rst_ni,
`include "tb/axi/gmmu_axi_ports.svh"
  input  logic p_rlast_i,      // of the engine's reads, for its checker
  output logic [31:0] errors_o
);
`ifdef GMMU_RELEASE
  gmmu_axi u_dut (       // make release-v: parameters are fixed
`else
  gmmu_axi #(
`include "gmmu_axi_pass.svh"
  ) u_dut (
`endif
`include "tb/axi/gmmu_axi_connect.svh"
    .clk_i, .rst_ni
  );
  logic [(2*NumPorts+2)*32-1:0] errors;
  for (genvar p = 0; p < NumPorts; p++) begin : gen_check
    gmmu_axi_checker #(.NAME("slave side"), .IdW(AxiIdW), .AddrW(AxiAddrW), .DataW(AxiDataW),
        .UserW(AxiUserW), .AnyBurst(AnyBurst)) u_slave (
      .clk_i, .rst_ni, .errors_o(errors[p*64 +: 32]), .awvalid(s_awvalid_i[p]),
      .awready(s_awready_o[p]), .awid(s_awid_i[p*AxiIdW +: AxiIdW]),
      .awaddr(s_awaddr_i[p*AxiAddrW +: AxiAddrW]), .awlen(s_awlen_i[p*8 +: 8]),
      .awsize(s_awsize_i[p*3 +: 3]), .awburst(s_awburst_i[p*2 +: 2]),
      .awrest({s_awlock_i[p], s_awcache_i[p*4 +: 4], s_awprot_i[p*3 +: 3], s_awqos_i[p*4 +: 4],
      s_awregion_i[p*4 +: 4], s_awuser_i[p*AxiUserW +: AxiUserW]}),
      .awatop(s_awatop_i[p*6 +: 6]), .arvalid(s_arvalid_i[p]), .arready(s_arready_o[p]),
      .arid(s_arid_i[p*AxiIdW +: AxiIdW]), .araddr(s_araddr_i[p*AxiAddrW +: AxiAddrW]),
      .arlen(s_arlen_i[p*8 +: 8]), .arsize(s_arsize_i[p*3 +: 3]), .arburst(s_arburst_i[p*2 +: 2]),
      .arrest({s_arlock_i[p], s_arcache_i[p*4 +: 4], s_arprot_i[p*3 +: 3], s_arqos_i[p*4 +: 4],
      s_arregion_i[p*4 +: 4], s_aruser_i[p*AxiUserW +: AxiUserW]}),
      .wvalid(s_wvalid_i[p]), .wready(s_wready_o[p]), .wlast(s_wlast_i[p]),
      .wdata(s_wdata_i[p*AxiDataW +: AxiDataW]), .wstrb(s_wstrb_i[p*(AxiDataW/8) +: (AxiDataW/8)]),
      .bvalid(s_bvalid_o[p]), .bready(s_bready_i[p]), .bid(s_bid_o[p*AxiIdW +: AxiIdW]),
      .bresp(s_bresp_o[p*2 +: 2]), .rvalid(s_rvalid_o[p]), .rready(s_rready_i[p]),
      .rlast(s_rlast_o[p]), .rid(s_rid_o[p*AxiIdW +: AxiIdW]),
      .rdata(s_rdata_o[p*AxiDataW +: AxiDataW]), .rresp(s_rresp_o[p*2 +: 2])
    );
    gmmu_axi_checker #(.NAME("master side"), .IdW(AxiIdW), .AddrW(PaW), .DataW(AxiDataW),
        .UserW(AxiUserW)) u_master (
      .clk_i, .rst_ni, .errors_o(errors[p*64+32 +: 32]), .awvalid(m_awvalid_o[p]),
      .awready(m_awready_i[p]), .awid(m_awid_o[p*AxiIdW +: AxiIdW]),
      .awaddr(m_awaddr_o[p*PaW +: PaW]), .awlen(m_awlen_o[p*8 +: 8]), .awsize(m_awsize_o[p*3 +: 3]),
      .awburst(m_awburst_o[p*2 +: 2]),
      .awrest({m_awlock_o[p], m_awcache_o[p*4 +: 4], m_awprot_o[p*3 +: 3], m_awqos_o[p*4 +: 4],
      m_awregion_o[p*4 +: 4], m_awuser_o[p*AxiUserW +: AxiUserW]}),
      .awatop(m_awatop_o[p*6 +: 6]), .arvalid(m_arvalid_o[p]), .arready(m_arready_i[p]),
      .arid(m_arid_o[p*AxiIdW +: AxiIdW]), .araddr(m_araddr_o[p*PaW +: PaW]),
      .arlen(m_arlen_o[p*8 +: 8]), .arsize(m_arsize_o[p*3 +: 3]), .arburst(m_arburst_o[p*2 +: 2]),
      .arrest({m_arlock_o[p], m_arcache_o[p*4 +: 4], m_arprot_o[p*3 +: 3], m_arqos_o[p*4 +: 4],
      m_arregion_o[p*4 +: 4], m_aruser_o[p*AxiUserW +: AxiUserW]}),
      .wvalid(m_wvalid_o[p]), .wready(m_wready_i[p]), .wlast(m_wlast_o[p]),
      .wdata(m_wdata_o[p*AxiDataW +: AxiDataW]), .wstrb(m_wstrb_o[p*(AxiDataW/8) +: (AxiDataW/8)]),
      .bvalid(m_bvalid_i[p]), .bready(m_bready_o[p]), .bid(m_bid_i[p*AxiIdW +: AxiIdW]),
      .bresp(m_bresp_i[p*2 +: 2]), .rvalid(m_rvalid_i[p]), .rready(m_rready_o[p]),
      .rlast(m_rlast_i[p]), .rid(m_rid_i[p*AxiIdW +: AxiIdW]),
      .rdata(m_rdata_i[p*AxiDataW +: AxiDataW]), .rresp(m_rresp_i[p*2 +: 2])
    );
  end
  gmmu_axi_checker #(.NAME("walker"), .IdW(WalkIdW), .AddrW(PaW), .DataW(WalkDataW),
      .UserW(1)) u_walker (
    .clk_i, .rst_ni, .errors_o(errors[NumPorts*64 +: 32]), .awvalid(1'b0), .awready(1'b0),
    .awid({WalkIdW{1'b0}}), .awaddr({PaW{1'b0}}), .awlen({8{1'b0}}), .awsize({3{1'b0}}),
    .awburst({2{1'b0}}), .awatop({6{1'b0}}), .awrest({17{1'b0}}), .wvalid(1'b0), .wready(1'b0),
    .wlast(1'b0), .wdata({WalkDataW{1'b0}}), .wstrb({(WalkDataW/8){1'b0}}), .bvalid(1'b0),
    .bready(1'b0), .bid({WalkIdW{1'b0}}), .bresp({2{1'b0}}), .arvalid(w_arvalid_o),
    .arready(w_arready_i), .arid(w_arid_o), .araddr(w_araddr_o), .arlen(w_arlen_o),
    .arsize(w_arsize_o), .arburst(w_arburst_o), .arrest({17{1'b0}}), .rvalid(w_rvalid_i),
    .rready(w_rready_o), .rlast(w_rlast_i), .rid(w_rid_i), .rdata(w_rdata_i), .rresp(w_rresp_i)
  );
  gmmu_axi_checker #(.NAME("engine"), .IdW(1), .AddrW(PaW), .DataW(64), .UserW(1)) u_engine (
    .clk_i, .rst_ni, .errors_o(errors[NumPorts*64+32 +: 32]), .awvalid(p_awvalid_o),
    .awready(p_awready_i), .awid(1'b0), .awaddr(p_awaddr_o), .awlen(p_awlen_o), .awsize(3'd3),
    .awburst(2'd1), .awatop(6'd0), .awrest({p_awlock_o, 16'd0}), .wvalid(p_wvalid_o),
    .wready(p_wready_i), .wlast(p_wlast_o), .wdata(p_wdata_o), .wstrb(8'hff), .bvalid(p_bvalid_i),
    .bready(p_bready_o), .bid(1'b0), .bresp(p_bresp_i), .arvalid(p_arvalid_o),
    .arready(p_arready_i), .arid(1'b0), .araddr(p_araddr_o), .arlen(p_arlen_o), .arsize(3'd3),
    .arburst(2'd1), .arrest({p_arlock_o, 16'd0}), .rvalid(p_rvalid_i), .rready(p_rready_o),
    .rlast(p_rlast_i), .rid(1'b0), .rdata(p_rdata_i), .rresp(p_rresp_i)
  );
  // Every read of the walker is of one PTE, or of its whole line.
  logic [31:0] forms_q = 0;
  wire form = w_arlen_o == (WalkDataW == 32 ? 8'd1 : 8'd0) && w_arburst_o == 2'd1 &&
      w_arsize_o == (WalkDataW == 32 ? 3'd2 : LineAnswers != 0 ? 3'd6 : 3'd3);
  always_ff @(posedge clk_i) begin
    if (rst_ni && w_arvalid_o && !form) begin
      if (forms_q == 0)
        $display("%0t: a read of the walker: length %0d, size %0d, burst %0d", $time, w_arlen_o,
            w_arsize_o, w_arburst_o);
      forms_q <= forms_q + 1;
    end
  end
  // No answer shows the settings of epoch and fill tokens: are those of the MMU what the register
  // file holds?
  logic [31:0] settings_q = 0;
`ifndef GMMU_RELEASE
  localparam int SettingsW = 32 + 1 + 7 + 3 + 7;
  logic [SettingsW-1:0] given, held;
  if (FillTokens != 0) begin : gen_tokens
    assign given = {u_dut.u_core.u_mmu.gen_epoch.u_epoch.cycles_i,
                    u_dut.u_core.u_mmu.gen_tokens.u_tokens.free_i,
                    u_dut.u_core.u_mmu.gen_tokens.u_tokens.start_i,
                    u_dut.u_core.u_mmu.gen_tokens.u_tokens.step_i,
                    u_dut.u_core.u_mmu.gen_tokens.u_tokens.points_i};
  end else begin : gen_no_tokens
    assign given = {u_dut.u_core.u_mmu.epoch_cycles_i, u_dut.u_core.u_mmu.token_free_i,
                    u_dut.u_core.u_mmu.token_start_i, u_dut.u_core.u_mmu.token_step_i,
                    u_dut.u_core.u_mmu.token_points_i};
  end
  assign held  = {u_dut.u_core.u_control.u_regs.u_file.epoch_cycles_o,
                  u_dut.u_core.u_control.u_regs.u_file.token_free_o,
                  u_dut.u_core.u_control.u_regs.u_file.token_start_o,
                  u_dut.u_core.u_control.u_regs.u_file.token_step_o,
                  u_dut.u_core.u_control.u_regs.u_file.token_points_o};
  always_ff @(posedge clk_i) begin
    if (rst_ni && given !== held) begin
      if (settings_q == 0)
        $display("%0t: settings of epoch and tokens: the MMU has %h, the registers %h", $time,
            given, held);
      settings_q <= settings_q + 1;
    end
  end
`endif
  always_comb begin : all_errors
    logic [31:0] sum;
    sum = settings_q + forms_q;
    for (int i = 0; i < 2 * NumPorts + 2; i++) sum = sum + errors[i*32 +: 32];
    errors_o = sum;
  end
endmodule
`default_nettype wire
