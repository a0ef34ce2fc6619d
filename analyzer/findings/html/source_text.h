// Source lines as a browser counts them, and which expression each stretch of them belongs to.
//
// Values that own their text; no state.
#ifndef PLACECHECK_ANALYZER_FINDINGS_HTML_SOURCE_TEXT_H_
#define PLACECHECK_ANALYZER_FINDINGS_HTML_SOURCE_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/dataflow/place_table.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::findings::html {

// One line, with what is not UTF-8 replaced, and its positions in UTF-16 units.
class SourceLine {
 public:
  explicit SourceLine(llvm::StringRef line);

  const std::string& text() const { return text_; }
  std::size_t bytes() const { return bytes_; }
  // How many units stand before a column in bytes, from 1; the whole line where that is behind it.
  unsigned units_before(unsigned column) const;
  // Columns, in bytes from 0, of the first letter that is no blank, and behind the last.
  std::size_t first_letter() const { return first_; }
  std::size_t letters_end() const { return last_; }

 private:
  std::string text_;
  std::size_t bytes_ = 0;
  std::size_t first_ = 0;
  std::size_t last_ = 0;
  unsigned units_ = 0;
  std::vector<unsigned> before_;  // by byte; empty: a unit for each byte
};

// A stretch of a line, in UTF-16 units from 0; the end is exclusive.
struct Segment {
  unsigned start = 0;
  unsigned end = 0;
  std::size_t expression = 0;  // an index into the spans
};

// By line: which span each letter belongs to, of several the innermost. `spans` are in order.
std::vector<std::vector<Segment>> segments_of(const std::vector<dataflow::SourceSpan>& spans,
                                              const std::vector<SourceLine>& lines);

}  // namespace placecheck::findings::html

#endif  // PLACECHECK_ANALYZER_FINDINGS_HTML_SOURCE_TEXT_H_
