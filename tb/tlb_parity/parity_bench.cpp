// SPDX-License-Identifier: Apache-2.0
// Bench of TlbParity: gmmu_top under random requests, page table changes and invalidations, while
// single bits of its TLB arrays are upset: every answer right, every lookup that finds an upset
// entry counted once, nothing waits for ever. Built by tb/tlb_parity/run.sh, whose parameters come
// as macros; with PARITY 0 the same upsets have to give wrong answers.
#include <array>
#include <cinttypes>
#include <cstdio>
#include <deque>

#include "Vgmmu_harness.h"
#include "verilated.h"
#include "../common/bench_main.h"
#include "../common/coverage.h"
#include "pages.h"
#include "upsets.h"

const BenchInfo bench_info = {"tlb_parity", "requests", 20000, "", 0, 0};

#define TEXT(x) #x
#define NAME(x) TEXT(x)

namespace {
constexpr unsigned kSms = 2, kTags = 16;
constexpr uint64_t kPatience = 20000;
/// Bits of page numbers that differ.
constexpr uint64_t kUsed = 1u << 18 | (kFrames - 1) << 9 | 0x153;

struct Request {
  bool open = false;
  unsigned asid = 0, access = 0;
  bool user = false;
  uint64_t va = 0, since = 0;
};
struct Counts {
  uint64_t l1_hit = 0, l1 = 0, l2 = 0; // hits in the L1s; lookups that found an upset entry
};

struct Bench {
  VerilatedContext ctx;
  Vgmmu_harness dut{&ctx};
  CoverageAtEnd coverage{&ctx};
  std::mt19937_64 rng;
  Pages pages;
  Upsets upsets;
  uint64_t seed, cycle = 0, asked = 0, answered = 0, wrong = 0, flips = 0, changes = 0, probes = 0,
                 found = 0, miscounted = 0, repeated = 0, full = 0,
                 flipped[kArrayKinds][kBitKinds] = {};
  Counts counts;
  std::array<std::array<Request, kTags>, kSms> open{};
  struct Want {
    bool valid = false;
    unsigned tag = 0;
    Request r;
  };
  std::array<Want, kSms> want{}; // at the pins, until it is taken
  struct Read {
    uint64_t addr, at;
    unsigned id;
  };
  std::deque<Read> reads;
  bool answering = false; // a read's answer is at the pins in this cycle
  struct {
    bool asked = false, waiting = false;
  } inv;
  std::vector<uint64_t> hot; // {ASID, VFN} of what is asked for often
  bool upset_now = false;
  unsigned patience = 1, rate = 30; // how long answers wait; cycles between upsets
  BenchWatchdog watchdog{kPatience, [this](BenchWaits &w) {
                           for (unsigned s = 0; s < kSms; s++)
                             for (unsigned t = 0; t < kTags; t++)
                               if (open[s][t].open)
                                 w.add("SM " + std::to_string(s), "an answer", "VA 0x%" PRIx64,
                                       open[s][t].va);
                           if (inv.asked || inv.waiting) w.add("software", "an invalidation");
                           if (!reads.empty()) w.add("the walker", "memory");
                         }};

  static Shape shape() {
    Shape s{};
    s.asid_w = 2, s.data_w = 25, s.ways = 4, s.sets = 8;
    s.parity = PARITY, s.unified = UNIFIED, s.serial = SERIAL;
    s.groups = COLT == 2, s.l1_groups = COLT != 0;
    return s;
  }
  explicit Bench(uint64_t sd) : rng(sd), upsets(ctx, (dut.eval(), shape())), seed(sd) {
    ctx.assertOn(PARITY); // without parity two entries of one page are to be expected
  }

  bool one_in(unsigned n) { return rng() % n == 0; }
  uint64_t page_anywhere() {
    // numbers that differ in one bit here and there, so that an upset tag is a page in use
    const uint64_t offsets = rng() & kUsed & (one_in(4) ? 0x1ff : 0x143);
    return (rng() % kAsids) << 27 | (rng() % kGiants) << 18 | (rng() % kFrames) << 9 | offsets;
  }
  Request request() {
    if (hot.size() < 24 || one_in(40)) {
      if (hot.size() >= 24) hot.erase(hot.begin());
      hot.push_back(page_anywhere());
    }
    const bool anywhere = kMany ? !one_in(4) : one_in(4);
    const uint64_t p = anywhere ? page_anywhere() : hot[rng() % hot.size()];
    return make(unsigned(p >> 27), p & 0x7ffffff, unsigned(rng() % 4), rng() & 1);
  }
  static Request make(unsigned asid, uint64_t vfn, unsigned access, bool user) {
    Request r;
    const uint64_t high = vfn >> 26 & 1 ? ~uint64_t(0) << 39 : 0;
    r.asid = asid, r.va = high | vfn << 12 | 0x128, r.access = access, r.user = user;
    return r;
  }

  void reset() {
    dut.rsp_ready_i = 0, dut.mem_req_ready_i = 1;
    uint64_t roots = 0, modes = 0;
    for (unsigned a = 0; a < kAsids; a++) {
      roots |= (kRoots + a) << 20 * a;
      modes |= 1u << 2 * a;
    }
    dut.ctx_root_i = roots, dut.ctx_mode_i = uint8_t(modes);
    dut.ctx_ext_i = dut.ctx_sum_i = (1 << kAsids) - 1, dut.ctx_mxr_i = 0;
    dut.win_lo_i = 0, dut.win_hi_i = 0xfffff, dut.win_walk_i = dut.win_data_i = 1;
    bench_reset(dut, [&] { dut.tick_i = !dut.tick_i, dut.eval(); });
  }

  void set_request(unsigned s) {
    Want &w = want[s];
    dut.req_valid_i = uint8_t((dut.req_valid_i & ~(1u << s)) | unsigned(w.valid) << s);
    if (!w.valid) return;
    dut.req_va_i[2 * s] = uint32_t(w.r.va), dut.req_va_i[2 * s + 1] = uint32_t(w.r.va >> 32);
    auto put = [&](auto &pin, unsigned width, unsigned v) {
      const unsigned mask = ((1u << width) - 1) << width * s;
      pin = (pin & ~mask) | v << width * s;
    };
    put(dut.req_access_i, 2, w.r.access);
    put(dut.req_user_i, 1, w.r.user);
    put(dut.req_asid_i, 3, w.r.asid);
    put(dut.req_warp_i, 2, unsigned(rng() % 4));
    put(dut.req_tag_i, 4, w.tag);
  }
  void check(unsigned s, unsigned tag, uint64_t pa, unsigned cause) {
    Request &r = open[s][tag];
    const Pages::Answer a = pages.answer(r.asid, r.va, r.access, r.user);
    if (!r.open || a.cause != cause || (cause == 0 && a.pa != pa)) {
      if (PARITY && wrong < 10)
        printf("tlb_parity, seed %" PRIu64 ", cycle %" PRIu64
               ": SM %u, tag %u, ASID %u, VA 0x%" PRIx64 ": cause %u, PA 0x%" PRIx64
               "; expected cause %u, PA 0x%" PRIx64 "\n",
               seed, cycle, s, tag, r.asid, r.va, cause, pa, a.cause, a.pa);
      wrong++;
    }
    r.open = false;
    answered++;
  }

  /// One cycle; what is at the pins before is what the design sees in it.
  void step() {
    if (upset_now && one_in(rate)) upset();
    for (unsigned s = 0; s < kSms; s++) set_request(s);
    dut.rsp_ready_i = uint8_t(one_in(patience) ? 3 : rng() % 4 & rng() % 4 & rng() % 4);
    dut.mem_req_ready_i = !one_in(5);
    answering = !reads.empty() && reads.front().at <= cycle && !bench_hangs(cycle);
    dut.mem_rsp_valid_i = answering;
    if (answering) {
      dut.mem_rsp_id_i = uint8_t(reads.front().id);
#if LINES
      for (unsigned i = 0; i < 8; i++) {
        const uint64_t v = pages.pte((reads.front().addr & ~uint64_t(63)) + 8 * i);
        dut.mem_rsp_data_i[2 * i] = uint32_t(v), dut.mem_rsp_data_i[2 * i + 1] = uint32_t(v >> 32);
      }
#else
      dut.mem_rsp_data_i = pages.pte(reads.front().addr);
#endif
      reads.pop_front();
    }
    dut.inv_valid_i = inv.asked;
    dut.tick_i = !dut.tick_i;
    dut.eval();
    for (unsigned s = 0; s < kSms; s++) {
      if (want[s].valid && dut.req_ready_o >> s & 1) {
        open[s][want[s].tag] = want[s].r;
        open[s][want[s].tag].open = true, open[s][want[s].tag].since = cycle;
        want[s].valid = false;
      }
      if ((dut.rsp_valid_o & dut.rsp_ready_i) >> s & 1)
        check(s, dut.rsp_tag_o >> 4 * s & 15, dut.rsp_pa_o >> 32 * s & 0xffffffff,
              dut.rsp_cause_o >> 5 * s & 31);
    }
    if (dut.mem_req_valid_o && dut.mem_req_ready_i) {
      const Read r = {dut.mem_req_addr_o, cycle + 1 + rng() % 12, dut.mem_req_id_o};
      auto at = reads.end();
      while (at != reads.begin() && (at - 1)->at > r.at) --at;
      reads.insert(at, r);
    }
    if (inv.asked && dut.inv_ready_o) inv.asked = false, inv.waiting = true;
    else if (inv.waiting && dut.inv_done_o) inv.waiting = false, changes++;
    counts.l1_hit += unsigned(__builtin_popcount(dut.count_l1_hit_o));
    counts.l1 += unsigned(__builtin_popcount(dut.count_l1_parity_o));
    counts.l2 += unsigned(__builtin_popcount(dut.count_l2_parity_o));
    if (dut.count_l2_parity_o & ~dut.count_l2_look_o) {
      if (repeated++ == 0)
        printf("tlb_parity, seed %" PRIu64 ", cycle %" PRIu64
               ": L2: a lookup is counted again, "
               "expected once\n",
               seed, cycle);
    }
    cycle++;
    if (watchdog.stuck(cycle, answered + changes, idle()))
      watchdog.end(cycle, "nothing is answered");
  }
  bool idle() const {
    for (unsigned s = 0; s < kSms; s++) {
      if (want[s].valid) return false;
      for (const Request &r : open[s])
        if (r.open) return false;
    }
    return !inv.asked && !inv.waiting;
  }
  /// Of tags rather bits that make a page in use of another.
  void upset(unsigned kinds = ~0u) {
    const Bits *bits;
    unsigned bit;
    Word *w = nullptr;
    for (int tries = 0; tries < 4; tries++) {
      w = upsets.choose(rng, &bits, &bit, kinds);
      if (!w || bits->kind != kTag) break;
      const Page p = upsets.page_with(*w, *bits, bit);
      if (p.known && p.asid < kAsids && (p.vfn & ~kUsed) == 0) break;
    }
    if (!w) return;
    flipped[w->array][bits->kind]++, flips++;
    upsets.flip(*w, *bits, bit);
  }
  bool ask(unsigned s, const Request &r) {
    if (want[s].valid) return false;
    for (unsigned t = 0; t < kTags; t++)
      if (!open[s][t].open) {
        want[s].r = r, want[s].tag = t, want[s].valid = true;
        asked++;
        return true;
      }
    return false;
  }
  void traffic(uint64_t requests) {
    patience = one_in(2) ? 1 + unsigned(rng() % 20) : 1;
    rate = one_in(2) ? 60 : 8;
    for (const uint64_t last = asked + requests; asked < last;) {
      for (unsigned s = 0; s < kSms; s++)
        if (!one_in(3) && asked < last) ask(s, request());
      step();
    }
    quiet(0);
    full += large_full();
  }
  /// Each entry of the L2's large array holds a page: what is walked next takes one's place.
  bool large_full() const {
    bool any = false;
    for (const Word &w : upsets.words())
      if (w.array == kLarge) {
        if (!upsets.page(w).known) return false;
        any = true;
      }
    return any;
  }
  void quiet(unsigned more) {
    while (!idle()) step();
    for (unsigned i = 0; i < more; i++) step();
  }
  void invalidate(unsigned kind, unsigned asid, uint64_t lo, uint64_t hi) {
    dut.inv_kind_i = uint8_t(kind), dut.inv_asid_i = uint8_t(asid);
    dut.inv_lo_i = lo, dut.inv_hi_i = hi;
    inv.asked = true;
    quiet(0);
  }
  /// Frames become others while nobody asks, all, an address space's or one: what the TLBs have of
  /// them may not be seen again, also where a tag was wrong in the sweep, or is valid again.
  void change() {
    const unsigned frame = unsigned(rng() % Pages::frames()), asid = Pages::asid_of(frame);
    const unsigned kind = unsigned(rng() % 6); // 0 all, 1 and 2 a range, 3 a reset, else an ASID
    const uint64_t first = Pages::vfn_of(frame) & (kind == 1 ? ~uint64_t(0) << 18 : ~uint64_t(0));
    const uint64_t last = first + (kind == 1 ? 512 * kFrames : 512) - 1;
    for (int i = one_in(2) ? 24 : 4; i > 0; i--) upset(1u << kTag);
    for (unsigned f = 0; f < Pages::frames(); f++)
      if (kind == 0 || kind == 3 ||
          (Pages::asid_of(f) == asid &&
           (kind > 3 || (Pages::vfn_of(f) >= first && Pages::vfn_of(f) <= last))))
        pages.change(f);
    if (kind == 3) {
      reads.clear(); // a run of pages that nobody waits for
      reset();
    } else {
      invalidate(kind == 0 ? 0 : kind > 3 ? 1 : 2, asid, first, last);
    }
    for (int i = 0; i < 6; i++) upset(1u << kValid | 1u << kInit);
  }

  /// One request by itself: what it was counted as.
  Counts look(unsigned s, const Page &p) {
    const Counts before = counts;
    ask(s, make(p.asid, p.vfn, 0, rng() & 1));
    quiet(150);
    return {counts.l1_hit - before.l1_hit, counts.l1 - before.l1, counts.l2 - before.l2};
  }
  void expect(const Word &w, const char *what, uint64_t counted, uint64_t want_count) {
    if (counted == want_count) return;
    printf("tlb_parity, seed %" PRIu64 ", cycle %" PRIu64
           ": %s, way %u, set %u: %s: counted %" PRIu64 ", expected %" PRIu64 "\n",
           seed, cycle, w.name.c_str(), w.way, w.set, what, counted, want_count);
    miscounted++;
  }
  /// Arrays without an upset, then one in an entry whose page is looked up next.
  void probe() {
    invalidate(0, 0, 0, 0);
    traffic(120);
    quiet(150);
    const Bits *bits;
    unsigned bit;
    Word *w = nullptr;
    Page p;
    for (int tries = 0; tries < 200 && !p.known; tries++) {
      w = upsets.choose(rng, &bits, &bit);
      if (w && (bits->kind == kTag || bits->kind == kData || bits->kind == kParity))
        p = upsets.page(*w);
    }
    if (!p.known || p.asid >= kAsids) return;
    const bool tag = bits->kind == kTag;
    upsets.flip(*w, *bits, bit);
    flipped[w->array][bits->kind]++, flips++, probes++;
    const Page other = upsets.page(*w);
    const bool covered = w->array == kBypass && upsets.covers(*w, p);
    const unsigned s = w->array == kL1 ? unsigned(w->sm) : unsigned(rng() % kSms);
    const Counts first = look(s, p);
    // a lookup by itself is port 0's; a wrong tag of the L2's array is found by nobody
    const bool reaches = w->array == kL1 || first.l1_hit == 0;
    const bool there_yet = !tag || (w->array == kBypass && covered);
    const bool is_found = there_yet && reaches && w->port == 0;
    found += is_found;
    expect(*w, "L1, its page", first.l1, w->array == kL1 && is_found);
    expect(*w, "L2, its page", first.l2, w->array != kL1 && is_found);
    // unless the refill of its page took it
    // an associative array drops what was found
    if (is_found && w->array != kWays) expect(*w, "entries that stay", upsets.upset(*w), 0);
    if (tag && (w->array == kL1 || w->array == kLarge) && upsets.upset(*w)) {
      const Counts second = look(s, other);
      const bool there = w->array == kL1 ||
                         (second.l1_hit == 0 && other.asid < kAsids && other.vfn >> 18 < kGiants);
      if (w->array == kL1) expect(*w, "L1, the page that it is now", second.l1, 1);
      else if (there) expect(*w, "L2, the page that it is now", second.l2, 1);
      found += there;
    }
    // With fill tokens the refill may go to the bypass cache, and the L2 still has the entry.
    if (is_found && !TOKENS) {
      const Counts again = look(w->array == kL1 ? s : 1 - s, p);
      expect(*w, "L1, again", again.l1, 0);
      expect(*w, "L2, again", again.l2, 0);
    }
  }
};
} // namespace

int bench_run(const BenchArgs &args) {
  Bench b(args.seed);
  b.reset();
  BenchProgress progress(args.count, "requests", 10000);
  while (b.asked < args.count) {
    b.upset_now = true;
    // where there are many frames long enough, now and then, to fill the large array
    b.traffic(kMany && b.one_in(3) ? 1500 + b.rng() % 3000 : 50 + b.rng() % 200);
    b.change();
    b.upset_now = false;
    if (PARITY && b.one_in(4)) b.probe();
    progress.show(b.cycle, b.asked);
  }
  printf("%s: %" PRIu64 " requests, %" PRIu64 " invalidations, %" PRIu64 " upsets\n", NAME(BUILD),
         b.answered, b.changes, b.flips);
  for (unsigned a = 0; a < kArrayKinds; a++) {
    std::string line;
    for (unsigned k = 0; k < kBitKinds; k++)
      if (b.flipped[a][k])
        line += " " + std::string(bit_kind_names[k]) + " " + std::to_string(b.flipped[a][k]);
    if (!line.empty()) printf("  %s:%s\n", array_kind_names[a], line.c_str());
  }
  printf("  found and counted: L1 %" PRIu64 ", L2 %" PRIu64 "; by themselves %" PRIu64
         ", of which found %" PRIu64 "\n",
         b.counts.l1, b.counts.l2, b.probes, b.found);
  if (kMany) printf("  L2's large array full after %" PRIu64 " stretches of requests\n", b.full);
  const bool good = PARITY ? b.wrong == 0 && (!kMany || b.full != 0) &&
                                 b.miscounted + b.repeated == 0 && b.found != 0 &&
                                 b.counts.l1 != 0 && b.counts.l2 != 0
                           : b.wrong != 0 && b.counts.l1 + b.counts.l2 == 0;
  printf("%s tlb_parity %s seed %" PRIu64 ": %" PRIu64 " wrong answers%s, %" PRIu64
         " wrong counts\n",
         good ? "PASS" : "FAIL", NAME(BUILD), args.seed, b.wrong, PARITY ? "" : " (without parity)",
         b.miscounted + b.repeated);
  return good ? 0 : 1;
}
