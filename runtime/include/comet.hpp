/* Tensors and errors in C++17 for the kernels that comet has built, over the C ABI of comet.h. compiler/docs/guides/cpp.md
   explains it. Nothing but the standard library is needed. */
#ifndef COMET_HPP
#define COMET_HPP

#ifndef COMET_H
#include "comet.h"
#endif

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <initializer_list>
#include <memory>
#include <memory_resource>
#include <new>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace comet {

/* What a kernel refuses or fails with: its message and its status, COMET_ARGUMENT to COMET_INTERNAL. */
class error : public std::runtime_error {
 public:
  error(comet_status status, const std::string &message) : std::runtime_error(message), status_(status) {}
  comet_status status() const noexcept { return status_; }

 private:
  comet_status status_;
};

/* The address and the number of elements of an array that something else owns. */
template <class T>
class span {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;

  constexpr span() noexcept = default;
  constexpr span(T *start, std::size_t count) noexcept : start_(start), count_(count) {}
  template <std::size_t N>
  constexpr span(T (&array)[N]) noexcept : start_(array), count_(N) {}
  /* The elements of std::vector, std::array, or another span. A temporary container would be gone at once, and is not taken. */
  template <class C, class P = decltype(std::declval<C &>().data()), class = decltype(std::declval<C &>().size()),
            class = std::enable_if_t<std::is_convertible_v<std::remove_pointer_t<P> (*)[], T (*)[]>>>
  constexpr span(C &container) noexcept : start_(container.data()), count_(container.size()) {}
  template <class U, class = std::enable_if_t<std::is_convertible_v<U (*)[], T (*)[]>>>
  constexpr span(span<U> other) noexcept : start_(other.data()), count_(other.size()) {}

  constexpr T *data() const noexcept { return start_; }
  constexpr std::size_t size() const noexcept { return count_; }
  constexpr bool empty() const noexcept { return count_ == 0; }
  constexpr T *begin() const noexcept { return start_; }
  constexpr T *end() const noexcept { return start_ + count_; }
  constexpr T &operator[](std::size_t place) const noexcept { return start_[place]; }

 private:
  T *start_ = nullptr;
  std::size_t count_ = 0;
};

/* The bits of elements of types that C++ has no type for. */
struct float16 {
  std::uint16_t bits;
};
struct bfloat16 {
  std::uint16_t bits;
};

class tensor;

namespace detail {

/* The number of an element type in comet.h; types without one are no elements. */
template <class T>
struct element;
template <std::uint32_t Code>
struct element_code {
  static constexpr std::uint32_t code = Code;
};
template <> struct element<double> : element_code<COMET_F64> {};
template <> struct element<float> : element_code<COMET_F32> {};
template <> struct element<std::int64_t> : element_code<COMET_I64> {};
template <> struct element<bool> : element_code<COMET_BOOL> {};
template <> struct element<std::int8_t> : element_code<COMET_I8> {};
template <> struct element<std::int16_t> : element_code<COMET_I16> {};
template <> struct element<std::int32_t> : element_code<COMET_I32> {};
template <> struct element<std::uint8_t> : element_code<COMET_U8> {};
template <> struct element<std::uint32_t> : element_code<COMET_U32> {};
template <> struct element<float16> : element_code<COMET_F16> {};
template <> struct element<bfloat16> : element_code<COMET_BF16> {};
template <> struct element<std::complex<float>> : element_code<COMET_C64> {};
template <> struct element<std::complex<double>> : element_code<COMET_C128> {};

inline const char *element_name(std::uint32_t code) {
  static const char *const names[] = {"none",  "double", "float",  "int64",   "bool",     "int8",      "int16",
                                      "int32", "uint8",  "uint32", "float16", "bfloat16", "complex64", "complex128"};
  return names[code <= COMET_C128 ? code : 0];
}

inline std::size_t element_bytes(std::uint32_t code) {
  static const std::size_t bytes[] = {0, 8, 4, 8, 1, 1, 2, 4, 1, 4, 2, 2, 8, 16};
  return bytes[code <= COMET_C128 ? code : 0];
}

template <class I>
constexpr std::uint32_t index_bits() {
  static_assert(std::is_integral_v<I> && std::is_signed_v<I> && (sizeof(I) == 4 || sizeof(I) == 8),
                "positions and coordinates are int32_t or int64_t");
  return 8 * sizeof(I);
}

template <class I>
using index_of = std::conditional_t<sizeof(I) == 8, std::int64_t, std::int32_t>;

/* A format of levels that store whole modes. */
inline comet_tensor format(std::uint32_t element, std::uint32_t index_bits, std::initializer_list<std::uint32_t> kinds,
                           std::initializer_list<std::uint32_t> modes) noexcept {
  comet_tensor made = {};
  made.version = COMET_VERSION;
  made.bytes = sizeof(comet_tensor);
  made.element = element;
  made.index_bits = index_bits;
  made.rank = made.level_count = static_cast<std::uint32_t>(kinds.size());
  comet_level *level = made.levels;
  for (std::uint32_t kind : kinds) (level++)->kind = kind;
  level = made.levels;
  for (std::uint32_t mode : modes) (level++)->mode = mode;
  return made;
}

/* A format of one kind of level outside, and others for the other modes. */
inline comet_tensor format_of_rank(std::uint32_t element, std::uint32_t index_bits, std::size_t rank, std::uint32_t outer,
                                   std::uint32_t others) {
  if (rank > COMET_MOST_MODES)
    throw error(COMET_SHAPE, "a tensor of rank " + std::to_string(rank) + ", expected at most " + std::to_string(COMET_MOST_MODES));
  comet_tensor made = format(element, index_bits, {}, {});
  made.rank = made.level_count = static_cast<std::uint32_t>(rank);
  for (std::uint32_t mode = 0; mode < made.rank; ++mode)
    made.levels[mode].kind = mode ? others : outer, made.levels[mode].mode = mode;
  return made;
}

inline bool same_format(const comet_tensor &a, const comet_tensor &b) noexcept {
  if (a.element != b.element || a.rank != b.rank || a.level_count != b.level_count) return false;
  bool has_indices = false;
  for (std::uint32_t l = 0; l < a.level_count; ++l) {
    const comet_level &x = a.levels[l], &y = b.levels[l];
    if (x.kind != y.kind || x.part != y.part || x.mode != y.mode || x.factor != y.factor || x.bits != y.bits) return false;
    has_indices = has_indices || x.kind != COMET_DENSE;
  }
  return !has_indices || a.index_bits == b.index_bits;
}

/* As the language calls formats: `double in CSR`, `float in {D, D} order={1,0}`. */
inline std::string description(const comet_tensor &of) {
  static const char *const words[] = {"?", "D", "CU", "CN", "S", "BV", "R", "H"};
  std::string kinds, modes, whole;
  bool in_order = true, has_indices = false;
  for (std::uint32_t l = 0; l < of.level_count; ++l) {
    const comet_level &level = of.levels[l];
    const char *kind = words[level.kind <= COMET_HASHED ? level.kind : 0];
    std::string mode = level.part == COMET_SLOT ? "slot" : std::to_string(level.mode);
    if (level.factor) mode += (level.part == COMET_DIVIDED ? "/" : "%") + std::to_string(level.factor);
    kinds += (l ? ", " : "") + std::string(kind);
    modes += (l ? "," : "") + mode;
    whole += (l ? ", " : "") + mode + " : " + kind;
    in_order = in_order && level.part == COMET_WHOLE && level.mode == l;
    has_indices = has_indices || level.kind != COMET_DENSE;
  }
  bool swapped = modes == "1,0";
  std::string name = !in_order && !swapped ? "[" + whole + "]" : "{" + kinds + "}" + (swapped ? " order={1,0}" : "");
  if (kinds == "D, CU" && (in_order || swapped)) name = swapped ? "CSC" : "CSR";
  if (kinds == "CU, CU" && (in_order || swapped)) name = swapped ? "DCSC" : "DCSR";
  if (in_order && kinds == "CN, S") name = "COO";
  if (in_order && !has_indices) name = "Dense";
  return std::string(element_name(of.element)) + " in " + name + (has_indices && of.index_bits == 64 ? " index=i64" : "");
}

struct free_memory {
  void operator()(void *start) const noexcept { std::free(start); }
};
using memory = std::unique_ptr<void, free_memory>;

constexpr std::size_t alignment = 64;

/* Memory of the C library, which is what kernels use where the caller states nothing. */
inline memory allocate(std::size_t bytes) {
  if (bytes > SIZE_MAX - alignment) throw std::bad_alloc();
  memory start(std::aligned_alloc(alignment, std::max<std::size_t>((bytes + alignment - 1) / alignment, 1) * alignment));
  if (!start) throw std::bad_alloc();
  return start;
}

/* How the arrays of a tensor are freed: with free() where there is no function. */
struct owner {
  void (*release)(void *context, void *start) = nullptr;
  void *context = nullptr;

  void free_array(void *start) const noexcept {
    if (start && release)
      release(context, start);
    else
      std::free(start);
  }
};

/* What lies in front of memory from a memory resource, which wants to know the size when it takes it back. */
struct resource_block {
  std::pmr::memory_resource *resource;
  std::size_t bytes, alignment, offset;
};

inline void *resource_allocate(std::pmr::memory_resource &resource, std::size_t bytes, std::size_t wanted) {
  std::size_t aligned = std::max(wanted, alignof(resource_block));
  std::size_t offset = (sizeof(resource_block) + aligned - 1) / aligned * aligned;
  if (bytes > SIZE_MAX - offset) throw std::bad_alloc();
  char *start = static_cast<char *>(resource.allocate(bytes + offset, aligned));
  new (start + offset - sizeof(resource_block)) resource_block{&resource, bytes + offset, aligned, offset};
  return start + offset;
}

inline void resource_release(void *, void *start) {
  resource_block block;
  std::memcpy(&block, static_cast<char *>(start) - sizeof block, sizeof block);
  block.resource->deallocate(static_cast<char *>(start) - block.offset, block.bytes, block.alignment);
}

template <class T>
struct is_span : std::false_type {};
template <class T>
struct is_span<span<T>> : std::true_type {};

/* The span of a container that remains; of a temporary one it would be of freed memory. */
template <class C>
auto lasting_span(C &&container) {
  static_assert(std::is_lvalue_reference_v<C> || is_span<std::decay_t<C>>::value,
                "only an array that lives longer than the tensor can be borrowed: give it a name");
  return span<std::remove_pointer_t<decltype(container.data())>>(container.data(), container.size());
}

/* The values of a tensor: a container's, or so many at an address. */
template <class V>
auto values_of(V &&values, std::size_t count) {
  if constexpr (std::is_pointer_v<std::decay_t<V>>)
    return span<std::remove_pointer_t<std::decay_t<V>>>(values, count);
  else
    return lasting_span(std::forward<V>(values));
}

}  // namespace detail

/* Memory of results for the next results, as of comet_pool; for one thread at a time. It must outlive these. */
class pool {
 public:
  pool() noexcept : pool_{nullptr, 0} {}
  pool(const pool &) = delete;
  pool &operator=(const pool &) = delete;
  ~pool() { comet_pool_clear(&pool_); }
  comet_pool *raw() noexcept { return &pool_; }

 private:
  comet_pool pool_;
};

/* How kernels are called: whose memory results have, and whether arrays are checked. One call at a time may use it. */
class context {
 public:
  /* Memory of the C library. */
  context() noexcept { begin(nullptr, nullptr, nullptr); }
  /* Memory of a resource, which must outlive the results. What it throws, the call throws. */
  explicit context(std::pmr::memory_resource &resource) noexcept : resource_(&resource) {
    begin(this, &context::allocate, &detail::resource_release);
  }
  explicit context(pool &memory) noexcept { begin(memory.raw(), comet_pool_allocate, comet_pool_release); }
  context(const context &) = delete;
  context &operator=(const context &) = delete;

  /* Have every position and coordinate of the arguments looked at before a kernel runs. */
  context &check_arrays(bool checks = true) noexcept {
    call_.flags = checks ? COMET_CHECK_ARRAYS : 0;
    return *this;
  }

  /* Calls a function of the C ABI, and throws what it returns. */
  template <class F>
  void call(F &&kernel) {
    comet_status status = kernel(&call_);
    if (status != COMET_OK || thrown_) fail(status);
  }

  /* How arrays that a kernel has allocated are freed. A memory resource is found in front of them. */
  detail::owner owner() const noexcept {
    return {call_.release, call_.release == &detail::resource_release ? nullptr : call_.context};
  }

 private:
  /* The message is written by the kernel, and need not be cleared before. */
  void begin(void *own, void *(*take)(void *, std::size_t, std::size_t), void (*release)(void *, void *)) noexcept {
    call_.version = COMET_VERSION;
    call_.bytes = sizeof(comet_call);
    call_.flags = 0;
    call_.comm = 0;
    call_.context = own;
    call_.allocate = take;
    call_.release = release;
    call_.message[0] = 0;
  }

  /* No exception may cross the kernel: it is thrown again behind it. */
  static void *allocate(void *own, std::size_t bytes, std::size_t alignment) {
    context &called = *static_cast<context *>(own);
    try {
      return detail::resource_allocate(*called.resource_, bytes, alignment);
    } catch (...) {
      called.thrown_ = std::current_exception();
      return nullptr;
    }
  }

  void fail(comet_status status) {
    std::exception_ptr thrown = std::exchange(thrown_, nullptr);
    if (status == COMET_OK) return;  // The kernel could do without that memory.
    if (thrown && status == COMET_MEMORY) std::rethrow_exception(thrown);
    throw error(status, call_.message);
  }

  comet_call call_;
  std::pmr::memory_resource *resource_ = nullptr;
  std::exception_ptr thrown_;
};

/* The context of calls that name none: each thread has its own. */
inline context &default_context() {
  thread_local context own;
  return own;
}

/* A tensor of any format, which owns its arrays or borrows them. Moving it is cheap; copies are made by copy(). */
class tensor {
 public:
  /* Of a format, such as a generated header states it, without extents and arrays: it can take a result, or borrow arrays. What the
     structure refers to is borrowed. */
  explicit tensor(const comet_tensor &format) noexcept : raw_(format) {}
  tensor(const tensor &) = delete;
  tensor &operator=(const tensor &) = delete;
  tensor(tensor &&other) noexcept
      : raw_(other.raw_), owner_(other.owner_), owns_(other.owns_), read_only_(other.read_only_), side_(std::move(other.side_)) {
    other.forget();
  }
  /* Refuses another format where this is of a class for one, which a reference to `tensor` may hide. */
  tensor &operator=(tensor &&other) {
    if (typed_) other.check_format(raw_);
    return take(std::move(other));
  }
  ~tensor() { free_arrays(); }

  /* The same entries in arrays of its own. */
  tensor copy() const {
    tensor made(raw_);
    made.forget();
    made.owns_ = true;
    std::size_t index = raw_.index_bits / 8;
    for (std::uint32_t l = 0; l < raw_.level_count; ++l) {
      const comet_level &from = raw_.levels[l];
      comet_level &to = made.raw_.levels[l];
      to.pos = duplicate(from.pos, to.pos_count = from.pos_count, index);
      to.crd = duplicate(from.crd, to.crd_count = from.crd_count, from.kind == COMET_BIT_VECTOR ? 8 : index);
    }
    made.raw_.values = duplicate(raw_.values, raw_.value_count, detail::element_bytes(raw_.element));
    made.raw_.value_count = raw_.value_count;
    return made;
  }

  std::size_t rank() const noexcept { return raw_.rank; }
  std::int64_t extent(std::size_t mode) const noexcept { return raw_.dims[mode]; }
  span<const std::int64_t> extents() const noexcept { return {raw_.dims, raw_.rank}; }
  std::size_t level_count() const noexcept { return raw_.level_count; }
  /* Whether there is nothing yet: a result goes into new arrays. */
  bool empty() const noexcept { return raw_.values == nullptr; }
  bool owns() const noexcept { return owns_; }
  bool read_only() const noexcept { return read_only_; }

  template <class I = std::int32_t>
  span<const I> pos(std::size_t level) const {
    check_index<I>();
    const comet_level &at = this->level(level);
    return {static_cast<const I *>(at.pos), static_cast<std::size_t>(at.pos_count)};
  }
  /* Of COMET_BIT_VECTOR, words of 64 bits: `crd<std::uint64_t>(level)`. */
  template <class I = std::int32_t>
  span<const I> crd(std::size_t level) const {
    check_coordinates<I>(level);
    const comet_level &at = this->level(level);
    return {static_cast<const I *>(at.crd), static_cast<std::size_t>(at.crd_count)};
  }
  template <class T>
  span<const T> values() const {
    check_element<T>();
    return {static_cast<const T *>(raw_.values), static_cast<std::size_t>(raw_.value_count)};
  }
  template <class T>
  span<T> values() {
    check_element<T>();
    if (read_only_)
      throw error(COMET_ARGUMENT, "the values are borrowed from a constant array: read them from a `const` tensor, or write a `copy()`");
    return {static_cast<T *>(raw_.values), static_cast<std::size_t>(raw_.value_count)};
  }

  tensor &set_extents(std::initializer_list<std::int64_t> extents) {
    if (extents.size() != raw_.rank)
      throw error(COMET_SHAPE, "found " + std::to_string(extents.size()) + " extents, expected " + std::to_string(raw_.rank));
    std::copy(extents.begin(), extents.end(), raw_.dims);
    return *this;
  }
  /* The number of slots of a level, which ELL has. */
  tensor &set_size(std::size_t level, std::int64_t size) {
    this->level(level);
    raw_.levels[level].size = size;
    return *this;
  }
  template <class P>
  tensor &borrow_pos(std::size_t level, P &&positions) {
    auto array = detail::lasting_span(std::forward<P>(positions));
    using I = typename decltype(array)::value_type;
    check_borrows();
    this->level(level);
    check_index<I>();
    set_pos<I>(level, array);
    return *this;
  }
  /* The coordinates of a level, or what it has in their place: words, or the first coordinates. */
  template <class C>
  tensor &borrow_crd(std::size_t level, C &&coordinates) {
    auto array = detail::lasting_span(std::forward<C>(coordinates));
    using I = typename decltype(array)::value_type;
    check_borrows();
    check_coordinates<I>(level);
    set_crd<I>(level, array);
    return *this;
  }
  template <class V>
  tensor &borrow_values(V &&values) {
    auto array = detail::lasting_span(std::forward<V>(values));
    using T = typename decltype(array)::element_type;
    check_element<std::remove_cv_t<T>>();
    check_borrows();
    raw_.values = const_cast<std::remove_cv_t<T> *>(array.data()), raw_.value_count = static_cast<std::int64_t>(array.size());
    read_only_ = std::is_const_v<T>;
    return *this;
  }

  /* Frees the arrays that it owns and forgets the others; the extents remain. */
  void clear() noexcept {
    free_arrays();
    forget();
  }

  /* The structure of the C ABI, for a parameter that is read. */
  const comet_tensor *raw() const noexcept { return &raw_; }

  /* For a parameter that is written. */
  comet_tensor *written(const char *name) {
    check_writable(name);
    return &raw_;
  }

  /* For a result. `filled()` takes the arrays over that the kernel has allocated. */
  comet_tensor *result(const char *name) {
    check_writable(name);
    if (owns_ && !raw_.values) clear();
    return &raw_;
  }
  void filled(const detail::owner &owner, bool was_empty) noexcept {
    if (was_empty) owner_ = owner, owns_ = true;
  }

 protected:
  /* A tensor of a class for one format. */
  struct typed {};
  tensor(const comet_tensor &format, typed) noexcept : tensor(format) { typed_ = true; }
  tensor(tensor &&other, typed) noexcept : tensor(std::move(other)) { typed_ = true; }
  /* Refuses a tensor of another format. */
  tensor(tensor &&other, const comet_tensor &expected, typed) : tensor((other.check_format(expected), std::move(other)), typed()) {}

  tensor &take(tensor &&other) noexcept {
    if (this != &other) {
      clear();
      raw_ = other.raw_, owner_ = other.owner_, owns_ = other.owns_, read_only_ = other.read_only_;
      side_ = std::move(other.side_);
      other.forget();
    }
    return *this;
  }

  template <class I>
  void set_pos(std::size_t level, span<const I> array) noexcept {
    raw_.levels[level].pos = const_cast<I *>(array.data());
    raw_.levels[level].pos_count = static_cast<std::int64_t>(array.size());
  }
  template <class I>
  void set_crd(std::size_t level, span<const I> array) noexcept {
    raw_.levels[level].crd = const_cast<I *>(array.data());
    raw_.levels[level].crd_count = static_cast<std::int64_t>(array.size());
  }
  template <class T>
  void set_values(span<T> array) noexcept {
    raw_.values = const_cast<std::remove_cv_t<T> *>(array.data());
    raw_.value_count = static_cast<std::int64_t>(array.size());
    read_only_ = std::is_const_v<T>;
  }
  /* Memory beside the arrays that are borrowed, which is freed with the tensor. */
  void keep(detail::memory memory) noexcept { side_ = std::move(memory); }
  void own_values(detail::memory values, std::size_t count) noexcept {
    raw_.values = values.release();
    raw_.value_count = static_cast<std::int64_t>(count);
    owns_ = true;
  }

  comet_tensor raw_;

 private:
  static void *duplicate(const void *start, std::int64_t count, std::size_t bytes) {
    if (!start) return nullptr;
    std::size_t all = static_cast<std::size_t>(count) * bytes;
    void *made = detail::allocate(all).release();
    if (all) std::memcpy(made, start, all);
    return made;
  }

  void check_format(const comet_tensor &expected) const {
    if (!detail::same_format(raw_, expected))
      throw error(COMET_FORMAT, "the tensor is " + detail::description(raw_) + ", expected " + detail::description(expected));
  }

  void free_arrays() noexcept {
    if (!owns_) return;
    for (std::uint32_t l = 0; l < raw_.level_count; ++l) {
      owner_.free_array(raw_.levels[l].pos);
      owner_.free_array(raw_.levels[l].crd);
    }
    owner_.free_array(raw_.values);
  }

  void forget() noexcept {
    for (std::uint32_t l = 0; l < raw_.level_count; ++l) {
      raw_.levels[l].pos = raw_.levels[l].crd = nullptr;
      raw_.levels[l].pos_count = raw_.levels[l].crd_count = 0;
    }
    raw_.values = nullptr;
    raw_.value_count = 0;
    owner_ = {};
    owns_ = read_only_ = false;
    side_.reset();
  }

  const comet_level &level(std::size_t level) const {
    if (level >= raw_.level_count)
      throw error(COMET_ARGUMENT, "level " + std::to_string(level) + " of a tensor that has " + std::to_string(raw_.level_count));
    return raw_.levels[level];
  }

  /* The elements of `crd`: those of `pos`, or words. */
  template <class I>
  void check_coordinates(std::size_t level) const {
    if (this->level(level).kind != COMET_BIT_VECTOR) return check_index<I>();
    if (sizeof(I) != 8)
      throw error(COMET_FORMAT, "a bit vector is of words of 64 bits, not " + std::to_string(8 * sizeof(I)));
  }

  template <class I>
  void check_index() const {
    static_assert(std::is_integral_v<I> && (sizeof(I) == 4 || sizeof(I) == 8), "the array is of int32_t, int64_t or uint64_t");
    if (raw_.index_bits != 8 * sizeof(I))
      throw error(COMET_FORMAT, "positions and coordinates are of " + std::to_string(raw_.index_bits) + " bits, not " +
                                    std::to_string(8 * sizeof(I)));
  }
  template <class T>
  void check_element() const {
    if (raw_.element != detail::element<T>::code)
      throw error(COMET_FORMAT, std::string("the elements are ") + detail::element_name(raw_.element) + ", not " +
                                    detail::element_name(detail::element<T>::code));
  }
  void check_borrows() const {
    if (owns_) throw error(COMET_ARGUMENT, "the tensor owns arrays and cannot borrow others: call `clear()` first");
  }
  void check_writable(const char *name) const {
    if (read_only_)
      throw error(COMET_ARGUMENT, std::string("the values of `") + name + "` are borrowed from a constant array: pass a `copy()`");
  }

  detail::owner owner_;
  bool owns_ = false, read_only_ = false, typed_ = false;
  detail::memory side_;
};

/* A dense tensor of any rank, row-major. */
template <class T>
class dense : public tensor {
 public:
  using value_type = T;

  /* Without extents; a result sets them. */
  dense() : tensor(format(1), tensor::typed()) {}
  /* Makes a vector of zeros. */
  explicit dense(std::int64_t length) : dense({length}) {}
  dense(std::initializer_list<std::int64_t> extents) : dense(span<const std::int64_t>(extents.begin(), extents.size())) {}
  explicit dense(span<const std::int64_t> extents) : tensor(format(extents.size()), tensor::typed()) {
    std::size_t count = this->shape(extents);
    if (count > SIZE_MAX / sizeof(T)) throw std::bad_alloc();
    detail::memory values = detail::allocate(count * sizeof(T));
    std::memset(values.get(), 0, count * sizeof(T));
    this->own_values(std::move(values), count);
  }
  /* Refuses a tensor of another format. */
  explicit dense(tensor &&other) : tensor(std::move(other), format(other.rank()), tensor::typed()) {}
  dense(dense &&other) noexcept : tensor(std::move(other), tensor::typed()) {}
  dense &operator=(dense &&other) noexcept { return this->take(std::move(other)), *this; }

  static comet_tensor format(std::size_t rank) {
    return detail::format_of_rank(detail::element<T>::code, 32, rank, COMET_DENSE, COMET_DENSE);
  }
  /* Without arrays, of another rank than 1. */
  static dense of_rank(std::size_t rank) { return dense(tensor(format(rank))); }

  template <class V>
  static dense borrow(std::initializer_list<std::int64_t> extents, V &&values) {
    dense made = of_rank(extents.size());
    std::size_t count = made.shape({extents.begin(), extents.size()});
    made.set_values(detail::values_of(std::forward<V>(values), count));
    return made;
  }
  template <class V>
  static dense borrow(V &values) {
    return borrow({static_cast<std::int64_t>(values.size())}, values);
  }

  dense copy() const { return dense(tensor::copy()); }

  span<const T> values() const noexcept { return {data(), size()}; }
  span<T> values() { return tensor::values<T>(); }
  const T *data() const noexcept { return static_cast<const T *>(this->raw_.values); }
  T *data() { return values().data(); }
  std::size_t size() const noexcept { return static_cast<std::size_t>(this->raw_.value_count); }
  const T *begin() const noexcept { return data(); }
  const T *end() const noexcept { return data() + size(); }
  T *begin() { return data(); }
  T *end() { return data() + size(); }

  const T &operator[](std::size_t place) const noexcept { return data()[place]; }
  T &operator[](std::size_t place) { return data()[place]; }
  template <class... N>
  const T &operator()(N... indices) const noexcept { return data()[place({static_cast<std::int64_t>(indices)...})]; }
  template <class... N>
  T &operator()(N... indices) { return data()[place({static_cast<std::int64_t>(indices)...})]; }

 private:
  std::size_t shape(span<const std::int64_t> extents) {
    std::size_t count = 1;
    for (std::size_t mode = 0; mode < extents.size(); ++mode) {
      std::int64_t extent = this->raw_.dims[mode] = extents[mode];
      if (extent < 0 || (extent > 0 && count > SIZE_MAX / static_cast<std::size_t>(extent)))
        throw error(COMET_SHAPE, "the extent of mode " + std::to_string(mode) + " is " + std::to_string(extent));
      count *= static_cast<std::size_t>(extent);
    }
    return count;
  }

  std::size_t place(std::initializer_list<std::int64_t> indices) const noexcept {
    std::size_t place = 0, mode = 0;
    for (std::int64_t index : indices) place = place * static_cast<std::size_t>(this->raw_.dims[mode++]) + static_cast<std::size_t>(index);
    return place;
  }
};

namespace detail {

/* CSR and CSC: a matrix whose outer level is D and whose inner one is CU. Self is the class itself. */
template <class Self, class T, class I, std::uint32_t Outer>
class compressed : public tensor {
 public:
  using value_type = T;
  using index_type = I;

  /* Without extents; a result sets them. */
  compressed() noexcept : tensor(format(), tensor::typed()) {}
  /* Refuses a tensor of another format. */
  explicit compressed(tensor &&other) : tensor(std::move(other), format(), tensor::typed()) {}
  compressed(compressed &&other) noexcept : tensor(std::move(other), tensor::typed()) {}
  compressed &operator=(compressed &&other) noexcept { return this->take(std::move(other)), *this; }

  static comet_tensor format() noexcept {
    return detail::format(element<T>::code, index_bits<I>(), {COMET_DENSE, COMET_COMPRESSED}, {Outer, 1 - Outer});
  }

  /* Borrows containers or spans; values that are const make a tensor that no kernel writes. */
  template <class V, class = std::enable_if_t<!std::is_pointer_v<std::decay_t<V>>>>
  static Self borrow(std::int64_t rows, std::int64_t columns, span<const I> pos, span<const I> crd, V &&values) {
    Self made;
    made.lend(rows, columns, pos, crd, lasting_span(std::forward<V>(values)));
    return made;
  }
  /* Borrows raw arrays, as those of PETSc's AIJ: the last element of `pos` is the number of entries. */
  template <class V>
  static Self borrow(std::int64_t rows, std::int64_t columns, const I *pos, const I *crd, V *values) {
    std::size_t fibers = static_cast<std::size_t>(Outer == 0 ? rows : columns);
    std::size_t count = pos ? static_cast<std::size_t>(pos[fibers]) : 0;
    Self made;
    made.lend(rows, columns, span<const I>(pos, fibers + 1), span<const I>(crd, count), span<V>(values, count));
    return made;
  }
  Self copy() const { return Self(tensor::copy()); }

  std::int64_t rows() const noexcept { return this->extent(0); }
  std::int64_t columns() const noexcept { return this->extent(1); }
  std::size_t nnz() const noexcept { return crd().size(); }
  span<const I> pos() const noexcept { return {static_cast<const I *>(inner().pos), std::size_t(inner().pos_count)}; }
  span<const I> crd() const noexcept { return {static_cast<const I *>(inner().crd), std::size_t(inner().crd_count)}; }
  span<const T> values() const noexcept {
    return {static_cast<const T *>(this->raw_.values), std::size_t(this->raw_.value_count)};
  }
  span<T> values() { return tensor::values<T>(); }

 private:
  template <class V>
  void lend(std::int64_t rows, std::int64_t columns, span<const I> pos, span<const I> crd, span<V> values) {
    this->raw_.dims[0] = rows, this->raw_.dims[1] = columns;
    this->set_pos(1, pos);
    this->set_crd(1, crd);
    this->set_values(values);
  }

  const comet_level &inner() const noexcept { return this->raw_.levels[1]; }
};

}  // namespace detail

/* A matrix in CSR: a row of `pos` bounds the coordinates of its columns, which ascend. */
template <class T, class I = std::int32_t>
class csr : public detail::compressed<csr<T, I>, T, I, 0> {
 public:
  csr() noexcept = default;
  explicit csr(tensor &&other) : detail::compressed<csr, T, I, 0>(std::move(other)) {}
};

/* A matrix in CSC: CSR with the modes exchanged. */
template <class T, class I = std::int32_t>
class csc : public detail::compressed<csc<T, I>, T, I, 1> {
 public:
  csc() noexcept = default;
  explicit csc(tensor &&other) : detail::compressed<csc, T, I, 1>(std::move(other)) {}
};

/* A tensor of rank 2 or more in COO: arrays of the coordinates of each mode, sorted by the first, then the second, and so on. */
template <class T, class I = std::int32_t>
class coo : public tensor {
 public:
  using value_type = T;
  using index_type = I;

  coo() : tensor(format(2), tensor::typed()) {}
  /* Refuses a tensor of another format. */
  explicit coo(tensor &&other) : tensor(std::move(other), format(other.rank()), tensor::typed()) {}
  coo(coo &&other) noexcept : tensor(std::move(other), tensor::typed()) {}
  coo &operator=(coo &&other) noexcept { return this->take(std::move(other)), *this; }

  static comet_tensor format(std::size_t rank) {
    return detail::format_of_rank(detail::element<T>::code, detail::index_bits<I>(), rank, COMET_COMPRESSED_NON_UNIQUE,
                                  COMET_SINGLETON);
  }
  /* Without arrays, of another rank than 2. */
  static coo of_rank(std::size_t rank) { return coo(tensor(format(rank))); }

  template <class V>
  static coo borrow(std::initializer_list<std::int64_t> extents, std::initializer_list<span<const I>> coordinates, V &&values) {
    if (coordinates.size() != extents.size() || extents.size() < 2)
      throw error(COMET_SHAPE, "found " + std::to_string(coordinates.size()) + " arrays of coordinates, expected one for each of " +
                                   std::to_string(extents.size()) + " modes, 2 or more");
    coo made = of_rank(extents.size());
    made.set_extents(extents);
    std::size_t count = coordinates.begin()->size(), level = 0;
    for (span<const I> array : coordinates) made.set_crd(level++, array);
    detail::memory bounds = detail::allocate(2 * sizeof(I));
    I *pos = static_cast<I *>(bounds.get());
    pos[0] = 0, pos[1] = static_cast<I>(count);
    made.set_pos(0, span<const I>(pos, 2));
    made.keep(std::move(bounds));
    made.set_values(detail::values_of(std::forward<V>(values), count));
    return made;
  }

  std::size_t nnz() const noexcept { return crd(0).size(); }
  span<const I> pos() const noexcept {
    return {static_cast<const I *>(this->raw_.levels[0].pos), std::size_t(this->raw_.levels[0].pos_count)};
  }
  span<const I> crd(std::size_t mode) const noexcept {
    return {static_cast<const I *>(this->raw_.levels[mode].crd), std::size_t(this->raw_.levels[mode].crd_count)};
  }
  span<const T> values() const noexcept {
    return {static_cast<const T *>(this->raw_.values), std::size_t(this->raw_.value_count)};
  }
  span<T> values() { return tensor::values<T>(); }
  coo copy() const { return coo(tensor::copy()); }
};

namespace detail {

template <class M, class = void>
struct is_eigen_sparse : std::false_type {};
template <class M>
struct is_eigen_sparse<M, std::void_t<decltype(std::declval<M &>().valuePtr()), decltype(std::declval<M &>().innerIndexPtr()),
                                      decltype(std::declval<M &>().outerIndexPtr()), decltype(std::declval<M &>().isCompressed()),
                                      typename M::StorageIndex, typename M::Scalar>> : std::true_type {};

template <class M, class = void>
struct is_eigen_dense : std::false_type {};
template <class M>
struct is_eigen_dense<M, std::void_t<decltype(std::declval<M &>().data()), decltype(std::declval<M &>().rows()),
                                     decltype(std::declval<M &>().innerStride()), decltype(std::declval<M &>().outerStride()),
                                     typename M::Scalar>> : std::true_type {};

template <class M, class = void>
struct is_container : std::false_type {};
template <class M>
struct is_container<M, std::enable_if_t<!is_eigen_sparse<M>::value && !is_eigen_dense<M>::value && !std::is_base_of_v<tensor, std::remove_cv_t<M>>,
                                        std::void_t<decltype(std::declval<M &>().data()), decltype(std::declval<M &>().size())>>>
    : std::true_type {};

template <class M>
void check_strides(const M &matrix) {
  auto inner = M::IsRowMajor ? matrix.cols() : matrix.rows();
  auto outer = M::IsRowMajor ? matrix.rows() : matrix.cols();
  if (matrix.size() > 0 && ((inner > 1 && matrix.innerStride() != 1) || (outer > 1 && matrix.outerStride() != inner)))
    throw error(COMET_SHAPE, "the elements are not side by side in memory: copy the expression into a matrix");
}

}  // namespace detail

/* The arrays of a compressed sparse matrix of Eigen, without a copy: `csr` of a row-major one, `csc` of a column-major one. */
template <class M, std::enable_if_t<detail::is_eigen_sparse<M>::value, int> = 0>
auto borrow(M &matrix) {
  using T = std::remove_cv_t<typename M::Scalar>;
  using I = detail::index_of<typename M::StorageIndex>;
  if (!matrix.isCompressed())
    throw error(COMET_FORMAT, "the sparse matrix has free space between its rows or columns, expected none: call `makeCompressed()`");
  using made = std::conditional_t<static_cast<bool>(M::IsRowMajor), csr<T, I>, csc<T, I>>;
  // Of an empty matrix the arrays may be null, and the outer one is not.
  return made::borrow(matrix.rows(), matrix.cols(), reinterpret_cast<const I *>(matrix.outerIndexPtr()),
                      reinterpret_cast<const I *>(matrix.innerIndexPtr()), matrix.valuePtr());
}

/* The elements of a vector or matrix of Eigen, without a copy: `dense` of a vector, which has rank 1, and of a row-major matrix. A
   column-major matrix is a `tensor` for parameters with `order={1,0}`. */
template <class M, std::enable_if_t<detail::is_eigen_dense<M>::value, int> = 0>
auto borrow(M &matrix) {
  using T = std::remove_cv_t<typename M::Scalar>;
  detail::check_strides(matrix);
  std::size_t count = static_cast<std::size_t>(matrix.size());
  if constexpr (M::IsVectorAtCompileTime) {
    return dense<T>::borrow({static_cast<std::int64_t>(count)}, matrix.data());
  } else if constexpr (static_cast<bool>(M::IsRowMajor)) {
    return dense<T>::borrow({matrix.rows(), matrix.cols()}, matrix.data());
  } else {
    tensor made(detail::format(detail::element<T>::code, 32, {COMET_DENSE, COMET_DENSE}, {1, 0}));
    made.set_extents({matrix.rows(), matrix.cols()});
    made.borrow_values(span<std::remove_pointer_t<decltype(matrix.data())>>(matrix.data(), count));
    return made;
  }
}

/* The elements of a std::vector, a std::array or a span, as a dense tensor of rank 1. */
template <class C, std::enable_if_t<detail::is_container<C>::value, int> = 0>
auto borrow(C &container) {
  return dense<std::remove_cv_t<std::remove_pointer_t<decltype(container.data())>>>::borrow(container);
}

/* What is temporary is gone before the kernel is called. */
template <class M>
void borrow(const M &&) = delete;

namespace detail {

/* A result of a call: what the kernel allocates for it is freed as the context says. */
class result {
 public:
  result(tensor &of, const char *name, context &called)
      : of_(of), raw_(of.result(name)), owner_(called.owner()), was_empty_(of.empty()) {}
  comet_tensor *raw() const noexcept { return raw_; }
  void filled() noexcept { of_.filled(owner_, was_empty_); }

 private:
  tensor &of_;
  comet_tensor *raw_;
  owner owner_;
  bool was_empty_;
};

inline const comet_complex64 *to_c(const std::complex<float> *z) { return reinterpret_cast<const comet_complex64 *>(z); }
inline comet_complex64 *to_c(std::complex<float> *z) { return reinterpret_cast<comet_complex64 *>(z); }
inline const comet_complex128 *to_c(const std::complex<double> *z) { return reinterpret_cast<const comet_complex128 *>(z); }
inline comet_complex128 *to_c(std::complex<double> *z) { return reinterpret_cast<comet_complex128 *>(z); }

}  // namespace detail

}  // namespace comet

#endif
