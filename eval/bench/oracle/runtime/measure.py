"""How far outputs are from what is right: the benchmark's own comparison, and a stricter one."""
import hashlib

import torch

# By element type, of a mean relative error; ten times that of the largest. Source: benchmarks of such kernels.
THRESHOLDS = {'float32': 2.0**-13, 'float16': 2.0**-10, 'bfloat16': 2.0**-7}
# How much more a kernel may lose than PyTorch's own arithmetic, or the plainest in float32.
LEEWAY = 4.0


def literal(expected, seen):
    """As the benchmark's harness compares: None, or what it says."""
    if isinstance(expected, torch.Tensor) and isinstance(seen, torch.Tensor):
        if expected.shape != seen.shape:
            return f'the shape is {list(seen.shape)}, {list(expected.shape)} was expected'
        if expected.dtype == torch.bool or seen.dtype == torch.bool:
            return None if torch.equal(expected, seen) else 'values differ'
        if expected.dtype != seen.dtype:
            return f'the type is {seen.dtype}, {expected.dtype} was expected'
        close = torch.allclose(expected, seen, atol=1e-4, rtol=1e-4)
        return None if close else 'values differ by more than 1e-4 + 1e-4 |x|'
    if isinstance(expected, (tuple, list)) and isinstance(seen, (tuple, list)):
        if len(expected) != len(seen):
            return f'{len(seen)} outputs, {len(expected)} were expected'
        return next((said for said in map(literal, expected, seen) if said is not None), None)
    return None if type(expected) is type(seen) and expected == seen else 'another kind of value'


def tensors(value):
    if isinstance(value, torch.Tensor):
        return [value]
    return [one for part in value for one in tensors(part)] if isinstance(value, (tuple, list)) else []


def hardened(golden, expected, seen, plain=None):
    """
    Against float64, scale-aware, with a leeway for what PyTorch loses, or `plain`: the same by the plainest float32.
    Gives None or why, and the figures.
    """
    worst = {'maxAbs': 0.0, 'mere': 0.0, 'mare': 0.0, 'normRatio': 0.0}
    goldens, expecteds, seens = tensors(golden), tensors(expected), tensors(seen)
    if len(seens) != len(expecteds):
        return f'{len(seens)} tensors, {len(expecteds)} were expected', worst
    plains = [None] * len(expecteds) if plain is None else [plain]
    for one in zip(goldens, expecteds, seens, plains):
        wrong, figures = tensor(*one)
        worst = {name: max(value, figures[name]) for name, value in worst.items()}
        if wrong is not None:
            return wrong, worst
    return None, worst


def tensor(golden, expected, seen, plain):
    figures = {'maxAbs': 0.0, 'mere': 0.0, 'mare': 0.0, 'normRatio': 0.0}
    if seen.shape != expected.shape or seen.dtype != expected.dtype:
        return f'{seen.dtype} {list(seen.shape)}, {expected.dtype} {list(expected.shape)} was expected', figures
    if not expected.is_floating_point():
        return (None if torch.equal(seen, expected) else 'values differ'), figures
    if seen.numel() == 0:
        return None, figures
    threshold = THRESHOLDS.get(str(expected.dtype).removeprefix('torch.'), THRESHOLDS['float32'])
    odd = ~(torch.isfinite(expected) & torch.isfinite(golden))
    if odd.any():
        # PyTorch's float32 has NaN for GELU of infinity where its float64 has infinity: either is right.
        right = same(seen, expected) | (same(seen, golden.to(seen.dtype)) & ~torch.isfinite(golden))
        if not right[odd].all():
            return 'where PyTorch gives NaN or infinity, it gives something else', figures
    expected = expected if plain is None else torch.where(torch.isfinite(plain), plain, expected)
    golden, expected, seen = golden[~odd].double(), expected[~odd].double(), seen[~odd].double()
    if golden.numel() == 0:
        return None, figures
    if not torch.isfinite(seen).all():
        return 'NaN or infinity where a number is right', figures
    return finite(golden, expected, seen, threshold)


def same(one, other):
    return (one == other) | (torch.isnan(one) & torch.isnan(other))


def finite(golden, expected, seen, threshold):
    error, own = (seen - golden).abs(), (expected - golden).abs()
    allowed = 1e-4 + 1e-4 * golden.abs() + LEEWAY * own.max()
    figures = {'maxAbs': float(error.max()), 'mere': 0.0, 'mare': 0.0, 'normRatio': 0.0}
    spread = float(golden.square().mean().sqrt())
    # Where everything cancels to nothing, only the distance says something.
    if spread > 1e-12:
        # 1e-7 is usual. Cancellation leaves elements near zero that no sum of floats gets right: of the mean a
        # thousandth of what is usual counts as near, of the largest, which one element alone decides, a tenth.
        floor, wide = (golden.abs() + max(1e-7, spread * part) for part in (1e-3, 0.1))
        length = golden.norm()
        figures |= {
            'mere': float((error / floor).mean()),
            'mare': float((error / wide).max()),
            'normRatio': float(error.norm() / length),
        }
        limits = {
            'mere': max(threshold, LEEWAY * float((own / floor).mean())),
            'mare': max(10 * threshold, LEEWAY * float((own / wide).max())),
            'normRatio': max(threshold, LEEWAY * float(own.norm() / length)),
        }
        for name, limit in limits.items():
            if figures[name] > limit:
                return f'{name} is {figures[name]:.3g}, at most {limit:.3g} is right', figures
    if (error > allowed).any():
        return f'an element is {figures["maxAbs"]:.3g} off', figures
    return None, figures


def mutants(expected, values, before):
    """Outputs of kernels that do not do the work, by name; whatever equals the right output is none."""
    if not isinstance(expected, torch.Tensor) or not expected.is_floating_point() or expected.numel() == 0:
        return {}
    flat = expected.reshape(-1)
    made = {'zeros': torch.zeros_like(expected), 'mean': torch.full_like(expected, float(flat.double().mean()))}
    alike = [value for value in values if isinstance(value, torch.Tensor) and value.shape == expected.shape]
    if alike and alike[0].dtype == expected.dtype:
        made['identity'] = alike[0]
    if flat.numel() > 1:
        made['last tile missing'] = without(flat, min(256, flat.numel() // 2)).reshape(expected.shape)
        made['axis turned'] = expected.flip(-1)
    if flat.numel() % 8:
        made['tail missing'] = without(flat, flat.numel() % 8).reshape(expected.shape)
    if before is not None and before.shape == expected.shape:
        made['output before'] = before
    same = [name for name, one in made.items() if torch.allclose(one, expected, atol=0, rtol=1e-5, equal_nan=True)]
    return {name: one for name, one in made.items() if name not in same}


def without(flat, count):
    cut = flat.clone()
    cut[-count:] = 0
    return cut


def digest(value):
    """Of shapes and bytes."""
    found = hashlib.sha256()
    for one in tensors(value):
        found.update(str((list(one.shape), one.dtype)).encode())
        found.update(one.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())
    return found.hexdigest()


def spoilt(values, left):
    """What a call must not do to its inputs, or hand out as an output, by rule."""
    if digest(tensors(values)) != digest(left['inputsAfter']):
        return [{'rule': 'changes-an-input', 'said': 'an input was changed'}]
    found = []
    for one in left['tensors']:
        if 0 not in one['shape'] and one['ofInput']:
            found.append({'rule': 'returns-an-input', 'said': 'an output lies in the memory of an input'})
        if not one['contiguous']:
            found.append({'rule': 'not-contiguous', 'said': 'an output is not contiguous'})
    return found


def nothing(expected, values, before):
    """Outputs of kernels that do no work, by name, as many as expected. `before`: what was right in the first call."""
    made = {name: [filled(one, value) for one in expected] for name, value in (('zeros', 0), ('ones', 1))}
    if any(one is not None and one.is_floating_point() for one in expected):
        made['NaN'] = [filled(one, float('nan')) for one in expected]
    # The mean of one element is the right answer itself.
    if any(one is not None and one.numel() > 1 for one in expected):
        made['mean'] = [filled(one, mean(one)) for one in expected]
    for at, value in enumerate(values):
        if all(one is None or value.numel() > 0 for one in expected):
            made[f'input {at + 1}'] = [cycled(one, value) for one in expected]
    if before is not None and [shape(one) for one in before] == [shape(one) for one in expected]:
        made['first output'] = before
    return made


def shape(one):
    return None if one is None else (tuple(one.shape), one.dtype)


def filled(one, value):
    if one is None:
        return None
    return torch.full_like(one, value if one.is_floating_point() or value == value else 0)


def mean(one):
    if one is None or one.numel() == 0:
        return 0
    numbers = one.double()[one.double().isfinite()]
    found = float(numbers.mean()) if numbers.numel() > 0 else 0.0
    return found if one.is_floating_point() else round(found)


def cycled(one, value):
    """Element by element, from the start again where there are too few."""
    if one is None:
        return None
    flat = value.reshape(-1)
    times = -(-one.numel() // flat.numel())
    return flat.repeat(times)[: one.numel()].reshape(one.shape).to(one.dtype)
