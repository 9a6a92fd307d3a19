import tile.language as tl


@ascend_kernel
def adam_kernel(
    param_ptr,
    grad_ptr,
    m_ptr,
    v_ptr,
    updated_ptr,
    total,
    per_core,
    tile,
    beta1,
    fresh1,
    correction1,
    beta2,
    fresh2,
    correction2,
    lr,
    eps,
):
    start = tl.program_id(0) * per_core
    stop = min(start + per_core, total)
    param_ub = tl.alloc_ub(tile, dtype=tl.float32)
    grad_ub = tl.alloc_ub(tile, dtype=tl.float32)
    m_ub = tl.alloc_ub(tile, dtype=tl.float32)
    v_ub = tl.alloc_ub(tile, dtype=tl.float32)
    updated_ub = tl.alloc_ub(tile, dtype=tl.float32)
    step_ub = tl.alloc_ub(tile, dtype=tl.float32)
    root_ub = tl.alloc_ub(tile, dtype=tl.float32)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(param_ptr + offset, param_ub, count=count)
            tl.load(grad_ptr + offset, grad_ub, count=count)
            tl.load(m_ptr + offset, m_ub, count=count)
            tl.load(v_ptr + offset, v_ub, count=count)
        with tl.compute():
            tl.muls(step_ub, m_ub, beta1, count=count)
            tl.axpy(step_ub, grad_ub, fresh1, count=count)
            tl.muls(step_ub, step_ub, correction1, count=count)
            tl.mul(root_ub, grad_ub, grad_ub, count=count)
            tl.muls(root_ub, root_ub, fresh2, count=count)
            tl.axpy(root_ub, v_ub, beta2, count=count)
            tl.muls(root_ub, root_ub, correction2, count=count)
            tl.sqrt(root_ub, root_ub, count=count)
            tl.adds(root_ub, root_ub, eps, count=count)
            tl.div(step_ub, step_ub, root_ub, count=count)
            tl.muls(step_ub, step_ub, lr, count=count)
            tl.sub(updated_ub, param_ub, step_ub, count=count)
        with tl.copyout():
            tl.store(updated_ptr + offset, updated_ub, count=count)


def adam_host(
    param: tl.tensor(tl.float32),
    grad: tl.tensor(tl.float32),
    m: tl.tensor(tl.float32),
    v: tl.tensor(tl.float32),
    updated: tl.output(tl.float32, shape=[param.shape[0], param.shape[1]]),
    beta1: float = 0.9,
    beta2: float = 0.999,
    lr: float = 0.001,
    eps: float = 1e-8,
    step: int = 1,
):
    total = param.numel()
    # Core Partitioning: every core takes an equal share of the elements, in whole blocks of 32 bytes.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: four inputs and the output twice, 2 scratch buffers: 193536 of 196352 bytes of UB.
    tile = 4032
    # The means start at zero; dividing by these takes that out again. They are the same for all elements.
    correction1 = 1.0 / (1.0 - beta1**step)
    correction2 = 1.0 / (1.0 - beta2**step)
    fresh1 = 1.0 - beta1
    fresh2 = 1.0 - beta2
    adam_kernel[n_cores](
        param, grad, m, v, updated, total, per_core, tile,
        beta1, fresh1, correction1, beta2, fresh2, correction2, lr, eps
    )
