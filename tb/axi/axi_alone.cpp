// SPDX-License-Identifier: Apache-2.0
// axi_alone.cpp - see axi_alone.h.
#include "axi_alone.h"

namespace {
void run(Bench &b, uint64_t cycles) {
  for (; cycles && !b.errors; cycles--) b.step();
}

/// Sets the beats and their size; a write writes all bytes of each.
void shape(Bench &b, Burst &r, uint32_t size, uint32_t len = 0) {
  r.size = size, r.len = len;
  r.data.clear(), r.strb.clear();
  for (uint32_t i = 0; r.write && i < r.beats(); i++) {
    const auto [low, end] = r.lanes(i);
    Beat strb{};
    std::fill(strb.begin() + low, strb.begin() + end, 1);
    r.data.push_back(random_beat(b.rng)), r.strb.push_back(strb);
  }
}

void shape_atomic(Bench &b, Burst &r) {
  r.atop = kAtomSwap;
  shape(b, r, log2_of(kAtomBytes));
}

/// One beat from va on, of the ASID of the port, the first at ports 0 and 1; offered, and not
/// taken yet.
Ref ask(Bench &b, uint32_t port, bool write, uint64_t va, uint32_t id, int cause = 0) {
  auto r = std::make_shared<Burst>();
  r->port = port, r->write = write, r->va = va, r->id = id, r->mark = b.asids[0] << 4;
  r->asid = port == 1 ? b.asids[0] : b.port_asid[port]; // port 1 says it in AxUSER
  r->want_cause = cause;
  shape(b, *r, kMaxSize);
  b.lock(*r, 1);
  if (Page *g = b.page(r->asid, va)) g->busy++;
  b.made++;
  (write ? b.aw : b.ar)[port] = r;
  return r;
}

void until(Bench &b, uint64_t cycles, const std::function<bool()> &done, const char *what,
           uint64_t at) {
  for (; cycles && !done() && !b.errors; cycles--) b.step();
  if (!done()) b.fail(what, 1, 0, at);
}

uint32_t reg(Bench &b, uint32_t at) {
  uint32_t v = 0;
  b.access(false, at, &v, 15);
  return v;
}

void set(Bench &b, uint32_t at, uint32_t v) { b.access(true, at, &v, 15); }

void forget_records(Bench &b) {
  gmmu_drv_fault f;
  while (next_fault(b, f)) continue;
}

/// A page of the first address space for user and data alone, or for a supervisor's fetches alone;
/// null if none is mapped that may change.
Page *page_to(Bench &b, bool data) {
  for (Page &p : b.pages) {
    if (p.asid != b.asids[0] || !p.mapped || p.fixed || p.native || p.pfn << 12 >= kOutside)
      continue;
    p.user = p.writable = p.readable = data, p.executable = !data;
    b.must(gmmu_drv_protect(&b.drv, p.asid, p.va, 4096, rights(p)), "protect");
    return &p;
  }
  return nullptr;
}

/// What waits in the ports ends with an error.
void end_all(Bench &b) {
  set_ports(b, true);
  until(
      b, 3000, [&] { return b.made == b.done && !b.native[0].valid; },
      "bursts that end in error mode", 0);
  forget_records(b);
  set_ports(b, false);
}
} // namespace

void asks_when_told(Bench &b) {
  // Lookups of the only burst that there is, in so many cycles and those of the registers' reads.
  auto lookups = [&](uint64_t cycles) {
    count(b);
    const uint64_t before = b.counted[1];
    run(b, cycles);
    count(b);
    return b.counted[1] - before;
  };
  set(b, GMMU_REG_RETRY_CYCLES, 0);
  Ref r = read_nothing(b);
  run(b, 600);
  forget_records(b);
  if (uint64_t n = lookups(1000)) b.fail("lookups that nobody asked for", 0, n, r->va);
  const uint64_t every = 300 + b.below(300), begin = b.cycle;
  set(b, GMMU_REG_RETRY_CYCLES, static_cast<uint32_t>(every));
  const uint64_t n = lookups(10 * every), most = (b.cycle - begin) / every + 1;
  if (n < 9 || n > most) b.fail("lookups by the clock", n < 9 ? 10 : most, n, every);
  set(b, GMMU_REG_RETRY_CYCLES, 1u << (20 + b.below(12)));
  if (uint64_t seldom = lookups(1000)) b.fail("lookups long before their time", 0, seldom, r->va);
  set(b, GMMU_REG_RETRY_CYCLES, 0);
  count(b);
  const uint64_t before = b.counted[1];
  b.must(gmmu_drv_invalidate_all(&b.drv), "invalidate");
  if (!lookups(300) && b.counted[1] == before)
    b.fail("lookups after a command has ended", 1, 0, r->va);
  if (r->over) b.fail("a burst without a page ended", 0, 1, r->va);
  drain(b, true); // it was recorded again when the command had ended
}

void records_of_each(Bench &b) {
  Page &p = b.pages[0];
  if (p.mapped) {
    b.must(gmmu_drv_unmap(&b.drv, p.asid, p.va, 4096), "unmap");
    b.free_frames.insert(p.pfn);
    p.mapped = false;
  }
  for (uint32_t kind = 0; kind < 8 && !b.errors; kind++) {
    const uint32_t port = kind % 2;
    const bool write = kind >= 4;
    Ref r = ask(b, port, write, p.va + 64 * kind, 1 + b.below(2) * 3, GMMU_PF_INVALID);
    if (write && kind >= 6) shape_atomic(b, *r);
    if (!write) {
      r->prot2 = kind >= 2;
      r->fetch = b.port_fetch[port] ? b.port_fetch[port] == 2 : r->prot2;
    }
    offer(b);
    until(b, 2000, [&] { return b.dut.irq_o != 0; }, "the interrupt of a fault", r->va);
    gmmu_drv_fault f{};
    if (!next_fault(b, f)) b.fail("the record of a fault", 1, 0, r->va);
    const uint64_t want = r->va << 16 | r->id << 8 | port << 4 | r->access() << 1 | write,
                   got = f.va << 16 | f.id << 8 | f.port << 4 | f.access << 1 | f.write_channel;
    if (want != got) b.fail("a record: VA, ID, port, access, channel", want, got, r->va);
    set(b, GMMU_REG_IRQ_STATUS, 15);
    end_all(b);
    set(b, GMMU_REG_IRQ_STATUS, 15);
  }
  if (kAddrW < 39 || GMMU_TB_FAULTS < kAllPorts) return; // no address faults at once; no room
  for (int round = 0; round < 12 && !b.errors; round++) {
    for (uint32_t port = 0; port < kPorts; port++)
      ask(b, port, round & 1, 1ull << 38 | 64 * port, 0, GMMU_NON_CANONICAL);
    b.native[0] = {true, 1ull << 62, b.cycle, 0, b.port_asid[kNative]};
    b.native[0].want_cause = GMMU_NON_CANONICAL;
    b.native_showing = 0;
    offer(b);
    run(b, 200);
    const uint32_t n = reg(b, GMMU_REG_FAULT_STATUS) & GMMU_REG_FAULT_STATUS_COUNT_MASK;
    if (n != kAllPorts) b.fail("records of faults of all ports", kAllPorts, n, 0);
    end_all(b);
  }
  set(b, GMMU_REG_IRQ_STATUS, 15);
}

void coalesce_fails(Bench &b) {
  bool large = false;
  for (int i = 0; (i < 4 || large) && !b.errors && b.drv.build.coalescer; i++)
    coalesce(b, b.asids[0], large);
}

void illegal_in_a_row(Bench &b) {
  b.straight = true;
  for (int round = 0; round < 12 && !b.errors; round++) {
    for (int i = 0; i < 40; i++) { // records of the others keep them waiting
      for (uint32_t port = 0; port < kPorts; port++)
        for (bool write : {false, true})
          if (!(write ? b.aw : b.ar)[port] && i < 30)
            ask(b, port, write, b.large_va + 64 * (i + 32 * write), i % 3, GMMU_BUS_BURST)->kind =
                3;
      offer(b);
      b.step();
    }
    until(
        b, 1000, [&] { return b.made == b.done; }, "ends of bursts that break a rule", b.large_va);
    forget_records(b);
  }
  set(b, GMMU_REG_IRQ_STATUS, 15);
  b.straight = false;
}

void ends_before_new(Bench &b) {
  auto busy = [&] { return (reg(b, GMMU_REG_CMD_STATUS) & GMMU_REG_CMD_STATUS_BUSY_MASK) != 0; };
  auto issued = [&](Ref r) {
    offer(b);
    until(b, 3000, [&] { return r->issued; }, "a burst that hits is issued", r->va);
  };
  auto command = [&] {
    set(b, GMMU_REG_CMD_ASID, b.asids[1]);
    set(b, GMMU_REG_CMD, 1);
    run(b, 400);
  };
  for (int kind = 0; kind < 10 && !b.errors; kind++) { // reads, writes, atomics
    const bool write = kind < 6 ? kind % 3 : kind % 2, atom = kind < 6 && kind % 3 == 2;
    issued(ask(b, 0, write, b.large_va, 3)); // the next ones hit
    until(b, 3000, [&] { return b.made == b.done; }, "a burst that hits ends", b.large_va);
    const unsigned latency = b.mem[0].latency;
    b.mem[0].latency = 10000000; // nothing is answered before it is said
    Ref old = ask(b, 0, write, b.large_va, 1);
    if (atom) shape_atomic(b, *old);
    const bool door = kind >= 6; // memory takes it when the translations have gone
    if (door) b.mem[0].shut_until = ~0ull, offer(b), run(b, 60);
    else issued(old);
    if (atom) { // its R is late; now and then it is not
      old->b_at = b.cycle;
      until(b, 3000, [&] { return old->b_done; }, "B of an atomic", b.large_va);
      if (old->over || b.mem[0].r_on) {
        b.mem[0].latency = latency;
        until(b, 3000, [&] { return b.made == b.done; }, "an atomic ends", b.large_va);
        continue;
      }
    }
    old->b_at = b.cycle + 1500;
    command();
    if (door) {
      b.mem[0].shut_until = 0;
      issued(old);
      old->b_at = b.cycle + 1500;
      run(b, 50);
    }
    if (!busy()) b.fail("a command ends before a burst that memory had", 1, 0, b.large_va);
    if (uint32_t held = reg(b, GMMU_REG_CMD_HELD); held != 1)
      b.fail("ports that a command waits for", 1, held, b.large_va);
    if (!(reg(b, GMMU_REG_PORT_STATUS(0)) & GMMU_REG_PORT_STATUS_BUSY_MASK))
      b.fail("a port with a burst at memory is busy", 1, 0, b.large_va);
    Ref later[2];
    const uint32_t n = kSlots > 2 ? 2 : 1; // as many as may be on their way beside it
    for (uint32_t i = 0; i < n; i++) {
      later[i] = ask(b, 0, write, b.large_va + 64 * (i + 1), 2 * i);
      issued(later[i]);
    }
    until(b, 4000, [&] { return old->over; }, "a burst ends", b.large_va);
    run(b, 50);
    if (busy()) b.fail("a command waits for bursts that came after it", 0, 1, b.large_va);
    for (uint32_t i = 0; i < n; i++)
      if (later[i]->over) b.fail("a burst that memory holds back ended", 0, 1, b.large_va);
      else later[i]->b_at = b.cycle;
    b.mem[0].latency = latency;
    until(b, 3000, [&] { return b.made == b.done; }, "bursts end", b.large_va);
  }
}

void atomics_cross(Bench &b) {
  const unsigned latency = b.mem[0].latency;
  b.mem[0].latency = 4, b.mem[0].r_first = true;
  for (int round = 0; round < 300 && !b.errors; round++) {
    for (uint32_t id : {1u, 2u}) {
      Ref r = ask(b, 0, true, b.large_va + 64 * id, id);
      if (id == 1 || b.below(2)) shape_atomic(b, *r);
      offer(b);
      until(b, 3000, [&] { return r->issued; }, "an atomic or a write is issued", r->va);
      run(b, b.below(16));
    }
    until(b, 3000, [&] { return b.made == b.done; }, "atomics end", b.large_va);
  }
  b.mem[0].latency = latency, b.mem[0].r_first = false;
  set(b, GMMU_REG_CMD_ASID, b.asids[1]);
  set(b, GMMU_REG_CMD, 1);
  run(b, 400);
  if (reg(b, GMMU_REG_CMD_STATUS) & GMMU_REG_CMD_STATUS_BUSY_MASK)
    b.fail("a command waits for atomics that have ended", 0, 1, b.large_va);
}

void atomics_end_here(Bench &b) {
  auto p = std::find_if(b.pages.begin(), b.pages.end(), [&](const Page &x) {
    return x.asid == b.asids[0] && !x.mapped && !x.native;
  });
  if (p == b.pages.end()) return;
  const std::pair<uint32_t, uint32_t> kinds[] = {{kAtomSwap, 0},    {kAtomCompare, 0},
                                                 {kAtomCompare, 1}, {kAtomCompare, 3},
                                                 {kAtomSwap, 1},    {kAtomClear, 1}};
  for (auto [atop, len] : kinds) {
    if (atop != kAtomCompare && len && kBytes > 4) continue; // AXI: 8 bytes at most
    Ref r = ask(b, 0, true, p->va, 1, GMMU_PF_INVALID);
    r->atop = atop;
    shape(b, *r, std::min(kMaxSize, 3u), len);
    offer(b);
    until(b, 2000, [&] { return b.made == b.done; }, "an atomic that ends in the MMU", len);
    run(b, 50);
  }
  // a page that only a supervisor may execute: loads and atomics of both
  Page *x = page_to(b, false);
  if (!x) return forget_records(b);
  for (int kind = 0; kind < 4 && !b.errors; kind++) {
    Ref r = ask(b, 0, kind >= 2, x->va + 1024 * (kind % 2), 1, GMMU_PERM);
    if (kind >= 2) shape_atomic(b, *r);
    else if (b.port_fetch[0] == 2) r->fetch = true, r->want_cause = cause_of(*x, 2, r->user());
    offer(b);
    until(b, 2000, [&] { return b.made == b.done; }, "a burst without rights", r->va);
    run(b, 50);
  }
  forget_records(b);
}

void walks_fail(Bench &b) {
  Page *p = page_to(b, true);
  if (!p) return;
  for (int kind = 0; kind < 6 && !b.errors; kind++) { // read, write: a read fails; no window; none
    const bool write = kind % 2;
    if (kind / 2 == 1)
      b.must(gmmu_drv_window(&b.drv, 0, kTablesEnd + 1, kTablesEnd + 4096, true, false), "window");
    b.must(gmmu_drv_invalidate_all(&b.drv), "invalidate");
    b.walk.error_in = kind / 2 == 0, b.walk.true_data = true;
    Ref r = ask(b, 0, write, p->va, 1,
                kind / 2 == 0   ? GMMU_AF_MEM
                : kind / 2 == 1 ? GMMU_AF_WALK_WINDOW
                                : 0);
    if (!write && b.port_fetch[0] == 2)
      r->fetch = true, r->want_cause += !r->want_cause * GMMU_PERM;
    offer(b);
    until(b, 2000, [&] { return b.made == b.done; }, "a burst whose walk fails", r->va);
    b.walk.error_in = 0, b.walk.true_data = false;
    if (kind / 2 == 1)
      b.must(gmmu_drv_window(&b.drv, 0, kTables, kTablesEnd, true, false), "window");
  }
  forget_records(b);
}

void updates_fail(Bench &b) {
  if (!b.is_table) return;
  Page *p = page_to(b, true);
  if (!p) return;
  const uint64_t at = b.leaf(p->asid, p->va), ad = GMMU_PTE_A | GMMU_PTE_D;
  for (int kind = 0; kind < 6 && !b.errors; kind++) { // read, write: B, R fails; none
    const bool write = kind % 2;
    b.memory.put(at, (b.memory.word(at) & ~ad) | (write ? GMMU_PTE_A : 0));
    b.must(gmmu_drv_invalidate_all(&b.drv), "invalidate");
    b.engine.b_error_in = kind / 2 == 0, b.engine.error_in = kind / 2 == 1;
    Ref r = ask(b, 0, write, p->va, 1, kind < 4 ? GMMU_AF_MEM : 0);
    if (!write && b.port_fetch[0] == 2) r->fetch = true, r->want_cause = GMMU_PERM;
    offer(b);
    until(b, 2000, [&] { return b.made == b.done; }, "a burst whose update fails", r->va);
    b.engine.b_error_in = b.engine.error_in = 0;
    const uint64_t set = b.memory.word(at) & ad;
    if (!r->want_cause && set != (write ? ad : GMMU_PTE_A))
      b.fail("A and D of a page that was accessed", write ? ad : GMMU_PTE_A, set, r->va);
  }
  forget_records(b);
}

void splinter_behind_stale(Bench &b) {
  if (!b.drv.build.coalescer) return;
  auto step = b.step;
  bool hold = false;
  b.step = [&] {
    one_cycle(b);
    for (auto &r : b.walk.reads)
      if (hold) r.at = b.cycle + 1000;
  };
  set_marks(b, b.asids[0], true);
  b.must(gmmu_drv_coalesce(&b.drv, b.asids[0], b.large_va), "coalesce");
  b.must(gmmu_drv_invalidate_all(&b.drv), "invalidate");
  hold = true;
  ask(b, 0, false, b.large_va + 4096, 0);
  offer(b);
  run(b, 300);
  b.must(gmmu_drv_invalidate_all(&b.drv), "invalidate");
  set(b, GMMU_REG_CMD_ASID, b.asids[0]);
  set(b, GMMU_REG_CMD_FIRST_LO, static_cast<uint32_t>(b.large_va));
  set(b, GMMU_REG_CMD_FIRST_HI, static_cast<uint32_t>(b.large_va >> 32 & 0xffff));
  set(b, GMMU_REG_CMD, 6);
  auto quiet = [&] { // the engine has ended
    return !b.dut.p_arvalid_o && !b.dut.p_awvalid_o && b.engine.reads.empty() &&
           b.engine.writes.empty() && b.engine.answers.empty();
  };
  for (uint64_t rest = 0, i = 0; rest < 100 && i < 60000 && !b.errors; i++) {
    b.step();
    rest = quiet() ? rest + 1 : 0;
  }
  const bool waited = reg(b, GMMU_REG_CMD_STATUS) & GMMU_REG_CMD_STATUS_BUSY_MASK;
  if (!waited)
    b.fail("a splinter ends before a miss that a command had overtaken", 1, 0, b.large_va);
  hold = false;
  for (auto &r : b.walk.reads) r.at = b.cycle;
  uint32_t status = 1;
  for (int i = 0; i < 500 && status & 1; i++) status = reg(b, GMMU_REG_CMD_STATUS);
  if (status & 1) b.fail("a splinter behind a stale miss never ends", 0, 1, b.large_va);
  until(b, 3000, [&] { return b.made == b.done; }, "the burst ends", b.large_va);
  b.step = step;
  check_frame(b, b.asids[0], false);
}
