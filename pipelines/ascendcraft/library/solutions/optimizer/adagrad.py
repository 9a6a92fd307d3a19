import tile.language as tl


@ascend_kernel
def adagrad_kernel(param_ptr, grad_ptr, accum_ptr, updated_ptr, total, per_core, tile, lr, eps):
    start = tl.program_id(0) * per_core
    stop = min(start + per_core, total)
    param_ub = tl.alloc_ub(tile, dtype=tl.float32)
    grad_ub = tl.alloc_ub(tile, dtype=tl.float32)
    accum_ub = tl.alloc_ub(tile, dtype=tl.float32)
    updated_ub = tl.alloc_ub(tile, dtype=tl.float32)
    step_ub = tl.alloc_ub(tile, dtype=tl.float32)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(param_ptr + offset, param_ub, count=count)
            tl.load(grad_ptr + offset, grad_ub, count=count)
            tl.load(accum_ptr + offset, accum_ub, count=count)
        with tl.compute():
            tl.mul(step_ub, grad_ub, grad_ub, count=count)
            tl.add(step_ub, step_ub, accum_ub, count=count)
            tl.sqrt(step_ub, step_ub, count=count)
            tl.adds(step_ub, step_ub, eps, count=count)
            tl.div(step_ub, grad_ub, step_ub, count=count)
            tl.muls(step_ub, step_ub, lr, count=count)
            tl.sub(updated_ub, param_ub, step_ub, count=count)
        with tl.copyout():
            tl.store(updated_ptr + offset, updated_ub, count=count)


def adagrad_host(
    param: tl.tensor(tl.float32),
    grad: tl.tensor(tl.float32),
    accum: tl.tensor(tl.float32),
    updated: tl.output(tl.float32, shape=[param.shape[0], param.shape[1]]),
    lr: float = 0.01,
    eps: float = 1e-10,
):
    total = param.numel()
    # Core Partitioning: every core takes an equal share of the elements, in whole blocks of 32 bytes.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: three inputs and the output twice, 1 scratch buffer: 195840 of 196352 bytes of UB.
    tile = 5440
    adagrad_kernel[n_cores](param, grad, accum, updated, total, per_core, tile, lr, eps)
