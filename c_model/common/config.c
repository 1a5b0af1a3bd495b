/* SPDX-License-Identifier: Apache-2.0 */
/** config.c - the keys of gmmu_config.def, rules between them, the RTL build's name. Files:
 * config_file.c. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "common/config_int.h"
#include "common/text.h"

const struct config_key config_keys[CONFIG_KEYS] = {
#define GMMU_CFG(name, def, min, max, scope, doc) \
  {#name, offsetof(struct gmmu_config, name), def, min, max, scope},
#include "gmmu_config.def"
#undef GMMU_CFG
};

static int64_t *field(struct gmmu_config *c, size_t i) {
  return (int64_t *)(void *)((char *)c + config_keys[i].offset);
}
static int64_t value_of(const struct gmmu_config *c, size_t i) {
  return *field((struct gmmu_config *)c, i);
}

/* Index of a key, CONFIG_KEYS if there is none. */
size_t config_find_key(const char *name) {
  size_t i = 0;
  while (i < CONFIG_KEYS && strcmp(config_keys[i].name, name) != 0) i++;
  return i;
}

void gmmu_config_default(struct gmmu_config *c) {
  memset(c, 0, sizeof *c);
  for (size_t i = 0; i < CONFIG_KEYS; i++) *field(c, i) = config_keys[i].def;
  strcpy(c->name, "default");
}

/* The most similar key, for messages. */
static const char *similar(const char *key, char buf[96]) {
  const char *names[CONFIG_KEYS];
  for (size_t i = 0; i < CONFIG_KEYS; i++) names[i] = config_keys[i].name;
  return gmmu_suggest(key, names, CONFIG_KEYS, buf);
}

int gmmu_config_set(struct gmmu_config *c, const char *key, const char *value,
                    struct gmmu_err *err) {
  uint64_t v;
  char also[96];
  size_t i = config_find_key(key);

  if (i == CONFIG_KEYS)
    return gmmu_fail(err, "unknown key '%.64s'%s (gmmu preset --list-keys)", key,
                     similar(key, also));
  const char *wrong = gmmu_number(value, &v);
  if (wrong)
    return gmmu_fail(err, "%s: '%.64s' %s; it is %lld to %lld", key, value, wrong,
                     (long long)config_keys[i].min, (long long)config_keys[i].max);
  if (v < (uint64_t)config_keys[i].min || v > (uint64_t)config_keys[i].max) /* all are at least 0 */
    return gmmu_fail(err, "%s = %llu is out of range %lld..%lld", key, (unsigned long long)v,
                     (long long)config_keys[i].min, (long long)config_keys[i].max);
  *field(c, i) = (int64_t)v;
  return 0;
}

static bool power_of_two(int64_t v) { return v > 0 && (v & (v - 1)) == 0; }

static int check_ranges(const struct gmmu_config *c, struct gmmu_err *err) {
  for (size_t i = 0; i < CONFIG_KEYS; i++)
    if (value_of(c, i) < config_keys[i].min || value_of(c, i) > config_keys[i].max)
      return gmmu_fail(err, "%s = %lld is out of range %lld..%lld", config_keys[i].name,
                       (long long)value_of(c, i), (long long)config_keys[i].min,
                       (long long)config_keys[i].max);
  return 0;
}

/* Cycles from a pulse of the epochs to the next at least: docs/fill_tokens.md. */
static int64_t least_epoch(const struct gmmu_config *c) {
  int64_t warps = (int64_t)1 << c->WarpW, words = warps < 32 ? 1 : warps / 32;

  return 6 + 20 * c->NumAsids + c->NumSms * (warps + words);
}

static int check_tlbs(const struct gmmu_config *c, struct gmmu_err *err) {
  if (c->L2Entries && (c->L2Entries % c->L2Ways || !power_of_two(c->L2Entries / c->L2Ways)))
    return gmmu_fail(err, "L2Entries/L2Ways = %lld/%lld is not a power of two",
                     (long long)c->L2Entries, (long long)c->L2Ways);
  if (c->NumSms < 31 && c->L1SmallSms >> c->NumSms)
    return gmmu_fail(err, "L1SmallSms = %lld has a bit of an SM that is not there: NumSms = %lld",
                     (long long)c->L1SmallSms, (long long)c->NumSms);
  if (c->L1LargeEntries > 0 && c->L2LargeEntries == 0 && !c->L2Unified)
    return gmmu_fail(err,
                     "L1LargeEntries = %lld needs L2LargeEntries > 0 or L2Unified = 1: without, "
                     "the L2 never answers a large page",
                     (long long)c->L1LargeEntries);
  if (c->L1LargeEntries == 1 || c->L2LargeEntries == 1)
    return gmmu_fail(err, "L1LargeEntries and L2LargeEntries are 0 (none built) or at least 2");
  if (c->L2Unified && c->L2LargeEntries > 0)
    return gmmu_fail(
        err,
        "L2Unified = 1 holds 2 MiB translations in its one array: L2LargeEntries = %lld must be 0",
        (long long)c->L2LargeEntries);
  if (c->L2Unified && (c->L2Ways < 4 || c->L2Ways % 2))
    return gmmu_fail(err, "L2Unified = 1 needs an even number of L2Ways, at least 4; it is %lld",
                     (long long)c->L2Ways);
  if (!power_of_two(c->MscSets) || c->MscWays == 1)
    return gmmu_fail(
        err, "MscSets = %lld is a power of two, and MscWays = %lld is 0 (none built) or at least 2",
        (long long)c->MscSets, (long long)c->MscWays);
  if (c->PwcEntries && (c->PwcEntries % c->PwcWays || !power_of_two(c->PwcEntries / c->PwcWays) ||
                        c->PwcEntries / c->PwcWays < 2))
    return gmmu_fail(err, "PwcEntries/PwcWays = %lld/%lld is not a power of two of at least 2 sets",
                     (long long)c->PwcEntries, (long long)c->PwcWays);
  if (c->Colt && !c->LineAnswers)
    return gmmu_fail(err, "Colt = %lld needs LineAnswers = 1", (long long)c->Colt);
  if (c->Colt == 2 && c->L2Unified)
    return gmmu_fail(err, "Colt = 2 groups pages in the split L2 TLB: L2Unified must be 0");
  if (c->L2Entries == 0 && (c->L2Unified || c->L2LargeEntries || c->Colt == 2))
    return gmmu_fail(
        err,
        "L2Entries = 0 (no L2 arrays) needs L2Unified = 0, L2LargeEntries = 0 and Colt below 2");
  if (c->L2Serial && (c->L2Unified || !c->L2Entries || c->L2Ports != 1 || c->Colt == 2))
    return gmmu_fail(err,
                     "L2Serial = 1 needs L2Unified = 0, L2Entries, L2Ports = 1 and Colt below 2");
  if (c->L2Serial && c->L2Latency < c->L2Ways + 5)
    return gmmu_fail(err, "L2Serial = 1 needs L2Latency of at least L2Ways + 5; it is %lld",
                     (long long)c->L2Latency);
  if (c->BypassEntries && !c->FillTokens)
    return gmmu_fail(err, "BypassEntries = %lld needs FillTokens = 1", (long long)c->BypassEntries);
  if (c->BypassEntries == 1) return gmmu_fail(err, "BypassEntries is 0 (none built) or at least 2");
  if (c->EpochCycles && c->EpochCycles < 16)
    return gmmu_fail(err, "EpochCycles = %lld: 0 (no epochs) or at least 16",
                     (long long)c->EpochCycles);
  if (!c->EpochCycles && (c->FillTokens || c->CacheBypass || c->DramAware))
    return gmmu_fail(err, "EpochCycles = 0 needs FillTokens, CacheBypass and DramAware 0");
  if (c->FillTokens && c->EpochCycles < least_epoch(c))
    return gmmu_fail(err,
                     "EpochCycles = %lld: giving tokens takes %lld cycles with this many SMs, "
                     "applications and warps (6 + 20 NumAsids + NumSms * (2^WarpW + 2^WarpW / 32, "
                     "at least 1)), an epoch is as long",
                     (long long)c->EpochCycles, (long long)least_epoch(c));
  if (c->L2Entries && c->L2Entries / c->L2Ways < 2)
    return gmmu_fail(err, "L2Entries/L2Ways is below 2 sets");
  return 0;
}

static int check_asids(const struct gmmu_config *c, struct gmmu_err *err) {
  if (c->NumAsids > c->L2Mshrs || c->NumAsids > c->Walks)
    return gmmu_fail(err,
                     "NumAsids = %lld is above L2Mshrs = %lld or Walks = %lld: one of each is "
                     "guaranteed per ASID",
                     (long long)c->NumAsids, (long long)c->L2Mshrs, (long long)c->Walks);
  if (c->NumAsids > 1ll << c->AsidW)
    return gmmu_fail(err, "NumAsids = %lld does not fit in AsidW = %lld bits",
                     (long long)c->NumAsids, (long long)c->AsidW);
  return 0;
}

static int check_model(const struct gmmu_config *c, struct gmmu_err *err) {
  int64_t way_bytes = 128 * c->L1dWays;
  if (!power_of_two(c->CacheBanks) || !power_of_two(c->CacheSets) || !power_of_two(c->CacheWays))
    return gmmu_fail(err,
                     "CacheBanks = %lld, CacheSets = %lld and CacheWays = %lld are powers of two",
                     (long long)c->CacheBanks, (long long)c->CacheSets, (long long)c->CacheWays);
  if (c->SpreadTables && c->Mode != 48) return gmmu_fail(err, "SpreadTables = 1 needs Mode = 48");
  if (!power_of_two(c->MemPort))
    return gmmu_fail(err, "MemPort = %lld is not a power of two", (long long)c->MemPort);
  if (c->Svadu && (c->MemChannels || c->Ideal))
    return gmmu_fail(err, "Svadu = 1 needs %s: %s", c->Ideal ? "Ideal = 0" : "MemChannels = 0",
                     c->Ideal ? "without walks nobody sets A and D"
                              : "the L2 cache's port for translations only reads");
  if (c->DramMhz > 2 * c->CoreMhz || (c->DramMhz && c->DramMhz * 16384 < c->CoreMhz))
    return gmmu_fail(err, "DramMhz = %lld is above twice CoreMhz = %lld, or below a 16384th of it",
                     (long long)c->DramMhz, (long long)c->CoreMhz);
  if (c->AgeCap % 4)
    return gmmu_fail(err, "AgeCap = %lld is not a multiple of 4", (long long)c->AgeCap);
  if (c->VaW != 39 && c->VaW != 48)
    return gmmu_fail(err, "VaW = %lld is not 39 or 48", (long long)c->VaW);
  if ((c->Mode != 39 && c->Mode != 48) || c->Mode > c->VaW)
    return gmmu_fail(err, "Mode = %lld is not 39 or 48, or is above VaW = %lld", (long long)c->Mode,
                     (long long)c->VaW);
  if (c->WarpsPerSm > 1ll << c->WarpW)
    return gmmu_fail(err, "WarpsPerSm = %lld does not fit in WarpW = %lld bits",
                     (long long)c->WarpsPerSm, (long long)c->WarpW);
  if (c->L1dBytes < way_bytes || c->L1dBytes % way_bytes)
    return gmmu_fail(err, "L1dBytes = %lld is not a multiple of 128*L1dWays = %lld",
                     (long long)c->L1dBytes, (long long)way_bytes);
  return 0;
}

int gmmu_config_check(const struct gmmu_config *c, struct gmmu_err *err) {
  if (check_ranges(c, err) || check_tlbs(c, err) || check_asids(c, err) || check_model(c, err))
    return -1;
  return 0;
}

/* ---------------------------------------- the RTL build */
#define FLAGS_MAX (CONFIG_KEYS * 48)

static void rtl_flags(const struct gmmu_config *c, char text[FLAGS_MAX]) {
  size_t n = 0;
  text[0] = 0;
  for (size_t i = 0; i < CONFIG_KEYS; i++)
    if (config_keys[i].scope == RTL)
      n += (size_t)snprintf(text + n, FLAGS_MAX - n, "%s-G%s=%lld", n ? " " : "",
                            config_keys[i].name, (long long)value_of(c, i));
}

void gmmu_config_rtl_flags(const struct gmmu_config *c, FILE *f) {
  char text[FLAGS_MAX];
  rtl_flags(c, text);
  fputs(text, f);
}

void gmmu_config_rtl_key(const struct gmmu_config *c, char key[17]) {
  char text[FLAGS_MAX];
  rtl_flags(c, text);
  snprintf(key, 17, "%016llx", (unsigned long long)XXH64(text, strlen(text), 0));
}
