// Layers with parameters or state, and the activations that have none.
#ifndef PLACECHECK_RUNTIME_NN_LAYERS_H_
#define PLACECHECK_RUNTIME_NN_LAYERS_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "runtime/nn/module.h"
#include "runtime/nn/options.h"

namespace placecheck::runtime::nn {

class LinearImpl : public Module {
 public:
  LinearImpl(std::int64_t in_features, std::int64_t out_features)
      : LinearImpl(LinearOptions(in_features, out_features)) {}
  explicit LinearImpl(const LinearOptions& options);
  Tensor forward(const Tensor& input) { return linear(input, weight, bias); }

  LinearOptions options;
  Tensor weight;
  Tensor bias;
};
PLACECHECK_MODULE(Linear);

class Conv2dImpl : public Module {
 public:
  Conv2dImpl(std::int64_t in_channels, std::int64_t out_channels, std::int64_t kernel_size)
      : Conv2dImpl(Conv2dOptions(in_channels, out_channels, kernel_size)) {}
  explicit Conv2dImpl(const Conv2dOptions& options);
  Tensor forward(const Tensor& input);

  Conv2dOptions options;
  Tensor weight;
  Tensor bias;
};
PLACECHECK_MODULE(Conv2d);

// Of its shard only: under DataParallel each replica has statistics of its own part of the batch,
// and those of the first device stay.
class BatchNormImpl : public Module {
 public:
  explicit BatchNormImpl(const BatchNormOptions& options);
  std::optional<std::int64_t> state_version() const override { return 2; }
  // States of the first version did not count batches.
  void upgrade_state(StateDict& state_dict, const std::string& prefix,
                     std::optional<std::int64_t> version) const override;

  BatchNormOptions options;
  Tensor weight;
  Tensor bias;
  Tensor running_mean;
  Tensor running_var;
  Tensor num_batches_tracked;

 protected:
  Tensor normalise(const Tensor& input);
};

class BatchNorm1dImpl : public BatchNormImpl {
 public:
  using BatchNormImpl::BatchNormImpl;
  explicit BatchNorm1dImpl(std::int64_t features) : BatchNormImpl(BatchNormOptions(features)) {}
  Tensor forward(const Tensor& input);
};
PLACECHECK_MODULE(BatchNorm1d);

class BatchNorm2dImpl : public BatchNormImpl {
 public:
  using BatchNormImpl::BatchNormImpl;
  explicit BatchNorm2dImpl(std::int64_t features) : BatchNormImpl(BatchNormOptions(features)) {}
  Tensor forward(const Tensor& input);
};
PLACECHECK_MODULE(BatchNorm2d);

class EmbeddingImpl : public Module {
 public:
  EmbeddingImpl(std::int64_t count, std::int64_t width, std::int64_t padding_index = -1);
  Tensor forward(const Tensor& indices) { return embedding(weight, indices, padding_index_); }

  Tensor weight;

 private:
  std::int64_t padding_index_;
};
PLACECHECK_MODULE(Embedding);

// One step of an LSTM: hidden and cell state in, and out.
class LSTMCellImpl : public Module {
 public:
  using State = std::pair<Tensor, Tensor>;

  LSTMCellImpl(std::int64_t input_size, std::int64_t hidden_size);
  State forward(const Tensor& input, std::optional<State> state = std::nullopt);

  Tensor weight_ih;
  Tensor weight_hh;
  Tensor bias_ih;
  Tensor bias_hh;

 private:
  std::int64_t hidden_size_;
};
PLACECHECK_MODULE(LSTMCell);

class DropoutImpl : public Module {
 public:
  explicit DropoutImpl(double probability = 0.5) : probability_(probability) {}
  Tensor forward(const Tensor& input) { return dropout(input, probability_, is_training()); }

 private:
  double probability_;
};
PLACECHECK_MODULE(Dropout);

class ReLUImpl : public Module {
 public:
  Tensor forward(const Tensor& input) { return input.relu(); }
};
PLACECHECK_MODULE(ReLU);

class FlattenImpl : public Module {
 public:
  Tensor forward(const Tensor& input) { return input.flatten(1); }
};
PLACECHECK_MODULE(Flatten);

class MaxPool2dImpl : public Module {
 public:
  explicit MaxPool2dImpl(std::int64_t kernel_size) : kernel_size_(kernel_size) {}
  Tensor forward(const Tensor& input) { return max_pool2d(input, kernel_size_); }

 private:
  std::int64_t kernel_size_;
};
PLACECHECK_MODULE(MaxPool2d);

class MSELossImpl : public Module {
 public:
  Tensor forward(const Tensor& input, const Tensor& target) { return mse_loss(input, target); }
};
PLACECHECK_MODULE(MSELoss);

class CrossEntropyLossImpl : public Module {
 public:
  Tensor forward(const Tensor& logits, const Tensor& target) {
    return cross_entropy(logits, target);
  }
};
PLACECHECK_MODULE(CrossEntropyLoss);

}  // namespace placecheck::runtime::nn

#endif  // PLACECHECK_RUNTIME_NN_LAYERS_H_
