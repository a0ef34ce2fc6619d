// Usage: bazel run //tests/random_programs:survey -- [--seed=N] [--programs=N] [--folder=PATH]
//
// Many random programs: writes them, compiles a hundred at a time with g++, runs them on virtual
// GPUs, checks them, and prints how many fail, how many of these are found, and how many false
// alarms there are. FOLDER/false_alarms, FOLDER/misplaced and FOLDER/missed keep programs with what
// was claimed and what happened. For Debian's libtorch.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/random_programs/execution.h"
#include "tests/random_programs/judgement.h"
#include "tests/random_programs/program.h"

namespace placecheck::random_programs {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kProgramsOfBatch = 100;

struct Options {
  std::uint64_t seed = 1;
  std::size_t programs = 200;
  fs::path folder = fs::temp_directory_path() / "random_programs";
};

bool parse(int count, char** arguments, Options& options) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string value(word.substr(equals + 1));
    const std::string_view name = word.substr(0, equals);
    if (name == "--seed") {
      options.seed = std::stoull(value);
    } else if (name == "--programs") {
      options.programs = std::stoul(value);
    } else if (name == "--folder") {
      options.folder = value;
    } else {
      return false;
    }
  }
  return true;
}

class Survey {
 public:
  Survey(const Options& options, const fs::path& checkout, const fs::path& runner)
      : options_(options), checkout_(checkout), runner_(runner) {
    for (const char* kept : {"false_alarms", "misplaced", "missed"}) {
      fs::create_directories(options_.folder / kept);
    }
  }

  bool run() {
    const fs::path prelude = options_.folder / "prelude.h";
    fs::copy_file(checkout_ / "tests/agreement/prelude.h", prelude,
                  fs::copy_options::overwrite_existing);
    if (!compile("-x c++-header '" + prelude.string() + "'", prelude.string() + ".gch")) {
      return false;
    }
    const std::vector<Program> all = generate_all(options_.seed, options_.programs);
    for (std::size_t first = 0; first < all.size(); first += kProgramsOfBatch) {
      const std::size_t last = std::min(first + kProgramsOfBatch, all.size());
      const auto begin = all.begin();
      if (!run_batch({begin + static_cast<std::ptrdiff_t>(first),
                      begin + static_cast<std::ptrdiff_t>(last)})) {
        return false;
      }
      std::cout << counts_.text() << std::flush;
    }
    return true;
  }

 private:
  // With the flags of the programs that bazel compiles (tests/agreement/programs.bzl).
  bool compile(const std::string& what, const std::string& to) const {
    const std::string root = checkout_.string();
    const std::string command =
        "g++ -std=c++20 -O0 -g1 -w -fPIC -DPLACECHECK_NO_CUDA_TOOLKIT -I'" + root + "' -isystem '" +
        root + "/runtime/torch/include' -isystem '" + root +
        "/runtime/cuda/include' -isystem /usr/include/torch/csrc/api/include " + what + " -o '" +
        to + "'";
    return std::system(command.c_str()) == 0;  // NOLINT(bugprone-command-processor)
  }

  bool run_batch(const std::vector<Program>& programs) {
    const fs::path source = options_.folder / "batch.cc";
    const fs::path batch = options_.folder / "batch.so";
    std::ofstream(source) << batch_of(programs, (options_.folder / "prelude.h").string());
    if (!compile("-shared '" + source.string() + "' -ltorch_cpu -lc10", batch.string())) {
      return false;
    }
    const auto executions =
        execute(runner_.string(), batch.string(), (options_.folder / "runs").string());
    if (executions.size() != programs.size()) return false;
    const auto judgements = judge(programs, executions, (options_.folder / "programs").string());
    for (std::size_t i = 0; i < programs.size(); ++i) {
      counts_.add(judgements[i]);
      keep(programs[i], judgements[i]);
    }
    return true;
  }

  void keep(const Program& program, const Judgement& judgement) const {
    const char* kind = judgement.is_false_alarm()       ? "false_alarms"
                       : judgement.is_missed()          ? "missed"
                       : !judgement.misplaced().empty() ? "misplaced"
                                                        : nullptr;
    if (kind == nullptr) return;
    const fs::path folder = options_.folder / kind / ("seed_" + std::to_string(options_.seed));
    write(program, folder.string());
    std::ofstream(folder / program.name / "judgement.txt") << text_of(judgement);
  }

  const Options& options_;
  fs::path checkout_;
  fs::path runner_;
  Counts counts_;
};

}  // namespace
}  // namespace placecheck::random_programs

int main(int count, char** arguments) {
  namespace random_programs = placecheck::random_programs;
  random_programs::Options options;
  const char* checkout = std::getenv("BUILD_WORKSPACE_DIRECTORY");
  if (checkout == nullptr || !random_programs::parse(count, arguments, options)) {
    std::cerr << "bazel run //tests/random_programs:survey -- [--seed=N] [--programs=N] "
                 "[--folder=PATH]\n";
    return 2;
  }
  const auto runner = std::filesystem::absolute("tests/random_programs/runner");
  return random_programs::Survey(options, checkout, runner).run() ? 0 : 1;
}
