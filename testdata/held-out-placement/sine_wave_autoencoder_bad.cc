#include <torch/torch.h>
#include <cstdio>

using namespace torch;

struct Autoencoder : nn::Module {
    Autoencoder()
        : enc(nn::LinearOptions(12, 4)), dec(nn::LinearOptions(4, 12)) {
        register_module("enc", enc);
        register_module("dec", dec);
    }
    Tensor forward(Tensor x) {
        Tensor code = torch::tanh(enc(x));
        return dec(code);
    }
    nn::Linear enc, dec;
};

static Tensor make_data(int n)
{
    Tensor t = torch::linspace(0, 6.28, 12).unsqueeze(0);
    Tensor phase = torch::rand({n, 1}) * 6.28;
    return torch::sin(t + phase);
}

int main()
{
    torch::manual_seed(42);
    auto model = std::make_shared<Autoencoder>();

    Device device(kCPU);
    if (torch::cuda::is_available()) {
        std::printf("CUDA is available, training on the GPU\n");
        Device device(kCUDA, 0);
        model->to(device);
    } else {
        std::printf("training on the CPU\n");
    }

    optim::Adam opt(model->parameters(), optim::AdamOptions(1e-2));
    Tensor data = make_data(64);

    const int batch_size = 16;
    for (int epoch = 0; epoch < 3; ++epoch) {
        double sum = 0;
        Tensor order = torch::randperm(data.size(0));
        for (int start = 0; start < data.size(0); start += batch_size) {
            Tensor rows = order.slice(0, start, start + batch_size);
            Tensor x = data.index_select(0, rows).to(device);
            opt.zero_grad();
            Tensor y = model->forward(x); // expect: device-mismatch
            Tensor loss = torch::mse_loss(y, x); // expect: device-mismatch
            loss.backward();
            opt.step();
            sum += loss.item<double>();
        }
        std::printf("epoch %d: %.4f\n", epoch, sum);
    }
    return 0;
}
