#include "analyzer/output.h"

#include <algorithm>

#include "analyzer/findings/emitters.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "rules/catalog.h"

namespace placecheck {
namespace {

namespace fs = llvm::sys::fs;

std::string sentence(const std::string& path, const std::string& reason) {
  return "cannot write " + path + ": " + reason;
}

// An unchecked error would end the process when the stream goes.
std::error_code finish(llvm::raw_fd_ostream& out) {
  out.flush();
  std::error_code error = out.error();
  out.clear_error();
  return error;
}

std::string write_in_place(const std::string& path, std::string_view text) {
  std::error_code error;
  llvm::raw_fd_ostream out(path, error, fs::CD_OpenExisting, fs::FA_Write, fs::OF_None);
  if (error) return sentence(path, error.message());
  out << text;
  error = finish(out);
  return error ? sentence(path, error.message()) : "";
}

std::string write_and_rename(const std::string& path, std::string_view text,
                             std::optional<fs::perms> permissions) {
  auto file = fs::TempFile::create(path + ".%%%%%%.tmp");
  if (!file) return sentence(path, llvm::toString(file.takeError()));
  if (const std::error_code error =
          permissions ? fs::setPermissions(file->FD, *permissions) : std::error_code()) {
    llvm::consumeError(file->discard());
    return sentence(path, error.message());
  }
  llvm::raw_fd_ostream out(file->FD, /*shouldClose=*/false);
  out << text;
  if (std::error_code error = finish(out)) {
    llvm::consumeError(file->discard());
    return sentence(path, error.message());
  }
  if (llvm::Error error = file->keep(path)) return sentence(path, llvm::toString(std::move(error)));
  return "";
}

}  // namespace

std::string rule_list() {
  std::string text;
  size_t width = 0;
  for (const rules::Rule& rule : rules::catalog()) width = std::max(width, rule.id.size());
  for (const rules::Rule& rule : rules::catalog()) {
    std::string_view severity = rules::name(rule.severity);
    text.append(rule.id).append(width - rule.id.size() + 2, ' ');
    text.append(severity).append(9 - severity.size(), ' ');
    text.append(rule.summary).append(rule.is_asked_for ? " (off; --rules=+" : "");
    if (rule.is_asked_for) text.append(rule.id).append(")");
    text.append("\n");
  }
  return text;
}

std::string render(const findings::Report& report, const Options& options, bool use_color,
                   findings::SourceCache& sources) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  switch (options.format) {
    case OutputFormat::kText:
      findings::emit_text(report, {use_color, !options.quiet}, sources, stream);
      break;
    case OutputFormat::kJson:
      findings::emit_json(report, stream);
      break;
    case OutputFormat::kSarif:
      findings::emit_sarif(report, {version_number(), ""}, sources, stream);
      break;
    case OutputFormat::kGitHub:
      findings::emit_github(report, stream);
      break;
    case OutputFormat::kGitLab:
      findings::emit_gitlab(report, sources, stream);
      break;
    case OutputFormat::kJunit:
      findings::emit_junit(report, stream);
      break;
    case OutputFormat::kHtml:
      findings::emit_html(report, {version_number()}, sources, stream);
      break;
  }
  return text;
}

std::string write_file(const std::string& path, std::string_view text,
                       std::optional<fs::perms> permissions) {
  fs::file_status status;
  bool exists = !fs::status(path, status);
  if (exists && fs::is_directory(status)) return sentence(path, "it is a folder");
  if (exists && !fs::is_regular_file(status)) return write_in_place(path, text);
  return write_and_rename(path, text, permissions);
}

}  // namespace placecheck
