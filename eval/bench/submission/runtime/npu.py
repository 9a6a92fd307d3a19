"""PyTorch's NPU in the process of a submission's model: tensors there are addresses without bytes."""
import ctypes
import sys
import time
import types

import torch
import torch.profiler

NAME = 'npu'


def nothing(*_, **__):
    return None


def begin(library, questions):
    """Makes the device; whatever is asked of it is said to the descriptor `questions`. Gives what may not change."""
    made = ctypes.CDLL(library)
    torch.utils.rename_privateuse1_backend(NAME)
    made.npu_begin(questions)
    module = device_module()
    torch._register_device_module(NAME, module)
    torch.utils.generate_methods_for_privateuse1_backend(for_storage=False)
    stand = sys.modules['torch_npu'] = stand_in(made, module)
    sys.modules['torch_npu.profiler'] = stand.profiler
    places = {'torch.npu': module, 'torch_npu': stand, 'torch_npu.profiler': stand.profiler}
    places |= {'torch.profiler': torch.profiler, 'time': time}
    return [
        (f'{name}.{attribute}', place, attribute, value)
        for name, place in places.items()
        for attribute, value in vars(place).items()
        if callable(value) or isinstance(value, types.ModuleType)
    ]


def device_module():
    """`torch.npu`: one device, on which everything is done in order."""
    module = types.ModuleType('torch.npu')
    module.is_available = module.is_initialized = lambda: True
    module._is_in_bad_fork = lambda: False
    module.device_count = lambda: 1
    module.current_device = lambda: 0
    module.get_device_name = lambda *_: 'Ascend910'
    for name in ('synchronize', 'set_device', 'empty_cache', 'manual_seed', 'manual_seed_all', '_lazy_init', 'init'):
        setattr(module, name, nothing)
    module.is_bf16_supported = lambda: True
    module.get_amp_supported_dtype = lambda: [torch.float16, torch.bfloat16]
    return module


def stand_in(made, npu):
    """`torch_npu`, whose finished operators are refused by their names."""
    module = types.ModuleType('torch_npu')
    module.npu = npu
    module.__version__ = torch.__version__
    module.profiler = types.ModuleType('torch_npu.profiler')
    module.profiler.profile = nothing

    def finished(name):
        if name.startswith('__'):
            raise AttributeError(name)
        made.npu_refuse(f'torch_npu.{name}'.encode())
        raise RuntimeError(f'torch_npu.{name} is not the submission\'s own work')

    module.__getattr__ = finished
    return module
