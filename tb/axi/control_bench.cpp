// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_axi_control (registers, commands, interrupt, retries, fault queue, counters) by
// itself, built by tb/axi/run.sh control: random register accesses, each channel of the bus at its
// own pace, beside random faults, events that are counted, and an MMU that takes commands and ends
// them. Every output is predicted in every cycle, what software reads too; resets in between. What
// is expected follows docs/regs.md, docs/regs-map.md, docs/fault_queue.md and the register model.
// usage: control_bench CYCLES SEED; ends with "PASS ..." or "FAIL ...".
#include "../common/bench_main.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>
#include <memory>

#include GMMU_TB_HEADER
#include "verilated.h"
#include "../common/coverage.h"
#include "../system/bits.h"
extern "C" {
#include "gmmu.h"
#include "gmmu_regs.h"
#include "policy/regs.h"
}

namespace {
using Dut = GMMU_TB_DUT;

/// The build, as tb/axi/run.sh has it.
#ifdef GMMU_TB_LEAST
constexpr uint32_t kAxis = 1, kNatives = 0, kAsids = 2, kAsidW = 1, kPaW = 30, kVaW = 39,
                   kWindows = 1, kEntries = 1, kIdW = 1, kWarpW = 1, kEpoch = 3000, kMode = 2;
constexpr bool kTokens = false, kSched = false, kCoalescer = false, kCopy = false, kPerf = false;
#else
constexpr uint32_t kAxis = 2, kNatives = 1, kAsids = 5, kAsidW = 9, kPaW = 56, kVaW = 48,
                   kWindows = 5, kEntries = 5, kIdW = 6, kWarpW = 4, kEpoch = 3000, kMode = 0;
constexpr bool kTokens = true, kSched = true, kCoalescer = true, kCopy = true, kPerf = true;
#endif
constexpr uint32_t kSms = kAxis + kNatives, kPfnW = kPaW - 12, kCounters = 12,
                   kRecW = 1 + 64 + kAsidW + 2 + 1 + kIdW + 5;

struct Fault {
  uint32_t write, asid, access, user, id, cause, port;
  uint64_t va;
};

struct Control {
  VerilatedContext ctx;
  Dut dut{&ctx};
  CoverageAtEnd coverage{&ctx};
  gmmu_rng rng{1};
  uint64_t cycle = 0, seed = 1, errors = 0;
  BenchWatchdog watchdog{5000, [this](BenchWaits &w) {
                           w.add("gmmu_axi_control", "software", "B is up: %d, R: %d", b_up, r_up);
                         }};
  std::vector<uint32_t> all;            // offsets of registers that are there
  std::map<uint32_t, uint32_t> learned; // parameters: what they were before
  // the bus: what is held, what is answered
  bool aw_held = false, w_held = false, b_up = false, ar_held = false, r_up = false;
  bool took_aw = true, took_w = true, took_ar = true, wrote = false; // in the cycle before
  uint32_t waddr = 0, wdata = 0, wstrb = 0, bresp = 0, raddr = 0, rdata = 0, rresp = 0;
  // registers and what stands behind them
  gmmu_regs_model m{};
  uint32_t events = 0;
  bool busy = false, sent = false, refused = false, retry = false;
  uint32_t kind = 0, count = 0, result = 0;
  uint64_t since = 0; // cycles since the last tick
  std::deque<Fault> queue;
  uint32_t turn = 0; // of the port that may report first
  uint64_t now[kCounters] = {}, shown[kCounters] = {}, late[kCounters] = {};
  // the MMU, and the ports that report
  bool report[kSms] = {};
  Fault fault[kSms] = {};
  uint64_t ends_at = 0; // of a command that was taken; 0: none
  bool co_ended = false;
  // what happened
  uint64_t writes = 0, reads = 0, commands[8] = {}, refusals = 0, ticks = 0, lost = 0, recorded = 0,
           resets = 0, interrupts = 0;
  uint32_t pace[7] = {1, 1, 1, 1, 1, 1, 1};

  uint64_t below(uint64_t n) { return gmmu_rng_below(&rng, n); }
  uint32_t word() { return static_cast<uint32_t>(gmmu_rng_next(&rng)); }
  void fail(const char *what, uint64_t want, uint64_t got, uint64_t at = 0) {
    if (errors++ < 10)
      printf("cycle %" PRIu64 ", seed %" PRIu64 ": %s: expected 0x%" PRIx64 ", got 0x%" PRIx64
             " (at 0x%" PRIx64 ")\n",
             cycle, seed, what, want, got, at);
  }
  void is(const char *what, uint64_t want, uint64_t got, uint64_t at = 0) {
    if (want != got) fail(what, want, got, at);
  }
  bool engine() const { return kind > 4; }
  bool tick() const {
    const uint64_t every = gmmu_regs_kept(&m, GMMU_REG_RETRY_CYCLES);
    return every && since >= every;
  }
  bool writes_now() const { return aw_held && w_held && !b_up; }
};

void fresh(Control &c) {
  gmmu_regs_model &m = c.m;
  m.ports = kSms, m.asids = kAsids, m.asid_w = kAsidW, m.pfn_w = kPfnW, m.windows = kWindows,
  m.fault_entries = kEntries, m.counters = kCounters, m.params = GMMU_NUM_PARAMS;
  m.reset_mode = kMode, m.sv48 = kVaW == 48, m.epoch_reset = kEpoch;
  m.least_epoch = kTokens ? 6 + kSms + 20 * kAsids + (kSms << kWarpW) : 2;
  m.caps = (kCoalescer ? GMMU_REG_CAPS_COALESCER_MASK : 0) | (kPerf ? GMMU_REG_CAPS_PERF_MASK : 0) |
           (kTokens ? GMMU_REG_CAPS_TOKENS_MASK : 0) | GMMU_REG_CAPS_LARGE_MASK |
           (m.sv48 ? GMMU_REG_CAPS_SV48_MASK : 0) | (kSched ? GMMU_REG_CAPS_SCHED_MASK : 0) |
           (kCopy ? GMMU_REG_CAPS_COPY_MASK : 0);
  gmmu_regs_reset(&m);
  c.aw_held = c.w_held = c.b_up = c.ar_held = c.r_up = false;
  c.events = 0;
  c.busy = c.sent = c.refused = c.retry = false;
  c.count = c.result = 0;
  c.since = 0;
  c.queue.clear();
  c.turn = 0;
  memset(c.now, 0, sizeof c.now), memset(c.shown, 0, sizeof c.shown);
  memset(c.late, 0, sizeof c.late);
  c.ends_at = 0;
  c.co_ended = false;
}

/// A parameter of the build, if the bench has set it.
bool parameter(uint32_t at, uint32_t *value) {
  const std::pair<uint32_t, uint32_t> known[] = {{GMMU_PARAM_NumPorts, kAxis},
                                                 {GMMU_PARAM_NumNative, kNatives},
                                                 {GMMU_PARAM_NumAsids, kAsids},
                                                 {GMMU_PARAM_AsidW, kAsidW},
                                                 {GMMU_PARAM_VaW, kVaW},
                                                 {GMMU_PARAM_PaW, kPaW},
                                                 {GMMU_PARAM_NumWindows, kWindows},
                                                 {GMMU_PARAM_FaultEntries, kEntries},
                                                 {GMMU_PARAM_AxiIdW, kIdW},
                                                 {GMMU_PARAM_WarpW, kWarpW},
                                                 {GMMU_PARAM_EpochCycles, kEpoch},
                                                 {GMMU_PARAM_Coalescer, kCoalescer}};
  for (auto [offset, v] : known)
    if (offset == at) return *value = v, true;
  return false;
}

/// What a read of this cycle gives.
uint32_t read(const Control &c, uint32_t at, uint32_t *resp) {
  uint32_t v = 0, known = 0;
  *resp = gmmu_regs_read(&c.m, at, &v, &known) ? 0 : 2;
  if (*resp) return 0;
  const Fault *f = c.queue.empty() ? nullptr : &c.queue.front();
  at &= ~3u;
  switch (at) {
    case GMMU_REG_IRQ_STATUS: return c.events;
    case GMMU_REG_CMD_STATUS:
      return c.count << 16 | c.result << 8 | uint32_t{c.refused} << 1 | c.busy;
    case GMMU_REG_FAULT_STATUS: return v | static_cast<uint32_t>(c.queue.size());
    case GMMU_REG_FAULT_VA_LO: return f ? static_cast<uint32_t>(f->va) : 0;
    case GMMU_REG_FAULT_VA_HI: return f ? static_cast<uint32_t>(f->va >> 32) : 0;
    case GMMU_REG_FAULT_INFO:
      return f ? f->asid << 16 | 1u << 15 | f->user << 10 | f->access << 8 | f->cause : 0;
    case GMMU_REG_FAULT_SRC: return f ? f->id << 16 | f->write << 8 | f->port : 0;
    case GMMU_REG_PORTS_BUSY: return c.dut.port_busy_i;
    case GMMU_REG_CMD_HELD: return c.dut.port_held_i;
    default: break;
  }
  if (at >= GMMU_REG_PERF_LO(0) && at < GMMU_REG_PERF_LO(kCounters)) {
    const uint64_t x = kPerf ? c.shown[(at - GMMU_REG_PERF_LO(0)) / 8] : 0;
    return static_cast<uint32_t>(at & 4 ? x >> 32 : x);
  }
  for (uint32_t p = 0; p < kSms; p++)
    if (at == GMMU_REG_PORT_STATUS(p))
      return static_cast<uint32_t>(bits_get(c.dut.port_stalled_i, 8 * p, 8) |
                                   bits_get(c.dut.port_busy_i, p, 1) << 8);
  if (at >= GMMU_PARAM_NumPorts && at < GMMU_PARAM_NumPorts + 4 * GMMU_NUM_PARAMS)
    parameter(at, &v);
  return v;
}

/// The fields that the rest of the MMU gets are what software wrote.
void settings(Control &c) {
  const gmmu_regs_model &m = c.m;
  auto &d = c.dut;
  for (uint32_t p = 0; p < kSms; p++) {
    const uint32_t v = m.port_ctrl[p];
    c.is("MODE", v & 3, bits_get(d.port_mode_o, 2 * p, 2), p);
    c.is("ERROR", v >> 2 & 1, bits_get(d.port_error_o, p, 1), p);
    c.is("ASID_FROM", v >> 4 & 3, bits_get(d.port_asid_from_o, 2 * p, 2), p);
    c.is("FETCH", v >> 8 & 3, bits_get(d.port_fetch_o, 2 * p, 2), p);
    c.is("SHIFT", v >> 16 & 31, bits_get(d.port_shift_o, 5 * p, 5), p);
    c.is("PORT_ASID", m.port_asid[p], bits_get(d.port_asid_o, kAsidW * p, kAsidW), p);
  }
  for (uint32_t w = 0; w < kWindows; w++) {
    c.is("WIN_FIRST", m.win_first[w], bits_get(d.win_lo_o, kPfnW * w, kPfnW), w);
    c.is("WIN_LAST", m.win_last[w], bits_get(d.win_hi_o, kPfnW * w, kPfnW), w);
    c.is("WALK", m.win_ctrl[w] & 1, bits_get(d.win_walk_o, w, 1), w);
    c.is("DATA", m.win_ctrl[w] >> 1, bits_get(d.win_data_o, w, 1), w);
  }
  for (uint32_t a = 0; a < kAsids; a++) {
    const uint32_t v = m.ctx_ctrl[a];
    c.is("CTX_ROOT", m.ctx_root[a], bits_get(d.ctx_root_o, kPfnW * a, kPfnW), a);
    c.is("CTX_CTRL.MODE", v & 3, bits_get(d.ctx_mode_o, 2 * a, 2), a);
    c.is("EXT", v >> 2 & 1, bits_get(d.ctx_ext_o, a, 1), a);
    c.is("SUM", v >> 3 & 1, bits_get(d.ctx_sum_o, a, 1), a);
    c.is("MXR", v >> 4 & 1, bits_get(d.ctx_mxr_o, a, 1), a);
  }
  const uint32_t t = gmmu_regs_kept(&m, GMMU_REG_TOKENS);
  c.is("FREE", t & 1, d.token_free_o);
  c.is("STEP", t >> 8 & 7, d.token_step_o);
  c.is("START", t >> 16 & 127, d.token_start_o);
  c.is("POINTS", t >> 24 & 127, d.token_points_o);
  c.is("SCHED_APPS", gmmu_regs_kept(&m, GMMU_REG_SCHED_APPS), d.sched_apps_o);
  c.is("SCHED_QUOTA", gmmu_regs_kept(&m, GMMU_REG_SCHED_QUOTA), d.sched_quota_o);
  c.is("SCHED_TIMEOUT", gmmu_regs_kept(&m, GMMU_REG_SCHED_TIMEOUT), d.sched_timeout_o);
  c.is("SCHED_AGE_CAP", gmmu_regs_kept(&m, GMMU_REG_SCHED_AGE_CAP), d.sched_age_cap_o);
  if (kTokens || kSched)
    c.is("EPOCH_CYCLES", gmmu_regs_kept(&m, GMMU_REG_EPOCH_CYCLES), d.epoch_cycles_o);
}

/// Who reports in this cycle; kSms: nobody.
uint32_t reporter(const Control &c) {
  for (uint32_t i = 0; i < kSms; i++)
    if (c.report[(c.turn + i) % kSms]) return (c.turn + i) % kSms;
  return kSms;
}

void check(Control &c) {
  auto &d = c.dut;
  c.is("AWREADY", !c.aw_held, d.c_aw_ready_o);
  c.is("WREADY", !c.w_held, d.c_w_ready_o);
  c.is("BVALID", c.b_up, d.c_b_valid_o);
  if (c.b_up) c.is("BRESP", c.bresp, d.c_b_o, c.waddr);
  c.is("ARREADY", !c.ar_held && !c.r_up, d.c_ar_ready_o);
  c.is("RVALID", c.r_up, d.c_r_valid_o);
  if (c.r_up) {
    const uint32_t got = static_cast<uint32_t>(bits_get(d.c_r_o, 0, 32)), at = c.raddr & ~3u;
    const bool param = at >= GMMU_PARAM_NumPorts && at < GMMU_PARAM_NumPorts + 4 * GMMU_NUM_PARAMS;
    uint32_t want = c.rdata;
    if (param && !parameter(at, &want)) want = c.learned.emplace(at, got).first->second;
    c.is("RDATA", want, got, at);
    c.is("RRESP", c.rresp, bits_get(d.c_r_o, 32, 2), c.raddr);
  }
  c.is("irq_o", (c.events & gmmu_regs_kept(&c.m, GMMU_REG_IRQ_ENABLE)) != 0, d.irq_o, c.events);
  c.is("retry_o", c.retry, d.retry_o);
  c.is("tick_o", c.tick(), d.tick_o, c.since);
  c.is("inv_valid_o", c.busy && !c.sent && !c.engine(), d.inv_valid_o, c.kind);
  c.is("co_valid_o", c.busy && !c.sent && c.engine(), d.co_valid_o, c.kind);
  if (c.busy) { // the engine looks at them until the command has ended
    const bool frame = c.kind >= 3 && c.kind != 7;
    const uint64_t first = c.m.first >> 12, last = c.m.last >> 12;
    c.is("address space of a command", gmmu_regs_kept(&c.m, GMMU_REG_CMD_ASID), d.inv_asid_o);
    c.is("first page of a command", frame ? first & ~511ull : first, d.inv_lo_o, c.kind);
    if (c.kind != 5 && c.kind != 6)
      c.is("last page of a command", frame ? first | 511 : last, d.inv_hi_o, c.kind);
    if (c.kind != 7) c.is("kind of invalidation", std::min(c.kind, 2u), d.inv_kind_o, c.kind);
    if (c.engine()) {
      c.is("splinter", c.kind == 6, d.co_splinter_o, c.kind);
      c.is("copy", c.kind == 7, d.co_copy_o, c.kind);
    }
  }
  const uint32_t who = reporter(c);
  c.is("records that are taken", who < kSms ? 1u << who : 0, d.f_taken_o);
  if (who < kSms) c.is("a record is lost", c.queue.size() == kEntries, d.f_lost_o);
  if (c.wrote || c.cycle % 16 == 0) settings(c);
}

/// Inputs of the next cycle. What is offered stays until it is taken.
void drive(Control &c) {
  auto &d = c.dut;
  static const uint32_t paces[] = {1, 1, 1, 2, 8};
  if (c.below(100) == 0) c.pace[c.below(7)] = paces[c.below(5)];
  auto where = [&] {
    static const uint32_t often[] = {
        GMMU_REG_CMD,          GMMU_REG_CMD,        GMMU_REG_CMD,          GMMU_REG_CMD_STATUS,
        GMMU_REG_FAULT_POP,    GMMU_REG_FAULT_POP,  GMMU_REG_FAULT_POP,    GMMU_REG_FAULT_POP,
        GMMU_REG_FAULT_STATUS, GMMU_REG_RETRY,      GMMU_REG_RETRY_CYCLES, GMMU_REG_PERF_CTRL,
        GMMU_REG_IRQ_STATUS,   GMMU_REG_IRQ_ENABLE, GMMU_REG_FAULT_INFO,   GMMU_REG_FAULT_SRC};
    switch (c.below(8)) {
      case 0: return static_cast<uint32_t>(c.below(0x2000));
      case 1:
      case 2:
      case 3: return often[c.below(sizeof often / sizeof often[0])] | c.word() % 4;
      default: return c.all[c.below(c.all.size())] | c.word() % 4;
    }
  };
  if (!d.c_aw_valid_i || c.took_aw) d.c_aw_valid_i = c.below(c.pace[0]) == 0, d.c_aw_i = where();
  if (!d.c_w_valid_i || c.took_w) {
    uint32_t v = c.word();
    switch (c.below(6)) {
      case 0: v = 0; break;
      case 1: v = ~0u; break;
      case 2: v = 1u << c.below(32); break;
      case 3: v = static_cast<uint32_t>(c.below(16)); break;
      case 4: v = static_cast<uint32_t>(96 + c.below(8)) * 0x01010101u; break; // about 100 percent
      default: break;
    }
    d.c_w_valid_i = c.below(c.pace[1]) == 0;
    d.c_w_i = static_cast<uint64_t>(c.below(2) ? 15 : c.below(16)) << 32 | v;
  }
  if (!d.c_ar_valid_i || c.took_ar) d.c_ar_valid_i = c.below(c.pace[2]) == 0, d.c_ar_i = where();
  d.c_b_ready_i = c.below(c.pace[3]) == 0 && !bench_hangs(c.cycle);
  d.c_r_ready_i = c.below(c.pace[4]) == 0 && !bench_hangs(c.cycle);
  for (uint32_t p = 0; p < kSms; p++) {
    if (c.report[p]) continue;
    const uint32_t x = c.word();
    c.report[p] = c.below(16 * c.pace[5] * c.pace[5]) == 0;
    c.fault[p] = {x & 1,       x >> 1 & ((1u << kAsidW) - 1), x >> 20 & 3,
                  x >> 22 & 1, x >> 10 & ((1u << kIdW) - 1),  static_cast<uint32_t>(c.below(32)),
                  p,           gmmu_rng_next(&c.rng)};
    const Fault &f = c.fault[p];
    uint32_t at = p * kRecW;
    auto put = [&](uint32_t w, uint64_t v) { bits_set(d.f_rec_i, at, w, v), at += w; };
    put(5, f.cause), put(kIdW, f.id), put(1, f.user), put(2, f.access), put(kAsidW, f.asid);
    put(64, f.va), put(1, f.write);
  }
  for (uint32_t p = 0; p < kSms; p++) bits_set(d.f_valid_i, p, 1, c.report[p]);
  // The MMU takes a command and ends it; the engine says its result before, or at the end.
  d.inv_ready_i = c.below(c.pace[6]) == 0;
  d.co_ready_i = c.below(c.pace[6]) == 0;
  d.inv_done_i = d.co_done_i = 0;
  d.co_result_i = c.word() % 8;
  if (c.ends_at && c.cycle >= c.ends_at) {
    d.inv_done_i = !c.engine() || c.co_ended || c.below(2);
    d.co_done_i = c.engine() && !c.co_ended;
    c.co_ended |= d.co_done_i;
  }
  // what is only counted or read
  d.port_held_i = c.word(), d.port_busy_i = c.word();
  d.port_held_i &= (1u << kSms) - 1, d.port_busy_i &= (1u << kSms) - 1;
  const bool quiet = c.below(4) == 0;
  for (uint32_t p = 0; p < kSms; p++) bits_set(d.port_stalled_i, 8 * p, 8, quiet ? 0 : c.word());
  const uint32_t x = c.word(), y = c.word(), sms = (1u << kSms) - 1, axis = (1u << kAxis) - 1;
  d.count_l1_look_i = x & sms, d.count_l1_hit_i = x >> 8 & sms, d.count_l1_parity_i = x >> 16 & sms;
  d.count_l2_look_i = y & 3, d.count_l2_hit_i = y >> 2 & 3, d.count_l2_parity_i = y >> 4 & 3;
  d.count_walk_i = y >> 6 & 1, d.pte_read_i = y >> 7 & 1;
  d.read_i = y >> 8 & axis, d.write_i = y >> 16 & axis;
}

/// What the clock edge does, from the inputs that are up.
void edge(Control &c) {
  auto &d = c.dut;
  const bool we = c.writes_now(), tick = c.tick();
  const uint32_t at = c.waddr & ~3u, who = reporter(c);
  uint32_t mask = 0, set = 0;
  for (uint32_t i = 0; i < 4; i++) mask |= c.wstrb >> i & 1 ? 0xffu << 8 * i : 0;
  const uint32_t now = we ? c.wdata & mask : 0; // of registers that are pulses
  bool done = c.busy && d.inv_done_i;
  const bool was_busy = c.busy, full = c.queue.size() == kEntries;
  // a read of this cycle sees what was there before it
  if (c.r_up) {
    if (d.c_r_ready_i) c.r_up = false;
  } else if (c.ar_held) {
    c.rdata = read(c, c.raddr, &c.rresp);
    c.r_up = true, c.reads++;
  }
  const bool took_ar = d.c_ar_valid_i && d.c_ar_ready_o;
  if (took_ar) c.raddr = d.c_ar_i;
  c.ar_held = took_ar;
  if (kPerf) {
    const bool snap = we && at == GMMU_REG_PERF_CTRL && (now & 1),
               clear = we && at == GMMU_REG_PERF_CTRL && (now & 2);
    if (snap) memcpy(c.shown, c.now, sizeof c.now);
    if (clear) memset(c.now, 0, sizeof c.now);
    auto ones = [](uint32_t v) { return static_cast<uint64_t>(__builtin_popcount(v)); };
    bool stalled = false;
    for (uint32_t p = 0; p < kSms; p++) stalled |= bits_get(d.port_stalled_i, 8 * p, 8) != 0;
    const uint64_t at_once[kCounters] = {
        1, 0, 0, 0, 0, 0, d.pte_read_i, who < kSms, ones(d.read_i), ones(d.write_i), stalled, 0};
    for (uint32_t i = 0; i < kCounters; i++) c.now[i] += at_once[i] + c.late[i];
    const uint64_t late[kCounters] = {0,
                                      ones(d.count_l1_look_i),
                                      ones(d.count_l1_hit_i),
                                      ones(d.count_l2_look_i),
                                      ones(d.count_l2_hit_i),
                                      d.count_walk_i,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      ones(d.count_l1_parity_i) + ones(d.count_l2_parity_i)};
    memcpy(c.late, late, sizeof late);
  }
  if (who < kSms) {
    c.turn = (who + 1) % kSms;
    c.report[who] = false;
    set |= full ? GMMU_REG_IRQ_STATUS_LOST_MASK : GMMU_REG_IRQ_STATUS_FAULT_MASK;
    (full ? c.lost : c.recorded)++;
  }
  if (we && at == GMMU_REG_FAULT_POP && (now & 1) && !c.queue.empty()) c.queue.pop_front();
  if (who < kSms && !full) c.queue.push_back(c.fault[who]);
  // commands
  if (d.co_done_i) c.result = d.co_result_i;
  if (c.busy) {
    if (!c.sent && (c.engine() ? d.co_ready_i : d.inv_ready_i)) {
      c.sent = true;
      c.ends_at = c.cycle + 2 + c.below(1u << c.below(7));
    }
    if (done) c.busy = c.sent = c.co_ended = false, c.ends_at = 0;
  }
  if (we && at == GMMU_REG_CMD) {
    const uint32_t k = now & 7;
    const bool built = k == 7 ? kCopy : k <= 4 || kCoalescer;
    c.refused = was_busy || !built;
    if (c.refused) set |= GMMU_REG_IRQ_STATUS_REFUSED_MASK, c.refusals++;
    else c.commands[k]++;
    if (!c.refused && k == 4) done = true;
    if (!c.refused && k != 4) c.busy = true, c.sent = false, c.kind = k;
  }
  if (done) set |= GMMU_REG_IRQ_STATUS_DONE_MASK, c.count = (c.count + 1) & 0xffff;
  c.retry = done || (we && at == GMMU_REG_RETRY && (now & 1));
  c.since = tick || !gmmu_regs_kept(&c.m, GMMU_REG_RETRY_CYCLES) ? 1 : c.since + 1;
  c.ticks += tick;
  c.interrupts += d.irq_o;
  if (we && at == GMMU_REG_IRQ_STATUS) c.events &= ~now;
  c.events |= set;
  // the bus
  if (we) {
    c.bresp = gmmu_regs_write(&c.m, c.waddr, c.wdata, c.wstrb, was_busy) ? 0 : 2;
    c.writes++;
  }
  c.b_up = c.b_up ? !d.c_b_ready_i : we;
  const bool took_aw = d.c_aw_valid_i && !c.aw_held, took_w = d.c_w_valid_i && !c.w_held;
  if (we) c.aw_held = c.w_held = false;
  if (took_aw) c.aw_held = true, c.waddr = d.c_aw_i;
  if (took_w)
    c.w_held = true, c.wdata = static_cast<uint32_t>(d.c_w_i),
    c.wstrb = static_cast<uint32_t>(d.c_w_i >> 32);
  c.took_aw = took_aw, c.took_w = took_w, c.took_ar = took_ar, c.wrote = we;
}

/// A reset of some cycles: nobody offers anything in it.
void reset(Control &c) {
  auto &d = c.dut;
  d.rst_ni = 0;
  d.c_aw_valid_i = d.c_w_valid_i = d.c_ar_valid_i = d.c_b_ready_i = d.c_r_ready_i = 0;
  d.f_valid_i = d.inv_ready_i = d.co_ready_i = d.inv_done_i = d.co_done_i = 0;
  for (uint64_t n = 1 + c.below(4); n; n--) {
    d.clk_i = 0, d.eval();
    d.clk_i = 1, d.eval();
    c.cycle++;
  }
  d.rst_ni = 1;
  for (bool &x : c.report) x = false;
  c.took_aw = c.took_w = c.took_ar = c.wrote = true;
  fresh(c);
  c.resets++;
}

/// Everything that a run is to have met, by its length.
void met(Control &c, uint64_t cycles) {
  if (cycles < 10000) return;
  const uint64_t least = cycles / 5000;
  for (uint32_t k = 0; k < 8; k++)
    if ((k < 5 || (k < 7 ? kCoalescer : kCopy)) && c.commands[k] < least)
      c.fail("commands of a kind", least, c.commands[k], k);
  const std::pair<const char *, uint64_t> each[] = {{"commands that are refused", c.refusals},
                                                    {"retries by the clock", c.ticks},
                                                    {"records", c.recorded},
                                                    {"records that are lost", c.lost},
                                                    {"cycles with an interrupt", c.interrupts}};
  for (auto [what, n] : each)
    if (n < least) c.fail(what, least, n);
}
} // namespace

const BenchInfo bench_info = {"control_bench", "CYCLES", 200000, "", 0, 0};
int bench_run(const BenchArgs &args) {
  auto c = std::make_unique<Control>();
  c->seed = args.seed;
  c->rng.s = args.seed;
  reset(*c);
  for (uint32_t at = 0; at < GMMU_REGS_BYTES; at += 4)
    if (gmmu_regs_exists(&c->m, at)) c->all.push_back(at);
  BenchProgress progress(args.count, "cycles", 0x10000);
  while (c->cycle < args.count && c->errors < 10) {
    if (c->below(3000) == 0 && !bench_hangs(c->cycle)) reset(*c);
    drive(*c);
    c->dut.clk_i = 0;
    c->dut.eval();
    check(*c);
    edge(*c);
    c->dut.clk_i = 1;
    c->dut.eval();
    c->cycle++;
    if (c->watchdog.stuck(c->cycle, c->writes + c->reads)) return 1;
    progress.show(c->cycle, c->cycle);
  }
  if (!c->errors) met(*c, args.count);
  uint64_t commands = 0;
  for (uint64_t n : c->commands) commands += n;
  printf("%s gmmu_axi_control: %" PRIu64 " cycles, %" PRIu64 " register writes, %" PRIu64
         " reads, %" PRIu64 " commands, %" PRIu64 " refused, %" PRIu64 " faults recorded, %" PRIu64
         " lost, %" PRIu64 " retries by the clock, %" PRIu64 " resets, %" PRIu64 " mismatches\n",
         c->errors ? "FAIL" : "PASS", c->cycle, c->writes, c->reads, commands, c->refusals,
         c->recorded, c->lost, c->ticks, c->resets, c->errors);
  return c->errors != 0;
}
