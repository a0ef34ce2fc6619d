#include "analyzer/frontend/clang/library_calls.h"

#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringSwitch.h"

namespace placecheck::frontend {

FunctionMeaning function_meaning(llvm::StringRef qualified_name) {
  using enum FunctionMeaning;
  if (qualified_name == "__builtin_expect" || qualified_name == "__builtin_assume_aligned")
    return kPass;
  if (!qualified_name.starts_with("std::") && !qualified_name.starts_with("c10::") &&
      !qualified_name.starts_with("torch::") && !qualified_name.starts_with("thrust::"))
    return kNone;
  return llvm::StringSwitch<FunctionMeaning>(qualified_name)
      .Cases({"std::move", "std::forward", "std::ref", "std::cref", "std::as_const"}, kPass)
      .Cases(
          {"std::static_pointer_cast", "std::const_pointer_cast", "std::reinterpret_pointer_cast"},
          kPass)
      .Cases({"thrust::device_pointer_cast", "thrust::make_reverse_iterator",
              "thrust::raw_pointer_cast"},
             kPass)
      .Case("std::dynamic_pointer_cast", kCast)
      .Cases({"std::addressof", "std::__addressof", "std::make_optional", "c10::make_optional"},
             kPass)
      .Cases({"std::make_shared", "std::make_unique", "std::allocate_shared", "torch::make_unique",
              "std::make_unique_for_overwrite", "std::make_shared_for_overwrite"},
             kMake)
      .Cases({"std::make_tuple", "std::make_pair", "std::tie", "std::forward_as_tuple"}, kTuple)
      .Case("std::get", kGet)
      .Case("std::swap", kSwap)
      .Case("std::exchange", kExchange)
      .Case("torch::autograd::Function::apply", kApplyFunction)
      .Cases({"std::apply", "std::invoke", "std::visit"}, kCallBack)
      .Default(kNone);
}

bool is_accessor(llvm::StringRef qualified_name) {
  return llvm::StringSwitch<bool>(qualified_name)
      .Cases({"at::TensorAccessor", "at::TensorAccessorBase"}, true)
      .Cases({"at::GenericPackedTensorAccessor", "at::GenericPackedTensorAccessorBase"}, true)
      .Case("at::cuda::detail::TensorInfo", true)
      .Default(false);
}

std::string model_name(std::string qualified_name, const clang::CXXMethodDecl& method) {
  bool is_old_pointer =
      qualified_name == "at::Tensor::data" && method.getReturnType()->isPointerType();
  return is_old_pointer ? "at::Tensor::data_ptr" : qualified_name;
}

std::string model_name(std::string qualified_name, const clang::FunctionDecl& function) {
  if (qualified_name != "at::make_generator") return qualified_name;
  const clang::TemplateArgumentList* arguments = function.getTemplateSpecializationArgs();
  bool has_class = arguments && arguments->size() > 0 &&
                   arguments->get(0).getKind() == clang::TemplateArgument::Type;
  const clang::CXXRecordDecl* made =
      has_class ? arguments->get(0).getAsType()->getAsCXXRecordDecl() : nullptr;
  return made ? qualified_name + "<" + made->getNameAsString() + ">" : qualified_name;
}

const clang::FunctionDecl* function_filling(llvm::ArrayRef<clang::TemplateArgument> arguments) {
  for (const clang::TemplateArgument& each : arguments) {
    if (each.getKind() != clang::TemplateArgument::Declaration) continue;
    if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(each.getAsDecl()))
      return function;
  }
  return nullptr;
}

bool is_nullable(ClassRole role) {
  return role == ClassRole::kSmartPointer || role == ClassRole::kOptional ||
         role == ClassRole::kHolder || role == ClassRole::kAnyModule ||
         role == ClassRole::kFunction;
}

bool is_transparent(ClassRole role) {
  return is_nullable(role) || role == ClassRole::kScalar || role == ClassRole::kString ||
         role == ClassRole::kView;
}

static MethodMeaning of_handle(llvm::StringRef name) {
  using enum MethodMeaning;
  return llvm::StringSwitch<MethodMeaning>(name)
      .Cases({"get", "ptr", "value", "lock", "release", "operator->", "operator*"}, kPass)
      .Case("has_value", kIsSet)
      .Case("is_empty", kIsEmpty)
      .Case("emplace", kReplace)
      .Case("reset", kReset)
      .Default(kNone);
}

static MethodMeaning of_container(llvm::StringRef qualified_name, llvm::StringRef name) {
  using enum MethodMeaning;
  if (qualified_name == "__builtin_expect" || qualified_name == "__builtin_assume_aligned")
    return kPass;
  if (!qualified_name.starts_with("std::") && !qualified_name.starts_with("c10::")) return kNone;
  // A key that is not there ends at(), where an index makes the element.
  if (qualified_name == "std::map::at" || qualified_name == "std::unordered_map::at" ||
      qualified_name == "c10::Dict::at")
    return kNone;
  return llvm::StringSwitch<MethodMeaning>(name)
      .Cases({"operator[]", "at"}, kIndex)
      .Case("front", kFirst)
      .Cases({"emplace_back", "emplace_front", "push"}, kEmplace)
      .Case("vec", kPass)
      .Default(kNone);
}

MethodMeaning method_meaning(ClassRole owner, llvm::StringRef qualified_name,
                             llvm::StringRef name) {
  using enum MethodMeaning;
  switch (owner) {
    case ClassRole::kSmartPointer:
    case ClassRole::kOptional:
    case ClassRole::kHolder:
      return of_handle(name);
    case ClassRole::kAnyModule:
      return name == "ptr" || name == "get" ? kPass : kNone;
    case ClassRole::kContainer:
    case ClassRole::kView:
      return of_container(qualified_name, name);
    case ClassRole::kString:
      return name == "c_str" || name == "data" ? kPass : kNone;
    default:
      break;
  }
  return llvm::StringSwitch<MethodMeaning>(qualified_name)
      .Case("std::enable_shared_from_this::shared_from_this", kPass)
      .Case("torch::nn::Module::as", kCast)
      .Default(kNone);
}

}  // namespace placecheck::frontend
