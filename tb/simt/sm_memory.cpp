// SPDX-License-Identifier: Apache-2.0
// sm_memory.cpp - see sm_memory.h.
#include "sm_memory.h"

uint32_t sm_atomic(uint32_t atop, uint32_t old, const uint8_t *beat, uint32_t at) {
  uint32_t a, b;
  memcpy(&a, beat + at, 4);
  memcpy(&b, beat + (at ^ 4), 4);
  return atop == 0x20 ? old + a : atop == 0x30 ? a : old == a ? b : old;
}

SmMemory::Access *SmMemory::find(uint32_t id) {
  for (auto &a : on)
    if (a.id == id) return &a;
  return nullptr;
}

void SmMemory::perform(Access &a) {
  a.done = true;
  a.bad = a.addr >= bad_from || (a.addr & ~63u) + 64 > bytes.size();
  for (uint8_t &x : a.old) x = static_cast<uint8_t>(gmmu_rng_next(&rng)); // what nobody may look at
  if (a.bad) return;
  uint8_t *line = &bytes[a.addr & ~63u];
  if (!a.atop) memcpy(a.old, line, 64);
  if (a.atop) {
    uint32_t old, at = a.addr & 63;
    memcpy(&old, line + at, 4);
    memcpy(a.old + at, &old, 4);
    uint32_t v = sm_atomic(a.atop, old, a.data, at);
    memcpy(line + at, &v, 4);
  } else if (a.write) {
    for (uint32_t i = 0; i < 64; i++)
      if (a.strb[i]) line[i] = a.data[i];
  }
}

void SmMemory::waits(BenchWaits &w) const {
  for (auto &a : on)
    w.add("the core", "memory", "burst %u of 0x%x, atop 0x%x: done %d, R %d, B %d, data %d", a.id,
          a.addr, a.atop, a.done, a.r_done, a.b_done, a.data_here);
}

void SmMemory::drop(uint32_t id) {
  for (size_t i = 0; i < on.size(); i++)
    if (on[i].id == id && on[i].r_done && on[i].b_done) {
      on.erase(on.begin() + static_cast<long>(i));
      ids.erase(id);
      return;
    }
}

void SmMemory::take(Access a) {
  if (!ids.insert(a.id).second) fail("ID in use", a.id);
  a.at = cycle + 1 + below(2 * latency);
  on.push_back(a);
}
