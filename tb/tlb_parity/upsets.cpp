// SPDX-License-Identifier: Apache-2.0
#include "upsets.h"

#include <cstdlib>
#include <cstring>
#include <map>

#include "verilated.h"
#include "verilated_syms.h"

const char *const bit_kind_names[] = {"tag", "data", "parity", "valid", "init", "order"};
const char *const array_kind_names[] = {"L1", "L2 large", "bypass", "L2"};

namespace {
/// The number in "NAME[number]" of a scope.
unsigned number(const std::string &scope, const char *name) {
  const size_t at = scope.rfind(std::string(name) + "[");
  return at == std::string::npos ? 0 : atoi(scope.c_str() + at + strlen(name) + 1);
}
bool has(const std::string &s, const char *part) { return s.find(part) != std::string::npos; }

struct Variable {
  uint8_t *data;
  unsigned words, bits, bytes; // bytes of a word
  uint8_t *word(unsigned i) const { return data + i * bytes; }
};
} // namespace

Upsets::Upsets(VerilatedContext &ctx, const Shape &shape) : shape_(shape) {
  std::map<std::string, Variable> vars;
  for (const auto &s : *ctx.scopeNameMap()) {
    if (!s.second->varsp()) continue;
    for (const auto &v : *s.second->varsp()) {
      const VerilatedVar &x = v.second;
      vars[std::string(s.first) + "." + v.first] = {
          static_cast<uint8_t *>(x.datap()), unsigned(x.udims() ? x.unpacked().elements() : 1),
          unsigned(x.packed().elements()), unsigned(x.entSize())};
    }
  }
  auto at = [&](const std::string &name) {
    const auto v = vars.find(name);
    return v == vars.end() ? nullptr : &v->second;
  };
  for (const auto &v : vars) {
    const std::string scope = v.first.substr(0, v.first.rfind('.'));
    const std::string name = v.first.substr(scope.size() + 1);
    const Variable &x = v.second;
    const bool l1 = has(scope, ".u_l1."), l2 = has(scope, ".u_lookup.");
    if (!l1 && !l2) continue;
    Word w;
    w.sm = l1 ? int(number(scope, "gen_sm")) : -1;
    w.port = int(number(scope, "gen_port"));
    w.name = v.first;
    auto add = [&] { words_.push_back(w), w.bits.clear(); };
    // valid bits and parity of entry i of an associative array
    auto beside_words = [&](const std::string &array, unsigned i, unsigned n) {
      for (const char *copy : {".u_valid.valid_q", ".u_valid.gen_parity.empty_q"})
        if (const Variable *b = at(array + copy))
          w.bits.push_back({b->data, i * (b->bits / n), b->bits / n, kValid});
      if (const Variable *b = at(array + ".u_valid.gen_parity.parity_q"))
        w.bits.push_back({b->data, i, 1, kParity});
    };
    if (name == "tag_q") {
      const Variable *data = at(scope + ".data_q");
      w.array = l1 ? kL1 : kLarge;
      for (unsigned i = 0; i < x.words; i++) {
        w.way = i;
        w.bits.push_back({x.word(i), 0, x.bits, kTag});
        w.bits.push_back({data->word(i), 0, data->bits, kData});
        beside_words(scope, i, x.words);
        add();
      }
    } else if (has(scope, ".u_bypass.gen_words[")) {
      unsigned n = 0;
      while (at(scope.substr(0, scope.find("gen_words")) + "gen_words[" + std::to_string(n) +
                "].u_words.q_o"))
        n++;
      w.array = kBypass, w.way = number(scope, "gen_words");
      w.bits.push_back({x.data, shape.data_w, x.bits - shape.data_w, kTag});
      w.bits.push_back({x.data, 0, shape.data_w, kData});
      beside_words(scope.substr(0, scope.find(".gen_words")), w.way, n);
      add();
    } else if (name == "mem" && (has(scope, ".u_tag.") || has(scope, ".u_data."))) {
      const bool tag = has(scope, ".u_tag.");
      w.array = kWays, w.sub = has(scope, "gen_sub");
      for (unsigned i = 0; i < x.words; i++) {
        w.way =
            shape.serial ? i / shape.sets : number(scope, w.sub && tag ? "gen_sub_way" : "gen_way");
        w.set = i % shape.sets;
        w.bits.push_back({x.word(i), 0, x.bits - shape.parity, tag ? kTag : kData});
        if (shape.parity) w.bits.push_back({x.word(i), x.bits - 1, 1, tag ? kTag : kParity});
        add();
      }
    } else if (name == "mem" && has(scope, ".u_sets.")) {
      const unsigned valid = shape.ways * (1 + shape.parity);
      w.array = kWays;
      for (unsigned i = 0; i < x.words; i++) {
        w.set = i;
        w.bits.push_back({x.word(i), x.bits - valid, valid, kValid});
        add();
        w.bits.push_back({x.word(i), 0, x.bits - valid, kOrder});
        add();
      }
    } else if (name == "valid_q" && x.words > 1) {
      w.array = kWays;
      for (unsigned i = 0; i < x.words; i++) {
        w.set = i;
        w.bits.push_back({x.word(i), 0, x.bits, kValid});
        add();
      }
    } else if (name == "init_q") {
      const Variable *blank = at(scope + ".gen_twice.blank_q");
      w.array = kWays;
      for (unsigned i = 0; i < x.bits; i++) {
        w.set = i;
        w.bits.push_back({x.data, i, 1, kInit});
        if (blank) w.bits.push_back({blank->data, i, 1, kInit});
        add();
      }
    } else if (name == "order_q") {
      w.array = kWays;
      for (unsigned i = 0; i < x.words; i++) {
        w.bits.push_back({x.word(i), 0, x.bits, kOrder});
        add();
      }
    }
  }
  for (size_t i = 0; i < words_.size(); i++)
    for (size_t b = 0; b < words_[i].bits.size(); b++)
      by_kind_[words_[i].bits[b].kind * kArrayKinds + words_[i].array].push_back({i, b});
}

std::vector<bool> Upsets::content(const Word &w) {
  std::vector<bool> v;
  for (const Bits &b : w.bits)
    for (unsigned i = b.first; i < b.first + b.count; i++) v.push_back(b.at[i / 8] >> i % 8 & 1);
  return v;
}
uint64_t Upsets::value(const Bits &b) {
  uint64_t v = 0;
  for (unsigned i = 0; i < b.count; i++)
    v |= uint64_t(b.at[(b.first + i) / 8] >> (b.first + i) % 8 & 1) << i;
  return v;
}

Word *Upsets::choose(std::mt19937_64 &rng, const Bits **bits, unsigned *bit, unsigned kinds) {
  for (int tries = 0; tries < 100; tries++) {
    const unsigned list = unsigned(rng() % (kBitKinds * kArrayKinds));
    const auto &of = by_kind_[list];
    if (of.empty() || !(kinds >> list / kArrayKinds & 1)) continue;
    const auto &choice = of[rng() % of.size()];
    Word &w = words_[choice.first];
    if (upset(w)) continue;
    *bits = &w.bits[choice.second];
    *bit = unsigned(rng() % (*bits)->count);
    return &w;
  }
  return nullptr;
}
void Upsets::flip(Word &w, const Bits &b, unsigned bit) {
  b.at[(b.first + bit) / 8] ^= uint8_t(1 << (b.first + bit) % 8);
  w.after = content(w);
}

const Word *Upsets::beside(const Word &w, BitKind kind) const {
  for (const Word &x : words_) {
    if (x.array != kWays || x.set != w.set || x.bits[0].kind != kind) continue;
    if (kind == kValid || (x.way == w.way && x.port == w.port && x.sub == w.sub)) return &x;
  }
  return nullptr;
}
uint64_t Upsets::field(const Word &w, BitKind kind) const {
  for (const Bits &b : w.bits)
    if (b.kind == kind) return value(b);
  return 0;
}

Page Upsets::page(const Word &w) const {
  Page p;
  const Word *tag_word = w.array == kWays ? beside(w, kTag) : &w;
  const Word *valid_word = w.array == kWays ? beside(w, kValid) : &w;
  if (!tag_word || !valid_word) return p;
  uint64_t tag = field(*tag_word, kTag), valid = field(*valid_word, kValid);
  unsigned width = 0;
  for (const Bits &b : tag_word->bits)
    if (b.kind == kTag && width == 0) width = b.count;
  const bool typed = w.array == kBypass || (w.array == kWays && shape_.unified);
  const bool sub = typed && tag >> --width & 1;
  const unsigned num_w = width - shape_.asid_w;
  uint64_t num = tag & ((uint64_t(1) << num_w) - 1);
  p.asid = unsigned(tag >> num_w & ((1u << shape_.asid_w) - 1));
  unsigned set_w = 0;
  while (1u << set_w < shape_.sets) set_w++;
  const bool large = w.array == kLarge || has(w.name, ".u_large.");
  const bool groups =
      w.array == kWays ? shape_.groups : w.array == kL1 && !large && shape_.l1_groups;
  if (w.array == kWays) {
    const unsigned per = groups ? 4 : 1;
    valid = valid >> w.way * per & ((1u << per) - 1);
    if (sub) num = (num >> 9 << set_w | w.set) << 9 | (num & 0x1ff);
    else num = num << set_w | w.set;
    if (typed && sub != w.sub) return p; // the other copy counts
  } else if (large) {
    num <<= 9;
  }
  if (sub) num = num >> 9 << 9 | (num >> 6 & 7) << 6;
  if (groups) {
    unsigned page = 0;
    while (page < 3 && !(valid >> page & 1)) page++;
    num = num << 2 | page;
  }
  p.vfn = num;
  p.known = valid != 0;
  return p;
}

Page Upsets::page_with(const Word &w, const Bits &b, unsigned bit) const {
  uint8_t &at = b.at[(b.first + bit) / 8];
  const uint8_t was = at;
  at ^= uint8_t(1 << (b.first + bit) % 8);
  const Page p = page(w);
  at = was;
  return p;
}

bool Upsets::covers(const Word &w, const Page &p) const {
  const uint64_t tag = field(w, kTag), vfn = tag & 0x7ffffff, sub = p.vfn >> 6 & 7;
  const uint64_t first = vfn >> 6 & 7, last = first + (vfn >> 3 & 7);
  if ((tag >> 27 & ((1u << shape_.asid_w) - 1)) != p.asid || vfn >> 9 != p.vfn >> 9) return false;
  return tag >> (27 + shape_.asid_w) ? sub >= first && sub <= last : vfn == p.vfn;
}
