// IR as text: parse, verify, print, link, serialize.
#include <string>

#include "analyzer/ir/link.h"
#include "analyzer/ir/parse.h"
#include "analyzer/ir/print.h"
#include "analyzer/ir/serialize.h"
#include "analyzer/ir/verify.h"
#include "tests/fuzz/entry.h"

namespace placecheck::fuzz {
namespace {

using namespace ir;  // NOLINT(google-build-using-namespace)

std::string check_unit(const Unit& unit) {
  const Unit* units[] = {&unit};
  for (const Program& program : link(units)) {
    for (const Function* entry : program.entries()) {
      if (program.unit_of(*entry) != &unit) return "an entry outside the program";
    }
  }
  DeserializeResult binary = deserialize(serialize(unit));
  if (!binary.ok()) return "a sound unit does not survive its binary form";
  if (to_string(binary.unit) != to_string(unit)) return "the binary form changes the unit";
  return "";
}

}  // namespace

std::string check(const std::string& text) {
  ParseResult parsed = parse(text);
  std::string printed = to_string(parsed.unit);  // also what was read before an error
  bool is_sound = verify(parsed.unit).empty();
  if (!parsed.ok()) return "";
  ParseResult again = parse(printed);
  if (!again.ok()) return "what was printed does not parse";
  if (to_string(again.unit) != printed) return "printing what was printed changes it";
  return is_sound ? check_unit(parsed.unit) : "";
}

}  // namespace placecheck::fuzz
