import tile.language as tl


@ascend_kernel
def max_pooling_3d_kernel(
    x_ptr, y_ptr, units, per_core, blocks, chunks, depth, height, width, out_depth, out_height, out_width,
    kernel_depth, kernel_height, kernel_width, stride_depth, stride_height, stride_width,
    pad_depth, pad_height, pad_width, row_tile, out_tile, in_rows, in_pitch, best_pitch, out_pitch, left
):
    first = tl.program_id(0) * per_core
    last = min(first + per_core, units)
    in_ub = tl.alloc_ub(in_rows * in_pitch, dtype=tl.float32)
    rows_ub = tl.alloc_ub(row_tile * in_pitch, dtype=tl.float32)
    best_ub = tl.alloc_ub(row_tile * best_pitch, dtype=tl.float32)
    tap_ub = tl.alloc_ub(row_tile * out_pitch, dtype=tl.float32)
    out_ub = tl.alloc_ub(row_tile * out_pitch, dtype=tl.float32)
    base_ub = tl.alloc_ub(row_tile * out_pitch, dtype=tl.int32)
    place_ub = tl.alloc_ub(row_tile * out_pitch, dtype=tl.int32)
    # Where the window of each output begins, in bytes; the same for every unit but for a shift.
    with tl.compute():
        for row in range(0, row_tile, 1):
            tl.arange(base_ub[row * out_pitch], 0, count=out_pitch)
            tl.muls(base_ub[row * out_pitch], base_ub[row * out_pitch], stride_width * 4, count=out_pitch)
            tl.adds(base_ub[row * out_pitch], base_ub[row * out_pitch], row * best_pitch * 4, count=out_pitch)
    for unit in range(first, last, 1):
        chunk = unit % chunks
        block = unit // chunks % blocks
        slab = unit // (chunks * blocks)
        out_d = slab % out_depth
        plane = slab // out_depth
        out_row = block * row_tile
        rows = min(row_tile, out_height - out_row)
        column = chunk * out_tile
        columns = min(out_tile, out_width - column)
        begin = column * stride_width - pad_width
        low = max(begin, 0)
        taken = min(begin + (columns - 1) * stride_width + kernel_width, width) - low
        pitch = tl.align(taken, 8)
        with tl.compute():
            tl.duplicate(rows_ub, float("-inf"), count=rows * pitch)
        # Windows are combined row by row first: whole rows are aligned, and only what is left of them is gathered. Rows
        # that lie a stride apart come together, side by side, so that one instruction takes a row of all windows.
        low_d = out_d * stride_depth - pad_depth
        for tap_d in range(max(0, -low_d), min(kernel_depth, depth - low_d), 1):
            in_d = low_d + tap_d
            for turn in range(0, min(stride_height, kernel_height), 1):
                further = (kernel_height - 1 - turn) // stride_height
                top = out_row * stride_height + turn - pad_height
                # Rows of the padding, above and below, are not read.
                skip = tl.cdiv(max(0, -top), stride_height)
                until = min(rows + further, tl.cdiv(max(0, height - top), stride_height))
                if until > skip:
                    with tl.copyin():
                        tl.load(
                            x_ptr + ((plane * depth + in_d) * height + top + skip * stride_height) * width + low, in_ub,
                            count=taken, rows=until - skip, stride=stride_height * width, pitch=pitch, pad=0
                        )
                    with tl.compute():
                        for tap in range(0, further + 1, 1):
                            upper = max(skip - tap, 0)
                            lower = min(until - tap, rows)
                            if lower > upper:
                                tl.max(
                                    rows_ub[upper * pitch], rows_ub[upper * pitch],
                                    in_ub[(upper + tap - skip) * pitch], count=(lower - upper) * pitch
                                )
        # Taps along the row lie at addresses that no vector operand may have, so they are gathered.
        with tl.compute():
            # What is padded never wins.
            tl.duplicate(best_ub, float("-inf"), count=rows * best_pitch)
            for row in range(0, rows, 1):
                tl.copy(best_ub[row * best_pitch + left], rows_ub[row * pitch], count=taken)
            tl.adds(place_ub, base_ub, (left + begin - low) * 4, count=rows * out_pitch)
            tl.gather(out_ub, best_ub, place_ub, count=rows * out_pitch)
            for tap_w in range(1, kernel_width, 1):
                tl.adds(place_ub, base_ub, (left + begin - low + tap_w) * 4, count=rows * out_pitch)
                tl.gather(tap_ub, best_ub, place_ub, count=rows * out_pitch)
                tl.max(out_ub, out_ub, tap_ub, count=rows * out_pitch)
        with tl.copyout():
            tl.store(
                y_ptr + (slab * out_height + out_row) * out_width + column, out_ub,
                count=columns, rows=rows, stride=out_width, pitch=out_pitch
            )


def max_pooling_3d_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[
        x.shape[0], x.shape[1],
        (x.shape[2] + 2 * padding - kernel_size) // stride + 1,
        (x.shape[3] + 2 * padding - kernel_size) // stride + 1,
        (x.shape[4] + 2 * padding - kernel_size) // stride + 1
    ]),
    kernel_size: int = 3,
    stride: int = 3,
    padding: int = 0,
):
    assert x.dim() == 5, "tensors of 5 axes"
    assert kernel_size >= 1, "windows of one element and more"
    assert stride >= 1, "strides of 1 and more"
    assert padding >= 0, "no negative padding"
    assert padding * 2 <= kernel_size, "padding of at most half a window"
    planes = x.shape[0] * x.shape[1]
    depth = x.shape[2]
    out_depth = (depth + 2 * padding - kernel_size) // stride + 1
    height = x.shape[3]
    out_height = (height + 2 * padding - kernel_size) // stride + 1
    width = x.shape[4]
    out_width = (width + 2 * padding - kernel_size) // stride + 1
    assert out_depth * out_height * out_width >= 1, "windows that the input holds"
    left = tl.align(padding, 8)
    # Tiling Strategy: a row takes its input twice (double buffering), the rows of its windows with and without padding,
    # and outputs, gathered taps and two tables of places, outputs twice: 4 inputs and 6 outputs of 4 bytes, with the
    # rows that windows go on to twice more, within 192000 bytes of UB.
    room = 48000
    further = (kernel_size - 1) // stride
    copies = 4 + 2 * further
    out_tile = min(out_width, (room - copies * (kernel_size + 8) - left - 128) // (copies * stride + 6) // 8 * 8)
    assert out_tile >= 1, "windows that UB holds"
    chunks = tl.cdiv(out_width, out_tile)
    in_pitch = tl.align((out_tile - 1) * stride + kernel_size, 8)
    out_pitch = tl.align(out_tile, 8)
    best_pitch = left + tl.align((out_pitch - 1) * stride + kernel_size, 8)
    fitting = max(1, (room - 2 * further * in_pitch) // (3 * in_pitch + best_pitch + 5 * out_pitch))
    # Short tensors have fewer rows in a tile, so that all cores have some.
    spread = tl.cdiv(planes * out_depth * chunks * out_height, 48)
    row_tile = max(1, min(out_height, min(fitting, spread)))
    in_rows = row_tile + further
    blocks = tl.cdiv(out_height, row_tile)
    units = planes * out_depth * blocks * chunks
    per_core = tl.cdiv(units, min(48, units))
    # Core Partitioning: a unit is a tile of output rows; cores take equal runs of units, the last one what is left.
    n_cores = tl.cdiv(units, per_core)
    max_pooling_3d_kernel[n_cores](
        x, y, units, per_core, blocks, chunks, depth, height, width, out_depth, out_height, out_width,
        kernel_size, kernel_size, kernel_size,
        stride, stride, stride,
        padding, padding, padding, row_tile, out_tile, in_rows, in_pitch, best_pitch, out_pitch, left
    )
