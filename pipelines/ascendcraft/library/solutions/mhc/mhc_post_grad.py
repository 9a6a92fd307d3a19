import tile.language as tl

T = tl.dtypes(tl.float16, tl.bfloat16, tl.float32)


@ascend_kernel
def mhc_post_grad_kernel(
    dy_ptr, x_ptr, h_res_ptr, h_out_ptr, h_post_ptr, dx_ptr, dh_res_ptr, dh_out_ptr, dh_post_ptr,
    tokens, streams, width, tile, gates, post
):
    dy_ub = tl.alloc_ub(streams * tile, dtype=T, depth=1)
    x_ub = tl.alloc_ub(streams * tile, dtype=T, depth=1)
    h_out_ub = tl.alloc_ub(tile, dtype=T, depth=1)
    h_res_ub = tl.alloc_ub(gates, dtype=tl.float32)
    h_post_ub = tl.alloc_ub(post, dtype=tl.float32)
    dx_ub = tl.alloc_ub(streams * tile, dtype=T, depth=1)
    dh_out_ub = tl.alloc_ub(tile, dtype=T, depth=1)
    dh_res_ub = tl.alloc_ub(gates * 8, dtype=tl.float32)
    dh_post_ub = tl.alloc_ub(post * 8, dtype=tl.float32)
    dy_wide_ub = tl.alloc_ub(streams * tile, dtype=tl.float32)
    x_wide_ub = tl.alloc_ub(streams * tile, dtype=tl.float32)
    out_wide_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(tile, dtype=tl.float32)
    work_ub = tl.alloc_ub(tile, dtype=tl.float32)
    part_ub = tl.alloc_ub(8, dtype=tl.float32)
    res_total_ub = tl.alloc_ub(gates * 8, dtype=tl.float32)
    post_total_ub = tl.alloc_ub(post * 8, dtype=tl.float32)
    for token in range(tl.program_id(0), tokens, tl.num_programs(0)):
        with tl.copyin():
            tl.load(h_res_ptr + token * streams * streams, h_res_ub, count=streams * streams)
            tl.load(h_post_ptr + token * streams, h_post_ub, count=streams)
        # Each dot product has 32 bytes of its own, so that no scalar unit is needed to put them side by side.
        with tl.compute():
            tl.duplicate(part_ub, 0.0, count=8)
            tl.duplicate(res_total_ub, 0.0, count=gates * 8)
            tl.duplicate(post_total_ub, 0.0, count=post * 8)
        for column in range(0, width, tile):
            count = min(tile, width - column)
            with tl.copyin():
                tl.load(
                    dy_ptr + token * streams * width + column, dy_ub,
                    count=count, rows=streams, stride=width, pitch=tile
                )
                tl.load(
                    x_ptr + token * streams * width + column, x_ub,
                    count=count, rows=streams, stride=width, pitch=tile
                )
                tl.load(h_out_ptr + token * width + column, h_out_ub, count=count)
            with tl.compute():
                tl.cast(out_wide_ub, h_out_ub, count=count)
                for stream in range(0, streams, 1):
                    tl.cast(dy_wide_ub[stream * tile], dy_ub[stream * tile], count=count)
                    tl.cast(x_wide_ub[stream * tile], x_ub[stream * tile], count=count)
                # dh_out: the gradients of all streams, each by its gate.
                tl.duplicate(sum_ub, 0.0, count=count)
                for stream in range(0, streams, 1):
                    post_gate = tl.extract(h_post_ub, stream)
                    tl.axpy(sum_ub, dy_wide_ub[stream * tile], post_gate, count=count)
                tl.cast(dh_out_ub, sum_ub, count=count)
                for old in range(0, streams, 1):
                    tl.duplicate(sum_ub, 0.0, count=count)
                    for stream in range(0, streams, 1):
                        gate = tl.extract(h_res_ub, old * streams + stream)
                        tl.axpy(sum_ub, dy_wide_ub[stream * tile], gate, count=count)
                    tl.cast(dx_ub[old * tile], sum_ub, count=count)
                for stream in range(0, streams, 1):
                    tl.mul(sum_ub, out_wide_ub, dy_wide_ub[stream * tile], count=count)
                    tl.reduce_sum(part_ub, sum_ub, work_ub, count=count)
                    tl.add(post_total_ub[stream * 8], post_total_ub[stream * 8], part_ub, count=1)
                    for old in range(0, streams, 1):
                        tl.mul(sum_ub, x_wide_ub[old * tile], dy_wide_ub[stream * tile], count=count)
                        tl.reduce_sum(part_ub, sum_ub, work_ub, count=count)
                        tl.add(
                            res_total_ub[(old * streams + stream) * 8], res_total_ub[(old * streams + stream) * 8],
                            part_ub, count=1
                        )
            with tl.copyout():
                tl.store(
                    dx_ptr + token * streams * width + column, dx_ub,
                    count=count, rows=streams, stride=width, pitch=tile
                )
                tl.store(dh_out_ptr + token * width + column, dh_out_ub, count=count)
        with tl.compute():
            tl.copy(dh_res_ub, res_total_ub, count=gates * 8)
            tl.copy(dh_post_ub, post_total_ub, count=post * 8)
        with tl.copyout():
            tl.store(
                dh_res_ptr + token * streams * streams, dh_res_ub,
                count=1, rows=streams * streams, stride=1, pitch=8
            )
            tl.store(dh_post_ptr + token * streams, dh_post_ub, count=1, rows=streams, stride=1, pitch=8)


def mhc_post_grad_host(
    dy: tl.tensor(T),
    x: tl.tensor(T),
    h_res: tl.tensor(tl.float32),
    h_out: tl.tensor(T),
    h_post: tl.tensor(tl.float32),
    dx: tl.output(T, shape=[x.shape[0], x.shape[1], x.shape[2], x.shape[3]]),
    dh_res: tl.output(tl.float32, shape=[x.shape[0], x.shape[1], x.shape[2], x.shape[2]]),
    dh_out: tl.output(T, shape=[x.shape[0], x.shape[1], x.shape[3]]),
    dh_post: tl.output(tl.float32, shape=[x.shape[0], x.shape[1], x.shape[2]]),
):
    assert x.dim() == 4, "streams of [batch, sequence, streams, width]"
    streams = x.shape[2]
    width = x.shape[3]
    tokens = x.shape[0] * x.shape[1]
    assert dy.numel() == x.numel(), "dy of the shape of x"
    assert h_res.numel() == tokens * streams * streams, "h_res of [batch, sequence, streams, streams]"
    assert h_out.numel() == tokens * width, "h_out of [batch, sequence, width]"
    assert h_post.numel() == tokens * streams, "h_post of [batch, sequence, streams]"
    # Core Partitioning: tokens are independent, and go round all cores.
    n_cores = min(48, tokens)
    gates = tl.align(streams * streams, 8)
    post = tl.align(streams, 8)
    # Tiling Strategy: a column takes dy, x and dx and float32 copies of the first two; h_out, its gradient, and three
    # float32 rows. All once: 20 dot products a tile outweigh the copies, and longer tiles have fewer of them. Together
    # at most 180000 bytes of UB, and 10000 for gates and their sums.
    column_bytes = (3 * streams + 2) * tl.item_bytes(T) + (2 * streams + 3) * 4
    tile = min(tl.align(width, 16), 180000 // column_bytes // 16 * 16)
    mhc_post_grad_kernel[n_cores](
        dy, x, h_res, h_out, h_post, dx, dh_res, dh_out, dh_post, tokens, streams, width, tile, gates, post
    )
