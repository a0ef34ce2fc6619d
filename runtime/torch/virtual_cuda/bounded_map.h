// A map for what is noted of objects whose end is not told.
#ifndef PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_BOUNDED_MAP_H_
#define PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_BOUNDED_MAP_H_

#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace placecheck::virtual_cuda {

// By the address of the object; all entries are forgotten when there are too many. Thread-safe.
template <typename Note>
class BoundedMap {
 public:
  void set(const void* object, Note note) {
    const std::lock_guard<std::mutex> lock(mutex_);
    constexpr std::size_t kMost = 10000;
    if (notes_.size() >= kMost) notes_.clear();
    notes_.insert_or_assign(object, std::move(note));
  }

  std::optional<Note> find(const void* object) {
    const std::lock_guard<std::mutex> lock(mutex_);
    const auto found = notes_.find(object);
    return found == notes_.end() ? std::nullopt : std::optional(found->second);
  }

  std::vector<Note> all() {
    const std::lock_guard<std::mutex> lock(mutex_);
    std::vector<Note> notes;
    for (const auto& [object, note] : notes_) notes.push_back(note);
    return notes;
  }

 private:
  std::mutex mutex_;
  std::map<const void*, Note> notes_;
};

}  // namespace placecheck::virtual_cuda

#endif  // PLACECHECK_RUNTIME_TORCH_VIRTUAL_CUDA_BOUNDED_MAP_H_
