// Measures the checker beside the compiler and clang-tidy, in one run on one machine.
//
//   bazel run -c opt //analyzer/bench [-- --files=200 --tidy-files=2 --jobs=2 FOLDER...]
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "analyzer/bench/generate.h"
#include "analyzer/bench/measure.h"
#include "analyzer/checks/analyze.h"
#include "analyzer/discovery/discovery.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/frontend/clang/compile_flags.h"
#include "analyzer/frontend/clang/shims.h"
#include "analyzer/ir/link.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"

namespace placecheck::bench {
namespace {

namespace cl = llvm::cl;
namespace fs = std::filesystem;

cl::opt<unsigned> files_option("files", cl::desc("generated libtorch files"), cl::init(200));
cl::opt<unsigned> sample_option("tidy-files", cl::desc("of these, through compiler and clang-tidy"),
                                cl::init(2));
cl::opt<unsigned> jobs_option("jobs", cl::desc("files at the same time"), cl::init(0));
cl::opt<unsigned> functions_option("functions", cl::desc("of the largest generated program"),
                                   cl::init(100'000));
cl::opt<std::string> checker_option("placecheck", cl::desc("the checker"),
                                    cl::init("analyzer/analyzer"));
cl::list<std::string> folders_option(cl::Positional, cl::desc("FOLDER..."));

void print_row(const std::string& what, size_t files, const Cost& cost, double reference) {
  std::printf("  %-34s %5zu %9.2f s %8.3f s/file %7.0f MB", what.c_str(), files, cost.seconds,
              cost.seconds / static_cast<double>(files), cost.megabytes);
  if (reference > 0)
    std::printf("  %6.3f x clang-tidy", cost.seconds / static_cast<double>(files) / reference);
  if (cost.exit_code != 0) std::printf("  (exit code %d)", cost.exit_code);
  std::printf("\n");
  std::fflush(stdout);
}

std::vector<std::string> ours(const std::string& folder, const std::string& cache) {
  std::vector<std::string> command = {checker_option, "--quiet", "--cache-dir=" + cache};
  if (jobs_option != 0) command.insert(command.end(), {"-j", std::to_string(jobs_option)});
  command.push_back(folder);
  return command;
}

// The shims' folder is the checker's own: to other programs its files do not exist.
std::vector<std::string> without_shims(const std::vector<std::string>& args) {
  std::vector<std::string> kept;
  for (const std::string& arg : args) {
    if (!llvm::StringRef(arg).starts_with(frontend::kShimRoot))
      kept.push_back(arg);
    else
      kept.pop_back();  // the flag before it
  }
  return kept;
}

// One folder of sources, measured in all ways.
class Comparison {
 public:
  Comparison(std::string name, std::vector<std::string> files, const fs::path& scratch)
      : name_(std::move(name)), files_(std::move(files)), cache_((scratch / "cache").string()) {
    fs::remove_all(cache_);
  }

  void run(const std::string& folder, bool may_edit) {
    std::printf("\n%s: %zu files\n", name_.c_str(), files_.size());
    run_others();
    run_one();
    run_ours(folder, may_edit);
  }

 private:
  // The compiler and clang-tidy get the flags that the checker uses itself.
  std::vector<std::string> with_flags(const std::string& file, const char* program) {
    auto flags = frontend::CompileFlags::create({}, {file});
    std::vector<std::string> args = without_shims(flags.for_file(file).args);
    args.erase(args.end() - 2);  // the separator
    std::vector<std::string> command = {program};
    if (std::string(program).find("tidy") != std::string::npos) {
      command.insert(command.end(), {"--checks=-*,bugprone-use-after-move", file, "--"});
      args.pop_back();
    }
    command.insert(command.end(), args.begin() + 1, args.end());
    return command;
  }

  Cost sum(const char* program) {
    Cost total;
    for (size_t i = 0; i < sample(); ++i) {
      Cost cost = measure(with_flags(files_[i], program));
      total.seconds += cost.seconds;
      total.megabytes = std::max(total.megabytes, cost.megabytes);
      total.exit_code = std::max(total.exit_code, cost.exit_code);
    }
    return total;
  }

  size_t sample() const { return std::min<size_t>(sample_option, files_.size()); }

  void run_others() {
    if (sample() == 0) return;
    Cost tidy = sum("clang-tidy-22");
    reference_ = tidy.seconds / static_cast<double>(sample());
    print_row("clang-tidy-22, one check", sample(), tidy, reference_);
    print_row("clang++-22 -fsyntax-only", sample(), sum("clang++-22"), reference_);
  }

  void run_one() {
    std::string own_cache = cache_ + "-one";
    fs::remove_all(own_cache);
    print_row("placecheck, one file, cold", 1, measure(ours(files_[0], own_cache)), reference_);
    fs::remove_all(own_cache);
  }

  void run_ours(const std::string& folder, bool may_edit) {
    size_t count = files_.size();
    print_row("placecheck, all, cold", count, measure(ours(folder, cache_)), reference_);
    forget_units();
    print_row("placecheck, with the header cache", count, measure(ours(folder, cache_)),
              reference_);
    print_row("placecheck, unchanged", count, measure_best(ours(folder, cache_), 3), reference_);
    if (!may_edit) return;
    std::ofstream(files_[count / 2], std::ios::app) << "// edited\n";
    print_row("placecheck, one file edited", count, measure(ours(folder, cache_)), reference_);
  }

  void forget_units() {
    for (const auto& version : fs::directory_iterator(cache_))
      fs::remove_all(version.path() / "units");
  }

  std::string name_;
  std::vector<std::string> files_;
  std::string cache_;
  double reference_ = 0;
};

std::vector<std::string> sources_in(const std::string& folder) {
  std::vector<std::string> files;
  for (const discovery::SourceFile& each :
       discovery::discover({{folder}, discovery::working_directory(), {}, {}}).files)
    if (each.language == discovery::Language::kCxx || each.language == discovery::Language::kCuda)
      files.push_back(each.path);
  return files;
}

void compare_generated(unsigned count, const fs::path& scratch) {
  fs::path folder = scratch / ("generated-" + std::to_string(count));
  fs::create_directories(folder);
  std::vector<std::string> files;
  for (unsigned i = 0; i < count; ++i) {
    files.push_back((folder / ("train" + std::to_string(i) + ".cpp")).string());
    std::ofstream(files.back()) << training_program(i);
  }
  Comparison("generated", files, scratch).run(folder.string(), /*may_edit=*/true);
}

void measure_dataflow(unsigned functions) {
  ir::Unit unit = large_program(functions);
  auto start = std::chrono::steady_clock::now();
  std::vector<const ir::Unit*> units = {&unit};
  findings::SourceCache sources;
  dataflow::Coverage coverage;
  for (const ir::Program& program : ir::link(units))
    checks::analyze(program, {}, sources, coverage);
  double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  std::printf("  %8u functions %8.3f s %8.2f us/function%s\n", functions, seconds,
              seconds * 1e6 / functions,
              !coverage.too_large.empty() ? "  (the budget ran out)" : "");
  std::fflush(stdout);
}

int run() {
  llvm::SmallString<128> scratch;
  if (llvm::sys::fs::createUniqueDirectory("placecheck-bench", scratch)) return 1;
  fs::path folder(scratch.c_str());
  print_row("placecheck --version", 1, measure_best({checker_option, "--version"}, 5), 0);
  for (unsigned count = files_option; count > 0; count /= 10) compare_generated(count, folder);
  for (const std::string& each : folders_option) {
    std::vector<std::string> files =
        sources_in(discovery::absolute_path(each, discovery::working_directory()));
    if (!files.empty()) Comparison(each, files, folder).run(each, /*may_edit=*/false);
  }
  std::printf("\ndataflow alone\n");
  for (unsigned count = functions_option / 100; count > 0 && count <= functions_option; count *= 10)
    measure_dataflow(count);
  fs::remove_all(folder);
  return 0;
}

}  // namespace
}  // namespace placecheck::bench

int main(int argc, char** argv) {
  llvm::cl::ParseCommandLineOptions(argc, argv, "measures placecheck beside other tools\n");
  return placecheck::bench::run();
}
