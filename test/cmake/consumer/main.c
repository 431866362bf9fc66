/* A x in C, with one call of the library. */
#include "spmv.h"

#include <stdio.h>

int main(void) {
  int32_t pos[] = {0, 2, 3}, crd[] = {0, 1, 1};
  double values[] = {1, 2, 3}, x[] = {10, 100}, y[2];
  comet_tensor A = comet_spmv_A(), X = comet_spmv_x(), Y = comet_spmv_y();
  comet_call call = comet_new_call(NULL, NULL, NULL);
  A.dims[0] = A.dims[1] = X.dims[0] = Y.dims[0] = 2;
  A.levels[1].pos = pos, A.levels[1].pos_count = 3;
  A.levels[1].crd = crd, A.levels[1].crd_count = 3;
  A.values = values, A.value_count = 3;
  X.values = x, X.value_count = Y.value_count = 2;
  Y.values = y;
  if (spmv(&A, &X, &Y, &call) != COMET_OK) {
    fprintf(stderr, "%s\n", call.message);
    return 1;
  }
  return !(y[0] == 210 && y[1] == 300);
}
