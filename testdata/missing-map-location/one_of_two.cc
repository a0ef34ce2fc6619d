// Of two tensors that the program saved, one is loaded onto the device and one where it was.
#include <torch/torch.h>

#include <string>

struct Scale {
  torch::Tensor mean, deviation;

  void write(const std::string& stem) const {
    torch::save(mean, stem + "_mean.pt");
    torch::save(deviation, stem + "_deviation.pt");
  }

  static Scale read(const std::string& stem, const torch::Device& device) {
    Scale scale;
    torch::load(scale.mean, stem + "_mean.pt", device);
    torch::load(scale.deviation, stem + "_deviation.pt");  // expect: missing-map-location
    return scale;
  }

  torch::Tensor operator()(const torch::Tensor& x) const { return (x - mean) / deviation; }
};

int main() {
  torch::Tensor data = torch::rand({50, 6});
  Scale{data.mean(0), data.std(0)}.write("one_of_two");
  torch::Device device(torch::kCUDA);
  Scale scale = Scale::read("one_of_two", device);
  auto x = scale(data.to(device));
}
