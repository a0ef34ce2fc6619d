#include "analyzer/frontend/clang/kernel_uses.h"

#include <optional>
#include <utility>

#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

namespace placecheck::frontend {
namespace {

using namespace clang;

// Of functions that the kernel calls, and that those call.
constexpr int kMostCalls = 4;

const Expr* bare(const Expr* expr) { return expr->IgnoreParenCasts(); }

// The pointer of `p + i`.
const Expr* pointer_of(const Expr* expr) {
  expr = bare(expr);
  const auto* sum = dyn_cast<BinaryOperator>(expr);
  if (!sum || !sum->isAdditiveOp() || !sum->getType()->isPointerType()) return expr;
  return pointer_of(sum->getLHS()->getType()->isPointerType() ? sum->getLHS() : sum->getRHS());
}

class Followed : public ConstDynamicRecursiveASTVisitor {
 public:
  // `root`: the parameter, or null for the object of a method.
  Followed(const ValueDecl* root, int depth) : root_(root), depth_(depth) {}

  std::vector<FieldPath> take() { return std::move(found_); }

  bool VisitArraySubscriptExpr(const ArraySubscriptExpr* expr) override {
    if (!is_within(expr->getBase())) follow(expr->getBase());
    return true;
  }
  bool VisitUnaryOperator(const UnaryOperator* expr) override {
    if (expr->getOpcode() == UO_Deref) follow(expr->getSubExpr());
    return true;
  }
  bool VisitMemberExpr(const MemberExpr* expr) override {
    if (expr->isArrow()) follow(expr->getBase());
    return true;
  }
  // `float* row = view.values + i;`
  bool VisitVarDecl(const VarDecl* variable) override {
    const Expr* start = variable->getInit();
    if (!start) return true;
    const bool is_pointer = variable->getType()->isPointerType();
    if (auto path = is_pointer ? pointer_path(start) : path_of(start)) names_[variable] = *path;
    return true;
  }
  bool VisitCallExpr(const CallExpr* expr) override {
    const FunctionDecl* callee = expr->getDirectCallee();
    if (!callee || depth_ == 0) return true;
    const auto* method = dyn_cast<CXXMethodDecl>(callee);
    unsigned shift = isa<CXXOperatorCallExpr>(expr) && method ? 1 : 0;
    if (const auto* on_object = dyn_cast<CXXMemberCallExpr>(expr))
      enter(*callee, on_object->getImplicitObjectArgument(), std::nullopt);
    else if (shift != 0)
      enter(*callee, expr->getArg(0), std::nullopt);
    for (unsigned i = shift; i < expr->getNumArgs(); ++i)
      enter(*callee, expr->getArg(i), i - shift);
    return true;
  }

 private:
  // An array inside the record, whose elements are part of it.
  static bool is_within(const Expr* base) {
    const auto* cast = dyn_cast<ImplicitCastExpr>(base->IgnoreParens());
    return cast && cast->getCastKind() == CK_ArrayToPointerDecay;
  }

  std::optional<FieldPath> path_of(const Expr* expr) const {
    expr = bare(expr);
    if (const auto* copied = dyn_cast<CXXConstructExpr>(expr);
        copied && copied->getNumArgs() == 1 && copied->getConstructor()->isCopyOrMoveConstructor())
      return path_of(copied->getArg(0));
    if (const auto* named = dyn_cast<DeclRefExpr>(expr)) {
      if (root_ && named->getDecl() == root_) return FieldPath{};
      auto known = names_.find(named->getDecl());
      return known == names_.end() ? std::nullopt : std::optional<FieldPath>(known->second);
    }
    if (isa<CXXThisExpr>(expr)) return root_ ? std::nullopt : std::optional<FieldPath>(FieldPath{});
    if (const auto* member = dyn_cast<MemberExpr>(expr)) {
      bool through_pointer = member->isArrow() && !isa<CXXThisExpr>(bare(member->getBase()));
      if (through_pointer || !isa<FieldDecl>(member->getMemberDecl())) return std::nullopt;
      return extended(path_of(member->getBase()), member->getMemberDecl()->getNameAsString());
    }
    if (const auto* element = dyn_cast<ArraySubscriptExpr>(expr);
        element && is_within(element->getBase()))
      return extended(path_of(element->getBase()), "");
    return std::nullopt;
  }

  // None for the start of an array inside the record, which is no pointer that the record holds.
  std::optional<FieldPath> pointer_path(const Expr* expr) const {
    const Expr* pointer = pointer_of(expr);
    return pointer->getType()->isArrayType() ? std::nullopt : path_of(pointer);
  }

  static std::optional<FieldPath> extended(std::optional<FieldPath> path, std::string name) {
    if (path) path->push_back(std::move(name));
    return path;
  }

  void follow(const Expr* expr) {
    std::optional<FieldPath> path = pointer_path(expr);
    if (path && (itself_ || !path->empty())) add(*std::move(path));
  }

  void add(FieldPath path) {
    if (!llvm::is_contained(found_, path)) found_.push_back(std::move(path));
  }

  // What the callee follows of `argument`, its parameter `position` or its object.
  void enter(const FunctionDecl& callee, const Expr* argument, std::optional<unsigned> position) {
    const FunctionDecl* definition = nullptr;
    std::optional<FieldPath> start = pointer_path(argument);
    if (!start || !callee.isDefined(definition) || !definition->getBody()) return;
    if (position && *position >= definition->getNumParams()) return;
    const ValueDecl* root = position ? definition->getParamDecl(*position) : nullptr;
    if (root && root->getType()->isPointerType()) {
      if (follows(*definition, root)) add(*start);
      return;
    }
    Followed inner(root, depth_ - 1);
    inner.TraverseStmt(definition->getBody());
    for (const FieldPath& further : inner.take()) {
      FieldPath path = *start;
      path.insert(path.end(), further.begin(), further.end());
      add(std::move(path));
    }
  }

  bool follows(const FunctionDecl& function, const ValueDecl* pointer) const {
    Followed inner(pointer, depth_ - 1);
    inner.itself_ = true;
    inner.TraverseStmt(function.getBody());
    return !inner.found_.empty();
  }

  const ValueDecl* root_;
  int depth_;
  bool itself_ = false;                                // the root is a pointer, and counts
  llvm::DenseMap<const ValueDecl*, FieldPath> names_;  // of local variables
  std::vector<FieldPath> found_;
};

}  // namespace

std::vector<FieldPath> followed_pointers(const FunctionDecl& function, unsigned position) {
  const FunctionDecl* definition = nullptr;
  if (!function.isDefined(definition) || !definition->getBody()) return {};
  if (position >= definition->getNumParams()) return {};
  Followed followed(definition->getParamDecl(position), kMostCalls);
  followed.TraverseStmt(definition->getBody());
  return followed.take();
}

}  // namespace placecheck::frontend
