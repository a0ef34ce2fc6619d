#include "analyzer/frontend/clang/header_info.h"

#include "llvm/ADT/StringExtras.h"

namespace placecheck::frontend {
namespace {

// One fact a line: a letter, then its values behind tabs.
void add(std::string& out, char what, llvm::ArrayRef<llvm::StringRef> values) {
  out += what;
  for (llvm::StringRef value : values) {
    out += '\t';
    out += value;
  }
  out += '\n';
}

bool read_file(llvm::StringRef rest, HeaderInfo& info) {
  llvm::SmallVector<llvm::StringRef, 5> fields;
  rest.split(fields, '\t', /*MaxSplit=*/4);
  cache::Stamp stamp;
  if (fields.size() != 5 || !llvm::to_integer(fields[0], stamp.size, 10) ||
      !llvm::to_integer(fields[1], stamp.modified, 10) ||
      !llvm::to_integer(fields[2], stamp.changed, 10) ||
      !llvm::to_integer(fields[3], stamp.content, 10))
    return false;
  info.files.emplace_back(fields[4].str(), stamp);
  return true;
}

bool read_line(char what, llvm::StringRef rest, HeaderInfo& info) {
  switch (what) {
    case 'k':
      info.key = rest.str();
      return true;
    case 'i':
      info.id = rest.str();
      return true;
    case 't':
      info.text += (rest + "\n").str();
      return true;
    case 'u':
      info.text = rest.str();
      return true;
    case 'c':
      return llvm::to_integer(rest, info.counter, 10);
    case 'f':
      return read_file(rest, info);
    case 'a':
      info.absent.push_back(rest.str());
      return true;
    case 'y':
      info.found.push_back(rest.str());
      return true;
    case 'n':
      info.missing.push_back(rest.str());
      return true;
    case 'r':
      info.roots[rest.split('\t').first.str()] = rest.split('\t').second.str();
      return true;
    default:
      return false;
  }
}

}  // namespace

std::string print_header_info(const HeaderInfo& info) {
  std::string out;
  add(out, 'k', {info.key});
  add(out, 'i', {info.id});
  add(out, 'c', {std::to_string(info.counter)});
  llvm::StringRef text = info.text;
  if (!text.empty() && !text.ends_with("\n")) add(out, 'u', {text});
  while (text.contains('\n')) {
    add(out, 't', {text.split('\n').first});
    text = text.split('\n').second;
  }
  for (const auto& [path, stamp] : info.files)
    add(out, 'f',
        {std::to_string(stamp.size), std::to_string(stamp.modified), std::to_string(stamp.changed),
         std::to_string(stamp.content), path});
  for (const std::string& each : info.absent) add(out, 'a', {each});
  for (const std::string& each : info.found) add(out, 'y', {each});
  for (const std::string& each : info.missing) add(out, 'n', {each});
  for (const auto& [name, path] : info.roots) add(out, 'r', {name, path});
  return out;
}

std::optional<HeaderInfo> parse_header_info(llvm::StringRef text) {
  HeaderInfo info;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    if (line.empty()) return std::nullopt;
    llvm::StringRef values = line.drop_front(1);
    values.consume_front("\t");
    if (!read_line(line[0], values, info)) return std::nullopt;
    text = rest;
  }
  return info;
}

}  // namespace placecheck::frontend
