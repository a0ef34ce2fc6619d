// Exceptions: where a try block is left for its handlers. Any call may throw, and following each
// would take too many paths: handlers follow the reading of files, which fails as a matter of
// course, and else the end of their region, or its start where it has no end.
#include "analyzer/frontend/clang/function_lowering.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "llvm/ADT/StringSwitch.h"

namespace placecheck::frontend {

using namespace clang;

namespace {

bool reads_file(llvm::StringRef function) {
  return llvm::StringSwitch<bool>(function)
      .Cases({"torch::load", "torch::pickle_load", "torch::jit::load"}, true)
      .Case("torch::serialize::InputArchive::load_from", true)
      .Default(false);
}

// Whether a handler puts something in the place of what failed: it assigns, or returns a value
// other than the status of the program.
class Recovery : public ConstDynamicRecursiveASTVisitor {
 public:
  explicit Recovery(bool is_main) : is_main_(is_main) {}

  bool recovers() const { return puts_something_ && !throws_; }

  bool VisitBinaryOperator(const BinaryOperator* expr) override {
    puts_something_ |= expr->isAssignmentOp();
    return true;
  }
  bool VisitCXXOperatorCallExpr(const CXXOperatorCallExpr* expr) override {
    puts_something_ |= expr->isAssignmentOp();
    return true;
  }
  bool VisitReturnStmt(const ReturnStmt* stmt) override {
    puts_something_ |= !is_main_ && stmt->getRetValue();
    return true;
  }
  bool VisitCXXThrowExpr(const CXXThrowExpr*) override {
    throws_ = true;
    return true;
  }

 private:
  bool is_main_;
  bool puts_something_ = false;
  bool throws_ = false;
};

}  // namespace

void FunctionLowering::enter_region(const CXXTryStmt& stmt) {
  Region region{builder_.new_block(), scopes_.size(), false, false};
  for (unsigned i = 0; i < stmt.getNumHandlers(); ++i) {
    Recovery recovery(function_.is_entry);
    recovery.TraverseStmt(stmt.getHandler(i)->getHandlerBlock());
    region.recovers |= recovery.recovers();
  }
  regions_.push_back(region);
  builder_.set_caught(region.recovers);
}

FunctionLowering::Region FunctionLowering::leave_region() {
  const Region left = regions_.back();
  regions_.pop_back();
  builder_.set_caught(!regions_.empty() && regions_.back().recovers);
  return left;
}

ir::Register FunctionLowering::VisitCXXTryStmt(const CXXTryStmt* stmt) {
  uint32_t start = builder_.new_block(), first = builder_.new_block();
  builder_.jump(start);
  builder_.enter(start);
  builder_.jump(first);
  builder_.enter(first);
  enter_region(*stmt);
  statement(stmt->getTryBlock());
  const Region region = leave_region();
  uint32_t after = builder_.new_block();
  bool ends = !builder_.unreachable();
  if (ends && !region.may_fail) builder_.branch(unknown(), region.on_failure, after);
  builder_.jump(after);
  if (!ends && !region.may_fail) builder_.add_unknown_branch(start, region.on_failure);
  builder_.enter(region.on_failure);
  for (unsigned i = 0; i < stmt->getNumHandlers(); ++i) {
    uint32_t next = after;
    if (i + 1 < stmt->getNumHandlers()) {
      uint32_t handler = builder_.new_block();
      next = builder_.new_block();
      builder_.branch(unknown(), handler, next);
      builder_.enter(handler);
    }
    handle(*stmt->getHandler(i));
    builder_.jump(after);
    builder_.enter(next);
  }
  return ir::kNoRegister;
}

void FunctionLowering::handle(const CXXCatchStmt& handler) {
  push_scope();
  if (const VarDecl* caught = handler.getExceptionDecl()) {
    slots_[caught] = builder_.new_slot(caught->getNameAsString(), unit_.type(caught->getType()),
                                       unit_.range(caught->getSourceRange()));
    builder_.store(slots_[caught], unknown());
  }
  statement(handler.getHandlerBlock());
  pop_scope();
}

// Before a call: its file may be missing, and then nothing is done.
void FunctionLowering::may_fail(const FunctionDecl& callee) {
  if (regions_.empty() || !reads_file(unit_.name(callee))) return;
  uint32_t failed = builder_.new_block(), read = builder_.new_block();
  builder_.branch(unknown(), failed, read);
  builder_.enter(failed);
  fail();
  builder_.enter(read);
}

// Inside a try block with a handler, read() does what try_read() does: a missing entry is no error.
bool FunctionLowering::is_tried(std::string_view function) const {
  return !regions_.empty() && function == "torch::serialize::InputArchive::read";
}

// To the handlers in this function, of which one is taken to catch it, or out of it.
void FunctionLowering::fail() {
  if (builder_.terminated()) return;
  if (regions_.empty()) {
    exit_scopes(0);
    return builder_.raise();
  }
  exit_scopes(regions_.back().scopes);
  builder_.jump(regions_.back().on_failure);
  regions_.back().may_fail = true;
}

}  // namespace placecheck::frontend
