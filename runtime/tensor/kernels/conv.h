// Kernels of two-dimensional convolution and pooling.
#ifndef PLACECHECK_RUNTIME_TENSOR_KERNELS_CONV_H_
#define PLACECHECK_RUNTIME_TENSOR_KERNELS_CONV_H_

#include <algorithm>
#include <cstdint>

#include "runtime/backend/kernel.h"

namespace placecheck::runtime::kernels {

// One image of [channels, height, width] under a window.
struct Window {
  std::int64_t channels;
  std::int64_t height;
  std::int64_t width;
  std::int64_t kernel_height;
  std::int64_t kernel_width;
  std::int64_t stride_height;
  std::int64_t stride_width;
  std::int64_t padding_height;
  std::int64_t padding_width;
  std::int64_t out_height;
  std::int64_t out_width;
};

// Each window's elements become a column: [channels * kernel, out_height * out_width].
template <typename T>
struct Unfold {
  static constexpr const char* kName = "unfold";
  T* out;
  const T* in;
  Window window;

  PLACECHECK_HD void operator()(std::int64_t i) const {
    const Window& w = window;
    std::int64_t column = i % (w.out_height * w.out_width);
    std::int64_t row = i / (w.out_height * w.out_width);
    std::int64_t kx = row % w.kernel_width;
    std::int64_t ky = row / w.kernel_width % w.kernel_height;
    std::int64_t channel = row / w.kernel_width / w.kernel_height;
    std::int64_t y = column / w.out_width * w.stride_height - w.padding_height + ky;
    std::int64_t x = column % w.out_width * w.stride_width - w.padding_width + kx;
    bool is_inside = y >= 0 && y < w.height && x >= 0 && x < w.width;
    out[i] = is_inside ? in[(channel * w.height + y) * w.width + x] : T(0);
  }

  // Windows beside each other at a time: what they hold lies side by side, too.
  void host_range(std::int64_t begin, std::int64_t end) const {
    std::int64_t columns = window.out_height * window.out_width;
    for (std::int64_t i = begin; i < end;) {
      std::int64_t row = i / columns;
      std::int64_t last = std::min(end, (row + 1) * columns);
      unfold_row(row, i - row * columns, last - row * columns);
      i = last;
    }
  }

 private:
  // What stands at one place of the windows number `first` to `last` - 1.
  void unfold_row(std::int64_t row, std::int64_t first, std::int64_t last) const {
    const Window& w = window;
    T* to = out + row * w.out_height * w.out_width;
    std::int64_t left = row % w.kernel_width - w.padding_width;
    std::int64_t top = row / w.kernel_width % w.kernel_height - w.padding_height;
    const T* plane = in + row / w.kernel_width / w.kernel_height * w.height * w.width;
    std::int64_t line = first / w.out_width;
    for (std::int64_t i = first; i < last; ++line) {
      std::int64_t length = std::min(last, (line + 1) * w.out_width) - i;
      std::int64_t y = line * w.stride_height + top;
      std::int64_t x = (i - line * w.out_width) * w.stride_width + left;
      if (y >= 0 && y < w.height) {
        unfold_line(to + i, length, plane + y * w.width, x);
      } else {
        std::fill_n(to + i, length, T(0));
      }
      i += length;
    }
  }

  // Every stride-th element from x on, zero beside the line.
  void unfold_line(T* to, std::int64_t length, const T* line, std::int64_t x) const {
    std::int64_t stride = window.stride_width;
    auto steps_to = [&](std::int64_t goal) {
      return goal <= x ? 0 : std::min(length, (goal - x + stride - 1) / stride);
    };
    std::int64_t first = steps_to(0);
    std::int64_t last = steps_to(window.width);
    std::fill(to, to + first, T(0));
    for (std::int64_t i = first; i < last; ++i) to[i] = line[x + i * stride];
    std::fill(to + last, to + length, T(0));
  }
};

// The other way: an element is the sum of what all windows over it hold.
template <typename T>
struct FoldSum {
  static constexpr const char* kName = "fold";
  T* out;
  const T* in;
  Window window;

  std::int64_t index_work() const { return window.kernel_height * window.kernel_width; }
  PLACECHECK_HD void operator()(std::int64_t i) const {
    const Window& w = window;
    std::int64_t x = i % w.width + w.padding_width;
    std::int64_t y = i / w.width % w.height + w.padding_height;
    std::int64_t channel = i / w.width / w.height;
    T total = 0;
    for (std::int64_t ky = 0; ky < w.kernel_height; ++ky) {
      std::int64_t top = y - ky;
      if (top < 0 || top % w.stride_height != 0 || top / w.stride_height >= w.out_height) continue;
      for (std::int64_t kx = 0; kx < w.kernel_width; ++kx) {
        std::int64_t left = x - kx;
        if (left < 0 || left % w.stride_width != 0 || left / w.stride_width >= w.out_width) {
          continue;
        }
        std::int64_t row = (channel * w.kernel_height + ky) * w.kernel_width + kx;
        std::int64_t column = top / w.stride_height * w.out_width + left / w.stride_width;
        total += in[row * w.out_height * w.out_width + column];
      }
    }
    out[i] = total;
  }

  // A line of the image at a time; every element's sum is taken in the same order as above.
  void host_range(std::int64_t begin, std::int64_t end) const {
    for (std::int64_t i = begin, length = 0; i < end; i += length) {
      std::int64_t x = i % window.width;
      length = std::min(end - i, window.width - x);
      std::fill_n(out + i, length, T(0));
      add_windows(out + i - x, i / window.width, x, x + length);
    }
  }

 private:
  // Adds to line[first] to line[last - 1], the image's `number`-th line.
  void add_windows(T* line, std::int64_t number, std::int64_t first, std::int64_t last) const {
    const Window& w = window;
    std::int64_t y = number % w.height + w.padding_height;
    std::int64_t channel = number / w.height;
    for (std::int64_t ky = 0; ky < w.kernel_height; ++ky) {
      std::int64_t top = y - ky;
      if (top < 0 || top % w.stride_height != 0 || top / w.stride_height >= w.out_height) continue;
      for (std::int64_t kx = 0; kx < w.kernel_width; ++kx) {
        std::int64_t row = (channel * w.kernel_height + ky) * w.kernel_width + kx;
        const T* from = in + (row * w.out_height + top / w.stride_height) * w.out_width;
        std::int64_t offset = kx - w.padding_width;  // window 0 has this element of the line
        std::int64_t skipped = std::max<std::int64_t>(first - offset, 0);
        std::int64_t left = (skipped + w.stride_width - 1) / w.stride_width;
        std::int64_t x = left * w.stride_width + offset;
        for (; left < w.out_width && x < last; ++left, x += w.stride_width) line[x] += from[left];
      }
    }
  }
};

// Windows that do not overlap; `position` remembers which element was the largest.
template <typename T>
struct MaxPool {
  static constexpr const char* kName = "max_pool";
  T* out;
  std::int64_t* position;
  const T* in;
  std::int64_t height;
  std::int64_t width;
  std::int64_t kernel;

  std::int64_t index_work() const { return kernel * kernel; }
  PLACECHECK_HD void operator()(std::int64_t i) const { take_largest(i, corner(i)); }

  // A line of windows at a time.
  void host_range(std::int64_t begin, std::int64_t end) const {
    std::int64_t out_width = width / kernel;
    for (std::int64_t i = begin; i < end;) {
      std::int64_t last = std::min(end, i - i % out_width + out_width);
      for (std::int64_t first = corner(i); i < last; ++i, first += kernel) take_largest(i, first);
    }
  }

 private:
  // The first element of a window.
  PLACECHECK_HD std::int64_t corner(std::int64_t i) const {
    std::int64_t out_height = height / kernel;
    std::int64_t out_width = width / kernel;
    std::int64_t line = i / out_width;
    std::int64_t top = line / out_height * height + line % out_height * kernel;
    return top * width + i % out_width * kernel;
  }

  PLACECHECK_HD void take_largest(std::int64_t i, std::int64_t corner) const {
    std::int64_t best = corner;
    T largest = in[corner];
    for (std::int64_t y = 0; y < kernel; ++y) {
      for (std::int64_t x = 0; x < kernel; ++x) {
        std::int64_t here = corner + y * width + x;
        bool is_larger = in[here] > largest;  // selected, not branched on: chance decides it
        largest = is_larger ? in[here] : largest;
        best = is_larger ? here : best;
      }
    }
    position[i] = best;
    out[i] = largest;
  }
};

template <typename T>
struct MaxPoolGrad {
  static constexpr const char* kName = "max_pool_grad";
  T* out;  // zeroed before
  const T* grad;
  const std::int64_t* position;

  PLACECHECK_HD void operator()(std::int64_t i) const { out[position[i]] = grad[i]; }
};

}  // namespace placecheck::runtime::kernels

#endif  // PLACECHECK_RUNTIME_TENSOR_KERNELS_CONV_H_
