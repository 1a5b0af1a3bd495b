/* SPDX-License-Identifier: Apache-2.0 */
/** config_int.h - what config.c (keys, rules) and config_file.c (presets) share. */
#ifndef GMMU_COMMON_CONFIG_INT_H
#define GMMU_COMMON_CONFIG_INT_H

#include "gmmu.h"

enum config_scope { RTL, MODEL };
struct config_key {
  const char *name;
  size_t offset;
  int64_t def, min, max;
  enum config_scope scope;
};
enum {
#define GMMU_CFG(name, def, min, max, scope, doc) CONFIG_KEY_##name,
#include "gmmu_config.def"
#undef GMMU_CFG
  CONFIG_KEYS
};
extern const struct config_key config_keys[CONFIG_KEYS];
/** Its number; CONFIG_KEYS: there is no such key. */
size_t config_find_key(const char *name);

#endif
