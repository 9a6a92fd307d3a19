# category: reduce
# shapes: reduction over the first dimension, strips of columns, blocks of rows with a stride, read once
import tile.language as tl


@ascend_kernel
def variance_by_column_kernel(x_ptr, y_ptr, rows, cols, strips, width, rows_at_once, share):
    x_ub = tl.alloc_ub(rows_at_once * width, dtype=tl.float32)
    middle_ub = tl.alloc_ub(width, dtype=tl.float32)
    apart_ub = tl.alloc_ub(width, dtype=tl.float32)
    sums_ub = tl.alloc_ub(width, dtype=tl.float32)
    squares_ub = tl.alloc_ub(width, dtype=tl.float32)
    y_ub = tl.alloc_ub(width, dtype=tl.float32)
    for strip in range(tl.program_id(0), strips, tl.num_programs(0)):
        col = strip * width
        count = min(width, cols - col)
        # Distances from the first row, not from zero: columns of large values that differ little keep their digits.
        with tl.copyin():
            tl.load(x_ptr + col, middle_ub, count=count)
        with tl.compute():
            tl.duplicate(sums_ub, 0.0, count=count)
            tl.duplicate(squares_ub, 0.0, count=count)
        for row in range(0, rows, rows_at_once):
            taken = min(rows_at_once, rows - row)
            with tl.copyin():
                tl.load(x_ptr + row * cols + col, x_ub, count=count, rows=taken, stride=cols, pitch=width)
            with tl.compute():
                # Columns are the lanes of a vector: no sum goes across them.
                for at in range(0, taken, 1):
                    tl.sub(apart_ub, x_ub[at * width], middle_ub, count=count)
                    tl.add(sums_ub, sums_ub, apart_ub, count=count)
                    tl.mul_add(squares_ub, apart_ub, apart_ub, count=count)
        with tl.compute():
            tl.muls(sums_ub, sums_ub, share, count=count)
            tl.muls(squares_ub, squares_ub, share, count=count)
            tl.mul(sums_ub, sums_ub, sums_ub, count=count)
            tl.sub(y_ub, squares_ub, sums_ub, count=count)
            # Rounding may leave a little less than nothing.
            tl.maxs(y_ub, y_ub, 0.0, count=count)
        with tl.copyout():
            tl.store(y_ptr + col, y_ub, count=count)


def variance_by_column_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[1]]),
):
    rows = x.shape[0]
    cols = x.shape[1]
    # Strips that leave each core one, but not below 512 bytes, at which GM is read best.
    width = max(128, min(2048, tl.align(tl.cdiv(cols, 48), 8)))
    strips = tl.cdiv(cols, width)
    # Core Partitioning: strips of columns in turn over the cores.
    n_cores = min(48, strips)
    # Tiling Strategy: as many rows of a strip as 64 KiB hold, twice, and at most 56 KiB for seven vectors of a strip.
    rows_at_once = min(rows, 16384 // width)
    share = 1.0 / rows
    variance_by_column_kernel[n_cores](x, y, rows, cols, strips, width, rows_at_once, share)
