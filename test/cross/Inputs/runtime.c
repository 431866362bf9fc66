// What a kernel of a CSR matrix and a dense vector asks of the run time, on one thread, and a program that compares it with a plain loop.
// A handle of a tensor is the address of the caller's structure.

#include "kernels.h"
#include <math.h>
#include <stdio.h>

enum { ROWS = 60, COLUMNS = 97, MOST = ROWS * COLUMNS };

typedef struct {
  void *allocated, *aligned;
  int64_t offset, size, stride;
} memref;

typedef void kernel_body(const int64_t *extents, const uint64_t *arguments);

static const uint64_t *call_arguments;

// The signature has the sizes `i` and `j`, in the order of the parameters.
comet_status comet_rt_kernel(const char *signature, const uint64_t *arguments, comet_call *call, kernel_body *body) {
  (void)signature, (void)call;
  const comet_tensor *A = (const comet_tensor *)arguments[0];
  call_arguments = arguments;
  body(A->dims, arguments);
  return COMET_OK;
}

void *comet_rt_argument(int64_t place, const char *at) {
  (void)at;
  return (void *)call_arguments[place];
}

// The result is the argument behind the two operands.
void *comet_rt_tensor_new(const char *format, const char *name, const char *at) {
  (void)format, (void)name, (void)at;
  return (void *)call_arguments[2];
}

void comet_rt_tensor_set_dim(comet_tensor *tensor, int64_t mode, int64_t extent, const char *stated) {
  (void)stated;
  if (tensor->dims[mode] != extent)
    abort();
}

void comet_rt_result_alloc(comet_tensor *tensor, int64_t clear, const char *at) {
  (void)at;
  for (int64_t i = 0; clear && i < tensor->value_count; i++)
    ((double *)tensor->values)[i] = 0;
}

static memref array(void *start, int64_t size) { return (memref){start, start, 0, size, 1}; }

void _mlir_ciface_comet_rt_pos_i32(memref *out, comet_tensor *tensor, int64_t level) {
  *out = array(tensor->levels[level].pos, tensor->levels[level].pos_count);
}

void _mlir_ciface_comet_rt_crd_i32(memref *out, comet_tensor *tensor, int64_t level) {
  *out = array(tensor->levels[level].crd, tensor->levels[level].crd_count);
}

void _mlir_ciface_comet_rt_values_f64(memref *out, comet_tensor *tensor) { *out = array(tensor->values, tensor->value_count); }

static void *workspace;

void _mlir_ciface_comet_rt_workspace_f64(memref *out, comet_tensor *tensor, const memref *sizes, const char *at) {
  (void)tensor, (void)at;
  int64_t size = 1;
  for (int64_t i = 0; i < sizes->size; i++)
    size *= ((int64_t *)sizes->aligned)[i];
  *out = array(workspace = calloc(size, sizeof(double)), size);
}

void comet_rt_workspaces_end(comet_tensor *tensor, const char *at) {
  (void)tensor, (void)at;
  free(workspace);
}

// One thread runs no tasks.
int64_t mlirAsyncRuntimGetNumWorkerThreads(void) { return 1; }

#define UNUSED(name) void name(void) { abort(); }
UNUSED(mlirAsyncRuntimeAddRef)
UNUSED(mlirAsyncRuntimeAddTokenToGroup)
UNUSED(mlirAsyncRuntimeAwaitAllInGroup)
UNUSED(mlirAsyncRuntimeCreateGroup)
UNUSED(mlirAsyncRuntimeCreateToken)
UNUSED(mlirAsyncRuntimeDropRef)
UNUSED(mlirAsyncRuntimeEmplaceToken)
UNUSED(mlirAsyncRuntimeExecute)
UNUSED(mlirAsyncRuntimeIsGroupError)

// Rows of 0 to 97 entries.
static int fill(int *pos, int *crd, double *values) {
  int count = 0;
  for (int i = 0; i < ROWS; pos[++i] = count)
    for (int j = 0; j < COLUMNS; j++)
      if ((i * 31 + j * 17) % 59 < i)
        crd[count] = j, values[count++] = i - 0.25 * j;
  return count;
}

int main(void) {
  static int pos[ROWS + 1], crd[MOST];
  static double values[MOST], vector[COLUMNS], result[ROWS];
  int count = fill(pos, crd, values), wrong = 0;
  for (int j = 0; j < COLUMNS; j++)
    vector[j] = 1.0 / (j + 1);
  comet_tensor A = comet_spmv_A(), x = comet_spmv_x(), y = comet_spmv_y();
  A.dims[0] = ROWS, A.dims[1] = COLUMNS, x.dims[0] = COLUMNS, y.dims[0] = ROWS;
  A.levels[1].pos = pos, A.levels[1].pos_count = ROWS + 1, A.levels[1].crd = crd, A.levels[1].crd_count = count;
  A.values = values, A.value_count = count;
  x.values = vector, x.value_count = COLUMNS;
  y.values = result, y.value_count = ROWS;
  if (spmv(&A, &x, &y, NULL) != COMET_OK)
    return 1;
  for (int i = 0; i < ROWS; i++) {
    double sum = 0;
    for (int p = pos[i]; p < pos[i + 1]; p++)
      sum += values[p] * vector[crd[p]];
    wrong += !(fabs(result[i] - sum) <= 1e-12 * fabs(sum));
  }
  printf("%d entries, %d of %d rows are wrong, y[59] = %.6f\n", count, wrong, ROWS, result[59]);
  return wrong != 0;
}
