#include "analyzer/discovery/discovery.h"

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "analyzer/discovery/exclude.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

namespace placecheck::discovery {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

constexpr size_t kSniffedBytes = 4096;
constexpr unsigned kMaxDepth = 64;

std::optional<Language> language_by_extension(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<Language>>(path::extension(name).lower())
      .Cases({".cc", ".cpp", ".cxx", ".c++"}, Language::kCxx)
      .Case(".cu", Language::kCuda)
      .Cases({".h", ".hh", ".hpp", ".hxx", ".cuh"}, Language::kHeader)
      .Cases({".py", ".ipynb"}, Language::kPython)
      .Default(std::nullopt);
}

bool is_build_folder(llvm::StringRef name) {
  return name == "build" || name == "_build" || name == "out" || name == "node_modules" ||
         name == "__pycache__" || name.starts_with("bazel-") || name.starts_with("cmake-build-");
}

bool is_skipped_folder(llvm::StringRef name) {
  return name.starts_with(".") || is_build_folder(name);
}

// What the first bytes of a file tell: readable text, binary, or why it cannot be read.
std::string sniff(const std::string& file) {
  auto handle = fs::openNativeFileForRead(file);
  if (!handle) return "cannot be read: " + llvm::toString(handle.takeError());
  char bytes[kSniffedBytes];
  auto count = fs::readNativeFile(*handle, llvm::MutableArrayRef<char>(bytes));
  std::string problem;
  if (!count) {
    problem = "cannot be read: " + llvm::toString(count.takeError());
  } else if (llvm::StringRef(bytes, *count).contains('\0')) {
    problem = "skipped: a binary file, not source text";
  }
  fs::closeFile(*handle);
  return problem;
}

class Walk {
 public:
  explicit Walk(const Request& request)
      : request_(request),
        exclude_(request.exclude,
                 request.exclude_root.empty() ? request.base_directory : request.exclude_root) {
    for (const std::string& problem : exclude_.problems()) note("", problem, true);
  }

  void visit_named(const std::string& written) {
    const std::string full = absolute_path(written, request_.base_directory);
    fs::file_status status;
    if (const std::error_code error = fs::status(full, status)) {
      return note_named_failure(full, written, error);
    }
    if (fs::is_directory(status)) return visit_named_folder(full, written);
    if (!fs::is_regular_file(status)) {
      return note(full, "skipped: neither a file nor a folder", true);
    }
    add_named_file(full);
  }

  Discovery finish() {
    std::vector<SourceFile>& files = result_.files;
    std::sort(files.begin(), files.end(),
              [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
    std::stable_sort(result_.notes.begin(), result_.notes.end(),
                     [](const Note& a, const Note& b) { return a.path < b.path; });
    return std::move(result_);
  }

 private:
  void note(llvm::StringRef full, std::string message, bool incomplete) {
    result_.notes.push_back({shown(full), std::move(message), incomplete});
  }

  std::string shown(llvm::StringRef full) const {
    llvm::StringRef rest = full;
    if (rest.consume_front(request_.base_directory)) {
      if (rest.empty()) return ".";
      if (rest.consume_front("/")) return rest.str();
    }
    return full.str();
  }

  void note_named_failure(const std::string& full, const std::string& written,
                          const std::error_code& error) {
    if (fs::is_symlink_file(full)) return note(full, "a link to a file that is not there", true);
    if (error == std::errc::no_such_file_or_directory) {
      return note(full, "no such file or folder: '" + written + "'", true);
    }
    note(full, "cannot be read: " + error.message(), true);
  }

  void visit_named_folder(const std::string& full, const std::string& written) {
    if (!walk(full, 0)) {
      note(full, "no C++, CUDA or Python source in this folder: '" + written + "'", true);
    }
  }

  void add_named_file(const std::string& full) {
    const std::optional<Language> language = language_by_extension(full);
    if (!language) {
      return note(full,
                  "not a source file by its name; accepted: .cc .cpp .cxx .c++ .cu .h .hh .hpp "
                  ".hxx .cuh .py .ipynb",
                  true);
    }
    add_file(full, *language, /*named=*/true);
  }

  void add_file(const std::string& full, Language language, bool named) {
    ++sources_;
    if (std::string problem = sniff(full); !problem.empty()) {
      return note(full, std::move(problem), true);
    }
    // One file may be reached by several links; the first way there stands for it.
    llvm::SmallString<256> real;
    const llvm::StringRef key = fs::real_path(full, real) ? llvm::StringRef(full) : real.str();
    const auto [known, added] = by_real_path_.try_emplace(key, result_.files.size());
    if (!added) {
      result_.files[known->second].named |= named;
      return;
    }
    result_.files.push_back({full, shown(full), language, named});
  }

  // Whether there is anything in it to check, or to say; also of one that was walked before.
  bool walk(const std::string& folder, unsigned depth) {
    llvm::SmallString<256> real;
    if (fs::real_path(folder, real)) return false;
    if (const auto [known, is_new] = walked_.try_emplace(real, false); !is_new) {
      sources_ += known->second;
      return known->second;
    }
    const size_t before = sources_ + result_.notes.size();
    search(folder, depth);
    return walked_[real] = sources_ + result_.notes.size() != before;
  }

  void search(const std::string& folder, unsigned depth) {
    if (depth > kMaxDepth) return note(folder, "not searched: nested too deeply", true);
    std::error_code error;
    std::vector<std::string> entries;
    for (fs::directory_iterator it(folder, error, /*follow_symlinks=*/true), end;
         !error && it != end; it.increment(error)) {
      entries.push_back(it->path());
    }
    if (error) note(folder, "cannot be searched: " + error.message(), true);
    std::sort(entries.begin(), entries.end());
    for (const std::string& entry : entries) visit_entry(entry, depth);
  }

  void visit_entry(const std::string& entry, unsigned depth) {
    const llvm::StringRef name = path::filename(entry);
    const std::optional<Language> language = language_by_extension(name);
    fs::file_status status;
    if (fs::status(entry, status)) {
      // Only what would have been read is worth a word.
      if (language && !exclude_.matches(entry)) {
        note(entry, "skipped: a link to a file that is not there", true);
      }
      return;
    }
    if (fs::is_directory(status)) {
      if (!is_skipped_folder(name) && !exclude_.matches(entry)) (void)walk(entry, depth + 1);
      return;
    }
    if (!fs::is_regular_file(status) || exclude_.matches(entry)) return;
    if (path::extension(name) == ".sh" && result_.scripts.size() < request_.max_files)
      result_.scripts.push_back(entry);
    if (!language) return;
    if (result_.files.size() < request_.max_files)
      return add_file(entry, *language, /*named=*/false);
    if (!truncated_) note(entry, "too many files: this one and those after it are skipped", true);
    truncated_ = true;
  }

  const Request& request_;
  Exclude exclude_;
  Discovery result_;
  llvm::StringMap<size_t> by_real_path_;
  llvm::StringMap<bool> walked_;  // by real path, which ends loops of links; see walk()
  size_t sources_ = 0;            // C++ and CUDA files met, readable or not
  bool truncated_ = false;
};

}  // namespace

bool language_of(std::string_view file, Language& language) {
  const std::optional<Language> found = language_by_extension(llvm::StringRef(file));
  if (found) language = *found;
  return found.has_value();
}

std::string absolute_path(std::string_view written, std::string_view base_directory) {
  llvm::SmallString<256> full;
  if (!path::is_absolute(llvm::StringRef(written))) full = llvm::StringRef(base_directory);
  path::append(full, llvm::StringRef(written));
  path::remove_dots(full, /*remove_dot_dot=*/true);
  return full.str().str();
}

std::string working_directory() {
  if (const char* directory = std::getenv("BUILD_WORKING_DIRECTORY"); directory && *directory) {
    return directory;
  }
  llvm::SmallString<256> current;
  if (fs::current_path(current)) return "/";
  return current.str().str();
}

Discovery discover(const Request& request) {
  Walk walk(request);
  for (const std::string& written : request.paths) walk.visit_named(written);
  return walk.finish();
}

}  // namespace placecheck::discovery
