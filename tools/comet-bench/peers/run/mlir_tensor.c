// The functions of tensor.mlir.

#include "mlir.h"

struct made { struct array outer_pos, outer, pos, crd, values; };

#define ARRAY struct array *
#define TENSOR ARRAY, ARRAY, ARRAY, ARRAY, ARRAY, ARRAY, ARRAY
#define PASSED &pos[0], &crd[0], &pos[1], &crd[1], &pos[2], &crd[2], &values
void _mlir_ciface_mlir_ttv(struct table *, TENSOR, ARRAY, struct table *);
void _mlir_ciface_mlir_ttv_sparse(struct made *, TENSOR, ARRAY);
void _mlir_ciface_mlir_ttm(struct cube *, TENSOR, struct table *, struct cube *);
void _mlir_ciface_mlir_ttm_sparse(struct made *, TENSOR, struct table *);
void _mlir_ciface_mlir_mttkrp(struct table *, TENSOR, struct table *, struct table *, struct table *);

static struct array pos[3], crd[3], values;
static struct made c;

static void prepare(void) {
  for (int level = 0; level < 3; level++) {
    const struct level *l = &operand[0].levels[level];
    pos[level] = array_of(l->pos, l->pos_count);
    crd[level] = array_of(l->crd, l->crd_count);
  }
  values = array_of(operand[0].values, operand[0].count);
}

static void ttv(void) {
  clear();
  struct array x = array_of(operand[1].values, operand[1].count);
  struct table y = table_of(&dense), result;
  _mlir_ciface_mlir_ttv(&result, PASSED, &x, &y);
}

static void ttm(void) {
  clear();
  struct table x = table_of(&operand[1]);
  struct cube y = cube_of(&dense), result;
  _mlir_ciface_mlir_ttm(&result, PASSED, &x, &y);
}

static void mttkrp(void) {
  clear();
  struct table b = table_of(&operand[1]), d = table_of(&operand[2]), y = table_of(&dense), result;
  _mlir_ciface_mlir_mttkrp(&result, PASSED, &b, &d, &y);
}

static void ttv_sparse(void) {
  struct array x = array_of(operand[1].values, operand[1].count);
  _mlir_ciface_mlir_ttv_sparse(&c, PASSED, &x);
}

static void ttm_sparse(void) {
  struct table x = table_of(&operand[1]);
  _mlir_ciface_mlir_ttm_sparse(&c, PASSED, &x);
}

static struct result show(void) {
  int64_t width = operand[1].rank == 1 ? 1 : operand[1].dims[1];
  return (struct result){((int32_t *)c.outer_pos.start)[1], width, c.outer.start, c.pos.start, c.crd.start, c.values.start};
}

static void release(void) {
  free(c.outer_pos.base);
  free(c.outer.base);
  free(c.pos.base);
  free(c.crd.base);
  free(c.values.base);
}

const struct operation operations[] = {
    {"ttv", prepare, ttv, NULL, NULL},
    {"ttv_sparse", prepare, ttv_sparse, show, release},
    {"ttm", prepare, ttm, NULL, NULL},
    {"ttm_sparse", prepare, ttm_sparse, show, release},
    {"mttkrp", prepare, mttkrp, NULL, NULL},
    {NULL},
};
