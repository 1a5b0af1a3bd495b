/* SPDX-License-Identifier: Apache-2.0 */
/** ap_files.c - files in kernels: gvmmap, gvmunmap, gvmsync; GPUfs's gmmap and gmunmap. All active
 * lanes call with the same arguments and get the same answer; an error ends nothing. */
#include "ap_int.h"

uint32_t ap_gopen(const char *path, uint32_t prot, uint32_t *file) {
  *file = ~0u;
  if (prot < APD_READ || prot > (APD_READ | APD_WRITE)) return APD_INVALID;
  uint32_t e = ap_ask(ap_lead(), APD_OP_OPEN, prot, 0, (uint32_t)path, file);
  if (e) ap_record(ap_lead(), e, prot & APD_WRITE, 0, 0);
  return e;
}

/* *file: the handle; its number is left. */
static uint32_t check_range(uint32_t *file, uint32_t prot, uint64_t at, uint64_t size) {
  const uint64_t limit =
      AP_SHORT ? (uint64_t)1 << 40 : (uint64_t)1 << 52; /* page numbers of 40 bits in keys */
  uint32_t mode = *file & APD_MAY_WRITE ? APD_READ | APD_WRITE : APD_READ;
  if (*file >= 2 * APD_FILES) return APD_INVALID;
  *file &= APD_FILES - 1;
  if (mode & ~((volatile uint32_t *)SYS->file_modes)[*file]) return APD_INVALID;
  if (prot < APD_READ || prot > (APD_READ | APD_WRITE) || size == 0) return APD_INVALID;
  if (at >= limit || size > limit - at) return APD_INVALID;
  return prot & ~mode ? APD_ACCESS : APD_OK;
}

uint32_t ap_gvmmap_to(struct aptr *p, uint64_t size, uint32_t prot, uint32_t file,
                      uint64_t offset) {
  uint32_t lead = ap_lead(), e = check_range(&file, prot, offset, size), i, links = 0;
  if (e) return e;
  for (i = 0; i < APD_MAPS; i++) {
    links = ap_mapping(i)->links;
    /* Not in use; who asks with an old number may pass through the count. */
    if ((links & (APD_MAP_FREE | APD_MAP_MAKING | APD_MAP_COUNT)) != APD_MAP_FREE) continue;
    if (w_cas_by(lead, &ap_mapping(i)->links, links, links + APD_MAP_MAKING) == links) break;
  }
  if (i == APD_MAPS) return APD_LIMIT;
  volatile struct apd_mapping *m = ap_mapping(i);
  m->prot = prot, m->start_lo = (uint32_t)offset, m->start_hi = (uint32_t)(offset >> 32);
  m->size_lo = (uint32_t)size, m->size_hi = (uint32_t)(size >> 32), m->file = file;
  w_fence();
  w_post_by(lead, &m->links, -(APD_MAP_FREE + APD_MAP_MAKING));
  ap_unlink(p, 1);
  p->map = 1u << 31 | file << 20 | (links >> 20) << 8 | i;
  p->hi = (prot & APD_WRITE ? AP_MAY_WRITE : 0) | (prot & APD_READ ? AP_MAY_READ : 0) |
          (uint32_t)(offset >> 32);
  p->lo = (uint32_t)offset;
  return APD_OK;
}

uint32_t ap_gvmunmap(const struct aptr *p, uint32_t lane) {
  uint32_t lead = ap_lead(), map = w_shfl(p->map, lane);
  if (!map) return APD_UNINITIALISED;
  uint32_t alone = (map >> 8 & 0xfff) << 20;
  w_fence(); /* releases of our own have been counted */
  uint32_t old =
      w_cas_by(lead, &ap_mapping(map)->links, alone, (alone + (1u << 20)) | APD_MAP_FREE);
  if (old == alone) return APD_OK;
  return old >> 20 != (map >> 8 & 0xfff) || (old & APD_MAP_FREE) ? APD_UNMAPPED : APD_BUSY;
}

uint32_t ap_gvmsync(const struct aptr *p, uint32_t lane) {
  uint32_t lead = ap_lead(), map = w_shfl(p->map, lane);
  if (!map) return APD_UNINITIALISED;
  volatile struct apd_mapping *m = ap_mapping(map);
  uint32_t old = w_add_by(lead, &m->links, 1), e = APD_UNMAPPED; /* so that it stays */
  w_fence();
  if (!(old & APD_MAP_FREE) && old >> 20 == (map >> 8 & 0xfff)) {
    uint64_t start = (uint64_t)m->start_hi << 32 | m->start_lo,
             size = (uint64_t)m->size_hi << 32 | m->size_lo;
    e = ap_cache_sync(lead, m->file, (int64_t)(start >> APD_PAGE_BITS),
                      (int64_t)((start + size + APD_PAGE - 1) >> APD_PAGE_BITS));
  }
  w_post_by(lead, &m->links, -1u);
  return e;
}

uint32_t ap_gmmap(uint32_t file, uint64_t offset, uint32_t prot, uint32_t *at) {
  uint32_t lead = ap_lead(), frame, e = check_range(&file, prot, offset, 1);
  *at = 0;
  if (e) return e;
  if ((e = ap_cache_get(lead, ap_key(file, (int64_t)(offset >> APD_PAGE_BITS)), 1, prot & APD_WRITE,
                        &frame)))
    return e;
  *at = ap_data + (frame << APD_PAGE_BITS) + ((uint32_t)offset & 0xfff);
  return APD_OK;
}

void ap_gmunmap(uint32_t at) {
  w_fence();
  ap_cache_put(ap_lead(), (at - ap_data) >> APD_PAGE_BITS, 1);
}
