#include "analyzer/discovery/companions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "analyzer/discovery/importers.h"

namespace placecheck::discovery {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CompanionsTest : public testing::Test {
 protected:
  CompanionsTest() {
    root_ = std::filesystem::path(testing::TempDir()) /
            testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(root_);
  }
  ~CompanionsTest() override { std::filesystem::remove_all(root_); }

  void write(const std::string& name, const std::string& text) {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
  }

  // Relative to the project.
  std::vector<std::string> companions_of(const std::string& named) {
    std::vector<SourceFile> project = discover({{root_.string()}, root_.string(), {}, {}}).files;
    std::vector<SourceFile> chosen =
        discover({{(root_ / named).string()}, root_.string(), {}, {}}).files;
    std::vector<std::string> names;
    for (const SourceFile& file : companions(chosen, project)) names.push_back(file.shown);
    return names;
  }

  std::filesystem::path root_;
};

TEST_F(CompanionsTest, ImplementWhatAProgramIncludes) {
  write("main.cc", "#include \"lib/net.h\"\nint main() {}\n");
  write("lib/net.h", "#include <blocks.hpp>\n");
  write("lib/net.cc", "#include \"net.h\"\n");
  write("include/blocks.hpp", "");
  write("src/blocks.cpp", "#include \"../include/blocks.hpp\"\n");
  write("lib/other.cc", "int other() { return 1; }\n");
  EXPECT_THAT(companions_of("main.cc"), ElementsAre("lib/net.cc", "src/blocks.cpp"));
}

TEST_F(CompanionsTest, CallWhatAPartImplements) {
  write("main.cc", "#include \"train/train.h\"\nint main(int argc, char** argv) {}\n");
  write("train/train.h", "");
  write("train/train.cc", "#include \"train.h\"\n#include \"loss.h\"\n");
  write("train/loss.h", "");
  write("train/loss.cc", "#include \"loss.h\"\n");
  write("unrelated.cc", "int main() {}\n");
  EXPECT_THAT(companions_of("train/loss.cc"), ElementsAre("main.cc", "train/train.cc"));
  EXPECT_THAT(companions_of("train"), ElementsAre("main.cc"));
}

TEST_F(CompanionsTest, AreNoneForAProgramOfOneFile) {
  write("a.cc", "int main() {}\n");
  write("b.cc", "int main() {}\n");
  EXPECT_THAT(companions_of("a.cc"), IsEmpty());
}

TEST_F(CompanionsTest, AreNotGuessedWhereANameIsAmbiguous) {
  write("first/net.h", "");
  write("first/net.cc", "#include \"net.h\"\n");
  write("second/net.h", "");
  write("second/net.cc", "#include \"net.h\"\n");
  write("app/main.cc", "#include <net.h>\nint main() {}\n");
  EXPECT_THAT(companions_of("app/main.cc"), IsEmpty());
  EXPECT_THAT(companions_of("first"), IsEmpty());
}

TEST_F(CompanionsTest, EndWhereFilesIncludeEachOther) {
  write("a.h", "#include \"b.h\"\n");
  write("b.h", "#include \"a.h\"\n");
  write("a.cc", "#include \"a.h\"\nint main() {}\n");
  write("b.cc", "#include \"b.h\"\n");
  EXPECT_THAT(companions_of("a.cc"), ElementsAre("b.cc"));
}

TEST_F(CompanionsTest, AreBounded) {
  write("lib.h", "");
  write("lib.cc", "#include \"lib.h\"\n");
  for (int i = 0; i < 100; ++i) {
    write("program" + std::to_string(i) + ".cc", "#include \"lib.h\"\nint main() {}\n");
  }
  size_t count = companions_of("lib.cc").size();
  EXPECT_GT(count, 0U);
  EXPECT_LT(count, 10U);
}

TEST_F(CompanionsTest, ImportThePythonFilesThatWereNamed) {
  write("train.py",
        "from unet import UNet\nfrom evaluate import (evaluate,\n    report)\n"
        "if __name__ == '__main__':\n    pass\n");
  write("evaluate.py", "from utils.dice import dice\n");
  write("utils/__init__.py", "");
  write("utils/dice.py", "import torch\n");
  write("unet/__init__.py", "from .model import UNet\n");
  write("unet/model.py", "from .parts import *\n");
  write("unet/parts.py", "");
  write("other.py", "import os, unrelated.evaluate\n");
  EXPECT_THAT(companions_of("evaluate.py"), ElementsAre("train.py"));
  EXPECT_THAT(companions_of("utils/dice.py"), ElementsAre("evaluate.py", "train.py"));
  EXPECT_THAT(companions_of("unet/model.py"), ElementsAre("train.py", "unet/__init__.py"));
  EXPECT_THAT(companions_of("unet/parts.py"),
              ElementsAre("train.py", "unet/__init__.py", "unet/model.py"));
  EXPECT_THAT(companions_of("train.py"), IsEmpty());
  EXPECT_THAT(companions_of("other.py"), IsEmpty());
}

TEST(Importers, ReadImportLines) {
  EXPECT_THAT(
      scan_imports("import a, b.c as d  # e\nfrom .f import g\n  from h import (i,\n j as k)\n"
                   "from . import l\n# import m\nimportant = 1\n"),
      ElementsAre("a", "b.c", ".f", ".f.g", "h", "h.i", "h.j", ".", ".l"));
  EXPECT_THAT(scan_imports("from"), IsEmpty());
  EXPECT_THAT(scan_imports("from x import (\xff\n"), testing::SizeIs(testing::Ge(1u)));
}

TEST(Importers, LookForModulesWhereTheyMayBe) {
  EXPECT_THAT(module_files("a.b", "/p/q/r.py"),
              testing::IsSupersetOf({"/p/q/a/b.py", "/p/q/a/b/__init__.py", "/p/a/b.py"}));
  EXPECT_THAT(module_files("..a", "/p/q/r.py"), ElementsAre("/p/a.py", "/p/a/__init__.py"));
  EXPECT_THAT(module_files(".", "/p/q/r.py"), ElementsAre("/p/q/__init__.py"));
}

}  // namespace
}  // namespace placecheck::discovery
