#include "analyzer/frontend/clang/header_build.h"

#include <algorithm>

#include "analyzer/cache/file_log.h"
#include "analyzer/files/built_in.h"
#include "analyzer/frontend/clang/run_clang.h"
#include "analyzer/frontend/clang/shims.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Serialization/ASTWriter.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

namespace placecheck::frontend {
namespace {

using namespace clang;

struct Build {
  HeaderInfo info;
  std::shared_ptr<PCHBuffer> buffer = std::make_shared<PCHBuffer>();
  std::vector<uint64_t> identifiers;
  std::set<std::string> found;
  std::set<std::string> missing;
  unsigned errors = 0;
};

class IncludeRecorder : public PPCallbacks {
 public:
  IncludeRecorder(SourceManager& sources, Build& build) : sources_(sources), build_(build) {}

  void InclusionDirective(SourceLocation hash, const Token&, llvm::StringRef name, bool is_angled,
                          CharSourceRange, OptionalFileEntryRef file, llvm::StringRef search_path,
                          llvm::StringRef, const Module*, bool,
                          SrcMgr::CharacteristicKind) override {
    if (sources_.isWrittenInMainFile(hash) && file)
      build_.info.roots[name.str()] = file->getName().str();
    llvm::StringRef beside = llvm::sys::path::parent_path(sources_.getFilename(hash));
    if (is_angled || search_path != beside) build_.found.insert(name.str());
  }

  void HasInclude(SourceLocation, llvm::StringRef name, bool, OptionalFileEntryRef file,
                  SrcMgr::CharacteristicKind) override {
    (file ? build_.found : build_.missing).insert(name.str());
  }

 private:
  SourceManager& sources_;
  Build& build_;
};

class Generator : public PCHGenerator {
 public:
  Generator(CompilerInstance& compiler, Build& build)
      : PCHGenerator(compiler.getPreprocessor(), compiler.getModuleCache(), "header.pch", "",
                     build.buffer, compiler.getCodeGenOpts(), {}, /*AllowASTWithErrors=*/false,
                     /*IncludeTimestamps=*/false),
        build_(build) {}

  void HandleTranslationUnit(ASTContext& ast) override {
    if (ast.getDiagnostics().hasErrorOccurred()) return;
    build_.info.counter = getPreprocessor().getCounterValue();
    for (const auto& word : getPreprocessor().getIdentifierTable()) {
      build_.identifiers.push_back(identifier_hash(word.getKey()));
      if (word.getValue()->hadMacroDefinition())
        build_.identifiers.push_back(macro_hash(word.getKey()));
    }
    std::sort(build_.identifiers.begin(), build_.identifiers.end());
    PCHGenerator::HandleTranslationUnit(ast);
  }

  bool shouldSkipFunctionBody(Decl* decl) override {
    const SourceManager& sources = getPreprocessor().getSourceManager();
    return !sources.getFilename(sources.getExpansionLoc(decl->getLocation()))
                .starts_with(kFollowedShims);
  }

 private:
  Build& build_;
};

class Action : public ASTFrontendAction {
 public:
  explicit Action(Build& build) : build_(build) {}

 protected:
  bool BeginInvocation(CompilerInstance& compiler) override {
    use_house_options(compiler);
    compiler.getLangOpts().CompilingPCH = true;
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler,
                                                 llvm::StringRef) override {
    compiler.getPreprocessor().addPPCallbacks(
        std::make_unique<IncludeRecorder>(compiler.getSourceManager(), build_));
    return std::make_unique<Generator>(compiler, build_);
  }

  TranslationUnitKind getTranslationUnitKind() override { return TU_Prefix; }
  bool hasASTFileSupport() const override { return false; }

 private:
  Build& build_;
};

class ErrorCounter : public DiagnosticConsumer {
 public:
  explicit ErrorCounter(unsigned& errors) : errors_(errors) {}
  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic&) override {
    if (level >= DiagnosticsEngine::Error) ++errors_;
  }

 private:
  unsigned& errors_;
};

bool is_plain(llvm::StringRef text) { return text.find_first_of("\n\t") == llvm::StringRef::npos; }

// Notes what was read; false if any of it is not external, or cannot be written down.
bool take_files(const LowerInput& like, const cache::FileLog& log, HeaderInfo& info) {
  bool is_good = true;
  for (const auto& [path, read] : log.read) {
    if (files::is_built_in(path)) continue;
    is_good &= is_plain(path) && like.is_external(path);
    if (is_plain(path)) info.files.emplace_back(path, read.stamp);
  }
  for (const std::string& path : log.absent) {
    is_good &= is_plain(path);
    if (is_plain(path) && !files::is_built_in(path)) info.absent.push_back(path);
  }
  return is_good;
}

}  // namespace

uint64_t identifier_hash(llvm::StringRef word) { return llvm::xxh3_64bits(word); }
uint64_t macro_hash(llvm::StringRef name) { return llvm::xxh3_64bits(("#define " + name).str()); }

SharedHeader build_header(const LowerInput& like, HeaderInfo info) {
  Build build;
  build.info = std::move(info);
  cache::FileLog log;
  std::string path = "/__placecheck/headers/" + build.info.key + ".cc";
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(path, 0, llvm::MemoryBuffer::getMemBuffer(build.info.text, path));
  auto files =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(like.logged_file_system(log));
  files->pushOverlay(memory);
  std::vector<std::string> arguments = like.arguments;
  arguments.back() = path;
  ErrorCounter counter(build.errors);
  bool survived = run_clang(arguments, files, std::make_unique<Action>(build), counter);
  bool is_good = take_files(like, log, build.info);
  build.info.found.assign(build.found.begin(), build.found.end());
  build.info.missing.assign(build.missing.begin(), build.missing.end());
  SharedHeader header;
  header.info = std::move(build.info);
  if (!survived || !is_good || build.errors != 0 || !build.buffer->IsComplete) return header;
  header.fresh = std::make_shared<llvm::SmallVector<char, 0>>(build.buffer->Data.begin(),
                                                              build.buffer->Data.end());
  header.identifiers = std::move(build.identifiers);
  return header;
}

}  // namespace placecheck::frontend
