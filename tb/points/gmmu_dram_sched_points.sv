// SPDX-License-Identifier: Apache-2.0
// Points of gmmu_dram_sched (docs/coverage.md), of its ports and of what its searches find.
`default_nettype none
module gmmu_dram_sched_points #(
  parameter int NumApps   = 8,
  parameter bit Aware     = 1'b1,
  parameter bit ClosedRow = 1'b0,
  localparam int AppW     = gmmu_pkg::idx_w(NumApps)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 t_valid_i,
  input logic                 t_ready_o,
  input logic                 d_valid_i,
  input logic                 d_ready_o,
  input logic [AppW:0]        apps_i,
  input logic [9:0]           quota_max_i,
  input logic [15:0]          turn_timeout_i,
  input logic [15:0]          age_cap_i,
  input logic                 epoch_i,
  input logic [2:0]           cmd_o,
  input logic                 ap_o,
  input logic [1:0]           also_o,
  input logic                 two_i,
  input logic                 prea_i,
  input logic [15+AppW:0]     obs_o,
  input logic                 col,
  input logic                 second,
  input logic                 two_a,
  input logic                 row,
  input logic                 left,
  input logic                 left_second
);
  logic [1:0]      highest, home;
  logic            found, passed;
  logic [AppW-1:0] found_app;
  logic [9:0]      found_quota;
  assign {found_quota, found_app, passed, found, home, highest} = obs_o;

  // The turn: whose, its quota, how many of its requests have entered silver, since when none has.
  logic [AppW-1:0] app_q, next_app_q, after_app;
  logic [9:0]      quota_q, next_quota_q, used_q;
  logic [15:0]     idle_q;
  logic            first_q, spent_q, enters, by_quota, by_timeout;
  assign enters     = home == 2'd2;
  assign by_quota   = enters & used_q + 10'd1 == quota_q;
  assign by_timeout = !enters & idle_q + 16'd1 >= turn_timeout_i;
  assign after_app  = (AppW + 1)'(app_q) + 1'b1 >= apps_i ? '0 : app_q + 1'b1;
  logic            was_quota_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      app_q   <= '0;
      first_q <= 1'b1;
      spent_q <= 1'b1;
    end else if (passed) begin
      app_q   <= next_app_q;
      quota_q <= next_quota_q;
      used_q  <= '0;
      idle_q  <= '0;
      first_q <= 1'b0;
      spent_q <= 1'b0;
    end else if (!spent_q) begin
      used_q  <= used_q + 10'(enters);
      idle_q  <= enters ? '0 : idle_q + 16'd1;
      spent_q <= by_quota | by_timeout;
      was_quota_q <= by_quota;
    end
    if (found) begin
      next_app_q   <= found_app;
      next_quota_q <= found_quota;
    end
  end

  covergroup dram_turn @(posedge clk_i);
    // How a turn ends, and whether the next one is known then.
    ends: coverpoint {first_q, spent_q, spent_q ? was_quota_q : by_quota} iff (rst_ni & passed) {
      wildcard bins after_reset = {3'b1??};
      bins quota_at_once = {1};
      bins quota_waited = {3};
      bins timeout_at_once = {0};
      bins timeout_waited = {2};
    }
    // Applications without a quota are passed over.
    next: coverpoint {found_app == app_q, found_app == after_app} iff (rst_ni & found) {
      bins the_next = {1};
      bins others_have_no_quota = {0};
      bins the_same_again = {2};
      bins only_one_application = {3};
    }
    next_quota: coverpoint found_quota iff (rst_ni & found) {
      bins one = {1};
      bins some = {[2:499]};
      bins largest = {[500:1023]};
    }
    settings: coverpoint {quota_max_i == '0, age_cap_i == '0} iff (rst_ni & Aware) {
      bins turns_and_cap = {0};
      bins turns = {1};
      bins cap = {2};
      bins neither = {3};
    }
    epoch: coverpoint passed iff (rst_ni & Aware & epoch_i) {
      bins in_a_turn = {0};
      bins turn_passes = {1};
    }
  endgroup
  dram_turn u_dram_turn = new;

  covergroup dram_choice @(posedge clk_i);
    class_of: coverpoint highest iff (rst_ni & cmd_o != '0) {
      bins normal = {1};
      bins silver = {2};
      bins golden = {3};
    }
    command: coverpoint cmd_o {
      bins activate = {1};
      bins precharge = {2};
      bins read = {3};
      bins write = {4};
    }
    also: coverpoint also_o {
      bins alone = {0};
      bins and_activate = {1};
      bins and_precharge = {2};
    }
    chosen: cross class_of, command, also {
      // Only a row command goes beside another one, a column.
      ignore_bins rows = (binsof(command.activate) || binsof(command.precharge)) &&
          !binsof(also.alone);
    }
    closes: coverpoint ap_o iff (rst_ni & ClosedRow & (cmd_o == 3'd3 | cmd_o == 3'd4)) {
      bins row_stays = {0};
      bins precharges = {1};
    }
    single: coverpoint two_i iff (rst_ni & cmd_o == 3'd3) {
      bins one_a_cycle = {0};
      bins two_a_cycle = {1};
    }
    all_close: coverpoint cmd_o iff (rst_ni & prea_i) {
      bins nothing = {0};
    }
    search: coverpoint {row, second, col} iff (rst_ni) {
      bins nothing = {0};
      bins column = {1};
      bins two_columns = {3};
      bins row_command = {4};
      bins column_and_row = {5};
      bins two_and_row = {7};
    }
    // The next one in age goes the other way, is in the row command's bank, or has no place.
    other_one: coverpoint second iff (rst_ni & col & two_a) {
      bins refused = {0};
      bins goes_behind = {1};
    }
    leaves: coverpoint left_second iff (rst_ni & left) {
      bins first_one = {0};
      bins second_one = {1};
    }
    entered: coverpoint home iff (rst_ni) {
      bins none = {0};
      bins normal = {1};
      bins silver = {2};
      bins golden = {3};
    }
    translation: coverpoint t_ready_o iff (rst_ni & t_valid_i) {
      bins waits = {0};
      bins taken = {1};
    }
    data: coverpoint d_ready_o iff (rst_ni & d_valid_i) {
      bins waits = {0};
      bins taken = {1};
    }
  endgroup
  dram_choice u_dram_choice = new;
endmodule
bind gmmu_dram_sched gmmu_dram_sched_points #(.NumApps(NumApps), .Aware(Aware),
  .ClosedRow(ClosedRow)) u_points (.*);
`default_nettype wire
