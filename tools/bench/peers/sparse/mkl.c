// Intel MKL's sparse BLAS. It has neither an elementwise product nor SDDMM.

#include "sparse.h"
#include <stdio.h>
#include <stdlib.h>

// What is used of mkl_spblas.h, which is in another package than the library.
typedef void *sparse_matrix_t;
enum { NON_TRANSPOSED = 10, TRANSPOSED = 11, ZERO_BASED = 0 };
int mkl_sparse_d_create_csr(sparse_matrix_t *, int base, int rows, int columns, int *starts, int *ends, int *crd, double *values);
int mkl_sparse_d_create_coo(sparse_matrix_t *, int base, int rows, int columns, int entries, int *row, int *crd, double *values);
int mkl_sparse_d_export_csr(sparse_matrix_t, int *base, int *rows, int *columns, int **starts, int **ends, int **crd, double **values);
int mkl_sparse_d_add(int transposed, sparse_matrix_t, double factor, sparse_matrix_t, sparse_matrix_t *);
int mkl_sparse_spmm(int transposed, sparse_matrix_t, sparse_matrix_t, sparse_matrix_t *);
int mkl_sparse_convert_csr(sparse_matrix_t, int transposed, sparse_matrix_t *);
int mkl_sparse_order(sparse_matrix_t);
int mkl_sparse_destroy(sparse_matrix_t);

static enum operation operation;
static sparse_matrix_t a, b, c, coo;

static void done(int status) {
  if (status == 0) return;
  fprintf(stderr, "MKL: error %d\n", status);
  exit(1);
}

static sparse_matrix_t csr(const struct matrix *m) {
  sparse_matrix_t matrix;
  done(mkl_sparse_d_create_csr(&matrix, ZERO_BASED, m->rows, m->columns, m->pos, m->pos + 1, m->crd, m->values));
  return matrix;
}

int prepare(enum operation wanted, const struct problem *problem) {
  const struct matrix *m = &problem->a;
  operation = wanted;
  a = csr(m);
  b = csr(&problem->b);
  done(mkl_sparse_d_create_coo(&coo, ZERO_BASED, m->rows, m->columns, m->entries, m->row, m->crd, m->values));
  return operation != MULTIPLY && operation != SDDMM && operation != SPGEMM_TO_CSC;
}

void compute(void) {
  switch (operation) {
  case ADD: done(mkl_sparse_d_add(NON_TRANSPOSED, a, 1.0, b, &c)); break;
  case SPGEMM:
    done(mkl_sparse_spmm(NON_TRANSPOSED, a, a, &c));
    done(mkl_sparse_order(c));
    break;
  case COO_TO_CSR: done(mkl_sparse_convert_csr(coo, NON_TRANSPOSED, &c)); break;
  case CSR_TO_CSC: done(mkl_sparse_convert_csr(a, TRANSPOSED, &c)); break;
  default: break;
  }
}

struct result show(void) {
  int base, rows, columns, *starts, *ends, *crd;
  double *values;
  done(mkl_sparse_order(c));
  done(mkl_sparse_d_export_csr(c, &base, &rows, &columns, &starts, &ends, &crd, &values));
  int32_t *pos = malloc((rows + 1) * sizeof *pos);
  pos[0] = starts[0];
  for (int row = 0; row < rows; row++) pos[row + 1] = ends[row];
  return (struct result){rows, pos[rows], pos, crd, values};
}

void release(void) { done(mkl_sparse_destroy(c)); }
