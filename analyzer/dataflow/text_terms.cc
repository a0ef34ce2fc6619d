#include "analyzer/dataflow/text_terms.h"

#include <algorithm>
#include <utility>

#include "analyzer/dataflow/place.h"

namespace placecheck::dataflow {
namespace {

constexpr std::string_view kCuda = "cuda";
constexpr std::string_view kNumbered = "cuda:";
constexpr std::string_view kOfNumbers = "-0123456789";

bool has_only(std::string_view text, std::string_view characters) {
  return text.find_first_not_of(characters) == std::string_view::npos;
}

}  // namespace

bool TextPattern::Piece::may_be(std::string_view text) const {
  switch (kind) {
    case Kind::kLiteral:
      return text == literal;
    case Kind::kNumber:
      return !text.empty() && has_only(text, kOfNumbers);
    case Kind::kDeviceIndex:  // ":1", or nothing
      return text.empty() ||
             (text.size() > 1 && text[0] == ':' && has_only(text.substr(1), kOfNumbers));
    case Kind::kAnything:
      return true;
  }
  return true;
}

TextPattern::TextPattern(const Value& text, const Names& names) {
  if (text.is(ValueKind::kString))
    add_literal(names.text(text.name));
  else if (text.is(ValueKind::kSymbol))
    add(text.name, names);
  else
    pieces_.push_back({Piece::Kind::kAnything});
}

void TextPattern::add_literal(std::string_view text) {
  if (!pieces_.empty() && pieces_.back().kind == Piece::Kind::kLiteral)
    pieces_.back().literal += text;
  else
    pieces_.push_back({Piece::Kind::kLiteral, std::string(text)});
}

void TextPattern::add(Name text, const Names& names) {
  const std::string_view spelled = names.text(text);
  if (is_literal(spelled) && spelled.starts_with("'"))
    return add_literal(spelled.substr(1, spelled.size() - 2));
  if (names.is_term(text, "add")) {
    for (const Name each : names.operands(text)) add(each, names);
    return;
  }
  if (names.is_term(text, kTextOfCudaDevice)) {
    add_literal(kCuda);
    pieces_.push_back({Piece::Kind::kDeviceIndex});
    return;
  }
  // Nothing but a number follows the type of a device.
  const bool is_number = names.is_term(text, "text") || beginning() == kNumbered;
  pieces_.push_back({is_number ? Piece::Kind::kNumber : Piece::Kind::kAnything});
}

std::string_view TextPattern::beginning() const& {
  const bool is_known = !pieces_.empty() && pieces_.front().kind == Piece::Kind::kLiteral;
  return is_known ? std::string_view(pieces_.front().literal) : std::string_view();
}

bool TextPattern::matches(std::string_view text) const {
  // ends[n]: the pieces so far may be the first n characters.
  std::vector<bool> ends(text.size() + 1);
  ends[0] = true;
  for (const Piece& piece : pieces_) {
    std::vector<bool> next(text.size() + 1);
    for (size_t from = 0; from <= text.size(); ++from) {
      for (size_t to = from; ends[from] && to <= text.size(); ++to)
        if (piece.may_be(text.substr(from, to - from))) next[to] = true;
    }
    ends = std::move(next);
  }
  return ends.back();
}

std::optional<bool> TextPattern::equals(std::string_view other) const {
  if (!matches(other)) return false;
  const bool is_whole = pieces_.size() == 1 && pieces_[0].kind == Piece::Kind::kLiteral;
  return is_whole ? std::optional(true) : std::nullopt;
}

std::optional<bool> TextPattern::begins_with(std::string_view part) const {
  const std::string_view known = beginning();
  if (known.starts_with(part)) return true;
  if (!part.starts_with(known)) return false;
  const size_t next = known.empty() ? 0 : 1;
  if (next == pieces_.size()) return false;
  const char first = part[known.size()];
  const Piece& piece = pieces_[next];
  const bool may_follow =
      piece.kind == Piece::Kind::kAnything ||
      (piece.kind == Piece::Kind::kDeviceIndex && first == ':') ||
      (piece.kind == Piece::Kind::kNumber && kOfNumbers.find(first) != kOfNumbers.npos);
  return may_follow ? std::nullopt : std::optional(false);
}

std::optional<bool> TextPattern::contains(std::string_view part) const {
  const auto has_part = [&](const Piece& piece) {
    return piece.kind == Piece::Kind::kLiteral && piece.literal.find(part) != std::string::npos;
  };
  if (std::ranges::any_of(pieces_, has_part)) return true;
  const auto is_anything = [](const Piece& piece) { return piece.kind == Piece::Kind::kAnything; };
  const bool may_meet_number = part.find_first_of(kOfNumbers) != std::string_view::npos ||
                               part.find(':') != std::string_view::npos;
  const bool is_literal = pieces_.size() == 1 && pieces_[0].kind == Piece::Kind::kLiteral;
  const bool may_have_it =
      std::ranges::any_of(pieces_, is_anything) || (!is_literal && may_meet_number);
  return may_have_it ? std::nullopt : std::optional(false);
}

bool names_cuda_device(const Value& text, const Names& names) {
  if (text.is(ValueKind::kString))
    return parse_device(names.text(text.name)).kind == PlaceKind::kCuda;
  const TextPattern pattern(text, names);
  const std::string_view beginning = pattern.beginning();
  return text.is(ValueKind::kSymbol) && (beginning == kCuda || beginning.starts_with(kNumbered));
}

}  // namespace placecheck::dataflow
