// The loops that generated kernels are measured against, on the very arrays that the run time packed.
//
//     kernels KERNEL FOLDER REPETITIONS SIZE...
//
// The generated kernel, of the library that OURS includes the header of, is called in turn with them on the same arrays.
//
// FOLDER holds the arrays of the sparse operand (posL and crdL of level L, int32; val, f64) and the dense operands 1.npy, 2.npy. Each
// variant of the kernel runs REPETITIONS times in turn with the others; a line `VARIANT SECONDS...` reports its times, and its result goes to
// FOLDER/VARIANT.out. Memory is aligned and backed as the run time's is, so that only the loops differ.

#include "support.h"

enum { COLUMNS = 32, MOST_VARIANTS = 4 };

struct data {
  long size[8];
  int32_t *pos[4], *crd[4];
  double *val, *dense[3], *out;
};

// Defines run_comet, which passes the data to the generated kernel.
#include OURS

// Each kernel is written once and compiled twice: with plain pointers, and with `restrict` ones.
#define WITH_AND_WITHOUT_RESTRICT(KERNEL) KERNEL(plain, ) KERNEL(restrict, restrict)

#define SPMV(NAME, R)                                                                                                                      \
  static void spmv_##NAME(long rows, const int32_t *R pos, const int32_t *R crd, const double *R a, const double *R x, double *R y) {      \
    for (long i = 0; i < rows; i++) {                                                                                                      \
      y[i] = 0;                                                                                                                            \
      for (int32_t p = pos[i]; p < pos[i + 1]; p++) y[i] += a[p] * x[crd[p]];                                                              \
    }                                                                                                                                      \
  }
WITH_AND_WITHOUT_RESTRICT(SPMV)

static void spmv_tuned(long rows, const int32_t *pos, const int32_t *crd, const double *a, const double *x, double *y) {
  for (long i = 0; i < rows; i++) {
    double sum = 0;
    for (int32_t p = pos[i]; p < pos[i + 1]; p++) sum += a[p] * x[crd[p]];
    y[i] = sum;
  }
}

#define SPMM(NAME, R)                                                                                                                      \
  static void spmm_##NAME(long rows, const int32_t *R pos, const int32_t *R crd, const double *R a, const double *R B, double *R C) {      \
    for (long i = 0; i < rows; i++) {                                                                                                      \
      for (int k = 0; k < COLUMNS; k++) C[i * COLUMNS + k] = 0;                                                                            \
      for (int32_t p = pos[i]; p < pos[i + 1]; p++)                                                                                        \
        for (int k = 0; k < COLUMNS; k++) C[i * COLUMNS + k] += a[p] * B[crd[p] * COLUMNS + k];                                            \
    }                                                                                                                                      \
  }
WITH_AND_WITHOUT_RESTRICT(SPMM)

// The row stays in registers.
static void spmm_tuned(long rows, const int32_t *pos, const int32_t *crd, const double *a, const double *B, double *C) {
  for (long i = 0; i < rows; i++) {
    double row[COLUMNS] = {0};
    for (int32_t p = pos[i]; p < pos[i + 1]; p++)
      for (int k = 0; k < COLUMNS; k++) row[k] += a[p] * B[(long)crd[p] * COLUMNS + k];
    memcpy(C + i * COLUMNS, row, sizeof row);
  }
}

#define TTV(NAME, R)                                                                                                                       \
  static void ttv_##NAME(const struct data *d, const int32_t *R ipos, const int32_t *R icrd, const int32_t *R jpos,                        \
                         const int32_t *R jcrd, const int32_t *R kpos, const int32_t *R kcrd, const double *R v, const double *R x,        \
                         double *R Y) {                                                                                                    \
    long J = d->size[1];                                                                                                                   \
    memset(Y, 0, d->size[0] * J * sizeof *Y);                                                                                              \
    for (int32_t p = ipos[0]; p < ipos[1]; p++)                                                                                            \
      for (int32_t q = jpos[p]; q < jpos[p + 1]; q++)                                                                                      \
        for (int32_t s = kpos[q]; s < kpos[q + 1]; s++) Y[icrd[p] * J + jcrd[q]] += v[s] * x[kcrd[s]];                                     \
  }
WITH_AND_WITHOUT_RESTRICT(TTV)

#define TTM(NAME, R)                                                                                                                       \
  static void ttm_##NAME(const struct data *d, const int32_t *R ipos, const int32_t *R icrd, const int32_t *R jpos,                        \
                         const int32_t *R jcrd, const int32_t *R kpos, const int32_t *R kcrd, const double *R v, const double *R M,        \
                         double *R Y) {                                                                                                    \
    long J = d->size[1];                                                                                                                   \
    memset(Y, 0, d->size[0] * J * COLUMNS * sizeof *Y);                                                                                    \
    for (int32_t p = ipos[0]; p < ipos[1]; p++)                                                                                            \
      for (int32_t q = jpos[p]; q < jpos[p + 1]; q++)                                                                                      \
        for (int32_t s = kpos[q]; s < kpos[q + 1]; s++)                                                                                    \
          for (int r = 0; r < COLUMNS; r++)                                                                                                \
            Y[(icrd[p] * J + jcrd[q]) * COLUMNS + r] += v[s] * M[kcrd[s] * COLUMNS + r];                                                   \
  }
WITH_AND_WITHOUT_RESTRICT(TTM)

#define MTTKRP(NAME, R)                                                                                                                    \
  static void mttkrp_##NAME(const struct data *d, const int32_t *R ipos, const int32_t *R icrd, const int32_t *R jpos,                     \
                            const int32_t *R jcrd, const int32_t *R kpos, const int32_t *R kcrd, const double *R v, const double *R B,     \
                            const double *R C, double *R D) {                                                                              \
    memset(D, 0, d->size[0] * COLUMNS * sizeof *D);                                                                                        \
    for (int32_t p = ipos[0]; p < ipos[1]; p++)                                                                                            \
      for (int32_t q = jpos[p]; q < jpos[p + 1]; q++)                                                                                      \
        for (int32_t s = kpos[q]; s < kpos[q + 1]; s++)                                                                                    \
          for (int r = 0; r < COLUMNS; r++)                                                                                                \
            D[icrd[p] * COLUMNS + r] += v[s] * B[jcrd[q] * COLUMNS + r] * C[kcrd[s] * COLUMNS + r];                                        \
  }
WITH_AND_WITHOUT_RESTRICT(MTTKRP)

#define SDDMM(NAME, R)                                                                                                                     \
  static void sddmm_##NAME(const struct data *d, const int32_t *R pos, const int32_t *R crd, const double *R s, const double *R A,         \
                           const double *R B, double *R C) {                                                                               \
    long I = d->size[0], J = d->size[1];                                                                                                   \
    memset(C, 0, I * J * sizeof *C);                                                                                                       \
    for (long i = 0; i < I; i++)                                                                                                           \
      for (int32_t p = pos[i]; p < pos[i + 1]; p++)                                                                                        \
        for (int k = 0; k < COLUMNS; k++) C[i * J + crd[p]] += s[p] * A[i * COLUMNS + k] * B[crd[p] * COLUMNS + k];                        \
  }
WITH_AND_WITHOUT_RESTRICT(SDDMM)

#define DENSE4(NAME, R)                                                                                                                    \
  static void dense4_##NAME(long n, const double *R A, const double *R B, double *R C) {                                                   \
    for (long a = 0; a < n; a++)                                                                                                           \
      for (long b = 0; b < n; b++)                                                                                                         \
        for (long c = 0; c < n; c++) {                                                                                                     \
          for (long d = 0; d < n; d++) C[((a * n + b) * n + c) * n + d] = 0;                                                               \
          for (long e = 0; e < n; e++)                                                                                                     \
            for (long f = 0; f < n; f++)                                                                                                   \
              for (long d = 0; d < n; d++)                                                                                                 \
                C[((a * n + b) * n + c) * n + d] += A[((a * n + b) * n + e) * n + f] * B[((e * n + f) * n + c) * n + d];                   \
        }                                                                                                                                  \
  }
WITH_AND_WITHOUT_RESTRICT(DENSE4)

// The variants as functions of the data.
#define OF_MATRIX(KERNEL, VARIANT)                                                                                                         \
  static void run_##KERNEL##_##VARIANT(const struct data *d) {                                                                             \
    KERNEL##_##VARIANT(d->size[0], d->pos[1], d->crd[1], d->val, d->dense[1], d->out);                                                     \
  }
#define LEVELS d->pos[0], d->crd[0], d->pos[1], d->crd[1], d->pos[2], d->crd[2], d->val
#define OF_TENSOR(KERNEL, VARIANT)                                                                                                         \
  static void run_##KERNEL##_##VARIANT(const struct data *d) { KERNEL##_##VARIANT(d, LEVELS, d->dense[1], d->out); }
#define OF_MTTKRP(KERNEL, VARIANT)                                                                                                         \
  static void run_##KERNEL##_##VARIANT(const struct data *d) { KERNEL##_##VARIANT(d, LEVELS, d->dense[1], d->dense[2], d->out); }
#define OF_SDDMM(KERNEL, VARIANT)                                                                                                          \
  static void run_##KERNEL##_##VARIANT(const struct data *d) {                                                                             \
    KERNEL##_##VARIANT(d, d->pos[1], d->crd[1], d->val, d->dense[1], d->dense[2], d->out);                                                 \
  }
#define OF_DENSE(KERNEL, VARIANT)                                                                                                          \
  static void run_##KERNEL##_##VARIANT(const struct data *d) { KERNEL##_##VARIANT(d->size[0], d->dense[1], d->dense[2], d->out); }
#define BOTH(OF, KERNEL) OF(KERNEL, plain) OF(KERNEL, restrict)

BOTH(OF_MATRIX, spmv)
OF_MATRIX(spmv, tuned)
BOTH(OF_MATRIX, spmm)
OF_MATRIX(spmm, tuned)
BOTH(OF_TENSOR, ttv)
BOTH(OF_TENSOR, ttm)
BOTH(OF_MTTKRP, mttkrp)
BOTH(OF_SDDMM, sddmm)
BOTH(OF_DENSE, dense4)

struct variant {
  const char *kernel, *name;
  void (*run)(const struct data *);
};

#define VARIANT(KERNEL, NAME) {#KERNEL, #NAME, run_##KERNEL##_##NAME}
static const struct variant generated = {"", "comet", run_comet};
static const struct variant variants[] = {
    VARIANT(spmv, plain),     VARIANT(spmv, restrict),   VARIANT(spmv, tuned),  VARIANT(spmm, plain),      VARIANT(spmm, restrict),
    VARIANT(spmm, tuned),     VARIANT(ttv, plain),       VARIANT(ttv, restrict), VARIANT(ttm, plain),      VARIANT(ttm, restrict),
    VARIANT(mttkrp, plain),   VARIANT(mttkrp, restrict), VARIANT(sddmm, plain), VARIANT(sddmm, restrict), VARIANT(dense4, plain),
    VARIANT(dense4, restrict),
};

int main(int argc, char **argv) {
  if (argc < 6) {
    fprintf(stderr, "usage: kernels KERNEL FOLDER REPETITIONS ELEMENTS-OF-THE-RESULT SIZE...\n");
    return 1;
  }
  const char *folder = argv[2];
  int repetitions = atoi(argv[3]);
  long count = atol(argv[4]);
  struct data data = {0};
  for (int i = 5; i < argc && i < 13; i++) data.size[i - 5] = atol(argv[i]);
  char name[16];
  for (int level = 0; level < 4; level++) {
    snprintf(name, sizeof name, "pos%d", level);
    data.pos[level] = load(folder, name, 0);
    snprintf(name, sizeof name, "crd%d", level);
    data.crd[level] = load(folder, name, 0);
  }
  data.val = load(folder, "val", 0);
  for (int operand = 1; operand < 3; operand++) {
    snprintf(name, sizeof name, "%d.npy", operand);
    data.dense[operand] = load(folder, name, NPY_HEADER);
  }
  data.out = allocate(count * sizeof(double));

  const struct variant *chosen[MOST_VARIANTS];
  int number = 0;
  chosen[number++] = &generated;
  for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
    if (!strcmp(variants[v].kernel, argv[1])) chosen[number++] = &variants[v];
  double *seconds = calloc(MOST_VARIANTS * (size_t)repetitions, sizeof(double));
  for (int repetition = 0; repetition < repetitions; repetition++)
    for (int v = 0; v < number; v++) {
      double start = now();
      chosen[v]->run(&data);
      seconds[v * repetitions + repetition] = now() - start;
      if (repetition == 0) write_result(folder, chosen[v]->name, data.out, count);
    }
  for (int v = 0; v < number; v++) {
    printf("%s", chosen[v]->name);
    for (int repetition = 0; repetition < repetitions; repetition++) printf(" %.9f", seconds[v * repetitions + repetition]);
    printf("\n");
  }
  return 0;
}
