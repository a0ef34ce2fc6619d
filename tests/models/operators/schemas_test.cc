// The table against the schemas that the installed libtorch registers: nothing missing, nothing
// else, and the same tensor arguments, aliasing and results.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "analyzer/models/operators/operators.h"
#include "tests/models/operators/installed_schemas.h"

namespace placecheck::models {
namespace {

bool agrees(const TensorArgument& row, const c10::Argument& argument, std::size_t position) {
  return row.name == argument.name() && row.position == position &&
         row.is_list == is_tensor_list(argument) && row.is_written == is_written(argument) &&
         row.is_out == (is_written(argument) && argument.kwarg_only());
}

bool arguments_agree(const Signature& signature, const c10::FunctionSchema& schema) {
  if (signature.argument_count != schema.arguments().size()) return false;
  std::size_t next = 0;
  for (std::size_t i = 0; i < schema.arguments().size(); ++i) {
    const auto& argument = schema.arguments()[i];
    if (!is_tensor(argument) && !is_tensor_list(argument)) continue;
    if (next == signature.tensors.size()) return false;
    if (!agrees(signature.tensors[next++], argument, i)) return false;
  }
  return next == signature.tensors.size();
}

ResultKind kind_of_returns(const c10::FunctionSchema& schema) {
  const auto& returns = schema.returns();
  if (returns.empty()) return ResultKind::kVoid;
  const auto tensors = std::count_if(returns.begin(), returns.end(), [](const auto& value) {
    return is_tensor(value) || is_tensor_list(value);
  });
  if (tensors == 0) return ResultKind::kScalar;
  if (tensors > 1) return ResultKind::kTuple;
  return is_tensor_list(returns[0]) ? ResultKind::kTensorList : ResultKind::kTensor;
}

bool options_agree(const Signature& signature, const c10::FunctionSchema& schema) {
  const auto layout = schema.argumentIndexWithName("layout");
  const auto pin_memory = schema.argumentIndexWithName("pin_memory");
  const bool expected = layout && pin_memory && *pin_memory == *layout + 2;
  if (!expected) return !signature.takes_options();
  return signature.options_position == *layout - 1;
}

bool has_row(const Operator& operation, const c10::FunctionSchema& schema) {
  return std::any_of(
      operation.signatures.begin(), operation.signatures.end(), [&](const Signature& signature) {
        return arguments_agree(signature, schema) &&
               signature.result_kind == kind_of_returns(schema) && options_agree(signature, schema);
      });
}

TEST(Schemas, EveryInstalledSchemaHasAnAgreeingRow) {
  const auto installed = installed_operators();
  ASSERT_GT(installed.size(), 2000u);
  for (const auto& operation : installed) {
    const auto& schema = operation->schema();
    const Operator* row = find_operator(plain_name(schema));
    ASSERT_NE(row, nullptr) << schema;
    EXPECT_TRUE(has_row(*row, schema)) << schema;
  }
}

TEST(Schemas, EveryRowIsInstalledOrKnownToComeFromElsewhere) {
  std::set<std::string> installed;
  for (const auto& operation : installed_operators()) {
    installed.insert(plain_name(operation->schema()));
  }
  std::set<std::string> others;
  for (const Operator& row : all_operators()) {
    if (installed.count(std::string(row.name)) == 0) others.insert(std::string(row.name));
  }
  EXPECT_EQ(others, (std::set<std::string>{"from_blob", "new_tensor", "rms_norm",
                                           "scaled_dot_product_attention",
                                           "transformer_generate_square_subsequent_mask"}));
}

TEST(Schemas, InPlaceMeansThatSelfIsWritten) {
  for (const auto& operation : installed_operators()) {
    const auto& schema = operation->schema();
    const auto name = plain_name(schema);
    const auto self = schema.argumentIndexWithName("self");
    if (!self || has_out(schema) || name.back() != '_' || name.ends_with("__")) continue;
    if (!is_tensor(schema.arguments()[*self])) continue;
    const bool written = is_written(schema.arguments()[*self]);
    EXPECT_EQ(find_operator(name)->is_in_place, written) << schema;
  }
}

}  // namespace
}  // namespace placecheck::models
