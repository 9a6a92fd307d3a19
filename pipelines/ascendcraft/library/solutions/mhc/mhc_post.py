import tile.language as tl

T = tl.dtypes(tl.float16, tl.bfloat16, tl.float32)


@ascend_kernel
def mhc_post_kernel(
    x_ptr, h_res_ptr, h_out_ptr, h_post_ptr, y_ptr, total, per_core, pieces, streams, width, tile, together, lanes
):
    first = tl.program_id(0) * per_core
    last = min(first + per_core, total)
    x_ub = tl.alloc_ub(streams * tile, dtype=T)
    h_out_ub = tl.alloc_ub(tile, dtype=T)
    h_res_ub = tl.alloc_ub(together * streams * streams, dtype=tl.float32)
    h_post_ub = tl.alloc_ub(together * streams, dtype=tl.float32)
    y_ub = tl.alloc_ub(streams * tile, dtype=T)
    wide_ub = tl.alloc_ub(streams * tile, dtype=tl.float32)
    out_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(tile, dtype=tl.float32)
    tokens = tl.cdiv(last, pieces)
    for group in range(first // pieces, tokens, together):
        grouped = min(together, tokens - group)
        # The scalar unit waits for gates, and while it does no tile is under way: so those of many tokens come at once.
        with tl.copyin():
            tl.load(h_res_ptr + group * streams * streams, h_res_ub, count=grouped * streams * streams)
            tl.load(h_post_ptr + group * streams, h_post_ub, count=grouped * streams)
        for place in range(0, grouped, 1):
            token = group + place
            begin = max(first - token * pieces, 0) * 128
            stop = min(min(last - token * pieces, pieces) * 128, width)
            for column in range(begin, stop, tile):
                count = min(tile, stop - column)
                pitch = tl.align(count, lanes)
                with tl.copyin():
                    tl.load(
                        x_ptr + token * streams * width + column, x_ub,
                        count=count, rows=streams, stride=width, pitch=pitch, pad=0
                    )
                    tl.load(h_out_ptr + token * width + column, h_out_ub, count=count)
                with tl.compute():
                    # Sums are float32 whatever the streams are: one rounding at the end.
                    tl.cast(out_ub, h_out_ub, count=count)
                    tl.cast(wide_ub, x_ub, count=streams * pitch)
                    for stream in range(0, streams, 1):
                        post_gate = tl.extract(h_post_ub, place * streams + stream)
                        tl.muls(sum_ub, out_ub, post_gate, count=count)
                        for old in range(0, streams, 1):
                            # h_res is [old, new]: its columns mix the old streams into a new one.
                            gate = tl.extract(h_res_ub, (place * streams + old) * streams + stream)
                            tl.axpy(sum_ub, wide_ub[old * pitch], gate, count=count)
                        tl.cast(y_ub[stream * pitch], sum_ub, count=count)
                with tl.copyout():
                    tl.store(
                        y_ptr + token * streams * width + column, y_ub,
                        count=count, rows=streams, stride=width, pitch=pitch
                    )


def mhc_post_host(
    x: tl.tensor(T),
    h_res: tl.tensor(tl.float32),
    h_out: tl.tensor(T),
    h_post: tl.tensor(tl.float32),
    y: tl.output(T, shape=[x.shape[0], x.shape[1], x.shape[2], x.shape[3]]),
):
    lanes = 32 // tl.item_bytes(T)
    assert x.dim() == 4, "streams of [batch, sequence, streams, width]"
    streams = x.shape[2]
    width = x.shape[3]
    tokens = x.shape[0] * x.shape[1]
    assert h_res.numel() == tokens * streams * streams, "h_res of [batch, sequence, streams, streams]"
    assert h_out.numel() == tokens * width, "h_out of [batch, sequence, width]"
    assert h_post.numel() == tokens * streams, "h_post of [batch, sequence, streams]"
    pieces = tl.cdiv(width, 128)
    total = tokens * pieces
    per_core = tl.cdiv(total, 48)
    # Core Partitioning: every core takes an equal run of pieces of 128 columns, which may begin and end within a token.
    n_cores = tl.cdiv(total, per_core)
    # Tiling Strategy: a column takes its streams and outputs twice, h_out twice, and float32 copies of the streams, of
    # h_out and of a sum: together at most 175000 bytes of UB, in tiles of equal length. Gates of at most 32 tokens,
    # twice, take 18432 bytes with eight streams.
    column_bytes = (4 * streams + 2) * tl.item_bytes(T) + (streams + 2) * 4
    longest = 175000 // column_bytes // 16 * 16
    tile = tl.align(tl.cdiv(width, tl.cdiv(width, longest)), 16)
    together = max(1, min(32, 256 // streams // streams * 8))
    mhc_post_kernel[n_cores](
        x, h_res, h_out, h_post, y, total, per_core, pieces, streams, width, tile, together, lanes
    )
