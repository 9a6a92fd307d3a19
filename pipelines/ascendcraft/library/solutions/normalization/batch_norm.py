import tile.language as tl


@ascend_kernel
def batch_norm_kernel(x_ptr, weight_ptr, bias_ptr, y_ptr, batches, channels, plane, tile, eps):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    apart_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    weight_ub = tl.alloc_ub(1024, dtype=tl.float32)
    bias_ub = tl.alloc_ub(1024, dtype=tl.float32)
    with tl.copyin():
        tl.load(weight_ptr, weight_ub, count=channels)
        tl.load(bias_ptr, bias_ub, count=channels)
    for channel in range(pid, channels, cores):
        mean = 0.0
        squares = 0.0
        seen = 0
        for batch in range(0, batches, 1):
            for at in range(0, plane, tile):
                count = min(tile, plane - at)
                with tl.copyin():
                    tl.load(x_ptr + (batch * channels + channel) * plane + at, x_ub, count=count)
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
        with tl.compute():
            # In training the variance is that of the batch, divided by the number of elements.
            factor = tl.extract(weight_ub, channel) / tl.sqrt(squares / seen + eps)
            shift = tl.extract(bias_ub, channel)
        for batch in range(0, batches, 1):
            for at in range(0, plane, tile):
                count = min(tile, plane - at)
                with tl.copyin():
                    tl.load(x_ptr + (batch * channels + channel) * plane + at, x_ub, count=count)
                with tl.compute():
                    tl.subs(apart_ub, x_ub, mean, count=count)
                    tl.muls(apart_ub, apart_ub, factor, count=count)
                    tl.adds(y_ub, apart_ub, shift, count=count)
                with tl.copyout():
                    tl.store(y_ptr + (batch * channels + channel) * plane + at, y_ub, count=count)


def batch_norm_host(
    x: tl.tensor(tl.float32),
    weight: tl.tensor(tl.float32),
    bias: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1], x.shape[2], x.shape[3]]),
    eps: float = 1e-5,
):
    batches = x.shape[0]
    channels = x.shape[1]
    plane = x.shape[2] * x.shape[3]
    assert channels <= 1024, "at most 1024 channels"
    # Core Partitioning: channels in turn over the cores; each needs the whole batch.
    n_cores = max(1, min(48, channels))
    # Tiling Strategy: input and output twice and two scratch buffers: at most 7744 elements each, 185856 of 196352
    # bytes of UB, with 8 KiB for weights and biases.
    tile = min(7744, tl.align(plane, 64))
    batch_norm_kernel[n_cores](x, weight, bias, y, batches, channels, plane, tile, eps)
