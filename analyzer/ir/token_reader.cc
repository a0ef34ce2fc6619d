#include "analyzer/ir/token_reader.h"

namespace placecheck::ir {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return -1;
}

// `text` lies between the quotes; the lexer made sure that no backslash ends it.
bool unescape(std::string_view text, std::string& out) {
  out.clear();
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out += text[i];
      continue;
    }
    char escaped = text[++i];
    if (escaped == '"' || escaped == '\\') {
      out += escaped;
    } else if (escaped == 'n') {
      out += '\n';
    } else if (escaped == 'x' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
               hex_digit(text[i + 2]) >= 0) {
      out += static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2]));
      i += 2;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace

void TokenReader::advance() {
  previous_line_ = token_.line;
  token_ = lexer_.next();
}

bool TokenReader::fail(std::string_view expected) {
  if (!error_.empty()) return false;
  error_ = std::to_string(token_.line) + ":" + std::to_string(token_.column) + ": expected " +
           std::string(expected);
  return false;
}

bool TokenReader::is_word(std::string_view word) const {
  return token_.kind == TokenKind::kWord && token_.text == word;
}

bool TokenReader::is_mark(char mark) const {
  return token_.kind == TokenKind::kPunctuation && token_.text[0] == mark;
}

bool TokenReader::accept_word(std::string_view word) {
  if (!is_word(word)) return false;
  advance();
  return true;
}

bool TokenReader::accept_mark(char mark) {
  if (!is_mark(mark)) return false;
  advance();
  return true;
}

bool TokenReader::expect_word(std::string_view word) {
  return accept_word(word) || fail("'" + std::string(word) + "'");
}

bool TokenReader::expect_mark(char mark) {
  return accept_mark(mark) || fail("'" + std::string(1, mark) + "'");
}

bool TokenReader::expect_arrow() {
  if (token_.kind != TokenKind::kArrow) return fail("'->'");
  advance();
  return true;
}

bool TokenReader::string(std::string& out, std::string_view expected) {
  if (token_.kind != TokenKind::kString) return fail(expected);
  if (!unescape(token_.text.substr(1, token_.text.size() - 2), out)) {
    return fail("only the escapes \\\\ \\\" \\n \\xHH in a string");
  }
  advance();
  return true;
}

bool TokenReader::name(std::string& out, std::string_view expected) {
  if (token_.kind != TokenKind::kWord) return string(out, expected);
  out = token_.text;
  advance();
  return true;
}

bool TokenReader::number(uint32_t& out, std::string_view expected) {
  if (token_.kind != TokenKind::kNumber || !read_number(token_.text, out)) return fail(expected);
  advance();
  return true;
}

bool TokenReader::reg(Register& out) {
  constexpr std::string_view kExpected = "a register, like %0";
  if (token_.kind != TokenKind::kRegister) return fail(kExpected);
  if (token_.text == "%_") {
    out = kNoRegister;
  } else if (!read_number(token_.text.substr(1), out)) {
    return fail(kExpected);
  }
  advance();
  return true;
}

bool TokenReader::target(uint32_t& out) {
  constexpr std::string_view kExpected = "a block, like bb0";
  if (token_.kind != TokenKind::kWord || !token_.text.starts_with("bb") ||
      !read_number(token_.text.substr(2), out)) {
    return fail(kExpected);
  }
  advance();
  return true;
}

bool TokenReader::range(Range& out) {
  if (!accept_mark('!')) return true;
  return number(out.file, "the number of a file") && expect_mark(':') &&
         number(out.line, "a line") && expect_mark(':') && number(out.column, "a column") &&
         expect_mark('-') && number(out.end_line, "the last line") && expect_mark(':') &&
         number(out.end_column, "the last column");
}

}  // namespace placecheck::ir
