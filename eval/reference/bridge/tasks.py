"""Tasks as the benchmark defines them: their inputs, the call that their binding makes, and what their reference says about its outputs."""
import importlib.util
import os
import re
import sys

import torch

import stubs
from aten import Integers, Scalar
from compare import literal_verdict, hardened_verdict, flat_tensors
from cpp import BindingError
from draw import bounded_draws, map_tensors, reshape_values
from errors import Unusable
from imports import lacking
from pybind import Binding
from rows import typed_rows
from tensors import byte_size, dtype_name, read_tensor, share_memory, write_tensor


class Tasks:
    def __init__(self):
        self.opened = {}
        self.prepared = {}

    def task(self, root, validation, snake, rows):
        """`validation` is the task's folder of that name; `rows` are the cells of `test_cases.csv` as text. Loaded once, and again for other rows."""
        known = self.opened.get(validation)
        if known is None or known[0] != rows:
            known = self.opened[validation] = (rows, Task(root, validation, snake, rows))
        return known[1]

    def lacking(self, folders):
        return {'lacking': lacking(folders)}

    def describe(self, task, row, seed, limit, cells=None):
        """
        The call of one row, without data: what the wiring needs. Refuses rows above `limit` bytes of input, and those without an expected value.
        `cells` takes the place of the row's own.
        """
        case = self.task(**task).make(row, 'normal', seed, limit, cells)
        case.expected()
        return {'call': case.described()}

    def prepare(self, token, task, row, family, seed, limit, files, cells=None):
        """Keeps a case under `token` and writes the argument at each slot of `files` to its path."""
        case = self.task(**task).make(row, family, seed, limit, cells)
        slots = case.slots()
        for slot, path in files.items():
            write_tensor(path, slots[int(slot)])
        self.prepared[token] = case
        return {'call': case.described()}

    def compare(self, token, files, folder, literal, right=False):
        """
        Compares the bytes that the candidate left in each slot of `files`. Writes what was compared to `folder`, as evidence, and on request
        what each slot should hold.
        """
        return self.prepared[token].compare({int(slot): path for slot, path in files.items()}, folder, literal, right)

    def discard(self, token):
        self.prepared.pop(token, None)
        return {}


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Task:
    def __init__(self, root, validation, snake, rows):
        stubs.install(root)
        self.cells = rows
        self.rows = typed_rows(rows)
        self.launched = None
        self.module = load(os.path.join(validation, 'module.py'), f'module_{snake}')
        # The benchmark lets a module bring its own inputs.
        self.inputs = self.module if hasattr(self.module, 'get_init_inputs') else load(os.path.join(validation, 'prepare_inputs.py'), f'inputs_{snake}')
        # The benchmark's build replaces this name in the whole text.
        with open(os.path.join(validation, 'pybind.cpp'), encoding='utf-8') as file:
            self.binding = Binding(re.sub(r'custom_pybind_api', snake, file.read()), lambda name, arguments: self.launched(name, arguments))
        self.kernels = sys.modules['kernel_gen_ops']

    def make(self, row, family, seed, limit, cells=None):
        # The type of a column follows from all of its cells.
        values = self.rows[row] if cells is None else typed_rows([*self.cells, cells])[-1]
        with bounded_draws(seed, limit, family) as draws:
            initial = self.inputs.get_init_inputs(values, device='cpu')
            inputs = self.inputs.get_inputs(values, device='cpu')
        inputs = reshape_values(inputs, draws)
        case = Case(self, values, initial, inputs)
        size = sum(byte_size(tensor) for tensor in case.given())
        if size > limit:
            raise Unusable('too-large', f'{size} bytes of input')
        return case

    def bind(self, launch):
        """Puts this task's functions where `import kernel_gen_ops` finds them."""
        self.launched = launch
        for name in self.binding.exports:
            setattr(self.kernels, name, lambda *arguments, name=name, **named: self.binding.call(name, arguments, named))
        self.module.kernel_gen_ops = self.kernels


def copied(value):
    return map_tensors(value, lambda tensor: tensor.clone())


class Case:
    def __init__(self, task, row, initial, inputs):
        self.task = task
        self.row = row
        self.initial = initial
        self.inputs = inputs
        self.operator = None
        self.arguments = None
        self.wanted = None
        self.returned = self.forward(None)

    def forward(self, fill):
        """Runs `ModelNew`; at the one operator call, `fill(arguments)` may write outputs."""
        calls = []

        def launch(name, arguments):
            calls.append(name)
            self.operator, self.arguments = name, arguments
            if fill:
                fill()

        self.task.bind(launch)
        model = self.task.module.ModelNew(*copied(self.initial))
        try:
            returned = model(*copied(self.inputs))
        except BindingError as error:
            raise Unusable('binding-not-read', str(error)) from error
        if len(calls) != 1:
            raise Unusable('binding-not-read', f'the binding made {len(calls)} operator calls, expected 1')
        return map_tensors(returned, lambda tensor: tensor.detach())

    def slots(self):
        """The tensors among the arguments, members of lists one by one, in order."""
        return list(flat_tensors(self.arguments))

    def given(self):
        return list(flat_tensors(self.inputs)) + list(flat_tensors(self.initial))

    def described(self):
        slots = iter(range(len(self.slots())))
        returned = [tensor for tensor in flat_tensors(self.returned) if not tensor.is_sparse]

        def tensor(value):
            return {'kind': 'tensor', 'slot': next(slots), 'dtype': dtype_name(value), 'shape': list(value.shape),
                    'returned': any(share_memory(value, one) for one in returned), 'cleared': getattr(value, 'cleared', False)}

        return {'operator': self.operator, 'arguments': [described(value, tensor) for value in self.arguments]}

    def expected(self):
        model = self.task.module.Model(*copied(self.initial))
        return map_tensors(model(*copied(self.inputs)), lambda tensor: tensor.detach())

    def compare(self, files, folder, literal, right):
        def fill():
            slots = self.slots()
            for slot, path in files.items():
                read_tensor(path, slots[slot])

        seen = self.forward(fill)
        if self.wanted is None:
            self.wanted = self.expected()
        expected = copied(self.wanted)
        reply = {'hardened': hardened_verdict(self.task.inputs, self.row, expected, seen, [one.dtype for one in self.slots()])}
        if literal:
            reply['literal'] = literal_verdict(self.task.inputs, self.row, copied(expected), copied(seen))
        pairs = list(zip(flat_tensors(expected), flat_tensors(seen)))
        reply['evidence'] = []
        for index, (wanted, got) in enumerate(pairs):
            paths = [os.path.join(folder, f'{side}-{index}.bin') for side in ('expected', 'seen')]
            write_tensor(paths[0], wanted.to_dense().to(got.dtype) if wanted.is_sparse else wanted.to(got.dtype))
            write_tensor(paths[1], got)
            reply['evidence'].append(paths)
        if right:
            reply['right'] = self.right(list(files), seen, expected, folder)
        reply['nan'] = any(bool(torch.isnan(wanted).any()) for wanted, _ in pairs if wanted.is_floating_point())
        return reply


    def right(self, filled, seen, expected, folder):
        """A file with what each filled slot should hold, where that is known: what is returned lies in it, or is as many elements."""
        slots, paths = self.slots(), {}
        pairs = [(want, got) for want, got in zip(flat_tensors(expected), flat_tensors(seen)) if not want.is_sparse]
        for place, slot in enumerate(filled):
            there = [want for want, got in pairs if not got.is_sparse and share_memory(got, slots[slot])]
            alike = there or ([pairs[place][0]] if place < len(pairs) and len(pairs) == len(filled) else [])
            if alike and alike[0].numel() == slots[slot].numel():
                paths[slot] = os.path.join(folder, f'right-{slot}.bin')
                write_tensor(paths[slot], alike[0].to(slots[slot].dtype))
        return paths


def described(value, tensor):
    if value is None:
        return {'kind': 'absent'}
    if isinstance(value, torch.Tensor):
        return tensor(value)
    if isinstance(value, Scalar):
        return {'kind': 'scalar', 'value': plain(value.value)}
    if isinstance(value, (list, tuple)) and any(isinstance(one, torch.Tensor) for one in value):
        return {'kind': 'tensors', 'items': [tensor(one) for one in value]}
    if isinstance(value, (list, tuple)) and any(isinstance(one, Scalar) for one in value):
        return {'kind': 'scalars', 'value': [plain(one.value) for one in value]}
    if isinstance(value, (list, tuple, Integers)):
        return {'kind': 'integers', 'value': [plain(one) for one in value]}
    return {'kind': 'plain', 'value': plain(value)}


def plain(value):
    """JSON has no infinities: they travel as text."""
    if hasattr(value, 'item'):
        value = value.item()
    if isinstance(value, float) and (value != value or value in (float('inf'), float('-inf'))):
        return {'float': str(value)}
    return value
