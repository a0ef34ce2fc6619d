// A record for each device, in lists and arrays that are filled in every usual way.
#include <cuda_runtime.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <vector>

__global__ void fill(float* values) { values[threadIdx.x] = 1.0f; }

struct Worker {
  explicit Worker(int number) : device(number) {
    cudaSetDevice(device);
    cudaMalloc(&values, 1024);
    cudaStreamCreate(&stream);
  }
  int device;
  float* values = nullptr;
  cudaStream_t stream;
};

struct Card {
  float* values;
  cudaStream_t stream;
};

void prepare(Card& card, int device) {
  cudaSetDevice(device);
  cudaMalloc(&card.values, 1024);
  cudaStreamCreate(&card.stream);
}

void emplaced() {
  std::vector<Worker> workers;
  for (int i = 0; i < 2; ++i) workers.emplace_back(i);
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    fill<<<1, 256, 0, workers[i].stream>>>(workers[i].values);
  }
  for (int i = 0; i < 2; ++i) fill<<<1, 256>>>(workers[i].values);  // expect: cuda-current-device
}

void owned() {
  std::vector<std::unique_ptr<Worker>> workers;
  for (int i = 0; i < 2; ++i) workers.push_back(std::make_unique<Worker>(i));
  for (auto& worker : workers) {
    cudaSetDevice(worker->device);
    fill<<<1, 256, 0, worker->stream>>>(worker->values);
  }
  for (auto& worker : workers) fill<<<1, 256>>>(worker->values);  // expect: cuda-current-device
}

void by_pointer() {
  Worker* workers[2];
  for (int i = 0; i < 2; ++i) workers[i] = new Worker(i);
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    fill<<<1, 256, 0, workers[i]->stream>>>(workers[i]->values);
  }
  cudaSetDevice(0);
  fill<<<1, 256>>>(workers[1]->values);  // expect: cuda-current-device
}

void array_of_records() {
  Card cards[2];
  for (int i = 0; i < 2; ++i) prepare(cards[i], i);
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    fill<<<1, 256, 0, cards[i].stream>>>(cards[i].values);
  }
  for (auto& card : cards) fill<<<1, 256>>>(card.values);  // expect: cuda-current-device
}

void of_all_devices() {
  int count;
  cudaGetDeviceCount(&count);
  std::vector<Card> cards(count);
  for (int i = 0; i < count; ++i) prepare(cards[i], i);
  for (int i = 0; i < count; ++i) {
    cudaSetDevice(i);
    fill<<<1, 256, 0, cards[i].stream>>>(cards[i].values);
  }
  for (int i = 0; i < count; ++i) {
    fill<<<1, 256>>>(cards[i].values);  // expect: cuda-current-device
  }
}

void on_the_heap(int count) {
  Card* cards = (Card*)malloc(count * sizeof(Card));
  for (int i = 0; i < count; ++i) prepare(cards[i], i);
  for (int i = 0; i < count; ++i) {
    Card* card = &cards[i];
    cudaSetDevice(i);
    fill<<<1, 256, 0, card->stream>>>(card->values);
  }
  for (int i = 0; i < count; ++i) {
    fill<<<1, 256>>>(cards[i].values);  // expect: cuda-current-device
  }
}

void copied() {
  std::vector<Card> cards;
  for (int i = 0; i < 2; ++i) {
    Card card;
    prepare(card, i);
    cards.push_back(card);
  }
  cudaSetDevice(0);
  fill<<<1, 256, 0, cards[0].stream>>>(cards[0].values);
  fill<<<1, 256>>>(cards[1].values);  // expect: cuda-current-device
}

void pointers_in_an_array() {
  std::array<float*, 2> values{};
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    cudaMalloc(&values[i], 1024);
  }
  cudaSetDevice(0);
  fill<<<1, 256>>>(values[0]);
  fill<<<1, 256>>>(values[1]);  // expect: cuda-current-device
}

void by_pointer_arithmetic() {
  float* values[2];
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    cudaMalloc(values + i, 1024);
  }
  fill<<<1, 256>>>(values[1]);
  fill<<<1, 256>>>(*values);  // expect: cuda-current-device
}

int main() {
  emplaced();
  owned();
  by_pointer();
  array_of_records();
  of_all_devices();
  on_the_heap(2);
  copied();
  pointers_in_an_array();
  by_pointer_arithmetic();
}
