"""Answers what a task says: inputs of a case, and whether outputs are right."""
import importlib.util
import inspect
import sys

import answering
import torch

import compare
import draw
import files
import measure


class Oracle:
    def __init__(self, path):
        spec = importlib.util.spec_from_file_location('golden', path)
        self.golden = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.golden)
        self.known = (None, None)
        self.before = {}

    def function(self, task, ending=''):
        return getattr(self.golden, task['function'] + ending, None)

    def call(self, asked):
        """Arguments by the names of the golden's parameters."""
        task, case = asked['task'], asked['case']
        values = draw.inputs(case, asked['seed'], asked['family'])
        attributes = {name: draw.value(one) for name, one in case['attrs'].items()}
        prepare = getattr(self.golden, 'get_input', None)
        if prepare is not None:
            names = [one['name'] for one in task['inputs']]
            given = dict.fromkeys(names) | dict(zip(names, values)) | {'skip2_exist': True} | case['attrs']
            taken = inspect.signature(prepare).parameters
            every = any(one.kind is one.VAR_KEYWORD for one in taken.values())
            values = prepare(**{name: one for name, one in given.items() if every or name in taken})
            values = list(values) if isinstance(values, (tuple, list)) else [values]
        return self.named(task, values, attributes)

    def named(self, task, values, attributes):
        found = {}
        rest = list(values)
        for name, parameter in inspect.signature(self.function(task)).parameters.items():
            if 'Tensor' in str(parameter.annotation):
                one = rest.pop(0) if rest else None
                if isinstance(one, (list, tuple)) and 'List' not in str(parameter.annotation):
                    one, rest = one[0], [*one[1:], *rest]
                elif isinstance(one, torch.Tensor) and 'List' in str(parameter.annotation):
                    one = [one]
                found[name] = one
            elif name in attributes:
                found[name] = attributes[name]
            elif parameter.default is not parameter.empty:
                found[name] = parameter.default
        return found

    def draw(self, asked):
        call = self.call(asked)
        files.write_call(asked['out'], [asked['task']['names'], list(call)], list(call.values()))
        drawn = [one for one in compare.flat(list(call.values())) if one is not None]
        return {
            'inputs': [
                {'shape': list(one.shape), 'dtype': str(one.dtype)[6:], 'bytes': one.numel() * one.element_size()}
                for one in drawn
            ]
        }

    def right(self, asked):
        """The call, what is right in float64, and what PyTorch makes of it in the case's own types."""
        key = (asked['case']['id'], asked['seed'], asked['family'])
        if self.known[0] != key:
            self.known = (None, None)
            call, task = self.call(asked), asked['task']
            with torch.no_grad():
                own = (self.function(task, '_bench') or self.function(task))(**copied(call, False))
                wide = (self.function(task, '_oracle') or self.function(task))(**copied(call, True))
            self.known = (key, (call, wide, own))
        return self.known[1]

    def compare(self, asked):
        call, golden, own = self.right(asked)
        left = files.read_outputs(asked['outputs'])
        told = dict(zip((id(one) for one in measure.tensors(left['outputs'])), left['tensors']))
        told = {one: said['contiguous'] for one, said in told.items()}
        said, wrong = self.judged(asked['task'], call, (golden, own), left['outputs'], told)
        tensors = [one for one in compare.flat(list(call.values())) if one is not None]
        return {
            **({} if said is None else {'literal': said}),
            **({} if wrong is None else {'hardened': wrong}),
            'outputBytes': sum(one.numel() * one.element_size() for one in measure.tensors(own)),
            'digest': measure.digest(left['outputs']),
            'spoilt': measure.spoilt(tensors, left),
        }

    def case(self, asked):
        """A call whose inputs and results, in float64, lie in files."""
        call, golden, own = self.right(asked)
        given = {name: one for name, one in call.items() if isinstance(one, torch.Tensor)}
        return {
            'inputs': [{'name': name, **put(one, f'{asked["out"]}-{name}.bin')} for name, one in given.items()],
            'called': list(call),
            'attributes': {name: one for name, one in call.items() if isinstance(one, (bool, int, float))},
            'outputs': [
                {**put(right.double(), f'{asked["out"]}-{at}.f64'), 'dtype': str(one.dtype)[6:]}
                for at, (right, one) in enumerate(zip(compare.flat(golden), compare.flat(own)))
            ],
        }

    def judged(self, task, call, right, seen, told):
        golden, own = right
        said = compare.literal(task, call, golden, own, seen, told)
        return said, hardened(task, call, right, seen)

    def nothing(self, asked):
        """Which answers that take no work either comparison lets pass, but for those that it need not look at."""
        call, golden, own = self.right(asked)
        values = [one for one in compare.flat(list(call.values())) if one is not None]
        made = measure.nothing(compare.flat(own), values, self.before.get(asked['case']['id']))
        self.before.setdefault(asked['case']['id'], compare.flat(own))
        found = {}
        for name, one in made.items():
            if name in asked['refused']:
                continue
            said, wrong = self.judged(asked['task'], call, (golden, own), one, {})
            found[name] = {'literal': said is None, 'hardened': wrong is None}
        return {'answers': found}


def put(tensor, path):
    files.write_elements(tensor, path)
    return {'dtype': str(tensor.dtype)[6:], 'shape': list(tensor.shape), 'file': path}


def copied(call, wide):
    def one(value):
        if isinstance(value, torch.Tensor):
            return value.double() if wide and value.is_floating_point() else value.clone()
        return [one(part) for part in value] if isinstance(value, (list, tuple)) else value

    return {name: one(value) for name, value in call.items()}


def hardened(task, call, right, seen):
    """As in measure.py; where the task leaves a choice between equal values, the choice is checked instead."""
    goldens, owns, seens = (compare.flat(one) for one in (*right, seen))
    if len(seens) != len(owns):
        return f'{len(seens)} outputs, {len(owns)} were expected'
    for at, (golden, own, one) in enumerate(zip(goldens, owns, seens)):
        if own is None or one is None:
            if own is not one:
                return f'output {at} is absent where it should not be, or the other way round'
            continue
        spec = task['outputs'][at] if at < len(task['outputs']) else {}
        chosen = spec.get('index')
        if chosen is not None:
            said = compare.index(chosen, call, seens, at, task)
            said = said if one.dtype == own.dtype else f'positions are {one.dtype}, {own.dtype} was expected'
        else:
            near = task['thresholds'].get(str(own.dtype).removeprefix('torch.'), 0)
            if not own.is_floating_point() and near > 0 and one.dtype == own.dtype and one.shape == own.shape:
                said = compare.far(golden, own, one, True, task['thresholds'])
            else:
                said = measure.tensor(golden, own, one, None)[0]
        if said is not None:
            return f'output {at}: {said}'
    return None


answering.serve(Oracle(sys.argv[1]))
