import tile.language as tl


@ascend_kernel
def softplus_kernel(x_ptr, y_ptr, total, per_core, tile):
    start = tl.program_id(0) * per_core
    stop = min(start + per_core, total)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    power_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(tile, dtype=tl.float32)
    mask_ub = tl.alloc_ub(tile // 8, dtype=tl.uint8)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(x_ptr + offset, x_ub, count=count)
        with tl.compute():
            # max(x, 0) + log(1 + e^-|x|), so that no power overflows. Above 20 the second term is below what float32
            # can add.
            tl.abs(power_ub, x_ub, count=count)
            tl.muls(power_ub, power_ub, -1.0, count=count)
            tl.exp(power_ub, power_ub, count=count)
            # log(1 + u) by Kahan's quotient: for small u the plain logarithm would lose all digits of u.
            tl.adds(sum_ub, power_ub, 1.0, count=count)
            tl.ln(y_ub, sum_ub, count=count)
            tl.mul(y_ub, y_ub, power_ub, count=count)
            tl.compares(mask_ub, sum_ub, 1.0, mode="ne", count=count)
            tl.adds(sum_ub, sum_ub, -1.0, count=count)
            tl.div(y_ub, y_ub, sum_ub, count=count)
            # Where the sum rounds to 1 the quotient is 0 / 0, and u itself is the result.
            tl.select(y_ub, mask_ub, y_ub, power_ub, count=count)
            tl.relu(sum_ub, x_ub, count=count)
            tl.add(y_ub, y_ub, sum_ub, count=count)
        with tl.copyout():
            tl.store(y_ptr + offset, y_ub, count=count)


def softplus_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1]]),
):
    total = x.numel()
    # Core Partitioning: the tensor is one run of elements; every core takes an equal share in whole blocks of 32 bytes,
    # and at least 8 KiB, below which starting a core costs more than it brings.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: input and output twice, 2 scratch buffers, a mask: 195016 of 196352 bytes of UB, with the
    # 8192 bytes that selections take.
    tile = 7744
    softplus_kernel[n_cores](x, y, total, per_core, tile)
