"""The benchmark's own comparison: mean and largest relative error, allowing for small values and cancellation."""
import torch

import measure

# By element type: the limit of the mean relative error (the largest may be ten times that), what counts as small and
# how far off a small value may be, and what counts as cancelled. Source: the benchmark's thresholds.
LIMITS = {
    torch.float16: (2.0**-10, 2.0**-11, 2.0**-16, 2.0**-5),
    torch.bfloat16: (2.0**-7, 2.0**-8, 2.0**-16, 2.0**-3),
    torch.float32: (2.0**-13, 2.0**-14, 2.0**-30, 2.0**-8),
}


def flat(value):
    """A list of the outputs, lists of lists among them, as the benchmark pairs them."""
    if value is None or isinstance(value, torch.Tensor):
        return [value]
    return [one for part in value for one in flat(part)] if isinstance(value, (tuple, list)) else [None]


def limit_of(kind, given):
    return given.get(str(kind).removeprefix('torch.'), LIMITS.get(kind, LIMITS[torch.float32])[0])


def literal(task, call, golden, plain, seen, told):
    """None, or what the benchmark says. `plain`: the golden in the case's own types."""
    goldens, plains, seens = flat(golden), flat(plain), flat(seen)
    if len(seens) != len(goldens):
        return f'{len(seens)} outputs, {len(goldens)} were expected'
    for at, (right, own, one) in enumerate(zip(goldens, plains, seens)):
        spec = task['outputs'][at] if at < len(task['outputs']) else {}
        if right is None or one is None:
            if right is not one:
                return f'output {at} is absent where it should not be, or the other way round'
        elif not spec.get('compare', True):
            said = index(spec.get('index'), call, seens, at, task)
            if said is not None:
                return said
        else:
            said = far(right, own, one, told.get(id(one), True), task['thresholds'])
            if said is not None:
                return f'output {at}: {said}'
    return None


def far(golden, plain, seen, contiguous, given):
    if seen.shape != golden.shape:
        return f'the shape is {list(seen.shape)}, {list(golden.shape)} was expected'
    if not contiguous:
        return 'it is not contiguous'
    limit = limit_of(seen.dtype, given)
    if not seen.is_floating_point() and seen.dtype != torch.bool:
        off = (seen.long() - golden.long()).abs()
        return None if seen.numel() == 0 or off.max() <= limit else f'{int((off > limit).sum())} integers are wrong'
    if limit == 0 and seen.is_floating_point():
        bits = {2: torch.int16, 4: torch.int32, 8: torch.int64}[seen.element_size()]
        same = torch.equal(seen.contiguous().view(bits), golden.to(seen.dtype).contiguous().view(bits))
        return None if same else 'other bits'
    return floating(golden.to(seen.dtype).double(), plain.double(), seen.double(), (seen.dtype, limit))


def floating(golden, plain, seen, kind):
    if not torch.equal(golden.isnan(), seen.isnan()):
        return 'NaN at other places'
    most = torch.finfo(kind[0]).max if kind[0].is_floating_point else 1.0
    both = golden.isinf() & seen.isinf()
    if (golden[both].sign() != seen[both].sign()).any():
        return 'an infinity of the other sign'
    # An infinity on one side alone counts as the largest number.
    golden, seen = (torch.where(one.isinf() & ~both, one.sign() * most, one) for one in (golden, seen))
    off, size = (seen - golden).abs(), golden.abs()
    relative = off / (size + 1e-7)
    valid = relative.isfinite() & ~both
    if not valid.any():
        return None
    limit = kind[1]
    mean, largest = float(relative[valid].mean()), float(relative[valid].max())
    if mean < limit and largest < 10 * limit:
        return None
    _, small, error, cancelled = LIMITS.get(kind[0], LIMITS[torch.float32])
    theirs = (plain - golden).abs()
    over, theirs_over = relative > 10 * limit, theirs / (size + 1e-7) > 10 * limit
    tiny = (size < small) & valid
    lost = (seen.abs() < cancelled) & (size < cancelled) & (size >= small) & valid
    rest = ~tiny & ~lost & valid
    counts = [
        (tiny & (off > error), tiny & (theirs > error), 1),
        (lost & over, lost & theirs_over, 1),
        (rest & over, rest & theirs_over, 0),
    ]
    for ours, own, least in counts:
        wrong, allowed = int(ours.sum()), 2 * max(int(own.sum()), least)
        if wrong > allowed:
            return f'relative error {mean:.3g} on average, {largest:.3g} at most; {wrong} values are too far off'
    return None


def index(spec, call, seens, at, task):
    """Whether an output of positions points at the values that it should, whichever of equal ones it chose."""
    if spec is None:
        return None
    x, axis, found = call[spec['input']], int(call[spec['dim_attr']]), seens[at].long()
    axis %= x.dim()
    if 'value_reduce' in spec:
        reduce = {'amax': torch.amax, 'amin': torch.amin}[spec['value_reduce']]
        wanted = reduce(x, dim=axis, keepdim=True)
        if not call.get(spec.get('keepdim_attr'), False):
            found = found.unsqueeze(axis) if found.dim() == x.dim() - 1 else found
    else:
        names = [one['name'] for one in task['outputs']]
        wanted = seens[names.index(spec['value_output'])]
    if found.shape != wanted.shape or found.dim() != x.dim():
        return f'positions have the shape {list(seens[at].shape)}'
    if found.numel() > 0 and (found.min() < 0 or found.max() >= x.shape[axis]):
        return 'a position is outside the input'
    picked = x.gather(axis, found).to(wanted.dtype)
    return None if measure.same(picked, wanted).all() else 'positions do not point at the values'
