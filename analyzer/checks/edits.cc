#include "analyzer/checks/edits.h"

#include <algorithm>
#include <iterator>

#include "analyzer/ir/walk.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::checks {
namespace {

using dataflow::Site;
using findings::FixIt;

std::pair<uint32_t, uint32_t> begin_of(const ir::Range& range) {
  return {range.line, range.column};
}
std::pair<uint32_t, uint32_t> end_of(const ir::Range& range) {
  return {range.end_line, range.end_column};
}

Site start_of(const Site& site) {
  Site point = site;
  point.range.end_line = site.range.line;
  point.range.end_column = site.range.column;
  return point;
}

Site end_of(const Site& site) {
  Site point = site;
  point.range.line = site.range.end_line;
  point.range.column = site.range.end_column;
  return point;
}

// The last argument that is written behind the call's name.
const ir::Argument* last_written(const WrittenCall& call) {
  const ir::Argument* last = nullptr;
  const size_t receivers = call.call().kind == ir::CallKind::kMethod ? 1 : 0;
  for (size_t i = receivers; i < call.call().arguments.size(); ++i) {
    const ir::Argument& each = call.call().arguments[i];
    const bool is_inside = each.range.valid() && contains(call.instruction->range, each.range);
    if (is_inside && (!last || end_of(last->range) < end_of(each.range))) last = &each;
  }
  return last;
}

bool needs_parentheses(llvm::StringRef text) {
  int depth = 0;
  char quote = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (llvm::StringRef("([{").contains(c)) {
      ++depth;
    } else if (llvm::StringRef(")]}").contains(c)) {
      --depth;
    } else if (depth == 0 && text.substr(i).starts_with("->")) {
      ++i;
    } else if (depth == 0 && !llvm::isAlnum(c) && !llvm::StringRef("_.:").contains(c)) {
      return true;
    }
  }
  return false;
}

// Whether no expression that began on an earlier line goes on behind the start of the line.
bool is_outside_expressions(const Site& site) {
  const ir::Function* function = function_at(site);
  if (!function) return false;
  bool is_outside = true;
  ir::walk_instructions(*function, [&](const ir::Instruction& each, ir::InstructionPlace) {
    const ir::Range& range = each.range;
    is_outside &= range.file != site.range.file || range.line >= site.range.line ||
                  range.end_line < site.range.line;
  });
  return is_outside;
}

}  // namespace

std::string_view bare_name(const ir::Call& call) {
  const std::string_view name = ir::last_component(call.name);
  const size_t dot = name.rfind('.');
  return dot == std::string_view::npos ? name : name.substr(dot + 1);
}

const ir::Function* function_at(const Site& site) {
  const ir::Function* found = nullptr;
  for (const ir::Function& function : site.unit->functions) {
    // Of two for the same text, the first has its statements: the other one starts it.
    const bool is_closer =
        !found || (contains(found->range, function.range) && !(found->range == function.range));
    if (contains(function.range, site.range) && is_closer) found = &function;
  }
  return found;
}

bool contains(const ir::Range& outer, const ir::Range& inner) {
  return outer.valid() && inner.valid() && outer.file == inner.file &&
         begin_of(outer) <= begin_of(inner) && end_of(inner) <= end_of(outer);
}

bool is_before(const ir::Range& a, const ir::Range& b) {
  return a.file == b.file && end_of(a) <= begin_of(b);
}

std::optional<WrittenCall> call_at(const Site& site) {
  if (!site.valid()) return std::nullopt;
  std::optional<WrittenCall> found;
  for (const ir::Function& function : site.unit->functions) {
    for (const ir::Block& block : function.blocks) {
      for (const ir::Instruction& each : block.instructions) {
        if (each.opcode == ir::Opcode::kCall && each.range == site.range)
          found = WrittenCall{site.unit, &function, &block, &each};
      }
    }
    if (found) return found;
  }
  return found;
}

const ir::Argument* find_argument(const ir::Call& call, std::string_view name, size_t index) {
  for (const ir::Argument& each : call.arguments) {
    if (!name.empty() && each.name == name) return &each;
  }
  if (index >= call.arguments.size() || !call.arguments[index].name.empty()) return nullptr;
  return &call.arguments[index];
}

FixIt replace(const Site& site, std::string text) {
  return {Reporter::range_of(site), std::move(text)};
}

FixIt insert_before(const Site& site, std::string text) {
  return replace(start_of(site), std::move(text));
}

FixIt insert_behind(const Site& site, std::string text) {
  return replace(end_of(site), std::move(text));
}

FixIts add_argument(const WrittenCall& call, const std::string& text, Reporter& reporter) {
  const std::string written = reporter.source_of(call.site());
  if (!llvm::StringRef(written).ends_with(")")) return {};
  if (const ir::Argument* last = last_written(call))
    return {insert_behind(call.site_of(*last), ", " + text)};
  if (!llvm::StringRef(written).ends_with("()")) return {};
  Site inside = call.site();
  if (inside.range.end_column < 2) return {};
  --inside.range.end_column;
  return {insert_behind(inside, text)};
}

bool is_spread(const Site& site, std::string_view text) {
  return Reporter::is_python(site) && text.starts_with("*");
}

FixIts add_suffix(const Site& site, const std::string& suffix, Reporter& reporter) {
  const std::string text = reporter.source_of(site);
  if (text.empty() || is_spread(site, text)) return {};
  if (!needs_parentheses(text)) return {insert_behind(site, suffix)};
  return {insert_before(site, "("), insert_behind(site, ")" + suffix)};
}

bool begins_statement(const Site& site, Reporter& reporter) {
  const std::string file = Reporter::range_of(site).file;
  const llvm::StringRef line = reporter.line_of(file, site.range.line).ltrim();
  if (line.empty()) return false;
  const bool is_python = Reporter::is_python(site);
  const auto code_of = [&](unsigned number) {
    return reporter.line_of(file, number).split(is_python ? "#" : "//").first.trim();
  };
  unsigned above = site.range.line - 1;
  while (above > 0 && code_of(above).empty()) --above;
  if (above == 0) return false;
  const llvm::StringRef before = code_of(above);
  if (!is_python) return before.ends_with(";") || before.ends_with("{") || before.ends_with("}");
  constexpr std::string_view kGoOn[] = {"elif", "else", "except", "finally", "case", "while"};
  const std::string_view word = line.take_while([](char c) { return llvm::isAlpha(c); });
  const bool is_open = !before.empty() && llvm::StringRef("([{,\\").contains(before.back());
  return !is_open && (llvm::isAlpha(line[0]) || line[0] == '_') &&
         std::ranges::find(kGoOn, word) == std::end(kGoOn) && is_outside_expressions(site);
}

FixIts add_statement_before(const Site& site, const std::string& statement, Reporter& reporter) {
  const std::string file = Reporter::range_of(site).file;
  llvm::StringRef line = reporter.line_of(file, site.range.line);
  const size_t indent = line.find_first_not_of(" \t");
  if (indent == llvm::StringRef::npos || !begins_statement(site, reporter)) return {};
  Site start = site;
  start.range.column = static_cast<uint32_t>(indent + 1);
  return {insert_before(start, statement + "\n" + line.take_front(indent).str())};
}

std::string receiver_text(const Site& site, Reporter& reporter) {
  const std::string text = reporter.source_of(site);
  llvm::StringRef name = llvm::StringRef(text).rtrim();
  if (!name.consume_back("->")) name.consume_back(".");
  return name.rtrim().str();
}

bool is_name(std::string_view text) {
  if (text.empty() || llvm::isDigit(text[0])) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("->")) {
      ++i;
    } else if (!llvm::isAlnum(text[i]) && text[i] != '_' && text[i] != '.' && text[i] != ':') {
      return false;
    }
  }
  return true;
}

std::string device_expression(const dataflow::Place& place, const Site& site) {
  const bool is_cuda = place.kind == dataflow::PlaceKind::kCuda && place.index >= 0;
  if (!place.is_cpu() && !is_cuda) return "";
  const std::string name = place.is_cpu() ? "cpu" : "cuda:" + std::to_string(place.index);
  if (Reporter::is_python(site)) return "\"" + name + "\"";
  return place.is_cpu() ? "torch::kCPU" : "torch::Device(\"" + name + "\")";
}

}  // namespace placecheck::checks
