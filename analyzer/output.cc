#include "analyzer/output.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

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

std::string write_and_rename(const std::string& path, std::string_view text) {
  auto file = fs::TempFile::create(path + ".%%%%%%.tmp");
  if (!file) return sentence(path, llvm::toString(file.takeError()));
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

std::string write_file(const std::string& path, std::string_view text) {
  fs::file_status status;
  bool exists = !fs::status(path, status);
  if (exists && fs::is_directory(status)) return sentence(path, "it is a folder");
  if (exists && !fs::is_regular_file(status)) return write_in_place(path, text);
  return write_and_rename(path, text);
}

}  // namespace placecheck
