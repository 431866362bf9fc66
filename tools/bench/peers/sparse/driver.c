// Times one operation of the peer that it is linked with, in one process.
//
//     PEER OPERATION FOLDER MOST-REPETITIONS SECONDS RESULT
//
// FOLDER holds the arrays of the matrices, as `comet-bench sparse` writes them. The operation is repeated at least twice, until the seconds
// are over; a line tells the seconds of each repetition, or `none` where the peer has no such operation. The result's arrays go to
// RESULT.pos, RESULT.crd and RESULT.val, unless RESULT is `-`.

#include "sparse.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { NPY_HEADER = 128 };

static const char *names[OPERATIONS] = {"add", "multiply", "sddmm", "spgemm", "spgemm-to-csc", "coo-to-csr", "csr-to-csc"};

static void fail(const char *what, const char *which) {
  fprintf(stderr, "sparse: %s %s\n", what, which);
  exit(1);
}

static FILE *open_in(const char *folder, const char *name, const char *mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s%s", folder, name);
  FILE *file = fopen(path, mode);
  if (!file) fail("cannot open", path);
  return file;
}

// So many bytes of a file behind a header, in memory that is aligned and backed as comet's is.
static void *load(const char *folder, const char *name, long header, size_t bytes) {
  FILE *file = open_in(folder, name, "rb");
  size_t rounded = (bytes + 4096) / 4096 * 4096;
  void *memory = aligned_alloc(4096, rounded);
  if (!memory) fail("no memory for", name);
  if (bytes >= 4 << 20) madvise(memory, rounded, MADV_HUGEPAGE);
  fseek(file, header, SEEK_SET);
  if (fread(memory, 1, bytes, file) != bytes) fail("cannot read", name);
  fclose(file);
  return memory;
}

static struct problem problem_of(const char *folder) {
  struct problem problem = {0};
  struct matrix *a = &problem.a, *b = &problem.b;
  FILE *sizes = open_in(folder, "/sizes", "r");
  if (fscanf(sizes, "%ld %ld %ld %ld", &a->rows, &a->columns, &a->entries, &b->entries) != 4) fail("cannot read", "sizes");
  fclose(sizes);
  b->rows = a->rows, b->columns = a->columns;
  a->row = load(folder, "/a.row", 0, a->entries * sizeof(int32_t));
  a->pos = load(folder, "/a.pos", 0, (a->rows + 1) * sizeof(int32_t));
  a->crd = load(folder, "/a.crd", 0, a->entries * sizeof(int32_t));
  a->values = load(folder, "/a.val", 0, a->entries * sizeof(double));
  b->pos = load(folder, "/b.pos", 0, (b->rows + 1) * sizeof(int32_t));
  b->crd = load(folder, "/b.crd", 0, b->entries * sizeof(int32_t));
  b->values = load(folder, "/b.val", 0, b->entries * sizeof(double));
  problem.left = load(folder, "/left.npy", NPY_HEADER, a->rows * COLUMNS * sizeof(double));
  problem.right = load(folder, "/right.npy", NPY_HEADER, a->columns * COLUMNS * sizeof(double));
  return problem;
}

static enum operation operation_of(const char *name) {
  for (int operation = 0; operation < OPERATIONS; operation++)
    if (!strcmp(names[operation], name)) return operation;
  fail("there is no operation", name);
  return OPERATIONS;
}

static void save(const char *stem, const char *suffix, const void *elements, size_t size, size_t count) {
  FILE *file = open_in(stem, suffix, "wb");
  if (fwrite(elements, size, count, file) != count) fail("cannot write", suffix);
  fclose(file);
}

static void save_result(const char *stem) {
  compute();
  struct result result = show();
  save(stem, ".pos", result.pos, sizeof(int32_t), result.lines + 1);
  save(stem, ".crd", result.crd, sizeof(int32_t), result.entries);
  save(stem, ".val", result.values, sizeof(double), result.entries);
  release();
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
  if (argc != 6) fail("usage:", "PEER OPERATION FOLDER MOST-REPETITIONS SECONDS RESULT");
  enum operation operation = operation_of(argv[1]);
  struct problem problem = problem_of(argv[2]);
  if (!prepare(operation, &problem)) {
    printf("none\n");
    return 0;
  }
  int most = atoi(argv[3]);
  double seconds = atof(argv[4]), total = 0;
  for (int done = 0; done < 2 || (done < most && total < seconds); done++) {
    double start = now();
    compute();
    release();
    double time = now() - start;
    printf(done ? " %.9f" : "%.9f", time);
    total += time;
  }
  printf("\n");
  if (strcmp(argv[5], "-")) save_result(argv[5]);
  return 0;
}
