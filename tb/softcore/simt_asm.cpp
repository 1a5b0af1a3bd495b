// SPDX-License-Identifier: Apache-2.0
// simt_asm.cpp - see simt_asm.h.
#include "simt_asm.h"

std::vector<uint32_t> Assembler::finish() {
  for (auto &[at, to] : jumps)
    code[at] =
        (code[at] & ~0x3fffu) |
        (static_cast<uint32_t>(static_cast<int>(labels[to]) - static_cast<int>(at)) & 0x3fff);
  return code;
}

std::vector<uint32_t> vecadd() {
  Assembler a;
  a.put(LD, 3, 2, 0, 0);  // n
  a.put(LD, 4, 2, 0, 4);  // a
  a.put(LD, 5, 2, 0, 8);  // b
  a.put(LD, 6, 2, 0, 12); // c
  a.put(TID, 1);
  a.put(NTH, 7);
  a.put(ADDI, 8, 0, 0, 2);
  a.put(SLT, 9, 1, 3);
  a.put(IF, 0, 9);
  a.label("loop");
  a.put(SLL, 10, 1, 8); // offset
  a.put(ADD, 11, 4, 10);
  a.put(LD, 12, 11, 0, 0);
  a.put(ADD, 11, 5, 10);
  a.put(LD, 13, 11, 0, 0);
  a.put(ADD, 12, 12, 13);
  a.put(ADD, 11, 6, 10);
  a.put(ST, 0, 11, 12, 0);
  a.put(ADD, 1, 1, 7);
  a.put(SLT, 9, 1, 3);
  a.put(WHILE, 0, 9);
  a.bany(9, "loop");
  a.put(ENDIF);
  a.put(HALT);
  return a.finish();
}

std::vector<uint32_t> matmul() {
  Assembler a;
  a.put(LD, 3, 2, 0, 0);  // n
  a.put(LD, 14, 2, 0, 4); // log2 n
  a.put(LD, 4, 2, 0, 8);
  a.put(LD, 5, 2, 0, 12);
  a.put(TID, 1);
  a.put(SLL, 6, 3, 14); // n * n
  a.put(SLT, 9, 1, 6);
  a.put(IF, 0, 9);
  a.label("element");
  a.put(SRL, 7, 1, 14); // row
  a.put(ADDI, 10, 3, 0, -1);
  a.put(AND, 8, 1, 10); // column
  a.put(ADDI, 15, 14, 0, 2);
  a.put(SLL, 7, 7, 15);
  a.put(ADD, 7, 4, 7); // &a[row][0]
  a.put(ADDI, 10, 0, 0, 2);
  a.put(SLL, 8, 8, 10);
  a.put(ADD, 8, 5, 8);   // &b[0][column]
  a.put(SLL, 15, 3, 10); // bytes of a row
  a.put(ADD, 10, 3, 0);  // k
  a.put(ADD, 11, 0, 0);  // sum
  a.label("product");
  a.put(LD, 12, 7, 0, 0);
  a.put(LD, 13, 8, 0, 0);
  a.put(MUL, 12, 12, 13);
  a.put(ADD, 11, 11, 12);
  a.put(ADDI, 7, 7, 0, 4);
  a.put(ADD, 8, 8, 15);
  a.put(ADDI, 10, 10, 0, -1);
  a.bany(10, "product");
  a.put(LD, 13, 2, 0, 16); // c
  a.put(ADDI, 10, 0, 0, 2);
  a.put(SLL, 12, 1, 10);
  a.put(ADD, 13, 13, 12);
  a.put(ST, 0, 13, 11, 0);
  a.put(NTH, 12);
  a.put(ADD, 1, 1, 12);
  a.put(SLT, 9, 1, 6);
  a.put(WHILE, 0, 9);
  a.bany(9, "element");
  a.put(ENDIF);
  a.put(HALT);
  return a.finish();
}

std::vector<uint32_t> bfs() {
  Assembler a;
  a.put(LD, 3, 2, 0, 0);
  a.put(TID, 1);
  a.put(SLT, 9, 1, 3);
  a.put(IF, 0, 9);
  a.label("node");
  a.put(ADDI, 15, 0, 0, 2);
  a.put(SLL, 4, 1, 15); // 4 * node
  a.put(LD, 5, 2, 0, 16);
  a.put(ADD, 5, 5, 4);
  a.put(LD, 6, 5, 0, 0); // its distance
  a.put(LD, 7, 2, 0, 4); // level
  a.put(SEQ, 6, 6, 7);
  a.put(IF, 0, 6); // in the frontier
  a.put(LD, 5, 2, 0, 8);
  a.put(ADD, 5, 5, 4);
  a.put(LD, 8, 5, 0, 0);  // first edge
  a.put(LD, 10, 5, 0, 4); // first edge of the next node
  a.put(SLT, 11, 8, 10);
  a.put(IF, 0, 11);
  a.label("edge");
  a.put(LD, 5, 2, 0, 12);
  a.put(SLL, 12, 8, 15);
  a.put(ADD, 5, 5, 12);
  a.put(LD, 12, 5, 0, 0); // neighbour
  a.put(LD, 5, 2, 0, 16);
  a.put(SLL, 12, 12, 15);
  a.put(ADD, 5, 5, 12);
  a.put(LD, 12, 5, 0, 0); // its distance
  a.put(ADDI, 13, 0, 0, -1);
  a.put(SEQ, 12, 12, 13);
  a.put(IF, 0, 12); // not seen yet
  a.put(ADDI, 14, 7, 0, 1);
  a.put(ST, 0, 5, 14, 0);
  a.put(LD, 5, 2, 0, 20);
  a.put(ADDI, 14, 0, 0, 1);
  a.put(ST, 0, 5, 14, 0); // changed
  a.put(ENDIF);
  a.put(ADDI, 8, 8, 0, 1);
  a.put(SLT, 11, 8, 10);
  a.put(WHILE, 0, 11);
  a.bany(11, "edge");
  a.put(ENDIF);
  a.put(ENDIF);
  a.put(NTH, 14);
  a.put(ADD, 1, 1, 14);
  a.put(SLT, 9, 1, 3);
  a.put(WHILE, 0, 9);
  a.bany(9, "node");
  a.put(ENDIF);
  a.put(HALT);
  return a.finish();
}
