// Devices, their visibility, and shapes.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "runtime/core/check.h"
#include "runtime/core/device.h"
#include "runtime/core/shape.h"
#include "runtime/core/virtual_devices.h"
#include "runtime/core/visible_devices.h"
#include "tests/runtime/testing/machine.h"

namespace placecheck::runtime {
namespace {

TEST(DeviceTest, PrintsWhatItParses) {
  for (const char* text : {"cpu", "cuda", "cuda:0", "cuda:1", "cuda:17", "cpu:0"}) {
    EXPECT_EQ(Device(text).str(), text);
  }
  EXPECT_EQ(Device(kCUDA, 3), Device("cuda:3"));
  EXPECT_NE(Device("cuda"), Device("cuda:0"));
  EXPECT_EQ(Device("cuda:256").index(), 256) << "no wrap-around";
}

TEST(DeviceTest, RefusesOtherText) {
  EXPECT_EQ(error_of([] { Device(""); }), "Device string must not be empty");
  for (const char* text :
       {"cuda:", "cuda:01", "cuda:-1", "cuda:a", ":0", "cuda:0:0", "cpu2", "cuda ", "cuda:0 "}) {
    EXPECT_EQ(error_of([&] { Device{text}; }),
              "Invalid device string: '" + std::string(text) + "'");
  }
  EXPECT_EQ(error_of([] { Device("cuda:99999999999"); }),
            "Could not parse device index '99999999999' in device string 'cuda:99999999999'");
  EXPECT_EQ(error_of([] { Device("gpu:99999999999"); }),
            "Could not parse device index '99999999999' in device string 'gpu:99999999999'");
  EXPECT_EQ(error_of([] { Device("mps"); }), "PyTorch is not linked with support for mps devices");
  for (const char* text : {"gpu", "CUDA", "gpu:0", "npu"}) {
    std::string name = std::string(text).substr(0, std::string(text).find(':'));
    EXPECT_EQ(error_of([&] { Device{text}; }),
              "Expected one of cpu, cuda, ipu, xpu, mkldnn, opengl, opencl, ideep, hip, ve, fpga, "
              "maia, xla, lazy, vulkan, mps, meta, hpu, mtia, privateuseone device type at start "
              "of device string: " +
                  name);
    EXPECT_EQ(rule_of([&] { Device{text}; }), "invalid-device");
  }
}

using Numbers = std::vector<std::int64_t>;

TEST(VisibleDevicesTest, ReadsNumbersAsPyTorchDoes) {
  EXPECT_EQ(parse_visible_numbers("0,1"), Numbers({0, 1}));
  EXPECT_EQ(parse_visible_numbers("1,0"), Numbers({1, 0}));
  EXPECT_EQ(parse_visible_numbers(""), Numbers());
  EXPECT_EQ(parse_visible_numbers("-1"), Numbers());
  EXPECT_EQ(parse_visible_numbers("0,-1,1"), Numbers({0}));
  EXPECT_EQ(parse_visible_numbers("0,0"), Numbers());
  EXPECT_EQ(parse_visible_numbers("0, 1, 2, 1"), Numbers());
  EXPECT_EQ(parse_visible_numbers("0, 1, 2, -1, 3"), Numbers({0, 1, 2}));
  EXPECT_EQ(parse_visible_numbers("2, +3, -0, 5"), Numbers({2, 3, 0, 5}));
  EXPECT_EQ(parse_visible_numbers("1gpu2,2ampere"), Numbers({1, 2}));
  EXPECT_EQ(parse_visible_numbers("one,two,3,4"), Numbers());
  EXPECT_EQ(parse_visible_numbers("4,3,two,one"), Numbers({4, 3}));
  EXPECT_EQ(parse_visible_numbers("0,,1"), Numbers({0}));
  EXPECT_EQ(parse_visible_numbers("0,GPU-1"), Numbers({0}));
  for (const char* zero : {" 0", "00", "0x1", "0.5"}) {
    EXPECT_EQ(parse_visible_numbers(zero), Numbers({0})) << zero;
  }
  EXPECT_EQ(parse_visible_numbers("+"), Numbers());
}

using Positions = std::vector<std::size_t>;

std::vector<PhysicalDevice> two_devices() {
  return {{"GPU-9e8d35e3", 100, 1}, {"GPU-9e8d4711", 100, 0}};
}

TEST(VisibleDevicesTest, CountsWhatIsThere) {
  auto visible = [](const char* text) { return visible_devices(two_devices(), text, nullptr); };
  EXPECT_EQ(visible(nullptr), Positions({0, 1}));
  EXPECT_EQ(visible("1,0"), Positions({1, 0}));
  EXPECT_EQ(visible("1,5,0"), Positions({1}));
  EXPECT_EQ(visible("2,+3,-0,5"), Positions());
  EXPECT_EQ(visible("GPU-9e8d4"), Positions({1}));
  EXPECT_EQ(visible("GPU-9e8d4,GPU-9e8d3"), Positions({1, 0}));
  EXPECT_EQ(visible("GPU-9e8d"), Positions()) << "ambiguous";
  EXPECT_EQ(visible("GPU-9e8d4,2"), Positions({1}));
  EXPECT_EQ(visible("GPU-9e8d4,GPU-9e8d47"), Positions()) << "twice the same";
  EXPECT_EQ(visible("gpu-9e8d4"), Positions());
}

TEST(VisibleDevicesTest, OrdersByBusOrBySpeed) {
  std::vector<PhysicalDevice> devices = {{"GPU-a", 10, 0}, {"GPU-b", 30, 1}, {"GPU-c", 20, 2}};
  EXPECT_EQ(visible_devices(devices, nullptr, nullptr), Positions({1, 2, 0}));
  EXPECT_EQ(visible_devices(devices, nullptr, "FASTEST_FIRST"), Positions({1, 2, 0}));
  EXPECT_EQ(visible_devices(devices, nullptr, "PCI_BUS_ID"), Positions({0, 1, 2}));
  EXPECT_EQ(visible_devices(devices, "2,0", "PCI_BUS_ID"), Positions({2, 0}));
}

TEST(VisibleDevicesTest, PutsTheMostFreeMemoryFirst) {
  EXPECT_EQ(order_by_free_memory({10362, 10058, 9990, 9990}), "0,1,3,2");
  EXPECT_EQ(order_by_free_memory({1, 5, 3}), "1,2,0");
  EXPECT_EQ(order_by_free_memory({}), "");
}

// What count_visible_virtual_devices() gives and says in this environment; nullptr: not set.
std::string virtual_devices(const char* there, const char* visible) {
  auto set = [](const char* name, const char* value) {
    if (value == nullptr) {
      unsetenv(name);
    } else {
      setenv(name, value, 1);
    }
  };
  set("PLACECHECK_VIRTUAL_DEVICES", there);
  set("CUDA_VISIBLE_DEVICES", visible);
  std::string said;
  const int count = count_visible_virtual_devices([&](const std::string& text) { said = text; });
  set("PLACECHECK_VIRTUAL_DEVICES", nullptr);
  set("CUDA_VISIBLE_DEVICES", nullptr);
  return std::to_string(count) + (said.empty() ? "" : ": ") + said;
}

TEST(VirtualDevicesTest, AreCountedFromTheEnvironment) {
  EXPECT_EQ(virtual_devices(nullptr, nullptr), "2");
  EXPECT_EQ(virtual_devices("", nullptr), "2");
  EXPECT_EQ(virtual_devices("0", nullptr), "0");
  EXPECT_EQ(virtual_devices("4", nullptr), "4");
  EXPECT_EQ(virtual_devices("4", "3,1"), "2");
  EXPECT_EQ(virtual_devices("4", "3,9,1"), "1");
  EXPECT_EQ(virtual_devices("4", ""), "0");
  EXPECT_EQ(virtual_devices("4", "GPU-2"), "1");
}

TEST(VirtualDevicesTest, AreNeverMoreThanTablesHold) {
  EXPECT_EQ(virtual_devices("65", nullptr), "64");
  EXPECT_EQ(virtual_devices("99999999999999999999999", nullptr), "64");
}

TEST(VirtualDevicesTest, ComplainsOfWhatIsNoNumber) {
  for (const char* text : {"two", "-1", "2x", " "}) {
    EXPECT_EQ(virtual_devices(text, nullptr),
              "2: PLACECHECK_VIRTUAL_DEVICES must be a number, but is '" + std::string(text) +
                  "'; using 2");
  }
}

TEST(VirtualDevicesTest, SizesOfMemoryHaveUnits) {
  constexpr std::size_t kGiB = std::size_t{1} << 30;
  EXPECT_EQ(parse_bytes("4096"), std::size_t{4096});
  EXPECT_EQ(parse_bytes("16GiB"), 16 * kGiB);
  EXPECT_EQ(parse_bytes("1.5g"), kGiB + kGiB / 2);
  EXPECT_EQ(parse_bytes("512 MB"), std::size_t{512'000'000});
  EXPECT_EQ(parse_bytes("64k"), std::size_t{65536});
  for (const char* text : {"", "0", "-1", "GiB", "16 apples", "16GiBs", "1e40", "nan"}) {
    EXPECT_EQ(parse_bytes(text), std::nullopt) << text;
  }
}

TEST(ShapeTest, ChunksAreOfOneSizeButForTheLast) {
  using Sizes = std::vector<std::int64_t>;
  const std::vector<Sizes> kOfFour = {{1},       {1, 1},      {1, 1, 1},    {1, 1, 1, 1},
                                      {2, 2, 1}, {2, 2, 2},   {2, 2, 2, 1}, {2, 2, 2, 2},
                                      {3, 3, 3}, {3, 3, 3, 1}};
  for (std::size_t length = 1; length <= kOfFour.size(); ++length) {
    EXPECT_EQ(chunk_sizes(static_cast<std::int64_t>(length), 4), kOfFour[length - 1]) << length;
  }
  EXPECT_EQ(chunk_sizes(0, 3), Sizes({0, 0, 0}));
}

TEST(ShapeTest, BroadcastsAndInfers) {
  EXPECT_EQ(broadcast({3, 1}, {4}), Shape({3, 4}));
  EXPECT_EQ(error_of([] { broadcast({3, 2}, {4}); }),
            "The size of tensor a (2) must match the size of tensor b (4) at non-singleton "
            "dimension 1");
  EXPECT_EQ(infer_size({2, -1}, 6), Shape({2, 3}));
  EXPECT_EQ(error_of([] { infer_size({4, -1}, 6); }),
            "shape '[4, -1]' is invalid for input of size 6");
  EXPECT_EQ(error_of([] { wrap_dim(2, 2); }),
            "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
}

}  // namespace
}  // namespace placecheck::runtime
