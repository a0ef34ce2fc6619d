#include "analyzer/files/plain_paths.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace placecheck::files {
namespace {

namespace path = llvm::sys::path;

class PlainPaths : public llvm::vfs::ProxyFileSystem {
 public:
  PlainPaths(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base, std::string root)
      : ProxyFileSystem(std::move(base)), root_(std::move(root)) {}

  std::error_code getRealPath(const llvm::Twine& file,
                              llvm::SmallVectorImpl<char>& output) override {
    llvm::SmallString<256> plain;
    file.toVector(plain);
    if (std::error_code error = makeAbsolute(plain)) return error;
    path::remove_dots(plain, /*remove_dot_dot=*/true);
    llvm::StringRef rest = plain;
    const bool is_below = rest.consume_front(root_) && rest.starts_with("/");
    if (!is_below || !exists(plain)) return ProxyFileSystem::getRealPath(file, output);
    output.assign(plain.begin(), plain.end());
    return {};
  }

 private:
  std::string root_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> with_plain_paths(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> base, std::string root) {
  return llvm::makeIntrusiveRefCnt<PlainPaths>(std::move(base), std::move(root));
}

}  // namespace placecheck::files
