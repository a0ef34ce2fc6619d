// The virtual CUDA devices of this process: how many there are, how much memory each has, whose
// memory an address is, which device is current, and the error that leaves them unusable.
//
// A process has one machine, whoever serves CUDA in it: the libtorch devices, the CUDA runtime and
// the reference runtime each link this library, alone or together, preloaded, linked or opened
// later. Whoever asks first makes the machine; the others find it by a symbol that the dynamic
// linker keeps unique.
//
// The environment is read once, at the first question: PLACECHECK_VIRTUAL_DEVICES,
// CUDA_VISIBLE_DEVICES and PLACECHECK_VIRTUAL_MEMORY (see core/virtual_devices.h).
//
// Ownership: the machine is never destroyed; a Block belongs to who adds it. Thread-safe; a child
// process that is forked finds the machine as it was.
#ifndef PLACECHECK_RUNTIME_DEVICES_MACHINE_H_
#define PLACECHECK_RUNTIME_DEVICES_MACHINE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

// Libraries whose machines have another layout do not share one: raise it with each change here.
#define PLACECHECK_MACHINE_VERSION v3

namespace placecheck::devices {
inline namespace PLACECHECK_MACHINE_VERSION {

enum class MemoryKind : std::uint8_t {
  kDevice,   // of one device
  kPinned,   // of the host, and in every device's reach
  kManaged,  // everybody's
};

// A range of addresses with a known place.
struct Extent {
  MemoryKind kind = MemoryKind::kDevice;
  int device = 0;  // where it was made
  char* begin = nullptr;
  std::size_t bytes = 0;
  // Where the virtual runtimes access it, if not at `begin`: the program's own pointer may allow no
  // access.
  char* alias = nullptr;
};

// An extent as the machine keeps it: must not move or change between add() and remove().
struct Block : Extent {
  Block() = default;
  explicit Block(const Extent& extent) : Extent(extent) {}
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  // Somebody asked for what lies at one of its addresses.
  mutable std::atomic<bool> is_asked_for{false};

  // The machine's own.
  Block* previous = nullptr;
  Block* next = nullptr;
};

class Machine {
 public:
  // How many devices the program sees.
  virtual int device_count() = 0;
  // This thread's; 0 at first. Who sets it checks the number.
  virtual int& current_device() noexcept = 0;

  virtual void add(Block& block) = 0;
  virtual void remove(Block& block) noexcept = 0;
  // What lies at an address; none where the machine does not know it. Empty blocks have their
  // first address.
  virtual std::optional<Extent> find(const void* address) noexcept = 0;
  // The memory of a device that the machine knows, in no order.
  virtual std::vector<Extent> extents_on(int device) = 0;

  // Bytes of each device.
  virtual std::size_t memory_limit() = 0;
  // Takes memory of a device; false where there is not so much left.
  virtual bool charge(int device, std::size_t bytes) noexcept = 0;
  virtual void discharge(int device, std::size_t bytes) noexcept = 0;
  // Taken by all who serve CUDA.
  virtual std::size_t used(int device) noexcept = 0;

  // CUDA's code (cudaError_t) that every later call returns; 0 while all is well.
  virtual int sticky_error() const noexcept = 0;
  virtual void set_sticky_error(int code) noexcept = 0;

 protected:
  ~Machine() = default;
};

Machine& machine();

// Whether this process has counted its devices: what its environment says from then on has no
// effect. False in a child that was forked, which starts programs of its own.
bool has_counted_devices() noexcept;

}  // namespace PLACECHECK_MACHINE_VERSION
}  // namespace placecheck::devices

#endif  // PLACECHECK_RUNTIME_DEVICES_MACHINE_H_
