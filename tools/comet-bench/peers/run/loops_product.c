// The product of sparse matrices by rows, as Gustavson has it, with a dense row to accumulate in. What is in it is marked by bits, and bits of
// words of bits, so that the columns come out sorted without sorting.

#include "loops.h"

// One thread's rows of the result, and what it accumulates in.
struct part {
  int32_t *crd;
  double *values;
  int64_t entries, room;
};

enum { MOST_ROOM = 1 << 26 };

static struct result made;
static int32_t *work; // before each row, its multiplications and those of the rows before, in thousands

static void prepare(void) {
  const int32_t *pos = operand[0].levels[1].pos, *crd = operand[0].levels[1].crd, *inner = operand[1].levels[1].pos;
  int64_t rows = operand[0].dims[0], sum = 0;
  work = allocate((rows + 1) * sizeof *work);
  for (int64_t i = 0; i < rows; i++) {
    work[i] = sum >> 10;
    for (int32_t p = pos[i]; p < pos[i + 1]; p++) sum += inner[crd[p] + 1] - inner[crd[p]];
  }
  work[rows] = sum >> 10;
}

// Memory that is not touched costs nothing: there is room for all multiplications, if these are not too many.
static void begin_part(struct part *part, int64_t begin, int64_t end) {
  const int32_t *pos = operand[0].levels[1].pos, *crd = operand[0].levels[1].crd, *inner = operand[1].levels[1].pos;
  int64_t most = 1;
  for (int32_t p = pos[begin]; p < pos[end] && most < MOST_ROOM; p++) most += inner[crd[p] + 1] - inner[crd[p]];
  part->room = most;
  part->crd = room(most * sizeof *part->crd);
  part->values = room(most * sizeof *part->values);
}

static void grow(struct part *part, int64_t entries) {
  if (entries <= part->room) return;
  part->room = entries > 2 * part->room ? entries : 2 * part->room;
  part->crd = more_room(part->crd, part->room * sizeof *part->crd);
  part->values = more_room(part->values, part->room * sizeof *part->values);
}

static void multiply(struct part *part, int64_t begin, int64_t end, int32_t *restrict lengths) {
  const int32_t *restrict apos = operand[0].levels[1].pos, *restrict acrd = operand[0].levels[1].crd;
  const int32_t *restrict bpos = operand[1].levels[1].pos, *restrict bcrd = operand[1].levels[1].crd;
  const double *restrict a = operand[0].values, *restrict b = operand[1].values;
  int64_t columns = operand[1].dims[1], words = columns / 64 + 1, summaries = words / 64 + 1;
  double *restrict row = room(columns * sizeof *row);
  uint64_t *restrict marks = cleared(words, sizeof *marks), *restrict marked = cleared(summaries, sizeof *marked);
  begin_part(part, begin, end);
  for (int64_t i = begin; i < end; i++) {
    int64_t most = 0, n = part->entries;
    for (int32_t p = apos[i]; p < apos[i + 1]; p++) {
      double factor = a[p];
      most += bpos[acrd[p] + 1] - bpos[acrd[p]];
      for (int32_t q = bpos[acrd[p]]; q < bpos[acrd[p] + 1]; q++) {
        int32_t j = bcrd[q];
        uint64_t bit = 1ull << (j & 63);
        if (marks[j >> 6] & bit) {
          row[j] += factor * b[q];
        } else {
          marks[j >> 6] |= bit;
          marked[j >> 12] |= 1ull << (j >> 6 & 63);
          row[j] = factor * b[q];
        }
      }
    }
    grow(part, n + (most < columns ? most : columns));
    for (int64_t s = 0; s < summaries; s++)
      for (; marked[s]; marked[s] &= marked[s] - 1) {
        int64_t word = s * 64 + __builtin_ctzll(marked[s]);
        for (uint64_t bits = marks[word]; bits; bits &= bits - 1) {
          int32_t j = word * 64 + __builtin_ctzll(bits);
          part->crd[n] = j;
          part->values[n++] = row[j];
        }
        marks[word] = 0;
      }
    lengths[i + 1] = n - part->entries;
    part->entries = n;
  }
  free(row);
  free(marks);
  free(marked);
}

static void compute(void) {
  int64_t rows = operand[0].dims[0];
  int count = parts();
  struct part *results = cleared(count, sizeof *results);
  int32_t *pos = room((rows + 1) * sizeof *pos);
  pos[0] = 0;
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (int part = 0; part < count; part++)
    multiply(&results[part], first_of_part(work, rows, part, count), first_of_part(work, rows, part + 1, count), pos);
  for (int64_t i = 0; i < rows; i++) pos[i + 1] += pos[i];
  made = (struct result){rows, 1, NULL, pos, results[0].crd, results[0].values};
  if (count > 1) {
    int32_t *crd = room(pos[rows] * sizeof *crd);
    double *values = room(pos[rows] * sizeof *values);
#pragma omp parallel for schedule(dynamic, 1)
    for (int part = 0; part < count; part++) {
      int32_t begin = pos[first_of_part(work, rows, part, count)];
      memcpy(crd + begin, results[part].crd, results[part].entries * sizeof *crd);
      memcpy(values + begin, results[part].values, results[part].entries * sizeof *values);
      free(results[part].crd);
      free(results[part].values);
    }
    made.crd = crd, made.values = values;
  }
  free(results);
}

static struct result show(void) { return made; }

static void release(void) {
  free((void *)made.pos);
  free((void *)made.crd);
  free((void *)made.values);
}

const struct operation operations[] = {{"spgemm", prepare, compute, show, release}, {NULL}};
