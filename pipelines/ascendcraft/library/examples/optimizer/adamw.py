# category: optimizer
# shapes: elementwise over four tensors, three outputs
import tile.language as tl


@ascend_kernel
def adamw_kernel(
    p_ptr,
    g_ptr,
    m_ptr,
    v_ptr,
    p_new_ptr,
    m_new_ptr,
    v_new_ptr,
    total,
    per_core,
    tile,
    b1,
    c1,
    b2,
    c2,
    rate,
    root,
    keep,
    eps,
):
    start = tl.program_id(0) * per_core
    stop = min(start + per_core, total)
    p_ub = tl.alloc_ub(tile, dtype=tl.float32)
    g_ub = tl.alloc_ub(tile, dtype=tl.float32)
    m_ub = tl.alloc_ub(tile, dtype=tl.float32)
    v_ub = tl.alloc_ub(tile, dtype=tl.float32)
    p_new_ub = tl.alloc_ub(tile, dtype=tl.float32)
    m_new_ub = tl.alloc_ub(tile, dtype=tl.float32)
    v_new_ub = tl.alloc_ub(tile, dtype=tl.float32)
    step_ub = tl.alloc_ub(tile, dtype=tl.float32)
    for offset in range(start, stop, tile):
        count = min(tile, stop - offset)
        with tl.copyin():
            tl.load(p_ptr + offset, p_ub, count=count)
            tl.load(g_ptr + offset, g_ub, count=count)
            tl.load(m_ptr + offset, m_ub, count=count)
            tl.load(v_ptr + offset, v_ub, count=count)
        with tl.compute():
            tl.muls(m_new_ub, m_ub, b1, count=count)
            tl.axpy(m_new_ub, g_ub, c1, count=count)
            tl.mul(step_ub, g_ub, g_ub, count=count)
            tl.muls(v_new_ub, v_ub, b2, count=count)
            tl.axpy(v_new_ub, step_ub, c2, count=count)
            tl.sqrt(step_ub, v_new_ub, count=count)
            tl.muls(step_ub, step_ub, root, count=count)
            tl.adds(step_ub, step_ub, eps, count=count)
            tl.div(step_ub, m_new_ub, step_ub, count=count)
            # The weights decay by themselves, not by way of the gradient: that is what the W stands for.
            tl.muls(p_new_ub, p_ub, keep, count=count)
            tl.axpy(p_new_ub, step_ub, rate, count=count)
        with tl.copyout():
            tl.store(p_new_ptr + offset, p_new_ub, count=count)
            tl.store(m_new_ptr + offset, m_new_ub, count=count)
            tl.store(v_new_ptr + offset, v_new_ub, count=count)


def adamw_host(
    p: tl.tensor(tl.float32),
    g: tl.tensor(tl.float32),
    m: tl.tensor(tl.float32),
    v: tl.tensor(tl.float32),
    p_new: tl.output(tl.float32, shape=[p.shape[0], p.shape[1]]),
    m_new: tl.output(tl.float32, shape=[p.shape[0], p.shape[1]]),
    v_new: tl.output(tl.float32, shape=[p.shape[0], p.shape[1]]),
    lr: float = 0.001,
    beta1: float = 0.9,
    beta2: float = 0.999,
    eps: float = 1e-8,
    decay: float = 0.01,
    step: int = 1,
):
    total = p.numel()
    # Core Partitioning: all cores take equal runs of whole blocks of 32 bytes.
    n_cores = max(1, min(48, tl.cdiv(total, 2048)))
    per_core = tl.align(tl.cdiv(total, n_cores), 8)
    # Tiling Strategy: four inputs and three outputs twice and one scratch buffer of 3264 float32: 195840 of 196352
    # bytes of UB.
    tile = 3264
    # What is the same for all elements is worked out once, here.
    c1 = 1.0 - beta1
    c2 = 1.0 - beta2
    rate = 0.0 - lr / (1.0 - beta1**step)
    root = (1.0 / (1.0 - beta2**step)) ** 0.5
    keep = 1.0 - lr * decay
    adamw_kernel[n_cores](
        p, g, m, v, p_new, m_new, v_new, total, per_core, tile, beta1, c1, beta2, c2, rate, root, keep, eps
    )
