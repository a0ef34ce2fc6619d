#include "analyzer/frontend/clang/compile_flags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "analyzer/frontend/clang/build_definitions.h"
#include "analyzer/frontend/clang/database_flags.h"
#include "analyzer/frontend/clang/include_guess.h"
#include "analyzer/frontend/clang/nvcc_flags.h"
#include "analyzer/frontend/clang/shims.h"

namespace placecheck::frontend {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// The values of a flag that stands apart from its value, as in "-idirafter DIR".
Words values_of(const CompileCommand& command, const std::string& flag) {
  Words values;
  for (size_t i = 0; i + 1 < command.args.size(); ++i) {
    if (command.args[i] == flag) values.push_back(command.args[i + 1]);
  }
  return values;
}

class CompileFlagsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "/flagsXXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root_ = fs::canonical(pattern);
  }
  void TearDown() override { fs::remove_all(root_); }

  std::string at(const std::string& name) const { return (root_ / name).string(); }

  std::string write(const std::string& name, const std::string& text = "") {
    fs::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name) << text;
    return at(name);
  }

  void write_database(const std::string& file, const std::string& command) {
    write("compile_commands.json", "[{\"directory\": \"" + root_.string() + "\", \"file\": \"" +
                                       file + "\", \"command\": \"" + command + "\"}]");
  }

  CompileFlags flags(const Words& files, FlagOptions options = {}) const {
    options.named_paths = {root_.string()};
    return CompileFlags::create(std::move(options), files);
  }

  CompileCommand command(const std::string& file, FlagOptions options = {}) const {
    return flags({file}, std::move(options)).for_file(file);
  }

  // The guessed folders, relative to the project; the shims' folder left out.
  Words guessed(const std::string& file) const {
    Words roots;
    for (const std::string& folder : values_of(command(file), "-idirafter")) {
      if (folder.starts_with(root_.string())) {
        roots.push_back(fs::path(folder).lexically_relative(root_).string());
      }
    }
    return roots;
  }

  fs::path root_;
};

TEST_F(CompileFlagsTest, AGuessedCommandNamesLanguageStandardAndFile) {
  const CompileCommand found = command(write("a.cc", "int x;"));
  EXPECT_EQ(found.origin, FlagOrigin::kGuessed);
  EXPECT_EQ(found.args.front(), "clang++");
  EXPECT_EQ(found.args.back(), at("a.cc"));
  EXPECT_EQ(values_of(found, "-x"), (Words{"c++"}));
  EXPECT_TRUE(has(found.args, "-std=c++17"));
  EXPECT_EQ(found.directory, root_.string());
}

TEST_F(CompileFlagsTest, CudaIsReadFromItsHostSideWithThePrelude) {
  const CompileCommand found = command(write("k.cu", "__global__ void k() {}"));
  EXPECT_EQ(values_of(found, "-x"), (Words{"cuda"}));
  EXPECT_TRUE(has(found.args, "--cuda-host-only"));
  EXPECT_TRUE(has(found.args, "-nocudalib"));
  EXPECT_EQ(values_of(found, "-include").size(), 1u);
  EXPECT_EQ(values_of(command(write("k.cuh")), "-x"), (Words{"cuda"}));
}

TEST_F(CompileFlagsTest, TheStandardFollowsTheBuildFiles) {
  write("CMakeLists.txt", "project(p)\nset(CMAKE_CXX_STANDARD 20)\n");
  EXPECT_TRUE(has(command(write("src/a.cc")).args, "-std=c++20"));
  write("CMakeLists.txt", "target_compile_features(p PUBLIC cxx_std_20)\n");
  EXPECT_TRUE(has(command(at("src/a.cc")).args, "-std=c++20"));
  write("CMakeLists.txt", "set(CMAKE_CXX_STANDARD 14)\n");
  EXPECT_TRUE(has(command(at("src/a.cc")).args, "-std=c++17"));
}

TEST_F(CompileFlagsTest, TheStandardIsOneThatHasTheHeaders) {
  write("own.h", "#include <concepts>\n");
  EXPECT_TRUE(has(command(write("new.cc", "#include \"own.h\"\n")).args, "-std=c++20"));
  EXPECT_TRUE(has(command(write("old.cc", "#include <optional>\n")).args, "-std=c++17"));
  const std::string either =
      "#ifndef G\n#define G\n#if __cplusplus > 201703L\n#include <span>\n#endif\n#endif\n";
  EXPECT_TRUE(has(command(write("either.cc", either)).args, "-std=c++17"));
  const std::string guarded = "#pragma once\n#ifndef G\n#define G\n#include <span>\n#endif\n";
  EXPECT_TRUE(has(command(write("guarded.cc", guarded)).args, "-std=c++20"));
}

TEST_F(CompileFlagsTest, TheStandardIsOneThatTheLibtorchAccepts) {
  write("old/include/torch/torch.h");
  write("old/include/torch/all.h", "#if __cplusplus < 201402L\n#error C++14 or later\n#endif\n");
  write("new/include/torch/torch.h");
  write("new/include/torch/all.h", "#if __cplusplus < 202002L\n#error C++20 or later\n#endif\n");
  const std::string user = write("train.cpp", "#include <torch/torch.h>\n");
  const std::string stranger = write("main.cpp", "#include <vector>\n");
  FlagOptions options;
  options.flags_given = true;
  options.given_flags = {"-I" + at("old/include")};
  EXPECT_TRUE(has(command(user, options).args, "-std=c++17"));
  options.given_flags = {"-I" + at("new/include")};
  EXPECT_TRUE(has(command(user, options).args, "-std=c++20"));
  EXPECT_TRUE(has(command(stranger, options).args, "-std=c++17"));
  options.given_flags.push_back("-std=c++17");
  EXPECT_FALSE(has(command(user, options).args, "-std=c++20"));
}

TEST_F(CompileFlagsTest, IncludeRootsAreGuessedThroughProjectHeaders) {
  write("include/net/model.h", "#include \"util/log.h\"\n");
  write("lib/util/log.h");
  write("lib/other/log.h");
  const std::string file = write("src/a.cc", "#include <net/model.h>\n#include \"near.h\"\n");
  write("src/near.h", "#include \"other/log.h\"\n");
  EXPECT_EQ(guessed(file), (Words{"include", "lib"}));
}

TEST_F(CompileFlagsTest, TheNearestOfSeveralHeadersIsTaken) {
  write("one/inc/net.h");
  write("two/inc/net.h");
  EXPECT_EQ(guessed(write("one/src/a.cc", "#include \"net.h\"\n")), (Words{"one/inc"}));
  EXPECT_EQ(guessed(write("two/src/a.cc", "#include \"net.h\"\n")), (Words{"two/inc"}));
}

TEST_F(CompileFlagsTest, AGuessNeverBeatsTheSystem) {
  write("windows/unistd.h");
  write("windows/vector");
  write("windows/stddef.h");
  EXPECT_EQ(guessed(write("a.cc", "#include <unistd.h>\n#include <vector>\n#include <stddef.h>\n")),
            Words{});
}

TEST_F(CompileFlagsTest, VendoredTorchAndTemplatesOfHeadersAreNeverTaken) {
  write("deps/libtorch/include/torch/torch.h");
  write("deps/libtorch/include/ATen/no_such_header_anywhere.h");
  write("conf/config.h.in");
  EXPECT_EQ(guessed(write("a.cc",
                          "#include <torch/torch.h>\n#include \"config.h\"\n"
                          "#include <ATen/no_such_header_anywhere.h>\n")),
            Words{});
}

TEST_F(CompileFlagsTest, DotsInIncludesLeadThroughTheTree) {
  write("lib/core/x.h");
  EXPECT_EQ(guessed(write("app/src/a.cc", "#include \"../core/x.h\"\n")), (Words{"lib/core"}));
  EXPECT_EQ(guessed(write("lib/a.cc", "#include \"./core/x.h\"\n")), Words{});
}

TEST_F(CompileFlagsTest, IncludesThatCircleOrLeadNowhereEnd) {
  write("a.h", "#include \"b.h\"\n");
  write("b.h", "#include \"a.h\"\n#include \"gone.h\"\n#include \"/abs.h\"\n");
  EXPECT_EQ(guessed(write("a.cc", "#include \"a.h\"\n#include MACRO\n#include \"\n")), Words{});
}

TEST_F(CompileFlagsTest, ADatabaseIsFoundUpwardsAndCleaned) {
  fs::create_directories(root_ / "inc");
  const std::string file = write("src/a.cc");
  write_database("src/a.cc",
                 "g++ -DX=1 -Iinc -Igone -std=c++20 -O3 -Wall -Werror -fno-such-flag -MD -MF a.d "
                 "-o a.o -c src/a.cc");
  const CompileCommand found = command(file);
  EXPECT_EQ(found.origin, FlagOrigin::kDatabase);
  EXPECT_EQ(found.directory, root_.string());
  EXPECT_EQ(values_of(found, "-I"), (Words{at("inc")}));
  EXPECT_TRUE(has(found.args, "-std=c++20"));
  EXPECT_FALSE(has(found.args, "-std=c++17"));
  for (const char* dropped : {"-O3", "-Werror", "-fno-such-flag", "-MD", "-c", "-o", "a.o"}) {
    EXPECT_FALSE(has(found.args, dropped)) << dropped;
  }
  EXPECT_EQ(std::count(found.args.begin(), found.args.end(), file), 1);
}

TEST_F(CompileFlagsTest, TheDatabaseOfTheBuildFolderOrOfTheOptionIsRead) {
  const std::string file = write("a.cc");
  write("CMakeLists.txt", "project(p)");
  write_database("a.cc", "g++ -DHERE -c a.cc");
  fs::create_directories(root_ / "build");
  fs::rename(root_ / "compile_commands.json", root_ / "build/compile_commands.json");
  EXPECT_EQ(command(file).origin, FlagOrigin::kDatabase);
  fs::rename(root_ / "build", root_ / "elsewhere");
  EXPECT_EQ(command(file).origin, FlagOrigin::kGuessed);
  FlagOptions options;
  options.database_dir = at("elsewhere");
  EXPECT_EQ(command(file, options).origin, FlagOrigin::kDatabase);
  options.database_dir = at("nowhere");
  const CompileFlags none = flags({file}, options);
  EXPECT_EQ(none.for_file(file).origin, FlagOrigin::kGuessed);
  ASSERT_EQ(none.notes().size(), 1u);
  EXPECT_NE(none.notes()[0].find("which -p names"), std::string::npos);
}

TEST_F(CompileFlagsTest, ABrokenDatabaseIsSaidAndGuessingGoesOn) {
  const std::string file = write("a.cc");
  for (const char* broken : {"[{\"file\": ", "", "{}", "[1]", "[{\"file\": \"a.cc\"}]", "\xff\xfe",
                             "[{\"directory\":\"/\",\"file\":\"a.cc\"}]"}) {
    write("compile_commands.json", broken);
    const CompileFlags found = flags({file});
    EXPECT_EQ(found.notes().size(), 1u) << broken;
    EXPECT_EQ(found.for_file(file).origin, FlagOrigin::kGuessed) << broken;
  }
}

TEST_F(CompileFlagsTest, EntriesOfMissingFilesAreCountedOnce) {
  const std::string file = write("a.cc");
  write_database("gone.cc", "g++ -c gone.cc");
  const CompileFlags found = flags({file});
  ASSERT_EQ(found.notes().size(), 1u);
  EXPECT_NE(
      found.notes()[0].find("1 entry names a file that is not there, first: " + at("gone.cc")),
      std::string::npos)
      << found.notes()[0];
  EXPECT_EQ(found.for_file(file).origin, FlagOrigin::kGuessed);
}

TEST_F(CompileFlagsTest, GivenFlagsReplaceTheDatabaseAndKeepTheFallbacks) {
  const std::string file = write("a.cc", "#include \"lib.h\"\n");
  write("deep/lib.h");
  fs::create_directories(root_ / "inc");
  write_database("a.cc", "g++ -DFROM_DATABASE -c a.cc");
  FlagOptions options;
  options.flags_given = true;
  options.given_flags = {"-DGIVEN", "-Iinc", "-std=c++20"};
  options.working_directory = root_.string();
  options.extra_flags = {"-DEXTRA"};
  const CompileCommand found = command(file, options);
  EXPECT_EQ(found.origin, FlagOrigin::kGiven);
  EXPECT_TRUE(has(found.args, "GIVEN") || has(found.args, "-DGIVEN"));
  EXPECT_TRUE(has(found.args, "EXTRA") || has(found.args, "-DEXTRA"));
  EXPECT_FALSE(has(found.args, "FROM_DATABASE") || has(found.args, "-DFROM_DATABASE"));
  EXPECT_EQ(values_of(found, "-I"), (Words{at("inc")}));
  EXPECT_EQ(values_of(found, "-idirafter").front(), at("deep"));
}

TEST_F(CompileFlagsTest, GivenFlagsMayStandAlone) {
  const std::string file = write("sub/a.cc", "#include \"lib.h\"\n#include <torch/torch.h>\n");
  write("deep/lib.h");
  write("headers/include/stddef.h");
  FlagOptions options;
  options.flags_given = true;
  options.given_flags = {"-DGIVEN"};
  options.working_directory = root_.string();
  options.guesses = false;
  options.root = root_.string();
  options.clang_headers = at("headers");
  const CompileFlags alone = flags({file}, options);
  const CompileCommand found = alone.for_file(file);
  EXPECT_EQ(values_of(found, "-resource-dir"), (Words{at("headers")}));
  EXPECT_EQ(values_of(found, "-idirafter"), (Words{std::string(kShimRoot) + "/include"}));
  EXPECT_EQ(values_of(found, "-isystem"), Words());
  EXPECT_TRUE(std::ranges::none_of(
      found.args, [](const std::string& each) { return each.starts_with("-std="); }));
  // What the file says of itself still counts.
  EXPECT_TRUE(has(values_of(found, "-include"), kStandardPrelude));
  EXPECT_EQ(alone.project_root("/elsewhere/b.cc"), root_.string());
}

TEST_F(CompileFlagsTest, ANamedToolkitIsTaken) {
  const std::string file = write("a.cu");
  write("toolkit/include/cuda_runtime.h");
  FlagOptions options;
  options.flags_given = true;
  options.given_flags = {"--cuda-path=toolkit"};
  options.working_directory = root_.string();
  const CompileCommand found = command(file, options);
  EXPECT_TRUE(has(found.args, "--cuda-path=" + at("toolkit")));
  EXPECT_TRUE(has(values_of(found, "-include"), kCudaPrelude));
  EXPECT_EQ(found.notes, Words());
}

TEST_F(CompileFlagsTest, ResponseFilesAreOpened) {
  fs::create_directories(root_ / "inc");
  write("flags.rsp", "-Iinc -DX");
  const CleanFlags clean = clean_flags({"nvcc", "--options-file", "flags.rsp"}, root_.string());
  EXPECT_EQ(clean.include_dirs, (Words{at("inc")}));
  for (const Words& named : {Words{"--options-file", "flags.rsp"}, {"@flags.rsp"}}) {
    EXPECT_EQ(clean_flags(named, root_.string(), ResponseFiles::kDropped).args, Words());
    EXPECT_FALSE(clean_flags(named, root_.string()).args.empty());
  }
}

TEST_F(CompileFlagsTest, HeadersAreTheProjectsOrNot) {
  write(".git/config");
  const std::string file = write("src/a.cc");
  const CompileFlags found = flags({file});
  EXPECT_EQ(found.project_root(file), root_.string());
  EXPECT_FALSE(found.is_external_header(write("include/x.h")));
  EXPECT_FALSE(found.is_external_header(at("src/../include/x.h")));
  EXPECT_TRUE(found.is_external_header(write("third_party/x.h")));
  EXPECT_TRUE(found.is_external_header(write("deps/libtorch/include/torch/torch.h")));
  EXPECT_TRUE(found.is_external_header("/usr/include/stdio.h"));
  EXPECT_TRUE(found.is_external_header(kCudaPrelude));
  EXPECT_TRUE(found.is_external_header(root_.string() + "2/x.h"));
}

TEST_F(CompileFlagsTest, WhereTheProjectItselfLiesSaysNothing) {
  const std::string file = write("libtorch/c10/third_party/app/a.cc");
  write("libtorch/c10/third_party/app/.git/config");
  EXPECT_FALSE(flags({file}).is_external_header(write("libtorch/c10/third_party/app/x.h")));
}

TEST_F(CompileFlagsTest, WithoutAnyMarkTheFolderAboveSrcIsTheProject) {
  const std::string file = write("p/src/a.cc", "#include \"x.h\"\n");
  write("p/include/x.h");
  FlagOptions options;
  options.named_paths = {file};
  const CompileFlags found = CompileFlags::create(options, {file});
  EXPECT_EQ(found.project_root(file), at("p"));
  EXPECT_EQ(values_of(found.for_file(file), "-idirafter").front(), at("p/include"));
}

TEST_F(CompileFlagsTest, AProgramOfManyBelongsToTheFolderOfWhatItsBuildFileNames) {
  write("all/README.md");
  write("all/utils/CMakeLists.txt");
  write("all/utils/x.h");
  write("all/kind/one/CMakeLists.txt",
        "set(SUB_DIR ${CMAKE_CURRENT_SOURCE_DIR}/../../utils)\nadd_subdirectory(${SUB_DIR} b)\n");
  const std::string file = write("all/kind/one/src/a.cc", "#include \"x.h\"\n");
  FlagOptions options;
  options.named_paths = {at("all/kind/one")};
  const CompileFlags found = CompileFlags::create(options, {file});
  EXPECT_EQ(found.project_root(file), at("all"));
  EXPECT_EQ(values_of(found.for_file(file), "-idirafter").front(), at("all/utils"));
}

TEST_F(CompileFlagsTest, AFolderThatDoesNotDescribeItselfIsNoProject) {
  write("all/utils/x.h");
  write("all/one/CMakeLists.txt", "include_directories(../utils ../missing)\n");
  const std::string file = write("all/one/a.cc");
  FlagOptions options;
  options.named_paths = {at("all/one")};
  EXPECT_EQ(CompileFlags::create(options, {file}).project_root(file), at("all/one"));
}

TEST_F(CompileFlagsTest, WhoNamesAThirdPartyFolderHasItChecked) {
  write(".git/config");
  const std::string file = write("third_party/lib/a.cc");
  FlagOptions options;
  options.named_paths = {at("third_party/lib")};
  const CompileFlags found = CompileFlags::create(options, {file});
  EXPECT_FALSE(found.is_external_header(write("third_party/lib/x.h")));
  EXPECT_TRUE(found.is_external_header(write("third_party/other/x.h")));
}

TEST_F(CompileFlagsTest, ThreadsAskAtTheSameTime) {
  write("inc/x.h");
  Words files;
  for (int i = 0; i < 40; ++i) {
    files.push_back(write("src/f" + std::to_string(i) + ".cc", "#include \"x.h\"\n"));
  }
  const CompileFlags found = flags(files);
  std::vector<size_t> guessed_roots(files.size());
  const auto ask = [&](size_t first) {
    for (size_t i = first; i < files.size(); i += 4) {
      guessed_roots[i] = values_of(found.for_file(files[i]), "-idirafter").size();
    }
  };
  std::vector<std::thread> threads;
  for (size_t first = 0; first < 4; ++first) threads.emplace_back(ask, first);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(guessed_roots, std::vector<size_t>(files.size(), 2));
}

TEST(NvccFlags, AreTranslatedOrDropped) {
  EXPECT_EQ(translate_nvcc_flags({"/usr/bin/nvcc", "-gencode", "arch=compute_80,code=sm_80",
                                  "--expt-relaxed-constexpr", "-Xcompiler=-fPIC,-DY", "--std",
                                  "c++17", "-I=inc", "-isystem=sys", "-lineinfo", "-DX", "-x", "cu",
                                  "-Xcompiler", "-Wall", "-t", "4", "-arch=sm_90"}),
            (Words{"-fPIC", "-DY", "-std=c++17", "-I", "inc", "-isystem", "sys", "-DX", "-x", "cu",
                   "-Wall"}));
  EXPECT_EQ(translate_nvcc_flags({"nvcc", "-Xcompiler"}), Words{});
  EXPECT_EQ(translate_nvcc_flags({}), Words{});
}

TEST(CleanFlags, OddFlagsDoNoHarm) {
  const CleanFlags clean =
      clean_flags({"g++", "-I", "-o", "-D", "", "@gone.rsp", "-include", "gone.h", "-x"}, "/");
  EXPECT_TRUE(clean.include_dirs.empty());
  EXPECT_FALSE(has(clean.args, "gone.h"));
}

TEST(ScanIncludes, ReadsEveryFormThatIsOne) {
  const std::vector<Include> found = scan_includes(
      "#include <a.h>\n  #  include \"b/c.h\" // why\n#include_next <d.h>\n// #include <no.h>\n"
      "#include MACRO\n#include <broken\n#included <x>\n#import \"e.h\"\r\n");
  ASSERT_EQ(found.size(), 4u);
  EXPECT_EQ(found[0].name, "a.h");
  EXPECT_FALSE(found[0].quoted);
  EXPECT_EQ(found[1].name, "b/c.h");
  EXPECT_TRUE(found[1].quoted);
  EXPECT_EQ(found[2].name, "d.h");
  EXPECT_EQ(found[3].name, "e.h");
}

TEST_F(CompileFlagsTest, OnlyAUserOfTorchGetsTheStandardPrelude) {
  write("p/own.h", "#include <torch/torch.h>\n");
  const std::string user = write("p/user.cc", "#include \"own.h\"\n");
  const std::string other = write("p/other.cc", "#include <vector>\n");
  EXPECT_TRUE(has(values_of(command(user), "-include"), kStandardPrelude));
  EXPECT_FALSE(has(values_of(command(other), "-include"), kStandardPrelude));
}

TEST_F(CompileFlagsTest, WhatBuildScriptsOfExtensionsDefineIsDefined) {
  write("ops/setup.cfg");
  write("ops/common.h", "#ifdef PROJECT_WITH_CUDA\nvoid scale_cuda();\n#endif\n");
  std::string bindings =
      write("ops/bindings.cpp",
            "#include <torch/torch.h>\n#include \"common.h\"\n#if BUILT_WITHOUT_CUDA\n#endif\n"
            "PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}\n");
  Words args = command(bindings).args;
  EXPECT_TRUE(has(args, "-DPROJECT_WITH_CUDA"));
  EXPECT_TRUE(has(args, "-DTORCH_EXTENSION_NAME=extension"));
  EXPECT_TRUE(has(args, "-DTORCH_API_INCLUDE_EXTENSION_H"));
  EXPECT_FALSE(has(args, "-DBUILT_WITHOUT_CUDA"));
}

TEST_F(CompileFlagsTest, WhatTheBuildScriptDefinesAndTheFileTestsIsDefined) {
  write("ops/setup.py",
        "from torch.utils.cpp_extension import CUDAExtension\n"
        "macros = [('WITH_OPS', None), ('LIMIT', '8')]\n"
        "if torch.cuda.is_available() and not minimal:\n"
        "    macros += [('ON_GPU', None)]\n"
        "else:\n"
        "    macros += [('ON_CPU', None)]\n"
        "if torch.version.hip:\n"
        "    macros += [('ON_HIP', None)]\n"
        "setup(ext_modules=[CUDAExtension('ops', extra_compile_args={\n"
        "    'nvcc': ['-DFOR_TORCH', '-DUNUSED', f'-DARCH={arch}', '-O3']})])\n");
  write("ops/csrc/framework.h", "#if defined(FOR_TORCH) && WITH_OPS\n#endif\n");
  Words args = command(write("ops/csrc/ops.cu",
                             "#include \"framework.h\"\n#  ifdef ON_GPU\n#elif ON_CPU\n#endif\n"
                             "#ifdef ON_HIP\n#endif\n#if LIMIT > 4 || ARCH\n#endif\n"))
                   .args;
  EXPECT_TRUE(has(args, "-DFOR_TORCH"));
  EXPECT_TRUE(has(args, "-DWITH_OPS"));
  EXPECT_TRUE(has(args, "-DLIMIT=8"));
  EXPECT_TRUE(has(args, "-DON_GPU"));
  for (const char* other : {"-DON_CPU", "-DON_HIP", "-DUNUSED", "-DARCH"})
    EXPECT_FALSE(has(args, other)) << other;
}

TEST_F(CompileFlagsTest, OperatorsOfHalvesThatTheBuildScriptTakesBackAreThere) {
  const std::string file = write("ops/csrc/ops.cu", "#include <torch/extension.h>\n");
  EXPECT_FALSE(has(command(file).args, "-DPLACECHECK_HALF_OPERATORS"));
  write("halves/setup.py",
        "from torch.utils.cpp_extension import CUDAExtension\n"
        "flags = ['-O3', '-U__CUDA_NO_HALF_OPERATORS__', '-U__CUDA_NO_HALF_CONVERSIONS__']\n");
  EXPECT_TRUE(has(command(write("halves/csrc/ops.cu", "#include <torch/extension.h>\n")).args,
                  "-DPLACECHECK_HALF_OPERATORS"));
}

TEST_F(CompileFlagsTest, WhoUsesVariantsGetsTheFollowedVisit) {
  EXPECT_TRUE(
      has(values_of(command(write("p/a.cc", "#include <variant>\n")), "-include"), kVisitPrelude));
  EXPECT_FALSE(
      has(values_of(command(write("p/b.cc", "#include <vector>\n")), "-include"), kVisitPrelude));
}

TEST(BuildDefinitionsTest, OfCmake) {
  std::string text;
  for (const Definition& each : definitions_of_cmake(
           "add_definitions(\"-DWITH_OPS\" -DLEVEL=2)\nif(USE_CUDA)\n  add_definitions(-DON_GPU)\n"
           "else()\n  add_definitions(-DON_CPU)\nendif()\nif(WIN32)\n add_definitions(-DWINDOWS)\n"
           "endif()\ntarget_compile_definitions(ops PRIVATE FUSED DEPTH=4)\n"
           "add_definitions(-DNDEBUG -D_LIBRARYS_OWN=1)\nmessage(-DTOLD)\n"))
    text += each.name + "=" + each.value + " ";
  EXPECT_EQ(text, "WITH_OPS= LEVEL=2 ON_GPU= FUSED= DEPTH=4 ");
}

TEST(BuildDefinitionsTest, OtherPythonDefinesNothing) {
  EXPECT_TRUE(definitions_of_python("args = ['-DWITH_OPS']\n").empty());
}

TEST_F(CompileFlagsTest, AProgramThatIsNoExtensionIsNotMadeOne) {
  Words args = command(write("main.cc", "#include <torch/torch.h>\nint main() {}\n")).args;
  EXPECT_FALSE(has(args, "-DTORCH_EXTENSION_NAME=extension"));
  EXPECT_FALSE(has(args, "-DTORCH_API_INCLUDE_EXTENSION_H"));
}

TEST_F(CompileFlagsTest, ADatabaseSaysItselfHowTheProjectIsBuilt) {
  std::string file = write("ops.cc", "#ifdef WITH_CUDA\n#endif\n");
  write_database(file, "clang++ -c " + file);
  EXPECT_FALSE(has(command(file).args, "-DWITH_CUDA"));
}

TEST_F(CompileFlagsTest, WhatOtherCompilersOnlyWarnOfIsNoError) {
  EXPECT_TRUE(has(command(write("p/a.cc")).args, "-Wno-everything"));
}

TEST(Shims, LieOverTheFileSystem) {
  const auto files = with_shims(llvm::vfs::getRealFileSystem());
  EXPECT_TRUE(files->exists(kCudaPrelude));
  for (const Shim& shim : shims()) {
    EXPECT_TRUE(files->exists(std::string(kShimRoot) + "/" + std::string(shim.path)));
    EXPECT_NE(shim.text.find("#pragma once"), std::string_view::npos) << shim.path;
  }
}

}  // namespace
}  // namespace placecheck::frontend
