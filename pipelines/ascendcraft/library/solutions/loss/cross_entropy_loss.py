import tile.language as tl


@ascend_kernel
def cross_entropy_loss_kernel(x_ptr, y_ptr, loss_ptr, parts_ptr, rows, classes, tile, rows_per_core, scale):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    first = pid * rows_per_core
    last = min(first + rows_per_core, rows)
    x_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(1024, dtype=tl.int64)
    power_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    part_ub = tl.alloc_ub(8, dtype=tl.float32)
    all_ub = tl.alloc_ub(384, dtype=tl.float32)
    result_ub = tl.alloc_ub(8, dtype=tl.float32)
    loss = 0.0
    for chunk in range(first, last, 1024):
        targets = min(1024, last - chunk)
        with tl.copyin():
            tl.load(y_ptr + chunk, y_ub, count=targets)
        for at in range(0, targets, 1):
            # log(sum(e^x)) - x[y], with the largest x taken out so that no power overflows. A row may be longer than
            # UB: where a later tile has a larger x, the sum so far shrinks.
            largest = -3.4028234663852886e38
            total = 0.0
            chosen = 0.0
            for col in range(0, classes, tile):
                count = min(tile, classes - col)
                with tl.copyin():
                    tl.load(x_ptr + (chunk + at) * classes + col, x_ub, count=count)
                with tl.compute():
                    tl.reduce_max(sum_ub, x_ub, work_ub, count=count)
                    before = largest
                    largest = max(largest, tl.extract(sum_ub, 0))
                    if col > 0:
                        tl.duplicate(sum_ub, before - largest, count=8)
                        tl.exp(sum_ub, sum_ub, count=8)
                        total = total * tl.extract(sum_ub, 0)
                    tl.subs(power_ub, x_ub, largest, count=count)
                    tl.exp(power_ub, power_ub, count=count)
                    tl.reduce_sum(sum_ub, power_ub, work_ub, count=count)
                    total = total + tl.extract(sum_ub, 0)
                    place = tl.extract(y_ub, at) - col
                    if place >= 0 and place < count:
                        chosen = tl.extract(x_ub, place)
            with tl.compute():
                tl.duplicate(sum_ub, total, count=8)
                tl.ln(sum_ub, sum_ub, count=8)
                loss = loss + (tl.extract(sum_ub, 0) + largest - chosen)
    with tl.compute():
        tl.duplicate(part_ub, 0.0, count=8)
        tl.set(part_ub, 0, loss)
    with tl.copyout():
        # Eight elements a core: neighbours never share a block of 32 bytes.
        tl.store(parts_ptr + pid * 8, part_ub, count=8)
    tl.sync_all()
    if pid == 0:
        with tl.copyin():
            tl.load(parts_ptr, all_ub, count=8 * cores)
        with tl.compute():
            tl.reduce_sum(result_ub, all_ub, power_ub, count=8 * cores)
            tl.muls(result_ub, result_ub, scale, count=1)
        with tl.copyout():
            tl.store(loss_ptr, result_ub, count=1)


def cross_entropy_loss_host(
    predictions: tl.tensor(tl.float32),
    targets: tl.tensor(tl.int64),
    loss: tl.output(tl.float32, shape=[]),
):
    rows = predictions.shape[0]
    classes = predictions.shape[1]
    # Core Partitioning: every core takes an equal share of the rows; core 0 adds the sums of all cores.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: a row at a time, twice, and two scratch buffers: at most 11136 elements each, 178176 of 196352
    # bytes of UB, with 17.6 KiB for the targets, twice as well, and the sums.
    tile = max(min(11136, tl.align(classes, 8)), 384)
    parts = tl.workspace(8 * n_cores, tl.float32)
    scale = 1.0 / rows
    cross_entropy_loss_kernel[n_cores](
        predictions, targets, loss, parts, rows, classes, tile, rows_per_core, scale
    )
