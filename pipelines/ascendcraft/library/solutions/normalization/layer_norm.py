import tile.language as tl


@ascend_kernel
def layer_norm_kernel(
    x_ptr, weight_ptr, bias_ptr, y_ptr, parts_ptr, rows, size, parts, part_size, waves, tile, eps
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
    weight_ub = tl.alloc_ub(tile, dtype=tl.float32)
    bias_ub = tl.alloc_ub(tile, dtype=tl.float32)
    for wave in range(0, waves, 1):
        item = wave * cores + pid
        # Cores that the last wave leaves without a part go along with an empty one: all must meet.
        row = min(item // parts, rows - 1)
        start = (item % parts) * part_size if item < rows * parts else size
        stop = min(start + part_size, size)
        # All means are taken of distances from the mean of the first elements: where values lie close together but far
        # from zero, a mean of their own would have lost the digits in which they differ.
        with tl.copyin():
            tl.load(x_ptr + row * size, first_ub, count=min(64, size))
        with tl.compute():
            tl.reduce_sum(sum_ub, first_ub, work_ub, count=min(64, size))
            pivot = tl.extract(sum_ub, 0) / min(64, size)
        mean = 0.0
        squares = 0.0
        seen = 0
        for at in range(start, stop, tile):
            count = min(tile, stop - at)
            with tl.copyin():
                tl.load(x_ptr + row * size + at, x_ub, count=count)
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
                tl.load(parts_ptr + row * parts * 8, parts_ub, count=parts * 8)
            with tl.compute():
                mean = 0.0
                squares = 0.0
                seen = 0
                for other in range(0, parts, 1):
                    count = min(part_size, size - other * part_size)
                    distance = tl.extract(parts_ub, other * 8) - mean
                    both = seen + count
                    mean = mean + distance * (count / both)
                    spread = distance * distance * (seen * count / both)
                    squares = squares + tl.extract(parts_ub, other * 8 + 1) + spread
                    seen = both
        scale = 1.0 / tl.sqrt(squares / size + eps)
        for at in range(start, stop, tile):
            count = min(tile, stop - at)
            with tl.copyin():
                tl.load(x_ptr + row * size + at, x_ub, count=count)
                tl.load(weight_ptr + at, weight_ub, count=count)
                tl.load(bias_ptr + at, bias_ub, count=count)
            with tl.compute():
                tl.subs(apart_ub, x_ub, pivot, count=count)
                tl.subs(apart_ub, apart_ub, mean, count=count)
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
    # Few samples are cut into parts, so that all cores have some. Up to half as many as there are cores take one wave;
    # of more, about four parts a core even out what is left over.
    if rows % 48 == 0:
        wanted = 1
    elif rows <= 24:
        wanted = 48 // rows
    else:
        wanted = tl.cdiv(192, rows)
    together = 48 // max(1, min(wanted, size // 2048))
    part_size = tl.align(tl.cdiv(size, 48 // together), 8)
    parts = tl.cdiv(size, part_size)
    # Core Partitioning: parts in turn over the cores, a wave of them at a time. A wave has all parts of a sample: its
    # cores meet when each has left what it found of its part.
    n_cores = max(1, min(48 // parts * parts, rows * parts))
    waves = tl.cdiv(rows * parts, n_cores)
    found = tl.workspace(8 * waves * n_cores, tl.float32)
    # Tiling Strategy: three inputs and the output twice and two scratch buffers: at most 4800 elements each, 192000 of
    # 196352 bytes of UB, with 2304 bytes for the parts.
    tile = min(4800, max(2048, tl.align(tl.cdiv(part_size, 4), 64)))
    layer_norm_kernel[n_cores](x, weight, bias, y, found, rows, size, parts, part_size, waves, tile, eps)
