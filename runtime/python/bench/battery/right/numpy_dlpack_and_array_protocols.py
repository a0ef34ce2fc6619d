# Exchange with NumPy, DLPack and __cuda_array_interface__, and mixing CPU scalars with GPU tensors.
# runs
import numpy as np
import torch


class Column:
    """A named column that can be turned into an array from any device."""

    def __init__(self, name, data):
        self.name, self.data = name, data

    def __array__(self, dtype=None, copy=None):
        array = self.data.detach().cpu().numpy()
        return array.astype(dtype) if dtype is not None else array

    def __len__(self):
        return len(self.data)


class CudaArray:
    """What a foreign GPU library would hand over."""

    def __init__(self, tensor):
        self._keep = tensor
        self.__cuda_array_interface__ = tensor.__cuda_array_interface__


class Standardiser:
    """scikit-learn style, keeps its state in NumPy."""

    def fit(self, x):
        x = np.asarray(x)
        self.mean_, self.std_ = x.mean(0), x.std(0)
        return self

    def transform(self, x):
        mean = torch.as_tensor(self.mean_, device=x.device, dtype=x.dtype)
        return (x - mean) / torch.as_tensor(self.std_, device=x.device, dtype=x.dtype)


def main():
    torch.manual_seed(0)
    x = torch.randn(50, 3, device="cuda:1") * 4 + 2
    x.requires_grad_()
    array = x.numpy(force=True)
    assert isinstance(array, np.ndarray) and array.dtype == np.float32 and array.shape == (50, 3)
    for convert in (lambda t: t.numpy(), lambda t: np.asarray(t.detach())):
        try:
            convert(x)
        except (RuntimeError, TypeError) as error:
            assert "numpy" in str(error)
        else:
            raise AssertionError("a CUDA tensor became an array by itself")

    column = Column("price", x)
    assert np.allclose(np.mean(column), x.mean().item(), atol=1e-5)
    assert np.asarray(column, dtype=np.float64).dtype == np.float64
    scaled = Standardiser().fit(column).transform(x)
    assert scaled.device == x.device and scaled.requires_grad
    torch.testing.assert_close(scaled.mean(0), torch.zeros(3, device="cuda:1"), rtol=0, atol=1e-4)

    shared = np.arange(6, dtype=np.float32)
    on_gpu = torch.from_numpy(shared).to("cuda")
    shared[0] = 100  # the copy on the card does not follow
    assert on_gpu[0].item() == 0 and torch.from_numpy(shared)[0] == 100
    assert torch.tensor(np.float64(1.5), device="cuda").dtype == torch.float64
    assert torch.as_tensor(np.array([1, 2], dtype=np.uint8), device="cuda:1").dtype == torch.uint8

    # zero-dimensional CPU tensors and Python numbers mix with CUDA tensors
    scale = torch.tensor(3.0)
    assert (on_gpu * scale).device.type == "cuda" and (scale - on_gpu)[1].item() == 2.0
    assert (on_gpu * np.float32(2)).tolist()[1] == 2.0
    picked = on_gpu[torch.tensor([1, 3])]  # CPU indices are accepted
    assert picked.is_cuda and picked.tolist() == [1.0, 3.0]
    assert on_gpu[np.array([True, False] * 3)].tolist() == [0.0, 2.0, 4.0]
    on_gpu[torch.tensor([5])] = 7.0
    assert on_gpu[5].item() == 7.0
    assert [1, 2, 3][torch.tensor(2, device="cuda")] == 3 and float(on_gpu[2]) == 2.0
    assert np.zeros(4)[torch.tensor(1, device="cuda").item()] == 0

    # DLPack shares the memory
    other = torch.from_dlpack(on_gpu)
    assert other.device == on_gpu.device and other.data_ptr() == on_gpu.data_ptr()
    other[0] = -5
    assert on_gpu[0].item() == -5
    capsule = torch.utils.dlpack.to_dlpack(on_gpu)
    assert torch.utils.dlpack.from_dlpack(capsule).data_ptr() == on_gpu.data_ptr()
    assert on_gpu.__dlpack_device__()[1] == 0

    interface = on_gpu.__cuda_array_interface__
    assert interface["shape"] == (6,) and interface["data"][0] == on_gpu.data_ptr()
    assert np.dtype(interface["typestr"]) == np.float32
    assert not hasattr(torch.zeros(2), "__cuda_array_interface__")
    wrapped = torch.as_tensor(CudaArray(on_gpu), device="cuda")
    assert wrapped.data_ptr() == on_gpu.data_ptr() and torch.equal(wrapped, on_gpu)

    batch = [torch.rand(2, device="cuda") for _ in range(3)]
    stacked = np.stack([b.cpu() for b in batch])
    assert stacked.shape == (3, 2)
    assert torch.equal(torch.from_numpy(stacked).cuda(), torch.stack(batch))
    print("exchanged", on_gpu.tolist())


main()
