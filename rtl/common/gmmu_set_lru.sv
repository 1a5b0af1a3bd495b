// SPDX-License-Identifier: Apache-2.0
// gmmu_set_lru: true-LRU order of the ways of every set, one age per way: 0 the most recent,
// Ways-1 the least. A policy of gmmu_replace, which says what its ports mean.
//
// A set that is not known has the order of a set after reset: way 0 is the least recent, then 1,
// 2, ... So no age is reset. Touches of a cycle are seen from the next cycle on.
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
  localparam int AgeW = Ways * WayW;

  function automatic logic [AgeW-1:0] reset_ages();
    begin
      reset_ages = '0;
      for (int i = 0; i < Ways; i++) reset_ages[i*WayW +: WayW] = WayW'(Ways - 1 - i);
    end
  endfunction
  localparam logic [AgeW-1:0] RESET_AGES = reset_ages();

  // Order of a set after a touch of `hot`: ways younger than it get older by one, it becomes 0.
  function automatic logic [AgeW-1:0] touched(input logic [AgeW-1:0] ages,
      input logic [Ways-1:0] hot);
    logic [WayW-1:0] age, a;
    begin
      age = '0;
      for (int i = 0; i < Ways; i++) age = age | (ages[i*WayW +: WayW] & {WayW{hot[i]}});
      touched = ages;
      for (int i = 0; i < Ways; i++) begin
        a = ages[i*WayW +: WayW];
        if (hot[i]) touched[i*WayW +: WayW] = '0;
        else if (a < age) touched[i*WayW +: WayW] = a + 1'b1;
      end
    end
  endfunction

  // Which way is touched is known late. With few ways what each would make of the order is ready by
  // then; with more that would be large.
  function automatic logic [AgeW-1:0] next(input logic [AgeW-1:0] ages, input logic [Ways-1:0] hot);
    begin
      if (Ways > 4) begin
        next = |hot ? touched(ages, hot) : ages;
      end else begin
        next = |hot ? '0 : ages;
        for (int i = 0; i < Ways; i++) if (hot[i]) next = next | touched(ages, Ways'(1) << i);
      end
    end
  endfunction

  logic [AgeW-1:0] age_q [0:Sets-1];
  logic [SetW-1:0] set0;
  logic [Ways-1:0] touch0;
  logic [AgeW-1:0] ages0, next0;
  assign set0   = set_i[SetW-1:0];
  assign touch0 = touch_i[Ways-1:0];
  assign ages0  = known_i[0] ? age_q[set0] : RESET_AGES;
  assign next0  = next(ages0, touch0);
  if (Ports == 2) begin : gen_port1
    // Port 1 comes after port 0, also in the same set; its write, the last, then has both.
    logic [SetW-1:0] set1;
    logic [Ways-1:0] touch1;
    logic [AgeW-1:0] ages1, next1;
    assign set1   = set_i[2*SetW-1:SetW];
    assign touch1 = touch_i[2*Ways-1:Ways];
    assign ages1  = (set1 == set0) ? next0 : known_i[1] ? age_q[set1] : RESET_AGES;
    assign next1  = next(ages1, touch1);
    always_ff @(posedge clk_i) begin
      if (|touch0) age_q[set0] <= next0;
      if (|touch1) age_q[set1] <= next1;
    end
  end else begin : gen_no_port1
    always_ff @(posedge clk_i) if (|touch0) age_q[set0] <= next0;
  end

  logic [AgeW-1:0] asked;     // ages of the set that is asked for
  if (Apart != 0) begin : gen_apart
    assign asked = known_i[Ports] ? age_q[set_i[Ports*SetW +: SetW]] : RESET_AGES;
  end else begin : gen_port0
    assign asked = ages0;
  end

  // The least recent way; of some ways, the one of the highest age.
  if (Some != 0) begin : gen_some
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
    logic unused_may;
    assign unused_may = ^may_i;
    always_comb begin
      old_o = '0;
      if (query_i) begin
        for (int w = Ways - 1; w >= 0; w--)
          if (asked[w*WayW +: WayW] == WayW'(Ways - 1)) old_o = Ways'(1) << w;
      end
    end
  end
endmodule
`default_nettype wire
