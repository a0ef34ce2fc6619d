// Statements: declarations, control flow, scopes.
#include <algorithm>

#include "analyzer/frontend/clang/function_lowering.h"

namespace placecheck::frontend {

using namespace clang;

namespace {

// A declaration of whose initializer the parser has dropped all, or what is within its parentheses.
bool lacks_initializer(const Stmt& stmt) {
  const auto* declaration = dyn_cast<DeclStmt>(&stmt);
  return declaration &&
         std::any_of(declaration->decl_begin(), declaration->decl_end(), [](const Decl* each) {
           const auto* variable = dyn_cast<VarDecl>(each);
           if (!variable) return false;
           const Expr* written = variable->getInit();
           const auto* made = dyn_cast_or_null<CXXConstructExpr>(written);
           bool needs_one = variable->isInvalidDecl() || variable->getType()->isRecordType();
           return made ? made->getNumArgs() == 0 : !written && needs_one;
         });
}

// A declaration whose type did not parse: Clang puts `int` in its place.
bool lacks_type(const VarDecl& variable) {
  return variable.isInvalidDecl() && variable.getType()->isSpecificBuiltinType(BuiltinType::Int);
}

const BinaryOperator* as_comma(const Expr* expr) {
  const auto* operation = dyn_cast<BinaryOperator>(strip(expr));
  return operation && operation->getOpcode() == BO_Comma ? operation : nullptr;
}

llvm::SmallVector<const Expr*> parts_of(const Expr* initializer) {
  auto listed = [](llvm::ArrayRef<Expr*> parts) {
    return llvm::SmallVector<const Expr*>(parts.begin(), parts.end());
  };
  if (const auto* list = dyn_cast<ParenListExpr>(initializer))
    return listed({const_cast<ParenListExpr*>(list)->getExprs(), list->getNumExprs()});
  if (const auto* list = dyn_cast<InitListExpr>(initializer)) return listed(list->inits());
  return {initializer};
}

}  // namespace

void FunctionLowering::statement(const Stmt* stmt) {
  if (!stmt) return;
  if (const auto* expr = dyn_cast<Expr>(stmt)) {
    const size_t before = temporaries_.size();
    discard(expr);
    return end_temporaries(before);
  }
  if (depth_ > kMaxDepth) {
    call_unknown({});
    function_.is_partial = true;
    return;
  }
  ++depth_;
  Visit(stmt);
  --depth_;
}

ir::Register FunctionLowering::VisitStmt(const Stmt* stmt) {
  for (const Stmt* child : stmt->children()) statement(child);
  return ir::kNoRegister;
}

void FunctionLowering::discard(const Expr* expr) {
  // From the left, without recursion over a long list.
  std::vector<const Expr*> rest;
  for (const BinaryOperator* comma = as_comma(expr); comma; comma = as_comma(expr)) {
    rest.push_back(comma->getRHS());
    expr = comma->getLHS();
  }
  discard_one(expr);
  for (const Expr* each : llvm::reverse(rest)) {
    if (as_comma(each)) {
      discard(each);
    } else {
      discard_one(each);
    }
  }
}

void FunctionLowering::discard_one(const Expr* expr) {
  const Expr* bare = strip(expr);
  ir::Register result = lower(expr);
  const auto* operation = dyn_cast<CXXOperatorCallExpr>(bare);
  if (operation && operation->isAssignmentOp()) return;
  if (isa<ExplicitCastExpr>(bare) && bare->getType()->isVoidType()) return;
  ir::Instruction* made = builder_.definition(result);
  // `CUDAGuard(1);` is a cast of 1.
  const auto* conversion = dyn_cast<CXXFunctionalCastExpr>(bare);
  const bool constructs = conversion && conversion->getCastKind() == CK_ConstructorConversion;
  if (!isa<CallExpr, CXXConstructExpr>(bare) && !constructs) return;
  // The range tells the call itself from one whose result it handed on.
  bool itself = made && made->opcode == ir::Opcode::kCall &&
                made->range == unit_.range(bare->getSourceRange());
  if (itself) made->call.discarded = true;
  if (itself && bare->isPRValue()) keep_temporary(bare->getType(), result);
}

ir::Register FunctionLowering::VisitCompoundStmt(const CompoundStmt* stmt) {
  push_scope();
  SourceLocation done = stmt->getLBracLoc();
  for (const Stmt* child : stmt->body()) {
    forget_dropped(done, child->getBeginLoc());
    const auto* expr = dyn_cast<Expr>(child);
    // The rest of a statement that did not parse may have used what this one makes.
    if (expr && unit_.has_error_between(done, child->getBeginLoc()))
      lower(expr);
    else
      statement(child);
    done = child->getEndLoc();
    if (lacks_initializer(*child))
      forget_dropped(child->getBeginLoc(), done, Dropped::kInitializer);
  }
  forget_dropped(done, stmt->getRBracLoc());
  bool has_braces = stmt->getLBracLoc() != stmt->getRBracLoc();
  if (has_braces && !unit_.is_written(stmt->getRBracLoc(), "}")) {
    function_.is_partial = true;  // the file ends here
    call_unknown({});
  }
  pop_scope();
  return ir::kNoRegister;
}

void FunctionLowering::pop_scope() {
  if (!builder_.terminated()) exit_scopes(scopes_.size() - 1);
  scopes_.pop_back();
}

// A discarded object of the project's own with a destructor, which runs when the full expression is
// at its end.
void FunctionLowering::keep_temporary(QualType type, ir::Register value) {
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  if (!record || !is_guard(type) || !unit_.in_project(*record)) return;
  temporaries_.push_back(builder_.new_slot("temporary", unit_.type(type), builder_.range()));
  builder_.store(temporaries_.back(), value);
}

// The last one goes first. What a path has not made is not there to be destroyed.
void FunctionLowering::end_temporaries(size_t before) {
  for (size_t i = temporaries_.size(); i > before && !builder_.terminated(); --i) {
    builder_.exit(temporaries_[i - 1]);
    builder_.store(temporaries_[i - 1], builder_.none());
  }
  temporaries_.resize(before);
}

void FunctionLowering::exit_scopes(size_t depth) {
  for (size_t i = scopes_.size(); i > depth; --i)
    for (auto slot = scopes_[i - 1].exits.rbegin(); slot != scopes_[i - 1].exits.rend(); ++slot)
      builder_.exit(*slot);
}

bool FunctionLowering::is_guard(QualType type) {
  if (type->isReferenceType()) return false;
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  // An optional guard ends with its optional.
  if (record && types_.role(*record) == ClassRole::kOptional) {
    const QualType content = element_of(*record);
    return !content.isNull() && is_guard(content);
  }
  // The elements of a container end with it; those that matter have a destructor of the project.
  if (record && types_.role(*record) == ClassRole::kContainer) {
    const QualType content = element_of(*record);
    const CXXRecordDecl* element = content.isNull() ? nullptr : content->getAsCXXRecordDecl();
    return element && unit_.in_project(*element) && is_guard(content) &&
           element->hasUserDeclaredDestructor();
  }
  if (!record || record->isLambda() || !record->hasDefinition()) return false;
  if (types_.kind(type) != ir::TypeKind::kRecord) return false;
  return !record->hasTrivialDestructor();
}

ir::Register FunctionLowering::VisitDeclStmt(const DeclStmt* stmt) {
  for (const Decl* decl : stmt->decls()) {
    if (decl->isInvalidDecl()) function_.is_partial = true;
    if (const auto* variable = dyn_cast<VarDecl>(decl)) declare(*variable);
    if (isa<CXXRecordDecl>(decl)) unit_.lower(*decl);
  }
  return ir::kNoRegister;
}

void FunctionLowering::declare(const VarDecl& variable) {
  const ir::Range whole = unit_.range(variable.getSourceRange());
  builder_.set_range(whole);
  if (variable.isStaticLocal()) return declare_static(variable);
  if (variable.hasExternalStorage()) return;
  ir::Type type = lacks_type(variable) ? ir::Type() : unit_.type(variable.getType());
  std::string slot = builder_.new_slot(variable.getNameAsString(), std::move(type), whole);
  initialize(variable, slot);
  builder_.set_range(whole);
  slots_[&variable] = slot;
  if (is_guard(variable.getType())) scopes_.back().exits.push_back(slot);
  if (const auto* whole = dyn_cast<DecompositionDecl>(&variable)) declare_parts(*whole, slot);
}

// The first call makes it.
void FunctionLowering::declare_static(const VarDecl& variable) {
  const std::string slot = unit_.global(variable);
  if (slot.empty() || !depends_on_call(variable)) return;
  const std::string guard = unit_.guard(variable);
  const uint32_t first = builder_.new_block(), after = builder_.new_block();
  builder_.branch(builder_.load(guard), after, first);
  builder_.enter(first);
  const ir::Register content = value_for(variable.getType(), variable.getInit());
  locate_at_name(variable);
  builder_.store(slot, content);
  builder_.store(guard, builder_.constant(true));
  builder_.jump(after);
  builder_.enter(after);
}

void FunctionLowering::initialize(const VarDecl& variable, const std::string& slot) {
  const Expr* expr = variable.getInit();
  auto store = [&](ir::Register content) {
    locate_at_name(variable);
    builder_.store(slot, content);
  };
  if (!expr && variable.isInvalidDecl()) return store(partly());
  if (lacks_type(variable)) return store(unresolved(nullptr, parts_of(expr)));
  if (!expr) {
    if (variable.getType()->getAsCXXRecordDecl() && !variable.isCXXForRangeDecl())
      store(construct(variable.getType(), {}, nullptr));
    if (types_.kind(variable.getType()) == ir::TypeKind::kContainer)
      store(array({}, variable.getType()));
    return;
  }
  if (variable.getType()->isReferenceType()) {
    ir::Register target = lower(expr);
    if (!builder_.is_address(target) && !expr->isLValue()) return store(target);
    locate_at_name(variable);
    return builder_.bind(slot, target);
  }
  ir::Register content = isa<ParenListExpr>(expr)
                             ? construct(variable.getType(), parts_of(expr), nullptr)
                             : value_for(variable.getType(), expr);
  locate_at_name(variable);
  set(slot, variable.getType(), content);
}

// What comes next stands where the variable's name is, not all of its declaration.
void FunctionLowering::locate_at_name(const VarDecl& variable) {
  const ir::Range name = unit_.range(variable.getLocation());
  if (name.valid()) builder_.set_range(name);
}

void FunctionLowering::declare_parts(const DecompositionDecl& whole, const std::string& slot) {
  int64_t position = 0;
  for (const BindingDecl* part : whole.bindings()) {
    ir::Range range = unit_.range(part->getSourceRange());
    std::string name =
        builder_.new_slot(part->getNameAsString(), unit_.type(part->getType()), range);
    slots_[part] = name;
    builder_.set_range(range);
    ir::Register object = builder_.ref(slot);
    const Expr* binding = part->getBinding();
    const auto* member = binding ? dyn_cast<MemberExpr>(binding->IgnoreParenImpCasts()) : nullptr;
    ir::Register address = member
                               ? builder_.field(object, member->getMemberDecl()->getNameAsString())
                               : builder_.index(object, builder_.constant(position));
    builder_.bind(name, address);
    ++position;
  }
}

void FunctionLowering::condition(const VarDecl* variable, const Expr* expr, uint32_t then,
                                 uint32_t otherwise, bool loop) {
  if (variable) declare(*variable);
  if (!expr) return builder_.jump(then);
  // Over a long chain of `&&` this recurses where lower() would.
  bool is_deep = ++depth_ > kMaxDepth;
  const auto* parts = dyn_cast<BinaryOperator>(expr->IgnoreParenImpCasts());
  if (parts && parts->isLogicalOp() && !loop && !is_deep) {
    bool both = parts->getOpcode() == BO_LAnd;
    uint32_t more = builder_.new_block();
    condition(nullptr, parts->getLHS(), both ? more : then, both ? otherwise : more, false);
    builder_.enter(more);
    condition(nullptr, parts->getRHS(), then, otherwise, false);
  } else {
    ir::Register result = peek(expr);
    builder_.branch(result, then, otherwise, loop);
  }
  --depth_;
}

ir::Register FunctionLowering::VisitIfStmt(const IfStmt* stmt) {
  push_scope();
  statement(stmt->getInit());
  if (stmt->isConstexpr() || stmt->isConsteval()) {
    if (auto taken = stmt->getNondiscardedCase(unit_.ast())) {
      statement(*taken);
      pop_scope();
      return ir::kNoRegister;
    }
  }
  uint32_t then = builder_.new_block(), after = builder_.new_block();
  uint32_t otherwise = stmt->getElse() ? builder_.new_block() : after;
  condition(stmt->getConditionVariable(), stmt->getCond(), then, otherwise, false);
  builder_.enter(then);
  statement(stmt->getThen());
  builder_.jump(after);
  if (stmt->getElse()) {
    builder_.enter(otherwise);
    statement(stmt->getElse());
    builder_.jump(after);
  }
  builder_.enter(after);
  pop_scope();
  return ir::kNoRegister;
}

ir::Register FunctionLowering::VisitSwitchStmt(const SwitchStmt* stmt) {
  push_scope();
  statement(stmt->getInit());
  if (stmt->getConditionVariable()) declare(*stmt->getConditionVariable());
  std::string subject = builder_.new_slot("switch", unit_.type(stmt->getCond()->getType()),
                                          unit_.range(stmt->getCond()->getSourceRange()));
  builder_.store(subject, value(stmt->getCond()));
  uint32_t after = builder_.new_block(), fallback = after;
  for (const SwitchCase* each = stmt->getSwitchCaseList(); each; each = each->getNextSwitchCase()) {
    uint32_t block = cases_[each] = builder_.new_block();
    const auto* with_value = dyn_cast<CaseStmt>(each);
    if (!with_value) {
      fallback = block;
      continue;
    }
    uint32_t next = builder_.new_block();
    ir::Register same = built_in("op.eq", {builder_.load(subject), value(with_value->getLHS())},
                                 unit_.ast().BoolTy);
    builder_.branch(with_value->getRHS() ? unknown() : same, block, next);
    builder_.enter(next);
  }
  builder_.jump(fallback);
  builder_.enter(builder_.new_block());
  targets_.push_back({Jump{after, scopes_.size()}, std::nullopt});
  statement(stmt->getBody());
  targets_.pop_back();
  builder_.jump(after);
  builder_.enter(after);
  pop_scope();
  return ir::kNoRegister;
}

ir::Register FunctionLowering::VisitSwitchCase(const SwitchCase* stmt) {
  auto found = cases_.find(stmt);
  if (found != cases_.end()) {
    uint32_t block = found->second;
    builder_.jump(block);
    builder_.enter(block);
  }
  statement(stmt->getSubStmt());
  return ir::kNoRegister;
}

void FunctionLowering::leave(bool is_break) {
  for (size_t i = targets_.size(); i > 0; --i) {
    const std::optional<Jump>& jump =
        is_break ? targets_[i - 1].on_break : targets_[i - 1].on_continue;
    if (!jump) continue;
    if (!builder_.terminated()) exit_scopes(jump->depth);
    return builder_.jump(jump->block);
  }
}

ir::Register FunctionLowering::VisitBreakStmt(const BreakStmt*) {
  leave(true);
  return ir::kNoRegister;
}

ir::Register FunctionLowering::VisitContinueStmt(const ContinueStmt*) {
  leave(false);
  return ir::kNoRegister;
}

ir::Register FunctionLowering::VisitReturnStmt(const ReturnStmt* stmt) {
  ir::Register result = ir::kNoRegister;
  if (const Expr* expr = stmt->getRetValue()) {
    bool by_reference = !result_.isNull() && result_->isReferenceType();
    result = by_reference ? lower(expr) : value_for(result_, expr);
    if (expr->getType()->isVoidType()) result = ir::kNoRegister;
  }
  builder_.set_range(unit_.range(stmt->getSourceRange()));
  if (!builder_.terminated()) exit_scopes(0);
  builder_.ret(result);
  return ir::kNoRegister;
}

uint32_t FunctionLowering::label(const Decl* decl) {
  auto [entry, is_new] = labels_.try_emplace(decl, 0);
  if (is_new) entry->second = builder_.new_block();
  return entry->second;
}

ir::Register FunctionLowering::VisitGotoStmt(const GotoStmt* stmt) {
  builder_.jump(label(stmt->getLabel()));
  return ir::kNoRegister;
}

ir::Register FunctionLowering::VisitLabelStmt(const LabelStmt* stmt) {
  uint32_t block = label(stmt->getDecl());
  builder_.jump(block);
  builder_.enter(block);
  statement(stmt->getSubStmt());
  return ir::kNoRegister;
}

}  // namespace placecheck::frontend
