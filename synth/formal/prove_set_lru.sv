// SPDX-License-Identifier: Apache-2.0
// gmmu_replace on sets: the lowest free way, else the least recent of the set by a matrix of "i was
// touched after j", which is how the order is defined; among all ways or some; of port 0's set or
// (Apart) of a third, given in the cycle before; with the sets of the ports given in the cycle
// before (Ahead), and forgotten at times (flush_i). Two sets, two ports. A set is known once it was
// touched, as in the arrays.
`default_nettype none
module prove_set_lru #(
  parameter int N      = 4,
  parameter int Some   = 0,
  parameter int Apart  = 0,
  parameter int Ahead  = 0,
  parameter int Covers = 0
) (
  input  logic           clk_i,
  input  logic [2:0]     any_set,   // of port 0, of port 1, asked for
  input  logic           any_flush,
  input  logic [2*N-1:0] touch_i,
  input  logic           query_i,
  input  logic [N-1:0]   may_i,
  input  logic [N-1:0]   used_i
);
  `include "prove.svh"

  logic [1:0]   known_q;
  logic [2:0]   known;
  logic         asked;
  logic [N-1:0] way, may;
  logic         full;
  logic [2:0]   set_i, set_q;
  logic [1:0]   early, early_set;
  logic         flush;
  always_ff @(posedge clk_i) set_q <= any_set;
  assign set_i = Ahead != 0 ? set_q : {Apart != 0 ? set_q[2] : any_set[2], any_set[1:0]};
  // what is read in the cycle of the reset is never used
  assign early_set = {any_set[1], any_set[Apart != 0 ? 2 : 0]};
  assign early     = rst_ni ? {known_q[early_set[1]], known_q[early_set[0]]} : 2'b00;
  assign flush = Ahead != 0 & any_flush & rst_ni;
  assign asked = set_i[Apart != 0 ? 2 : 0];
  assign known = {known_q[set_i[2]], known_q[set_i[1]], known_q[set_i[0]]};
  assign may   = Some != 0 ? may_i : {N{1'b1}};
  gmmu_replace #(.Sets(2), .Ways(N), .Ports(2), .Some(Some), .Apart(Apart),
      .Ahead(Ahead)) u_dut (
    .clk_i, .rst_ni, .flush_i(flush), .early_set_i(early_set), .early_known_i(early),
    .set_i(set_i[1:0]), .known_i(known[1:0]), .touch_i, .held_i(1'b1), .query_i,
    .may_i, .used_i, .full_o(full), .way_o(way)
  );

  always_comb begin
    for (int p = 0; p < 2; p++) begin
      assume ((touch_i[p*N +: N] & (touch_i[p*N +: N] - 1'b1)) == '0);
      if (!rst_ni) assume (touch_i[p*N +: N] == '0);
    end
    // port 1 comes first to a set only after port 0, as a hit needs a fill
    if (!known[1]) assume (touch_i[2*N-1:N] == '0);
    assume (may != '0);
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni | flush) known_q <= '0;
    else if (|touch_i[N-1:0]) known_q[set_i[0]] <= 1'b1;
  end

  // after_q[s*N*N + i*N + j]: in set s, i is more recent than j. After reset way 0 is the least
  // recent.
  logic [2*N*N-1:0] after_q, after;
  logic [N*N-1:0]   mine;
  logic [N-1:0]     want, free;
  always_comb begin
    after = after_q;
    for (int p = 0; p < 2; p++) begin
      for (int s = 0; s < 2; s++) begin
        for (int i = 0; i < N; i++) begin
          if (set_i[p] == 1'(s) && touch_i[p*N + i]) begin
            for (int j = 0; j < N; j++) begin
              after[s*N*N + i*N + j] = 1'b1;
              after[s*N*N + j*N + i] = 1'b0;
            end
          end
        end
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (rst_ni & !flush) after_q <= after;
    else for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) begin
      after_q[i*N + j]       <= i > j;
      after_q[N*N + i*N + j] <= i > j;
    end
  end
  assign mine = asked ? after_q[2*N*N-1:N*N] : after_q[N*N-1:0];
  assign free = may & ~used_i;
  always_comb begin
    want = '0;
    for (int i = 0; i < N; i++) begin
      if (free != '0) begin
        want[i] = free[i];
        for (int j = 0; j < i; j++) if (free[j]) want[i] = 1'b0;
      end else begin
        want[i] = may[i];
        for (int j = 0; j < N; j++) if (i != j && may[j] && mine[i*N + j]) want[i] = 1'b0;
      end
    end
  end

  if (Covers == 0) begin : gen_assert
    always_comb begin
      if (rst_ni) begin
        way_is_free_or_least_recent: assert (way == (query_i ? want : '0));
        full_says_so: assert (full == (free == '0));
        one_way: assert (want != '0 & (want & (want - 1'b1)) == '0);
      end
    end
  end else begin : gen_cover
    for (genvar i = 0; i < N; i++) begin : gen_way
      always_comb if (rst_ni) assert (!(query_i & full & way[i] & |touch_i & asked));
    end
  end
endmodule
`default_nettype wire
