"""The functions and methods of ATen that bindings use, on CPU tensors, and the values that C++ has beside tensors."""
import math

import torch

from cpp import BindingError


class Scalar:
    """`c10::Scalar` or an aclScalar: a number that the operator takes as a host value."""

    def __init__(self, value, dtype=None):
        self.value = value
        self.dtype = dtype


class Integers(list):
    """An aclIntArray."""


class Options:
    def __init__(self, dtype=torch.float32):
        self.kind = dtype


class Iterator:
    """A position in a list or a flat tensor."""

    def __init__(self, items, at):
        self.items = items
        self.at = at


DTYPES = {
    'Float': torch.float32, 'Float32': torch.float32, 'Half': torch.float16, 'Float16': torch.float16, 'BFloat16': torch.bfloat16,
    'Double': torch.float64, 'Float64': torch.float64, 'Int': torch.int32, 'Int32': torch.int32, 'Long': torch.int64, 'Int64': torch.int64,
    'Short': torch.int16, 'Int16': torch.int16, 'Char': torch.int8, 'Int8': torch.int8, 'Byte': torch.uint8, 'UInt8': torch.uint8, 'Bool': torch.bool,
    'ComplexFloat': torch.complex64,
}


def operate(sign, left, right):
    if isinstance(left, Iterator):
        return Iterator(left.items, left.at + (right if sign == '+' else -right))
    if sign == '/' and isinstance(left, int) and isinstance(right, int):
        return int(math.trunc(left / right))
    if sign == '%':
        return int(math.fmod(left, right))
    return {
        '+': lambda: left + right, '-': lambda: left - right, '*': lambda: left * right, '/': lambda: left / right,
        '==': lambda: left == right, '!=': lambda: left != right, '<': lambda: left < right, '>': lambda: left > right,
        '<=': lambda: left <= right, '>=': lambda: left >= right,
    }[sign]()


def dtype_in(arguments, default):
    for one in arguments:
        if isinstance(one, Options):
            return one.kind
        if isinstance(one, torch.dtype):
            return one
    return default


def cleared(tensor, zero):
    """Notes that the binding itself hands a tensor in full of zeros, on which its operator may build."""
    tensor.cleared = zero
    return tensor


def builtin(name, inner, arguments):
    """A free function or constructor, by its last name; `inner` is its template argument."""
    last = name.split('::')[-1]
    if last in ('empty', 'zeros', 'ones'):
        fill = {'empty': torch.zeros, 'zeros': torch.zeros, 'ones': torch.ones}[last]
        shape = [arguments[0]] if isinstance(arguments[0], int) else list(arguments[0])
        return cleared(fill(shape, dtype=dtype_in(arguments[1:], torch.float32)), last == 'zeros')
    if last in ('empty_like', 'zeros_like', 'ones_like'):
        fill = torch.ones_like if last == 'ones_like' else torch.zeros_like
        return cleared(fill(arguments[0], dtype=dtype_in(arguments[1:], arguments[0].dtype), memory_format=torch.contiguous_format), last == 'zeros_like')
    if last in ('TensorOptions', 'device'):
        return Options()
    if last == 'dtype':
        return Options(arguments[0])
    if last == 'Tensor':
        return arguments[0] if arguments else None
    if last in ('TensorList', 'ArrayRef', 'string', 'move', 'make_tuple', 'optional'):
        return arguments[0] if len(arguments) == 1 else list(arguments)
    if last == 'IntArrayRef':
        return Integers(arguments[0])
    if last == 'Scalar':
        return Scalar(arguments[0].item() if isinstance(arguments[0], torch.Tensor) else arguments[0])
    if last == 'ConvertTensorToAclScaler':
        return Scalar(arguments[0].item(), arguments[0].dtype)
    if last == 'ConvertType':
        return arguments[0]
    if last == 'TORCH_CHECK':
        if not arguments[0]:
            raise BindingError('the binding refuses the call: ' + ''.join(map(str, arguments[1:])))
        return None
    if last in ('runtime_error', 'invalid_argument'):
        return str(arguments[0])
    if last == 'static_cast' or last in ('int64_t', 'int', 'size_t', 'float', 'double', 'bool'):
        return {'double': float, 'float': float, 'bool': bool}.get(inner or last, int)(arguments[0])
    if last == 'infer_size':
        return list(torch.broadcast_shapes(*map(tuple, arguments)))
    if last in ('ceil', 'floor', 'sqrt', 'pow', 'abs', 'max', 'min'):
        return {'max': max, 'min': min, 'abs': abs, 'ceil': lambda x: float(math.ceil(x)), 'floor': lambda x: float(math.floor(x))}.get(last, getattr(math, last, None))(*arguments)
    raise BindingError(f'{name} is not known')


def method(target, name, inner, arguments):
    if name in ('has_value', 'defined'):
        return target is not None
    if name == 'value':
        return target
    if name == 'value_or':
        return arguments[0] if target is None else target
    if isinstance(target, torch.Tensor):
        return tensor_method(target, name, arguments)
    if isinstance(target, Options):
        return Options(arguments[0]) if name == 'dtype' else target
    if isinstance(target, list):
        return list_method(target, name, arguments)
    if isinstance(target, str) and name == 'c_str':
        return target
    if isinstance(target, dict) and name in ('at', 'count'):
        return target[arguments[0]] if name == 'at' else int(arguments[0] in target)
    if isinstance(target, Scalar) and name in ('to', 'toDouble', 'toFloat', 'toLong'):
        return target.value
    raise BindingError(f'.{name} of {type(target).__name__} is not known')


def tensor_method(tensor, name, arguments):
    if name == 'size':
        return tensor.size(arguments[0])
    if name == 'sizes':
        return list(tensor.shape)
    if name in ('fill_', 'zero_'):
        return cleared(getattr(tensor, name)(*arguments), name == 'zero_' or arguments[0] == 0)
    if name in ('dim', 'numel', 'sum', 'item', 'contiguous', 'narrow', 'view', 'reshape', 'clone', 'transpose', 'unsqueeze', 'squeeze', 't', 'flatten'):
        return getattr(tensor, name)(*arguments)
    if name == 'options':
        return Options(tensor.dtype)
    if name in ('dtype', 'scalar_type'):
        return tensor.dtype
    if name == 'to':
        return tensor.to(dtype_in(arguments, tensor.dtype))
    if name in ('cpu', 'device', 'accessor'):
        return tensor
    if name in ('data_ptr', 'const_data_ptr'):
        return Iterator(tensor.reshape(-1).tolist(), 0)
    raise BindingError(f'.{name} of a tensor is not known')


def list_method(items, name, arguments):
    if name in ('push_back', 'emplace_back'):
        return items.append(arguments[0])
    if name == 'size':
        return len(items)
    if name == 'empty':
        return len(items) == 0
    if name == 'reserve':
        return None
    if name == 'vec':
        return list(items)
    if name == 'back':
        return items[-1]
    if name == 'at':
        return items[arguments[0]]
    if name in ('begin', 'end'):
        return Iterator(items, 0 if name == 'begin' else len(items))
    raise BindingError(f'.{name} of a list is not known')
