// State dicts in files, in a simple format of this runtime's own: every tensor with its name, type,
// sizes, and the device that it was on. PyTorch's formats are not read here.
//
// Loading puts each tensor on the device its map location names, or else on the one it was on.
// Errors: RuleError, with PyTorch's texts, for devices that are not there: missing-map-location for
// the file's own, invalid-device for one that was asked for. core::Error for a file that cannot be
// written to its end; one that is cut short or is none of ours is refused before anything is
// allocated by its word.
#ifndef PLACECHECK_RUNTIME_SERIALIZATION_ARCHIVE_H_
#define PLACECHECK_RUNTIME_SERIALIZATION_ARCHIVE_H_

#include <functional>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>

#include "runtime/nn/state_dict.h"

namespace placecheck::runtime {

// Where what was on a device is to go: everything to one device; by the tag ("cuda:1"), where
// others stay; or as a function says, for which no answer means the tag's own device.
class MapLocation {
 public:
  using Table = std::map<std::string, std::string>;
  using Function = std::function<std::optional<Device>(const std::string& tag)>;

  MapLocation() = default;
  MapLocation(const Device& device) : MapLocation(device.str()) {}
  MapLocation(const char* device) : MapLocation(std::string(device)) {}
  MapLocation(const std::string& device);
  MapLocation(Table table);
  MapLocation(Function function) : resolve_(std::move(function)) {}

  // The device, which is there.
  Device resolve(const std::string& tag) const;

 private:
  Function resolve_;
};

void save(const nn::StateDict& state_dict, const std::string& path);
void save(const nn::StateDict& state_dict, std::ostream& out);

nn::StateDict load(const std::string& path, const MapLocation& map_location = {});
nn::StateDict load(std::istream& in, const MapLocation& map_location = {});

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_SERIALIZATION_ARCHIVE_H_
