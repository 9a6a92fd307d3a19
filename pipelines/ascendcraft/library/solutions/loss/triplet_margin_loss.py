import tile.language as tl


@ascend_kernel
def triplet_margin_loss_kernel(
    a_ptr, p_ptr, n_ptr, loss_ptr, parts_ptr, rows, cols, rows_per_core, tile, scale, margin, eps
):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    first = pid * rows_per_core
    last = min(first + rows_per_core, rows)
    a_ub = tl.alloc_ub(tile, dtype=tl.float32)
    p_ub = tl.alloc_ub(tile, dtype=tl.float32)
    n_ub = tl.alloc_ub(tile, dtype=tl.float32)
    near_ub = tl.alloc_ub(tile, dtype=tl.float32)
    far_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    part_ub = tl.alloc_ub(8, dtype=tl.float32)
    all_ub = tl.alloc_ub(384, dtype=tl.float32)
    result_ub = tl.alloc_ub(8, dtype=tl.float32)
    loss = 0.0
    for row in range(first, last, 1):
        with tl.compute():
            tl.duplicate(near_ub, 0.0, count=tile)
            tl.duplicate(far_ub, 0.0, count=tile)
        for col in range(0, cols, tile):
            count = min(tile, cols - col)
            with tl.copyin():
                tl.load(a_ptr + row * cols + col, a_ub, count=count)
                tl.load(p_ptr + row * cols + col, p_ub, count=count)
                tl.load(n_ptr + row * cols + col, n_ub, count=count)
            with tl.compute():
                # The small number is added to each difference, as PyTorch does, not to the length.
                tl.sub(work_ub, a_ub, p_ub, count=count)
                tl.adds(work_ub, work_ub, eps, count=count)
                tl.mul_add(near_ub, work_ub, work_ub, count=count)
                tl.sub(work_ub, a_ub, n_ub, count=count)
                tl.adds(work_ub, work_ub, eps, count=count)
                tl.mul_add(far_ub, work_ub, work_ub, count=count)
        with tl.compute():
            tl.reduce_sum(sum_ub, near_ub, work_ub, count=tile)
            near = tl.sqrt(tl.extract(sum_ub, 0))
            tl.reduce_sum(sum_ub, far_ub, work_ub, count=tile)
            far = tl.sqrt(tl.extract(sum_ub, 0))
            loss = loss + max(near - far + margin, 0.0)
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


def triplet_margin_loss_host(
    anchor: tl.tensor(tl.float32),
    positive: tl.tensor(tl.float32),
    negative: tl.tensor(tl.float32),
    loss: tl.output(tl.float32, shape=[]),
    margin: float = 1.0,
    eps: float = 1e-6,
):
    rows = anchor.shape[0]
    cols = anchor.shape[1]
    assert positive.numel() == rows * cols, "three tensors of one shape"
    assert negative.numel() == rows * cols, "three tensors of one shape"
    # Core Partitioning: every core takes an equal share of the rows; core 0 adds the sums of all cores.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: three inputs twice and three scratch buffers of at most 5312 elements: 191232 of 196352 bytes of
    # UB, with 2 KiB for the sums.
    tile = max(384, min(5312, tl.align(cols, 8)))
    parts = tl.workspace(8 * n_cores, tl.float32)
    scale = 1.0 / rows
    triplet_margin_loss_kernel[n_cores](
        anchor, positive, negative, loss, parts, rows, cols, rows_per_core, tile, scale, margin, eps
    )
