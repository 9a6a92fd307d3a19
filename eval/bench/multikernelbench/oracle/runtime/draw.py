"""Kinds of inputs beside the benchmark's own, which are all but always torch.rand and let wrong kernels pass."""
import torch

FAMILIES = ('normal', 'large', 'tiny', 'constant', 'sparse', 'negative', 'ramp', 'infinite', 'nan')
# Of which one value in sixteen is drawn, in kinds with values that are no numbers.
SPECIAL = {'infinite': (float('inf'), float('-inf'), 0.0, -0.0), 'nan': (float('nan'), 0.0, -0.0)}


def redraw(family, values, roles, seed):
    """The same shapes with values of another kind; what an input means limits what it may hold."""
    source = torch.Generator().manual_seed(seed)
    roles = [*roles, *[None] * len(values)]
    return [again(family, at, value, values, roles[at], source) for at, value in enumerate(values)]


def again(family, at, value, values, role, source):
    if role == 'own':
        return value
    if not isinstance(value, torch.Tensor):
        kept = family == 'ramp' or not isinstance(value, float)
        return value if kept else float(torch.rand((), generator=source) * 6 - 3)
    if value.dtype == torch.bool:
        return mask(family, value.shape, source)
    if not value.is_floating_point():
        return classes(family, value.shape, values[0].shape[1], source, value.dtype)
    makers = {'positive': positive, 'sign': signs, 'distribution': distribution, 'target': target, 'factor': factors}
    return makers.get(role, plain)(family, value.shape, source, at).to(value.dtype)


def normal(shape, source):
    return torch.randn(shape, generator=source)


def kept_but_floats(values):
    """Roles for a module of which nothing is known: what another value may be, such as an index, is its own affair."""
    return [None if isinstance(one, torch.Tensor) and one.is_floating_point() else 'own' for one in values]


def uniform(shape, source):
    return torch.rand(shape, generator=source)


def plain(family, shape, source, at):
    if family == 'normal':
        return normal(shape, source) * 3
    if family == 'large':
        return (uniform(shape, source) * 2 - 1) * 50
    if family == 'tiny':
        return normal(shape, source) * 1e-6
    if family == 'constant':
        return torch.full(shape, 0.37 + 0.25 * at)
    if family == 'sparse':
        return normal(shape, source) * 3 * (uniform(shape, source) < 0.1)
    if family == 'negative':
        return -uniform(shape, source)
    if family in SPECIAL:
        return special(SPECIAL[family], shape, source)
    count = torch.Size(shape).numel()
    ends = (-2, 2) if at % 2 == 0 else (1.5, -2.5)
    return torch.linspace(*ends, count).reshape(shape)


def special(values, shape, source):
    if len(shape) == 0:
        return normal(shape, source)
    values = torch.tensor(values)
    drawn = values[torch.randint(0, len(values), tuple(shape), generator=source)]
    # Every other row or so stays one of numbers: a whole row is NaN soon.
    rows = uniform([shape[0]] + [1] * (len(shape) - 1), source) < 0.5
    mixed = torch.where(rows & (uniform(shape, source) < 1 / 16), drawn, normal(shape, source) * 3).flatten()
    # However small it is, it has one of each, as far as there is room.
    places = torch.randperm(mixed.numel(), generator=source)[: len(values)]
    mixed[places] = values[: len(places)]
    return mixed.reshape(shape)


def positive(family, shape, source, at):
    """Squares of an optimizer, of which a root is taken."""
    return plain(family, shape, source, at).abs() + (0 if family == 'tiny' else 1e-3)


def signs(family, shape, source, at):
    """Labels of a hinge: +1, -1, and what lies between, which a kernel that only looks at the sign gets wrong."""
    if family in ('constant', 'negative'):
        return torch.full(shape, 1.0 if family == 'constant' else -1.0)
    choices = torch.tensor([-1.0, 1.0, -0.5, 0.0, 0.25, 2.0])
    return choices[torch.randint(0, len(choices), tuple(shape), generator=source)]


def distribution(family, shape, source, at):
    """Rows that sum to one, none of their values zero: their logarithm is taken."""
    return plain(family, shape, source, at).clamp(-10, 10).softmax(dim=-1)


def target(family, shape, source, at):
    """Rows that sum to one; of the sparse ones, all weight lies on one value."""
    if family != 'sparse':
        return distribution(family, shape, source, at)
    places = torch.randint(0, shape[-1], tuple(shape[:-1]), generator=source)
    return torch.nn.functional.one_hot(places, shape[-1]).float()


def factors(family, shape, source, at):
    """Signed factors whose product over dimension 1 stays a number: neither overflow nor nothing but zeros."""
    length = max(1, shape[1])
    sign = torch.where(uniform(shape, source) < 0.5, -1.0, 1.0)
    if family == 'tiny':
        return 1 + normal(shape, source) * 1e-6
    if family == 'constant':
        return torch.full(shape, 1 - 1 / (length + 1))
    if family == 'negative':
        return -(1 + (uniform(shape, source) - 0.5) / length)
    if family == 'sparse':
        return sign * (uniform(shape, source) < 1 - 1 / (length + 1))
    if family == 'large':
        # Runs of large and of small factors: halves of a row overflow where the whole does not.
        steps = torch.arange(length) // 8 % 2 * 2 - 1
        size = torch.exp(steps * 1.5).reshape([1, length] + [1] * (len(shape) - 2))
        return sign * size
    if family == 'ramp':
        count = torch.Size(shape).numel()
        return 1 + (torch.linspace(-0.5, 0.5, count) / length).reshape(shape)
    return sign * torch.exp(normal(shape, source) / length**0.5)


def classes(family, shape, count, source, dtype):
    if family in ('sparse', 'constant'):
        return torch.full(shape, 0 if family == 'sparse' else count - 1, dtype=dtype)
    drawn = torch.randint(0, count, tuple(shape), generator=source, dtype=dtype)
    drawn[0] = 0
    drawn[-1] = count - 1
    return drawn


def mask(family, shape, source):
    if family in ('sparse', 'constant'):
        return torch.full(shape, family == 'constant')
    if family == 'ramp':
        return (torch.arange(torch.Size(shape).numel()) % 2 == 0).reshape(shape)
    return uniform(shape, source) < (0.9 if family == 'large' else 0.5)
