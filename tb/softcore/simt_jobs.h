// SPDX-License-Identifier: Apache-2.0
// simt_jobs.h - jobs of gmmu_simt: a program of simt_asm.h, its inputs in virtual memory, what its
// results must be.
#ifndef GMMU_TB_SIMT_JOBS_H
#define GMMU_TB_SIMT_JOBS_H

#include <deque>
#include <functional>
#include <memory>

extern "C" {
#include "gmmu_driver.h"
}
#include "simt_asm.h"

constexpr uint64_t kCode = 0x00010000,
                   kArgs = 0x00020000; // where programs and their arguments are

/// Virtual memory as the host of the cores sees it. perms (GMMU_DRV_R, W, X): of the page, when it
/// is touched first.
struct SimtHost {
  virtual ~SimtHost() = default;
  virtual uint32_t get(unsigned asid, uint64_t va) = 0;
  virtual void put(unsigned asid, uint64_t va, uint32_t v, unsigned perms) = 0;
  virtual uint64_t random(uint64_t n) = 0;
};

/// Where a job's program, its arguments and its arrays are; 0: where its maker puts them.
struct SimtPlace {
  uint32_t code = kCode, args = kArgs, array[4] = {};
  uint32_t at(unsigned i, uint32_t otherwise) const { return array[i] ? array[i] : otherwise; }
};

struct SimtJob {
  std::string name;
  std::vector<uint32_t> code, args;
  std::function<bool(SimtHost &, unsigned asid)> verify;
  std::function<bool(SimtHost &, unsigned asid)> again; // another launch is needed
  SimtPlace place;
  /// Program and arguments into memory.
  void load(SimtHost &d, unsigned asid) const {
    for (size_t i = 0; i < code.size(); i++) d.put(asid, place.code + 4 * i, code[i], GMMU_DRV_X);
    for (size_t i = 0; i < args.size(); i++) d.put(asid, place.args + 4 * i, args[i], GMMU_DRV_R);
  }
};

SimtJob make_vecadd(SimtHost &d, unsigned asid, uint32_t n, const SimtPlace &p = {});

SimtJob make_matmul(SimtHost &d, unsigned asid, uint32_t log, const SimtPlace &p = {});

/// Arrays: nodes + 1 words, up to 4 words a node, nodes words, one word. tree: every node can be
/// reached, so there are some levels.
SimtJob make_bfs(SimtHost &d, unsigned asid, uint32_t nodes, const SimtPlace &p = {},
                 bool tree = false);

#endif
