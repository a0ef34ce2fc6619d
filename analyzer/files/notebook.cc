#include "analyzer/files/notebook.h"

#include <algorithm>
#include <optional>

#include "analyzer/files/nesting.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"

namespace placecheck::files {
namespace {

// A text, and where each byte of it stands in the file.
struct PlacedText {
  std::string text;
  std::vector<TextPosition> positions;

  void add(char c, TextPosition at) {
    text.push_back(c);
    positions.push_back(at);
  }
  void append(const PlacedText& other, size_t begin, size_t end) {
    text.append(other.text, begin, end - begin);
    positions.insert(positions.end(), other.positions.begin() + static_cast<long>(begin),
                     other.positions.begin() + static_cast<long>(end));
  }
};

// Reads JSON that is well formed, with positions, which llvm::json does not keep.
class Scanner {
 public:
  explicit Scanner(llvm::StringRef json) : json_(json) {}

  using Member = llvm::function_ref<void(llvm::StringRef key)>;
  // Calls `member` in front of each value, which it has to read.
  void object(Member member) {
    enclosed('{', '}', [&] {
      const PlacedText key = string();
      skip_space();
      next();  // the colon
      member(key.text);
    });
  }

  void array(llvm::function_ref<void()> element) { enclosed('[', ']', element); }

  PlacedText string() {
    PlacedText read;
    skip_space();
    if (!consume('"')) {
      skip();
      return read;
    }
    while (!at_end() && peek() != '"') character(read);
    next();
    return read;
  }

  void skip() {
    skip_space();
    switch (peek()) {
      case '{':
        return object([&](llvm::StringRef) { skip(); });
      case '[':
        return array([&] { skip(); });
      case '"':
        next();
        while (!at_end() && peek() != '"') {
          if (peek() == '\\') next();
          next();
        }
        next();
        return;
      default:
        while (!at_end() && !llvm::StringRef(",]} \t\r\n").contains(peek())) next();
    }
  }

  bool is_at(char c) {
    skip_space();
    return peek() == c;
  }
  // What the next value is written as.
  llvm::StringRef spelled() {
    skip_space();
    const size_t begin = at_;
    skip();
    return json_.slice(begin, at_);
  }

 private:
  bool at_end() const { return at_ >= json_.size(); }
  char peek() const { return at_end() ? '\0' : json_[at_]; }
  TextPosition position() const { return {line_, static_cast<uint32_t>(at_ - start_of_line_ + 1)}; }
  char next() {
    if (at_end()) return '\0';
    const char c = json_[at_++];
    if (c == '\n') {
      ++line_;
      start_of_line_ = at_;
    }
    return c;
  }
  bool consume(char c) {
    if (peek() != c) return false;
    next();
    return true;
  }
  void skip_space() {
    while (llvm::isSpace(peek())) next();
  }

  void enclosed(char open, char close, llvm::function_ref<void()> each) {
    skip_space();
    if (!consume(open)) return skip();
    while (!at_end() && !is_at(close)) {
      each();
      skip_space();
      consume(',');
    }
    next();
  }

  void character(PlacedText& read) {
    const TextPosition start = position();
    const char c = next();
    if (c != '\\') return read.add(c, start);
    const char escaped = next();
    if (escaped == 'u') return code_point(read, start);
    constexpr llvm::StringLiteral kLetters = "ntrbf", kMeant = "\n\t\r\b\f";
    const size_t letter = kLetters.find(escaped);
    read.add(letter == llvm::StringRef::npos ? escaped : kMeant[letter], start);
  }

  uint16_t code_unit() {
    unsigned unit = 0;
    if (!json_.substr(at_, 4).getAsInteger(16, unit)) at_ += 4;
    return static_cast<uint16_t>(unit);
  }

  void code_point(PlacedText& read, TextPosition start) {
    llvm::SmallVector<llvm::UTF16, 2> units{code_unit()};
    const bool is_high = units[0] >= 0xD800 && units[0] < 0xDC00;
    if (is_high && json_.substr(at_).starts_with("\\u")) {
      at_ += 2;
      units.push_back(code_unit());
    }
    std::string bytes;
    if (!llvm::convertUTF16ToUTF8String(units, bytes)) bytes = "?";
    for (const char each : bytes) read.add(each, start);
  }

  llvm::StringRef json_;
  size_t at_ = 0;
  size_t start_of_line_ = 0;
  uint32_t line_ = 1;
};

struct Cell {
  std::string type;
  PlacedText source;
};

Cell read_cell(Scanner& scanner) {
  Cell cell;
  scanner.object([&](llvm::StringRef key) {
    if (key == "cell_type") {
      cell.type = scanner.string().text;
    } else if (key == "source" && scanner.is_at('[')) {
      scanner.array([&] {
        const PlacedText line = scanner.string();
        cell.source.append(line, 0, line.text.size());
      });
    } else if (key == "source") {
      cell.source = scanner.string();
    } else {
      scanner.skip();
    }
  });
  return cell;
}

// The language that the metadata of a notebook name; Python where they name none.
bool is_in_python(llvm::StringRef metadata) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(metadata);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return true;
  }
  const llvm::json::Object* root = parsed->getAsObject();
  const auto language = [&](llvm::StringRef of, llvm::StringRef key) -> llvm::StringRef {
    const llvm::json::Object* about = root ? root->getObject(of) : nullptr;
    return about ? about->getString(key).value_or("") : "";
  };
  llvm::StringRef name = language("language_info", "name");
  if (name.empty()) name = language("kernelspec", "language");
  return name.empty() || name.equals_insensitive("python") || name.equals_insensitive("ipython");
}

bool is_name(llvm::StringRef text) {
  return !text.empty() &&
         llvm::all_of(text, [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
}

// Whether what follows is no operator: `%time`, `!ls`, but neither `% x` nor `!= x`.
bool is_command(llvm::StringRef code) {
  if (code.starts_with("pip install ") || code.starts_with("conda install ")) return true;
  if (code.consume_front("!")) return !code.starts_with("=");
  return code.consume_front("%") && !code.empty() &&
         (llvm::isAlpha(code[0]) || code[0] == '%' || code[0] == '_');
}

// `name?`, `?name`
bool is_question(llvm::StringRef code) {
  return (code.ends_with("?") && is_name(code.rtrim('?'))) ||
         (code.starts_with("?") && is_name(code.ltrim('?')));
}

// Where the command of `names = !command` begins.
std::optional<size_t> assigned_command(llvm::StringRef code) {
  const size_t equals = code.find('=');
  if (equals == llvm::StringRef::npos) return std::nullopt;
  const bool is_list = llvm::all_of(code.take_front(equals), [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == ',' || c == ' ';
  });
  const llvm::StringRef right = code.drop_front(equals + 1).ltrim(' ');
  if (!is_list || !is_command(right)) return std::nullopt;
  return code.size() - right.size();
}

// Cells with these run as Python in the notebook's own process.
bool keeps_language(llvm::StringRef magic) {
  return llvm::StringSwitch<bool>(magic)
      .Cases({"time", "timeit", "capture", "prun", "memit", "debug", "python", "python3"}, true)
      .Default(false);
}

class Writer {
 public:
  explicit Writer(Notebook& notebook) : notebook_(notebook) {}

  void add(const PlacedText& source, uint32_t cell) {
    const llvm::StringRef first = llvm::StringRef(source.text).ltrim();
    const llvm::StringRef magic =
        first.starts_with("%%")
            ? first.drop_front(2).take_while([](char c) { return llvm::isAlnum(c) || c == '_'; })
            : "";
    if (!magic.empty() && !keeps_language(magic)) return;
    uint32_t line_of_cell = 0;
    continues_command_ = false;
    for (size_t begin = 0; begin < source.text.size();) {
      const size_t end = std::min(source.text.find('\n', begin), source.text.size());
      add_line(source, begin, end, {{}, cell, ++line_of_cell});
      begin = end + 1;
    }
    notebook_.ends_of_cells.push_back(text_.text.size());
  }

  void finish() {
    const TextPosition end = text_.positions.empty() ? TextPosition{1, 1} : text_.positions.back();
    text_.positions.push_back(end);
    notebook_.text = std::move(text_.text);
    notebook_.positions = std::move(text_.positions);
  }

 private:
  void add_line(const PlacedText& source, size_t begin, size_t end, NotebookLine line) {
    const llvm::StringRef written = llvm::StringRef(source.text).slice(begin, end);
    const size_t indent = written.size() - written.ltrim(" \t").size();
    const llvm::StringRef code = written.drop_front(indent).rtrim();
    size_t kept = written.size();
    llvm::StringRef instead;
    if (continues_command_) {
      kept = 0;
    } else if (is_command(code) || is_question(code)) {
      kept = indent;
      instead = "pass";
    } else if (const std::optional<size_t> command = assigned_command(code)) {
      kept = indent + *command;
      instead = "None";
    }
    continues_command_ = kept < written.size() && code.ends_with("\\");
    const bool is_last = end == source.text.size();
    // The last line of a cell has no line end: its statement ends behind its last byte.
    TextPosition newline = source.positions[is_last ? end - 1 : end];
    if (is_last) ++newline.column;
    text_.append(source, begin, begin + kept);
    const TextPosition changed = kept < written.size() ? source.positions[begin + kept] : newline;
    for (const char c : instead) text_.add(c, changed);
    text_.add('\n', newline);
    line.begin = source.positions[begin];
    notebook_.lines.push_back(line);
  }

  Notebook& notebook_;
  PlacedText text_;
  bool continues_command_ = false;  // its last line ended in a backslash
};

llvm::Error refused(const llvm::Twine& why) {
  return llvm::createStringError("not a notebook: " + why);
}

}  // namespace

const NotebookLine* Notebook::find_line(TextPosition in_file) const {
  const NotebookLine* found = nullptr;
  for (const NotebookLine& each : lines) {
    // A cell's lines may stand on one line of the file.
    if (each.begin.line == in_file.line && each.begin.column <= in_file.column) found = &each;
  }
  return found;
}

bool is_notebook(llvm::StringRef file) { return file.ends_with(".ipynb"); }

llvm::Expected<Notebook> read_notebook(llvm::StringRef json) {
  if (json_nesting(json) > kMaxNesting) return refused("it nests too deeply");
  if (llvm::Error error = llvm::json::parse(json).takeError())
    return refused(llvm::toString(std::move(error)));
  Scanner scanner(json);
  if (!scanner.is_at('{')) return refused("it is no JSON object");
  std::vector<Cell> cells;
  bool has_cells = false, is_python = true;
  scanner.object([&](llvm::StringRef key) {
    if (key == "cells") {
      has_cells = true;
      scanner.array([&] { cells.push_back(read_cell(scanner)); });
    } else if (key == "metadata") {
      is_python = is_in_python(scanner.spelled());
    } else {
      scanner.skip();
    }
  });
  if (!has_cells) return refused("it has no cells; formats before nbformat 4 are not read");
  Notebook notebook;
  Writer writer(notebook);
  for (size_t i = 0; i < cells.size() && is_python; ++i)
    if (cells[i].type == "code") writer.add(cells[i].source, static_cast<uint32_t>(i + 1));
  writer.finish();
  return notebook;
}

Notebook notebook_or_nothing(llvm::StringRef json) {
  llvm::Expected<Notebook> read = read_notebook(json);
  if (read) return std::move(*read);
  llvm::consumeError(read.takeError());
  return {};
}

}  // namespace placecheck::files
