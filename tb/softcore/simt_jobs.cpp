// SPDX-License-Identifier: Apache-2.0
// simt_jobs.cpp - see simt_jobs.h.
#include "simt_jobs.h"

SimtJob make_vecadd(SimtHost &d, unsigned asid, uint32_t n, const SimtPlace &p) {
  const uint32_t a = p.at(0, 0x00100000), b = p.at(1, 0x00200000), c = p.at(2, 0x00300000);
  for (uint32_t i = 0; i < n; i++) {
    d.put(asid, a + 4 * i, static_cast<uint32_t>(d.random(1ull << 32)), GMMU_DRV_R);
    d.put(asid, b + 4 * i, static_cast<uint32_t>(d.random(1ull << 32)), GMMU_DRV_R);
    d.put(asid, c + 4 * i, 0, GMMU_DRV_R | GMMU_DRV_W);
  }
  return {"vecadd",
          vecadd(),
          {n, a, b, c},
          [=](SimtHost &x, unsigned s) {
            for (uint32_t i = 0; i < n; i++)
              if (x.get(s, c + 4 * i) != x.get(s, a + 4 * i) + x.get(s, b + 4 * i)) return false;
            return true;
          },
          nullptr,
          p};
}

SimtJob make_matmul(SimtHost &d, unsigned asid, uint32_t log, const SimtPlace &p) {
  const uint32_t a = p.at(0, 0x40000000), b = p.at(1, 0x40100000), c = p.at(2, 0x7ff00000);
  const uint32_t n = 1u << log;
  for (uint32_t i = 0; i < n * n; i++) {
    d.put(asid, a + 4 * i, static_cast<uint32_t>(d.random(1000)), GMMU_DRV_R);
    d.put(asid, b + 4 * i, static_cast<uint32_t>(d.random(1000)), GMMU_DRV_R);
    d.put(asid, c + 4 * i, 0, GMMU_DRV_R | GMMU_DRV_W);
  }
  return {"matmul",
          matmul(),
          {n, log, a, b, c},
          [=](SimtHost &x, unsigned s) {
            for (uint32_t i = 0; i < n; i++)
              for (uint32_t j = 0; j < n; j++) {
                uint32_t sum = 0;
                for (uint32_t k = 0; k < n; k++)
                  sum += x.get(s, a + 4 * (i * n + k)) * x.get(s, b + 4 * (k * n + j));
                if (x.get(s, c + 4 * (i * n + j)) != sum) return false;
              }
            return true;
          },
          nullptr,
          p};
}

SimtJob make_bfs(SimtHost &d, unsigned asid, uint32_t nodes, const SimtPlace &p, bool tree) {
  const uint32_t first = p.at(0, 0x10000000), edges = p.at(1, 0x20000000);
  const uint32_t dist = p.at(2, 0x30000000), changed = p.at(3, 0x50000000);
  std::vector<std::vector<uint32_t>> graph(nodes);
  for (uint32_t v = 1; tree && v < nodes; v++) graph[(v - 1) / 2].push_back(v);
  for (uint32_t v = 0; v < nodes; v++)
    for (uint64_t k = d.random(tree ? 3 : 5); k > 0; k--)
      graph[v].push_back(static_cast<uint32_t>(d.random(nodes)));
  uint32_t at = 0;
  for (uint32_t v = 0; v < nodes; v++) {
    d.put(asid, first + 4 * v, at, GMMU_DRV_R);
    for (uint32_t n : graph[v]) d.put(asid, edges + 4 * at++, n, GMMU_DRV_R);
    d.put(asid, dist + 4 * v, v ? ~0u : 0, GMMU_DRV_R | GMMU_DRV_W);
  }
  d.put(asid, first + 4 * nodes, at, GMMU_DRV_R);
  d.put(asid, changed, 0, GMMU_DRV_R | GMMU_DRV_W);
  std::vector<uint32_t> want(nodes, ~0u);
  std::deque<uint32_t> todo{0};
  want[0] = 0;
  while (!todo.empty()) {
    uint32_t v = todo.front();
    todo.pop_front();
    for (uint32_t n : graph[v])
      if (want[n] == ~0u) want[n] = want[v] + 1, todo.push_back(n);
  }
  auto level = std::make_shared<uint32_t>(0);
  return {"bfs",
          bfs(),
          {nodes, 0, first, edges, dist, changed},
          [=](SimtHost &x, unsigned s) {
            for (uint32_t v = 0; v < nodes; v++)
              if (x.get(s, dist + 4 * v) != want[v]) return false;
            return true;
          },
          [=](SimtHost &x, unsigned s) {
            if (!x.get(s, changed)) return false;
            x.put(s, changed, 0, 0);
            x.put(s, p.args + 4, ++*level, 0);
            return true;
          },
          p};
}
