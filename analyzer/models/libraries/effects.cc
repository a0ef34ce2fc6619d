#include "analyzer/models/libraries/effects.h"

#include <algorithm>
#include <iterator>

namespace placecheck::models {
namespace {

struct Row {
  std::string_view name;
  Effect effect;
};

// Sorted by name.
constexpr Row kRows[] = {
    {"at::Tensor::cpu", Effect::kToCpu},
    {"at::Tensor::cuda", Effect::kToCuda},
    {"at::Tensor::grad", Effect::kGradientOf},
    {"at::Tensor::mutable_grad", Effect::kGradientOf},
    {"at::Tensor::set_data", Effect::kSetData},
    {"at::Tensor::to", Effect::kTransfer},
    {"at::cuda::current_device", Effect::kCurrentDevice},
    {"at::cuda::device_count", Effect::kDeviceCount},
    {"at::cuda::getNumGPUs", Effect::kDeviceCount},
    {"at::cuda::is_available", Effect::kCudaIsAvailable},
    {"at::cuda::set_device", Effect::kSetDevice},
    {"at::cudnn_is_acceptable", Effect::kCudaIsAvailable},
    {"at::device", Effect::kMakeOptions},
    {"at::device_of", Effect::kDeviceOfOptions},
    {"at::dtype", Effect::kMakeOptions},
    {"at::from_blob", Effect::kFromBlob},
    {"at::hasCUDA", Effect::kCudaIsAvailable},
    {"at::indexing::TensorIndex::TensorIndex", Effect::kSame},
    {"at::layout", Effect::kMakeOptions},
    {"at::requires_grad", Effect::kMakeOptions},
    {"at::tensor", Effect::kTensorFromData},
    {"c10::Device::Device", Effect::kMakeDevice},
    {"c10::Device::index", Effect::kDeviceIndex},
    {"c10::Device::is_cpu", Effect::kDeviceIsCpu},
    {"c10::Device::is_cuda", Effect::kDeviceIsCuda},
    {"c10::Device::type", Effect::kDeviceType},
    {"c10::DeviceGuard::DeviceGuard", Effect::kDeviceGuard},
    {"c10::IValue::IValue", Effect::kSame},
    {"c10::IValue::toCustomClass", Effect::kSame},
    {"c10::IValue::toDict", Effect::kSame},
    {"c10::IValue::toGenericDict", Effect::kSame},
    {"c10::IValue::toList", Effect::kSame},
    {"c10::IValue::toListRef", Effect::kSame},
    {"c10::IValue::toTensor", Effect::kSame},
    {"c10::IValue::toTensorList", Effect::kSame},
    {"c10::IValue::toTensorVector", Effect::kSame},
    {"c10::IValue::toTuple", Effect::kSame},
    {"c10::IValue::toTupleRef", Effect::kSame},
    {"c10::MaybeOwned::operator*", Effect::kSame},
    {"c10::OptionalDeviceGuard::OptionalDeviceGuard", Effect::kDeviceGuard},
    {"c10::Scalar::Scalar", Effect::kSame},
    {"c10::TensorOptions::TensorOptions", Effect::kMakeOptions},
    {"c10::TensorOptions::device", Effect::kWithOption},
    {"c10::TensorOptions::device_index", Effect::kWithOption},
    {"c10::TensorOptions::device_opt", Effect::kDeviceOfOptions},
    {"c10::TensorOptions::dtype", Effect::kWithOption},
    {"c10::TensorOptions::layout", Effect::kWithOption},
    {"c10::TensorOptions::memory_format", Effect::kWithOption},
    {"c10::TensorOptions::pinned_memory", Effect::kWithOption},
    {"c10::TensorOptions::requires_grad", Effect::kWithOption},
    {"c10::cuda::CUDAGuard::CUDAGuard", Effect::kDeviceGuard},
    {"c10::cuda::OptionalCUDAGuard::OptionalCUDAGuard", Effect::kDeviceGuard},
    {"c10::cuda::current_device", Effect::kCurrentDevice},
    {"c10::cuda::device_count", Effect::kDeviceCount},
    {"c10::cuda::set_device", Effect::kSetDevice},
    {"c10::device", Effect::kMakeOptions},
    {"c10::dtype", Effect::kMakeOptions},
    {"c10::ivalue::Tuple::elements", Effect::kSame},
    {"c10::layout", Effect::kMakeOptions},
    {"c10::requires_grad", Effect::kMakeOptions},
    {"cast", Effect::kSame},
    {"cudaSetDevice", Effect::kSetDevice},
    {"list", Effect::kMakeContainer},
    {"placecheck::parallel::DataParallel::DataParallel", Effect::kDataParallelMake},
    {"placecheck::parallel::DataParallel::forward", Effect::kDataParallelForward},
    {"placecheck::parallel::DataParallel::module", Effect::kDataParallelModule},
    {"placecheck::parallel::DataParallel::operator()", Effect::kDataParallelForward},
    {"placecheck::parallel::DataParallel::to", Effect::kModuleMove},
    {"placecheck::parallel::DeviceIds::DeviceIds", Effect::kSame},
    {"std::addressof", Effect::kSame},
    {"std::as_const", Effect::kSame},
    {"std::async", Effect::kCallFunction},
    {"std::cref", Effect::kSame},
    {"std::forward", Effect::kSame},
    {"std::function::function", Effect::kSame},
    {"std::function::operator()", Effect::kCallFunction},
    {"std::invoke", Effect::kCallFunction},
    {"std::move", Effect::kSame},
    {"std::ref", Effect::kSame},
    {"std::thread::thread", Effect::kCallFunction},
    {"std::to_string", Effect::kText},
    {"torch::autograd::Variable::Variable", Effect::kMakeTensor},
    {"torch::cuda::cudnn_is_available", Effect::kCudaIsAvailable},
    {"torch::cuda::device_count", Effect::kDeviceCount},
    {"torch::cuda::is_available", Effect::kCudaIsAvailable},
    {"torch::cuda::manual_seed", Effect::kNothing},
    {"torch::cuda::manual_seed_all", Effect::kNothing},
    {"torch::cuda::synchronize", Effect::kNothing},
    {"torch::data::make_data_loader", Effect::kMakeLoader},
    {"torch::detail::TensorDataContainer::TensorDataContainer", Effect::kSame},
    {"torch::device", Effect::kMakeOptions},
    {"torch::dtype", Effect::kMakeOptions},
    {"torch::from_blob", Effect::kFromBlob},
    {"torch::jit::load", Effect::kLoadProgram},
    {"torch::layout", Effect::kMakeOptions},
    {"torch::load", Effect::kLoad},
    {"torch::manual_seed", Effect::kNothing},
    {"torch::nn::AnyModule::AnyModule", Effect::kSame},
    {"torch::nn::AnyModule::forward", Effect::kApplyModule},
    {"torch::nn::AnyModule::ptr", Effect::kSame},
    {"torch::nn::Module::Module", Effect::kNothing},
    {"torch::nn::Module::apply", Effect::kNothing},
    {"torch::nn::Module::buffers", Effect::kParameters},
    {"torch::nn::Module::clone", Effect::kCloneModule},
    {"torch::nn::Module::eval", Effect::kSwitchMode},
    {"torch::nn::Module::is_training", Effect::kNothing},
    {"torch::nn::Module::named_buffers", Effect::kParameters},
    {"torch::nn::Module::named_parameters", Effect::kParameters},
    {"torch::nn::Module::parameters", Effect::kParameters},
    {"torch::nn::Module::register_buffer", Effect::kRegisterBuffer},
    {"torch::nn::Module::register_module", Effect::kRegisterModule},
    {"torch::nn::Module::register_parameter", Effect::kRegisterParameter},
    {"torch::nn::Module::replace_module", Effect::kRegisterModule},
    {"torch::nn::Module::save", Effect::kNothing},
    {"torch::nn::Module::to", Effect::kModuleMove},
    {"torch::nn::Module::train", Effect::kSwitchMode},
    {"torch::nn::Module::zero_grad", Effect::kNothing},
    {"torch::nn::ModuleHolder::operator()", Effect::kApplyModule},
    {"torch::nn::ModuleHolder::ptr", Effect::kSame},
    {"torch::nn::ModuleListImpl::at", Effect::kChildOfContainer},
    {"torch::nn::ModuleListImpl::extend", Effect::kAddModule},
    {"torch::nn::ModuleListImpl::insert", Effect::kAddModule},
    {"torch::nn::ModuleListImpl::operator[]", Effect::kChildOfContainer},
    {"torch::nn::ModuleListImpl::ptr", Effect::kChildOfContainer},
    {"torch::nn::ModuleListImpl::push_back", Effect::kAddModule},
    {"torch::nn::NamedAnyModule::NamedAnyModule", Effect::kSame},
    {"torch::nn::SequentialImpl::at", Effect::kChildOfContainer},
    {"torch::nn::SequentialImpl::extend", Effect::kAddModule},
    {"torch::nn::SequentialImpl::operator[]", Effect::kChildOfContainer},
    {"torch::nn::SequentialImpl::ptr", Effect::kChildOfContainer},
    {"torch::nn::SequentialImpl::push_back", Effect::kAddModule},
    {"torch::nn::parallel::data_parallel", Effect::kDataParallelCall},
    {"torch::optim::Optimizer::step", Effect::kNothing},
    {"torch::optim::Optimizer::zero_grad", Effect::kNothing},
    {"torch::requires_grad", Effect::kMakeOptions},
    {"torch::save", Effect::kSave},
    {"torch::serialize::InputArchive::load_from", Effect::kArchiveLoadFrom},
    {"torch::tensor", Effect::kTensorFromData},
    {"tuple", Effect::kMakeContainer},
};

// Methods of containers, optionals, iterators and the like, by their last name.
constexpr Row kContainerRows[] = {
    {"append", Effect::kAppend},
    {"at", Effect::kElement},
    {"back", Effect::kLast},
    {"begin", Effect::kSomeElement},
    {"cbegin", Effect::kSomeElement},
    {"cend", Effect::kNothing},
    {"clear", Effect::kClear},
    {"data", Effect::kSomeElement},
    {"emplace", Effect::kInsert},
    {"emplace_back", Effect::kAppend},
    {"emplace_front", Effect::kAppend},
    {"empty", Effect::kIsEmpty},
    {"end", Effect::kNothing},
    {"find", Effect::kElement},
    {"front", Effect::kFirst},
    {"get", Effect::kElement},
    {"has_value", Effect::kHasValue},
    {"insert", Effect::kInsert},
    {"insert_or_assign", Effect::kInsert},
    {"key", Effect::kNothing},
    {"operator bool", Effect::kHasValue},
    {"operator*", Effect::kSame},
    {"operator++", Effect::kSame},
    {"operator->", Effect::kSame},
    {"operator[]", Effect::kElement},
    {"push", Effect::kAppend},
    {"push_back", Effect::kAppend},
    {"push_front", Effect::kAppend},
    {"rbegin", Effect::kSomeElement},
    {"reserve", Effect::kNothing},
    {"resize", Effect::kResize},
    {"size", Effect::kSize},
    {"top", Effect::kLast},
    {"value", Effect::kSame},
    {"value_or", Effect::kSame},
    {"vec", Effect::kSame},
};

constexpr std::string_view kContainerNamespaces[] = {
    "__gnu_cxx::__normal_iterator",
    "c10::ArrayRef",
    "c10::Dict",
    "c10::List",
    "c10::impl",
    "c10::intrusive_ptr",
    "c10::optional",
    "c10::SmallVector",
    "std::",
    "torch::ExpandingArray",
    "torch::OrderedDict",
    "torch::data::",
    "torch::detail",
    "c10::detail",
};

template <size_t N>
constexpr bool is_sorted(const Row (&rows)[N]) {
  for (size_t i = 1; i < N; ++i) {
    if (!(rows[i - 1].name < rows[i].name)) return false;
  }
  return true;
}
static_assert(is_sorted(kRows) && is_sorted(kContainerRows), "look-up is by binary search");

template <size_t N>
const Row* find_row(const Row (&rows)[N], std::string_view name) {
  auto at =
      std::lower_bound(std::begin(rows), std::end(rows), name,
                       [](const Row& row, std::string_view wanted) { return row.name < wanted; });
  return at != std::end(rows) && at->name == name ? at : nullptr;
}

}  // namespace

std::optional<Effect> find_effect(std::string_view name) {
  if (const Row* row = find_row(kRows, name)) return row->effect;
  for (std::string_view space : kContainerNamespaces) {
    if (!name.starts_with(space)) continue;
    size_t at = name.rfind("::");
    if (const Row* row = find_row(kContainerRows, name.substr(at + 2))) return row->effect;
  }
  return std::nullopt;
}

}  // namespace placecheck::models
