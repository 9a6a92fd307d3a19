"""
Runs a model on a board: `board.py <folder>`, whose calls.json names the calls. Lines of report.jsonl say that the board
is there, that the model is loaded, and how each call ended.
"""
import json
import os
import sys

import torch
import torch_npu  # noqa: F401

import files

place = sys.argv[1]
report = open(os.path.join(place, 'report.jsonl'), 'w', encoding='utf-8')


def say(value):
    report.write(json.dumps(value) + '\n')
    report.flush()


def words(error):
    return f'{type(error).__name__}: {error}'[:2000]


def load(path, name):
    scope = {'__name__': 'submission', '__file__': path}
    with open(path, encoding='utf-8') as file:
        exec(compile(file.read(), 'model_src', 'exec'), scope)
    return scope[name]


def received(value, folder, tensors):
    def tensor(said):
        kind = getattr(torch, said['dtype'])
        if 'values' in said:
            return torch.tensor(said['values'], dtype=kind).reshape(said['shape']).npu()
        made = torch.empty_strided(said['shape'], said['strides'], dtype=kind)
        tensors.append(made.copy_(files.read_elements(said, folder)).npu())
        return tensors[-1]

    return files.read(value, tensor)


def saved(value, name, folder):
    files.write_elements(value.cpu(), os.path.join(folder, name))
    return {'dtype': str(value.dtype).removeprefix('torch.'), 'shape': list(value.shape), 'file': name}


def told(value, folder, inputs, count):
    if isinstance(value, (list, tuple)):
        return [told(one, folder, inputs, count) for one in value]
    if not isinstance(value, torch.Tensor):
        if value is None or type(value) in (bool, int, float, str):
            return {'value': value}
        raise TypeError(f'an output is a {type(value).__name__}')
    if not value.is_npu:
        raise TypeError(f'an output lies in memory of the host ({value.device})')
    count.append(value)
    storages = [one.untyped_storage().data_ptr() for one in inputs]
    layout = {'contiguous': value.is_contiguous(), 'ofInput': value.untyped_storage().data_ptr() in storages}
    return saved(value, f'output-{len(count) - 1}.bin', folder) | layout


def call(model, asked):
    path, folder = os.path.join(place, asked['call']), os.path.join(place, asked['outputs'])
    with open(path, encoding='utf-8') as file:
        drawn = json.load(file)
    tensors = []
    torch.manual_seed(asked['seed'])
    with torch.no_grad():
        module = model(*received(drawn['init'], os.path.dirname(path), []))
        module = module.npu() if isinstance(module, torch.nn.Module) else module
        outputs = module(*received(drawn['inputs'], os.path.dirname(path), tensors))
        torch.npu.synchronize()
    os.mkdir(folder)
    left = {'outputs': told(outputs, folder, tensors, [])}
    left['inputsAfter'] = [saved(one, f'after-{at}.bin', folder) for at, one in enumerate(tensors)]
    with open(os.path.join(folder, 'outputs.json'), 'w', encoding='utf-8') as file:
        json.dump(left, file)


def main():
    with open(os.path.join(place, 'calls.json'), encoding='utf-8') as file:
        asked = json.load(file)
    try:
        torch.npu.set_device(0)
    except Exception as error:
        return say({'fault': words(error)})
    say({'board': True})
    try:
        model = load(asked['model'], asked['class'])
    except BaseException as error:
        return say({'failed': words(error)})
    say({'loaded': True})
    for one in asked['calls']:
        try:
            call(model, one)
            say({'ran': True})
        except Exception as error:
            say({'failed': words(error)})


main()
# Without the runtime's own end: after a fault of the board that waits.
report.close()
os._exit(0)
