"""Runs a submission's model inside the walls. One line in, one line out; operators are asked of the judge in between."""
import importlib.util
import json
import os
import sys
import types

# What the judge reads goes over a descriptor of its own, so that printing cannot disturb it.
questions = os.dup(1)
os.dup2(2, 1)
os.environ.update({'NPU_QUESTIONS': str(questions), 'NPU_ANSWERS': '0', 'NPU_SENT': os.getcwd()})

import torch
from device import Device, NoDevice
from torch.utils._python_dispatch import TorchDispatchMode

ALLOWED = {'empty', 'empty_like', 'empty_strided', 'new_empty', 'new_empty_strided', 'zeros', 'zeros_like', 'new_zeros', 'ones', 'ones_like',
           'new_ones', 'full', 'full_like', 'new_full', 'fill_', 'fill', 'zero_', 'scalar_tensor', 'view', '_unsafe_view', 'reshape', '_reshape_alias',
           'permute', 'transpose', 't', 'squeeze', 'unsqueeze', 'expand', 'slice', 'select', 'narrow', 'as_strided', 'alias', 'detach',
           'detach_', 'clone', 'contiguous', '_to_copy', 'copy_', 'lift_fresh', 'lift_fresh_copy', 'unbind', 'split', 'set_'}


class Refused(Exception):
    pass


class Watch(TorchDispatchMode):
    """Sees every operation of torch, C++'s too: only memory and views are the model's; fresh memory gets a pattern."""

    def __init__(self, device, poison):
        super().__init__()
        self.device = device
        self.byte = 0xFF if poison == 'nan' else 0
        self.refused = None

    def __torch_dispatch__(self, func, kinds, args=(), kwargs=None):
        name = func.overloadpacket.__name__
        if func.namespace != 'aten' or name not in ALLOWED:
            self.refused = f'{func.namespace}::{name}'
            raise Refused(self.refused)
        with self.device.shown():
            result = func(*args, **(kwargs or {}))
            if name.startswith(('empty', 'new_empty')):
                whole = torch.empty(0, dtype=torch.uint8)
                whole.set_(result.untyped_storage())
                whole.fill_(self.byte)
        return result


def say(value):
    os.write(questions, (json.dumps(value) + '\n').encode())


def listen():
    line = bytearray()
    while not line.endswith(b'\n'):
        byte = os.read(0, 1)
        if not byte:
            sys.exit(0)
        line += byte
    return json.loads(line) if line.strip() else listen()


def load(given, device):
    sys.modules['torch_npu'] = types.ModuleType('torch_npu')
    device.begin(questions)
    spec = importlib.util.spec_from_file_location(given['module'], given['library'])
    library = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(library)
    sys.modules[given['module']] = library
    made = torch.tensor

    def tensor(*values, **options):
        with device.shown():
            return made(*values, **options)

    # It writes values into fresh memory by itself, and not by an operation.
    torch.tensor = tensor
    scope = {'__name__': 'submission', '__file__': given['model']}
    with open(given['model'], encoding='utf-8') as file:
        exec(compile(file.read(), 'model_src', 'exec'), scope)
    return scope[given['class']]


def cloned(value):
    if isinstance(value, torch.Tensor):
        return value.clone()
    return type(value)(cloned(one) for one in value) if isinstance(value, (list, tuple)) else value


def call(model, asked, device):
    given = torch.load(asked['call'], weights_only=True)
    torch.manual_seed(asked['seed'])
    device.call(asked)
    module = model(*given['init'])
    inputs = cloned(given['inputs'])
    watch = Watch(device, asked['poison'])
    try:
        with torch.no_grad(), watch, device.hidden():
            outputs = module(*inputs)
    except Exception as error:
        refused = {'refused': watch.refused} if watch.refused else {}
        return {'failed': f'{type(error).__name__}: {error}'[:2000], **refused, **device.said()}
    if watch.refused:
        return {'failed': watch.refused, 'refused': watch.refused, **device.said()}
    torch.save({'outputs': outputs, 'inputsAfter': inputs}, asked['outputs'])
    return {'ran': True, **device.said()}


def main():
    given = json.loads(sys.argv[1])
    device = Device(**given['device']) if 'device' in given else NoDevice()
    try:
        model = load(given, device)
    except BaseException as error:
        return say({'failed': f'{type(error).__name__}: {error}'[:2000]})
    say({'ready': True})
    while True:
        say(call(model, listen(), device))


main()
