"""The Python half of virtual GPUs for CPU builds of PyTorch; see README.md. The activation's import hook
calls these two functions, after the native half was loaded."""


def install_before_cuda() -> None:
    """When torch._C is imported and torch.cuda is about to be."""
    from .. import graphs
    from . import bindings
    bindings.install()
    graphs.install_before_cuda()


def install_after_torch(torch) -> None:
    """When torch is imported: what its classes of the compiled half refuse is replaced."""
    from .. import sharing
    from . import calls, generators, storages, tensor_types
    # The number of devices is not that of a driver. As on GPUs, to ask for it initializes nothing.
    torch.cuda._device_count_nvml = calls.device_count
    storages.install(torch)
    tensor_types.install(torch)
    generators.install(torch)
    sharing.install(torch)
