// Which globals a call is given, and what becomes of the others when code that cannot be followed
// may have changed them.
#include "analyzer/dataflow/global_use.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "tests/dataflow/marked_ir.h"

namespace placecheck::dataflow {
namespace {

// Whether a function of the IR may use a global, both by their keys.
class GlobalUseOf {
 public:
  explicit GlobalUseOf(const char* functions, bool has_user_models = false)
      : parsed_(ir::parse(with_ranges(functions))) {
    EXPECT_EQ(parsed_.error, "");
    programs_ = ir::link({&unit_, 1});
    EXPECT_EQ(programs_.size(), 1u);
    use_.emplace(programs_.at(0), names_, has_user_models);
  }
  bool operator()(const std::string& function, const std::string& global) {
    return use_->may_use(*programs_[0].find_function(function, unit_), names_.intern(global));
  }

 private:
  ir::ParseResult parsed_;
  const ir::Unit* unit_ = &parsed_.unit;
  std::vector<ir::Program> programs_;
  Names names_;
  std::optional<GlobalUse> use_;
};

// `reads` reads @g; `calls` calls it; `idle` uses nothing; `makes` makes a closure of `reads`;
// `runs` runs what it is given.
const char kFunctions[] = R"(global @g name "g": tensor
global @h name "h": tensor
func "reads" key "reads" function () -> tensor {
bb0:
  %0 = load @g
  return %0
}
func "calls" key "calls" function () -> tensor {
bb0:
  %0 = call direct "reads" key "reads" () -> tensor
  return %0
}
func "idle" key "idle" function () -> void {
bb0:
  return
}
func "makes" key "makes" function () -> void {
bb0:
  %0 = closure "reads" ()
  return
}
func "runs" key "runs" function (f: unknown) -> void {
  slot f: unknown
bb0:
  %0 = load f
  %1 = call indirect "f"(%0) -> void discarded
  return
}
)";

TEST(GlobalUseTest, WhatCalleesUseIsUsed) {
  GlobalUseOf uses(kFunctions);
  for (const char* function : {"reads", "calls", "makes", "runs"}) {
    EXPECT_TRUE(uses(function, "@g")) << function;
    EXPECT_FALSE(uses(function, "@h")) << function;
  }
  EXPECT_FALSE(uses("idle", "@g"));
  // What is no variable of the program is everybody's.
  EXPECT_TRUE(uses("idle", "<has defaults>"));
}

TEST(GlobalUseTest, FilesAreForThoseThatSaveLoadOrOpenThem) {
  const char kFileFunctions[] = R"(func "saves" key "saves" function (t: tensor) -> void {
  slot t: tensor
bb0:
  %0 = load t
  %1 = const "weights.pt"
  %2 = call direct "torch::save"(%0, %1) -> void discarded
  return
}
func "calls" key "calls" function (t: tensor) -> void {
  slot t: tensor
bb0:
  %0 = load t
  %1 = call direct "saves" key "saves" (%0) -> void discarded
  return
}
func "opens" key "opens" function () -> void {
bb0:
  %0 = const "names.txt"
  %1 = call construct "std::basic_ifstream"(%0) -> record "std::basic_ifstream"
  return
}
func "idle" key "idle" function () -> void {
bb0:
  return
}
)";
  GlobalUseOf uses(kFileFunctions);
  for (const char* file : {"@file weights.pt", "@file of path", "<text of> @file names.txt"}) {
    for (const char* function : {"saves", "calls", "opens"})
      EXPECT_TRUE(uses(function, file)) << function << " " << file;
    EXPECT_FALSE(uses("idle", file)) << file;
  }
  EXPECT_TRUE(GlobalUseOf(kFileFunctions, /*has_user_models=*/true)("idle", "@file weights.pt"));
}

// `Base::run`, `Derived::run`, which overrides it, and `Other::run` of another class each read a
// global of their own; `Net::forward` reads @net.
const char kMethods[] = R"(global @base name "base": tensor
global @derived name "derived": tensor
global @other name "other": tensor
global @net name "net": tensor
class "Base" key "Base" {
  method run key "Base::run" arity 0 required 0
}
class "Derived" key "Derived" : record "Base" {
  method run key "Derived::run" arity 0 required 0
}
class "Other" key "Other" {
  method run key "Other::run" arity 0 required 0
}
class "Net" key "Net" module : record "torch::nn::Module" {
  method forward key "Net::forward" arity 0 required 0
}
func "Base::run" key "Base::run" method class "Base" (this: record "Base") -> tensor {
bb0:
  %0 = load @base
  return %0
}
func "Derived::run" key "Derived::run" method class "Derived" (this: record "Derived") -> tensor {
bb0:
  %0 = load @derived
  return %0
}
func "Other::run" key "Other::run" method class "Other" (this: record "Other") -> tensor {
bb0:
  %0 = load @other
  return %0
}
func "Net::forward" key "Net::forward" method class "Net" (this: record "Net") -> tensor {
bb0:
  %0 = load @net
  return %0
}
func "by_key" key "by_key" function (object: record "Base") -> tensor {
  slot object: record "Base"
bb0:
  %0 = load object
  %1 = call method "Base::run" key "Base::run" (%0) -> tensor
  return %1
}
func "by_name" key "by_name" function (object: unknown) -> tensor {
  slot object: unknown
bb0:
  %0 = load object
  %1 = call method "Unseen::run"(%0) -> tensor
  return %1
}
func "layer" key "layer" function (layer: module "torch::nn::LinearImpl") -> tensor {
  slot layer: module "torch::nn::LinearImpl"
bb0:
  %0 = load layer
  %1 = call method "torch::nn::LinearImpl::forward"(%0) -> tensor
  return %1
}
func "layers" key "layers" function (layers: module "torch::nn::SequentialImpl") -> tensor {
  slot layers: module "torch::nn::SequentialImpl"
bb0:
  %0 = load layers
  %1 = call method "torch::nn::SequentialImpl::forward"(%0) -> tensor
  return %1
}
)";

TEST(GlobalUseTest, AMethodThatIsKnownStandsForThoseThatOverrideIt) {
  GlobalUseOf uses(kMethods);
  EXPECT_TRUE(uses("by_key", "@base"));
  EXPECT_TRUE(uses("by_key", "@derived"));
  EXPECT_FALSE(uses("by_key", "@other"));
  for (const char* global : {"@base", "@derived", "@other"})
    EXPECT_TRUE(uses("by_name", global)) << global;
}

TEST(GlobalUseTest, AContainerOfModulesRunsThoseOfTheProgram) {
  GlobalUseOf uses(kMethods);
  EXPECT_TRUE(uses("layers", "@net"));
  EXPECT_FALSE(uses("layers", "@other"));
  EXPECT_FALSE(uses("layer", "@net"));
}

// The same without types, where names tell whom a call may reach.
const char kPythonFunctions[] = R"(global "@/p/a.py:g" name "g": unknown
global "@/p/a.py:h" name "h": unknown
func "Net::reads" key "/p/a.py:Net.reads" method (this: unknown) -> unknown {
bb0:
  %0 = load "@/p/a.py:g"
  return %0
}
func "by_method" key "/p/a.py:by_method" function (net: unknown) -> unknown {
  slot net: unknown
bb0:
  %0 = load net
  %1 = call method ".reads"(%0)
  return %1
}
func "by_attribute" key "/p/a.py:by_attribute" function (net: unknown) -> unknown {
  slot net: unknown
bb0:
  %0 = load net
  %1 = const "reads"
  %2 = call direct "object.get"(%0, %1)
  return %2
}
func "by_module" key "/p/a.py:by_module" function (module: unknown) -> unknown {
  slot module: unknown
bb0:
  %0 = load module
  %1 = const "g"
  %2 = call direct "object.get"(%0, %1)
  return %2
}
func "idle" key "/p/a.py:idle" function () -> unknown {
bb0:
  %0 = const 5
  return %0
}
func "by_any_name" key "/p/a.py:by_any_name" function (module: unknown, name: unknown) -> unknown {
  slot module: unknown
  slot name: unknown
bb0:
  %0 = load module
  %1 = load name
  %2 = call direct "builtins.getattr"(%0, %1)
  return %2
}
)";

TEST(GlobalUseTest, InPythonANameStandsForAllThatIsCalledSo) {
  GlobalUseOf program(kPythonFunctions);
  auto uses = [&](const std::string& function, const std::string& global) {
    return program("/p/a.py:" + function, "@/p/a.py:" + global);
  };
  for (const char* function : {"Net.reads", "by_method", "by_attribute", "by_module"}) {
    EXPECT_TRUE(uses(function, "g")) << function;
    EXPECT_FALSE(uses(function, "h")) << function;
  }
  EXPECT_FALSE(uses("idle", "g"));
  EXPECT_TRUE(uses("by_any_name", "g"));
  EXPECT_TRUE(uses("by_any_name", "h"));
}

// Makes @g on the CPU, runs `call`, and adds @g to a tensor of a GPU.
std::string program(const std::string& call, const std::string& add, const std::string& others) {
  return R"(global @g name "g": tensor
)" + others +
         R"(func "main" key "main" function entry () -> int {
bb0:
  %90 = const 2
  %91 = call direct "list"(%90, %90) -> container<int>
  %92 = call direct "torch::ones"(%91) -> tensor
  store @g, %92
)" + call +
         R"(  %93 = const device "cuda:0"
  %94 = call direct "torch::ones"(%91, %93) -> tensor
  %95 = load @g
)" + add +
         R"(  return
}
)";
}
const char kBad[] =
    "  %96 = call direct \"at::operator+\"(%95, %94) -> tensor  # expect: device-mismatch\n";
const char kGood[] = "  %96 = call direct \"at::operator+\"(%95, %94) -> tensor\n";

TEST(GlobalUseTest, AGlobalSurvivesACallThatLeavesItAlone) {
  expect_marks(program("  %1 = call direct \"idle\" key \"idle\" () -> void discarded\n", kBad,
                       "func \"idle\" key \"idle\" function () -> void {\nbb0:\n  return\n}\n"));
}

TEST(GlobalUseTest, ACallThatSetsItIsFollowed) {
  expect_marks(program("  %1 = call direct \"outer\" key \"outer\" () -> void discarded\n", kGood,
                       R"(func "outer" key "outer" function () -> void {
bb0:
  %0 = call direct "moves" key "moves" () -> void discarded
  return
}
func "moves" key "moves" function () -> void {
bb0:
  %0 = load @g
  %1 = const device "cuda:0"
  %2 = call method "at::Tensor::to"(%0, %1) -> tensor
  store @g, %2
  return
}
)"));
}

// `outer` does not use @g, but what it calls is unseen code of the program.
TEST(GlobalUseTest, UnseenCodeBehindACallMayChangeIt) {
  expect_marks(program("  %1 = call direct \"outer\" key \"outer\" () -> void discarded\n", kGood,
                       R"(func "outer" key "outer" function () -> void {
bb0:
  %0 = call direct "inner" key "inner" () -> void discarded
  return
}
func "inner" key "inner" function () -> void {
bb0:
  %0 = call direct "unseen" key "unseen" () -> void discarded
  return
}
)"));
}

}  // namespace
}  // namespace placecheck::dataflow
