#include "analyzer/unit_file.h"

#include <algorithm>
#include <iterator>

#include "analyzer/cache/fields.h"
#include "analyzer/discovery/discovery.h"
#include "analyzer/files/regular_file.h"
#include "analyzer/ir/serialize.h"
#include "analyzer/ir/texts.h"
#include "analyzer/ir/verify.h"
#include "analyzer/options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace placecheck {
namespace {

using cache::FieldReader;
using cache::FieldWriter;
using findings::FileReport;
using findings::Understanding;

constexpr llvm::StringLiteral kMagic = "placecheck units\n";

// Stands for the root and the slash behind it; no path or name has this character.
constexpr char kRoot = '\x01';

// In texts, paths stand behind these: "f@/a/b.h", "(lambda at /a/b.h:1:2)". A program's own texts
// have them too: its assertions say in which file they are.
constexpr llvm::StringLiteral kBeforePaths = "@|:<(,='\" ";

std::string without_root(llvm::StringRef text, const std::string& prefix) {
  std::string result;
  for (size_t at = text.find(prefix); at != llvm::StringRef::npos; at = text.find(prefix)) {
    const bool is_path = at == 0 ? result.empty() : kBeforePaths.contains(text[at - 1]);
    result += text.take_front(at);
    result += is_path ? std::string(1, kRoot) : prefix;
    text = text.drop_front(at + prefix.size());
  }
  return result + text.str();
}

std::string with_root(const std::string& text, const std::string& prefix) {
  if (text.find(kRoot) == std::string::npos) return text;
  std::string result;
  for (char each : text) {
    if (each == kRoot)
      result += prefix;
    else
      result += each;
  }
  return result;
}

// Below "/" everything would lie, and nothing be said by it.
std::string prefix_of(const std::string& root) { return root == "/" ? root : root + "/"; }

template <typename Edit>
void edit_paths(LoweredFile& file, const Edit& edit) {
  auto each = [&](std::string& text) { text = edit(text); };
  ir::for_each_text(*file.unit, each);
  each(file.report.path);
  each(file.report.first_error);
  std::ranges::for_each(file.report.left_out, each);
  std::ranges::for_each(file.notes, each);
}

LoweredFile copy_of(const LoweredFile& file) {
  LoweredFile copy;
  copy.unit = std::make_unique<ir::Unit>(*file.unit);
  copy.report = file.report;
  copy.notes = file.notes;
  return copy;
}

void write(FieldWriter& out, const LoweredFile& file) {
  out.text(file.report.path);
  out.number(static_cast<uint64_t>(file.report.status));
  out.number(file.report.errors);
  out.text(file.report.first_error);
  out.texts(file.report.left_out);
  out.texts(file.notes);
  out.text(ir::serialize(*file.unit));
}

// False where the bytes are no lowered file.
bool read(FieldReader& in, LoweredFile& file) {
  FileReport& report = file.report;
  report.path = in.text().str();
  const uint64_t status = in.number();
  report.status = static_cast<Understanding>(status);
  report.errors = static_cast<unsigned>(in.number());
  report.first_error = in.text().str();
  in.texts(report.left_out);
  in.texts(file.notes);
  const llvm::StringRef bytes = in.text();
  if (!in.ok() || status > static_cast<uint64_t>(Understanding::kNot)) return false;
  ir::DeserializeResult unit = ir::deserialize(std::string_view(bytes));
  if (!unit.ok() || unit.unit.files.empty() || !ir::drop_unsound_functions(unit.unit).empty())
    return false;
  file.unit = std::make_unique<ir::Unit>(std::move(unit.unit));
  return true;
}

std::string format_text(uint64_t file_version, uint64_t unit_version) {
  return std::to_string(file_version) + "." + std::to_string(unit_version);
}

std::string own_name() {
  std::string text = version_text();
  text.pop_back();  // the end of the line
  return text;
}

llvm::Error damaged(const std::string& name) {
  return llvm::createStringError("'" + name + "' is damaged: it is not as --emit-unit left it");
}

// Says of what comes behind the first line whether this program can read it.
llvm::Error check_version(FieldReader& in, const std::string& name) {
  const uint64_t file_version = in.number();
  const uint64_t unit_version = in.number();
  const std::string writer = in.text().str();
  if (!in.ok()) return damaged(name);
  if (file_version == kUnitFileVersion && unit_version == ir::kSerialVersion)
    return llvm::Error::success();
  return llvm::createStringError(
      "'" + name + "' holds units of format " + format_text(file_version, unit_version) +
      ", written by " + writer + "; this is " + own_name() + ", which reads format " +
      format_text(kUnitFileVersion, ir::kSerialVersion) + ": lower the sources again");
}

// The names of unit files; those of a list file are read from it.
llvm::Expected<std::vector<std::string>> listed(const std::vector<std::string>& names,
                                                const std::string& root) {
  std::vector<std::string> files;
  for (const std::string& name : names) {
    if (!name.starts_with("@")) {
      files.push_back(name);
      continue;
    }
    const std::string list = name.substr(1);
    auto buffer = files::read_regular_file(discovery::absolute_path(list, root), files::kMaxSource);
    if (!buffer)
      return llvm::createStringError("the list of units '" + list + "' cannot be read: " +
                                     files::why_unreadable(buffer.getError(), files::kMaxSource));
    llvm::SmallVector<llvm::StringRef, 64> lines;
    (*buffer)->getBuffer().split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (llvm::StringRef line : lines) files.push_back(line.rtrim('\r').str());
  }
  return files;
}

}  // namespace

std::string unit_file_bytes(const std::vector<LoweredFile>& files, const std::string& root) {
  FieldWriter body;
  body.number(files.size());
  const std::string prefix = prefix_of(root);
  for (const LoweredFile& file : files) {
    LoweredFile portable = copy_of(file);
    if (root != "/")
      edit_paths(portable, [&](const std::string& text) { return without_root(text, prefix); });
    write(body, portable);
  }
  FieldWriter out;
  out.number(kUnitFileVersion);
  out.number(ir::kSerialVersion);
  out.text(own_name());
  out.text(body.bytes());
  out.number(llvm::xxh3_64bits(body.bytes()));
  return kMagic.str() + out.bytes();
}

llvm::Expected<std::vector<LoweredFile>> lowered_from(llvm::StringRef bytes,
                                                      const std::string& name,
                                                      const std::string& root) {
  if (!bytes.consume_front(kMagic))
    return llvm::createStringError("'" + name + "' was not written by --emit-unit");
  FieldReader in(bytes);
  if (llvm::Error error = check_version(in, name)) return error;
  const llvm::StringRef body = in.text();
  const uint64_t checksum = in.number();
  if (!in.ok() || checksum != llvm::xxh3_64bits(body)) return damaged(name);
  FieldReader fields(body);
  const std::string prefix = prefix_of(root);
  std::vector<LoweredFile> files;
  for (uint64_t count = fields.number(); fields.ok() && count > 0; --count) {
    LoweredFile file;
    if (!read(fields, file)) return damaged(name);
    edit_paths(file, [&](const std::string& text) { return with_root(text, prefix); });
    files.push_back(std::move(file));
  }
  if (!fields.ok()) return damaged(name);
  return files;
}

llvm::Expected<std::vector<LoweredFile>> read_unit_files(const std::vector<std::string>& names,
                                                         const std::string& root) {
  auto files = listed(names, root);
  if (!files) return files.takeError();
  std::vector<LoweredFile> lowered;
  for (const std::string& name : *files) {
    auto buffer =
        files::read_regular_file(discovery::absolute_path(name, root), files::kMaxDatabase);
    if (!buffer)
      return llvm::createStringError("'" + name + "' cannot be read: " +
                                     files::why_unreadable(buffer.getError(), files::kMaxDatabase));
    auto held = lowered_from((*buffer)->getBuffer(), name, root);
    if (!held) return held.takeError();
    std::ranges::move(*held, std::back_inserter(lowered));
  }
  std::ranges::stable_sort(lowered, {}, [](const LoweredFile& file) { return file.report.path; });
  const auto repeated =
      std::ranges::unique(lowered, {}, [](const LoweredFile& file) { return file.report.path; });
  lowered.erase(repeated.begin(), repeated.end());
  return lowered;
}

}  // namespace placecheck
