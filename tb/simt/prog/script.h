/* SPDX-License-Identifier: Apache-2.0 */
/** script.h - operations that the program script.c does, one after the other, for tests of
 * ActivePointers. Each warp has a list; `mask` says the lanes; p and q are two of its four
 * pointers. Shared by the machine code and the host. */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdint.h>

enum script_code {
  S_END,
  S_OPEN,
  S_MAP,
  S_UNMAP,
  S_SYNC,
  S_LOAD,
  S_STORE,
  S_ADD,
  S_ASSIGN,
  S_BROADCAST,
  S_CLOSE,
  S_POSITION,
  S_LINKED,
  S_GLOBAL,
  S_GMMAP,
  S_GMUNMAP,
  S_BAR,
  S_DEAD,
  S_IN_TLB,
  S_GREAD,
  S_POKE /* arg to where GMMAP led */
};

/** data, result: addresses of 32 x 16 bytes, of lane l at + 16 l. */
struct script_op {
  uint32_t code, p, q, mask;
  uint32_t arg; /* LOAD, STORE: bytes; OPEN: path's address; BROADCAST: lane; MAP, GMMAP,
                   GREAD: which opened file; GLOBAL: whether */
  uint32_t prot, data, result;                     /* GREAD: data is the buffer */
  uint32_t size_lo, size_hi, offset_lo, offset_hi; /* MAP, GREAD; GMMAP: offset */
  uint32_t pad[4];
};

/** ARG1: number of warps with lists, then the address of each list. */
struct script_table {
  uint32_t warps, list[63];
};

#endif
