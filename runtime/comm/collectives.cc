#include "runtime/comm/collectives.h"

#include <algorithm>
#include <string>

#include "runtime/autograd/grad_mode.h"
#include "runtime/backend/devices.h"
#include "runtime/comm/buckets.h"
#include "runtime/core/check.h"
#include "runtime/core/warning.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime::comm {
namespace {

Device cuda_device(DeviceIndex index) {
  check(index >= 0, "Expected non-negative device index, but got ", index);
  return {kCUDA, index};
}

Device or_current(const std::optional<Device>& destination) {
  return destination ? resolved(*destination) : Device(kCUDA, current_device());
}

// 2x3
std::string joined_sizes(const Shape& sizes) {
  std::string text;
  for (std::int64_t size : sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text;
}

// All must fit side by side. Gives the sizes of the whole.
Shape gathered_sizes(const TensorList& tensors, std::int64_t dim) {
  const Shape& first = tensors[0].sizes();
  auto where = static_cast<std::size_t>(wrap_dim(dim, static_cast<std::int64_t>(first.size())));
  Shape whole = first;
  whole[where] = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Shape& sizes = tensors[i].sizes();
    check(sizes.size() == first.size(),
          "Expected all input tensors to have the same number of dimensions, but tensor at index ",
          i, "has ", sizes.size(), " dimensions, (expected ", first.size(), ")");
    Shape expected = first;
    expected[where] = sizes[where];
    check(sizes == expected, "Input tensor at index ", i, " has invalid shape ", sizes,
          ", but expected ", expected);
    whole[where] += sizes[where];
  }
  return whole;
}

// 0-dim tensors become vectors of one, if all are, and the dimension is the first.
TensorList with_dimensions(const TensorList& tensors, std::int64_t dim) {
  auto is_scalar = [](const Tensor& tensor) { return tensor.dim() == 0; };
  bool all_scalars = std::all_of(tensors.begin(), tensors.end(), is_scalar);
  if (!all_scalars || dim != 0) {
    bool any_scalar = std::any_of(tensors.begin(), tensors.end(), is_scalar);
    check<IndexError>(!any_scalar, "Dimension specified as ", dim, " but tensor has no dimensions");
    return tensors;
  }
  warn(
      "Was asked to gather along dimension 0, but all input tensors were scalars; will instead "
      "unsqueeze and return a vector.");
  TensorList rows;
  for (const Tensor& tensor : tensors) rows.push_back(tensor.view({1}));
  return rows;
}

void check_sources(const TensorList& tensors) {
  check(!tensors.empty(), "Expected at least one tensor to gather from");
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    check(tensors[i].is_cuda(),
          "Expected all input tensors to be CUDA tensors, but tensor at index ", i, " has device ",
          tensors[i].device());
  }
}

DeviceList devices_of(const TensorList& tensors) {
  DeviceList devices;
  for (const Tensor& tensor : tensors) devices.push_back(tensor.device().index());
  return devices;
}

// The sum, whose root is the last tensor that is there already, as PyTorch's is.
Tensor sum_on(const TensorList& tensors, const Device& destination) {
  std::size_t root = tensors.size();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].device() == destination) root = i;
  }
  check(root < tensors.size(),
        "reduce_add expects destination to be on the same GPU with one of the tensors");
  if (tensors.size() == 1) return tensors[0];
  TensorList dense;
  for (const Tensor& tensor : tensors) dense.push_back(tensor.contiguous());
  return group_of(devices_of(dense)).reduce(dense, root);
}

}  // namespace

TensorList broadcast(const Tensor& tensor, const DeviceList& devices) {
  NoGradGuard no_grad;
  Tensor source = tensor.detach();
  TensorList copies;
  bool is_given = false;
  for (DeviceIndex index : devices) {
    Device device = cuda_device(index);
    bool is_first_here = device == source.device() && !is_given;
    copies.push_back(is_first_here               ? source
                     : device == source.device() ? source.clone()
                                                 : source.to(device));
    is_given = is_given || is_first_here;
  }
  return copies;
}

std::vector<TensorList> broadcast_coalesced(const TensorList& tensors, const DeviceList& devices,
                                            std::size_t buffer_bytes) {
  NoGradGuard no_grad;
  Device source = cuda_device(devices.at(0));
  for (const Tensor& tensor : tensors) {
    check(tensor.device() == source, "All tensors must be on devices[0]: ", source.index());
  }
  std::vector<TensorList> results(devices.size(), TensorList(tensors.size()));
  results[0] = tensors;
  if (devices.size() == 1) return results;
  for (const Bucket& bucket : make_buckets(tensors, buffer_bytes)) {
    TensorList flat = {flattened(tensors, bucket)};
    for (std::size_t d = 1; d < devices.size(); ++d) {
      flat.push_back(make_tensor(flat[0].sizes(), flat[0].dtype(), cuda_device(devices[d])));
    }
    group_of(devices).broadcast(flat, 0);
    for (std::size_t d = 1; d < devices.size(); ++d) {
      unflatten(flat[d], tensors, bucket, results[d]);
    }
  }
  return results;
}

TensorList scatter(const Tensor& tensor, const DeviceList& devices,
                   const std::optional<std::vector<std::int64_t>>& sizes, std::int64_t dim) {
  NoGradGuard no_grad;
  check(!devices.empty(), "Expected at least one device to scatter to");
  check(!sizes || sizes->size() == devices.size(),
        "Expected devices and chunk_sizes to be of same length, but got len(devices) = ",
        devices.size(), " and len(chunk_sizes) = ", sizes ? sizes->size() : 0);
  Tensor source = tensor.detach();
  TensorList pieces = sizes ? source.split_with_sizes(*sizes, dim)
                            : source.chunk(static_cast<std::int64_t>(devices.size()), dim);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    pieces[i] = pieces[i].to(cuda_device(devices[i]), /*non_blocking=*/true);
  }
  return pieces;
}

Tensor gather(const TensorList& tensors, std::int64_t dim,
              const std::optional<Device>& destination) {
  NoGradGuard no_grad;
  check_sources(tensors);
  TensorList parts = with_dimensions(tensors, dim);
  std::int64_t where = wrap_dim(dim, parts[0].dim());
  Tensor whole =
      make_tensor(gathered_sizes(parts, where), parts[0].dtype(), or_current(destination));
  std::int64_t start = 0;
  for (const Tensor& part : parts) {
    std::int64_t length = part.size(where);
    whole.narrow(where, start, length).copy_(part);
    start += length;
  }
  return whole;
}

Tensor reduce_add(const TensorList& tensors, const std::optional<Device>& destination) {
  NoGradGuard no_grad;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    check(tensors[i].is_cuda(), "reduce_add expects all inputs to be on GPUs, but input ", i,
          " is on CPU");
    check<ValueError>(tensors[i].sizes() == tensors[0].sizes(), "input ", i,
                      " has invalid size: got ", joined_sizes(tensors[i].sizes()),
                      ", but expected ", joined_sizes(tensors[0].sizes()));
  }
  return sum_on(tensors, or_current(destination));
}

TensorList reduce_add_coalesced(const std::vector<TensorList>& lists,
                                const std::optional<Device>& destination,
                                std::size_t buffer_bytes) {
  NoGradGuard no_grad;
  Device target = or_current(destination);
  std::size_t count = lists.at(0).size();
  TensorList sums(count);
  TensorList everywhere(count);  // what all lists have, which can travel together
  for (std::size_t i = 0; i < count; ++i) {
    TensorList present;
    for (const TensorList& list : lists) {
      if (list[i].defined()) present.push_back(list[i]);
    }
    if (present.size() == lists.size()) {
      everywhere[i] = lists[0][i];
    } else if (!present.empty()) {
      if (present[0].device() != target) present[0] = present[0].to(target);
      sums[i] = sum_on(present, target);
    }
  }
  for (const Bucket& bucket : make_buckets(everywhere, buffer_bytes)) {
    TensorList flat;
    for (const TensorList& list : lists) flat.push_back(flattened(list, bucket));
    unflatten(sum_on(flat, target), everywhere, bucket, sums);
  }
  return sums;
}

void all_reduce(const TensorList& tensors) {
  check(!tensors.empty(), "input sequence can't be empty");
  NoGradGuard no_grad;
  Tensor total = reduce_add(tensors, tensors[0].device());
  for (const Tensor& tensor : tensors) tensor.copy_(total);
}

}  // namespace placecheck::runtime::comm
