# category: pooling
# shapes: windows along the last dimension without overlap, elements with a stride gathered, a tail that is left out
import tile.language as tl


@ascend_kernel
def lp_pooling_1d_kernel(x_ptr, y_ptr, cols, outputs, window, chunks, items, items_per_core, tile):
    first = tl.program_id(0) * items_per_core
    last = min(first + items_per_core, items)
    x_ub = tl.alloc_ub(tile * window, dtype=tl.float32)
    square_ub = tl.alloc_ub(tile * window, dtype=tl.float32)
    tap_ub = tl.alloc_ub(tile, dtype=tl.float32)
    y_ub = tl.alloc_ub(tile, dtype=tl.float32)
    begin_ub = tl.alloc_ub(tile, dtype=tl.int32)
    place_ub = tl.alloc_ub(tile, dtype=tl.int32)
    with tl.compute():
        # Where each window begins, in bytes: the same for all tiles.
        tl.arange(begin_ub, 0, count=tile)
        tl.muls(begin_ub, begin_ub, 4 * window, count=tile)
    for item in range(first, last, 1):
        row = item // chunks
        out = (item % chunks) * tile
        count = min(tile, outputs - out)
        with tl.copyin():
            tl.load(x_ptr + row * cols + out * window, x_ub, count=count * window)
        with tl.compute():
            tl.mul(square_ub, x_ub, x_ub, count=count * window)
            tl.gather(y_ub, square_ub, begin_ub, count=count)
            for tap in range(1, window, 1):
                # The next element of all windows at once.
                tl.adds(place_ub, begin_ub, 4 * tap, count=count)
                tl.gather(tap_ub, square_ub, place_ub, count=count)
                tl.add(y_ub, y_ub, tap_ub, count=count)
            tl.sqrt(y_ub, y_ub, count=count)
        with tl.copyout():
            tl.store(y_ptr + row * outputs + out, y_ub, count=count)


def lp_pooling_1d_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1] // window]),
    window: int = 2,
):
    assert window >= 1, "windows of one element and more"
    rows = x.shape[0]
    cols = x.shape[1]
    outputs = cols // window
    assert outputs >= 1, "rows that hold a window"
    # Tiling Strategy: of each output its window twice and the squares of it, the result twice, what is gathered and two
    # places: within 190000 bytes of UB.
    tile = min(tl.align(outputs, 8), 190000 // (12 * window + 20) // 8 * 8)
    assert tile >= 8, "windows that UB holds"
    chunks = tl.cdiv(outputs, tile)
    items = rows * chunks
    # Core Partitioning: tiles of all rows, equally many on each core.
    n_cores = max(1, min(48, items))
    items_per_core = tl.cdiv(items, n_cores)
    lp_pooling_1d_kernel[n_cores](x, y, cols, outputs, window, chunks, items, items_per_core, tile)
