// A lowered unit as the cache keeps it.
#include "analyzer/unit_cache.h"
#include "tests/fuzz/entry.h"
#include "tests/fuzz/reader.h"
#include "tests/ir/sample.h"

namespace placecheck::fuzz {

std::string check(const std::string& text) {
  std::optional<LoweredUnit> read = unit_from(text);
  if (!read) return "";
  std::string once = bytes_of(*read);
  std::optional<LoweredUnit> again = unit_from(once);
  if (!again) return "what was written is refused";
  return bytes_of(*again) == once ? "" : "reading what was written changes it";
}

const Reader& reader() {
  static const Reader reader = [] {
    LoweredUnit unit;
    unit.result.unit = ir::parse(ir::kEverything).unit;
    unit.left_out = {"f@train.cc: a register is used before it is defined"};
    using namespace std::string_view_literals;
    return Reader{bytes_of(unit),
                  {"\0"sv, "\1"sv, "\x7f"sv, "\x80"sv, "\xff\xff\xff\xff"sv, "\0\0\0\0\0\0\0\0"sv,
                   "\xff\xff\xff\xff\xff\xff\xff\x7f"sv}};
  }();
  return reader;
}

}  // namespace placecheck::fuzz
