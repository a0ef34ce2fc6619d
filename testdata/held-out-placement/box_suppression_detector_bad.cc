#include <torch/torch.h>

#include <iostream>
#include <vector>

// Greedy non-maximum suppression on the host, after a detector on the GPU.

torch::Tensor iou_matrix(const torch::Tensor& boxes) {
  auto area = (boxes.select(1, 2) - boxes.select(1, 0)) * (boxes.select(1, 3) - boxes.select(1, 1));
  auto a = boxes.unsqueeze(1), b = boxes.unsqueeze(0);
  auto lower = torch::max(a.slice(2, 0, 2), b.slice(2, 0, 2));
  auto upper = torch::min(a.slice(2, 2, 4), b.slice(2, 2, 4));
  auto inter = (upper - lower).clamp_min(0).prod(2);
  return inter / (area.unsqueeze(0) + area.unsqueeze(1) - inter);
}

torch::Tensor nms(const torch::Tensor& boxes, const torch::Tensor& scores, float limit) {
  auto order_t = scores.argsort(0, true).cpu();
  auto iou_t = iou_matrix(boxes).cpu();
  auto order = order_t.accessor<int64_t, 1>();
  auto iou = iou_t.accessor<float, 2>();
  std::vector<int64_t> keep;
  for (int64_t k = 0; k < order.size(0); ++k) {
    bool suppressed = false;
    for (int64_t kept : keep) suppressed = suppressed || iou[order[k]][kept] > limit;
    if (!suppressed) keep.push_back(order[k]);
  }
  return torch::tensor(keep, torch::kLong);
}

struct Detections {
  torch::Tensor boxes, scores;
};

class BoxHead {
 public:
  BoxHead(int64_t features, torch::Device device) : boxes_(features, 4), scores_(features, 1) {
    boxes_->to(device);
    scores_->to(device);
  }

  Detections operator()(const torch::Tensor& features) {
    auto raw = torch::sigmoid(boxes_->forward(features));
    auto corner = raw.slice(1, 0, 2);
    auto boxes = torch::cat({corner, corner + raw.slice(1, 2, 4)}, 1);
    return {boxes, torch::sigmoid(scores_->forward(features)).squeeze(1)};
  }

 private:
  torch::nn::Linear boxes_, scores_;
};

int main() {
  torch::manual_seed(14);
  torch::NoGradGuard no_grad;
  torch::Device device(torch::kCUDA, 0);

  BoxHead head(8, device);
  auto found = head(torch::randn({12, 8}, device));
  auto keep = nms(found.boxes, found.scores, 0.6f);
  std::cout << "kept " << keep.size(0) << " of " << found.boxes.size(0) << "\n";

  auto boxes = found.boxes.index_select(0, keep); // expect: device-mismatch
  auto scores = found.scores.index_select(0, keep); // expect: device-mismatch
  std::cout << torch::cat({boxes, scores.unsqueeze(1)}, 1).cpu() << "\n";
  return 0;
}
