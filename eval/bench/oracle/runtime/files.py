"""Calls and what comes out of them as JSON and files of elements: see submission/call-files.ts."""
import json
import math
import os

import torch


def write_elements(tensor, path):
    with open(path, 'wb') as file:
        file.write(tensor.detach().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())


def read_elements(said, folder):
    kind = getattr(torch, said['dtype'])
    made = torch.empty(said['shape'], dtype=kind)
    if made.numel() > 0:
        data = torch.from_file(os.path.join(folder, said['file']), size=made.numel(), dtype=kind)
        made.copy_(data.reshape(said['shape']))
    return made


def write_call(path, init, inputs):
    """`init` and `inputs` in a file; elements of tensors lie in files beside it."""
    count = 0

    def told(value, with_values):
        nonlocal count
        if isinstance(value, torch.Tensor):
            said = {'dtype': str(value.dtype).removeprefix('torch.'), 'shape': list(value.shape)}
            if with_values:
                return said | {'values': value.reshape(-1).tolist()}
            count += 1
            dense = value.clone()
            name = f'input-{count}.bin'
            write_elements(dense, os.path.join(os.path.dirname(path), name))
            return said | {'strides': list(dense.stride()), 'file': name}
        if isinstance(value, tuple):
            return {'tuple': [told(one, with_values) for one in value]}
        if isinstance(value, float) and not math.isfinite(value):
            return {'float': repr(value)}
        return [told(one, with_values) for one in value] if isinstance(value, list) else value

    with open(path, 'w', encoding='utf-8') as file:
        json.dump({'init': told(list(init), True), 'inputs': told(list(inputs), False)}, file)


def read_inputs(path):
    with open(path, encoding='utf-8') as file:
        said = json.load(file)['inputs']
    return read(said, lambda one: read_elements(one, os.path.dirname(path)))


def read(said, tensor):
    """`tensor` makes one of what is said of it."""
    if isinstance(said, list):
        return [read(one, tensor) for one in said]
    if not isinstance(said, dict):
        return said
    if 'tuple' in said:
        return tuple(read(one, tensor) for one in said['tuple'])
    if 'float' in said:
        return float(said['float'])
    if 'value' in said:
        return said['value']
    return tensor(said)


def read_outputs(folder):
    """What a call returned, the tensors of it as they were told, and its inputs afterwards."""
    with open(os.path.join(folder, 'outputs.json'), encoding='utf-8') as file:
        said = json.load(file)
    return {
        'outputs': read(said['outputs'], lambda one: read_elements(one, folder)),
        'tensors': tensors(said['outputs']),
        'inputsAfter': [read_elements(one, folder) for one in said['inputsAfter']],
    }


def tensors(said):
    if isinstance(said, list):
        return [one for part in said for one in tensors(part)]
    return [said] if 'file' in said else []
