import tile.language as tl


@ascend_kernel
def group_norm_kernel(
    x_ptr, weight_ptr, bias_ptr, y_ptr, parts_ptr, items, groups, channels, channels_in_group, plane,
    parts, channels_in_part, waves, tile, eps
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
    size = channels_in_group * plane
    with tl.copyin():
        tl.load(weight_ptr, weight_ub, count=channels)
        tl.load(bias_ptr, bias_ub, count=channels)
    for wave in range(0, waves, 1):
        item = wave * cores + pid
        # Cores that the last wave leaves without a part go along with an empty one: all must meet.
        group = min(item // parts, items - 1)
        first = (item % parts) * channels_in_part if item < items * parts else channels_in_group
        last = min(first + channels_in_part, channels_in_group)
        # All means are taken of distances from the mean of the first elements: where values lie close together but far
        # from zero, a mean of their own would have lost the digits in which they differ.
        with tl.copyin():
            tl.load(x_ptr + group * size, first_ub, count=min(64, size))
        with tl.compute():
            tl.reduce_sum(sum_ub, first_ub, work_ub, count=min(64, size))
            pivot = tl.extract(sum_ub, 0) / min(64, size)
        mean = 0.0
        squares = 0.0
        seen = 0
        # The channels of a group lie one behind the other, so the statistics of a part run over one stretch.
        for at in range(first * plane, last * plane, tile):
            count = min(tile, last * plane - at)
            with tl.copyin():
                tl.load(x_ptr + group * size + at, x_ub, count=count)
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
                tl.load(parts_ptr + group * parts * 8, parts_ub, count=parts * 8)
            with tl.compute():
                mean = 0.0
                squares = 0.0
                seen = 0
                for other in range(0, parts, 1):
                    count = min(channels_in_part, channels_in_group - other * channels_in_part) * plane
                    distance = tl.extract(parts_ub, other * 8) - mean
                    both = seen + count
                    mean = mean + distance * (count / both)
                    spread = distance * distance * (seen * count / both)
                    squares = squares + tl.extract(parts_ub, other * 8 + 1) + spread
                    seen = both
        scale = 1.0 / tl.sqrt(squares / size + eps)
        for channel in range(first, last, 1):
            with tl.compute():
                place = (group % groups) * channels_in_group + channel
                factor = tl.extract(weight_ub, place) * scale
                shift = tl.extract(bias_ub, place)
            for at in range(0, plane, tile):
                count = min(tile, plane - at)
                with tl.copyin():
                    tl.load(x_ptr + group * size + channel * plane + at, x_ub, count=count)
                with tl.compute():
                    tl.subs(apart_ub, x_ub, pivot, count=count)
                    tl.subs(apart_ub, apart_ub, mean, count=count)
                    tl.muls(apart_ub, apart_ub, factor, count=count)
                    tl.adds(y_ub, apart_ub, shift, count=count)
                with tl.copyout():
                    tl.store(y_ptr + group * size + channel * plane + at, y_ub, count=count)


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
    # Few groups are cut into parts of whole channels, so that all cores have some. Up to half as many as there are
    # cores take one wave; of more, about four parts a core even out what is left over.
    if items % 48 == 0:
        wanted = 1
    elif items <= 24:
        wanted = 48 // items
    else:
        wanted = tl.cdiv(192, items)
    together = 48 // max(1, min(wanted, channels_in_group * plane // 2048))
    channels_in_part = tl.cdiv(channels_in_group, 48 // together)
    parts = tl.cdiv(channels_in_group, channels_in_part)
    # Core Partitioning: parts in turn over the cores, a wave of them at a time. A wave has all parts of a group: its
    # cores meet when each has left what it found of its part.
    n_cores = max(1, min(48 // parts * parts, items * parts))
    waves = tl.cdiv(items * parts, n_cores)
    found = tl.workspace(8 * waves * n_cores, tl.float32)
    # Tiling Strategy: input and output twice and two scratch buffers: at most 7680 elements each, 184320 of 196352
    # bytes of UB, with 10.25 KiB for weights, biases and the parts.
    tile = min(7680, max(2048, tl.align(tl.cdiv(channels_in_part * plane, 4), 64)))
    group_norm_kernel[n_cores](
        x, weight, bias, y, found, items, groups, channels, channels_in_group, plane,
        parts, channels_in_part, waves, tile, eps
    )
