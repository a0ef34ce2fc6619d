// Where values are, by the expressions that yield them: what reports show beside the source.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "analyzer/checks/analyze.h"
#include "analyzer/dataflow/place_table.h"
#include "analyzer/findings/source_cache.h"
#include "analyzer/frontend/python/lower.h"
#include "analyzer/ir/link.h"
#include "analyzer/program_findings.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "tests/frontend/lowering.h"

namespace placecheck::checks {
namespace {

using dataflow::DecidedPlace;
using dataflow::PlaceClass;
using dataflow::PlacedExpression;
using dataflow::PlaceTable;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

// One program, its source, and what is known of its expressions.
class Checked {
 public:
  static Checked cpp(const std::string& text) {
    Checked checked("/project/main.cc", "#include <torch.h>\n" + text);
    checked.unit_ = frontend::lower(text).unit;
    checked.analyze();
    return checked;
  }
  static Checked python(const std::string& text) {
    Checked checked("/p/a.py", text);
    auto disk = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    disk->addFile(checked.file_, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
    frontend::LowerInput input;
    input.path = checked.file_;
    input.file_system = disk;
    checked.unit_ = frontend::python::lower_file(input).unit;
    checked.analyze();
    return checked;
  }

  // Of the smallest expression at the `nth` occurrence of a text in the source, from 1.
  const PlacedExpression& at(const std::string& part, int nth = 1) const {
    static const PlacedExpression kNone;
    size_t offset = std::string::npos;
    for (; nth > 0; --nth) offset = source_.find(part, offset + 1);
    if (offset == std::string::npos) {
      ADD_FAILURE() << part << " is not in the source";
      return kNone;
    }
    llvm::StringRef before = llvm::StringRef(source_).take_front(offset);
    auto line = static_cast<uint32_t>(before.count('\n') + 1);
    auto column = static_cast<uint32_t>(offset - (before.rfind('\n') + 1) + 1);
    const PlacedExpression* found = places.at(file_, line, column);
    return found ? *found : kNone;
  }
  // "cpu: created on cpu:3", with the line of the decision.
  std::vector<std::string> where(const std::string& part, int nth = 1) const {
    std::vector<std::string> texts;
    for (uint32_t each : at(part, nth).places) {
      const DecidedPlace& place = places.places()[each];
      std::string line = place.line == 0 ? "" : ":" + std::to_string(place.line);
      texts.push_back(place.place + ": " + place.how + line);
    }
    return texts;
  }
  std::set<PlaceClass> classes(const std::string& part, int nth = 1) const {
    std::set<PlaceClass> found;
    for (uint32_t each : at(part, nth).places) found.insert(places.places()[each].place_class);
    return found;
  }
  const std::string& what(const std::string& part, int nth = 1) const { return at(part, nth).what; }

  std::vector<std::string> findings;  // as text
  PlaceTable places;

 private:
  Checked(std::string file, std::string source)
      : file_(std::move(file)), source_(std::move(source)) {}

  void analyze() {
    const ir::Unit* unit = &unit_;
    findings::SourceCache sources;
    sources.add(file_, source_);
    std::vector<std::string> without;
    for (const ir::Program& program : ir::link({&unit, 1})) {
      AnalyzeOptions options;
      dataflow::Coverage coverage;
      PlaceTable found;
      add_texts(checks::analyze(program, options, sources, coverage, &found), without);
      EXPECT_TRUE(found.empty()) << "nobody asked";
      options.record_places = true;
      add_texts(checks::analyze(program, options, sources, coverage, &found), findings);
      places.add(found);
    }
    EXPECT_EQ(findings, without);
  }

  static void add_texts(const std::vector<findings::Finding>& found,
                        std::vector<std::string>& texts) {
    for (const findings::Finding& each : found) {
      texts.push_back(std::to_string(each.range.line) + " " + each.rule + " " + each.message);
      for (const findings::Note& note : each.notes)
        texts.push_back(std::to_string(note.range.line) + " " + note.message);
    }
  }

  std::string file_;
  std::string source_;
  ir::Unit unit_;
};

TEST(Places, AVariableIsWhereItIsAtEachUse) {
  Checked checked = Checked::cpp(R"(int main() {
  torch::Tensor x = torch::ones(2);
  torch::Tensor y = x.to(torch::kCUDA);
  x = y;
})");
  EXPECT_EQ(checked.what("x ="), "tensor");
  EXPECT_THAT(checked.where("x ="), ElementsAre("cpu: created on cpu:3"));
  EXPECT_THAT(checked.where("torch::ones"), ElementsAre("cpu: created on cpu:3"));
  EXPECT_THAT(checked.where("x.to"), ElementsAre("cpu: created on cpu:3"));
  EXPECT_THAT(checked.where(".to"), ElementsAre("cuda:0: moved to cuda:0:4"));
  EXPECT_THAT(checked.where("y ="), ElementsAre("cuda:0: moved to cuda:0:4"));
  EXPECT_THAT(checked.where("x = y"), ElementsAre("cuda:0: moved to cuda:0:4"));
}

TEST(Places, AModuleIsWhereItsStateIs) {
  Checked checked = Checked::cpp(R"(struct NetImpl : torch::nn::Module {
  NetImpl() { register_module("one", one); register_module("two", two); }
  torch::Tensor forward(torch::Tensor x) { return two->forward(one->forward(x)); }
  torch::nn::Linear one{2, 2};
  torch::nn::Linear two{2, 2};
};
TORCH_MODULE(Net);
int main() {
  Net net;
  net->one->to(torch::kCUDA);
  net->two;
  net->to(torch::kCUDA);
  net->forward(torch::ones(2));
})");
  EXPECT_EQ(checked.what("net->one"), "module NetImpl");
  EXPECT_EQ(checked.classes("net->one"), std::set{PlaceClass::kCpu});
  EXPECT_THAT(checked.where("net->two"),
              UnorderedElementsAre("cuda:0: 'one.weight': moved to cuda:0:11",
                                   "cpu: 'two.weight': built on cpu:6"));
  EXPECT_THAT(checked.where("net->forward"), ElementsAre("cuda:0: moved to cuda:0:13"));
}

TEST(Places, AFunctionShowsAllPlacesWithWhichItIsCalled) {
  Checked checked =
      Checked::cpp(R"(torch::Tensor twice(torch::Tensor value) { return value + value; }
int main() {
  torch::Tensor x = torch::ones(2);
  twice(x);
  twice(x.cuda());
})");
  EXPECT_THAT(checked.where("value + value"),
              UnorderedElementsAre("cpu: created on cpu:4", "cuda:0: moved to cuda:0:6"));
  EXPECT_THAT(checked.where("value)"),
              UnorderedElementsAre("cpu: created on cpu:4", "cuda:0: moved to cuda:0:6"));
  EXPECT_THAT(checked.where("twice(x);"), ElementsAre("cpu: created on cpu:4"));
}

TEST(Places, WhatNobodyCallsIsWhereItsParametersAre) {
  Checked checked = Checked::cpp(
      "torch::Tensor f(torch::Tensor x, torch::Device d) {\n"
      "  torch::Tensor y = x.to(d);\n"
      "  return x;\n"
      "}");
  EXPECT_EQ(checked.classes("x;"), std::set{PlaceClass::kSymbolic});
  EXPECT_THAT(checked.where("x;"),
              ElementsAre("wherever 'x' is: parameter 'x' of 'f', of which no caller is known:2"));
  EXPECT_THAT(checked.where("y ="), ElementsAre("device 'd': moved to device 'd':3"));
}

TEST(Places, WhatIsUnknownHasAReason) {
  Checked checked = Checked::cpp(
      "torch::Tensor mystery();\n"
      "int main() {\n"
      "  torch::Tensor x = mystery();\n"
      "  torch::Tensor y = x + x;\n"
      "  y.is_cuda();\n"
      "}");
  EXPECT_EQ(checked.classes("x ="), std::set{PlaceClass::kUnknown});
  EXPECT_THAT(checked.where("x ="),
              ElementsAre("an unknown device: the call of 'mystery' is not followed:4"));
  EXPECT_EQ(checked.where("y.is_cuda"), checked.where("x =")) << "the reason is the same";
}

TEST(Places, NumbersHaveNone) {
  Checked checked = Checked::cpp("int twice(int n) { return n + n; } int main() { twice(2); }");
  EXPECT_TRUE(checked.places.empty());
}

TEST(Places, InPythonAttributesAndNamesAreShown) {
  Checked checked = Checked::python(R"(import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Linear(2, 2)
        self.scale = torch.ones(2)

    def forward(self, x):
        return self.body(x) * self.scale

net = Net()
net.to("cuda:1")
batch = torch.rand(4, 2)
net(batch.to("cuda:1"))
)");
  EXPECT_THAT(checked.where("batch ="), ElementsAre("cpu: created on cpu:14"));
  EXPECT_THAT(checked.where("batch.to"), ElementsAre("cpu: created on cpu:14"));
  EXPECT_THAT(checked.where(".to(\"cuda:1\"))"), ElementsAre("cuda:1: moved to cuda:1:15"));
  EXPECT_THAT(checked.where("self.body(x)"), ElementsAre("cuda:1: moved to cuda:1:13"));
  EXPECT_THAT(checked.where("scale = "), ElementsAre("cpu: created on cpu:7"));
  EXPECT_EQ(checked.what("body ="), "module Linear");
  EXPECT_FALSE(checked.findings.empty());
}

TEST(Places, InPythonWhatIsNotFollowedIsToldFromWhatHasNoPlace) {
  Checked checked = Checked::python(R"(import torch
import elsewhere

data = elsewhere.load()
count = len([1, 2])
part = data.first
print(count, part)
)");
  EXPECT_EQ(checked.classes("data ="), std::set{PlaceClass::kUnfollowed});
  EXPECT_THAT(checked.where("part ="),
              ElementsAre("not followed: the call of 'elsewhere.load' is not followed:4"));
  EXPECT_TRUE(checked.classes("count =").empty());
}

TEST(Places, CrossTheBorderBetweenProcesses) {
  SolvedProgram solved;
  solved.places = Checked::cpp(R"(torch::Tensor twice(torch::Tensor value) { return value + value; }
int main() { twice(torch::ones(2)); twice(torch::ones(2).cuda()); })")
                      .places;
  auto back = solved_from(bytes_of(solved));
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->places.places(), solved.places.places());
  ASSERT_EQ(back->places.files().size(), 1u);
  const auto& [file, expressions] = *back->places.files().begin();
  const auto& before = solved.places.files().at(file);
  ASSERT_EQ(expressions.size(), before.size());
  for (const auto& [span, expression] : before) {
    ASSERT_TRUE(expressions.count(span));
    EXPECT_EQ(expressions.at(span).places, expression.places);
    EXPECT_EQ(expressions.at(span).what, expression.what);
  }
}

TEST(PlaceTable, JoinsWhatSeveralProgramsShow) {
  PlaceTable one, other;
  const dataflow::SourceSpan span{3, 1, 3, 5};
  const DecidedPlace cpu{PlaceClass::kCpu, -1, "cpu", "created on cpu", "a.cc", 3, 1};
  const DecidedPlace cuda{PlaceClass::kCuda, 0, "cuda:0", "moved to cuda:0", "a.cc", 9, 1};
  one.record("a.cc", span, "tensor", one.intern(cpu));
  other.record("a.cc", span, "tensor", other.intern(cuda));
  other.record("a.cc", span, "tensor", other.intern(cpu));
  one.add(other);
  EXPECT_EQ(one.places().size(), 2u);
  EXPECT_EQ(one.at("a.cc", 3, 4)->places.size(), 2u);
  EXPECT_EQ(one.at("a.cc", 3, 5), nullptr) << "the end is exclusive";
}

TEST(PlaceTable, TheSmallestExpressionIsMeant) {
  PlaceTable table;
  const DecidedPlace cpu{PlaceClass::kCpu, -1, "cpu", "", "", 0, 0};
  table.record("a.cc", {1, 1, 4, 10}, "outer", table.intern(cpu));
  table.record("a.cc", {2, 5, 2, 8}, "inner", table.intern(cpu));
  dataflow::SourceSpan span;
  EXPECT_EQ(table.at("a.cc", 2, 6, &span)->what, "inner");
  EXPECT_EQ(span.column, 5u);
  EXPECT_EQ(table.at("a.cc", 2, 9)->what, "outer");
}

TEST(PlaceTable, KeepsAFewPlacesOfEach) {
  PlaceTable table;
  for (int i = 0; i < 100; ++i) {
    DecidedPlace place{PlaceClass::kCuda, i, "cuda", "", "", 0, 0};
    table.record("a.cc", {1, 1, 1, 2}, "tensor", table.intern(place));
  }
  EXPECT_LT(table.at("a.cc", 1, 1)->places.size(), 20u);
  EXPECT_TRUE(table.at("a.cc", 1, 1)->has_more);
}

}  // namespace
}  // namespace placecheck::checks
