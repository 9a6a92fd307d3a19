import tile.language as tl


@ascend_kernel
def layer_norm_kernel(
    x_ptr, weight_ptr, bias_ptr, y_ptr, parts_ptr, rows, size, parts, part_size, waves, tile, kept, eps
):
    pid = tl.program_id(0)
    items = waves * tl.num_programs(0)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    weight_ub = tl.alloc_ub(kept, dtype=tl.float32)
    bias_ub = tl.alloc_ub(kept, dtype=tl.float32)
    kept_ub = tl.alloc_ub(kept, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    lanes_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    part_ub = tl.alloc_ub(24, dtype=tl.float32)
    # A core has the same part of every sample that it takes, so it reads weights and biases once.
    start = (pid % parts) * part_size
    with tl.copyin():
        tl.load(weight_ptr + start, weight_ub, count=min(min(part_size, kept), size - start))
        tl.load(bias_ptr + start, bias_ub, count=min(min(part_size, kept), size - start))
    for wave in range(0, waves, 1):
        item = wave * tl.num_programs(0) + pid
        # Cores that the last wave leaves without a part go along with an empty one: all must meet.
        row = min(item // parts, rows - 1)
        stop = min(start + part_size, size) if item < rows * parts else start
        held = min(stop, start + kept)
        # All means are taken of distances from the mean of the first elements: where values lie close together but far
        # from zero, a mean of their own would have lost the digits in which they differ.
        with tl.copyin():
            tl.load(x_ptr + row * size, x_ub, count=min(64, size))
        with tl.compute():
            tl.reduce_sum(sum_ub, x_ub, work_ub, count=min(64, size))
            pivot = tl.extract(sum_ub, 0) / min(64, size)
            tl.duplicate(lanes_ub, 0.0, count=tile)
        for at in range(start, stop, tile):
            count = min(tile, stop - at)
            with tl.copyin():
                tl.load(x_ptr + row * size + at, x_ub, count=count)
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
                tl.load(x_ptr + row * size + at, x_ub, count=count)
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
                tl.store(parts_ptr + item * 8, part_ub, count=8, rows=3, stride=items * 8)
            tl.sync_all()
            with tl.copyin():
                tl.load(parts_ptr + row * parts * 8, x_ub, count=parts * 8, rows=3, stride=items * 8)
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
            if held > start:
                tl.subs(kept_ub, kept_ub, mean - part_mean, count=held - start)
                tl.muls(kept_ub, kept_ub, scale, count=held - start)
                tl.mul(kept_ub, kept_ub, weight_ub, count=held - start)
        for at in range(start, held, tile):
            count = min(tile, held - at)
            with tl.compute():
                tl.add(y_ub, kept_ub[at - start], bias_ub[at - start], count=count)
            with tl.copyout():
                tl.store(y_ptr + row * size + at, y_ub, count=count)
        for at in range(held, stop, tile):
            count = min(tile, stop - at)
            with tl.copyin():
                tl.load(x_ptr + row * size + at, x_ub, count=count)
            with tl.compute():
                tl.subs(work_ub, x_ub, pivot, count=count)
                tl.subs(work_ub, work_ub, mean, count=count)
                tl.muls(work_ub, work_ub, scale, count=count)
            with tl.copyin():
                tl.load(weight_ptr + at, x_ub, count=count)
            with tl.compute():
                tl.mul(work_ub, work_ub, x_ub, count=count)
            with tl.copyin():
                tl.load(bias_ptr + at, x_ub, count=count)
            with tl.compute():
                tl.add(y_ub, work_ub, x_ub, count=count)
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
    # Few samples are cut into parts, so that all cores have some. Up to half as many as there are cores take one wave;
    # of more, about four parts a core even out what is left over. Long samples are cut so far that a part stays in UB
    # from one reading to the next, if there is then enough for all cores.
    if rows % 48 == 0:
        wanted = 1
    elif rows <= 24:
        wanted = 48 // rows
    else:
        wanted = tl.cdiv(192, rows)
    needed = tl.cdiv(size, 10944)
    if needed <= 48 and rows * needed >= 192:
        wanted = max(wanted, needed)
    together = 48 // max(1, min(wanted, size // 2048))
    part_size = tl.align(tl.cdiv(size, 48 // together), 8)
    parts = tl.cdiv(size, part_size)
    # Core Partitioning: parts in turn over the cores, a wave of them at a time. A wave has all parts of a sample: its
    # cores meet when each has left what it found of its part.
    n_cores = max(1, min(48 // parts * parts, rows * parts))
    waves = tl.cdiv(rows * parts, n_cores)
    found = tl.workspace(24 * waves * n_cores, tl.float32)
    # Tiling Strategy: at most 10944 elements of a part, of its weights and of its biases stay in UB; input and output
    # twice and two scratch buffers have 2432 elements each: 189696 of 196352 bytes.
    tile = 2432
    kept = part_size if part_size <= 10944 else 9728
    layer_norm_kernel[n_cores](x, weight, bias, y, found, rows, size, parts, part_size, waves, tile, kept, eps)
