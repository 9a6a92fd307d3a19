# category: loss
# shapes: two tensors of one shape to a scalar, partial sums of all cores, one core finishes
import tile.language as tl


@ascend_kernel
def log_cosh_loss_kernel(guess_ptr, truth_ptr, loss_ptr, shares_ptr, total, per_core, tile, weight):
    core = tl.program_id(0)
    begin = core * per_core
    end = min(begin + per_core, total)
    guess_ub = tl.alloc_ub(tile, dtype=tl.float32)
    truth_ub = tl.alloc_ub(tile, dtype=tl.float32)
    far_ub = tl.alloc_ub(tile, dtype=tl.float32)
    power_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(8, dtype=tl.float32)
    share_ub = tl.alloc_ub(8, dtype=tl.float32)
    gathered_ub = tl.alloc_ub(384, dtype=tl.float32)
    answer_ub = tl.alloc_ub(8, dtype=tl.float32)
    share = 0.0
    for at in range(begin, end, tile):
        count = min(tile, end - at)
        with tl.copyin():
            tl.load(guess_ptr + at, guess_ub, count=count)
            tl.load(truth_ptr + at, truth_ub, count=count)
        with tl.compute():
            # log(cosh(d)) is |d| + log(1 + e^(-2|d|)) - log(2): the power is at most 1, whatever d is.
            tl.sub(far_ub, guess_ub, truth_ub, count=count)
            tl.abs(far_ub, far_ub, count=count)
            tl.muls(power_ub, far_ub, -2.0, count=count)
            tl.exp(power_ub, power_ub, count=count)
            tl.adds(power_ub, power_ub, 1.0, count=count)
            tl.ln(power_ub, power_ub, count=count)
            tl.add(far_ub, far_ub, power_ub, count=count)
            tl.adds(far_ub, far_ub, -0.6931471805599453, count=count)
            tl.reduce_sum(sum_ub, far_ub, power_ub, count=count)
            # Divided before it is added up: shares stay small, and their rounding with them.
            share = share + tl.extract(sum_ub, 0) * weight
    with tl.compute():
        tl.duplicate(share_ub, 0.0, count=8)
        tl.set(share_ub, 0, share)
    with tl.copyout():
        # A block of 32 bytes for each core: two cores that wrote into one block could undo each other.
        tl.store(shares_ptr + core * 8, share_ub, count=8)
    tl.sync_all()
    if core == 0:
        with tl.copyin():
            tl.load(shares_ptr, gathered_ub, count=8 * tl.num_programs(0))
        with tl.compute():
            tl.reduce_sum(answer_ub, gathered_ub, power_ub, count=8 * tl.num_programs(0))
        with tl.copyout():
            tl.store(loss_ptr, answer_ub, count=1)


def log_cosh_loss_host(
    guess: tl.tensor(tl.float32),
    truth: tl.tensor(tl.float32),
    loss: tl.output(tl.float32, shape=[]),
):
    total = guess.numel()
    assert truth.numel() == total, "guess and truth of one shape"
    # Core Partitioning: equal runs of whole blocks; core 0 adds up what the others found.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: two inputs twice and two scratch buffers of 8000 float32: 192000 of 196352 bytes of UB, with
    # 2 KiB for the sums.
    tile = 8000
    shares = tl.workspace(8 * n_cores, tl.float32)
    weight = 1.0 / total
    log_cosh_loss_kernel[n_cores](guess, truth, loss, shares, total, per_core, tile, weight)
