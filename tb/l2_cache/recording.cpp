// SPDX-License-Identifier: Apache-2.0
// recording.cpp - see recording.h.
#include "recording.h"

bool Recording::number(FILE *f, uint64_t max, uint64_t *v) {
  char word[24];
  if (fscanf(f, "%23s", word) != 1 || strspn(word, "0123456789") != strlen(word)) return false;
  errno = 0;
  *v = strtoull(word, nullptr, 10);
  return !errno && *v <= max;
}

bool Recording::read(const char *path, uint64_t most) {
  FILE *f = fopen(path, "r");
  uint64_t banks = 0, num = 0, cycle, line, bank, beat, depth, we, asid, v;
  char kind[16];
  if (!f) return printf("%s: cannot be read\n", path), false;
  bool good = fscanf(f, "%15s", kind) == 1 && !strcmp(kind, "gmmu-channel") && number(f, 1, &v) &&
              v == 1 && fscanf(f, "%15s", kind) == 1 && !strcmp(kind, "banks") &&
              number(f, request.size(), &banks) && banks == request.size() &&
              fscanf(f, "%15s", kind) == 1 && !strcmp(kind, "apps") && number(f, 8, &num) && num;
  apps = static_cast<uint32_t>(num);
  while (good && total < most && fscanf(f, "%15s", kind) == 1) {
    good = number(f, UINT64_MAX, &cycle);
    if (!good) break;
    if (!strcmp(kind, "epoch")) {
      epochs.push_back(cycle);
    } else if (!strcmp(kind, "load")) {
      Load l{cycle, {}};
      for (unsigned i = 0; i < 2 * apps && good; i++) {
        good = number(f, UINT32_MAX, &v);
        if (!good) break;
        l.v[i < apps ? i : 8 + i - apps] =
            static_cast<uint8_t>(v > 63 ? 63 : v); // as wide as the harness's inputs
      }
      loads.push_back(l);
    } else {
      good = (!strcmp(kind, "t") || !strcmp(kind, "d")) && number(f, request.size() - 1, &bank) &&
             number(f, kind[0] == 't' ? UINT64_MAX : (1u << 23) - 1, &line) &&
             number(f, 255, &beat) && number(f, 255, &depth) && number(f, 1, &we) &&
             number(f, UINT16_MAX, &asid);
      if (!good) break;
      if (line >= 1u << 23)
        line = 1u << 23 |
               (line & ((1u << 23) - 1)); // page tables lie at the end of memory; 24 bits are built
      gmmu_cache_req r{};
      r.line = line, r.beat = static_cast<uint8_t>(beat), r.depth = static_cast<uint8_t>(depth),
      r.we = we, r.full = true;
      r.app = static_cast<uint16_t>(asid);
      request[bank][kind[0] == 'd'].push_back({cycle, r});
      total++;
    }
  }
  fclose(f);
  if (!good || !total)
    printf("%s: not a recording of a channel with %zu banks\n", path, request.size());
  return good && total;
}
