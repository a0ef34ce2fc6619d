#include "analyzer/frontend/clang/shims.h"

#include <string>

#include "analyzer/frontend/clang/launch_syntax.h"
#include "analyzer/frontend/clang/library_shims.h"
#include "llvm/Support/MemoryBuffer.h"

namespace placecheck::frontend {
namespace {

constexpr std::string_view kPreludeText =
#include "analyzer/frontend/clang/shims/cuda_prelude.h.inc"
    ;
constexpr std::string_view kWithoutToolkitText =
#include "analyzer/frontend/clang/shims/cuda_without_toolkit.h.inc"
    ;
constexpr std::string_view kCmakeMacrosText =
#include "analyzer/frontend/clang/shims/cuda_cmake_macros.h.inc"
    ;
constexpr std::string_view kCudaConfigText =
#include "analyzer/frontend/clang/shims/CUDAConfig.h.inc"
    ;
constexpr std::string_view kOmpText =
#include "analyzer/frontend/clang/shims/omp.h.inc"
    ;
constexpr std::string_view kStandardText =
#include "analyzer/frontend/clang/shims/standard_prelude.h.inc"
    ;
constexpr std::string_view kVisitText =
#include "analyzer/frontend/clang/shims/visit.h.inc"
    ;
constexpr std::string_view kThcText =
#include "analyzer/frontend/clang/shims/THC.h.inc"
    ;

}  // namespace

const std::vector<Shim>& shims() {
  static const std::vector<Shim> all = [] {
    std::vector<Shim> made = {
        {"prelude/cuda_prelude.h", kPreludeText},
        {"prelude/cuda_without_toolkit.h", kWithoutToolkitText},
        {"prelude/standard_prelude.h", kStandardText},
        {"followed/visit.h", kVisitText},
        {"include/c10/cuda/impl/cuda_cmake_macros.h", kCmakeMacrosText},
        {"include/ATen/cuda/CUDAConfig.h", kCudaConfigText},
        {"include/omp.h", kOmpText},
        {"include/TH/TH.h", "#pragma once\n#include <THC/THC.h>\n"},
        {"include/THC/THC.h", kThcText},
        {"include/THC/THCAtomics.cuh", "#pragma once\n#include <ATen/cuda/Atomic.cuh>\n"},
        {"include/THC/THCDeviceUtils.cuh", "#pragma once\n#include <ATen/cuda/DeviceUtils.cuh>\n"},
        {"include/THC/THCGeneral.h", "#pragma once\n#include <THC/THC.h>\n"},
        {"include/THC/THCGeneral.hpp", "#pragma once\n#include <THC/THC.h>\n"},
        {"include/THC/THCNumerics.cuh", "#pragma once\n#include <ATen/cuda/NumericLimits.cuh>\n"},
    };
    add_library_shims(made);
    return made;
  }();
  return all;
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_shims(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const Shim& shim : shims()) {
    const std::string path = std::string(kShimRoot) + "/" + std::string(shim.path);
    memory->addFile(path, /*ModificationTime=*/0,
                    llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(shim.text), path));
  }
  auto overlay =
      llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(with_plain_launches(std::move(base)));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

}  // namespace placecheck::frontend
