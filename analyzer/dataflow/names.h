// Names and terms: interned texts, some of which are made of others.
//
// A Name is an index that is equal exactly when the text is; 0 is the empty text. A term, such as
// `lt(0,count)` or the field `net.weight` of something that is not known, is a Name too, and knows
// its operands: what it is about is asked by identity, never by searching texts. A symbol for what
// paths have joined knows its alternatives. One table per analysis, used by one thread.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace placecheck::dataflow {

using Name = uint32_t;

// Whether a text is that of a literal: a number, or a text in quotes.
inline bool is_literal(std::string_view text) {
  bool is_text = text.size() > 1 && text.starts_with("'") && text.ends_with("'");
  return is_text ||
         (!text.empty() && text.find_first_not_of("-0123456789") == std::string_view::npos);
}

class Names {
 public:
  Names() { intern(""); }
  Names(const Names&) = delete;
  Names& operator=(const Names&) = delete;

  Name intern(std::string_view text) {
    auto found = index_.find(text);
    if (found != index_.end()) return found->second;
    texts_.emplace_back(text);
    operands_.emplace_back();
    Name name = static_cast<Name>(texts_.size() - 1);
    index_.emplace(texts_.back(), name);
    return name;
  }
  const std::string& text(Name name) const { return texts_[name]; }
  // The integer that a literal is; nullopt for other names.
  std::optional<int64_t> integer(Name name) const {
    const std::string& text = texts_[name];
    int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool is_whole = error == std::errc() && end == text.data() + text.size() && !text.empty();
    return is_whole ? std::optional(number) : std::nullopt;
  }
  // The name of a text that was interned before; 0 if it was not.
  Name find(std::string_view text) const {
    auto found = index_.find(text);
    return found == index_.end() ? 0 : found->second;
  }

  // The name spelled `text`, which is about `operands`.
  Name derive(std::string_view text, std::vector<Name> operands) {
    Name name = intern(text);
    if (operands_[name].empty()) operands_[name] = std::move(operands);
    return name;
  }
  // The symbol `text`, of which it is known that it is one of a few literals. Symbols that differ
  // in these differ in their names.
  Name one_of(std::string_view text, std::vector<Name> literals) {
    std::string spelled(text);
    for (size_t i = 0; i < literals.size(); ++i) spelled += (i ? "," : "{") + texts_[literals[i]];
    const Name name = intern(spelled + "}");
    alternatives_.try_emplace(name, std::move(literals));
    return name;
  }
  // Empty where a name may be anything.
  std::span<const Name> alternatives(Name name) const {
    const auto found = alternatives_.find(name);
    return found == alternatives_.end() ? std::span<const Name>() : found->second;
  }
  // `operation(a,b)`.
  Name term(std::string_view operation, std::vector<Name> operands) {
    std::string spelled(operation);
    for (size_t i = 0; i < operands.size(); ++i) spelled += (i ? "," : "(") + text(operands[i]);
    return derive(spelled + ")", std::move(operands));
  }
  // Empty for what is no term.
  const std::vector<Name>& operands(Name name) const { return operands_[name]; }
  bool is_term(Name name, std::string_view operation) const {
    const std::string& spelled = texts_[name];
    return !operands_[name].empty() && spelled.size() > operation.size() &&
           spelled.starts_with(operation) && spelled[operation.size()] == '(';
  }
  // Whether `name` is `part`, or is about it.
  bool mentions(Name name, Name part) const {
    if (name == part) return true;
    const std::vector<Name>& inner = operands_[name];
    return std::any_of(inner.begin(), inner.end(), [&](Name each) { return mentions(each, part); });
  }
  // The same for any of `parts`, which are sorted.
  bool mentions_any(Name name, std::span<const Name> parts) const {
    if (std::binary_search(parts.begin(), parts.end(), name)) return true;
    const std::vector<Name>& inner = operands_[name];
    return std::any_of(inner.begin(), inner.end(),
                       [&](Name each) { return mentions_any(each, parts); });
  }
  // Adds `name` and all that it is about.
  void collect(Name name, std::vector<Name>& mentioned) const {
    mentioned.push_back(name);
    for (const Name each : operands_[name]) collect(each, mentioned);
  }

 private:
  std::deque<std::string> texts_;  // stable addresses for the keys of index_
  std::deque<std::vector<Name>> operands_;
  std::unordered_map<std::string_view, Name> index_;
  std::unordered_map<Name, std::vector<Name>> alternatives_;
};

}  // namespace placecheck::dataflow
