// SPDX-License-Identifier: Apache-2.0
// native_client.h - clients of native ports of the integration bench: they ask for translations and
// go to memory themselves, 8 bytes at a time; every word they read is compared with what they have
// written. docs/integration-bench.md
//
// NativeClient: requests under way by tag, in one of the three ways that are safe
// (docs/native_port.md): the answer waits (rsp_ready low) until memory is done; or its address is
// kept, and memory is asked at once; or later, when what memory has not been asked for at n_drop_o
// is asked for again. MergeClient: accesses of four lanes through gmmu_page_merge, Verilated by
// itself and hung on the port's pins as a core's model would be; its answer waits until memory is
// done for all lanes.
#ifndef GMMU_TB_INTEGRATION_NATIVE_CLIENT_H
#define GMMU_TB_INTEGRATION_NATIVE_CLIENT_H

#include "Vgmmu_page_merge.h"
#include "bench.h"

struct Word { // 8 bytes of a page
  HostPage *page = nullptr;
  uint64_t va = 0, value = 0, since = 0;
  bool write = false;
  int want_cause = 0;
};

/// What both have: pages, words that are in use, one access to memory.
class WordClient : public Client {
 public:
  std::vector<HostPage *> pages;
  std::function<int(const HostPage &, bool write)> must_end;
  uint64_t wrong = 0;
  bool counts_only = false; // wrong words are counted, not reported
  uint64_t done() const override { return done_; }

 protected:
  uint32_t port_; // of the bench: NumPorts + n
  uint64_t done_ = 0;
  std::map<std::pair<HostPage *, uint64_t>, int> used_; // -1: written, n: read by n

  bool pick(Bench &b, Word &w, bool write);
  void release(const Word &w) {
    auto it = used_.find({w.page, w.va});
    if (w.write || --it->second == 0) used_.erase(it);
  }
  void check(Bench &b, const Word &w, uint64_t pa, uint32_t cause);
  void access(Bench &b, const Word &w, uint64_t pa);
  void end(Bench &b, const Word &w);
};

enum class Keep { waits, at_once, later };

class NativeClient : public WordClient {
 public:
  NativeClient(uint32_t n, Keep keep, uint32_t tags, unsigned latency);
  uint64_t given_up = 0; // addresses that were not used
  bool busy() const override { return !open_.empty(); }
  uint64_t oldest() const override;
  std::string waits() const override;
  void clock(Bench &b) override;

 private:
  struct Kept {
    uint32_t tag;
    uint64_t pa, begin, at; // memory is asked, is done in these cycles
    bool old;
  };
  uint32_t n_;
  Keep keep_;
  bool showing_ = false;
  uint32_t tags_, showing_tag_ = 0;
  unsigned latency_;
  uint64_t ready_at_ = 0, showing_pa_ = 0;
  std::map<uint32_t, Word> open_;
  std::vector<Kept> kept_;
  std::deque<uint32_t> again_;

  void ask(NativePins &io, uint32_t tag);
  void answer(Bench &b, NativePins &io);
};

class MergeClient : public WordClient {
 public:
  static constexpr uint32_t kLanes = 4;
  MergeClient(Bench &b, uint32_t n, unsigned latency);
  bool busy() const override { return open_; }
  uint64_t oldest() const override { return lane_[0].since; }
  std::string waits() const override;
  bool comb(Bench &b) override;
  void clock(Bench &b) override;

 private:
  uint32_t n_;
  unsigned latency_;
  Vgmmu_page_merge core_;
  bool open_ = false;
  uint64_t ready_at_ = 0;
  Word lane_[kLanes];

  void out(NativePins &io);
  /// Lanes of one address space and kind; those whose word is in use stay out.
  void begin(Bench &b);
};

#endif
