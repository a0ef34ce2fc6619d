// device-mismatch: an operation, module call or loss combines values on different devices.
// Constants and pure functions; any thread may call them.
#ifndef PLACECHECK_RULES_DEVICE_MISMATCH_H_
#define PLACECHECK_RULES_DEVICE_MISMATCH_H_

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "rules/facts.h"
#include "rules/rule.h"
#include "rules/verdict.h"

namespace placecheck::rules::device_mismatch {

inline constexpr Rule kRule{
    .id = "device-mismatch",
    .summary = "an operation combines values that are on different devices",
    .category = Category::kPlacement,
    .severity = Severity::kError,
    .languages = {.cpp = true, .cuda = true, .python = true},
    .witnesses = {.analyzer = true, .runtime = true},
    .predicted_error =
        "Expected all tensors to be on the same device, but found at least two devices, {} and {}!",
};

// How an operation treats operands from several devices.
enum class Mixing {
  kExact,       // all on one device, 0-dim or not (matmul, convolution, embedding, losses)
  kCpuScalars,  // one 0-dim CPU input may join CUDA operands (arithmetic, comparison)
  kAnywhere,    // copies between devices itself (copy_)
};

// A CPU value may meet this accelerator value if it is a 0-dim input and the operation lets it in.
constexpr Verdict may_join(OperandFact operand, Mixing mixing) {
  if (mixing != Mixing::kCpuScalars || operand.role == Role::kOutput) return Verdict::kBroken;
  if (operand.zero_dim == Trait::kUnknown) return Verdict::kUnknown;
  return operand.zero_dim == Trait::kYes ? Verdict::kHolds : Verdict::kBroken;
}

constexpr Verdict judge(OperandFact a, OperandFact b, Mixing mixing) {
  if (mixing == Mixing::kAnywhere) return Verdict::kHolds;
  const Verdict same = same_place(a.device, b.device);
  if (same != Verdict::kBroken) return same;
  if (a.device.is_cpu() && a.role == Role::kIndex) return Verdict::kHolds;
  if (b.device.is_cpu() && b.role == Role::kIndex) return Verdict::kHolds;
  if (a.device.is_cpu()) return may_join(a, mixing);
  if (b.device.is_cpu()) return may_join(b, mixing);
  return Verdict::kBroken;
}

// A second 0-dim CPU input beside an accelerator operand is refused, too.
constexpr bool too_many_scalars(std::span<const OperandFact> operands, Mixing mixing) {
  std::size_t scalars = 0;
  bool accelerator = false;
  for (const OperandFact& operand : operands) {
    accelerator = accelerator || operand.device.is_accelerator();
    scalars +=
        operand.device.is_cpu() && operand.role == Role::kInput && operand.zero_dim == Trait::kYes;
  }
  return mixing == Mixing::kCpuScalars && accelerator && scalars > 1;
}

constexpr Verdict judge(std::span<const OperandFact> operands, Mixing mixing) {
  if (too_many_scalars(operands, mixing)) return Verdict::kBroken;
  Verdict verdict = Verdict::kHolds;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    for (std::size_t j = i + 1; j < operands.size(); ++j) {
      verdict = all_of(verdict, judge(operands[i], operands[j], mixing));
    }
  }
  return verdict;
}

// Operations that walk their arguments in order name the argument that is out of place.
struct Argument {
  std::string_view name;    // "mat1"
  std::string_view method;  // "wrapper_CUDA_addmm"
};

// Elementwise operations name the accelerator first; the caller orders the two.
inline std::string message(std::string_view first_device, std::string_view second_device) {
  return "Expected all tensors to be on the same device, but found at least two devices, " +
         std::string(first_device) + " and " + std::string(second_device) + "!";
}

inline std::string message(std::string_view common_device, std::string_view other_device,
                           Argument argument) {
  return message(common_device, other_device) + " (when checking argument for argument " +
         std::string(argument.name) + " in method " + std::string(argument.method) + ")";
}

// The same as PyTorch 2.8 and later releases word it.
inline std::string message_since_2_8(std::string_view common_device, std::string_view other_device,
                                     Argument argument) {
  return "Expected all tensors to be on the same device, but got " + std::string(argument.name) +
         " is on " + std::string(other_device) + ", different from other tensors on " +
         std::string(common_device) + " (when checking argument in method " +
         std::string(argument.method) + ")";
}

inline std::string too_many_scalars_message() {
  return "Trying to pass too many CPU scalars to non-CPU kernel!";
}

// "CPUFloatType", "CUDALongType": how a convolution names what it was given.
inline std::string tensor_type(std::string_view device, std::string_view scalar = "Float") {
  return std::string(device.starts_with("cuda") ? "CUDA" : "CPU") + std::string(scalar) + "Type";
}

// Convolutions compare the kinds of input and weight; with a CPU input, builds with oneDNN (the
// usual ones) add the second half.
inline std::string convolution_message(std::string_view input_device,
                                       std::string_view weight_device) {
  std::string text = "Input type (" + tensor_type(input_device) + ") and weight type (" +
                     tensor_type(weight_device) + ") should be the same";
  if (input_device == "cpu") {
    text += " or input should be a MKLDNN tensor and weight is a dense tensor";
  }
  return text;
}

// `what` is "hidden" or "parameter", in the order in which recurrent layers look at them.
inline std::string recurrent_message(std::string_view input_device, std::string_view what,
                                     std::string_view other_device) {
  return "Input and " + std::string(what) +
         " tensors are not at the same device, found input tensor at " + std::string(input_device) +
         " and " + std::string(what) + " tensor at " + std::string(other_device);
}

inline std::string index_message(std::string_view indexed_device) {
  return "indices should be either on cpu or on the same device as the indexed tensor (" +
         std::string(indexed_device) + ")";
}

// pin_memory() of a float tensor.
inline constexpr std::string_view kPinnedMessage =
    "cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned";

// What the replicas of a DataParallel return goes from GPU to GPU: torch/nn/parallel/_functions.py,
// an AssertionError, and torch/csrc/autograd/functions/comm.cpp.
constexpr Verdict judge_gathered(DeviceFact tensor) {
  if (!tensor.is_known()) return Verdict::kUnknown;
  return tensor.is_cpu() ? Verdict::kBroken : Verdict::kHolds;
}
inline constexpr std::string_view kGatherMessage =
    "Gather function not implemented for CPU tensors";
inline constexpr std::string_view kGatherMessageInCpp =
    "All inputs to Gather must be CUDA tensors, got CPUFloatType";

// check_rng_state, of a state that is on a GPU: a TypeError.
inline constexpr std::string_view kGeneratorStateMessage = "RNG state must be a torch.ByteTensor";

// validate_outputs of torch/csrc/autograd/engine.cpp, of the first gradient that backward() or
// grad() is given.
inline std::string gradient_message(std::string_view output, std::string_view gradient) {
  return "invalid gradient at index 0 - expected device " + std::string(output) + " but got " +
         std::string(gradient);
}

// _pack_padded_sequence, of the sequences' lengths.
inline std::string lengths_message(std::string_view device) {
  return "'lengths' argument should be a 1D CPU int64 tensor, but got 1D " + std::string(device) +
         " Long tensor";
}

inline std::string attention_message(std::string_view query, std::string_view key,
                                     std::string_view value) {
  return "Expected query, key, and value to have the same device type, but got query.device: " +
         std::string(query) + " key.device: " + std::string(key) +
         " and value.device: " + std::string(value) + " instead.";
}

}  // namespace placecheck::rules::device_mismatch

#endif  // PLACECHECK_RULES_DEVICE_MISMATCH_H_
