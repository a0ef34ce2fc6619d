#include "analyzer/models/libraries/python_names.h"

#include <algorithm>
#include <iterator>

namespace placecheck::models {
namespace {

// Sorted by name.
constexpr PythonFunction kFunctions[] = {
    {"os.putenv", "setenv", "name,value"},
    {"os.rename", "std::filesystem::rename", "src,dst"},
    {"os.replace", "std::filesystem::rename", "src,dst"},
    {"os.system", "system", "command"},
    {"os.unsetenv", "unsetenv", "name"},
    {"shutil.copy", "std::filesystem::copy_file", "src,dst"},
    {"shutil.copy2", "std::filesystem::copy_file", "src,dst"},
    {"shutil.copyfile", "std::filesystem::copy_file", "src,dst"},
    {"shutil.move", "std::filesystem::copy_file", "src,dst"},
    {"torch.Tensor.cpu", "at::Tensor::cpu", ""},
    {"torch.accelerator.current_device_index", "c10::cuda::current_device", ""},
    {"torch.accelerator.device_count", "torch::cuda::device_count", ""},
    {"torch.accelerator.is_available", "torch::cuda::is_available", ""},
    {"torch.accelerator.set_device_index", "c10::cuda::set_device", "device"},
    {"torch.accelerator.synchronize", "torch::cuda::synchronize", ""},
    {"torch.autograd.backward", "torch::autograd::backward", "tensors,grad_tensors"},
    {"torch.autograd.grad", "torch::autograd::grad", "outputs,inputs,grad_outputs"},
    {"torch.cuda._lazy_init", "torch::cuda::synchronize", ""},
    {"torch.cuda.current_device", "c10::cuda::current_device", ""},
    {"torch.cuda.device", "c10::cuda::CUDAGuard::CUDAGuard", "device"},
    {"torch.cuda.device_count", "torch::cuda::device_count_by_nvml", ""},
    {"torch.cuda.get_device_capability", "at::cuda::getDeviceProperties", "device"},
    {"torch.cuda.get_device_name", "at::cuda::getDeviceProperties", "device"},
    {"torch.cuda.get_device_properties", "at::cuda::getDeviceProperties", "device"},
    {"torch.cuda.init", "torch::cuda::synchronize", ""},
    {"torch.cuda.is_available", "torch::cuda::is_available", ""},
    {"torch.cuda.mem_get_info", "at::cuda::mem_get_info", "device"},
    {"torch.cuda.set_device", "c10::cuda::set_device", "device"},
    {"torch.cuda.stream", "c10::cuda::CUDAStreamGuard::CUDAStreamGuard", "stream"},
    {"torch.cuda.synchronize", "torch::cuda::synchronize", ""},
};
static_assert(std::ranges::is_sorted(kFunctions, {}, &PythonFunction::name));

struct ClassRow {
  std::string_view name;
  std::string_view api;
};

// Sorted by name. The other classes of torch.nn are spelled alike in both languages.
constexpr ClassRow kClasses[] = {
    {"einops.layers.torch.Rearrange", "torch::nn::IdentityImpl"},
    {"einops.layers.torch.Reduce", "torch::nn::IdentityImpl"},
    {"torch.nn.DataParallel", "placecheck::parallel::DataParallel"},
    {"torch.nn.Module", "torch::nn::Module"},
    {"torch.nn.parallel.DataParallel", "placecheck::parallel::DataParallel"},
};
static_assert(std::ranges::is_sorted(kClasses, {}, &ClassRow::name));

// Sorted. The standard library's, and those that training code reads data, configures itself and
// reports with: none of them moves a module that it is given.
constexpr std::string_view kHarmless[] = {
    "PIL",
    "abc",
    "argparse",
    "builtins",
    "collections",
    "concurrent",
    "contextlib",
    "copy",
    "csv",
    "cv2",
    "dataclasses",
    "datetime",
    "einops",
    "enum",
    "functools",
    "gc",
    "glob",
    "gym",
    "h5py",
    "hashlib",
    "imageio",
    "inspect",
    "io",
    "itertools",
    "json",
    "logging",
    "math",
    "matplotlib",
    "multiprocessing",
    "numpy",
    "operator",
    "os",
    "pandas",
    "pathlib",
    "pickle",
    "platform",
    "pprint",
    "psutil",
    "random",
    "re",
    "scipy",
    "seaborn",
    "shutil",
    "signal",
    "skimage",
    "sklearn",
    "socket",
    "statistics",
    "string",
    "struct",
    "subprocess",
    "sys",
    "tabulate",
    "tempfile",
    "tensorboard",
    "tensorboardX",
    "termcolor",
    "textwrap",
    "threading",
    "time",
    "timm",
    "torch",
    "torchaudio",
    "torchtext",
    "torchvision",
    "tqdm",
    "traceback",
    "types",
    "typing",
    "uuid",
    "wandb",
    "warnings",
    "yaml",
};
static_assert(std::ranges::is_sorted(kHarmless));

struct ModuleRow {
  std::string_view module;   // a file of the library
  std::string_view package;  // that has its names too
};

// Sorted by module.
constexpr ModuleRow kModules[] = {
    {"torch._tensor", "torch"},
    {"torch.autograd.function", "torch.autograd"},
    {"torch.autograd.variable", "torch.autograd"},
    {"torch.cuda.amp.autocast_mode", "torch.cuda.amp"},
    {"torch.cuda.amp.grad_scaler", "torch.cuda.amp"},
    {"torch.functional", "torch"},
    {"torch.nn.parallel.data_parallel", "torch.nn.parallel"},
    {"torch.nn.parallel.distributed", "torch.nn.parallel"},
    {"torch.nn.parameter", "torch.nn"},
    {"torch.utils.data.dataloader", "torch.utils.data"},
    {"torch.utils.data.dataset", "torch.utils.data"},
    {"torch.utils.data.distributed", "torch.utils.data"},
    {"torch.utils.data.sampler", "torch.utils.data"},
    {"torchvision.datasets.folder", "torchvision.datasets"},
    {"torchvision.transforms.transforms", "torchvision.transforms"},
};
static_assert(std::ranges::is_sorted(kModules, {}, &ModuleRow::module));

bool starts_upper(std::string_view name) {
  return !name.empty() && name.front() >= 'A' && name.front() <= 'Z';
}

}  // namespace

const PythonFunction* find_python_function(std::string_view name) {
  const auto* row = std::ranges::lower_bound(kFunctions, name, {}, &PythonFunction::name);
  return row != std::end(kFunctions) && row->name == name ? row : nullptr;
}

std::string python_class_name(std::string_view name) {
  const auto* row = std::ranges::lower_bound(kClasses, name, {}, &ClassRow::name);
  if (row != std::end(kClasses) && row->name == name) return std::string(row->api);
  constexpr std::string_view kLayers = "torch.nn.";
  std::string_view last = name.substr(std::min(name.rfind('.') + 1, name.size()));
  bool is_layer = name.starts_with(kLayers) && starts_upper(last) &&
                  name.size() == kLayers.size() + last.size();
  return is_layer ? "torch::nn::" + std::string(last) + "Impl" : std::string(name);
}

bool is_network_class(std::string_view name) {
  const std::string_view last = name.substr(std::min(name.rfind('.') + 1, name.size()));
  if (!starts_upper(last)) return false;
  if (name.starts_with("transformers."))
    return last.ends_with("Model") || last.find("For") != std::string_view::npos;
  return name.starts_with("torchvision.models.") || name.starts_with("timm.models.");
}

std::string public_python_name(std::string name) {
  if (!name.starts_with("torch")) return name;
  const size_t dot = name.rfind('.');
  const std::string_view module = std::string_view(name).substr(0, std::min(dot, name.size()));
  const auto* row = std::ranges::lower_bound(kModules, module, {}, &ModuleRow::module);
  if (row != std::end(kModules) && row->module == module)
    return std::string(row->package) + name.substr(dot);
  if (dot == std::string::npos || !starts_upper(std::string_view(name).substr(dot + 1)))
    return name;
  // One file a layer, and one an optimizer.
  if (module == "torch.nn.modules" || module.starts_with("torch.nn.modules."))
    return "torch.nn" + name.substr(dot);
  constexpr std::string_view kOptimizers = "torch.optim.";
  const bool is_optimizer = module.starts_with(kOptimizers) &&
                            module != "torch.optim.lr_scheduler" &&
                            module != "torch.optim.swa_utils";
  return is_optimizer ? "torch.optim" + name.substr(dot) : name;
}

bool is_harmless_package(std::string_view name) {
  return std::ranges::binary_search(kHarmless, name.substr(0, name.find('.')));
}

}  // namespace placecheck::models
