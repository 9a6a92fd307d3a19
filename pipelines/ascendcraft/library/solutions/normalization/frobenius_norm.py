import tile.language as tl


@ascend_kernel
def frobenius_norm_kernel(x_ptr, y_ptr, parts_ptr, total, per_core, tile):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    start = pid * per_core
    stop = min(start + per_core, total)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    squares_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    part_ub = tl.alloc_ub(8, dtype=tl.float32)
    all_ub = tl.alloc_ub(384, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    with tl.compute():
        tl.duplicate(squares_ub, 0.0, count=tile)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(x_ptr + offset, x_ub, count=count)
        with tl.compute():
            tl.mul_add(squares_ub, x_ub, x_ub, count=count)
    with tl.compute():
        tl.duplicate(part_ub, 0.0, count=8)
        tl.reduce_sum(part_ub, squares_ub, work_ub, count=tile)
    with tl.copyout():
        # Eight elements a core: neighbours never share a block of 32 bytes.
        tl.store(parts_ptr + pid * 8, part_ub, count=8)
    tl.sync_all()
    # Every core adds up the sums of all: that is cheaper than a second meeting for one that is handed out.
    with tl.copyin():
        tl.load(parts_ptr, all_ub, count=8 * cores)
    with tl.compute():
        tl.reduce_sum(sum_ub, all_ub, work_ub, count=8 * cores)
        length = tl.sqrt(tl.extract(sum_ub, 0))
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(x_ptr + offset, x_ub, count=count)
        with tl.compute():
            tl.divs(y_ub, x_ub, length, count=count)
        with tl.copyout():
            tl.store(y_ptr + offset, y_ub, count=count)


def frobenius_norm_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1], x.shape[2], x.shape[3]]),
):
    total = x.numel()
    # Core Partitioning: every core takes an equal share of the elements, in whole blocks of 32 bytes.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: input and output twice and two scratch buffers of 8064 elements: 193536 of 196352 bytes of UB,
    # with 2 KiB for the sums.
    tile = 8064
    parts = tl.workspace(8 * n_cores, tl.float32)
    frobenius_norm_kernel[n_cores](x, y, parts, total, per_core, tile)
