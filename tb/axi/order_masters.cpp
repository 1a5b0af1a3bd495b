// SPDX-License-Identifier: Apache-2.0
// order_masters.cpp - see order_masters.h.
#include "order_masters.h"

void StrictMemory::drive(World &w) {
  Dut &d = w.dut;
  bits_set(d.m_awready_i, port, 1, aw_open && w.below(aw_slow) == 0);
  bits_set(d.m_wready_i, port, 1, w_open && w.below(w_slow) == 0);
  bits_set(d.m_arready_i, port, 1, ar_open && w.below(ar_slow) == 0);
  auto pick = [&](auto &from, int &id) {
    if (id >= 0) return;
    std::vector<uint32_t> can;
    for (auto &[i, q] : from)
      if (!q.empty() && q.front().ready <= w.cycle) can.push_back(i);
    if (!can.empty()) id = static_cast<int>(can[w.below(can.size())]);
  };
  pick(reads, r_id);
  pick(writes, b_id);
  bits_set(d.m_rvalid_i, port, 1, r_id >= 0);
  if (r_id >= 0) {
    const Answer &a = reads[static_cast<uint32_t>(r_id)].front();
    bits_set(d.m_rid_i, port * kIdW, kIdW, static_cast<uint32_t>(r_id));
    beat_set(d.m_rdata_i, port * kDataW, a.data[a.beat]);
    bits_set(d.m_rresp_i, port * 2, 2, 0);
    bits_set(d.m_rlast_i, port, 1, a.beat + 1 == a.data.size());
  }
  bits_set(d.m_bvalid_i, port, 1, b_id >= 0);
  if (b_id >= 0) bits_set(d.m_bid_i, port * kIdW, kIdW, static_cast<uint32_t>(b_id));
  bits_set(d.m_bresp_i, port * 2, 2, 0);
}

Burst StrictMemory::burst(World &w, bool write) {
  Dut &d = w.dut;
  Burst x;
  x.write = write;
  auto get = [&](auto &aw, auto &ar, uint32_t n) {
    return write ? bits_get(aw, port * n, n) : bits_get(ar, port * n, n);
  };
  x.id = static_cast<uint32_t>(get(d.m_awid_o, d.m_arid_o, kIdW));
  x.pa = get(d.m_awaddr_o, d.m_araddr_o, kPaW);
  x.len = static_cast<uint32_t>(get(d.m_awlen_o, d.m_arlen_o, 8));
  x.size = static_cast<uint32_t>(get(d.m_awsize_o, d.m_arsize_o, 3));
  x.kind = static_cast<uint32_t>(get(d.m_awburst_o, d.m_arburst_o, 2));
  return x;
}

void StrictMemory::sample(World &w) {
  Dut &d = w.dut;
  if (r_id >= 0 && bits_get(d.m_rready_o, port, 1)) {
    auto &q = reads[static_cast<uint32_t>(r_id)];
    if (++q.front().beat == q.front().data.size()) q.pop_front();
    r_id = -1;
  }
  if (b_id >= 0 && bits_get(d.m_bready_o, port, 1)) {
    writes[static_cast<uint32_t>(b_id)].pop_front();
    b_id = -1;
  }
  if (bits_get(d.m_arvalid_o, port, 1) &&
      bits_get(d.m_arready_i, port, 1)) { // before this cycle's writes
    Answer a{burst(w, false), {}, w.cycle + 1 + w.below(2 * latency)};
    for (uint32_t i = 0; i < a.b.beats(); i++) a.data.push_back(w.memory.beat(a.b.at(i, a.b.pa)));
    reads[a.b.id].push_back(a);
    ars++;
  }
  if (bits_get(d.m_awvalid_o, port, 1) && bits_get(d.m_awready_i, port, 1)) {
    aws.push_back(burst(w, true));
    awaddr = aws.back().pa, aw_count++;
  }
  if (bits_get(d.m_wvalid_o, port, 1) && bits_get(d.m_wready_i, port, 1))
    ws.push_back({beat_get(d.m_wdata_o, port * kDataW), strb_get(d.m_wstrb_o, port * kBytes)});
  while (!aws.empty() && ws.size() >= aws.front().beats()) {
    Burst &x = aws.front();
    for (uint32_t i = 0; i < x.beats(); i++, ws.pop_front())
      for (uint32_t l = 0; l < kBytes; l++)
        if (ws.front().second[l])
          w.memory.byte((x.at(i, x.pa) & ~(kBytes - 1ull)) + l) = ws.front().first[l];
    writes[x.id].push_back({x, {}, w.cycle + 1 + w.below(2 * latency)});
    aws.pop_front();
  }
}

uint8_t &Master::byte(uint32_t asid, uint64_t va) {
  auto &p = shadow[{asid, va >> 12}];
  if (p.empty()) p.assign(4096, 0);
  return p[va & 4095];
}

bool Master::may(const Op &x) const {
  if (!x.b.write) {
    for (auto &w : writes)
      if (!w->fed() && w->after.get() != &x && overlap(*w, x)) return false;
    return !(aw && overlap(*aw, x));
  }
  return !(ar && overlap(*ar, x));
}

void Master::ask(OpRef x) {
  x->b.port = port;
  if (x->b.write) {
    aw = x;
    return;
  }
  for (uint64_t a = x->low(); a <= x->high(); a++) x->want.push_back(byte(x->b.asid, a));
  x->got = x->want;
  ar = x;
}

void Master::offer(World &w) {
  Dut &d = w.dut;
  auto show = [&](OpRef &o, auto &valid, auto &id, auto &addr, auto &len, auto &size, auto &kind,
                  auto &user, auto &prot, auto &lock) {
    bits_set(valid, port, 1, o != nullptr);
    if (!o) return;
    const Burst &b = o->b;
    bits_set(id, port * kIdW, kIdW, b.id);
    bits_set(addr, port * kAddrW, kAddrW, b.va);
    bits_set(len, port * 8, 8, b.len);
    bits_set(size, port * 3, 3, b.size);
    bits_set(kind, port * 2, 2, b.kind);
    bits_set(user, port * kUserW, kUserW, b.mark ? b.mark : b.asid << 4);
    bits_set(prot, port * 3, 3, 0), bits_set(lock, port, 1, 0);
  };
  show(ar, d.s_arvalid_i, d.s_arid_i, d.s_araddr_i, d.s_arlen_i, d.s_arsize_i, d.s_arburst_i,
       d.s_aruser_i, d.s_arprot_i, d.s_arlock_i);
  show(aw, d.s_awvalid_i, d.s_awid_i, d.s_awaddr_i, d.s_awlen_i, d.s_awsize_i, d.s_awburst_i,
       d.s_awuser_i, d.s_awprot_i, d.s_awlock_i);
  bits_set(d.s_awatop_i, port * 6, 6, 0);
  bool have = !w_queue.empty() && !(w_queue.front()->after && !w_queue.front()->after->ended) &&
              (w_up || hurry || w.below(4) != 0);
  bits_set(d.s_wvalid_i, port, 1, have);
  w_up = have;
  if (have) {
    const Op &x = *w_queue.front();
    beat_set(d.s_wdata_i, port * kDataW, x.b.data[x.w_sent]);
    strb_set(d.s_wstrb_i, port * kBytes, x.b.strb[x.w_sent]);
    bits_set(d.s_wlast_i, port, 1, x.w_sent + 1 == x.b.beats());
  }
  bits_set(d.s_rready_i, port, 1, hurry || w.below(4) != 0);
  bits_set(d.s_bready_i, port, 1, hurry || w.below(4) != 0);
}

void Master::sample(World &w) {
  Dut &d = w.dut;
  auto note = [&](OpRef x) { // the fault queue may name it from now on
    const Burst &b = x->b;
    if (asked) asked->add(port, b.write, b.id, b.asid, b.va, {x, &x->ended});
  };
  if (bits_get(d.m_arvalid_o, port, 1) && bits_get(d.m_arready_i, port, 1))
    leave(reads, static_cast<uint32_t>(bits_get(d.m_arid_o, port * kIdW, kIdW)));
  if (bits_get(d.m_awvalid_o, port, 1) && bits_get(d.m_awready_i, port, 1))
    leave(writes, static_cast<uint32_t>(bits_get(d.m_awid_o, port * kIdW, kIdW)));
  if (bits_get(d.s_rvalid_o, port, 1) && bits_get(d.s_rready_i, port, 1)) {
    uint32_t id = static_cast<uint32_t>(bits_get(d.s_rid_o, port * kIdW, kIdW));
    for (auto it = reads.begin(); it != reads.end(); ++it) {
      Op &x = **it;
      if (x.b.id != id) continue;
      uint64_t at = x.b.at(x.b.r_done, x.b.va), bytes = 1ull << x.b.size,
               end = at / bytes * bytes + bytes;
      Beat data = beat_get(d.s_rdata_o, port * kDataW);
      x.refused |= bits_get(d.s_rresp_o, port * 2, 2) != 0;
      for (uint64_t a = at; a < end; a++) x.got[a - x.low()] = data[a & (kBytes - 1)];
      if (++x.b.r_done == x.b.beats()) {
        x.ended = true;
        ended++;
        refused += x.refused;
        if (!x.refused && x.got != x.want) {
          size_t k = 0;
          while (x.got[k] == x.want[k]) k++;
          wrong++;
          if (!count_only) w.fail("byte read", x.want[k], x.got[k], x.low() + k);
        }
        reads.erase(it);
      }
      break;
    }
    w.last_progress = w.cycle;
  }
  if (bits_get(d.s_bvalid_o, port, 1) && bits_get(d.s_bready_i, port, 1)) {
    uint32_t id = static_cast<uint32_t>(bits_get(d.s_bid_o, port * kIdW, kIdW));
    for (auto it = writes.begin(); it != writes.end(); ++it)
      if ((*it)->b.id == id) {
        (*it)->ended = true;
        (*it)->refused = bits_get(d.s_bresp_o, port * 2, 2) != 0;
        refused += (*it)->refused;
        ended++;
        writes.erase(it);
        break;
      }
    w.last_progress = w.cycle;
  }
  if (bits_get(d.s_arvalid_i, port, 1) && bits_get(d.s_arready_o, port, 1)) {
    for (auto &x : writes) over_write += x->fed() && !x->at_memory && overlap(*x, *ar);
    reads.push_back(ar);
    note(ar);
    ar = nullptr;
  }
  if (bits_get(d.s_wvalid_i, port, 1) && bits_get(d.s_wready_o, port, 1)) {
    Op &x = *w_queue.front();
    w_up = false;
    if (++x.w_sent == x.b.beats()) {
      if (on_fed(x))
        for (uint32_t i = 0; i < x.b.beats(); i++)
          for (uint32_t l = 0; l < kBytes; l++)
            if (x.b.strb[i][l])
              byte(x.b.asid, (x.b.at(i, x.b.va) & ~(kBytes - 1ull)) + l) = x.b.data[i][l];
      w_queue.pop_front();
    }
  }
  if (bits_get(d.s_awvalid_i, port, 1) && bits_get(d.s_awready_o, port, 1)) {
    writes.push_back(aw);
    note(aw);
    w_queue.push_back(aw);
    aw = nullptr;
  }
}

void Master::leave(std::deque<OpRef> &q, uint32_t id) {
  for (auto &x : q)
    if (x->b.id == id && !x->at_memory && !x->refused) {
      x->at_memory = true;
      return;
    }
}
