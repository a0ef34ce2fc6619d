// Built-in operators, assignment and choices.
#include "analyzer/frontend/clang/function_lowering.h"

namespace placecheck::frontend {

using namespace clang;

namespace {

const char* operator_name(BinaryOperatorKind kind) {
  switch (kind) {
    case BO_Add:
    case BO_AddAssign:
      return "op.add";
    case BO_Sub:
    case BO_SubAssign:
      return "op.sub";
    case BO_Mul:
    case BO_MulAssign:
      return "op.mul";
    case BO_Div:
    case BO_DivAssign:
      return "op.div";
    case BO_Rem:
    case BO_RemAssign:
      return "op.mod";
    case BO_EQ:
      return "op.eq";
    case BO_NE:
      return "op.ne";
    case BO_LT:
      return "op.lt";
    case BO_LE:
      return "op.le";
    case BO_GT:
      return "op.gt";
    case BO_GE:
      return "op.ge";
    case BO_And:
    case BO_AndAssign:
    case BO_LAnd:
      return "op.and";
    case BO_Or:
    case BO_OrAssign:
    case BO_LOr:
      return "op.or";
    default:
      return "op.other";
  }
}

// Whether the address of `expr` is that of memory that it names: not of what a pointer or a
// reference leads to.
bool names_memory(const Expr* expr) {
  expr = expr->IgnoreParens();
  const auto* operation = dyn_cast<UnaryOperator>(expr);
  if (operation && operation->getOpcode() == UO_Deref) return false;
  const auto* named = dyn_cast<DeclRefExpr>(expr);
  bool is_reference = named && named->getDecl()->getType()->isReferenceType();
  return !is_reference || expr->getType()->isPointerType();
}

}  // namespace

// Of what a checked cast may find, only modules are of interest.
ir::Register FunctionLowering::cast(ir::Register given, QualType type) {
  bool is_module = unit_.type(type).kind == ir::TypeKind::kModule;
  return is_module ? built_in("cast.class", {given}, type) : given;
}

ir::Register FunctionLowering::built_in(std::string name, std::vector<ir::Register> operands,
                                        QualType type) {
  ir::Call call;
  call.name = std::move(name);
  for (ir::Register operand : operands) call.arguments.push_back({operand, {}, {}});
  call.type = unit_.type(type);
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::step(const UnaryOperator& expr) {
  const Expr* target = expr.getSubExpr();
  ir::Register before = value(target);
  ir::Register after = built_in(expr.isIncrementOp() ? "op.add" : "op.sub",
                                {before, builder_.constant(int64_t{1})}, expr.getType());
  assign_to(target, after);
  return expr.isPostfix() ? before : after;
}

ir::Register FunctionLowering::VisitUnaryOperator(const UnaryOperator* expr) {
  switch (expr->getOpcode()) {
    case UO_PreInc:
    case UO_PreDec:
    case UO_PostInc:
    case UO_PostDec:
      return step(*expr);
    case UO_Minus:
      return built_in("op.neg", {value(expr->getSubExpr())}, expr->getType());
    case UO_LNot:
      return built_in("op.not", {value(expr->getSubExpr())}, expr->getType());
    case UO_Not:
      return built_in("op.other", {value(expr->getSubExpr())}, expr->getType());
    case UO_Deref:
      return dereference(*expr->getSubExpr());
    case UO_AddrOf: {
      if (const VarDecl* shadowed = device_variable_of(*expr->getSubExpr()))
        return shadow_of(*shadowed);
      ir::Register address = lower(expr->getSubExpr());
      const bool is_tensor = types_.kind(expr->getSubExpr()->getType()) == ir::TypeKind::kTensor;
      return is_tensor || names_memory(expr->getSubExpr()) ? builder_.take(address) : address;
    }
    default:
      return lower(expr->getSubExpr());
  }
}

// Numbers and pointers behind a pointer are an array of them; what else is behind one is the
// pointer's value.
ir::Register FunctionLowering::dereference(const Expr& pointer) {
  ir::Register value = lower(strip(&pointer));
  QualType type = pointer.getType();
  QualType element = type->isPointerType() ? type->getPointeeType() : QualType();
  bool is_array =
      !element.isNull() && (element->isArithmeticType() || element->isObjectPointerType());
  return is_array ? builder_.index(value, builder_.constant(int64_t{0})) : value;
}

void FunctionLowering::assign_to(const Expr* target, ir::Register content) {
  if (const std::string* slot = slot_of(target)) {
    Located located(*this, strip(target));
    return set(*slot, target->getType(), content);
  }
  const auto* named = dyn_cast<DeclRefExpr>(strip(target));
  const auto* variable = named ? dyn_cast<VarDecl>(named->getDecl()) : nullptr;
  if (variable && variable->hasGlobalStorage()) {
    std::string slot = unit_.global(*variable);
    if (!slot.empty()) {
      Located located(*this, named);
      return builder_.store(slot, content);
    }
  }
  ir::Register address = lower(target);
  builder_.assign(address, content);
}

// A pointer that takes an address becomes another name of what is there.
void FunctionLowering::set(const std::string& slot, QualType type, ir::Register content) {
  if (types_.kind(type) == ir::TypeKind::kPointer && builder_.is_address(content))
    builder_.bind(slot, content);
  else
    builder_.store(slot, content);
}

ir::Register FunctionLowering::assignment(const Expr* left, const Expr* right) {
  ir::Register content = value(right);
  assign_to(left, content);
  return content;
}

ir::Register FunctionLowering::logical(const BinaryOperator& expr) {
  ir::Register left = value(expr.getLHS());
  std::string slot = builder_.new_slot("tmp", unit_.type(expr.getType()), {});
  builder_.store(slot, left);
  uint32_t more = builder_.new_block(), after = builder_.new_block();
  bool both = expr.getOpcode() == BO_LAnd;
  builder_.branch(builder_.load(slot), both ? more : after, both ? after : more);
  builder_.enter(more);
  builder_.store(slot, value(expr.getRHS()));
  builder_.jump(after);
  builder_.enter(after);
  return builder_.load(slot);
}

ir::Register FunctionLowering::VisitBinaryOperator(const BinaryOperator* expr) {
  if (expr->isLogicalOp()) return logical(*expr);
  if (expr->getOpcode() == BO_Comma) {
    discard(expr->getLHS());
    return lower(expr->getRHS());
  }
  if (expr->getOpcode() == BO_Assign) return assignment(expr->getLHS(), expr->getRHS());
  ir::Register left = value(expr->getLHS());
  ir::Register right = value(expr->getRHS());
  ir::Register result = built_in(operator_name(expr->getOpcode()), {left, right}, expr->getType());
  if (expr->isCompoundAssignmentOp()) assign_to(expr->getLHS(), result);
  return result;
}

ir::Register FunctionLowering::VisitAbstractConditionalOperator(
    const AbstractConditionalOperator* expr) {
  std::string slot = builder_.new_slot("tmp", unit_.type(expr->getType()), {});
  uint32_t then = builder_.new_block(), otherwise = builder_.new_block();
  uint32_t after = builder_.new_block();
  bool place = expr->isLValue() && is_aggregate(expr->getType());
  auto take = [&](const Expr* chosen) {
    if (place) {
      builder_.bind(slot, lower(chosen));
    } else {
      ir::Register result = value(chosen);
      if (!chosen->getType()->isVoidType()) builder_.store(slot, result);
    }
    builder_.jump(after);
  };
  ir::Register condition = peek(expr->getCond());
  builder_.branch(condition, then, otherwise);
  builder_.enter(then);
  take(expr->getTrueExpr());
  builder_.enter(otherwise);
  take(expr->getFalseExpr());
  builder_.enter(after);
  if (expr->getType()->isVoidType()) return builder_.none();
  return place ? builder_.ref(slot) : builder_.load(slot);
}

}  // namespace placecheck::frontend
