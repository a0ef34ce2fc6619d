#include "analyzer/frontend/clang/build_definitions.h"

#include <tuple>

#include "analyzer/files/regular_file.h"
#include "analyzer/frontend/clang/project_layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

namespace placecheck::frontend {
namespace {

namespace path = llvm::sys::path;

bool is_word(char c) { return llvm::isAlnum(c) || c == '_'; }

bool is_about_cuda(llvm::StringRef condition) {
  const std::string lower = condition.lower();
  return llvm::StringRef(lower).contains("cuda");
}

// Names of the compiler and of the library are theirs to define; NDEBUG would hide the program's
// own checks.
bool is_for_the_project(llvm::StringRef name) {
  return !name.empty() && !llvm::isDigit(name[0]) && name[0] != '_' &&
         llvm::all_of(name, is_word) && !name.starts_with("CMAKE_") && name != "NDEBUG" &&
         name != "TORCH_EXTENSION_NAME" && name != "TORCH_API_INCLUDE_EXTENSION_H";
}

void add(llvm::StringRef name, llvm::StringRef value, std::vector<Definition>& out) {
  const bool is_new = llvm::none_of(out, [&](const Definition& each) { return each.name == name; });
  // A value that the script computes is none that could be known here.
  if (is_for_the_project(name) && is_new && llvm::all_of(value, is_word))
    out.push_back({name.str(), value.str()});
}

// Each "-DNAME" and "-DNAME=VALUE" that stands by itself in a line.
void add_flags(llvm::StringRef line, std::vector<Definition>& out) {
  constexpr llvm::StringLiteral kFlag = "-D";
  for (size_t at = line.find(kFlag); at != llvm::StringRef::npos; at = line.find(kFlag, at + 1)) {
    const bool begins = at == 0 || llvm::StringRef(" \t\"'(").contains(line[at - 1]);
    const llvm::StringRef rest = line.substr(at + kFlag.size());
    const auto [name, value] = rest.substr(0, rest.find_first_of(" \t\"')];,")).split('=');
    if (begins) add(name, value, out);
  }
  if (line.contains("-U__CUDA_NO_HALF")) add(kHalfOperators, "", out);
}

// 'NAME' of "'NAME', None)".
llvm::StringRef take_quoted(llvm::StringRef& text) {
  text = text.ltrim();
  const char quote = text.empty() ? 0 : text[0];
  if (quote != '"' && quote != '\'') return "";
  const size_t end = text.find(quote, 1);
  if (end == llvm::StringRef::npos) return "";
  const llvm::StringRef inside = text.slice(1, end);
  text = text.substr(end + 1).ltrim();
  return inside;
}

// Each ('NAME', None) and ('NAME', 'VALUE'), as distutils has macros.
void add_pairs(llvm::StringRef line, std::vector<Definition>& out) {
  for (size_t at = line.find('('); at != llvm::StringRef::npos; at = line.find('(', at + 1)) {
    llvm::StringRef rest = line.substr(at + 1);
    const llvm::StringRef name = take_quoted(rest);
    if (name.empty() || !rest.consume_front(",")) continue;
    rest = rest.ltrim();
    const bool has_none = rest.consume_front("None");
    const llvm::StringRef value = has_none ? "" : take_quoted(rest);
    if ((has_none || !value.empty()) && rest.ltrim().starts_with(")")) add(name, value, out);
  }
}

// What a line of Python stands under: lines that are indented less, and open a block.
struct Block {
  size_t indent;
  bool is_open;  // to a machine with CUDA
};

bool opens_for_cuda(llvm::StringRef line) {
  if (line.starts_with("if ")) return is_about_cuda(line);
  return !llvm::any_of(llvm::ArrayRef<llvm::StringRef>{"elif ", "else", "for ", "while ", "except"},
                       [&](llvm::StringRef word) { return line.starts_with(word); });
}

bool is_cmake_command(llvm::StringRef line, llvm::StringRef name) {
  return line.size() > name.size() && line.starts_with_insensitive(name) &&
         (line[name.size()] == '(' || line[name.size()] == ' ');
}

// target_compile_definitions(ops PRIVATE NAME OTHER=1), and add_compile_definitions(NAME).
void add_words(llvm::StringRef line, std::vector<Definition>& out) {
  llvm::SmallVector<llvm::StringRef, 8> words;
  const size_t open = line.find('(');
  line.slice(open + 1, line.find(')', open)).split(words, ' ', -1, /*KeepEmpty=*/false);
  llvm::ArrayRef<llvm::StringRef> names = words;
  if (is_cmake_command(line, "target_compile_definitions"))
    names = names.drop_front(!names.empty());
  for (llvm::StringRef each : names) {
    each = each.trim("\"");
    each.consume_front("-D");
    const auto [name, value] = each.split('=');
    if (name != "PRIVATE" && name != "PUBLIC" && name != "INTERFACE") add(name, value, out);
  }
}

void add_cmake_line(llvm::StringRef line, std::vector<Definition>& out) {
  if (is_cmake_command(line, "add_definitions") || is_cmake_command(line, "add_compile_options") ||
      is_cmake_command(line, "target_compile_options") || is_cmake_command(line, "set"))
    add_flags(line, out);
  if (is_cmake_command(line, "add_compile_definitions") ||
      is_cmake_command(line, "target_compile_definitions"))
    add_words(line, out);
}

}  // namespace

std::vector<Definition> definitions_of_python(llvm::StringRef text) {
  std::vector<Definition> out;
  // The script may be about anything: only those that build with PyTorch's tools are read.
  if (!text.contains("cpp_extension") && !text.contains("define_macros")) return out;
  std::vector<Block> blocks;
  while (!text.empty()) {
    llvm::StringRef whole;
    std::tie(whole, text) = text.split('\n');
    const llvm::StringRef line = whole.trim();
    if (line.empty() || line.starts_with("#")) continue;
    const size_t indent = whole.size() - whole.ltrim().size();
    while (!blocks.empty() && blocks.back().indent >= indent) blocks.pop_back();
    const bool is_open = blocks.empty() || blocks.back().is_open;
    blocks.push_back({indent, is_open && opens_for_cuda(line)});
    if (!is_open) continue;
    add_flags(line, out);
    add_pairs(line, out);
  }
  return out;
}

std::vector<Definition> definitions_of_cmake(llvm::StringRef text) {
  std::vector<Definition> out;
  std::vector<bool> conditions;  // whether the code within is for a machine with CUDA
  while (!text.empty()) {
    llvm::StringRef line;
    std::tie(line, text) = text.split('\n');
    line = line.trim();
    if (is_cmake_command(line, "if") || is_cmake_command(line, "foreach") ||
        is_cmake_command(line, "function") || is_cmake_command(line, "macro"))
      conditions.push_back(is_cmake_command(line, "if") && is_about_cuda(line));
    else if (is_cmake_command(line, "endif") || is_cmake_command(line, "endforeach") ||
             is_cmake_command(line, "endfunction") || is_cmake_command(line, "endmacro")) {
      if (!conditions.empty()) conditions.pop_back();
    } else if (is_cmake_command(line, "else") || is_cmake_command(line, "elseif")) {
      if (!conditions.empty()) conditions.back() = false;
    } else if (llvm::all_of(conditions, [](bool each) { return each; })) {
      add_cmake_line(line, out);
    }
  }
  return out;
}

std::vector<Definition> build_definitions(llvm::StringRef folder, llvm::StringRef root) {
  std::vector<Definition> out;
  const auto take = [&](llvm::StringRef name, auto&& read) {
    llvm::SmallString<256> full(folder);
    path::append(full, name);
    if (auto buffer = files::read_regular_file(full, files::kMaxSource)) {
      for (const Definition& each : read((*buffer)->getBuffer())) add(each.name, each.value, out);
    }
  };
  for (; is_below(folder, root); folder = path::parent_path(folder)) {
    take("setup.py", definitions_of_python);
    take("CMakeLists.txt", definitions_of_cmake);
    if (folder == "/") break;
  }
  return out;
}

}  // namespace placecheck::frontend
