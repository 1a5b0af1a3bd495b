// SPDX-License-Identifier: Apache-2.0
// The Verilated MMU behind struct gmmu_dut.
//
// Top gmmu_top: two evaluations a cycle, clock low with the cycle's inputs (outputs are then
// valid), clock high. The observation ports are registers: after the rising edge they show what
// happened in the cycle that ends. Top gmmu_harness (faster): one evaluation a cycle, which begins
// it. Events of a cycle are then seen one cycle later (GMMU_RTL_LAG in rtl_dut.h).
#include "rtl_dut.h"

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include "bits.h"
#include "gmmu_obs_decode.h"
#include "verilated.h"
#include "../common/coverage.h"
#if VM_TRACE_FST
#include "waves.h"
#endif

#if GMMU_RTL_LAG
#include "Vgmmu_harness.h"
using Top = Vgmmu_harness;
#else
#include "Vgmmu_top.h"
using Top = Vgmmu_top;
#endif

#ifndef GMMU_RTL_KEY
#define GMMU_RTL_KEY "" // build says which configuration this is; empty: not checked
#endif

double sc_time_stamp() { return 0; }

namespace {

constexpr unsigned RESET_CYCLES = 4; // of the first reset; later ones last 1 to 4

/** Builds with X_INITIAL=unique begin with the random bits of the environment's GMMU_X_SEED. */
class Context : public VerilatedContext {
 public:
  Context() {
    const char *seed = std::getenv("GMMU_X_SEED");
    if (!seed) return;
    randReset(2);
    randSeed(std::atoi(seed));
  }
};

class Dut {
 public:
  explicit Dut(const gmmu_config &c) : cfg_(c), top_(new Top(&ctx_, "gmmu")) {
    sms_ = static_cast<unsigned>(c.NumSms);
    tag_w_ = static_cast<unsigned>(c.TagW);
    asid_w_ = static_cast<unsigned>(c.AsidW);
    warp_w_ = static_cast<unsigned>(c.WarpW);
    pa_w_ = static_cast<unsigned>(c.PaW);
    while ((1u << miss_w_) < static_cast<unsigned>(c.L2Mshrs) + 1) miss_w_++;
  }
  ~Dut() { top_->final(); }

#if VM_TRACE_FST
  int open_waves(const char *path, gmmu_err *err) {
    ctx_.traceEverOn(true);
    return waves_.open(*top_, path, err);
  }
  int end(gmmu_err *err) { return waves_.close(err); }
#endif

  void reset(gmmu_pins &p) {
    top_->rst_ni = 0;
    const unsigned cycles = resets_ ? resets_ % RESET_CYCLES + 1 : RESET_CYCLES;
    resets_++;
    for (unsigned i = 0; i < cycles; i++) {
      drive_contexts(*p.env);
      before_outputs();
      after_outputs();
    }
    // The ports show what happened in the cycle before: the first cycle of a reset still works.
    if (cycles > 1 + GMMU_RTL_LAG) all_quiet();
    top_->rst_ni = 1;
    cmd_.valid = next_cmd_.valid = false;
  }

  void eval(gmmu_pins &p) {
    gmmu_rng_seed(&noise_, p.noise);
    drive_requests(p);
    drive_memory(p);
    drive_invalidation(p);
    if (p.env_changed) drive_contexts(*p.env);
    before_outputs();
    take_outputs(p);
  }

  void clock(const gmmu_pins &p, gmmu_events *ev) {
    after_outputs();
    if (ev) {
      ev->inv = cmd_;
      for (unsigned i = 0; i < sms_; i++)
        obs_decode(ev->l1[i], bits_slice<(OBS_L1_BITS + 31) / 32>(top_->obs_l1_o, i * OBS_L1_BITS),
                   0);
      obs_decode(ev->l2, top_->obs_l2_o, 0);
      obs_decode(ev->walk, top_->obs_walk_o, 0);
      obs_decode(ev->token, top_->obs_token_o, 0);
      check_counted(*ev);
    }
    if (GMMU_RTL_LAG) cmd_ = next_cmd_;
    if (p.inv_done) next_cmd_.valid = false;
    if (p.inv.valid && p.inv_ready) next_cmd_ = p.inv;
    if (!GMMU_RTL_LAG) cmd_ = next_cmd_;
  }

 private:
  /// What count_*_o say of the cycle before: lookups and hits in the L1s and at the L2's ports, bit
  /// by bit.
  struct Counted {
    uint64_t l1_look, l1_hit, l2_look, l2_hit, walk;
  };
  /// The counters' events are those that the observation ports tell.
  void check_counted(const gmmu_events &ev) {
    const Counted c = {bits_get(top_->count_l1_look_o, 0, sms_),
                       bits_get(top_->count_l1_hit_o, 0, sms_), top_->count_l2_look_o,
                       top_->count_l2_hit_o, top_->count_walk_o};
    Counted want = {0, 0, 0, 0, ev.walk.start};
    for (unsigned i = 0; i < sms_; i++) {
      const bool look = ev.l1[i].op == 1;
      want.l1_look |= static_cast<uint64_t>(look) << i;
      want.l1_hit |= static_cast<uint64_t>(look && ev.l1[i].outcome <= 1) << i;
    }
    for (unsigned p = 0; p < 2; p++) {
      const gmmu_l2_lookup &l = ev.l2.port[p];
      const bool look = l.valid && !l.replay;
      want.l2_look |= static_cast<uint64_t>(look) << p;
      want.l2_hit |= static_cast<uint64_t>(look && (l.outcome <= 1 || l.outcome >= 5)) << p;
    }
    if (c.l1_look == want.l1_look && c.l1_hit == want.l1_hit && c.l2_look == want.l2_look &&
        c.l2_hit == want.l2_hit && c.walk == want.walk)
      return;
    fprintf(stderr,
            "mismatch: counters' events: L1 lookups, hits 0x%" PRIx64 " 0x%" PRIx64
            ", L2 0x%" PRIx64 " 0x%" PRIx64 ", walk %" PRIu64 "; observed 0x%" PRIx64 " 0x%" PRIx64
            ", 0x%" PRIx64 " 0x%" PRIx64 ", %" PRIu64 "\n",
            c.l1_look, c.l1_hit, c.l2_look, c.l2_hit, c.walk, want.l1_look, want.l1_hit,
            want.l2_look, want.l2_hit, want.walk);
    stop();
  }
  /// Ends the program, with the waves up to here.
  [[noreturn]] void stop() {
#if VM_TRACE_FST
    gmmu_err ignored;
    waves_.close(&ignored);
#endif
    exit(1);
  }
  /// In reset an observation port shows no event.
  template <class Port, size_t N>
  void quiet(const char *block, unsigned n, const Port &w, unsigned at,
             const ObsField (&fields)[N]) {
    for (const ObsField &f : fields) {
      const uint64_t got = bits_get(w, at + f.lsb, f.width);
      if (!got) continue;
      fprintf(stderr,
              "mismatch: reset, %s %u: observation bits %u:%u: expected 0x0, got 0x%" PRIx64 "\n",
              block, n, f.lsb + f.width - 1, f.lsb, got);
      stop();
    }
  }
  void all_quiet() {
    for (unsigned i = 0; i < sms_; i++)
      quiet("L1 TLB", i, top_->obs_l1_o, i * OBS_L1_BITS, OBS_L1_QUIET);
    quiet("L2 TLB", 0, top_->obs_l2_o, 0, OBS_L2_QUIET);
    quiet("walker", 0, top_->obs_walk_o, 0, OBS_WALK_QUIET);
    quiet("fill tokens", 0, top_->obs_token_o, 0, OBS_TOKEN_QUIET);
  }
  void evaluate() {
    top_->eval();
#if VM_TRACE_FST
    waves_.dump(time_);
#endif
    time_ += 5;
  }
#if GMMU_RTL_LAG
  void before_outputs() {
    top_->tick_i = !top_->tick_i;
    evaluate();
  }
  void after_outputs() {}
#else
  void before_outputs() {
    top_->clk_i = 0;
    evaluate();
  }
  void after_outputs() {
    top_->clk_i = 1;
    evaluate();
  }
#endif

  gmmu_req random_request() {
    const uint64_t r = gmmu_rng_next(&noise_);
    gmmu_req x = {};
    x.user = r & 1;
    x.access = r >> 1 & 3;
    x.asid = static_cast<uint16_t>(r >> 3 & 0xff);
    x.warp = static_cast<uint16_t>(r >> 11 & 0xffff);
    x.tag = static_cast<uint16_t>(r >> 27 & 0xffff);
    x.va = gmmu_rng_next(&noise_);
    return x;
  }

  void drive_requests(const gmmu_pins &p) {
    uint64_t valid = 0, ready = 0;
    for (unsigned i = 0; i < sms_; i++) {
      const bool asks = p.req[i].valid;
      ready |= static_cast<uint64_t>(p.rsp_ready[i]) << i;
      valid |= static_cast<uint64_t>(asks) << i;
      if (!asks && !p.noise) continue;
      const gmmu_req r = asks ? p.req[i] : random_request();
      bits_set(top_->req_va_i, i * 64, 64, r.va);
      bits_set(top_->req_access_i, i * 2, 2, r.access);
      bits_set(top_->req_user_i, i, 1, r.user);
      bits_set(top_->req_asid_i, i * asid_w_, asid_w_, r.asid);
      bits_set(top_->req_warp_i, i * warp_w_, warp_w_, r.warp);
      bits_set(top_->req_tag_i, i * tag_w_, tag_w_, r.tag);
    }
    bits_set(top_->req_valid_i, 0, sms_, valid);
    bits_set(top_->rsp_ready_i, 0, sms_, ready);
  }

  void drive_memory(const gmmu_pins &p) {
    top_->mem_req_ready_i = p.mem_req_ready;
    top_->mem_rsp_valid_i = p.mem_rsp.valid;
    if (!p.mem_rsp.valid) {
      if (!p.noise) return;
      top_->mem_rsp_id_i = static_cast<decltype(top_->mem_rsp_id_i + 0)>(
          gmmu_rng_below(&noise_, static_cast<uint64_t>(cfg_.Walks)));
      for (unsigned i = 0; i < (cfg_.LineAnswers ? 8 : 1); i++)
        bits_set(top_->mem_rsp_data_i, i * 64, 64, gmmu_rng_next(&noise_));
      top_->mem_rsp_err_i = gmmu_rng_below(&noise_, 2);
      return;
    }
    top_->mem_rsp_id_i = static_cast<decltype(top_->mem_rsp_id_i + 0)>(p.mem_rsp.id);
    if (cfg_.LineAnswers) {
      for (unsigned i = 0; i < 8; i++)
        bits_set(top_->mem_rsp_data_i, i * 64, 64, p.mem_rsp.line[i]);
    } else {
      bits_set(top_->mem_rsp_data_i, 0, 64, p.mem_rsp.data);
    }
    top_->mem_rsp_err_i = p.mem_rsp.err;
  }

  void drive_invalidation(const gmmu_pins &p) {
    top_->inv_valid_i = p.inv.valid;
    if (!p.inv.valid) {
      if (!p.noise) return;
      top_->inv_kind_i = static_cast<CData>(gmmu_rng_below(&noise_, 4));
      bits_set(top_->inv_asid_i, 0, asid_w_, gmmu_rng_next(&noise_));
      bits_set(top_->inv_lo_i, 0, 36, gmmu_rng_next(&noise_));
      bits_set(top_->inv_hi_i, 0, 36, gmmu_rng_next(&noise_));
      return;
    }
    top_->inv_kind_i = static_cast<CData>(p.inv.kind);
    bits_set(top_->inv_asid_i, 0, asid_w_, p.inv.asid);
    top_->inv_lo_i = p.inv.lo_vfn;
    top_->inv_hi_i = p.inv.hi_vfn;
  }

  void drive_contexts(const gmmu_env &e) {
    const unsigned pfn_w = pa_w_ - 12;
    for (unsigned a = 0; a < static_cast<unsigned>(cfg_.NumAsids); a++) {
      const gmmu_ctx &c = e.ctx[a];
      bits_set(top_->ctx_root_i, a * pfn_w, pfn_w, c.root_pfn);
      bits_set(top_->ctx_mode_i, a * 2, 2, static_cast<uint64_t>(c.mode));
      bits_set(top_->ctx_ext_i, a, 1, c.ext);
      bits_set(top_->ctx_sum_i, a, 1, c.sum);
      bits_set(top_->ctx_mxr_i, a, 1, c.mxr);
    }
    for (unsigned w = 0; w < static_cast<unsigned>(cfg_.NumWindows); w++) {
      const gmmu_window &x = e.win[w];
      bits_set(top_->win_lo_i, w * pfn_w, pfn_w, x.lo_pfn);
      bits_set(top_->win_hi_i, w * pfn_w, pfn_w, x.hi_pfn);
      bits_set(top_->win_walk_i, w, 1, x.walk);
      bits_set(top_->win_data_i, w, 1, x.data);
    }
  }

  void take_outputs(gmmu_pins &p) {
    const uint64_t ready = bits_get(top_->req_ready_o, 0, sms_),
                   valid = bits_get(top_->rsp_valid_o, 0, sms_);
    for (unsigned i = 0; i < sms_; i++) {
      gmmu_rsp &r = p.rsp[i];
      p.req_ready[i] = ready >> i & 1;
      r.valid = valid >> i & 1;
      if (!r.valid) continue;
      r.tag = static_cast<uint16_t>(bits_get(top_->rsp_tag_o, i * tag_w_, tag_w_));
      r.cause = static_cast<uint8_t>(bits_get(top_->rsp_cause_o, i * 5, 5));
      r.large = bits_get(top_->rsp_large_o, i, 1);
      r.pa = bits_get(top_->rsp_pa_o, i * pa_w_, pa_w_);
    }
    p.mem_req.valid = top_->mem_req_valid_o;
    p.mem_req.id = static_cast<uint16_t>(top_->mem_req_id_o);
    p.mem_req.addr = bits_get(top_->mem_req_addr_o, 0, pa_w_);
    p.mem_req.depth = top_->mem_req_depth_o;
    p.mem_req.upd = top_->mem_req_upd_o;
    p.mem_req.old = top_->mem_req_old_o;
    p.mem_req.set = top_->mem_req_new_o;
    for (unsigned a = 0; a < static_cast<unsigned>(cfg_.NumAsids); a++)
      p.app_misses[a] = static_cast<uint8_t>(bits_get(top_->app_misses_o, a * miss_w_, miss_w_));
    p.inv_ready = top_->inv_ready_o;
    p.inv_done = top_->inv_done_o;
  }

  const gmmu_config cfg_;
  Context ctx_;
  std::unique_ptr<Top> top_;
  CoverageAtEnd coverage_{&ctx_};
#if VM_TRACE_FST
  Waves waves_;
#endif
  gmmu_rng noise_ = {};                   // of this cycle, for inputs without a valid
  gmmu_inv_cmd cmd_ = {}, next_cmd_ = {}; // in progress in the cycle of the events; now
  uint64_t time_ = 0;
  unsigned resets_ = 0;
  unsigned sms_, tag_w_, asid_w_, warp_w_, pa_w_;
  unsigned miss_w_ = 0; // bits of an application's count of misses
};

Dut *dut(void *h) { return static_cast<Dut *>(h); }

} // namespace

extern "C" int gmmu_rtl_new(struct gmmu_dut *d, const struct gmmu_config *c, const char *waves,
                            struct gmmu_err *err) {
  char key[17];
  gmmu_config_rtl_key(c, key);
  if (*GMMU_RTL_KEY && std::strcmp(key, GMMU_RTL_KEY) != 0)
    return gmmu_fail(
        err,
        "this program holds the RTL of another configuration (%s, wanted %s); use build/bin/gmmu",
        GMMU_RTL_KEY, key);
#if !VM_TRACE_FST
  if (waves) return gmmu_fail(err, "this program was built without waves; use build/bin/gmmu");
#endif
  Dut *p = new (std::nothrow) Dut(*c);
  if (!p) return gmmu_fail(err, "out of memory");
  d->h = p;
#if VM_TRACE_FST
  if (waves && p->open_waves(waves, err)) {
    delete p;
    d->h = nullptr;
    return -1;
  }
  d->end = [](void *h, struct gmmu_err *e) { return dut(h)->end(e); };
#endif
  d->eval = [](void *h, struct gmmu_pins *q) { dut(h)->eval(*q); };
  d->clock = [](void *h, struct gmmu_pins *q, struct gmmu_events *ev) { dut(h)->clock(*q, ev); };
  d->reset = [](void *h, struct gmmu_pins *q) { dut(h)->reset(*q); };
  d->free = [](void *h) { delete dut(h); };
  return 0;
}
