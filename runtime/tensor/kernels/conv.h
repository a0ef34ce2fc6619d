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
    const Window& w = window;
    for (std::int64_t i = begin, length = 0; i < end; i += length) {
      std::int64_t column = i % (w.out_height * w.out_width);
      std::int64_t row = i / (w.out_height * w.out_width);
      std::int64_t first = column % w.out_width;
      length = std::min(end - i, w.out_width - first);
      std::int64_t ky = row / w.kernel_width % w.kernel_height;
      std::int64_t channel = row / w.kernel_width / w.kernel_height;
      std::int64_t y = column / w.out_width * w.stride_height - w.padding_height + ky;
      std::int64_t x = first * w.stride_width - w.padding_width + row % w.kernel_width;
      bool has_line = y >= 0 && y < w.height;
      std::int64_t line = (channel * w.height + y) * w.width;
      for (std::int64_t j = 0; j < length; ++j, x += w.stride_width) {
        out[i + j] = has_line && x >= 0 && x < w.width ? in[line + x] : T(0);
      }
    }
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
  PLACECHECK_HD void operator()(std::int64_t i) const {
    std::int64_t out_height = height / kernel;
    std::int64_t out_width = width / kernel;
    std::int64_t left = i % out_width * kernel;
    std::int64_t top = i / out_width % out_height * kernel;
    std::int64_t plane = i / out_width / out_height * height * width;
    std::int64_t best = plane + top * width + left;
    for (std::int64_t y = top; y < top + kernel; ++y) {
      for (std::int64_t x = left; x < left + kernel; ++x) {
        std::int64_t here = plane + y * width + x;
        if (in[here] > in[best]) best = here;
      }
    }
    position[i] = best;
    out[i] = in[best];
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
