// SPDX-License-Identifier: Apache-2.0
// sm_dump.h - vectors for the four-state bench (icarus/gmmu_sm_tb.sv): program, launch, memory
// before and after, by the simulator.
#ifndef GMMU_TB_SM_DUMP_H
#define GMMU_TB_SM_DUMP_H

#include <cstdio>
#include <string>
#include <vector>
#include "sm_program.h"

inline FILE *dump_open(const std::string &dir, const char *name) {
  FILE *f = fopen((dir + "/" + name).c_str(), "w");
  if (!f) printf("FAIL %s/%s cannot be written\n", dir.c_str(), name), exit(1);
  return f;
}
inline void dump_memory(const std::string &dir, const char *name, const std::vector<uint8_t> &m) {
  FILE *f = dump_open(dir, name);
  for (size_t line = 0; line < m.size(); line += 64) {
    for (int i = 63; i >= 0; i--) fprintf(f, "%02x", m[line + static_cast<size_t>(i)]);
    fputc('\n', f);
  }
  fclose(f);
}
inline void dump_launch(const std::string &dir, const SmLaunch &l) {
  FILE *f = dump_open(dir, "code.hex");
  for (uint32_t w : l.code) fprintf(f, "%08x\n", w);
  fclose(f);
  f = dump_open(dir, "cfg.hex");
  fprintf(f, "%zx\n%x\n%x\n%x\n%x\n%x\n%x\n%x\n%x\n", l.code.size(), l.entry, l.args[0], l.args[1],
          l.args[2], l.args[3], l.blocks, l.warps, l.scratch);
  fclose(f);
}
#endif
