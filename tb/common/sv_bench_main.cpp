// SPDX-License-Identifier: Apache-2.0
// Main program of a bench in SystemVerilog under Verilator (scripts/count_sv_bench.sh): time goes
// on until $finish; what the model counted is kept (coverage.h).
#include "coverage.h"
#include GMMU_TB_HEADER

int main(int argc, char **argv) {
  VerilatedContext context;
  context.commandArgs(argc, argv);
  GMMU_TB_DUT bench(&context);
  CoverageAtEnd coverage(&context);
  while (!context.gotFinish()) {
    bench.eval();
    if (!bench.eventsPending()) break;
    context.time(bench.nextTimeSlot());
  }
  bench.final();
  return 0;
}
