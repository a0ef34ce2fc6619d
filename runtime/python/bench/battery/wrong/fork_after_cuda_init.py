# processes are forked after the parent has used CUDA
# raises: RuntimeError: Cannot re-initialize CUDA in forked subprocess. To use CUDA with multiprocessing, you must use the 'spawn' start method
import torch
import torch.multiprocessing as mp


def evaluate(rank, weights):
    device = torch.device("cuda", rank)
    w = weights.to(device)  # raises
    print(rank, (w @ w).trace().item())


if __name__ == "__main__":
    torch.manual_seed(0)
    warm = torch.randn(8, 8, device="cuda:0")
    weights = (warm @ warm.T).cpu()
    mp.start_processes(evaluate, args=(weights,), nprocs=2, start_method="fork")  # raises
