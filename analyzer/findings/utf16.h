// Lengths of UTF-8 text in the UTF-16 units in which editors and SARIF viewers count. Pure
// functions; bytes that begin no character count as one.
#ifndef PLACECHECK_ANALYZER_FINDINGS_UTF16_H_
#define PLACECHECK_ANALYZER_FINDINGS_UTF16_H_

#include <cstddef>

#include "llvm/ADT/StringRef.h"

namespace placecheck::findings {

// Whether a byte is one of a character that began before it.
inline bool continues_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

inline std::size_t utf16_units(llvm::StringRef text) {
  std::size_t units = 0;
  for (char c : text) {
    if (!continues_character(c)) units += static_cast<unsigned char>(c) >= 0xF0 ? 2 : 1;
  }
  return units;
}

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_UTF16_H_
