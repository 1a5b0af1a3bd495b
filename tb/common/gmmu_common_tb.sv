// SPDX-License-Identifier: Apache-2.0
// gmmu_common_tb: the reusable modules against naive models, random operations in every cycle.
// +seed=N.
`timescale 1ns/1ps
`default_nettype none

// True LRU of N ways: a list, most recent first.
module lru_check #(parameter int N = 4, parameter int Ports = 1, parameter int Deep = 0) (
    input logic clk, input logic rst_n);
  localparam int W = $clog2(N);
  reg  [Ports*N-1:0] touch = '0;
  reg  [W-1:0]       way;
  reg                on;
  wire [N-1:0]       lru;
  integer list [0:N-1];
  integer errors = 0, p, i, k, w;
  if (Deep != 0) begin : gen_deep
    gmmu_lru_deep #(.N(N)) dut (.clk_i(clk), .rst_ni(rst_n), .touch_i(touch), .query_i(1'b1),
        .lru_o(lru));
  end else begin : gen_flat
    gmmu_lru #(.N(N), .Ports(Ports)) dut (.clk_i(clk), .rst_ni(rst_n), .touch_i(touch),
        .held_i(1'b1), .query_i(1'b1), .lru_o(lru));
  end
  initial for (i = 0; i < N; i = i + 1) list[i] = N - 1 - i;
  always @(negedge clk) if (rst_n) begin
    if (lru !== N'(1) << list[N-1]) begin
      errors = errors + 1;
      if (errors < 4) $display("FAIL lru N=%0d Ports=%0d Deep=%0d: LRU %b, expected way %0d", N,
          Ports, Deep, lru, list[N-1]);
    end
    for (p = 0; p < Ports; p = p + 1) begin
      on = ($urandom % 3) != 0;
      way = $urandom % N;
      touch[p*N +: N] = on ? N'(1) << way : '0;
      if (on) begin
        w = way;
        k = 0;
        for (i = 0; i < N; i = i + 1) if (list[i] == w) k = i;
        for (i = k; i > 0; i = i - 1) list[i] = list[i-1];
        list[0] = w;
      end
    end
  end
endmodule

// Bits that are set, counted one after the other.
module count_check #(parameter int N = 5) (input logic clk, input logic rst_n);
  reg  [N-1:0]           v = '0;
  wire [$clog2(N+1)-1:0] n;
  integer want, i, errors = 0;
  gmmu_count #(.N(N)) dut (.v_i(v), .n_o(n));
  always @(negedge clk) if (rst_n) begin
    for (i = 0; i < N; i = i + 1) v[i] = $urandom % 4 != 0;
    if ($urandom % 16 == 0) v = '1;
    #1;
    want = 0;
    for (i = 0; i < N; i = i + 1) want = want + 32'(v[i]);
    if (32'(n) !== want) begin
      errors = errors + 1;
      if (errors < 4) $display("FAIL gmmu_count N=%0d: %b: %0d, expected %0d", N, v, n, want);
    end
  end
endmodule

// Round robin: the first request at or after the pointer, and for two the next one after it.
module arb_check #(parameter int N = 5) (input logic clk, input logic rst_n);
  localparam int W = (N > 1) ? $clog2(N) : 1;
  reg  [N-1:0] req = '0;
  reg          take = 1'b0;
  wire         v;
  wire [W-1:0] idx;
  wire [N-1:0] gnt, gnt2, only, none, one;
  wire         v1;
  integer ptr = 0, ptr2 = 0, first, second, third, i, errors = 0;
  gmmu_rr_arb #(.N(N)) dut (.clk_i(clk), .rst_ni(rst_n), .req_i(req), .take_i(take), .valid_o(v),
    .idx_o(idx));
  gmmu_rr_two #(.N(N), .Second(1)) dut2 (.clk_i(clk), .rst_ni(rst_n), .req_i(req), .take_i(take),
    .gnt_o(gnt), .gnt2_o(gnt2));
  gmmu_rr_two #(.N(N), .Second(0)) dut1 (.clk_i(clk), .rst_ni(rst_n), .req_i(req), .take_i(take),
    .gnt_o(only), .gnt2_o(none));
  gmmu_rr_hot #(.Reqs(N)) dut3 (.clk_i(clk), .rst_ni(rst_n), .req_i(req), .take_i(take),
    .valid_o(v1), .gnt_o(one));
  function [N-1:0] hot(input integer which);
    hot = which < 0 ? '0 : N'(1) << which;
  endfunction
  always @(negedge clk) if (rst_n) begin
    req = $urandom & $urandom;
    take = $urandom;
    #1;
    first = -1; second = -1; third = -1;
    for (i = N - 1; i >= 0; i = i - 1) begin
      if (req[(ptr + i) % N]) first = (ptr + i) % N;
      if (req[(ptr2 + i) % N]) begin third = second; second = (ptr2 + i) % N; end
    end
    if (v !== (first >= 0) || (first >= 0 && idx !== first) || only !== hot(first) || none !== '0 ||
        v1 !== v || one !== only || gnt !== hot(second) || gnt2 !== hot(third)) begin
      errors = errors + 1;
      if (errors < 4) $display("FAIL gmmu_rr N=%0d: req %b, after %0d: %b %0d %b, after %0d: %b %b",
          N, req, ptr, v, idx, only, ptr2, gnt, gnt2);
    end
    if (take && first >= 0) ptr = (first + 1) % N;
    if (take && second >= 0) ptr2 = ((third >= 0 ? third : second) + 1) % N;
  end
endmodule

// Round robin a cycle ahead: as above, of the requests that stood in the cycle before and were not
// taken, else of the one that was added; none in the cycle behind one in which others came and
// went.
module ahead_check #(parameter int N = 5) (input logic clk, input logic rst_n);
  reg  [N-1:0] req = '0, add = '0, others = '0, old = '0, known;
  reg          added = 1'b0, take = 1'b0, change = 1'b0, changed = 1'b0;
  wire         v;
  wire [N-1:0] gnt;
  integer ptr = 0, first, i, grants = 0, errors = 0;
  gmmu_rr_ahead #(.Reqs(N)) dut (.clk_i(clk), .rst_ni(rst_n), .req_i(req), .add_i(add),
    .add_after_i(~(add | (add - N'(1)))), .added_i(added), .take_i(take), .void_i(change),
    .valid_o(v), .gnt_o(gnt));
  always @(negedge clk) if (rst_n) begin
    first = -1;
    known = changed ? '0 : |old ? old : req;
    for (i = N - 1; i >= 0; i = i - 1) if (known[(ptr + i) % N]) first = (ptr + i) % N;
    if (v !== (first >= 0) || (first >= 0 && gnt !== N'(1) << first)) begin
      errors = errors + 1;
      if (errors < 4) $display("FAIL gmmu_rr_ahead N=%0d: req %b, from %0d: %b %b",
          N, known, ptr, v, gnt);
    end
    i = $urandom;
    add    = N'(1) << $unsigned(i) % N;
    added  = ($urandom % 3 != 0) && (add & req) == '0;
    take   = $urandom;
    change = $urandom % 8 == 0;
    others = $urandom & $urandom;
  end
  always @(posedge clk) if (rst_n) begin
    if (take && first >= 0) begin ptr <= (first + 1) % N; grants <= grants + 1; end
    changed <= change;
    old <= change ? '0 : req & ~(take && v ? gnt : '0);
    req <= change ? others : (req & ~(take && v ? gnt : '0)) | (added ? add : '0);
  end
endmodule

// The lowest free place a cycle ahead, of places that are taken and given back at random: often all
// used and seldom, by turns.
module free_check #(parameter int N = 5) (input logic clk, input logic rst_n);
  reg  [N-1:0] used = '0;
  reg          take = 1'b0, give = 1'b0;
  reg  [(N > 1 ? $clog2(N) : 1)-1:0] back = '0;
  wire [N-1:0] free;
  wire [(N > 1 ? $clog2(N) : 1)-1:0] idx;
  integer first, i, cycle = 0, fulls = 0, errors = 0;
  gmmu_free_ahead #(.Places(N)) dut (.clk_i(clk), .rst_ni(rst_n), .used_i(used), .take_i(take),
    .give_i(give), .give_idx_i(back), .free_o(free), .idx_o(idx));
  always @(negedge clk) if (rst_n) begin
    first = -1;
    for (i = N - 1; i >= 0; i = i - 1) if (!used[i]) first = i;
    if (free !== (first >= 0 ? N'(1) << first : '0) || idx !== (first >= 0 ? first : 0)) begin
      errors = errors + 1;
      if (errors < 4) $display("FAIL gmmu_free_ahead N=%0d: used %b: %b, %0d", N, used, free, idx);
    end
    cycle = cycle + 1;
    i     = cycle / 256 % 2;
    take  = first >= 0 && $urandom % 4 < (i == 0 ? 3 : 1);
    give  = $urandom % 4 < (i == 0 ? 1 : 3);
    i     = $unsigned($urandom) % N;
    back  = i;
    give  = give && used[i];
  end
  always @(posedge clk) if (rst_n) begin
    if (&used) fulls <= fulls + 1;
    used <= (used | (take ? free : '0)) & ~(give ? N'(1) << back : '0);
  end
endmodule

// Both queues against one model: what goes in comes out, in order; latency 1 and 2 through an empty
// queue.
module fifo_check #(parameter int Depth = 3) (input logic clk, input logic rst_n);
  reg        push = 1'b0, pop = 1'b0, push_r = 1'b0, pop_r = 1'b0;
  reg  [7:0] data = '0;
  wire       v, v_r, n_r, empty_r;
  reg        was_r = 1'b0;
  wire [7:0] q, q_r;
  wire [$clog2(Depth+1)-1:0] count;
  reg  [7:0] mem [0:1023];
  reg  [7:0] mem_r [0:1023];
  integer head = 0, tail = 0, head_r = 0, tail_r = 0, errors = 0, age = 0;
  // Both kinds of writes, by depth.
  gmmu_fifo #(.Width(8), .Depth(Depth), .Late(Depth % 2)) dut (.clk_i(clk), .rst_ni(rst_n),
      .push_i(push), .data_i(data), .pop_i(pop),
    .valid_o(v), .data_o(q), .count_o(count));
  wire v_h;
  wire [7:0] q_h;
  wire [$clog2(Depth+1)-1:0] count_h;
  gmmu_fifo #(.Width(8), .Depth(Depth), .Late(Depth % 2), .Head(1)) dut_h (.clk_i(clk),
      .rst_ni(rst_n), .push_i(push), .data_i(data), .pop_i(pop),
    .valid_o(v_h), .data_o(q_h), .count_o(count_h));
  gmmu_ram_fifo #(.Width(8), .Depth(Depth)) dut_r (.clk_i(clk), .rst_ni(rst_n), .push_i(push_r),
      .data_i(data),
    .pop_i(pop_r), .valid_o(v_r), .next_o(n_r), .data_o(q_r), .empty_o(empty_r));
  always @(posedge clk) was_r <= n_r;
  always @(negedge clk) if (rst_n) begin
    // take what the last edge did
    if (push) begin mem[tail % 1024] = data; tail = tail + 1; end
    if (pop) head = head + 1;
    if (push_r) begin mem_r[tail_r % 1024] = data; tail_r = tail_r + 1; end
    if (pop_r) head_r = head_r + 1;
    age = (tail_r != head_r) ? age + 1 : 0;
    if (pop_r && tail_r != head_r) age = 1;
    if (v !== (head != tail) || (v && q !== mem[head % 1024]) || count !== tail - head) errors =
        errors + 1;
    if (v_h !== v || count_h !== count || (v && q_h !== q)) errors = errors + 1;
    if ((v_r && q_r !== mem_r[head_r % 1024]) || (v_r && head_r == tail_r) || empty_r !==
        (head_r == tail_r) ||
        (age > 2 && !v_r) || v_r !== was_r) errors = errors + 1;
    data   = $urandom;
    push   = (tail - head < Depth) && ($urandom % 3 != 0);
    pop    = v && ($urandom % 3 != 0);
    push_r = (tail_r - head_r < Depth) && ($urandom % 3 != 0);
    pop_r  = v_r && ($urandom % 3 != 0);
    if (errors == 1) $display("FAIL gmmu_fifo or gmmu_ram_fifo, depth %0d", Depth);
  end
endmodule

// Two words a cycle go in, in order; one comes out. Filled up to its depth.
module fifo2_check #(parameter int Depth = 5) (input logic clk, input logic rst_n);
  reg        push = 1'b0, push2 = 1'b0, pop = 1'b0;
  reg  [7:0] data = '0, data2 = '0;
  wire       v;
  wire [7:0] q;
  reg  [7:0] mem [0:1023];
  integer head = 0, tail = 0, room, errors = 0;
  gmmu_fifo2 #(.Width(8), .Depth(Depth)) dut (.clk_i(clk), .rst_ni(rst_n), .push_i(push),
      .data_i(data), .push2_i(push2), .data2_i(data2),
    .pop_i(pop), .valid_o(v), .data_o(q));
  always @(negedge clk) if (rst_n) begin
    if (push) begin mem[tail % 1024] = data; tail = tail + 1; end
    if (push2) begin mem[tail % 1024] = data2; tail = tail + 1; end
    if (pop) head = head + 1;
    if (v !== (head != tail) || (v && q !== mem[head % 1024])) begin
      errors = errors + 1;
      if (errors < 4) $display("FAIL gmmu_fifo2, depth %0d: %b %h, expected %b %h", Depth, v, q,
          head != tail, mem[head % 1024]);
    end
    room  = Depth - (tail - head);
    data  = $urandom;
    data2 = $urandom;
    push  = room > 0 && ($urandom % 3 != 0);
    push2 = push && room > 1 && ($urandom % 2 != 0);
    pop   = v && ($urandom % 3 != 0);
  end
endmodule

// Quota: nobody is refused its first resource, nobody takes one that is kept for another.
module quota_check #(parameter int Total = 7, parameter int Apps = 4) (input logic clk,
    input logic rst_n);
  localparam int W = $clog2(Apps);
  reg  [Apps-1:0] on = '0;
  reg             take = 1'b0, give = 1'b0;
  reg  [W-1:0]    take_app = '0, give_app = '0;
  wire [Apps-1:0] first_of, may_of;
  reg  [Apps-1:0] may, none;
  wire            two, all_of;
  // which are on is known two cycles later
  reg  [Apps-1:0] on_1 = '0, known = '0, known_last = '0;
  reg             still = 1'b0;
  reg  [2:0]      since = '0;    // cycles since reset, up to 4
  integer held [0:Apps-1];
  integer free, kept, a, errors = 0;
  gmmu_app_quota #(.Total(Total), .NumApps(Apps)) dut (.clk_i(clk), .rst_ni(rst_n), .on_i(on),
      .take_i(take),
    .take_hot_i(Apps'(1) << take_app), .give_i(give), .give_app_i(give_app),
    .first_o(first_of), .may_o(may_of), .two_o(two),
    .none_o(), .one_free_o(), .all_o(all_of), .held_o());
  always @(posedge clk) begin
    still      <= two;
    on_1       <= on;
    known      <= on_1;
    known_last <= known;
    since      <= !rst_n ? '0 : since + 3'(since < 3'd4);
  end
  initial for (a = 0; a < Apps; a = a + 1) held[a] = 0;
  always @(negedge clk) if (rst_n) begin
    if (take) held[take_app] = held[take_app] + 1;
    if (give) held[give_app] = held[give_app] - 1;
    take = 1'b0; give = 1'b0;
    if ($urandom % (held[0] % 2 == 0 ? 4 : 32) == 0) on = $urandom;
    #1;
    free = Total; kept = 0;
    for (a = 0; a < Apps; a = a + 1) begin
      free = free - held[a];
      if (held[a] == 0 && known[a]) kept = kept + 1;
    end
    for (a = 0; a < Apps; a = a + 1) begin
      none[a] = held[a] == 0;
      may[a]  = held[a] == 0 ? free > 0 : free > kept && known == known_last;
    end
    if (first_of !== (none & may)) begin
      errors = errors + 1;
      if (errors < 4) $display("FAIL gmmu_app_quota: first %b of %b, none %b", first_of, may, none);
    end
    // All may, if it is known since the cycle before who is on; and what is left after a take.
    if (since == 3'd4 && (may_of !== may || all_of !== (known == known_last && free > kept) ||
        two !== (known == known_last && free >= kept + 2))) begin
      errors = errors + 1;
      if (errors < 4) $display("FAIL gmmu_app_quota: may %b of %b, two %b", may_of, may, two);
    end
    if (since == 3'd4 && known == known_last && still && may !== {Apps{1'b1}}) begin
      errors = errors + 1;
      if (errors < 4) $display("FAIL gmmu_app_quota: may %b after two_o", may);
    end
    take_app = $urandom % Apps;
    take     = may[take_app] & ($urandom % 4 != 0);
    give_app = $urandom % Apps;
    give     = held[give_app] > 0 && ($urandom % 2 != 0);
  end
endmodule

// Epochs whose length changes: pulses counted in absolute cycles.
module epoch_check #(parameter int EpochCycles = 40, parameter int Least = 2) (
    input logic clk, input logic rst_n);
  reg [31:0] cycles = '0;
  reg [63:0] now = 64'd1, due = 64'(EpochCycles - 1), period;
  wire       pulse;
  integer    kind, errors = 0, pulses = 0;
  gmmu_epoch #(.EpochCycles(EpochCycles), .Least(Least)) dut (.clk_i(clk), .rst_ni(rst_n),
      .cycles_i(cycles), .epoch_o(pulse));
  always @(negedge clk) if (rst_n) begin
    if (pulse !== (now == due)) begin
      errors = errors + 1;
      if (errors < 4) $display("FAIL gmmu_epoch %0d, at least %0d: pulse %b in cycle %0d, due %0d",
          EpochCycles, Least, pulse, now, due);
    end
    pulses = pulses + 32'(pulse);
    if ($urandom % 32 == 0) begin
      kind = $urandom % 8;
      case (kind)
        0: cycles = '0;
        1: cycles = $urandom;
        2: cycles = 32'd1 << ($urandom % 32);
        3: cycles = '1;
        default: cycles = 32'(Least) + $urandom % 8 - 32'd3;
      endcase
    end
    // from now on: of the one that begins, and at most so much of the one that runs
    period = cycles == '0 ? 64'(EpochCycles) : cycles < 32'(Least) ? 64'(Least) : 64'(cycles);
    if (now == due || due > now + period) due = now + period;
    now = now + 64'd1;
  end
endmodule

module gmmu_common_tb;
  reg clk = 1'b0, rst_n = 1'b0;
  integer seed, seed0, dummy, errors;
  int cycles;
  always #5 clk = !clk;
  lru_check #(.N(2))              l2  (.clk, .rst_n);
  lru_check #(.N(3), .Ports(2))   l3  (.clk, .rst_n);
  lru_check #(.N(8))              l8  (.clk, .rst_n);
  lru_check #(.N(16), .Ports(2))  l16 (.clk, .rst_n);
  lru_check #(.N(100), .Ports(2)) l100(.clk, .rst_n);
  lru_check #(.N(5), .Ports(2), .Deep(1))   e5  (.clk, .rst_n);
  lru_check #(.N(64), .Ports(2), .Deep(1))  e64 (.clk, .rst_n);
  lru_check #(.N(100), .Ports(2), .Deep(1)) e100(.clk, .rst_n);
  ahead_check #(.N(1)) h1 (.clk, .rst_n);
  ahead_check #(.N(5)) h5 (.clk, .rst_n);
  ahead_check #(.N(32)) h32 (.clk, .rst_n);
  free_check #(.N(1)) o1 (.clk, .rst_n);
  free_check #(.N(5)) o5 (.clk, .rst_n);
  free_check #(.N(64)) o64 (.clk, .rst_n);
  arb_check #(.N(1)) a1 (.clk, .rst_n);
  arb_check #(.N(5)) a5 (.clk, .rst_n);
  arb_check #(.N(30)) a30 (.clk, .rst_n);
  count_check #(.N(1)) c1 (.clk, .rst_n);
  count_check #(.N(5)) c5 (.clk, .rst_n);
  count_check #(.N(64)) c64 (.clk, .rst_n);
  count_check #(.N(272)) c272 (.clk, .rst_n);
  fifo_check #(.Depth(2)) f2 (.clk, .rst_n);
  fifo_check #(.Depth(7)) f7 (.clk, .rst_n);
  fifo2_check #(.Depth(2)) d2 (.clk, .rst_n);
  fifo2_check #(.Depth(5)) d5 (.clk, .rst_n);
  quota_check #(.Total(7), .Apps(4)) q7 (.clk, .rst_n);
  quota_check #(.Total(5), .Apps(5)) q5 (.clk, .rst_n);
  epoch_check #(.EpochCycles(2)) p2 (.clk, .rst_n);
  epoch_check #(.EpochCycles(40), .Least(17)) p40 (.clk, .rst_n);
  initial begin
    if (!$value$plusargs("seed=%d", seed)) seed = 1;
    if (!$value$plusargs("cycles=%d", cycles)) cycles = 20000;
    seed0 = seed;            // $urandom changes its argument
    dummy = $urandom(seed);
    repeat (3) @(negedge clk);
    #1 rst_n = 1'b1;
    repeat (cycles) @(negedge clk);
    errors = l2.errors + l3.errors + l8.errors + l16.errors + l100.errors +
        e5.errors + e64.errors + e100.errors + a1.errors + a5.errors +
        a30.errors +
             c1.errors + c5.errors + c64.errors + c272.errors + f2.errors + f7.errors + d2.errors +
                 d5.errors + q7.errors + q5.errors + h1.errors + h5.errors + h32.errors +
                     o1.errors + o5.errors + o64.errors + p2.errors + p40.errors;
    if (p2.pulses < cycles / 20 || p40.pulses < cycles / 100) begin
      errors = errors + 1;
      $display("FAIL gmmu_epoch: %0d and %0d pulses", p2.pulses, p40.pulses);
    end
    if (o5.fulls < cycles / 20 || o64.fulls < cycles / 50) begin
      errors = errors + 1;
      $display("FAIL gmmu_free_ahead: all used in %0d and %0d cycles", o5.fulls, o64.fulls);
    end
    if (errors == 0) $display("PASS %0d cycles, seed %0d", cycles, seed0);
    else $display("FAIL %0d errors, seed %0d", errors, seed0);
    $finish(0);
  end
endmodule
`default_nettype wire
