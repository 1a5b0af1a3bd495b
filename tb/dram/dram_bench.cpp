// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_dram: random traffic into one channel; every cycle equal to the C model
// (timed/timed_dram.h), every command under the independent checker (policy/dram_check.h), every
// read's data right. Before the whole run short lives that end with a reset in the middle of
// traffic. Built by tb/dram/run.sh, whose parameters come as macros. Ends with "PASS ..." or "FAIL
// ...".
#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>

#include "Vgmmu_dram.h"
#include "verilated.h"
#include "../common/bench_main.h"
#include "../common/bench_resets.h"
#include "../common/coverage.h"
#include "../common/noise.h"
extern "C" {
#include "policy/dram_check.h"
#include "timed/timed_dram.h"
}

namespace {
constexpr uint32_t kIds = 1u << 12;
constexpr uint32_t kAppW = NUM_APPS <= 1    ? 1
                           : NUM_APPS <= 2  ? 1
                           : NUM_APPS <= 4  ? 2
                           : NUM_APPS <= 8  ? 3
                           : NUM_APPS <= 16 ? 4
                                            : 5;

struct Request {
  gmmu_dram_req r;
  uint64_t data, since; // since: cycle in which it entered the queues
  uint64_t nr;          // order of handing over
};

struct Bench {
  VerilatedContext ctx;
  Vgmmu_dram dut{&ctx};
  CoverageAtEnd coverage{&ctx};
  gmmu_dram_cfg cfg{};
  gmmu_dram *model = nullptr;
  gmmu_dram_check check{};
  gmmu_dram_rules rules = gmmu_dram_rules_gddr5;
  gmmu_rng rng;
  Noise random;
  BenchResets resets;
  bool fresh = false; // the first cycle of a life
  uint64_t cycle = 0, made = 0, handed = 0, served = 0, reads_back = 0, commands = 0, turns = 0,
           overtakes = 0, pairs = 0, errors = 0, seed = 0;
  uint32_t holder = 0, next_app = 0; // who has the turn, and who gets it then
  uint64_t worst_data = 0, worst_translation = 0, entered[4] = {}, by_class[4] = {};
  uint8_t con[NUM_APPS] = {}, warps[NUM_APPS] = {};
  gmmu_dram_in in{};
  uint32_t quota_max = 500, timeout = TIMEOUT, age_cap = AGECAP;
  bool has_turns = true;
  uint64_t t_data = 0, d_data = 0;
  std::deque<Request> t_fifo, d_fifo;  // handed over, not yet in the queues
  std::map<uint32_t, Request> inside;  // in the queues, by id
  std::map<uint32_t, uint64_t> expect; // reads on their way: what they must bring
  std::map<uint64_t, uint64_t> shadow,
      memory; // line -> data: in order of entering; as the device has it
  std::deque<std::pair<uint64_t, uint64_t>> on_way; // tick of the data, data of device reads
  uint64_t ticks = 0, rest = 0,
           next_ticks = 0; // of the command clock on the pins: before this cycle; fraction
  std::deque<uint32_t> free_ids;
  gmmu_dram_cmd last_cmd{}, last_also{}; // the model's, one cycle ago: now on the pins

  Bench(uint64_t seed_, uint64_t lives) : rng{seed_}, resets(lives, &rng), seed(seed_) {}
  void fail(const char *what, uint64_t want, uint64_t got) {
    if (errors++ < 5)
      printf("cycle %" PRIu64 ", gmmu_dram, seed %" PRIu64 ": %s: expected %" PRIu64
             ", got %" PRIu64 "\n",
             cycle, seed, what, want, got);
  }
  void same(const char *what, uint64_t want, uint64_t got) {
    if (want != got) fail(what, want, got);
  }
  static uint64_t line(uint32_t bank, uint32_t row, uint32_t col) {
    return (uint64_t)row << 16 | (uint64_t)bank << 12 | col;
  }
  uint64_t below(uint64_t n) { return gmmu_rng_below(&rng, n); }
};

// Phases of up to some thousand requests each, several in a short run: hot lines, streams,
// scattered rows, one line and those beside it; dense and sparse; few or many translations.
struct Phase {
  int pattern, gap, translations, writes, app;
  uint64_t until, at, longest;
};

void make(Bench &b, Phase &p) {
  if (b.made >= p.until) {
    p.pattern = (int)b.below(5);
    p.gap = b.below(3) ? 0 : (int)b.below(40);
    p.translations = (int)b.below(4) * 15;
    p.writes = (int)b.below(4) * 20;
    p.app = b.below(2) ? (int)b.below(NUM_APPS) : -1;
    p.until = b.made + p.longest / 20 + b.below(p.longest);
    p.at = gmmu_rng_next(&b.rng);
  }
  if ((b.in.golden_valid && b.in.data_valid) || b.free_ids.size() < 2 ||
      (p.gap && b.below((uint64_t)p.gap + 1)))
    return;
  bool golden = (int)b.below(100) < p.translations;
  if (golden ? b.in.golden_valid : b.in.data_valid) return;
  gmmu_dram_req &r = golden ? b.in.golden : b.in.data;
  uint64_t x = gmmu_rng_next(&b.rng);
  switch (p.pattern) {
    case 0:
      r.bank = x & 1;
      r.row = (x >> 8) & 1;
      r.col = (x >> 16) & 1;
      break; // a few lines
    case 1:
      p.at++;
      r.bank = p.at & 3;
      r.col = (p.at >> 2) & 63;
      r.row = (p.at >> 8) & 0xffff;
      break; // stream
    case 2:
      r.bank = x & 7;
      r.row = (x >> 8) & 0xffff;
      r.col = (x >> 24) & 63;
      break; // scattered
    case 3:
      r.bank = x & 7;
      r.row = (x >> 8) & 3;
      r.col = (x >> 24) & 7;
      break;   // some rows
    default: { // one line, for more than 15 wait; or one bit beside it
      const uint64_t beside = x >> 40 & 7 ? 0 : UINT64_C(1) << b.below(25), at = p.at ^ beside;
      r.bank = at & 7;
      r.col = at >> 3 & 63;
      r.row = at >> 9 & 0xffff;
      break;
    }
  }
  r.we = (int)b.below(100) < p.writes;
  r.golden = golden;
  r.app = (uint16_t)b.below(NUM_APPS);
  if (b.below(4) == 0) r.app = 0;
  if (p.app >= 0 && b.below(8)) r.app = (uint16_t)p.app; // fills silver
  r.payload = b.free_ids.front();
  b.free_ids.pop_front();
  b.made++;
  (golden ? b.in.golden_valid : b.in.data_valid) = true;
  (golden ? b.t_data : b.d_data) = gmmu_rng_next(&b.rng);
}

void weights(Bench &b) {
  b.has_turns = b.quota_max != 0; // as it was a cycle ago
  b.in.epoch = b.below(3000) == 0;
  if (b.below(500) == 0) b.in.apps = 1 + (uint32_t)b.below(NUM_APPS);
  if (VARY && b.below(100) == 0) {
    const uint32_t caps[] = {0, 4, 64, 256, 4096, 65532};
    if (b.below(3) == 0)
      b.quota_max = b.below(8) ? 1 + (uint32_t)b.below(b.below(2) ? 1023 : 20) : 0;
    if (b.below(3) == 0) b.timeout = 1 + (uint32_t)b.below(b.below(2) ? 65535 : 300);
    if (b.below(3) == 0) b.age_cap = caps[b.below(6)];
    gmmu_dram_set(b.model, b.quota_max, b.timeout, b.age_cap);
  }
  if (b.below(20)) return;
  uint32_t i = (uint32_t)b.below(NUM_APPS);
  bool quiet = b.below(3) == 0;
  b.con[i] = quiet ? 0 : (uint8_t)b.below(64);
  b.warps[i] = quiet ? 0 : (uint8_t)b.below(64);
}

void drive(Bench &b) {
  Vgmmu_dram &d = b.dut;
  d.t_valid_i = b.in.golden_valid;
  d.t_bank_i = b.in.golden.bank;
  d.t_row_i = b.in.golden.row;
  d.t_col_i = b.in.golden.col;
  d.t_we_i = b.in.golden.we;
  d.t_id_i = b.in.golden.payload;
  d.t_data_i = b.t_data;
  d.d_valid_i = b.in.data_valid;
  d.d_bank_i = b.in.data.bank;
  d.d_row_i = b.in.data.row;
  d.d_col_i = b.in.data.col;
  d.d_we_i = b.in.data.we;
  d.d_app_i = b.in.data.app;
  d.d_id_i = b.in.data.payload;
  d.d_data_i = b.d_data;
  if (!d.t_valid_i && b.random.now()) {
    b.random.put(d.t_bank_i, 0, 3), b.random.put(d.t_row_i, 0, 16), b.random.put(d.t_col_i, 0, 6);
    b.random.put(d.t_we_i, 0, 1), b.random.put(d.t_id_i, 0, 12);
  }
  if (!d.d_valid_i && b.random.now()) {
    b.random.put(d.d_bank_i, 0, 3), b.random.put(d.d_row_i, 0, 16), b.random.put(d.d_col_i, 0, 6);
    b.random.put(d.d_we_i, 0, 1), b.random.put(d.d_id_i, 0, 12); // not d_app_i: d_ready_o is its
  }
  d.apps_i = b.in.apps;
  d.quota_max_i = b.quota_max;
  d.turn_timeout_i = b.timeout;
  d.age_cap_i = b.age_cap;
  d.epoch_i = b.in.epoch;
  uint64_t c = 0, w = 0;
  for (int i = NUM_APPS - 1; i >= 0; i--) {
    c = c << 6 | b.con[i];
    w = w << 6 | b.warps[i];
  }
  d.con_i = c;
  d.warps_i = w;
}

// A request left its input FIFO: from here on the order to its line is fixed.
// Which one, the model says; that it is the one of the RTL, its columns show.
void entered(Bench &b, int home, uint32_t id) {
  if (!home) return;
  b.entered[home]++;
  auto is = [id](const Request &q) { return q.r.payload == id; };
  auto t = std::find_if(b.t_fifo.begin(), b.t_fifo.end(), is),
       x = std::find_if(b.d_fifo.begin(), b.d_fifo.end(), is);
  bool golden = t != b.t_fifo.end();
  if (!golden && x == b.d_fifo.end())
    return b.fail("a request enters that is not in front of the queues, id", 0, id);
  if (golden && t != b.t_fifo.begin())
    return b.fail("a translation overtakes one, id", b.t_fifo.front().r.payload, id);
  Request q = golden ? *t : *x;
  if (golden) b.t_fifo.erase(t);
  else b.d_fifo.erase(x);
  if (AWARE && !golden) { // silver: all data of the turn's application, and none of others
    b.same("home of data, 2: of the turn's application", b.has_turns && q.r.app == b.holder ? 2 : 1,
           (uint64_t)home);
    for (const Request &o : b.d_fifo) // in front of it
      if (o.r.bank == q.r.bank && o.r.row == q.r.row && o.r.col == q.r.col && o.nr < q.nr)
        b.fail("overtakes an older one of its line, id", o.r.payload, id);
    if (!b.d_fifo.empty() && b.d_fifo.front().nr < q.nr) b.overtakes++;
  }
  uint64_t l = Bench::line(q.r.bank, q.r.row, q.r.col);
  if (q.r.we) b.shadow[l] = q.data;
  else b.expect[q.r.payload] = b.shadow[l];
  q.since = b.cycle;
  b.inside[q.r.payload] = q;
}

// The DRAM: commands on the pins.
void device(Bench &b) {
  Vgmmu_dram &d = b.dut;
  int cmd = d.cmd_o;
  const char *bad =
      gmmu_dram_check_command(&b.check, (int64_t)b.ticks, cmd, d.bank_o, d.row_o, d.ap_o);
  if (bad) {
    printf("rule broken: %s\n", bad);
    b.fail("DRAM rule (command on the pins)", 0, (uint64_t)cmd);
  }
  if (cmd) b.commands++;
  if (d.also_o) { // on the second tick
    bad = gmmu_dram_check_command(&b.check, (int64_t)b.ticks + 1, d.also_o, d.also_bank_o, d.row_o,
                                  false);
    if (bad) {
      printf("rule broken: %s\n", bad);
      b.fail("DRAM rule (second command on the pins)", 0, d.also_o);
    }
    b.same("ticks of two commands", 2, d.ticks_o);
    b.commands++;
    b.pairs++;
  }
  if (cmd != GMMU_PIN_RD && cmd != GMMU_PIN_WR) return;
  auto it = b.inside.find(d.obs_id_o);
  if (it == b.inside.end()) return b.fail("column command without a request, id", 0, d.obs_id_o);
  Request q = it->second;
  b.inside.erase(it);
  uint64_t l = Bench::line(d.bank_o, gmmu_dram_check_row(&b.check, d.bank_o), d.col_o);
  b.same("line of the column command", Bench::line(q.r.bank, q.r.row, q.r.col), l);
  b.same("write", q.r.we, cmd == GMMU_PIN_WR);
  uint64_t wait = b.cycle - q.since;
  uint64_t &worst = q.r.golden ? b.worst_translation : b.worst_data;
  if (wait > worst) worst = wait;
  b.served++;
  if (cmd == GMMU_PIN_WR) {
    b.same("data of a write", q.data, d.wdata_o);
    b.memory[l] = d.wdata_o;
    b.free_ids.push_back(q.r.payload);
  } else {
    b.on_way.push_back({b.ticks + gmmu_dram_gddr5.cl + GMMU_DRAM_BURST, b.memory[l]});
  }
}

// What a reset may meet.
void moments(Bench &b, const gmmu_dram_out &o) {
  Vgmmu_dram &d = b.dut;
  const uint32_t normal = gmmu_dram_queued(b.model, GMMU_DRAM_NORMAL);
  b.resets.see("a translation is taken", d.t_valid_i && d.t_ready_o);
  b.resets.see("data is taken", d.d_valid_i && d.d_ready_o);
  b.resets.see("a translation is refused", d.t_valid_i && !d.t_ready_o);
  b.resets.see("data is refused", d.d_valid_i && !d.d_ready_o);
  b.resets.see("a request enters", o.entered);
  if (NORMAL < 64) b.resets.see("normal is full", normal == NORMAL + (AWARE ? 0 : SILVER));
  if (AWARE && SILVER < 64)
    b.resets.see("silver is full", gmmu_dram_queued(b.model, GMMU_DRAM_SILVER) == SILVER);
  if (AWARE && GOLDEN < 16)
    b.resets.see("golden is full", gmmu_dram_queued(b.model, GMMU_DRAM_GOLDEN) == GOLDEN);
  b.resets.see("reads are on their way", !b.on_way.empty());
  b.resets.see("an answer", d.rsp_valid_o);
  b.resets.see("an ACT on the pins", d.cmd_o == GMMU_PIN_ACT);
  b.resets.see("a write on the pins", d.cmd_o == GMMU_PIN_WR);
  b.resets.see("a refresh", d.cmd_o == GMMU_PIN_REF);
  b.resets.see("tRFC", b.check.ref >= 0 && (int64_t)b.ticks < b.check.ref + b.rules.rfc);
  if (RATIO > 16384) b.resets.see("two commands", d.also_o);
  if (AWARE) b.resets.see("a turn passes", o.turn_passed);
}

// All is as at power-up, but for what the memory holds, and the settings.
void begin(Bench &b) {
  if (b.model) gmmu_dram_free(b.model);
  b.model = gmmu_dram_new(&b.cfg);
  gmmu_dram_set(b.model, b.quota_max, b.timeout, b.age_cap);
  gmmu_dram_check_init(&b.check, &b.rules);
  b.t_fifo.clear(), b.d_fifo.clear(), b.inside.clear(), b.expect.clear(), b.on_way.clear();
  b.shadow = b.memory;
  b.ticks = b.rest = b.next_ticks = 0;
  b.holder = b.next_app = 0;
  b.last_cmd = {}, b.last_also = {};
  // who was refused, or not yet served, offers it again, or not
  b.in.golden_valid = b.in.golden_valid && b.below(2);
  b.in.data_valid = b.in.data_valid && b.below(2);
  b.free_ids.clear();
  for (uint32_t i = 0; i < kIds; i++)
    if (!(b.in.golden_valid && b.in.golden.payload == i) &&
        !(b.in.data_valid && b.in.data.payload == i))
      b.free_ids.push_back(i);
  b.fresh = true;
}

// In reset, from its first edge on: nothing is offered or on the pins.
void quiet(Bench &b) {
  Vgmmu_dram &d = b.dut;
  b.same("answer in reset", 0, d.rsp_valid_o);
  b.same("commands in reset", 0, d.cmd_o | d.also_o);
  b.same("class, entry, turn in reset", 0, d.obs_o & 0x3f);
}

// Behind the edge at which a reset began.
void finish_reset(Bench &b) {
  Vgmmu_dram &d = b.dut;
  begin(b);
  quiet(b);
  for (uint64_t n = b.resets.cycles(); n > 1; n--) {
    weights(b);
    drive(b);
    d.clk_i = 0;
    d.eval();
    quiet(b);
    d.clk_i = 1;
    d.eval();
    b.cycle++;
  }
  d.rst_ni = 1;
}

void step(Bench &b) {
  Vgmmu_dram &d = b.dut;
  if (bench_hangs(b.cycle)) return void(b.cycle++); // without a clock
  drive(b);
  // read data of this cycle
  bool back = !b.on_way.empty() && b.on_way.front().first <= b.ticks;
  d.rdata_i = back ? b.on_way.front().second : gmmu_rng_next(&b.rng);
  d.clk_i = 0;
  d.eval();
  if (b.fresh) b.same("ports that take nothing behind a reset", 0, !d.t_ready_o + !d.d_ready_o);
  gmmu_dram_out o;
  gmmu_dram_step(b.model, &b.in, &o);
  b.same("t_ready", o.golden_ready, d.t_ready_o);
  b.same("d_ready", o.data_ready, d.d_ready_o);
  uint64_t obs = d.obs_o;
  uint32_t home = obs >> 2 & 3;
  b.same("home of what enters", o.entered, home);
  if (AWARE) {
    b.same("quota found", o.turn_found, obs >> 4 & 1);
    b.same("turn passes", o.turn_passed, obs >> 5 & 1);
    if (o.turn_found) {
      b.same("next turn's application", o.turn_app, obs >> 6 & ((1u << kAppW) - 1));
      b.same("quota", o.turn_quota, obs >> (6 + kAppW) & 1023);
    }
  }
  if (o.cmd.kind >= GMMU_DRAM_ACT && o.cmd.kind <= GMMU_DRAM_WR) {
    b.by_class[o.cmd.cls]++;
    b.same("class of the command", std::max(o.cmd.cls, o.also.cls), obs & 3);
  }
  // pins show the command of one cycle ago
  const gmmu_dram_cmd &c = b.last_cmd;
  b.same("command", c.kind, d.cmd_o);
  if (c.kind >= GMMU_DRAM_ACT && c.kind <= GMMU_DRAM_WR) b.same("bank", c.bank, d.bank_o);
  if (c.kind == GMMU_DRAM_ACT) b.same("row", c.row, d.row_o);
  if (c.kind == GMMU_DRAM_RD || c.kind == GMMU_DRAM_WR) {
    b.same("column", c.col, d.col_o);
    b.same("auto-precharge", c.ap, d.ap_o);
    b.same("id", c.payload, d.obs_id_o);
  }
  b.same("second command", b.last_also.kind, d.also_o);
  if (b.last_also.kind) b.same("bank of the second command", b.last_also.bank, d.also_bank_o);
  if (b.last_also.kind == GMMU_DRAM_ACT) b.same("row of the second", b.last_also.row, d.row_o);
  b.last_cmd = o.cmd;
  b.last_also = o.also;
  device(b);
  b.same("answer", back, d.rsp_valid_o);
  if (d.rsp_valid_o) {
    uint32_t id = d.rsp_id_o;
    auto e = b.expect.find(id);
    if (e == b.expect.end()) {
      b.fail("answer to no read, id", 0, id);
    } else {
      b.same("data", e->second, d.rsp_data_o);
      b.expect.erase(e);
      b.free_ids.push_back(id);
      b.reads_back++;
    }
  }
  moments(b, o);
  const bool reset = b.resets.begins();
  if (back) b.on_way.pop_front();
  entered(b, (int)home, o.entered_payload);
  if (AWARE && (obs >> 5 & 1)) b.holder = b.next_app, b.turns++;
  if (AWARE && (obs >> 4 & 1)) b.next_app = obs >> 6 & ((1u << kAppW) - 1);
  if (b.in.golden_valid && d.t_ready_o) {
    b.t_fifo.push_back({b.in.golden, b.t_data, 0, b.handed++});
    b.in.golden_valid = false;
  }
  if (b.in.data_valid && d.d_ready_o) {
    b.d_fifo.push_back({b.in.data, b.d_data, 0, b.handed++});
    b.in.data_valid = false;
  }
  // the pins of the next cycle have the ticks of this one, by adding up the ratio
  uint64_t now = b.next_ticks;
  if (!b.fresh) b.same("ticks of the pins", now, d.ticks_o);
  b.fresh = false;
  b.ticks += now;
  b.rest += RATIO;
  b.next_ticks = b.rest / 16384;
  b.rest %= 16384;
  if (reset) {
    d.rst_ni = 0;
    d.eval();
  }
  d.clk_i = 1;
  d.eval();
  b.cycle++;
  if (reset) finish_reset(b);
}
} // namespace

const BenchInfo bench_info = {"dram_bench", "REQUESTS", 100000, "[RESETS]", 0, 1};
int bench_run(const BenchArgs &args) {
  uint64_t ops = args.count, lives = args.number(0, BenchResets::lives_of(ops / 200));
  auto b = std::make_unique<Bench>(args.seed, lives);
  gmmu_dram_cfg &cfg = b->cfg;
  cfg.sched = {GOLDEN, SILVER, NORMAL, AWARE != 0, CLOSED != 0, KEEP != 0};
  cfg.t = gmmu_dram_gddr5;
  cfg.t.rrd = RRD; // 4: tFAW binds, which it does not with the default 6
  cfg.num_apps = NUM_APPS;
  cfg.thresh_max = 500;
  cfg.turn_timeout = TIMEOUT;
  cfg.age_cap = AGECAP;
  cfg.ratio = RATIO;
  b->rules.rrd = RRD;
  begin(*b);
  b->in.con = b->con;
  b->in.warps = b->warps;
  b->in.apps = NUM_APPS;
  Vgmmu_dram &d = b->dut;
  drive(*b);
  bench_reset(d);
  Phase p{};
  p.longest = std::clamp<uint64_t>(ops / 8, 100, 4000);
  BenchWatchdog watchdog(100000, [&](BenchWaits &w) { // done: column commands
    if (!b->inside.empty()) w.add("the queues", "a command", "%zu requests", b->inside.size());
    if (!b->t_fifo.empty()) w.add("translations", "the queues", "%zu", b->t_fifo.size());
    if (!b->d_fifo.empty()) w.add("data requests", "the queues", "%zu", b->d_fifo.size());
    if (b->in.golden_valid) w.add("a translation", "the queues", "at the port");
    if (b->in.data_valid) w.add("the data port's requests", "the queues");
  });
  while (!b->resets.over() && b->errors < 5) {
    make(*b, p);
    weights(*b);
    step(*b);
    if (bench_hangs(b->cycle)) break;
  }
  const uint64_t before = b->made;
  ops += before;
  BenchProgress progress(ops, "requests", 0x10000);
  while ((b->made < ops || !b->inside.empty() || !b->expect.empty() || !b->t_fifo.empty() ||
          !b->d_fifo.empty() || b->in.golden_valid || b->in.data_valid) &&
         b->errors < 5) {
    if (b->made < ops) make(*b, p);
    weights(*b);
    step(*b);
    bool idle = b->inside.empty() && b->t_fifo.empty() && b->d_fifo.empty() &&
                !b->in.golden_valid && !b->in.data_valid;
    if (watchdog.stuck(b->cycle, b->served, idle)) {
      b->errors++;
      break;
    }
    progress.show(b->cycle, b->served);
  }
  if (lives) b->resets.print();
  if (const char *what = b->errors ? nullptr : b->resets.missed())
    b->fail(what, 1, 0); // resets that met this
  uint64_t bound = 0;
  if (AGECAP && !VARY && b->errors == 0) {
    const gmmu_dram_timing &t = gmmu_dram_gddr5;
    uint64_t n = SILVER + NORMAL, each = t.rc + t.rp + t.rtw + 8;
    bound = AGECAP + AGECAP / 4 + n * each;
    bound += (bound / t.refi + 2) * (t.ras + t.wtp + t.rc + t.rfc);
    if (RATIO < 16384) bound = bound * 16384 / RATIO + 1; // ticks are longer than cycles
    if (b->worst_data > bound)
      b->fail("longest wait of a data request above the bound", bound, b->worst_data);
  }
  if (b->errors == 0 && (RATIO > 16384) != (b->pairs != 0))
    b->fail("cycles with two commands: of two ticks only", RATIO > 16384, b->pairs);
  printf("%s gmmu_dram golden %d silver %d normal %d aware %d closed %d age %d: %" PRIu64
         " requests, %" PRIu64 " cycles, %" PRIu64 " commands (%" PRIu64
         " in pairs), entered normal %" PRIu64 " silver %" PRIu64 " golden %" PRIu64
         ", commands of class next %" PRIu64 ", %" PRIu64 " turns, %" PRIu64
         " overtakes, longest wait data %" PRIu64 " (bound %" PRIu64 ") translation %" PRIu64
         ", %" PRIu64 " mismatches\n",
         b->errors ? "FAIL" : "PASS", GOLDEN, SILVER, NORMAL, AWARE, CLOSED, AGECAP, b->served,
         b->cycle, b->commands, 2 * b->pairs, b->entered[1], b->entered[2], b->entered[3],
         b->by_class[3], b->turns, b->overtakes, b->worst_data, bound, b->worst_translation,
         b->errors);
  gmmu_dram_free(b->model);
  return b->errors != 0;
}
