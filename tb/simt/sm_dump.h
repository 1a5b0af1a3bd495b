// SPDX-License-Identifier: Apache-2.0
// sm_dump.h - files that $readmemh takes.
#ifndef GMMU_TB_SM_DUMP_H
#define GMMU_TB_SM_DUMP_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

inline FILE *create(const std::string &path) {
  FILE *f = fopen(path.c_str(), "w");
  if (!f) fprintf(stderr, "sm_dump: %s cannot be written\n", path.c_str()), exit(1);
  return f;
}
/// Lines of 64 bytes, the first byte last.
inline void save_lines(const std::string &path, const std::vector<uint8_t> &m) {
  FILE *f = create(path);
  for (size_t line = 0; line < m.size(); line += 64) {
    for (size_t i = 64; i--;) fprintf(f, "%02x", m[line + i]);
    fputc('\n', f);
  }
  fclose(f);
}
#endif
