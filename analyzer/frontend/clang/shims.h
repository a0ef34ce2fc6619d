// Small headers that stand in for what this machine's CUDA or libtorch lacks, built into the tool.
//
// Ownership: the texts are static. Threads: with_shims makes a new file system at each call;
// give each thread its own. Errors: none.
#pragma once

#include <string_view>
#include <vector>

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace placecheck::frontend {

inline constexpr char kShimRoot[] = "/__placecheck/shims";
// Force-included before every CUDA source.
inline constexpr char kCudaPrelude[] = "/__placecheck/shims/prelude/cuda_prelude.h";

// Force-included before every source that uses libtorch.
inline constexpr char kStandardPrelude[] = "/__placecheck/shims/prelude/standard_prelude.h";

// What lies here belongs to the program that includes it: its functions are followed.
inline constexpr char kFollowedShims[] = "/__placecheck/shims/followed/";
// Force-included before every source that uses std::variant.
inline constexpr char kVisitPrelude[] = "/__placecheck/shims/followed/visit.h";

struct Shim {
  std::string_view path;  // below kShimRoot
  std::string_view text;
};

const std::vector<Shim>& shims();

// `base` with the shims laid over it; -idirafter folders in compile commands point into them.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_shims(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base);

}  // namespace placecheck::frontend
