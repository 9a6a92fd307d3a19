"""Two verdicts on the outputs of a case: the task's own, and ours."""
import sys

import torch

from draw import map_tensors

# What a whole output may be off by, relative to its own size (root of sums of squares), in the coarsest type that takes part. About four
# units in the last place: a reference that rounds after each step in the task's type differs from a kernel that computes in float32.
NORM_LIMIT = {torch.float16: 4e-3, torch.bfloat16: 3e-2, torch.float32: 2e-4, torch.float64: 1e-9, torch.complex64: 2e-4}
# The same for integers under a checker of the task's own, where some element is off by more than one.
INTEGER_LIMIT = 0.02
ORDER = (torch.bfloat16, torch.float16, torch.float32, torch.complex64, torch.float64)


# Relative error up to which a value past the largest of its type may be infinite on one side; values below the smallest normal one of the
# other types may be zero. As for references in TypeScript.
OVERFLOW = {torch.float16: 2e-3, torch.bfloat16: 1.6e-2, torch.float32: 1e-4}
FLUSHED = (torch.bfloat16, torch.float32)


def flat_tensors(value):
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from flat_tensors(one)


def task_rule(inputs, row, expected, seen):
    """The task's checker, or the benchmark's where it has none. @returns whether it accepts, and why not"""
    try:
        if hasattr(inputs, 'custom_check_precision'):
            verdict = inputs.custom_check_precision(row, expected, seen)
        else:
            verdict = sys.modules['framework.utils'].check_precision(expected, seen, 1e-3, 1e-3)
    except Exception as error:  # The benchmark counts an exception of a checker as a failed case.
        return False, f'the checker raised {type(error).__name__}: {error}'
    return bool(verdict[0]), '' if verdict[0] else 'the checker of the task refuses it'


def literal_verdict(inputs, row, expected, seen):
    accepted, reason = task_rule(inputs, row, expected, seen)
    return {'ok': accepted, 'reason': reason if accepted else f'{reason}, {first_worst(expected, seen)}', **worst(expected, seen)}


def hardened_verdict(inputs, row, expected, seen, dtypes):
    """
    The task's rule on every value that is finite, and beside it: the same shape (sizes of one aside), infinities and NaN exactly where expected, integers equal (near where the task has a checker of its own), and the whole output near the expected one in relation
    to its own size, so that tiny outputs get no free pass from an absolute tolerance. Number and types of outputs need no
    look: the binding decides them, and the benchmark compares as many as both sides have.
    """
    seen = settled(expected, seen)
    wanted, got = list(flat_tensors(expected)), list(flat_tensors(seen))
    reason = '' if wanted and got else 'nothing to compare'
    for index, (left, right) in enumerate(zip(wanted, got)):
        problem = reason or output_problem(left, right, dtypes, hasattr(inputs, 'custom_check_precision'))
        if problem and not reason:
            reason = f'output {index}: {problem}'
    if not reason:
        accepted, why = task_rule(inputs, row, *finite_only(expected, seen))
        reason = '' if accepted else f'{why}, {first_worst(expected, seen)}'
    return {'ok': reason == '', 'reason': reason, **worst(expected, seen)}


def settled(expected, seen):
    """What was seen, with the expected value where the two lie together at one end of their type: infinite and nearly so, or flushed to zero."""
    wanted = iter(list(flat_tensors(expected)))

    def settle(got):
        want = next(wanted, None)
        if want is None or want.dtype != got.dtype or want.shape != got.shape or want.is_sparse or got.dtype not in OVERFLOW:
            return got
        limits = torch.finfo(got.dtype)
        near = limits.max / (1 + OVERFLOW[got.dtype])
        together = (want.isinf() | got.isinf()) & (want.sign() == got.sign()) & (want.abs() >= near) & (got.abs() >= near)
        if got.dtype in FLUSHED:
            together |= (want.abs() < limits.tiny) & (got.abs() < limits.tiny)
        return torch.where(together, want, got)

    return map_tensors(seen, settle)


def output_problem(wanted, got, dtypes, own_checker):
    if [size for size in wanted.shape if size != 1] != [size for size in got.shape if size != 1]:
        return f'shape {list(got.shape)}, the reference gives {list(wanted.shape)}'
    wanted, got = wide(wanted.to(got.dtype)), wide(got)
    odd = ~(torch.isfinite(wanted) & torch.isfinite(got))
    differs = odd & ~((wanted == got) | (torch.isnan(wanted) & torch.isnan(got)))
    if bool(differs.any()):
        at = int(differs.nonzero()[0])
        return f'element {at} is {got[at].item()}, expected {wanted[at].item()}'
    if got.dtype == torch.int64:
        return integer_problem(wanted, got, own_checker)
    return norm_problem(wanted[~odd], got[~odd], dtypes)


def wide(tensor):
    """Flat, in double or int64."""
    flat = (tensor.to_dense() if tensor.is_sparse else tensor).reshape(-1)
    if flat.is_complex():
        return torch.view_as_real(flat).reshape(-1).double()
    return flat.double() if flat.is_floating_point() else flat.long()


def pair(wanted, got):
    """Both flat and in double; real numbers beside complex ones have no imaginary part."""
    return wide(wanted.to(got.dtype) if got.is_complex() else wanted).double(), wide(got).double()


def integer_problem(wanted, got, own_checker):
    difference = (wanted - got).abs()
    # A checker of its own may allow for rounding. Some allow an error as large as the value, so that zeros pass.
    wrong = difference > (1 if own_checker else 0)
    if not bool(wrong.any()):
        return ''
    size, error = torch.linalg.vector_norm(wanted.double()).item(), torch.linalg.vector_norm(difference.double()).item()
    if own_checker and error <= INTEGER_LIMIT * size:
        return ''
    at = int(difference.argmax())
    return f'element {at} is {got[at].item()}, expected {wanted[at].item()} (' + (f'integers off by more than {INTEGER_LIMIT} of their size)' if own_checker else 'integers must be equal)')


def norm_problem(wanted, got, dtypes):
    if wanted.numel() == 0:
        return ''
    size = torch.linalg.vector_norm(wanted).item()
    error = torch.linalg.vector_norm(wanted - got).item()
    coarsest = next((one for one in ORDER if one in dtypes), torch.float32)
    limit = NORM_LIMIT[coarsest]
    if error <= limit * size:
        return ''
    if size == 0:
        return f'the reference is zero everywhere, the output has size {error:.3g}'
    return f'off by {error / size:.3g} of its size, at most {limit} is expected with {str(coarsest).removeprefix("torch.")}'


def finite_only(expected, seen):
    """Both with zeros where the expected value is not finite: equality there has been seen to."""
    masks = [torch.isfinite(one) if one.is_floating_point() and not one.is_sparse else None for one in flat_tensors(expected)]

    def masked(value):
        left = iter(masks)

        def zeroed(tensor):
            mask = next(left, None)
            return tensor if mask is None or tensor.is_sparse else torch.where(mask.reshape(tensor.shape), tensor, torch.zeros((), dtype=tensor.dtype))
        return map_tensors(value, zeroed)
    return masked(expected), masked(seen)


def worst(expected, seen):
    """Largest errors over all outputs; null where an element of either side is not finite."""
    absolute, relative = 0.0, 0.0
    for wanted, got in zip(flat_tensors(expected), flat_tensors(seen)):
        if wanted.numel() != got.numel():
            return {'absolute': None, 'relative': None}
        left, right = pair(wanted, got)
        if left.numel() == 0:
            continue
        if not bool(torch.isfinite(left).all() & torch.isfinite(right).all()):
            return {'absolute': None, 'relative': None}
        error = (left - right).abs()
        absolute = max(absolute, error.max().item())
        relative = max(relative, (error / (left.abs() + 1e-7)).max().item())
    return {'absolute': absolute, 'relative': relative}


def first_worst(expected, seen):
    """Where the largest absolute error is, as text."""
    text, largest = 'no elements to compare', -1.0
    for index, (wanted, got) in enumerate(zip(flat_tensors(expected), flat_tensors(seen))):
        if wanted.numel() != got.numel() or wanted.numel() == 0:
            continue
        left, right = pair(wanted, got)
        error = torch.nan_to_num((left - right).abs(), nan=float('inf'))
        at = int(error.argmax())
        if error[at].item() > largest:
            largest = error[at].item()
            text = f'output {index}, element {at} is {right[at].item():.8g}, expected {left[at].item():.8g}'
    return text
