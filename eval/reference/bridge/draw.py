"""Random inputs: seeded, bounded in size, in families.

The benchmark draws on the device and without a seed. Here every draw follows from the request's seed. Two things differ from it: tensors above
a limit are refused before they are made, and `rand`/`randn` of integer types, which CPU torch lacks, give whole numbers in [-10, 10]
(`randn`) or [0, 10] (`rand`).
"""
import contextlib
import math
import random

import numpy
import torch

from errors import Unusable

# Families that go beyond what a task draws, and how rare special values are in them.
FURTHER = ('wide', 'infinite', 'nan', 'denormal')
SPECIAL_ONE = 16
# Families that are the task's own draw with single values changed at the end.
TOUCHED = ('alike', 'scalars', 'finite', 'pierced')
DRAWN = ('rand', 'randn')
MADE = ('rand', 'randn', 'randint', 'zeros', 'ones', 'empty', 'full', 'arange', 'eye')


class Draws:
    """Moves drawn values into a family. `moved` says whether there were any."""

    def __init__(self, family, seed):
        self.family = family
        self.generator = torch.Generator().manual_seed(seed)
        self.randint = torch.randint
        self.moved = False

    def move(self, tensor):
        if self.family in ('normal', 'uniform', 'repeated', *TOUCHED) or not movable(tensor):
            return tensor
        self.moved = True
        if self.family == 'small':
            return tensor * 0.0625
        if self.family in FURTHER:
            return self.further(tensor)
        steps = self.randint(0, 5, tensor.shape, generator=self.generator)
        return tensor * (0.5 ** steps).to(tensor.dtype)


    def further(self, tensor):
        """Values of the whole type, whatever the task draws; which tasks meet them is for the judge to say."""
        limits = torch.finfo(tensor.dtype)
        low, high = math.log2(limits.tiny), math.log2(limits.max) - 2
        unit = torch.Tensor.uniform_(torch.zeros(tensor.shape, dtype=torch.float64), generator=self.generator)
        sign = torch.where(self.integers(2, tensor.shape) == 0, -1.0, 1.0).double()
        if self.family == 'wide':
            return (sign * 2 ** (low + (high - low) * unit)).to(tensor.dtype)
        chosen = self.integers(SPECIAL_ONE, tensor.shape) == 0
        if self.family == 'denormal':
            return torch.where(chosen, sign * 0, sign * limits.tiny * unit).to(tensor.dtype)
        infinite = [0.0, -0.0, math.inf, -math.inf]
        specials = torch.tensor(infinite if self.family == 'infinite' else [0.0, -0.0, math.nan], dtype=tensor.dtype)
        return torch.where(chosen, specials[self.integers(len(specials), tensor.shape)], tensor)

    def chance(self):
        return float(torch.Tensor.uniform_(torch.zeros((), dtype=torch.float64), generator=self.generator))

    def factor(self):
        # Neither does it give one, nor undo a power of two.
        return 1.25 + 1.5 * self.chance()

    def integers(self, count, shape):
        return self.randint(0, count, shape, generator=self.generator)


@contextlib.contextmanager
def bounded_draws(seed, limit, family='normal'):
    """
    Seeds every generator that references use, counts the bytes of every tensor that is made, and moves what `rand` and `randn` draw into the
    family: what a task computes from its draws, such as the mean that goes with a tensor, goes with the moved ones.
    """
    torch.manual_seed(seed)
    numpy.random.seed(seed % 2 ** 32)
    random.seed(seed)
    # Some kinds of input need several steps to make, so the sum may pass the limit; what is handed in is measured apart.
    budget = {'left': limit * 6}
    plain = {name: getattr(torch, name) for name in MADE}
    draws = Draws(family, seed + 1)

    def guard(name):
        def made(*arguments, **named):
            count = planned_elements(name, arguments, named)
            budget['left'] -= count * element_bytes(named.get('dtype'))
            if budget['left'] < 0:
                raise Unusable('too-large', f'torch.{name} of {count} elements')
            tensor = drawn(plain, name, arguments, named)
            return draws.move(tensor) if name in DRAWN else tensor
        return made

    try:
        for name in MADE:
            setattr(torch, name, guard(name))
        yield draws
    finally:
        for name, function in plain.items():
            setattr(torch, name, function)


def element_bytes(dtype):
    return (dtype or torch.float32).itemsize


def planned_elements(name, arguments, named):
    sizes = named.get('size', arguments)
    if name == 'randint':
        sizes = named.get('size') or next((one for one in arguments if isinstance(one, (list, tuple))), ())
    elif name == 'arange':
        numbers = [one for one in arguments if isinstance(one, (int, float))]
        return int(abs(numbers[1] - numbers[0])) if len(numbers) > 1 else int(numbers[0]) if numbers else 1
    elif name == 'full':
        sizes = arguments[0] if arguments else named['size']
    count = 1
    for one in flat(sizes):
        count *= one
    return count


def flat(sizes):
    for one in sizes if isinstance(sizes, (list, tuple, torch.Size)) else [sizes]:
        if isinstance(one, (list, tuple, torch.Size)):
            yield from flat(one)
        elif isinstance(one, int):
            yield one


def drawn(plain, name, arguments, named):
    dtype = named.get('dtype')
    whole = dtype is not None and not dtype.is_floating_point and not dtype.is_complex and dtype != torch.bool
    if name not in DRAWN or not whole:
        return plain[name](*arguments, **named)
    low = 0 if name == 'rand' or not dtype.is_signed else -10
    return plain['randint'](low, 11, tuple(flat(named.get('size', arguments))), dtype=dtype)


def reshape_values(inputs, draws):
    """
    Inputs of a family. A task's draw says what its operator accepts, so values only move towards zero, by powers of two, and keep their sign:
    roots, logarithms and arcs stay defined. `normal` and `uniform` are draws as they are. Inputs that came from no draw are moved here.
    """
    if draws.family in TOUCHED:
        return touched(inputs, draws)
    moved = inputs if draws.moved else map_tensors(inputs, draws.move)
    return map_tensors(moved, double_one) if draws.family == 'boundary' and only_floats(moved) else moved


def touched(inputs, draws):
    """Inputs as the task draws them, in which single values are others; what is right for them is computed from them."""
    first = {}

    def alike(tensor):
        one = first.setdefault(tensor.dtype, tensor)
        if one is tensor or one.is_sparse or one.numel() == 0:
            return tensor
        there = one.reshape(-1)[torch.arange(tensor.numel()) % one.numel()].reshape(tensor.shape)
        return torch.where(draws.integers(2, tensor.shape) == 0, there, tensor)

    def scalars(tensor):
        if tensor.numel() != 1 or tensor.dtype == torch.bool or draws.chance() < 0.25:
            return tensor
        if tensor.is_floating_point():
            return tensor * draws.factor() if tensor.item() else tensor + draws.factor()
        return tensor + 2

    def finite(tensor):
        return torch.nan_to_num(tensor, nan=0.5, posinf=0.75, neginf=-0.25) if tensor.is_floating_point() else tensor

    def pierced(tensor):
        if not tensor.is_floating_point() or draws.chance() < 0.5:
            return tensor
        changed = tensor.contiguous().clone()
        places = int(draws.integers(tensor.numel(), (1,)))
        changed.view(-1)[places] = (math.inf, -math.inf, math.nan)[int(draws.integers(3, (1,)))]
        return changed

    change = {'alike': alike, 'scalars': scalars, 'finite': finite, 'pierced': pierced}[draws.family]

    def every(value):
        if isinstance(value, torch.Tensor):
            return value if value.is_sparse or value.numel() == 0 else change(value)
        if isinstance(value, (list, tuple)):
            return type(value)(every(one) for one in value)
        if isinstance(value, float) and draws.family == 'scalars' and draws.chance() < 0.75:
            return (value or 1.0) * draws.factor()
        return value

    return every(inputs)


def double_one(tensor):
    """A factor of one hides that nothing multiplies by it. Two is also a number where one stands for a choice."""
    return tensor * 2 if tensor.numel() == 1 and tensor.item() == 1 else tensor


def only_floats(inputs):
    """Whether there are tensors of more than one element, and every tensor is dense and of a floating type."""
    tensors = []
    map_tensors(inputs, tensors.append)
    return any(movable(one) for one in tensors) and all(one.is_floating_point() and not one.is_sparse for one in tensors)


def movable(tensor):
    return tensor.is_floating_point() and not tensor.is_sparse and tensor.numel() > 1


def map_tensors(value, change):
    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map_tensors(one, change) for one in value)
    return value
