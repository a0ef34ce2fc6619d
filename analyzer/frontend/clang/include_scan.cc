#include "analyzer/frontend/clang/include_scan.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace placecheck::frontend {
namespace {

using namespace clang;

constexpr unsigned kMaxDepth = 200;  // as deep as Clang itself includes

LangOptions scan_language() {
  LangOptions options;
  options.CPlusPlus = options.CPlusPlus11 = options.CPlusPlus14 = options.CPlusPlus17 = true;
  options.LineComment = options.Bool = true;
  return options;
}

std::string joined(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<256> result(folder);
  llvm::sys::path::append(result, name);
  return std::string(result);
}

class Scan {
 public:
  Scan(const ScanInput& input, llvm::vfs::FileSystem& disk) : input_(input), disk_(disk) {}

  IncludeScan run() {
    read_file(input_.path, 0);
    return std::move(result_);
  }

 private:
  // One file on the way; directives are judged by what encloses them.
  struct File {
    std::string path;
    llvm::StringRef text;
    std::vector<bool> conditions;  // false: the file's own include guard
    std::string guard;             // a guard's name, until its definition was seen
    bool is_first = true;          // no directive yet
    unsigned braces = 0;
  };

  void read_file(const std::string& path, unsigned depth);
  void read_directive(Lexer& lexer, Token& token, File& file, unsigned depth);
  void read_include(llvm::StringRef rest, File& file, unsigned depth);
  void read_pragma(llvm::StringRef rest);
  void read_tokens(Lexer& lexer, Token& token, File& file);
  void define(llvm::StringRef name, File& file);
  void undefine(llvm::StringRef name);
  void add_header(llvm::StringRef name, const std::string& path);
  // The path of a header, and empty where only the compiler's own folders may have it.
  std::string find(llvm::StringRef name, bool is_quoted, const File& file);
  bool is_certain(const File& file) const {
    return certain_ && file.braces == 0 &&
           std::find(file.conditions.begin(), file.conditions.end(), true) == file.conditions.end();
  }

  const ScanInput& input_;
  llvm::vfs::FileSystem& disk_;
  IncludeScan result_;
  std::set<std::string> macros_;  // so far
  std::set<std::string> undefined_;
  // Not by path: headers that include each other through ".." have many paths.
  std::set<llvm::sys::fs::UniqueID> visited_;
  LangOptions language_ = scan_language();
  bool certain_ = true;  // nothing around the include that is being read makes it conditional
  bool stopped_ = false;
};

void Scan::read_file(const std::string& path, unsigned depth) {
  const auto status = disk_.status(path);
  if (depth > kMaxDepth || !status || !visited_.insert(status->getUniqueID()).second) return;
  auto buffer = disk_.getBufferForFile(path);
  if (!buffer) return;
  File file{path, (*buffer)->getBuffer(), {}, {}};
  Lexer lexer(SourceLocation(), language_, file.text.begin(), file.text.begin(), file.text.end());
  Token token;
  lexer.LexFromRawLexer(token);
  while (!stopped_ && token.isNot(tok::eof)) {
    if (token.is(tok::hash) && token.isAtStartOfLine())
      read_directive(lexer, token, file, depth);
    else
      read_tokens(lexer, token, file);
  }
}

// Leaves `token` at the first one that does not belong to a line of code.
void Scan::read_tokens(Lexer& lexer, Token& token, File& file) {
  file.is_first = false;
  bool after_namespace = false;
  while (token.isNot(tok::eof) && !(token.is(tok::hash) && token.isAtStartOfLine())) {
    if (token.is(tok::l_brace)) ++file.braces;
    if (token.is(tok::r_brace) && file.braces > 0) --file.braces;
    bool is_word = token.is(tok::raw_identifier);
    llvm::StringRef word = is_word ? token.getRawIdentifier() : llvm::StringRef();
    // What reopens a library's namespace may change what its headers mean. What is added to `std`
    // is about types of the project: a hash, an operator.
    if (after_namespace &&
        llvm::StringSwitch<bool>(word).Cases({"torch", "at", "c10", "caffe2"}, true).Default(false))
      stopped_ = true;
    after_namespace = word == "namespace" && !stopped_;
    lexer.LexFromRawLexer(token);
    // `using namespace std` looks the same but adds nothing to it.
    if (word == "using") {
      lexer.LexFromRawLexer(token);
    }
  }
}

void Scan::read_directive(Lexer& lexer, Token& token, File& file, unsigned depth) {
  lexer.LexFromRawLexer(token);
  if (token.isAtStartOfLine() || token.isNot(tok::raw_identifier)) return;
  llvm::StringRef name = token.getRawIdentifier();
  const char* after = name.end();
  llvm::StringRef rest(after, file.text.end() - after);
  llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; }).trim();
  bool was_first = file.is_first;
  if (!(name == "pragma" && line.starts_with("once"))) file.is_first = false;
  lexer.LexFromRawLexer(token);
  llvm::StringRef word = token.is(tok::raw_identifier) && !token.isAtStartOfLine()
                             ? token.getRawIdentifier()
                             : llvm::StringRef();
  if (was_first && name == "if" && line.consume_front("!defined")) {
    file.guard = line.trim(" \t()").str();
    file.conditions.push_back(false);
  } else if (was_first && name == "ifndef") {
    file.guard = word;
    file.conditions.push_back(false);
  } else if (name == "if" || name == "ifdef" || name == "ifndef") {
    file.conditions.push_back(true);
  } else if (name == "endif") {
    if (!file.conditions.empty()) file.conditions.pop_back();
  } else if (name == "define") {
    define(word, file);
  } else if (name == "undef") {
    undefine(word);
  } else if (name == "pragma") {
    read_pragma(line);
  } else if (name == "include" || name == "import" || name == "include_next") {
    read_include(line, file, depth);
  }
  while (token.isNot(tok::eof) && !token.isAtStartOfLine()) lexer.LexFromRawLexer(token);
}

void Scan::define(llvm::StringRef name, File& file) {
  if (!file.guard.empty() && name == file.guard)
    file.guard.clear();
  else
    macros_.insert(name.str());
}

// Of a macro that does not exist yet, as Qt's users do with `slots`, this does nothing.
void Scan::undefine(llvm::StringRef name) {
  bool is_predefined = name.starts_with("_") || name == "linux" || name == "unix";
  if (is_predefined || macros_.count(name.str()) || result_.macros.count(name.str()))
    macros_.insert(name.str());
  else
    undefined_.insert(name.str());
}

// Some pragmas act on all that follows.
void Scan::read_pragma(llvm::StringRef rest) {
  llvm::StringRef word = rest.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  bool is_harmless = llvm::StringSwitch<bool>(word)
                         .Cases({"once", "message", "warning", "region", "endregion", "omp",
                                 "comment", "mark", "unroll"},
                                true)
                         .Default(false);
  if (word == "GCC" || word == "clang")
    is_harmless = rest.contains("diagnostic") || rest.contains("optimize");
  if (!is_harmless) stopped_ = true;
}

std::string Scan::find(llvm::StringRef name, bool is_quoted, const File& file) {
  std::vector<std::string> beside;
  if (is_quoted) {
    beside.push_back(llvm::sys::path::parent_path(file.path).str());
    beside.insert(beside.end(), input_.folders.quoted.begin(), input_.folders.quoted.end());
  }
  for (const auto* folders : std::initializer_list<const std::vector<std::string>*>{
           &beside, &input_.folders.early, &input_.folders.late}) {
    for (const std::string& folder : *folders) {
      std::string path = joined(folder, name);
      if (disk_.exists(path)) return path;
    }
  }
  return {};
}

void Scan::add_header(llvm::StringRef name, const std::string& path) {
  if (!result_.headers.try_emplace(name.str(), path).second) return;
  result_.macros.insert(macros_.begin(), macros_.end());
  result_.undefined.insert(undefined_.begin(), undefined_.end());
}

void Scan::read_include(llvm::StringRef rest, File& file, unsigned depth) {
  if (rest.empty() || (rest[0] != '<' && rest[0] != '"')) {
    stopped_ = true;
    return;
  }
  bool is_quoted = rest[0] == '"';
  size_t end = rest.find(is_quoted ? '"' : '>', 1);
  if (end == llvm::StringRef::npos) return;
  llvm::StringRef name = rest.substr(1, end - 1);
  std::string path = find(name, is_quoted, file);
  bool was_certain = certain_;
  certain_ = is_certain(file);
  if (!path.empty() && !input_.is_external(path)) {
    read_file(path, depth + 1);
  } else if (certain_ && input_.is_large(name)) {
    add_header(name, path);
  }
  certain_ = was_certain;
}

}  // namespace

IncludeScan scan_includes(const ScanInput& input, llvm::vfs::FileSystem& disk) {
  return Scan(input, disk).run();
}

}  // namespace placecheck::frontend
