// SPDX-License-Identifier: Apache-2.0
#if VM_TRACE_FST
#include "waves.h"

#include <cstdio>

namespace {

/** A block of an FST file: its kind in a byte, its length in eight, the highest first, itself. */
struct Block {
  int kind = EOF;
  uint64_t bytes = 0;
  Block(FILE *f, off_t at) {
    fseeko(f, at, SEEK_SET);
    kind = fgetc(f);
    for (int i = 0; i < 8; i++) bytes = bytes << 8 | (fgetc(f) & 0xff);
  }
};

/** Blocks up to the file's end, geometry and hierarchy among them, and none that was not ended. */
bool whole(const char *path) {
  enum { GEOMETRY = 3, HIERARCHY = 4, HIERARCHY_LZ4 = 6, HIERARCHY_LZ4_TWICE = 7, OPEN = 255 };
  FILE *f = fopen(path, "rb");
  if (!f) return false;
  fseeko(f, 0, SEEK_END);
  const off_t size = ftello(f);
  bool geometry = false, hierarchy = false, good = true;
  off_t at = 0;
  while (good && at < size) {
    const Block b(f, at);
    geometry |= b.kind == GEOMETRY;
    hierarchy |= b.kind == HIERARCHY || b.kind == HIERARCHY_LZ4 || b.kind == HIERARCHY_LZ4_TWICE;
    good = b.kind != OPEN && b.bytes >= 8 && b.bytes < static_cast<uint64_t>(size);
    at += 1 + static_cast<off_t>(b.bytes);
  }
  fclose(f);
  return good && at == size && geometry && hierarchy;
}

} // namespace

int Waves::close(gmmu_err *err) {
  if (!fst_) {
    gmmu_outfile_abort(&file_);
    return 0;
  }
  fst_->close();
  fst_.reset();
  gmmu_outfile_mapped(nullptr);
  // The library does not look at what its writes return.
  if (whole(file_.tmp)) return gmmu_outfile_commit(&file_, err);
  gmmu_fail(err, "%s: no room for it", file_.path);
  gmmu_outfile_abort(&file_);
  return -1;
}
#endif
