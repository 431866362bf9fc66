// The kernels of operations.ta.

#include "operations.h"
#include "sparse.h"
#include <stdio.h>
#include <stdlib.h>

static enum operation operation;
static comet_tensor a, b, c, left, right;
static comet_call call;

static comet_tensor with_arrays(comet_tensor tensor, const struct matrix *matrix, int32_t *outer) {
  tensor.dims[0] = matrix->rows, tensor.dims[1] = matrix->columns;
  tensor.levels[1].crd = matrix->crd, tensor.levels[1].crd_count = matrix->entries;
  tensor.values = matrix->values, tensor.value_count = matrix->entries;
  if (outer) {
    static int32_t all[2];
    all[1] = matrix->entries;
    tensor.levels[0].pos = all, tensor.levels[0].pos_count = 2;
    tensor.levels[0].crd = outer, tensor.levels[0].crd_count = matrix->entries;
  } else {
    tensor.levels[1].pos = matrix->pos, tensor.levels[1].pos_count = matrix->rows + 1;
  }
  return tensor;
}

static comet_tensor dense(comet_tensor tensor, int64_t rows, double *values) {
  tensor.dims[0] = rows, tensor.dims[1] = COLUMNS;
  tensor.values = values, tensor.value_count = rows * COLUMNS;
  return tensor;
}

int prepare(enum operation wanted, const struct problem *problem) {
  operation = wanted;
  call = comet_new_call(NULL, NULL, NULL);
  a = with_arrays(comet_add_A(), &problem->a, NULL);
  b = with_arrays(comet_add_B(), &problem->b, NULL);
  c = comet_add_C();
  left = dense(comet_sddmm_L(), problem->a.rows, problem->left);
  right = dense(comet_sddmm_R(), problem->a.columns, problem->right);
  if (operation == COO_TO_CSR) a = with_arrays(comet_coo_to_csr_A(), &problem->a, problem->a.row);
  if (operation == CSR_TO_CSC || operation == SPGEMM_TO_CSC) c = comet_csr_to_csc_C();
  return 1;
}

void compute(void) {
  comet_status status = COMET_OK;
  switch (operation) {
  case ADD: status = add(&a, &b, &c, &call); break;
  case MULTIPLY: status = multiply(&a, &b, &c, &call); break;
  case SDDMM: status = sddmm(&a, &left, &right, &c, &call); break;
  case SPGEMM: status = spgemm(&a, &a, &c, &call); break;
  case SPGEMM_TO_CSC: status = spgemm_to_csc(&a, &a, &c, &call); break;
  case COO_TO_CSR: status = coo_to_csr(&a, &c, &call); break;
  case CSR_TO_CSC: status = csr_to_csc(&a, &c, &call); break;
  case OPERATIONS: break;
  }
  if (status != COMET_OK) {
    fprintf(stderr, "comet: %s\n", call.message);
    exit(1);
  }
}

struct result show(void) {
  const comet_level *inner = &c.levels[1];
  return (struct result){inner->pos_count - 1, c.value_count, inner->pos, inner->crd, c.values};
}

void release(void) { comet_release(&c, &call); }
