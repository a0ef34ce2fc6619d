// Code that Clang could not give types: what hangs on a name that did not parse. Its calls keep
// their names, and the analysis decides by the values that arrive what they mean.
#include "analyzer/frontend/clang/function_lowering.h"
#include "analyzer/frontend/clang/library_calls.h"
#include "clang/Lex/Lexer.h"

namespace placecheck::frontend {

using namespace clang;

namespace {

// Not const in Clang, though it only reads.
llvm::ArrayRef<Expr*> recovered_parts(const RecoveryExpr& expr) {
  return const_cast<RecoveryExpr&>(expr).subExpressions();
}

// The one function that `arguments` can mean; null if several could be meant.
const FunctionDecl* only_candidate(const OverloadExpr& overloads, unsigned arguments) {
  const FunctionDecl* found = nullptr;
  for (const NamedDecl* each : overloads.decls()) {
    const auto* function = dyn_cast<FunctionDecl>(each->getUnderlyingDecl());
    if (!function) return nullptr;
    if (arguments < function->getMinRequiredArguments() ||
        (arguments > function->getNumParams() && !function->isVariadic()))
      continue;
    if (found) return nullptr;
    found = function;
  }
  return found;
}

const NamedDecl* any_candidate(const OverloadExpr& overloads) {
  return overloads.decls_begin() == overloads.decls_end()
             ? nullptr
             : (*overloads.decls_begin())->getUnderlyingDecl();
}

const FunctionDecl* named_function(const Expr* callee) {
  const ValueDecl* named = nullptr;
  if (const auto* reference = dyn_cast<DeclRefExpr>(callee)) named = reference->getDecl();
  if (const auto* member = dyn_cast<MemberExpr>(callee)) named = member->getMemberDecl();
  return dyn_cast_or_null<FunctionDecl>(named);
}

bool takes(const NamedDecl& callee, size_t arguments) {
  const FunctionDecl* function = callee.getUnderlyingDecl()->getAsFunction();
  return function && function->getMinRequiredArguments() <= arguments;
}

// How many arguments a call has whose text, from the end of its callee on, is `text`.
size_t count_arguments(llvm::StringRef text) {
  size_t commas = 0;
  int depth = 0;
  bool is_quoted = false;
  bool is_empty = true;
  for (char c : text.drop_while([](char each) { return each != '('; })) {
    if (c == '"') is_quoted = !is_quoted;
    if (is_quoted) continue;
    if (c == ')' || c == ']' || c == '}') --depth;
    if (depth == 0 && c == ')') break;
    if (depth > 0 && !llvm::isSpace(c)) is_empty = false;
    commas += depth == 1 && c == ',';
    if (c == '(' || c == '[' || c == '{') ++depth;
  }
  return is_empty ? 0 : commas + 1;
}

// The object whose method an unfinished call names; null if there is none.
const Expr* receiver_in(const Expr* callee) {
  if (const auto* member = dyn_cast<MemberExpr>(callee)) return member->getBase();
  const auto* overloads = dyn_cast<UnresolvedMemberExpr>(callee);
  return overloads && !overloads->isImplicitAccess() ? overloads->getBase() : nullptr;
}

// The function of a call that fits none of its overloads, or whose receiver fits none of its bases.
// Where arguments are missing, nothing is known of the call.
const Expr* callee_of(llvm::ArrayRef<Expr*> parts) {
  const Expr* first = parts.empty() ? nullptr : parts[0]->IgnoreParenImpCasts();
  if (!first) return nullptr;
  const auto* overloads = dyn_cast<OverloadExpr>(first);
  const FunctionDecl* function = named_function(first);
  auto takes_rest = [&](const NamedDecl* each) { return takes(*each, parts.size() - 1); };
  bool fits =
      overloads ? llvm::any_of(overloads->decls(), takes_rest) : function && takes_rest(function);
  return fits ? first : nullptr;
}

}  // namespace

ir::Register FunctionLowering::untyped_value(const Expr* expr) {
  const auto* list = dyn_cast<InitListExpr>(expr);
  if (!list || !list->getType()->isVoidType()) return value(expr);
  return aggregate("list", {list->getInits(), list->getNumInits()}, unit_.ast().DependentTy);
}

ir::Register FunctionLowering::value_for(QualType type, const Expr* expr) {
  ir::Register content = value(expr);
  if (!expr->containsErrors() || type.isNull()) return content;
  // A call of no known function, of which so much is known.
  ir::Instruction* made = builder_.definition(content);
  bool is_unknown_call = made && made->call.kind == ir::CallKind::kIndirect;
  if (is_unknown_call && made->call.type == ir::Type()) made->call.type = unit_.type(type);
  ir::TypeKind kind = types_.kind(type);
  bool may_be_any =
      !is_unknown_call && (kind == ir::TypeKind::kDevice || kind == ir::TypeKind::kBool);
  return may_be_any ? call_unknown({}, unit_.type(type)) : content;
}

template <class Member>
ir::Argument FunctionLowering::receiver_of(const Member& member) {
  ir::Register object = member.isImplicitAccess() ? this_object() : receiver(member.getBase());
  return {object, {}, unit_.range(member.getSourceRange())};
}

// A method of whatever arrives, by its name alone.
ir::Register FunctionLowering::untyped_method(std::string name, ir::Argument object,
                                              llvm::ArrayRef<const Expr*> arguments) {
  function_.is_partial = true;
  ir::Call call;
  call.kind = ir::CallKind::kMethod;
  call.name = std::move(name);
  call.arguments.push_back(std::move(object));
  for (const Expr* each : arguments)
    call.arguments.push_back(as_argument(each, untyped_value(each)));
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::untyped_function(const OverloadExpr& callee,
                                                llvm::ArrayRef<const Expr*> arguments) {
  function_.is_partial = true;
  const NamedDecl* named = any_candidate(callee);
  const FunctionDecl* function = only_candidate(callee, arguments.size());
  if (!named || (!function && unit_.in_project(*named))) return unresolved(&callee, arguments);
  ir::Call call;
  call.name = unit_.name(*named);
  // What is made keeps what it is given.
  if (function_meaning(call.name) == FunctionMeaning::kMake) return unresolved(&callee, arguments);
  if (const auto* member = dyn_cast<UnresolvedMemberExpr>(&callee)) {
    call.kind = ir::CallKind::kMethod;
    call.arguments.push_back(receiver_of(*member));
  }
  if (function) call.key = unit_.key(*function);
  for (unsigned i = 0; i < arguments.size(); ++i) {
    const Expr* each = arguments[i];
    bool typed = function && i < function->getNumParams();
    call.arguments.push_back(typed ? argument(each, function->getParamDecl(i)->getType())
                                   : as_argument(each, untyped_value(each)));
  }
  if (function) call.type = unit_.type(function->getReturnType());
  return builder_.call(std::move(call));
}

ir::Register FunctionLowering::untyped_call(const Expr* callee,
                                            llvm::ArrayRef<const Expr*> arguments) {
  if (const auto* overloads = dyn_cast<OverloadExpr>(callee))
    return untyped_function(*overloads, arguments);
  if (const auto* member = dyn_cast<CXXDependentScopeMemberExpr>(callee))
    return untyped_method(member->getMember().getAsString(), receiver_of(*member), arguments);
  if (const FunctionDecl* function = named_function(callee)) {
    function_.is_partial = true;
    const auto* member = dyn_cast<MemberExpr>(callee);
    const auto* method = dyn_cast<CXXMethodDecl>(function);
    if (member && method && !method->isStatic())
      return method_call(*method, member->getBase(), arguments, method->getReturnType(),
                         member->hasQualifier());
    ir::Call call;
    call.name = unit_.name(*function);
    call.key = unit_.key(*function);
    add_arguments(call, *function, arguments);
    return emit_call(std::move(call), *function);
  }
  if (const auto* recovered = dyn_cast<RecoveryExpr>(callee)) {
    // A method that its object does not have, among others.
    llvm::ArrayRef<Expr*> parts = recovered_parts(*recovered);
    llvm::SmallVector<const Expr*> given(parts.begin(), parts.end());
    given.append(arguments.begin(), arguments.end());
    return unresolved(callee, given);
  }
  if (callee->hasPlaceholderType()) return unresolved(callee, arguments);
  return untyped_method("operator()", as_argument(callee, receiver(callee)), arguments);
}

// Runs code of which nothing is known.
ir::Register FunctionLowering::call_unknown(std::vector<ir::Argument> given, ir::Type type) {
  ir::Call call;
  call.kind = ir::CallKind::kIndirect;
  call.arguments = std::move(given);
  call.arguments.insert(call.arguments.begin(), ir::Argument{unknown(), {}, {}});
  call.type = std::move(type);
  return builder_.call(std::move(call));
}

// Nothing is known of the function: whatever it is given may be another afterwards.
ir::Register FunctionLowering::unresolved(const Expr* callee,
                                          llvm::ArrayRef<const Expr*> arguments) {
  function_.is_partial = true;
  std::vector<ir::Argument> given;
  if (const auto* member = dyn_cast_or_null<UnresolvedMemberExpr>(callee))
    given.push_back(receiver_of(*member));
  for (const Expr* each : arguments) given.push_back(as_argument(each, lower(each)));
  return call_unknown(std::move(given));
}

ir::Register FunctionLowering::untyped_operator(const CXXOperatorCallExpr& expr) {
  OverloadedOperatorKind kind = expr.getOperator();
  llvm::ArrayRef<const Expr*> arguments(expr.getArgs(), expr.getNumArgs());
  switch (kind) {
    case OO_Equal:
      return assignment(arguments[0], arguments[1]);
    case OO_Arrow:
      return peek(arguments[0]);
    case OO_Star:
      if (arguments.size() == 1) return peek(arguments[0]);
      break;
    case OO_LessLess:
    case OO_GreaterGreater:
      for (const Expr* each : arguments) lower(each);
      return unknown();
    default:
      break;
  }
  std::string name = std::string("operator") + getOperatorSpelling(kind);
  return untyped_method(std::move(name), as_argument(arguments[0], receiver(arguments[0])),
                        arguments.drop_front());
}

ir::Register FunctionLowering::VisitCXXDependentScopeMemberExpr(
    const CXXDependentScopeMemberExpr* expr) {
  function_.is_partial = true;
  return builder_.field(receiver_of(*expr).value, expr->getMember().getAsString());
}

ir::Register FunctionLowering::VisitCXXUnresolvedConstructExpr(
    const CXXUnresolvedConstructExpr* expr) {
  function_.is_partial = true;
  QualType type = expr->getTypeAsWritten();
  llvm::SmallVector<const Expr*> arguments(expr->arg_begin(), expr->arg_end());
  if (!type->isDependentType()) return construct(type, arguments, nullptr);
  for (const Expr* each : arguments) lower(each);
  return unknown();
}

// Clang has no words for the use of a variable whose own declaration has an error: its name is
// left.
const std::string* FunctionLowering::slot_of_recovered(const RecoveryExpr& expr) {
  if (!recovered_parts(expr).empty()) return nullptr;
  if (expr.getBeginLoc() != expr.getEndLoc()) return nullptr;
  llvm::StringRef name =
      Lexer::getSourceText(CharSourceRange::getTokenRange(expr.getSourceRange()),
                           unit_.ast().getSourceManager(), unit_.ast().getLangOpts());
  const Decl* last = nullptr;
  for (const auto& [decl, slot] : slots_) {
    const auto* variable = dyn_cast<VarDecl>(decl);
    bool fits = variable && variable->isInvalidDecl() && variable->getDeclName().isIdentifier() &&
                variable->getName() == name;
    const SourceManager& sources = unit_.ast().getSourceManager();
    if (fits &&
        (!last || sources.isBeforeInTranslationUnit(last->getLocation(), variable->getLocation())))
      last = variable;
  }
  return last ? &slots_.find(last)->second : nullptr;
}

// A field whose own declaration has an error: it has the value that was put there, whatever it is.
std::string FunctionLowering::field_of_recovered(const RecoveryExpr& expr) {
  llvm::ArrayRef<Expr*> parts = recovered_parts(expr);
  if (parts.size() != 1 || parts[0]->getBeginLoc() != expr.getBeginLoc()) return {};
  const SourceManager& sources = unit_.ast().getSourceManager();
  const LangOptions& language = unit_.ast().getLangOpts();
  SourceLocation end = Lexer::getLocForEndOfToken(parts[0]->getEndLoc(), 0, sources, language);
  llvm::StringRef text = Lexer::getSourceText(CharSourceRange::getTokenRange(end, expr.getEndLoc()),
                                              sources, language);
  if (!text.consume_front(".") && !text.consume_front("->")) return {};
  bool is_name = llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  return is_name ? text.str() : "";
}

ir::Register FunctionLowering::VisitRecoveryExpr(const RecoveryExpr* expr) {
  function_.is_partial = true;
  if (const std::string* slot = slot_of_recovered(*expr)) return builder_.ref(*slot);
  llvm::ArrayRef<Expr*> parts = recovered_parts(*expr);
  if (std::string field = field_of_recovered(*expr); !field.empty())
    return builder_.field(receiver(parts[0]), std::move(field));
  if (const Expr* callee = callee_of(parts); callee && has_all_arguments(*expr))
    return untyped_call(callee, {parts.begin() + 1, parts.end()});
  if (parts.size() == 1 && parts[0]->getSourceRange() == expr->getSourceRange())
    return lower(parts[0]);
  // A call may change whatever it is given, another expression nothing but modules that it keeps.
  bool is_call = unit_.is_written(expr->getEndLoc(), ")");
  std::vector<ir::Argument> given;
  for (const Expr* part : parts) {
    const Expr* bare = part->IgnoreParenImpCasts();
    if (const auto* member = dyn_cast<UnresolvedMemberExpr>(bare);
        member && member->isImplicitAccess() && is_call) {
      given.push_back(receiver_of(*member));
      continue;
    }
    const Expr* object = receiver_in(bare);
    if (!object) object = part;
    ir::Register lowered = lower(object);
    if (is_call || types_.kind(object->getType()) == ir::TypeKind::kModule)
      given.push_back(as_argument(object, lowered));
  }
  return is_call || !given.empty() ? call_unknown(std::move(given)) : unknown();
}

// Clang leaves out the arguments that mean nothing to it.
bool FunctionLowering::has_all_arguments(const RecoveryExpr& expr) {
  llvm::ArrayRef<Expr*> parts = recovered_parts(expr);
  llvm::StringRef text =
      Lexer::getSourceText(CharSourceRange::getTokenRange(parts[0]->getEndLoc(), expr.getEndLoc()),
                           unit_.ast().getSourceManager(), unit_.ast().getLangOpts());
  return !text.empty() && count_arguments(text) == parts.size() - 1;
}

// The parser drops a statement whose head means nothing to it, a loop with its body: whatever it
// names may have been changed. What a variable of no type is made of may keep or move modules.
void FunctionLowering::forget_dropped(SourceLocation begin, SourceLocation end, Dropped dropped) {
  std::set<std::string> names = unit_.names_dropped_between(begin, end);
  if (names.empty()) return;
  function_.is_partial = true;
  builder_.set_range(unit_.range(SourceRange(begin)));
  std::vector<ir::Argument> given;
  bool has_this = false;
  bool only_modules = dropped == Dropped::kInitializer;
  std::set<std::string> touched;
  for (const auto& [decl, slot] : slots_) {
    const auto* named = dyn_cast<ValueDecl>(decl);
    bool counts =
        named && (!only_modules || types_.kind(named->getType()) == ir::TypeKind::kModule);
    if (counts && names.count(named->getNameAsString())) touched.insert(slot);
  }
  for (const ir::Parameter& each : function_.parameters)
    has_this |= each.name == "this" && !only_modules;
  for (const std::string& slot : touched) given.push_back({builder_.ref(slot), {}, {}});
  if (has_this) given.push_back({builder_.load("this"), {}, {}});
  call_unknown(std::move(given));
  if (names.count("return")) may_return();
}

void FunctionLowering::may_return() {
  uint32_t leave = builder_.new_block(), next = builder_.new_block();
  builder_.branch(unknown(), leave, next);
  builder_.enter(leave);
  exit_scopes(0);
  bool has_result = function_.result.kind != ir::TypeKind::kVoid;
  builder_.ret(has_result ? call_unknown({}, function_.result) : ir::kNoRegister);
  builder_.enter(next);
}

// `Type name(arguments)` where an argument has no type.
ir::Register FunctionLowering::VisitParenListExpr(const ParenListExpr* expr) {
  ir::Register last = ir::kNoRegister;
  for (unsigned i = 0; i < expr->getNumExprs(); ++i) last = value(expr->getExpr(i));
  return expr->getNumExprs() == 1 ? last : partly();
}

}  // namespace placecheck::frontend
