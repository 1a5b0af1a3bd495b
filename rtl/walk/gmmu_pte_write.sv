// SPDX-License-Identifier: Apache-2.0
// gmmu_pte_write: the one place from which hardware writes PTEs: changes of the coalescer, and A
// and D for the walker, each an atomic read-modify-write of 8 bytes; an AXI4 master of single
// beats, one access on its way at a time, no ID. docs/pte_write.md
//
// PteExclusive=1: updates are exclusive accesses (AxLOCK) and are repeated until the write was one;
// a memory that does not know them is an error. PteExclusive=0: plain accesses. AW and W are
// offered together and taken in any order. BREADY and RREADY are always 1. CoBit: where CO stands;
// DIS is bit 8.
`default_nettype none
`include "gmmu_assert.svh"
module gmmu_pte_write #(
  parameter int PaW          = 48,
  parameter int PteExclusive = 0,
  parameter int CoBit        = 63
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           hold_i,          // nothing new begins
  output logic           busy_o,          // an access is on its way
  // coalescer: taken at ready, payload held until the answer
  input  logic           co_valid_i,
  output logic           co_ready_o,
  input  logic           co_update_i,     // 0: a read alone
  input  logic [PaW-1:0] co_addr_i,
  input  logic           co_co_i,         // the bit that changes is CO; 0: DIS
  input  logic           co_one_i,        // and becomes 1; 0: 0
  output logic           co_rsp_valid_o,
  output logic [63:0]    co_rsp_rdata_o,  // of a read
  output logic           co_rsp_err_o,
  // walker: a PTE that equals old becomes new; held until done
  input  logic           up_valid_i,
  input  logic [PaW-1:0] up_addr_i,
  input  logic [63:0]    up_old_i,
  input  logic [63:0]    up_new_i,
  output logic           up_done_o,       // also when another PTE was found, which stays
  output logic           up_err_o,
  // AXI4
  output logic           awvalid_o,
  input  logic           awready_i,
  output logic [PaW-1:0] awaddr_o,
  output logic           awlock_o,
  output logic           wvalid_o,
  input  logic           wready_i,
  output logic [63:0]    wdata_o,
  input  logic           bvalid_i,
  output logic           bready_o,
  input  logic [1:0]     bresp_i,
  output logic           arvalid_o,
  input  logic           arready_i,
  output logic [PaW-1:0] araddr_o,
  output logic           arlock_o,
  input  logic           rvalid_i,
  output logic           rready_o,
  input  logic [63:0]    rdata_i,
  input  logic [1:0]     rresp_i
);
  localparam logic [2:0] ST_IDLE = 3'd0, ST_ADDR = 3'd1, ST_READ = 3'd2, ST_WRITE = 3'd3,
      ST_ANSWER = 3'd4;
  localparam logic [1:0] OKAY = 2'b00, EXOKAY = 2'b01;

  logic [2:0]  state_q, state_d;
  logic        walker_q;           // whose access it is
  logic        aw_taken_q, w_taken_q;          // address, data of this write are taken already
  logic [63:0] new_q;
  logic        idle, start, pick, update, lock, other, done, err;
  // In turn, so that neither keeps the other waiting.
  assign idle       = state_q == ST_IDLE & !hold_i;
  assign co_ready_o = idle & (!up_valid_i | walker_q);
  assign pick       = !(co_valid_i & co_ready_o);
  assign start      = idle & (co_valid_i | up_valid_i);
  assign busy_o     = state_q != ST_IDLE;
  assign update     = walker_q | co_update_i;
  assign lock       = PteExclusive != 0 & update;
  assign other      = walker_q & rdata_i != up_old_i;

  assign araddr_o  = walker_q ? up_addr_i : co_addr_i;
  assign awaddr_o  = araddr_o;
  assign arlock_o  = lock;
  assign awlock_o  = lock;
  assign wdata_o   = new_q;
  assign arvalid_o = state_q == ST_ADDR;
  assign awvalid_o = state_q == ST_WRITE & !aw_taken_q;
  assign wvalid_o  = state_q == ST_WRITE & !w_taken_q;
  assign rready_o  = 1'b1;
  assign bready_o  = 1'b1;

  always_comb begin
    state_d = state_q;
    done    = 1'b0;
    err     = 1'b0;
    case (state_q)
      ST_IDLE: if (start) state_d = ST_ADDR;
      ST_ADDR: if (arready_i) state_d = ST_READ;
      ST_READ: if (rvalid_i) begin
        err     = rresp_i != (lock ? EXOKAY : OKAY);
        done    = err | !update | other;
        state_d = done ? ST_IDLE : ST_WRITE;
      end
      ST_WRITE: if ((aw_taken_q | awready_i) & (w_taken_q | wready_i)) state_d = ST_ANSWER;
      default: if (bvalid_i) begin
        err     = bresp_i[1] | (!lock & bresp_i != OKAY);
        done    = err | !lock | bresp_i == EXOKAY;
        state_d = done ? ST_IDLE : ST_ADDR;      // somebody else wrote there: again
      end
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q    <= ST_IDLE;
      aw_taken_q <= 1'b0;
      w_taken_q  <= 1'b0;
    end else begin
      state_q    <= state_d;
      aw_taken_q <= state_q == ST_WRITE & state_d == ST_WRITE & (aw_taken_q | awready_i);
      w_taken_q  <= state_q == ST_WRITE & state_d == ST_WRITE & (w_taken_q | wready_i);
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) walker_q <= 1'b0;
    else if (start) walker_q <= pick;
  end
  logic [63:0] changed;
  always_comb begin
    changed = rdata_i;
    if (co_co_i) changed[CoBit] = co_one_i;
    else changed[8] = co_one_i;
  end
  always_ff @(posedge clk_i)
    if (state_q == ST_READ & rvalid_i) new_q <= walker_q ? up_new_i : changed;

  assign co_rsp_valid_o = done & !walker_q;
  assign co_rsp_rdata_o = rdata_i;
  assign co_rsp_err_o   = err;
  assign up_done_o      = done & walker_q;
  assign up_err_o       = err;

  `GMMU_ASSERT(pte_write_walker_waits, !(busy_o && walker_q && !up_valid_i))
endmodule
`default_nettype wire
