import tile.language as tl


@ascend_kernel
def elu_kernel(x_ptr, y_ptr, total, per_core, tile, alpha):
    start = tl.program_id(0) * per_core
    stop = min(start + per_core, total)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    low_ub = tl.alloc_ub(tile, dtype=tl.float32)
    power_ub = tl.alloc_ub(tile, dtype=tl.float32)
    log_ub = tl.alloc_ub(tile, dtype=tl.float32)
    mask_ub = tl.alloc_ub(tile // 8, dtype=tl.uint8)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(x_ptr + offset, x_ub, count=count)
        with tl.compute():
            # e^v - 1 by Kahan's quotient: for small v the plain difference would lose all its digits.
            tl.mins(low_ub, x_ub, 0.0, count=count)
            # Below -20 the result is -1 in float32; the bound keeps the logarithm finite.
            tl.maxs(low_ub, low_ub, -20.0, count=count)
            tl.exp(power_ub, low_ub, count=count)
            tl.ln(log_ub, power_ub, count=count)
            tl.adds(y_ub, power_ub, -1.0, count=count)
            tl.mul(y_ub, y_ub, low_ub, count=count)
            tl.div(y_ub, y_ub, log_ub, count=count)
            # Where the power rounds to 1 the quotient is 0 / 0, and v itself is the result.
            tl.compares(mask_ub, power_ub, 1.0, mode="ne", count=count)
            tl.select(y_ub, mask_ub, y_ub, low_ub, count=count)

            tl.muls(y_ub, y_ub, alpha, count=count)
            tl.relu(power_ub, x_ub, count=count)
            tl.add(y_ub, y_ub, power_ub, count=count)
        with tl.copyout():
            tl.store(y_ptr + offset, y_ub, count=count)


def elu_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1]]),
    alpha: float = 1.0,
):
    total = x.numel()
    # Core Partitioning: the tensor is one run of elements; every core takes an equal share in whole blocks of 32 bytes,
    # and at least 8 KiB, below which starting a core costs more than it brings.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: input and output twice, 3 scratch buffers, a mask: 195392 of 196352 bytes of UB, with the
    # 8192 bytes that selections take.
    tile = 6656
    elu_kernel[n_cores](x, y, total, per_core, tile, alpha)
