// Library calls that the lowering itself understands, because they only pass a value on, build one
// or find a part of one. All others keep their names; what those mean is the models' business.
#pragma once

#include <string>

#include "analyzer/frontend/clang/types.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::frontend {

enum class FunctionMeaning {
  kNone,
  kPass,  // yields its argument
  kCast,  // yields its argument where that is of the class asked for, else nothing
  kMake,  // constructs what the pointer that it returns leads to
  kTuple,
  kGet,  // an element of a tuple
  kSwap,
  kExchange,       // (target, value): yields what the target was
  kCallBack,       // hands its arguments to a callable that may change them
  kApplyFunction,  // runs forward() of the derived torch::autograd::Function
};
FunctionMeaning function_meaning(llvm::StringRef qualified_name);

enum class MethodMeaning {
  kNone,
  kPass,   // yields the object
  kCast,   // yields it where it is of the class asked for, else nothing
  kIndex,  // an element
  kFirst,
  kIsSet,
  kIsEmpty,
  kReset,    // the handle takes the argument, or nothing
  kReplace,  // the handle takes what the arguments construct
  kEmplace,
};
MethodMeaning method_meaning(ClassRole owner, llvm::StringRef qualified_name, llvm::StringRef name);

// A library's view of a tensor's memory, by the class's name: its elements are that memory.
bool is_accessor(llvm::StringRef qualified_name);

// The name by which the models know a method. Of overloads under one name, one can have a meaning
// of its own: `data<T>()` is the old spelling of `data_ptr<T>()`, `data()` is a tensor.
std::string model_name(std::string qualified_name, const clang::CXXMethodDecl& method);
// The same of a function. `make_generator<CUDAGeneratorImpl>()` is known by its class as well.
std::string model_name(std::string qualified_name, const clang::FunctionDecl& function);

// The function that a template is filled with, rather than given as an argument: TORCH_FN,
// TORCH_BOX. Null if there is none.
const clang::FunctionDecl* function_filling(llvm::ArrayRef<clang::TemplateArgument> arguments);

// May be null, nullopt or empty.
bool is_nullable(ClassRole role);
// Converting from or to such a class keeps the value.
bool is_transparent(ClassRole role);

}  // namespace placecheck::frontend
