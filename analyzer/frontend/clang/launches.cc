// Kernels: what they are given, and the variables of a device. What runs on a device is no part of
// the program on the host.
#include <algorithm>

#include "analyzer/frontend/clang/function_lowering.h"
#include "analyzer/frontend/clang/kernel_uses.h"
#include "analyzer/frontend/clang/library_calls.h"

namespace placecheck::frontend {

using namespace clang;

namespace {

// As the header that goes before CUDA sources marks it.
bool is_managed(const VarDecl& variable) {
  return llvm::any_of(variable.specific_attrs<AnnotateAttr>(), [](const AnnotateAttr* attribute) {
    return attribute->getAnnotation() == "managed";
  });
}

const FunctionDecl* function_of(const Expr* expr) {
  expr = expr->IgnoreParenCasts();
  if (const auto* address = dyn_cast<UnaryOperator>(expr);
      address && address->getOpcode() == UO_AddrOf)
    expr = address->getSubExpr()->IgnoreParenCasts();
  const auto* named = dyn_cast<DeclRefExpr>(expr);
  return named ? dyn_cast<FunctionDecl>(named->getDecl()) : nullptr;
}

// A letter for each parameter of a kernel: 'p' for a pointer.
std::string signature_of(const FunctionDecl& kernel) {
  std::string letters;
  for (const ParmVarDecl* each : kernel.parameters())
    letters += each->getType()->isPointerType() ? 'p' : '.';
  return letters;
}

std::string text_of(const FieldPath& path) {
  std::string text;
  for (const std::string& field : path) {
    text += text.empty() || field.empty() ? "" : ".";
    text += field.empty() ? "[]" : field;
  }
  return text;
}

}  // namespace

bool is_on_device(const VarDecl& variable) {
  return variable.hasAttr<CUDADeviceAttr>() || variable.hasAttr<CUDAConstantAttr>() ||
         is_managed(variable);
}

const VarDecl* device_variable_of(const Expr& expr) {
  const auto* named = dyn_cast<DeclRefExpr>(expr.IgnoreParens());
  const auto* variable = named ? dyn_cast<VarDecl>(named->getDecl()) : nullptr;
  return variable && is_on_device(*variable) && !is_managed(*variable) ? variable : nullptr;
}

// Where host code names such a variable, it has its shadow: memory of the host, of which only the
// runtime's calls for symbols make something else.
ir::Register FunctionLowering::shadow_of(const VarDecl& variable) {
  ir::Call call;
  call.name = "shadow";
  call.type = unit_.type(variable.getType());
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::device_variable(const VarDecl& variable) {
  bool decays = variable.getType()->isArrayType() && !is_managed(variable);
  return decays ? shadow_of(variable) : unknown();
}

// A kernel that is not known may follow any pointer in the record: it is passed as a whole.
void FunctionLowering::add_record(ir::Call& call, const Expr* record, const FunctionDecl* kernel,
                                  unsigned position) {
  std::vector<FieldPath> paths;
  if (kernel) paths = followed_pointers(*kernel, position);
  ir::Register object = lower(record);
  if (paths.empty()) {
    call.arguments.push_back(as_argument(record, object));
    call.arguments.back().name = "within";
  }
  for (const FieldPath& path : paths) {
    // Which of a table's elements are meant is not known: it is passed as a whole.
    const bool is_table = std::ranges::count(path, std::string()) > 1;
    ir::Register at = object;
    for (const std::string& field : path) {
      if (is_table && field.empty()) break;
      at = field.empty() ? builder_.index(at, unknown()) : builder_.field(at, field);
    }
    ir::Argument given = as_argument(record, at);
    given.name = is_table ? "within" : text_of(path);
    call.arguments.push_back(std::move(given));
  }
}

void FunctionLowering::add_kernel_arguments(ir::Call& call, const FunctionDecl* kernel,
                                            llvm::ArrayRef<const Expr*> arguments) {
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const Expr* each = arguments[i];
    if (each->getType()->isPointerType() || each->getType()->isArrayType()) {
      call.arguments.push_back(argument(each, QualType()));
    } else if (const CXXRecordDecl* record = each->getType()->getAsCXXRecordDecl();
               record && is_accessor(unit_.name(*record))) {
      call.arguments.push_back(as_argument(each, value(each)));
    } else if (types_.kind(each->getType()) == ir::TypeKind::kRecord) {
      add_record(call, each, kernel, i);
    } else {
      lower(each);
    }
  }
}

ir::Register FunctionLowering::VisitCUDAKernelCallExpr(const CUDAKernelCallExpr* expr) {
  ir::Call call;
  call.name = "launch";
  add_kernel_arguments(call, expr->getDirectCallee(), {expr->getArgs(), expr->getNumArgs()});
  constexpr unsigned kStream = 3;
  const CallExpr* shape = expr->getConfig();
  if (shape && shape->getNumArgs() > kStream && !isa<CXXDefaultArgExpr>(shape->getArg(kStream))) {
    ir::Argument stream = as_argument(shape->getArg(kStream), value(shape->getArg(kStream)));
    stream.name = "stream";
    call.arguments.push_back(std::move(stream));
  }
  call.type.kind = ir::TypeKind::kVoid;
  return builder_.call(std::move(call));
}

// The stream of "&config" and of a pointer to a configuration.
void FunctionLowering::add_configured_stream(ir::Call& call, const Expr* config) {
  const auto* address = dyn_cast<UnaryOperator>(config->IgnoreParenImpCasts());
  const bool is_address = address && address->getOpcode() == UO_AddrOf;
  const Expr* object = is_address ? address->getSubExpr() : config;
  ir::Argument stream = as_argument(config, builder_.copy(builder_.field(peek(object), "stream")));
  stream.name = "stream";
  call.arguments.push_back(std::move(stream));
}

// The runtime's own ways to launch a kernel.
std::optional<ir::Register> FunctionLowering::launch_call(const CallExpr& expr,
                                                          const FunctionDecl& callee) {
  const std::string name = unit_.name(callee);
  if (!llvm::StringRef(name).starts_with("cudaLaunch") || expr.getNumArgs() < 2)
    return std::nullopt;
  ir::Call call;
  llvm::ArrayRef<const Expr*> arguments(expr.getArgs(), expr.getNumArgs());
  if (name == "cudaLaunchKernelEx") {
    call.name = "launch";
    add_kernel_arguments(call, function_of(arguments[1]), arguments.drop_front(2));
    add_configured_stream(call, arguments[0]);
    return emit_call(std::move(call), callee);
  }
  const FunctionDecl* kernel = function_of(arguments[0]);
  if (!kernel) return std::nullopt;
  call.name = name;
  call.key = unit_.key(callee);
  add_arguments(call, callee, arguments);
  ir::Register letters = builder_.constant(signature_of(*kernel));
  call.arguments.push_back({letters, "signature", {}});
  return emit_call(std::move(call), callee);
}

}  // namespace placecheck::frontend
