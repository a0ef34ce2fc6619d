#include "analyzer/frontend/clang/run_clang.h"

#include <mutex>

#include "clang/Basic/DiagnosticLex.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/Support/CrashRecoveryContext.h"

namespace placecheck::frontend {

using namespace clang;

namespace {

// Deeply nested code needs far more than a thread's usual stack.
constexpr unsigned kStackSize = 256 << 20;

}  // namespace

bool run_clang(const std::vector<std::string>& arguments,
               llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk,
               std::unique_ptr<FrontendAction> action, DiagnosticConsumer& diagnostics) {
  static std::once_flag enabled;
  std::call_once(enabled, [] { llvm::CrashRecoveryContext::Enable(); });
  std::vector<std::string> all = arguments;
  // A misspelt name is not known: what the parser would guess may be another variable, and guessing
  // is slow in a file whose headers are missing.
  all.insert(all.end() - (all.empty() ? 0 : 1), {"-fsyntax-only", "-w", "-ferror-limit=0",
                                                 "-fbracket-depth=4096", "-fno-spell-checking"});
  llvm::CrashRecoveryContext context;
  return context.RunSafelyOnThread(
      [&] {
        auto files = llvm::makeIntrusiveRefCnt<FileManager>(FileSystemOptions(), disk);
        tooling::ToolInvocation invocation(all, std::move(action), files.get());
        invocation.setDiagnosticConsumer(&diagnostics);
        invocation.run();
      },
      kStackSize);
}

void use_house_options(CompilerInstance& compiler) {
  compiler.getFrontendOpts().SkipFunctionBodies = true;
  compiler.getFrontendOpts().DisableFree = false;
  compiler.getLangOpts().CommentOpts.ParseAllComments = false;
  compiler.getDiagnosticOpts().ShowCarets = false;  // and no count of errors on stderr
  DiagnosticsEngine& diagnostics = compiler.getDiagnostics();
  diagnostics.setIgnoreAllWarnings(true);
  diagnostics.setErrorLimit(0);
  // What follows a missing header is worth parsing. Other fatal errors end what would not end.
  constexpr unsigned kMissing[] = {diag::err_pp_file_not_found, diag::err_pp_error_opening_file,
                                   diag::err_cannot_open_file};
  for (unsigned each : kMissing)
    diagnostics.setSeverity(each, diag::Severity::Error, SourceLocation());
}

}  // namespace placecheck::frontend
