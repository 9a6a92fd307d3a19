import tile.language as tl


@ascend_kernel
def log_softmax_kernel(x_ptr, y_ptr, rows, cols, rows_per_core, tile):
    first = tl.program_id(0) * rows_per_core
    last = min(first + rows_per_core, rows)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    largest_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sums_ub = tl.alloc_ub(tile, dtype=tl.float32)
    power_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    for row in range(first, last, 1):
        with tl.compute():
            # Lowest float32: finite, so that a difference of two of them is a number.
            tl.duplicate(largest_ub, -3.4028234663852886e38, count=tile)
            tl.duplicate(sums_ub, 0.0, count=tile)
        # A row may be longer than UB. Each place of a tile keeps the largest value it has met and the sum of powers
        # below it, which shrinks when a larger one comes: so a row is read twice, not three times.
        for col in range(0, cols, tile):
            count = min(tile, cols - col)
            with tl.copyin():
                tl.load(x_ptr + row * cols + col, x_ub, count=count)
            with tl.compute():
                tl.max(power_ub, largest_ub, x_ub, count=count)
                tl.sub(largest_ub, largest_ub, power_ub, count=count)
                tl.exp(largest_ub, largest_ub, count=count)
                tl.mul(sums_ub, sums_ub, largest_ub, count=count)
                tl.copy(largest_ub, power_ub, count=count)
                tl.sub(power_ub, x_ub, largest_ub, count=count)
                tl.exp(power_ub, power_ub, count=count)
                tl.add(sums_ub, sums_ub, power_ub, count=count)
        with tl.compute():
            tl.reduce_max(sum_ub, largest_ub, power_ub, count=tile)
            largest = tl.extract(sum_ub, 0)
            tl.subs(largest_ub, largest_ub, largest, count=tile)
            tl.exp(largest_ub, largest_ub, count=tile)
            tl.mul(sums_ub, sums_ub, largest_ub, count=tile)
            tl.reduce_sum(sum_ub, sums_ub, power_ub, count=tile)
            tl.ln(sum_ub, sum_ub, count=1)
            log_sum = tl.extract(sum_ub, 0)
        for col in range(0, cols, tile):
            count = min(tile, cols - col)
            with tl.copyin():
                tl.load(x_ptr + row * cols + col, x_ub, count=count)
            with tl.compute():
                tl.subs(y_ub, x_ub, largest + log_sum, count=count)
            with tl.copyout():
                tl.store(y_ptr + row * cols + col, y_ub, count=count)


def log_softmax_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1]]),
    dim: int = 1,
):
    assert dim == 1, "softmax along axis 1"
    rows = x.shape[0]
    cols = x.shape[1]
    # Core Partitioning: whole rows, equally many on each core.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: input and output twice and three scratch buffers: at most 6976 elements each, 195328 of 196352
    # bytes of UB.
    tile = min(6976, tl.align(cols, 64))
    log_softmax_kernel[n_cores](x, y, rows, cols, rows_per_core, tile)
