// Text made fit for a terminal: names of files and of functions may hold any bytes.
#ifndef PLACECHECK_ANALYZER_FINDINGS_PRINTABLE_H_
#define PLACECHECK_ANALYZER_FINDINGS_PRINTABLE_H_

#include <string>

#include "analyzer/findings/json_text.h"

namespace placecheck::findings {

// Invalid UTF-8 becomes the replacement character, a control character a blank: no text of an
// analysed project moves the cursor.
inline std::string printable_text(llvm::StringRef text) {
  std::string clean = clean_text(text);
  for (char& c : clean) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    if (is_control && c != '\t') c = ' ';
  }
  return clean;
}

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_PRINTABLE_H_
