// SuiteSparse:GraphBLAS, whose indices have 64 bits.

#include "sparse.h"
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>

static enum operation operation;
static GrB_Matrix a, b, c, left, right;
static GrB_Index rows, columns, entries, *coo_rows, *coo_columns;
static const double *coo_values;

static void done(GrB_Info info) {
  if (info == GrB_SUCCESS) return;
  fprintf(stderr, "GraphBLAS: error %d\n", (int)info);
  exit(1);
}

static GrB_Index *widened(const int32_t *indices, int64_t count) {
  GrB_Index *wide = malloc((count + 1) * sizeof *wide);
  for (int64_t i = 0; i < count; i++) wide[i] = indices[i];
  return wide;
}

static double *copied(const double *values, int64_t count) {
  double *copy = malloc((count + 1) * sizeof *copy);
  for (int64_t i = 0; i < count; i++) copy[i] = values[i];
  return copy;
}

static GrB_Matrix imported(const struct matrix *m) {
  GrB_Matrix matrix;
  GrB_Index *pos = widened(m->pos, m->rows + 1), *crd = widened(m->crd, m->entries);
  void *values = copied(m->values, m->entries);
  done(GxB_Matrix_import_CSR(&matrix, GrB_FP64, m->rows, m->columns, &pos, &crd, &values, (m->rows + 1) * sizeof *pos,
                             m->entries * sizeof *crd, m->entries * sizeof(double), false, false, NULL));
  return matrix;
}

static GrB_Matrix imported_dense(const double *values, int64_t count) {
  GrB_Matrix matrix;
  void *copy = copied(values, count * COLUMNS);
  done(GxB_Matrix_import_FullR(&matrix, GrB_FP64, count, COLUMNS, &copy, count * COLUMNS * sizeof(double), false, NULL));
  return matrix;
}

int prepare(enum operation wanted, const struct problem *problem) {
  operation = wanted;
  done(GrB_init(GrB_BLOCKING));
  done(GxB_Global_Option_set(GxB_NTHREADS, 1));
  done(GxB_Global_Option_set(GxB_FORMAT, GxB_BY_ROW));
  rows = problem->a.rows, columns = problem->a.columns, entries = problem->a.entries;
  a = imported(&problem->a);
  b = imported(&problem->b);
  left = imported_dense(problem->left, rows);
  right = imported_dense(problem->right, columns);
  coo_rows = widened(problem->a.row, entries);
  coo_columns = widened(problem->a.crd, entries);
  coo_values = problem->a.values;
  return operation != SPGEMM_TO_CSC;
}

static void sampled(void) {
  done(GrB_mxm(c, a, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, left, right, GrB_DESC_ST1));
  done(GrB_eWiseMult(c, NULL, NULL, GrB_TIMES_FP64, c, a, NULL));
}

void compute(void) {
  if (operation == CSR_TO_CSC)
    done(GrB_Matrix_new(&c, GrB_FP64, columns, rows)); // the transpose by rows has the arrays of CSC
  else
    done(GrB_Matrix_new(&c, GrB_FP64, rows, operation == SPGEMM ? rows : columns));
  done(GxB_Matrix_Option_set(c, GxB_SPARSITY_CONTROL, GxB_SPARSE));
  switch (operation) {
  case ADD: done(GrB_eWiseAdd(c, NULL, NULL, GrB_PLUS_FP64, a, b, NULL)); break;
  case MULTIPLY: done(GrB_eWiseMult(c, NULL, NULL, GrB_TIMES_FP64, a, b, NULL)); break;
  case SDDMM: sampled(); break;
  case SPGEMM: done(GrB_mxm(c, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, a, a, NULL)); break;
  case COO_TO_CSR: done(GrB_Matrix_build(c, coo_rows, coo_columns, coo_values, entries, GrB_PLUS_FP64)); break;
  case CSR_TO_CSC: done(GrB_transpose(c, NULL, NULL, a, NULL)); break;
  case OPERATIONS: break;
  }
  done(GrB_wait(c, GrB_MATERIALIZE)); // sorts the rows
}

static int32_t *narrowed(const GrB_Index *indices, int64_t count) {
  int32_t *narrow = malloc((count + 1) * sizeof *narrow);
  for (int64_t i = 0; i < count; i++) narrow[i] = indices[i];
  return narrow;
}

struct result show(void) {
  GrB_Type type;
  GrB_Index lines, across, *pos, *crd, pos_bytes, crd_bytes, value_bytes;
  void *values;
  bool iso;
  done(GxB_Matrix_export_CSR(&c, &type, &lines, &across, &pos, &crd, &values, &pos_bytes, &crd_bytes, &value_bytes, &iso, NULL, NULL));
  if (iso) done(GrB_INVALID_VALUE); // one value for all entries: the data is none that does so
  return (struct result){lines, pos[lines], narrowed(pos, lines + 1), narrowed(crd, pos[lines]), values};
}

void release(void) {
  if (c) done(GrB_free(&c));
}
