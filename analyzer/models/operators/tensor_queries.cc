#include <algorithm>
#include <iterator>

#include "analyzer/models/operators/operators.h"

namespace placecheck::models {
namespace {

using enum QueryKind;

// Sorted by name. The rows with a namesake among the operations are those that answer on the host.
constexpr TensorQuery kQueries[] = {
    {"_base", kSelf},
    {"_fw_grad", kGradient},
    {"_set_conj", kVoid},
    {"_set_fw_grad", kVoid},
    {"_set_neg", kVoid},
    {"_set_zero", kVoid},
    {"_version", kHostScalar},
    {"accessor", kHostScalar},
    {"backward", kVoid},
    {"const_data_ptr", kHostScalar},
    {"data", kSelf},
    {"data_ptr", kHostScalar},
    {"defined", kHostScalar},
    {"dense_dim", kShape},
    {"device", kDevice},
    {"dim", kShape},
    {"dtype", kOptions},
    {"element_size", kHostScalar},
    {"expect_contiguous", kSelf},
    {"generic_packed_accessor", kHostScalar},
    {"getIntrusivePtr", kHostScalar},
    {"get_device", kDevice},
    {"get_named_tensor_meta", kHostScalar},
    {"grad", kGradient},
    {"grad_fn", kHostScalar},
    {"has_names", kHostScalar},
    {"has_storage", kHostScalar},
    {"is_alias_of", kHostScalar},
    {"is_coalesced", kHostScalar},
    {"is_complex", kOptions},
    {"is_conj", kHostScalar},
    {"is_contiguous", kShape},
    {"is_cpu", kDevice},
    {"is_cuda", kDevice},
    {"is_floating_point", kOptions},
    {"is_hip", kDevice},
    {"is_hpu", kDevice},
    {"is_inference", kHostScalar},
    {"is_ipu", kDevice},
    {"is_lazy", kDevice},
    {"is_leaf", kHostScalar},
    {"is_meta", kDevice},
    {"is_metal", kDevice},
    {"is_mkldnn", kOptions},
    {"is_mps", kDevice},
    {"is_neg", kHostScalar},
    {"is_nested", kOptions},
    {"is_non_overlapping_and_dense", kShape},
    {"is_ort", kDevice},
    {"is_pinned", kHostScalar},
    {"is_quantized", kOptions},
    {"is_same", kHostScalar},
    {"is_same_size", kShape},
    {"is_signed", kOptions},
    {"is_sparse", kOptions},
    {"is_sparse_csr", kOptions},
    {"is_variable", kHostScalar},
    {"is_ve", kDevice},
    {"is_view", kHostScalar},
    {"is_vulkan", kDevice},
    {"is_xla", kDevice},
    {"is_xpu", kDevice},
    {"item", kHostScalar},
    {"itemsize", kHostScalar},
    {"key_set", kHostScalar},
    {"layout", kOptions},
    {"mutable_data_ptr", kHostScalar},
    {"mutable_grad", kGradient},
    {"name", kHostScalar},
    {"names", kHostScalar},
    {"nbytes", kShape},
    {"ndim", kShape},
    {"ndimension", kShape},
    {"nelement", kShape},
    {"numel", kShape},
    {"opt_names", kHostScalar},
    {"options", kOptions},
    {"output_nr", kHostScalar},
    {"packed_accessor", kHostScalar},
    {"packed_accessor32", kHostScalar},
    {"packed_accessor64", kHostScalar},
    {"print", kVoid},
    {"quantizer", kHostScalar},
    {"register_hook", kHostScalar},
    {"remove_hook", kVoid},
    {"requires_grad", kHostScalar},
    {"requires_grad_", kSelf},
    {"reset", kVoid},
    {"retain_grad", kVoid},
    {"retains_grad", kHostScalar},
    {"scalar_type", kOptions},
    {"set_requires_grad", kSelf},
    {"shape", kShape},
    {"size", kShape},
    {"sizes", kShape},
    {"sparse_dim", kShape},
    {"storage", kHostScalar},
    {"storage_offset", kShape},
    {"stride", kShape},
    {"strides", kShape},
    {"suggest_memory_format", kOptions},
    {"sym_nbytes", kShape},
    {"sym_numel", kShape},
    {"sym_size", kShape},
    {"sym_sizes", kShape},
    {"sym_storage_offset", kShape},
    {"sym_stride", kShape},
    {"sym_strides", kShape},
    {"tensor_data", kSelf},
    {"toString", kHostScalar},
    {"tolist", kHostScalar},
    {"type", kOptions},
    {"unsafeGetTensorImpl", kHostScalar},
    {"unsafeReleaseIntrusivePtr", kHostScalar},
    {"unsafeReleaseTensorImpl", kHostScalar},
    {"use_count", kHostScalar},
    {"variable_data", kSelf},
    {"weak_use_count", kHostScalar},
};

static_assert(std::ranges::is_sorted(kQueries, {}, &TensorQuery::name));

}  // namespace

std::span<const TensorQuery> all_tensor_queries() { return kQueries; }

const TensorQuery* find_tensor_query(std::string_view name) {
  for (std::string_view scope :
       {"at::Tensor::", "at::TensorBase::", "torch::Tensor::", "torch.Tensor."}) {
    if (name.starts_with(scope)) name.remove_prefix(scope.size());
  }
  const auto* row = std::lower_bound(
      std::begin(kQueries), std::end(kQueries), name,
      [](const TensorQuery& candidate, std::string_view key) { return candidate.name < key; });
  return row != std::end(kQueries) && row->name == name ? row : nullptr;
}

}  // namespace placecheck::models
