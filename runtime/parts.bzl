"""The libraries that make up the runtime, for those who include their headers one by one."""

RUNTIME_PARTS = [
    "//runtime/autograd:interface",
    "//runtime/backend",
    "//runtime/backend:seam",
    "//runtime/backend/virtual",
    "//runtime/comm",
    "//runtime/core",
    "//runtime/core:virtual_devices",
    "//runtime/core:visible_devices",
    "//runtime/data",
    "//runtime/nn",
    "//runtime/optim",
    "//runtime/parallel",
    "//runtime/parallel/common",
    "//runtime/serialization",
    "//runtime/tensor",
]
