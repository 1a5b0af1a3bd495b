// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_axi, built by tb/axi/run.sh: two AXI4 masters and a native one under random bursts
// while the C driver maps, unmaps, protects, moves, coalesces and splinters their pages through the
// registers; faults are resolved on the interrupt. Every burst at memory is compared with the one
// it comes from, its address with the page tables, every byte read with what was written. Then
// error mode, random register accesses under traffic (with the register model), and latency and
// bandwidth of hits. Ends with "PASS ..." or "FAIL ...".
#include "axi_alone.h"
#include "axi_corners.h"
#include "axi_fair.h"
#include "axi_manager.h"
#include "axi_moves.h"
#include "axi_resets.h"

namespace {
void stalls(Bench &b, uint64_t bursts) {
  bool large[kAsids] = {};
  count(b); // nothing moves yet
  memset(b.counted, 0, sizeof b.counted);
  b.target = b.made + bursts;
  b.traffic = b.odd = true;
  b.walk.error_in = 200;
  uint64_t begin = b.cycle, served = b.walk.served, sent = b.issued, resolved = b.faults;
  BenchProgress progress(b.target, "bursts", 0x1000);
  // a long run goes on until pages were moved often enough
  const uint64_t most = b.made + 4 * bursts;
  auto enough = [&] { return bursts < 40000 || (b.moves >= 20 && b.unmoved) || b.made >= most; };
  while ((b.made < b.target || !enough()) && !b.errors) {
    if (b.made >= b.target) b.target += 500;
    if (b.dut.irq_o && b.below(8) == 0) serve(b);
    switch (b.below(160)) {
      case 0:
      case 1:
      case 2:
      case 8:
      case 9:
      case 10:
      case 11: unmap_some(b); break;
      case 3: protect_some(b); break;
      case 4: {
        if (b.below(2)) break;
        const uint32_t a = b.asids[b.below(2)];
        coalesce(b, a, large[a]);
        break;
      }
      case 7: count(b); break;
      case 14:
        if (b.is_table && b.below(6) == 0) fail_updates(b);
        break;
      case 12:
      case 13: copy_page(b); break;
      case 15:
      case 16: move_some(b, large); break;
      case 5:
        if (b.below(10) == 0) b.must(gmmu_drv_sync(&b.drv), "sync");
        break;
      case 6: { // bursts ask again by themselves now and then
        uint32_t period = b.below(2) ? static_cast<uint32_t>(20 + b.below(400)) : 0;
        b.timed += period != 0;
        b.access(true, GMMU_REG_RETRY_CYCLES, &period, 15);
        break;
      }
      case 17:
        if (b.below(4) == 0) lose_space(b);
        break;
      case 18:
        if (b.below(6) == 0) hold_native(b);
        break;
      case 19:
        if (b.drv.build.tokens) set_tokens(b);
        break;
      default: b.step();
    }
    progress.show(b.cycle, b.done);
  }
  b.odd = false;
  drain(b, true);
  if (b.errors) return; // what follows counts on a sound state
  b.walk.error_in = 0;
  recorded_again(b);
  ends_between_retries(b);
  asks_when_told(b);
  count(b);
  if (b.counted[6] != b.walk.served - served)
    b.fail("counter: PTE reads", b.walk.served - served, b.counted[6], 6);
  if (b.counted[8] + b.counted[9] != b.issued - sent)
    b.fail("counters: bursts issued", b.issued - sent, b.counted[8] + b.counted[9], 8);
  if (b.counted[0] > b.cycle - begin + 500 || b.counted[0] + 500 < b.cycle - begin)
    b.fail("counter: cycles", b.cycle - begin, b.counted[0], 0);
  if (b.counted[2] > b.counted[1] || b.counted[4] > b.counted[3] ||
      b.counted[3] + b.counted[2] > b.counted[1] + 1000 || b.counted[7] < b.faults - resolved)
    b.fail("counters: hits, lookups, faults", b.counted[1], b.counted[2], 1);
  for (uint32_t a : b.asids)
    if (large[a]) b.must(gmmu_drv_splinter(&b.drv, a, b.large_va), "splinter");
  for (auto &p : b.pages)
    if (p.mapped && memcmp(b.memory.page(p.pfn).data(), p.content.data(), 4096))
      b.fail("content of a page at the end", 0, 1, p.va);
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
    choose_rights(b, p, static_cast<uint32_t>(b.below(4)), b.below(2));
    memcpy(b.memory.page(p.pfn).data(), p.content.data(), 4096);
    b.must(gmmu_drv_map(&b.drv, p.asid, p.va, p.pfn << 12, 4096, rights(p), false), "map");
  }
  set_ports(b, true);
  b.error_mode = true;
  b.target = b.made + bursts;
  b.traffic = b.odd = true;
  gmmu_drv_fault f;
  uint64_t records = 0;
  while (b.made < b.target && !b.errors) {
    b.step(); // the interrupt stays: error responses come with it up
    if (b.below(60) == 0) b.must(gmmu_drv_invalidate_all(&b.drv), "invalidate");
    if (uint32_t now = 1; b.below(100) == 0) b.access(true, GMMU_REG_RETRY, &now, 15);
    if (uint32_t every = static_cast<uint32_t>(b.below(3)); b.below(100) == 0)
      b.access(true, GMMU_REG_RETRY_CYCLES, &every, 15);
    if (b.below(50) == 0)
      while (next_fault(b, f)) {
        records++;
        Page *p = b.page(f.asid, f.va);
        unsigned want = p ? static_cast<unsigned>(cause_of(*p, f.access, f.user))
                        : kAxiReach.extend(f.va) != f.va && f.port != kNative ? GMMU_NON_CANONICAL
                                                                              : 0u;
        if (f.cause == GMMU_BUS_BURST) b.broken++;
        else if (f.cause != want) b.fail("cause in the record", want, f.cause, f.va);
        if (f.write_channel != (f.access == GMMU_WRITE && f.port != kNative))
          b.fail("channel in the record", f.access, f.write_channel, f.va);
        if (f.port >= kAllPorts || f.user != (f.port == kNative || !(f.va >> 10 & 1)))
          b.fail("port or privilege in the record", 0, f.port, f.va);
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
  b.error_mode = b.odd = false;
  uint32_t off = 0;
  b.access(true, GMMU_REG_RETRY_CYCLES, &off, 15);
  for (uint32_t p = 0; p < kPorts; p++) // what is left there ended in the MMU
    for (auto *side : {&b.unissued_r[p], &b.unissued_w[p]})
      for (auto &[id, q] : *side) {
        while (!q.empty() && q.front()->over) q.pop_front();
        if (!q.empty()) b.fail("a burst that should have been issued was not", 1, 0, q.front()->va);
      }
  while (next_fault(b, f)) continue;
}

/// Random accesses to all registers while bursts run: what can be known is compared with the
/// register model; no burst of a port that translates leaves the windows that were ever open;
/// nothing hangs: in the end every burst completes, with an error if need be.
uint64_t fuzz(Bench &b, uint64_t accesses) {
  b.bad_memory = false;
  register_values(b);
  reset(b);
  gmmu_regs_model m = fresh_registers(b);
  register_orders(b, &m);
  bool busy = false;
  int want = 0;
  b.on_write = [&](uint32_t at, uint32_t v, uint32_t strb) {
    want = gmmu_regs_write(&m, at, v, strb, busy) ? 0 : 2;
    for (uint32_t w = 0; w < m.windows; w++)
      if (m.win_ctrl[w] & 2) b.ever_open.push_back({m.win_first[w], m.win_last[w]});
    for (uint32_t p = 0; p < kPorts; p++) // bursts that were offered before the write took place
      if ((m.port_ctrl[p] & 3) == 0) b.pass_until[p] = ~0ull;
      else if (b.pass_until[p] == ~0ull) b.pass_until[p] = b.cycle + 1;
  };
  for (auto &x : b.pass_until) x = ~0ull;
  b.locks.clear();
  open_all(b);
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
      case 4: at = static_cast<uint32_t>(0xa0 + b.below(0x20)); break;
      default: at = static_cast<uint32_t>(b.below(0x80)); break;
    }
    at &= ~3u;
    uint32_t v = 0, status = 0;
    if (b.below(30) == 0) { // so that traffic goes on
      v = GMMU_DRV_TRANSLATE | GMMU_REG_PORT_CTRL_ERROR_MASK;
      b.access(true, GMMU_REG_PORT_CTRL(static_cast<uint32_t>(b.below(kAllPorts))), &v, 15);
    }
    if (b.below(3) == 0) {
      uint32_t strb = b.below(3) ? 15 : static_cast<uint32_t>(b.below(16));
      v = b.below(3) ? static_cast<uint32_t>(gmmu_rng_next(&b.rng))
                     : static_cast<uint32_t>(b.below(16));
      if (at == GMMU_REG_CTX_ROOT_LO(1) && b.below(4)) continue; // some traffic is to go on
      if (at >= GMMU_REG_CMD_ASID &&
          at <= GMMU_REG_CMD_LAST_HI) { // kept while a command runs: known only when none does
        b.access(false, GMMU_REG_CMD_STATUS, &status, 15);
        if (status & 1) continue;
      }
      for (uint32_t p = 0; p < kPorts; p++) // it takes place before its answer
        if (at == GMMU_REG_PORT_CTRL(p)) b.pass_until[p] = ~0ull;
      int resp = b.access(true, at, &v, strb);
      if (resp != want)
        b.fail("response of a register write", static_cast<uint64_t>(want),
               static_cast<uint64_t>(resp), at);
    } else {
      uint32_t value, known;
      int ok = gmmu_regs_read(&m, at, &value, &known) ? 0 : 2, resp = b.access(false, at, &v, 15);
      if (resp != ok)
        b.fail("response of a register read", static_cast<uint64_t>(ok),
               static_cast<uint64_t>(resp), at);
      if ((v ^ value) & known) b.fail("register", value, v, at);
      compared++;
    }
    if (b.dut.sched_apps_o != gmmu_regs_kept(&m, GMMU_REG_SCHED_APPS) ||
        b.dut.sched_quota_o != gmmu_regs_kept(&m, GMMU_REG_SCHED_QUOTA) ||
        b.dut.sched_timeout_o != gmmu_regs_kept(&m, GMMU_REG_SCHED_TIMEOUT) ||
        b.dut.sched_age_cap_o != gmmu_regs_kept(&m, GMMU_REG_SCHED_AGE_CAP))
      b.fail("settings of a scheduler outside", gmmu_regs_kept(&m, GMMU_REG_SCHED_QUOTA),
             b.dut.sched_quota_o, at);
    b.last_progress = b.cycle;
  }
  // Let everything end: faults end bursts, ports take them, a command that runs is acknowledged.
  uint32_t period = 1, waiting = GMMU_DRV_TRANSLATE, nothing = 0;
  for (uint32_t a = 0; a < 4; a++)
    b.access(true, GMMU_REG_CTX_CTRL(a), &nothing, 15); // bursts that are taken now fault, and wait
  for (uint32_t p = 0; p < kAllPorts; p++) b.access(true, GMMU_REG_PORT_CTRL(p), &waiting, 15);
  for (int i = 0; i < 500; i++) b.step();
  b.traffic = false;
  b.access(true, GMMU_REG_RETRY_CYCLES, &period,
           15); // a retry in every cycle must not keep a burst from ending
  uint32_t status = 1, settings = GMMU_DRV_TRANSLATE | GMMU_REG_PORT_CTRL_ERROR_MASK;
  for (uint32_t p = 0; p < kAllPorts; p++) b.access(true, GMMU_REG_PORT_CTRL(p), &settings, 15);
  for (auto &f : b.port_fetch) f = 0;
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
  uint64_t va = b.large_va;
  Beat all;
  all.fill(1);
  for (int write = 0; write < 2; write++) {
    for (int warm = 0; warm < 2; warm++) {
      uint64_t sent = 0, got = 0, taken_at = 0, seen_at = 0, begin = b.cycle;
      const uint64_t n = warm ? 2000 : 1;
      while (got < n && b.cycle - begin < 20000) {
        if (sent < n && !(write ? b.aw[0] : b.ar[0])) {
          auto r = std::make_shared<Burst>();
          r->write = write, r->asid = b.asids[0], r->va = va + user_beat(sent),
          r->id = static_cast<uint32_t>(sent % 4);
          if (write) r->data.push_back(random_beat(b.rng)), r->strb.push_back(all);
          (write ? b.aw[0] : b.ar[0]) = r;
          b.made++;
          sent++;
          if (warm && sent == 1000) begin = b.cycle, got = 0;
        }
        uint64_t before = b.done;
        offer(b);
        b.settle();
        bool in = write ? bits_get(d.s_awvalid_i, 0, 1) && bits_get(d.s_awready_o, 0, 1)
                        : bits_get(d.s_arvalid_i, 0, 1) && bits_get(d.s_arready_o, 0, 1);
        bool out = write ? bits_get(d.m_wvalid_o, 0, 1) : bits_get(d.m_arvalid_o, 0, 1);
        if (in && !taken_at) taken_at = b.cycle;
        if (out && !seen_at) seen_at = b.cycle;
        b.step();
        got += b.done - before;
        if (warm && sent >= 1000 && got >= 900) break;
      }
      if (!warm) { // the second time it hits
        while (b.made != b.done) b.step();
        taken_at = seen_at = 0;
        auto r = std::make_shared<Burst>();
        r->write = write, r->asid = b.asids[0], r->va = va;
        if (write) r->data.push_back(random_beat(b.rng)), r->strb.push_back(all);
        (write ? b.aw[0] : b.ar[0]) = r;
        b.made++;
        while (b.made != b.done) {
          offer(b);
          b.settle();
          bool in = write ? bits_get(d.s_awvalid_i, 0, 1) && bits_get(d.s_awready_o, 0, 1)
                          : bits_get(d.s_arvalid_i, 0, 1) && bits_get(d.s_arready_o, 0, 1);
          bool out = write ? bits_get(d.m_wvalid_o, 0, 1) : bits_get(d.m_arvalid_o, 0, 1);
          if (in && !taken_at) taken_at = b.cycle;
          if (out && !seen_at) seen_at = b.cycle;
          b.step();
        }
        (write ? s.write_hit : s.read_hit) = static_cast<double>(seen_at - taken_at);
      } else {
        (write ? s.write_beats : s.read_beats) =
            static_cast<double>(got) / static_cast<double>(b.cycle - begin);
        while (b.made != b.done) b.step();
      }
    }
  }
  b.straight = false;
  for (auto &m : b.mem) m.fast = false;
  return s;
}
/// Port 0 reads a page that hits in every cycle while its frame is coalesced: the coalescer takes
/// nothing from the port, and nothing is flushed, so that no walk is made. Returns the bursts a
/// cycle.
double coalesce_under_hits(Bench &b) {
  auto step = b.step;
  uint64_t n = 0;
  b.straight = true;
  for (auto &m : b.mem) m.fast = true;
  b.step = [&] {
    if (!b.ar[0]) {
      auto r = std::make_shared<Burst>();
      r->asid = b.asids[0], r->va = b.large_va + user_beat(n), r->id = static_cast<uint32_t>(n % 4);
      b.ar[0] = r;
      b.made++;
      n++;
      offer(b);
    }
    one_cycle(b);
  };
  set_marks(b, b.asids[0], true);
  for (int i = 0; i < 500; i++) b.step();
  uint64_t done = b.done, cycle = b.cycle, walks = b.walk.served + b.walk.reads.size();
  b.must(gmmu_drv_coalesce(&b.drv, b.asids[0], b.large_va), "coalesce");
  double rate = static_cast<double>(b.done - done) / static_cast<double>(b.cycle - cycle);
  if (b.cycle - cycle < 2000 || rate < 0.98)
    b.fail("reads that hit while their frame is coalesced, percent", 98,
           static_cast<uint64_t>(100 * rate), b.large_va);
  if (b.walk.served + b.walk.reads.size() != walks)
    b.fail("PTEs read for a page that is in the TLB", walks, b.walk.served, b.large_va);
  check_frame(b, b.asids[0], true);
  b.must(gmmu_drv_splinter(&b.drv, b.asids[0], b.large_va), "splinter");
  for (int i = 0; i < 500; i++) b.step();
  if (b.walk.served + b.walk.reads.size() == walks)
    b.fail("PTEs read after the frame was splintered", 1, 0, b.large_va);
  b.step = step;
  while (b.made != b.done && !b.errors) b.step();
  b.straight = false;
  for (auto &m : b.mem) m.fast = false;
  return rate;
}
} // namespace

const BenchInfo bench_info = {"axi_bench", "BURSTS", 20000, "[manager]", 0, 1};
int bench_run(const BenchArgs &args) {
  uint64_t bursts = args.count;
  auto b = std::make_unique<Bench>();
  b->seed = args.seed;
  b->rng.s = b->seed;
  b->step = [&] { one_cycle(*b); };
  b->who_waits = [&](BenchWaits &w) { waiting(*b, w); };
  for (uint32_t p = 0; p < kPorts; p++) {
    b->mem[p].port = p;
    b->mem[p].on_apply = [&](Ref r) { // the shadow follows memory
      Burst &x = *r;
      Page *g = b->page(x.asid, x.va);
      if (x.refused || !g) return;
      if (b->is_table && !g->fixed && g->mapped && !g->leaving && !b->fuzzing) {
        uint64_t at = b->leaf(x.asid, x.va), pte = at ? b->memory.word(at) : 0;
        if (at && GMMU_PTE_PPN(pte) == x.pa >> 12 && (~pte & (GMMU_PTE_A | GMMU_PTE_D)))
          b->fail("A and D of a page that was written", 0xc0, pte, x.va);
      }
      for (uint32_t i = 0; i < x.beats(); i++) {
        uint64_t base = x.at(i, x.va) & ~(kBytes - 1ull);
        if (x.atop) {
          atomic(x.atop, &g->content[x.at(i, x.va) & 4095], x.data[i], x.at(i, x.va));
        } else {
          for (uint64_t l = 0; l < kBytes; l++)
            if (x.strb[i][l]) g->content[(base + l) & 4095] = x.data[i][l];
        }
      }
    };
  }
#ifdef GMMU_TB_SVADU
  b->is_table = [](uint64_t pa) {
    return (pa >= kTables && pa <= kTablesEnd) || (kFar && pa >= kFarTables && pa <= kFarTablesEnd);
  };
  b->engine.on_dirty = [&](World &, uint64_t at) { // somebody waits to store there
    if (b->fuzzing || b->error_mode) return;
    for (uint32_t p = 0; p < kPorts; p++)
      for (auto &[id, q] : b->open_w[p])
        for (auto &x : q)
          if (b->leaf(x->asid, x->va) == at) return;
    for (uint32_t p = 0; p < kPorts; p++)
      if (b->aw[p] && b->leaf(b->aw[p]->asid, b->aw[p]->va) == at) return;
    for (auto &n : b->native)
      if (n.valid && n.access == 1 && b->leaf(n.asid, n.va) == at) return;
    b->fail("a PTE is dirty that nobody stores to", 0, b->memory.word(at), at);
  };
#endif
  if (args.extra(0) == "manager") {
    set_asids(*b);
    reset(*b);
    managed(*b, bursts);
    return b->errors != 0;
  }
  b->whole.allow(600000 + 500 * bursts); // runs take a fifth of it and less
  for (auto &f : b->port_fetch) f = static_cast<uint32_t>(b->below(3));
  build(*b);
  reset(*b);
  open_all(*b);
  resets_in_traffic(*b, 12 + bursts / 1000);
  if (!b->errors) stalls(*b, bursts);
  uint64_t stall_bursts = b->done;
  Storm storms;
  uint32_t worst = 0;
  if (!b->errors) storms = storm(*b, bursts / 8);
  if (!b->errors) passes_through(*b, bursts / 40);
  if (!b->errors) worst = worst_memory(*b);
  if (!b->errors) coalesced_is_one(*b);
  if (!b->errors) odd_copies(*b);
  if (!b->errors) ends_before_new(*b);
  if (!b->errors) atomics_cross(*b);
  if (!b->errors) coalesce_fails(*b);
  if (!b->errors) splinter_behind_stale(*b);
  if (!b->errors) illegal_in_a_row(*b);
  if (!b->errors) records_of_each(*b);
  if (!b->errors) errors(*b, bursts / 4);
  if (!b->errors) walks_fail(*b);
  if (!b->errors) updates_fail(*b);
  if (!b->errors) atomics_end_here(*b);
  Speed s{};
  if (!b->errors) s = measure(*b);
  // Two slots: a write keeps its own for 3 cycles.
  if (!b->errors && (s.read_hit > 2 || s.write_hit > 2 || s.read_beats < 0.98 ||
                     s.write_beats < (kBytes >= 8 ? 0.98 : 0.6)))
    b->fail("latency or bandwidth of hits", 2, 3, 0);
  double coalescing = 0;
  if (!b->errors) coalescing = coalesce_under_hits(*b);
  if (!b->errors) has_its_turn(*b);
  uint64_t compared = 0;
  if (!b->errors) compared = fuzz(*b, bursts / 4);
  if (b->is_table && (b->engine.exclusive < 100 || b->engine.dirtied < 20 || !b->engine.refused))
    b->fail("updates of PTEs", 100, b->engine.exclusive, 0);
  if (b->is_table)
    printf("updates of PTEs: %" PRIu64 " done, %" PRIu64 " of them set D, %" PRIu64
           " refused and repeated; all failed %" PRIu64
           " times for some time; software left %" PRIu64 " PTEs to them\n",
           b->engine.exclusive, b->engine.dirtied, b->engine.refused, b->failed_updates,
           b->cleared);
  if (!b->errors && bursts >= 40000 && (b->moves < 20 || !b->unmoved))
    b->fail("pages moved, and not moved as the copy failed", 20, b->moves, b->unmoved);
  printf("pages moved under loads and stores: %" PRIu64 ", %" PRIu64
         " copies failed; C and AC set %" PRIu64
         " times; compare-and-swaps lost against hardware: %" PRIu64 "\n",
         b->moves, b->unmoved, b->runs, b->lost_swaps);
  if (!b->errors && bursts >= 20000 && (b->broken < 50 || !b->nowhere))
    b->fail("records of bursts that break a rule of AXI, spaces that were off", 50, b->broken,
            b->nowhere);
  printf("bursts that break a rule of AXI: %" PRIu64
         " recorded; an address space was off under traffic %" PRIu64 " times\n",
         b->broken, b->nowhere);
  printf("storm: %" PRIu64
         " commands back to back; a burst was offered to memory after %u at most (%u allowed), "
         "%" PRIu64 " waits counted; with the worst memory after %u\n",
         storms.commands, storms.worst, kMostCommands, storms.hit, worst);
  uint64_t swapped = 0;
  for (auto &m : b->mem) swapped += m.swapped;
  if (!b->errors && bursts >= 20000 && !swapped) b->fail("compares that wrote", 1, 0, 0);
  b->errors += b->dut.errors_o;
  printf("%s gmmu_axi: %" PRIu64 " bursts (%" PRIu64 " atomic; %" PRIu64
         " compares wrote), %" PRIu64 " native requests, %" PRIu64 " faults resolved, %" PRIu64
         " pages unmapped, %" PRIu64 " coalesced or splintered (%" PRIu64
         " after a memory error), %" PRIu64 " pages copied (%" PRIu64
         " after a memory error), %" PRIu64 " times with timed retries, %" PRIu64
         " PTE reads, %" PRIu64 " cycles; error mode: reads %" PRIu64 " SLVERR %" PRIu64
         " DECERR, writes %" PRIu64 " SLVERR %" PRIu64 " DECERR; %" PRIu64
         " register reads compared under %" PRIu64
         " wild bursts; hit adds %.0f cycle to AR, %.0f to W; %.3f read and %.3f write bursts a "
         "cycle, %.3f while the frame is coalesced; %" PRIu64 " mismatches\n",
         b->errors ? "FAIL" : "PASS", stall_bursts, b->atomics, swapped, b->natives, b->faults,
         b->remaps, b->coalesced, b->co_errors, b->copies, b->copy_errors, b->timed, b->walk.served,
         b->cycle, b->ended[0], b->ended[1], b->ended[2], b->ended[3], compared, b->wild,
         s.read_hit, s.write_hit, s.read_beats, s.write_beats, coalescing, b->errors);
  return b->errors != 0;
}
