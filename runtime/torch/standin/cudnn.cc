// cuDNN as far as PyTorch's bindings ask: the version, which has to be one that they can work with.
// No kernel of it is called.
#include <cstddef>

namespace {

enum Property { kMajor = 0, kMinor = 1, kPatch = 2 };  // libraryPropertyType_t
constexpr int kSuccess = 0;
constexpr int kBadParameter = 2000;  // CUDNN_STATUS_BAD_PARAM

// Newer than any release's: torch.backends.cudnn refuses a library older than its headers.
constexpr int kNewestMinor = 99;

}  // namespace

extern "C" std::size_t cudnnGetVersion() {
  return PLACECHECK_CUDNN_MAJOR * 10000 + kNewestMinor * 100;
}

extern "C" int cudnnGetProperty(int property, int* value) {
  switch (property) {
    case kMajor:
      *value = PLACECHECK_CUDNN_MAJOR;
      return kSuccess;
    case kMinor:
      *value = kNewestMinor;
      return kSuccess;
    case kPatch:
      *value = 0;
      return kSuccess;
    default:
      return kBadParameter;
  }
}
