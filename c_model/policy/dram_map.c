/* SPDX-License-Identifier: Apache-2.0 */
#include "policy/dram_map.h"

#include "policy/xor_hash.h"

#define CHUNK 8u /* log2 of the bytes that stay in a channel, by line */
#define PAGE 12u
#define LINE 7u

/* The bits of v, `bits` at a time, XORed; the lowest alone if linear. */
static uint32_t fold(uint64_t v, uint32_t bits, bool linear) {
  uint64_t mask = (1ull << bits) - 1;
  uint32_t f = (uint32_t)(v & mask);
  if (!linear && bits)
    for (v >>= bits; v; v >>= bits) f ^= (uint32_t)(v & mask);
  return f;
}

struct gmmu_dram_place gmmu_dram_place(const struct gmmu_dram_map *m, uint64_t pa) {
  struct gmmu_dram_place p;
  uint32_t k = m->channel_bits, low = m->by_page ? PAGE : CHUNK;
  p.channel = fold(pa >> low, k, m->linear);
  uint64_t piece =
      (pa >> low >> k << low | (pa & ((1ull << low) - 1))) >> 6; /* within the channel */
  uint32_t first = piece & 3, group = piece >> 2 & 3;
  piece >>= 4;
  p.col = (uint32_t)(piece & ((1u << (m->col_bits - 2)) - 1)) << 2 | first;
  piece >>= m->col_bits - 2;
  p.row = piece >> 1;
  p.bank = ((uint32_t)(piece & 1) << 2 | group) ^ (m->linear ? 0 : gmmu_xor_hash(p.row, 3));
  return p;
}

static uint32_t bank_hash(uint32_t banks, bool linear, uint64_t line) {
  return linear || banks == 1 ? 0 : gmmu_xor_hash(line, (uint32_t)__builtin_ctz(banks));
}

struct gmmu_mem_place gmmu_mem_place(const struct gmmu_mem_map *m, uint64_t pa) {
  struct gmmu_mem_place p;
  uint32_t low = m->by_page ? PAGE : CHUNK;
  uint64_t chunk = pa >> low, above = chunk / m->channels;
  bool power = !(m->channels & (m->channels - 1));
  p.channel = power ? fold(chunk, (uint32_t)__builtin_ctz(m->channels), m->linear)
                    : (uint32_t)(chunk % m->channels);
  if (m->share) { /* which of the others it would be lengthens the number of the line */
    above = above * (m->channels / m->share) + p.channel / m->share;
    p.channel = m->first + p.channel % m->share;
  }
  uint64_t line = (above << low | (pa & ((1ull << low) - 1))) >> LINE;
  p.line = line / m->banks;
  p.bank = (uint32_t)(line % m->banks) ^ bank_hash(m->banks, m->linear, p.line);
  return p;
}

uint64_t gmmu_mem_line_in_channel(uint32_t banks, bool linear, uint32_t bank, uint64_t line) {
  return line * banks + (bank ^ bank_hash(banks, linear, line));
}
