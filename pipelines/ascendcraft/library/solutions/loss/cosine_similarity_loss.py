import tile.language as tl


@ascend_kernel
def cosine_similarity_loss_kernel(p_ptr, t_ptr, loss_ptr, parts_ptr, rows, cols, rows_per_core, tile, scale, eps):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    first = pid * rows_per_core
    last = min(first + rows_per_core, rows)
    p_ub = tl.alloc_ub(tile, dtype=tl.float32)
    t_ub = tl.alloc_ub(tile, dtype=tl.float32)
    dots_ub = tl.alloc_ub(tile, dtype=tl.float32)
    p_squares_ub = tl.alloc_ub(tile, dtype=tl.float32)
    t_squares_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    part_ub = tl.alloc_ub(8, dtype=tl.float32)
    all_ub = tl.alloc_ub(384, dtype=tl.float32)
    result_ub = tl.alloc_ub(8, dtype=tl.float32)
    loss = 0.0
    for row in range(first, last, 1):
        with tl.compute():
            tl.duplicate(dots_ub, 0.0, count=tile)
            tl.duplicate(p_squares_ub, 0.0, count=tile)
            tl.duplicate(t_squares_ub, 0.0, count=tile)
        for col in range(0, cols, tile):
            count = min(tile, cols - col)
            with tl.copyin():
                tl.load(p_ptr + row * cols + col, p_ub, count=count)
                tl.load(t_ptr + row * cols + col, t_ub, count=count)
            with tl.compute():
                tl.mul_add(dots_ub, p_ub, t_ub, count=count)
                tl.mul_add(p_squares_ub, p_ub, p_ub, count=count)
                tl.mul_add(t_squares_ub, t_ub, t_ub, count=count)
        with tl.compute():
            tl.reduce_sum(sum_ub, dots_ub, work_ub, count=tile)
            dot = tl.extract(sum_ub, 0)
            tl.reduce_sum(sum_ub, p_squares_ub, work_ub, count=tile)
            p_length = max(tl.sqrt(tl.extract(sum_ub, 0)), eps)
            tl.reduce_sum(sum_ub, t_squares_ub, work_ub, count=tile)
            t_length = max(tl.sqrt(tl.extract(sum_ub, 0)), eps)
            loss = loss + (1.0 - dot / (p_length * t_length))
    with tl.compute():
        tl.duplicate(part_ub, 0.0, count=8)
        tl.set(part_ub, 0, loss)
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


def cosine_similarity_loss_host(
    predictions: tl.tensor(tl.float32),
    targets: tl.tensor(tl.float32),
    loss: tl.output(tl.float32, shape=[]),
    eps: float = 1e-8,
):
    rows = predictions.shape[0]
    cols = predictions.shape[1]
    assert targets.numel() == rows * cols, "predictions and targets of one shape"
    # Core Partitioning: every core takes an equal share of the rows; core 0 adds the sums of all cores.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: two inputs twice and four scratch buffers of at most 6016 elements: 192512 of 196352 bytes of
    # UB, with 2 KiB for the sums.
    tile = max(384, min(6016, tl.align(cols, 8)))
    parts = tl.workspace(8 * n_cores, tl.float32)
    scale = 1.0 / rows
    cosine_similarity_loss_kernel[n_cores](
        predictions, targets, loss, parts, rows, cols, rows_per_core, tile, scale, eps
    )
