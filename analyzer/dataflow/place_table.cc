#include "analyzer/dataflow/place_table.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace placecheck::dataflow {
namespace {

// Of one expression; nobody reads on.
constexpr size_t kMostPlaces = 8;

bool contains(const SourceSpan& span, uint32_t line, uint32_t column) {
  return std::tie(span.line, span.column) <= std::tie(line, column) &&
         std::tie(line, column) < std::tie(span.end_line, span.end_column);
}

// Of two that contain one position, the shorter.
bool is_within(const SourceSpan& inner, const SourceSpan& outer) {
  return std::tie(outer.line, outer.column) <= std::tie(inner.line, inner.column) &&
         std::tie(inner.end_line, inner.end_column) <= std::tie(outer.end_line, outer.end_column);
}

}  // namespace

uint32_t PlaceTable::intern(const DecidedPlace& place) {
  auto [at, is_new] = indices_.try_emplace(place, static_cast<uint32_t>(places_.size()));
  if (is_new) places_.push_back(place);
  return at->second;
}

void PlaceTable::record(const std::string& file, const SourceSpan& span, std::string_view what,
                        uint32_t place) {
  PlacedExpression& expression = files_[file][span];
  if (expression.what.empty()) expression.what = what;
  std::vector<uint32_t>& places = expression.places;
  if (std::ranges::find(places, place) != places.end()) return;
  if (places.size() == kMostPlaces)
    expression.has_more = true;
  else
    places.push_back(place);
}

void PlaceTable::mark_more(const std::string& file, const SourceSpan& span) {
  files_[file][span].has_more = true;
}

void PlaceTable::add(const PlaceTable& other) {
  std::vector<uint32_t> renamed;
  renamed.reserve(other.places_.size());
  for (const DecidedPlace& place : other.places_) renamed.push_back(intern(place));
  for (const auto& [file, expressions] : other.files_) {
    for (const auto& [span, expression] : expressions) {
      for (uint32_t place : expression.places) record(file, span, expression.what, renamed[place]);
      if (expression.has_more) mark_more(file, span);
    }
  }
}

const PlacedExpression* PlaceTable::at(const std::string& file, uint32_t line, uint32_t column,
                                       SourceSpan* span) const {
  auto found = files_.find(file);
  if (found == files_.end()) return nullptr;
  const PlacedExpression* best = nullptr;
  SourceSpan best_span;
  for (const auto& [each, expression] : found->second) {
    if (std::tie(each.line, each.column) > std::tie(line, column)) break;
    if (!contains(each, line, column) || (best && !is_within(each, best_span))) continue;
    best = &expression;
    best_span = each;
  }
  if (best && span) *span = best_span;
  return best;
}

}  // namespace placecheck::dataflow
