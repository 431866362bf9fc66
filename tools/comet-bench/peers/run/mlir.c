// The functions of operations.mlir.

#include "sparse.h"
#include <stdlib.h>

// memref<?x…>, and memref<?x?x…>.
struct array { void *base, *start; int64_t offset, size, stride; };
struct table { void *base, *start; int64_t offset, sizes[2], strides[2]; };
struct arrays { struct array pos, crd, values; };

#define MATRIX struct array *pos, struct array *crd, struct array *values
void _mlir_ciface_mlir_add(struct arrays *, MATRIX, struct array *, struct array *, struct array *);
void _mlir_ciface_mlir_multiply(struct arrays *, MATRIX, struct array *, struct array *, struct array *);
void _mlir_ciface_mlir_sddmm(struct arrays *, MATRIX, struct table *left, struct table *right);
void _mlir_ciface_mlir_spgemm(struct arrays *, MATRIX);
void _mlir_ciface_mlir_coo_to_csr(struct arrays *, struct array *pos, struct array *row, struct array *crd, struct array *values);
void _mlir_ciface_mlir_csr_to_csc(struct arrays *, MATRIX);

static enum operation operation;
static int64_t lines;
static struct arrays a, b, c;
static struct array all, row;
static struct table left, right;

static struct array array_of(void *start, int64_t size) { return (struct array){start, start, 0, size, 1}; }

static struct arrays arrays_of(const struct matrix *m) {
  return (struct arrays){array_of(m->pos, m->rows + 1), array_of(m->crd, m->entries), array_of(m->values, m->entries)};
}

static struct table table_of(double *start, int64_t size) {
  return (struct table){start, start, 0, {size, COLUMNS}, {COLUMNS, 1}};
}

int prepare(enum operation wanted, const struct problem *problem) {
  static int32_t both[2];
  operation = wanted;
  both[1] = problem->a.entries;
  all = array_of(both, 2);
  row = array_of(problem->a.row, problem->a.entries);
  a = arrays_of(&problem->a);
  b = arrays_of(&problem->b);
  left = table_of(problem->left, problem->a.rows);
  right = table_of(problem->right, problem->a.columns);
  lines = operation == CSR_TO_CSC ? problem->a.columns : problem->a.rows;
  return operation != SPGEMM_TO_CSC;
}

void compute(void) {
  switch (operation) {
  case ADD: _mlir_ciface_mlir_add(&c, &a.pos, &a.crd, &a.values, &b.pos, &b.crd, &b.values); break;
  case MULTIPLY: _mlir_ciface_mlir_multiply(&c, &a.pos, &a.crd, &a.values, &b.pos, &b.crd, &b.values); break;
  case SDDMM: _mlir_ciface_mlir_sddmm(&c, &a.pos, &a.crd, &a.values, &left, &right); break;
  case SPGEMM: _mlir_ciface_mlir_spgemm(&c, &a.pos, &a.crd, &a.values); break;
  case COO_TO_CSR: _mlir_ciface_mlir_coo_to_csr(&c, &all, &row, &a.crd, &a.values); break;
  case CSR_TO_CSC: _mlir_ciface_mlir_csr_to_csc(&c, &a.pos, &a.crd, &a.values); break;
  case OPERATIONS: break;
  }
}

struct result show(void) {
  const int32_t *pos = c.pos.start;
  return (struct result){lines, pos[lines], pos, c.crd.start, c.values.start};
}

void release(void) {
  free(c.pos.base);
  free(c.crd.base);
  free(c.values.base);
}
