#include "runtime/data/data_loader.h"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>

#include "runtime/autograd/grad_mode.h"
#include "runtime/backend/generator.h"
#include "runtime/core/check.h"
#include "runtime/core/random.h"
#include "runtime/core/rethrow.h"
#include "runtime/tensor/functions.h"

namespace placecheck::runtime::data {

TensorDataset::TensorDataset(Tensor data, Tensor target)
    : data_(std::move(data)), target_(std::move(target)) {
  check(data_.size(0) == target_.size(0), "Size mismatch between tensors: ", data_.size(0),
        " examples, ", target_.size(0), " targets");
}

std::size_t TensorDataset::size() const { return static_cast<std::size_t>(data_.size(0)); }

Example TensorDataset::get(std::size_t index) const {
  auto row = static_cast<std::int64_t>(index);
  return {data_[row], target_[row]};
}

namespace {

using Batches = std::vector<std::vector<std::size_t>>;

std::vector<std::size_t> order_of(std::size_t count, bool is_shuffled) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!is_shuffled) return order;
  RandomRange range = take_random(kCPU, static_cast<std::int64_t>(count));
  for (std::size_t i = count; i > 1; --i) {
    double chance = uniform_at(range.seed, range.first + i);
    std::swap(order[i - 1], order[static_cast<std::size_t>(chance * static_cast<double>(i))]);
  }
  return order;
}

Batches batches_of(std::size_t count, const DataLoaderOptions& options) {
  std::vector<std::size_t> order = order_of(count, options.shuffle());
  Batches batches;
  for (std::size_t start = 0; start < count; start += options.batch_size()) {
    std::size_t end = std::min(count, start + options.batch_size());
    if (options.drop_last() && end - start < options.batch_size()) break;
    batches.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(start),
                         order.begin() + static_cast<std::ptrdiff_t>(end));
  }
  return batches;
}

Example read_batch(const Dataset& dataset, const std::vector<std::size_t>& indices, bool pinned) {
  NoGradGuard no_grad;
  TensorList data;
  TensorList targets;
  for (std::size_t index : indices) {
    Example example = dataset.get(index);
    data.push_back(example.data);
    targets.push_back(example.target);
  }
  Example batch{stack(data), stack(targets)};
  if (pinned) batch = {batch.data.pin_memory(), batch.target.pin_memory()};
  return batch;
}

}  // namespace

// Workers take batches by turns and hand them over in order; none is more than two ahead of the
// reader for each worker.
class Epoch {
 public:
  Epoch(std::shared_ptr<const Dataset> dataset, const DataLoaderOptions& options)
      : dataset_(std::move(dataset)),
        options_(options),
        batches_(batches_of(dataset_->size(), options)) {
    for (std::size_t i = 0; i < options.workers(); ++i) {
      workers_.emplace_back([this, i] { work(i); });
    }
  }

  ~Epoch() {
    {
      std::lock_guard lock(mutex_);
      is_closing_ = true;
    }
    changed_.notify_all();
    for (std::thread& worker : workers_) worker.join();
  }

  std::optional<Example> next() {
    if (next_to_give_ == batches_.size()) return std::nullopt;
    if (workers_.empty()) return read_batch(*dataset_, batches_[next_to_give_++], pinned());
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return ready_.contains(next_to_give_); });
    Ready ready = std::move(ready_.extract(next_to_give_).mapped());
    ++next_to_give_;
    changed_.notify_all();
    if (ready.error) rethrow_from(ready.error, text_of("in DataLoader worker ", ready.worker));
    return std::move(ready.batch);
  }

 private:
  struct Ready {
    Example batch;
    std::exception_ptr error;
    std::size_t worker = 0;
  };

  bool pinned() const { return options_.pin_memory(); }

  void work(std::size_t worker) {
    std::unique_lock lock(mutex_);
    while (true) {
      changed_.wait(lock, [this] {
        bool may_read = next_to_read_ < next_to_give_ + 2 * options_.workers();
        return is_closing_ || next_to_read_ == batches_.size() || may_read;
      });
      if (is_closing_ || next_to_read_ == batches_.size()) return;
      std::size_t number = next_to_read_++;
      lock.unlock();
      Ready ready{{}, nullptr, worker};
      try {
        ready.batch = read_batch(*dataset_, batches_[number], pinned());
      } catch (...) {
        ready.error = std::current_exception();
      }
      lock.lock();
      ready_.emplace(number, std::move(ready));
      changed_.notify_all();
    }
  }

  std::shared_ptr<const Dataset> dataset_;
  DataLoaderOptions options_;
  Batches batches_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::size_t, Ready> ready_;
  std::size_t next_to_read_ = 0;
  std::size_t next_to_give_ = 0;
  bool is_closing_ = false;
  std::vector<std::thread> workers_;
};

DataLoader::DataLoader(std::shared_ptr<const Dataset> dataset, const DataLoaderOptions& options)
    : dataset_(std::move(dataset)), options_(options) {
  check<ValueError>(
      options.batch_size() > 0,
      "batch_size should be a positive integer value, but got batch_size=", options.batch_size());
}

DataLoader::Iterator DataLoader::begin() const {
  return Iterator(std::make_shared<Epoch>(dataset_, options_));
}
DataLoader::Iterator DataLoader::end() const { return {}; }

std::size_t DataLoader::size() const {
  std::size_t rest = options_.drop_last() ? 0 : options_.batch_size() - 1;
  return (dataset_->size() + rest) / options_.batch_size();
}

DataLoader::Iterator::Iterator(std::shared_ptr<Epoch> epoch)
    : epoch_(std::move(epoch)), current_(epoch_->next()) {}

const Example& DataLoader::Iterator::operator*() const {
  if (!current_) throw Error("there is no batch behind the last one");
  return *current_;
}

DataLoader::Iterator& DataLoader::Iterator::operator++() {
  current_ = epoch_->next();
  return *this;
}

}  // namespace placecheck::runtime::data
