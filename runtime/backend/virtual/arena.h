// The memory of one virtual GPU: a range of addresses of its own, so that a pointer tells which
// device it belongs to. Blocks are reused in the order of the stream that frees them, as by CUDA's
// caching allocators. Threads: methods lock. It knows nothing of guards or of time.
#ifndef PLACECHECK_RUNTIME_BACKEND_VIRTUAL_ARENA_H_
#define PLACECHECK_RUNTIME_BACKEND_VIRTUAL_ARENA_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <unordered_map>

namespace placecheck::runtime {

class Arena {
 public:
  struct Block {
    std::size_t start = 0;  // from the arena's begin
    std::size_t size = 0;
    std::size_t asked = 0;
    int stream = 0;
  };

  explicit Arena(std::int64_t capacity);
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // A block whose earlier use is over for work on `stream`; none if there is no such room.
  std::optional<Block> allocate(std::size_t bytes, int stream);
  // The block that starts at `data`.
  Block block_of(const void* data) const;
  // Makes the block available to its stream.
  void release(const Block& block);
  // All streams have come to rest: what they freed is free for any of them.
  void forget_streams();

  bool contains(const void* data) const;
  char* begin() const { return base_; }
  void* address(const Block& block) const { return base_ + block.start; }
  std::int64_t capacity() const { return static_cast<std::int64_t>(capacity_); }
  std::int64_t used() const;

 private:
  struct Free {
    std::size_t size;
    int stream;
  };
  using FreeList = std::map<std::size_t, Free>;  // by start

  FreeList::iterator find_room(std::size_t size, int stream);
  void insert_free(std::size_t start, Free range);

  mutable std::mutex mutex_;
  char* base_ = nullptr;
  std::size_t capacity_;
  std::size_t used_ = 0;
  FreeList free_;
  std::unordered_map<std::size_t, Block> blocks_;
};

}  // namespace placecheck::runtime

#endif  // PLACECHECK_RUNTIME_BACKEND_VIRTUAL_ARENA_H_
