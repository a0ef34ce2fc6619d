// A baseline: read, written, read again.
#include "analyzer/findings/baseline.h"
#include "llvm/Support/raw_ostream.h"
#include "tests/fuzz/entry.h"
#include "tests/fuzz/reader.h"

namespace placecheck::fuzz {
namespace {

std::string written(const findings::Baseline& baseline) {
  std::string text;
  llvm::raw_string_ostream out(text);
  baseline.write(out);
  return text;
}

}  // namespace

std::string check(const std::string& text) {
  llvm::Expected<findings::Baseline> read = findings::Baseline::parse(text);
  if (!read) return llvm::toString(read.takeError()).empty() ? "an error without a text" : "";
  std::string once = written(*read);
  llvm::Expected<findings::Baseline> again = findings::Baseline::parse(once);
  if (!again) return "what was written is refused: " + llvm::toString(again.takeError());
  return written(*again) == once ? "" : "reading what was written changes it";
}

const Reader& reader() {
  static const Reader reader{R"({"version": 1, "findings": [
  {"fingerprint": "0123456789abcdef", "rule": "device-mismatch", "file": "a.cc", "message": "no"},
  {"fingerprint": "fedcba9876543210", "rule": "lost-state", "file": "b \u00e9.cc", "message": ""}
]})",
                             {"{",          "}",    "[",  "]",       ":",
                              ",",          "\"",   "\\", "\\u0000", "\\ud800",
                              "null",       "true", "-1", "1e999",   "99999999999999999999",
                              "\xff",       "\n",   "//", "version", "findings",
                              "fingerprint"}};
  return reader;
}

}  // namespace placecheck::fuzz
