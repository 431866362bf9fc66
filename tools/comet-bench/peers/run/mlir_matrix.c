// The functions of matrix.mlir.

#include "mlir.h"

struct arrays { struct array pos, crd, values; };

#define MATRIX struct array *, struct array *, struct array *
#define PASSED(M) &M.pos, &M.crd, &M.values
void _mlir_ciface_mlir_spmv(struct array *, MATRIX, struct array *, struct array *);
void _mlir_ciface_mlir_spmm32(struct table *, MATRIX, struct table *, struct table *);
void _mlir_ciface_mlir_spmm64(struct table *, MATRIX, struct table *, struct table *);
void _mlir_ciface_mlir_add2(struct arrays *, MATRIX, MATRIX);
void _mlir_ciface_mlir_add3(struct arrays *, MATRIX, MATRIX, MATRIX);
void _mlir_ciface_mlir_multiply(struct arrays *, MATRIX, MATRIX);
void _mlir_ciface_mlir_sddmm(struct arrays *, MATRIX, struct table *left, struct table *right);
void _mlir_ciface_mlir_spgemm(struct arrays *, MATRIX, MATRIX);
void _mlir_ciface_mlir_coo_to_csr(struct arrays *, struct array *pos, struct array *row, struct array *crd, struct array *values);
void _mlir_ciface_mlir_csr_to_csc(struct arrays *, MATRIX);

static struct arrays a, b, d, c;
static struct array row;
static int64_t lines;

static struct arrays arrays_of(const struct tensor *t) {
  const struct level *level = &t->levels[1];
  return (struct arrays){array_of(level->pos, level->pos_count), array_of(level->crd, level->crd_count), array_of(t->values, t->count)};
}

static void prepare(void) {
  lines = operand[0].dims[0];
  a = arrays_of(&operand[0]), b = arrays_of(&operand[1]), d = arrays_of(&operand[2]);
}

static void prepare_columns(void) {
  prepare();
  lines = operand[0].dims[1];
}

static void prepare_coo(void) {
  prepare();
  a.pos = array_of(operand[0].levels[0].pos, 2);
  row = array_of(operand[0].levels[0].crd, operand[0].count);
}

static void spmv(void) {
  clear();
  struct array x = array_of(operand[1].values, operand[1].count), y = array_of(dense.values, dense.count), result;
  _mlir_ciface_mlir_spmv(&result, PASSED(a), &x, &y);
}

static void spmm32(void) {
  clear();
  struct table x = table_of(&operand[1]), y = table_of(&dense), result;
  _mlir_ciface_mlir_spmm32(&result, PASSED(a), &x, &y);
}

static void spmm64(void) {
  clear();
  struct table x = table_of(&operand[1]), y = table_of(&dense), result;
  _mlir_ciface_mlir_spmm64(&result, PASSED(a), &x, &y);
}

static void sddmm(void) {
  struct table left = table_of(&operand[1]), right = table_of(&operand[2]);
  _mlir_ciface_mlir_sddmm(&c, PASSED(a), &left, &right);
}

static void add2(void) { _mlir_ciface_mlir_add2(&c, PASSED(a), PASSED(b)); }
static void add3(void) { _mlir_ciface_mlir_add3(&c, PASSED(a), PASSED(b), PASSED(d)); }
static void multiply(void) { _mlir_ciface_mlir_multiply(&c, PASSED(a), PASSED(b)); }
static void spgemm(void) { _mlir_ciface_mlir_spgemm(&c, PASSED(a), PASSED(b)); }
static void coo_to_csr(void) { _mlir_ciface_mlir_coo_to_csr(&c, &a.pos, &row, &a.crd, &a.values); }
static void csr_to_csc(void) { _mlir_ciface_mlir_csr_to_csc(&c, PASSED(a)); }

static struct result show(void) { return (struct result){lines, 1, NULL, c.pos.start, c.crd.start, c.values.start}; }

static void release(void) {
  free(c.pos.base);
  free(c.crd.base);
  free(c.values.base);
}

#define DENSE(NAME) {#NAME, prepare, NAME, NULL, NULL}
#define SPARSE(NAME) {#NAME, prepare, NAME, show, release}
const struct operation operations[] = {
    DENSE(spmv),
    DENSE(spmm32),
    DENSE(spmm64),
    SPARSE(sddmm),
    SPARSE(add2),
    SPARSE(add3),
    SPARSE(multiply),
    SPARSE(spgemm),
    {"coo_to_csr", prepare_coo, coo_to_csr, show, release},
    {"csr_to_csc", prepare_columns, csr_to_csc, show, release},
    {NULL},
};
