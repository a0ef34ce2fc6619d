// In front of libtorch's header of this name on the include path: what torch/nn/parallel/
// data_parallel.h uses of it, for machines without the CUDA toolkit, whose headers the original
// includes. Layouts and names are those of libtorch 1.13 and 2.15; the functions are defined in
// runtime/torch/scatter_gather.cc. With the toolkit the original is used.
#ifndef PLACECHECK_RUNTIME_TORCH_INCLUDE_COMM_H_
#define PLACECHECK_RUNTIME_TORCH_INCLUDE_COMM_H_

#if !defined(PLACECHECK_NO_CUDA_TOOLKIT) && __has_include(<cuda_runtime_api.h>)
#include_next <torch/csrc/autograd/functions/comm.h>
#else

#include <ATen/ATen.h>
#include <c10/core/Stream.h>
#include <torch/csrc/autograd/function.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/version.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#if __has_include(<cuda_runtime_api.h>)
#include <c10/cuda/CUDAStream.h>
#else
namespace c10::cuda {

class CUDAStream {
 private:
  c10::Stream stream_;
};

}  // namespace c10::cuda

namespace at::cuda {
using c10::cuda::CUDAStream;
}  // namespace at::cuda
#endif

namespace torch::autograd {

using ChunkSizes = c10::optional<std::vector<std::int64_t>>;
using ScatterStreams = c10::optional<std::vector<c10::optional<at::cuda::CUDAStream>>>;

// How the constructor takes them.
#if TORCH_VERSION_MAJOR >= 2
using ChunkSizesArgument = ChunkSizes;
using ScatterStreamsArgument = ScatterStreams;
#else
using ChunkSizesArgument = const ChunkSizes&;
using ScatterStreamsArgument = const ScatterStreams&;
#endif

struct __attribute__((visibility("default"))) Scatter : public Node {
  explicit Scatter(std::vector<at::Device> devices, ChunkSizesArgument chunk_sizes = c10::nullopt,
                   std::int64_t dim = 0, ScatterStreamsArgument streams = c10::nullopt,
                   bool unsqueeze_scalars = false);
  ~Scatter() override;

  variable_list apply(variable_list&& inputs) override;

  std::vector<at::Device> devices_;
  ChunkSizes chunk_sizes_;
  std::int64_t dim_;
  ScatterStreams streams_;
  bool unsqueeze_scalars_;
};

struct __attribute__((visibility("default"))) Gather : public Node {
  explicit Gather(const at::Device& destination_device, std::int64_t dim = 0);
  ~Gather() override;

  variable_list apply(variable_list&& inputs) override;

  at::Device destination_device_;
  std::int64_t dim_;
};

}  // namespace torch::autograd

#endif

#endif  // PLACECHECK_RUNTIME_TORCH_INCLUDE_COMM_H_
