#include "analyzer/frontend/clang/header_cache.h"

#include <gtest/gtest.h>

#include "analyzer/cache/file_log.h"
#include "analyzer/ir/print.h"
#include "analyzer/unit_cache.h"
#include "llvm/Support/raw_ostream.h"
#include "tests/cache/folder.h"

namespace placecheck {
namespace {

// A library small enough to be parsed many times, and a program that uses it.
constexpr char kTorch[] = R"(
#pragma once
#include "detail/tensor.h"
#ifdef TORCH_WIDE
#define TORCH_WIDTH 64
#else
#define TORCH_WIDTH 32
#endif
enum { torch_counter = __COUNTER__ + __COUNTER__ };
namespace torch {
template <class T> struct Holder {
  T value;
  int get() const { return value + broken_body; }
  static constexpr int broken_body = 1;
};
Tensor ones(int size);
}
)";
constexpr char kTensor[] = R"(
#pragma once
#if __has_include(<torch/optional_part.h>)
#include <torch/optional_part.h>
#endif
namespace torch { struct Tensor { Tensor to(int device) const { return *this; } }; }
)";
constexpr char kNet[] = R"(
#pragma once
#include <torch/torch.h>
struct Net {
  torch::Tensor forward(torch::Tensor x) { return x.to(1); }
  torch::Holder<int> held;
};
)";
constexpr char kMain[] = R"(
#include "net.h"
int main() {
  Net net;
  auto y = net.forward(torch::ones(TORCH_WIDTH));
  return net.held.get();
}
)";

// One project beside one library; each run is a new process as far as the caches can tell.
class HeaderCacheTest : public testing::Test {
 protected:
  HeaderCacheTest() {
    folder_.write("library/torch/torch.h", kTorch);
    folder_.write("library/torch/detail/tensor.h", kTensor);
    folder_.write("project/include/net.h", kNet);
    folder_.write("project/main.cpp", kMain);
  }

  frontend::LowerInput input(cache::FileLog& log, const std::string& file = "main.cpp") const {
    frontend::LowerInput input;
    input.path = folder_.path("project/" + file);
    input.arguments = {"clang++",
                       "-x",
                       "c++",
                       "-std=c++17",
                       "-I" + folder_.path("project/include"),
                       "-isystem",
                       folder_.path("library"),
                       input.path};
    std::string project = folder_.path("project");
    input.is_external = [project](llvm::StringRef path) { return !path.starts_with(project); };
    input.logged_file_system = cache::logged_snapshot;
    input.file_system = input.logged_file_system(log);
    return input;
  }

  struct Run {
    std::string text;
    bool over_header = false;
    bool was_kept = false;  // came from the unit cache
    unsigned built = 0;
    unsigned errors = 0;
  };

  static std::string print(const ir::Unit& unit) {
    std::string text;
    llvm::raw_string_ostream out(text);
    ir::print(out, unit);
    return text;
  }

  Run plain(const std::string& file = "main.cpp") const {
    cache::FileLog log;
    frontend::LowerResult result = frontend::lower_file(input(log, file));
    return {print(result.unit), false, false, 0, result.errors};
  }

  Run run(const std::string& file = "main.cpp", bool use_units = false, bool is_eager = true) {
    cache::Store store(folder_.path("cache"), "test");
    cache::FileFacts facts;
    frontend::HeaderCache headers(store, facts, is_eager);
    UnitCache units(store, facts, headers);
    cache::FileLog log;
    frontend::LowerInput in = input(log, file);
    std::string key = UnitCache::key_of(in, folder_.path("project"));
    if (use_units) {
      if (auto known = units.find(key, in))
        return {print(known->result.unit), false, true, headers.built(), known->result.errors};
    }
    frontend::HeaderUse use;
    in.header = headers.find(in, use);
    LoweredUnit unit{frontend::lower_file(in), {}};
    if (use_units) units.keep(key, in, log, use, unit);
    return {print(unit.result.unit), unit.result.over_header, false, headers.built(),
            unit.result.errors};
  }

  // Overwrites with other text of another time.
  void change(const std::string& name, const std::string& text) {
    folder_.write(name, text);
    auto later = std::filesystem::file_time_type::clock::now() + std::chrono::seconds(++changes_);
    std::filesystem::last_write_time(folder_.path(name), later);
  }

  TemporaryFolder folder_;
  int changes_ = 0;
};

TEST_F(HeaderCacheTest, GivesTheSameUnitAsAPlainParse) {
  Run first = run();
  EXPECT_TRUE(first.over_header);
  EXPECT_EQ(first.built, 1u);
  EXPECT_EQ(first.errors, 0u);
  EXPECT_EQ(first.text, plain().text);
  EXPECT_NE(first.text.find("forward"), std::string::npos);
  Run second = run();
  EXPECT_TRUE(second.over_header);
  EXPECT_EQ(second.built, 0u);
  EXPECT_EQ(second.text, first.text);
}

TEST_F(HeaderCacheTest, CountersGoOnWhereTheHeaderLeftThem) {
  folder_.write("project/counts.cpp",
                "#include <torch/torch.h>\nint first() { return __COUNTER__; }\n");
  Run counted = run("counts.cpp");
  EXPECT_TRUE(counted.over_header);
  EXPECT_EQ(counted.text, plain("counts.cpp").text);
}

TEST_F(HeaderCacheTest, ALoneFileDoesNotPayForAHeader) {
  EXPECT_FALSE(run("main.cpp", false, /*is_eager=*/false).over_header);
  EXPECT_TRUE(run("main.cpp", false, /*is_eager=*/false).over_header);
}

TEST_F(HeaderCacheTest, FilesWithOtherIncludesShareIt) {
  folder_.write("project/other.cpp",
                "#include <vector>\n#include <torch/torch.h>\n#include <map>\n"
                "std::map<int, int> counts;\nint f() { return torch::Holder<int>().get(); }\n");
  EXPECT_EQ(run().built, 1u);
  Run other = run("other.cpp");
  EXPECT_TRUE(other.over_header);
  EXPECT_EQ(other.built, 0u);
  EXPECT_EQ(other.text, plain("other.cpp").text);
}

TEST_F(HeaderCacheTest, MacrosThatTheHeaderReadsAreNotShared) {
  std::string use = "#include <torch/torch.h>\nint width() { return TORCH_WIDTH; }\n";
  folder_.write("project/wide.cpp", "#define TORCH_WIDE\n" + use);
  folder_.write("project/other.cpp", "#define WIDE 1\n#undef slots\n" + use);
  folder_.write("project/undone.cpp", "#undef TORCH_WIDTH\n" + use);
  Run wide = run("wide.cpp");
  EXPECT_FALSE(wide.over_header);
  EXPECT_NE(wide.text.find("64"), std::string::npos);
  EXPECT_TRUE(run("other.cpp").over_header);
  EXPECT_FALSE(run("undone.cpp").over_header);
  for (const char* file : {"wide.cpp", "other.cpp", "undone.cpp"})
    EXPECT_EQ(run(file).text, plain(file).text) << file;
}

TEST_F(HeaderCacheTest, WhatSurroundsTheIncludeCounts) {
  folder_.write("project/inside.cpp", "namespace mine {\n#include <torch/torch.h>\n}\n");
  folder_.write("project/never.cpp", "#ifdef NEVER\n#include <torch/torch.h>\n#endif\nint x;\n");
  folder_.write("project/packed.cpp", "#pragma pack(push, 1)\n#include <torch/torch.h>\nint x;\n");
  folder_.write("project/reopened.cpp",
                "namespace torch { struct Mine {}; }\n#include <torch/torch.h>\nint x;\n");
  for (const char* file : {"inside.cpp", "never.cpp", "packed.cpp", "reopened.cpp"}) {
    EXPECT_FALSE(run(file).over_header) << file;
    EXPECT_EQ(run(file).text, plain(file).text) << file;
  }
}

TEST_F(HeaderCacheTest, AFolderOfTheProjectThatShadowsAHeaderIsNotNeutral) {
  EXPECT_TRUE(run().over_header);
  folder_.write("project/include/torch/optional_part.h", "#define OPTIONAL_PART 1\n");
  EXPECT_FALSE(run().over_header);
  EXPECT_EQ(run().text, plain().text);
}

TEST_F(HeaderCacheTest, IsBuiltAnewWhenTheLibraryChanges) {
  run();
  change("library/torch/torch.h",
         std::string(kTorch) + "#undef TORCH_WIDTH\n#define TORCH_WIDTH 7\n");
  Run after = run();
  EXPECT_EQ(after.built, 1u);
  EXPECT_EQ(after.text, plain().text);
  folder_.write("library/torch/optional_part.h", "#define OPTIONAL_PART 1\n");
  EXPECT_EQ(run().built, 1u);
}

TEST_F(HeaderCacheTest, AHeaderWithErrorsIsNotSharedUntilItIsMended) {
  change("library/torch/detail/tensor.h", std::string(kTensor) + "int broken = ;\n");
  Run broken = run();
  EXPECT_FALSE(broken.over_header);
  EXPECT_EQ(broken.errors, plain().errors);
  EXPECT_EQ(broken.text, plain().text);
  change("library/torch/detail/tensor.h", kTensor);
  EXPECT_TRUE(run().over_header);
}

TEST_F(HeaderCacheTest, DamageOnTheDiskIsBuiltAnew) {
  Run first = run();
  std::vector<std::string> files = folder_.files("/cache/");
  ASSERT_GE(files.size(), 3u);
  for (const std::string& file : files) {
    if (file.find("/locks/") != std::string::npos) continue;
    std::string bytes = read_text(file);
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
    write_text(file, bytes);
    Run after = run();
    EXPECT_EQ(after.built, 1u) << file;
    EXPECT_TRUE(after.over_header) << file;
    EXPECT_EQ(after.text, first.text) << file;
  }
}

TEST_F(HeaderCacheTest, AnUnchangedFileIsNotParsed) {
  Run first = run("main.cpp", true);
  EXPECT_FALSE(first.was_kept);
  Run second = run("main.cpp", true);
  EXPECT_TRUE(second.was_kept);
  EXPECT_EQ(second.text, first.text);
}

TEST_F(HeaderCacheTest, AnyChangeThatCouldMatterIsNoticed) {
  folder_.write("project/asks.cpp",
                "#include \"net.h\"\n#if __has_include(\"maybe.h\")\nint there;\n#endif\nint x;\n");
  auto expect_parsed_once = [&](const char* what) {
    EXPECT_FALSE(run("asks.cpp", true).was_kept) << what;
    EXPECT_TRUE(run("asks.cpp", true).was_kept) << what;
    EXPECT_EQ(run("asks.cpp", true).text, plain("asks.cpp").text) << what;
  };
  expect_parsed_once("first");
  folder_.write("project/asks.cpp", read_text(folder_.path("project/asks.cpp")) + "int more;\n");
  expect_parsed_once("the file");
  folder_.write("project/include/net.h", std::string(kNet) + "inline int added;\n");
  expect_parsed_once("a header of the project");
  folder_.write("project/maybe.h", "");
  expect_parsed_once("a header that was not there");
  std::filesystem::remove(folder_.path("project/maybe.h"));
  expect_parsed_once("a header that is gone");
  change("library/torch/detail/tensor.h", std::string(kTensor) + "// touched\n");
  expect_parsed_once("a header of the library");
  folder_.write("project/include/torch/optional_part.h", "");
  expect_parsed_once("a header that stands before the library's");
  folder_.write("project/maybe.h/part.h", "");
  expect_parsed_once("a folder where a header was looked for");
  std::filesystem::remove_all(folder_.path("project/maybe.h"));
  folder_.write("project/maybe.h", "");
  expect_parsed_once("a header where there was a folder");
  folder_.write("project/unrelated.h", "int unrelated;\n");
  EXPECT_TRUE(run("asks.cpp", true).was_kept) << "an unrelated file";
}

TEST_F(HeaderCacheTest, PlainParsesAreKeptToo) {
  folder_.write("project/wide.cpp", "#define TORCH_WIDE\n#include <torch/torch.h>\nint x;\n");
  EXPECT_FALSE(run("wide.cpp", true).was_kept);
  EXPECT_TRUE(run("wide.cpp", true).was_kept);
  change("library/torch/detail/tensor.h", std::string(kTensor) + "// touched\n");
  EXPECT_FALSE(run("wide.cpp", true).was_kept);
}

TEST_F(HeaderCacheTest, UnitsThatAreDamagedAreLoweredAnew) {
  Run first = run("main.cpp", true);
  for (const char* kind : {"/units/", "/surroundings/"}) {
    std::string file = folder_.files(kind).at(0);
    std::string bytes = read_text(file);
    bytes[bytes.size() / 3] = static_cast<char>(bytes[bytes.size() / 3] ^ 4);
    write_text(file, bytes);
    Run after = run("main.cpp", true);
    EXPECT_FALSE(after.was_kept) << kind;
    EXPECT_EQ(after.text, first.text);
    EXPECT_TRUE(run("main.cpp", true).was_kept) << kind;
  }
}

}  // namespace
}  // namespace placecheck
