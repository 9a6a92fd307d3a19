import tile.language as tl


@ascend_kernel
def gelu_kernel(x_ptr, y_ptr, total, per_core, tile):
    start = tl.program_id(0) * per_core
    stop = min(start + per_core, total)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    scaled_ub = tl.alloc_ub(tile, dtype=tl.float32)
    tmp_ub = tl.alloc_ub(4 * tile, dtype=tl.uint8)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(x_ptr + offset, x_ub, count=count)
        with tl.compute():
            # x / 2 * (1 + erf(x / sqrt(2)))
            tl.muls(scaled_ub, x_ub, 0.7071067811865476, count=count)
            tl.erf(y_ub, scaled_ub, tmp_ub, count=count)
            tl.adds(y_ub, y_ub, 1.0, count=count)
            tl.mul(y_ub, y_ub, x_ub, count=count)
            tl.muls(y_ub, y_ub, 0.5, count=count)
        with tl.copyout():
            tl.store(y_ptr + offset, y_ub, count=count)


def gelu_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1]]),
):
    total = x.numel()
    # Core Partitioning: the tensor is one run of elements; every core takes an equal share in whole blocks of 32 bytes,
    # and at least 8 KiB, below which starting a core costs more than it brings.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: input and output twice, 1 scratch buffer, what the library function works in: 195072 of
    # 196352 bytes of UB.
    tile = 8128
    gelu_kernel[n_cores](x, y, total, per_core, tile)
