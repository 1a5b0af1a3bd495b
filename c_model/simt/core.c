/* SPDX-License-Identifier: Apache-2.0 */
/** core.c - launches, blocks, the choice of the next warp, errors. */
#include <stdlib.h>
#include <string.h>

#include "simt/simt_int.h"

static bool power_of_two(uint32_t n) { return n && !(n & (n - 1)); }

struct simt *simt_new(const struct simt_config *c, simt_at at, void *context,
                      struct gmmu_err *err) {
  struct simt_config f = *c;
  if (!f.warps) f.warps = 32;
  if (!f.imem_words) f.imem_words = 16384;
  if (!f.local_bytes) f.local_bytes = 1024;
  if (!f.scratch_bytes) f.scratch_bytes = 16384;
  if (!power_of_two(f.warps) || f.warps > SIMT_MAX_WARPS)
    return gmmu_fail(err, "simt: warps %u: 1, 2, 4 .. 32", f.warps), NULL;
  if (!power_of_two(f.imem_words) || f.imem_words > 1u << 20)
    return gmmu_fail(err, "simt: imem_words %u", f.imem_words), NULL;
  if (!power_of_two(f.local_bytes) || f.local_bytes < 128 || f.local_bytes > 4096)
    return gmmu_fail(err, "simt: local_bytes %u: a power of two, 128 .. 4096", f.local_bytes), NULL;
  if (!power_of_two(f.scratch_bytes) || f.scratch_bytes < 16 || f.scratch_bytes > 1u << 20)
    return gmmu_fail(err, "simt: scratch_bytes %u: a power of two, 16 .. 2^20", f.scratch_bytes),
           NULL;
  struct simt *s = calloc(1, sizeof *s);
  if (s) {
    s->cfg = f, s->at = at, s->context = context, s->random = f.seed;
    s->imem = calloc(f.imem_words, 4);
    s->scratch = calloc(1, f.scratch_bytes);
    s->local = calloc((size_t)f.warps * SIMT_LANES, f.local_bytes);
  }
  if (s && s->imem && s->scratch && s->local) return s;
  simt_free(s);
  gmmu_fail(err, "simt: out of memory");
  return NULL;
}

void simt_free(struct simt *s) {
  if (!s) return;
  free(s->imem);
  free(s->scratch);
  free(s->local);
  free(s);
}

int simt_load(struct simt *s, const uint32_t *words, uint32_t n, struct gmmu_err *err) {
  if (n > s->cfg.imem_words)
    return gmmu_fail(err, "simt: program of %u instructions, instruction memory of %u", n,
                     s->cfg.imem_words);
  memcpy(s->imem, words, (size_t)n * 4);
  return 0;
}

/* ---------------------------------------- launches */

static void start_warp(struct simt *s, struct simt_warp *w, uint32_t group, uint32_t index) {
  memset(w, 0, sizeof *w);
  w->group = group, w->index = index, w->live = UINT32_MAX >> (32 - SIMT_LANES);
  for (int l = 0; l < SIMT_LANES; l++) {
    w->pc[l] = s->reg[SIMT_ENTRY / 4];
    w->reg[l][2] = ((uint32_t)SIMT_LOCAL << 28) + s->cfg.local_bytes;
    for (int a = 0; a < 4; a++) w->reg[l][10 + a] = s->reg[SIMT_ARG0 / 4 + a];
  }
}

static void start_blocks(struct simt *s) {
  for (uint32_t g = 0; g < s->groups && s->next_block < s->blocks; g++) {
    if (s->group[g].used) continue;
    s->group[g] = (struct simt_group){true, s->next_block++};
    s->running++;
    for (uint32_t i = 0; i < s->warps; i++) start_warp(s, &s->warp[g * s->warps + i], g, i);
  }
}

static void launch(struct simt *s) {
  uint32_t blocks = s->reg[SIMT_BLOCKS / 4], warps = s->reg[SIMT_WARPS / 4],
           scratch = s->reg[SIMT_SCRATCH_BYTES / 4];
  s->next_block = s->blocks = s->running = 0;
  memset(s->group, 0, sizeof s->group);
  if (!blocks || blocks > 1u << 31 || !warps || warps > s->cfg.warps ||
      scratch > s->cfg.scratch_bytes || scratch % 16)
    return;
  s->blocks = blocks, s->warps = warps, s->scratch_each = scratch;
  s->groups = s->cfg.warps / warps;
  if (scratch && s->cfg.scratch_bytes / scratch < s->groups)
    s->groups = s->cfg.scratch_bytes / scratch;
  start_blocks(s);
}

static bool busy(const struct simt *s) { return s->running || s->next_block < s->blocks; }

void simt_write_reg(struct simt *s, uint32_t address, uint32_t value) {
  if (address == SIMT_CTRL) {
    if (value & 2) s->errors = s->lost = 0;
    if ((value & 1) && !busy(s)) launch(s);
  } else if (address == SIMT_ERR_PC) {
    if (s->errors) s->errors--, s->first_error = (s->first_error + 1) % SIMT_RECORDS;
  } else if (address >= SIMT_ENTRY && address < 0x30 && address % 4 == 0 && !busy(s)) {
    s->reg[address / 4] = value;
  }
}

uint32_t simt_read_reg(const struct simt *s, uint32_t address) {
  const struct simt_error *e = &s->error[s->first_error];
  switch (address) {
    case SIMT_STATUS: return (uint32_t)busy(s) | (s->errors ? 2u : 0) | s->lost << 8;
    case SIMT_ERR_INFO: return s->errors ? e->info : 0;
    case SIMT_ERR_BLOCK: return s->errors ? e->block : 0;
    case SIMT_ERR_ADDR: return s->errors ? e->address : 0;
    case SIMT_ERR_PC: return s->errors ? e->pc : 0;
    case SIMT_INSTRET: return (uint32_t)s->counts.instructions;
    case SIMT_INSTRET_H: return (uint32_t)(s->counts.instructions >> 32);
    default: return address < 0x30 && address % 4 == 0 ? s->reg[address / 4] : 0;
  }
}

/* ---------------------------------------- errors, ends, waits */

void simt_fail(struct simt *s, struct simt_warp *w, enum simt_cause cause, uint32_t lane,
               uint32_t address, uint32_t pc) {
  if (s->errors == SIMT_RECORDS) {
    if (s->lost < 255) s->lost++;
  } else {
    s->error[(s->first_error + s->errors++) % SIMT_RECORDS] =
        (struct simt_error){UINT32_C(1) << 31 | w->index << 16 | lane << 8 | (uint32_t)cause,
                            s->group[w->group].block, address, pc};
  }
  for (uint32_t i = 0; i < s->warps; i++) {
    struct simt_warp *o = &s->warp[w->group * s->warps + i];
    o->live = o->at_sync = o->at_bar = 0;
  }
}

void simt_release_sync(struct simt_warp *w) {
  uint32_t go = 0;
  each_lane(i, w->at_sync) go |= (uint32_t) !(w->sync_mask[i] & w->live & ~w->at_sync) << i;
  w->at_sync &= ~go;
}

void simt_release_bar(struct simt *s, uint32_t group) {
  struct simt_warp *w = &s->warp[group * s->warps];
  for (uint32_t i = 0; i < s->warps; i++)
    if (w[i].live & ~w[i].at_bar) return;
  for (uint32_t i = 0; i < s->warps; i++) w[i].at_bar = 0;
}

static uint64_t draw(struct simt *s) { /* splitmix64 */
  uint64_t z = s->random += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

/* One instruction of a warp: the lowest PC of the lanes that can go. */
static void step(struct simt *s, struct simt_warp *w) {
  uint32_t can = w->live & ~w->at_sync & ~w->at_bar, pc = UINT32_MAX, active = 0;
  each_lane(i, can) if (w->pc[i] < pc) pc = w->pc[i];
  each_lane(i, can) active |= (uint32_t)(w->pc[i] == pc) << i;
  s->counts.instructions++;
  s->counts.lanes += (uint64_t)__builtin_popcount(active);
  w->instret++;
  if (pc % 4 == 0 && pc / 4 >= s->cfg.imem_words)
    simt_fail(s, w, SIMT_RANGE, (uint32_t)__builtin_ctz(active), pc, pc);
  else {
    if (s->on)
      s->on(s->on_context, simt_slot(s, w), pc, s->imem[pc / 4 % s->cfg.imem_words], active);
    simt_exec(s, w, pc, active);
  }
}

/* Whether a warp that could go is held back for a while. */
static bool starved(const struct simt *s, const struct simt_warp *w) {
  return s->counts.instructions < w->held;
}

static void starve(struct simt *s, struct simt_warp *w) {
  if (!s->cfg.starve || draw(s) % s->cfg.starve) return;
  uint64_t scale = UINT64_C(16) << draw(s) % 10;
  w->held = s->counts.instructions + scale + draw(s) % scale;
}

/* Nobody else can go: the warps that are held back may. */
static bool release(struct simt *s) {
  bool any = false;
  for (uint32_t i = 0; i < s->groups * s->warps; i++) {
    any |= starved(s, &s->warp[i]);
    s->warp[i].held = 0;
  }
  return any;
}

static void end_of_group(struct simt *s, uint32_t group) {
  for (uint32_t i = 0; i < s->warps; i++)
    if (s->warp[group * s->warps + i].live) return;
  s->group[group].used = false;
  s->running--;
  start_blocks(s);
}

bool simt_run(struct simt *s, uint64_t steps) {
  while (steps && busy(s)) {
    uint32_t slots = s->groups * s->warps,
             first = s->cfg.seed ? (uint32_t)(draw(s) % slots) : s->last + 1, n = 0;
    struct simt_warp *w = NULL;
    /* A warp of which no lane can go is at a wsync that nobody completes, or at a barrier. */
    for (; n < slots; n++) {
      w = &s->warp[(first + n) % slots];
      if (s->group[w->group].used && (w->live & ~w->at_bar) && !w->stopped && !starved(s, w)) break;
    }
    if (n == slots && s->cfg.starve && release(s)) continue;
    if (n == slots)
      return true; /* held by simt_hold: a barrier is released by the last that comes or ends */
    s->last = simt_slot(s, w);
    if (!(w->live & ~w->at_sync & ~w->at_bar))
      simt_fail(s, w, SIMT_SYNC, (uint32_t)__builtin_ctz(w->at_sync), 0, 0);
    else step(s, w), starve(s, w);
    steps--;
    if (!w->live) {
      simt_release_bar(s, w->group);
      end_of_group(s, w->group);
    }
  }
  return busy(s);
}

/* ---------------------------------------- looking at */

const struct simt_counts *simt_counts(const struct simt *s) { return &s->counts; }
const uint32_t *simt_lane_regs(const struct simt *s, uint32_t slot, uint32_t lane) {
  return s->warp[slot].reg[lane];
}
uint32_t simt_lane_pc(const struct simt *s, uint32_t slot, uint32_t lane) {
  return s->warp[slot].pc[lane];
}
uint8_t *simt_scratch(struct simt *s, uint32_t group) {
  return s->scratch + (size_t)group * s->scratch_each;
}

void simt_hold(struct simt *s, uint32_t slot, bool hold) { s->warp[slot].stopped = hold; }

void simt_trace(struct simt *s,
                void (*on)(void *context, uint32_t slot, uint32_t pc, uint32_t word, uint32_t mask),
                void *context) {
  s->on = on, s->on_context = context;
}

void simt_dump(const struct simt *s, FILE *to) {
  fprintf(to, "simt: %u blocks run, %u of %u started\n", s->running, s->next_block, s->blocks);
  for (uint32_t i = 0; s->running && i < s->groups * s->warps; i++) {
    const struct simt_warp *w = &s->warp[i];
    if (!w->live) continue;
    fprintf(to, "  slot %u block %u warp %u: live %08x, at wsync %08x, at bar %08x, pc", i,
            s->group[w->group].block, w->index, w->live, w->at_sync, w->at_bar);
    uint32_t last = 1;
    each_lane(l, w->live) if (w->pc[l] != last) fprintf(to, " %u:%x", l, last = w->pc[l]);
    fprintf(to, "\n");
  }
}
