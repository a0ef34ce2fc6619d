// Cuts IR text into tokens, for parse.cc.
//
// Tokens point into the text, which must outlive them. One thread at a time per lexer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace placecheck::ir {

enum class TokenKind : uint8_t {
  kEnd,
  kWord,         // load, bb0, x.2, @slot
  kString,       // "..." with its quotes
  kNumber,       // 12, -3, 1.5e-3
  kRegister,     // %12, %_
  kPunctuation,  // one of { } ( ) < > , : = ! -
  kArrow,        // ->
  kBad,          // anything else, an unterminated string
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string_view text;
  uint32_t line = 1;
  uint32_t column = 1;
};

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  Token next();

 private:
  void skip_blanks();
  size_t scan(TokenKind& kind) const;
  size_t scan_string(TokenKind& kind) const;
  size_t scan_number() const;
  char at(size_t index) const { return index < text_.size() ? text_[index] : '\0'; }

  std::string_view text_;
  size_t position_ = 0;
  size_t line_start_ = 0;
  uint32_t line_ = 1;
};

// Whether `text` reads as one kWord token.
bool is_word(std::string_view text);

}  // namespace placecheck::ir
