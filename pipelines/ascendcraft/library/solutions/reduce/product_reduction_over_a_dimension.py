import tile.language as tl


@ascend_kernel
def product_reduction_over_a_dimension_kernel(
    x_ptr, y_ptr, items, strips, depth, width_all, width, pitch, rows_at_once
):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    x_ub = tl.alloc_ub(rows_at_once * pitch, dtype=tl.float32)
    y_ub = tl.alloc_ub(width, dtype=tl.float32)
    kept_ub = tl.alloc_ub(width, dtype=tl.float32)
    for item in range(pid, items, cores):
        batch = item // strips
        col = (item % strips) * width
        cols = min(width, width_all - col)
        with tl.compute():
            tl.duplicate(kept_ub, 1.0, count=cols)
        for row in range(0, depth, rows_at_once):
            rows = min(rows_at_once, depth - row)
            with tl.copyin():
                tl.load(
                    x_ptr + (batch * depth + row) * width_all + col,
                    x_ub,
                    count=cols,
                    rows=rows,
                    stride=width_all,
                    pitch=pitch,
                )
            with tl.compute():
                for at in range(0, rows, 1):
                    tl.mul(kept_ub, kept_ub, x_ub[at * pitch], count=cols)
        with tl.compute():
            tl.copy(y_ub, kept_ub, count=cols)
        with tl.copyout():
            tl.store(y_ptr + batch * width_all + col, y_ub, count=cols)


def product_reduction_over_a_dimension_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[2]]),
    dim: int = 1,
):
    assert x.dim() == 3, "tensors of three axes"
    assert dim == 1, "reduction over axis 1"
    batches = x.shape[0]
    depth = x.shape[1]
    width_all = x.shape[2]
    # Strips of neighbouring columns, as wide as leaves every core one, but not below 512 bytes, at which GM is read
    # best.
    width = max(128, min(2048, tl.align(tl.cdiv(width_all, tl.cdiv(48, batches)), 8)))
    strips = tl.cdiv(width_all, width)
    items = batches * strips
    # Core Partitioning: strips of all batches, in turn over the cores.
    n_cores = min(48, items)
    # Tiling Strategy: as many rows of a strip at once as 64 KiB hold, twice, with the result at most 16 KiB
    # more.
    pitch = width
    rows_at_once = 16384 // pitch
    product_reduction_over_a_dimension_kernel[n_cores](
        x, y, items, strips, depth, width_all, width, pitch, rows_at_once
    )
