// Operations as functions, under libtorch's names. Threads, errors: as Tensor's.
#ifndef PLACECHECK_RUNTIME_TENSOR_FUNCTIONS_H_
#define PLACECHECK_RUNTIME_TENSOR_FUNCTIONS_H_

#include <array>
#include <cstdint>
#include <initializer_list>
#include <vector>

#include "runtime/tensor/tensor.h"

namespace placecheck::runtime {

// New tensors.
Tensor empty(const Shape& sizes, const TensorOptions& options = {});
Tensor full(const Shape& sizes, double value, const TensorOptions& options = {});
Tensor zeros(const Shape& sizes, const TensorOptions& options = {});
Tensor ones(const Shape& sizes, const TensorOptions& options = {});
Tensor rand(const Shape& sizes, const TensorOptions& options = {});
Tensor randn(const Shape& sizes, const TensorOptions& options = {});
Tensor randint(std::int64_t low, std::int64_t high, const Shape& sizes,
               const TensorOptions& options = kLong);
Tensor arange(std::int64_t end, const TensorOptions& options = kLong);
Tensor empty_like(const Tensor& like);
Tensor zeros_like(const Tensor& like);
Tensor ones_like(const Tensor& like);
Tensor randn_like(const Tensor& like);

// A 1-D tensor of these values, converted to the type of `options`.
Tensor from_values(const std::vector<double>& values, const TensorOptions& options);
Tensor tensor(std::initializer_list<double> values, const TensorOptions& options = {});
Tensor tensor(const std::vector<float>& values, const TensorOptions& options = {});
Tensor tensor(const std::vector<std::int64_t>& values, const TensorOptions& options = kLong);
// A 0-dim tensor.
Tensor scalar_tensor(double value, const TensorOptions& options = {});

// Joining.
Tensor cat(const TensorList& tensors, std::int64_t dim = 0);
Tensor stack(const TensorList& tensors, std::int64_t dim = 0);

// Element by element.
Tensor relu(const Tensor& input);
Tensor sigmoid(const Tensor& input);
Tensor tanh(const Tensor& input);
Tensor exp(const Tensor& input);
// The gradient that passes where `result`, of a relu, is above zero.
Tensor threshold_backward(const Tensor& grad, const Tensor& result);
Tensor dropout(const Tensor& input, double probability, bool is_training);
// Sums `tensor` down to a shape that broadcasts to its own.
Tensor sum_to(const Tensor& tensor, const Shape& sizes);

// Products and layers.
Tensor mm(const Tensor& a, const Tensor& b);
Tensor matmul(const Tensor& a, const Tensor& b);
Tensor addmm(const Tensor& bias, const Tensor& a, const Tensor& b);
Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias = {});
Tensor embedding(const Tensor& weight, const Tensor& indices, std::int64_t padding_index = -1);

struct Conv2dShape {
  std::array<std::int64_t, 2> stride{1, 1};
  std::array<std::int64_t, 2> padding{0, 0};
};
Tensor conv2d(const Tensor& input, const Tensor& weight, const Tensor& bias = {},
              const Conv2dShape& shape = {});
Tensor max_pool2d(const Tensor& input, std::int64_t kernel);

// The buffers are updated in place when training; undefined ones are not kept.
struct BatchNormState {
  Tensor running_mean;
  Tensor running_var;
};
Tensor batch_norm(const Tensor& input, const Tensor& weight, const Tensor& bias,
                  const BatchNormState& state, bool is_training, double momentum, double epsilon);

// Losses.
enum class Reduction { kMean, kSum };
Tensor softmax(const Tensor& input, std::int64_t dim);
Tensor log_softmax(const Tensor& input, std::int64_t dim);
inline constexpr std::int64_t kIgnoreIndex = -100;
Tensor nll_loss(const Tensor& log_probabilities, const Tensor& target,
                Reduction reduction = Reduction::kMean);
Tensor cross_entropy(const Tensor& logits, const Tensor& target,
                     Reduction reduction = Reduction::kMean);
Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::kMean);

// Comparison; waits for the devices.
bool equal(const Tensor& a, const Tensor& b);
bool allclose(const Tensor& a, const Tensor& b, double relative = 1e-5, double absolute = 1e-8);

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_TENSOR_FUNCTIONS_H_
