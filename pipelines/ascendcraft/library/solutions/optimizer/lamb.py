import tile.language as tl


@ascend_kernel
def lamb_kernel(param_ptr, m_ptr, v_ptr, updated_ptr, parts_ptr, total, per_core, tile, lr, eps):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    start = pid * per_core
    stop = min(start + per_core, total)
    param_ub = tl.alloc_ub(tile, dtype=tl.float32)
    m_ub = tl.alloc_ub(tile, dtype=tl.float32)
    v_ub = tl.alloc_ub(tile, dtype=tl.float32)
    updated_ub = tl.alloc_ub(tile, dtype=tl.float32)
    ratio_ub = tl.alloc_ub(tile, dtype=tl.float32)
    param_squares_ub = tl.alloc_ub(tile, dtype=tl.float32)
    ratio_squares_ub = tl.alloc_ub(tile, dtype=tl.float32)
    param_part_ub = tl.alloc_ub(8, dtype=tl.float32)
    ratio_part_ub = tl.alloc_ub(8, dtype=tl.float32)
    all_ub = tl.alloc_ub(768, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    with tl.compute():
        tl.duplicate(param_squares_ub, 0.0, count=tile)
        tl.duplicate(ratio_squares_ub, 0.0, count=tile)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(param_ptr + offset, param_ub, count=count)
            tl.load(m_ptr + offset, m_ub, count=count)
            tl.load(v_ptr + offset, v_ub, count=count)
        with tl.compute():
            tl.sqrt(ratio_ub, v_ub, count=count)
            tl.adds(ratio_ub, ratio_ub, eps, count=count)
            tl.div(ratio_ub, m_ub, ratio_ub, count=count)
            tl.mul_add(param_squares_ub, param_ub, param_ub, count=count)
            tl.mul_add(ratio_squares_ub, ratio_ub, ratio_ub, count=count)
    with tl.compute():
        tl.duplicate(param_part_ub, 0.0, count=8)
        tl.duplicate(ratio_part_ub, 0.0, count=8)
        tl.reduce_sum(param_part_ub, param_squares_ub, ratio_ub, count=tile)
        tl.reduce_sum(ratio_part_ub, ratio_squares_ub, ratio_ub, count=tile)
    with tl.copyout():
        # The sums of the parameters stand before those of the ratios, eight elements a core.
        tl.store(parts_ptr + pid * 8, param_part_ub, count=8)
        tl.store(parts_ptr + (cores + pid) * 8, ratio_part_ub, count=8)
    tl.sync_all()
    with tl.copyin():
        tl.load(parts_ptr, all_ub, count=16 * cores)
    with tl.compute():
        tl.reduce_sum(sum_ub, all_ub, ratio_ub, count=8 * cores)
        param_length = tl.sqrt(tl.extract(sum_ub, 0))
        tl.reduce_sum(sum_ub, all_ub[8 * cores], ratio_ub, count=8 * cores)
        ratio_length = tl.sqrt(tl.extract(sum_ub, 0))
        rate = lr * (param_length / (ratio_length + eps))
    # The ratios are computed once more: that is cheaper than another tensor through GM.
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(param_ptr + offset, param_ub, count=count)
            tl.load(m_ptr + offset, m_ub, count=count)
            tl.load(v_ptr + offset, v_ub, count=count)
        with tl.compute():
            tl.sqrt(ratio_ub, v_ub, count=count)
            tl.adds(ratio_ub, ratio_ub, eps, count=count)
            tl.div(ratio_ub, m_ub, ratio_ub, count=count)
            tl.muls(ratio_ub, ratio_ub, rate, count=count)
            tl.sub(updated_ub, param_ub, ratio_ub, count=count)
        with tl.copyout():
            tl.store(updated_ptr + offset, updated_ub, count=count)


def lamb_host(
    param: tl.tensor(tl.float32),
    m: tl.tensor(tl.float32),
    v: tl.tensor(tl.float32),
    updated: tl.output(tl.float32, shape=[param.shape[0], param.shape[1]]),
    lr: float = 0.001,
    eps: float = 1e-6,
):
    total = param.numel()
    # Core Partitioning: every core takes an equal share of the elements, in whole blocks of 32 bytes; all of them read
    # the sums of all.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: three inputs and the output twice, three scratch buffers of 4288 elements: 188672 of 196352
    # bytes of UB, with 6 KiB for the sums.
    tile = 4288
    parts = tl.workspace(16 * n_cores, tl.float32)
    lamb_kernel[n_cores](param, m, v, updated, parts, total, per_core, tile, lr, eps)
