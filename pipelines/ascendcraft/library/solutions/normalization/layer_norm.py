import tile.language as tl


@ascend_kernel
def layer_norm_kernel(x_ptr, weight_ptr, bias_ptr, y_ptr, rows, size, rows_per_core, tile, eps):
    first = tl.program_id(0) * rows_per_core
    last = min(first + rows_per_core, rows)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    apart_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    weight_ub = tl.alloc_ub(tile, dtype=tl.float32)
    bias_ub = tl.alloc_ub(tile, dtype=tl.float32)
    for row in range(first, last, 1):
        mean = 0.0
        squares = 0.0
        seen = 0
        for at in range(0, size, tile):
            count = min(tile, size - at)
            with tl.copyin():
                tl.load(x_ptr + row * size + at, x_ub, count=count)
            with tl.compute():
                tl.reduce_sum(sum_ub, x_ub, work_ub, count=count)
                tile_mean = tl.extract(sum_ub, 0) / count
                tl.subs(apart_ub, x_ub, tile_mean, count=count)
                tl.mul(apart_ub, apart_ub, apart_ub, count=count)
                tl.reduce_sum(sum_ub, apart_ub, work_ub, count=count)
                # Chan's merge of two means and sums of squares: one reading of the row, and nothing cancels.
                distance = tile_mean - mean
                both = seen + count
                mean = mean + distance * (count / both)
                squares = squares + tl.extract(sum_ub, 0) + distance * distance * (seen * count / both)
                seen = both
        scale = 1.0 / tl.sqrt(squares / size + eps)
        for at in range(0, size, tile):
            count = min(tile, size - at)
            with tl.copyin():
                tl.load(x_ptr + row * size + at, x_ub, count=count)
                tl.load(weight_ptr + at, weight_ub, count=count)
                tl.load(bias_ptr + at, bias_ub, count=count)
            with tl.compute():
                tl.subs(apart_ub, x_ub, mean, count=count)
                tl.muls(apart_ub, apart_ub, scale, count=count)
                tl.mul(apart_ub, apart_ub, weight_ub, count=count)
                tl.add(y_ub, apart_ub, bias_ub, count=count)
            with tl.copyout():
                tl.store(y_ptr + row * size + at, y_ub, count=count)


def layer_norm_host(
    x: tl.tensor(tl.float32),
    weight: tl.tensor(tl.float32),
    bias: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1], x.shape[2], x.shape[3]]),
    eps: float = 1e-5,
):
    rows = x.shape[0]
    size = x.shape[1] * x.shape[2] * x.shape[3]
    assert weight.numel() == size, "weights for all axes but the first"
    assert bias.numel() == size, "a bias for all axes but the first"
    # Core Partitioning: whole samples, equally many on each core.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: three inputs and the output twice and two scratch buffers: at most 4864 elements each, 194560 of
    # 196352 bytes of UB.
    tile = min(4864, tl.align(size, 64))
    layer_norm_kernel[n_cores](x, weight, bias, y, rows, size, rows_per_core, tile, eps)
