// The table on its own: order, consistency, spelled names, and rows that users depend on.

#include "analyzer/models/operators/operators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace placecheck::models {
namespace {

const Operator& row(std::string_view name) {
  const Operator* found = find_operator(name);
  if (found == nullptr) {
    ADD_FAILURE() << "no row for " << name;
    return all_operators()[0];
  }
  return *found;
}

const Signature* overload(std::string_view name, std::string_view overload_name) {
  for (const Signature& signature : row(name).signatures) {
    if (signature.overload == overload_name) return &signature;
  }
  return nullptr;
}

template <typename Table>
void expect_sorted_by_name(const Table& table) {
  EXPECT_EQ(std::adjacent_find(table.begin(), table.end(),
                               [](const auto& a, const auto& b) { return a.name >= b.name; }),
            table.end());
}

TEST(Operators, AreSortedAndFound) {
  EXPECT_GT(all_operators().size(), 1400u);
  expect_sorted_by_name(all_operators());
  for (const Operator& each : all_operators()) EXPECT_EQ(find_operator(each.name), &each);
  EXPECT_EQ(find_operator(""), nullptr);
  EXPECT_EQ(find_operator("zzz"), nullptr);
  EXPECT_EQ(find_operator("a"), nullptr);
}

TEST(Operators, PositionsLieWithinTheArguments) {
  for (const Operator& each : all_operators()) {
    ASSERT_FALSE(each.signatures.empty()) << each.name;
    for (const Signature& signature : each.signatures) {
      int last = -1;
      for (const TensorArgument& argument : signature.tensors) {
        EXPECT_GT(argument.position, last) << each.name;
        EXPECT_LT(argument.position, signature.argument_count) << each.name;
        last = argument.position;
      }
      EXPECT_LT(signature.options_position, signature.argument_count) << each.name;
    }
  }
}

TEST(Operators, TellHowDevicesAreCompared) {
  EXPECT_EQ(row("add").device_rule, DeviceRule::kTensorIterator);
  EXPECT_EQ(row("add_").device_rule, DeviceRule::kTensorIterator);
  EXPECT_EQ(row("mse_loss").device_rule, DeviceRule::kTensorIterator);
  EXPECT_EQ(row("cat").device_rule, DeviceRule::kExactSame);
  EXPECT_EQ(row("mm").device_rule, DeviceRule::kExactSame);
  EXPECT_EQ(row("gather").device_rule, DeviceRule::kExactSame);
  EXPECT_EQ(row("linear").device_rule, DeviceRule::kExactSame);
  EXPECT_EQ(row("conv2d").device_rule, DeviceRule::kExactSame);
  EXPECT_EQ(row("einsum").device_rule, DeviceRule::kComposite);
  EXPECT_EQ(row("nll_loss").device_rule, DeviceRule::kExactSame);
  EXPECT_EQ(row("index").device_rule, DeviceRule::kIndexing);
  EXPECT_EQ(row("index_put_").device_rule, DeviceRule::kIndexing);
  EXPECT_EQ(row("copy_").device_rule, DeviceRule::kCopy);
  EXPECT_EQ(row("to").device_rule, DeviceRule::kCopy);
  EXPECT_EQ(row("relu").device_rule, DeviceRule::kNone);
  EXPECT_EQ(row("view_as").device_rule, DeviceRule::kNone);
  EXPECT_EQ(row("zeros").device_rule, DeviceRule::kNone);
}

TEST(Operators, LeaveIndicesAndLengthsFree) {
  const auto& index = row("index").signatures[0];
  EXPECT_FALSE(index.tensors[0].is_free);
  EXPECT_TRUE(index.tensors[1].is_free);
  EXPECT_TRUE(index.tensors[1].is_list);
  EXPECT_TRUE(overload("_pack_padded_sequence", "")->tensors[1].is_free);
}

TEST(Operators, TellWhereTheResultLives) {
  EXPECT_EQ(row("zeros").result_place, ResultPlace::kOptions);
  EXPECT_EQ(row("tensor").result_place, ResultPlace::kOptions);
  EXPECT_EQ(row("from_blob").result_place, ResultPlace::kOptions);
  EXPECT_EQ(row("zeros_like").result_place, ResultPlace::kOptionsOrSelf);
  EXPECT_EQ(row("new_zeros").result_place, ResultPlace::kOptionsOrSelf);
  EXPECT_EQ(row("add").result_place, ResultPlace::kOperands);
  EXPECT_EQ(row("add_").result_place, ResultPlace::kSelf);
  EXPECT_EQ(row("cuda").result_place, ResultPlace::kTransfer);
  EXPECT_EQ(row("type_as").result_place, ResultPlace::kOther);
  EXPECT_EQ(row("item").result_place, ResultPlace::kHost);
  EXPECT_EQ(overload("to", "other")->result_place, ResultPlace::kOther);
  EXPECT_EQ(overload("add", "out")->result_place, ResultPlace::kOut);
  EXPECT_TRUE(row("zeros").is_factory());
  EXPECT_FALSE(row("to").is_factory());
  EXPECT_EQ(overload("zeros", "")->options_position, 1);
  EXPECT_EQ(overload("zeros", "")->sizes_position, 0);
}

TEST(Operators, TellTheKindOfResult) {
  EXPECT_EQ(row("split").result_kind, ResultKind::kTensorList);
  EXPECT_EQ(row("lstm").result_kind, ResultKind::kTuple);
  EXPECT_EQ(overload("max", "dim")->result_count, 2);
  EXPECT_EQ(row("backward").result_kind, ResultKind::kVoid);
  EXPECT_EQ(row("item").result_kind, ResultKind::kScalar);
  EXPECT_TRUE(row("copy_").is_in_place);
  EXPECT_FALSE(row("copy_").is_view);
  EXPECT_TRUE(row("view").is_view);
  EXPECT_FALSE(row("add").is_in_place);
}

TEST(Operators, TellTheRank) {
  EXPECT_EQ(row("sum").result_rank, ResultRank::kReduction);
  EXPECT_EQ(overload("sum", "")->result_rank, ResultRank::kScalar);
  EXPECT_EQ(overload("max", "")->result_rank, ResultRank::kScalar);
  EXPECT_EQ(overload("max", "other")->result_rank, ResultRank::kElementwise);
  EXPECT_EQ(row("cross_entropy_loss").result_rank, ResultRank::kReduction);
  EXPECT_EQ(row("mse_loss").result_rank, ResultRank::kReduction);
  EXPECT_EQ(row("dot").result_rank, ResultRank::kScalar);
  EXPECT_EQ(row("mm").result_rank, ResultRank::kNonScalar);
  EXPECT_EQ(row("conv2d").result_rank, ResultRank::kNonScalar);
  EXPECT_EQ(row("matmul").result_rank, ResultRank::kProduct);
  EXPECT_EQ(row("add").result_rank, ResultRank::kElementwise);
  EXPECT_EQ(row("relu").result_rank, ResultRank::kSameAsSelf);
  EXPECT_EQ(row("zeros").result_rank, ResultRank::kFromSizes);
  EXPECT_EQ(row("view").result_rank, ResultRank::kFromSizes);
  EXPECT_EQ(row("randn_like").result_rank, ResultRank::kSameAsSelf);
  EXPECT_EQ(row("tensor").result_rank, ResultRank::kFromData);
  EXPECT_EQ(row("scalar_tensor").result_rank, ResultRank::kScalar);
  EXPECT_EQ(row("select").result_rank, ResultRank::kUnknown);
  EXPECT_EQ(row("squeeze").result_rank, ResultRank::kUnknown);
}

struct Spelling {
  std::string_view spelled;
  std::string_view operation;
};

TEST(AtenName, ReadsTheSpellingsOfCpp) {
  for (const auto& [spelled, operation] : {
           Spelling{"at::Tensor::add_", "add_"},
           {"at::add", "add"},
           {"::at::add", "add"},
           {"torch::add", "add"},
           {"torch::zeros", "zeros"},
           {"torch::nn::functional::relu", "relu"},
           {"torch::nn::functional::detail::mse_loss", "mse_loss"},
           {"torch::nn::functional::cross_entropy", "cross_entropy_loss"},
           {"torch::nn::functional::unfold", "im2col"},
           {"at::Tensor::unfold", "unfold"},
           {"at::operator+", "add"},
           {"at::Tensor::operator+=", "add_"},
           {"at::Tensor::operator[]", "index"},
           {"torch::special::expm1", "special_expm1"},
           {"torch::linalg::norm", "linalg_norm"},
           {"torch::fft::rfft", "fft_rfft"},
           {"at::add_out", "add"},
           {"at::add_outf", "add"},
           {"at::Tensor::view_symint", "view"},
           {"at::Tensor::resize__symint", "resize_"},
           {"at::TensorBase::contiguous", "contiguous"},
       }) {
    EXPECT_EQ(aten_name(spelled), operation) << spelled;
  }
}

TEST(AtenName, ReadsTheSpellingsOfPython) {
  for (const auto& [spelled, operation] : {
           Spelling{"torch.add", "add"},
           {"torch.Tensor.add", "add"},
           {"torch.Tensor.__iadd__", "add_"},
           {"torch.Tensor.__matmul__", "matmul"},
           {"torch.Tensor.__getitem__", "index"},
           {"torch.nn.functional.relu", "relu"},
           {"torch.nn.functional.cross_entropy", "cross_entropy_loss"},
           {"torch.linalg.norm", "linalg_norm"},
       }) {
    EXPECT_EQ(aten_name(spelled), operation) << spelled;
  }
}

TEST(AtenName, MeansAnOperationForEveryOverloadedOperator) {
  for (std::string symbol : {"+",  "-",  "*",  "/",  "%",  "&",  "|",  "^",  "~",  "<",  "<=", ">",
                             ">=", "==", "!=", "[]", "+=", "-=", "*=", "/=", "&=", "|=", "^="}) {
    const auto operation = aten_name("at::operator" + symbol);
    ASSERT_TRUE(operation.has_value()) << symbol;
    EXPECT_NE(find_operator(*operation), nullptr) << symbol;
  }
  for (std::string name :
       {"abs",  "add",  "and",  "eq",       "floordiv", "ge",       "getitem", "gt",
        "iadd", "iand", "imul", "invert",   "isub",     "itruediv", "le",      "lt",
        "mod",  "mul",  "ne",   "neg",      "or",       "pow",      "radd",    "rfloordiv",
        "rmul", "rpow", "rsub", "rtruediv", "setitem",  "sub",      "truediv", "xor"}) {
    const auto operation = aten_name("torch.Tensor.__" + name + "__");
    ASSERT_TRUE(operation.has_value()) << name;
    EXPECT_NE(find_operator(*operation), nullptr) << name;
  }
}

TEST(AtenName, IsEmptyForWhatIsNoOperation) {
  for (std::string_view spelled :
       {"", "add", "std::add", "torch::nn::init::normal_", "torch::nn::Module::to", "torch::save",
        "torch.nn.Module.to", "my::torch::add", "at::Tensor::", "at::Tensor::sizes",
        "at::operator<<", "torch::optim::SGD::add_param_group"}) {
    EXPECT_EQ(aten_name(spelled), std::nullopt) << spelled;
  }
}

TEST(AtenName, TellsWhereTheOutStands) {
  EXPECT_EQ(out_spelling("at::add_out"), OutSpelling::kFirst);
  EXPECT_EQ(out_spelling("at::add_outf"), OutSpelling::kLast);
  EXPECT_EQ(out_spelling("at::add"), OutSpelling::kNone);
  EXPECT_EQ(out_spelling("my::add_out"), OutSpelling::kNone);
}

TEST(TensorQueries, AreSortedAndFound) {
  expect_sorted_by_name(all_tensor_queries());
  for (const TensorQuery& each : all_tensor_queries()) {
    EXPECT_EQ(find_tensor_query(each.name), &each);
  }
  EXPECT_EQ(find_tensor_query("at::TensorBase::sizes")->kind, QueryKind::kShape);
  EXPECT_EQ(find_tensor_query("at::Tensor::device")->kind, QueryKind::kDevice);
  EXPECT_EQ(find_tensor_query("set_requires_grad")->kind, QueryKind::kSelf);
  EXPECT_EQ(find_tensor_query("add"), nullptr);
}

// A method with both kinds of row says the same in both.
TEST(TensorQueries, AgreeWithTheirNamesakesAmongTheOperations) {
  for (const TensorQuery& query : all_tensor_queries()) {
    const Operator* namesake = find_operator(query.name);
    if (namesake == nullptr || query.kind == QueryKind::kGradient) continue;
    const bool keeps_the_place = query.kind == QueryKind::kSelf;
    EXPECT_EQ(namesake->result_place, keeps_the_place ? ResultPlace::kSelf : ResultPlace::kHost)
        << query.name;
  }
}

}  // namespace
}  // namespace placecheck::models
