// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_tb_master: the master of gmmu_axi_tb's slave port, one access at a time by its tasks,
// with random stalls. `buffer`: the beats that were read; last_resp, last_id, beats: of the last
// answer.
`timescale 1ns / 1ps
`default_nettype none
module gmmu_axi_tb_master (
  input  wire         clk_i,
  output logic        awv_o, wv_o, wl_o, br_o, arv_o, rr_o,
  input  wire         awr_i, wr_i, bv_i, arr_i, rv_i, rl_i,
  output logic [3:0]  awid_o, arid_o,
  output logic [39:0] awaddr_o, araddr_o,
  output logic [7:0]  awlen_o, arlen_o, wstrb_o,
  output logic [2:0]  awsize_o, arsize_o, awprot_o, arprot_o,
  output logic [1:0]  awburst_o, arburst_o,
  output logic [5:0]  awatop_o,
  output logic [63:0] wdata_o,
  input  wire  [3:0]  bid_i, rid_i,
  input  wire  [1:0]  bresp_i, rresp_i,
  input  wire  [63:0] rdata_i
);
  function automatic logic some(input integer one_in);
    begin
      some = ($urandom % one_in) == 0;
    end
  endfunction
  initial begin
    {awv_o, wv_o, wl_o, br_o, arv_o, rr_o, awatop_o} = 0;
    {awid_o, awaddr_o, awlen_o, awsize_o, awburst_o, awprot_o, arid_o, araddr_o, arlen_o, arsize_o,
        arburst_o, arprot_o, wdata_o, wstrb_o} = 0;
  end
  reg [63:0] buffer [0:255];      // beats written or read
  reg [1:0]  last_resp;
  reg [3:0]  last_id;
  integer    beats;
  task automatic send_ar(input [39:0] addr, input [7:0] len, input [2:0] size, input [1:0] kind,
      input [3:0] id, input [2:0] prot);
    begin
      @(negedge clk_i);
      {araddr_o, arlen_o, arsize_o} = {addr, len, size};
      {arburst_o, arid_o, arprot_o} = {kind, id, prot};
      arv_o = 1;
      @(posedge clk_i);
      while (arr_i !== 1'b1) @(posedge clk_i);
      #1 arv_o = 0;
    end
  endtask
  task automatic get_r;
    logic go;
    begin
      beats = 0;
      go = 1;
      while (go) begin
        @(negedge clk_i) rr_o = some(2);
        @(posedge clk_i);
        if (rv_i && rr_o) begin
          buffer[beats] = rdata_i;
          last_resp = rresp_i;
          last_id = rid_i;
          beats = beats + 1;
          if (rl_i) go = 0;
        end
        #1 rr_o = 0;
      end
    end
  endtask
  task automatic read(input [39:0] addr, input [7:0] len, input [2:0] size, input [1:0] kind,
      input [3:0] id);
    begin
      send_ar(addr, len, size, kind, id, 3'd0);
      get_r;
      gmmu_axi_tb.expect_eq("beats read", 64'(len) + 1, 64'(beats));
      gmmu_axi_tb.expect_eq("RID", 64'(id), 64'(last_id));
    end
  endtask
  task automatic send_aw(input [39:0] addr, input [7:0] len, input [2:0] size, input [1:0] kind,
      input [3:0] id, input [5:0] atop);
    begin
      @(negedge clk_i);
      {awaddr_o, awlen_o, awsize_o} = {addr, len, size};
      {awburst_o, awid_o, awprot_o, awatop_o} = {kind, id, 3'd0, atop};
      awv_o = 1;
      @(posedge clk_i);
      while (awr_i !== 1'b1) @(posedge clk_i);
      #1 awv_o = 0;
    end
  endtask
  task automatic send_w(input [39:0] addr, input [7:0] len, input [2:0] size, input [1:0] kind,
      input [63:0] first);
    integer i;
    reg [31:0] a;
    begin
      for (i = 0; i <= 32'(len); i = i + 1) begin
        while (some(2)) @(negedge clk_i);
        @(negedge clk_i);
        a = gmmu_axi_tb.u_memory.beat_at(32'(addr), size, kind, len, i);
        wdata_o = first + 64'(i);
        wstrb_o = 8'(((1 << (1 << size)) - 1) << ((a[2:0] >> size) << size));
        wl_o = i == 32'(len);
        wv_o = 1;
        @(posedge clk_i);
        while (wr_i !== 1'b1) @(posedge clk_i);
        #1 wv_o = 0;
      end
    end
  endtask
  task automatic get_b;
    logic go;
    begin
      go = 1;
      while (go) begin
        @(negedge clk_i) br_o = some(2);
        @(posedge clk_i);
        if (bv_i && br_o) begin
          last_resp = bresp_i;
          last_id = bid_i;
          go = 0;
        end
        #1 br_o = 0;
      end
    end
  endtask
  task automatic write(input [39:0] addr, input [7:0] len, input [2:0] size, input [1:0] kind,
      input [3:0] id, input [63:0] first);
    begin
      send_aw(addr, len, size, kind, id, 6'd0);
      send_w(addr, len, size, kind, first);
      get_b;
      gmmu_axi_tb.expect_eq("BID", 64'(id), 64'(last_id));
    end
  endtask
endmodule
`default_nettype wire
