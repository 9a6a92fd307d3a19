"""torch_npu without a board: what lies there lies in memory, and the runtime is that of this tree."""
import ctypes
import os
import types

import torch

__version__ = '0+stand.in'
runtime = ctypes.CDLL('libascendcl.so', mode=ctypes.RTLD_GLOBAL)
runtime.aclGetRecentErrMsg.restype = ctypes.c_char_p


def must(code, name):
    if code != 0:
        raise RuntimeError(f'{name} failed, error code:{code}\n[Error]: {runtime.aclGetRecentErrMsg().decode()}')


def set_device(device):
    visible = os.environ['ASCEND_RT_VISIBLE_DEVICES'].split(',')
    must(runtime.aclrtSetDevice(int(visible[device])), 'aclrtSetDevice')


npu = torch.npu = types.ModuleType('torch.npu')
npu.set_device = set_device
npu.synchronize = lambda *_: must(runtime.aclrtSynchronizeStreamWithTimeout(None, 1000), 'aclrtSynchronizeStream')
torch.Tensor.npu = lambda self: self.clone()
torch.Tensor.is_npu = property(lambda _: True)
torch.nn.Module.npu = lambda self: self
