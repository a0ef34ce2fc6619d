#include "tests/frontend/lowering.h"

#include <gtest/gtest.h>

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

}  // namespace

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

std::string body(const std::string& text, const std::string& name) {
  LowerResult result = lower(text);
  EXPECT_EQ(result.errors, 0u) << result.first_error;
  const ir::Function* function = find(result.unit, name);
  if (!function) return "no function " + name;
  std::string printed = ir::to_string(*function, {.ranges = false});
  return printed.substr(printed.find("bb0:"));
}

void expect_in_order(const std::string& text, std::initializer_list<std::string_view> parts) {
  size_t from = 0;
  for (std::string_view part : parts) {
    size_t at = text.find(part, from);
    EXPECT_NE(at, std::string::npos) << "'" << part << "' is missing from\n" << text;
    if (at == std::string::npos) return;
    from = at + 1;
  }
}

}  // namespace placecheck::frontend
