// SPDX-License-Identifier: Apache-2.0
// native_client.cpp - see native_client.h.
#include "native_client.h"

bool WordClient::pick(Bench &b, Word &w, bool write) {
  w.page = pages[b.below(pages.size())];
  w.va = w.page->va + 8 * b.below(b.below(2) ? 8 : 512);
  w.write = write, w.since = b.cycle, w.value = gmmu_rng_next(&b.rng);
  w.want_cause = must_end ? must_end(*w.page, write) : 0;
  int &u = used_[{w.page, w.va}];
  if (write ? u != 0 : u < 0) return false;
  u = write ? -1 : u + 1;
  return true;
}

void WordClient::check(Bench &b, const Word &w, uint64_t pa, uint32_t cause) {
  if (static_cast<int>(cause) != w.want_cause)
    b.fail("native port: cause", static_cast<uint64_t>(w.want_cause), cause, w.va);
  if (cause ? pa != 0 : (pa & 4095) != (w.va & 4095))
    b.fail("native port: physical address", w.va & 4095, pa, w.va);
}

void WordClient::access(Bench &b, const Word &w, uint64_t pa) {
  uint8_t *mine = &w.page->shadow[w.va & 4095];
  uint64_t want;
  memcpy(&want, mine, 8);
  if (!counts_only) b.use(port_, pa, w.write);
  b.bursts++;
  if (w.write) {
    b.memory.put(pa, w.value);
    memcpy(mine, &w.value, 8);
  } else if (b.memory.word(pa) != want) {
    wrong++;
    if (!counts_only) b.fail("a word that was read", want, b.memory.word(pa), w.va);
  }
}

void WordClient::end(Bench &b, const Word &w) {
  release(w);
  done_++;
  b.last_progress = b.cycle;
}

NativeClient::NativeClient(uint32_t n, Keep keep, uint32_t tags, unsigned latency)
    : n_(n), keep_(keep), tags_(tags), latency_(latency) {
  static const char *const how[] = {"answer waits", "keeps addresses", "keeps addresses for later"};
  port_ = kPorts + n;
  name = "native port " + std::to_string(n) + " (" + how[static_cast<int>(keep)] + ")";
}

uint64_t NativeClient::oldest() const {
  uint64_t t = ~0ull;
  for (auto &[tag, w] : open_) t = std::min(t, w.since);
  return t;
}

std::string NativeClient::waits() const {
  std::string s;
  char line[120];
  for (auto &[tag, w] : open_) {
    snprintf(line, sizeof line, "[%s tag %u asid %u va 0x%" PRIx64 " since %" PRIu64 "] ",
             w.write ? "write" : "read", tag, w.page->asid, w.va, w.since);
    s += line;
  }
  return s;
}

void NativeClient::clock(Bench &b) {
  NativePins &io = b.native[n_];
  if (io.req_valid && io.req_ready) io.req_valid = false;
  if (io.rsp_valid) answer(b, io);
  for (auto it = kept_.begin(); it != kept_.end();) {
    if (io.drop && it->begin > b.cycle) { // memory has not been asked: the address is worthless
      again_.push_back(it->tag);
      given_up++;
      it = kept_.erase(it);
    } else if (it->at > b.cycle) {
      it->old |= io.drop;
      ++it;
    } else {
      access(b, open_[it->tag], it->pa);
      end(b, open_[it->tag]);
      open_.erase(it->tag);
      it = kept_.erase(it);
    }
  }
  io.busy = false; // what memory was asked for until the drop
  for (auto &k : kept_) io.busy |= k.old;
  if (!io.req_valid && !again_.empty()) {
    ask(io, again_.front());
    again_.pop_front();
  }
  if (!io.req_valid && b.traffic && b.below(4) == 0) {
    uint32_t tag = static_cast<uint32_t>(b.below(tags_));
    Word w;
    if (!open_.count(tag) && pick(b, w, b.below(3) == 0)) {
      open_[tag] = w;
      ask(io, tag);
    }
  }
}

void NativeClient::ask(NativePins &io, uint32_t tag) {
  const Word &w = open_[tag];
  io.req_valid = true, io.va = w.va, io.access = w.write, io.asid = w.page->asid;
  io.tag = tag, io.warp = tag & 3;
}

void NativeClient::answer(Bench &b, NativePins &io) {
  auto it = open_.find(io.rsp_tag);
  if (it == open_.end()) return b.fail("answer to no native request", 0, io.rsp_tag, 0);
  if (!showing_) {
    check(b, it->second, io.pa, io.cause);
    showing_ = true, showing_tag_ = io.rsp_tag, showing_pa_ = io.pa;
    ready_at_ = keep_ != Keep::waits ? b.cycle : b.cycle + 1 + b.below(2 * latency_);
    if (io.cause) ready_at_ = b.cycle;
  } else if (io.rsp_tag != showing_tag_ || io.pa != showing_pa_) {
    b.fail("a native answer changed before it was taken", showing_pa_, io.pa, it->second.va);
  }
  if (io.rsp_ready) { // taken
    showing_ = false;
    io.rsp_ready = false;
    if (keep_ != Keep::waits && !io.cause) {
      uint64_t begin = keep_ == Keep::later ? b.cycle + 1 + b.below(2 * latency_) : b.cycle;
      uint64_t at = begin + 1 + b.below(2 * latency_);
      return kept_.push_back({io.rsp_tag, io.pa, begin, at, false});
    }
    end(b, it->second);
    open_.erase(it);
  } else if (b.cycle >= ready_at_) {
    if (keep_ == Keep::waits && !io.cause)
      access(b, it->second, io.pa); // memory is done: the answer is taken in the next cycle
    io.rsp_ready = true;
  }
}

MergeClient::MergeClient(Bench &b, uint32_t n, unsigned latency)
    : n_(n), latency_(latency), core_(&b.ctx, "merge") {
  port_ = kPorts + n;
  name = "native port " + std::to_string(n) + " (four lanes)";
  bench_reset(core_);
}

std::string MergeClient::waits() const {
  std::string s;
  char line[120];
  for (uint32_t l = 0; l < kLanes; l++) {
    snprintf(line, sizeof line, "[lane %u %s asid %u va 0x%" PRIx64 "] ", l,
             core_.s_mask_i >> l & 1 ? "on" : "off", lane_[l].page->asid, lane_[l].va);
    s += line;
  }
  return s;
}

bool MergeClient::comb(Bench &b) {
  NativePins &io = b.native[n_], was = io;
  core_.clk_i = 0;
  core_.req_ready_i = io.req_ready;
  core_.rsp_valid_i = io.rsp_valid;
  core_.rsp_tag_i = static_cast<uint8_t>(io.rsp_tag);
  core_.rsp_pa_i = static_cast<uint32_t>(io.pa);
  core_.rsp_cause_i = static_cast<uint8_t>(io.cause);
  core_.drop_i = io.drop;
  core_.eval();
  out(io);
  return was.req_valid != io.req_valid || was.va != io.va || was.tag != io.tag ||
         was.busy != io.busy || was.rsp_ready != io.rsp_ready;
}

void MergeClient::clock(Bench &b) {
  bool took = core_.s_valid_i && core_.s_ready_o, offered = core_.m_valid_o,
       given = offered && core_.m_ready_i;
  if (offered && !ready_at_) { // all lanes are known: to memory
    ready_at_ = b.cycle + 1 + b.below(2 * latency_);
    for (uint32_t l = 0; l < kLanes; l++)
      if (core_.s_mask_i >> l & 1)
        check(b, lane_[l], bits_get(core_.m_pa_o, l * kPaW, kPaW),
              static_cast<uint32_t>(bits_get(core_.m_cause_o, l * 5, 5)));
  }
  if (given) {
    for (uint32_t l = 0; l < kLanes; l++)
      if (core_.s_mask_i >> l & 1) end(b, lane_[l]);
    open_ = false, ready_at_ = 0;
  }
  bool memory_done = offered && !given && ready_at_ && b.cycle >= ready_at_;
  if (memory_done)
    for (uint32_t l = 0; l < kLanes; l++)
      if (core_.s_mask_i >> l & 1 && !bits_get(core_.m_cause_o, l * 5, 5))
        access(b, lane_[l], bits_get(core_.m_pa_o, l * kPaW, kPaW));
  core_.clk_i = 1;
  core_.eval();
  core_.m_ready_i = memory_done;
  if (took) core_.s_valid_i = 0;
  if (!open_ && b.traffic && b.below(4) == 0) begin(b);
  core_.eval();
  out(b.native[n_]);
}

void MergeClient::out(NativePins &io) {
  io.req_valid = core_.req_valid_o, io.va = core_.req_va_o, io.access = core_.req_access_o,
  io.user = core_.req_user_o;
  io.asid = core_.req_asid_o, io.warp = core_.req_warp_o, io.tag = core_.req_tag_o,
  io.rsp_ready = core_.rsp_ready_o;
  io.busy = core_.busy_o;
}

void MergeClient::begin(Bench &b) {
  bool write = b.below(3) == 0;
  uint32_t mask = 0, asid = 0;
  for (uint32_t l = 0; l < kLanes; l++) {
    lane_[l].since = b.cycle;
    if (b.below(5) == 0 && l) {
      lane_[l].page = pages[0];
      continue;
    }
    if (!pick(b, lane_[l], write)) continue;
    if (mask && lane_[l].page->asid != asid) {
      release(lane_[l]);
      continue;
    }
    asid = lane_[l].page->asid;
    mask |= 1u << l;
    bits_set(core_.s_va_i, l * 64, 64, lane_[l].va);
  }
  if (!mask) return;
  core_.s_valid_i = 1, core_.s_mask_i = mask, core_.s_access_i = write, core_.s_user_i = 1,
  core_.s_asid_i = asid, core_.s_warp_i = 1;
  open_ = true;
}
