// What programs of C loops share: their clock, and arrays in memory and in files.
#ifndef SUPPORT_H
#define SUPPORT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>

enum { NPY_HEADER = 128 };

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

// Aligned and backed as the run time's arrays.
static void *allocate(size_t bytes) {
  bytes = (bytes + 4095) / 4096 * 4096;
  void *memory = aligned_alloc(4096, bytes ? bytes : 4096);
  if (!memory) {
    perror("memory");
    exit(1);
  }
  if (bytes >= 4 << 20) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

// A file's content behind a header, and its bytes; null where there is no such file.
static void *load_path(const char *path, long header, size_t *bytes) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  struct stat status;
  fstat(fileno(file), &status);
  *bytes = status.st_size - header;
  void *memory = allocate(*bytes);
  fseek(file, header, SEEK_SET);
  if (fread(memory, 1, *bytes, file) != *bytes) {
    fprintf(stderr, "cannot read %s\n", path);
    exit(1);
  }
  fclose(file);
  return memory;
}

static inline void *load(const char *folder, const char *name, long header) {
  char path[4096];
  size_t bytes;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return load_path(path, header, &bytes);
}

static inline void write_result(const char *folder, const char *variant, const double *out, long count) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.out", folder, variant);
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(out, sizeof *out, count, file) != (size_t)count) {
    fprintf(stderr, "cannot write %s\n", path);
    exit(1);
  }
  fclose(file);
}

#endif
