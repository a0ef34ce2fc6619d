// A compilation database: read, and its flags made fit for Clang.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "analyzer/frontend/clang/database_flags.h"
#include "tests/fuzz/entry.h"
#include "tests/fuzz/reader.h"

namespace placecheck::fuzz {
namespace {

// A file, since that is what is read; gone with the process.
class ScratchFile {
 public:
  ScratchFile()
      : path_(std::filesystem::temp_directory_path() /
              ("compile_database_" + std::to_string(::getpid()) + ".json")) {}
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  ~ScratchFile() { std::filesystem::remove(path_); }

  std::string holding(const std::string& text) const {
    std::ofstream(path_, std::ios::binary) << text;
    return path_.string();
  }

 private:
  std::filesystem::path path_;
};

}  // namespace

std::string check(const std::string& text) {
  static const ScratchFile scratch;
  std::vector<std::string> notes;
  frontend::Database database = frontend::Database::load(scratch.holding(text), notes);
  const frontend::DatabaseEntry* entry = database.find("/project/main.cc");
  if (!entry) return "";
  for (const std::string& flag : frontend::clean_flags(entry->args, entry->directory).args) {
    if (flag.empty()) return "an empty flag";
  }
  return "";
}

const Reader& reader() {
  static const Reader reader{
      R"([
  {"directory": "/project", "file": "main.cc", "output": "main.o",
   "command": "c++ -Iinclude -DNAME=\\\"a b\\\" -std=c++20 -o main.o -c main.cc"},
  {"directory": "/project/build", "file": "/project/other.cu",
   "arguments": ["nvcc", "-gencode", "arch=compute_80,code=sm_80", "-Xcompiler", "-fPIC,-O2",
                 "--expt-relaxed-constexpr", "-c", "/project/other.cu"]}
])",
      {"{",       "}",         "[",        "]",         ":",
       ",",       "\"",        "\\",       "\\u0000",   "\\ud800",
       "null",    "true",      "-1",       "1e999",     "99999999999999999999",
       "\xff",    "\n",        "//",       "directory", "file",
       "command", "arguments", "-I",       "-x",        "@options",
       "-Xclang", "-load",     "-include", "--",        "-o"}};
  return reader;
}

}  // namespace placecheck::fuzz
