// Calls of functions, methods and operators.
#include "analyzer/frontend/clang/function_lowering.h"
#include "analyzer/frontend/clang/library_calls.h"
#include "clang/AST/ExprConcepts.h"

namespace placecheck::frontend {

using namespace clang;

namespace {

// A `T&&` that takes whatever it is given: the template's author promises only to hand it on.
bool is_forwarding(const FunctionDecl& callee, unsigned position) {
  const FunctionTemplateDecl* generic = callee.getPrimaryTemplate();
  if (!generic) return false;
  const FunctionDecl* pattern = generic->getTemplatedDecl();
  if (pattern->param_empty()) return false;
  unsigned last = pattern->getNumParams() - 1;
  QualType type = pattern->getParamDecl(std::min(position, last))->getType();
  if (const auto* pack = type->getAs<PackExpansionType>()) type = pack->getPattern();
  return type->isRValueReferenceType();
}

bool ends_program(const FunctionDecl& callee, llvm::StringRef name) {
  const auto* type = callee.getType()->getAs<FunctionProtoType>();
  const bool cannot_throw = callee.hasAttr<NoThrowAttr>() || (type && type->isNothrow());
  return (callee.isNoReturn() && cannot_throw) || name == "exit" || name == "std::exit" ||
         name == "abort" || name == "std::abort" || name == "std::terminate" || name == "_exit";
}

std::vector<const Expr*> list_of(llvm::ArrayRef<const Expr*> arguments) {
  return {arguments.begin(), arguments.end()};
}

llvm::ArrayRef<const Expr*> arguments_of(const CallExpr& expr) {
  return {expr.getArgs(), expr.getNumArgs()};
}

// cudaStream_t.
bool is_stream(QualType type) {
  const QualType pointee = type.isNull() ? QualType() : type->getPointeeType();
  const TagDecl* tag = pointee.isNull() ? nullptr : pointee->getAsTagDecl();
  return tag && tag->getName() == "CUstream_st";
}

// Whether a pointer is read from an element, a field or what another points to. The address that an
// array is, is not.
bool is_fetched(const Expr* expr) {
  while (const auto* cast = dyn_cast<CastExpr>(expr->IgnoreParens())) {
    expr = cast->getSubExpr()->IgnoreParens();
    if (cast->getCastKind() != CK_LValueToRValue) continue;
    const auto* dereference = dyn_cast<UnaryOperator>(expr);
    return isa<ArraySubscriptExpr, MemberExpr>(expr) ||
           (dereference && dereference->getOpcode() == UO_Deref);
  }
  return false;
}

}  // namespace

ir::Argument FunctionLowering::as_argument(const Expr* expr, ir::Register content) {
  return {content, {}, expr ? unit_.range(expr->getSourceRange()) : ir::Range()};
}

ir::Argument FunctionLowering::argument(const Expr* expr, QualType parameter) {
  bool place = false;
  if (!parameter.isNull() && parameter->isReferenceType()) {
    bool changes =
        parameter->isLValueReferenceType() && !parameter->getPointeeType().isConstQualified();
    place = changes || is_aggregate(expr->getType());
  }
  bool is_pointer = types_.kind(expr->getType()) == ir::TypeKind::kPointer;
  ir::Argument given = as_argument(expr, place || is_pointer ? lower(strip(expr)) : value(expr));
  given.copied = is_pointer && expr->getType()->isPointerType() &&
                 (parameter.isNull() || !parameter->isReferenceType());
  given.fetched = given.copied && is_fetched(expr);
  return given;
}

// A property of tensors that is not known still names no device: options that name none.
ir::Register FunctionLowering::property_or_value(const Expr* expr) {
  ir::Register given = value(expr);
  const ir::Instruction* made = builder_.definition(given);
  bool is_known = made && made->opcode == ir::Opcode::kConst;
  if (is_known || !TypeMapper::is_tensor_property(strip(expr)->getType())) return given;
  ir::Call options;
  options.name = "c10::TensorOptions::TensorOptions";
  options.type.kind = ir::TypeKind::kOptions;
  return builder_.call(std::move(options));
}

void FunctionLowering::add_arguments(ir::Call& call, const FunctionDecl& callee,
                                     llvm::ArrayRef<const Expr*> arguments) {
  bool own = unit_.in_project(callee);
  const bool is_cub = llvm::StringRef(call.name).starts_with("cub::");
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const Expr* each = arguments[i];
    if (!own && isa<CXXDefaultArgExpr>(each)) continue;
    QualType parameter = i < callee.getNumParams() ? callee.getParamDecl(i)->getType() : QualType();
    bool handed_on = !own && !is_aggregate(each->getType()) && is_forwarding(callee, i);
    bool is_property = !own && TypeMapper::is_tensor_property(each->getType());
    call.arguments.push_back(handed_on || is_property ? as_argument(each, property_or_value(each))
                                                      : argument(each, parameter));
    // CUB's routines differ in where they take their stream.
    if (is_cub && is_stream(parameter)) call.arguments.back().name = "stream";
  }
}

ir::Register FunctionLowering::receiver(const Expr* object) { return peek(object); }

ir::Register FunctionLowering::emit_call(ir::Call call, const FunctionDecl& callee) {
  call.type = unit_.type(callee.getReturnType());
  const bool ends = ends_program(callee, call.name);
  ir::Register result = builder_.call(std::move(call));
  if (ends)
    builder_.raise();
  else if (callee.isNoReturn())
    fail();  // it neither returns nor ends the program: it throws
  return result;
}

ir::Register FunctionLowering::indirect(const CallExpr& expr) {
  ir::Call call;
  call.kind = ir::CallKind::kIndirect;
  call.arguments.push_back(as_argument(expr.getCallee(), value(expr.getCallee())));
  const auto* type = expr.getCallee()->getType()->getAs<PointerType>();
  const auto* prototype = type ? type->getPointeeType()->getAs<FunctionProtoType>() : nullptr;
  for (unsigned i = 0; i < expr.getNumArgs(); ++i) {
    QualType parameter =
        prototype && i < prototype->getNumParams() ? prototype->getParamType(i) : QualType();
    call.arguments.push_back(argument(expr.getArg(i), parameter));
  }
  call.type = unit_.type(expr.getType());
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::VisitCallExpr(const CallExpr* expr) {
  if (expr->isTypeDependent() || isa<OverloadExpr>(expr->getCallee()->IgnoreParens()))
    return untyped_call(expr->getCallee()->IgnoreParenImpCasts(), arguments_of(*expr));
  const FunctionDecl* callee = expr->getDirectCallee();
  if (!callee)
    return expr->containsErrors() ? unresolved(expr->getCallee(), arguments_of(*expr))
                                  : indirect(*expr);
  if (callee->isInvalidDecl()) function_.is_partial = true;
  may_fail(*callee);
  if (auto special = special_function(*expr, *callee)) return *special;
  if (auto launched = launch_call(*expr, *callee)) return *launched;
  ir::Call call;
  call.name = model_name(unit_.name(*callee), *callee);
  call.key = unit_.key(*callee);
  add_arguments(call, *callee, arguments_of(*expr));
  return emit_call(std::move(call), *callee);
}

std::optional<ir::Register> FunctionLowering::special_function(const CallExpr& expr,
                                                               const FunctionDecl& callee) {
  unsigned count = expr.getNumArgs();
  switch (function_meaning(unit_.name(callee))) {
    case FunctionMeaning::kPass:
      if (count >= 1) return lower(expr.getArg(0));
      break;
    case FunctionMeaning::kCast:
      if (count >= 1) return cast(lower(expr.getArg(0)), expr.getType());
      break;
    case FunctionMeaning::kTuple:
      return aggregate("tuple", arguments_of(expr), expr.getType());
    case FunctionMeaning::kMake: {
      QualType type = expr.getType();
      const CXXRecordDecl* record = types_.pointee_class(type);
      QualType number = number_behind(type);
      if (!number.isNull() && unit_.name(callee) != "std::allocate_shared")
        return numbers(arguments_of(expr), number, type);
      if (!record || types_.role(*record) == ClassRole::kSmartPointer) break;
      return construct_made(*record, arguments_of(expr));
    }
    case FunctionMeaning::kGet: {
      const TemplateArgumentList* chosen = callee.getTemplateSpecializationArgs();
      if (count != 1 || !chosen || chosen->size() == 0) break;
      if (chosen->get(0).getKind() != TemplateArgument::Integral) break;
      ir::Register object = peek(expr.getArg(0));
      int64_t position = chosen->get(0).getAsIntegral().getExtValue();
      return builder_.index(object, builder_.constant(position));
    }
    case FunctionMeaning::kSwap: {
      if (count != 2) break;
      ir::Register first = kept(expr.getArg(0));
      ir::Register second = kept(expr.getArg(1));
      assign_to(expr.getArg(0), second);
      assign_to(expr.getArg(1), first);
      return builder_.none();
    }
    case FunctionMeaning::kExchange: {
      if (count != 2) break;
      ir::Register before = kept(expr.getArg(0));
      assign_to(expr.getArg(0), value(expr.getArg(1)));
      return before;
    }
    case FunctionMeaning::kCallBack:
      if (unit_.in_project(callee)) break;
      return call_back(expr);
    case FunctionMeaning::kApplyFunction:
      return apply_function(expr);
    case FunctionMeaning::kNone:
      break;
  }
  return std::nullopt;
}

// What is there now, whatever is stored there next.
ir::Register FunctionLowering::kept(const Expr* expr) {
  ir::Register now = value(expr);
  return expr->getType()->isPointerType() ? now : builder_.copy(now);
}

ir::Register FunctionLowering::VisitCXXMemberCallExpr(const CXXMemberCallExpr* expr) {
  const CXXMethodDecl* method = expr->getMethodDecl();
  const Expr* object = expr->getImplicitObjectArgument();
  if (!method || !object)
    return expr->containsErrors() ? unresolved(expr->getCallee(), arguments_of(*expr))
                                  : indirect(*expr);
  if (method->isStatic()) return VisitCallExpr(expr);
  may_fail(*method);
  if (auto special = special_method(*method, object, arguments_of(*expr))) return *special;
  const auto* member = dyn_cast<MemberExpr>(expr->getCallee()->IgnoreParens());
  bool exact = member && member->hasQualifier();  // Base::f(): no override of it
  return method_call(*method, object, arguments_of(*expr), expr->getType(), exact);
}

ir::Register FunctionLowering::method_call(const CXXMethodDecl& method, const Expr* object,
                                           llvm::ArrayRef<const Expr*> arguments, QualType type,
                                           bool exact) {
  ir::Call call;
  const CXXRecordDecl* owner = method.getParent();
  bool function = owner->isLambda() || types_.role(*owner) == ClassRole::kFunction;
  call.kind = function ? ir::CallKind::kIndirect
              : exact  ? ir::CallKind::kDirect
                       : ir::CallKind::kMethod;
  if (types_.role(*owner) != ClassRole::kFunction) call.key = unit_.key(method);
  call.name = !function ? model_name(unit_.name(method), method) : call.key.empty() ? "" : "lambda";
  // A text that the method may change is passed as the place where it is.
  bool changes = types_.role(*owner) == ClassRole::kString && !method.isConst();
  call.arguments.push_back(as_argument(object, changes ? lower(strip(object)) : receiver(object)));
  add_arguments(call, method, arguments);
  if (is_tried(call.name)) call.name = "torch::serialize::InputArchive::try_read";
  ir::Register result = emit_call(std::move(call), method);
  if (ir::Instruction* made = builder_.definition(result)) made->call.type = unit_.type(type);
  return result;
}

std::optional<ir::Register> FunctionLowering::special_method(
    const CXXMethodDecl& method, const Expr* object, llvm::ArrayRef<const Expr*> arguments) {
  ClassRole role = types_.role(*method.getParent());
  if (isa<CXXConversionDecl>(method) && method.getReturnType()->isBooleanType() &&
      is_nullable(role))
    return built_in("op.ne", {peek(object), builder_.none()}, method.getReturnType());
  if (isa<CXXConversionDecl>(method) && is_transparent(role)) return peek(object);
  std::string short_name = method.getNameAsString();
  if (short_name == "operator[]" && is_accessor(unit_.name(*method.getParent()))) {
    // All but the last index lead to views of parts.
    ir::Register whole = peek(object);
    bool is_part = method.getReturnType()->isRecordType();
    return is_part ? whole : builder_.index(whole, value(arguments[0]));
  }
  switch (method_meaning(role, unit_.name(method), short_name)) {
    case MethodMeaning::kPass: {
      ir::Register passed = peek(object);
      bool reads = short_name == "operator*" && !number_behind(strip(object)->getType()).isNull();
      return reads ? builder_.index(passed, builder_.constant(int64_t{0})) : passed;
    }
    case MethodMeaning::kCast:
      return cast(peek(object), method.getReturnType());
    case MethodMeaning::kIndex:
      if (arguments.size() != 1) break;
      {
        ir::Register whole = peek(object);
        return builder_.index(whole, value(arguments[0]));
      }
    case MethodMeaning::kFirst: {
      ir::Register whole = peek(object);
      return builder_.index(whole, builder_.constant(int64_t{0}));
    }
    case MethodMeaning::kIsSet:
      return built_in("op.ne", {peek(object), builder_.none()}, method.getReturnType());
    case MethodMeaning::kIsEmpty:
      return built_in("op.eq", {peek(object), builder_.none()}, method.getReturnType());
    case MethodMeaning::kReset: {
      bool given = !arguments.empty() && !isa<CXXDefaultArgExpr>(arguments[0]);
      ir::Register content = given ? value(arguments[0]) : builder_.none();
      assign_to(object, content);
      return content;
    }
    case MethodMeaning::kReplace: {
      const QualType element = element_of(*method.getParent());
      const CXXRecordDecl* record = element.isNull() ? nullptr : element->getAsCXXRecordDecl();
      if (!record && arguments.size() != 1) break;
      const ir::Register content =
          record ? construct_made(*record, arguments) : value(arguments[0]);
      assign_to(object, content);
      // What is dropped behind the statement is a reference, and no temporary.
      return peek(object);
    }
    case MethodMeaning::kEmplace:
      return emplace(method, object, arguments);
    case MethodMeaning::kNone:
      break;
  }
  return std::nullopt;
}

// What is emplaced is constructed first, unless it is there already.
std::optional<ir::Register> FunctionLowering::emplace(const CXXMethodDecl& method,
                                                      const Expr* object,
                                                      llvm::ArrayRef<const Expr*> arguments) {
  QualType element = element_of(*method.getParent());
  const CXXRecordDecl* record = element.isNull() ? nullptr : element->getAsCXXRecordDecl();
  if (!record ||
      (arguments.size() == 1 && unit_.type(arguments[0]->getType()).kind == types_.kind(element)))
    return std::nullopt;
  ClassRole role = types_.role(*record);
  const CXXRecordDecl* made = role == ClassRole::kHolder ? types_.contained(*record) : record;
  bool is_made_of_arguments =
      role == ClassRole::kHolder || role == ClassRole::kPlain || role == ClassRole::kDevice;
  if (!is_made_of_arguments) return std::nullopt;
  ir::Call call;
  call.kind = ir::CallKind::kMethod;
  call.name = unit_.name(method);
  call.arguments.push_back(as_argument(object, receiver(object)));
  call.arguments.push_back({construct_made(*made, arguments), {}, {}});
  return emit_call(std::move(call), method);
}

ir::Register FunctionLowering::VisitCXXOperatorCallExpr(const CXXOperatorCallExpr* expr) {
  const FunctionDecl* callee = expr->getDirectCallee();
  if (!callee) return untyped_operator(*expr);
  std::vector<const Expr*> all = list_of(arguments_of(*expr));
  const auto* method = dyn_cast<CXXMethodDecl>(callee);
  if (!method || method->isStatic()) {
    if (auto special = special_operator(*expr, *callee)) return *special;
    ir::Call call;
    call.name = unit_.name(*callee);
    call.key = unit_.key(*callee);
    if (method) all.erase(all.begin());
    add_arguments(call, *callee, all);
    return emit_call(std::move(call), *callee);
  }
  if (expr->getOperator() == OO_Equal) return assign_operator(*expr, *method);
  llvm::ArrayRef<const Expr*> rest = llvm::ArrayRef(all).drop_front();
  if (auto special = special_method(*method, all[0], rest)) return *special;
  return method_call(*method, all[0], rest, expr->getType());
}

// Comparisons of handles with nothing, of either order.
std::optional<ir::Register> FunctionLowering::special_operator(const CXXOperatorCallExpr& expr,
                                                               const FunctionDecl&) {
  OverloadedOperatorKind kind = expr.getOperator();
  if ((kind != OO_EqualEqual && kind != OO_ExclaimEqual) || expr.getNumArgs() != 2)
    return std::nullopt;
  if (!is_nullable(types_.role(expr.getArg(0)->getType())) &&
      !is_nullable(types_.role(expr.getArg(1)->getType())))
    return std::nullopt;
  ir::Register left = peek(expr.getArg(0));
  ir::Register right = peek(expr.getArg(1));
  return built_in(kind == OO_EqualEqual ? "op.eq" : "op.ne", {left, right}, expr.getType());
}

ir::Register FunctionLowering::assign_operator(const CXXOperatorCallExpr& expr,
                                               const CXXMethodDecl& method) {
  const Expr* left = expr.getArg(0);
  const Expr* right = expr.getArg(1);
  ClassRole role = types_.role(*method.getParent());
  if (role == ClassRole::kTensor && method.getRefQualifier() == RQ_RValue) {
    bool scalar = types_.role(method.getParamDecl(0)->getType()) == ClassRole::kScalar;
    ir::Call call;
    call.kind = ir::CallKind::kMethod;
    call.name = scalar ? "at::Tensor::fill_" : "at::Tensor::copy_";
    call.arguments.push_back(as_argument(left, lower(left)));
    call.arguments.push_back(as_argument(right, value(right)));
    return emit_call(std::move(call), method);
  }
  if (const CallExpr* targets = tied_variables(left)) {
    assign_tuple(*targets, value(right), right->getType());
    return ir::kNoRegister;
  }
  bool own = role == ClassRole::kPlain && unit_.in_project(method) && !method.isDefaulted();
  if (own) return method_call(method, left, right, expr.getType());
  return assignment(left, right);
}

// std::tie(...), or std::forward_as_tuple(...) of variables; null for another expression.
const CallExpr* FunctionLowering::tied_variables(const Expr* expr) {
  const auto* call = dyn_cast<CallExpr>(strip(expr));
  const FunctionDecl* called = call ? call->getDirectCallee() : nullptr;
  if (!called) return nullptr;
  std::string name = unit_.name(*called);
  return name == "std::tie" || name == "std::forward_as_tuple" ? call : nullptr;
}

void FunctionLowering::assign_tuple(const CallExpr& targets, ir::Register tuple, QualType type) {
  std::string whole = builder_.new_slot("tmp", unit_.type(type), {});
  builder_.store(whole, tuple);
  for (unsigned i = 0; i < targets.getNumArgs(); ++i) {
    const Expr* target = targets.getArg(i);
    const auto* named = dyn_cast<DeclRefExpr>(strip(target));
    if (named && unit_.name(*named->getDecl()) == "std::ignore") continue;
    ir::Register part =
        builder_.copy(builder_.index(builder_.ref(whole), builder_.constant(int64_t{i})));
    if (const CallExpr* inner = tied_variables(target)) {
      assign_tuple(*inner, part, target->getType());
    } else {
      assign_to(target, part);
    }
  }
}

}  // namespace placecheck::frontend
