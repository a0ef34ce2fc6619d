// ATen chooses a convolution's kernel by the kind of its input: for CUDA tensors without cuDNN it
// would take the slow one, or one that only CUDA has. The host chooses as it does for itself.
#include <ATen/ATen.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <ATen/core/dispatch/Dispatcher.h>

#include "runtime/torch/virtual_cuda/host_call.h"
#include "runtime/torch/virtual_cuda/kernels.h"
#include "runtime/torch/virtual_cuda/placement.h"

namespace placecheck::virtual_cuda {
namespace {

// Input, weight and bias come first in all of them.
class ForwardCall final : public c10::OperatorKernel {
 public:
  explicit ForwardCall(const c10::OperatorHandle& op) : call_(op) {}

  void operator()(const c10::OperatorHandle& op, c10::DispatchKeySet keys,
                  torch::jit::Stack* stack) {
    const auto arguments = torch::jit::last(*stack, op.schema().arguments().size());
    const at::Tensor bias = arguments[2].isTensor() ? arguments[2].toTensor() : at::Tensor();
    check_convolution(arguments[0].toTensor(), arguments[1].toTensor(), bias);
    call_(op, keys, stack);
  }

 private:
  HostCall call_;
};

template <typename Kernel>
void add(torch::Library& library, const char* name) {
  const auto op =
      c10::Dispatcher::singleton().findSchemaOrThrow((std::string("aten::") + name).c_str(), "");
  library.impl(name, torch::CppFunction::makeFromBoxedFunctor(std::make_unique<Kernel>(op)));
}

}  // namespace

void add_convolution_kernels(torch::Library& library) {
  add<ForwardCall>(library, "convolution");
  add<ForwardCall>(library, "_convolution");
  add<HostCall>(library, "convolution_backward");
}

}  // namespace placecheck::virtual_cuda
