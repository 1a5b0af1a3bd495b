// SPDX-License-Identifier: Apache-2.0
// axi_master.cpp - see axi_master.h.
#include "axi_master.h"

uint64_t AxiMaster::oldest() const {
  uint64_t t = ~0ull;
  for (auto &x : open_) t = std::min(t, x->since);
  return t;
}

std::string AxiMaster::waits() const {
  std::string s;
  char line[200];
  for (auto &x : open_) {
    snprintf(line, sizeof line,
             "[%s id %u asid %u va 0x%" PRIx64 " beats %u since %" PRIu64 "%s, W %u, R %u] ",
             x->write ? "write" : "read", x->id, x->asid, x->va, x->beats(), x->since,
             x == aw_ || x == ar_ ? " not taken" : "", x->w_sent, x->r_done);
    s += line;
  }
  return s;
}

Ref AxiMaster::begin(Bench &b, Ref x, HostPage &p) {
  x->port = port_, x->asid = p.asid, x->since = b.cycle;
  x->mark = (user_asid_ ? p.asid << 4 : static_cast<uint32_t>(b.below(256)) & 0xf0) |
            static_cast<uint32_t>(b.below(16));
  x->want_cause = must_end ? must_end(p, x->write) : 0;
  for (uint32_t i = 0; x->write && x->data.size() < x->beats(); i++) {
    uint64_t wide = 1ull << x->size, low = x->at(i, x->va) & (kBytes - 1),
             end = low / wide * wide + wide;
    Beat strb{};
    for (uint64_t l = low; l < end; l++) strb[l] = h_.narrow ? b.below(8) != 0 : 1;
    x->strb.push_back(strb);
    x->data.push_back(random_beat(b.rng));
  }
  x->page = &p;
  return in_the_way(*x) ? nullptr : x;
}

void AxiMaster::clock(Bench &b) {
  AxiPins &io = b.axi[port_];
  if (io.awvalid && io.awready) {
    aw_->taken = true, aw_->taken_at = b.cycle;
    aw_ = nullptr;
    io.awvalid = false;
  }
  if (io.wvalid && io.wready) { // before AR: a last W that comes with it is older
    Ref x = w_queue_.front();
    if (++x->w_sent == x->beats()) w_queue_.pop_front(), write_shadow(b, *x);
    w_up_ = false;
  }
  if (io.arvalid && io.arready) take_read(b), ar_ = nullptr;
  if (io.rvalid && io.rready) take_r(b, io);
  if (io.bvalid && io.bready) take_b(b, io);
  drive(b, io);
}

bool AxiMaster::in_the_way(const Burst &x) const {
  for (auto &y : open_) {
    if (!overlap(x, *y) || (!x.write && !y->write)) continue;
    if (x.write && y->write ? !h_.raw : x.write ? !h_.war : !h_.raw || !y->taken) return true;
  }
  return false;
}

Ref AxiMaster::random_burst(Bench &b, bool write) {
  auto r = std::make_shared<Burst>();
  Burst &x = *r;
  x.write = write;
  x.id = h_.ids == 1 ? 0 : static_cast<uint32_t>(b.below(h_.ids)) * 3;
  HostPage *p = pages[b.below(b.below(2) && pages.size() > 16 ? 16 : pages.size())];
  const Burst *last = nullptr; // often what was written, or is read, just now
  for (auto &y : open_)
    if ((write ? h_.war && !y->write : h_.raw && y->write && y->w_sent == y->beats()) &&
        (!last || b.below(2)))
      last = y.get();
  if (h_.w_after_r && !write && !w_queue_.empty() && !w_queue_.front()->after)
    p = pages[0], x.id = 15, last = nullptr;
  if (last && b.below(4)) {
    p = last->page;
    x.size = last->size, x.len = last->len, x.kind = last->kind, x.va = last->va;
    return begin(b, r, *p);
  }
  x.size = h_.narrow && b.below(3) ? static_cast<uint32_t>(b.below(kMaxSize + 1)) : kMaxSize;
  uint64_t bytes = 1ull << x.size;
  x.len = b.below(2) ? 0 : static_cast<uint32_t>(b.below(h_.narrow && b.below(8) == 0 ? 64 : 16));
  if (h_.wrap && b.below(2)) x.kind = 2, x.len = (2u << b.below(4)) - 1;
  else if (h_.fixed && b.below(2)) x.kind = 0, x.len = static_cast<uint32_t>(b.below(4));
  uint64_t total = x.kind == 0 ? bytes : bytes * x.beats();
  if (total > 4096) x.len = static_cast<uint32_t>(4096 / bytes - 1), total = 4096;
  x.va = p->va + b.below((4096 - total) / bytes + 1) * bytes;
  if (h_.narrow && x.kind == 1 && b.below(4) == 0) x.va += b.below(bytes); // unaligned first beat
  return begin(b, r, *p);
}

Ref AxiMaster::fresh(Bench &b, bool write) {
  if (!b.traffic || (h_.one && !open_.empty()) || open_.size() >= 24) return nullptr;
  if (!script && b.below(1 + h_.idle)) return nullptr;
  if (h_.w_after_r) { // reads that are in the way of another could keep a W back for ever
    size_t reads = 0;
    for (auto &x : open_) reads += !x->write;
    if (!write && reads > 1) return nullptr;
    if (!write && !w_queue_.empty() && w_queue_.front()->after && reads) return nullptr;
  }
  Ref x = script ? script(b, write) : random_burst(b, write);
  if (!x) return nullptr;
  open_.push_back(x);
  if (!write && h_.w_after_r && !w_queue_.empty() && x->page == pages[0] &&
      !w_queue_.front()->after)
    w_queue_.front()->after = x;
  return x;
}

void AxiMaster::drive(Bench &b, AxiPins &io) {
  if (!ar_ && (ar_ = fresh(b, false))) {
    io.araddr = ar_->va, io.arid = ar_->id, io.arlen = ar_->len, io.arsize = ar_->size,
    io.arburst = ar_->kind, io.aruser = ar_->mark;
  }
  io.arvalid = ar_ != nullptr;
  if (!aw_ && (!h_.together || w_queue_.empty()) && (aw_ = fresh(b, true))) {
    io.awaddr = aw_->va, io.awid = aw_->id, io.awlen = aw_->len, io.awsize = aw_->size,
    io.awburst = aw_->kind, io.awuser = aw_->mark;
    w_queue_.push_back(aw_);
    aw_from_ = b.cycle + (h_.w_first ? b.below(12) : 0);
    w_patience_ = b.cycle + 300;
  }
  io.awvalid = aw_ && (io.awvalid || b.cycle >= aw_from_);
  bool send = !w_queue_.empty();
  if (send && !w_up_) {
    Burst &x = *w_queue_.front();
    if (h_.w_first || h_.together) send = h_.w_first || &x != aw_.get() || io.awvalid;
    else send = x.taken && b.below(4) != 0;
    if (send && h_.together && x.w_sent) send = b.below(4) != 0;
    if (h_.w_after_r && (x.after ? !x.after->over : b.cycle < w_patience_)) send = false;
  }
  io.wvalid = w_up_ = send;
  if (send) {
    Burst &x = *w_queue_.front();
    io.wdata = x.data[x.w_sent], io.wstrb = x.strb[x.w_sent], io.wlast = x.w_sent + 1 == x.beats();
  }
  if (h_.shut && b.below(2000) == 0) shut_until_ = b.cycle + b.below(1200);
  io.rready = b.cycle >= shut_until_ && b.below(4) != 0;
  io.bready = b.cycle >= shut_until_ && b.below(4) != 0;
}

void AxiMaster::take_read(Bench &b) {
  Burst &x = *ar_;
  x.taken = true;
  for (uint32_t i = 0; i < x.beats(); i++) {
    Beat v{};
    uint64_t base = x.at(i, x.va) & ~(kBytes - 1ull);
    memcpy(v.data(), &x.page->shadow[base & 4095], kBytes);
    x.data.push_back(v);
  }
  for (auto &y : open_) {
    if (!y->write || !y->taken || !overlap(x, *y)) continue;
    if (y->w_sent < y->beats() || y->taken_at == b.cycle) {
      if (!y->want_cause) x.either.push_back(y);
    } else {
      overtaking++;
    }
  }
}

void AxiMaster::write_shadow(Bench &, Burst &x) {
  for (uint32_t i = 0; !x.want_cause && i < x.beats(); i++) {
    uint64_t base = x.at(i, x.va) & 4095 & ~(kBytes - 1ull);
    for (uint32_t l = 0; l < kBytes; l++)
      if (x.strb[i][l]) x.page->shadow[base + l] = x.data[i][l];
  }
}

bool AxiMaster::wrote(const Burst &y, uint64_t at, uint8_t value) {
  for (uint32_t i = 0; i < y.beats(); i++) {
    uint64_t base = y.at(i, y.va) & ~(kBytes - 1ull);
    if (at >= base && at < base + kBytes && y.strb[i][at - base] && y.data[i][at - base] == value)
      return true;
  }
  return false;
}

Ref AxiMaster::oldest_of(uint32_t id, bool write) {
  for (auto &x : open_)
    if (x->id == id && x->write == write && x != ar_ && x != aw_) return x;
  return nullptr;
}

void AxiMaster::end(Bench &b, Ref x) {
  x->over = true;
  x->either.clear(), x->after = nullptr;
  done_++;
  ended += x->want_cause != 0;
  b.last_progress = b.cycle;
  open_.erase(std::find(open_.begin(), open_.end(), x));
}

void AxiMaster::take_r(Bench &b, AxiPins &io) {
  Ref r = oldest_of(io.rid, false);
  if (!r) return b.fail("R for no read", port_, io.rid, 0);
  Burst &x = *r;
  if (io.rresp != resp_of(x.want_cause)) b.fail("RRESP", resp_of(x.want_cause), io.rresp, x.va);
  uint64_t base = x.at(x.r_done, x.va), bytes = 1ull << x.size, stop = base / bytes * bytes + bytes;
  for (uint64_t a = base; a < stop; a++) {
    uint8_t got = io.rdata[a & (kBytes - 1)],
            want = x.want_cause ? 0 : x.data[x.r_done][a & (kBytes - 1)];
    if (got == want) continue;
    bool fine = false;
    for (auto &y : x.either) fine |= wrote(*y, a, got);
    if (fine) continue;
    wrong += !x.bad, x.bad = true;
    if (!script) b.fail("a byte that was read", want, got, a);
    break;
  }
  x.r_done++;
  if (io.rlast != (x.r_done == x.beats())) b.fail("RLAST", x.r_done == x.beats(), io.rlast, x.va);
  if (x.r_done == x.beats()) end(b, r);
}

void AxiMaster::take_b(Bench &b, AxiPins &io) {
  Ref x = oldest_of(io.bid, true);
  if (!x) return b.fail("B for no write", port_, io.bid, 0);
  if (io.bresp != resp_of(x->want_cause)) b.fail("BRESP", resp_of(x->want_cause), io.bresp, x->va);
  if (x->w_sent != x->beats()) b.fail("B before the last W", x->beats(), x->w_sent, x->va);
  end(b, x);
}
