"""What rules that compile CUDA say of their sources."""

CudaSourceInfo = provider(
    doc = "One CUDA source, as it is compiled.",
    fields = {
        "source": "the file",
        "headers": "depset of the files that it includes",
        "flags": "list of the options of its compiler that say what it means",
    },
)
