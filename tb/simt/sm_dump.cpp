// SPDX-License-Identifier: Apache-2.0
// sm_dump SEED DIR - a random program for the four-state bench (icarus/gmmu_sm_tb.sv): words,
// launch, memory before, and after by the simulator (code.hex, cfg.hex, mem.hex, want.hex).
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>
#include "sm_program.h"
extern "C" {
#include "simt/simt.h"
}

namespace {
FILE *create(const std::string &path) {
  FILE *f = fopen(path.c_str(), "w");
  if (!f) fprintf(stderr, "sm_dump: %s cannot be written\n", path.c_str()), exit(1);
  return f;
}
/// Lines of 64 bytes, the first byte last.
void save_lines(const std::string &path, const std::vector<uint8_t> &m) {
  FILE *f = create(path);
  for (size_t line = 0; line < m.size(); line += 64) {
    for (size_t i = 64; i--;) fprintf(f, "%02x", m[line + i]);
    fputc('\n', f);
  }
  fclose(f);
}
uint8_t *at(void *context, uint32_t address, uint32_t bytes, bool) {
  auto &m = *static_cast<std::vector<uint8_t> *>(context);
  return address + bytes <= m.size() ? &m[address] : nullptr;
}
} // namespace

int main(int argc, char **argv) {
  if (argc != 3) return fprintf(stderr, "usage: sm_dump SEED DIR\n"), 2;
  uint64_t seed = strtoull(argv[1], nullptr, 0);
  std::string dir = argv[2];
  gmmu_rng rng{seed};
  SmLaunch l;
  l.warps = 2, l.scratch = 128, l.blocks = 1 + static_cast<uint32_t>(seed % 2);
  l.code = SmProgram(rng, 64).make(10);
  for (uint32_t &a : l.args) a = static_cast<uint32_t>(gmmu_rng_next(&rng));
  std::vector<uint8_t> memory(kMemory);
  for (size_t i = 0; i < kMemory; i += 8) {
    uint64_t v = gmmu_rng_next(&rng);
    memcpy(&memory[i], &v, 8);
  }
  FILE *f = create(dir + "/code.hex");
  for (uint32_t w : l.code) fprintf(f, "%08x\n", w);
  fclose(f);
  f = create(dir + "/cfg.hex");
  fprintf(f, "%zx\n%x\n%x\n%x\n%x\n%x\n%x\n%x\n%x\n", l.code.size(), l.entry, l.args[0], l.args[1],
          l.args[2], l.args[3], l.blocks, l.warps, l.scratch);
  fclose(f);
  save_lines(dir + "/mem.hex", memory);

  simt_config c{GMMU_TB_WARPS, 16384, GMMU_TB_LOCAL, GMMU_TB_SCRATCH, seed};
  gmmu_err err;
  simt *s = simt_new(&c, at, &memory, &err);
  if (!s || simt_load(s, l.code.data(), static_cast<uint32_t>(l.code.size()), &err))
    return fprintf(stderr, "sm_dump: %s\n", err.msg), 1;
  simt_write_reg(s, SIMT_ENTRY, l.entry);
  for (uint32_t i = 0; i < 4; i++) simt_write_reg(s, SIMT_ARG0 + 4 * i, l.args[i]);
  simt_write_reg(s, SIMT_BLOCKS, l.blocks);
  simt_write_reg(s, SIMT_WARPS, l.warps);
  simt_write_reg(s, SIMT_SCRATCH_BYTES, l.scratch);
  simt_write_reg(s, SIMT_CTRL, 1);
  for (uint64_t n = 0; simt_run(s, 100000) && n < 1000; n++) {}
  if (simt_read_reg(s, SIMT_STATUS))
    return fprintf(stderr, "sm_dump: no end, or an error record\n"), 1;
  simt_free(s);
  save_lines(dir + "/want.hex", memory);
  return 0;
}
