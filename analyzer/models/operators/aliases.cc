// From spelled names to operations: scopes, overloaded operators, out= spellings, and the functions
// of torch::nn::functional that have no namesake among the operations.

#include <algorithm>
#include <iterator>
#include <string>

#include "analyzer/models/operators/operators.h"

namespace placecheck::models {
namespace {

struct Alias {
  std::string_view name;
  std::string_view operation;
};

// Functions of torch::nn::functional and the operation that takes, checks and returns tensors as
// they do (not always the one that they call). Also those whose namesake is something else:
// the method Tensor::unfold slides along one dimension, the function unfolds images.
constexpr Alias kFunctional[] = {
    {"_smooth_l1_loss", "smooth_l1_loss"},
    {"adaptive_max_pool1d", "adaptive_avg_pool1d"},
    {"adaptive_max_pool1d_with_indices", "adaptive_max_pool1d"},
    {"adaptive_max_pool2d", "adaptive_avg_pool2d"},
    {"adaptive_max_pool2d_with_indices", "adaptive_max_pool2d"},
    {"adaptive_max_pool3d", "adaptive_avg_pool3d"},
    {"adaptive_max_pool3d_with_indices", "adaptive_max_pool3d"},
    {"affine_grid", "affine_grid_generator"},
    {"cross_entropy", "cross_entropy_loss"},
    {"dropout2d", "feature_dropout"},
    {"dropout3d", "feature_dropout"},
    {"fold", "col2im"},
    {"fractional_max_pool2d", "max_pool2d"},
    {"fractional_max_pool2d_with_indices", "fractional_max_pool2d"},
    {"fractional_max_pool3d", "max_pool3d"},
    {"fractional_max_pool3d_with_indices", "fractional_max_pool3d"},
    {"gaussian_nll_loss", "poisson_nll_loss"},
    {"grid_sample", "grid_sampler"},
    {"gumbel_softmax", "softmax"},
    {"interpolate", "__interpolate"},
    {"local_response_norm", "constant_pad_nd"},
    {"logsigmoid", "log_sigmoid"},
    {"lp_pool1d", "avg_pool1d"},
    {"lp_pool2d", "avg_pool2d"},
    {"max_unpool1d", "max_unpool2d"},
    {"multi_head_attention_forward", "_scaled_dot_product_attention"},
    {"multilabel_soft_margin_loss", "soft_margin_loss"},
    {"normalize", "softmax"},
    {"softmin", "softmax"},
    {"softsign", "tanh"},
    {"tanhshrink", "tanh"},
    {"triplet_margin_with_distance_loss", "triplet_margin_loss"},
    {"unfold", "im2col"},
    {"upsample", "__interpolate"},
};
static_assert(std::ranges::is_sorted(kFunctional, {}, &Alias::name));

// Operators of free functions and of the class. Unary minus is spelled like the binary one and
// behaves like it, with one operand.
constexpr Alias kCppOperators[] = {
    {"operator!=", "ne"},         {"operator%", "remainder"},
    {"operator&", "bitwise_and"}, {"operator&=", "bitwise_and_"},
    {"operator*", "mul"},         {"operator*=", "mul_"},
    {"operator+", "add"},         {"operator+=", "add_"},
    {"operator-", "sub"},         {"operator-=", "sub_"},
    {"operator/", "div"},         {"operator/=", "div_"},
    {"operator<", "lt"},          {"operator<=", "le"},
    {"operator==", "eq"},         {"operator>", "gt"},
    {"operator>=", "ge"},         {"operator[]", "index"},
    {"operator^", "bitwise_xor"}, {"operator^=", "bitwise_xor_"},
    {"operator|", "bitwise_or"},  {"operator|=", "bitwise_or_"},
    {"operator~", "bitwise_not"},
};
static_assert(std::ranges::is_sorted(kCppOperators, {}, &Alias::name));

// Methods of Tensor that stand for an operation of another name; transfers to rarer devices too.
constexpr Alias kMethods[] = {
    {"hip", "to"},    {"meta", "to"}, {"metal", "to"},  {"toBackend", "to"},
    {"toType", "to"}, {"ve", "to"},   {"vulkan", "to"},
};
static_assert(std::ranges::is_sorted(kMethods, {}, &Alias::name));

// Python's names of its operators, without the underscores.
constexpr Alias kPythonOperators[] = {
    {"abs", "abs"},
    {"add", "add"},
    {"and", "bitwise_and"},
    {"eq", "eq"},
    {"floordiv", "floor_divide"},
    {"ge", "ge"},
    {"getitem", "index"},
    {"gt", "gt"},
    {"iadd", "add_"},
    {"iand", "bitwise_and_"},
    {"ifloordiv", "floor_divide_"},
    {"imod", "remainder_"},
    {"imul", "mul_"},
    {"invert", "bitwise_not"},
    {"ior", "bitwise_or_"},
    {"ipow", "pow_"},
    {"isub", "sub_"},
    {"itruediv", "div_"},
    {"ixor", "bitwise_xor_"},
    {"le", "le"},
    {"lt", "lt"},
    {"matmul", "matmul"},
    {"mod", "remainder"},
    {"mul", "mul"},
    {"ne", "ne"},
    {"neg", "neg"},
    {"or", "bitwise_or"},
    {"pos", "positive"},
    {"pow", "pow"},
    {"radd", "add"},
    {"rand", "bitwise_and"},
    {"rfloordiv", "floor_divide"},
    {"rmatmul", "matmul"},
    {"rmod", "remainder"},
    {"rmul", "mul"},
    {"ror", "bitwise_or"},
    {"rpow", "pow"},
    {"rsub", "rsub"},
    {"rtruediv", "div"},
    {"rxor", "bitwise_xor"},
    {"setitem", "index_put_"},
    {"sub", "sub"},
    {"truediv", "div"},
    {"xor", "bitwise_xor"},
};
static_assert(std::ranges::is_sorted(kPythonOperators, {}, &Alias::name));

template <std::size_t kCount>
std::optional<std::string_view> find_alias(const Alias (&table)[kCount], std::string_view name) {
  const auto* row = std::lower_bound(
      std::begin(table), std::end(table), name,
      [](const Alias& candidate, std::string_view key) { return candidate.name < key; });
  if (row == std::end(table) || row->name != name) return std::nullopt;
  return row->operation;
}

enum class ScopeKind { kPlain, kMethod, kFunctional };

// A scope in which operations are spelled, and what their names start with in the table.
struct Scope {
  std::string_view spelling;
  ScopeKind kind;
  std::string_view prefix = "";
};

// The longest spellings first, so that the first match is the scope.
constexpr Scope kScopes[] = {
    {"torch::nn::functional::detail::", ScopeKind::kFunctional},
    {"torch::nn::functional::", ScopeKind::kFunctional},
    {"torch.nn.functional.", ScopeKind::kFunctional},
    {"torch::nn::TransformerImpl::", ScopeKind::kPlain, "transformer_"},
    {"torch.nn.Transformer.", ScopeKind::kPlain, "transformer_"},
    {"torch::nn::utils::rnn::", ScopeKind::kPlain},
    {"torch.nn.utils.rnn.", ScopeKind::kPlain},
    {"torch::special::detail::", ScopeKind::kPlain, "special_"},
    {"torch::special::", ScopeKind::kPlain, "special_"},
    {"torch::linalg::detail::", ScopeKind::kPlain, "linalg_"},
    {"torch::linalg::", ScopeKind::kPlain, "linalg_"},
    {"torch::fft::", ScopeKind::kPlain, "fft_"},
    {"torch::nested::", ScopeKind::kPlain, "nested_"},
    {"torch::sparse::", ScopeKind::kPlain, "sparse_"},
    {"torch.special.", ScopeKind::kPlain, "special_"},
    {"torch.linalg.", ScopeKind::kPlain, "linalg_"},
    {"torch.fft.", ScopeKind::kPlain, "fft_"},
    {"torch.sparse.", ScopeKind::kPlain, "sparse_"},
    {"torch.Tensor.", ScopeKind::kMethod},
    {"torch.", ScopeKind::kPlain},
    {"torch::Tensor::", ScopeKind::kMethod},
    {"torch::stable::Tensor::", ScopeKind::kMethod},
    {"torch::stable::", ScopeKind::kPlain},
    {"torch::autograd::Variable::", ScopeKind::kMethod},
    {"at::TensorBase::", ScopeKind::kMethod},
    {"at::Tensor::", ScopeKind::kMethod},
    {"at::indexing::", ScopeKind::kPlain},
    {"torch::", ScopeKind::kPlain},
    {"at::", ScopeKind::kPlain},
};

// The name in the table, or empty; the table's own text, which outlives the caller's.
std::optional<std::string_view> table_name(std::string_view name) {
  const Operator* found = find_operator(name);
  if (found == nullptr) return std::nullopt;
  return found->name;
}

bool drop_suffix(std::string_view& name, std::string_view suffix) {
  if (!name.ends_with(suffix) || name.size() == suffix.size()) return false;
  name.remove_suffix(suffix.size());
  return true;
}

// add, add_, add_out, add_outf, view_symint, resize__symint.
std::optional<std::string_view> spelled_operation(std::string_view name) {
  if (auto found = table_name(name)) return found;
  drop_suffix(name, "_symint");
  if (!drop_suffix(name, "_out")) drop_suffix(name, "_outf");
  return table_name(name);
}

std::optional<std::string_view> operator_symbol(std::string_view name) {
  if (name.starts_with("operator")) return find_alias(kCppOperators, name);
  if (name.size() > 4 && name.starts_with("__") && name.ends_with("__")) {
    return find_alias(kPythonOperators, name.substr(2, name.size() - 4));
  }
  return std::nullopt;
}

std::optional<std::string_view> name_in_scope(const Scope& scope, std::string_view name) {
  if (auto symbol = operator_symbol(name)) return symbol;
  if (scope.kind == ScopeKind::kFunctional) {
    if (auto alias = find_alias(kFunctional, name)) return alias;
  }
  if (scope.kind == ScopeKind::kMethod) {
    if (auto alias = find_alias(kMethods, name)) return alias;
  }
  if (!scope.prefix.empty()) {
    if (auto found = spelled_operation(std::string(scope.prefix) + std::string(name))) return found;
  }
  return spelled_operation(name);
}

// The scope that the name is spelled in, or nullptr.
const Scope* find_scope(std::string_view name) {
  const auto* scope = std::find_if(std::begin(kScopes), std::end(kScopes), [&](const Scope& row) {
    return name.starts_with(row.spelling);
  });
  return scope == std::end(kScopes) ? nullptr : scope;
}

}  // namespace

std::optional<std::string_view> aten_name(std::string_view qualified_name) {
  if (qualified_name.starts_with("::")) qualified_name.remove_prefix(2);
  const Scope* scope = find_scope(qualified_name);
  if (scope == nullptr) return std::nullopt;
  return name_in_scope(*scope, qualified_name.substr(scope->spelling.size()));
}

OutSpelling out_spelling(std::string_view qualified_name) {
  const auto operation = aten_name(qualified_name);
  if (!operation || qualified_name.ends_with(*operation)) return OutSpelling::kNone;
  drop_suffix(qualified_name, "_symint");
  if (qualified_name.ends_with("_outf")) return OutSpelling::kLast;
  return qualified_name.ends_with("_out") ? OutSpelling::kFirst : OutSpelling::kNone;
}

}  // namespace placecheck::models
