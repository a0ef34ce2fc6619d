#include <gtest/gtest.h>

#include "analyzer/findings/emitters.h"
#include "llvm/Support/JSON.h"
#include "tests/findings/sample.h"

namespace placecheck::findings {
namespace {

llvm::json::Value json_of(const Report& report) {
  const std::string text = written([&](llvm::raw_ostream& out) { emit_json(report, out); });
  EXPECT_TRUE(llvm::json::isUTF8(text));
  EXPECT_EQ(text.back(), '\n');
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value) return *value;
  ADD_FAILURE() << llvm::toString(value.takeError());
  return nullptr;
}

llvm::json::Value parsed(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value) return *value;
  ADD_FAILURE() << llvm::toString(value.takeError());
  return nullptr;
}

TEST(EmitJson, WritesEverything) {
  Report report = sample_report();
  report.coverage = {{"/p/src/net.h", 4, 4}, {"/p/src/train.cc", 6, 3}};
  report.unmodelled = {{"house::load", 3}};
  report.files[1].left_out = {"a loop: f"};
  report.too_large = {"/p/src/train.cc"};
  report.large_functions = {{"train", "/p/src/train.cc", 7}};
  report.extensions = {.exported_functions = 1,
                       .launches = 3,
                       .reached_launches = 2,
                       .unreached = {{"/p/src/scale.cu", 12}}};
  EXPECT_EQ(json_of(report), parsed(R"json({
    "version": 1,
    "findings": [
      {"rule": "device-mismatch", "severity": "error",
       "file": "src/train.cc", "line": 3, "column": 14, "end_line": 3, "end_column": 33,
       "message": "'batch' is on cpu but 'net' is on cuda:0",
       "predicted_error": "Expected all tensors to be on the same device!",
       "fix": "move 'batch' to cuda:0", "program": "src/train.cc",
       "notes": [{"file": "src/train.cc", "line": 2, "column": 3,
                  "message": "'net' was moved here"}],
       "fix_its": [{"file": "src/train.cc", "line": 3, "column": 32, "end_line": 3,
                    "end_column": 32, "replacement": ".to(device)"}]
},
      {"rule": "discarded-transfer", "severity": "warning",
       "file": "src/train.cc", "line": 4, "column": 2,
       "message": "the result of 'x.to' is dropped",
       "predicted_error": "", "fix": "", "program": "", "notes": [], "fix_its": []}
    ],
    "files": [
      {"path": "src/train.cc", "status": "understood", "errors": 0, "first_error": ""},
      {"path": "src/half.cc", "status": "partly", "errors": 3,
       "first_error": "'a, b: c.h' file not found", "left_out": ["a loop: f"]},
      {"path": "src/gone.cc", "status": "not", "errors": 1, "first_error": "no such file"}
    ],
    "too_large": ["src/train.cc"],
    "functions_too_large": [{"name": "train", "file": "src/train.cc", "line": 7}],
    "coverage": {
      "files": [
        {"path": "src/net.h", "operations": 4, "known_operations": 4},
        {"path": "src/train.cc", "operations": 6, "known_operations": 3}
      ],
      "unmodelled_calls": [{"name": "house::load", "count": 3}],
      "unreached_launches": [{"file": "src/scale.cu", "line": 12}]
    },
    "summary": {
  "findings" : 2, "files" : 3, "understood" : 1, "partly" : 1, "not_understood" : 1, "functions_left_out" : 1,
      "programs_too_large" : 1,
      "suppressed" : 0, "baselined" : 0, "unchanged" : 0, "operations" : 10, "known_operations" : 7,
      "exported_functions" : 1, "launches" : 3, "reached_launches" : 2
}
})json"));
}

TEST(EmitJson, InvalidUtf8DoesNotBreakIt) {
  Report report;
  report.findings = {{.rule = "device-mismatch",
                      .range = {"\xFF.cc", 1, 1},
                      .message = "\xC3(",
                      .notes = {{{"\xFE", 1, 1}, "\x80"}},
                      .predicted_error = "\xFF",
                      .fix = "\xFF",
                      .fix_its = {{{"\xFF", 1, 1}, "\xFF"}},
                      .program = "\xFF"}};
  report.files = {{.path = "\xFF", .status = Understanding::kNot, .first_error = "\xFF"}};
  const llvm::json::Value value = json_of(report);
  const llvm::json::Array* findings = value.getAsObject()->getArray("findings");
  ASSERT_EQ(findings->size(), 1u);
  EXPECT_EQ(findings->front().getAsObject()->getString("message"), "\xEF\xBF\xBD(");
}

TEST(EmitJson, EmptyReport) {
  EXPECT_EQ(json_of({}), parsed(R"json({"version": 1, "findings": [], "files": [],
    "too_large": [], "functions_too_large": [], "coverage": {"files": [], "unmodelled_calls": [],
    "unreached_launches": []}, "summary": {"findings": 0, "files": 0, "understood": 0, "partly": 0, "not_understood": 0,
     "functions_left_out": 0, "programs_too_large": 0,
     "suppressed": 0, "baselined": 0, "unchanged": 0, "operations": 0, "known_operations": 0,
     "exported_functions": 0, "launches": 0, "reached_launches": 0}})json"));
}

}  // namespace
}  // namespace placecheck::findings
