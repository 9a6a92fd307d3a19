# category: math
# shapes: reduction over the last dimension, rows larger than UB, read once
import tile.language as tl


@ascend_kernel
def logsumexp_kernel(x_ptr, y_ptr, rows, cols, rows_per_core, tile):
    first = tl.program_id(0) * rows_per_core
    last = min(first + rows_per_core, rows)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    power_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    found_ub = tl.alloc_ub(8, dtype=tl.float32)
    y_ub = tl.alloc_ub(8, dtype=tl.float32)
    for row in range(first, last, 1):
        # The largest element so far, and the sum of powers relative to it. A larger one scales the sum down, so that a
        # row is read once even where UB cannot hold it.
        largest = -3.0e38
        total = 0.0
        for col in range(0, cols, tile):
            count = min(tile, cols - col)
            with tl.copyin():
                tl.load(x_ptr + row * cols + col, x_ub, count=count)
            with tl.compute():
                tl.reduce_max(found_ub, x_ub, work_ub, count=count)
                before = largest
                largest = max(largest, tl.extract(found_ub, 0))
                # There is no scalar exponential; one element of a buffer does.
                tl.duplicate(found_ub, before - largest, count=8)
                tl.exp(found_ub, found_ub, count=8)
                total = total * tl.extract(found_ub, 0)
                tl.subs(power_ub, x_ub, largest, count=count)
                tl.exp(power_ub, power_ub, count=count)
                tl.reduce_sum(found_ub, power_ub, work_ub, count=count)
                total = total + tl.extract(found_ub, 0)
        with tl.compute():
            tl.duplicate(y_ub, total, count=8)
            tl.ln(y_ub, y_ub, count=8)
            tl.adds(y_ub, y_ub, largest, count=8)
        with tl.copyout():
            tl.store(y_ptr + row, y_ub, count=1)


def logsumexp_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0]]),
):
    rows = x.shape[0]
    cols = x.shape[1]
    # Core Partitioning: whole rows, equally many on each core.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: the input twice and two scratch buffers of 12224 float32: 195584 of 196352 bytes of UB, with
    # less than 128 bytes for what was found.
    tile = 12224
    logsumexp_kernel[n_cores](x, y, rows, cols, rows_per_core, tile)
