// The files that a user names, lowered with those of their programs, and solved: what a run knows
// before it makes a report of it. The steps are called in the order of their declaration.
//
// Ownership: owns what it lowers; what it is given outlives it. Threads: one, while the process has
// no other; it runs its own pools. Errors: told to Messages; the rest goes on.
#pragma once

#include <cassert>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "analyzer/discovery/discovery.h"
#include "analyzer/findings/report.h"
#include "analyzer/frontend/clang/compile_flags.h"
#include "analyzer/lowering.h"
#include "analyzer/messages.h"
#include "analyzer/program_analysis.h"
#include "analyzer/settings.h"

namespace placecheck {

class ProjectCheck {
 public:
  // Relative paths start at `base`; `should_stop` is asked often.
  ProjectCheck(const Settings& settings, std::string base, Messages& messages,
               std::function<bool()> should_stop);
  // `texts`, which outlive this, stand for what is on disk; `comes_again`: as of LoweringOptions.
  void read_texts(const cache::Texts& texts) { texts_ = &texts; }
  void expect_more() { comes_again_ = true; }
  // Fills ProgramFindings::places.
  void record_places() { records_places_ = true; }

  // What the options name.
  void find_files();
  // The same, where it is known already and need not be on disk.
  void take_files(std::vector<discovery::SourceFile> files) { named_files_ = std::move(files); }
  // Finds the compile flags, and the other files of the programs unless the options forbid that.
  void find_context();
  // `progress` is told each file.
  void lower(std::function<void(const std::string&)> progress = {});
  // In place of all these: takes what --emit-unit has left in the files that the options name.
  // False where one cannot be read.
  bool read_units();
  // What the user may want to know of the compile flags.
  void mention_flags();
  ProgramFindings solve() const;
  // The same, had the files had these texts: lowers again only those that read one of them.
  ProgramFindings solve_with(const cache::Texts& texts) const;

  const std::vector<discovery::SourceFile>& named_files() const { return named_files_; }
  // With those of their programs.
  const std::vector<discovery::SourceFile>& files() const { return files_; }
  // Set by find_context(); not available for units that were read from files.
  const frontend::CompileFlags& flags() const {
    assert(flags_.has_value());
    return *flags_;
  }
  const std::vector<LoweredFile>& lowered() const { return lowered_; }
  // What is said of the files that the user named. A header that sources of its program include is
  // known from these.
  std::vector<findings::FileReport> file_reports() const;
  // All files that were read: sources, and the headers that are the project's.
  std::set<std::string> read_files() const;
  // Of these, what the user named, and the headers that it includes.
  std::set<std::string> checked_files() const;

 private:
  LoweringOptions lowering_options() const;
  void find_headers();
  std::vector<discovery::Launch> find_launches() const;
  bool is_wanted(const LoweredFile& file) const;
  ProgramFindings solve(const std::vector<const LoweredFile*>& files,
                        const cache::Texts* texts) const;

  const Settings& settings_;
  const Options& options_;
  std::string base_;
  Messages& messages_;
  std::function<bool()> should_stop_;
  const cache::Texts* texts_ = nullptr;
  bool comes_again_ = false;
  bool records_places_ = false;
  std::vector<discovery::SourceFile> named_files_;
  std::vector<std::string> scripts_;
  std::vector<discovery::SourceFile> files_;
  std::set<std::string> context_;  // those of `files_` that are not named
  std::optional<frontend::CompileFlags> flags_;
  std::vector<LoweredFile> lowered_;
  // Headers that the user named and that were lowered as parts of context only: by the path that
  // was named, the paths under which units know them.
  std::map<std::string, std::set<std::string>> headers_;
};

// How flags are found for files; relative paths start at `base`.
frontend::FlagOptions flag_options(const Options& options, const std::string& base);

// Where entries are kept between runs; empty: nowhere.
std::string cache_folder(const Options& options, const std::string& base);

}  // namespace placecheck
