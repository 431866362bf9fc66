// Kernels with sparse results, written by hand. With one thread what is merged goes where it belongs at once, in memory for the most that it
// can be; several threads count first, and then fill.

#include "loops.h"

// Entries of a row, merged.
typedef int64_t merging(int64_t row, int32_t *crd, double *values);

static struct result made;

static struct result show(void) { return made; }

static void release(void) {
  free((void *)made.outer);
  free((void *)made.pos);
  free((void *)made.crd);
  free((void *)made.values);
}

static void make(int64_t lines, int64_t entries) {
  made = (struct result){lines, 1, NULL, room((lines + 1) * sizeof(int32_t)), room(entries * sizeof(int32_t)),
                         room(entries * sizeof(double))};
}

static int64_t entries_of(const struct tensor *t) { return t->count; }

// ---- the pattern of an operand: SDDMM, TTV, TTM ----

enum { RANK = 32, LANES = 8 };

static void sddmm_lines(int64_t begin, int64_t end) {
  const int32_t *restrict pos = operand[0].levels[1].pos, *restrict crd = operand[0].levels[1].crd;
  const double *restrict a = operand[0].values, *restrict L = operand[1].values, *restrict R = operand[2].values;
  double *restrict c = (double *)made.values;
  for (int64_t i = begin; i < end; i++)
    for (int32_t p = pos[i]; p < pos[i + 1]; p++) {
      double sums[LANES] = {0};
      for (int k = 0; k < RANK; k += LANES)
        for (int lane = 0; lane < LANES; lane++) sums[lane] += L[i * RANK + k + lane] * R[(int64_t)crd[p] * RANK + k + lane];
      for (int half = LANES / 2; half > 0; half /= 2)
        for (int lane = 0; lane < half; lane++) sums[lane] += sums[lane + half];
      c[p] = a[p] * sums[0];
    }
}

static void sddmm(void) {
  const struct level *level = &operand[0].levels[1];
  int64_t lines = operand[0].dims[0], entries = entries_of(&operand[0]);
  made = (struct result){lines, 1, NULL, copied(level->pos, (lines + 1) * sizeof(int32_t)), copied(level->crd, entries * sizeof(int32_t)),
                         room(entries * sizeof(double))};
  in_parts(level->pos, lines, sddmm_lines);
}

// Fibers of a CSF tensor, whose first two levels are those of the result.
static void fibers(int64_t width) {
  const struct level *i = &operand[0].levels[0], *j = &operand[0].levels[1];
  made = (struct result){i->crd_count, width, copied(i->crd, i->crd_count * sizeof(int32_t)), copied(j->pos, j->pos_count * sizeof(int32_t)),
                         copied(j->crd, j->crd_count * sizeof(int32_t)), room(j->crd_count * width * sizeof(double))};
}

#define FIBERS                                                                                                                             \
  const int32_t *restrict pos = operand[0].levels[2].pos, *restrict crd = operand[0].levels[2].crd;                                        \
  const double *restrict v = operand[0].values, *restrict M = operand[1].values;                                                           \
  double *restrict Y = (double *)made.values

static void ttv_lines(int64_t begin, int64_t end) {
  FIBERS;
  for (int64_t q = begin; q < end; q++) {
    double sum = 0;
    for (int32_t s = pos[q]; s < pos[q + 1]; s++) sum += v[s] * M[crd[s]];
    Y[q] = sum;
  }
}

static void ttm_lines(int64_t begin, int64_t end) {
  FIBERS;
  for (int64_t q = begin; q < end; q++) {
    double row[RANK] = {0};
    for (int32_t s = pos[q]; s < pos[q + 1]; s++)
      for (int r = 0; r < RANK; r++) row[r] += v[s] * M[(int64_t)crd[s] * RANK + r];
    memcpy(Y + q * RANK, row, sizeof row);
  }
}

static void ttv_sparse(void) {
  fibers(1);
  in_parts(operand[0].levels[2].pos, operand[0].levels[1].crd_count, ttv_lines);
}

static void ttm_sparse(void) {
  fibers(RANK);
  in_parts(operand[0].levels[2].pos, operand[0].levels[1].crd_count, ttm_lines);
}

// ---- rows that are merged ----

static void sum_up(int32_t *pos, int64_t lines) {
  pos[0] = 0;
  for (int64_t i = 0; i < lines; i++) pos[i + 1] += pos[i];
}

// `most` is how many entries there can be.
static inline __attribute__((always_inline)) void merged(int64_t most, merging *count, merging *fill) {
  int64_t lines = operand[0].dims[0];
  if (parts() == 1) {
    make(lines, most);
    int32_t *pos = (int32_t *)made.pos, n = pos[0] = 0;
    for (int64_t i = 0; i < lines; i++) pos[i + 1] = n += fill(i, (int32_t *)made.crd + n, (double *)made.values + n);
    return;
  }
  int32_t *pos = room((lines + 1) * sizeof *pos);
#pragma omp parallel for schedule(dynamic, 512)
  for (int64_t i = 0; i < lines; i++) pos[i + 1] = count(i, NULL, NULL);
  sum_up(pos, lines);
  made = (struct result){lines, 1, NULL, pos, room(pos[lines] * sizeof(int32_t)), room(pos[lines] * sizeof(double))};
#pragma omp parallel for schedule(dynamic, 512)
  for (int64_t i = 0; i < lines; i++) fill(i, (int32_t *)made.crd + pos[i], (double *)made.values + pos[i]);
}

#define ROW(X, NUMBER)                                                                                                                     \
  int32_t X##p = operand[NUMBER].levels[1].pos[row], X##e = operand[NUMBER].levels[1].pos[row + 1];                                        \
  const int32_t *restrict X##crd = operand[NUMBER].levels[1].crd;                                                                          \
  const double *restrict X##val = operand[NUMBER].values

// Each once with its entries stored and once only counted.
#define STORED(J, VALUE) (crd[n] = J, values[n] = VALUE, n++)
#define COUNTED(J, VALUE) ((void)(J), n++)

#define ADD2(NAME, PUT)                                                                                                                    \
  static inline int64_t add2_##NAME(int64_t row, int32_t *restrict crd, double *restrict values) {                                         \
    (void)crd, (void)values;                                                                                                               \
    ROW(a, 0);                                                                                                                             \
    ROW(b, 1);                                                                                                                             \
    int64_t n = 0;                                                                                                                         \
    while (ap < ae && bp < be) {                                                                                                           \
      int32_t i = acrd[ap], j = bcrd[bp];                                                                                                  \
      if (i == j)                                                                                                                          \
        PUT(i, aval[ap] + bval[bp]), ap++, bp++;                                                                                           \
      else if (i < j)                                                                                                                      \
        PUT(i, aval[ap]), ap++;                                                                                                            \
      else                                                                                                                                 \
        PUT(j, bval[bp]), bp++;                                                                                                            \
    }                                                                                                                                      \
    for (; ap < ae; ap++) PUT(acrd[ap], aval[ap]);                                                                                         \
    for (; bp < be; bp++) PUT(bcrd[bp], bval[bp]);                                                                                         \
    (void)aval, (void)bval;                                                                                                                \
    return n;                                                                                                                              \
  }
ADD2(count, COUNTED)
ADD2(fill, STORED)

// Where an operand has no more, its column is behind all others.
#define ADD3(NAME, PUT)                                                                                                                    \
  static inline int64_t add3_##NAME(int64_t row, int32_t *restrict crd, double *restrict values) {                                         \
    (void)crd, (void)values;                                                                                                               \
    ROW(a, 0);                                                                                                                             \
    ROW(b, 1);                                                                                                                             \
    ROW(c, 2);                                                                                                                             \
    int64_t n = 0;                                                                                                                         \
    for (;;) {                                                                                                                             \
      int32_t i = ap < ae ? acrd[ap] : INT32_MAX, j = bp < be ? bcrd[bp] : INT32_MAX, k = cp < ce ? ccrd[cp] : INT32_MAX;                  \
      int32_t column = i < j ? i : j;                                                                                                      \
      column = column < k ? column : k;                                                                                                    \
      if (column == INT32_MAX) return n;                                                                                                   \
      double sum = 0;                                                                                                                      \
      if (i == column) sum += aval[ap++];                                                                                                  \
      if (j == column) sum += bval[bp++];                                                                                                  \
      if (k == column) sum += cval[cp++];                                                                                                  \
      PUT(column, sum);                                                                                                                    \
      (void)sum;                                                                                                                           \
    }                                                                                                                                      \
  }
ADD3(count, COUNTED)
ADD3(fill, STORED)

#define MULTIPLY(NAME, PUT)                                                                                                                \
  static inline int64_t multiply_##NAME(int64_t row, int32_t *restrict crd, double *restrict values) {                                     \
    (void)crd, (void)values;                                                                                                               \
    ROW(a, 0);                                                                                                                             \
    ROW(b, 1);                                                                                                                             \
    int64_t n = 0;                                                                                                                         \
    while (ap < ae && bp < be) {                                                                                                           \
      int32_t i = acrd[ap], j = bcrd[bp];                                                                                                  \
      if (i == j) PUT(i, aval[ap] * bval[bp]);                                                                                             \
      ap += i <= j;                                                                                                                        \
      bp += j <= i;                                                                                                                        \
    }                                                                                                                                      \
    (void)aval, (void)bval;                                                                                                                \
    return n;                                                                                                                              \
  }
MULTIPLY(count, COUNTED)
MULTIPLY(fill, STORED)

static void add2(void) { merged(entries_of(&operand[0]) + entries_of(&operand[1]), add2_count, add2_fill); }
static void add3(void) {
  merged(entries_of(&operand[0]) + entries_of(&operand[1]) + entries_of(&operand[2]), add3_count, add3_fill);
}
static void multiply(void) { merged(entries_of(&operand[0]), multiply_count, multiply_fill); }

// ---- conversions ----

static void csr_to_csc(void) {
  const int32_t *restrict pos = operand[0].levels[1].pos, *restrict crd = operand[0].levels[1].crd;
  const double *restrict a = operand[0].values;
  int64_t rows = operand[0].dims[0], columns = operand[0].dims[1], entries = entries_of(&operand[0]);
  make(columns, entries);
  int32_t *restrict starts = (int32_t *)made.pos, *restrict row = (int32_t *)made.crd;
  double *restrict values = (double *)made.values;
  // Each thread has rows, and in each column places behind those of the threads before it.
  int threads = omp_get_max_threads();
  int32_t *next = room(threads * columns * sizeof *next);
#pragma omp parallel for schedule(static, 1) if (threads > 1)
  for (int t = 0; t < threads; t++) {
    int32_t *restrict mine = next + t * columns;
    memset(mine, 0, columns * sizeof *mine);
    int32_t end = pos[first_of_part(pos, rows, t + 1, threads)];
    for (int32_t p = pos[first_of_part(pos, rows, t, threads)]; p < end; p++) mine[crd[p]]++;
  }
  int32_t sum = 0;
  for (int64_t j = 0; j < columns; j++) {
    starts[j] = sum;
    for (int t = 0; t < threads; t++) {
      int32_t count = next[t * columns + j];
      next[t * columns + j] = sum;
      sum += count;
    }
  }
  starts[columns] = sum;
#pragma omp parallel for schedule(static, 1) if (threads > 1)
  for (int t = 0; t < threads; t++) {
    int32_t *restrict mine = next + t * columns;
    int64_t end = first_of_part(pos, rows, t + 1, threads);
    for (int64_t i = first_of_part(pos, rows, t, threads); i < end; i++)
      for (int32_t p = pos[i]; p < pos[i + 1]; p++) {
        int32_t place = mine[crd[p]]++;
        row[place] = i;
        values[place] = a[p];
      }
  }
  free(next);
}

// The entries come sorted.
static void coo_to_csr(void) {
  const int32_t *restrict row = operand[0].levels[0].crd;
  int64_t rows = operand[0].dims[0], entries = entries_of(&operand[0]);
  int32_t *restrict pos = room((rows + 1) * sizeof *pos);
  made = (struct result){rows, 1, NULL, pos, copied(operand[0].levels[1].crd, entries * sizeof(int32_t)),
                         copied(operand[0].values, entries * sizeof(double))};
  int count = parts();
#pragma omp parallel for if (count > 1)
  for (int part = 0; part < count; part++) {
    int64_t begin = entries * part / count, end = entries * (part + 1) / count;
    int32_t last = begin ? row[begin - 1] : -1;
    for (int64_t e = begin; e < end; e++)
      while (last < row[e]) pos[++last] = e;
  }
  for (int64_t i = entries ? row[entries - 1] + 1 : 0; i <= rows; i++) pos[i] = entries;
}

const struct operation operations[] = {
    {"sddmm", NULL, sddmm, show, release},           {"ttv_sparse", NULL, ttv_sparse, show, release},
    {"ttm_sparse", NULL, ttm_sparse, show, release}, {"add2", NULL, add2, show, release},
    {"add3", NULL, add3, show, release},             {"multiply", NULL, multiply, show, release},
    {"csr_to_csc", NULL, csr_to_csc, show, release}, {"coo_to_csr", NULL, coo_to_csr, show, release},
    {NULL},
};
