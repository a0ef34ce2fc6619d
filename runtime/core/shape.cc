#include "runtime/core/shape.h"

#include <ostream>

#include "runtime/core/check.h"

namespace placecheck::runtime {

void Shape::push_back(std::int64_t value) { insert(count_, value); }

void Shape::insert(std::size_t at, std::int64_t value) {
  check(count_ < kMaxDims, "tensors have at most ", kMaxDims, " dimensions");
  std::copy_backward(values_.begin() + at, values_.begin() + count_, values_.begin() + count_ + 1);
  values_[at] = value;
  ++count_;
}

void Shape::erase(std::size_t at) {
  std::copy(values_.begin() + at + 1, values_.begin() + count_, values_.begin() + at);
  --count_;
}

std::ostream& operator<<(std::ostream& out, const Shape& shape) {
  out << '[';
  for (std::size_t i = 0; i < shape.size(); ++i) out << (i == 0 ? "" : ", ") << shape[i];
  return out << ']';
}

std::int64_t element_count(const Shape& sizes) {
  std::int64_t count = 1;
  for (std::int64_t size : sizes) count *= size;
  return count;
}

Shape contiguous_strides(const Shape& sizes) {
  Shape strides = sizes;
  std::int64_t stride = 1;
  for (std::size_t i = sizes.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= std::max<std::int64_t>(sizes[i], 1);
  }
  return strides;
}

std::int64_t wrap_dim(std::int64_t dim, std::int64_t dims) {
  std::int64_t range = std::max<std::int64_t>(dims, 1);
  check<IndexError>(dim >= -range && dim < range,
                    "Dimension out of range (expected to be in range of [", -range, ", ", range - 1,
                    "], but got ", dim, ")");
  return dim < 0 ? dim + range : dim;
}

Shape broadcast(const Shape& a, const Shape& b) {
  const Shape& longer = a.size() >= b.size() ? a : b;
  const Shape& shorter = a.size() >= b.size() ? b : a;
  Shape result = longer;
  std::size_t shift = longer.size() - shorter.size();
  for (std::size_t i = shift; i < longer.size(); ++i) {
    std::int64_t size_a = a[i - (longer.size() - a.size())];
    std::int64_t size_b = b[i - (longer.size() - b.size())];
    check(size_a == size_b || size_a == 1 || size_b == 1, "The size of tensor a (", size_a,
          ") must match the size of tensor b (", size_b, ") at non-singleton dimension ", i);
    result[i] = size_a == 1 ? size_b : size_a;
  }
  return result;
}

Shape infer_size(const Shape& sizes, std::int64_t elements) {
  Shape result = sizes;
  std::int64_t known = 1;
  std::int64_t* inferred = nullptr;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] != -1) {
      known *= sizes[i];
      continue;
    }
    check(inferred == nullptr, "only one dimension can be inferred");
    inferred = &result[i];
  }
  bool fits = inferred ? known != 0 && elements % known == 0 : known == elements;
  check(fits, "shape '", sizes, "' is invalid for input of size ", elements);
  if (inferred) *inferred = elements / known;
  return result;
}

std::vector<std::int64_t> chunk_sizes(std::int64_t length, std::int64_t chunks) {
  check(chunks > 0, "chunk expects `chunks` to be greater than 0, got: ", chunks);
  if (length == 0) return std::vector<std::int64_t>(static_cast<std::size_t>(chunks), 0);
  std::int64_t piece = (length + chunks - 1) / chunks;
  std::vector<std::int64_t> sizes;
  for (std::int64_t start = 0; start < length; start += piece) {
    sizes.push_back(std::min(piece, length - start));
  }
  return sizes;
}

}  // namespace placecheck::runtime
