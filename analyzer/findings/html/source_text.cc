#include "analyzer/findings/html/source_text.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"

namespace placecheck::findings::html {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// The bytes of the letter at the beginning; 0 where there is none.
std::size_t letter_length(llvm::StringRef text) {
  const auto* begin = reinterpret_cast<const llvm::UTF8*>(text.begin());
  const auto* end = reinterpret_cast<const llvm::UTF8*>(text.end());
  return llvm::isLegalUTF8Sequence(begin, end) ? llvm::getNumBytesForUTF8(*begin) : 0;
}

struct Columns {
  std::size_t begin;
  std::size_t end;
};

// What of a line lies in a span, in bytes from 0, without the blanks around it.
Columns columns_in(const dataflow::SourceSpan& span, std::uint32_t number, const SourceLine& line) {
  std::size_t begin = number == span.line ? span.column - 1 : 0;
  std::size_t end = number == span.end_line ? span.end_column - 1 : line.bytes();
  if (number != span.line) begin = std::max(begin, line.first_letter());
  return {begin, std::min(end, line.letters_end())};
}

}  // namespace

SourceLine::SourceLine(llvm::StringRef line) : bytes_(line.size()) {
  const llvm::StringRef blanks = " \t\f\v";
  first_ = std::min(line.find_first_not_of(blanks), line.size());
  last_ = line.rtrim(blanks).size();
  if (llvm::all_of(line, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    text_ = line.str();
    units_ = static_cast<unsigned>(line.size());
    return;
  }
  before_.reserve(line.size());
  while (!line.empty()) {
    const std::size_t length = letter_length(line);
    const std::size_t taken = std::max<std::size_t>(length, 1);
    before_.insert(before_.end(), taken, units_);
    text_ += length == 0 ? kReplacement : std::string_view(line.data(), length);
    units_ += length == 4 ? 2 : 1;
    line = line.drop_front(taken);
  }
}

unsigned SourceLine::units_before(unsigned column) const {
  const std::size_t byte = std::max(column, 1u) - 1;
  if (byte >= bytes_) return units_;
  return before_.empty() ? static_cast<unsigned>(byte) : before_[byte];
}

std::vector<std::vector<Segment>> segments_of(const std::vector<dataflow::SourceSpan>& spans,
                                              const std::vector<SourceLine>& lines) {
  constexpr std::size_t kNobody = ~std::size_t{0};
  // The outer ones first, so that those within are painted over them.
  std::vector<std::size_t> order(spans.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    const auto begin = [](const auto& s) { return std::pair(s.line, s.column); };
    const auto end = [](const auto& s) { return std::pair(s.end_line, s.end_column); };
    if (begin(spans[a]) != begin(spans[b])) return begin(spans[a]) < begin(spans[b]);
    return end(spans[a]) > end(spans[b]);
  });
  std::vector<std::vector<std::size_t>> owners(lines.size());
  for (std::size_t each : order) {
    const dataflow::SourceSpan& span = spans[each];
    for (std::uint32_t n = std::max(span.line, 1u); n <= span.end_line && n <= lines.size(); ++n) {
      const auto [begin, end] = columns_in(span, n, lines[n - 1]);
      std::vector<std::size_t>& owner = owners[n - 1];
      if (begin < end) owner.resize(lines[n - 1].bytes(), kNobody);
      for (std::size_t i = begin; i < end; ++i) owner[i] = each;
    }
  }
  std::vector<std::vector<Segment>> segments(lines.size());
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const std::vector<std::size_t>& owner = owners[n];
    for (std::size_t i = 0, end = 0; i < owner.size(); i = end) {
      for (end = i; end < owner.size() && owner[end] == owner[i];) ++end;
      if (owner[i] == kNobody) continue;
      const unsigned from = lines[n].units_before(static_cast<unsigned>(i + 1));
      const unsigned to = lines[n].units_before(static_cast<unsigned>(end + 1));
      if (from < to) segments[n].push_back({from, to, owner[i]});
    }
  }
  return segments;
}

}  // namespace placecheck::findings::html
