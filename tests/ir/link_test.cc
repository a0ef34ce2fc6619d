// Which units make a program, and what a key means in it.
#include "analyzer/ir/link.h"

#include <gtest/gtest.h>

#include <deque>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "tests/ir/sample.h"

namespace placecheck::ir {
namespace {

// A function that calls others; `kind` is what stands between its key and its parameters.
std::string func(const std::string& key, const std::vector<std::string>& calls,
                 const std::string& kind = "function", const std::string& range = "") {
  std::string text =
      "func \"" + key + "\" key \"" + key + "\" " + kind + " () -> void " + range + " {\nbb0:\n";
  for (const std::string& call : calls) {
    text += "  call direct \"" + call + "\" key \"" + call + "\" ()\n";
  }
  return text + "  return\n}\n";
}

std::string file(const std::string& path) { return "file \"" + path + "\"\n"; }

// Units that stay where they are, and the programs they make.
class Link : public ::testing::Test {
 protected:
  const Unit* unit(const std::string& text) { return &units_.emplace_back(unit_of(text)); }

  const std::vector<Program>& link_all() {
    std::vector<const Unit*> pointers;
    for (const Unit& each : units_) pointers.push_back(&each);
    return programs_ = link(pointers);
  }

  std::deque<Unit> units_;
  std::vector<Program> programs_;
};

std::set<std::string> files_of(const Program& program) {
  std::set<std::string> files;
  for (const Unit* each : program.units) files.insert(each->files[0]);
  return files;
}

TEST_F(Link, NothingIsNoProgram) { EXPECT_TRUE(link_all().empty()); }

TEST_F(Link, AProgramIsWhatItsEntryCalls) {
  unit(file("/p/main.cc") + func("main@main", {"f@lib.h"}, "function entry"));
  unit(file("/p/lib.cc") + func("f@lib.h", {"g@deep.h"}));
  unit(file("/q/deep.cc") + func("g@deep.h", {}));
  unit(file("/p/other.cc") + func("h@other.h", {}));
  const auto& programs = link_all();
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_EQ(programs[0].name, "/p/main.cc");
  EXPECT_FALSE(programs[0].is_library);
  EXPECT_EQ(programs[0].roots, 1u);
  EXPECT_EQ(files_of(programs[0]),
            (std::set<std::string>{"/p/main.cc", "/p/lib.cc", "/q/deep.cc"}));
  EXPECT_EQ(programs[0].find_function("g@deep.h", programs[0].units[0]), &units_[2].functions[0]);
  EXPECT_EQ(programs[0].find_function("h@other.h", programs[0].units[0]), nullptr);
  EXPECT_TRUE(programs[1].is_library);
  EXPECT_EQ(files_of(programs[1]), (std::set<std::string>{"/p/other.cc"}));
}

// Whose default arguments are functions of the declaring file, with keys that begin alike.
TEST_F(Link, ADeclarationWithDefaultArgumentsMeansTheFunctionOfTheOtherFile) {
  unit(file("/p/a.cc") + func("f()@/p/a.cc#0", {}, "initializer") +
       func("main@main", {"f()@/p/a.cc"}, "function entry"));
  unit(file("/p/b.cc") + func("f()@/p/b.cc#0", {}, "initializer") +
       func("f()@/p/b.cc", {}, "function"));
  const auto& programs = link_all();
  ASSERT_FALSE(programs.empty());
  EXPECT_EQ(programs[0].find_function("f()@/p/a.cc", programs[0].units[0]),
            &units_[1].functions[1]);
}

TEST_F(Link, AHeaderOfACopiedLibrarySpeaksOfTheDefinitionNearestToIt) {
  for (std::string copy : {"/p/a", "/p/b"}) {
    unit(file(copy + "/src/main.cc") +
         func("main@main", {"f()@" + copy + "/src/gpu/f.h"}, "function entry"));
    unit(file(copy + "/src/gpu/f.cc") + func("f()@" + copy + "/src/gpu/f.cc", {}));
  }
  const auto& programs = link_all();
  ASSERT_EQ(programs.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const std::string copy = i == 0 ? "/p/a" : "/p/b";
    EXPECT_EQ(programs[i].find_function("f()@" + copy + "/src/gpu/f.h", programs[i].units[0]),
              &units_[2 * i + 1].functions[0]);
  }
}

TEST_F(Link, TwoProgramsInOneFolderKeepTheirOwnClasses) {
  for (std::string name : {"/p/a.cc", "/p/b.cc"}) {
    unit(file(name) + "class \"Net\" key \"Net@" + name +
         "\" module {\n  method \"forward\" key \"" + "Net::forward()@" + name +
         "\" arity 0 required 0\n}\n" +
         func("main()@" + name, {"Net::forward()@" + name}, "function entry") +
         func("Net::forward()@" + name, {}));
  }
  const auto& programs = link_all();
  ASSERT_EQ(programs.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const Unit* own = &units_[i];
    EXPECT_EQ(programs[i].units, std::vector<const Unit*>{own});
    EXPECT_EQ(programs[i].find_class("Net@" + own->files[0], own), &own->classes[0]);
    EXPECT_EQ(programs[i].find_class("Net@" + units_[1 - i].files[0], own), nullptr);
    EXPECT_EQ(programs[i].unit_of(own->classes[0]), own);
    EXPECT_EQ(programs[i].unit_of(units_[1 - i].classes[0]), nullptr);
    EXPECT_EQ(programs[i].entries(), std::vector<const Function*>{&own->functions[0]});
  }
}

// The class stands in a header that both include; only one file defines its method.
TEST_F(Link, MethodsOfAClassAreFoundInAnotherUnit) {
  std::string header =
      "file \"/p/net.h\"\nclass \"Net\" key \"Net@/p/net.h\" module !1:1:1-5:2 {\n"
      "  method forward key \"Net::forward()@/p/net.h\" arity 0 required 0\n}\n";
  unit(file("/p/main.cc") + header + func("main()@m", {}, "function entry"));
  unit(file("/p/net.cc") + header + func("Net::forward()@/p/net.h", {}));
  const auto& programs = link_all();
  ASSERT_EQ(programs.size(), 1u);
  const Program& program = programs[0];
  ASSERT_EQ(program.units.size(), 2u);
  EXPECT_EQ(program.find_class("Net@/p/net.h", &units_[1]), &units_[1].classes[0]);
  EXPECT_EQ(program.find_class("Net@/p/net.h", nullptr), &units_[0].classes[0]);
  EXPECT_EQ(program.find_function("Net::forward()@/p/net.h", &units_[0]), &units_[1].functions[0]);
  EXPECT_EQ(program.unit_of(units_[1].functions[0]), &units_[1]);
}

TEST_F(Link, AClassInAnotherUnitIsPulledByItsConstruction) {
  unit(file("/p/main.cc") +
       "func \"main\" key \"main\" function entry () -> void {\nbb0:\n"
       "  %0 = call construct \"Net\" key \"Net@n\" ()\n  return\n}\n");
  unit(file("/p/net.cc") + "class \"Net\" key \"Net@n\" module {\n}\n");
  const auto& programs = link_all();
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_EQ(programs[0].find_class("Net@n", &units_[0]), &units_[1].classes[0]);
}

TEST_F(Link, InlineFunctionsOfAHeaderAreOne) {
  std::string inline_f = "file \"/p/f.h\"\n" + func("f@/p/f.h", {}, "function", "!1:3:1-4:2");
  unit(file("/p/main.cc") + func("main", {"f@/p/f.h"}, "function entry"));
  unit(file("/q/a.cc") + inline_f);
  unit(file("/r/b.cc") + inline_f);
  const auto& programs = link_all();
  EXPECT_EQ(programs[0].find_function("f@/p/f.h", &units_[0]), &units_[1].functions[0]);
  EXPECT_EQ(files_of(programs[0]), (std::set<std::string>{"/p/main.cc", "/q/a.cc"}));
}

TEST_F(Link, TheCallersOwnDefinitionGoesFirst) {
  unit(file("/p/main.cc") + func("main", {"f@f.h"}, "function entry") +
       func("f@f.h", {}, "function", "!0:9:1-9:5"));
  unit(file("/p/other.cc") + func("f@f.h", {}, "function", "!0:1:1-2:2"));
  const auto& programs = link_all();
  EXPECT_EQ(programs[0].units.size(), 1u);
  EXPECT_EQ(programs[0].find_function("f@f.h", &units_[0]), &units_[0].functions[1]);
}

TEST_F(Link, TheOnlyDefinitionInTheFolderGoesBeforeOthers) {
  unit(file("/p/main.cc") + func("main", {"f@f.h"}, "function entry"));
  unit(file("/q/f.cc") + func("f@f.h", {}, "function", "!0:1:1-2:2"));
  unit(file("/p/f.cc") + func("f@f.h", {}, "function", "!0:1:1-2:2"));
  const auto& programs = link_all();
  EXPECT_EQ(files_of(programs[0]), (std::set<std::string>{"/p/main.cc", "/p/f.cc"}));
  EXPECT_EQ(programs[0].find_function("f@f.h", &units_[0]), &units_[2].functions[0]);
}

TEST_F(Link, AmbiguousDefinitionsAreUnknown) {
  unit(file("/p/main.cc") + func("main", {"f@f.h"}, "function entry"));
  unit(file("/p/f1.cc") + func("f@f.h", {}, "function", "!0:1:1-2:2"));
  unit(file("/p/f2.cc") + func("f@f.h", {}, "function", "!0:1:1-2:2"));
  const auto& programs = link_all();
  EXPECT_EQ(programs[0].units.size(), 1u);
  EXPECT_EQ(programs[0].find_function("f@f.h", &units_[0]), nullptr);
  // The two definitions are one library, in which the key is as ambiguous.
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_EQ(programs[1].find_function("f@f.h", nullptr), nullptr);
}

// What the program holds already decides what else a key might have meant.
TEST_F(Link, AProgramsOwnDefinitionDecides) {
  unit(file("/p/main.cc") + func("main", {"g@g.h"}, "function entry") + func("f@f.h", {}));
  unit(file("/p/g.cc") + func("g@g.h", {"f@f.h"}));
  unit(file("/p/f.cc") + func("f@f.h", {}, "function", "!0:1:1-2:2"));
  const auto& programs = link_all();
  EXPECT_EQ(files_of(programs[0]), (std::set<std::string>{"/p/main.cc", "/p/g.cc"}));
  EXPECT_EQ(programs[0].find_function("f@f.h", &units_[1]), &units_[0].functions[1]);
}

TEST_F(Link, AnotherProgramsDefinitionIsTheLastOneMeant) {
  unit(file("/p/main.cc") + func("main", {"f@f.h"}, "function entry"));
  unit(file("/p/test.cc") + func("main@t", {}, "function entry") + func("f@f.h", {}));
  unit(file("/p/f.cc") + func("f@f.h", {}, "function", "!0:1:1-2:2"));
  const auto& programs = link_all();
  EXPECT_EQ(programs[0].find_function("f@f.h", &units_[0]), &units_[2].functions[0]);
}

TEST_F(Link, ADeclarationInTheCallersFileMeansTheOneInTheFolder) {
  unit(file("/p/main.cc") + func("main", {"f(int)@/p/main.cc"}, "function entry"));
  unit(file("/p/f.cc") + func("f(int)@/p/f.cc", {}));
  unit(file("/p/g.cc") + func("f(float)@/p/g.cc", {}));
  unit(file("/q/f.cc") + func("f(int)@/q/f.cc", {}));
  unit(file("/p/h.cc") + func("f(int)@/p/h.cc", {}, "function internal"));
  const auto& programs = link_all();
  EXPECT_EQ(programs[0].find_function("f(int)@/p/main.cc", &units_[0]), &units_[1].functions[0]);
  // Another file's call of the same key is none of its declarations.
  EXPECT_EQ(programs[0].find_function("f(int)@/p/main.cc", &units_[1]), nullptr);
}

TEST_F(Link, ADeclarationInTheCallersFileMeansTheNearestFolder) {
  unit(file("/p/main.cc") + func("main", {"f(int)@/p/main.cc"}, "function entry"));
  unit(file("/p/kernels/f.cc") + func("f(int)@/p/kernels/f.cc", {}));
  unit(file("/q/kernels/f.cc") + func("f(int)@/q/kernels/f.cc", {}));
  EXPECT_EQ(link_all()[0].find_function("f(int)@/p/main.cc", &units_[0]), &units_[1].functions[0]);
}

TEST_F(Link, ADeclarationWithDefinitionsInTwoFoldersAlikeIsUnknown) {
  unit(file("/p/main.cc") + func("main", {"f(int)@/p/main.cc"}, "function entry"));
  unit(file("/p/kernels/f.cc") + func("f(int)@/p/kernels/f.cc", {}));
  unit(file("/p/others/f.cc") + func("f(int)@/p/others/f.cc", {}));
  EXPECT_EQ(link_all()[0].find_function("f(int)@/p/main.cc", &units_[0]), nullptr);
}

TEST_F(Link, ADeclarationWithTwoDefinitionsInTheFolderIsUnknown) {
  unit(file("/p/main.cc") + func("main", {"f(int)@/p/main.cc"}, "function entry"));
  unit(file("/p/f.cc") + func("f(int)@/p/f.cc", {}));
  unit(file("/p/g.cc") + func("f(int)@/p/g.cc", {}));
  EXPECT_EQ(link_all()[0].find_function("f(int)@/p/main.cc", &units_[0]), nullptr);
}

TEST_F(Link, GlobalsWithAnInitializerGoFirst) {
  unit(file("/p/main.cc") + "global @d name \"d\" : device\n" +
       "func \"main\" key \"main\" function entry () -> void {\nbb0:\n  %0 = load @d\n  "
       "return\n}\n");
  unit(file("/p/d.cc") + "global @d name \"d\" : device initializer \"init\"\n" +
       func("init", {}, "initializer"));
  const auto& programs = link_all();
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_EQ(programs[0].find_global("@d", &units_[0]), &units_[1].globals[0]);
  EXPECT_EQ(programs[0].find_global("@e", &units_[0]), nullptr);
}

TEST_F(Link, LibrariesAreConnectedComponents) {
  unit(file("/p/a.cc") + func("a", {"b"}));
  unit(file("/p/b.cc") + func("b", {}) + func("b2", {}, "function internal"));
  unit(file("/p/c.cc") + "class \"C\" key \"C\" {\n}\n" + func("c", {}));
  unit(file("/p/d.cc") + "class \"C\" key \"C\" {\n}\n");
  unit(file("/p/e.cc") + func("e", {}));
  const auto& programs = link_all();
  ASSERT_EQ(programs.size(), 3u);
  EXPECT_EQ(files_of(programs[0]), (std::set<std::string>{"/p/a.cc", "/p/b.cc"}));
  EXPECT_EQ(programs[0].roots, 2u);
  EXPECT_EQ(programs[0].entries().size(), 2u);
  EXPECT_EQ(files_of(programs[1]), (std::set<std::string>{"/p/c.cc", "/p/d.cc"}));
  EXPECT_EQ(files_of(programs[2]), (std::set<std::string>{"/p/e.cc"}));
}

// What a library calls in a program's unit is seen, but is not the library's to begin with.
TEST_F(Link, ALibraryMayCallIntoAProgramsUnit) {
  unit(file("/p/main.cc") + func("main", {"f@f.h"}, "function entry"));
  unit(file("/p/f.cc") + func("f@f.h", {}));
  unit(file("/p/unused.cc") + func("unused", {"f@f.h"}));
  const auto& programs = link_all();
  ASSERT_EQ(programs.size(), 2u);
  EXPECT_EQ(programs[1].roots, 1u);
  EXPECT_EQ(programs[1].units.size(), 2u);
  EXPECT_EQ(programs[1].find_function("f@f.h", &units_[2]), &units_[1].functions[0]);
}

TEST_F(Link, CyclesEnd) {
  unit(file("/p/a.cc") + func("main", {"b"}, "function entry") + func("a", {}));
  unit(file("/p/b.cc") + func("b", {"a", "b", "main"}));
  EXPECT_EQ(link_all()[0].units.size(), 2u);
}

TEST_F(Link, ManyFunctionsAndReaders) {
  constexpr int kUnits = 200;
  constexpr int kFunctions = 500;
  for (int u = 0; u < kUnits; ++u) {
    std::string name = std::to_string(u);
    std::string text = file("/p/" + name + ".cc") + "file \"/p/all.h\"\n" +
                       "class \"C\" key \"C@/p/all.h\" !1:1:1-2:2 {\n}\n";
    text += func("inline@/p/all.h", {}, "function", "!1:3:1-4:2");
    text += func("main" + name, {"f0." + std::to_string((u + 1) % kUnits)},
                 u == 0 ? "function entry" : "function");
    for (int f = 0; f < kFunctions; ++f) {
      text += func("f" + std::to_string(f) + "." + name,
                   {"f0." + std::to_string((u + 1) % kUnits), "inline@/p/all.h"});
    }
    unit(text);
  }
  const auto& programs = link_all();
  ASSERT_EQ(programs.size(), 1u);
  EXPECT_EQ(programs[0].units.size(), static_cast<size_t>(kUnits));
  auto count_found = [&](int& found) {
    for (const Function& each : units_[7].functions) {
      found += programs[0].find_function(each.key, programs[0].units[0]) != nullptr;
    }
  };
  int found[2] = {0, 0};
  std::thread other([&] { count_found(found[0]); });
  count_found(found[1]);
  other.join();
  EXPECT_EQ(found[0], kFunctions + 2);
  EXPECT_EQ(found[1], kFunctions + 2);
}

}  // namespace
}  // namespace placecheck::ir
