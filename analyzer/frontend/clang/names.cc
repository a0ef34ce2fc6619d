#include "analyzer/frontend/clang/names.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Index/USRGeneration.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

namespace placecheck::frontend {
namespace {

using namespace clang;

constexpr llvm::StringLiteral kReferenceRuntime = "placecheck::runtime::";

std::string own_name(const NamedDecl& decl) {
  if (isa<CXXConstructorDecl>(decl)) return own_name(*cast<CXXConstructorDecl>(decl).getParent());
  if (const auto* record = dyn_cast<CXXRecordDecl>(&decl); record && record->isLambda())
    return "(lambda)";
  if (const auto* tag = dyn_cast<TagDecl>(&decl); tag && !tag->getIdentifier()) {
    const TypedefNameDecl* alias = tag->getTypedefNameForAnonDecl();
    return alias ? alias->getNameAsString() : "(unnamed)";
  }
  return decl.getNameAsString();
}

bool is_silent(const DeclContext& context) {
  const auto* space = dyn_cast<NamespaceDecl>(&context);
  return space && (space->isInline() || space->isAnonymousNamespace());
}

void append_scope(const DeclContext* context, std::string& out) {
  if (!context || context->isTranslationUnit()) return;
  append_scope(context->getParent(), out);
  const auto* named = dyn_cast<NamedDecl>(context);
  if (!named || is_silent(*context)) return;
  out += own_name(*named);
  out += "::";
}

// The first declaration that is written in the text, for what was made from a template.
const Decl* pattern(const Decl& decl) {
  if (const auto* function = dyn_cast<FunctionDecl>(&decl)) {
    if (const FunctionDecl* from = function->getTemplateInstantiationPattern(false))
      return from->getCanonicalDecl();
  } else if (const auto* record = dyn_cast<CXXRecordDecl>(&decl)) {
    if (const CXXRecordDecl* from = record->getTemplateInstantiationPattern()) return from;
  } else if (const auto* variable = dyn_cast<VarDecl>(&decl)) {
    if (const VarDecl* from = variable->getTemplateInstantiationPattern()) return from;
  }
  return &decl;
}

std::string usr(const Decl& decl) {
  llvm::SmallString<128> buffer;
  if (index::generateUSRForDecl(&decl, buffer)) return {};
  return std::string(buffer);
}

std::string place(const Decl& decl, const ASTContext& ast) {
  const SourceManager& sources = ast.getSourceManager();
  SourceLocation location = sources.getFileLoc(pattern(decl)->getLocation());
  return std::to_string(sources.getSpellingLineNumber(location)) + ":" +
         std::to_string(sources.getSpellingColumnNumber(location));
}

// The lambda class that `decl` belongs to: a USR does not tell two of them apart.
const CXXRecordDecl* lambda_of(const Decl& decl) {
  const auto* method = dyn_cast<CXXMethodDecl>(&decl);
  return method && method->getParent()->isLambda() ? method->getParent() : nullptr;
}

// A type like pair<T, T>, with T such a pair in turn, has a name that doubles with each level.
constexpr unsigned kMaxNameParts = 300;

// Counts one part of a name; false if there are none left.
bool count(unsigned& parts) { return parts != 0 && parts-- != 0; }

// Whether the names of the arguments have more than `parts` parts, which are counted down.
bool is_endless(llvm::ArrayRef<TemplateArgument> arguments, unsigned& parts);

bool is_endless(QualType type, unsigned& parts) {
  for (;;) {
    const Type* element = type->getArrayElementTypeNoTypeQual();
    QualType inner = element ? QualType(element, 0) : type->getPointeeType();
    if (inner.isNull()) break;
    if (!count(parts)) return true;
    type = inner;
  }
  if (const auto* function = type->getAs<FunctionProtoType>()) {
    for (QualType parameter : function->param_types())
      if (!count(parts) || is_endless(parameter, parts)) return true;
    return !count(parts) || is_endless(function->getReturnType(), parts);
  }
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const auto* special = dyn_cast_or_null<ClassTemplateSpecializationDecl>(record);
  return special && is_endless(special->getTemplateArgs().asArray(), parts);
}

bool is_endless(llvm::ArrayRef<TemplateArgument> arguments, unsigned& parts) {
  for (const TemplateArgument& each : arguments) {
    if (!count(parts)) return true;
    bool is_pack = each.getKind() == TemplateArgument::Pack;
    if (is_pack && is_endless(each.pack_elements(), parts)) return true;
    if (each.getKind() == TemplateArgument::Type && is_endless(each.getAsType(), parts))
      return true;
  }
  return false;
}

bool is_endless(llvm::ArrayRef<TemplateArgument> arguments) {
  unsigned parts = kMaxNameParts;
  return is_endless(arguments, parts);
}

// Stands for a name that is too long; a USR writes each type within it once.
std::string short_text(llvm::StringRef usr) {
  return "<#" + llvm::utohexstr(llvm::xxh3_64bits(usr), /*LowerCase=*/true) + ">";
}

std::string type_text(QualType type, ASTContext& ast) {
  unsigned parts = kMaxNameParts;
  QualType canonical = type.getCanonicalType();
  if (!is_endless(canonical, parts)) return canonical.getAsString();
  llvm::SmallString<128> buffer;
  return index::generateUSRForType(canonical, ast, buffer) ? "" : short_text(buffer);
}

std::string signature(const FunctionDecl& decl, ASTContext& ast) {
  std::string text;
  for (const ParmVarDecl* parameter : decl.parameters())
    text += type_text(parameter->getType(), ast) + ",";
  return text;
}

bool is_well_known(llvm::StringRef name) {
  return name.starts_with("std::") || name.starts_with("torch::") || name.starts_with("at::") ||
         name.starts_with("c10::");
}

void append_each_home(llvm::ArrayRef<TemplateArgument> arguments, std::string& out) {
  for (const TemplateArgument& each : arguments) {
    if (each.getKind() == TemplateArgument::Pack) append_each_home(each.pack_elements(), out);
    if (each.getKind() != TemplateArgument::Type) continue;
    QualType type = each.getAsType().getNonReferenceType();
    if (type->isPointerType()) type = type->getPointeeType();
    const CXXRecordDecl* record = type->getAsCXXRecordDecl();
    if (!record) continue;
    if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(record))
      append_each_home(special->getTemplateArgs().asArray(), out);
    if (!is_well_known(qualified_name(*record)))
      out += "|" + path_at(record->getASTContext(), home(*record));
  }
}

// Two programs may fill one template with classes of the same name: says where those are from.
void append_homes(llvm::ArrayRef<TemplateArgument> arguments, std::string& out) {
  if (!is_endless(arguments)) append_each_home(arguments, out);
}

void append_homes(const FunctionDecl& function, std::string& out) {
  if (const TemplateArgumentList* list = function.getTemplateSpecializationArgs())
    append_homes(list->asArray(), out);
  if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(function.getDeclContext()))
    append_homes(special->getTemplateArgs().asArray(), out);
}

SourceLocation home(const Decl& decl, const ASTContext& ast) {
  return ast.getSourceManager().getExpansionLoc(pattern(*decl.getCanonicalDecl())->getLocation());
}

const FunctionDecl* function_around(const DeclContext* context) {
  for (; context; context = context->getParent())
    if (const auto* function = dyn_cast<FunctionDecl>(context)) return function;
  return nullptr;
}

std::string in_function(const DeclContext* context) {
  const FunctionDecl* function = function_around(context);
  return function ? function_key(*function) : std::string();
}

std::string named_function_key(const FunctionDecl& first, ASTContext& ast) {
  std::string key = usr(first);
  if (key.empty())
    key = qualified_name(first) + ":" + place(first, ast) + "(" + signature(first, ast) + ")";
  append_homes(first, key);
  return key + "@" + path_at(ast, home(first, ast));
}

// Its place, and the function around. Of the lambdas between them, one that was made from a
// template tells two of its inner lambdas apart by its parameters. The length of a key does not
// grow with the depth of the others.
std::string lambda_key(const FunctionDecl& first, const CXXRecordDecl& lambda, ASTContext& ast) {
  std::string key = "lambda:" + place(lambda, ast) + "(" + signature(first, ast) + ")";
  const std::string path = "@" + path_at(ast, home(first, ast));
  const FunctionDecl* around = function_around(lambda.getDeclContext());
  for (; around && lambda_of(*around);
       around = function_around(lambda_of(*around)->getDeclContext()))
    if (around->isTemplateInstantiation()) key += "(" + signature(*around, ast) + ")";
  if (around) key += named_function_key(*cast<FunctionDecl>(around->getCanonicalDecl()), ast);
  return key + path;
}

// The reference runtime has libtorch's names, and its meaning, in a namespace of its own.
std::string name_in_libtorch(llvm::StringRef name) {
  const auto is_or_is_in = [&](llvm::StringRef scope) {
    return name == scope ||
           (name.starts_with(scope) && name.substr(scope.size()).starts_with("::"));
  };
  if (is_or_is_in("Tensor")) return "at::" + name.str();
  if (is_or_is_in("Device") || is_or_is_in("DeviceType") || is_or_is_in("TensorOptions"))
    return "c10::" + name.str();
  if (is_or_is_in("nn::DataParallelImpl")) {
    const bool is_constructor = name.ends_with("::DataParallelImpl");
    name.consume_front("nn::DataParallelImpl");
    return std::string("placecheck::parallel::DataParallel") +
           (is_constructor ? "::DataParallel" : name.str());
  }
  const bool is_parallel = is_or_is_in("nn::DataParallel") || name.starts_with("nn::DeviceId");
  if (is_parallel && name.consume_front("nn::")) return "placecheck::parallel::" + name.str();
  // libtorch has this function in torch::nn::functional only.
  if (name == "cross_entropy") return "torch::nn::functional::cross_entropy";
  return "torch::" + name.str();
}

// Newer versions of libtorch keep what needs no library in torch::headeronly, and alias it: the
// accessors as those of `at`, the rest as c10's. It has one name for every version.
std::string common_name(std::string name) {
  llvm::StringRef rest = name;
  if (rest.consume_front(kReferenceRuntime)) return name_in_libtorch(rest);
  if (!rest.consume_front("torch::headeronly::")) return name;
  const bool is_accessor = rest.consume_front("detail::");
  return (is_accessor ? "at::" : "c10::") + rest.str();
}

}  // namespace

std::string qualified_name(const NamedDecl& decl) {
  std::string name;
  append_scope(decl.getDeclContext(), name);
  return common_name(name + own_name(decl));
}

bool is_of_reference_runtime(const Decl& decl) {
  const DeclContext* outermost = nullptr;
  const DeclContext* inside = nullptr;
  for (const DeclContext* each = decl.getDeclContext(); each && !each->isTranslationUnit();
       each = each->getParent()) {
    inside = outermost;
    outermost = each;
  }
  const auto has_name = [](const DeclContext* context, llvm::StringRef name) {
    const auto* space = dyn_cast_or_null<NamespaceDecl>(context);
    return space && space->getName() == name;
  };
  return has_name(outermost, "placecheck") &&
         (has_name(inside, "runtime") || has_name(inside, "core"));
}

SourceLocation home(const Decl& decl) { return home(decl, decl.getASTContext()); }

std::string path_at(const ASTContext& ast, SourceLocation location) {
  const SourceManager& sources = ast.getSourceManager();
  FileID file = sources.getFileID(sources.getExpansionLoc(location));
  OptionalFileEntryRef entry = sources.getFileEntryRefForID(file);
  if (!entry) return {};
  // A file that came with a precompiled header was never opened, and knows no other real path.
  return sources.getFileManager().getCanonicalName(*entry).str();
}

std::string function_key(const FunctionDecl& decl) {
  const auto& first = *cast<FunctionDecl>(decl.getCanonicalDecl());
  ASTContext& ast = decl.getASTContext();  // asking for it climbs to the root
  const CXXRecordDecl* lambda = lambda_of(first);
  return lambda ? lambda_key(first, *lambda, ast) : named_function_key(first, ast);
}

std::string class_key(const CXXRecordDecl& decl) {
  const CXXRecordDecl* definition = decl.getDefinition();
  const CXXRecordDecl& record = definition ? *definition : decl;
  const ASTContext& ast = record.getASTContext();
  std::string key = qualified_name(record);
  if (!record.getIdentifier() || record.isLocalClass()) key += ":" + place(record, ast);
  if (const auto* special = dyn_cast<ClassTemplateSpecializationDecl>(&record)) {
    if (is_endless(special->getTemplateArgs().asArray())) {
      key += short_text(usr(record));
    } else {
      llvm::raw_string_ostream out(key);
      printTemplateArgumentList(out, special->getTemplateArgs().asArray(), ast.getPrintingPolicy());
    }
    append_homes(special->getTemplateArgs().asArray(), key);
  }
  const SourceManager& sources = ast.getSourceManager();
  SourceLocation location = sources.getExpansionLoc(pattern(record)->getLocation());
  return key + "@" + path_at(ast, location);
}

std::string variable_key(const VarDecl& decl) {
  const auto& first = *cast<VarDecl>(decl.getCanonicalDecl());
  std::string key = qualified_name(first);
  if (first.isStaticLocal())
    key = in_function(first.getDeclContext()) + "::" + key + place(first, first.getASTContext());
  if (isa<VarTemplateSpecializationDecl>(first)) key += usr(first);
  return key + "@" + path_at(decl.getASTContext(), home(first));
}

}  // namespace placecheck::frontend
