// How much memory the files that are parsed at the same time may take together: big ones take
// turns instead of bringing the machine down.
//
// Threads: any. Errors: none; a share larger than the whole is let in alone.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>

namespace placecheck {

// Measured on files that include all of libtorch, in MB.
inline constexpr uint64_t kPlainParse = 500;
inline constexpr uint64_t kParseOverHeader = 250;

class MemoryBudget {
 public:
  // `limit` in MB; 0: three quarters of the machine's memory.
  explicit MemoryBudget(uint64_t limit);

  class Share {
   public:
    Share(MemoryBudget& budget, uint64_t size);  // waits until there is room
    ~Share() { shrink(0); }
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;

    void shrink(uint64_t size);

   private:
    MemoryBudget& budget_;
    uint64_t size_;
  };

 private:
  std::mutex mutex_;
  std::condition_variable freed_;
  uint64_t limit_;
  uint64_t used_ = 0;
};

}  // namespace placecheck
