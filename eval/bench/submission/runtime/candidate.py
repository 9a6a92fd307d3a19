"""Runs a submission's model inside the walls. One line in; lines out, the last of them how the call ended."""
import importlib.util
import json
import os
import sys

# What the judge reads goes over a descriptor of its own, so that printing cannot disturb it.
questions = os.dup(1)
os.dup2(2, 1)
os.environ['NPU_QUESTIONS'] = str(questions)

import torch

import npu


def say(value):
    tell(json.dumps(value))


def tell(line):
    data = (line + '\n').encode()
    while data:
        data = data[os.write(questions, data):]


def listen():
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    return json.loads(line) if line.strip() else listen()


def load(given):
    watched = npu.begin(given['device'], questions)
    spec = importlib.util.spec_from_file_location(given['module'], given['library'])
    library = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(library)
    sys.modules[given['module']] = library
    scope = {'__name__': 'submission', '__file__': given['model']}
    with open(given['model'], encoding='utf-8') as file:
        exec(compile(file.read(), 'model_src', 'exec'), scope)
    return scope[given['class']], watched


def received(value, tensors, earlier=()):
    """A value as the oracle writes it; tensors of the device are empty, the judge puts their elements there."""
    if isinstance(value, list):
        return [received(one, tensors, earlier) for one in value]
    if not isinstance(value, dict):
        return value
    if 'tuple' in value:
        return tuple(received(one, tensors, earlier) for one in value['tuple'])
    if 'float' in value:
        return float(value['float'])
    kind = getattr(torch, value['dtype'])
    if 'values' in value:
        return torch.tensor(value['values'], dtype=kind).reshape(value['shape']).to(npu.NAME)
    made = earlier[len(tensors)] if len(tensors) < len(earlier) else None
    if made is None or (list(made.shape), list(made.stride()), made.dtype) != (value['shape'], value['strides'], kind):
        made = torch.empty_strided(value['shape'], value['strides'], dtype=kind, device=npu.NAME)
    tell(f'input {len(tensors)} {made.data_ptr()}')
    tensors.append(made)
    return made


def told(value):
    if isinstance(value, torch.Tensor):
        if type(value) not in (torch.Tensor, torch.nn.Parameter) or value.device.type == 'meta':
            return {'fake': f'{type(value).__name__} ({value.device.type})'}
        if value.device.type != npu.NAME:
            return {'host': str(value.device)}
        where = {'place': value.data_ptr(), 'storage': value.untyped_storage().data_ptr()}
        what = {'dtype': str(value.dtype).removeprefix('torch.'), 'shape': list(value.shape)}
        return what | where | {'strides': list(value.stride())}
    if isinstance(value, (list, tuple)):
        return {'list': [told(one) for one in value]}
    if value is None or type(value) in (bool, int, float, str):
        return {'value': value}
    return {'fake': type(value).__name__}


def call(model, asked, kept):
    """
    What is put into `kept` lives on: the judge reads outputs, and inputs as they are then. Those of the call before
    stay until this one's are there, which are therefore elsewhere.
    """
    tensors, before = [], kept[:]
    kept.clear()
    earlier = before[0] if before and asked['again'] else ()
    kept.append(tensors)
    torch.manual_seed(asked['seed'])
    try:
        with torch.no_grad():
            module = model(*received(asked['init'], []))
            if isinstance(module, torch.nn.Module):
                module = module.to(npu.NAME)
            inputs = received(asked['inputs'], tensors, earlier)
            before.clear()
            outputs = module(*inputs)
            kept.append(outputs)
        return {'ran': told(outputs)}
    except Exception as error:
        return {'failed': f'{type(error).__name__}: {error}'[:2000]}


def tell_changes(watched):
    for name, module, attribute, value in watched:
        if getattr(module, attribute, None) is not value:
            say({'changed': name})
            setattr(module, attribute, value)


def main():
    try:
        model, watched = load(json.loads(sys.argv[1]))
    except BaseException as error:
        return say({'failed': f'{type(error).__name__}: {error}'[:2000]})
    kept = []
    tell_changes(watched)
    say({'ready': True})
    while True:
        said = call(model, listen(), kept)
        tell_changes(watched)
        say(said)


main()
