"""Runs the binding of a task (`validation/pybind.cpp`) on CPU tensors, without compiling it.

A binding allocates outputs and hands inputs, attributes and outputs to one operator call. That takes a small part of C++: declarations,
`if`, `for`, arithmetic, containers and about forty functions of ATen. Whatever is not known raises `BindingError`.
"""
import torch

from aten import DTYPES, Iterator, Scalar, builtin, method, operate
from cpp import BindingError, Parser


class Returned(Exception):
    def __init__(self, value):
        self.value = value


INTEGER_TYPES = ('int', 'int32_t', 'int64_t', 'size_t', 'uint32_t', 'uint64_t', 'long')


def single(number):
    return torch.tensor(number, dtype=torch.float32).item()


NUMBER_TYPES = (*INTEGER_TYPES, 'float', 'double', 'bool')


def convert(kind, value):
    """What a C++ variable of this type holds after it was given `value`."""
    if kind in NUMBER_TYPES and isinstance(value, torch.Tensor):
        value = value.item()  # pybind11 asks an object for its number, and a tensor of one element has one
    if kind in INTEGER_TYPES and isinstance(value, (int, float)):
        return int(value)
    if kind == 'float' and isinstance(value, (int, float)):
        return single(float(value))
    if kind == 'double' and isinstance(value, (int, float)):
        return float(value)
    if kind == 'bool' and value is not None:
        return bool(value)
    if kind in ('at::Scalar', 'c10::Scalar') and not isinstance(value, Scalar):
        return Scalar(value)
    if kind.startswith('std::map') and isinstance(value, list):
        return dict(map(tuple, value))
    if (kind.startswith('std::vector') or kind.endswith('ArrayRef')) and isinstance(value, (list, tuple, torch.Size)):
        return list(value)
    return value


class Binding:
    """The functions that a binding gives to Python. `launch(name, arguments)` is called once for each operator call."""

    def __init__(self, text, launch):
        parsed = Parser(text)
        self.functions = parsed.functions
        self.exports = parsed.exports
        self.launch = launch
        self.shared = {}
        for node in parsed.globals:
            self.run(node, self.shared)

    def call(self, exported, arguments, named):
        return self.invoke(self.exports[exported], list(arguments), named)

    def invoke(self, name, arguments, named=None):
        parameters, body = self.functions[name]
        if len(arguments) > len(parameters):
            raise BindingError(f'{name} takes {len(parameters)} arguments, {len(arguments)} were given')
        scope = dict(self.shared)
        for index, (kind, parameter, default) in enumerate(parameters):
            if index < len(arguments):
                value = arguments[index]
            elif named and parameter in named:
                value = named[parameter]
            elif default is not None:
                value = self.value(default, scope)
            else:
                raise BindingError(f'{name} needs {parameter}')
            scope[parameter] = convert(kind, value)
        try:
            self.run(body, scope)
        except Returned as returned:
            return returned.value
        return None

    def run(self, node, scope):
        kind = node[0]
        if kind == 'block':
            for one in node[1]:
                self.run(one, scope)
        elif kind == 'declare':
            scope[node[2]] = self.declare(node, scope)
        elif kind == 'expression':
            self.value(node[1], scope)
        elif kind == 'if':
            chosen = node[2] if self.value(node[1], scope) else node[3]
            if chosen:
                self.run(chosen, scope)
        elif kind == 'each':
            for item in list(self.value(node[2], scope)):
                scope[node[1]] = item
                self.run(node[3], scope)
        elif kind == 'for':
            self.run(node[1], scope)
            while self.value(node[2], scope):
                self.run(node[4], scope)
                self.value(node[3], scope)
        elif kind == 'return':
            raise Returned(None if node[1] is None else self.value(node[1], scope))
        else:
            raise BindingError(f'the binding refuses the call: {self.value(node[1], scope)}')

    def declare(self, node, scope):
        _, kind, _, how, given = node
        if how == 'copy':
            return convert(kind, self.value(given, scope))
        if how == 'construct':
            return self.construct(kind, [self.value(one, scope) for one in given])
        return [] if kind.startswith('std::vector') else None

    def construct(self, kind, given):
        if kind.startswith('std::vector') and len(given) == 2 and isinstance(given[0], Iterator):
            first, last = given
            return list(first.items[first.at:last.at])
        if kind.startswith('std::vector') and len(given) == 2:
            return [given[1]] * given[0]
        return convert(kind, given[0]) if given else None

    def value(self, node, scope):
        kind = node[0]
        if kind == 'constant':
            return node[1]
        if kind == 'list':
            return [self.value(one, scope) for one in node[1]]
        if kind == 'name':
            return self.named(node[1], scope)
        if kind == 'choose':
            return self.value(node[2] if self.value(node[1], scope) else node[3], scope)
        if kind == 'binary':
            return self.binary(node, scope)
        if kind == 'unary':
            return self.unary(node, scope)
        if kind == 'assign':
            return self.assign(node, scope)
        if kind == 'index':
            found = self.value(node[1], scope)[self.value(node[2], scope)]
            return found.item() if isinstance(found, torch.Tensor) and found.dim() == 0 else found
        if kind == 'call':
            return self.called(node, scope)
        raise BindingError(f'{kind} is not read here')

    def named(self, name, scope):
        if name in scope:
            return scope[name]
        last = name.split('::')[-1]
        if name in ('true', 'false'):
            return name == 'true'
        if name in ('nullptr', 'c10::nullopt', 'std::nullopt'):
            return None
        if '::' in name and last.removeprefix('k') in DTYPES:
            return DTYPES[last.removeprefix('k')]
        raise BindingError(f'{name} is not known')

    def binary(self, node, scope):
        sign, left = node[1], self.value(node[2], scope)
        if sign == '||':
            return bool(left) or bool(self.value(node[3], scope))
        if sign == '&&':
            return bool(left) and bool(self.value(node[3], scope))
        return operate(sign, left, self.value(node[3], scope))

    def unary(self, node, scope):
        sign = node[1]
        if sign in ('++', '--'):
            return self.assign(('assign', '+=' if sign == '++' else '-=', node[2], ('constant', 1)), scope)
        value = self.value(node[2], scope)
        return {'-': lambda: -value, '!': lambda: not value}.get(sign, lambda: value)()

    def assign(self, node, scope):
        sign, target, given = node[1], node[2], self.value(node[3], scope)
        value = given if sign == '=' else operate(sign[0], self.value(target, scope), given)
        if target[0] == 'name':
            scope[target[1]] = value
        elif target[0] == 'index':
            self.value(target[1], scope)[self.value(target[2], scope)] = value
        elif target[0] == 'call' and target[1][0] == 'member' and target[1][2] == 'back':
            self.value(target[1][1], scope)[-1] = value
        else:
            raise BindingError('this cannot be assigned to')
        return value

    def called(self, node, scope):
        _, function, given, line = node
        try:
            if function[0] == 'member':
                return method(self.value(function[1], scope), function[2], function[3], [self.value(one, scope) for one in given])
            name, inner = function[1], function[2]
            if name == 'EXEC_NPU_CMD':
                return self.launch(given[0][1], [self.value(one, scope) for one in given[1:]])
            arguments = [self.value(one, scope) for one in given]
            if name in self.functions:
                return self.invoke(name, arguments)
            if name.split('::')[-1] == 'vector':
                return self.construct('std::vector', arguments)
            return builtin(name, inner, arguments)
        except (TypeError, IndexError, AttributeError, KeyError) as error:
            raise BindingError(f'line {line}: {type(error).__name__}: {error}') from error
