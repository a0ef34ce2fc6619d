#include "analyzer/frontend/clang/launch_syntax.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <utility>

#include "llvm/Support/MemoryBuffer.h"

namespace placecheck::frontend {
namespace {

// Longer than any configuration that people write.
constexpr size_t kLongest = 2000;

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Where the comment, string or character that begins at `at` ends; `at` if none begins there.
size_t end_of_quoted(llvm::StringRef text, size_t at) {
  llvm::StringRef rest = text.substr(at);
  if (rest.starts_with("//")) return std::min(text.find('\n', at), text.size());
  if (rest.starts_with("/*")) {
    size_t end = text.find("*/", at + 2);
    return end == llvm::StringRef::npos ? text.size() : end + 2;
  }
  bool is_raw = text[at] == '"' && at > 0 && text[at - 1] == 'R';
  if (is_raw) {
    size_t open = text.find('(', at);
    if (open == llvm::StringRef::npos) return text.size();
    std::string close = ")" + text.slice(at + 1, open).str() + "\"";
    size_t end = text.find(close, open);
    return end == llvm::StringRef::npos ? text.size() : end + close.size();
  }
  bool is_digit_mark = text[at] == '\'' && at > 0 && std::isalnum(text[at - 1]);
  if ((text[at] != '"' && text[at] != '\'') || is_digit_mark) return at;
  for (size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[at]) {
      return i + 1;
    }
  }
  return at + 1;
}

// The length of three brackets in a row, the third maybe set off: 0 if that is not here.
size_t brackets_at(llvm::StringRef text, size_t at, char bracket) {
  if (at + 2 >= text.size() || text[at] != bracket || text[at + 1] != bracket) return 0;
  size_t third = at + 2;
  while (third < text.size() && is_space(text[third])) ++third;
  return third < text.size() && text[third] == bracket ? third + 1 - at : 0;
}

// Draws the brackets together: "<< <" becomes "<<< ".
void close_up(std::string& text, size_t at, size_t length) {
  std::swap(text[at + 2], text[at + length - 1]);
}

// Writes the configuration that begins behind `<<<`; true if it ends as one does.
bool write_configuration(std::string& text, size_t begin, bool& changed) {
  int depth = 0;
  bool starts_argument = true;
  size_t last = std::min(text.size(), begin + kLongest);
  for (size_t i = begin; i < last; ++i) {
    if (size_t end = end_of_quoted(text, i); end != i) {
      i = end - 1;
      continue;
    }
    char c = text[i];
    if (is_space(c)) continue;
    if (size_t length = depth == 0 && c == '>' ? brackets_at(text, i, '>') : 0) {
      changed = changed || length != 3;
      close_up(text, i, length);
      return true;
    }
    if (c == ';') return false;
    if (c == '{' && depth == 0 && starts_argument) {
      size_t close = text.find('}', i);
      if (close == std::string::npos || close >= last) return false;
      if (text.find_first_not_of(" \t\r\n", i + 1) == close) return false;
      text[i] = '(';
      text[close] = ')';
      changed = true;
      c = '(';
    }
    depth += c == '(' || c == '[' || c == '{';
    depth -= c == ')' || c == ']' || c == '}';
    if (depth < 0) return false;
    starts_argument = depth == 0 && c == ',';
  }
  return false;
}

class PlainLaunches : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override;
};

// A file that reads otherwise than it lies on the disk.
class Rewritten : public llvm::vfs::File {
 public:
  Rewritten(llvm::vfs::Status status, std::string text)
      : status_(std::move(status)), text_(std::move(text)) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return status_; }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t,
                                                               bool, bool) override {
    return llvm::MemoryBuffer::getMemBufferCopy(text_, name);
  }
  std::error_code close() override { return {}; }

 private:
  llvm::vfs::Status status_;
  std::string text_;
};

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> PlainLaunches::openFileForRead(
    const llvm::Twine& path) {
  auto file = ProxyFileSystem::openFileForRead(path);
  std::string name = path.str();
  llvm::StringRef spelled(name);
  bool is_cuda = spelled.ends_with(".cu") || spelled.ends_with(".cuh");
  if (!file || !is_cuda) return file;
  auto status = (*file)->status();
  auto buffer = (*file)->getBuffer(path);
  if (!status || !buffer) return ProxyFileSystem::openFileForRead(path);
  std::optional<std::string> plain = with_plain_launches((*buffer)->getBuffer());
  if (!plain) return ProxyFileSystem::openFileForRead(path);
  return std::make_unique<Rewritten>(*status, *std::move(plain));
}

}  // namespace

std::optional<std::string> with_plain_launches(llvm::StringRef text) {
  if (!text.contains("<<")) return std::nullopt;
  std::string written = text.str();
  bool changed = false;
  for (size_t i = 0; i < text.size();) {
    if (size_t end = end_of_quoted(text, i); end != i) {
      i = end;
      continue;
    }
    size_t length = brackets_at(text, i, '<');
    if (length == 0) {
      ++i;
      continue;
    }
    std::string attempt = written;
    bool differs = length != 3;
    close_up(attempt, i, length);
    if (write_configuration(attempt, i + length, differs) && differs) {
      written = std::move(attempt);
      changed = true;
    }
    i += length;
  }
  return changed ? std::optional<std::string>(std::move(written)) : std::nullopt;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_plain_launches(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base) {
  return llvm::makeIntrusiveRefCnt<PlainLaunches>(std::move(base));
}

}  // namespace placecheck::frontend
