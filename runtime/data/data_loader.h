// Batches out of a data set, in order or shuffled, read ahead by threads and placed in pinned
// memory where that is asked for.
//
//   data::DataLoader loader(data::TensorDataset(inputs, targets), data::DataLoaderOptions(16));
//   for (const data::Example& batch : loader) { ... batch.data.to(device) ... }
//
// Ownership: shares the data set. Threads: one that iterates; the loader's own read examples at the
// same time, so that a data set's get() must allow that. Errors: what get() throws is raised where
// the batch is asked for, as the kind it is, and with the worker's number; the next batch follows.
#ifndef PLACECHECK_RUNTIME_DATA_DATA_LOADER_H_
#define PLACECHECK_RUNTIME_DATA_DATA_LOADER_H_

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/nn/options.h"
#include "runtime/tensor/tensor.h"

namespace placecheck::runtime::data {

struct Example {
  Tensor data;
  Tensor target;
};

class Dataset {
 public:
  virtual ~Dataset() = default;
  virtual std::size_t size() const = 0;
  virtual Example get(std::size_t index) const = 0;
};

// The rows of two tensors.
class TensorDataset : public Dataset {
 public:
  TensorDataset(Tensor data, Tensor target);
  std::size_t size() const override;
  Example get(std::size_t index) const override;

 private:
  Tensor data_;
  Tensor target_;
};

class DataLoaderOptions {
 public:
  DataLoaderOptions(std::size_t batch_size = 1) : batch_size_(batch_size) {}
  PLACECHECK_OPTION(std::size_t, batch_size, 1);
  PLACECHECK_OPTION(bool, shuffle, false);
  PLACECHECK_OPTION(bool, drop_last, false);
  // 0: batches are read where they are asked for.
  PLACECHECK_OPTION(std::size_t, workers, 0);
  PLACECHECK_OPTION(bool, pin_memory, false);
};

class DataLoader {
 public:
  class Iterator;

  template <std::derived_from<Dataset> Data>
  explicit DataLoader(Data dataset, const DataLoaderOptions& options = {})
      : DataLoader(std::make_shared<const Data>(std::move(dataset)), options) {}
  explicit DataLoader(std::shared_ptr<const Dataset> dataset,
                      const DataLoaderOptions& options = {});

  // Each begin() is an epoch of its own: another order, if shuffled.
  Iterator begin() const;
  Iterator end() const;
  std::size_t size() const;  // in batches

 private:
  std::shared_ptr<const Dataset> dataset_;
  DataLoaderOptions options_;
};

// One epoch under way; the threads end with it.
class Epoch;

class DataLoader::Iterator {
 public:
  Iterator() = default;
  explicit Iterator(std::shared_ptr<Epoch> epoch);

  // Throws behind the last batch.
  const Example& operator*() const;
  const Example* operator->() const { return &**this; }
  Iterator& operator++();
  friend bool operator==(const Iterator& a, const Iterator& b) {
    return a.current_.has_value() == b.current_.has_value();
  }

 private:
  std::shared_ptr<Epoch> epoch_;
  std::optional<Example> current_;
};

}  // namespace placecheck::runtime::data

#endif  // PLACECHECK_RUNTIME_DATA_DATA_LOADER_H_
