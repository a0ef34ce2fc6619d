#include "analyzer/frontend/clang/include_scan.h"

#include <map>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace placecheck::frontend {
namespace {

// Counts how often each file is opened, by its name without "..".
class CountingFileSystem : public llvm::vfs::ProxyFileSystem {
 public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(
      const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (file) ++opened[path.str().substr(path.str().rfind('/') + 1)];
    return file;
  }

  std::map<std::string, int> opened;
};

TEST(IncludeScan, ReadsHeadersThatIncludeEachOtherByDotsOnce) {
  constexpr int kHeaders = 12;
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  const auto add = [&](const std::string& path, const std::string& text) {
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
  };
  const auto folder = [](int i) { return i % 2 == 0 ? std::string("left") : std::string("right"); };
  const auto name = [](int i) { return "h" + std::to_string(i) + ".h"; };
  std::string all;
  for (int i = 0; i < kHeaders; ++i) all += "#include \"../" + folder(i) + "/" + name(i) + "\"\n";
  for (int i = 0; i < kHeaders; ++i) add("/p/" + folder(i) + "/" + name(i), "#pragma once\n" + all);
  add("/p/left/main.cc", all + "#include <large.h>\n");
  CountingFileSystem disk(memory);
  const IncludeScan scan =
      scan_includes({"/p/left/main.cc",
                     {},
                     [](llvm::StringRef) { return false; },
                     [](llvm::StringRef header) { return header == "large.h"; }},
                    disk);
  for (int i = 0; i < kHeaders; ++i) EXPECT_EQ(disk.opened[name(i)], 1) << name(i);
  EXPECT_TRUE(scan.headers.contains("large.h"));
}

// Whether a file that begins with `code` still reaches a large header behind it.
bool reaches_header_behind(const std::string& code) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile("/p/main.cc", 0,
                  llvm::MemoryBuffer::getMemBufferCopy(code + "\n#include <large.h>\n"));
  const IncludeScan scan =
      scan_includes({"/p/main.cc",
                     {},
                     [](llvm::StringRef) { return false; },
                     [](llvm::StringRef header) { return header == "large.h"; }},
                    *memory);
  return scan.headers.contains("large.h");
}

TEST(IncludeScan, EndsWhereALibrarysNamespaceIsReopened) {
  EXPECT_FALSE(reaches_header_behind("namespace torch { struct Mine; }"));
  EXPECT_TRUE(reaches_header_behind("namespace mine { struct Mine; }"));
  EXPECT_TRUE(reaches_header_behind("#include <not_there.h>"));
}

TEST(IncludeScan, GoesOnBehindWhatIsAddedToStd) {
  EXPECT_TRUE(
      reaches_header_behind("struct Mine; namespace std { template <> struct hash<Mine>; }"));
}

}  // namespace
}  // namespace placecheck::frontend
