#include "runtime/torch/virtual_cuda/placement.h"

#include <torch/version.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <optional>
#include <string_view>

#include "rules/device_mismatch.h"
#include "rules/facts.h"
#include "runtime/torch/virtual_cuda/no_check_operators.h"
#include "runtime/torch/virtual_cuda/report.h"

namespace placecheck::virtual_cuda {
namespace {

namespace rule = rules::device_mismatch;
using Check = OperatorPlacement::Check;

// Releases from 2.0 on put the backend into the names of their generated wrappers.
#if TORCH_VERSION_MAJOR >= 2
constexpr std::string_view kWrapper = "wrapper_CUDA_";
#else
constexpr std::string_view kWrapper = "wrapper_";
#endif

std::string argument_message(const std::string& common, const std::string& other,
                             rule::Argument argument) {
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 8)
  return rule::message_since_2_8(common, other, argument);
#else
  return rule::message(common, other, argument);
#endif
}

rules::DeviceFact fact_of(c10::Device device) {
  if (device.is_cpu()) return rules::DeviceFact::cpu();
  if (!device.is_cuda()) return rules::DeviceFact::unknown();
  return rules::DeviceFact::cuda(static_cast<std::uint32_t>(device.index()));
}

// "aten::add_" -> "add_"
std::string base_name(const c10::OperatorHandle& op) {
  const std::string& name = op.operator_name().name;
  return name.substr(name.find("::") + 2);
}

std::string without_inplace_mark(std::string name) {
  if (name.ends_with('_') && !name.starts_with("__")) name.pop_back();
  return name;
}

Check check_of(const std::string& base) {
  const std::string name = without_inplace_mark(base);
  if (name == "index" || name == "index_put" || name == "_index_put_impl") return Check::kIndex;
  if (name == "masked_fill") return Check::kMaskedFill;
  if (std::ranges::binary_search(kIteratorOperators, name)) return Check::kIterator;
  if (std::ranges::binary_search(kUncheckedOperators, name)) return Check::kNone;
  return name.starts_with("_foreach") ? Check::kNone : Check::kExact;
}

// Structured kernels are those whose functional form is generated for all backends.
bool is_structured(const std::string& base, std::string overload) {
  const std::string name = "aten::" + without_inplace_mark(base);
  if (overload.ends_with("_out")) overload.resize(overload.size() - std::strlen("_out"));
  for (const std::string& of : {overload, std::string(), std::string("Tensor")}) {
    if (of == "out") continue;
    const auto op = c10::Dispatcher::singleton().findSchema({name, of});
    if (!op) continue;
    return op->hasKernelForDispatchKey(c10::DispatchKey::CompositeExplicitAutogradNonFunctional);
  }
  return false;
}

// torchgen's register_dispatch_key.py: names of structured kernels end with the overload, of others
// begin with it.
std::string method_of(const c10::OperatorHandle& op, const std::string& base, bool has_output) {
  const std::string& overload = op.operator_name().overload_name;
  const std::string name = base + (has_output ? "_out" : "");
  std::string method(kWrapper);
  if (!is_structured(base, overload)) return method + overload + "_" + name;
  return method + name + (overload.empty() ? "" : "_" + overload);
}

bool is_output(const c10::Argument& argument) {
  return argument.alias_info() != nullptr && argument.alias_info()->isWrite();
}

// Whether values of the type hold tensors: Tensor, Tensor?, Tensor[], Tensor?[].
bool holds_tensors(const c10::TypePtr& type) {
  if (type->kind() == c10::TypeKind::TensorType) return true;
  const bool is_container =
      type->kind() == c10::TypeKind::OptionalType || type->kind() == c10::TypeKind::ListType;
  return is_container && holds_tensors(type->containedType(0));
}

// Calls `visit(tensor)` for each defined tensor of an argument.
template <typename Visitor>
void for_each_tensor(const c10::IValue& value, Visitor&& visit) {
  if (value.isTensor()) {
    const at::Tensor& tensor = value.toTensor();
    if (tensor.defined()) visit(tensor);
  } else if (value.isList()) {
    for (const c10::IValue& element : value.toListRef()) for_each_tensor(element, visit);
  }
}

// The first tensor that is not where the first of all is.
struct Stray {
  c10::Device common;
  c10::Device device;
  const std::string* argument;
};

// What nearly every call is like: nothing else needs to be looked at.
bool are_together(const OperatorPlacement& placement, at::ArrayRef<c10::IValue> arguments) {
  std::optional<c10::Device> common;
  bool are_same = true;
  for (const OperatorPlacement::Argument& argument : placement.arguments) {
    for_each_tensor(arguments[argument.position], [&](const at::Tensor& tensor) {
      if (!common) common = tensor.device();
      are_same = are_same && *common == tensor.device();
    });
  }
  return are_same;
}

std::vector<MistakenOperand> mistaken(const OperatorPlacement& placement,
                                      at::ArrayRef<c10::IValue> arguments) {
  std::vector<MistakenOperand> operands;
  for (const OperatorPlacement::Argument& argument : placement.arguments) {
    for_each_tensor(arguments[argument.position], [&](const at::Tensor& tensor) {
      operands.push_back({argument.name, &tensor});
    });
  }
  return operands;
}

void mismatch(const std::string& text, const OperatorPlacement& placement,
              at::ArrayRef<c10::IValue> arguments) {
  fail(rule::kRule, text, placement.method, mistaken(placement, arguments));
}

std::optional<Stray> find_stray(const OperatorPlacement& placement,
                                at::ArrayRef<c10::IValue> arguments) {
  std::optional<c10::Device> common;
  std::optional<Stray> stray;
  for (const OperatorPlacement::Argument& argument : placement.arguments) {
    for_each_tensor(arguments[argument.position], [&](const at::Tensor& tensor) {
      if (!common) common = tensor.device();
      if (stray || *common == tensor.device()) return;
      const rules::OperandFact facts[] = {{.device = fact_of(*common)},
                                          {.device = fact_of(tensor.device())}};
      if (rule::judge(facts, rule::Mixing::kExact) != rules::Verdict::kBroken) return;
      stray = Stray{*common, tensor.device(), &argument.name};
    });
  }
  return stray;
}

void check_exact(const OperatorPlacement& placement, at::ArrayRef<c10::IValue> arguments) {
  const std::optional<Stray> stray = find_stray(placement, arguments);
  if (!stray) return;
  mismatch(argument_message(stray->common.str(), stray->device.str(),
                            {*stray->argument, placement.method}),
           placement, arguments);
}

struct Operand {
  rules::OperandFact fact;
  c10::Device device;
};

std::vector<Operand> operands_of(const OperatorPlacement& placement,
                                 at::ArrayRef<c10::IValue> arguments) {
  std::vector<Operand> operands;
  for (const OperatorPlacement::Argument& argument : placement.arguments) {
    for_each_tensor(arguments[argument.position], [&](const at::Tensor& tensor) {
      const auto zero_dim = tensor.dim() == 0 ? rules::Trait::kYes : rules::Trait::kNo;
      const auto role = argument.is_output ? rules::Role::kOutput : rules::Role::kInput;
      operands.push_back({{fact_of(tensor.device()), zero_dim, role}, tensor.device()});
    });
  }
  return operands;
}

// TensorIteratorBase::compute_types: the first device that is not the CPU is the common one, and
// the first operand that is elsewhere is named.
std::string iterator_message(const std::vector<Operand>& operands) {
  const auto common = std::ranges::find_if(
      operands, [](const Operand& operand) { return operand.fact.device.is_accelerator(); });
  for (const Operand& operand : operands) {
    const rules::OperandFact pair[] = {common->fact, operand.fact};
    if (rule::judge(pair, rule::Mixing::kCpuScalars) == rules::Verdict::kBroken) {
      return rule::message(common->device.str(), operand.device.str());
    }
  }
  return rule::too_many_scalars_message();
}

void check_iterator(const OperatorPlacement& placement, at::ArrayRef<c10::IValue> arguments) {
  const std::vector<Operand> operands = operands_of(placement, arguments);
  std::vector<rules::OperandFact> facts;
  facts.reserve(operands.size());
  for (const Operand& operand : operands) facts.push_back(operand.fact);
  if (rule::judge(facts, rule::Mixing::kCpuScalars) == rules::Verdict::kBroken) {
    mismatch(iterator_message(operands), placement, arguments);
  }
}

void check_indices(const OperatorPlacement& placement, at::ArrayRef<c10::IValue> arguments) {
  const c10::Device self = arguments[0].toTensor().device();
  bool is_lawful = true;
  for_each_tensor(arguments[1], [&](const at::Tensor& index) {
    is_lawful = is_lawful && (index.device().is_cpu() || index.device() == self);
  });
  if (!is_lawful) mismatch(rule::index_message(self.str()), placement, arguments);
}

// `self`, then indices, then, for index_put, the values. index_put moves its indices itself
// (make_info in ATen/native/TensorAdvancedIndexing.cpp).
void check_index(const OperatorPlacement& placement, at::ArrayRef<c10::IValue> arguments) {
  const c10::Device self = arguments[0].toTensor().device();
  const bool is_write = arguments.size() > 2 && arguments[2].isTensor();
  if (!is_write) return check_indices(placement, arguments);
  const at::Tensor& values = arguments[2].toTensor();
  if (values.device() == self || (values.device().is_cpu() && values.dim() == 0)) return;
  const bool self_is_common = !self.is_cpu();
  mismatch(rule::message((self_is_common ? self : values.device()).str(),
                         (self_is_common ? values.device() : self).str()),
           placement, arguments);
}

void check_masked_fill(const OperatorPlacement& placement, at::ArrayRef<c10::IValue> arguments) {
  const c10::Device self = arguments[0].toTensor().device();
  const c10::Device mask = arguments[1].toTensor().device();
  if (self == mask) return;
  mismatch("expected self and mask to be on the same device, but got mask on " + mask.str() +
               " and self on " + self.str(),
           placement, arguments);
}

// Only where the device is what differs is it a question of place.
void differ(const at::Tensor& input, const at::Tensor& parameter, const std::string& name) {
  std::string text = "Input type (" + input.toString() + ") and " + name + " type (" +
                     parameter.toString() + ") should be the same";
  TORCH_CHECK(input.is_cpu() != parameter.is_cpu(), text);
  const bool is_float = input.scalar_type() == at::kFloat && parameter.scalar_type() == at::kFloat;
  if (name == "weight" && is_float) {
    text = rule::convolution_message(input.device().str(), parameter.device().str());
  }
  fail(rule::kRule, text, "convolution", {{"input", &input}, {name, &parameter}});
}

}  // namespace

OperatorPlacement placement_of(const c10::OperatorHandle& op) {
  OperatorPlacement placement;
  const std::string base = base_name(op);
  placement.check = check_of(base);
  const auto& arguments = op.schema().arguments();
  std::vector<OperatorPlacement::Argument> inputs;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const c10::Argument& argument = arguments[i];
    if (!holds_tensors(argument.type())) continue;
    const bool is_out = argument.kwarg_only() && is_output(argument);
    // Generated checks pass over other arguments by keyword.
    if (argument.kwarg_only() && !is_out) continue;
    auto& list = is_out ? placement.arguments : inputs;
    list.push_back({i, argument.name(), is_output(argument)});
  }
  placement.method = method_of(op, base, !placement.arguments.empty());
  std::ranges::move(inputs, std::back_inserter(placement.arguments));
  return placement;
}

void check_placement(const OperatorPlacement& placement, at::ArrayRef<c10::IValue> arguments) {
  if (are_together(placement, arguments)) return;
  switch (placement.check) {
    case Check::kExact:
      return check_exact(placement, arguments);
    case Check::kIterator:
      return check_iterator(placement, arguments);
    case Check::kIndex:
      return check_index(placement, arguments);
    case Check::kMaskedFill:
      return check_masked_fill(placement, arguments);
    case Check::kNone:
      return;
  }
}

// ATen/native/Convolution.cpp, check_input_same_type_as_parameters.
void check_convolution(const at::Tensor& input, const at::Tensor& weight, const at::Tensor& bias) {
  if (!input.options().type_equal(weight.options())) {
    return differ(input, weight, "weight");
  }
  if (bias.defined() && !input.options().type_equal(bias.options())) {
    return differ(input, bias, "bias");
  }
  const OperatorPlacement placement{
      .check = Check::kExact,
      .method = std::string(kWrapper) + "_cudnn_convolution",
      .arguments = {{0, "self", false}, {1, "weight", false}, {2, "bias", false}}};
  const c10::IValue arguments[] = {input, weight, bias};
  check_exact(placement, arguments);
}

}  // namespace placecheck::virtual_cuda
