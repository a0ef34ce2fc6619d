#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "analyzer/ir/print.h"
#include "tests/frontend/lowering.h"

namespace placecheck::frontend {
namespace {

constexpr char kNet[] = R"(
struct NetImpl : torch::nn::Module {
  NetImpl(int width, int depth = 2) : fc(width, 10) { register_module("fc", fc); }
  torch::Tensor forward(torch::Tensor x) { return fc->forward(x); }
  torch::nn::Linear fc{nullptr};
};
TORCH_MODULE(Net);
)";

TEST(LowerTest, TensorMoveIsAMethodCallWithItsDevice) {
  EXPECT_EQ(body("void f(torch::Tensor x) { x = x.to(torch::kCUDA); }", "f"),
            "bb0:\n"
            "  %0 = load x\n"
            "  %1 = const device \"cuda\"\n"
            "  %2 = call direct \"c10::Device::Device\"(%1) -> device\n"
            "  %3 = call method \"at::Tensor::to\"(%0, %2) -> tensor\n"
            "  store x, %3\n"
            "  return\n"
            "}\n");
}

TEST(LowerTest, DiscardedIsWhatNobodyUses) {
  std::string text =
      body("void f(torch::Tensor x) { x.cuda(); (void)x.cuda(); x = x.cuda(); }", "f");
  size_t first = text.find("discarded");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(text.find("discarded", first + 1), std::string::npos) << text;
}

TEST(LowerTest, AssigningToAnElementOfATensorCopies) {
  std::string text = body("void f(torch::Tensor x, torch::Tensor y) { x[0] = y; }", "f");
  expect_in_order(text, {"at::Tensor::operator[]", "at::Tensor::copy_"});
}

TEST(LowerTest, AssigningToAnElementOfAVectorStores) {
  std::string text =
      body("void f(std::vector<torch::Tensor>& v, torch::Tensor y) { v[0] = y; }", "f");
  expect_in_order(text, {"load y", "ref v", "index", "assign"});
}

TEST(LowerTest, HolderConstructsItsModule) {
  std::string text = body(std::string(kNet) +
                              "void f(torch::Tensor x) {"
                              " Net net(3); net->to(torch::kCUDA); net(x); net->forward(x); }",
                          "f");
  expect_in_order(text, {"call construct \"NetImpl\" key \"NetImpl@/project/main.cc\" (%0)",
                         "store net", "call method \"torch::nn::Module::to\"",
                         "call method \"torch::nn::ModuleHolder::operator()\"",
                         "call method \"NetImpl::forward\" key"});
}

TEST(LowerTest, EmptyHolderIsNone) {
  std::string text = body(std::string(kNet) + "void f() { Net net{nullptr}; }", "f");
  expect_in_order(text, {"const none", "store net"});
}

TEST(LowerTest, ClassHasFieldsMethodsAndBase) {
  LowerResult result = lower(kNet);
  ASSERT_EQ(result.unit.classes.size(), 1u);
  const ir::Class& net = result.unit.classes[0];
  EXPECT_TRUE(net.is_module);
  EXPECT_EQ(net.bases[0].name, "torch::nn::Module");
  ASSERT_EQ(net.fields.size(), 1u);
  EXPECT_EQ(net.fields[0].type.name, "torch::nn::LinearImpl");
  EXPECT_EQ(net.fields[0].range.line, 6u);
  ASSERT_EQ(net.methods.size(), 2u);
  EXPECT_TRUE(net.methods[0].is_constructor);
  EXPECT_EQ(net.methods[0].arity, 2u);
  EXPECT_EQ(net.methods[0].required, 1u);
}

TEST(LowerTest, ConstructorInitializesFieldsInOrder) {
  std::string text = body(kNet, "NetImpl::NetImpl");
  expect_in_order(text, {"construct \"torch::nn::LinearImpl\"", "field %", "\"fc\"", "assign",
                         "register_module"});
}

TEST(LowerTest, AggregateGetsADefaultConstructor) {
  LowerResult result = lower("struct Config { torch::Device device = torch::kCUDA; int n = 3; };");
  ASSERT_EQ(result.unit.classes.size(), 1u);
  ASSERT_EQ(result.unit.classes[0].methods.size(), 1u);
  EXPECT_TRUE(result.unit.classes[0].methods[0].is_constructor);
  expect_in_order(ir::to_string(*find(result.unit, "Config::Config")),
                  {"const device \"cuda\"", "\"device\"", "const 3", "\"n\""});
}

TEST(LowerTest, DefaultsOfAnAggregateReadTheNewObject) {
  std::string code =
      "struct Options { torch::Device d; torch::Device e = d; };"
      "struct Net { torch::Device d; void go() { Options o{torch::kCUDA}; } };";
  std::string text = body(code, "Net::go");
  expect_in_order(text, {"construct", "store made", "ref made", "\"d\"", "ref made", "\"e\"",
                         "assign", "load made", "store o"});
  EXPECT_EQ(text.find("this"), text.rfind("this")) << "only the parameter:\n" << text;
  // In a function that has no `this` at all.
  text = body("struct S { int a; int b = a + 1; }; int f() { S s{1}; return s.b; }", "f");
  expect_in_order(text, {"construct", "\"b\"", "assign"});
}

TEST(LowerTest, ListsThatDidNotParseHaveHoles) {
  LowerResult result = lower(
      "void f() { float* d; void* arguments[] = {&shape, &d}; }"
      "template <typename T> struct D { void f(int v) { T array = {[5] = v, [13] = v}; } };"
      "template struct D<int[8]>; int g() { return 1; }");
  EXPECT_GT(result.errors, 0u);
  EXPECT_NE(find(result.unit, "g"), nullptr);
}

TEST(LowerTest, NamesOfTypesDoNotGrowWithoutEnd) {
  std::string code = "template <class A, class B> struct P {}; using T0 = P<int, int>;";
  for (int i = 1; i <= 40; ++i) {
    std::string below = "T" + std::to_string(i - 1);
    code += "using T" + std::to_string(i) + " = P<" + below + ", " + below + ">;\n";
  }
  // Qualified: Clang itself looks at each argument of each type for other names.
  LowerResult result = lower(code + "void take(T40) {} T40 value; void f() { T40 x; ::take(x); }");
  EXPECT_EQ(result.errors, 0u) << result.first_error;
  for (const ir::Function& each : result.unit.functions) EXPECT_LT(each.key.size(), 1000u);
  for (const ir::Class& each : result.unit.classes) EXPECT_LT(each.key.size(), 1000u);
}

TEST(LowerTest, BaseConstructorRuns) {
  std::string text = body(
      "struct A { A(int); int v; }; A::A(int n) : v(n) {}"
      "struct B : A { B() : A(4) {} };",
      "B::B");
  expect_in_order(text, {"load this", "const 4", "call direct \"A::A\" key"});
}

TEST(LowerTest, ReferencesAreBound) {
  std::string text = body(
      "struct C { torch::Tensor t; };"
      "void f(C& c) { torch::Tensor& t = c.t; t = t.cuda(); }",
      "f");
  expect_in_order(text, {"field", "bind t", "at::Tensor::cuda", "store t"});
}

TEST(LowerTest, ArgumentsThatMayChangeGoByAddress) {
  std::string text = body(
      "void move(torch::Tensor& t); void read(const torch::Tensor& t);"
      "void f(torch::Tensor x) { move(x); read(x); }",
      "f");
  expect_in_order(text, {"ref x", "\"move\"", "load x", "\"read\""});
}

TEST(LowerTest, RangeLoopAsksForMore) {
  std::string text =
      body("void f(std::vector<torch::Tensor>& v) { for (auto& t : v) t = t.cuda(); }", "f");
  expect_in_order(text, {"bind range", "loop.more", "loop\n", "loop.element", "bind t", "store t"});
}

TEST(LowerTest, GuardsAreExitedOnEveryWayOut) {
  std::string text =
      body("int f(bool b) { torch::NoGradGuard guard; if (b) return 1; return 2; }", "f");
  expect_in_order(text, {"exit guard", "return", "exit guard", "return"});
}

TEST(LowerTest, ShortCircuitBranches) {
  std::string text =
      body("bool f(torch::Tensor x) { return torch::cuda::is_available() && x.is_cuda(); }", "f");
  expect_in_order(text, {"is_available", "branch", "is_cuda", "store tmp", "load tmp", "return"});
}

TEST(LowerTest, ValuesAreCarriedAcrossBlocks) {
  std::string text = body(
      "void g(torch::Tensor, int); void f(torch::Tensor x, bool b) {"
      " g(x.cuda(), b ? 1 : 2); }",
      "f");
  expect_in_order(text, {"at::Tensor::cuda", "store tmp", "branch", "load tmp", "\"g\""});
}

TEST(LowerTest, LambdaCapturesByReferenceAndValue) {
  LowerResult result =
      lower("void f(torch::Tensor x, torch::Tensor y) { auto g = [&x, y] { x = y; }; g(); }");
  const ir::Function* lambda = find(result.unit, "lambda");
  ASSERT_NE(lambda, nullptr);
  EXPECT_EQ(lambda->captures, 2u);
  EXPECT_TRUE(lambda->parameters[0].by_reference);
  EXPECT_FALSE(lambda->parameters[1].by_reference);
  expect_in_order(ir::to_string(*find(result.unit, "f")),
                  {"ref x", "load y", "closure", "call indirect", "key \""});
}

// One place in the text, and two functions.
TEST(LowerTest, LambdaInAGenericLambdaIsThatOfItsInstantiation) {
  LowerResult result = lower(
      "void f() { auto outer = [](auto x) { auto inner = [=](int n) { return x + n; };"
      " return inner(1); }; outer(1); outer(2.0); }");
  EXPECT_EQ(result.errors, 0u);
  std::set<std::string> keys;
  for (const ir::Function& each : result.unit.functions)
    if (each.name == "lambda") keys.insert(each.key);
  EXPECT_EQ(keys.size(), 4u);
}

// The key of one is not made of the keys of all that are around it.
TEST(LowerTest, KeysOfLambdasDoNotGrowWithTheirDepth) {
  auto longest_key = [](size_t depth) {
    std::string text = "void f() { ";
    for (size_t i = 0; i < depth; ++i) text += "[&]() {\n";
    for (size_t i = 0; i < depth; ++i) text += "}();";
    LowerResult result = lower(text + "}");
    EXPECT_EQ(result.unit.functions.size(), depth + 1);
    size_t longest = 0;
    for (const ir::Function& each : result.unit.functions)
      longest = std::max(longest, each.key.size());
    return longest;
  };
  EXPECT_LE(longest_key(40), longest_key(2) + 8);
}

TEST(LowerTest, GenericLambdaIsItsInstantiation) {
  LowerResult result =
      lower("void f(torch::Tensor x) { auto g = [](const auto& t) { return t.cuda(); }; g(x); }");
  const ir::Function* lambda = find(result.unit, "lambda");
  ASSERT_NE(lambda, nullptr);
  EXPECT_NE(ir::to_string(*find(result.unit, "f")).find("key \"" + lambda->key), std::string::npos);
}

TEST(LowerTest, TemplatesAreLoweredByInstantiation) {
  LowerResult result = lower(
      "template <class T> T send(T t) { return t.cuda(); }"
      "void f(torch::Tensor x) { send(x); }");
  const ir::Function* send = find(result.unit, "send");
  ASSERT_NE(send, nullptr);
  EXPECT_EQ(send->parameters[0].type.kind, ir::TypeKind::kTensor);
  EXPECT_FALSE(send->is_partial);
}

// A constructor that nobody in the file calls, whose assignment declares a builtin of the
// compiler's.
TEST(LowerTest, ConstructorsOfTemplatesAssignArrays) {
  const std::string code =
      "struct Row { torch::Tensor values; float weights[64]; };"
      "template <class T> struct Table { Table(Row r) { row = static_cast<Row&&>(r); } Row row; };"
      "int size() { return sizeof(Table<int>); }";
  EXPECT_NE(body(code, "size").find("return"), std::string::npos);
}

TEST(LowerTest, AConstantPointerIsTheFunctionThatItPointsTo) {
  const std::string code =
      "void take(void (*)(int)); void step(int) {}"
      "template <auto F> struct Wrapper { static void call(int i) { F(i); } };"
      "template <auto F> inline constexpr auto wrapped = &Wrapper<F>::call;"
      "void f() { take(wrapped<&step>); }";
  expect_in_order(body(code, "f"), {"closure", "@S@Wrapper", "@F@call", "take"});
}

TEST(LowerTest, TieTakesATupleApart) {
  std::string text = body(
      "std::tuple<torch::Tensor, torch::Tensor> two();"
      "void f(torch::Tensor a, torch::Tensor b) { std::tie(a, b) = two(); }",
      "f");
  expect_in_order(text, {"store tmp", "index", "store a", "index", "store b"});
}

TEST(LowerTest, HandlerFollowsItsRegion) {
  std::string text =
      body("void g(); int f() { try { g(); } catch (...) { return 1; } return 0; }", "f");
  expect_in_order(text, {"\"g\"", "branch", "const 1", "const 0"});
}

TEST(LowerTest, HandlerOfARegionThatReturnsIsReached) {
  std::string text =
      body("int g(); int f() { try { return g(); } catch (...) { return 7; } }", "f");
  EXPECT_NE(text.find("const 7"), std::string::npos) << text;
}

TEST(LowerTest, OverrideIsNotCalledThroughAQualifiedName) {
  std::string text = body(
      "struct A { virtual int f() { return 1; } };"
      "struct B : A { int f() override { return A::f(); } };",
      "B::f");
  expect_in_order(text, {"call direct \"A::f\""});
}

TEST(LowerTest, GlobalHasItsInitializer) {
  LowerResult result = lower("torch::Device device(torch::kCUDA, 1);");
  ASSERT_EQ(result.unit.globals.size(), 1u);
  EXPECT_EQ(result.unit.globals[0].name, "device");
  EXPECT_FALSE(result.unit.globals[0].initializer.empty());
}

TEST(LowerTest, RangesCoverWholeTokens) {
  LowerResult result = lower("void f(torch::Tensor batch) {\n  batch.cuda();\n}");
  for (const ir::Instruction& each : find(result.unit, "f")->blocks[0].instructions) {
    if (each.opcode != ir::Opcode::kCall) continue;
    EXPECT_EQ(each.range, (ir::Range{0, 3, 3, 3, 15}));
    EXPECT_EQ(each.call.arguments[0].range, (ir::Range{0, 3, 3, 3, 8}));
  }
}

// A brace that begins a line of a macro ends its block, not the file.
TEST(LowerTest, MacrosOfSeveralLinesAreWhole) {
  LowerResult result = lower(
      "#define CHECK(call) do { \\\n  int status = call; \\\n} while (0)\n"
      "int g(); void f() { CHECK(g()); }");
  const ir::Function* f = find(result.unit, "f");
  ASSERT_NE(f, nullptr);
  EXPECT_FALSE(f->is_partial);
}

TEST(LowerTest, EqualNamesInTwoFilesHaveDifferentKeys) {
  auto key_in = [](const std::string& header) {
    LowerResult result =
        lower_files({{"/project/main.cc", "#include \"" + header + "\"\n"},
                     {"/project/" + header, "struct Net { int n; }; inline void train(Net) {}"}});
    return result.unit.classes[0].key + find(result.unit, "train")->key;
  };
  EXPECT_NE(key_in("a.h"), key_in("b.h"));
  EXPECT_EQ(key_in("a.h"), key_in("a.h"));
}

TEST(LowerTest, MembersOfTemplatesBelongToTheirHeader) {
  const std::string header =
      "template <class T> struct Net { T forward(T); };"
      "struct User { Net<int> net; int run() { return net.forward(1); } };";
  auto lower_with = [&](const std::string& rest) {
    return lower_files(
        {{"/project/net.h", header}, {"/project/main.cc", "#include \"net.h\"\n" + rest}});
  };
  LowerResult defined = lower_with(
      "template <class T> T Net<T>::forward(T x) { return x; } template struct Net<int>;");
  LowerResult used = lower_with("");
  const ir::Function* forward = find(defined.unit, "Net::forward");
  ASSERT_NE(forward, nullptr);
  expect_in_order(ir::to_string(*find(used.unit, "User::run")), {"key \"" + forward->key});
}

TEST(LowerTest, LibraryBodiesAreNotLowered) {
  LowerResult result = lower_files({{"/project/main.cc", "#include <lib.h>\nvoid f() { g(); }"},
                                    {"/library/lib.h", "inline void g() {}"}});
  EXPECT_EQ(result.unit.functions.size(), 1u);
}

// As in libtorch 2.15.
TEST(LowerTest, WhatLibtorchAliasesFromHeaderOnlyKeepsItsName) {
  LowerResult result = lower_files(
      {{"/project/main.cc",
        "#include <lib.h>\n"
        "float f(at::TensorAccessor<float> a, c10::Half h) { return h.to_float() + a[a.size()]; }"},
       {"/library/lib.h",
        "namespace torch::headeronly {"
        "struct Half { float to_float(); };"
        "namespace detail { template <class T> struct TensorAccessor {"
        " long size(); T& operator[](long); }; } }"
        "namespace c10 { using torch::headeronly::Half; }"
        "namespace at { template <class T>"
        " using TensorAccessor = torch::headeronly::detail::TensorAccessor<T>; }"}});
  const ir::Function* f = find(result.unit, "f");
  ASSERT_NE(f, nullptr);
  expect_in_order(ir::to_string(*f),
                  {"\"c10::Half::to_float\"", "\"at::TensorAccessor::size\"", "= index"});
}

TEST(LowerTest, ConstructorDefaultedOutsideItsClassHasABody) {
  std::string text = body(
      "struct Net { Net(); torch::nn::Linear fc{3, 2}; };"
      "Net::Net() = default;",
      "Net::Net");
  expect_in_order(text, {"construct \"torch::nn::LinearImpl\"", "field", "\"fc\"", "assign"});
}

}  // namespace
}  // namespace placecheck::frontend
