// A function that the verifier refuses is counted and named by the run, and is no success.
#include <gtest/gtest.h>

#include "analyzer/driver.h"
#include "analyzer/lowering.h"
#include "analyzer/unit_file.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"
#include "tests/cache/folder.h"
#include "tests/ir/sample.h"

namespace placecheck {
namespace {

constexpr std::string_view kUnit = R"ir(file "/ws/train.cc"
func "good" key "good()" function () -> int !0:1:1-3:2 {
bb0:
  return
}
func "bad" key "bad()" function () -> int !0:5:1-7:2 {
bb0:
  jump bb1
bb1:
  return
}
)ir";

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
};

// Checks a unit as it comes from the front end.
Ran run_on(ir::Unit unit, const std::string& option) {
  TemporaryFolder folder;
  std::vector<LoweredFile> files(1);
  std::vector<std::string> left_out = leave_out_unsound(unit);
  files[0].unit = std::make_unique<ir::Unit>(std::move(unit));
  files[0].report = {"/ws/train.cc", findings::Understanding::kFully, 0, "", std::move(left_out)};
  const std::string file = folder.write("a.unit", unit_file_bytes(files, "/ws"));
  Ran ran;
  llvm::raw_string_ostream out(ran.out);
  llvm::raw_string_ostream err(ran.err);
  ran.code = run({"--units", option, file}, out, err);
  return ran;
}

ir::Unit unsound() {
  ir::Unit unit = ir::unit_of(kUnit);
  unit.functions.at(1).blocks[0].instructions.back().targets[0] = 7;
  return unit;
}

TEST(LeftOut, FunctionsAreCountedAndNamedInTheText) {
  const Ran ran = run_on(unsound(), "--format=text");
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.out.find("1 function left out"), std::string::npos) << ran.out;
  EXPECT_NE(ran.err.find("train.cc: a function was left out, targets exist: function 'bad()'"),
            std::string::npos)
      << ran.err;
}

TEST(LeftOut, FunctionsAreNamedByAQuietRun) {
  const Ran ran = run_on(unsound(), "--quiet");
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("function 'bad()'"), std::string::npos) << ran.err;
}

TEST(LeftOut, FunctionsAreCountedAndNamedInJson) {
  const Ran ran = run_on(unsound(), "--format=json");
  EXPECT_EQ(ran.code, 2);
  llvm::Expected<llvm::json::Value> report = llvm::json::parse(ran.out);
  ASSERT_TRUE(static_cast<bool>(report)) << llvm::toString(report.takeError());
  const llvm::json::Object& all = *report->getAsObject();
  EXPECT_EQ(all.getObject("summary")->getInteger("functions_left_out"), 1);
  const llvm::json::Object& file = *all.getArray("files")->front().getAsObject();
  ASSERT_NE(file.getArray("left_out"), nullptr);
  EXPECT_EQ(file.getArray("left_out")->size(), 1u);
}

TEST(LeftOut, NothingIsSaidWhereAllIsSound) {
  const Ran ran = run_on(ir::unit_of(kUnit), "--format=text");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out.find("left out"), std::string::npos) << ran.out;
}

}  // namespace
}  // namespace placecheck
