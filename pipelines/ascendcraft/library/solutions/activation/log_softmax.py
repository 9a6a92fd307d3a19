import tile.language as tl


@ascend_kernel
def log_softmax_kernel(x_ptr, y_ptr, parts_ptr, rows, cols, parts, part_size, waves, tile, kept):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    kept_ub = tl.alloc_ub(kept, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    lanes_ub = tl.alloc_ub(tile, dtype=tl.float32)
    power_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    part_largest_ub = tl.alloc_ub(8, dtype=tl.float32)
    part_total_ub = tl.alloc_ub(8, dtype=tl.float32)
    all_largest_ub = tl.alloc_ub(384, dtype=tl.float32)
    all_totals_ub = tl.alloc_ub(384, dtype=tl.float32)
    all_powers_ub = tl.alloc_ub(384, dtype=tl.float32)
    all_work_ub = tl.alloc_ub(384, dtype=tl.float32)
    for wave in range(0, waves, 1):
        item = wave * cores + pid
        # Cores that the last wave leaves without a part go along with an empty one: all must meet.
        row = min(item // parts, rows - 1)
        start = (item % parts) * part_size if item < rows * parts else cols
        stop = min(start + part_size, cols)
        with tl.compute():
            # Lowest float32: finite, so that a difference of two of them is a number.
            tl.duplicate(lanes_ub, -3.4028234663852886e38, count=tile)
        # A row may be longer than UB: what UB cannot hold of it is read again.
        held = min(stop, start + kept)
        for col in range(start, stop, tile):
            count = min(tile, stop - col)
            with tl.copyin():
                tl.load(x_ptr + row * cols + col, x_ub, count=count)
            with tl.compute():
                if col < held:
                    tl.copy(kept_ub[col - start], x_ub, count=count)
                tl.max(lanes_ub, lanes_ub, x_ub, count=count)
        with tl.compute():
            tl.reduce_max(sum_ub, lanes_ub, power_ub, count=tile)
            part_largest = tl.extract(sum_ub, 0)
            tl.duplicate(lanes_ub, 0.0, count=tile)
            for col in range(start, held, tile):
                count = min(tile, held - col)
                tl.subs(power_ub, kept_ub[col - start], part_largest, count=count)
                tl.exp(power_ub, power_ub, count=count)
                tl.add(lanes_ub, lanes_ub, power_ub, count=count)
        for col in range(held, stop, tile):
            count = min(tile, stop - col)
            with tl.copyin():
                tl.load(x_ptr + row * cols + col, x_ub, count=count)
            with tl.compute():
                tl.subs(power_ub, x_ub, part_largest, count=count)
                tl.exp(power_ub, power_ub, count=count)
                tl.add(lanes_ub, lanes_ub, power_ub, count=count)
        with tl.compute():
            tl.reduce_sum(sum_ub, lanes_ub, power_ub, count=tile)
        largest = part_largest
        if parts > 1:
            with tl.compute():
                tl.duplicate(part_largest_ub, part_largest, count=8)
                tl.duplicate(part_total_ub, 0.0, count=8)
                tl.add(part_total_ub, part_total_ub, sum_ub, count=1)
            with tl.copyout():
                # Eight elements a part: neighbours never share a block of 32 bytes.
                tl.store(parts_ptr + item * 8, part_largest_ub, count=8)
                tl.store(parts_ptr + (waves * cores + item) * 8, part_total_ub, count=8)
            tl.sync_all()
            with tl.copyin():
                tl.load(parts_ptr + row * parts * 8, all_largest_ub, count=parts * 8)
                tl.load(parts_ptr + (waves * cores + row * parts) * 8, all_totals_ub, count=parts * 8)
            with tl.compute():
                tl.reduce_max(sum_ub, all_largest_ub, all_work_ub, count=parts * 8)
                largest = tl.extract(sum_ub, 0)
                tl.subs(all_powers_ub, all_largest_ub, largest, count=parts * 8)
                tl.exp(all_powers_ub, all_powers_ub, count=parts * 8)
                tl.mul(all_powers_ub, all_powers_ub, all_totals_ub, count=parts * 8)
                tl.reduce_sum(sum_ub, all_powers_ub, all_work_ub, count=parts * 8)
        with tl.compute():
            # There is no scalar logarithm.
            tl.ln(sum_ub, sum_ub, count=1)
            log_sum = tl.extract(sum_ub, 0)
        for col in range(start, held, tile):
            count = min(tile, held - col)
            with tl.compute():
                tl.subs(y_ub, kept_ub[col - start], largest + log_sum, count=count)
            with tl.copyout():
                tl.store(y_ptr + row * cols + col, y_ub, count=count)
        for col in range(held, stop, tile):
            count = min(tile, stop - col)
            with tl.copyin():
                tl.load(x_ptr + row * cols + col, x_ub, count=count)
            with tl.compute():
                tl.subs(y_ub, x_ub, largest + log_sum, count=count)
            with tl.copyout():
                tl.store(y_ptr + row * cols + col, y_ub, count=count)


def log_softmax_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1]]),
    dim: int = 1,
):
    assert dim == 1, "softmax along axis 1"
    rows = x.shape[0]
    cols = x.shape[1]
    # Few rows are cut into parts, so that all cores have some. Up to half as many as there are cores take one wave;
    # of more, about four parts a core even out what is left over. Long rows are cut so far that a part stays in UB from
    # one reading to the next, if there is then enough for all cores.
    if rows % 48 == 0:
        wanted = 1
    elif rows <= 24:
        wanted = 48 // rows
    else:
        wanted = tl.cdiv(192, rows)
    needed = tl.cdiv(cols, 24576)
    if needed <= 48 and rows * needed >= 192:
        wanted = max(wanted, needed)
    together = 48 // max(1, min(wanted, cols // 2048))
    part_size = tl.align(tl.cdiv(cols, 48 // together), 8)
    parts = tl.cdiv(cols, part_size)
    # Core Partitioning: parts in turn over the cores, a wave of them at a time. A wave has all parts of a row: its
    # cores meet when each has left what it found of its part.
    n_cores = max(1, min(48 // parts * parts, rows * parts))
    waves = tl.cdiv(rows * parts, n_cores)
    found = tl.workspace(16 * waves * n_cores, tl.float32)
    # Tiling Strategy: 24576 elements of a part are kept; input and output twice and two scratch buffers have at most
    # 3072 elements each: 172032 of 196352 bytes of UB, with 9.2 KiB for the parts.
    tile = min(3072, max(2048, tl.align(tl.cdiv(part_size, 8), 64)))
    kept = 24576 // tile * tile
    log_softmax_kernel[n_cores](x, y, found, rows, cols, parts, part_size, waves, tile, kept)
