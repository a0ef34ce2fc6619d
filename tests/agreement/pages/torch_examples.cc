// The pages' C++ examples as programs on virtual CUDA devices. Where an example is a function, it
// is called as a program would; where a page states more errors than its example raises, they are
// provoked beside it.
#include <torch/torch.h>

#include <iostream>
#include <string>

#include "runtime/torch/virtual_cuda/rule_error.h"
#include "tests/agreement/pages/cpp_examples.inc"
#include "tests/agreement/pages/example.h"

namespace placecheck::pages {
namespace {

const torch::Device kCard(torch::kCUDA, 0);

// An example with a main().
template <int (*kMain)()>
void run() {
  kMain();
}

void convolution() {
  torch::nn::Conv2d layer(1, 2, 3);
  layer->to(kCard);
  layer->forward(torch::rand({1, 1, 8, 8}));
}

void recurrent_layer() {
  torch::nn::LSTM layer(4, 4);
  layer->to(kCard);
  const torch::Tensor state = torch::zeros({1, 2, 4});
  layer->forward(torch::rand({3, 2, 4}, kCard), std::make_tuple(state, state));
}

void indexing() {
  torch::rand({4}).index({torch::zeros({1}, torch::dtype(torch::kLong)).to(kCard)});
}

template <torch::Tensor (*kPrepare)(torch::Tensor, torch::Device)>
void transfer() {
  kPrepare(torch::rand({4, 8}), kCard) + torch::ones({8}, kCard);
}

template <torch::Tensor (*kBatchOnCard)(int)>
void devices_by_index() {
  kBatchOnCard(0);
  kBatchOnCard(99);
}

void text_that_is_no_device() { torch::Device device("cuda0"); }

void index_that_is_no_device() { torch::rand({16, 8}, torch::Device("cuda:99")); }

// The file comes from the CPU.
template <torch::Tensor (*kRestoredOutput)(torch::Tensor)>
void restored() {
  torch::save(torch::nn::Linear(8, 2), "net.pt");
  kRestoredOutput(torch::rand({16, 8}));
}

template <std::string (*kBareKey)(const std::string&)>
void keys() {
  for (const char* key : {"module.weight", "module.submodule.weight"}) {
    std::cout << "key " << kBareKey(key) << '\n';
  }
}

template <class Net>
void moved() {
  Net net;
  net->to(kCard);
  net->forward(torch::rand({4, 8}, kCard));
}

template <torch::Tensor (*kBatch)()>
void cards() {
  kBatch();
  std::cout << "cards " << static_cast<int>(torch::cuda::device_count()) << '\n';
}

torch::Tensor no_cards() {
  setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
  return torch::rand({16, 8}, kCard);
}

torch::Tensor physical_number() {
  setenv("CUDA_VISIBLE_DEVICES", "2,3", 1);
  return torch::rand({16, 8}, torch::Device("cuda:3"));
}

const Program kPrograms[] = {
    {"data-parallel-lost-state/bad", &run<&data_parallel_lost_state_bad::run>},
    {"data-parallel-lost-state/good", &run<&data_parallel_lost_state_good::run>},
    {"data-parallel-placement/bad", &run<&data_parallel_placement_bad::run>},
    {"data-parallel-placement/good", &run<&data_parallel_placement_good::run>},
    {"device-mismatch/bad", &run<&device_mismatch_bad::run>},
    {"device-mismatch/convolution", &convolution},
    {"device-mismatch/good", &run<&device_mismatch_good::run>},
    {"device-mismatch/indexing", &indexing},
    {"device-mismatch/recurrent", &recurrent_layer},
    {"discarded-transfer/bad", &transfer<&discarded_transfer_bad::prepare>},
    {"discarded-transfer/good", &transfer<&discarded_transfer_good::prepare>},
    {"failed-placement-check/bad", &run<&failed_placement_check_bad::run>},
    {"failed-placement-check/good", &run<&failed_placement_check_good::run>},
    {"generator-device/bad", &run<&generator_device_bad::run>},
    {"generator-device/good", &run<&generator_device_good::run>},
    {"hardcoded-device/bad", &run<&hardcoded_device_bad::run>},
    {"hardcoded-device/good", &run<&hardcoded_device_good::run>},
    {"invalid-device/bad", &devices_by_index<&invalid_device_bad::batch_on_gpu>},
    {"invalid-device/good", &devices_by_index<&invalid_device_good::batch_on_gpu>},
    {"invalid-device/index", &index_that_is_no_device},
    {"invalid-device/text", &text_that_is_no_device},
    {"missing-key/bad", &run<&missing_key_bad::run>},
    {"missing-key/good", &run<&missing_key_good::run>},
    {"missing-map-location/bad", &restored<&missing_map_location_bad::restored_output>},
    {"missing-map-location/good", &restored<&missing_map_location_good::restored_output>},
    {"module-clone/bad", &run<&module_clone_bad::run>},
    {"module-clone/good", &run<&module_clone_good::run>},
    {"non-leaf-parameter/bad", &run<&non_leaf_parameter_bad::run>},
    {"non-leaf-parameter/good", &run<&non_leaf_parameter_good::run>},
    {"optimizer-state-device/bad", &run<&optimizer_state_device_bad::run>},
    {"optimizer-state-device/good", &run<&optimizer_state_device_good::run>},
    {"prefix-strip-anywhere/bad", &keys<&prefix_strip_anywhere_bad::bare_key>},
    {"prefix-strip-anywhere/good", &keys<&prefix_strip_anywhere_good::bare_key>},
    {"stale-optimizer/bad", &run<&stale_optimizer_bad::run>},
    {"stale-optimizer/good", &run<&stale_optimizer_good::run>},
    {"state-dict-prefix/bad", &run<&state_dict_prefix_bad::run>},
    {"state-dict-prefix/good", &run<&state_dict_prefix_good::run>},
    {"state-dict-silent-miss/bad", &run<&state_dict_silent_miss_bad::run>},
    {"state-dict-silent-miss/good", &run<&state_dict_silent_miss_good::run>},
    {"unregistered-state/bad", &run<&unregistered_state_bad::run>},
    {"unregistered-state/good", &run<&unregistered_state_good::run>},
    {"unregistered-state/moved", &moved<unregistered_state_bad::Net>},
    {"unregistered-state/moved-good", &moved<unregistered_state_good::Net>},
    {"visible-devices/bad", &cards<&visible_devices_bad::batch_on_last_gpus>},
    {"visible-devices/good", &cards<&visible_devices_good::batch_on_last_gpus>},
    {"visible-devices/none", &cards<&no_cards>},
    {"visible-devices/physical", &cards<&physical_number>},
};

}  // namespace
}  // namespace placecheck::pages

int main(int argument_count, char** arguments) {
  using placecheck::pages::kPrograms;
  try {
    return placecheck::pages::run_by_name(kPrograms, std::size(kPrograms), argument_count,
                                          arguments);
  } catch (const placecheck::virtual_cuda::RuleError& error) {
    std::cout << "raised [" << error.rule() << "] " << error.what_without_backtrace() << '\n';
  } catch (const c10::Error& error) {
    std::cout << "raised " << error.what_without_backtrace() << '\n';
  } catch (const std::exception& error) {
    std::cout << "raised " << error.what() << '\n';
  }
  return 3;
}
