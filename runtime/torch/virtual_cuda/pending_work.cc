#include "runtime/torch/virtual_cuda/pending_work.h"

#include <mutex>
#include <vector>

namespace placecheck::virtual_cuda {
namespace {

struct Register {
  std::mutex mutex;
  std::vector<std::weak_ptr<PendingWork>> works;
};

// Never destroyed: groups of the program may end after static objects.
Register& the_register() {
  static auto* all = new Register;
  return *all;
}

// What lives, without the lock: to finish it may take other threads that add theirs.
std::vector<std::shared_ptr<PendingWork>> living() {
  Register& all = the_register();
  std::lock_guard<std::mutex> lock(all.mutex);
  std::vector<std::shared_ptr<PendingWork>> result;
  std::erase_if(all.works, [&](const std::weak_ptr<PendingWork>& known) {
    auto work = known.lock();
    const bool is_gone = work == nullptr;
    if (!is_gone) result.push_back(std::move(work));
    return is_gone;
  });
  return result;
}

}  // namespace

void add_pending_work(const std::shared_ptr<PendingWork>& work) {
  Register& all = the_register();
  std::lock_guard<std::mutex> lock(all.mutex);
  all.works.push_back(work);
}

void finish_pending_work() {
  for (const auto& work : living()) work->finish();
}

}  // namespace placecheck::virtual_cuda
