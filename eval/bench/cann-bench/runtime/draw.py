"""Inputs of a case, drawn as the benchmark draws them: of one stream, within the ranges that the case states."""
import math

import torch


def value(text):
    """Attributes and ends of ranges may be written as text: inf, -inf, nan."""
    if isinstance(text, str):
        try:
            return float(text)
        except ValueError:
            return text
    return [value(one) for one in text] if isinstance(text, list) else text


def isList(shape):
    return bool(shape) and isinstance(shape[0], list)


def inputs(case, seed, family):
    """One value per shape: a tensor, a list of them, or None. `family` is `own`, or `normal` around the middle."""
    shapes, types, ranges = case['shapes'], case['dtypes'], case['ranges']
    source = torch.Generator().manual_seed(seed)
    if ranges and not isinstance(ranges[0], list):
        ranges = [ranges] * len(shapes)

    def nth(values, at):
        return values[min(at, len(values) - 1)] if values else None

    def drawn(shape, kind, limits):
        if shape is None or None in shape:
            return None
        if isList(shape):
            kinds = kind if isinstance(kind, list) else [kind]
            each = limits if limits and isinstance(limits[0], list) else [limits]
            return [drawn(one, nth(kinds, at), nth(each, at)) for at, one in enumerate(shape)]
        kind = kind[0] if isinstance(kind, list) else kind
        limits = None if limits and isinstance(limits[0], list) else limits
        return tensor(shape, getattr(torch, kind or 'float32'), limits, source, family)

    return [drawn(shape, nth(types, at), nth(ranges, at)) for at, shape in enumerate(shapes)]


def tensor(shape, kind, limits, source, family):
    low, high = (value(limits[0]), value(limits[-1])) if limits else (0, 1 if kind.is_floating_point else 100)
    if kind == torch.bool:
        low, high = (min(1, max(0, int(one))) for one in (low, high))
        return torch.randint(low, high + 1, shape, generator=source).bool()
    if not kind.is_floating_point:
        if low == high:
            return torch.full(shape, int(low), dtype=kind)
        return torch.randint(int(low), int(high) + 1, shape, generator=source, dtype=kind)
    if family == 'normal' and not (math.isfinite(low) and low < high < math.inf):
        # Of zeros and of NaN alone, any answer of that kind would be right.
        low, high = -1.0, 1.0
    if not (math.isfinite(low) and math.isfinite(high)):
        return special(shape, kind, low, high, source)
    if low == high:
        return torch.full(shape, float(low), dtype=kind)
    ends = torch.finfo(kind)
    low, high = max(low, ends.min), min(high, ends.max)
    if family == 'normal':
        made = torch.randn(shape, dtype=torch.float64, generator=source) * ((high - low) / 6) + (low + (high - low) / 2)
        return made.clamp(low, high).to(kind)
    made = torch.rand(shape, dtype=torch.float64, generator=source) * (high - low) + low
    return made.clamp(ends.min, ends.max).to(kind)


def special(shape, kind, low, high, source):
    """NaN at half of the places, or infinities at both ends of the row-major order."""
    made = (torch.rand(shape, generator=source) * 2 - 1).to(kind)
    if math.isnan(low) and math.isnan(high):
        made[torch.rand(shape, generator=source) < 0.5] = math.nan
        return made
    flat = made.reshape(-1)
    ends = max(1, flat.numel() // 20)
    if math.isinf(low) or math.isinf(high):
        flat[:ends], flat[-ends:] = -math.inf, math.inf
    return flat.reshape(shape)
