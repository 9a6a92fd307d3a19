"""A task's module, under the sizes that a tier gives it."""
import inspect
import io
import json
import math

import torch


def load(path, setting):
    """Names of the module, in which constants of the setting have taken the place of its own."""
    names = {'__name__': 'reference', '__file__': path}
    with open(path, encoding='utf-8') as file:
        exec(compile(file.read(), 'reference', 'exec'), names)
    if 'get_inputs' not in names and 'get_input_groups' in names:
        names['open'] = lambda cases, _='r': io.StringIO(nth_smallest(cases, setting.get('case', 0)))
        names['get_inputs'] = lambda: names['get_input_groups']()[0]
    given = setting.get('constants', {})
    unknown = [name for name in given if name not in names]
    if unknown:
        raise KeyError(f'the module has no constant {", ".join(unknown)}')
    names.update({name: tuple(value) if isinstance(value, list) else value for name, value in given.items()})
    return names


def nth_smallest(path, at):
    """One line of a file of cases: a module that reads all draws all of them."""
    return smallest_first(path)[at][1]


def smallest_first(path):
    """Numbers of elements, with the lines of a file of cases, but for the empty ones."""

    def elements(line):
        return [math.prod(one.get('shape') or [1]) for one in json.loads(line)['inputs']]

    with open(path, encoding='utf-8') as file:
        cases = [(elements(line), line) for line in file if line.strip()]
    return sorted(((sum(all), line) for all, line in cases if 0 not in all), key=lambda case: case[0])


def init_inputs(names, setting):
    given = setting.get('init')
    return names.get('get_init_inputs', list)() if given is None else given


def inputs(names, setting):
    """The module's own inputs; a setting may cut them, where sizes are no constants of the module."""
    cut = setting.get('cut')
    values = names['get_inputs']()
    if cut is None:
        return values
    window = tuple(slice(0, size) for size in cut)
    return [value[window].contiguous() if isinstance(value, torch.Tensor) else value for value in values]


def dtype_of(tensor):
    return str(tensor.dtype).removeprefix('torch.')


def describe(names, setting):
    """Sizes of the inputs; no memory is taken for them."""
    with torch.device('meta'):
        values = inputs(names, setting)
    return [
        {'shape': list(value.shape), 'dtype': dtype_of(value), 'bytes': value.numel() * value.element_size()}
        for value in values
        if isinstance(value, torch.Tensor)
    ]


def sizes(names, setting):
    """Constants of a module that change the sizes of its inputs, with their values."""

    def shapes(value):
        return [one['shape'] for one in describe(load(names['__file__'], {'constants': value}), {})]

    def is_size(name, value):
        larger = [one + 1 for one in value] if isinstance(value, list) else value + 1
        try:
            return shapes({name: larger}) != shapes({})
        except Exception:  # Of a module's own code: whatever it is, the constant cannot be changed.
            return False

    found = {name: list(value) if isinstance(value, tuple) else value for name, value in names.items()}
    return {name: value for name, value in found.items() if is_count(value) and is_size(name, value)}


def is_count(value):
    if isinstance(value, list):
        return value != [] and all(is_count(one) and not isinstance(one, list) for one in value)
    return type(value) is int and value > 0


def weights(names, setting):
    """Names of what a model holds in tensors, whether it says so or not."""
    model = names['Model'](*init_inputs(names, setting))
    own = [name for part in model.modules() for name, value in vars(part).items() if isinstance(value, torch.Tensor)]
    return [name for name, _ in [*model.named_parameters(), *model.named_buffers()]] + own


def models(names, setting, seed):
    """The model, and the same in float64; weights are those of the seed."""
    init = init_inputs(names, setting)
    torch.manual_seed(seed)
    own = names['Model'](*init)
    torch.manual_seed(seed)
    return own, names['Model'](*init).double()


def widened(value):
    if isinstance(value, torch.Tensor):
        return value.double() if value.is_floating_point() else value.clone()
    return value


def parameters(function):
    """Without `self` and types, as they stand in a definition: `['x', 'eps=1e-05']`."""
    own = list(inspect.signature(function).parameters.values())[1:]
    return [one.name if one.default is one.empty else f'{one.name}={one.default!r}' for one in own]


def constructed(names, setting):
    """What the model is made with, by name, defaults among it."""
    own = inspect.signature(names['Model'].__init__)
    bound = own.bind(None, *init_inputs(names, setting))
    bound.apply_defaults()
    return {name: value for name, value in list(bound.arguments.items())[1:]}
