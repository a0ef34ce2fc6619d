// Python's names of libraries, as the models spell them: one row a name.
//
// Static and constant; call from anywhere. A name without a row is not modelled, or is an operation
// (models/operators knows those by their Python names).
#pragma once

#include <string>
#include <string_view>

namespace placecheck::models {

struct PythonFunction {
  std::string_view name;        // "torch.cuda.set_device"
  std::string_view api;         // as the other tables spell it: "c10::cuda::set_device"
  std::string_view parameters;  // the names of its parameters, in the order of `api`: "device"
};

// Null for what has no row.
const PythonFunction* find_python_function(std::string_view name);

// The class as the models spell it: "torch::nn::LinearImpl" for "torch.nn.Linear"; a class that
// they do not know keeps its name.
std::string python_class_name(std::string_view name);

// A class of a library whose objects are networks, with parameters on the CPU when they are made:
// "torchvision.models.ResNet", "timm.models.vision_transformer.VisionTransformer".
bool is_network_class(std::string_view name);

// The documented name of a class or function that is named by the file that defines it:
// "torch.utils.data.DataLoader" for "torch.utils.data.dataloader.DataLoader". Other names are kept.
std::string public_python_name(std::string name);

// Of a package whose functions leave modules where they are: numpy, tqdm, ...
bool is_harmless_package(std::string_view name);

}  // namespace placecheck::models
