/* SPDX-License-Identifier: Apache-2.0 */
/* LUH (LULESH): an unstructured hexahedral mesh. */
#include "gen.h"

#define LUH_BLOCK 256u

/** Arrays of doubles per node and per element, by group. */
enum { POS, VEL, ACC, FORCE, NODE_GROUPS };
enum { STRESS, STRAIN, ELEM_VECTORS };
enum {
  ENERGY,
  PRESSURE,
  VISCOSITY,
  VOLUME,
  VOLUME0,
  DELV,
  VDOV,
  AREA,
  SOUND,
  ELEM_MASS,
  DETERM,
  QL,
  QQ,
  VNEW,
  ELEM_SCALARS
};

struct luh {
  uint64_t edge, elems, nodes;
  uint64_t nodelist, count, list; /* ints: corners of elements; elements at nodes */
  uint64_t node[NODE_GROUPS][3], mass;
  uint64_t vec[ELEM_VECTORS][3], scalar[ELEM_SCALARS];
  uint64_t corner[2][3]; /* doubles per corner: forces, derivatives */
};

/** Node of corner c of an element: 0, 1, n+1, n in the lower plane, then the upper one. */
static uint64_t luh_node(const struct luh *k, uint64_t elem, uint32_t c) {
  static const uint32_t dx[4] = {0, 1, 1, 0}, dy[4] = {0, 0, 1, 1};
  uint64_t x = elem % k->edge + dx[c % 4], y = elem / k->edge % k->edge + dy[c % 4],
           z = elem / k->edge / k->edge + c / 4;
  return x + (k->edge + 1) * (y + (k->edge + 1) * z);
}

static void ld8(struct gen *g, uint32_t lanes, uint64_t base, uint64_t i) {
  gen_affine(g, GMMU_READ, 8, lanes, base + i * 8, 8);
}
static void st8(struct gen *g, uint32_t lanes, uint64_t base, uint64_t i) {
  gen_affine(g, GMMU_WRITE, 8, lanes, base + i * 8, 8);
}

/** All corners: the node's number, then `groups` vectors of that node; then, if any, three doubles
 * per corner. */
static void luh_corners(struct gen *g, const struct luh *k, uint64_t i, uint32_t lanes,
                        uint32_t groups, int read_corner, int write_corner) {
  for (uint32_t c = 0; c < 8; c++) {
    gen_affine(g, GMMU_READ, 4, lanes, k->nodelist + (i + c * k->elems) * 4, 4);
    for (uint32_t v = 0; v < NODE_GROUPS; v++)
      for (uint32_t d = 0; groups >> v & 1 && d < 3; d++) {
        for (uint32_t l = 0; l < lanes; l++)
          g->op.addr[l] = k->node[v][d] + luh_node(k, i + l, c) * 8;
        gen_emit(g, GMMU_READ, 8, lanes);
      }
    for (uint32_t d = 0; read_corner >= 0 && d < 3; d++)
      ld8(g, lanes, k->corner[read_corner][d], i + c * k->elems);
    gen_gap(g, GEN_GAP_LONG);
    for (uint32_t d = 0; write_corner >= 0 && d < 3; d++)
      st8(g, lanes, k->corner[write_corner][d], i + c * k->elems);
  }
}

static void luh_elem(struct gen *g, const struct luh *k, uint64_t i, uint32_t lanes, uint32_t reads,
                     uint32_t writes) {
  for (uint32_t v = 0; v < ELEM_SCALARS; v++)
    if (reads >> v & 1) ld8(g, lanes, k->scalar[v], i);
  gen_gap(g, GEN_GAP_LONG);
  for (uint32_t v = 0; v < ELEM_SCALARS; v++)
    if (writes >> v & 1) st8(g, lanes, k->scalar[v], i);
}

static void luh_vector(struct gen *g, const uint64_t base[3], uint64_t i, uint32_t lanes,
                       bool write) {
  for (uint32_t d = 0; d < 3; d++)
    gen_affine(g, write ? GMMU_WRITE : GMMU_READ, 8, lanes, base[d] + i * 8, 8);
}

#define BIT(x) (1u << (x))

static void init_stress(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_elem(g, k, i, n, BIT(PRESSURE) | BIT(VISCOSITY), 0);
  luh_vector(g, k->vec[STRESS], i, n, true);
}
static void integrate_stress(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_vector(g, k->vec[STRESS], i, n, false);
  luh_corners(g, k, i, n, BIT(POS), -1, 0);
  luh_elem(g, k, i, n, 0, BIT(DETERM));
}
/** Sums the corners of the elements at a node: as many as it has, at most 8. */
static void add_forces(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  uint64_t side = k->edge + 1, to[GEN_WARP];
  gen_affine(g, GMMU_READ, 4, n, k->count + i * 4, 4);
  for (uint32_t j = 0; j < 8; j++) {
    uint32_t lanes = 0, at[GEN_WARP];
    for (uint32_t l = 0; l < n; l++) {
      uint64_t node = i + l, x = node % side, y = node / side % side, z = node / side / side;
      uint32_t seen = 0;
      for (uint32_t c = 0; c < 8;
           c++) { /* elements in ascending order: the one whose corner this node is */
        uint64_t ex = x - 1 + (c & 1), ey = y - 1 + (c >> 1 & 1), ez = z - 1 + (c >> 2);
        if (ex >= k->edge || ey >= k->edge || ez >= k->edge || seen++ != j) continue;
        uint64_t elem = ex + k->edge * (ey + k->edge * ez);
        for (uint32_t q = 0; q < 8; q++)
          if (luh_node(k, elem, q) == node) to[lanes] = elem + q * k->elems;
        at[lanes++] = l;
      }
    }
    for (uint32_t l = 0; l < lanes; l++) g->op.addr[l] = k->list + (i + at[l] + j * k->nodes) * 4;
    gen_emit(g, GMMU_READ, 4, lanes);
    for (uint32_t d = 0; d < 3; d++) {
      for (uint32_t l = 0; l < lanes; l++) g->op.addr[l] = k->corner[0][d] + to[l] * 8;
      gen_emit(g, GMMU_READ, 8, lanes);
    }
    gen_gap(g, GEN_GAP_FMA);
  }
  luh_vector(g, k->node[FORCE], i, n, true);
}
static void hourglass_control(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_corners(g, k, i, n, BIT(POS), -1, 1);
  luh_elem(g, k, i, n, BIT(VOLUME0) | BIT(VOLUME), BIT(DETERM));
}
static void hourglass_force(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_elem(g, k, i, n, BIT(DETERM) | BIT(SOUND) | BIT(ELEM_MASS), 0);
  luh_corners(g, k, i, n, BIT(VEL), 1, 0);
}
static void acceleration(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_vector(g, k->node[FORCE], i, n, false);
  ld8(g, n, k->mass, i);
  gen_gap(g, GEN_GAP_LONG);
  luh_vector(g, k->node[ACC], i, n, true);
}
/** Faces x = 0, y = 0, z = 0: the nodes of one face are a column, a row, a plane. */
static void boundary(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  uint64_t side = k->edge + 1;
  for (uint32_t d = 0; d < 3; d++) {
    for (uint32_t l = 0; l < n; l++) {
      uint64_t t = i + l, node = d == 0 ? t * side : d == 1 ? t / side * side * side + t % side : t;
      g->op.addr[l] = k->node[ACC][d] + node * 8;
    }
    gen_emit(g, GMMU_WRITE, 8, n);
  }
}
static void velocity(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_vector(g, k->node[VEL], i, n, false);
  luh_vector(g, k->node[ACC], i, n, false);
  gen_gap(g, GEN_GAP_FMA);
  luh_vector(g, k->node[VEL], i, n, true);
}
static void position(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_vector(g, k->node[POS], i, n, false);
  luh_vector(g, k->node[VEL], i, n, false);
  gen_gap(g, GEN_GAP_FMA);
  luh_vector(g, k->node[POS], i, n, true);
}
static void kinematics(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_corners(g, k, i, n, BIT(POS) | BIT(VEL), -1, -1);
  luh_elem(g, k, i, n, BIT(VOLUME0) | BIT(VOLUME), BIT(VNEW) | BIT(DELV) | BIT(AREA));
  luh_vector(g, k->vec[STRAIN], i, n, true);
}
static void lagrange(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_vector(g, k->vec[STRAIN], i, n, false);
  luh_elem(g, k, i, n, BIT(VNEW), BIT(VDOV));
  luh_vector(g, k->vec[STRAIN], i, n, true);
}
static void gradients(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_corners(g, k, i, n, BIT(POS) | BIT(VEL), -1, -1);
  luh_elem(g, k, i, n, BIT(VOLUME0) | BIT(VNEW), 0);
  luh_vector(g, k->vec[STRESS], i, n, true); /* the arrays of the stress are used again */
}
static void viscosity(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  const uint64_t by[3] = {1, k->edge, k->edge * k->edge};
  for (uint32_t d = 0; d < 3; d++)
    for (int s = -1; s <= 1;
         s++) { /* the element and its neighbours; at the face the element itself */
      for (uint32_t l = 0; l < n; l++) {
        uint64_t e = i + l + (uint64_t)((int64_t)by[d] * s);
        g->op.addr[l] = k->vec[STRESS][d] + (e < k->elems ? e : i + l) * 8;
      }
      gen_emit(g, GMMU_READ, 8, n);
    }
  luh_elem(g, k, i, n, BIT(VDOV) | BIT(ELEM_MASS) | BIT(VOLUME0) | BIT(VNEW), BIT(QL) | BIT(QQ));
}
static void material(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_elem(g, k, i, n,
           BIT(ENERGY) | BIT(DELV) | BIT(PRESSURE) | BIT(VISCOSITY) | BIT(QL) | BIT(QQ) | BIT(VNEW),
           0);
  luh_elem(g, k, i, n, 0, BIT(PRESSURE) | BIT(ENERGY) | BIT(VISCOSITY) | BIT(SOUND));
}
static void update_volumes(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_elem(g, k, i, n, BIT(VNEW), BIT(VOLUME));
}
static void courant(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_elem(g, k, i, n, BIT(SOUND) | BIT(VDOV) | BIT(AREA), 0);
}
static void hydro(struct gen *g, const struct luh *k, uint64_t i, uint32_t n) {
  luh_elem(g, k, i, n, BIT(VDOV), 0);
}

/** A time step, in order. items: 'e' elements, 'n' nodes, 'f' nodes of a face. */
static const struct {
  const char *name;
  char items;
  void (*body)(struct gen *g, const struct luh *k, uint64_t first, uint32_t lanes);
} luh_kernels[] = {{"InitStressTermsForElems", 'e', init_stress},
                   {"IntegrateStressForElems", 'e', integrate_stress},
                   {"AddNodeForcesFromElems", 'n', add_forces},
                   {"CalcHourglassControlForElems", 'e', hourglass_control},
                   {"CalcFBHourglassForceForElems", 'e', hourglass_force},
                   {"AddNodeForcesFromElems2", 'n', add_forces},
                   {"CalcAccelerationForNodes", 'n', acceleration},
                   {"ApplyAccelerationBC", 'f', boundary},
                   {"CalcVelocityForNodes", 'n', velocity},
                   {"CalcPositionForNodes", 'n', position},
                   {"CalcKinematicsForElems", 'e', kinematics},
                   {"CalcLagrangeElementsPart2", 'e', lagrange},
                   {"CalcMonotonicQGradients", 'e', gradients},
                   {"CalcMonotonicQRegion", 'e', viscosity},
                   {"EvalEOSForElems", 'e', material},
                   {"UpdateVolumesForElems", 'e', update_volumes},
                   {"CalcCourantConstraint", 'e', courant},
                   {"CalcHydroConstraint", 'e', hydro}};

static void luh_arrays(struct gen *g, struct luh *k) {
  static const char *const node_names[] = {"pos", "vel", "acc", "force"}, *const vec_names[] = {
                                                                              "sig", "dxx"};
  static const char *const scalar_names[] = {"e",      "p",    "q",      "v",   "volo",
                                             "delv",   "vdov", "arealg", "ss",  "elem_mass",
                                             "determ", "ql",   "qq",     "vnew"};
  char name[32];
  k->nodelist = gen_array(g, "nodelist", 8 * k->elems * 4, false);
  k->count = gen_array(g, "node_elem_count", k->nodes * 4, false);
  k->list = gen_array(g, "node_elem_list", 8 * k->nodes * 4, false);
  for (int v = 0; v < NODE_GROUPS; v++)
    for (int d = 0; d < 3; d++) {
      snprintf(name, sizeof name, "%s_%c", node_names[v], 'x' + d);
      k->node[v][d] = gen_array(g, name, k->nodes * 8, true);
    }
  k->mass = gen_array(g, "node_mass", k->nodes * 8, false);
  for (int v = 0; v < ELEM_VECTORS; v++)
    for (int d = 0; d < 3; d++) {
      snprintf(name, sizeof name, "%s_%c", vec_names[v], 'x' + d);
      k->vec[v][d] = gen_array(g, name, k->elems * 8, true);
    }
  for (int v = 0; v < ELEM_SCALARS; v++)
    k->scalar[v] = gen_array(g, scalar_names[v], k->elems * 8, true);
  for (int v = 0; v < 2; v++)
    for (int d = 0; d < 3; d++) {
      snprintf(name, sizeof name, "%s_elem_%c", v ? "dvd" : "f", 'x' + d);
      k->corner[v][d] = gen_array(g, name, 8 * k->elems * 8, true);
    }
}

static int luh(uint64_t edge, uint64_t seed, const struct gmmu_trace_sink *s,
               struct gmmu_err *err) {
  (void)seed;
  if (gen_check("LUH", "elements along an edge", edge, 4, 512, 1, err)) return -1;
  struct gen g;
  struct luh k = {
      .edge = edge, .elems = edge * edge * edge, .nodes = (edge + 1) * (edge + 1) * (edge + 1)};
  gen_init(&g, s);
  luh_arrays(&g, &k);
  for (size_t i = 0; i < sizeof luh_kernels / sizeof luh_kernels[0] && gen_ok(&g); i++) {
    char items = luh_kernels[i].items;
    uint64_t n = items == 'e' ? k.elems : items == 'n' ? k.nodes : (edge + 1) * (edge + 1);
    uint64_t blocks = (n + LUH_BLOCK - 1) / LUH_BLOCK;
    gen_launch(&g, luh_kernels[i].name, blocks, LUH_BLOCK / GEN_WARP);
    for (uint64_t b = 0; b < blocks && gen_ok(&g); b++)
      for (uint32_t w = 0; w < LUH_BLOCK / GEN_WARP; w++) {
        uint64_t first = b * LUH_BLOCK + w * GEN_WARP;
        uint32_t lanes = gen_clip(first, GEN_WARP, n);
        gen_warp(&g, b, w);
        if (lanes) luh_kernels[i].body(&g, &k, first, lanes);
      }
  }
  return g.rc;
}

const struct gmmu_workload gen_luh = {
    "LUH", "LULESH: shock hydrodynamics, one time step", 10, 45, "elements along an edge", luh};
