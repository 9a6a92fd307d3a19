# category: loss
# shapes: one loss for each row, rows within UB or split, no meeting of cores
import tile.language as tl


@ascend_kernel
def quantile_loss_by_row_kernel(guess_ptr, truth_ptr, loss_ptr, rows, cols, rows_per_core, tile, quantile, weight):
    first = tl.program_id(0) * rows_per_core
    last = min(first + rows_per_core, rows)
    guess_ub = tl.alloc_ub(tile, dtype=tl.float32)
    truth_ub = tl.alloc_ub(tile, dtype=tl.float32)
    miss_ub = tl.alloc_ub(tile, dtype=tl.float32)
    other_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    answer_ub = tl.alloc_ub(8, dtype=tl.float32)
    for row in range(first, last, 1):
        loss = 0.0
        for col in range(0, cols, tile):
            count = min(tile, cols - col)
            with tl.copyin():
                tl.load(guess_ptr + row * cols + col, guess_ub, count=count)
                tl.load(truth_ptr + row * cols + col, truth_ub, count=count)
            with tl.compute():
                # The larger of q * d and (q - 1) * d is the branch that the sign of d asks for.
                tl.sub(miss_ub, truth_ub, guess_ub, count=count)
                tl.muls(other_ub, miss_ub, quantile - 1.0, count=count)
                tl.muls(miss_ub, miss_ub, quantile, count=count)
                tl.max(miss_ub, miss_ub, other_ub, count=count)
                tl.reduce_sum(sum_ub, miss_ub, other_ub, count=count)
                loss = loss + tl.extract(sum_ub, 0) * weight
        with tl.compute():
            tl.duplicate(answer_ub, loss, count=8)
        with tl.copyout():
            tl.store(loss_ptr + row, answer_ub, count=1)


def quantile_loss_by_row_host(
    guess: tl.tensor(tl.float32),
    truth: tl.tensor(tl.float32),
    loss: tl.output(tl.float32, shape=[guess.shape[0]]),
    quantile: float = 0.9,
):
    rows = guess.shape[0]
    cols = guess.shape[1]
    assert truth.numel() == rows * cols, "guess and truth of one shape"
    # Core Partitioning: whole rows, equally many on each core; a row's loss is nobody else's business.
    n_cores = max(1, min(48, rows))
    rows_per_core = tl.cdiv(rows, n_cores)
    # Tiling Strategy: two inputs twice and two scratch buffers of 8000 float32: 192000 of 196352 bytes of UB.
    tile = 8000
    weight = 1.0 / cols
    quantile_loss_by_row_kernel[n_cores](guess, truth, loss, rows, cols, rows_per_core, tile, quantile, weight)
