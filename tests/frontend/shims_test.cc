#include "analyzer/frontend/clang/shims.h"

#include <gtest/gtest.h>

#include "analyzer/frontend/clang/system_paths.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/TextDiagnosticBuffer.h"
#include "clang/Tooling/Tooling.h"

namespace placecheck::frontend {
namespace {

// A CUDA program as people write it, with no header but the standard library's.
constexpr char kProgram[] =
    "#include <memory>\n#include <vector>\n"
    "__global__ void fill(float* p, int n) {\n"
    "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) p[i] = 0.f;\n"
    "  __syncthreads();\n}\n"
    "int main() { dim3 grid(4, 1, 1); fill<<<grid, 256>>>(nullptr, 10); return 0; }\n";

// The first error of parsing the program behind a prelude, "" for none.
std::string first_error(const std::vector<std::string>& cuda_flags) {
  auto files = with_shims(llvm::vfs::getRealFileSystem());
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile("/program.cu", 0, llvm::MemoryBuffer::getMemBuffer(kProgram));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(files);
  overlay->pushOverlay(memory);
  auto manager = llvm::makeIntrusiveRefCnt<clang::FileManager>(clang::FileSystemOptions(), overlay);
  std::vector<std::string> args = {
      "clang++",    "-fsyntax-only", "-w",
      "-std=c++17", "-resource-dir", find_system_paths(false).resource_dir,
      "-x",         "cuda",          "--cuda-host-only",
      "-nocudalib"};
  args.insert(args.end(), cuda_flags.begin(), cuda_flags.end());
  args.push_back("/program.cu");
  clang::TextDiagnosticBuffer diagnostics;
  clang::tooling::ToolInvocation invocation(args, std::make_unique<clang::SyntaxOnlyAction>(),
                                            manager.get());
  invocation.setDiagnosticConsumer(&diagnostics);
  invocation.run();
  return diagnostics.err_begin() == diagnostics.err_end() ? "" : diagnostics.err_begin()->second;
}

TEST(Shims, CudaParsesWhereNoToolkitIsInstalled) {
  EXPECT_EQ(first_error({"-nocudainc", "-include",
                         std::string(kShimRoot) + "/prelude/cuda_without_toolkit.h"}),
            "");
}

TEST(Shims, CudaParsesBehindThePreludeWhereAToolkitIsInstalled) {
  const std::string cuda = find_system_paths(false).cuda;
  if (cuda.empty()) return;  // then the test above is the whole of it
  EXPECT_EQ(first_error({"--cuda-path=" + cuda, "-include", kCudaPrelude}), "");
}

TEST(Shims, WithoutAPreludeTheProgramDoesNotParse) { EXPECT_NE(first_error({"-nocudainc"}), ""); }

}  // namespace
}  // namespace placecheck::frontend
