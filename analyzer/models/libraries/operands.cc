#include "analyzer/models/libraries/operands.h"

#include <algorithm>
#include <iterator>

namespace placecheck::models {
namespace {

struct Row {
  std::string_view name;
  std::string_view operands;
};

// Sorted by name.
constexpr Row kRows[] = {
    {"cudaMemset", "a"},
    {"cudaMemset2D", "a"},
    {"cudaMemset2DAsync", "a"},
    {"cudaMemsetAsync", "a"},
    {"fread", "h"},
    {"fwrite", "h"},
    {"memcmp", "hh"},
    {"memcpy", "hh"},
    {"memmove", "hh"},
    {"memset", "h"},
    {"qsort", "h"},
    {"std::accumulate", "hh"},
    {"std::copy", "hhh"},
    {"std::copy_n", "h.h"},
    {"std::equal", "hhh"},
    {"std::fill", "hh"},
    {"std::fill_n", "h"},
    {"std::fread", "h"},
    {"std::fwrite", "h"},
    {"std::generate", "hh"},
    {"std::inner_product", "hhh"},
    {"std::iota", "hh"},
    {"std::max_element", "hh"},
    {"std::memcmp", "hh"},
    {"std::memcpy", "hh"},
    {"std::memmove", "hh"},
    {"std::memset", "h"},
    {"std::min_element", "hh"},
    {"std::reduce", "hh"},
    {"std::reverse", "hh"},
    {"std::sort", "hh"},
    {"std::transform", "hhh"},
};

// Without the library's name, the letter of the type and the suffix of the version. Sorted.
constexpr Row kBlasRows[] = {
    {"GemmBatchedEx", "x.....pd..d..pd"},
    {"GemmEx", "x.....pd..d..pd"},
    {"GemmStridedBatchedEx", "x.....pd...d...pd"},
    {"GetMatrix", "...d.h"},
    {"GetMatrixAsync", "...d.h"},
    {"GetVector", "..d.h"},
    {"GetVectorAsync", "..d.h"},
    {"Idamax", "x.d.p"},
    {"Idamin", "x.d.p"},
    {"Isamax", "x.d.p"},
    {"Isamin", "x.d.p"},
    {"SetMatrix", "...h.d"},
    {"SetMatrixAsync", "...h.d"},
    {"SetVector", "..h.d"},
    {"SetVectorAsync", "..h.d"},
    {"asum", "x.d.p"},
    {"axpy", "x.pd.d"},
    {"copy", "x.d.d"},
    {"dgmm", "x...d.d.d"},
    {"dot", "x.d.d.p"},
    {"geam", "x....pd.pd.d"},
    {"gemm", "x.....pd.d.pd"},
    {"gemmBatched", "x.....pd.d.pd"},
    {"gemmEx", "x.....pd..d..pd"},
    {"gemmStridedBatched", "x.....pd..d..pd"},
    {"gemv", "x...pd.d.pd"},
    {"ger", "x..pd.d.d"},
    {"nrm2", "x.d.p"},
    {"rot", "x.d.d.pp"},
    {"scal", "x.pd"},
    {"swap", "x.d.d"},
    {"symm", "x....pd.d.pd"},
    {"symv", "x..pd.d.pd"},
    {"syr", "x..pd.d"},
    {"syrk", "x....pd.pd"},
    {"trmm", "x......pd.d.d"},
    {"trmv", "x....d.d"},
    {"trsm", "x......pd.d"},
    {"trsv", "x....d.d"},
};

static_assert(std::ranges::is_sorted(kRows, {}, &Row::name) &&
                  std::ranges::is_sorted(kBlasRows, {}, &Row::name),
              "look-up is by binary search");

template <size_t N>
std::string_view find(const Row (&rows)[N], std::string_view name) {
  const auto* row = std::ranges::lower_bound(rows, name, {}, &Row::name);
  return row != std::end(rows) && row->name == name ? row->operands : std::string_view();
}

}  // namespace

std::string_view operands_of(std::string_view name) {
  constexpr std::string_view kBlas = "cublas";
  if (!name.starts_with(kBlas)) return find(kRows, name);
  name.remove_prefix(kBlas.size());
  if (name.ends_with("_v2")) name.remove_suffix(3);
  if (std::string_view whole = find(kBlasRows, name); !whole.empty()) return whole;
  constexpr std::string_view kTypes = "SDCZH";
  bool typed = !name.empty() && kTypes.find(name.front()) != std::string_view::npos;
  return typed ? find(kBlasRows, name.substr(1)) : std::string_view();
}

}  // namespace placecheck::models
