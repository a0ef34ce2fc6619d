#include "analyzer/checks/cuda_fixes.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace placecheck::checks {
namespace {

using dataflow::Site;
using findings::SourceRange;

// The arguments between `<<<` and `>>>` of a launch, by where they begin and end in its text.
struct LaunchArguments {
  std::vector<std::pair<size_t, size_t>> ranges;
  size_t end = 0;  // of the last one
};

// None where `<` or `>` within makes the commas ambiguous.
std::optional<LaunchArguments> launch_arguments(llvm::StringRef text) {
  const size_t open = text.find("<<<");
  const size_t close = text.find(">>>", open);
  if (open == llvm::StringRef::npos || close == llvm::StringRef::npos) return std::nullopt;
  LaunchArguments arguments;
  int depth = 0;
  size_t begin = open + 3;
  for (size_t at = begin; at < close; ++at) {
    const char c = text[at];
    if (llvm::StringRef("<>\"'").contains(c)) return std::nullopt;
    if (llvm::StringRef("([{").contains(c)) ++depth;
    if (llvm::StringRef(")]}").contains(c)) --depth;
    if (c != ',' || depth != 0) continue;
    arguments.ranges.emplace_back(begin, at);
    begin = at + 1;
  }
  arguments.ranges.emplace_back(begin, close);
  arguments.end = close;
  return depth == 0 ? std::optional(std::move(arguments)) : std::nullopt;
}

// Part of the text at `site`, from one offset to another.
SourceRange part_of(const Site& site, llvm::StringRef text, size_t begin, size_t end) {
  const SourceRange all = Reporter::range_of(site);
  auto position = [&](size_t offset) {
    const llvm::StringRef before = text.take_front(offset);
    const auto lines = static_cast<unsigned>(before.count('\n'));
    const size_t in_line = offset - (lines == 0 ? 0 : before.rfind('\n') + 1);
    const auto column = static_cast<unsigned>(in_line + (lines == 0 ? all.column : 1));
    return std::pair(all.line + lines, column);
  };
  const auto [line, column] = position(begin);
  const auto [end_line, end_column] = position(end);
  return {all.file, line, column, end_line, end_column};
}

llvm::StringRef indentation(llvm::StringRef line) {
  return line.take_while([](char c) { return c == ' ' || c == '\t'; });
}

// Whether the text up to `end` opens no brace that it does not close.
bool is_outside_blocks(const SourceRange& start, const SourceRange& end, Reporter& reporter) {
  int depth = 0;
  for (unsigned number = start.line; number < end.line; ++number) {
    llvm::StringRef line = reporter.line_of(start.file, number);
    if (number == start.line)
      line = line.drop_front(std::min<size_t>(start.column - 1, line.size()));
    line = line.split("//").first;
    depth += static_cast<int>(line.count('{')) - static_cast<int>(line.count('}'));
  }
  return depth == 0;
}

}  // namespace

void add_include(findings::Finding& finding, const Site& site, std::string_view header,
                 Reporter& reporter) {
  if (reporter.file_mentions(site, header)) return;
  const std::string file = Reporter::range_of(site).file;
  unsigned last = 0;
  for (unsigned line = 1; line < site.range.line; ++line) {
    if (reporter.line_of(file, line).ltrim().starts_with("#include")) last = line;
  }
  finding.fix_its.push_back(
      {{file, last + 1, 1, last + 1, 1}, "#include <" + std::string(header) + ">\n"});
}

FixIts set_launch_stream(const Site& site, const std::string& stream, Reporter& reporter) {
  const std::string text = reporter.source_of(site);
  const std::optional<LaunchArguments> arguments = launch_arguments(text);
  if (!arguments) return {};
  constexpr size_t kGridAndBlock = 2, kWithMemory = 3, kWithStream = 4;
  const auto behind = [&](const std::string& more) {
    return FixIts{{part_of(site, text, arguments->end, arguments->end), more}};
  };
  switch (arguments->ranges.size()) {
    case kGridAndBlock:
      return behind(", 0, " + stream);
    case kWithMemory:
      return behind(", " + stream);
    case kWithStream: {
      const auto [begin, end] = arguments->ranges.back();
      return {{part_of(site, text, begin, end), " " + stream}};
    }
    default:
      return {};
  }
}

FixIts add_statement_behind(const Site& site, const std::string& statement, Reporter& reporter) {
  const SourceRange range = Reporter::range_of(site);
  const llvm::StringRef first = reporter.line_of(range.file, range.line);
  const llvm::StringRef indent = indentation(first);
  const llvm::StringRef rest =
      reporter.line_of(range.file, range.end_line).drop_front(range.end_column - 1);
  const bool begins_line = indent.size() + 1 == range.column;
  // Behind `if (...)`, or within a macro's arguments, a second statement is another program.
  if (!begins_line || !rest.starts_with(";") || !begins_statement(site, reporter)) return {};
  Site behind = site;
  ++behind.range.end_column;
  return {insert_behind(behind, "\n" + indent.str() + statement)};
}

FixIts rename_at(const Site& site, std::string_view from, const std::string& to,
                 Reporter& reporter) {
  const std::string text = reporter.source_of(site);
  const auto is_part = [&](size_t at) {
    return at < text.size() && (llvm::isAlnum(text[at]) || text[at] == '_');
  };
  std::optional<size_t> only;
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + 1)) {
    if ((at > 0 && is_part(at - 1)) || is_part(at + from.size())) continue;
    if (only) return {};
    only = at;
  }
  if (!only) return {};
  return {{part_of(site, text, *only, *only + from.size()), to}};
}

FixIts replace_statement_of_body(const Site& site, const Site& function,
                                 const std::string& statement, Reporter& reporter) {
  const SourceRange range = Reporter::range_of(site);
  if (range.line != range.end_line) return {};
  const llvm::StringRef line = reporter.line_of(range.file, range.line);
  llvm::StringRef before = line.take_front(range.column - 1).ltrim();
  llvm::StringRef behind = line.drop_front(range.end_column - 1).rtrim();
  if (before.consume_back("(") && !behind.consume_front(")")) return {};
  const bool is_macro = llvm::all_of(before, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!is_macro || !behind.starts_with(";")) return {};
  const std::optional<SourceRange> body = reporter.start_of_body(function);
  if (!body || body->file != range.file || !is_outside_blocks(*body, range, reporter)) return {};
  const auto begin = static_cast<unsigned>(indentation(line).size() + 1);
  const auto end = static_cast<unsigned>(line.find(';', range.end_column - 1) + 2);
  return {{{range.file, range.line, begin, range.line, end}, statement}};
}

}  // namespace placecheck::checks
