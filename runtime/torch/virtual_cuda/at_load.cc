// Linked into the shared library, and whole into what links the archive: installs the devices
// before main() begins and after libtorch's own libraries, which this one needs, are there; before
// the globals of an executable that links the archive, which may ask for CUDA.
#include "runtime/torch/virtual_cuda/install.h"

namespace placecheck::virtual_cuda {
namespace {

__attribute__((constructor(102))) void install_at_load() { install(); }

}  // namespace
}  // namespace placecheck::virtual_cuda
