#include "analyzer/context.h"

#include <set>

#include "analyzer/discovery/companions.h"
#include "analyzer/frontend/clang/project_layout.h"

namespace placecheck {
namespace {

constexpr size_t kMaxProject = 4000;  // files

}  // namespace

std::vector<discovery::SourceFile> context_of(const std::vector<discovery::SourceFile>& files,
                                              const discovery::Request& request,
                                              const frontend::CompileFlags& flags) {
  std::set<std::string> roots;
  for (const discovery::SourceFile& file : files) roots.insert(flags.project_root(file.path));
  for (const std::string& path : request.paths) {
    std::string named = discovery::absolute_path(path, request.base_directory);
    std::erase_if(roots, [&](const std::string& root) { return frontend::is_below(root, named); });
  }
  std::vector<discovery::SourceFile> found;
  for (const std::string& root : roots) {
    discovery::Request whole = request;
    whole.paths = {root};
    whole.max_files = kMaxProject;
    discovery::Discovery project = discovery::discover(whole);
    if (project.files.size() >= kMaxProject) continue;
    auto more = discovery::companions(files, project.files);
    found.insert(found.end(), more.begin(), more.end());
  }
  return found;
}

}  // namespace placecheck
