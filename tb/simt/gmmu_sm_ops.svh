// SPDX-License-Identifier: Apache-2.0
// Constants of the modules gmmu_sm_*; included in their bodies. docs/simt.md.
// Unit of an instruction.
localparam logic [3:0] U_ALU = 4'd0, U_MUL = 4'd1, U_DIV = 4'd2, U_MEM = 4'd3, U_VOTE = 4'd4,
    U_CSR = 4'd5, U_BRANCH = 4'd6,
                       U_JUMP = 4'd7, U_WSYNC = 4'd8, U_BAR = 4'd9, U_ABORT = 4'd10,
                           U_FENCE = 4'd11, U_END = 4'd12,
                       U_ILLEGAL = 4'd13, U_PC = 4'd14;
// What a memory instruction does; atomics.
localparam logic [1:0] M_LOAD = 2'd0, M_STORE = 2'd1, M_ATOMIC = 2'd2;
localparam logic [1:0] A_ADD = 2'd0, A_SWAP = 2'd1, A_CAS = 2'd2;
// Causes of errors.
localparam logic [3:0] E_ILLEGAL = 4'd1, E_ALIGN = 4'd2, E_RANGE = 4'd3, E_BUS_READ = 4'd4,
    E_BUS_WRITE = 4'd5, E_SOFT = 4'd6,
                       E_SYNC = 4'd7;
// An error: cause, lane, warp slot, address, PC.
localparam int ERR_W = 4 + 5 + 5 + 32 + 32;
