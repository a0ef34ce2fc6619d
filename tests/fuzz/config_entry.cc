// The configuration file: read, applied, dumped, read again.
#include "analyzer/config.h"
#include "tests/fuzz/entry.h"
#include "tests/fuzz/reader.h"

namespace placecheck::fuzz {
namespace {

constexpr char kPath[] = "/project/.placecheck.yaml";

std::string dump_of(const Config& config) {
  Options options;
  apply_config(config, options);
  return dump_config(options);
}

}  // namespace

std::string check(const std::string& text) {
  ConfigResult read = parse_config(text, kPath);
  if (!read.error.empty())
    return read.error.starts_with(kPath) ? "" : "an error that does not name the file";
  std::string dumped = dump_of(read.config);
  ConfigResult again = parse_config(dumped, kPath);
  if (!again.error.empty()) return "what was dumped is refused: " + again.error + "\n" + dumped;
  return dump_of(again.config) == dumped ? "" : "reading what was dumped changes it:\n" + dumped;
}

const Reader& reader() {
  static const Reader reader{R"(rules: [device-mismatch, -unregistered-state]
severity: {missing-map-location: error, hardcoded-device: off}
overrides:
  - paths: ["tests/**"]
    severity: {device-mismatch: advice}
  - paths: ["a.cc", 'b #.cc']
    severity: {lost-state: off}
fail_on: warning
exclude: ["third_party/**", "*_generated.cc"]
devices: 4
assume: [peers]
flags: [-DUSE_CUDA, "-DNAME=\"a b\"", -Iinclude]
)",
                             {":",
                              "-",
                              "[",
                              "]",
                              "{",
                              "}",
                              "|",
                              ">",
                              "&a",
                              "*a",
                              "<<:",
                              "!!int",
                              "? ",
                              "\"",
                              "'",
                              "#",
                              "\n",
                              "\n  ",
                              "\t",
                              "\xff",
                              "---",
                              "...",
                              "0x",
                              "99999999999999999999",
                              "~",
                              "rules",
                              "severity",
                              "off",
                              "inherit: true",
                              "devices: -1"}};
  return reader;
}

}  // namespace placecheck::fuzz
