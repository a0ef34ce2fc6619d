// Loops: as blocks with a branch at their head, marked as such.
#include "analyzer/frontend/clang/function_lowering.h"

namespace placecheck::frontend {

using namespace clang;

void FunctionLowering::loop_body(const Stmt* body, uint32_t on_break, uint32_t on_continue) {
  size_t depth = scopes_.size();
  targets_.push_back({Jump{on_break, depth}, Jump{on_continue, depth}});
  push_scope();
  statement(body);
  pop_scope();
  targets_.pop_back();
}

ir::Register FunctionLowering::VisitWhileStmt(const WhileStmt* stmt) {
  uint32_t head = builder_.new_block(), body = builder_.new_block(), after = builder_.new_block();
  builder_.jump(head);
  builder_.enter(head);
  push_scope();
  condition(stmt->getConditionVariable(), stmt->getCond(), body, after, true);
  builder_.enter(body);
  loop_body(stmt->getBody(), after, head);
  builder_.jump(head);
  builder_.enter(after);
  pop_scope();
  return ir::kNoRegister;
}

ir::Register FunctionLowering::VisitDoStmt(const DoStmt* stmt) {
  uint32_t body = builder_.new_block(), test = builder_.new_block(), after = builder_.new_block();
  builder_.jump(body);
  builder_.enter(body);
  loop_body(stmt->getBody(), after, test);
  builder_.jump(test);
  builder_.enter(test);
  // `do { ... } while (false)`, the wrapping of macros, is no loop.
  const auto* fixed = dyn_cast<CXXBoolLiteralExpr>(stmt->getCond()->IgnoreParenImpCasts());
  const auto* number = dyn_cast<IntegerLiteral>(stmt->getCond()->IgnoreParenImpCasts());
  if ((fixed && !fixed->getValue()) || (number && number->getValue() == 0))
    builder_.jump(after);
  else
    condition(nullptr, stmt->getCond(), body, after, true);
  builder_.enter(after);
  return ir::kNoRegister;
}

ir::Register FunctionLowering::VisitForStmt(const ForStmt* stmt) {
  push_scope();
  statement(stmt->getInit());
  uint32_t head = builder_.new_block(), body = builder_.new_block();
  uint32_t next = builder_.new_block(), after = builder_.new_block();
  builder_.jump(head);
  builder_.enter(head);
  condition(stmt->getConditionVariable(), stmt->getCond(), body, after, true);
  builder_.enter(body);
  loop_body(stmt->getBody(), after, next);
  builder_.jump(next);
  builder_.enter(next);
  statement(stmt->getInc());
  builder_.jump(head);
  builder_.enter(after);
  pop_scope();
  return ir::kNoRegister;
}

ir::Register FunctionLowering::VisitCXXForRangeStmt(const CXXForRangeStmt* stmt) {
  const Expr* range = stmt->getRangeInit();
  const VarDecl* element = stmt->getLoopVariable();
  if (!range || !element) {
    function_.is_partial = true;
    return ir::kNoRegister;
  }
  push_scope();
  statement(stmt->getInit());
  ir::Range where = unit_.range(range->getSourceRange());
  std::string all = builder_.new_slot("range", unit_.type(range->getType()), where);
  ir::Register content = lower(range);
  builder_.set_range(where);
  builder_.is_address(content) ? builder_.bind(all, content) : builder_.store(all, content);
  // Letters that the turns may replace are not followed.
  bool edits = element->getType()->isLValueReferenceType() &&
               !element->getType()->getPointeeType().isConstQualified();
  if (edits && types_.role(range->getType()) == ClassRole::kString) assign_to(range, unknown());
  QualType number = unit_.ast().IntTy;
  std::string turn = builder_.new_slot("turn", unit_.type(number), where);
  builder_.store(turn, built_in("loop.begin", {builder_.ref(all)}, number));
  uint32_t head = builder_.new_block(), body = builder_.new_block();
  uint32_t next = builder_.new_block(), after = builder_.new_block();
  builder_.jump(head);
  builder_.enter(head);
  builder_.set_range(where);
  ir::Register more =
      built_in("loop.more", {builder_.ref(all), builder_.load(turn)}, unit_.ast().BoolTy);
  builder_.branch(more, body, after, true);

  builder_.enter(body);
  push_scope();
  ir::Register each =
      built_in("loop.element", {builder_.ref(all), builder_.load(turn)}, element->getType());
  builder_.set_range(unit_.range(element->getSourceRange()));
  locate_at_name(*element);
  std::string slot = builder_.new_slot(element->getNameAsString(), unit_.type(element->getType()),
                                       unit_.range(element->getSourceRange()));
  slots_[element] = slot;
  if (element->getType()->isReferenceType() || element->getType()->isPointerType())
    builder_.bind(slot, each);
  else
    builder_.store(slot, builder_.copy(each));
  if (const auto* whole = dyn_cast<DecompositionDecl>(element)) declare_parts(*whole, slot);
  loop_body(stmt->getBody(), after, next);
  pop_scope();
  builder_.jump(next);
  builder_.enter(next);
  builder_.store(turn, built_in("loop.next", {builder_.load(turn)}, number));
  builder_.jump(head);
  builder_.enter(after);
  pop_scope();
  return ir::kNoRegister;
}

}  // namespace placecheck::frontend
