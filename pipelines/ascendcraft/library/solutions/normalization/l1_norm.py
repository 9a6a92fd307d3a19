import tile.language as tl


@ascend_kernel
def l1_norm_kernel(x_ptr, y_ptr, rows, cols, rows_per_core, tile):
    first = tl.program_id(0) * rows_per_core
    last = min(first + rows_per_core, rows)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sums_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    for row in range(first, last, 1):
        with tl.compute():
            tl.duplicate(sums_ub, 0.0, count=tile)
        # A row may be longer than UB, so it is read twice: once for its mean of absolute values, once for its elements.
        for col in range(0, cols, tile):
            count = min(tile, cols - col)
            with tl.copyin():
                tl.load(x_ptr + row * cols + col, x_ub, count=count)
            with tl.compute():
                tl.abs(work_ub, x_ub, count=count)
                tl.add(sums_ub, sums_ub, work_ub, count=count)
        with tl.compute():
            tl.reduce_sum(sum_ub, sums_ub, work_ub, count=tile)
            length = tl.extract(sum_ub, 0) / cols
        for col in range(0, cols, tile):
            count = min(tile, cols - col)
            with tl.copyin():
                tl.load(x_ptr + row * cols + col, x_ub, count=count)
            with tl.compute():
                tl.divs(y_ub, x_ub, length, count=count)
            with tl.copyout():
                tl.store(y_ptr + row * cols + col, y_ub, count=count)


def l1_norm_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1]]),
):
    rows = x.shape[0]
    cols = x.shape[1]
    # Core Partitioning: whole rows, equally many on each core.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: input and output twice and two scratch buffers: at most 8128 elements each, 195072 of 196352
    # bytes of UB.
    tile = min(8128, tl.align(cols, 64))
    l1_norm_kernel[n_cores](x, y, rows, cols, rows_per_core, tile)
