/* Calls spmv of kernels.ta on the processes of MPI together, each with its rows of the second difference. */
#include "kernels.h"
#include <mpi.h>
#include <stdio.h>

enum { ROWS = 1000 };

static comet_rows vector(comet_tensor x, double *values) {
  x.dims[0] = x.value_count = ROWS;
  x.values = values;
  return comet_rows_of(x);
}

int main(int argc, char **argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  /* Rows count from the first one of this process, columns from that of the whole matrix. */
  static int32_t pos[ROWS + 1], crd[3 * ROWS];
  static double values[3 * ROWS], squares[ROWS], differences[ROWS];
  const int64_t first = (int64_t)ROWS * rank, extent = (int64_t)ROWS * size;
  int32_t count = 0;
  for (int64_t i = first; i < first + ROWS; ++i) {
    for (int64_t j = i - 1; j <= i + 1; ++j) {
      if (j < 0 || j >= extent) continue;
      crd[count] = (int32_t)j;
      values[count++] = i == j ? -2 : 1;
    }
    pos[i - first + 1] = count;
    squares[i - first] = (double)i * (double)i;
  }

  comet_rows A = comet_rows_of(comet_spmv_A());
  A.tensor.dims[0] = ROWS, A.tensor.dims[1] = extent;
  A.tensor.levels[1].pos = pos, A.tensor.levels[1].pos_count = ROWS + 1;
  A.tensor.levels[1].crd = crd, A.tensor.levels[1].crd_count = count;
  A.tensor.values = values, A.tensor.value_count = count;
  comet_rows x = vector(comet_spmv_x(), squares), y = vector(comet_spmv_y(), differences);

  comet_call call = comet_new_call(NULL, NULL, NULL);
  call.flags = COMET_DISTRIBUTED;
  call.comm = MPI_Comm_c2f(MPI_COMM_WORLD);
  if (spmv(&A.tensor, &x.tensor, &y.tensor, &call) != COMET_OK) {
    fprintf(stderr, "process %d: %s\n", rank, call.message);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }

  /* All are 2 but the first and the last one. */
  int64_t twos = 0, all = 0;
  for (int i = 0; i < ROWS; ++i) twos += differences[i] == 2;
  MPI_Reduce(&twos, &all, 1, MPI_INT64_T, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%lld of %lld rows are 2\n", (long long)all, (long long)y.extent);
  MPI_Finalize();
}
