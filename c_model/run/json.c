/* SPDX-License-Identifier: Apache-2.0 */
#include "run/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/text.h"

void gmmu_json_u64(cJSON *o, const char *key, uint64_t v) {
  char text[24]; /* a number of cJSON is a double: exact below 2^53 only */
  snprintf(text, sizeof text, "%" PRIu64, v);
  cJSON_AddRawToObject(o, key, text);
}

void gmmu_json_text(cJSON *o, const char *key, const char *text) {
  char *u = gmmu_utf8(text);
  if (u) cJSON_AddStringToObject(o, key, u);
  free(u);
}

char *gmmu_json_quoted(const char *text) {
  char *u = gmmu_utf8(text), *out = NULL;
  cJSON *s = u ? cJSON_CreateString(u) : NULL;
  if (s) out = cJSON_PrintUnformatted(s);
  cJSON_Delete(s);
  free(u);
  return out;
}
