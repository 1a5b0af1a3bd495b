// SPDX-License-Identifier: Apache-2.0
// axi_traffic.cpp - random bursts and native requests, and what is checked of each (axi_traffic.h).
#include "axi_traffic.h"

uint64_t Bench::leaf(uint32_t asid, uint64_t va) {
  uint64_t table = drv.root[asid];
  for (int level = 2; level > 0; level--) {
    uint64_t pte = memory.word(table + (va >> (12 + 9 * level) & 511) * 8);
    if (!(pte & GMMU_PTE_V || (moving && pte)) || pte & (GMMU_PTE_R | GMMU_PTE_X) || pte >> 63)
      return 0;
    table = GMMU_PTE_PPN(pte) << 12;
  }
  return table + (va >> 12 & 511) * 8;
}

uint64_t Bench::frame() {
  auto it = free_frames.begin();
  std::advance(it, below(free_frames.size()));
  uint64_t f = *it;
  free_frames.erase(it);
  return f;
}

void Bench::lock(const Burst &b, int by) {
  for (uint64_t k = b.low(b.va) >> 6; k <= b.high(b.va) >> 6; k++) {
    int &l = locks[{b.asid, k}];
    if (b.write) l = by > 0 ? -1 : 0;
    else l += by;
  }
}

bool Bench::may_lock(const Burst &b) {
  for (uint64_t k = b.low(b.va) >> 6; k <= b.high(b.va) >> 6; k++) {
    int l = locks[{b.asid, k}];
    if (b.write ? l != 0 : l < 0) return false;
  }
  return true;
}

int cause_of(const Page &p, uint32_t access, bool user) {
  if (!p.mapped) return GMMU_PF_INVALID;
  if (p.pfn << 12 >= kOutside) return GMMU_AF_PPN_WINDOW;
  return permits(p, access, user) ? 0 : GMMU_PERM;
}

namespace {
/// A page for an access: half of them of the scattered ones, or anywhere; of native requests a
/// quarter where no AXI port reaches.
Page *pick_page(Bench &b, uint32_t asid, uint32_t access, bool native) {
  std::vector<Page *> mine;
  const bool own = native && !b.where && b.below(4) == 0;
  for (auto &p : b.pages)
    if (p.asid == asid && !p.held && (own ? p.native : native || !p.native) &&
        (!b.where || (p.mapped && permits(p, access, true))))
      mine.push_back(&p);
  if (mine.empty()) return nullptr;
  return mine[b.below(b.below(2) && mine.size() > kScattered ? kScattered : mine.size())];
}

/// Makes it one that breaks a rule of AXI: it leaves its 4 KiB, often by its last beat alone; type
/// 3; a WRAP burst of more, where beats are wide enough.
void break_a_rule(Bench &b, Burst &x, uint64_t page) {
  const bool wraps = kBytes >= 32 && b.below(3) == 0;
  x.kind = wraps ? 2 : b.below(2) ? 3 : 1;
  x.atop = 0;
  if (x.kind == 3) return;
  const uint64_t bytes = 1ull << x.size;
  if (wraps) {
    x.size = kMaxSize, x.len = 255;
    x.va = page + (b.below(4096) & ~(kBytes - 1ull));
    return;
  }
  const uint64_t inside = b.below(std::min<uint64_t>(256, 4096 / bytes)) + 1; // beats in the page
  x.len = static_cast<uint32_t>(b.below(2) ? inside : inside + b.below(256 - inside + 1));
  x.len = std::min(x.len, 255u);
  x.va = page + 4096 - std::min<uint64_t>(inside, x.len) * bytes;
  if (b.below(4) == 0) x.va += b.below(bytes); // unaligned
  x.want_cause = GMMU_BUS_BURST;
}

Ref new_burst(Bench &b, uint32_t port, bool write) {
  auto r = std::make_shared<Burst>();
  Burst &x = *r;
  x.port = port;
  x.write = write;
  x.id = static_cast<uint32_t>(b.below(kIds)) * 3;
  x.asid = port == 1 ? b.asids[b.below(2)] : b.port_asid[port];
  x.mark = port == 1 ? x.asid << 4 | static_cast<uint32_t>(b.below(16))
                     : static_cast<uint32_t>(b.below(256));
  x.prot2 = !b.where && b.below(8) == 0;
  x.fetch = !write && (b.port_fetch[port] ? b.port_fetch[port] == 2 : x.prot2);
  Page *at = pick_page(b, x.asid, x.access(), false);
  if (!at) return nullptr;
  Page &p = *at;
  x.size = b.below(3) ? kMaxSize : static_cast<uint32_t>(b.below(kMaxSize + 1));
  uint64_t bytes = 1ull << x.size;
  switch (b.below(8)) {
    case 0: x.kind = 0, x.len = static_cast<uint32_t>(b.below(4)); break;
    case 1: x.kind = 2, x.len = (2u << b.below(4)) - 1; break;
    default:
      x.kind = 1, x.len = b.below(2) ? 0 : static_cast<uint32_t>(b.below(b.below(8) ? 16 : 64));
      break;
  }
  uint64_t total = bytes * x.beats(),
           room = x.kind == 0 ? 4096 - bytes : 4096 - (total > 4096 ? 4096 : total);
  if (x.kind != 0 && total > 4096) x.len = static_cast<uint32_t>(4096 / bytes - 1), room = 0;
  x.va = p.va + b.below(room / bytes + 1) * bytes;
  if (x.kind == 1 && x.va + total <= p.va + 4096 && b.below(4) == 0)
    x.va += b.below(bytes); // unaligned first beat
  // An atomic's ID must not be in use: 1 and 2 are theirs.
  uint32_t alone = 1 + static_cast<uint32_t>(b.below(2));
  if (write && x.kind == 1 && b.below(3) == 0 && !b.error_mode && b.open_w[port][alone].empty()) {
    x.id = alone;
    x.atop = b.below(3) ? b.below(2) ? kAtomAdd : kAtomSwap : kAtomCompare;
    uint32_t operand = x.atop == kAtomCompare ? kCompareBytes : kAtomBytes;
    x.len = 0, x.size = log2_of(x.atop == kAtomCompare ? 2 * operand : operand);
    x.va &= ~(operand - 1ull);
    if (x.atop == kAtomCompare && x.va & operand) x.kind = 2; // the upper half: WRAP
  }
  // nobody lets a supervisor execute a page of a frame that is one translation, or any but now
  if (x.fetch && !x.user() && !b.error_mode && (p.fixed || !b.odd || b.below(4))) {
    if (b.port_fetch[port] == 2) return nullptr;
    x.fetch = x.prot2 = false;
  }
  const bool odd = b.odd && x.asid && b.below(30) == 0;
  if (odd) break_a_rule(b, x, p.va);
  x.refused = b.bad_memory && b.below(50) == 0;
  x.refusal = 2 + static_cast<uint32_t>(b.cycle % 2);
  for (uint32_t i = 0; write && i < x.beats(); i++) {
    const auto [low, end] = x.lanes(i);
    Beat strb{};
    for (uint64_t l = low; l < end; l++) strb[l] = b.below(8) || x.atop;
    x.strb.push_back(strb);
    x.data.push_back(random_beat(b.rng));
  }
  if (x.atop == kAtomCompare && b.below(2)) // equal, unless it fails or the bytes change before
    memcpy(&x.data[0][x.va & (kBytes - 1)], &p.content[x.va & 4095], kCompareBytes);
  if (!b.fuzzing && !b.may_lock(x)) return nullptr;
  if (b.error_mode) { // what must become of it follows from the tables, which rest
    x.want_cause = cause_of(p, x.access(), x.user());
    if (kAddrW > 38 && !odd && x.asid && b.below(10) == 0) { // one bit above Sv39's lower half
      x.va ^= 1ull << (38 + b.below(kAddrW - 38));
      x.want_cause = GMMU_NON_CANONICAL;
    }
  }
  if (odd) x.want_cause = GMMU_BUS_BURST;
  if (!b.fuzzing) b.lock(x, 1);
  if (Page *g = b.page(x.asid, x.va)) g->busy++;
  x.since = b.cycle;
  b.made++;
  return r;
}

} // namespace

void offer(Bench &b) {
  auto &d = b.dut;
  for (uint32_t p = 0; p < kPorts; p++) {
    bool go = b.traffic && b.made < b.target;
    if (!b.ar[p] && go && b.below(4) == 0) b.ar[p] = new_burst(b, p, false);
    if (!b.aw[p] && go && b.below(4) == 0) b.aw[p] = new_burst(b, p, true);
    auto show = [&](Ref &r, auto &valid, auto &id, auto &addr, auto &len, auto &size, auto &kind,
                    auto &prot, auto &user, auto &cache, auto &qos, auto &region, auto &lck) {
      bits_set(valid, p, 1, r != nullptr);
      if (!r) return;
      bits_set(id, p * kIdW, kIdW, r->id);
      bits_set(addr, p * kAddrW, kAddrW, r->va);
      bits_set(len, p * 8, 8, r->len);
      bits_set(size, p * 3, 3, r->size);
      bits_set(kind, p * 2, 2, r->kind);
      bits_set(prot, p * 3, 3, (r->user() ? 0 : 1) | (r->prot2 ? 4 : 0));
      bits_set(user, p * kUserW, kUserW, r->mark);
      bits_set(cache, p * 4, 4, r->va >> 6 & 15);
      bits_set(qos, p * 4, 4, r->va >> 7 & 15);
      bits_set(region, p * 4, 4, r->va >> 8 & 15);
      bits_set(lck, p, 1, r->va >> 9 & 1);
    };
    show(b.ar[p], d.s_arvalid_i, d.s_arid_i, d.s_araddr_i, d.s_arlen_i, d.s_arsize_i, d.s_arburst_i,
         d.s_arprot_i, d.s_aruser_i, d.s_arcache_i, d.s_arqos_i, d.s_arregion_i, d.s_arlock_i);
    show(b.aw[p], d.s_awvalid_i, d.s_awid_i, d.s_awaddr_i, d.s_awlen_i, d.s_awsize_i, d.s_awburst_i,
         d.s_awprot_i, d.s_awuser_i, d.s_awcache_i, d.s_awqos_i, d.s_awregion_i, d.s_awlock_i);
    if (b.aw[p]) bits_set(d.s_awatop_i, p * 6, 6, b.aw[p]->atop);
    // W of accepted bursts in their order; once offered it stays
    bool have = !b.w_queue[p].empty() && (b.w_up[p] || b.straight || b.below(4) != 0);
    bits_set(d.s_wvalid_i, p, 1, have);
    b.w_up[p] = have;
    if (have) {
      Burst &x = *b.w_queue[p].front();
      beat_set(d.s_wdata_i, p * kDataW, x.data[x.w_sent]);
      strb_set(d.s_wstrb_i, p * kBytes, x.strb[x.w_sent]);
      bits_set(d.s_wlast_i, p, 1, x.w_sent + 1 == x.beats());
      bits_set(d.s_wuser_i, p * kUserW, kUserW, x.w_user(x.w_sent));
    }
    bits_set(d.s_rready_i, p, 1, b.straight || b.below(4) != 0);
    bits_set(d.s_bready_i, p, 1, b.straight || b.below(4) != 0);
  }
  // native port: a random tag that is free
  if (b.native_showing < 0 && !b.native_rests && b.traffic && b.made < b.target && !b.fuzzing &&
      b.below(6) == 0) {
    uint32_t tag = static_cast<uint32_t>(b.below(16));
    if (!b.native[tag].valid) {
      uint32_t access = b.below(3) ? 0u : b.below(3) || b.where ? 1u : 2u;
      if (Page *p = pick_page(b, b.port_asid[kNative], access, true)) {
        b.native[tag] = {true, p->va + b.below(4096), b.cycle, access, p->asid};
        b.native_showing = static_cast<int>(tag);
        p->busy++;
        if (b.error_mode) b.native[tag].want_cause = cause_of(*p, access, true);
      }
    }
  }
  d.n_req_valid_i = b.native_showing >= 0;
  if (b.native_showing >= 0) {
    const Native &n = b.native[b.native_showing];
    bits_set(d.n_req_va_i, 0, 64, n.va);
    d.n_req_access_i = n.access;
    d.n_req_user_i = 1;
    d.n_req_asid_i = n.asid;
    d.n_req_warp_i = static_cast<uint32_t>(b.native_showing) & 3;
    d.n_req_tag_i = static_cast<uint32_t>(b.native_showing);
  }
  // Sometimes the client takes nothing for long, so that errors wait when a command is
  // acknowledged.
  if (b.native_sleeps) b.native_sleeps--;
  else if (b.error_mode && b.below(200) == 0) b.native_sleeps = b.below(200);
  d.n_rsp_ready_i = !b.native_sleeps && b.below(3) != 0;
}

namespace {
/// The burst at the master side is the oldest of its ID that was not issued, and goes where the
/// tables say.
void check_issue(Bench &b, uint32_t p, bool write) {
  auto &d = b.dut;
  uint32_t id = static_cast<uint32_t>(write ? bits_get(d.m_awid_o, p * kIdW, kIdW)
                                            : bits_get(d.m_arid_o, p * kIdW, kIdW));
  uint64_t pa =
      write ? bits_get(d.m_awaddr_o, p * kPaW, kPaW) : bits_get(d.m_araddr_o, p * kPaW, kPaW);
  auto &q = write ? b.unissued_w[p][id] : b.unissued_r[p][id];
  while (!q.empty() && q.front()->over) q.pop_front(); // ended in the MMU before
  if (q.empty()) return b.fail("burst at memory that nobody asked for", 0, id, pa);
  Ref r = q.front();
  q.pop_front();
  Burst &x = *r;
  auto get = [&](auto &aw, auto &ar, uint32_t w) {
    return write ? bits_get(aw, p * w, w) : bits_get(ar, p * w, w);
  };
  if (get(d.m_awlen_o, d.m_arlen_o, 8) != x.len)
    b.fail("AxLEN", x.len, get(d.m_awlen_o, d.m_arlen_o, 8), x.va);
  if (get(d.m_awsize_o, d.m_arsize_o, 3) != x.size)
    b.fail("AxSIZE", x.size, get(d.m_awsize_o, d.m_arsize_o, 3), x.va);
  if (get(d.m_awburst_o, d.m_arburst_o, 2) != x.kind)
    b.fail("AxBURST", x.kind, get(d.m_awburst_o, d.m_arburst_o, 2), x.va);
  if (get(d.m_awuser_o, d.m_aruser_o, kUserW) != x.mark)
    b.fail("AxUSER", x.mark, get(d.m_awuser_o, d.m_aruser_o, kUserW), x.va);
  uint64_t rest = get(d.m_awcache_o, d.m_arcache_o, 4) | get(d.m_awqos_o, d.m_arqos_o, 4) << 4 |
                  get(d.m_awregion_o, d.m_arregion_o, 4) << 8 |
                  get(d.m_awlock_o, d.m_arlock_o, 1) << 12 |
                  get(d.m_awprot_o, d.m_arprot_o, 3) << 13;
  uint64_t want_rest = (x.va >> 6 & 15) | (x.va >> 7 & 15) << 4 | (x.va >> 8 & 15) << 8 |
                       (x.va >> 9 & 1) << 12 | (x.va >> 10 & 1) << 13 | (x.prot2 ? 1u << 15 : 0u);
  if (rest != want_rest) b.fail("AxCACHE, QOS, REGION, LOCK, PROT", want_rest, rest, x.va);
  if (write && bits_get(d.m_awatop_o, p * 6, 6) != x.atop)
    b.fail("AWATOP", x.atop, bits_get(d.m_awatop_o, p * 6, 6), x.va);
  if (b.fuzzing) {
    bool inside = x.since <= b.pass_until[p];
    for (auto &[first, last] : b.ever_open) inside |= pa >> 12 >= first && pa >> 12 <= last;
    if (!inside) b.fail("a burst outside all windows that were ever open", 0, pa, x.va);
    x.issued = true;
    x.pa = pa;
    b.wild++;
    return b.mem[p].issued(b, r);
  }
  Page *g = b.page(x.asid, x.va);
  uint64_t at = 0;
  bool now = b.where ? b.where(x.asid, x.va, &at) && pa >> 12 == at >> 12
                     : g && g->mapped && pa >> 12 == g->pfn &&
                           (permits(*g, x.access(), x.user()) || g->leaving);
  bool old = !b.where && g && g->leaving && pa >> 12 == g->old_pfn;
  if (!(now || old) || (pa & 4095) != (x.va & 4095))
    b.fail("physical address", b.where ? at : g ? g->pfn << 12 | (x.va & 4095) : 0, pa, x.va);
  if (x.want_cause)
    b.fail("a burst that must end in the MMU was issued", static_cast<uint64_t>(x.want_cause), pa,
           x.va);
  x.issued = true;
  x.pa = pa;
  b.issued++;
  b.passed += x.asid == 0; // only while a port passes through
  b.last_asid = x.asid, b.last_va = x.va;
  b.mem[p].issued(b, r);
}

void complete(Bench &b, uint32_t p, Ref r) {
  Burst &x = *r;
  if (x.write && !x.b_done) return;
  if (x.returns() && x.r_done < x.r_beats()) return;
  if (!b.fuzzing) b.lock(x, -1);
  if (Page *g = b.page(x.asid, x.va)) g->busy--;
  x.over = true;
  auto &q = x.write ? b.open_w[p][x.id] : b.open_r[p][x.id];
  for (auto it = q.begin(); it != q.end(); ++it)
    if (*it == r) {
      q.erase(it);
      break;
    }
  b.done++;
  b.atomics += x.atop != 0;
  b.last_progress = b.cycle;
}

uint32_t want_resp(const Burst &x) {
  if (!x.want_cause) return x.refused ? x.refusal : 0;
  return x.want_cause >= GMMU_AF_WALK_WINDOW && x.want_cause <= GMMU_AF_MEM ? 3 : 2;
}

/// The fault queue may name it from now on.
void note(Bench &b, uint32_t port, Ref r) {
  if (!b.fuzzing) b.asked.add(port, r->write, r->id, r->asid, r->va, {r, &r->over});
}

void sample(Bench &b) {
  auto &d = b.dut;
  for (uint32_t p = 0; p < kPorts; p++) {
    if (bits_get(d.m_arvalid_o, p, 1) && bits_get(d.m_arready_i, p, 1)) check_issue(b, p, false);
    if (bits_get(d.m_awvalid_o, p, 1) && bits_get(d.m_awready_i, p, 1)) check_issue(b, p, true);
    if (bits_get(d.s_rvalid_o, p, 1) && bits_get(d.s_rready_i, p, 1)) {
      uint32_t id = static_cast<uint32_t>(bits_get(d.s_rid_o, p * kIdW, kIdW));
      Ref r;
      for (auto &x : b.open_w[p][id])
        if (x->atop && x->r_done < x->r_beats()) r = x;
      if (!r && !b.open_r[p][id].empty()) r = b.open_r[p][id].front();
      if (!r) {
        b.fail("R for no read", 0, id, 0);
      } else {
        Burst &x = *r;
        Beat data = beat_get(d.s_rdata_o, p * kDataW);
        uint64_t resp = bits_get(d.s_rresp_o, p * 2, 2);
        if (b.fuzzing) resp = want_resp(x);
        if (resp != want_resp(x)) b.fail("RRESP", want_resp(x), resp, x.va);
        if (!b.fuzzing && !x.want_cause && !x.issued)
          b.fail("R of a burst that memory has not seen", 1, 0, x.va);
        if (x.want_cause) {
          if (data != Beat{}) b.fail("RDATA of a burst that ended in the MMU", 0, 1, x.va);
          if (!b.fuzzing && bits_get(d.s_ruser_o, p * kUserW, kUserW))
            b.fail("RUSER of a burst that ended in the MMU", 0, 1, x.va);
          if (b.error_mode && !d.irq_o) b.fail("error response before the interrupt", 1, 0, x.va);
        } else if (!x.refused && !b.fuzzing) {
          uint64_t base = x.at(x.r_done, x.va), bytes = 1ull << x.size,
                   end = x.atop == kAtomCompare ? base + bytes / 2 : base / bytes * bytes + bytes;
          if (bits_get(d.s_ruser_o, p * kUserW, kUserW) != x.mark)
            b.fail("RUSER", x.mark, bits_get(d.s_ruser_o, p * kUserW, kUserW), x.va);
          for (uint64_t a = base; a < end; a++) {
            uint8_t got = data[a & (kBytes - 1)];
            uint8_t want =
                x.atop ? x.old[x.r_done][a & (kBytes - 1)] : b.page(x.asid, a)->content[a & 4095];
            if (got != want) {
              b.fail("byte read", want, got, a);
              break;
            }
          }
        }
        x.r_done++;
        if (bits_get(d.s_rlast_o, p, 1) != (x.r_done == x.r_beats()))
          b.fail("RLAST", x.r_done == x.r_beats(), x.r_done, x.va);
        if (x.r_done == x.r_beats() && x.want_cause) b.ended[x.want_cause == GMMU_AF_PPN_WINDOW]++;
        complete(b, p, r);
      }
    }
    if (bits_get(d.s_bvalid_o, p, 1) && bits_get(d.s_bready_i, p, 1)) {
      uint32_t id = static_cast<uint32_t>(bits_get(d.s_bid_o, p * kIdW, kIdW));
      Ref r;
      for (auto &x : b.open_w[p][id])
        if (!x->b_done) {
          r = x;
          break;
        }
      if (!r) {
        b.fail("B for no write", 0, id, 0);
      } else {
        Burst &x = *r;
        if (!b.fuzzing && bits_get(d.s_bresp_o, p * 2, 2) != want_resp(x))
          b.fail("BRESP", want_resp(x), bits_get(d.s_bresp_o, p * 2, 2), x.va);
        const uint64_t user = x.want_cause ? 0 : x.mark;
        if (!b.fuzzing && bits_get(d.s_buser_o, p * kUserW, kUserW) != user)
          b.fail("BUSER", user, bits_get(d.s_buser_o, p * kUserW, kUserW), x.va);
        if (x.w_sent != x.beats()) b.fail("B before the last W", x.beats(), x.w_sent, x.va);
        if (!b.fuzzing && !x.want_cause && !x.applied)
          b.fail("B before memory was written", 1, 0, x.va);
        if (x.want_cause) b.ended[2 + (x.want_cause == GMMU_AF_PPN_WINDOW)]++;
        x.b_done = true;
        complete(b, p, r);
      }
    }
    if (bits_get(d.s_wvalid_i, p, 1) && bits_get(d.s_wready_o, p, 1)) {
      Burst &x = *b.w_queue[p].front();
      if (++x.w_sent == x.beats()) b.w_queue[p].pop_front();
      b.w_up[p] = false;
    }
    if (b.ar[p] && bits_get(d.s_arready_o, p, 1)) {
      b.unissued_r[p][b.ar[p]->id].push_back(b.ar[p]);
      b.open_r[p][b.ar[p]->id].push_back(b.ar[p]);
      note(b, p, b.ar[p]);
      b.ar[p] = nullptr;
    }
    if (b.aw[p] && bits_get(d.s_awready_o, p, 1)) {
      b.unissued_w[p][b.aw[p]->id].push_back(b.aw[p]);
      b.open_w[p][b.aw[p]->id].push_back(b.aw[p]);
      note(b, p, b.aw[p]);
      b.w_queue[p].push_back(b.aw[p]);
      b.aw[p] = nullptr;
    }
  }
  const std::array<uint64_t, 4> shown = {d.n_rsp_valid_o, d.n_rsp_tag_o, d.n_rsp_pa_o,
                                         d.n_rsp_cause_o};
  if (b.native_shown[0] && shown != b.native_shown)
    b.fail("an answer at the native port that is not taken stays", b.native_shown[1], shown[1],
           b.native_shown[2]);
  b.native_shown = d.n_rsp_valid_o && !d.n_rsp_ready_i ? shown : std::array<uint64_t, 4>{};
  if (d.n_rsp_valid_o && d.n_rsp_ready_i) {
    uint32_t tag = d.n_rsp_tag_o;
    Native &n = b.native[tag];
    Page *g = b.page(n.asid, n.va);
    uint64_t pa = d.n_rsp_pa_o, at = 0;
    bool right = b.where ? b.where(n.asid, n.va, &at) && pa == at
                         : g && ((g->mapped && pa >> 12 == g->pfn) ||
                                 (g->leaving && pa >> 12 == g->old_pfn));
    if (!n.valid) b.fail("answer to no native request", 0, tag, 0);
    else if (static_cast<int>(d.n_rsp_cause_o) != n.want_cause)
      b.fail("native port: cause", static_cast<uint64_t>(n.want_cause), d.n_rsp_cause_o, n.va);
    else if (n.want_cause ? pa != 0 : !right || (pa & 4095) != (n.va & 4095))
      b.fail("native port: physical address", b.where ? at : g ? g->pfn << 12 : 0, pa, n.va);
    if (n.valid && g) g->busy--;
    if (d.n_rsp_warp_o != (tag & 3)) b.fail("native port: warp", tag & 3, d.n_rsp_warp_o, n.va);
    n.valid = false;
    if (n.over) *n.over = true;
    b.natives++;
    b.last_progress = b.cycle;
  }
  if (b.native_showing >= 0 && d.n_req_ready_o) {
    if (b.native_held)
      b.fail("native port: requests taken on hold", 0, 1, b.native[b.native_showing].va);
    Native &n = b.native[b.native_showing];
    n.over = std::make_shared<bool>(false);
    if (!b.fuzzing) // a record has the warp in the place of an ID
      b.asked.add(kNative, false, b.native_showing & 3, n.asid, n.va, n.over);
    b.native_showing = -1;
  }
}

} // namespace

void waiting(const Bench &b, BenchWaits &w) {
  for (uint32_t p = 0; p < kPorts; p++) {
    const std::string port = "port " + std::to_string(p), master = "the master of " + port;
    for (bool write : {false, true}) {
      size_t inside = 0, outside = 0;
      const char *what = write ? "writes" : "reads";
      for (auto &[id, q] : (write ? b.unissued_w : b.unissued_r)[p])
        for (auto &x : q) inside += !x->over;
      for (auto &[id, q] : write ? b.mem[p].writes : b.mem[p].reads) outside += q.size();
      if (inside) w.add(master, "the MMU", "%zu %s that are not at memory", inside, what);
      if (outside) w.add(port, "its memory", "%zu %s", outside, what);
      for (auto &[id, q] : (write ? b.open_w : b.open_r)[p])
        for (auto &x : q)
          w.add(std::string("a ") + (write ? "write" : "read") + " of " + port,
                x->issued ? "memory" : "the MMU",
                "id %u va 0x%" PRIx64 " beats %u atop 0x%x, W %u of memory %u, R %u, B %d", id,
                x->va, x->beats(), x->atop, x->w_sent, x->w_done, x->r_done, x->b_done);
    }
    if (!b.w_queue[p].empty()) w.add(port, "W of its master", "%zu bursts", b.w_queue[p].size());
  }
  b.walk.waits(w);
}

void one_cycle(Bench &b) {
  // Inputs of the next cycle are chosen after the edge; accesses of the driver set theirs and
  // settle by themselves.
  b.settle();
  for (auto &m : b.mem) m.sample(b);
  b.walk.sample(b);
  b.engine.sample(b);
  sample(b);
  b.edge();
  for (auto &m : b.mem) m.drive(b);
  b.walk.drive(b);
  b.engine.drive(b);
  offer(b);
  if (b.watchdog.stuck(b.cycle, b.last_progress, b.made == b.done)) exit(1);
  if (b.whole.late(b.cycle, 0)) b.whole.end(b.cycle, "the run is not done");
}

void reset(Bench &b) {
  b.noisy = true;
  bench_reset(b.dut, [&] { b.settle(), b.edge(); });
}
