/* SPDX-License-Identifier: Apache-2.0 */
/* gmmu_config.h - configuration (c_model/common/config.c). Part of gmmu.h, which says the
 * conventions. */
#ifndef GMMU_CONFIG_H
#define GMMU_CONFIG_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "gmmu_base.h"

#ifdef __cplusplus
extern "C" {
#endif

/** All keys of a preset file; one line of config.def each (name, default, min, max, scope,
 * meaning). */
struct gmmu_config {
#define GMMU_CFG(name, def, min, max, scope, doc) int64_t name;
#include "gmmu_config.def"
#undef GMMU_CFG
  char name[64]; /**< preset name, for reports */
};
/** Cycles from an L2 request's handshake to stage B, in which it is decided (docs/l2_tlb.md). */
static inline int gmmu_config_l2_decides(const struct gmmu_config *c) {
  return c->L2Serial ? (int)c->L2Ways + 4 : c->L2Latency > 4 ? 4 : 3;
}
/** Base-page entries of the L1 TLB of this SM. */
static inline int gmmu_config_l1_base(const struct gmmu_config *c, int sm) {
  bool small = sm < 31 && (c->L1SmallSms >> sm) % 2;

  return (int)(small ? c->L1SmallEntries : c->L1BaseEntries);
}
/** Defaults. */
void gmmu_config_default(struct gmmu_config *c);
/** Reads an INI preset ("[gmmu]" section, key = value) over the defaults. Unknown key, bad value,
 * out of range, illegal combination: error with file and line; `c` is then unchanged. */
int gmmu_config_load(struct gmmu_config *c, const char *path, struct gmmu_err *err);
/** The same for a preset of `preset_dir` ("mosaic") or a path (has a '/' or ends in ".ini"). An
 * unknown preset's error lists those that exist. */
int gmmu_config_load_preset(struct gmmu_config *c, const char *name_or_path, const char *preset_dir,
                            struct gmmu_err *err);
/** Sets one key from text ("NumSms", "4"); range-checked. */
int gmmu_config_set(struct gmmu_config *c, const char *key, const char *value,
                    struct gmmu_err *err);
/** Checks rules between keys (powers of two, ways divide entries, ...). */
int gmmu_config_check(const struct gmmu_config *c, struct gmmu_err *err);
/** Writes "-GName=value ..." for every key of scope RTL. */
void gmmu_config_rtl_flags(const struct gmmu_config *c, FILE *f);
/** 16 hex digits that name the RTL build of this configuration: equal iff all RTL keys are equal.
 */
void gmmu_config_rtl_key(const struct gmmu_config *c, char key[17]);

#ifdef __cplusplus
}
#endif
#endif
