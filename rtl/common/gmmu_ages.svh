// SPDX-License-Identifier: Apache-2.0
// gmmu_ages.svh: the recency of N ways as one age each (0 = most recent, N-1 = least recent),
// bit-sliced: all bits 0, then all bits 1, ... Included in the body of a module that defines N and
// WayW (gmmu_lru, gmmu_lru_deep). No include guard: each module needs its own copy. After reset way
// 0 is the least recent, then 1, 2, ...

  localparam int AgesW = N * WayW;

  function automatic logic [AgesW-1:0] reset_ages();
    begin
      reset_ages = '0;
      for (int b = 0; b < WayW; b++) begin
        for (int i = 0; i < N; i++) reset_ages[b*N + i] = 1'((N - 1 - i) >> b);
      end
    end
  endfunction
  localparam logic [AgesW-1:0] RESET_AGES = reset_ages();

  // The ways of age `age`: one, or none if there is no such age.
  function automatic logic [N-1:0] aged(input logic [AgesW-1:0] ages, input int age);
    begin
      aged = {N{age >= 0}};    // docs/rtl-subset.md: '0 and '1 in a constant conditional
      for (int b = 0; b < WayW; b++)
          aged = aged & (1'(age >> b) ? ages[b*N +: N] : ~ages[b*N +: N]);
    end
  endfunction
