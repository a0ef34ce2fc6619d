#include "analyzer/unit_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "analyzer/ir/print.h"
#include "llvm/Support/raw_ostream.h"
#include "tests/ir/sample.h"

namespace placecheck {
namespace {

namespace fs = std::filesystem;

// With paths wherever there can be some.
constexpr std::string_view kUnit = R"ir(file "/home/me/ws/train.cc"
file "/home/me/ws/lib/net.h"
file "/usr/include/vector"
class "Net<(lambda at /home/me/ws/train.cc:3:5)>" key "Net@/home/me/ws/lib/net.h" module : module "Base@/home/me/ws/lib/net.h" {
  field part: container<module "Part|/home/me/ws/lib/part.h">
  method forward key "Net::forward@/home/me/ws/lib/net.h" arity 1 required 1
}
global "@/home/me/ws/a.py:device" name "device" : device initializer "/home/me/ws/a.py:<device>"
func "main" key "main()@/home/me/ws/train.cc" function entry () -> int !0:5:1-20:2 {
  slot net: module "Net@/home/me/ws/lib/net.h"
bb0:
  %0 = const "/home/me/ws/train.cc"
  %1 = load "@/home/me/ws/a.py:device"
  %2 = call construct "Net" key "Net@/home/me/ws/lib/net.h"(%0) -> module "Net@/home/me/ws/lib/net.h"
  %3 = closure "lambda:1:2@/home/me/ws/x/home/me/ws/train.cc"()
  return
}
)ir";

std::string text_of(const ir::Unit& unit) {
  std::string text;
  llvm::raw_string_ostream out(text);
  ir::print(out, unit);
  return text;
}

LoweredFile lowered(const std::string& path, std::string_view text) {
  LoweredFile file;
  file.unit = std::make_unique<ir::Unit>(ir::unit_of(text));
  file.report = {path,
                 findings::Understanding::kPartly,
                 2,
                 path + ":7: '/home/me/ws/no.h' file not found",
                 {}};
  file.notes = {"no CUDA toolkit"};
  return file;
}

std::vector<LoweredFile> sample() {
  std::vector<LoweredFile> files;
  files.push_back(lowered("/home/me/ws/train.cc", kUnit));
  return files;
}

std::string error_of(llvm::StringRef bytes) {
  auto files = lowered_from(bytes, "a.unit", "/ws");
  return files ? "" : llvm::toString(files.takeError());
}

TEST(UnitFile, BringsBackWhatWasWritten) {
  const std::vector<LoweredFile> before = sample();
  auto after = lowered_from(unit_file_bytes(before, "/home/me/ws"), "a.unit", "/home/me/ws");
  ASSERT_TRUE(static_cast<bool>(after)) << llvm::toString(after.takeError());
  ASSERT_EQ(after->size(), 1u);
  const LoweredFile& file = after->front();
  EXPECT_EQ(text_of(*file.unit), text_of(*before[0].unit));
  EXPECT_EQ(file.report.path, before[0].report.path);
  EXPECT_EQ(file.report.status, findings::Understanding::kPartly);
  EXPECT_EQ(file.report.errors, 2u);
  EXPECT_EQ(file.report.first_error, before[0].report.first_error);
  EXPECT_EQ(file.notes, before[0].notes);
}

TEST(UnitFile, DoesNotSayWhereItWasMade) {
  const std::string bytes = unit_file_bytes(sample(), "/home/me/ws");
  std::string elsewhere(kUnit);
  const std::string root = "/home/me/ws";
  const std::string other = "/build/42";
  // All but a folder that is called as the root is.
  for (size_t at = elsewhere.find(root); at != std::string::npos;
       at = elsewhere.find(root, at + 1)) {
    if (elsewhere[at - 1] != 'x') elsewhere.replace(at, root.size(), other);
  }
  auto moved = lowered_from(bytes, "a.unit", other);
  ASSERT_TRUE(static_cast<bool>(moved)) << llvm::toString(moved.takeError());
  EXPECT_EQ(text_of(*moved->front().unit), text_of(ir::unit_of(elsewhere)));
  EXPECT_EQ(moved->front().report.path, "/build/42/train.cc");
  EXPECT_EQ(moved->front().report.first_error,
            "/build/42/train.cc:7: '/build/42/no.h' file not found");
  EXPECT_EQ(unit_file_bytes(*moved, other), bytes);
}

TEST(UnitFile, OfAnotherVersionIsRefused) {
  std::string bytes = unit_file_bytes(sample(), "/home/me/ws");
  const size_t version = bytes.find('\n') + 1;
  bytes[version] = static_cast<char>(kUnitFileVersion + 1);
  const std::string error = error_of(bytes);
  EXPECT_TRUE(error.starts_with("'a.unit' holds units of format 2.")) << error;
  EXPECT_NE(error.find("lower the sources again"), std::string::npos) << error;
}

TEST(UnitFile, WhatIsDamagedOrSomethingElseIsRefused) {
  const std::string bytes = unit_file_bytes(sample(), "/home/me/ws");
  for (size_t size : {bytes.find('\n') + 1, bytes.size() / 2, bytes.size() - 1})
    EXPECT_NE(error_of(bytes.substr(0, size)).find("is damaged"), std::string::npos) << size;
  std::string changed = bytes;
  changed[changed.size() / 2] ^= 1;
  EXPECT_NE(error_of(changed).find("is damaged"), std::string::npos);
  EXPECT_EQ(error_of("int main() {}\n"), "'a.unit' was not written by --emit-unit");
  EXPECT_EQ(error_of(""), "'a.unit' was not written by --emit-unit");
}

class UnitFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "units";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }

  void write(const std::string& name, const std::string& bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  std::string unit_bytes(const std::string& path) {
    std::vector<LoweredFile> files;
    files.push_back(lowered(path, "file \"" + path + "\"\n"));
    return unit_file_bytes(files, "/ws");
  }

  fs::path folder_;
};

TEST_F(UnitFiles, AreReadInTheOrderOfTheirSourcesEachOnce) {
  write("b.unit", unit_bytes("/ws/b.cc"));
  write("a.unit", unit_bytes("/ws/a.cc"));
  write("again.unit", unit_bytes("/ws/b.cc"));
  write("list", "b.unit\nagain.unit\n");
  auto files = read_unit_files({"@list", "a.unit"}, folder_.string());
  ASSERT_TRUE(static_cast<bool>(files)) << llvm::toString(files.takeError());
  ASSERT_EQ(files->size(), 2u);
  EXPECT_EQ((*files)[0].report.path, (folder_ / "a.cc").string());
  EXPECT_EQ((*files)[1].report.path, (folder_ / "b.cc").string());
}

TEST_F(UnitFiles, ThatAreNotThereAreNamed) {
  auto error_of = [&](const std::string& name) {
    auto files = read_unit_files({name}, folder_.string());
    return files ? "" : llvm::toString(files.takeError());
  };
  EXPECT_TRUE(llvm::StringRef(error_of("no.unit")).starts_with("'no.unit' cannot be read: "));
  EXPECT_TRUE(
      llvm::StringRef(error_of("@no")).starts_with("the list of units 'no' cannot be read: "));
}

}  // namespace
}  // namespace placecheck
