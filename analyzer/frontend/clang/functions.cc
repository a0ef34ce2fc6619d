// Whole functions: parameters, captures, constructors.
#include "analyzer/frontend/clang/function_lowering.h"
#include "clang/AST/ASTLambda.h"

namespace placecheck::frontend {

using namespace clang;

FunctionLowering::FunctionLowering(UnitLowering& unit)
    : unit_(unit), types_(unit.types()), builder_(function_) {}

void FunctionLowering::begin(const std::string& key, const std::string& name, ir::FunctionKind kind,
                             SourceRange range) {
  function_.key = key;
  function_.name = name;
  function_.kind = kind;
  function_.range = unit_.range(range);
  builder_.set_range(function_.range);
  push_scope();
}

void FunctionLowering::finish() {
  pop_scope();
  // A return that did not parse is missing.
  bool has_result = function_.result.kind != ir::TypeKind::kVoid;
  if (function_.is_partial && has_result && !builder_.terminated())
    builder_.ret(call_unknown({}, function_.result));
  builder_.finish();
  unit_.add(std::move(function_));
}

void FunctionLowering::add_this(const CXXRecordDecl& record) {
  function_.class_key = types_.class_name(record);
  ir::Parameter parameter;
  parameter.type = unit_.type(record.getASTContext().getCanonicalTagType(&record));
  parameter.name = builder_.new_slot("this", parameter.type, {});
  parameter.by_reference = true;
  function_.parameters.push_back(std::move(parameter));
}

void FunctionLowering::add_parameter(const ParmVarDecl& decl) {
  ir::Parameter parameter;
  parameter.type = unit_.type(decl.getType());
  parameter.by_reference =
      decl.getType()->isReferenceType() || parameter.type.kind == ir::TypeKind::kPointer;
  const ir::Range whole = unit_.range(decl.getSourceRange());
  parameter.range = decl.getIdentifier() ? unit_.range(decl.getLocation()) : whole;
  parameter.name = builder_.new_slot(decl.getNameAsString(), parameter.type, whole);
  const bool is_known =
      decl.hasDefaultArg() && !decl.hasUnparsedDefaultArg() && !decl.hasUninstantiatedDefaultArg();
  // One that did not parse is missing.
  if (const Expr* given = is_known ? decl.getDefaultArg() : nullptr)
    parameter.default_function =
        unit_.add_initializer(function_.key + "#" + std::to_string(decl.getFunctionScopeIndex()),
                              decl.getNameAsString(), *given, decl.getType());
  slots_[&decl] = parameter.name;
  function_.parameters.push_back(std::move(parameter));
}

void FunctionLowering::lower_function(const FunctionDecl& decl, const std::string& key) {
  const auto* method = dyn_cast<CXXMethodDecl>(&decl);
  const auto* constructor = dyn_cast<CXXConstructorDecl>(&decl);
  ir::FunctionKind kind = constructor                      ? ir::FunctionKind::kConstructor
                          : method && method->isInstance() ? ir::FunctionKind::kMethod
                                                           : ir::FunctionKind::kFunction;
  begin(key, unit_.name(decl), kind, decl.getSourceRange());
  if (method && method->isInstance()) add_this(*method->getParent());
  for (const ParmVarDecl* parameter : decl.parameters()) add_parameter(*parameter);
  result_ = constructor ? unit_.ast().VoidTy : decl.getReturnType();
  function_.result = unit_.type(result_);
  function_.is_entry = decl.isMain();
  function_.is_exported = decl.isExternallyVisible();
  function_.is_partial = decl.isInvalidDecl();
  if (constructor) lower_constructor_start(*constructor);
  statement(decl.getBody());
  finish();
}

void FunctionLowering::lower_initializer(const std::string& key, const std::string& name,
                                         const Expr& expr, QualType type) {
  begin(key, name, ir::FunctionKind::kInitializer, expr.getSourceRange());
  result_ = type.getNonReferenceType();
  function_.result = unit_.type(type);
  ir::Register result = value_for(type, &expr);
  builder_.ret(result);
  finish();
}

void FunctionLowering::add_captures(const LambdaExpr& lambda) {
  auto initial = lambda.capture_init_begin();
  for (const LambdaCapture& capture : lambda.captures()) {
    const Expr* start = initial != lambda.capture_init_end() ? *initial++ : nullptr;
    ir::Parameter parameter;
    if (capture.capturesThis()) {
      if (start && start->getType()->isPointerType())
        parameter.type = unit_.type(start->getType()->getPointeeType());
      parameter.name = builder_.new_slot("this", parameter.type, {});
      parameter.by_reference = true;
    } else if (capture.capturesVariable()) {
      const ValueDecl* variable = capture.getCapturedVar();
      parameter.type = unit_.type(variable->getType());
      parameter.by_reference = capture.getCaptureKind() == LCK_ByRef;
      parameter.range = unit_.range(capture.getLocation());
      parameter.name =
          builder_.new_slot(variable->getNameAsString(), parameter.type, parameter.range);
      slots_[variable] = parameter.name;
    } else {
      continue;
    }
    function_.parameters.push_back(std::move(parameter));
    ++function_.captures;
  }
}

void FunctionLowering::lower_lambda(const LambdaExpr& lambda, const CXXMethodDecl& method,
                                    const std::string& key) {
  begin(key, "lambda", ir::FunctionKind::kLambda, lambda.getSourceRange());
  add_captures(lambda);
  for (const ParmVarDecl* parameter : method.parameters()) add_parameter(*parameter);
  result_ = method.getReturnType();
  function_.result = unit_.type(result_);
  function_.is_exported = false;
  statement(method.getBody());
  finish();
}

void FunctionLowering::lower_constructor_start(const CXXConstructorDecl& constructor) {
  // An initializer that did not parse is missing.
  if (const Stmt* body = constructor.getBody())
    forget_dropped(constructor.getLocation(), body->getBeginLoc());
  for (const CXXCtorInitializer* each : constructor.inits()) {
    if (each->isBaseInitializer()) {
      if (const CXXRecordDecl* base = each->getBaseClass()->getAsCXXRecordDecl())
        initialize_base(*base, each->getInit());
    } else if (each->isDelegatingInitializer()) {
      initialize_base(*constructor.getParent(), each->getInit());
    } else if (const FieldDecl* field = each->getAnyMember()) {
      initialize_field(*field, *each->getInit());
    }
  }
}

static const CXXConstructorDecl* written_default(const CXXRecordDecl& record) {
  const CXXRecordDecl* definition = record.getDefinition();
  if (!definition) return nullptr;
  for (const CXXConstructorDecl* each : definition->ctors())
    if (each->isDefaultConstructor() && !each->isImplicit() && !each->isDefaulted()) return each;
  return nullptr;
}

// Runs a constructor on an object that is there already.
void FunctionLowering::initialize_base(const CXXRecordDecl& base, const Expr* expr) {
  const auto* made = expr ? dyn_cast<CXXConstructExpr>(expr->IgnoreImplicit()) : nullptr;
  if (expr && !made) return;
  bool own = unit_.in_project(base);
  if (!own && (!made || made->getNumArgs() == 0)) return;
  if (expr) builder_.set_range(unit_.range(expr->getSourceRange()));
  const CXXConstructorDecl* constructor = made ? made->getConstructor() : written_default(base);
  bool synthesized = !constructor || constructor->isImplicit() || constructor->isDefaulted();
  ir::Call call;
  call.name = unit_.name(base) + "::" + base.getNameAsString();
  if (own && synthesized && !unit_.needs_default_constructor(base)) return;
  if (own) call.key = synthesized ? unit_.default_constructor_key(base) : unit_.key(*constructor);
  call.arguments.push_back({builder_.load("this"), {}, {}});
  call.type.kind = ir::TypeKind::kVoid;
  if (made && !synthesized) {
    std::vector<const Expr*> arguments(made->arguments().begin(), made->arguments().end());
    add_arguments(call, *constructor, arguments);
  }
  builder_.call(std::move(call));
}

void FunctionLowering::initialize_field(const FieldDecl& field, const Expr& expr) {
  if (!field.getDeclName()) return;  // an unnamed bit-field, where a class did not parse
  const Expr* written = &expr;
  if (const auto* from_class = dyn_cast<CXXDefaultInitExpr>(written))
    written = from_class->getExpr();
  builder_.set_range(unit_.range(written->getSourceRange()));
  ir::Register content = value_for(field.getType(), written);
  ir::Register address = builder_.field(this_object(), field.getNameAsString());
  builder_.assign(address, content);
}

void FunctionLowering::default_field(const FieldDecl& field) {
  if (const Expr* expr = field.getInClassInitializer()) return initialize_field(field, *expr);
  const CXXRecordDecl* record = field.getType()->getAsCXXRecordDecl();
  bool is_lost = field.hasInClassInitializer();  // it did not parse
  if ((!record && !is_lost) || !field.getDeclName()) return;
  builder_.set_range(unit_.range(field.getSourceRange()));
  ir::Register content = is_lost ? call_unknown({}, unit_.type(field.getType()))
                                 : construct(field.getType(), {}, nullptr);
  ir::Register address = builder_.field(builder_.load("this"), field.getNameAsString());
  builder_.assign(address, content);
}

void FunctionLowering::begin_constructor(const CXXRecordDecl& record, const std::string& key) {
  begin(key, unit_.name(record) + "::" + record.getNameAsString(), ir::FunctionKind::kConstructor,
        record.getLocation());
  add_this(record);
  result_ = unit_.ast().VoidTy;
  function_.result = unit_.type(result_);
}

void FunctionLowering::lower_default_constructor(const CXXRecordDecl& decl,
                                                 const std::string& key) {
  const CXXRecordDecl& record = *decl.getDefinition();
  begin_constructor(record, key);
  for (const CXXBaseSpecifier& base : record.bases())
    if (const CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl())
      initialize_base(*parent, nullptr);
  for (const FieldDecl* field : record.fields()) default_field(*field);
  finish();
}

void FunctionLowering::lower_inherited_constructor(const CXXRecordDecl& record,
                                                   const CXXConstructorDecl& constructor,
                                                   const std::string& key) {
  begin_constructor(record, key);
  ir::Call call;
  call.name = unit_.name(constructor);
  call.key = unit_.key(constructor);
  call.type = function_.result;
  call.arguments.push_back({builder_.load("this"), {}, {}});
  for (const ParmVarDecl* parameter : constructor.parameters()) {
    add_parameter(*parameter);
    call.arguments.push_back({builder_.ref(function_.parameters.back().name), {}, {}});
  }
  builder_.call(std::move(call));
  for (const FieldDecl* field : record.fields()) default_field(*field);
  finish();
}

}  // namespace placecheck::frontend
