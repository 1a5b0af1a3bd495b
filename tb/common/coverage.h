// SPDX-License-Identifier: Apache-2.0
// Coverage of a Verilator bench (docs/coverage.md): what the model counted goes to a file of its
// own in the folder that GMMU_COVERAGE_DIR names, when the bench ends, also by exit(). Nothing in
// builds without --coverage.
#pragma once
#include <verilated.h>
#if VM_COVERAGE
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "verilated_cov.h"
#endif

/// Stands after the model among the members of its owner, so that it ends before it.
class CoverageAtEnd {
 public:
#if VM_COVERAGE
  explicit CoverageAtEnd(VerilatedContext *context) {
    ctx() = context;
    static const int once = atexit(write);
    (void)once;
  }
  ~CoverageAtEnd() { write(); }
  CoverageAtEnd(const CoverageAtEnd &) = delete;
  CoverageAtEnd &operator=(const CoverageAtEnd &) = delete;

 private:
  static VerilatedContext *&ctx() {
    static VerilatedContext *context = nullptr;
    return context;
  }
  static void write() {
    static unsigned files = 0;
    const char *dir = getenv("GMMU_COVERAGE_DIR");
    if (ctx() && dir) {
      const std::string path = std::string(dir) + "/" + std::to_string(getpid()) + "-" +
                               std::to_string(files++) + ".dat";
      ctx()->coveragep()->write(path.c_str());
    }
    ctx() = nullptr;
  }
#else
  explicit CoverageAtEnd(VerilatedContext *) {}
#endif
};
