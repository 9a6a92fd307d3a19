import tile.language as tl


@ascend_kernel
def batch_norm_kernel(
    x_ptr, weight_ptr, bias_ptr, y_ptr, parts_ptr, batches, channels, plane,
    parts, batches_in_part, waves, width, batches_at_once, tile, eps
):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    apart_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    first_ub = tl.alloc_ub(64, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    part_ub = tl.alloc_ub(8, dtype=tl.float32)
    parts_ub = tl.alloc_ub(384, dtype=tl.float32)
    weight_ub = tl.alloc_ub(1024, dtype=tl.float32)
    bias_ub = tl.alloc_ub(1024, dtype=tl.float32)
    with tl.copyin():
        tl.load(weight_ptr, weight_ub, count=channels)
        tl.load(bias_ptr, bias_ub, count=channels)
    for wave in range(0, waves, 1):
        item = wave * cores + pid
        # Cores that the last wave leaves without a part go along with an empty one: all must meet.
        channel = min(item // parts, channels - 1)
        first = (item % parts) * batches_in_part if item < channels * parts else batches
        last = min(first + batches_in_part, batches)
        # All means are taken of distances from the mean of the first elements: where values lie close together but far
        # from zero, a mean of their own would have lost the digits in which they differ.
        with tl.copyin():
            tl.load(x_ptr + channel * plane, first_ub, count=min(64, plane))
        with tl.compute():
            tl.reduce_sum(sum_ub, first_ub, work_ub, count=min(64, plane))
            pivot = tl.extract(sum_ub, 0) / min(64, plane)
        mean = 0.0
        squares = 0.0
        seen = 0
        for batch in range(first, last, batches_at_once):
            for at in range(0, plane, width):
                cols = min(width, plane - at)
                rows = min(batches_at_once, last - batch)
                count = rows * cols
                with tl.copyin():
                    tl.load(
                        x_ptr + (batch * channels + channel) * plane + at, x_ub,
                        count=cols, rows=rows, stride=channels * plane
                    )
                with tl.compute():
                    tl.subs(apart_ub, x_ub, pivot, count=count)
                    tl.reduce_sum(sum_ub, apart_ub, work_ub, count=count)
                    tile_mean = tl.extract(sum_ub, 0) / count
                    tl.subs(apart_ub, apart_ub, tile_mean, count=count)
                    tl.mul(apart_ub, apart_ub, apart_ub, count=count)
                    tl.reduce_sum(sum_ub, apart_ub, work_ub, count=count)
                    # Chan's merge of two means and sums of squares: one reading, and nothing cancels.
                    distance = tile_mean - mean
                    both = seen + count
                    mean = mean + distance * (count / both)
                    squares = squares + tl.extract(sum_ub, 0) + distance * distance * (seen * count / both)
                    seen = both
        if parts > 1:
            with tl.compute():
                tl.duplicate(part_ub, 0.0, count=8)
                tl.set(part_ub, 0, mean)
                tl.set(part_ub, 1, squares)
            with tl.copyout():
                # Eight elements a part: neighbours never share a block of 32 bytes.
                tl.store(parts_ptr + item * 8, part_ub, count=8)
            tl.sync_all()
            with tl.copyin():
                tl.load(parts_ptr + channel * parts * 8, parts_ub, count=parts * 8)
            with tl.compute():
                mean = 0.0
                squares = 0.0
                seen = 0
                for other in range(0, parts, 1):
                    count = min(batches_in_part, batches - other * batches_in_part) * plane
                    distance = tl.extract(parts_ub, other * 8) - mean
                    both = seen + count
                    mean = mean + distance * (count / both)
                    spread = distance * distance * (seen * count / both)
                    squares = squares + tl.extract(parts_ub, other * 8 + 1) + spread
                    seen = both
        with tl.compute():
            # In training the variance is that of the batch, divided by the number of elements.
            factor = tl.extract(weight_ub, channel) / tl.sqrt(squares / seen + eps)
            shift = tl.extract(bias_ub, channel)
        for batch in range(first, last, batches_at_once):
            for at in range(0, plane, width):
                cols = min(width, plane - at)
                rows = min(batches_at_once, last - batch)
                count = rows * cols
                with tl.copyin():
                    tl.load(
                        x_ptr + (batch * channels + channel) * plane + at, x_ub,
                        count=cols, rows=rows, stride=channels * plane
                    )
                with tl.compute():
                    tl.subs(apart_ub, x_ub, pivot, count=count)
                    tl.subs(apart_ub, apart_ub, mean, count=count)
                    tl.muls(apart_ub, apart_ub, factor, count=count)
                    tl.adds(y_ub, apart_ub, shift, count=count)
                with tl.copyout():
                    tl.store(
                        y_ptr + (batch * channels + channel) * plane + at, y_ub,
                        count=cols, rows=rows, stride=channels * plane
                    )


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
    # Few channels are cut into parts of whole planes, so that all cores have some. Up to half as many as there are
    # cores take one wave; of more, about four parts a core even out what is left over.
    if channels % 48 == 0:
        wanted = 1
    elif channels <= 24:
        wanted = 48 // channels
    else:
        wanted = tl.cdiv(192, channels)
    together = 48 // max(1, min(wanted, batches))
    batches_in_part = tl.cdiv(batches, 48 // together)
    parts = tl.cdiv(batches, batches_in_part)
    # Core Partitioning: parts in turn over the cores, a wave of them at a time. A wave has all parts of a channel: its
    # cores meet when each has left what it found of its part.
    n_cores = max(1, min(48 // parts * parts, channels * parts))
    waves = tl.cdiv(channels * parts, n_cores)
    found = tl.workspace(8 * waves * n_cores, tl.float32)
    # Tiling Strategy: input and output twice and two scratch buffers: at most 7680 elements each, 184320 of 196352
    # bytes of UB, with 10.25 KiB for weights, biases and the parts. Small planes of whole blocks of 32 bytes come
    # several at once, one behind the other.
    tile = min(7680, tl.align(batches_in_part * plane, 64))
    width = min(plane, tile)
    batches_at_once = tile // plane if plane % 8 == 0 and plane <= tile else 1
    batch_norm_kernel[n_cores](
        x, weight, bias, y, found, batches, channels, plane,
        parts, batches_in_part, waves, width, batches_at_once, tile, eps
    )
