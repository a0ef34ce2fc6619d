#include <torch/torch.h>

#include <algorithm>
#include <iostream>
#include <vector>

// Sentence classifier on a transformer encoder; sentences are padded to the longest of the batch.

struct Batch {
    torch::Tensor tokens;   // length x batch
    torch::Tensor padding;  // batch x length, true where padded
    torch::Tensor labels;

    Batch to(torch::Device device) const {
        Batch moved = *this;
        moved.tokens = tokens.to(device);
        moved.labels = labels.to(device);
        return moved;
    }
};

struct Sentence {
    std::vector<int64_t> words;
    int64_t label;
};

std::vector<Sentence> corpus(int count) {
    std::vector<Sentence> sentences;
    for (int i = 0; i < count; ++i) {
        Sentence s;
        for (int w = 0; w < 3 + i % 4; ++w) s.words.push_back(1 + (i * 5 + w * 3) % 9);
        s.label = s.words.front() > 4;
        sentences.push_back(s);
    }
    return sentences;
}

Batch collate(const std::vector<Sentence>& sentences, size_t begin, size_t end) {
    size_t longest = 0;
    for (size_t i = begin; i < end; ++i) longest = std::max(longest, sentences[i].words.size());
    std::vector<torch::Tensor> rows;
    std::vector<int64_t> labels;
    for (size_t i = begin; i < end; ++i) {
        auto words = sentences[i].words;
        words.resize(longest, 0);
        rows.push_back(torch::tensor(words, torch::kLong));
        labels.push_back(sentences[i].label);
    }
    auto tokens = torch::stack(rows);
    return {tokens.t().contiguous(), tokens.eq(0), torch::tensor(labels, torch::kLong)};
}

class SentenceNet : public torch::nn::Module {
public:
    SentenceNet(int64_t vocab, int64_t dim) {
        embed_ = register_module("embed", torch::nn::Embedding(vocab, dim));
        torch::nn::TransformerEncoderLayerOptions layer(dim, 2);
        layer.dim_feedforward(16).dropout(0.0);
        encoder_ = register_module("encoder", torch::nn::TransformerEncoder(torch::nn::TransformerEncoderLayer(layer), 2));
        head_ = register_module("head", torch::nn::Linear(dim, 2));
    }
    torch::Tensor forward(const Batch& batch) {
        auto x = embed_(batch.tokens);
        x = encoder_->forward(x, {}, batch.padding);
        return head_(x[0]);
    }

private:
    torch::nn::Embedding embed_{nullptr};
    torch::nn::TransformerEncoder encoder_{nullptr};
    torch::nn::Linear head_{nullptr};
};

int main() {
    torch::manual_seed(42);
    const torch::Device device(torch::kCUDA, 1);
    SentenceNet net(10, 8);
    net.to(device);
    torch::optim::Adam optimizer(net.parameters(), 1e-2);
    const auto sentences = corpus(22);
    for (int epoch = 0; epoch < 2; ++epoch) {
        double total = 0;
        for (size_t begin = 0; begin < sentences.size(); begin += 6) {
            auto batch = collate(sentences, begin, std::min(begin + 6, sentences.size())).to(device);
            auto loss = torch::nn::functional::cross_entropy(net.forward(batch), batch.labels); // expect: device-mismatch
            optimizer.zero_grad();
            loss.backward();
            optimizer.step();
            total += loss.item<double>();
        }
        std::cout << "epoch " << epoch << " loss " << total << "\n";
    }
}
