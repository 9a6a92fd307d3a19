# category: activation
# shapes: rows of two halves, blocks of short rows, strided reads
import tile.language as tl


@ascend_kernel
def gated_linear_unit_kernel(x_ptr, y_ptr, rows, half, pitch, rows_per_core, block, room):
    first = tl.program_id(0) * rows_per_core
    last = min(first + rows_per_core, rows)
    value_ub = tl.alloc_ub(room, dtype=tl.float32)
    gate_ub = tl.alloc_ub(room, dtype=tl.float32)
    y_ub = tl.alloc_ub(room, dtype=tl.float32)
    for row in range(first, last, block):
        held = min(block, last - row)
        with tl.copyin():
            # One copy takes the left halves of many rows and one the right halves. The padding is computed as well,
            # so it gets a value: what lies in UB from before could be anything.
            left = row * 2 * half
            tl.load(x_ptr + left, value_ub, count=half, rows=held, stride=2 * half, pitch=pitch, pad=0.0)
            tl.load(x_ptr + left + half, gate_ub, count=half, rows=held, stride=2 * half, pitch=pitch, pad=0.0)
        with tl.compute():
            # value / (1 + e^-gate). At gates far below zero the power is infinite and the quotient the right zero.
            tl.muls(y_ub, gate_ub, -1.0, count=held * pitch)
            tl.exp(y_ub, y_ub, count=held * pitch)
            tl.adds(y_ub, y_ub, 1.0, count=held * pitch)
            tl.div(y_ub, value_ub, y_ub, count=held * pitch)
        with tl.copyout():
            tl.store(y_ptr + row * half, y_ub, count=half, rows=held, stride=half, pitch=pitch)


def gated_linear_unit_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1] // 2]),
):
    rows = x.shape[0]
    half = x.shape[1] // 2
    assert x.shape[1] == 2 * half, "rows of two halves of one length"
    assert half <= 8128, "halves of at most 8128 elements"
    # Core Partitioning: whole rows, equally many on each core.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: as many rows as three buffers of 8128 float32 hold, each twice: 195072 of 196352 bytes of UB.
    room = 8128
    pitch = tl.align(half, 8)
    block = min(4095, room // pitch)
    gated_linear_unit_kernel[n_cores](x, y, rows, half, pitch, rows_per_core, block, room)
