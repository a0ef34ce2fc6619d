#include "net.h"

int main() {
  Net net;
  net->to(torch::kCUDA);
}
