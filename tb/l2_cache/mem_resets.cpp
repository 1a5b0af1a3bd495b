// SPDX-License-Identifier: Apache-2.0
// mem_resets.cpp - see mem_resets.h.
#include "mem_resets.h"

#include <algorithm>

namespace {
// In reset, from its first edge on: nothing is offered, counted or on the pins.
void quiet(Bench &b) {
  Vgmmu_mem_harness &d = b.dut;
  b.same("answers in reset", 0, d.t_rsp_valid_o | d.d_rsp_valid_o);
  b.same("DRAM commands in reset", 0, d.cmd_o | d.also_o);
  b.same("levels that bypass in reset", 0, d.bypass_o);
  for (uint32_t i = 0; i < 8; i++)
    b.same("counts of a depth in reset", 0, bits_get(d.obs_bypass_o, i * 32, 32));
  for (int k = 0; k < BANKS; k++) {
    uint32_t obs = bits_get(d.obs_cache_o, k * kObsW, kObsW);
    b.same("stage C decides in reset", 0, obs & 1, k);
    b.same("fill in reset", 0, obs >> (5 + kWayW) & 1, k);
  }
  b.same("a request enters the scheduler in reset", 0, d.obs_dram_o >> 2 & 3);
}

} // namespace

void moments(Bench &b) {
  Vgmmu_mem_harness &d = b.dut;
  const uint32_t t = d.t_valid_i, w = d.d_valid_i;
  bool writes = false, words = false, many = false, waits = false, fills = false, dirty = false;
  for (int k = 0; k < BANKS; k++) {
    const gmmu_cache_bank_out &o = b.out.bank[k];
    writes |= b.sent[k] != 0;
    words |= b.got[k] != 0;
    many |= b.missing[k] + 1 >= MSHRS;
    waits |= o.decided && o.outcome == GMMU_CACHE_WAITS;
    fills |= o.filled;
    dirty |= o.fill_writes_back;
  }
  b.resets.see("a translation is taken", t & d.t_ready_o);
  b.resets.see("data is taken", w & d.d_ready_o);
  b.resets.see("a translation is refused", t & ~d.t_ready_o);
  b.resets.see("data is refused", w & ~d.d_ready_o);
  b.resets.see("an answer is taken",
               (d.t_rsp_valid_o & d.t_rsp_ready_i) | (d.d_rsp_valid_o & d.d_rsp_ready_i));
  b.resets.see("an answer waits",
               (d.t_rsp_valid_o & ~d.t_rsp_ready_i) | (d.d_rsp_valid_o & ~d.d_rsp_ready_i));
  if (kWords > 1) b.resets.see("a write in its words", writes);
  if (kWords > 1) b.resets.see("an answer in its words", words);
  b.resets.see("MSHRs of a bank but one are on their way", many);
  b.resets.see("stage C waits", waits);
  b.resets.see("a fill", fills);
  if (SETS < 64) b.resets.see("a fill that writes back", dirty);
  b.resets.see("a level bypasses", d.bypass_o);
  b.resets.see("a read on the pins", d.cmd_o == GMMU_PIN_RD);
  b.resets.see("a write on the pins", d.cmd_o == GMMU_PIN_WR);
  b.resets.see("a refresh", d.cmd_o == GMMU_PIN_PREA || d.cmd_o == GMMU_PIN_REF);
}

void begin(Bench &b) {
  if (b.model) gmmu_channel_free(b.model);
  b.model = gmmu_channel_new(&b.cfg);
  gmmu_dram_check_init(&b.check, &gmmu_dram_rules_gddr5);
  b.by = {}, b.by_turn = {}, b.out = {}, b.last_cmd = {}, b.last_also = {};
  b.ticks = 0;
  b.on_way.clear(), b.shadow.clear(), b.versions.clear();
  for (int k = 0; k < BANKS; k++) {
    b.sent[k] = b.got[k] = 0, b.missing[k] = 0;
    b.t_ids[k].clear(), b.d_ids[k].clear(), b.t_expect[k].clear(), b.d_expect[k].clear();
    for (uint32_t i = 0; i < 64; i++) b.t_ids[k].push_back(i);
    for (uint32_t i = 0; i < 256; i++) b.d_ids[k].push_back(i);
    for (int p = 0; p < 2; p++) {
      b.fifo[k][p].clear();
      // who was refused, or not yet served, offers it again, or not
      b.pending[k][p] = b.pending[k][p] && b.below(2);
      std::deque<uint32_t> &ids = p ? b.d_ids[k] : b.t_ids[k];
      if (b.pending[k][p] && !b.next[k][p].r.we)
        ids.erase(std::find(ids.begin(), ids.end(), b.next[k][p].r.id));
    }
  }
  b.fresh = true;
}

void finish_reset(Bench &b) {
  Vgmmu_mem_harness &d = b.dut;
  begin(b);
  quiet(b);
  for (uint64_t n = b.resets.cycles(); n > 1; n--) {
    drive(b);
    d.clk_i = 0;
    d.eval();
    quiet(b);
    d.clk_i = 1;
    d.eval();
    b.cycle++;
  }
  d.rst_ni = 1;
}
