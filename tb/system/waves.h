// SPDX-License-Identifier: Apache-2.0
/** waves.h - waves of a Verilated run: they appear under their name when they are whole, as every
 * output does (common/outfile.h), also those of a run that fails. */
#ifndef GMMU_TB_WAVES_H
#define GMMU_TB_WAVES_H

#include <memory>

#include "common/outfile.h"
#include "verilated_fst_c.h"

class Waves {
 public:
  ~Waves() {
    gmmu_err ignored;
    close(&ignored);
  }
  template <class Top>
  int open(Top &top, const char *path, gmmu_err *err) {
    if (gmmu_outfile_open(&file_, path, err) || gmmu_outfile_helper(&file_, ".hier", err))
      return -1;
    gmmu_outfile_mapped(path);
    fst_.reset(new VerilatedFstC);
    top.trace(fst_.get(), 99);
    fst_->open(file_.tmp);
    return fst_->isOpen() ? 0 : gmmu_fail(err, "%s: cannot be opened for waves", path);
  }
  void dump(uint64_t time) {
    if (fst_) fst_->dump(time);
  }
  /** An error, and no file, where there was no room for all of them. */
  int close(gmmu_err *err);

 private:
  gmmu_outfile file_ = {};
  std::unique_ptr<VerilatedFstC> fst_;
};

#endif
