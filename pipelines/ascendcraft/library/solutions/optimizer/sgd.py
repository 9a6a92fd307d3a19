import tile.language as tl


@ascend_kernel
def sgd_kernel(param_ptr, grad_ptr, velocity_ptr, updated_ptr, total, per_core, tile, momentum, lr):
    start = tl.program_id(0) * per_core
    stop = min(start + per_core, total)
    param_ub = tl.alloc_ub(tile, dtype=tl.float32)
    grad_ub = tl.alloc_ub(tile, dtype=tl.float32)
    velocity_ub = tl.alloc_ub(tile, dtype=tl.float32)
    updated_ub = tl.alloc_ub(tile, dtype=tl.float32)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(param_ptr + offset, param_ub, count=count)
            tl.load(grad_ptr + offset, grad_ub, count=count)
            tl.load(velocity_ptr + offset, velocity_ub, count=count)
        with tl.compute():
            tl.muls(updated_ub, velocity_ub, momentum, count=count)
            tl.add(updated_ub, updated_ub, grad_ub, count=count)
            tl.muls(updated_ub, updated_ub, lr, count=count)
            tl.sub(updated_ub, param_ub, updated_ub, count=count)
        with tl.copyout():
            tl.store(updated_ptr + offset, updated_ub, count=count)


def sgd_host(
    param: tl.tensor(tl.float32),
    grad: tl.tensor(tl.float32),
    velocity: tl.tensor(tl.float32),
    updated: tl.output(tl.float32, shape=[param.shape[0], param.shape[1]]),
    momentum: float = 0.9,
    lr: float = 0.01,
):
    total = param.numel()
    # Core Partitioning: every core takes an equal share of the elements, in whole blocks of 32 bytes.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: three inputs and the output twice: 194560 of 196352 bytes of UB.
    tile = 6080
    sgd_kernel[n_cores](param, grad, velocity, updated, total, per_core, tile, momentum, lr)
