#include "analyzer/models/libraries/registrations.h"

#include <algorithm>
#include <iterator>

namespace placecheck::models {
namespace {

constexpr std::string_view kRegistrations[] = {
    "StableLibrary::def",
    "StableLibrary::impl",
    "TVMFFIFunctionRegister",
    "c10::RegisterOperators::op",
    "c10::RegisterOperators::RegisterOperators",
    "c10::class_::def",
    "def",
    "def_static",
    "impl",
    "nanobind::class_::def",
    "nanobind::module_::def",
    "pybind11::class_::def",
    "pybind11::class_::def_static",
    "pybind11::module_::def",
    "torch::Library::def",
    "torch::Library::fallback",
    "torch::Library::impl",
    "torch::RegisterOperators::op",
    "torch::class_::def",
    "torch::class_::def_static",
    "torch::jit::RegisterOperators::op",
    "torch::stable::StableLibrary::impl",
    "torch::stable::detail::StableLibrary::impl",
    "tvm::ffi::details::export_function",
    "tvm::ffi::details::unpack_call",
    "tvm::ffi::reflection::GlobalDef::def",
};

}  // namespace

bool registers_functions(std::string_view name) {
  return std::ranges::find(kRegistrations, name) != std::end(kRegistrations);
}

}  // namespace placecheck::models
