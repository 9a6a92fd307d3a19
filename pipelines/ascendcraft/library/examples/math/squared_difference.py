# category: math
# shapes: two tensors of one shape, elementwise, aligned or not
import tile.language as tl


@ascend_kernel
def squared_difference_kernel(a_ptr, b_ptr, y_ptr, total, per_core, tile):
    start = tl.program_id(0) * per_core
    stop = min(start + per_core, total)
    a_ub = tl.alloc_ub(tile, dtype=tl.float32)
    b_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(a_ptr + offset, a_ub, count=count)
            tl.load(b_ptr + offset, b_ub, count=count)
        with tl.compute():
            tl.sub(y_ub, a_ub, b_ub, count=count)
            tl.mul(y_ub, y_ub, y_ub, count=count)
        with tl.copyout():
            tl.store(y_ptr + offset, y_ub, count=count)


def squared_difference_host(
    a: tl.tensor(tl.float32),
    b: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[a.shape[0], a.shape[1]]),
):
    total = a.numel()
    assert b.numel() == total, "two tensors of one shape"
    # Core Partitioning: all cores take equal runs of whole blocks of 32 bytes.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: two inputs and the output of 8128 float32, each twice: 195072 of 196352 bytes of UB.
    tile = 8128
    squared_difference_kernel[n_cores](a, b, y, total, per_core, tile)
