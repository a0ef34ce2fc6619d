#include "runtime/tensor/launch.h"

namespace placecheck::runtime {

Device common_device(std::initializer_list<const Tensor*> operands) {
  for (const Tensor* operand : operands) {
    if (operand->defined() && operand->is_cuda()) return operand->device();
  }
  return kCPU;
}

void launch_on(const Device& device, Launch launch, std::initializer_list<const Tensor*> touched) {
  std::array<const void*, kMaxTouched> pointers;
  std::size_t count = 0;
  for (const Tensor* tensor : touched) {
    if (tensor->defined()) pointers[count++] = tensor->data_ptr();
  }
  launch.pointers = {pointers.data(), count};
  backend_of(device).launch(stream_of(device), launch);
}

}  // namespace placecheck::runtime
