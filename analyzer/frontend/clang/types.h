// What Clang's types are to the placement IR, and questions about classes that decide how their
// use is lowered. One mapper serves one AST on one thread.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "analyzer/ir/ir.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/DenseMap.h"

namespace placecheck::frontend {

// What a class of a library is to the lowering.
enum class ClassRole {
  kPlain,
  kTensor,
  kDevice,
  kOptions,
  kScalar,  // boxes one value: c10::Scalar, c10::IValue
  kString,
  kSmartPointer,  // shared_ptr and its like, weak_ptr, reference_wrapper
  kOptional,
  kHolder,     // a module holder
  kAnyModule,  // a holder of a module of any class
  kContainer,
  kView,   // a container that only refers to another: ArrayRef
  kTuple,  // pair too
  kFunction,
};

class TypeMapper {
 public:
  explicit TypeMapper(std::function<bool(const clang::Decl&)> in_project)
      : in_project_(std::move(in_project)) {}

  ir::Type map(clang::QualType type);
  ir::TypeKind kind(clang::QualType type) { return map(type).kind; }

  ClassRole role(const clang::CXXRecordDecl& record);
  // Of the class behind references; kPlain for what is no class.
  ClassRole role(clang::QualType type);
  // A dtype, layout or memory format: what tensor options hold beside the device.
  static bool is_tensor_property(clang::QualType type);
  // The module class that a module holder contains.
  const clang::CXXRecordDecl* contained(const clang::CXXRecordDecl& holder);
  // The class itself, or that a pointer or handle leads to.
  const clang::CXXRecordDecl* pointee_class(clang::QualType type);
  bool is_module(const clang::CXXRecordDecl& record);
  // The key of a project class, the spelled name of another.
  std::string class_name(const clang::CXXRecordDecl& record);

 private:
  ir::Type compute(clang::QualType type);
  ir::Type of_record(const clang::CXXRecordDecl& record);
  ir::Type pointer_to(clang::QualType type);
  ClassRole compute_role(const clang::CXXRecordDecl& record);

  std::function<bool(const clang::Decl&)> in_project_;
  llvm::DenseMap<const void*, ir::Type> types_;
  uint32_t depth_ = 0;  // of the type that is being computed
  llvm::DenseMap<const clang::CXXRecordDecl*, ClassRole> roles_;
  llvm::DenseMap<const clang::CXXRecordDecl*, bool> modules_;
};

}  // namespace placecheck::frontend
