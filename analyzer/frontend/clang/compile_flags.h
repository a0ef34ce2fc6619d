// The compiler arguments of every file: from a compilation database, from the user, or guessed.
//
// No compilation database is the normal case: the include roots are then guessed from the
// project's own files, always behind the system's, so that a guess never beats a real header.
// Ownership: CompileFlags owns its indexes; what it returns are values.
// Threads: for_file, is_external_header and project_root may be called from many threads at once.
// Errors: nothing here fails; what was wrong is said in notes, and guessing goes on.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace placecheck::frontend {

enum class FlagOrigin { kDatabase, kGuessed, kGiven };

struct FlagOptions {
  std::string database_dir;              // -p, absolute; empty: look upwards from each file
  std::vector<std::string> given_flags;  // what the user wrote behind "--"
  bool flags_given = false;              // then no database is read
  std::string working_directory;         // where relative paths in given_flags start
  std::vector<std::string> extra_flags;  // from the configuration file, appended to all
  std::vector<std::string> named_paths;  // what the user asked to check, absolute
  // False: given flags stand alone. No include folder is guessed, and none of this machine's
  // libraries is looked for.
  bool guesses = true;
  std::string root;           // of the project of every file; empty: found from what lies there
  std::string clang_headers;  // folder of Clang's own, below "include"; empty: the program's
};

struct CompileCommand {
  std::string file;               // absolute
  std::string directory;          // absolute; relative paths in args start here
  std::vector<std::string> args;  // "clang++" first, `file` last; for a ToolInvocation
  FlagOrigin origin = FlagOrigin::kGuessed;
  std::vector<std::string> notes;  // what the user may want to know of this file's flags
};

class CompileFlags {
 public:
  // `files` are absolute paths of the files to be checked, headers included.
  static CompileFlags create(FlagOptions options, const std::vector<std::string>& files);

  CompileFlags(CompileFlags&&) noexcept;
  CompileFlags& operator=(CompileFlags&&) noexcept;
  ~CompileFlags();

  // The arguments for one file. A header gets those of a C++ (or, .cuh, CUDA) source.
  // They name files under kShimRoot: parse through with_shims() of shims.h.
  CompileCommand for_file(std::string_view path) const;

  // Whether a header is not the project's own: outside every project root, in a folder of
  // third-party code, or in a copy of libtorch that lies inside the project.
  bool is_external_header(std::string_view path) const;

  // The root of the project that `path` belongs to.
  std::string project_root(std::string_view path) const;

  // FlagOptions::root.
  const std::string& fixed_root() const;

  // What was wrong with the database as a whole.
  const std::vector<std::string>& notes() const;

 private:
  struct State;
  explicit CompileFlags(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace placecheck::frontend
