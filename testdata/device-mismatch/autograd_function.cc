// A function with a gradient of its own: apply() runs its forward().
#include <torch/torch.h>

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct Scale : torch::autograd::Function<Scale> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor x, double by) {
    context->saved_data["by"] = by;
    auto table = torch::full({x.size(0)}, by);
    return x * table;  // expect: device-mismatch
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {gradients[0] * context->saved_data["by"].toDouble(), torch::Tensor()};
  }
};

struct ScaleInPlace : torch::autograd::Function<ScaleInPlace> {
  static torch::Tensor forward(AutogradContext* context, torch::Tensor x, double by) {
    context->saved_data["by"] = by;
    auto table = torch::full({x.size(0)}, by, x.options());
    return x * table;
  }
  static variable_list backward(AutogradContext* context, variable_list gradients) {
    return {gradients[0] * context->saved_data["by"].toDouble(), torch::Tensor()};
  }
};

int main() {
  auto x = torch::rand({4}, torch::kCUDA);
  auto y = ScaleInPlace::apply(x, 2.0);
  auto z = y + torch::rand({4});  // expect: device-mismatch
  auto w = Scale::apply(x, 2.0);
  return 0;
}
