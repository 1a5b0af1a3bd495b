/* SPDX-License-Identifier: Apache-2.0 */
/* First instructions of every lane: sp and the arguments are set by the core. */
  .section .text.start
  .globl _start
_start:
  call kernel
  ebreak
