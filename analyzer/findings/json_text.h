// Text made fit for JSON: source lines and paths may hold any bytes.
#ifndef PLACECHECK_ANALYZER_FINDINGS_JSON_TEXT_H_
#define PLACECHECK_ANALYZER_FINDINGS_JSON_TEXT_H_

#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

namespace placecheck::findings {

// Invalid UTF-8 becomes the replacement character.
inline std::string clean_text(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

}  // namespace placecheck::findings

#endif  // PLACECHECK_ANALYZER_FINDINGS_JSON_TEXT_H_
