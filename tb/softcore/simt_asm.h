// SPDX-License-Identifier: Apache-2.0
// simt_asm.h - assembler and programs of gmmu_simt (tb/softcore/gmmu_simt.sv).
//
// An instruction: op 31:26, rd 25:22, ra 21:18, rb 17:14, imm 13:0 (signed). 16 registers of 32
// bits for each lane, r0 = 0, r2 = the argument. Lanes that the mask turns off do nothing. IF ra
// pushes the mask and keeps the lanes with ra != 0, ELSE takes the others, ENDIF pops; WHILE ra
// keeps lanes without pushing; BANY ra, n jumps n instructions if an active lane has ra != 0.
#ifndef GMMU_TB_SIMT_ASM_H
#define GMMU_TB_SIMT_ASM_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

enum SimtOp : uint32_t {
  HALT,
  ADD,
  SUB,
  MUL,
  AND,
  OR,
  XOR,
  SLL,
  SRL,
  ADDI,
  LUI,
  ORI,
  LD,
  ST,
  SLT,
  SEQ,
  IF,
  ELSE,
  ENDIF,
  BANY,
  JMP,
  TID,
  NTH,
  WHILE
};

struct Assembler {
  std::vector<uint32_t> code;
  std::map<std::string, size_t> labels;
  std::vector<std::pair<size_t, std::string>> jumps;

  void put(SimtOp op, uint32_t rd = 0, uint32_t ra = 0, uint32_t rb = 0, int imm = 0) {
    code.push_back(op << 26 | rd << 22 | ra << 18 | rb << 14 |
                   (static_cast<uint32_t>(imm) & 0x3fff));
  }
  void label(const std::string &name) { labels[name] = code.size(); }
  void bany(uint32_t ra, const std::string &to) {
    jumps.push_back({code.size(), to});
    put(BANY, 0, ra);
  }
  std::vector<uint32_t> finish();
};

/// Arguments of all programs: words at r2. Each thread takes elements tid, tid + threads, ...
/// vecadd: {n, a, b, c}
std::vector<uint32_t> vecadd();

/// matmul: {n, log2 n, a, b, c}: c = a x b, n x n words
std::vector<uint32_t> matmul();

/// bfs: {nodes, level, first edge of each node, edges, distance, changed}: one level; the host
/// starts it again while something changed
std::vector<uint32_t> bfs();

#endif
