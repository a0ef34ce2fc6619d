#include "analyzer/findings/comments.h"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <utility>

#include "analyzer/files/notebook.h"

namespace placecheck::findings {
namespace {

class Scanner {
 public:
  Scanner(llvm::StringRef text, CommentStyle style) : text_(text), style_(style) {}

  std::vector<Comment> scan() {
    while (position_ < text_.size()) step();
    return std::move(comments_);
  }

 private:
  bool at(llvm::StringRef what) const { return text_.substr(position_).starts_with(what); }

  void step() {
    if (style_ == CommentStyle::kHash ? at("#") : at("//")) {
      add_comment(text_.find('\n', position_));
    } else if (style_ == CommentStyle::kSlashes && at("/*")) {
      const std::size_t close = text_.find("*/", position_ + 2);
      add_comment(close == llvm::StringRef::npos ? close : close + 2);
    } else if (at("\"") || at("'")) {
      skip_quoted();
    } else {
      advance(1);
    }
  }

  void add_comment(std::size_t end) {
    end = std::min(end, text_.size());
    while (position_ < end) {
      const std::size_t line_end = std::min(text_.find('\n', position_), end);
      const auto column = static_cast<unsigned>(position_ - line_start_ + 1);
      comments_.push_back({line_, column, text_.slice(position_, line_end).rtrim('\r')});
      advance(std::min(line_end + 1, end) - position_);
    }
  }

  void skip_quoted() {
    const char quote = text_[position_];
    if (style_ == CommentStyle::kSlashes) {
      if (quote == '\'' && previous_is_digit()) return advance(1);  // 1'000
      if (quote == '"' && position_ > 0 && text_[position_ - 1] == 'R') return skip_raw_string();
    } else if (at(std::string(3, quote))) {
      return skip_to_close(std::string(3, quote), /*over_lines=*/true);
    }
    skip_to_close(std::string(1, quote), /*over_lines=*/false);
  }

  bool previous_is_digit() const {
    return position_ > 0 && std::isdigit(static_cast<unsigned char>(text_[position_ - 1]));
  }

  void skip_raw_string() {
    const std::size_t open = text_.find('(', position_);
    if (open == llvm::StringRef::npos) return advance(1);
    const std::string close = ")" + text_.slice(position_ + 1, open).str() + "\"";
    const std::size_t end = text_.find(close, open);
    advance(std::min(end == llvm::StringRef::npos ? end : end + close.size(), text_.size()) -
            position_);
  }

  // Past the closing quote; a one-line string that is not closed ends with its line.
  void skip_to_close(const std::string& close, bool over_lines) {
    advance(close.size());
    while (position_ < text_.size() && !at(close)) {
      if (text_[position_] == '\n' && !over_lines) return;
      advance(text_[position_] == '\\' ? 2 : 1);
    }
    advance(close.size());
  }

  void advance(std::size_t count) {
    const std::size_t end = std::min(count, text_.size() - position_) + position_;
    for (; position_ < end; ++position_) {
      if (text_[position_] == '\n') {
        ++line_;
        line_start_ = position_ + 1;
      }
    }
  }

  llvm::StringRef text_;
  CommentStyle style_;
  std::size_t position_ = 0;
  std::size_t line_start_ = 0;
  unsigned line_ = 1;
  std::vector<Comment> comments_;
};

}  // namespace

std::vector<Comment> find_comments(llvm::StringRef text, CommentStyle style) {
  return Scanner(text, style).scan();
}

CommentStyle comment_style(llvm::StringRef file) {
  const bool is_python = file.ends_with(".py") || files::is_notebook(file);
  return is_python ? CommentStyle::kHash : CommentStyle::kSlashes;
}

}  // namespace placecheck::findings
