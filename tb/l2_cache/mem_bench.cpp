// SPDX-License-Identifier: Apache-2.0
// Bench of gmmu_mem_channel and gmmu_l2_bypass: random traffic of translations and data with real
// contents; every cycle equal to the C model (timed/timed_channel.h), every DRAM command under the
// checker, every byte that is read compared with what was written. With a file of `gmmu run
// --record`: the requests of kernels instead of random ones. Built by tb/l2_cache/run.sh, whose
// parameters come as macros. Before it, with random ones, short lives that end with a reset in the
// middle of traffic. Ends with "PASS ..." or "FAIL ...".
#include <algorithm>
#include <cstdlib>

#include "mem_bench.h"
#include "mem_resets.h"

namespace {
// The next request of each bank and port, once its cycle has come.
void replay(Bench &b) {
  Recording &rec = *b.rec;
  for (int k = 0; k < BANKS; k++)
    for (int p = 0; p < 2; p++) {
      std::deque<uint32_t> &ids = p == 0 ? b.t_ids[k] : b.d_ids[k];
      if (b.pending[k][p] || rec.request[k][p].empty() ||
          rec.request[k][p].front().first > b.cycle || ids.empty())
        continue;
      Request &q = b.next[k][p];
      q.r = rec.request[k][p].front().second;
      rec.request[k][p].pop_front();
      for (uint32_t i = 0; i < LINEB && p == 1; i++)
        q.data[i] = static_cast<uint8_t>(gmmu_rng_next(&b.rng)), q.mask[i] = 1;
      q.word = 0;
      q.wdata = 0;
      q.r.id = ids.front();
      if (!q.r.we) ids.pop_front();
      q.since = b.cycle;
      b.made++;
      b.pending[k][p] = true;
    }
  for (; !rec.loads.empty() && rec.loads.front().cycle <= b.cycle; rec.loads.pop_front()) {
    memcpy(b.con, rec.loads.front().v, 8);
    memcpy(b.warps, rec.loads.front().v + 8, 8);
  }
  b.in.epoch = !rec.epochs.empty() && rec.epochs.front() <= b.cycle;
  if (b.in.epoch) rec.epochs.pop_front();
}

uint64_t longest = 3000; // a phase of traffic, in requests: a short run has several

// Lines: data 0.., page tables from 1<<20, read by both from 1<<21.
void make(Bench &b, uint64_t ops) {
  static int pattern = 0, gap = 0, writes = 30;
  static uint64_t until = 0, run = 0;
  if (b.made >= until) {
    pattern = static_cast<int>(b.below(3));
    gap = b.below(3) ? 0 : static_cast<int>(b.below(30));
    writes = static_cast<int>(b.below(4)) * 20;
    until = b.made + longest / 15 + b.below(longest);
  }
  for (int k = 0; k < BANKS; k++)
    for (int p = 0; p < 2; p++) {
      if (b.pending[k][p] || b.made >= ops || (gap && b.below(static_cast<uint64_t>(gap) + 1)) ||
          b.below(p == 0 ? 3 : 2))
        continue;
      std::deque<uint32_t> &ids = p == 0 ? b.t_ids[k] : b.d_ids[k];
      if (ids.empty()) continue;
      Request &q = b.next[k][p];
      uint64_t x = gmmu_rng_next(&b.rng);
      q.r = gmmu_cache_req{};
      if (p == 0) {
        q.r.depth = static_cast<uint8_t>(1 + (x & 7) % 7);
        uint64_t wide = 1ull << (2 * q.r.depth); // deeper levels: more lines
        q.r.line = (x >> 8 & 15) == 0 ? (1 << 21) + (x >> 20) % 8 : (1 << 20) + (x >> 20) % wide;
        q.r.beat = kBeats == 2 ? x >> 12 & 1 : 0;
        q.r.we = q.r.line < (1 << 21) && b.below(20) == 0;
        q.word = x >> 16 & 7;
        q.wdata = gmmu_rng_next(&b.rng);
      } else {
        q.r.line = pattern == 0   ? x % 4
                   : pattern == 1 ? run++ % 4096
                                  : (x >> 8) % (SETS * WAYS * 3);
        if (b.below(16) == 0) q.r.line = (1 << 21) + (x >> 20) % 8;
        q.r.we = q.r.line < (1 << 21) && static_cast<int>(b.below(100)) < writes;
        q.r.app = static_cast<uint16_t>(x >> 40 & 7);
        // All bytes, any, all but one, just one, none.
        uint64_t kind = x & 1u << 31 ? 0 : 1 + b.below(8), odd = b.below(LINEB);
        for (uint32_t i = 0; i < LINEB; i++) {
          q.data[i] = static_cast<uint8_t>(gmmu_rng_next(&b.rng));
          q.mask[i] = kind == 0   ? 1
                      : kind <= 3 ? i != odd
                      : kind <= 6 ? i == odd
                      : kind == 7 ? 0
                                  : static_cast<uint8_t>(b.below(2));
        }
        q.r.full = kind == 0;
        if (q.r.we) b.strobes[std::min<uint64_t>(kind, 8)]++;
      }
      q.r.id = ids.front();
      if (!q.r.we) ids.pop_front();
      q.since = b.cycle;
      b.made++;
      b.pending[k][p] = true;
    }
}

} // namespace
void drive(Bench &b) {
  Vgmmu_mem_harness &d = b.dut;
  for (int k = 0; k < BANKS; k++) {
    const Request &t = b.next[k][0], &q = b.next[k][1];
    bits_set(d.t_valid_i, k, 1, b.pending[k][0]);
    bits_set(d.t_line_i, k * 24, 24, t.r.line);
    bits_set(d.t_beat_i, k, 1, t.r.beat);
    bits_set(d.t_depth_i, k * 3, 3, t.r.depth);
    bits_set(d.t_we_i, k, 1, t.r.we);
    bits_set(d.t_word_i, k * 3, 3, t.word);
    bits_set(d.t_wdata_i, k * 64, 64, t.wdata);
    bits_set(d.t_id_i, k * 6, 6, t.r.id);
    // a write's words come one behind the other, or with cycles between them
    const bool later = b.sent[k] && !b.rec && b.below(8) == 0;
    bits_set(d.d_valid_i, k, 1, b.pending[k][1] && !later);
    bits_set(d.d_line_i, k * 24, 24, q.r.line);
    bits_set(d.d_we_i, k, 1, q.r.we);
    bits_set(d.d_app_i, k * 3, 3, q.r.app);
    bits_set(d.d_id_i, k * 12, 12, q.r.id);
    if (b.pending[k][1] && q.r.we) {
      for (uint32_t i = 0, at = b.sent[k] * PORTB; i < PORTB; i++) {
        bits_set(d.d_mask_i, k * PORTB + i, 1, q.mask[at + i]);
        reinterpret_cast<uint8_t *>(&d.d_wdata_i)[k * PORTB + i] = q.data[at + i];
      }
    }
    if (!b.rec && !b.pending[k][0] && b.random.now()) {
      b.random.put(d.t_line_i, k * 24, 24), b.random.put(d.t_beat_i, k, 1);
      b.random.put(d.t_depth_i, k * 3, 3), b.random.put(d.t_we_i, k, 1);
      b.random.put(d.t_word_i, k * 3, 3), b.random.put(d.t_id_i, k * 6, 6);
    }
    if (!b.rec && !bits_get(d.d_valid_i, k, 1) && b.random.now()) {
      b.random.put(d.d_line_i, k * 24, 24), b.random.put(d.d_we_i, k, 1);
      b.random.put(d.d_app_i, k * 3, 3), b.random.put(d.d_id_i, k * 12, 12);
      b.random.put(d.d_mask_i, k * PORTB, PORTB);
    }
    for (int p = 0; p < 2; p++) {
      b.in.bank[k].valid[p] = b.pending[k][p] && !(p == 1 && later);
      b.in.bank[k].req[p] = b.next[k][p].r;
      // For a while an answer is taken at once, now and then, or hardly ever: the queues fill.
      if (b.below(400) == 0) b.pace[k][p] = static_cast<uint8_t>(b.below(4));
      static const uint64_t taken[] = {48, 64, 16, 1}; // of 64
      b.in.bank[k].rsp_ready[p] =
          (b.rec || b.below(64) < taken[b.pace[k][p]]) && !bench_hangs(b.cycle);
    }
    bits_set(d.t_rsp_ready_i, k, 1, b.in.bank[k].rsp_ready[0]);
    bits_set(d.d_rsp_ready_i, k, 1, b.in.bank[k].rsp_ready[1]);
  }
  d.epoch_i = b.in.epoch;
  d.apps_i = b.in.apps;
  for (int i = 0; i < 8; i++) {
    bits_set(d.con_i, i * 6, 6, b.con[i]);
    bits_set(d.warps_i, i * 6, 6, b.warps[i]);
  }
}

namespace {
// Stage C served a request: its place in the order.
void served(Bench &b, int k, const gmmu_cache_bank_out &o) {
  b.outcomes[o.outcome]++;
  b.missing[k] += o.outcome == GMMU_CACHE_MISS;
  if (o.outcome == GMMU_CACHE_WAITS) return;
  std::deque<Request> &f = b.fifo[k][o.port];
  if (f.empty()) return b.fail("stage C serves what was not handed over", 0, 1, k);
  Request q = f.front();
  f.pop_front();
  Line &l = b.line(q.r.line * BANKS + k);
  if (o.port == GMMU_CACHE_T) {
    if (q.r.we) {
      memcpy(l.data() + q.r.beat * 64 + q.word * 8, &q.wdata, 8);
      b.note(q.r.line * BANKS + k, l);
      b.written++;
    } else {
      Piece p;
      memcpy(p.data(), l.data() + q.r.beat * 64, 64);
      b.t_expect[k][q.r.id] = {p, q.since};
    }
  } else if (q.r.we) {
    for (uint32_t i = 0; i < LINEB; i++)
      if (q.mask[i]) l[i] = q.data[i];
    b.note(q.r.line * BANKS + k, l);
    b.written++;
  } else {
    b.d_expect[k][q.r.id] = {l, q.since};
  }
}

template <class Map>
void answer(Bench &b, int k, int port, Map &expect, uint32_t id, const uint8_t *data,
            std::deque<uint32_t> &ids) {
  auto e = expect.find(id);
  if (e == expect.end()) return b.fail("answer to no read, id", 0, id, k);
  const auto &want = e->second.first;
  for (size_t i = 0; i < want.size(); i++)
    if (want[i] != data[i]) {
      b.fail(port ? "byte of data" : "byte of a translation", want[i], data[i], k);
      break;
    }
  uint64_t wait = b.cycle - e->second.second;
  if (wait > b.worst[port]) b.worst[port] = wait;
  expect.erase(e);
  ids.push_back(id);
  b.answered++;
}

void device(Bench &b) {
  Vgmmu_mem_harness &d = b.dut;
  int cmd = d.cmd_o;
  const char *bad = gmmu_dram_check_command(&b.check, static_cast<int64_t>(b.ticks), cmd, d.bank_o,
                                            d.row_o, d.ap_o);
  if (bad) {
    printf("rule broken: %s\n", bad);
    b.fail("DRAM rule (command on the pins)", 0, static_cast<uint64_t>(cmd));
  }
  if (d.also_o) { // on the second tick
    bad = gmmu_dram_check_command(&b.check, static_cast<int64_t>(b.ticks) + 1, d.also_o,
                                  d.also_bank_o, d.row_o, false);
    if (bad) {
      printf("rule broken: %s\n", bad);
      b.fail("DRAM rule (second command on the pins)", 0, d.also_o);
    }
  }
  if (cmd != GMMU_PIN_RD && cmd != GMMU_PIN_WR) return;
  uint64_t piece = dram_piece(gmmu_dram_check_row(&b.check, d.bank_o), d.bank_o, d.col_o);
  if (BANKS == 2) { // back to bank and line
    uint64_t line = piece / kBeats / BANKS;
    piece ^= (dram_every(line, 5, 0) ^ dram_every(line, 5, 1) ^ dram_every(line, 5, 2)) * kBeats;
  }
  Piece &p = b.at(piece);
  if (cmd == GMMU_PIN_WR) {
    const uint8_t *w = reinterpret_cast<const uint8_t *>(&d.wdata_o);
    for (uint32_t i = 0; i < 64; i++)
      if (d.wmask_o >> i & 1) p[i] = w[i];
    const auto &was = b.versions[piece];
    if (std::find(was.rbegin(), was.rend(), Bench::hash(p.data())) == was.rend())
      b.fail("memory holds what the piece never was, piece", 0, piece);
  } else {
    b.on_way.push_back({b.ticks + gmmu_dram_gddr5.cl + GMMU_DRAM_BURST, p});
  }
}

void compare(Bench &b) {
  Vgmmu_mem_harness &d = b.dut;
  for (int k = 0; k < BANKS; k++) {
    const gmmu_cache_bank_out &o = b.out.bank[k];
    b.same("t_ready", o.ready[0], bits_get(d.t_ready_o, k, 1), k);
    b.same("d_ready", o.ready[1], bits_get(d.d_ready_o, k, 1), k);
    b.same("t_rsp_valid", o.rsp_valid[0], bits_get(d.t_rsp_valid_o, k, 1), k);
    b.same("d_rsp_valid", o.rsp_valid[1], bits_get(d.d_rsp_valid_o, k, 1), k);
    if (o.rsp_valid[0]) b.same("t_rsp_id", o.rsp_id[0], bits_get(d.t_rsp_id_o, k * 6, 6), k);
    if (o.rsp_valid[1]) b.same("d_rsp_id", o.rsp_id[1], bits_get(d.d_rsp_id_o, k * 12, 12), k);
    uint32_t obs = bits_get(d.obs_cache_o, k * kObsW, kObsW);
    b.same("words sent of a write", b.sent[k], o.in_word, k);
    b.same("words got of an answer", b.got[k], o.out_word, k);
    b.same("stage C decides", o.decided, obs & 1, k);
    if (o.decided) {
      b.same("port", static_cast<uint64_t>(o.port), obs >> 1 & 1, k);
      b.same("outcome", o.outcome, obs >> 2 & 7, k);
      if (o.outcome == GMMU_CACHE_HIT)
        b.same("way of a hit", static_cast<uint64_t>(o.way), obs >> 5 & ((1u << kWayW) - 1), k);
    }
    b.same("fill", o.filled, obs >> (5 + kWayW) & 1, k);
    b.missing[k] -= o.filled;
    if (o.filled) {
      b.same("way of a fill", static_cast<uint64_t>(o.fill_way),
             obs >> (7 + kWayW) & ((1u << kWayW) - 1), k);
      b.same("write-back", o.fill_writes_back, obs >> (6 + kWayW) & 1, k);
      b.write_backs += o.fill_writes_back;
    }
  }
  const gmmu_dram_cmd &c = b.last_cmd;
  b.same("DRAM command", c.kind, d.cmd_o);
  if (c.kind == GMMU_DRAM_RD || c.kind == GMMU_DRAM_WR) b.same("DRAM column", c.col, d.col_o);
  b.same("home of what enters the scheduler", b.out.dram.entered, d.obs_dram_o >> 2 & 3);
  b.same("second DRAM command", b.last_also.kind, d.also_o);
  if (b.last_also.kind) b.same("its bank", b.last_also.bank, d.also_bank_o);
  b.last_cmd = b.out.dram.cmd;
  b.last_also = b.out.dram.also;
}

void step(Bench &b) {
  Vgmmu_mem_harness &d = b.dut;
  if (!b.rec) {
    if (b.below(50) == 0) b.con[b.below(8)] = static_cast<uint8_t>(b.below(64));
    if (b.below(50) == 0) b.warps[b.below(8)] = static_cast<uint8_t>(b.below(64));
    b.in.epoch = b.below(6000) == 0;
  }
  b.epochs += b.in.epoch;
  drive(b);
  bool back = !b.on_way.empty() && b.on_way.front().first <= b.ticks;
  if (back) memcpy(&d.rdata_i, b.on_way.front().second.data(), 64);
  else bits_set(d.rdata_i, 0, 32, gmmu_rng_next(&b.rng));
  d.clk_i = 0;
  d.eval();
  if (b.fresh)
    b.same("ports that take nothing behind a reset", 0,
           ((1u << BANKS) - 1) & ~(d.t_ready_o & d.d_ready_o));
  b.fresh = false;
  uint32_t bits = 0;
  for (int i = 0; i < 8; i++) bits |= static_cast<uint32_t>(b.by.bypass[i]) << i;
  b.same("levels that bypass", bits, d.bypass_o);
  b.bypassing += bits != 0;
  for (uint32_t i = 0; i < 8; i++) {
    b.same("accesses of a depth", b.by.access[i], bits_get(d.obs_bypass_o, i * 32, 16));
    b.same("hits of a depth", b.by.hit[i], bits_get(d.obs_bypass_o, i * 32 + 16, 16));
  }
  gmmu_channel_offers(b.model, &b.out);
  gmmu_channel_step(b.model, &b.in, &b.out);
  const gmmu_channel_out *outs[1] = {&b.out};
  gmmu_channel_count(&b.by, &b.by_turn, b.in.epoch, outs, 1, BANKS);
  compare(b);
  device(b);
  moments(b);
  const bool reset = b.resets.begins();
  for (int k = 0; k < BANKS; k++) {
    const gmmu_cache_bank_out &o = b.out.bank[k];
    if (bits_get(d.t_rsp_valid_o, k, 1) && b.in.bank[k].rsp_ready[0])
      answer(b, k, 0, b.t_expect[k], bits_get(d.t_rsp_id_o, k * 6, 6),
             reinterpret_cast<const uint8_t *>(&d.t_rsp_data_o) + k * 64, b.t_ids[k]);
    if (bits_get(d.d_rsp_valid_o, k, 1) && b.in.bank[k].rsp_ready[1]) {
      memcpy(b.gathered[k].data() + b.got[k] * PORTB,
             reinterpret_cast<const uint8_t *>(&d.d_rsp_data_o) + k * PORTB, PORTB);
      b.got[k] = (b.got[k] + 1) % kWords;
      if (!b.got[k])
        answer(b, k, 1, b.d_expect[k], bits_get(d.d_rsp_id_o, k * 12, 12), b.gathered[k].data(),
               b.d_ids[k]);
    }
    if (o.decided) served(b, k, o);
    for (int p = 0; p < 2; p++)
      if (b.in.bank[k].valid[p] && o.ready[p]) {
        if (p == 1 && b.next[k][p].r.we) {
          b.sent[k] = (b.sent[k] + 1) % kWords;
          if (b.sent[k]) continue;
        }
        b.fifo[k][p].push_back(b.next[k][p]);
        b.pending[k][p] = false;
      }
  }
  if (back) b.on_way.pop_front();
  b.ticks += d.ticks_o; // tb/dram checks them
  if (reset) {
    d.rst_ni = 0;
    d.eval();
  }
  d.clk_i = 1;
  d.eval();
  b.cycle++;
  if (reset) finish_reset(b);
}

bool waiting(const Bench &b) {
  for (int k = 0; k < BANKS; k++)
    if (b.pending[k][0] || b.pending[k][1] || !b.fifo[k][0].empty() || !b.fifo[k][1].empty() ||
        !b.t_expect[k].empty() || !b.d_expect[k].empty())
      return true;
  return false;
}
} // namespace

const BenchInfo bench_info = {"mem_bench", "REQUESTS", 100000, "[RESETS [RECORDING]]", 0, 2};
int bench_run(const BenchArgs &args) {
  uint64_t ops = args.count, lives = args.number(0, BenchResets::lives_of(ops / 200));
  if (args.more.size() > 1) lives = 0; // a recording's requests come once
  auto b = std::make_unique<Bench>(args.seed, lives);
  gmmu_channel_cfg &cfg = b->cfg;
  cfg.banks = BANKS;
  cfg.col_bits = 6;
  cfg.bank = {SETS,     WAYS,    MSHRS,  WAITERS, MEMSLOTS, ANSWERS,
              BYPASSES, LATENCY, kBeats, false,   kWords};
  cfg.dram.sched = {GOLDEN, SILVER, NORMAL, true, false};
  cfg.dram.t = gmmu_dram_gddr5;
  cfg.dram.num_apps = 8;
  cfg.dram.thresh_max = 500;
  cfg.dram.turn_timeout = 300;
  cfg.dram.age_cap = AGECAP;
  cfg.dram.ratio = RATIO;
  begin(*b);
  b->in.bypass = b->by.bypass;
  b->in.apps = 8;
  if (args.more.size() > 1) {
    b->rec = std::make_unique<Recording>(BANKS);
    if (!b->rec->read(args.more[1].c_str(), ops)) return 1;
    ops = b->rec->total;
    b->in.apps = b->rec->apps;
  }
  b->in.con = b->con;
  b->in.warps = b->warps;
  Vgmmu_mem_harness &d = b->dut;
  longest = std::clamp<uint64_t>(ops / 8, 100, 3000);
  drive(*b);
  bench_reset(d);
  BenchWatchdog watchdog(50000, [&](BenchWaits &w) {
    for (int k = 0; k < BANKS; k++) {
      const std::string bank = "bank " + std::to_string(k);
      for (int p = 0; p < 2; p++) {
        const size_t n = p ? b->d_expect[k].size() : b->t_expect[k].size();
        const char *who = p ? "data" : "translations";
        if (!b->fifo[k][p].empty()) w.add(who, bank, "%zu at its port", b->fifo[k][p].size());
        if (n && !bits_get(p ? b->dut.d_rsp_ready_i : b->dut.t_rsp_ready_i, k, 1))
          w.add(bank, std::string("the reader of ") + who, "%zu reads not answered", n);
        else if (n) w.add(who, bank, "%zu reads not answered", n);
      }
    }
  });
  while (!b->resets.over() && b->errors < 5) {
    make(*b, UINT64_MAX);
    step(*b);
  }
  const uint64_t before = b->made;
  ops += before;
  BenchProgress progress(ops, "requests", 0x10000);
  while ((b->made < ops || waiting(*b)) && b->errors < 5) {
    if (b->rec) replay(*b);
    else make(*b, ops);
    step(*b);
    if (watchdog.stuck(b->cycle, b->answered + b->written, !waiting(*b))) {
      b->errors++;
      break;
    }
    progress.show(b->cycle, b->made);
  }
  if (lives) b->resets.print();
  if (const char *what = b->errors ? nullptr : b->resets.missed())
    b->fail(what, 1, 0);                                // resets that met this
  if (!b->rec && ops - before >= 50000 && !b->errors) { // what a long run has to reach
    for (uint64_t n : b->strobes)
      if (n < 50) b->fail("writes with some kind of strobes", 50, n);
    for (size_t i = 0; i < 6; i++) // nobody joins where a miss has one waiter
      if (SETS < 64 && b->outcomes[i] < 50 && !(i == GMMU_CACHE_JOINS && WAITERS == 1))
        b->fail("lookups with some outcome", 50, b->outcomes[i]);
    if (SETS < 64 && b->write_backs < 50) b->fail("write-backs", 50, b->write_backs);
  }
  printf("%s gmmu_mem_channel banks %d sets %d ways %d line %d: %" PRIu64
         " reads answered, %" PRIu64 " writes, %" PRIu64 " cycles; hits %" PRIu64 " misses %" PRIu64
         " joins %" PRIu64 " bypasses %" PRIu64 " waits %" PRIu64 ", write-backs %" PRIu64
         ", %" PRIu64 " epochs, cycles with a bypassing level %" PRIu64 ", longest wait %" PRIu64
         " %" PRIu64 ", %" PRIu64 " mismatches\n",
         b->errors ? "FAIL" : "PASS", BANKS, SETS, WAYS, LINEB, b->answered, b->written, b->cycle,
         b->outcomes[GMMU_CACHE_HIT], b->outcomes[GMMU_CACHE_MISS], b->outcomes[GMMU_CACHE_JOINS],
         b->outcomes[GMMU_CACHE_BYPASSES], b->outcomes[GMMU_CACHE_WAITS], b->write_backs, b->epochs,
         b->bypassing, b->worst[0], b->worst[1], b->errors);
  gmmu_channel_free(b->model);
  return b->errors != 0;
}
