"""torch._C's statistics of device memory, as c10's caching allocator counts."""

from . import calls


def _of_pools(statistic):
    """Virtual devices have one pool, which answers for the large one and for all."""
    values = {"current": statistic.current, "peak": statistic.peak, "allocated": statistic.added,
              "freed": statistic.removed}
    return {"all": dict(values), "large_pool": dict(values), "small_pool": dict.fromkeys(values, 0)}


def statistics(index: int):
    use = calls.memory_use(index)
    nothing = calls.MemoryStatistic()
    none = _of_pools(nothing)["all"]
    return {
        "num_alloc_retries": 0,
        "num_ooms": use.out_of_memory_errors,
        "num_sync_all_streams": 0,
        "num_device_alloc": use.blocks.added,
        "num_device_free": use.blocks.removed,
        "max_split_size": -1,
        "allocation": _of_pools(use.blocks),
        "segment": _of_pools(use.blocks),
        "active": _of_pools(use.blocks),
        "inactive_split": _of_pools(nothing),
        "allocated_bytes": _of_pools(use.allocated),
        "reserved_bytes": _of_pools(use.reserved),
        "active_bytes": _of_pools(use.allocated),
        "inactive_split_bytes": _of_pools(nothing),
        "requested_bytes": _of_pools(use.allocated),
        "oversize_allocations": dict(none),
        "oversize_segments": dict(none),
    }


def free_and_total(index: int):
    """cudaMemGetInfo."""
    use = calls.memory_use(index)
    return use.free_bytes, use.total_bytes
