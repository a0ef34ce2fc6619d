#include "analyzer/models/libraries/python_names.h"

#include <algorithm>
#include <iterator>

namespace placecheck::models {
namespace {

// Sorted by name.
constexpr PythonFunction kFunctions[] = {
    {"os.putenv", "setenv", "name,value"},
    {"os.system", "system", "command"},
    {"os.unsetenv", "unsetenv", "name"},
    {"torch.Tensor.cpu", "at::Tensor::cpu", ""},
    {"torch.accelerator.current_device_index", "c10::cuda::current_device", ""},
    {"torch.accelerator.device_count", "torch::cuda::device_count", ""},
    {"torch.accelerator.is_available", "torch::cuda::is_available", ""},
    {"torch.accelerator.set_device_index", "c10::cuda::set_device", "device"},
    {"torch.accelerator.synchronize", "torch::cuda::synchronize", ""},
    {"torch.autograd.grad", "torch::autograd::grad", "outputs,inputs,grad_outputs"},
    {"torch.cuda._lazy_init", "torch::cuda::synchronize", ""},
    {"torch.cuda.current_device", "c10::cuda::current_device", ""},
    {"torch.cuda.device", "c10::cuda::CUDAGuard::CUDAGuard", "device"},
    {"torch.cuda.device_count", "torch::cuda::device_count", ""},
    {"torch.cuda.get_device_capability", "at::cuda::getDeviceProperties", "device"},
    {"torch.cuda.get_device_name", "at::cuda::getDeviceProperties", "device"},
    {"torch.cuda.get_device_properties", "at::cuda::getDeviceProperties", "device"},
    {"torch.cuda.init", "torch::cuda::synchronize", ""},
    {"torch.cuda.is_available", "torch::cuda::is_available", ""},
    {"torch.cuda.mem_get_info", "at::cuda::getDeviceProperties", "device"},
    {"torch.cuda.set_device", "c10::cuda::set_device", "device"},
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
    {"torch.nn.modules.Module", "torch::nn::Module"},
    {"torch.nn.modules.module.Module", "torch::nn::Module"},
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
  constexpr std::string_view kModules = "torch.nn.";
  std::string_view last = name.substr(std::min(name.rfind('.') + 1, name.size()));
  bool is_layer =
      name.starts_with(kModules) && starts_upper(last) &&
      (name.size() == kModules.size() + last.size() || name.starts_with("torch.nn.modules."));
  return is_layer ? "torch::nn::" + std::string(last) + "Impl" : std::string(name);
}

bool is_harmless_package(std::string_view name) {
  return std::ranges::binary_search(kHarmless, name.substr(0, name.find('.')));
}

}  // namespace placecheck::models
