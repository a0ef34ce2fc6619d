// Sizes and strides, and the arithmetic on them that operations and data parallelism share.
// A Shape is a small value; it owns its numbers in place.
#ifndef PLACECHECK_RUNTIME_CORE_SHAPE_H_
#define PLACECHECK_RUNTIME_CORE_SHAPE_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <string>
#include <vector>

namespace placecheck::runtime {

inline constexpr std::size_t kMaxDims = 8;

class Shape {
 public:
  Shape() = default;
  Shape(std::initializer_list<std::int64_t> sizes) : Shape(sizes.begin(), sizes.end()) {}
  Shape(const std::vector<std::int64_t>& sizes) : Shape(sizes.begin(), sizes.end()) {}
  // Throws Error for more than kMaxDims.
  template <typename Iterator>
  Shape(Iterator first, Iterator last) {
    for (; first != last; ++first) push_back(*first);
  }

  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  std::int64_t operator[](std::size_t i) const { return values_[i]; }
  std::int64_t& operator[](std::size_t i) { return values_[i]; }
  const std::int64_t* begin() const { return values_.data(); }
  const std::int64_t* end() const { return values_.data() + count_; }
  std::int64_t back() const { return values_[count_ - 1]; }

  void push_back(std::int64_t value);
  void insert(std::size_t at, std::int64_t value);
  void erase(std::size_t at);

  friend bool operator==(const Shape& a, const Shape& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  std::array<std::int64_t, kMaxDims> values_{};
  std::size_t count_ = 0;
};

std::ostream& operator<<(std::ostream& out, const Shape& shape);  // [2, 5]

std::int64_t element_count(const Shape& sizes);
Shape contiguous_strides(const Shape& sizes);

// A dimension counted from the end becomes one counted from the front. Throws IndexError.
std::int64_t wrap_dim(std::int64_t dim, std::int64_t dims);

// The sizes that both broadcast to. Throws Error.
Shape broadcast(const Shape& a, const Shape& b);

// Replaces one -1 by what `elements` leave for it. Throws Error.
Shape infer_size(const Shape& sizes, std::int64_t elements);

// The sizes of at most `chunks` pieces of `length`: all are ceil(length / chunks) long, but for the
// last; there may be fewer pieces. Nothing is split into `chunks` empty pieces.
std::vector<std::int64_t> chunk_sizes(std::int64_t length, std::int64_t chunks);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_CORE_SHAPE_H_
