import tile.language as tl


@ascend_kernel
def kl_div_loss_kernel(p_ptr, t_ptr, loss_ptr, parts_ptr, total, per_core, tile, scale):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    start = pid * per_core
    stop = min(start + per_core, total)
    p_ub = tl.alloc_ub(tile, dtype=tl.float32)
    t_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sums_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    log_ub = tl.alloc_ub(tile, dtype=tl.float32)
    part_ub = tl.alloc_ub(8, dtype=tl.float32)
    all_ub = tl.alloc_ub(384, dtype=tl.float32)
    result_ub = tl.alloc_ub(8, dtype=tl.float32)
    with tl.compute():
        # One sum for each place in a tile: additions of vectors, and thousands of short sums instead of a long one.
        tl.duplicate(sums_ub, 0.0, count=tile)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(p_ptr + offset, p_ub, count=count)
            tl.load(t_ptr + offset, t_ub, count=count)
        with tl.compute():
            # t * (log t - log p). A target of 0 counts nothing: the bound, the smallest normal number, keeps its
            # logarithm finite.
            tl.maxs(work_ub, t_ub, 1.1754944e-38, count=count)
            tl.ln(work_ub, work_ub, count=count)
            tl.ln(log_ub, p_ub, count=count)
            tl.sub(work_ub, work_ub, log_ub, count=count)
            tl.mul_add(sums_ub, t_ub, work_ub, count=count)
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


def kl_div_loss_host(
    predictions: tl.tensor(tl.float32),
    targets: tl.tensor(tl.float32),
    loss: tl.output(tl.float32, shape=[]),
):
    total = predictions.numel()
    assert targets.numel() == total, "predictions and targets of one shape"
    # Core Partitioning: every core adds up an equal share of the elements; core 0 adds the sums of all cores.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: two inputs twice and three scratch buffers of 6912 elements: 193536 of 196352 bytes of UB,
    # with 2 KiB for the sums.
    tile = 6912
    parts = tl.workspace(8 * n_cores, tl.float32)
    scale = 1.0 / predictions.shape[0]
    kl_div_loss_kernel[n_cores](predictions, targets, loss, parts, total, per_core, tile, scale)
