#include "analyzer/files/plain_paths.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "analyzer/files/snapshot.h"
#include "llvm/ADT/SmallString.h"
#include "tests/cache/folder.h"

namespace placecheck::files {
namespace {

std::string real_path(llvm::vfs::FileSystem& files, const std::string& file) {
  llvm::SmallString<256> real;
  return files.getRealPath(file, real) ? "" : std::string(real);
}

TEST(PlainPathsTest, ALinkBelowTheRootIsWhatItIsCalled) {
  TemporaryFolder folder;
  const std::string target = folder.write("elsewhere", "x");
  const std::string link = folder.path("root/a/link.h");
  folder.write("root/a/file.h", "y");
  ASSERT_EQ(symlink(target.c_str(), link.c_str()), 0);
  auto plain = with_plain_paths(make_snapshot(), folder.path("root"));
  EXPECT_EQ(real_path(*plain, link), link);
  EXPECT_EQ(real_path(*plain, folder.path("root/b/../a/./link.h")), link);
  EXPECT_EQ((*plain->getBufferForFile(link))->getBuffer(), "x");
  // Elsewhere links are followed, and what is not there is nowhere.
  EXPECT_EQ(real_path(*with_plain_paths(make_snapshot(), folder.path("roo")), link),
            real_path(*make_snapshot(), target));
  EXPECT_EQ(real_path(*plain, folder.path("root/a/none.h")), "");
}

}  // namespace
}  // namespace placecheck::files
