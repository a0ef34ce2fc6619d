// Extents by address. Small ones are kept in lists by the 64 KiB in which they begin, so that
// adding and removing one allocates nothing; large ones, which are few, in an ordered map.
// Thread-safe.
#ifndef PLACECHECK_RUNTIME_DEVICES_EXTENT_REGISTER_H_
#define PLACECHECK_RUNTIME_DEVICES_EXTENT_REGISTER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "runtime/devices/machine.h"

namespace placecheck::devices {

class ExtentRegister {
 public:
  void add(Block& block);
  void remove(Block& block) noexcept;
  std::optional<Extent> find(const void* address) noexcept;
  // A device's own memory, in no order.
  std::vector<Extent> on(int device);

  // All locks at once, around fork().
  void lock_all();
  void unlock_all();

 private:
  static constexpr std::size_t kRegionBits = 16;
  static constexpr std::size_t kRegionBytes = std::size_t{1} << kRegionBits;
  static constexpr std::size_t kLists = 1024;

  struct List {
    std::mutex mutex;
    Block* first = nullptr;
  };

  static bool is_small(const Block& block) { return block.bytes <= kRegionBytes; }
  List& list_of(std::uintptr_t region) { return lists_[region % kLists]; }
  std::optional<Extent> find_small(std::uintptr_t region, const char* address) noexcept;
  std::optional<Extent> find_large(const char* address) noexcept;

  std::array<List, kLists> lists_;
  std::mutex large_mutex_;
  std::map<const char*, const Block*> large_;
};

}  // namespace placecheck::devices

#endif  // PLACECHECK_RUNTIME_DEVICES_EXTENT_REGISTER_H_
