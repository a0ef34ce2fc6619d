#include "analyzer/frontend/clang/types.h"

#include "analyzer/frontend/clang/names.h"
#include "analyzer/ir/opcode_table.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

namespace placecheck::frontend {
namespace {

using namespace clang;
using ir::TypeKind;

const llvm::StringMap<ClassRole>& role_table() {
  using enum ClassRole;
  static const llvm::StringMap<ClassRole> table = {
      {"at::Tensor", kTensor},
      {"at::TensorBase", kTensor},
      {"torch::stable::Tensor", kTensor},
      {"tvm::ffi::Tensor", kTensor},
      {"tvm::ffi::TensorView", kTensor},
      {"at::OptionalTensorRef", kOptional},
      {"c10::Device", kDevice},
      {"c10::TensorOptions", kOptions},
      {"c10::Scalar", kScalar},
      {"c10::IValue", kScalar},
      {"at::indexing::TensorIndex", kScalar},
      {"std::basic_string", kString},
      {"std::basic_string_view", kString},
      {"c10::basic_string_view", kString},
      {"std::shared_ptr", kSmartPointer},
      {"std::__shared_ptr", kSmartPointer},
      {"std::__shared_ptr_access", kSmartPointer},
      {"std::unique_ptr", kSmartPointer},
      {"std::weak_ptr", kSmartPointer},
      {"std::reference_wrapper", kSmartPointer},
      {"c10::intrusive_ptr", kSmartPointer},
      {"c10::MaybeOwned", kSmartPointer},
      {"std::optional", kOptional},
      {"c10::optional", kOptional},
      {"torch::nn::AnyModule", kAnyModule},
      {"std::vector", kContainer},
      {"std::array", kContainer},
      {"std::list", kContainer},
      {"std::forward_list", kContainer},
      {"std::deque", kContainer},
      {"std::queue", kContainer},
      {"std::stack", kContainer},
      {"std::priority_queue", kContainer},
      {"std::map", kContainer},
      {"std::unordered_map", kContainer},
      {"std::multimap", kContainer},
      {"std::unordered_multimap", kContainer},
      {"std::set", kContainer},
      {"std::unordered_set", kContainer},
      {"std::multiset", kContainer},
      {"std::initializer_list", kContainer},
      {"std::span", kView},
      {"c10::SmallVector", kContainer},
      {"c10::List", kContainer},
      {"c10::Dict", kContainer},
      {"c10::ArrayRef", kView},
      {"c10::IListRef", kView},
      {"c10::OptionalArrayRef", kView},
      {"torch::OrderedDict", kContainer},
      {"torch::ExpandingArray", kView},
      {"torch::ExpandingArrayWithOptionalElem", kView},
      {"std::pair", kTuple},
      {"std::tuple", kTuple},
      {"std::function", kFunction},
  };
  return table;
}

ir::Type simple(TypeKind kind) { return {kind, {}, {}}; }

llvm::ArrayRef<TemplateArgument> template_arguments(const CXXRecordDecl& record) {
  const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(&record);
  if (!special) return {};
  return special->getTemplateArgs().asArray();
}

// The types among the arguments, packs opened.
std::vector<QualType> type_arguments(const CXXRecordDecl& record) {
  std::vector<QualType> types;
  for (const TemplateArgument& argument : template_arguments(record)) {
    if (argument.getKind() == TemplateArgument::Type) types.push_back(argument.getAsType());
    if (argument.getKind() != TemplateArgument::Pack) continue;
    for (const TemplateArgument& each : argument.pack_elements())
      if (each.getKind() == TemplateArgument::Type) types.push_back(each.getAsType());
  }
  return types;
}

// A standard container with an allocator of its own: what it holds may be in any memory.
bool allocates_elsewhere(const CXXRecordDecl& record) {
  if (!record.isInStdNamespace()) return false;
  return std::ranges::any_of(type_arguments(record), [](QualType type) {
    const CXXRecordDecl* argument = type->getAsCXXRecordDecl();
    llvm::StringRef name = argument ? argument->getName() : "";
    return name.contains_insensitive("alloc") && !argument->isInStdNamespace();
  });
}

ir::Type of_builtin(const BuiltinType& type) {
  if (type.getKind() == BuiltinType::Bool) return simple(TypeKind::kBool);
  if (type.isInteger()) return simple(TypeKind::kInt);
  if (type.isFloatingPoint()) return simple(TypeKind::kFloat);
  if (type.isVoidType()) return simple(TypeKind::kVoid);
  return {};
}

bool is_string_pointer(QualType type) {
  return type->isPointerType() && type->getPointeeType()->isAnyCharacterType();
}

bool is_map(llvm::StringRef name) {
  return name.ends_with("map") || name == "c10::Dict" || name == "torch::OrderedDict";
}

// The torch::nn::ModuleHolder<...> that a class is or is derived from; null if none.
const CXXRecordDecl* module_holder(const CXXRecordDecl& record) {
  if (qualified_name(record) == "torch::nn::ModuleHolder") return &record;
  if (!record.hasDefinition()) return nullptr;
  for (const CXXBaseSpecifier& base : record.getDefinition()->bases()) {
    const CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl();
    if (const CXXRecordDecl* found = parent ? module_holder(*parent) : nullptr) return found;
  }
  return nullptr;
}

}  // namespace

// Of pairs of pairs of pairs each level would hold twice what the one below does.
static constexpr size_t kMaxTypeSize = 500;

static size_t size_of(const ir::Type& type) {
  size_t size = 1;
  for (const ir::Type& each : type.arguments) size += size_of(each);
  return size;
}

static uint32_t depth_of(const ir::Type& type) {
  uint32_t depth = 0;
  for (const ir::Type& each : type.arguments) depth = std::max(depth, depth_of(each));
  return depth + 1;
}

ir::Type TypeMapper::map(QualType type) {
  if (type.isNull() || depth_ >= ir::kMaxTypeDepth) return {};
  QualType canonical = type.getNonReferenceType().getCanonicalType().getUnqualifiedType();
  if (canonical->isDependentType()) return {};
  auto found = types_.find(canonical.getAsOpaquePtr());
  if (found != types_.end()) return found->second;
  ++depth_;
  ir::Type computed = compute(canonical);
  --depth_;
  if (size_of(computed) > kMaxTypeSize || depth_of(computed) > ir::kMaxTypeDepth)
    computed.arguments.clear();
  return types_[canonical.getAsOpaquePtr()] = std::move(computed);
}

ir::Type TypeMapper::compute(QualType type) {
  if (const auto* builtin = type->getAs<BuiltinType>()) return of_builtin(*builtin);
  if (const auto* enumeration = type->getAs<EnumType>()) {
    bool device = qualified_name(*enumeration->getDecl()) == "c10::DeviceType";
    return simple(device ? TypeKind::kDevice : TypeKind::kInt);
  }
  if (const auto* array = type->getAsArrayTypeUnsafe()) {
    if (array->getElementType()->isAnyCharacterType()) return simple(TypeKind::kString);
    return {TypeKind::kContainer, {}, {map(array->getElementType())}};
  }
  if (is_string_pointer(type)) return simple(TypeKind::kString);
  if (type->isFunctionType() || type->isFunctionPointerType() ||
      type->isMemberFunctionPointerType())
    return simple(TypeKind::kFunction);
  if (type->isPointerType()) return pointer_to(type->getPointeeType());
  if (const CXXRecordDecl* record = type->getAsCXXRecordDecl()) return of_record(*record);
  return {};
}

ir::Type TypeMapper::pointer_to(QualType pointee) {
  ir::Type inner = map(pointee);
  if (inner.kind == TypeKind::kModule) return inner;
  return {TypeKind::kPointer, {}, {inner}};
}

ir::Type TypeMapper::of_record(const CXXRecordDecl& record) {
  if (record.isLambda()) return simple(TypeKind::kFunction);
  std::vector<QualType> arguments = type_arguments(record);
  switch (role(record)) {
    case ClassRole::kTensor:
      return simple(TypeKind::kTensor);
    case ClassRole::kDevice:
      return simple(TypeKind::kDevice);
    case ClassRole::kOptions:
      return simple(TypeKind::kOptions);
    case ClassRole::kScalar:
      return {};
    case ClassRole::kString:
      return simple(TypeKind::kString);
    case ClassRole::kFunction:
      return simple(TypeKind::kFunction);
    case ClassRole::kAnyModule:
      return {TypeKind::kModule, "torch::nn::Module", {}};
    case ClassRole::kSmartPointer:
    case ClassRole::kOptional:
      return arguments.empty() ? ir::Type{} : pointer_to(arguments.front());
    case ClassRole::kHolder:
      if (const CXXRecordDecl* module = contained(record))
        return {TypeKind::kModule, class_name(*module), {}};
      return {TypeKind::kModule, {}, {}};
    case ClassRole::kView:
    case ClassRole::kContainer: {
      ir::Type container{TypeKind::kContainer, {}, {}};
      size_t count = is_map(qualified_name(record)) ? 2 : 1;
      for (size_t i = 0; i < std::min(count, arguments.size()); ++i)
        container.arguments.push_back(map(arguments[i]));
      return container;
    }
    case ClassRole::kTuple: {
      ir::Type tuple{TypeKind::kTuple, {}, {}};
      for (QualType each : arguments) tuple.arguments.push_back(map(each));
      return tuple;
    }
    case ClassRole::kPlain:
      break;
  }
  return {is_module(record) ? TypeKind::kModule : TypeKind::kRecord, class_name(record), {}};
}

std::string TypeMapper::class_name(const CXXRecordDecl& record) {
  return in_project_(record) ? class_key(record) : qualified_name(record);
}

ClassRole TypeMapper::role(const CXXRecordDecl& record) {
  const auto* canonical = record.getCanonicalDecl();
  auto found = roles_.find(canonical);
  if (found != roles_.end()) return found->second;
  ClassRole computed = compute_role(record);
  roles_[canonical] = computed;
  return computed;
}

ClassRole TypeMapper::role(QualType type) {
  if (type.isNull()) return ClassRole::kPlain;
  const CXXRecordDecl* record = type.getNonReferenceType()->getAsCXXRecordDecl();
  return record ? role(*record) : ClassRole::kPlain;
}

bool TypeMapper::is_tensor_property(QualType type) {
  const TagDecl* tag = type.getNonReferenceType()->getAsTagDecl();
  if (!tag || !tag->getDeclName().isIdentifier()) return false;
  // Few types have such a name, and qualified names are made anew each time.
  auto listed = llvm::StringSwitch<llvm::StringRef>(tag->getName())
                    .Case("ScalarType", "c10::ScalarType")
                    .Case("TypeMeta", "caffe2::TypeMeta")
                    .Case("Layout", "c10::Layout")
                    .Case("MemoryFormat", "c10::MemoryFormat")
                    .Default("");
  return !listed.empty() && qualified_name(*tag) == listed;
}

ClassRole TypeMapper::compute_role(const CXXRecordDecl& record) {
  auto listed = role_table().find(qualified_name(record));
  if (listed != role_table().end())
    return allocates_elsewhere(record) ? ClassRole::kPlain : listed->second;
  if (!record.hasDefinition()) return ClassRole::kPlain;
  if (contained(record)) return ClassRole::kHolder;
  // A class of a library that is a tensor, a container, ... by inheritance.
  for (const CXXBaseSpecifier& base : record.getDefinition()->bases()) {
    const CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl();
    if (!parent || in_project_(record)) continue;
    ClassRole inherited = role(*parent);
    if (inherited == ClassRole::kTensor || inherited == ClassRole::kOptional) return inherited;
  }
  return ClassRole::kPlain;
}

const CXXRecordDecl* TypeMapper::contained(const CXXRecordDecl& holder) {
  const CXXRecordDecl* base = module_holder(holder);
  std::vector<QualType> arguments = base ? type_arguments(*base) : std::vector<QualType>();
  const CXXRecordDecl* found =
      arguments.empty() ? nullptr : arguments.front()->getAsCXXRecordDecl();
  // Clang corrects a module's misspelt name to its holder's, which then holds itself.
  return found && !module_holder(*found) ? found : nullptr;
}

const CXXRecordDecl* TypeMapper::pointee_class(QualType type) {
  type = type.getNonReferenceType();
  if (type->isPointerType()) type = type->getPointeeType();
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record) return nullptr;
  ClassRole its = role(*record);
  if (its == ClassRole::kHolder) return contained(*record);
  if (its != ClassRole::kSmartPointer) return record;
  std::vector<QualType> arguments = type_arguments(*record);
  return arguments.empty() ? record : pointee_class(arguments.front());
}

bool TypeMapper::is_module(const CXXRecordDecl& record) {
  const auto* canonical = record.getCanonicalDecl();
  auto [entry, is_new] = modules_.try_emplace(canonical, false);
  if (!is_new) return entry->second;
  std::string name = qualified_name(record);
  bool found = name == "torch::nn::Module" || name == "torch::jit::Module";
  if (!found && record.hasDefinition()) {
    for (const CXXBaseSpecifier& base : record.getDefinition()->bases()) {
      const CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl();
      if (parent && is_module(*parent)) found = true;
    }
  }
  return modules_[canonical] = found;
}

}  // namespace placecheck::frontend
