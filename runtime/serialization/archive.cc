#include "runtime/serialization/archive.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <istream>
#include <limits>
#include <ostream>
#include <sstream>

#include "rules/invalid_device.h"
#include "rules/missing_map_location.h"
#include "runtime/autograd/grad_mode.h"
#include "runtime/backend/cuda_api.h"
#include "runtime/core/check.h"
#include "runtime/tensor/functions.h"

namespace placecheck::runtime {
namespace {

constexpr char kMagic[8] = {'P', 'C', 'S', 'T', 'A', 'T', 'E', '1'};
constexpr std::int64_t kMaxText = 1 << 20;
constexpr std::int64_t kMaxBytes = std::int64_t{1} << 40;

class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  void bytes(const void* data, std::size_t size) {
    out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  void number(std::int64_t value) { bytes(&value, sizeof value); }
  void text(const std::string& value) {
    number(static_cast<std::int64_t>(value.size()));
    bytes(value.data(), value.size());
  }
  void tensor(const Tensor& value) {
    number(static_cast<std::int64_t>(value.dtype()));
    text(value.device().str());
    number(value.dim());
    for (std::int64_t size : value.sizes()) number(size);
    Tensor host = value.detach().to(Device(kCPU)).contiguous();
    bytes(host.data_ptr(), static_cast<std::size_t>(host.numel()) * size_of(host.dtype()));
  }

 private:
  std::ostream& out_;
};

class Reader {
 public:
  Reader(std::istream& in, const MapLocation& map_location) : in_(in), map_location_(map_location) {
    std::streampos start = in.tellg();
    in.seekg(0, std::ios::end);
    left_ = static_cast<std::int64_t>(in.tellg() - start);
    in.seekg(start);
  }

  void bytes(void* data, std::int64_t size) {
    check(size <= left_, "unexpected end of a state archive: ", size, " bytes are wanted, ", left_,
          " are left");
    in_.read(static_cast<char*>(data), size);
    check(in_.good(), "a state archive cannot be read");
    left_ -= size;
  }
  std::int64_t number(std::int64_t least, std::int64_t most, const char* what) {
    std::int64_t value = 0;
    bytes(&value, sizeof value);
    check(value >= least && value <= most, "corrupt state archive: ", what, " is ", value);
    return value;
  }
  std::string text(const char* what) {
    std::string value(static_cast<std::size_t>(number(0, std::min(kMaxText, left_), what)), '\0');
    bytes(value.data(), static_cast<std::int64_t>(value.size()));
    return value;
  }
  Tensor tensor() {
    auto type =
        static_cast<ScalarType>(number(0, static_cast<std::int64_t>(kHalf), "an element type"));
    std::string tag = text("a device");
    Shape sizes;
    std::int64_t count = 1;
    for (std::int64_t dims = number(0, kMaxDims, "a number of dimensions"); dims > 0; --dims) {
      sizes.push_back(number(0, kMaxBytes, "a size"));
      check(sizes.back() == 0 || count <= kMaxBytes / sizes.back(),
            "corrupt state archive: a tensor of size ", sizes);
      count *= sizes.back();
    }
    std::int64_t size = count * static_cast<std::int64_t>(size_of(type));
    check(size <= left_, "unexpected end of a state archive: ", size, " bytes are wanted, ", left_,
          " are left");
    Device device = map_location_.resolve(tag);
    Tensor host = empty(sizes, type);
    bytes(host.data_ptr(), size);
    return host.to(device);
  }

 private:
  std::istream& in_;
  const MapLocation& map_location_;
  std::int64_t left_ = 0;
};

// A place that a map location names.
Device named_place(const std::string& name) {
  if (name == "cpu" || name.starts_with("cuda")) return Device(name);
  throw RuleError(rules::invalid_device::kRule,
                  "don't know how to restore data location of torch.storage.UntypedStorage (tagged "
                  "with " +
                      name + ")");
}

}  // namespace

MapLocation::MapLocation(const std::string& device)
    : resolve_([device](const std::string&) { return named_place(device); }) {}

MapLocation::MapLocation(Table table)
    : resolve_([table = std::move(table)](const std::string& tag) -> std::optional<Device> {
        auto found = table.find(tag);
        if (found == table.end()) return std::nullopt;
        return named_place(found->second);
      }) {}

Device MapLocation::resolve(const std::string& tag) const {
  namespace rule = rules::missing_map_location;
  std::optional<Device> wanted = resolve_ ? resolve_(tag) : std::nullopt;
  Device device = wanted ? *wanted : Device(tag);
  if (device.is_cpu()) return device;
  // The file's own device, or one that was asked for.
  const rules::Rule& broken = wanted ? rules::invalid_device::kRule : rule::kRule;
  if (!cuda::is_available()) throw RuleError(broken, rule::message());
  DeviceIndex index = device.has_index() ? device.index() : cuda::current_device();
  auto count = static_cast<DeviceIndex>(cuda::device_count());
  if (index < count) return {kCUDA, index};
  throw RuleError(broken,
                  text_of("Attempting to deserialize object on CUDA device ", index,
                          " but torch.cuda.device_count() is ", count,
                          ". Please use torch.load with map_location to map your storages to an "
                          "existing device."));
}

void save(const nn::StateDict& state_dict, std::ostream& out) {
  Writer writer(out);
  writer.bytes(kMagic, sizeof kMagic);
  writer.number(static_cast<std::int64_t>(state_dict.size()));
  for (const auto& item : state_dict) {
    writer.text(item.key());
    writer.tensor(item.value());
  }
  writer.number(static_cast<std::int64_t>(state_dict.versions.size()));
  for (const auto& [path, version] : state_dict.versions) {
    writer.text(path);
    writer.number(version);
  }
  // A full disk shows when what is buffered goes there, which a destructor would keep to itself.
  out.flush();
  check(out.good(), "a state archive cannot be written");
}

void save(const nn::StateDict& state_dict, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  check(out.is_open(), "open file failed because of errno ", errno,
        " on fopen: ", std::strerror(errno), ", file path: ", path);
  save(state_dict, out);
}

nn::StateDict load(std::istream& in, const MapLocation& map_location) {
  NoGradGuard no_grad;
  Reader reader(in, map_location);
  char magic[sizeof kMagic];
  reader.bytes(magic, sizeof magic);
  check(std::memcmp(magic, kMagic, sizeof magic) == 0, "Invalid magic number; corrupt file?");
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  nn::StateDict result;
  for (std::int64_t left = reader.number(0, kMost, "a number of tensors"); left > 0; --left) {
    std::string key = reader.text("a name");
    result.insert(std::move(key), reader.tensor());
  }
  for (std::int64_t left = reader.number(0, kMost, "a number of versions"); left > 0; --left) {
    std::string path = reader.text("a path");
    result.versions[path] = reader.number(0, kMost, "a version");
  }
  return result;
}

nn::StateDict load(const std::string& path, const MapLocation& map_location) {
  std::ifstream in(path, std::ios::binary);
  check(in.is_open(), "open file failed because of errno ", errno,
        " on fopen: ", std::strerror(errno), ", file path: ", path);
  return load(in, map_location);
}

}  // namespace placecheck::runtime
