#include "analyzer/models/libraries/modules.h"

namespace placecheck::models {
namespace {

// By base name, as the classes are families: Conv1d, Conv2d, Conv3d.
constexpr ModuleModel kModels[] = {
    {"Linear", Forward::kLayer, true, false},
    {"Bilinear", Forward::kLayer, true, false},
    {"Conv1d", Forward::kLayer, true, false},
    {"Conv2d", Forward::kLayer, true, false},
    {"Conv3d", Forward::kLayer, true, false},
    {"ConvTranspose1d", Forward::kLayer, true, false},
    {"ConvTranspose2d", Forward::kLayer, true, false},
    {"ConvTranspose3d", Forward::kLayer, true, false},
    {"BatchNorm1d", Forward::kLayer, true, true},
    {"BatchNorm2d", Forward::kLayer, true, true},
    {"BatchNorm3d", Forward::kLayer, true, true},
    {"LayerNorm", Forward::kLayer, true, false},
    {"GroupNorm", Forward::kLayer, true, false},
    {"Embedding", Forward::kLayer, true, false},
    {"EmbeddingBag", Forward::kLayer, true, false},
    {"PReLU", Forward::kLayer, true, false},
    {"RNN", Forward::kRecurrent, true, false},
    {"LSTM", Forward::kRecurrent, true, false},
    {"GRU", Forward::kRecurrent, true, false},
    {"LSTMCell", Forward::kRecurrent, true, false},
    {"RNNCell", Forward::kLayer, true, false},
    {"GRUCell", Forward::kLayer, true, false},
    {"MultiheadAttention", Forward::kAttention, true, true},
    {"Transformer", Forward::kLayer, true, true},
    {"TransformerEncoder", Forward::kLayer, true, true},
    {"TransformerEncoderLayer", Forward::kLayer, true, true},
    {"TransformerDecoder", Forward::kLayer, true, true},
    {"TransformerDecoderLayer", Forward::kLayer, true, true},
    {"AdaptiveLogSoftmaxWithLoss", Forward::kLayer, true, false},
    {"Dropout", Forward::kPass, false, true},
    {"Dropout2d", Forward::kPass, false, true},
    {"Dropout3d", Forward::kPass, false, true},
    {"AlphaDropout", Forward::kPass, false, true},
    {"FeatureAlphaDropout", Forward::kPass, false, true},
    {"RReLU", Forward::kPass, false, true},
    {"Sequential", Forward::kSequential, false, false},
    {"ModuleList", Forward::kNone, false, false},
    {"ModuleDict", Forward::kNone, false, false},
    {"ParameterList", Forward::kNone, false, false},
    {"ParameterDict", Forward::kNone, false, false},
    {"L1Loss", Forward::kLoss, false, false},
    {"MSELoss", Forward::kLoss, false, false},
    {"BCELoss", Forward::kLoss, false, false},
    {"BCEWithLogitsLoss", Forward::kLoss, false, false},
    {"CrossEntropyLoss", Forward::kClassLoss, false, false},
    {"NLLLoss", Forward::kClassLoss, false, false},
    {"KLDivLoss", Forward::kLoss, false, false},
    {"SmoothL1Loss", Forward::kLoss, false, false},
    {"HuberLoss", Forward::kLoss, false, false},
    {"HingeEmbeddingLoss", Forward::kLoss, false, false},
    {"MultiMarginLoss", Forward::kLoss, false, false},
    {"CosineEmbeddingLoss", Forward::kLoss, false, false},
    {"MultiLabelMarginLoss", Forward::kLoss, false, false},
    {"MultiLabelSoftMarginLoss", Forward::kLoss, false, false},
    {"SoftMarginLoss", Forward::kLoss, false, false},
    {"TripletMarginLoss", Forward::kLoss, false, false},
    {"TripletMarginWithDistanceLoss", Forward::kLoss, false, false},
    {"MarginRankingLoss", Forward::kLoss, false, false},
    {"PoissonNLLLoss", Forward::kLoss, false, false},
    {"CTCLoss", Forward::kSequenceLoss, false, false},
};

// The other modules of the library: activations, pooling, padding, reshaping.
constexpr ModuleModel kOther{"", Forward::kPass, false, false};

}  // namespace

const ModuleModel* find_module_model(std::string_view name) {
  constexpr std::string_view kNamespace = "torch::nn::";
  if (!name.starts_with(kNamespace)) return nullptr;
  name.remove_prefix(kNamespace.size());
  if (!name.ends_with("Impl") && name != "Functional") return nullptr;
  if (name.ends_with("Impl")) name.remove_suffix(4);
  for (const ModuleModel& model : kModels) {
    if (model.name == name) return &model;
  }
  return &kOther;
}

}  // namespace placecheck::models
