/* SPDX-License-Identifier: Apache-2.0 */
/** json.h - JSON that every reader takes: whole 64-bit numbers, valid UTF-8 whatever the text was.
 */
#ifndef GMMU_RUN_JSON_H
#define GMMU_RUN_JSON_H

#include <cjson/cJSON.h>
#include <stdint.h>

void gmmu_json_u64(cJSON *o, const char *key, uint64_t v);
void gmmu_json_text(cJSON *o, const char *key, const char *text);
/** A string as JSON, with its quotes; allocated. */
char *gmmu_json_quoted(const char *text);

#endif
