// SPDX-License-Identifier: Apache-2.0
// gmmu_set_lru: true-LRU order of the ways of every set. A policy of gmmu_replace, which says what
// its ports mean.
//
// Up to 4 ways: one bit per pair of ways, which of the two is the more recent; 6 bits where ages
// have 8, and a touch sets bits without comparing. More ways: one age per way, 0 the most recent,
// Ways-1 the least; fewer bits than pairs from 8 ways on.
// A set that is not known has the order of a set after reset: way 0 is the least recent, then 1,
// 2, ... So no order is reset. Touches of a cycle are seen from the next cycle on.
// old_o: valid in the same cycle while query_i is 1, 0 otherwise. Legal: Sets a power of two >= 2,
// Ways >= 2, Ports 1 or 2.
`default_nettype none
module gmmu_set_lru #(
  parameter int Sets  = 64,
  parameter int Ways  = 4,
  parameter int Ports = 1,
  parameter int Some  = 0,
  parameter int Apart = 0,
  localparam int SetW = gmmu_pkg::idx_w(Sets),
  localparam int WayW = gmmu_pkg::idx_w(Ways)
) (
  input  logic                  clk_i,
  input  logic [(Ports+Apart)*SetW-1:0] set_i,
  input  logic [Ports+Apart-1:0] known_i,
  input  logic [Ports*Ways-1:0] touch_i,
  input  logic                  query_i,
  input  logic [Ways-1:0]       may_i,
  output logic [Ways-1:0]       old_o
);
  localparam int Pairs  = Ways <= 4 ? 1 : 0;
  localparam int OrderW = Pairs != 0 ? Ways * (Ways - 1) / 2 : Ways * WayW;

  // Pairs: the bit of low and high, low < high: low is the more recent.
  function automatic int pair(input int low, input int high);
    begin
      pair = low * (2 * Ways - low - 1) / 2 + high - low - 1;
    end
  endfunction

  function automatic logic [OrderW-1:0] reset_order();
    begin
      reset_order = '0;
      if (Pairs == 0)
        for (int i = 0; i < Ways; i++) reset_order[i*WayW +: WayW] = WayW'(Ways - 1 - i);
    end
  endfunction
  localparam logic [OrderW-1:0] RESET_ORDER = reset_order();

  // Order of a set after a touch of `hot`, none: the same. Ages: ways younger than it get older by
  // one, it becomes 0.
  function automatic logic [OrderW-1:0] touched(input logic [OrderW-1:0] order,
      input logic [Ways-1:0] hot);
    logic [WayW-1:0] age, a;
    begin
      touched = order;
      age     = '0;
      a       = '0;
      if (Pairs != 0) begin
        for (int i = 0; i < Ways; i++) for (int j = i + 1; j < Ways; j++)
          touched[pair(i, j)] = hot[i] | (order[pair(i, j)] & !hot[j]);
      end else begin
        for (int i = 0; i < Ways; i++) age = age | (order[i*WayW +: WayW] & {WayW{hot[i]}});
        for (int i = 0; i < Ways; i++) begin
          a = order[i*WayW +: WayW];
          if (hot[i]) touched[i*WayW +: WayW] = '0;
          else if (a < age) touched[i*WayW +: WayW] = a + 1'b1;
        end
      end
    end
  endfunction

  logic [OrderW-1:0] order_q [0:Sets-1];
  logic [SetW-1:0]   set0;
  logic [Ways-1:0]   touch0;
  logic [OrderW-1:0] order0, next0;
  assign set0   = set_i[SetW-1:0];
  assign touch0 = touch_i[Ways-1:0];
  assign order0 = known_i[0] ? order_q[set0] : RESET_ORDER;
  assign next0  = touched(order0, touch0);
  if (Ports == 2) begin : gen_port1
    // Port 1 comes after port 0, also in the same set; its write, the last, then has both.
    logic [SetW-1:0]   set1;
    logic [Ways-1:0]   touch1;
    logic [OrderW-1:0] order1, next1;
    assign set1   = set_i[2*SetW-1:SetW];
    assign touch1 = touch_i[2*Ways-1:Ways];
    assign order1 = (set1 == set0) ? next0 : known_i[1] ? order_q[set1] : RESET_ORDER;
    assign next1  = touched(order1, touch1);
    always_ff @(posedge clk_i) begin
      if (|touch0) order_q[set0] <= next0;
      if (|touch1) order_q[set1] <= next1;
    end
  end else begin : gen_no_port1
    always_ff @(posedge clk_i) if (|touch0) order_q[set0] <= next0;
  end

  logic [OrderW-1:0] asked;     // order of the set that is asked for
  if (Apart != 0) begin : gen_apart
    assign asked = known_i[Ports] ? order_q[set_i[Ports*SetW +: SetW]] : RESET_ORDER;
  end else begin : gen_port0
    assign asked = order0;
  end

  // The least recent way, or that of some ways: the one that none of them is older than, which of
  // ages is the highest, of all ways Ways-1.
  if (Pairs != 0) begin : gen_pairs
    logic [Ways-1:0] may;
    assign may = Some != 0 ? may_i : {Ways{1'b1}};
    for (genvar i = 0; i < Ways; i++) begin : gen_way
      logic [Ways-1:0] older;   // ways that are less recent than this one
      for (genvar j = 0; j < Ways; j++) begin : gen_other
        if (j > i)      assign older[j] = may[j] && asked[pair(i, j)];
        else if (j < i) assign older[j] = may[j] && !asked[pair(j, i)];
        else            assign older[j] = 1'b0;
      end
      assign old_o[i] = query_i && may[i] && older == '0;
    end
  end else if (Some != 0) begin : gen_some
    always_comb begin : oldest
      logic [WayW-1:0] age;
      old_o = '0;
      age   = '0;
      if (query_i) begin
        for (int w = Ways - 1; w >= 0; w--) begin
          if (may_i[w] && asked[w*WayW +: WayW] >= age) begin
            old_o = Ways'(1) << w;
            age   = asked[w*WayW +: WayW];
          end
        end
      end
    end
  end else begin : gen_all
    always_comb begin
      old_o = '0;
      if (query_i) begin
        for (int w = Ways - 1; w >= 0; w--)
          if (asked[w*WayW +: WayW] == WayW'(Ways - 1)) old_o = Ways'(1) << w;
      end
    end
  end
  if (Some == 0) begin : gen_any
    logic unused_may;
    assign unused_may = ^may_i;
  end
endmodule
`default_nettype wire
