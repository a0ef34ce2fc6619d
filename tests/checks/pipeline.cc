#include "tests/checks/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "analyzer/discovery/discovery.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/frontend/clang/compile_flags.h"
#include "analyzer/ir/link.h"

namespace placecheck::checks {

Pipeline::Pipeline(const std::string& root, const std::vector<std::string>& files,
                   const std::string& cache, const std::vector<std::string>& extra_flags) {
  std::vector<discovery::SourceFile> sources;
  for (const std::string& file : files) {
    discovery::SourceFile source{file, file, discovery::Language::kCxx, true};
    discovery::language_of(file, source.language);
    sources.push_back(std::move(source));
  }
  frontend::FlagOptions wanted;
  wanted.named_paths = {root};
  wanted.working_directory = root;
  wanted.extra_flags = extra_flags;
  auto flags = frontend::CompileFlags::create(wanted, files);
  LoweringOptions options;
  options.jobs = 2;
  options.cache_folder = cache;
  for (LoweredFile& each : lower_files(sources, flags, options)) {
    std::string path = each.report.path;
    lowered_.emplace(std::move(path), std::move(each));
  }
}

std::vector<findings::Finding> Pipeline::judge(const std::vector<std::string>& files,
                                               const AnalyzeOptions& options) const {
  std::vector<const ir::Unit*> units;
  for (const std::string& file : files) units.push_back(lowered_.at(file).unit.get());
  findings::SourceCache sources;
  std::vector<findings::Finding> found;
  const std::vector<ir::Program> programs = ir::link(units);
  std::vector<dataflow::FileTraffic> traffic(programs.size());
  std::vector<const dataflow::FileTraffic*> all_traffic;
  std::vector<std::vector<findings::Finding>> findings(programs.size());
  auto judge_program = [&](size_t i, const AnalyzeOptions& with) {
    dataflow::Coverage coverage;
    findings[i] = analyze(programs[i], with, sources, coverage, nullptr, &traffic[i]);
  };
  for (size_t i = 0; i < programs.size(); ++i) {
    judge_program(i, options);
    all_traffic.push_back(&traffic[i]);
  }
  for (size_t i = 0; i < programs.size(); ++i) {
    AnalyzeOptions with_files = options;
    with_files.files = dataflow::files_for(i, programs, all_traffic);
    if (!with_files.files.empty()) judge_program(i, with_files);
    std::ranges::move(findings[i], std::back_inserter(found));
  }
  findings::order_and_deduplicate(found);
  return found;
}

const findings::FileReport& Pipeline::report_of(const std::string& file) const {
  return lowered_.at(file).report;
}

const std::vector<std::string>& Pipeline::parts_of(const std::string& file) const {
  return lowered_.at(file).unit->files;
}

bool lacks_toolkit(const findings::FileReport& report) {
  for (const char* header : {"cublas_v2.h", "cuda_runtime.h", "nccl.h"}) {
    std::string error = "'" + std::string(header) + "' file not found";
    if (report.first_error.find(error) != std::string::npos) return true;
  }
  return false;
}

std::string text_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string test_folder(const std::string& name) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder.string();
}

std::string project_folder(const std::string& name) {
  namespace fs = std::filesystem;
  fs::path root = fs::canonical(test_folder(name));
  for (const char* folder : {"rules", "runtime"}) {
    fs::copy(folder, root / folder, fs::copy_options::recursive);
  }
  return root.string();
}

}  // namespace placecheck::checks
