/* SPDX-License-Identifier: Apache-2.0 */
/** script.c - a program that does what lists say (script.h). */
#include "ap.h"
#include "script.h"

static void access(struct aptr *p, const struct script_op *o, uint32_t lane) {
  uint8_t *result = (uint8_t *)o->result + lane * 16, *data = (uint8_t *)o->data + lane * 16;
  if (o->code == S_LOAD) {
    if (o->arg == 1) *(uint32_t *)result = ap_load1(p);
    else if (o->arg == 4) *(uint32_t *)result = ap_load4(p);
    else if (o->arg == 8) w_store8(result, ap_load8(p));
    else w_store16(result, ap_load16(p));
  } else {
    if (o->arg == 1) ap_store1(p, *(uint32_t *)data);
    else if (o->arg == 4) ap_store4(p, *(uint32_t *)data);
    else if (o->arg == 8) ap_store8(p, w_load8(data));
    else ap_store16(p, w_load16(data));
  }
}

static uint64_t word64(uint32_t lo, uint32_t hi) { return (uint64_t)hi << 32 | lo; }

static void operate(struct aptr *ptr, uint32_t *files, const struct script_op *o) {
  struct aptr *p = &ptr[o->p], *q = &ptr[o->q];
  uint32_t lane = w_lane(), e = 0, code = o->code, at;
  uint32_t *result = (uint32_t *)(o->result + lane * 16);
  const uint32_t *data = (const uint32_t *)(o->data + lane * 16);
  if (code == S_LOAD || code == S_STORE) {
    access(p, o, lane);
    return;
  }
  if (code == S_OPEN) e = ap_gopen((const char *)o->arg, o->prot, &files[o->p]);
  else if (code == S_MAP)
    e = ap_gvmmap(p, word64(o->size_lo, o->size_hi), o->prot, files[o->arg],
                  word64(o->offset_lo, o->offset_hi));
  else if (code == S_UNMAP) e = ap_gvmunmap(p, o->arg);
  else if (code == S_SYNC) e = ap_gvmsync(p, o->arg);
  else if (code == S_ADD) {
    int64_t delta = (int64_t)word64(data[0], data[1]);
    if (w_all(delta == (int32_t)delta)) ap_add(p, (int32_t)delta);
    else ap_move(p, delta);
  } else if (code == S_ASSIGN) ap_assign(p, q);
  else if (code == S_BROADCAST) ap_broadcast(p, q, o->arg);
  else if (code == S_CLOSE) ap_close(p);
  else if (code == S_LINKED) e = ap_linked(p);
  else if (code == S_GLOBAL) p->global = o->arg;
  else if (code == S_DEAD) e = ap_dead();
  else if (code == S_IN_TLB) e = (p->hi & (AP_VALID | AP_IN_TLB)) == (AP_VALID | AP_IN_TLB);
  else if (code == S_GREAD)
    e = ap_gread(files[o->arg], word64(o->offset_lo, o->offset_hi), (void *)o->data, o->size_lo);
  else if (code == S_GMMAP) {
    e = ap_gmmap(files[o->arg], word64(o->offset_lo, o->offset_hi), o->prot, &at);
    files[3] = at;
    if (!e && o->result) result[1] = ((const volatile uint32_t *)at)[0];
  } else if (code == S_POKE) *(volatile uint32_t *)files[3] = o->arg;
  else if (code == S_GMUNMAP) ap_gmunmap(files[3]);
  if (!o->result) return;
  if (code == S_POSITION) {
    int64_t v = ap_position(p);
    result[0] = (uint32_t)v, result[1] = (uint32_t)(v >> 32);
  } else {
    result[0] = e;
  }
}

void kernel(const struct apd_system *s, const struct script_table *t) {
  struct aptr ptr[4];
  uint32_t files[4] = {~0u, ~0u, ~0u, 0}, w = w_block() * w_warps() + w_warp();
  for (int i = 0; i < 4; i++) ptr[i] = ap_new();
  ap_begin(s);
  const struct script_op *o = (const struct script_op *)t->list[w % t->warps];
  for (; o->code != S_END; o++) {
    if (o->code == S_BAR) w_bar();
    else if (o->mask >> w_lane() & 1) operate(ptr, files, o);
    w_sync(~0u);
  }
  for (int i = 0; i < 4; i++) ap_close(&ptr[i]);
  ap_end();
}
