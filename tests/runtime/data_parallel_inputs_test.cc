// What DataParallel takes apart and puts together: inputs scattered, outputs gathered. Names follow
// PyTorch's cases (test_data_parallel.py).
#include <gtest/gtest.h>

#include <array>
#include <deque>
#include <list>
#include <map>
#include <mutex>
#include <unordered_map>
#include <variant>

#include "runtime/nn/layers.h"
#include "runtime/parallel/data_parallel.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

using nn::DataParallel;
using nn::DeviceIds;

class DataParallelInputsTest : public MachineTest {};

// test_data_parallel_multiple_input: tensors, a number, and a tensor by name.
struct MixedImpl : nn::Module {
  using Named = std::map<std::string, Tensor>;
  Tensor forward(const Tensor& x, double scale, const Named& named) {
    return x * scale + named.at("offset") * weight;
  }
  Tensor weight = register_parameter("weight", full({1}, 3));
};
PLACECHECK_MODULE(Mixed);

TEST_F(DataParallelInputsTest, TakesSeveralInputs) {
  for (const DeviceIds& ids : {DeviceIds{0, 1}, DeviceIds{1, 0}, DeviceIds{0}}) {
    Mixed bare;
    bare->to(gpu(ids.resolved()[0]));
    DataParallel net(bare, ids);
    Tensor x = randn({10, 2}).requires_grad_();
    Tensor offset = randn({10, 2}).requires_grad_();
    Tensor output = net(x, 2.0, MixedImpl::Named{{"offset", offset}});
    EXPECT_TRUE(allclose(output, x * 2 + offset * 3, 1e-5, 1e-6));
    output.sum().backward();
    EXPECT_TRUE(allclose(x.grad(), full({10, 2}, 2)));
    EXPECT_TRUE(allclose(offset.grad(), full({10, 2}, 3)));
    Tensor same =
        nn::data_parallel(bare, std::make_tuple(x, 2.0, MixedImpl::Named{{"offset", offset}}), ids);
    EXPECT_TRUE(equal(same.cpu(), output.cpu()));
  }
}

// test_data_parallel_nested_output
struct NestedImpl : nn::Module {
  using Output = std::tuple<Tensor, std::vector<Tensor>, std::map<std::string, Tensor>,
                            std::pair<Tensor, std::optional<Tensor>>>;
  Output forward(const Tensor& x) {
    return {x, {x * 2, x * 3}, {{"a", x * 4}, {"b", x * 5}}, {x * 6, std::nullopt}};
  }
};
PLACECHECK_MODULE(Nested);

TEST_F(DataParallelInputsTest, RebuildsNestedOutputs) {
  Tensor x = randn({5, 2});
  auto [first, list, dict, pair] = DataParallel(Nested(), {0, 1})(x);
  EXPECT_TRUE(equal(first.cpu(), x));
  ASSERT_EQ(list.size(), 2u);
  EXPECT_TRUE(equal(list[1].cpu(), x * 3));
  EXPECT_TRUE(equal(dict.at("b").cpu(), x * 5));
  EXPECT_TRUE(equal(pair.first.cpu(), x * 6));
  EXPECT_FALSE(pair.second.has_value());
}

// test_data_parallel_nested_input
struct NestedInputImpl : nn::Module {
  Tensor forward(const std::pair<Tensor, std::vector<Tensor>>& in) {
    return in.first + in.second[0] + in.second[1];
  }
};
PLACECHECK_MODULE(NestedInput);

TEST_F(DataParallelInputsTest, TakesNestedInputsApart) {
  Tensor x = randn({6, 3});
  std::pair<Tensor, std::vector<Tensor>> input{x, {x, x * 2}};
  EXPECT_TRUE(allclose(DataParallel(NestedInput(), {0, 1})(input), x * 4, 1e-5, 1e-6));
}

// test_data_parallel_module_zero_inputs
struct ZeroInputImpl : nn::Module {
  Tensor forward() { return full({1}, 5, kCUDA); }
};
PLACECHECK_MODULE(ZeroInput);

TEST_F(DataParallelInputsTest, WithoutInputsOneReplicaRuns) {
  for (const DeviceIds& ids : {DeviceIds{0}, DeviceIds{0, 1}}) {
    Tensor output = DataParallel(ZeroInput(), ids)();
    EXPECT_EQ(output.sizes(), Shape({1}));
    EXPECT_EQ(output.device(), gpu(0));
    EXPECT_EQ(nn::data_parallel(ZeroInput(), std::tuple<>(), ids).sizes(), Shape({1}));
  }
}

// Which replicas run, and with how much.
struct SizesImpl : nn::Module {
  std::shared_ptr<std::mutex> mutex = std::make_shared<std::mutex>();
  std::shared_ptr<std::map<DeviceIndex, std::int64_t>> seen =
      std::make_shared<std::map<DeviceIndex, std::int64_t>>();
  Tensor forward(const Tensor& x) {
    std::lock_guard lock(*mutex);
    (*seen)[x.device().index()] = x.size(0);
    EXPECT_EQ(cuda::current_device(), x.device().index());
    return x;
  }
};
PLACECHECK_MODULE(Sizes);

TEST_F(DataParallelInputsTest, SplitsAsChunkDoes) {
  const std::vector<std::vector<std::int64_t>> kSplits = {
      {1},       {1, 1},       {1, 1, 1},    {1, 1, 1, 1}, {2, 2, 1},
      {2, 2, 2}, {2, 2, 2, 1}, {2, 2, 2, 2}, {3, 3, 3},    {3, 3, 3, 1}};
  for (std::size_t batch = 1; batch <= kSplits.size(); ++batch) {
    Sizes sizes;
    Tensor x = randn({static_cast<std::int64_t>(batch), 2});
    Tensor output = DataParallel(sizes)(x);
    EXPECT_TRUE(equal(output.cpu(), x));
    std::vector<std::int64_t> seen;
    for (auto [device, size] : *sizes->seen) seen.push_back(size);
    EXPECT_EQ(seen, kSplits[batch - 1]) << batch;
  }
  Sizes empty;
  EXPECT_EQ(DataParallel(empty)(randn({0, 2})).sizes(), Shape({0, 2}));
  EXPECT_EQ(empty->seen->size(), 4u) << "an empty batch runs everywhere";
}

TEST_F(DataParallelInputsTest, SplitsAlongAnotherDimension) {
  nn::Linear bare(4, 3);
  bare->to(gpu(0));
  Tensor x = randn({2, 6, 4});
  Tensor expected = bare(x.to(gpu(0)));
  EXPECT_TRUE(allclose(DataParallel(bare, {0, 1, 2}, {}, 1)(x), expected, 1e-5, 1e-6));
  EXPECT_TRUE(allclose(DataParallel(bare, {0, 1}, {}, -2)(x), expected, 1e-5, 1e-6));
}

TEST_F(DataParallelInputsTest, AnArgumentThatIsNoTensorIsEverybodys) {
  struct Scaled : nn::Module {
    Tensor forward(const Tensor& x, double by) { return x * by; }
  };
  Tensor x = randn({9, 2});
  DataParallel net(std::make_shared<Scaled>());
  EXPECT_TRUE(allclose(net(x, 2.0), x * 2)) << "nine rows are three replicas', the fourth is idle";
}

// test_scatter, test_gather
TEST_F(DataParallelInputsTest, ScatterAndGatherHaveGradients) {
  for (const Device& where : {Device(kCPU), gpu(0), gpu(2)}) {
    Tensor x = randn({4, 4}, TensorOptions(kDouble).device(where)).requires_grad_();
    TensorList parts = nn::scatter_tensor(x, {0, 1}, 0);
    ASSERT_EQ(parts.size(), 2u);
    EXPECT_EQ(parts[1].device(), gpu(1));
    EXPECT_TRUE(equal(parts[1].cpu(), x.narrow(0, 2, 2).cpu()));
    (parts[0] * 2).sum().backward();
    Tensor expected = cat({full({2, 4}, 2, kDouble), zeros({2, 4}, kDouble)});
    EXPECT_TRUE(equal(x.grad().cpu(), expected));
  }
  Tensor a = randn({2, 4}, TensorOptions(kDouble).device(gpu(0))).requires_grad_();
  Tensor b = randn({2, 4}, TensorOptions(kDouble).device(gpu(1))).requires_grad_();
  Tensor whole = nn::gather_tensors({a, b}, gpu(1), 0);
  EXPECT_EQ(whole.sizes(), Shape({4, 4}));
  EXPECT_EQ(whole.device(), gpu(1));
  (whole * whole).sum().backward();
  EXPECT_TRUE(equal(a.grad(), a * 2));
  EXPECT_TRUE(equal(b.grad(), b * 2));
}

TEST_F(DataParallelInputsTest, GathersScalarsToAVector) {
  struct Loss : nn::Module {
    Tensor forward(const Tensor& x) { return x.mean(); }
  };
  DataParallel net(std::make_shared<Loss>(), {0, 1});
  Tensor x = full({4, 2}, 3).requires_grad_();
  Tensor losses = net(x);
  EXPECT_EQ(losses.sizes(), Shape({2}));
  losses.sum().backward();
  EXPECT_TRUE(allclose(x.grad(), full({4, 2}, 0.25)));
  ASSERT_EQ(warnings().size(), 1u);
  EXPECT_EQ(warnings()[0],
            "Was asked to gather along dimension 0, but all input tensors were scalars; will "
            "instead unsqueeze and return a vector.");
}

TEST_F(DataParallelInputsTest, RefusesOutputsThatCannotBeGathered) {
  struct OnCpu : nn::Module {
    Tensor forward(const Tensor& x) { return x.cpu(); }
  };
  EXPECT_EQ(error_of([] { DataParallel(std::make_shared<OnCpu>(), {0, 1})(ones({4, 1})); }),
            "Gather function not implemented for CPU tensors");
  struct Number : nn::Module {
    int forward(const Tensor&) { return 1; }
  };
  EXPECT_EQ(error_of([] { DataParallel(std::make_shared<Number>(), {0, 1})(ones({4, 1})); }),
            "'int' object is not iterable");
  struct Dicts : nn::Module {
    std::map<std::string, Tensor> forward(const Tensor& x) {
      if (x.device().index() == 0) return {{"a", x}};
      if (x.size(1) == 1) return {{"b", x}};
      return {{"a", x}, {"b", x}};
    }
  };
  auto dicts = std::make_shared<Dicts>();
  EXPECT_EQ(error_of([&] { DataParallel(dicts, {0, 1})(ones({4, 2})); }),
            "All dicts must have the same number of keys");
  EXPECT_EQ(error_of([&] { DataParallel(dicts, {0, 1})(ones({4, 1})); }), "a");
  struct Lists : nn::Module {
    std::vector<Tensor> forward(const Tensor& x) {
      return std::vector<Tensor>(static_cast<std::size_t>(x.device().index()) + 1, x);
    }
  };
  EXPECT_EQ(error_of([] { DataParallel(std::make_shared<Lists>(), {0, 1})(ones({4, 1})); }),
            "zip() argument 2 is longer than argument 1");
  EXPECT_EQ(error_of([] { DataParallel(std::make_shared<Lists>(), {1, 0})(ones({4, 1})); }),
            "zip() argument 2 is shorter than argument 1");
  struct Ragged : nn::Module {
    Tensor forward(const Tensor& x) { return zeros({2, x.device().index() + 1}, x.options()); }
  };
  EXPECT_EQ(error_of([] { DataParallel(std::make_shared<Ragged>(), {0, 1})(ones({4, 1})); }),
            "Input tensor at index 1 has invalid shape [2, 2], but expected [2, 1]");
}

// test_data_parallel_module_kwargs_only, _empty_list, _empty_dict and _empty_tuple, for each type
// of numbers.
struct NamedOnlyImpl : nn::Module {
  using Named = std::map<std::string, Tensor>;
  nn::Linear fc = register_module("fc", nn::Linear(4, 3));
  Tensor forward(const Named& named, const std::vector<Tensor>& list, const Named& dict,
                 const std::tuple<>&) {
    EXPECT_TRUE(list.empty() && dict.empty());
    return fc(named.at("input"));
  }
};
PLACECHECK_MODULE(NamedOnly);

TEST_F(DataParallelInputsTest, ContainersWithoutTensorsAreEverybodys) {
  for (ScalarType type : {kFloat, kDouble, kHalf}) {
    NamedOnly bare;
    bare->to(type);
    bare->to(gpu(0));
    NamedOnlyImpl::Named named{{"input", randn({7, 4}).to(type)}};
    Tensor output = DataParallel(bare)(named, TensorList(), NamedOnlyImpl::Named(), std::tuple<>());
    EXPECT_EQ(output.dtype(), type);
    EXPECT_TRUE(allclose(output, bare->fc(named.at("input").to(gpu(0))), 0, 1e-2));
  }
}

// PyTorch runs as many replicas as the shortest argument has pieces, and drops the rest of the
// batch without a word.
TEST_F(DataParallelInputsTest, RefusesInputsThatMakeDifferentNumbersOfPieces) {
  Mixed bare;
  bare->to(gpu(0));
  Tensor x = ones({8, 1});
  MixedImpl::Named offset{{"offset", ones({2, 1})}};
  DataParallel net(bare);
  EXPECT_EQ(error_of([&] { net(x, 1.0, offset); }),
            "the inputs cannot be scattered together to 4 devices: one of size 8 in dimension 0 "
            "makes 4 pieces, one of size 2 makes 2, so that rows of the batch would be dropped");
  DataParallel strict(bare, {}, {}, 0, nn::Compat{.strict_compat = true});
  EXPECT_EQ(strict(x, 1.0, offset).sizes(), Shape({4, 1})) << "two pieces of two rows";
}

// A forward that gives back what it gets, for containers of all kinds.
template <typename Value>
struct EchoImpl : nn::Module {
  Value forward(const Value& value) { return value; }
};

template <typename Value>
Value echo(const Value& value, const DeviceIds& ids = {0, 1}) {
  return DataParallel(std::make_shared<EchoImpl<Value>>(), ids)(value);
}

TEST_F(DataParallelInputsTest, TakesContainersOfAllKindsApart) {
  Tensor x = randn({6, 2});
  Tensor y = randn({6});
  auto unordered = echo(std::unordered_map<std::string, Tensor>{{"x", x}, {"y", y}});
  EXPECT_TRUE(equal(unordered.at("x").cpu(), x));
  EXPECT_TRUE(equal(unordered.at("y").cpu(), y));
  auto numbered = echo(std::map<int, Tensor>{{3, x}, {1, y}});
  EXPECT_TRUE(equal(numbered.at(3).cpu(), x));
  auto array = echo(std::array<Tensor, 2>{x, y});
  EXPECT_TRUE(equal(array[1].cpu(), y));
  auto list = echo(std::list<Tensor>{x, y});
  EXPECT_TRUE(equal(list.back().cpu(), y));
  auto deque = echo(std::deque<std::pair<Tensor, Tensor>>{{x, y}});
  EXPECT_TRUE(equal(deque[0].second.cpu(), y));
  using Either = std::variant<Tensor, std::map<int, Tensor>>;
  EXPECT_TRUE(equal(std::get<0>(echo(Either(x))).cpu(), x));
  EXPECT_TRUE(equal(std::get<1>(echo(Either(std::map<int, Tensor>{{7, y}}))).at(7).cpu(), y));
}

TEST_F(DataParallelInputsTest, ContainersReachTheReplicasInPieces) {
  struct Sum : nn::Module {
    Tensor forward(const std::unordered_map<int, std::array<Tensor, 2>>& values) {
      const auto& [first, second] = values.at(1);
      EXPECT_EQ(first.size(0), 2);
      EXPECT_EQ(first.device(), second.device());
      return first + second;
    }
  };
  Tensor x = randn({4, 3});
  std::unordered_map<int, std::array<Tensor, 2>> values{{1, {x, x}}};
  EXPECT_TRUE(allclose(DataParallel(std::make_shared<Sum>(), {0, 1})(values), x * 2, 1e-5, 1e-6));
}

TEST_F(DataParallelInputsTest, RefusesOutputsOfDifferentAlternatives) {
  struct Mixed : nn::Module {
    std::variant<Tensor, std::vector<Tensor>> forward(const Tensor& x) {
      if (x.device().index() == 0) return x;
      return std::vector<Tensor>{x};
    }
  };
  EXPECT_EQ(error_of([] { DataParallel(std::make_shared<Mixed>(), {0, 1})(ones({4, 1})); }),
            "the replicas' outputs have different types");
}

// Python's None, as an argument and as a part of the output.
TEST_F(DataParallelInputsTest, UndefinedTensorsPassThrough) {
  struct Masked : nn::Module {
    std::pair<Tensor, Tensor> forward(const Tensor& x, const Tensor& mask) {
      return {mask.defined() ? x * mask : x, mask};
    }
  };
  DataParallel net(std::make_shared<Masked>(), {0, 1, 2});
  Tensor x = randn({5, 2});
  auto [all, none] = net(x, Tensor());
  EXPECT_TRUE(equal(all.cpu(), x));
  EXPECT_FALSE(none.defined());
  auto [some, mask] = net(x, ones({5, 1}));
  EXPECT_TRUE(equal(some.cpu(), x));
  EXPECT_EQ(mask.sizes(), Shape({5, 1}));
}

// The first output's type is that of the whole.
TEST_F(DataParallelInputsTest, OutputsOfOtherTypesAreCast) {
  struct Typed : nn::Module {
    Tensor forward(const Tensor& x) { return x.device() == gpu(0) ? x : x.to(kDouble); }
  };
  Tensor x = randn({4, 2});
  EXPECT_TRUE(equal(DataParallel(std::make_shared<Typed>(), {0, 1})(x).cpu(), x));
}

TEST_F(DataParallelInputsTest, RefusesAScalarInput) {
  EXPECT_EQ(error_of([] { DataParallel(Sizes(), {0, 1})(scalar_tensor(1)); }),
            "chunk expects at least a 1-dimensional tensor");
}

}  // namespace
}  // namespace placecheck::runtime
