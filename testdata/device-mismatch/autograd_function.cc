// The backward of a function that the program defines runs where the gradients are.
#include <torch/torch.h>

using torch::autograd::AutogradContext;
using torch::autograd::tensor_list;

class Window : public torch::autograd::Function<Window> {
 public:
  static torch::Tensor forward(AutogradContext* context, torch::Tensor x, double width) {
    context->save_for_backward({x});
    context->saved_data["width"] = width;
    return x.sign();
  }
  static tensor_list backward(AutogradContext* context, tensor_list gradients) {
    auto x = context->get_saved_variables()[0];
    const double width = context->saved_data["width"].toDouble();
    auto inside = torch::zeros(x.sizes());
    inside.masked_fill_((x.abs() <= width).cpu(), 1.0);
    auto gradient = gradients[0] * inside;  // expect: device-mismatch
    return {gradient, torch::Tensor()};
  }
};

struct LayerImpl : torch::nn::Module {
  LayerImpl() { weight = register_parameter("weight", torch::randn({4, 4})); }
  torch::Tensor forward(torch::Tensor x) { return torch::linear(x, Window::apply(weight, 1.0)); }
  torch::Tensor weight;
};
TORCH_MODULE(Layer);

int main() {
  Layer layer;
  layer->to(torch::kCUDA);
  layer->forward(torch::rand({2, 4}, torch::kCUDA)).sum().backward();
}
