#include "analyzer/lsp/positions.h"

#include <algorithm>
#include <optional>

#include "analyzer/findings/utf16.h"
#include "llvm/ADT/StringExtras.h"

namespace placecheck::lsp {
namespace {

using findings::SourceCache;
using findings::SourceRange;
using llvm::lsp::Position;

// The beginning of the line behind the one that begins at `begin`, if that one ends.
std::optional<size_t> next_line(llvm::StringRef text, size_t begin) {
  const size_t end = text.find_first_of("\r\n", begin);
  if (end == llvm::StringRef::npos) return std::nullopt;
  return text.substr(end).starts_with("\r\n") ? end + 2 : end + 1;
}

// Lines and columns from 1.
Position position_of(const std::string& file, unsigned line, unsigned column, SourceCache& sources,
                     PositionEncoding encoding) {
  if (line == 0) return {};
  const llvm::StringRef text = sources.line(file, line);
  const llvm::StringRef before = text.take_front(std::max(column, 1u) - 1);
  return {static_cast<int>(line - 1), static_cast<int>(units_in(before, encoding))};
}

// The column behind the word that begins at `column`, or behind the one character that is there.
unsigned end_of_word(llvm::StringRef line, unsigned column) {
  size_t end = std::max(column, 1u) - 1;
  const auto is_word = [](char c) {
    return llvm::isAlnum(c) || c == '_' || (static_cast<unsigned char>(c) & 0x80) != 0;
  };
  if (end < line.size() && !is_word(line[end])) return static_cast<unsigned>(end + 2);
  while (end < line.size() && is_word(line[end])) ++end;
  return static_cast<unsigned>(end + 1);
}

}  // namespace

llvm::StringRef name_of(PositionEncoding encoding) {
  return encoding == PositionEncoding::kUtf8 ? "utf-8" : "utf-16";
}

size_t units_in(llvm::StringRef text, PositionEncoding encoding) {
  return encoding == PositionEncoding::kUtf8 ? text.size() : findings::utf16_units(text);
}

size_t bytes_before(llvm::StringRef line, size_t units, PositionEncoding encoding) {
  if (encoding == PositionEncoding::kUtf8) return std::min(units, line.size());
  size_t bytes = 0;
  size_t passed = 0;
  while (bytes < line.size() && passed < units) {
    size_t next = bytes + 1;
    while (next < line.size() && findings::continues_character(line[next])) ++next;
    passed += findings::utf16_units(line.slice(bytes, next));
    // The middle of a pair of surrogates is no place: the character stays whole.
    if (passed > units) break;
    bytes = next;
  }
  return bytes;
}

size_t offset_of(const Position& position, llvm::StringRef text, PositionEncoding encoding) {
  if (position.line < 0) return 0;
  size_t begin = 0;
  for (int line = 0; line < position.line; ++line) {
    const std::optional<size_t> next = next_line(text, begin);
    if (!next) return text.size();
    begin = *next;
  }
  const llvm::StringRef line = text.slice(begin, text.find_first_of("\r\n", begin));
  return begin + bytes_before(line, static_cast<size_t>(std::max(position.character, 0)), encoding);
}

llvm::lsp::Range range_of(const SourceRange& range, SourceCache& sources,
                          PositionEncoding encoding) {
  const Position start = position_of(range.file, range.line, range.column, sources, encoding);
  if (range.line == 0) return {start, start};
  if (range.end_line != 0) {
    return {start, position_of(range.file, range.end_line, range.end_column, sources, encoding)};
  }
  const unsigned end = end_of_word(sources.line(range.file, range.line), range.column);
  return {start, position_of(range.file, range.line, end, sources, encoding)};
}

}  // namespace placecheck::lsp
