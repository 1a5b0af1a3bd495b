/* SPDX-License-Identifier: Apache-2.0 */
#include "run/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

double gmmu_now(void) {
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void gmmu_progress_start(struct gmmu_progress *p) {
  p->on = isatty(2) && !getenv("CI");
  p->drawn = false;
  p->start = gmmu_now();
  p->next = p->start + 0.5;
}

void gmmu_progress_show(struct gmmu_progress *p, uint64_t done, uint64_t total, uint64_t cycles) {
  char bar[31] = "..............................";
  double t, part = total ? (double)done / (double)total : 0;

  if (!p->on || (t = gmmu_now()) < p->next) return;
  p->next = t + 0.2;
  for (int i = 0; i < 30 && i < part * 30; i++) bar[i] = '#';
  fprintf(stderr, "\r[%s] %5.1f %%  %llu cycles  %.0f kHz  %.0f s ", bar, part * 100,
          (unsigned long long)cycles, (double)cycles / (t - p->start) / 1e3, t - p->start);
  p->drawn = true;
}

void gmmu_progress_end(struct gmmu_progress *p) {
  if (p->drawn) fputs("\r\033[K", stderr);
  p->drawn = false;
}
