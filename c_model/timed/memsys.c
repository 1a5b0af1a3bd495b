/* SPDX-License-Identifier: Apache-2.0 */
#include "timed/memsys.h"

#include <stdlib.h>
#include <string.h>

#include "policy/dram_map.h"
#include "timed/memsys_rtl.h"

#define MAX_CHANNELS 16u
#define LINE_BYTES 128u

struct message {
  uint64_t line;       /* of its bank */
  uint64_t since, due; /* handed over; at the banks, or back */
  uint32_t token;
  uint16_t channel, bank; /* bank: of the channel */
  int sm;                 /* -1: a PTE read */
  uint16_t asid;
  uint8_t beat, depth;
  bool write;
};
/* Grows as needed; first in, first out. cap: a power of two. */
struct fifo {
  struct message *e;
  uint32_t cap, first, n;
};
struct gmmu_memsys {
  struct gmmu_config c;
  int apps;
  uint32_t channels, banks, col_bits; /* banks per channel */
  uint32_t words;                     /* of a line at the ports of banks and SMs */
  uint64_t now;
  struct gmmu_channel *channel[MAX_CHANNELS];
  struct gmmu_channel_in in[MAX_CHANNELS];
  struct gmmu_channel_out out[MAX_CHANNELS];
  bool rests[MAX_CHANNELS]; /* nothing happened in the last cycle: out[] is as it was */
  struct gmmu_l2_bypass bypass;
  bool never[GMMU_DEPTHS];
  struct gmmu_bypass_turn bypass_turn;
  uint8_t con[GMMU_DRAM_APPS], warps[GMMU_DRAM_APPS];
  uint16_t mshr_app[256];
  uint8_t mshr_warps[256];
  struct fifo sm[GMMU_MAX_SMS], pte;
  struct fifo back[GMMU_MAX_SMS + 1]; /* on their way to each SM, and last to the walker */
  uint64_t port_free[GMMU_MAX_SMS];   /* the last word to the SM's port */
  int writer[MAX_CHANNELS][GMMU_CHANNEL_MAX_BANKS]; /* whose write a bank has words of */
  uint32_t next_sm;
  struct message *flight; /* by id: reads in the channels */
  uint32_t *unused, num_unused, cap;
  struct gmmu_memsys_done *done;
  uint32_t num_done, done_cap;
  bool failed;                      /* out of memory */
  FILE *record;                     /* what channel 0 is given */
  struct gmmu_memsys_peer *peer;    /* the RTL of all channels, or NULL */
  uint8_t told[2 * GMMU_DRAM_APPS]; /* con and warps as recorded last */
  struct gmmu_memsys_stats st;
};

static bool push(struct fifo *f, const struct message *m) {
  if (f->n == f->cap) {
    uint32_t cap = f->cap ? 2 * f->cap : 64;
    struct message *e = malloc(cap * sizeof *e);
    if (!e) return false;
    for (uint32_t i = 0; i < f->n; i++) e[i] = f->e[(f->first + i) % f->cap];
    free(f->e);
    *f = (struct fifo){e, cap, 0, f->n};
  }
  f->e[(f->first + f->n++) & (f->cap - 1)] = *m;
  return true;
}
static struct message *head(const struct fifo *f) { return f->n ? &f->e[f->first] : NULL; }
static void pop(struct fifo *f) {
  f->first = (f->first + 1) & (f->cap - 1);
  f->n--;
}

struct gmmu_memsys *gmmu_memsys_new(const struct gmmu_config *c, int apps) {
  struct gmmu_memsys *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->c = *c;
  m->apps = apps;
  m->channels = (uint32_t)c->MemChannels;
  m->banks = (uint32_t)c->CacheBanks;
  m->words = LINE_BYTES / (uint32_t)c->MemPort;
  struct gmmu_channel_cfg k = gmmu_memsys_channel(c, (uint32_t)apps);
  for (uint32_t i = 0; i < m->channels; i++)
    if (!(m->channel[i] = gmmu_channel_new(&k))) {
      gmmu_memsys_free(m);
      return NULL;
    }
  return m;
}

void gmmu_memsys_free(struct gmmu_memsys *m) {
  if (!m) return;
  for (uint32_t i = 0; i < m->channels; i++) gmmu_channel_free(m->channel[i]);
  for (uint32_t i = 0; i < GMMU_MAX_SMS; i++) free(m->sm[i].e);
  free(m->pte.e);
  for (uint32_t i = 0; i <= GMMU_MAX_SMS; i++) free(m->back[i].e);
  free(m->flight);
  free(m->unused);
  free(m->done);
  free(m);
}

void gmmu_memsys_record(struct gmmu_memsys *m, FILE *f) {
  m->record = f;
  if (f) fprintf(f, "gmmu-channel 1 banks %u apps %d\n", m->banks, m->apps);
}

void gmmu_memsys_set_peer(struct gmmu_memsys *m, struct gmmu_memsys_peer *p) { m->peer = p; }

/** "epoch CYCLE", and "load CYCLE con... warps..." of all applications when one of them has
 * changed. */
static void record_inputs(struct gmmu_memsys *m, bool epoch) {
  if (epoch) fprintf(m->record, "epoch %llu\n", (unsigned long long)m->now);
  if (!memcmp(m->told, m->con, sizeof m->con) &&
      !memcmp(m->told + sizeof m->con, m->warps, sizeof m->warps))
    return;
  memcpy(m->told, m->con, sizeof m->con);
  memcpy(m->told + sizeof m->con, m->warps, sizeof m->warps);
  fprintf(m->record, "load %llu", (unsigned long long)m->now);
  for (int i = 0; i < m->apps; i++) fprintf(m->record, " %u", m->con[i]);
  for (int i = 0; i < m->apps; i++) fprintf(m->record, " %u", m->warps[i]);
  fputc('\n', m->record);
}

const struct gmmu_memsys_stats *gmmu_memsys_get_stats(const struct gmmu_memsys *m) {
  return &m->st;
}

/* ---------------------------------------- requests */
/* docs/dram_map.md. MemPartition: data goes to its application's share of the channels, PTE reads
 * may go to all. */
static void place(const struct gmmu_memsys *m, uint64_t pa, struct message *r) {
  struct gmmu_mem_map map = {.channels = m->channels,
                             .banks = m->banks,
                             .by_page = m->c.MemByPage != 0,
                             .linear = m->c.MemLinear != 0};
  if (m->c.MemPartition && m->apps > 1 && r->sm >= 0) {
    map.share = m->channels / (uint32_t)m->apps;
    map.first = r->asid % (uint32_t)m->apps * map.share;
  }
  struct gmmu_mem_place p = gmmu_mem_place(&map, pa);
  r->channel = (uint16_t)p.channel;
  r->bank = (uint16_t)p.bank;
  r->line = p.line;
  r->beat = (uint8_t)(pa >> 6 & 1);
}

void gmmu_memsys_pte(struct gmmu_memsys *m, uint64_t pa, uint8_t depth, uint16_t id) {
  struct message r = {.since = m->now,
                      .due = m->now + (uint64_t)m->c.MemHop,
                      .token = id,
                      .sm = -1,
                      .depth = depth};
  place(m, pa, &r);
  if (!push(&m->pte, &r)) m->failed = true;
}

void gmmu_memsys_data(struct gmmu_memsys *m, int sm, uint16_t asid, uint64_t line, bool write,
                      uint32_t token) {
  struct message r = {.since = m->now,
                      .due = m->now + (uint64_t)m->c.MemHop,
                      .token = token,
                      .sm = sm,
                      .asid = asid,
                      .write = write};
  place(m, line * LINE_BYTES, &r);
  if (!push(&m->sm[sm], &r)) m->failed = true;
}

/* ---------------------------------------- cycle */
static void tell(struct gmmu_memsys *m, int sm, uint32_t token) {
  if (token == GMMU_MEMSYS_NONE) return;
  if (m->num_done == m->done_cap) {
    uint32_t cap = m->done_cap ? 2 * m->done_cap : 256;
    void *p = realloc(m->done, cap * sizeof *m->done);
    if (!p) {
      m->failed = true;
      return;
    }
    m->done = p;
    m->done_cap = cap;
  }
  m->done[m->num_done++] = (struct gmmu_memsys_done){sm, token};
}

static uint32_t take_id(struct gmmu_memsys *m, const struct message *r) {
  if (!m->num_unused) {
    uint32_t cap = m->cap ? 2 * m->cap : 1024;
    void *f = realloc(m->flight, cap * sizeof *m->flight);
    if (f) m->flight = f;
    void *u = realloc(m->unused, cap * sizeof *m->unused);
    if (u) m->unused = u;
    if (!f || !u) {
      m->failed = true;
      return 0;
    }
    for (uint32_t i = cap; i-- > m->cap;) m->unused[m->num_unused++] = i;
    m->cap = cap;
  }
  uint32_t id = m->unused[--m->num_unused];
  m->flight[id] = *r;
  return id;
}

/* Returns true if the bank takes all of it, in this cycle its last word. */
static bool offer(struct gmmu_memsys *m, const struct message *r, int port) {
  if (r->due > m->now) return false;
  struct gmmu_cache_bank_in *in = &m->in[r->channel].bank[r->bank];
  const struct gmmu_cache_bank_out *out = &m->out[r->channel].bank[r->bank];
  if (in->valid[port] || !out->ready[port]) return false;
  bool data = port == GMMU_CACHE_D;
  uint32_t word = data ? out->in_word : 0;
  int *writer = &m->writer[r->channel][r->bank];
  if (word && *writer != r->sm) return false;
  in->valid[port] = true;
  in->req[port] = (struct gmmu_cache_req){.line = r->line,
                                          .beat = r->beat,
                                          .depth = r->depth,
                                          .we = r->write,
                                          .full = true,
                                          .app = r->asid,
                                          .id = r->write ? 0 : take_id(m, r)};
  if (data) *writer = r->sm;
  if (m->record && r->channel == 0 && !word)
    fprintf(m->record, "%c %llu %u %llu %u %u %u %u\n", port == GMMU_CACHE_T ? 't' : 'd',
            (unsigned long long)m->now, r->bank, (unsigned long long)r->line, r->beat, r->depth,
            r->write, r->asid);
  return !data || !r->write || word + 1 == m->words;
}

/* One PTE read and one word of each SM a cycle, SMs in turn; a bank takes one of each port. */
static void distribute(struct gmmu_memsys *m) {
  uint32_t sms = (uint32_t)m->c.NumSms;
  struct message *r = head(&m->pte);
  if (r && offer(m, r, GMMU_CACHE_T)) pop(&m->pte);
  for (uint32_t k = 0, sm = m->next_sm; k < sms; k++, sm = sm + 1 < sms ? sm + 1 : 0) {
    struct fifo *f = &m->sm[sm];
    r = head(f);
    if (!r || !offer(m, r, GMMU_CACHE_D)) continue;
    if (r->write) tell(m, r->sm, r->token);
    pop(f);
  }
  m->next_sm = (m->next_sm + 1) % sms;
}

static void collect(struct gmmu_memsys *m, const struct gmmu_cache_bank_out *o) {
  for (int p = 0; p < GMMU_CACHE_PORTS; p++) {
    if (!o->rsp_valid[p] || (p == GMMU_CACHE_D && o->out_word + 1 < m->words)) continue;
    struct message r = m->flight[o->rsp_id[p]];
    m->unused[m->num_unused++] = o->rsp_id[p];
    r.due = m->now + (uint64_t)m->c.MemHop;
    if (r.sm >= 0) {
      uint64_t port = m->port_free[r.sm] + m->words;
      if (r.due < port) r.due = port;
      m->port_free[r.sm] = r.due;
    }
    if (!push(&m->back[r.sm >= 0 ? (uint32_t)r.sm : GMMU_MAX_SMS], &r)) m->failed = true;
  }
  if (!o->decided) return;
  uint32_t d = o->port == GMMU_CACHE_D ? 0 : o->req.depth;
  bool hit = o->outcome == GMMU_CACHE_HIT;
  m->st.access[d] += hit || o->outcome == GMMU_CACHE_MISS || o->outcome == GMMU_CACHE_JOINS;
  m->st.hit[d] += hit;
  m->st.bypassed[d] += o->outcome == GMMU_CACHE_BYPASSES;
}

static void answers(struct gmmu_memsys *m, struct fifo *back) {
  for (struct message *r = head(back); r && r->due <= m->now; r = head(back)) {
    int k = r->sm >= 0;
    uint64_t wait = m->now - r->since;
    m->st.reads[k]++;
    m->st.wait[k] += wait;
    if (wait > m->st.wait_max[k]) m->st.wait_max[k] = wait;
    tell(m, r->sm, r->token);
    pop(back);
  }
}

/* The largest count of waiting warps over an application's L2 TLB misses, as they are told. */
static void weigh(struct gmmu_memsys *m, const uint8_t *misses, const struct gmmu_l2_event *ev) {
  for (int a = 0; a < m->apps && (uint32_t)a < GMMU_DRAM_APPS; a++) m->con[a] = misses[a];
  if (!ev) return;
  if (ev->tell && ev->tell_counted) m->mshr_warps[ev->tell_mshr] = ev->tell_sum;
  if (ev->freed) m->mshr_warps[ev->freed_mshr] = 0;
  for (int p = 0; p < 2; p++)
    if (ev->port[p].valid && ev->port[p].outcome == GMMU_L2_MISS_ALLOC) {
      m->mshr_app[ev->port[p].mshr] = ev->port[p].asid;
      m->mshr_warps[ev->port[p].mshr] = 1;
    }
  memset(m->warps, 0, sizeof m->warps);
  for (uint32_t i = 0; i < (uint32_t)m->c.L2Mshrs; i++) {
    uint32_t a = m->mshr_app[i];
    if (a < GMMU_DRAM_APPS && m->mshr_warps[i] > m->warps[a]) m->warps[a] = m->mshr_warps[i];
  }
}

static void step_channel(struct gmmu_memsys *m, uint32_t i, bool epoch) {
  struct gmmu_channel_in *in = &m->in[i];
  m->rests[i] = !m->peer && gmmu_channel_rests(m->channel[i], in);
  if (m->rests[i]) return;
  in->bypass = m->c.CacheBypass ? m->bypass.bypass : m->never;
  in->epoch = epoch;
  in->apps = (uint32_t)m->apps;
  in->con = m->con;
  in->warps = m->warps;
  gmmu_channel_step(m->channel[i], in, &m->out[i]);
  for (uint32_t b = 0; b < m->banks; b++) collect(m, &m->out[i].bank[b]);
  const struct gmmu_dram_cmd *c = &m->out[i].dram.cmd;
  if (gmmu_dram_is_column(c->kind)) m->st.column[!c->golden]++;
  m->st.row_commands += c->kind == GMMU_DRAM_ACT || m->out[i].dram.also.kind == GMMU_DRAM_ACT;
  for (int q = 0; q < 3; q++) m->st.queued[q] += gmmu_channel_queued(m->channel[i], q);
}

const struct gmmu_memsys_done *gmmu_memsys_step(struct gmmu_memsys *m, const uint8_t *misses,
                                                const struct gmmu_l2_event *ev, int *n) {
  const struct gmmu_channel_out *outs[MAX_CHANNELS];
  bool epoch = m->now && m->c.EpochCycles && m->now % (uint64_t)m->c.EpochCycles == 0;
  m->num_done = 0;
  if (m->c.DramAware || m->record || m->peer) weigh(m, misses, ev);
  if (m->record) record_inputs(m, epoch);
  for (uint32_t i = 0; i < m->channels; i++) {
    outs[i] = &m->out[i];
    if (m->rests[i]) continue;
    gmmu_channel_offers(m->channel[i], &m->out[i]);
    for (uint32_t b = 0; b < m->banks; b++) {
      struct gmmu_cache_bank_in *in = &m->in[i].bank[b];
      in->valid[0] = in->valid[1] = false;
      in->rsp_ready[0] = in->rsp_ready[1] = true;
    }
  }
  distribute(m);
  for (uint32_t i = 0; i < m->channels; i++) step_channel(m, i, epoch);
  if (m->peer)
    m->peer->step(m->peer, &(struct gmmu_memsys_cycle){m->now, m->in, m->out, &m->bypass});
  if (m->c.CacheBypass || m->peer)
    gmmu_channel_count(&m->bypass, &m->bypass_turn, epoch, outs, m->channels, m->banks);
  answers(m, &m->back[GMMU_MAX_SMS]);
  for (uint32_t i = 0; i < (uint32_t)m->c.NumSms; i++) answers(m, &m->back[i]);
  m->st.cycles = ++m->now;
  *n = m->failed ? -1 : (int)m->num_done;
  return m->done;
}
