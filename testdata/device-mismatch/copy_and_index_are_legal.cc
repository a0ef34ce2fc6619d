// What may cross devices: copies, slice assignment, index tensors on the CPU. And what may not.
#include <torch/torch.h>

using torch::indexing::Slice;

int main() {
  auto table = torch::rand({10, 4}, torch::kCUDA);
  auto rows = torch::rand({3, 4});
  auto ids = torch::tensor({1, 2, 5});

  table.index_put_({Slice(0, 3)}, rows);
  table.slice(0, 3, 6).copy_(rows);
  rows.copy_(table.slice(0, 0, 3));
  table[0].copy_(rows[0]);
  auto picked = table.index({ids});
  auto masked = table.index({ids, Slice(0, 2)});
  table.index_put_({ids}, torch::zeros({3, 4}, torch::kCUDA));
  torch::zeros({10, 4}).index_put_({ids.to(torch::kCUDA)}, 1.0);
  table.masked_fill_(table > 0.5, 0);
  table.fill_(torch::tensor(1.0));

  auto host_table = torch::rand({10, 4});
  auto device_ids = ids.to(torch::kCUDA);
  auto wrong = host_table.index({device_ids});        // expect: device-mismatch
  auto selected = torch::index_select(table, 0, ids);  // expect: device-mismatch
  return 0;
}
