// The body of one function -> blocks and instructions.
//
// A visitor over statements and expressions. An expression yields a register: of an address where
// the expression names a place (a variable, a member, an element), of a value otherwise; value()
// always reads. Its member functions live in statements.cc, expressions.cc, operators.cc, calls.cc,
// launches.cc, construction.cc and functions.cc. One object lowers one function, on one thread.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/frontend/clang/unit_lowering.h"
#include "analyzer/ir/builder.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtVisitor.h"

namespace placecheck::frontend {

// Deeper nesting than any person writes; what lies below becomes unknown.
inline constexpr unsigned kMaxDepth = 5000;

class FunctionLowering : public clang::ConstStmtVisitor<FunctionLowering, ir::Register> {
 public:
  explicit FunctionLowering(UnitLowering& unit);

  // Each lowers and adds the function to the unit.
  void lower_function(const clang::FunctionDecl& decl, const std::string& key);
  void lower_default_constructor(const clang::CXXRecordDecl& record, const std::string& key);
  // Of a constructor that `record` takes over from its base.
  void lower_inherited_constructor(const clang::CXXRecordDecl& record,
                                   const clang::CXXConstructorDecl& constructor,
                                   const std::string& key);
  void lower_initializer(const std::string& key, const std::string& name, const clang::Expr& value,
                         clang::QualType type);
  void lower_lambda(const clang::LambdaExpr& lambda, const clang::CXXMethodDecl& method,
                    const std::string& key);

  // Statements.
  ir::Register VisitStmt(const clang::Stmt* stmt);
  ir::Register VisitCompoundStmt(const clang::CompoundStmt* stmt);
  ir::Register VisitDeclStmt(const clang::DeclStmt* stmt);
  ir::Register VisitIfStmt(const clang::IfStmt* stmt);
  ir::Register VisitWhileStmt(const clang::WhileStmt* stmt);
  ir::Register VisitDoStmt(const clang::DoStmt* stmt);
  ir::Register VisitForStmt(const clang::ForStmt* stmt);
  ir::Register VisitCXXForRangeStmt(const clang::CXXForRangeStmt* stmt);
  ir::Register VisitSwitchStmt(const clang::SwitchStmt* stmt);
  ir::Register VisitSwitchCase(const clang::SwitchCase* stmt);
  ir::Register VisitBreakStmt(const clang::BreakStmt* stmt);
  ir::Register VisitContinueStmt(const clang::ContinueStmt* stmt);
  ir::Register VisitReturnStmt(const clang::ReturnStmt* stmt);
  ir::Register VisitGotoStmt(const clang::GotoStmt* stmt);
  ir::Register VisitLabelStmt(const clang::LabelStmt* stmt);
  ir::Register VisitCXXTryStmt(const clang::CXXTryStmt* stmt);

  // Expressions.
  ir::Register VisitExpr(const clang::Expr* expr);
  ir::Register VisitRecoveryExpr(const clang::RecoveryExpr* expr);
  ir::Register VisitParenExpr(const clang::ParenExpr* e) { return lower(e->getSubExpr()); }
  ir::Register VisitFullExpr(const clang::FullExpr* expr);
  ir::Register VisitMaterializeTemporaryExpr(const clang::MaterializeTemporaryExpr* e) {
    return lower(e->getSubExpr());
  }
  ir::Register VisitCXXBindTemporaryExpr(const clang::CXXBindTemporaryExpr* e) {
    return lower(e->getSubExpr());
  }
  ir::Register VisitSubstNonTypeTemplateParmExpr(const clang::SubstNonTypeTemplateParmExpr* e) {
    return lower(e->getReplacement());
  }
  ir::Register VisitCXXDefaultArgExpr(const clang::CXXDefaultArgExpr* e) {
    return lower(e->getExpr());
  }
  ir::Register VisitCXXDefaultInitExpr(const clang::CXXDefaultInitExpr* e) {
    return lower(e->getExpr());
  }
  ir::Register VisitOpaqueValueExpr(const clang::OpaqueValueExpr* e) {
    return e->getSourceExpr() ? lower(e->getSourceExpr()) : unknown();
  }
  ir::Register VisitCXXRewrittenBinaryOperator(const clang::CXXRewrittenBinaryOperator* e) {
    return lower(e->getSemanticForm());
  }
  ir::Register VisitCXXStdInitializerListExpr(const clang::CXXStdInitializerListExpr* e) {
    return lower(e->getSubExpr());
  }
  ir::Register VisitGNUNullExpr(const clang::GNUNullExpr*) { return builder_.none(); }
  ir::Register VisitCXXNullPtrLiteralExpr(const clang::CXXNullPtrLiteralExpr*) {
    return builder_.none();
  }
  ir::Register VisitIntegerLiteral(const clang::IntegerLiteral* expr);
  ir::Register VisitFloatingLiteral(const clang::FloatingLiteral* expr);
  ir::Register VisitCXXBoolLiteralExpr(const clang::CXXBoolLiteralExpr* expr);
  ir::Register VisitCharacterLiteral(const clang::CharacterLiteral* expr);
  ir::Register VisitStringLiteral(const clang::StringLiteral* expr);
  ir::Register VisitPredefinedExpr(const clang::PredefinedExpr* expr);
  ir::Register VisitUnaryExprOrTypeTraitExpr(const clang::UnaryExprOrTypeTraitExpr* expr);
  ir::Register VisitDeclRefExpr(const clang::DeclRefExpr* expr);
  ir::Register VisitMemberExpr(const clang::MemberExpr* expr);
  ir::Register VisitArraySubscriptExpr(const clang::ArraySubscriptExpr* expr);
  ir::Register VisitCastExpr(const clang::CastExpr* expr);
  ir::Register VisitUnaryOperator(const clang::UnaryOperator* expr);
  ir::Register VisitBinaryOperator(const clang::BinaryOperator* expr);
  ir::Register VisitAbstractConditionalOperator(const clang::AbstractConditionalOperator* expr);
  ir::Register VisitCXXThisExpr(const clang::CXXThisExpr* expr);
  ir::Register VisitCXXThrowExpr(const clang::CXXThrowExpr* expr);
  ir::Register VisitLambdaExpr(const clang::LambdaExpr* expr);
  ir::Register VisitStmtExpr(const clang::StmtExpr* expr);

  // Calls.
  ir::Register VisitCallExpr(const clang::CallExpr* expr);
  ir::Register VisitCUDAKernelCallExpr(const clang::CUDAKernelCallExpr* expr);
  ir::Register VisitCXXOperatorCallExpr(const clang::CXXOperatorCallExpr* expr);
  ir::Register VisitCXXMemberCallExpr(const clang::CXXMemberCallExpr* expr);

  // Code without types.
  ir::Register VisitCXXDependentScopeMemberExpr(const clang::CXXDependentScopeMemberExpr* expr);
  ir::Register VisitCXXUnresolvedConstructExpr(const clang::CXXUnresolvedConstructExpr* expr);
  ir::Register VisitParenListExpr(const clang::ParenListExpr* expr);

  // Construction.
  ir::Register VisitCXXConstructExpr(const clang::CXXConstructExpr* expr);
  ir::Register VisitCXXNewExpr(const clang::CXXNewExpr* expr);
  ir::Register VisitCXXDeleteExpr(const clang::CXXDeleteExpr* expr);
  ir::Register VisitInitListExpr(const clang::InitListExpr* expr);
  ir::Register VisitCXXParenListInitExpr(const clang::CXXParenListInitExpr* expr);
  ir::Register VisitCXXScalarValueInitExpr(const clang::CXXScalarValueInitExpr* expr);
  ir::Register VisitImplicitValueInitExpr(const clang::ImplicitValueInitExpr* expr);
  ir::Register VisitCXXInheritedCtorInitExpr(const clang::CXXInheritedCtorInitExpr* expr);

 private:
  class Located;  // sets the builder's range while an expression is lowered
  struct Jump {
    uint32_t block;
    size_t depth;  // of scopes_
  };
  struct Scope {
    std::vector<std::string> exits;  // slots of guards, in the order of their declarations
  };
  struct Target {
    std::optional<Jump> on_break, on_continue;
  };
  // A try block.
  struct Region {
    uint32_t on_failure;  // the block that leads to its handlers
    size_t scopes;        // that are open around it
    bool may_fail;        // at a known place within
    bool recovers;        // a handler makes good what failed
  };

  // functions.cc
  void begin(const std::string& key, const std::string& name, ir::FunctionKind kind,
             clang::SourceRange range);
  void finish();
  void add_this(const clang::CXXRecordDecl& record);
  void add_parameter(const clang::ParmVarDecl& parameter);
  void add_captures(const clang::LambdaExpr& lambda);
  void lower_constructor_start(const clang::CXXConstructorDecl& constructor);
  void initialize_base(const clang::CXXRecordDecl& base, const clang::Expr* value);
  void initialize_field(const clang::FieldDecl& field, const clang::Expr& value);
  void begin_constructor(const clang::CXXRecordDecl& record, const std::string& key);
  void default_field(const clang::FieldDecl& field);

  // statements.cc
  void statement(const clang::Stmt* stmt);
  void discard(const clang::Expr* expr);
  void discard_one(const clang::Expr* expr);
  void declare(const clang::VarDecl& variable);
  void declare_static(const clang::VarDecl& variable);
  void declare_parts(const clang::DecompositionDecl& whole, const std::string& slot);
  void initialize(const clang::VarDecl& variable, const std::string& slot);
  void locate_at_name(const clang::VarDecl& variable);
  void condition(const clang::VarDecl* variable, const clang::Expr* expr, uint32_t then,
                 uint32_t otherwise, bool loop);
  void loop_body(const clang::Stmt* body, uint32_t on_break, uint32_t on_continue);
  void exit_scopes(size_t depth);
  void push_scope() { scopes_.emplace_back(); }
  void pop_scope();
  void keep_temporary(clang::QualType type, ir::Register value);
  void end_temporaries(size_t before);
  void leave(bool is_break);
  bool is_guard(clang::QualType type);
  uint32_t label(const clang::Decl* decl);

  // exceptions.cc
  void enter_region(const clang::CXXTryStmt& stmt);
  Region leave_region();
  void handle(const clang::CXXCatchStmt& handler);
  void may_fail(const clang::FunctionDecl& callee);
  bool is_tried(std::string_view function) const;
  void fail();

  // expressions.cc
  ir::Register lower(const clang::Expr* expr);
  ir::Register value(const clang::Expr* expr);
  // A value that may go on being shared: what the callee or operator only reads.
  ir::Register peek(const clang::Expr* expr);
  ir::Register unknown() { return builder_.unknown(); }
  // Of the function, or of the object whose members are being given their defaults.
  ir::Register this_object();
  ir::Register partly() {
    function_.is_partial = true;
    return unknown();
  }
  std::optional<ir::Literal> literal_of(const clang::VarDecl& variable);
  ir::Literal literal_of(const clang::EnumConstantDecl& constant);
  ir::Register variable(const clang::VarDecl& variable);
  ir::Register function_value(const clang::FunctionDecl& function);
  void set(const std::string& slot, clang::QualType type, ir::Register value);
  void assign_to(const clang::Expr* target, ir::Register value);
  ir::Register assignment(const clang::Expr* left, const clang::Expr* right);
  ir::Register logical(const clang::BinaryOperator& expr);
  ir::Register cast(ir::Register given, clang::QualType type);
  ir::Register built_in(std::string name, std::vector<ir::Register> operands, clang::QualType type);
  ir::Register step(const clang::UnaryOperator& expr);
  ir::Register dereference(const clang::Expr& pointer);
  // The slot of a local variable that `expr` names.
  const std::string* slot_of(const clang::Expr* expr);
  bool is_aggregate(clang::QualType type);
  std::optional<ir::Register> letter(const clang::Expr* expr);

  // calls.cc
  ir::Argument argument(const clang::Expr* expr, clang::QualType parameter);
  ir::Argument as_argument(const clang::Expr* expr, ir::Register value);
  ir::Register property_or_value(const clang::Expr* expr);
  void add_arguments(ir::Call& call, const clang::FunctionDecl& callee,
                     llvm::ArrayRef<const clang::Expr*> arguments);
  ir::Register receiver(const clang::Expr* object);
  ir::Register emit_call(ir::Call call, const clang::FunctionDecl& callee);
  ir::Register kept(const clang::Expr* expr);
  // launches.cc
  void add_configured_stream(ir::Call& call, const clang::Expr* config);
  void add_kernel_arguments(ir::Call& call, const clang::FunctionDecl* kernel,
                            llvm::ArrayRef<const clang::Expr*> arguments);
  void add_record(ir::Call& call, const clang::Expr* record, const clang::FunctionDecl* kernel,
                  unsigned position);
  std::optional<ir::Register> launch_call(const clang::CallExpr& expr,
                                          const clang::FunctionDecl& callee);
  ir::Register device_variable(const clang::VarDecl& variable);
  ir::Register shadow_of(const clang::VarDecl& variable);
  ir::Register indirect(const clang::CallExpr& expr);
  std::optional<ir::Register> special_function(const clang::CallExpr& expr,
                                               const clang::FunctionDecl& callee);
  std::optional<ir::Register> special_method(const clang::CXXMethodDecl& method,
                                             const clang::Expr* object,
                                             llvm::ArrayRef<const clang::Expr*> arguments);
  std::optional<ir::Register> emplace(const clang::CXXMethodDecl& method, const clang::Expr* object,
                                      llvm::ArrayRef<const clang::Expr*> arguments);
  std::optional<ir::Register> special_operator(const clang::CXXOperatorCallExpr& expr,
                                               const clang::FunctionDecl& callee);
  ir::Register method_call(const clang::CXXMethodDecl& method, const clang::Expr* object,
                           llvm::ArrayRef<const clang::Expr*> arguments, clang::QualType type,
                           bool exact = false);
  ir::Register assign_operator(const clang::CXXOperatorCallExpr& expr,
                               const clang::CXXMethodDecl& method);
  const clang::CallExpr* tied_variables(const clang::Expr* expr);
  void assign_tuple(const clang::CallExpr& targets, ir::Register tuple, clang::QualType type);

  // callbacks.cc
  ir::Register call_back(const clang::CallExpr& expr);
  std::optional<ir::Register> apply_function(const clang::CallExpr& expr);

  // untyped.cc
  // The value of what something of `type` is made of, which may have errors.
  ir::Register value_for(clang::QualType type, const clang::Expr* expr);
  ir::Register untyped_value(const clang::Expr* expr);
  template <class Member>
  ir::Argument receiver_of(const Member& member);
  ir::Register untyped_call(const clang::Expr* callee,
                            llvm::ArrayRef<const clang::Expr*> arguments);
  ir::Register untyped_function(const clang::OverloadExpr& callee,
                                llvm::ArrayRef<const clang::Expr*> arguments);
  ir::Register call_unknown(std::vector<ir::Argument> given, ir::Type type = {});
  ir::Register unresolved(const clang::Expr* callee, llvm::ArrayRef<const clang::Expr*> arguments);
  ir::Register untyped_method(std::string name, ir::Argument object,
                              llvm::ArrayRef<const clang::Expr*> arguments);
  ir::Register untyped_operator(const clang::CXXOperatorCallExpr& expr);
  bool has_all_arguments(const clang::RecoveryExpr& expr);
  const std::string* slot_of_recovered(const clang::RecoveryExpr& expr);
  std::string field_of_recovered(const clang::RecoveryExpr& expr);
  enum class Dropped { kStatements, kInitializer };
  void forget_dropped(clang::SourceLocation begin, clang::SourceLocation end,
                      Dropped dropped = Dropped::kStatements);
  // The function may end here, for all that is known.
  void may_return();

  // construction.cc
  ir::Register construct(clang::QualType type, llvm::ArrayRef<const clang::Expr*> arguments,
                         const clang::CXXConstructorDecl* constructor);
  ir::Register named_device(const clang::Expr& text);
  ir::Register construct_class(const clang::CXXRecordDecl& record,
                               llvm::ArrayRef<const clang::Expr*> arguments,
                               const clang::CXXConstructorDecl* constructor);
  ir::Register construct_made(const clang::CXXRecordDecl& record,
                              llvm::ArrayRef<const clang::Expr*> arguments);
  ir::Register construct_holder(const clang::CXXRecordDecl& holder,
                                llvm::ArrayRef<const clang::Expr*> arguments);
  const clang::InitListExpr* entries_of_map(llvm::ArrayRef<const clang::Expr*> given,
                                            clang::QualType type);
  ir::Register aggregate(const char* name, llvm::ArrayRef<const clang::Expr*> elements,
                         clang::QualType type);
  bool is_array(clang::QualType type);
  clang::QualType element_of(const clang::CXXRecordDecl& container);
  void add_element(ir::Call& call, clang::QualType element);
  ir::Register array(llvm::ArrayRef<const clang::Expr*> elements, clang::QualType type);
  ir::Register new_array(const clang::CXXNewExpr& expr);
  clang::QualType number_behind(clang::QualType pointer);
  ir::Register numbers(llvm::ArrayRef<const clang::Expr*> given, clang::QualType made,
                       clang::QualType pointer);
  ir::Register record_list(const clang::CXXRecordDecl& record,
                           llvm::ArrayRef<const clang::Expr*> elements);
  ir::Register empty_value(clang::QualType type);
  std::string add_lambda(const clang::LambdaExpr& lambda);

  UnitLowering& unit_;
  TypeMapper& types_;
  ir::Function function_;
  ir::Builder builder_;
  std::vector<Scope> scopes_;
  std::vector<Target> targets_;
  std::vector<std::string> temporaries_;  // slots of those of the full expressions at hand
  std::vector<Region> regions_;
  llvm::DenseMap<const clang::Decl*, std::string> slots_;
  llvm::DenseMap<const clang::Decl*, uint32_t> labels_;
  llvm::DenseMap<const clang::Stmt*, uint32_t> cases_;
  clang::QualType result_;
  std::vector<std::string> made_;  // slots of objects in the making, the innermost last
  unsigned depth_ = 0;             // of nested expressions and statements
};

// Through what changes neither the object nor its place: parentheses, temporaries, casts that do
// nothing.
const clang::Expr* strip(const clang::Expr* expr);

class FunctionLowering::Located {
 public:
  Located(FunctionLowering& owner, const clang::Expr* expr)
      : owner_(owner), before_(owner.builder_.range()) {
    ++owner_.depth_;
    ir::Range range = owner_.unit_.range(expr->getSourceRange());
    if (range.valid()) owner_.builder_.set_range(range);
  }
  ~Located() {
    --owner_.depth_;
    owner_.builder_.set_range(before_);
  }

 private:
  FunctionLowering& owner_;
  ir::Range before_;
};

// Declared __device__, __constant__ or __managed__.
bool is_on_device(const clang::VarDecl& variable);
// The variable of a device, out of the host's reach, that `expr` names; null if it is none.
const clang::VarDecl* device_variable_of(const clang::Expr& expr);

}  // namespace placecheck::frontend
