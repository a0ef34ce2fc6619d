// Reports replace a file as a whole, or leave it alone and say why.
#include "analyzer/output.h"

#include <gtest/gtest.h>

#include <string>

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

namespace placecheck {
namespace {

class Output : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("output", folder_)); }
  void TearDown() override { llvm::sys::fs::remove_directories(folder_); }

  std::string path(const std::string& name) { return std::string(folder_) + "/" + name; }
  static std::string content(const std::string& path) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "(unreadable)";
  }
  size_t count_files() {
    size_t count = 0;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(folder_, error), end; it != end;
         it.increment(error)) {
      ++count;
    }
    return count;
  }

  llvm::SmallString<128> folder_;
};

TEST_F(Output, WritesAndReplaces) {
  EXPECT_EQ(write_file(path("report"), "a longer text"), "");
  EXPECT_EQ(write_file(path("report"), "short"), "");
  EXPECT_EQ(content(path("report")), "short");
  EXPECT_EQ(count_files(), 1u);
}

TEST_F(Output, AFolderIsNoReport) {
  EXPECT_EQ(write_file(std::string(folder_), "text"),
            "cannot write " + std::string(folder_) + ": it is a folder");
}

TEST_F(Output, AMissingFolderIsSaid) {
  EXPECT_NE(write_file(path("none/report"), "text").find("none/report"), std::string::npos);
}

TEST_F(Output, ADeviceIsWrittenToAsItIs) {
  EXPECT_EQ(write_file("/dev/null", "text"), "");
  if (llvm::sys::fs::can_write("/dev/full")) {
    EXPECT_NE(write_file("/dev/full", "text").find("cannot write /dev/full"), std::string::npos);
  }
}

}  // namespace
}  // namespace placecheck
