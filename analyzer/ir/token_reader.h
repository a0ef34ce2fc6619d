// One token of lookahead over IR text, and the pieces that every construct of it is made of.
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "analyzer/ir/ir.h"
#include "analyzer/ir/lexer.h"

namespace placecheck::ir {

template <typename Number>
bool read_number(std::string_view text, Number& out) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

// Every method returns false once something did not fit; the first misfit is the error.
class TokenReader {
 public:
  explicit TokenReader(std::string_view text) : lexer_(text) { advance(); }

  const Token& token() const { return token_; }
  bool on_new_line() const { return token_.line != previous_line_; }
  std::string take_error() { return std::move(error_); }

  void advance();
  bool fail(std::string_view expected);
  bool is_word(std::string_view word) const;
  bool is_mark(char mark) const;
  bool accept_word(std::string_view word);
  bool accept_mark(char mark);
  bool expect_word(std::string_view word);
  bool expect_mark(char mark);
  bool expect_arrow();

  bool string(std::string& out, std::string_view expected);
  bool name(std::string& out, std::string_view expected);
  bool number(uint32_t& out, std::string_view expected);
  bool reg(Register& out);
  bool target(uint32_t& out);
  bool range(Range& out);

  template <size_t kSize>
  bool choice(const std::array<std::string_view, kSize>& words, size_t& out,
              std::string_view expected) {
    const auto* found = std::find(words.begin(), words.end(), token_.text);
    if (token_.kind != TokenKind::kWord || found == words.end()) return fail(expected);
    out = static_cast<size_t>(found - words.begin());
    advance();
    return true;
  }

 private:
  Lexer lexer_;
  Token token_;
  uint32_t previous_line_ = 0;  // of the token before
  std::string error_;
};

}  // namespace placecheck::ir
