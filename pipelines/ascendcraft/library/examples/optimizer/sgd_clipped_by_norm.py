# category: optimizer
# shapes: elementwise after a norm over the whole tensor, all cores meet
import tile.language as tl


@ascend_kernel
def sgd_clipped_by_norm_kernel(p_ptr, g_ptr, new_ptr, shares_ptr, total, per_core, tile, rate, longest):
    core = tl.program_id(0)
    start = core * per_core
    stop = min(start + per_core, total)
    p_ub = tl.alloc_ub(tile, dtype=tl.float32)
    g_ub = tl.alloc_ub(tile, dtype=tl.float32)
    new_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    squares_ub = tl.alloc_ub(tile, dtype=tl.float32)
    share_ub = tl.alloc_ub(8, dtype=tl.float32)
    gathered_ub = tl.alloc_ub(384, dtype=tl.float32)
    norm_ub = tl.alloc_ub(8, dtype=tl.float32)
    with tl.compute():
        tl.duplicate(squares_ub, 0.0, count=tile)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(g_ptr + offset, g_ub, count=count)
        with tl.compute():
            tl.mul_add(squares_ub, g_ub, g_ub, count=count)
    with tl.compute():
        tl.duplicate(share_ub, 0.0, count=8)
        tl.reduce_sum(share_ub, squares_ub, work_ub, count=tile)
    with tl.copyout():
        tl.store(shares_ptr + core * 8, share_ub, count=8)
    tl.sync_all()
    # Every core adds up all shares: cheaper than a second meeting to hear the sum from one of them.
    with tl.copyin():
        tl.load(shares_ptr, gathered_ub, count=8 * tl.num_programs(0))
    with tl.compute():
        tl.reduce_sum(norm_ub, gathered_ub, work_ub, count=8 * tl.num_programs(0))
        norm = tl.sqrt(tl.extract(norm_ub, 0))
        # Below the longest allowed the gradient is left as it is, so a norm of zero divides nothing.
        scale = rate * (longest / max(norm, longest))
    # The gradient is read again: UB cannot hold what a core has of it.
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(p_ptr + offset, p_ub, count=count)
            tl.load(g_ptr + offset, g_ub, count=count)
        with tl.compute():
            tl.muls(work_ub, g_ub, scale, count=count)
            tl.sub(new_ub, p_ub, work_ub, count=count)
        with tl.copyout():
            tl.store(new_ptr + offset, new_ub, count=count)


def sgd_clipped_by_norm_host(
    p: tl.tensor(tl.float32),
    g: tl.tensor(tl.float32),
    new: tl.output(tl.float32, shape=[p.shape[0], p.shape[1]]),
    rate: float = 0.01,
    longest: float = 1.0,
):
    total = p.numel()
    assert g.numel() == total, "two tensors of one shape"
    # Core Partitioning: all cores take equal runs of whole blocks, the same runs before and after they meet.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: two inputs and the output twice and two scratch buffers of 6016 float32: 192512 of 196352 bytes
    # of UB, with 2 KiB for the sums.
    tile = 6016
    shares = tl.workspace(8 * n_cores, tl.float32)
    sgd_clipped_by_norm_kernel[n_cores](p, g, new, shares, total, per_core, tile, rate, longest)
