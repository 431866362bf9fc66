// Kernels with dense results, written by hand: pointers that share nothing, rows that are accumulated in registers, and for several threads
// parts of equal numbers of entries.

#include "loops.h"

static void spmv_lines(int64_t begin, int64_t end) {
  const int32_t *restrict pos = operand[0].levels[1].pos, *restrict crd = operand[0].levels[1].crd;
  const double *restrict a = operand[0].values, *restrict x = operand[1].values;
  double *restrict y = dense.values;
  for (int64_t i = begin; i < end; i++) {
    double sum = 0;
    for (int32_t p = pos[i]; p < pos[i + 1]; p++) sum += a[p] * x[crd[p]];
    y[i] = sum;
  }
}

#define SPMM(COLUMNS)                                                                                                                      \
  static void spmm##COLUMNS##_lines(int64_t begin, int64_t end) {                                                                          \
    const int32_t *restrict pos = operand[0].levels[1].pos, *restrict crd = operand[0].levels[1].crd;                                      \
    const double *restrict a = operand[0].values, *restrict B = operand[1].values;                                                         \
    double *restrict C = dense.values;                                                                                                     \
    for (int64_t i = begin; i < end; i++) {                                                                                                \
      double row[COLUMNS] = {0};                                                                                                           \
      for (int32_t p = pos[i]; p < pos[i + 1]; p++)                                                                                        \
        for (int k = 0; k < COLUMNS; k++) row[k] += a[p] * B[(int64_t)crd[p] * COLUMNS + k];                                               \
      memcpy(C + i * COLUMNS, row, sizeof row);                                                                                            \
    }                                                                                                                                      \
  }
SPMM(32)
SPMM(64)

#define OF_ROWS(KERNEL)                                                                                                                    \
  static void KERNEL(void) { in_parts(operand[0].levels[1].pos, operand[0].dims[0], KERNEL##_lines); }
OF_ROWS(spmv)
OF_ROWS(spmm32)
OF_ROWS(spmm64)

// The bytes that SpMV must move, moved and nothing else done: all arrays read once in their order, the result written.
static void spmv_bytes_lines(int64_t begin, int64_t end) {
#pragma clang fp reassociate(on)
  const int32_t *restrict pos = operand[0].levels[1].pos, *restrict crd = operand[0].levels[1].crd;
  const double *restrict a = operand[0].values, *restrict x = operand[1].values;
  double sum = 0;
  int32_t coordinates = 0;
  for (int32_t p = pos[begin]; p < pos[end]; p++) {
    sum += a[p];
    coordinates += crd[p];
  }
  for (int64_t i = begin; i < end; i++) dense.values[i] = pos[i] + x[i];
  if (end > begin) dense.values[begin] += sum + coordinates;
}
OF_ROWS(spmv_bytes)

// The first entry below each index of the outermost level of a CSF tensor.
static int32_t *first_entries;

static void tensor_prepare(void) {
  const struct tensor *t = &operand[0];
  int64_t count = t->levels[0].crd_count;
  first_entries = allocate((count + 1) * sizeof *first_entries);
  for (int64_t p = 0; p <= count; p++) first_entries[p] = t->levels[2].pos[t->levels[1].pos[p]];
}

#define TENSOR                                                                                                                             \
  const int32_t *restrict icrd = operand[0].levels[0].crd, *restrict jpos = operand[0].levels[1].pos;                                      \
  const int32_t *restrict jcrd = operand[0].levels[1].crd, *restrict kpos = operand[0].levels[2].pos;                                      \
  const int32_t *restrict kcrd = operand[0].levels[2].crd;                                                                                 \
  const double *restrict v = operand[0].values;                                                                                            \
  double *restrict Y = dense.values;                                                                                                       \
  const int64_t J = operand[0].dims[1];                                                                                                    \
  (void)J

enum { RANK = 32 };

static void ttv_lines(int64_t begin, int64_t end) {
  TENSOR;
  const double *restrict x = operand[1].values;
  for (int64_t p = begin; p < end; p++)
    for (int32_t q = jpos[p]; q < jpos[p + 1]; q++) {
      double sum = 0;
      for (int32_t s = kpos[q]; s < kpos[q + 1]; s++) sum += v[s] * x[kcrd[s]];
      Y[icrd[p] * J + jcrd[q]] = sum;
    }
}

static void ttm_lines(int64_t begin, int64_t end) {
  TENSOR;
  const double *restrict M = operand[1].values;
  for (int64_t p = begin; p < end; p++)
    for (int32_t q = jpos[p]; q < jpos[p + 1]; q++) {
      double row[RANK] = {0};
      for (int32_t s = kpos[q]; s < kpos[q + 1]; s++)
        for (int r = 0; r < RANK; r++) row[r] += v[s] * M[(int64_t)kcrd[s] * RANK + r];
      memcpy(Y + (icrd[p] * J + jcrd[q]) * RANK, row, sizeof row);
    }
}

static void mttkrp_lines(int64_t begin, int64_t end) {
  TENSOR;
  const double *restrict B = operand[1].values, *restrict D = operand[2].values;
  for (int64_t p = begin; p < end; p++) {
    double row[RANK] = {0};
    for (int32_t q = jpos[p]; q < jpos[p + 1]; q++) {
      double inner[RANK] = {0};
      for (int32_t s = kpos[q]; s < kpos[q + 1]; s++)
        for (int r = 0; r < RANK; r++) inner[r] += v[s] * D[(int64_t)kcrd[s] * RANK + r];
      for (int r = 0; r < RANK; r++) row[r] += inner[r] * B[(int64_t)jcrd[q] * RANK + r];
    }
    memcpy(Y + icrd[p] * RANK, row, sizeof row);
  }
}

// Elements of the result without entries.
static void clear(void) {
  int64_t slabs = dense.dims[0], size = dense.count / slabs;
#pragma omp parallel for if (parts() > 1)
  for (int64_t slab = 0; slab < slabs; slab++) memset(dense.values + slab * size, 0, size * sizeof *dense.values);
}

#define OF_TENSOR(KERNEL)                                                                                                                  \
  static void KERNEL(void) {                                                                                                               \
    clear();                                                                                                                               \
    in_parts(first_entries, operand[0].levels[0].crd_count, KERNEL##_lines);                                                               \
  }
OF_TENSOR(ttv)
OF_TENSOR(ttm)
OF_TENSOR(mttkrp)

const struct operation operations[] = {
    {"spmv", NULL, spmv},
    {"spmm32", NULL, spmm32},
    {"spmm64", NULL, spmm64},
    {"spmv_bytes", NULL, spmv_bytes},
    {"ttv", tensor_prepare, ttv},
    {"ttm", tensor_prepare, ttm},
    {"mttkrp", tensor_prepare, mttkrp},
    {NULL},
};
