#include "runtime/parallel/functions.h"

#include "rules/device_mismatch.h"
#include "runtime/autograd/node.h"
#include "runtime/core/check.h"
#include "runtime/core/shape.h"
#include "runtime/tensor/functions.h"
#include "runtime/tensor/tensor_impl.h"

namespace placecheck::runtime::nn {
namespace {

using autograd::is_recorded;
using autograd::Pass;
using autograd::record;

comm::DeviceList devices_of(const TensorList& tensors) {
  comm::DeviceList devices;
  for (const Tensor& tensor : tensors) devices.push_back(tensor.device().index());
  return devices;
}

// Pieces of given sizes back to their devices; an operation itself, for gradients of gradients.
TensorList scatter_sizes(const Tensor& tensor, const comm::DeviceList& devices,
                         const std::vector<std::int64_t>& sizes, std::int64_t dim);

TensorList recorded_scatter(const Tensor& tensor, TensorList pieces, std::int64_t dim) {
  if (!is_recorded(tensor)) return pieces;
  auto options = tensor.options();
  std::vector<Shape> shapes;
  for (Tensor& piece : pieces) {
    if (piece.impl().storage == tensor.impl().storage) piece = piece.detach();
    shapes.push_back(piece.sizes());
  }
  comm::DeviceList devices = devices_of(pieces);
  record("Scatter", pieces, {tensor}, [options, shapes, devices, dim](Pass& pass) {
    TensorList grads = pass.grads();
    for (std::size_t i = 0; i < grads.size(); ++i) {
      if (!grads[i].defined()) grads[i] = zeros(shapes[i], options.device({kCUDA, devices[i]}));
    }
    pass.give(0, gather_tensors(grads, options.device(), dim));
  });
  return pieces;
}

TensorList scatter_sizes(const Tensor& tensor, const comm::DeviceList& devices,
                         const std::vector<std::int64_t>& sizes, std::int64_t dim) {
  return recorded_scatter(tensor, comm::scatter(tensor, devices, sizes, dim), dim);
}

// A tensor's own handle outside of the graph, over the same memory: what replica 0 writes in place
// reaches the original.
Tensor alias(const Tensor& tensor) { return tensor.detach(); }

}  // namespace

TensorList scatter_tensor(const Tensor& tensor, const comm::DeviceList& devices, std::int64_t dim) {
  return recorded_scatter(tensor, comm::scatter(tensor, devices, std::nullopt, dim), dim);
}

Tensor gather_tensors(const TensorList& tensors, const Device& destination, std::int64_t dim) {
  for (const Tensor& tensor : tensors) {
    check(tensor.is_cuda(), rules::device_mismatch::kGatherMessage);
  }
  Tensor whole = comm::gather(tensors, dim, destination);
  if (!is_recorded(tensors)) return whole;
  bool are_scalars = tensors[0].dim() == 0;
  std::vector<std::int64_t> sizes;
  for (const Tensor& tensor : tensors) sizes.push_back(are_scalars ? 1 : tensor.size(dim));
  record("Gather", {whole}, tensors,
         [devices = devices_of(tensors), sizes, dim, are_scalars](Pass& pass) {
           TensorList pieces = scatter_sizes(pass.grad(), devices, sizes, dim);
           for (std::size_t i = 0; i < pieces.size(); ++i) {
             pass.give(i, are_scalars ? pieces[i].reshape({}) : pieces[i]);
           }
         });
  return whole;
}

namespace {

// The sums of a second pass are operations, too: each is of the replicas that had a gradient.
void record_sum(Tensor& sum, const TensorList& parts) {
  if (!is_recorded(parts)) return;
  sum = alias(sum);
  record("ReduceAdd", {sum}, parts, [where = devices_of(parts)](Pass& pass) {
    for (std::size_t d = 0; d < where.size(); ++d) {
      pass.give(d, pass.grad().to(Device(kCUDA, where[d])));
    }
  });
}

TensorList defined_at(const std::vector<TensorList>& lists, std::size_t i) {
  TensorList parts;
  for (const TensorList& list : lists) {
    if (list[i].defined()) parts.push_back(list[i]);
  }
  return parts;
}

// The gradients of all copies, device by device, become those of the tensors.
void reduce_gradients(Pass& pass, const comm::DeviceList& devices, std::size_t count) {
  std::vector<TensorList> lists(devices.size());
  for (std::size_t d = 0; d < devices.size(); ++d) {
    auto first = pass.grads().begin() + static_cast<std::ptrdiff_t>(d * count);
    lists[d].assign(first, first + static_cast<std::ptrdiff_t>(count));
  }
  bool is_double = is_recorded(pass.grads());
  pass.grads().clear();
  TensorList sums = comm::reduce_add_coalesced(lists, Device(kCUDA, devices[0]));
  for (std::size_t i = 0; i < count; ++i) {
    if (is_double && sums[i].defined()) record_sum(sums[i], defined_at(lists, i));
    pass.give(i, std::move(sums[i]));
  }
}

// What nobody used gets zeros of what it is.
void fill_missing(Pass& pass) {
  for (std::size_t i = 0; i < pass.given().size(); ++i) {
    const autograd::Edge& edge = pass.node().next()[i];
    if (pass.given()[i].defined() || !edge.node) continue;
    const autograd::Expected& expected = edge.node->outputs()[edge.input];
    pass.give(i, zeros(expected.sizes, TensorOptions(expected.dtype).device(expected.device)));
  }
}

}  // namespace

std::vector<TensorList> broadcast_tensors(const TensorList& tensors,
                                          const comm::DeviceList& devices, const Compat& compat) {
  for (const Tensor& tensor : tensors) {
    check(tensor.is_cuda(), "Broadcast function not implemented for CPU tensors");
  }
  std::vector<TensorList> copies = comm::broadcast_coalesced(tensors, devices);
  for (Tensor& own : copies[0]) own = alias(own);
  if (!is_recorded(tensors)) return copies;
  TensorList outputs;
  for (const TensorList& list : copies) {
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i].requires_grad()) outputs.push_back(list[i]);
    }
  }
  TensorList inputs;
  for (const Tensor& tensor : tensors) {
    if (tensor.requires_grad()) inputs.push_back(tensor);
  }
  record("Broadcast", outputs, inputs, [devices, compat, count = inputs.size()](Pass& pass) {
    reduce_gradients(pass, devices, count);
    if (compat.strict_compat) fill_missing(pass);
  });
  return copies;
}

}  // namespace placecheck::runtime::nn
