import tile.language as tl

T = tl.dtypes(tl.float16, tl.bfloat16, tl.float32)


@ascend_kernel
def mhc_post_grad_kernel(
    dy_ptr, x_ptr, h_res_ptr, h_out_ptr, h_post_ptr, dx_ptr, dh_res_ptr, dh_out_ptr, dh_post_ptr, parts_ptr,
    tokens, streams, width, parts, part_size, per_core, tile, together, squares, dots, lanes
):
    pid = tl.program_id(0)
    first = pid * per_core
    last = min(first + per_core, tokens * parts)
    dy_ub = tl.alloc_ub(streams * tile, dtype=T)
    x_ub = tl.alloc_ub(streams * tile, dtype=T)
    h_out_ub = tl.alloc_ub(tile, dtype=T)
    gates_ub = tl.alloc_ub(together * dots, dtype=tl.float32)
    dx_ub = tl.alloc_ub(streams * tile, dtype=T)
    dh_out_ub = tl.alloc_ub(tile, dtype=T)
    dots_ub = tl.alloc_ub(dots * 8, dtype=tl.float32)
    found_ub = tl.alloc_ub(dots * 8, dtype=tl.float32)
    total_ub = tl.alloc_ub(dots * 8, dtype=tl.float32)
    dy_wide_ub = tl.alloc_ub(streams * tile, dtype=tl.float32)
    x_wide_ub = tl.alloc_ub(streams * tile, dtype=tl.float32)
    out_wide_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sum_ub = tl.alloc_ub(tile, dtype=tl.float32)
    sums_ub = tl.alloc_ub(dots * tile, dtype=tl.float32)
    for group in range(first, last, together):
        token = group // parts
        grouped = min(together, last - group)
        # The scalar unit waits for gates, and while it does no tile is under way: so those of many tokens come at once.
        behind = (group + grouped - 1) // parts + 1 - token
        with tl.copyin():
            tl.load(h_res_ptr + token * squares, gates_ub, count=behind * squares)
            tl.load(h_post_ptr + token * streams, gates_ub[together * squares], count=behind * streams)
        for item in range(group, group + grouped, 1):
            row = item // parts
            place = row - token
            begin = (item % parts) * part_size
            stop = min(begin + part_size, width)
            # A row of sums for each dot product: the streams' products are added up element by element first.
            with tl.compute():
                tl.duplicate(sums_ub, 0.0, count=dots * tile)
            for column in range(begin, stop, tile):
                count = min(tile, stop - column)
                pitch = tl.align(count, lanes)
                with tl.copyin():
                    tl.load(
                        dy_ptr + row * streams * width + column, dy_ub,
                        count=count, rows=streams, stride=width, pitch=pitch, pad=0
                    )
                    tl.load(
                        x_ptr + row * streams * width + column, x_ub,
                        count=count, rows=streams, stride=width, pitch=pitch, pad=0
                    )
                    tl.load(h_out_ptr + row * width + column, h_out_ub, count=count)
                with tl.compute():
                    tl.cast(out_wide_ub, h_out_ub, count=count)
                    tl.cast(dy_wide_ub, dy_ub, count=streams * pitch)
                    tl.cast(x_wide_ub, x_ub, count=streams * pitch)
                    # dh_out: the gradients of all streams, each by its gate.
                    post_gate = tl.extract(gates_ub, together * squares + place * streams)
                    tl.muls(sum_ub, dy_wide_ub, post_gate, count=count)
                    for stream in range(1, streams, 1):
                        post_gate = tl.extract(gates_ub, together * squares + place * streams + stream)
                        tl.axpy(sum_ub, dy_wide_ub[stream * pitch], post_gate, count=count)
                    tl.cast(dh_out_ub, sum_ub, count=count)
                    for old in range(0, streams, 1):
                        gate = tl.extract(gates_ub, place * squares + old * streams)
                        tl.muls(sum_ub, dy_wide_ub, gate, count=count)
                        for stream in range(1, streams, 1):
                            gate = tl.extract(gates_ub, place * squares + old * streams + stream)
                            tl.axpy(sum_ub, dy_wide_ub[stream * pitch], gate, count=count)
                        tl.cast(dx_ub[old * pitch], sum_ub, count=count)
                    for stream in range(0, streams, 1):
                        for old in range(0, streams, 1):
                            tl.mul_add(
                                sums_ub[(old * streams + stream) * tile], x_wide_ub[old * pitch],
                                dy_wide_ub[stream * pitch], count=count
                            )
                        tl.mul_add(
                            sums_ub[(squares + stream) * tile], out_wide_ub, dy_wide_ub[stream * pitch], count=count
                        )
                with tl.copyout():
                    tl.store(
                        dx_ptr + row * streams * width + column, dx_ub,
                        count=count, rows=streams, stride=width, pitch=pitch
                    )
                    tl.store(dh_out_ptr + row * width + column, dh_out_ub, count=count)
            # Each dot product has 32 bytes of its own, so that no scalar unit is needed to put them side by side.
            with tl.compute():
                tl.duplicate(dots_ub, 0.0, count=dots * 8)
                for dot in range(0, dots, 1):
                    tl.reduce_sum(dots_ub[dot * 8], sums_ub[dot * tile], x_wide_ub, count=tile)
            if parts == 1:
                with tl.copyout():
                    tl.store(dh_res_ptr + row * squares, dots_ub, count=1, rows=squares, stride=1, pitch=8)
                    tl.store(
                        dh_post_ptr + row * streams, dots_ub[squares * 8],
                        count=1, rows=streams, stride=1, pitch=8
                    )
            else:
                with tl.copyout():
                    tl.store(parts_ptr + item * dots * 8, dots_ub, count=dots * 8)
    if parts > 1:
        tl.sync_all()
        for row in range(pid, tokens, tl.num_programs(0)):
            with tl.compute():
                tl.duplicate(total_ub, 0.0, count=dots * 8)
            for part in range(0, parts, 1):
                with tl.copyin():
                    tl.load(parts_ptr + (row * parts + part) * dots * 8, gates_ub, count=dots * 8)
                with tl.compute():
                    tl.add(total_ub, total_ub, gates_ub, count=dots * 8)
            with tl.compute():
                tl.copy(found_ub, total_ub, count=dots * 8)
            with tl.copyout():
                tl.store(dh_res_ptr + row * squares, found_ub, count=1, rows=squares, stride=1, pitch=8)
                tl.store(dh_post_ptr + row * streams, found_ub[squares * 8], count=1, rows=streams, stride=1, pitch=8)


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
    lanes = 32 // tl.item_bytes(T)
    assert x.dim() == 4, "streams of [batch, sequence, streams, width]"
    streams = x.shape[2]
    width = x.shape[3]
    tokens = x.shape[0] * x.shape[1]
    assert dy.numel() == x.numel(), "dy of the shape of x"
    assert h_res.numel() == tokens * streams * streams, "h_res of [batch, sequence, streams, streams]"
    assert h_out.numel() == tokens * width, "h_out of [batch, sequence, width]"
    assert h_post.numel() == tokens * streams, "h_post of [batch, sequence, streams]"
    # Fewer tokens than half the cores are cut into parts of whole pieces of 128 columns, at least four.
    wanted = max(1, min(48 // tokens, width // 512))
    part_size = tl.align(tl.cdiv(width, wanted), 128)
    parts = tl.cdiv(width, part_size)
    per_core = tl.cdiv(tokens * parts, 48)
    # Core Partitioning: every core takes an equal run of parts; where a token has more than one, what each found of
    # the gates' gradients is left in GM and added up when all cores have met.
    n_cores = tl.cdiv(tokens * parts, per_core)
    squares = streams * streams
    dots = squares + streams
    found = tl.workspace(tokens * parts * dots * 8, tl.float32)
    # Tiling Strategy: a column takes dy, x, dx, h_out and its gradient twice, float32 copies of the inputs, a sum, and
    # a sum for each dot product: what is left of 196000 bytes of UB by five blocks of dot products, and gates of eight
    # tokens or more, twice.
    together = max(8, 128 // squares * 8)
    column_bytes = (6 * streams + 4) * tl.item_bytes(T) + (2 * streams + 2 + dots) * 4
    longest = (196000 - dots * 160 - dots * together * 8) // column_bytes // 16 * 16
    assert longest >= 16, "streams that UB holds"
    tile = tl.align(tl.cdiv(part_size, tl.cdiv(part_size, longest)), 16)
    mhc_post_grad_kernel[n_cores](
        dy, x, h_res, h_out, h_post, dx, dh_res, dh_out, dh_post, found,
        tokens, streams, width, parts, part_size, per_core, tile, together, squares, dots, lanes
    )
