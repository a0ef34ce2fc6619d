#include "analyzer/discovery/discovery.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "analyzer/discovery/exclude.h"

namespace placecheck::discovery {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

class DiscoveryTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/discoveryXXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = fs::canonical(pattern);
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& text = "int x;\n") {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
  }

  Discovery find(const Words& paths, const Words& exclude = {}) {
    return discover({paths, root_.string(), exclude, ""});
  }

  static Words shown(const Discovery& discovery) {
    Words names;
    for (const SourceFile& file : discovery.files) names.push_back(file.shown);
    return names;
  }

  // "path: message" of every note; "!" in front where the run becomes incomplete.
  static Words notes(const Discovery& discovery) {
    Words texts;
    for (const Note& note : discovery.notes) {
      texts.push_back((note.incomplete ? "!" : "") + note.path + ": " + note.message);
    }
    return texts;
  }

  fs::path root_;
};

TEST_F(DiscoveryTest, FoldersAreSearchedForAllExtensionsInOrder) {
  for (const char* name : {"b.cc", "a/x.cpp", "a/y.cxx", "a/z.c++", "k.cu", "h.h", "i.hpp", "j.cuh",
                           "s.py", "README.md", "a/notes.txt"}) {
    write(name);
  }
  const Discovery found = find({"."});
  EXPECT_EQ(shown(found), (Words{"a/x.cpp", "a/y.cxx", "a/z.c++", "b.cc", "h.h", "i.hpp", "j.cuh",
                                 "k.cu", "s.py"}));
  EXPECT_EQ(notes(found), Words{});
  EXPECT_EQ(found.files[7].language, Language::kCuda);
  EXPECT_EQ(found.files[4].language, Language::kHeader);
  EXPECT_FALSE(found.files[0].named);
  EXPECT_EQ(found.files[0].path, (root_ / "a/x.cpp").string());
}

TEST_F(DiscoveryTest, HiddenAndBuildFoldersAreLeftOutUnlessNamed) {
  for (const char* folder : {".git", "build", "bazel-out", "cmake-build-debug", "node_modules",
                             "out", "third_party", "rebuild"}) {
    write(std::string(folder) + "/a.cc");
  }
  EXPECT_EQ(shown(find({"."})), (Words{"rebuild/a.cc", "third_party/a.cc"}));
  EXPECT_EQ(shown(find({"build", ".git/a.cc"})), (Words{".git/a.cc", "build/a.cc"}));
}

TEST_F(DiscoveryTest, AFileReachedTwiceIsFoundOnce) {
  write("src/a.cc");
  fs::create_symlink("a.cc", root_ / "src/b.cc");
  fs::create_directory_symlink("..", root_ / "src/loop");
  const Discovery found = find({"src", "src/a.cc", "./src/../src/a.cc"});
  EXPECT_EQ(shown(found), (Words{"src/a.cc"}));
  EXPECT_TRUE(found.files[0].named);
}

TEST_F(DiscoveryTest, AFolderWithoutAnySourceIsSaid) {
  write("docs/readme.md");
  fs::create_directory(root_ / "empty");
  const Discovery found = find({"empty", "docs"});
  EXPECT_EQ(notes(found), (Words{"!docs: no C++, CUDA or Python source in this folder: 'docs'",
                                 "!empty: no C++, CUDA or Python source in this folder: 'empty'"}));
}

TEST_F(DiscoveryTest, AFolderNamedTwiceIsNotEmpty) {
  write("src/sub/a.cc");
  fs::create_directory(root_ / "src/empty");
  for (const Words& paths : {Words{"src", "src"}, {"src", "src/sub"}, {"src/sub", "src"}}) {
    const Discovery found = find(paths);
    EXPECT_EQ(shown(found), (Words{"src/sub/a.cc"}));
    EXPECT_EQ(notes(found), Words{});
  }
  for (const Words& paths : {Words{"src", "src/empty"}, {"src/empty", "src"}})
    EXPECT_EQ(notes(find(paths)).size(), 1u);
}

TEST_F(DiscoveryTest, MissingFilesAndOtherNamesAreSaidAndTheRestGoesOn) {
  write("a.cc");
  write("readme.md");
  const Discovery found = find({"gone.cc", "readme.md", "a.cc"});
  EXPECT_EQ(shown(found), (Words{"a.cc"}));
  ASSERT_EQ(found.notes.size(), 2u);
  EXPECT_EQ(notes(found)[0], "!gone.cc: no such file or folder: 'gone.cc'");
  EXPECT_EQ(notes(found)[1].rfind("!readme.md: not a source file by its name", 0), 0u);
}

TEST_F(DiscoveryTest, DanglingLinksAreNotedOnlyWhereTheyWouldHaveBeenRead) {
  write("a.cc");
  fs::create_symlink("nowhere.cc", root_ / "dangling.cc");
  fs::create_symlink("nowhere", root_ / "dangling.txt");
  fs::create_symlink("self.cc", root_ / "self.cc");
  const Discovery found = find({"."});
  EXPECT_EQ(shown(found), (Words{"a.cc"}));
  EXPECT_EQ(notes(found), (Words{"!dangling.cc: skipped: a link to a file that is not there",
                                 "!self.cc: skipped: a link to a file that is not there"}));
  EXPECT_EQ(notes(find({"dangling.cc"})),
            (Words{"!dangling.cc: a link to a file that is not there"}));
}

TEST_F(DiscoveryTest, BinaryFilesAreSkippedEmptyAndOddOnesAreNot) {
  write("binary.cc", std::string("\x7f"
                                 "ELF\0\0\0",
                                 7));
  write("empty.cc", "");
  write("latin1.cc", "// caf\xe9\nint x;\n");
  const Discovery found = find({"."});
  EXPECT_EQ(shown(found), (Words{"empty.cc", "latin1.cc"}));
  EXPECT_EQ(notes(found), (Words{"!binary.cc: skipped: a binary file, not source text"}));
}

TEST_F(DiscoveryTest, PipesSocketsAndFoldersNamedLikeSourcesDoNoHarm) {
  ASSERT_EQ(mkfifo((root_ / "pipe.cc").c_str(), 0600), 0);
  const int handle = socket(AF_UNIX, SOCK_STREAM, 0);
  ASSERT_GE(handle, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // A socket's path must be short, whatever the temporary folder's name is.
  const std::string short_path = "/tmp/pc" + std::to_string(getpid()) + ".cc";
  std::strncpy(address.sun_path, short_path.c_str(), sizeof(address.sun_path) - 1);
  ASSERT_EQ(bind(handle, reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
  write("folder.cc/a.cc");
  EXPECT_EQ(shown(find({"."})), (Words{"folder.cc/a.cc"}));
  EXPECT_EQ(notes(find({"pipe.cc", short_path})),
            (Words{"!" + short_path + ": skipped: neither a file nor a folder",
                   "!pipe.cc: skipped: neither a file nor a folder"}));
  close(handle);
  unlink(short_path.c_str());
}

TEST_F(DiscoveryTest, UnreadableFilesAndFoldersAreNoted) {
  write("a.cc");
  write("locked.cc");
  write("closed/b.cc");
  fs::permissions(root_ / "locked.cc", fs::perms::none);
  fs::permissions(root_ / "closed", fs::perms::none);
  const Discovery found = find({"."});
  fs::permissions(root_ / "closed", fs::perms::owner_all);
  // Root reads everything: then all three are sources and nothing is to be said.
  if (geteuid() == 0) {
    EXPECT_EQ(shown(found), (Words{"a.cc", "closed/b.cc", "locked.cc"}));
  } else {
    EXPECT_EQ(notes(found), (Words{"!closed: cannot be searched: Permission denied",
                                   "!locked.cc: cannot be read: Permission denied"}));
  }
}

TEST_F(DiscoveryTest, PythonIsFoundBesideTheOtherLanguages) {
  write("train.py");
  write("a.cc");
  EXPECT_EQ(shown(find({"."})), (Words{"a.cc", "train.py"}));
  const Discovery named = find({"train.py"});
  EXPECT_EQ(notes(named), Words{});
  EXPECT_EQ(named.files.at(0).language, Language::kPython);
}

TEST_F(DiscoveryTest, ExcludedFilesAndFoldersAreLeftOut) {
  write("src/a.cc");
  write("src/a_generated.cc");
  write("src/third_party/b.cc");
  write("third_party/c.cc");
  EXPECT_EQ(shown(find({"."}, {"third_party/**", "*_generated.cc"})),
            (Words{"src/a.cc", "src/third_party/b.cc"}));
  EXPECT_EQ(shown(find({"."}, {"third_party"})), (Words{"src/a.cc", "src/a_generated.cc"}));
  EXPECT_EQ(notes(find({"."}, {"["})).at(0).rfind("!: exclude: cannot read the glob '['", 0), 0u);
}

TEST(WorkingDirectory, IsWhereTheUserStandsUnderBazelRun) {
  setenv("BUILD_WORKING_DIRECTORY", "/some/where", 1);
  EXPECT_EQ(working_directory(), "/some/where");
  unsetenv("BUILD_WORKING_DIRECTORY");
  EXPECT_EQ(working_directory(), fs::current_path().string());
  EXPECT_EQ(absolute_path("../b/./c.cc", "/some/where"), "/some/b/c.cc");
  EXPECT_EQ(absolute_path("/x/../c.cc", "/some/where"), "/c.cc");
}

TEST(Exclude, GlobsNameFoldersFilesOrPaths) {
  const Exclude exclude({"gen", "a/b/*.cc", "**/deep/x.cc", "lib/"}, "/p");
  EXPECT_TRUE(exclude.matches("/p/gen"));
  EXPECT_TRUE(exclude.matches("/p/x/gen/y.cc"));
  EXPECT_TRUE(exclude.matches("/p/a/b/c.cc"));
  EXPECT_FALSE(exclude.matches("/p/x/a/b/c.cc"));
  EXPECT_TRUE(exclude.matches("/p/q/deep/x.cc"));
  EXPECT_TRUE(exclude.matches("/p/deep/x.cc"));
  EXPECT_FALSE(exclude.matches("/p/notdeep/x.cc"));
  EXPECT_TRUE(exclude.matches("/p/q/lib/x.cc"));
  EXPECT_FALSE(exclude.matches("/p/general.cc"));
}

}  // namespace
}  // namespace placecheck::discovery
