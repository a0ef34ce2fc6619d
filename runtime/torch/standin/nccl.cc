// torch::cuda::nccl: the collectives between the devices of one process, which torch.cuda.nccl
// offers and DataParallel's gradients use.
#include <ATen/ATen.h>
#include <c10/cuda/CUDAStream.h>
#include <c10/util/Exception.h>

#include <cstdint>
#include <optional>
#include <vector>

namespace torch::cuda::nccl {
namespace {

using Tensors = std::vector<at::Tensor>;
using Streams = std::vector<std::optional<c10::cuda::CUDAStream>>;
using Communicators = std::vector<void*>;

// ncclRedOp_t.
enum Reduction : std::int32_t { kSum = 0, kProd = 1, kMax = 2, kMin = 3, kAvg = 4 };

at::Tensor combine(const at::Tensor& a, const at::Tensor& b, std::int32_t reduction) {
  switch (reduction) {
    case kSum:
    case kAvg:
      return a + b;
    case kProd:
      return a * b;
    case kMax:
      return at::maximum(a, b);
    case kMin:
      return at::minimum(a, b);
    default:
      TORCH_CHECK(false, "NCCL: invalid reduction ", reduction);
  }
}

// Texts of torch/csrc/cuda/nccl.cpp, check_tensor and check_inputs.
void check_inputs(at::TensorList inputs) {
  TORCH_CHECK(!inputs.empty(), "input sequence can't be empty");
  std::vector<bool> is_used;
  for (const at::Tensor& input : inputs) {
    TORCH_CHECK(input.is_cuda() && !input.is_sparse(),
                "input and output elements have to be cuda dense Tensors");
    TORCH_CHECK(input.scalar_type() == inputs.front().scalar_type(),
                "all inputs and outputs must be of the same Tensor type");
    TORCH_CHECK(input.is_contiguous(), "all inputs and outputs must be contiguous");
    const auto device = static_cast<std::size_t>(input.get_device());
    if (is_used.size() <= device) is_used.resize(device + 1);
    TORCH_CHECK(!is_used[device], "inputs must be on unique devices");
    is_used[device] = true;
  }
}

at::Tensor reduced(const Tensors& inputs, std::int32_t reduction, at::Device device) {
  check_inputs(inputs);
  at::Tensor total = inputs.front().to(device, /*non_blocking=*/false, /*copy=*/true);
  for (std::size_t i = 1; i < inputs.size(); ++i) {
    total = combine(total, inputs[i].to(device), reduction);
  }
  if (reduction == kAvg) total.div_(static_cast<std::int64_t>(inputs.size()));
  return total;
}

}  // namespace

std::uint64_t version() { return (2ULL << 32) | (28ULL << 16) | 9ULL; }
const char* version_suffix() { return ""; }

void broadcast(at::TensorList tensors, std::int32_t root, const Streams& /*streams*/,
               const Communicators& /*communicators*/) {
  check_inputs(tensors);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (i != static_cast<std::size_t>(root)) {
      tensors[i].copy_(tensors[static_cast<std::size_t>(root)]);
    }
  }
}
void broadcast(at::TensorList tensors, const Streams& streams, const Communicators& communicators) {
  broadcast(tensors, 0, streams, communicators);
}

void all_reduce(const Tensors& inputs, Tensors& outputs, std::int32_t reduction,
                const Streams& /*streams*/, const Communicators& /*communicators*/) {
  const at::Tensor total = reduced(inputs, reduction, inputs.at(0).device());
  for (at::Tensor& output : outputs) output.copy_(total);
}

void reduce(const Tensors& inputs, at::Tensor& output, std::int32_t /*root*/,
            std::int32_t reduction, const Streams& /*streams*/,
            const Communicators& /*communicators*/) {
  output.copy_(reduced(inputs, reduction, output.device()));
}

void all_gather(const Tensors& inputs, Tensors& outputs, const Streams& /*streams*/,
                const Communicators& /*communicators*/) {
  check_inputs(inputs);
  for (at::Tensor& output : outputs) {
    Tensors parts;
    for (const at::Tensor& input : inputs) parts.push_back(input.flatten().to(output.device()));
    output.copy_(at::cat(parts).view_as(output));
  }
}

void reduce_scatter(const Tensors& inputs, Tensors& outputs, std::int32_t reduction,
                    const Streams& /*streams*/, const Communicators& /*communicators*/) {
  const at::Tensor total = reduced(inputs, reduction, inputs.at(0).device());
  const Tensors parts = total.flatten().chunk(static_cast<std::int64_t>(outputs.size()));
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].copy_(parts.at(i).view_as(outputs[i]));
  }
}

}  // namespace torch::cuda::nccl
