#include "analyzer/frontend/clang/unit_lowering.h"

#include <algorithm>
#include <tuple>

#include "analyzer/frontend/clang/function_lowering.h"
#include "analyzer/frontend/clang/names.h"
#include "analyzer/frontend/clang/shims.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"

namespace placecheck::frontend {

using namespace clang;

UnitLowering::UnitLowering(ASTContext& ast, std::string path,
                           std::function<bool(llvm::StringRef)> is_external)
    : ast_(ast),
      sources_(ast.getSourceManager()),
      is_external_(std::move(is_external)),
      types_([this](const Decl& decl) { return in_project(decl); }) {
  unit_.files.push_back(std::move(path));
  file_indexes_[sources_.getMainFileID()] = 0;
}

bool UnitLowering::in_project(SourceLocation location) {
  if (location.isInvalid()) return false;
  FileID file = sources_.getFileID(sources_.getExpansionLoc(location));
  if (file == sources_.getMainFileID()) return true;
  if (file.isInvalid()) return false;  // of a module that is being read
  auto [entry, is_new] = project_files_.try_emplace(file, false);
  if (!is_new) return entry->second;
  OptionalFileEntryRef found = sources_.getFileEntryRefForID(file);
  if (found && found->getName().starts_with(kFollowedShims))
    entry->second = true;
  else if (found && is_external_)
    entry->second = !is_external_(sources_.getFileManager().getCanonicalName(*found));
  return entry->second;
}

bool UnitLowering::in_project(const Decl& decl) {
  return !is_of_reference_runtime(decl) && in_project(home(decl));
}

uint32_t UnitLowering::file_index(FileID file) {
  auto [entry, is_new] = file_indexes_.try_emplace(file, 0);
  if (is_new) {
    entry->second = static_cast<uint32_t>(unit_.files.size());
    unit_.files.push_back(path_at(ast_, sources_.getLocForStartOfFile(file)));
  }
  return entry->second;
}

// A macro's argument is where it was written, anything else in a macro where that was used.
static SourceLocation end_in_file(const SourceManager& sources, SourceLocation location) {
  while (location.isMacroID()) {
    location = sources.isMacroArgExpansion(location)
                   ? sources.getImmediateSpellingLoc(location)
                   : sources.getImmediateExpansionRange(location).getEnd();
  }
  return location;
}

ir::Range UnitLowering::range(SourceRange range) {
  if (range.isInvalid()) return {};
  SourceLocation begin = sources_.getFileLoc(range.getBegin());
  SourceLocation end = end_in_file(sources_, range.getEnd());
  if (!in_project(begin)) {
    begin = sources_.getExpansionLoc(range.getBegin());
    end = sources_.getExpansionRange(range.getEnd()).getEnd();
  }
  if (!in_project(begin)) return {};
  auto [file, offset] = sources_.getDecomposedLoc(begin);
  auto [end_file, end_offset] = sources_.getDecomposedLoc(end);
  if (file != end_file || end_offset < offset) end = begin, end_offset = offset;
  end_offset += Lexer::MeasureTokenLength(end, sources_, ast_.getLangOpts());
  ir::Range result;
  result.file = file_index(file);
  std::tie(result.line, result.column) = position(file, offset);
  std::tie(result.end_line, result.end_column) = position(file, end_offset);
  return result;
}

// Clang walks back to the start of the line for each column, which on one long line adds up.
std::pair<uint32_t, uint32_t> UnitLowering::position(FileID file, unsigned offset) {
  std::vector<unsigned>& starts = line_starts_[file];
  if (starts.empty()) {
    llvm::StringRef text = sources_.getBufferData(file);
    starts.push_back(0);
    for (size_t i = 0; i < text.size(); ++i) {
      bool is_pair = text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
      if (is_pair) ++i;
      if (text[i] == '\n' || text[i] == '\r') starts.push_back(static_cast<unsigned>(i + 1));
    }
  }
  auto line = std::upper_bound(starts.begin(), starts.end(), offset);
  auto number = static_cast<uint32_t>(line - starts.begin());
  return {number, offset - *std::prev(line) + 1};
}

const std::string& UnitLowering::name(const NamedDecl& decl) {
  std::string& name = names_[&decl];
  if (name.empty()) name = qualified_name(decl);
  return name;
}

std::string UnitLowering::key(const FunctionDecl& decl) {
  if (decl.getTemplatedKind() == FunctionDecl::TK_FunctionTemplate || !in_project(decl)) return {};
  return function_key(decl);
}

namespace {

// Looks for a local variable, or an object, that an expression does not declare itself.
class UseOfLocal : public ConstDynamicRecursiveASTVisitor {
 public:
  bool VisitVarDecl(const VarDecl* variable) override {
    declared_.insert(variable);
    return true;
  }
  bool VisitDeclRefExpr(const DeclRefExpr* expr) override {
    const auto* variable = dyn_cast<VarDecl>(expr->getDecl());
    return !variable || !variable->hasLocalStorage() || declared_.contains(variable);
  }
  bool VisitCXXThisExpr(const CXXThisExpr*) override { return false; }

 private:
  llvm::DenseSet<const VarDecl*> declared_;
};

}  // namespace

bool depends_on_call(const VarDecl& variable) {
  const Expr* value = variable.getInit();
  const bool is_value = variable.isStaticLocal() && !variable.getType()->isReferenceType();
  return is_value && value && !value->isValueDependent() && !UseOfLocal().TraverseStmt(value);
}

std::string UnitLowering::global(const VarDecl& variable) {
  if (!in_project(variable)) return {};
  std::string key = variable_key(variable);
  std::string slot = "@" + key;
  if (!globals_.insert(slot).second) return slot;
  ir::Global global{
      slot, name(variable), type(variable.getType()), {}, range(variable.getSourceRange())};
  const VarDecl* definition = nullptr;
  if (const Expr* value = variable.getAnyInitializer(definition);
      value && !value->isValueDependent() && !depends_on_call(variable))
    global.initializer = add_initializer(key + "#value", global.name, *value, variable.getType());
  unit_.globals.push_back(std::move(global));
  return slot;
}

std::string UnitLowering::guard(const VarDecl& variable) {
  const std::string key = variable_key(variable) + "#guard";
  std::string slot = "@" + key;
  if (!globals_.insert(slot).second) return slot;
  const QualType is_made = ast_.BoolTy;
  ir::Global global{slot, name(variable), type(is_made), {}, range(variable.getSourceRange())};
  const auto* no = new (ast_) ImplicitValueInitExpr(is_made);
  global.initializer = add_initializer(key + "#value", global.name, *no, is_made);
  unit_.globals.push_back(std::move(global));
  return slot;
}

std::string UnitLowering::add_initializer(const std::string& key, const std::string& name,
                                          const Expr& value, QualType type) {
  if (claim(key)) {
    FunctionLowering lowering(*this);
    lowering.lower_initializer(key, name, value, type);
  }
  return key;
}

static std::set<std::string> words_of(llvm::StringRef text) {
  auto is_word = [](char c) { return llvm::isAlnum(c) || c == '_'; };
  std::set<std::string> words;
  while (!text.empty()) {
    llvm::StringRef word = text.take_while(is_word);
    if (!word.empty()) words.insert(word.str());
    text = text.drop_front(std::max<size_t>(word.size(), 1));
  }
  return words;
}

bool UnitLowering::has_error_between(SourceLocation begin, SourceLocation end) const {
  if (!errors_ || errors_->empty() || begin.isInvalid() || end.isInvalid()) return false;
  auto is_before = [&](SourceLocation a, SourceLocation b) {
    return sources_.isBeforeInTranslationUnit(a, b);
  };
  if (sorted_errors_.size() != errors_->size()) {
    sorted_errors_.clear();
    for (SourceLocation error : *errors_) sorted_errors_.push_back(sources_.getFileLoc(error));
    std::sort(sorted_errors_.begin(), sorted_errors_.end(), is_before);
  }
  auto first = std::upper_bound(sorted_errors_.begin(), sorted_errors_.end(),
                                sources_.getFileLoc(begin), is_before);
  return first != sorted_errors_.end() && is_before(*first, sources_.getFileLoc(end));
}

std::set<std::string> UnitLowering::names_dropped_between(SourceLocation begin,
                                                          SourceLocation end) {
  if (!has_error_between(begin, end)) return {};
  begin = sources_.getFileLoc(begin);
  end = sources_.getFileLoc(end);
  return words_of(Lexer::getSourceText(CharSourceRange::getCharRange(begin, end), sources_,
                                       ast_.getLangOpts()));
}

bool UnitLowering::is_written(SourceLocation location, llvm::StringRef token) const {
  if (location.isInvalid()) return true;
  // A token that starts a line of a macro begins, for Clang, with the escaped end of the line
  // before.
  llvm::SmallString<16> buffer;
  return Lexer::getSpelling(sources_.getSpellingLoc(location), buffer, sources_,
                            ast_.getLangOpts()) == token;
}

void UnitLowering::lower(const Decl& decl) {
  if (decl.isInvalidDecl() && !isa<FunctionDecl>(decl) && !isa<RecordDecl>(decl)) return;
  if (isa<FunctionTemplateDecl, ClassTemplateDecl, VarTemplateDecl>(decl)) {
    lower_template(decl);
  } else if (const auto* function = dyn_cast<FunctionDecl>(&decl)) {
    lower_function(*function);
  } else if (const auto* record = dyn_cast<CXXRecordDecl>(&decl)) {
    lower_record(*record);
  } else if (const auto* variable = dyn_cast<VarDecl>(&decl)) {
    if (!variable->getType()->isDependentType()) global(*variable);
  } else if (const auto* friendly = dyn_cast<FriendDecl>(&decl)) {
    if (const NamedDecl* befriended = friendly->getFriendDecl())
      if (isa<FunctionDecl, FunctionTemplateDecl>(befriended)) lower(*befriended);
  } else if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(decl)) {
    lower_context(*cast<DeclContext>(&decl));
  }
}

void UnitLowering::lower_context(const DeclContext& context) {
  for (const Decl* decl : context.decls()) lower(*decl);
}

void UnitLowering::lower_template(const Decl& decl) {
  if (const auto* function = dyn_cast<FunctionTemplateDecl>(&decl)) {
    for (const FunctionDecl* each : function->specializations()) lower_function(*each);
  } else if (const auto* record = dyn_cast<ClassTemplateDecl>(&decl)) {
    for (const ClassTemplateSpecializationDecl* each : record->specializations())
      lower_record(*each);
  } else if (const auto* variable = dyn_cast<VarTemplateDecl>(&decl)) {
    for (const VarTemplateSpecializationDecl* each : variable->specializations()) global(*each);
  }
}

static bool runs_on_device(const FunctionDecl& function) {
  bool device_only = function.hasAttr<CUDADeviceAttr>() && !function.hasAttr<CUDAHostAttr>();
  return function.hasAttr<CUDAGlobalAttr>() || device_only;
}

void UnitLowering::lower_function(const FunctionDecl& decl) {
  const FunctionDecl* definition = nullptr;
  if (!decl.isDefined(definition) || !definition->getBody()) return;
  const auto* constructor = dyn_cast<CXXConstructorDecl>(definition);
  // `Net::Net() = default;` outside the class is a body that other files cannot see.
  bool has_own_body = constructor && constructor->isDefaultConstructor() &&
                      constructor->getCanonicalDecl()->isUserProvided();
  if (definition->isDependentContext() || (definition->isDefaulted() && !has_own_body)) return;
  // Lambdas are lowered where they are written, the constructors of holders have no text.
  if (const auto* method = dyn_cast<CXXMethodDecl>(definition)) {
    if (method->getParent()->isLambda()) return;
    if (types_.role(*method->getParent()) == ClassRole::kHolder && isa<CXXConstructorDecl>(method))
      return;
  }
  if (!in_project(*definition) || runs_on_device(*definition)) return;
  std::string key = function_key(*definition);
  if (!claim(key)) return;
  FunctionLowering lowering(*this);
  lowering.lower_function(*definition, key);
}

void UnitLowering::lower_record(const CXXRecordDecl& decl) {
  const CXXRecordDecl* record = decl.getDefinition();
  if (!record || record->isDependentContext() || record->isLambda() ||
      record->isAnonymousStructOrUnion() || record->isInjectedClassName())
    return;
  if (!in_project(*record) || !claim("class " + class_key(*record))) return;
  lower_members(*record);
  if (types_.role(*record) == ClassRole::kHolder) return;
  ir::Class out;
  out.key = class_key(*record);
  out.name = name(*record);
  out.is_module = types_.is_module(*record);
  out.range = range(record->getSourceRange());
  for (const CXXBaseSpecifier& base : record->bases())
    if (const CXXRecordDecl* parent = base.getType()->getAsCXXRecordDecl())
      out.bases.push_back(
          {types_.is_module(*parent) ? ir::TypeKind::kModule : ir::TypeKind::kRecord,
           types_.class_name(*parent),
           {}});
  add_fields(*record, out);
  add_methods(*record, out);
  unit_.classes.push_back(std::move(out));
}

// What an unnamed struct or union holds belongs to the class around it.
void UnitLowering::add_fields(const CXXRecordDecl& record, ir::Class& out) {
  for (const FieldDecl* field : record.fields()) {
    const CXXRecordDecl* inner = field->getType()->getAsCXXRecordDecl();
    if (field->getDeclName()) {
      out.fields.push_back(
          {field->getNameAsString(), type(field->getType()), range(field->getLocation())});
    } else if (inner && inner->isAnonymousStructOrUnion()) {
      add_fields(*inner, out);
    }
  }
}

void UnitLowering::lower_members(const CXXRecordDecl& record) {
  for (const Decl* member : record.decls()) {
    if (const auto* variable = dyn_cast<VarDecl>(member)) {
      if (variable->isThisDeclarationADefinition()) global(*variable);
    } else if (!isa<FieldDecl>(member)) {
      if (!member->isImplicit() || !isa<CXXRecordDecl>(member)) lower(*member);
    }
  }
}

void UnitLowering::add_methods(const CXXRecordDecl& record, ir::Class& out) {
  for (const Decl* member : record.decls()) {
    if (const auto* method = dyn_cast<CXXMethodDecl>(member)) {
      add_method(*method, out);
    } else if (const auto* generic = dyn_cast<FunctionTemplateDecl>(member)) {
      for (const FunctionDecl* each : generic->specializations())
        if (const auto* method = dyn_cast<CXXMethodDecl>(each)) add_method(*method, out);
    }
  }
  for (const Decl* member : record.decls())
    if (const auto* shadow = dyn_cast<ConstructorUsingShadowDecl>(member))
      add_inherited(*shadow, record, out);
  if (!needs_default_constructor(record)) return;
  std::string key = default_constructor_key(record);
  FunctionLowering lowering(*this);
  if (claim(key)) lowering.lower_default_constructor(record, key);
  out.methods.push_back({record.getNameAsString(), key, 0, 0, true});
}

void UnitLowering::add_method(const CXXMethodDecl& method, ir::Class& out) {
  if (method.isImplicit() || method.isDeleted() || method.isDefaulted()) return;
  if (isa<CXXDestructorDecl>(method)) return;
  const auto* constructor = dyn_cast<CXXConstructorDecl>(&method);
  if (constructor && constructor->isCopyOrMoveConstructor()) return;
  std::string name = constructor ? method.getParent()->getNameAsString() : method.getNameAsString();
  out.methods.push_back({std::move(name), function_key(method), method.getNumParams(),
                         method.getMinRequiredArguments(), constructor != nullptr});
}

void UnitLowering::add_inherited(const ConstructorUsingShadowDecl& shadow,
                                 const CXXRecordDecl& record, ir::Class& out) {
  const auto* constructor = dyn_cast<CXXConstructorDecl>(shadow.getTargetDecl());
  if (!constructor || constructor->isImplicit() || constructor->isDefaultConstructor() ||
      constructor->isCopyOrMoveConstructor() || !in_project(*constructor))
    return;
  std::string key = class_key(record) + "#from " + function_key(*constructor);
  FunctionLowering lowering(*this);
  if (claim(key)) lowering.lower_inherited_constructor(record, *constructor, key);
  out.methods.push_back({record.getNameAsString(), key, constructor->getNumParams(),
                         constructor->getMinRequiredArguments(), true});
}

std::string UnitLowering::default_constructor_key(const CXXRecordDecl& record) {
  return class_key(record) + "#default";
}

bool UnitLowering::needs_default_constructor(const CXXRecordDecl& decl) {
  const CXXRecordDecl* record = decl.getDefinition();
  if (!record || record->isUnion() || !in_project(*record)) return false;
  for (const CXXConstructorDecl* each : record->ctors())
    if (each->isDefaultConstructor() && !each->isImplicit() && !each->isDefaulted()) return false;
  if (record->hasUserDeclaredConstructor()) {
    bool defaulted = false;
    for (const CXXConstructorDecl* each : record->ctors())
      defaulted |= each->isDefaultConstructor() && each->isDefaulted() && !each->isDeleted();
    if (!defaulted) return false;
  }
  return true;
}

}  // namespace placecheck::frontend
