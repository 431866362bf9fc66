// SuiteSparse:GraphBLAS, whose indices have 64 bits.

#include "peer.h"
#include <GraphBLAS.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static GrB_Matrix in[MOST_OPERANDS], c, y;
static GrB_Index *coo_rows, *coo_columns;

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

static void *copied(const double *values, int64_t count) { return memcpy(malloc((count + 1) * sizeof *values), values, count * sizeof *values); }

static GrB_Matrix imported(const struct tensor *t) {
  GrB_Matrix matrix;
  const struct level *level = &t->levels[1];
  void *values = copied(t->values, t->count);
  if (!level->pos) {
    GrB_Index columns = t->rank == 1 ? 1 : t->dims[1];
    done(GxB_Matrix_import_FullR(&matrix, GrB_FP64, t->dims[0], columns, &values, t->count * sizeof(double), false, NULL));
    return matrix;
  }
  GrB_Index *pos = widened(level->pos, level->pos_count), *crd = widened(level->crd, t->count);
  done(GxB_Matrix_import_CSR(&matrix, GrB_FP64, t->dims[0], t->dims[1], &pos, &crd, &values, level->pos_count * sizeof *pos,
                             t->count * sizeof *crd, t->count * sizeof(double), false, false, NULL));
  return matrix;
}

static void initialize(void) {
  const char *threads = getenv("OMP_NUM_THREADS");
  done(GrB_init(GrB_BLOCKING));
  done(GxB_Global_Option_set(GxB_NTHREADS, threads ? atoi(threads) : 1));
  done(GxB_Global_Option_set(GxB_FORMAT, GxB_BY_ROW));
}

static void prepare(void) {
  initialize();
  for (int i = 0; i < MOST_OPERANDS && operand[i].rank; i++) in[i] = imported(&operand[i]);
}

static void prepare_coo(void) {
  initialize();
  coo_rows = widened(operand[0].levels[0].crd, operand[0].count);
  coo_columns = widened(operand[0].levels[1].crd, operand[0].count);
}

static void make(GrB_Index rows, GrB_Index columns) {
  done(GrB_Matrix_new(&c, GrB_FP64, rows, columns));
  done(GxB_Matrix_Option_set(c, GxB_SPARSITY_CONTROL, GxB_SPARSE));
}

// Rows are sorted only when something waits for them.
static void finish(void) { done(GrB_wait(c, GrB_MATERIALIZE)); }

static void prepare_dense(void) {
  prepare();
  done(GrB_Matrix_new(&y, GrB_FP64, dense.dims[0], dense.rank == 1 ? 1 : dense.dims[1]));
}

// Its dense result is a matrix of its own, made anew in each call.
static void multiply_dense(void) {
  done(GrB_mxm(y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, in[0], in[1], NULL));
  done(GrB_wait(y, GrB_MATERIALIZE));
}

static void sddmm(void) {
  make(operand[0].dims[0], operand[0].dims[1]);
  done(GrB_mxm(c, in[0], NULL, GrB_PLUS_TIMES_SEMIRING_FP64, in[1], in[2], GrB_DESC_ST1));
  done(GrB_eWiseMult(c, NULL, NULL, GrB_TIMES_FP64, c, in[0], NULL));
  finish();
}

static void add2(void) {
  make(operand[0].dims[0], operand[0].dims[1]);
  done(GrB_eWiseAdd(c, NULL, NULL, GrB_PLUS_FP64, in[0], in[1], NULL));
  finish();
}

static void add3(void) {
  make(operand[0].dims[0], operand[0].dims[1]);
  done(GrB_eWiseAdd(c, NULL, NULL, GrB_PLUS_FP64, in[0], in[1], NULL));
  done(GrB_eWiseAdd(c, NULL, NULL, GrB_PLUS_FP64, c, in[2], NULL));
  finish();
}

static void multiply(void) {
  make(operand[0].dims[0], operand[0].dims[1]);
  done(GrB_eWiseMult(c, NULL, NULL, GrB_TIMES_FP64, in[0], in[1], NULL));
  finish();
}

static void spgemm(void) {
  make(operand[0].dims[0], operand[1].dims[1]);
  done(GrB_mxm(c, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, in[0], in[1], NULL));
  finish();
}

static void coo_to_csr(void) {
  make(operand[0].dims[0], operand[0].dims[1]);
  done(GrB_Matrix_build(c, coo_rows, coo_columns, operand[0].values, operand[0].count, GrB_PLUS_FP64));
  finish();
}

// The transpose by rows has the arrays of CSC.
static void csr_to_csc(void) {
  make(operand[0].dims[1], operand[0].dims[0]);
  done(GrB_transpose(c, NULL, NULL, in[0], NULL));
  finish();
}

static int32_t *narrowed(const GrB_Index *indices, int64_t count) {
  int32_t *narrow = malloc((count + 1) * sizeof *narrow);
  for (int64_t i = 0; i < count; i++) narrow[i] = indices[i];
  return narrow;
}

static struct result exported(GrB_Matrix *matrix) {
  GrB_Type type;
  GrB_Index lines, across, *pos, *crd, pos_bytes, crd_bytes, value_bytes;
  void *values;
  bool iso;
  done(GxB_Matrix_export_CSR(matrix, &type, &lines, &across, &pos, &crd, &values, &pos_bytes, &crd_bytes, &value_bytes, &iso, NULL, NULL));
  // One value for all entries.
  double *all = values;
  if (iso) {
    all = malloc((pos[lines] + 1) * sizeof *all);
    for (GrB_Index e = 0; e < pos[lines]; e++) all[e] = *(double *)values;
  }
  return (struct result){lines, 1, NULL, narrowed(pos, lines + 1), narrowed(crd, pos[lines]), all};
}

static struct result show(void) { return exported(&c); }

// Elements that are not there are zeros.
static struct result show_dense(void) {
  GrB_Index count = dense.count, columns = dense.rank == 1 ? 1 : dense.dims[1];
  GrB_Index *row = malloc(count * sizeof *row), *column = malloc(count * sizeof *column);
  double *values = malloc(count * sizeof *values);
  done(GrB_Matrix_extractTuples(row, column, values, &count, y));
  memset(dense.values, 0, dense.count * sizeof *dense.values);
  for (GrB_Index e = 0; e < count; e++) dense.values[row[e] * columns + column[e]] = values[e];
  free(row), free(column), free(values);
  return (struct result){.values = dense.values};
}

static void release(void) {
  if (c) done(GrB_free(&c));
}

#define DENSE(NAME) {NAME, prepare_dense, multiply_dense, show_dense, NULL}
#define SPARSE(NAME) {#NAME, prepare, NAME, show, release}
const struct operation operations[] = {
    DENSE("spmv"),    DENSE("spmm32"),  DENSE("spmm64"), SPARSE(sddmm), SPARSE(add2),
    SPARSE(add3),     SPARSE(multiply), SPARSE(spgemm),  {"coo_to_csr", prepare_coo, coo_to_csr, show, release},
    SPARSE(csr_to_csc), {NULL},
};
