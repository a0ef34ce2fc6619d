// The library's neural-network modules: what state they hold, and what their forward does.
// Static and constant; an unknown name has no row.
#pragma once

#include <cstdint>
#include <string_view>

namespace placecheck::models {

enum class Forward : uint8_t {
  kLayer,         // combines the input with the state; one tensor, where both are
  kScript,        // the same, of a program of which nothing is known
  kRecurrent,     // the same, also with hidden states; a tuple of output and states
  kAttention,     // the same; a tuple of output and weights
  kLoss,          // combines its inputs; 0-dim
  kClassLoss,     // the same, of scores and class indices, which are compared exactly
  kSequenceLoss,  // 0-dim, of its first input; targets and lengths may be anywhere
  kPass,          // no state that counts; the result is where the inputs are
  kSequential,    // the children in turn
  kNone,          // cannot be called
};

constexpr bool is_loss(Forward forward) {
  return forward == Forward::kLoss || forward == Forward::kClassLoss ||
         forward == Forward::kSequenceLoss;
}

struct ModuleModel {
  std::string_view name;  // "torch::nn::LinearImpl"
  Forward forward = Forward::kPass;
  bool has_state = false;  // parameters or buffers, in the default configuration
  bool has_mode = false;   // behaves differently in training and in evaluation
};

const ModuleModel* find_module_model(std::string_view name);

}  // namespace placecheck::models
