// Library calls that call the program back.
#include "analyzer/frontend/clang/function_lowering.h"

namespace placecheck::frontend {

using namespace clang;

namespace {

// T::forward, of the call Function<T>::apply; null if such a call could not be one of it.
const CXXMethodDecl* forward_of(const CallExpr& call) {
  const auto* apply = dyn_cast<CXXMethodDecl>(call.getDirectCallee());
  const auto* base =
      apply ? dyn_cast<ClassTemplateSpecializationDecl>(apply->getParent()) : nullptr;
  const CXXRecordDecl* derived =
      base && base->getTemplateArgs().size() == 1 &&
              base->getTemplateArgs().get(0).getKind() == TemplateArgument::Type
          ? base->getTemplateArgs().get(0).getAsType()->getAsCXXRecordDecl()
          : nullptr;
  if (!derived) return nullptr;
  for (const CXXMethodDecl* method : derived->methods()) {
    bool is_forward = method->getIdentifier() && method->getName() == "forward";
    if (is_forward && method->getNumParams() == call.getNumArgs() + 1) return method;
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

// Function<T>::apply(arguments...) is T::forward(context, arguments...).
std::optional<ir::Register> FunctionLowering::apply_function(const CallExpr& expr) {
  const CXXMethodDecl* forward = forward_of(expr);
  if (!forward) return std::nullopt;
  ir::Call context;
  context.kind = ir::CallKind::kConstruct;
  context.name = "torch::autograd::AutogradContext";
  context.type = unit_.type(forward->getParamDecl(0)->getType()->getPointeeType());
  ir::Call call;
  call.name = unit_.name(*forward);
  call.key = unit_.key(*forward);
  call.arguments.push_back({builder_.call(std::move(context)), {}, {}});
  for (unsigned i = 0; i < expr.getNumArgs(); ++i) {
    call.arguments.push_back(argument(expr.getArg(i), forward->getParamDecl(i + 1)->getType()));
  }
  return emit_call(std::move(call), *forward);
}

}  // namespace placecheck::frontend
