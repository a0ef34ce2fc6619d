"""The Python half of virtual GPUs for CPU builds of PyTorch; see README.md. The activation's import hook
calls these two functions, after the native half was loaded."""


def install_before_cuda() -> None:
    """When torch._C is imported and torch.cuda is about to be."""
    from .. import driver, graphs
    from . import bindings
    bindings.install()
    graphs.install_before_cuda()
    driver.install_before_cuda()


def install_after_torch(torch) -> None:
    """When torch is imported: what its classes of the compiled half refuse is replaced."""
    from .. import driver, sharing
    from . import generators, storages, tensor_types
    storages.install(torch)
    tensor_types.install(torch)
    generators.install(torch)
    driver.install_after_torch(torch)
    sharing.install(torch)
