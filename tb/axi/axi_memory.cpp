// SPDX-License-Identifier: Apache-2.0
// axi_memory.cpp - see axi_memory.h.
#include "axi_memory.h"

void WalkMemory::drive(World &w) {
  Dut &d = w.dut;
  d.w_arready_i = w.below(4) != 0;
  if (showing < 0 && !reads.empty() && !bench_hangs(w.cycle)) {
    int pick = static_cast<int>(w.below(reads.size()));
    if (reads[static_cast<size_t>(pick)].at <= w.cycle) {
      Read &r = reads[static_cast<size_t>(showing = pick)];
      if (!r.beat) r.bad = error_in && w.below(error_in) == 0;
      if (!r.beat) r.refusal = 2 + static_cast<uint32_t>(w.cycle % 2);
    }
  }
  d.w_rvalid_i = showing >= 0;
  if (showing < 0) return;
  const Read &r = reads[static_cast<size_t>(showing)];
  d.w_rid_i = r.id;
  if (kWalkW <= 64) {
    bits_set(d.w_rdata_i, 0, kWalkW,
             (r.bad && !true_data ? gmmu_rng_next(&w.rng) : w.memory.word(r.pa)) >> (32 * r.beat));
  } else { // the lane of the PTE; a read of a whole line: all
    uint64_t base = r.pa & ~(kWalkW / 8 - 1ull);
    for (uint32_t lane = 0; lane < kWalkW / 64; lane++) {
      uint64_t at = base + 8 * lane;
      bits_set(d.w_rdata_i, 64 * lane, 64,
               (r.bad && !true_data) || (at != r.pa && !r.line) ? gmmu_rng_next(&w.rng)
                                                                : w.memory.word(at));
    }
  }
  d.w_rresp_i = r.bad && (r.beat == 0) == (r.pa & 8) / 8 ? r.refusal
                : r.bad && kWalkW >= 64                  ? r.refusal
                                                         : 0; // of two beats one has the error
  d.w_rlast_i = kWalkW >= 64 || r.beat == 1;
}

void WalkMemory::waits(BenchWaits &w) const {
  if (!reads.empty())
    w.add("the walker", "the memory of page tables", "%zu reads, %" PRIu64 " answered before",
          reads.size(), served);
}

void WalkMemory::sample(World &w) {
  Dut &d = w.dut;
  if (d.w_rvalid_i && d.w_rready_o && !d.w_rlast_i) {
    reads[static_cast<size_t>(showing)].beat = 1;
    if (w.below(4) == 0) showing = -1;
  } else if (d.w_rvalid_i && d.w_rready_o) {
    reads.erase(reads.begin() + showing);
    showing = -1;
    served++;
  }
  if (d.w_arvalid_o && d.w_arready_i)
    reads.push_back(
        {d.w_arid_o, d.w_araddr_o, w.cycle + 1 + w.below(2 * latency), d.w_arsize_o == 6});
}

#ifndef GMMU_TB_NATIVE_ONLY // no AXI ports, no coalescer

void EngineMemory::drive(World &w) {
  Dut &d = w.dut;
  d.p_arready_i = w.below(3) != 0;
  d.p_awready_i = w.below(3) != 0 && (!together || d.p_wvalid_o || !data.empty());
  d.p_wready_i = w.below(3) != 0 && (!together || d.p_awvalid_o || !writes.empty());
  if (!d.p_rvalid_i || d.p_rready_o) bad = error_in && w.below(error_in) == 0; // of each beat
  bool reading =
      !reads.empty() && w.cycle >= reads.front().ready && (d.p_rvalid_i || w.below(8) != 0);
  d.p_rvalid_i = reading;
  d.p_rresp_i = bad ? 2 + w.cycle % 2 : reading && reads.front().lock ? 1 : 0;
  d.p_rlast_i = reading && beat + 1 == reads.front().beats;
  d.p_rdata_i =
      bad || !reading ? gmmu_rng_next(&w.rng) : w.memory.word(reads.front().at + 8 * beat);
  d.p_bvalid_i = !answers.empty() && w.cycle >= answers.front().first;
  d.p_bresp_i = d.p_bvalid_i ? static_cast<uint8_t>(answers.front().second) : 0;
}

void EngineMemory::sample(World &w) {
  Dut &d = w.dut;
  failed += d.p_rvalid_i && d.p_rready_o && d.p_rresp_i >= 2;
  if (d.p_rvalid_i && d.p_rready_o && reads.front().lock) broken += d.p_rresp_i >= 2;
  if (d.p_rvalid_i && d.p_rready_o && reads.front().lock && d.p_rresp_i == 1)
    marked_at = reads.front().at, marked = d.p_rdata_i;
  if (d.p_rvalid_i && d.p_rready_o && ++beat == reads.front().beats) reads.pop_front(), beat = 0;
  if (d.p_bvalid_i && d.p_bready_o) answers.pop_front();
  if (d.p_arvalid_o && d.p_arready_i)
    reads.push_back({d.p_araddr_o, w.cycle + w.below(12), d.p_arlen_o + 1u, d.p_arlock_o != 0});
  if (d.p_awvalid_o && d.p_awready_i)
    writes.push_back({d.p_awaddr_o, 0, d.p_awlen_o + 1u, d.p_awlock_o != 0});
  if (d.p_wvalid_o && d.p_wready_i) data.push_back(d.p_wdata_o);
  if (writes.empty() || data.size() < writes.front().beats) return;
  bool error = (error_in && w.below(error_in) == 0) || (b_error_in && w.below(b_error_in) == 0),
       lock = writes.front().lock, lost = false;
  if ((w.is_table || lock) && writes.front().beats == 1) {
    uint64_t at = writes.front().at, old = w.memory.word(at), now = data.front(),
             ad = GMMU_PTE_A | GMMU_PTE_D;
    if (!lock) w.fail("a PTE is written by a plain access", 1, 0, at);
    if (marked_at != at) w.fail("an exclusive write of what was not read so", marked_at, at, at);
    lost = old != marked || w.below(8) == 0;
    refused += !error && lost;
    exclusive += !error && !lost;
    if (!error && !lost && (old & ad & ~now)) w.fail("A or D of a PTE is lost", old, now, at);
    if (!error && !lost && (now & ~old & GMMU_PTE_D)) {
      dirtied++;
      if (on_dirty) on_dirty(w, at);
    }
    marked_at = ~0ull;
  }
  for (uint32_t i = 0; i < writes.front().beats; i++, data.pop_front())
    if (!error && !lost) w.memory.put(writes.front().at + 8 * i, data.front());
  failed += error;
  writes.pop_front();
  answers.push_back({w.cycle + w.below(8), error ? 2u + w.cycle % 2 : lock && !lost ? 1u : 0u});
  together = w.below(2);
}

bool atomic(uint32_t atop, uint8_t *to, const Beat &data, uint64_t a) {
  uint32_t n = atop == kAtomCompare ? kCompareBytes : kAtomBytes;
  uint64_t old = 0, sent = 0;
  memcpy(&old, to, n);
  memcpy(&sent, &data[a & (kBytes - 1)], n);
  if (atop == kAtomCompare) {
    if (old == sent) memcpy(to, &data[(a ^ n) & (kBytes - 1)], n);
    return old == sent;
  }
  if (atop == kAtomAdd) sent += old;
  memcpy(to, &sent, n);
  return true;
}

void PortMemory::drive(World &w) {
  Dut &d = w.dut;
  // Now and then it takes nothing for a while: bursts are held at its door.
  if (!fast && w.below(shut_one_in) == 0) shut_until = w.cycle + 50 + w.below(shut_cycles);
  bool open = fast || w.cycle >= shut_until;
  bool held = together && !bits_get(d.m_wvalid_o, port, 1) && w_early.empty();
  auto full = [&](auto &from) {
    if (one)
      for (auto &[i, q] : from)
        if (!q.empty()) return true;
    return false;
  };
  bits_set(d.m_awready_i, port, 1, fast || (open && !held && !full(writes) && aw.now(w)));
  bits_set(d.m_wready_i, port, 1, fast || this->w.now(w));
  bits_set(d.m_arready_i, port, 1,
           doors >= 0 ? doors > 0 : fast || (open && !full(reads) && ar.now(w)));
  if (!r_on && (r_on = pick(w, reads, true, r_id))) { // what is shown stays
    const Burst &b = *reads[r_id].front();
    r_data = b.refused                 ? random_beat(w.rng)
             : b.old.size() > b.r_sent ? b.old[b.r_sent]
                                       : w.memory.beat(b.at(b.r_sent, b.pa));
  }
  if (!b_on) b_on = pick(w, writes, false, b_id);
  bits_set(d.m_rvalid_i, port, 1, r_on);
  if (r_on) {
    Burst &b = *reads[r_id].front();
    bits_set(d.m_rid_i, port * kIdW, kIdW, r_id);
    beat_set(d.m_rdata_i, port * kDataW, r_data);
    bits_set(d.m_rresp_i, port * 2, 2, b.refused ? b.refusal : 0);
    bits_set(d.m_rlast_i, port, 1, b.r_sent + 1 == b.r_beats());
    bits_set(d.m_ruser_i, port * kUserW, kUserW, b.mark);
  }
  bits_set(d.m_bvalid_i, port, 1, b_on);
  if (b_on) {
    bits_set(d.m_bid_i, port * kIdW, kIdW, b_id);
    bits_set(d.m_bresp_i, port * 2, 2,
             writes[b_id].front()->refused ? writes[b_id].front()->refusal : 0);
    bits_set(d.m_buser_i, port * kUserW, kUserW, writes[b_id].front()->mark);
  }
}

bool PortMemory::pick(World &w, std::map<uint32_t, std::deque<Ref>> &from, bool read,
                      uint32_t &id) {
  std::vector<uint32_t> can;
  auto may = [&](const Burst &x) {
    if (read && !x.write) return true;
    if (!x.applied) return false;
    if (r_first && x.returns()) return read || x.r_sent == x.r_beats();
    return !read || w.below(x.number % 2 ? 40 : 2) == 0;
  };
  for (auto &[i, q] : from)
    if (!q.empty() && q.front()->b_at <= w.cycle && may(*q.front())) can.push_back(i);
  if (can.empty() || (!fast && !answer.now(w))) return false;
  id = can[w.below(can.size())];
  if (in_order || !interleaves) {
    uint64_t first = ~0ull; // the burst that has begun; else the oldest
    for (auto &[i, q] : from)
      if (!q.empty()) first = std::min(first, read && q.front()->r_sent ? 0 : q.front()->number);
    for (auto &[i, q] : from)
      if (!q.empty() && (read && q.front()->r_sent ? 0 : q.front()->number) == first &&
          (in_order || first == 0))
        id = i;
    for (uint32_t i : can)
      if (i == id) return true;
    return false;
  }
  return true;
}

void PortMemory::issued(World &w, Ref b) {
  if (!b->write && doors > 0) doors--;
  b->b_at = w.cycle + (fast ? 1 : 1 + w.below(2 * latency));
  b->number = ++taken;
  for (uint32_t i = 0; as_accepted && !b->write && i < b->beats(); i++)
    b->old.push_back(w.memory.beat(b->at(i, b->pa)));
  if (b->returns()) reads[b->id].push_back(b);
  if (b->write) {
    writes[b->id].push_back(b);
    w_order.push_back(b);
  }
}

void PortMemory::sample(World &w) {
  Dut &d = w.dut;
  if (r_on && bits_get(d.m_rready_o, port, 1)) {
    r_on = false;
    auto &q = reads[r_id];
    if (++q.front()->r_sent == q.front()->r_beats()) q.pop_front();
  }
  if (b_on && bits_get(d.m_bready_o, port, 1)) {
    b_on = false;
    writes[b_id].pop_front();
  }
  if (bits_get(d.m_wvalid_o, port, 1) && bits_get(d.m_wready_i, port, 1))
    w_early.push_back({beat_get(d.m_wdata_o, port * kDataW), strb_get(d.m_wstrb_o, port * kBytes),
                       bits_get(d.m_wlast_o, port, 1) != 0,
                       static_cast<uint32_t>(bits_get(d.m_wuser_o, port * kUserW, kUserW))});
  while (!w_early.empty() && !w_order.empty()) {
    Burst &b = *w_order.front();
    auto [data, strb, last, user] = w_early.front();
    w_early.pop_front();
    if (b.unknown && b.data.size() < b.beats()) b.data.push_back(data), b.strb.push_back(strb);
    if (b.w_done < b.beats()) {
      const Beat &want = b.data[b.w_done], &lanes = b.strb[b.w_done];
      for (uint32_t i = 0; i < kBytes; i++) {
        if (strb[i] != lanes[i]) w.fail("WSTRB at memory", lanes[i], strb[i], b.va + i);
        if (lanes[i] && data[i] != want[i]) w.fail("WDATA at memory", want[i], data[i], b.va + i);
      }
      if (!b.unknown && user != b.w_user(b.w_done))
        w.fail("WUSER at memory", b.w_user(b.w_done), user, b.va);
      b.w_done++;
    }
    if (last != (b.w_done == b.beats()))
      w.fail("WLAST at memory", b.w_done == b.beats(), !b.w_done, b.va);
    if (b.w_done == b.beats()) {
      apply(w, b);
      if (on_apply) on_apply(w_order.front());
      w_order.pop_front();
      together = w.below(2);
    }
  }
}

void PortMemory::apply(World &w, Burst &b) {
  b.applied = true;
  if (b.atop & 0x20) {
    for (uint32_t i = 0; i < b.beats(); i++) b.old.push_back(w.memory.beat(b.at(i, b.pa)));
    if (!b.refused)
      for (uint32_t i = 0; i < b.beats(); i++)
        swapped += atomic(b.atop, &w.memory.byte(b.at(i, b.pa)), b.data[i], b.at(i, b.pa)) &&
                   b.atop == kAtomCompare;
  } else if (!b.refused) {
    for (uint32_t i = 0; i < b.beats(); i++) {
      uint64_t base = b.at(i, b.pa) & ~(kBytes - 1ull);
      for (uint32_t l = 0; l < kBytes; l++)
        if (b.strb[i][l]) w.memory.byte(base + l) = b.data[i][l];
    }
  }
}

Ref burst_at_memory(World &w, uint32_t p, bool write) {
  Dut &d = w.dut;
  auto is = [&](auto &aw, auto &ar) { return bits_get(aw, p, 1) && bits_get(ar, p, 1); };
  if (!(write ? is(d.m_awvalid_o, d.m_awready_i) : is(d.m_arvalid_o, d.m_arready_i)))
    return nullptr;
  auto get = [&](auto &aw, auto &ar, uint32_t n) {
    return write ? bits_get(aw, p * n, n) : bits_get(ar, p * n, n);
  };
  auto b = std::make_shared<Burst>();
  b->write = write, b->unknown = true, b->port = p, b->since = w.cycle;
  b->id = static_cast<uint32_t>(get(d.m_awid_o, d.m_arid_o, kIdW));
  b->pa = get(d.m_awaddr_o, d.m_araddr_o, kPaW);
  b->len = static_cast<uint32_t>(get(d.m_awlen_o, d.m_arlen_o, 8));
  b->size = static_cast<uint32_t>(get(d.m_awsize_o, d.m_arsize_o, 3));
  b->kind = static_cast<uint32_t>(get(d.m_awburst_o, d.m_arburst_o, 2));
  b->atop = write ? static_cast<uint32_t>(bits_get(d.m_awatop_o, p * 6, 6)) : 0;
  b->mark = static_cast<uint32_t>(get(d.m_awuser_o, d.m_aruser_o, kUserW));
  return b;
}

#endif
