// Library calls that call the program back.
#include "analyzer/frontend/clang/function_lowering.h"

namespace placecheck::frontend {

using namespace clang;

namespace {

// T, of the call Function<T>::apply.
const CXXRecordDecl* function_applied(const CallExpr& call) {
  const auto* apply = dyn_cast<CXXMethodDecl>(call.getDirectCallee());
  const auto* base =
      apply ? dyn_cast<ClassTemplateSpecializationDecl>(apply->getParent()) : nullptr;
  return base && base->getTemplateArgs().size() == 1 &&
                 base->getTemplateArgs().get(0).getKind() == TemplateArgument::Type
             ? base->getTemplateArgs().get(0).getAsType()->getAsCXXRecordDecl()
             : nullptr;
}

// Its method of that name with so many parameters; null if there is none.
const CXXMethodDecl* method_of(const CXXRecordDecl* function, llvm::StringRef name,
                               unsigned parameters) {
  if (!function) return nullptr;
  for (const CXXMethodDecl* method : function->methods()) {
    const bool is_named = method->getIdentifier() && method->getName() == name;
    if (is_named && method->getNumParams() == parameters) return method;
  }
  return nullptr;
}

// How many elements the tuple of std::apply(function, tuple) has; nullopt of other calls, and of
// other functions than lambdas.
std::optional<int64_t> size_of_applied_tuple(const CallExpr& call) {
  const FunctionDecl* callee = call.getDirectCallee();
  if (!callee || callee->getNameAsString() != "apply" || call.getNumArgs() != 2)
    return std::nullopt;
  const CXXRecordDecl* function = call.getArg(0)->getType()->getAsCXXRecordDecl();
  const auto* tuple = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      call.getArg(1)->getType()->getAsCXXRecordDecl());
  if (!function || !function->isLambda() || !tuple || tuple->getTemplateArgs().size() == 0)
    return std::nullopt;
  const TemplateArgument& first = tuple->getTemplateArgs().get(0);
  if (tuple->getName() == "tuple" && first.getKind() == TemplateArgument::Pack)
    return first.pack_size();
  return tuple->getName() == "pair" ? std::optional<int64_t>(2) : std::nullopt;
}

}  // namespace

// Of std::apply, a call with the tuple's elements. Which function others call is not looked for:
// what they are given may be anything afterwards.
ir::Register FunctionLowering::call_back(const CallExpr& expr) {
  if (const std::optional<int64_t> size = size_of_applied_tuple(expr)) {
    ir::Call call;
    call.name = "std::invoke";
    call.type = unit_.type(expr.getType());
    call.arguments.push_back(as_argument(expr.getArg(0), value(expr.getArg(0))));
    const ir::Register tuple = peek(expr.getArg(1));
    for (int64_t i = 0; i < *size; ++i) {
      call.arguments.push_back(
          as_argument(expr.getArg(1), builder_.index(tuple, builder_.constant(i))));
    }
    return builder_.call(std::move(call));
  }
  std::vector<ir::Argument> given;
  for (const Expr* each : expr.arguments()) given.push_back(as_argument(each, lower(strip(each))));
  return call_unknown(std::move(given), unit_.type(expr.getType()));
}

// Function<T>::apply(arguments...) is T::forward(context, arguments...), and T::backward(context,
// gradients) later: autograd::applied(T::backward, context, output).
std::optional<ir::Register> FunctionLowering::apply_function(const CallExpr& expr) {
  const CXXRecordDecl* function = function_applied(expr);
  const CXXMethodDecl* forward = method_of(function, "forward", expr.getNumArgs() + 1);
  if (!forward) return std::nullopt;
  ir::Call context;
  context.kind = ir::CallKind::kConstruct;
  context.name = "torch::autograd::AutogradContext";
  context.type = unit_.type(forward->getParamDecl(0)->getType()->getPointeeType());
  ir::Call call;
  call.name = unit_.name(*forward);
  call.key = unit_.key(*forward);
  const ir::Register made = builder_.call(std::move(context));
  call.arguments.push_back({made, {}, {}});
  for (unsigned i = 0; i < expr.getNumArgs(); ++i) {
    call.arguments.push_back(argument(expr.getArg(i), forward->getParamDecl(i + 1)->getType()));
  }
  const ir::Register output = emit_call(std::move(call), *forward);
  if (const CXXMethodDecl* backward = method_of(function, "backward", 2)) {
    ir::Call applied;
    applied.name = "autograd::applied";
    applied.arguments = {
        {builder_.closure(unit_.key(*backward), {}), {}, {}}, {made, {}, {}}, {output, {}, {}}};
    builder_.call(std::move(applied));
  }
  return output;
}

}  // namespace placecheck::frontend
