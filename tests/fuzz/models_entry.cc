// A table of what the calls of a house library mean.
#include "analyzer/models_file.h"
#include "tests/fuzz/entry.h"
#include "tests/fuzz/reader.h"

namespace placecheck::fuzz {

std::string check(const std::string& text) {
  models::UserModels models;
  std::string error = add_models(text, "/project/models.yaml", models);
  bool names_file = error.empty() || error.starts_with("/project/models.yaml");
  return names_file ? "" : "an error that does not name the file";
}

const Reader& reader() {
  static const Reader reader{
      R"(calls:
  - name: house::load_image
    returns: cpu
  - name: house::to_device
    effect: transfer
  - {name: "house::Wrapper::to", effect: move-module}
)",
      {":",  "-",    "[",   "]",     "{",   "}",   "|",  ">",
       "&a", "*a",   "<<:", "!!int", "? ",  "\"",  "'",  "#",
       "\n", "\n  ", "\t",  "\xff",  "---", "...", "0x", "99999999999999999999",
       "~"}};
  return reader;
}

}  // namespace placecheck::fuzz
