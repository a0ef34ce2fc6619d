// State dicts: their keys, what loading complains of, and the combinations of saving and loading
// that the tutorials teach.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "runtime/runtime.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

using Keys = std::vector<std::string>;

// The tutorials' net: three layers without bias.
struct FooNetImpl : nn::Module {
  FooNetImpl() : linears(register_module("linears", nn::ModuleList())) {
    for (auto [in, out] : {std::pair(5, 5), std::pair(5, 4), std::pair(4, 3)}) {
      linears->push_back(nn::Linear(nn::LinearOptions(in, out).bias(false)));
    }
  }
  Tensor forward(Tensor x) {
    for (std::size_t i = 0; i < linears->size(); ++i)
      x = linears->at<nn::Linear>(i).forward(x).relu();
    return x;
  }
  nn::ModuleList linears;
};
PLACECHECK_MODULE(FooNet);

struct NormedImpl : nn::Module {
  nn::Linear fc = register_module("fc", nn::Linear(3, 2));
  nn::BatchNorm1d bn = register_module("bn", nn::BatchNorm1d(2));
  Tensor forward(const Tensor& x) { return bn(fc(x)); }
};
PLACECHECK_MODULE(Normed);

class StateDictTest : public MachineTest {
 protected:
  std::string file(const char* name) { return testing::TempDir() + "/" + name; }
};

bool same_state(const nn::StateDict& a, const nn::StateDict& b) {
  if (a.keys() != b.keys()) return false;
  for (const auto& item : a) {
    if (!equal(item.value().cpu(), b[item.key()].cpu())) return false;
  }
  return true;
}

TEST_F(StateDictTest, HasParametersThenBuffersInTheTreesOrder) {
  EXPECT_EQ(Normed()->state_dict().keys(),
            Keys({"fc.weight", "fc.bias", "bn.weight", "bn.bias", "bn.running_mean",
                  "bn.running_var", "bn.num_batches_tracked"}));
  EXPECT_EQ(
      nn::DataParallel(FooNet())->state_dict().keys(),
      Keys({"module.linears.0.weight", "module.linears.1.weight", "module.linears.2.weight"}));
}

TEST_F(StateDictTest, ValuesAreTheModulesOwnMemory) {
  nn::Linear linear(2, 2);
  nn::StateDict state = linear->state_dict();
  state["bias"].fill_(7);
  EXPECT_EQ(linear->bias[0].item<float>(), 7);
  EXPECT_FALSE(state["bias"].requires_grad());
}

TEST_F(StateDictTest, LoadingKeepsDeviceAndType) {
  nn::Linear source(2, 2);
  nn::Linear target(2, 2);
  target->to(gpu(1));
  target->to(kDouble);
  target->load_state_dict(source->state_dict());
  EXPECT_EQ(target->weight.device(), gpu(1));
  EXPECT_EQ(target->weight.dtype(), kDouble);
  EXPECT_TRUE(target->weight.requires_grad());
  EXPECT_TRUE(equal(target->weight.cpu().to(kFloat), source->weight));
}

TEST_F(StateDictTest, ComplainsAsPyTorchDoes) {
  FooNet net;
  nn::StateDict wrapped = nn::DataParallel(FooNet())->state_dict();
  EXPECT_EQ(
      error_of([&] { net->load_state_dict(wrapped); }),
      "Error(s) in loading state_dict for FooNet:\n\tMissing key(s) in state_dict: "
      "\"linears.0.weight\", \"linears.1.weight\", \"linears.2.weight\". \n\tUnexpected key(s) "
      "in state_dict: \"module.linears.0.weight\", \"module.linears.1.weight\", "
      "\"module.linears.2.weight\". ");
  EXPECT_EQ(rule_of([&] { net->load_state_dict(wrapped); }), "state-dict-prefix");
  nn::DataParallel parallel(FooNet{});
  EXPECT_TRUE(
      error_of([&] { parallel->load_state_dict(net->state_dict()); })
          .starts_with("Error(s) in loading state_dict for DataParallel:\n\tMissing key(s) in "
                       "state_dict: \"module.linears.0.weight\""));
}

TEST_F(StateDictTest, SizesCountEvenIfNotStrict) {
  nn::Linear target(2, 3);
  nn::StateDict state = target->state_dict();
  nn::StateDict other{{"weight", ones({3, 5})}, {"bias", full({3}, 9)}};
  std::string text =
      "Error(s) in loading state_dict for Linear:\n\tsize mismatch for weight: copying a param "
      "with "
      "shape torch.Size([3, 5]) from checkpoint, the shape in current model is torch.Size([3, 2]).";
  EXPECT_EQ(error_of([&] { target->load_state_dict(other, false); }), text);
  EXPECT_EQ(rule_of([&] { target->load_state_dict(other); }), "");
  EXPECT_EQ(target->bias[0].item<float>(), 9) << "what matches is loaded before the error";
}

TEST_F(StateDictTest, AllComplaintsComeAtOnce) {
  nn::Linear target(2, 3);
  nn::StateDict state{{"weight", ones({1})}, {"weight.x", ones({1})}, {"odd", ones({1})}};
  EXPECT_EQ(
      error_of([&] { target->load_state_dict(state); }),
      "Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: \"bias\". "
      "\n\tUnexpected key(s) in state_dict: \"weight.x\", \"odd\". \n\tsize mismatch for "
      "weight: copying a param with shape torch.Size([1]) from checkpoint, the shape in current "
      "model is torch.Size([3, 2]).");
  nn::Linear without(nn::LinearOptions(2, 3).bias(false));
  EXPECT_EQ(
      error_of([&] { without->load_state_dict(nn::Linear(2, 3)->state_dict()); }),
      "Error(s) in loading state_dict for Linear:\n\tUnexpected key(s) in state_dict: \"bias\". ");
}

TEST_F(StateDictTest, WithoutStrictnessNothingIsLoadedAndNothingSaid) {
  FooNet net;
  nn::StateDict before;
  for (const auto& item : net->state_dict()) before.insert(item.key(), item.value().clone());
  auto result = net->load_state_dict(nn::DataParallel(FooNet())->state_dict(), false);
  EXPECT_EQ(result.missing_keys.size(), 3u);
  EXPECT_EQ(result.unexpected_keys.size(), 3u);
  EXPECT_TRUE(same_state(net->state_dict(), before));
}

// A wrapped checkpoint's versions stand under other paths, so that its batch norms look old.
TEST_F(StateDictTest, BatchNormsOfUnknownVersionAreCompleted) {
  std::string text =
      error_of([] { Normed()->load_state_dict(nn::DataParallel(Normed())->state_dict()); });
  EXPECT_NE(text.find("Missing key(s) in state_dict: \"fc.weight\", \"fc.bias\", \"bn.weight\", "
                      "\"bn.bias\", \"bn.running_mean\", \"bn.running_var\". "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\"module.bn.num_batches_tracked\""), std::string::npos);
}

TEST_F(StateDictTest, PrefixesAreTakenOffOnce) {
  nn::StateDict state = nn::DataParallel(Normed())->state_dict();
  nn::consume_prefix_in_state_dict_if_present(state, "module.");
  EXPECT_EQ(state.keys(), Normed()->state_dict().keys());
  EXPECT_EQ(state.versions.at("bn"), 2);
  EXPECT_NO_THROW(Normed()->load_state_dict(state));
  nn::StateDict odd{
      {"module.submodule.weight", ones({1})}, {"first", ones({1})}, {"module.module.x", ones({1})}};
  nn::consume_prefix_in_state_dict_if_present(odd, "module.");
  EXPECT_EQ(odd.keys(), Keys({"first", "submodule.weight", "module.x"}));
}

TEST_F(StateDictTest, OldScalarsFit) {
  nn::BatchNorm1d norm(1);
  nn::StateDict state = norm->state_dict();
  state["num_batches_tracked"] = full({1}, 4, kLong);
  norm->load_state_dict(state);
  EXPECT_EQ(norm->num_batches_tracked.item<std::int64_t>(), 4);
}

// The five combinations.
TEST_F(StateDictTest, SingleToSingle) {
  FooNet saved;
  saved->to(gpu(1));
  save(saved->state_dict(), file("single"));
  FooNet loaded;
  loaded->load_state_dict(load(file("single"), "cpu"));
  EXPECT_TRUE(same_state(loaded->state_dict(), saved->state_dict()));
}

TEST_F(StateDictTest, SingleToMulti) {
  FooNet saved;
  save(saved->state_dict(), file("single"));
  FooNet bare;
  bare->load_state_dict(load(file("single")));
  nn::DataParallel loaded(bare);
  EXPECT_TRUE(same_state(loaded->module->state_dict(), saved->state_dict()));
  EXPECT_EQ(rule_of([&] { loaded->load_state_dict(load(file("single"))); }), "state-dict-prefix");
}

TEST_F(StateDictTest, MultiToSingle) {
  FooNet inner;
  inner->to(gpu(0));
  nn::DataParallel saved(inner);
  save(saved->module->state_dict(), file("multi"));
  FooNet loaded;
  loaded->load_state_dict(load(file("multi"), Device(kCPU)));
  EXPECT_TRUE(same_state(loaded->state_dict(), inner->state_dict()));
  save(saved->state_dict(), file("multi"));
  EXPECT_EQ(rule_of([&] { loaded->load_state_dict(load(file("multi"))); }), "state-dict-prefix");
  nn::StateDict state = load(file("multi"));
  nn::consume_prefix_in_state_dict_if_present(state, "module.");
  EXPECT_NO_THROW(loaded->load_state_dict(state));
}

TEST_F(StateDictTest, MultiToMulti) {
  FooNet inner;
  inner->to(gpu(0));
  nn::DataParallel saved(inner, {0, 1, 2});
  save(saved->state_dict(), file("multi"));
  FooNet other;
  other->to(gpu(1));
  nn::DataParallel loaded(other, {1, 0});
  loaded->load_state_dict(load(file("multi")));
  EXPECT_TRUE(same_state(loaded->state_dict(), saved->state_dict()));
  EXPECT_EQ(other->parameters()[0].device(), gpu(1));
}

TEST_F(StateDictTest, SeveralStatesInOneCheckpoint) {
  FooNet encoder;
  Normed decoder;
  nn::StateDict checkpoint;
  for (const auto& item : encoder->state_dict())
    checkpoint.insert("encoder." + item.key(), item.value());
  for (const auto& item : decoder->state_dict())
    checkpoint.insert("decoder." + item.key(), item.value());
  save(checkpoint, file("both"));
  nn::StateDict loaded = load(file("both"));
  auto part = [&](const std::string& prefix) {
    nn::StateDict state;
    for (const auto& item : loaded) {
      if (item.key().starts_with(prefix))
        state.insert(item.key().substr(prefix.size()), item.value());
    }
    return state;
  };
  FooNet new_encoder;
  Normed new_decoder;
  new_encoder->load_state_dict(part("encoder."));
  new_decoder->load_state_dict(part("decoder."));
  EXPECT_TRUE(same_state(new_encoder->state_dict(), encoder->state_dict()));
  EXPECT_TRUE(same_state(new_decoder->state_dict(), decoder->state_dict()));
  EXPECT_TRUE(error_of([&] {
                new_encoder->load_state_dict(loaded);
              }).starts_with("Error(s) in loading state_dict for FooNet:\n\tMissing key(s)"));
}

class ArchiveTest : public StateDictTest {
 protected:
  static std::string saved(const nn::StateDict& state) {
    std::ostringstream out;
    save(state, out);
    return out.str();
  }
  static nn::StateDict loaded(const std::string& bytes, const MapLocation& location = {}) {
    std::istringstream in(bytes);
    return load(in, location);
  }
};

TEST_F(ArchiveTest, KeepsTypesSizesAndDevices) {
  nn::StateDict state{
      {"f", randn({2, 3}, gpu(2))}, {"d", randn({}, kDouble)}, {"l", arange(5)},
      {"b", arange(3).gt(1)},       {"t", randn({2, 3}).t()},  {"none", zeros({0, 4})}};
  state.versions["x"] = 3;
  nn::StateDict back = loaded(saved(state));
  EXPECT_TRUE(same_state(back, state));
  EXPECT_EQ(back["f"].device(), gpu(2));
  EXPECT_EQ(back["b"].dtype(), kBool);
  EXPECT_EQ(back["none"].sizes(), Shape({0, 4}));
  EXPECT_EQ(back.versions, state.versions);
}

TEST_F(ArchiveTest, MapsLocations) {
  std::string bytes = saved({{"a", ones({1}, gpu(1))}, {"b", ones({1}, gpu(3))}});
  auto devices = [&](const MapLocation& location) {
    nn::StateDict state = loaded(bytes, location);
    return state["a"].device().str() + " " + state["b"].device().str();
  };
  EXPECT_EQ(devices({}), "cuda:1 cuda:3");
  EXPECT_EQ(devices("cpu"), "cpu cpu");
  EXPECT_EQ(devices("cuda"), "cuda:0 cuda:0");
  EXPECT_EQ(devices(MapLocation::Table{{"cuda:1", "cuda:0"}}), "cuda:0 cuda:3");
  EXPECT_EQ(devices(MapLocation::Function([](const std::string& tag) -> std::optional<Device> {
              if (tag == "cuda:3") return Device(kCPU);
              return std::nullopt;
            })),
            "cuda:1 cpu");
  EXPECT_EQ(error_of([&] { devices("gpu"); }),
            "don't know how to restore data location of torch.storage.UntypedStorage (tagged with "
            "gpu)");
  EXPECT_EQ(error_of([&] { devices(MapLocation::Table{{"cuda:1", "meta"}}); }),
            "don't know how to restore data location of torch.storage.UntypedStorage (tagged with "
            "meta)");
  EXPECT_EQ(rule_of([&] { devices("gpu"); }), "invalid-device");
}

TEST_F(ArchiveTest, SaysWhichDevicesAreMissing) {
  std::string bytes = saved({{"a", ones({1}, gpu(3))}});
  {
    ScopedCudaBackend machine(make_virtual_backend(strict_machine(2)));
    EXPECT_EQ(
        error_of([&] { loaded(bytes); }),
        "Attempting to deserialize object on CUDA device 3 but torch.cuda.device_count() is 2. "
        "Please use torch.load with map_location to map your storages to an existing device.");
    EXPECT_EQ(rule_of([&] { loaded(bytes); }), "missing-map-location");
    EXPECT_EQ(rule_of([&] { loaded(bytes, "cuda:2"); }), "invalid-device") << "it is asked for";
  }
  ScopedCudaBackend machine(make_virtual_backend(strict_machine(0)));
  EXPECT_EQ(error_of([&] { loaded(bytes); }),
            "Attempting to deserialize object on a CUDA device but torch.cuda.is_available() is "
            "False. If you are running on a CPU-only machine, please use torch.load with "
            "map_location=torch.device('cpu') to map your storages to the CPU.");
  EXPECT_EQ(rule_of([&] { loaded(bytes); }), "missing-map-location");
  EXPECT_NO_THROW(loaded(bytes, "cpu"));
}

TEST_F(ArchiveTest, SaysWhatCouldNotBeWritten) {
  nn::StateDict state{{"weight", ones({2, 3})}};
  EXPECT_TRUE(error_of([&] {
                save(state, "/nonexistent/file");
              }).starts_with("open file failed because of errno 2 on fopen: No such file"));
  EXPECT_EQ(error_of([&] { save(state, "/dev/full"); }), "a state archive cannot be written");
}

TEST_F(ArchiveTest, RefusesBytesThatAreNoArchive) {
  std::string bytes = saved({{"weight", randn({2, 3})}, {"bias", randn({2})}});
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_THROW(loaded(bytes.substr(0, length)), Error) << length;
  }
  EXPECT_EQ(error_of([] { loaded("something else entirely"); }),
            "Invalid magic number; corrupt file?");
  // Any byte may be wrong: an error or other values, but no crash and no huge allocation.
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string other = bytes;
    other[at] = static_cast<char>(~other[at]);
    try {
      loaded(other);
    } catch (const Error&) {
    }
  }
  EXPECT_TRUE(error_of([] {
                load("/nonexistent/file");
              }).starts_with("open file failed because of errno 2 on fopen: No such file"));
}

}  // namespace
}  // namespace placecheck::runtime
