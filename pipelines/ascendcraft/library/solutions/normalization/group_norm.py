import tile.language as tl


@ascend_kernel
def group_norm_kernel(
    x_ptr, weight_ptr, bias_ptr, y_ptr, parts_ptr, items, groups, channels, channels_in_group, plane,
    parts, channels_in_part, waves, tile, kept, eps
):
    pid = tl.program_id(0)
    spots = waves * tl.num_programs(0)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    kept_ub = tl.alloc_ub(max(kept, 8), dtype=tl.float32)
    lanes_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    part_ub = tl.alloc_ub(24, dtype=tl.float32)
    weight_ub = tl.alloc_ub(1024, dtype=tl.float32)
    bias_ub = tl.alloc_ub(1024, dtype=tl.float32)
    size = channels_in_group * plane
    with tl.copyin():
        tl.load(weight_ptr, weight_ub, count=channels)
        tl.load(bias_ptr, bias_ub, count=channels)
    for wave in range(0, waves, 1):
        item = wave * tl.num_programs(0) + pid
        # Cores that the last wave leaves without a part go along with an empty one: all must meet.
        group = min(item // parts, items - 1)
        first = (item % parts) * channels_in_part if item < items * parts else channels_in_group
        last = min(first + channels_in_part, channels_in_group)
        start = first * plane
        stop = max(last * plane, start)
        held = min(stop, start + kept)
        # All means are taken of distances from the mean of the first elements: where values lie close together but far
        # from zero, a mean of their own would have lost the digits in which they differ.
        with tl.copyin():
            tl.load(x_ptr + group * size, x_ub, count=min(64, size))
        with tl.compute():
            tl.reduce_sum(sum_ub, x_ub, work_ub, count=min(64, size))
            pivot = tl.extract(sum_ub, 0) / min(64, size)
            tl.duplicate(lanes_ub, 0.0, count=tile)
        for at in range(start, stop, tile):
            count = min(tile, stop - at)
            with tl.copyin():
                tl.load(x_ptr + group * size + at, x_ub, count=count)
            with tl.compute():
                if at < held:
                    tl.subs(kept_ub[at - start], x_ub, pivot, count=count)
                    tl.add(lanes_ub, lanes_ub, kept_ub[at - start], count=count)
                else:
                    tl.subs(work_ub, x_ub, pivot, count=count)
                    tl.add(lanes_ub, lanes_ub, work_ub, count=count)
        with tl.compute():
            tl.reduce_sum(sum_ub, lanes_ub, work_ub, count=tile)
            part_mean = tl.extract(sum_ub, 0) / max(stop - start, 1)
            tl.duplicate(lanes_ub, 0.0, count=tile)
            if held > start:
                tl.subs(kept_ub, kept_ub, part_mean, count=held - start)
            for at in range(start, held, tile):
                count = min(tile, held - at)
                tl.mul_add(lanes_ub, kept_ub[at - start], kept_ub[at - start], count=count)
        # What UB cannot hold is read again.
        for at in range(held, stop, tile):
            count = min(tile, stop - at)
            with tl.copyin():
                tl.load(x_ptr + group * size + at, x_ub, count=count)
            with tl.compute():
                tl.subs(work_ub, x_ub, pivot, count=count)
                tl.subs(work_ub, work_ub, part_mean, count=count)
                tl.mul_add(lanes_ub, work_ub, work_ub, count=count)
        with tl.compute():
            tl.reduce_sum(sum_ub, lanes_ub, work_ub, count=tile)
        mean = part_mean
        if parts > 1:
            with tl.compute():
                # Mean, count and sum of squares, each with 32 bytes of its own: neighbours never share a block.
                tl.duplicate(part_ub, 0.0, count=24)
                tl.set(part_ub, 0, part_mean)
                tl.set(part_ub, 8, float(stop - start))
                tl.add(part_ub[16], part_ub[16], sum_ub, count=1)
            with tl.copyout():
                tl.store(parts_ptr + item * 8, part_ub, count=8, rows=3, stride=spots * 8)
            tl.sync_all()
            with tl.copyin():
                tl.load(parts_ptr + group * parts * 8, x_ub, count=parts * 8, rows=3, stride=spots * 8)
            with tl.compute():
                # Chan's merge of means and sums of squares, in which nothing cancels.
                tl.mul(lanes_ub, x_ub, x_ub[parts * 8], count=parts * 8)
                tl.reduce_sum(sum_ub, lanes_ub, work_ub, count=parts * 8)
                mean = tl.extract(sum_ub, 0) / size
                tl.subs(lanes_ub, x_ub, mean, count=parts * 8)
                tl.mul(lanes_ub, lanes_ub, lanes_ub, count=parts * 8)
                tl.mul(lanes_ub, lanes_ub, x_ub[parts * 8], count=parts * 8)
                tl.add(lanes_ub, lanes_ub, x_ub[parts * 16], count=parts * 8)
                tl.reduce_sum(sum_ub, lanes_ub, work_ub, count=parts * 8)
        with tl.compute():
            scale = 1.0 / tl.sqrt(tl.extract(sum_ub, 0) / size + eps)
        for channel in range(first, last, 1):
            with tl.compute():
                place = (group % groups) * channels_in_group + channel
                factor = tl.extract(weight_ub, place) * scale
                shift = tl.extract(bias_ub, place)
            begin = channel * plane
            for at in range(begin, min(begin + plane, held), tile):
                count = min(tile, min(begin + plane, held) - at)
                with tl.compute():
                    tl.subs(work_ub, kept_ub[at - start], mean - part_mean, count=count)
                    tl.muls(work_ub, work_ub, factor, count=count)
                    tl.adds(y_ub, work_ub, shift, count=count)
                with tl.copyout():
                    tl.store(y_ptr + group * size + at, y_ub, count=count)
            for at in range(max(begin, held), begin + plane, tile):
                count = min(tile, begin + plane - at)
                with tl.copyin():
                    tl.load(x_ptr + group * size + at, x_ub, count=count)
                with tl.compute():
                    tl.subs(work_ub, x_ub, pivot, count=count)
                    tl.subs(work_ub, work_ub, mean, count=count)
                    tl.muls(work_ub, work_ub, factor, count=count)
                    tl.adds(y_ub, work_ub, shift, count=count)
                with tl.copyout():
                    tl.store(y_ptr + group * size + at, y_ub, count=count)


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
    # cores take one wave; of more, about four parts a core even out what is left over. Long groups are cut
    # so far that a part stays in UB from one reading to the next, if there is then enough for all cores.
    if items % 48 == 0:
        wanted = 1
    elif items <= 24:
        wanted = 48 // items
    else:
        wanted = tl.cdiv(192, items)
    needed = tl.cdiv(channels_in_group, max(1, 16384 // plane))
    if needed <= 48 and items * needed >= 192 and plane <= 16384:
        wanted = max(wanted, needed)
    together = 48 // max(1, min(wanted, channels_in_group * plane // 2048))
    channels_in_part = tl.cdiv(channels_in_group, 48 // together)
    parts = tl.cdiv(channels_in_group, channels_in_part)
    # Core Partitioning: parts in turn over the cores, a wave of them at a time. A wave has all parts of a group: its
    # cores meet when each has left what it found of its part.
    n_cores = max(1, min(48 // parts * parts, items * parts))
    waves = tl.cdiv(items * parts, n_cores)
    found = tl.workspace(24 * waves * n_cores, tl.float32)
    # Tiling Strategy: 16384 elements of a part stay in UB; input and output twice and two scratch buffers have at most
    # 4608 elements each: 176128 of 196352 bytes of UB, with 8.4 KiB for weights and biases. What stays is used channel
    # by channel, so channels must begin at whole blocks there.
    tile = min(4608, max(2048, tl.align(tl.cdiv(channels_in_part * plane, 4), 64)))
    kept = 16384 // tile * tile if plane % 8 == 0 else 0
    if plane % 8 == 0 and channels_in_part * plane <= 16384:
        kept = channels_in_part * plane
    group_norm_kernel[n_cores](
        x, weight, bias, y, found, items, groups, channels, channels_in_group, plane,
        parts, channels_in_part, waves, tile, kept, eps
    )
