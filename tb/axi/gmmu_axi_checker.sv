// SPDX-License-Identifier: Apache-2.0
// gmmu_axi_checker: watches one AXI4 (AXI5 atomics) port and counts broken rules in errors_o; the
// first ones are printed with the port's name. Plain Verilog constructs, so that it runs under both
// Icarus and Verilator. For benches only.
//
// Rules, of the master: VALID stays with its payload until READY; bursts of a legal kind and
// length, inside 4 KiB, no wider than the bus; WLAST on the beat that AWLEN says, WSTRB only in the
// lanes of the beat. Of the slave: VALID stays; R and B only for what was asked, RLAST on the right
// beat, B after its AW and last W. After reset no VALID is unknown (four-state simulators).
`default_nettype none
module gmmu_axi_checker #(
  parameter NAME      = "port",
  parameter int IdW   = 4,
  parameter int AddrW = 32,
  parameter int DataW = 64,
  parameter int UserW = 1,
  parameter int Deep  = 256,  // bursts of one ID, and writes of the port, that may be on their way
  parameter int AnyBurst = 0  // 1: bursts of kinds and lengths that AXI does not know are let by
) (
  input  wire               clk_i,
  input  wire               rst_ni,
  input  wire               awvalid, awready,
  input  wire [IdW-1:0]     awid,
  input  wire [AddrW-1:0]   awaddr,
  input  wire [7:0]         awlen,
  input  wire [2:0]         awsize,
  input  wire [1:0]         awburst,
  input  wire [5:0]         awatop,
  input  wire [UserW+15:0]  awrest,     // lock, cache, prot, qos, region, user
  input  wire               wvalid, wready, wlast,
  input  wire [DataW-1:0]   wdata,
  input  wire [DataW/8-1:0] wstrb,
  input  wire               bvalid, bready,
  input  wire [IdW-1:0]     bid,
  input  wire [1:0]         bresp,
  input  wire               arvalid, arready,
  input  wire [IdW-1:0]     arid,
  input  wire [AddrW-1:0]   araddr,
  input  wire [7:0]         arlen,
  input  wire [2:0]         arsize,
  input  wire [1:0]         arburst,
  input  wire [UserW+15:0]  arrest,
  input  wire               rvalid, rready, rlast,
  input  wire [IdW-1:0]     rid,
  input  wire [DataW-1:0]   rdata,
  input  wire [1:0]         rresp,
  output reg [31:0]         errors_o
);
  localparam int Ids   = 1 << IdW;
  localparam int Lanes = DataW / 8;

  task automatic broken(input [8*40-1:0] what);
    begin
      if (errors_o < 10) $display("AXI rule broken at %0s: %0s", NAME, what);
      errors_o = errors_o + 1;
    end
  endtask

  // Bytes of a burst, and the address of its beats.
  function automatic logic bad_burst(input [AddrW-1:0] addr, input [7:0] len, input [2:0] size,
      input [1:0] burst);
    integer bytes, start;
    begin
      bytes = (32'(len) + 1) << size;
      start = (32'(addr[11:0]) >> size) << size;
      bad_burst = (1 << size) > Lanes || burst == 2'd3 || (burst == 2'd1 && start + bytes > 4096) ||
                  (burst == 2'd2 &&
                      (!(len == 1 || len == 3 || len == 7 || len == 15) || start !=
                      32'(addr[11:0]))) ||
                  (burst == 2'd0 && len > 15);
    end
  endfunction

  // An atomic compare sends 2 to 32 bytes, to an address that is a multiple of half of them: INCR
  // to the lower half, WRAP to the upper.
  function automatic logic bad_compare(input [AddrW-1:0] addr, input [7:0] len, input [2:0] size,
      input [1:0] burst);
    integer bytes, half;
    begin
      bytes = (32'(len) + 1) << size;
      half  = bytes / 2;
      bad_compare = (1 << size) > Lanes || bytes < 2 || bytes > 32 || (bytes & (bytes - 1)) != 0 ||
          32'(addr[11:0]) % half != 0 ||
                    burst != (32'(addr[11:0]) % bytes == 0 ? 2'd1 : 2'd2);
    end
  endfunction

  // What was there in the last cycle and not taken.
  reg                    aw_w, w_w, b_w, ar_w, r_w;
  reg [IdW+AddrW+19+UserW+15:0] aw_p;
  reg [IdW+AddrW+13+UserW+15:0] ar_p;
  reg [DataW+Lanes:0]    w_p;
  reg [IdW+1:0]          b_p;
  reg [IdW+DataW+2:0]    r_p;
  wire [IdW+AddrW+19+UserW+15:0] aw_now = {awid, awaddr, awlen, awsize, awburst, awatop, awrest};
  wire [IdW+AddrW+13+UserW+15:0] ar_now = {arid, araddr, arlen, arsize, arburst, arrest};
  wire [DataW+Lanes:0]   w_now = {wdata, wstrb, wlast};
  wire [IdW+1:0]         b_now = {bid, bresp};
  wire [IdW+DataW+2:0]   r_now = {rid, rdata, rresp, rlast};

  // Writes in order of AW; each ID's reads in order; writes of each ID that have all their W.
  reg [7:0]       wq_len [0:Deep-1];
  reg [2:0]       wq_size [0:Deep-1];
  reg [1:0]       wq_burst [0:Deep-1];
  reg [AddrW-1:0] wq_addr [0:Deep-1];
  reg [IdW-1:0]   wq_id [0:Deep-1];
  // W complete; offered; AW taken; both
  integer         wq_head, wq_tail, wq_taken, wq_open, beat;
  integer         b_open [0:Ids-1];
  reg [7:0]       rq_len [0:Ids*Deep-1];
  integer         rq_head [0:Ids-1], rq_tail [0:Ids-1], r_beat [0:Ids-1];
  integer         i, lane, low, wrapped, bytes;
  reg [AddrW-1:0] at;

  initial errors_o = 0;
  always @(posedge clk_i) begin
    if (!rst_ni) begin
      {aw_w, w_w, b_w, ar_w, r_w} <= 5'd0;
      wq_head = 0;
      wq_tail = 0;
      wq_taken = 0;
      wq_open = 0;
      beat = 0;
      for (i = 0; i < Ids; i = i + 1) begin
        b_open[i] = 0;
        rq_head[i] = 0;
        rq_tail[i] = 0;
        r_beat[i] = 0;
      end
    end else begin
      if ((^{awvalid, wvalid, bvalid, arvalid, rvalid, awready, wready, bready, arready,
          rready}) === 1'bx) broken("VALID or READY unknown");
      if (aw_w && !(awvalid && aw_p === aw_now)) broken("AW changed before AWREADY");
      if (w_w && !(wvalid && w_p === w_now)) broken("W changed before WREADY");
      if (b_w && !(bvalid && b_p === b_now)) broken("B changed before BREADY");
      if (ar_w && !(arvalid && ar_p === ar_now)) broken("AR changed before ARREADY");
      if (r_w && !(rvalid && r_p === r_now)) broken("R changed before RREADY");
      aw_w <= awvalid && !awready;
      w_w  <= wvalid && !wready;
      b_w  <= bvalid && !bready;
      ar_w <= arvalid && !arready;
      r_w  <= rvalid && !rready;
      aw_p <= aw_now;
      w_p  <= w_now;
      b_p  <= b_now;
      ar_p <= ar_now;
      r_p  <= r_now;
      // B and R answer what was complete before this cycle.
      if (bvalid && bready) begin
        if (b_open[bid] == 0) broken("B for no finished write");
        else b_open[bid] = b_open[bid] - 1;
      end
      if (rvalid && rready) begin
        if (rq_head[rid] == rq_tail[rid]) broken("R for no read");
        else begin
          if (rlast != (r_beat[rid] == 32'(rq_len[32'(rid) * Deep + rq_head[rid] % Deep])))
              broken("RLAST on the wrong beat");
          r_beat[rid] = r_beat[rid] + 1;
          if (rlast) begin
            r_beat[rid] = 0;
            rq_head[rid] = rq_head[rid] + 1;
          end
        end
      end
      if (arvalid && arready) begin
        if (AnyBurst == 0 && bad_burst(araddr, arlen, arsize, arburst)) broken("illegal AR burst");
        rq_len[32'(arid) * Deep + rq_tail[arid] % Deep] = arlen;
        rq_tail[arid] = rq_tail[arid] + 1;
      end
      if (awvalid && !aw_w) begin   // offered: W may come from now on
        if (awatop == 6'b110001 ? bad_compare(awaddr, awlen, awsize, awburst) :
            AnyBurst == 0 && bad_burst(awaddr, awlen, awsize, awburst)) broken("illegal AW burst");
        wq_len[wq_tail % Deep]   = awlen;
        wq_size[wq_tail % Deep]  = awsize;
        wq_burst[wq_tail % Deep] = awburst;
        wq_addr[wq_tail % Deep]  = awaddr;
        wq_id[wq_tail % Deep]    = awid;
        wq_tail = wq_tail + 1;
      end
      if (awvalid && awready) begin
        wq_taken = wq_taken + 1;
        if (awatop[5]) begin
          rq_len[32'(awid) * Deep + rq_tail[awid] % Deep] = awatop == 6'b110001 && awlen != 0 ?
              {1'b0, awlen[7:1]} : awlen;
          rq_tail[awid] = rq_tail[awid] + 1;
        end
      end
      if (wvalid && wready) begin
        if (wq_head == wq_tail) broken("W before its AW");
        else begin
          i = wq_head % Deep;
          bytes = 1 << wq_size[i];
          at = wq_addr[i];
          if (wq_burst[i] != 2'd0 && beat != 0) at = ((at >> wq_size[i]) << wq_size[i]) +
              AddrW'(beat * bytes);
          if (wq_burst[i] == 2'd2) begin
            wrapped = bytes * (32'(wq_len[i]) + 1);
            at = (wq_addr[i] & ~AddrW'(32'(wrapped - 1))) | (at & AddrW'(32'(wrapped - 1)));
          end
          low = 32'(at % AddrW'(Lanes));
          // an atomic compare may begin in the middle
          if (wq_burst[i] == 2'd2) low = (low / bytes) * bytes;
          for (lane = 0; lane < Lanes; lane = lane + 1)
            if (wstrb[lane] && (lane < low || lane >= (low / bytes) * bytes + bytes))
                broken("WSTRB outside the beat");
          if (wlast != (beat == 32'(wq_len[i]))) broken("WLAST on the wrong beat");
          beat = beat + 1;
          if (wlast) begin
            beat = 0;
            wq_head = wq_head + 1;
          end
        end
      end
      while (wq_open < wq_head && wq_open < wq_taken) begin
        b_open[wq_id[wq_open % Deep]] = b_open[wq_id[wq_open % Deep]] + 1;
        wq_open = wq_open + 1;
      end
    end
  end
endmodule
`default_nettype wire
