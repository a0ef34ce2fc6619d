#include "analyzer/files/regular_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analyzer/files/snapshot.h"
#include "tests/cache/folder.h"

namespace placecheck::files {
namespace {

TEST(RegularFileTest, GivesTheBytesAndTheirTimes) {
  TemporaryFolder folder;
  for (const std::string& text :
       {std::string(), std::string("a\0b", 3), std::string(100'000, 'x')}) {
    FileTimes times;
    auto read = read_regular_file(folder.write("a", text), 1'000'000, &times);
    ASSERT_TRUE(read);
    EXPECT_EQ((*read)->getBuffer(), text);
    EXPECT_EQ(*(*read)->getBufferEnd(), '\0');
    EXPECT_GT(times.modified, 0);
    EXPECT_GE(times.changed, times.modified);
  }
}

TEST(RegularFileTest, OpensNothingElse) {
  TemporaryFolder folder;
  std::string fifo = folder.path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  std::string link = folder.path("link");
  ASSERT_EQ(symlink(fifo.c_str(), link.c_str()), 0);
  for (const std::string& each : {fifo, link, std::string("/dev/zero")}) {
    auto read = read_regular_file(each, 1000);
    EXPECT_EQ(read.getError(), std::errc::not_supported) << each;
    EXPECT_FALSE(is_regular_file(each));
  }
  EXPECT_EQ(read_regular_file(folder.path(), 1000).getError(), std::errc::is_a_directory);
  EXPECT_EQ(read_regular_file(folder.path("none"), 1000).getError(),
            std::errc::no_such_file_or_directory);
}

TEST(RegularFileTest, SizesAreBounded) {
  TemporaryFolder folder;
  std::string file = folder.write("a", std::string(1000, 'x'));
  EXPECT_TRUE(read_regular_file(file, 1000));
  EXPECT_EQ(read_regular_file(file, 999).getError(), std::errc::file_too_large);
  // Files of the system have no size until they are read.
  EXPECT_EQ(read_regular_file("/proc/self/maps", 10).getError(), std::errc::file_too_large);
}

TEST(RegularFileTest, LinksAreFollowedToWhereTheyLead) {
  TemporaryFolder folder;
  TemporaryFolder outside;
  const std::string file = folder.write("a", "");
  const std::string alias = outside.path("alias");
  ASSERT_EQ(symlink(folder.path().c_str(), alias.c_str()), 0);
  EXPECT_TRUE(leads_below(file, folder.path()));
  EXPECT_TRUE(leads_below(file, alias));
  EXPECT_TRUE(leads_below(alias + "/a", folder.path()));
  EXPECT_TRUE(leads_below(file, "/"));
  EXPECT_FALSE(leads_below(folder.path(), folder.path()));
  EXPECT_FALSE(leads_below(folder.path("none"), folder.path()));
  EXPECT_FALSE(leads_below(alias + "/a", outside.path()));
  const std::string link = folder.path("link");
  ASSERT_EQ(symlink(outside.write("b", "").c_str(), link.c_str()), 0);
  EXPECT_FALSE(leads_below(link, folder.path()));
}

TEST(SnapshotTest, AFileIsReadOnce) {
  TemporaryFolder folder;
  std::string file = folder.write("a.h", "before");
  auto disk = make_snapshot();
  EXPECT_EQ(disk->status(file)->getSize(), 6u);
  folder.write("a.h", "something else");
  EXPECT_EQ((*disk->getBufferForFile(file))->getBuffer(), "before");
  EXPECT_EQ(disk->status(file)->getSize(), 6u);
  EXPECT_EQ((*make_snapshot()->getBufferForFile(file))->getBuffer(), "something else");
}

TEST(SnapshotTest, SpecialFilesAreNotThere) {
  TemporaryFolder folder;
  std::string fifo = folder.path("fifo");
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  auto disk = make_snapshot();
  EXPECT_FALSE(disk->exists(fifo));
  EXPECT_FALSE(disk->status(fifo));
  EXPECT_FALSE(disk->openFileForRead(fifo));
  EXPECT_TRUE(disk->exists(folder.path()));
}

}  // namespace
}  // namespace placecheck::files
