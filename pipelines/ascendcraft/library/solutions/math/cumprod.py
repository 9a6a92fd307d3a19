import tile.language as tl


@ascend_kernel
def cumprod_kernel(x_ptr, y_ptr, rows, cols, tiles, rows_per_core):
    first = tl.program_id(0) * rows_per_core
    last = min(first + rows_per_core, rows)
    x_ub = tl.alloc_ub(4096, dtype=tl.float32)
    y_ub = tl.alloc_ub(4096, dtype=tl.float32)
    row_ub = tl.alloc_ub(4096, dtype=tl.float32)
    lanes_ub = tl.alloc_ub(4096, dtype=tl.float32)
    offsets_ub = tl.alloc_ub(4096, dtype=tl.int32)
    lane_ub = tl.alloc_ub(64, dtype=tl.int32)
    shift_ub = tl.alloc_ub(64, dtype=tl.int32)
    ends_ub = tl.alloc_ub(128, dtype=tl.float32)
    moved_ub = tl.alloc_ub(64, dtype=tl.float32)
    with tl.compute():
        # A tile is a square of 64 segments by 64 elements. Turned on its side, each segment is a lane of a vector, and
        # one instruction goes a step on in all of them. Turning twice gives the tile back, so one table serves both.
        tl.arange(lane_ub, 0, count=64)
        tl.muls(shift_ub, lane_ub, 256, count=64)
        for step in range(0, 64, 1):
            tl.adds(offsets_ub[step * 64], shift_ub, step * 4, count=64)
        tl.muls(lane_ub, lane_ub, 4, count=64)
    for row in range(first, last, 1):
        carry = 1.0
        for at in range(0, cols, 4096):
            count = min(4096, cols - at)
            with tl.copyin():
                tl.load(x_ptr + row * cols + at, x_ub, count=count)
            with tl.compute():
                tl.duplicate(row_ub, 1.0, count=4096)
                tl.copy(row_ub, x_ub, count=count)
                tl.gather(lanes_ub, row_ub, offsets_ub, count=4096)
                for step in range(1, 64, 1):
                    tl.mul(lanes_ub[step * 64], lanes_ub[step * 64], lanes_ub[step * 64 - 64], count=64)
                # Each segment was multiplied by itself: where 64 factors alone overflow, the result is not a number.
                # What all lanes before add: shifts by 1, 2, 4 ... lanes, with 1.0 where no lane is.
                tl.duplicate(ends_ub, 1.0, count=64)
                tl.copy(ends_ub[64], lanes_ub[63 * 64], count=64)
                distance = 1
                for turns in range(0, 6, 1):
                    tl.adds(shift_ub, lane_ub, (64 - distance) * 4, count=64)
                    tl.gather(moved_ub, ends_ub, shift_ub, count=64)
                    tl.mul(ends_ub[64], ends_ub[64], moved_ub, count=64)
                    distance = distance * 2
                tl.adds(shift_ub, lane_ub, 252, count=64)
                tl.gather(moved_ub, ends_ub, shift_ub, count=64)
                tl.muls(moved_ub, moved_ub, carry, count=64)
                for step in range(0, 64, 1):
                    tl.mul(lanes_ub[step * 64], lanes_ub[step * 64], moved_ub, count=64)
                tl.gather(y_ub, lanes_ub, offsets_ub, count=4096)
                # The products of this tile go on in the next.
                carry = carry * tl.extract(ends_ub, 127)
            with tl.copyout():
                tl.store(y_ptr + row * cols + at, y_ub, count=count)


def cumprod_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1]]),
    dim: int = 1,
):
    assert dim == 1, "scans along axis 1"
    rows = x.shape[0]
    cols = x.shape[1]
    # Core Partitioning: whole rows, equally many on each core.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: 4096 elements at a time; input and output twice, the tile, its turned form and the table of the
    # turn: 112 KiB of UB.
    tiles = tl.cdiv(cols, 4096)
    cumprod_kernel[n_cores](x, y, rows, cols, tiles, rows_per_core)
