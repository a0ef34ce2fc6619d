// One run of Clang over one file, bodies outside the project skipped.
#include <cstdlib>
#include <memory>
#include <vector>

#include "analyzer/files/snapshot.h"
#include "analyzer/frontend/clang/header_cache.h"
#include "analyzer/frontend/clang/instantiate.h"
#include "analyzer/frontend/clang/lower.h"
#include "analyzer/frontend/clang/names.h"
#include "analyzer/frontend/clang/run_clang.h"
#include "analyzer/frontend/clang/unit_lowering.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/AllDiagnostics.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Sema/SemaConsumer.h"

namespace placecheck::frontend {
namespace {

using namespace clang;

class ErrorCollector : public DiagnosticConsumer {
 public:
  explicit ErrorCollector(LowerResult& result) : result_(result) {}

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < DiagnosticsEngine::Error) return;
    unsigned id = diagnostic.getID();
    if (id >= diag::DIAG_START_SERIALIZATION && id < diag::DIAG_START_LEX) header_failed_ = true;
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid())
      locations_.push_back(diagnostic.getLocation());
    if (++result_.errors > kMaxMessages) return;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    result_.messages.push_back(position(diagnostic) + std::string(text));
    if (result_.errors == 1) result_.first_error = result_.messages.front();
  }

  bool header_failed() const { return header_failed_; }
  const std::vector<SourceLocation>& locations() const { return locations_; }

 private:
  static std::string position(const Diagnostic& diagnostic) {
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return {};
    PresumedLoc place = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
    if (place.isInvalid()) return {};
    return std::string(place.getFilename()) + ":" + std::to_string(place.getLine()) + ": ";
  }

  LowerResult& result_;
  std::vector<SourceLocation> locations_;
  bool header_failed_ = false;
};

class Consumer : public SemaConsumer {
 public:
  Consumer(const LowerInput& input, LowerResult& result, const std::vector<SourceLocation>& errors)
      : input_(input), result_(result), errors_(errors) {}

  void Initialize(ASTContext& ast) override {
    unit_ = std::make_unique<UnitLowering>(ast, input_.path, input_.is_external);
    unit_->set_errors(&errors_);
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (const Decl* decl : group)
      if (unit_->in_project(decl->getLocation())) decls_.push_back(decl);
    return true;
  }

  bool shouldSkipFunctionBody(Decl* decl) override {
    return !unit_->in_project(decl->getLocation());
  }

  void InitializeSema(Sema& sema) override { sema_ = &sema; }
  void ForgetSema() override { sema_ = nullptr; }

  void HandleTranslationUnit(ASTContext&) override {
    instantiate();
    result_.unit.files.push_back(input_.path);  // what crashes from here on is not Clang
    // Over a copy: what is read from a precompiled header meanwhile is handed to
    // HandleTopLevelDecl.
    for (const Decl* decl : std::vector<const Decl*>(decls_)) unit_->lower(*decl);
    result_.unit = unit_->take();
  }

 private:
  // Asks for more than the program does, so what fails here is no error of the program.
  void instantiate() {
    if (!sema_) return;
    unsigned errors = result_.errors;
    std::string first_error = result_.first_error;
    size_t messages = result_.messages.size();
    // Over a copy: an instantiation is handed to HandleTopLevelDecl.
    for (const Decl* decl : std::vector<const Decl*>(decls_)) instantiate_members(*decl, *sema_);
    result_.errors = errors;
    result_.first_error = std::move(first_error);
    result_.messages.resize(messages);
  }

  const LowerInput& input_;
  LowerResult& result_;
  const std::vector<SourceLocation>& errors_;
  Sema* sema_ = nullptr;
  std::unique_ptr<UnitLowering> unit_;
  std::vector<const Decl*> decls_;
};

class Action : public ASTFrontendAction {
 public:
  Action(const LowerInput& input, LowerResult& result, const std::vector<SourceLocation>& errors)
      : input_(input), result_(result), errors_(errors) {}

 protected:
  bool BeginInvocation(CompilerInstance& compiler) override {
    use_house_options(compiler);
    if (!input_.header) return true;
    PreprocessorOptions& options = compiler.getPreprocessorOpts();
    options.ImplicitPCHInclude = input_.header->path();
    // Whoever chose the header has compared all that matters, and has just looked at its files.
    options.DisablePCHOrModuleValidation = DisableValidationForModuleKind::All;
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler,
                                                 llvm::StringRef) override {
    // Clang forgets it where it does not validate; names made of it would differ.
    if (input_.header) compiler.getPreprocessor().setCounterValue(input_.header->info.counter);
    return std::make_unique<Consumer>(input_, result_, errors_);
  }

 private:
  const LowerInput& input_;
  LowerResult& result_;
  const std::vector<SourceLocation>& errors_;
};

// False if the parse says nothing about the file: Clang crashed, or could not use the header.
bool run(const LowerInput& input, LowerResult& result) {
  auto disk = input.file_system ? input.file_system : files::make_snapshot();
  if (input.header) disk = input.header->mounted(disk);
  ErrorCollector collector(result);
  result.over_header = input.header != nullptr;
  auto action = std::make_unique<Action>(input, result, collector.locations());
  return run_clang(input.arguments, disk, std::move(action), collector) &&
         !collector.header_failed();
}

bool has_content(const ir::Unit& unit) {
  return !unit.functions.empty() || !unit.classes.empty() || !unit.globals.empty();
}

}  // namespace

std::vector<std::string> include_environment() {
  std::vector<std::string> set;
  for (const char* name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "SDKROOT"}) {
    if (const char* value = std::getenv(name)) set.push_back(std::string(name) + "=" + value);
  }
  return set;
}

void preprocess_file(const LowerInput& input) {
  IgnoringDiagConsumer diagnostics;
  auto disk = input.file_system ? input.file_system : files::make_snapshot();
  (void)run_clang(input.arguments, disk, std::make_unique<PreprocessOnlyAction>(), diagnostics);
}

LowerResult lower_file(const LowerInput& input) {
  LowerResult result;
  bool is_done = run(input, result);
  if (!is_done && input.header) {
    LowerInput plain = input;
    plain.header = nullptr;
    return lower_file(plain);
  }
  if (!is_done) {
    const char* what = result.unit.files.empty() ? "the parser" : "the lowering";
    result = {};
    result.crashed = true;
    result.errors = 1;
    result.first_error = input.path + ":1: " + what + " crashed";
  }
  if (result.unit.files.empty()) result.unit.files.push_back(input.path);
  if (result.errors == 0)
    result.understanding = Understanding::kFull;
  else if (has_content(result.unit))
    result.understanding = Understanding::kPartly;
  return result;
}

}  // namespace placecheck::frontend
