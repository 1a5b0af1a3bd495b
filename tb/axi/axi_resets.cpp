// SPDX-License-Identifier: Apache-2.0
// axi_resets.cpp - resets in the middle of traffic (axi_resets.h).
#include "axi_resets.h"

gmmu_regs_model fresh_registers(Bench &b) {
  gmmu_regs_model m{};
  m.ports = kAllPorts, m.asids = kAsids, m.asid_w = kAsidW, m.pfn_w = kPaW - 12, m.windows = 4,
  m.fault_entries = GMMU_TB_FAULTS, m.counters = 12;
  m.params = GMMU_NUM_PARAMS;
  b.access(false, GMMU_REG_CAPS, &m.caps, 15);
  m.epoch_reset = GMMU_TB_EPOCH, m.least_epoch = m.caps & GMMU_REG_CAPS_TOKENS_MASK
                                                     ? 6 + kAllPorts + 20 * 4 + (kAllPorts << 4)
                                                     : 2; // WarpW = 4
  m.sv48 = m.caps & GMMU_REG_CAPS_SV48_MASK;
  gmmu_regs_reset(&m);
  return m;
}

namespace {
/// A command of any kind begins; nobody waits for its end. A copy is one of the spare pages.
void begin_command(Bench &b) {
  const uint32_t kind = static_cast<uint32_t>(b.below(2) ? b.below(8) : 5 + b.below(3)),
                 asid = b.asids[kind % 2];
  const uint64_t from = kind == 7 ? kSpare : b.large_va,
                 to = kind == 7 ? kSpare + 4096 : b.large_va + (b.below(2) ? 4096 : kLarge) - 1;
  const std::pair<uint32_t, uint32_t> writes[] = {
      {GMMU_REG_CMD_ASID, asid},
      {GMMU_REG_CMD_FIRST_LO, static_cast<uint32_t>(from)},
      {GMMU_REG_CMD_FIRST_HI, static_cast<uint32_t>(from >> 32 & 0xffff)},
      {GMMU_REG_CMD_LAST_LO, static_cast<uint32_t>(to)},
      {GMMU_REG_CMD_LAST_HI, static_cast<uint32_t>(to >> 32 & 0xffff)},
      {GMMU_REG_CMD, kind}};
  for (auto [at, value] : writes) b.access(true, at, &value, 15);
}

/// Register accesses begin that no reset lets end: of the identification, which keeps its value.
void begin_accesses(Bench &b) {
  auto &d = b.dut;
  d.c_arvalid_i = b.below(2), d.c_awvalid_i = b.below(2), d.c_wvalid_i = b.below(2);
  d.c_araddr_i = d.c_awaddr_i = GMMU_REG_ID;
  for (uint64_t n = b.below(4); n; n--) b.step();
  d.c_arvalid_i = d.c_awvalid_i = d.c_wvalid_i = 0;
}

/// Nothing is on its way any more, at either side.
void forget(Bench &b) {
  auto &d = b.dut;
  b.traffic = false;
  for (uint32_t p = 0; p < kPorts; p++) {
    b.ar[p] = b.aw[p] = nullptr;
    b.w_up[p] = false;
    b.w_queue[p].clear();
    for (auto *x : {&b.unissued_r[p], &b.unissued_w[p], &b.open_r[p], &b.open_w[p]}) x->clear();
    PortMemory &m = b.mem[p];
    m.reads.clear(), m.writes.clear(), m.w_order.clear(), m.w_early.clear();
    m.r_on = m.b_on = m.together = false;
    for (auto *valid :
         {&d.s_arvalid_i, &d.s_awvalid_i, &d.s_wvalid_i, &d.m_rvalid_i, &d.m_bvalid_i})
      bits_set(*valid, p, 1, 0);
  }
  b.walk.reads.clear(), b.walk.showing = -1;
  EngineMemory &e = b.engine;
  e.reads.clear(), e.writes.clear(), e.data.clear(), e.answers.clear();
  e.marked_at = ~0ull, e.beat = 0, e.together = false;
  d.w_rvalid_i = d.p_rvalid_i = d.p_bvalid_i = d.n_req_valid_i = 0;
  for (auto &n : b.native) n.valid = false;
  b.native_showing = -1;
  b.native_shown = {};
  b.asked.clear();
  for (auto &p : b.pages) p.busy = 0;
  b.locks.clear();
  b.done = b.made;
}
} // namespace

void resets_in_traffic(Bench &b, uint64_t resets) {
  uint64_t commands = 0, bursts = 0;
  for (uint64_t i = 0; i < resets && !b.errors; i++) {
    const uint64_t until = b.cycle + 100 + b.below(1u << (6 + b.below(6)));
    b.error_mode = b.below(3) == 0; // then the tables rest, so that causes are known
    if (b.error_mode) set_ports(b, true);
    b.target = ~0ull;
    b.traffic = true;
    while (b.cycle < until && !b.errors) {
      if (!b.error_mode && b.dut.irq_o && b.below(8) == 0) serve(b);
      if (!b.error_mode && b.below(400) == 0) unmap_some(b);
      b.step();
    }
    auto on_dirty = b.engine.on_dirty;
    if (b.below(4)) {
      // a coalesce that software did not prepare: a store's walk may end beside the new CO
      b.engine.on_dirty = nullptr;
      begin_command(b);
      commands++;
      for (uint64_t n = b.below(1u << b.below(11)); n && !b.errors; n--) b.step();
    }
    begin_accesses(b);
    bursts += b.made - b.done;
    forget(b);
    b.engine.on_dirty = on_dirty;
    b.error_mode = false;
    b.dut.rst_ni = 0;
    for (uint64_t n = 1 + b.below(4); n; n--) b.settle(), b.edge();
    b.dut.rst_ni = 1;
    gmmu_regs_model m = fresh_registers(b);
    for (uint32_t at = 0; at < 0x2000 && !b.errors; at += 4) {
      uint32_t value, known, v = 0;
      if (at >= 0x200 && b.below(16)) continue; // of the many some
      if (!gmmu_regs_read(&m, at, &value, &known) || b.access(false, at, &v, 15)) continue;
      if ((v ^ value) & known) b.fail("register after a reset in traffic", value, v, at);
    }
    new_tables(b);
    if (!b.errors) open_all(b);
    b.last_progress = b.cycle;
  }
  if (!b.errors && resets >= 20 && (bursts < resets || commands < resets / 3))
    b.fail("bursts that resets met on their way", resets, bursts, commands);
}
