#include "analyzer/frontend/clang/lower.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "analyzer/ir/print.h"
#include "analyzer/ir/verify.h"
#include "llvm/Support/MemoryBuffer.h"

namespace placecheck::frontend {
namespace {

// As much of the library as the tests call: they then need no header and take milliseconds.
constexpr char kTorch[] = R"(
namespace std {
using size_t = decltype(sizeof(0));
struct nullptr_holder {};
using nullptr_t = decltype(nullptr);
template <class T> struct remove_reference { using type = T; };
template <class T> struct remove_reference<T&> { using type = T; };
template <class T> typename remove_reference<T>::type&& move(T&&);
template <class T> struct shared_ptr { shared_ptr(); shared_ptr(nullptr_t); T* operator->() const; T& operator*() const; };
template <class T, class... A> shared_ptr<T> make_shared(A&&...);
template <class T> struct initializer_list { const T* begin_; size_t size_; };
template <class T> struct vector {
  vector(); vector(initializer_list<T>);
  T& operator[](size_t); void push_back(const T&); T* begin(); T* end();
};
template <class... T> struct tuple { tuple(); template <class... U> tuple(U&&...); };
template <class... T> tuple<T&...> tie(T&...);
template <class... T> tuple<T...> make_tuple(T...);
}
namespace c10 {
enum class DeviceType : signed char { CPU, CUDA };
struct Device { Device(DeviceType, int = -1); Device(const char*); bool operator==(const Device&) const; };
}
namespace at {
struct Scalar {};
struct Tensor {
  Tensor(); Tensor(const Tensor&); Tensor(Tensor&&);
  Tensor& operator=(const Tensor&) &; Tensor& operator=(const Tensor&) &&;
  Tensor to(c10::Device) const; Tensor cuda() const; Tensor operator[](int) const;
  bool is_cuda() const;
};
Tensor operator+(const Tensor&, const Tensor&);
constexpr c10::DeviceType kCUDA = c10::DeviceType::CUDA;
}
namespace torch {
using at::Tensor; using c10::Device; using at::kCUDA;
Tensor ones(int);
struct NoGradGuard { NoGradGuard(); ~NoGradGuard(); };
namespace cuda { bool is_available(); }
namespace nn {
struct Module {
  virtual ~Module(); void to(Device);
  template <class T> T register_module(const char*, T);
};
template <class T> struct ModuleHolder {
  ModuleHolder(); ModuleHolder(std::nullptr_t); ModuleHolder(std::shared_ptr<T>);
  template <class A, class... B> explicit ModuleHolder(A&&, B&&...);
  T* operator->(); T& operator*(); Tensor operator()(Tensor);
};
struct LinearImpl : Module { LinearImpl(int, int); Tensor forward(const Tensor&); };
struct Linear : ModuleHolder<LinearImpl> { using ModuleHolder<LinearImpl>::ModuleHolder; };
}
}
#define TORCH_MODULE(Name) struct Name : torch::nn::ModuleHolder<Name##Impl> { using torch::nn::ModuleHolder<Name##Impl>::ModuleHolder; }
)";

LowerResult lower_files(std::map<std::string, std::string> files) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  files["/library/torch.h"] = kTorch;
  for (const auto& [path, text] : files)
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(text, path));
  LowerInput input;
  input.path = "/project/main.cc";
  input.arguments = {"clang++", "-std=c++17", "-nostdinc", "-I/library", input.path};
  input.is_external = [](llvm::StringRef path) { return path.starts_with("/library"); };
  input.file_system = memory;
  return lower_file(input);
}

LowerResult lower(const std::string& text) {
  LowerResult result = lower_files({{"/project/main.cc", "#include <torch.h>\n" + text}});
  EXPECT_EQ(ir::to_string(ir::verify(result.unit)), "") << text;
  return result;
}

const ir::Function* find(const ir::Unit& unit, const std::string& name) {
  for (const ir::Function& function : unit.functions)
    if (function.name == name) return &function;
  return nullptr;
}

// The body of the function `name`, without ranges.
std::string body(const std::string& text, const std::string& name) {
  LowerResult result = lower(text);
  EXPECT_EQ(result.errors, 0u) << result.first_error;
  const ir::Function* function = find(result.unit, name);
  if (!function) return "no function " + name;
  std::string printed = ir::to_string(*function, {.ranges = false});
  return printed.substr(printed.find("bb0:"));
}

void expect_in_order(const std::string& text, std::initializer_list<const char*> parts) {
  size_t from = 0;
  for (const char* part : parts) {
    size_t at = text.find(part, from);
    EXPECT_NE(at, std::string::npos) << "'" << part << "' is missing from\n" << text;
    if (at == std::string::npos) return;
    from = at + 1;
  }
}

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

TEST(LowerTest, BrokenFunctionIsPartialAndTheRestIsNot) {
  LowerResult result = lower(
      "#include <missing.h>\n"
      "void broken() { nowhere(1); }\nvoid whole(torch::Tensor x) { x.cuda(); }");
  EXPECT_EQ(result.understanding, Understanding::kPartly);
  EXPECT_EQ(result.errors, 2u);
  EXPECT_NE(result.first_error.find("/project/main.cc:2: "), std::string::npos)
      << result.first_error;
  EXPECT_TRUE(find(result.unit, "broken")->is_partial);
  EXPECT_FALSE(find(result.unit, "whole")->is_partial);
}

// A member whose type did not parse makes its class invalid, and then nothing fits the class.
TEST(LowerTest, MethodsOfABrokenClassAreThoseThatTheyName) {
  LowerResult result = lower(R"(
struct Net : torch::nn::Module {
  Net() : fc(1, 2) { register_module("fc", fc); }
  torch::nn::Linear fc;
  torch::nn::Gone gone;
};
struct Moved { void to(torch::Device); void to(torch::Device, int); };
void move(torch::Device device) { Net net; net.to(device); }
void fit_none(Moved moved, torch::Device device) { moved.to(device, device); })");
  auto expect_call = [&](const char* function, const char* call) {
    std::string printed = ir::to_string(*find(result.unit, function), {.ranges = false});
    EXPECT_NE(printed.find(call), std::string::npos) << printed;
  };
  expect_call("Net::Net", "call method \"torch::nn::Module::register_module\"");
  expect_call("move", "call method \"torch::nn::Module::to\"");
  expect_call("fit_none", "ref moved");
}

TEST(LowerTest, RangesCoverWholeTokens) {
  LowerResult result = lower("void f(torch::Tensor batch) {\n  batch.cuda();\n}");
  for (const ir::Instruction& each : find(result.unit, "f")->blocks[0].instructions) {
    if (each.opcode != ir::Opcode::kCall) continue;
    EXPECT_EQ(each.range, (ir::Range{0, 3, 3, 3, 15}));
    EXPECT_EQ(each.call.arguments[0].range, (ir::Range{0, 3, 3, 3, 8}));
  }
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

TEST(LowerTest, LibraryBodiesAreNotLowered) {
  LowerResult result = lower_files({{"/project/main.cc", "#include <lib.h>\nvoid f() { g(); }"},
                                    {"/library/lib.h", "inline void g() {}"}});
  EXPECT_EQ(result.unit.functions.size(), 1u);
}

// Nothing of what it was made from, which may have been moved or kept.
TEST(LowerTest, VariableWithoutATypeIsUnknown) {
  LowerResult result = lower(
      "void f() { torch::nn::Linear net(1, 2); Missing wrapper(net); wrapper.to(torch::kCUDA); }");
  const ir::Function* f = find(result.unit, "f");
  ASSERT_NE(f, nullptr);
  EXPECT_TRUE(f->is_partial);
  expect_in_order(ir::to_string(*f), {"store net", "call indirect \"\"", "store wrapper"});
}

TEST(LowerTest, FunctionThatIsCutOffRunsWhatIsNotKnown) {
  LowerResult result = lower("void g(); void f() { g(); if (true) {");
  const ir::Function* f = find(result.unit, "f");
  ASSERT_NE(f, nullptr);
  EXPECT_TRUE(f->is_partial);
  expect_in_order(ir::to_string(*f), {"\"g\"", "call indirect \"\""});
}

TEST(LowerTest, ConstructorDefaultedOutsideItsClassHasABody) {
  std::string text = body(
      "struct Net { Net(); torch::nn::Linear fc{3, 2}; };"
      "Net::Net() = default;",
      "Net::Net");
  expect_in_order(text, {"construct \"torch::nn::LinearImpl\"", "field", "\"fc\"", "assign"});
}

// Where a module's name is misspelt, Clang takes the holder's for it.
TEST(LowerTest, HolderOfItselfIsNoHolder) {
  lower(
      "struct Net : torch::nn::ModuleHolder<Net> {"
      "  using torch::nn::ModuleHolder<Net>::ModuleHolder;"
      "};"
      "void f() { Net net(3); }");
}

TEST(LowerTest, OddFilesAreAnswered) {
  EXPECT_EQ(lower_files({{"/project/main.cc", ""}}).understanding, Understanding::kFull);
  EXPECT_EQ(lower_files({}).understanding, Understanding::kNone);
  std::string binary(
      "\x7f"
      "ELF\0\1\2\xff\xfe",
      10);
  EXPECT_NE(lower_files({{"/project/main.cc", binary}}).understanding, Understanding::kFull);
  lower_files({{"/project/main.cc", "// \xff\xfe\nvoid f() {}"}});
}

TEST(LowerTest, DeepNestingIsAnswered) {
  std::string parentheses =
      "int f() { return " + std::string(3000, '(') + "1" + std::string(3000, ')') + "; }";
  EXPECT_EQ(lower_files({{"/project/main.cc", parentheses}}).unit.functions.size(), 1u);
  std::string sum = "int f() { return 0";
  for (int i = 0; i < 20000; ++i) sum += "+1";
  LowerResult result = lower_files({{"/project/main.cc", sum + "; }"}});
  EXPECT_EQ(result.unit.functions.size(), 1u) << result.first_error;
}

}  // namespace
}  // namespace placecheck::frontend
