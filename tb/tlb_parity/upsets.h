// SPDX-License-Identifier: Apache-2.0
// upsets.h - upsets of single bits in the TLB arrays of a verilated gmmu_top: finds what they store
// by the names of scopes and variables (upsets.vlt makes them visible), flips a bit, and says which
// page an entry holds.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

class VerilatedContext;

/// What a bit is; in `kInit` and `kValid` both copies.
enum BitKind { kTag, kData, kParity, kValid, kInit, kOrder, kBitKinds };
extern const char *const bit_kind_names[kBitKinds];
/// kL1, kLarge, kBypass: fully associative; the L2's array: tags and data of a way by themselves.
enum ArrayKind { kL1, kLarge, kBypass, kWays, kArrayKinds };
extern const char *const array_kind_names[kArrayKinds];

struct Bits {
  uint8_t *at;
  unsigned first, count;
  BitKind kind;
};
/// What one parity bit, or a second copy, protects: a word that may be upset once until it is
/// written again.
struct Word {
  ArrayKind array;
  int sm = -1;      // of an L1 TLB
  int port = 0;     // of the L2's array: whose copy it is
  bool sub = false; // unified: the copy that is read for subregions
  unsigned way = 0, set = 0;
  std::vector<Bits> bits;
  std::vector<bool> after; // what it held after its upset
  std::string name;
};
struct Page {
  bool known = false; // the entry holds one
  unsigned asid = 0;
  uint64_t vfn = 0;
};
/// The build: widths that tell where in a word a field is.
struct Shape {
  unsigned asid_w = 2, data_w = 25, ways = 4, sets = 8; // of ASIDs: those of contexts
  bool parity, unified, serial, groups, l1_groups;
};

class Upsets {
 public:
  Upsets(VerilatedContext &ctx, const Shape &shape);
  const std::vector<Word> &words() const { return words_; }
  /// A bit of one of these kinds, of a word that has no upset; nullptr: none was found.
  Word *choose(std::mt19937_64 &rng, const Bits **bits, unsigned *bit, unsigned kinds = ~0u);
  void flip(Word &w, const Bits &b, unsigned bit);
  /// It has an upset that nothing has written over.
  bool upset(const Word &w) const { return !w.after.empty() && content(w) == w.after; }
  /// The page that a word's entry holds; of tags and data of the L2's array those beside it.
  Page page(const Word &w) const;
  Page page_with(const Word &w, const Bits &b, unsigned bit) const; ///< after an upset of that bit
  /// An entry of the bypass cache: it covers the page.
  bool covers(const Word &w, const Page &p) const;

 private:
  static uint64_t value(const Bits &b);
  static std::vector<bool> content(const Word &w);
  const Word *beside(const Word &w, BitKind kind) const;
  uint64_t field(const Word &w, BitKind kind) const;
  Shape shape_;
  std::vector<Word> words_;
  std::vector<std::pair<size_t, size_t>> by_kind_[kBitKinds * kArrayKinds]; // word, bits
};
