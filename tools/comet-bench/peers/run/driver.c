// Times an operation of the peer that it is linked with.
//
//     PEER OPERATION RESULT OPERAND...
//
// OPERANDs are stems of files of arrays, as `comet-bench run` writes them; RESULT is `sparse`, or the extents of a dense result as `3x4`.
// It says `ready`, or `none` where the peer has no such operation, and then does what lines of its input ask for:
//
//     time MOST SECONDS    repeats the operation at least twice, up to so often or until the seconds are over; prints the shortest
//     save STEM            writes a dense result to STEM.val, or of a sparse one rows, columns and values to STEM.row, STEM.crd, STEM.val

#include "peer.h"
#include "../support.h"
#include <malloc.h>

struct tensor operand[MOST_OPERANDS], dense;
static const struct operation *chosen;

static void fail(const char *what, const char *which) {
  fprintf(stderr, "driver: %s %s\n", what, which);
  exit(1);
}

static FILE *open_file(const char *stem, const char *suffix, const char *mode) {
  char path[4096];
  snprintf(path, sizeof path, "%s.%s", stem, suffix);
  FILE *file = fopen(path, mode);
  if (!file && *mode == 'w') fail("cannot open", path);
  return file;
}

// The elements of an array's file, so large each; null where there is no such file.
static void *array(const char *stem, const char *part, int64_t *count, size_t size) {
  char path[4096];
  size_t bytes = 0;
  snprintf(path, sizeof path, "%s.%s", stem, part);
  void *elements = load_path(path, 0, &bytes);
  *count = bytes / size;
  return elements;
}

static struct tensor tensor(const char *stem) {
  struct tensor t = {0};
  FILE *dims = open_file(stem, "dims", "r");
  if (!dims) fail("cannot read the dims of", stem);
  while (t.rank < MOST_MODES && fscanf(dims, "%ld", &t.dims[t.rank]) == 1) t.rank++;
  fclose(dims);
  for (int level = 0; level < t.rank; level++) {
    struct level *l = &t.levels[level];
    char pos[] = {'p', 'o', 's', '0' + level, 0}, crd[] = {'c', 'r', 'd', '0' + level, 0};
    l->pos = array(stem, pos, &l->pos_count, sizeof *l->pos);
    l->crd = array(stem, crd, &l->crd_count, sizeof *l->crd);
  }
  t.values = array(stem, "val", &t.count, sizeof *t.values);
  return t;
}

static struct tensor dense_result(const char *extents) {
  struct tensor t = {.count = 1};
  for (char *end; t.rank < MOST_MODES; extents = end + 1) {
    t.dims[t.rank] = strtol(extents, &end, 10);
    t.count *= t.dims[t.rank++];
    if (!*end) break;
  }
  t.values = allocate(t.count * sizeof *t.values);
  return t;
}

static const struct operation *operation(const char *name) {
  for (const struct operation *o = operations; o->name; o++)
    if (!strcmp(o->name, name)) return o;
  return NULL;
}

static void release(void) {
  if (chosen->release) chosen->release();
}

static void measure(int most, double seconds) {
  double total = 0, shortest = 1e300;
  for (int done = 0; done < 2 || (done < most && total < seconds); done++) {
    double start = now();
    chosen->compute();
    release();
    double time = now() - start;
    total += time;
    if (time < shortest) shortest = time;
  }
  printf("%.9f\n", shortest);
}

static void write_array(const char *stem, const char *suffix, const void *elements, size_t size, size_t count) {
  FILE *file = open_file(stem, suffix, "w");
  if (fwrite(elements, size, count, file) != count) fail("cannot write", stem);
  fclose(file);
}

static void save_sparse(const char *stem, struct result r) {
  int64_t entries = r.pos[r.lines];
  int32_t *row = allocate(entries * sizeof *row);
  for (int64_t line = 0; line < r.lines; line++)
    for (int32_t entry = r.pos[line]; entry < r.pos[line + 1]; entry++) row[entry] = r.outer ? r.outer[line] : line;
  write_array(stem, "row", row, sizeof *row, entries);
  write_array(stem, "crd", r.crd, sizeof *r.crd, entries);
  write_array(stem, "val", r.values, sizeof *r.values, entries * r.width);
  free(row);
}

static void save(const char *stem) {
  chosen->compute();
  struct result r = chosen->show ? chosen->show() : (struct result){.values = dense.values};
  if (r.pos)
    save_sparse(stem, r);
  else
    write_array(stem, "val", r.values, sizeof *r.values, dense.count);
  release();
  printf("saved\n");
}

// Has the C library keep what is given back, of any size, for what is asked for next: the system clears each page that it hands out.
static void keep_memory(void) {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
}

int main(int argc, char **argv) {
  keep_memory();
  if (argc < 4 || argc > 3 + MOST_OPERANDS) fail("usage:", "PEER OPERATION RESULT OPERAND...");
  setvbuf(stdout, NULL, _IOLBF, 0);
  chosen = operation(argv[1]);
  if (!chosen) {
    printf("none\n");
    return 0;
  }
  for (int i = 3; i < argc; i++) operand[i - 3] = tensor(argv[i]);
  if (strcmp(argv[2], "sparse")) dense = dense_result(argv[2]);
  if (chosen->prepare) chosen->prepare();
  printf("ready\n");
  char line[4096], stem[4096];
  int most;
  double seconds;
  while (fgets(line, sizeof line, stdin)) {
    if (sscanf(line, "time %d %lf", &most, &seconds) == 2)
      measure(most, seconds);
    else if (sscanf(line, "save %4095[^\n]", stem) == 1)
      save(stem);
    else
      fail("cannot do", line);
  }
  return 0;
}
