#include "analyzer/ir/lexer.h"

namespace placecheck::ir {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool starts_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '@';
}

bool continues_word(char c) { return starts_word(c) || is_digit(c) || c == '.'; }

}  // namespace

bool is_word(std::string_view text) {
  if (text.empty() || !starts_word(text[0])) return false;
  for (char c : text) {
    if (!continues_word(c)) return false;
  }
  return true;
}

void Lexer::skip_blanks() {
  for (; position_ < text_.size(); ++position_) {
    char c = text_[position_];
    if (c == '#') {
      position_ = text_.find('\n', position_);
      if (position_ == std::string_view::npos) position_ = text_.size();
      c = at(position_);
      if (position_ == text_.size()) return;
    }
    if (c == '\n') {
      ++line_;
      line_start_ = position_ + 1;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      return;
    }
  }
}

size_t Lexer::scan_string(TokenKind& kind) const {
  for (size_t i = position_ + 1; i < text_.size() && text_[i] != '\n'; ++i) {
    if (text_[i] == '"') {
      kind = TokenKind::kString;
      return i + 1;
    }
    if (text_[i] == '\\') ++i;
  }
  kind = TokenKind::kBad;
  return text_.size();
}

size_t Lexer::scan_number() const {
  size_t i = position_ + 1;
  while (is_digit(at(i))) ++i;
  if (at(i) == '.') {
    for (++i; is_digit(at(i));) ++i;
  }
  if (at(i) != 'e') return i;
  size_t exponent = i + 1;
  if (at(exponent) == '-' || at(exponent) == '+') ++exponent;
  if (!is_digit(at(exponent))) return i;
  while (is_digit(at(exponent))) ++exponent;
  return exponent;
}

size_t Lexer::scan(TokenKind& kind) const {
  char c = text_[position_];
  if (starts_word(c)) {
    kind = TokenKind::kWord;
    size_t i = position_ + 1;
    while (i < text_.size() && continues_word(text_[i])) ++i;
    return i;
  }
  if (c == '"') return scan_string(kind);
  if (is_digit(c)) {
    kind = TokenKind::kNumber;
    return scan_number();
  }
  if (c == '%') {
    size_t i = position_ + 1;
    if (at(i) == '_') {
      ++i;
    } else {
      while (is_digit(at(i))) ++i;
    }
    kind = i == position_ + 1 ? TokenKind::kBad : TokenKind::kRegister;
    return i;
  }
  if (c == '-' && at(position_ + 1) == '>') {
    kind = TokenKind::kArrow;
    return position_ + 2;
  }
  bool is_known = std::string_view("{}()<>,:=!-").find(c) != std::string_view::npos;
  kind = is_known ? TokenKind::kPunctuation : TokenKind::kBad;
  return position_ + 1;
}

Token Lexer::next() {
  skip_blanks();
  Token token;
  token.line = line_;
  token.column = static_cast<uint32_t>(position_ - line_start_ + 1);
  if (position_ >= text_.size()) return token;
  size_t end = scan(token.kind);
  token.text = text_.substr(position_, end - position_);
  position_ = end;
  return token;
}

}  // namespace placecheck::ir
