#include "tests/checks/fixtures.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace placecheck::checks {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& file) {
  static const std::set<std::string> kExtensions = {".cc", ".cpp", ".cu", ".py"};
  return kExtensions.count(file.extension().string()) != 0;
}

bool is_judged_as_a_whole(const fs::path& folder) {
  return fs::exists(folder / "main.cc") || folder.filename() == "many_programs";
}

}  // namespace

std::map<std::string, std::vector<std::string>> find_fixtures() {
  std::map<std::string, std::vector<std::string>> fixtures;
  for (const auto& entry : fs::recursive_directory_iterator(kTestdata)) {
    if (!is_source(entry.path())) continue;
    fs::path file = entry.path().lexically_relative(kTestdata);
    bool whole = is_judged_as_a_whole(entry.path().parent_path());
    fixtures[whole ? file.parent_path().string() : file.string()].push_back(file.string());
  }
  for (auto& [name, files] : fixtures) std::sort(files.begin(), files.end());
  return fixtures;
}

}  // namespace placecheck::checks
