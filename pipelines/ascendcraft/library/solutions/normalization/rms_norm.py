import tile.language as tl


@ascend_kernel
def rms_norm_kernel(x_ptr, y_ptr, items, strips, channels, plane, width, room, scale, eps):
    pid = tl.program_id(0)
    cores = tl.num_programs(0)
    x_ub = tl.alloc_ub(room, dtype=tl.float32)
    y_ub = tl.alloc_ub(room, dtype=tl.float32)
    squares_ub = tl.alloc_ub(width, dtype=tl.float32)
    for item in range(pid, items, cores):
        batch = item // strips
        at = (item % strips) * width
        cols = min(width, plane - at)
        first = batch * channels * plane + at
        with tl.copyin():
            # All channels of a few places at once: the mean runs over the channels, and each element is read once.
            tl.load(x_ptr + first, x_ub, count=cols, rows=channels, stride=plane, pitch=width)
        with tl.compute():
            tl.duplicate(squares_ub, 0.0, count=cols)
            for channel in range(0, channels, 1):
                tl.mul_add(squares_ub, x_ub[channel * width], x_ub[channel * width], count=cols)
            tl.muls(squares_ub, squares_ub, scale, count=cols)
            tl.adds(squares_ub, squares_ub, eps, count=cols)
            tl.sqrt(squares_ub, squares_ub, count=cols)
            for channel in range(0, channels, 1):
                tl.div(y_ub[channel * width], x_ub[channel * width], squares_ub, count=cols)
        with tl.copyout():
            tl.store(y_ptr + first, y_ub, count=cols, rows=channels, stride=plane, pitch=width)


def rms_norm_host(
    x: tl.tensor(tl.float32),
    y: tl.output(tl.float32, shape=[x.shape[0], x.shape[1], x.shape[2], x.shape[3]]),
    eps: float = 1e-5,
):
    channels = x.shape[1]
    plane = x.shape[2] * x.shape[3]
    assert channels <= 1408, "at most 1408 channels"
    # Tiling Strategy: all channels of a strip, input and output twice, at most 11264 elements each: 180224 bytes of UB,
    # with the squares at most 225280 / channels bytes more.
    width = max(8, min(11264 // channels // 8 * 8, tl.align(plane, 8)))
    width = min(width, 2048)
    room = channels * width
    strips = tl.cdiv(plane, width)
    items = x.shape[0] * strips
    # Core Partitioning: strips of a plane, with all channels each, in turn over the cores.
    n_cores = max(1, min(48, items))
    scale = 1.0 / channels
    rms_norm_kernel[n_cores](x, y, items, strips, channels, plane, width, room, scale, eps)
