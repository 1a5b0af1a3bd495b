// SPDX-License-Identifier: Apache-2.0
// channel.cpp - see channel.h.
#include "channel.h"

#include <algorithm>

#include "../common/dram_pieces.h"
#include "../system/bits.h"

namespace {
constexpr unsigned ID_W = 16, APP_W = 3; // of gmmu_channel_harness

unsigned log2of(uint32_t n) { return n <= 1 ? 0 : 1 + log2of(n / 2); }
} // namespace

Channel::Channel(VerilatedContext *ctx, const gmmu_channel_cfg &cfg, uint32_t number, Reads *reads,
                 Differences *diff)
    : cfg_(cfg),
      number_(number),
      read_(reads),
      diff_(diff),
      top_(ctx, ("channel" + std::to_string(number)).c_str()),
      bank_(cfg.banks),
      words_(cfg.bank.words),
      way_w_(std::max(1u, log2of(cfg.bank.ways))),
      port_b_(64 * cfg.bank.beats / cfg.bank.words) {
  gmmu_dram_check_init(&check_, &gmmu_dram_rules_gddr5);
}

void Channel::reset() {
  top_.quota_max_i = static_cast<SData>(cfg_.dram.thresh_max);
  top_.turn_timeout_i = static_cast<SData>(cfg_.dram.turn_timeout);
  top_.age_cap_i = static_cast<SData>(cfg_.dram.age_cap);
  memset(static_cast<void *>(&top_.d_mask_i), 0xff, sizeof top_.d_mask_i); // whole lines
  top_.rst_ni = 0;
  for (int i = 0; i < 4; i++) {
    top_.tick_i = !top_.tick_i;
    top_.eval();
  }
  top_.rst_ni = 1;
}

uint64_t Channel::piece(unsigned b, uint64_t line, unsigned beat) const {
  return gmmu_mem_line_in_channel(cfg_.banks, cfg_.linear, b, line) * cfg_.bank.beats + beat;
}

void Channel::drive_write(unsigned b, const gmmu_cache_req &r) {
  Bank &k = bank_[b];
  if (k.sent == 0) k.version = ++versions_;
  uint8_t *port = reinterpret_cast<uint8_t *>(&top_.d_wdata_i) + b * port_b_;
  for (unsigned i = 0; i < port_b_;) { // a word of the port may be more than a piece, or less
    const unsigned at = k.sent * port_b_ + i, n = std::min(port_b_ - i, 64u);
    const Words w = words_of(piece(b, r.line, at / 64), k.version);
    memcpy(port + i, reinterpret_cast<const uint8_t *>(w.data()) + at % 64, n);
    i += n;
  }
}

void Channel::drive(const gmmu_channel_in &in, uint32_t bypass) {
  uint32_t valid[GMMU_CACHE_PORTS] = {};
  for (unsigned b = 0; b < cfg_.banks; b++) {
    const gmmu_cache_bank_in &x = in.bank[b];
    if (x.valid[GMMU_CACHE_T]) {
      const gmmu_cache_req &r = x.req[GMMU_CACHE_T];
      valid[GMMU_CACHE_T] |= 1u << b;
      bits_set(top_.t_line_i, b * 64, 64, r.line);
      bits_set(top_.t_beat_i, b, 1, r.beat);
      bits_set(top_.t_depth_i, b * 3, 3, r.depth);
      bits_set(top_.t_id_i, b * ID_W, ID_W, r.id);
    }
    if (x.valid[GMMU_CACHE_D]) {
      const gmmu_cache_req &r = x.req[GMMU_CACHE_D];
      valid[GMMU_CACHE_D] |= 1u << b;
      bits_set(top_.d_line_i, b * 64, 64, r.line);
      bits_set(top_.d_we_i, b, 1, r.we);
      bits_set(top_.d_app_i, b * APP_W, APP_W, r.app);
      bits_set(top_.d_id_i, b * ID_W, ID_W, r.id);
      if (r.we) drive_write(b, r);
    }
  }
  bits_set(top_.t_valid_i, 0, cfg_.banks, valid[GMMU_CACHE_T]);
  bits_set(top_.d_valid_i, 0, cfg_.banks, valid[GMMU_CACHE_D]);
  top_.bypass_i = static_cast<CData>(bypass);
  top_.epoch_i = in.epoch;
  top_.apps_i = static_cast<CData>(in.apps);
  uint64_t con = 0, warps = 0;
  for (unsigned a = 0; a < GMMU_MEMSYS_RTL_APPS; a++) {
    con |= std::min<uint64_t>(in.con[a], 63) << 6 * a;
    warps |= std::min<uint64_t>(in.warps[a], 63) << 6 * a;
  }
  top_.con_i = con;
  top_.warps_i = warps;
}

void Channel::compare_bank(unsigned b, const gmmu_cache_bank_out &o) {
  const int k = static_cast<int>(b);
  const uint32_t obs = static_cast<uint32_t>(bits_get(top_.obs_cache_o, b * 32, 32));
  same("t_ready", o.ready[GMMU_CACHE_T], top_.t_ready_o >> b & 1, k);
  same("d_ready", o.ready[GMMU_CACHE_D], top_.d_ready_o >> b & 1, k);
  same("t_rsp_valid", o.rsp_valid[GMMU_CACHE_T], top_.t_rsp_valid_o >> b & 1, k);
  same("d_rsp_valid", o.rsp_valid[GMMU_CACHE_D], top_.d_rsp_valid_o >> b & 1, k);
  if (o.rsp_valid[GMMU_CACHE_T])
    same("t_rsp_id", o.rsp_id[GMMU_CACHE_T], bits_get(top_.t_rsp_id_o, b * ID_W, ID_W), k);
  if (o.rsp_valid[GMMU_CACHE_D])
    same("d_rsp_id", o.rsp_id[GMMU_CACHE_D], bits_get(top_.d_rsp_id_o, b * ID_W, ID_W), k);
  same("words sent of a write", o.in_word, bank_[b].sent, k);
  same("words got of an answer", o.out_word, bank_[b].got, k);
  same("stage C decides", o.decided, obs & 1, k);
  const uint32_t way = (1u << way_w_) - 1;
  if (o.decided) {
    same("port of what stage C decides", static_cast<uint64_t>(o.port), obs >> 1 & 1, k);
    same("outcome", o.outcome, obs >> 2 & 7, k);
    if (o.outcome == GMMU_CACHE_HIT)
      same("way of a hit", static_cast<uint64_t>(o.way), obs >> 5 & way, k);
  }
  same("fill", o.filled, obs >> (5 + way_w_) & 1, k);
  if (o.filled) {
    same("way of a fill", static_cast<uint64_t>(o.fill_way), obs >> (7 + way_w_) & way, k);
    same("write-back", o.fill_writes_back, obs >> (6 + way_w_) & 1, k);
  }
  same("access that counts", o.counted, top_.access_o >> b & 1, k);
  if (o.counted) {
    same("hit that counts", o.counted_hit, top_.hit_o >> b & 1, k);
    same("depth that counts", o.counted_depth, bits_get(top_.depth_o, b * 3, 3), k);
  }
}

void Channel::compare_pins(const gmmu_dram_out &o) {
  same("DRAM command", cmd_.kind, top_.cmd_o);
  const bool column = gmmu_dram_is_column(cmd_.kind), act = cmd_.kind == GMMU_DRAM_ACT;
  if (column || act || cmd_.kind == GMMU_DRAM_PRE) same("its bank", cmd_.bank, top_.bank_o);
  if (column) {
    same("its column", cmd_.col, top_.col_o);
    same("its auto-precharge", cmd_.ap, top_.ap_o);
  }
  if (act) same("its row", cmd_.row, top_.row_o);
  same("second DRAM command", also_.kind, top_.also_o);
  if (also_.kind) same("its bank", also_.bank, top_.also_bank_o);
  if (also_.kind == GMMU_DRAM_ACT) same("its row", also_.row, top_.row_o);
  same("home of what enters the scheduler", o.entered, top_.entered_o);
  cmd_ = o.cmd;
  also_ = o.also;
}

// Memory and the rules of its commands.
void Channel::pins() {
  const int cmd = top_.cmd_o;
  if (cmd != GMMU_PIN_NOP) {
    commands++;
    if (gmmu_dram_check_command(&check_, static_cast<int64_t>(ticks_), cmd, top_.bank_o, top_.row_o,
                                top_.ap_o))
      diff_->add(number_, -1, "DRAM rule broken by the command on the pins", 0,
                 static_cast<uint64_t>(cmd));
  }
  if (top_.also_o) { // on the second tick
    commands++;
    if (gmmu_dram_check_command(&check_, static_cast<int64_t>(ticks_) + 1, top_.also_o,
                                top_.also_bank_o, top_.row_o, false))
      diff_->add(number_, -1, "DRAM rule broken by the second command on the pins", 0, top_.also_o);
  }
  if (cmd != GMMU_PIN_RD && cmd != GMMU_PIN_WR) return;
  const uint64_t at =
      dram_piece(gmmu_dram_check_row(&check_, top_.bank_o), top_.bank_o, top_.col_o, cfg_.linear);
  if (cmd == GMMU_PIN_RD) {
    on_way_.push_back(
        {ticks_ + gmmu_dram_gddr5.cl + GMMU_DRAM_BURST, words_of(at, memory_.of(at))});
    return;
  }
  Words w;
  memcpy(w.data(), &top_.wdata_o, sizeof w);
  same("written bytes on the pins", UINT64_MAX, top_.wmask_o);
  // of this piece, and no older one than what is there
  const uint32_t version = version_in(w);
  if (w != words_of(at, version) || version > line_.of(at / cfg_.bank.beats) ||
      version < memory_.of(at))
    diff_->add(number_, -1, "words on the pins: version of piece and what is written",
               memory_.of(at), w[7]);
  memory_.set(at, version);
}

// Stage C served a request: its place in the order.
void Channel::decide(unsigned b, const gmmu_cache_bank_out &o) {
  if (!o.decided || o.outcome == GMMU_CACHE_WAITS) return;
  std::deque<Taken> &taken = bank_[b].taken[o.port];
  if (taken.empty())
    return diff_->add(number_, static_cast<int>(b), "stage C serves what was not handed over", 0,
                      1);
  const Taken t = taken.front();
  taken.pop_front();
  const uint64_t line = piece(b, t.line, 0) / cfg_.bank.beats;
  if (t.write) line_.set(line, t.version);
  else (*read_)[t.id] = {t.line, line_.of(line), place(b, static_cast<unsigned>(o.port)), t.beat};
}

void Channel::take(unsigned b, const gmmu_cache_bank_in &in, const gmmu_cache_bank_out &o) {
  Bank &k = bank_[b];
  for (int p = 0; p < GMMU_CACHE_PORTS; p++) {
    if (!in.valid[p] || !o.ready[p]) continue;
    const gmmu_cache_req &r = in.req[p];
    if (p == GMMU_CACHE_D && r.we) {
      k.sent = (k.sent + 1) % words_;
      if (k.sent) continue;
      writes++;
    }
    if (r.id >= read_->size())
      return diff_->add(number_, static_cast<int>(b), "an id that is too large", read_->size(),
                        r.id);
    k.taken[p].push_back({r.line, r.id, k.version, r.beat, r.we});
  }
}

Channel::Read *Channel::answered(unsigned b, unsigned port, uint32_t id) {
  Read &r = (*read_)[id];
  if (r.port == place(b, port)) return &r;
  diff_->add(number_, static_cast<int>(b), "answer to no read, id", 0, id);
  return nullptr;
}

void Channel::answers(unsigned b) {
  if (top_.t_rsp_valid_o >> b & 1) {
    Read *r =
        answered(b, GMMU_CACHE_T, static_cast<uint32_t>(bits_get(top_.t_rsp_id_o, b * ID_W, ID_W)));
    if (r) {
      const Words w = words_of(piece(b, r->line, r->beat), r->version);
      if (memcmp(w.data(), reinterpret_cast<const uint8_t *>(&top_.t_rsp_data_o) + b * 64, 64))
        diff_->add(number_, static_cast<int>(b), "words of a translation's read, the last", w[7],
                   bits_get(top_.t_rsp_data_o, b * 512 + 448, 64));
      r->port = 0;
      reads++;
    }
  }
  if (!(top_.d_rsp_valid_o >> b & 1)) return;
  Bank &k = bank_[b];
  Read *r =
      answered(b, GMMU_CACHE_D, static_cast<uint32_t>(bits_get(top_.d_rsp_id_o, b * ID_W, ID_W)));
  if (r) {
    const uint8_t *port = reinterpret_cast<const uint8_t *>(&top_.d_rsp_data_o) + b * port_b_;
    for (unsigned i = 0; i < port_b_; i += 64) {
      const unsigned at = k.got * port_b_ + i;
      const Words w = words_of(piece(b, r->line, at / 64), r->version);
      if (memcmp(reinterpret_cast<const uint8_t *>(w.data()) + at % 64, port + i,
                 std::min(port_b_, 64u)))
        diff_->add(number_, static_cast<int>(b), "words of data that are wrong, version",
                   r->version, k.got);
    }
  }
  k.got = (k.got + 1) % words_;
  if (k.got || !r) return;
  r->port = 0;
  reads++;
}

void Channel::step(const gmmu_channel_in &in, const gmmu_channel_out &out, uint32_t bypass) {
  drive(in, bypass);
  if (!on_way_.empty() && on_way_.front().tick <= ticks_) {
    memcpy(&top_.rdata_i, on_way_.front().words.data(), 64);
    on_way_.pop_front();
  } else {
    top_.rdata_i[0] = static_cast<uint32_t>(ticks_) * 0x9e3779b9; // what nobody may read
  }
  top_.tick_i = !top_.tick_i;
  top_.eval();
  for (unsigned b = 0; b < cfg_.banks; b++) compare_bank(b, out.bank[b]);
  compare_pins(out.dram);
  pins();
  for (unsigned b = 0; b < cfg_.banks; b++) {
    answers(b);
    decide(b, out.bank[b]);
    take(b, in.bank[b], out.bank[b]);
  }
  ticks_ += top_.ticks_o;
}
