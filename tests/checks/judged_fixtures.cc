#include "tests/checks/judged_fixtures.h"

#include <cctype>

#include "tests/checks/fixtures.h"

namespace placecheck::checks {
namespace {

namespace fs = std::filesystem;

// A copy without links, so that the checker sees a project and not the build's folders.
fs::path copy_of_testdata() {
  fs::path root = fs::path(project_folder("project")) / kTestdata;
  fs::copy(kTestdata, root, fs::copy_options::recursive);
  return root;
}

const std::string& cache() {
  static const auto* kCache = new std::string(test_folder("cache"));
  return *kCache;
}

}  // namespace

const std::map<std::string, std::vector<std::string>>& fixtures() {
  static const auto* kFixtures = new std::map(find_fixtures());
  return *kFixtures;
}

const fs::path& fixtures_root() {
  static const auto* kRoot = new fs::path(copy_of_testdata());
  return *kRoot;
}

std::vector<std::string> fixture_files(const std::string& name) {
  std::vector<std::string> result;
  for (const std::string& file : fixtures().at(name))
    result.push_back((fixtures_root() / file).string());
  return result;
}

Pipeline lower_in_project(const std::vector<std::string>& files) {
  std::string project = fixtures_root().parent_path().string();
  return Pipeline(project, files, cache(), {"-I" + project});
}

const Pipeline& fixtures_pipeline() {
  static const Pipeline* kPipeline = [] {
    std::vector<std::string> files;
    for (const auto& [name, members] : fixtures()) {
      for (std::string& file : fixture_files(name)) files.push_back(std::move(file));
    }
    return new Pipeline(lower_in_project(files));
  }();
  return *kPipeline;
}

const std::vector<findings::Finding>& fixture_findings(const std::string& name) {
  static auto* kFindings = new std::map<std::string, std::vector<findings::Finding>>;
  const auto [known, is_new] = kFindings->try_emplace(name);
  if (is_new) {
    known->second =
        fixtures_pipeline().judge(fixture_files(name), fixture_options(fixture_parts(name)));
  }
  return known->second;
}

std::set<std::string> fixture_parts(const std::string& name) {
  std::set<std::string> parts;
  for (const std::string& file : fixture_files(name)) {
    for (const std::string& part : fixtures_pipeline().parts_of(file)) {
      if (part.starts_with(fixtures_root().string())) parts.insert(part);
    }
  }
  return parts;
}

std::string comment_leader(const std::string& file) { return file.ends_with(".py") ? "# " : "// "; }

AnalyzeOptions fixture_options(const std::set<std::string>& parts) {
  AnalyzeOptions options;
  for (const std::string& file : parts) {
    std::string text = text_of(file);
    auto named = [&](const char* what) {
      const std::string tag = comment_leader(file) + what + ": ";
      const size_t at = text.find(tag);
      return at == std::string::npos
                 ? ""
                 : text.substr(at + tag.size(), text.find('\n', at) - at - tag.size());
    };
    if (const std::string rule = named("rule"); !rule.empty()) options.rules.insert(rule);
    if (const std::string devices = named("devices"); !devices.empty()) {
      options.devices = std::stoi(devices);
      options.devices_given = true;
    }
  }
  return options;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  for (char& c : name) {
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  }
  return name;
}

}  // namespace placecheck::checks
