import tile.language as tl


@ascend_kernel
def masked_cumsum_kernel(x_ptr, mask_ptr, y_ptr, rows, cols, rows_per_core):
    first = tl.program_id(0) * rows_per_core
    last = min(first + rows_per_core, rows)
    x_ub = tl.alloc_ub(4096, dtype=tl.float32)
    mask_ub = tl.alloc_ub(4096, dtype=tl.uint8)
    half_ub = tl.alloc_ub(4096, dtype=tl.float16)
    y_ub = tl.alloc_ub(4096, dtype=tl.float32)
    row_ub = tl.alloc_ub(4096, dtype=tl.float32)
    lanes_ub = tl.alloc_ub(4096, dtype=tl.float32)
    turn_ub = tl.alloc_ub(4096, dtype=tl.int32)
    back_ub = tl.alloc_ub(4096, dtype=tl.int32)
    lane_ub = tl.alloc_ub(512, dtype=tl.int32)
    shift_ub = tl.alloc_ub(512, dtype=tl.int32)
    ends_ub = tl.alloc_ub(1024, dtype=tl.float32)
    moved_ub = tl.alloc_ub(512, dtype=tl.float32)
    carry_ub = tl.alloc_ub(512, dtype=tl.float32)
    with tl.compute():
        # A tile is 512 segments of 8 elements. Turned on its side, each segment is a lane of a vector, and one
        # instruction goes a step on in all of them; a second table turns it back.
        tl.arange(lane_ub, 0, count=512)
        tl.muls(shift_ub, lane_ub, 32, count=512)
        for step in range(0, 8, 1):
            tl.adds(turn_ub[step * 512], shift_ub, step * 4, count=512)
        tl.muls(back_ub, lane_ub, 2048, count=8)
        width = 8
        for turns in range(0, 9, 1):
            tl.adds(back_ub[width], back_ub, width // 2, count=width)
            width = width * 2
        tl.muls(lane_ub, lane_ub, 4, count=512)
    for row in range(first, last, 1):
        with tl.compute():
            tl.duplicate(carry_ub, 0.0, count=512)
        for at in range(0, cols, 4096):
            count = min(4096, cols - at)
            with tl.copyin():
                tl.load(x_ptr + row * cols + at, x_ub, count=count)
                tl.load(mask_ptr + row * cols + at, mask_ub, count=count)
            with tl.compute():
                tl.duplicate(row_ub, 0.0, count=4096)
                tl.cast(half_ub, mask_ub, count=count)
                tl.cast(row_ub, half_ub, count=count)
                tl.mul(row_ub, row_ub, x_ub, count=count)
                tl.gather(lanes_ub, row_ub, turn_ub, count=4096)
                for step in range(1, 8, 1):
                    tl.add(lanes_ub[step * 512], lanes_ub[step * 512], lanes_ub[step * 512 - 512], count=512)
                # What all lanes before add: shifts by 1, 2, 4 ... lanes, with 0.0 where no lane is.
                tl.duplicate(ends_ub, 0.0, count=512)
                tl.copy(ends_ub[512], lanes_ub[3584], count=512)
                distance = 1
                for turns in range(0, 9, 1):
                    tl.adds(shift_ub, lane_ub, (512 - distance) * 4, count=512)
                    tl.gather(moved_ub, ends_ub, shift_ub, count=512)
                    tl.add(ends_ub[512], ends_ub[512], moved_ub, count=512)
                    distance = distance * 2
                tl.adds(shift_ub, lane_ub, 2044, count=512)
                tl.gather(moved_ub, ends_ub, shift_ub, count=512)
                tl.add(moved_ub, moved_ub, carry_ub, count=512)
                for step in range(0, 8, 1):
                    tl.add(lanes_ub[step * 512], lanes_ub[step * 512], moved_ub, count=512)
                tl.gather(y_ub, lanes_ub, back_ub, count=4096)
                # The sums of this tile go on in the next: in every lane, so that the scalar unit, for which all others
                # would wait, need not read them.
                tl.duplicate(shift_ub, 4092, count=512)
                tl.gather(moved_ub, ends_ub, shift_ub, count=512)
                tl.add(carry_ub, carry_ub, moved_ub, count=512)
            with tl.copyout():
                tl.store(y_ptr + row * cols + at, y_ub, count=count)


def masked_cumsum_host(
    x: tl.tensor(tl.float32),
    mask: tl.tensor(tl.bool),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1]]),
    dim: int = 1,
):
    assert dim == 1, "scans along axis 1"
    assert mask.numel() == x.numel(), "a mask for each element"
    rows = x.shape[0]
    cols = x.shape[1]
    # Core Partitioning: whole rows, equally many on each core.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: 4096 elements at a time; input and output twice, the tile, its turned form and both tables: 128
    # KiB of UB, and 12 KiB for the sums of the segments, with the mask 16 KiB more.
    masked_cumsum_kernel[n_cores](x, mask, y, rows, cols, rows_per_core)
