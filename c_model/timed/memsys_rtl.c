/* SPDX-License-Identifier: Apache-2.0 */
/* memsys_rtl.c - the channels of a configuration: for the model, and as parameters of their RTL. */
#include "timed/memsys_rtl.h"

#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#define LINE_BYTES 128u
#define FLAGS_MAX 512

struct gmmu_channel_cfg gmmu_memsys_channel(const struct gmmu_config *c, uint32_t apps) {
  struct gmmu_channel_cfg k = {
      .banks = (uint32_t)c->CacheBanks, .col_bits = 6, .linear = c->MemLinear != 0};
  k.bank = (struct gmmu_cache_bank_cfg){.sets = (uint32_t)c->CacheSets,
                                        .ways = (uint32_t)c->CacheWays,
                                        .mshrs = (uint32_t)c->CacheMshrs,
                                        .waiters = 4,
                                        .mem_slots = 4,
                                        .answer_slots = 16,
                                        .bypass_slots = 8,
                                        .latency = (uint32_t)c->CacheLatency,
                                        .beats = LINE_BYTES / 64,
                                        .linear = c->MemLinear != 0,
                                        .words = LINE_BYTES / (uint32_t)c->MemPort,
                                        .miss_latency = (uint32_t)c->CacheMissLatency};
  k.dram.sched = (struct gmmu_dram_sched_cfg){.golden = 16,
                                              .silver = 64,
                                              .normal = 192,
                                              .aware = c->DramAware != 0,
                                              .closed_row = c->DramClosed != 0,
                                              .keep_rows = c->DramKeepRows != 0};
  k.dram.t = gmmu_dram_gddr5;
  k.dram.ratio = c->DramMhz ? (uint32_t)(c->DramMhz * GMMU_DRAM_ONE / c->CoreMhz) : GMMU_DRAM_ONE;
  k.dram.num_apps = apps;
  k.dram.thresh_max = (uint32_t)c->SilverMax;
  k.dram.turn_timeout = 2000;
  k.dram.age_cap = (uint32_t)c->AgeCap;
  return k;
}

/* Bits of a line's number in its bank: addresses without those of the line's byte, of the bank and
 * of the channel. MemPartition and channels that are no power of two lengthen the number. */
static unsigned line_bits(const struct gmmu_config *c) {
  unsigned bits = (unsigned)c->PaW - 7 - (unsigned)__builtin_ctzll((uint64_t)c->CacheBanks);
  if (!c->MemPartition)
    bits -= 63 - (unsigned)__builtin_clzll((uint64_t)c->MemChannels); /* rounded down */
  return bits;
}

static void rtl_flags(const struct gmmu_config *c, char text[FLAGS_MAX]) {
  const struct gmmu_channel_cfg k = gmmu_memsys_channel(c, GMMU_MEMSYS_RTL_APPS);
  const struct {
    const char *name;
    uint32_t value;
  } p[] = {{"Banks", k.banks},
           {"Sets", k.bank.sets},
           {"Ways", k.bank.ways},
           {"LineB", 64 * k.bank.beats},
           {"PortB", (uint32_t)c->MemPort},
           {"LineW", line_bits(c)},
           {"Mshrs", k.bank.mshrs},
           {"Waiters", k.bank.waiters},
           {"MemSlots", k.bank.mem_slots},
           {"AnswerSlots", k.bank.answer_slots},
           {"BypassSlots", k.bank.bypass_slots},
           {"Latency", k.bank.latency},
           {"Linear", k.linear},
           {"GoldenEntries", k.dram.sched.golden},
           {"SilverEntries", k.dram.sched.silver},
           {"NormalEntries", k.dram.sched.normal},
           {"Aware", k.dram.sched.aware},
           {"ClosedRow", k.dram.sched.closed_row},
           {"KeepRows", k.dram.sched.keep_rows},
           {"NumApps", k.dram.num_apps},
           {"TickRatio", k.dram.ratio}};
  size_t n = 0;
  for (size_t i = 0; i < sizeof p / sizeof *p; i++)
    n +=
        (size_t)snprintf(text + n, FLAGS_MAX - n, "%s-G%s=%u", n ? " " : "", p[i].name, p[i].value);
}

void gmmu_memsys_rtl_flags(const struct gmmu_config *c, FILE *f) {
  char text[FLAGS_MAX];
  rtl_flags(c, text);
  fputs(text, f);
}

void gmmu_memsys_rtl_key(const struct gmmu_config *c, char key[GMMU_MEMSYS_RTL_KEY]) {
  char text[FLAGS_MAX];
  rtl_flags(c, text);
  snprintf(key, GMMU_MEMSYS_RTL_KEY, "%016llx-%lld",
           (unsigned long long)XXH64(text, strlen(text), 0),
           (long long)(c->MemChannels * c->CacheBanks));
}
