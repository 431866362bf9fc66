// What the hand-written loops share: parts of equal numbers of entries for the threads.
#ifndef LOOPS_H
#define LOOPS_H

#include "../support.h"
#include "peer.h"
#ifdef _OPENMP
#include <omp.h>
#else
static inline int omp_get_max_threads(void) { return 1; }
#endif

// For a thread to be busy until the end, there are more parts than threads.
enum { PARTS_PER_THREAD = 8 };

static inline int parts(void) { return omp_get_max_threads() > 1 ? PARTS_PER_THREAD * omp_get_max_threads() : 1; }

// The first line of a part, so that each has about as many entries; `first` holds the first entry of each line, and at its end their number.
static inline int64_t first_of_part(const int32_t *first, int64_t lines, int part, int parts) {
  int64_t wanted = (int64_t)(((double)first[lines] - first[0]) * part / parts) + first[0], low = 0, high = lines;
  if (part == parts) return lines;
  while (low < high) {
    int64_t middle = (low + high) / 2;
    if (first[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// All lines in parts; with one thread just one after the other.
static inline void in_parts(const int32_t *first, int64_t lines, void (*body)(int64_t begin, int64_t end)) {
  int count = parts();
  if (count == 1) {
    body(0, lines);
    return;
  }
#pragma omp parallel for schedule(dynamic, 1)
  for (int part = 0; part < count; part++)
    body(first_of_part(first, lines, part, count), first_of_part(first, lines, part + 1, count));
}

// Memory that was asked for; without it, the program ends.
static inline void *granted(void *memory) {
  if (!memory) abort();
  return memory;
}

static inline void *cleared(size_t count, size_t size) { return granted(calloc(count ? count : 1, size)); }

static inline void *more_room(void *memory, size_t bytes) { return granted(realloc(memory, bytes)); }

// Memory of a result. The driver has `malloc` give again what was given back; huge pages are for what is new.
static inline void *room(size_t bytes) {
  enum { HUGE_PAGE = 2 << 20 };
  char *memory = granted(malloc(bytes ? bytes : 1));
  uintptr_t begin = ((uintptr_t)memory + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE, end = ((uintptr_t)memory + bytes) / HUGE_PAGE * HUGE_PAGE;
  if (begin < end) madvise((void *)begin, end - begin, MADV_HUGEPAGE);
  return memory;
}

// A copy in memory of its own.
static inline void *copied(const void *from, size_t bytes) {
  void *to = room(bytes);
  int count = parts();
#pragma omp parallel for if (count > 1)
  for (int part = 0; part < count; part++) {
    size_t begin = bytes * part / count, end = bytes * (part + 1) / count;
    memcpy((char *)to + begin, (const char *)from + begin, end - begin);
  }
  return to;
}

#endif
