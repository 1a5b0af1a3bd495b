// SPDX-License-Identifier: Apache-2.0
// paced_memory.cpp - see paced_memory.h.
#include "paced_memory.h"

uint64_t PacedMemory::due(uint64_t now) {
  double t = free_at > static_cast<double>(now) ? free_at : static_cast<double>(now);
  free_at = t + 64 / rate;
  bursts++;
  moved += 64;
  uint64_t more = jitter ? gmmu_rng_next(&rng) % (2 * jitter + 1) : 0;
  return static_cast<uint64_t>(free_at) + latency - jitter + more;
}

uint32_t PacedMemory::atomic(uint32_t atop, uint32_t old, const uint8_t *beat, uint32_t at) {
  uint32_t a, other;
  memcpy(&a, beat + at, 4);
  memcpy(&other, beat + (at ^ 4), 4);
  return atop == 0x20 ? old + a : atop == 0x30 ? a : old == a ? other : old;
}

void PacedMemory::waits(BenchWaits &who) const {
  if (!r.empty()) who.add("the core", "memory", "%zu answers to reads", r.size());
  if (!b.empty()) who.add("the core", "memory", "%zu answers to writes", b.size());
  if (!aw.empty()) who.add("memory", "W of the core", "%zu writes", aw.size());
}

void PacedMemory::ripe_first(std::list<Answer> &q, uint64_t cycle) {
  for (auto i = q.begin(); i != q.end(); ++i) {
    if (i->at > cycle || std::any_of(q.begin(), i, [&](const Answer &a) { return a.id == i->id; }))
      continue;
    return q.splice(q.begin(), q, i);
  }
}

void PacedMemory::take(Access t, Answer &answer, uint64_t cycle) {
  if (!late) return effect(t);
  if (gmmu_rng_next(&rng) % 16 == 0) answer.at += gmmu_rng_next(&rng) % (32 * latency + 1);
  uint64_t &l = last[t.a.id * 2ull + t.writes];
  l = std::max(l, cycle + 1 + gmmu_rng_next(&rng) % (answer.at > cycle ? answer.at - cycle : 1));
  answer.at = std::max(answer.at, l);
  t.when = l;
  waiting.push_back(t);
}

void PacedMemory::effect(const Access &t) {
  uint8_t *to = line(t.a.addr);
  if (!to) return;
  if (t.read) memcpy(t.read->line, to, 64);
  if (t.writes && t.a.atop) {
    uint32_t old, at = t.a.addr & 63;
    memcpy(&old, to + at, 4);
    old = atomic(t.a.atop, old, t.x.byte, at);
    memcpy(to + at, &old, 4);
    atomics++;
  } else if (t.writes) {
    for (uint32_t i = 0; i < 64; i++)
      if (t.x.strb >> i & 1) to[i] = t.x.byte[i];
  }
}

void PacedMemory::write(const Address &a, const Data &x, uint64_t cycle) {
  b.push_back({a.id, !line(a.addr), due(cycle), {}});
  Answer *read = nullptr;
  if (a.atop) r.push_back(b.back()), read = &r.back();
  take({a, x, read, true, 0}, b.back(), cycle);
  if (read) read->at = std::max(read->at, b.back().at);
}
