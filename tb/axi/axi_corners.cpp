// SPDX-License-Identifier: Apache-2.0
// axi_corners.cpp - what random bursts under the driver hardly ever do (axi_corners.h).
#include "axi_corners.h"

namespace {
/// The native port passes its requests through, or translates, behind requests of before.
void native_passes(Bench &b, bool pass, uint32_t asid) {
  b.native_rests = true;
  while (b.native_showing >= 0 && !b.errors) b.step();
  gmmu_drv_port s{
      pass ? GMMU_DRV_PASS : GMMU_DRV_TRANSLATE, GMMU_DRV_FROM_REGISTER, 0, asid, false, 0};
  b.must(gmmu_drv_set_port(&b.drv, kNative, &s), "port");
  b.port_asid[kNative] = pass ? 0 : asid;
  b.native_rests = false;
}
} // namespace

void passes_through(Bench &b, uint64_t bursts) {
  const uint32_t asid = b.port_asid[0], native = b.port_asid[kNative];
  const size_t first = b.pages.size();
  drain(b, true);
  for (uint64_t i = 0; i < 12; i++) {
    Page p;
    p.asid = 0;
    p.pfn = (0xa0000000ull >> 12) + i * 0x1357; // in no window, used by nobody else
    if (i % 2) p.pfn ^= 0xe0000;
    p.va = p.pfn << 12;
    p.mapped = p.fixed = true;
    b.page_of[{0, p.pfn}] = b.pages.size();
    b.pages.push_back(p);
  }
  for (size_t i = first; i < b.pages.size(); i++) b.memory.page(b.pages[i].pfn).assign(4096, 0);
  gmmu_drv_port s{GMMU_DRV_PASS, GMMU_DRV_FROM_REGISTER, 0, asid, false, 0};
  b.must(gmmu_drv_set_port(&b.drv, 0, &s), "port");
  b.port_asid[0] = 0;
  b.target = b.made + bursts;
  b.traffic = true;
  Storm storms;
  uint64_t before = b.passed;
  while ((b.made < b.target || b.made != b.done) && !b.errors) {
    for (auto &m : b.mem)
      m.one = b.below(2), m.latency = 1 + static_cast<unsigned>(b.below(60 >> b.below(6)));
    for (int i = 0; i < 6 && !b.errors; i++) {
      storm_command(b, storms, static_cast<uint32_t>(b.below(4)));
      if (uint32_t now = 1; b.below(4) == 0) b.access(true, GMMU_REG_RETRY, &now, 15);
      if (uint32_t every = static_cast<uint32_t>(b.below(30)); b.below(6) == 0)
        b.access(true, GMMU_REG_RETRY_CYCLES, &every, 15);
      if (b.below(3) == 0) native_passes(b, b.below(2), native);
      for (uint64_t n = b.below(60); n; n--) b.step(); // some in the middle of none
    }
  }
  for (auto &m : b.mem) m.one = false, m.latency = 10;
  drain(b, true);
  if (!b.errors && b.passed - before < bursts / (4 * kPorts))
    b.fail("bursts that were passed through", bursts / (4 * kPorts), b.passed - before, 0);
  for (size_t i = first; i < b.pages.size() && !b.errors; i++)
    if (b.memory.page(b.pages[i].pfn) != b.pages[i].content)
      b.fail("content of a page that bursts reach untranslated", 0, 1, b.pages[i].va);
  for (size_t i = first; i < b.pages.size(); i++) b.page_of.erase({0, b.pages[i].pfn});
  b.pages.resize(first);
  uint32_t off = 0;
  b.access(true, GMMU_REG_RETRY_CYCLES, &off, 15);
  b.port_asid[0] = asid;
  b.port_asid[kNative] = native;
  set_ports(b, false);
}

namespace {
/// A copy by the registers; its result.
uint32_t copy_by_hand(Bench &b, uint64_t to, uint64_t from) {
  uint32_t v[4] = {static_cast<uint32_t>(from), static_cast<uint32_t>(from >> 32),
                   static_cast<uint32_t>(to), static_cast<uint32_t>(to >> 32)},
           at[4] = {GMMU_REG_CMD_FIRST_LO, GMMU_REG_CMD_FIRST_HI, GMMU_REG_CMD_LAST_LO,
                    GMMU_REG_CMD_LAST_HI},
           copy = 7, status = 1;
  for (int i = 0; i < 4; i++) b.access(true, at[i], &v[i], 15);
  b.access(true, GMMU_REG_CMD, &copy, 15);
  while ((status & 1) && !b.errors) b.access(false, GMMU_REG_CMD_STATUS, &status, 15);
  return (status & GMMU_REG_CMD_STATUS_RESULT_MASK) >> GMMU_REG_CMD_STATUS_RESULT_SHIFT;
}

} // namespace

void odd_copies(Bench &b) {
  auto &from = b.memory.page(kSpare >> 12), &to = b.memory.page((kSpare >> 12) + 1);
  for (auto *page : {&from, &to})
    for (auto &x : *page) x = static_cast<uint8_t>(gmmu_rng_next(&b.rng));
  const auto was_from = from, was_to = to;
  for (uint32_t bit = kPaW; bit < 48; bit++)
    for (int side = 0; side < 2 && !b.errors; side++) {
      uint64_t f = kSpare | (side ? 0 : 1ull << bit),
               t = (kSpare + 4096) | (side ? 1ull << bit : 0);
      uint32_t result = copy_by_hand(b, t, f);
      if (result != 3)
        b.fail("result of a copy beyond the physical width", 3, result, side ? t : f);
      if (from != was_from || to != was_to)
        b.fail("a copy beyond the physical width writes", 0, 1, side ? t : f);
    }
  for (int i = 0; i < 24 && !b.errors; i++) {
    uint64_t before = b.engine.failed;
    b.engine.b_error_in = i % 2 ? 20 : 0; // of 16 bursts
    b.engine.error_in = i % 2 ? 0 : 700;  // of 512 beats
    uint32_t result = copy_by_hand(b, kSpare + 4096, kSpare),
             want = b.engine.failed > before ? 4 : 0;
    b.engine.b_error_in = b.engine.error_in = 0;
    if (result != want) b.fail("result of a copy with memory errors", want, result, kSpare);
    if (!want && to != from) b.fail("a copied page", 0, 1, kSpare);
  }
}

void register_values(Bench &b) {
  b.traffic = false;
  reset(b);
  gmmu_regs_model m = fresh_registers(b);
  std::vector<uint32_t> all; // that are there; commands would run beside what is known
  for (uint32_t at = 0; at < 0x2000; at += 4) {
    uint32_t value, known;
    if (at != GMMU_REG_CMD && gmmu_regs_read(&m, at, &value, &known)) all.push_back(at);
  }
  auto compare = [&](uint32_t at) {
    uint32_t value, known, v = 0;
    gmmu_regs_read(&m, at, &value, &known);
    if (b.access(false, at, &v, 15) || ((v ^ value) & known)) b.fail("register", value, v, at);
  };
  for (size_t i = 0; i < 8 * all.size() && !b.errors; i++) {
    const uint32_t at = all[i % all.size()];
    uint32_t v = static_cast<uint32_t>(gmmu_rng_next(&b.rng)),
             strb = b.below(2) ? 15 : static_cast<uint32_t>(b.below(16));
    switch (b.below(6)) {
      case 0: v = 0; break;
      case 1: v = ~0u; break;
      case 2: v = 1u << b.below(32); break;
      case 3: v = static_cast<uint32_t>(b.below(16)); break;
      case 4: v = static_cast<uint32_t>(96 + b.below(8)) * 0x01010101u; break; // about 100 percent
      default: break;
    }
    const int want = gmmu_regs_write(&m, at, v, strb, false) ? 0 : 2;
    const int resp = b.access(true, at, &v, strb);
    if (resp != want)
      b.fail("response of a register write", static_cast<uint64_t>(want),
             static_cast<uint64_t>(resp), at);
    compare(at);
    compare(all[b.below(all.size())]);
  }
}

void register_orders(Bench &b, gmmu_regs_model *model) {
  struct Write {
    uint32_t at, value, strb, resp;
  };
  struct Read {
    uint32_t at;
    size_t after; // writes that were complete when it was offered
  };
  constexpr size_t kWrites = 1500;
  std::vector<Write> writes;
  std::vector<gmmu_regs_model> states{*model}; // after so many writes
  std::deque<Read> reads;
  auto where = [&]() -> uint32_t {
    if (b.below(12) == 0) return static_cast<uint32_t>(0x7c0 + 4 * b.below(8)); // none
    const uint32_t n = 2 + static_cast<uint32_t>(b.below(2));
    switch (b.below(4)) {
      case 0: return GMMU_REG_WIN_FIRST_LO(n);
      case 1: return GMMU_REG_WIN_FIRST_HI(n);
      case 2: return GMMU_REG_WIN_LAST_LO(n);
      default: return GMMU_REG_WIN_LAST_HI(n);
    }
  };
  for (size_t i = 0; i < kWrites; i++) {
    Write w{where(), static_cast<uint32_t>(gmmu_rng_next(&b.rng)),
            b.below(3) ? 15u : static_cast<uint32_t>(b.below(16)), 0};
    gmmu_regs_model m = states.back();
    w.resp = gmmu_regs_write(&m, w.at, w.value, w.strb, false) ? 0 : 2;
    states.push_back(m);
    writes.push_back(w);
  }
  auto &d = b.dut;
  size_t aw = 0, w = 0, done = 0, shown = 0;
  uint64_t quiet = 0, orders[5] = {};
  uint32_t read_at = 0;
  bool aw_up = false, w_up = false, ar_up = false;
  size_t ar_after = 0;
  while ((done < kWrites || !reads.empty() || ar_up) && !b.errors) {
    static const uint32_t paces[] = {1, 2, 6};
    static uint32_t pace[4] = {1, 1, 1, 1};
    if (b.below(60) == 0) pace[b.below(4)] = paces[b.below(3)];
    aw_up |= aw < kWrites && aw <= w + 2 && b.below(pace[0]) == 0;
    w_up |= w < kWrites && w <= aw + 2 && b.below(pace[1]) == 0;
    if (!ar_up && done < kWrites && b.below(pace[2] + 1) == 0)
      ar_up = true, read_at = where(), ar_after = done;
    d.c_awvalid_i = aw_up;
    d.c_awaddr_i = aw_up ? writes[aw].at : static_cast<uint32_t>(gmmu_rng_next(&b.rng)) & 0x1ffc;
    d.c_wvalid_i = w_up;
    d.c_wdata_i = w_up ? writes[w].value : static_cast<uint32_t>(gmmu_rng_next(&b.rng));
    d.c_wstrb_i = w_up ? writes[w].strb : static_cast<uint32_t>(b.below(16));
    d.c_arvalid_i = ar_up;
    d.c_araddr_i = ar_up ? read_at : static_cast<uint32_t>(gmmu_rng_next(&b.rng)) & 0x1ffc;
    d.c_bready_i = b.below(pace[3]) == 0;
    d.c_rready_i = b.below(pace[3]) == 0;
    b.settle();
    bool took_aw = aw_up && d.c_awready_o, took_w = w_up && d.c_wready_o,
         took_ar = ar_up && d.c_arready_o;
    orders[0] += took_aw && aw == w && !took_w; // the address is first, the data, both at once
    orders[1] += took_w && w == aw && !took_aw;
    orders[2] += took_w && took_aw && w == aw;
    orders[3] += (took_aw || took_w) && d.c_bvalid_o; // while an answer waits
    orders[4] += took_ar && (aw > done || w > done);
    quiet++;
    if (d.c_bvalid_o && d.c_bready_i) {
      if (done >= std::min(aw, w)) b.fail("B for no register write", 0, 1, 0);
      else if (d.c_bresp_o != writes[done].resp)
        b.fail("response of a register write", writes[done].resp, d.c_bresp_o, writes[done].at);
      done++;
      quiet = 0;
    }
    if (d.c_rvalid_o && d.c_rready_i) {
      if (reads.empty()) {
        b.fail("R for no register read", 0, 1, 0);
      } else {
        const Read r = reads.front();
        reads.pop_front();
        bool right = false;
        uint32_t value = 0, known = 0;
        for (size_t k = r.after; k <= std::min(aw, w) && k < states.size(); k++) {
          uint32_t resp = gmmu_regs_read(&states[k], r.at, &value, &known) ? 0 : 2;
          right |= resp == d.c_rresp_o && !((value ^ d.c_rdata_o) & known);
        }
        if (!right) b.fail("a register that is read beside writes", value, d.c_rdata_o, r.at);
        shown++;
        quiet = 0;
      }
    }
    b.step();
    if (took_aw) aw++, aw_up = false;
    if (took_w) w++, w_up = false;
    if (took_ar) reads.push_back({read_at, ar_after}), ar_up = false;
    if (quiet > 1000) b.fail("register accesses are not answered", kWrites, done, writes[done].at);
  }
  d.c_awvalid_i = d.c_wvalid_i = d.c_arvalid_i = d.c_bready_i = d.c_rready_i = 0;
  *model = states.back();
  for (uint64_t n : orders)
    if (!b.errors && n < 20) b.fail("register accesses in one of their orders", 20, n, 0);
  if (!b.errors && shown < 100) b.fail("register reads beside writes", 100, shown, 0);
}

void coalesced_is_one(Bench &b) {
  if (!b.drv.build.large && !b.drv.build.unified) return;
  auto read = [&] {
    auto r = std::make_shared<Burst>();
    r->asid = b.asids[0], r->va = b.large_va + 4096 * b.below(512);
    b.lock(*r, 1);
    b.page(r->asid, r->va)->busy++;
    b.ar[0] = r;
    b.made++;
    offer(b);
    while (b.made != b.done && !b.errors) b.step();
  };
  drain(b, true);
  for (int round = 0; round < 3 && !b.errors; round++) {
    set_marks(b, b.asids[0], true);
    b.must(gmmu_drv_invalidate_all(&b.drv), "invalidate");
    for (int i = 0; i < 8; i++) read();
    b.must(gmmu_drv_coalesce(&b.drv, b.asids[0], b.large_va), "coalesce");
    for (int i = 0; i < 24; i++) read();
    uint64_t walks = b.walk.served;
    for (int i = 0; i < 24; i++) read();
    if (b.walk.served != walks)
      b.fail("PTEs read for pages of a coalesced frame", walks, b.walk.served, b.large_va);
    b.must(gmmu_drv_splinter(&b.drv, b.asids[0], b.large_va), "splinter");
  }
}
