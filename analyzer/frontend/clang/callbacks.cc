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

}  // namespace

// Which function it calls is not looked for: what it is given may be anything afterwards.
ir::Register FunctionLowering::call_back(const CallExpr& expr) {
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
