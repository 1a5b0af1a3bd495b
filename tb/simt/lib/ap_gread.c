/* SPDX-License-Identifier: Apache-2.0 */
/** ap_gread.c - GPUfs's gread: file bytes into a buffer of the warp, through the page cache. Linked
 * into programs that call it only. All active lanes come together and copy together: 8 bytes a lane
 * where file and buffer have the same alignment, else words put together from two, else bytes. */
#include "ap_int.h"

enum { AHEAD = 4 }; /* loads on their way before the first store */

/* Lane `rank` of `lanes` copies elements rank, rank + lanes .. of n. */
#define COPY(name, type, bytes, load, store)                                                 \
  INLINE void name(uint32_t to, uint32_t from, uint32_t n, uint32_t rank, uint32_t lanes) {  \
    uint32_t i = rank;                                                                       \
    for (; i - rank + AHEAD * lanes <= n; i += AHEAD * lanes) { /* the same for all lanes */ \
      type v[AHEAD];                                                                         \
      _Pragma("GCC unroll 4") for (uint32_t k = 0; k < AHEAD; k++) v[k] =                    \
          load(from + (i + k * lanes) * bytes);                                              \
      _Pragma("GCC unroll 4") for (uint32_t k = 0; k < AHEAD; k++)                           \
          store(to + (i + k * lanes) * bytes, v[k]);                                         \
    }                                                                                        \
    for (; i < n; i += lanes) store(to + i * bytes, load(from + i * bytes));                 \
  }

#define LOAD8(at) w_load8((const void *)(at))
#define STORE8(at, v) w_store8((void *)(at), v)
#define LOAD1(at) ap_raw_load1((const void *)(at))
#define STORE1(at, v) ap_raw_store1((void *)(at), v)
#define STORE4(at, v) ap_raw_store4((void *)(at), v)
/* Four bytes at any address: of the aligned word they begin in, and of the next one if they end
 * there. */
INLINE uint32_t load4(uint32_t at) {
  uint32_t odd = at & 3, word = at - odd;
  uint32_t lo = ap_raw_load4((const void *)word),
           hi = ap_raw_load4((const void *)(word + (odd ? 4 : 0)));
  return lo >> odd * 8 | hi << 1 << (31 - odd * 8);
}
COPY(copy8, struct w2, 8, LOAD8, STORE8)
COPY(copy4, uint32_t, 4, load4, STORE4)
COPY(copy1, uint32_t, 1, LOAD1, STORE1)

/* n bytes of one page. */
static void copy(uint32_t to, uint32_t from, uint32_t n) {
  uint32_t m = w_active(), lanes = w_popc(m), rank = w_popc(m & ((1u << w_lane()) - 1));
  uint32_t wide = (to ^ from) & 7 ? 4 : 8, head = -to & (wide - 1);
  if (head > n) head = n;
  uint32_t elements = (n - head) / wide, tail = head + elements * wide;
  copy1(to, from, head, rank, lanes);
  if (wide == 8) copy8(to + head, from + head, elements, rank, lanes);
  else copy4(to + head, from + head, elements, rank, lanes);
  copy1(to + tail, from + tail, n - tail, rank, lanes);
  w_sync(m);
}

uint32_t ap_gread(uint32_t file, uint64_t offset, void *buf, uint32_t bytes) {
  uint32_t e = APD_OK;
  for (uint32_t done = 0; done < bytes && !e;) {
    uint32_t at, room = APD_PAGE - (uint32_t)((offset + done) & (APD_PAGE - 1)),
                 n = bytes - done < room ? bytes - done : room;
    if ((e = ap_gmmap(file, offset + done, APD_READ, &at))) break;
    copy((uint32_t)buf + done, at, n);
    ap_gmunmap(at);
    done += n;
  }
  return e;
}
