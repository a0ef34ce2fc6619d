// Numbers, blanks after commas, identifiers, and lists that hide every card.
#include <torch/torch.h>

#include <cstdlib>

int main(int argc, char**) {
  switch (argc) {
    case 1: return setenv("CUDA_VISIBLE_DEVICES", "0", 1);
    case 2: return setenv("CUDA_VISIBLE_DEVICES", "0, 1", 1);
    case 3: return setenv("CUDA_VISIBLE_DEVICES", "3,2,1,0", 1);
    case 4: return setenv("CUDA_VISIBLE_DEVICES", "", 1);
    case 5: return setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    case 6: return setenv("CUDA_VISIBLE_DEVICES", "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", 1);
    case 7: return setenv("CUDA_VISIBLE_DEVICES", "10,11", 1);
    default: return setenv("CUDA_VISIBLE_DEVICES", "NoDevFiles", 1);
  }
}
