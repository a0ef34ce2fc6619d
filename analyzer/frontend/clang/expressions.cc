// Expressions other than calls and construction.
#include "analyzer/frontend/clang/function_lowering.h"
#include "analyzer/frontend/clang/library_calls.h"
#include "clang/Basic/Builtins.h"

namespace placecheck::frontend {

using namespace clang;

namespace {

std::string lower_case(llvm::StringRef text) { return text.lower(); }

ir::Literal integer(const llvm::APSInt& value) {
  if (value.isRepresentableByInt64()) return value.getExtValue();
  // Two's complement: the largest unsigned number is -1.
  return value.getBitWidth() <= 64 ? static_cast<int64_t>(value.getZExtValue()) : int64_t{0};
}

ir::Literal typed(const llvm::APSInt& value, QualType type) {
  if (type->isBooleanType()) return value.getBoolValue();
  return integer(value);
}

}  // namespace

// std::move and its like change what may be done with an object, not which one it is.
static bool only_passes(const CallExpr& call) {
  unsigned id = call.getBuiltinCallee();
  return call.getNumArgs() == 1 &&
         (id == Builtin::BImove || id == Builtin::BIforward || id == Builtin::BIas_const);
}

const Expr* strip(const Expr* expr) {
  while (expr) {
    const Expr* inner = expr->IgnoreImplicit()->IgnoreParens();
    if (const auto* cast = dyn_cast<ExplicitCastExpr>(inner))
      if (cast->getCastKind() == CK_NoOp && !cast->getType()->isVoidType())
        inner = cast->getSubExpr();
    if (const auto* call = dyn_cast<CallExpr>(inner); call && only_passes(*call))
      inner = call->getArg(0);
    if (inner == expr) return expr;
    expr = inner;
  }
  return nullptr;
}

ir::Register FunctionLowering::lower(const Expr* expr) {
  if (!expr || depth_ > kMaxDepth) return partly();
  Located located(*this, expr);
  return Visit(expr);
}

ir::Register FunctionLowering::VisitFullExpr(const FullExpr* expr) {
  const size_t before = temporaries_.size();
  ir::Register result = lower(expr->getSubExpr());
  end_temporaries(before);
  return result;
}

bool FunctionLowering::is_aggregate(QualType type) {
  ir::TypeKind kind = types_.kind(type);
  return kind == ir::TypeKind::kRecord || kind == ir::TypeKind::kContainer ||
         kind == ir::TypeKind::kTuple;
}

// An array that is used as a pointer to its elements.
static bool decays(const Expr* expr) {
  const Expr* bare = expr->IgnoreParens();
  while (const auto* cast = dyn_cast<CastExpr>(bare)) {
    if (cast->getCastKind() == CK_ArrayToPointerDecay)
      return !cast->getType()->getPointeeType()->isAnyCharacterType();
    if (cast->getCastKind() != CK_BitCast && cast->getCastKind() != CK_NoOp) return false;
    bare = cast->getSubExpr()->IgnoreParens();
  }
  return false;
}

// `&x`, also as a pointer to something else.
static bool takes_address(const Expr* expr) {
  const Expr* bare = expr->IgnoreParens();
  while (const auto* cast = dyn_cast<CastExpr>(bare)) {
    if (!cast->getType()->isPointerType()) return false;
    bare = cast->getSubExpr()->IgnoreParens();
  }
  const auto* operation = dyn_cast<UnaryOperator>(bare);
  return operation && operation->getOpcode() == UO_AddrOf;
}

// `std::ref(x)`, which is passed on as `x` itself.
static bool is_reference_wrapper(const Expr* expr) {
  // What did not parse may have no type.
  const CXXRecordDecl* record =
      expr->getType().isNull() ? nullptr : expr->getType()->getAsCXXRecordDecl();
  return record && record->isInStdNamespace() && record->getName() == "reference_wrapper";
}

// Reads a letter, `text[i]` or `text.back()`: the text stays what it is. None of another
// expression.
std::optional<ir::Register> FunctionLowering::letter(const Expr* expr) {
  const auto* call = dyn_cast<CallExpr>(strip(expr));
  const auto* method = call ? dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee()) : nullptr;
  if (!method || types_.role(*method->getParent()) != ClassRole::kString) return std::nullopt;
  const auto* by_name = dyn_cast<CXXMemberCallExpr>(call);
  const Expr* text = by_name ? by_name->getImplicitObjectArgument() : call->getArg(0);
  const Expr* position = nullptr;
  if (call->getNumArgs() == (by_name ? 1 : 2)) position = call->getArg(call->getNumArgs() - 1);
  ir::Register whole = peek(text);
  bool is_last = by_name && method->getNameAsString() == "back";
  ir::Register at = position ? value(position) : builder_.constant(int64_t{is_last ? -1 : 0});
  return built_in("op.letter", {whole, at}, call->getType());
}

const std::string* FunctionLowering::slot_of(const Expr* expr) {
  const auto* named = dyn_cast_or_null<DeclRefExpr>(strip(expr));
  if (!named) return nullptr;
  auto found = slots_.find(named->getDecl());
  return found == slots_.end() ? nullptr : &found->second;
}

ir::Register FunctionLowering::value(const Expr* expr) {
  if (!expr) return partly();  // an element of a list that did not parse
  const Expr* bare = strip(expr);
  if (!is_aggregate(bare->getType())) {
    if (const std::string* slot = slot_of(bare)) {
      Located located(*this, bare);
      return builder_.load(*slot);
    }
  }
  ir::Register result = lower(expr);
  Located located(*this, bare);
  // The address of something is the value of a pointer.
  if (takes_address(bare) || is_reference_wrapper(bare)) return result;
  if (decays(expr) && builder_.is_address(result)) return result;
  if (builder_.is_address(result)) return builder_.copy(result);
  const ir::Instruction* made = builder_.definition(result);
  bool may_refer =
      bare->isLValue() && isa<CallExpr>(bare) && made && made->opcode == ir::Opcode::kCall;
  return may_refer ? builder_.copy(result) : result;
}

ir::Register FunctionLowering::peek(const Expr* expr) {
  const std::string* slot = slot_of(expr);
  if (!slot || is_aggregate(strip(expr)->getType())) return lower(expr);
  Located located(*this, strip(expr));
  return builder_.load(*slot);
}

ir::Register FunctionLowering::VisitExpr(const Expr* expr) {
  if (expr->containsErrors() || expr->isInstantiationDependent()) function_.is_partial = true;
  ir::Call call;
  call.type = unit_.type(expr->getType());
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::VisitIntegerLiteral(const IntegerLiteral* expr) {
  return builder_.constant(integer(llvm::APSInt(expr->getValue(), true)));
}

ir::Register FunctionLowering::VisitFloatingLiteral(const FloatingLiteral* expr) {
  return builder_.constant(expr->getValueAsApproximateDouble());
}

ir::Register FunctionLowering::VisitCXXBoolLiteralExpr(const CXXBoolLiteralExpr* expr) {
  return builder_.constant(expr->getValue());
}

ir::Register FunctionLowering::VisitCharacterLiteral(const CharacterLiteral* expr) {
  return builder_.constant(static_cast<int64_t>(expr->getValue()));
}

ir::Register FunctionLowering::VisitStringLiteral(const StringLiteral* expr) {
  return builder_.constant(expr->isOrdinary() || expr->isUTF8() ? expr->getString().str()
                                                                : std::string());
}

ir::Register FunctionLowering::VisitPredefinedExpr(const PredefinedExpr* expr) {
  const StringLiteral* name = expr->getFunctionName();
  return builder_.constant(name && name->isOrdinary() ? name->getString().str() : std::string());
}

ir::Register FunctionLowering::VisitUnaryExprOrTypeTraitExpr(const UnaryExprOrTypeTraitExpr* expr) {
  Expr::EvalResult result;
  if (!expr->isValueDependent() && expr->EvaluateAsInt(result, unit_.ast()))
    return builder_.constant(integer(result.Val.getInt()));
  return unknown();
}

ir::Literal FunctionLowering::literal_of(const EnumConstantDecl& constant) {
  const auto* enumeration = dyn_cast<EnumDecl>(constant.getDeclContext());
  if (enumeration && unit_.name(*enumeration) == "c10::DeviceType")
    return ir::DeviceLiteral{lower_case(constant.getName())};
  return integer(constant.getInitVal());
}

std::optional<ir::Literal> FunctionLowering::literal_of(const VarDecl& variable) {
  QualType type = variable.getType().getNonReferenceType();
  if (!variable.isConstexpr() && !(type.isConstQualified() && type->isIntegralOrEnumerationType()))
    return std::nullopt;
  if (const CXXRecordDecl* record = type->getAsCXXRecordDecl()) {
    llvm::StringRef name = unit_.name(*record);
    if (name.ends_with("nullopt_t")) return ir::None{};
    return std::nullopt;
  }
  const VarDecl* definition = nullptr;
  const Expr* init = variable.getAnyInitializer(definition);
  if (!init || init->isValueDependent() || definition->isInvalidDecl()) return std::nullopt;
  const APValue* value = definition->evaluateValue();
  if (!value) return std::nullopt;
  if (value->isFloat()) return value->getFloat().convertToDouble();
  if (!value->isInt()) return std::nullopt;
  if (const auto* enumeration = type->getAs<EnumType>())
    for (const EnumConstantDecl* each : enumeration->getDecl()->enumerators())
      if (llvm::APSInt::isSameValue(each->getInitVal(), value->getInt())) return literal_of(*each);
  return typed(value->getInt(), type);
}

ir::Register FunctionLowering::VisitDeclRefExpr(const DeclRefExpr* expr) {
  const ValueDecl* decl = expr->getDecl();
  auto local = slots_.find(decl);
  if (local != slots_.end()) return builder_.ref(local->second);
  if (const auto* constant = dyn_cast<EnumConstantDecl>(decl))
    return builder_.constant(literal_of(*constant));
  if (const auto* function = dyn_cast<FunctionDecl>(decl)) return function_value(*function);
  if (const auto* named = dyn_cast<VarDecl>(decl)) return variable(*named);
  return decl->isInvalidDecl() ? partly() : unknown();
}

// A library's template that is filled with a function does what that does: TORCH_BOX.
ir::Register FunctionLowering::function_value(const FunctionDecl& function) {
  if (!unit_.in_project(function)) {
    const TemplateArgumentList* own = function.getTemplateSpecializationArgs();
    const FunctionDecl* inner = own ? function_filling(own->asArray()) : nullptr;
    const auto* whole = dyn_cast<ClassTemplateSpecializationDecl>(function.getDeclContext());
    if (!inner && whole) inner = function_filling(whole->getTemplateArgs().asArray());
    if (inner) return function_value(*inner);
  }
  std::string key = unit_.key(function);
  return builder_.closure(key.empty() ? unit_.name(function) : key, {});
}

// Of a constant, the function that it points to; null if none.
static const FunctionDecl* function_pointed_to(const VarDecl& variable) {
  const VarDecl* definition = nullptr;
  const Expr* init = variable.getAnyInitializer(definition);
  const bool is_constant = variable.isConstexpr() && variable.getType()->isFunctionPointerType();
  if (!is_constant || !init || init->isValueDependent() || definition->isInvalidDecl())
    return nullptr;
  const APValue* value = definition->evaluateValue();
  const auto* named =
      value && value->isLValue() ? value->getLValueBase().dyn_cast<const ValueDecl*>() : nullptr;
  return dyn_cast_or_null<FunctionDecl>(named);
}

ir::Register FunctionLowering::variable(const VarDecl& variable) {
  if (auto literal = literal_of(variable)) return builder_.constant(*literal);
  if (const FunctionDecl* function = function_pointed_to(variable))
    return function_value(*function);
  if (variable.isInvalidDecl()) return partly();
  if (is_on_device(variable)) return device_variable(variable);
  if (variable.hasGlobalStorage()) {
    std::string slot = unit_.global(variable);
    if (!slot.empty()) return builder_.ref(slot);
    const CXXRecordDecl* record = variable.getType()->getAsCXXRecordDecl();
    if (record && llvm::StringRef(unit_.name(*record)).ends_with("nullopt_t"))
      return builder_.none();
  }
  // A library's variable, or a local one of an enclosing function that was not captured.
  ir::Call call;
  if (variable.hasGlobalStorage()) call.name = unit_.name(variable);
  call.type = unit_.type(variable.getType());
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::VisitMemberExpr(const MemberExpr* expr) {
  const ValueDecl* member = expr->getMemberDecl();
  if (const auto* static_member = dyn_cast<VarDecl>(member)) return variable(*static_member);
  if (const auto* constant = dyn_cast<EnumConstantDecl>(member))
    return builder_.constant(literal_of(*constant));
  if (const auto* method = dyn_cast<CXXMethodDecl>(member)) return function_value(*method);
  ir::Register object = peek(expr->getBase());
  const auto* field = dyn_cast<FieldDecl>(member);
  const auto* owner = field ? dyn_cast<CXXRecordDecl>(field->getParent()) : nullptr;
  if (owner && types_.role(*owner) == ClassRole::kTuple && field->getIdentifier())
    return builder_.index(object, builder_.constant(int64_t{field->getName() == "second"}));
  // What an unnamed union or struct holds belongs to the object around it.
  if (field && !field->getDeclName()) return object;
  return builder_.field(object, member->getNameAsString());
}

ir::Register FunctionLowering::VisitArraySubscriptExpr(const ArraySubscriptExpr* expr) {
  // Of an index that did not parse, getBase() takes the other operand for the array.
  const bool is_array_first = !expr->getLHS()->getType()->isIntegralOrEnumerationType();
  ir::Register object = peek(is_array_first ? expr->getLHS() : expr->getRHS());
  return builder_.index(object, value(is_array_first ? expr->getRHS() : expr->getLHS()));
}

ir::Register FunctionLowering::VisitCastExpr(const CastExpr* expr) {
  const Expr* inner = expr->getSubExpr();
  switch (expr->getCastKind()) {
    case CK_LValueToRValue:
      if (std::optional<ir::Register> read = letter(inner)) return *read;
      return value(inner);
    case CK_Dynamic:
      return cast(lower(inner), expr->getType());
    case CK_NullToPointer:
    case CK_NullToMemberPointer:
      return builder_.none();
    case CK_ToVoid: {
      lower(inner);
      return builder_.none();
    }
    case CK_PointerToBoolean:
      return built_in("op.ne", {peek(inner), builder_.none()}, expr->getType());
    default:
      return lower(inner);
  }
}

ir::Register FunctionLowering::VisitCXXThisExpr(const CXXThisExpr*) { return this_object(); }

ir::Register FunctionLowering::this_object() {
  if (!made_.empty()) return builder_.ref(made_.back());
  return builder_.has_slot("this") ? builder_.load("this") : partly();
}

ir::Register FunctionLowering::VisitCXXThrowExpr(const CXXThrowExpr* expr) {
  if (expr->getSubExpr()) lower(expr->getSubExpr());
  fail();
  return builder_.none();
}

ir::Register FunctionLowering::VisitStmtExpr(const StmtExpr* expr) {
  statement(expr->getSubStmt());
  return unknown();
}

}  // namespace placecheck::frontend
