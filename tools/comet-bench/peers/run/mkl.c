// Intel MKL's sparse BLAS. It has neither an elementwise product nor SDDMM. The fibers of a tensor are the rows of a matrix, and so the values
// of a sparse result of TTV and TTM are a product.

#include "../support.h"
#include "peer.h"

// What is used of mkl_spblas.h, which is in another package than the library.
typedef void *sparse_matrix_t;
struct matrix_descr {
  int type, mode, diag;
};
enum { NON_TRANSPOSED = 10, TRANSPOSED = 11, ZERO_BASED = 0, GENERAL = 20, ROW_MAJOR = 101, CALLS = 1000 };
int mkl_sparse_d_create_csr(sparse_matrix_t *, int base, int rows, int columns, int *starts, int *ends, int *crd, double *values);
int mkl_sparse_d_create_coo(sparse_matrix_t *, int base, int rows, int columns, int entries, int *row, int *crd, double *values);
int mkl_sparse_d_export_csr(sparse_matrix_t, int *base, int *rows, int *columns, int **starts, int **ends, int **crd, double **values);
int mkl_sparse_set_mv_hint(sparse_matrix_t, int transposed, struct matrix_descr, int calls);
int mkl_sparse_set_mm_hint(sparse_matrix_t, int transposed, struct matrix_descr, int layout, int columns, int calls);
int mkl_sparse_optimize(sparse_matrix_t);
int mkl_sparse_d_mv(int transposed, double, sparse_matrix_t, struct matrix_descr, const double *x, double, double *y);
int mkl_sparse_d_mm(int transposed, double, sparse_matrix_t, struct matrix_descr, int layout, const double *, int columns, int, double,
                    double *, int);
int mkl_sparse_d_add(int transposed, sparse_matrix_t, double factor, sparse_matrix_t, sparse_matrix_t *);
int mkl_sparse_spmm(int transposed, sparse_matrix_t, sparse_matrix_t, sparse_matrix_t *);
int mkl_sparse_convert_csr(sparse_matrix_t, int transposed, sparse_matrix_t *);
int mkl_sparse_order(sparse_matrix_t);
int mkl_sparse_destroy(sparse_matrix_t);

static const struct matrix_descr general = {GENERAL, 0, 0};
static sparse_matrix_t in[MOST_OPERANDS], c;

static void done(int status) {
  if (status == 0) return;
  fprintf(stderr, "MKL: error %d\n", status);
  exit(1);
}

static sparse_matrix_t csr(int64_t rows, int64_t columns, const struct level *level, double *values) {
  sparse_matrix_t matrix;
  done(mkl_sparse_d_create_csr(&matrix, ZERO_BASED, rows, columns, level->pos, level->pos + 1, level->crd, values));
  return matrix;
}

// ---- a matrix, or the fibers of a tensor, times a dense matrix ----

static int64_t width(void) { return operand[1].rank == 1 ? 1 : operand[1].dims[1]; }

// MKL may look at the matrix before, as for its solvers.
static void inspect(void) {
  done(width() == 1 ? mkl_sparse_set_mv_hint(in[0], NON_TRANSPOSED, general, CALLS)
                    : mkl_sparse_set_mm_hint(in[0], NON_TRANSPOSED, general, ROW_MAJOR, width(), CALLS));
  done(mkl_sparse_optimize(in[0]));
}

static void multiply_into(double *result) {
  const double *factor = operand[1].values;
  int64_t columns = width();
  if (columns == 1)
    done(mkl_sparse_d_mv(NON_TRANSPOSED, 1.0, in[0], general, factor, 0.0, result));
  else
    done(mkl_sparse_d_mm(NON_TRANSPOSED, 1.0, in[0], general, ROW_MAJOR, factor, columns, columns, 0.0, result, columns));
}

static void prepare_matrix(void) {
  in[0] = csr(operand[0].dims[0], operand[0].dims[1], &operand[0].levels[1], operand[0].values);
  inspect();
}

static void multiply(void) { multiply_into(dense.values); }

static struct result made;

static void prepare_fibers(void) {
  in[0] = csr(operand[0].levels[1].crd_count, operand[0].dims[2], &operand[0].levels[2], operand[0].values);
  inspect();
}

static int32_t *copied(const int32_t *indices, int64_t count) {
  return memcpy(allocate(count * sizeof *indices), indices, count * sizeof *indices);
}

static void multiply_fibers(void) {
  const struct level *i = &operand[0].levels[0], *j = &operand[0].levels[1];
  double *values = allocate(j->crd_count * width() * sizeof *values);
  multiply_into(values);
  made = (struct result){i->crd_count, width(), copied(i->crd, i->crd_count), copied(j->pos, j->pos_count), copied(j->crd, j->crd_count), values};
}

static struct result show_fibers(void) { return made; }

static void release_fibers(void) {
  free((void *)made.outer);
  free((void *)made.pos);
  free((void *)made.crd);
  free((void *)made.values);
}

// ---- sparse results ----

static void prepare(void) {
  for (int i = 0; i < MOST_OPERANDS && operand[i].rank; i++)
    in[i] = csr(operand[i].dims[0], operand[i].dims[1], &operand[i].levels[1], operand[i].values);
}

static void prepare_coo(void) {
  const struct tensor *t = &operand[0];
  done(mkl_sparse_d_create_coo(&in[0], ZERO_BASED, t->dims[0], t->dims[1], t->count, t->levels[0].crd, t->levels[1].crd, t->values));
}

static void add2(void) { done(mkl_sparse_d_add(NON_TRANSPOSED, in[0], 1.0, in[1], &c)); }

static void add3(void) {
  sparse_matrix_t first;
  done(mkl_sparse_d_add(NON_TRANSPOSED, in[0], 1.0, in[1], &first));
  done(mkl_sparse_d_add(NON_TRANSPOSED, first, 1.0, in[2], &c));
  done(mkl_sparse_destroy(first));
}

static void spgemm(void) {
  done(mkl_sparse_spmm(NON_TRANSPOSED, in[0], in[1], &c));
  done(mkl_sparse_order(c));
}

static void coo_to_csr(void) { done(mkl_sparse_convert_csr(in[0], NON_TRANSPOSED, &c)); }

static void csr_to_csc(void) { done(mkl_sparse_convert_csr(in[0], TRANSPOSED, &c)); }

static struct result show(void) {
  int base, rows, columns, *starts, *ends, *crd;
  double *values;
  done(mkl_sparse_order(c));
  done(mkl_sparse_d_export_csr(c, &base, &rows, &columns, &starts, &ends, &crd, &values));
  int32_t *pos = malloc((rows + 1) * sizeof *pos);
  pos[0] = starts[0];
  for (int row = 0; row < rows; row++) pos[row + 1] = ends[row];
  return (struct result){rows, 1, NULL, pos, crd, values};
}

static void release(void) { done(mkl_sparse_destroy(c)); }

const struct operation operations[] = {
    {"spmv", prepare_matrix, multiply, NULL, NULL},
    {"spmm32", prepare_matrix, multiply, NULL, NULL},
    {"spmm64", prepare_matrix, multiply, NULL, NULL},
    {"ttv_sparse", prepare_fibers, multiply_fibers, show_fibers, release_fibers},
    {"ttm_sparse", prepare_fibers, multiply_fibers, show_fibers, release_fibers},
    {"add2", prepare, add2, show, release},
    {"add3", prepare, add3, show, release},
    {"spgemm", prepare, spgemm, show, release},
    {"coo_to_csr", prepare_coo, coo_to_csr, show, release},
    {"csr_to_csc", prepare, csr_to_csc, show, release},
    {NULL},
};
