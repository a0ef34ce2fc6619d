// The table's ranks against results of libtorch: every operation that takes made-up arguments is
// called with operands of several ranks.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "analyzer/models/operators/operators.h"
#include "tests/models/operators/installed_schemas.h"

namespace placecheck::models {
namespace {

at::Tensor ones_of_rank(std::int64_t rank) { return at::ones(std::vector<std::int64_t>(rank, 2)); }

const Signature* signature_of(const c10::FunctionSchema& schema) {
  const Operator* row = find_operator(plain_name(schema));
  if (row == nullptr) return nullptr;
  for (const Signature& signature : row->signatures) {
    if (signature.overload == schema.overload_name()) return &signature;
  }
  return nullptr;
}

bool is_as_told(ResultRank rule, std::int64_t result, const std::vector<std::int64_t>& operands) {
  switch (rule) {
    case ResultRank::kScalar:
      return result == 0;
    case ResultRank::kNonScalar:
      return result > 0;
    case ResultRank::kElementwise:
      return result == *std::max_element(operands.begin(), operands.end());
    case ResultRank::kSameAsSelf:
      return result == operands[0];
    default:
      return true;
  }
}

bool is_judged(const Signature& signature) {
  const auto rank = signature.result_rank;
  return signature.result_kind == ResultKind::kTensor && !signature.tensors.empty() &&
         !signature.tensors.back().is_out &&
         (rank == ResultRank::kScalar || rank == ResultRank::kNonScalar ||
          rank == ResultRank::kElementwise || rank == ResultRank::kSameAsSelf);
}

// Whether the call could be made; a wrong rank is reported.
bool check(const InstalledOperator& operation, const Signature& signature, std::int64_t first,
           std::int64_t others) {
  std::vector<std::int64_t> ranks;
  const auto tensors = [&](std::size_t index) {
    ranks.push_back(index == 0 ? first : others);
    return ones_of_rank(ranks.back());
  };
  std::string error;
  const auto results = call(operation, tensors, &error);
  if (!results || !results->front().isTensor() || !results->front().toTensor().defined()) {
    return false;
  }
  const auto result = results->front().toTensor().dim();
  EXPECT_TRUE(is_as_told(signature.result_rank, result, ranks))
      << operation->schema() << " made " << result << " of " << first << ", " << others;
  return true;
}

// These take their arguments on trust and crash on ones that do not fit.
const std::set<std::string> kTrusting = {"gru_cell", "lstm_cell", "rnn_relu_cell", "rnn_tanh_cell"};

TEST(Ranks, AreThoseOfTheResults) {
  std::set<std::string> judged;
  for (const auto& operation : installed_operators()) {
    const auto name = plain_name(operation->schema());
    const Signature* signature = signature_of(operation->schema());
    if (signature == nullptr || !is_judged(*signature)) continue;
    if (name[0] == '_' || kTrusting.count(name) != 0) continue;
    for (const auto& [first, others] : {std::pair{0, 0},
                                        {1, 1},
                                        {2, 2},
                                        {3, 3},
                                        {4, 4},
                                        {2, 0},
                                        {0, 2},
                                        {3, 1},
                                        {1, 2},
                                        {2, 1}}) {
      if (check(operation, *signature, first, others)) judged.insert(name);
    }
  }
  EXPECT_GT(judged.size(), 300u);
}

}  // namespace
}  // namespace placecheck::models
