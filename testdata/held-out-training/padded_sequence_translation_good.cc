#include <torch/torch.h>

#include <iostream>
#include <utility>

// Translation of number sequences: bidirectional encoder on one GPU, decoder with attention on
// another. Sequences are padded; the attention must not look at padding.

constexpr int64_t kPad = 0, kBegin = 1, kVocab = 12;

class Encoder : public torch::nn::Module {
public:
    explicit Encoder(int64_t hidden) {
        embedding_ = register_module("embedding", torch::nn::Embedding(torch::nn::EmbeddingOptions(kVocab, hidden).padding_idx(kPad)));
        lstm_ = register_module("lstm", torch::nn::LSTM(torch::nn::LSTMOptions(hidden, hidden).batch_first(true)));
    }
    std::pair<torch::Tensor, std::tuple<torch::Tensor, torch::Tensor>> forward(torch::Tensor tokens) {
        auto [states, last] = lstm_(embedding_(tokens));
        return {states, last};
    }

private:
    torch::nn::Embedding embedding_{nullptr};
    torch::nn::LSTM lstm_{nullptr};
};

class Decoder : public torch::nn::Module {
public:
    explicit Decoder(int64_t hidden) {
        embedding_ = register_module("embedding", torch::nn::Embedding(kVocab, hidden));
        cell_ = register_module("cell", torch::nn::LSTMCell(2 * hidden, hidden));
        out_ = register_module("out", torch::nn::Linear(2 * hidden, kVocab));
    }
    torch::Tensor forward(torch::Tensor targets, torch::Tensor memory, torch::Tensor padding,
                          torch::Tensor h, torch::Tensor c) {
        auto context = torch::zeros_like(h);
        std::vector<torch::Tensor> logits;
        auto begin = torch::full({targets.size(0), 1}, kBegin, targets.options());
        auto inputs = torch::cat({begin, targets.slice(1, 0, -1)}, 1);
        for (int64_t t = 0; t < inputs.size(1); ++t) {
            auto x = torch::cat({embedding_(inputs.select(1, t)), context}, 1);
            std::tie(h, c) = cell_(x, std::make_tuple(h, c));
            auto scores = torch::bmm(memory, h.unsqueeze(2)).squeeze(2).masked_fill(padding, -1e9);
            context = torch::bmm(scores.softmax(1).unsqueeze(1), memory).squeeze(1);
            logits.push_back(out_(torch::cat({h, context}, 1)));
        }
        return torch::stack(logits, 1);
    }

private:
    torch::nn::Embedding embedding_{nullptr};
    torch::nn::LSTMCell cell_{nullptr};
    torch::nn::Linear out_{nullptr};
};

int main() {
    torch::manual_seed(26);
    const torch::Device enc_device("cuda:0"), dec_device("cuda:1");
    Encoder encoder(10);
    Decoder decoder(10);
    encoder.to(enc_device);
    decoder.to(dec_device);
    torch::optim::Adam enc_optimizer(encoder.parameters(), 5e-3);
    torch::optim::Adam dec_optimizer(decoder.parameters(), 5e-3);

    for (int step = 0; step < 4; ++step) {
        auto source = torch::randint(2, kVocab, {6, 5}, torch::kLong);
        for (int64_t row = 0; row < 3; ++row) source[row].slice(0, 5 - row - 1).fill_(kPad);
        auto target = source.flip(1);

        auto [memory, last] = encoder.forward(source.to(enc_device));
        auto [h, c] = last;
        auto padding = source.eq(kPad).to(dec_device);
        auto labels = target.to(dec_device);
        auto logits = decoder.forward(labels, memory.to(dec_device), padding,
                                      h.squeeze(0).to(dec_device), c.squeeze(0).to(dec_device));
        auto loss = torch::nn::functional::cross_entropy(
            logits.flatten(0, 1), labels.flatten(),
            torch::nn::functional::CrossEntropyFuncOptions().ignore_index(kPad));
        enc_optimizer.zero_grad();
        dec_optimizer.zero_grad();
        loss.backward();
        enc_optimizer.step();
        dec_optimizer.step();
        std::cout << "step " << step << " loss " << loss.item<float>() << "\n";
    }
}
