// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_axi, built by tb/axi/run.sh: two AXI4 masters and a native one under random bursts while the C driver maps,
// unmaps, protects, coalesces and splinters their pages through the registers; faults are resolved on the interrupt. Every burst
// at memory is compared with the one it comes from, its address with the page tables, every byte read with what was written.
// Then error mode, random register accesses under traffic (with the register model), and latency and bandwidth of hits.
// Ends with "PASS ..." or "FAIL ...".
#include <unistd.h>

#include "axi_world.h"
extern "C" {
#include "policy/regs.h"
}

namespace {
constexpr uint32_t kNative = kPorts, kAllPorts = kPorts + 1, kSpaces = 3, kIds = 5;
constexpr uint64_t kLarge = 512 * 4096;
constexpr uint64_t kTables = 0x00100000, kTablesEnd = 0x003fffff;      // window 0: walks
constexpr uint64_t kData = 0x10000000, kDataEnd = 0x1fffffff;          // window 1: data
constexpr uint64_t kOutside = 0x40000000;                              // in no window

struct Page {
  uint32_t asid;
  uint64_t va, pfn = 0, old_pfn = 0;      // old_pfn: may still be used until the invalidation is acknowledged
  bool mapped = false, writable = true, leaving = false, fixed = false;
  std::vector<uint8_t> content = std::vector<uint8_t>(4096, 0);
};

struct Native {
  bool valid = false;
  uint64_t va = 0, since = 0;
  uint32_t access = 0, asid = 0;
  int want_cause = 0;
};

struct Bench : World {
  std::vector<Page> pages;
  std::map<std::pair<uint32_t, uint64_t>, size_t> page_of;
  std::set<uint64_t> free_frames;
  std::map<std::tuple<uint32_t, uint64_t>, int> locks;   // (ASID, 64-byte block): -1 written, n read
  PortMemory mem[kPorts];
  WalkMemory walk;
  PteMemory ptes;
  // per port: bursts that are offered, accepted and not issued, and not complete, in order
  Ref aw[kPorts], ar[kPorts];
  std::deque<Ref> w_queue[kPorts];
  bool w_up[kPorts] = {};
  std::map<uint32_t, std::deque<Ref>> unissued_r[kPorts], unissued_w[kPorts], open_r[kPorts], open_w[kPorts];
  Native native[16];
  int native_showing = -1;
  bool traffic = false, error_mode = false, fuzzing = false, straight = false;
  uint64_t made = 0, done = 0, faults = 0, ended[4] = {}, remaps = 0, coalesced = 0, natives = 0, atomics = 0, issued = 0;
  uint32_t port_asid[kAllPorts] = {1, 0, 2};
  bool port1_user = true;
  uint64_t target = 0;
  unsigned stall = 4;
  bool bad_memory = true;
  uint64_t wild = 0, pass_until[kPorts] = {};
  std::vector<std::pair<uint64_t, uint64_t>> ever_open;   // PFNs of windows that software has opened for data
  uint64_t co_errors = 0, timed = 0, counted[GMMU_DRV_COUNTERS] = {};
  int bursts_from = -1;     // only this port, -1: all

  Page *page(uint32_t asid, uint64_t va) {
    auto it = page_of.find({asid, va >> 12});
    return it == page_of.end() ? nullptr : &pages[it->second];
  }
  uint64_t frame() {
    auto it = free_frames.begin();
    std::advance(it, below(free_frames.size()));
    uint64_t f = *it;
    free_frames.erase(it);
    return f;
  }
  void lock(const Burst &b, int by) {
    for (uint64_t k = b.low(b.va) >> 6; k <= b.high(b.va) >> 6; k++) {
      int &l = locks[{b.asid, k}];
      if (b.write) l = by > 0 ? -1 : 0;
      else l += by;
    }
  }
  bool may_lock(const Burst &b) {
    for (uint64_t k = b.low(b.va) >> 6; k <= b.high(b.va) >> 6; k++) {
      int l = locks[{b.asid, k}];
      if (b.write ? l != 0 : l < 0) return false;
    }
    return true;
  }
};

/// What an access ends with while the tables rest.
int cause_of(const Page &p, bool write) {
  if (!p.mapped) return GMMU_PF_INVALID;
  if (p.pfn << 12 >= kOutside) return GMMU_AF_PPN_WINDOW;
  return write && !p.writable ? GMMU_PERM : 0;
}

Ref new_burst(Bench &b, uint32_t port, bool write) {
  auto r = std::make_shared<Burst>();
  Burst &x = *r;
  x.port = port;
  x.write = write;
  x.id = static_cast<uint32_t>(b.below(kIds)) * 3;
  x.asid = port == 1 && b.port1_user ? 1 + static_cast<uint32_t>(b.below(2)) : b.port_asid[port];
  x.mark = port == 1 ? x.asid << 4 | static_cast<uint32_t>(b.below(16)) : static_cast<uint32_t>(b.below(256));
  x.user = true;
  std::vector<Page *> mine;
  for (auto &p : b.pages)
    if (p.asid == x.asid) mine.push_back(&p);
  Page &p = *mine[b.below(b.below(2) ? 24 : mine.size())];
  x.size = b.below(3) ? kMaxSize : static_cast<uint32_t>(b.below(kMaxSize + 1));
  uint64_t bytes = 1ull << x.size;
  switch (b.below(8)) {
    case 0: x.kind = 0, x.len = static_cast<uint32_t>(b.below(4)); break;
    case 1: x.kind = 2, x.len = (2u << b.below(4)) - 1; break;
    default: x.kind = 1, x.len = b.below(2) ? 0 : static_cast<uint32_t>(b.below(b.below(8) ? 16 : 64)); break;
  }
  uint64_t total = bytes * x.beats(), room = x.kind == 0 ? 4096 - bytes : 4096 - (total > 4096 ? 4096 : total);
  if (x.kind != 0 && total > 4096) x.len = static_cast<uint32_t>(4096 / bytes - 1), room = 0;
  x.va = p.va + b.below(room / bytes + 1) * bytes;
  if (x.kind == 1 && x.va + total < p.va + 4096 && b.below(4) == 0) x.va += b.below(bytes);   // unaligned first beat
  // An atomic's ID must not be in use: 1 and 2 are theirs.
  uint32_t alone = 1 + static_cast<uint32_t>(b.below(2));
  if (write && x.kind == 1 && b.below(3) == 0 && !b.error_mode && b.open_w[port][alone].empty()) {
    x.id = alone;
    x.atop = 0x20, x.len = 0, x.size = kMaxSize;
    x.va &= ~(kBytes - 1ull);
  }
  x.refused = b.bad_memory && b.below(50) == 0;
  for (uint32_t i = 0; write && i < x.beats(); i++) {
    uint64_t wide = 1ull << x.size, low = x.at(i, x.va) & (kBytes - 1), end = low / wide * wide + wide, strb = 0;
    for (uint64_t l = low; l < end; l++)
      if (b.below(8) || x.atop) strb |= 1ull << l;
    x.strb.push_back(strb);
    x.data.push_back(gmmu_rng_next(&b.rng));
  }
  if (!b.fuzzing && !b.may_lock(x)) return nullptr;
  if (b.error_mode) {   // what must become of it follows from the tables, which rest
    x.want_cause = cause_of(p, write);
  }
  if (!b.fuzzing) b.lock(x, 1);
  x.since = b.cycle;
  b.made++;
  return r;
}

void offer(Bench &b) {
  auto &d = b.dut;
  for (uint32_t p = 0; p < kPorts; p++) {
    bool go = b.traffic && b.made < b.target && (b.bursts_from < 0 || b.bursts_from == static_cast<int>(p));
    if (!b.ar[p] && go && b.below(b.stall) == 0) b.ar[p] = new_burst(b, p, false);
    if (!b.aw[p] && go && b.below(b.stall) == 0) b.aw[p] = new_burst(b, p, true);
    auto show = [&](Ref &r, auto &valid, auto &id, auto &addr, auto &len, auto &size, auto &kind, auto &prot, auto &user, auto &cache, auto &qos,
                    auto &region, auto &lck) {
      bits_set(valid, p, 1, r != nullptr);
      if (!r) return;
      bits_set(id, p * kIdW, kIdW, r->id);
      bits_set(addr, p * kAddrW, kAddrW, r->va);
      bits_set(len, p * 8, 8, r->len);
      bits_set(size, p * 3, 3, r->size);
      bits_set(kind, p * 2, 2, r->kind);
      bits_set(prot, p * 3, 3, 0);
      bits_set(user, p * kUserW, kUserW, r->mark);
      bits_set(cache, p * 4, 4, r->va >> 6 & 15);
      bits_set(qos, p * 4, 4, r->va >> 7 & 15);
      bits_set(region, p * 4, 4, r->va >> 8 & 15);
      bits_set(lck, p, 1, r->va >> 9 & 1);
    };
    show(b.ar[p], d.s_arvalid_i, d.s_arid_i, d.s_araddr_i, d.s_arlen_i, d.s_arsize_i, d.s_arburst_i, d.s_arprot_i, d.s_aruser_i, d.s_arcache_i,
         d.s_arqos_i, d.s_arregion_i, d.s_arlock_i);
    show(b.aw[p], d.s_awvalid_i, d.s_awid_i, d.s_awaddr_i, d.s_awlen_i, d.s_awsize_i, d.s_awburst_i, d.s_awprot_i, d.s_awuser_i, d.s_awcache_i,
         d.s_awqos_i, d.s_awregion_i, d.s_awlock_i);
    if (b.aw[p]) bits_set(d.s_awatop_i, p * 6, 6, b.aw[p]->atop);
    // W of accepted bursts in their order; once offered it stays
    bool have = !b.w_queue[p].empty() && (b.w_up[p] || b.straight || b.below(4) != 0);
    bits_set(d.s_wvalid_i, p, 1, have);
    b.w_up[p] = have;
    if (have) {
      Burst &x = *b.w_queue[p].front();
      bits_set(d.s_wdata_i, p * kDataW, kDataW, x.data[x.w_sent]);
      bits_set(d.s_wstrb_i, p * kBytes, kBytes, x.strb[x.w_sent]);
      bits_set(d.s_wlast_i, p, 1, x.w_sent + 1 == x.beats());
    }
    bits_set(d.s_rready_i, p, 1, b.straight || b.below(4) != 0);
    bits_set(d.s_bready_i, p, 1, b.straight || b.below(4) != 0);
  }
  // native port: a random tag that is free
  if (b.native_showing < 0 && b.traffic && b.made < b.target && !b.fuzzing && b.bursts_from < 0 && b.below(6) == 0) {
    uint32_t tag = static_cast<uint32_t>(b.below(16));
    if (!b.native[tag].valid) {
      std::vector<Page *> mine;
      for (auto &p : b.pages)
        if (p.asid == b.port_asid[kNative]) mine.push_back(&p);
      b.native[tag] = {true, mine[b.below(mine.size())]->va + b.below(4096), b.cycle, b.below(3) ? 0u : 1u, b.port_asid[kNative]};
      b.native_showing = static_cast<int>(tag);
      if (b.error_mode) b.native[tag].want_cause = cause_of(*b.page(b.native[tag].asid, b.native[tag].va), b.native[tag].access != 0);
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
  d.n_rsp_ready_i = b.below(3) != 0;
}

/// The burst at the master side is the oldest of its ID that was not issued, and goes where the tables say.
void check_issue(Bench &b, uint32_t p, bool write) {
  auto &d = b.dut;
  uint32_t id = static_cast<uint32_t>(write ? bits_get(d.m_awid_o, p * kIdW, kIdW) : bits_get(d.m_arid_o, p * kIdW, kIdW));
  uint64_t pa = write ? bits_get(d.m_awaddr_o, p * kPaW, kPaW) : bits_get(d.m_araddr_o, p * kPaW, kPaW);
  auto &q = write ? b.unissued_w[p][id] : b.unissued_r[p][id];
  while (b.error_mode && !q.empty() && q.front()->want_cause) q.pop_front();   // ended in the MMU before
  if (b.fuzzing)
    while (!q.empty() && q.front()->over) q.pop_front();
  if (q.empty()) return b.fail("burst at memory that nobody asked for", 0, id, pa);
  Ref r = q.front();
  q.pop_front();
  Burst &x = *r;
  auto get = [&](auto &aw, auto &ar, uint32_t w) { return write ? bits_get(aw, p * w, w) : bits_get(ar, p * w, w); };
  if (get(d.m_awlen_o, d.m_arlen_o, 8) != x.len) b.fail("AxLEN", x.len, get(d.m_awlen_o, d.m_arlen_o, 8), x.va);
  if (get(d.m_awsize_o, d.m_arsize_o, 3) != x.size) b.fail("AxSIZE", x.size, get(d.m_awsize_o, d.m_arsize_o, 3), x.va);
  if (get(d.m_awburst_o, d.m_arburst_o, 2) != x.kind) b.fail("AxBURST", x.kind, get(d.m_awburst_o, d.m_arburst_o, 2), x.va);
  if (get(d.m_awuser_o, d.m_aruser_o, kUserW) != x.mark) b.fail("AxUSER", x.mark, get(d.m_awuser_o, d.m_aruser_o, kUserW), x.va);
  uint64_t rest = get(d.m_awcache_o, d.m_arcache_o, 4) | get(d.m_awqos_o, d.m_arqos_o, 4) << 4 | get(d.m_awregion_o, d.m_arregion_o, 4) << 8 |
                  get(d.m_awlock_o, d.m_arlock_o, 1) << 12;
  uint64_t want_rest = (x.va >> 6 & 15) | (x.va >> 7 & 15) << 4 | (x.va >> 8 & 15) << 8 | (x.va >> 9 & 1) << 12;
  if (rest != want_rest) b.fail("AxCACHE, QOS, REGION, LOCK", want_rest, rest, x.va);
  if (write && bits_get(d.m_awatop_o, p * 6, 6) != x.atop) b.fail("AWATOP", x.atop, bits_get(d.m_awatop_o, p * 6, 6), x.va);
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
  bool now = g && g->mapped && pa >> 12 == g->pfn && (!write || g->writable || g->leaving);
  bool old = g && g->leaving && pa >> 12 == g->old_pfn;
  if (!(now || old) || (pa & 4095) != (x.va & 4095)) b.fail("physical address", g ? g->pfn << 12 | (x.va & 4095) : 0, pa, x.va);
  if (x.want_cause) b.fail("a burst that must end in the MMU was issued", static_cast<uint64_t>(x.want_cause), pa, x.va);
  x.issued = true;
  x.pa = pa;
  b.issued++;
  b.mem[p].issued(b, r);
}

void complete(Bench &b, uint32_t p, Ref r) {
  Burst &x = *r;
  if (x.write && !x.b_done) return;
  if (x.returns() && x.r_done < x.r_beats()) return;
  if (!b.fuzzing) b.lock(x, -1);
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
  if (!x.want_cause) return x.refused ? 2 : 0;
  return x.want_cause >= GMMU_AF_WALK_WINDOW && x.want_cause <= GMMU_AF_MEM ? 3 : 2;
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
        uint64_t data = bits_get(d.s_rdata_o, p * kDataW, kDataW), resp = bits_get(d.s_rresp_o, p * 2, 2);
        if (b.fuzzing) resp = want_resp(x), data = 0;
        if (resp != want_resp(x)) b.fail("RRESP", want_resp(x), resp, x.va);
        if (!b.fuzzing && !x.want_cause && !x.issued) b.fail("R of a burst that memory has not seen", 1, 0, x.va);
        if (x.want_cause) {
          if (data) b.fail("RDATA of a burst that ended in the MMU", 0, data, x.va);
          if (!(d.irq_o)) b.fail("error response before the interrupt", 1, 0, x.va);
        } else if (!x.refused && !b.fuzzing) {
          uint64_t base = x.at(x.r_done, x.va), bytes = 1ull << x.size, end = base / bytes * bytes + bytes;
          if (bits_get(d.s_ruser_o, p * kUserW, kUserW) != x.mark) b.fail("RUSER", x.mark, bits_get(d.s_ruser_o, p * kUserW, kUserW), x.va);
          for (uint64_t a = base; a < end; a++) {
            uint8_t got = static_cast<uint8_t>(data >> (8 * (a & (kBytes - 1))));
            uint8_t want = x.atop ? static_cast<uint8_t>(x.old[x.r_done] >> (8 * (a & (kBytes - 1)))) : b.page(x.asid, a)->content[a & 4095];
            if (got != want) {
              b.fail("byte read", want, got, a);
              break;
            }
          }
        }
        x.r_done++;
        if (bits_get(d.s_rlast_o, p, 1) != (x.r_done == x.r_beats())) b.fail("RLAST", x.r_done == x.r_beats(), x.r_done, x.va);
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
        if (!b.fuzzing && bits_get(d.s_bresp_o, p * 2, 2) != want_resp(x)) b.fail("BRESP", want_resp(x), bits_get(d.s_bresp_o, p * 2, 2), x.va);
        if (x.w_sent != x.beats()) b.fail("B before the last W", x.beats(), x.w_sent, x.va);
        if (!b.fuzzing && !x.want_cause && !x.applied) b.fail("B before memory was written", 1, 0, x.va);
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
      b.ar[p] = nullptr;
    }
    if (b.aw[p] && bits_get(d.s_awready_o, p, 1)) {
      b.unissued_w[p][b.aw[p]->id].push_back(b.aw[p]);
      b.open_w[p][b.aw[p]->id].push_back(b.aw[p]);
      b.w_queue[p].push_back(b.aw[p]);
      b.aw[p] = nullptr;
    }
  }
  if (d.n_rsp_valid_o && d.n_rsp_ready_i) {
    uint32_t tag = d.n_rsp_tag_o;
    Native &n = b.native[tag];
    Page *g = b.page(n.asid, n.va);
    uint64_t pa = d.n_rsp_pa_o;
    if (!n.valid) b.fail("answer to no native request", 0, tag, 0);
    else if (static_cast<int>(d.n_rsp_cause_o) != n.want_cause) b.fail("native port: cause", static_cast<uint64_t>(n.want_cause), d.n_rsp_cause_o, n.va);
    else if (n.want_cause ? pa != 0 : !((g->mapped && pa >> 12 == g->pfn) || (g->leaving && pa >> 12 == g->old_pfn)) || (pa & 4095) != (n.va & 4095))
      b.fail("native port: physical address", g->pfn << 12, pa, n.va);
    if (d.n_rsp_warp_o != (tag & 3)) b.fail("native port: warp", tag & 3, d.n_rsp_warp_o, n.va);
    n.valid = false;
    b.natives++;
    b.last_progress = b.cycle;
  }
  if (b.native_showing >= 0 && d.n_req_ready_o) b.native_showing = -1;
}

void watch(Bench &b) {
  if (b.cycle - b.last_progress < 20000 || b.made == b.done) return;
  printf("nothing done for 20000 cycles:");
  for (uint32_t p = 0; p < kPorts; p++) {
    size_t ur = 0, uw = 0, r = 0, w = 0;
    for (auto &[id, q] : b.unissued_r[p])
      for (auto &x : q) ur += !x->over;
    for (auto &[id, q] : b.unissued_w[p])
      for (auto &x : q) uw += !x->over;
    for (auto &[id, q] : b.mem[p].reads) r += q.size();
    for (auto &[id, q] : b.mem[p].writes) w += q.size();
    printf(" port %u: %zu reads and %zu writes wait in the MMU, %zu and %zu at memory, %zu bursts wait to send W;", p, ur, uw, r, w, b.w_queue[p].size());
    for (auto *side : {&b.open_r[p], &b.open_w[p]})
      for (auto &[id, q] : *side)
        for (auto &x : q)
          printf(" [%s id %u va 0x%" PRIx64 " beats %u atop 0x%x issued %d W %u of memory %u R %u B %d]", x->write ? "write" : "read", id, x->va, x->beats(), x->atop,
                 x->issued, x->w_sent, x->w_done, x->r_done, x->b_done);
  }
  printf(" %zu walks at memory; irq %d; seed %" PRIu64 "%s%s\n", b.walk.reads.size(), b.dut.irq_o, b.seed, b.fuzzing ? ", random register accesses" : "",
         b.error_mode ? ", error mode" : "");
  exit(1);
}

void one_cycle(Bench &b) {
  // Inputs of the next cycle are chosen after the edge; accesses of the driver set theirs and settle by themselves.
  b.settle();
  for (auto &m : b.mem) m.sample(b);
  b.walk.sample(b);
  b.ptes.sample(b);
  sample(b);
  b.edge();
  for (auto &m : b.mem) m.drive(b);
  b.walk.drive(b);
  b.ptes.drive(b);
  offer(b);
  watch(b);
}

void reset(Bench &b) {
  b.dut.rst_ni = 0;
  for (int i = 0; i < 4; i++) {
    b.settle();
    b.edge();
  }
  b.dut.rst_ni = 1;
}

// ------------------------------------------------------------------ software
int resolve(void *arg, const gmmu_drv_fault *f) {
  Bench &b = *static_cast<Bench *>(arg);
  b.faults++;
  if (f->cause == GMMU_AF_MEM) return GMMU_DRV_RESOLVED;   // the walk had a memory error
  Page *p = b.page(f->asid, f->va);
  if (!p) {
    b.fail("fault of an address that nobody uses", 0, f->va, f->va);
    return GMMU_DRV_LATER;
  }
  if (b.error_mode || b.fuzzing) return GMMU_DRV_LATER;
  if (b.below(10) == 0) return GMMU_DRV_RESOLVED;          // not true: it must fault, and be recorded, again
  if (!p->mapped) {
    p->pfn = b.frame();
    memcpy(b.memory.page(p->pfn).data(), p->content.data(), 4096);
    p->mapped = true;
    p->writable = f->access != 0 || b.below(2);
    b.must(gmmu_drv_map(&b.drv, p->asid, p->va, p->pfn << 12, 4096, GMMU_DRV_R | GMMU_DRV_U | (p->writable ? GMMU_DRV_W : 0), false), "map");
  } else if (f->access && !p->writable) {
    p->writable = true;
    b.must(gmmu_drv_protect(&b.drv, p->asid, p->va, 4096, GMMU_DRV_R | GMMU_DRV_U | GMMU_DRV_W), "protect");
  }
  return GMMU_DRV_RESOLVED;   // also when another fault of the page was resolved before
}

/// The frame is no longer in use: content is right, no burst on its way to it. Then it is filled with rubbish.
void retire(Bench &b, Page &p, uint64_t pfn) {
  for (auto &m : b.mem)
    for (auto *side : {&m.reads, &m.writes})
      for (auto &[id, q] : *side)
        for (auto &x : q)
          if (x->pa >> 12 == pfn) b.fail("a burst uses a frame after the acknowledgement", 0, x->pa, x->va);
  if (memcmp(b.memory.page(pfn).data(), p.content.data(), 4096)) b.fail("content of a page after the acknowledgement", 0, 1, p.va);
  for (auto &byte : b.memory.page(pfn)) byte = static_cast<uint8_t>(gmmu_rng_next(&b.rng));
  b.free_frames.insert(pfn);
}

void unmap_some(Bench &b) {
  Page &p = b.pages[b.below(24) + b.below(2) * (24 + 512)];
  if (!p.mapped || p.fixed) return;
  p.old_pfn = p.pfn;
  p.leaving = true;
  p.mapped = false;
  b.must(gmmu_drv_unmap(&b.drv, p.asid, p.va, 4096), "unmap");
  p.leaving = false;
  retire(b, p, p.old_pfn);
  b.remaps++;
}

void protect_some(Bench &b) {
  Page &p = b.pages[b.below(24) + b.below(2) * (24 + 512)];
  if (!p.mapped || !p.writable || p.fixed) return;
  p.writable = false;
  p.leaving = true;
  p.old_pfn = p.pfn;
  b.must(gmmu_drv_protect(&b.drv, p.asid, p.va, 4096, GMMU_DRV_R | GMMU_DRV_U), "protect");
  p.leaving = false;
}

void build(Bench &b) {
  for (uint64_t t = kTables; t < kTablesEnd; t += 4096) b.free_tables.push_back(t);
  for (uint64_t f = (kData + 4 * kLarge) >> 12; f < ((kData + 4 * kLarge) >> 12) + 400; f++) b.free_frames.insert(f);
  for (uint32_t a = 1; a < kSpaces; a++) {
    for (uint64_t i = 0; i < 24; i++) {   // the same addresses in both spaces, scattered over frames and tables
      Page p;
      p.asid = a;
      p.va = (0x40000000ull + i * 0x00733000ull) & ~4095ull;
      b.page_of[{a, p.va >> 12}] = b.pages.size();
      b.pages.push_back(p);
    }
    for (uint64_t i = 0; i < 512; i++) {  // a large frame that is coalesced and splintered under traffic
      Page p;
      p.asid = a;
      p.va = 0x80000000ull + i * 4096;
      p.fixed = p.mapped = true;
      p.pfn = (kData + a * kLarge + i * 4096) >> 12;
      b.page_of[{a, p.va >> 12}] = b.pages.size();
      b.pages.push_back(p);
    }
  }
}

void open_all(Bench &b, bool errors) {
  gmmu_drv_bus bus = b.bus();
  b.must(gmmu_drv_init(&b.drv, &bus), "init");
  b.must(gmmu_drv_window(&b.drv, 0, kTables, kTablesEnd, true, false), "window");
  b.must(gmmu_drv_window(&b.drv, 1, kData, kDataEnd, false, true), "window");
  for (unsigned a = 1; a < kSpaces; a++) {
    b.must(gmmu_drv_open(&b.drv, a, false, true, false, false), "open");
    b.must(gmmu_drv_map(&b.drv, a, 0x80000000ull, kData + a * kLarge, kLarge, GMMU_DRV_R | GMMU_DRV_W | GMMU_DRV_U, false), "map 2 MiB of pages");
  }
  for (auto &p : b.pages) {
    if (p.fixed || !p.mapped) continue;
    b.must(gmmu_drv_map(&b.drv, p.asid, p.va, p.pfn << 12, 4096, GMMU_DRV_R | GMMU_DRV_U | (p.writable ? GMMU_DRV_W : 0), false), "map");
  }
  gmmu_drv_port s{GMMU_DRV_TRANSLATE, GMMU_DRV_FROM_REGISTER, 0, 1, errors, 0};
  b.must(gmmu_drv_set_port(&b.drv, 0, &s), "port");
  s.asid_from = GMMU_DRV_FROM_USER, s.shift = 4, s.asid = 0;
  b.must(gmmu_drv_set_port(&b.drv, 1, &s), "port");
  s.asid_from = GMMU_DRV_FROM_REGISTER, s.shift = 0, s.asid = b.port_asid[kNative], s.error_mode = false;
  b.must(gmmu_drv_set_port(&b.drv, kNative, &s), "port");
  b.must(gmmu_drv_fault_irq(&b.drv, true), "interrupts");
}

void drain(Bench &b, bool resolve_faults) {
  b.traffic = false;
  auto waiting = [&] {
    if (b.made != b.done || b.native_showing >= 0) return true;
    for (auto &n : b.native)
      if (n.valid) return true;
    return false;
  };
  while (waiting() && !b.errors) {
    b.step();
    if (resolve_faults && b.dut.irq_o) b.must(gmmu_drv_handle_faults(&b.drv, resolve, &b), "faults");
  }
}

/// Snapshots with clear, taken under traffic, add up.
void count(Bench &b) {
  uint64_t v[GMMU_DRV_COUNTERS];
  b.must(gmmu_drv_counters(&b.drv, true, v), "counters");
  for (int i = 0; i < GMMU_DRV_COUNTERS; i++) b.counted[i] += v[i];
}

/// CO in the frame PTE and DIS in all leaf PTEs, or neither.
void check_frame(Bench &b, unsigned asid, bool coalesced) {
  uint64_t root = b.drv.root[asid], va = 0x80000000ull, pte = b.memory.word(root + (va >> 30 & 511) * 8);
  uint64_t frame = b.memory.word((pte >> 10 << 12) + (va >> 21 & 511) * 8), leaves = (frame >> 10 << 12) & ((1ull << kPaW) - 1), dis = 0;
  for (uint64_t i = 0; i < 512; i++) dis += b.memory.word(leaves + 8 * i) >> 8 & 1;
  if (frame >> 63 != coalesced) b.fail("CO of the frame PTE", coalesced, frame >> 63, va);
  if (dis != (coalesced ? 512 : 0)) b.fail("leaf PTEs with DIS", coalesced ? 512 : 0, dis, va);
}

/// Coalesces or splinters under traffic, now and then with a memory error, which must leave a state to go on from.
void coalesce(Bench &b, unsigned asid, bool &large) {
  b.ptes.error_in = b.below(4) ? 0 : 700;
  int e = large ? gmmu_drv_splinter(&b.drv, asid, 0x80000000ull) : gmmu_drv_coalesce(&b.drv, asid, 0x80000000ull);
  bool failed = e == GMMU_DRV_REFUSED && b.ptes.error_in;
  b.ptes.error_in = 0;
  if (!failed) b.must(e, "coalesce or splinter");
  if (failed) {   // again, from whatever CO and DIS are now
    uint32_t kind = large ? 6 : 5;
    e = large ? gmmu_drv_splinter(&b.drv, asid, 0x80000000ull) : gmmu_drv_coalesce(&b.drv, asid, 0x80000000ull);
    if (e == GMMU_DRV_EXISTS && kind == 5) {   // CO was set, DIS not everywhere: splinter, then once more
      b.must(gmmu_drv_splinter(&b.drv, asid, 0x80000000ull), "splinter after an error");
      e = gmmu_drv_coalesce(&b.drv, asid, 0x80000000ull);
    }
    b.must(e, "coalesce or splinter after an error");
    b.co_errors++;
  }
  large = !large;
  check_frame(b, asid, large);
  b.coalesced++;
}

/// A fault that a handler calls resolved, and is not, is recorded again after the retry.
void recorded_again(Bench &b) {
  uint32_t off = 0;
  b.access(true, GMMU_REG_RETRY_CYCLES, &off, 15);
  Page &p = b.pages[0];
  if (p.mapped) {
    b.must(gmmu_drv_unmap(&b.drv, p.asid, p.va, 4096), "unmap");
    p.mapped = false;
    retire(b, p, p.pfn);
  }
  auto r = std::make_shared<Burst>();
  r->asid = p.asid, r->va = p.va, r->mark = 3;
  b.lock(*r, 1);
  b.ar[0] = r;
  b.made++;
  offer(b);
  int calls = 0;
  std::function<int(const gmmu_drv_fault *)> second = [&](const gmmu_drv_fault *f) { return ++calls < 3 ? +GMMU_DRV_RESOLVED : resolve(&b, f); };
  auto call = [](void *arg, const gmmu_drv_fault *f) { return (*static_cast<std::function<int(const gmmu_drv_fault *)> *>(arg))(f); };
  while (b.made != b.done && !b.errors) {
    b.step();
    if (b.dut.irq_o) b.must(gmmu_drv_handle_faults(&b.drv, call, &second), "faults");
  }
  if (calls < 3) b.fail("records of a fault that is retried", 3, static_cast<uint64_t>(calls), p.va);
}

void stalls(Bench &b, uint64_t bursts) {
  bool large[kSpaces] = {};
  count(b);   // nothing moves yet
  memset(b.counted, 0, sizeof b.counted);
  b.target = b.made + bursts;
  b.traffic = true;
  b.walk.error_in = 200;
  uint64_t begin = b.cycle, served = b.walk.served, sent = b.issued;
  bool tty = isatty(2);
  while (b.made < b.target && !b.errors) {
    if (b.dut.irq_o && b.below(8) == 0) b.must(gmmu_drv_handle_faults(&b.drv, resolve, &b), "faults");
    switch (b.below(400)) {
      case 0:
      case 1:
      case 2: unmap_some(b); break;
      case 3: protect_some(b); break;
      case 4: {
        if (b.below(2)) break;
        unsigned a = 1 + static_cast<unsigned>(b.below(2));
        coalesce(b, a, large[a]);
        break;
      }
      case 7: count(b); break;
      case 5:
        if (b.below(10) == 0) b.must(gmmu_drv_sync(&b.drv), "sync");
        break;
      case 6: {   // bursts ask again by themselves now and then
        uint32_t period = b.below(2) ? static_cast<uint32_t>(20 + b.below(400)) : 0;
        b.timed += period != 0;
        b.access(true, GMMU_REG_RETRY_CYCLES, &period, 15);
        break;
      }
      default: b.step();
    }
    if (tty && (b.cycle & 0xfff) == 0) fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " bursts", b.done, b.target);
  }
  if (tty) fprintf(stderr, "\r\033[K");
  drain(b, true);
  b.walk.error_in = 0;
  recorded_again(b);
  count(b);
  if (b.counted[6] != b.walk.served - served) b.fail("counter: PTE reads", b.walk.served - served, b.counted[6], 6);
  if (b.counted[8] + b.counted[9] != b.issued - sent) b.fail("counters: bursts issued", b.issued - sent, b.counted[8] + b.counted[9], 8);
  if (b.counted[0] > b.cycle - begin + 500 || b.counted[0] + 500 < b.cycle - begin) b.fail("counter: cycles", b.cycle - begin, b.counted[0], 0);
  if (b.counted[2] > b.counted[1] || b.counted[4] > b.counted[3] || b.counted[3] + b.counted[2] > b.counted[1] + 1000 || b.counted[7] < b.faults)
    b.fail("counters: hits, lookups, faults", b.counted[1], b.counted[2], 1);
  for (unsigned a = 1; a < kSpaces; a++)
    if (large[a]) b.must(gmmu_drv_splinter(&b.drv, a, 0x80000000ull), "splinter");
  for (auto &p : b.pages)
    if (p.mapped && memcmp(b.memory.page(p.pfn).data(), p.content.data(), 4096)) b.fail("content of a page at the end", 0, 1, p.va);
}

/// Bursts that fault end with an error: pages unmapped, read only, outside the windows.
void errors(Bench &b, uint64_t bursts) {
  b.traffic = false;
  for (auto &p : b.pages) {
    if (p.fixed) continue;
    if (p.mapped) {
      b.must(gmmu_drv_unmap(&b.drv, p.asid, p.va, 4096), "unmap");
      b.free_frames.insert(p.pfn);
      p.mapped = false;
    }
    switch (b.below(4)) {
      case 0: continue;
      case 1: p.pfn = (kOutside >> 12) + b.below(100); break;
      default: p.pfn = b.frame(); break;
    }
    p.mapped = true;
    p.writable = b.below(2);
    memcpy(b.memory.page(p.pfn).data(), p.content.data(), 4096);
    b.must(gmmu_drv_map(&b.drv, p.asid, p.va, p.pfn << 12, 4096, GMMU_DRV_R | GMMU_DRV_U | (p.writable ? GMMU_DRV_W : 0), false), "map");
  }
  gmmu_drv_port s{GMMU_DRV_TRANSLATE, GMMU_DRV_FROM_REGISTER, 0, 1, true, 0};
  b.must(gmmu_drv_set_port(&b.drv, 0, &s), "port");
  s.asid_from = GMMU_DRV_FROM_USER, s.shift = 4, s.asid = 0;
  b.must(gmmu_drv_set_port(&b.drv, 1, &s), "port");
  s.asid_from = GMMU_DRV_FROM_REGISTER, s.shift = 0, s.asid = b.port_asid[kNative];
  b.must(gmmu_drv_set_port(&b.drv, kNative, &s), "port");
  b.error_mode = true;
  b.target = b.made + bursts;
  b.traffic = true;
  gmmu_drv_fault f;
  uint64_t records = 0;
  int n;
  while (b.made < b.target && !b.errors) {
    b.step();   // the interrupt stays: error responses come with it up
    if (b.below(50) == 0)
      while ((n = gmmu_drv_next_fault(&b.drv, &f)) > 0) {
        records++;
        Page *p = b.page(f.asid, f.va);
        unsigned want = !p ? 0u : static_cast<unsigned>(cause_of(*p, f.access != 0));
        if (f.cause != want) b.fail("cause in the record", want, f.cause, f.va);
        if (f.write_channel != (f.access == GMMU_WRITE && f.port != kNative)) b.fail("channel in the record", f.access, f.write_channel, f.va);
        if (f.port >= kAllPorts || !f.user) b.fail("port or privilege in the record", 0, f.port, f.va);
      }
  }
  drain(b, false);
  if (!records) b.fail("records of faults", 1, 0, 0);
  // The queue was full for long: both events are set, and a write of one bit clears that one only.
  uint32_t status = 0, one = GMMU_REG_IRQ_STATUS_LOST_MASK;
  b.access(false, GMMU_REG_IRQ_STATUS, &status, 15);
  if ((status & 3) != 3) b.fail("events of a full queue", 3, status & 3, GMMU_REG_IRQ_STATUS);
  b.access(true, GMMU_REG_IRQ_STATUS, &one, 15);
  b.access(false, GMMU_REG_IRQ_STATUS, &status, 15);
  if ((status & 3) != 1) b.fail("events after one was cleared", 1, status & 3, GMMU_REG_IRQ_STATUS);
  b.error_mode = false;
  for (uint32_t p = 0; p < kPorts; p++)   // what is left there ended in the MMU
    for (auto *side : {&b.unissued_r[p], &b.unissued_w[p]})
      for (auto &[id, q] : *side) {
        while (!q.empty() && q.front()->want_cause) q.pop_front();
        if (!q.empty()) b.fail("a burst that should have been issued was not", 1, 0, q.front()->va);
      }
  while ((n = gmmu_drv_next_fault(&b.drv, &f)) > 0) continue;
}

/// Random accesses to all registers while bursts run: what can be known is compared with the register model; no burst of a port
/// that translates leaves the windows that were ever open; nothing hangs: in the end every burst completes, with an error if need be.
uint64_t fuzz(Bench &b, uint64_t accesses) {
  b.bad_memory = false;
  reset(b);
  gmmu_regs_model m{};
  m.ports = kAllPorts, m.asids = 4, m.asid_w = kAsidW, m.pfn_w = kPaW - 12, m.windows = 4, m.fault_entries = GMMU_TB_FAULTS, m.counters = 11;
  m.params = GMMU_NUM_PARAMS;
  b.access(false, GMMU_REG_CAPS, &m.caps, 15);
  m.sv48 = m.caps & GMMU_REG_CAPS_SV48_MASK;
  gmmu_regs_reset(&m);
  bool busy = false;
  int want = 0;
  b.on_write = [&](uint32_t at, uint32_t v, uint32_t strb) {
    want = gmmu_regs_write(&m, at, v, strb, busy) ? 0 : 2;
    for (uint32_t w = 0; w < m.windows; w++)
      if (m.win_ctrl[w] & 2) b.ever_open.push_back({m.win_first[w], m.win_last[w]});
    for (uint32_t p = 0; p < kPorts; p++)   // bursts that were offered before the write took place
      if ((m.port_ctrl[p] & 3) == 0) b.pass_until[p] = ~0ull;
      else if (b.pass_until[p] == ~0ull) b.pass_until[p] = b.cycle + 1;
  };
  for (auto &x : b.pass_until) x = ~0ull;
  b.locks.clear();
  open_all(b, false);
  b.fuzzing = true;
  b.traffic = true;
  b.target = ~0ull;
  uint64_t compared = 0;
  for (uint64_t i = 0; i < accesses && !b.errors; i++) {
    uint32_t at;
    switch (b.below(8)) {
      case 0: at = static_cast<uint32_t>(b.below(0x2000)); break;
      case 1: at = static_cast<uint32_t>(0x400 + b.below(0x90)); break;
      case 2: at = static_cast<uint32_t>(0x800 + b.below(0x40)); break;
      case 3: at = static_cast<uint32_t>(0x1000 + b.below(0x50)); break;
      default: at = static_cast<uint32_t>(b.below(0x80)); break;
    }
    at &= ~3u;
    uint32_t v = 0, status = 0;
    if (b.below(30) == 0) {   // so that traffic goes on
      v = GMMU_DRV_TRANSLATE | GMMU_REG_PORT_CTRL_ERROR_MASK;
      b.access(true, GMMU_REG_PORT_CTRL(static_cast<uint32_t>(b.below(kAllPorts))), &v, 15);
    }
    if (b.below(3) == 0) {
      uint32_t strb = b.below(3) ? 15 : static_cast<uint32_t>(b.below(16));
      v = b.below(3) ? static_cast<uint32_t>(gmmu_rng_next(&b.rng)) : static_cast<uint32_t>(b.below(16));
      if (at == GMMU_REG_CTX_ROOT_LO(1) && b.below(4)) continue;   // some traffic is to go on
      if (at >= GMMU_REG_CMD_ASID && at <= GMMU_REG_CMD_LAST_HI) {  // kept while a command runs: known only when none does
        b.access(false, GMMU_REG_CMD_STATUS, &status, 15);
        if (status & 1) continue;
      }
      for (uint32_t p = 0; p < kPorts; p++)   // it takes place before its answer
        if (at == GMMU_REG_PORT_CTRL(p)) b.pass_until[p] = ~0ull;
      int resp = b.access(true, at, &v, strb);
      if (resp != want) b.fail("response of a register write", static_cast<uint64_t>(want), static_cast<uint64_t>(resp), at);
    } else {
      uint32_t value, known;
      int ok = gmmu_regs_read(&m, at, &value, &known) ? 0 : 2, resp = b.access(false, at, &v, 15);
      if (resp != ok) b.fail("response of a register read", static_cast<uint64_t>(ok), static_cast<uint64_t>(resp), at);
      if ((v ^ value) & known) b.fail("register", value, v, at);
      compared++;
    }
    b.last_progress = b.cycle;
  }
  // Let everything end: faults end bursts, ports take them, a command that runs is acknowledged.
  b.traffic = false;
  uint32_t period = 1;
  b.access(true, GMMU_REG_RETRY_CYCLES, &period, 15);   // a retry in every cycle must not keep a burst from ending
  uint32_t status = 1, settings = GMMU_DRV_TRANSLATE | GMMU_REG_PORT_CTRL_ERROR_MASK;
  for (uint32_t p = 0; p < kAllPorts; p++) b.access(true, GMMU_REG_PORT_CTRL(p), &settings, 15);
  while (b.made != b.done && !b.errors) b.step();
  for (int i = 0; i < 2000 && status & 1; i++) b.access(false, GMMU_REG_CMD_STATUS, &status, 15);
  if (status & 1) b.fail("a command never ends", 0, status, GMMU_REG_CMD_STATUS);
  b.on_write = nullptr;
  b.fuzzing = false;
  return compared;
}

struct Speed {
  double read_hit, write_hit, read_beats, write_beats;
};

/// Hits on one page, everybody ready: cycles added to AR and W, beats a cycle.
Speed measure(Bench &b) {
  Speed s{};
  auto &d = b.dut;
  b.straight = true;
  b.traffic = false;
  for (auto &m : b.mem) m.fast = true;
  uint64_t va = 0x80000000ull;
  for (int write = 0; write < 2; write++) {
    for (int warm = 0; warm < 2; warm++) {
      uint64_t sent = 0, got = 0, taken_at = 0, seen_at = 0, begin = b.cycle;
      const uint64_t n = warm ? 2000 : 1;
      while (got < n && b.cycle - begin < 20000) {
        if (sent < n && !(write ? b.aw[0] : b.ar[0])) {
          auto r = std::make_shared<Burst>();
          r->write = write, r->asid = 1, r->va = va + kBytes * (sent % 64), r->id = static_cast<uint32_t>(sent % 4);
          if (write) r->data.push_back(sent), r->strb.push_back((1u << kBytes) - 1);
          (write ? b.aw[0] : b.ar[0]) = r;
          b.made++;
          sent++;
          if (warm && sent == 1000) begin = b.cycle, got = 0;
        }
        uint64_t before = b.done;
        offer(b);
        b.settle();
        bool in = write ? bits_get(d.s_awvalid_i, 0, 1) && bits_get(d.s_awready_o, 0, 1) : bits_get(d.s_arvalid_i, 0, 1) && bits_get(d.s_arready_o, 0, 1);
        bool out = write ? bits_get(d.m_wvalid_o, 0, 1) : bits_get(d.m_arvalid_o, 0, 1);
        if (in && !taken_at) taken_at = b.cycle;
        if (out && !seen_at) seen_at = b.cycle;
        b.step();
        got += b.done - before;
        if (warm && sent >= 1000 && got >= 900) break;
      }
      if (!warm) {   // the second time it hits
        while (b.made != b.done) b.step();
        taken_at = seen_at = 0;
        auto r = std::make_shared<Burst>();
        r->write = write, r->asid = 1, r->va = va;
        if (write) r->data.push_back(1), r->strb.push_back((1u << kBytes) - 1);
        (write ? b.aw[0] : b.ar[0]) = r;
        b.made++;
        while (b.made != b.done) {
          offer(b);
          b.settle();
          bool in = write ? bits_get(d.s_awvalid_i, 0, 1) && bits_get(d.s_awready_o, 0, 1) : bits_get(d.s_arvalid_i, 0, 1) && bits_get(d.s_arready_o, 0, 1);
          bool out = write ? bits_get(d.m_wvalid_o, 0, 1) : bits_get(d.m_arvalid_o, 0, 1);
          if (in && !taken_at) taken_at = b.cycle;
          if (out && !seen_at) seen_at = b.cycle;
          b.step();
        }
        (write ? s.write_hit : s.read_hit) = static_cast<double>(seen_at - taken_at);
      } else {
        (write ? s.write_beats : s.read_beats) = static_cast<double>(got) / static_cast<double>(b.cycle - begin);
        while (b.made != b.done) b.step();
      }
    }
  }
  b.straight = false;
  for (auto &m : b.mem) m.fast = false;
  return s;
}
}  // namespace

int main(int argc, char **argv) {
  uint64_t bursts = argc > 1 ? strtoull(argv[1], nullptr, 0) : 20000;
  auto b = std::make_unique<Bench>();
  b->seed = argc > 2 ? strtoull(argv[2], nullptr, 0) : 1;
  b->rng.s = b->seed;
  b->step = [&] { one_cycle(*b); };
  for (uint32_t p = 0; p < kPorts; p++) {
    b->mem[p].port = p;
    b->mem[p].on_apply = [&](Ref r) {   // the shadow follows memory
      Burst &x = *r;
      Page *g = b->page(x.asid, x.va);
      if (x.refused || !g) return;
      for (uint32_t i = 0; i < x.beats(); i++) {
        uint64_t base = x.at(i, x.va) & ~(kBytes - 1ull);
        if (x.atop) {
          uint64_t sum = x.old[i] + x.data[i];
          memcpy(&g->content[base & 4095], &sum, kBytes);
        } else {
          for (uint64_t l = 0; l < kBytes; l++)
            if (x.strb[i] >> l & 1) g->content[(base + l) & 4095] = static_cast<uint8_t>(x.data[i] >> (8 * l));
        }
      }
    };
  }
  build(*b);
  reset(*b);
  open_all(*b, false);
  stalls(*b, bursts);
  uint64_t stall_bursts = b->done;
  if (!b->errors) errors(*b, bursts / 4);
  Speed s{};
  if (!b->errors) s = measure(*b);
  // Two slots: a write keeps its own for 3 cycles.
  if (!b->errors && (s.read_hit > 2 || s.write_hit > 2 || s.read_beats < 0.98 || s.write_beats < (kBytes == 8 ? 0.98 : 0.6)))
    b->fail("latency or bandwidth of hits", 2, 3, 0);
  uint64_t compared = 0;
  if (!b->errors) compared = fuzz(*b, bursts / 4);
  b->errors += b->dut.errors_o;
  printf("%s gmmu_axi: %" PRIu64 " bursts (%" PRIu64 " atomic), %" PRIu64 " native requests, %" PRIu64 " faults resolved, %" PRIu64 " pages unmapped, %" PRIu64
         " coalesced or splintered (%" PRIu64 " after a memory error), %" PRIu64 " times with timed retries, %" PRIu64 " PTE reads, %" PRIu64 " cycles; error mode: reads %" PRIu64 " SLVERR %" PRIu64 " DECERR, writes %" PRIu64
         " SLVERR %" PRIu64 " DECERR; %" PRIu64 " register reads compared under %" PRIu64 " wild bursts; hit adds %.0f cycle to AR, %.0f to W; %.3f read and %.3f write bursts a cycle; %" PRIu64
         " mismatches\n",
         b->errors ? "FAIL" : "PASS", stall_bursts, b->atomics, b->natives, b->faults, b->remaps, b->coalesced, b->co_errors, b->timed, b->walk.served, b->cycle, b->ended[0], b->ended[1],
         b->ended[2], b->ended[3], compared, b->wild, s.read_hit, s.write_hit, s.read_beats, s.write_beats, b->errors);
  return b->errors != 0;
}
