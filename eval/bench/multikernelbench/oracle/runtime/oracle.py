"""Answers what a task's module says: sizes, inputs, and whether outputs are right."""
import json
import os
import sys

import answering
import torch

import draw
import files
import measure
import module
import naive


class Oracle:
    def __init__(self, path):
        self.path = path
        self.task = os.path.basename(path).removesuffix('.py')
        self.names = {}
        self.before = None
        self.key = None

    def module(self, setting):
        key = json.dumps(setting, sort_keys=True)
        if self.key != key:
            self.key, self.names, self.before = key, module.load(self.path, setting), None
        return self.names

    def describe(self, asked):
        with answering.refusing():
            return {'inputs': module.describe(self.module(asked['setting']), asked['setting'])}

    def alone(self, asked):
        """What must be known of a module that no tier has sizes for."""
        with answering.refusing():
            names = self.module({})
        missing = [name for name in ('Model', 'get_inputs') if name not in names]
        if missing:
            return {'missing': missing}
        with answering.refusing():
            return {'missing': [], 'weights': module.weights(names, {}), 'sizes': module.sizes(names, {})}

    def draw(self, asked):
        setting, family = asked['setting'], asked['family']
        names = self.module(setting)
        # The harness seeds once and goes on from there: the first trial starts the stream, later ones continue it.
        if family != 'own' or asked['trial'] == 0:
            torch.manual_seed(asked['seed'])
        values = module.inputs(names, setting)
        if family != 'own':
            values = draw.redraw(family, values, asked['roles'], asked['seed'] + 1 + draw.FAMILIES.index(family))
        files.write_call(asked['out'], module.init_inputs(names, setting), values)
        return {'drawn': True}

    def case(self, asked):
        """A call with the names of the model's own parameters, values as raw bytes and what is right as float64."""
        setting = asked['setting']
        with answering.refusing():
            names = self.module(setting)
            torch.manual_seed(asked['seed'])
            values = module.inputs(names, setting)
        if asked['family'] != 'own':
            roles = draw.kept_but_floats(values) if asked['roles'] is None else asked['roles']
            values = draw.redraw(asked['family'], values, roles, asked['seed'])
        with answering.refusing(), torch.no_grad():
            own, wide = module.models(names, setting, asked['seed'])
            expected = own(*[value.clone() if isinstance(value, torch.Tensor) else value for value in values])
            golden = wide(*map(module.widened, values))
        made, called = (module.parameters(getattr(names['Model'], name)) for name in ('__init__', 'forward'))
        given = dict(zip((one.split('=')[0] for one in called), values))
        attributes = module.constructed(names, setting) | given
        outputs = list(zip(measure.tensors(expected), measure.tensors(golden)))
        return {
            'inputs': [
                {'name': name, **put(value, f'{asked["out"]}-{name}.bin')}
                for name, value in given.items()
                if isinstance(value, torch.Tensor)
            ],
            'made': made,
            'called': called,
            'attributes': {name: value for name, value in attributes.items() if isinstance(value, (bool, int, float))},
            'outputs': [
                {**put(right.double(), f'{asked["out"]}-{at}.f64'), 'dtype': module.dtype_of(one)}
                for at, (one, right) in enumerate(outputs)
            ],
        }

    def right(self, asked):
        return self.made(asked['setting'], asked['seed'], files.read_inputs(asked['call']))

    def made(self, setting, seed, values):
        # The stream of the trials' inputs goes on undisturbed.
        with torch.random.fork_rng(devices=[]):
            own, wide = module.models(self.module(setting), setting, seed)
        with torch.no_grad():
            expected = own(*[value.clone() if isinstance(value, torch.Tensor) else value for value in values])
            return values, expected, wide(*map(module.widened, values))

    def compare(self, asked):
        values, expected, golden = self.right(asked)
        left = files.read_outputs(asked['outputs'])
        seen = left['outputs']
        plain = naive.naive(self.task, values)
        wrong, figures = measure.hardened(golden, expected, seen, plain)
        said = measure.literal(expected, seen)
        return {
            **({} if said is None else {'literal': said}),
            **({} if wrong is None else {'hardened': wrong}),
            'figures': figures,
            'outputBytes': sum(one.numel() * one.element_size() for one in measure.tensors(expected)),
            'digest': measure.digest(seen),
            'spoilt': measure.spoilt(values, left),
            'mutants': self.mutants(golden, expected, values, plain) if asked['mutants'] else [],
        }

    def mutants(self, golden, expected, values, plain):
        made = measure.mutants(expected, values, self.before)
        self.before = expected if isinstance(expected, torch.Tensor) else None
        return [
            {
                'name': name,
                'literal': measure.literal(expected, one) is not None,
                'hardened': measure.hardened(golden, expected, one, plain)[0] is not None,
            }
            for name, one in made.items()
        ]


def put(tensor, path):
    files.write_elements(tensor, path)
    return {'dtype': module.dtype_of(tensor), 'shape': list(tensor.shape), 'file': path}


if __name__ == '__main__':
    answering.serve(Oracle(sys.argv[1]))
