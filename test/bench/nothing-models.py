"""Which answers that take no work pass a task of MultiKernelBench, at sizes that a CPU can hold."""
import os
import sys

import torch
from torch.utils.flop_counter import FlopCounterMode

sys.path.append(os.path.join(os.path.dirname(__file__), '../../eval/bench/multikernelbench/oracle/runtime'))
import answering
import draw
import measure
import module
import naive
from oracle import Oracle

SEED = 1024
# Calls of the harness, and others with values of other kinds, which some modules refuse.
OTHERS = ('normal', 'large', 'sparse', 'negative', 'ramp', 'constant')
CALLS = (('own', 0), ('own', 1), *((family, 0) for family in OTHERS))

# Of modules without constants, the first of every input's rows.
CUT = {'cut': [1]}


class Nothing(Oracle):
    def __init__(self, _):
        torch.set_num_threads(1)

    def look(self, asked):
        super().__init__(asked['module'])
        try:
            settings = asked['settings'] or fitted(asked['module'], asked['most'])
            try:
                passing = self.passing(settings, asked['roles'])
            except (IndexError, RuntimeError):
                # Positions in another input may lie behind the cut.
                if settings != [CUT]:
                    raise
                settings = [{}]
                passing = self.passing(settings, asked['roles'])
            return {'passing': passing, 'settings': settings}
        except Exception as error:
            return {'passing': [], 'settings': [], 'fault': f'{type(error).__name__}: {error}'[:300]}

    def passing(self, settings, roles):
        passing = {}
        for setting in settings:
            first = []
            for family, trial in CALLS:
                if 'first output' in passing and not any(any(one.values()) for one in passing.values()):
                    break
                try:
                    self.call(setting, (family, trial, roles), first, passing)
                except Exception:
                    if family == 'own':
                        raise
        return list(passing.items())

    def made(self, setting, seed, values):
        try:
            return super().made(setting, seed, values)
        except (RuntimeError, ValueError):
            # Some modules make float32 weights in each call, so that they say nothing in float64.
            with torch.random.fork_rng(devices=[]), torch.no_grad():
                own = module.models(self.module(setting), setting, seed)[0]
                expected = own(*[one.clone() if isinstance(one, torch.Tensor) else one for one in values])
            return values, expected, expected

    def call(self, setting, drawing, first, passing):
        family, trial, roles = drawing
        names = self.module(setting)
        if family != 'own' or trial == 0:
            torch.manual_seed(SEED if family == 'own' else SEED + 1 + draw.FAMILIES.index(family))
        values = module.inputs(names, setting)
        if family != 'own':
            # Integers mostly are positions in another input, which the module knows best.
            known = [one if is_whole(one) else None for one in values]
            others = draw.redraw(family, [None if is_whole(one) else one for one in values], roles, SEED)
            values = [other if own is None else own for own, other in zip(known, others)]
        _, expected, golden = self.made(setting, SEED, values)
        outputs = measure.tensors(expected)
        made = measure.nothing(outputs, measure.tensors(list(values)), first[0] if first else None)
        if first and 'first output' not in made:
            passing['first output'] = {'literal': False, 'hardened': False}
        first.append(outputs)
        plain = naive.naive(self.task, values)
        for name, ones in made.items():
            before = passing.get(name, {'literal': True, 'hardened': True})
            passing[name] = before
            if not any(before.values()):
                continue
            seen = ones[0] if isinstance(expected, torch.Tensor) else ones
            if family == 'own':
                before['literal'] &= all(measure.literal(*pair) is None for pair in zip(outputs, ones))
            before['hardened'] &= measure.hardened(golden, expected, seen, plain)[0] is None


def fitted(path, most):
    """Sizes of the module's own, made smaller; of cases in a file five that fit."""
    names = module.load(path, {})
    cases = path.removesuffix('.py') + '.json'
    if os.path.exists(cases):
        sizes = [count for count, _ in module.smallest_first(cases)]
        last = max(0, sum(count * 4 <= most['input'] for count in sizes) - 1)
        found = [{'case': at} for at in sorted({last * part // 4 for part in range(5)})]
        # What cannot be measured has small inputs at least.
        return fitting([one for one in found if not 64 < measured(path, one, most) < sys.float_info.max])
    now = {
        key: value
        for key, value in names.items()
        if not key.startswith('_') and (type(value) is int or is_sizes(value))
    }
    size = measured(path, {}, most)
    setting, stuck = {}, set()
    while size > 0:
        places = [one for one in halves(now) if one[0] not in stuck]
        if not places:
            break
        place, tried = places[0]
        tried = setting.get('constants', {}) | tried
        found = measured(path, {'constants': tried}, most)
        if found < size:
            now, size, setting = now | tried, found, {'constants': tried}
        else:
            stuck.add(place)
    # What has no constants may still be cut.
    if size > 0 and (found := measured(path, CUT, most)) < size:
        setting, size = CUT, found
    return fitting([setting] if size <= 64 else [])


def fitting(settings):
    if not settings:
        raise ValueError('its smallest call is too large for what is run here')
    return settings


def is_whole(value):
    return isinstance(value, torch.Tensor) and not value.is_floating_point() and value.dtype != torch.bool


def is_sizes(value):
    return isinstance(value, (list, tuple)) and bool(value) and all(type(one) is int for one in value)


def halves(now):
    """Sizes with one of them halved, of all that are equal or alone: a batch first, then the largest."""
    found = {one for value in now.values() for one in (value if is_sizes(value) else [value]) if one > 2}
    batch = next(iter(key for key, value in now.items() if type(value) is int and value > 2), None)
    for key in sorted(now, key=lambda key: ('batch' not in key.lower(), key != batch)):
        if type(now[key]) is int and now[key] > 2 and ('batch' in key.lower() or key == batch):
            yield (key, now[key]), {key: -(-now[key] // 2)}
    for size in sorted(found, reverse=True):
        less = -(-size // 2)
        equal = {key: with_less(value, size, less) for key, value in now.items() if has(value, size)}
        yield ('all', size), equal
        if len(equal) > 1:
            for key, value in equal.items():
                yield (key, size), {key: value}


def has(value, size):
    return size in value if is_sizes(value) else value == size


def with_less(value, size, less):
    return [less if one == size else one for one in value] if is_sizes(value) else less


def measured(path, setting, most):
    """By how much a call is too large, without memory for it: 0 if it fits, no end where the module refuses it."""
    over = {}

    def count(kind, number):
        over[kind] = max(0, number / most[kind] - 1)

    try:
        names = module.load(path, setting)
        with torch.device('meta'), torch.no_grad():
            values = module.inputs(names, setting)
            count('input', bytes_of(values))
            model = names['Model'](*module.init_inputs(names, setting))
            count('state', bytes_of(model.state_dict().values()))
            # On this device, layers of recurrent networks take minutes.
            recurrent = [one for one in model.modules() if isinstance(one, torch.nn.RNNBase)]
            if recurrent:
                count('work', 64 * bytes_of(values) * sum(one.num_layers * one.hidden_size for one in recurrent))
                return sum(over.values())
            with FlopCounterMode(display=False) as counted:
                outputs = model(*values)
            count('output', bytes_of(measure.tensors(outputs)))
            count('work', counted.get_total_flops())
    except Exception as error:
        # Some modules need values: of them, sizes of inputs are all that is known.
        known = 'meta' in str(error) or isinstance(error, NotImplementedError) or not setting
        return sum(over.values()) if 'input' in over and known else sys.float_info.max
    return sum(over.values())


def bytes_of(values):
    return sum(one.numel() * one.element_size() for one in measure.tensors(list(values)))


if __name__ == '__main__':
    answering.serve(Nothing(sys.argv[1]))
