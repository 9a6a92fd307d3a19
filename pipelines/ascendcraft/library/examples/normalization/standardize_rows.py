# category: normalization
# shapes: rows that UB holds, statistics over the last dimension, read once
import tile.language as tl


@ascend_kernel
def standardize_rows_kernel(x_ptr, y_ptr, rows, cols, rows_per_core, room, degrees, eps):
    first = tl.program_id(0) * rows_per_core
    last = min(first + rows_per_core, rows)
    x_ub = tl.alloc_ub(room, dtype=tl.float32)
    y_ub = tl.alloc_ub(room, dtype=tl.float32)
    square_ub = tl.alloc_ub(room, dtype=tl.float32)
    work_ub = tl.alloc_ub(room, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    for row in range(first, last, 1):
        with tl.copyin():
            tl.load(x_ptr + row * cols, x_ub, count=cols)
        with tl.compute():
            # Distances from the first element, not from zero: a mean of large values that differ little would have lost
            # the digits in which they do.
            tl.subs(y_ub, x_ub, tl.extract(x_ub, 0), count=cols)
            tl.reduce_sum(sum_ub, y_ub, work_ub, count=cols)
            mean = tl.extract(sum_ub, 0) / cols
            # Squares of distances from the mean: a mean of squares less a square of the mean would cancel.
            tl.subs(y_ub, y_ub, mean, count=cols)
            tl.mul(square_ub, y_ub, y_ub, count=cols)
            tl.reduce_sum(sum_ub, square_ub, work_ub, count=cols)
            deviation = tl.sqrt(tl.extract(sum_ub, 0) / degrees)
            tl.divs(y_ub, y_ub, deviation + eps, count=cols)
        with tl.copyout():
            tl.store(y_ptr + row * cols, y_ub, count=cols)


def standardize_rows_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1]]),
    eps: float = 1e-5,
):
    rows = x.shape[0]
    cols = x.shape[1]
    assert cols <= 8128, "rows that UB holds"
    # Core Partitioning: whole rows, equally many on each core.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: a row, its result twice as well, and two scratch rows: at most 195072 of 196352 bytes of UB.
    room = tl.align(cols, 8)
    # The deviation of a sample: one degree of freedom went into the mean.
    degrees = max(1, cols - 1)
    standardize_rows_kernel[n_cores](x, y, rows, cols, rows_per_core, room, degrees, eps)
