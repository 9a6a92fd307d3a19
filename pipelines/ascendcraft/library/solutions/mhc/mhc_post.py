import tile.language as tl

T = tl.dtypes(tl.float16, tl.bfloat16, tl.float32)


@ascend_kernel
def mhc_post_kernel(x_ptr, h_res_ptr, h_out_ptr, h_post_ptr, y_ptr, tokens, streams, width, tile, gates, post):
    x_ub = tl.alloc_ub(streams * tile, dtype=T)
    h_out_ub = tl.alloc_ub(tile, dtype=T)
    h_res_ub = tl.alloc_ub(gates, dtype=tl.float32)
    h_post_ub = tl.alloc_ub(post, dtype=tl.float32)
    y_ub = tl.alloc_ub(streams * tile, dtype=T)
    wide_ub = tl.alloc_ub(streams * tile, dtype=tl.float32)
    out_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(tile, dtype=tl.float32)
    for token in range(tl.program_id(0), tokens, tl.num_programs(0)):
        with tl.copyin():
            tl.load(h_res_ptr + token * streams * streams, h_res_ub, count=streams * streams)
            tl.load(h_post_ptr + token * streams, h_post_ub, count=streams)
        for column in range(0, width, tile):
            count = min(tile, width - column)
            with tl.copyin():
                tl.load(
                    x_ptr + token * streams * width + column, x_ub,
                    count=count, rows=streams, stride=width, pitch=tile
                )
                tl.load(h_out_ptr + token * width + column, h_out_ub, count=count)
            with tl.compute():
                # Sums are float32 whatever the streams are: one rounding at the end.
                tl.cast(out_ub, h_out_ub, count=count)
                for stream in range(0, streams, 1):
                    tl.cast(wide_ub[stream * tile], x_ub[stream * tile], count=count)
                for stream in range(0, streams, 1):
                    post_gate = tl.extract(h_post_ub, stream)
                    tl.muls(sum_ub, out_ub, post_gate, count=count)
                    for old in range(0, streams, 1):
                        # h_res is [old, new]: its columns mix the old streams into a new one.
                        gate = tl.extract(h_res_ub, old * streams + stream)
                        tl.axpy(sum_ub, wide_ub[old * tile], gate, count=count)
                    tl.cast(y_ub[stream * tile], sum_ub, count=count)
            with tl.copyout():
                tl.store(
                    y_ptr + token * streams * width + column, y_ub,
                    count=count, rows=streams, stride=width, pitch=tile
                )


def mhc_post_host(
    x: tl.tensor(T),
    h_res: tl.tensor(tl.float32),
    h_out: tl.tensor(T),
    h_post: tl.tensor(tl.float32),
    y: tl.output(T, shape=[x.shape[0], x.shape[1], x.shape[2], x.shape[3]]),
):
    assert x.dim() == 4, "streams of [batch, sequence, streams, width]"
    streams = x.shape[2]
    width = x.shape[3]
    tokens = x.shape[0] * x.shape[1]
    assert h_res.numel() == tokens * streams * streams, "h_res of [batch, sequence, streams, streams]"
    assert h_out.numel() == tokens * width, "h_out of [batch, sequence, width]"
    assert h_post.numel() == tokens * streams, "h_post of [batch, sequence, streams]"
    # Core Partitioning: tokens are independent, and go round all cores.
    n_cores = min(48, tokens)
    gates = tl.align(streams * streams, 8)
    post = tl.align(streams, 8)
    # Tiling Strategy: a column takes its streams and outputs twice, h_out twice, and float32 copies of the streams, of
    # h_out and of a sum; gates take little. Together at most 190000 bytes of UB.
    column_bytes = (4 * streams + 2) * tl.item_bytes(T) + (streams + 2) * 4
    tile = min(tl.align(width, 16), 190000 // column_bytes // 16 * 16)
    mhc_post_kernel[n_cores](x, h_res, h_out, h_post, y, tokens, streams, width, tile, gates, post)
