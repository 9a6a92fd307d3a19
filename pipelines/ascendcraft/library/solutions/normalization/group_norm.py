import tile.language as tl


@ascend_kernel
def group_norm_kernel(
    x_ptr, weight_ptr, bias_ptr, y_ptr, items, groups, channels, channels_in_group, plane, items_per_core, tile, eps
):
    first = tl.program_id(0) * items_per_core
    last = min(first + items_per_core, items)
    size = channels_in_group * plane
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
    for item in range(first, last, 1):
        mean = 0.0
        squares = 0.0
        seen = 0
        # The channels of a group lie one behind the other, so its statistics run over one stretch.
        for at in range(0, size, tile):
            count = min(tile, size - at)
            with tl.copyin():
                tl.load(x_ptr + item * size + at, x_ub, count=count)
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
        for channel in range(0, channels_in_group, 1):
            with tl.compute():
                place = (item % groups) * channels_in_group + channel
                factor = tl.extract(weight_ub, place) * scale
                shift = tl.extract(bias_ub, place)
            for at in range(0, plane, tile):
                count = min(tile, plane - at)
                with tl.copyin():
                    tl.load(x_ptr + item * size + channel * plane + at, x_ub, count=count)
                with tl.compute():
                    tl.subs(apart_ub, x_ub, mean, count=count)
                    tl.muls(apart_ub, apart_ub, factor, count=count)
                    tl.adds(y_ub, apart_ub, shift, count=count)
                with tl.copyout():
                    tl.store(y_ptr + item * size + channel * plane + at, y_ub, count=count)


def group_norm_host(
    x: tl.tensor(tl.float32),
    weight: tl.tensor(tl.float32),
    bias: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1], x.shape[2], x.shape[3]]),
    groups: int = 1,
    eps: float = 1e-5,
):
    channels = x.shape[1]
    assert channels <= 1024, "at most 1024 channels"
    assert channels % groups == 0, "groups of equally many channels"
    channels_in_group = channels // groups
    plane = x.shape[2] * x.shape[3]
    items = x.shape[0] * groups
    # Core Partitioning: whole groups of samples, equally many on each core.
    n_cores = max(1, min(48, items))
    items_per_core = tl.cdiv(items, n_cores)
    # Tiling Strategy: input and output twice and two scratch buffers: at most 7744 elements each, 185856 of 196352
    # bytes of UB, with 8 KiB for weights and biases.
    tile = min(7744, tl.align(channels_in_group * plane, 64))
    group_norm_kernel[n_cores](
        x, weight, bias, y, items, groups, channels, channels_in_group, plane, items_per_core, tile, eps
    )
