// SPDX-License-Identifier: Apache-2.0
// differences.h - counts what differs between RTL and model in a cycle, and keeps the text of the
// first.
#pragma once
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <string>

class Differences {
 public:
  void clear() { n_ = 0; }
  /// bank -1: of the channel; channel UINT32_MAX: of all.
  void add(uint32_t channel, int bank, const char *what, uint64_t want, uint64_t got) {
    if (n_++) return;
    std::string where = channel == UINT32_MAX ? "" : "channel " + std::to_string(channel) + ", ";
    if (bank >= 0) where += "bank " + std::to_string(bank) + ", ";
    snprintf(text_, sizeof text_, "%s%s: expected 0x%" PRIx64 ", got 0x%" PRIx64, where.c_str(),
             what, want, got);
  }
  uint64_t n() const { return n_; }
  const char *text() const { return text_; }

 private:
  uint64_t n_ = 0;
  char text_[256] = "";
};
