// Tensors on virtual devices behave as tensors: views, in-place and `out` forms, storages, random
// numbers, files.
#include <gtest/gtest.h>
#include <torch/torch.h>

#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "tests/runtime/torch/messages.h"

namespace placecheck {
namespace {

using torch::Device;
using torch::Tensor;
using torch::indexing::Slice;

const Device kGpu("cuda:1");

TEST(VirtualCuda, IsThere) {
  EXPECT_TRUE(torch::cuda::is_available());
  EXPECT_EQ(static_cast<int>(torch::cuda::device_count()), 2);
  EXPECT_TRUE(torch::cuda::cudnn_is_available());
  EXPECT_NO_THROW(torch::cuda::synchronize());
}

TEST(VirtualCuda, FactoriesPutTensorsWhereTheyAreAskedFor) {
  const auto options = torch::device(kGpu);
  for (const Tensor& tensor :
       {torch::empty({2}, options), torch::zeros({2}, options), torch::full({2}, 3.0, options),
        torch::arange(4, options), torch::linspace(0, 1, 5, options), torch::eye(3, options),
        torch::randn({2}, options), torch::randperm(5, options.dtype(torch::kLong)),
        torch::tensor({1, 2}, options), torch::tril_indices(3, 3, 0, options.dtype(torch::kLong)),
        torch::empty_strided({2, 2}, {1, 2}, options)}) {
    EXPECT_EQ(tensor.device(), kGpu);
    EXPECT_EQ(tensor.storage().device(), kGpu);
  }
  EXPECT_EQ(torch::ones({1}, torch::kCUDA).device(), Device("cuda:0"));
  EXPECT_EQ(torch::ones({1}).cuda().device(), Device("cuda:0"));
}

TEST(VirtualCuda, CurrentDeviceIsWhereUnnumberedTensorsGo) {
  const c10::DeviceGuard guard(kGpu);
  EXPECT_EQ(torch::ones({1}, torch::kCUDA).device(), kGpu);
  Device elsewhere("cpu");
  std::thread([&] { elsewhere = torch::ones({1}, torch::kCUDA).device(); }).join();
  EXPECT_EQ(elsewhere, Device("cuda:0")) << "each thread has its own";
}

TEST(VirtualCuda, ViewsShareStorage) {
  const Tensor base = torch::zeros({2, 6}, kGpu);
  for (const Tensor& view :
       {base.view({12}), base.t(), base.select(0, 1), base.narrow(1, 2, 2), base.unsqueeze(0),
        base.expand({3, 2, 6}), base.unfold(1, 2, 2), base.detach(), base.reshape({3, 4}),
        base.index({Slice(), Slice(0, 6, 2)}), base.chunk(2, 1)[1], base.diagonal(),
        base.as_strided({2}, {3}, 1), base.alias(), base.view(torch::kInt)}) {
    EXPECT_TRUE(view.is_alias_of(base));
    EXPECT_EQ(view.device(), kGpu);
    EXPECT_EQ(view.storage().unsafeGetStorageImpl(), base.storage().unsafeGetStorageImpl());
  }
}

TEST(VirtualCuda, WritesReachTheOriginal) {
  Tensor base = torch::zeros({2, 3}, kGpu);
  base.select(0, 1).fill_(2);
  base.t().select(0, 0).add_(1);
  base.index_put_({Slice(), 2}, torch::full({2}, 9.0, kGpu));
  base.index_put_({torch::tensor({0}), torch::tensor({1})}, torch::full({1}, 5.0, kGpu));
  EXPECT_TRUE(base.cpu().equal(torch::tensor({{1.f, 5.f, 9.f}, {3.f, 2.f, 9.f}})));
  Tensor& same = base.mul_(2);
  EXPECT_TRUE(same.is_same(base));
  base.copy_(torch::ones({2, 3}));
  EXPECT_EQ(base.sum().item<float>(), 6);
}

// PyTorch moves the indices of a write to the tensor that is written.
TEST(VirtualCuda, WritesTakeIndicesOfAnyDevice) {
  Tensor host = torch::zeros({3});
  host.index_put_({torch::tensor({1}, kGpu)}, 5.0);
  EXPECT_TRUE(host.equal(torch::tensor({0.f, 5.f, 0.f})));
}

TEST(VirtualCuda, OverlappingArgumentsAreSeen) {
  Tensor base = torch::arange(4, torch::dtype(torch::kFloat).device(kGpu));
  EXPECT_NE(message_of([&] { base.expand({3, 4}).add_(1); }).find("more than one element"),
            std::string::npos);
  base.add_(base);
  EXPECT_TRUE(base.cpu().equal(torch::tensor({0.f, 2.f, 4.f, 6.f})));
}

TEST(VirtualCuda, OutArgumentsAreResizedAndWritten) {
  const Tensor a = torch::ones({2, 2}, kGpu);
  Tensor out = torch::empty({0}, kGpu);
  Tensor& returned = torch::add_out(out, a, a);
  EXPECT_TRUE(returned.is_same(out));
  EXPECT_TRUE(out.cpu().equal(torch::full({2, 2}, 2.0)));
  EXPECT_EQ(out.storage().device(), kGpu);
  Tensor values = torch::empty({0}, kGpu);
  Tensor indices = torch::empty({0}, torch::dtype(torch::kLong).device(kGpu));
  torch::max_out(values, indices, torch::tensor({{1.f, 4.f}, {3.f, 2.f}}).to(kGpu), 1);
  EXPECT_TRUE(values.cpu().equal(torch::tensor({4.f, 3.f})));
  EXPECT_TRUE(indices.cpu().equal(torch::tensor({int64_t{1}, int64_t{0}})));
}

TEST(VirtualCuda, StoragesGrowAndAreShared) {
  Tensor tensor = torch::ones({2}, kGpu);
  const Tensor view = tensor.view({2, 1});
  tensor.resize_({1000});
  EXPECT_EQ(tensor.slice(0, 0, 2).sum().item<float>(), 2) << "what was there stays";
  EXPECT_TRUE(view.is_alias_of(tensor));
  tensor.fill_(4);
  EXPECT_EQ(view.sum().item<float>(), 8) << "views see the storage that has grown";
  Tensor other = torch::empty({0}, kGpu);
  other.set_(tensor);
  EXPECT_TRUE(other.is_alias_of(tensor));
  other.set_data(torch::ones({3}, Device("cuda:0")));
  EXPECT_EQ(other.device(), Device("cuda:0"));
  tensor.transpose_(0, 0).unsqueeze_(0);
  EXPECT_EQ(tensor.sizes(), (std::vector<int64_t>{1, 1000}));
}

TEST(VirtualCuda, ListsOfTensors) {
  const Tensor a = torch::arange(6, torch::dtype(torch::kFloat).device(kGpu));
  const std::vector<Tensor> parts = a.split(2);
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_TRUE(parts[2].is_alias_of(a));
  EXPECT_TRUE(torch::cat(parts).equal(a));
  EXPECT_TRUE(torch::stack(parts).equal(a.view({3, 2})));
  EXPECT_EQ(torch::nn::utils::clip_grad_norm_(std::vector<Tensor>{}, 1.0), 0);
  const auto [sorted, order] = a.flip(0).sort();
  EXPECT_TRUE(sorted.equal(a));
  EXPECT_EQ(order.device(), kGpu);
}

TEST(VirtualCuda, IndicesMayBeOnTheHost) {
  const Tensor a = torch::arange(6, torch::dtype(torch::kFloat).device(kGpu)).view({2, 3});
  const Tensor columns = torch::tensor({2, 0});
  EXPECT_TRUE(a.index({Slice(), columns}).equal(a.index({Slice(), columns.to(kGpu)})));
  EXPECT_EQ(a.index({a > 2}).numel(), 3);
  EXPECT_EQ(a.index({(a > 2).cpu()}).device(), kGpu);
  EXPECT_EQ(a.masked_select(a > 2).numel(), 3);
  EXPECT_EQ(a.nonzero().device(), kGpu);
}

TEST(VirtualCuda, ComplexAndConjugateValues) {
  const Tensor z = torch::complex(torch::ones({2}), torch::ones({2})).to(kGpu);
  EXPECT_TRUE(z.conj().is_conj());
  EXPECT_TRUE((z * z.conj()).cpu().equal(torch::complex(torch::full({2}, 2.0), torch::zeros({2}))));
  EXPECT_TRUE(torch::imag(z.conj()).cpu().equal(torch::full({2}, -1.0)));
}

TEST(VirtualCuda, EachDeviceDrawsItsOwnNumbers) {
  torch::manual_seed(5);
  const Tensor on_cpu = torch::randn({8});
  const Tensor on_gpu = torch::randn({8}, kGpu);
  EXPECT_TRUE(on_gpu.cpu().equal(on_cpu)) << "seeded alike";
  EXPECT_FALSE(torch::randn({8}, kGpu).equal(on_gpu)) << "and drawn on";
  torch::cuda::manual_seed_all(5);
  EXPECT_TRUE(torch::randn({8}, kGpu).equal(on_gpu));
  EXPECT_TRUE(torch::randn({8}, Device("cuda:0")).cpu().equal(on_cpu)) << "on every device";
  torch::cuda::manual_seed(6);
  at::Generator generator = at::globalContext().defaultGenerator(kGpu).clone();
  generator.set_current_seed(5);
  EXPECT_TRUE(torch::randn({8}, generator, kGpu).equal(on_gpu));
  EXPECT_NE(message_of([&] { torch::randn({8}, at::detail::createCPUGenerator(), kGpu); }),
            "no error");
}

TEST(VirtualCuda, DropoutDrawsFromTheDevice) {
  const Tensor x = torch::ones({64}, kGpu);
  torch::manual_seed(1);
  const Tensor host_state = at::globalContext().defaultGenerator(torch::kCPU).get_state();
  const Tensor first = torch::dropout(x, 0.5, true);
  EXPECT_TRUE(at::globalContext().defaultGenerator(torch::kCPU).get_state().equal(host_state));
  torch::manual_seed(1);
  EXPECT_TRUE(torch::dropout(x, 0.5, true).equal(first));
  EXPECT_TRUE(torch::dropout(x, 0.5, false).equal(x));
}

TEST(VirtualCuda, PinnedMemory) {
  const Tensor pinned = torch::ones({3}).pin_memory();
  EXPECT_TRUE(pinned.is_pinned());
  EXPECT_TRUE(pinned.to(kGpu, /*non_blocking=*/true).cpu().equal(pinned));
  EXPECT_FALSE(torch::ones({3}).is_pinned());
  EXPECT_TRUE(torch::empty({2}, torch::TensorOptions().pinned_memory(true)).is_pinned());
}

TEST(VirtualCuda, HostMemoryIsNoDeviceMemory) {
  std::vector<float> numbers(4, 1.0F);
  EXPECT_EQ(message_of([&] { torch::from_blob(numbers.data(), {4}, torch::device(torch::kCUDA)); }),
            "The specified pointer resides on host memory and is not registered with any CUDA "
            "device.");
  const Tensor tensor = torch::ones({4}, kGpu);
  const Tensor same = torch::from_blob(tensor.data_ptr(), {4}, torch::device(torch::kCUDA));
  EXPECT_EQ(same.device(), kGpu);
}

TEST(VirtualCuda, SavedTensorsComeBackToTheirDevice) {
  std::stringstream file;
  torch::save(torch::full({2, 2}, 3.0, kGpu), file);
  Tensor loaded;
  torch::load(loaded, file);
  EXPECT_EQ(loaded.device(), kGpu);
  EXPECT_EQ(loaded.sum().item<float>(), 12);
  file.seekg(0);
  torch::load(loaded, file, Device(torch::kCPU));
  EXPECT_TRUE(loaded.device().is_cpu());
}

TEST(VirtualCuda, LoadingAModuleMovesIt) {
  torch::nn::Linear saved(2, 2);
  saved->to(kGpu);
  std::stringstream file;
  torch::save(saved, file);
  torch::nn::Linear net(2, 2);
  torch::load(net, file);
  EXPECT_EQ(net->weight.device(), kGpu);
  EXPECT_TRUE(net->weight.equal(saved->weight));
}

TEST(VirtualCuda, Prints) {
  std::ostringstream out;
  out << torch::ones({2}, torch::dtype(torch::kInt).device(kGpu));
  EXPECT_EQ(out.str(), " 1\n 1\n[ CUDAIntType{2} ]");
}

TEST(VirtualCuda, StreamsAndEventsAreThere) {
  const c10::impl::VirtualGuardImpl guard(torch::kCUDA);
  const c10::Stream pooled = guard.getStreamFromGlobalPool(kGpu);
  EXPECT_NE(pooled, guard.getDefaultStream(kGpu));
  EXPECT_EQ(guard.exchangeStream(pooled), guard.getDefaultStream(kGpu));
  EXPECT_EQ(guard.getStream(kGpu), pooled);
  EXPECT_TRUE(pooled.query());
  guard.exchangeStream(guard.getDefaultStream(kGpu));
}

}  // namespace
}  // namespace placecheck
