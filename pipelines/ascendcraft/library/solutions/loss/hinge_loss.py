import tile.language as tl


@ascend_kernel
def hinge_loss_kernel(p_ptr, t_ptr, loss_ptr, parts_ptr, rows, cols, targets, width, rows_per_core, tile, scale):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    first = pid * rows_per_core
    last = min(first + rows_per_core, rows)
    p_ub = tl.alloc_ub(tile, dtype=tl.float32)
    t_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sums_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    part_ub = tl.alloc_ub(8, dtype=tl.float32)
    all_ub = tl.alloc_ub(384, dtype=tl.float32)
    result_ub = tl.alloc_ub(8, dtype=tl.float32)
    with tl.compute():
        tl.duplicate(sums_ub, 0.0, count=tile)
    for col in range(0, width, tile):
        count = min(tile, width - col)
        with tl.copyin():
            # The targets are the same for all rows, so they are read once for a strip of columns.
            tl.load(t_ptr + (0 if targets == 1 else col), t_ub, count=1 if targets == 1 else count)
        for row in range(first, last, 1):
            with tl.copyin():
                tl.load(p_ptr + (row if cols == 1 else row * cols + col), p_ub, count=1 if cols == 1 else count)
            with tl.compute():
                # A single target stands for all columns, and a single column for all targets.
                if targets == 1:
                    tl.muls(work_ub, p_ub, tl.extract(t_ub, 0), count=count)
                elif cols == 1:
                    tl.muls(work_ub, t_ub, tl.extract(p_ub, 0), count=count)
                else:
                    tl.mul(work_ub, p_ub, t_ub, count=count)
                tl.muls(work_ub, work_ub, -1.0, count=count)
                tl.adds(work_ub, work_ub, 1.0, count=count)
                tl.maxs(work_ub, work_ub, 0.0, count=count)
                tl.add(sums_ub, sums_ub, work_ub, count=count)
    with tl.compute():
        tl.duplicate(part_ub, 0.0, count=8)
        tl.reduce_sum(part_ub, sums_ub, work_ub, count=tile)
    with tl.copyout():
        # Eight elements a core: neighbours never share a block of 32 bytes.
        tl.store(parts_ptr + pid * 8, part_ub, count=8)
    tl.sync_all()
    if pid == 0:
        with tl.copyin():
            tl.load(parts_ptr, all_ub, count=8 * cores)
        with tl.compute():
            tl.reduce_sum(result_ub, all_ub, work_ub, count=8 * cores)
            tl.muls(result_ub, result_ub, scale, count=1)
        with tl.copyout():
            tl.store(loss_ptr, result_ub, count=1)


def hinge_loss_host(
    predictions: tl.tensor(tl.float32),
    targets: tl.tensor(tl.float32),
    loss: tl.output(tl.float32, shape=[]),
):
    rows = predictions.shape[0]
    cols = predictions.shape[1]
    labels = targets.numel()
    assert labels == cols or labels == 1 or cols == 1, "one target for each column, or one of either"
    width = max(cols, labels)
    # Core Partitioning: every core takes an equal share of the rows; core 0 adds the sums of all cores.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: two inputs twice and two scratch buffers of 8064 elements: 193536 of 196352 bytes of UB, with
    # 2 KiB for the sums.
    tile = 8064
    parts = tl.workspace(8 * n_cores, tl.float32)
    scale = 1.0 / (rows * width)
    hinge_loss_kernel[n_cores](
        predictions, targets, loss, parts, rows, cols, labels, width, rows_per_core, tile, scale
    )
