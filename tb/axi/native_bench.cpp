// SPDX-License-Identifier: Apache-2.0
// Bench of what clients of native ports do with translated addresses while pages move
// (docs/native_port.md), built by tb/axi/run.sh native: one client that takes an answer when memory
// is done, one that keeps addresses and follows n_drop_o and n_busy_i, one behind gmmu_page_merge.
// There are fewer frames than pages: faults are served by evictions, and a frame is filled with
// rubbish as soon as its unmap has returned. Every byte that a client reads is compared. Then: who
// keeps a command, and how few frames suffice. usage: native_bench ACCESSES SEED; ends with "PASS
// ..." or "FAIL ...".
#include "axi_memory.h"
#include "axi_places.h"

namespace {
constexpr uint64_t kTables = 0x00100000, kTablesEnd = 0x003fffff, kData = 0x10000000,
                   kDataEnd = 0x1fffffff;
constexpr uint32_t kLanes = 4, kAllPages = 24, kParts = GMMU_TB_PARTS;

/// An address that a client has, or waits for.
struct Use {
  enum { Free, Ask, Asked, Have, Memory } state = Free; // Have: kept, memory not asked yet
  uint64_t va = 0, pa = 0, at = 0;                      // at: memory is asked, or answers, then
  std::shared_ptr<bool> over = nullptr;                 // it was answered
};
struct Native : World {
  BenchWatchdog watchdog{100000, [this](BenchWaits &w) { waits(w); }};
  WalkMemory walk;
  Use hold, keep[4], lane[kLanes]; // of client 0, of client 1 by tag, of the lanes of an access
  int showing = -1;                // client 1: the tag that is offered
  bool in_hand = false,
       offered = false;            // client 2: an access is in hand; the merge has (some of) it
  bool on[3] = {true, true, true}; // clients at work
  bool stuck = false;              // client 1's memory does not answer
  bool slow = false;               // client 1 leaves answers waiting before it takes them
  uint32_t pages = kAllPages, span = kAllPages; // pages of an access: the next `span`
  bool distinct = false;                        // lanes of different pages
  std::map<uint64_t, uint64_t> frame_of;        // VPN: PFN
  std::deque<uint64_t> order, free_frames;      // VPNs as they came in; frames
  uint64_t done[3] = {}, dropped = 0, parts = 0, faults = 0, moves = 0, wrong = 0;
  bool serve = true;
  Asked asked;
  uint64_t place[kAllPages] = {};
  uint64_t page(uint64_t k) const { return place[k]; }
};
/// Of all bits of the address: pages that differ in one of them have nothing in common.
uint8_t content(uint64_t va) {
  gmmu_rng r{va};
  return static_cast<uint8_t>(gmmu_rng_next(&r));
}

/// Out of memory, and its frame is somebody else's at once.
void evict(Native &n) {
  uint64_t vpn = n.order.front();
  n.order.pop_front();
  uint64_t pfn = n.frame_of[vpn];
  n.must(gmmu_drv_unmap(&n.drv, 1, vpn << 12, 4096), "unmap");
  n.frame_of.erase(vpn);
  for (auto &byte : n.memory.page(pfn)) byte = 0x8c;
  n.free_frames.push_back(pfn);
  n.moves++;
}
int resolve(void *arg, const gmmu_drv_fault *f) {
  Native &n = *static_cast<Native *>(arg);
  uint64_t vpn = f->va >> 12;
  n.faults++;
  n.asked.check(n, *f);
  if (n.frame_of.count(vpn)) return GMMU_DRV_RESOLVED;
  if (n.free_frames.empty()) evict(n);
  uint64_t pfn = n.free_frames.front();
  n.free_frames.pop_front();
  for (uint64_t a = 0; a < 4096; a++) n.memory.page(pfn)[a] = content((vpn << 12) + a);
  n.frame_of[vpn] = pfn;
  n.order.push_back(vpn);
  n.must(gmmu_drv_map(&n.drv, 1, vpn << 12, pfn << 12, 4096, GMMU_DRV_R | GMMU_DRV_U, false),
         "map");
  return GMMU_DRV_RESOLVED;
}

void serve(Native &n) {
  n.must(gmmu_drv_handle_faults(&n.drv, resolve, &n), "faults");
  n.asked.emptied();
}

void loaded(Native &n, Use &u, unsigned client) {
  uint8_t got = n.memory.byte(u.pa);
  if (got != content(u.va)) n.wrong++, n.fail("byte that a client loads", content(u.va), got, u.va);
  u.state = Use::Free;
  n.done[client]++;
  n.last_progress = n.cycle;
}
/// Memory is asked after some time; now and then at once.
void have(Native &n, Use &u, uint64_t pa, bool at_once) {
  u.pa = pa;
  if (u.over) *u.over = true;
  u.state = at_once ? Use::Memory : Use::Have;
  u.at = n.cycle + 1 + n.below(at_once ? 60 : 30);
}
/// The MMU has its request: the fault queue may name it, and of an access of the merge any lane.
void asked(Native &n, Use &u, unsigned client) {
  u.state = Use::Asked;
  u.over = std::make_shared<bool>(false);
  n.asked.add(1 + client, false, 0, 1, u.va, u.over);
}
void advance(Native &n, Use &u, unsigned client) {
  if (u.at > n.cycle || (client == 1 && n.stuck)) return;
  if (u.state == Use::Have) u.state = Use::Memory, u.at = n.cycle + 1 + n.below(60);
  else if (u.state == Use::Memory) loaded(n, u, client);
}

void drive(Native &n) {
  Dut &d = n.dut;
  auto va = [&] { return n.page(n.below(n.pages)) + n.below(4096); };
  // Client 0 asks for one address, and takes the answer when memory is done with it.
  if (n.hold.state == Use::Free && n.on[0]) n.hold = {Use::Ask, va()};
  bits_set(d.n_req_valid_i, 0, 1, n.hold.state == Use::Ask);
  if (n.hold.state == Use::Ask) bits_set(d.n_req_va_i, 0, 64, n.hold.va);
  bits_set(d.n_rsp_ready_i, 0, 1, n.hold.state == Use::Memory && n.hold.at <= n.cycle);
  bits_set(d.n_busy_i, 0, 1, 0);
  // Client 1 takes answers at once and keeps them.
  for (auto &u : n.keep)
    if (u.state == Use::Free && n.on[1] && n.below(8) == 0) u = {Use::Ask, va()};
  if (n.showing < 0)
    for (int t = 0; t < 4; t++)
      if (n.keep[t].state == Use::Ask) n.showing = t;
  bits_set(d.n_req_valid_i, 1, 1, n.showing >= 0);
  if (n.showing >= 0)
    bits_set(d.n_req_va_i, 64, 64, n.keep[n.showing].va),
        bits_set(d.n_req_tag_i, 4, 4, static_cast<uint32_t>(n.showing));
  bits_set(d.n_rsp_ready_i, 1, 1, n.slow ? n.below(64) == 0 : n.below(4) != 0);
  bool busy = false;
  for (auto &u : n.keep) busy |= u.state == Use::Memory;
  bits_set(d.n_busy_i, 1, 1, busy);
  // Client 2: accesses of several lanes.
  if (!n.in_hand && n.on[2]) {
    n.in_hand = true;
    uint64_t first = n.below(n.pages);
    for (uint32_t l = 0; l < kLanes; l++) {
      n.lane[l] = {n.distinct || n.below(4) ? Use::Ask : Use::Free};
      n.lane[l].va = n.page((first + (n.distinct ? l : n.below(n.span))) % n.pages) + n.below(4096);
    }
  }
  uint32_t mask = 0;
  busy = false;
  bool rest = false;
  for (uint32_t l = 0; l < kLanes; l++) {
    if (n.lane[l].state == Use::Ask) mask |= 1u << l, bits_set(d.g_va_i, 64 * l, 64, n.lane[l].va);
    busy |= n.lane[l].state == Use::Memory;
    rest |= n.lane[l].state == Use::Have || n.lane[l].state == Use::Memory;
  }
  d.g_valid_i = n.in_hand && !n.offered && mask && !rest;
  d.g_mask_i = mask;
  if (!d.g_valid_i && n.random.now())
    n.random.put(d.g_mask_i, 0, kLanes), n.random.put(d.g_va_i, 0, kLanes * 64);
  d.g_busy_i = busy;
  d.g_rsp_ready_i = n.below(4) != 0;
  if (n.in_hand && !n.offered && !mask && !rest) n.in_hand = false;
}

void sample(Native &n) {
  Dut &d = n.dut;
  auto bit = [&](auto &v, uint32_t i) { return bits_get(v, i, 1) != 0; };
  if (bit(d.n_req_valid_i, 0) && bit(d.n_req_ready_o, 0)) asked(n, n.hold, 0);
  if (n.hold.state == Use::Asked && bit(d.n_rsp_valid_o, 0))
    have(n, n.hold, bits_get(d.n_rsp_pa_o, 0, 32), true);
  else if (n.hold.state == Use::Memory) {
    if (!bit(d.n_rsp_valid_o, 0) || bits_get(d.n_rsp_pa_o, 0, 32) != n.hold.pa)
      n.fail("an answer that is offered changes", n.hold.pa, bits_get(d.n_rsp_pa_o, 0, 32),
             n.hold.va);
    if (bit(d.n_rsp_ready_i, 0)) loaded(n, n.hold, 0);
  }
  // Client 1: what it has and has not asked memory for is given up when n_drop_o is 1.
  for (auto &u : n.keep) advance(n, u, 1);
  if (bit(d.n_req_valid_i, 1) && bit(d.n_req_ready_o, 1))
    asked(n, n.keep[n.showing], 1), n.showing = -1;
  if (bit(d.n_rsp_valid_o, 1) && bit(d.n_rsp_ready_i, 1))
    have(n, n.keep[bits_get(d.n_rsp_tag_o, 4, 4) & 3], bits_get(d.n_rsp_pa_o, 32, 32),
         n.below(4) == 0);
  if (bit(d.n_drop_o, 1))
    for (auto &u : n.keep)
      if (u.state == Use::Have) u.state = Use::Ask, n.dropped++;
  // Client 2, the same with lanes.
  for (auto &u : n.lane) advance(n, u, 2);
  if (d.g_valid_i && d.g_ready_o) {
    n.offered = true;
    for (auto &u : n.lane)
      if (u.state == Use::Ask) asked(n, u, 2);
  }
  if (d.g_rsp_valid_o && d.g_rsp_ready_i) {
    bool at_once = n.below(4) == 0;
    for (uint32_t l = 0; l < kLanes; l++) {
      if (!bit(d.g_rsp_mask_o, l)) continue;
      if (n.lane[l].state != Use::Asked)
        n.fail("answer for a lane that waits for none", 0, l, n.lane[l].va);
      have(n, n.lane[l], bits_get(d.g_rsp_pa_o, 32 * l, 32), at_once);
    }
    n.parts += !d.g_rsp_last_o;
    if (d.g_rsp_last_o) n.offered = false;
    bool left = false;
    for (auto &u : n.lane) left |= u.state == Use::Asked;
    if (left == (d.g_rsp_last_o != 0)) n.fail("last answer of an access", !left, d.g_rsp_last_o, 0);
    if (!kParts && !d.g_rsp_last_o) n.fail("a part of an access", 0, 1, 0);
  }
  if (d.g_drop_o)
    for (auto &u : n.lane)
      if (u.state == Use::Have) u.state = Use::Ask, n.dropped++;
}

void waiting(const Native &n, BenchWaits &w) {
  auto add = [&](const std::string &who, const Use &u) {
    if (u.state == Use::Ask || u.state == Use::Asked)
      w.add(who, "the MMU", "va 0x%" PRIx64 ", %s", u.va, u.state == Use::Ask ? "asks" : "asked");
    if (u.state == Use::Memory) w.add(who, "its memory", "pa 0x%" PRIx64, u.pa);
  };
  add("client 0", n.hold);
  for (auto &u : n.keep) add("client 1", u);
  for (auto &u : n.lane)
    add(std::string("a lane ") + (n.offered ? "in" : "before") + " the merge", u);
  n.walk.waits(w);
}

void one_cycle(Native &n) {
  n.settle();
  sample(n);
  n.walk.sample(n);
  n.edge();
  n.walk.drive(n);
  drive(n);
  if (n.watchdog.stuck(n.cycle, n.last_progress)) exit(1);
}

void frames(Native &n, uint64_t count) {
  while (!n.order.empty()) evict(n);
  n.free_frames.clear();
  for (uint64_t k = 0; k < count; k++) n.free_frames.push_back((kData >> 12) + 3 * k);
}
/// Runs until the clients at work have loaded `more` bytes each, or for so many cycles; moves pages
/// unless told not to.
void run(Native &n, uint64_t more, bool moving, uint64_t cycles = ~0ull) {
  uint64_t want[3], end = n.cycle + cycles;
  for (int c = 0; c < 3; c++) want[c] = n.on[c] ? n.done[c] + more : 0;
  auto busy = [&] { return n.done[0] < want[0] || n.done[1] < want[1] || n.done[2] < want[2]; };
  while (busy() && !n.errors && (cycles == ~0ull || n.cycle < end)) {
    if (cycles != ~0ull) n.last_progress = n.cycle;
    n.step();
    if (n.dut.irq_o) serve(n);
    if (moving && n.below(200) == 0 && !n.order.empty()) {
      if (n.below(4)) evict(n);
      else n.must(gmmu_drv_invalidate_asid(&n.drv, 1), "invalidate");
    }
  }
}
void stop(Native &n) {
  bool was[3] = {n.on[0], n.on[1], n.on[2]};
  n.on[0] = n.on[1] = n.on[2] = false;
  auto busy = [&] {
    bool b = n.hold.state != Use::Free || n.in_hand;
    for (auto &u : n.keep) b |= u.state != Use::Free;
    return b;
  };
  while (busy() && !n.errors) {
    n.step();
    if (n.dut.irq_o) serve(n);
  }
  for (int c = 0; c < 3; c++) n.on[c] = was[c];
}
void only(Native &n, int client) {
  stop(n);
  for (int c = 0; c < 3; c++) n.on[c] = c == client;
}

/// A client that never ends its use keeps a command, and CMD_HELD names its port.
void held(Native &n) {
  only(n, 1);
  frames(n, 8);
  stop(n);
  n.stuck = true;
  for (int i = 0; i < 2000; i++) {
    n.step();
    if (n.dut.irq_o) serve(n);
    bool busy = false;
    for (auto &u : n.keep) busy |= u.state == Use::Memory;
    for (auto &u : n.keep)
      if (!busy && u.state == Use::Have) u.state = Use::Memory;
    if (busy && !n.dut.irq_o) break;
  }
  uint32_t polls = n.drv.poll_limit, ports = 0, status = 1;
  n.drv.poll_limit = 200;
  int e = gmmu_drv_invalidate_asid(&n.drv, 1);
  if (e != GMMU_DRV_TIMEOUT)
    n.fail("a command that a client keeps ends", static_cast<uint64_t>(-GMMU_DRV_TIMEOUT),
           static_cast<uint64_t>(-e), 0);
  n.must(gmmu_drv_held(&n.drv, &ports), "held");
  if (ports != 4)
    n.fail("ports that a command waits for", 4, ports,
           GMMU_REG_CMD_HELD); // AXI port 0, native 1, 2, 3
  n.stuck = false;
  n.drv.poll_limit = polls;
  for (int i = 0; i < 2000 && status & 1; i++)
    static_cast<World &>(n).access(false, GMMU_REG_CMD_STATUS, &status, 15);
  n.must(gmmu_drv_held(&n.drv, &ports), "held");
  if (status & 1 || ports) n.fail("the command after it", 0, ports, GMMU_REG_CMD_STATUS);
}
} // namespace

const BenchInfo bench_info = {"native_bench", "ACCESSES", 20000, "", 0, 0};
int bench_run(const BenchArgs &args) {
  uint64_t accesses = args.count;
  auto n = std::make_unique<Native>();
  n->seed = args.seed;
  n->rng.s = n->seed;
  n->step = [&] { one_cycle(*n); };
  n->who_waits = [&](BenchWaits &w) { waiting(*n, w); };
  n->noisy = true;
  bench_reset(n->dut, [&] { n->settle(), n->edge(); });
  Places places(n->seed);
  for (uint64_t &va : n->place) va = places.draw(kNativeReach);
  for (uint64_t t = kTables; t < kTablesEnd; t += 4096) n->free_tables.push_back(t);
  gmmu_drv_bus bus = n->bus();
  n->on[0] = n->on[1] = n->on[2] = false;
  n->must(gmmu_drv_init(&n->drv, &bus), "init");
  n->must(gmmu_drv_window(&n->drv, 0, kTables, kTablesEnd, true, false), "window");
  n->must(gmmu_drv_window(&n->drv, 1, kData, kDataEnd, false, true), "window");
  n->must(gmmu_drv_open(&n->drv, 1, false, false, false, false), "open");
  for (uint32_t p = 0; p < 4; p++) {
    gmmu_drv_port s{GMMU_DRV_TRANSLATE, GMMU_DRV_FROM_REGISTER, 0, 1, false, 0};
    n->must(gmmu_drv_set_port(&n->drv, p, &s), "port");
  }
  n->must(gmmu_drv_fault_irq(&n->drv, true), "interrupts");
  frames(*n, 14);
  n->on[0] = n->on[1] = n->on[2] = true;
  run(*n, accesses / 4, true);
  held(*n);
  uint64_t before;
  // Answers that wait while their pages are taken away: the client is told when it takes them.
  only(*n, 1);
  frames(*n, 4);
  n->pages = 4, n->slow = true;
  before = n->dropped;
  run(*n, accesses / 40 + 200, true);
  if (!n->errors && n->dropped < before + 20)
    n->fail("answers given up that waited", 20, n->dropped - before, 0);
  n->pages = kAllPages, n->slow = false;
  // As few frames as an access has pages: enough; in parts one frame is. Fewer for whole answers:
  // no answer, and nothing wrong.
  only(*n, 2);
  n->distinct = true;
  frames(*n, kParts ? 1 : kLanes);
  run(*n, accesses / 40 + 20, false);
  if (!kParts && !n->errors) {
    stop(*n);
    before = n->done[2];
    frames(*n, kLanes - 1);
    run(*n, 1, false, 60000);
    if (n->done[2] != before)
      n->fail("an access answered whole with too few frames", 0, n->done[2] - before, 0);
    for (uint64_t k = 0; k < kLanes; k++) n->free_frames.push_back((kData >> 12) + 300 + k);
  }
  stop(*n);
  if (!n->errors && accesses >= 4000 &&
      (n->dropped < 20 || n->moves < 50 || (kParts && n->parts < 20)))
    n->fail("addresses given up, pages moved, parts", 20, n->dropped, n->moves);
  printf("%s clients of native ports, page merge with Parts=%u: %" PRIu64 ", %" PRIu64
         " and %" PRIu64 " bytes loaded, %" PRIu64 " wrong; %" PRIu64 " faults, %" PRIu64
         " pages moved out, %" PRIu64 " addresses given up by clients, %" PRIu64
         " answers in parts, %" PRIu64 " cycles; %" PRIu64 " mismatches\n",
         n->errors ? "FAIL" : "PASS", kParts, n->done[0], n->done[1], n->done[2], n->wrong,
         n->faults, n->moves, n->dropped, n->parts, n->cycle, n->errors);
  return n->errors != 0;
}
