// From the paths a user names to the source files to check, in one deterministic order.
//
// Folders are walked recursively; hidden and build folders are left out below a named folder, never
// when named themselves. Each file appears once, whatever number of paths or links lead to it.
// Ownership: values only. Threads: no shared state. Errors: nothing here fails; what cannot be
// read becomes a Note, and the rest is still found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace placecheck::discovery {

enum class Language { kCxx, kCuda, kHeader, kPython };

struct SourceFile {
  std::string path;   // absolute, without "." and "..", links kept as the user sees them
  std::string shown;  // relative to the base directory where it lies below it, else as `path`
  Language language = Language::kCxx;
  bool named = false;  // by the user himself, not found in a folder
};

struct Note {
  std::string path;     // as shown to the user
  std::string message;  // lower case, no full stop
  // Something the user asked for could not be checked: exit code 2 unless there are findings.
  bool incomplete = false;
};

struct Request {
  std::vector<std::string> paths;    // as written by the user
  std::string base_directory;        // where relative paths start; see working_directory()
  std::vector<std::string> exclude;  // globs, see exclude.h
  std::string exclude_root;          // empty: base_directory
  size_t max_files = 200'000;        // those beyond are left out, with a note
};

struct Discovery {
  std::vector<SourceFile> files;  // sorted by path
  std::vector<Note> notes;
  std::vector<std::string> scripts;  // shell scripts in the folders, absolute, as they were met
};

Discovery discover(const Request& request);

// Where the user stands: BUILD_WORKING_DIRECTORY under `bazel run`, else the current directory.
std::string working_directory();

// `path` made absolute against `base_directory`, "." and ".." resolved by text.
std::string absolute_path(std::string_view path, std::string_view base_directory);

// Whether the name's extension is one that is read at all, and as what.
bool language_of(std::string_view path, Language& language);

}  // namespace placecheck::discovery
