import tile.language as tl


@ascend_kernel
def batch_norm_kernel(
    x_ptr, weight_ptr, bias_ptr, y_ptr, parts_ptr, batches, channels, plane,
    parts, batches_in_part, waves, width, batches_at_once, tile, kept, eps
):
    pid = tl.program_id(0)
    items = waves * tl.num_programs(0)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    kept_ub = tl.alloc_ub(max(kept, 8), dtype=tl.float32)
    lanes_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    part_ub = tl.alloc_ub(24, dtype=tl.float32)
    weight_ub = tl.alloc_ub(1024, dtype=tl.float32)
    bias_ub = tl.alloc_ub(1024, dtype=tl.float32)
    with tl.copyin():
        tl.load(weight_ptr, weight_ub, count=channels)
        tl.load(bias_ptr, bias_ub, count=channels)
    for wave in range(0, waves, 1):
        item = wave * tl.num_programs(0) + pid
        # Cores that the last wave leaves without a part go along with an empty one: all must meet.
        channel = min(item // parts, channels - 1)
        first = (item % parts) * batches_in_part if item < channels * parts else batches
        last = min(first + batches_in_part, batches)
        size = max(last - first, 0) * plane
        # All means are taken of distances from the mean of the first elements: where values lie close together but far
        # from zero, a mean of their own would have lost the digits in which they differ.
        with tl.copyin():
            tl.load(x_ptr + channel * plane, x_ub, count=min(64, plane))
        with tl.compute():
            tl.reduce_sum(sum_ub, x_ub, work_ub, count=min(64, plane))
            pivot = tl.extract(sum_ub, 0) / min(64, plane)
            tl.duplicate(lanes_ub, 0.0, count=tile)
        for batch in range(first, last, batches_at_once):
            for at in range(0, plane, width):
                cols = min(width, plane - at)
                rows = min(batches_at_once, last - batch)
                count = rows * cols
                place = (batch - first) * plane + at
                with tl.copyin():
                    tl.load(
                        x_ptr + (batch * channels + channel) * plane + at, x_ub,
                        count=cols, rows=rows, stride=channels * plane
                    )
                with tl.compute():
                    tl.subs(work_ub, x_ub, pivot, count=count)
                    tl.add(lanes_ub, lanes_ub, work_ub, count=count)
                    if place + count <= kept:
                        tl.copy(kept_ub[place], work_ub, count=count)
        with tl.compute():
            tl.reduce_sum(sum_ub, lanes_ub, work_ub, count=tile)
            part_mean = tl.extract(sum_ub, 0) / max(size, 1)
            tl.duplicate(lanes_ub, 0.0, count=tile)
        # What UB cannot hold is read again.
        for batch in range(first, last, batches_at_once):
            for at in range(0, plane, width):
                cols = min(width, plane - at)
                rows = min(batches_at_once, last - batch)
                count = rows * cols
                place = (batch - first) * plane + at
                if place + count <= kept:
                    with tl.compute():
                        tl.subs(kept_ub[place], kept_ub[place], part_mean, count=count)
                        tl.mul_add(lanes_ub, kept_ub[place], kept_ub[place], count=count)
                else:
                    with tl.copyin():
                        tl.load(
                            x_ptr + (batch * channels + channel) * plane + at, x_ub,
                            count=cols, rows=rows, stride=channels * plane
                        )
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
                tl.set(part_ub, 8, float(size))
                tl.add(part_ub[16], part_ub[16], sum_ub, count=1)
            with tl.copyout():
                tl.store(parts_ptr + item * 8, part_ub, count=8, rows=3, stride=items * 8)
            tl.sync_all()
            with tl.copyin():
                tl.load(parts_ptr + channel * parts * 8, x_ub, count=parts * 8, rows=3, stride=items * 8)
            with tl.compute():
                # Chan's merge of means and sums of squares, in which nothing cancels.
                tl.mul(lanes_ub, x_ub, x_ub[parts * 8], count=parts * 8)
                tl.reduce_sum(sum_ub, lanes_ub, work_ub, count=parts * 8)
                mean = tl.extract(sum_ub, 0) / (batches * plane)
                tl.subs(lanes_ub, x_ub, mean, count=parts * 8)
                tl.mul(lanes_ub, lanes_ub, lanes_ub, count=parts * 8)
                tl.mul(lanes_ub, lanes_ub, x_ub[parts * 8], count=parts * 8)
                tl.add(lanes_ub, lanes_ub, x_ub[parts * 16], count=parts * 8)
                tl.reduce_sum(sum_ub, lanes_ub, work_ub, count=parts * 8)
        with tl.compute():
            # In training the variance is that of the batch, divided by the number of elements.
            factor = tl.extract(weight_ub, channel) / tl.sqrt(tl.extract(sum_ub, 0) / (batches * plane) + eps)
            shift = tl.extract(bias_ub, channel)
        for batch in range(first, last, batches_at_once):
            for at in range(0, plane, width):
                cols = min(width, plane - at)
                rows = min(batches_at_once, last - batch)
                count = rows * cols
                place = (batch - first) * plane + at
                if place + count <= kept:
                    with tl.compute():
                        tl.subs(work_ub, kept_ub[place], mean - part_mean, count=count)
                        tl.muls(work_ub, work_ub, factor, count=count)
                        tl.adds(y_ub, work_ub, shift, count=count)
                    with tl.copyout():
                        tl.store(
                            y_ptr + (batch * channels + channel) * plane + at, y_ub,
                            count=cols, rows=rows, stride=channels * plane
                        )
                else:
                    with tl.copyin():
                        tl.load(
                            x_ptr + (batch * channels + channel) * plane + at, x_ub,
                            count=cols, rows=rows, stride=channels * plane
                        )
                    with tl.compute():
                        tl.subs(work_ub, x_ub, pivot, count=count)
                        tl.subs(work_ub, work_ub, mean, count=count)
                        tl.muls(work_ub, work_ub, factor, count=count)
                        tl.adds(y_ub, work_ub, shift, count=count)
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
    # cores take one wave; of more, about four parts a core even out what is left over. Long channels are
    # cut so far that a part stays in UB from one reading to the next, if there is then enough for all cores.
    if channels % 48 == 0:
        wanted = 1
    elif channels <= 24:
        wanted = 48 // channels
    else:
        wanted = tl.cdiv(192, channels)
    needed = tl.cdiv(batches, max(1, 27648 // plane))
    if needed <= 48 and channels * needed >= 192 and plane <= 27648:
        wanted = max(wanted, needed)
    together = 48 // max(1, min(wanted, batches))
    batches_in_part = tl.cdiv(batches, 48 // together)
    parts = tl.cdiv(batches, batches_in_part)
    # Core Partitioning: parts in turn over the cores, a wave of them at a time. A wave has all parts of a channel: its
    # cores meet when each has left what it found of its part.
    n_cores = max(1, min(48 // parts * parts, channels * parts))
    waves = tl.cdiv(channels * parts, n_cores)
    found = tl.workspace(24 * waves * n_cores, tl.float32)
    # Tiling Strategy: 27648 elements of a part stay in UB, if planes fill whole blocks of 32 bytes; input and output
    # twice and two scratch buffers have at most 3072 elements each: 184320 of 196352 bytes of UB, with 8.4 KiB for
    # weights and biases. Small planes come several at once, one behind the other.
    tile = min(3072, max(1152, tl.align(batches_in_part * plane, 64)))
    kept = min(27648, tl.align(batches_in_part * plane, 8)) if plane % 8 == 0 else 0
    width = min(plane, tile)
    batches_at_once = tile // plane if plane % 8 == 0 and plane <= tile else 1
    batch_norm_kernel[n_cores](
        x, weight, bias, y, found, batches, channels, plane,
        parts, batches_in_part, waves, width, batches_at_once, tile, kept, eps
    )
