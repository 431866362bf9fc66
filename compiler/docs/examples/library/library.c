/* Calls the kernels of kernels.ta on arrays of this program. */
#include "kernels.h"
#include <stdio.h>

/* A CSR matrix of the caller's arrays. */
static comet_tensor csr(int64_t rows, int64_t columns, int32_t *pos, int32_t *crd, double *values) {
  comet_tensor A = comet_spmv_A();
  A.dims[0] = rows;
  A.dims[1] = columns;
  A.levels[1].pos = pos;
  A.levels[1].pos_count = rows + 1;
  A.levels[1].crd = crd;
  A.levels[1].crd_count = pos[rows];
  A.values = values;
  A.value_count = pos[rows];
  return A;
}

static comet_tensor vector(int64_t length, double *values) {
  comet_tensor x = comet_spmv_x();
  x.dims[0] = length;
  x.values = values;
  x.value_count = length;
  return x;
}

int main(void) {
  /* 1 0 2
     0 0 0
     0 3 4 */
  int32_t pos[] = {0, 2, 2, 4}, crd[] = {0, 2, 1, 2};
  double values[] = {1, 2, 3, 4}, x[] = {1, 10, 100}, y[3];
  comet_call call = comet_new_call(NULL, NULL, NULL);
  comet_tensor A = csr(3, 3, pos, crd, values), vx = vector(3, x), vy = vector(3, y);

  /* y has room for the result, which is written there. */
  if (spmv(&A, &vx, &vy, &call) != COMET_OK)
    return fprintf(stderr, "%s\n", call.message), 1;
  printf("y = %g %g %g\n", y[0], y[1], y[2]);

  /* C has none: the kernel allocates, and the caller frees. */
  comet_tensor C = comet_spgemm_C();
  if (spgemm(&A, &A, &C, &call) != COMET_OK)
    return fprintf(stderr, "%s\n", call.message), 1;
  const int32_t *C_pos = C.levels[1].pos, *C_crd = C.levels[1].crd;
  const double *C_values = C.values;
  for (int64_t i = 0; i < C.dims[0]; ++i)
    for (int32_t p = C_pos[i]; p < C_pos[i + 1]; ++p)
      printf("C(%d,%d) = %g\n", (int)i, C_crd[p], C_values[p]);
  comet_release(&C, &call);

  double mean;
  if (average(&A, 4, &mean, &call) != COMET_OK)
    return fprintf(stderr, "%s\n", call.message), 1;
  printf("average = %g\n", mean);

  /* A vector of two does not fit. */
  vx = vector(2, x);
  printf("%d: ", spmv(&A, &vx, &vy, &call));
  printf("%s\n", call.message);
  return 0;
}
