#include "analyzer/cache/file_log.h"

#include <gtest/gtest.h>

#include "llvm/Support/xxhash.h"
#include "tests/cache/folder.h"

namespace placecheck::cache {
namespace {

TEST(FileLogTest, TakesDownWhatIsReadAndWhatIsMissing) {
  TemporaryFolder folder;
  std::string file = folder.write("a.h", "text");
  FileLog log;
  auto files = logged_snapshot(log);
  ASSERT_TRUE(files->getBufferForFile(file));
  EXPECT_FALSE(files->getBufferForFile(folder.path("b.h")));
  EXPECT_FALSE(files->status(folder.path("c.h")));
  EXPECT_FALSE(files->exists(folder.path("d.h")));
  ASSERT_EQ(log.read.size(), 1u);
  EXPECT_EQ(log.read[file].digest, llvm::xxh3_64bits(llvm::StringRef("text")));
  EXPECT_EQ(log.read[file].stamp.size, 4u);
  EXPECT_EQ(log.absent,
            (std::set<std::string>{folder.path("b.h"), folder.path("c.h"), folder.path("d.h")}));
  FileFacts facts;
  EXPECT_TRUE(facts.matches(file, log.read[file].stamp));
  EXPECT_EQ(facts.digest(file), log.read[file].digest);
}

TEST(FileLogTest, RelativePathsStartInTheWorkingFolder) {
  TemporaryFolder folder;
  folder.write("sub/a.h", "text");
  FileLog log;
  auto files = logged_snapshot(log);
  ASSERT_FALSE(files->setCurrentWorkingDirectory(folder.path("sub")));
  ASSERT_TRUE(files->getBufferForFile("a.h"));
  EXPECT_EQ(log.read.count(folder.path("sub/a.h")), 1u);
}

TEST(FileLogTest, TextsStandForFiles) {
  TemporaryFolder folder;
  std::string file = folder.write("sub/a.h", "on disk");
  std::string other = folder.write("b.h", "on disk");
  std::string absent = folder.path("c.h");
  Texts texts = {{file, "newer"}, {absent, "never saved"}};
  FileLog log;
  auto files = with_texts(texts, logged_snapshot(log), log);
  ASSERT_FALSE(files->setCurrentWorkingDirectory(folder.path("sub")));
  EXPECT_EQ((*files->getBufferForFile(other))->getBuffer(), "on disk");
  EXPECT_FALSE(log.has_texts);
  EXPECT_EQ((*files->getBufferForFile("a.h"))->getBuffer(), "newer");
  EXPECT_EQ((*files->getBufferForFile(folder.path("sub/../c.h")))->getBuffer(), "never saved");
  EXPECT_TRUE(log.has_texts);
  // What was read is told again by whoever has the same texts, and by nobody else.
  FileFacts same(&texts);
  FileFacts disk;
  EXPECT_EQ(same.digest(other), log.read[other].digest);
  for (const std::string& read : {file, folder.path("sub/../c.h")}) {
    ASSERT_EQ(log.read.count(read), 1u) << read;
    EXPECT_EQ(same.digest(read), log.read[read].digest);
    EXPECT_NE(disk.digest(read), log.read[read].digest);
  }
  EXPECT_TRUE(same.exists(absent));
  EXPECT_FALSE(disk.exists(absent));
  EXPECT_FALSE(same.matches(file, *disk.stamp(file)));
}

TEST(FileFactsTest, AnswersAreThoseOfTheFirstQuestion) {
  TemporaryFolder folder;
  std::string file = folder.write("a.h", "text");
  FileFacts facts;
  EXPECT_EQ(facts.stamp(file)->size, 4u);
  folder.write("a.h", "longer text");
  EXPECT_EQ(facts.stamp(file)->size, 4u);
  EXPECT_EQ(FileFacts().stamp(file)->size, 11u);
  EXPECT_FALSE(facts.exists(folder.path("b.h")));
  EXPECT_FALSE(facts.digest(folder.path("b.h")));
  EXPECT_TRUE(facts.names_in(folder.path()).contains("a.h"));
  EXPECT_TRUE(facts.names_in(folder.path("nowhere")).empty());
}

}  // namespace
}  // namespace placecheck::cache
