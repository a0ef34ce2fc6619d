// One run of Clang over one file, bodies outside the project skipped.
#include <memory>
#include <mutex>
#include <vector>

#include "analyzer/frontend/clang/lower.h"
#include "analyzer/frontend/clang/names.h"
#include "analyzer/frontend/clang/unit_lowering.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/CrashRecoveryContext.h"

namespace placecheck::frontend {
namespace {

using namespace clang;

// Deeply nested code needs far more than a thread's usual stack.
constexpr unsigned kStackSize = 64 << 20;

class ErrorCollector : public DiagnosticConsumer {
 public:
  explicit ErrorCollector(LowerResult& result) : result_(result) {}

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& diagnostic) override {
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    if (level < DiagnosticsEngine::Error) return;
    if (++result_.errors > 1) return;
    llvm::SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    result_.first_error = position(diagnostic) + std::string(text);
  }

 private:
  static std::string position(const Diagnostic& diagnostic) {
    if (!diagnostic.hasSourceManager() || diagnostic.getLocation().isInvalid()) return {};
    PresumedLoc place = diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
    if (place.isInvalid()) return {};
    return std::string(place.getFilename()) + ":" + std::to_string(place.getLine()) + ": ";
  }

  LowerResult& result_;
};

class Consumer : public ASTConsumer {
 public:
  Consumer(const LowerInput& input, LowerResult& result) : input_(input), result_(result) {}

  void Initialize(ASTContext& ast) override {
    unit_ = std::make_unique<UnitLowering>(ast, input_.path, input_.is_external);
  }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (const Decl* decl : group)
      if (unit_->in_project(decl->getLocation())) decls_.push_back(decl);
    return true;
  }

  bool shouldSkipFunctionBody(Decl* decl) override {
    return !unit_->in_project(decl->getLocation());
  }

  void HandleTranslationUnit(ASTContext&) override {
    for (const Decl* decl : decls_) unit_->lower(*decl);
    result_.unit = unit_->take();
  }

 private:
  const LowerInput& input_;
  LowerResult& result_;
  std::unique_ptr<UnitLowering> unit_;
  std::vector<const Decl*> decls_;
};

class Action : public ASTFrontendAction {
 public:
  Action(const LowerInput& input, LowerResult& result) : input_(input), result_(result) {}

 protected:
  bool BeginInvocation(CompilerInstance& compiler) override {
    compiler.getFrontendOpts().SkipFunctionBodies = true;
    compiler.getFrontendOpts().DisableFree = false;
    compiler.getLangOpts().CommentOpts.ParseAllComments = false;
    compiler.getDiagnosticOpts().ShowCarets = false;  // and no count of errors on stderr
    DiagnosticsEngine& diagnostics = compiler.getDiagnostics();
    diagnostics.setIgnoreAllWarnings(true);
    diagnostics.setErrorLimit(0);
    // What follows a missing header is worth parsing.
    diagnostics.setFatalsAsError(true);
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance&, llvm::StringRef) override {
    return std::make_unique<Consumer>(input_, result_);
  }

 private:
  const LowerInput& input_;
  LowerResult& result_;
};

void run(const LowerInput& input, LowerResult& result) {
  auto disk = input.file_system ? input.file_system : llvm::vfs::createPhysicalFileSystem();
  auto files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), disk);
  std::vector<std::string> arguments = input.arguments;
  arguments.insert(arguments.end() - (arguments.empty() ? 0 : 1),
                   {"-fsyntax-only", "-w", "-ferror-limit=0", "-fbracket-depth=4096"});
  tooling::ToolInvocation invocation(arguments, std::make_unique<Action>(input, result),
                                     files.get());
  ErrorCollector collector(result);
  invocation.setDiagnosticConsumer(&collector);
  invocation.run();
}

bool has_content(const ir::Unit& unit) {
  return !unit.functions.empty() || !unit.classes.empty() || !unit.globals.empty();
}

}  // namespace

LowerResult lower_file(const LowerInput& input) {
  static std::once_flag enabled;
  std::call_once(enabled, [] { llvm::CrashRecoveryContext::Enable(); });
  LowerResult result;
  llvm::CrashRecoveryContext context;
  bool survived = context.RunSafelyOnThread([&] { run(input, result); }, kStackSize);
  if (!survived) {
    result = {};
    result.errors = 1;
    result.first_error = input.path + ":1: the parser crashed";
  }
  if (result.unit.files.empty()) result.unit.files.push_back(input.path);
  if (result.errors == 0)
    result.understanding = Understanding::kFull;
  else if (has_content(result.unit))
    result.understanding = Understanding::kPartly;
  return result;
}

}  // namespace placecheck::frontend
